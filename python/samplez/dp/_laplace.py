"""Discrete Laplace noise, exact, in a time independent of the noise. Proof: docs/proofs/differential-privacy.md.

P(X = x) is proportional to exp(-|x|/scale). X is the difference of two geometric numbers, P(G = g) proportional to
exp(-g/scale). The bits of such a number are independent coins: bit j is 1 with probability 1/(1 + exp(2^j/scale)). So
the scale alone determines how many words are drawn. Each word is compared with 64 bits of its coin's probability. Where
they are equal, once in 2^64 times, more bits are drawn and compared with more, until they differ.

Departure from [CKS20], Algorithm 2, whose law this is. There a uniform number is rejected and a geometric one counted
up, so that the time grows with the result.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Words = Callable[[int], "npt.NDArray[np.uint64]"]
"""So many words of 64 random bits."""

_MASK = 2**64 - 1
# Bits are drawn up to the first for which exp(-2^j/scale) is below exp(-100).
_BEYOND = 100
# The scales that are served.
SMALLEST, LARGEST = Fraction(1, 2**10), Fraction(2**50)


def leading(x: Fraction, one: int, words: int) -> int:
    """⌊2^(64·words)/(one + e^x)⌋ for x > 0, exactly: between two decimals, of as many digits as it takes."""
    digits = 20 * words + 30
    while True:
        ends = []
        for rounding, outward in ((ROUND_FLOOR, Decimal.next_minus), (ROUND_CEILING, Decimal.next_plus)):
            with localcontext(Context(prec=digits, rounding=rounding)) as context:
                quotient = Decimal(x.numerator) / Decimal(x.denominator)
                # Correctly rounded, whatever the context says: a unit outward is a bound.
                power = Fraction(outward(context.exp(quotient), context))
            ends.append((1 << 64 * words) * power.denominator // (one * power.denominator + power.numerator))
        if ends[0] == ends[1]:
            return ends[0]
        digits *= 2


def _decide(x: Fraction, one: int, words: Words) -> bool:
    """The coin of probability 1/(one + e^x), given that its first word is equal to that of the probability."""
    count = 2
    while (word := int(words(1)[0])) == (digit := leading(x, one, count) & _MASK):
        count += 1
    return word < digit


class _Coin(NamedTuple):
    """A coin of probability 1/(one + e^x)."""

    x: Fraction
    one: int
    threshold: np.uint64
    """The leading 64 bits of the probability."""

    @classmethod
    def of(cls, x: Fraction, one: int) -> _Coin:
        return cls(x, one, np.uint64(leading(x, one, 1)))

    def toss(self, size: int, words: Words) -> npt.NDArray[np.int64]:
        """So many, as 0 and 1."""
        drawn = words(size)
        result: npt.NDArray[np.int64] = (drawn < self.threshold).astype(np.int64)
        for place in np.flatnonzero(drawn == self.threshold):
            result[place] = _decide(self.x, self.one, words)
        return result


@lru_cache(maxsize=64)
def _coins(scale: Fraction) -> tuple[list[_Coin], _Coin]:
    """The coins of the bits, and the one that decides whether there is more: it fails, except with probability
    exp(-100)."""
    bits = 0
    while (1 << bits) < _BEYOND * scale:
        bits += 1
    return [_Coin.of((1 << bit) / scale, 1) for bit in range(bits)], _Coin.of((1 << bits) / scale, 0)


def _geometric(scale: Fraction, size: int, words: Words) -> npt.NDArray[np.int64]:
    """So many G of P(G = g) proportional to exp(-g/scale)."""
    coins, more = _coins(scale)
    result = np.zeros(size, np.int64)
    for bit, coin in enumerate(coins):
        result += coin.toss(size, words) << bit
    for place in np.flatnonzero(more.toss(size, words)):
        above = 1
        while more.toss(1, words)[0]:
            above += 1
        result[place] += above << len(coins)
    return result


def discrete_laplace(scale: Fraction, size: int, words: Words) -> npt.NDArray[np.int64]:
    """So many independent X of P(X = x) proportional to exp(-|x|/scale), for a scale from `SMALLEST` to `LARGEST`."""
    return _geometric(scale, size, words) - _geometric(scale, size, words)
