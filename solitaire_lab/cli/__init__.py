"""The command line: thin commands over functions that a script or a notebook can call as well.

Commands import what they need when they run, because numba, pyarrow and pydantic cost more than a second and
help must not: at import time this package needs click alone.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Any, NoReturn

import click

from solitaire_lab import __version__
from solitaire_lab.cli import bench, catalog, compare, data, doctor, faq, play, report, studies, winnable
from solitaire_lab.cli.exits import BAD_INPUT, INTERRUPTED, TERMINATED
from solitaire_lab.cli.output import shortened
from solitaire_lab.errors import InputError


class _Commands(click.Group):
    """Lists its commands in the order of a study, and turns what goes wrong into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that is named; Ctrl-C ends it with a word."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("Stopped.", err=True)
            return INTERRUPTED

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run a command; it returns its exit code, or None for 0."""
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except InputError as error:
            code = _refuse(str(error))
        except MemoryError:
            code = _refuse("This machine has not enough memory for that; give less --memory, or fewer --workers.")
        except click.MissingParameter as error:
            error.show()
            code = error.exit_code
        except click.BadParameter as error:
            code = _refuse(error.format_message())
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except click.Abort:
            code = INTERRUPTED
        sys.exit(code)


def _refuse(message: str) -> int:
    click.echo(f"Error: {shortened(message)}", err=True)
    return BAD_INPUT


def _terminate(signum: int, frame: FrameType | None) -> NoReturn:
    sys.exit(TERMINATED)


def _replace_closed_streams() -> None:
    """Where a standard stream was closed, as by ``2>&-``, no file that is opened later may get its number: a warning of
    some library would be written into it. Closed output stays None, since who prints has to hear of it."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(handle)
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done; 1 bad input; 2 wrong usage, such as an unknown option; 3 done but for crashed deals; "
    "4 a check failed; 130 interrupted; 143 terminated.",
)
@click.version_option(__version__, prog_name="solitaire-lab")
def cli() -> None:
    """Decide deals of patience games by exact search, and count them.

    \b
    Example:
      solitaire-lab run storehouse --deals 1000
    """


for command in (
    catalog.games,
    catalog.rules,
    play.deal,
    play.moves,
    play.solve,
    play.replay,
    studies.run,
    studies.status,
    studies.verify,
    studies.table,
    compare.compare,
    report.report,
    report.plot,
    faq.faq,
    data.query,
    data.export,
    data.compact,
    winnable.numbers,
    winnable.simulate,
    bench.bench,
    doctor.doctor,
):
    cli.add_command(command)


def main() -> None:
    """The console script."""
    _replace_closed_streams()
    signal.signal(signal.SIGTERM, _terminate)
    try:
        cli()
    finally:
        # A second Ctrl-C must not change the exit code of what has ended.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
