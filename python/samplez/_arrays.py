"""A centre, and perhaps a width, for every sample."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, Union, cast

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._gaussian import DiscreteGaussian, Size, shape_of
from samplez._numbers import Number, exact_array, exact_text, hint, name_of
from samplez._plan import MethodInfo
from samplez._random import Rng, open_stream

Numbers: TypeAlias = Union[Number, npt.ArrayLike, Sequence[Any]]
"""A number, or an array of them."""

# Advice in the error, where a method refuses a number.
_SINGLE = "samplez.BigGaussian takes numbers of any size, one sigma and center at a time"
_KARNEY = "method auto takes smaller sigma"
_SMALL = "exact=True takes smaller sigma"
# Texts that are read together.
_PIECE = 1 << 12
# Samples between two looks at Ctrl-C. A whole number of the pieces in which the library sorts widths.
_STEP = 1 << 20


def round_methods() -> tuple[MethodInfo, ...]:
    """Every method of `round`.

    >>> [method.name for method in samplez.round_methods() if method.timing == "isochronous"]
    ['strips']
    """
    return tuple(MethodInfo(*entry) for entry in _samplez.round_methods())


_AUTO = round_methods()[0].name
"""The one that takes another method by σ, and so every rational σ and centre."""
_ISOCHRONOUS = frozenset(method.name for method in round_methods() if method.timing == "isochronous")


def _given(name: str, values: Any) -> Any:
    """One number as it is, or an array of them."""
    if isinstance(values, np.ndarray):
        return values if values.ndim else values[()]
    array = exact_array(name, values)
    return array if array.ndim else values


def _is_one(values: object) -> bool:
    return not isinstance(values, np.ndarray)


def _are_doubles(values: object) -> bool:
    """Whether these are integers and floats that doubles hold exactly."""
    if _is_one(values) and not isinstance(values, (float, numbers.Integral, np.floating)):
        return False
    array = np.asarray(values)
    if array.dtype.kind == "f":
        return array.dtype.itemsize <= 8
    if array.dtype.kind in "iu" and array.size:
        return bool(int(array.max()) <= 2**53 and int(array.min()) >= -(2**53))
    return array.size == 0


def _element(values: Any, place: int, shape: tuple[int, ...]) -> str:
    """The index, in brackets, of the element of an array that is broadcast to a place in this shape."""
    if _is_one(values):
        return ""
    index = np.unravel_index(place, shape)[len(shape) - values.ndim :]
    return str([int(i) if length > 1 else 0 for i, length in zip(index, values.shape, strict=True)])


def _doubles(name: str, values: object, shape: tuple[int, ...], least: float, most: float, allowed: str) -> npt.NDArray[np.float64]:
    """A double for each sample, within bounds."""
    array = np.broadcast_to(np.asarray(values, np.float64), shape)
    if array.size and not (array.min() >= least and array.max() <= most):
        bad = int(np.flatnonzero(~((array >= least) & (array <= most)))[0])
        raise ValueError(f"{name}{_element(values, bad, shape)} = {array.flat[bad]}: expected {allowed}")
    return np.ascontiguousarray(array).reshape(-1)


def _is_wide(sigma: Any) -> bool:
    """Whether every σ is from 1 to 2^26."""
    if _is_one(sigma):
        try:
            return 1 <= Fraction(exact_text("sigma", sigma)) <= 2**26
        except (ValueError, ZeroDivisionError):
            return False
    return _are_doubles(sigma) and bool(sigma.size == 0 or (sigma.min() >= 1 and sigma.max() <= 2**26))


def _sigmas(values: object, shape: tuple[int, ...], way_out: str) -> str | npt.NDArray[np.float64]:
    """One σ as a text, or a double for each sample."""
    if _is_one(values):
        return exact_text("sigma", values)
    return _doubles("sigma", values, shape, 1.0, 2.0**26, f"a number from 1 to 2^26; {way_out}")


def _centers(values: object, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    most = float(np.nextafter(2.0**62, 0))
    return _doubles("center", values, shape, -most, most, "a number between -2^62 and 2^62")


def _texts(name: str, values: Any, shape: tuple[int, ...]) -> list[str]:
    """The text of one number, or that of each sample's."""
    if _is_one(values):
        return [exact_text(name, values)]
    kind = object if values.dtype.kind in "UO" else values.dtype
    texts = np.empty(values.size, object)
    for place, value in enumerate(values.astype(kind).flat):
        try:
            texts[place] = exact_text(name, value)
        except (TypeError, ValueError):
            exact_text(f"{name}{_element(values, place, values.shape)}", value)
    return cast("list[str]", np.broadcast_to(texts.reshape(values.shape), shape).reshape(-1).tolist())


