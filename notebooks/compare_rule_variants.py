# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Compare rule variants
#
# How much does one rule matter? Two shares of winnable deals, each from deals of its own, differ by chance alone. The
# same deals under both rules tell far more: almost all of them end alike, and those few that don't are the answer. This
# notebook asks it of Storehouse, with its passes through the stock and its way of moving cards.

# %%
import tempfile
from pathlib import Path

import pandas as pd
from IPython.display import Image, display

from solitaire_lab.deals.board import board_text
from solitaire_lab.deals.dealing import deal
from solitaire_lab.reports.compare import compare_all, compare_cells
from solitaire_lab.reports.figures import read_cells
from solitaire_lab.reports.plots import image, study_figure
from solitaire_lab.reports.render_compare import render_comparison, render_comparisons
from solitaire_lab.reports.tables import table_rows
from solitaire_lab.results.rows import OUTCOMES, SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.order import compare_strictness
from solitaire_lab.rules.prose import describe
from solitaire_lab.solver.solver import Solver
from solitaire_lab.study.model import Study, study_cell
from solitaire_lab.study.run import run

# %% [markdown]
# ## A game and its rules
#
# A game is data: parameters with values. `resolve` looks one up, by any of its names, and takes settings that differ.
# `describe` says the rules in words, with their sources and what those leave open.

# %%
storehouse = resolve("storehouse")
one_pass = resolve("storehouse", overrides={"stock.redeals": 0})
print(describe(one_pass))

# %% [markdown]
# Each parameter knows which of its values allow more. Where one set of rules allows whatever another does, each win
# under the stricter is a win under the looser; that is a check of every verdict, for nothing.

# %%
print(compare_strictness(one_pass.rules, storehouse.rules))

# %% [markdown]
# ## A study in Python
#
# A study can be a file (see *Regenerate the FAQ*) or be put together like this. Four cells turn the stock once, twice,
# three times (the default) and as often as one likes; the fifth moves only whole columns, as the English rules have it.

# %%
seeds = SeedRange(1, 300)
variants = {
    "1 pass": {"stock.redeals": 0},
    "2 passes": {"stock.redeals": 1},
    "3 passes": {},
    "unlimited": {"stock.redeals": "unlimited"},
    "whole columns": {"tableau.moves": "whole"},
}
study = Study(
    "variants",
    tuple(
        study_cell(
            resolve("storehouse", overrides=settings), label, seeds, {"run": 100_000}, numbering="lab", memory=None
        )
        for label, settings in variants.items()
    ),
)

folder = Path(tempfile.mkdtemp(prefix="solitaire-lab-"))  # Name a folder of yours to keep the results.
summary = run(study, folder)
print(f"{summary.decided} deals decided in {summary.seconds:.1f} s")

# %%
store = Store(folder)
columns = ["label", "deals", "win", "loss", "undecided", "low", "high"]
display(pd.DataFrame([row.record() for row in table_rows([store])])[columns])
display(Image(image(study_figure("bars", read_cells(store)), "png"), retina=True))

# %% [markdown]
# ## Two cells, deal by deal
#
# `compare_cells` puts two cells beside each other on the seeds that both have.

# %%
pair = compare_cells(store, "2 passes", "3 passes")
display(
    pd.DataFrame(pair.table.counts, index=[f"2: {end}" for end in OUTCOMES], columns=[f"3: {end}" for end in OUTCOMES])
)

# %% [markdown]
# Off the diagonal stand the deals that the third pass decides. `gained` are lost with two passes and won with three;
# `lost` would be won with two and lost with three, which can't be: the looser rules allow the same line of play.

# %%
print(f"the rules of the first cell are {pair.order} than those of the second")
print(f"{len(pair.gained)} deals gained, {len(pair.lost)} lost, verdicts without contradiction: {pair.sound}")
low, high = pair.table.interval
print(f"difference of the shares: {pair.difference:+.3f}, at 95 % from {low:+.3f} to {high:+.3f}")
print(f"McNemar's exact test: {pair.p_value}")

# %% [markdown]
# The whole comparison as the command line prints it, with everything that it depends on:

# %%
print(render_comparison(pair, "text"))

# %% [markdown]
# ## All pairs
#
# The last variant is worth a look: it is stricter, and yet no deal is lost by it. A rule that sounds like a handicap
# may change nothing at all.

# %%
everything = compare_all(store)
print(render_comparisons(everything, "text"))

# %% [markdown]
# ## One deal that the rule decides
#
# Numbers are of deals, and deals can be looked at. This one is lost with two passes and won with three.

# %%
seed = int(pair.gained[0])
print(board_text(deal(storehouse, numbering="lab", seed=seed), game=storehouse))

for label in ("2 passes", "3 passes"):
    solver = Solver(resolve("storehouse", overrides=variants[label]).rules)
    verdict = solver.solve(solver.engine.settle(deal(storehouse, numbering="lab", seed=seed)), budget=100_000)
    print(f"seed {seed}, {label}: {verdict.outcome} after {verdict.nodes} nodes")

# %% [markdown]
# ## Next
#
# - Other games, other rules: `solitaire_lab.rules.settings.settings_of(game.rules)` lists every parameter of a game.
# - `configs/passes.toml` and `configs/variants.toml` are such studies with more deals.
# - A p value means what it says for a range of seeds that was fixed before the run; of a run that is unfinished, or
#   that ends when it is precise enough, none is given.
