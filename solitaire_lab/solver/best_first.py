"""Best-first search: the most promising position first, by turns of all and of the next layer; exhaustive too.

A met position is kept as the step that led to it and its parent. To expand it the record goes back to the last
position that both have in common and plays on from there.
"""

from __future__ import annotations

from solitaire_lab.solver.compiling import compiled, inlined
from solitaire_lab.solver.dead import dead_end
from solitaire_lab.solver.depth_first import LOST, OUT_OF_MEMORY, OUT_OF_NODES, PAUSED, WON, close
from solitaire_lab.solver.evaluate import TURNS, VALUES, value_of
from solitaire_lab.solver.forced import won
from solitaire_lab.solver.generate import generate
from solitaire_lab.solver.record import LAYERS, MOST_DEPTH, Links, Nodes, Record, Steps, Words, signed
from solitaire_lab.solver.steps import completed, do, undo
from solitaire_lab.solver.table import NEW, SEEN, visit

BOTH_TURNS, ONLY_LAYERS = TURNS.index("both"), TURNS.index("layers")
_LOW_BITS = 32
_LOW = (1 << _LOW_BITS) - 1
_ON_PATH = 128

MOST_WALKED = 2_000_000
"""Steps between nodes after which a slice pauses, however few nodes it had: lines may run thousands of steps deep."""


@compiled
def begin_best_first(r: Record, heads: Links) -> None:
    """Empty the queues of the search before."""
    for layer in range(LAYERS):
        for value in range(r.lowest[layer], r.highest[layer] + 1):
            heads[layer, value] = -1
        r.lowest[layer] = VALUES
        r.highest[layer] = -1
    r.stored = r.waiting = r.next_layer = 0
    r.current = -1
    r.dived = -1
    r.depth = 0


@inlined
def _store(r: Record, nodes: Nodes, heads: Links, step: int) -> None:
    """Note the record's position as a child of the current one, and queue it."""
    node = r.stored
    r.stored += 1
    nodes[node]["parent"] = r.current
    nodes[node]["step"] = step & _LOW
    nodes[node]["more"] = step >> _LOW_BITS
    r.waiting += 1
    value = min(max(value_of(r) + VALUES // 4, 0), VALUES - 1)
    layer = r.layer
    nodes[node]["link"] = heads[layer, value]
    heads[layer, value] = node
    r.lowest[layer] = min(r.lowest[layer], value)
    r.highest[layer] = max(r.highest[layer], value)


@inlined
def _pick(r: Record, nodes: Nodes, heads: Links) -> int:
    """Take the node to expand next from the queues, which are not all empty."""
    r.waiting -= 1
    best = -1
    if r.turns == ONLY_LAYERS or (r.turns == BOTH_TURNS and r.nodes & 1):
        if r.turns == BOTH_TURNS or r.lowest[r.next_layer] >= r.dived:
            while True:
                r.next_layer = r.next_layer + 1 if r.next_layer + 1 < LAYERS else 0
                if r.lowest[r.next_layer] < VALUES:
                    break
        best = r.next_layer
        r.dived = r.lowest[best]
    else:
        least = VALUES
        for layer in range(LAYERS):
            if r.lowest[layer] < least:
                least = r.lowest[layer]
                best = layer
    value = r.lowest[best]
    node = heads[best, value]
    heads[best, value] = nodes[node]["link"]
    while value <= r.highest[best] and heads[best, value] < 0:
        value += 1
    r.lowest[best] = value if value <= r.highest[best] else VALUES
    if r.lowest[best] == VALUES:
        r.highest[best] = -1
    return node


@inlined
def _go_to(r: Record, node: int, nodes: Nodes, trail: Steps, path: Steps) -> bool:
    """Bring the record from the current node to another; False if the trail or the path is full."""
    ahead, to = 0, node
    while not nodes[to]["more"] & _ON_PATH:
        ahead += 1
        if r.depth + ahead == MOST_DEPTH:
            return False
        # The far end of the path's room holds the way ahead.
        path[MOST_DEPTH - ahead, 0] = to
        to = nodes[to]["parent"]
    while path[r.depth, 0] != to:
        nodes[path[r.depth, 0]]["more"] &= _ON_PATH - 1
        r.depth -= 1
    r.walked += r.trail_size - path[r.depth, 1] + ahead
    while r.trail_size > path[r.depth, 1]:
        r.trail_size -= 1
        undo(r, trail[r.trail_size])
    while ahead > 0:
        to = path[MOST_DEPTH - ahead, 0]
        ahead -= 1
        step = completed(r, nodes[to]["step"] | signed(nodes[to]["more"]) << _LOW_BITS)
        do(r, step)
        if r.trail_size == trail.size:
            return False
        trail[r.trail_size] = step
        r.trail_size += 1
        if not close(r, trail):
            return False
        r.depth += 1
        path[r.depth, 0] = to
        path[r.depth, 1] = r.trail_size
        nodes[to]["more"] |= _ON_PATH
    r.current = node
    return True


@compiled
def search_best_first(
    r: Record, table: Words, trail: Steps, nodes: Nodes, heads: Links, path: Steps, budget: int, pause_at: int
) -> int:
    """Go on with a best-first search.

    Args:
        r: the record, loaded and begun.
        table: uint64, 2 words for each of ``table_limit`` entries and of ``table.SPARE``.
        trail: int64, the steps done since the root.
        nodes: of dtype ``NODE``, the positions met.
        heads: int32 of shape (LAYERS, VALUES), the first node waiting in each queue, or -1.
        path: int64 of shape (MOST_DEPTH, 2): by depth, the node on the way to the record's position and the size of
            the trail there.
        budget: expansions after which the search ends.
        pause_at: expansions at which it returns to be called again.

    Returns:
        How the slice ended.
    """
    if r.stored == 0:
        if not close(r, trail):
            return OUT_OF_MEMORY
        if won(r):
            return WON
        if dead_end(r):
            return LOST
        visit(r, table)
        _store(r, nodes, heads, 0)
        path[0, 0] = 0
        path[0, 1] = r.trail_size
        nodes[0]["more"] = _ON_PATH
    while r.waiting > 0:
        if r.nodes >= budget:
            return OUT_OF_NODES
        if r.nodes >= pause_at or r.walked >= MOST_WALKED:
            r.walked = 0
            return PAUSED
        node = _pick(r, nodes, heads)
        if not _go_to(r, node, nodes, trail, path):
            return OUT_OF_MEMORY
        r.nodes += 1
        count = generate(r)
        mark = r.trail_size
        for i in range(count):
            if mark == trail.size:
                return OUT_OF_MEMORY
            step = completed(r, r.moves[i])
            do(r, step)
            trail[mark] = step
            r.trail_size = mark + 1
            if not close(r, trail):
                return OUT_OF_MEMORY
            if won(r):
                return WON
            met = visit(r, table)
            if met == NEW:
                if dead_end(r):
                    met = SEEN
                elif r.stored == nodes.size:
                    return OUT_OF_MEMORY
                else:
                    _store(r, nodes, heads, r.moves[i])
            elif met != SEEN:
                return OUT_OF_MEMORY
            while r.trail_size > mark:
                r.trail_size -= 1
                undo(r, trail[r.trail_size])
    return LOST
