"""Names of `typing` from Python 3.11 on, at run time too, so that `typing.get_type_hints` finds them; and types of arguments."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, Union

import numpy as np
import numpy.typing as npt

if sys.version_info >= (3, 11):
    from typing import Self, Unpack
else:
    from typing_extensions import Self, Unpack

if TYPE_CHECKING:  # a default, which only checkers read, before Python 3.13
    from typing_extensions import TypeVar

    Values = TypeVar("Values", bound=Union[int, npt.NDArray[Any]], covariant=True, default=Union[int, npt.NDArray[Any]])
else:
    from typing import TypeVar

    Values = TypeVar("Values", covariant=True)

OneNumber: TypeAlias = Union[float, np.integer[Any], np.floating[Any]]
"""A number, for which a function of a law returns one."""
OneInteger: TypeAlias = Union[int, np.integer[Any]]
"""An integer, for which a mechanism returns one."""
ManyNumbers: TypeAlias = Union[npt.NDArray[Any], Sequence[Any]]
"""An array or a list, for which it returns an array."""
Wholes: TypeAlias = Union[tuple[SupportsIndex, ...], list[Any]]
"""Integers in a tuple or a list, where other sequences are rejected."""

__all__ = ["ManyNumbers", "OneInteger", "OneNumber", "Self", "Unpack", "Values", "Wholes"]
