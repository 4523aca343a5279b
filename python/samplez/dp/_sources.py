"""Releases whose loss is not linear in the noise, or has few values: subsampled noise, Skellam and discrete Laplace noise, randomized responses.

Proof: docs/proofs/accountant.md, section 10. A release is a list of atoms. They are composed on a grid of losses, twice: one list of masses
is rounded down, the other up. Losses are split between two places, and the lower bound subtracts what the splits may add.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from samplez import _samplez
from samplez.dp import _skellam as skellam
from samplez.dp._balls import Balls
from samplez.dp._grid import law_of_sum, masses, numbers, split
from samplez.dp._lattice import TooFine, sub_gaussian_reach

# At most so many atoms of a release, releases of one kind that are composed exactly, and places of a grid, about.
_ATOMS = 1 << 15
_COUNT = 1 << 17
_CELLS = 1 << 13
_FINER = 4
# So many show that one direction has the smaller δ.
_FEW = 1 << 9
# Bits of the tails that are cut off, as are tried, and those of masses beyond.
_TAILS = (48, 96, 192, 400, 1100)
_MORE = 64
# The least and the largest step of a grid, as powers of two.
_STEPS = (-60, 60)
# Fractions of a place are in units of 2^-_SPLIT.
_SPLIT = 64
# Large losses that all releases together have with less than 2^-_RARE are composed apart.
_RARE = 6
# Below this rate many tails would be tried in vain, and what `_amplified` bounds is as good.
_LEAST_RATE = Fraction(1, 1 << 128)


@dataclass(frozen=True)
class Source:
    """`count` releases of one kind."""

    kind: str
    """``gaussian``, ``skellam``, ``laplace`` or ``response``."""
    parameter: Fraction
    """σ², the variance, the scale, or ε."""
    shift: int = 1
    """How far apart the values of neighbours are, at most."""
    rate: Fraction = Fraction(1)
    """The probability with which a record is included."""
    count: int = 1

    @property
    def rho(self) -> Fraction:
        """Returns ρ of all releases, without the sampling. For Skellam noise this is only a starting value."""
        if not self.is_pure:
            return self.count * self.shift**2 / (2 * self.parameter)
        return self.worst**2 / self.count / 2

    @property
    def normal(self) -> float:
        """About the ρ of the normal loss that all releases approach, with the sampling: a guess."""
        rate, ratio = float(self.rate), float(min(2 * self.rho / self.count, Fraction(500)))
        return self.count * rate**2 * math.expm1(ratio) / 2 if rate < 1 else float(min(self.rho, Fraction(10**300)))

    @property
    def is_pure(self) -> bool:
        """Whether a release is ε-DP for some ε."""
        return self.kind in ("laplace", "response")

    @property
    def worst(self) -> Fraction:
        """The ε of all releases that are ε-DP."""
        return self.count * (self.shift / self.parameter if self.kind == "laplace" else self.parameter)


class Atom(NamedTuple):
    """Outputs of one loss, with their masses in units of 2^-bits, rounded down and up."""

    loss: Fraction
    """ln(shifted/plain)."""
    plain: tuple[int, int]
    shifted: tuple[int, int]


Row = tuple[float, float, int, int]
"""A loss from below and above, and the mass of its outputs from below and above."""


class Units(NamedTuple):
    """Masses are in units of 2^-bits, tails beyond 2^-tail are cut off, and a grid has about so many cells."""

    bits: int
    tail: int
    cells: int
    floored: bool = False
    """Whether losses of the lower list are rounded down, instead of split."""


class Law(NamedTuple):
    """A loss on the grid of step 2^power: two lists of masses from a lowest place up, and the mass of an infinite loss for the upper one."""

    power: int
    lowest: int
    down: _samplez.Masses
    up: _samplez.Masses
    infinite: int
    spread: float = 0.0
    """The squares of the steps by which losses were split, added up over all splits of all releases."""
    floored: bool = False
    moved: int = 0
    """The mass of the lower list that has moved down, at most."""


@lru_cache(maxsize=16)
def atoms(source: Source, bits: int) -> tuple[tuple[Atom, ...], int]:
    """The atoms of one release without sampling, and a bound of the mass that they leave out."""
    s, balls = source.shift, Balls(bits + 64)
    if source.kind == "gaussian":
        reach = sub_gaussian_reach(source.parameter, bits) + s
        if reach > _ATOMS:
            raise TooFine
        down, up = law_of_sum(source.parameter, 1, reach, bits)
        both = list(zip(down, up, strict=True))
        # x = i - reach; from -reach + s on both laws have it.
        top, bottom = source.parameter.denominator, 2 * source.parameter.numerator
        found = [Atom(Fraction((2 * (i - reach) * s - s * s) * top, bottom), both[i], both[i - s]) for i in range(s, len(both))]
        return tuple(found), 4
    if source.kind == "skellam":
        reach = skellam.reach_of(source.parameter, bits)
        if reach + s > _ATOMS:
            raise TooFine
        lows, highs, beyond = skellam.weights(source.parameter, reach + s, bits)
        chances = skellam.masses(lows, highs, beyond, bits)
        return tuple(
            Atom(Fraction(skellam.log_quotient(lows[abs(x - s)], lows[abs(x)])), chances[abs(x)], chances[abs(x - s)])
            for x in range(-reach, reach + s + 1)
        ), 4
    if source.kind == "response":
        m, r = balls.exp(balls.of(-source.parameter))
        low, high = (balls.one << bits) // (balls.one + m + r), (balls.one << bits) // (balls.one + m - r) + 1
        one = 1 << bits
        likely, other = (low, high), (max(one - high, 0), one - low)
        return (Atom(-source.parameter, likely, other), Atom(source.parameter, other, likely)), 0
    if s > _ATOMS:
        raise TooFine
    m, r = balls.exp(balls.of(-1 / source.parameter))
    ends = []
    for q, up_ in ((max(m - r, 0), 0), (m + r, 1)):
        powers = [balls.one]
        for _ in range(s):
            powers.append((powers[-1] * q >> balls.p) + up_)
        ends.append(powers)
    # (1 - q)/(1 + q) and 1/(1 + q) fall in q.
    tops = [balls.one + m - r, balls.one + m + r]
    ratios = (max(balls.one - m - r, 0) << balls.p) // tops[1], ((balls.one - m + r) << balls.p) // tops[0] + 1
    halves = (balls.one << balls.p) // tops[1], (balls.one << balls.p) // tops[0] + 1
    shorter = 2 * balls.p - bits
    inner = [((ratios[0] * low) >> shorter, -(-(ratios[1] * high) >> shorter)) for low, high in zip(*ends, strict=True)]
    plain = [(halves[0] >> (balls.p - bits), -(-halves[1] >> (balls.p - bits))), *inner[1:s]]
    plain.append(((halves[0] * ends[0][s]) >> shorter, -(-(halves[1] * ends[1][s]) >> shorter)))
    # plain[x] is that of x <= 0, of 0 < x < s, and of x >= s.
    return tuple(Atom(Fraction(2 * x - s) / source.parameter, plain[x], plain[s - x]) for x in range(s + 1)), 0


def _loss(loss: float, rate: float, rest: float) -> float:
    """ln(rest + rate·e^loss), where rate + rest is 1, within (abs(loss) + 1)·2^-45. No sum cancels below 1/2, so this is some roundings."""
    if rest == 0:
        return loss
    if loss <= 0:
        small = rate * math.expm1(loss)
        return math.log1p(small) if small > -0.5 else math.log(rest + rate * math.exp(loss))
    small = rest * math.expm1(-loss)
    return loss + (math.log1p(small) if small > -0.5 else math.log(rate + rest * math.exp(-loss)))


def _rows(source: Source, direction: int, bits: int) -> tuple[list[Row], int]:
    """Losses from below and from above, and masses; and the mass of an infinite loss. `direction` 1 is with the record against without."""
    found, out = atoms(replace(source, rate=Fraction(1), count=1), bits)
    rate, rows = source.rate, []
    if rate < _LEAST_RATE or 0 < 1 - rate < _LEAST_RATE:
        raise TooFine
    top, bottom, part, rest = rate.numerator, rate.denominator, float(rate), float(1 - rate)
    for atom in found:
        numerator, denominator = atom.loss.numerator, atom.loss.denominator
        loss = max(min(numerator, 10**6 * denominator), -(10**6) * denominator) / denominator
        value = direction * _loss(loss, part, rest)
        slack = (abs(loss) + 1) * 2.0**-44
        if direction > 0:
            low, high = (((bottom - top) * plain + top * shifted) for plain, shifted in zip(atom.plain, atom.shifted, strict=True))
            low, high = low // bottom, -(-high // bottom)
        else:
            low, high = atom.plain
        above = value + slack
        if abs(numerator) > 10**6 * denominator:
            # Of an unknown loss: none for the lower list, and infinite for the upper one, unless it is far below.
            out, low, high = (out, 0, high) if direction * numerator < 0 else (out + high, 0, 0)
        rows.append((value - slack, above, low, high))
    return rows, out


def _placed(rows: list[Row], infinite: int, power: int, floored: bool = False) -> Law:
    """The law on the grid of step 2^power."""
    scale = _SPLIT - power
    lows = [math.floor(math.ldexp(row[0], scale)) for row in rows]
    highs = [math.ceil(math.ldexp(row[1], scale)) for row in rows]
    lows = [x >> _SPLIT << _SPLIT for x in lows] if floored else lows
    lowest = min(lows) >> _SPLIT
    size = (max(highs) >> _SPLIT) - lowest + 2
    if size > 64 * _CELLS:
        raise TooFine
    down = split([row[2] for row in rows], [x - (lowest << _SPLIT) for x in lows], 2.0**power, -1, size)
    up = split([row[3] for row in rows], [x - (lowest << _SPLIT) for x in highs], 2.0**power, 1, size)
    return Law(power, lowest, down, up, infinite, 4.0**power, floored)


class _Windows:
    """Where the losses of several releases lie, but for a mass of about 2^-tail: by Chernoff's bound, in doubles. Nothing depends on it."""

    def __init__(self, rows: list[list[Row]], bits: int, tail: int) -> None:
        self._nats = tail * math.log(2)
        self._ends = [(min(row[0] for row in some), max(row[1] for row in some)) for some in rows]
        widest = max(max(abs(low), abs(high)) for low, high in self._ends)
        self._orders = [math.ldexp(1.0, 2 * i) / max(widest, 1e-9) / 8 for i in range(20)]
        logs = [[[(row[end], math.log(max(row[3], 1))) for row in some] for some in rows] for end in (1, 0)]
        self._cumulants = [[[_cumulant(some, sign * order, bits) for some in ends] for order in self._orders] for sign, ends in zip((1, -1), logs, strict=True)]

    def around(self, counts: tuple[int, ...]) -> tuple[float, float]:
        """The window of so many releases of each kind."""
        ends = []
        for sign, cumulants in zip((1, -1), self._cumulants, strict=True):
            bounds = [(sum(n * k for n, k in zip(counts, ks, strict=True)) + self._nats) / order for order, ks in zip(self._orders, cumulants, strict=True)]
            most = sum(n * sign * end[0 if sign < 0 else 1] for n, end in zip(counts, self._ends, strict=True))
            ends.append(sign * min(most, *bounds))
        return ends[1], ends[0]


