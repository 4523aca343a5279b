"""Types that checkers see in a user's code: numbers in, numbers out; arrays in, arrays out. mypy and pyright read these lines, and pytest runs them."""

from __future__ import annotations

import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

import samplez
from samplez import dp
from samplez._output import Integers

if sys.version_info >= (3, 11):
    from typing import assert_type
else:
    from typing_extensions import assert_type

Array = npt.NDArray[Any]
Doubles = npt.NDArray[np.float64]

G = samplez.DiscreteGaussian("3.2")
INTEGERS = np.arange(3)
FLOATS: Doubles = np.array([1.5, 2.5])
LIST: list[float] = [1.5, 2.5]
INTO = np.zeros(2, np.int64)
FRODO = np.array([9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1])


def numbers(*values: float) -> None:
    """They are numbers at run time, too."""
    assert all(isinstance(value, (int, float)) for value in values)


def arrays(*values: Array) -> None:
    """They are arrays at run time, too."""
    assert all(isinstance(value, np.ndarray) and value.ndim for value in values)


def test_samples() -> None:
    numbers(
        assert_type(G.sample(), int), assert_type(G.sample(rng=np.random.default_rng(1)), int),
        assert_type(samplez.sample(3.2), int), assert_type(samplez.sample("3.2", center=Fraction(1, 3)), int),
        assert_type(samplez.sample(Decimal(2), center=np.float64(1.5)), int), assert_type(samplez.sample(sigma_squared=2), int),
        assert_type(samplez.OtherNoise(centered_binomial=2).sample(), int), assert_type(samplez.BigGaussian("1e30").sample(), int),
    )
    arrays(
        assert_type(G.sample(3), Integers), assert_type(G.sample((3, 4), dtype="int8"), Integers), assert_type(G.sample([3, 4], rng=1), Integers),
        assert_type(G.sample(out=INTO), Integers),
        assert_type(samplez.sample(FLOATS), Integers), assert_type(samplez.sample(3.2, center=FLOATS), Integers),
        assert_type(samplez.sample(LIST, center=LIST), Integers), assert_type(samplez.sample(["1/3", "0.5"], center="1/7", exact=True), Integers),
        assert_type(samplez.sample(3.2, size=FLOATS.shape), Integers), assert_type(samplez.sample(sigma_squared=[2, 3]), Integers),
        assert_type(samplez.sample(3.2, out=INTO), Integers), assert_type(samplez.BigGaussian("1e30").sample(3), npt.NDArray[np.object_]),
        assert_type(samplez.SparseTernary(5, weight=2).sample(), Integers), assert_type(samplez.OtherNoise(skellam=2).sample(3, rng=1), Integers),
        assert_type(samplez.TableSampler(FRODO, "frodo", sigma="2.8").sample(3), Integers),
        assert_type(samplez.BitGenerator(seed=1).random_raw(3), npt.NDArray[np.uint64]),
        assert_type(samplez.residues(INTEGERS, 5), npt.NDArray[np.uint64]), assert_type(samplez.residues(INTEGERS, np.array([3, 5])), npt.NDArray[np.uint64]),
    )
    numbers(assert_type(samplez.BitGenerator(seed=1).random_raw(), int))


def test_rounded() -> None:
    numbers(assert_type(samplez.round(0.5, sigma=3.2), int), assert_type(samplez.round("1/3", sigma=3, rng=1), int))
    arrays(
        assert_type(samplez.round(FLOATS, sigma=3.2), Integers), assert_type(samplez.round([0.5], sigma=[3.2]), Integers),
        assert_type(samplez.round(0.5, sigma=FLOATS), Integers), assert_type(samplez.round(LIST, sigma=LIST, dtype="int32"), Integers),
        assert_type(samplez.round([0.5, 0.5], sigma=3.2, out=INTO), Integers), assert_type(samplez.round(FLOATS, sigma=3.2, method="karney", rng=1), Integers),
    )
    assert_type(samplez.round(0.5, sigma=3.2, out=np.zeros((), np.int64)), Integers)


def test_functions_of_laws() -> None:
    numbers(
        assert_type(G.pmf(0), float), assert_type(G.pmf(np.int64(1)), float), assert_type(G.cdf(G.sample()), float),
        assert_type(G.ppf(0.5), float), assert_type(G.median(), int), *assert_type(G.interval(0.9), tuple[float, float]),
    )
    arrays(
        assert_type(G.pmf(INTEGERS), Doubles), assert_type(G.pmf([0, 1]), Doubles), assert_type(G.cdf(range(3)), Doubles),
        assert_type(G.cdf(G.sample(3)), Doubles), assert_type(G.ppf(FLOATS / 3), Array), *assert_type(G.interval([0.5, 0.9]), tuple[Array, Array]),
    )
    target, binomial, skellam = samplez.TargetLaw("3.2", modulus=12289), samplez.OtherNoise(centered_binomial=2), samplez.OtherNoise(skellam=2)
    numbers(
        assert_type(target.pmf(0), float), assert_type(target.cdf(0.5), float), assert_type(binomial.pmf(0), float),
        assert_type(binomial.cdf(np.int8(1)), float), assert_type(skellam.pmf(0), float), assert_type(skellam.sf(1), float),
    )
    arrays(
        assert_type(target.pmf(INTEGERS), Doubles), assert_type(target.cdf([1]), Doubles), assert_type(binomial.pmf(INTEGERS), Doubles),
        assert_type(binomial.sf([1, 2]), Doubles), assert_type(skellam.logpmf(INTEGERS), Doubles), assert_type(skellam.cdf((1, 2)), Doubles),
    )


def test_verified() -> None:
    data = G.sample(1000, rng=1)
    assert isinstance(assert_type(samplez.verify(data, G), samplez.Verification), samplez.Verification)
    assert isinstance(assert_type(samplez.verify(data, "sigma=3.2", threads=None), samplez.Verification), samplez.Verification)
    assert isinstance(assert_type(samplez.verify(data, against=data.tolist()), samplez.Verification), samplez.Verification)


def cells(release: dp.Release) -> int | Array:
    """`Release` alone is that of a number or an array."""
    return assert_type(release.values, "int | Array")


def test_releases() -> None:
    one, several = dp.discrete_gaussian_mechanism(412, sensitivity=1, rho="0.1"), dp.discrete_gaussian_mechanism(INTEGERS, sensitivity=1, rho="0.1")
    numbers(
        assert_type(one.values, int), assert_type(dp.discrete_gaussian_mechanism(INTEGERS.size, sensitivity=1, sigma=3).values, int),
        assert_type(dp.discrete_laplace_mechanism(np.int64(412), sensitivity=1, epsilon=1).values, int),
        assert_type(dp.skellam_mechanism(412, epsilon=1, delta="1e-6").values, int),
    )
    arrays(
        assert_type(several.values, Array), assert_type(dp.discrete_gaussian_mechanism([1, 2], sensitivity=1, rho="0.1").values, Array),
        assert_type(dp.discrete_laplace_mechanism(INTEGERS, sensitivity=1, epsilon=1).values, Array),
        assert_type(dp.skellam_mechanism([1, 2], variance=40).values, Array),
    )
    assert [cells(one), cells(several)] == [one.values, several.values]
