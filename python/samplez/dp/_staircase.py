"""Integers in, integers with staircase noise out. Proof: docs/proofs/differential-privacy.md, section 9."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from samplez._numbers import Number, shown, whole, wrong
from samplez._random import BitGenerator, Rng, secret_seed
from samplez._recipe import suggests
from samplez._typing import ManyNumbers, OneInteger
from samplez.dp._arguments import positive, representable
from samplez.dp._balls import Balls
from samplez.dp._budget import Budget
from samplez.dp._ledger import Charge
from samplez.dp._mechanisms import LAPLACE_WAYS, Release, integers_of, laplace_noise, noisy, spend

# The scales of the stairs' numbers, the largest product with the sensitivity, and bits of e^-ε.
_SMALLEST, _LARGEST, _WIDEST = Fraction(1, 1 << 16), Fraction(1 << 50), 1 << 50
_BITS = 256
# A release's variance is rounded up to a multiple of it.
_UNIT = 1 << 32
# Proposals at a time.
_AT_ONCE = 1 << 20


class Staircase(NamedTuple):
    """P(x) is proportional to e^(-⌊(|x| + step - top)/step⌋/scale): 2·top - 1 integers on the top stair, `step` on each other one."""

    step: int
    top: int
    scale: Fraction

    def variance(self) -> Fraction:
        """The variance, rounded up, because e^(-1/scale) is."""
        return _variance(self.step, self.top, _ratios(self.scale)[1])

    def sample(self, size: int, bits: BitGenerator) -> npt.NDArray[np.int64]:
        """Draws so many. A rejected proposal is independent of the accepted ones, and no operation on the others depends on their numbers, except with
        probability 2^-64 each."""
        stairs, share = laplace_noise(self.scale), np.uint64(_digits(self, 1))
        parts, missing = [np.empty(0, np.int64)], size
        while missing > 0:
            # Each proposal is accepted with more than 1/4.
            number = min(2 * missing + 64, _AT_ONCE)
            stair, words, chances = stairs.sample(number, rng=bits), bits.random_raw(number), bits.random_raw(number)
            is_top = chances < share
            for index in np.flatnonzero(chances == share):
                is_top[index] = self._is_top(bits)
            parts.append(self.integers(stair, words.view(np.int64), is_top)[:missing])
            missing -= parts[-1].size
        return np.concatenate(parts)

    def _is_top(self, bits: BitGenerator) -> bool:
        """Whether a uniform number is below the top's share, if their first 64 bits are the same."""
        count = 2
        while (word := int(bits.random_raw())) == (digit := _digits(self, count) % (1 << 64)):
            count += 1
        return word < digit

    def integers(self, stair: npt.NDArray[np.int64], words: npt.NDArray[np.int64], is_top: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The integers of accepted proposals. A word has a place on the top and one on another stair, and a sign. The numbers k and -1 - k are both the
        stair k + 1."""
        low, high = (2 * self.top - 2).bit_length(), (self.step - 1).bit_length()
        inner, outer, sign = words & ((1 << low) - 1), (words >> low) & ((1 << high) - 1), words >> 63
        far = (((stair ^ (stair >> 63)) * self.step + self.top + outer) ^ sign) - sign
        chosen: npt.NDArray[np.int64] = far ^ ((far ^ (inner - (self.top - 1))) & -is_top.astype(np.int64))
        return chosen[(inner < 2 * self.top - 1) & (outer < self.step)]


@lru_cache(maxsize=64)
def _ratios(scale: Fraction, bits: int = _BITS) -> tuple[Fraction, Fraction]:
    """e^(-1/scale) from below and above, within 2^(4 - bits) of each other."""
    balls = Balls(bits)
    middle, radius = balls.exp(balls.of(-1 / scale))
    return Fraction(max(middle - radius, 0), 1 << bits), Fraction(middle + radius, 1 << bits)


@lru_cache(maxsize=256)
def _digits(law: Staircase, count: int) -> int:
    """The share of the top stair, which is below 1, times 2^(64·count), rounded down. It is irrational, so enough bits decide it."""
    bits, top, unit = 64 * count + 192, 2 * law.top - 1, 1 << (64 * count)
    while True:
        ends = [min(math.floor(unit * top / (top + 2 * law.step * ratio / (1 - ratio))), unit - 1) for ratio in _ratios(law.scale, bits)]
        if ends[0] == ends[1]:
            return ends[0]
        bits *= 2


def _variance(step: int, top: int, ratio: Fraction) -> Fraction:
    """The sum of squares by stairs. One of squared numbers A, …, A + step - 1 is step·A² + A·step·(step - 1) + (step - 1)·step·(2·step - 1)/6."""
    rest = 1 - ratio
    weights, first, second = ratio / rest, ratio**2 / rest**2, ratio**2 * (1 + ratio) / rest**3
    squares, ends = top**2 * weights + 2 * top * step * first + step**2 * second, top * weights + step * first
    outer = step * squares + step * (step - 1) * ends + Fraction((step - 1) * step * (2 * step - 1), 6) * weights
    return (Fraction((top - 1) * top * (2 * top - 1), 3) + 2 * outer) / (2 * top - 1 + 2 * step * weights)


@lru_cache(maxsize=256)
def staircase(step: int, scale: Fraction) -> Staircase:
    """The one of least variance. It is a convex function of `top` over a positive linear one, so it falls and then rises."""
    ratio, low, high = _ratios(scale)[1], 1, step
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _variance(step, middle, ratio) <= _variance(step, middle + 1, ratio) else (middle + 1, high)
    return Staircase(step, low, scale)


@overload
def staircase_mechanism(
    values: OneInteger, *, sensitivity: int, epsilon: Number, changes: int | None = None, budget: Budget | None = None, rng: Rng = None
) -> Release[int]: ...
@overload
def staircase_mechanism(
    values: ManyNumbers, *, sensitivity: int, epsilon: Number, changes: int | None = None, budget: Budget | None = None, rng: Rng = None
) -> Release[npt.NDArray[Any]]: ...
@overload
def staircase_mechanism(
    values: npt.ArrayLike, *, sensitivity: int, epsilon: Number, changes: int | None = None, budget: Budget | None = None, rng: Rng = None
) -> Release[Any]: ...
@partial(suggests, sensitivity="linf_sensitivity", ways=LAPLACE_WAYS)
def staircase_mechanism(
    values: int | npt.ArrayLike,
    *,
    sensitivity: int,
    epsilon: Number,
    changes: int | None = None,
    budget: Budget | None = None,
    rng: Rng = None,
) -> Release:
    """Adds staircase noise to integers: the release is ε-DP, without δ, and for one integer the noise has the least variance that ε allows [GV16].

    One person may change so many of the values as `changes`, by default all, each of them by at most `sensitivity`. Each value then has the
    guarantee epsilon/changes. For sensitivity 1 this is discrete Laplace noise, and for a small epsilon nearly so. The variance is smaller where sensitivity
    and epsilon are both large: a third of it for a sensitivity of 100 and ε = 5. For a vector whose changes have a bounded sum, use
    `discrete_laplace_mechanism`.

    P(x) is constant on stairs of `sensitivity` integers each, and e^-ε times as large on each further one. `Release.variance` is its variance, and
    `Release.scale` is 1/ε for each value, rounded up where its fraction is beyond 64 bits, by less than 2^-30. The noise is exact. The number of
    a further stair is from `samplez.OtherNoise(discrete_laplace=...)`, in constant time, and proposals are rejected independently of the result. The rest is as for
    `discrete_laplace_mechanism`, also what a `budget` pays.

    [GV16] Q. Geng, P. Viswanath: The Optimal Noise-Adding Mechanism in Differential Privacy.

    >>> release = staircase_mechanism(3051, sensitivity=100, epsilon=5)
    >>> release.epsilon, release.delta, round(float(release.variance))
    (Fraction(5, 1), 0.0, 297)
    >>> samplez.dp.staircase_mechanism([120, 7, 88], sensitivity=10, epsilon=2, changes=1).scale
    Fraction(1, 2)
    """
    clean = integers_of(values)
    step, e = whole("sensitivity", sensitivity, 1, 2**30), positive("epsilon", epsilon)
    count = max(clean.size, 1) if changes is None else whole("changes", changes, 1, max(clean.size, 1))
    scale = count / e
    if not (_SMALLEST <= scale <= _LARGEST and scale * step <= _WIDEST):
        raise wrong("epsilon", epsilon, "an epsilon for which changes/epsilon is from 2^-16, and sensitivity·changes/epsilon up to 2^50")
    noise = staircase(step, representable(scale))
    bits = BitGenerator("chacha20", secret_seed(rng))
    spend(budget, Charge(e**2 / 2, epsilon=e), f"epsilon = {shown(e)}")
    drawn = noise.sample(clean.size, bits).reshape(clean.shape)
    variance = Fraction(math.ceil(noise.variance() * _UNIT), _UNIT)
    return Release(noisy(clean, drawn), None, noise.scale, variance, e**2 / 2, e, 0.0)
