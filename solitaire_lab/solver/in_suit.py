"""Prunings where columns are built in suit, so that every card has one host at most, each with its proof."""

from __future__ import annotations

from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.conditions import base_hosts_nothing, in_suit, nothing_compelled


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


def natural_joins(rules: Rules) -> bool:
    """Where columns are built in suit, cards join the one card that hosts them, and part from it only in a body.

    One pack, built down in suit, nothing on base cards, runs move as a whole, cards stay up, nothing is compelled:
    each card x has one host, h, and whatever moves h may take x along.

    Claim 1: a card in a cell whose host is the top of a column goes there at once. A run in suit at the end of a column
    is lifted to cells only as a whole: from the lowest card that does not lie, face up, on its host.

    Proof: play a winning line of P from Q, which is P with some cards of cells on their hosts, each the top of what it
    is on in P. P's lifting of x off h is left out. When P moves a group that ends in h, in Q x goes along. When P
    lifts h, then h either lies on its host, and the lifting is left out too; or it is the lowest card of a run of
    which P has all in cells, and Q lifts the run as a whole, to as many free cells. P puts nothing but x on h. When x
    goes up from its cell it can go up from h. A run that leaves as a whole needs x on h.

    Claim 2: without cells, a card of a reserve whose host is the top of a column goes there at once. The proof is the
    same: h moves only with x, or goes up after it.

    Claim 3 (``kings_join``): let a column be a run in suit that a king heads, of more cards than there are cells, or
    let each king be up or at the bottom of a column, face up. Then the card w whose host ends the run goes there at
    once, with all that lies on it, wherever it lies face up.

    Proof: play a winning line of P from Q, P with w's group on the run, until P moves w onto the run as well, or w
    goes up from where it lies: it can go up from the run then. Within w's group P's moves are Q's; groups that P
    moves from below w leave w's group out in Q, where they are free sooner. The run does not move in P: its cards
    lie on their hosts, moving a whole column to a space changes nothing, and it is lifted as a whole only, for
    which there are too few cells; or it would be for a space, of which only kings make use, and none needs one. P's
    lifting of w, with what lies on it in suit, is left out in Q as in claim 1.

    A king that heads a column in suit is not lifted while there is a space: it can be when the last space is filled.
    """
    return (
        rules.pack.decks == 1
        and rules.pack.suits == 4
        and rules.foundations.build in ("suit", "run", "none")
        and rules.foundations.return_ == "off"
        and rules.tableau.build == "suit"
        and rules.tableau.direction == "down"
        and rules.tableau.capacity == "unlimited"
        and base_hosts_nothing(rules)
        and rules.tableau.moves in ("run", "suit-run", "group")
        and rules.spaces.while_reserve == "free"
        and nothing_compelled(rules)
        and (rules.cells.count > 0 or (rules.reserve.piles > 0 and rules.reserve.to == "any") or kings_join(rules))
        and not natural_columns(rules)
    )


def kings_join(rules: Rules) -> bool:
    """Whether claim 3 of ``natural_joins`` holds: kings have no host either."""
    return (
        rules.spaces.after == "king"
        and rules.tableau.moves == "group"
        and rules.stock.turn == 0
        and rules.tableau.wrap == "off"
    )
