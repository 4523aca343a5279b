"""What noise is worth, and the noise that a guarantee takes. Proofs: docs/proofs/differential-privacy.md.

Parameters are fractions. What is rounded is rounded to the safe side: ρ, ε, δ and σ² are upper bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from samplez import _samplez
from samplez._gaussian import DiscreteGaussian
from samplez._numbers import Number, exact_fraction, whole

# A tail's relative error is below 2^-53; the doubles around it err by less than 2^-42.
_SLACK = 2.0**-41
# The least that a bound is given as: from here on doubles are precise.
_TINY = 2.0**-1000
# Parameters beyond it are taken as it, to the safe side.
_LARGE = Fraction(10**300)
_MOST = 2**63 - 1
# What a search finds has so many significant bits.
_BITS = 20
# Shifts of several coordinates are enumerated up to this squared length.
_ENUMERATED = 32
# 2π², from below.
_TWO_PI_SQUARED = 19.7392


def positive(name: str, value: object) -> Fraction:
    """A number above 0."""
    number = exact_fraction(name, value)
    if number <= 0:
        raise ValueError(f"{name} = {number}: must be positive")
    return number


def nonnegative(name: str, value: object) -> Fraction:
    """A number from 0 up."""
    number = exact_fraction(name, value)
    if number < 0:
        raise ValueError(f"{name} = {number}: must not be negative")
    return number


def probability(name: str, value: object) -> Fraction:
    """A number between 0 and 1, both excluded."""
    number = positive(name, value)
    if number >= 1:
        raise ValueError(f"{name} = {number}: must be below 1")
    return number


@dataclass(frozen=True)
class Query:
    """An integer query: how far apart its values on neighbours may be."""

    squared: Fraction
    """The square of the L2 sensitivity."""
    dimension: int
    clients: int
    """Of the sum of so many parties' values, each with noise of its own."""

    @property
    def moved(self) -> int:
        """How many coordinates may differ: each that does adds 1 to the squared distance, at least."""
        return min(self.dimension, math.floor(self.squared))


def query_of(sensitivity: object, sensitivity_squared: object, dimension: int = 1, clients: int = 1) -> Query:
    """The query of these arguments, one of the first two being ``None``."""
    if (sensitivity is None) == (sensitivity_squared is None):
        raise TypeError("the sensitivity must be given as sensitivity, or as sensitivity_squared")
    name, value = ("sensitivity", sensitivity) if sensitivity_squared is None else ("sensitivity_squared", sensitivity_squared)
    number = positive(name, value)
    if number < 1:
        raise ValueError(f"{name} = {number}: must be at least 1: integers that differ, differ by 1")
    squared = number**2 if sensitivity_squared is None else number
    return Query(squared, whole("dimension", dimension, 1, 2**63 - 1), whole("clients", clients, 1, 2**40))


def _or_one(sensitivity: Number | None, sensitivity_squared: Number | None) -> Number | None:
    return 1 if sensitivity is None and sensitivity_squared is None else sensitivity


# Zero-concentrated privacy.


def rho(
    sigma_squared: Number,
    sensitivity: Number | None = None,
    *,
    sensitivity_squared: Number | None = None,
    dimension: int = 1,
    clients: int = 1,
) -> Fraction:
    """ρ = Δ²/(2σ²): integers plus noise of this σ² are ρ-zCDP [CKS20], Δ being the L2 sensitivity, 1 unless said.

    With `clients`, ρ of the sum of so many values, each with noise of this σ²: Δ²/(2nσ²) and what the sum of discrete Gaussians
    differs from one, which is tiny where σ is 2 or more; Δ is the sensitivity of the sum, of `dimension` integers.

    >>> rho("12.5", sensitivity=5), rho(4, sensitivity_squared=2)
    (Fraction(1, 1), Fraction(1, 4))
    >>> float(rho(10, sensitivity_squared=2, dimension=100, clients=50))
    0.002
    """
    query = query_of(_or_one(sensitivity, sensitivity_squared), sensitivity_squared, dimension, clients)
    return rho_of_noise(query, positive("sigma_squared", sigma_squared))


def rho_of_noise(query: Query, sigma_squared: Fraction) -> Fraction:
    """`rho`. The noise of one client alone gives a bound, too."""
    alone = query.squared / (2 * sigma_squared)
    if query.clients == 1:
        return alone
    ripple = query.moved * _ripple_of_sum(sigma_squared, query.clients)
    return min(alone, alone / query.clients + Fraction(ripple)) if math.isfinite(ripple) else alone


