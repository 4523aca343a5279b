"""Statistical tests of integers from any source."""

from __future__ import annotations

import inspect
import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._big import BigGaussian
from samplez._finite import OtherNoise
from samplez._gaussian import DiscreteGaussian
from samplez._html import grid
from samplez._numbers import exact_array, integral, mistyped, name_of, no_integer, refusal, workers_of, wrong
from samplez._recipe import suggests
from samplez._target import TargetLaw

# Values that are taken in between two looks at Ctrl-C.
_STEP = 1 << 18
# Values of each sample that decide where a comparison cuts its cells: as many as the command reads at once.
_HEAD = 1 << 16
# Columns of a table, at most; an array with more is a block of samples.
_COLUMNS = 16


class TestResult(NamedTuple):
    """A family of tests, judged as one."""

    name: str
    tests: int
    """How many of its tests apply."""
    at: str | None
    """Which of them has the least p-value: a lag, a stride, a place."""
    statistic: float | None
    dof: int | None
    """Degrees of freedom."""
    p_value: float | None
    """The least p-value, times the number of tests that apply, at most 1."""
    verdict: str
    """``pass``, ``reject`` or ``not applicable``."""
    reason: str | None
    """Why it does not apply."""


@dataclass(frozen=True)
class Verification:
    """The result of `verify`, with the fields of ``samplez verify --json``, or of ``samplez verify --against --json``."""

    law: str | None
    """The distribution; ``None`` for two samples."""
    n: int
    """The number of values."""
    m: int | None
    """The number of values of the second sample."""
    consistent: bool
    """Whether no test rejects. Ideal samples, and two independent ones of one distribution, are rejected with a probability of about `alpha`."""
    alpha: float
    shared: tuple[int, int] | None
    """How many of the kept sequences of the second sample are also in the first, and of how many. More than 0 if values were copied.
    ``None`` without a second sample, and if the entropy is too small for sequences that never come again."""
    tests: tuple[TestResult, ...]
    """The tests; of two samples those of both, then those of the order in the first, then in the second."""
    power: dict[str, float | None]
    """The smallest deviations that would be rejected with a probability of at least 1/2."""
    alternative: str | None
    """If a test of the values rejects: the discrete, the rounded or the rounded down normal or the Skellam distribution with these
    parameters, or of the discrete and the rounded Laplace distribution the other one, that the values pass for, their order aside."""
    modulus: int | None = None
    """If a test rejects: the q modulo which the values look like residues, by the first of them. It is a power of two, or the greatest value plus 1,
    which may be below q. `TargetLaw` judges residues."""
    _unit: str = field(default="integers", repr=False)

    @suggests
    def to_json(self) -> str:
        """The fields of ``samplez verify --json``, as text."""
        tests = [{name: _json(value) for name, value in test._asdict().items()} for test in self.tests]
        power = {name: _json(value) for name, value in self.power.items()}
        same: dict[str, Any] = {"consistent": self.consistent, "alpha": self.alpha, "tests": tests, "power": power}
        if self.m is not None:
            shared = self.shared and {"sequences": self.shared[0], "of": self.shared[1]}
            fields = {"n": (self.n, self.m), **same, "shared": shared}
        else:
            fields = {"law": self.law, "n": self.n, **same, "modulus": self.modulus, "alternative": self.alternative}
        return json.dumps(fields, indent=2, ensure_ascii=False)

    def _repr_html_(self) -> str:
        rows = [(t.verdict, t.name, t.reason if t.p_value is None else f"{t.p_value:.3g}") for t in self.tests]
        return grid(("verdict", "family", "p-value"), rows, str(self).split("\n", 1)[0])

    def __str__(self) -> str:
        rejected = "REJECTED as samples of" if self.m is None else "REJECTED as"
        what = self.law if self.m is None else "independent samples of one distribution"
        count = self.n if self.m is None else f"{self.n} and {self.m}"
        lines = [f"{count} {self._unit}, {'consistent with' if self.consistent else rejected} {what}"]
        for test in self.tests:
            value = test.reason if test.p_value is None else f"p = {test.p_value:.3g}"
            lines.append(f"  {test.verdict:14}  {test.name:24}  {value}")
        if self.alternative:
            lines.append(f"the values pass for {self.alternative}, their order aside")
        if self.modulus is not None:
            lines.append(f"the values look like residues: judge them by samplez.TargetLaw with modulus={self.modulus}, or the modulus that you know")
        if self.shared and self.shared[0]:
            lines.append(f"copied: {self.shared[0]} of {self.shared[1]} sequences of the second are also in the first")
        return "\n".join(lines)


