"""Packs against published values, other programs' deals, and independent reference code."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.cards import card_text, rank_of, suit_of
from solitaire_lab.deals.generator import below, seeded, splitmix64, xoshiro256
from solitaire_lab.deals.numberings import NUMBERINGS, packs
from solitaire_lab.errors import InputError
from solitaire_lab.rules.model import Pack, Rules, Stock

SEEDS = st.integers(0, 2**64 - 1)


def texts(numbering: str, seed: int, **pack: int) -> list[str]:
    return [card_text(card) for card in packs(numbering, [seed], **pack)[0].tolist()]


def chi_square_limit(freedom: int) -> float:
    """What chi-square exceeds once in a thousand times (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + 3.0902 * math.sqrt(spread)) ** 3


def digest(cards: list[str]) -> str:
    return hashlib.sha256(" ".join(cards).encode()).hexdigest()[:16]


# --- lab: the generator -------------------------------------------------------------------------------------------


def test_splitmix64_gives_its_published_numbers() -> None:
    """Rosetta Code, "Pseudo-random numbers/Splitmix64", seed 1234567."""
    state = np.array([1234567], np.uint64)
    assert [int(splitmix64(state)[0]) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_xoshiro256_gives_its_published_numbers() -> None:
    """The vector that implementations of xoshiro256** share (Rust's rand_xoshiro among them), state 1 2 3 4."""
    states = np.array([[1], [2], [3], [4]], np.uint64)
    assert [int(xoshiro256(states)[0]) for _ in range(10)] == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]


class Reference:
    """The documented generator of the lab numbering, once more, in plain Python."""

    MASK = 2**64 - 1

    def __init__(self, seed: int) -> None:
        words = self.splitmix64(seed)
        self.s = [next(words) for _ in range(4)]

    def splitmix64(self, state: int) -> Iterator[int]:
        while True:
            state = (state + 0x9E3779B97F4A7C15) & self.MASK
            z = state
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
            yield z ^ (z >> 31)

    def rotated(self, word: int, bits: int) -> int:
        return ((word << bits) | (word >> (64 - bits))) & self.MASK

    def next(self) -> int:
        s = self.s
        result = (self.rotated((s[1] * 5) & self.MASK, 7) * 9) & self.MASK
        t = (s[1] << 17) & self.MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = self.rotated(s[3], 45)
        return result

    def below(self, bound: int) -> int:
        while True:
            upper, lower = divmod((self.next() >> 32) * bound, 2**32)
            if lower >= 2**32 % bound:
                return upper

    def pack(self, *, decks: int, ranks: int = 13) -> list[str]:
        pack = [rank + suit for _ in range(decks) for suit in "CDHS" for rank in "A23456789TJQK"[:ranks]]
        for i in reversed(range(1, len(pack))):
            j = self.below(i + 1)
            pack[i], pack[j] = pack[j], pack[i]
        return pack


@given(seed=SEEDS, decks=st.sampled_from((1, 2)), ranks=st.integers(1, 13))
def test_lab_packs_are_those_of_the_reference(seed: int, decks: int, ranks: int) -> None:
    assert texts("lab", seed, decks=decks, ranks=ranks) == Reference(seed).pack(decks=decks, ranks=ranks)


@given(seeds=st.lists(SEEDS, min_size=1, max_size=20), bound=st.integers(1, 2**32))
def test_bounded_integers_are_those_of_the_reference(seeds: list[int], bound: int) -> None:
    """Bounds near 2**32, where most draws are rejected, test what happens once in ten million packs."""
    states = seeded(np.array(seeds, np.uint64))
    references = [Reference(seed) for seed in seeds]
    for _ in range(5):
        assert below(states, bound).tolist() == [reference.below(bound) for reference in references]


GOLDEN = [
    (0, {"decks": 1}, "JH 8C 7S AD 4S QC KC 6S", "73d6ebf0bb8640e7"),
    (1, {"decks": 1}, "TC KD 9H TS 8D 6H 5H KS", "9c2f1eb3cd1042de"),
    (2, {"decks": 1}, "3H 9C 8D 5H 8S TS TH JC", "5205d49da6efd4c3"),
    (1000, {"decks": 1}, "KD KS 9H 4D TS 8S JS QD", "5311eb24d94126ac"),
    (9223372036854775808, {"decks": 1}, "9S JH KH 5C 2C 8H TC 6C", "750350177cd66c33"),
    (18446744073709551615, {"decks": 1}, "5H TS QS 4D QH 6H TC KS", "b5c3a1fd218653fa"),
    (1, {"decks": 2}, "JC 5D AS QH 9H KC JC 9S", "d70f693f72ae494d"),
    (18446744073709551615, {"decks": 2}, "6H 4C 4C KC 3D 8S 8H TS", "3000e723bda5d213"),
    (1, {"decks": 1, "ranks": 5}, "5S AD 2C 4H AS 4C 3H 3D", "03ea18ce8a0b4cb4"),
    (1, {"decks": 2, "suits": 2}, "JS 5H AS QH 9H KS JS 9S", "1c0c8ade8812883c"),
    (1, {"decks": 2, "suits": 1}, "JS 5S AS QS 9S KS JS 9S", "a1a894f529725b90"),
]
"""Fixed for ever: whoever changes one of these has made another numbering and must give it another name."""


