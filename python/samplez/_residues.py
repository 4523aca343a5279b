"""Samples modulo q, as rings have them."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._numbers import exact_array, index_of, integral, mistyped, no_integer, type_name, wrong
from samplez._recipe import suggests
from samplez._typing import Wholes

_SIGNED = (np.int8, np.int16, np.int32, np.int64)


def _modulus(name: str, q: Any) -> int:
    """A modulus as an integer. `name` is the argument's, for errors."""
    if isinstance(q, bool) or not hasattr(q, "__index__"):
        raise mistyped(name, q, "an integer from 2 to 2^63 - 1")
    return operator.index(q)


def _signed(integers: Any) -> npt.NDArray[Any]:
    """The integers in the narrowest signed type that holds all values of theirs, or as Python's if they are beyond 64 bits."""
    array = exact_array("integers", integers)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind == "O":
        whole = np.array([integral(value) for value in array.flat], object)
        bad = np.flatnonzero(whole == None)  # noqa: E711
        if bad.size:
            raise no_integer("integers", index_of(array, int(bad[0])), array.flat[bad[0]], "an integer")
        array = whole.reshape(array.shape)
        if not all(-(2**63) <= number < 2**63 for number in whole):
            return array
        array = array.astype(np.int64)
    if array.dtype.kind == "f":
        bad = np.flatnonzero(np.isnan(array))
        place = int(bad[0]) if bad.size else 0
        raise no_integer("integers", index_of(array, place), float(array.flat[place]), "an integer")
    if array.dtype.kind not in "iu":
        way = "; read the text as integers first" if array.dtype.kind == "U" else ""
        raise TypeError(f"integers: expected an array of integers, not of {type_name(array)}{way}")
    for signed in _SIGNED:
        if np.can_cast(array.dtype, signed):
            return np.require(array, signed, ["C", "A"])
    if int(array.max()) > 2**63 - 1:
        return array.astype(object)
    return np.require(array, np.int64, ["C", "A"])


@suggests
def residues(integers: npt.ArrayLike, modulus: SupportsIndex | Wholes | npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Returns the integers modulo q, from 0 to q - 1, in constant time. For an RNS basis, returns one row for each of its primes.

    `modulus` is q, from 2 to 2**63 - 1, or a sequence of them. The result has the shape of `integers`, behind an axis of the basis if
    there is one. NumPy's ``%`` divides by each number, and its time depends on their values. So does this for Python integers beyond 64
    bits, such as samples of a `BigGaussian`.

    Raises `ValueError` for a modulus out of range, and `TypeError` for values that are no integers.

    >>> noise = samplez.DiscreteGaussian("3.2").sample(4, rng=1, dtype="int8")
    >>> noise.tolist(), samplez.residues(noise, 12289).tolist()
    ([0, 2, -1, -5], [0, 2, 12288, 12284])
    >>> samplez.residues(noise, [65537, 114689]).shape
    (2, 4)
    """
    several = isinstance(modulus, (list, tuple, np.ndarray)) and np.ndim(cast("npt.ArrayLike", modulus)) > 0
    one = not several and hasattr(modulus, "__index__")
    if not (one or several):
        raise mistyped("modulus", modulus, "an integer or a sequence of integers")
    given: list[Any] = [modulus] if one else list(modulus)  # type: ignore[arg-type]
    names = ["modulus" if one else f"modulus[{i}]" for i in range(len(given))]
    basis = [_modulus(name, q) for name, q in zip(names, given)]
    array = _signed(integers)
    out = np.empty((len(basis), *array.shape), np.uint64)
    if array.dtype.kind == "O":
        refused = next((i for i, q in enumerate(basis) if not 2 <= q < 2**63), None)
        if refused is None:
            for i, q in enumerate(basis):
                out[i, ...] = np.array([operator.index(value) % q for value in array.flat], np.uint64).reshape(array.shape)
    else:
        # A modulus beyond 64 bits becomes 0, which the native code refuses.
        refused = _samplez.residues(array.reshape(-1), [q if 0 <= q < 2**64 else 0 for q in basis], out)
    if refused is not None:
        raise wrong(names[refused], basis[refused], "an integer from 2 to 2^63 - 1")
    return out[0] if one else out
