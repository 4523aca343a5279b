"""Subsampled releases, discrete Laplace noise and sums over clients, against the definition of privacy summed in many digits."""

import itertools
import math
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from samplez import _samplez, dp
from samplez.dp import _lattice, _skellam, _sources
from samplez.dp._grid import convolve, masses, numbers, split
from samplez.dp._sources import Source, of_sources

Pair = list[tuple[Any, Any]]


@pytest.fixture(autouse=True)
def digits() -> Any:
    with mpmath.workdps(60):
        yield


def number(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def law(kind: str, parameter: Fraction) -> dict[int, Any]:
    """The noise, up to a mass of 10^-15."""
    if kind == "skellam":
        reach = int(12 + 9 * math.sqrt(parameter))
        return {x: mpmath.exp(-number(parameter)) * mpmath.besseli(abs(x), number(parameter)) for x in range(-reach, reach + 1)}
    reach = 2 + int(9 * math.sqrt(parameter)) if kind == "gaussian" else 2 + int(36 * parameter)
    weights = {
        x: mpmath.exp(-number(x * x / (2 * parameter) if kind == "gaussian" else abs(x) / parameter)) for x in range(-reach, reach + 1)
    }
    total = sum(weights.values())
    return {x: weight / total for x, weight in weights.items()}


def pair(noise: dict[int, Any], shift: int, rate: Fraction, direction: int) -> Pair:
    """(P, Q) of every output: with the record against without it, or the other way round."""
    both = []
    for x in range(min(noise), max(noise) + shift + 1):
        without = noise.get(x, mpmath.mpf(0))
        given = number(1 - rate) * without + number(rate) * noise.get(x - shift, mpmath.mpf(0))
        both.append((given, without) if direction > 0 else (without, given))
    return both


def delta(pairs: list[Pair], epsilon: Fraction) -> Any:
    """Σ max(P - e^ε·Q, 0) over all outputs of all releases, by the definition. Outputs of equal quotients are merged first."""
    factor = mpmath.exp(number(epsilon))
    result = [(mpmath.mpf(1), mpmath.mpf(1))]
    for one in pairs:
        result = [(p * a, q * b) for (p, q), (a, b) in itertools.product(result, one)]
    return mpmath.fsum(max(p - factor * q, 0) for p, q in result)


def worst(sources: tuple[Source, ...], epsilon: Fraction) -> Any:
    found = []
    for direction in (1, -1):
        pairs = []
        for source in sources:
            pairs += [pair(law(source.kind, source.parameter), source.shift, source.rate, direction)] * source.count
        found.append(delta(pairs, epsilon))
    return max(found)


def gaussian(parameter: str, shift: int = 1, rate: str = "1", count: int = 1) -> Source:
    return Source("gaussian", Fraction(parameter), shift, Fraction(rate), count)


def laplace(parameter: str, shift: int = 1, rate: str = "1", count: int = 1) -> Source:
    return Source("laplace", Fraction(parameter), shift, Fraction(rate), count)


def skellam(parameter: str, shift: int = 1, rate: str = "1", count: int = 1) -> Source:
    return Source("skellam", Fraction(parameter), shift, Fraction(rate), count)


@pytest.mark.parametrize(
    ("sources", "epsilon", "width"),
    [
        ((skellam("2"),), "1", 1e-9), ((skellam("1/3", 2),), "2", 1e-9), ((skellam("9/2", 3, "1/10"),), "1/2", 1e-9),
        ((skellam("1/2", 10),), "1", 1e-9), ((skellam("10", 20),), "1", 1e-9), ((skellam("20", 40, "1/10"),), "1", 1e-9),
        ((skellam("1", 1, "1/4", 2),), "1/2", 0.02), ((skellam("2", 2, "1", 2),), "1", 0.02), ((skellam("1"), gaussian("1/2", 1, "1/8")), "1", 0.02),
        ((gaussian("2", 1, "1/10"),), "1", 1e-9), ((gaussian("1/2", 1, "3/4"),), "1/3", 1e-9), ((gaussian("5", 3, "1/100"),), "0", 1e-9),
        ((laplace("2", 3),), "1", 1e-9), ((laplace("3/2", 1, "1/3"),), "1/5", 1e-9), ((laplace("1/2", 4, "1/2"),), "2", 1e-9),
        ((gaussian("1", 1, "1/4", 2),), "1/2", 0.02), ((gaussian("1/2", 2, "1/20", 3),), "1", 0.02), ((gaussian("1", 1, "1", 2),), "1", 0.02),
        ((laplace("1/2", 2, "1", 3),), "2", 1e-9), ((laplace("1/3", 1, "1/8", 3),), "1", 0.02),
        ((gaussian("1/2", 1, "1/8"), laplace("1/2", 2, "1/2"), gaussian("3/4", 1)), "1", 0.02),
        ((gaussian("1/20", 1, "1/1000", 2),), "30", 1e-4), ((gaussian("1/400", 1, "1/1000", 2),), "193", 1.0),
    ],
)
def test_the_definition(sources: tuple[Source, ...], epsilon: str, width: float) -> None:
    low, high = (number(x) for x in of_sources(sources, Fraction(epsilon)))
    value = worst(sources, Fraction(epsilon))
    assert low <= value * (1 + mpmath.mpf(10) ** -12) and value <= high * (1 + mpmath.mpf(10) ** -12), (low, value, high)
    assert high - low <= width * high


def test_both_directions_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the record against with it is the worse for no ε above 0 here, and the two differ."""
    source = (gaussian("1", 1, "1/4", 2),)
    one, other = (delta([pair(law("gaussian", Fraction(1)), 1, Fraction(1, 4), way)] * 2, Fraction(1, 2)) for way in (1, -1))
    assert other < 0.9 * one
    found = [_sources._bracket(source, way, Fraction(1, 2), 48, _sources._CELLS) for way in (1, -1)]
    assert number(found[0][0]) <= one <= number(found[0][1]) and number(found[1][0]) <= other <= number(found[1][1])
    # On a coarse grid the split losses alone give more than the truth, so the lower end needs what is subtracted.
    assert number(_sources._bracket(source, -1, Fraction(1, 2), 48, 16)[0]) < other
    monkeypatch.setattr(_sources, "_added", lambda *_: Fraction(0))
    assert number(_sources._bracket(source, -1, Fraction(1, 2), 48, 16)[0]) > 1.01 * other


@pytest.mark.parametrize(("sigma_squared", "rate", "epsilon"), [("100", "1/10", "1/10"), ("2000", "1/1000", "1/1000"), ("9", "99/100", "2")])
def test_amplification_of_one_release(sigma_squared: str, rate: str, epsilon: str) -> None:
    """δ of the sample is rate·δ(ln(1 + (e^ε - 1)/rate)), by the known δ of a release."""
    e, r = number(Fraction(epsilon)), number(Fraction(rate))
    inner = mpmath.log(1 + (mpmath.exp(e) - 1) / r)
    around = [Fraction(int(inner * 2**60) + side, 2**60) for side in (1, -1)]
    plan = dp.Plan(sigma_squared=sigma_squared)
    low, high = dp.Plan(sigma_squared=sigma_squared, sampling_rate=rate).delta(epsilon)
    assert low <= r * plan.delta(around[1]).upper * (1 + 1e-12) and high >= r * plan.delta(around[0]).lower * (1 - 1e-12)
    assert low <= high <= low * (1 + 1e-10)


def test_many_laplace_releases_are_a_binomial_law() -> None:
    """Of sensitivity 1: the loss is ±1/scale, as of a randomized response."""
    count, scale, epsilon = 60, Fraction(7), Fraction(5, 2)
    p = 1 / (1 + mpmath.exp(-1 / number(scale)))
    wanted = mpmath.fsum(
        mpmath.binomial(count, i) * p**i * (1 - p) ** (count - i) * (1 - mpmath.exp(number(epsilon - (2 * i - count) / scale)))
        for i in range(count + 1) if (2 * i - count) / scale > epsilon
    )
    low, high = dp.Plan.laplace(scale=scale, releases=count).delta(epsilon)
    assert low <= wanted * (1 + mpmath.mpf(10) ** -12) and wanted <= high * (1 + mpmath.mpf(10) ** -12) and high <= low * (1 + 1e-12)
    assert dp.Plan.laplace(scale=2, sensitivity=3, releases=4).delta(6) == (0.0, 0.0)
    # Such a plan is within the bound for all mechanisms of its ε, and its own noise is better than the worst for a larger shift.
    assert high <= dp.Plan.pure(1 / scale, releases=count).delta(epsilon).upper
    assert dp.Plan.laplace(scale=20, sensitivity=4, releases=30).delta(2).upper < 0.9 * dp.Plan.pure("0.2", releases=30).delta(2).upper


@pytest.mark.parametrize(("scale", "rate", "count", "epsilon"), [("10", "1/10", 64, "1/2"), ("2", "1/100", 64, "1/2")])
def test_many_samples_with_two_losses(scale: str, rate: str, count: int, epsilon: str) -> None:
    """Laplace noise of sensitivity 1 has two kinds of outputs, so all releases have a binomial law."""
    e, r, factor = number(Fraction(epsilon)), number(Fraction(rate)), mpmath.exp(1 / number(Fraction(scale)))
    sources, values = (laplace(scale, 1, rate, count), laplace("3", 1, "1")), []
    for direction in (1, -1):
        likely, other = factor / (1 + factor), 1 / (1 + factor)
        mixed = (1 - r) * likely + r * other, (1 - r) * other + r * likely
        (p, q), (s, t) = (mixed, (likely, other)) if direction > 0 else ((likely, other), mixed)
        # One release of scale 3 beside them keeps all on the grid.
        one = 1 / (1 + mpmath.exp(-mpmath.mpf(1) / 3))
        terms = []
        for i in range(count + 1):
            ways = mpmath.binomial(count, i)
            for a, b in ((one, 1 - one), (1 - one, one)):
                terms.append(max(ways * (p**i * q ** (count - i) * a - mpmath.exp(e) * s**i * t ** (count - i) * b), 0))
        values.append(mpmath.fsum(terms))
    low, high = (number(x) for x in of_sources(sources, Fraction(epsilon)))
    assert low <= max(values) <= high <= low * 1.02, (low, max(values), high)


def inverted(sigma_squared: float, rate: float, count: int, epsilon: float) -> float:
    """δ with the record against without it, by the inversion of the loss's characteristic function under a tilt t:

    the integral of φ(t + iθ)^n·e^(-(t + iθ)ε)/((t + iθ)(t + iθ + 1)) over all θ, by 2π; the trapezoidal rule errs by less than 10^-6 here.
    """
    reach = 2 + int(14 * math.sqrt(sigma_squared))
    x = np.arange(-reach, reach + 2)
    without, given = (np.exp(-((x - shift) ** 2) / (2 * sigma_squared)) for shift in (0, 1))
    mass = (1 - rate) * without / without.sum() + rate * given / given.sum()
    loss = np.log1p(rate * np.expm1((2 * x - 1) / (2 * sigma_squared)))
    low, high = 1e-3, 1e6
    for _ in range(100):
        tilt = math.sqrt(low * high)
        tilted = mass * np.exp(tilt * loss - (tilt * loss).max())
        low, high = (tilt, high) if count * (tilted @ loss) / tilted.sum() < epsilon else (low, tilt)
    tilt = low * 0.6
    tilted = mass * np.exp(tilt * loss)
    total = tilted.sum()
    tilted /= total
    step = 0.01 / math.sqrt(count * (tilted @ loss**2 - (tilted @ loss) ** 2))
    angles = np.arange(1, 8001) * step
    turned = sum(a * np.exp(1j * angles * b) for a, b in zip(tilted, loss, strict=True))
    values = turned**count * np.exp(-1j * angles * epsilon) / ((tilt + 1j * angles) * (tilt + 1j * angles + 1))
    assert abs(values[-1]) < 1e-12 * abs(values[0])
    return float(math.exp(count * math.log(total) - tilt * epsilon) * step / math.pi * (0.5 / (tilt * (tilt + 1)) + values.real.sum()))


@pytest.mark.parametrize(("rate", "count", "epsilon", "width"), [("1/1000", 1000, "1/4", 1e-3), ("1/10000", 4096, "1/16", 0.01)])
def test_small_rates(rate: str, count: int, epsilon: str, width: float) -> None:
    """With the record against without it, which is the worse by far."""
    low, high = (float(x) for x in _sources._bracket((gaussian("1", 1, rate, count),), 1, Fraction(epsilon), 48, _sources._CELLS))
    value = inverted(1, float(Fraction(rate)), count, float(Fraction(epsilon)))
    assert low <= value * (1 + 1e-5) and value * (1 - 1e-5) <= high <= low * (1 + width), (low, value, high)


def test_small_rates_of_few_releases() -> None:
    """No more jumps than releases."""
    low, high = dp.Plan(sigma_squared=1, sampling_rate="1/1000", releases=2).delta(1)
    pairs = [pair(law("gaussian", Fraction(1)), 1, Fraction(1, 1000), direction) for direction in (1, -1)]
    value = float(max(delta([one] * 2, Fraction(1)) for one in pairs))
    assert low * (1 - 1e-9) <= value <= high * (1 + 1e-9) and high <= low * (1 + 1e-6)


@pytest.mark.parametrize(("variance", "rate", "count", "width"), [("1/100", "1/1000", 100, 1e-9), ("1/100", "1/10000", 1000, 3e-5), ("1/100", "1/1000", 10, 1e-6), ("1/400", "1/100", 200, 1e-6), ("1/400", "1/2", 200, 1e-6)])
def test_small_rates_of_noise_that_is_nearly_none(variance: str, rate: str, count: int, width: float) -> None:
    """Noise of a variance up to 1/100 is 0 but for 4e-22: whoever sees a 1 knows the record."""
    low, high = (float(x) for x in _sources._bracket((gaussian(variance, 1, rate, count),), 1, Fraction(1), 48, _sources._CELLS))
    value = -math.expm1(count * math.log1p(-float(Fraction(rate))))
    assert low * (1 - 1e-12) <= value <= high * (1 + 1e-12) and high <= low * (1 + width), (low, value, high)


@pytest.mark.parametrize(("variance", "count", "epsilon"), [("1/30", 1000, 7500), ("1/20", 300, 1500)])
def test_many_samples_of_narrow_noise(variance: str, count: int, epsilon: int) -> None:
    """Outputs beyond 0 and 1 are jumps: all their numbers up to four are enumerated, and more of them have less than 10^-11."""
    x, s2, value = np.array([0, 1, -1, 2]), float(Fraction(variance)), 0.0
    without, given = (np.exp(-((np.arange(-9, 10) - shift) ** 2) / (2 * s2)) for shift in (0, 1))
    logs = np.log((without / without.sum() + given / given.sum()) / 2)[x + 9]
    for a, b in np.ndindex(5, 5):
        ones = np.arange(count - a - b + 1)
        n = np.stack([count - a - b - ones, ones, np.full_like(ones, a), np.full_like(ones, b)])
        masses = np.exp(math.lgamma(count + 1) - np.vectorize(math.lgamma)(n + 1).sum(axis=0) + logs @ n)
        value -= float(masses @ np.expm1(np.minimum(epsilon - np.log1p(np.expm1((2 * x - 1) / (2 * s2)) / 2) @ n, 0)))
    low, high = (float(x) for x in _sources._bracket((gaussian(variance, 1, "1/2", count),), 1, Fraction(epsilon), 48, _sources._CELLS))
    assert low <= value * (1 + 1e-8) and value * (1 - 1e-8) <= high <= low * (1 + 1e-3), (low, value, high)


@pytest.mark.parametrize(("epsilon", "goal"), [(70, 9.703955e-3), (72, 7.812509e-3), (73, 4.053783e-3), (80, 1.176911e-36)])
def test_one_sample_of_narrow_noise(epsilon: int, goal: float) -> None:
    """The masses that decide are below 2^-112. The goals are sums in 60 digits."""
    low, high = dp.Plan(sigma="0.08", sampling_rate="0.01").delta(epsilon)
    assert low <= high <= low * (1 + 1e-6) and high == pytest.approx(goal, rel=1e-6)


def test_what_is_far_out_is_answered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below 2^-1000 nothing is summed."""
    monkeypatch.setattr(_lattice, "_sum", None)
    assert dp.Plan(sigma=100_000).delta("7e-4") == (0.0, 2.0**-1000)


def test_a_tiny_rate_is_answered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a grid."""
    monkeypatch.setattr(_sources, "_many", None)
    assert dp.Plan(sigma=1, sampling_rate="1e-300", releases=10).delta(1).upper < 1e-299


def test_an_infinite_loss_beside_a_body() -> None:
    assert (dp.Plan.pure(3 * 10**6) + dp.Plan.skellam(variance=3)).delta(1) == (0, 1)


def test_rare_losses_are_composed_apart() -> None:
    """And the parts have all mass: three releases of which jumps and the rest are far from the body."""
    source, bits = gaussian("1/4", 1, "1/1000", 3), 112
    rows, _ = _sources._rows(source, 1, bits)
    body, jumps, most, rare = _sources._jumps(rows, 3, bits, 48)
    assert sorted(body + jumps + rare) == sorted(rows) and jumps and rare and 1 <= most <= 3
    assert max(abs(row[1]) for row in body) <= min(abs(row[1]) for row in jumps) <= min(abs(row[1]) for row in rare)
    law = _sources._together((source,), 1, 48, _sources._CELLS)
    assert sum(numbers(law.down)) <= 1 << bits <= sum(numbers(law.up)) + law.infinite <= (1 << bits) * (1 + 2**-20)


def test_skellam_noise_is_nearly_gaussian_if_it_is_wide() -> None:
    wide, normal = dp.Plan.skellam(variance=3000, sensitivity=5), dp.Plan(sigma_squared=3000, sensitivity=5)
    assert abs(wide.delta("0.2").upper / normal.delta("0.2").upper - 1) < 2e-3
    assert dp.Plan.skellam(variance=2, releases=3) == dp.Plan.skellam(variance=2) + dp.Plan.skellam(variance=2, releases=2) != dp.Plan(sigma_squared=2, releases=3)
    both = dp.Plan.skellam(variance="3/2", sensitivity=2, sampling_rate="1/4") + normal
    assert eval(repr(both), {"Plan": dp.Plan}) == both and "together" in both._repr_html_()
    low, high = dp.Plan.skellam(variance=20).epsilon("1e-5")
    assert low <= high <= low * (1 + 1e-8) and dp.Plan.skellam(variance=20).delta(high).upper <= 1e-5
    with pytest.raises(ValueError, match="^Plan.rho: not available for Skellam noise"):
        _ = both.rho
    assert (dp.Plan.skellam(variance=20) + dp.Plan(sigma_squared=20, dimension=2)).delta(1).upper == 1


@pytest.mark.parametrize("mu", ["1/1000", "1/3", "7", "12345/7"])
def test_skellam_masses(mu: str) -> None:
    variance = Fraction(mu)
    reach = _skellam.reach_of(variance, 100)
    downs, ups, beyond = _skellam.weights(variance, reach, 100)
    found = _skellam.masses(downs, ups, beyond, 100)
    for k in {0, 1, 2, reach // 3, reach - 1, reach}:
        exact = mpmath.besseli(k, number(variance)) * mpmath.exp(-number(variance)) * mpmath.mpf(2) ** 100
        assert found[k][0] <= exact * (1 + mpmath.mpf(10) ** -50) and exact <= found[k][1] * (1 + mpmath.mpf(10) ** -50) and found[k][1] - found[k][0] <= 2
        near = _skellam.log_quotient(downs[k], downs[k - 1]) if k else 0
        assert abs(near - mpmath.log(mpmath.besseli(k, number(variance)) / mpmath.besseli(k - 1, number(variance)))) < 1e-13 * (1 + abs(near)) or not k
    # What the masses leave out.
    assert 1 - (2 * sum(down for down, _ in found) - found[0][0]) / mpmath.mpf(2) ** 100 < mpmath.mpf(2) ** -90


@pytest.mark.parametrize(("count", "sigma_squared", "shift"), [(2, "1", 1), (3, "5/4", 2), (5, "2", 1)])
def test_sums_over_clients(count: int, sigma_squared: str, shift: int) -> None:
    """The law of the sum itself, by convolution, against the bracket."""
    one = law("gaussian", Fraction(sigma_squared))
    total = {0: mpmath.mpf(1)}
    for _ in range(count):
        longer: dict[int, Any] = {}
        for (x, p), (y, q) in itertools.product(total.items(), one.items()):
            longer[x + y] = longer.get(x + y, 0) + p * q
        total = longer
    for epsilon in ("0", "1/2", "2"):
        value = delta([pair(total, shift, Fraction(1), 1)], Fraction(epsilon))
        low, high = dp.Plan(sigma_squared=sigma_squared, sensitivity=shift, clients=count).delta(epsilon)
        assert low <= value * (1 + mpmath.mpf(10) ** -12) and value <= high * (1 + mpmath.mpf(10) ** -12) and high - low < 0.01 * high
        assert dp.delta(epsilon, sigma_squared=sigma_squared, sensitivity=shift, clients=count) == high


def test_narrow_noise_of_clients_has_the_bound_of_rho() -> None:
    """Where the law of the sum is far from a discrete Gaussian: ρ of one client's noise alone."""
    plan = dp.Plan(sigma_squared="1/4", clients=100)
    low, high = plan.delta(1)
    assert plan.rho == 2 and low == 0 and high == dp.delta_of_rho(2, epsilon=1)
    # And r grows with clients and releases.
    assert dp.Plan(sigma_squared="1/2", clients=2**30, releases=2**20).delta(1).lower == 0


CASES = [
    (4, "1", 10, "1"), (1, "1/10", 10, "1"), (1, "1/100", 100, "1"), (9, "1/20", 40, "1/2"),
]


@pytest.mark.parametrize(("sigma_squared", "rate", "count", "epsilon"), CASES)
def test_dp_accounting(sigma_squared: int, rate: str, count: int, epsilon: str) -> None:
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    low, high = of_sources((gaussian(str(sigma_squared), 1, rate, count),), Fraction(epsilon))
    ends = []
    for pessimistic in (False, True):
        one = pld.from_discrete_gaussian_mechanism(
            sigma_squared**0.5, sampling_prob=float(Fraction(rate)), pessimistic_estimate=pessimistic, value_discretization_interval=1e-4)
        ends.append(one.self_compose(count).get_delta_for_epsilon(float(Fraction(epsilon))))
    assert low <= ends[1] and ends[0] * (1 - 1e-9) <= high <= ends[1] * 1.002
    assert high <= low * (1.002 if count == 10 else 1.03)


def test_dp_accounting_s_laplace() -> None:
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    low, high = dp.Plan.laplace(scale=10, sensitivity=3, releases=20).delta(2)
    for pessimistic in (False, True):
        one = pld.from_discrete_laplace_mechanism(0.1, sensitivity=3, pessimistic_estimate=pessimistic, value_discretization_interval=1e-4)
        value = one.self_compose(20).get_delta_for_epsilon(2.0)
        assert low * 0.999 <= value <= high * 1.004 and (value >= low if pessimistic else value <= high)


def test_plans_add_up() -> None:
    sampled, noise = dp.Plan(sigma_squared=4, sampling_rate="1/10", releases=2), dp.Plan.laplace(scale=5, sensitivity=2)
    both = sampled + noise + dp.Plan(sigma_squared=9) + sampled + dp.Plan(sigma_squared=2, clients=3)
    assert both == dp.Plan(sigma_squared=2, clients=3) + dp.Plan(sigma_squared=9) + dp.Plan(sigma_squared=4, sampling_rate="0.1", releases=4) + noise and len({both, both + noise}) == 2
    assert eval(repr(both), {"Plan": dp.Plan}) == both and "sampling_rate='1/10'" in repr(both) and "clients=3" in repr(both)
    assert both.rho == sampled.rho * 2 + noise.rho + dp.Plan(sigma_squared=9).rho + dp.Plan(sigma_squared=2, clients=3).rho and noise.rho == Fraction(2, 25)
    # Clients beside sampled releases: the upper bound is that of ρ.
    assert both.delta(1).upper == dp.delta_of_rho(both.rho, epsilon=1)
    assert dp.Plan(sigma_squared=4, sampling_rate=1) == dp.Plan(sigma_squared=4) != dp.Plan(sigma_squared=4, sampling_rate="1/2")
    low, high = (sampled + noise).epsilon("1e-5")
    assert 0.4 < low <= high < 2 and (sampled + noise).delta(high).upper <= 1e-5
    with_pure = noise + dp.Plan.pure("0.1") + sampled
    assert with_pure.delta(1).lower == (noise + sampled).delta(1).lower < (noise + sampled).delta(1).upper < with_pure.delta(1).upper


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: dp.Plan(sigma_squared=4, sampling_rate=0), "^sampling_rate = 0: expected a number above 0"),
        (lambda: dp.Plan(sigma_squared=4, sampling_rate="1.5"), "^sampling_rate = 1.5: expected a probability, above 0 and up to 1"),
        (lambda: dp.Plan(sigma_squared=4, dimension=2, sampling_rate="0.5"), "^sampling_rate = 0.5: expected dimension = 1, not 2; leave sampling_rate out"),
        (lambda: dp.Plan(sigma_squared=4, clients=2, sampling_rate="0.5"), "^sampling_rate = 0.5: expected clients = 1, not 2; leave sampling_rate out"),
        (lambda: dp.Plan(sigma_squared=4, clients=0), "^clients = 0: expected a value between 1 and "),
        (lambda: dp.sigma_squared(epsilon=1, delta="1e-5", sampling_rate="3/2"), "^sampling_rate = 3/2: expected a probability, above 0 and up to 1"),
        (lambda: dp.sigma_squared(epsilon=1, delta="1e-5", sampling_rate=0), "^sampling_rate = 0: expected a number above 0"),
        (lambda: dp.sigma_squared(epsilon=1, delta="1e-5", sampling_rate="0.1", dimension=3), "^sampling_rate = 0.1: expected dimension = 1, not 3; leave"),
        (lambda: dp.sigma_squared(epsilon=1, delta="1e-5", sampling_rate="0.1", clients=3), "^sampling_rate = 0.1: expected clients = 1, not 3; leave"),
        (lambda: dp.sigma_squared(rho=1, sampling_rate="0.1"), "^sampling_rate = 0.1: expected a guarantee as epsilon and delta, because rho ignores sampling"),
        (lambda: dp.Plan.laplace(scale=0), "^scale = 0: expected a number above 0"),
        (lambda: dp.Plan.laplace(scale=3, sensitivity="1/2"), "^sensitivity = 1/2: expected at least 1"),
        (lambda: dp.Plan.skellam(variance=0), "^variance = 0: expected a number above 0"),
        (lambda: dp.Plan.skellam(variance=3, sensitivity="1/2"), "^sensitivity = 1/2: expected at least 1"),
        (lambda: dp.Plan.laplace(scale=3, releases=0), "^releases = 0: expected a value between 1 and "),
    ],
)
def test_what_it_refuses(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize(
    ("epsilon", "delta", "rate", "releases", "sensitivity"),
    [("1", "1e-5", "1/2", 1, "1"), ("1", "1e-6", "0.1", 6, "2.5"), ("3", "1e-9", "0.001", 20, "1"), ("5", "0.3", "1/3", 2, "1")],
)
def test_noise_for_samples(epsilon: str, delta: str, rate: str, releases: int, sensitivity: str) -> None:
    """The result keeps the guarantee by the fine grid too, and 2^-7 less does not keep it by the lower bound."""
    needed = dp.sigma_squared(sensitivity, epsilon=epsilon, delta=delta, sampling_rate=rate, releases=releases)

    def bounds(s2: Fraction) -> dp.Bounds:
        return dp.Plan(sigma_squared=s2, sensitivity=sensitivity, sampling_rate=rate, releases=releases).delta(epsilon)

    assert bounds(needed).upper <= float(delta) < bounds(needed * (1 - Fraction(1, 1 << 7))).lower
    assert needed == dp.sigma_squared(sensitivity, epsilon=epsilon, delta=delta, sampling_rate=rate, releases=releases)


@pytest.mark.parametrize(
    ("arguments", "most"),
    [
        # One release: exactly rate·δ(ε'), so the result is as close as without sampling.
        ({"epsilon": "1e-300", "delta": "1e-6", "sampling_rate": "0.01"}, 1 / (2 * math.pi * 1e-4**2)),
        ({"epsilon": 1, "delta": "1e-5", "sampling_rate": "0.1", "sensitivity": 10**6}, 1.59e12),
        ({"epsilon": 1, "delta": "1e-300", "sampling_rate": "0.01"}, 52),
        # Several: basic composition, or ρ.
        ({"epsilon": "1e-300", "delta": "1e-6", "sampling_rate": "0.01", "releases": 100}, 3.7e13),
        ({"epsilon": 1, "delta": "1e-300", "sampling_rate": "0.01", "releases": 1000}, 1.5e5),
        ({"epsilon": 1, "delta": "7e-31", "sampling_rate": "1/2", "releases": 2}, 310),
    ],
)
def test_noise_for_samples_beyond_the_grid(monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any], most: float) -> None:
    """Answered without any grid, and enough by `Plan`."""
    monkeypatch.setattr(_sources, "_many", None)
    needed = dp.sigma_squared(**arguments)
    assert needed <= most * (1 + 1e-5)
    rest = {name: value for name, value in arguments.items() if name not in ("epsilon", "delta")}
    if needed > 1e7:
        assert dp.Plan(sigma_squared=needed, **rest).delta(arguments["epsilon"]).upper <= float(arguments["delta"])
    if rest.get("releases", 1) == 1 and needed > 1e7:
        assert dp.Plan(sigma_squared=needed * (1 - Fraction(1, 1 << 18)), **rest).delta(arguments["epsilon"]).lower > float(arguments["delta"])


