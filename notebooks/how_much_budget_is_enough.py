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
# # How much budget is enough
#
# A search that may take *n* nodes leaves some deals undecided. They widen the interval of a result as a small sample
# does, but more deals don't help against them, and a larger budget does not help against chance. Where is the next hour
# of computing best spent: on more nodes, or on more deals?
#
# One run answers it, since it holds the table of every smaller budget.

# %%
import math
import tempfile
from pathlib import Path

import pandas as pd
from IPython.display import Image, display

from solitaire_lab.reports.figures import decided_against_budget, hardest, read_cells, spread
from solitaire_lab.reports.plots import image, study_figure
from solitaire_lab.reports.tables import table_rows
from solitaire_lab.results.intervals import headline, wilson
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study.adjust import adjusted
from solitaire_lab.study.model import Study, study_cell
from solitaire_lab.study.run import run

# %% [markdown]
# ## A first run
#
# Two games that differ: most deals of Fan are decided in a few nodes, while Klondike has a long tail.

# %%
games = ("fan", "klondike")
first = Study(
    "budgets",
    tuple(
        study_cell(resolve(name), name, SeedRange(1, 100), {"run": 1_000}, numbering="lab", memory=None)
        for name in games
    ),
)
folder = Path(tempfile.mkdtemp(prefix="solitaire-lab-"))  # Name a folder of yours to keep the results.
summary = run(first, folder / "results")
print(f"{summary.decided} deals decided, {summary.undecided} of them left open, {summary.nodes:,} nodes")

# %% [markdown]
# ## A larger budget
#
# The same study with more nodes, in the same folder: only the deals that ran out of nodes are searched again, and the
# result is that of a run that had the larger budget from the start.

# %%
second = adjusted(first, budget=5_000)
summary = run(second, folder / "results")
print(f"{summary.decided} deals searched again, {summary.stored} left as they are, {summary.nodes:,} nodes")

store = Store(folder / "results")
columns = ["label", "budget", "deals", "win", "loss", "undecided", "undecided_nodes", "undecided_memory", "low", "high"]
tables = [row.record() for budget in (1_000, 5_000) for row in table_rows([store], budget=budget)]
display(pd.DataFrame(tables)[columns])

# %% [markdown]
# `undecided_memory` would count searches whose table was full. Against those no budget helps: more memory does.
#
# ## The curve
#
# `decided_against_budget` counts what a run with each smaller budget would have decided. It is flat where a larger
# budget gives nothing; where it still climbs at its end, more nodes pay.

# %%
cells = read_cells(store)
curve = decided_against_budget(cells)
curve["decided"] = (curve["win"] + curve["loss"]) / curve["deals"]
display(curve.pivot(index="budget", columns="label", values="decided").tail(8))
display(Image(image(study_figure("curve", cells), "png"), retina=True))

# %% [markdown]
# What a tenfold budget has decided so far is a fair guess of what the next tenfold will:

# %%
steps = decided_against_budget(cells, dict.fromkeys(games, (5, 50, 500, 5_000)))
steps["undecided share"] = steps["undecided"] / steps["deals"]
display(steps.pivot(index="budget", columns="label", values="undecided share"))

# %% [markdown]
# ## Chance against open deals
#
# The headline interval is wide for two reasons. If every open deal were decided, what would be left is chance: the
# width of Wilson's interval for so many deals. The rest is the open deals' part.

# %%
parts = []
for row in table_rows([store]):
    counts = row.counts
    whole = headline(win=counts.win, loss=counts.loss, undecided=counts.undecided)
    chance = wilson(counts.win + counts.undecided // 2, counts.deals)
    parts.append(
        {
            "label": row.planned.cell.label,
            "width in points": 100 * (whole.high - whole.low),
            "by chance": 100 * (chance.high - chance.low),
            "by open deals": 100 * counts.undecided / counts.deals,
        }
    )
display(pd.DataFrame(parts).round(1))

# %% [markdown]
# A rule of thumb: raise the budget as long as the open deals' part is the larger one, and deal more once chance is.
# With four times as many deals chance halves, and the open part stays. Chance is at most 196 points over the root of
# the number of deals, which tells where the two are equal:

# %%
for part in parts:
    if part["by open deals"]:
        enough = math.ceil((196 / part["by open deals"]) ** 2)
        print(f"{part['label']}: at this budget, more than {enough:,} deals tell less and less")
    else:
        print(f"{part['label']}: no deal is open, so any further deal tells more")

# %% [markdown]
# ## What the nodes are spent on
#
# The few deals that stay open take most of the work. Quantiles of the decided ones show how long the tail is, and the
# hardest deals are a good test of whatever should become faster.

# %%
display(spread(cells, "nodes").drop(columns="cell"))
display(hardest(cells, 3).drop(columns="cell"))

nodes = {cell.label: cell.deals["nodes"].groupby(cell.deals["outcome"], observed=False).sum() for cell in cells}
work = pd.DataFrame(nodes)
display((work / work.sum()).round(2))

# %% [markdown]
# ## Let the run decide
#
# With a precision, a cell ends at the first whole block of 1,000 deals whose interval is narrow enough, the same for
# any number of workers. Where the open deals make it unreachable, the run says so.

# %%
precise = Study(
    "precise",
    (
        study_cell(
            resolve("storehouse"), "storehouse", SeedRange(1, 5_000), {"run": 100_000}, numbering="lab", memory=None
        ),
    ),
)
run(adjusted(precise, precision=3.2), folder / "precise")
(row,) = table_rows([Store(folder / "precise")])
half = 50 * (row.interval.high - row.interval.low)
print(f"{row.counts.deals:,} deals, {row.counts.undecided} open: {half:.2f} points to either side")

# %% [markdown]
# ## Next
#
# - *Regenerate the FAQ* is about what the figures say, *Compare rule variants* about what a rule changes.
# - `solitaire_lab.study.bench.measure` tells how many nodes a second a game has here, and so what a budget costs.
