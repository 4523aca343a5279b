"""Exact accounting against the definition of privacy, summed in many digits, and against other libraries where they are installed."""

import itertools
import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from samplez import dp
from samplez.dp import _grid, _plan
from samplez.dp._balls import Balls, ln2, pi
from samplez.dp._lattice import Lattice, Part, TooFine, bracket

Law = dict[Fraction, Any]


@pytest.fixture(autouse=True)
def digits() -> Any:
    with mpmath.workdps(80):
        yield


def number(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def pmf(sigma_squared: Fraction) -> dict[int, Any]:
    """The discrete Gaussian, up to a mass of 10^-50."""
    reach = int(15 * math.sqrt(sigma_squared)) + 3
    weights = {x: mpmath.exp(-number(x * x / (2 * sigma_squared))) for x in range(-reach, reach + 1)}
    total = sum(weights.values())
    return {x: weight / total for x, weight in weights.items()}


def losses(shape: tuple[int, ...], sigma_squared: Fraction) -> Law:
    """The law of the privacy loss of one release, for a shift of this shape."""
    law: Law = {Fraction(0): mpmath.mpf(1)}
    for shift in shape:
        law = composed(law, {Fraction(shift * shift + 2 * shift * x) / (2 * sigma_squared): p for x, p in pmf(sigma_squared).items()})
    return law


def composed(first: Law, second: Law) -> Law:
    unit = math.lcm(*(loss.denominator for loss in (*first, *second)))
    one, two = ([(int(loss * unit), p) for loss, p in law.items()] for law in (first, second))
    result: dict[int, Any] = {}
    for (a, p), (b, q) in itertools.product(one, two):
        result[a + b] = result.get(a + b, 0) + p * q
    return {Fraction(loss, unit): p for loss, p in result.items()}


def stick(law: Law, epsilon: Fraction) -> Any:
    """δ(ε) = Σ P·(1 - e^(ε - L)) over L > ε."""
    return sum(p * (1 - mpmath.exp(number(epsilon - loss))) for loss, p in law.items() if loss > epsilon)


def brute(parts: tuple[Part, ...], epsilon: Fraction) -> Any:
    law: Law = {Fraction(0): mpmath.mpf(1)}
    for part in parts:
        one = losses((part.shift,), part.sigma_squared)
        for _ in range(part.count):
            law = composed(law, one)
    return stick(law, epsilon)


def assert_between(bounds: tuple[Fraction, Fraction], value: Any, width: float) -> None:
    low, high = (number(x) for x in bounds)
    assert low * (1 - mpmath.mpf(10) ** -45) <= value <= high * (1 + mpmath.mpf(10) ** -45)
    assert high - low <= width * high


@pytest.mark.parametrize("p", [60, 130, 1100])
def test_balls_contain_their_numbers(p: int) -> None:
    draw, balls, unit = random.Random(p), Balls(p), mpmath.mpf(2) ** p
    with mpmath.workprec(2 * p):
        assert abs(mpmath.pi * unit - pi(p)) <= 1 and abs(mpmath.log(2) * unit - ln2(p)) <= 1
        for _ in range(150):
            x = Fraction(draw.randrange(10**12), 10 ** draw.randrange(8, 14))
            turns = Fraction(draw.randrange(-(10**12), 10**12), draw.randrange(1, 10**12))
            angle = 2 * mpmath.pi * number(turns)
            cos, sin = balls.cos_sin(turns)
            minus = balls.of(-x)
            for (m, r), value in (
                (balls.exp(minus), mpmath.exp(-number(x))), (cos, mpmath.cos(angle)), (sin, mpmath.sin(angle)),
                (balls.pi_times(turns, 2), mpmath.pi**2 * number(turns)), (balls.pi_times(turns), mpmath.pi * number(turns)),
                (balls.mul(minus, minus), number(x * x)), (balls.pow(cos, 5), mpmath.cos(angle) ** 5),
                (balls.div(sin, balls.of(1 + x)), mpmath.sin(angle) / (1 + number(x))),
            ):
                assert abs(value * unit - m) <= r <= 64 + 64 * abs(m) // balls.one
    # A ball that is wide stays right: its ends are inside the result.
    m, r = balls.exp((-balls.one, balls.one >> 4))
    with mpmath.workprec(2 * p):
        for end in (-1 - 1 / mpmath.mpf(16), -1 + 1 / mpmath.mpf(16)):
            assert abs(mpmath.exp(end) * unit - m) <= r


@pytest.mark.parametrize(
    ("shift", "sigma_squared", "count", "epsilon"),
    [(1, "4", 1, "1"), (1, "1/2", 1, "3"), (1, "11/20", 1, "3"), (1, "3", 3, "1"), (1, "1/10", 2, "2"), (2, "7/3", 4, "5/2"), (1, "1/8", 3, "20"),
     (1, "1/100", 2, "100"), (3, "5", 2, "0"), (1, "2", 6, "4"), (1, "1/3", 5, "30"), (4, "5", 5, "9"), (1, "1/6", 4, "8"), (1, "20", 2, "2")],
)
def test_equal_releases(shift: int, sigma_squared: str, count: int, epsilon: str) -> None:
    parts = (Part(shift, Fraction(sigma_squared), count),)
    assert_between(bracket(Lattice.of(parts), Fraction(epsilon)), brute(parts, Fraction(epsilon)), 1e-11)


MIXED = [
    (((1, "2", 1), (1, "4", 1)), "1"), (((1, "2", 2), (2, "3", 1)), "2"), (((1, "7/5", 1), (1, "11/9", 2)), "1"), (((1, "1/4", 2), (1, "1/3", 1)), "9"),
    (((2, "3/2", 1), (1, "5/2", 2)), "0"), (((1, "1", 1), (3, "5/2", 1), (1, "3/2", 1)), "3"), (((1, "7/6", 1), (1, "5/9", 1), (1, "3/4", 1)), "2"),
]


@pytest.mark.parametrize(("given", "epsilon"), MIXED)
def test_mixed_releases(monkeypatch: pytest.MonkeyPatch, given: tuple[tuple[int, str, int], ...], epsilon: str) -> None:
    """By the lattice, by tables of two laws, and on a grid of losses, of few cells for speed."""
    monkeypatch.setattr(_grid, "_CELLS", 1 << 12)
    parts, e = tuple(Part(shift, Fraction(s2), count) for shift, s2, count in given), Fraction(epsilon)
    exact = brute(parts, e)
    assert_between(bracket(Lattice.of(parts), e), exact, 1e-11)
    if len(parts) == 2:
        assert_between(_grid.two(*parts, e, 100), exact, 1e-11)
    assert_between(_grid.several(parts, e, 100), exact, 4e-3)


def test_few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells so wide that their errors matter: the bracket is wide, and holds."""
    monkeypatch.setattr(_grid, "_ATOMS", 600)
    parts = (Part(10**4, Fraction(17 * 10**8), 1), Part(10**4, Fraction(51 * 10**8), 1))
    low, high = bracket(Lattice.of(parts), Fraction(1))
    down, up = _grid.several(parts, Fraction(1), 60)
    assert down <= low <= high <= up <= down * Fraction(102, 100)


def test_wide_laws_on_a_grid() -> None:
    """Cells of many integers, against the lattice of the same parts. It takes seconds, for a hundred thousand cells."""
    parts = Part(10**6, Fraction(17 * 10**12), 1), Part(1, Fraction(17), 2)
    low, high = bracket(Lattice.of(parts), Fraction(2))
    down, up = _grid.several(parts, Fraction(2), 88)
    assert down <= low <= high <= up <= down * Fraction(1001, 1000)


@pytest.mark.parametrize(
    ("given", "epsilon"), [(((1, "14/3", 1), (1, "50/7", 1), (1, "6", 1)), "1"), (((1, "7/2", 1), (2, "17/3", 1), (1, "9/4", 1)), "2")]
)
def test_the_ends_of_a_grid(monkeypatch: pytest.MonkeyPatch, given: tuple[tuple[int, str, int], ...], epsilon: str) -> None:
    """Splits make the upper end too large, and so they would the lower one, which leaves out all losses near ε."""
    monkeypatch.setattr(_grid, "_CELLS", 1 << 13)
    parts, e = tuple(Part(shift, Fraction(s2), count) for shift, s2, count in given), Fraction(epsilon)
    low, high = bracket(Lattice.of(parts), e)
    down, up = _grid.several(parts, e, 100)
    assert down < low <= high < up < down * (1 + Fraction(1, 800)) and up > high * (1 + Fraction(1, 10**11))


@pytest.mark.parametrize(("sigma_squared", "count"), [(10**6, 1), (250_000, 4), (10**7 + 1, 1)])
def test_cells(monkeypatch: pytest.MonkeyPatch, sigma_squared: int, count: int) -> None:
    """The masses of cells of many integers contain the sums of their probabilities; so do those of the shifted law."""
    monkeypatch.setattr(_grid, "_ATOMS", 600)
    variance, reach = count * sigma_squared, int(7 * math.sqrt(count * sigma_squared))
    m, drift, (down, up) = _grid._cells(Part(1, Fraction(sigma_squared), count), reach, 80)
    assert m > 10 and m & 1 and 0 < drift < Fraction(1, 1000) and len(down) == len(up)
    weight = [mpmath.exp(-mpmath.mpf(x) ** 2 / (2 * variance)) for x in range(reach + 2 * m)]
    total = 2 * sum(weight) - 1
    middle = len(down) // 2
    for i in range(reach // m):
        exact = sum(weight[abs(m * i + j)] for j in range(-(m // 2), m // 2 + 1)) / total * 2**80
        moved = sum(weight[abs(m * i + j + count)] for j in range(-(m // 2), m // 2 + 1)) / total * 2**80
        loss = mpmath.mpf(2 * m * i * count + count * count) / (2 * variance)
        assert abs(mpmath.log(exact / moved) - loss) <= number(drift)
        assert down[middle + i] <= exact <= up[middle + i] <= down[middle + i] * 1.01 + 100


def pure_delta(epsilon: Fraction, count: int, at: Fraction) -> Any:
    """δ of `count` randomized responses, by the binomial law."""
    p = 1 / (1 + mpmath.exp(-number(epsilon)))
    terms = ((mpmath.binomial(count, i) * p**i * (1 - p) ** (count - i), (2 * i - count) * epsilon) for i in range(count + 1))
    return sum(mass * (1 - mpmath.exp(number(at - loss))) for mass, loss in terms if loss > at)


@pytest.mark.parametrize(("epsilon", "count", "at"), [("0.1", 1, "0.05"), ("0.1", 20, "1"), ("0.1", 20, "1.77"), ("0.5", 3, "1"), ("0.01", 1000, "1.2")])
def test_pure_releases(epsilon: str, count: int, at: str) -> None:
    """The composition of ε-DP mechanisms; discrete Laplace noise is one, and never above."""
    e, x = Fraction(epsilon), Fraction(at)
    low, high = dp.Plan.pure(epsilon, releases=count).delta(at)
    exact = pure_delta(e, count, x)
    assert low == 0 and exact <= high <= exact * 1.001
    if count <= 3:
        law = pmf_of_laplace(e)
        assert stick_of_laplace(law, e, count, x) <= exact


def pmf_of_laplace(epsilon: Fraction) -> Law:
    """The law of the loss of discrete Laplace noise of sensitivity 1: ε with the probability of y <= 0, else -ε."""
    q = mpmath.exp(-number(epsilon))
    return {epsilon: 1 / (1 + q), -epsilon: q / (1 + q)}


def stick_of_laplace(law: Law, epsilon: Fraction, count: int, at: Fraction) -> Any:
    result = law
    for _ in range(count - 1):
        result = composed(result, law)
    return stick(result, at) * (1 - mpmath.mpf(10) ** -60)


def test_pure_and_gaussian_releases() -> None:
    """Together: against the sum over the Gaussian losses, in many digits; and never below basic composition or ρ."""
    plan, e = dp.Plan(sigma_squared="9.5", releases=2) + dp.Plan.pure("0.2", releases=2), Fraction(1)
    law = composed(losses((1,), Fraction("9.5")), losses((1,), Fraction("9.5")))
    exact = sum(p * pure_delta(Fraction("0.2"), 2, e - loss) for loss, p in law.items())
    low, high = plan.delta(e)
    assert low <= exact <= high <= exact * 1.001 and low == dp.Plan(sigma_squared="9.5", releases=2).delta(e).lower
    assert high < dp.delta_of_rho(plan.rho, epsilon=e) and plan.rho == Fraction(2, 19) + Fraction(1, 25)
    assert eval(repr(plan), {"Plan": dp.Plan}) == plan and plan + plan != plan
    assert dp.Plan.pure("0.2", releases=3).delta("0.6") == (0, 0)
    vector = dp.Plan(sigma_squared=40, sensitivity_squared=4, dimension=9, releases=2) + dp.Plan.pure("0.1")
    assert 0 < vector.delta(1).lower < vector.delta(1).upper <= dp.delta_of_rho(vector.rho, epsilon=1)


def test_too_fine() -> None:
    """Widths that share no lattice are accounted all the same, and close."""
    plan = dp.Plan(sigma_squared=Fraction(1173061, 65536)) + dp.Plan(sigma_squared=Fraction(1173065, 65537))
    parts = (Part(1, Fraction(1173061, 65536), 1), Part(1, Fraction(1173065, 65537), 1))
    with pytest.raises(TooFine):
        bracket(Lattice.of(parts), Fraction(1))
    low, high = plan.delta(1)
    assert low <= high <= low * (1 + 1e-9)
    near = dp.delta(1, sigma_squared=Fraction("17.9"), releases=2)
    assert 0.99 < high / near < 1.01


def test_figures_of_the_literature() -> None:
    """δ is not monotone in σ²; ten releases at σ² = 100; and what zCDP's conversion costs."""
    assert dp.Plan(sigma_squared="0.5").delta(3).lower == pytest.approx(0.0090025, abs=5e-8)
    assert dp.Plan(sigma_squared="0.55").delta(3).upper == pytest.approx(0.0112965, abs=5e-8)
    assert dp.Plan(sigma_squared=100, releases=10).delta(3).upper == pytest.approx(1.707e-22, rel=1e-3)
    assert 178 < dp.sigma_squared(epsilon=1, delta="1e-6", releases=10) < 179
    assert 204 < 10 / (2 * dp.rho(epsilon=1, delta="1e-6")) < 206


def test_adaptive_parameters_are_another_matter() -> None:
    """σ² = 4, then (Δ, σ²) = (1, 1) or (2, 4), of equal ρ, by the first output: that beats each fixed plan, and ρ covers it."""
    first, second = losses((1,), Fraction(4)), (losses((1,), Fraction(1)), losses((2,), Fraction(4)))
    e = Fraction(3)
    chosen = sum(p * max(stick(law, e - loss) for law in second) for loss, p in first.items())
    fixed = max(float((dp.Plan(sigma_squared=4) + other).delta(e).upper) for other in (dp.Plan(sigma_squared=1), dp.Plan(sigma_squared=4, sensitivity=2)))
    assert fixed == pytest.approx(0.0050151, abs=5e-8) and float(chosen) == pytest.approx(0.0054657, abs=5e-8)
    assert chosen <= dp.delta_of_rho((dp.Plan(sigma_squared=4) + dp.Plan(sigma_squared=1)).rho, epsilon=e)


@pytest.mark.parametrize(("squared", "dimension", "sigma_squared", "epsilon"), [(4, 4, "5/4", "2"), (4, 4, "1/2", "3"), (5, 3, "1", "2"), (8, 2, "2/3", "4")])
def test_vectors(squared: int, dimension: int, sigma_squared: str, epsilon: str) -> None:
    """Two releases: between the best fixed shape and an adversary who chooses the second shape by the first output.

    The sums are in 80 digits, over all pairs of losses.
    """
    s2, e = Fraction(sigma_squared), Fraction(epsilon)
    shapes = [
        shape for count in range(1, dimension + 1) for shape in itertools.combinations_with_replacement(range(1, math.isqrt(squared) + 1), count)
        if sum(x * x for x in shape) <= squared
    ]
    laws = [losses(shape, s2) for shape in shapes]
    one = max(stick(law, e) for law in laws)
    assert_between(_exact(dp.Plan(sigma_squared=s2, sensitivity_squared=squared, dimension=dimension), e), one, 1e-11)
    heights: dict[Fraction, Any] = {}

    def best(left: Fraction) -> Any:
        if left not in heights:
            heights[left] = max(stick(law, left) for law in laws)
        return heights[left]

    adaptive = max(sum(p * best(e - loss) for loss, p in law.items() if p > mpmath.mpf(10) ** -15) for law in laws)
    fixed = max(stick(composed(law, law), e) for law in laws)
    low, high = dp.Plan(sigma_squared=s2, sensitivity_squared=squared, dimension=dimension, releases=2).delta(e)
    assert float(fixed) * (1 - 1e-12) <= low * (1 + 1e-11) and low <= float(fixed) * (1 + 1e-11)
    assert float(adaptive) * (1 - 1e-12) <= high <= float(adaptive) * 1.02


def _exact(plan: dp.Plan, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    low, high = plan.delta(epsilon)
    return Fraction(low), Fraction(high)


def test_vectors_beside_zcdp() -> None:
    for squared, dimension, s2, releases, epsilon in ((4, 100, 400, 100, 1), (9, 9, 300, 3, 1), (3, 3, 20, 10, 2), (2, 50, 357, 10, 1)):
        low, high = dp.Plan(sigma_squared=s2, sensitivity_squared=squared, dimension=dimension, releases=releases).delta(epsilon)
        assert low <= high <= low * 1.01
        assert 1.5 * high < dp.delta_of_rho(dp.rho(sigma_squared=s2, sensitivity_squared=squared, releases=releases), epsilon=epsilon)
    # Beyond enumeration, by ρ, with the lower bound of a few shapes.
    low, high = dp.Plan(sigma_squared=10**4, sensitivity_squared=10**3, dimension=10**3).delta(1)
    assert 0 < low < high == dp.delta_of_rho(Fraction(1, 20), epsilon=1)


def continuous(mu: Any, epsilon: Any) -> Any:
    """δ of continuous Gaussian noise of Δ/σ = μ."""
    x, y = (epsilon / mu - mu / 2) / mpmath.sqrt(2), (epsilon / mu + mu / 2) / mpmath.sqrt(2)
    return (mpmath.erfc(x) - mpmath.exp(epsilon) * mpmath.erfc(y)) / 2


@pytest.mark.parametrize(
    ("sigma_squared", "sensitivity", "releases", "epsilon"),
    [(10**7, 1, 10**6, 11), (10**8, 1, 10**6, 3), (10**37, 10**18, 1, 1), (10**9, 1, 10**6, 1), (12 * 10**12, 10**6, 1, 1), (10**40, 10**18, 1000, 2)],
)
def test_wide_noise_is_nearly_continuous(sigma_squared: int, sensitivity: int, releases: int, epsilon: int) -> None:
    """k = 10^6, Δ = 10^18, and δ = 10^-265."""
    low, high = dp.Plan(sigma_squared=sigma_squared, sensitivity=sensitivity, releases=releases).delta(epsilon)
    assert low <= high <= low * (1 + 1e-11)
    near = continuous(mpmath.sqrt(mpmath.mpf(releases) * sensitivity**2 / sigma_squared), mpmath.mpf(epsilon))
    assert abs(high / near - 1) < 0.01
    # The discrete law's sum is the integral, but for the kink within one step of the loss.
    step = mpmath.mpf(sensitivity) / sigma_squared
    assert abs(high / near - 1) < 1e-9 + 10 * step * epsilon / (mpmath.mpf(releases) * sensitivity**2 / sigma_squared)


def test_random_plans() -> None:
    """Brackets are ordered, ρ's δ is above, and δ grows with releases and falls with ε."""
    draw = random.Random(7)
    for _ in range(16):
        s2, shift = Fraction(draw.randrange(2, 4000), draw.randrange(1, 9)), draw.randrange(1, 4)
        releases, epsilon = draw.randrange(1, 40), Fraction(draw.randrange(0, 500), 100)
        plan = dp.Plan(sigma_squared=s2, sensitivity=shift, releases=releases)
        low, high = plan.delta(epsilon)
        assert 0 <= low <= high <= low * (1 + 1e-11) or (low, high) == (0, 2.0**-1000)
        assert low <= dp.delta_of_rho(plan.rho, epsilon=epsilon)
        assert low <= dp.Plan(sigma_squared=s2, sensitivity=shift, releases=releases + 1).delta(epsilon).upper
        assert plan.delta(epsilon + 1).lower <= high
        # One law, two ways.
        if releases == 1:
            assert low <= dp.delta(epsilon, sigma_squared=s2, sensitivity=shift) <= high * (1 + 1e-9)


@pytest.mark.parametrize("sigma_squared", ["1/70", "1/100", "1/1000"])
def test_tiny_widths_together(sigma_squared: str) -> None:
    """Weights below the balls' radius are not negative."""
    down, up = _grid.gaussian(Fraction(sigma_squared), 3, 64, 0)
    assert min(down) >= 0 and all(a <= b for a, b in zip(down, up, strict=True))
    low, high = (dp.Plan(sigma_squared=sigma_squared, releases=2) + dp.Plan(sigma_squared=3)).delta(1)
    assert 0.999 < low <= high <= 1
    parts = Part(1, Fraction(sigma_squared), 2), Part(1, Fraction(3), 1)
    e = sum((Fraction(p.count) / (2 * p.sigma_squared) for p in parts), Fraction(0))
    assert_between(_grid.several(parts, e, 100), brute(parts, e), 0.03)


def test_tiny_widths_of_vectors() -> None:
    low, high = dp.Plan(sigma_squared="1/1000", sensitivity_squared=5, dimension=2, releases=2).delta(1)
    assert 0.999 < low <= high <= 1


def test_large_epsilons_of_pure_releases() -> None:
    """A failure's probability below the last digit is rounded to 0 and up, not below 0."""
    down, up = _grid._responses(Fraction(1000), 2, 100)
    assert min(down) >= 0 and max(up) <= 1 << 100 and sum(down) <= 1 << 100 <= sum(up)
    assert dp.Plan.pure(1000, releases=2).delta(5) == (0, 1)


def test_sigma_squared_is_not_rounded_in_rho() -> None:
    for s2 in ("1e-30", "1e-12", Fraction(1, 3**50), "2.718281828459045235360287"):
        assert dp.rho(sigma_squared=s2) == dp.rho(sigma_squared=s2, releases=2) / 2 == 1 / (2 * Fraction(s2))
    plan, exact = dp.Plan(sigma_squared="1e-30"), Fraction(10**30, 2)
    # The noise is 0: δ is 1 - e^(ε - 1/2σ²).
    low, high = plan.delta(exact - 1)
    assert plan.rho == exact and low <= 1 - math.exp(-1) <= high < low * (1 + 1e-11) and plan.delta(exact + 1).upper < 1e-9
    low, high = plan.epsilon("0.5")
    assert low <= 5e29 <= high <= low * (1 + 1e-8)
    assert dp.delta(10**29, sigma_squared="1e-30") == 1 and dp.epsilon("0.5", sigma_squared="1e-30") >= exact * (1 - Fraction(1, 2**20))
    assert dp.discrete_gaussian_mechanism(5, sensitivity=1, sigma_squared="1e-30").sigma_squared == Fraction(1, 2**63)


def test_a_crossing_is_on_its_side() -> None:
    """Also where a double cannot tell f from the goal."""
    goal, off = Fraction(1, 3), Fraction(1, 2**60)
    for scale, exact in ((1 + off, True), (1 - off, False)):
        def f(x: Fraction, scale: Fraction = scale) -> Fraction:
            return 2 * goal if x < 1 else goal * scale if x < 2 else goal / 2

        low, high = _plan._crossing(f, goal, Fraction(0), Fraction(4))
        assert f(low) > goal >= f(high) and (low >= 1) == exact


def test_numbers_beyond_doubles() -> None:
    """No overflow, and no division by 0."""
    tiny = 2.0**-1000
    assert dp.Plan(sigma_squared=3).delta("1e400") == (0, tiny) and dp.delta("1e400", sigma_squared=3, releases=2) == tiny
    assert (dp.Plan(sigma_squared=10**8, sensitivity=10**11) + dp.Plan(sigma_squared="7/3") + dp.Plan(sigma_squared="101/17")).delta(1).lower > 1 - 1e-12
    low, high = (dp.Plan(sigma_squared="1e640") + dp.Plan(sigma_squared=3)).delta(1)
    assert dp.Plan(sigma_squared=3).delta(1).lower <= low <= high <= dp.delta_of_rho(Fraction(1, 6) + Fraction(1, 10**600), epsilon=1)
    low, high = dp.Plan.pure("1e-330", releases=5).delta(0)
    assert low == 0 < high < 1e-14
    assert dp.delta(10**200, sigma_squared=dp.sigma_squared(epsilon=10**200, delta="1e-6")) <= 1e-6
    assert (dp.Plan(sigma_squared=3, sensitivity=10**400) + dp.Plan(sigma_squared=4)).delta(1).upper == 1
    with pytest.raises(ValueError, match="delta = 1e-6: expected a delta that an epsilon below 2\\^200 gives"):
        dp.Plan(sigma_squared=3, sensitivity=10**400).epsilon("1e-6")


def test_epsilon() -> None:
    plan = dp.Plan(sigma_squared=179, releases=10)
    low, high = plan.epsilon("1e-6")
    assert low <= high <= low * (1 + 1e-8) and plan.delta(high).upper <= 1e-6 < plan.delta(low * (1 - 1e-9)).lower
    assert float(dp.epsilon("1e-6", sigma_squared=179, releases=10)) == pytest.approx(high, rel=2e-6)
    assert dp.Plan(sigma_squared=10**6).epsilon("0.5") == (0, 0)
    least, most = dp.Plan(sigma_squared=1, releases=10).epsilon("1e-6")
    assert 10 < least <= most <= least * (1 + 1e-8) and dp.Plan(sigma_squared=1, releases=10).delta(most).upper <= 1e-6
    # Tiny noise, tiny privacy loss, and what no double holds.
    assert dp.Plan(sigma_squared=4, sensitivity=10**18).epsilon("0.1").upper == pytest.approx(1.25e35, rel=1e-9)
    assert dp.Plan(sigma_squared="1e300").epsilon("1e-160").upper < 1e-18 and dp.Plan(sigma_squared="1e300").delta(1) == (0, 2.0**-1000)
    with pytest.raises(ValueError, match="delta = 1e-310: expected at least 2\\^-1000"):
        plan.epsilon("1e-310")
    both = plan + dp.Plan(sigma=30, sensitivity=2)
    assert both.epsilon("1e-6").upper > high and both == dp.Plan(sigma=30, sensitivity=2) + plan
    assert plan + plan == dp.Plan(sigma_squared=179, releases=20) and hash(plan + plan) == hash(dp.Plan(sigma_squared=179, releases=20))
    assert eval(repr(both), {"Plan": dp.Plan}) == both


def test_calibration() -> None:
    """Sufficient, 2^-18 less is not, and cached."""
    from samplez.dp._accounting import noise_for

    several: list[dict[str, Any]] = [{"releases": 10}, {"releases": 10**6}, {"sensitivity": 10**9}, {"sensitivity": 10**18, "releases": 7}]
    for arguments in several:
        s2 = dp.sigma_squared(epsilon=1, delta="1e-6", **arguments)
        assert dp.delta(1, sigma_squared=s2, **arguments) <= Fraction("1e-6") < Fraction(dp.delta(1, sigma_squared=s2 * (1 - Fraction(1, 2**18)), **arguments))
        hits = noise_for.cache_info().hits
        assert dp.sigma_squared(epsilon=1, delta="1e-6", **arguments) == s2 and noise_for.cache_info().hits == hits + 1
    assert dp.sigma_squared(3, rho="1/8", releases=4) == 144


def test_noise_in_every_form() -> None:
    """`sigma`, `sigma_squared` and `rho` are one; computed doubles are rounded up, and accounted for as rounded."""
    assert dp.delta(1, sigma="3.5") == dp.delta(1, sigma_squared="12.25") == dp.delta(1, rho=Fraction(2, 49))
    computed = math.sqrt(2 * math.log(1.25e6))
    release = dp.discrete_gaussian_mechanism(0, sensitivity=1, sigma=computed)
    square = Fraction(repr(computed)) ** 2
    assert release.sigma_squared is not None and square < release.sigma_squared < square * (1 + Fraction(1, 2**30))
    assert release.rho == 1 / (2 * release.sigma_squared) == dp.Plan(sigma=computed).rho < dp.rho(sigma=computed) == 1 / (2 * square)
    for sigma in (1e-9, 0.1, math.pi, 1e9 * math.pi, 1e12 * math.e, 1e20 * math.pi):
        # From 2^53 on a double is the integer that it is, and its shortest decimal below.
        exact = (Fraction(sigma) if sigma >= 2**53 else Fraction(repr(sigma))) ** 2
        assert exact <= 1 / (2 * dp.Plan(sigma=sigma).rho) <= exact * (1 + Fraction(1, 2**29)) and dp.rho(sigma=sigma) == 1 / (2 * exact)
    for sigma in (3, 10**12, 10**17, 10**19):
        drawn = dp.discrete_gaussian_mechanism([0] * 64, sensitivity=1, sigma=sigma)
        assert drawn.sigma_squared == sigma**2 and isinstance(drawn.values, np.ndarray)
        assert sigma / 3 < max(abs(int(x)) for x in drawn.values) < 10 * sigma
        assert dp.discrete_gaussian_mechanism(5, sensitivity=1, sigma=sigma).sigma_squared == Fraction(sigma) ** 2
    big = dp.discrete_gaussian_mechanism(123_456_789_012, sensitivity=10**18, epsilon=1, delta="1e-6")
    assert isinstance(big.values, int) and big.delta is not None and 0 < big.delta <= 1e-6


@pytest.mark.parametrize(
    ("sigma_squared", "releases", "epsilon"), [(179, 10, "1"), (100, 10, "1"), (25, 100, "5"), (4, 3, "2"), ("2.5", 7, "4"), (900, 1000, "6")]
)
def test_beside_dp_accounting(sigma_squared: Any, releases: int, epsilon: str) -> None:
    """Never below its optimistic value, never above its pessimistic one, but for the rounding of its doubles."""
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    low, high = dp.Plan(sigma_squared=sigma_squared, releases=releases).delta(epsilon)
    optimistic, pessimistic = (
        pld.from_discrete_gaussian_mechanism(math.sqrt(Fraction(sigma_squared)), 1, pessimistic_estimate=worse)
        .self_compose(releases).get_delta_for_epsilon(float(epsilon)) for worse in (False, True)
    )
    assert high > 1e-12 and optimistic * (1 - 1e-9) <= high and low <= pessimistic * (1 + 1e-9)


def test_mixed_beside_dp_accounting() -> None:
    """Three kinds of noise, two sensitivities."""
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    given = ((Fraction(100), 1, 3), (Fraction("150.5"), 1, 2), (Fraction("333.3"), 2, 1))
    plan = sum((dp.Plan(sigma_squared=s2, sensitivity=shift, releases=count) for s2, shift, count in given[1:]), dp.Plan(sigma_squared=given[0][0], sensitivity=given[0][1], releases=given[0][2]))
    low, high = plan.delta(1)
    ends = []
    for worse in (False, True):
        one, *others = (
            pld.from_discrete_gaussian_mechanism(math.sqrt(s2), shift, pessimistic_estimate=worse).self_compose(count) for s2, shift, count in given
        )
        for other in others:
            one = one.compose(other)
        ends.append(one.get_delta_for_epsilon(1.0))
    assert ends[0] * (1 - 1e-9) <= high <= low * 1.003 and low <= ends[1] * (1 + 1e-9)


def test_adapter_of_dp_accounting() -> None:
    pytest.importorskip("dp_accounting")
    from samplez.dp import adapters

    plan = dp.Plan(sigma_squared=179, releases=10)
    loss = adapters.dp_accounting_pld(plan)
    for epsilon in ("0.3", "1", "1.2"):
        upper = plan.delta(epsilon).upper
        assert upper * (1 - 1e-9) <= loss.get_delta_for_epsilon(float(epsilon)) <= upper * 1.05
    twice = loss.compose(loss).get_delta_for_epsilon(1.5)
    assert dp.delta("1.5", sigma_squared=179, releases=20) <= twice <= dp.delta("1.5", sigma_squared=179, releases=20) * 1.1


@pytest.mark.parametrize(
    ("plan", "epsilon"),
    [
        (dp.Plan.laplace(scale=10, sensitivity=3, releases=5), "1"), (dp.Plan.skellam(variance=50, sensitivity=2), "1"), (dp.Plan(sigma_squared=4, sampling_rate="1/100"), "1/10"),
        (dp.Plan.pure("1/2", releases=2), "1/2"),
    ],
    ids=str,
)
def test_adapter_of_other_plans(plan: dp.Plan, epsilon: str) -> None:
    pytest.importorskip("dp_accounting")
    from samplez.dp import adapters

    value = adapters.dp_accounting_pld(plan).get_delta_for_epsilon(float(Fraction(epsilon)))
    upper = plan.delta(epsilon).upper
    assert upper * (1 - 1e-9) <= value <= upper * 1.15


def test_adapter_refuses_by_name() -> None:
    pytest.importorskip("dp_accounting")
    from samplez.dp import adapters

    with pytest.raises(TypeError, match="^plan: expected a samplez.dp.Plan, not dict$"):
        adapters.dp_accounting_pld({})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="^plan = .*dimension=2.*: has no upper bound of δ below 1; leave out the vectors"):
        adapters.dp_accounting_pld(dp.Plan.skellam(variance=20) + dp.Plan(sigma_squared=20, sensitivity_squared=2, dimension=2))


def test_adapter_of_opendp() -> None:
    opendp = pytest.importorskip("opendp.prelude")
    from samplez.dp import adapters

    opendp.enable_features("contrib", "honest-but-curious")
    one, several = adapters.opendp_measurement(sigma=3), adapters.opendp_measurement(sigma_squared=4, vector=True)
    assert isinstance(one(5), int) and abs(one(5) - 5) < 60 and len(several([1, 2, 3])) == 3
    assert one.map(1.0) >= Fraction(1, 18) and several.map(2.0) == 0.5 and one.map(0.0) == 0
    approximate = opendp.c.make_zCDP_to_approxDP(several).map(1.0).epsilon(1e-6)
    assert approximate == pytest.approx(float(dp.epsilon_of_rho(dp.rho(sigma_squared=4), delta="1e-6")), rel=1e-4)


def test_adapters_name_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    from samplez.dp import adapters

    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name, name=name.partition(".")[0])

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ImportError, match="^opendp_measurement needs opendp: run pip install opendp$"):
        adapters.opendp_measurement(sigma_squared=4)
    with pytest.raises(ImportError, match="^dp_accounting_pld needs dp_accounting: run pip install dp-accounting$"):
        adapters.dp_accounting_pld(dp.Plan(sigma_squared=4))


