"""Differential privacy with the discrete Gaussian: integer noise of an exactly known law [CKS20].

The noise is drawn by an exact method, whose law is D_{Z,σ²} itself given ideal random bits, with a rational σ²; no
floating-point number touches the noise or its parameters: a float that is given stands for the shortest decimal that reads
back as it. Guarantees are rounded to the safe side: ρ is a fraction, and δ is an upper bound.

What is protected, and what is not:

- The *values* of the release. The guarantee is that of [CKS20] for integer queries of the stated sensitivity under the stated
  neighbouring relation; bounding the sensitivity (by clipping) is the caller's duty.
- Not its *timing*. The sampler rejects, and its running time depends on the noise; so does Python's. Whoever can time the mechanism precisely learns something about the noise.
- Not *memory*: values and noise are not wiped.
- Floats are refused: rounding them to integers can change the sensitivity, and is the caller's decision.
- Seeds are for tests. Noise under a known seed protects nothing.
- Releases add up: k of them have the sum of their ρ (composition of zCDP).

[CKS20] C. Canonne, G. Kamath, T. Steinke: The Discrete Gaussian for Differential Privacy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from samplez._gaussian import DiscreteGaussian
from samplez._numbers import Number, exact_fraction
from samplez._random import Rng

# A tail's relative error is below 2^-53; the doubles around it err by less than 2^-42.
_SLACK = 2.0**-41
# The least that a bound is given as: from here on doubles are precise.
_TINY = 2.0**-1000
_MOST = 2**63 - 1
# σ² found by a search has so many significant bits.
_BITS = 20


@dataclass(frozen=True)
class Release:
    """Noisy values, and what they cost."""

    values: int | npt.NDArray[np.int64]
    """The values plus noise."""
    sigma_squared: Fraction
    rho: Fraction
    """The release is ρ-zCDP, exactly Δ²/(2σ²)."""
    epsilon: Fraction | None
    delta: float | None
    """With `epsilon`: the release is (ε, δ)-DP for this δ, which is at most the one asked for."""


def _positive(name: str, value: object) -> Fraction:
    number = exact_fraction(name, value)
    if number <= 0:
        raise ValueError(f"{name} = {number}: must be positive")
    return number


def rho(sigma_squared: Number, sensitivity: Number = 1) -> Fraction:
    """ρ = Δ²/(2σ²): integer noise of this σ² on a query of this L2 sensitivity is ρ-zCDP [CKS20, Theorem 4].

    >>> rho("12.5", sensitivity=5)
    Fraction(1, 1)
    """
    return _positive("sensitivity", sensitivity) ** 2 / (2 * _positive("sigma_squared", sigma_squared))


def delta(epsilon: Number, sigma_squared: Number, sensitivity: int = 1) -> float:
    """The least δ for which one integer plus noise of this σ² is (ε, δ)-DP, rounded up.

    [CKS20, Theorem 7]: δ = P[Z > εσ²/Δ - Δ/2] - e^ε P[Z > εσ²/Δ + Δ/2]. It is for a query with a single integer value whose
    values on neighbours differ by at most Δ. The tails are correctly rounded, and what may be lost is added.

    >>> round(delta(1, 10), 6)
    0.000115
    """
    step = _sensitivity(sensitivity)
    return _delta(_nonnegative("epsilon", epsilon), _positive("sigma_squared", sigma_squared), step)


def _delta(epsilon: Fraction, sigma_squared: Fraction, step: int) -> float:
    law = _exact(sigma_squared)._sampler
    shift, half = epsilon * sigma_squared / step, Fraction(step, 2)
    near_from, far_from = math.floor(shift - half) + 1, math.floor(shift + half) + 1
    # Beyond 64 bits, and where doubles lose their precision, each tail is taken as the worse.
    near = law.mass(min(near_from, _MOST), _MOST) if near_from >= -_MOST else 1.0
    far = law.mass(far_from, _MOST) if far_from <= _MOST else 0.0
    near, far = max(near, _TINY) * (1 + _SLACK), (far if far >= _TINY else 0.0) * (1 - _SLACK)
    return min(1.0, max(_TINY, near - math.exp(min(float(epsilon), 700.0)) * (1 - 2.0**-42) * far))


def delta_of_rho(rho: Number, epsilon: Number) -> float:
    """A δ for which every ρ-zCDP mechanism is (ε, δ)-DP, rounded up: the least over a grid of orders α of
    exp((α-1)(αρ-ε)) (1-1/α)^α / (α-1) [CKS20, Corollary 13].

    >>> delta_of_rho("0.05", 1) < 0.005
    True
    """
    return _delta_of_rho(_positive("rho", rho), _nonnegative("epsilon", epsilon))


def _delta_of_rho(rho: Fraction, epsilon: Fraction) -> float:
    r, e = float(rho) * (1 + 2.0**-50), float(epsilon) * (1 - 2.0**-50)
    best = 0.0
    # Around the order that minimises the exponent alone.
    middle = max((e / r + 1) / 2 if r > 0 else 2.0, 1.01)
    for k in range(-400, 401):
        order = 1 + (middle - 1) * 1.01**k
        if order <= 1.0 or order > 1e15:
            continue
        log = (order - 1) * (order * r - e) + order * math.log1p(-1 / order) - math.log(order - 1)
        best = min(best, log)
    # The roundings of the exponent are covered by those of r and e, which are larger and to the safe side.
    return min(1.0, max(_TINY, math.exp(best) * (1 + 1e-9)))


def sigma_squared(
    sensitivity: int, *, rho: Number | None = None, epsilon: Number | None = None, delta: Number | None = None
) -> Fraction:
    """The noise that a guarantee takes, for one integer value.

    With `rho`: exactly Δ²/(2ρ). With `epsilon` and `delta`: a σ² for which the tight δ is at most the one given, and
    for which (1 - 2^-18) σ² does not do; found by bisection, and checked.

    >>> sigma_squared(1, rho="0.5")
    Fraction(1, 1)
    >>> s2 = sigma_squared(1, epsilon=1, delta="1e-6")
    >>> delta(1, s2) <= 1e-6
    True
    """
    return _noise(_sensitivity(sensitivity), rho, epsilon, delta, single=True)


def discrete_gaussian_mechanism(
    values: int | npt.ArrayLike,
    sensitivity: int,
    *,
    rho: Number | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    rng: Rng = None,
) -> Release:
    """Adds exact discrete Gaussian noise to integers, for a guarantee given as `rho` (zCDP) or as `epsilon` and `delta`.

    `values` is an int or integers in an array; floats are refused. `sensitivity` is the L2 sensitivity Δ, an integer: the largest
    Euclidean distance between the values of neighbouring data sets (for a single value, the largest difference). `rng`
    should stay ``None``, the operating system; see the module's warnings.

    For a single value (ε, δ) is accounted by the tight formula of [CKS20, Theorem 7]; for several, whose distance may point
    anywhere, through zCDP, which takes somewhat more noise.

    Raises `OverflowError` if a noisy value exceeds 64 bits.

    >>> release = discrete_gaussian_mechanism([100, 250, 3], sensitivity=1, rho="0.1")
    >>> release.sigma_squared, release.rho, len(release.values)
    (Fraction(5, 1), Fraction(1, 10), 3)
    """
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise TypeError(f"values: must be integers of at most 64 bits, not {array.dtype}")
    if array.size and int(array.max()) > 2**63 - 1:
        raise OverflowError("values: must lie between -2^63 and 2^63 - 1")
    step = _sensitivity(sensitivity)
    single = array.size <= 1
    chosen = _noise(step, rho, epsilon, delta, single=single)
    noise = _exact(chosen).sample(array.shape, rng=rng)
    clean = array.astype(np.int64)
    noisy = clean + noise
    if (((clean ^ noisy) & (noise ^ noisy)) < 0).any():
        raise OverflowError("values: with the noise, one exceeds 64 bits")
    cost = Fraction(step**2) / (2 * chosen)
    bound = None
    if epsilon is not None:
        e = _nonnegative("epsilon", epsilon)
        bound = _delta(e, chosen, step) if single else _delta_of_rho(cost, e)
    result = int(noisy[()]) if array.ndim == 0 else cast("npt.NDArray[np.int64]", noisy)
    return Release(result, chosen, cost, None if epsilon is None else exact_fraction("epsilon", epsilon), bound)


def _noise(step: int, rho: Any, epsilon: Any, delta: Any, *, single: bool) -> Fraction:
    """σ² for the guarantee, given in exactly one way."""
    if rho is not None and epsilon is None and delta is None:
        return Fraction(step**2) / (2 * _positive("rho", rho))
    if rho is not None or epsilon is None or delta is None:
        raise TypeError("the guarantee must be given as rho, or as epsilon and delta")
    e, d = _positive("epsilon", epsilon), _positive("delta", delta)
    if d >= 1:
        raise ValueError(f"delta = {d}: must be below 1")

    def enough(s2: Fraction) -> bool:
        return (_delta(e, s2, step) if single else _delta_of_rho(Fraction(step**2) / (2 * s2), e)) <= d

    # A power of two that is enough, half of which is not; then _BITS more bits.
    power = 0
    while not enough(Fraction(2) ** power):
        power += 1
        if power > 80:
            raise ValueError(f"delta = {d}: takes more noise than can be drawn")
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


def _exact(sigma_squared: Fraction) -> DiscreteGaussian:
    """An exact sampler: there is one for any rational σ²."""
    return DiscreteGaussian(sigma_squared=sigma_squared, exact=True)


def _sensitivity(value: object) -> int:
    number = _positive("sensitivity", value)
    if number.denominator != 1:
        raise ValueError(f"sensitivity = {number}: must be an integer")
    return number.numerator


def _nonnegative(name: str, value: object) -> Fraction:
    number = exact_fraction(name, value)
    if number < 0:
        raise ValueError(f"{name} = {number}: must not be negative")
    return number