def _json(value: Any) -> Any:
    """Infinities are null, as the command has them."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


Law: TypeAlias = Union[DiscreteGaussian, BigGaussian, OtherNoise, TargetLaw, str]


@dataclass(frozen=True)
class Judged:
    """What values are judged by."""

    law: TargetLaw
    shown: str
    """The law in words."""
    folding: tuple[int, int] | None = None
    """For a law beyond 64 bits: what is subtracted from each integer, and from which bit on it counts beside its last four."""

    @property
    def modulus(self) -> int | None:
        return self.law._modulus

    def check(self, least: int, most: int, name: str) -> None:
        """Rejects values from `least` to `most` that are no residues."""
        q = self.modulus
        if q is not None and q <= 2**63 and (most >= q or least < -(q // 2) or (least < 0 and most > q // 2)):
            raise ValueError(f"{name}: has values from {least} to {most}; expected residues from 0 to {q - 1}, or from -{q // 2} to {q // 2}")

    def centred(self, parts: Iterable[npt.NDArray[np.int64]], name: str) -> Iterator[npt.NDArray[np.int64]]:
        """The values of `parts_of`, residues as the law's support has them."""
        low, high = self.law._native.support()
        # Modulo 2^64, as NumPy adds.
        q = np.array((self.modulus or 0) % 2**64, np.uint64).view(np.int64)
        least, most = 0, 0
        for part in parts:
            least, most = min(least, int(part.min())), max(most, int(part.max()))
            self.check(least, most, name)
            yield part if self.modulus is None else np.where(part < low, part + q, np.where(part > high, part - q, part))


_LAWS = "a samplez.DiscreteGaussian, OtherNoise or TargetLaw, or a recipe such as 'sigma=3.2'"


def is_recipe(text: str) -> bool:
    """Whether the text is a recipe, and no number."""
    return "=" in text or "ternary" in text


def judged(law: Law) -> Judged:
    if isinstance(law, TargetLaw):
        recipe, *changed = law._arguments
        folded = None if any(changed) or law._native.is_sum() else _samplez.folding(recipe)
        return Judged(law, str(law)) if folded is None else _folded_law(*folded)
    if not isinstance(law, (str, DiscreteGaussian, BigGaussian, OtherNoise)):
        raise mistyped("law", law, _LAWS)
    recipe = law if isinstance(law, str) else law.recipe
    if not is_recipe(name_of("law", recipe)):
        raise wrong("law", recipe, _LAWS)
    folded = _samplez.folding(recipe)
    if folded is None:
        target = TargetLaw.from_recipe(recipe)
        return Judged(target, str(target))
    return _folded_law(*folded)


def _folded_law(shown: str, sigma: str, origin: str, shift: int) -> Judged:
    return Judged(TargetLaw(sigma), shown, (int(origin), shift))


def _chunks(data: Any, name: str) -> Iterator[npt.NDArray[Any]]:
    """Arrays of one axis."""
    no_container(data, name)
    _one_column(data, name)
    lazy = sys.modules.get("dask.array")
    if lazy is not None and isinstance(data, lazy.Array):
        from samplez.dask import _InOrder

        data = _InOrder(name, data)
    if isinstance(data, (list, tuple)) and data and len(data) > _COLUMNS:
        _no_row(data[0], name)
    whole = isinstance(data, (list, tuple)) and not any(hasattr(part, "__array__") and hasattr(part, "__len__") for part in data)
    if whole or hasattr(data, "__array__") or not isinstance(data, Iterable) or isinstance(data, Mapping):
        data = (data,)
    for part in data:
        if not whole:
            # A list may be a piece of the values; zip makes rows of tuples.
            _no_row(part if isinstance(part, tuple) else None, name)
            _one_column(part, name)
        yield column_of(part, name).reshape(-1)


