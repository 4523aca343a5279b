"""What the mechanisms release, discrete Laplace noise, budgets, and a table of bad inputs."""

import copy
import math
import os
import pickle
import threading
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import samplez
from samplez import dp

SEED = bytes(range(32))


def test_gaussian() -> None:
    values = np.arange(20_000)
    release = dp.discrete_gaussian_mechanism(values, sensitivity=2, rho="0.5", rng=1)
    assert release.sigma_squared == 4 and release.rho == Fraction(1, 2) and release.epsilon is None
    noise = release.values - values
    expected = samplez.DiscreteGaussian(sigma_squared=4).sample(20_000, rng=1)
    assert np.array_equal(noise, expected)
    single = dp.discrete_gaussian_mechanism(7, sensitivity=1, epsilon=1, delta="1e-6")
    assert isinstance(single.values, int) and single.delta is not None and 0 < single.delta <= 1e-6
    several = dp.discrete_gaussian_mechanism([7, 8], sensitivity_squared=2, epsilon=1, delta="1e-6")
    assert several.delta is not None and several.delta <= 1e-6
    assert several.sigma_squared is not None and single.sigma_squared is not None
    assert 1.9 < several.sigma_squared / single.sigma_squared < 2.1
    assert dp.discrete_gaussian_mechanism(np.int32(3), sensitivity=1, rho=1).values != dp.discrete_gaussian_mechanism(10**6, sensitivity=1, rho=1).values
    assert np.shape(dp.discrete_gaussian_mechanism(np.zeros((2, 3), np.uint8), sensitivity=1, rho=1).values) == (2, 3)
    assert np.shape(dp.discrete_gaussian_mechanism(np.zeros(0, int), sensitivity=1, rho=1).values) == (0,)


@pytest.mark.parametrize("sigma_squared", ["1/1000", "1/4", "4", "35.72", "200", "40000", "1e6", "1e10", "123456789012345678/7", 2**62, (2**56 + 1) ** 2, 2**120])
def test_the_sampler_is_the_library_s_default(sigma_squared: Any) -> None:
    """Exact, and constant-time or isochronous, at any width; under one seed the noise is that of the default sampler."""
    release = dp.discrete_gaussian_mechanism(np.zeros(1000, int), sensitivity=1, sigma_squared=sigma_squared, rng=SEED)
    s2 = release.sigma_squared
    assert s2 is not None and s2 == Fraction(sigma_squared)
    fits = s2.numerator < 2**63 and s2.denominator < 2**64
    width: dict[str, Any] = {"sigma_squared": s2} if fits else {"sigma": math.isqrt(int(s2))}
    noise = samplez.DiscreteGaussian(**width) if s2 <= 2**114 else samplez.BigGaussian(**width)
    if isinstance(noise, samplez.DiscreteGaussian):
        certificate = noise.certificate()
        assert certificate.exact and certificate.timing in ("constant", "isochronous")
    assert np.array_equal(release.values, noise.sample(1000, rng=SEED))


def test_delta_of_any_size() -> None:
    """The noise is exact, so no δ is kept for a distance."""
    release = dp.discrete_gaussian_mechanism([0] * 4, sensitivity_squared=2, epsilon=1, delta="1e-9")
    assert release.sigma_squared is not None and release.delta == dp.delta(1, sigma_squared=release.sigma_squared, sensitivity_squared=2, dimension=4) <= 1e-9
    tiny = dp.discrete_gaussian_mechanism(0, sensitivity=1, epsilon=1, delta="1e-40")
    assert tiny.delta is not None and 0 < tiny.delta <= 1e-40


def test_clients() -> None:
    release = dp.discrete_gaussian_mechanism(np.zeros(100, int), sensitivity_squared=2, rho="0.01", clients=50)
    assert release.rho is not None and release.rho <= Fraction(1, 100)
    assert release.sigma_squared is not None and 2 <= release.sigma_squared < Fraction(2001, 1000)


@pytest.mark.parametrize("mechanism", [
    lambda values: dp.discrete_gaussian_mechanism(values, sensitivity=1, rho="0.01"), lambda values: dp.discrete_laplace_mechanism(values, sensitivity=1, epsilon="0.1"),
])
def test_the_ends_of_64_bits(mechanism: Callable[[Any], dp.Release]) -> None:
    """What lies beyond is the nearest: nothing is raised, which would tell on which side the noise was."""
    for end in (2**63 - 1, -(2**63)):
        values = mechanism([end] * 200).values
        assert isinstance(values, np.ndarray)
        near = np.abs(values.astype(object) - end)
        assert (near < 10**4).all() and (near == 0).sum() > 50 and (near > 0).sum() > 50
        one = mechanism(end).values
        assert isinstance(one, int) and abs(one - end) < 10**4


