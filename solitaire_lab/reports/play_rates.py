"""How often a policy wins, with an interval: the chance of a player, not the share of deals that can be won."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from solitaire_lab import __version__
from solitaire_lab.engine.policies import REVISION
from solitaire_lab.errors import InputError
from solitaire_lab.results.intervals import Interval, wilson
from solitaire_lab.rules.settings import value_text
from solitaire_lab.study.model import game_label

if TYPE_CHECKING:
    from solitaire_lab.study.simulate import Simulation

_HIDDEN = "Face-down cards and the stock are hidden from the policy"


@dataclass(frozen=True)
class PlayRate:
    """The share of plays that a policy won."""

    simulation: Simulation = field(repr=False)
    deals: int
    plays: int
    """Of all deals together."""
    won: int

    @property
    def share(self) -> float:
        """Between 0 and 1."""
        return self.won / self.plays

    @property
    def effective_plays(self) -> float:
        """Of how many deals that are played once each the plays are worth.

        Plays of one deal resemble each other, so that ten plays of each of a hundred deals tell less than a thousand
        deals. The number is that at which a binomial share varies as the shares of the deals do: with p their mean and
        v their variance, p (1 - p) deals / v (Kish's effective sample size for clusters of equal size), but no less
        than the deals and no more than the plays. Where every play was won, or none, it is the deals. Of a single deal
        all plays count, and then the share is that deal's.
        """
        simulation = self.simulation
        if self.deals == 1:
            return float(self.plays)
        variance = float(np.var(simulation.wins / simulation.plays, ddof=1))
        if variance == 0:
            return float(self.deals)
        return min(max(self.share * (1 - self.share) * self.deals / variance, self.deals), self.plays)

    @property
    def interval(self) -> Interval:
        """Wilson's at 95 %, for ``effective_plays``."""
        plays = self.effective_plays
        return wilson(self.share * plays, plays)

    @property
    def seeds(self) -> str:
        """Which deals were played."""
        seeds = self.simulation.seeds
        first, last = int(seeds.min()), int(seeds.max())
        return f"{first}:{last}" if last - first + 1 == len(seeds) else f"{len(seeds):,} of {first}:{last}"

    def record(self) -> dict[str, Any]:
        """The rate as it stands in JSON; ``share``, ``low`` and ``high`` are shares between 0 and 1."""
        simulation, interval = self.simulation, self.interval
        game = simulation.game
        return {
            "game": game.name,
            "label": game_label(game),
            "set": dict(game.overrides),
            "numbering": simulation.numbering,
            "seeds": self.seeds,
            "policy": simulation.policy,
            "policy_revision": REVISION,
            "play_seed": simulation.play_seed,
            "deals": self.deals,
            "plays_of_each": simulation.plays,
            "plays": self.plays,
            "won": self.won,
            "share": self.share,
            "low": interval.low,
            "high": interval.high,
            "interval": "Wilson 95 % for the effective number of plays",
            "effective_plays": self.effective_plays,
            "given_up": int(simulation.given_up.sum()),
            "mean_moves": float(simulation.moves.sum()) / self.plays,
            "information": _HIDDEN.lower(),
        }

    def text(self) -> str:
        """The rate in sentences, one a line, with everything that it depends on."""
        simulation = self.simulation
        game = simulation.game
        low, high = self.interval.percent(2)
        settings = ", ".join(
            f"{key}={value if isinstance(value, str) else value_text(value)}" for key, value in game.overrides.items()
        )
        each = "1 of each deal" if simulation.plays == 1 else f"{simulation.plays:,} of each deal"
        given_up = int(simulation.given_up.sum())
        rules = settings or "the game's own"
        lines = [
            f"{simulation.policy.capitalize()} play wins {self.won:,} of {self.plays:,} plays of {game_label(game)}: "
            f"{100 * self.share:.2f} % (95 % interval {low / 100:.2f} to {high / 100:.2f}).",
            "",
            f"rules: {rules}; numbering: {simulation.numbering}; seeds: {self.seeds}; plays: {each}; "
            f"seed of plays: {simulation.play_seed}; policy: {simulation.policy}, revision {REVISION}.",
            f"{_HIDDEN}. This is its chance to win, not the share of deals that can be won.",
            f"The interval is Wilson's at 95 %, for {self.effective_plays:,.0f} independent plays.",
            f"A play took {simulation.moves.sum() / self.plays:,.0f} moves; {given_up:,} plays were given up for want "
            "of progress.",
            f"Made with solitaire-lab {__version__}.",
        ]
        return "\n".join(lines)


def play_rate(simulation: Simulation) -> PlayRate:
    """The rate of plays.

    Raises:
        InputError: there are none.
    """
    if not simulation.total:
        raise InputError("No deal was played, so there is no share of plays that were won.")
    return PlayRate(simulation, len(simulation.seeds), simulation.total, simulation.won)
