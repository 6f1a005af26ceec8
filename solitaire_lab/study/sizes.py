"""Sizes of memory as people write them."""

from __future__ import annotations

import re
from fractions import Fraction

from solitaire_lab.errors import InputError

_FACTORS = {"": 1, "b": 1} | {
    f"{prefix}{binary}b": (1024 if binary else 1000) ** power
    for power, prefix in enumerate("kmgt", 1)
    for binary in ("", "i")
}
_SIZE = re.compile(r"(\d[\d_]{0,40}(?:\.\d{1,40})?) ?([A-Za-z]*)")


def parse_size(text: str) -> int:
    """A size in bytes: ``256MB`` is 256,000,000, ``256MiB`` is 268,435,456, and a number alone is bytes.

    Raises:
        InputError: the text is no size, or no whole number of bytes.
    """
    match = _SIZE.fullmatch(text.strip())
    factor = _FACTORS.get(match[2].lower()) if match else None
    size = Fraction(match[1].replace("_", "")) * factor if match and factor else None
    if size is None or size.denominator != 1:
        raise InputError(f"{text!r} is no size of memory; write a number of bytes such as 256MB or 1.5GiB.")
    return int(size)


def size_text(size: int) -> str:
    """A size for people, such as ``256 MiB`` or ``23.5 GiB``."""
    amount, units = Fraction(size), ["bytes", "KiB", "MiB", "GiB", "TiB"]
    while amount >= 1024 and len(units) > 1:
        amount /= 1024
        del units[0]
    return f"{float(amount):.1f}".removesuffix(".0") + f" {units[0]}"
