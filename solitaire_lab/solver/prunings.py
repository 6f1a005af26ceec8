"""Which prunings hold for which rules, each with its proof.

A pruning leaves out moves, or takes positions for one, without changing any verdict. Each can be switched off, and
the tests compare verdicts with and without it on thousands of small packs. The levels of cards are counted from the
base rank, which is level 0.
"""

from __future__ import annotations

from typing import NamedTuple

from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.record import (
    DEAD_ENDS,
    EQUAL_PILES,
    NATURAL_COLUMNS,
    NO_RETURNS,
    SAFE_FOUNDATION,
    STOCK_AT_WILL,
    TWIN_HOSTS,
)


def prunings_of(rules: Rules) -> int:
    """The prunings that hold for rules, as a sum of bits.

    EQUAL_PILES holds for all rules: of several empty columns, cells or foundations that take a card alike, one target
    is enough. Proof: exchanging the places of two piles of one kind turns every line of play into another one of
    equal length and end, wherever no rule names a place; so the positions after either move are won both or not at
    all. Rules that name places are those that deal rows to columns, while cards are left to deal (then all spaces are
    tried), and those that fill spaces from the first of several reserves (reserves are never targets). For the same
    reason fingerprints don't tell such orders apart; ``tables.foundation_view`` says what else they leave out.
    """
    held = {
        STOCK_AT_WILL: stock_at_will(rules),
        SAFE_FOUNDATION: safe_foundation(rules),
        NATURAL_COLUMNS: natural_columns(rules),
        TWIN_HOSTS: twin_hosts(rules),
        NO_RETURNS: no_returns(rules),
        DEAD_ENDS: dead_ends(rules),
    }
    return EQUAL_PILES + sum(pruning for pruning, holds in held.items() if holds)


def stock_at_will(rules: Rules) -> bool:
    """Turning is part of the play that it serves.

    Claim: where nothing happens by itself when the stock is turned, it is enough to consider, in place of turning
    and redealing, the plays of every card that turning can bring to the top of the waste, each in the pass in which
    it comes first. With unlimited redeals, positions that differ only in the size of the waste are one if both
    wastes hold whole turns or the whole talon.

    Proof: turning changes only stock, waste and passes. A move that does not take the waste's top neither depends
    on these nor changes them, so turns may be put off past it; put off until the next play from the waste, or for
    ever after the last one, they make up that play. A card that can be shown with fewer redeals used is played from
    the same stock and waste then, with every continuation of the later play, and more. For the last sentence: a
    redeal leads from any of these wastes to the empty one, and turning from there leads through all of them.
    """
    # Automatic fills from the waste, automatic turns, a stock that becomes a column and forced plays from the waste
    # all answer to turning.
    return rules.stock.turn > 0 and nothing_compelled(rules)


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


def no_returns(rules: Rules) -> bool:
    """Cards stay on the foundations.

    Claim: with ``in_suit`` rules, returning cards wins nothing.

    Proof: play a line of P that returns cards from Q, which is P without returns: leave out every return and every
    move of a returned card. Only the card one level below it can be built on a returned card, and that one lay below
    it on the foundation, so it has been returned too. So returned cards carry only returned cards, and all of these
    are on the foundations in Q. What P has elsewhere Q has as well; where P has a returned card in a space or cell
    that place is empty in Q, which compels and forbids nothing: a reserve that fills it at once is treated under
    ``safe_foundation``.
    """
    return in_suit(rules) and rules.foundations.return_ != "off"


class SafeRule(NamedTuple):
    """When a card of level n is safe to go up: n is at least ``level``, the foundation of the other suit of its colour
    holds at least n - ``same`` cards and those of the other colour at least n - ``other``; or, if ``hosts_up``, those
    of the other colour hold n."""

    level: int
    same: int
    other: int
    hosts_up: int


_NO_MATTER = 99


def safe_rule(rules: Rules) -> SafeRule:
    """The condition of ``safe_foundation``; it never holds where that doesn't."""
    if not safe_foundation(rules):
        return SafeRule(_NO_MATTER, 0, 0, 0)
    same, other = {
        "suit": (_NO_MATTER, _NO_MATTER),
        "none": (_NO_MATTER, _NO_MATTER),
        "alternating": (2, 1),
        "colour": (1, _NO_MATTER),
        "any": (1, 1),
    }[rules.tableau.build]
    hosts_up = rules.tableau.build == "alternating" and rules.foundations.return_ == "off"
    return SafeRule(0 if base_hosts_nothing(rules) else 3, same, other, int(hosts_up))


