"""Every type of number that Python's libraries have, alone and in arrays: exactly what it is, or refused by name."""

import importlib
import inspect
import numbers
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gmpy2
import mpmath
import numpy as np
import pytest

from samplez import _samplez, lattice, schemes, stats
from samplez._arrays import _texts
from samplez._numbers import exact_array, exact_text, hint


# Of any type: a type checker knows neither Sage's numbers nor that they are taken.
samplez: Any = importlib.import_module("samplez")
dp: Any = importlib.import_module("samplez.dp")


class SageInteger:
    """Sage's Integer by its documented interface: registered as `numbers.Integral`, its parts by methods."""

    def __init__(self, value: int) -> None:
        self._value = value

    def __index__(self) -> int:
        return self._value

    def numerator(self) -> "SageInteger":
        return self

    def denominator(self) -> "SageInteger":
        return SageInteger(1)


class SageRational:
    """Sage's Rational: registered as `numbers.Rational`, numerator and denominator by methods that give Integers."""

    def __init__(self, top: int, bottom: int) -> None:
        self._value = Fraction(top, bottom)

    def __float__(self) -> float:
        return float(self._value)

    def numerator(self) -> SageInteger:
        return SageInteger(self._value.numerator)

    def denominator(self) -> SageInteger:
        return SageInteger(self._value.denominator)


class SageReal:
    """Sage's RealNumber: its exact value by a method. NumPy makes a double of it."""

    def __init__(self, value: float) -> None:
        self._value = value

    def __float__(self) -> float:
        return self._value

    def exact_rational(self) -> SageRational:
        return SageRational(*self._value.as_integer_ratio())


class SageLiteral(SageReal):
    """Sage's RealLiteral, a decimal that was typed, with its text."""

    base = 10

    def __init__(self, literal: str) -> None:
        super().__init__(float(literal))
        self.literal = literal


class SymPyRational:
    """SymPy's Rational as it was before it had a numerator: `p` and `q`."""

    def __init__(self, top: int, bottom: int) -> None:
        self.p, self.q = top, bottom


class SymPySqrt:
    """An irrational number."""

    def __float__(self) -> float:
        return 2**0.5


numbers.Integral.register(SageInteger)
numbers.Rational.register(SageRational)
numbers.Rational.register(SymPyRational)
numbers.Real.register(SageReal)

DOUBLE = "3602879701896397/1125899906842624"
ONE: list[tuple[Any, str]] = [
    (3, "3"),
    (3.2, "3.2"),
    (1.4901161193847656e-08, "1.4901161193847656e-08"),
    (np.float32(3.2), "3.2"),
    (np.float16(3.2), "3.2"),
    (np.longdouble("3.2"), "3.2"),
    (1e16, "1e+16"),
    (2.0**53, "9007199254740992.0"),
    (2.0**60, str(2**60)),
    (-1e23, "-99999999999999991611392"),
    (np.float64(2.0**60), str(2**60)),
    (np.float32(2.0**60), str(2**60)),
    (np.longdouble(2) ** 70, str(2**70)),
    (np.array(2.0**60), str(2**60)),
    (np.uint64(2**64 - 1), "18446744073709551615"),
    (np.array(3.2), "3.2"),
    (np.array(7), "7"),
    (np.array("1/3"), "1/3"),
    (np.array(Fraction(1, 3), object), "1/3"),
    (np.str_("1/3"), "1/3"),
    (Fraction(3.2), DOUBLE),
    (Decimal(3.2), DOUBLE),
    (Decimal("-1e-30"), "-1/1" + "0" * 30),
    (Decimal("1e9999"), "1E+9999"),
    (gmpy2.mpz(10**40), "1" + "0" * 40),
    (gmpy2.mpq(-1, 3), "-1/3"),
    (gmpy2.mpfr(3.2), DOUBLE),
    (mpmath.mpf(3.2), DOUBLE),
    (mpmath.mpf(-12), "-12"),
    (mpmath.mpf(0), "0"),
    (SageInteger(5), "5"),
    (SageRational(-22, 7), "-22/7"),
    (SageReal(3.2), DOUBLE),
    (SageLiteral("3.2"), "3.2"),
    (SymPyRational(22, 7), "22/7"),
]


