"""The distribution: sampling and probabilities."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._certificate import Certificate, certificate_of, rows_of
from samplez._html import table
from samplez._law import Law
from samplez._numbers import Number, name_of, whole
from samplez._output import Integers, Size, output, shape_of
from samplez._random import Progress, Rng, Source, is_seed, seed_for, stream_of
from samplez._recipe import BIG, Options, arguments, build, is_big, recipe_text, shows_options
from samplez._typing import Self, Unpack

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:
    Axes = Any  # Matplotlib need not be there

# Samples of a stream between two looks at Ctrl-C and two calls of `progress`.
STEP = 1 << 20


class DiscreteGaussian(Law):
    """The discrete Gaussian over the integers, D_{Z,σ,c}: P(X = x) is proportional to exp(-(x-c)²/(2σ²)).

    The width is given in one of four forms: `sigma`, `sigma_squared`, `k_sigma2` (σ = k·sqrt(1/(2 ln 2)), as in BLISS)
    or `s` (σ = s/sqrt(2π)). `center` is 0 by default. Numbers are a str, int, Fraction, Decimal, float, or a rational
    number of NumPy, Sage, gmpy2, mpmath or SymPy, and none is rounded. A float is the shortest decimal that reads back
    as it, so that ``3.2`` and ``"3.2"`` are 16/5. The double itself, 3602879701896397/1125899906842624, is
    ``Fraction(3.2)`` or ``Decimal(3.2)``.

    `method` is a name of `samplez.methods()`, or ``"auto"`` (the default) for the planner's choice. The options are
    those of `samplez.options()`: `precision`, `memory`, `rectangles`, `tail`, `chord`, `pdf_table`, `frugal`, `exact`,
    `constant_time`, `variable_time`, `setup_time`. An option that the method would ignore is refused.

    The default samples exactly D_{Z,σ,c}, and its running time is independent of the samples. Where no such method exists, the
    planner drops exactness, and `certificate` reports the distance. Methods of variable time need ``variable_time=True``.

    The law's functions are those of a frozen distribution of `scipy.stats`; `scipy()` makes one for SciPy's own functions.

    Raises `ValueError` for an argument that the library refuses, and `TypeError` for a wrong type or an unknown option;
    both name the argument. Distributions are equal if they have the same law, however it is written, and were given the
    same method and options. Immutable, picklable (as the text of its arguments), safe to share between threads.

    >>> g = samplez.DiscreteGaussian("3.2")
    >>> g.sample(5, rng=7).shape
    (5,)
    >>> round(g.pmf(0), 6)
    0.124669
    >>> g == samplez.DiscreteGaussian(sigma_squared=10.24)
    True
    >>> samplez.DiscreteGaussian(s=8, center="1/3")
    DiscreteGaussian(s=8, center='1/3')
    >>> print(g)
    D_Z(sigma = 16/5, center = 0) by knuth-yao-ct
    """

    __slots__ = ("__weakref__",)

    @shows_options
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
        recipe = recipe_text({**widths, "center": center, "method": chosen}, options)
        try:
            self._sampler = build(recipe)
        except ValueError as error:
            pairs = [(name, value) for name, _, value in (pair.partition("=") for pair in recipe.split(","))]
            if "no method for" in str(error) and {name for name, _ in pairs} <= {*widths, "center"} and is_big(pairs):
                raise ValueError(f"{error}; {BIG}") from None
            raise

    @classmethod
    def from_recipe(cls, recipe: str) -> Self:
        """Builds the distribution of a recipe, a text such as ``"sigma=16/5,method=cdt,precision=72"``. Every part of
        the project reads and writes recipes in this form: pairs in any order, between commas or ampersands. Raises
        `ValueError`.

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
        """The arguments, as a text; `from_recipe` makes an equal distribution of it."""
        return self._sampler.said

    @property
    def recipe(self) -> str:
        """The sampler, as a text with its method named and its open options filled in. `from_recipe` builds this very
        sampler of it on any machine, even if the planner there would choose another.

        >>> samplez.DiscreteGaussian("3.2", constant_time=True).recipe
        'sigma=16/5,method=knuth-yao-ct,precision=128,exact=true'
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

        - ``None``: bits of the operating system.
        - A seed: 32 bytes, or a str of 64 hexadecimal digits. A short seed, an int from 0 to 2^64 - 1, is for results
          to reproduce and not for secrets. Sample number i then is a function of the distribution, `source`, the seed
          and i. It is the same in every language and for any number of `threads`. The array holds the samples `first`,
          `first` + 1, … in C order. Two calls with one seed give the same integers. A NumPy ``SeedSequence`` is the
          seed of its 32 bytes.
        - A `samplez.Source`: its stream's next bits.
        - A NumPy ``Generator``, ``BitGenerator`` or ``RandomState``: its 64-bit words, its lock held. The call takes
          128 words at a time, or 16 first for ``sample(rng=generator)``. It drops the rest of the last ones at its end.

        `dtype` is int8, int16, int32 or int64 (the default). It must hold the sampler's whole support, or leave out a
        mass below 2^-128. Otherwise it is refused before anything is drawn. `out` is a C-contiguous, writeable array to
        fill instead of a new one. `threads` counts for seeds only, and ``None`` takes every core. `progress` is called,
        as ``progress(done, total)``, after every 2^20 samples a thread. Ctrl-C works then, too.

        Raises `TypeError` and `ValueError` for arguments. Raises `OverflowError` with probability below 2^-128, if a
        sample does not fit the dtype all the same; the contents of `out` are then unspecified. Raises `OSError` if a
        source or generator gives no random bits or is stuck. `out` is all zeros then.
        """
        if size is out is dtype is progress is None and source == "chacha20" and first == 0 and threads == 1:
            if rng is None:
                return self._sampler.one()
            if type(rng) is np.random.Generator:
                bits = rng.bit_generator
                with bits.lock:
                    return self._sampler.one_over(bits.capsule)
            if type(rng) is Source:
                return self._sampler.one_of(rng._open())
        if progress is not None and not callable(progress):
            raise TypeError(f"progress: must be callable, not {type(progress).__name__}")
        array = self._array(size, dtype, out)
        flat = array.reshape(-1)  # a view: the array is contiguous
        try:
            if is_seed(rng):
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

    def _array(self, size: Size | None, dtype: npt.DTypeLike | None, out: Integers | None) -> Integers:
        """A new array, or `out` if it will do."""
        shape = None if size is None else shape_of(size)
        return output(shape, dtype, out, lambda kind, argument: self._sampler.check_dtype(kind.name, argument))

    def rvs(self, size: Size | None = None, random_state: Rng = None) -> int | Integers:
        """`sample` under the names of `scipy.stats`: an int, or an array of int64."""
        return self.sample(rng=random_state) if size is None else self.sample(size, random_state)

    def scipy(self) -> Any:
        """This law as a frozen discrete distribution of `scipy.stats`, for functions of SciPy's that take one. Needs SciPy.

        >>> frozen = samplez.DiscreteGaussian("3.2").scipy()
        >>> frozen.dist.name, int(frozen.ppf(0.975)), frozen.rvs(5, random_state=1).shape
        ('discrete_gaussian', 6, (5,))
        """
        from samplez._scipy import frozen

        return frozen(self)

    def certificate(self, samples_per_time: int = 1) -> Certificate:
        """Returns how far this sampler's law is from D_{Z,σ,c}, its timing, its costs.

        `samples_per_time` is the most samples that a game draws in a unit of the adversary's time. `bits_kept` depends on it.

        >>> samplez.DiscreteGaussian("3.2", method="karney").certificate().exact
        True
        >>> table = samplez.DiscreteGaussian("3.2", method="cdt", precision=136)
        >>> [round(table.certificate(s).bits_kept["decision"]["128"], 1) for s in (1, 2**12, 2**20)]
        [127.8, 123.6, 116.2]
        """
        return certificate_of(self._sampler, whole("samples_per_time", samples_per_time, 1, 2**64 - 1))

    def plot(self, samples: Integers | None = None, ax: Axes | None = None) -> Axes:
        """Draws how often each value occurs among the samples, over what the law expects; without samples, the law's probabilities.
        Needs Matplotlib."""
        from samplez._plot import plot

        ends = int(self.ppf(1e-6)), int(self.isf(1e-6))
        return plot(self.certificate().law, self.cdf, ends, samples, ax)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_recipe, (self.said,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiscreteGaussian) and self._sampler == other._sampler

    def __hash__(self) -> int:
        return hash(self._sampler)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({arguments(self.said)})"

    def __str__(self) -> str:
        return f"{certificate_of(self._sampler, 1).law} by {self.method}"

    def _repr_html_(self) -> str:
        return table({**rows_of(self.certificate()), "entropy": f"{self.entropy(base=2):.4f} bits"})
