"""The random numbers behind the ``lab`` numbering: xoshiro256** started by SplitMix64, for many seeds side by side.

Both are by David Blackman and Sebastiano Vigna (https://prng.di.unimi.it, public domain). Everything here is integer
arithmetic modulo 2**64, so the numbers are the same on every machine and for ever.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]

_HALF, _LOW_HALF = np.uint64(32), np.uint64(2**32 - 1)


def splitmix64(state: Words) -> Words:
    """The next output of SplitMix64 for every state; the states advance in place."""
    state += np.uint64(0x9E3779B97F4A7C15)
    word = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


def seeded(seeds: Words) -> Words:
    """The xoshiro256** states of seeds: shape (4, seeds), the first four outputs of SplitMix64 for each."""
    splitmix_state = seeds.copy()
    return np.stack([splitmix64(splitmix_state) for _ in range(4)])


def xoshiro256(states: Words) -> Words:
    """The next output of xoshiro256** for every state of shape (4, n); the states advance in place."""
    s0, s1, s2, s3 = states
    output = _rotated(s1 * np.uint64(5), 7) * np.uint64(9)
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3[:] = _rotated(s3, 45)
    return output


def below(states: Words, bound: int) -> Words:
    """An integer uniform in 0 to ``bound - 1`` for every state; ``bound`` is at most 2**32.

    Lemire's method: the upper half of ``bound`` times the upper 32 bits of an output. Products whose lower half is
    less than 2**32 mod ``bound`` would make some integers likelier than others and are drawn again.
    """
    product = (xoshiro256(states) >> _HALF) * np.uint64(bound)
    surplus = np.uint64(2**32 % bound)
    while len(again := np.flatnonzero((product & _LOW_HALF) < surplus)):
        some_states = states[:, again]
        product[again] = (xoshiro256(some_states) >> _HALF) * np.uint64(bound)
        states[:, again] = some_states
    return product >> _HALF


def _rotated(words: Words, bits: int) -> Words:
    return (words << np.uint64(bits)) | (words >> np.uint64(64 - bits))
