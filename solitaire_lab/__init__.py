"""Exact, reproducible batch solvability studies of patience games."""

__version__ = "0.1.0"
