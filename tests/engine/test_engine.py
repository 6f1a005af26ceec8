"""The engine on rules that no fixture has: small tables, each for one rule."""

from __future__ import annotations

from typing import Any

import pytest

from solitaire_lab.cards import parse_card
from solitaire_lab.deals.position import Pile, Position
from solitaire_lab.engine.engine import Engine, move_text
from solitaire_lab.engine.lines import line_records, parse_line
from solitaire_lab.engine.moves import IllegalMoveError, Move
from solitaire_lab.errors import InputError
from solitaire_lab.rules.model import Rules


def pile(text: str) -> Pile:
    return tuple(map(parse_card, text.split()))


def piles(text: str) -> tuple[Pile, ...]:
    return tuple(map(pile, text.split("|")))


def engine(**groups: Any) -> Engine:
    """An engine for rules whose layout doesn't matter here; what is left of the pack would be turned to a waste."""
    tableau = {"columns": 3, "layout": 1} | groups.pop("tableau", {})
    stock = {"turn": 1} | groups.pop("stock", {})
    if stock.get("row"):
        del stock["turn"]
    return Engine(Rules.model_validate({"tableau": tableau, "stock": stock, **groups}))


def table(tableau: str, **others: Any) -> Position:
    columns = piles(tableau)
    return Position(
        base=others.get("base", 1),
        foundations=piles(others.get("foundations", "| | |")),
        tableau=columns,
        down=others.get("down", (0,) * len(columns)),
        reserve=piles(others["reserve"]) if "reserve" in others else (),
        cells=others.get("cells", ()),
        waste=pile(others.get("waste", "")),
        stock=pile(others.get("stock", "")),
        redeals_used=others.get("redeals_used", 0),
    )


def listed(player: Engine, position: Position) -> list[str]:
    return [move_text(player, position, move) for move in player.legal_moves(position)]


def objection(player: Engine, position: Position, move: Move) -> str:
    with pytest.raises(IllegalMoveError) as error:
        player.play(position, move)
    return str(error.value)


# --- building ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tableau", "built_on_9h"),
    [
        ({"build": "suit"}, "8H"),
        ({"build": "colour"}, "8D 8H"),
        ({"build": "alternating"}, "8C 8S"),
        ({"build": "any"}, "8C 8D 8H 8S"),
        ({"build": "none"}, ""),
        ({"build": "suit", "direction": "up"}, "TH"),
        ({"build": "suit", "direction": "both"}, "8H TH"),
    ],
)
def test_what_is_built_on_a_nine_of_hearts(tableau: dict[str, Any], built_on_9h: str) -> None:
    assert sorted(engine(tableau=tableau).fits(1)[parse_card("9H")]) == sorted(pile(built_on_9h))


@pytest.mark.parametrize(
    ("wrap", "direction", "on_ace", "on_king"),
    [
        ("off", "down", "", "QS"),
        ("off", "both", "2S", "QS"),
        ("on", "down", "KS", "QS"),
        ("on", "up", "2S", "AS"),
        ("on", "both", "KS 2S", "QS AS"),
    ],
)
def test_kings_and_aces_are_neighbours_where_the_rules_say_so(
    wrap: str, direction: str, on_ace: str, on_king: str
) -> None:
    fits = engine(tableau={"wrap": wrap, "direction": direction}).fits(5)
    assert fits[parse_card("AS")] == set(pile(on_ace))
    assert fits[parse_card("KS")] == set(pile(on_king))


def test_nothing_is_built_on_a_base_card_where_the_rules_say_so() -> None:
    fits = engine(tableau={"wrap": "not-on-base", "build": "suit"}).fits(7)
    assert fits[parse_card("7S")] == set()
    assert fits[parse_card("AS")] == {parse_card("KS")}


def test_in_a_smaller_pack_the_highest_rank_is_next_to_the_ace() -> None:
    fits = engine(pack={"ranks": 5}, tableau={"wrap": "on"}).fits(1)
    assert fits[parse_card("AS")] == {parse_card("5S")}


