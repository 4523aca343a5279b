"""A centre, and perhaps a width, for every sample."""

from __future__ import annotations

import inspect
import math
import numbers
from bisect import bisect_left
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias, Union, cast, overload

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._elements import are_doubles, as_doubles, element, is_one, one_or_many
from samplez._far import Far, extent, find
from samplez._gaussian import DiscreteGaussian
from samplez._numbers import Number, brief, checked_call, exact_text, flag, given_too, hint, name_of, workers_of, wrong
from samplez._one import at_once, big_sample, near
from samplez._output import Integers, Size, as_size, hold, narrowed, new_array, output, shape_of
from samplez._random import Progress, Rng, open_stream
from samplez._recipe import as_typed, hides_unknown, no_keyword, no_position, suggests

Numbers: TypeAlias = Union[Number, npt.ArrayLike, Sequence[Any]]
"""A number, or an array of them."""
One: TypeAlias = Union[int, str, Fraction, Decimal, float, np.integer[Any], np.floating[Any], numbers.Rational]
"""One number, of any type."""
Many: TypeAlias = Union[npt.NDArray[Any], list[Any], tuple[Any, ...]]
"""An array of numbers, or a list of them."""

# Advice in the error, where a method refuses a number.
_SINGLE = "samplez.BigGaussian takes numbers of up to 4096 bits, one sigma and center at a time"
_KARNEY = "method auto takes smaller sigma"
# Bounds of σ in arrays, and of those of `strips`.
_LEAST, _MOST = Fraction(1, 2**60), Fraction(2**57)
_WIDTHS = "a number from 2^-60 to 2^57"
# Texts that are read together.
_PIECE = 1 << 12
# Samples between two looks at Ctrl-C. A whole number of the pieces in which the library sorts widths.
_STEP = 1 << 20
# Such a piece.
_ROW = 1 << 13
# Laws that are kept during a call.
_LAWS = 256


_METHODS = {name: timing for name, _, _, timing in _samplez.round_methods()}
"""The methods of `round`, and their timing."""
_AUTO = next(iter(_METHODS))
"""The one that takes another method by σ, and so every rational σ and centre."""
_ISOCHRONOUS = frozenset(name for name, timing in _METHODS.items() if timing == "isochronous")


def _is_wide(sigma: Any) -> bool:
    """Whether every σ is from 1 to 2^26."""
    if is_one(sigma):
        try:
            return 1 <= Fraction(exact_text("sigma", sigma)) <= 2**26
        except (ValueError, ZeroDivisionError):
            return False
    return are_doubles(sigma) and bool(sigma.size == 0 or (sigma.min() >= 1 and sigma.max() <= 2**26))


def _sigmas(values: object, shape: tuple[int, ...]) -> str | npt.NDArray[np.float64]:
    """One σ as a text, or a double for each sample, from 1 to 2^26."""
    if is_one(values):
        return exact_text("sigma", values)
    return as_doubles("sigma", values, shape, 1.0, 2.0**26, f"a number from 1 to 2^26; {_KARNEY}")


def _centers(name: str, values: object, shape: tuple[int, ...], sigmas: Any) -> tuple[npt.NDArray[np.float64], Far | None]:
    """A centre for each sample, and the integers from 2^62 on, which are 0 among them."""
    most = float(np.finfo(np.float64).max)
    centers = as_doubles(name, values, shape, -most, most, "a finite number")
    places = np.flatnonzero(abs(centers) >= 2.0**62)
    if not places.size:
        return centers, None
    wholes = [int(center) for center in centers[places].tolist()]
    centers = np.array(centers)  # the argument itself, perhaps
    centers[places] = 0.0
    return centers, Far.of(places, wholes, sigmas[places] if np.ndim(sigmas) else np.array([sigmas]))


def _texts(name: str, values: Any, shape: tuple[int, ...]) -> list[str]:
    """The text of one number, or that of each sample's."""
    if is_one(values):
        return [exact_text(name, values)]
    kind = object if values.dtype.kind in "UO" else values.dtype
    texts = np.empty(values.size, object)
    for place, value in enumerate(values.astype(kind).flat):
        try:
            texts[place] = exact_text(name, value)
        except (TypeError, ValueError):
            exact_text(f"{name}{element(values, place, values.shape)}", value)
    return cast("list[str]", np.broadcast_to(texts.reshape(values.shape), shape).reshape(-1).tolist())


