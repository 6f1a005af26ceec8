"""How a game uses the pack that a seed names: data, one record for each program whose deals are known."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, model_validator

from solitaire_lab.rules.model import Rules

Numbering: TypeAlias = Literal["lab", "pysol", "microsoft", "solvitaire"]
Place: TypeAlias = Literal["foundations", "reserve", "tableau", "cells", "stock"]


class DealProcedure(BaseModel):
    """How the cards of a pack are laid out, under one or more numberings.

    Places get their cards in ``order``. Where the base rank is dealt, the base card is the first card of the pack
    that is left when the foundations' turn comes, whichever end other cards are taken from; every other base card
    that the rules place is taken out wherever it lies. Reserve piles and cells are filled one after another, piles
    from the bottom. What is left is the stock, in pack order; a stock that is named in ``order`` is dealt card on
    card, so that its first card is turned last.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    numberings: tuple[Numbering, ...]
    program: str
    """Whose deals these are, such as ``PySolFC game 100``."""
    settings: dict[str, Any] | Literal["any"] = {}
    """Settings on top of the game's own rules under which this holds, or ``any``: under whatever rules."""
    order: tuple[Place, ...] = ("foundations", "reserve", "tableau", "cells")
    tableau: Literal["rows", "rows-from-right", "columns"] | tuple[tuple[int, ...], ...] = "rows"
    """Row by row, each from the left or from the right, a column getting no more once it has its cards; a column
    at a time; or rows written out: the columns (from 0) that get a card each, in order."""
    take_from: Literal["first", "last"] = "first"
    """The end of the pack from which cards are taken."""

    @model_validator(mode="after")
    def _name_every_place_once(self) -> DealProcedure:
        if sorted(set(self.order) - {"stock"}) != ["cells", "foundations", "reserve", "tableau"]:
            raise ValueError("order must name foundations, reserve, tableau and cells")
        if len(set(self.order)) != len(self.order):
            raise ValueError("order names a place twice")
        return self


def deal_facts(rules: Rules) -> dict[str, Any]:
    """The rules that decide where the cards of a pack come to lie, and which are face down, as JSON values.

    Layouts that come to the same heights are the same fact. How many cells are empty is none: two-cell FreeCell is
    played on FreeCell deals.
    """
    return {
        "pack.decks": rules.pack.decks,
        "pack.ranks": rules.pack.ranks,
        "pack.suits": rules.pack.suits,
        "foundations.base": rules.foundations.base,
        "foundations.placed": rules.foundations.placed,
        "tableau.columns": rules.tableau.columns,
        "tableau.layout": list(rules.heights),
        "tableau.down": list(rules.downs),
        "reserve.piles": rules.reserve.piles,
        "reserve.size": rules.reserve.size,
        "cells.filled": rules.cells.filled,
        "deal.kings": rules.deal.kings,
    }
