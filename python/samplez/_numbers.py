"""Numbers: all types of numbers in Python, as the text that the library reads."""

from __future__ import annotations

import math
import numbers
import operator
import os
import re
from collections.abc import Iterable, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any, SupportsIndex, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from samplez import _samplez

Number: TypeAlias = Union[
    int, str, Fraction, Decimal, float, np.integer[Any], np.floating[Any], numbers.Rational, SupportsIndex, npt.NDArray[Any]
]
"""A number of any type, also as an array without axes. A float below 2^53, Python's or NumPy's, is the shortest decimal that reads back as
it: ``3.2`` is 16/5. The double ``2.0**-60`` is exactly 2^-60, although its shortest decimal is smaller. From 2^53 on it is the integer that it is, so ``2.0**60`` is 2^60 and ``1e23`` is 99999999999999991611392. Any other number is its exact value, so ``Fraction(3.2)`` and ``Decimal(3.2)`` are 3602879701896397/1125899906842624."""

# The smallest width. The shortest decimal of this double is smaller.
_LEAST_WIDTH = 2.0**-60
# Powers of ten and of two up to which a fraction of integers is written: beyond, its digits could fill the memory.
_TENS, _TWOS = 5000, 1 << 20
# A decimal, or a fraction of two, and their powers of ten.
_NUMBER = re.compile(r"[-+]?[0-9.]+(?:[eE]([-+]?[0-9]+))?(?:/[0-9.]+(?:[eE]([-+]?[0-9]+))?)?")


def _part(value: object, name: str) -> Any:
    """An attribute, or the result of a method of this name, as Sage has it."""
    part = getattr(value, name)
    return part() if callable(part) else part


def _is_rational(value: object) -> bool:
    return isinstance(value, numbers.Rational)


def _ratio_of(value: Any) -> tuple[int, int] | None:
    """Numerator and denominator of a finite number of any library, by its documented names; `None` if it has none of them."""
    try:
        return operator.index(value), 1
    except TypeError:
        pass
    if hasattr(value, "exact_rational"):  # Sage's RealNumber
        value = value.exact_rational()
    for top, bottom in (("numerator", "denominator"), ("p", "q")):
        named = hasattr(value, top) and hasattr(value, bottom)
        if named and (top != "p" or _is_rational(value)):
            try:
                return operator.index(_part(value, top)), operator.index(_part(value, bottom))
            except TypeError:
                pass
    if hasattr(value, "as_integer_ratio"):
        over, under = value.as_integer_ratio()
        return operator.index(over), operator.index(under)
    if hasattr(value, "_mpf_"):  # mpmath's, and SymPy's Float
        sign, mantissa, exponent, _ = value._mpf_
        if mantissa == 0 and exponent != 0:
            raise OverflowError  # infinities and NaN
        number = -int(mantissa) if sign else int(mantissa)
        shift = max(-_TWOS, min(int(exponent), _TWOS))  # too many digits, if cut
        return (number << shift, 1) if shift >= 0 else Fraction(number, 1 << -shift).as_integer_ratio()
    return None


def _not_finite(name: str, value: object) -> ValueError:
    return wrong(name, value, "a finite number", "not-a-number")


def _digits(name: str, top: int, bottom: int) -> str:
    try:
        return f"{top}/{bottom}" if bottom != 1 else str(top)
    except ValueError:  # Python's own limit
        raise ValueError(f"{name}: has too many digits: expected at most 4300, or a text in scientific notation") from None


