"""`identify` against the command's JSON, and what it refuses."""

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samplez

NOISE = samplez.DiscreteGaussian("1").sample(50_000, rng=1)
LAPLACE = np.rint(np.random.default_rng(1).laplace(0, 2, 50_000)).astype(np.int64)


@pytest.mark.parametrize(("data", "modulus"), [(NOISE, None), (LAPLACE, None), (NOISE % 12289, 12289), (NOISE.astype(np.uint64), 2**64)])
def test_it_is_the_command_s(command: str, data: Any, modulus: int | None, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", data)
    line = [command, "identify", str(tmp_path / "x.npy"), "--json", *(["--modulus", str(modulus)] if modulus else [])]
    want = json.loads(subprocess.run(line, capture_output=True, check=False).stdout)
    found = samplez.identify(data, modulus=modulus)
    assert (found.n, list(found.range), found.consistent, found.separation) == (want["n"], want["range"], want["consistent"], want["separation"])
    for ours, theirs in zip(found.laws, want["laws"], strict=True):
        assert (ours.name, ours.verdict, ours.shift, ours.floor) == (theirs["name"], theirs["verdict"], theirs["shift"], theirs["floor"])
        assert list(ours.known) == theirs["known"]
        assert {name: of.value for name, of in ours.parameters.items()} == {name: of["value"] for name, of in theirs["parameters"].items()}
        assert [test.p_value for test in ours.tests] == [test["p_value"] for test in theirs["tests"]]
    assert [test.name for test in found.order] == [test["name"] for test in want["order"]]


def test_the_law_is_found_in_parts_and_whole() -> None:
    found = samplez.identify(LAPLACE)
    assert found.laws[0].name == "rounded Laplace" and found.consistent
    low, high = found.laws[0].parameters["scale"].interval or (0, 0)
    assert low < 2 < high
    assert samplez.identify(iter(np.array_split(LAPLACE, 7)), threads=2) == found
    assert "rounded Laplace" in str(found)


@pytest.mark.parametrize(
    ("data", "arguments", "words"),
    [
        ([], {}, "^data: has 0 values: expected at least 100"),
        ([1] * 10, {}, "^data: has 10 values: expected at least 100, which a verdict needs"),
        ([7] * 200, {}, "all 200 values are 7"),
        ([0.5] * 200, {}, r"data\[0\] = 0.5"),
        ([1, 7] * 100, {"modulus": 7}, "expected residues from 0 to 6"),
        ([1, 7] * 100, {"modulus": 1}, "modulus = 1"),
    ],
)
def test_bad_values_are_named(data: Any, arguments: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        samplez.identify(data, **arguments)


def test_an_unknown_argument_has_a_way_out() -> None:
    call: Any = samplez.identify
    with pytest.raises(TypeError, match="^q: there is no such keyword argument; expected one of data, modulus, threads; write modulus for the modulus$"):
        call([1, 7] * 100, q=7)
