"""Integers in, noisy integers out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Generic, cast, overload

import numpy as np
import numpy.typing as npt

from samplez._finite import OtherNoise
from samplez._html import table
from samplez._numbers import ROUND, Number, given_of, given_too, index_of, integral, mistyped, no_integer, plain_array, shown, type_name, unmasked, wrong
from samplez._random import Rng, secret_seed
from samplez._recipe import suggests
from samplez._typing import ManyNumbers, OneInteger, Values
from samplez.dp._accounting import delta_of_noise, noise_of, noise_with
from samplez.dp._arguments import distance_of, guarantee, positive, query_of, representable, stated
from samplez.dp._budget import Budget
from samplez.dp._ledger import Charge
from samplez.dp._zcdp import rho_of_noise

_LEAST, _MOST, _SUMMABLE = -(2**63), 2**63 - 1, 2**62
# Integers that are added at a time, and a bound below which sums fit.
_BLOCK, _SAFE = 1 << 14, 1 << 62
# The scales of Laplace noise.
_SMALLEST_SCALE, _LARGEST_SCALE = Fraction(1, 1 << 16), Fraction(1 << 50)


@dataclass(frozen=True)
class Release(Generic[Values]):
    """Noisy values, and their cost: `Release[int]` for a single value, `Release[NDArray[Any]]` for an array."""

    values: Values
    """The values plus noise: an int or an array of int64. Beyond σ = 2^57 the array has Python integers."""
    sigma_squared: Fraction | None
    """σ² of discrete Gaussian noise."""
    scale: Fraction | None
    """The scale of discrete Laplace noise, and of the numbers of stairs in staircase noise."""
    variance: Fraction | None
    """The variance of Skellam noise, and of staircase noise, rounded up to a multiple of 2^-32."""
    rho: Fraction | None
    """The release is ρ-zCDP; ``None`` for Skellam noise, for which no ρ was derived."""
    epsilon: Fraction | None
    delta: float | None
    """With `epsilon`: the release is (ε, δ)-DP for this δ, which is at most the one asked for, and 0 for discrete Laplace and staircase noise."""

    def _repr_html_(self) -> str:
        values = self.values if isinstance(self.values, int) else f"{self.values.size} integers, shape {self.values.shape}"
        kinds = (("discrete Gaussian, σ² =", self.sigma_squared), ("discrete Laplace, scale", self.scale), ("Skellam, variance", self.variance))
        noise = next(f"{name} {value}" for name, value in kinds if value is not None)
        if self.scale is not None and self.variance is not None:
            noise = f"staircase, variance {float(self.variance):.6g}"
        rows: dict[str, object] = {"noisy values": values, "noise": noise}
        if self.rho is not None:
            rows["ρ (zCDP)"] = self.rho
        if self.epsilon is not None:
            rows |= {"ε": self.epsilon, "δ": f"{self.delta:.6g}"}
        return table({**rows, "statistical distance": "0 (exact)"})


DATA_WAYS = {
    **dict.fromkeys(("clip", "bound", "limit", "bounds", "range"), "clip each person's number before you add, and pass the sensitivity that follows"),
    **dict.fromkeys(("dimension", "size", "n", "count"), "the noise has the shape of values, so leave it out"),
}
"""Ways out of words about the data."""
LAPLACE_WAYS = {
    **DATA_WAYS,
    "scale": "the scale of the noise is sensitivity/epsilon",
    **dict.fromkeys(("rho", "zcdp"), "the release is ε-DP, so write epsilon; a budget of rho pays epsilon²/2"),
    **dict.fromkeys(("delta", "target_delta"), "the release is ε-DP without a δ, so leave it out"),
}
"""Ways out of words of Gaussian noise."""


@overload
def discrete_gaussian_mechanism(
    values: OneInteger, *, sensitivity: Number | None = None, sensitivity_squared: Number | None = None, rho: Number | None = None,
    epsilon: Number | None = None, delta: Number | None = None, sigma: Number | None = None, sigma_squared: Number | None = None,
    clients: int = 1, budget: Budget | None = None, rng: Rng = None,
) -> Release[int]: ...
@overload
def discrete_gaussian_mechanism(
    values: ManyNumbers, *, sensitivity: Number | None = None, sensitivity_squared: Number | None = None, rho: Number | None = None,
    epsilon: Number | None = None, delta: Number | None = None, sigma: Number | None = None, sigma_squared: Number | None = None,
    clients: int = 1, budget: Budget | None = None, rng: Rng = None,
) -> Release[npt.NDArray[Any]]: ...
@overload
def discrete_gaussian_mechanism(
    values: npt.ArrayLike, *, sensitivity: Number | None = None, sensitivity_squared: Number | None = None, rho: Number | None = None,
    epsilon: Number | None = None, delta: Number | None = None, sigma: Number | None = None, sigma_squared: Number | None = None,
    clients: int = 1, budget: Budget | None = None, rng: Rng = None,
) -> Release[Any]: ...
@partial(suggests, sensitivity="l2_sensitivity", ways=DATA_WAYS)
def discrete_gaussian_mechanism(
    values: int | npt.ArrayLike,
    *,
    sensitivity: Number | None = None,
    sensitivity_squared: Number | None = None,
    rho: Number | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    sigma: Number | None = None,
    sigma_squared: Number | None = None,
    clients: int = 1,
    budget: Budget | None = None,
    rng: Rng = None,
) -> Release:
    """Adds discrete Gaussian noise to integers.

    The guarantee is given as `rho` (zCDP), or as `epsilon` and `delta`. Or you give the noise, as `sigma` or `sigma_squared`, for example one
    that `samplez.dp.sigma_squared` returned for several releases. A σ² that no sampler represents is rounded up, by less than 2^-30 from
    2^-33 on, and `Release` has the one that is drawn.

    `values` is an int or integers in an array; floats are refused. `sensitivity` is the L2 sensitivity Δ, the largest Euclidean
    distance between the values of neighbouring data sets (for a single value, the largest difference). `sensitivity_squared` is
    its square, where that is the rational number: 2, where one person moves from one cell of a histogram to another.

    (ε, δ) is accounted as `samplez.dp.delta` does for so many integers. With `clients`, these are the values of one of
    n parties. The guarantee is then for the sum of their noisy values, each drawn with its own randomness. Δ is the
    sensitivity of that sum. Values are within ±2^62 then.

    The sampler is the default of `samplez.DiscreteGaussian`: exact, and drawn in constant time or isochronously. No option changes that. Beyond
    σ = 2^57 the noisy values are Python integers of any size. Below, a noisy value beyond 64 bits is replaced by the nearest one of 64 bits.

    `rng` should stay ``None``, the operating system; a seed, or a cryptographic `samplez.Source` or `samplez.BitGenerator`, is for tests.
    `budget` pays before the noise is drawn.

    >>> release = discrete_gaussian_mechanism([100, 250, 3], sensitivity_squared=2, rho="0.1")
    >>> release.sigma_squared, release.rho, len(release.values)
    (Fraction(10, 1), Fraction(1, 10), 3)
    >>> discrete_gaussian_mechanism(412, sensitivity=1, sigma=3.3).rho
    Fraction(50, 1089)
    """
    clean = integers_of(values)
    query = query_of(sensitivity, sensitivity_squared, max(clean.size, 1), clients)
    summable(clean, query.clients)
    r = e = d = None
    if sigma is None and sigma_squared is None:
        r, e, d = guarantee(rho, epsilon, delta, ", or use samplez.dp.discrete_laplace_mechanism for epsilon alone")
        chosen = noise_of(query, (r, e, d), sensitivity, sensitivity_squared)
    elif (promised := given_of({"rho": rho, "epsilon": epsilon, "delta": delta})):
        name, value = promised[0]
        raise given_too(name, value, "sigma_squared" if sigma is None else "sigma", "pass only one of them, because the noise determines the guarantee")
    else:
        chosen = representable(stated(sigma_squared, sigma, None, query.squared))
    noise = noise_with(chosen)
    bound = None if e is None else delta_of_noise(query, e, chosen)
    cost = rho_of_noise(query, chosen)
    seed = secret_seed(rng)
    named = (("rho", r), ("epsilon", e), ("delta", d), ("sigma", sigma), ("sigma_squared", sigma_squared))
    said = ", ".join(f"{name} = {shown(value)}" for name, value in named if value is not None)
    spend(budget, Charge(cost, sigma_squared=chosen, sensitivity_squared=query.squared, dimension=query.dimension, clients=query.clients), said)
    return Release(noisy(clean, noise.sample(clean.shape, rng=seed)), chosen, None, None, cost, e, bound)


@overload
def discrete_laplace_mechanism(
    values: OneInteger, *, sensitivity: Number, epsilon: Number, budget: Budget | None = None, rng: Rng = None
) -> Release[int]: ...
@overload
def discrete_laplace_mechanism(
    values: ManyNumbers, *, sensitivity: Number, epsilon: Number, budget: Budget | None = None, rng: Rng = None
) -> Release[npt.NDArray[Any]]: ...
@overload
def discrete_laplace_mechanism(
    values: npt.ArrayLike, *, sensitivity: Number, epsilon: Number, budget: Budget | None = None, rng: Rng = None
) -> Release[Any]: ...
@partial(suggests, sensitivity="l1_sensitivity", ways=LAPLACE_WAYS)
def discrete_laplace_mechanism(
    values: int | npt.ArrayLike,
    *,
    sensitivity: Number,
    epsilon: Number,
    budget: Budget | None = None,
    rng: Rng = None,
) -> Release:
    """Adds discrete Laplace noise to integers: the release is ε-DP, without δ.

    `sensitivity` is the L1 sensitivity Δ: the largest sum of differences between the values of neighbours. The noise
    has P(x) proportional to exp(-|x|/scale), exactly, for the scale Δ/ε, where Δ is rounded down to an integer, as distances are.
    A scale whose fraction is beyond 64 bits becomes larger, by less than 2^-30 of it. The noise is `samplez.OtherNoise(discrete_laplace=...)`, in constant time. The rest is as for `discrete_gaussian_mechanism`; a `budget` pays ρ = ε²/2.

    >>> release = discrete_laplace_mechanism([100, 250, 3], sensitivity=1, epsilon="0.5")
    >>> release.scale, release.epsilon, release.delta, release.rho
    (Fraction(2, 1), Fraction(1, 2), 0.0, Fraction(1, 8))
    """
    clean = integers_of(values)
    step, e = distance_of("sensitivity", sensitivity), positive("epsilon", epsilon)
    scale = math.floor(step) / e
    if not _SMALLEST_SCALE <= scale <= _LARGEST_SCALE:
        raise wrong("epsilon", epsilon, "an epsilon for which sensitivity/epsilon, the scale of the noise, is from 2^-16 to 2^50")
    scale = representable(scale)
    sampler = laplace_noise(scale)
    seed = secret_seed(rng)
    cost = e**2 / 2
    spend(budget, Charge(cost, epsilon=e), f"epsilon = {shown(e)}")
    noise = sampler.sample(clean.shape, rng=seed)
    return Release(noisy(clean, noise), None, scale, None, cost, e, 0.0)


@lru_cache(maxsize=16)
def laplace_noise(scale: Fraction) -> OtherNoise:
    return OtherNoise(discrete_laplace=scale)


def integers_of(values: Any) -> npt.NDArray[np.int64]:
    """The values, of 64 bits. No message shows one."""
    unmasked("values", values)
    if hasattr(values, "__dask_graph__"):
        raise TypeError("values: expected integers in memory, not a lazy collection of Dask, whose chunks would be computed anew, with other noise, at each use; "
                        "give values.compute(), or release sums of its chunks")
    array = plain_array("values", values)
    if array.dtype == object:
        return _of_objects(array)
    if array.dtype.kind == "f" and not array.size:
        raise TypeError(f"values: empty, of {array.dtype}: expected at least one integer, or an empty array of integers such as numpy.zeros(0, int)")
    if array.dtype.kind == "f" and (missing := np.flatnonzero(np.isnan(array))).size:
        raise no_integer("values", index_of(array, int(missing[0])), math.nan, "an integer of at most 64 bits", is_hidden=True)
    if array.dtype.kind not in "iu":
        reason = (f"; {ROUND.format(name='values')}, and bound the sensitivity of the rounded values, because the low "
                  "bits of floats can reveal what noise is to hide")
        raise TypeError(f"values: expected integers of at most 64 bits, not {type_name(array)}{reason if array.dtype.kind == 'f' else ''}")
    if array.dtype == np.uint64 and array.size and int(array.max()) > _MOST:
        raise OverflowError("values: expected a value between -2^63 and 2^63 - 1")
    return array.astype(np.int64, copy=False)


def summable(clean: npt.NDArray[np.int64], clients: int) -> None:
    """Refuses a party's values whose noisy forms could be cut off at 64 bits: the sum over clients would have less noise than is accounted."""
    if clients > 1 and clean.size and not -_SUMMABLE <= int(clean.min()) <= int(clean.max()) <= _SUMMABLE:
        raise OverflowError("values: expected a value between -2^62 and 2^62 with clients, so that no noisy value is cut off before the sum")


