"""`BigGaussian`: its distribution by mpmath and exact fractions, the command's integers, and what it refuses."""

import copy
import pickle
import subprocess
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import gmpy2
import mpmath
import numpy as np
import pytest
import scipy.stats

import samplez
from samplez._random import open_stream

# The error of a test whose seed is fixed.
ALPHA = 1e-6


def p_value(observed: Any, expected: Any) -> float:
    """χ²'s."""
    chi2 = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    return float(scipy.stats.chi2.sf(float(chi2), len(observed) - 1))


def masses(sigma: Fraction, offset: Fraction, values: range) -> list[float]:
    """P(X = x) at offset + x by mpmath, from exact fractions."""
    with mpmath.workdps(40):
        rho = [mpmath.exp(-mpmath.mpf((x - offset) ** 2 / (2 * sigma**2))) for x in range(values.start - 400, values.stop + 400)]
        total = mpmath.fsum(rho)
        return [float(weight / total) for weight in rho[400:-400]]


def narrow_p_value(told: str) -> float:
    """Of 60,000 samples of σ = 20, value by value, around a centre beyond 64 bits; `told` is the σ of the sampler."""
    whole = 10**30
    x = samplez.BigGaussian(told, center=Fraction(3 * whole + 1, 3)).sample(60_000, rng=3)
    counts, values = Counter(x.tolist()), range(-60, 61)
    probabilities = masses(Fraction(20), Fraction(1, 3), values)
    seen = [counts[whole + value] for value in values]
    observed = [*seen, x.size - sum(seen)]
    return p_value(observed, [x.size * p for p in (*probabilities, 1 - sum(probabilities))])


def wide_p_value(sigma: int, center: int, told: int, count: int = 40_000) -> float:
    """In 64 bins by the normal distribution between integers, from which a law this wide differs by less than 2^-50."""
    x = samplez.BigGaussian(told, center=center).sample(count, rng=5)
    with mpmath.workdps(60):
        edges = [int(mpmath.floor(center + sigma * mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(i) / 32 - 1))) for i in range(1, 64)]
        cdf = [mpmath.ncdf((edge - center + mpmath.mpf("0.5")) / sigma) for edge in edges]
        expected = [float(count * (b - a)) for a, b in zip([0, *cdf], [*cdf, 1], strict=True)]
    places = Counter(sum(edge < value for edge in edges) for value in x.tolist())
    return p_value([places[i] for i in range(64)], expected)


def test_the_law_of_small_widths() -> None:
    """And the same test sees σ changed by 5 %."""
    assert narrow_p_value("20") > ALPHA
    assert narrow_p_value("21") < ALPHA


