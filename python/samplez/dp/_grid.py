"""Compositions whose losses share no coarse lattice: masses in fixed point, summed over outputs or over a grid of losses.

Proof: docs/proofs/accountant.md. Each list of masses is two: one rounded down, one rounded up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from samplez import _samplez
from samplez.dp._balls import Balls
from samplez.dp._lattice import Part, TooFine, sub_gaussian_reach
from samplez.dp._zcdp import ripple, ripple_of_sum

# At most so many integers of one law, places of a grid, and releases that are ε-DP.
_ATOMS = 1 << 16
_CELLS = 1 << 15
_PURE = 1 << 11
# Fractions of a cell are in units of 2^-_SPLIT.
_SPLIT = 64

Masses = tuple[list[int], list[int]]


@dataclass(frozen=True)
class Pure:
    """`count` releases that are ε-DP each."""

    epsilon: Fraction
    count: int


def masses(values: list[int]) -> _samplez.Masses:
    """Integers >= 0, as the native module holds them."""
    size = max((max(values).bit_length() + 7) // 8, 1)
    return _samplez.Masses(b"".join([x.to_bytes(size, "little") for x in values]), size)


def numbers(values: _samplez.Masses) -> list[int]:
    """The same as a list."""
    data, size = values.data(), values.size
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]


def convolve(a: list[int], b: list[int], bits: int = 0, sign: int = -1) -> list[int]:
    """The convolution of integers >= 0, exactly; then divided by 2^bits and rounded by sign."""
    first = masses(a)
    return numbers(first.times(first if b is a else masses(b), bits, sign > 0))


def gaussian(variance: Fraction, reach: int, bits: int, spread: int) -> Masses:
    """D_Z of this σ² on 0 … reach, each mass within a factor exp(±spread·2^-bits), by recurrences rounded down and up."""
    balls = Balls(bits + 32)
    inner = max(reach, sub_gaussian_reach(variance, bits + 2))
    (ratio, r), (step, s) = (balls.exp(balls.of(x / variance)) for x in (Fraction(-1, 2), Fraction(-1)))
    p, half = balls.p, []
    for sign in (-1, 1):
        # A ball may reach below 0, where e^x does not.
        value, by, change = balls.one, max(ratio + sign * r, 0), max(step + sign * s, 0)
        up = balls.one - 1 if sign > 0 else 0
        weights = [value]
        for _ in range(inner):
            value = value * by + up >> p
            by = by * change + up >> p
            weights.append(value)
        half.append(weights)
    down, up_ = half
    # The weights beyond `inner` are less than 2^-(bits + 1) of the others.
    totals = 2 * sum(down) - down[0], 2 * sum(up_) - up_[0]
    beyond = (totals[1] >> bits) + 1
    total_up = totals[1] + beyond
    scale = 1 << bits
    return (
        [(w * scale // total_up) * max(scale - spread, 0) // scale for w in down[: reach + 1]],
        [((w * scale // totals[0]) + 1) * (scale + 2 * spread) // scale + 1 for w in up_[: reach + 1]],
    )


@lru_cache(maxsize=8)
def law_of_sum(sigma_squared: Fraction, count: int, reach: int, bits: int) -> Masses:
    """The law of a sum of `count` independent D_{Z,σ} on -reach … reach, in units of 2^-bits."""
    if reach > _ATOMS:
        raise TooFine
    off = ripple_of_sum(sigma_squared, count) if count > 1 else 0.0
    if off < 2.0**-60:
        down, up = gaussian(count * sigma_squared, reach, bits, math.ceil(Fraction(off) * (1 << bits)))
        return down[:0:-1] + down, up[:0:-1] + up
    halves = law_of_sum(sigma_squared, count // 2, reach, bits)
    result = product(halves, halves, reach, bits)
    return product(result, law_of_sum(sigma_squared, 1, reach, bits), reach, bits) if count & 1 else result


def product(a: Masses, b: Masses, reach: int | None, bits: int) -> Masses:
    """The law of the sum, on -reach … reach, or all of it."""
    down, up = convolve(a[0], b[0], bits, -1), convolve(a[1], b[1], bits, 1)
    if reach is None:
        return down, up
    middle = len(down) // 2
    return down[middle - reach : middle + reach + 1], up[middle - reach : middle + reach + 1]


def tails(masses: list[int]) -> list[int]:
    """The sums of masses[i:], for i from 0 to their number."""
    return [*accumulate(reversed(masses), initial=0)][::-1]


def two(first: Part, second: Part, epsilon: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of δ(ε) for two sums: Σ P(s)·P(S2 >= m) - e^ε·Q(s)·Q(S2 >= m), m being the least with a loss beyond ε."""
    laws, tops, moves = [], [], []
    for part in (first, second):
        reach = sub_gaussian_reach(part.count * part.sigma_squared, bits) + part.count * part.shift
        laws.append(law_of_sum(part.sigma_squared, part.count, reach, bits + 16))
        tops.append(reach)
        moves.append(part.count * part.shift)
    p = bits + 16
    one = 1 << p
    (down, up), (tail_down, tail_up) = laws[0], [tails(x) for x in laws[1]]
    # e^ε as 1/e^-ε, within its ball.
    balls = Balls(p + math.ceil(2 * epsilon) + 8)
    m, r = balls.exp(balls.of(-epsilon))
    factor_down, factor_up = (1 << balls.p + p) // (m + r), (1 << balls.p + p) // (m - r) + 1
    # L1(s) + L2(t) > ε where t > (ε - base)·σ2²/Δ2 - slope·s.
    base = sum((Fraction(q.count * q.shift**2) / (2 * q.sigma_squared) for q in (first, second)), Fraction(0))
    start = (epsilon - base) * second.sigma_squared / second.shift
    slope = first.shift / first.sigma_squared * second.sigma_squared / second.shift
    common = math.lcm(start.denominator, slope.denominator)
    a, b = start.numerator * (common // start.denominator), slope.numerator * (common // slope.denominator)
    near_down = near_up = far_down = far_up = 0
    size = 2 * tops[1] + 1
    for i in range(2 * tops[0] + 1 - moves[0]):
        place = min(max((a - b * (i - tops[0])) // common + 1 + tops[1], 0), size)
        moved, i_moved = min(place + moves[1], size), i + moves[0]
        near_down += down[i] * tail_down[place]
        near_up += up[i] * tail_up[place]
        far_down += down[i_moved] * tail_down[moved]
        far_up += up[i_moved] * tail_up[moved]
    lower = near_down * one - factor_up * far_up
    upper = near_up * one - factor_down * far_down
    # The tables leave out what is beyond their reaches less the moves: 2^-bits each, and less than that in convolutions.
    slack = Fraction(8, 1 << bits)
    return max(Fraction(lower, one**3) - slack, Fraction(0)), min(Fraction(upper, one**3) + slack, Fraction(1))


def _cells(part: Part, reach: int, bits: int) -> tuple[int, Fraction, Masses]:
    """Returns the law of a sum, the number M of integers that each mass stands for, and a bound. The bound is for the
    distance of ln(P/Q) of a cell from its centre's loss.

    A mass stands for M·i and the (M - 1)/2 integers on either side.

    A wide law of τ² = `variance` has in such a cell M·exp(-c²/2τ²)·[1 - M²/8τ², exp(y²/6)] of its weight, y = cM/2τ², c being the centre.
    The shifted law's centres are farther out by the shift, and y counts that too.
    """
    if reach <= _ATOMS:
        return 1, Fraction(0), law_of_sum(part.sigma_squared, part.count, reach, bits)
    m = reach // _ATOMS + 1 | 1
    variance, inner = part.count * part.sigma_squared, reach // m + 1
    off = ripple_of_sum(part.sigma_squared, part.count) if part.count > 1 else 0.0
    slope = part.shift / part.sigma_squared
    y = (Fraction(m * (inner + 1)) / variance + slope) * m / 2
    error = Fraction(m * m) / (8 * variance) + y * y / 6 + 2 * Fraction(off + ripple(float(variance / m**2)))
    if error > Fraction(1, 1000):
        raise TooFine
    down, up = gaussian(variance / m**2, inner, bits, math.ceil(error * (1 << bits)))
    # With a the loss of one integer and x = c/τ², ln(P/Q) is the centre's loss within a·(x + a)·M²/4, and the ripple.
    drift = slope * m * m * (Fraction(m * (inner + 1)) / variance + slope) / 4 + 4 * Fraction(off)
    return m, drift, (down[:0:-1] + down, up[:0:-1] + up)


def _spread(part: Part, cell: Fraction, bits: int, reach: int) -> tuple[int, Masses]:
    """The law of a sum's loss on the grid: each mass split between the two places around it, so that P and Q are kept.

    Where a mass stands for several integers, they are merged for the first list, and for the second split between the ends of their losses.
    """
    m, drift, law = _cells(part, reach, bits)
    unit = Fraction(1 << _SPLIT) / cell
    base = Fraction(part.count * part.shift**2) / (2 * part.sigma_squared) * unit
    slope = m * part.shift / part.sigma_squared * unit
    # In units of 2^-_SPLIT of a place, with 64 bits more: errors below 2^18 of 2^-64 units, down for the first list and up for the second.
    middle, least = len(law[0]) // 2, (base - slope * (len(law[0]) // 2)) * (1 << 64)
    ends = math.floor(slope * Fraction(m - 1, 2 * m)) << 64, math.ceil(slope * Fraction(m - 1, 2 * m)) << 64
    little = math.ceil(drift * unit) << 64
    lowest = (math.floor(least) - ends[1] - little) >> (64 + _SPLIT)
    slopes = math.floor(slope * (1 << 64)), math.ceil(slope * (1 << 64))
    starts = [x - (lowest << (64 + _SPLIT)) for x in (math.floor(least), math.ceil(least))]
    size = ((starts[1] + ends[1] + slopes[1] * 2 * middle) >> (64 + _SPLIT)) + 2
    down = _line(law[0], starts[0] - little, slopes[0], float(cell), -1, size)
    if m == 1:
        up = _line(law[1], starts[1], slopes[1], float(cell), 1, size)
    else:
        # The part that goes to the upper end keeps Q, or makes it less.
        w = float(slope / unit * Fraction(m - 1, 2 * m))
        if w < 2.0**-1000:
            raise TooFine
        share = min(Fraction((math.expm1(w) + 2 * float(drift)) / (2 * math.sinh(w)) * (1 + 2.0**-40)), Fraction(1))
        upper = [math.ceil(x * share) for x in law[1]]
        others = [x - y for x, y in zip(law[1], upper, strict=True)]
        parts = _line(upper, starts[1] + ends[1], slopes[1], float(cell), 1, size), _line(others, starts[1] - ends[0], slopes[1], float(cell), 1, size)
        up = [x + y for x, y in zip(*parts, strict=True)]
    return lowest, (down, up)


def _line(values: list[int], start: int, slope: int, width: float, sign: int, size: int) -> list[int]:
    """The same for losses `start` + i·`slope`, in units of 2^-64 of those of `split`."""
    return numbers(masses(values).split_line(start, slope, width, sign > 0, size))


def split(values: list[int], losses: list[int], width: float, sign: int, size: int) -> _samplez.Masses:
    """Divides each mass between the two of `size` places around its loss, rounded by sign. Losses are in units of 2^-_SPLIT of a place.

    The native code computes the part that goes up, (1 - e^-loss)/(1 - e^-width), as a double within 2^-48, and moves it by 2^-38 to the safe side.
    """
    return masses(values).split(b"".join([x.to_bytes(16, "little") for x in losses]), width, sign > 0, size)


@lru_cache(maxsize=64)
def _responses(epsilon: Fraction, count: int, bits: int) -> Masses:
    """The law of the loss of `count` randomized responses: (2i - count)·ε for i successes of probability 1/(1 + e^-ε)."""
    if count == 1:
        balls = Balls(bits)
        m, r = balls.exp(balls.of(-epsilon))
        low, high = (balls.one << bits) // (balls.one + m + r), min((balls.one << bits) // (balls.one + m - r) + 1, balls.one)
        return [balls.one - high, low], [balls.one - low, high]
    half = _responses(epsilon, count // 2, bits)
    result = product(half, half, None, bits)
    return product(result, _responses(epsilon, 1, bits), None, bits) if count & 1 else result


def _spread_pure(pure: Pure, cell: Fraction, bits: int) -> tuple[int, Masses]:
    """The same for ε-DP releases: randomized response dominates each."""
    if pure.count > _PURE:
        raise TooFine
    unit = Fraction(1 << (_SPLIT + 64)) / cell
    slope, least = 2 * pure.epsilon * unit, -pure.count * pure.epsilon * unit
    lowest = math.floor(least) >> (64 + _SPLIT)
    start = math.ceil(least) - (lowest << (64 + _SPLIT))
    size = ((start + math.ceil(slope) * pure.count) >> (64 + _SPLIT)) + 2
    down, up = _responses(pure.epsilon, pure.count, bits)
    return lowest, (
        _line(down, math.floor(least) - (lowest << (64 + _SPLIT)), math.floor(slope), float(cell), -1, size),
        _line(up, start, math.ceil(slope), float(cell), 1, size),
    )


class _Composed(NamedTuple):
    """Two independent losses on a grid, rounded by one sign, for every ε."""

    first: list[int]
    second: list[int]
    lowest: int
    """The sum of both lists' lowest places."""
    sums: list[int]
    """Σ second(j) over j from each place on."""
    discounted: list[int]
    """Σ second(j)·e^(-cell·(j - place)) over the same j, rounded to the other side."""
    step: int
    """e^-cell, rounded to the other side too: they are subtracted."""


def several(parts: tuple[Part, ...], epsilon: Fraction, bits: int, pures: tuple[Pure, ...] = ()) -> tuple[Fraction, Fraction]:
    """Bounds of δ(ε) for several sums, on a grid of losses; the lower one is that of randomized responses for `pures`."""
    cell, count, down, up = _on_grid(parts, bits, pures, _CELLS)
    # A loss moves by a cell for each part. What lies within twice that above ε may be due to the split.
    return (
        _stick(down, cell, epsilon, bits + 32, 2 * count, -1),
        min(_stick(up, cell, epsilon, bits + 32, 0, 1) + Fraction(2 * len(parts), 1 << bits), Fraction(1)),
    )


@lru_cache(maxsize=8)
def _on_grid(parts: tuple[Part, ...], bits: int, pures: tuple[Pure, ...], cells: int) -> tuple[Fraction, int, _Composed, _Composed]:
    """The grid's step, the number of losses, and their sum rounded down and up. Raises `TooFine`."""
    reaches = [sub_gaussian_reach(p.count * p.sigma_squared, bits) for p in parts]
    ranges = [2 * reach * part.shift / part.sigma_squared for reach, part in zip(reaches, parts, strict=True)]
    ranges += [2 * pure.count * pure.epsilon for pure in pures]
    # A power of two, so that few bits say it, and one that doubles hold.
    whole = sum(ranges) / cells
    if not Fraction(1, 1 << 900) < whole < 1 << 900:
        raise TooFine
    cell = Fraction(2) ** math.floor(math.log2(whole))
    p = bits + 32
    spread = [_spread(part, cell, p, reach) for part, reach in zip(parts, reaches, strict=True)]
    spread += [_spread_pure(pure, cell, p) for pure in pures]
    if len(spread) == 1:
        spread.append((0, ([1 << p], [1 << p])))
    spread.sort(key=lambda x: len(x[1][0]))
    (lowest, law), *middle, (last_lowest, last) = spread
    for low, other in middle:
        lowest, law = lowest + low, product(law, other, None, p)
    balls = Balls(p)
    m, r = balls.exp(balls.of(-cell))
    found = []
    for first, second, sign in zip(law, last, (-1, 1), strict=True):
        step, round_up = m - sign * r, (1 << p) - 1 if sign < 0 else 0
        discounted = [0] * (len(second) + 1)
        for j in range(len(second) - 1, -1, -1):
            discounted[j] = second[j] + ((discounted[j + 1] * step + round_up) >> p)
        found.append(_Composed(first, second, lowest + last_lowest, tails(second), discounted, step))
    return cell, len(spread), found[0], found[1]


def _stick(losses: _Composed, cell: Fraction, epsilon: Fraction, p: int, skipped: int, sign: int) -> Fraction:
    """Σ P(i)·P(j)·(1 - e^(ε - L)) over L = cell·(i + j) > ε + skipped·cell, rounded by sign."""
    first, second, lowest, sums, discounted, step = losses
    balls, start, round_up = Balls(p), math.floor(epsilon / cell) + 1, (1 << p) - 1 if sign < 0 else 0
    # e^(ε - cell·n) for n from `start`, rounded to the other side, because it is subtracted.
    edge, r = balls.exp(balls.of(epsilon - cell * start))
    powers = [edge - sign * r]
    for _ in range(skipped):
        powers.append((powers[-1] * step + round_up) >> p)
    total, power = 0, powers[skipped]
    if start + skipped < lowest:
        m, r = balls.exp(balls.of(epsilon - cell * lowest))
        power = m - sign * r
    for i, mass in enumerate(first):
        # The least j with i + j + lowest >= start + skipped, and e^ε by the loss there.
        place = start + skipped - lowest - i
        if place >= len(second):
            continue
        if place < 0:
            power = power if i == 0 else (power * step + round_up) >> p
            place = 0
        total += mass * max(sums[place] - ((power * discounted[place] + round_up) >> p), 0)
    return Fraction(max(total, 0), 1 << (2 * p))
