"""Bounds of the δ of several releases together. Proof: docs/proofs/accountant.md."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from samplez.dp._arguments import Query
from samplez.dp._grid import Pure, several, two
from samplez.dp._lattice import Lattice, Part, TooFine, bracket, guess_bits, sub_gaussian_reach
from samplez.dp._shapes import ENUMERATED, extremes, shapes
from samplez.dp._vectors import envelope
from samplez.dp._sources import Source, of_sources
from samplez.dp._zcdp import ripple_of_sum, rho_of_noise, zcdp_delta

Entry = tuple[Query, Fraction]
"""A query, and the σ² of its noise."""
Bracket = tuple[Fraction, Fraction]

# Two laws of fewer integers than twice this are summed directly.
_NARROW = 1 << 13
# Fixed shapes that are tried for a lower bound.
_TRIED = 24


def _shapes_of(query: Query) -> tuple[tuple[int, ...], ...]:
    farthest = math.floor(query.squared)
    if query.dimension == 1:
        return ((math.isqrt(farthest),),)
    return shapes(farthest, query.dimension) if farthest <= ENUMERATED else extremes(farthest, query.dimension)


def _complete(query: Query) -> bool:
    """Whether `_shapes_of` has every shift that counts."""
    return query.dimension == 1 or math.floor(query.squared) <= ENUMERATED


def _parts(entries: tuple[Entry, ...], chosen: tuple[tuple[int, ...], ...]) -> tuple[Part, ...]:
    """The shifts of all coordinates; equal ones together."""
    counts: dict[tuple[int, Fraction], int] = {}
    for (query, s2), shape in zip(entries, chosen, strict=True):
        for shift in shape:
            counts[shift, s2] = counts.get((shift, s2), 0) + query.releases
    return tuple(Part(shift, s2, count) for (shift, s2), count in sorted(counts.items()))


def of_parts(parts: tuple[Part, ...], epsilon: Fraction) -> Bracket:
    """δ(ε) of a pair that is fixed: by the lattice, by tables of two narrow laws, or on a grid of losses. Raises `TooFine`."""
    lattice = Lattice.of(parts)
    bits = guess_bits(lattice.base, epsilon) + 48 + math.ceil(Fraction(3, 2) * min(epsilon, Fraction(10**4)))
    narrow = len(parts) == 2 and bits < 1 << 10 and all(sub_gaussian_reach(p.count * p.sigma_squared, bits) < _NARROW for p in parts)
    if not narrow:
        try:
            return bracket(lattice, epsilon)
        except (TooFine, ZeroDivisionError):
            pass
    if len(parts) == 1 or bits > 2048:
        raise TooFine
    if len(parts) == 2:
        try:
            return two(*parts, epsilon, bits)
        except TooFine:
            pass
    return several(parts, epsilon, bits)


def rho_of_all(entries: tuple[Entry, ...], pures: tuple[Pure, ...]) -> Fraction:
    """ρ of all releases; an ε-DP one is ε²/2-zCDP."""
    noise = sum((rho_of_noise(query, s2) for query, s2 in entries), Fraction(0))
    return noise + sum((pure.count * pure.epsilon**2 / 2 for pure in pures), Fraction(0))


def with_pure(entries: tuple[Entry, ...], pures: tuple[Pure, ...], epsilon: Fraction) -> Bracket:
    """`bounds` of these releases and of ε-DP ones. The lower bound is that of the former alone."""
    lower, upper = bounds(entries, epsilon) if entries else (Fraction(0), Fraction(0))
    if not pures:
        return lower, upper
    rho = rho_of_all(entries, pures)
    upper = Fraction(zcdp_delta(rho, epsilon))
    spent = sum((pure.count * pure.epsilon for pure in pures), Fraction(0))
    if spent <= epsilon:
        upper = min(upper, bounds(entries, epsilon - spent)[1] if entries else Fraction(0))
    choices = [_shapes_of(query) for query, _ in entries]
    simple = all(len(choice) == 1 and _complete(query) and query.clients == 1 for choice, (query, _) in zip(choices, entries, strict=True))
    if simple and upper:
        try:
            parts = _parts(entries, tuple(choice[0] for choice in choices))
            bits = min(guess_bits(rho, epsilon), 2048) + 48
            # Few different precisions, so that the composed losses serve several ε. The grid of ε-DP releases alone is the same.
            upper = min(upper, several(parts, epsilon, bits if parts else -(-bits // 64) * 64, pures)[1])
        except TooFine:
            pass
    return lower, upper


def with_sources(
    entries: tuple[Entry, ...], pures: tuple[Pure, ...], sources: tuple[Source, ...], epsilon: Fraction, enough: Fraction = Fraction(0)
) -> Bracket:
    """The same with subsampled, Skellam and Laplace releases. If there are vectors or clients too, the upper bound is that of ρ, or 1 for Skellam.

    `enough` is as for `of_sources`.
    """
    if not sources:
        return with_pure(entries, pures, epsilon)
    rho = rho_of_all(entries, pures) + sum((source.rho for source in sources), Fraction(0))
    upper = Fraction(1) if any(source.kind == "skellam" for source in sources) else Fraction(zcdp_delta(rho, epsilon))
    if any(query.dimension > 1 or query.clients > 1 for query, _ in entries):
        return bounds(entries, epsilon)[0], upper
    every = [*sources, *(Source("gaussian", s2, math.isqrt(math.floor(query.squared)), Fraction(1), query.releases) for query, s2 in entries)]
    responses = [Source("response", pure.epsilon, 1, Fraction(1), pure.count) for pure in pures]
    try:
        lower, tight = of_sources((*every, *responses), epsilon, enough)
        return of_sources(tuple(every), epsilon, enough)[0] if pures else lower, min(upper, tight)
    except TooFine:
        low, high = _amplified(sources[0], epsilon) if len(sources) == 1 and not entries and not pures else (Fraction(0), upper)
        return low, min(upper, high)


def inner_epsilon(epsilon: Fraction, rate: Fraction) -> tuple[Fraction, Fraction] | None:
    """ln(1 + (e^ε - 1)/rate) from below and above, in doubles; None beyond their range."""
    if not (Fraction(1, 1 << 1000) <= rate and epsilon < 600 and math.expm1(float(epsilon)) < 2.0**1020 * float(rate)):
        return None
    value = math.log1p(math.expm1(float(epsilon)) / float(rate)) if epsilon > Fraction(1, 1 << 1000) else 0.0
    return Fraction(value) * (1 - Fraction(1, 1 << 44)), Fraction(max(value, 2.0**-90)) * (1 + Fraction(1, 1 << 44))


def _amplified(source: Source, epsilon: Fraction) -> Bracket:
    """Samples whose noise no grid holds. With the record against without it, one release has exactly rate·δ(ε'), where e^ε' = 1 + (e^ε - 1)/rate,
    and this bounds the other direction too. Several have at most the sum of as many, each at its share of ε."""
    one, lower = Query(Fraction(source.shift**2), 1, 1), Fraction(0)
    inner, share = inner_epsilon(epsilon, source.rate), inner_epsilon(epsilon / source.count, source.rate)
    if source.kind != "gaussian" or inner is None or share is None:
        return lower, Fraction(1)
    upper = source.count * source.rate * bounds(((one, source.parameter),), share[0])[1]
    return source.rate * bounds(((one, source.parameter),), inner[1])[0], min(upper, Fraction(1))


def _of_clients(entries: tuple[Entry, ...], epsilon: Fraction) -> Bracket:
    """Bounds where the noise of some is a sum: its law is within e^(±r) of the discrete Gaussian with the summed σ²."""
    off = sum((query.releases * query.moved * ripple_of_sum(s2, query.clients) for query, s2 in entries if query.clients > 1), 0.0)
    if not off < 1e-3:
        return Fraction(0), Fraction(1)
    # Up to 16 significant bits, and not below 2^-400.
    unit = Fraction(2) ** max(math.frexp(off)[1] - 16, -400)
    r = math.ceil(Fraction(off) / unit) * unit
    plain = tuple((replace(query, clients=1), query.clients * s2) for query, s2 in entries)
    lower = bounds(plain, epsilon + 2 * r)[0] * (1 - r)
    # e^ε·(1 - e^(-2r)) <= 4r for the ε below 2r.
    upper = bounds(plain, epsilon - 2 * r)[1] if epsilon >= 2 * r else bounds(plain, epsilon)[1] + 4 * r
    return lower, min(upper * (1 + 2 * r), Fraction(1))


@lru_cache(maxsize=4096)
def bounds(entries: tuple[Entry, ...], epsilon: Fraction) -> Bracket:
    """Bounds of the least δ for which all releases together are (ε, δ)-DP, their queries and noise being fixed in advance.

    For one release of a vector, and for scalars, the bounds are close. For several of vectors the upper one also holds
    where earlier results choose each query.
    """
    lower, upper = Fraction(0), Fraction(zcdp_delta(rho_of_all(entries, ()), epsilon))
    if any(query.clients > 1 for query, _ in entries):
        lower, tight = _of_clients(entries, epsilon)
        return lower, min(upper, tight)
    choices = [_shapes_of(query) for query, _ in entries]
    if all(len(choice) == 1 for choice in choices) and all(_complete(query) for query, _ in entries):
        try:
            lower, tight = of_parts(_parts(entries, tuple(choice[0] for choice in choices)), epsilon)
            return lower, min(upper, tight)
        except TooFine:
            return max(of_one(entry, epsilon)[0] for entry in entries) if len(entries) > 1 else lower, upper
    if len(entries) == 1:
        return of_one(entries[0], epsilon)
    # The same place in each list, so that shapes of one kind come together.
    for place in range(min(max(len(choice) for choice in choices), _TRIED)):
        chosen = tuple(choice[min(place, len(choice) - 1)] for choice in choices)
        try:
            lower = max(lower, of_parts(_parts(entries, chosen), epsilon)[0])
        except TooFine:
            pass
    lower = max(lower, *(of_one(entry, epsilon)[0] for entry in entries))
    return min(lower, upper), upper


def of_one(entry: Entry, epsilon: Fraction) -> Bracket:
    """The same for one query, with its releases."""
    query, s2 = entry
    lower, upper = Fraction(0), Fraction(zcdp_delta(rho_of_noise(query, s2), epsilon))
    tight = Fraction(0)
    choices = _shapes_of(query)
    for shape in choices if query.releases == 1 else choices[:_TRIED]:
        try:
            low, high = of_parts(_parts((entry,), (shape,)), epsilon)
        except TooFine:
            low, high = Fraction(0), Fraction(1)
        lower, tight = max(lower, low), max(tight, high)
    if not _complete(query):
        tight = Fraction(1)
    elif query.releases > 1 and len(choices) > 1:
        try:
            bits = guess_bits(rho_of_noise(query, s2), epsilon)
            # Few different precisions, so that the composed pair serves several ε.
            tight = envelope(math.floor(query.squared), query.dimension, s2, query.releases, epsilon, -(-bits // 64) * 64 + 64)
        except TooFine:
            tight = Fraction(1)
    return lower, min(upper, tight)
