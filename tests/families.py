"""Small packs of the rules that prunings are about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def packed_rules(random: Random) -> Rules:
    """Rules on a small pack that lies in the tableau, for the most part: fans, castles, kin of Scorpion and Yukon."""
    ranks = random.randint(3, 6)
    columns = random.randint(2, 6)
    build_up = random.choice(["suit", "run", "run", "none"])
    stock: dict[str, Any] = random.choice([{}, {}, {}, {"row": random.randint(1, columns)}, {"turn": 1}])
    cells = random.choice([0, 0, 1, 2])
    filled = random.randint(0, cells)
    left = 4 * ranks - filled - (random.randint(1, 4) if stock else 0)
    heights = [left // columns + (column < left % columns) for column in range(columns)]
    down = [random.randint(0, max(0, height - 1)) if random.random() < 0.3 else 0 for height in heights]
    capacity: Any = random.choice(["unlimited", "unlimited", max(3, *heights)])
    raw = {
        "pack": {"ranks": ranks},
        "foundations": {"build": build_up, "return": random.choice(["off", "on"]) if build_up == "suit" else "off"},
        "tableau": {
            "columns": columns,
            "layout": heights,
            "down": down,
            "build": random.choice(["suit", "suit", "alternating", "any"]),
            "direction": random.choice(["down", "down", "down", "both", "up"]),
            "wrap": random.choice(["off", "off", "on"]),
            "moves": random.choice(["group", "group", "single", "run", "suit-run", "top-or-whole", "whole"]),
            "capacity": capacity,
        },
        "spaces": {"after": random.choice(["any", "king", "king", "none"])},
        "cells": {"count": cells, "filled": filled},
        "stock": stock,
    }
    return Rules.model_validate(raw)


def odd_rules(random: Random) -> Rules:
    """Rules on a small pack in which spaces come about or are filled in unusual ways, or columns have a capacity."""
    ranks = random.randint(3, 5)
    columns = random.randint(2, 5)
    kind = random.choice(["becomes", "waste", "capacity", "wrap"])
    raw: dict[str, Any] = {
        "pack": {"ranks": ranks},
        "foundations": {"wrap": True},
        "tableau": {
            "columns": columns,
            "layout": random.randint(1, 2),
            "build": random.choice(["suit", "any", "alternating", "colour"]),
            "moves": random.choice(["single", "run", "run", "group", "top-or-whole"]),
            "wrap": random.choice(["off", "on"]),
        },
        "spaces": {"after": random.choice(["any", "king", "none"])},
        "stock": {"turn": random.randint(1, 2), "redeals": random.choice([0, 1])},
    }
    if kind == "becomes":
        raw["stock"] = {"turn": random.randint(1, 3), "becomes_column": True}
    elif kind == "waste":
        raw["spaces"]["auto_waste"] = True
    elif kind == "capacity":
        heights = [0] * columns
        for _ in range(4 * ranks):
            heights[min(random.randrange(columns), random.randrange(columns))] += 1
        raw["tableau"] |= {"layout": heights, "capacity": max(heights), "direction": random.choice(["down", "both"])}
        raw["stock"] = {}
    return Rules.model_validate(raw)


def joined_rules(random: Random) -> Rules:
    """Rules on a small pack built in suit, with cells or single reserve cards: kin of How They Run."""
    ranks = random.randint(3, 6)
    columns = random.randint(2, 6)
    cells = random.choice([0, 1, 2, 2, 3])
    filled = random.randint(0, cells)
    reserve = random.choice([0, 1, 2, 3]) if cells == 0 or random.random() < 0.3 else 0
    heights, down = _dealt(random, 4 * ranks - filled - reserve, columns)
    raw = {
        "pack": {"ranks": ranks},
        "foundations": {"build": random.choice(["suit", "run", "run", "none"])},
        "tableau": {
            "columns": columns,
            "layout": heights,
            "down": down,
            "build": "suit",
            "moves": random.choice(["group", "group", "group", "run", "suit-run"]),
        },
        "spaces": {"after": random.choice(["any", "king", "king", "none"])},
        "cells": {"count": cells, "filled": filled, "from": random.choice(["tableau", "tableau", "any"])},
        "reserve": {"piles": reserve, "size": 1} if reserve else {},
    }
    return Rules.model_validate(raw)


def fan_rules(random: Random) -> Rules:
    """Rules on a small pack in fans whose spaces stay empty: kin of Shamrocks."""
    ranks = random.randint(3, 6)
    columns = random.randint(3, 9)
    capacity: Any = random.choice([3, 3, 3, 4, "unlimited"])
    heights = [0] * columns
    for _ in range(4 * ranks):
        room = [c for c in range(columns) if capacity == "unlimited" or heights[c] < capacity]
        if not room:
            raise ValueError("more cards than room")
        heights[random.choice(room)] += 1
    raw: dict[str, Any] = {
        "pack": {"ranks": ranks},
        "tableau": {
            "columns": columns,
            "layout": heights,
            "build": random.choice(["any", "any", "suit", "alternating"]),
            "direction": random.choice(["both", "both", "down", "up"]),
            "wrap": random.choice(["off", "off", "on"]),
            "moves": "single",
            "capacity": capacity,
        },
        "spaces": {"after": "none"},
    }
    raw["pack"]["suits"] = random.choice([4, 4, 4, 4, 2, 1])
    return Rules.model_validate(raw)


def alternating_rules(random: Random) -> Rules:
    """Rules on small packs with foundations that alternate colours: kin of Wood."""
    ranks, decks = random.randint(2, 4), random.choice([1, 2, 2])
    reserve = random.choice([0, 2, 4, 6, 8])
    raw = {
        "pack": {"decks": decks, "ranks": ranks},
        "foundations": {
            "base": random.choice(["A", "dealt"]),
            "placed": random.choice(["all", "all", "all", "one"]),
            "build": "alternating",
            "wrap": True,
            "return": random.choice(["off", "on", "on"]),
        },
        "tableau": {
            "columns": random.randint(1, 3),
            "layout": random.randint(1, 4),
            "build": random.choice([*["alternating"] * 7, "suit", "colour", "any"]),
            "wrap": random.choice(["on", "off", "not-on-base"]),
            "moves": random.choice(["single", "single", "run", "suit-run"]),
        },
        "spaces": {"after": random.choice(["waste", "none", "none", "none", "any"])},
        "reserve": {"piles": 1, "size": reserve, "to": random.choice(["foundation", "any"])} if reserve else {},
        "stock": {"turn": random.choice([1, 1, 1, 2]), "redeals": random.choice([0, 0, 0, 1])},
    }
    return Rules.model_validate(raw)


def reserved_rules(random: Random) -> Rules:
    """The same where a large reserve may only go up, and is what loses most deals: other cards are easily had."""
    ranks, decks = random.randint(3, 6), random.choice([1, 1, 2])
    piles = random.choice([1, 1, 1, 2])
    returns = random.choice(["off", "on", "on", "base-too"])
    raw = {
        "pack": {"decks": decks, "ranks": ranks},
        "foundations": {
            "base": random.choice(["A", "dealt"]),
            "placed": random.choice(["all", "all", "all", "one"]),
            "build": "alternating",
            "wrap": True,
            "return": returns,
        },
        "tableau": {
            "columns": random.randint(1, 5),
            "layout": random.randint(1, 2),
            "build": random.choice([*["alternating"] * 9, "any"]),
            "wrap": "not-on-base" if returns == "base-too" else random.choice(["on", "off", "not-on-base"]),
            "moves": random.choice(["single", "single", "run", "whole", "group"]),
        },
        "spaces": {"after": random.choice([*["waste"] * 5, "none", "none", "any"])},
        "reserve": {"piles": piles, "size": random.randint(2, 2 * ranks * decks) // piles + 1, "to": "foundation"},
        "stock": {"turn": 1, "redeals": random.choice([0, "unlimited", "unlimited", "unlimited"])},
    }
    return Rules.model_validate(raw)


def turned_rules(random: Random) -> Rules:
    """Rules on a small pack of which the most is turned, some cards at a time: kin of Canfield and Klondike."""
    reserve = random.choice([0, 0, 2, 4])
    raw = {
        "pack": {"ranks": random.randint(3, 6)},
        "foundations": {
            "base": "dealt" if reserve else "A",
            "placed": "one" if reserve else "none",
            "wrap": True,
            "return": random.choice(["off", "off", "on"]),
        },
        "tableau": {
            "columns": random.randint(2, 4),
            "layout": random.choice([1, 1, 2, "triangle"]),
            "down": random.choice([0, 0, "all-but-top"]),
            "build": random.choice(["alternating", "alternating", "suit", "any"]),
            "wrap": random.choice(["off", "on", "not-on-base"]),
            "moves": random.choice(["run", "run", "whole", "single", "top-or-whole"]),
        },
        "spaces": {
            "while_reserve": random.choice(["auto", "manual", "free"]) if reserve else "free",
            "after": random.choice(["any", "king", "waste"]),
        },
        "reserve": {"piles": 1, "size": reserve} if reserve else {},
        "stock": {
            "turn": random.choice([1, 2, 3, 3]),
            "redeals": random.choice([0, 0, 1, 2, "unlimited"]),
            "auto_turn": random.random() < 0.2,
        },
    }
    return Rules.model_validate(raw)


def alternating_run_rules(random: Random) -> Rules:
    """Rules on a small pack of which whole runs in alternating colours leave: kin of Farmer's Wife."""
    ranks = random.randint(2, 5)
    columns = random.randint(3, 6)
    cells = random.choice([0, 0, 0, 1, 2])
    filled = random.randint(0, cells)
    reserve = random.choice([0, 0, 1, 2])
    stock: dict[str, Any] = random.choice([{}, {}, {}, {"row": random.randint(1, columns)}, {"turn": 1}])
    heights, down = _dealt(random, 4 * ranks - filled - reserve - (random.randint(1, 4) if stock else 0), columns)
    raw = {
        "pack": {"ranks": ranks},
        "foundations": {
            "build": "alternating-run",
            "runs": random.choice(["anywhere", "anywhere", "whole-column"]),
            "return": random.choice(["off", "off", "off", "on"]),
        },
        "tableau": {
            "columns": columns,
            "layout": heights,
            "down": down,
            "build": random.choice(["alternating", "alternating", "alternating", "any", "suit"]),
            "direction": random.choice(["down", "down", "down", "both", "up"]),
            "wrap": random.choice(["off", "off", "on"]),
            "moves": random.choice(["group", "group", "group", "single", "run", "whole"]),
            "capacity": random.choice(["unlimited", "unlimited", "unlimited", max(3, *heights)]),
        },
        "spaces": {"after": random.choice(["king", "king", "any", "none"])},
        "cells": {"count": cells, "filled": filled, "from": random.choice(["tableau", "tableau", "any"])},
        "reserve": {"piles": reserve, "size": 1} if reserve else {},
        "stock": stock,
    }
    if reserve and random.random() < 0.3:
        raw["reserve"] = {"piles": 1, "size": reserve}
        raw["spaces"] |= {"while_reserve": random.choice(["auto", "manual"])}
    return Rules.model_validate(raw)


def _dealt(random: Random, cards: int, columns: int) -> tuple[list[int], list[int]]:
    """Even heights of columns, and how many cards of each lie face down."""
    heights = [cards // columns + (column < cards % columns) for column in range(columns)]
    return heights, [random.randint(0, max(0, height - 1)) if random.random() < 0.4 else 0 for height in heights]


FAMILIES = (
    packed_rules,
    family_rules,
    odd_rules,
    packed_rules,
    family_rules,
    joined_rules,
    fan_rules,
    alternating_rules,
    turned_rules,
    alternating_run_rules,
)


def family_deal(seed: int, families: Sequence[Callable[[Random], Rules]] = FAMILIES) -> tuple[Rules, Position]:
    """Rules of one of the families and a settled deal of them."""
    random = Random(seed)
    while True:
        try:
            rules = families[seed % len(families)](random)
            return rules, Engine(rules).settle(deal(game_of(rules), numbering="lab", seed=seed))
        except ValueError:
            continue
