"""Numbers and arrays of them, as arguments that are broadcast."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import numpy.typing as npt

from samplez._numbers import exact_array, unmasked


def one_or_many(name: str, values: Any) -> Any:
    """One number as it is, or an array of them."""
    unmasked(name, values)
    if isinstance(values, np.ndarray):
        return values if values.ndim else values[()]
    array = exact_array(name, values)
    return array if array.ndim else values


def is_one(values: object) -> bool:
    """Whether this is one number, and not an array."""
    return not isinstance(values, np.ndarray)


def are_doubles(values: object) -> bool:
    """Whether these are integers and floats that doubles hold exactly."""
    if is_one(values) and not isinstance(values, (float, numbers.Integral, np.floating)):
        return False
    array = np.asarray(values)
    if array.dtype.kind == "f":
        return array.dtype.itemsize <= 8
    if array.dtype.kind in "iu" and array.size:
        return bool(int(array.max()) <= 2**53 and int(array.min()) >= -(2**53))
    return array.size == 0


def element(values: Any, place: int, shape: tuple[int, ...]) -> str:
    """The index, in brackets, of the element of an array that is broadcast to a place in this shape."""
    if is_one(values):
        return ""
    index = np.unravel_index(place, shape)[len(shape) - values.ndim :]
    return str([int(i) if length > 1 else 0 for i, length in zip(index, values.shape, strict=True)])


def as_doubles(name: str, values: object, shape: tuple[int, ...], least: float, most: float, allowed: str) -> npt.NDArray[np.float64]:
    """A double for each sample, within bounds."""
    array = np.broadcast_to(np.asarray(values, np.float64), shape)
    if array.size and not (array.min() >= least and array.max() <= most):
        bad = int(np.flatnonzero(~((array >= least) & (array <= most)))[0])
        raise ValueError(f"{name}{element(values, bad, shape)} = {array.flat[bad]}: expected {allowed}")
    return np.require(array, np.float64, ["C", "A"]).reshape(-1)


__all__ = ["are_doubles", "as_doubles", "element", "is_one", "one_or_many"]