@pytest.mark.parametrize(("sigma", "sensitivity"), [(100, 1), (60, 200)])
@pytest.mark.parametrize(("rate", "epsilon"), [("0.01", "1/2"), ("0.9", "1e-300"), ("1e-200", "3"), ("1/3", "20")])
def test_one_sample_with_and_without_a_grid(monkeypatch: pytest.MonkeyPatch, sigma: int, sensitivity: int, rate: str, epsilon: str) -> None:
    """The closed form for noise beyond any grid agrees with the sum over all outputs."""
    plan = dp.Plan(sigma=sigma, sensitivity=sensitivity, sampling_rate=rate)
    summed = plan.delta(epsilon)

    def fine(*_: Any) -> None:
        raise _lattice.TooFine

    monkeypatch.setattr("samplez.dp._compose.of_sources", fine)
    low, high = plan.delta(epsilon)
    assert low <= summed.upper and summed.lower <= high and high <= low * (1 + 1e-9) + 1e-300


@pytest.mark.parametrize(("n", "m", "bits"), [(1, 1, 0), (1, 5, 64), (3, 2, 16), (17, 30, 113), (64, 65, 17), (40, 3, 1164)])
def test_convolutions_are_exact(n: int, m: int, bits: int) -> None:
    """Against the definition, also with the largest integers, where the carries are."""
    random = np.random.default_rng(n)
    largest = [(1 << bits) - 1] * (n + m)
    drawn = [int.from_bytes(random.bytes(200), "little") % (1 << bits) for _ in range(n + m)]
    for integers in (largest, drawn):
        a, b = integers[:n], integers[n:]
        for other in (b, a):
            size = len(other)
            wanted = [sum(a[i] * other[k - i] for i in range(max(0, k - size + 1), min(n, k + 1))) for k in range(n + size - 1)]
            assert convolve(a, other) == wanted
            assert convolve(a, other, bits) == [x >> bits for x in wanted] and convolve(a, other, bits, 1) == [-(-x >> bits) for x in wanted]


