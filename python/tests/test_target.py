"""Laws beside D_Z against sums and erfc in mpmath, to the last bit."""

import math
import pickle
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

import samplez

Masses = tuple[int, dict[int, int]]
"""A total, and the part of it that each value has."""


CASES: list[dict[str, Any]] = [
    {"sigma": "3.2"},
    {"sigma": "3.2", "law": "rounded"},
    {"sigma": "0.3", "center": "1/3", "law": "rounded"},
    {"sigma_squared": 10, "center": -2, "law": "rounded", "clip": "19.2"},
    {"s": "8.35", "center": "2/7", "clip": 12},
    {"sigma": 40, "center": Fraction(7, 2), "range": (-5, 90)},
    {"k_sigma2": 5, "law": "rounded", "range": (3, 30)},
    {"sigma": "3.2", "modulus": 12289},
    {"sigma": 5, "center": "1/3", "modulus": 7},
    {"sigma": 4, "law": "rounded", "modulus": 11, "clip": 16},
    {"sigma": 1, "center": 100, "modulus": 2},
]


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with mp.workprec(400):
        yield


def exact(case: dict[str, Any]) -> dict[int, Any]:
    """The law by its definition, to 2^-380."""
    q = {name: mpf(Fraction(value).numerator) / Fraction(value).denominator for name, value in case.items() if name not in ("law", "range")}
    center = q.get("center", mpf(0))
    units = {"sigma": mpf(1), "sigma_squared": mpf(1), "s": 1 / mpmath.sqrt(2 * mp.pi), "k_sigma2": 1 / mpmath.sqrt(2 * mpmath.log(2))}
    width = next(name for name in units if name in q)
    sigma = mpmath.sqrt(q[width]) if width == "sigma_squared" else q[width] * units[width]
    middle, reach = int(center), int(40 * sigma) + 3
    around = range(middle - reach, middle + reach + 1)
    if case.get("law") == "rounded":
        def above(x: Any) -> Any:
            return mpmath.erfc((x - center) / (sigma * mpmath.sqrt(2))) / 2

        half = mpf(1) / 2
        # The smaller of both tails, in which nothing cancels.
        masses = {x: above(x - half) - above(x + half) if x > center else above(2 * center - x - half) - above(2 * center - x + half) for x in around}
    else:
        masses = {x: mpmath.exp(-((x - center) ** 2) / (2 * sigma**2)) for x in around}
    low, high = case.get("range", (around[0], around[-1]))
    masses = {x: mass for x, mass in masses.items() if low <= x <= high and abs(x - center) <= q.get("clip", reach + 9)}
    total = mpmath.fsum(masses.values())
    if "modulus" in case:
        modulus = case["modulus"]
        begin = int(mpmath.floor(center + mpf(1) / 2)) - modulus // 2
        if 2 * center == int(2 * center) and center != int(center):
            raise NotImplementedError
        sums: dict[int, Any] = {}
        for x, mass in masses.items():
            place = (x - begin) % modulus + begin
            sums[place] = sums.get(place, 0) + mass
        masses = {x: sums.get(x, mpf(0)) for x in range(begin, begin + modulus)}
    return {x: mass / total for x, mass in masses.items()}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_correctly_rounded(case: dict[str, Any]) -> None:
    law, wanted = samplez.TargetLaw(**case), exact(case)
    x = [x for x, p in wanted.items() if p > mpf(2) ** -800]
    assert law.pmf(x).tolist() == [float(wanted[value]) for value in x]
    logs = law.logpmf(x)
    assert logs.tolist() == [float(mpmath.log(wanted[value])) for value in x]
    below, cdf = mpmath.fsum(p for value, p in wanted.items() if value < x[0]), []
    for value in x:
        below += wanted[value]
        cdf.append(below)
    assert law.cdf(x).tolist() == [float(value) for value in cdf]
    above, sf = mpmath.fsum(p for value, p in wanted.items() if value > x[-1]), []
    for value in reversed(x):
        sf.append(float(above))
        above += wanted[value]
    assert law.sf(x).tolist() == sf[::-1]
    mean = mpmath.fsum(value * p for value, p in wanted.items())
    variance = mpmath.fsum((value - mean) ** 2 * p for value, p in wanted.items())
    assert math.isclose(law.mean(), mean, rel_tol=1e-14, abs_tol=1e-14)
    assert math.isclose(law.var(), variance, rel_tol=1e-13) and math.isclose(law.std(), mpmath.sqrt(variance), rel_tol=1e-13)
    if {"clip", "range", "modulus"} & case.keys():
        assert law.support() == (min(wanted), max(wanted))
        if "modulus" not in case:
            assert law.pmf([min(wanted) - 1, max(wanted) + 1]).tolist() == [0, 0]
            assert (law.cdf(max(wanted)), law.sf(max(wanted)), law.cdf(min(wanted) - 1)) == (1, 0, 0)
    else:
        assert law.support() == (-math.inf, math.inf)


