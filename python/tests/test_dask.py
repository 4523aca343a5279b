"""Chunks, workers and their deaths change nothing; the counts are right."""

import math
import os
import pickle
import re
import signal
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
import scipy.stats
from distributed import Client, Event, LocalCluster

import samplez
import samplez.dask as sd

G = samplez.DiscreteGaussian("3.2", center="1/4")
# Both, with the number of samples.
MAKES: list[Any] = [lambda dist, count, **more: sd.sample(dist, shape=count, **more), lambda dist, count, **more: sd.verify(dist, data=count, **more)]
SLOW = samplez.DiscreteGaussian("3.2", center="1/4", method="rejection", tail=14)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        dask.config.set({"distributed.worker.daemon": False}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.mark.parametrize(
    ("shape", "chunks"),
    [
        (30_000, 7_001),
        ((300, 200), (70, 90)),
        ((300, 200), (300, 1)),
        # Runs that are drawn apart: far from each other, or too many together.
        ((5, 50_000), (5, 7)),
        ((40, 4_000), (40, 3)),
        ((20, 30, 40), (7, 30, 40)),
        ((20, 30, 40), (7, 11, 40)),
        ((20, 30, 40), (20, 30, 13)),
        ((2, 3, 4, 5), (2, 2, 2, 2)),
        ((), ()),
        ((0, 5), (1, 5)),
    ],
)
def test_chunks_change_nothing(shape: int | tuple[int, ...], chunks: int | tuple[int, ...]) -> None:
    whole = G.sample(shape, rng=9, dtype="int16", first=5)
    array = sd.sample(G, shape=shape, chunks=chunks, seed=9, dtype="int16", first=5)
    assert array.dtype == np.int16 and array.shape == whole.shape
    assert np.array_equal(array.compute(scheduler="sync"), whole)


def test_without_a_seed_the_array_still_is_one_array() -> None:
    array = sd.sample(G, shape=100, chunks=10)
    assert np.array_equal(array.compute(scheduler="sync"), array.compute(scheduler="sync"))
    assert not np.array_equal(array.compute(scheduler="sync"), sd.sample(G, shape=100, chunks=10).compute(scheduler="sync"))


def test_tasks_carry_the_recipe_that_was_built() -> None:
    array = sd.sample(G, shape=100, chunks=10, seed=1)
    for graph in (array.__dask_graph__(), sd.verify(G, data=10**6, seed=1).__dask_graph__()):
        sent = pickle.dumps(dict(graph))
        assert G.recipe.encode() in sent and b"DiscreteGaussian" not in sent
    assert "method=" in G.recipe and "method=" not in repr(G)
    assert np.array_equal(sd.sample(G, shape=100, seed=7).compute(scheduler="sync"), G.sample(100, rng="7"))


def test_a_cluster_gives_the_same(client: Client) -> None:
    array = sd.sample(G, shape=(1000, 3000), chunks=(170, 3000), seed=3, dtype="int8")
    assert np.array_equal(array.compute(), G.sample((1000, 3000), rng=3, dtype="int8"))


@pytest.mark.parametrize("task", [8192, 300_000, 1 << 26])
def test_verify_counts_every_value(task: int) -> None:
    count = 700_001
    values = G.sample(count, rng=4, first=3)
    report = sd.verify(G, data=count, seed=4, first=3, task=task).compute(scheduler="sync")
    assert report.n == count and report.consistent and report.law == "D_Z(sigma = 16/5, center = 1/4)"
    counts, mean, variance = report.tests
    assert mean.statistic == pytest.approx((values.mean() - G.mean()) / (G.std() / count**0.5), abs=1e-9)
    spread = G.var() * ((G.expect(lambda x: (x - G.mean()) ** 4) / G.var() ** 2 - 1) / count) ** 0.5
    assert variance.statistic == pytest.approx((((values - G.mean()) ** 2).mean() - G.var()) / spread, abs=1e-8)
    # Cells of one value, joined from the left until ten are expected.
    low, high = int(G.ppf(2.0**-40)), int(G.ppf(1 - 2.0**-40))
    masses = [G.cdf(low - 1), *G.pmf(np.arange(low, high + 1)), G.sf(high)]
    seen = np.bincount(np.clip(values, low - 1, high + 1) - low + 1, minlength=len(masses))
    cells = [[0.0, 0.0]]
    for observed, mass in zip(seen, masses):
        cells[-1] = [cells[-1][0] + observed, cells[-1][1] + count * mass]
        if cells[-1][1] >= 10:
            cells.append([0.0, 0.0])
    *cells, last = cells
    cells[-1] = [cells[-1][0] + last[0], cells[-1][1] + last[1]]
    assert counts.dof == len(cells) - 1 and counts.statistic == pytest.approx(sum((o - e) ** 2 / e for o, e in cells), rel=1e-9)
    assert counts.p_value == pytest.approx(scipy.stats.chi2.sf(counts.statistic, counts.dof), rel=1e-9)


@pytest.mark.parametrize("sigma", ["0.4", "3.2", "5000", "1e9", "1e14"])
def test_verify_of_every_width(sigma: str) -> None:
    g = samplez.DiscreteGaussian(sigma, center="1/3", method="karney")
    report = sd.verify(g, data=100_000, seed=1, task=30_000).compute(scheduler="sync")
    assert report.consistent, report
    values = g.sample(100_000, rng=1)
    assert sd.verify(g, data=da.from_array(values, chunks=33_333)).compute(scheduler="sync") == report


def excess(name: str, parameter: float) -> float:
    """The excess kurtosis, from the law's cumulants."""
    if name == "laplace":  # the difference of two geometric variables
        q = math.exp(-1 / parameter)
        return (1 + 4 * q + q * q) / (2 * q)
    if name == "tuniform":  # the sum of a uniform variable on 2^(b+1) values and a coin
        n = math.pow(2, parameter + 1)
        return (-(n**4 - 1) / 120 - 1 / 8) / ((n * n - 1) / 12 + 1 / 4) ** 2
    return {"ternary": -1.5, "cbd": -1 / parameter, "skellam": 1 / parameter}[name]


# A law, and a neighbour that must be rejected.
LAWS = [("ternary", "cbd=1"), ("cbd=21", "cbd=22"), ("cbd=1000", "cbd=1050"), ("tuniform=17", "tuniform=16"), ("tuniform=50", "tuniform=51"),
        ("skellam=5/2", "skellam=2.7"), ("skellam=1000", "skellam=1050"), ("laplace=3/2", "laplace=1.6"), ("laplace=1e6", "laplace=1.05e6")]  # fmt: skip


@pytest.mark.parametrize(("recipe", "neighbour"), LAWS)
def test_verify_of_every_law(recipe: str, neighbour: str) -> None:
    noise, count = samplez.OtherNoise.from_recipe(recipe), 300_000
    report = sd.verify(noise, data=count, seed=1, task=70_000).compute(scheduler="sync")
    values = noise.sample(count, rng=1)
    assert report.consistent and (report.n, report.law) == (count, samplez.verify(values[:100], noise).law)
    for dist in (noise, recipe):
        assert sd.verify(dist, data=da.from_array(values, chunks=33_333)).compute(scheduler="sync") == report
    _, mean, variance = report.tests
    assert mean.statistic == pytest.approx(values.mean() / (noise.std() / count**0.5), abs=1e-8)
    name, _, parameter = recipe.partition("=")
    spread = noise.var() * ((excess(name, float(Fraction(parameter or 1))) + 2) / count) ** 0.5
    assert variance.statistic == pytest.approx(((values.astype(float) ** 2).mean() - noise.var()) / spread, rel=1e-4)
    wrong = sd.verify(neighbour, data=da.from_array(values, chunks=-1)).compute(scheduler="sync")
    assert not wrong.consistent


def test_verify_of_cut_and_reduced_laws() -> None:
    def verdict(law: Any, values: Any) -> Any:
        return sd.verify(law, data=da.from_array(values, chunks=50_000)).compute(scheduler="sync")

    values = samplez.DiscreteGaussian(100, center=7).sample(200_000, rng=1)
    cut, inside = samplez.TargetLaw(100, center=7, clip=150), values[abs(values - 7) <= 150]
    report = verdict(cut, inside)
    assert report.consistent and report.law == str(cut) and [test.verdict for test in report.tests] == ["pass"] * 3
    assert not verdict(cut, values).consistent and not verdict(samplez.DiscreteGaussian(100, center=7), inside).consistent
    rounded = np.rint(np.random.default_rng(1).normal(0, 1.5, 300_000)).astype(np.int8)
    assert verdict(samplez.TargetLaw("1.5", law="rounded"), rounded).consistent and not verdict("sigma=1.5", rounded).consistent
    # Residues, by either representative and as unsigned integers.
    for q in (1021, 2**62 + 1, 2**63 + 9, 2**64):
        law = samplez.TargetLaw(100, center=7, modulus=q)
        reduced = values.astype(np.uint64) if q == 2**64 else np.array([x % q for x in values.tolist()], np.uint64)
        about = values if q > 1021 else np.where(reduced > q // 2, reduced.astype(np.int64) - q, reduced.astype(np.int64))
        assert verdict(law, reduced) == verdict(law, about) and verdict(law, reduced).consistent
        assert not verdict(law, about + 2).consistent
    around = (samplez.DiscreteGaussian(30, center=500).sample(50_000, rng=1) + 510) % 1021 - 510
    assert np.any(around < -300) and verdict(samplez.TargetLaw(30, center=500, modulus=1021), around).consistent
    assert np.any(reduced > 2**63) and not verdict(samplez.TargetLaw(100, modulus=257), values % 251).consistent
    # Moments that are not known are not applicable.
    wide = samplez.TargetLaw("1e6", clip="2e6")
    far = samplez.DiscreteGaussian("1e6").sample(300_000, rng=1)
    report = verdict(wide, far[abs(far) <= 2 * 10**6])
    assert report.consistent and [test.verdict for test in report.tests] == ["pass", "not applicable", "not applicable"]
    assert not verdict(wide, far).consistent
    big = samplez.BigGaussian("1e25", center="1e30")
    drawn = big.sample(3000, rng=1)
    assert verdict(big, drawn).consistent and verdict("sigma=1e25,center=1e30", drawn) == verdict(big, drawn) and not verdict(big, drawn + 2 * 10**24).consistent


def test_verify_of_a_point() -> None:
    point = samplez.DiscreteGaussian("0.01")
    assert sd.verify(point, data=1000, seed=1).compute(scheduler="sync").consistent
    wrong = da.from_array(np.array([0, 1, 0] * 40), chunks=-1)
    assert not sd.verify(point, data=wrong).compute(scheduler="sync").consistent


def test_verify_sees_a_wrong_law() -> None:
    """σ off by 0.5 %, a centre off by 0.02 σ, one value lost: all found in 10^6 samples, at α = 10^-6."""
    for wrong in (samplez.DiscreteGaussian("3.216", center="1/4"), samplez.DiscreteGaussian("3.2", center="0.314")):
        data = da.from_array(wrong.sample(10**6, rng=2), chunks=300_000)
        assert not sd.verify(G, data=data).compute(scheduler="sync").consistent
    values = G.sample(10**6, rng=2)
    assert sd.verify(G, data=da.from_array(values, chunks=-1)).compute(scheduler="sync").consistent
    assert not sd.verify(G, data=da.from_array(values[values != 1], chunks=-1)).compute(scheduler="sync").consistent


def test_all_tests_have_the_verdict_of_the_whole_array(client: Client) -> None:
    whole = G.sample((600, 500), rng=3)
    lazy = sd.sample(G, shape=(600, 500), chunks=(170, 230), seed=3)
    assert samplez.verify(lazy, G) == samplez.verify(whole, G)
    assert samplez.verify(da.from_array(whole, chunks=(600, 7)), "sigma=3.2,center=1/4", threads=2) == samplez.verify(whole, G)
    binomial = samplez.OtherNoise(centered_binomial=21)
    assert samplez.verify(lazy, binomial) == samplez.verify(whole, binomial)
    # The law is right and the order is not: a check of counts alone passes.
    ordered = np.sort(whole.reshape(-1))
    found = samplez.verify(da.from_array(ordered, chunks=50_000), G)
    assert found == samplez.verify(ordered, G) and not found.consistent
    assert sd.verify(G, data=da.from_array(ordered, chunks=50_000)).compute(scheduler="sync").consistent
    # Where a test rejects, the values come once more.
    wrong = np.rint(np.random.default_rng(1).normal(0, 1.5, 100_000)).astype(int)
    assert samplez.verify(da.from_array(wrong, chunks=30_000), "sigma=1.5").alternative == samplez.verify(wrong, "sigma=1.5").alternative
    other = G.sample(200_000, rng=4)
    for against in (da.from_array(other, chunks=70_000), other):
        assert samplez.verify(lazy, against=against) == samplez.verify(whole, against=other)
    copied = samplez.verify(whole, against=lazy[:300])
    assert copied == samplez.verify(whole, against=whole[:300]) and not copied.consistent


def test_chunks_are_computed_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sd, "_AHEAD", 1000)
    together: list[int] = []

    def compute(*chunks: Any) -> Any:
        together.append(len(chunks))
        return dask.base.compute(*chunks, scheduler="sync")

    monkeypatch.setattr(sd, "compute", compute)
    values = G.sample(10_000, rng=1)
    assert samplez.verify(da.from_array(values, chunks=400), G) == samplez.verify(values, G)
    assert set(together) == {2, 1} and sum(together) == 25


def test_what_verify_refuses_of_arrays() -> None:
    with pytest.raises(TypeError, match="^data: expected a dask array of integers, not of float64"):
        samplez.verify(da.zeros(300), G)
    with pytest.raises(TypeError, match="^against: expected a dask array of integers, not of float64"):
        samplez.verify([1] * 300, against=da.zeros(300))
    array = da.from_array(np.arange(300), chunks=100)
    with pytest.raises(ValueError, match="^data: expected chunks of known length; call data.compute_chunk_sizes"):
        samplez.verify(array[array > 3], G)
    with pytest.raises(ValueError, match="at least 100"):
        samplez.verify(array[:50], G)


def test_a_killed_worker_changes_nothing(client: Client) -> None:
    count = 2_000_000
    before = client.run(os.getpid)
    alone = sd.verify(SLOW, data=count, seed=6, task=100_000).compute(scheduler="sync")

    def wait_for(event: str) -> None:
        Event(event).wait()

    def behind(result: Any, gate: None) -> Any:
        return result

    # Nothing ends before the gate opens; it waits on one worker, and the other one works.
    opened = Event("gate", client=client)
    gate = client.submit(wait_for, "gate", pure=False)
    while not (keepers := [name for name, keys in client.processing().items() if keys]):
        time.sleep(0.01)
    victim = next(name for name in before if name not in keepers)
    future = client.submit(behind, client.compute(sd.verify(SLOW, data=count, seed=6, task=100_000)), gate)
    array = client.submit(behind, client.compute(sd.sample(SLOW, shape=300_000, chunks=30_000, seed=6, dtype="int8")), gate)
    while not (client.processing().get(victim) or client.has_what().get(victim)):
        time.sleep(0.01)
    assert future.status == "pending", "the victim must die at work"
    os.kill(before[victim], signal.SIGKILL)
    opened.set()
    assert future.result() == alone
    assert np.array_equal(array.result(), SLOW.sample(300_000, rng=6, dtype="int8"))
    client.wait_for_workers(2)
    assert set(client.run(os.getpid).values()) != set(before.values())


@pytest.mark.parametrize(("freedom", "chi2"), [(1, 0.1), (3, 20.0), (60, 55.0), (4000, 4100.0), (4000, 3900.0), (50, 400.0)])
def test_chi2_tail(freedom: int, chi2: float) -> None:
    assert sd._chi2_tail(freedom, chi2) == pytest.approx(scipy.stats.chi2.sf(chi2, freedom), rel=1e-9)


def test_arrays_of_query_planning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask's experimental arrays, by a stand-in that lacks the same methods."""

    class Planned:
        dtype, shape = np.dtype(np.int64), (5,)

    monkeypatch.setattr(da, "Array", Planned)
    law = samplez.DiscreteGaussian(3)
    array: Any = Planned()
    calls: dict[str, Any] = {"data": [lambda: sd.verify(law, data=array), lambda: samplez.verify(array, law)], "against": [lambda: samplez.verify([1] * 100, against=array)]}
    for name, several in calls.items():
        for call in several:
            with pytest.raises(TypeError, match=f"^{name}: expected a dask array with to_delayed, .*set array.query-planning to False"):
                call()


def test_recipes_and_numbers_are_distributions() -> None:
    """As `block` and `verify` take them, and numbers too."""
    for given in ("sigma=3.2", "sigma=16/5,method=karney", 3.2, "3.2", Fraction(16, 5), np.float64(3.2), np.array(3.2), 3):
        dist = samplez.DiscreteGaussian.from_recipe(given) if isinstance(given, str) and "=" in given else samplez.DiscreteGaussian(given)
        values = sd.sample(given, shape=100, chunks=30, seed=1)
        assert np.array_equal(values.compute(scheduler="sync"), dist.sample(100, rng=1)), given
        for data in (1000, values):
            seed = None if data is values else 1
            assert sd.verify(given, data=data, seed=seed).compute(scheduler="sync") == sd.verify(dist, data=data, seed=seed).compute(scheduler="sync")
    bad: Any
    for make in MAKES:
        for bad in ([3.2], (3,), np.array([3.2]), None, True):
            with pytest.raises(TypeError, match="^dist"):
                make(bad, 100, seed=1)
        with pytest.raises(ValueError, match="^dist = 0: expected a number greater than 0"):
            make(0, 100, seed=1)
        with pytest.raises(ValueError, match="^dist = abc: "):
            make("abc", 100, seed=1)
        with pytest.raises(ValueError, match="^sigma = -1: "):
            make("sigma=-1", 100, seed=1)


def test_swapped_arguments() -> None:
    verify: Any = sd.verify
    for first, second in [(da.zeros(300, dtype="int64"), G), (10**6, G), (10**6, "sigma=3.2"), (da.zeros(300, dtype="int64"), 100)]:
        with pytest.raises(TypeError, match=r"^dist, data: expected the distribution first and the data second; call verify\(dist, data=\.\.\.\)$"):
            verify(first, data=second)
    sample: Any = sd.sample
    with pytest.raises(TypeError, match="^dist: expected a samplez.DiscreteGaussian, a recipe such as 'sigma=3.2', or a number, not tuple; give dist first$"):
        sample((10, 10), shape=G)


def test_the_first_sentence_says_that_the_order_is_not_tested() -> None:
    first = " ".join((sd.verify.__doc__ or "").split(". ")[0].split())
    assert "not their order" in first and "samplez.verify" in first


def test_private_data_are_not_released_lazily() -> None:
    """Each use of a lazy release would draw new noise: the mean of many is the data."""
    from samplez import dp

    lazy: Any = da.zeros(300, chunks=100, dtype="int64")
    budget, computed = dp.Budget(rho=1), []

    def watch(block: Any) -> Any:
        computed.append(1)
        return block

    watched = lazy.map_blocks(watch, dtype="int64", meta=np.empty(0, "int64"))
    call: Any
    for call in (
        lambda values: dp.discrete_gaussian_mechanism(values, sensitivity=1, rho="0.1", budget=budget),
        lambda values: dp.discrete_laplace_mechanism(values, sensitivity=1, epsilon="0.1", budget=budget), lambda values: dp.skellam_mechanism(values, variance=9),
    ):
        with pytest.raises(TypeError, match=r"^values: expected integers in memory, not a lazy collection of Dask, .*; give values\.compute\(\), or"):
            call(watched)
    assert budget.rho == 0 and not computed
    assert np.shape(dp.discrete_gaussian_mechanism(lazy.compute(scheduler="sync"), sensitivity=1, rho="0.1").values) == (300,)


def test_bad_chunks() -> None:
    chunks: Any
    for chunks in (0, (0, 10), {0: 0}, -5, 1.5, "abc", (3, 3, 3), None):
        with pytest.raises(ValueError, match=f"^chunks = {re.escape(str(chunks))}: expected 'auto', a length above 0"):
            sd.sample(G, shape=(20, 10), chunks=chunks)


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="shape = -1"):
        sd.sample(G, shape=-1)
    with pytest.raises(TypeError, match="dtype = float64"):
        sd.sample(G, shape=3, dtype="float64")
    with pytest.raises(ValueError, match="source = dice"):
        sd.sample(G, shape=3, source="dice")
    bad: Any
    for bad in (b"x", "abc", -1, 2**64, 2**300):
        for make in MAKES:
            with pytest.raises(ValueError, match="^seed"):
                make(G, 300, seed=bad)
    for make in MAKES:
        with pytest.raises(ValueError, match="seed: expected no seed, because source = os takes none"):
            make(G, 300, seed=1, source="os")
        with pytest.raises(ValueError, match="seed: expected no seed, because source = os takes none"):
            make(G, 300, source="os")
    with pytest.raises(ValueError, match="expected at most .* samples from first = "):
        sd.sample(G, shape=3, first=2**64 - 1)
    for few in (0, 5, 99):
        with pytest.raises(ValueError, match=f"^data: has {few} values: expected at least 100, which a verdict needs; give more"):
            sd.verify(G, data=few)
    with pytest.raises(ValueError, match="^data = -1: expected a value between 0"):
        sd.verify(G, data=-1)
    unknown = da.zeros(5000, dtype="int8")[da.arange(5000) < 5]
    with pytest.raises(ValueError, match="^data: has 5 values: expected at least 100"):
        sd.verify(G, data=unknown).compute(scheduler="sync")
    with pytest.raises(TypeError, match="data: expected an array of integers, not float64"):
        sd.verify(G, data=da.zeros(3))
    for undrawn in (samplez.TargetLaw(3, clip=9), samplez.BigGaussian("1e30")):
        with pytest.raises(TypeError, match=f"^data = 1000: expected a dask array, because samplez.dask draws no samples of a {type(undrawn).__name__}, not int"):
            sd.verify(undrawn, data=1000)
    residues = da.from_array(np.array([[0, 1], [2, 7]]), chunks=1)
    with pytest.raises(ValueError, match=r"^data.blocks\[1, 1\].ravel\(\): has values from 0 to 7; expected residues from 0 to 4, or from -2 to 2"):
        sd.verify(samplez.TargetLaw(3, modulus=5), data=residues).compute(scheduler="sync")
    with pytest.raises(ValueError, match=r"^data.blocks\[1\].ravel\(\)\[0\] = 18446744073709551615: expected a value between -2\^63 and 2\^63 - 1"):
        sd.verify(G, data=da.from_array(np.array([0, 2**64 - 1], np.uint64), chunks=1)).compute(scheduler="sync")
    for empty in (da.zeros(0, dtype="int8"), da.zeros((3, 0), dtype="int64")):
        with pytest.raises(ValueError, match="^data: has 0 values: expected at least 100"):
            sd.verify(G, data=empty).compute(scheduler="sync")
    for ignored in ({"seed": 1}, {"source": "os"}, {"first": 1}):
        with pytest.raises(ValueError, match="seed, source, first: expected only with a number of samples"):
            sd.verify(G, data=da.zeros(3, dtype="int8"), **ignored)
