"""Printing: text and JSON to standard output, remarks to standard error."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any

import click

from solitaire_lab.errors import InputError

_LONG = re.compile(r"(\S{40})\S{400,}(\S{20})")


def emit(text: str) -> bool:
    """Print text and a newline; whether anyone still reads.

    Once a reader such as ``head`` has gone, this and later output goes nowhere, so that a command ends with the
    exit code that it has to give.

    Raises:
        InputError: standard output can't be written, say because a disk is full, or it is closed.
    """
    if sys.stdout is None:
        raise InputError("Standard output is closed; leave it open, or send it to /dev/null.")
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return False
    except OSError as error:
        _discard_output()
        raise InputError(f"Standard output can't be written: {error.strerror}.") from None
    return True


def emit_json(value: Any) -> bool:
    """Print a JSON value on one line; whether anyone still reads."""
    return emit(json.dumps(value, ensure_ascii=False))


def remark(text: str) -> None:
    """Print a line to standard error."""
    click.echo(text, err=True)


def shortened(message: str) -> str:
    """A message without the middle of what is longer than any sensible number or name."""
    return _LONG.sub(r"\1...\2", message)


def counted(number: int, noun: str) -> str:
    """A number with its noun, such as ``1,000 deals``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _discard_output() -> None:
    """Send what is still buffered nowhere; Python would complain about it when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
