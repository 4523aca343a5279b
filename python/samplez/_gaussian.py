"""The distribution: sampling and probabilities."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias, Union, overload

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._certificate import Certificate, certificate_of
from samplez._numbers import Number, name_of, whole
from samplez._random import Progress, Rng, seed_for, stream_of
from samplez._recipe import Options, build, recipe_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from typing_extensions import Self, Unpack

Integers: TypeAlias = "npt.NDArray[np.signedinteger[Any]]"
Size: TypeAlias = Union[SupportsIndex, "Sequence[SupportsIndex]"]
DTYPES = tuple(np.dtype(name) for name in ("int8", "int16", "int32", "int64"))
# Samples of a stream between two looks at Ctrl-C and two calls of `progress`.
STEP = 1 << 20
# Values of the law computed between two looks at Ctrl-C: some tenths of a second.
PIECE = 1 << 13


def integers(name: str, dtype: npt.DTypeLike) -> np.dtype[Any]:
    """One of the four types that are filled."""
    try:
        kind = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"{name} = {dtype!r}: must be int8, int16, int32 or int64") from None
    if kind not in DTYPES:
        raise TypeError(f"{name} = {kind}: must be int8, int16, int32 or int64, in the machine's byte order")
    return kind


class DiscreteGaussian:
    """The discrete Gaussian over the integers, D_{Z,σ,c}: P(X = x) is proportional to exp(-(x-c)²/(2σ²)).

    The width is given in one of four forms: `sigma`, `sigma_squared`, `k_sigma2` (σ = k·sqrt(1/(2 ln 2)), as BLISS has
    it) or `s` (σ = s/sqrt(2π)); `center` is 0 unless said. Numbers are a str, int, Fraction, Decimal or float, and none is
    rounded: a float is the shortest decimal that reads back as it, so that ``3.2`` and ``"3.2"`` are 16/5. The double itself,
    3602879701896397/1125899906842624, is ``Fraction(3.2)`` or ``Decimal(3.2)``.

    `method` is a name of `samplez.methods()`, or ``"auto"`` for the planner's choice, as it is if none is said. The options are
    those of `samplez.options()`: `precision`, `memory`, `rectangles`, `tail`, `chord`, `pdf_table`, `frugal`, `exact`,
    `constant_time`, `isochronous`, `setup_time`. One that the method would ignore is refused.

    Raises `ValueError` for what the library refuses, `TypeError` for what is no number; both name the argument. Distributions
    are equal if they have the same law, however it is written, and the same method and options were said. Immutable, picklable
    (as the text of what was said), safe to share between threads.

    >>> g = samplez.DiscreteGaussian("3.2")
    >>> g.sample(5, rng=7).shape
    (5,)
    >>> round(g.pmf(0), 6)
    0.124669
    >>> g == samplez.DiscreteGaussian(sigma_squared=10.24)
    True
    """

    __slots__ = ("__weakref__", "_sampler")

    def __init__(
        self,
        sigma: Number | None = None,
        center: Number | None = None,
        *,
        sigma_squared: Number | None = None,
        k_sigma2: Number | None = None,
        s: Number | None = None,
        method: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        chosen = None if method is None else name_of("method", method)
        widths = {"sigma": sigma, "sigma_squared": sigma_squared, "k_sigma2": k_sigma2, "s": s}
        self._sampler = build(recipe_text({**widths, "center": center, "method": chosen, **options}))

    @classmethod
    def from_recipe(cls, recipe: str) -> Self:
        """The distribution of a recipe, a text such as ``"sigma=16/5,method=cdt,precision=72"``, as every part of the
        project reads and writes it: pairs in any order, between commas or ampersands. Raises `ValueError`.

        >>> samplez.DiscreteGaussian.from_recipe("sigma=3.2,center=1/3,exact=true").said
        'sigma=16/5,center=1/3,exact=true'
        """
        return cls._of(build(name_of("recipe", recipe)))

    @classmethod
    def _of(cls, sampler: _samplez.Sampler) -> Self:
        self = cls.__new__(cls)
        self._sampler = sampler
        return self

    @property
    def said(self) -> str:
        """What was said, as a text; `from_recipe` makes an equal distribution of it."""
        return self._sampler.said

    @property
    def recipe(self) -> str:
        """What was built, as a text: the method is named, and what was left open is said. `from_recipe` builds this very
        sampler of it on any machine, whatever the planner there would choose.

        >>> samplez.DiscreteGaussian("3.2", constant_time=True).recipe
        'sigma=16/5,method=cdt-lazy-ct,precision=128'
        """
        return self._sampler.recipe

    @property
    def method(self) -> str:
        """The method in use, named or chosen."""
        return self._sampler.method

    @property
    def sigma(self) -> float:
        """The parameter σ as a double, within 3 units in the last place."""
        return self._sampler.sigma()

    @overload
    def sample(
        self,
        size: None = None,
        rng: Rng = None,
        dtype: npt.DTypeLike | None = None,
        out: None = None,
        *,
        source: str = "chacha20",
        first: int = 0,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> int: ...
    @overload
    def sample(
        self,
        size: Size,
        rng: Rng = None,
        dtype: npt.DTypeLike | None = None,
        out: Integers | None = None,
        *,
        source: str = "chacha20",
        first: int = 0,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> Integers: ...
    @overload
    def sample(
        self,
        size: Size | None = None,
        rng: Rng = None,
        dtype: npt.DTypeLike | None = None,
        *,
        out: Integers,
        source: str = "chacha20",
        first: int = 0,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> Integers: ...
    def sample(
        self,
        size: Size | None = None,
        rng: Rng = None,
        dtype: npt.DTypeLike | None = None,
        out: Integers | None = None,
        *,
        source: str = "chacha20",
        first: int = 0,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> int | Integers:
        """Draws samples: an int, or an array of shape `size`, filled in place without the interpreter's lock.

        `rng` is one of:

        - ``None``: a seed from the operating system.
        - A seed: 32 bytes, or a str of 64 hexadecimal digits; or an int from 0 to 2^64 - 1, a short seed, which is for results to
          reproduce and not for secrets. Sample number i then is a function of the distribution, `source`, the seed and i, the
          same in every language and for any number of `threads`; the array holds the samples `first`, `first` + 1, … in C
          order. Two calls with one seed give the same integers.
        - A `samplez.Source`: its stream's next bits.
        - A NumPy ``Generator``, ``BitGenerator`` or ``RandomState``: its 64-bit words, its lock held. They are taken 128 at
          a time; what is left of the last 128 at the end of the call is dropped.

        `dtype` is int8, int16, int32 or int64 (the default). `out` is a C-contiguous, writeable array to fill instead of a
        new one. `threads` counts for seeds only; ``None`` takes every core. `progress` is called, as ``progress(done, total)``,
        after every 2^20 samples a thread; Ctrl-C works then, too.

        Raises `OverflowError` if a sample does not fit the dtype, `TypeError` and `ValueError` for arguments; what `out`
        holds then is unspecified. Raises `OSError` if a source or generator gives no random bits or is stuck; `out` is all
        zeros then.
        """
        if progress is not None and not callable(progress):
            raise TypeError(f"progress: must be callable, not {type(progress).__name__}")
        array = self._array(size, dtype, out)
        flat = array.reshape(-1)  # a view: the array is contiguous
        try:
            if rng is None or isinstance(rng, (int, np.integer, bytes, bytearray, memoryview, str)):
                self._addressed(flat, seed_for(source, rng, "rng"), source, first, threads, progress)
            else:
                if threads not in (1, None) or first != 0 or source != "chacha20":
                    raise ValueError("threads, first and source go with a seed: a stream has bits of its own, in one order")
                self._streamed(flat, rng, progress)
        except OSError:
            flat.fill(0)
            raise
        return int(array[()]) if size is None and out is None else array

    def _addressed(
        self, flat: Integers, seed: bytes, source: str, first: int, threads: int | None, progress: Progress | None
    ) -> None:
        """Samples `first` and on of (source, seed)."""
        first, total = whole("first", first, 0, 2**64 - 1), flat.size
        if first + total > 2**64:
            raise ValueError(f"first = {first}: with {total} samples the last address must be below 2^64")
        workers = (os.cpu_count() or 1) if threads is None else whole("threads", threads, 1, 1 << 16)
        self._sampler.fill(flat, source, seed, first, workers, progress)

    def _streamed(self, flat: Integers, rng: object, progress: Progress | None) -> None:
        """The next samples of a stream."""
        stream, lock = stream_of(rng)
        with lock:
            for start in range(0, max(flat.size, 1), STEP):
                part = flat[start : start + STEP]
                self._sampler.fill_stream(part, stream)
                if progress is not None:
                    progress(start + part.size, flat.size)

    @staticmethod
    def _array(size: Size | None, dtype: npt.DTypeLike | None, out: Integers | None) -> Integers:
        """A new array, or `out` if it will do."""
        wanted = None if dtype is None else integers("dtype", dtype)
        shape: tuple[int, ...] | None = None
        if size is not None:
            lengths: Sequence[Any] = size if isinstance(size, (tuple, list)) else (size,)
            shape = tuple(whole("size", length, 0, 2**63 - 1) for length in lengths)
        if out is None:
            kind = wanted or np.dtype(np.int64)
            if shape is not None and prod(shape) * kind.itemsize > 2**63 - 1:
                raise ValueError(f"size = {shape}: with {kind} it has more than 2^63 - 1 bytes")
            return np.empty(shape or (), kind)
        if not isinstance(out, np.ndarray):
            raise TypeError(f"out: must be a numpy.ndarray, not {type(out).__name__}")
        if out.dtype not in DTYPES:
            raise TypeError(f"out: has dtype {out.dtype}, must be int8, int16, int32 or int64, in the machine's byte order")
        if wanted is not None and wanted != out.dtype:
            raise TypeError(f"dtype = {wanted}: out has dtype {out.dtype}")
        if not (out.flags.c_contiguous and out.flags.aligned):
            raise ValueError("out: must be C-contiguous and aligned")
        if not out.flags.writeable:
            raise ValueError("out: is read-only")
        if shape is not None and shape != out.shape:
            raise ValueError(f"size = {shape}: out has shape {out.shape}")
        return out

    @overload
    def _each(self, name: Literal["pmf", "cdf", "sf"], x: int | np.integer[Any]) -> float: ...
    @overload
    def _each(self, name: Literal["pmf", "cdf", "sf"], x: npt.ArrayLike) -> npt.NDArray[np.float64]: ...
    def _each(self, name: Literal["pmf", "cdf", "sf"], x: Any) -> Any:
        values = np.asarray(x)
        if values.dtype == object and all(isinstance(value, int) for value in values.flat):
            raise OverflowError("x: must lie between -2^63 and 2^63 - 1")
        if values.size and values.dtype.kind not in "iu":
            raise TypeError(f"x: must be integers, not {values.dtype}")
        if values.dtype == np.uint64 and values.size and values.max() > 2**63 - 1:
            raise OverflowError("x: must lie between -2^63 and 2^63 - 1")
        return self._pieces(getattr(self._sampler, name), values.astype(np.int64), np.float64)

    @staticmethod
    def _pieces(function: Any, values: npt.NDArray[Any], dtype: npt.DTypeLike) -> Any:
        """The function of every value, each computed once, with a look at Ctrl-C now and then."""
        if values.ndim == 0:
            return function(values.reshape(1))[0].item()
        different, places = np.unique(values, return_inverse=True)
        results = [function(different[start : start + PIECE]) for start in range(0, different.size, PIECE)]
        return np.concatenate([np.empty(0, dtype), *results])[places.reshape(values.shape)]

    @overload
    def pmf(self, x: int | np.integer[Any]) -> float: ...
    @overload
    def pmf(self, x: npt.ArrayLike) -> npt.NDArray[np.float64]: ...
    def pmf(self, x: Any) -> Any:
        """P(X = x) of D_{Z,σ,c}, correctly rounded: the double nearest to the exact value.

        >>> g = samplez.DiscreteGaussian("3.2")
        >>> g.pmf(0), g.pmf([-1, 40]).tolist()
        (0.12466946262544772, [0.11872831443707117, 1.4672485493672332e-35])
        """
        return self._each("pmf", x)

    @overload
    def cdf(self, x: int | np.integer[Any]) -> float: ...
    @overload
    def cdf(self, x: npt.ArrayLike) -> npt.NDArray[np.float64]: ...
    def cdf(self, x: Any) -> Any:
        """P(X <= x), correctly rounded, in time independent of σ: some 20 µs for a value from σ = 20 on.

        >>> samplez.DiscreteGaussian("1e12").cdf(-5 * 10**12)
        2.866515718799373e-07
        """
        return self._each("cdf", x)

    @overload
    def sf(self, x: int | np.integer[Any]) -> float: ...
    @overload
    def sf(self, x: npt.ArrayLike) -> npt.NDArray[np.float64]: ...
    def sf(self, x: Any) -> Any:
        """P(X > x), correctly rounded, in the far tail too."""
        return self._each("sf", x)

    @overload
    def ppf(self, q: float) -> int: ...
    @overload
    def ppf(self, q: npt.ArrayLike) -> npt.NDArray[np.int64]: ...
    def ppf(self, q: Any) -> Any:
        """The least x with P(X <= x) >= q, for 0 < q < 1: of the exact law, not of its rounded probabilities.

        Raises `OverflowError` if it lies beyond 64 bits.

        >>> samplez.DiscreteGaussian("3.2").ppf([0.025, 0.5, 0.975]).tolist()
        [-6, 0, 6]
        """
        values = np.asarray(q)
        if values.size and values.dtype.kind not in "fiu":
            raise TypeError(f"q: must be numbers, not {values.dtype}")
        return self._pieces(self._sampler.ppf, values.astype(np.float64), np.int64)

    def median(self) -> int:
        """The least x with P(X <= x) >= 1/2."""
        return self.ppf(0.5)

    def interval(self, confidence: float) -> tuple[int, int]:
        """The quantiles of (1 - confidence)/2 and (1 + confidence)/2, between which X lies at least so often.

        >>> samplez.DiscreteGaussian("3.2").interval(0.95)
        (-6, 6)
        """
        if isinstance(confidence, bool) or not isinstance(confidence, (int, float, np.integer, np.floating)):
            raise TypeError(f"confidence: must be a number, not {type(confidence).__name__}")
        low, high = (1 - float(confidence)) / 2, (1 + float(confidence)) / 2
        if not 0 < low < high < 1:
            raise ValueError(f"confidence = {confidence}: must lie between 0 and 1 - 2^-52, 0 excluded")
        return self.ppf(low), self.ppf(high)

    def rvs(self, size: Size | None = None, random_state: Rng = None) -> int | Integers:
        """`sample` under the names of `scipy.stats`: an int, or an array of int64."""
        return self.sample(rng=random_state) if size is None else self.sample(size, random_state)

    def mean(self) -> float:
        """E[X], correctly rounded. It is not the centre where σ is small."""
        return self._sampler.mean()

    def var(self) -> float:
        """The variance, correctly rounded. It is not σ² where σ is small."""
        return self._sampler.var()

    def std(self) -> float:
        """The standard deviation, correctly rounded. It is not σ where σ is small.

        >>> samplez.DiscreteGaussian("0.5").std()
        0.46369459247239286
        """
        return self._sampler.std()

    def entropy(self) -> float:
        """The entropy in bits, correctly rounded."""
        return self._sampler.entropy()

    def support(self) -> tuple[int, int]:
        """The least and the largest value that this sampler can give."""
        return self.certificate().support

    def certificate(self) -> Certificate:
        """How far this sampler's law is from D_{Z,σ,c}, its timing, its costs.

        >>> samplez.DiscreteGaussian("3.2", method="karney").certificate().exact
        True
        """
        return certificate_of(self._sampler)

    def plot(self, samples: Integers, ax: Axes | None = None) -> Axes:
        """Draws how often each value occurs among the samples, over what the law expects. Needs Matplotlib."""
        from samplez._plot import plot

        return plot(self.certificate().law, self.cdf, samples, ax)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_recipe, (self.said,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiscreteGaussian) and self._sampler == other._sampler

    def __hash__(self) -> int:
        return hash(self._sampler)

    def __repr__(self) -> str:
        return f"DiscreteGaussian.from_recipe({self.said!r})"

    def _repr_html_(self) -> str:
        from samplez._plot import html

        return html(self.certificate(), self.entropy())
