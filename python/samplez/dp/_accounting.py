"""Privacy of discrete Gaussian noise, and noise for a guarantee. Proofs: docs/proofs/differential-privacy.md and accountant.md.

Parameters are fractions. Every rounding is to the safe side: ρ, ε, δ and σ² are upper bounds.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial

from samplez import _samplez
from samplez._big import BigGaussian
from samplez._gaussian import DiscreteGaussian
from samplez._numbers import Number, flag, given_too, only_one, shown
from samplez._recipe import suggests
from samplez.dp._arguments import Query, accounted, guarantee, nonnegative, positive, probability, query_of, rate_of, representable, root, stated, without_sampling
from samplez.dp._compose import bounds, inner_epsilon
from samplez.dp._lattice import TooFine
from samplez.dp._least import LEAST_DELTA, WIDEST, Release, short
from samplez.dp._shapes import ENUMERATED, groups, shift_of_one
from samplez.dp._sources import Source, of_sources
from samplez.dp._zcdp import LARGE, TINY, OutOfReach, least, rho_of_noise, ripple, zcdp_delta

# A tail's relative error is below 2^-53; the doubles around it err by less than 2^-42.
_SLACK = 2.0**-41
_MOST = 2**63 - 1
# The search for sampled noise: cells of the grid, the relative distance of its ends, and the least σ².
_SEARCH_CELLS = 1 << 9
_CLOSE = 2.0**-8
_LEAST_SAMPLED = Fraction(1, 1 << 10)
# The least δ for which noise of samples is searched on grids: each halving of δ makes them longer.
_LEAST_SAMPLED_DELTA = Fraction(1, 1 << 100)


def _query(
    sensitivity: Number | None, sensitivity_squared: Number | None, dimension: int, clients: int, releases: int = 1
) -> Query:
    """The query, of sensitivity 1 by default."""
    default = 1 if sensitivity is None and sensitivity_squared is None else sensitivity
    return query_of(default, sensitivity_squared, dimension, clients, releases)


@partial(suggests, sensitivity="l2_sensitivity")
def rho(
    *,
    sigma_squared: Number | None = None,
    sensitivity: Number | None = None,
    sensitivity_squared: Number | None = None,
    sigma: Number | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    dimension: int = 1,
    clients: int = 1,
    releases: int = 1,
) -> Fraction:
    """Returns ρ = kΔ²/(2σ²): k `releases` of integers plus noise of this σ² are ρ-zCDP [CKS20].

    Δ is the L2 sensitivity, 1 by default. With `clients`, the guarantee is for the sum of n values, each with noise of
    this σ². It is kΔ²/(2nσ²), plus a term that is tiny where σ is 2 or more. Δ then is the sensitivity of the sum, of
    `dimension` integers.

    With `epsilon` and `delta` in place of noise and query, returns a ρ for which every ρ-zCDP mechanism is (ε, δ)-DP: the largest by
    `delta_of_rho`, within 2^-20 of itself.

    >>> rho(sigma_squared="12.5", sensitivity=5), rho(sigma_squared=4, sensitivity_squared=2), rho(sigma=3, releases=9)
    (Fraction(1, 1), Fraction(1, 4), Fraction(1, 2))
    >>> float(rho(sigma_squared=10, sensitivity_squared=2, dimension=100, clients=50))
    0.002
    >>> delta_of_rho(rho(epsilon=1, delta="1e-6"), epsilon=1) <= 1e-6
    True
    """
    if epsilon is not None or delta is not None:
        noise = {"sigma_squared": sigma_squared, "sensitivity": sensitivity, "sensitivity_squared": sensitivity_squared, "sigma": sigma}
        counts = {"dimension": dimension, "clients": clients, "releases": releases}
        for name, value in (*noise.items(), *counts.items()):
            if value is not None and (name in noise or value != 1):
                raise given_too(name, value, "epsilon" if epsilon is not None else "delta", "pass epsilon and delta alone, or the noise")
        _, e, d = guarantee(None, epsilon, delta)
        assert e is not None and d is not None
        return largest_rho(e, d)
    query = _query(sensitivity, sensitivity_squared, dimension, clients, releases)
    only_one("noise", {"sigma_squared": sigma_squared, "sigma": sigma})
    return rho_of_noise(query, stated(sigma_squared, sigma, None, query.squared))


@suggests
def delta_of_rho(rho: Number, *, epsilon: Number) -> float:
    """Returns a δ for which every ρ-zCDP mechanism is (ε, δ)-DP, rounded up.

    It is the least over a grid of orders α of exp((α-1)(αρ-ε)) (1-1/α)^α / (α-1) [CKS20, Corollary 13].

    >>> delta_of_rho("0.05", epsilon=1) < 0.005
    True
    """
    return zcdp_delta(positive("rho", rho), nonnegative("epsilon", epsilon))


@suggests
def epsilon_of_rho(rho: Number, *, delta: Number) -> Fraction:
    """Returns an ε for which every ρ-zCDP mechanism is (ε, δ)-DP: the least by `delta_of_rho`, within 2^-20 of itself.

    >>> round(float(epsilon_of_rho("0.1", delta="1e-6")), 3)
    2.142
    """
    return _epsilon_of_rho(positive("rho", rho), probability("delta", delta))


@lru_cache(maxsize=1024)
def _epsilon_of_rho(rho: Fraction, delta: Fraction) -> Fraction:
    guess = float(min(rho, LARGE))
    guess += 2 * math.sqrt(guess * -math.log(max(float(delta), TINY)))
    return least("delta", delta, lambda e: zcdp_delta(rho, e) <= delta, guess=guess, from_zero=True)


@lru_cache(maxsize=1024)
def largest_rho(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Returns the largest ρ by `delta_of_rho` for which every ρ-zCDP mechanism is (ε, δ)-DP, within 2^-20 of itself."""
    guess = 1 / _rho_guess(epsilon, delta)
    return 1 / least("delta", delta, lambda inverse: zcdp_delta(1 / inverse, epsilon) <= delta, guess=guess)


