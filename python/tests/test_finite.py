"""Laws that are no Gaussian, and tables of one's own."""

import csv
import pickle
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samplez

ROWS = list(csv.DictReader((Path(__file__).parents[2] / "kat" / "finite.csv").open()))
FRODO = [9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1]
LAWS = [samplez.OtherNoise(ternary=True), samplez.OtherNoise(centered_binomial=1), samplez.OtherNoise(centered_binomial=21), samplez.OtherNoise(tuniform=0), samplez.OtherNoise(tuniform=17)]


def law_of(text: str) -> Any:
    name, _, numbers = text.rstrip(")").partition("(")
    if name == "SparseTernary":
        length, weight = map(int, numbers.split())
        return samplez.SparseTernary(length, weight=weight)
    if name == "Ternary":
        return samplez.OtherNoise(ternary=True)
    laws = {"CBD": "centered_binomial", "TUniform": "tuniform", "Skellam": "skellam", "DiscreteLaplace": "discrete_laplace"}
    number, _, bound = numbers.partition(") within ")
    given: dict[str, Any] = {laws[name]: int(number) if name in ("CBD", "TUniform") else number}
    return samplez.OtherNoise(**given, clip=int(bound) if bound else None)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "{law}-{seed}".format(**row))
def test_samples_are_those_of_every_language(row: dict[str, str]) -> None:
    law, seed, wanted = law_of(row["law"]), int(row["seed"]), [int(x) for x in row["samples"].split()]
    if isinstance(law, samplez.SparseTernary):
        assert law.sample(rng=seed).tolist() == wanted
        assert law.sample(rng=samplez.Source(seed=seed), dtype="int64").tolist() == wanted
        return
    for threads in (1, 2):
        assert law.sample(len(wanted), rng=seed, first=int(row["first"]), threads=threads).tolist() == wanted
    kinds = [kind for kind in ("int8", "int16", "int32") if np.iinfo(kind).max >= law.support()[1]]
    for kind in kinds:
        narrow = law.sample(len(wanted), rng=seed, first=int(row["first"]), dtype=kind)
        assert narrow.dtype == kind and narrow.tolist() == wanted


def test_truncated_laplace_noise() -> None:
    """The samples are those of the whole distribution without the values beyond the bound."""
    noise, whole = samplez.OtherNoise(discrete_laplace="1.5", clip=2), samplez.OtherNoise(discrete_laplace="1.5").sample(8000, rng=samplez.Source(seed=4))
    assert noise.sample(5000, rng=samplez.Source(seed=4)).tolist() == whole[abs(whole) <= 2][:5000].tolist()
    assert repr(noise) == "samplez.OtherNoise(discrete_laplace='3/2', clip=2)" and eval(repr(noise)) == noise == pickle.loads(pickle.dumps(noise))
    weights = np.exp(-np.abs(np.arange(-3, 4)) / 1.5) * [0, 1, 1, 1, 1, 1, 0]
    assert noise.pmf(np.arange(-3, 4)) == pytest.approx(weights / weights.sum(), rel=1e-13)
    assert noise.var() == pytest.approx(float((weights * np.arange(-3, 4) ** 2).sum() / weights.sum()), rel=1e-13)
    assert (noise.support(), noise.timing) == ((-2, 2), "isochronous")
    assert samplez.verify(noise.sample(100_000, rng=1), noise).consistent
    assert not samplez.verify(noise.sample(100_000, rng=1), samplez.OtherNoise(discrete_laplace="1.5")).consistent


@pytest.mark.parametrize("clip", [0, -3, 2, 2**53 + 1, 10**30])
def test_bounds_of_truncated_laplace_noise(clip: int) -> None:
    with pytest.raises(ValueError, match=f"^clip = {clip}: expected a whole number from 3 to 2\\^53, at least half of the scale 5$"):
        samplez.OtherNoise(discrete_laplace=5, clip=clip)


def test_generators_and_single_samples() -> None:
    for law in LAWS:
        low, high = law.support()
        draws = [law.sample(), law.sample(rng=samplez.Source(seed=1)), law.sample(rng=np.random.default_rng(1))]
        assert all(type(x) is int and low <= x <= high for x in draws)
        whole = law.sample(20, rng=samplez.Source(seed=4)).tolist()
        source = samplez.Source(seed=4)
        assert [law.sample(rng=source) for _ in range(20)] == whole
        assert law.sample((2, 3), rng=np.random.default_rng(1)).shape == (2, 3)