def test_what_a_list_of_masses_refuses() -> None:
    one = masses([7, 1 << 70])
    refused: list[tuple[Any, str]] = [
        (lambda: _samplez.Masses(b"abc", 2), "integers of the same number of bytes"),
        (lambda: _samplez.Masses(b"", 2), "integers of the same number of bytes, and at least one"),
        (lambda: one.part(2, 5, False), "at least one integer"),
        (lambda: masses([1 << 8000]).times(one, 0, True), "at most 2^30 integers, of at most 3900 bits"),
        (lambda: _samplez.Masses.combined([(1, one)], 2), "places for all lists"),
        (lambda: one.split_line(1 << 127, 1 << 128, 0.1, True, 2), "places for all losses"),
        (lambda: one.split(bytes(16), 0.1, True, 3), "a loss for each integer"),
        (lambda: one.discounted(0, 2, 3, 65, True, False), "a factor up to 1, of a multiple of 64 bits"),
        (lambda: one.discounted(0, 2, 1 << 66, 64, True, False), "a factor up to 1, of a multiple of 64 bits"),
    ]
    for call, text in refused:
        with pytest.raises(ValueError, match=f"^Masses: expected {re.escape(text)}"):
            call()


@pytest.mark.parametrize("width", [2.0**-40, 0.01, 3.0])
def test_masses_are_split_to_the_safe_side(width: float) -> None:
    """Each mass alone: the part that goes up is (1 - e^-loss)/(1 - e^-width) of it within 2^-36, and no mass comes from nothing, or is lost."""
    random = np.random.default_rng(5)
    for bits in (1, 64, 112, 1164):
        for t in (0, 1, 1 << 63, (1 << 64) - 1, *(int(x) for x in random.integers(0, 1 << 63, 4))):
            mass = int.from_bytes(random.bytes(160), "little") >> 1280 - bits
            share = mpmath.expm1(-mpmath.mpf(width) * t / 2**64) / mpmath.expm1(-mpmath.mpf(width))
            down, up = (numbers(split([mass], [(3 << 64) + t], width, sign, 6)) for sign in (-1, 1))
            assert not any(down[:3] + down[5:] + up[:3] + up[5:])
            assert mass * (share - mpmath.mpf(2) ** -36) - 1 <= down[4] <= mass * share <= up[4] <= mass * (share + mpmath.mpf(2) ** -36) + 2
            assert mass - 1 <= down[3] + down[4] <= mass <= up[3] + up[4] <= mass + 2
    values, start, slope = [7, 0, 1 << 113, 5], (1 << 128) + (1 << 80), (3 << 126) + 12345
    for sign in (-1, 1):
        line = masses(values).split_line(start, slope, width, sign > 0, 8)
        assert numbers(line) == numbers(split(values, [start + slope * i >> 64 for i in range(4)], width, sign, 8))


