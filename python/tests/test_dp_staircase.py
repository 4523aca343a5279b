"""Staircase noise: its law by the share of the top and by enumeration of proposals, its privacy by levels and sums, its variance beside the least of any ε-DP noise."""

import math
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import optimize, stats

from samplez import dp
from samplez._random import BitGenerator
from samplez.dp._staircase import Staircase, _digits, staircase

LAWS = [(1, 1, "1"), (2, 1, "1/2"), (2, 2, "2"), (5, 1, "1"), (5, 2, "1/3"), (7, 4, "5"), (7, 7, "1"), (16, 9, "2/3")]


def level(x: int, law: Staircase) -> int:
    """How many stairs above x the top is, by the definition."""
    return next(k for k in range(abs(x) + 2) if abs(x) < law.top + k * law.step)


@pytest.mark.parametrize(("step", "top", "scale"), LAWS)
def test_every_integer_has_one_proposal(step: int, top: int, scale: str) -> None:
    """On the top, each of its integers has as many proposals as any other. Elsewhere an integer of level k + 1 has as many too, all with the number k or -1 - k."""
    law = Staircase(step, top, Fraction(scale))
    bits = (2 * top - 2).bit_length() + (step - 1).bit_length()
    words = np.concatenate([np.arange(1 << bits), np.arange(1 << bits) + np.iinfo(np.int64).min])
    for number in range(-7, 7):
        stairs = np.full(words.size, number)
        inner, outer = (Counter(law.integers(stairs, words, np.full(words.size, is_top)).tolist()) for is_top in (True, False))
        assert inner == dict.fromkeys(range(1 - top, top), 2 * step)
        near = top + max(number, -1 - number) * step
        assert outer == dict.fromkeys([*range(near, near + step), *range(1 - near - step, 1 - near)], 2 * top - 1)
        assert {level(x, law) for x in outer} == {max(number, -1 - number) + 1}
        assert inner.total() + outer.total() > words.size / 2  # more than 1/4 of either are accepted


@pytest.mark.parametrize(("step", "top", "scale"), [*LAWS, (1 << 30, 1, "1/65536"), (1, 1, "1125899906842624"), (1 << 30, 1 << 30, "3")])
def test_the_top_has_its_share(step: int, top: int, scale: str) -> None:
    law = Staircase(step, top, Fraction(scale))
    with mpmath.workprec(200_000 if scale == "1/65536" else 600):
        ratio = mpmath.exp(-1 / mpmath.mpf(law.scale.numerator) * law.scale.denominator)
        share = (2 * top - 1) / (2 * top - 1 + 2 * step * ratio / (1 - ratio))
        assert [_digits(law, count) for count in (1, 2, 5)] == [int(mpmath.floor(share * 2 ** (64 * count))) for count in (1, 2, 5)]


def test_equal_bits_are_followed_by_more() -> None:
    """Whether a number is below the share is decided by the first word in which they differ."""

    class Words:
        def __init__(self, *words: int) -> None:
            self.words = list(words)

        def random_raw(self, size: int | None = None) -> Any:
            return self.words.pop(0) if size is None else np.array([self.words.pop(0) for _ in range(size)], np.uint64)

    law = Staircase(5, 2, Fraction(1, 3))
    digits = _digits(law, 4)
    first, second, third, fourth = ((digits >> (64 * i)) % 2**64 for i in (3, 2, 1, 0))
    for words, is_below in (((second - 1,), True), ((second + 1,), False), ((second, third, fourth - 1), True), ((second, third, fourth + 1), False)):
        bits = Words(*words)
        assert law._is_top(bits) == is_below and not bits.words  # type: ignore[arg-type]
    # One value is 66 proposals, of which the first is taken: its places are 0.
    for last, is_top in ((second - 1, True), (second + 1, False)):
        bits = Words(*[0] * 66, first, *[0] * 65, last)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("samplez.dp._staircase.laplace_noise", lambda _: SimpleNamespace(sample=lambda number, rng: np.zeros(number, np.int64)))
            assert law.sample(1, bits).tolist() == [-1 if is_top else 2]  # type: ignore[arg-type]