@pytest.mark.parametrize(("value", "text"), ONE, ids=lambda value: type(value).__name__)
def test_a_number_is_what_it_is(value: Any, text: str) -> None:
    assert exact_text("sigma", value) == text
    if "/" in text and len(text) < 30:
        assert f"center = {Fraction(text)})" in samplez.DiscreteGaussian(3, center=value).certificate().law


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (True, TypeError, "not bool"),
        (np.array(True), TypeError, "not bool"),
        (SymPySqrt(), TypeError, "not SymPySqrt; give a fraction near it$"),
        (3j, TypeError, "expected a str, int, .* not complex"),
        (np.complex128(3), TypeError, "not complex128"),
        (gmpy2.mpc(3), TypeError, "not mpc"),
        (mpmath.mpc(3), TypeError, "not mpc"),
        (np.timedelta64(3, "s"), TypeError, "not timedelta64"),
        (np.datetime64("2020"), TypeError, "not datetime64"),
        (b"3", TypeError, "not bytes"),
        ([3], TypeError, "not list"),
        (np.array([3]), TypeError, r"not an array of shape \(1,\)"),
        (np.array(None), TypeError, "not NoneType"),
        (float("nan"), ValueError, "center = nan: expected a finite number"),
        (np.float32("inf"), ValueError, "center = inf: expected a finite number"),
        (np.longdouble("inf"), ValueError, "center = inf: expected a finite number"),
        (Decimal("sNaN"), ValueError, "center = sNaN: expected a finite number"),
        (gmpy2.mpfr("nan"), ValueError, "center = nan: expected a finite number"),
        (gmpy2.mpfr("-inf"), ValueError, "center = -inf: expected a finite number"),
        (mpmath.inf, ValueError, r"center = \+?inf: expected a finite number"),
        (mpmath.nan, ValueError, "center = nan: expected a finite number"),
        (10**5000, ValueError, "center: has too many digits"),
        (mpmath.mpf("1e100000000"), ValueError, "center: has too many digits"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_number_is_named(value: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        samplez.DiscreteGaussian(3, center=value)


@pytest.mark.parametrize(
    "values",
    [
        [2**53 + 1, 0.5],
        (1, 2**60 + 1, 0.5),
        [2**63, -1],
        [np.int64(2**60 + 1), 0.5],
        [gmpy2.mpz(2**60 + 1), 0.5],
        [Fraction(1, 3), 0.5],
        [[SageRational(1, 3)], [SageInteger(2)]],
        [Decimal("0.1"), 1],
        [gmpy2.mpq(1, 3), 2],
        [SymPyRational(1, 3), 1],
        ["1/3", 2.5],
        [np.array(Fraction(1, 3), object), 0.5],
    ],
)
def test_lists_stay_exact(values: Any) -> None:
    """NumPy alone makes doubles of some of these."""
    array = exact_array("center", values)
    flat = [element for row in values for element in row] if isinstance(values[0], list) else list(values)
    assert array.dtype == object and _texts("center", array, array.shape) == [exact_text("center", value) for value in flat]


def test_lists_of_doubles_are_arrays_of_them() -> None:
    for values in ([0.5, 1], [1, 2], [np.float32(0.1), 0.5], [[1.5, 2.5]], [2**53, 0.5], [], [np.arange(3.0), np.arange(3)]):
        array = exact_array("center", values)
        assert array.dtype.kind in "if" and np.array_equal(array, np.asarray(values))


THIRDS: list[Any] = [
    [Fraction(1, 3), Fraction(-2, 3)],
    [SageRational(1, 3), SageRational(-2, 3)],
    [gmpy2.mpq(1, 3), gmpy2.mpq(-2, 3)],
    ["1/3", "-2/3"],
    np.array([Fraction(1, 3), Fraction(-2, 3)]),
]


def test_exact_numbers_reach_the_sampler() -> None:
    """The same integers whatever type writes them, and those of `round` by texts; not those of the doubles."""
    texts = ["1/3", "-2/3"] * 2000
    wanted = samplez.round(texts, sigma="3.2", method="strips", rng=1)
    for thirds in THIRDS:
        centers = np.tile(np.array(thirds, object), 2000)
        assert np.array_equal(samplez.sample(3.2, center=centers, rng=1), wanted)
        assert np.array_equal(samplez.sample(3.2, center=centers.tolist(), rng=1), wanted)
        assert np.array_equal(samplez.round(centers.tolist(), sigma="3.2", method="strips", rng=1), wanted)
        karney = samplez.sample("1/3", center=centers.tolist(), rng=1, exact=True)
        assert np.array_equal(samplez.round(centers.tolist(), sigma="1/3", rng=1), karney)
    widths = [Fraction(10, 3), 2]
    each = samplez.round(["0", "0"], sigma=["10/3", "2"], method="strips", rng=1)
    assert np.array_equal(samplez.sample(widths, rng=1), each) and np.array_equal(samplez.sample(widths, center=0, rng=1), each)


def test_a_large_integer_centre_is_not_rounded() -> None:
    """σ = 1 around 2^60 + 1, of which a double makes 2^60."""
    for centers in ([2**60 + 1] * 4000, np.full(4000, 2**60 + 1), [2**60 + 1, 0.5] * 2000):
        x = samplez.sample(1, center=centers, rng=1)
        assert isinstance(x, np.ndarray)
        large = x[::2] - (2**60 + 1)
        assert abs(large.mean()) < 5 / 2000**0.5 and abs(large).max() < 10


def test_a_large_float_is_the_same_integer_alone_and_in_an_array() -> None:
    """The shortest decimal of 2^60 is 2^60 + 24, and that of the double 1e25 is 905969664 less."""
    assert Fraction(str(2.0**60)) == 2**60 + 24 and int(1e25) - 10**25 == 905969664
    for center in (2.0**60, -(2.0**61), 1e25, -1e300):
        whole = int(center)
        ways = [
            [samplez.sample(1, center=center) for _ in range(50)],
            samplez.sample(1, center=center, size=50, rng=1),
            samplez.sample(1, center=[center] * 50, rng=1),
            samplez.sample(1, center=[center] * 50, rng=1, exact=True),
            samplez.sample(1, center=[center, Fraction(1, 3)] * 50, rng=1)[::2],
            samplez.round([center] * 50, sigma=1, method="karney", rng=1),
            samplez.round([center] * 50, sigma=1, rng=1),
            [samplez.round(center, sigma=1) for _ in range(50)],
            samplez.BigGaussian(1, center=center).sample(50, rng=1),
        ]
        for way, samples in enumerate(ways):
            assert max(abs(int(x) - whole) for x in samples) <= 8, (center, way)
    assert samplez.DiscreteGaussian(1, center=2.0**60) == samplez.DiscreteGaussian(1, center=2**60)


def test_laws_have_each_number_type() -> None:
    """A sampler around an exact third has the mean of its law, in arrays of σ and centre."""
    count = 40_000
    x = samplez.sample([SageRational(3, 2)] * count, center=SageRational(1, 3), rng=3)
    law = samplez.DiscreteGaussian("1.5", center="1/3")
    assert isinstance(x, np.ndarray) and abs(x.mean() - law.mean()) < 5 * law.std() / count**0.5


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (([1.0, 1e-20],), ValueError, r"^sigma\[1\] = 1e-20: expected a number from 2\^-60 to 2\^57$"),
        (([1.0, -0.5],), ValueError, r"^sigma\[1\] = -0.5: expected a number from 2\^-60 to 2\^57$"),
        ((3, [0, float("nan")]), ValueError, r"^center\[1\] = nan: expected a finite number"),
        (([[1.0, 2.0]], [[0.0], [float("inf")]]), ValueError, r"^center\[1, 0\] = inf"),
        ((3, [Fraction(1, 3), True]), TypeError, r"^center\[1\] = True: expected a number, not bool"),
        ((3, [0.5, True]), TypeError, r"^center\[1\] = True"),
        ((3, [0.5, None]), TypeError, r"^center\[1\] = None: expected a str, int"),
        ((3, ["0", "abc"]), ValueError, r"^center\[1\] = abc: not a number"),
        (([1, Fraction(1, 2**70)], "0"), ValueError, r"^sigma\[1\] = 1/1180591620717411303424: expected a number from 2\^-60 to 2\^57"),
        ((["1", "1e18"],), ValueError, r"^sigma\[1\] = 1e18: expected a number from 2\^-60 to 2\^57$"),
        ((["1", "-1/2"],), ValueError, r"^sigma\[1\] = -1/2: expected a number from 2\^-60 to 2\^57$"),
        ((3, [[1], [2, 3]]), ValueError, r"^center: expected rows of one length"),
        ((3, np.array([1j])), TypeError, r"^center\[0\] = 1j: expected a str, int, .* not complex"),
        ((3, np.array(["2020"], "datetime64")), TypeError, r"^center\[0\] = 2020: expected"),
        (([1.5, 2.5], [1, 2, 3]), ValueError, "do not broadcast"),
        ((["3 .2", 3],), ValueError, r"^sigma\[0\] = 3 .2: not a number"),
    ],
)
def test_refused_elements_are_named(arguments: tuple[Any, ...], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        samplez.sample(arguments[0], rng=1, **dict(zip(["center"], arguments[1:], strict=False)))


def test_a_refused_element_beyond_the_first_part_is_named() -> None:
    centers = [Fraction(0)] * ((1 << 20) + 9)
    centers[-2] = Fraction(1, 3**4500)
    with pytest.raises(ValueError, match=r"^centers\[1048583\] = 9\.002e-2148: not representable"):
        samplez.round(centers, sigma=3)


def test_computed_doubles_and_long_fractions_are_taken() -> None:
    """Their decimals do not fit 64 bits. The law of each is its own, in the midst of others, which are those of the same stream."""
    tiny, third = 1.4901161193847656e-08, Fraction(2**79 + 1, 3 * 2**79)
    for method in ("auto", "karney", "strips"):
        centers: list[Any] = ["0", tiny, 100, third] * 1500
        x = samplez.round(centers, sigma="2.5", method=method, rng=1).reshape(-1, 4)
        assert (abs(x - [0, 0, 100, 1 / 3]).max(axis=0) < 20).all()
        assert abs(x.mean(axis=0) - [0, 0, 100, 1 / 3]).max() < 5 * 2.5 / 1500**0.5 and abs(x.std(axis=0) - 2.5).max() < 0.25
        assert samplez.round([tiny, 1.5], sigma=3, method=method, rng=1).shape == (2,)
        before = samplez.round(["1/7"] * 5000, sigma=3, method=method, rng=1)
        assert np.array_equal(samplez.round(["1/7"] * 4999 + [third], sigma=3, method=method, rng=1)[:4999], before[:4999])
    assert samplez.sample([Fraction(2**80 + 1, 2**79)] * 5, center=Fraction(1, 3), rng=1).shape == (5,)
    assert samplez.sample([Fraction(2**70 + 1, 3 * 2**70)], center=[0.25], rng=1, exact=True)[0] in (-1, 0, 1)


def test_round_names_its_elements() -> None:
    with pytest.raises(ValueError, match=r"^sigma\[0\] = 0.5: expected a number from 1 to 2\^26; method auto takes smaller sigma"):
        samplez.round([0.5, 1.5], sigma=[0.5, 2.0], method="strips")
    with pytest.raises(ValueError, match="method = karny: expected one of auto, karney, strips; did you mean karney?"):
        samplez.round([0.5], sigma=3, method="karny")
    for one in (SageRational(1, 3), SageLiteral("0.5"), np.array(2), "1/3", gmpy2.mpq(1, 3)):
        assert isinstance(samplez.round(one, sigma=SageInteger(3)), int)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"method": "karny"}, ValueError, "method = karny: expected one of auto, .*; did you mean karney?"),
        ({"method": "Knuth_Yao"}, ValueError, "; did you mean knuth-yao?"),
        ({"scale": 3}, TypeError, "scale: there is no such keyword argument; .*; write sigma for σ, .*"),
        ({"loc": 3}, TypeError, "loc: there is no such keyword argument; .*; write center for the centre"),
        ({"centre": 3}, TypeError, "; write center for the centre"),
        ({"precison": 3}, TypeError, "; did you mean precision?"),
        ({"colour": 3}, TypeError, "colour: there is no such keyword argument; .*setup_time$"),
        ({"method": "dice"}, ValueError, "wide$"),
    ],
)
def test_misspelt_names_have_a_hint(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text.replace("?", r"\?")):
        samplez.DiscreteGaussian(3.2, **arguments)
    assert hint("zzz", ["karney"]) == ""