Draw: TypeAlias = Callable[[_samplez.Stream, slice, npt.NDArray[np.int64]], None]
"""Draws the samples of a slice from a stream."""


class _Request:
    """Where the samples go, and how they are drawn."""

    def __init__(
        self, rng: Rng, dtype: npt.DTypeLike | None, out: Integers | None, threads: int | None, progress: Progress | None, shape_name: str,
        center: str = "center",
    ) -> None:
        self.rng, self.dtype, self.out, self.progress, self.shape_name = rng, dtype, out, progress, shape_name
        self.center = center  # the argument's name
        self.threads = workers_of(threads)
        checked_call("progress", progress)
        if rng is not None and self.threads > 1 and threads is not None:
            raise ValueError(f"threads = {threads}: expected 1 for arrays of sigma or center with rng, whose bits have one order; leave "
                             "rng out, or give each part of the arrays a seed of its own")

    def array(self, shape: tuple[int, ...], bounds: Callable[[], tuple[float, float]], far: Far | None = None) -> Integers:
        """Returns the array to fill. `bounds` is the range of all samples except the `far` ones."""
        if far is not None and not far.fits and self.dtype is None and self.out is None:
            return new_array(shape, object, self.shape_name)

        def check(kind: np.dtype[Any], argument: str) -> None:
            if far is not None:
                far.check(kind, argument)
            elif kind.itemsize < 8 and 0 not in shape:
                hold(*bounds())(kind, argument)

        return output(shape, self.dtype, self.out, check, self.shape_name)

    def fill(self, array: Integers, draw: Draw, far: Far | None = None) -> Integers:
        """Fills the array a part at a time: from one stream, or where there is no `rng` from one for each part. Adds the integers of `far`."""
        flat = array.reshape(-1)  # a view: the array is contiguous
        wide = flat.dtype == np.int64

        def part_of(start: int, step: int, stream: _samplez.Stream) -> int:
            part = slice(start, min(start + step, flat.size))
            into = flat[part] if wide else np.empty(part.stop - start, np.int64)
            draw(stream, part, into)
            if flat.dtype == object:
                flat[part] = into
            elif not wide:
                narrowed(into, flat[part])
            if far is not None:
                far.add(into, start, flat[part])
                if not wide:
                    into.fill(0)
            return part.stop - start

        def told(done: int) -> None:
            if self.progress is not None:
                self.progress(done, flat.size)

        try:
            if self.rng is None and self.threads > 1 and flat.size > _ROW:
                # Whole pieces of the library, for each thread as many.
                step = min(_STEP, _ROW * math.ceil(flat.size / self.threads / _ROW))
                with ThreadPoolExecutor(self.threads) as pool:
                    parts = [pool.submit(lambda start: part_of(start, step, open_stream(None)[0]), start) for start in range(0, flat.size, step)]
                    try:
                        done = 0
                        for part in as_completed(parts):
                            done += part.result()
                            told(done)
                    except BaseException:
                        pool.shutdown(wait=False, cancel_futures=True)
                        raise
            else:
                stream, lock = open_stream(self.rng)
                with lock:
                    for start in range(0, flat.size, _STEP):
                        told(start + part_of(start, _STEP, stream))
        except OSError:
            flat.fill(0)
            raise
        return array


def _of_big(
    sigma: str, center: str, least: Fraction | int, most: Fraction | int, stream: _samplez.Stream, laws: dict[tuple[str, str], _samplez.BigGaussian]
) -> int | None:
    """The stream's next sample of a law that the method refuses: because its numbers have more than 64 bits, such as some doubles near
    0, or for its σ. `None` if σ is beyond these bounds, or the law's integers beyond 64 bits. `laws` are those of the call so far."""
    law = laws.get((sigma, center))
    if law is None:
        try:
            law = _samplez.BigGaussian([("sigma", sigma), ("center", center)])
        except ValueError:
            return None
        if not least <= Fraction(sigma) <= most or abs(Fraction(center)) > 2**62:
            return None
        if len(laws) >= _LAWS:
            laws.clear()
        laws[sigma, center] = law
    return int.from_bytes(law.draw(stream, 1), "little", signed=True)


