"""Small packs of the rules that prunings are about."""

from __future__ import annotations

from random import Random
from typing import Any

from play import game_of

from solitaire_lab.cards import RANKS
from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.rules.model import Rules


def family_rules(random: Random) -> Rules:
    """Rules of the family that most prunings are about, on a small pack: one pack, built down."""
    ranks = random.randint(3, 6)
    columns = random.randint(1, 4)
    placed = random.choice(["all", "all", "one", "none"])
    base = "A" if placed == "none" and random.random() < 0.5 else random.choice([*RANKS[:ranks], "dealt"])
    if base == "dealt" and placed == "none":
        placed = "one"
    reserve = random.choice([0, 1, 2, 3, 4])
    cells = random.choice([0, 0, 0, 1])
    layout: Any = 1 if random.random() < 0.6 else random.choice([2, "triangle", "even"])
    raw = {
        "pack": {"ranks": ranks},
        "foundations": {
            "base": base,
            "placed": placed,
            "wrap": True,
            "return": random.choice(["off", "off", "on", "base-too"]),
        },
        "tableau": {
            "columns": columns,
            "layout": layout,
            "build": random.choice(["suit", "suit", "alternating", "alternating", "any", "colour"]),
            "wrap": random.choice(["on", "off", "not-on-base"]),
            "moves": random.choice(["whole", "top-or-whole", "run", "run", "suit-run", "single"]),
        },
        "spaces": {
            "while_reserve": random.choice(["auto", "manual", "free"]) if reserve else "free",
            "after": random.choice(["any", "any", "waste", "king", "none"]),
        },
        "reserve": {"piles": 1, "size": reserve} if reserve else {},
        "cells": {"count": cells},
        "stock": {"turn": random.choice([1, 1, 1, 2, 3]), "redeals": random.choice([0, 1, 2, "unlimited"])},
    }
    return Rules.model_validate(raw)


def family_deal(seed: int) -> tuple[Rules, Position]:
    """Rules of the family and a settled deal of them."""
    random = Random(seed)
    while True:
        try:
            rules = family_rules(random)
        except ValueError:
            continue
        return rules, Engine(rules).settle(deal(game_of(rules), numbering="lab", seed=seed))