def no_container(data: Any, name: str) -> None:
    """Refuses what has integers in another form: texts, bytes, tables by name, distributions."""
    if isinstance(data, (TargetLaw, DiscreteGaussian, BigGaussian, OtherNoise)):
        raise TypeError(f"{name}: expected integers, not {type(data).__name__}; draw them first, such as by sample(100_000) of a samplez.DiscreteGaussian")
    if isinstance(data, str):
        raise TypeError(f"{name} = {data[:40]!r}{'…' * (len(data) > 40)}: expected integers, not str; read a file first, such as by numpy.load or numpy.loadtxt")
    if isinstance(data, (bytes, bytearray)) or isinstance(data, memoryview) and data.format in ("B", "c"):
        raise TypeError(f"{name}: expected integers, not {type(data).__name__}, which has no integer type; give np.frombuffer({name}, 'int8') or another type")
    if isinstance(data, Mapping) and data:
        raise TypeError(f"{name}: expected integers, not {type(data).__name__}; choose a column, such as {name}[{next(iter(data))!r}]")


def _no_row(part: Any, name: str) -> None:
    """Refuses a row of a table, which may come in the place of an array."""
    if isinstance(part, (list, tuple)) and 2 <= len(part) <= _COLUMNS:
        raise TypeError(f"{name}: is a table, whose first row has {len(part)} values; choose a column, such as [row[0] for row in {name}]")


def _one_column(data: Any, name: str) -> None:
    """Refuses a table: an array of shape (n, k) with few columns and more rows."""
    shape: tuple[int, ...] = getattr(data, "shape", ())
    if getattr(data, "columns", None) is None and len(shape) == 2 and 2 <= shape[1] <= _COLUMNS and shape[0] > shape[1]:
        raise TypeError(f"{name}: is an array of shape ({shape[0]}, {shape[1]}); choose a column, such as {name}[:, 0], or pass {name}.ravel() to judge all as one stream")


def column_of(part: Any, name: str) -> npt.NDArray[Any]:
    """An array, or a column of a library of tables."""
    names = getattr(part, "column_names", None) if hasattr(part, "to_pylist") else getattr(part, "columns", None)
    if names is None:
        names = getattr(getattr(part, "dtype", None), "names", None)
    if names is not None and not callable(names) and (len(names) > 1 or getattr(part, "ndim", 2) == 1):
        told = ", ".join(map(repr, list(names)[:8])) + (", …" if len(names) > 8 else "")
        raise TypeError(f"{name}: is a table of {len(names)} columns ({told}); choose one, such as {name}[{list(names)[0]!r}]")
    return exact_array(name, part)


def enough(name: str, count: int) -> None:
    """Refuses an argument with too few values for a verdict."""
    if count < _samplez.Verifier.LEAST:
        raise refusal("out-of-range", name, f"has {count} value{'s' if count != 1 else ''}: expected at least {_samplez.Verifier.LEAST}, which a verdict needs; give more")


def parts_of(data: Any, name: str = "data", q: int | None = None, folding: tuple[int, int] | None = None) -> Iterator[npt.NDArray[np.int64]]:
    """The values in order, some at a time: residues modulo a q above 2^63 about 0, and integers of a law beyond 64 bits folded."""
    count = 0
    for chunk in _chunks(data, name):
        for start in range(0, chunk.size, _STEP):
            piece = chunk[start : start + _STEP]
            if folding is not None:
                part = _folded(piece, count, name, *folding)
            elif q is not None and q > 2**63:
                part = _centred(piece, count, name, q)
            else:
                part = integers_of(piece, count, name)
            yield part
            count += part.size