@pytest.mark.parametrize(
    ("moves", "listed_moves"),
    [
        ("single", ["7H from tableau:0 to tableau:2"]),
        ("run", ["7H from tableau:0 to tableau:2", "8S 7H from tableau:0 to tableau:1"]),
        ("suit-run", ["7H from tableau:0 to tableau:2"]),
        ("group", ["7H from tableau:0 to tableau:2", "8S 7H from tableau:0 to tableau:1"]),
        ("top-or-whole", ["7H from tableau:0 to tableau:2"]),
        ("whole", []),
    ],
)
def test_what_moves_together(moves: str, listed_moves: list[str]) -> None:
    player = engine(tableau={"build": "any", "moves": moves}, spaces={"after": "none"})
    assert sorted(listed(player, table("JC 8S 7H | 9D | 8C"))) == sorted(
        [*listed_moves, *(["8C from tableau:2 to tableau:1"])]
    )


def test_groups_need_no_order() -> None:
    player = engine(tableau={"build": "suit", "moves": "group"}, spaces={"after": "king"})
    position = table("2C 8S 4D 7H | 9S | ")
    assert listed(player, position) == ["8S 4D 7H from tableau:0 to tableau:1"]
    assert "only a card of the highest rank fills a space" in objection(player, position, Move(0, 2, 2))
    assert "KH 4D from tableau:0 to tableau:2" in listed(player, table("2C KH 4D | 9S | "))


def test_face_down_cards_neither_move_nor_stay_on_top() -> None:
    player = engine(tableau={"build": "any", "moves": "group"})
    position = table("9C 8S 7H | 8D | JC", down=(2, 0, 0))
    assert "tableau:0 has 1 card to move, not 2" in objection(player, position, Move(0, 2, 2))
    after = player.play(position, Move(0, 1, 1))
    assert after.tableau[0] == pile("9C 8S")
    assert after.down == (1, 0, 0)


def test_columns_hold_as_much_as_the_rules_say() -> None:
    player = engine(tableau={"build": "any", "capacity": 2}, spaces={"after": "none"})
    position = table("9C 8S | 7D | 9H")
    assert listed(player, position) == ["8S from tableau:0 to tableau:2"]
    assert "tableau:0 would have more than 2 cards" in objection(player, position, Move(1, 0, 1))


# --- spaces, stock and waste -------------------------------------------------------------------------------------


def test_the_waste_fills_spaces_by_itself_where_the_rules_say_so() -> None:
    player = engine(spaces={"after": "waste", "auto_waste": True}, stock={"auto_turn": True})
    settled = player.settle(table("9C | | ", waste="4D", stock="5S 6H JC"))
    assert settled.tableau == piles("9C | 4D | 5S")
    assert settled.waste == pile("6H")
    assert settled.stock == pile("JC")


def test_the_stock_is_turned_by_itself_when_the_waste_is_used_up() -> None:
    player = engine(stock={"turn": 3, "auto_turn": True})
    after = player.play(table("9C | 8H | KD", foundations="AC | | |", waste="2C", stock="5S 6H"), Move(193, 64, 1))
    assert after.waste == pile("5S 6H")
    assert after.stock == ()


def test_the_last_turn_takes_what_is_left() -> None:
    player = engine(stock={"turn": 3})
    position = table("9C | 8H | KD", stock="5S 6H")
    assert "5S 6H from stock to waste" in listed(player, position)
    assert "2 cards must leave the stock now, not 3" in objection(player, position, Move(192, 193, 3))


def test_unlimited_redeals_are_not_counted() -> None:
    player = engine(stock={"redeals": "unlimited"})
    after = player.play(table("9C | 8H | KD", waste="5S 6H"), Move(193, 192, 0))
    assert after.stock == pile("5S 6H")
    assert after.redeals_used == 0


def test_rows_are_dealt_to_the_first_columns() -> None:
    player = engine(tableau={"moves": "group"}, stock={"row": 2})
    position = table("9C | 8H | ", stock="5S 6H 7D")
    assert listed(player, position)[-1] == "5S 6H from stock to tableau"
    after = player.play(position, Move(192, 194, 2))
    assert after.tableau == piles("9C 5S | 8H 6H | ")
    assert player.play(after, Move(192, 194, 1)).tableau == piles("9C 5S 7D | 8H 6H | ")
    assert "the stock is not turned to a waste" in objection(player, position, Move(192, 193, 1))


