"""Noise for one release of one integer: the least σ², and the least from which every larger one keeps the guarantee too.

Proof: docs/proofs/accountant.md, section 9. δ is not monotone in σ², so both are found by bounds of δ over whole intervals of σ².
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

# Events that are looked at one by one, the first and the least relative length of an interval, and the least σ² that is returned.
_EVENTS = 8
_FIRST, _LEAST = 2.0**-4, 2.0**-36
_NARROWEST = Fraction(1, 1 << 16)
# The largest σ² at which a search begins, and the relative error of a tail and of e^ε.
WIDEST = Fraction(1 << 8)
_SLACK = 2.0**-40
# The least tail that is precise, and the least δ that is searched for.
_TINY = 2.0**-930
LEAST_DELTA = 2.0**-900


@lru_cache(maxsize=512)
def _weights(sigma_squared: Fraction) -> tuple[list[float], float]:
    """exp(-x²/2σ²) for x from 0 on, down to 2^-1010, and their sum over all integers. An exponent is off by less than 2^-42."""
    double = 2 * float(sigma_squared)
    weights = [math.exp(-x * x / double) for x in range(math.isqrt(math.ceil(700 * double)) + 1)]
    return weights, 2 * math.fsum(weights) - 1


def _tail(sigma_squared: Fraction, first: int) -> float:
    """P[X >= first] of D_{Z,σ}, within the relative error `_SLACK` / 2 where it is at least `_TINY`."""
    if first <= 0:
        return 1 - _tail(sigma_squared, 1 - first)
    weights, total = _weights(sigma_squared)
    # What follows 2^-60 of the first summand is less than 2^-50 of the sum.
    end = math.isqrt(first * first + math.ceil(84 * sigma_squared)) + 2
    return math.fsum(weights[first:end]) / total


class Release:
    """One integer of this sensitivity, and a goal: δ(ε) of its noise, for an ε up to 700."""

    def __init__(self, epsilon: Fraction, delta: Fraction, shift: int) -> None:
        self._epsilon, self._shift = epsilon, shift
        self._goals = float(delta) * (1 - 2.0**-52), float(delta) * (1 + 2.0**-52)
        self._factor = math.exp(float(epsilon))

    def _events(self, low: Fraction, high: Fraction) -> tuple[int, int]:
        """The least integers of the worst events, at both ends."""
        first, last = (math.floor(self._epsilon * s2 / self._shift - Fraction(self._shift, 2)) + 1 for s2 in (low, high))
        return first, last

    def _most(self, low: Fraction, high: Fraction) -> float:
        """An upper bound of δ for every σ² from `low` to `high`."""
        first, last = self._events(low, high)
        events = [(m, m + self._shift) for m in range(first, last + 1)] if last - first < _EVENTS else [(first, last + self._shift)]
        bounds = []
        for near, far in events:
            off = _tail(low, far)
            bounds.append(
                max(_tail(high if near >= 1 else low, near), _TINY) * (1 + _SLACK) - self._factor * (1 - _SLACK) * (off if off >= _TINY else 0.0)
            )
        return max(bounds)

    def _fewest(self, low: Fraction, high: Fraction) -> float:
        """A lower bound of δ for every σ² from `low` to `high`."""
        first, last = self._events(low, high)
        bounds = []
        # Each event gives a bound: just below the σ² at which the next one becomes the worst, it is nearly so already.
        for near in range(first, min(last, first + _EVENTS) + 2):
            at = _tail(low if near >= 1 else high, near)
            bounds.append((at if at >= _TINY else 0.0) * (1 - _SLACK) - self._factor * (1 + _SLACK) * max(_tail(high, near + self._shift), _TINY))
        return max(bounds)

    def from_above(self, enough: Fraction) -> Fraction:
        """A σ² from which every one up to `enough` keeps the goal, close to the least such."""
        end, length, goal = enough, _FIRST, self._goals[0]
        while length >= _LEAST and end > _NARROWEST:
            start = short(end * Fraction(1 / (1 + length)))
            if start < end and self._most(start, end) <= goal:
                end, length = start, min(2 * length, 0.25)
            else:
                length /= 2
        return end

    def from_below(self, enough: Fraction) -> Fraction | None:
        """The σ² below which none keeps the goal, and which itself does: within 2^-18 of the least, and at most `enough`. None if doubles do not
        decide it."""
        # Below 1/(2ε + 4), P[X >= 0] is above 1/2 and e^ε·P[X >= 1] below 1/4. That is more than a goal below 1/4.
        start, length, goal = short(1 / (2 * self._epsilon + 4)), _FIRST, self._goals[1]
        if goal >= 0.25:
            return None
        while length >= _LEAST and start < enough:
            end = min(short(start * Fraction(1 + length)), enough)
            if end > start and self._fewest(start, end) > goal:
                start, length = end, min(2 * length, 0.25)
            else:
                length /= 2
        above = (min(short(start * (1 + Fraction(1, 1 << power))), enough) for power in range(36, 18, -1))
        return next((s2 for s2 in (start, *above) if self._most(s2, s2) <= self._goals[0]), None)


def short(x: Fraction) -> Fraction:
    """The number of 38 bits next above."""
    power = x.numerator.bit_length() - x.denominator.bit_length() - 38
    unit = Fraction(2) ** power
    return math.ceil(x / unit) * unit
