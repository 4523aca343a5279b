"""Noises that are no Gaussian, and samplers over tables of one's own."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, SupportsIndex, cast, overload

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._big import remade
from samplez._certificate import Certificate, certificate_of
from samplez._law import values_at, values_of
from samplez._numbers import Number, exact_fraction, name_of, whole
from samplez._output import Integers, output
from samplez._random import Rng, open_stream
from samplez._recipe import recipe_text, suggests
from samplez._sampling import Sampling
from samplez._typing import ManyNumbers, OneNumber, Wholes


class OtherLaw(Sampling):
    """An exact law about 0 that is no Gaussian, with a sampler of its own.

    `sample` is that of `DiscreteGaussian`: the same seeds, generators, dtypes and threads.
    """

    __slots__ = ("__weakref__", "_sampler", "_text")
    _sampler: _samplez.Noise
    _text: str

    def _set(self, text: str) -> None:
        self._text = text
        self._sampler = _samplez.Noise.finite(type(self).__name__, text)

    def _target(self) -> _samplez.TargetLaw:
        return _samplez.TargetLaw.finite(type(self).__name__, self._text)

    @property
    def timing(self) -> str:
        """``constant`` or ``isochronous``."""
        return self._sampler.timing()

    def mean(self) -> float:
        """0."""
        return 0.0

    def var(self) -> float:
        """The variance."""
        return float(self._sampler.variance() or 0.0)

    def std(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.var())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OtherLaw) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__())


class FiniteLaw(OtherLaw):
    """A law on few integers, exact given ideal bits: `Ternary`, `CenteredBinomial` or `TUniform`.

    `sample` is that of `DiscreteGaussian`: the same seeds, generators, dtypes and threads.
    """

    __slots__ = ("_parameter",)

    def __init__(self, parameter: int | None = None) -> None:
        if type(self) is FiniteLaw:
            raise TypeError("FiniteLaw: expected one of samplez.Ternary, samplez.CenteredBinomial and samplez.TUniform")
        self._parameter = parameter
        self._set(str(parameter or 0))

    def support(self) -> tuple[int, int]:
        """The least and the largest value."""
        return self._sampler.support()

    def _masses(self, name: str, x: object) -> Any:
        low, high = self._sampler.support()
        mass = self._sampler.mass

        def at(value: int) -> float:
            first, last = (value, value) if name == "pmf" else (low, value) if name == "cdf" else (value + 1, high)
            return float(mass(first, last) or 0.0)

        def function(values: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
            different, places = np.unique(np.clip(values, low - 1, high + 1), return_inverse=True)
            results = np.array([at(value) for value in different.tolist()], np.float64)
            return np.asarray(results[places.reshape(values.shape)])

        return values_at(function, name, x)

    @overload
    def pmf(self, x: OneNumber) -> float: ...
    @overload
    def pmf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def pmf(self, x: npt.ArrayLike) -> Any: ...
    def pmf(self, x: npt.ArrayLike) -> Any:
        """P(X = x), correctly rounded; 0 between integers.

        >>> samplez.CenteredBinomial(2).pmf([-2, 0, 3]).tolist()
        [0.0625, 0.375, 0.0]
        """
        return self._masses("pmf", x)

    @overload
    def cdf(self, x: OneNumber) -> float: ...
    @overload
    def cdf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def cdf(self, x: npt.ArrayLike) -> Any: ...
    def cdf(self, x: npt.ArrayLike) -> Any:
        """P(X <= x), correctly rounded."""
        return self._masses("cdf", x)

    @overload
    def sf(self, x: OneNumber) -> float: ...
    @overload
    def sf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def sf(self, x: npt.ArrayLike) -> Any: ...
    def sf(self, x: npt.ArrayLike) -> Any:
        """P(X > x), correctly rounded."""
        return self._masses("sf", x)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), () if self._parameter is None else (self._parameter,)

    def __repr__(self) -> str:
        parameter = "" if self._parameter is None else self._parameter
        return f"<samplez.{type(self).__name__}({parameter})>"


class Ternary(FiniteLaw):
    """The uniform law on -1, 0 and 1, as for the secrets of homomorphic encryption. Isochronous. No Gaussian.

    >>> samplez.Ternary().sample(8, rng=1, dtype="int8").tolist()
    [1, 1, 1, 0, 0, -1, 0, -1]
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()