def test_a_recipe_states_a_clip_and_a_rounded_law() -> None:
    of = samplez.TargetLaw.from_recipe
    assert of("laplace=4,clip=20").support() == (-20, 20) and of("laplace=4").support() == (-math.inf, math.inf)
    # P(X = 0) of the integer nearest to a Laplace variable, 1 - e^(-1/2λ).
    assert of("law=rounded,laplace=4").pmf(0) == 0.1175030974154046


def test_it_is_d_z_where_nothing_else_is_given() -> None:
    g, law = samplez.DiscreteGaussian("3.2", center="1/3"), samplez.TargetLaw("3.2", center="1/3")
    x = np.arange(-50, 50)
    for name in ("pmf", "logpmf", "cdf", "sf"):
        assert (getattr(g, name)(x) == getattr(law, name)(x)).all()
        assert getattr(g, name)(0.5) == getattr(law, name)(0.5)
    assert (g.mean(), g.var()) == (law.mean(), law.var())


def test_residues_in_every_range() -> None:
    """An integer stands for its residue, from 0 or about 0, as files of residues have them."""
    law = samplez.TargetLaw("3.2", modulus=12289)
    assert (law.pmf(np.arange(12289)) == law.pmf(np.arange(12289) - 12289)).all()
    assert math.fsum(law.pmf(np.arange(12289)).tolist()) == 1
    assert law.pmf(-1) == law.pmf(12288) == law.pmf(12288 + 12289 * 10**30) == samplez.DiscreteGaussian("3.2").pmf(-1)
    mixed = np.array([12288, Fraction(12288), 0.5], dtype=object)
    same: Any
    for same in (12288.0, Fraction(12288), [12288.0, 0.5], mixed, np.array(12288, dtype=object)):
        assert np.ravel(law.pmf(same))[0] == law.pmf(-1), same
    assert law.pmf([12288.0, 0.5, math.inf]).tolist() == [law.pmf(-1), 0, 0] and math.isnan(law.pmf(math.nan))
    assert isinstance(law.pmf(5), float) and law.pmf(0.5) == 0 and law.pmf([[0, 1]]).shape == (1, 2)
    # Samples of it agree, and those of a slightly wider law do not: about 6σ of χ².
    x = np.concatenate([samplez.DiscreteGaussian(sigma).sample(100_000, rng=3) for sigma in ("3.2", "3.3")]).reshape(2, -1) % 12289
    cells = np.r_[0:12, 12277:12289]
    expected = np.append(law.pmf(cells), 1 - np.sum(law.pmf(cells))) * 100_000
    chi = []
    for row in x:
        found = np.bincount(row, minlength=12289)[cells]
        chi.append(((np.append(found, 100_000 - found.sum()) - expected) ** 2 / expected).sum())
    assert chi[0] < 24 + 5 * math.sqrt(48) < chi[1]