def safe_foundation(rules: Rules) -> bool:
    """A card that can go up and is no use where it lies goes up at once.

    Claim: with ``one_pack_down`` rules that don't move unbuilt groups, let card c of level n be ready to go up, and
    let a set S of cards hold c and everything below c in suit, and with every card all cards that can be built on it,
    so that every card of S that is not up has the card below it in suit up or in S. If all of S but c and cards that
    could go up as soon as they are free is on the foundations, then going up with c loses nothing. ``SafeRule`` says
    when this is so. Built in alternating colour, S is all of the other colour up to level n - 1, all of c's suit up to
    n, all of the other suit of its colour up to n - 2: what can be built on c is of the other colour and level n - 1;
    on that, of c's colour and level n - 2; and so on. Those of the other colour are up to level n - 2 when their
    foundations hold n - 1 cards, those of c's colour to level n - 3 when that foundation holds n - 2; the rest of S can
    go up as soon as it is free. In any suit, S is all cards up to level n - 1 and c, and the foundations must hold
    n - 1; in colour, the same within the colour; in suit, S is c's own suit, and all of it is up. Where cards never
    return, nothing at all is built on c when the other colour is up to level n - 1.

    Proof: play a winning line of P from Q, P with c up, so that at each point Q is P with some cards of S, those that
    have moved or returned in P since, on the foundations instead: whenever P moves a card of S, Q plays it up, if it
    isn't up already, and returns of cards of S are left out. It is free in Q when it is in P, and the card below it
    in suit is up in Q. Cards built on cards of S are of S, so a group that P moves is a run whose upper part Q has up;
    the lower part moves alike, as a whole column too. A host outside S is as free in Q as in P. Places that hold cards
    of S in P are empty in Q, and an empty place forbids nothing. A reserve that fills a space at once compels: then
    Q has in an additional column, alone, the card that tops the reserve in P, and this column plays the part of the
    reserve: when P plays the reserve's top, Q plays this card, and the next one takes its place; when P's column
    empties too, P fills it with the same card. Turning card by card, the turn that would show a card that is up in Q
    is left out. With more cards a turn, cards that lie in the waste shift the groups when they leave it, so only P
    takes them from there: c does not go up from the waste then.

    Where kings may be built on base cards the cards of level 0 are hosts outside this order; from level 3 on all of
    S that isn't up is of level 1 at least. Base cards that return would be such hosts again.
    """
    return (
        one_pack_down(rules)
        and rules.tableau.moves != "group"
        and (base_hosts_nothing(rules) or rules.foundations.return_ != "base-too")
    )


def twin_hosts(rules: Rules) -> bool:
    """Part of a run moves to another card only to free the card below it for its foundation.

    Claim: where columns are built down without regard to suit alone, any part of a run may move and there are no
    cells, it is enough to consider those moves of a part of a run onto a card that uncover a card which can go up.

    Nothing may be built on base cards, so that no run holds two cards of one rank and neither of the cards u and h
    below ever lies on the other.

    Proof: let a winning line move the part R of a run from card u to card h. Both host the first card of R, so they
    have one rank, and one colour where the colour counts: whatever can be built on one can be built on the other, and
    both continue the same runs. Leave the move out and play on with what lies on u and on h exchanged: cards within
    these parts, and moves of u or h with what lies on it, move as before from the other place, what the line puts on
    one goes on the other, and what leaves one leaves the other. The exchange ends without loss when both parts are
    equal or R is put back, and when u or h moves up: then nothing lies on that card in the line; if something does
    after the exchange, it moves to the other card, which is free, and that is a move of the claim: it uncovers a card
    that can go up. No column is empty sooner or later, nothing else is covered or uncovered, and a face-down card
    below is turned up with u or h as before. Taking the first such move of a line again and again ends, since each
    time it comes later.
    """
    return (
        one_pack_down(rules)
        and base_hosts_nothing(rules)
        and rules.tableau.build in ("alternating", "colour", "any")
        and rules.tableau.moves == "run"
        and rules.cells.count == 0
    )


