"""Players without foresight: policies that play a deal and see no more of it than a player does.

A policy is shown a position in which every card that lies face down is ``HIDDEN``: the face-down cards of a column,
those below the top of a reserve of which only the top is face up, and the whole stock, even if it was the waste before.
It puts the legal moves in the order in which it would like to make them, the same for the same random numbers on every
machine.

``random``
    Every legal move is as likely as any other.

``greedy``
    What most people play at first sight. The first of these that is legal, ties broken at random:

    1. to a foundation, rather a card from above a face-down one;
    2. what turns up a face-down card, or frees the reserve, by building: where most lie face down first;
    3. from the waste or a cell onto a column;
    4. a whole column onto another, where spaces can be filled;
    5. a card that does not lie where it could have been built, or only in another suit, onto one where it can be: in
       suit first;
    6. what turns up a face-down card by filling a space;
    7. from the reserve, the waste or the tableau into a space, but for cards that lie well;
    8. the stock, a row, a redeal;
    9. to a cell, from the column in which the fewest cards lie on one that could go up;
    10. anything else. Cards are never taken back from a foundation.

    It makes no move that leads to a position that it has seen in this play.

A play ends when it is won, when the policy finds no move, or when it makes no progress for twice as many moves as there
are cards. Progress is a position with more cards out of the way than in all before: cards on foundations count for it,
face-down cards of the tableau, the reserve, the stock and the waste against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple, Protocol

from solitaire_lab.cards import CARDS, Card, card, suit_of
from solitaire_lab.deals.position import Pile, Position
from solitaire_lab.engine.engine import Engine, following_up
from solitaire_lab.engine.moves import CELL, FOUNDATION, RESERVE, STOCK, Move
from solitaire_lab.errors import InputError

REVISION = 1
"""Raised whenever a play may go otherwise than before; golden plays in the tests guard it."""

HIDDEN: Card = -1
"""Stands for a card that a player does not see."""

_UP, _TURNS_UP, _PLAYS_OUT, _EMPTIES, _JOINS, _DIGS, _FILLS, _STOCK, _TO_CELL, _ELSE = range(10)
"""Kinds of moves, in the order of the greedy policy."""
_NEVER = CARDS * 2


class Policy(Protocol):
    """Plays one game."""

    repeats: bool
    """Whether it may come back to a position that was there before."""

    def preferred(self, seen: Position, moves: Sequence[Move], chance: Random) -> Iterable[Move]:
        """Moves in the order in which the policy would like to make them; those that it never makes are left out.

        Args:
            seen: what a player sees, as ``visible`` gives it.
            moves: the legal moves, as the engine lists them; at least one.
            chance: the only source of randomness, and of it only ``random()``, whose numbers no version of Python
                may change.
        """


class Play(NamedTuple):
    """A deal as a policy played it."""

    won: bool
    moves: tuple[Move, ...]
    stuck: bool
    """Whether the policy found no move; if not, and the game is not won, it was given up for want of progress."""


class RandomPolicy:
    """Makes any legal move, each as likely as any other."""

    repeats = True

    def __init__(self, engine: Engine) -> None:
        pass

    def preferred(self, seen: Position, moves: Sequence[Move], chance: Random) -> Iterable[Move]:
        """One move, drawn at random."""
        return (moves[int(chance.random() * len(moves))],)


class GreedyPolicy:
    """Makes the move that looks best at first sight."""

    repeats = False

    def __init__(self, engine: Engine) -> None:
        rules = engine.rules
        self._engine = engine
        self._spaces_help = rules.spaces.after != "none" or rules.spaces.while_reserve != "free"
        self._reserve_hides = rules.reserve.face == "top"
        self._whole_suits = rules.foundations.build in ("run", "alternating-run", "none")
        self._follow = [following_up(rules, top) for top in range(CARDS)]

    def preferred(self, seen: Position, moves: Sequence[Move], chance: Random) -> Iterable[Move]:
        """All moves that it would ever make, the best first."""
        wanted = self._wanted(seen)
        ranked = [
            (self._rank(seen, move, wanted), chance.random(), move)
            for move in moves
            if not FOUNDATION <= move.source < RESERVE
        ]
        return [move for _, _, move in sorted(ranked)]

    def _rank(self, seen: Position, move: Move, wanted: frozenset[Card]) -> tuple[int, int]:
        """The kind of a move, and how good it is among those of its kind; less is better."""
        source, target, _ = move
        if source == STOCK or target == STOCK:
            return _STOCK, 0
        turned = self._face_down_below(seen, move)
        if target >= CELL:
            return _TO_CELL, _cards_above(wanted, seen.tableau[source], 1) if source < FOUNDATION else _NEVER
        if target >= FOUNDATION:
            return _UP, -turned
        into_space = not seen.tableau[target]
        if source < FOUNDATION:
            return self._rank_in_tableau(seen, move, wanted, turned=turned, into_space=into_space)
        if into_space:
            return (_ELSE if CELL <= source < STOCK else _FILLS), -turned
        return (_TURNS_UP, -turned) if RESERVE <= source < CELL else (_PLAYS_OUT, 0)

    def _rank_in_tableau(
        self, seen: Position, move: Move, wanted: frozenset[Card], *, turned: int, into_space: bool
    ) -> tuple[int, int]:
        source, target, size = move
        column = seen.tableau[source]
        if turned:
            return (_DIGS if into_space else _TURNS_UP), -turned
        if size == len(column):
            return (_EMPTIES if self._spaces_help and not into_space else _ELSE), 0
        lowest, below = column[-size], column[-size - 1]
        lies_well = lowest in self._engine.fits(seen.base)[below]
        above = _cards_above(wanted, column, size)
        if into_space:
            return (_ELSE if lies_well else _FILLS), above
        suit, joined = suit_of(lowest), suit_of(seen.tableau[target][-1])
        if lies_well and not suit == joined != suit_of(below):
            return _ELSE, above
        return _JOINS, above if suit == joined else _NEVER + above

    def _face_down_below(self, seen: Position, move: Move) -> int:
        """How many face-down cards lie below the one that a move turns up, itself among them; 0 if it turns up none."""
        source = move.source
        if source < FOUNDATION:
            down = seen.down[source]
            return down if down + move.size == len(seen.tableau[source]) else 0
        if RESERVE <= source < CELL and self._reserve_hides:
            return len(seen.reserve[source - RESERVE]) - 1
        return 0

    def _wanted(self, seen: Position) -> frozenset[Card]:
        """The cards that could go up now, if they were free."""
        if self._whole_suits:
            return frozenset()
        wanted: set[Card] = set()
        for pile in seen.foundations:
            wanted |= self._follow[pile[-1]] if pile else {card(seen.base, suit) for suit in range(4)}
        return frozenset(wanted)


POLICIES: dict[str, type[RandomPolicy] | type[GreedyPolicy]] = {"random": RandomPolicy, "greedy": GreedyPolicy}


def policy_of(name: str, engine: Engine) -> Policy:
    """The policy of a name.

    Raises:
        InputError: there is no such policy.
    """
    if name not in POLICIES:
        raise InputError(f"{name!r} is no policy; there are {', '.join(POLICIES)}.")
    return POLICIES[name](engine)


def play_out(engine: Engine, position: Position, policy: Policy, chance: Random) -> Play:
    """Play a deal to its end.

    Args:
        position: settled.
        policy: of the engine's game.
        chance: decides where the policy leaves it to chance.
    """
    patience = 2 * len(engine.rules.pack_cards)
    reserve_hides = engine.rules.reserve.face == "top"
    moves: list[Move] = []
    before = {position}
    best, idle = _out_of_the_way(position), 0
    while not engine.won(position):
        if idle == patience:
            return Play(False, tuple(moves), stuck=False)
        legal = engine.legal_moves(position)
        preferred = policy.preferred(visible(position, reserve_hides), legal, chance) if legal else ()
        for move in preferred:
            after = engine.play(position, move)
            # This tells a policy nothing that a player does not know: a card that is turned up for the first time makes
            # a position that never was.
            if policy.repeats or after not in before:
                break
        else:
            return Play(False, tuple(moves), stuck=True)
        moves.append(move)
        before.add(after)
        position = after
        progress = _out_of_the_way(position)
        best, idle = (progress, 0) if progress > best else (best, idle + 1)
    return Play(True, tuple(moves), stuck=False)


def visible(position: Position, reserve_hides: bool) -> Position:
    """A position as a player sees it, with ``HIDDEN`` for every card that lies face down.

    Args:
        reserve_hides: whether only the top card of a reserve pile is face up.
    """
    tableau, reserve = position.tableau, position.reserve
    if any(position.down):
        tableau = tuple([_masked(column, down) for column, down in zip(tableau, position.down, strict=True)])
    if reserve_hides and reserve:
        reserve = tuple([_masked(pile, len(pile) - 1) for pile in reserve])
    return position._replace(tableau=tableau, reserve=reserve, stock=(HIDDEN,) * len(position.stock))


def _masked(pile: Pile, down: int) -> Pile:
    return (HIDDEN,) * down + pile[down:] if down > 0 else pile


def _cards_above(wanted: frozenset[Card], column: Pile, taken: int) -> int:
    """How many cards lie on the uppermost wanted one below those that are taken; a large number if there is none."""
    for above in range(taken, len(column)):
        if column[-above - 1] in wanted:
            return above
    return _NEVER


def _out_of_the_way(position: Position) -> int:
    """A measure of progress; no card that moves about in the tableau or to a cell changes it."""
    return (
        sum(map(len, position.foundations))
        - sum(position.down)
        - sum(map(len, position.reserve))
        - len(position.stock)
        - len(position.waste)
    )