class CenteredBinomial(FiniteLaw):
    """The centred binomial law CBD(η), the sum of η fair bits minus the sum of as many others. In constant time. No Gaussian.

    `eta` is from 1 to 32, and the variance is η/2. ML-KEM has 2 and 3, Microsoft SEAL 21.

    >>> noise = samplez.CenteredBinomial(21)
    >>> noise.var(), noise.support()
    (10.5, (-21, 21))
    >>> samplez.verify(noise.sample(100_000, rng=1), noise).consistent
    True
    """

    __slots__ = ()

    @suggests
    def __init__(self, eta: SupportsIndex) -> None:
        super().__init__(whole("eta", eta, 1, 32))

    @property
    def eta(self) -> int:
        """η."""
        return self._parameter or 0


class TUniform(FiniteLaw):
    """TFHE's law TUniform(b): uniform on -2^b to 2^b, except that each end has half the mass of the others. In constant time. No Gaussian.

    `bound_log2` is b, from 0 to 62.

    >>> noise = samplez.TUniform(17)
    >>> noise.support(), noise.sample(3, rng=1, dtype="int32").shape
    ((-131072, 131072), (3,))
    """

    __slots__ = ()

    @suggests
    def __init__(self, bound_log2: SupportsIndex) -> None:
        super().__init__(whole("bound_log2", bound_log2, 0, 62))

    @property
    def bound_log2(self) -> int:
        """b."""
        return self._parameter or 0


class _Unbounded(OtherLaw):
    """A law on all integers, with one number as its parameter."""

    __slots__ = ("_law", "_number")
    _bounds: tuple[str, Fraction, Fraction, str]
    """The number's name, its least and its largest value, and these in words."""

    def __init__(self, number: Number) -> None:
        name, least, largest, allowed = self._bounds
        self._number = exact_fraction(name, number)
        if not least <= self._number <= largest:
            shown = str(number) if len(str(number)) <= 40 else f"a text of {len(str(number))} characters"
            raise ValueError(f"{name} = {shown}: expected a number {allowed}")
        self._law: _samplez.TargetLaw | None = None
        self._set(str(self._number))

    def support(self) -> tuple[int, int]:
        """Two values between which all but 2^-128 of the law lies. A dtype must hold them. The law itself is on all integers."""
        return self._sampler.support()

    def _at(self, name: str, x: object) -> Any:
        if self._law is None:
            self._law = self._target()
        return values_of(self._law, name, x)

    @overload
    def pmf(self, x: OneNumber) -> float: ...
    @overload
    def pmf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def pmf(self, x: npt.ArrayLike) -> Any: ...
    def pmf(self, x: npt.ArrayLike) -> Any:
        """P(X = x), correctly rounded from 2^-900 on; 0 between integers."""
        return self._at("pmf", x)

    @overload
    def logpmf(self, x: OneNumber) -> float: ...
    @overload
    def logpmf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def logpmf(self, x: npt.ArrayLike) -> Any: ...
    def logpmf(self, x: npt.ArrayLike) -> Any:
        """ln P(X = x), where P is 2^-900 or more; -∞ between integers."""
        return self._at("logpmf", x)

    @overload
    def cdf(self, x: OneNumber) -> float: ...
    @overload
    def cdf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def cdf(self, x: npt.ArrayLike) -> Any: ...
    def cdf(self, x: npt.ArrayLike) -> Any:
        """P(X <= x), correctly rounded from 2^-900 on."""
        return self._at("cdf", x)

    @overload
    def sf(self, x: OneNumber) -> float: ...
    @overload
    def sf(self, x: ManyNumbers) -> npt.NDArray[np.float64]: ...
    @overload
    def sf(self, x: npt.ArrayLike) -> Any: ...
    def sf(self, x: npt.ArrayLike) -> Any:
        """P(X > x), correctly rounded from 2^-900 on."""
        return self._at("sf", x)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unbounded, (type(self), self._number)

    def __repr__(self) -> str:
        return f"<samplez.{type(self).__name__}({self._bounds[0]}={str(self._number)!r})>"


