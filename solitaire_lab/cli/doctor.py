"""``doctor``: whether studies can be run here, and what a bug report should tell."""

from __future__ import annotations

import click

from solitaire_lab.cli.exits import BAD_INPUT, CHECK_FAILED
from solitaire_lab.cli.options import json_option
from solitaire_lab.cli.output import emit, emit_json, remark


@click.command()
@json_option
def doctor(*, as_json: bool) -> int | None:
    """Check this machine, for a bug report.

    Versions, processors, memory, the compiled kernel, whether results can be written here, and a self-test of at most
    ten seconds: deals with published verdicts are decided, and a small study is run and verified. The exit code is 4
    if the self-test fails, and 1 if something else is wrong; the last lines say what, and what to do.

    \b
    Example:
      solitaire-lab doctor
    """
    from solitaire_lab.study.doctor import checkup, checkup_text

    found = checkup(report=remark)
    if as_json:
        emit_json(found.record())
    else:
        emit(checkup_text(found))
    if found.failures:
        return CHECK_FAILED
    return BAD_INPUT if found.problems else None
