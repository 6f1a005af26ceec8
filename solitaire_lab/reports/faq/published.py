"""Published figures beside ours: does each lie inside our interval, and if not, how far apart are they?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from solitaire_lab.documents import parse_toml
from solitaire_lab.reports.faq.numbers import GameFaq, Search
from solitaire_lab.results.intervals import Interval, headline, wilson

Quantity: TypeAlias = Literal["win", "loss", "chance", "median", "longest"]
Verdict: TypeAlias = Literal["inside", "overlap", "apart", "outside", "untold", "missing"]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(_Record):
    """Who published a figure, in the languages of the answers."""

    en: str
    de: str
    url: str | None = None


class PublishedCounts(_Record):
    """Deals that a solver proved winnable or lost."""

    game: str
    source: str
    search: Literal["deal", "hint", "all"]
    deals: int = Field(gt=0)
    win: int = Field(ge=0)
    loss: int | None = Field(None, ge=0)
    """None if the source doesn't say."""

    @property
    def undecided(self) -> int:
        """Deals that are neither, as far as the source says."""
        return self.deals - self.win - (self.loss or 0)


class PublishedShuffles(_Record):
    """Shuffles until a winnable deal, with the search when cards are dealt."""

    game: str
    source: str
    measure: Literal["median", "longest"]
    shuffles: int = Field(gt=0)


class PublishedChance(_Record):
    """A chance of winning of which the source says neither whose it is nor how it was found."""

    game: str
    source: str
    percent: float = Field(ge=0, le=100)


class PublishedFile(_Record):
    """What ``published.toml`` holds."""

    sources: dict[str, Source]
    counts: tuple[PublishedCounts, ...]
    shuffles: tuple[PublishedShuffles, ...]
    chances: tuple[PublishedChance, ...]

    @model_validator(mode="after")
    def _consistent(self) -> PublishedFile:
        named = {
            *(counts.source for counts in self.counts),
            *(shuffles.source for shuffles in self.shuffles),
            *(chance.source for chance in self.chances),
        }
        if named != self.sources.keys():
            raise ValueError(f"sources and those that figures name differ in {named ^ self.sources.keys()}")
        wrong = [counts.source for counts in self.counts if counts.undecided < 0]
        if wrong:
            raise ValueError(f"{wrong[0]} counts more deals than it had")
        return self


@dataclass(frozen=True)
class Comparison:
    """A published figure beside ours. Shares are between 0 and 1."""

    title: str
    """The game."""
    source: Source
    quantity: Quantity
    """The share of deals that are won or lost, a chance of winning, or shuffles until a winnable deal."""
    search: Search | None
    """Our search that the figure is compared with; None if there is none of this length."""
    theirs: float
    theirs_deals: int | None
    theirs_undecided: int | None
    theirs_range: Interval | None
    """The interval that their counts give, as ours is made."""
    ours: float | None
    """None if no deal, or no board, is counted."""
    interval: Interval | None
    """Our 95 % interval of a share."""
    medians: tuple[int, int | None] | None
    """For the median of shuffles: the medians that the 95 % interval (Wilson) of our share of wins gives; the second
    is None if no number is enough."""
    verdict: Verdict
    """``inside`` our interval; outside, but the intervals ``overlap``; ``apart``; ``outside`` where the figure has no
    interval; ``untold`` where it says too little to be compared; ``missing`` where we have no such search or deal."""
    theirs_exceeded: float | None = None
    """For the longest shuffling: the chance, by our share of wins, that one board takes longer than theirs."""

    def record(self) -> dict[str, Any]:
        """The comparison as it stands in JSON."""
        return {
            "game": self.title,
            "source": self.source.en,
            "url": self.source.url,
            "quantity": self.quantity,
            "budget": None if self.search is None else self.search.nodes,
            "published": self.theirs,
            "published_deals": self.theirs_deals,
            "published_undecided": self.theirs_undecided,
            "published_interval": None if self.theirs_range is None else asdict(self.theirs_range),
            "ours": self.ours,
            "interval": None if self.interval is None else asdict(self.interval),
            "medians": self.medians,
            "verdict": self.verdict,
            "longer_than_published": self.theirs_exceeded,
        }


@cache
def published() -> PublishedFile:
    """What has been published, as this package knows it."""
    path = resources.files("solitaire_lab.reports.faq") / "published.toml"
    return PublishedFile.model_validate(parse_toml(path.read_text(encoding="utf-8"), where=path.name))


def comparisons(faq: GameFaq, file: PublishedFile | None = None) -> tuple[Comparison, ...]:
    """Everything that has been published about a game by its own rules beside what was counted.

    Args:
        faq: a cell; one with other rules has nothing to be compared with.
        file: the published figures, ``published()`` if None.
    """
    cell = faq.planned.cell
    return () if cell.overrides else tuple(_comparisons(faq, published() if file is None else file))


