"""`samplez.stats` against sums by mpmath, against the exact law, and its fits against the likelihood itself."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

import samplez
from samplez import stats


def brute(sigma: float, center: float) -> tuple[list[int], list[Any]]:
    """Integers and their probabilities, by mpmath."""
    mpmath.mp.dps = 40
    s, c = mpmath.mpf(sigma), mpmath.mpf(center)
    x = list(range(math.floor(center - 40 * sigma) - 3, math.ceil(center + 40 * sigma) + 4))
    weights = [mpmath.exp(-((k - c) ** 2) / (2 * s * s)) for k in x]
    total = mpmath.fsum(weights)
    return x, [weight / total for weight in weights]


def near(value: float, exact: Any, tolerance: float = 1e-11) -> bool:
    return bool(abs(value - exact) <= tolerance * abs(exact) + mpmath.mpf("1e-300"))


NOTHING: Any = None
LAWS = [(0.02, 0.5), (0.1, 0.3), (0.35, -7.49), (0.79, 0.25), (0.81, 0.25), (1.0, 1e6 + 0.125), (3.2, 0.0), (12.5, 0.7), (31.9, -0.3), (32.0, 0.3), (60.0, 100.5)]


@pytest.mark.parametrize(("sigma", "center"), LAWS)
def test_values_are_those_of_sums(sigma: float, center: float) -> None:
    x, p = brute(sigma, center)
    step = max(1, len(x) // 200)
    below, above = mpmath.mpf(0), mpmath.fsum(p)
    for place, (k, mass) in enumerate(zip(x, p, strict=True)):
        below, above = below + mass, above - mass
        if place % step == 0 or abs(k - center) < 3:
            tail = mpmath.fsum(p[place + 1 :])
            assert near(stats.pmf(k, sigma=sigma, center=center), mass) and near(stats.cdf(k, sigma=sigma, center=center), below), k
            assert near(stats.sf(k, sigma=sigma, center=center), tail), k
            assert near(stats.logpmf(k, sigma=sigma, center=center), mpmath.log(mass)), k
    mean = mpmath.fsum(k * mass for k, mass in zip(x, p, strict=True))
    variance = mpmath.fsum((k - mean) ** 2 * mass for k, mass in zip(x, p, strict=True))
    assert near(stats.mean(sigma, center=center), mean, 1e-13) or abs(stats.mean(sigma, center=center) - mean) < 1e-13
    assert near(stats.var(sigma, center=center), variance)


@pytest.mark.parametrize("sigma", [215.0, 1e5, 1e9])
def test_values_are_those_of_the_exact_law(sigma: float) -> None:
    g = samplez.DiscreteGaussian(sigma, center=0.25)
    x = np.rint(np.linspace(-37, 37, 75) * sigma).astype(np.int64)
    for name in ("pmf", "cdf", "sf"):
        exact = getattr(g, name)(x)
        assert np.allclose(getattr(stats, name)(x, sigma=sigma, center=0.25), exact, rtol=1e-11, atol=0), name
    q = np.array([1e-200, 1e-9, 0.1, 0.5, 0.9, 1 - 1e-9])
    assert np.allclose(stats.ppf(q, sigma=sigma, center=0.25), g.ppf(q), rtol=1e-14, atol=1)


def test_arguments_are_broadcast() -> None:
    sigma, center, x = np.array([[0.5], [3.2], [100.0]]), np.array([0.25, -3.0]), np.arange(3).reshape(3, 1, 1)
    for function in (stats.pmf, stats.logpmf, stats.cdf, stats.sf, stats.ppf):
        first = np.full((3, 1, 1), 0.3) if function is stats.ppf else x
        values = function(first, sigma=sigma, center=center)
        assert values.shape == (3, 3, 2)
        assert values[1, 2, 1] == function(float(first[1, 0, 0]), sigma=100.0, center=-3.0)
    assert stats.mean(sigma, center=center).shape == stats.var(sigma, center=center).shape == (3, 2)
    assert all(isinstance(value, float) for value in (stats.pmf(0, sigma=1), stats.ppf(0.5, sigma=1), stats.mean(1), stats.var(1)))
    assert stats.pmf([], sigma=1).shape == (0,) and stats.cdf([], sigma=1).shape == (0,) and stats.ppf([], sigma=1).shape == (0,)


def test_numbers_of_every_type() -> None:
    for sigma in (Fraction(16, 5), Decimal("3.2"), "16/5", np.float64(3.2)):
        assert stats.pmf(0, sigma=sigma) == stats.pmf(0, sigma=3.2)
    assert stats.pmf(0, sigma=[Fraction(16, 5), 1]).tolist() == stats.pmf(0, sigma=[3.2, 1]).tolist()
    assert stats.cdf(Fraction(1, 2), sigma=3.2) == stats.cdf(0, sigma=3.2) and stats.pmf(0.5, sigma=3.2) == 0 and stats.logpmf(0.5, sigma=3.2) == -math.inf


def test_the_ends() -> None:
    assert np.array_equal(stats.cdf([-math.inf, math.inf, math.nan], sigma=3.2), [0, 1, math.nan], equal_nan=True)
    assert np.array_equal(stats.sf([-math.inf, math.inf, math.nan], sigma=3.2), [1, 0, math.nan], equal_nan=True)
    assert np.array_equal(stats.pmf([-math.inf, math.inf, math.nan], sigma=3.2), [0, 0, math.nan], equal_nan=True)
    assert np.array_equal(stats.ppf([0, 1, -0.1, 1.1, math.nan], sigma=3.2), [-math.inf, math.inf, math.nan, math.nan, math.nan], equal_nan=True)
    for sigma in (0.3, 3.2, 215.0):
        x = np.arange(-3, 4) * max(1, int(sigma))
        assert np.array_equal(stats.ppf(stats.cdf(x, sigma=sigma, center=0.1), sigma=sigma, center=0.1)[stats.cdf(x, sigma=sigma, center=0.1) < 1], x[stats.cdf(x, sigma=sigma, center=0.1) < 1])


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: stats.pmf(0, sigma=0), ValueError, r"^sigma = 0: expected a number from 1e-100 to 2\^46$"),
        (lambda: stats.pmf(0, sigma=[1, -1]), ValueError, r"^sigma\[1\] = -1: expected a number from"),
        (lambda: stats.pmf(0, sigma=1, center=2**60), ValueError, r"^center = 1152921504606846976: expected a number from -2\^52 to 2\^52$"),
        (lambda: stats.pmf(0, sigma=1, center=[[0], [math.nan]]), ValueError, r"^center\[1, 0\] = nan"),
        (lambda: stats.pmf(0, sigma=["1", "x"]), ValueError, r"^sigma\[1\] = x"),
        (lambda: stats.pmf(0, sigma=True), TypeError, "^sigma = True"),
        (lambda: stats.pmf(NOTHING, sigma=1), TypeError, "^x = None: expected"),
        (lambda: stats.fit([1, 1, 2]), ValueError, "^data: expected values at least 2 apart"),
        (lambda: stats.fit([]), ValueError, "^data: expected"),
        (lambda: stats.fit([1, 2.5]), TypeError, r"^data\[1\] = 2.5: expected an integer, not float; round first"),
        (lambda: stats.fit([1, math.nan, 3]), TypeError, r"^data\[1\] = nan: expected an integer, not float, a missing value; drop"),
        (lambda: stats.fit(["1", "3"]), TypeError, r"^data\[0\]: expected an integer, not str"),
        (lambda: stats.fit([0, 2**53]), ValueError, "^data: expected values within"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def log_likelihood(v: Any, c: Any, data: list[int]) -> Any:
    """By mpmath, with all of the sum."""
    span = range(min(data) - 60, max(data) + 61)
    log = mpmath.log(mpmath.fsum(mpmath.exp(-((k - c) ** 2) / (2 * v)) for k in span))
    return mpmath.fsum(-((x - c) ** 2) / (2 * v) for x in data) - len(data) * log


@pytest.mark.parametrize(
    "data",
    [[0, 1, -2, 3], [0, 0, 0, 0, 1, 0, 0, -1], [5, 5, 5, 6, 6, 7], [0] * 50 + [1] * 45 + [2], [0] * 300 + [2], [0, 2], [10**6, 10**6 + 3, 10**6 + 1]],
)
def test_a_fit_is_the_likelihood_s_maximum(data: list[int]) -> None:
    """Gradient 0, and standard errors by the second derivatives, both of mpmath's likelihood."""
    mpmath.mp.dps = 60
    found = stats.fit(data)
    v, c = mpmath.mpf(found.sigma_squared), mpmath.mpf(found.center)
    assert near(float(stats.logpmf(data, sigma=found.sigma, center=found.center).sum()), log_likelihood(v, c, data))
    h = mpmath.mpf(10) ** -15 * v

    def second(a: tuple[int, int], b: tuple[int, int]) -> Any:
        at = [log_likelihood(v + h * (i * a[0] + j * b[0]), c + h * (i * a[1] + j * b[1]), data) for i, j in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
        return (at[0] - at[1] - at[2] + at[3]) / (4 * h * h)

    information = -mpmath.matrix([[second((1, 0), (1, 0)), second((1, 0), (0, 1))], [second((0, 1), (1, 0)), second((0, 1), (0, 1))]])
    covariance = information**-1
    errors = [mpmath.sqrt(covariance[i, i]) for i in range(2)]
    assert near(2 * found.sigma * found.sigma_error, errors[0], 1e-6) and near(found.center_error, errors[1], 1e-6)
    for direction, error in (((1, 0), errors[0]), ((0, 1), errors[1])):
        slope = (log_likelihood(v + h * direction[0], c + h * direction[1], data) - log_likelihood(v - h * direction[0], c - h * direction[1], data)) / (2 * h)
        assert abs(slope * error) < 1e-6


@pytest.mark.parametrize(("sigma", "center"), [("0.5", "0.3"), ("1.1", "-0.5"), ("3.2", "1/3"), ("215", "-1000.5")])
def test_fits_find_the_law(sigma: str, center: str) -> None:
    """In units of the standard errors that are told, over 60 seeds: mean 0, variance 1."""
    g = samplez.DiscreteGaussian(sigma, center=center)
    fits = [stats.fit(g.sample(2000, rng=seed)) for seed in range(60)]
    z = np.array([((f.sigma_squared - float(Fraction(sigma)) ** 2) / (2 * f.sigma * f.sigma_error), (f.center - float(Fraction(center))) / f.center_error) for f in fits])
    assert (abs(z.mean(axis=0)) < 5 / 60**0.5).all() and (abs((z**2).mean(axis=0) - 1) < 5 * (2 / 60) ** 0.5).all()
    assert fits[0].sigma == fits[0].sigma_squared**0.5
