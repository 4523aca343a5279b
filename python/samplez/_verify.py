"""Statistical tests of integers from any source."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._gaussian import DiscreteGaussian
from samplez._numbers import exact_array
from samplez._target import TargetLaw

# Values that are taken in between two looks at Ctrl-C.
_STEP = 1 << 18


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
        tests = [{name: _json(value) for name, value in test._asdict().items()} for test in self.tests]
        power = {name: _json(value) for name, value in self.power.items()}
        fields = {**self.__dict__, "tests": tests, "power": power, "alternative": other}
        return json.dumps(fields, indent=2, ensure_ascii=False)

    def __str__(self) -> str:
        verdict = "consistent with" if self.consistent else "REJECTED as samples of"
        lines = [f"{self.n} integers, {verdict} {self.law}"]
        for test in self.tests:
            value = test.reason if test.p_value is None else f"p = {test.p_value:.3g}"
            lines.append(f"  {test.verdict:14}  {test.name:24}  {value}")
        if self.alternative and self.alternative[1]:
            lines.append(f"consistent with {self.alternative[0]}, with the same parameters")
        return "\n".join(lines)


def _json(value: Any) -> Any:
    """Infinities are null, as the command has them."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


Law: TypeAlias = Union[DiscreteGaussian, TargetLaw, str]


def _target(law: Law) -> TargetLaw:
    if isinstance(law, TargetLaw):
        return law
    if isinstance(law, str):
        return TargetLaw._of_recipe(law)
    if isinstance(law, DiscreteGaussian):
        return TargetLaw._of_recipe(law.said)
    raise TypeError(f"law: expected a samplez.DiscreteGaussian, a samplez.TargetLaw or a recipe such as 'sigma=3.2', not {type(law).__name__}")


def _chunks(data: Any) -> Iterator[npt.NDArray[Any]]:
    """Arrays of one axis."""
    whole = isinstance(data, (list, tuple)) and not any(isinstance(part, np.ndarray) for part in data)
    if whole or hasattr(data, "__array__") or not isinstance(data, Iterable):
        data = (data,)
    for part in data:
        yield exact_array("data", part).reshape(-1)


def _parts(data: Any) -> Iterator[npt.NDArray[np.int64]]:
    """The values in order, some at a time."""
    count = 0
    for chunk in _chunks(data):
        for start in range(0, chunk.size, _STEP):
            part = _integers(chunk[start : start + _STEP], count)
            yield part
            count += part.size


def _integers(part: npt.NDArray[Any], place: int) -> npt.NDArray[np.int64]:
    """The same as int64. `place` is that of the first, for errors."""
    if part.dtype.kind not in "iu":
        objects = part.astype(object)
        bad = next((i for i, value in enumerate(objects) if isinstance(value, bool) or not hasattr(value, "__index__")), None)
        if bad is not None:
            raise TypeError(f"data[{place + bad}]: expected an integer, not {type(objects[bad]).__name__}")
        part = np.array([int(value) for value in objects], object)
    if part.dtype.kind in "Ou" and part.size:
        beyond = np.flatnonzero((part > 2**63 - 1) | (part < -(2**63)))
        if beyond.size:
            raise ValueError(f"data[{place + int(beyond[0])}]: expected an integer of at most 64 bits")
    return np.ascontiguousarray(part, np.int64)


def verify(data: Any, law: Law) -> Verification:
    """Tests whether integers are samples of a distribution, with the tests and the figures of the command ``samplez verify``.

    `data` is an array of integers, or an iterable of such arrays, which takes memory for one of them. `law` is a `DiscreteGaussian`, a
    `TargetLaw` or a recipe. For a law modulo q, `data` are residues from 0 to q - 1, or from -q/2 to q/2.

    Raises `ValueError` for fewer than 100 values and `TypeError` for values that are no integers; errors name the place.

    >>> g = samplez.DiscreteGaussian("3.2")
    >>> samplez.verify(g.sample(100_000, rng=1), g).consistent
    True
    >>> import numpy as np
    >>> rounded = np.rint(np.random.default_rng(1).normal(0, 1.5, 100_000)).astype(int)
    >>> result = samplez.verify(rounded, "sigma=1.5")
    >>> result.consistent, result.alternative
    (False, ('RoundedNormal(sigma = 3/2, center = 0)', True))
    """
    target = _target(law)
    other = target._other()
    verifier = _samplez.Verifier(target._native)
    # An iterator's values come once.
    once = isinstance(data, Iterator)
    beside = _samplez.Verifier(other._native) if other is not None and once else None
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
            beside = _samplez.Verifier(other._native)
            for part in _parts(data):
                beside.push(part)
        alternative = str(other), beside.report()[1]
    rows = tuple(TestResult(*row) for row in tests)
    return Verification(str(target), n, consistent, verifier.ALPHA, rows, dict(power), alternative)


__all__ = ["TestResult", "Verification", "verify"]