def test_rows_may_be_blocked_by_a_space() -> None:
    player = engine(stock={"row": 2, "blocked_by_space": True})
    position = table("9C | 8H | ", stock="5S 6H")
    assert "no row may be dealt while a column is empty" in objection(player, position, Move(192, 194, 2))


def test_while_rows_are_dealt_it_matters_which_column_is_empty() -> None:
    player = engine(tableau={"moves": "group"}, stock={"row": 2})
    assert "9C from tableau:0 to tableau:2" in listed(player, table("9C | 8H | ", stock="5S 6H"))
    assert "9C from tableau:0 to tableau:2" not in listed(player, table("9C | 8H | "))


def test_a_used_up_stock_may_become_a_column() -> None:
    player = engine(stock={"becomes_column": True})
    after = player.play(table("9C | 8H | KD", waste="3D", stock="5S"), Move(192, 193, 1))
    assert after.tableau == piles("9C | 8H | KD | ")
    assert after.down == (0, 0, 0, 0)
    assert "9C from tableau:0 to tableau:3" not in listed(player, after)
    assert "5S from waste to tableau:3" in listed(player, after)


# --- foundations -------------------------------------------------------------------------------------------------


def test_cards_come_back_where_the_rules_say_so() -> None:
    position = table("4C | 2H | 9D", foundations="AC 2C 3C | | AH |")
    assert not any("from foundation" in text for text in listed(engine(), position))
    on = engine(foundations={"return": "on"})
    assert [text for text in listed(on, position) if "from foundation" in text] == ["3C from foundation:0 to tableau:0"]
    too = engine(foundations={"return": "base-too"})
    assert [text for text in listed(too, position) if "from foundation" in text] == [
        "3C from foundation:0 to tableau:0",
        "AH from foundation:2 to tableau:1",
    ]
    assert "the base card stays" in objection(on, position, Move(66, 1, 1))


def test_alternating_foundations_take_any_suit_of_the_other_colour() -> None:
    player = engine(foundations={"build": "alternating"})
    position = table("2C | 2H | AS", foundations="AD | | |")
    assert [text for text in listed(player, position) if "to foundation" in text] == [
        "2C from tableau:0 to foundation:0",
        "AS from tableau:2 to foundation:1",
        "AS from tableau:2 to foundation:2",
        "AS from tableau:2 to foundation:3",
    ]
    assert "2H has the colour of AD" in objection(player, position, Move(1, 64, 1))


def test_whole_runs_leave_at_once() -> None:
    player = engine(pack={"ranks": 3}, foundations={"build": "run"}, tableau={"build": "any", "moves": "group"})
    position = table("2H 3C 2C AC | AD | 3H")
    assert "3C 2C AC from tableau:0 to foundation:0" in listed(player, position)
    assert player.play(position, Move(0, 64, 3)).foundations == piles("3C 2C AC | | |")
    assert "only a whole run, from the highest rank down to the ace" in objection(player, position, Move(1, 64, 1))
    alone = engine(
        pack={"ranks": 3},
        foundations={"build": "run", "runs": "whole-column"},
        tableau={"build": "any", "moves": "group"},
    )
    assert "only when it is the whole column" in objection(alone, position, Move(0, 64, 3))


def test_forced_cards_go_up_by_themselves() -> None:
    player = engine(foundations={"autoplay": "forced"}, spaces={"after": "any"})
    after = player.play(table("2C | 2H | 9D 3C", foundations="AC | | |", stock="4C 5D"), Move(192, 193, 1))
    assert after.foundations[0] == pile("AC 2C 3C 4C")
    assert after.tableau == piles(" | 2H | 9D")


def test_a_game_without_foundations_is_won_in_columns() -> None:
    player = engine(pack={"ranks": 3}, foundations={"build": "none"}, tableau={"moves": "group"})
    up = table("3C 2C AC | | 3D 2D AD", foundations="")._replace(foundations=())
    assert player.won(up)
    assert not player.won(up._replace(tableau=piles("3C 2C | AC | 3D 2D AD")))
    assert not player.won(up._replace(down=(1, 0, 0)))
    assert not player.won(up._replace(stock=pile("3H")))
    assert "there is no foundation:0" in objection(player, up, Move(0, 64, 3))


# --- reserve and cells -------------------------------------------------------------------------------------------


