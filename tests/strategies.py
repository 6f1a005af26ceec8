"""Random rules for any test: valid ones of small packs, and raw settings that may be anything."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from solitaire_lab.cards import RANKS
from solitaire_lab.rules.model import Rules

CHOICES: dict[str, tuple[Any, ...]] = {
    "pack.decks": (1, 2),
    "pack.ranks": tuple(range(1, 7)),
    "pack.suits": (1, 2, 4),
    "foundations.base": (*RANKS[:6], "dealt"),
    "foundations.placed": ("none", "one", "all"),
    "foundations.build": ("suit", "alternating", "run", "alternating-run", "none"),
    "foundations.wrap": (False, True),
    "foundations.runs": ("anywhere", "whole-column"),
    "foundations.return": ("off", "on", "base-too"),
    "foundations.autoplay": ("optional", "forced"),
    "tableau.columns": tuple(range(1, 7)),
    "tableau.layout": (0, 1, 2, 3, [1, 2], [0, 1, 2], "triangle", "even"),
    "tableau.down": (0, 1, [0, 1], [0, 0, 1], "all-but-top"),
    "tableau.build": ("suit", "alternating", "any", "colour", "none"),
    "tableau.direction": ("down", "up", "both"),
    "tableau.wrap": ("off", "on", "not-on-base"),
    "tableau.moves": ("single", "whole", "top-or-whole", "run", "suit-run", "group"),
    "tableau.capacity": ("unlimited", 2, 3, 4, 8),
    "spaces.while_reserve": ("auto", "manual", "free"),
    "spaces.after": ("any", "king", "waste", "none"),
    "spaces.auto_waste": (False, True),
    "reserve.piles": (0, 1, 2, 3),
    "reserve.size": (0, 1, 2, 4),
    "reserve.face": ("top", "up"),
    "reserve.to": ("any", "foundation"),
    "cells.count": (0, 1, 2, 4),
    "cells.filled": (0, 1, 2),
    "cells.from": ("tableau", "any"),
    "stock.turn": (0, 1, 2, 3),
    "stock.row": (0, 1, 2, 3),
    "stock.redeals": (0, 1, 2, "unlimited"),
    "stock.blocked_by_space": (False, True),
    "stock.auto_turn": (False, True),
    "stock.becomes_column": (False, True),
    "deal.kings": ("as-dealt", "slide", "swap", "own-suit"),
}

_ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 300),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.integers(-1, 9), max_size=4),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)


@st.composite
def raw_rules_strategy(draw: st.DrawFn) -> dict[str, Any]:
    """Settings by dotted key. Most values exist, most combinations are contradictory, a few values are anything."""
    keys = draw(st.lists(st.sampled_from(sorted(CHOICES)), max_size=6, unique=True))
    settings = {key: draw(st.sampled_from(CHOICES[key])) for key in keys}
    for key in draw(st.lists(st.sampled_from([*CHOICES, "stock.redeal", "tableau", "x"]), max_size=2)):
        settings[key] = draw(_ANYTHING)
    return settings


@st.composite
def rules_strategy(draw: st.DrawFn, *, max_ranks: int = 6, max_decks: int = 2) -> Rules:
    """Rules that can be played, with every parameter drawn and packs of at most ``max_ranks`` ranks a suit."""

    def pick(key: str, *, only: tuple[Any, ...] = ()) -> Any:
        return draw(st.sampled_from(only or CHOICES[key]))

    pack = {
        "decks": draw(st.integers(1, max_decks)),
        "ranks": draw(st.integers(1, max_ranks)),
        "suits": pick("pack.suits"),
    }
    foundations = _foundations(pick, pack)
    left = 4 * pack["decks"] * pack["ranks"]
    left -= {"none": 0, "one": 1, "all": 4 * pack["decks"]}[foundations["placed"]]

    cells = {"count": pick("cells.count"), "from": pick("cells.from")}
    cells["filled"] = min(left, cells["count"], pick("cells.filled"))
    left -= cells["filled"]

    reserve = {"piles": pick("reserve.piles"), "face": pick("reserve.face"), "to": pick("reserve.to")}
    reserve["size"] = min(left // max(1, reserve["piles"]), max(1, pick("reserve.size")))
    if not reserve["piles"] or not reserve["size"]:
        reserve["piles"] = reserve["size"] = 0
    left -= reserve["piles"] * reserve["size"]

    tableau, left = _tableau(draw, pick, left)
    stock = _stock(pick, left, tableau["columns"])
    fills = ("auto", "manual", "free") if reserve["piles"] and reserve["to"] == "any" else ("free",)
    spaces = {
        "while_reserve": pick("spaces.while_reserve", only=fills),
        "after": pick("spaces.after", only=() if stock["turn"] else ("any", "king", "none")),
        "auto_waste": pick("spaces.auto_waste") if stock["turn"] else False,
    }
    return Rules.model_validate(
        {
            "pack": pack,
            "foundations": foundations,
            "tableau": tableau,
            "spaces": spaces,
            "reserve": reserve,
            "cells": cells,
            "stock": stock,
            "deal": {"kings": pick("deal.kings")},
        }
    )


def _foundations(pick: Any, pack: dict[str, Any]) -> dict[str, Any]:
    builds = ("suit", "run", "none") if pack["suits"] == 1 else ()
    foundations = {"build": pick("foundations.build", only=builds), "base": "A", "placed": "none"}
    runs = foundations["build"] in ("run", "alternating-run")
    if foundations["build"] in ("suit", "alternating"):
        foundations["base"] = pick("foundations.base", only=(*RANKS[: pack["ranks"]], "dealt"))
        foundations["placed"] = pick(
            "foundations.placed", only=("one", "all") if foundations["base"] == "dealt" else ()
        )
    from_ace = foundations["base"] == "A" or pack["ranks"] == 1
    foundations["wrap"] = pick("foundations.wrap", only=() if from_ace else (True,))
    foundations["runs"] = pick("foundations.runs", only=() if runs else ("anywhere",))
    foundations["return"] = pick("foundations.return", only=("off",) if foundations["build"] == "none" else ())
    optional = foundations["build"] == "none" or foundations["return"] != "off"
    foundations["autoplay"] = pick("foundations.autoplay", only=("optional",) if optional else ())
    return foundations


def _tableau(draw: st.DrawFn, pick: Any, left: int) -> tuple[dict[str, Any], int]:
    """The columns, and how many cards they leave."""
    columns = pick("tableau.columns")
    layouts: list[Any] = ["even", [], *(height for height in (1, 2, 3) if height * columns <= left)]
    if columns * (columns + 1) // 2 <= left:
        layouts.append("triangle")
    layout = draw(st.sampled_from(layouts))
    if layout == []:
        for _ in range(columns):
            layout = [*layout, draw(st.integers(0, min(5, left - sum(layout))))]
    if layout == "even":
        heights = [left // columns + (column < left % columns) for column in range(columns)]
    elif layout == "triangle":
        heights = list(range(1, columns + 1))
    else:
        heights = layout if isinstance(layout, list) else [layout] * columns
    down = draw(
        st.one_of(
            st.just(0),
            st.just("all-but-top"),
            st.tuples(*(st.integers(0, max(0, height - 1)) for height in heights)).map(list),
        )
    )
    tableau = {key: pick(f"tableau.{key}") for key in ("build", "direction", "wrap", "moves")}
    capacity = draw(st.one_of(st.just("unlimited"), st.integers(max(1, *heights), max(1, *heights) + 3)))
    return {
        **tableau,
        "columns": columns,
        "layout": layout,
        "down": down,
        "capacity": capacity,
    }, left - sum(heights)


def _stock(pick: Any, left: int, columns: int) -> dict[str, Any]:
    goes_to = pick("", only=("waste", "row") if left else ("waste", "row", "nowhere"))
    if goes_to == "row":
        row = min(columns, pick("stock.row", only=(1, 2, 3)))
        return {"turn": 0, "row": row, "blocked_by_space": pick("stock.blocked_by_space")}
    if goes_to == "nowhere":
        return {"turn": 0}
    redeals = pick("stock.redeals")
    return {
        "turn": pick("stock.turn", only=(1, 2, 3)),
        "redeals": redeals,
        "auto_turn": pick("stock.auto_turn"),
        "becomes_column": pick("stock.becomes_column") if redeals == 0 else False,
    }