def test_arguments() -> None:
    refused: list[tuple[Any, str]] = [
        ({}, "width"),
        ({"sigma": 1, "s": 2}, "s = 2: sigma is given too"),
        ({"sigma": 0}, "sigma = 0"),
        ({"sigma": 1, "law": "normal"}, "law = normal: expected discrete or rounded"),
        ({"sigma": 1, "clip": 0}, "clip = 0: expected a number above 0"),
        ({"sigma": 1, "clip": "x"}, "clip = x: "),
        ({"sigma": 1, "clip": 0.25, "center": 0.5}, "clip = 1/4: expected a bound within which"),
        ({"sigma": 1, "range": (3, 2)}, "range = (3, 2): expected the least value first"),
        ({"sigma": 1, "range": (1, 2), "clip": 3}, "clip is given too"),
        ({"sigma": 1, "range": (900, 901)}, "holds at least 2^-900"),
        ({"sigma": 1, "modulus": 1}, "modulus = 1: expected a value between 2 and"),
        ({"sigma": 1e12, "modulus": 2**62, "range": (-(2**62), 2**62)}, ""),
    ]
    for arguments, words in refused:
        try:
            law = samplez.TargetLaw(**arguments)
        except ValueError as error:
            assert words and words in str(error), arguments
        else:
            assert not words, arguments
            with pytest.raises(ValueError, match=r"at most 2\^16 values"):
                samplez.TargetLaw("1e6", range=(0, 2**40)).mean()
            assert law.pmf(2**62) == law.pmf(0)
    cases: list[Any] = [{"range": 3}, {"range": (1,)}, {"range": ("a", 2)}, {"modulus": 2.5}, {"modulus": True}, {"law": 3}, {"clip": [1]}]
    for wrong in cases:
        with pytest.raises(TypeError):
            samplez.TargetLaw("3", **wrong)
    law, texts = samplez.TargetLaw("3"), list[Any](["a", None, 1j])
    for x in texts:
        with pytest.raises(TypeError):
            law.pmf(x)
    assert math.isnan(law.pmf(math.nan)) and law.pmf(1e300) == 0 and law.cdf(math.inf) == 1


def test_pickles() -> None:
    for case in CASES:
        law = samplez.TargetLaw(**case)
        again = pickle.loads(pickle.dumps(law))
        assert again == law and hash(again) == hash(law) and again.pmf(1) == law.pmf(1)
        assert again.support() == law.support() and eval(repr(law), {"TargetLaw": samplez.TargetLaw}) == law
    assert samplez.TargetLaw(3) == samplez.TargetLaw("3.0") != samplez.TargetLaw(3, law="rounded")


def added(first: Masses, second: Masses, factor: int = 1) -> Masses:
    """The law of X + factor·Y."""
    (whole, masses), (other, weights) = first, second
    sums: dict[int, int] = {}
    for x, p in masses.items():
        for y, q in weights.items():
            sums[x + factor * y] = sums.get(x + factor * y, 0) + p * q
    return whole * other, sums


def copied(law: Masses, copies: int) -> Masses:
    sums: Masses = (1, {0: 1})
    for _ in range(copies):
        sums = added(sums, law)
    return sums


def binomial(eta: int) -> Masses:
    return 4**eta, {x: math.comb(2 * eta, x + eta) for x in range(-eta, eta + 1)}


def weights(low: int, *table: int) -> Masses:
    return sum(table), {low + i: weight for i, weight in enumerate(table) if weight}


def near(shape: Callable[[int], Any], reach: int) -> Masses:
    """Probabilities of this shape, to 380 bits, of a law with nothing to speak of beyond."""
    values = {x: int(shape(x) * mpf(2) ** 390) for x in range(-reach, reach + 1)}
    return sum(values.values()), values


TERNARY: Masses = (3, {-1: 1, 0: 1, 1: 1})


def gaussian() -> Masses:
    return near(lambda x: mpmath.exp(-mpf(x * x) / (2 * mpf(16) ** 2 / 25)), 70)


def laplace() -> Masses:
    return near(lambda x: mpmath.exp(-mpf(abs(x)) / 2), 420)


SUMS: list[tuple[str, Callable[[], Masses]]] = [
    ("ternary,copies=5", lambda: copied(TERNARY, 5)),
    ("centered_binomial=3 - 4*weights=-2: 1 0 5 2", lambda: added(binomial(3), weights(-2, 1, 0, 5, 2), -4)),
    ("-7*ternary", lambda: added((1, {0: 1}), TERNARY, -7)),
    ("tuniform=1 + weights=1000: 1 - ternary,copies=2", lambda: added(added(weights(1000, 1), weights(-2, 1, 2, 2, 2, 1)), copied(TERNARY, 2), -1)),
    ("weights=0: 18446744073709551615 1 18446744073709551615,copies=3", lambda: copied(weights(0, 2**64 - 1, 1, 2**64 - 1), 3)),
    ("sigma=3.2 - sigma=3.2", lambda: added(gaussian(), gaussian(), -1)),
    ("sigma=3.2,copies=3 + 10*ternary", lambda: added(copied(gaussian(), 3), TERNARY, 10)),
    ("laplace=2 + 1000*sigma=3.2", lambda: added(laplace(), gaussian(), 1000)),
]


