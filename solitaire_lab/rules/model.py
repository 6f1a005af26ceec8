"""What a game is: the words of which every game's rules are made.

``Rules`` is a frozen record of seven groups of parameters. Everything that follows from them (heights of the
columns, cards in the stock) is derived here, and rules that contradict each other are refused here, so that the
engine and the solver can take any ``Rules`` as playable.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from solitaire_lab.cards import RANKS, Card, card, parse_rank

MAX_COLUMNS = 36
MAX_RESERVES = 16
MAX_CELLS = 16
MAX_REDEALS = 200


def _whole(value: Any) -> Any:
    """Refuse what equals a whole number without being one, such as ``true``."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("not a whole number")
    return value


def _base_text(value: Any) -> Any:
    """Accept a rank as a number or as its character."""
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 13:
        return RANKS[value - 1]
    return "T" if value == "10" else value


Base: TypeAlias = Annotated[
    Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "dealt"],
    BeforeValidator(_base_text),
]
Count: TypeAlias = Annotated[int, Field(ge=0, le=104, strict=True)]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]


class ContradictionError(ValueError):
    """Rules that can't be played together; ``args`` holds a clause for each reason."""

    def __str__(self) -> str:
        return "; ".join(self.args)


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_by_name=True, serialize_by_alias=True)


class Pack(_Group):
    """Which cards are played with."""

    decks: Annotated[Literal[1, 2], BeforeValidator(_whole)] = 1
    ranks: Annotated[int, Field(ge=1, le=13, strict=True)] = 13
    """Ranks of each suit, from the ace; 13 but for shrunken packs."""
    suits: Annotated[Literal[1, 2, 4], BeforeValidator(_whole)] = 4
    """Different suits: 4; 2 (hearts and spades) or 1 (spades), with as many cards in all."""


class Foundations(_Group):
    """Where cards go to win, one pile for each suit of each deck."""

    base: Base = "A"
    """The first rank, or ``dealt``: the rank of the first card of the pack."""
    placed: Literal["none", "one", "all"] = "none"
    """How many base cards lie on their foundations when play begins."""
    build: Literal["suit", "alternating", "run", "alternating-run", "none"] = "suit"
    """Up in suit or in alternating colour, card by card; a whole suit or a whole alternating run at once, when it
    stands in the tableau from the highest rank down; or none: the game is won in the tableau."""
    wrap: Flag = False
    """Whether an ace follows the highest rank."""
    runs: Literal["anywhere", "whole-column"] = "anywhere"
    """For whole runs: from the end of any column, or only when the run is the whole column."""
    return_: Annotated[Literal["off", "on", "base-too"], Field(alias="return")] = "off"
    """Whether the top card may come back (worrying back), and the base card too."""
    autoplay: Literal["optional", "forced"] = "optional"
    """Forced: a card that can go up goes up by itself."""


class Tableau(_Group):
    """The columns and what may be built on them."""

    columns: Annotated[int, Field(ge=1, le=MAX_COLUMNS, strict=True)] = 1
    layout: Count | tuple[Count, ...] | Literal["triangle", "even"] = 1
    """Cards dealt to a column: a number, a number for each, 1 2 3 … (triangle), or what is left of the pack, row
    by row (even)."""
    down: Count | tuple[Count, ...] | Literal["all-but-top"] = 0
    """Face-down cards at the bottom of a column: a number, a number for each, or all but the top card."""
    build: Literal["suit", "alternating", "any", "colour", "none"] = "suit"
    direction: Literal["down", "up", "both"] = "down"
    wrap: Literal["off", "on", "not-on-base"] = "off"
    """Whether the highest rank and the ace are neighbours; not-on-base: they are, but nothing may be built on a
    card of the base rank."""
    moves: Literal["single", "whole", "top-or-whole", "run", "suit-run", "group"] = "single"
    """What moves between columns: the top card; a whole column that is one built run; either; any part of a built
    run; any part of a built run in suit; any face-up card with everything on it."""
    capacity: Annotated[int, Field(ge=1, le=104, strict=True)] | Literal["unlimited"] = "unlimited"
    """The most cards that a column may have by building."""


class Spaces(_Group):
    """How an empty column is filled."""

    while_reserve: Literal["auto", "manual", "free"] = "free"
    """While the reserve lasts: from it at once; from it only, by hand; or, by hand, from whatever ``after`` lets in,
    the top of the reserve among it (where ``after`` is waste, from the reserve or the waste)."""
    after: Literal["any", "king", "waste", "none"] = "any"
    """Without a reserve, or when it is used up: any card that may move, the highest rank only, the top of the waste
    only, or nothing."""
    auto_waste: Flag = False
    """Whether the top of the waste, if there is one, fills a space at once."""


class Reserve(_Group):
    """Piles from which cards are only played out."""

    piles: Annotated[int, Field(ge=0, le=MAX_RESERVES, strict=True)] = 0
    size: Count = 0
    face: Literal["top", "up"] = "up"
    """Whether only the top card is face up, or all are."""
    to: Literal["any", "foundation"] = "any"


