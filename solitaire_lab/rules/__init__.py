"""What a game is: its parameters, the games themselves, and their rules in words."""

from solitaire_lab.rules.catalog import Game, game_names, resolve
from solitaire_lab.rules.model import Rules
from solitaire_lab.rules.order import compare_strictness
from solitaire_lab.rules.prose import describe
from solitaire_lab.rules.settings import SettingsError, parse_set

__all__ = [
    "Game",
    "Rules",
    "SettingsError",
    "compare_strictness",
    "describe",
    "game_names",
    "parse_set",
    "resolve",
]
