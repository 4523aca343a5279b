"""Laws that are no Gaussian, and tables of one's own."""

import csv
import pickle
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samplez

ROWS = list(csv.DictReader((Path(__file__).parents[2] / "kat" / "finite.csv").open()))
FRODO = [9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1]
LAWS = [samplez.Ternary(), samplez.CenteredBinomial(1), samplez.CenteredBinomial(21), samplez.TUniform(0), samplez.TUniform(17)]


def law_of(text: str) -> Any:
    name, _, numbers = text.rstrip(")").partition("(")
    if name == "Skellam":
        return samplez.Skellam(variance=numbers)
    if name == "DiscreteLaplace":
        return samplez.DiscreteLaplace(scale=numbers)
    if name == "SparseTernary":
        length, weight = map(int, numbers.split())
        return samplez.SparseTernary(length, weight=weight)
    kinds = {"Ternary": samplez.Ternary, "CBD": samplez.CenteredBinomial, "TUniform": samplez.TUniform}
    return kinds[name](*map(int, numbers.split()))


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


def test_generators_and_single_samples() -> None:
    for law in LAWS:
        low, high = law.support()
        draws = [law.sample(), law.sample(rng=samplez.Source(seed=1)), law.sample(rng=np.random.default_rng(1)), law.rvs()]
        assert all(type(x) is int and low <= x <= high for x in draws)
        whole = law.sample(20, rng=samplez.Source(seed=4)).tolist()
        source = samplez.Source(seed=4)
        assert [law.sample(rng=source) for _ in range(20)] == whole
        assert law.sample((2, 3), rng=np.random.default_rng(1)).shape == (2, 3)


@pytest.mark.parametrize("law", [*LAWS, samplez.CenteredBinomial(32), samplez.TUniform(9)], ids=repr)
def test_probabilities(law: Any) -> None:
    low, high = law.support()

    def exact(x: int) -> Fraction:
        if isinstance(law, samplez.CenteredBinomial):
            return Fraction(comb(2 * law.eta, law.eta + x), 4**law.eta)
        if isinstance(law, samplez.TUniform):
            return Fraction(1 if abs(x) == 2**law.bound_log2 else 2, 2 ** (law.bound_log2 + 2))
        return Fraction(1, 3)

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
    noise = samplez.CenteredBinomial(21).sample(1_000_000, rng=3, dtype="int8", threads=2)
    accepted = samplez.verify(noise, samplez.CenteredBinomial(21))
    assert accepted.consistent and accepted.law == "CBD(21)" and accepted.alternative is None
    rejected = samplez.verify(noise, samplez.DiscreteGaussian(sigma_squared="21/2"))
    assert not rejected.consistent
    assert not samplez.verify(iter([noise]), samplez.CenteredBinomial(20)).consistent
    assert samplez.verify(samplez.TUniform(17).sample(100_000, rng=1), samplez.TUniform(17)).consistent
    assert samplez.residues(noise[:4096], [65537, 114689]).shape == (2, 4096)


@pytest.mark.parametrize(
    "make, kind, words",
    [
        (lambda: samplez.CenteredBinomial(0), ValueError, "eta = 0: must lie between 1 and 32"),
        (lambda: samplez.CenteredBinomial(33), ValueError, "eta = 33: must lie between 1 and 32"),
        (lambda: samplez.CenteredBinomial(float("nan")), TypeError, "eta: must be an integer, not float"),  # type: ignore[arg-type]
        (lambda: samplez.CenteredBinomial("2"), TypeError, "eta: must be an integer, not str"),  # type: ignore[arg-type]
        (lambda: samplez.TUniform(63), ValueError, "bound_log2 = 63: must lie between 0 and 62"),
        (lambda: samplez.TUniform(-1), ValueError, "bound_log2 = -1: must lie between 0 and 62"),
        (lambda: samplez.SparseTernary(64, weight=0), ValueError, "weight = 0: must lie between 1 and 64"),
        (lambda: samplez.SparseTernary(64, weight=65), ValueError, "weight = 65: must lie between 1 and 64"),
        (lambda: samplez.SparseTernary(0, weight=1), ValueError, "length = 0: must lie between 1"),
        (lambda: samplez.FiniteLaw(), TypeError, "expected one of samplez.Ternary"),
        (lambda: samplez.TUniform(17).sample(3, dtype="int16"), ValueError, "dtype = int16: the samples range from -131072 to 131072"),
        (lambda: samplez.Ternary().sample(3, dtype="uint8"), TypeError, "dtype = uint8"),
        (lambda: samplez.SparseTernary(4, weight=2).sample(out=np.zeros(5, np.int8)), ValueError, "out: has shape (5,), must have that of length, (4,)"),
        (lambda: samplez.Ternary().sample(3, rng="x"), ValueError, "rng"),
        (lambda: samplez.TableSampler([1, 2], "folded,tail,8", sigma=1), ValueError, "entr"),
        (lambda: samplez.TableSampler([100, 120], "folded,pmf,8", sigma=1), ValueError, "has no constant-time sampler"),
        (lambda: samplez.TableSampler([100, 120], "heap,8", sigma=1), ValueError, "form"),
        (lambda: samplez.TableSampler([0.5], "frodo", sigma=1), TypeError, "entries[0]: must be an integer, not float"),
        (lambda: samplez.TableSampler([2**320], "frodo", sigma=1), ValueError, "entries[0] = "),
        (lambda: samplez.TableSampler("12", "frodo", sigma=1), TypeError, "entries: expected a sequence of integers, not str"),  # type: ignore[arg-type]
        (lambda: samplez.TableSampler([], "frodo", sigma=1), ValueError, ""),
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
    assert samplez.CenteredBinomial(1) != samplez.TUniform(1)
    assert samplez.CenteredBinomial(2).timing == samplez.TUniform(2).timing == "constant" and samplez.Ternary().timing == "isochronous"


def test_a_table_of_one_s_own() -> None:
    errors = samplez.TableSampler(FRODO, "frodo", sigma="2.8")
    assert (errors.timing, errors.support()) == ("constant", (-12, 12))
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
