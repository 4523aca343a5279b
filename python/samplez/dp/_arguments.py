"""The arguments of accounting: queries, guarantees and widths."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from samplez._numbers import exact_fraction, given_too, only_one, shown, whole, wrong


def positive(name: str, value: object) -> Fraction:
    """A number above 0."""
    number = exact_fraction(name, value)
    if number <= 0:
        raise wrong(name, value, "a number above 0")
    return number


def nonnegative(name: str, value: object) -> Fraction:
    """A number from 0 up."""
    number = exact_fraction(name, value)
    if number < 0:
        raise wrong(name, value, "a number from 0 on")
    return number


def probability(name: str, value: object) -> Fraction:
    """A number between 0 and 1, both excluded."""
    number = positive(name, value)
    if number >= 1:
        raise wrong(name, value, "a number above 0 and below 1")
    return number


def distance_of(name: str, value: object) -> Fraction:
    """A sensitivity, or its square: at least 1."""
    number = positive(name, value)
    if number < 1:
        raise wrong(name, value, "at least 1, because different integers differ by at least 1")
    return number


@dataclass(frozen=True)
class Query:
    """An integer query: how far apart its values on neighbours may be."""

    squared: Fraction
    """The square of the L2 sensitivity."""
    dimension: int
    clients: int
    """Of the sum of so many parties' values, each with noise of its own."""
    releases: int = 1
    """Independent releases with noise of one width."""

    @property
    def moved(self) -> int:
        """How many coordinates may differ: each that does adds 1 to the squared distance, at least."""
        return min(self.dimension, math.floor(self.squared))


def query_of(
    sensitivity: object, sensitivity_squared: object, dimension: int = 1, clients: int = 1, releases: int = 1
) -> Query:
    """The query of these arguments, one of the first two being ``None``."""
    name, value = only_one("sensitivity", {"sensitivity": sensitivity, "sensitivity_squared": sensitivity_squared})
    number = distance_of(name, value)
    squared = number**2 if sensitivity_squared is None else number
    return Query(
        squared,
        whole("dimension", dimension, 1, 2**63 - 1),
        whole("clients", clients, 1, 2**40),
        whole("releases", releases, 1, 2**40),
    )


def rate_of(sampling_rate: object) -> Fraction:
    """The probability with which a record is included, 1 by default."""
    rate = Fraction(1) if sampling_rate is None else positive("sampling_rate", sampling_rate)
    if rate > 1:
        raise wrong("sampling_rate", sampling_rate, "a probability, above 0 and up to 1")
    return rate


def without_sampling(query: Query, sampling_rate: object) -> None:
    """Rejects a sampled query for which no pair is known that dominates."""
    for name, value in (("dimension", query.dimension), ("clients", query.clients)):
        if value > 1:
            raise ValueError(
                f"sampling_rate = {shown(sampling_rate)}: expected {name} = 1, not {value}; leave sampling_rate out, which is an upper bound"
            )


def stated(sigma_squared: object, sigma: object, rho: object, squared: Fraction) -> Fraction:
    """σ², given in exactly one way; `rho` is Δ²/(2σ²), for the squared sensitivity Δ²."""
    only_one("noise", {"sigma_squared": sigma_squared, "sigma": sigma, "rho": rho})
    if sigma_squared is not None:
        return positive("sigma_squared", sigma_squared)
    return positive("sigma", sigma) ** 2 if sigma is not None else squared / (2 * positive("rho", rho))


def accounted(sigma_squared: Fraction) -> Fraction:
    """The σ² that accounting takes for a stated one: as `representable` rounds it, but exact below 2^-33."""
    return sigma_squared if sigma_squared < Fraction(1, 1 << 33) else representable(sigma_squared)


def root(x: Fraction) -> Fraction | None:
    """The square root, if it is rational."""
    top, bottom = math.isqrt(x.numerator), math.isqrt(x.denominator)
    return Fraction(top, bottom) if top * top == x.numerator and bottom * bottom == x.denominator else None


def representable(sigma_squared: Fraction) -> Fraction:
    """The σ² that a sampler has: σ² itself where it fits into 64 bits, else a larger one, by less than 2^-30 of it.

    Beyond 2^62 that is the square of an integer. Below 2^-33 it may be larger.
    """
    if sigma_squared.numerator < 2**63 and sigma_squared.denominator < 2**64:
        return sigma_squared
    if sigma_squared > 2**62:
        return Fraction((math.isqrt(math.ceil(sigma_squared) - 1) + 1) ** 2)
    # A unit from 2^-63 to 2^30, and a sum of at most 62 bits.
    power = sigma_squared.numerator.bit_length() - sigma_squared.denominator.bit_length() - 32
    step = Fraction(2) ** max(power, -63)
    return math.ceil(sigma_squared / step) * step


COUNT_WAYS = dict.fromkeys(("count", "n", "k", "size"), "the number of releases is releases")
"""Ways out of words for a number of releases."""
SKELLAM_MU = "papers use mu for the variance or for half of it; the argument is variance"
"""The way out of a letter of Skellam noise."""
FORMS = "rho, or epsilon and delta"
"""The forms of a guarantee."""


def guarantee(
    rho: object, epsilon: object, delta: object, otherwise: str = "", what: str = "guarantee", forms: str = FORMS
) -> tuple[Fraction | None, Fraction | None, Fraction | None]:
    """The guarantee, given in exactly one way. `otherwise` is a way out for an epsilon without delta."""
    if rho is not None and epsilon is None and delta is None:
        return positive("rho", rho), None, None
    if rho is not None:
        name, value = ("epsilon", epsilon) if epsilon is not None else ("delta", delta)
        raise given_too(name, value, "rho", f"pass {forms}")
    if epsilon is None and delta is None:
        raise TypeError(f"missing {what}: pass {forms}")
    if epsilon is None or delta is None:
        (name, value), other = (("epsilon", epsilon), "delta") if delta is None else (("delta", delta), "epsilon")
        raise TypeError(f"{name} = {shown(value)}: expected {other} with it; pass {other} too{otherwise if delta is None else ''}")
    return None, positive("epsilon", epsilon), probability("delta", delta)
