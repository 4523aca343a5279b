"""The Skellam law: the difference of two Poisson variables of mean μ/2 each, with P(k) = e^-μ·I_|k|(μ). Proof: docs/proofs/accountant.md, section 10."""

from __future__ import annotations

import math
from fractions import Fraction

from samplez.dp._lattice import TooFine

# Extra bits of the quotients, and bits that each weight must keep.
_MORE, _KEPT = 160, 80
# Where a weight does not keep them, all are computed with so many times the bits.
_TIMES = (1, 2, 4, 8)


def reach_of(variance: Fraction, bits: int) -> int:
    """An R with P(|X| > R) <= 2^-bits, by Chernoff's bound: E[e^(tX)] is e^(μ(cosh t - 1))."""
    mu = float(variance)
    if not 2.0**-60 < mu < 2.0**60:
        raise TooFine
    low, high = 0, 1
    goal = (bits + 2) * math.log(2)

    def exponent(r: int) -> float:
        t = math.asinh(r / mu)
        return r * t - mu * 2 * math.sinh(t / 2) ** 2

    while exponent(high) * (1 - 2.0**-30) < goal:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if exponent(middle) * (1 - 2.0**-30) < goal else (low, middle)
    return high


def weights(variance: Fraction, reach: int, bits: int) -> tuple[list[int], list[int], int]:
    """Returns lower and upper bounds of I_k(μ)/I_0(μ) for k = 0 … `reach`, and an upper bound of the sum over all larger k, in one unit.

    r_k = I_(k+1)/I_k is 1/(2(k+1)/μ + r_(k+1)), and lies between 0 and 1. The recurrence runs backwards, which shrinks the error.
    """
    for times in _TIMES:
        found = _weights(variance, reach, (bits + _MORE) * times)
        if found is not None:
            return found
    raise TooFine


def _weights(variance: Fraction, reach: int, p: int) -> tuple[list[int], list[int], int] | None:
    """`weights` in units of 2^-p, or `None` if these are too coarse for the least one."""
    one, a, b = 1 << p, variance.numerator, variance.denominator
    low, high = 0, one
    ratios: list[tuple[int, int]] = []
    for k in range(2 * reach + 64, -1, -1):
        step = 2 * (k + 1) * b * one
        low, high = (one << p) // (-(-step // a) + high), min(-(-(one << p) // (step // a + low)), one)
        if k <= reach:
            ratios.append((low, high))
    downs, ups = [one], [one]
    for low, high in reversed(ratios):
        downs.append(downs[-1] * low >> p)
        ups.append((ups[-1] * high >> p) + 1)
    # The ratios fall, so what lies beyond is less than a geometric series.
    last = ratios[0][1]
    if last >= one:
        raise TooFine
    if any((up - down) << _KEPT > down for down, up in zip(downs, ups, strict=True)):
        return None
    beyond = -(-ups[-1] * one // (one - last))
    return downs[:-1], ups[:-1], beyond


def masses(downs: list[int], ups: list[int], beyond: int, bits: int) -> list[tuple[int, int]]:
    """P(k) for k from 0 on, in units of 2^-bits, from below and above."""
    least, most = 2 * sum(downs) - downs[0], 2 * (sum(ups) + beyond) - ups[0]
    return [((down << bits) // most, -(-(up << bits) // least)) for down, up in zip(downs, ups, strict=True)]


def log_quotient(top: int, bottom: int) -> float:
    """ln(top/bottom) of positive integers, with a relative error of at most 2^-49."""
    apart = top - bottom
    if 2 * abs(apart) < bottom:
        return math.log1p(float(Fraction(apart, bottom)))
    shift = top.bit_length() - bottom.bit_length()
    scaled = Fraction(top, bottom << shift) if shift >= 0 else Fraction(top << -shift, bottom)
    return math.log(scaled) + shift * math.log(2)
