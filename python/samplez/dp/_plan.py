"""Releases that are fixed in advance, accounted together with bounds on both sides."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from samplez._html import grid
from samplez._numbers import Number, whole
from samplez._recipe import suggests
from samplez.dp._accounting import rounded_down, rounded_up
from samplez.dp._arguments import COUNT_WAYS, SKELLAM_MU, accounted, distance_of, nonnegative, positive, probability, query_of, rate_of, stated, without_sampling
from samplez.dp._compose import Entry, rho_of_all, with_sources
from samplez.dp._grid import Pure
from samplez.dp._sources import Source
from samplez.dp._zcdp import normal_epsilon

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The argument of a plan of noise that is not Gaussian.
_PARAMETERS = {"skellam": "variance", "laplace": "scale"}


class Bounds(NamedTuple):
    """An unknown number, between a lower and an upper bound."""

    lower: float
    upper: float


def outward(bracket: tuple[Fraction, Fraction]) -> Bounds:
    """The nearest doubles outside. An upper bound of 0 stays: it is exact, for ε-DP releases."""
    return Bounds(rounded_down(bracket[0]), rounded_up(bracket[1]) if bracket[1] else 0.0)


def _toward(x: Fraction, end: float) -> float:
    """The nearest double on the side of this end."""
    value = float(x)
    return value if value == x or (value > x) == (end > 0) else math.nextafter(value, end)


def _crossing(f: Callable[[Fraction], Fraction], goal: Fraction, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Two ε, within 2^-32 of the larger or 2^-64, with f(low) > goal >= f(high), for an f that falls: by secants.

    The heights are doubles, and choose where to look; the side is exact. √(-ln f) is nearly linear in ε if the loss is nearly normal.
    """

    def height(value: Fraction) -> float:
        # The logarithm of a fraction of any size.
        size = value.numerator.bit_length() - value.denominator.bit_length() if value else -(1 << 20)
        return math.sqrt(max(-(math.log(value / Fraction(2) ** size) if value else 0.0) - size * math.log(2), 0.0))

    aim = height(goal)
    left, right = (low, height(f(low)) - aim), (high, height(f(high)) - aim)
    last, tries = (left, right), 0
    while high - low > max(high / 2**32, Fraction(1, 2**64)):
        tries += 1
        (a, u), (b, v) = last
        x = float(a) - u * float(b - a) / (v - u) if u != v else math.inf
        # Bisection is sure, if the secants lead elsewhere or take long.
        if not low < x < high or tries > 12 and tries % 2:
            x = float(low + high) / 2
        # At least 2^-33 from each end, so that the bracket shrinks from both sides.
        edge = max(high / 2**33, Fraction(1, 2**65))
        middle = min(max(Fraction(x), low + edge), high - edge)
        value = f(middle)
        point = middle, height(value) - aim
        last = (last[1] if last[1][0] != middle else last[0]), point
        if value > goal:
            low, left = middle, point
        else:
            high, right = middle, point
    return low, high


