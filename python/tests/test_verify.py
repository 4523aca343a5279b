"""`verify` against the command's JSON, field by field; what it sees, and what it refuses."""

import json
import pickle
import subprocess
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import samplez
from samplez import dp, lattice, stats

G = samplez.DiscreteGaussian("3.2")
NOISE = G.sample(50_000, rng=1)
SUM = sum((G.sample(50_000, rng=i).astype(np.int64) for i in (2, 3)), -100 * samplez.OtherNoise(ternary=True).sample(50_000, rng=4).astype(np.int64))
ROUNDED = np.rint(np.random.default_rng(1).normal(0, 1.5, 200_000)).astype(np.int16)



class Table:
    """As pandas and Polars have one."""

    def __init__(self, values: npt.NDArray[Any], columns: int) -> None:
        self.columns, self._values = [f"c{i}" for i in range(columns)], values

    def __array__(self, *_: Any, **__: Any) -> npt.NDArray[Any]:
        return np.stack([self._values] * len(self.columns), 1)


class Wide(list[int]):
    """A column of 128 bits, as Polars has one: NumPy gets none of it."""

    def __array__(self, *_: Any, **__: Any) -> npt.NDArray[Any]:
        raise RuntimeError("no such type in NumPy")


CASES: list[tuple[npt.NDArray[Any], Any, list[str]]] = [
    (NOISE, G, ["--sigma", "3.2"]),
    (NOISE.astype(np.int8), "sigma=3.3", ["--sigma", "3.3"]),
    (ROUNDED, "sigma=1.5", ["--sigma", "1.5"]),
    (ROUNDED, samplez.TargetLaw("1.5", law="rounded"), ["--sigma", "1.5", "--law", "rounded"]),
    (NOISE[abs(NOISE) < 9], samplez.TargetLaw("3.2", clip=8), ["--sigma", "3.2", "--clip", "8"]),
    (NOISE % 12289, samplez.TargetLaw("3.2", modulus=12289), ["--sigma", "3.2", "--modulus", "12289"]),
    (NOISE.astype(np.uint64), samplez.TargetLaw("3.2", modulus=2**64), ["--sigma", "3.2", "--modulus", str(2**64)]),
    (NOISE.astype(object) % (2**64 - 59), samplez.TargetLaw("3.2", modulus=2**64 - 59), ["--sigma", "3.2", "--modulus", str(2**64 - 59)]),
    (NOISE % 2**32, samplez.TargetLaw("3.3", modulus=2**32), ["--sigma", "3.3", "--modulus", str(2**32)]),
    (samplez.BigGaussian(2**60, center=5).sample(20_000, rng=1), "sigma=1152921504606846976,center=5", ["--sigma", str(2**60), "--center", "5"]),
    (samplez.BigGaussian(2**128).sample(20_000, rng=1), samplez.BigGaussian(2**128), ["--sigma", str(2**128)]),
    (samplez.BigGaussian(2**128).sample(20_000, rng=1), samplez.BigGaussian("3.6e38"), ["--sigma", "3.6e38"]),
    (samplez.DiscreteGaussian("1e9", center="1/3").sample(20_000, rng=1), "sigma=1e9,center=1/3", ["--sigma", "1e9", "--center", "1/3"]),
    (np.zeros(500, np.int64), "sigma=3", ["--sigma", "3"]),
    (SUM, "sigma=3.2,copies=2 - 100*ternary", ["--recipe", "sigma=3.2,copies=2 - 100*ternary"]),
    (SUM, "sigma=3.2,copies=2 + 99*ternary", ["--recipe", "sigma=3.2,copies=2 + 99*ternary"]),
    (SUM % 500, samplez.TargetLaw.from_recipe("100*ternary + sigma=3.2 + sigma=3.2", modulus=500), ["--recipe", "100*ternary + sigma=3.2 + sigma=3.2", "--modulus", "500"]),
]


