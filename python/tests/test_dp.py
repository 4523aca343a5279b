"""The accounting against sums over the law's definition in 50-digit decimals."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import samplez
from samplez import dp


def worst_delta(epsilon: Fraction, sigma_squared: Fraction, sensitivity: int) -> float:
    """Max over shifts d <= Δ of Σ max(0, P(x) - e^ε P(x - d)): the definition of (ε, δ)-DP."""
    reach = int(40 * math.sqrt(sigma_squared)) + 40
    with localcontext(prec=50):
        def rho(x: int) -> Decimal:
            exponent = Fraction(-x * x) / (2 * sigma_squared)
            return (Decimal(exponent.numerator) / Decimal(exponent.denominator)).exp()

        weight = {x: rho(x) for x in range(-reach, reach + 1)}
        total = Decimal(sum(weight.values()))
        factor = (Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()
        deltas = []
        for d in range(1, sensitivity + 1):
            gains = (p - factor * weight.get(x - d, Decimal(0)) for x, p in weight.items())
            deltas.append(Decimal(sum(gain for gain in gains if gain > 0)) / total)
        return float(max(deltas))


@pytest.mark.parametrize(
    ("epsilon", "sigma_squared", "sensitivity"),
    [("1", "1", 1), ("1", "10", 1), ("0.1", "400", 1), ("3", "0.5", 1), ("0.5", "50.25", 3), ("1/3", "77", 7), ("0", "9", 2)],
)
def test_tight_delta(epsilon: str, sigma_squared: str, sensitivity: int) -> None:
    exact = worst_delta(Fraction(epsilon), Fraction(sigma_squared), sensitivity)
    bound = dp.delta(epsilon, sigma_squared, sensitivity)
    assert exact <= bound <= exact * (1 + 1e-7)


def test_a_bound_is_never_nothing() -> None:
    """Where tails vanish in doubles δ is not 0: no Gaussian noise is (ε, 0)-DP."""
    for epsilon, sigma_squared in ((10**300, 1), (50, 10**6), (1, 2**40), ("1e15", 10**6)):
        assert 0 < dp.delta(epsilon, sigma_squared) < 1e-300
    assert dp.delta(1, 1, 2**66) == 1
    assert 0 < dp.delta_of_rho("1e-5", 600) < 1e-300


def test_zcdp() -> None:
    assert dp.rho("12.5", 5) == 1
    assert dp.sigma_squared(3, rho="1/8") == 36
    for rho, epsilon in (("0.05", 1), ("0.5", 5), ("0.001", "0.1"), ("0.2", 3)):
        bound = dp.delta_of_rho(rho, epsilon)
        tight = dp.delta(epsilon, 1 / (2 * Fraction(rho)))
        assert tight <= bound <= 20 * tight
        # Any order gives a bound; the one found is no worse than those of a fine grid.
        r, e = float(Fraction(rho)), float(Fraction(epsilon))
        orders = 1 + np.geomspace(1e-3, 1e5, 20_001)
        logs = (orders - 1) * (orders * r - e) + orders * np.log1p(-1 / orders) - np.log(orders - 1)
        assert bound == pytest.approx(math.exp(logs.min()), rel=1e-2)


@pytest.mark.parametrize(("epsilon", "delta", "sensitivity"), [("1", "1e-6", 1), ("0.1", "1e-9", 4), ("8", "0.01", 1)])
def test_the_noise_is_enough_and_not_too_much(epsilon: str, delta: str, sensitivity: int) -> None:
    needed = dp.sigma_squared(sensitivity, epsilon=epsilon, delta=delta)
    assert dp.delta(epsilon, needed, sensitivity) <= Fraction(delta)
    assert dp.delta(epsilon, needed * (1 - Fraction(1, 2**18)), sensitivity) > Fraction(delta)


def test_mechanism() -> None:
    values = np.arange(20_000)
    release = dp.discrete_gaussian_mechanism(values, 2, rho="0.5", rng=1)
    assert release.sigma_squared == 4 and release.rho == Fraction(1, 2) and release.epsilon is None
    noise = release.values - values
    expected = samplez.DiscreteGaussian(sigma_squared=4, exact=True).sample(20_000, rng=1)
    assert np.array_equal(noise, expected)
    assert samplez.DiscreteGaussian(sigma_squared=4, exact=True).certificate().exact
    single = dp.discrete_gaussian_mechanism(7, 1, epsilon=1, delta="1e-6")
    assert isinstance(single.values, int) and single.delta is not None and 0 < single.delta <= 1e-6
    several = dp.discrete_gaussian_mechanism([7, 8], 1, epsilon=1, delta="1e-6")
    assert several.delta is not None and several.delta <= 1e-6 and several.sigma_squared > single.sigma_squared
    assert dp.discrete_gaussian_mechanism(np.int32(3), 1, rho=1).values != dp.discrete_gaussian_mechanism(10**6, 1, rho=1).values


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"values": 1.5, "rho": 1}, TypeError, "values: must be integers"),
        ({"values": [1, 2.0], "rho": 1}, TypeError, "values: must be integers"),
        ({"values": [True], "rho": 1}, TypeError, "values: must be integers"),
        ({"values": [2**63 - 1] * 50, "rho": "0.01"}, OverflowError, "exceeds 64 bits"),
        ({"values": [2**63], "rho": "0.01"}, OverflowError, "values: must lie"),
        ({"values": 1}, TypeError, "must be given as rho, or as epsilon and delta"),
        ({"values": 1, "epsilon": 1}, TypeError, "must be given"),
        ({"values": 1, "rho": 1, "epsilon": 1, "delta": "0.1"}, TypeError, "must be given"),
        ({"values": 1, "rho": 0}, ValueError, "rho = 0: must be positive"),
        ({"values": 1, "rho": float("nan")}, ValueError, "rho = nan"),
        ({"values": 1, "epsilon": 1, "delta": 1}, ValueError, "delta = 1: must be below 1"),
        ({"values": 1, "epsilon": -1, "delta": "0.1"}, ValueError, "epsilon = -1"),
        ({"values": 1, "epsilon": "x", "delta": "0.1"}, ValueError, "epsilon = x"),
        ({"values": 1, "rho": 1, "sensitivity": "1/2"}, ValueError, "sensitivity = 1/2: must be an integer"),
        ({"values": 1, "rho": 1, "sensitivity": 0}, ValueError, "sensitivity = 0"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        dp.discrete_gaussian_mechanism(**{"sensitivity": 1, **arguments})
