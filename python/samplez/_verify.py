"""Statistical tests of integers from any source."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, TypeAlias, Union, overload

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._finite import FiniteLaw, OtherLaw, Skellam
from samplez._gaussian import DiscreteGaussian
from samplez._html import grid
from samplez._numbers import exact_array, whole
from samplez._target import TargetLaw

# Values that are taken in between two looks at Ctrl-C.
_STEP = 1 << 18
# Values of each sample that decide where a comparison cuts its cells: as many as the command reads at once.
_HEAD = 1 << 16


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
    """The result of `verify`, with the fields of ``samplez verify --json``."""

    law: str
    n: int
    """The number of values."""
    consistent: bool
    """Whether no test rejects. Ideal samples are rejected with a probability of about `alpha`."""
    alpha: float
    tests: tuple[TestResult, ...]
    power: dict[str, float | None]
    """The smallest deviations that would be rejected with a probability of at least 1/2."""
    alternative: tuple[str, bool] | None
    """If a test rejects: the other one of discrete and rounded normal distribution, and whether the values are consistent with it."""

    def to_json(self) -> str:
        """The text of ``samplez verify --json``."""
        other = self.alternative and {"law": self.alternative[0], "consistent": self.alternative[1]}
        return _text(self.__dict__, alternative=other)

    def _repr_html_(self) -> str:
        return _html(str(self).split("\n", 1)[0], self.tests)

    def __str__(self) -> str:
        verdict = "consistent with" if self.consistent else "REJECTED as samples of"
        lines = [f"{self.n} integers, {verdict} {self.law}", *_lines(self.tests)]
        if self.alternative and self.alternative[1]:
            lines.append(f"consistent with {self.alternative[0]}, with the same parameters")
        return "\n".join(lines)


@dataclass(frozen=True)
class Comparison:
    """The result of `verify` with `against`, with the fields of ``samplez verify --against --json``."""

    n: tuple[int, int]
    """The numbers of values."""
    consistent: bool
    """Whether no test rejects. Independent samples of one distribution are rejected with a probability of about `alpha`."""
    alpha: float
    shared: tuple[int, int] | None
    """How many of the kept sequences of the second sample are also in the first, and of how many. More than 0 if values were copied.
    ``None`` if the samples' entropy is too small for sequences that never come again."""
    tests: tuple[TestResult, ...]
    """The tests of both samples, then those of the order in the first, then in the second."""
    power: dict[str, float | None]
    """The smallest deviations that would be rejected with a probability of at least 1/2."""

    def to_json(self) -> str:
        """The text of ``samplez verify --against --json``."""
        return _text(self.__dict__, shared=self.shared and {"sequences": self.shared[0], "of": self.shared[1]})

    def _repr_html_(self) -> str:
        return _html(str(self).split("\n", 1)[0], self.tests)

    def __str__(self) -> str:
        verdict = "consistent with" if self.consistent else "REJECTED as"
        lines = [f"{self.n[0]} and {self.n[1]} integers, {verdict} independent samples of one distribution", *_lines(self.tests)]
        if self.shared and self.shared[0]:
            lines.append(f"copied: {self.shared[0]} of {self.shared[1]} sequences of the second are also in the first")
        return "\n".join(lines)


def _html(title: str, tests: tuple[TestResult, ...]) -> str:
    rows = [(t.verdict, t.name, t.reason if t.p_value is None else f"{t.p_value:.3g}") for t in tests]
    return grid(("verdict", "family", "p-value"), rows, title)


def _lines(tests: tuple[TestResult, ...]) -> Iterator[str]:
    for test in tests:
        value = test.reason if test.p_value is None else f"p = {test.p_value:.3g}"
        yield f"  {test.verdict:14}  {test.name:24}  {value}"


def _text(fields: dict[str, Any], **others: Any) -> str:
    """Fields as the command's JSON has them."""
    tests = [{name: _json(value) for name, value in test._asdict().items()} for test in fields["tests"]]
    power = {name: _json(value) for name, value in fields["power"].items()}
    return json.dumps({**fields, "tests": tests, "power": power, **others}, indent=2, ensure_ascii=False)