def _ripple(squared: float) -> float:
    """At least ln(max/min) of the sum of exp(-(x - c)²/(2r²)) over the integers x, over all c, for r² = `squared`: the sum is
    r·sqrt(2π)·(1 + 2 Σ q^(j²) cos 2πjc) with q = exp(-2π²r²), and Σ q^(j²) <= q/(1 - q³).
    """
    q = max(_TINY, math.exp(-_TWO_PI_SQUARED * squared * (1 - 2.0**-40)) * (1 + 2.0**-40))
    e = 2 * q / (1 - q**3)
    return 2 * e / (1 - e * e) * (1 + 2.0**-40) if e < 0.5 else math.inf


def _ripple_of_sum(sigma_squared: Fraction, clients: int) -> float:
    """The same for the law of a sum of discrete Gaussians, against the discrete Gaussian of their summed σ²."""
    each = float(min(sigma_squared, _LARGE))
    first = min(clients - 1, 64)
    terms = [_ripple(each * k / (k + 1)) for k in range(1, first + 1)]
    # The terms decrease.
    return (sum(terms) + (clients - 1 - first) * terms[-1]) * (1 + 2.0**-40)


def delta_of_rho(rho: Number, epsilon: Number) -> float:
    """A δ for which every ρ-zCDP mechanism is (ε, δ)-DP, rounded up: the least over a grid of orders α of
    exp((α-1)(αρ-ε)) (1-1/α)^α / (α-1) [CKS20, Corollary 13].

    >>> delta_of_rho("0.05", 1) < 0.005
    True
    """
    return zcdp_delta(positive("rho", rho), nonnegative("epsilon", epsilon))


def zcdp_delta(rho: Fraction, epsilon: Fraction) -> float:
    """`delta_of_rho`."""
    if rho > _LARGE:
        return 1.0
    r, e = max(float(rho), _TINY) * (1 + 2.0**-50), float(min(epsilon, _LARGE)) * (1 - 2.0**-50)
    best = 0.0
    # Around the order that minimises the exponent alone, or what it is where ε is small.
    middle = min(max((e / r - 1) / 2, 1 / math.sqrt(2 * r)), 1e13)
    for k in range(-400, 401):
        order = 1 + middle * 1.01**k
        if order == 1.0:
            continue
        log = (order - 1) * (order * r - e) + order * math.log1p(-1 / order) - math.log(order - 1)
        best = min(best, log)
    # The roundings of the exponent are covered by those of r and e, which are larger and to the safe side.
    return min(1.0, max(_TINY, math.exp(best) * (1 + 1e-9)))


def epsilon_of_rho(rho: Number, delta: Number) -> Fraction:
    """An ε for which every ρ-zCDP mechanism is (ε, δ)-DP: the least by `delta_of_rho`, within 2^-20 of itself.

    >>> round(float(epsilon_of_rho("0.1", "1e-6")), 3)
    2.142
    """
    r, d = positive("rho", rho), probability("delta", delta)
    return _least("delta", d, lambda e: zcdp_delta(r, e) <= d, from_zero=True)


def rho_of(epsilon: Number, delta: Number) -> Fraction:
    """A ρ for which every ρ-zCDP mechanism is (ε, δ)-DP: the largest by `delta_of_rho`, within 2^-20 of itself.

    >>> delta_of_rho(rho_of(1, "1e-6"), 1) <= 1e-6
    True
    """
    e, d = positive("epsilon", epsilon), probability("delta", delta)
    return 1 / _least("delta", d, lambda inverse: zcdp_delta(1 / inverse, e) <= d)


# Approximate privacy.


def delta(
    epsilon: Number,
    sigma_squared: Number,
    sensitivity: Number | None = None,
    *,
    sensitivity_squared: Number | None = None,
    dimension: int = 1,
    clients: int = 1,
) -> float:
    """A δ for which integers plus noise of this σ² are (ε, δ)-DP, rounded up.

    For one integer it is the least, by [CKS20, Theorem 7]: P[Z > εσ²/Δ - Δ/2] - e^ε P[Z > εσ²/Δ + Δ/2], Δ being the sensitivity,
    1 unless said. For `dimension` integers of a squared L2 sensitivity up to 32 it is the least, too, but for the factor by which
    a sum of discrete Gaussians differs from one: every shift is looked at. Above, and for the sum of `clients`, it is that of zCDP.

    >>> round(delta(1, 10), 6)
    0.000115
    >>> round(delta(1, 10, sensitivity_squared=2, dimension=100), 4), round(delta_of_rho(rho(10, sensitivity_squared=2), 1), 4)
    (0.0031, 0.0089)
    """
    query = query_of(_or_one(sensitivity, sensitivity_squared), sensitivity_squared, dimension, clients)
    return delta_of_noise(query, nonnegative("epsilon", epsilon), positive("sigma_squared", sigma_squared))