def _drawn(
    shape: tuple[int, ...], rng: Rng, draw: Callable[[_samplez.Stream, slice, npt.NDArray[np.int64]], None]
) -> npt.NDArray[np.int64]:
    """An array that is drawn a part at a time from one stream."""
    out = np.empty(shape, np.int64)
    flat = out.reshape(-1)
    stream, lock = open_stream(rng)
    with lock:
        for start in range(0, flat.size, _STEP):
            part = slice(start, min(start + _STEP, flat.size))
            draw(stream, part, flat[part])
    return out


def _of_many_digits(method: str, sigma: str, center: str, stream: _samplez.Stream) -> int | None:
    """The stream's next sample of a law whose numbers have more than 64 bits, such as some doubles near 0. `None` if
    the method would refuse their sizes."""
    try:
        law = _samplez.BigGaussian([("sigma", sigma), ("center", center)])
    except ValueError:
        return None
    least, most = (1, 2**26) if method in _ISOCHRONOUS else (0, 2**47)
    if not least <= Fraction(sigma) <= most or abs(Fraction(center)) > 2**62:
        return None
    return int.from_bytes(law.draw(stream, 1), "little", signed=True)


def _by_texts(
    method: str, sigma: object, center: object, shape: tuple[int, ...], rng: Rng, way_out: str
) -> npt.NDArray[np.int64]:
    sigmas, centers = _texts("sigma", sigma, shape), _texts("center", center, shape)

    def draw(stream: _samplez.Stream, part: slice, out: npt.NDArray[np.int64]) -> None:
        start, end = part.start, part.start + out.size
        while start < end:
            some = slice(start, min(start + _PIECE, end))
            widths = sigmas[0] if _is_one(sigma) else sigmas[some]
            length = some.stop - some.start
            around = centers[some] if len(centers) > 1 else centers * length
            into = out[some.start - part.start : some.stop - part.start]
            refused = _samplez.round_texts(method, widths, around, stream, into)
            if refused is None:
                start = some.stop
                continue
            place, text = refused
            width = widths if isinstance(widths, str) else widths[place]
            one = _of_many_digits(method, width, around[place], stream) if "not representable" in text else None
            if one is None:
                name, _, rest = text.partition(" ")
                values = {"sigma": sigma, "center": center}[name]
                out_of_range = "allow" in rest or "must lie" in rest
                way = _SINGLE if "not representable" in rest else way_out if out_of_range and name == "sigma" else ""
                raise ValueError(f"{name}{_element(values, start + place, shape)} {rest}{way and '; ' + way}")
            into[place] = one
            start += place + 1

    return _drawn(shape, rng, draw)


