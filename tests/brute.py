"""Brute force over the engine's positions, and when two positions are the same for the rules."""

from __future__ import annotations

from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import FOUNDATION, RESERVE, Move
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.conditions import places_matter


def canonical(rules: Rules, position: Position) -> tuple[object, ...]:
    """A position up to the order of piles that the rules treat alike."""
    columns = list(zip(position.tableau, position.down, strict=True))
    in_order = places_matter(rules)
    if not rules.stock.row and not in_order:
        columns.sort()
    foundations: list[object] = list(position.foundations)
    if rules.foundations.build == "alternating" and rules.foundations.return_ == "off":
        foundations = [(len(pile), pile[-1:]) for pile in position.foundations]
    elif rules.foundations.build in ("run", "alternating-run") and rules.foundations.return_ == "off":
        foundations = [len(pile) for pile in position.foundations]
    reserve = position.reserve
    if rules.spaces.while_reserve != "auto" and not in_order:
        reserve = tuple(sorted(reserve))
    cells = tuple(-1 if card is None else card for card in position.cells)
    if not in_order:
        cells = tuple(sorted(cells))
    counted = rules.stock.redeals != "unlimited"
    return (
        tuple(columns), tuple(sorted(map(repr, foundations))), reserve, cells, position.waste, position.stock,
        position.redeals_used if counted else 0,
    )  # fmt: skip


def brute_force(engine: Engine, position: Position, *, limit: int) -> bool | None:
    """Whether a settled position can be won, by trying everything: the engine's moves, every position once.

    No pruning, no symmetry, no fingerprint; plays to the foundations are tried first, so that wins are met sooner. None
    if there are more than ``limit`` positions.
    """
    seen, todo = {position}, [position]
    while todo:
        position = todo.pop()
        if engine.won(position):
            return True
        for move in sorted(engine.legal_moves(position), key=_goes_up):
            after = engine.play(position, move)
            if after not in seen:
                if len(seen) == limit:
                    return None
                seen.add(after)
                todo.append(after)
    return False


def _goes_up(move: Move) -> bool:
    return FOUNDATION <= move.target < RESERVE