@pytest.mark.parametrize(("recipe", "of"), SUMS, ids=[recipe for recipe, _ in SUMS])
def test_sums_are_those_of_whole_numbers(recipe: str, of: Callable[[], Masses]) -> None:
    law, (total, masses) = samplez.TargetLaw.from_recipe(recipe), of()
    values = sorted(x for x, p in masses.items() if p << 128 > total)

    def is_near(found: float, wanted: int) -> bool:
        """Doubles have 2^-53, and a probability here is the sum of some hundred products."""
        return abs(Fraction(found) * total - wanted) * 2**44 <= wanted

    assert all(map(is_near, law.pmf(values).tolist(), (masses[x] for x in values)))
    gaps = sorted(set(range(values[0], values[-1])) - set(masses))
    assert not gaps or set(law.pmf(gaps).tolist()) == {0}
    upto = dict(zip(sorted(masses), accumulate(masses[x] for x in sorted(masses))))
    assert all(map(is_near, law.cdf(values).tolist(), (upto[x] for x in values)))
    above = [x for x in values if (total - upto[x]) << 128 > total]
    assert all(map(is_near, law.sf(above).tolist(), (total - upto[x] for x in above)))
    mean = Fraction(sum(x * p for x, p in masses.items()), total)
    variance = Fraction(sum(x * x * p for x, p in masses.items()), total) - mean**2
    assert math.isclose(law.mean(), mean, rel_tol=1e-12, abs_tol=1e-12) and math.isclose(law.var(), variance, rel_tol=1e-12)
    low, high = law.support()
    assert low <= values[0] and values[-1] <= high and law.pmf([low - 1, high + 1]).tolist() == [0, 0]
    again = pickle.loads(pickle.dumps(law))
    assert again == law and eval(repr(law), {"TargetLaw": samplez.TargetLaw}) == law
    residues = samplez.TargetLaw.from_recipe(recipe, modulus=97).pmf(list(range(97))).tolist()
    assert all(is_near(p, sum(q for x, q in masses.items() if x % 97 == r)) for r, p in enumerate(residues))
    middle = values[len(values) // 2]
    within = samplez.TargetLaw.from_recipe(recipe, range=(values[0], middle))
    assert within.support() == (values[0], middle) and within.sf(middle) == 0
    assert math.isclose(within.pmf(middle), Fraction(masses[middle], upto[middle] - upto[values[0]] + masses[values[0]]))


def test_wrong_sums_are_named() -> None:
    for recipe, words in [
        ("laplace=4 + ", "missing term: write a law, such as sigma=3.2, before and after each [+] and -"),
        ("laplace=4 + lapace=4", "lapace = 4: expected one of sigma"),
        ("1.5*ternary", "recipe = 1.5[*]ternary: expected a whole number above 0 before the star"),
        ("ternary,copies=0", "copies = 0: expected a whole number from 1 to 2\\^20"),
        ("weights=0 1", "weights = 0 1: expected LOW: W W W"),
        ("weights=0: 0", "weights = 0: 0: expected from 1 to 2\\^20 weights"),
        ("sigma=1e6 + sigma=1e6", "at most 2\\^20 values .* whose sigma_squared is the sum of theirs"),
        ("sigma=3,method=cdt + ternary", "expected a law alone in a sum"),
    ]:
        with pytest.raises(ValueError, match=words):
            samplez.TargetLaw.from_recipe(recipe)
    with pytest.raises(ValueError, match=r"range = \(3, 2\): expected the least value first"):
        samplez.TargetLaw.from_recipe("ternary - ternary", range=(3, 2))
    with pytest.raises(ValueError, match="modulus = 1: expected a value between 2 and"):
        samplez.TargetLaw.from_recipe("ternary - ternary", modulus=1)
