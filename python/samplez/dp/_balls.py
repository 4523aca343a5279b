"""Ball arithmetic in fixed point, by integers. Proof: docs/proofs/accountant.md.

A ball (m, r) at p bits contains every x with abs(x·2^p - m) <= r. Each operation returns a ball that contains the exact results.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

Ball = tuple[int, int]
"""Midpoint and radius, in units of 2^-p."""


def _arctan_inverse(x: int, one: int) -> int:
    """arctan(1/x)·one, within one unit for each term and one for the rest; there are fewer terms than bits in `one`."""
    power, total, n, sign = one // x, 0, 1, 1
    while power:
        total += sign * (power // n)
        power //= x * x
        n, sign = n + 2, -sign
    return total


@lru_cache(maxsize=32)
def pi(p: int) -> int:
    """π·2^p within 1, for p < 2^20: the error of Machin's formula is below 20·(2p + 64) units of 2^-(p + 32)."""
    one = 1 << (p + 32)
    return (16 * _arctan_inverse(5, one) - 4 * _arctan_inverse(239, one)) >> 32


@lru_cache(maxsize=32)
def ln2(p: int) -> int:
    """ln(2)·2^p within 1, for p < 2^20, as 18·artanh(1/26) - 2·artanh(1/4801) + 8·artanh(1/8749)."""
    one = 1 << (p + 32)
    total = 0
    for factor, x in ((18, 26), (-2, 4801), (8, 8749)):
        power, n, part = one // x, 1, 0
        while power:
            part += power // n
            power //= x * x
            n += 2
        total += factor * part
    return total >> 32


class Balls:
    """The operations at `p` bits."""

    def __init__(self, p: int) -> None:
        self.p = p
        self.one = 1 << p

    def of(self, x: Fraction) -> Ball:
        """A rational number."""
        return (x.numerator << self.p) // x.denominator, 1

    def pi_times(self, x: Fraction, power: int = 1) -> Ball:
        """x·π^power, for a power of 1 or 2."""
        # So many more bits that π's error and the floor are one unit each.
        p = self.p + abs(x.numerator).bit_length() + 4
        value = pi(p) ** power
        return (x.numerator * value // x.denominator) >> (p * power - self.p), 2

    def mul(self, x: Ball, y: Ball) -> Ball:
        """The product."""
        (a, r), (b, s) = x, y
        return a * b >> self.p, ((abs(a) * s + abs(b) * r + r * s) >> self.p) + 2

    def div(self, x: Ball, y: Ball) -> Ball:
        """The quotient, where the divisor's ball has positive numbers only."""
        (a, r), (b, s) = x, y
        if b <= s:
            raise ZeroDivisionError
        quotient = (a << self.p) // b
        return quotient, ((r << self.p) + (abs(quotient) + 1) * s) // (b - s) + 2

    def pow(self, x: Ball, k: int) -> Ball:
        """The k-th power, for k >= 1."""
        result, base = None, x
        while True:
            if k & 1:
                result = base if result is None else self.mul(result, base)
            k >>= 1
            if not k:
                assert result is not None
                return result
            base = self.mul(base, base)

    def exp(self, x: Ball) -> Ball:
        """e^x for x <= 0; a ball may reach beyond 0 by 1/2."""
        m, r = x
        if r >= self.one >> 1:
            raise ZeroDivisionError
        # e^x = 2^-k·e^t with 0 <= t < ln 2 or little more, and e^t by h squarings of e^(t/2^h).
        k = max(-(m // ln2(self.p)), 0)
        if k > self.p + 2:
            return 0, 2
        h = isqrt(self.p) >> 1
        bits = self.p + h + 2 * self.p.bit_length() + 8
        t = (m << (bits - self.p)) + k * ln2(bits)
        y = t >> h
        one = 1 << bits
        # Each term is within 2 of the series' of y, and k/2^h + 1 is the error of y: together below 4·(p + 2).
        term, total, n = one, one, 1
        while term:
            term = (term * y >> bits) // n
            total += term
            n += 1
        for _ in range(h):
            total = total * total >> bits
        # The squarings multiply the error by at most 2^(h + 1)·2, and add less: it is below 2^(bits - p).
        value = total >> (bits - self.p + k)
        return value, 2 + ((2 * r * (value + 2)) >> self.p) + 1

    def cos_sin(self, turns: Fraction) -> tuple[Ball, Ball]:
        """cos and sin of 2π·turns."""
        top, bottom = turns.numerator % turns.denominator, turns.denominator
        # The angle is a quarter turn times q, plus x with 0 <= x < π/2; beyond π/4 it is measured from the next quarter.
        q, rest = divmod(4 * top, bottom)
        swap = 2 * rest > bottom
        if swap:
            rest = bottom - rest
        bits = self.p + 16
        x = pi(bits) * rest // (2 * bottom)
        square = x * x >> bits
        cos = one = 1 << bits
        sin = power = x
        even, n = one, 1
        # Alternating series; each term is within 2, and there are fewer than 2^12 for p < 2^14.
        while even or power:
            even = (even * square >> bits) // ((2 * n - 1) * (2 * n))
            power = (power * square >> bits) // ((2 * n) * (2 * n + 1))
            cos += -even if n & 1 else even
            sin += -power if n & 1 else power
            n += 1
        c, s = cos >> 16, sin >> 16
        if swap:
            c, s = s, c
        c, s = ((c, s), (-s, c), (-c, -s), (s, -c))[q]
        return (c, 2), (s, 2)
