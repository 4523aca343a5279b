"""Several releases of vectors, whose shifts may take any shape, chosen anew for each. Proof: docs/proofs/accountant.md.

The hockey-stick of one release is at most H, the maximum over all shapes. Between the points of a grid of losses, H is
below the chords. These are the hockey-stick of a pair whose loss lies on the grid. That pair composed with itself
bounds all releases together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from samplez.dp._balls import Balls
from samplez.dp._grid import Masses, convolve, gaussian, law_of_sum, product, tails
from samplez.dp._lattice import TooFine, sub_gaussian_reach
from samplez.dp._shapes import shapes
from samplez.dp._zcdp import ripple

# At most so many losses on the grid, and integers of one law.
_CELLS = 1 << 13
_ATOMS = 1 << 15


def _ripple_of(shape: tuple[int, ...], sigma_squared: Fraction) -> float:
    """The ripple of ⟨v, Y⟩, as in docs/proofs/differential-privacy.md, section 3."""
    square, divisor, off = 0, 0, 0.0
    for entry in reversed(shape):
        if square:
            step = math.lcm(divisor, entry)
            off += ripple(float(sigma_squared) * square * entry**2 / ((square + entry**2) * step**2) * (1 - 2.0**-45))
        square, divisor = square + entry**2, math.gcd(divisor, entry)
    return off


def _law_of_shape(shape: tuple[int, ...], sigma_squared: Fraction, reach: int, bits: int) -> tuple[int, Masses]:
    """The law of ⟨v, Y⟩/g on -reach/g … reach/g for a divisor g of v, and g."""
    square, divisor, off = sum(x * x for x in shape), math.gcd(*shape), _ripple_of(shape, sigma_squared)
    if off < 2.0**-60 or len(shape) == 1:
        spread = math.ceil(Fraction(off) * (1 << bits)) if len(shape) > 1 else 0
        down, up = gaussian(sigma_squared * square / divisor**2, reach // divisor, bits, spread)
        return divisor, (down[:0:-1] + down, up[:0:-1] + up)
    result: Masses | None = None
    for entry, count in Counter(shape).items():
        inner = reach // entry
        stretched: Masses = ([0] * (2 * inner * entry + 1), [0] * (2 * inner * entry + 1))
        for sparse, law in zip(stretched, law_of_sum(sigma_squared, count, inner, bits), strict=True):
            sparse[::entry] = law
        for sparse in stretched:
            sparse[:0] = [0] * (reach - inner * entry)
            sparse += [0] * (reach - inner * entry)
        result = stretched if result is None else product(result, stretched, reach, bits)
    assert result is not None
    return 1, result


def _stick(shape: tuple[int, ...], sigma_squared: Fraction, reach: int, indices: range, bits: int) -> list[tuple[int, int]]:
    """Bounds of δ(n/(2σ²)) for this shape, for each n, in units of 2^-bits, except for the part that the law leaves
    out."""
    divisor, law = _law_of_shape(shape, sigma_squared, reach, bits)
    square, middle = sum(x * x for x in shape), len(law[0]) // 2
    balls = Balls(bits)
    bounds: list[list[int]] = []
    for masses, sign in zip(law, (-1, 1), strict=True):
        m, r = balls.exp(balls.of(-divisor / sigma_squared))
        # What is subtracted is rounded to the other side.
        step, add = m - sign * r, (1 << bits) - 1 if sign < 0 else 0
        sums, discounted = tails(masses), [0] * (len(masses) + 1)
        for i in range(len(masses) - 1, -1, -1):
            discounted[i] = masses[i] + ((discounted[i + 1] * step + add) >> bits)
        edges: dict[int, int] = {}
        values = []
        for n in indices:
            # The least i with square + 2·divisor·(i - middle) > n.
            i = (n - square) // (2 * divisor) + 1 + middle
            if i >= len(masses):
                values.append(0)
                continue
            i = max(i, 0)
            gap = square + 2 * divisor * (i - middle) - n
            if gap not in edges:
                m, r = balls.exp(balls.of(-Fraction(gap) / (2 * sigma_squared)))
                edges[gap] = m - sign * r
            values.append(max(sums[i] - ((edges[gap] * discounted[i] + add) >> bits), 0))
        bounds.append(values)
    return list(zip(*bounds, strict=True))


@lru_cache(maxsize=64)
def _pair(farthest: int, dimension: int, sigma_squared: Fraction, stride: int, bits: int) -> tuple[int, list[int], int]:
    """Masses of the dominating pair's loss, in steps of stride/(2σ²) from a lowest one, and that of an infinite loss."""
    # Masses are second differences of H, divided by about u twice: so many more bits.
    u = Fraction(stride) / (2 * sigma_squared)
    inner = bits + 2 * max(0, -math.floor(math.log2(u))) + 24
    reach = sub_gaussian_reach(farthest * sigma_squared, inner)
    if reach > _ATOMS:
        raise TooFine
    p = inner + 2 * reach.bit_length() + 8
    edge = (farthest + 2 * reach) // stride + 2
    indices = range(-edge * stride, edge * stride + 1, stride)
    low, high = [0] * len(indices), [0] * len(indices)
    # What the laws leave out, of each shape: beyond the reach, and in convolutions.
    off = 16 << (p - inner)
    for shape in shapes(farthest, min(dimension, farthest)):
        for i, (a, b) in enumerate(_stick(shape, sigma_squared, reach, indices, p)):
            low[i], high[i] = max(low[i], a), max(high[i], b + off)
    # The mass at n is (H(n+1) - H(n))/(e^u - 1) + (H(n-1) - H(n))/(1 - e^-u). The first is at most 0: it is rounded towards it.
    balls = Balls(p)
    m, r = balls.exp(balls.of(-u))
    rise, fall = ((m - r) << p) // (balls.one - m + r), (balls.one << p) // (balls.one - m - r) + 1
    masses = []
    for i in range(len(indices)):
        gain = min(high[i + 1] - low[i], 0) * rise if i + 1 < len(indices) else 0
        loss = max(high[i - 1] - low[i], 0) * fall if i else (balls.one - low[0]) << p
        masses.append(max(-(-(gain + loss) >> (2 * p - bits)), 0))
    return -edge, masses, -(-high[-1] >> (p - bits))


