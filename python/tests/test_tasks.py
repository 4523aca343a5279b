"""Tasks of four users, a line each: a statistician, an engineer of private data, an engineer of large data and a user of lattices.

The values on the right are sums over integers, or other formulas of this file. They use nothing of the library.
"""

import importlib
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

samplez: Any = importlib.import_module("samplez")
dp: Any = importlib.import_module("samplez.dp")
stats: Any = importlib.import_module("samplez.stats")
lattice: Any = importlib.import_module("samplez.lattice")

SPAN = range(-400, 401)


def law(sigma: float, center: float = 0.0) -> dict[int, float]:
    weights = {x: math.exp(-((x - center) ** 2) / (2 * sigma * sigma)) for x in SPAN}
    total = math.fsum(weights.values())
    return {x: weight / total for x, weight in weights.items()}


def skellam(variance: float) -> dict[int, float]:
    """By the two Poisson laws."""
    half = [math.exp(k * math.log(variance / 2) - variance / 2 - math.lgamma(k + 1)) for k in range(120)]
    return {x: math.fsum(half[k + abs(x)] * half[k] for k in range(120 - abs(x))) for x in range(-100, 101)}


def moment(masses: dict[int, float], order: int, center: float = 0.0) -> float:
    return math.fsum(mass * (x - center) ** order for x, mass in masses.items())


def below(masses: dict[int, float], end: float) -> float:
    return math.fsum(mass for x, mass in masses.items() if x <= end)


def least(masses: dict[int, float], q: float) -> int:
    return min(x for x in masses if below(masses, x) >= q)


def hockey_stick(masses: dict[int, float], shift: int, epsilon: float) -> float:
    return math.fsum(max(masses.get(x - shift, 0.0) - math.exp(epsilon) * mass, 0.0) for x, mass in masses.items())


def of_two(masses: dict[int, float], shift: int, epsilon: float) -> float:
    """δ of two releases, over all pairs of outputs."""
    near = [(masses.get(x - shift, 0.0), mass) for x, mass in masses.items() if abs(x) < 60]
    return math.fsum(max(a * c - math.exp(epsilon) * b * d, 0.0) for (a, b), (c, d) in itertools.product(near, near))


def laplace(scale: float) -> dict[int, float]:
    q = math.exp(-1 / scale)
    return {x: (1 - q) / (1 + q) * q ** abs(x) for x in SPAN}


G, LAW = samplez.DiscreteGaussian("3.2"), law(3.2)
OFF, MOVED = samplez.DiscreteGaussian("0.8", center="1/3"), law(0.8, 1 / 3)
SK, SKLAW = samplez.OtherNoise(skellam=9), skellam(9)
PLANE = lattice.Form([[2, 1], [0, 3]], sigma="1.3")
DRAWN = G.sample(100_000, rng=1)


def rho_of_lattice(basis: list[list[int]], sigma: float) -> float:
    """Σ exp(-|v|²/2σ²) over a lattice of the plane."""
    rows = itertools.product(range(-40, 41), repeat=2)
    return math.fsum(math.exp(-sum((a * p + b * q) ** 2 for p, q in zip(*basis, strict=True)) / (2 * sigma**2)) for a, b in rows)


