"""The kernel plays by the engine's rules: random rules, random positions, every move."""

from __future__ import annotations

from random import Random

from brute import canonical
from families import family_deal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kernel_view import KernelView
from play import game_of
from strategies import rules_strategy

from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.engine import Engine
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver import record
from solitaire_lab.solver.prunings import prunings_of

RELAXED = settings(suppress_health_check=[HealthCheck.too_slow], max_examples=100)


@RELAXED
@given(rules=rules_strategy(), seed=st.integers(0, 2**64 - 1))
def test_every_listed_move_and_its_outcome_are_the_engine_s(rules: Rules, seed: int) -> None:
    random, engine, view = Random(seed), Engine(rules), KernelView(rules)
    position = engine.settle(deal(game_of(rules), numbering="lab", seed=seed))
    view.load(position)
    for _ in range(25):
        assert view.position() == position
        assert view.won() == engine.won(position)
        steps = view.steps()
        moves = [view.engine_move(step) for step in steps]
        assert sorted(moves) == engine.legal_moves(position)
        if not moves:
            return
        before = view.state()
        for index, (step, move) in enumerate(zip(steps, moves, strict=True)):
            foreseen = view.foreseen(index)
            trail = view.play(step)
            assert view.position() == engine.play(position, move)
            if len(trail) == 1:
                assert foreseen in (view.fingerprint(), (0, 0))
            assert (foreseen == (0, 0)) == (step & 7 != record.MOVE)
            view.take_back(trail)
            assert view.state() == before
        index = random.randrange(len(moves))
        view.play(steps[index])
        position = view.position()


@RELAXED
@given(rules=rules_strategy(max_ranks=4), seed=st.integers(0, 2**64 - 1))
def test_fingerprints_are_equal_where_positions_are(rules: Rules, seed: int) -> None:
    random, engine, view = Random(seed), Engine(rules), KernelView(rules, key=seed)
    root = engine.settle(deal(game_of(rules), numbering="lab", seed=seed))
    prints: dict[tuple[int, int], object] = {}
    positions: dict[object, tuple[int, int]] = {}
    for _ in range(12):
        view.load(root)
        for _ in range(12):
            place = canonical(rules, view.position())
            assert prints.setdefault(view.fingerprint(), place) == place
            positions.setdefault(place, view.fingerprint())
            # Twins of two packs may leave the stock in either order; then equal positions may differ in print.
            if rules.pack.decks == 1 and rules.pack.suits == 4:
                assert positions[place] == view.fingerprint()
            steps = view.steps()
            if not steps:
                break
            view.play(random.choice(steps))


def test_with_prunings_too_each_move_leads_to_where_it_was_foreseen() -> None:
    """Where sizes of the waste count as one, too, suits of one colour, and so on; undone, all is as before."""
    compared = 0
    for number in range(300):
        rules, position = family_deal(number)
        random, view = Random(number), KernelView(rules, prunings=prunings_of(rules))
        view.load(position)
        view.play(view.forced())
        for _ in range(8):
            steps = view.steps()
            for index, step in enumerate(steps):
                before, foreseen = view.state(), view.foreseen(index)
                trail = view.do(step)
                moves_cards = step & 7 == record.MOVE
                assert foreseen == (view.fingerprint() if moves_cards else (0, 0)), (number, index)
                view.take_back(trail)
                assert view.state() == before, (number, index)
                compared += moves_cards
            if not steps:
                break
            view.play(random.choice(steps))
    assert compared > 5_000