def dead_ends(rules: Rules) -> bool:
    """A position that even a relaxed player can't win is lost.

    The relaxed player of ``relax.dead`` derives, from the position, three kinds of facts about cards: that a card can
    be uncovered where it lies, that it can leave its place, that it can go up. Facts stay: what has left still hosts,
    and spaces and cells once free never run out.

    Claim: whatever happens to a card in real play from the position is derived.

    Proof: by induction over a line of play, for the first time that each thing happens. A card is uncovered where it
    lies when the card on it has left. A card x that moves for the first time, alone or with what lies on it, moves (1)
    to a foundation, card by card, when x is uncovered and the card below it in suit is up; (2) on a card h: then h is
    on top of a column. If h has not moved, it has been uncovered where it lies, in a column and, where columns have a
    capacity, not at it; otherwise it has left before, or a card below it has and took it along. h is not the card on
    which x lies already, and if h lay above x in the same column, something from above x up to h has left before. x
    and what is on it move together: either nothing that the position has on x has left, and it is one run with x; or
    some card on x has left, the first break of the run included or above it; or any group moves. (3) To a space: the
    first space, if the position has none, arose when the base of a column left for a card, a cell or a foundation, or
    as part of a whole run, or it is the stock's place, taken for a space from the beginning where the stock becomes a
    column. (4) To a cell: the first free one, if the position has none, was left by its card. (5) In a whole run: then
    each card of the suit but the highest lies on the next one, from the beginning or because it has moved. Cards of
    the talon are taken for uncovered, those dealt in rows for having left; a reserve uncovers its cards one by one.

    So if the game can be won from the position, the relaxed player gets every card up, or completes every suit.
    """
    return (
        rules.pack.decks == 1
        and rules.pack.suits == 4
        and rules.foundations.build in ("suit", "run", "none")
        and not natural_columns(rules)
    )


def natural_columns(rules: Rules) -> bool:
    """Where every column is a run in suit, only the filling of spaces needs thought.

    Let rules be ``in_suit``, without cells, the stock turned card by card, at most one reserve pile
    which may go to the columns, and whole columns may move. Let every column be a run in suit, face up (this holds
    for good when it holds once). Write D for the cards that have left reserve and stock, F(D) for the foundations when
    all cards of D that can are up, and m(D) for the number of cards of D, not in F(D), whose host is not in D. A
    position with the played cards D has at least m(D) columns in use. It is closed when no card can go up, no column
    base, reserve top or waste top has its host on top of another column, and (unless spaces are filled freely) no
    space is left while the reserve lasts. A closed position has exactly m(D) columns in use and F(D) on the
    foundations: its columns are joined as far as can be, and the lowest card of a suit in play ends its column.

    Claim: carrying out these moves in any order until the position is closed changes no verdict, and from a closed
    position it is enough to consider: filling a space from the waste (or from the reserve, if spaces are filled
    freely) and turning on to the next card that goes up or has its host; no card beyond that one needs thought.

    Proof: say that a closed Q covers P if (a) Q's played cards are P's, a part of the reserve from its top, and cards
    X of the stock, each of which, when it was added, went up or had its host among the played; (b) Q has turned no
    further than P: it can still show, in the pass in which P shows it, every card of the stock it still has. Closing P
    yields a Q that covers P. Now let Q cover P and P make a move; we show that Q can follow to cover the new P.
    1. Moves within the tableau change nothing in (a) and (b); turning makes P turn further. Q stays.
    2. A card goes up or to its host from the reserve or the waste of P. If it is among Q's played cards, Q stays. Else
       all cards below it in suit (or its host) are played in Q, and closed as Q is, the foundation or the host waits
       for it. From the reserve: then Q's reserve is as high as P's and the card is on top, against Q's being closed.
       From the waste: Q turns to it, by (b), plays it, and closes. Later cards of the reserve or stock that closing
       plays are covered by (a).
    3. P fills a space from the reserve. If the card is played in Q, Q stays. Else both reserves are equal, and Q's
       played cards are P's and X. Adding a card that has its host among the played, or that goes up, does not raise m,
       so Q uses at most m(P's cards) columns, at most those that P uses: Q has a space too, and fills it alike; unless
       spaces are filled freely this even contradicts Q's being closed.
    4. P fills a space from the waste. If the card is played in Q, Q stays. Q has a space: unless spaces are filled
       freely, P's reserve is used up, so Q's is too, and 3's count of columns holds; if they are, closing never fills a
       space, so every card that Q has played more than P had its host or went up, and the count holds again. Q turns
       to the card, by (b), and fills alike.
    When P has won, Q has all cards played and is closed: it has won. So the closure loses nothing. Turning on from a
    closed position that shows a card which goes up or has its host gives a position whose closure plays that card; so
    beyond that card no other needs thought. Splitting a column never helps by 1.

    The claim ``for good``: a card is only ever put on its host or in a space.
    """
    return (
        in_suit(rules)
        and rules.stock.turn <= 1
        and rules.cells.count == 0
        and rules.tableau.moves not in ("single", "group")
        and rules.reserve.piles <= 1
        and rules.reserve.to == "any"
    )