def _unbounded(law: type[_Unbounded], number: Fraction) -> _Unbounded:
    """The law of a pickle."""
    return law(**{law._bounds[0]: number})


class Skellam(_Unbounded):
    """The Skellam law: the difference of two independent Poisson variables of mean `variance`/2 each. Exact, by a scan in constant time.

    P(X = x) is e^-V·I_|x|(V), for the variance V, a number from 2^-16 to 2^20. A sum of independent Skellam variables is one, and their
    variances add: for a larger variance, add samples.

    With probability 2^-t, for t from 100 to 127, a remainder replaces a sample. Only then its time depends on it. Setting up takes time in
    proportion to the standard deviation, about 0.1 s for the largest. So does a sample: 9 ns for a variance of 30, 24 ns for 1000.
    Immutable, and picklable.

    >>> noise = samplez.Skellam(variance="2.5")
    >>> noise.pmf(0), noise.var(), noise.timing
    (0.27004644161220276, 2.5, 'constant')
    >>> samplez.verify(noise.sample(100_000, rng=1), noise).consistent
    True
    """

    __slots__ = ()
    _bounds = ("variance", Fraction(1, 1 << 16), Fraction(1 << 20), "from 2^-16 to 2^20; for a larger variance add samples")

    @suggests
    def __init__(self, *, variance: Number) -> None:
        super().__init__(variance)

    @property
    def variance(self) -> Fraction:
        """The variance, exactly."""
        return self._number


class DiscreteLaplace(_Unbounded):
    """The discrete Laplace law: P(X = x) is proportional to exp(-|x|/scale), for a scale from 2^-16 to 2^50. Exact, in constant time.

    If the scale is Δ/ε, this noise gives ε-differential privacy to counts of sensitivity Δ; `samplez.dp.discrete_laplace_mechanism` adds it.

    A sample is a row of coins. With a probability from 2^-61 to 2^-53, 2^-57 for a scale of 10, coins need more bits. Only then its time
    depends on it. Immutable, and picklable.

    >>> noise = samplez.DiscreteLaplace(scale="1.5")
    >>> noise.scale, noise.pmf(0), noise.timing
    (Fraction(3, 2), 0.32151273753163434, 'constant')
    >>> samplez.verify(noise.sample(100_000, rng=1), noise).consistent
    True
    """

    __slots__ = ()
    _bounds = ("scale", Fraction(1, 1 << 16), Fraction(1 << 50), "from 2^-16 to 2^50")

    @suggests
    def __init__(self, *, scale: Number) -> None:
        super().__init__(scale)

    @property
    def scale(self) -> Fraction:
        """The scale, exactly."""
        return self._number


class SparseTernary:
    """Secrets of `length` entries in -1, 0 and 1, of which exactly `weight` are not 0: uniform over all such vectors. Isochronous.

    >>> secret = samplez.SparseTernary(4096, weight=192).sample(rng=1)
    >>> secret.dtype, int(abs(secret).sum())
    (dtype('int8'), 192)
    """

    __slots__ = ("_length", "_weight")

    @suggests
    def __init__(self, length: SupportsIndex, *, weight: SupportsIndex) -> None:
        self._length = whole("length", length, 1, 2**63 - 1)
        self._weight = whole("weight", weight, 1, self._length)

    @property
    def length(self) -> int:
        """The number of entries."""
        return self._length

    @property
    def weight(self) -> int:
        """The number of entries that are not 0."""
        return self._weight

    @suggests
    def sample(self, *, rng: Rng = None, dtype: npt.DTypeLike | None = None, out: Integers | None = None) -> Integers:
        """Draws one vector: a new array of int8 or of `dtype`, or `out`.

        `rng` is as for `DiscreteGaussian.sample`. A seed is that of the stream of ChaCha20, in every language the same. Raises `OSError`
        if a source or generator fails; `out` is all zeros then.
        """
        given = np.int8 if dtype is None and out is None else dtype
        array = output((self._length,), given, out, lambda *_: None, "length")
        stream, lock = open_stream(rng)
        with lock:
            _samplez.fill_sparse(array, self._weight, stream)
        return array

    def __reduce__(self) -> tuple[Any, ...]:
        return _sparse, (self._length, self._weight)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SparseTernary) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__())

    def __repr__(self) -> str:
        return f"<samplez.SparseTernary({self._length}, weight={self._weight})>"