@pytest.mark.parametrize(("seed", "pack", "first", "sha256"), GOLDEN)
def test_lab_packs_are_fixed_for_ever(seed: int, pack: dict[str, int], first: str, sha256: str) -> None:
    cards = texts("lab", seed, **pack)
    assert (" ".join(cards[:8]), digest(cards)) == (first, sha256)


def test_lab_packs_are_uniform() -> None:
    """Every card is as likely in every place, and every pair of neighbours as any other, by chi-square.

    The seeds are fixed, so this can't fail by chance; of all generators one in a thousand would fail each half.
    """
    count = 100_000
    dealt = packs("lab", range(count), decks=1)
    places = np.stack([np.bincount(dealt[:, place], minlength=52) for place in range(52)])
    expected = count / 52
    # 51 free frequencies in each of 51 places
    assert ((places - expected) ** 2 / expected).sum() < chi_square_limit(51 * 51)
    pairs = np.bincount((dealt[:, :-1].astype(np.int64) * 52 + dealt[:, 1:]).ravel(), minlength=52 * 52)
    assert not pairs.reshape(52, 52).diagonal().any()
    expected = count * 51 / (52 * 51)
    assert ((pairs - expected) ** 2 / expected)[pairs > 0].sum() < chi_square_limit(52 * 51 - 1)


def test_tiny_lab_packs_take_all_orders_equally_often() -> None:
    """Four cards have 24 orders."""
    count = 48_000
    orders = Counter(map(tuple, packs("lab", range(count), decks=1, ranks=1).tolist()))
    assert len(orders) == 24
    statistic = sum((seen - count / 24) ** 2 / (count / 24) for seen in orders.values())
    assert statistic < chi_square_limit(23)


def test_neighbouring_and_far_seeds_name_different_packs() -> None:
    seeds = [*range(2_000), *(2**bit for bit in range(11, 64)), *range(2**64 - 2_000, 2**64)]
    assert len({row.tobytes() for row in packs("lab", seeds, decks=1)}) == len(seeds)


# --- other programs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbering", "number", "decks", "first", "sha256"),
    [
        ("pysol", 1, 1, "JD 2D 9H JC 5D 7H 7C 5H", "dfc7f8b31adf124d"),
        ("pysol", 24, 1, "4C 5H QC 5D 2D 7H AH 7S", "2946cad8c0de01b2"),
        ("pysol", 31999, 1, "JD JH AD QH KH 6S 6D JC", "d152047bff6dcc15"),
        ("pysol", 32000, 1, "7S 4D JS 8D 6D 3H 3D TH", "f9b47b49f474e6ba"),
        ("microsoft", 32000, 1, "QD 8D QS 4H 2C JC 2D TH", "ab2fe3e2feabe8dc"),
        ("pysol", 100000, 1, "5C 2D 9H 6D TH 4S TD 4H", "fc5d1b50f1520a16"),
        ("microsoft", 6000000000, 1, "2D 3D 4D KH TD QH 5C 6D", "861a94508cd7a7f3"),
        ("pysol", 1, 2, "3D 5H JC KH 5S 5H KC KC", "da24703f53cd7a5d"),
        ("pysol", 100000, 2, "TC 4H 6S 2D 9S 9H 4D QC", "9c7248bcf832fab7"),
    ],
)
def test_pysol_and_microsoft_packs(numbering: str, number: int, decks: int, first: str, sha256: str) -> None:
    """Recorded from PySolFC 3.6.1, whose ``ms32000`` is Microsoft's 32000."""
    cards = texts(numbering, number, decks=decks)
    assert (" ".join(cards[:8]), digest(cards)) == (first, sha256)