@pytest.mark.parametrize(
    ("call", "arguments", "way"),
    [
        (samplez.DiscreteGaussian, {"std": 3.2}, "write sigma for σ, which is nearly the standard deviation"),
        (samplez.DiscreteGaussian, {"scale": 3.2}, "write sigma for σ, which is nearly the standard deviation"),
        (samplez.DiscreteGaussian, {"stddev": 3.2}, "write sigma for σ, which is nearly the standard deviation"),
        (samplez.DiscreteGaussian, {"variance": 10}, "write sigma_squared for σ², which is nearly the variance"),
        (samplez.DiscreteGaussian, {"sigma2": 10}, "write sigma_squared for σ², which is nearly the variance"),
        (samplez.DiscreteGaussian, {"sigma": 3, "mean": 1}, "write center for the centre"),
        (samplez.DiscreteGaussian, {"sigma": 3, "mu": 1}, "write center for the centre"),
        (samplez.DiscreteGaussian, {"sigma": 3, "size": 5}, "the number of samples belongs to the call that draws"),
        (samplez.DiscreteGaussian, {"sigma": 3, "seed": 5}, "the seed belongs to the call that draws"),
        (samplez.DiscreteGaussian, {"sigma": 3, "bits": 72}, "write precision for the bits of a table"),
        (samplez.DiscreteGaussian, {"sigma": 3, "tau": 12}, "write tail for where the support ends, in σ"),
        (samplez.DiscreteGaussian, {"sigma": 3, "clip": 19}, "only laplace is cut, as in the recipe laplace=4,clip=20; where a sample of another law exceeds your bound, draw it again"),
        (samplez.DiscreteGaussian, {"sigma": 3, "no_exact": True}, "leave exact out instead"),
        (samplez.DiscreteGaussian, {"sigma": 3, "presision": 72}, "did you mean precision?"),
        (samplez.DiscreteGaussian, {"sgima": 3}, "did you mean sigma?"),
        (samplez.plan, {"sigma": 3, "algorithm": "cdt"}, "the method cannot be chosen here, so leave it out"),
        (samplez.plan, {"sigma": 3, "max_memory": 72}, "write memory for the maximum memory in bytes"),
        (samplez.TargetLaw, {"sigma": 3, "bound": 19}, "write clip for the largest distance from the centre"),
        (samplez.TargetLaw, {"sigma": 3, "q": 97}, "write modulus for the modulus"),
        (samplez.DiscreteGaussian(3.2).sample, {"seed": 1}, "write rng for the seed"),
        (samplez.DiscreteGaussian(3.2).sample, {"random_state": 1}, "write rng for the seed"),
        (samplez.DiscreteGaussian(3.2).sample, {"n": 5}, "write size for the number of samples"),
        (samplez.DiscreteGaussian(3.2).sample, {"count": 5}, "write size for the number of samples"),
        (samplez.DiscreteGaussian(3.2).sample, {"sise": 5}, None),
        (samplez.DiscreteGaussian(3.2).sample, {"workers": 2}, "write threads for the number of threads"),
        (samplez.DiscreteGaussian(3.2).sample, {"type": "int8"}, "write dtype for the integer type"),
        (samplez.DiscreteGaussian(3.2).sample, {"output": None}, "write out for the output"),
        (samplez.sample, {"sigma": 3, "generator": None}, "write rng for the source of random bits"),
        (samplez.verify, {"data": [], "sigma": 3}, "samplez.TargetLaw takes sigma"),
        (samplez.verify, {"data": [], "modulus": 97}, "samplez.TargetLaw takes modulus"),
        (samplez.verify, {"data": [], "q": 97}, "with samplez.TargetLaw, write modulus for the modulus"),
        (samplez.verify, {"data": [], "max": 19}, "with samplez.TargetLaw, write range for the least and the largest value"),
        (samplez.verify, {"samples": []}, "write data for the samples"),
        (samplez.OtherNoise, {"sigma": 3}, "samplez.DiscreteGaussian takes sigma"),
        (samplez.OtherNoise, {"std": 3}, "with samplez.DiscreteGaussian, write sigma for σ, which is nearly the standard deviation"),
        (samplez.OtherNoise, {"laplace": 3}, "write discrete_laplace for the scale of discrete Laplace noise"),
        (samplez.OtherNoise, {"scale": 3}, "write discrete_laplace for the scale of discrete Laplace noise"),
        (samplez.OtherNoise, {"variance": 3}, "write skellam for the variance of Skellam noise"),
        (samplez.OtherNoise, {"lambda": 3}, "papers use this letter for several quantities, so write the name of yours"),
        (samplez.DiscreteGaussian, {"laplace": 3}, "discrete Laplace noise is a distribution of its own, in the place of the width"),
        (samplez.DiscreteGaussian, {"rho": 3}, "for a privacy guarantee, samplez.dp.sigma_squared in Python computes the width"),
        (samplez.DiscreteGaussian(3.2).pmf, {"k": 3}, "write x for the point"),
        (samplez.DiscreteGaussian(3.2).interval, {"alpha": 0.9}, "write confidence for the probability of the interval"),
        (dp.Plan, {"sigma": 4, "q": 0.1}, "write sampling_rate for the probability that a release includes a record"),
        (dp.Plan, {"sigma": 4, "steps": 10}, "write releases for the number of releases"),
        (dp.sigma_squared, {"epsilon": 1, "target_delta": 0.1}, "write delta for the privacy parameter δ"),
        (samplez.verify, {"data": [], "law": "sigma=3", "jobs": 3}, "write threads for the number of threads"),
        (samplez.verify, {"data": [], "law": "sigma=3", "alpha": 0.05}, "the significance level of each test is fixed, so that verdicts compare"),
        (samplez.block, {"recipe": "sigma=3", "seed": 1, "index": 0, "count": 3}, "write size for the number of samples"),
        (samplez.Source, {"name": "chacha20", "random_state": 1}, "write seed for the seed"),
        (samplez.BitGenerator, {"prng": "chacha20"}, "write source for the source of random bits"),
        (dp.discrete_gaussian_mechanism, {"values": 3, "l2_sensitivity": 1}, "did you mean sensitivity?"),
        (dp.discrete_gaussian_mechanism, {"values": 3, "l2_norm": 1}, "write sensitivity for the L2 sensitivity"),
        (dp.discrete_gaussian_mechanism, {"values": 3, "eps": 1}, "write epsilon for the privacy parameter ε"),
        (dp.discrete_gaussian_mechanism, {"values": 3, "l1_sensitivity": 1}, "Gaussian noise needs the L2 sensitivity, .*"),
        (dp.discrete_gaussian_mechanism, {"values": 3, "noise_multiplier": 1}, "the width σ is the noise multiplier times the L2 sensitivity"),
        (dp.discrete_laplace_mechanism, {"values": 3, "delta": 1e-6}, "the release is ε-DP without a δ, so leave it out"),
        (dp.discrete_laplace_mechanism, {"values": 3, "l1_sensitivity": 1}, "did you mean sensitivity?"),
        (dp.discrete_laplace_mechanism, {"values": 3, "l2_sensitivity": 1}, "Gaussian noise needs the L2 sensitivity, .*"),
        (dp.discrete_laplace_mechanism, {"values": 3, "scale": 2}, "the scale of the noise is sensitivity/epsilon"),
        (dp.Plan, {"variance": 4}, "write sigma_squared for σ², which is nearly the variance"),
        (dp.Plan, {"std": 4}, "write sigma for σ, which is nearly the standard deviation"),
        (stats.fit, {"data": [], "sigma": 3}, None),
        (samplez.DiscreteGaussian, {"sigma": 3, "dtype": "int8"}, "the integer type belongs to the call that draws"),
        (samplez.DiscreteGaussian.from_recipe, {"recipe": "sigma=3", "method": "cdt"}, "write it in the recipe, as in 'sigma=3.2,method=cdt'"),
        (samplez.DiscreteGaussian(3.2).expect, {"loc": 3}, "the distribution states its centre and width, so leave it out"),
        (samplez.sample, {"sigma": 3, "precision": 72}, "samplez.DiscreteGaussian takes precision"),
        (samplez.sample, {"sigma": 3, "method": "karney"}, "samplez.DiscreteGaussian takes method"),
        (samplez.plan, {"sigma": 3, "renyi": "2:-100"}, "the command samplez plan --renyi finds the least precision for a bound"),
        (samplez.identify, {"data": [], "sigma": 3}, "samplez.TargetLaw takes sigma"),
        (samplez.identify, {"data": [], "law": "rounded"}, "samplez.verify tests a distribution that you name"),
        (samplez.SparseTernary, {"length": 8, "h": 3}, "write weight for the entries that are not 0"),
        (samplez.SparseTernary(8, weight=3).sample, {"size": 3}, "a call draws one vector"),
        (samplez.BigGaussian(3).sample, {"dtype": "int8"}, "samples are Python integers, so leave it out"),
        (samplez.BigGaussian(3).sample, {"threads": 2}, "leave threads out"),
        (samplez.block, {"recipe": "sigma=3", "index": 0, "rng": 1}, "write seed for the seed"),
        (samplez.Source, {"rng": 1}, "write seed for the seed"),
        (lattice.Form([[1]], sigma=3).sample, {"threads": 2}, "leave threads out"),
        (lattice.Form.qary, {"a": [[1]], "modulus": 7, "sigma": 3}, "write q for the modulus"),
        (lattice.Gadget, {"base": 2, "modulus": 7, "sigma": 3}, "write q for the modulus"),
        (dp.discrete_gaussian_mechanism, {"values": 3, "clip": 5}, "clip each person's number before you add, and pass the sensitivity that follows"),
        (dp.discrete_laplace_mechanism, {"values": 3, "dimension": 5}, "the noise has the shape of values, so leave it out"),
        (dp.skellam_mechanism, {"values": 3, "mu": 5}, "papers use mu for the variance or for half of it; the argument is variance"),
        (dp.skellam_mechanism, {"values": 3, "variance": 5, "budget": None}, "a Budget refuses Skellam noise, whose ρ remains to be derived"),
        (dp.Plan, {"sigma": 3, "count": 10}, "the number of releases is releases"),
        (dp.Plan.laplace, {"epsilon": 1}, "the scale is sensitivity/epsilon, or use Plan.pure"),
        (dp.Plan(sigma=3).epsilon, {"eps": 1}, "Plan.delta takes epsilon"),
        (dp.Plan(sigma=3).delta, {"delta": 0.1}, "Plan.epsilon takes delta"),
        (schemes.noise, {"scheme": "bliss", "set": "I", "method": "karney"}, "write it in recipe, as in 'method=cdt-guided'"),
    ],
)
def test_words_of_other_libraries(call: Any, arguments: dict[str, Any], way: str | None) -> None:
    end = "" if way is None else f"; {way.replace('?', chr(92) + '?')}"
    with pytest.raises(TypeError, match=rf"^\w+: there is no such keyword argument; expected one of [\w, ]+{end}$"):
        call(**arguments)


