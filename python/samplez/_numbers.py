"""Exact numbers: whatever Python writes a number with, as the text that the library reads."""

from __future__ import annotations

import math
import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any, SupportsIndex, TypeAlias, Union

import numpy as np

Number: TypeAlias = Union[int, str, Fraction, Decimal, float, "np.integer[Any]", "np.floating[Any]"]
"""A number, taken exactly: ``3.2`` is the double nearest to 16/5, ``"3.2"`` is 16/5."""


def exact_text(name: str, value: object) -> str:
    """The number as a text without any rounding.

    Raises `TypeError` for what is no number (booleans are not), `ValueError` for NaN and infinities.
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} = {value}: must be a number, not a truth value")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, (float, Decimal, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{name} = {value}: must be finite")
        top, bottom = value.as_integer_ratio()
        return f"{top}/{bottom}"
    raise TypeError(f"{name}: must be a str, int, Fraction, Decimal or float, not {type(value).__name__}")


def exact_fraction(name: str, value: object) -> Fraction:
    """The number as a fraction. Raises as `exact_text`, and `ValueError` for a text that is no number."""
    text = exact_text(name, value)
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} = {text}: must be a number such as 3, 0.1 or 16/5") from None


def whole(name: str, value: SupportsIndex, least: int, most: int) -> int:
    """An integer within bounds, both included."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} = {value}: must be an integer, not a truth value")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: must be an integer, not {type(value).__name__}") from None
    if not least <= number <= most:
        bound = f"2^{most.bit_length()} - 1" if most == (1 << most.bit_length()) - 1 and most > 1 << 20 else str(most)
        raise ValueError(f"{name} = {number}: must lie between {least} and {bound}")
    return number


def name_of(argument: str, value: object) -> str:
    """A name, which is a text."""
    if not isinstance(value, str):
        raise TypeError(f"{argument}: must be a str, not {type(value).__name__}")
    return value
