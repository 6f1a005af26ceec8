"""The rules in action: the definition of what may be played.

``Engine.objection`` alone says what is legal. Listing moves asks it about every move that puts a card on a fitting one,
playing and replaying ask it about one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from solitaire_lab.cards import CARDS, Card, card, card_text, is_red, rank_of, suit_of
from solitaire_lab.deals.position import Pile, Position
from solitaire_lab.engine.moves import (
    CELL,
    FOUNDATION,
    REDEAL,
    RESERVE,
    ROW,
    STOCK,
    WASTE,
    IllegalMoveError,
    Move,
    pile_name,
)
from solitaire_lab.errors import InputError
from solitaire_lab.rules.model import Rules

_new = tuple.__new__
"""Makes a position in a third of the time that ``Position`` takes; it counts when wins are replayed by the million."""


class Engine:
    """Plays one game. It holds no position: every method takes one and none changes it."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._whole_suits = rules.foundations.build in ("run", "alternating-run")
        self._forced = rules.foundations.autoplay == "forced"
        self._becomes_column = rules.stock.becomes_column
        self._moves_by_itself = self._forced or rules.stock.auto_turn
        self._fits_by_base: dict[int, tuple[frozenset[Card], ...]] = {}
        self._follows_up = tuple(following_up(rules, top) for top in range(CARDS))
        self._counts_redeals = rules.stock.redeals != "unlimited"
        self._foundation_suits = rules.foundation_suits
        self._capacity = 104 if rules.tableau.capacity == "unlimited" else rules.tableau.capacity

    def fits(self, base: int) -> tuple[frozenset[Card], ...]:
        """For every card, the cards that may be built on it in the tableau when foundations begin with ``base``."""
        if base not in self._fits_by_base:
            self._fits_by_base[base] = tuple(_fitting(self.rules, host, base) for host in range(CARDS))
        return self._fits_by_base[base]

    # --- what may be played -------------------------------------------------------------------------------------

    def objection(self, position: Position, move: Move) -> str | None:
        """Why a move may not be made, as a clause, or None if it is legal."""
        source, target, count = move
        if source == STOCK:
            return self._stock_objection(position, target, count)
        if target == STOCK:
            return self._redeal_objection(position, source, count)
        if source == WASTE:
            if not position.waste:
                return "the waste is empty"
            cards = position.waste[-1:]
        elif source < FOUNDATION:
            if source >= len(position.tableau):
                return f"there is no {pile_name(source)}"
            column = position.tableau[source]
            face_up = len(column) - position.down[source]
            if not 1 <= count <= face_up:
                return (
                    f"{pile_name(source)} has {_counted(face_up)} to move, not {count}"
                    if column
                    else (f"{pile_name(source)} is empty")
                )
            cards = column[-count:]
        else:
            lifted = self._lift(position, source)
            if isinstance(lifted, str):
                return lifted
            cards = lifted
        if count != len(cards):
            return f"one card at a time leaves {pile_name(source)}"
        if target < FOUNDATION:
            return self._tableau_objection(position, source, target, cards)
        if target < RESERVE:
            return self._foundation_objection(position, source, target, cards)
        return self._cell_objection(position, source, target, cards)

    def _lift(self, position: Position, source: int) -> Pile | str:
        """The card that leaves a foundation, reserve or cell, or why none does."""
        if FOUNDATION <= source < FOUNDATION + len(position.foundations):
            pile, returns = position.foundations[source - FOUNDATION], self.rules.foundations.return_
            if returns == "off":
                return "cards don't come back from the foundations"
            if len(pile) == 1 and returns == "on":
                return "the base card stays on its foundation"
            return pile[-1:] or f"{pile_name(source)} is empty"
        if RESERVE <= source < RESERVE + len(position.reserve):
            return position.reserve[source - RESERVE][-1:] or f"{pile_name(source)} is empty"
        if CELL <= source < CELL + len(position.cells):
            card = position.cells[source - CELL]
            return f"{pile_name(source)} is empty" if card is None else (card,)
        return f"there is no {pile_name(source)}"

    def _stock_objection(self, position: Position, target: int, count: int) -> str | None:
        rules, left = self.rules.stock, len(position.stock)
        if target == WASTE:
            at_a_time = rules.turn
        elif target == ROW:
            at_a_time = rules.row
        else:
            return "cards leave the stock only by turning or by dealing a row"
        if not at_a_time:
            return "the stock is not turned to a waste" if target == WASTE else "the stock is not dealt in rows"
        if not left:
            return "the stock is empty"
        if left < at_a_time:
            at_a_time = left
        if count != at_a_time:
            return f"{_counted(at_a_time)} must leave the stock now, not {count}"
        if target == ROW and rules.blocked_by_space and () in position.tableau:
            return "no row may be dealt while a column is empty"
        return None

    def _redeal_objection(self, position: Position, source: int, count: int) -> str | None:
        redeals = self.rules.stock.redeals
        if source != WASTE or count != 0:
            return "only the waste, as a whole, becomes the stock again"
        if position.stock or not position.waste:
            return "a redeal needs an empty stock and a waste"
        if redeals != "unlimited" and position.redeals_used >= redeals:
            return f"all {redeals} redeals are used up" if redeals else "there is no redeal in this game"
        return None

    def _tableau_objection(self, position: Position, source: int, target: int, cards: Pile) -> str | None:
        if target >= len(position.tableau) or target == source:
            return f"there is no other {pile_name(target)}"
        if RESERVE <= source < CELL and self.rules.reserve.to == "foundation":
            return "reserve cards go only to the foundations"
        if source < FOUNDATION and not self._moves_together(position, source, cards):
            return f"{len(cards)} cards of {pile_name(source)} don't move together"
        column = position.tableau[target]
        if not column:
            return self._space_objection(position, source, cards)
        if cards[0] not in self.fits(position.base)[column[-1]]:
            return f"{card_text(cards[0])} can't be built on {card_text(column[-1])}"
        if len(column) + len(cards) > self._capacity:
            return f"{pile_name(target)} would have more than {self._capacity} cards"
        return None

    def _moves_together(self, position: Position, source: int, cards: Pile) -> bool:
        """Whether these cards from the top of a column move to another column as one."""
        moves = self.rules.tableau.moves
        if moves == "group":
            return True
        if len(cards) == 1:
            return moves != "whole" or len(position.tableau[source]) == 1
        if moves in ("whole", "top-or-whole") and len(cards) < len(position.tableau[source]):
            return False
        return moves != "single" and self._is_run(position.base, cards, in_suit=moves == "suit-run")

    def _is_run(self, base: int, cards: Pile, *, in_suit: bool) -> bool:
        fits = self.fits(base)
        return all(
            upper in fits[lower] and not (in_suit and suit_of(upper) != suit_of(lower))
            for lower, upper in pairwise(cards)
        )

    def _space_objection(self, position: Position, source: int, cards: Pile) -> str | None:
        spaces, from_reserve = self.rules.spaces, RESERVE <= source < CELL
        if spaces.while_reserve != "free" and any(position.reserve):
            return None if from_reserve else "while the reserve lasts, only it fills a space"
        if spaces.after == "none":
            return "a space is never filled"
        if spaces.after == "king" and rank_of(cards[0]) != self.rules.pack.ranks:
            return "only a card of the highest rank fills a space"
        if spaces.after == "waste" and source != WASTE and not from_reserve:
            return "only the waste fills a space"
        if source < FOUNDATION and len(cards) == len(position.tableau[source]) and self._columns_alike(position):
            return "a whole column in a space changes nothing"
        return None

    def _columns_alike(self, position: Position) -> bool:
        """Whether it makes no difference in which column a pile stands: not while rows are dealt to the columns."""
        return not (self.rules.stock.row and position.stock)

    def _foundation_objection(self, position: Position, source: int, target: int, cards: Pile) -> str | None:
        index, foundations = target - FOUNDATION, self.rules.foundations
        if index >= len(position.foundations) or foundations.build == "none":
            return f"there is no {pile_name(target)}"
        if FOUNDATION <= source < RESERVE:
            return "moving a card between foundations changes nothing"
        pile = position.foundations[index]
        if self._whole_suits:
            return self._whole_suit_objection(position, source, pile, cards)
        if len(cards) > 1:
            return "cards go up one at a time"
        card = cards[0]
        if pile and card in self._follows_up[pile[-1]] and len(pile) < self.rules.pack.ranks:
            return None
        if foundations.build == "suit" and suit_of(card) != self._foundation_suits[index]:
            return f"{pile_name(target)} is for another suit than that of {card_text(card)}"
        if not pile:
            return None if rank_of(card) == position.base else f"{card_text(card)} is no base card"
        if foundations.build == "alternating" and is_red(card) == is_red(pile[-1]):
            return f"{card_text(card)} has the colour of {card_text(pile[-1])}"
        return f"{card_text(card)} doesn't follow {card_text(pile[-1])}"

    def _whole_suit_objection(self, position: Position, source: int, pile: Pile, cards: Pile) -> str | None:
        if pile:
            return "a run needs an empty foundation"
        if source >= FOUNDATION or not self._is_whole_run(cards):
            return "only a whole run, from the highest rank down to the ace, leaves the tableau"
        if self.rules.foundations.runs == "whole-column" and len(position.tableau[source]) != len(cards):
            return "a run leaves only when it is the whole column"
        return None

    def _is_whole_run(self, cards: Pile) -> bool:
        """Whether cards run from the highest rank down to the ace, in suit or in alternating colour."""
        ranks = self.rules.pack.ranks
        if len(cards) != ranks or any(rank_of(card) != ranks - place for place, card in enumerate(cards)):
            return False
        if self.rules.foundations.build == "alternating-run":
            return all(is_red(a) != is_red(b) for a, b in pairwise(cards))
        return len({suit_of(card) for card in cards}) == 1

    def _cell_objection(self, position: Position, source: int, target: int, cards: Pile) -> str | None:
        if not CELL <= target < CELL + len(position.cells):
            return f"cards can't go to {pile_name(target)}"
        if position.cells[target - CELL] is not None:
            return f"{pile_name(target)} is taken"
        if CELL <= source < STOCK:
            return "moving a card between cells changes nothing"
        if source >= FOUNDATION and self.rules.cells.from_ == "tableau":
            return "only cards of the tableau go to a cell"
        if RESERVE <= source < CELL and self.rules.reserve.to == "foundation":
            return "reserve cards go only to the foundations"
        return None if len(cards) == 1 else "a cell holds one card"

    def legal_moves(self, position: Position) -> list[Move]:
        """Every legal move, by source, target and count; where two piles are equal, for both."""
        return [move for move in self._conceivable(position) if self.objection(position, move) is None]

    def _conceivable(self, position: Position) -> Iterator[Move]:
        """Every legal move and few others, in their order; to look for fitting tops first saves most of the time."""
        for index, column in enumerate(position.tableau):
            if column:
                yield from self._conceivable_from(position, index, column, self._sizes(position, index))
        singles = [
            *((FOUNDATION + index, pile[-1:]) for index, pile in enumerate(position.foundations)),
            *((RESERVE + index, pile[-1:]) for index, pile in enumerate(position.reserve)),
            *((CELL + index, () if card is None else (card,)) for index, card in enumerate(position.cells)),
        ]
        for source, cards in singles:
            yield from self._conceivable_from(position, source, cards, range(1, len(cards) + 1))
        yield Move(STOCK, WASTE, min(self.rules.stock.turn, len(position.stock)))
        yield Move(STOCK, ROW, min(self.rules.stock.row, len(position.stock)))
        yield from self._conceivable_from(position, WASTE, position.waste[-1:], range(1, len(position.waste[-1:]) + 1))
        yield REDEAL

    def _conceivable_from(self, position: Position, source: int, cards: Pile, sizes: Sequence[int]) -> Iterator[Move]:
        """The moves of so many cards from the top of ``cards``; a single card alone goes to foundations and cells."""
        fits = self.fits(position.base)
        for index, column in enumerate(position.tableau):
            for size in sizes:
                if not column or cards[-size] in fits[column[-1]]:
                    yield Move(source, index, size)
        if not cards:
            return
        size = self.rules.pack.ranks if self._whole_suits else 1
        for index, pile in enumerate(position.foundations):
            if not pile or (size == 1 and cards[-1] in self._follows_up[pile[-1]]):
                yield Move(source, FOUNDATION + index, size)
        for index, held in enumerate(position.cells):
            if held is None:
                yield Move(source, CELL + index, 1)

    def _sizes(self, position: Position, source: int) -> Sequence[int]:
        """How many cards may move from a column to another as one; some sizes may be too large."""
        column, moves = position.tableau[source], self.rules.tableau.moves
        face_up = len(column) - position.down[source]
        if moves == "single":
            return (1,)
        if moves in ("whole", "top-or-whole"):
            return (1,) if face_up == 1 else (1, face_up)
        size, fits = 1, self.fits(position.base)
        while size < face_up and (moves == "group" or column[-size] in fits[column[-size - 1]]):
            size += 1
        return range(1, size + 1)

    # --- playing ------------------------------------------------------------------------------------------------

    def play(self, position: Position, move: Move) -> Position:
        """The position after a move and all automatic steps.

        Raises:
            IllegalMoveError: the rules don't allow the move.
        """
        return self.settle(self._made(position, move))

    def play_in_steps(self, position: Position, move: Move) -> list[Position]:
        """The position right after a move, and those after each of the automatic steps that follow.

        Raises:
            IllegalMoveError: the rules don't allow the move.
        """
        steps = [self._made(position, move)]
        while (step := self._automatic_step(steps[-1])) is not None:
            steps.append(step)
        return steps

    def _made(self, position: Position, move: Move) -> Position:
        objection = self.objection(position, move)
        if objection is not None:
            text = move_text(self, position, move)
            raise IllegalMoveError(f"{text} is not legal: {objection}.")
        return _moved(position, move, counted=self._counts_redeals)

    def replay(self, position: Position, moves: Iterable[Move]) -> Position:
        """The position after a line of play.

        Raises:
            IllegalMoveError: a move is not legal; the text says which one, counted from 1.
        """
        for number, move in enumerate(moves, 1):
            try:
                position = self.play(position, move)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"Move {number}: {error}") from None
        return position

    def settle(self, position: Position) -> Position:
        """The position after all automatic steps that are due.

        In this order, again from the first after each: tops are turned up; a used-up stock becomes a column; the
        leftmost space is filled; the stock is turned; a card goes up by itself.
        """
        while (step := self._automatic_step(position)) is not None:
            position = step
        return position

    def _automatic_step(self, position: Position) -> Position | None:
        """The position after the automatic step that is due first, or None if none is."""
        tableau, down = position.tableau, position.down
        if any(down) and (turned := _face_down_tops(position)):
            return position._replace(down=tuple(count - (index in turned) for index, count in enumerate(down)))
        if self._becomes_column and self._lacks_column(position):
            return position._replace(tableau=(*tableau, ()), down=(*down, 0))
        if () not in tableau and not self._moves_by_itself:
            return None
        move = self._automatic_move(position)
        return None if move is None else _moved(position, move)

    def _lacks_column(self, position: Position) -> bool:
        """Whether the stock is used up and has yet to become a column, where it does."""
        return not position.stock and len(position.tableau) == self.rules.tableau.columns

    def _automatic_move(self, position: Position) -> Move | None:
        """The move that is due by itself: a space filled, the stock turned, a card played up."""
        if () in position.tableau and (source := self._filling_pile(position)) is not None:
            return Move(source, position.tableau.index(()), 1)
        stock = self.rules.stock
        if stock.auto_turn and not position.waste and position.stock:
            return Move(STOCK, WASTE, min(stock.turn, len(position.stock)))
        if self._forced:
            for move in self._conceivable(position):
                if FOUNDATION <= move.target < RESERVE and self.objection(position, move) is None:
                    return move
        return None

    def _filling_pile(self, position: Position) -> int | None:
        """The pile from which a space is filled by itself now."""
        spaces = self.rules.spaces
        if spaces.while_reserve != "free" and any(position.reserve):
            if spaces.while_reserve == "manual":
                return None
            return RESERVE + next(i for i, pile in enumerate(position.reserve) if pile)
        return WASTE if spaces.auto_waste and position.waste else None

    def won(self, position: Position) -> bool:
        """Whether the game is won."""
        if self.rules.foundations.build != "none":
            return sum(map(len, position.foundations)) == len(self.rules.pack_cards)
        elsewhere = (
            position.stock or position.waste or any(position.reserve) or any(c is not None for c in position.cells)
        )
        return not elsewhere and all(
            not column or (not down and self._is_whole_run(column))
            for column, down in zip(position.tableau, position.down, strict=True)
        )

    def require_settled(self, position: Position) -> None:
        """Refuse a position in which an automatic step is pending.

        Raises:
            InputError: one is; the text says which.
        """
        if turned := _face_down_tops(position):
            card = card_text(position.tableau[turned[0]][-1])
            raise InputError(
                f"The top of {pile_name(turned[0])}, <{card}>, lies face down; tops are turned up at once."
            )
        if self._becomes_column and self._lacks_column(position):
            raise InputError("The stock is used up and has become a column; give that column too, empty or not.")
        if move := self._automatic_move(position):
            text = move_text(self, position, move)
            raise InputError(f"An automatic step is pending, {text}; give the position after it.")

    # --- moves in JSON ------------------------------------------------------------------------------------------

    def moved_cards(self, position: Position, move: Move) -> Pile:
        """The cards that a move takes, bottom first as they lie afterwards; turned cards in turning order."""
        source, _, count = move
        if source == STOCK:
            return position.stock[:count]
        if count == 0:
            return ()
        if CELL <= source < STOCK:
            card = position.cells[source - CELL]
            return () if card is None else (card,)
        return _pile(position, source)[-count:]


