"""Rules and positions in the form that the kernel reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.cards import CARDS, Card, is_red, rank_of, suit_of
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine, following_up
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver import record as rec
from solitaire_lab.solver.conditions import places_matter
from solitaire_lab.solver.evaluate import FEATURES, LAYERINGS, TURNS, VALUES
from solitaire_lab.solver.in_suit import kings_join
from solitaire_lab.solver.prunings import safe_chains, safe_rule
from solitaire_lab.solver.strategy import Strategy

_MOVES = {
    "single": rec.SINGLE,
    "whole": rec.WHOLE,
    "top-or-whole": rec.TOP_OR_WHOLE,
    "run": rec.RUN,
    "suit-run": rec.SUIT_RUN,
    "group": rec.GROUP,
}
_WHILE_RESERVE = {"auto": rec.AUTO_FILL, "manual": rec.MANUAL_FILL, "free": rec.FREE_FILL}
_AFTER = {"any": rec.ANY_FILLS, "king": rec.KING_FILLS, "waste": rec.WASTE_FILLS, "none": rec.NOTHING_FILLS}
_BUILD_UP = {
    "suit": rec.SUIT_UP,
    "alternating": rec.ALTERNATING_UP,
    "run": rec.RUN_UP,
    "alternating-run": rec.ALTERNATING_RUN_UP,
    "none": rec.NO_FOUNDATIONS,
}
_CLUBS, _DIAMONDS, _HEARTS, _SPADES = 0, 13, 26, 39
_RETURNS = {"off": rec.RETURN_OFF, "on": rec.RETURN_ON, "base-too": rec.RETURN_BASE}


def set_outlook(record: np.record, weights: Mapping[str, int], layering: str) -> None:
    """Set what looks promising to a best-first search."""
    record.weights[: len(FEATURES)] = [weights.get(name, 0) for name in FEATURES]
    record.layering = LAYERINGS.index(layering)


def new_record(rules: Rules, strategy: Strategy, *, key: int, prunings: int) -> np.record:
    """A record for a game, without a position and without what depends on the base rank.

    Args:
        prunings: a sum of bits of ``record``.
        key: chooses the random words of the fingerprints, 0 <= key < 2**64.
    """
    record: np.record = np.zeros(1, rec.RECORD).view(np.recarray)[0]
    record.dealt_columns = rules.tableau.columns
    record.foundations = 0 if rules.foundations.build == "none" else len(rules.foundation_suits)
    record.reserves = rules.reserve.piles
    record.cells = rules.cells.count
    singles = [rec.FIRST_FOUNDATION + i for i in range(record.foundations)]
    singles += [rec.FIRST_RESERVE + i for i in range(record.reserves)]
    singles += [rec.FIRST_CELL + i for i in range(record.cells)]
    record.singles = len(singles)
    record.single_piles[: len(singles)] = singles
    record.ranks = rules.pack.ranks
    record.pack_size = len(rules.pack_cards)
    record.pack = _mask(rules.pack_cards)
    record.moves_rule = _MOVES[rules.tableau.moves]
    record.capacity = rec.HEIGHT if rules.tableau.capacity == "unlimited" else rules.tableau.capacity
    record.while_reserve = _WHILE_RESERVE[rules.spaces.while_reserve]
    record.after = _AFTER[rules.spaces.after]
    record.auto_waste = rules.spaces.auto_waste
    record.reserve_to_columns = rules.reserve.to == "any"
    record.cells_from_any = rules.cells.from_ == "any"
    record.turn = rules.stock.turn
    record.turn_ends = _mask(range(rules.stock.turn - 1, 64, rules.stock.turn)) if rules.stock.turn else 0
    record.row = rules.stock.row
    record.redeals = -1 if rules.stock.redeals == "unlimited" else rules.stock.redeals
    record.blocked_by_space = rules.stock.blocked_by_space
    record.auto_turn = rules.stock.auto_turn
    record.becomes_column = rules.stock.becomes_column
    record.build_up = _BUILD_UP[rules.foundations.build]
    record.whole_column_runs = rules.foundations.runs == "whole-column"
    record.returns = _RETURNS[rules.foundations.return_]
    record.forced_up = rules.foundations.autoplay == "forced"
    record.foundation_view = foundation_view(rules)
    safe = safe_rule(rules)
    record.safe_chains = safe_chains(rules)
    record.kings_join = kings_join(rules)
    # Trying the cells one by one pays while they are few.
    record.cells_counted = rules.cells.count in (1, 2) and rules.cells.from_ == "tableau"
    # Where runs alternate he proves one deal in sixty lost, but hardly ever a position on the way; where foundations
    # do, one in three hundred of Wood, and on the way he would see nothing new.
    record.relaxed_at_root = rules.foundations.build in ("alternating-run", "alternating")
    record.prunings = prunings
    record.most_members = strategy.members
    record.turns = TURNS.index(strategy.turns)
    record.safe_level, record.safe_same, record.safe_other, record.safe_bare = safe
    record.kings = _mask(card for card in range(CARDS) if rank_of(card) == rules.pack.ranks)
    record.runs[:] = _masks(lambda lower, upper: _follows_in_run(rules, lower, upper))
    if rules.foundations.build in ("suit", "alternating"):
        record.up[:] = [_mask(following_up(rules, card)) for card in range(CARDS)]
    record.lowest[:] = VALUES
    record.highest[:] = -1
    _fill_words(record, rules, key=key)
    if prunings & rec.COLOUR_TWINS:
        for card, twin in ((_CLUBS, _SPADES), (_DIAMONDS, _HEARTS)):
            for down in (0, 64):
                record.card_word[down + card : down + card + 13] = record.card_word[down + twin : down + twin + 13]
    return record


def set_base(record: np.record, rules: Rules, engine: Engine, *, base: int) -> None:
    """Set what depends on the base rank, 1 to 13."""
    fits = engine.fits(base)
    record.fits[:] = [_mask(cards) for cards in fits]
    record.hosts[:] = [_mask(h for h in range(CARDS) if card in fits[h]) for card in range(CARDS)]
    for index, suit in enumerate(rules.foundation_suits):
        record.suit_cards[index, : rules.pack.ranks] = [
            13 * suit + (base - 1 + level) % rules.pack.ranks for level in range(rules.pack.ranks)
        ]
    record.level[:] = [(rank_of(card) - base) % rules.pack.ranks for card in range(CARDS)]
    moves = rules.tableau.moves
    if moves == "single":
        record.joins[:] = 0
    elif moves == "suit-run":
        record.joins[:] = [_mask(c for c in cards if suit_of(c) == suit_of(host)) for host, cards in enumerate(fits)]
    else:
        record.joins[:] = record.fits
    if rules.foundations.build in ("suit", "alternating"):
        for index, suit in enumerate(rules.foundation_suits):
            suits = (suit,) if rules.foundations.build == "suit" else range(4)
            record.base_up[index] = _mask(13 * s + base - 1 for s in suits)


def foundation_view(rules: Rules) -> int:
    """What of a foundation's cards can still matter, so that positions that differ in the rest count as equal.

    With returns, all of them. Without, nothing below the top is seen again: where foundations alternate the top says
    what follows, and a whole run says nothing at all. In suit the cards follow from their number anyway.
    """
    if rules.foundations.return_ != "off" or rules.foundations.build == "suit":
        return rec.ALL_CARDS
    return rec.TOP_CARD if rules.foundations.build == "alternating" else rec.COUNT_ONLY


def position_bytes(position: Position, *, redeals_counted: bool) -> NDArray[np.uint8]:
    """A position as ``steps.load`` reads it: piles as size, face-down cards and cards; then the talon."""
    data = [len(position.tableau)]
    for pile, down in zip(position.tableau, position.down, strict=True):
        data += (len(pile), down, *pile)
    for pile in (*position.foundations, *position.reserve):
        data += (len(pile), 0, *pile)
    for card in position.cells:
        data += (0, 0) if card is None else (1, 0, card)
    waste, stock = position.waste, position.stock
    data += (len(waste), len(waste) + len(stock), position.redeals_used if redeals_counted else 0, *waste, *stock)
    return np.frombuffer(bytes(data), dtype=np.uint8)


def _follows_in_run(rules: Rules, lower: Card, upper: Card) -> bool:
    if rank_of(lower) - rank_of(upper) != 1:
        return False
    if rules.foundations.build == "alternating-run":
        return is_red(lower) != is_red(upper)
    return suit_of(lower) == suit_of(upper)


def _mask(cards: Iterable[Card]) -> int:
    return sum(1 << card for card in set(cards))


def _masks(follows: Callable[[Card, Card], bool]) -> list[int]:
    """For every card, the set of cards that follow it."""
    return [_mask(upper for upper in range(CARDS) if follows(lower, upper)) for lower in range(CARDS)]


def _fill_words(record: np.record, rules: Rules, *, key: int) -> None:
    """Draw the random words of the fingerprints; piles that the rules treat alike get equal salt."""
    random = np.random.Generator(np.random.PCG64(key))
    for name in ("card_word", "talon_word", "waste_word", "redeal_word"):
        shape = record[name].shape
        record[name][:] = random.integers(0, 1 << 64, shape, dtype=np.uint64)
    # Of the form 8 n + 5, whose powers differ as early as powers can; see ``fingerprint``.
    factors = (random.integers(0, 1 << 61, 2, dtype=np.uint64) << 3) + 5
    record.power[0] = 1
    for exponent in range(rec.HEIGHT):
        record.power[exponent + 1] = record.power[exponent] * factors
    kinds = random.integers(0, 1 << 64, (4, 2), dtype=np.uint64)
    singles = random.integers(0, 1 << 64, (rec.PILES, 2), dtype=np.uint64)
    for first, end, kind in (
        (0, rec.COLUMNS, 0),
        (rec.FIRST_FOUNDATION, rec.FIRST_RESERVE, 1),
        (rec.FIRST_RESERVE, rec.FIRST_CELL, 2),
        (rec.FIRST_CELL, rec.PILES, 3),
    ):
        record.salt[first:end] = kinds[kind]
    if places_matter(rules):
        record.salt[: rec.COLUMNS] = singles[: rec.COLUMNS]
        record.salt[rec.FIRST_RESERVE :] = singles[rec.FIRST_RESERVE :]
    if rules.stock.row:
        # Rows are dealt to named columns, so columns are not alike.
        record.salt[: rec.COLUMNS] = singles[: rec.COLUMNS]
    if rules.spaces.while_reserve == "auto" and rules.reserve.piles > 1:
        # Spaces are filled from the first reserve pile that has a card, so reserve piles are not alike.
        record.salt[rec.FIRST_RESERVE : rec.FIRST_CELL] = singles[rec.FIRST_RESERVE : rec.FIRST_CELL]