@pytest.mark.parametrize("law", [*LAWS, samplez.OtherNoise(centered_binomial=32), samplez.OtherNoise(tuniform=9)], ids=repr)
def test_probabilities(law: Any) -> None:
    low, high = law.support()

    def exact(x: int) -> Fraction:
        if "binomial" in repr(law):
            return Fraction(comb(2 * high, high + x), 4**high)
        return Fraction(1 if abs(x) == high else 2, 4 * high) if "tuniform" in repr(law) else Fraction(1, 3)

    values = range(low, high + 1) if high < 1000 else [low, low + 1, -5, 0, 7, high - 1, high]
    assert law.pmf(list(values)).tolist() == [float(exact(x)) for x in values]
    assert law.pmf([low - 1, high + 1, 2**62, -(2**63)]).tolist() == [0, 0, 0, 0] and law.pmf(0.5) == 0
    if high < 1000:
        masses = [exact(x) for x in values]
        assert law.cdf(list(values)).tolist() == [float(sum(masses[: i + 1])) for i in range(len(masses))]
        assert law.sf(list(values)).tolist() == [float(sum(masses[i + 1 :])) for i in range(len(masses))]
        assert law.var() == float(sum(x * x * p for x, p in zip(values, masses)))
    assert (law.cdf(low - 1), law.cdf(high), law.sf(low - 1), law.sf(high), law.mean()) == (0, 1, 1, 0, 0)
    assert np.isnan(law.pmf(float("nan")))


def test_verdicts() -> None:
    noise = samplez.OtherNoise(centered_binomial=21).sample(1_000_000, rng=3, dtype="int8", threads=2)
    accepted = samplez.verify(noise, samplez.OtherNoise(centered_binomial=21))
    assert accepted.consistent and accepted.law == "CBD(21)" and accepted.alternative is None
    rejected = samplez.verify(noise, samplez.DiscreteGaussian(sigma_squared="21/2"))
    assert not rejected.consistent
    assert not samplez.verify(iter([noise]), samplez.OtherNoise(centered_binomial=20)).consistent
    assert samplez.verify(samplez.OtherNoise(tuniform=17).sample(100_000, rng=1), samplez.OtherNoise(tuniform=17)).consistent
    assert samplez.residues(noise[:4096], [65537, 114689]).shape == (2, 4096)