def move_text(engine: Engine, position: Position, move: Move) -> str:
    """A move in words, such as ``9D 8D from tableau:3 to foundation:0``."""
    if move == REDEAL:
        return "redeal"
    try:
        cards = " ".join(map(card_text, engine.moved_cards(position, move)))
    except IndexError:
        cards = ""
    return f"{cards or _counted(move.size)} from {pile_name(move.source)} to {pile_name(move.target)}"


def _fitting(rules: Rules, host: Card, base: int) -> frozenset[Card]:
    """The cards that may be built on a card in the tableau when foundations begin with ``base``."""
    rank, ranks, tableau = rank_of(host), rules.pack.ranks, rules.tableau
    if tableau.wrap == "not-on-base" and rank == base:
        return frozenset()
    built = {rank + step for step in {"down": (-1,), "up": (1,), "both": (-1, 1)}[tableau.direction]}
    if tableau.wrap != "off":
        built = {(other - 1) % ranks + 1 for other in built}
    return frozenset(
        card(other, suit) for other in built if 1 <= other <= ranks for suit in _suits_on(tableau.build, suit_of(host))
    )


def following_up(rules: Rules, top: Card) -> frozenset[Card]:
    """The cards that follow a card on a foundation, if foundations are built card by card."""
    rank = rank_of(top) + 1
    if rank > rules.pack.ranks:
        if not rules.foundations.wrap:
            return frozenset()
        rank = 1
    return frozenset(card(rank, suit) for suit in _suits_on(rules.foundations.build, suit_of(top)))