@pytest.mark.parametrize(("data", "law", "arguments"), CASES, ids=range(len(CASES)))
def test_it_is_the_command_s(command: str, data: npt.NDArray[Any], law: Any, arguments: list[str], tmp_path: Path) -> None:
    path = tmp_path / ("data.txt" if data.dtype == object else "data.npy")
    if data.dtype == object:
        np.savetxt(path, data, fmt="%d")
    else:
        np.save(path, data)
    run = subprocess.run([command, "verify", str(path), *arguments, "--json", "--quiet"], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    result = samplez.verify(data, law)
    assert json.loads(result.to_json()) == json.loads(run.stdout)
    assert result.consistent == (run.returncode == 0)
    # However it comes.
    assert samplez.verify(iter(np.array_split(data, 7)), law) == result


def test_a_sum_is_told_from_its_neighbours() -> None:
    assert samplez.verify(SUM, "sigma=3.2,copies=2 - 100*ternary").consistent
    for wrong in ("sigma=3.2,copies=2 - 99*ternary", "sigma=3.2,copies=3 - 100*ternary", "sigma=3.2 + sigma=4 + 100*ternary", "sigma=3.2,copies=2 - 100*weights=-1: 4 4 5"):
        assert not samplez.verify(SUM, wrong).consistent, wrong
    with pytest.raises(ValueError, match="skelam = 4: expected one of sigma"):
        samplez.verify(SUM, "sigma=3.2 + skelam=4")


PAIRS: list[tuple[npt.NDArray[Any], npt.NDArray[Any]]] = [
    (NOISE, G.sample(30_000, rng=2)),
    (NOISE, np.concatenate([NOISE[20_000:], NOISE[:5]])),
    (NOISE.astype(np.int8), ROUNDED),
    (np.zeros(500, np.int64), np.ones(300, np.int64)),
    (G.sample(300_000, rng=3), samplez.DiscreteGaussian("1e9").sample(70_000, rng=1)),
]


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=range(len(PAIRS)))
def test_two_samples_are_compared_as_by_the_command(command: str, first: npt.NDArray[Any], second: npt.NDArray[Any], tmp_path: Path) -> None:
    for name, data in (("a", first), ("b", second)):
        np.save(tmp_path / name, data)
    arguments = [command, "verify", str(tmp_path / "a.npy"), "--against", str(tmp_path / "b.npy"), "--json", "--quiet"]
    run = subprocess.run(arguments, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    result = samplez.verify(first, against=second)
    assert json.loads(result.to_json()) == json.loads(run.stdout)
    assert result.consistent == (run.returncode == 0) and (result.n, result.m) == (first.size, second.size)
    # However they come, and on any number of threads.
    assert samplez.verify(iter(np.array_split(first, 7)), against=iter(np.array_split(second, 3)), threads=3) == result


def test_values_may_be_misaligned() -> None:
    values = samplez.DiscreteGaussian(3).sample(1000, rng=1)
    octets = np.zeros(8001, np.uint8)
    octets[1:] = values.view(np.uint8)
    odd = octets[1:].view(np.int64)
    assert not odd.flags.aligned and samplez.verify(odd, "sigma=3") == samplez.verify(values, "sigma=3")
    assert samplez.residues(odd, 7).tolist() == samplez.residues(values, 7).tolist()
    form = lattice.Form([[1, 0], [0, 1]], sigma=2)
    assert form.pmf(odd.reshape(-1, 2)[:2]).tolist() == form.pmf(values.reshape(-1, 2)[:2]).tolist()
    doubles = octets[1:].view(np.float64)
    doubles[:] = values / 7
    assert not doubles.flags.aligned and samplez.sample(2.0, center=doubles, rng=1).tolist() == samplez.sample(2.0, center=doubles.copy(), rng=1).tolist()



def test_two_samples() -> None:
    good, copied = (samplez.verify(*pair[:1], against=pair[1]) for pair in PAIRS[:2])
    assert good.consistent and good.shared is not None and good.shared[0] == 0
    assert str(good).startswith("50000 and 30000 integers, consistent with independent samples of one distribution\n  pass")
    assert not copied.consistent and copied.shared is not None and 2 * copied.shared[0] > copied.shared[1]
    assert "REJECTED as independent" in str(copied) and str(copied).endswith("sequences of the second are also in the first")
    assert samplez.verify(NOISE.tolist(), against=[PAIRS[0][1][:7], PAIRS[0][1][7:]]) == good


def test_threads_change_nothing() -> None:
    data = G.sample(600_000, rng=5)
    wanted = samplez.verify(data, G)
    for threads in (2, 5, None):
        assert samplez.verify(data, G, threads=threads) == wanted
    rejected = samplez.verify(ROUNDED, "sigma=1.5")
    assert samplez.verify(iter([ROUNDED]), "sigma=1.5", threads=2) == rejected


def test_verdicts() -> None:
    good = samplez.verify(NOISE, G)
    assert good.consistent and good.alternative is None and good.n == NOISE.size and good.alpha == 1e-6
    assert "consistent with D_Z(sigma = 16/5, center = 0)" in str(good) and {test.verdict for test in good.tests} <= {"pass", "not applicable"}
    bad = samplez.verify(ROUNDED, "sigma=1.5")
    assert not bad.consistent and bad.alternative == "RoundedNormal(sigma = 3/2, center = 0)" and bad.alternative in str(bad)
    assert "REJECTED" in str(bad) and any(test.verdict == "reject" for test in bad.tests)
    power = good.power["sigma"]
    assert power is not None and 0 < power < 0.03
    assert samplez.verify(iter([ROUNDED]), "sigma=1.5").alternative == bad.alternative
    assert samplez.verify(ROUNDED + NOISE[0], "sigma=3").alternative is None


def test_residues_name_their_modulus(command: str, tmp_path: Path) -> None:
    law = samplez.TargetLaw("3.2", modulus=12289)
    residues = NOISE % 12289
    assert samplez.verify(residues, law).modulus is None and samplez.verify(NOISE, "sigma=3.5").modulus is None
    for q, shown in ((12289, 12289), (2**32, 2**32), (2**62, 2**62)):
        rejected = samplez.verify(NOISE % q, G)
        assert not rejected.consistent and rejected.modulus == shown == json.loads(rejected.to_json())["modulus"]
        assert str(rejected).endswith(f"with modulus={q}, or the modulus that you know")
    # Integers that are folded are none.
    assert samplez.verify(residues, "sigma=1e30").modulus is None


def test_residues_of_a_law_beyond_64_bits(command: str, tmp_path: Path) -> None:
    flood = samplez.BigGaussian(2**80, center="1/3").sample(20_000, rng=1)
    for q in (7, 12289):
        law = samplez.TargetLaw(2**80, center="1/3", modulus=q)
        assert str(law) == f"D_Z(sigma = {2**80}, center = 1/3), modulo {q}" and pickle.loads(pickle.dumps(law)) == law
        assert law.pmf(3) == pytest.approx(1 / q, rel=1e-15) and samplez.verify(flood % q, law).consistent
        np.savetxt(tmp_path / "residues.txt", flood % q, fmt="%d")
        run = subprocess.run([command, "verify", tmp_path / "residues.txt", "--sigma", str(2**80), "--center=1/3", "--modulus", str(q), "--json"], capture_output=True, text=True)
        assert json.loads(samplez.verify(flood % q, law).to_json()) == json.loads(run.stdout)
    assert not samplez.verify(flood % 7 // 2, samplez.TargetLaw(2**80, modulus=7)).consistent
    with pytest.raises(ValueError, match="^modulus = 18446744073709551616: expected a whole number from 2 to 2\\^51, where sigma has more than 64 bits$"):
        samplez.TargetLaw("1e40", modulus=2**64)
    for more in ({"clip": 5}, {"law": "rounded"}):
        with pytest.raises(ValueError, match="^sigma = 1e40: not representable exactly"):
            samplez.TargetLaw("1e40", modulus=7, **more)


def test_every_form_of_data() -> None:
    wanted = samplez.verify(NOISE, G)

    def chunks() -> Iterator[Any]:
        yield NOISE[:10]
        yield NOISE[10:20].tolist()
        yield NOISE[20:].astype(np.int8)

    forms: list[Any] = [NOISE.tolist(), NOISE.reshape(50, -1), NOISE.reshape(-1, 1), NOISE.reshape(-1, 1).tolist(), list(zip(NOISE.tolist())), NOISE.astype(object), NOISE.astype("<i2"), NOISE[::1].astype(">i4"), chunks()]
    for data in [*forms, [NOISE[:7], NOISE[7:]], tuple(np.split(NOISE, 2))]:
        assert samplez.verify(data, G) == wanted
    # As engines of tables and other samplers have integers.
    for data in [NOISE.astype(float), NOISE.astype("f4"), NOISE.astype("f2"), list(map(Decimal, NOISE.tolist())), memoryview(NOISE.tobytes()).cast("q"), Table(NOISE, 1)]:
        assert samplez.verify(data, G) == wanted
    assert samplez.verify(Wide(NOISE.tolist()), G) == wanted
    assert samplez.verify(NOISE, samplez.TargetLaw("3.2")) == samplez.verify(NOISE, "sigma=3.2,method=cdt") == wanted
    assert samplez.verify(NOISE[::2], G) == samplez.verify(NOISE[::2].copy(), G) != wanted
    shifted = samplez.verify((NOISE - NOISE.min()).astype(np.uint8), samplez.DiscreteGaussian("3.2", center=-int(NOISE.min())))
    assert shifted.consistent


@pytest.mark.parametrize(
    ("data", "law", "error", "text"),
    [
        (NOISE[:99], G, ValueError, "^data: has 99 values: expected at least 100, which a verdict needs; give more"),
        ([], G, ValueError, "^data: has 0 values: expected"),
        (NOISE.astype(float) + 0.5, G, TypeError, r"^data\[0\] = 0.5: expected an integer, not float"),
        ([*NOISE[:500].tolist(), 0.5], G, TypeError, r"^data\[500\] = 0.5: expected an integer, not float"),
        ([*NOISE[:500].tolist(), float("nan")], G, TypeError, r"^data\[500\] = nan: expected an integer, not float, a missing value"),
        ([*NOISE[:500].tolist(), None], G, TypeError, r"^data\[500\]: expected an integer, not NoneType, a missing value; drop missing values first"),
        ([*NOISE[:500].tolist(), Decimal("1.5")], G, TypeError, r"^data\[500\] = 1.5: expected an integer, not Decimal; round first"),
        (NOISE.astype(np.int8).tobytes(), G, TypeError, r"^data: expected integers, not bytes, .* np.frombuffer\(data, 'int8'\)"),
        (bytearray(1000), G, TypeError, "^data: expected integers, not bytearray"),
        (memoryview(bytes(1000)), G, TypeError, "^data: expected integers, not memoryview"),
        ({"x": NOISE}, G, TypeError, r"^data: expected integers, not dict; choose a column, such as data\['x'\]"),
        (np.zeros(500, [("id", int), ("noise", int)]), G, TypeError, r"^data: is a table of 2 columns \('id', 'noise'\); choose one, such as data\['id'\]"),
        (NOISE.reshape(-1, 2), G, TypeError, r"^data: is an array of shape \(25000, 2\); choose a column, such as data\[:, 0\], or pass data.ravel\(\)"),
        (iter([NOISE[:200].reshape(-1, 2)]), G, TypeError, r"^data: is an array of shape \(100, 2\); choose a column"),
        (NOISE.reshape(-1, 2).tolist(), G, TypeError, r"^data: is a table, whose first row has 2 values; choose a column, such as \[row\[0\] for row in data\]"),
        (zip(range(500), NOISE.tolist(), strict=False), G, TypeError, "^data: is a table, whose first row has 2 values; choose a column"),
        (Table(NOISE, 3), G, TypeError, r"^data: is a table of 3 columns \('c0', 'c1', 'c2'\); choose one"),
        ([*NOISE[:500].tolist(), True], G, TypeError, r"^data\[500\]: expected an integer, not bool"),
        ("noise.npy", G, TypeError, "^data = 'noise.npy': expected integers, not str; read a file first, such as by numpy.load or"),
        (iter([NOISE, ["1"]]), G, TypeError, r"^data\[50000\]: expected an integer, not str"),
        ([*NOISE[:500].tolist(), 2**63], G, ValueError, r"^data\[500\] = 9223372036854775808: expected a value between"),
        ([*NOISE[:500].tolist(), Fraction(1)], G, TypeError, r"^data\[500\]: expected an integer, not Fraction"),
        (None, G, TypeError, r"^data\[0\]: expected an integer, not NoneType"),
        (NOISE, 3.2, TypeError, "^law = 3.2: expected a samplez.DiscreteGaussian, OtherNoise or TargetLaw, or a recipe"),
        (NOISE, "3.2", ValueError, "law = 3.2: expected a samplez.DiscreteGaussian, OtherNoise or TargetLaw, or a recipe such as 'sigma=3.2'"),
        (NOISE.astype(np.uint64), samplez.TargetLaw("3.2", modulus=2**64 - 2**32 + 1), ValueError, r"^data\[\d+\] = 184\d+: expected residues from 0 to 18446744069414584320"),
        (NOISE + 12289, samplez.TargetLaw("3.2", modulus=12289), ValueError, "^data: has values from 0 to .*; expected residues from 0 to 12288"),
        (NOISE * 9000, samplez.TargetLaw("3.2", modulus=12289), ValueError, "^data: has values from -"),
    ],
)
def test_what_it_refuses(data: Any, law: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        samplez.verify(data, law)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({}, TypeError, "^missing law: pass a samplez.DiscreteGaussian.*; or pass against, a second sample"),
        ({"law": G, "against": NOISE}, TypeError, "^against: law is given too, and two samples are compared without a law; pass only one of them"),
        ({"against": NOISE[:99]}, ValueError, "^against: has 99 values: expected at least 100, which a verdict needs; give more"),
        ({"against": [*NOISE[:500].tolist(), 0.5]}, TypeError, r"^against\[500\] = 0.5: expected an integer, not float"),
        ({"against": iter([NOISE, ["1"]])}, TypeError, r"^against\[50000\]: expected an integer, not str"),
        ({"law": G, "threads": 0}, ValueError, "^threads = 0: expected a value between 1 and 65536"),
        ({"law": G, "threads": 1.5}, TypeError, "^threads = 1.5: expected a value between 1 and 65536, or None for one for each core, not float"),
    ],
)
def test_what_it_refuses_of_two_samples(arguments: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        samplez.verify(NOISE, **arguments)
    same = iter([NOISE])
    with pytest.raises(ValueError, match="^against: is the same iterator as data"):
        samplez.verify(same, against=same)


DECIMALS = [Decimal(int(x)) for x in NOISE[:2000]]
TAKING: list[Callable[[Any], Any]] = [
    lambda column: samplez.verify(column, G).to_json(),
    lambda column: samplez.identify(column).laws[0].parameters,
    stats.fit,
    lambda column: samplez.residues(column, 17).tolist(),
    lambda column: dp.discrete_laplace_mechanism(column, sensitivity=1, epsilon=1, rng=1).values.tolist(),
]


@pytest.mark.parametrize("taking", TAKING)
@pytest.mark.parametrize("column", [Wide(NOISE[:2000].tolist()), DECIMALS, np.array(DECIMALS, object)])
def test_columns_that_engines_make_of_sums(taking: Callable[[Any], Any], column: Any) -> None:
    """Of 128 bits, and of decimals, in every function that takes integers: the answer is that for int64."""
    assert taking(column) == taking(NOISE[:2000])


@pytest.mark.parametrize("taking", TAKING)
@pytest.mark.parametrize(
    ("value", "way"),
    [
        (None, r"a missing value; drop missing values first"),
        (float("nan"), r"a missing value; drop missing values first"),
        (Decimal("NaN"), r"a missing value; drop missing values first"),
        (Decimal("0.5"), r"round first, such as numpy.rint\(\w+\)"),
        ("7", "read the text as integers first"),
    ],
)
def test_a_column_with_an_element_that_is_no_integer(taking: Callable[[Any], Any], value: Any, way: str) -> None:
    column = [*NOISE[:1999].tolist(), value]
    for given in (column, np.array(column, object)) if not isinstance(value, str) else (np.array(column, object),):
        with pytest.raises(TypeError, match=rf"^\w+\[1999\].*{way}"):
            taking(given)


def test_a_table_of_two_columns_is_fitted_by_none() -> None:
    with pytest.raises(TypeError, match=r"^data: is a table of 2 columns \('c0', 'c1'\); choose one"):
        stats.fit(Table(NOISE, 2))