def sample(
    sigma: Numbers, center: Numbers = 0, size: Size | None = None, rng: Rng = None, *, exact: bool = False
) -> int | npt.NDArray[np.int64]:
    """Draws samples of D_{Z,σ,c} with a σ, or a centre, or both, for each. Returns an array of int64, of shape `size`,
    to which `sigma` and `center` are broadcast.

    1 <= σ <= 2^26 and \\|c\\| < 2^62. Each sample's law is D_{Z,σ,c} itself. The time does not depend on the samples. It may
    reveal σ, at least in which octave each is. `rng` is as in `DiscreteGaussian.sample`, a seed being that of one stream:
    the array is a function of the seed, `sigma` and `center`.

    Arrays and lists hold numbers of any type. Floats, and integers up to 2^53, are the doubles that they are. An array
    that holds any other number, such as a str, Fraction or Decimal, stays exact. Each of its numbers is then read as in
    `DiscreteGaussian`, and `round` with ``"strips"`` draws each sample.

    With ``exact=True`` any rational σ is taken, and a float is the shortest decimal that reads back as it, as elsewhere in the package.
    The time then depends on the samples whose σ is below 1 or above 2^26.

    If `sigma` and `center` are single numbers, this is ``DiscreteGaussian(sigma, center).sample(size, rng)``.

    Raises `ValueError` and `TypeError` for arguments; `OSError` as `DiscreteGaussian.sample` does.

    >>> import numpy as np
    >>> widths, centers = np.array([[1.5], [215.0]]), np.linspace(-1e6, 1e6, 5)
    >>> x = samplez.sample(widths, centers, rng=1)
    >>> x.shape, bool((abs(x - centers) < 12 * widths + 1).all())
    ((2, 5), True)
    >>> samplez.sample(["1/3", "0.5"], "1/7", size=(1000, 2), rng=1, exact=True).shape
    (1000, 2)
    """
    if not isinstance(exact, (bool, np.bool_)):
        raise TypeError(f"exact: must be True or False, not {type(exact).__name__}")
    sigma, center = _given("sigma", sigma), _given("center", center)
    if _is_one(sigma) and _is_one(center):
        g = DiscreteGaussian(cast(Any, sigma), cast(Any, center), exact=bool(exact) or None)
        return cast("int | npt.NDArray[np.int64]", g.sample(cast(Any, size), rng))
    together = _together(sigma, center)
    shape = together if size is None else shape_of(size)
    fits = len(together) <= len(shape)
    for own, asked in zip(reversed(together), reversed(shape), strict=False):
        fits = fits and own in (1, asked)
    if not fits:
        raise ValueError(f"size = {shape}: sigma and center have shape {together} together")
    if exact:
        return _by_texts(_AUTO, sigma, center, shape, rng, _SINGLE)
    if not (_are_doubles(center) and (_is_one(sigma) or _are_doubles(sigma))):
        return _by_texts("strips", sigma, center, shape, rng, _SMALL)
    sigmas, centers = _sigmas(sigma, shape, _SMALL), _centers(center, shape)

    def draw(stream: _samplez.Stream, part: slice, out: npt.NDArray[np.int64]) -> None:
        _samplez.sample_each(sigmas if isinstance(sigmas, str) else sigmas[part], centers[part], stream, out)

    return _drawn(shape, rng, draw)


def round(  # as `samplez round`
    centers: Numbers, sigma: Numbers, method: str = _AUTO, rng: Rng = None
) -> int | npt.NDArray[np.int64]:
    """Draws an integer around each centre, of D_{Z,σ,center}, as the command ``samplez round`` does under the same
    seed. Returns an int for a single centre and σ, else an array of int64 of the shape to which they broadcast.

    `method` is one of `round_methods`, and all of them are exact:

    - ``"strips"`` takes σ from 1 to 2^26. Its time depends on σ alone.
    - ``"karney"`` takes every rational σ and centre. Its time depends on the integers.
    - ``"auto"`` is ``"strips"`` where σ is from 1 to 2^26, else ``"karney"``.

    Numbers of any type stay exact. In an array a float is the double that it is, if ``"strips"`` draws all integers. Otherwise it
    is the shortest decimal that reads back as it. An array of σ has one rounder for each octave of σ: it returns other integers than
    the same σ as a single number. For large arrays `sample` is faster.

    >>> samplez.round(["10/3", "-0.1"], sigma="3.2", rng=1).shape
    (2,)
    >>> samplez.round([10.3, -0.1], sigma=[1.5, 4000.0], rng=1).shape
    (2,)
    >>> isinstance(samplez.round("10/3", "1/2", method="karney"), int)
    True
    """
    name_of("method", method)
    known = [entry.name for entry in round_methods()]
    if method not in known:
        raise ValueError(f"method = {method}: must be one of {', '.join(known)}{hint(method, known)}")
    sigma, centers = _given("sigma", sigma), _given("center", centers)
    shape = _together(sigma, centers)
    isochronous = method in _ISOCHRONOUS or (method == _AUTO and _is_wide(sigma))
    exact = not isochronous or _is_one(centers) or not _are_doubles(centers)
    if exact or not (_is_one(sigma) or _are_doubles(sigma)):
        out = _by_texts(method, sigma, centers, shape, rng, _KARNEY if method in _ISOCHRONOUS else _SINGLE)
    else:
        sigmas, doubles = _sigmas(sigma, shape, _KARNEY), _centers(centers, shape)

        def draw(stream: _samplez.Stream, part: slice, into: npt.NDArray[np.int64]) -> None:
            _samplez.round(method, sigmas if isinstance(sigmas, str) else sigmas[part], doubles[part], stream, into)

        out = _drawn(shape, rng, draw)
    return out if shape else int(out[()])


def _together(sigma: Any, center: Any) -> tuple[int, ...]:
    """The shape to which σ and centres broadcast."""
    shapes = tuple(() if _is_one(values) else values.shape for values in (sigma, center))
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(f"sigma, center: have shapes {shapes[0]} and {shapes[1]}, which do not broadcast") from None


__all__ = ["Numbers", "round", "round_methods", "sample"]
