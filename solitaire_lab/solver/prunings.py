"""Which prunings hold for which rules, each with its proof.

A pruning leaves out moves without changing any verdict. Each can be switched off, and the tests compare verdicts
with and without it on thousands of small packs.
"""

from __future__ import annotations

from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.record import EQUAL_PILES, NATURAL_COLUMNS, SAFE_FOUNDATION, STOCK_AT_WILL


def prunings_of(rules: Rules) -> int:
    """The prunings that hold for rules, as a sum of bits."""
    prunings = EQUAL_PILES
    if stock_at_will(rules):
        prunings |= STOCK_AT_WILL
    if safe_foundation(rules):
        prunings |= SAFE_FOUNDATION
    if natural_columns(rules):
        prunings |= NATURAL_COLUMNS
    return prunings


def stock_at_will(rules: Rules) -> bool:
    """Turning is part of the play that it serves.

    Claim: where nothing happens by itself when the stock is turned, it is enough to consider, in place of turning
    and redealing, the plays of every card that turning can bring to the top of the waste, each in the pass in which
    it comes first.

    Proof: turning changes only stock, waste and passes. A move that does not take the waste's top neither depends
    on these nor changes them, so turns may be put off past it; put off until the next play from the waste, or for
    ever after the last one, they make up that play. A card that can be shown with fewer redeals used is played from
    the same stock and waste then, with every continuation of the later play, and more.
    """
    # Automatic fills from the waste, automatic turns, a stock that becomes a column and forced plays from the waste
    # all answer to turning.
    return (
        rules.stock.turn > 0
        and not rules.spaces.auto_waste
        and not rules.stock.auto_turn
        and not rules.stock.becomes_column
        and rules.foundations.autoplay == "optional"
    )


def in_suit(rules: Rules) -> bool:
    """One pack, built down in suit without ever hosting on a base card: every card has one host and is one's host.

    The host of a card is the card one level above it, counted from the base. Cards never come back.
    """
    base_hosts_nothing = (
        rules.foundations.placed == "all"
        or rules.tableau.wrap == "not-on-base"
        or (rules.tableau.wrap == "off" and rules.fixed_base == 1)
    )
    return (
        rules.pack.decks == 1
        and rules.pack.suits == 4
        and rules.foundations.build == "suit"
        and rules.foundations.return_ == "off"
        and rules.tableau.build == "suit"
        and rules.tableau.direction == "down"
        and base_hosts_nothing
        and nothing_compelled(rules)
    )


def nothing_compelled(rules: Rules) -> bool:
    """Neither an empty column nor an empty waste nor an empty stock compels or forbids anything."""
    return (
        not rules.spaces.auto_waste
        and not rules.stock.auto_turn
        and not rules.stock.becomes_column
        and rules.stock.row == 0
        and rules.foundations.autoplay == "optional"
    )


def safe_foundation(rules: Rules) -> bool:
    """A card that can go up goes up at once.

    Claim: with ``in_suit`` rules, if card c can go up in position P, and Q is P with c on its foundation, then Q can
    be won if P can.

    Proof: play a winning line of P from Q, leaving out every move of c alone and taking c out of every group. At each
    point the two positions differ only in that c lies somewhere in P and on its foundation in Q. Only the card one
    level below c may lie on c, and it is up already, so c ends its column and hosts nothing: every other card that is
    free to move in P is free in Q, every host is there, and a column that moves as a whole in P is a run in Q too. A
    column or cell that holds c alone in P is empty in Q, which forbids nothing; a space that P fills is one in Q. In
    the stock (turned card by card) c is missing in Q: the turn that shows c is left out, and all later ones show what
    they show in P. With more than one card a turn the groups would shift, so c counts from the waste only when cards
    are turned singly; and while a reserve must fill spaces at once an emptied column is not free, see
    ``natural_columns``.
    """
    return in_suit(rules) and rules.stock.turn <= 1 and rules.spaces.while_reserve == "free"


def natural_columns(rules: Rules) -> bool:
    """Where every column is a run in suit, only the filling of spaces needs thought.

    Let rules be ``in_suit``, without cells and capacity, the stock turned card by card, at most one reserve pile
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
        and rules.tableau.capacity == "unlimited"
        and rules.tableau.moves not in ("single", "group")
        and rules.reserve.piles <= 1
        and rules.reserve.to == "any"
    )
