"""The privacy loss of discrete Gaussian releases on one lattice, from its characteristic function. Proof: docs/proofs/accountant.md.

The loss is L = base + unit·T, where T is the sum of `weight`·Y over independent Y from D_{Z,σ}. Its δ(ε) = E[(1 - e^(ε
- L))^+] is a sum over T of a law times a geometric sequence. Over the frequencies of T modulo N it is a closed form.
All numbers are balls, so the result is a bracket.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from samplez.dp._balls import Ball, Balls

# Beyond so many frequencies, or bits of the result, or of the lattice's unit, there is no result.
_FREQUENCIES = 1 << 15
_BITS = 1 << 12
_UNIT = 1 << 9
# A bracket's relative width, as a shift.
_WIDTH = 40
# Below this σ² the characteristic function is summed over integers, above over its Poisson dual.
_NARROW = Fraction(1, 6)


class TooFine(Exception):
    """The lattice needs more frequencies than the limit."""


@dataclass(frozen=True)
class Part:
    """`count` independent integers from D_{Z,σ}, each shifted by `shift` on a neighbour."""

    shift: int
    sigma_squared: Fraction
    count: int


@dataclass(frozen=True)
class _Class:
    weight: int
    sigma_squared: Fraction
    count: int


@dataclass(frozen=True)
class Lattice:
    """The loss of all parts together."""

    base: Fraction
    unit: Fraction
    variance: Fraction
    """T is sub-Gaussian with this parameter: 2·base/unit²."""
    classes: tuple[_Class, ...]

    @classmethod
    def of(cls, parts: tuple[Part, ...]) -> Lattice:
        """The lattice of these parts; parts of equal shift and σ² are one."""
        counts: dict[tuple[int, Fraction], int] = {}
        for part in parts:
            key = part.shift, part.sigma_squared
            counts[key] = counts.get(key, 0) + part.count
        slopes = [shift / s2 for shift, s2 in counts]
        top = math.gcd(*(slope.numerator * (math.lcm(*(s.denominator for s in slopes)) // slope.denominator) for slope in slopes))
        unit = Fraction(top, math.lcm(*(s.denominator for s in slopes)))
        base = sum((Fraction(count * shift**2) / (2 * s2) for (shift, s2), count in counts.items()), Fraction(0))
        classes = tuple(
            _Class(int(slope / unit), s2, count) for slope, ((_, s2), count) in zip(slopes, counts.items(), strict=True)
        )
        return cls(base, unit, 2 * base / unit**2, tuple(sorted(classes, key=lambda c: c.weight)))


def sub_gaussian_reach(variance: Fraction, bits: int) -> int:
    """W >= 1 with 2·exp(-W²/(2·variance)) <= 2^-bits, since ln 2 < 7/10."""
    square = 2 * variance * (bits + 1) * Fraction(7, 10)
    return math.isqrt(math.ceil(square)) + 1


class _Function:
    """φ^count of one class at the angles 2πy/N, by balls."""

    def __init__(self, one: _Class, modulus: int, balls: Balls) -> None:
        self._class, self._modulus, self._balls = one, modulus, balls
        s2, p = one.sigma_squared, balls.p
        if s2 < _NARROW:
            # exp(-n²/2σ²) for n up to where it is below 2^-(p + 3); the sum of the rest is below one unit.
            last = math.isqrt(math.ceil(2 * s2 * (p + 3) * Fraction(7, 10))) + 1
            self._terms = [balls.exp(balls.of(Fraction(-n * n) / (2 * s2))) for n in range(1, last + 1)]
        else:
            # exp(-2π²σ²j²) for j up to J, with 2π²σ²·j(j - 1) >= (p + 5)·ln 2 for all further j; then π² > 9.8.
            last = 1
            while Fraction(98, 5) * s2 * (last + 1) * last < (p + 5) * Fraction(7, 10):
                last += 1
            self._terms = [balls.exp(balls.pi_times(-2 * s2 * j * j, 2)) for j in range(1, last + 1)]
        total, off = balls.one, 1
        for m, r in self._terms:
            total, off = total + 2 * m, off + 2 * r
        self._total = total, off

    def at(self, y: int) -> Ball:
        """φ(2πy/N)^count for 0 <= y <= N/2. φ lies in (0, 1], and decreases in y."""
        balls, s2, count = self._balls, self._class.sigma_squared, self._class.count
        if s2 < _NARROW:
            numerator, off = balls.one, 1
            for n, term in enumerate(self._terms, 1):
                m, r = balls.mul(term, balls.cos_sin(Fraction(n * y, self._modulus))[0])
                numerator, off = numerator + 2 * m, off + 2 * r
            return balls.pow(balls.div((numerator, off), self._total), count)
        main = balls.exp(balls.pi_times(Fraction(-2 * count * s2.numerator * y * y, s2.denominator * self._modulus**2), 2))
        return balls.mul(main, self._aliases(y))

    def _aliases(self, y: int) -> Ball:
        """(Σ_j exp(-σ²((x + 2πj)² - x²)/2) / Σ_j exp(-2π²σ²j²))^count at x = 2πy/N."""
        balls, count, modulus = self._balls, self._class.count, self._modulus
        # In integers, because a fraction's products take as long as the exponentials.
        top, bottom = self._class.sigma_squared.numerator, self._class.sigma_squared.denominator * modulus
        # The first alias is exp(-4π²σ²·(1/2 - y/N)) at most, and the others together are less: 4π² > 39.
        if 390 * top * (modulus - 2 * y) >= 14 * (balls.p + 5) * bottom:
            return balls.one, 2 * count
        numerator, off = balls.one, 1
        for j in range(1, len(self._terms) + 1):
            for sign in (1, -1):
                m, r = balls.exp(balls.pi_times(Fraction(-2 * top * j * (j * modulus + sign * 2 * y), bottom), 2))
                numerator, off = numerator + m, off + r
        return balls.pow(balls.div((numerator, off), self._total), count)

    def last(self, bits: int) -> int:
        """A y beyond which φ^count is about 2^-bits or less: at most N/2. A guess, which `at` confirms."""
        most = self._modulus // 2
        s2, goal = float(self._class.sigma_squared), bits * math.log(2) / self._class.count

        def small(y: int) -> bool:
            x = 2 * math.pi * (y / self._modulus)
            if s2 < 0.5:
                terms = range(1, 12)
                ratio = (1 + 2 * sum(math.exp(-n * n / (2 * s2)) * math.cos(n * x) for n in terms)) / (
                    1 + 2 * sum(math.exp(-n * n / (2 * s2)) for n in terms)
                )
                return ratio <= 0 or -math.log(ratio) >= goal
            return s2 * x * x / 2 - math.log1p(math.exp(-2 * math.pi * s2 * (math.pi - x)) * 1.01) >= goal

        low, high = 0, most
        while high - low > 1 and high - low > low >> 10:
            middle = (low + high) // 2
            low, high = (low, middle) if small(middle) else (middle, high)
        return high


def _runs(weights: list[int], reaches: list[int], modulus: int) -> list[tuple[int, int]]:
    """The l in 1 … (N - 1)/2 with each weight·l within its reach of a multiple of N, as ranges. Raises `TooFine`."""
    runs = [(1, modulus // 2)]
    for weight, reach in zip(weights, reaches, strict=True):
        if reach >= modulus // 2:
            continue
        found: list[tuple[int, int]] = []
        for low, high in runs:
            first, last = (weight * low + modulus // 2) // modulus, (weight * high + modulus // 2) // modulus
            if last - first + len(found) > _FREQUENCIES:
                raise TooFine
            for j in range(first, last + 1):
                start, end = max(low, -((reach - j * modulus) // weight)), min(high, (j * modulus + reach) // weight)
                if start <= end:
                    found.append((start, end))
        runs = found
    if sum(high - low + 1 for low, high in runs) > _FREQUENCIES:
        raise TooFine
    return runs


def _frequencies(lattice: Lattice, balls: Balls, modulus: int, bits: int) -> tuple[list[int], list[_Function], Ball]:
    """The frequencies that count, the functions, and a bound of the others' sum."""
    functions = [_Function(one, modulus, balls) for one in lattice.classes]
    reaches = [min(f.last(bits + modulus.bit_length() + 2) + 1, modulus // 2) for f in functions]
    chosen = [l for low, high in _runs([c.weight for c in lattice.classes], reaches, modulus) for l in range(low, high + 1)]
    # A frequency that is left out has a y beyond some reach, where φ^count is at most what it is there.
    left = max((sum(f.at(reach + 1)) for f, reach in zip(functions, reaches, strict=True) if reach < modulus // 2), default=0)
    return chosen, functions, (0, left * modulus)


def _sum(lattice: Lattice, epsilon: Fraction, bits: int) -> tuple[Balls, Ball]:
    """δ(ε) as a ball, within about 2^-bits."""
    first = math.floor((epsilon - lattice.base) / lattice.unit) + 1
    reach = sub_gaussian_reach(lattice.variance, bits + 2)
    if first > reach:
        balls = Balls(bits)
        # δ <= P(T >= first) <= exp(-first²/(2·variance)), and the exponent's ball is made larger than 0 never.
        upper = sum(balls.exp(balls.of(Fraction(-first * first) / (2 * lattice.variance))))
        return balls, (0, upper)
    first = max(first, -reach)
    modulus = 2 * reach + 1
    size = modulus.bit_length()
    # 1 - e^-unit needs so many bits more.
    step = max(lattice.unit.denominator.bit_length() - lattice.unit.numerator.bit_length(), 0)
    if step > _UNIT:
        raise TooFine
    balls = Balls(bits + 2 * step + size + max(c.count for c in lattice.classes).bit_length() + 32)
    chosen, functions, left = _frequencies(lattice, balls, modulus, bits)
    ripple = _geometric(lattice, epsilon, first, modulus, balls)
    total, off = next(ripple)
    for l in chosen:
        state = balls.one, 0
        for one, function in zip(lattice.classes, functions, strict=True):
            y = one.weight * l % modulus
            state = balls.mul(state, function.at(min(y, modulus - y)))
        m, r = balls.mul(state, ripple.send(l))
        total, off = total + 2 * m, off + 2 * r
    # The mass beyond ±reach is 2^-(bits + 2) at most.
    return balls, (total, off + left[1] + (balls.one >> (bits + 2)) + 1)


def _geometric(lattice: Lattice, epsilon: Fraction, first: int, modulus: int, balls: Balls) -> Generator[Ball, int, None]:
    """(1/N)·Σ cos(θs)·(1 - A·g^(s - first)) over s from `first` to (N - 1)/2, for θ = 2πl/N: at l = 0, then at each l that is sent."""
    terms = modulus // 2 - first + 1
    a = balls.exp(balls.of(epsilon - lattice.base - lattice.unit * first))
    g = balls.exp(balls.of(-lattice.unit))
    power = balls.exp(balls.of(-lattice.unit * terms))
    rest = balls.one - g[0], g[1]
    plain = balls.of(Fraction(terms, modulus))
    m, r = balls.div(balls.mul(a, (balls.one - power[0], power[1])), (rest[0] * modulus, rest[1] * modulus))
    l = yield plain[0] - m, plain[1] + r
    while True:
        (ch, rc), half = balls.cos_sin(Fraction(l, 2 * modulus))
        cm, sm = balls.cos_sin(Fraction(l * (2 * first - 1) % (2 * modulus), 2 * modulus))
        sine = balls.mul(sm, half)
        # (1 - g)·(cm·ch - sm·sh - (-1)^l·g^n·ch) - 2g·sm·sh over (1 - g)² + 4g·sh².
        sign = -1 if l & 1 else 1
        x, y = balls.mul(cm, (ch, rc)), balls.mul(power, (ch, rc))
        edge = balls.mul(rest, (x[0] - sine[0] - sign * y[0], x[1] + sine[1] + y[1]))
        core = balls.mul(g, sine)
        top = balls.mul(a, (edge[0] - 2 * core[0], edge[1] + 2 * core[1]))
        square, curve = balls.mul(rest, rest), balls.mul(g, balls.mul(half, half))
        bottom = (square[0] + 4 * curve[0]) * modulus, (square[1] + 4 * curve[1]) * modulus
        flat = balls.div(sm, (2 * half[0] * modulus, 2 * half[1] * modulus))
        wave = balls.div(top, bottom)
        l = yield -flat[0] - wave[0], flat[1] + wave[1]


def guess_bits(rho: Fraction, epsilon: Fraction) -> int:
    """About -log2 δ(ε), from the normal law of the loss with mean ρ."""
    if rho > 10**300 or epsilon > 10**300:
        return _BITS + 1 if epsilon > rho else 0
    base = float(rho)
    if base == 0:
        return _BITS + 1
    z = (float(epsilon) - base) / math.sqrt(2 * base)
    if z > 1e4:
        return _BITS + 1
    return int((z * z / 2) * 1.4427 + 4) + max(0, -int(math.log2(base))) // 2 if z > 0 else max(0, -int(math.log2(base))) // 2


@lru_cache(maxsize=4096)
def bracket(lattice: Lattice, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of δ(ε) of the pair whose loss this is, for ε >= 0; (0, 2^-1000) where δ is tinier. Raises `TooFine`."""
    first = math.floor((epsilon - lattice.base) / lattice.unit) + 1
    if first > 0 and Fraction(first * first) / (2 * lattice.variance) > 700:
        return Fraction(0), Fraction(1, 2**1000)
    bits = guess_bits(lattice.base, epsilon) + _WIDTH + 16
    while bits <= _BITS:
        balls, (m, r) = _sum(lattice, epsilon, bits)
        lower, upper = max(m - r, 0), min(m + r, balls.one)
        if upper - lower <= upper >> _WIDTH:
            return Fraction(lower, balls.one), Fraction(upper, balls.one)
        if upper < balls.one >> 1100:
            break
        bits += bits // 2
    raise TooFine
