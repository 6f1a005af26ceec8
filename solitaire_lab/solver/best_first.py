"""Best-first search: the most promising position first, by turns of all and of the next layer; exhaustive too.

A met position is kept as the step that led to it and its parent. To expand it the record goes back to the last
position that both have in common and plays on from there.
"""

from __future__ import annotations

from solitaire_lab.solver.classes import begin_class, go_to_member, is_taken_in, may_be_taken_back, play_up
from solitaire_lab.solver.compiling import compiled, inlined
from solitaire_lab.solver.dead import dead_end
from solitaire_lab.solver.depth_first import LOST, OUT_OF_MEMORY, OUT_OF_NODES, PAUSED, WON, close, look_ahead
from solitaire_lab.solver.evaluate import TURNS, VALUES, value_of
from solitaire_lab.solver.forced import won
from solitaire_lab.solver.generate import generate
from solitaire_lab.solver.record import LAYERS, MOST_DEPTH, Links, Nodes, Record, Steps, Words, signed
from solitaire_lab.solver.steps import completed, do, undo
from solitaire_lab.solver.table import NEW, SEEN, is_met, visit

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
def _store(r: Record, nodes: Nodes, parent: int, step: int) -> int:
    """Store a position as the node that a step leads to from its parent."""
    node = r.stored
    r.stored += 1
    nodes[node]["parent"] = parent
    nodes[node]["step"] = step & _LOW
    nodes[node]["more"] = (step >> _LOW_BITS) & (_ON_PATH - 1)
    return node


@inlined
def _store_member(r: Record, nodes: Nodes, member: int) -> int:
    """The node of a member of the class, stored with those on the way to it unless it was before."""
    count, at = 0, member
    while r.member_node[at] < 0:
        r.way[count] = at
        count += 1
        at = r.member_parent[at]
    for i in range(count - 1, -1, -1):
        at = r.way[i]
        r.member_node[at] = _store(r, nodes, r.member_node[r.member_parent[at]], r.member_step[at])
    return r.member_node[member]


@inlined
def _queue(r: Record, nodes: Nodes, heads: Links, node: int) -> None:
    """Queue the node of the record's position."""
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
def _go_to(r: Record, node: int, table: Words, nodes: Nodes, trail: Steps, path: Steps) -> bool:
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
        if not close(r, table, trail):
            return False
        r.depth += 1
        path[r.depth, 0] = to
        path[r.depth, 1] = r.trail_size
        nodes[to]["more"] |= _ON_PATH
    r.current = node
    return True


@compiled
def _expand(r: Record, table: Words, trail: Steps, nodes: Nodes, heads: Links) -> int:
    """Expand the class of the record's position, which is the current node; ``PAUSED`` if the search goes on."""
    base = r.trail_size
    begin_class(r)
    r.member_node[0] = r.current
    member = 0
    while member < r.members:
        mark = base + r.member_depth[member]
        if mark >= trail.size:
            return OUT_OF_MEMORY
        go_to_member(r, member, base, trail)
        count = generate(r)
        look_ahead(r, table, count)
        for i in range(count):
            if r.most_members == 1 and is_met(r, table, r.leads_to[i]):
                continue
            step = completed(r, r.moves[i])
            back = r.most_members > 1 and may_be_taken_back(r, step)
            do(r, step)
            trail[mark] = step
            r.trail_size = mark + 1
            if not close(r, table, trail):
                return OUT_OF_MEMORY
            if won(r):
                return WON
            back = back and r.trail_size == mark + 1
            if not (back and is_taken_in(r, member, step)):
                status = _meet(r, table, trail, nodes, heads, member, r.moves[i], not back)
                if status != PAUSED:
                    return status
            while r.trail_size > mark:
                r.trail_size -= 1
                undo(r, trail[r.trail_size])
        member += 1
    go_to_member(r, 0, base, trail)
    return PAUSED


@inlined
def _meet(
    r: Record, table: Words, trail: Steps, nodes: Nodes, heads: Links, member: int, step: int, leaves: bool
) -> int:
    """Queue the record's position if it is new, after playing it up if it ``leaves`` the class.

    Returns:
        ``PAUSED`` if the search goes on.
    """
    mark = r.trail_size
    if leaves and r.most_members > 1:
        if not play_up(r, trail):
            return OUT_OF_MEMORY
        if won(r):
            return WON
    met = visit(r, table)
    if met == SEEN or (met == NEW and dead_end(r)):
        return PAUSED
    if met != NEW or r.stored + r.member_depth[member] + 1 + r.trail_size - mark > nodes.size:
        return OUT_OF_MEMORY
    node = _store(r, nodes, _store_member(r, nodes, member), step)
    for place in range(mark, r.trail_size):
        node = _store(r, nodes, node, trail[place])
    _queue(r, nodes, heads, node)
    return PAUSED


@compiled
def search_best_first(
    r: Record, table: Words, trail: Steps, nodes: Nodes, heads: Links, path: Steps, budget: int, pause_at: int
) -> int:
    """Go on with a best-first search.

    Args:
        r: the record, loaded and begun.
        table: uint64, of ``table_words(table_limit)`` words.
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
        if not close(r, table, trail):
            return OUT_OF_MEMORY
        if won(r):
            return WON
        if dead_end(r):
            return LOST
        visit(r, table)
        _queue(r, nodes, heads, _store(r, nodes, -1, 0))
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
        if not _go_to(r, node, table, nodes, trail, path):
            return OUT_OF_MEMORY
        r.nodes += 1
        status = _expand(r, table, trail, nodes, heads)
        if status != PAUSED:
            return status
    return LOST
