"""Measuring the solver: what is changed must be what is measured."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.solver.solver import Solver
from solitaire_lab.solver.strategy import strategy_of
from solitaire_lab.study.complements import complements, open_deals
from solitaire_lab.study.complements import main as complements_main
from solitaire_lab.study.portfolio import by_no_other, portfolio, searches_of
from solitaire_lab.study.portfolio import main as portfolio_main
from solitaire_lab.study.speed import main as speed_main
from solitaire_lab.study.techniques import main as techniques_main
from solitaire_lab.study.techniques import techniques
from solitaire_lab.study.tuning import main as tuning_main
from solitaire_lab.study.tuning import tune

SEEDS = range(1_000_001, 1_000_009)


def test_tuning_only_gets_better_and_is_drawn_alike() -> None:
    """Each kept change takes fewer nodes than the last, and the same draw makes the same changes."""
    told: list[str] = []
    game = resolve("fan")
    best = tune(game, seeds=SEEDS, budget=300, rounds=12, draw=3, report=told.append)
    costs = [int(line.split(": ")[1].split(" ")[0].replace(",", "")) for line in told]
    assert costs == sorted(costs, reverse=True)
    assert len(set(costs)) == len(costs)
    assert (best == strategy_of(game.rules)) == (len(costs) == 1)
    again = tune(game, seeds=SEEDS, budget=300, rounds=12, draw=3, report=told.append)
    assert again == best


def test_no_technique_changes_a_verdict() -> None:
    """What one search wins no other loses: on these deals every search decides, so the counts are equal."""
    found = list(techniques(resolve("storehouse"), seeds=range(1, 31), budget=100_000))
    assert {row.technique for row in found} >= {"nothing", "natural columns", "safe foundation plays"}
    assert {(row.win, row.loss, row.undecided) for row in found} == {(found[0].win, found[0].loss, 0)}
    assert found[0].nodes == min(row.nodes for row in found)


def test_complements_decide_what_was_open() -> None:
    """The first is the best of all that were tried; each other one decides what none before it does; and each does it
    in as many nodes as are told."""
    game = resolve("freecell")
    deals = open_deals(game, seeds=range(1_000_001, 1_000_021), budget=150)
    assert deals
    lines: list[str] = []
    found = complements(game, deals, budget=200, rounds=8, draw=1, report=lines.append)
    best = max(int(line.split(": ")[1].split(" of ")[0]) for line in lines)
    assert len(found[0].decided) == best
    known: set[int] = set()
    for one in found:
        assert one.decided.keys() - known
        known |= one.decided.keys()
        for seed, nodes in one.decided.items():
            verdict = Solver(game.rules, strategy=one.strategy).solve(deals[seed], budget=nodes)
            assert verdict is not None
            assert (verdict.outcome, verdict.nodes) == ("win", nodes)


def test_each_search_of_a_portfolio_is_told_by_itself() -> None:
    """A portfolio decides what its searches decide within their quotas; each of them as the game's own solver does
    where it stands first, and its deals are its own if no other one decides them."""
    game = resolve("shamrocks")
    seeds = range(1_000_001, 1_000_013)
    found = list(portfolio(game, seeds=seeds, budget=2_000))
    assert [one.phase for one in found] == list(searches_of(strategy_of(game.rules)))
    assert len({one.phase.layering for one in found}) > 2
    first = strategy_of(game.rules).phases[0]
    assert first.quota == 2_000
    solver = Solver(game.rules)
    for seed, deal in zip(seeds, deal_many(game, numbering="lab", seeds=seeds), strict=True):
        verdict = solver.solve(solver.engine.settle(deal), budget=2_000)
        assert verdict is not None
        assert found[0].decided.get(seed) == (None if verdict.outcome == "undecided" else verdict.nodes)
    counts = [sum(seed in one.decided for one in found) for seed in seeds]
    assert sum(by_no_other(one, found) for one in found) == counts.count(1)


def test_portfolios_are_compared_with_one_search(capsys: pytest.CaptureFixture[str]) -> None:
    techniques_main(["how-they-run", "--seeds", "1:2", "--budget", "50"])
    assert "| how-they-run | other searches |" in capsys.readouterr().out


def test_the_programs_print_what_they_find(capsys: pytest.CaptureFixture[str]) -> None:
    techniques_main(["fan", "--seeds", "1:3", "--budget", "50"])
    speed_main(["fan", "--seeds", "1:3", "--budget", "50"])
    portfolio_main(["fan", "--seeds", "1000001:1000003", "--budget", "500"])
    tuning_main(["fan", "--seeds", "1000001:1000003", "--budget", "50", "--rounds", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert sum("| fan | dead ends |" in line for line in lines) == 1
    assert sum(line.startswith("| fan | few |") for line in lines) == 1
    assert not any("other searches" in line for line in lines)
    assert sum(line.startswith(("| best-first | ", "| depth-first | ", "| all together | ")) for line in lines) == 3
    assert "deals:" in lines[-1] or lines[-1].startswith("1: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fann"], "did you mean fan"),
        (["fan", "--seeds", "3"], "'3' is no range of seeds"),
        (["fan", "--budget", "1e6"], "'1e6' is no whole number from 1 on; write it such as 1000 or 1,000"),
    ],
)
@pytest.mark.parametrize(
    "program",
    [speed_main, techniques_main, tuning_main, complements_main, portfolio_main],
    ids=["speed", "techniques", "tuning", "complements", "portfolio"],
)
def test_the_programs_tell_what_is_wrong(
    program: Callable[[list[str]], None], arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        program(arguments)
    assert said in capsys.readouterr().err