class Cells(_Group):
    """Places for one card each."""

    count: Annotated[int, Field(ge=0, le=MAX_CELLS, strict=True)] = 0
    filled: Annotated[int, Field(ge=0, le=MAX_CELLS, strict=True)] = 0
    """How many hold a card when play begins, from the first on."""
    from_: Annotated[Literal["tableau", "any"], Field(alias="from")] = "tableau"


class Stock(_Group):
    """The undealt cards: turned to the waste, or dealt to the columns row by row."""

    turn: Count = 0
    """Cards turned to the waste at a time; 0 if the game has no waste."""
    row: Annotated[int, Field(ge=0, le=MAX_COLUMNS, strict=True)] = 0
    """Columns, from the first on, that get a card each when a row is dealt; 0 if no rows are dealt."""
    redeals: Annotated[int, Field(ge=0, le=MAX_REDEALS, strict=True)] | Literal["unlimited"] = 0
    """How often the waste is turned over, in order, to be the stock again."""
    blocked_by_space: Flag = False
    """Whether a row may not be dealt while a column is empty."""
    auto_turn: Flag = False
    """Whether the stock is turned by itself when the waste is empty."""
    becomes_column: Flag = False
    """Whether the place of the used-up stock becomes one more column."""


class Dealing(_Group):
    """What is done to the layout before play."""

    kings: Literal["as-dealt", "slide", "swap", "own-suit"] = "as-dealt"
    """Cards of the highest rank: left; put at the bottom of their column, the others keeping their order; exchanged
    with the lowest other card of the column; or put below the lowest card of their own suit that they lie on."""


class Rules(_Group):
    """All rules of a game.

    Raises:
        pydantic.ValidationError: an unknown key, a value outside its range, or rules that contradict each other.
    """

    pack: Pack = Pack()
    foundations: Foundations = Foundations()
    tableau: Tableau = Tableau()
    spaces: Spaces = Spaces()
    reserve: Reserve = Reserve()
    cells: Cells = Cells()
    stock: Stock = Stock()
    deal: Dealing = Dealing()

    @model_validator(mode="after")
    def _refuse_contradictions(self) -> Rules:
        reasons = list(_contradictions(self))
        if reasons:
            raise ContradictionError(*reasons)
        return self

    @cached_property
    def pack_cards(self) -> tuple[Card, ...]:
        """Every card that is played with, sorted; twins stand as often as they occur."""
        return tuple(
            sorted(
                card(rank, suit)
                for _ in range(self.pack.decks)
                for suit in SUITS_IN_PLAY[self.pack.suits]
                for rank in range(1, self.pack.ranks + 1)
            )
        )

    @cached_property
    def foundation_suits(self) -> tuple[int, ...]:
        """The suit of each foundation, in order; meaningful only where foundations are built in suit."""
        return tuple(sorted(SUITS_IN_PLAY[self.pack.suits] * self.pack.decks))

    @cached_property
    def placed_count(self) -> int:
        """Base cards that lie on foundations when play begins."""
        return {"none": 0, "one": 1, "all": 4 * self.pack.decks}[self.foundations.placed]

    @cached_property
    def heights(self) -> tuple[int, ...]:
        """Cards dealt to each column."""
        return _heights(self)

    @cached_property
    def downs(self) -> tuple[int, ...]:
        """Face-down cards of each column when play begins."""
        down = self.tableau.down
        if down == "all-but-top":
            return tuple(max(0, height - 1) for height in self.heights)
        return (down,) * self.tableau.columns if isinstance(down, int) else down

    @cached_property
    def stock_size(self) -> int:
        """Cards left for the stock."""
        return len(self.pack_cards) - _dealt_elsewhere(self) - sum(self.heights)

    @cached_property
    def fixed_base(self) -> int | None:
        """The base rank, 1 to 13, or None if it is dealt."""
        return None if self.foundations.base == "dealt" else parse_rank(self.foundations.base)


SUITS_IN_PLAY: dict[int, tuple[int, ...]] = {4: (0, 1, 2, 3), 2: (3, 2, 2, 3), 1: (3, 3, 3, 3)}
"""What clubs, diamonds, hearts and spades are played as, by the number of different suits; two keep their colours."""


def _dealt_elsewhere(rules: Rules) -> int:
    return rules.placed_count + rules.reserve.piles * rules.reserve.size + rules.cells.filled


