"""The law as a frozen distribution, by the names and habits of `scipy.stats`."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._numbers import checked_call, exact_array, exact_fraction, index_of, mistyped, whole, wrong
from samplez._recipe import Names, suggests
from samplez._tables import pieces, tables_of
from samplez._typing import ManyNumbers, OneNumber

# The most values that `expect` adds up.
_TERMS = 1 << 22
_LEAST, _MOST = -(2**63), 2**63 - 1
# What a function tends to on the left and on the right.
_ENDS = {
    "pmf": (0.0, 0.0),
    "cdf": (0.0, 1.0),
    "sf": (1.0, 0.0),
    "logpmf": (-math.inf, -math.inf),
    "logcdf": (-math.inf, 0.0),
    "logsf": (0.0, -math.inf),
}


def _numbers(name: str, values: object, real: Callable[[str, object], int | float]) -> npt.NDArray[Any]:
    """An array of integers or floats, or of Python's integers that are too large for one; `real` makes them of other types' numbers."""
    array = exact_array(name, values)
    if array.dtype.kind in "iuf" or not array.size:
        return array
    numbers = np.empty(array.size, object)
    for place, value in enumerate(array.flat):
        plain = value.item() if isinstance(value, np.generic) else value
        refused = mistyped(f"{name}{index_of(array, place)}", plain, "a number")
        if array.dtype != object or isinstance(value, str):
            raise refused
        try:
            numbers[place] = value if isinstance(value, float) else real(name, value)
        except TypeError:
            raise refused from None
    if not all(isinstance(value, int) for value in numbers):
        if any(isinstance(value, int) and abs(value) > 2**53 for value in numbers):
            raise ValueError(f"{name}: expected integers alone, as some are beyond 2^53")
        numbers = numbers.astype(np.float64)
    return numbers.reshape(array.shape)


def _point(name: str, value: object) -> int | float:
    """An integer, or a float that is none, with the same floor."""
    exact = exact_fraction(name, value)
    if exact.denominator == 1:
        return int(exact)
    if abs(exact) >= 2**52:
        raise wrong(name, value, "an integer, as from 2^52 on no double lies between two")
    near = float(exact)
    return near if not near.is_integer() and math.floor(near) == math.floor(exact) else math.floor(exact) + 0.5


def _levels(name: str, values: object) -> npt.NDArray[np.float64]:
    """Probabilities as doubles."""
    return _numbers(name, values, lambda name, value: float(exact_fraction(name, value))).astype(np.float64)


def values_of(native: _samplez.Sampler | _samplez.TargetLaw, name: str, x: object) -> Any:
    """A function of a native law at each x, also beyond 64 bits and between integers."""
    return values_at(lambda within: pieces(getattr(native, name), within, np.float64), name, x)


def values_at(function: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float64]], name: str, x: object) -> Any:
    """A function at each x, of which `function` has the values at 64-bit integers."""
    values, (left, right) = _numbers("x", x, _point), _ENDS[name]
    floor = np.floor(values) if values.dtype.kind == "f" else values
    # NaN is neither below nor above.
    below, above = np.asarray(floor < float(_LEAST)), np.asarray(floor >= 2.0**63)
    within = np.where(below | above | (floor != floor), 0, floor).astype(np.int64)
    result = function(within)
    for beyond, edge, limit in ((below, _LEAST, left), (above, _MOST, right)):
        if beyond.any():
            # These functions are monotonic in the tails: if the last value of 64 bits has the limit, so have those beyond.
            finite = any(-math.inf < value < math.inf for value in values[beyond].tolist())
            if finite and function(np.array([edge]))[0] != limit:
                raise OverflowError(f"x: expected a value between -2^63 and 2^63 - 1, where {name} does not end yet")
            result[beyond] = limit
    if values.dtype.kind == "f":
        if name in ("pmf", "logpmf"):
            result[floor != values] = left
        result[np.isnan(values)] = math.nan
    return result.item() if result.ndim == 0 else result


_POINT = {"q": "write x for the point"}
"""Ways out of functions of a point."""
_LEVEL = dict.fromkeys(("k", "p", "x"), "write q for the probability")
"""Ways out of quantiles."""


class Functions(Names):
    """The functions of a law, of which `_at` computes one at each x."""

    __slots__ = ()

    def _at(self, name: str, x: object) -> Any:
        raise NotImplementedError

    @overload
    def pmf(self, x: OneNumber) -> float: ...
    @overload
    def pmf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def pmf(self, x: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_POINT)
    def pmf(self, x: Any) -> Any:
        """P(X = x), correctly rounded; where the law is reduced modulo q or on all integers, from 2^-900 on. 0 between integers. For a law
        modulo q an integer x stands for its residue."""
        return self._at("pmf", x)

    @overload
    def logpmf(self, x: OneNumber) -> float: ...
    @overload
    def logpmf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def logpmf(self, x: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_POINT)
    def logpmf(self, x: Any) -> Any:
        """ln P(X = x), where P is 2^-900 or more. -inf between integers. For a law modulo q an integer x stands for its residue."""
        return self._at("logpmf", x)

    @overload
    def cdf(self, x: OneNumber) -> float: ...
    @overload
    def cdf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def cdf(self, x: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_POINT)
    def cdf(self, x: Any) -> Any:
        """P(X <= x), correctly rounded as `pmf`. For a law modulo q, X and x are values of `support`."""
        return self._at("cdf", x)

    @overload
    def sf(self, x: OneNumber) -> float: ...
    @overload
    def sf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def sf(self, x: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_POINT)
    def sf(self, x: Any) -> Any:
        """P(X > x), correctly rounded as `pmf`. For a law modulo q, X and x are values of `support`."""
        return self._at("sf", x)

    @suggests
    def var(self) -> float:
        raise NotImplementedError

    @suggests
    def std(self) -> float:
        """The standard deviation: the square root of `var`. Raises as `var`."""
        return math.sqrt(self.var())


class Law:
    """D_{Z,σ,c} by its functions; that of a `DiscreteGaussian`."""

    __slots__ = ("_sampler",)
    _sampler: _samplez.Sampler

    def _each(self, name: str, x: object) -> Any:
        return values_at(partial(tables_of(self._sampler).values, name), name, x)

    @overload
    def pmf(self, x: OneNumber) -> float: ...
    @overload
    def pmf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def pmf(self, x: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_POINT)
    def pmf(self, x: Any) -> Any:
        """P(X = x) of D_{Z,σ,c}, correctly rounded: the double nearest to the exact value. 0 between integers.

        >>> g = samplez.DiscreteGaussian("3.2")
        >>> g.pmf(0), g.pmf([-1, 40]).tolist(), g.pmf(0.5)
        (0.12466946262544772, [0.11872831443707117, 1.4672485493672332e-35], 0.0)
        """
        return self._each("pmf", x)

    @overload
    def logpmf(self, x: OneNumber) -> float: ...
    @overload
    def logpmf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def logpmf(self, x: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_POINT)
    def logpmf(self, x: Any) -> Any:
        """ln P(X = x), correctly rounded, also where `pmf` is 0 as a double.

        >>> samplez.DiscreteGaussian("3.2").logpmf([0, 1000]).tolist()
        [-2.0820893430103538, -48830.207089343014]
        """
        return self._each("logpmf", x)

    @overload
    def cdf(self, x: OneNumber) -> float: ...
    @overload
    def cdf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def cdf(self, x: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_POINT)
    def cdf(self, x: Any) -> Any:
        """P(X <= x), correctly rounded, in time independent of σ. For σ up to 1600 a table answers
        once as many values were computed as it has.

        >>> samplez.DiscreteGaussian("1e12").cdf(-5 * 10**12)
        2.866515718799373e-07
        """
        return self._each("cdf", x)

    @overload
    def logcdf(self, x: OneNumber) -> float: ...
    @overload
    def logcdf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def logcdf(self, x: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_POINT)
    def logcdf(self, x: Any) -> Any:
        """ln P(X <= x), correctly rounded."""
        return self._each("logcdf", x)

    @overload
    def sf(self, x: OneNumber) -> float: ...
    @overload
    def sf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def sf(self, x: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_POINT)
    def sf(self, x: Any) -> Any:
        """P(X > x), correctly rounded, in the far tail too."""
        return self._each("sf", x)

    @overload
    def logsf(self, x: OneNumber) -> float: ...
    @overload
    def logsf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def logsf(self, x: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_POINT)
    def logsf(self, x: Any) -> Any:
        """ln P(X > x), correctly rounded."""
        return self._each("logsf", x)

    def _quantile(self, name: str, q: object, at_zero: float) -> Any:
        values = _levels("q", q)
        inside = np.asarray((values > 0) & (values < 1))
        result: npt.NDArray[Any]
        if inside.all():
            result = tables_of(self._sampler).quantiles(name, values)
        else:
            result = np.full(values.shape, math.nan)
            result[values == 0], result[values == 1] = at_zero, -at_zero
            result[inside] = tables_of(self._sampler).quantiles(name, values[inside])
        return result.item() if result.ndim == 0 else result

    @overload
    def ppf(self, q: OneNumber) -> float: ...
    @overload
    def ppf(self, q: ManyNumbers) -> npt.NDArray[Any]: ...
    @overload
    def ppf(self, q: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_LEVEL)
    def ppf(self, q: Any) -> Any:
        """The least x with cdf(x) >= q, of the double that `cdf` returns, as SciPy defines it. For an integer x, ``ppf(cdf(x)) == x``
        if and only if cdf(x - 1) < cdf(x) < 1 as doubles. Where cdf(x) rounds to 1, ``ppf(cdf(x))`` is inf; use ``isf(sf(x))`` there.

        An int, or an array of int64, for 0 < q < 1. Where some q is not, these are floats: -inf for 0 and inf for 1, as SciPy has
        it, and NaN for others. Raises `OverflowError` if x lies beyond 64 bits.

        >>> g = samplez.DiscreteGaussian("3.2")
        >>> g.ppf([0.025, 0.5, 0.975]).tolist(), g.ppf([0, 0.5, 1, 2]).tolist()
        ([-6, 0, 6], [-inf, 0.0, inf, nan])
        >>> g.ppf(g.cdf(25)), g.cdf(26), g.ppf(g.cdf(26)), g.isf(g.sf(26))
        (25, 1.0, inf, 26)
        """
        return self._quantile("ppf", q, -math.inf)

    @overload
    def isf(self, q: OneNumber) -> float: ...
    @overload
    def isf(self, q: ManyNumbers) -> npt.NDArray[Any]: ...
    @overload
    def isf(self, q: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways=_LEVEL)
    def isf(self, q: Any) -> Any:
        """The least x with sf(x) <= q, of the double that `sf` returns; for q near 0 it finds values that `ppf` of 1 - q cannot. The
        result is as with `ppf`. For an integer x, ``isf(sf(x)) == x`` if and only if sf(x - 1) > sf(x) > 0 as doubles.

        >>> samplez.DiscreteGaussian("3.2").isf([0.975, 0.025, 1e-100]).tolist()
        [-6, 6, 68]
        """
        return self._quantile("isf", q, math.inf)

    @suggests
    def median(self) -> int:
        """The least x with P(X <= x) >= 1/2."""
        return int(self.ppf(0.5))

    @overload
    def interval(self, confidence: OneNumber) -> tuple[float, float]: ...
    @overload
    def interval(self, confidence: ManyNumbers) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]: ...
    @overload
    def interval(self, confidence: npt.ArrayLike) -> Any: ...
    @partial(suggests, ways={"alpha": "write confidence for the probability of the interval"})
    def interval(self, confidence: Any) -> Any:
        """`ppf` and `isf` of (1 - confidence)/2, between which X lies at least so often.

        >>> samplez.DiscreteGaussian("3.2").interval(0.95)
        (-6, 6)
        """
        levels = _levels("confidence", confidence)
        if not ((levels >= 0) & (levels <= 1)).all():
            raise wrong("confidence", confidence, "a value between 0 and 1")
        tail = (1 - levels) / 2
        return self.ppf(tail), self.isf(tail)

    @suggests
    def mean(self) -> float:
        """E[X], correctly rounded. It is not the centre where σ is small."""
        return self._sampler.mean()

    @suggests
    def var(self) -> float:
        """The variance, correctly rounded. It is not σ² where σ is small."""
        return self._sampler.var()

    @suggests
    def std(self) -> float:
        """The standard deviation, correctly rounded. It is not σ where σ is small.

        >>> samplez.DiscreteGaussian("0.5").std()
        0.46369459247239286
        """
        return self._sampler.std()

    @suggests
    def stats(self, moments: str = "mv") -> float | tuple[float, ...]:
        """Of mean (``m``), variance (``v``), skewness (``s``) and excess kurtosis (``k``) those that are asked for, in this order.

        >>> samplez.DiscreteGaussian("3.2").stats(), samplez.DiscreteGaussian(10).stats("k")
        ((0.0, 10.24), 0.0)
        """
        if not isinstance(moments, str):
            raise mistyped("moments", moments, "a str")
        if not moments or set(moments) - set("mvsk"):
            raise wrong("moments", moments, "some of the letters m, v, s, k")
        skewness, kurtosis = self._sampler.shape() if set(moments) & set("sk") else (0.0, 0.0)
        every = {"m": self.mean(), "v": self.var(), "s": skewness, "k": kurtosis}
        asked = tuple(value for letter, value in every.items() if letter in moments)
        return asked[0] if len(asked) == 1 else asked

    @partial(suggests, ways={"n": "write order for the order of the moment", "k": "write order for the order of the moment"})
    def moment(self, order: int) -> float:
        """E[X^order], for an order from 0 to 32; inf where doubles end.

        >>> samplez.DiscreteGaussian("3.2").moment(2)
        10.24
        """
        moment = self._sampler.moment(whole("order", order, 0, 32))
        assert moment is not None
        return moment

    @partial(suggests, ways=dict.fromkeys(("loc", "args"), "the distribution states its centre and width, so leave it out"))
    def expect(
        self,
        func: Callable[[npt.NDArray[np.float64]], npt.ArrayLike] | None = None,
        lb: float | None = None,
        ub: float | None = None,
        conditional: bool = False,
    ) -> float:
        """E[func(X)] over lb <= X <= ub, by adding up func(x)·P(X = x) wherever that probability is a double above 0; given that X
        lies there, if `conditional`.

        `func` takes an array of integers as floats, as SciPy's does, and is x by default. Raises `ValueError` for more
        than 2^22 values, which σ above about 54,500 has; `lb` and `ub` make them fewer.

        >>> g = samplez.DiscreteGaussian("3.2")
        >>> round(g.expect(lambda x: x**2), 9), round(g.expect(lb=0, conditional=True), 6)
        (10.24, 2.251639)
        """
        checked_call("func", func)
        low, high = int(self.ppf(5e-324)) - 1, int(self.isf(5e-324)) + 1
        asked = []
        for name, bound, least in (("lb", lb, -math.inf), ("ub", ub, math.inf)):
            number = least if bound is None else bound
            if isinstance(number, (bool, np.bool_)) or not isinstance(number, (int, float, np.integer, np.floating)):
                raise mistyped(name, number, "a number")
            if number != number:
                raise wrong(name, number, "a number")
            asked.append(number)
        low = low if asked[0] <= low else (high + 1 if asked[0] > high else math.ceil(asked[0]))
        high = high if asked[1] >= high else (low - 1 if asked[1] < low else math.floor(asked[1]))
        if high - low >= _TERMS:
            raise ValueError(f"lb, ub: {high - low + 1} values between them: expected at most 2^22; narrow lb and ub")
        x = np.arange(low, high + 1, dtype=np.int64)
        values = x.astype(np.float64)
        results = np.asarray(values if func is None else func(values))
        if results.dtype.kind not in "biuf":
            raise TypeError(f"func: expected a function that returns real numbers, not {results.dtype}")
        terms = np.broadcast_to(results, x.shape) * self.pmf(x)
        total = math.fsum(terms.tolist()) if np.isfinite(terms).all() else float(terms.sum())
        if not conditional:
            return total
        mass = self._sampler.mass(low, high) if low <= high else 0.0
        return total / mass if mass > 0 else math.nan

    @suggests
    def entropy(self, base: float | None = None) -> float:
        """The entropy in nats, as SciPy gives it, correctly rounded; in bits with ``base=2``.

        >>> g = samplez.DiscreteGaussian("3.2")
        >>> g.entropy(), g.entropy(base=2)
        (2.5820893430103538, 3.7251674902932788)
        """
        if base is None:
            return self._sampler.entropy()
        if isinstance(base, bool) or not isinstance(base, (int, float, np.integer, np.floating)):
            raise mistyped("base", base, "a number")
        entropy = self._sampler.entropy_in(float(base))
        if entropy is None:
            raise wrong("base", base, "a finite number above 1")
        return entropy

    @suggests
    def support(self) -> tuple[float, float]:
        """The law's support: (-inf, inf). The sampler's is ``certificate().support``."""
        return -math.inf, math.inf



__all__ = ["Functions", "Law", "values_of"]