def _by_texts(
    method: str, sigma: object, center: object, shape: tuple[int, ...], request: _Request, way_out: str, *, every: bool = False
) -> Integers:
    """Draws one after the other by a rounder; with `every` also those whose σ it refuses."""
    sigmas, centers = _texts("sigma", sigma, shape), _texts(request.center, center, shape)
    rests, far = _find(request.center, center, centers, lambda: np.array([near(text) for text in sigmas]), shape)
    array = request.array(shape, lambda: extent(*(np.array([near(text) for text in texts]) for texts in (rests, sigmas))), far)
    laws: dict[tuple[str, str], _samplez.BigGaussian] = {}
    least, most = (_LEAST, _MOST) if every else (1, 2**26) if method in _ISOCHRONOUS else (0, 2**47)

    def draw(stream: _samplez.Stream, part: slice, out: npt.NDArray[np.int64]) -> None:
        start, end = part.start, part.start + out.size
        while start < end:
            some = slice(start, min(start + _PIECE, end))
            widths = sigmas[0] if is_one(sigma) else sigmas[some]
            length = some.stop - some.start
            around, beside = (texts[some] if len(texts) > 1 else texts * length for texts in (centers, rests))
            into = out[some.start - part.start : some.stop - part.start]
            refused = _samplez.round_texts(method, widths, around, stream, into)
            if refused is None:
                start = some.stop
                continue
            place, kind, name, value, why = refused
            width = widths if isinstance(widths, str) else widths[place]
            rest = f"= {brief(value)}: {why}"
            out_of_range, is_long = kind == "unsupported", kind == "too-long"
            is_far = around[place] != beside[place]
            other = is_long or (every and name == "sigma" and out_of_range) or (name == "center" and is_far)
            one = _of_big(width, beside[place], least, most, stream, laws) if other else None
            if one is None:
                values = {"sigma": sigma, "center": center}[name]
                if every and name == "sigma" and (out_of_range or is_long or near(width) != 0) and not _LEAST <= near(width) <= _MOST:
                    rest, is_long = f"= {brief(width)}: expected {_WIDTHS}", False
                elif name == "sigma" and is_long and not _LEAST <= near(width) <= 2**47:
                    rest, is_long = f"= {brief(width)}: expected a number from 2^-60 to 2^47", False
                way = _SINGLE if is_long else way_out if out_of_range and name == "sigma" else ""
                spelled = request.center if name == "center" else name
                raise ValueError(f"{spelled}{element(values, start + place, shape)} {rest}{way and '; ' + way}")
            into[place] = one
            start += place + 1

    return request.fill(array, draw, far)


def _find(name: str, center: Any, centers: list[str], sigmas: Callable[[], npt.NDArray[np.float64]], shape: tuple[int, ...]) -> tuple[list[str], Far | None]:
    """The same with the rests of those beyond 2^62."""
    return find(name, centers, lambda place: element(center, place, shape), sigmas, math.prod(shape))


def _exactly(values: npt.NDArray[np.float64]) -> list[str]:
    """The doubles themselves, as fractions."""
    return ["/".join(map(str, value.as_integer_ratio())) for value in values.tolist()]


