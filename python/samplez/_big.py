"""The distribution with parameters beyond 64 bits: noise flooding asks for σ up to 2^512."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import prod
from typing import Any, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._numbers import Number, exact_text, name_of, wrong
from samplez._output import Size, new_array, shape_of
from samplez._random import Rng, open_stream
from samplez._recipe import Names, suggests
from samplez._typing import Self

# Samples between two looks at Ctrl-C: a whole number of the library's batches.
_STEP = 1 << 12


class BigGaussian(Names):
    """The discrete Gaussian D_{Z,σ,c}, exactly, for σ and c beyond 64 bits. Samples are Python integers.

    It takes the arguments of `DiscreteGaussian` without method and options. A width is at least 2^-60, or a fraction of 64 bits,
    and has at most 4096 bits in numerator and denominator, a centre 8192, and a number 2048 digits and signs. It also takes numbers of any
    such precision for small σ, for example a computed double as the centre. The timing is isochronous, and variable for such a number with σ <= 1/64.

    Raises `ValueError` and `TypeError`, as `DiscreteGaussian`. Distributions are equal if they have the same law. Immutable, picklable,
    safe to share between threads.

    >>> flood = samplez.BigGaussian("1e30", center="1/3")
    >>> x = flood.sample(1000, rng=1)
    >>> x.shape, type(x[0]), bool(abs(x).max() < 10**31)
    ((1000,), <class 'int'>, True)
    >>> flood == samplez.BigGaussian(sigma_squared=10**60, center="1/3")
    True
    """

    __slots__ = ("__weakref__", "_given", "_native")
    _given: str | list[tuple[str, str]]
    _native: _samplez.BigGaussian

    @suggests
    def __init__(
        self,
        sigma: Number | None = None,
        *,
        center: Number | None = None,
        sigma_squared: Number | None = None,
        k_sigma2: Number | None = None,
        s: Number | None = None,
    ) -> None:
        given = {"sigma": sigma, "sigma_squared": sigma_squared, "k_sigma2": k_sigma2, "s": s, "center": center}
        self._set([(name, exact_text(name, value)) for name, value in given.items() if value is not None])

    def _set(self, given: str | list[tuple[str, str]]) -> None:
        self._given = given
        self._native = _samplez.BigGaussian.of(given) if isinstance(given, str) else _samplez.BigGaussian(given)

    @classmethod
    @suggests
    def from_recipe(cls, recipe: str) -> Self:
        """The distribution of a text such as ``"sigma=1e30,center=1/3"``. Raises `ValueError`.

        >>> samplez.BigGaussian.from_recipe("sigma=1e-3,center=0.5").recipe
        'sigma=1/1000,center=1/2'
        """
        return remade(cls, name_of("recipe", recipe))

    @property
    def recipe(self) -> str:
        """The law as a text, in lowest terms. `from_recipe` builds an equal distribution from it."""
        return str(self._native)

    def _parts(self) -> tuple[str, str, str]:
        """The form of the width, its value and the centre, as texts in lowest terms."""
        width, _, center = self.recipe.partition(",center=")
        form, _, value = width.partition("=")
        return form, value, center or "0"

    @property
    def timing(self) -> str:
        """The class of the running time, until a sample becomes a Python integer."""
        return self._native.timing

    @overload
    def sample(self, size: None = None, *, rng: Rng = None) -> int: ...
    @overload
    def sample(self, size: Size, *, rng: Rng = None) -> npt.NDArray[np.object_]: ...
    @partial(suggests, ways={"dtype": "samples are Python integers, so leave it out", "out": "samples are in a new array, so leave it out"})
    def sample(self, size: Size | None = None, *, rng: Rng = None) -> int | npt.NDArray[np.object_]:
        """Draws samples: an int, or an array of Python integers, of dtype object and shape `size`.

        `rng` is as in `DiscreteGaussian.sample`. A seed opens one stream. The command ``samplez sample`` draws the same integers with
        the same seed and count. The interpreter's lock is released while they are drawn. Ctrl-C works every
        4096 samples.

        Raises `TypeError` and `ValueError` for arguments, and `OSError` if a source or generator gives no random bits or is stuck.

        >>> isinstance(samplez.BigGaussian("1e40").sample(), int)
        True
        """
        shape = () if size is None else shape_of(size)
        count, length = prod(shape), 8 * self._native.limbs
        if count > 2**59:
            raise wrong("size", size, "at most 2^59 samples")
        out = new_array((count,), object, typed=size)
        stream, lock = open_stream(rng)
        with lock:
            for start in range(0, count, _STEP):
                octets = self._native.draw(stream, min(_STEP, count - start))
                for place in range(len(octets) // length):
                    one = octets[place * length : (place + 1) * length]
                    out[start + place] = int.from_bytes(one, "little", signed=True)
        return int(out[0]) if size is None else out.reshape(shape)

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (type(self), self._given)

    def _key(self) -> tuple[str, Fraction, str]:
        """The width, where σ and σ² are one form, and the centre."""
        form, value, center = self._parts()
        number = Fraction(value)
        return ("sigma_squared", number**2, center) if form == "sigma" else (form, number, center)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BigGaussian) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"BigGaussian.from_recipe({self.recipe!r})"


_T = TypeVar("_T")


def remade(cls: type[_T], *given: object) -> _T:
    """The object whose `_set` took this, from a pickle too."""
    self: Any = cls.__new__(cls)
    self._set(*given)
    return cast(_T, self)


__all__ = ["BigGaussian", "remade"]
