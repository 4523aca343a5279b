"""Block i of a recipe: the same samples as the whole array's, wherever they are cut; and the guide's examples."""

import importlib.util
import re
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samplez
import samplez.dp

G = samplez.DiscreteGaussian("3.2", center="1/4")
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("size", [1, 7, 1000, 8192, 20_000])
@pytest.mark.parametrize("first", [0, 5])
def test_blocks_are_parts_of_the_array(size: int, first: int) -> None:
    whole = G.sample(60_000, rng=9, first=first)
    for index in (0, 1, 2):
        for recipe in (G, G.recipe):
            part = samplez.block(recipe, seed=9, index=index, size=size, first=first)
            assert part.dtype == np.int64 and np.array_equal(part, whole[index * size : (index + 1) * size])


def test_type_source_and_room() -> None:
    room = np.empty(100, np.int8)
    assert samplez.block(G.recipe, seed=9, index=3, size=100, out=room, source="chacha8") is room
    assert np.array_equal(room, G.sample(100, rng=9, first=300, source="chacha8"))
    assert samplez.block(G.recipe, seed="9", index=3, size=100, dtype="int16").dtype == np.int16
    assert samplez.block(G.recipe, seed=9, index=3).size == 8192


def test_threads_in_any_order() -> None:
    whole = G.sample(100_000, rng=2)
    with ThreadPoolExecutor(3) as pool:
        parts = dict(zip(range(9, -1, -1), pool.map(lambda i: samplez.block(G.recipe, seed=2, index=i, size=10_000), range(9, -1, -1))))
    assert np.array_equal(np.concatenate([parts[i] for i in range(10)]), whole)


@pytest.mark.parametrize(
    ("arguments", "options", "error", "said"),
    [
        ((None, 0, 1), {}, TypeError, "missing seed"),
        ((1, -1, 1), {}, ValueError, "index = -1"),
        ((1, 0.5, 1), {}, TypeError, "index = 0.5: expected an integer"),
        ((1, 0, 0), {}, ValueError, "size = 0"),
        ((1, 2**60, 2**20), {}, ValueError, r"index = 1152921504606846976: expected at most 17592186044415 with blocks of 1048576 samples from first = 0 on"),
        ((1, 0, 10), {"first": 2**64 - 5}, ValueError, "first = 18446744073709551611: expected at most 18446744073709551606 with 10 samples"),
        ((1, 0, 1), {"source": "os"}, ValueError, "seed: expected no seed, because source = os takes none"),
        ((1, 0, 1), {"dtype": "float64"}, TypeError, "dtype = float64"),
        ((1, 0, 3), {"out": np.empty(2, np.int64)}, ValueError, "size = 3: expected the shape of out"),
    ],
)
def test_bad_input(arguments: Any, options: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        samplez.block(G.recipe, **dict(zip(("seed", "index", "size"), arguments, strict=True)), **options)


def test_a_wrong_recipe() -> None:
    with pytest.raises(ValueError, match="sigma"):
        samplez.block("sigma=0", seed=1, index=0)


def examples(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_guide_counts_the_same_on_every_engine() -> None:
    """The first example defines what a task does, each other one runs the tasks on an engine. Those of joblib, Ray, Spark and MPI run where
    these are installed, MPI's as one process."""
    ours, *engines = examples("book/cluster.md")
    assert len(engines) == 6
    whole = samplez.DiscreteGaussian("3.2").sample(2**23, rng=1, dtype="int8")
    wanted = np.bincount(whole.view(np.uint8), minlength=256)
    run = 0
    for engine in engines:
        needs = re.findall(r"^(?:import|from) (\w+)", engine, re.MULTILINE)
        if all(importlib.util.find_spec(name) for name in needs):
            names: dict[str, Any] = {}
            exec(ours.replace("2**30", "2**23") + engine, names)
            assert np.array_equal(names["total"], wanted), engine
            run += 1
    assert run >= 2


def test_the_guide_adds_noise_once(tmp_path: Path) -> None:
    """One charge, and the same noise for a row in each task, with each cut, and again. Arrow's and tqdm's part run where these are installed."""
    ours, *loops = examples("accounting.md")
    names: dict[str, Any] = {}
    exec(ours, names)
    budget = samplez.dp.Budget(rho="0.1")
    counts = np.arange(50_000)
    noisy = names["release"](budget, "0.05")
    whole = noisy(counts, 0)
    assert budget.remaining() == Fraction("0.05") and whole.dtype == np.int64
    assert samplez.verify(whole - counts, samplez.DiscreteGaussian(sigma_squared=20)).consistent
    for cut in (1, 8192, 20_001):
        assert np.array_equal(np.concatenate([noisy(counts[:cut], 0), noisy(counts[cut:], cut)]), whole)
    assert not np.array_equal(names["release"](budget, "0.05")(counts, 0), whole)
    with pytest.raises(samplez.dp.BudgetExceeded):
        names["release"](budget, "0.05")
    for loop, needed in zip(loops, ("tqdm", "pyarrow"), strict=True):
        if importlib.util.find_spec(needed):
            exec(loop, names)
    if "rows" in names:
        narrow = counts.astype(np.int32)
        for _ in range(2):  # a repeated run gives the same values, and leaves the counts
            filled = np.lib.format.open_memmap(tmp_path / "noisy.npy", "w+", np.int64, narrow.shape)
            names["rows"](noisy, narrow, filled, step=7000)
            assert np.array_equal(np.load(tmp_path / "noisy.npy"), whole) and np.array_equal(narrow, counts)
    if "batches" in names:
        pa = names["pa"]
        empty = pa.RecordBatch.from_arrays([pa.array(counts[:0]), pa.array(counts[:0])], names=["row", "count"])
        parts = [pa.RecordBatch.from_arrays([pa.array(counts[i : i + 9000]), pa.array(counts[i : i + 9000])], names=["row", "count"]) for i in range(0, 50_000, 9000)]
        found = list(names["batches"](noisy, [empty, *parts, empty]))
        assert np.array_equal(np.concatenate([part["count"].to_numpy() for part in found]), whole)