TASKS: dict[str, list[tuple[Any, Any]]] = {
    "statistician": [
        (lambda: G.pmf(0), LAW[0]), (lambda: G.pmf(-7), LAW[7]), (lambda: OFF.pmf(0), MOVED[0]), (lambda: OFF.pmf(1), MOVED[1]),
        (lambda: G.logpmf(40), math.log(LAW[40])), (lambda: G.cdf(2), below(LAW, 2)), (lambda: OFF.cdf(-1), below(MOVED, -1)),
        (lambda: G.sf(5), 1 - below(LAW, 5)), (lambda: G.mean(), 0.0), (lambda: OFF.mean(), moment(MOVED, 1)),
        (lambda: G.var(), moment(LAW, 2)), (lambda: OFF.var(), moment(MOVED, 2, moment(MOVED, 1))), (lambda: OFF.std(), math.sqrt(moment(MOVED, 2, moment(MOVED, 1)))),
        (lambda: OFF.moment(3), moment(MOVED, 3)), (lambda: OFF.moment(4), moment(MOVED, 4)), (lambda: G.ppf(0.3), least(LAW, 0.3)),
        (lambda: OFF.ppf(0.99), least(MOVED, 0.99)), (lambda: G.interval(0.95)[1], least(LAW, 0.975)), (lambda: G.median(), 0),
        (lambda: G.expect(lambda x: np.cos(x)), math.fsum(math.cos(x) * mass for x, mass in LAW.items())),
        (lambda: OFF.expect(lambda x: np.exp(x)), math.fsum(math.exp(x) * mass for x, mass in MOVED.items() if mass)),
        (lambda: OFF.expect(lambda x: x, lb=1), math.fsum(x * mass for x, mass in MOVED.items() if x >= 1)),
        (lambda: G.entropy(), -math.fsum(mass * math.log(mass) for mass in LAW.values() if mass)),
        (lambda: OFF.entropy(base=2), -math.fsum(mass * math.log2(mass) for mass in MOVED.values() if mass)),
        (lambda: stats.pmf(2, sigma=0.8, center=1 / 3), MOVED[2]), (lambda: stats.cdf(0, sigma=3.2), below(LAW, 0)), (lambda: stats.sf(0, sigma=0.8, center=1 / 3), 1 - below(MOVED, 0)),
        (lambda: stats.var(3.2), moment(LAW, 2)), (lambda: stats.mean(0.8, center=1 / 3), moment(MOVED, 1)), (lambda: stats.ppf(0.7, sigma=3.2), least(LAW, 0.7)),
        (lambda: SK.pmf(0), SKLAW[0]), (lambda: SK.pmf(-4), SKLAW[4]), (lambda: SK.cdf(3), below(SKLAW, 3)), (lambda: SK.var(), 9.0),
        (lambda: samplez.OtherNoise(centered_binomial=3).pmf(2), math.comb(6, 5) / 64), (lambda: samplez.OtherNoise(centered_binomial=3).cdf(-1), (1 + 6 + 15) / 64),
        (lambda: samplez.OtherNoise(ternary=True).pmf(-1), 1 / 3), (lambda: samplez.OtherNoise(tuniform=3).pmf(8), 1 / 32), (lambda: samplez.OtherNoise(tuniform=3).pmf(0), 1 / 16),
    ],
    "private data": [
        (lambda: dp.rho(sigma_squared=10, sensitivity_squared=2), 0.1), (lambda: dp.rho(sigma_squared="1/4", sensitivity=3), 18.0), (lambda: dp.sigma_squared(3, rho="1/2"), 9.0),
        (lambda: dp.delta(1, sigma_squared=4), hockey_stick(law(2), 1, 1)), (lambda: dp.delta("1/2", sigma_squared=9, sensitivity=2), hockey_stick(law(3), 2, 0.5)),
        (lambda: dp.delta(3, sigma_squared="1/2"), hockey_stick(law(0.5**0.5), 1, 3)), (lambda: dp.delta(3, sigma_squared="0.55"), hockey_stick(law(0.55**0.5), 1, 3)),
        (lambda: dp.Plan(sigma_squared=4).delta(1).lower, hockey_stick(law(2), 1, 1)), (lambda: dp.Plan(sigma_squared=4, releases=2).delta(1).upper, of_two(law(2), 1, 1)),
        (lambda: dp.Plan(sigma_squared=9, sensitivity=2, releases=2).delta("1/2").lower, of_two(law(3), 2, 0.5)),
        (lambda: dp.Plan.laplace(scale=5, sensitivity=2).delta("1/4").upper, hockey_stick(laplace(5), 2, 0.25)),
        (lambda: dp.Plan.laplace(scale=2, releases=2).delta("3/4").lower, of_two(laplace(2), 1, 0.75)),
        (lambda: dp.Plan.skellam(variance=9).delta("1/2").upper, hockey_stick(SKLAW, 1, 0.5)), (lambda: dp.Plan.skellam(variance=9, sensitivity=3).delta(1).lower, hockey_stick(SKLAW, 3, 1)),
        (lambda: dp.Plan(sigma_squared=4, sampling_rate="1/8").delta("1/5").upper, hockey_stick(law(2), 1, math.log(1 + 8 * math.expm1(0.2))) / 8),
        (lambda: dp.Plan.laplace(scale=10, sensitivity=3).epsilon("1e-300").upper, 0.3), (lambda: dp.Plan(sigma_squared=179, releases=10).rho, 5 / 179),
        (lambda: dp.discrete_laplace_mechanism(3, sensitivity=2, epsilon="1/5").scale, 10.0), (lambda: dp.discrete_laplace_mechanism(3, sensitivity=2, epsilon="1/5").rho, 0.02),
        (lambda: dp.discrete_gaussian_mechanism([1, 2], sensitivity=3, sigma=6).rho, 0.125),
        (lambda: dp.skellam_mechanism(3, variance=9, epsilon="1/2").delta, hockey_stick(SKLAW, 1, 0.5)),
        (lambda: dp.skellam_mechanism(3, variance=1, clients=9, epsilon="1/2").delta, hockey_stick(SKLAW, 1, 0.5)),
        (lambda: dp.epsilon(Fraction(hockey_stick(law(2), 1, 1)), sigma_squared=4), pytest.approx(1, rel=1e-5)),
    ],
    "large data": [
        (lambda: DRAWN.mean(), pytest.approx(0, abs=0.05)), (lambda: DRAWN.var(), pytest.approx(moment(LAW, 2), rel=0.03)),
        (lambda: np.mean(DRAWN == 0), pytest.approx(LAW[0], abs=0.008)), (lambda: np.mean(DRAWN <= -3), pytest.approx(below(LAW, -3), abs=0.01)),
        (lambda: (samplez.block("sigma=3.2", seed=1, index=3, size=1000) == DRAWN[3000:4000]).mean(), 1.0),
        (lambda: (G.sample(100, rng=1, first=777) == DRAWN[777:877]).mean(), 1.0), (lambda: (G.sample(1000, rng=1, threads=2, dtype="int8") == DRAWN[:1000]).mean(), 1.0),
        (lambda: (G.sample((10, 100), rng=1).reshape(-1) == DRAWN[:1000]).mean(), 1.0), (lambda: G.sample(0, rng=1).size, 0), (lambda: G.sample(10, dtype="int16").nbytes, 20),
        (lambda: samplez.verify(DRAWN, "sigma=3.2").consistent, True), (lambda: samplez.verify(DRAWN, "sigma=3.3").consistent, False),
        (lambda: samplez.verify(iter([DRAWN[:500], DRAWN[500:]]), G).consistent, True), (lambda: samplez.verify(np.zeros(1000, np.int8), G).consistent, False),
        (lambda: stats.fit(DRAWN).sigma, pytest.approx(3.2, abs=0.04)), (lambda: stats.fit(DRAWN).center, pytest.approx(0, abs=0.05)),
    ],
    "lattices": [
        (lambda: PLANE.pmf([0, 0]), 1 / rho_of_lattice([[2, 1], [0, 3]], 1.3)), (lambda: PLANE.pmf([2, 1]), math.exp(-5 / 3.38) / rho_of_lattice([[2, 1], [0, 3]], 1.3)),
        (lambda: PLANE.pmf([1, 0]), 0.0), (lambda: PLANE.rank, 2), (lambda: PLANE.columns, 2), (lambda: PLANE.sample(50, rng=1).shape[1], 2),
        (lambda: (PLANE.sample(500, rng=1)[:, 0] % 2).max(), 0), (lambda: ((PLANE.sample(500, rng=1)[:, 1] - PLANE.sample(500, rng=1)[:, 0] // 2) % 3).max(), 0),
        (lambda: (PLANE.coset([1, 1]).sample(500, rng=1)[:, 0] % 2).min(), 1), (lambda: PLANE.verify(PLANE.sample(3000, rng=2)).consistent, True),
        (lambda: PLANE.verify(PLANE.sample(3000, rng=2) * 2).consistent, False), (lambda: lattice.Form.qary([[1, 5, 8]], q=13, sigma=10).rank, 3),
        (lambda: (lattice.Form.qary([[1, 5, 8]], q=13, sigma=10).sample(200, rng=1) @ [1, 5, 8] % 13).max(), 0),
        (lambda: PLANE.shells()[1].distance, 5), (lambda: PLANE.shells()[2].vectors, 2),
        (lambda: lattice.Form([[1]], sigma="3.2").pmf([4]), LAW[4]), (lambda: (lattice.Form([[1, 0], [0, 1]], sigma="0.8").pmf([0, 1])), law(0.8)[0] * law(0.8)[1]),
    ],
}
ROWS = [pytest.param(ask, answer, id=f"{user} {i}") for user, rows in TASKS.items() for i, (ask, answer) in enumerate(rows)]


@pytest.mark.parametrize(("ask", "answer"), ROWS)
def test_task(ask: Any, answer: Any) -> None:
    value = ask()
    if isinstance(answer, float):
        assert float(value) == pytest.approx(answer, rel=1e-9, abs=1e-13)
    else:
        assert value == answer


def test_there_are_tasks_enough() -> None:
    assert len(ROWS) >= 95 and all(len(rows) >= 15 for rows in TASKS.values())
