"""Integers in, integers with Skellam noise out. Proof of the sampler: docs/proofs/skellam.md."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, overload

import numpy.typing as npt

from samplez._finite import OtherNoise
from samplez._numbers import Number, given_too, shown, whole, wrong
from samplez._random import Rng, Source, secret_seed
from samplez._recipe import suggests
from samplez._typing import ManyNumbers, OneInteger
from samplez.dp._arguments import SKELLAM_MU, nonnegative, positive, probability
from samplez.dp._mechanisms import DATA_WAYS, Release, integers_of, noisy, summable
from samplez.dp._plan import Plan

# The largest variance of one sampler, and the most samplers whose noise is added.
_LARGEST, _SUMMANDS = 1 << 20, 1 << 12
_SMALLEST = Fraction(1, 1 << 16)
# Up to this variance bounds are close, and up to so many changes.
_ACCOUNTED = 1 << 22
_CHANGES = 1 << 17


@lru_cache(maxsize=16)
def _sampler(variance: Fraction) -> OtherNoise:
    return OtherNoise(skellam=variance)


@lru_cache(maxsize=256)
def _least(step: int, epsilon: Fraction, delta: Fraction, changes: int) -> Fraction:
    """A sufficient variance, of which 1 - 2^-8 is not sufficient unless it is the least one."""

    def suffices(variance: Fraction) -> bool:
        return Plan.skellam(variance=variance, sensitivity=step, releases=changes)._bounds(epsilon, delta)[1] <= delta

    most = Fraction(_ACCOUNTED)
    high = min(Fraction(step**2 * changes), most)
    while not suffices(high):
        if high == most:
            raise ValueError(f"epsilon = {shown(epsilon)}: expected a guarantee that Skellam noise up to a variance of 2^22 gives; give a larger epsilon or delta")
        high = min(2 * high, most)
    while high > _SMALLEST and suffices(high / 2):
        high /= 2
    low = high / 2
    while high - low > high / 2**8:
        middle = (low + high) / 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return max(high, _SMALLEST)


@partial(suggests, sensitivity="linf_sensitivity")
def skellam_variance(sensitivity: int = 1, *, epsilon: Number, delta: Number, changes: int = 1, clients: int = 1) -> Fraction:
    """Returns a variance of Skellam noise with which a release is (ε, δ)-DP, if one person changes `changes` of its values by at most `sensitivity` each.

    δ is that of `Plan.skellam`, and (1 - 2^-8) times the result does not suffice. Results are between 2^-16, the least variance, and 2^22. With
    `clients`, the result is the variance of each of n parties, at least 2^-16. Their sum has the guarantee. `changes` is at most 2^17. For more
    than one change this takes many plans, so some seconds to minutes. Results are cached.

    >>> variance = skellam_variance(epsilon=1, delta="1e-6")
    >>> Plan.skellam(variance=variance).delta(1).upper <= 1e-6, 14 < variance < 15
    (True, True)
    """
    step, count = whole("sensitivity", sensitivity, 1, 2**30), whole("changes", changes, 1, 2**40)
    if count > _CHANGES:
        raise ValueError(f"changes = {count}: expected at most 2^17 = {_CHANGES} with epsilon and delta, the most for which close bounds are computed; give fewer")
    least = _least(step, nonnegative("epsilon", epsilon), probability("delta", delta), count)
    return max(least / whole("clients", clients, 1, 2**40), _SMALLEST)


@overload
def skellam_mechanism(
    values: OneInteger, *, sensitivity: int = 1, variance: Number | None = None, epsilon: Number | None = None, delta: Number | None = None,
    changes: int | None = None, clients: int = 1, rng: Rng = None,
) -> Release[int]: ...
@overload
def skellam_mechanism(
    values: ManyNumbers, *, sensitivity: int = 1, variance: Number | None = None, epsilon: Number | None = None, delta: Number | None = None,
    changes: int | None = None, clients: int = 1, rng: Rng = None,
) -> Release[npt.NDArray[Any]]: ...
@overload
def skellam_mechanism(
    values: npt.ArrayLike, *, sensitivity: int = 1, variance: Number | None = None, epsilon: Number | None = None, delta: Number | None = None,
    changes: int | None = None, clients: int = 1, rng: Rng = None,
) -> Release[Any]: ...
@partial(suggests, sensitivity="linf_sensitivity", ways={**DATA_WAYS, "mu": SKELLAM_MU, "budget": "a Budget refuses Skellam noise, whose ρ remains to be derived"})
def skellam_mechanism(
    values: int | npt.ArrayLike,
    *,
    sensitivity: int = 1,
    variance: Number | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    changes: int | None = None,
    clients: int = 1,
    rng: Rng = None,
) -> Release:
    """Adds exact Skellam noise to integers: in each value the difference of two Poisson variables of mean `variance`/2.

    One person may change so many of the values as `changes`, by default all, each of them by at most `sensitivity`. The guarantee is given as
    `epsilon` and `delta`, and the variance is that of `skellam_variance`. Or you give the `variance`. With `epsilon` the result then has the
    δ of `Plan.skellam`, for `changes` releases. There is no ρ, so no `Budget` pays for it.

    With `clients`, these are the values of one of n parties. The sum of their noise has exactly n times the variance, and the guarantee is
    for the sum. `variance` is that of one party. Count only parties that certainly add their noise. Values are within ±2^62 then.

    Beyond a variance of 2^20 the noise is a sum of samples, up to 2^32. δ is 1 where the accounted variance is above about 2^22. Beyond 2^17
    changes δ is much larger than the least one, and the guarantee can't be given as `epsilon` and `delta`. The noise is drawn
    in constant time, except with a probability of at most 2^-90 for each 8192 samples that are added. A noisy value beyond 64 bits is
    replaced by the nearest one of 64 bits. `rng` is as for `discrete_gaussian_mechanism`.

    >>> release = skellam_mechanism([100, 250, 3], variance=40, epsilon=1, changes=1)
    >>> len(release.values), release.variance, release.delta < 1e-8
    (3, Fraction(40, 1), True)
    >>> skellam_mechanism(412, epsilon=1, delta="1e-6").delta <= 1e-6
    True
    """
    clean = integers_of(values)
    step, parties = whole("sensitivity", sensitivity, 1, 2**30), whole("clients", clients, 1, 2**40)
    summable(clean, parties)
    count = max(clean.size, 1) if changes is None else whole("changes", changes, 1, max(clean.size, 1))
    e = None if epsilon is None else nonnegative("epsilon", epsilon)
    if variance is None:
        if epsilon is None or delta is None:
            raise TypeError("missing noise: pass variance, or epsilon and delta")
        if changes is None and count > _CHANGES:
            raise ValueError(f"values: {count} integers, of which one person may change all by default: expected at most 2^17 = {_CHANGES} changes; give changes, or variance")
        v = skellam_variance(step, epsilon=epsilon, delta=delta, changes=count, clients=parties)
    elif delta is not None:
        raise given_too("delta", delta, "variance", "pass only one of them, because the variance determines delta")
    else:
        v = positive("variance", variance)
    if not _SMALLEST <= v <= _LARGEST * _SUMMANDS:
        raise wrong("variance", v if variance is None else variance, "a number from 2^-16 to 2^32")
    bound = None if e is None else Plan.skellam(variance=v * parties, sensitivity=step, releases=count).delta(e).upper
    summands = math.ceil(v / _LARGEST)
    try:
        sampler = _sampler(v / summands)
    except ValueError as error:
        raise wrong("variance", v if variance is None else variance, "a number with at most 18 digits, or a fraction of two 64-bit integers") from error
    source = Source("chacha20", secret_seed(rng))
    noise = sampler.sample(clean.shape, rng=source)
    for _ in range(summands - 1):
        noise += sampler.sample(clean.shape, rng=source)
    return Release(noisy(clean, noise), None, None, v, None, e, bound)