@pytest.mark.parametrize(
    ("number", "rows"),
    [
        (
            1,
            """
            JD 2D 9H JC 5D 7H 7C 5H
            KD KC 9S 5S AD QC KH 3H
            2S KS 9D QD JS AS AH 3C
            4C 5C TS QH 4H AC 4D 7S
            3S TD 4S TH 8H 2C JH 7D
            6D 8S 8D QS 6C 3D 8C TC
            6S 9C 2H 6H
            """,
        ),
        (
            617,
            """
            7D AD 5C 3S 5S 8C 2D AH
            TD 7S QD AC 6D 8H AS KH
            TH QC 3H 9D 6S 8D 3D TC
            KD 5H 9S 3C 8S 7H 4D JS
            4C QS 9C 9H 7C 6H 2C 2S
            4S TS 2H 5D JC 6C JH QH
            JD KS KC 4H
            """,
        ),
    ],
)
def test_microsoft_freecell_deals(number: int, rows: str) -> None:
    """Microsoft's FreeCell deals row by row; both deals are given on Rosetta Code, "Deal cards for FreeCell"."""
    assert texts("microsoft", number, decks=1) == rows.split()


def test_solvitaire_klondike_deal() -> None:
    """Seed 1 of Klondike shows 9D AS JC 6D JH AH JD, says Solvitaire's README.

    From the end of the pack, the stock of 24 is dealt first, then the columns row by row, a triangle's rows from
    the right.
    """
    dealt = reversed(texts("solvitaire", 1, decks=1)[:-24])
    columns: list[list[str]] = [[] for _ in range(7)]
    for row in range(7):
        for column in reversed(range(row, 7)):
            columns[column].append(next(dealt))
    assert [column[-1] for column in columns] == ["9D", "AS", "JC", "6D", "JH", "AH", "JD"]


# --- what all have in common -------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbering", NUMBERINGS)
@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("suits", [4, 2, 1])
def test_packs_are_whole(numbering: str, decks: int, suits: int) -> None:
    rules = Rules(pack=Pack(decks=decks, suits=suits), stock=Stock(turn=1))
    dealt = packs(numbering, range(31_990, 32_010), decks=decks, suits=suits)
    assert dealt.dtype == np.uint8
    assert all(tuple(sorted(row)) == rules.pack_cards for row in dealt.tolist())


def test_fewer_suits_stand_for_their_colour() -> None:
    whole = packs("lab", range(50), decks=1)[0].tolist()
    fewer = packs("lab", range(50), decks=1, suits=2)[0].tolist()
    assert [rank_of(card) for card in fewer] == [rank_of(card) for card in whole]
    assert [suit_of(card) for card in fewer] == [(3, 2, 2, 3)[suit_of(card)] for card in whole]


@pytest.mark.parametrize("numbering", NUMBERINGS)
def test_a_pack_depends_on_its_seed_alone(numbering: str) -> None:
    """Neither on the seeds beside it nor on their order; 31,999 and 32,000 use different generators in PySolFC."""
    seeds = [40_000, 3, 31_999, 2**31 - 1, 32_000, 1, 3, *range(5_000, 8_000)]
    together = packs(numbering, seeds, decks=1)
    for index in [*range(7), 1_000, 2_047, 2_048, len(seeds) - 1]:
        assert together[index].tolist() == packs(numbering, [seeds[index]], decks=1)[0].tolist()


def test_seeds_may_be_a_numpy_array() -> None:
    seeds = np.array([2**64 - 1, 5], np.uint64)
    assert packs("lab", seeds, decks=1).tolist() == packs("lab", seeds.tolist(), decks=1).tolist()
    assert seeds.tolist() == [2**64 - 1, 5]


def test_no_seeds_no_packs() -> None:
    assert packs("lab", [], decks=2).shape == (0, 104)


@pytest.mark.parametrize(
    ("numbering", "seed", "limits"),
    [
        ("lab", -1, "0 to 18446744073709551615"),
        ("lab", 2**64, "0 to 18446744073709551615"),
        ("pysol", 0, "1 to 18446744073709551615"),
        ("microsoft", 0, "1 to 8589934591"),
        ("microsoft", 2**33, "1 to 8589934591"),
        ("solvitaire", 2**31, "0 to 2147483647"),
    ],
)
def test_a_seed_out_of_range_is_refused(numbering: str, seed: int, limits: str) -> None:
    with pytest.raises(InputError, match=f"Seed {seed} names no deal: .* {numbering} .* {limits}"):
        packs(numbering, [1, seed], decks=1)


def test_an_unknown_numbering_is_refused() -> None:
    with pytest.raises(InputError, match="'pysolfc' is no numbering; there are lab, pysol, microsoft, solvitaire"):
        packs("pysolfc", [1], decks=1)


@pytest.mark.parametrize("numbering", ["pysol", "microsoft", "solvitaire"])
def test_shrunken_packs_of_other_programs_are_refused(numbering: str) -> None:
    with pytest.raises(InputError, match="whole packs only, not packs of 5 ranks"):
        packs(numbering, [1], decks=1, ranks=5)
