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
# # Regenerate the FAQ
#
# Sites that offer patience games answer the same questions: can every deal be won, is the game harder than its
# neighbours, how many shuffles does a winnable deal take? The answers are counts of solved deals. This notebook makes
# such counts from nothing, puts them into the words of an FAQ, and checks one of them by hand.
#
# On the way it shows the parts of the library in the order of a study: a study file, a run, its store, its table.

# %%
import tempfile
from pathlib import Path

import pandas as pd
from IPython.display import Markdown, display

from solitaire_lab.deals.board import board_text
from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import decode_moves, pile_name
from solitaire_lab.reports.faq import comparisons, game_faqs, render_faq, statements
from solitaire_lab.reports.frames import rows_frame
from solitaire_lab.reports.tables import table_rows
from solitaire_lab.results.store import Store
from solitaire_lab.study.config import load_study
from solitaire_lab.study.run import run

# %% [markdown]
# ## A study
#
# A study names games, seeds and budgets. A seed names a deal, for ever; a budget is a number of *nodes*, positions
# whose moves are listed, and never a time, so that every machine finds the same. Two budgets stand for two searches of
# such a site: a short one when cards are dealt, a longer one when a player asks for a hint.
#
# These are few deals and small budgets, so that the notebook takes seconds. `configs/faq.toml` has 100 deals of eight
# games with 2,000 and 20,000 nodes, as the sites have them, and `configs/faq-10000.toml` 10,000 deals, for figures that
# can be trusted.

# %%
folder = Path(tempfile.mkdtemp(prefix="solitaire-lab-"))  # Name a folder of yours to keep the results.

study_file = folder / "study.toml"
study_file.write_text(
    """
name = "small-faq"
seeds = "1:60"
budgets = { deal = 500, hint = 5_000 }

[[cells]]
game = "storehouse"
[[cells]]
game = "canfield"
[[cells]]
game = "shamrocks"
"""
)
study = load_study(study_file)
[(cell.label, str(cell.planned.seeds), dict(cell.planned.budgets)) for cell in study.cells]

# %% [markdown]
# ## A run
#
# `run` decides what the results folder does not hold yet, on every processor. Run this cell again: there is nothing
# left to do.

# %%
summary = run(study, folder / "results")
print(f"{summary.decided} deals decided and {summary.stored} found stored, in {summary.seconds:.1f} s")

# %% [markdown]
# ## The table
#
# Wins, losses and undecided deals are counted apart. A win is a line of play that the engine has replayed, a loss is
# proved, and what the budget did not suffice for is undecided: so the wins are a lower bound. The interval, from `low`
# to `high`, holds the share of winnable deals at 95 % however the undecided ones would end.

# %%
store = Store(folder / "results")


def as_frame(rows):
    """The columns of a table that matter here."""
    columns = ["label", "deals", "win", "loss", "undecided", "low", "high", "budget"]
    return pd.DataFrame([row.record() for row in rows])[columns]


display(as_frame(table_rows([store])))

# %% [markdown]
# A deal that was decided in *n* nodes is decided under every budget of at least *n*. The table of the smaller budget
# therefore needs no second run:

# %%
display(as_frame(table_rows([store], budget="deal")))

# %% [markdown]
# ## The answers
#
# `game_faqs` counts what the answers need, and `render_faq` says it, in English or German. Below each answer stands
# what a reader needs to come to the same figures.

# %%
faqs = game_faqs(store)
display(Markdown(render_faq(faqs[:1], language="en", style="markdown")))

# %%
display(Markdown(render_faq(faqs[:1], language="de", style="markdown")))

# %% [markdown]
# The numbers behind the words, for a page of your own:

# %%
for faq in faqs:
    print(f"{faq.title}: {faq.long.opening}, {faq.long.counts.win} of {faq.long.counts.deals} deals won")
    print(f"  shuffles until a winnable deal: median {faq.shuffles.median}, most {faq.shuffles.longest}")
    first = statements(faq, "en")[0]
    print(f"  {first.question} {first.text}")

# %% [markdown]
# What others have published stands beside ours: is their figure inside our interval?

# %%
beside = pd.DataFrame([found.record() for faq in faqs for found in comparisons(faq)])
display(beside[["game", "source", "quantity", "budget", "published", "ours", "verdict"]])

# %% [markdown]
# ## Check it
#
# Every row of the store can be looked at, and every win can be played. This takes the won deal of Storehouse with the
# smallest seed, deals it again, and has the engine play the stored line: each move must be legal, and the last one win.

# %%
rows = rows_frame(store, "storehouse")
seed = int(rows.loc[rows["outcome"] == "win", "seed"].min())

game = study.cells[0].game
engine = Engine(game.rules)
position = engine.settle(deal(game, numbering="lab", seed=seed))
print(board_text(position, game=game))

# %%
moves = list(decode_moves(store.solution(study.cells[0].planned.cell.id, seed)))
for number, move in enumerate(moves[:5], 1):
    print(f"{number}. {move.size} from {pile_name(move.source)} to {pile_name(move.target)}")
print(f"… {len(moves)} moves in all; the game is won: {engine.won(engine.replay(position, moves))}")

# %% [markdown]
# `solitaire_lab.results.verify.verify(store)` does this for every win, and proves a sample of the losses again.
#
# ## Next
#
# - `load_study("configs/faq.toml")` is the study of the sites' size; give `run` a folder that stays.
# - *Compare rule variants* asks what one rule changes, deal by deal.
# - *How much budget is enough* asks when undecided deals matter less than chance does.