def all_of(data: Any, name: str = "data", q: int | None = None, folding: tuple[int, int] | None = None) -> Iterator[npt.NDArray[np.int64]]:
    """The values of `parts_of`, if they are enough for a verdict."""
    count = 0
    for part in parts_of(data, name, q, folding):
        yield part
        count += part.size
    enough(name, count)


def _folded(part: npt.NDArray[Any], place: int, name: str, origin: int, shift: int) -> npt.NDArray[np.int64]:
    """The integers of a law beyond 64 bits, as those of the narrower one."""
    moved = [x - origin for x in _whole(part, place, name).tolist()]
    return np.array([max(-(2**63), min(2**63 - 1, (x >> shift << 4) + (x & 15))) for x in moved], np.int64)


def _centred(part: npt.NDArray[Any], place: int, name: str, q: int) -> npt.NDArray[np.int64]:
    """Residues modulo q, from 2^63 to 2^64, as those about 0."""
    values = _whole(part, place, name)
    if values.size and values.dtype.kind != "u":
        beyond = np.flatnonzero((values < -(q // 2)) | (values > q - 1))
    else:
        beyond = np.flatnonzero(values > np.uint64(q - 1))
    if beyond.size:
        bad = int(beyond[0])
        raise ValueError(f"{name}[{place + bad}] = {values[bad]}: expected residues from 0 to {q - 1}, or from -{q // 2} to {q // 2}")
    if values.dtype.kind == "i":
        return np.require(values, np.int64, ["C", "A"])
    if values.dtype.kind == "O":
        return np.array([x - q if x > (q - 1) // 2 else x for x in values.tolist()], np.int64)
    # Modulo 2^64, minus q changes nothing but for q below.
    large = values > np.uint64((q - 1) // 2)
    return np.where(large, values - np.uint64(q % 2**64), values).view(np.int64)


_SIGNED = "a value between -2^63 and 2^63 - 1; for residues pass a samplez.TargetLaw with modulus as law, for negative values stored as uint64 use view('int64')"


def integers_of(part: npt.NDArray[Any], place: int, name: str) -> npt.NDArray[np.int64]:
    """The same as int64. `place` is that of the first, for errors."""
    part = _whole(part, place, name)
    if part.dtype.kind in "Ou" and part.size:
        beyond = np.flatnonzero((part > 2**63 - 1) | (part < -(2**63)))
        if beyond.size:
            raise wrong(f"{name}[{place + int(beyond[0])}]", int(part[beyond[0]]), _SIGNED)
    return np.require(part, np.int64, ["C", "A"])


def _whole(part: npt.NDArray[Any], place: int, name: str) -> npt.NDArray[Any]:
    """The same as an array of integers, or of Python's. Floats and decimals have to be integers."""
    if part.dtype.kind in "iu":
        return part
    if part.dtype.kind == "f":
        bad = np.flatnonzero(~np.isfinite(part) | (part != np.rint(part)))
        if bad.size:
            raise no_integer(name, f"[{place + int(bad[0])}]", float(part[bad[0]]), "an integer")
        return part.astype(np.int64) if part.size == 0 or float(abs(part).max()) < 2.0**62 else np.array([int(x) for x in part], object)
    numbers = []
    for i, value in enumerate(part.astype(object)):
        number = int(value) if isinstance(value, float) and value.is_integer() else integral(value)
        if number is None:
            raise no_integer(name, f"[{place + i}]", value, "an integer")
        numbers.append(number)
    return np.array(numbers, object)


@partial(suggests, beside=("samplez.TargetLaw", tuple(inspect.signature(TargetLaw).parameters)))
def verify(data: Any, law: Law | None = None, *, against: Any = None, threads: int | None = 1) -> Verification:
    """Tests whether integers are samples of a distribution, with the tests and the figures of the command ``samplez verify``.

    `data` is an array of integers, or an iterable of such arrays, which takes memory for one of them. `law` is a `DiscreteGaussian`, a
    `TargetLaw`, an `OtherNoise`, or a recipe, also of a sum as in `TargetLaw.from_recipe`. For a law modulo q, `data` are residues from 0 to
    q - 1, or from -q/2 to q/2.
    Columns of pandas, Polars and PyArrow are arrays, and floats and decimals have to be integers. From σ = 2^57 on, also for a `BigGaussian`,
    the bits between the last four and those of the shape are left out. The chunks of a dask array are computed in C order, 2^24 values or one
    chunk at a time.

    With `against`, which is of the same types as `data`, no law is needed. The tests are whether both are independent samples of one
    distribution.

    Works on so many `threads`, with ``None`` on one for each core. The result is the same to the last bit for any number. Threads start
    when 2^18 values have gathered.

    Raises `ValueError` for fewer than 100 values and `TypeError` for missing values, values that are no integers, tables of several columns
    (arrays with 2 to 16 columns and more rows, too) and bytes; errors name the place.

    >>> g = samplez.DiscreteGaussian("3.2")
    >>> samplez.verify(g.sample(100_000, rng=1), g, threads=2).consistent
    True
    >>> import numpy as np
    >>> rounded = np.rint(np.random.default_rng(1).normal(0, 1.5, 100_000)).astype(int)
    >>> result = samplez.verify(rounded, "sigma=1.5")
    >>> result.consistent, result.alternative
    (False, 'RoundedNormal(sigma = 3/2, center = 0)')
    >>> both = samplez.verify(g.sample(100_000, rng=1), against=g.sample(50_000, rng=1))
    >>> both.consistent, both.shared
    (False, (146, 146))
    """
    workers = workers_of(threads)
    if against is not None:
        if law is not None:
            raise TypeError("against: law is given too, and two samples are compared without a law; pass only one of them")
        return _compare(data, against, workers)
    if isinstance(data, (TargetLaw, DiscreteGaussian, BigGaussian, OtherNoise)):
        raise TypeError("data, law: expected the data first and the distribution second; call verify(data, law)")
    if law is None:
        raise TypeError(f"missing law: pass {_LAWS}; or pass against, a second sample")
    aim = judged(law)
    target, folding = aim.law, aim.folding
    q = aim.modulus
    verifier = _samplez.Verifier(target._native, workers)
    least, most = 0, 0
    for part in all_of(data, "data", q, folding):
        verifier.push(part)
        least, most = min(least, int(part.min())), max(most, int(part.max()))
    aim.check(least, most, "data")
    n, consistent, tests, power, other, modulus = verifier.report()
    rows = tuple(TestResult(*row) for row in tests)
    # Folded integers have another law than the one shown, and a modulus that is known.
    other = other if aim.shown == str(target) else None
    modulus = None if aim.folding else modulus
    return Verification(aim.shown, n, None, consistent, verifier.ALPHA, None, rows, dict(power), other, modulus)


def _head(parts: Iterator[npt.NDArray[np.int64]]) -> tuple[npt.NDArray[np.int64], Iterator[npt.NDArray[np.int64]]]:
    """The first values, and all of them again."""
    taken: list[npt.NDArray[np.int64]] = []
    while sum(part.size for part in taken) < _HEAD and (part := next(parts, None)) is not None:
        taken.append(part)
    return np.concatenate([np.empty(0, np.int64), *taken])[:_HEAD], chain(taken, parts)


def _compare(data: Any, against: Any, workers: int) -> Verification:
    """Two samples against each other."""
    if data is against and isinstance(data, Iterator):
        raise ValueError("against: is the same iterator as data, whose values come once; give a second one")
    (head, first), (beside, second) = _head(all_of(data)), _head(all_of(against, "against"))
    comparer = _samplez.Comparer(head, beside, workers)
    for part in first:
        comparer.push_first(part)
    for part in second:
        comparer.push_second(part)
    (n, m), consistent, shared, tests, power = comparer.report()
    return Verification(None, n, m, consistent, _samplez.Verifier.ALPHA, shared, tuple(TestResult(*row) for row in tests), dict(power), None)


__all__ = ["TestResult", "Verification", "enough", "verify"]
