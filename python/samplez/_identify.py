"""Which distribution integers are from."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from samplez import _samplez
from samplez._numbers import whole, workers_of
from samplez._recipe import suggests
from samplez._target import TargetLaw
from samplez._verify import TestResult, all_of


class Estimate(NamedTuple):
    """A parameter of a distribution."""

    value: float
    """The likeliest value."""
    interval: tuple[float, float] | None
    """The 99 % interval; ``None`` where the values leave it open, and for parameters without one."""
    simplest: str
    """The decimal with the fewest digits in the interval."""


@dataclass(frozen=True)
class Candidate:
    """A distribution with its parameters, and its tests."""

    name: str
    verdict: str
    """``pass``, ``reject`` or ``not applicable``."""
    reason: str | None
    """Why it does not apply."""
    parameters: dict[str, Estimate]
    range: tuple[int, int] | None
    """The range that the distribution is cut to."""
    shift: int
    """The integer that is added to a distribution about 0."""
    floor: bool
    """Whether it is the floor of a normal variable about 0."""
    known: tuple[str, ...]
    """Samplers of other libraries that drew this distribution with such parameters, in the census: package, version and call."""
    tests: tuple[TestResult, ...]


@dataclass(frozen=True)
class Identification:
    """The result of `identify`, with the fields of ``samplez identify --json``."""

    n: int
    """The number of values that were judged."""
    range: tuple[int, int]
    """The least and the greatest value; of residues, of those about 0."""
    mean: float
    deviation: float
    modulus: int | None
    """q, if the values are residues modulo q."""
    modulus_seen: bool
    """Whether the modulus was seen in the values: it is then the greatest value plus 1, or the power of two just above."""
    consistent: bool
    """Whether a distribution passes, and no test of the order rejects."""
    laws: tuple[Candidate, ...]
    """Those that pass come first, the likeliest before the others."""
    order: tuple[TestResult, ...]
    """The tests of the order, which hold for any distribution."""
    separation: float | None
    """About so many values separate the first two that pass; ``None`` for fewer than two, and from 10^18 on."""

    def __str__(self) -> str:
        lines = [f"{self.n} integers from {self.range[0]} to {self.range[1]}" + (f", residues modulo {self.modulus}" if self.modulus else "")]
        for law in self.laws:
            values = ", ".join(f"{name} {of.value:.6g}" for name, of in law.parameters.items())
            lines.append(f"  {law.verdict:14}  {law.name:18}  {law.reason or values}".rstrip())
        broken = [test.name for test in self.order if test.verdict == "reject"]
        if broken:
            lines.append(f"REJECTED: the values are not independent ({', '.join(broken[:3])})")
        return "\n".join(lines)


@partial(suggests, beside=("samplez.TargetLaw", tuple(inspect.signature(TargetLaw).parameters)), ways={"law": "samplez.verify tests a distribution that you name"})
def identify(data: Any, *, modulus: int | None = None, threads: int | None = 1) -> Identification:
    """Finds the distributions that integers may be from, and their parameters, as the command ``samplez identify`` does.

    `data` is an array of integers, or an iterable of such arrays, as for `verify`. With `modulus`, they are residues from 0 to q - 1, or
    from -q/2 to q/2. Works on so many `threads`, with ``None`` on one for each core.

    Raises `ValueError` for fewer than 100 values, and if all are equal.

    >>> g = samplez.DiscreteGaussian("1")
    >>> found = samplez.identify(g.sample(100_000, rng=1))
    >>> found.laws[0].name, found.laws[0].parameters["sigma"].simplest
    ('discrete Gaussian', '1')
    """
    workers = workers_of(threads)
    q = None if modulus is None else whole("modulus", modulus, 2, 1 << 64)
    finder = _samplez.Identifier(q, workers)
    least, most = 0, 0
    for part in all_of(data, "data", q):
        finder.push(part)
        if part.size:
            least, most = min(least, int(part.min())), max(most, int(part.max()))
    if q is not None and q <= 2**63 and (most >= q or least < -(q // 2) or (least < 0 and most > q // 2)):
        raise ValueError(f"data: has values from {least} to {most}; expected residues from 0 to {q - 1}, or from -{q // 2} to {q // 2}")
    try:
        n, span, mean, deviation, found, seen, consistent, laws, order, separation = finder.report()
    except ValueError as refused:
        raise ValueError(f"data: {refused}") from None
    rows = tuple(
        Candidate(name, verdict, reason, {of: Estimate(value, interval, simplest) for of, value, interval, simplest in parameters}, cut, shift, floor, tuple(known), tuple(TestResult(*row) for row in tests))
        for name, verdict, reason, parameters, cut, shift, floor, known, tests in laws
    )
    return Identification(n, span, mean, deviation, found, seen, consistent, rows, tuple(TestResult(*row) for row in order), separation)


__all__ = ["Candidate", "Estimate", "Identification", "identify"]