def shown(number: object) -> str:
    """A number or a text as a message has it: one of more than forty digits to four digits.

    >>> from samplez._numbers import shown
    >>> shown(Fraction(16, 5)), shown(-(10**5000)), shown(Fraction(1, 3**9000))
    ('16/5', '-1.000e+5000', '8.104e-4295')
    """
    if not isinstance(number, (int, Fraction)):
        return brief(str(number))
    top, bottom = number.numerator, number.denominator
    if max(abs(top), bottom) < 10**40:
        return str(number)
    with localcontext(Context(prec=9, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        return f"{Decimal(top) / Decimal(bottom):.3e}"


def wrong(name: str, value: object, expected: str, kind: str = "") -> ValueError:
    """The error for a value that the argument does not allow."""
    kind = kind or ("unknown" if expected.startswith("one of ") else "out-of-range")
    return _refusal(kind, name, f"expected {expected}", shown(value))


def refusal(kind: str, name: str, reason: str, told: str = "") -> ValueError:
    """Returns the error for a value that is shown only as `told`, with the parts of the library's refusals."""
    return _refusal(kind, name, reason, told or None)


def _refusal(kind: str, name: str, reason: str, told: str | None) -> ValueError:
    error = ValueError(f"{name}{'' if told is None else ' = ' + told}: {reason}")
    vars(error).update(kind=kind, argument=name, value=told or "", reason=reason)
    return error


def mistyped(name: str, value: object, expected: str, way: str = "") -> TypeError:
    """The error for a value of another type, with the value if it is one number or a short text."""
    is_short = isinstance(value, (str, numbers.Number, np.generic, type(None))) and len(str(value)) <= 40
    told = f" = {value}" if is_short else ""
    return TypeError(f"{name}{told}: expected {expected}, not {type(value).__name__}{way and '; ' + way}")


def wrong_dtype(name: str, dtype: object, expected: str) -> TypeError:
    """The error for a NumPy type."""
    return TypeError(f"{name} = {dtype}: expected {expected}")


def given_too(name: str, value: object, other: str, way: str = "pass only one of them") -> ValueError:
    """The error for an argument that states the same as another one."""
    return _refusal("other", name, f"{other} is given too; {way}", shown(value))


def given_of(arguments: Mapping[str, object]) -> list[tuple[str, object]]:
    """The arguments that are given, with their values."""
    return [(name, value) for name, value in arguments.items() if value is not None]


def only_one(what: str, forms: Mapping[str, object]) -> tuple[str, object]:
    """The one argument that states `what`, and its value."""
    given = given_of(forms)
    if not given:
        raise TypeError(f"missing {what}: pass one of {', '.join(forms)}")
    if len(given) > 1:
        raise given_too(*given[1], given[0][0])
    return given[0]


def flag(name: str, value: object) -> None:
    """Refuses all but True and False."""
    if not isinstance(value, (bool, np.bool_)):
        raise mistyped(name, value, "True or False")


def checked_call(name: str, value: object) -> None:
    """Refuses what is neither callable nor `None`."""
    if value is not None and not callable(value):
        raise mistyped(name, value, "a callable")


def check_last(first: int, count: int, what: str) -> None:
    """Refuses addresses beyond 64 bits."""
    if first + count > 2**64:
        raise wrong("first", first, f"at most {2**64 - count} with {count} {what}")


def exact_text(name: str, value: object) -> str:
    """The number as a text that the library reads, nothing rounded.

    Raises `TypeError` for anything but a number (booleans are none), `ValueError` for NaN and infinities.
    """
    if isinstance(value, np.ndarray):
        unmasked(name, value)
        if value.ndim:
            raise TypeError(f"{name}: expected one number, not an array of shape {value.shape}; samplez.sample takes arrays")
        value = value[()]
    if isinstance(value, (list, tuple)):
        many = "; samplez.sample takes arrays" if name in ("sigma", "center") else ""
        way = f"; write {name}={value[0]!r}" if len(value) == 1 and isinstance(value[0], (str, numbers.Number)) else many
        told = f" = {value}" if len(str(value)) <= 40 else ""
        raise TypeError(f"{name}{told}: expected one number, not {type(value).__name__}{way}")
    if isinstance(value, str):
        return name_of(name, value).strip()
    if isinstance(value, (bool, np.bool_)):
        raise mistyped(name, value, "a number")
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise _not_finite(name, value)
        if abs(float(value)) == _LEAST_WIDTH and abs(value) == _LEAST_WIDTH:  # the second for a longdouble near it
            return f"{'-' if value < 0 else ''}1/{2**60}"
        # The shortest decimal of its type, which from 2^53 on may be another integer.
        text = float.__repr__(value) if isinstance(value, float) else str(value)
        return str(int(value)) if abs(float(value)) >= 2**53 and Fraction(text) != int(value) else text
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise _not_finite(name, value)
        if value and abs(value.adjusted()) > _TENS:
            return str(value)
    literal = getattr(value, "literal", None)
    if isinstance(literal, str) and hasattr(value, "exact_rational") and getattr(value, "base", 10) == 10:
        return literal.strip()  # a decimal typed in Sage
    try:
        ratio = None if isinstance(value, np.timedelta64) else _ratio_of(value)
    except (OverflowError, ValueError):
        raise _not_finite(name, value) from None
    if ratio is None:
        way_out = "give a fraction near it" if hasattr(value, "__float__") and not isinstance(value, np.generic) else ""
        raise mistyped(name, value, "a str, int, Fraction, Decimal, float, or another rational number", way_out)
    return _digits(name, *ratio)


def decimal(text: str) -> str:
    """A fraction as a decimal of at most 12 digits behind the point, if it is one; else the text itself.

    >>> from samplez._numbers import decimal
    >>> decimal("16/5"), decimal("1/3"), decimal("-1/8"), decimal("true")
    ('3.2', '1/3', '-0.125', 'true')
    """
    over, slash, under = text.partition("/")
    if not slash:
        return text
    try:
        value = Fraction(int(over), int(under))
    except (ValueError, ZeroDivisionError):
        return text
    scaled = value * 10**12
    if scaled.denominator != 1 or abs(value) >= 10**15:
        return text
    whole_part, rest = divmod(abs(scaled.numerator), 10**12)
    return f"{'-' if value < 0 else ''}{whole_part}.{rest:012d}".rstrip("0").rstrip(".")


def parsed(text: str) -> Fraction:
    """The number of a text as the library reads it. Raises `ValueError` for a text that is not a number, or that has a power of ten beyond 10^±5000, and
    `ZeroDivisionError`."""
    found = _NUMBER.fullmatch(text)
    if found is None or any(power and abs(int(power)) > _TENS for power in found.groups()):
        raise ValueError(f"{text}: expected a number with powers of ten up to {_TENS}")
    over, slash, under = text.partition("/")
    return Fraction(over) / Fraction(under) if slash else Fraction(over)


def brief(text: str) -> str:
    """A number's text as a message has it: one of more than forty characters to four digits.

    >>> from samplez._numbers import brief
    >>> brief("16/5"), brief("1" + "0" * 400), brief("0." + "0" * 60 + "1")
    ('16/5', '1.000e+400', '1.000e-61')
    """
    if len(text) <= 40:
        return text
    try:
        number = parsed(text)
    except (ValueError, ZeroDivisionError):
        return f"{text[:40]}…"
    with localcontext(Context(prec=9, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        return f"{Decimal(number.numerator) / Decimal(number.denominator):.3e}"


def exact_fraction(name: str, value: object) -> Fraction:
    """The number as a fraction. Raises as `exact_text`, and `ValueError` for a text that is no number."""
    text = exact_text(name, value)
    try:
        return parsed(text)
    except (ValueError, ZeroDivisionError):
        if _NUMBER.fullmatch(text) and (len(text) > 4300 or "e" in text.lower()):
            raise wrong(name, text, f"at most 4300 digits, and powers of ten up to {_TENS}") from None
        raise wrong(name, text, "a number such as 3, 0.1 or 16/5", "not-a-number") from None


ROUND = "round first, such as numpy.rint({name}).astype(int)"
"""The way out for floats where integers are expected."""


def no_integer(name: str, place: str, value: object, expected: str, is_hidden: bool = False) -> TypeError:
    """The error for an element that is not an integer: a missing value, or another type. It shows a fraction unless `is_hidden`."""
    is_float = isinstance(value, (float, np.floating, Decimal))
    is_nan = value.is_nan() if isinstance(value, Decimal) else is_float and value != value
    is_missing = value is None or type(value).__name__ in ("NAType", "NaTType", "NullType") or is_nan
    told = f" = {value}" if is_float and not is_hidden else ""
    way = f"; write {name}.astype(int) for 0 and 1" if isinstance(value, (bool, np.bool_)) else "; read the text as integers first" if isinstance(value, str) else ""
    way = ", a missing value; drop missing values first" if is_missing else "; " + ROUND.format(name=name) if is_float else way
    return TypeError(f"{name}{place}{told}: expected {expected}, not {type(value).__name__}{way}")


def index_of(array: npt.NDArray[Any], place: int) -> str:
    """The place of an element, counted in C order, as an index; an empty text for an array without axes."""
    return f"[{', '.join(str(int(i)) for i in np.unravel_index(place, array.shape))}]" if array.ndim else ""


def type_name(array: npt.NDArray[Any]) -> str:
    """The type of an array's elements: NumPy's, but ``str`` for texts."""
    return {"U": "str", "S": "bytes"}.get(array.dtype.kind, str(array.dtype))


def unmasked(name: str, values: object) -> None:
    """Refuses an array with masked elements, which NumPy's functions would read as if they were not masked."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        count = int(np.count_nonzero(np.ma.getmaskarray(values)))
        raise ValueError(f"{name}: has {count} masked element{'s' if count > 1 else ''}: expected an array without; give {name}.compressed() or {name}.filled(value)")


def plain_array(name: str, values: Any) -> npt.NDArray[Any]:
    """The array that NumPy makes, or one of objects from a column of integers that NumPy lacks, such as 128 bits. Raises `ValueError` for a ragged list."""
    try:
        return np.asarray(values)
    except TypeError:
        raise
    except ValueError:
        raise ValueError(f"{name}: expected rows of one length") from None
    except Exception:
        return np.array(list(values), object)


def integral(value: object) -> int | None:
    """The integer that a number of any type is, also a decimal, as engines make of sums; `None` for floats and all else."""
    if isinstance(value, Decimal):
        return int(value) if value.is_finite() and value == value.to_integral_value() else None
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        return None
    return operator.index(value)


def exact_array(name: str, values: Any) -> npt.NDArray[Any]:
    """The numbers as an array: of floats or integers where these hold them exactly, else of objects.

    NumPy alone makes floats of a list such as ``[2**53 + 1, 0.5]`` or ``[True, 0.5]``. Raises `ValueError` for a ragged list and for masked
    elements.
    """
    unmasked(name, values)
    if isinstance(values, np.ndarray):
        return values
    array = plain_array(name, values)
    if not isinstance(values, (list, tuple)):
        return array
    if array.dtype.kind in "iub" and not array.ndim:
        return array
    objects = array if array.dtype == object else np.asarray(values, object)
    if objects.shape != array.shape:  # rows that are arrays, which an object array takes for single objects
        return array
    kinds = set(map(type, objects.flat))
    if array.dtype.kind == "f" and all(issubclass(kind, (float, np.floating)) for kind in kinds):
        return array
    if array.dtype.kind in "iu" and not any(issubclass(kind, (bool, np.bool_)) for kind in kinds):
        return array
    if array.dtype.kind == "f" and all(isinstance(value, (float, np.floating)) or _is_small(value) for value in objects.flat):
        return array
    return objects if array.size else array


def _is_small(value: object) -> bool:
    """Whether this is an integer that a double holds."""
    if isinstance(value, (bool, np.bool_)):
        return False
    if not isinstance(value, numbers.Integral):
        # Sage's floats, of which NumPy makes doubles only if they are.
        return hasattr(value, "__array_interface__")
    return -(2**53) <= operator.index(value) <= 2**53


def whole(name: str, value: SupportsIndex, least: int | None, most: int | None) -> int:
    """An integer within bounds, both included, where there are any."""
    if isinstance(value, (bool, np.bool_)):
        raise mistyped(name, value, "an integer")
    try:
        number = operator.index(value)
    except TypeError:
        raise mistyped(name, value, "an integer") from None
    if least is None or most is None:
        return number
    if not least <= number <= most:
        bits = most.bit_length()
        powers = {(1 << bits) - 1: f"2^{bits} - 1", 1 << bits - 1: f"2^{bits - 1}"} if most > 1 << 20 else {}
        raise wrong(name, number, f"a value between {least} and {powers.get(most, most)}")
    return number


def workers_of(threads: Any) -> int:
    """A number of threads; ``None`` is one for each core."""
    if threads is None:
        return os.cpu_count() or 1
    allowed = "a value between 1 and 65536, or None for one for each core"
    if isinstance(threads, (bool, np.bool_)) or not hasattr(threads, "__index__"):
        raise mistyped("threads", threads, allowed)
    if not 1 <= operator.index(threads) <= 1 << 16:
        raise wrong("threads", threads, allowed)
    return operator.index(threads)


def name_of(argument: str, value: object) -> str:
    """A name, which is a text."""
    if not isinstance(value, str):
        raise mistyped(argument, value, "a str")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{argument}: has half a surrogate pair, which is no text") from None
    return value


def hint(name: str, known: Iterable[str]) -> str:
    """``; did you mean …?`` for a misspelt name, or an empty text.

    >>> from samplez._numbers import hint
    >>> hint("karny", ["karney", "cdt"]), hint("CDT", ["karney", "cdt"]), hint("xyz", ["karney"])
    ('; did you mean karney?', '; did you mean cdt?', '')
    """
    near = _samplez.near(name, list(known))
    return f"; did you mean {near}?" if near else ""
