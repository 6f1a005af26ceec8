"""Which prunings hold for which rules, each with its proof.

A pruning leaves out moves, or takes positions for one, without changing any verdict. Each can be switched off, and
the tests compare verdicts with and without it on thousands of small packs. The levels of cards are counted from the
base rank, which is level 0.

All hold together: count a line's moves without its turns. Each proof turns a winning line into one that is not longer
and does without what is left out, or that wins from the position after the forced play and is shorter by that play.
So from a position that can be won a shortest line is always left, and each step along it, forced or chosen, brings
the win nearer. NATURAL_COLUMNS takes the place of all others where it holds.
"""

from __future__ import annotations

from typing import NamedTuple

from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.conditions import base_hosts_nothing, nothing_compelled, one_pack_down, places_matter
from solitaire_lab.solver.in_suit import natural_columns, natural_joins, no_returns
from solitaire_lab.solver.record import (
    COLOUR_TWINS,
    DEAD_ENDS,
    EQUAL_PILES,
    LAZY_ROOTS,
    NATURAL_COLUMNS,
    NATURAL_JOINS,
    NO_RETURNS,
    ROOTS_STAY,
    SAFE_FOUNDATION,
    STOCK_AT_WILL,
    TWIN_HOSTS,
)


def prunings_of(rules: Rules) -> int:
    """The prunings that hold for rules, as a sum of bits.

    EQUAL_PILES holds where no place is better for its number alone (``places_matter``): of several empty columns,
    cells or foundations that take a card alike, one target is enough. Proof: exchanging the places of two piles of
    one kind turns every line of play into another one of equal length and end, wherever no rule names a place; so
    the positions after either move are won both or not at all. Rules that name places are those that deal rows to
    columns, while cards are left to deal (then all spaces are tried), and those that fill spaces from the first of
    several reserves (reserves are never targets). For the same reason fingerprints don't tell such orders apart;
    ``tables.foundation_view`` says what else they leave out.
    """
    held = {
        STOCK_AT_WILL: stock_at_will(rules),
        SAFE_FOUNDATION: safe_foundation(rules) or safe_chains(rules),
        NATURAL_COLUMNS: natural_columns(rules),
        TWIN_HOSTS: twin_hosts(rules),
        NO_RETURNS: no_returns(rules),
        DEAD_ENDS: dead_ends(rules) or chain_dead_ends(rules),
        NATURAL_JOINS: natural_joins(rules),
        COLOUR_TWINS: colour_twins(rules),
        ROOTS_STAY: roots_stay(rules),
        LAZY_ROOTS: lazy_roots(rules),
    }
    equal_piles = 0 if places_matter(rules) else EQUAL_PILES
    return equal_piles + sum(pruning for pruning, holds in held.items() if holds)


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


class SafeRule(NamedTuple):
    """When a card of level n is safe to go up: n is at least ``level``, the foundation of the other suit of its colour
    holds at least n - ``same`` cards and those of the other colour at least n - ``other``; or n is at least ``bare``
    and all that may be built on the card is up."""

    level: int
    same: int
    other: int
    bare: int


_NO_MATTER = 99