def test_bounds_of_epsilon_are_rounded_outward(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the search ends, also between two doubles."""
    for third in (Fraction(1, 3), Fraction(2, 3), Fraction(10, 3), Fraction(1, 7)):
        monkeypatch.setattr(_plan, "_crossing", lambda *_, third=third: (third, third))
        bounds = dp.Plan(sigma_squared=3).epsilon("1e-6")
        near = third * (1 - Fraction(1, 2**30))
        assert bounds.lower < third < bounds.upper
        assert all(Fraction(bounds.lower) <= end for end in (near, third) if bounds.lower == float(end))


def test_the_sum_of_pure_epsilons_is_a_bound() -> None:
    """Eleven releases of ε = 1/11 are 1-DP: no δ makes the upper bound larger, and at 1 there is no δ at all."""
    for plan, worst in (
        (dp.Plan.pure("1/11", releases=11), 1.0), (dp.Plan.pure("0.1") + dp.Plan.pure("0.3", releases=3), 1.0), (dp.Plan.laplace(scale=11, releases=11), 1.0),
        (dp.Plan.laplace(scale=4, sampling_rate="1/2") + dp.Plan.pure("3/4"), 1.0),
    ):
        for delta in ("1e-300", "1e-12", "1e-3"):
            assert plan.epsilon(delta).upper <= worst
        assert plan.delta(1) == (0, 0)
    assert dp.Plan.pure("1/11", releases=11).epsilon("1e-300").upper == 1 and dp.Plan.pure("1/11", releases=11).delta("0.99").upper > 0
    # Gaussian noise always has a δ.
    assert (dp.Plan.pure("1/11") + dp.Plan(sigma=100)).delta(10**6).upper > 0


def test_ten_thousand_releases_beside_dp_accounting() -> None:
    """The table of docs/accounting.md: a grid that rounds each loss up adds half an interval for each release."""
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    from samplez.dp import adapters

    low, high = dp.Plan(sigma=1000, releases=10_000).epsilon("1e-5")
    ours = adapters.dp_accounting_pld(dp.Plan(sigma=1000)).self_compose(10_000).get_epsilon_for_delta(1e-5)
    theirs = pld.from_discrete_gaussian_mechanism(1000.0).self_compose(10_000).get_epsilon_for_delta(1e-5)
    assert (round(low, 5), round(high, 5), round(ours, 5), round(theirs, 5)) == (0.34067, 0.34067, 0.34098, 0.84082)
    page = (Path(__file__).parents[2] / "docs" / "accounting.md").read_text()
    assert all(f"| {x:.5f} |" in page for x in (high, ours, theirs))
