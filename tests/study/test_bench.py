"""How many deals are measured."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study import bench
from solitaire_lab.study.model import Study


@pytest.mark.parametrize("each", [0.001, 0.05, 1.0])
@pytest.mark.parametrize("start", [0.0, 2.0])
def test_neither_slow_deals_nor_a_slow_start_take_much_longer_than_was_asked_for(
    each: float, start: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty deals are measured, however slow they are; what goes beyond ends in time, but for its own start."""
    runs: list[tuple[int, float]] = []

    def run(study: Study, *args: Any, **kwargs: Any) -> Any:
        deals = study.cells[0].planned.seeds.count
        runs.append((deals, start + deals * each / 2))
        return SimpleNamespace(decided=deals, nodes=deals, workers=2, seconds=runs[-1][1], solving_seconds=deals * each)

    monkeypatch.setattr(bench, "run", run)
    monkeypatch.setattr(bench, "_phases", lambda store: {})
    monkeypatch.setattr(bench, "positions_per_second", lambda *args, **kwargs: 1.0)
    speed = bench.measure(resolve("storehouse"), seconds=5.0)
    assert speed.million_seconds == pytest.approx(1e6 * each / 2)
    spent = sum(seconds for _, seconds in runs)
    assert spent <= 5.0 + start * (len(runs) - 1) or runs == [(20, spent)]
    # Of fast deals, the last run has most.
    assert start or each > 0.01 or runs[-1][1] > 2.5