@pytest.mark.parametrize(("step", "top", "scale"), LAWS)
def test_privacy_is_epsilon(step: int, top: int, scale: str) -> None:
    """A shift by up to `step` changes the level by at most 1, and one by more than that by 2. δ(ε') below ε is the sum of the definition."""
    law = Staircase(step, top, Fraction(scale))
    reach = 40 * step
    levels = {x: level(x, law) for x in range(-reach, reach + 1)}
    for shift in range(1, step + 1):
        assert {abs(levels[x] - levels[x - shift]) for x in range(shift - reach, reach + 1)} <= {0, 1}
    assert max(abs(levels[x] - levels[x - step - 1]) for x in range(step + 1 - reach, reach + 1)) == 2
    with mpmath.workdps(60):
        ratio = mpmath.exp(-1 / mpmath.mpf(law.scale.numerator) * law.scale.denominator)
        weights = {x: ratio**k for x, k in levels.items()}
        total = sum(weights.values())
        inside = [(weights[x], weights[x - step]) for x in range(step - reach, reach + 1)]
        assert sum(max(p - q / ratio * (1 + mpmath.mpf(10) ** -50), 0) for q, p in inside) == 0
        half = sum(max(p - q / mpmath.sqrt(ratio), 0) for q, p in inside) / total
        assert 0 < half <= 1 - mpmath.sqrt(ratio)
        beyond = 2 * ratio**41 / (1 - ratio) * step * (reach + 50 * step) ** 2
        assert abs(sum(x * x * w for x, w in weights.items()) / total - mpmath.mpf(law.variance().numerator) / law.variance().denominator) <= beyond + mpmath.mpf(10) ** -40


@pytest.mark.parametrize(("step", "scale"), [(1, "1"), (2, "1/2"), (3, "1/3"), (7, "1/4"), (12, "1/2"), (40, "1/6"), (9, "20")])
def test_the_top_is_the_best(step: int, scale: str) -> None:
    chosen = staircase(step, Fraction(scale))
    assert chosen.variance() == min(Staircase(step, top, Fraction(scale)).variance() for top in range(1, step + 1))


@pytest.mark.parametrize(("step", "epsilon"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 4)])
def test_no_noise_has_a_smaller_variance(step: int, epsilon: int) -> None:
    """By a linear program over all laws on a window, with the constraints of ε-DP inside it."""
    reach = 12 * step
    values = np.arange(-reach, reach + 1)
    rows = []
    for shift in range(1, step + 1):
        for x in range(2 * reach + 1 - shift):
            for a, b in ((x, x + shift), (x + shift, x)):
                row = np.zeros(2 * reach + 1)
                row[a], row[b] = 1, -math.exp(epsilon)
                rows.append(row)
    best = optimize.linprog(values**2, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=np.ones((1, 2 * reach + 1)), b_eq=[1], method="highs")
    assert float(staircase(step, Fraction(1, epsilon)).variance()) == pytest.approx(best.fun, rel=2e-3)


@pytest.mark.parametrize(("step", "top", "scale"), LAWS)
def test_samples(step: int, top: int, scale: str) -> None:
    """Counts of 200,000 samples by χ², at 10^-6: a mass that is off by a tenth is seen."""
    law, size = Staircase(step, top, Fraction(scale)), 200_000
    drawn = Counter(law.sample(size, BitGenerator("chacha20", 5)).tolist())
    ratio = math.exp(-1 / law.scale)
    total = 2 * top - 1 + 2 * step * ratio / (1 - ratio)
    expected = {x: size * ratio ** level(x, law) / total for x in range(-50 * step, 50 * step + 1)}
    kept = [x for x, count in expected.items() if count >= 20]
    terms = [(drawn[x], expected[x]) for x in kept] + [(size - sum(drawn[x] for x in kept), size - sum(expected[x] for x in kept))]
    value = sum((seen - wanted) ** 2 / max(wanted, 1) for seen, wanted in terms)
    assert sum(drawn.values()) == size and stats.chi2.sf(value, len(kept)) > 1e-6


