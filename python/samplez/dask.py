"""Sampling and testing on a cluster, with Dask: ``pip install "dask[array]" distributed``. It rests on `samplez.block` alone, with which any other
scheduler does the same.

Element number i of an array, in C order, is sample number i of (distribution, source, seed): see
`DiscreteGaussian.sample`. So neither the chunks, nor the number of workers, nor a worker that dies and whose tasks are
run again, change a single value.

A task carries the recipe in force, a text, so that a worker builds the same sampler. The seed is part of the task
graph: the scheduler and every worker see it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from samplez._extras import library

library("dask.array", "samplez.dask", '"dask[array]" distributed')

import dask.array as da
from dask.array.core import normalize_chunks
from dask.base import compute
from dask.delayed import delayed

from samplez._big import BigGaussian
from samplez._block import block
from samplez._finite import OtherNoise, of_recipe
from samplez._gaussian import DiscreteGaussian
from samplez._numbers import Number, exact_text, mistyped, whole, wrong
from samplez._output import DTYPES, integers
from samplez._random import Seed, seed_for
from samplez._recipe import SEED, retold, suggests
from samplez._samplez import BLOCK, Verifier
from samplez._target import TargetLaw
from samplez._verify import Judged, Law, TestResult, Verification, enough, is_recipe, judged, parts_of

Location = list[tuple[int, int]]
# Values that a task of `verify` holds at a time.
_PIECE = 1 << 20
# Values that `samplez.verify` computes together.
_AHEAD = 1 << 24
# Values that several runs of a chunk may take together, gaps included.
_SPAN = 1 << 16
# At most so many bins, each expecting at least so many values.
_BINS = 4096
_LEAST = 10.0
ALPHA = Verifier.ALPHA


@partial(suggests, ways={"size": "write shape for the lengths of the axes", **SEED})
def sample(
    dist: DiscreteGaussian | OtherNoise | Number,
    *,
    shape: int | tuple[int, ...],
    chunks: Any = "auto",
    seed: Seed = None,
    dtype: npt.DTypeLike = np.int64,
    source: str = "chacha20",
    first: int = 0,
) -> da.Array:
    """A `dask.array` of samples whose values depend on `dist`, `source`, `seed`, `first` and the position only.

    `dist` is a `DiscreteGaussian`, an `OtherNoise`, a recipe such as ``"sigma=3.2"`` or ``"skellam=5/2"``, or a number, which is σ.

    Without a seed, the operating system gives one now, so that the array computes to the same values every time. Chunks
    that hold whole rows are the cheapest. Others take runs of neighbouring elements. Each run begins within a block of
    8192, and the samples of the block before it are made and dropped. Where rows are short, the samples between the
    runs are, too.

    >>> import samplez, samplez.dask
    >>> g = samplez.DiscreteGaussian("3.2")
    >>> x = samplez.dask.sample(g, shape=(300, 200), chunks=(70, 90), seed=1)
    >>> bool((x.compute(scheduler="sync") == g.sample((300, 200), rng=1)).all())
    True
    """
    dist = _drawn(dist)
    lengths = shape if isinstance(shape, tuple) else (shape,)
    lengths = tuple(whole("shape", length, 0, 2**63 - 1) for length in lengths)
    kind = integers("dtype", dtype)
    dist._sampler.check_dtype(kind.name, "dtype")
    first = whole("first", first, 0, 2**64 - 1)
    if first + math.prod(lengths) > 2**64:
        raise wrong("shape", lengths, f"at most {2**64 - first} samples from first = {first} on")
    key = _key(dist, source, seed)
    array: da.Array = da.map_blocks(
        _block, dist.recipe, key, source, first, lengths, kind,
        chunks=_chunks(chunks, lengths, kind), dtype=kind, meta=np.empty((0,) * len(lengths), kind),
    )  # fmt: skip
    return array


def _chunks(chunks: Any, lengths: tuple[int, ...], kind: np.dtype[Any]) -> Any:
    """Chunks in Dask's form. Dask's own errors name no argument, and 0 divides by zero."""
    try:
        return normalize_chunks(chunks, lengths, dtype=kind)
    except (ArithmeticError, TypeError, ValueError):
        allowed = f"'auto', a length above 0 for all axes or each of shape = {lengths}, -1 for a whole axis, or tuples of lengths that add up to it"
        raise wrong("chunks", chunks, allowed) from None


def _drawn(dist: Any) -> DiscreteGaussian | OtherNoise:
    """A distribution, that of a recipe, or that of a number, which is σ."""
    if isinstance(dist, (DiscreteGaussian, OtherNoise)):
        return dist
    if isinstance(dist, str) and is_recipe(dist):
        return of_recipe(dist)
    if isinstance(dist, (list, tuple)) or getattr(dist, "ndim", 0) != 0:
        raise mistyped("dist", dist, "a samplez.DiscreteGaussian, a recipe such as 'sigma=3.2', or a number", "give dist first")
    text = exact_text("dist", dist)
    try:
        return DiscreteGaussian(text)
    except ValueError as error:
        raise (retold(error, argument="dist") if vars(error).get("argument") == "sigma" else error) from None


def _key(dist: DiscreteGaussian | OtherNoise, source: str, seed: Seed) -> bytes:
    """The seed that tasks carry. Rejects a wrong source now, and one that takes no seed and would give other values
    each time."""
    key = seed_for(source, os.urandom(32) if seed is None else seed)
    dist.sample(0, rng=key, source=source)
    return key


def _block(
    recipe: str,
    seed: bytes,
    source: str,
    first: int,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    block_info: Any = None,
) -> npt.NDArray[np.signedinteger[Any]]:
    """One chunk, run by run of neighbouring elements."""
    location: Location = block_info[None]["array-location"]
    out = np.empty([stop - start for start, stop in location], dtype)
    flat = out.reshape(-1)
    at = 0
    for runs in _groups(_runs(location, shape)):
        begin, end = runs[0][0], sum(runs[-1])
        direct = len(runs) == 1
        span = flat[at : at + end - begin] if direct else np.empty(end - begin, dtype)
        block(recipe, seed=seed, index=0, size=span.size, out=span, source=source, first=first + begin)
        for address, length in runs:
            if not direct:
                flat[at : at + length] = span[address - begin : address - begin + length]
            at += length
    return out


def _groups(runs: Iterator[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Runs to be drawn together: where the gap costs less than beginning anew within a block."""
    group: list[tuple[int, int]] = []
    for address, length in runs:
        if group and (address - sum(group[-1]) > BLOCK // 2 or address + length - group[0][0] > _SPAN):
            yield group
            group = []
        group.append((address, length))
    if group:
        yield group


def _runs(location: Location, shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """The address and the length of each run of elements of a chunk that are neighbours in the whole array."""
    if any(start == stop for start, stop in location):
        return
    axis = len(shape)
    while axis > 0 and location[axis - 1] == (0, shape[axis - 1]):
        axis -= 1
    # Axes from `axis` on are whole; the one before is cut, and each of its cuts is one run.
    rest = math.prod(shape[axis:])
    if axis == 0:
        yield 0, rest
        return
    start, stop = location[axis - 1]
    for index in np.ndindex(*(stop - start for start, stop in location[: axis - 1])):
        address = 0
        for (low, _), offset, length in zip(location, index, shape, strict=False):
            address = address * length + low + offset
        yield (address * shape[axis - 1] + start) * rest, (stop - start) * rest


@dataclass
class _Counts:
    """The counts of a task's values; merged by adding."""

    bins: npt.NDArray[np.int64]
    first_power: int
    second_power: int

    def __add__(self, other: _Counts) -> _Counts:
        return _Counts(
            self.bins + other.bins,
            self.first_power + other.first_power,
            self.second_power + other.second_power,
        )


@dataclass(frozen=True)
class _Grid:
    """Bins of equal width between two tails: bin j holds low + (j - 1)·width to low + j·width - 1."""

    low: int
    width: int
    inner: int

    @property
    def middle(self) -> int:
        """The integer about which powers are summed."""
        return self.low + self.width * self.inner // 2

    def count(self, values: npt.NDArray[np.signedinteger[Any]]) -> _Counts:
        """The counts of a piece of at most 2^20 values, all sums exact."""
        middle = self.middle
        if values.size == 0:
            return _Counts(np.zeros(self.inner + 2, np.int64), 0, 0)
        if values.dtype.itemsize <= 2:  # each value that there can be, once, and how often it came
            often = np.bincount(values.view(f"u{values.dtype.itemsize}"))
            codes = np.flatnonzero(often)
            x, weights = codes.astype(f"u{values.dtype.itemsize}").view(values.dtype).astype(np.int64), often[codes]
        else:
            x, weights = values.astype(np.int64, copy=False), np.ones(1, np.int64)
        bins = np.clip((x - self.low) // self.width, -1, self.inner) + 1
        each = np.broadcast_to(weights, x.shape)
        if int(x.max()) - middle >= 1 << 40 or middle - int(x.min()) >= 1 << 40:
            exact = [int(value) - middle for value in x]
            sums = sum(exact), sum(value * value for value in exact)
        else:  # with x - middle = 2^20 h + l every product is below 2^40, and every sum below 2^61
            high, low = (x - middle) >> 20, (x - middle) & 0xFFFFF
            once = int(np.dot(high, each)), int(np.dot(low, each))
            twice = [int(np.dot(p * q, each)) for p, q in ((high, high), (high, low), (low, low))]
            sums = (once[0] << 20) + once[1], (twice[0] << 40) + (twice[1] << 21) + twice[2]
        counted = np.bincount(bins, weights=each, minlength=self.inner + 2).astype(np.int64)
        return _Counts(counted, sums[0], sums[1])


def _grid(law: Judged) -> _Grid:
    """The bins of a law: 2^-40 of it in either tail, at most `_BINS` between them."""
    ends = law.law._native.tail_range(-40.0)
    if ends is None:
        raise wrong("dist", law.shown, "a law whose values are between -2^63 and 2^63 - 1")
    low, high = ends
    width = -(-(high - low + 1) // _BINS)
    return _Grid(low, width, -(-(high - low + 1) // width))


def _narrowest(dist: DiscreteGaussian | OtherNoise) -> str:
    """The smallest type that `dist` may be drawn into."""
    for kind in DTYPES[:-1]:
        try:
            dist._sampler.check_dtype(kind.name, "dtype")
        except ValueError:
            continue
        return kind.name
    return DTYPES[-1].name


def _count_addresses(
    recipe: str, seed: bytes, source: str, first: int, length: int, dtype: str, grid: _Grid
) -> _Counts:
    """A task of `verify`: samples `first` to `first` + `length` - 1, in memory that does not depend on `length`."""
    buffer = np.empty(min(length, _PIECE), dtype)
    total = grid.count(buffer[:0])
    for start in range(0, length, _PIECE):
        part = buffer[: min(_PIECE, length - start)]
        block(recipe, seed=seed, index=0, size=part.size, out=part, source=source, first=first + start)
        total += grid.count(part)
    return total


def _count_chunk(chunk: npt.NDArray[Any], name: str, law: Judged, grid: _Grid) -> _Counts:
    """A chunk's values, of which `name` is the array, as the law of `law` has them: residues about its centre, and folded integers."""
    flat = np.asarray(chunk).reshape(-1)
    if flat.dtype.kind == "i" and law.modulus is None and law.folding is None:
        pieces: Iterator[npt.NDArray[Any]] = (flat[start : start + _PIECE] for start in range(0, flat.size, _PIECE))
    else:
        pieces = law.centred(parts_of(flat, name, law.modulus, law.folding), name)
    return sum((grid.count(piece) for piece in pieces), grid.count(np.empty(0, np.int64)))


def _merge(parts: list[_Counts]) -> _Counts:
    total = parts[0]
    for part in parts[1:]:
        total += part
    return total


@partial(suggests, ways=SEED)
def verify(
    dist: Law | Number,
    *,
    data: int | da.Array,
    seed: Seed = None,
    source: str = "chacha20",
    first: int = 0,
    task: int = 1 << 26,
) -> Any:
    """Tests the values, but not their order, for which use `samplez.verify`. Compares their counts and moments with the law of `dist`, by χ², mean and
    variance. Needs at least 100 values. Returns a `dask.delayed` that computes to a `samplez.Verification` of these three tests.

    Sorted or otherwise dependent data may pass. `dist` is a distribution or a recipe, as for `samplez.verify`, or a number, which is σ.
    `data` is a dask array of integers; or a number of samples to draw, `first` and on of (`source`, `seed`), 10^10 and more, if `dist` can be drawn
    by `sample`. Samples are drawn 2^20 at a time and only counted: a worker's memory does not depend on how many there are.
    The counts are integers and are merged exactly, so that the report does not depend on the workers. Each test has a third of `alpha`. The
    statistic of mean and variance is the distance from the law's in standard deviations. They are not applicable to a cut or reduced law of more
    than 2^16 values.

    >>> import samplez, samplez.dask
    >>> report = samplez.dask.verify(samplez.DiscreteGaussian("3.2"), data=10**6, seed=1).compute(scheduler="sync")
    >>> report.n, report.consistent, [test.name for test in report.tests]
    (1000000, True, ['counts', 'mean', 'variance'])
    """
    laws = (DiscreteGaussian, BigGaussian, OtherNoise, TargetLaw)
    if isinstance(dist, da.Array) or isinstance(data, (*laws, str)):
        raise TypeError("dist, data: expected the distribution first and the data second; call verify(dist, data=...)")
    is_array = isinstance(data, da.Array)
    if isinstance(dist, (BigGaussian, TargetLaw)) and not is_array:
        raise mistyped("data", data, f"a dask array, because samplez.dask draws no samples of a {type(dist).__name__}")
    drawn = None if isinstance(dist, (BigGaussian, TargetLaw)) or is_array and isinstance(dist, str) and is_recipe(dist) else _drawn(dist)
    law = judged(dist if drawn is None else drawn)  # type: ignore[arg-type]
    grid = _grid(law)
    if isinstance(data, da.Array):
        if seed is not None or first != 0 or source != "chacha20":
            raise ValueError("seed, source, first: expected only with a number of samples; leave them out for an array")
        if data.dtype.kind not in "iuO":
            raise TypeError(f"data: expected an array of integers, not {data.dtype}")
        chunks = _chunked("data", data).to_delayed()
        parts = [
            delayed(_count_chunk)(chunk, f"data.blocks[{', '.join(map(str, place))}].ravel()", law, grid)
            for place, chunk in np.ndenumerate(chunks)
        ]
    else:
        if not hasattr(data, "__index__"):
            raise mistyped("data", data, "a dask array, or a number of samples to draw", "samplez.verify takes other arrays")
        count = whole("data", data, 0, 2**63 - 1)
        enough("data", count)
        first = whole("first", first, 0, 2**64 - count)
        # Whole blocks, so that no sample is made twice.
        task = -(-whole("task", task, 1, 2**48) // BLOCK) * BLOCK
        assert drawn is not None
        key = _key(drawn, source, seed)
        kind = _narrowest(drawn)
        parts = [
            delayed(_count_addresses, pure=True)(drawn.recipe, key, source, first + start, min(task, count - start), kind, grid)
            for start in range(0, count, task)
        ]
    if not parts:
        enough("data", 0)
    while len(parts) > 1:
        parts = [delayed(_merge)(parts[i : i + 16]) for i in range(0, len(parts), 16)]
    return delayed(_report)(law, grid, parts[0])


def _chunked(name: str, array: Any) -> Any:
    """The array. Rejects an array of Dask's query planning, which has neither `to_delayed` nor `reshape`."""
    if not hasattr(array, "to_delayed"):
        raise TypeError(f"{name}: expected a dask array with to_delayed, which query planning leaves out; set array.query-planning to False before you import dask.array")
    return array


class _InOrder:
    """Iterates over a dask array in C order, for `samplez.verify`. The scheduler computes several chunks at a time."""

    def __init__(self, name: str, array: da.Array) -> None:
        if array.dtype.kind not in "iu":
            raise TypeError(f"{name}: expected a dask array of integers, not of {array.dtype}")
        if any(math.isnan(length) for length in array.shape):
            raise ValueError(f"{name}: expected chunks of known length; call {name}.compute_chunk_sizes() first")
        self._flat = _chunked(name, array).reshape(-1)

    def __iter__(self) -> Iterator[npt.NDArray[Any]]:
        chunks, lengths = self._flat.to_delayed(), self._flat.chunks[0]
        start = 0
        while start < len(lengths):
            stop, count = start + 1, int(lengths[start])
            while stop < len(lengths) and count + lengths[stop] <= _AHEAD:
                count += int(lengths[stop])
                stop += 1
            yield from compute(*chunks[start:stop])
            start = stop


def _report(law: Judged, grid: _Grid, counts: _Counts) -> Verification:
    total = int(counts.bins.sum())
    enough("data", total)
    edges = grid.low + grid.width * np.arange(grid.inner + 1)
    cdf, sf = law.law._native.cdf(edges - 1), law.law._native.sf(edges - 1)
    masses = np.concatenate([cdf[:1], np.where(cdf[1:] < 0.5, cdf[1:] - cdf[:-1], sf[:-1] - sf[1:]), sf[-1:]])
    expected = total * masses
    bins: list[tuple[int, float]] = []
    seen, wanted = 0, 0.0
    for observed, mass in zip(counts.bins, expected, strict=True):
        seen, wanted = seen + int(observed), wanted + float(mass)
        if wanted >= _LEAST:
            bins.append((seen, wanted))
            seen, wanted = 0, 0.0
    if bins and (seen or wanted):
        observed, mass = bins.pop()
        bins.append((observed + seen, mass + wanted))
    chi2 = sum((observed - mass) ** 2 / mass for observed, mass in bins)
    freedom = max(len(bins) - 1, 0)

    def test(name: str, statistic: float, freedom: int | None, p: float) -> TestResult:
        return TestResult(name, 1, None, statistic, freedom, p, "pass" if p > ALPHA / 3 else "reject", None)

    def distance(name: str, found: float, wanted: float, deviation: float) -> TestResult:
        z = (found - wanted) / deviation if deviation > 0 else 0.0 if found == wanted else math.inf
        return test(name, z, None, math.erfc(abs(z) / math.sqrt(2)))

    results = [test("counts", chi2, freedom, _chi2_tail(freedom, chi2))]
    moments = law.law._native.mean_and_variance()
    if moments is None:
        unknown = "the law is cut or reduced and has more than 2^16 values"
        results += [TestResult(name, 0, None, None, None, None, "not applicable", unknown) for name in ("mean", "variance")]
    else:
        # Around the law's mean μ: Σ(x-μ)² = Σ(x-m)² - 2(μ-m)Σ(x-m) + n(μ-m)².
        offset = moments[0] - grid.middle
        mean = counts.first_power / total
        variance = counts.second_power / total - 2 * offset * mean + offset * offset
        # The fourth moment of the bins' middles is the law's, but for a relative error below 10^-4.
        middles = np.concatenate([edges[:1] - 1, edges[:-1] + (grid.width - 1) / 2, edges[-1:]]) - moments[0]
        spread = math.sqrt(max(float(masses @ middles**4) - moments[1] ** 2, 0.0) / total)
        results += [distance("mean", mean, offset, math.sqrt(moments[1] / total)), distance("variance", variance, moments[1], spread)]
    consistent = all(result.verdict != "reject" for result in results)
    return Verification(law.shown, total, None, consistent, ALPHA, None, tuple(results), {}, None)


def _chi2_tail(freedom: int, chi2: float) -> float:
    """Q(k/2, x/2), the regularised upper incomplete gamma function: by its series below the mean, by Lentz's continued
    fraction above."""
    a, x = freedom / 2, chi2 / 2
    if freedom == 0 or x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-17:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1.0 - front * total)
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    value = d
    for i in range(1, 100_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return min(1.0, front * value)