def _suits_on(build: str, suit: int) -> list[int]:
    """The suits that go on a suit."""
    red = (1, 2)
    return [
        other
        for other in range(4)
        if build == "any"
        or (build == "suit" and other == suit)
        or (build == "colour" and (other in red) == (suit in red))
        or (build == "alternating" and (other in red) != (suit in red))
    ]


def _pile(position: Position, pile: int) -> Pile:
    if pile < FOUNDATION:
        return position.tableau[pile]
    if pile < RESERVE:
        return position.foundations[pile - FOUNDATION]
    if pile < CELL:
        return position.reserve[pile - RESERVE]
    return position.waste


def _moved(position: Position, move: Move, *, counted: bool = False) -> Position:
    """The position after a move that is taken for legal, without automatic steps; ``counted`` counts redeals."""
    base, foundations, tableau, down, reserve, cells, waste, stock, redeals_used = position
    source, target, count = move
    if source == STOCK:
        cards, stock = stock[:count], stock[count:]
        if target == WASTE:
            waste += cards
        else:
            tableau = tuple([column + cards[index : index + 1] for index, column in enumerate(tableau)])
    elif target == STOCK:
        waste, stock, redeals_used = (), waste, redeals_used + counted
    else:
        if source < FOUNDATION:
            cards = tableau[source][-count:]
            tableau = _with(tableau, source, tableau[source][:-count])
        elif source == WASTE:
            cards, waste = waste[-1:], waste[:-1]
        elif source < RESERVE:
            cards = foundations[source - FOUNDATION][-1:]
            foundations = _with(foundations, source - FOUNDATION, foundations[source - FOUNDATION][:-1])
        elif source < CELL:
            cards = reserve[source - RESERVE][-1:]
            reserve = _with(reserve, source - RESERVE, reserve[source - RESERVE][:-1])
        else:
            cards = tuple(card for card in (cells[source - CELL],) if card is not None)
            cells = (*cells[: source - CELL], None, *cells[source - CELL + 1 :])
        if target < FOUNDATION:
            tableau = _with(tableau, target, tableau[target] + cards)
        elif target < RESERVE:
            foundations = _with(foundations, target - FOUNDATION, foundations[target - FOUNDATION] + cards)
        else:
            cells = (*cells[: target - CELL], cards[0], *cells[target - CELL + 1 :])
    return _new(Position, (base, foundations, tableau, down, reserve, cells, waste, stock, redeals_used))


def _face_down_tops(position: Position) -> list[int]:
    """The columns whose top card lies face down."""
    return [
        index
        for index, (column, down) in enumerate(zip(position.tableau, position.down, strict=True))
        if down and down == len(column)
    ]


def _with(piles: tuple[Pile, ...], index: int, pile: Pile) -> tuple[Pile, ...]:
    changed = list(piles)
    changed[index] = pile
    return tuple(changed)


def _counted(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"
