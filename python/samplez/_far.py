"""Centres beyond 2^62, as the nearest integer and the rest: D_{Z,σ,n+r} is n + D_{Z,σ,r}."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from samplez._numbers import parsed

# A sample is farther than this many σ from its centre with a probability below 2^-128.
_REACH = 14
# Characters of a number that the library reads.
_LONGEST = 2048


def nearest(value: Fraction) -> tuple[int, Fraction]:
    """Returns the nearest integer (the lower of two) and the remainder, as `BigGaussian` does. So both draw the same integers."""
    whole = math.ceil(value - Fraction(1, 2))
    return whole, value - whole


def far(text: str) -> tuple[int, str] | None:
    """Returns the integer and the remainder of a number beyond 2^62; `None` for a smaller number, and for a text that is not a number."""
    whole_part = text.partition("/")[0].partition(".")[0]
    if len(whole_part) <= 18 and "e" not in text and "E" not in text and "/." not in text and "/0" not in text:
        return None
    try:
        value = parsed(text)
    except (ValueError, ZeroDivisionError):
        return None
    if abs(value) <= 2**62:
        return None
    whole, rest = nearest(value)
    return whole, str(rest)


def short(number: int) -> str:
    """An integer, to four digits if it has many."""
    return str(number) if abs(number) < 10**24 else f"{Decimal(number):.3e}"


def extent(centers: Any, sigmas: Any) -> tuple[float, float]:
    """Returns the range outside which each sample of these doubles has a probability below 2^-128."""
    reach = _REACH * sigmas + 2
    return math.floor(np.min(centers - reach)), math.ceil(np.max(centers + reach))


@dataclass(frozen=True)
class Far:
    """The samples with centres beyond 2^62."""

    places: npt.NDArray[np.intp]
    wholes: npt.NDArray[np.object_]
    low: int
    """The least expected integer; `high` is the largest."""
    high: int

    @staticmethod
    def of(places: npt.NDArray[np.intp], wholes: list[int], sigmas: npt.NDArray[np.float64]) -> Far | None:
        """`sigmas` has one entry for each of these samples, or one for all. `None` if there are no such samples."""
        if not wholes:
            return None
        numbers = np.empty(len(wholes), object)
        numbers[:] = wholes
        reaches = [math.ceil(_REACH * sigma) + 3 for sigma in np.broadcast_to(sigmas, numbers.shape).tolist()]
        ends = [(whole - reach, whole + reach) for whole, reach in zip(wholes, reaches, strict=True)]
        return Far(places, numbers, min(low for low, _ in ends), max(high for _, high in ends))

    @property
    def fits(self) -> bool:
        """Whether int64 holds all samples."""
        return self.low >= -(2**63) and self.high < 2**63

    def check(self, kind: np.dtype[Any], argument: str) -> None:
        """Refuses a type that does not hold the samples."""
        info = np.iinfo(kind)
        if not (info.min <= self.low and self.high <= info.max):
            raise ValueError(f"{argument} = {kind}: the samples range from {short(self.low)} to {short(self.high)}, as with a "
                             f"center beyond 2^62; pass no {argument.partition('.')[0]}, for an array of int64 or of Python integers")

    def add(self, samples: npt.NDArray[np.int64], start: int, into: npt.NDArray[Any]) -> None:
        """Adds the integers to samples around the rests; `start` is the place of the first. Raises `OverflowError` if one does not fit."""
        first, end = np.searchsorted(self.places, [start, start + samples.size])
        places = self.places[first:end] - start
        sums = samples[places].astype(object) + self.wholes[first:end]
        if into.dtype != object and any(not -(2**63) <= value < 2**63 for value in sums.tolist()):
            raise OverflowError(f"a sample does not fit {into.dtype}: leave dtype out")
        into[places] = sums


def find(name: str, texts: list[str], element: Callable[[int], str], sigmas: Callable[[], npt.NDArray[np.float64]], size: int) -> tuple[list[str], Far | None]:
    """Replaces each number beyond 2^62 by its remainder. `element` names the place of one. A single text applies to all `size` samples."""
    found = [(place, split) for place, split in enumerate(map(far, texts)) if split is not None]
    rests = list(texts) if found else texts
    for place, (whole, rest) in found:
        if len(rest) > _LONGEST:
            raise ValueError(f"{name}{element(place)} = {short(whole)} and a fraction of {len(rest)} characters: expected at most {_LONGEST}; "
                             "give a center with a shorter fraction")
        rests[place] = rest
    if not found:
        return rests, None
    if len(texts) == 1:
        return rests, Far.of(np.arange(size), [found[0][1][0]] * size, sigmas())
    places = np.array([place for place, _ in found], np.intp)
    widths = sigmas()
    return rests, Far.of(places, [whole for _, (whole, _) in found], widths[places] if widths.size > 1 else widths)


__all__ = ["Far", "extent", "far", "find", "nearest", "short"]