def _rho_guess(epsilon: Fraction, delta: Fraction) -> float:
    """Returns about `largest_rho`: the ρ with ε = ρ + 2·sqrt(ρ ln(1/δ)), from 10^-160 up."""
    log, e = -math.log(max(float(delta), TINY)), float(min(epsilon, LARGE))
    half = e / (math.sqrt(log + e) + math.sqrt(log))
    return max(half, 1e-80) ** 2


# Approximate privacy.


@partial(suggests, sensitivity="l2_sensitivity")
def delta(
    epsilon: Number,
    *,
    sigma_squared: Number | None = None,
    sensitivity: Number | None = None,
    sensitivity_squared: Number | None = None,
    sigma: Number | None = None,
    rho: Number | None = None,
    dimension: int = 1,
    clients: int = 1,
    releases: int = 1,
) -> float:
    """Returns a δ for which `releases` of integers plus this noise are (ε, δ)-DP together, rounded up.

    The noise is given as `sigma_squared`, as `sigma`, or as `rho` = Δ²/(2σ²) of one release. A σ² that no sampler
    represents is rounded up first, by less than 2^-30, and is accounted for as rounded. Below 2^-33 it is not rounded.
    Δ is the sensitivity, 1 by default.

    For integers of sensitivity Δ the result is the least δ, except for rounding. So it is for one release of
    `dimension` integers with a squared sensitivity up to 32. `samplez.dp.Plan` has a lower bound beside it, and the
    other cases.

    >>> round(delta(1, sigma_squared=10), 6), round(delta(1, sigma_squared=179, releases=10), 9)
    (0.000115, 9.69e-07)
    >>> round(delta(1, sigma_squared=10, sensitivity_squared=2, dimension=100), 4), round(delta_of_rho("0.1", epsilon=1), 4)
    (0.0031, 0.0089)
    """
    query = _query(sensitivity, sensitivity_squared, dimension, clients, releases)
    return delta_of_noise(query, nonnegative("epsilon", epsilon), accounted(stated(sigma_squared, sigma, rho, query.squared)))


