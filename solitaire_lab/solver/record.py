"""What the kernel works on: one structured record, and the words that say what was done to it.

All state of a search but its big tables lies in one record, because numba passes a record as a bare pointer; arrays
passed one by one cost a reference count each in every helper. Piles are rows of ``cards``: columns from 0, then
foundations, reserves and cells. Waste and stock are one list, ``talon``, cut at ``waste_size``: turning only moves
the cut, and taking the top of the waste closes the gap. Rows are dealt from the talon's front.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.rules.model import MAX_CELLS, MAX_COLUMNS, MAX_REDEALS, MAX_RESERVES

# What the kernel's functions take, for the reader; numba finds the machine types by itself.
Record: TypeAlias = Any  # one record of dtype RECORD
Word: TypeAlias = Any  # numpy.uint64
Words: TypeAlias = NDArray[np.uint64]
Steps: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
Links: TypeAlias = NDArray[np.int32]
Nodes: TypeAlias = Any  # an array of dtype NODE
signed: Any = np.int64
"""Makes an int64 of a byte, which unlike a byte does not wrap."""

COLUMNS = MAX_COLUMNS + 1
"""Rows for columns: one more than rules may name, for a stock that becomes a column."""
HEIGHT = 104
"""Most cards of a pile: two packs."""
FIRST_FOUNDATION = COLUMNS
FIRST_RESERVE = FIRST_FOUNDATION + 8
FIRST_CELL = FIRST_RESERVE + MAX_RESERVES
PILES = FIRST_CELL + MAX_CELLS
WASTE = PILES

MOST_MOVES = 2 * HEIGHT * (COLUMNS + 8 + MAX_CELLS) + 2
"""Bound on the moves of a position: every card of the table and of the talon to every other pile, a turn, a row."""

# Words of ``rules`` as numbers, in the order in which the model names them.
SINGLE, WHOLE, TOP_OR_WHOLE, RUN, SUIT_RUN, GROUP = range(6)
AUTO_FILL, MANUAL_FILL, FREE_FILL = range(3)
ANY_FILLS, KING_FILLS, WASTE_FILLS, NOTHING_FILLS = range(4)
SUIT_UP, ALTERNATING_UP, RUN_UP, ALTERNATING_RUN_UP, NO_FOUNDATIONS = range(5)
RETURN_OFF, RETURN_ON, RETURN_BASE = range(3)

# What a foundation's part of the fingerprint depends on; see ``tables.foundation_view``.
ALL_CARDS, TOP_CARD, COUNT_ONLY = range(3)

# Prunings, bits of ``prunings``; their proofs are in ``prunings.py``.
EQUAL_PILES, STOCK_AT_WILL, SAFE_FOUNDATION, NATURAL_COLUMNS, TWIN_HOSTS, NO_RETURNS, DEAD_ENDS = 1, 2, 4, 8, 16, 32, 64
NATURAL_JOINS, COLOUR_TWINS, ROOTS_STAY, LAZY_ROOTS = 128, 256, 512, 1024

TRIED_LEVELS = 16
"""Most cards that the relaxed player puts to cells one upon the other; see ``relax.py``."""

# Best-first search.
LAYERS = 128
MOST_DEPTH = 1 << 18
MOST_MEMBERS = 128
"""Most positions that are expanded as one node; see ``classes.py``."""
MEMBER_SLOTS = 4 * MOST_MEMBERS

_i8, _u8 = np.int64, np.uint64

RECORD = np.dtype(
    [
        # the position
        ("fingerprint", _u8, (2,)),
        ("columns", _i8),
        ("up_cards", _i8),  # cards on the foundations
        ("down_cards", _i8),  # face-down cards of the tableau
        ("reserve_cards", _i8),
        ("cell_cards", _i8),
        ("talon_size", _i8),
        ("waste_size", _i8),
        ("waste_seen", _i8),  # the size of the waste, as far as the fingerprint tells sizes apart
        ("redeals_used", _i8),
        ("held", _i8, (PILES,)),
        ("down", _i8, (COLUMNS,)),
        ("takes", _u8, (8,)),  # cards that each foundation takes one by one
        ("next_up", _u8),  # cards that some foundation takes
        ("least", _i8, (2,)),  # with ``safe_chains``: the fewest cards on a foundation of each chain
        ("pile_of", np.uint8, (52,)),  # where each card was last put on a pile: right for one pack and the table
        ("place_of", np.uint8, (52,)),
        ("talon", np.uint8, (HEIGHT,)),
        ("talon_id", np.uint8, (HEIGHT,)),
        # the rules
        ("dealt_columns", _i8),
        ("foundations", _i8),
        ("reserves", _i8),
        ("cells", _i8),
        ("singles", _i8),
        ("single_piles", np.uint8, (PILES - COLUMNS,)),  # the foundations, reserves and cells that there are
        ("ranks", _i8),
        ("pack_size", _i8),
        ("pack", _u8),  # the cards of one pack, a bit each
        ("moves_rule", _i8),
        ("capacity", _i8),
        ("while_reserve", _i8),
        ("after", _i8),
        ("auto_waste", _i8),
        ("reserve_to_columns", _i8),
        ("cells_from_any", _i8),
        ("turn", _i8),
        ("row", _i8),
        ("redeals", _i8),  # -1: unlimited
        ("blocked_by_space", _i8),
        ("auto_turn", _i8),
        ("becomes_column", _i8),
        ("build_up", _i8),
        ("whole_column_runs", _i8),
        ("returns", _i8),
        ("forced_up", _i8),
        ("foundation_view", _i8),
        ("safe_level", _i8),
        ("safe_same", _i8),
        ("safe_other", _i8),
        ("safe_bare", _i8),
        ("safe_chains", _i8),  # whether SAFE_FOUNDATION holds by chains
        ("kings_join", _i8),  # whether NATURAL_JOINS forces joins with runs below a king
        ("cells_counted", _i8),  # whether the relaxed player has no more cells than there are
        ("relaxed_at_root", _i8),  # whether the relaxed player is asked about the root alone
        ("kings", _u8),  # cards of the highest rank, a bit each
        ("fits", _u8, (52,)),  # cards that may be built on a card, a bit each
        ("joins", _u8, (52,)),  # cards that form a run with the card below them
        ("runs", _u8, (52,)),  # cards that follow in a whole run
        ("up", _u8, (52,)),  # cards that follow on a foundation
        ("base_up", _u8, (8,)),  # cards that begin a foundation
        # the search
        ("prunings", _i8),
        ("natural", _i8),  # whether NATURAL_COLUMNS holds for the position that was loaded
        ("table_size", _i8),
        ("table_used", _i8),
        ("table_limit", _i8),
        ("nodes", _i8),
        ("depth", _i8),
        ("trail_size", _i8),
        ("stack_size", _i8),
        ("expanding", _i8),
        ("hosts", _u8, (52,)),  # cards that a card may be built on
        ("suit_cards", np.uint8, (8, 13)),  # the cards of each foundation in order, where built in suit
        # the relaxation
        ("in_columns", _u8),
        ("in_reserves", _u8),
        ("undealt", _u8),  # the cards of the talon, and of reserves that may go to columns
        ("bases", _u8),  # the lowest cards of columns
        ("empty_columns", _i8),
        ("uncovered", _u8),
        ("left", _u8),
        ("hosting", _u8),
        ("movable", _u8),  # cards that leave once they find a place
        ("wanted", _u8),  # cards that have a host
        ("held_back", _u8),  # movable cards whose hosts all lie on them and would move with them
        ("held_by", _u8),  # what lies between: when one of these leaves, look again
        ("settled", _u8),  # of ``left``, ``uncovered`` and the hosts those whose consequences have been derived
        ("opened", _u8),
        ("seen_hosts", _u8),
        ("joined", _u8),
        ("roots", _u8),
        ("in_cells", _u8),
        ("in_spaces", _u8),
        ("space_found", _i8),
        ("talon_left", _u8),  # places of the talon, a bit each, whose card has left
        ("talon_shown", _u8),
        ("turn_ends", _u8),  # places of the talon with which turns from its beginning end
        ("below", np.uint8, (52,)),  # for a card of a reserve the one below it, for one of the talon its place
        ("relaxed_up", _i8, (8,)),
        ("chain_free", _i8, (13,)),  # by level, the cards of a chain that are not, or no more, in a reserve
        ("chain_out", _i8, (13,)),  # and those of them that have left it
        ("tried", _u8, (TRIED_LEVELS, 16)),
        ("stuck", _i8),  # cards that the relaxed player can't move; where he counts cells, without using one
        # the best-first search
        ("layering", _i8),
        ("layer", _i8),
        ("stored", _i8),
        ("waiting", _i8),
        ("current", _i8),
        ("turns", _i8),  # how the search goes about the layers
        ("next_layer", _i8),
        ("dived", _i8),  # the value that was last taken from that layer
        ("walked", _i8),  # steps between nodes since the slice began
        ("lowest", _i8, (LAYERS,)),
        ("highest", _i8, (LAYERS,)),
        ("weights", _i8, (24,)),
        ("risen", _i8, (8,)),  # the cards of each foundation, with the lone roots that can follow where they are lazy
        ("reached", _i8, (8,)),  # the cards of each foundation, with those of the reserves, when a position is valued
        ("level", _i8, (52,)),
        ("head", np.uint8, (COLUMNS, HEIGHT)),  # for each card, where the run that it ends begins
        ("reach", _u8, (COLUMNS, HEIGHT)),  # for each card, the set of those that may move when it is the top
        ("cards", np.uint8, (PILES, HEIGHT)),
        ("salt", _u8, (PILES, 2)),
        ("chain", _u8, (PILES, HEIGHT + 1, 2)),  # of the lowest cards of each pile, by how many
        ("term", _u8, (PILES, 2)),  # what each pile adds to the fingerprint
        ("power", _u8, (HEIGHT + 1, 2)),
        ("card_word", _u8, (128, 2)),  # by card, 64 more for one that lies face down
        ("talon_word", _u8, (HEIGHT, 2)),
        ("waste_word", _u8, (HEIGHT + 1, 2)),
        ("redeal_word", _u8, (MAX_REDEALS + 1, 2)),
        ("tops", _u8),  # when moves are generated: the top cards of columns
        ("topped", _u8, (52,)),  # for each of these, the columns
        ("tops_take", _u8),  # cards that may be built on some column
        ("spaces_take", _u8),  # cards of columns that may fill a space by hand
        ("space", _i8),  # the leftmost empty column, or -1
        ("moves", _i8, (MOST_MOVES,)),
        ("leads_to", _u8, (MOST_MOVES, 2)),  # the fingerprint after each move
        # the class that is expanded
        ("most_members", _i8),  # 1: each position is expanded by itself
        ("class_number", _i8),
        ("members", _i8),
        ("member_parent", _i8, (MOST_MEMBERS,)),
        ("member_step", _i8, (MOST_MEMBERS,)),  # the step from its parent
        ("member_depth", _i8, (MOST_MEMBERS,)),
        ("member_node", _i8, (MOST_MEMBERS,)),  # the node as which it is stored, or -1
        ("member_class", _i8, (MEMBER_SLOTS,)),  # by a hash of the fingerprint, the last class that used the slot
        ("member_word", _u8, (MEMBER_SLOTS, 2)),
        ("way", _i8, (MOST_MEMBERS,)),
    ],
    align=True,
)

NODE = np.dtype([("step", np.uint32), ("parent", np.int32), ("link", np.int32), ("more", np.uint8)])
"""A position that best-first search has met, in 13 bytes: the step that led to it, which has 39 bits before it is
completed and whose last ones are in ``more``, above them whether the node lies on the way to the record's position;
its parent; the next node in its queue."""

# A step is one int64. From the low end: kind, source pile, target pile, number of cards; for steps that turn the
# stock the size of the waste and the redeals used, after and before; the talon's own number of the (first) card taken
# from it; whether the step was automatic.
MOVE, FLIP, TURN, DEAL_ROW, OPEN_COLUMN, LIFT = 1, 2, 3, 4, 5, 6
SOURCE, TARGET, SIZE = 3, 10, 17
NEW_WASTE, NEW_REDEALS, OLD_WASTE, OLD_REDEALS, TALON_ID = 24, 31, 39, 46, 54
LIFTED_TO = 24
"""Where a step that lifts several cards to cells has the cells, a bit each."""
GOES_ON = 1 << 24
"""In a step from a column to a foundation: the next card of the foundation follows at once; see LAZY_ROOTS."""
AUTOMATIC = 1 << 61