def _by_doubles(sigma: object, center: object, shape: tuple[int, ...], request: _Request) -> Integers:
    """Draws in batches those with 1 <= σ <= 2^26, in each part before the others, which follow one after the other."""
    text = exact_text("sigma", sigma) if is_one(sigma) else ""
    if text and not _LEAST <= near(text) <= _MOST:
        raise wrong("sigma", text, _WIDTHS)
    sigmas = None if text else as_doubles("sigma", sigma, shape, float(_LEAST), float(_MOST), _WIDTHS)
    centers, far = _centers("center", center, shape, near(text) if sigmas is None else sigmas)
    array = request.array(shape, lambda: extent(centers, near(text) if sigmas is None else sigmas), far)
    wide = _is_wide(sigma) if sigmas is None else (sigmas >= 1) & (sigmas <= 2.0**26)
    all_wide = bool(np.all(wide))

    def draw(stream: _samplez.Stream, part: slice, out: npt.NDArray[np.int64]) -> None:
        if all_wide:
            _samplez.sample_each(text if sigmas is None else sigmas[part], centers[part], stream, out)
            return
        if sigmas is None:
            refused = _samplez.sample_laws("sigma", text, _exactly(centers[part]), False, stream, out)
        else:
            inside = cast("npt.NDArray[np.bool_]", wide)[part]
            some, others = np.empty(int(inside.sum()), np.int64), np.empty(int((~inside).sum()), np.int64)
            _samplez.sample_each(sigmas[part][inside], centers[part][inside], stream, some)
            out[inside] = some
            rest = [_exactly(values[part][~inside]) for values in (sigmas, centers)]
            refused = _samplez.sample_laws("sigma", rest[0], rest[1], False, stream, others)
            out[~inside] = others
            some.fill(0)
            others.fill(0)
        if refused is not None:
            _, _, name, value, why = refused
            raise ValueError(f"{name} = {brief(value)}: {why}")

    return request.fill(array, draw, far)


def _by_laws(form: str, width: object, center: object, shape: tuple[int, ...], request: _Request, quick: bool) -> Integers:
    """Draws one after the other, for widths of another form than σ; `quick` ones in a time that depends on the samples."""
    widths, centers = _texts(form, width, shape), _texts("center", center, shape)
    sigmas = np.sqrt(np.maximum([near(text) for text in widths], 0.0))
    if (sigmas > 2.0**57).any() and 0 not in shape:
        place = int(np.flatnonzero(sigmas > 2.0**57)[0])
        raise ValueError(f"{form}{element(width, place, shape)} = {brief(widths[place])}: expected a number up to 2^114; {_SINGLE}")
    centers, far = _find("center", center, centers, lambda: sigmas, shape)
    array = request.array(shape, lambda: extent(np.array([near(text) for text in centers]), sigmas), far)

    def draw(stream: _samplez.Stream, part: slice, out: npt.NDArray[np.int64]) -> None:
        now = [texts[0] if is_one(values) else texts[part] for texts, values in ((widths, width), (centers, center))]
        refused = _samplez.sample_laws(form, now[0], now[1], quick, stream, out)
        if refused is not None:
            place, _, name, value, why = refused
            values = {form: width, "center": center}.get(name, 0)
            raise ValueError(f"{name}{element(values, part.start + place, shape)} = {brief(value)}: {why}")

    return request.fill(array, draw, far)