@pytest.mark.parametrize(("sigma", "center"), [(2**27, 10**25), (10**30, -(10**40)), (2**512, 12345)])
def test_the_law_of_large_widths(sigma: int, center: int) -> None:
    """And the same test sees σ changed by 6 %."""
    assert wide_p_value(sigma, center, sigma) > ALPHA
    assert wide_p_value(sigma, center, sigma + sigma // 16) < ALPHA


def test_the_law_around_a_computed_double() -> None:
    """A centre of 80 bits, which `DiscreteGaussian` refuses; and one that the test tells from it."""
    center = Fraction(1, 3) + Fraction(1, 2**80)
    for offset, accepted in ((Fraction(0), True), (Fraction(1, 5), False)):
        x = samplez.BigGaussian("2.5", center=center + offset).sample(60_000, rng=11)
        counts, values = Counter(x.tolist()), range(-9, 10)
        probabilities = masses(Fraction(5, 2), center, values)
        seen = [counts[value] for value in values]
        found = p_value([*seen, x.size - sum(seen)], [x.size * p for p in (*probabilities, 1 - sum(probabilities))])
        assert (found > ALPHA) == accepted


def test_moments_and_low_bits() -> None:
    count, sigma = 40_000, 10**30
    x = samplez.BigGaussian(sigma, center=Fraction(1, 3)).sample(count, rng=7)
    z = np.array([float(Fraction(value, sigma)) for value in x.tolist()])
    for order, moment, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs((z**order).mean() - moment) < 5 * (variance / count) ** 0.5, order
    for bits in (0, 5, 60, 90):
        residues = Counter(value >> bits & 31 for value in x.tolist())
        assert p_value([residues[i] for i in range(32)], [count / 32] * 32) > ALPHA


def test_it_is_the_law_of_discrete_gaussian() -> None:
    """In bins by its exact probabilities."""
    law = samplez.DiscreteGaussian("1e12", center="1/3")
    x = samplez.BigGaussian("1e12", center="1/3").sample(40_000, rng=9)
    edges = law.ppf(np.arange(1, 40) / 40)
    cdf = [0, *law.cdf(edges).tolist(), 1]
    places = Counter(np.searchsorted(edges, x.astype(np.int64)).tolist())
    assert p_value([places[i] for i in range(40)], np.diff(cdf) * x.size) > ALPHA


@pytest.mark.parametrize(("sigma", "center"), [("1e30", "0"), ("1e30", "1/3"), ("1e150", "-1e200"), ("3.2", "1e30")])
def test_the_integers_are_the_command_s(command: str, sigma: str, center: str) -> None:
    """Beyond one part and one batch, too."""
    arguments = [command, "sample", "--sigma", sigma, f"--center={center}", "--count", "9000", "--seed", "42", "--quiet"]
    told = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.split()
    x = samplez.BigGaussian(sigma, center=center).sample((90, 100), rng=42)
    assert x.shape == (90, 100) and [str(value) for value in x.reshape(-1)] == told


def test_known_integers() -> None:
    """What `samplez sample --sigma 1e30 --center 1/3 --seed 42` prints."""
    assert samplez.BigGaussian("1e30", center="1/3").sample(3, rng=42).tolist() == KNOWN


KNOWN = [869671953276268330011933000405, -1003443663084362189124496412693, 422147655810930451909872388637]


def test_randomness() -> None:
    law = samplez.BigGaussian("1e30")
    x = law.sample(600, rng=1)
    assert x.dtype == object and {type(value) for value in x} == {int}
    assert np.array_equal(x, law.sample(600, rng=samplez.Source(seed=1))) and not np.array_equal(x, law.sample(600, rng=2))
    source = samplez.Source(seed=1)
    assert not np.array_equal(law.sample(600, rng=source), law.sample(600, rng=source))
    numpy = law.sample(600, rng=np.random.default_rng(3))
    assert np.array_equal(numpy, law.sample(600, rng=np.random.default_rng(3)))
    assert law.sample() != law.sample() and isinstance(law.sample(rng=1), int)
    assert law.sample(0).shape == (0,) and law.sample((2, 0)).shape == (2, 0) and law.sample(()).shape == () and law.sample((2, 3)).shape == (2, 3)


def test_other_threads_run_while_it_draws(counted_during: Callable[[Callable[[], object]], int]) -> None:
    law, (stream, _) = samplez.BigGaussian(2**512), open_stream(1)
    assert counted_during(lambda: law._native.draw(stream, 500_000)) > 100


def test_numbers_and_texts() -> None:
    flood = samplez.BigGaussian(2**512, center=gmpy2.mpq(-1, 3))
    assert flood.timing == "isochronous"
    assert flood.recipe == f"sigma={2**512},center=-1/3"
    assert flood == samplez.BigGaussian(sigma_squared=2**1024, center=Fraction(-1, 3)) != samplez.BigGaussian(2**512)
    assert samplez.BigGaussian(s="1e40").recipe == "s=1" + "0" * 40 and samplez.BigGaussian(k_sigma2="1e40") != samplez.BigGaussian(s="1e40")
    assert samplez.BigGaussian(3).recipe == "sigma=3" and samplez.BigGaussian(1e30) == samplez.BigGaussian(int(1e30)) != samplez.BigGaussian(10**30)
    long = samplez.BigGaussian("1" * 1000 + "e-960", center="7" * 1000 + "e-2000")
    for law in (flood, samplez.BigGaussian.from_recipe("s=1e300, center=0.5"), long):
        for again in (pickle.loads(pickle.dumps(law)), copy.deepcopy(law)):
            assert again == law and hash(again) == hash(law) and again.recipe == law.recipe
            assert np.array_equal(again.sample(5, rng=1), law.sample(5, rng=1))
    assert eval(f"samplez.{flood!r}") == flood and flood != 3
    with pytest.raises(AttributeError):
        flood.colour = "red"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({}, ValueError, "missing width: pass one of"),
        ({"sigma": 1, "s": 1}, ValueError, "s = 1: "),
        ({"sigma": -1}, ValueError, "sigma = -1: expected a number greater than 0"),
        ({"sigma": 0}, ValueError, "sigma = 0: expected a number greater than 0"),
        ({"sigma": "abc"}, ValueError, "sigma = abc: not a number"),
        ({"sigma": "1e9999"}, ValueError, "sigma = 1e9999: powers of ten are at most 2000"),
        ({"sigma": float("inf")}, ValueError, "sigma = inf: expected a finite number"),
        ({"sigma": True}, TypeError, "sigma = True: expected a number"),
        ({"sigma": [1]}, TypeError, "expected one number, not list; write sigma=1"),
        ({"sigma": 1e-300}, ValueError, r"sigma = 1e-300: expected at least 2\^-60"),
        ({"sigma": 3, "center": "1/0"}, ValueError, "center = 1/0: the denominator is zero"),
    ],
)
def test_what_it_refuses(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        samplez.BigGaussian(**arguments)


def test_sizes_and_generators_that_it_refuses() -> None:
    law = samplez.BigGaussian("1e30")
    bad: Any
    for bad, error in ((-1, ValueError), (2.0, TypeError), (2**62, ValueError), ("3", TypeError)):
        with pytest.raises(error, match="^size"):
            law.sample(bad)
    for bad, error in ((-1, ValueError), (1.5, TypeError), (b"short", ValueError), ("x", ValueError)):
        with pytest.raises(error, match="^rng"):
            law.sample(3, rng=bad)
    with pytest.raises(ValueError, match="missing recipe"):
        samplez.BigGaussian.from_recipe("")
    with pytest.raises(TypeError, match="recipe: expected a str, not bytes"):
        samplez.BigGaussian.from_recipe(b"sigma=3")  # type: ignore[arg-type]


WAY = "; samplez.BigGaussian takes numbers of this size"


@pytest.mark.parametrize("arguments", [{"sigma": 10**40}, {"sigma": 3, "center": 2**80}, {"sigma": 2**60}, {"s": "1e30", "center": "1/3"}, {"sigma": 3.2, "center": 2.0**-26}])
def test_discrete_gaussian_names_it_where_size_alone_is_the_reason(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=WAY + "$"):
        samplez.DiscreteGaussian(**arguments)
    samplez.BigGaussian(**arguments)


@pytest.mark.parametrize(
    "arguments",
    [{"sigma": 1e-300}, {"sigma": "1e9999"}, {"sigma": "abc"}, {"sigma": -(10**40)}, {"sigma": "1e17", "memory": 0, "method": "cdt"}, {"sigma": 3, "precision": 0}],
)
def test_nor_elsewhere(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError) as raised:
        samplez.DiscreteGaussian(**arguments)
    assert "BigGaussian" not in str(raised.value)


@pytest.mark.parametrize("sigma", ["1e-400", "1e-30", 5e-324, Fraction(1, 2**70)])
def test_a_tiny_sigma_is_refused_for_its_size(sigma: Any) -> None:
    for call in (samplez.DiscreteGaussian, samplez.BigGaussian, samplez.sample, samplez.plan):
        with pytest.raises(ValueError, match=r"^sigma = \S+: expected at least 2\^-60, or a fraction of 64 bits$"):
            call(sigma)
    for many, least in (
        (lambda: samplez.sample([1.0, sigma]), r"^sigma\[1\] = \S+: expected a number from 2\^-60 to 2\^57$"),
        (lambda: samplez.sample(["1", str(sigma)]), r"^sigma\[1\] = \S+: expected a number from 2\^-60 to 2\^57$"),
        (lambda: samplez.round([1.5], sigma=sigma), r"^sigma = \S+: expected a number from 2\^-60 to 2\^47$"),
        (lambda: samplez.round([1.5, 2.5], sigma=[3.2, sigma]), r"^sigma\[1\] = \S+: expected a number from 2\^-60 to 2\^47$"),
    ):
        with pytest.raises(ValueError, match=least):
            many()
    with pytest.raises(ValueError, match=r"^sigma = 1e9999: powers of ten are at most 2000$"):
        samplez.DiscreteGaussian("1e9999")


def test_a_tiny_center_has_every_law() -> None:
    for center in ("1e-400", "-1e-30", 5e-324):
        for x in (samplez.BigGaussian("3.2", center=center).sample(5), samplez.sample("3.2", center=[center] * 5), samplez.round([center] * 5, sigma="3.2")):
            assert abs(x).max() < 60
        with pytest.raises(ValueError, match=r"^center = \S+: not representable .*" + WAY):
            samplez.DiscreteGaussian("3.2", center=center)