def test_reserves_may_be_for_the_foundations_only() -> None:
    player = engine(reserve={"piles": 2, "size": 2, "to": "foundation"}, cells={"count": 1, "from": "any"})
    position = table("4C | 8H | 9D", reserve="AS 3C | AH", cells=(None,))
    assert [text for text in listed(player, position) if "from reserve" in text] == [
        "AH from reserve:1 to foundation:2"
    ]
    assert "go only to the foundations" in objection(player, position, Move(96, 0, 1))
    assert "go only to the foundations" in objection(player, position, Move(96, 128, 1))


def test_cells_take_one_card_from_the_columns_or_from_anywhere() -> None:
    position = table("4C 3D | 8H | ", waste="KD", cells=(None, parse_card("7H")))
    columns_only = engine(cells={"count": 2})
    assert [text for text in listed(columns_only, position) if "to cell" in text] == [
        "3D from tableau:0 to cell:0",
        "8H from tableau:1 to cell:0",
    ]
    assert "7H from cell:1 to tableau:1" not in listed(columns_only, position._replace(tableau=piles("4C | 9H | ")))
    assert "7H from cell:1 to tableau:1" in listed(columns_only, position._replace(tableau=piles("4C | 8H | ")))
    anywhere = engine(cells={"count": 2, "from": "any"})
    assert "KD from waste to cell:0" in listed(anywhere, position)
    assert "cell:1 is taken" in objection(anywhere, position, Move(0, 129, 1))
    assert "moving a card between cells changes nothing" in objection(anywhere, position, Move(129, 128, 1))
    assert "only cards of the tableau go to a cell" in objection(columns_only, position, Move(193, 128, 1))


# --- lines of play -----------------------------------------------------------------------------------------------


def test_lines_are_read_with_the_cards_they_name() -> None:
    player, position = engine(), table("9C | 8C | KD", stock="7C")
    moves = [Move(1, 0, 1), Move(192, 193, 1), Move(193, 0, 1)]
    records = line_records(player, position, moves)
    assert records == [
        {"from": "tableau:1", "to": "tableau:0", "cards": ["8C"]},
        {"from": "stock", "to": "waste", "cards": ["7C"]},
        {"from": "waste", "to": "tableau:0", "cards": ["7C"]},
    ]
    assert parse_line(player, position, records) == moves
    records[2]["cards"] = ["7D"]
    with pytest.raises(IllegalMoveError, match=r"^Move 3: 7C from waste to tableau:0 does not move the cards"):
        parse_line(player, position, records)
    records[0]["to"] = "tableau:2"
    with pytest.raises(IllegalMoveError, match=r"^Move 1: 8C from tableau:1 to tableau:2 is not legal: 8C can't be"):
        parse_line(player, position, records)
    records[0] = {"from": "tableau:1"}
    with pytest.raises(InputError, match=r"^Move 1: .* is no move"):
        parse_line(player, position, records)


def test_replay_says_which_move_is_wrong() -> None:
    player, position = engine(), table("9C | 8C | KD", stock="7C")
    assert player.replay(position, [Move(1, 0, 1)]).tableau == piles("9C 8C | | KD")
    with pytest.raises(
        IllegalMoveError, match=r"^Move 2: 1 card from tableau:1 to tableau:0 is not legal: tableau:1 is empty"
    ):
        player.replay(position, [Move(1, 0, 1), Move(1, 0, 1)])


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (table("9C | | KD", waste="7C"), "An automatic step is pending, 7C from waste to tableau:1; give the position"),
        (table("9C | 8H | KD", stock="7C"), "An automatic step is pending, 7C from stock to waste; give the position"),
        (table("9C 8H | 7D | KD", down=(2, 0, 0)), "The top of tableau:0, <8H>, lies face down"),
    ],
)
def test_positions_with_a_step_pending_are_refused(position: Position, message: str) -> None:
    player = engine(spaces={"auto_waste": True}, stock={"auto_turn": True})
    with pytest.raises(InputError, match=message):
        player.require_settled(position)
    player.require_settled(player.settle(position))


def test_a_position_without_the_column_that_the_stock_became_is_refused() -> None:
    player = engine(stock={"becomes_column": True})
    with pytest.raises(InputError, match="The stock is used up and has become a column"):
        player.require_settled(table("9C | 8H | KD", waste="7C"))