@lru_cache(maxsize=4096)
def delta_of_noise(query: Query, epsilon: Fraction, sigma_squared: Fraction) -> float:
    """`delta`."""
    farthest = math.floor(query.squared)
    if query.clients > 1:
        return rounded_up(bounds(((query, sigma_squared),), epsilon)[1])
    tabled = query.releases == 1 and sigma_squared.numerator * farthest < _MOST and sigma_squared.denominator < _MOST
    step = shift_of_one(farthest, query.dimension)
    if tabled and step is not None:
        return _delta_of_shift(epsilon, sigma_squared, step * step, step, 0.0)
    if tabled and farthest <= ENUMERATED:
        return _delta_of_vector(query, epsilon, sigma_squared)
    return rounded_up(bounds(((query, sigma_squared),), epsilon)[1])


def _delta_of_vector(query: Query, epsilon: Fraction, sigma_squared: Fraction) -> float:
    """The same for one release of a vector, in doubles."""
    bound = zcdp_delta(rho_of_noise(query, sigma_squared), epsilon)
    worst = 0.0
    for (square, divisor), shapes in groups(math.floor(query.squared), query.moved).items():
        off = max(sum(ripple(float(min(sigma_squared, LARGE)) * part) for part in parts) for parts in shapes)
        if off > 2.0**-30:
            return min(bound, rounded_up(bounds(((query, sigma_squared),), epsilon)[1]))
        worst = max(worst, _delta_of_shift(epsilon, sigma_squared, square, divisor, off))
    return min(bound, worst)


def _delta_of_shift(epsilon: Fraction, sigma_squared: Fraction, square: int, divisor: int, ripple: float) -> float:
    """Returns δ for the shift v of |v|² = `square` and gcd `divisor`. It is P[⟨v, Y⟩ > εσ² - |v|²/2] - e^ε P[⟨v, Y⟩ >
    εσ² + |v|²/2]. Within the factor exp(±`ripple`), ⟨v, Y⟩/gcd has the law of σ²·|v|²/gcd².
    """
    law = _law(sigma_squared * square / divisor**2)
    near_from, far_from = (
        math.floor((epsilon * sigma_squared + half) / divisor) + 1 for half in (Fraction(-square, 2), Fraction(square, 2))
    )
    # Beyond 64 bits, and where doubles lose their precision, each tail is taken as the worse. exp(r) <= 1 + 2r for r <= 1/2.
    near = law.mass(min(near_from, _MOST), _MOST) if near_from >= -_MOST else 1.0
    far = law.mass(far_from, _MOST) if far_from <= _MOST else 0.0
    near = max(near, TINY) * (1 + _SLACK) * (1 + 2 * ripple)
    far = (far if far >= TINY else 0.0) * (1 - _SLACK) * (1 - ripple)
    return min(1.0, max(TINY, near - math.exp(float(min(epsilon, Fraction(700)))) * (1 - 2.0**-42) * far))


def rounded_up(x: Fraction) -> float:
    """The nearest double from above, and 2^-1000 for less."""
    value = float(x)
    return min(1.0, max(TINY, value if value >= x else math.nextafter(value, math.inf)))


def rounded_down(x: Fraction) -> float:
    """The nearest double from below, and 0 for less than 2^-1000."""
    value = float(x)
    value = value if value <= x else math.nextafter(value, 0.0)
    return value if value >= TINY else 0.0


@partial(suggests, sensitivity="l2_sensitivity")
def epsilon(
    delta: Number,
    *,
    sigma_squared: Number | None = None,
    sensitivity: Number | None = None,
    sensitivity_squared: Number | None = None,
    sigma: Number | None = None,
    rho: Number | None = None,
    dimension: int = 1,
    clients: int = 1,
    releases: int = 1,
) -> Fraction:
    """Returns an ε for which `releases` of integers plus this noise are (ε, δ)-DP together.

    It is the least by `samplez.dp.delta`, within 2^-20 of itself. The noise is given as there.

    >>> round(float(epsilon("1e-6", sigma=5)), 3)
    0.835
    """
    query = _query(sensitivity, sensitivity_squared, dimension, clients, releases)
    return epsilon_of_noise(query, probability("delta", delta), accounted(stated(sigma_squared, sigma, rho, query.squared)))


@lru_cache(maxsize=1024)
def epsilon_of_noise(query: Query, delta: Fraction, sigma_squared: Fraction) -> Fraction:
    """`epsilon`."""
    guess = _epsilon_of_rho(rho_of_noise(query, sigma_squared), delta)
    start = float(guess) * 0.9 if query.clients == 1 else float(guess)
    return least("delta", delta, lambda e: delta_of_noise(query, e, sigma_squared) <= delta, guess=start, from_zero=True)


