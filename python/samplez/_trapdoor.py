"""Gadgets and trapdoors of lattices, over NumPy arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, NoReturn, SupportsIndex

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._numbers import Number, exact_text, whole
from samplez._random import Rng, open_stream, secret_seed
from samplez._recipe import hides_unknown, suggests
from samplez._typing import Self


MODULUS = dict.fromkeys(("modulus", "mod"), "write q for the modulus")
"""The ways out where q is the modulus."""


class Bound(NamedTuple):
    """A distance from the ideal distribution. Each entry is an upper bound of the base-2 logarithm, given ideal random bits."""

    log2_sd: float
    """Bounds log2 of the statistical distance."""
    log2_renyi: dict[float, float]
    """Bounds log2 of R_a - 1, by the order a: 2, 256, 513 and `math.inf`."""
    log2_tail: float
    """Bounds log2 of the ideal distribution's probability outside the support."""
    samples_log2: dict[int, float | None]
    """Lower bounds of log2 of the number of samples that cost at most 2 bits in a search problem, by security level: 128 and 256."""


def _bound(row: tuple[float, list[tuple[int, float]], float, float, list[float | None]]) -> Bound:
    sd, renyi, rinf, tail, samples = row
    return Bound(sd, {**dict(renyi), math.inf: rinf}, tail, dict(zip((128, 256), samples)))


def _integers(name: str, values: object) -> npt.NDArray[Any]:
    """An array of integers of at most 64 bits."""
    array = np.asarray(values)
    if array.size == 0 and not isinstance(values, np.ndarray):
        array = array.astype(np.int64)
    if array.dtype == object:
        numbers = [whole(name, value, -(2**63), 2**63 - 1) for value in array.flat]
        array = np.array(numbers, np.int64).reshape(array.shape)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected integers, not {array.dtype}")
    return array


def _residues(name: str, values: object, q: int) -> npt.NDArray[np.uint64]:
    """An array of integers from 0 to q - 1."""
    array = _integers(name, values)
    wrong = array[(array < 0) | (array >= q)]
    if wrong.size:
        raise ValueError(f"{name} = {wrong[0]}: expected integers from 0 to {q - 1}")
    return array.astype(np.uint64)


def _last(name: str, array: npt.NDArray[Any], length: int) -> None:
    if array.ndim == 0 or array.shape[-1] != length:
        raise ValueError(f"{name}: has shape {array.shape}, expected {length} entries along the last axis")


class Gadget:
    """Samples Gaussians over the cosets of the gadget lattice [MP12]: x in Z^k with Σ x_i·b^i = u modulo q. P(x) is proportional to exp(-‖x‖²/2σ²).

    k is the least number with q <= b^k. For q = b^k the distribution is exact if the random bits are ideal; for other q its distance is at most `bound`.
    The running time depends on the cosets and on the samples. Do not use it where timing reveals a secret.

    Raises `ValueError` for an argument that the library refuses, and `TypeError` for a wrong type; both name the argument.

    >>> gadget = lattice.Gadget(2, q=256, sigma=4)
    >>> x = gadget.sample([7, 200], rng=1)
    >>> x.shape, (x @ 2 ** numpy.arange(8) % 256).tolist(), gadget.bound
    ((2, 8), [7, 200], None)
    """

    __slots__ = ("_arguments", "_native")

    @partial(suggests, ways=MODULUS)
    def __init__(self, base: SupportsIndex, *, q: SupportsIndex, sigma: Number) -> None:
        self._arguments = (whole("base", base, 0, 2**64 - 1), whole("q", q, 0, 2**64 - 1), exact_text("sigma", sigma))
        self._native = _samplez.Gadget(*self._arguments)

    @staticmethod
    @suggests
    def min_sigma(base: SupportsIndex, *, q: SupportsIndex) -> Fraction:
        """The least σ: b for q = b^k, else b + 1/2b.

        >>> lattice.Gadget.min_sigma(4, q=257)
        Fraction(33, 8)
        """
        return Fraction(_samplez.Gadget.min_sigma(whole("base", base, 0, 2**64 - 1), whole("q", q, 0, 2**64 - 1)))

    @property
    def digits(self) -> int:
        """The number of digits k."""
        return self._native.digits

    @property
    def bound(self) -> Bound | None:
        """Returns the distance of a sample from the coset Gaussian, or `None` if the distribution is exact."""
        row = self._native.bound()
        return None if row is None else _bound(row)

    @suggests
    def sample(self, cosets: npt.ArrayLike, *, rng: Rng = None) -> npt.NDArray[np.int64]:
        """Draws a vector for each coset u. Returns an int64 array with one more axis, of k integers: the digits from b^0 up.

        `rng` is as in `DiscreteGaussian.sample`; a seed opens one stream. The vectors are a function of all cosets and of the bits. Raises `TypeError`
        and `ValueError` for arguments, and `OSError` if a source gives no random bits or is stuck.
        """
        values = _residues("cosets", cosets, self._arguments[1])
        out = np.empty((*values.shape, self.digits), np.int64)
        stream, lock = open_stream(rng)
        with lock:
            self._native.sample(values.reshape(-1), out.reshape(-1), stream)
        return out

    def __reduce__(self) -> tuple[Any, ...]:
        return _gadget, (type(self), *self._arguments)

    def __repr__(self) -> str:
        base, q, sigma = self._arguments
        return f"samplez.lattice.Gadget({base}, q={q}, sigma={sigma!r})"


def _gadget(cls: type[Gadget], base: int, q: int, sigma: str) -> Gadget:
    """The sampler of a pickle."""
    return cls(base, q=q, sigma=sigma)


