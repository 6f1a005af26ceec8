"""The intervals of ``results.intervals``, for reports."""

from solitaire_lab.results.intervals import Interval, Z, headline, wilson

__all__ = ["Interval", "Z", "headline", "wilson"]