# Calibration.


@partial(suggests, sensitivity="l2_sensitivity")
def sigma_squared(
    sensitivity: Number | None = None,
    *,
    sensitivity_squared: Number | None = None,
    rho: Number | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    dimension: int = 1,
    clients: int = 1,
    releases: int = 1,
    sampling_rate: Number | None = None,
    least: bool = False,
) -> Fraction:
    """Returns a σ² of noise that gives a guarantee to `releases` of `dimension` integers of this L2 sensitivity (default 1).

    With `rho`: kΔ²/(2ρ) for k releases, rounded up where no sampler represents it. With `epsilon` and `delta`, the result is a σ² for which
    `samplez.dp.delta` is at most the one given, and for ε up to 600 that of (1 - 2^-18) σ² is not. More noise can have a larger δ. For one
    release of one integer with σ up to 4, ε up to 700 and δ from 2^-900 on, every larger σ² is enough too, so you may round the result up.
    Otherwise check a rounded one with `samplez.dp.delta` or `Plan.delta`.

    With `least=True`, the result is within 2^-18, mostly within 2^-30, of the least σ² that is enough, but a larger one may not be. This option requires one
    release of one integer with σ up to 4, and ε + ln(1/δ) up to about 640. For ε from 5 on, the result may be a fifth of the default's.

    With `clients`, the result is the noise of each of n parties, whose sum has the guarantee. Results are cached.

    With `sampling_rate`, each release is of a Poisson sample, as for `samplez.dp.Plan`, and the guarantee is `epsilon` and `delta`. The
    accounting is that of `Plan` on a coarser grid, and rejects a σ² within 2^-8 below the result. The search takes less than a
    second for δ down to 1e-10, and seconds down to 2^-100. For a smaller δ, or if σ is above about 2000, the result comes at once. It is enough,
    and close only for one release.

    >>> sigma_squared(1, rho="0.5")
    Fraction(1, 1)
    >>> s2 = sigma_squared(epsilon=1, delta="1e-6", releases=10)
    >>> samplez.dp.delta(1, sigma_squared=s2, releases=10) <= 1e-6, round(s2)
    (True, 178)
    >>> [round(float(sigma_squared(epsilon="12.5", delta="1e-5", least=least)), 3) for least in (False, True)]
    [0.193, 0.04]
    >>> sampled = sigma_squared(epsilon=1, delta="1e-6", releases=10, sampling_rate="0.1")
    >>> samplez.dp.Plan(sigma_squared=sampled, releases=10, sampling_rate="0.1").delta(1).upper <= 1e-6, sampled < s2 / 20
    (True, True)
    """
    query = _query(sensitivity, sensitivity_squared, dimension, clients, releases)
    promise = guarantee(rho, epsilon, delta)
    rate = rate_of(sampling_rate)
    flag("least", least)
    if least:
        return _least_noise(query, rate, promise)
    if rate < 1:
        without_sampling(query, sampling_rate)
        if rho is not None:
            raise ValueError(f"sampling_rate = {shown(sampling_rate)}: expected a guarantee as epsilon and delta, because rho ignores sampling; leave sampling_rate out")
        _, wanted, most = promise
        assert wanted is not None and most is not None
        try:
            return _noise_of_samples(query, rate, wanted, most) if most >= _LEAST_SAMPLED_DELTA else _enough_for_samples(query, rate, wanted, most)
        except TooFine:
            try:
                return _enough_for_samples(query, rate, wanted, most)
            except OutOfReach:
                return noise_of(query, promise, sensitivity, sensitivity_squared)
    return noise_of(query, promise, sensitivity, sensitivity_squared)


