"""Values of a law's functions in tables, built once enough were asked for; and quantiles of the doubles that the functions return."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from samplez import _samplez

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# Values of the law computed between two looks at Ctrl-C: some tenths of a second.
_PIECE = 1 << 13
# The longest table, and how far it goes, in standard deviations: beyond, the mass is below 2^-70.
_LONGEST, _REACH = 1 << 15, 10.0
_LEAST = -(2**63)
# From this σ on the normal distribution's quantiles, at half integers, are the law's but for a few.
_WIDE = 20.0
_NORMAL = NormalDist()


def pieces(function: Any, values: npt.NDArray[Any], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """The function of every value, each computed once, with a look at Ctrl-C now and then."""
    different, places = np.unique(values, return_inverse=True)
    results = [function(different[start : start + _PIECE]) for start in range(0, different.size, _PIECE)]
    return np.asarray(np.concatenate([np.empty(0, dtype), *results])[places.reshape(values.shape)])


class Tables:
    """The functions of one law at the integers between its far tails."""

    def __init__(self, sampler: _samplez.Sampler) -> None:
        self._sampler = sampler
        self._mean, self._std = sampler.mean(), sampler.std()
        self._low, self._size = 0, 0
        if abs(self._mean) < 2.0**62 and 2 * _REACH * self._std + 6 < _LONGEST:
            self._low = math.floor(self._mean - _REACH * self._std) - 2
            self._size = math.ceil(self._mean + _REACH * self._std) + 3 - self._low
        self._computed: dict[str, int] = {}
        self._tables: dict[str, Floats] = {}

    def _table(self, name: str, more: int) -> Floats | None:
        """The table of a function. It is there from the call on with which so many values were computed without it as it has."""
        if name in self._tables or not self._size:
            return self._tables.get(name)
        self._computed[name] = self._computed.get(name, 0) + more
        if self._computed[name] < self._size:
            return None
        x = np.arange(self._low, self._low + self._size, dtype=np.int64)
        return self._tables.setdefault(name, pieces(getattr(self._sampler, name), x, np.float64))

    def values(self, name: str, x: Ints) -> Floats:
        """A function at each x."""
        function = getattr(self._sampler, name)
        table = self._table(name, x.size)
        if table is None:
            return pieces(function, x, np.float64)
        inside = (x >= self._low) & (x < self._low + self._size)
        result = np.asarray(table[np.where(inside, x, self._low) - self._low])
        if not inside.all():
            result[~inside] = pieces(function, x[~inside], np.float64)
        return result

    def quantiles(self, name: str, q: Floats) -> Ints:
        """The least x with cdf(x) >= q (`ppf`) or sf(x) <= q (`isf`), of the doubles that these are; 0 < q < 1."""
        table = self._table("cdf" if name == "ppf" else "sf", q.size)
        if table is None:
            return np.asarray(pieces(lambda q: self._exact(name, q), q, np.int64))
        if name == "ppf":
            place = np.searchsorted(table, q)
        else:
            place = table.size - np.searchsorted(table[::-1], q, "right")
        # Of the first entry it is not known whether it is the least.
        known = (place > 0) & (place < table.size)
        result = np.asarray(self._low + place, np.int64)
        if not known.all():
            result[~known] = pieces(lambda q: self._exact(name, q), q[~known], np.int64)
        return result

    def _exact(self, name: str, q: Floats) -> Ints:
        """The same without a table: the normal distribution's quantile if the function confirms it, or the exact law's.
        The latter is the least integer, except for ties by rounding."""
        function, reaches = (self._sampler.cdf, np.greater_equal) if name == "ppf" else (self._sampler.sf, np.less_equal)
        x, mean, std = np.zeros(q.shape, np.int64), self._mean, self._std
        found = np.zeros(q.shape, bool)
        if std > _WIDE:
            normal = np.array([_NORMAL.inv_cdf(one) for one in q.tolist()])
            near = np.ceil(mean + std * (normal if name == "ppf" else -normal) - 0.5)
            found = abs(near) < 2.0**53
            x[found] = near[found]
            found[found] = reaches(function(x[found]), q[found]) & ~reaches(function(x[found] - 1), q[found])
        if not found.all():
            rest = getattr(self._sampler, name)(q[~found])
            _descend(rest, q[~found], function, reaches)
            x[~found] = rest
        return x


def _descend(x: Ints, q: Floats, function: Callable[[Ints], Floats], reaches: Any) -> None:
    """Replaces each x by the least integer at which the function, which is monotonic, reaches q; it does at x."""
    step = np.ones_like(x)
    going = np.arange(x.size)
    # From each x downwards by 1, 2, 4, …: `beyond` is below the least, at last.
    beyond = np.empty_like(x)
    while going.size:
        beyond[going] = np.maximum(x[going], _LEAST + step[going]) - step[going]
        tied = reaches(function(beyond[going]), q[going]) & (beyond[going] < x[going])
        x[going[tied]] = beyond[going[tied]]
        going = going[tied]
        step[going] *= 2
    wide = np.flatnonzero(x - beyond > 1)
    while wide.size:
        middle = beyond[wide] + (x[wide] - beyond[wide]) // 2
        tied = reaches(function(middle), q[wide])
        x[wide[tied]], beyond[wide[~tied]] = middle[tied], middle[~tied]
        wide = wide[x[wide] - beyond[wide] > 1]


@lru_cache(maxsize=32)
def tables_of(sampler: _samplez.Sampler) -> Tables:
    """The tables of a sampler's law, which equal samplers share."""
    return Tables(sampler)


__all__ = ["pieces", "tables_of"]
