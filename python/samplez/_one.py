"""Single numbers for `samplez.sample`: a sample without a table, and laws of many digits."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._big import BigGaussian
from samplez._far import Far, nearest
from samplez._numbers import exact_text, parsed
from samplez._output import Size
from samplez._random import Rng

# A bound of `near`, which leaves room for a multiple.
_LARGE = Fraction(10**300)
# Rounders of single σ that are kept.
_KEPT = 64
_ROUNDERS: dict[object, _samplez.Around] = {}


def at_once(sigma: Any, center: Any) -> int | None:
    """A sample from bits of the operating system, without a table; `None` for numbers that its rounder does not take."""
    kind, about = type(sigma), type(center)
    if (kind is not float and kind is not str and kind is not int) or (about is not int and about is not float and about is not str):
        return None
    rounder = _ROUNDERS.get(sigma)
    if rounder is None:
        try:
            rounder = _samplez.Around(exact_text("sigma", sigma))
        except ValueError:
            return None
        while len(_ROUNDERS) >= _KEPT:
            for oldest in list(_ROUNDERS)[:1]:  # a copy, because other threads may change it
                _ROUNDERS.pop(oldest, None)
        _ROUNDERS[sigma] = rounder
    try:
        is_plain = about is not float or (-(2.0**53) <= center <= 2.0**53 and abs(center) != 2.0**-60)
        return rounder.one("0" if center == 0 else str(center) if is_plain else exact_text("center", center))
    except ValueError:  # Python's own limit of digits
        return None


def big_sample(widths: dict[str, Any], center: object, size: Size | None, rng: Rng) -> int | npt.NDArray[Any] | None:
    """Samples of a law whose numbers have more than 64 bits, such as some doubles near 0 or beyond 2^62: in an array of int64, or of Python
    integers if int64 does not hold them. `None` for a σ beyond 2^57, and for a law that no sampler takes."""
    pairs = [(name, exact_text(name, value)) for name, value in widths.items() if value is not None]
    try:
        whole, rest = nearest(parsed(exact_text("center", center)))
        law = BigGaussian.from_recipe(",".join(f"{name}={text}" for name, text in (*pairs, ("center", str(rest)))))
    except (ValueError, ZeroDivisionError):
        return None
    form, value, _ = law._parts()
    width = near(value)
    sigma = math.sqrt(width) if form == "sigma_squared" else width
    if sigma > 2.0**57:
        return None
    if size is None:
        return law.sample(rng=rng) + whole
    samples: npt.NDArray[Any] = law.sample(size, rng=rng) + whole
    beyond = Far.of(np.arange(1), [whole], np.array([sigma]))
    result: npt.NDArray[Any] = samples if beyond is not None and not beyond.fits else samples.astype(np.int64)
    return result


def near(text: str) -> float:
    """The double near a number, at most 1e300 in size; 0 for a text that is none, which the library refuses later."""
    try:
        return float(max(-_LARGE, min(parsed(text), _LARGE)))
    except (ValueError, ArithmeticError):
        return 0.0


__all__ = ["at_once", "big_sample", "near"]
