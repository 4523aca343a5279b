"""The arrays that samples go into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, SupportsIndex, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from samplez._numbers import mistyped, unmasked, whole, wrong, wrong_dtype
from samplez._typing import Wholes

Integers: TypeAlias = npt.NDArray[np.signedinteger[Any]]
Size: TypeAlias = Union[SupportsIndex, Wholes]
_ALLOWED = "int8, int16, int32 or int64, in the machine's byte order"
DTYPES = tuple(np.dtype(name) for name in ("int8", "int16", "int32", "int64"))


def integers(name: str, dtype: npt.DTypeLike) -> np.dtype[Any]:
    """One of the four types that are filled."""
    try:
        kind = np.dtype(dtype)
    except TypeError:
        short = dtype in ("i16", "i32", "i64")  # the command's names, of which i8 is another type in NumPy
        way = f"; write int{str(dtype)[1:]}" if short else ""
        raise wrong_dtype(name, dtype, f"int8, int16, int32 or int64{way}") from None
    if kind not in DTYPES:
        raise wrong_dtype(name, dtype if isinstance(dtype, str) else getattr(dtype, "__name__", kind), _ALLOWED + _instead(kind))
    return kind


def _instead(kind: np.dtype[Any]) -> str:
    """The way out for a type that is not filled."""
    if kind.kind in "ub":
        return "; samples are negative too, so draw signed integers: samplez.residues reduces them modulo q"
    return f"; draw integers, then write astype('{kind.str if kind.kind == 'i' else kind}')" if kind.kind in "ifcO" else ""


def shape_of(size: Size) -> tuple[int, ...]:
    """The shape that a `size` means."""
    lengths: Sequence[Any] = size if isinstance(size, (tuple, list)) else (size,)
    return tuple(whole("size", length, 0, 2**63 - 1) for length in lengths)


def as_size(shape: tuple[int, ...]) -> object:
    """A shape as it was typed: a length alone is a number."""
    return shape[0] if len(shape) == 1 else shape


def new_array(shape: tuple[int, ...], kind: npt.DTypeLike, argument: str = "size", typed: object = None) -> npt.NDArray[Any]:
    """A new array, whose size the caller typed if it has one dtype alone. Raises `MemoryError` with the count, the bytes and the way out."""
    try:
        return np.empty(shape, kind)
    except MemoryError:
        count, of = prod(shape), np.dtype(kind)
        way = "" if typed is not None or of == object or of.itemsize == 1 else ", or with a narrower dtype"
        raise MemoryError(
            f"{argument} = {typed or as_size(shape)}: {count} integers as {of} need {count * of.itemsize} bytes, more than the system gives; "
            f"draw them in parts{way}"
        ) from None


def output(
    shape: tuple[int, ...] | None, dtype: npt.DTypeLike | None, out: Integers | None, check: Callable[[np.dtype[Any], str], object],
    argument: str = "size",
) -> Integers:
    """A new array, or `out` if it will do. `check` refuses a type that is too narrow, under the name of an argument."""
    wanted = None if dtype is None else integers("dtype", dtype)
    if out is None:
        kind = wanted or np.dtype(np.int64)
        check(kind, "dtype")
        if shape is not None and prod(shape) * kind.itemsize > 2**63 - 1:
            raise wrong("size", as_size(shape), f"at most 2^63 - 1 bytes, with {kind}")
        return new_array(shape or (), kind, argument)
    if not isinstance(out, np.ndarray):
        raise mistyped("out", out, "a numpy.ndarray")
    unmasked("out", out)
    if out.dtype not in DTYPES:
        raise wrong_dtype("out.dtype", out.dtype, _ALLOWED + _instead(out.dtype))
    if wanted is not None and wanted != out.dtype:
        raise wrong_dtype("dtype", wanted, f"{out.dtype}, as out has; leave dtype out")
    check(out.dtype, "out.dtype" if wanted is None else "dtype")
    if not (out.flags.c_contiguous and out.flags.aligned):
        raise ValueError("out: expected an array that is C-contiguous and aligned; fill a new one and copy it")
    if not out.flags.writeable:
        raise ValueError("out: expected a writeable array, and it is read-only")
    if shape is not None and shape != out.shape:
        if argument == "size":
            raise wrong("size", as_size(shape), f"the shape of out, {out.shape}; leave size out")
        raise wrong("out.shape", out.shape, f"that of {argument}, {shape}")
    return out


def hold(low: float, high: float) -> Callable[[np.dtype[Any], str], None]:
    """Refuses a type that does not hold low … high."""

    def check(kind: np.dtype[Any], argument: str) -> None:
        fitting = [t for t in DTYPES if np.iinfo(t).min <= low and high <= np.iinfo(t).max]
        if kind not in fitting and kind != DTYPES[-1]:
            wider = fitting[0] if fitting else DTYPES[-1]
            raise ValueError(f"{argument} = {kind}: the samples range from {int(low)} to {int(high)}; use {wider}")

    return check


def narrowed(samples: npt.NDArray[np.int64], into: Integers) -> None:
    """Copies samples into a narrower type, and erases them. Raises `OverflowError` if one does not fit."""
    info = np.iinfo(into.dtype)
    fits = bool(((samples >= info.min) & (samples <= info.max)).all())
    if fits:
        into[...] = samples
    samples.fill(0)
    if not fits:
        raise OverflowError(f"a sample does not fit {into.dtype}")


__all__ = ["DTYPES", "Integers", "Size", "as_size", "hold", "integers", "narrowed", "new_array", "output", "shape_of"]