def test_no_hint_leads_to_another_quantity() -> None:
    """For every word and every public function: an argument that a hint names states the word's own quantity."""
    calls: list[Any] = [samplez.DiscreteGaussian, samplez.plan, samplez.sample, samplez.BigGaussian, samplez.TargetLaw, samplez.DiscreteGaussian(3.2).sample, samplez.verify,
                        samplez.block, samplez.Source, samplez.BitGenerator, dp.Plan, dp.discrete_gaussian_mechanism,
                        dp.discrete_laplace_mechanism, dp.skellam_mechanism, dp.sigma_squared, stats.pmf]
    own = {"l2_sensitivity": "sensitivity", "l1_sensitivity": "sensitivity", "linf_sensitivity": "sensitivity"}
    sources = {"rng", "source", "seed"}  # `rng` takes a seed, too
    for call in calls:
        known, hints = set(inspect.signature(call).parameters), 0
        for words, same in _samplez.words():
            for word in set(words) - {name.replace("_", "") for name in known}:
                with pytest.raises(TypeError) as caught:
                    call(**{word: 1})
                text = str(caught.value)
                assert text.startswith(f"{word}: there is no such keyword argument; "), text
                named = re.findall(r"; (?:write|did you mean) (\w+)", text)
                assert set(named) <= ({own.get(name, name) for name in same} | (sources if "rng" in same else set())) & known, text
                hints += len(named)
        assert hints, call