@pytest.mark.parametrize(
    "make, kind, words",
    [
        (lambda: samplez.OtherNoise(centered_binomial=0), ValueError, "centered_binomial = 0: expected a whole number from 1 to 2^20"),
        (lambda: samplez.OtherNoise(centered_binomial=1048577), ValueError, "centered_binomial = 1048577: expected a whole number from 1 to 2^20"),
        (lambda: samplez.OtherNoise(centered_binomial=float("nan")), TypeError, "centered_binomial = nan: expected an integer, not float"),  # type: ignore[arg-type]
        (lambda: samplez.OtherNoise(centered_binomial="2"), TypeError, "centered_binomial = 2: expected an integer, not str"),  # type: ignore[arg-type]
        (lambda: samplez.OtherNoise(tuniform=63), ValueError, "tuniform = 63: expected a whole number from 0 to 62, the binary logarithm of the largest value"),
        (lambda: samplez.OtherNoise(tuniform=-1), ValueError, "tuniform = -1: expected a whole number from 0 to 62"),
        (lambda: samplez.SparseTernary(64, weight=0), ValueError, "weight = 0: expected a value between 1 and 64"),
        (lambda: samplez.SparseTernary(64, weight=65), ValueError, "weight = 65: expected a value between 1 and 64"),
        (lambda: samplez.SparseTernary(0, weight=1), ValueError, "length = 0: expected a value between 1"),
        (lambda: samplez.OtherNoise(), TypeError, "missing distribution: pass one of ternary, centered_binomial, tuniform, skellam, discrete_laplace"),
        (lambda: samplez.OtherNoise(ternary=True, skellam=2), ValueError, "skellam = 2: ternary is given too; pass only one of them"),
        (lambda: samplez.OtherNoise(ternary=1), TypeError, "ternary = 1: expected True or False, not int"),  # type: ignore[arg-type]
        (lambda: samplez.OtherNoise(tuniform=17).sample(3, dtype="int16"), ValueError, "dtype = int16: the samples range from -131072 to 131072"),
        (lambda: samplez.OtherNoise(ternary=True).sample(3, dtype="uint8"), TypeError, "dtype = uint8"),
        (lambda: samplez.SparseTernary(4, weight=2).sample(out=np.zeros(5, np.int8)), ValueError, "out.shape = (5,): expected that of length, (4,)"),
        (lambda: samplez.OtherNoise(ternary=True).sample(3, rng="x"), ValueError, "rng"),
        (lambda: samplez.TableSampler([1, 2], "folded,tail,8", sigma=1), ValueError, "entries[1] = 2: above entry 0 = 1; the tail of a law falls"),
        (lambda: samplez.TableSampler([100, 120], "folded,pmf,8", sigma=1), ValueError, "has no constant-time sampler"),
        (lambda: samplez.TableSampler([100, 120], "heap,8", sigma=1), ValueError, "form = heap,8: heap is unknown; allowed are folded"),
        (lambda: samplez.TableSampler([0.5], "frodo", sigma=1), TypeError, "entries[0] = 0.5: expected an integer, not float"),
        (lambda: samplez.TableSampler([2**320], "frodo", sigma=1), ValueError, "entries[0] = "),
        (lambda: samplez.TableSampler("12", "frodo", sigma=1), TypeError, "entries = 12: expected a sequence of integers, not str"),  # type: ignore[arg-type]
        (lambda: samplez.TableSampler([], "frodo", sigma=1), ValueError, "entries: has 0 elements: expected 1 to 2^20"),
        (lambda: samplez.TableSampler([0], "frodo", sigma=1), ValueError, "entries: all are 0: expected one above 0"),
        (lambda: samplez.TableSampler(FRODO, "frodo"), ValueError, "width"),
    ],
)
def test_bad_arguments_are_named(make: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as caught:
        make()
    assert words in str(caught.value)


def test_laws_are_values() -> None:
    for law in [*LAWS, samplez.SparseTernary(8, weight=3)]:
        again = pickle.loads(pickle.dumps(law))
        assert again == law and hash(again) == hash(law) and repr(again) == repr(law)
    assert eval(repr(LAWS[0])) == LAWS[0] and eval(repr(LAWS[-1])) == LAWS[-1]
    assert samplez.OtherNoise(centered_binomial=1) != samplez.OtherNoise(tuniform=1)
    assert samplez.OtherNoise(centered_binomial=2).timing == samplez.OtherNoise(tuniform=2).timing == "constant" and samplez.OtherNoise(ternary=True).timing == "isochronous"


def test_a_table_of_one_s_own() -> None:
    errors = samplez.TableSampler(FRODO, "frodo", sigma="2.8")
    assert errors.certificate().support == (-12, 12)
    certificate = errors.certificate()
    assert not certificate.exact and -8.6 < (certificate.log2_sd or 0) < -8.5
    drawn = errors.sample(400_000, rng=1, dtype="int8")
    for x, weight in enumerate(FRODO):
        p = weight / 2**16 * (1 if x == 0 else 2)
        assert abs(int((abs(drawn) == x).sum()) - p * drawn.size) <= 6 * (drawn.size * p) ** 0.5 + 1
    # The same law as a tail of |X|: the same integers.
    above, tail = 2**16 - FRODO[0], []
    for weight in FRODO[1:]:
        tail.append(above)
        above -= 2 * weight
    assert samplez.TableSampler(tail, "folded,tail,16", sigma="2.8").sample(1000, rng=1).tolist() == drawn[:1000].tolist()
    again = pickle.loads(pickle.dumps(errors))
    assert again == errors != samplez.TableSampler(FRODO, "frodo", sigma="2.7") and hash(again) == hash(errors)
    assert again.sample(1000, rng=1).tolist() == drawn[:1000].tolist() and again.certificate() == certificate


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_recipes_state_each_law_both_ways(law: samplez.OtherNoise) -> None:
    same = samplez.OtherNoise.from_recipe(law.recipe)
    assert same == law and same.recipe == law.recipe and eval(repr(law)) == law
    whole = law.sample(30_000, rng=1)
    assert (samplez.block(law.recipe, seed=1, index=2, size=10_000) == whole[20_000:]).all()
    assert samplez.verify(whole, law.recipe) == samplez.verify(whole, law)


@pytest.mark.parametrize(
    ("call", "argument", "kind", "message"),
    [
        (lambda: samplez.DiscreteGaussian.from_recipe("skellam=5/2"), "recipe", "unsupported", "recipe = skellam=5/2: expected a Gaussian, such as sigma=3.2; samplez.OtherNoise.from_recipe takes this one"),
        (lambda: samplez.OtherNoise.from_recipe("sigma=3.2"), "recipe", "other", "recipe = sigma=3.2: expected a distribution other than a Gaussian; samplez.DiscreteGaussian.from_recipe takes this one"),
        (lambda: samplez.OtherNoise.from_recipe("ternary,method=cdt"), "method", "unsupported", "method = cdt: ternary has one sampler; leave method out"),
        (lambda: samplez.OtherNoise.from_recipe("skellam=2e6"), "skellam", "out-of-range", "skellam = 2e6: expected a number from 2^-16 to 2^20; for a larger variance add samples"),
        (lambda: samplez.block("laplace=1,center=2", seed=1, index=0), "center", "unsupported", "center = 2: laplace is about 0; leave center out"),
        (lambda: samplez.verify([0], "skellam=1e9"), "skellam", "out-of-range", "skellam = 1e9: expected a number from 2^-16 to 2^26; beyond, sigma_squared"),
    ],
)  # fmt: skip
def test_refusals_of_recipes(call: Callable[[], object], argument: str, kind: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value).startswith(message) and (vars(caught.value)["argument"], vars(caught.value)["kind"]) == (argument, kind)