def _sparse(length: int, weight: int) -> SparseTernary:
    """The law of a pickle."""
    return SparseTernary(length, weight=weight)


class TableSampler(Sampling):
    """A constant-time sampler over a table of yours, such as the one of a specification. Its law is the table's.

    `entries` are integers of at most 320 bits, and `form` states what they are, in the words of ``samplez certify --form``:
    ``"folded,tail,72"``, ``"full,tail,first=-10,64"``, or ``"frodo"``. The width and the centre are those of `DiscreteGaussian`: the law
    aimed at, from which `certificate` computes the distance.

    Raises `ValueError` for entries that do not form a table of this form, and for a form without such a sampler. Samplers are equal if entries,
    form and law are. Picklable, with the entries.

    >>> frodo = [9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1]
    >>> errors = samplez.TableSampler(frodo, "frodo", sigma="2.8")
    >>> errors.sample((640, 8), rng=1, dtype="int16").shape, errors.support()
    ((640, 8), (-12, 12))
    >>> errors.certificate().exact
    False
    """

    __slots__ = ("__weakref__", "_given", "_sampler")
    _sampler: _samplez.Noise
    _given: tuple[str, str, bytes]

    @suggests
    def __init__(
        self,
        entries: Wholes | npt.NDArray[Any],
        form: str,
        *,
        sigma: Number | None = None,
        center: Number | None = None,
        sigma_squared: Number | None = None,
        k_sigma2: Number | None = None,
        s: Number | None = None,
    ) -> None:
        widths = {"sigma": sigma, "sigma_squared": sigma_squared, "k_sigma2": k_sigma2, "s": s}
        law = recipe_text({**widths, "center": center}, {})
        if not isinstance(entries, (list, tuple, np.ndarray)) or np.ndim(cast("npt.ArrayLike", entries)) != 1:
            raise TypeError(f"entries: expected a sequence of integers, not {type(entries).__name__}")
        wholes = [whole(f"entries[{i}]", entry, 0, 2**320 - 1) for i, entry in enumerate(entries)]
        words = b"".join(entry.to_bytes(40, "little") for entry in wholes)
        self._set(law, name_of("form", form), words)

    def _set(self, law: str, form: str, words: bytes) -> None:
        self._given = law, form, words
        self._sampler = _samplez.Noise.table(law, form, words)

    @property
    def timing(self) -> str:
        """``constant``."""
        return self._sampler.timing()

    def support(self) -> tuple[int, int]:
        """The least and the largest value."""
        return self._sampler.support()

    def certificate(self, samples_per_time: int = 1) -> Certificate:
        """Returns the distance of the table's law from the law aimed at. `samples_per_time` is as for `DiscreteGaussian`."""
        return certificate_of(self._sampler, whole("samples_per_time", samples_per_time, 1, 2**64 - 1))

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (type(self), *self._given)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableSampler) and self._given == other._given

    def __hash__(self) -> int:
        return hash(self._given)

    def __repr__(self) -> str:
        return f"<samplez.TableSampler: {self.certificate().law}>"


__all__ = ["CenteredBinomial", "DiscreteLaplace", "FiniteLaw", "OtherLaw", "Skellam", "SparseTernary", "TUniform", "TableSampler", "Ternary"]