def noise_of(
    query: Query,
    promise: tuple[Fraction | None, Fraction | None, Fraction | None],
    sensitivity: object,
    sensitivity_squared: object,
) -> Fraction:
    """`noise_for` the guarantee. The error names the argument that is out of reach, as it was given."""
    rho, epsilon, delta = promise
    try:
        return noise_for(query, rho, epsilon, delta)
    except OutOfReach:
        pass
    given = f"rho = {shown(rho)}" if delta is None else f"delta = {shown(delta)}"
    try:
        noise_for(replace(query, squared=Fraction(1)), rho, epsilon, delta)
    except OutOfReach:
        raise ValueError(f"{given}: expected a guarantee that noise or an epsilon up to 2^200 gives; give a larger one") from None
    # The least sensitivity is 1, which is also the default: so one was given.
    name, value = ("sensitivity", sensitivity) if sensitivity_squared is None else ("sensitivity_squared", sensitivity_squared)
    wanted = given if delta is None else f"epsilon = {shown(epsilon)} and {given}"
    raise ValueError(f"{name} = {shown(value)}: expected one for which noise with sigma_squared up to 2^200 gives {wanted}; give a smaller one, or a weaker guarantee")


@lru_cache(maxsize=1024)
def noise_for(query: Query, rho: Fraction | None, epsilon: Fraction | None, delta: Fraction | None) -> Fraction:
    """σ² for a guarantee as `guarantee` gives it."""
    if rho is not None:
        exact = representable(query.releases * query.squared / (2 * rho))
        if query.clients == 1:
            return exact
        guess = float(min(exact / query.clients, LARGE))
        return representable(least("rho", rho, lambda s2: rho_of_noise(query, representable(s2)) <= rho, guess=guess))
    assert epsilon is not None and delta is not None
    release = _release(query, epsilon, delta)
    if release is not None:
        return release[0].from_above(release[1])
    whole = query.releases * query.squared / query.clients
    guess = float(min(whole, LARGE)) / (2 * _rho_guess(epsilon, delta))
    if query.clients == 1 and whole < LARGE:
        guess = _normal_guess(float(min(epsilon, LARGE)), float(delta), float(whole), guess)
    found = least("delta", delta, lambda s2: delta_of_noise(query, epsilon, representable(s2)) <= delta, guess=guess)
    return representable(found)


def _least_noise(query: Query, rate: Fraction, promise: tuple[Fraction | None, Fraction | None, Fraction | None]) -> Fraction:
    """`sigma_squared` with `least`."""
    _, epsilon, delta = promise
    release = None if epsilon is None or delta is None or rate < 1 else _release(query, epsilon, delta)
    found = None if release is None else release[0].from_below(release[0].from_above(release[1]))
    if found is None:
        raise ValueError(
            "least = True: expected epsilon up to 700 and a delta below 1/4 that doubles resolve, for one release of one integer with noise of sigma"
            " up to 4, without sampling; leave least out"
        )
    return found


def _release(query: Query, epsilon: Fraction, delta: Fraction) -> tuple[Release, Fraction] | None:
    """One release of an integer, and a σ² from which every larger one gives the goal. None for other queries, and for wide noise."""
    shift = shift_of_one(math.floor(query.squared), query.dimension)
    if shift is None or query.releases > 1 or query.clients > 1 or epsilon > 700 or delta < LEAST_DELTA:
        return None
    enough = short(Fraction(shift * shift / (2 * _rho_guess(epsilon, delta))))
    while enough <= WIDEST and zcdp_delta(shift * shift / (2 * enough), epsilon) > delta:
        enough = short(enough * Fraction(9, 8))
    # δ(ε) <= δ(0), which is the mass of as many integers as the shift, and each has at most 1/(σ√(2π)).
    enough = min(enough, short(shift * shift / (Fraction(6283, 1000) * delta * delta)))
    return (Release(epsilon, delta, shift), enough) if enough <= WIDEST else None