def test_sums_of_masses() -> None:
    """Sums are exact, and the others are within a unit for each term, on the side of `up`."""
    random = np.random.default_rng(6)
    values = [int.from_bytes(random.bytes(16), "little") >> int(random.integers(0, 128)) for _ in range(40)]
    one = masses(values)
    assert numbers(one) == values and len(one) == 40 and one.total(3, 30) == sum(values[3:30]) and one.total(30, 90) == sum(values[30:])
    assert numbers(one.part(5, 20, False)) == values[5:20] and numbers(one.part(5, 90, True)) == [sum(values[:6]), *values[6:]]
    both = numbers(_samplez.Masses.combined([(0, one), (2, one)], 43))
    assert both == [x + y for x, y in zip([*values, 0, 0, 0], [0, 0, *values, 0], strict=True)]
    for up in (False, True):
        scaled = [x * 0xABCDEF for x in values]
        assert numbers(one.scaled(0xABCDEF, 20, up)) == [-(-x >> 20) if up else x >> 20 for x in scaled]
        for factor in ((1 << 128) - 1, 1 << 128, 12345 << 111, 3, 0):
            for backwards in (False, True):
                chosen = values[4:37][::-1] if backwards else values[4:37]
                exact = sum(x * Fraction(factor, 1 << 128) ** i for i, x in enumerate(chosen)) * 2**64
                found = one.discounted(4, 37, factor, 128, up, backwards)
                assert exact <= found <= exact + 33 if up else exact - 33 <= found <= exact