@overload
def sample(
    sigma: One | None = None, *, center: One = 0, size: None = None, rng: Rng = None, dtype: npt.DTypeLike | None = None, out: None = None,
    sigma_squared: One | None = None, exact: bool = False, source: str = "chacha20", first: int = 0, threads: int | None = 1,
    progress: Progress | None = None,
) -> int: ...
@overload
def sample(
    sigma: Many, *, center: Numbers = 0, size: Size | None = None, rng: Rng = None, dtype: npt.DTypeLike | None = None,
    out: Integers | None = None, sigma_squared: None = None, exact: bool = False, source: str = "chacha20", first: int = 0,
    threads: int | None = 1, progress: Progress | None = None,
) -> Integers: ...
@overload
def sample(
    sigma: One | None = None, *, center: Numbers = 0, size: Size, rng: Rng = None, dtype: npt.DTypeLike | None = None,
    out: Integers | None = None, sigma_squared: Numbers | None = None, exact: bool = False, source: str = "chacha20", first: int = 0,
    threads: int | None = 1, progress: Progress | None = None,
) -> Integers: ...
@overload
def sample(
    sigma: One | None = None, *, center: Numbers = 0, size: Size | None = None, rng: Rng = None, dtype: npt.DTypeLike | None = None,
    out: Integers, sigma_squared: Numbers | None = None, exact: bool = False, source: str = "chacha20", first: int = 0,
    threads: int | None = 1, progress: Progress | None = None,
) -> Integers: ...
@overload
def sample(
    sigma: One | None = None, *, center: Many, size: Size | None = None, rng: Rng = None, dtype: npt.DTypeLike | None = None,
    out: Integers | None = None, sigma_squared: Numbers | None = None, exact: bool = False, source: str = "chacha20", first: int = 0,
    threads: int | None = 1, progress: Progress | None = None,
) -> Integers: ...
@overload
def sample(
    sigma: None = None, *, center: Numbers = 0, size: Size | None = None, rng: Rng = None, dtype: npt.DTypeLike | None = None,
    out: Integers | None = None, sigma_squared: Many, exact: bool = False, source: str = "chacha20", first: int = 0,
    threads: int | None = 1, progress: Progress | None = None,
) -> Integers: ...
@overload
def sample(
    sigma: Numbers | None = None, *, center: Numbers = 0, size: Size | None = None, rng: Rng = None, dtype: npt.DTypeLike | None = None,
    out: Integers | None = None, sigma_squared: Numbers | None = None, exact: bool = False, source: str = "chacha20", first: int = 0,
    threads: int | None = 1, progress: Progress | None = None,
) -> int | Integers: ...
@hides_unknown
def sample(
    sigma: Numbers | None = None,
    *unnamed: Any,
    center: Numbers = 0,
    size: Size | None = None,
    rng: Rng = None,
    dtype: npt.DTypeLike | None = None,
    out: Integers | None = None,
    sigma_squared: Numbers | None = None,
    exact: bool = False,
    source: str = "chacha20",
    first: int = 0,
    threads: int | None = 1,
    progress: Progress | None = None,
    **unknown: Any,
) -> int | Integers:
    """Draws samples of D_{Z,σ,c} with a σ, or a centre, or both, for each. Returns an array of shape `size`, to which `sigma` and
    `center` are broadcast, or an int for single numbers without `size` and `out`.

    Each sample's law is exactly D_{Z,σ,c}. 2^-60 <= σ <= 2^57, and a centre is of any size. If one is beyond ±2^62 and int64 may not
    hold a sample, the array has dtype object and holds Python integers. The time does not depend on the samples, except for σ <= 1/64
    with a number of more than 64 bits. It may reveal σ, at least its octave. Samples with 1 <= σ <= 2^26 are drawn in batches. Each of
    the other laws needs up to a millisecond or so. `sigma_squared` instead of `sigma` is exact too, and always as slow.

    `rng`, `dtype`, `out` and `progress` are as in `DiscreteGaussian.sample`. A seed opens one stream: the array is a function of the
    seed, `sigma` and `center`. `threads` above 1 requires arrays without `rng`. `source` and `first` are for single numbers.

    Arrays and lists hold numbers of any type. Floats, and integers up to 2^53, are the doubles that they are. An array
    that holds any other number, such as a str, Fraction or Decimal, stays exact. Each of its numbers is then read as in
    `DiscreteGaussian`, and drawn as `round` does with ``"strips"``.

    With ``exact=True`` any rational σ up to 2^47 is taken, and a float is read as elsewhere in the package: below 2^53 it is the
    shortest decimal that reads back as it. No table is built. The time then depends on the samples whose σ is below 1 or above 2^26, and with `sigma_squared`.

    If `sigma` and `center` are single numbers, this is ``DiscreteGaussian(sigma, center=center).sample(...)``. It takes every finite
    double as the centre, and without ``size`` returns an int of any size. A single sample without `rng` builds no table for
    1 <= σ <= 2^26. The last 64 σ are kept for such calls, and no centre.

    Raises `ValueError` and `TypeError` for arguments; `OSError` and `OverflowError` as `DiscreteGaussian.sample` does.

    >>> import numpy as np
    >>> widths, centers = np.array([[1.5], [215.0]]), np.linspace(-1e6, 1e6, 5)
    >>> x = samplez.sample(widths, center=centers, rng=1, dtype="int32")
    >>> x.shape, bool((abs(x - centers) < 12 * widths + 1).all())
    ((2, 5), True)
    >>> samplez.sample(["1/3", "0.5"], center="1/7", size=(1000, 2), rng=1, exact=True).shape
    (1000, 2)
    >>> samplez.sample([0.25, 3.2], rng=1).shape, samplez.sample(sigma_squared=[2, 10], rng=1).shape
    ((2,), (2,))
    """
    if unnamed:
        raise no_position("sample", (sigma, *unnamed), ("sigma",), tuple(inspect.signature(sample).parameters))
    if unknown:
        raise no_keyword(next(iter(unknown)), tuple(inspect.signature(sample).parameters), beside=("samplez.DiscreteGaussian", tuple(inspect.signature(DiscreteGaussian).parameters)))
    plain = size is None and rng is None and dtype is None and out is None and progress is None
    if plain and sigma_squared is None and exact is False and first == 0 and threads == 1:
        one = at_once(sigma, center) if source == "chacha20" else None
        if one is not None:
            return one
    flag("exact", exact)
    form, given = ("sigma", sigma) if sigma_squared is None else ("sigma_squared", sigma_squared)
    if sigma is not None and sigma_squared is not None:
        raise given_too("sigma_squared", sigma_squared, "sigma")
    width, center = given if given is None else one_or_many(form, given), one_or_many("center", center)
    if is_one(width) and is_one(center):
        widths: dict[str, Any] = {form: width}
        try:
            g = DiscreteGaussian(**widths, center=cast(Any, center), exact=bool(exact) or None)
        except ValueError:
            simple = dtype is None and out is None and progress is None and source == "chacha20" and first == 0 and threads in (1, None)
            big = big_sample(widths, center, size, rng) if simple and width is not None else None
            if big is None:
                raise
            return big
        return cast("int | Integers", g.sample(cast(Any, size), rng=rng, dtype=dtype, out=cast(Any, out), source=source, first=first, threads=threads, progress=progress))
    if width is None:
        raise TypeError("missing width: pass sigma or sigma_squared, a number or an array of numbers")
    if first != 0 or source != "chacha20":
        said = f"first = {first}" if first != 0 else f"source = {source}"
        raise ValueError(f"{said}: expected the default for arrays of sigma or center, which one stream draws; give a samplez.Source as rng, or "
                         "sample parts of the arrays")
    request = _Request(rng, dtype, out, threads, progress, "size" if size is not None else "sigma and center together")
    together = _together(form, width, center)
    shape = together if size is None else shape_of(size)
    fits = len(together) <= len(shape)
    for own, asked in zip(reversed(together), reversed(shape), strict=False):
        fits = fits and own in (1, asked)
    if not fits:
        raise ValueError(f"size = {as_size(shape)}: {form} and center have shape {together} together; leave size out, or end it with this shape")
    if sigma_squared is not None:
        return _by_laws(form, width, center, shape, request, bool(exact))
    if exact:
        return _by_texts(_AUTO, width, center, shape, request, _SINGLE)
    if not (are_doubles(center) and (is_one(width) or are_doubles(width))):
        return _by_texts("strips", width, center, shape, request, "", every=True)
    return _by_doubles(width, center, shape, request)