MASKED = np.ma.array([1, 2], mask=[False, True])


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: samplez.sample(MASKED, rng=1), ValueError, "^sigma: has 1 masked element: .*give sigma.compressed\\(\\) or sigma.filled"),
        (lambda: samplez.sample(3, center=MASKED, rng=1), ValueError, "^center: has 1 masked element"),
        (lambda: samplez.round(MASKED, sigma=3), ValueError, "^centers: has 1 masked element"),
        (lambda: samplez.round(np.ma.masked, sigma=3), ValueError, "^centers: has 1 masked element"),
        (lambda: samplez.DiscreteGaussian(np.ma.masked), ValueError, "^sigma: has 1 masked element"),
        (lambda: samplez.DiscreteGaussian(3).pmf(np.ma.masked), ValueError, "^x: has 1 masked element"),
        (lambda: samplez.DiscreteGaussian(3).pmf(MASKED), ValueError, "^x: has 1 masked element"),
        (lambda: samplez.DiscreteGaussian(3).sample(out=MASKED.copy()), ValueError, "^out: has 1 masked element"),
        (lambda: samplez.verify(np.ma.array(np.arange(200), mask=[False, True] * 100), "sigma=3"), ValueError, "^data: has 100 masked elements"),
        (lambda: samplez.stats.pmf(MASKED, sigma=3), ValueError, "^x: has 1 masked element"),
        (lambda: samplez.stats.fit(np.ma.array(np.arange(200), mask=[False, True] * 100)), ValueError, "^data: has 100 masked elements"),
        (lambda: dp.discrete_gaussian_mechanism(MASKED, sensitivity=1, rho=1), ValueError, "^values: has 1 masked element"),
        (lambda: dp.discrete_laplace_mechanism(MASKED, sensitivity=1, epsilon=1), ValueError, "^values: has 1 masked element"),
        (lambda: dp.skellam_mechanism(MASKED, variance=1), ValueError, "^values: has 1 masked element"),
        (lambda: samplez.verify(np.full(100, 2**63, np.uint64), "sigma=3"), ValueError, r"^data\[0\] = 9223372036854775808: expected a value between -2\^63 and 2\^63 - 1; for residues pass"),
        (lambda: samplez.verify([1, 2.5], "sigma=3"), TypeError, r"^data\[1\] = 2.5: expected an integer, not float; round first, such as numpy.rint\(data\)"),
        (lambda: dp.discrete_gaussian_mechanism(np.array([1, None]), sensitivity=1, rho=1), TypeError, r"^values\[1\]: .*, not NoneType, a missing value; drop missing values first$"),
        (lambda: samplez.methods(0), TypeError, r"^methods: expected no arguments; write methods\(\)$"),
        (lambda: samplez.DiscreteGaussian(3).pmf(), TypeError, r"^missing x: write pmf\(x=...\)$"),
        (lambda: samplez.DiscreteGaussian(3).ppf([0.5, np.True_]), TypeError, r"^q\[1\] = True: expected a number, not bool"),
        (lambda: samplez.round([1, 2, 3], sigma=[1, 2]), ValueError, "^sigma, centers: have shapes"),
        (lambda: samplez.round([0.5, 2j], sigma=3), TypeError, r"^centers\[1\] = 2j: expected"),
        (lambda: samplez.stats.pmf([1, [3]], sigma=3), ValueError, "^x: expected rows of one length"),
        (lambda: samplez.stats.pmf([1, 2, 3], sigma=[1, 2]), ValueError, r"^x, sigma, center: have shapes \(3,\), \(2,\) and \(\), which do not broadcast"),
        (lambda: samplez.stats.var([1, 2, 3], center=[1, 2]), ValueError, r"^sigma, center: have shapes \(3,\) and \(2,\), which do not broadcast"),
        (lambda: dp.discrete_gaussian_mechanism([[1, None]], sensitivity=1, rho=1), TypeError, r"^values\[0, 1\]: expected an integer of at most 64 bits, not NoneType"),
        (lambda: dp.discrete_gaussian_mechanism([1, 2**70], sensitivity=1, rho=1), OverflowError, r"^values\[1\]: expected a value between"),
    ],
)
def test_bad_inputs_are_named(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_arrays_that_are_masked_nowhere_and_nullable_columns_are_taken() -> None:
    plain = np.ma.array([1, 2], mask=[False, False])
    assert samplez.sample(3, center=plain, rng=1).tolist() == samplez.sample(3, center=[1, 2], rng=1).tolist()
    # What NumPy makes of a nullable column.
    column = np.array([5, np.int64(7), 9], object)
    assert samplez.stats.fit(column) == samplez.stats.fit([5, 7, 9])
    release = dp.discrete_gaussian_mechanism(column, sensitivity=1, rho=1, rng=3)
    assert isinstance(release.values, np.ndarray) and release.values.dtype == np.int64
    assert release.values.tolist() == np.asarray(dp.discrete_gaussian_mechanism([5, 7, 9], sensitivity=1, rho=1, rng=3).values).tolist()


def test_seeds_sizes_and_options_are_numbers_too() -> None:
    g = samplez.DiscreteGaussian("3.2", center=SageInteger(0), precision=SageInteger(72))
    plain = samplez.DiscreteGaussian("3.2", precision=72)
    assert np.array_equal(g.sample(SageInteger(5), rng=SageInteger(7)), plain.sample(5, rng=7))
    assert np.array_equal(g.sample((gmpy2.mpz(5),), rng=gmpy2.mpz(7)), plain.sample(5, rng=7))


def test_probabilities_take_every_number() -> None:
    g = samplez.DiscreteGaussian("3.2")
    for one in (SageInteger(2), gmpy2.mpz(2), Fraction(2), Decimal(2), np.array(2), np.array(Fraction(2), object), SageRational(2, 1)):
        assert g.pmf(one) == g.pmf(2) and g.cdf(one) == g.cdf(2)
    half = Fraction(2**55 + 1, 2**54)  # 2 + 2^-54, of which a double makes 2
    assert g.pmf([half, Fraction(3)]).tolist() == [0, g.pmf(3)] and g.cdf(half) == g.cdf(2)
    assert g.cdf(Fraction(3) - Fraction(1, 2**60)) == g.cdf(2)
    assert g.ppf([Fraction(39, 40), Decimal("0.5")]).tolist() == [6, 0] and g.ppf(Fraction(1, 10**300)) == g.ppf(1e-300)
    wide = samplez.DiscreteGaussian(2**58)
    assert wide.pmf([2**60 + 1, 0]).tolist() == [wide.pmf(2**60 + 1), wide.pmf(0)]
    bad: Any
    for bad in ("2", ["2"], None, [None], [True], [2.5, True], 2j):
        with pytest.raises(TypeError, match="^x"):
            g.pmf(bad)
    for bad in ([2**60 + 1, Fraction(1, 2)], Fraction(2**60 + 1, 2)):
        with pytest.raises(ValueError, match="^x"):
            g.pmf(bad)


def test_the_smallest_width_as_a_double() -> None:
    """The shortest decimal of the double 2^-60 is below it, and so below every width. Its neighbours and all other doubles keep theirs."""
    least, text = 2.0**-60, str(Fraction(1, 2**60))
    for value in (least, np.float64(least), np.float32(least), np.longdouble(2) ** -60, np.array(least)):
        assert exact_text("sigma", value) == text and exact_text("center", -value) == "-" + text
    assert exact_text("sigma", np.longdouble(2) ** -60 * (1 + np.finfo(np.longdouble).eps)) != text
    for other in (float(np.nextafter(least, 0)), float(np.nextafter(least, 1)), 2.0**-59, 2.0**-61, 3.2):
        assert exact_text("sigma", other) == repr(other)
    exact = samplez.DiscreteGaussian(Fraction(1, 2**60))
    assert samplez.DiscreteGaussian(least) == exact and samplez.DiscreteGaussian(np.float32(least)) == exact
    for form in ("sigma_squared", "k_sigma2", "s"):
        assert samplez.DiscreteGaussian(**{form: least}) == samplez.DiscreteGaussian(**{form: Fraction(1, 2**60)})
    assert samplez.BigGaussian(least) == samplez.BigGaussian(Fraction(1, 2**60))
    assert samplez.sample(least) == samplez.sample(least, exact=True) == samplez.sample(least, rng=1) == 0
    assert samplez.sample([least]).tolist() == samplez.sample([least], exact=True).tolist() == samplez.sample(least, center=[0.0]).tolist() == [0]
    assert isinstance(samplez.sample(3.2, center=least), int) and samplez.DiscreteGaussian(3, center=least).center == Fraction(1, 2**60)
    assert samplez.DiscreteGaussian(3.2) == samplez.DiscreteGaussian("16/5")