def delta_of_noise(query: Query, epsilon: Fraction, sigma_squared: Fraction) -> float:
    """`delta`."""
    farthest = math.floor(query.squared)
    if query.clients == 1 and (query.dimension == 1 or farthest == 1):
        step = math.isqrt(farthest)
        return _delta_of_shift(epsilon, sigma_squared, step * step, step, 0.0)
    bound = zcdp_delta(rho_of_noise(query, sigma_squared), epsilon)
    if query.clients > 1 or farthest > _ENUMERATED or sigma_squared.numerator * farthest > _MOST:
        return bound
    worst = 0.0
    for (square, divisor), shapes in _shapes(farthest, query.moved).items():
        ripple = max(sum(_ripple(float(min(sigma_squared, _LARGE)) * part) for part in parts) for parts in shapes)
        if ripple > 0.5:
            return bound
        worst = max(worst, _delta_of_shift(epsilon, sigma_squared, square, divisor, ripple))
    return min(bound, worst)


@lru_cache(maxsize=64)
def _shapes(farthest: int, dimension: int) -> dict[tuple[int, int], list[list[float]]]:
    """The shifts v of |v|² <= `farthest` that no other exceeds in every coordinate, but for order and signs: by (|v|², gcd) the
    r²/σ² of the ripples of ⟨v, Y⟩, summand by summand.
    """
    found: dict[tuple[int, int], list[list[float]]] = {}

    def add(entries: list[int], left: int) -> None:
        full = len(entries) == dimension
        if entries and left < (2 * entries[-1] + 1 if full else 1):
            square, divisor, parts = 0, 0, []
            for entry in reversed(entries):
                if square:
                    step = math.lcm(divisor, entry)
                    parts.append(square * entry**2 / ((square + entry**2) * step**2) * (1 - 2.0**-50))
                square, divisor = square + entry**2, math.gcd(divisor, entry)
            found.setdefault((square, divisor), []).append(parts)
        if not full:
            most = math.isqrt(left)
            for entry in range(min(most, entries[-1]) if entries else most, 0, -1):
                add([*entries, entry], left - entry**2)

    add([], farthest)
    return found


def _delta_of_shift(epsilon: Fraction, sigma_squared: Fraction, square: int, divisor: int, ripple: float) -> float:
    """δ for the shift v of |v|² = `square` and gcd `divisor`: P[⟨v, Y⟩ > εσ² - |v|²/2] - e^ε P[⟨v, Y⟩ > εσ² + |v|²/2], where
    ⟨v, Y⟩/gcd has the law of σ²·|v|²/gcd² within the factor exp(±`ripple`).
    """
    law = _law(sigma_squared * square / divisor**2)
    near_from, far_from = (
        math.floor((epsilon * sigma_squared + half) / divisor) + 1 for half in (Fraction(-square, 2), Fraction(square, 2))
    )
    # Beyond 64 bits, and where doubles lose their precision, each tail is taken as the worse. exp(r) <= 1 + 2r for r <= 1/2.
    near = law.mass(min(near_from, _MOST), _MOST) if near_from >= -_MOST else 1.0
    far = law.mass(far_from, _MOST) if far_from <= _MOST else 0.0
    near = max(near, _TINY) * (1 + _SLACK) * (1 + 2 * ripple)
    far = (far if far >= _TINY else 0.0) * (1 - _SLACK) * (1 - ripple)
    return min(1.0, max(_TINY, near - math.exp(float(min(epsilon, Fraction(700)))) * (1 - 2.0**-42) * far))


def with_distance(delta: float, epsilon: Fraction, distance: Fraction) -> float:
    """δ of a mechanism whose outputs are within this statistical distance of those of an (ε, δ)-DP one: δ + (1 + e^ε)·distance."""
    if distance == 0:
        return delta
    if epsilon > 700:
        return 1.0
    extra = (1 + math.exp(float(epsilon))) * max(float(distance), _TINY) * (1 + 2.0**-40)
    return min(1.0, (delta + extra) * (1 + 2.0**-50))