def safe_rule(rules: Rules) -> SafeRule:
    """The condition of ``safe_foundation``; it never holds where that doesn't."""
    if not safe_foundation(rules):
        return SafeRule(_NO_MATTER, 0, 0, _NO_MATTER)
    level, same, other = {
        "suit": (1, _NO_MATTER, _NO_MATTER),
        "none": (0, _NO_MATTER, _NO_MATTER),
        "alternating": (3, 2, 1),
        "colour": (2, 1, _NO_MATTER),
        "any": (2, 1, 1),
    }[rules.tableau.build]
    bare = 1
    if base_hosts_nothing(rules):
        level = bare = 0
    return SafeRule(level, same, other, bare if rules.foundations.return_ == "off" else _NO_MATTER)


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
    return, S is c alone when all cards that can be built on c are up.

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

    Where kings may be built on base cards S must hold no card of level 0 that isn't up: in alternating colour from
    level 3 on, for then the foundations hold at least n - 2 cards; in any suit or in colour from level 2 on; in suit,
    and where all that can be built on c is up, from level 1 on. Base cards that return would be such hosts again.
    """
    return (
        one_pack_down(rules)
        and rules.tableau.moves != "group"
        and (base_hosts_nothing(rules) or rules.foundations.return_ != "base-too")
    )


def safe_chains(rules: Rules) -> bool:
    """Where foundations and columns alternate colours, the lowest foundations of a chain grow at once, for good.

    A chain is what can follow each other, on the foundations upwards and in the columns downwards: the cards of one
    colour on even levels and of the other on odd ones. Each foundation belongs to the chain of its base card. Half of
    the foundations are of either chain, and as many cards of a chain have a level as the chain has foundations.

    Claim: a card c of level n that can go up, while no foundation of its chain holds less than n cards, goes up at
    once; and a card of level n does not come back while no foundation of its chain holds less than n cards.

    Proof: let S be c and all cards of its chain of lower levels; all of these are up. Cards of one colour and rank are
    interchangeable. Play a winning line of P from Q, P with c up, so that at each point Q is P with the cards of S that
    have come back in P, and c, on the foundations instead, of which every one is equal to its like in P but for cards
    of S on top: P's moves of cards of S are left out, those of c up to another foundation included. What is built on
    a card of S is of its chain and lower, so it is in S; base cards stay and so are no hosts. A host outside S is as
    free in Q as in P, and an empty place compels nothing. When P plays a card x of level n, not c, to a foundation f on
    which Q has c: as many foundations of the chain as there are cards of level n wait for one, so in Q one, g, still
    waits for x, and x goes there. Up to level n - 1 the piles of f and g are alike, so f and g may change names: then f
    is equal in P and Q, and g has c on top. When c goes up in P onto g, both are equal there too. Turning card by
    card, the turn that would show c, while it is up in Q, is left out; c does not go up from a waste turned otherwise.
    The second part: such a card could go up at once, and the line that leaves it there wins as well.
    """
    return (
        rules.foundations.build == "alternating"
        and rules.foundations.placed == "all"
        and rules.foundations.return_ != "base-too"
        and base_hosts_nothing(rules)
        and rules.tableau.build == "alternating"
        and rules.tableau.direction == "down"
        and rules.tableau.capacity == "unlimited"
        and rules.tableau.moves not in ("group", "suit-run")
        and rules.pack.suits == 4
        and rules.spaces.while_reserve == "free"
        and nothing_compelled(rules)
    )


def colour_twins(rules: Rules) -> bool:
    """Suits of one colour are one.

    Claim: positions that differ by an exchange of cards of equal rank and colour are won both or not at all; the
    fingerprint does not tell them apart.

    Proof: foundations and columns look at nothing but rank and colour, and so does every other rule that is played by.
    The exchange turns every line of play into another one of equal length and end.
    """
    return (
        rules.foundations.build in ("alternating", "alternating-run")
        and rules.tableau.build in ("alternating", "any", "none")
        and rules.tableau.moves != "suit-run"
    )


def roots_stay(rules: Rules) -> bool:
    """Where nothing fills spaces and cards move one by one, the lowest card of a column moves only to its foundation.

    Claim 1: moves of the lowest card of a column, its root, to another column may be left out.

    Proof: leave all of them out of a winning line. Where P has a column with roots further up, Q has it cut before each
    of them: every card has the same cards on it or less, no column is higher, and whatever is the top of a column in
    P is one in Q. So every other move can be made.

    Claim 2: a card that can go up goes up at once if no card will ever be built on it: if nothing that fits on it lies
    in a column but as a root; or, where columns hold three cards, if it lies third and no root fits below it.

    Proof: by claim 1 roots stay roots, and no others come about, for spaces stay empty. In the first case all that
    might be built on the card does not move to columns. In the second the card hosts only where it comes to lie second,
    on a root. So nothing is built on the card in a winning line, and it wins without the card as well. Each card has
    one foundation and no twin, so that no other card wants its place there.
    """
    return (
        rules.pack.decks == 1
        and rules.pack.suits == 4
        and rules.foundations.build == "suit"
        and rules.foundations.return_ == "off"
        and rules.tableau.moves == "single"
        and rules.spaces.after == "none"
        and rules.cells.count == 0
        and rules.reserve.piles == 0
        and rules.stock_size == 0
        and nothing_compelled(rules)
    )


def lazy_roots(rules: Rules) -> bool:
    """A root that lies alone goes up only when a card that is no lone root follows at once.

    Claim: with ROOTS_STAY, lone roots go up only as part of the play of the next card of their suit that is none, just
    before it; and, as ROOTS_STAY says, when nothing will be built on them.

    Proof: put off, in a winning line in which roots stay, the going up of a lone root until just before the next card
    of its suit goes up, or to the end. Nothing needs the space that it leaves, for nothing fills it; on its foundation
    nothing but that card follows; and where the root lies nothing else is changed. Lone roots that follow each other
    are put off together. So the line stays a winning one of equal length. At the end no other card is left, and
    ROOTS_STAY plays them up.
    """
    return roots_stay(rules)


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
    be uncovered, that it can leave its place, that it can go up. Facts stay: a card that was uncovered once hosts any
    number of others, and spaces never run out.

    Claim: whatever happens to a card in real play from the position is derived.

    Proof: by induction over a line of play, for the first time that each thing happens. A card is uncovered when the
    card on it leaves it, alone or with what lies on that. A card x that leaves the card below it for the first time,
    alone or with what lies on it, moves (1) to a foundation, card by card, when x is uncovered and the card below it
    in suit is up; (2) on a card h: then h is on top of a column, so h is uncovered, and it came there from wherever
    else it was; where columns have a capacity, h was not at it, or has moved, by itself or with what it lay on. h is
    not the card on which x lies already, and if h lay above x in the same column, something from above x up to h has
    left before. x and what is on it move together: either nothing that the position has on x has left, and it is one
    run with x; or some card on x has left, the first break of the run included or above it; or any group moves.
    (3) To a space: the first space, if the position has none, arose when the base of a column left for a card, a cell
    or a foundation, or as part of a whole run, or it is the stock's place, taken for a space from the beginning where
    the stock becomes a column. (4) To a cell: the first free one, if the position has none, was left by its card.
    (5) In a whole run: then each card of the suit but the highest lies on the next one, from the beginning or because
    it has moved. Cards dealt in rows are taken for having left; a reserve uncovers its cards one by one. A card of the
    talon is shown when it is the last, or the top of the waste; when the card after it has left, which lay on it; when
    turning on from here ends with it; or, if there may be a redeal, when so many cards before it have left that
    whole turns end with it.

    So if the game can be won from the position, the relaxed player gets every card up, or completes every suit.

    With ROOTS_STAY that of ``rooted`` takes its place. There a root does not leave but to its foundation, since a
    winning line is left in which it does not; and what went up hosts nothing after. Where columns hold three cards, a
    card that lies third is no host before it lies second, and there it comes to lie on a root: that it does, for the
    first time, is derived when a root that it fits on, other than the card below it, is uncovered.

    Runs in alternating colours, which stay up: say that a king stands if it is in a column or has left its place, and
    another card if it may lie on a card h that follows it upwards in a run, because it does, both face up; or because
    it has left and h can host it as in (2), or has been uncovered where rows are dealt. A run of one kind, from a red
    king or from a black one, can leave when of each of its ranks a card stands; all those are taken for having left. As
    perhaps only some of them do, the others are hosts all the same, and from then on columns have room for good, since
    what moves later brings up what lies on it.
    Claim: if the game can be won, all cards that are not up stand in the end, and on each but the aces another one may.
    Proof: every card leaves once, in a run, and lies there on a card that follows it upwards; no two lie on the same
    one, for each h leaves once too, and as many cards are on its level as on the one below, so that on each h but the
    aces one lies. It lies there from the beginning, or was built on h, or dealt to it; a card that came along with the
    one below it was on that one before. So all of it is derived when the run leaves. Two cards that have only one host
    between them leave the other host bare, so no more need be counted.

    Spaces that one reserve fills: while this lasts, spaces are for its cards alone. A space is a column whose base has
    left, and it holds a reserve card until that one finds a host, goes up or leaves with a run. Claim: at each point of
    a line of play each card that has left the reserve is derived to have left. Proof: say that w is the first of the
    reserve that is not, when it leaves for a space. Those that the relaxed player has in spaces have all left in the
    line, and none has left its space, for it would have found its host in the relaxation too, or have left with a run,
    which clears its space there as well, whether or not the run's cards had left before. So in the line they are in
    spaces too, and the one that w takes is spare in the relaxation, where w is uncovered; then w leaves.

    Cells, where only columns fill them and there are few (``cells_counted``): a card is put to a cell only while one is
    free, and stays until it finds a host or space, or goes up; as long as it is no host. Claim: if a line of play wins,
    some order of putting cards to cells wins the relaxation. Proof: put them in the line's order, those which have not
    left already. Then cards that are in cells in the relaxation are there in the line too, so where the line has a
    cell free so has the relaxation. ``_dead_with_cells`` tries every order, but goes on from what only
    gains: if all the cells' cards were there before, nothing but facts has been added. With NATURAL_JOINS a card is
    put there with the run that it ends, as far as it has not left; what was on it has left.
    """
    return (
        rules.pack.decks == 1
        and rules.pack.suits == 4
        and (
            rules.foundations.build in ("suit", "run", "none")
            or (rules.foundations.build == "alternating-run" and rules.foundations.return_ == "off")
        )
        and not natural_columns(rules)
    )


