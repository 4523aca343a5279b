"""Names of `typing` from Python 3.11 on, at run time too, so that `typing.get_type_hints` finds them; and types of arguments."""

import sys
from collections.abc import Sequence
from typing import Any, TypeAlias, Union

import numpy as np
import numpy.typing as npt

if sys.version_info >= (3, 11):
    from typing import Self, Unpack
else:
    from typing_extensions import Self, Unpack

OneNumber: TypeAlias = Union[float, np.integer[Any], np.floating[Any]]
"""A number, for which a function of a law returns one."""
ManyNumbers: TypeAlias = Union[npt.NDArray[Any], Sequence[Any]]
"""An array or a list, for which it returns an array."""

__all__ = ["ManyNumbers", "OneNumber", "Self", "Unpack"]