class Trapdoor:
    """Holds a matrix A over Z_q with a trapdoor [MP12]. It samples short integer vectors x with A·x = u modulo q, for any u.

    A preimage has the Gaussian distribution of parameter `sigma` over all solutions, within `bound` for every key and target. `generate` and
    `from_bytes` make keys. The secret is erased when the key is dropped. No estimate of security is made.

    Key generation takes a variable time. For preimages nothing is claimed about timing, and nothing was measured.

    >>> key = lattice.Trapdoor.generate(8, q=12_289, rng=1)  # without rng: from the operating system
    >>> u = numpy.arange(8)
    >>> x = key.preimage(u, rng=2)
    >>> bool((key.apply(x) == u).all()), x.shape == key.a.shape[1:], key.bound.log2_renyi[256] < -85
    (True, True, True)
    """

    __slots__ = ("_native",)
    _native: _samplez.Trapdoor

    @hides_unknown
    def __init__(self, *unnamed: object, **unknown: object) -> None:
        raise TypeError("a Trapdoor is made by Trapdoor.generate or Trapdoor.from_bytes")

    @classmethod
    def _of(cls, native: _samplez.Trapdoor) -> Self:
        self = cls.__new__(cls)
        self._native = native
        return self

    @classmethod
    @partial(suggests, ways=MODULUS)
    def generate(
        cls,
        n: SupportsIndex,
        *,
        q: SupportsIndex,
        rng: Rng = None,
        base: SupportsIndex = 2,
        columns: SupportsIndex | None = None,
        key_sigma: Number = 2,
        sigma: Number | None = None,
    ) -> Self:
        """Generates a key for an A with n rows over Z_q.

        - `base`: the gadget's base b. A larger base gives fewer columns and a larger `sigma`.
        - `columns`: the columns of the uniform part of A, 2n by default.
        - `key_sigma`: σ of the entries of the trapdoor.
        - `sigma`: σ of preimages. The default is the least that the proof covers. A smaller one is refused, and the message names the least.

        `rng` is `None` for the operating system, a seed, or a `samplez.Source` or `samplez.BitGenerator` over a cryptographic source. ChaCha20 under
        those 32 bytes draws the key. Raises `ValueError` and `TypeError` for arguments, and `OSError` if a source fails.
        """
        bound = 2**64 - 1
        width = None if columns is None else whole("columns", columns, 0, bound)
        native = _samplez.Trapdoor.generate(
            whole("n", n, 0, bound), whole("q", q, 0, bound), whole("base", base, 0, bound), width, exact_text("key_sigma", key_sigma),
            None if sigma is None else exact_text("sigma", sigma), secret_seed(rng))
        return cls._of(native)

    @classmethod
    @suggests
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Self:
        """Reads the bytes of `to_bytes`. Raises `ValueError` for any other bytes. No message contains a byte of the secret."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"data: expected bytes, not {type(data).__name__}")
        return cls._of(_samplez.Trapdoor.from_bytes(bytes(data)))

    @suggests
    def to_bytes(self) -> bytes:
        """Returns the key as bytes. **These bytes are secret**, and Python does not erase them. `Trapdoor::from_bytes` in Rust reads them too."""
        return self._native.to_bytes()

    @property
    def q(self) -> int:
        """The modulus."""
        return self._native.modulus

    @property
    def sigma(self) -> Fraction:
        """The parameter σ of preimages."""
        return Fraction(self._native.sigma)

    @property
    def bound(self) -> Bound:
        """The distance of one preimage from the Gaussian over all solutions."""
        return _bound(self._native.bound())

    @property
    def a(self) -> npt.NDArray[np.int64]:
        """Returns a copy of A: int64, shape (n, m), entries from 0 to q - 1."""
        return self._native.matrix().reshape(self._native.rows, self._native.columns)

    @suggests
    def apply(self, x: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Returns A·x modulo q, for each vector x along the last axis. The products do not overflow."""
        array = _integers("x", x)
        _last("x", array, self._native.columns)
        if array.dtype == np.uint64 and array.size and array.max() >= 2**63:
            raise ValueError(f"x = {array.max()}: expected integers of at most 64 bits with a sign")
        out = np.empty((*array.shape[:-1], self._native.rows), np.int64)
        self._native.apply(np.ascontiguousarray(array, np.int64).reshape(-1), out.reshape(-1))
        return out

    @suggests
    def preimage(self, targets: npt.ArrayLike, *, rng: Rng = None) -> npt.NDArray[np.int64]:
        """Draws x with A·x = u for each target u along the last axis: an array of int64 with m integers along its last axis.

        `rng` is as in `generate`. ChaCha20 under those 32 bytes draws all preimages of a call, up to 64 at once, as ``preimages`` does in Rust. **A seed
        gives the same preimages again**: two preimages of different targets by one seed can reveal the trapdoor. Use seeds in tests only.
        """
        array = targets if isinstance(targets, np.ndarray) else np.asarray(list(targets) if isinstance(targets, Iterable) else targets)
        _last("targets", array, self._native.rows)
        values = _residues("targets", array, self.q)
        out = np.empty((*values.shape[:-1], self._native.columns), np.int64)
        self._native.preimages(values.reshape(-1), out.reshape(-1), secret_seed(rng))
        return out

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Trapdoor is secret and is not pickled: use to_bytes and from_bytes")

    def __repr__(self) -> str:
        return f"<samplez.lattice.Trapdoor: n {self._native.rows}, m {self._native.columns}, q {self.q}, sigma {self.sigma}>"


for _shown in (Bound, Gadget, Trapdoor):
    _shown.__module__ = "samplez.lattice"

__all__ = ["Bound", "Gadget", "Trapdoor"]