def test_the_direction_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds are the larger ones of both directions, whichever has them, also if few cells leave this open."""
    cases = [((gaussian("4", 1, "1/10", 3),), Fraction(1, 2)), ((gaussian("400", 1, "1/2", 50),), Fraction(0)), ((laplace("3", 2, "1/3", 5),), Fraction(1, 3))]
    bracket = _sources._bracket
    for sources, epsilon in cases:
        found = _sources._both(sources, epsilon, Fraction(0), 48, _sources._CELLS)
        ways = [bracket(sources, way, epsilon, 48, _sources._CELLS) for way in (1, -1)]
        assert found == (max(low for low, _ in ways), max(high for _, high in ways))
        monkeypatch.setattr(_sources, "_bracket", lambda sources, way, *rest: bracket(sources, -way, *rest))
        assert _sources._both(sources, epsilon, Fraction(0), 48, _sources._CELLS) == found
        # On the same side of a δ, and the bounds hold.
        for enough in (found[0] / 3, found[1] * 3):
            less, more = _sources._both(sources, epsilon, enough, 48, _sources._CELLS)
            assert less <= found[0] <= found[1] <= more and (less > enough) == (found[0] > enough) and (more > enough) == (found[1] > enough)
        monkeypatch.setattr(_sources, "_bracket", bracket)


def test_what_is_too_large_for_the_grid_has_the_bound_of_rho() -> None:
    wide = dp.Plan(sigma_squared=10**12, sensitivity=10**5, sampling_rate="1/2", releases=3)
    low, high = wide.delta(1)
    assert dp.Plan(sigma_squared=10**12, sensitivity=10**5, sampling_rate="1/2").delta(1).lower == low < high < dp.delta_of_rho(wide.rho, epsilon=1)
    other = wide + dp.Plan.pure("1/100")
    assert other.delta(1) == (0.0, dp.delta_of_rho(other.rho, epsilon=1))


@pytest.mark.parametrize(("releases", "sensitivity", "width"), [(2**15 - 1, 1, 1e-11), (2**13 - 1, 4, 1e-11), (2**15, 1, 1e-3)])
def test_the_width_for_many_laplace_releases(releases: int, sensitivity: int, width: float) -> None:
    """As the guide states it."""
    low, high = dp.Plan.laplace(scale=1000, sensitivity=sensitivity, releases=releases).delta("1/2")
    assert 0 < low <= high <= low * (1 + width)


def test_more_releases_than_are_composed_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small limit, the bounds of blocks enclose the bounds without a limit, and follow from one block's bounds."""
    plans = [
        (dp.Plan.laplace(scale=2, sensitivity=3, sampling_rate="1/10", releases=10), "1/5"),
        (dp.Plan.skellam(variance=6, releases=10) + dp.Plan(sigma_squared=30, releases=3), "2"),
    ]
    exact = [plan.delta(epsilon) for plan, epsilon in plans]
    monkeypatch.setattr(_sources, "_COUNT", 4)
    of_sources.cache_clear()
    try:
        for (plan, epsilon), (low, high) in zip(plans, exact, strict=True):
            lower, upper = plan.delta(epsilon)
            assert 0 < lower <= low * (1 + 1e-9) <= high * (1 + 1e-9) < upper < 1
            block = dp.Plan.__new__(dp.Plan)
            block._entries, block._pures = (), ()
            block._sources = tuple(replace(s, count=-(-s.count // 3)) for s in (*plan._sources, *(gaussian(str(s2), 1, "1", q.releases) for q, s2 in plan._entries)))
            assert lower == block.delta(epsilon).lower and upper == pytest.approx(min(3 * block.delta(Fraction(epsilon) / 3).upper, 1), rel=1e-12)
    finally:
        of_sources.cache_clear()


def test_an_epsilon_takes_no_more_bits_than_its_delta(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ε that are far too large have a tiny δ, and its bits are not computed."""
    tails: list[int] = []
    bracket = _sources._bracket

    def counted(sources: Any, direction: int, epsilon: Fraction, tail: int, cells: int) -> tuple[Fraction, Fraction]:
        tails.append(tail)
        return bracket(sources, direction, epsilon, tail, cells)

    monkeypatch.setattr(_sources, "_bracket", counted)
    plan = dp.Plan(sigma_squared=4, sampling_rate="1/20", releases=6)
    low, high = plan.epsilon("1e-6")
    assert tails and set(tails) == {48}
    assert 0 < low <= high <= low * 1.001 and plan.delta(high).upper <= 1e-6 < plan.delta(low).upper * (1 + 1e-9)
    # A smaller δ has them.
    low, high = dp.Plan.skellam(variance=5, releases=2).epsilon("1e-14")
    assert low <= high <= low * 1.01 and 96 in tails and dp.Plan.skellam(variance=5, releases=2).delta(high).upper <= 1e-14


@pytest.mark.parametrize(
    ("call", "least"),
    [
        (lambda: (dp.Plan(sigma_squared=1, sensitivity=40) + dp.Plan(sigma_squared=1, sampling_rate="1/10")).delta(1), 0.99),
        (lambda: (dp.Plan.laplace(scale="1/800") + dp.Plan(sigma_squared=1)).delta(1), 0.99),
        (lambda: dp.Plan.laplace(scale="1/5000", sensitivity=2, releases=2, sampling_rate="1/2").delta(1), 0.7),
        (lambda: dp.Plan(sigma_squared=1, sensitivity=30, sampling_rate=Fraction(1, 10**330), releases=2).delta(1), 0.0),
    ],
)
def test_extreme_losses_and_rates(call: Any, least: float) -> None:
    bounds = call()
    assert 0 <= bounds.lower <= bounds.upper <= 1 and bounds.upper >= least