def _window(lowest: int, masses: list[int], low: int, high: int) -> tuple[int, list[int], int]:
    """The masses from low to high. The masses below move up to low, and the masses above are returned as infinite."""
    lost = sum(masses[max(high + 1 - lowest, 0) :])
    masses = masses[: max(high + 1 - lowest, 0)]
    if lowest < low:
        cut = min(low - lowest, len(masses))
        masses = [sum(masses[: cut + 1]), *masses[cut + 1 :]]
        lowest = low
    return lowest, masses, lost


@lru_cache(maxsize=64)
def _power(farthest: int, dimension: int, sigma_squared: Fraction, releases: int, bits: int) -> tuple[Fraction, int, list[int], int]:
    """The loss of all releases together: the grid's step, the lowest place, the masses, and that of an infinite loss."""
    def around(count: int) -> tuple[int, int]:
        spread = 2 * sub_gaussian_reach(count * farthest * sigma_squared, bits)
        return count * farthest - spread, count * farthest + spread

    first, last = around(releases)
    stride = max(-(-(last - first) // _CELLS), 1)
    step = Fraction(stride) / (2 * sigma_squared)
    base = _pair(farthest, dimension, sigma_squared, stride, bits)
    result: tuple[int, list[int], int] | None = None
    done, count = 0, 1
    while True:
        if releases & count:
            result = base if result is None else _composed(result, base, done + count, around, stride, bits)
            done += count
        count *= 2
        if count > releases:
            assert result is not None
            return step, *result
        base = _composed(base, base, count, around, stride, bits)


def _composed(
    a: tuple[int, list[int], int], b: tuple[int, list[int], int], count: int, around: Callable[[int], tuple[int, int]], stride: int, bits: int
) -> tuple[int, list[int], int]:
    """Both losses together, in the window of `count` releases."""
    first, last = around(count)
    raw = convolve(a[1], b[1], bits, 1)
    lowest, masses, lost = _window(a[0] + b[0], raw, first // stride - 1, last // stride + 1)
    return lowest, masses, lost + 2 * (a[2] + b[2])


def envelope(farthest: int, dimension: int, sigma_squared: Fraction, releases: int, epsilon: Fraction, bits: int) -> Fraction:
    """An upper bound of δ(ε) for so many releases of vectors with a squared sensitivity up to 32, of any shapes."""
    if releases > 1 << 14 or not Fraction(1, 1 << 64) < sigma_squared * farthest <= 1 << 22:
        raise TooFine
    step, lowest, masses, infinite = _power(farthest, dimension, sigma_squared, releases, bits)
    balls = Balls(bits + 16)
    total = 0
    place = max(math.floor(epsilon / step) + 1 - lowest, 0)
    if place < len(masses):
        m, r = balls.exp(balls.of(epsilon - step * (place + lowest)))
        by, s = balls.exp(balls.of(-step))
        power = m - r
        for mass in masses[place:]:
            total += mass * (balls.one - power)
            power = power * (by - s) >> balls.p
    return min(Fraction(total, 1 << (bits + balls.p)) + Fraction(infinite, 1 << bits), Fraction(1))
