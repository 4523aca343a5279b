"""Gaussians over lattices: exact ones by `Form`, gadgets and trapdoors with bounds.

>>> from samplez import lattice
>>> form = lattice.Form([[2, 1, 0], [0, 3, 1], [1, 0, 4]], sigma=20)
>>> form.sample(1000, rng=1).shape
(1000, 3)

A basis is a NumPy array of integers, rows of Python's or Sage's integers, a matrix of Sage, or an ``IntegerMatrix`` of fpylll. Its rows
are the vectors.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._numbers import Number, check_last, exact_fraction, exact_text, mistyped, type_name, whole, wrong, wrong_dtype
from samplez._output import Size, new_array, shape_of
from samplez._random import Rng, is_seed, only_with_a_seed, open_stream, seed_for, stream_of
from samplez._recipe import suggests
from samplez._trapdoor import MODULUS, Bound, Gadget, Trapdoor
from samplez._typing import Self
from samplez._verify import TestResult, Verification

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:
    Axes = Any  # Matplotlib need not be there

# Vectors between two looks at Ctrl-C: a multiple of the library's blocks of 256.
_STEP = 1 << 10


class Shell(NamedTuple):
    """Vectors of one distance from the centre."""

    distance: Fraction
    """The square of the distance: (v - c)², (x - c)G(x - c)ᵀ or (v - c)Σ⁻¹(v - c)ᵀ."""
    vectors: int
    mass: float
    """Their probability."""


def _rows(name: str, matrix: Any) -> list[list[object]]:
    """The entries of a matrix of any library."""
    if isinstance(matrix, (str, bytes)):
        raise TypeError(f"{name}: expected rows of numbers, not a text")
    if isinstance(matrix, np.ndarray):
        if matrix.ndim != 2:
            raise ValueError(f"{name}: expected an array of two axes, not of shape {matrix.shape}")
        return [list(row) for row in matrix.tolist()] if matrix.dtype.kind in "iuO" else [list(row) for row in matrix]
    rows_of: Callable[[], Iterable[Any]] | None = getattr(matrix, "rows", None)
    if callable(rows_of):  # Sage
        return [list(row) for row in rows_of()]
    counts = getattr(matrix, "nrows", None), getattr(matrix, "ncols", None)
    if None not in counts:  # fpylll, whose rows end by an error of their own
        height, width = (operator.index(count() if callable(count) else count) for count in counts)  # type: ignore[arg-type]
        return [[matrix[i, j] for j in range(width)] for i in range(height)]
    if not isinstance(matrix, Iterable):
        raise mistyped(name, matrix, "rows of numbers")
    rows = []
    for row in matrix:
        if not isinstance(row, Iterable) or isinstance(row, (str, bytes)):
            raise mistyped(name, row, "rows of numbers")
        rows.append(list(row))
    return rows


def _text(name: str, matrix: object, integers: bool = True) -> str:
    """A matrix as the library reads it."""
    rows = _rows(name, matrix)
    if not rows or not all(rows):
        raise ValueError(f"{name} = empty: expected at least one row and one column")
    if integers:
        return ";".join(" ".join(_integer(f"{name}[{i}][{j}]", entry) for j, entry in enumerate(row)) for i, row in enumerate(rows))
    return ";".join(" ".join(str(exact_fraction(f"{name}[{i}][{j}]", entry)) for j, entry in enumerate(row)) for i, row in enumerate(rows))


def _integer(name: str, entry: object) -> str:
    if type(entry) is not int:
        if isinstance(entry, (str, float, np.floating)):
            raise mistyped(name, entry, "integers")
        entry = whole(name, entry, None, None)  # type: ignore[arg-type]
    # Hexadecimal digits have no limit in Python.
    return str(entry) if entry.bit_length() < 10_000 else _decimal(name, entry)


def _decimal(name: str, entry: int) -> str:
    try:
        return str(entry)
    except ValueError:  # Python's own limit of digits
        raise ValueError(f"{name}: has too many digits: expected at most 4300") from None


def _entries(name: str, vector: object, columns: int) -> list[str]:
    """A vector of numbers, as texts."""
    if isinstance(vector, (str, bytes)) or not isinstance(vector, Iterable):
        raise mistyped(name, vector, f"{columns} numbers")
    values = vector.tolist() if isinstance(vector, np.ndarray) and vector.dtype.kind in "iuf" else list(vector)
    texts = [exact_text(name, value) for value in values]
    if len(texts) != columns:
        raise ValueError(f"{name} = {len(texts)} entries: expected {columns}, one for each column")
    return texts


class Form:
    """The discrete Gaussian over a lattice: P(v) is proportional to exp(-‖v - c‖²/2σ²) for every vector v of the lattice.

    Samples have exactly this distribution, if the random bits are ideal. `basis` has the lattice's vectors in its rows. They are reduced
    first, by LLL with integers. `sigma` and `center` are numbers as in `samplez.DiscreteGaussian`, and none is rounded. The centre is 0 by default.

    - `gram`: integer vectors x with exp(-(x - c)G(x - c)ᵀ/2σ²), for a rational Gram matrix G.
    - `ellipsoid`: exp(-(v - c)Σ⁻¹(v - c)ᵀ/2), for a rational covariance parameter Σ.
    - `qary`: the integer vectors v with A·v = 0 modulo q.

    The running time depends on the samples. Do not use it where timing reveals a secret.

    Raises `ValueError` for an argument that the library refuses, and `TypeError` for a wrong type; both name the argument. A `sigma` that is too
    small for the reduced basis is refused: `acceptance` must be at least 2^-20. Immutable, picklable, safe to share between threads.

    >>> from samplez import lattice
    >>> form = lattice.Form([[2, 1], [0, 3]], sigma="1.3", center=["1/3", -1.8])
    >>> form.sample(rng=1).shape, form.rank, form.acceptance > 0.7
    ((2,), 2, True)
    """

    __slots__ = ("__weakref__", "_arguments", "_center", "_native", "_shift")
    _arguments: tuple[str, str, str, int, str]
    _center: list[str] | None
    _shift: list[int] | None
    _native: _samplez.Form

    @suggests
    def __init__(self, basis: object, *, sigma: Number, center: object | None = None) -> None:
        self._set(("basis", _text("basis", basis), "", 0, exact_text("sigma", sigma)))
        if center is not None:
            moved = self.with_center(center)
            self._center, self._native = moved._center, moved._native

    def _set(self, arguments: tuple[str, str, str, int, str]) -> None:
        self._arguments, self._center, self._shift = arguments, None, None
        self._native = _samplez.Form(*arguments)

    @classmethod
    def _of(cls, *arguments: Any) -> Self:
        self = cls.__new__(cls)
        self._set(arguments)
        return self

    @classmethod
    @suggests
    def gram(cls, gram: object, *, sigma: Number) -> Self:
        """Builds the form of a Gram matrix of rationals. A sample is an integer vector x.

        >>> lattice.Form.gram([[2, 1], [1, 2]], sigma=10).sample(5, rng=1).shape
        (5, 2)
        """
        return cls._of("gram", _text("gram", gram, False), "", 0, exact_text("sigma", sigma))

    @classmethod
    @suggests
    def ellipsoid(cls, basis: object, *, covariance: object) -> Self:
        """Builds the form of a basis and a covariance parameter Σ of rationals.

        >>> x = lattice.Form.ellipsoid([[1, 0], [0, 1]], covariance=[[100, 30], [30, 25]]).sample(10_000, rng=1)
        >>> bool(abs(numpy.cov(x.T) - [[100, 30], [30, 25]]).max() < 6)
        True
        """
        return cls._of("ellipsoid", _text("basis", basis), _text("covariance", covariance, False), 0, "1")

    @classmethod
    @partial(suggests, ways=MODULUS)
    def qary(cls, a: object, *, q: SupportsIndex, sigma: Number) -> Self:
        """Builds the form of the integer vectors v with A·v = 0 modulo q.

        >>> v = lattice.Form.qary([[1, 5, 8]], q=13, sigma=10).sample(100, rng=1)
        >>> bool((v @ [1, 5, 8] % 13 == 0).all())
        True
        """
        modulus = whole("q", q, 2, 2**64 - 1)
        return cls._of("qary", _text("a", a), "", modulus, exact_text("sigma", sigma))

    def _moved(self, native: _samplez.Form, center: list[str] | None, shift: list[int] | None) -> Self:
        other = type(self).__new__(type(self))
        other._arguments, other._native, other._center, other._shift = self._arguments, native, center, shift
        return other

    @suggests
    def with_center(self, center: object) -> Self:
        """Returns the same form around another centre. The coset stays."""
        numbers = _entries("center", center, self.columns)
        return self._moved(self._native.with_center(numbers), numbers, self._shift)

    @suggests
    def coset(self, shift: object) -> Self:
        """Returns the same form on the coset `shift` + Λ of the lattice. The centre stays; a second call replaces the shift of the
        first.

        >>> odd = lattice.Form([[2, 0], [0, 2]], sigma=5).coset([1, 1])
        >>> bool((odd.sample(100, rng=1) % 2 == 1).all())
        True
        """
        entries: Any = shift.tolist() if isinstance(shift, np.ndarray) else list(shift) if isinstance(shift, Iterable) else shift
        texts = _entries("shift", entries, self.columns)
        numbers = [whole("shift", int(text) if text.lstrip("+-").isdigit() else entry, -(2**63), 2**63 - 1) for text, entry in zip(texts, entries)]
        return self._moved(self._native.coset(numbers), self._center, numbers)

    @property
    def rank(self) -> int:
        """The rank of the lattice."""
        return self._native.rank

    @property
    def columns(self) -> int:
        """The number of integers of a sample."""
        return self._native.columns

    @property
    def acceptance(self) -> float:
        """A lower bound of the probability that a proposal is accepted."""
        return self._native.acceptance

    @suggests
    def sample(
        self,
        size: Size | None = None,
        *,
        rng: Rng = None,
        dtype: npt.DTypeLike | None = None,
        source: str = "chacha20",
        first: SupportsIndex = 0,
    ) -> npt.NDArray[Any]:
        """Draws vectors: an array of shape `size` and one axis more, with the entries of each vector; without `size` one vector.

        `rng`, `source` and `first` are as in `DiscreteGaussian.sample`. Vector number i of a seed is a function of the form as given, `source`, the
        seed and i; the command ``samplez lattice`` draws the same. `dtype` is int64, or object for Python integers of any size.
        The default is int64 if it holds every sample whose coordinates are within 32 standard deviations, and object otherwise.
        Ctrl-C works every 1024 vectors.

        Raises `TypeError` and `ValueError` for arguments, `OverflowError` if an entry does not fit int64, and `OSError` if a source or
        generator gives no random bits or is stuck.

        >>> wide = lattice.Form([[2**62, 1], [0, 2**62]], sigma=2**62)
        >>> v = wide.sample(3, rng=1)
        >>> v.shape, type(v[0, 0])
        ((3, 2), <class 'int'>)
        """
        shape = () if size is None else shape_of(size)
        columns = self.columns
        if prod(shape) * columns * 8 > 2**63 - 1:
            raise wrong("size", size, "an array of at most 2^63 - 1 bytes")
        kind = self._kind(dtype)
        begin, count = whole("first", first, 0, 2**64 - 1), prod(shape)
        check_last(begin, count, "vectors")
        out = new_array((count, columns), kind, typed=size)
        if is_seed(rng):
            seed = seed_for(source, rng, "rng")
            if kind == np.int64:
                self._native.fill(out, source, seed, begin)
            else:
                # The parts end at the library's blocks.
                start = 0
                while start < count:
                    part = min(_STEP - (begin + start) % _STEP, count - start)
                    self._place(out, start, self._native.fill_words(source, seed, begin + start, part))
                    start += part
        else:
            only_with_a_seed(first=(begin, 0), source=(source, "chacha20"))
            self._streamed(out, rng)
        return out.reshape((*shape, columns))

    def _kind(self, dtype: npt.DTypeLike | None) -> np.dtype[Any]:
        if dtype is None:
            return np.dtype(np.int64 if self._native.fits else object)
        try:
            kind = np.dtype(dtype)
        except TypeError:
            raise wrong_dtype("dtype", dtype, "int64 or object") from None
        if kind not in (np.dtype(np.int64), np.dtype(object)):
            raise wrong_dtype("dtype", kind, "int64 or object")
        return kind

    def _streamed(self, out: npt.NDArray[Any], rng: object) -> None:
        stream, lock = stream_of(rng)
        with lock:
            for start in range(0, len(out), _STEP):
                part = out[start : start + _STEP]
                if out.dtype == np.int64:
                    self._native.fill_stream(part, stream)
                else:
                    self._place(out, start, self._native.stream_words(stream, len(part)))

    def _place(self, out: npt.NDArray[Any], start: int, octets: bytes) -> None:
        """Puts the words of vectors into an array of Python integers."""
        length, columns = 8 * self._native.words, self.columns
        for place in range(len(octets) // length):
            one = octets[place * length : (place + 1) * length]
            out[start + place // columns, place % columns] = int.from_bytes(one, "little", signed=True)

    @suggests
    def sample_around(self, centers: npt.ArrayLike, *, rng: Rng = None) -> npt.NDArray[np.int64]:
        """Draws one vector around each of many centres: an array of int64 with the shape of `centers`, whose last axis has a centre's entries.

        From 16 centres on it is faster than single calls. The vectors are a function of the form, of all centres and of the bits; a seed opens one
        stream. `rng` is as in `sample`, and so are the errors.

        >>> form = lattice.Form([[2, 1], [0, 3]], sigma=4)
        >>> centers = 1000 * numpy.arange(200).reshape(100, 2)
        >>> bool(abs(form.sample_around(centers, rng=1) - centers).max() < 50)
        True
        """
        numbers = np.asarray(centers)
        if numbers.ndim == 0 or numbers.shape[-1] != self.columns:
            raise ValueError(f"centers: has shape {numbers.shape}, expected {self.columns} entries along the last axis")
        texts = [exact_text("centers", value) for value in (numbers.reshape(-1).tolist() if numbers.dtype.kind in "iuf" else numbers.flat)]
        out = np.empty(numbers.shape, np.int64)
        stream, lock = open_stream(rng)
        with lock:
            self._native.fill_each(texts, out.reshape(-1, self.columns), stream)
        return out

    def _vectors(self, name: str, vectors: object) -> tuple[npt.NDArray[np.int64], tuple[int, ...]]:
        """Vectors one after the other, and the shape of what each of them gives."""
        array = np.asarray(vectors)
        if array.dtype == object and all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in array.flat):
            array = array.astype(np.int64)
        if array.dtype.kind not in "iu" or (array.dtype == np.uint64 and array.size and array.max() >= 2**63):
            raise TypeError(f"{name}: expected integers of at most 64 bits, not {type_name(array)}")
        if array.ndim == 0 or array.shape[-1] != self.columns:
            raise ValueError(f"{name}: has shape {array.shape}, expected {self.columns} entries along the last axis")
        return np.require(array, np.int64, ["C", "A"]).reshape(-1), array.shape[:-1]

    def _masses(self, v: object, log: bool) -> Any:
        values, shape = self._vectors("v", v)
        result = self._native.masses(values, log).reshape(shape)
        return result.item() if result.ndim == 0 else result

    @overload
    def pmf(self, v: list[int] | tuple[int, ...]) -> float: ...
    @overload
    def pmf(self, v: npt.ArrayLike) -> Any: ...
    @suggests
    def pmf(self, v: Any) -> Any:
        """P(v), within 2^-52 relatively; 0 for a vector that is not in the lattice. The last axis of `v` has the entries of a vector.

        Raises `ValueError` for a rank above 32, and if the sums over the lattice and over its dual both have more than 2^18 vectors.

        >>> form = lattice.Form([[2, 1], [0, 3]], sigma=20)
        >>> round(form.pmf([0, 0]), 12), form.pmf([[2, 1], [0, 1]]).round(12).tolist()
        (0.002387324146, [0.002372449901, 0.0])
        """
        return self._masses(v, False)

    @overload
    def logpmf(self, v: list[int] | tuple[int, ...]) -> float: ...
    @overload
    def logpmf(self, v: npt.ArrayLike) -> Any: ...
    @suggests
    def logpmf(self, v: Any) -> Any:
        """ln P(v), within 2^-48·(1 + |ln P|), also where `pmf` is 0 as a double; -inf for a vector that is not in the lattice. Raises as `pmf`."""
        return self._masses(v, True)

    @suggests
    def shells(self) -> tuple[Shell, ...]:
        """Returns the distances from the centre, with the number of vectors and their probability, for all but 2^-80 of the
        probability. For centre 0 the numbers are the lattice's theta series.

        Raises `ValueError` if more than 2^18 vectors are near the centre, and as `pmf`.

        >>> [shell.vectors for shell in lattice.Form([[1, 0], [0, 1]], sigma=1).shells()[:6]]
        [1, 4, 4, 4, 8, 4]
        """
        return tuple(Shell(Fraction(distance), vectors, mass) for distance, vectors, mass in self._native.shells())

    @suggests
    def verify(self, vectors: npt.ArrayLike, *, theta: Mapping[Any, float] | None = None) -> Verification:
        """Tests vectors as samples of this form: lattice, probabilities, norms, means, covariance, and coordinates. A test that does not apply
        reports the reason.

        `theta` is the beginning of a theta series, for the norms in high dimensions: the square of each distance from the centre, and the number of
        vectors that have it. Raises `TypeError` and `ValueError` for arguments, and `ValueError` for fewer than 100 vectors.

        >>> form = lattice.Form([[2, 1], [0, 3]], sigma=4)
        >>> vectors = form.sample(1000, rng=1)
        >>> form.verify(vectors).consistent, lattice.Form([[2, 1], [0, 3]], sigma=5).verify(vectors).consistent
        (True, False)
        """
        values, _ = self._vectors("vectors", vectors)
        if theta is not None and not isinstance(theta, Mapping):
            raise mistyped("theta", theta, "a mapping of squared distances to numbers of vectors")
        series = [(exact_text("theta", distance), float(count)) for distance, count in (theta or {}).items()]
        n, consistent, tests, alpha = self._native.verify(values, series)
        law = f"the Gaussian of rank {self.rank}"
        return Verification(law, n, None, consistent, alpha, None, tuple(TestResult(*row) for row in tests), {}, None, _unit="vectors")

    @suggests
    def plot(self, samples: npt.ArrayLike | None = None, ax: Axes | None = None) -> Axes:
        """Draws the vectors of a form of two columns, larger and darker where they are more probable; with samples, how often each occurs.
        Needs Matplotlib."""
        from samplez._plot import lattice_plot

        if self.columns != 2:
            raise ValueError(f"plot: the form has {self.columns} columns, expected 2")
        if samples is None:
            # Far more than the vectors that can be seen.
            drawn = self.sample(1 << 14, rng=1, dtype=np.int64)
            places = np.unique(drawn, axis=0)
            return lattice_plot(places, self.pmf(places), "probability", None, ax)
        values, _ = self._vectors("samples", samples)
        places, counts = np.unique(values.reshape(-1, 2), axis=0, return_counts=True)
        return lattice_plot(places, counts, "count", f"{len(values) // 2:,} samples", ax)

    def __reduce__(self) -> tuple[Any, ...]:
        return _of, (type(self), self._arguments, self._center, self._shift)

    def __repr__(self) -> str:
        return f"<samplez.lattice.Form: rank {self.rank}, {self.columns} columns>"


def _of(cls: type[Form], arguments: tuple[str, str, str, int, str], center: list[str] | None, shift: list[int] | None) -> Form:
    """The form of a pickle."""
    form = cls._of(*arguments)
    if shift is not None:
        form = form.coset(shift)
    return form if center is None else form.with_center(center)


__all__ = ["Bound", "Form", "Gadget", "Shell", "Trapdoor"]
