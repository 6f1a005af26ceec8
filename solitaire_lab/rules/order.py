"""Which rules are stricter than which.

Rules are stricter than others if, on every deal, whatever can be won under them can be won under the others. That
is proved here parameter by parameter; each ``Order`` says why it holds.

Two arguments recur. *Permission*: the looser value allows every move that the stricter one allows and changes
nothing else, so that every line of play stands. *By hand*: what the stricter value does by itself, or does at once,
the looser one lets the player do with the next moves, in the same order.

Where an order holds only together with other rules, ``when`` says which. It is asked about the stricter and the
looser rules as wholes, and the proof changes the parameters one after another in this order: autoplay, runs, build,
then those that are permissions, auto_waste, while_reserve, auto_turn, turn, becomes_column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from solitaire_lab.rules.dealing import deal_facts
from solitaire_lab.rules.model import Rules
from solitaire_lab.rules.settings import settings_of

Strictness: TypeAlias = Literal["equal", "stricter", "looser", "incomparable"]


class Order(NamedTuple):
    """When one value of a parameter is stricter than another, and why."""

    stricter: Callable[[Any, Any], bool]
    """Whether the first of two different values is the stricter one."""
    why: str
    when: Callable[[Rules, Rules], bool] = lambda stricter, looser: True
    """Whether that holds in these rules, the stricter ones first."""


def compare_strictness(a: Rules, b: Rules) -> Strictness:
    """How the first rules stand to the second.

    ``equal``: the same deals are won under both. ``stricter``: a win under the first is a win under the second.
    ``looser``: the reverse. ``incomparable``: neither is proved.
    """
    before, after = _values(a), _values(b)
    differing = [key for key in before if before[key] != after[key]]
    a_wins_last = all(_holds(ORDERS[key], before[key], after[key], a, b) for key in differing)
    b_wins_last = all(_holds(ORDERS[key], after[key], before[key], b, a) for key in differing)
    if a_wins_last:
        return "equal" if b_wins_last else "stricter"
    return "looser" if b_wins_last else "incomparable"


def _holds(order: Order, value: Any, other: Any, stricter: Rules, looser: Rules) -> bool:
    return order.stricter(value, other) and order.when(stricter, looser)


def _values(rules: Rules) -> dict[str, Any]:
    """Every parameter's value; layouts of equal heights are equal."""
    return settings_of(rules) | deal_facts(rules)


def _incomparable(value: Any, other: Any) -> bool:
    return False


def _alike(value: Any, other: Any) -> bool:
    return True


def _rising(*values: Any) -> Callable[[Any, Any], bool]:
    """The values from the strictest to the loosest."""
    return lambda value, other: values.index(value) < values.index(other)


def _below(looser: Mapping[str, tuple[str, ...]]) -> Callable[[Any, Any], bool]:
    """For each value, all that are looser."""
    return lambda value, other: other in looser.get(value, ())


def _fewer(value: Any, other: Any) -> bool:
    return other == "unlimited" or (value != "unlimited" and int(value) < int(other))


def _plays_up_by_hand(stricter: Rules, looser: Rules) -> bool:
    return looser.foundations.autoplay == "optional"


def _waste_may_fill(looser: Rules) -> bool:
    return looser.spaces.after in ("any", "waste")


def _single_cards(stricter: Rules, looser: Rules) -> bool:
    return _plays_up_by_hand(stricter, looser) or looser.foundations.build in ("suit", "alternating")


_OTHER_CARDS = "the cards lie differently"