@lru_cache(maxsize=256)
def _enough_for_samples(query: Query, rate: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    """A sufficient σ² of Poisson samples without a search on grids: that of ρ, or for each release its share of ε and δ. Raises `OutOfReach`."""
    found = representable(query.releases * query.squared / (2 * largest_rho(epsilon, delta)))
    inner, share = inner_epsilon(epsilon / query.releases, rate), delta / (query.releases * rate)
    if inner is None or not inner[0]:
        return found
    try:
        each = _LEAST_SAMPLED if share >= 1 else noise_for(replace(query, releases=1), None, inner[0], share)
    except OutOfReach:
        return found
    return min(found, each)


@lru_cache(maxsize=256)
def _noise_of_samples(query: Query, rate: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    """`sigma_squared` of Poisson samples: by false position on ln δ over ln σ², each δ an upper bound on a grid of few cells.

    σ² is a number of 12 bits. The doubles only choose where to look. Raises `TooFine` for noise that no grid holds.
    """
    shift = math.isqrt(math.floor(query.squared))

    def number(x: float) -> Fraction:
        mantissa, exponent = math.frexp(math.exp(x))
        return Fraction(math.ceil(math.ldexp(mantissa, 12))) * Fraction(2) ** (exponent - 12)

    @lru_cache(maxsize=None)
    def excess(s2: Fraction) -> float:
        """ln(δ/goal), above 0 where σ² is not enough."""
        bound = of_sources((Source("gaussian", s2, shift, rate, query.releases),), epsilon, delta, _SEARCH_CELLS)[1]
        high = math.log(max(float(bound / delta), TINY))
        return max(high, 2.0**-40) if bound > delta else min(high, 0.0)

    # The central limit theorem: the releases are about as private as one with noise of σ = 1/μ, μ² = kγ²(exp(Δ²/σ²) - 1).
    wide = _normal_guess(float(min(epsilon, LARGE)), float(delta), 1.0, min(1 / (2 * _rho_guess(epsilon, delta)), float(LARGE)))
    x = math.log(float(query.squared) / math.log1p(1 / max(wide * query.releases * float(rate) ** 2, 1e-30)))
    short: tuple[float, float] | None = None
    long: tuple[float, float] | None = None
    half, slope, turn = 0.45 * _CLOSE, -math.log(max(float(delta), TINY)), 0
    while short is None or long is None or number(long[0]) > number(short[0]) * Fraction(1 + _CLOSE):
        value = excess(number(x))
        if value > 0:
            short = x, value
        else:
            long = x, value
        if long is None:
            x += 1.1 * value / slope + half
        elif short is None:
            if number(long[0]) <= _LEAST_SAMPLED:
                break
            x -= min(1.0, -1.1 * value / slope + half)
        else:
            # Both sides of the crossing of the chord, and each third time the middle.
            turn += 1
            middle = short[0] + (long[0] - short[0]) * short[1] / (short[1] - long[1])
            x = middle + half if middle + half < long[0] - half / 4 else middle - half
            if turn % 3 == 0 or not short[0] < x < long[0]:
                x = (short[0] + long[0]) / 2
    return number(long[0])


def _normal_guess(epsilon: float, delta: float, whole: float, most: float) -> float:
    """The σ² of continuous noise, near enough to begin a search: its δ falls in σ²."""
    low, high = most / 64, most * 4
    if delta < 1e-290 or not 1e-300 < low < high < 1e300 or not 1e-300 < whole < 1e300:
        return most
    for _ in range(60):
        middle = math.sqrt(low) * math.sqrt(high)
        mu = math.sqrt(whole / middle)
        x, y = (epsilon / mu - mu / 2) / math.sqrt(2), (epsilon / mu + mu / 2) / math.sqrt(2)
        value = math.erfc(x) / 2 - math.exp(min(epsilon, 700)) * math.erfc(y) / 2
        low, high = (low, middle) if value <= delta else (middle, high)
    return high


def noise_with(sigma_squared: Fraction) -> DiscreteGaussian | BigGaussian:
    """The library's default sampler for a σ² as `representable` gives it. It is exact, or this raises `ValueError`: no distance is accounted."""
    if sigma_squared.numerator < 2**63 and sigma_squared.denominator < 2**64:
        return DiscreteGaussian(sigma_squared=sigma_squared, exact=True)
    sigma = root(sigma_squared)
    if sigma is None:
        raise ValueError(f"sigma_squared = {sigma_squared}: expected at most 63 bits, or the square of an integer")
    return DiscreteGaussian(sigma=sigma, exact=True) if sigma <= 2**57 else BigGaussian(sigma=sigma)


@lru_cache(maxsize=256)
def _law(sigma_squared: Fraction) -> _samplez.Sampler:
    """The probabilities of D_{Z,σ}, for any sampler."""
    return DiscreteGaussian(sigma_squared=sigma_squared, constant_time=True, exact=False)._sampler