def chain_dead_ends(rules: Rules) -> bool:
    """Where foundations alternate, a position is lost if some reserve card can't go up for want of its chain's cards.

    Claim: for chains as in ``safe_chains``, let x be a card of a reserve pile that plays to the foundations only, and j
    its level. Take the cards below x in its pile for out of play, all others for free, and let n(i) be the free cards
    of x's chain of level i, and m(i) those of them that are x or above x in its pile. If the game can be won there are
    numbers a(0) = n(0) >= a(1) >= a(2) ..., with a(i) <= n(i), a(j) > a(j + 1), and m(i) <= a(i); or, where cards come
    back, m(i) - a(i) <= n(i + 1) - a(i + 1). Past the last level all numbers are 0.

    Proof: take a winning line at the point where x has just gone up. The cards below x are still in the reserve, those
    above x have left it. Let a(i) be the number of foundations that hold a card of level i of the chain; each is a free
    one. A foundation that holds a card holds one of each lower level, of the same chain, so a(i) >= a(i + 1); and one
    ends with x, so a(j) > a(j + 1). Of the m(i) cards no more than a(i) are up. Without returns all are. With returns
    the others came back from a foundation, since the reserve is left in no other way; not to spaces, which are for the
    waste or for nothing, so to a card that they could be built on, and wherever they moved they lie on such a card
    still. That one is of their chain and of level i + 1, it is free, not up, and lies under one of them alone, so of
    these there are no more than n(i + 1) - a(i + 1). Nothing lies on a base card, so none are of the last level.
    At last, a(0) may be raised to n(0): that does no condition harm.

    What is asked looks at nothing but the reserve, so it is asked of the first position only.
    """
    return (
        rules.foundations.build == "alternating"
        and rules.pack.suits == 4
        and rules.reserve.to == "foundation"
        and (
            rules.foundations.return_ == "off"
            or (
                base_hosts_nothing(rules)
                and rules.tableau.build == "alternating"
                and rules.tableau.direction == "down"
                and rules.spaces.after in ("waste", "none")
                and rules.cells.count == 0
            )
        )
    )
