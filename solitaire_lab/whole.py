"""Whole numbers as people write them."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"[+-]?(?:[0-9]{1,40}(?:_[0-9]{1,9}){0,9}|[0-9]{1,3}(?:,[0-9]{3}){1,9})")


def parse_whole(text: str) -> int | None:
    """The whole number that a text is: ``1000``, ``1_000``, or ``1,000`` as tables print it; None if it is none."""
    text = text.strip()
    return int(text.replace(",", "")) if _WHOLE.fullmatch(text) else None