def _json(value: Any) -> Any:
    """Infinities are null, as the command has them."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


Law: TypeAlias = Union[DiscreteGaussian, FiniteLaw, Skellam, TargetLaw, str]


def _target(law: Law) -> TargetLaw:
    if isinstance(law, TargetLaw):
        return law
    if isinstance(law, OtherLaw):
        return TargetLaw._of_finite(law._target())
    if isinstance(law, str):
        return TargetLaw._of_recipe(law)
    if isinstance(law, DiscreteGaussian):
        return TargetLaw._of_recipe(law.said)
    raise TypeError(f"law: expected a samplez.DiscreteGaussian, a samplez.TargetLaw or a recipe such as 'sigma=3.2', not {type(law).__name__}")


def _chunks(data: Any, name: str) -> Iterator[npt.NDArray[Any]]:
    """Arrays of one axis."""
    whole = isinstance(data, (list, tuple)) and not any(isinstance(part, np.ndarray) for part in data)
    if whole or hasattr(data, "__array__") or not isinstance(data, Iterable):
        data = (data,)
    for part in data:
        yield exact_array(name, part).reshape(-1)


def _parts(data: Any, name: str = "data") -> Iterator[npt.NDArray[np.int64]]:
    """The values in order, some at a time."""
    count = 0
    for chunk in _chunks(data, name):
        for start in range(0, chunk.size, _STEP):
            part = integers_of(chunk[start : start + _STEP], count, name)
            yield part
            count += part.size


def integers_of(part: npt.NDArray[Any], place: int, name: str) -> npt.NDArray[np.int64]:
    """The same as int64. `place` is that of the first, for errors."""
    if part.dtype.kind not in "iu":
        objects = part.astype(object)
        bad = next((i for i, value in enumerate(objects) if isinstance(value, bool) or not hasattr(value, "__index__")), None)
        if bad is not None:
            raise TypeError(f"{name}[{place + bad}]: expected an integer, not {type(objects[bad]).__name__}")
        part = np.array([int(value) for value in objects], object)
    if part.dtype.kind in "Ou" and part.size:
        beyond = np.flatnonzero((part > 2**63 - 1) | (part < -(2**63)))
        if beyond.size:
            raise ValueError(f"{name}[{place + int(beyond[0])}]: expected an integer of at most 64 bits")
    return np.require(part, np.int64, ["C", "A"])


@overload
def verify(data: Any, law: Law, *, against: None = None, threads: int | None = 1) -> Verification: ...
@overload
def verify(data: Any, law: None = None, *, against: Any, threads: int | None = 1) -> Comparison: ...
def verify(data: Any, law: Law | None = None, *, against: Any = None, threads: int | None = 1) -> Verification | Comparison:
    """Tests whether integers are samples of a distribution, with the tests and the figures of the command ``samplez verify``.

    `data` is an array of integers, or an iterable of such arrays, which takes memory for one of them. `law` is a `DiscreteGaussian`, a
    `TargetLaw`, another law such as `CenteredBinomial` or `Skellam`, or a recipe. For a law modulo q, `data` are residues from 0 to q - 1, or from -q/2 to q/2.

    With `against`, which is of the same types as `data`, no law is needed. The tests are whether both are independent samples of one
    distribution.

    Works on so many `threads`, with ``None`` on one for each core. The result is the same to the last bit for any number. Threads start
    when 2^18 values have gathered.

    Raises `ValueError` for fewer than 100 values and `TypeError` for values that are no integers; errors name the place.

    >>> g = samplez.DiscreteGaussian("3.2")
    >>> samplez.verify(g.sample(100_000, rng=1), g, threads=2).consistent
    True
    >>> import numpy as np
    >>> rounded = np.rint(np.random.default_rng(1).normal(0, 1.5, 100_000)).astype(int)
    >>> result = samplez.verify(rounded, "sigma=1.5")
    >>> result.consistent, result.alternative
    (False, ('RoundedNormal(sigma = 3/2, center = 0)', True))
    >>> both = samplez.verify(g.sample(100_000, rng=1), against=g.sample(50_000, rng=1))
    >>> both.consistent, both.shared
    (False, (146, 146))
    """
    workers = (os.cpu_count() or 1) if threads is None else whole("threads", threads, 1, 1 << 16)
    if against is not None:
        if law is not None:
            raise TypeError("against: law is given too, and two samples are compared without a law; leave one of them out")
        return _compare(data, against, workers)
    if law is None:
        raise TypeError("law: expected a samplez.DiscreteGaussian, a samplez.TargetLaw or a recipe such as 'sigma=3.2'; or give against, a second sample")
    target = _target(law)
    other = target._other()
    verifier = _samplez.Verifier(target._native, workers)
    # An iterator's values come once.
    once = isinstance(data, Iterator)
    beside = _samplez.Verifier(other._native, workers) if other is not None and once else None
    least, most = 0, 0
    for part in _parts(data):
        verifier.push(part)
        if beside is not None:
            beside.push(part)
        least, most = min(least, int(part.min())), max(most, int(part.max()))
    q = target._modulus
    if q is not None and (most >= q or least < -(q // 2) or (least < 0 and most > q // 2)):
        raise ValueError(f"data: has values from {least} to {most}; expected residues from 0 to {q - 1}, or from -{q // 2} to {q // 2}")
    n, consistent, tests, power = verifier.report()
    alternative = None
    if not consistent and other is not None:
        if beside is None:
            beside = _samplez.Verifier(other._native, workers)
            for part in _parts(data):
                beside.push(part)
        alternative = str(other), beside.report()[1]
    rows = tuple(TestResult(*row) for row in tests)
    return Verification(str(target), n, consistent, verifier.ALPHA, rows, dict(power), alternative)


def _head(parts: Iterator[npt.NDArray[np.int64]]) -> tuple[npt.NDArray[np.int64], Iterator[npt.NDArray[np.int64]]]:
    """The first values, and all of them again."""
    taken: list[npt.NDArray[np.int64]] = []
    while sum(part.size for part in taken) < _HEAD and (part := next(parts, None)) is not None:
        taken.append(part)
    return np.concatenate([np.empty(0, np.int64), *taken])[:_HEAD], chain(taken, parts)


def _compare(data: Any, against: Any, workers: int) -> Comparison:
    """Two samples against each other."""
    if data is against and isinstance(data, Iterator):
        raise ValueError("against: is the same iterator as data, whose values come once; give a second one")
    (head, first), (beside, second) = _head(_parts(data)), _head(_parts(against, "against"))
    comparer = _samplez.Comparer(head, beside, workers)
    for part in first:
        comparer.push_first(part)
    for part in second:
        comparer.push_second(part)
    (n, m), consistent, shared, tests, power = comparer.report()
    return Comparison((n, m), consistent, _samplez.Verifier.ALPHA, shared, tuple(TestResult(*row) for row in tests), dict(power))


__all__ = ["Comparison", "TestResult", "Verification", "verify"]
