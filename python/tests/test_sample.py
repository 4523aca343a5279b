"""`sample` and `round`: single calls without a table, small σ, σ², types, `out`, threads and progress."""

import os
import sys
import threading
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import samplez
from samplez import _one

Array = npt.NDArray[np.signedinteger[Any]]


def agrees(x: Any, law: samplez.DiscreteGaussian) -> None:
    """Each value's share is within 5.5 deviations of its probability."""
    x, mean = np.asarray(x), round(law.mean())
    values = np.arange(mean - 4, mean + 5)
    p = law.pmf(values)
    counts = np.array([(x == value).sum() for value in values])
    assert (abs(counts - p * x.size) <= 5.5 * np.sqrt(x.size * p * (1 - p)) + 1).all(), (counts, p * x.size)


@pytest.mark.parametrize(("sigma", "center"), [(3.2, 0), ("1.25", "1/3"), (1, -0.1), (2.5, 0.1 + 0.2), (0.4, 0.5)])
def test_single_calls_have_the_law(sigma: Any, center: Any) -> None:
    agrees([samplez.sample(sigma, center=center) for _ in range(20_000)], samplez.DiscreteGaussian(sigma, center=center))


def test_single_calls_keep_few_widths_and_no_center() -> None:
    for i in range(200):
        assert abs(samplez.sample(1 + i / 7, center=1e5 + i / 3) - 1e5) < 2000
    assert len(_one._ROUNDERS) <= 64
    assert all(type(key) in (int, float, str) and (type(key) is str or key < 1e4) for key in _one._ROUNDERS)  # type: ignore[operator]
    # The kept rounders are those of the last.
    assert 1 + 199 / 7 in _one._ROUNDERS and 1.0 not in _one._ROUNDERS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_and_other_threads_repeat_nothing() -> None:
    samplez.sample(1e6)
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        os.write(write, b"".join(samplez.sample(1e6).to_bytes(8, "little", signed=True) for _ in range(20)))
        os._exit(0)
    os.waitpid(child, 0)
    theirs = np.frombuffer(os.read(read, 4096), "<i8").tolist()
    ours = [samplez.sample(1e6) for _ in range(20)]
    assert len(theirs) == 20 and theirs != ours
    drawn: list[list[int]] = []
    workers = [threading.Thread(target=lambda: drawn.append([samplez.sample(1e9) for _ in range(300)])) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    every = [x for some in drawn for x in some]
    assert len(every) == 1200 and len(set(every)) > 1190


def test_threads_with_widths_of_their_own() -> None:
    """Each σ is kept for the next call, so the threads change what all share."""
    widths = [f"{1000 + i}/7" for i in range(3 * _one._KEPT)]
    failures: list[BaseException] = []

    def work(first: int) -> None:
        try:
            for i in range(len(widths)):
                sigma = widths[(first + i) % len(widths)]
                assert abs(samplez.sample(sigma)) < 14 * 171
        except BaseException as error:
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        workers = [threading.Thread(target=work, args=(37 * i,)) for i in range(6)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures and len(_one._ROUNDERS) <= _one._KEPT + len(workers)


def test_single_numbers_take_every_double_as_center() -> None:
    for center in (5e-324, -1e-300, 1.2345678901234567e-5, 0.1 + 0.2, 2.0**62, 1.7976931348623157e308):
        for rng in (None, 1):
            x = samplez.sample(3.2, center=center, rng=rng)
            assert isinstance(x, int) and abs(x - Fraction(center)) < 60
    assert samplez.sample(3.2, center=1e300, rng=1) == samplez.BigGaussian(3.2, center=1e300).sample(rng=1)
    many = samplez.sample(2, center=1.2345678901234567e-5, size=20_000, rng=1)
    assert many.dtype == np.int64
    agrees(many, samplez.DiscreteGaussian(2))
    with pytest.raises(ValueError, match=r"^center = 1e\+300: not representable .*; samplez.BigGaussian takes"):
        samplez.sample(3.2, center=1e300, size=5, dtype="int64")


def test_a_seed_gives_single_numbers_the_distribution_s_integers() -> None:
    g = samplez.DiscreteGaussian("3.2", center="1/3")
    assert samplez.sample("3.2", center="1/3", rng=7) == g.sample(rng=7)
    x = samplez.sample("3.2", center="1/3", size=9000, rng=7, dtype="int8", first=5, threads=2, source="chacha12")
    assert np.array_equal(x, g.sample(9000, rng=7, dtype="int8", first=5, source="chacha12")) and x.dtype == np.int8
    assert samplez.sample(sigma_squared=2, rng=3) == samplez.DiscreteGaussian(sigma_squared=2).sample(rng=3)


def test_small_widths_have_their_laws_beside_others() -> None:
    count = 20_000
    x: Array = samplez.sample(np.array([0.3, 1.5, 0.75]), center=[[0.25]], size=(count, 3), rng=1)
    for column, sigma in enumerate((Fraction(0.3), Fraction(3, 2), Fraction(3, 4))):
        agrees(x[:, column], samplez.DiscreteGaussian(sigma, center="1/4"))
    # In each part the batch of the others comes first: it is what they are alone.
    assert np.array_equal(x[:, 1], samplez.sample(np.full(count, 1.5), center=0.25, rng=1))
    one: Array = samplez.sample(0.4, center=np.tile([0.5, 0.0], count), rng=2)
    agrees(one[::2], samplez.DiscreteGaussian("0.4", center="0.5"))
    agrees(one[1::2], samplez.DiscreteGaussian("0.4"))
    texts: Array = samplez.sample(["1/3", "5/2"] * 2000, center="1/7", rng=3)
    agrees(texts[::2], samplez.DiscreteGaussian("1/3", center="1/7"))
    agrees(texts[1::2], samplez.DiscreteGaussian("5/2", center="1/7"))
    tiny = samplez.sample([2.0**-60, 1e-5], center=[0.25, 1e17 / 3], rng=4)
    assert tiny.tolist() == [0, round(1e17 / 3)]
    wide = samplez.sample([1e10, 2.0**57], center=[-(2.0**61), 0.5], rng=5)
    assert abs(wide[0] + 2**61) < 1e12 and 2**40 < abs(wide[1]) < 2**62


@pytest.mark.parametrize("exact", [False, True])
def test_squared_widths_have_their_laws(exact: bool) -> None:
    count = 20_000
    x: Array = samplez.sample(sigma_squared=np.array([2, 5]), center=["1/3"], size=(count, 2), rng=1, exact=exact)
    agrees(x[:, 0], samplez.DiscreteGaussian(sigma_squared=2, center="1/3"))
    agrees(x[:, 1], samplez.DiscreteGaussian(sigma_squared=5, center="1/3"))
    rounded = samplez.sample(sigma_squared="1/2", center=[0.5, 1e-30], rng=1, exact=exact)
    assert rounded.shape == (2,) and abs(rounded).max() < 10


def test_types_and_out() -> None:
    widths, centers = np.array([1.5, 4.0, 2.0]), np.array([10.0, -7.25, 0.5])
    calls: list[Any] = [
        lambda **more: samplez.sample(widths, center=centers, rng=1, **more),
        lambda **more: samplez.sample(["3/2", "4", "2"], center=centers, rng=1, **more),
        lambda **more: samplez.sample(widths, center=centers, rng=1, exact=True, **more),
        lambda **more: samplez.sample(sigma_squared=widths, center=centers, rng=1, **more),
        lambda **more: samplez.round(centers, sigma=widths, rng=1, **more),
        lambda **more: samplez.round(centers, sigma=widths, method="karney", rng=1, **more),
    ]
    for call in calls:
        x = call()
        assert x.dtype == np.int64
        for kind in ("int8", "int16", "int32", "int64"):
            out = np.full(3, 99, kind)
            assert call(out=out) is out and np.array_equal(out, x) and np.array_equal(call(dtype=kind), x) and call(dtype=kind).dtype == kind
        with pytest.raises(ValueError, match=r"^out.shape = \(2,\): expected that of .* together, \(3,\)$"):
            call(out=np.zeros(2, np.int8))
        with pytest.raises(TypeError, match="^dtype = float: expected int8"):
            call(dtype=float)
    one = np.zeros((), np.int16)
    assert samplez.round("100.5", sigma=3, rng=1, out=one) is one and abs(int(one) - 100) < 60


def test_a_narrow_type_is_refused_before_anything_is_drawn() -> None:
    stream, other = samplez.Source(seed=1), samplez.Source(seed=1)
    for sigma, center, kind in (([1.5, 9.0], 0, "int8"), ([1.5], 120, "int8"), (["3", "2400"], "1/3", "int16"), ([3], 2**31 - 20, "int32")):
        with pytest.raises(ValueError, match=rf"^dtype = {kind}: the samples range from -?\d+ to \d+; use int(16|32|64)$"):
            samplez.sample(sigma, center=center, rng=stream, dtype=kind)
    with pytest.raises(ValueError, match="^out.dtype = int8: "):
        samplez.sample(sigma_squared=[81], rng=stream, out=np.zeros(1, np.int8))
    assert np.array_equal(samplez.sample([2.0] * 9, rng=stream), samplez.sample([2.0] * 9, rng=other))
    # 14 σ and 2 on each side of the centre.
    assert samplez.sample([8.9], dtype="int8").shape == (1,)


def test_threads_and_progress() -> None:
    seen: list[tuple[int, int]] = []
    count = 50_000
    x = samplez.sample(np.full(count, 1e6), threads=3, progress=lambda done, total: seen.append((done, total)))
    assert sorted(done for done, _ in seen) == [done for done, _ in seen] and seen[-1] == (count, count) and len(seen) == 3
    # Parts are of 24576 and fewer samples, from streams of their own.
    assert abs(x.mean()) < 5.5e6 / count**0.5 and abs(x.std() / 1e6 - 1) < 5 / (2 * count) ** 0.5
    assert np.unique(x).size > 0.95 * count
    several = samplez.round(np.full(count, 0.5), sigma="1e6", threads=None)
    assert np.unique(several).size > 0.95 * count
    seen.clear()
    samplez.round(["1/3"] * 5, sigma=3, rng=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(5, 5)]

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    for threads in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            samplez.sample(np.full(count, 2.0), threads=threads, progress=stop)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: samplez.sample([1.5], threads=2, rng=1), ValueError, "^threads = 2: expected 1 for arrays of sigma or center with rng"),
        (lambda: samplez.sample([1.5], threads=0), ValueError, "^threads = 0: expected a value between 1 and 65536"),
        (lambda: samplez.sample([1.5], first=2), ValueError, "^first = 2: expected the default for arrays of sigma or center"),
        (lambda: samplez.sample([1.5], source="aes256-ctr"), ValueError, "^source = aes256-ctr: expected the default for arrays"),
        (lambda: samplez.sample([1.5], progress=3), TypeError, "^progress = 3: expected a callable, not int"),  # type: ignore[call-overload]
        (lambda: samplez.sample(3, sigma_squared=2), ValueError, "^sigma_squared = 2: sigma is given too; pass only one of them"),
        (lambda: samplez.sample(sigma_squared=[2, -1]), ValueError, r"^sigma_squared\[1\] = -1: expected a number greater than 0"),
        (lambda: samplez.sample(sigma_squared=[2, "1e60"]), ValueError, r"^sigma_squared\[1\] = 1e60: expected a number up to 2\^114"),
        (lambda: samplez.sample(sigma_squared=[2, "x"]), ValueError, r"^sigma_squared\[1\] = x: not a number"),
        (lambda: samplez.sample(sigma_squared=[[2], [3]], center=[1, 2, 3], size=2), ValueError, r"^size = 2: sigma_squared and center"),
        (lambda: samplez.sample(), ValueError, "^missing width: pass one of"),
        (lambda: samplez.sample(None, center=[1, 2]), TypeError, "^missing width: pass sigma or sigma_squared, a number or an array of numbers$"),
        (lambda: samplez.sample(1e30), ValueError, r"^sigma = 1e\+30: not representable"),
        (lambda: samplez.sample(True), TypeError, "^sigma = True: expected a number, not bool"),
        (lambda: samplez.sample(3.2, center=float("nan")), ValueError, "^center = nan: expected a finite number"),
        (lambda: samplez.sample(10**5000), ValueError, "^sigma: has too many digits"),
        (lambda: samplez.sample(3, center=10**5000), ValueError, "^center: has too many digits"),
    ],
)
def test_what_it_refuses(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_types_that_checkers_see() -> None:
    """mypy --strict reads these lines."""
    one: int = samplez.sample(3.2)
    two: int = samplez.round("1/3", sigma=3, rng=1)
    arrays: list[Array] = [
        samplez.sample([1.5, 2]), samplez.sample(3, center=np.array([0.5])), samplez.sample(3, size=4), samplez.sample(3, center=0, size=4),
        samplez.sample(sigma_squared=[2], size=1), samplez.sample(3, out=np.zeros(2, np.int64)), samplez.round([0.5], sigma=3), samplez.round(0.5, sigma=[3]),
    ]
    assert isinstance(one, int) and isinstance(two, int) and [x.shape for x in arrays] == [(2,), (1,), (4,), (4,), (1,), (2,), (1,), (1,)]