class Plan:
    """Releases about the same people, fixed in advance. Plans add up.

    The arguments are those of `samplez.dp.delta`, for discrete Gaussian noise. The noise is `sigma_squared`, `sigma`, or the `rho` of one
    release. The sensitivity is 1 by default. `releases` is their number. The order of releases does not matter. `skellam`, `laplace` and
    `pure` build plans of other releases.

    With `clients`, the noise is the sum of so many parties' noise, each of this σ². All parties must add it.

    With `sampling_rate`, each release is of a Poisson sample: each record is included with this probability, independently for each release.
    Nobody may learn who is included. Neighbours differ by adding or removing a record. Values are scalars.

    The queries may depend on the results of earlier releases. The noise, the sensitivities and the number of releases may not: if they do,
    the plan's `rho` holds, and `samplez.dp.delta_of_rho`.

    Results are bounds. For scalars of equal sensitivity and noise they are within 10^-11 of each other, for σ² from
    1/10 on. Below, they may be wider. For other scalars this holds if the losses share a lattice that is not too fine.
    It also holds if there are two kinds of narrow noise. Elsewhere bounds are within about 0.5 %.

    For vectors with a squared sensitivity up to 32, the upper bound of equal releases covers shifts of any shape,
    chosen anew for each release. The lower bound is for one shape. In all other cases the upper bound is that of ρ.

    Subsampled releases are composed on a grid of losses. The bounds are within about 0.1 % of each other for up to a thousand releases, and
    within about 2 % for a hundred thousand, also at small sampling rates. For σ² below 1/10 they may be wider if ε is near a loss of single
    outputs. The first answer of a plan takes about half a second, longer for a δ below 10^-11; further ones take milliseconds.

    Close bounds of subsampled, Skellam and discrete Laplace releases require at most 2^17 = 131,072 releases of one kind. More are divided into
    blocks. The lower bound is then that of one block, and the upper one is by basic composition of all blocks, or by ρ. They may be far apart,
    and for many blocks the upper bound may be 1.

    >>> plan = Plan(sigma_squared=179, releases=10)
    >>> low, high = plan.delta(1)
    >>> low <= high <= low * (1 + 1e-9), high < 1e-6, plan.rho
    (True, True, Fraction(5, 179))
    >>> both = plan + Plan(sigma=30, sensitivity=2)
    >>> round(both.epsilon("1e-6").upper, 3)
    1.04
    >>> Plan(sigma_squared=4, sampling_rate="0.1").delta(1).upper < Plan(sigma_squared=4).delta(1).lower / 50
    True
    """

    __slots__ = ("_entries", "_pures", "_sources")
    _entries: tuple[Entry, ...]
    _pures: tuple[Pure, ...]
    _sources: tuple[Source, ...]

    @partial(suggests, sensitivity="l2_sensitivity", ways=COUNT_WAYS)
    def __init__(
        self,
        *,
        sigma_squared: Number | None = None,
        sensitivity: Number | None = None,
        sensitivity_squared: Number | None = None,
        sigma: Number | None = None,
        rho: Number | None = None,
        dimension: int = 1,
        releases: int = 1,
        clients: int = 1,
        sampling_rate: Number | None = None,
    ) -> None:
        default = 1 if sensitivity is None and sensitivity_squared is None else sensitivity
        query = query_of(default, sensitivity_squared, dimension, clients, releases)
        s2 = accounted(stated(sigma_squared, sigma, rho, query.squared))
        rate = rate_of(sampling_rate)
        self._entries, self._pures, self._sources = ((query, s2),), (), ()
        if rate < 1:
            without_sampling(query, sampling_rate)
            self._entries = ()
            self._sources = (Source("gaussian", s2, math.isqrt(math.floor(query.squared)), rate, query.releases),)

    @classmethod
    @partial(suggests, ways=COUNT_WAYS)
    def pure(cls, epsilon: Number, *, releases: int = 1) -> Plan:
        """Builds the plan of releases that are ε-DP each, such as those of `samplez.dp.discrete_laplace_mechanism`.

        The upper bound is the least δ that holds for all such mechanisms, within about 0.1 %. It covers those whose ε-DP releases are chosen by
        earlier results. The lower bound ignores these releases.

        >>> round(Plan.pure("0.1", releases=20).epsilon("1e-6").upper, 2)
        1.79
        """
        self = cls.__new__(cls)
        self._entries, self._pures = (), (Pure(positive("epsilon", epsilon), whole("releases", releases, 1, 2**40)),)
        self._sources = ()
        return self

    @classmethod
    @partial(suggests, sensitivity="l1_sensitivity", ways={**COUNT_WAYS, **dict.fromkeys(("epsilon", "eps"), "the scale is sensitivity/epsilon, or use Plan.pure")})
    def laplace(cls, *, scale: Number, sensitivity: Number = 1, releases: int = 1, sampling_rate: Number | None = None) -> Plan:
        """Builds the plan of integers plus discrete Laplace noise of this scale each. One is (sensitivity/scale)-DP.

        The bounds are those of this noise itself, on both sides, while `pure` is for every ε-DP mechanism. For releases of one kind without
        sampling they are within 10^-11 of each other, if the number of releases times the sensitivity is below 2^15. Otherwise they are as
        for subsampled releases. Vectors, whose sensitivity is in L1, are accounted by `pure`.

        >>> low, high = Plan.laplace(scale=10, sensitivity=3, releases=20).delta(2)
        >>> low <= high <= low * (1 + 1e-9), high < Plan.pure("0.3", releases=20).delta(2).upper
        (True, True)
        """
        return cls._of_source("laplace", positive("scale", scale), sensitivity, releases, sampling_rate)

    @classmethod
    @partial(suggests, sensitivity="linf_sensitivity", ways={**COUNT_WAYS, "mu": SKELLAM_MU})
    def skellam(cls, *, variance: Number, sensitivity: Number = 1, releases: int = 1, sampling_rate: Number | None = None) -> Plan:
        """Builds the plan of integers plus Skellam noise of this variance each: the difference of two Poisson variables, each of half the variance.

        The sum of n parties' noise is Skellam noise too, of n times the variance. So this plan with that variance accounts for the sum, with no
        distance. `samplez.dp.skellam_mechanism` draws this noise. There is no `rho`. Bounds are as for subsampled releases. For one release they are within
        10^-11 of each other while σ is at most 2000. For much larger σ and for vectors they are 0 and 1.

        >>> low, high = Plan.skellam(variance=100, sensitivity=3).delta("0.5")
        >>> low <= high <= low * (1 + 1e-9), round(high / Plan(sigma=10, sensitivity=3).delta("0.5").upper, 2)
        (True, 0.99)
        """
        return cls._of_source("skellam", positive("variance", variance), sensitivity, releases, sampling_rate)

    @classmethod
    def _of_source(cls, kind: str, parameter: Fraction, sensitivity: Number, releases: int, sampling_rate: Number | None) -> Plan:
        value = distance_of("sensitivity", sensitivity)
        self = cls.__new__(cls)
        self._entries, self._pures = (), ()
        self._sources = (Source(kind, parameter, math.floor(value), rate_of(sampling_rate), whole("releases", releases, 1, 2**40)),)
        return self

    def _bounds(self, epsilon: Fraction, enough: Fraction = Fraction(0)) -> tuple[Fraction, Fraction]:
        """Bounds of δ(ε). An upper bound up to `enough` may be wide."""
        return with_sources(self._entries, self._pures, self._sources, epsilon, enough)

    def __add__(self, other: object) -> Plan:
        if not isinstance(other, Plan):
            return NotImplemented
        counts: dict[Entry, int] = {}
        for query, s2 in (*self._entries, *other._entries):
            key = replace(query, releases=1), s2
            counts[key] = counts.get(key, 0) + query.releases
        result = Plan.__new__(Plan)
        result._entries = tuple(
            sorted(
                ((replace(query, releases=count), s2) for (query, s2), count in counts.items()),
                key=lambda entry: (entry[1], entry[0].squared, entry[0].dimension, entry[0].clients),
            )
        )
        pures: dict[Fraction, int] = {}
        for pure in (*self._pures, *other._pures):
            pures[pure.epsilon] = pures.get(pure.epsilon, 0) + pure.count
        result._pures = tuple(Pure(e, count) for e, count in sorted(pures.items()))
        sources: dict[Source, int] = {}
        for source in (*self._sources, *other._sources):
            one = replace(source, count=1)
            sources[one] = sources.get(one, 0) + source.count
        every = (replace(one, count=count) for one, count in sources.items())
        result._sources = tuple(sorted(every, key=lambda source: (source.kind, source.parameter, source.shift, source.rate)))
        return result

    @property
    def rho(self) -> Fraction:
        """All releases together are ρ-zCDP. Sampling is ignored. Raises `ValueError` for a plan with Skellam noise, for which no ρ was derived."""
        if any(source.kind == "skellam" for source in self._sources):
            raise ValueError("Plan.rho: not available for Skellam noise; use delta or epsilon")
        return self._guess()

    def _guess(self) -> Fraction:
        return rho_of_all(self._entries, self._pures) + sum((source.rho for source in self._sources), Fraction(0))

    def _worst(self) -> Fraction | None:
        """The sum of all ε, which is an upper bound, if every release is ε-DP."""
        if self._entries or not all(source.is_pure for source in self._sources):
            return None
        return sum((pure.count * pure.epsilon for pure in self._pures), Fraction(0)) + sum((source.worst for source in self._sources), Fraction(0))

    @partial(suggests, ways={"delta": "Plan.epsilon takes delta"})
    def delta(self, epsilon: Number) -> Bounds:
        """Returns bounds of the least δ for which all releases together are (ε, δ)-DP."""
        return outward(self._bounds(nonnegative("epsilon", epsilon)))

    @partial(suggests, ways=dict.fromkeys(("epsilon", "eps"), "Plan.delta takes epsilon"))
    def epsilon(self, delta: Number) -> Bounds:
        """Returns bounds of the least ε for which all releases together are (ε, δ)-DP.

        The upper bound is at most the sum of all ε, if every release is ε-DP. The distance of the bounds depends on the bounds of δ. It is at least 2^-30 of the upper bound, or 2^-64. The search tries many ε, and composes
        subsampled releases once for all of them. So the first call takes about as long as a call of `delta`. A `delta` below 10^-11 takes longer.
        """
        d = probability("delta", delta)
        if d < Fraction(1, 2**1000):
            raise ValueError(f"delta = {delta}: expected at least 2^-1000")
        low, high = Fraction(0), self._first(d)
        while high > 2**300 or self._bounds(high, d)[1] > d:
            if high > 2**200:
                raise ValueError(f"delta = {delta}: expected a delta that an epsilon below 2^200 gives; give a larger one")
            low, high = high, 2 * high
        if not low:
            low = high * Fraction(7, 8)
            if self._bounds(low, d)[1] <= d:
                low, high = Fraction(0), low
                if self._bounds(low, d)[1] <= d:
                    return Bounds(0.0, 0.0)
        upper = _crossing(lambda e: self._bounds(e, d)[1], d, low, high)[1]
        lower, near = Fraction(0), upper * (1 - Fraction(1, 2**30))
        if self._bounds(near, d)[0] > d:
            return Bounds(_toward(near, 0.0), _toward(upper, math.inf))
        for start in (low, Fraction(0)):
            if self._bounds(start, d)[0] > d:
                lower = _crossing(lambda e: self._bounds(e, d)[0], d, start, upper)[0]
                break
        return Bounds(_toward(lower, 0.0), _toward(upper, math.inf))

    @suggests
    def plot(self, delta: Number | None = None, ax: Axes | None = None) -> Axes:
        """Draws both bounds of δ against ε, from δ = 10^-11 on. With a `delta`, the bounds of ε at it against the noise, from a quarter to four times this
        plan's. A lower bound of 0 is not drawn on the logarithmic axis. Needs Matplotlib, whose `savefig` writes the picture, for example as SVG.

        Discrete Gaussian and Skellam noise is scaled by its σ, and the ε of `Plan.pure` is divided.
        """
        from samplez._plot import bounds_plot

        if delta is None:
            last = self.epsilon("1e-10").upper or 1.0
            xs = [last * i / 64 for i in range(65)]
            found = [self.delta(x) for x in xs]
            low, high = (list(end) for end in zip(*found, strict=True))
            axes = bounds_plot(xs, low, high, ("ε", "δ"), "y", ax)
            axes.set_ylim(bottom=1e-11, auto=None)
            return axes
        factors = [Fraction(round(2 ** (i / 2) * 64), 64) for i in range(-4, 5)]
        found = [self._scaled(factor).epsilon(delta) for factor in factors]
        low, high = ([float(x) for x in end] for end in zip(*found, strict=True))
        return bounds_plot([float(x) for x in factors], low, high, ("noise, as a multiple of the plan's", f"ε at δ = {float(probability('delta', delta)):g}"), "xy", ax)

    def _scaled(self, factor: Fraction) -> Plan:
        """The plan with so many times the noise."""
        result = Plan.__new__(Plan)
        result._entries = tuple((query, accounted(s2 * factor**2)) for query, s2 in self._entries)
        result._pures = tuple(replace(pure, epsilon=pure.epsilon / factor) for pure in self._pures)
        result._sources = tuple(
            replace(source, parameter=accounted(source.parameter * factor**2) if source.kind == "gaussian" else source.parameter * factor ** (1 if source.kind == "laplace" else 2))
            for source in self._sources
        )
        return result

    def _first(self, delta: Fraction) -> Fraction:
        """An ε above 0, a little above the one that normal losses have. No result depends on it."""
        rho = float(min(rho_of_all(self._entries, self._pures), Fraction(10**300))) + sum(source.normal for source in self._sources)
        epsilon = normal_epsilon(rho, float(delta)) * 1.03
        return min(max(Fraction(min(epsilon, 2.0**400)), Fraction(1, 2**60)), self._worst() or Fraction(2**400))

    def __repr__(self) -> str:
        said = []
        for query, s2 in self._entries:
            more = "".join(f", {name}={value}" for name, value in (("dimension", query.dimension), ("releases", query.releases), ("clients", query.clients)) if value != 1)
            said.append(f"Plan(sigma_squared={str(s2)!r}, sensitivity_squared={str(query.squared)!r}{more})")
        said += [f"Plan.pure({str(pure.epsilon)!r}" + (f", releases={pure.count})" if pure.count != 1 else ")") for pure in self._pures]
        for source in self._sources:
            more = "".join(f", {name}={value!r}" for name, value, default in (
                ("releases", source.count, 1), ("sampling_rate", str(source.rate), "1")) if value != default)
            head = f"Plan(sigma_squared={str(source.parameter)!r}" if source.kind == "gaussian" else f"Plan.{source.kind}({_PARAMETERS[source.kind]}={str(source.parameter)!r}"
            said.append(f"{head}, sensitivity={source.shift}{more})")
        return " + ".join(said)

    def _repr_html_(self) -> str:
        has_rho = all(source.kind != "skellam" for source in self._sources)
        return grid(("releases",), [(part,) for part in repr(self).split(" + ")], f"{self.rho}-zCDP together" if has_rho else "together")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self._entries, self._pures, self._sources
