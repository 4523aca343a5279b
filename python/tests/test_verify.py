"""`verify` against the command's JSON, field by field; what it sees, and what it refuses."""

import json
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import samplez

G = samplez.DiscreteGaussian("3.2")
NOISE = G.sample(50_000, rng=1)
ROUNDED = np.rint(np.random.default_rng(1).normal(0, 1.5, 200_000)).astype(np.int16)

CASES: list[tuple[npt.NDArray[Any], Any, list[str]]] = [
    (NOISE, G, ["--sigma", "3.2"]),
    (NOISE.astype(np.int8), "sigma=3.3", ["--sigma", "3.3"]),
    (ROUNDED, "sigma=1.5", ["--sigma", "1.5"]),
    (ROUNDED, samplez.TargetLaw("1.5", law="rounded"), ["--sigma", "1.5", "--law", "rounded"]),
    (NOISE[abs(NOISE) < 9], samplez.TargetLaw("3.2", clip=8), ["--sigma", "3.2", "--clip", "8"]),
    (NOISE % 12289, samplez.TargetLaw("3.2", modulus=12289), ["--sigma", "3.2", "--modulus", "12289"]),
    (samplez.DiscreteGaussian("1e9", "1/3").sample(20_000, rng=1), "sigma=1e9,center=1/3", ["--sigma", "1e9", "--center", "1/3"]),
    (np.zeros(500, np.int64), "sigma=3", ["--sigma", "3"]),
]


@pytest.mark.parametrize(("data", "law", "arguments"), CASES, ids=range(len(CASES)))
def test_it_is_the_command_s(command: str, data: npt.NDArray[Any], law: Any, arguments: list[str], tmp_path: Path) -> None:
    np.save(tmp_path / "data.npy", data)
    run = subprocess.run([command, "verify", str(tmp_path / "data.npy"), *arguments, "--json", "--quiet"], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    result = samplez.verify(data, law)
    assert json.loads(result.to_json()) == json.loads(run.stdout)
    assert result.consistent == (run.returncode == 0)
    # However it comes.
    assert samplez.verify(iter(np.array_split(data, 7)), law) == result


def test_verdicts() -> None:
    good = samplez.verify(NOISE, G)
    assert good.consistent and good.alternative is None and good.n == NOISE.size and good.alpha == 1e-6
    assert "consistent with D_Z(sigma = 16/5, center = 0)" in str(good) and {test.verdict for test in good.tests} <= {"pass", "not applicable"}
    bad = samplez.verify(ROUNDED, "sigma=1.5")
    assert not bad.consistent and bad.alternative == ("RoundedNormal(sigma = 3/2, center = 0)", True)
    assert "REJECTED" in str(bad) and any(test.verdict == "reject" for test in bad.tests)
    power = good.power["sigma"]
    assert power is not None and 0 < power < 0.03
    assert samplez.verify(iter([ROUNDED]), "sigma=1.5").alternative == bad.alternative


def test_every_form_of_data() -> None:
    wanted = samplez.verify(NOISE, G)

    def chunks() -> Iterator[Any]:
        yield NOISE[:10]
        yield NOISE[10:20].tolist()
        yield NOISE[20:].astype(np.int8)

    forms: list[Any] = [NOISE.tolist(), NOISE.reshape(50, -1), NOISE.astype(object), NOISE.astype("<i2"), NOISE[::1].astype(">i4"), chunks()]
    for data in [*forms, [NOISE[:7], NOISE[7:]], tuple(np.split(NOISE, 2))]:
        assert samplez.verify(data, G) == wanted
    assert samplez.verify(NOISE, samplez.TargetLaw("3.2")) == samplez.verify(NOISE, "sigma=3.2,method=cdt") == wanted
    assert samplez.verify(NOISE[::2], G) == samplez.verify(NOISE[::2].copy(), G) != wanted
    shifted = samplez.verify((NOISE - NOISE.min()).astype(np.uint8), samplez.DiscreteGaussian("3.2", -int(NOISE.min())))
    assert shifted.consistent


@pytest.mark.parametrize(
    ("data", "law", "error", "text"),
    [
        (NOISE[:99], G, ValueError, "^n = 99 values: a verdict needs at least 100"),
        ([], G, ValueError, "^n = 0 values"),
        (NOISE.astype(float), G, TypeError, r"^data\[0\]: expected an integer, not float"),
        ([*NOISE[:500].tolist(), 0.5], G, TypeError, r"^data\[0\]: expected an integer, not float|data\[500\]: "),
        ([*NOISE[:500].tolist(), True], G, TypeError, r"^data\[500\]: expected an integer, not bool"),
        (iter([NOISE, ["1"]]), G, TypeError, r"^data\[50000\]: expected an integer, not str"),
        ([*NOISE[:500].tolist(), 2**63], G, ValueError, r"^data\[500\]: expected an integer of at most 64 bits"),
        ([*NOISE[:500].tolist(), Fraction(1)], G, TypeError, r"^data\[500\]: expected an integer, not Fraction"),
        (None, G, TypeError, r"^data\[0\]: expected an integer, not NoneType"),
        (NOISE, 3.2, TypeError, "^law: expected a samplez.DiscreteGaussian, a samplez.TargetLaw or a recipe"),
        (NOISE, "3.2", ValueError, "recipe = 3.2: must be name=value"),
        (NOISE, "sigma=1e18", ValueError, "sigma = 1000000000000000000: method verify allows"),
        (NOISE + 12289, samplez.TargetLaw("3.2", modulus=12289), ValueError, "^data: has values from 0 to .*; expected residues from 0 to 12288"),
        (NOISE * 9000, samplez.TargetLaw("3.2", modulus=12289), ValueError, "^data: has values from -"),
    ],
)
def test_what_it_refuses(data: Any, law: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        samplez.verify(data, law)