def _of_objects(array: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The same of integers of any type, as of a nullable column."""
    result = np.empty(array.shape, np.int64)
    for place, value in enumerate(array.flat):
        index = index_of(array, place)
        number = integral(value)
        if number is None:
            raise no_integer("values", index, value, "an integer of at most 64 bits", is_hidden=True)
        if not _LEAST <= number <= _MOST:
            raise OverflowError(f"values{index}: expected a value between -2^63 and 2^63 - 1")
        result.flat[place] = number
    return result


def spend(budget: Budget | None, charge: Charge, said: str) -> None:
    """Charges the budget; `said` is the cost as the caller gave it."""
    if budget is not None:
        if not isinstance(budget, Budget):
            raise mistyped("budget", budget, "a samplez.dp.Budget")
        budget._charge(charge, said)


def noisy(clean: npt.NDArray[np.int64], noise: Any) -> int | npt.NDArray[Any]:
    """The sums: Python integers if the noise is, else the nearest of 64 bits, in the noise's memory.

    The operations on a block do not depend on its numbers, unless one is beyond 62 bits.
    """
    if noise.dtype == object:
        wide = np.asarray(clean.astype(object) + noise, object)
        return int(wide[()]) if clean.ndim == 0 else wide
    values, drawn = clean.reshape(-1), noise.reshape(-1)
    for start in range(0, values.size, _BLOCK):
        value, draw = values[start : start + _BLOCK], drawn[start : start + _BLOCK]
        if max(value.max(), draw.max()) < _SAFE and min(value.min(), draw.min()) >= -_SAFE:
            np.add(value, draw, out=draw)
            continue
        sums = value + draw
        beyond = ((value ^ sums) & (draw ^ sums)) < 0
        draw[:] = np.where(beyond, np.where(draw < 0, _LEAST, _MOST), sums)
    return int(drawn[0]) if clean.ndim == 0 else cast("npt.NDArray[Any]", drawn.reshape(clean.shape))
