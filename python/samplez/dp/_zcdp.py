"""Zero-concentrated privacy, and the cost of distances. Proofs: docs/proofs/differential-privacy.md."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from samplez._numbers import shown
from samplez.dp._arguments import Query

# The least that a bound is given as: from here on doubles are precise.
TINY = 2.0**-1000
# Parameters beyond it are taken as it, to the safe side.
LARGE = Fraction(10**300)
# Significant bits of the results of a search.
_SEARCHED = 20
# 2π², from below.
_TWO_PI_SQUARED = 19.7392


def rho_of_noise(query: Query, sigma_squared: Fraction) -> Fraction:
    """ρ of all releases. The noise of one client alone gives a bound, too."""
    alone = query.squared / (2 * sigma_squared)
    if query.clients == 1:
        return query.releases * alone
    off = query.moved * ripple_of_sum(sigma_squared, query.clients)
    return query.releases * (min(alone, alone / query.clients + Fraction(off)) if math.isfinite(off) else alone)


def ripple(squared: float) -> float:
    """Returns at least ln(max/min) of the sum of exp(-(x - c)²/(2r²)) over the integers x, over all c, for r² =
    `squared`. The sum is r·sqrt(2π)·(1 + 2 Σ q^(j²) cos 2πjc) with q = exp(-2π²r²), and Σ q^(j²) <= q/(1 - q³).
    """
    q = max(TINY, math.exp(-_TWO_PI_SQUARED * squared * (1 - 2.0**-40)) * (1 + 2.0**-40))
    e = 2 * q / (1 - q**3)
    return 2 * e / (1 - e * e) * (1 + 2.0**-40) if e < 0.5 else math.inf


def ripple_of_sum(sigma_squared: Fraction, clients: int) -> float:
    """The same for the law of a sum of discrete Gaussians, against the discrete Gaussian of their summed σ²."""
    each = float(min(sigma_squared, LARGE))
    first = min(clients - 1, 64)
    terms = [ripple(each * k / (k + 1)) for k in range(1, first + 1)]
    # The terms decrease.
    return (sum(terms) + (clients - 1 - first) * terms[-1]) * (1 + 2.0**-40)


@lru_cache(maxsize=4096)
def zcdp_delta(rho: Fraction, epsilon: Fraction) -> float:
    """`delta_of_rho`."""
    if rho > LARGE:
        return 1.0
    r, e = max(float(rho), TINY) * (1 + 2.0**-50), float(min(epsilon, LARGE)) * (1 - 2.0**-50)
    # Around the order that minimizes the exponent alone, or what it is where ε is small.
    middle = min(max((e / r - 1) / 2, 1 / math.sqrt(2 * r)), 1e13)

    def log(k: int) -> float:
        order = 1 + middle * 1.01**k
        return (order - 1) * (order * r - e) + order * math.log1p(-1 / order) - math.log(order - 1) if order > 1 else 0.0

    # Every order gives a bound, so the search may miss the least one.
    near = min(range(-400, 401, 16), key=log)
    best = min(0.0, *map(log, range(near - 15, near + 16)))
    # The roundings of the exponent are covered by those of r and e, which are larger and to the safe side.
    return min(1.0, max(TINY, math.exp(best) * (1 + 1e-9)))


def with_distance(delta: float, epsilon: Fraction, distance: Fraction) -> float:
    """δ of a mechanism whose outputs are within this statistical distance of those of an (ε, δ)-DP one: δ + (1 + e^ε)·distance."""
    if distance == 0:
        return delta
    if epsilon > 700:
        return 1.0
    extra = (1 + math.exp(float(epsilon))) * max(float(distance), TINY) * (1 + 2.0**-40)
    return min(1.0, (delta + extra) * (1 + 2.0**-50))


class OutOfReach(ValueError):
    """No number that is searched is enough."""


def least(name: str, value: Fraction, enough: Callable[[Fraction], bool], *, guess: float = 1.0, from_zero: bool = False) -> Fraction:
    """A number that is enough for the value of that name, where (1 - 2^-20) of it is not, between 2^-60 and 2^200.

    The search begins at `guess`, and doubles its steps until it has one number on each side.
    """
    if from_zero and enough(Fraction(0)):
        return Fraction(0)
    # Candidates are (2^20 + j)·2^power, numbered in order.
    def number(index: int) -> Fraction:
        power, place = divmod(index, 1 << _SEARCHED)
        return ((1 << _SEARCHED) + place) * Fraction(2) ** (power - _SEARCHED)

    mantissa, exponent = math.frexp(min(max(guess, 2.0**-50), 2.0**190))
    start = ((exponent - 1) << _SEARCHED) + int((2 * mantissa - 1) * (1 << _SEARCHED)) + 1
    lowest, highest, step = -60 << _SEARCHED, 200 << _SEARCHED, 1
    if enough(number(start)):
        long, short = start, start - step
        while enough(number(short)):
            if short == lowest:
                return number(lowest)
            long, step = short, 4 * step
            short = max(long - step, lowest)
    else:
        short, long = start, start + step
        while not enough(number(long)):
            if long >= highest:
                raise OutOfReach(f"{name} = {shown(value)}: expected a guarantee that noise or an epsilon up to 2^200 gives; give a larger one")
            short, step = long, 4 * step
            long = min(short + step, highest)
    while long - short > 1:
        middle = (short + long) // 2
        short, long = (short, middle) if enough(number(middle)) else (middle, long)
    return number(long)


def normal_epsilon(rho: float, delta: float) -> float:
    """The ε of normal losses of this ρ, whose mean is ρ and whose variance is 2ρ: near enough to begin a search."""
    mu = math.sqrt(2 * rho)
    low, high = 0.0, rho + mu * math.sqrt(-2 * math.log(max(delta, TINY)))
    if delta < 1e-290 or not 1e-150 < mu < 1e6:
        return high
    for _ in range(50):
        middle = (low + high) / 2
        x, y = (middle / mu - mu / 2) / math.sqrt(2), (middle / mu + mu / 2) / math.sqrt(2)
        # e^ε·erfc(y), where erfc(y) is 0 if ε is large.
        value = math.erfc(x) / 2 - math.exp(min(middle, 700)) * math.erfc(y) / 2
        low, high = (low, middle) if value <= delta else (middle, high)
    return high
