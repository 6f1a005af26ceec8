"""Seeds and blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.errors import InputError
from solitaire_lab.results.rows import BLOCK, SeedRange


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1:100", 1, 100),
        (" 7 : 7 ", 7, 7),
        ("0:1_000_000", 0, 1_000_000),
        ("1,000:2,000,000", 1_000, 2_000_000),
        ("18446744073709551615:18446744073709551615", 2**64 - 1, 2**64 - 1),
    ],
)
def test_ranges_are_read(text: str, first: int, last: int) -> None:
    assert SeedRange.parse(text) == SeedRange(first, last)


@pytest.mark.parametrize(
    "text",
    [
        "5:1",
        "-1:5",
        "1:18446744073709551616",
        "1",
        "",
        "1:",
        "a:b",
        "1:2:3",
        "1.0:2",
        "1-5",
        "१:२",
        "1_:2",
        "1:1__0",
        "1:1,00",
        "1:1,000_000",
        "1:1e6",
        f"1:{'9' * 5000}",
    ],
)
def test_what_is_no_range_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match=r"such as 1:100\.$"):
        SeedRange.parse(text)


def test_all_seeds_there_are_can_be_counted() -> None:
    everything = SeedRange(0, 2**64 - 1)
    assert everything.count == 2**64
    assert everything.blocks[-1] == 18_446_744_073_709_551
    assert everything.in_block(everything.blocks[-1]) == SeedRange(18_446_744_073_709_551_000, 2**64 - 1)


@given(st.integers(0, 10**19), st.integers(0, 5_000))
def test_blocks_split_a_range_at_multiples_of_a_thousand(first: int, more: int) -> None:
    seeds = SeedRange(first, min(first + more, 2**64 - 1))
    parts = [seeds.in_block(block) for block in seeds.blocks]
    assert [seed for part in parts for seed in part] == list(seeds)
    assert all(seed // BLOCK == block for block, part in zip(seeds.blocks, parts, strict=True) for seed in part)