@overload
def round(
    centers: One, *, sigma: One, method: str = _AUTO, rng: Rng = None, dtype: npt.DTypeLike | None = None, out: None = None,
    threads: int | None = 1, progress: Progress | None = None,
) -> int: ...
@overload
def round(
    centers: Many, *, sigma: Numbers, method: str = _AUTO, rng: Rng = None, dtype: npt.DTypeLike | None = None, out: Integers | None = None,
    threads: int | None = 1, progress: Progress | None = None,
) -> Integers: ...
@overload
def round(
    centers: One, *, sigma: Many, method: str = _AUTO, rng: Rng = None, dtype: npt.DTypeLike | None = None, out: Integers | None = None,
    threads: int | None = 1, progress: Progress | None = None,
) -> Integers: ...
@overload
def round(
    centers: Numbers, *, sigma: Numbers, method: str = _AUTO, rng: Rng = None, dtype: npt.DTypeLike | None = None, out: Integers,
    threads: int | None = 1, progress: Progress | None = None,
) -> Integers: ...
@overload
def round(
    centers: Numbers, *, sigma: Numbers, method: str = _AUTO, rng: Rng = None, dtype: npt.DTypeLike | None = None, out: Integers | None = None,
    threads: int | None = 1, progress: Progress | None = None,
) -> int | Integers: ...
@suggests
def round(  # as `samplez round`
    centers: Numbers,
    *,
    sigma: Numbers,
    method: str = _AUTO,
    rng: Rng = None,
    dtype: npt.DTypeLike | None = None,
    out: Integers | None = None,
    threads: int | None = 1,
    progress: Progress | None = None,
) -> int | Integers:
    """Draws an integer around each centre, of D_{Z,σ,center}, as the command ``samplez round`` does under the same
    seed. Returns an int for a single centre and σ without `out`, else an array of the shape to which they broadcast.

    `method` is one of three, and all of them are exact:

    - ``"strips"`` takes σ from 1 to 2^26. Its time depends on σ alone.
    - ``"karney"`` takes every rational σ and centre. Its time depends on the integers.
    - ``"auto"`` is ``"strips"`` where σ is from 1 to 2^26, else ``"karney"``.

    Numbers of any type stay exact. In an array a float is the double that it is, if ``"strips"`` draws all integers. Otherwise a float below
    2^53 is the shortest decimal that reads back as it. An array of σ has one rounder for each octave of σ: it returns other integers than
    the same σ as a single number. A centre is of any size, as for `sample`, which is faster for large arrays. `sample` describes `dtype`, `out`, `threads` and `progress`.

    >>> samplez.round(["10/3", "-0.1"], sigma="3.2", rng=1).shape
    (2,)
    >>> samplez.round([10.3, -0.1], sigma=[1.5, 4000.0], rng=1, dtype="int32").dtype
    dtype('int32')
    >>> isinstance(samplez.round("10/3", sigma="1/2", method="karney"), int)
    True
    """
    try:
        return _round(centers, sigma, method, rng, dtype, out, threads, progress)
    except ValueError as error:
        raise as_typed(error, {"sigma": sigma}) from None