def epsilon(
    delta: Number,
    sigma_squared: Number,
    sensitivity: Number | None = None,
    *,
    sensitivity_squared: Number | None = None,
    dimension: int = 1,
    clients: int = 1,
) -> Fraction:
    """An ε for which integers plus noise of this σ² are (ε, δ)-DP: the least by `samplez.dp.delta`, within 2^-20 of itself.

    >>> round(float(epsilon("1e-6", 25)), 3)
    0.835
    """
    query = query_of(_or_one(sensitivity, sensitivity_squared), sensitivity_squared, dimension, clients)
    d, s2 = probability("delta", delta), positive("sigma_squared", sigma_squared)
    return _least("delta", d, lambda e: delta_of_noise(query, e, s2) <= d, from_zero=True)


# Calibration.


def sigma_squared(
    sensitivity: Number | None = None,
    *,
    sensitivity_squared: Number | None = None,
    rho: Number | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    dimension: int = 1,
    clients: int = 1,
) -> Fraction:
    """The noise that a guarantee takes, for `dimension` integers of this L2 sensitivity, 1 unless said.

    With `rho`: Δ²/(2ρ), exactly. With `epsilon` and `delta`: a σ² for which `samplez.dp.delta` is at most the one given, and for
    which (1 - 2^-18) σ² does not do; found by bisection, and checked. With `clients`, the noise of each of so many, whose sum has
    the guarantee.

    >>> sigma_squared(1, rho="0.5")
    Fraction(1, 1)
    >>> s2 = sigma_squared(sensitivity_squared=2, dimension=100, epsilon=1, delta="1e-6")
    >>> samplez.dp.delta(1, s2, sensitivity_squared=2, dimension=100) <= 1e-6
    True
    """
    query = query_of(_or_one(sensitivity, sensitivity_squared), sensitivity_squared, dimension, clients)
    return noise_for(query, *guarantee(rho, epsilon, delta))


def guarantee(rho: object, epsilon: object, delta: object) -> tuple[Fraction | None, Fraction | None, Fraction | None]:
    """The guarantee, given in exactly one way."""
    if rho is not None and epsilon is None and delta is None:
        return positive("rho", rho), None, None
    if rho is not None or epsilon is None or delta is None:
        raise TypeError("the guarantee must be given as rho, or as epsilon and delta; epsilon alone is discrete_laplace_mechanism's")
    return None, positive("epsilon", epsilon), probability("delta", delta)


def noise_for(query: Query, rho: Fraction | None, epsilon: Fraction | None, delta: Fraction | None) -> Fraction:
    """σ² for a guarantee as `guarantee` gives it."""
    if rho is not None:
        if query.clients == 1:
            return query.squared / (2 * rho)
        return _least("rho", rho, lambda s2: rho_of_noise(query, s2) <= rho)
    assert epsilon is not None and delta is not None
    return _least("delta", delta, lambda s2: delta_of_noise(query, epsilon, s2) <= delta)


def _least(name: str, value: Fraction, enough: Callable[[Fraction], bool], *, from_zero: bool = False) -> Fraction:
    """A number that is enough for the value of that name, where (1 - 2^-_BITS) of it is not, between 2^-40 and 2^62."""
    if from_zero and enough(Fraction(0)):
        return Fraction(0)
    # A power of two that is enough, half of which is not; then _BITS more bits.
    power = 0
    while not enough(Fraction(2) ** power):
        power += 1
        if power > 62:
            raise ValueError(f"{name} = {value}: takes more than 2^62, of sigma_squared or of epsilon")
    while power > -40 and enough(Fraction(2) ** (power - 1)):
        power -= 1
    short, long = 1 << _BITS, 1 << (_BITS + 1)
    while long - short > 1:
        middle = (short + long) // 2
        if enough(middle * Fraction(2) ** (power - 1 - _BITS)):
            long = middle
        else:
            short = middle
    return long * Fraction(2) ** (power - 1 - _BITS)


def constant_time_noise(sigma_squared: Fraction) -> DiscreteGaussian:
    """The certified sampler of constant time: there is one for any σ² = a/b with a < 2^63, b < 2^64."""
    return DiscreteGaussian(sigma_squared=sigma_squared, constant_time=True, exact=False)


def _law(sigma_squared: Fraction) -> _samplez.Sampler:
    """The law's probabilities: those of D_{Z,σ}, whatever the sampler."""
    return constant_time_noise(sigma_squared)._sampler
