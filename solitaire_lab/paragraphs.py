"""Text of a width that a terminal or a page shows without breaking lines itself."""

from __future__ import annotations

import textwrap

WIDTH = 80
"""Columns of a terminal."""


def paragraph(text: str, *, width: int = WIDTH, indent: int = 0, hang: int = 0) -> list[str]:
    """The lines of a paragraph; words stay whole, so one that is longer than the width stands out.

    Args:
        indent: spaces before each line.
        hang: more spaces before each line but the first.
    """
    return textwrap.wrap(
        text,
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hang),
        break_long_words=False,
        break_on_hyphens=False,
    )