def median_shuffles(share: float) -> int | None:
    """The median number of shuffles until a deal that is a win with this chance; None if none ever is.

    It is the least k with (1 - share)^k at most one half.
    """
    if share <= 0:
        return None
    return 1 if share >= 0.5 else math.ceil(math.log(0.5) / math.log1p(-share))


def _comparisons(faq: GameFaq, file: PublishedFile) -> Iterator[Comparison]:
    game = faq.planned.cell.game
    for counts in file.counts:
        if counts.game == game:
            source = file.sources[counts.source]
            yield _share(faq, counts, source, "win")
            if counts.loss is not None:
                yield _share(faq, counts, source, "loss")
    for chance in file.chances:
        if chance.game == game:
            yield _chance(faq, chance, file.sources[chance.source])
    for shuffles in file.shuffles:
        if shuffles.game == game:
            yield _shuffles(faq, shuffles, file.sources[shuffles.source])


def _search(faq: GameFaq, published: Literal["deal", "hint", "all"]) -> Search | None:
    """Our search that is made for what the published one was made for."""
    if published == "deal":
        return faq.long if faq.long.role == "deal" else faq.short
    return None if published == "hint" and faq.long.role == "deal" else faq.long


def _share(faq: GameFaq, counts: PublishedCounts, source: Source, quantity: Quantity) -> Comparison:
    theirs = _of(quantity, counts.win, counts.loss or 0)
    theirs_range = headline(win=theirs[0], loss=theirs[1], undecided=counts.undecided)
    search = _search(faq, counts.search)
    verdict: Verdict = "missing"
    share, interval = None, None
    if search is not None and search.counts.deals:
        ours = _of(quantity, search.counts.win, search.counts.loss)
        share = ours[0] / search.counts.deals
        interval = headline(win=ours[0], loss=ours[1], undecided=search.counts.undecided)
        verdict = _verdict(theirs[0] / counts.deals, theirs_range, interval)
    return Comparison(
        title=faq.title,
        source=source,
        quantity=quantity,
        search=search,
        theirs=theirs[0] / counts.deals,
        theirs_deals=counts.deals,
        theirs_undecided=counts.undecided,
        theirs_range=theirs_range,
        ours=share,
        interval=interval,
        medians=None,
        verdict=verdict,
    )


def _of(quantity: Quantity, win: int, loss: int) -> tuple[int, int]:
    """Deals that count for a quantity, and those that count against it."""
    return (win, loss) if quantity == "win" else (loss, win)


def _verdict(theirs: float, theirs_range: Interval, ours: Interval) -> Verdict:
    if ours.low <= theirs <= ours.high:
        return "inside"
    return "overlap" if theirs_range.low <= ours.high and ours.low <= theirs_range.high else "apart"


def _chance(faq: GameFaq, chance: PublishedChance, source: Source) -> Comparison:
    counts, interval, theirs = faq.long.counts, faq.long.interval, chance.percent / 100
    verdict: Verdict = "missing"
    if counts.deals:
        verdict = "inside" if interval.low <= theirs <= interval.high else "outside"
    return Comparison(
        title=faq.title,
        source=source,
        quantity="chance",
        search=faq.long,
        theirs=theirs,
        theirs_deals=None,
        theirs_undecided=None,
        theirs_range=None,
        ours=counts.win / counts.deals if counts.deals else None,
        interval=interval if counts.deals else None,
        medians=None,
        verdict=verdict,
    )


def _shuffles(faq: GameFaq, figure: PublishedShuffles, source: Source) -> Comparison:
    counts, taken = faq.dealing.counts, faq.shuffles
    median, medians, exceeded = figure.measure == "median", None, None
    verdict: Verdict = "missing"
    if counts.deals and median:
        share = wilson(counts.win, counts.deals)
        # The larger the share of wins, the fewer shuffles; no interval of a share ends at 0.
        low, high = median_shuffles(share.high) or 1, median_shuffles(share.low)
        medians = low, high
        verdict = "inside" if low <= figure.shuffles and (high is None or figure.shuffles <= high) else "outside"
    elif counts.deals:
        verdict, exceeded = "untold", (1 - counts.win / counts.deals) ** figure.shuffles
    return Comparison(
        title=faq.title,
        source=source,
        quantity=figure.measure,
        search=faq.dealing,
        theirs=figure.shuffles,
        theirs_deals=None,
        theirs_undecided=None,
        theirs_range=None,
        ours=taken.median if median else taken.longest,
        interval=None,
        medians=medians,
        verdict=verdict,
        theirs_exceeded=exceeded,
    )