@pytest.mark.parametrize("scale", ["0.3", "1", "2.5", "40"])
def test_laplace_s_law(scale: str) -> None:
    """χ² of 200,000 values against the law; seeds are fixed, and a right sampler fails once in 10^6."""
    from scipy.stats import chi2

    s, count = Fraction(scale), 200_000
    values = dp.discrete_laplace_mechanism(np.zeros(count, int), sensitivity=1, epsilon=1 / s, rng=SEED).values
    assert isinstance(values, np.ndarray)
    q = math.exp(-1 / s)
    reach = next(x for x in range(10**4) if count * q**x * (1 - q) / (1 + q) < 20)
    expected = np.array([count * (1 - q) / (1 + q) * q ** abs(x) for x in range(-reach + 1, reach)])
    expected = np.concatenate([[count * q**reach / (1 + q)], expected, [count * q**reach / (1 + q)]])
    seen = np.bincount(np.clip(values, -reach, reach) + reach, minlength=2 * reach + 1)
    assert ((seen - expected) ** 2 / expected).sum() < chi2.isf(1e-6, 2 * reach)


def test_laplace() -> None:
    release = dp.discrete_laplace_mechanism([1, 2, 3], sensitivity="2.5", epsilon="1/3", rng=SEED)
    assert release.scale == 6 and release.rho == Fraction(1, 18) and release.delta == 0
    assert np.array_equal(release.values, dp.discrete_laplace_mechanism([1, 2, 3], sensitivity=2, epsilon="1/3", rng=SEED).values)
    assert isinstance(dp.discrete_laplace_mechanism(5, sensitivity=1, epsilon=1).values, int)
    same = samplez.OtherNoise(discrete_laplace=6).sample(3, rng=SEED)
    assert np.array_equal(release.values, same + np.array([1, 2, 3]))
    # A scale of more digits than 64 bits have is rounded up.
    digits = dp.discrete_laplace_mechanism(1, sensitivity=1, epsilon="0.3333333333333333333333333333", rng=SEED).scale
    assert digits is not None and 0 <= digits * Fraction("0.3333333333333333333333333333") - 1 < Fraction(1, 2**30)
    wide = dp.discrete_laplace_mechanism(np.zeros(50, int), sensitivity=1, epsilon=Fraction(1, 2**50), rng=SEED).values
    assert 2**46 < np.abs(wide).mean() < 2**54


def test_budget_of_rho() -> None:
    budget = dp.Budget(rho="0.3")
    for _ in range(3):
        dp.discrete_gaussian_mechanism([1, 2], sensitivity=1, rho="0.1", budget=budget)
    assert budget.rho == Fraction(3, 10) and budget.remaining() == 0 and not any(charge.distance for charge in budget.charges)
    spent = budget.charges
    for refused in (
        lambda: dp.discrete_gaussian_mechanism(1, sensitivity=1, rho="1e-9", budget=budget),
        lambda: dp.discrete_laplace_mechanism(1, sensitivity=1, epsilon="1e-9", budget=budget),
        lambda: budget.spend("1e-30"),
    ):
        with pytest.raises(dp.BudgetExceeded, match="is more than is left of the budget"):
            refused()
        assert budget.rho == Fraction(3, 10) and budget.charges == spent
    assert dp.delta_of_rho("0.3", epsilon=2) <= budget.delta(2).upper <= dp.delta_of_rho("0.3", epsilon=2) * (1 + 1e-14)
    assert repr(budget) == "Budget(rho=3/10; rho 3/10 spent)"


def test_budget_of_epsilon_and_delta() -> None:
    budget = dp.Budget(epsilon=1, delta="1e-6")
    assert budget.remaining() == dp.rho(epsilon=1, delta="1e-6") and budget.delta(1).upper == 0
    budget.spend("0.005", distance="2e-7")
    left = budget.remaining()
    assert 0 < left < dp.rho(epsilon=1, delta="1e-6") - Fraction(5, 1000)
    # (1 + e)·2e-7 is more than half of δ.
    assert budget.delta(1).upper > 3.7e-7
    with pytest.raises(dp.BudgetExceeded):
        budget.spend(left * Fraction(1001, 1000))
    with pytest.raises(dp.BudgetExceeded):
        budget.spend("1e-12", distance="1e-7")
    budget.spend(left)
    assert budget.delta(1).upper <= 1e-6
    # An ε-DP release is ε²/2-zCDP.
    pure = dp.Budget(rho=1)
    dp.discrete_laplace_mechanism(1, sensitivity=1, epsilon=1, budget=pure)
    assert pure.rho == Fraction(1, 2)


