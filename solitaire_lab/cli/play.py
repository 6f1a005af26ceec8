"""``deal``, ``moves``, ``solve`` and ``replay``: one deal at a time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import click

from solitaire_lab.cli.exits import CHECK_FAILED
from solitaire_lab.cli.inputs import (
    answer_lines,
    chosen_game,
    chosen_position,
    dealt_position,
    read_position,
    read_text,
)
from solitaire_lab.cli.options import (
    WHOLE,
    deal_option,
    game_options,
    json_option,
    jsonl_option,
    nodes,
    search_options,
    seed_option,
)
from solitaire_lab.cli.output import counted, emit, emit_json, remark
from solitaire_lab.cli.playthrough import show_steps, write_page
from solitaire_lab.cli.winnable import SHUFFLE_BUDGET, TRIES, shuffled_deal
from solitaire_lab.documents import parse_json
from solitaire_lab.errors import InputError


@click.command()
@click.argument("game")
@click.option(
    "--seed",
    type=WHOLE,
    metavar="N",
    help="The number of the deal, or of the first shuffle with --solvable (1 if not given).",
)
@click.option("--solvable", is_flag=True, help="Shuffle until a deal is proved to be winnable.")
@click.option("--daily", "day", metavar="DATE", help="The winnable deal of a day, such as 2026-12-31.")
@click.option(
    "--budget", callback=nodes, metavar="NODES", help=f"Search so far after each shuffle.  [default: {SHUFFLE_BUDGET}]"
)
@click.option("--tries", type=WHOLE, metavar="N", help=f"Give up after so many shuffles.  [default: {TRIES}]")
@game_options
@json_option
def deal(
    game: str,
    *,
    seed: int | None,
    solvable: bool,
    day: str | None,
    budget: int | None,
    tries: int | None,
    numbering: str,
    variant: str | None,
    settings: Sequence[str],
    as_json: bool,
) -> int | None:
    """Print a starting position.

    It is a board that PySolFC and Freecell Solver read where they know the game, or JSON. TC is the ten of clubs, <TC>
    is face down; C-2 after Foundations is a pile of clubs whose top is the two, C-0 an empty one. The lines without a
    name, below, are the columns of the tableau, a lone colon an empty one. Columns, Reserve and Waste end with their
    top card; Stock begins with the card that comes next.

    With --solvable, the shuffles are the deals from number N on, and the first that is proved to be winnable is
    printed; standard error tells what came of each. With --daily, their numbers are DATE as eight digits and two more,
    from 00 to 99: the same deal for everyone. The exit code is 4 if none is found. faq counts the same shuffles, with a
    shorter search and fewer tries.

    \b
    Examples:
      solitaire-lab deal storehouse --seed 1
      solitaire-lab deal storehouse --seed 1 --numbering pysol --json
      solitaire-lab deal storehouse --solvable --seed 3
      solitaire-lab deal storehouse --daily 2026-12-31
    """
    from solitaire_lab.deals.board import board_text
    from solitaire_lab.deals.notation import position_record

    # Before anything is said of options: whoever misspelt the game has to hear of that first.
    chosen = chosen_game(game, variant=variant, settings=settings)
    if solvable or day is not None:
        found = shuffled_deal(chosen, seed=seed, day=day, budget=budget, tries=tries, numbering=numbering)
        if found.position is None:
            return CHECK_FAILED
        seed, position = found.seed, found.position
    elif budget is not None or tries is not None:
        raise click.UsageError("--budget and --tries go with --solvable or --daily.")
    elif seed is None:
        raise click.MissingParameter(
            "Write --seed 1 for deal 1; or --solvable, or --daily DATE, for a deal proved winnable.",
            ctx=click.get_current_context(),
            param_hint="'--seed'",
            param_type="option",
        )
    else:
        position = dealt_position(chosen, numbering=numbering, seed=seed)
    if as_json:
        emit_json(position_record(position, game=chosen, numbering=numbering, seed=seed))
    else:
        emit(board_text(position, game=chosen).rstrip("\n"))
    return None


@click.command()
@click.argument("position", metavar="[POSITION.json]", default="-")
@json_option
@jsonl_option
def moves(position: str, *, as_json: bool, jsonl: bool) -> int | None:
    """List the legal moves of a position.

    The position is JSON in a file or on standard input. With --jsonl, a bad line is answered by its error and its
    number, and the exit code is 1.

    \b
    Examples:
      solitaire-lab deal storehouse --seed 1 --json | solitaire-lab moves
      solitaire-lab moves --jsonl < positions.jsonl
    """
    from solitaire_lab.engine.engine import Engine
    from solitaire_lab.engine.moves import move_record

    def legal(record: Any) -> list[dict[str, Any]]:
        game, start = read_position(record)
        engine = Engine(game.rules)
        return [move_record(move, engine.moved_cards(start, move)) for move in engine.legal_moves(start)]

    if jsonl:
        if position != "-":
            raise click.UsageError("--jsonl reads standard input; leave out POSITION.")
        return answer_lines(legal)
    records = legal(parse_json(read_text(position), where=position))
    if as_json:
        emit_json(records)
    else:
        texts = [f"{record['from']} -> {record['to']}  {' '.join(record['cards'])}".rstrip() for record in records]
        emit(_numbered(texts) or "There is no legal move.")
    return None


@click.command()
@click.argument("game", required=False)
@seed_option
@deal_option
@game_options
@search_options(study=False)
@click.option(
    "--show", is_flag=True, help="Show the board after each move; in a terminal, Enter goes on and q with Enter ends."
)
@click.option("--html", "page", metavar="FILE", help="Write a page that plays the line of a win, board by board.")
@json_option
@jsonl_option
def solve(
    game: str | None,
    *,
    seed: int | None,
    deal_file: str | None,
    numbering: str,
    variant: str | None,
    settings: Sequence[str],
    budget: int | None,
    memory: int | None,
    show: bool,
    page: str | None,
    as_json: bool,
    jsonl: bool,
) -> int | None:
    """Decide one deal, and show how it is won.

    All cards are known to the solver, face-down ones too. With --jsonl, a bad line is answered by its error and its
    number, and the exit code is 1.

    \b
    Examples:
      solitaire-lab solve storehouse --seed 1
      solitaire-lab solve storehouse --seed 1 --json > line.json
      solitaire-lab solve storehouse --seed 1 --show
      solitaire-lab solve storehouse --seed 1 --html line.html
      solitaire-lab solve --deal position.json --budget 20000
      solitaire-lab solve --jsonl < positions.jsonl
    """
    from solitaire_lab.deals.position import Position
    from solitaire_lab.engine.lines import parse_line
    from solitaire_lab.reports.playthrough import line_steps, step_texts
    from solitaire_lab.rules.model import Rules
    from solitaire_lab.solver.answer import verdict_record
    from solitaire_lab.solver.solver import DEFAULT_MEMORY, Solver, checked_memory, load_kernel
    from solitaire_lab.study.model import DEFAULT_BUDGET

    most_nodes = DEFAULT_BUDGET if budget is None else budget
    table = DEFAULT_MEMORY if memory is None else checked_memory(memory)

    @cache
    def solver_of(rules: Rules) -> Solver:
        return Solver(rules, memory=table)

    def answer(rules: Rules, position: Position) -> dict[str, Any]:
        solver = solver_of(rules)
        verdict = solver.solve(position, budget=most_nodes)
        assert verdict is not None
        return verdict_record(verdict, engine=solver.engine, position=position)

    def answer_line(record: Any) -> dict[str, Any]:
        chosen, position = read_position(record)
        return answer(chosen.rules, position)

    if jsonl:
        if (game, seed, deal_file, variant) != (None, None, None, None) or settings:
            raise click.UsageError("--jsonl reads positions from standard input; leave out what names a deal.")
        if show or page is not None:
            raise click.UsageError("--jsonl answers with lines of JSON; leave out --show and --html.")
        load_kernel(remark)
        return answer_lines(answer_line)
    if show and as_json:
        raise click.UsageError("Give --show or --json, not both.")
    chosen, position = chosen_position(
        game, seed=seed, deal_file=deal_file, numbering=numbering, variant=variant, settings=settings
    )
    load_kernel(remark)
    verdict = answer(chosen.rules, position)
    line = verdict["solution"]
    engine = solver_of(chosen.rules).engine
    steps = line_steps(engine, position, [] if line is None else parse_line(engine, position, line))
    if page is not None and line is None:
        remark(f"{page} is not written, since there is no line of play to show.")
    elif page is not None:
        origin = f"seed {seed}, {numbering} numbering" if deal_file is None else "a position of its own"
        write_page(page, game=chosen, steps=steps, origin=origin, nodes=verdict["nodes"])
    if as_json:
        emit_json(verdict)
    elif show and line is not None:
        emit(f"{_verdict_sentence(verdict)}\n")
        show_steps(step_texts(steps, game=chosen))
    else:
        emit("\n\n".join(filter(None, [_verdict_sentence(verdict), _numbered([step.words for step in steps[1:]])])))
    return None


@click.command()
@click.argument("game", required=False)
@seed_option
@deal_option
@click.option(
    "--moves", "moves_file", required=True, metavar="FILE", help="A JSON list of moves, or what solve --json printed."
)
@game_options
@json_option
def replay(
    game: str | None,
    *,
    seed: int | None,
    deal_file: str | None,
    moves_file: str,
    numbering: str,
    variant: str | None,
    settings: Sequence[str],
    as_json: bool,
) -> int | None:
    """Check a list of moves, and whether it wins.

    The exit code is 4 if a move is not legal, or if the game is not won after the last.

    \b
    Examples:
      solitaire-lab replay storehouse --seed 1 --moves line.json
      solitaire-lab replay --deal position.json --moves line.json
    """
    from solitaire_lab.engine.engine import Engine
    from solitaire_lab.engine.lines import parse_line
    from solitaire_lab.engine.moves import IllegalMoveError

    chosen, start = chosen_position(
        game, seed=seed, deal_file=deal_file, numbering=numbering, variant=variant, settings=settings
    )
    records = parse_json(read_text(moves_file), where=moves_file)
    if isinstance(records, dict):
        records = records.get("solution")
    if not isinstance(records, list):
        raise InputError(
            f"{moves_file} holds no list of moves; give a JSON list, or what solve --json printed for a win."
        )
    engine = Engine(chosen.rules)
    try:
        line = parse_line(engine, start, records)
    except IllegalMoveError as error:
        if as_json:
            emit_json({"legal": False, "wins": False, "moves": len(records), "error": str(error)})
        else:
            remark(f"Error: {error}")
        return CHECK_FAILED
    wins = engine.won(engine.replay(start, line))
    if as_json:
        emit_json({"legal": True, "wins": wins, "moves": len(line), "error": None})
    else:
        emit(f"Legal: {counted(len(line), 'move')}. The game is {'won' if wins else 'not won'}.")
    return None if wins else CHECK_FAILED


def _verdict_sentence(verdict: dict[str, Any]) -> str:
    """What a verdict means; for a win, a heading of the line of play."""
    nodes = counted(verdict["nodes"], "node")
    if verdict["outcome"] == "win":
        return f"The deal can be won, in {counted(len(verdict['solution']), 'move')} found within {nodes}:"
    if verdict["outcome"] == "loss":
        how = f"within {nodes}" if verdict["nodes"] else "without a search"
        return f"The deal is lost: no line of play wins, proved {how}."
    more = {"nodes": "a larger --budget", "memory": "more --memory"}[verdict["reason"]]
    return f"The deal is undecided after {nodes}; {more} may decide it."


def _numbered(texts: Sequence[str]) -> str:
    """Moves, one a line, counted from 1."""
    width = len(str(len(texts)))
    return "\n".join(f"{number:>{width}}. {text}" for number, text in enumerate(texts, 1))