def _round(
    centers: Numbers,
    sigma: Numbers,
    method: str,
    rng: Rng,
    dtype: npt.DTypeLike | None,
    out: Integers | None,
    threads: int | None,
    progress: Progress | None,
) -> int | Integers:
    """The same, with numbers as the library writes them in messages."""
    name_of("method", method)
    if method not in _METHODS:
        raise wrong("method", method, f"one of {', '.join(_METHODS)}{hint(method, list(_METHODS))}")
    sigma, centers = one_or_many("sigma", sigma), one_or_many("centers", centers)
    request = _Request(rng, dtype, out, threads, progress, "centers and sigma together", "centers")
    shape = _together("sigma", sigma, centers, request.center)
    isochronous = method in _ISOCHRONOUS or (method == _AUTO and _is_wide(sigma))
    exact = not isochronous or is_one(centers) or not are_doubles(centers)
    if exact or not (is_one(sigma) or are_doubles(sigma)):
        drawn = _by_texts(method, sigma, centers, shape, request, _KARNEY if method in _ISOCHRONOUS else _SINGLE)
    else:
        sigmas = _sigmas(sigma, shape)
        text = sigmas if isinstance(sigmas, str) else ""
        doubles, far = _centers(request.center, centers, shape, near(text) if text else sigmas)
        array = request.array(shape, lambda: extent(doubles, near(text) if text else sigmas), far)
        places = [] if far is None else far.places.tolist()
        laws: dict[tuple[str, str], _samplez.BigGaussian] = {}

        def draw(stream: _samplez.Stream, part: slice, into: npt.NDArray[np.int64]) -> None:
            start = part.start
            for place in [*places[bisect_left(places, part.start) : bisect_left(places, part.stop)], part.stop]:
                some, here = slice(start, place), into[start - part.start : place - part.start]
                _samplez.round(method, sigmas if isinstance(sigmas, str) else sigmas[some], doubles[some], stream, here)
                if place < part.stop:  # an integer beyond 2^62, as the command has it
                    width = sigmas if isinstance(sigmas, str) else _exactly(sigmas[place : place + 1])[0]
                    one = _of_big(width, "0", 1, 2**26, stream, laws)
                    assert one is not None
                    into[place - part.start] = one
                start = place + 1

        drawn = request.fill(array, draw, far)
    return drawn if shape or out is not None else int(drawn[()])


def _together(form: str, width: Any, center: Any, name: str = "center") -> tuple[int, ...]:
    """The shape to which widths and centres broadcast."""
    shapes = tuple(() if is_one(values) else values.shape for values in (width, center))
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(f"{form}, {name}: have shapes {shapes[0]} and {shapes[1]}, which do not broadcast") from None


__all__ = ["Numbers", "round", "sample"]