def test_releases() -> None:
    budget = dp.Budget(epsilon=3)
    release = dp.staircase_mechanism(np.full((3, 4), 50), sensitivity=100, epsilon=1, budget=budget, rng=3)
    assert release.values.shape == (3, 4) and release.values.dtype == np.int64 and release.scale == 12
    assert release.rho == Fraction(1, 2) and release.epsilon == 1 and release.delta == 0.0 and release.sigma_squared is None and budget.remaining() == 2
    assert np.array_equal(dp.staircase_mechanism(np.zeros((3, 4), int), sensitivity=100, epsilon=1, rng=3).values + 50, release.values)
    assert release.variance is not None and release.variance == math.ceil(staircase(100, Fraction(12)).variance() * 2**32) / Fraction(2**32)
    assert dp.staircase_mechanism([1, 2], sensitivity=5, epsilon=2, changes=1).scale == Fraction(1, 2) and "staircase, variance" in release._repr_html_()
    assert isinstance(dp.staircase_mechanism(7, sensitivity=5, epsilon=2).values, int) and dp.staircase_mechanism(np.zeros(0, int), sensitivity=5, epsilon=2).values.size == 0
    # Nearly all noise is 0, and the variance is rounded up.
    steep = dp.staircase_mechanism(np.zeros(1000, int), sensitivity=2**30, epsilon=200, changes=1, rng=3)
    assert not steep.values.any() and steep.variance == Fraction(1, 2**32)
    # 1/ε beyond 64 bits is rounded up, so the release keeps its ε.
    odd = dp.staircase_mechanism(7, sensitivity=5, epsilon=Fraction(2**80 + 1, 2**79)).scale
    assert odd is not None and Fraction(2**79, 2**80 + 1) < odd < Fraction(1, 2) * (1 + Fraction(1, 2**30))
    with pytest.raises(dp.BudgetExceeded):
        dp.staircase_mechanism(1, sensitivity=5, epsilon="2.5", budget=budget)
    assert budget.remaining() == 2


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"sensitivity": 0}, ValueError, "^sensitivity = 0: expected a value between 1 and "),
        ({"sensitivity": 2.5}, TypeError, "^sensitivity = 2.5: expected an integer"),
        ({"epsilon": 0}, ValueError, "^epsilon = 0: expected a number above 0$"),
        ({"epsilon": "1e-300"}, ValueError, r"^epsilon = 1e-300: expected an epsilon for which changes/epsilon is from 2\^-16, and sensitivity·changes/epsilon up to 2\^50"),
        ({"epsilon": "1e6"}, ValueError, "^epsilon = 1e6: expected an epsilon for which changes/epsilon is from"),
        ({"epsilon": "inf"}, ValueError, "^epsilon = inf: expected a number such as"),
        ({"changes": 0}, ValueError, "^changes = 0: expected a value between 1 and 3"),
        ({"changes": 4}, ValueError, "^changes = 4: expected a value between 1 and 3"),
        ({"delta": "1e-6"}, TypeError, "delta.*leave it out"),
        ({"values": [1.5]}, TypeError, "^values: expected integers of at most 64 bits, not float64"),
        ({"budget": 1}, TypeError, "^budget = 1: expected a samplez.dp.Budget, not int"),
        ({"rng": np.random.default_rng(1)}, ValueError, "^rng: a NumPy PCG64 is not cryptographic"),
    ],
)
def test_bad_input(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        dp.staircase_mechanism(**{"values": [1, 2, 3], "sensitivity": 10, "epsilon": 1, **arguments})
