"""Numbers: whatever Python writes a number with, as the text that the library reads."""

from __future__ import annotations

import math
import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any, SupportsIndex, TypeAlias, Union

import numpy as np

Number: TypeAlias = Union[int, str, Fraction, Decimal, float, np.integer[Any], np.floating[Any]]
"""A number. A float is the shortest decimal that reads back as it: ``3.2`` is 16/5. ``Fraction(3.2)`` and ``Decimal(3.2)``
are the double itself, 3602879701896397/1125899906842624."""


def exact_text(name: str, value: object) -> str:
    """The number as a text that the library reads, nothing rounded.

    Raises `TypeError` for what is no number (booleans are not), `ValueError` for NaN and infinities.
    """
    if isinstance(value, str):
        return name_of(name, value).strip()
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} = {value}: must be a number, not a truth value")
    if not isinstance(value, (int, np.integer, Fraction, Decimal, float, np.floating)):
        raise TypeError(f"{name}: must be a str, int, Fraction, Decimal or float, not {type(value).__name__}")
    if not isinstance(value, (int, np.integer, Fraction)) and not math.isfinite(value):
        raise ValueError(f"{name} = {value}: must be finite")
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, np.floating):
        return str(value)  # the shortest decimal of this type
    top, bottom = (int(value), 1) if isinstance(value, (int, np.integer)) else value.as_integer_ratio()
    try:
        return f"{top}/{bottom}" if bottom != 1 else str(top)
    except ValueError:  # Python's own limit
        raise ValueError(f"{name}: has too many digits") from None


def exact_fraction(name: str, value: object) -> Fraction:
    """The number as a fraction. Raises as `exact_text`, and `ValueError` for a text that is no number."""
    text = exact_text(name, value)
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} = {text}: must be a number such as 3, 0.1 or 16/5") from None


def whole(name: str, value: SupportsIndex, least: int | None, most: int | None) -> int:
    """An integer within bounds, both included, where there are any."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} = {value}: must be an integer, not a truth value")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: must be an integer, not {type(value).__name__}") from None
    if least is None or most is None:
        return number
    if not least <= number <= most:
        bound = f"2^{most.bit_length()} - 1" if most == (1 << most.bit_length()) - 1 and most > 1 << 20 else str(most)
        raise ValueError(f"{name} = {number}: must lie between {least} and {bound}")
    return number


def name_of(argument: str, value: object) -> str:
    """A name, which is a text."""
    if not isinstance(value, str):
        raise TypeError(f"{argument}: must be a str, not {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{argument}: has half a surrogate pair, which is no text") from None
    return value