def test_what_is_refused_for_its_arguments_costs_nothing() -> None:
    budget = dp.Budget(rho=1)
    wrongs: list[dict[str, Any]] = [{"values": 1.5}, {"rng": "no seed"}, {"sensitivity": 0}]
    for wrong in wrongs:
        with pytest.raises((TypeError, ValueError)):
            dp.discrete_gaussian_mechanism(**{"values": 1, "sensitivity": 1, "rho": "0.1", "budget": budget, **wrong})
    assert budget.rho == 0


def test_budget_of_threads() -> None:
    """Sixteen threads, 20 tries each, and exactly 100 succeed."""
    budget, spent = dp.Budget(rho=1), []

    def work() -> None:
        for _ in range(20):
            try:
                budget.spend("0.01")
                spent.append(1)
            except dp.BudgetExceeded:
                pass

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(spent) == 100 and budget.rho == 1


def test_budgets_are_not_copied() -> None:
    budget = dp.Budget(rho=1)
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied or pickled; a stored one is opened elsewhere"):
            attempt(budget)
    if hasattr(os, "fork"):
        child = os.fork()
        if child == 0:
            try:
                budget.spend("0.1")
            except RuntimeError:
                os._exit(0)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0


GAUSSIAN, LAPLACE, BUDGET = dp.discrete_gaussian_mechanism, dp.discrete_laplace_mechanism, dp.Budget
# What is called with what, and the error that it gets.
BAD: list[tuple[Callable[..., Any], dict[str, Any], type[Exception], str]] = [
    # Values: integers only, and no message shows one.
    (GAUSSIAN, {"values": 1.5, "rho": 1}, TypeError, r"values: expected integers of at most 64 bits, not float64; round first, such as"),
    (GAUSSIAN, {"values": 3.0, "rho": 1}, TypeError, "values: expected integers"),
    (GAUSSIAN, {"values": [1, 2.0], "rho": 1}, TypeError, "values: expected integers"),
    (GAUSSIAN, {"values": [True], "rho": 1}, TypeError, "values: expected integers .*, not bool"),
    (GAUSSIAN, {"values": "12", "rho": 1}, TypeError, "values: expected integers"),
    (GAUSSIAN, {"values": None, "rho": 1}, TypeError, "values: expected an integer .*, not NoneType"),
    (GAUSSIAN, {"values": [float("nan")], "rho": 1}, TypeError, r"values\[0\]: expected an integer of at most 64 bits, not float, a missing value"),
    (GAUSSIAN, {"values": Fraction(3), "rho": 1}, TypeError, "values: expected an integer .*, not Fraction"),
    (GAUSSIAN, {"values": 2**70, "rho": 1}, OverflowError, "values: expected a value between"),
    (GAUSSIAN, {"values": [2**63], "rho": "0.01"}, OverflowError, "values: expected a value between -2\\^63 and 2\\^63 - 1"),
    (LAPLACE, {"values": 1.5, "epsilon": 1}, TypeError, "values: expected integers"),
    (GAUSSIAN, {"values": [], "rho": 1}, TypeError, "^values: empty, of float64: expected at least one integer, or an empty array of integers"),
    (LAPLACE, {"values": [[], []], "epsilon": 1}, TypeError, "^values: empty, of float64: expected at least one integer"),
    (dp.skellam_mechanism, {"values": [], "variance": 3}, TypeError, "^values: empty, of float64"),
    (GAUSSIAN, {"values": [[1, 2], [3]], "rho": 1}, ValueError, "^values: expected rows of one length$"),
    # The guarantee, in one way.
    (GAUSSIAN, {}, TypeError, "^missing guarantee: pass rho, or epsilon and delta$"),
    (GAUSSIAN, {"epsilon": 1}, TypeError, "^epsilon = 1: expected delta with it; pass delta too, or use samplez.dp.discrete_laplace_mechanism for"),
    (GAUSSIAN, {"delta": "0.1"}, TypeError, "^delta = 0.1: expected epsilon with it; pass epsilon too$"),
    (GAUSSIAN, {"rho": 1, "epsilon": 1, "delta": "0.1"}, ValueError, "^epsilon = 1: rho is given too; pass rho, or epsilon and delta$"),
    (GAUSSIAN, {"rho": 0}, ValueError, "rho = 0: expected a number above 0"),
    (GAUSSIAN, {"rho": -1}, ValueError, "rho = -1: expected a number above 0"),
    (GAUSSIAN, {"rho": float("nan")}, ValueError, "rho = nan: expected a finite number"),
    (GAUSSIAN, {"rho": float("inf")}, ValueError, "rho = inf: expected a finite number"),
    (GAUSSIAN, {"rho": True}, TypeError, "rho = True: expected a number, not bool"),
    (GAUSSIAN, {"rho": [1]}, TypeError, r"rho = \[1\]: expected one number, not list; write rho=1$"),
    (GAUSSIAN, {"epsilon": 1, "delta": 1}, ValueError, "delta = 1: expected a number above 0 and below 1"),
    (GAUSSIAN, {"epsilon": 1, "delta": 0}, ValueError, "delta = 0: expected a number above 0"),
    (GAUSSIAN, {"epsilon": 0, "delta": "0.1"}, ValueError, "epsilon = 0: expected a number above 0"),
    (GAUSSIAN, {"epsilon": -1, "delta": "0.1"}, ValueError, "epsilon = -1: expected a number above 0"),
    (GAUSSIAN, {"epsilon": "x", "delta": "0.1"}, ValueError, "epsilon = x: expected a number such as"),
    (GAUSSIAN, {"epsilon": "1/0", "delta": "0.1"}, ValueError, "epsilon = 1/0: expected a number such as"),
    (GAUSSIAN, {"epsilon": "1e-30", "delta": "1e-40"}, ValueError, "delta = .*: expected a guarantee that noise or an epsilon up to 2\\^200 gives"),
    (GAUSSIAN, {"sensitivity": 10**30, "epsilon": 1, "delta": "1e-6"}, ValueError,
     r"^sensitivity = 10{30}: expected one for which noise with sigma_squared up to 2\^200 gives epsilon = 1 and delta = 1/1000000; give a smaller one"),
    (dp.sigma_squared, {"sensitivity_squared": "1e60", "epsilon": 1, "delta": "1e-6"}, ValueError, r"^sensitivity_squared = 1e60: expected one for which"),
    (GAUSSIAN, {"sigma": 3, "rho": 1}, ValueError, "^rho = 1: sigma is given too; pass only one of them, because the noise determines the guarantee$"),
    (GAUSSIAN, {"sigma": 3, "sigma_squared": 9}, ValueError, "^sigma = 3: sigma_squared is given too; pass only one of them$"),
    (GAUSSIAN, {"sigma": 0}, ValueError, "sigma = 0: expected a number above 0"),
    (GAUSSIAN, {"sigma": float("nan")}, ValueError, "sigma = nan: expected a finite number"),
    (LAPLACE, {"epsilon": 0}, ValueError, "epsilon = 0: expected a number above 0"),
    (LAPLACE, {"epsilon": "1e-30"}, ValueError, "epsilon = .*: expected an epsilon for which sensitivity/epsilon, the scale of the noise, is from 2\\^-16 to 2\\^50"),
    (LAPLACE, {"epsilon": 200000}, ValueError, "epsilon = 200000: expected an epsilon for which sensitivity/epsilon"),
    # The sensitivity, in one way.
    (GAUSSIAN, {"rho": 1, "sensitivity": None}, TypeError, "^missing sensitivity: pass one of sensitivity, sensitivity_squared$"),
    (GAUSSIAN, {"rho": 1, "sensitivity_squared": 1}, ValueError, "^sensitivity_squared = 1: sensitivity is given too; pass only one of them$"),
    (GAUSSIAN, {"rho": 1, "sensitivity": 0}, ValueError, "sensitivity = 0: expected a number above 0"),
    (GAUSSIAN, {"rho": 1, "sensitivity": -2}, ValueError, "sensitivity = -2: expected a number above 0"),
    (GAUSSIAN, {"rho": 1, "sensitivity": "1/2"}, ValueError, "sensitivity = 1/2: expected at least 1"),
    (GAUSSIAN, {"rho": 1, "sensitivity": None, "sensitivity_squared": "0.9"}, ValueError, "sensitivity_squared = 0.9: expected at least 1"),
    (GAUSSIAN, {"rho": 1, "sensitivity": "sqrt(2)"}, ValueError, "sensitivity = sqrt\\(2\\): expected a number such as"),
    (LAPLACE, {"epsilon": 1, "sensitivity": "0.5"}, ValueError, "sensitivity = 0.5: expected at least 1"),
    # The rest.
    (GAUSSIAN, {"rho": 1, "clients": 0}, ValueError, "clients = 0: expected a value between 1 and"),
    (GAUSSIAN, {"rho": 1, "clients": 1.5}, TypeError, "clients = 1.5: expected an integer, not float"),
    (GAUSSIAN, {"rho": 1, "budget": 1}, TypeError, "budget = 1: expected a samplez.dp.Budget, not int"),
    (LAPLACE, {"epsilon": 1, "budget": "1"}, TypeError, "budget = 1: expected a samplez.dp.Budget, not str"),
    (GAUSSIAN, {"rho": 1, "rng": np.random.default_rng(1)}, ValueError, "rng: a NumPy PCG64 is not cryptographic"),
    (LAPLACE, {"epsilon": 1, "rng": np.random.default_rng(1)}, ValueError, "rng: a NumPy PCG64 is not cryptographic"),
    (GAUSSIAN, {"rho": 1, "rng": object()}, TypeError, "rng: expected None"),
    (BUDGET, {}, TypeError, "^missing limit: pass rho, or epsilon and delta, or epsilon alone$"),
    (BUDGET, {"epsilon": 0}, ValueError, "^epsilon = 0: expected a number above 0$"),
    (BUDGET, {"epsilon": 1, "accounting": "zcdp"}, TypeError, "^accounting = zcdp: expected epsilon and delta; with epsilon alone, leave accounting out$"),
    (BUDGET, {"delta": "0.1"}, TypeError, "^delta = 0.1: expected epsilon with it; pass epsilon too$"),
    (BUDGET, {"rho": 1, "epsilon": 1}, ValueError, "^epsilon = 1: rho is given too; pass rho, or epsilon and delta, or epsilon alone$"),
    (BUDGET, {"rho": 1, "delta": "0.1"}, ValueError, "^delta = 0.1: rho is given too; pass rho, or epsilon and delta, or epsilon alone$"),
    (BUDGET, {"rho": 1, "path": 3}, TypeError, "^path = 3: expected a str or an os.PathLike$"),
    (dp.Budget(rho=1).spend, {}, TypeError, "^missing cost: pass one of rho, epsilon, charge$"),
    (dp.Budget(rho=1).spend, {"rho": 1, "epsilon": 1}, ValueError, "^epsilon = 1: rho is given too; pass only one of them$"),
    (dp.Budget(rho=1).spend, {"epsilon": 0}, ValueError, "^epsilon = 0: expected a number above 0$"),
    (BUDGET, {"rho": 0}, ValueError, "rho = 0: expected a number above 0"),
    (BUDGET, {"epsilon": 1, "delta": 2}, ValueError, "delta = 2: expected a number above 0 and below 1"),
    (dp.Budget(rho=1).spend, {"rho": -1}, ValueError, "rho = -1: expected a number above 0"),
    (dp.Budget(rho=1).spend, {"rho": "0.1", "distance": -1}, ValueError, "distance = -1: expected a number from 0 on"),
    (dp.Budget(rho=1).delta, {"epsilon": -1}, ValueError, "epsilon = -1: expected a number from 0 on"),
    (dp.rho, {"sigma_squared": 0}, ValueError, "sigma_squared = 0: expected a number above 0"),
    (dp.rho, {"sigma_squared": 1, "clients": 2**41}, ValueError, "clients = .*: expected a value between 1 and"),
    (dp.delta, {"epsilon": -1, "sigma_squared": 1}, ValueError, "epsilon = -1: expected a number from 0 on"),
    (dp.delta, {"epsilon": 1, "sigma_squared": 1, "dimension": 0}, ValueError, "dimension = 0: expected a value between 1 and 2\\^63 - 1"),
    (dp.delta_of_rho, {"rho": 0, "epsilon": 1}, ValueError, "rho = 0: expected a number above 0"),
    (dp.epsilon, {"delta": 0, "sigma_squared": 1}, ValueError, "delta = 0: expected a number above 0"),
    (dp.epsilon_of_rho, {"rho": 1, "delta": 1}, ValueError, "delta = 1: expected a number above 0 and below 1"),
    (dp.rho, {"epsilon": 0, "delta": "0.1"}, ValueError, "epsilon = 0: expected a number above 0"),
    (dp.sigma_squared, {"sensitivity": 1}, TypeError, "^missing guarantee: pass rho, or epsilon and delta$"),
]


@pytest.mark.parametrize(("function", "arguments", "error", "text"), BAD)
def test_bad_input(function: Callable[..., Any], arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    usual = {"values": 1, "sensitivity": 1} if function in (GAUSSIAN, LAPLACE) else {}
    if "sensitivity_squared" in arguments and "sensitivity" in arguments:
        usual.pop("sensitivity")
    with pytest.raises(error, match=text):
        function(**{**usual, **arguments})