def _heights(rules: Rules) -> tuple[int, ...]:
    columns, layout = rules.tableau.columns, rules.tableau.layout
    if layout == "triangle":
        return tuple(range(1, columns + 1))
    if layout == "even":
        rest = max(0, len(rules.pack_cards) - _dealt_elsewhere(rules))
        return tuple(rest // columns + (column < rest % columns) for column in range(columns))
    return (layout,) * columns if isinstance(layout, int) else layout


def _contradictions(rules: Rules) -> Iterator[str]:
    """Why these rules can't be played, a clause each; nothing if they can."""
    yield from _layout_contradictions(rules)
    yield from _foundation_contradictions(rules)
    yield from _source_contradictions(rules)


def _layout_contradictions(rules: Rules) -> Iterator[str]:
    tableau, cells = rules.tableau, rules.cells
    for key, values in (("layout", tableau.layout), ("down", tableau.down)):
        if isinstance(values, tuple) and len(values) != tableau.columns:
            yield f"tableau.{key} is a list of {len(values)}, but tableau.columns is {tableau.columns}"
            return
    if any(down > max(0, height - 1) for down, height in zip(rules.downs, rules.heights, strict=True)):
        yield "tableau.down leaves a column without a face-up card; it must be less than the cards of each column"
    if cells.filled > cells.count:
        yield f"cells.filled is {cells.filled}, but there are only {cells.count} cells"
    if (rules.reserve.piles == 0) != (rules.reserve.size == 0):
        yield "reserve.piles and reserve.size must both be 0 or both be more"
    if rules.stock_size < 0:
        need = len(rules.pack_cards) - rules.stock_size
        yield f"tableau.layout and what else is dealt need {need} cards, but the pack has {len(rules.pack_cards)}"
    if tableau.capacity != "unlimited" and max(rules.heights) > tableau.capacity:
        yield f"tableau.capacity is {tableau.capacity}, but a column is dealt {max(rules.heights)} cards"


def _foundation_contradictions(rules: Rules) -> Iterator[str]:
    pack, foundations = rules.pack, rules.foundations
    base, runs = rules.fixed_base, foundations.build in ("run", "alternating-run", "none")
    if base is not None and base > pack.ranks:
        yield f"foundations.base is {foundations.base}, but the pack has only {pack.ranks} ranks"
    if runs and (foundations.base != "A" or foundations.placed != "none"):
        yield f"foundations.build {foundations.build} takes no base card; base must be A and placed none"
    if base is None and foundations.placed == "none":
        yield "foundations.base is dealt, so foundations.placed must be one or all"
    if not runs and base != 1 and not foundations.wrap and pack.ranks > 1:
        yield "foundations.base is above the ace, so foundations.wrap must be true for them to hold all cards"
    if foundations.build == "alternating" and pack.suits == 1:
        yield "foundations.build is alternating, but a pack of one suit has one colour"
    if foundations.build == "alternating-run" and pack.suits == 1:
        yield "foundations.build is alternating-run, but a pack of one suit has one colour"
    if foundations.runs == "whole-column" and foundations.build not in ("run", "alternating-run"):
        yield "foundations.runs is whole-column, but foundations.build is not a run"
    if foundations.autoplay == "forced" and foundations.return_ != "off":
        yield "foundations.autoplay forced sends a returned card straight back; foundations.return must be off"
    if foundations.build == "none" and (foundations.return_ != "off" or foundations.autoplay == "forced"):
        yield "foundations.build is none, so foundations.return must be off and foundations.autoplay optional"


def _source_contradictions(rules: Rules) -> Iterator[str]:
    spaces, reserve, stock = rules.spaces, rules.reserve, rules.stock
    if spaces.while_reserve != "free" and reserve.piles == 0:
        yield f"spaces.while_reserve is {spaces.while_reserve}, but there is no reserve to fill from"
    if spaces.while_reserve != "free" and reserve.piles and reserve.to == "foundation":
        yield f"spaces.while_reserve is {spaces.while_reserve}, but reserve.to is foundation"
    if stock.turn and stock.row:
        yield "stock.turn and stock.row exclude each other: cards go to the waste or to the columns"
    if stock.row > rules.tableau.columns:
        yield f"stock.row is {stock.row}, but there are only {rules.tableau.columns} columns"
    if rules.stock_size > 0 and not stock.turn and not stock.row:
        yield f"stock.turn and stock.row are 0, but {rules.stock_size} cards are left over; one must say where they go"
    if not stock.turn:
        for key, needs in (
            ("stock.redeals", stock.redeals != 0),
            ("stock.auto_turn", stock.auto_turn),
            ("spaces.auto_waste", spaces.auto_waste),
            ("spaces.after waste", spaces.after == "waste"),
        ):
            if needs:
                yield f"{key} needs a waste, but stock.turn is 0"
    if stock.blocked_by_space and not stock.row:
        yield "stock.blocked_by_space is about dealing rows, but stock.row is 0"
    if stock.becomes_column and (stock.redeals != 0 or not stock.turn):
        yield "stock.becomes_column needs a stock that is turned once; stock.redeals must be 0"
    if stock.becomes_column and rules.tableau.columns == MAX_COLUMNS:
        yield f"stock.becomes_column needs room for one more column than {MAX_COLUMNS}"
