"""Properties of rules that several prunings need."""

from __future__ import annotations

from solitaire_lab.rules.model import Rules


def nothing_compelled(rules: Rules) -> bool:
    """Neither an empty column nor an empty waste nor an empty stock compels or forbids anything."""
    return (
        not rules.spaces.auto_waste
        and not rules.stock.auto_turn
        and not rules.stock.becomes_column
        and rules.stock.row == 0
        and rules.foundations.autoplay == "optional"
    )


def one_pack_down(rules: Rules) -> bool:
    """One pack, foundations in suit, columns built down without a limit, and nothing compelled."""
    return (
        rules.pack.decks == 1
        and rules.pack.suits == 4
        and rules.foundations.build == "suit"
        and rules.tableau.direction == "down"
        and rules.tableau.capacity == "unlimited"
        and rules.reserve.piles <= (16 if rules.spaces.while_reserve == "free" else 1)
        and nothing_compelled(rules)
    )


def base_hosts_nothing(rules: Rules) -> bool:
    """Whether no card is ever built on a base card, so that what is built on a card is of a lower level."""
    return (
        (rules.foundations.placed == "all" and rules.foundations.return_ != "base-too")
        or rules.tableau.wrap == "not-on-base"
        or (rules.tableau.wrap == "off" and rules.fixed_base == 1)
    )


def in_suit(rules: Rules) -> bool:
    """One pack built down in suit: every card has at most one host, the card one level above it, and is one's host."""
    return one_pack_down(rules) and rules.tableau.build == "suit" and base_hosts_nothing(rules)


def places_matter(rules: Rules) -> bool:
    """Whether the order of columns can decide which of several like cards goes up by itself: the leftmost does."""
    alike = rules.pack.decks == 2 or rules.pack.suits < 4 or rules.foundations.build == "alternating"
    return rules.foundations.autoplay == "forced" and alike and rules.foundations.build in ("suit", "alternating")
