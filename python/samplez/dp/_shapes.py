"""The ways in which integer vectors can differ. Proof: docs/proofs/differential-privacy.md, section 2."""

from __future__ import annotations

import math
from functools import lru_cache

# Shifts of several coordinates are enumerated up to this squared length.
ENUMERATED = 32


@lru_cache(maxsize=256)
def shapes(farthest: int, dimension: int) -> tuple[tuple[int, ...], ...]:
    """The shifts v of |v|² <= `farthest` <= 32 that no other exceeds in every coordinate, up to order and signs.

    Entries are positive and fall; zeros are left out.
    """
    found: list[tuple[int, ...]] = []

    def add(entries: list[int], left: int) -> None:
        full = len(entries) == dimension
        if entries and left < (2 * entries[-1] + 1 if full else 1):
            found.append(tuple(entries))
        if not full:
            most = math.isqrt(left)
            for entry in range(min(most, entries[-1]) if entries else most, 0, -1):
                add([*entries, entry], left - entry**2)

    add([], farthest)
    return tuple(found)


def extremes(farthest: int, dimension: int) -> tuple[tuple[int, ...], ...]:
    """A few shifts of |v|² <= `farthest`, of any size: in one coordinate, and as even as few coordinates allow."""
    longest = math.isqrt(farthest)
    found: set[tuple[int, ...]] = {(longest,)}
    for coordinates in (2, 4, 16):
        if coordinates <= min(dimension, farthest):
            found.add((math.isqrt(farthest // coordinates),) * coordinates)
    return tuple(sorted(found))


@lru_cache(maxsize=256)
def groups(farthest: int, dimension: int) -> dict[tuple[int, int], list[list[float]]]:
    """The shifts of `shapes` by (|v|², gcd): for each, the r²/σ² of the ripples of ⟨v, Y⟩, summand by summand."""
    found: dict[tuple[int, int], list[list[float]]] = {}
    for entries in shapes(farthest, dimension):
        square, divisor, parts = 0, 0, []
        for entry in reversed(entries):
            if square:
                step = math.lcm(divisor, entry)
                parts.append(square * entry**2 / ((square + entry**2) * step**2) * (1 - 2.0**-50))
            square, divisor = square + entry**2, math.gcd(divisor, entry)
        found.setdefault((square, divisor), []).append(parts)
    return found


def shift_of_one(squared_floor: int, dimension: int) -> int | None:
    """The only shift, where it is of one coordinate: that of an integer, or ±1."""
    if dimension == 1 or squared_floor == 1:
        return math.isqrt(squared_floor)
    return None
