"""How a run is getting on, for people: one bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol, TextIO

from tqdm import tqdm

from solitaire_lab.study.tally import Tally, TimeLeft

BAR_SECONDS = 0.2
LINE_SECONDS = 10.0
WIDEST = 10
"""How many times as long the upper end of the time left may be as the lower one to be told."""


class Progress(Protocol):
    """Told by a run how it is getting on."""

    def show(self, tally: Tally, searching: int) -> None:
        """Called often; ``searching`` are the nodes of the deals in work."""

    def note(self, text: str) -> None:
        """Something a person should know, as a sentence."""

    def close(self, tally: Tally) -> None:
        """The run has ended."""


def default_progress(deals: int, *, stream: TextIO | None = None) -> Progress:
    """A bar if the stream (standard error) is a terminal, else lines.

    Args:
        deals: To decide.
    """
    stream = sys.stderr if stream is None else stream
    return Bar(deals, stream) if stream.isatty() else Lines(stream)


class Silence:
    """Shows nothing."""

    def show(self, tally: Tally, searching: int) -> None:
        pass

    def note(self, text: str) -> None:
        pass

    def close(self, tally: Tally) -> None:
        pass


class Lines:
    """A plain line every ten seconds."""

    def __init__(
        self, stream: TextIO, *, seconds: float = LINE_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._seconds = seconds
        self._clock = clock
        self._due: float | None = None

    def show(self, tally: Tally, searching: int) -> None:
        if self._due is None:
            self._due = self._clock() + self._seconds
        if self._clock() >= self._due:
            self._due += self._seconds
            self.note(f"{tally.decided:,} of {tally.deals:,} deals, {account(tally, searching)}")

    def note(self, text: str) -> None:
        # That nobody reads any more is no reason to end a run.
        with contextlib.suppress(BrokenPipeError):
            print(text, file=self._stream, flush=True)

    def close(self, tally: Tally) -> None:
        pass


class Bar:
    """One tqdm bar."""

    def __init__(self, deals: int, stream: TextIO) -> None:
        self._stream = stream
        self._due = 0.0
        self._bar = QuietBar(
            total=deals,
            file=stream,
            dynamic_ncols=True,
            # How often it is drawn is decided here, in ``show``.
            mininterval=0.0,
            bar_format="{percentage:3.0f}%|{bar}| {n:,}/{total:,} deals{postfix}",
        )

    def show(self, tally: Tally, searching: int) -> None:
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + BAR_SECONDS
            self._draw(tally, searching)

    def note(self, text: str) -> None:
        self._bar.write(text, file=self._stream)

    def close(self, tally: Tally) -> None:
        self._draw(tally, 0)
        self._bar.close()

    def _draw(self, tally: Tally, searching: int) -> None:
        # Fewer than at first may be to do, once a cell has ended.
        self._bar.total = tally.deals
        self._bar.n = tally.decided
        columns = self._bar.format_dict["ncols"]
        room = None if columns is None else columns - len(f"100%| | {tally.decided:,}/{tally.deals:,} deals, ")
        self._bar.set_postfix_str(account(tally, searching, room=room), refresh=False)
        self._bar.refresh()


class QuietBar(tqdm):  # type: ignore[type-arg]  # at run time it takes no argument
    """A tqdm bar without a watching thread, which would be there when a worker is forked."""

    monitor_interval = 0


def account(tally: Tally, searching: int, *, room: int | None = None) -> str:
    """What was found, how long the rest may take, and how fast, as one line.

    Args:
        room: Characters that there are; what people miss least is left out for want of them.
    """
    outcomes: Any = tally.outcomes
    found = f"{outcomes['win']:,} won, {outcomes['loss']:,} lost, {outcomes['undecided']:,} open"
    _, nodes = tally.speed(searching)
    left, speed = _left_text(tally.time_left(searching)), f"{_rounded(nodes)} nodes/s"
    texts = [", ".join(parts) for parts in ((found, left, speed), (found, left), (left,))]
    return next((text for text in texts if room is None or len(text) <= room), left)


def _left_text(left: TimeLeft | None) -> str:
    if left is None:
        return "time left unknown"
    low, high = duration(left.low), duration(left.high)
    if low == high:
        return f"{low} left"
    return f"{low} to {high} left" if left.high <= WIDEST * left.low else f"at least {low} left"


def duration(seconds: float) -> str:
    """Seconds as people say them, in two units at most."""
    whole = round(seconds)
    for size, unit, smaller, smaller_unit in ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= size:
            rest = whole % size // smaller
            return f"{whole // size} {unit} {rest} {smaller_unit}" if rest else f"{whole // size} {unit}"
    return f"{whole} s"


def _rounded(number: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {letter}"
    return f"{number:.0f}"