def _cumulant(rows: list[tuple[float, float]], order: float, bits: int) -> float:
    """ln E[e^(order·loss)], of losses and the logarithms of their masses."""
    logs = [order * loss + log for loss, log in rows]
    top = max(logs)
    return top + math.log(math.fsum(math.exp(x - top) for x in logs)) - bits * math.log(2)


def _coarse(law: Law, power: int) -> Law:
    """The same on a grid of longer steps."""
    more = power - law.power
    if more <= 0:
        return law
    if more > _SPLIT:
        raise TooFine
    lowest = law.lowest >> more
    size = (law.lowest + len(law.up) >> more) - lowest + 2
    slope = 1 << 2 * _SPLIT - more
    start = law.lowest * slope - (lowest << 2 * _SPLIT)
    up = law.up.split_line(start, slope, 2.0**power, True, size)
    if law.floored:
        sums = [0] * size
        for i, value in enumerate(numbers(law.down), law.lowest - (lowest << more)):
            sums[i >> more] += value
        down = masses(sums)
    else:
        down = law.down.split_line(start, slope, 2.0**power, False, size)
    return law._replace(power=power, lowest=lowest, down=down, up=up, spread=law.spread + 4.0**power)


def _composed(a: Law, b: Law, window: tuple[float, float], units: Units, fine: float = math.inf) -> Law:
    """Both losses together, in the window, on a grid of at most about 2·`cells` places; of _FINER times as many if the steps exceed `fine` otherwise."""
    bits = units.bits
    power = max(a.power, b.power)
    a, b = _coarse(a, power), _coarse(b, power)
    down, up = a.down.times(b.down, bits, False), a.up.times(b.up, bits, True)
    lowest = a.lowest + b.lowest
    infinite = -(-(a.infinite * (b.up.total(0, len(b.up)) + b.infinite) + b.infinite * a.up.total(0, len(a.up))) >> bits)
    first, last = lowest, lowest + len(up)
    if math.isfinite(window[1] - window[0]):
        # The splits move a loss by more than that with less than 2^-bits.
        moved = math.sqrt((a.spread + b.spread) * bits)
        first, last = math.floor(math.ldexp(window[0] - moved, -power)) - 1, math.ceil(math.ldexp(window[1] + moved, -power)) + 1
    keep = min(max(last + 1 - lowest, 1), len(up))
    infinite += up.total(keep, len(up))
    cut = min(max(first - lowest, 0), keep - 1)
    # Losses below the window move up to it, and are left out of the lower list. There the losses above it move down to it.
    above = down.total(keep, len(down))
    down = _samplez.Masses.combined([(0, down.part(cut, keep, False)), (keep - cut - 1, masses([above]))], keep - cut)
    law = Law(power, lowest + cut, down, up.part(cut, keep, True), infinite, a.spread + b.spread, a.floored, a.moved + b.moved + above)
    usual, finest = (power + max((len(law.up) // cells).bit_length() - 1, 0) for cells in (units.cells, _FINER * units.cells))
    return _coarse(law, min(usual, max(finest, _power(fine))))


def _power(step: float) -> int:
    """The largest power of two up to a step."""
    return math.floor(math.log2(min(max(step, 2.0**-900), 2.0**900)))


def _jumps(rows: list[Row], count: int, bits: int, tail: int) -> tuple[list[Row], list[Row], int, list[Row]]:
    """Divides the outputs of a release into the body, the jumps, the most jumps that count, and outputs that are too rare.

    Jumps are the largest losses, of which `count` releases together have fewer than 2^-_RARE. Nothing on the bounds depends on the choice.
    """
    ordered = sorted(rows, key=lambda row: -max(abs(row[0]), abs(row[1])))
    limits = (1 << max(bits - tail, 0)), (1 << bits - _RARE)
    ends: list[int] = []
    total = 0
    for i, row in enumerate(ordered):
        total += count * row[3]
        while len(ends) < 2 and total > limits[len(ends)]:
            ends.append(i)
    ends += [len(ordered) - 1] * (2 - len(ends))
    rare, jumps, body = ordered[: ends[0]], ordered[ends[0] : ends[1]], ordered[ends[1] :]
    if not jumps or abs(body[0][1]) * 2 > abs(jumps[0][1]):
        return jumps + body, [], 0, rare
    share, most = Fraction(count * sum(row[3] for row in jumps), 1 << bits), 1
    chance = share**2 / 2  # of more jumps than that, at most
    while most < count and chance > Fraction(1, 1 << tail):
        most += 1
        chance *= share / (most + 1)
    return body, jumps, most, rare


def _trimmed(law: Law, bits: int, tail: int) -> Law:
    """The law without its outermost losses, which have about 2^-tail on each side."""
    limit, first, last = 1 << bits - tail, 0, len(law.up)
    values, below, above = numbers(law.up), 0, 0
    while first < last - 1 and below + values[first] <= limit:
        below += values[first]
        first += 1
    while last > first + 1 and above + values[last - 1] <= limit:
        last -= 1
        above += values[last]
    down, up = law.down.part(first, last, False), law.up.part(first, last, True)
    return law._replace(lowest=law.lowest + first, down=down, up=up, infinite=law.infinite + above)


def _many(rows: list[Row], infinite: int, count: int, units: Units) -> Law:
    """The loss of `count` releases of one kind: the sum over j of the laws of j jumps and of a body for the others."""
    bits, tail, cells, floored = units
    body, jumps, most, rare = _jumps(rows, count, bits, tail)
    windows = _Windows([body], bits, tail)
    low, high = windows.around((count,))
    reach = max([row[1] for row in jumps] + [0.0]), min([row[0] for row in jumps] + [0.0])
    low, high = low + reach[1], high + reach[0]
    last = (high - low) / cells
    first = windows.around((1,))
    # Splits of releases of one weight may count as 16 of the last ones.
    fine = 4 * last / math.sqrt(count)
    # At least so much that `_placed` has room for the body, also where its losses are within their slack.
    span = max(first[1] - first[0], (max(row[1] for row in body) - min(row[0] for row in body)) / 7)
    power = _power(min(max(fine, span / _FINER / cells), max(span, 2.0**-59) / cells))
    if not _STEPS[0] < power < _STEPS[1]:
        raise TooFine
    # The rest of a release with too rare losses: none for the lower list, and infinite for the upper one unless it is below.
    above = sum(row[3] for row in rare if row[1] > first[0])
    below = [(first[0], first[0], 0, row[3]) for row in rare if row[1] <= first[0]]
    one = _placed(body + below, 0, power, floored)
    base, weight, result = one, 1, None
    while True:
        if (count - most) & weight:
            result = base if result is None else _composed(result, base, windows.around((count - most & 2 * weight - 1,)), units, 0.0)
        if 2 * weight > count - most:
            break
        weight *= 2
        base = _composed(base, base, windows.around((weight,)), units, fine * math.sqrt(weight))
    lost = count * (infinite + above)
    if not most:
        assert result is not None
        return result._replace(infinite=result.infinite + lost)
    # Few releases of the body are where all of them together need not be.
    few = [windows.around((n,)) for n in (1, most)]
    parts = min(low, *(end + reach[1] for end, _ in few)), max(high, *(end + reach[0] for _, end in few))
    return _with_jumps(result, one, jumps, (count, most), [(low, high), parts], units, lost)


def _with_jumps(rest: Law | None, one: Law, jumps: list[Row], numbers: tuple[int, int], windows: list[tuple[float, float]], units: Units, lost: int) -> Law:
    """The sum over j of C(n, j) times the law of j jumps and n - j releases of the body, for j up to `most`; `rest` is that of n - most."""
    (count, most), (window, parts) = numbers, windows
    power = max(_power((window[1] - window[0]) / _FINER / units.cells), one.power, rest.power if rest is not None else one.power)
    one = _coarse(one, power)
    # Times n, so that the units are small beside the products. So j of them count n^j times, and the factors are C(n, j)/n^j.
    jump = _placed([(low, high, count * down, count * up) for low, high, down, up in jumps], 0, power, units.floored)
    share = sum(up for *_, up in jumps) * count
    nothing = Law(power, 0, masses([1 << units.bits]), masses([1 << units.bits]), 0, 0.0, units.floored)
    ways = [Fraction(math.comb(count, j), count**j) for j in range(most + 1)]
    # Horner's rule for the sum over j of ways[j] times j jumps and most - j releases of the body.
    body, result = nothing, _scaled(nothing, ways[most], units.bits)
    for factor in reversed(ways[:most]):
        body = _composed(body, one, parts, units, 0.0)
        result = _either(_composed(result, jump, parts, units, 0.0), _scaled(body, factor, units.bits))
    result = _composed(result, rest, window, units, 0.0) if rest is not None else result
    # More jumps: at most C(n, most + 1)·p^(most + 1).
    others = Fraction(share, 1 << units.bits) ** (most + 1) / math.factorial(most + 1) if most < count else Fraction(0)
    return result._replace(infinite=result.infinite + lost + math.ceil(others * (1 << units.bits)))


def _scaled(law: Law, factor: Fraction, bits: int) -> Law:
    """The law times a factor up to 1."""
    # So many bits more that the fraction's own rounding is far below a unit.
    more = bits + 64
    down, up = law.down.scaled(math.floor(factor * (1 << more)), more, False), law.up.scaled(math.ceil(factor * (1 << more)), more, True)
    return law._replace(down=down, up=up, infinite=math.ceil(law.infinite * factor), moved=math.ceil(law.moved * factor))


def _either(a: Law, b: Law) -> Law:
    """The sum of two laws, such as parts of one."""
    power = max(a.power, b.power)
    parts = _coarse(a, power), _coarse(b, power)
    lowest = min(part.lowest for part in parts)
    size = max(part.lowest + len(part.up) for part in parts) - lowest
    down, up = (_samplez.Masses.combined([(part.lowest - lowest, part.up if is_up else part.down) for part in parts], size) for is_up in (False, True))
    return Law(power, lowest, down, up, a.infinite + b.infinite, max(part.spread for part in parts), a.floored, a.moved + b.moved)


@lru_cache(maxsize=32)
def _together(sources: tuple[Source, ...], direction: int, tail: int, cells: int, floored: bool = False) -> Law:
    """The loss of all releases."""
    bits = tail + _MORE
    units = Units(bits, tail, cells, floored)
    result: Law | None = None
    for source in sources:
        rows, infinite = _rows(source, direction, bits)
        law = _many(rows, infinite, source.count, units)
        result = law if result is None else _trimmed(_composed(result, law, (-math.inf, math.inf), units, 0.0), bits, tail)
    assert result is not None
    return result


def _stick(law: Law, start: Fraction, step: Fraction, epsilon: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Σ P·(1 - e^(ε - L)) over L > ε, rounded down and up, for the losses L = start + i·step. What is subtracted is rounded to the other side."""
    balls, size = Balls(_words(bits)), len(law.up)
    place = max(math.floor((epsilon - start) / step) + 1, 0)
    total = [0, 0]
    if place < size:
        m, r = balls.exp(balls.of(epsilon - start - step * place))
        by, s = balls.exp(balls.of(-step))
        for i, (values, sign) in enumerate(((law.down, 1), (law.up, -1))):
            sum_ = values.discounted(place, size, max(by + sign * s, 0), balls.p, sign > 0, False)
            total[i] = (values.total(place, size) << balls.p + 64) - max(m + sign * r, 0) * sum_
    unit = 1 << (bits + balls.p + 64)
    return max(Fraction(total[0], unit), Fraction(0)), min(Fraction(total[1], unit) + Fraction(law.infinite, 1 << bits), Fraction(1))


def _words(bits: int) -> int:
    """Some more bits than that, in whole words."""
    return (bits + 16 + 63) // 64 * 64


def _added(law: Law, count: int, epsilon: Fraction, bits: int) -> Fraction:
    """At most so much of δ(ε) of the lower list is due to its splits, of `count` releases."""
    v = law.spread * (1 + 2.0**-30)
    step, slack = 2.0**law.power, (2 * count + 16) * 2.0**-35
    if not 1e-200 < v < 1:
        return Fraction(1)
    balls, best, size, unit = Balls(_words(bits)), Fraction(1), len(law.down), Fraction(2) ** law.power
    place = min(max(math.floor(epsilon / unit) - law.lowest + 1, 0), size)
    lost = (1 << bits) - law.down.total(0, size) + law.moved
    for order in (math.sqrt(8 / v) * 2.0**i for i in (0, 1, -1)):
        # Σ P·e^(-order·|L - ε|), rounded up, from the places next to ε outwards.
        m, r = balls.exp(balls.of(-Fraction(order) * unit))
        total = lost << balls.p + 64
        # The places farther than that have weights below 2^-bits of the nearest one's.
        reach = math.ceil(balls.p / (order * step)) if order * step > 2.0**-40 else size
        for first, last, near in ((place, min(place + reach, size), place), (max(place - reach, 0), place, place - 1)):
            start, error = balls.exp(balls.of(-Fraction(order) * abs((law.lowest + near) * unit - epsilon)))
            total += min(start + error, balls.one) * law.down.discounted(first, last, m + r, balls.p, True, near < place)
        # All of them have as little as the nearest of them.
        start, error = balls.exp(balls.of(-Fraction(order) * reach * unit))
        total += (law.down.total(0, max(place - reach, 0)) + law.down.total(place + reach, size)) * (start + error) << 64
        moved = math.sqrt(math.expm1(v / 4)) + slack * step
        logarithm = order * (order + 1) * v / 8 + order * moved + order * -math.log1p(1 / order) - math.log1p(order)
        if logarithm < 100:
            best = min(best, Fraction(math.exp(logarithm) * (1 + 2.0**-30)) * Fraction(total, 1 << (bits + balls.p + 64)))
    return best


def _once(source: Source, direction: int, epsilon: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """One release: Σ max(P - e^ε·Q, 0), without a grid."""
    found, out = atoms(replace(source, rate=Fraction(1), count=1), bits)
    top, bottom = source.rate.numerator, source.rate.denominator
    balls = Balls(bits + math.ceil(2 * epsilon) + 16)
    m, r = balls.exp(balls.of(-epsilon))
    # e^ε in units of 2^-bits, from below and above.
    factors = (1 << balls.p + bits) // (m + r), (1 << balls.p + bits) // (m - r) + 1
    totals = [0, 0]
    for atom in found:
        mixed = [(bottom - top) * plain + top * shifted for plain, shifted in zip(atom.plain, atom.shifted, strict=True)]
        plain = [bottom * x for x in atom.plain]
        p, q = (mixed, plain) if direction > 0 else (plain, mixed)
        totals[0] += max((p[0] << bits) - factors[1] * q[1], 0)
        totals[1] += max((p[1] << bits) - factors[0] * q[0], 0)
    unit = bottom << (2 * bits)
    return Fraction(totals[0], unit), min(Fraction(totals[1], unit) + Fraction(out, 1 << bits), Fraction(1))


@lru_cache(maxsize=16)
def _lattice(source: Source, bits: int) -> Law:
    """Laplace releases without sampling: the loss is (2i - count·shift)/scale, without a grid."""
    found, _ = atoms(replace(source, count=1), bits)
    base = Law(0, 0, masses([atom.shifted[0] for atom in found]), masses([atom.shifted[1] for atom in found]), 0)
    result: Law | None = None
    weight = 1
    while True:
        if source.count & weight:
            result = base if result is None else _multiplied(result, base, bits)
        if 2 * weight > source.count:
            assert result is not None
            return result
        weight *= 2
        base = _multiplied(base, base, bits)


def _multiplied(a: Law, b: Law, bits: int) -> Law:
    return Law(0, 0, a.down.times(b.down, bits, False), a.up.times(b.up, bits, True), 0)


def _bracket(sources: tuple[Source, ...], direction: int, epsilon: Fraction, tail: int, cells: int) -> tuple[Fraction, Fraction]:
    """Bounds for the neighbours of one direction."""
    bits = tail + _MORE
    if len(sources) == 1 and sources[0].count == 1 and epsilon < 1000:
        return _once(sources[0], direction, epsilon, bits)
    if len(sources) == 1 and sources[0].kind == "laplace" and sources[0].rate == 1 and sources[0].count * sources[0].shift < _ATOMS:
        one = sources[0]
        return _stick(_lattice(one, bits), -one.count * one.shift / one.parameter, 2 / one.parameter, epsilon, bits)
    law = _together(sources, direction, tail, cells)
    step = Fraction(2) ** law.power
    lower, upper = _stick(law, law.lowest * step, step, epsilon, bits)
    lower = max(lower - _added(law, sum(source.count for source in sources), epsilon, bits), Fraction(0))
    if cells >= _CELLS and lower < max(upper * Fraction(3, 4), Fraction(law.moved, 1 << bits - 10)) and upper > Fraction(1, 1 << (tail - 12)):
        # Few large losses, whose splits add or move much. Rounded down they count in full, unless ε is near one of them.
        law = _together(sources, direction, tail, cells, True)
        step = Fraction(2) ** law.power
        lower = max(lower, _stick(law, law.lowest * step, step, epsilon, bits)[0])
    return lower, upper


def _both(sources: tuple[Source, ...], epsilon: Fraction, enough: Fraction, tail: int, cells: int) -> tuple[Fraction, Fraction]:
    """Bounds of the larger δ of both directions; `enough` is as for `of_sources`.

    The record against without it mostly has the larger one, and a few cells show this: then the bounds of the other direction don't count.
    """
    low, high = _bracket(sources, 1, epsilon, tail, cells)
    if all(source.rate == 1 for source in sources):
        return low, high
    try:
        less, more = _bracket(sources, -1, epsilon, tail, min(_FEW, cells))
    except TooFine:
        less, more = Fraction(0), Fraction(1)
    if cells > _FEW and not (more <= low or low > enough > 0 or max(high, more) <= enough):
        less, more = _bracket(sources, -1, epsilon, tail, cells)
    return max(low, less), max(high, more)


@lru_cache(maxsize=4096)
def of_sources(
    sources: tuple[Source, ...], epsilon: Fraction, enough: Fraction = Fraction(0), cells: int = _CELLS
) -> tuple[Fraction, Fraction]:
    """Bounds of δ(ε) of all releases together, for neighbours in both directions. Raises `TooFine`.

    An upper bound up to `enough` is not made closer with more bits. The comparison of either bound with `enough` has the same result.
    Fewer `cells` are faster, and the bounds are wider.
    """
    pure = all(source.is_pure for source in sources)
    if pure and sum(source.worst for source in sources) <= epsilon:
        return Fraction(0), Fraction(0)
    blocks = -(-max(source.count for source in sources) // _COUNT)
    if blocks > 1:
        return _of_blocks(sources, blocks, epsilon, enough, cells)
    lower, upper = Fraction(0), Fraction(1)
    for tail in _TAILS:
        try:
            low, high = _both(sources, epsilon, enough, tail, cells)
        except TooFine:
            if tail == _TAILS[0]:
                raise
            # The bounds with fewer bits hold too.
            break
        lower, upper = max(lower, low), min(upper, high)
        # Of narrow noise the outputs that decide may be too rare for the first tails.
        apart = upper - lower > upper / 64 if len(sources) == 1 and sources[0].count == 1 else cells >= _CELLS and upper - lower > upper / 8 and tail < _TAILS[2]
        if upper <= enough or upper > Fraction(1, 1 << (tail - 12)) and not apart:
            break
    return lower, upper


def _of_blocks(sources: tuple[Source, ...], blocks: int, epsilon: Fraction, enough: Fraction, cells: int) -> tuple[Fraction, Fraction]:
    """The same for more than `_COUNT` releases of one kind, from the bounds of one of so many blocks.

    A block has ⌈n/blocks⌉ of the n releases of each kind. Let (P, Q) be the laws of its outputs, with and without the record or the other way
    round, and δ(ε) its hockey-stick divergence.

    - Lower bound: a block is a part of the n releases, since ⌈n/blocks⌉ <= n. To drop the other outputs is post-processing, which does not increase δ.
    - Upper bound: the blocks together contain the n releases, so their δ is at least as large. R = min(P, e^(ε/blocks)·Q) has the mass 1 - δ(ε/blocks). So the
      product of all R is at most e^ε times the product of all Q. It lacks 1 - (1 - δ(ε/blocks))^blocks <= blocks·δ(ε/blocks) of the product of all P.
      This holds for each direction, hence for the larger δ of both.
    """
    block = tuple(replace(source, count=-(-source.count // blocks)) for source in sources)
    lower = of_sources(block, epsilon, enough, cells)[0]
    return lower, min(blocks * of_sources(block, epsilon / blocks, enough / blocks, cells)[1], Fraction(1))