ORDERS: Mapping[str, Order] = {
    "pack.decks": Order(_incomparable, _OTHER_CARDS),
    "pack.ranks": Order(_incomparable, _OTHER_CARDS),
    "pack.suits": Order(_incomparable, _OTHER_CARDS),
    "foundations.base": Order(_incomparable, "the foundations want the cards in another order"),
    "foundations.placed": Order(_incomparable, _OTHER_CARDS),
    "foundations.build": Order(
        _below({"none": ("run", "suit"), "run": ("suit",), "alternating-run": ("alternating",)}),
        "runs that stand in the tableau at the end can be taken off, and a run can go up card by card, if nothing that "
        "went up comes back and nothing goes up by itself",
        lambda stricter, looser: stricter.foundations.return_ == "off" and _plays_up_by_hand(stricter, looser),
    ),
    "foundations.wrap": Order(
        _alike, "rules in which it would matter are refused: foundations from the ace end with the highest rank"
    ),
    "foundations.runs": Order(
        _rising("whole-column", "anywhere"),
        "permission, if no run leaves by itself",
        _plays_up_by_hand,
    ),
    "foundations.return": Order(_rising("off", "on", "base-too"), "permission"),
    "foundations.autoplay": Order(
        _rising("forced", "optional"), "by hand: cards go up by themselves after all other automatic steps"
    ),
    "tableau.columns": Order(_incomparable, _OTHER_CARDS),
    "tableau.layout": Order(_incomparable, _OTHER_CARDS),
    "tableau.down": Order(
        lambda value, other: all(down >= fewer for down, fewer in zip(value, other, strict=False)),
        "permission: a card that lies face up moves wherever the same card, turned up later, would; if no run that is "
        "face up sooner leaves by itself",
        _single_cards,
    ),
    "tableau.build": Order(
        _below(
            {
                "none": ("suit", "alternating", "colour", "any"),
                "suit": ("colour", "any"),
                "colour": ("any",),
                "alternating": ("any",),
            }
        ),
        "permission: more cards fit, and what was a run is one",
    ),
    "tableau.direction": Order(_below({"down": ("both",), "up": ("both",)}), "permission: more cards fit"),
    "tableau.wrap": Order(_below({"off": ("on",), "not-on-base": ("on",)}), "permission: more cards fit"),
    "tableau.moves": Order(
        _below(
            {
                "single": ("top-or-whole", "suit-run", "run", "group"),
                "whole": ("top-or-whole", "run", "group"),
                "top-or-whole": ("run", "group"),
                "suit-run": ("run", "group"),
                "run": ("group",),
            }
        ),
        "permission",
    ),
    "tableau.capacity": Order(_fewer, "permission"),
    "spaces.while_reserve": Order(
        _rising("auto", "manual", "free"),
        "auto to manual by hand, if nothing goes up by itself in between; manual to free is permission, if any card of "
        "the reserve may fill a space and the waste doesn't fill it first",
        lambda stricter, looser: (
            (stricter.spaces.while_reserve != "auto" or _plays_up_by_hand(stricter, looser))
            and (looser.spaces.while_reserve != "free" or (_waste_may_fill(looser) and not looser.spaces.auto_waste))
        ),
    ),
    "spaces.after": Order(
        _below({"none": ("king", "waste", "any"), "king": ("any",), "waste": ("any",)}), "permission"
    ),
    "spaces.auto_waste": Order(
        _rising(True, False),
        "by hand, if the waste may fill spaces and nothing goes up by itself in between",
        lambda stricter, looser: _waste_may_fill(looser) and _plays_up_by_hand(stricter, looser),
    ),
    "reserve.piles": Order(_incomparable, _OTHER_CARDS),
    "reserve.size": Order(_incomparable, _OTHER_CARDS),
    "reserve.face": Order(_alike, "all cards are known"),
    "reserve.to": Order(_rising("foundation", "any"), "permission"),
    "cells.count": Order(_fewer, "permission, as equally many are filled"),
    "cells.filled": Order(_incomparable, _OTHER_CARDS),
    "cells.from": Order(_rising("tableau", "any"), "permission"),
    "stock.turn": Order(
        lambda value, other: 0 < other < value and value % other == 0,
        "by hand: turning some cards several times is turning a multiple of them once, if nothing takes one of them "
        "in between",
        lambda stricter, looser: not looser.spaces.auto_waste and _plays_up_by_hand(stricter, looser),
    ),
    "stock.row": Order(_incomparable, "other columns get the cards"),
    "stock.redeals": Order(_fewer, "permission"),
    "stock.blocked_by_space": Order(_rising(True, False), "permission"),
    "stock.auto_turn": Order(
        _rising(True, False),
        "by hand, if nothing goes up by itself in between",
        _plays_up_by_hand,
    ),
    "stock.becomes_column": Order(
        _rising(False, True),
        "permission: one more space, which need not be used unless it fills by itself",
        lambda stricter, looser: looser.spaces.while_reserve != "auto" and not looser.spaces.auto_waste,
    ),
    "deal.kings": Order(_incomparable, _OTHER_CARDS),
}
"""For every parameter, when a value is stricter than another."""
