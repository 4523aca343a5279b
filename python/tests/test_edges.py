"""Laws and options anywhere between the limits: built, and right by mpmath, or refused by an argument's name.

`SAMPLEZ_EDGES` is the number of laws; 1000 by default, the same ones in every run.
"""

import math
import os
import re
from fractions import Fraction
from typing import Any

import mpmath
from hypothesis import given, settings
from hypothesis import strategies as st

import samplez

METHODS = [method.name for method in samplez.methods()]
#: Those without a table, which take no precision and no memory.
EXACT = {method.name for method in samplez.methods() if method.exact}
BUILT: list[str] = []
COUNT = int(os.environ.get("SAMPLEZ_EDGES", "1000"))

#: A table beyond it is refused; larger ones take minutes.
MEMORY = 2**22

#: What a refusal may be about.
ARGUMENTS = r"(sigma|sigma_squared|k_sigma2|s|center|precision|tail|method|memory) = |no method for "


def decimals(low: int, high: int) -> st.SearchStrategy[str]:
    """Positive decimals between two powers of ten, of up to six digits."""
    return st.builds(lambda digits, power: f"{digits}e{power}", st.integers(1, 999_999), st.integers(low, high - 6))


#: Widths in every form, to the limits and beyond.
WIDTHS = st.one_of(
    st.tuples(st.just("sigma"), st.builds("{}/{}".format, st.integers(1000, 10**7), st.integers(1, 1000))),
    st.tuples(st.just("sigma"), decimals(-10, 20)),
    st.tuples(st.just("s"), decimals(-10, 20)),
    st.tuples(st.just("sigma_squared"), decimals(-20, 20)),
    st.tuples(st.just("k_sigma2"), st.integers(1, 2**62).map(str)),
    st.tuples(st.just("sigma"), st.builds("{}/{}".format, st.integers(1, 2**63), st.integers(1, 2**64))),
    st.tuples(st.just("sigma"), st.integers(1, 2**57).map(str)),
)

CENTERS = st.one_of(
    st.just("0"),
    st.builds("{}/{}".format, st.integers(-100, 100), st.integers(1, 100)),
    st.integers(-(2**62), 2**62).map(str),
    st.builds("{}/{}".format, st.integers(-(2**62), 2**62), st.integers(1, 2**40)),
    st.builds("{}/{}".format, st.integers(-5, 5), st.integers(1, 2**63)),
)


def sigma_of(form: str, value: str) -> mpmath.mpf:
    q = Fraction(value)
    x = mpmath.mpf(q.numerator) / q.denominator
    match form:
        case "sigma":
            return x
        case "s":
            return x / mpmath.sqrt(2 * mpmath.pi)
        case "sigma_squared":
            return mpmath.sqrt(x)
        case _:
            return x * mpmath.sqrt(1 / (2 * mpmath.log(2)))


def log_pmf(form: str, value: str, center: Fraction, x: int) -> mpmath.mpf:
    """ln P(X = x), to some sixty digits: the sum over all integers by Poisson's formula where that is the shorter one."""
    with mpmath.workdps(120):
        sigma = sigma_of(form, value)
        nearest = round(center)
        c = mpmath.mpf((center - nearest).numerator) / (center - nearest).denominator
        if sigma < 1:
            total = mpmath.fsum(mpmath.exp(((2 * k * c - k * k) / (2 * sigma * sigma))) for k in range(-20, 21))
            log_total = mpmath.log(total) - c * c / (2 * sigma * sigma)
        else:
            q = mpmath.exp(-2 * (mpmath.pi * sigma) ** 2)
            waves = mpmath.fsum(2 * q ** (m * m) * mpmath.cos(2 * mpmath.pi * m * c) for m in range(1, 20))
            log_total = mpmath.log(sigma * mpmath.sqrt(2 * mpmath.pi) * (1 + waves))
        away = x - nearest - c
        return -away * away / (2 * sigma * sigma) - log_total


@settings(max_examples=COUNT, deadline=None, derandomize=True, database=None)
@given(WIDTHS, CENTERS, st.sampled_from(["auto", *METHODS]), st.integers(1, 256), st.integers(-12, 12))
def check(width: tuple[str, str], center: str, method: str, precision: int, at: int) -> None:
    form, value = width
    options = {} if method in EXACT else {"precision": precision, "memory": MEMORY}
    arguments: dict[str, Any] = {form: value, "center": center, "method": method} | options
    try:
        g = samplez.DiscreteGaussian(**arguments)
    except ValueError as error:
        assert re.match(ARGUMENTS, str(error)), f"{arguments}: {error}"
        return
    BUILT.append(g.method)
    exact = Fraction(center)
    sigma = float(sigma_of(form, value))
    # A probability, near the centre and some deviations away, is the double that is nearest.
    x = round(exact + Fraction(sigma) * Fraction(at, 3))
    if -(2**63) <= x < 2**63:
        with mpmath.workdps(120):
            expected = mpmath.exp(log_pmf(form, value, exact, x))
        assert g.pmf(x) == float(expected), f"{arguments}: pmf({x})"
    samples = [int(sample) for sample in g.sample(600, rng=1)]
    # Shares below three quantiles, within nine deviations and what the certificate allows: by chance that fails below 1e-18.
    distance = g.certificate().log2_sd
    allowed = 600 * 2.0**distance if distance is not None else 0.0
    for q in (0.2, 0.5, 0.8):
        point = int(g.ppf(q))
        share = g.cdf(point)
        seen = sum(sample <= point for sample in samples)
        slack = 9 * math.sqrt(600 * share * (1 - share)) + 9
        assert abs(seen - 600 * share) <= slack + allowed, f"{arguments}: {seen} of 600 up to {point}, {600 * share} expected"
    # None is farther away than its method's tail allows: beyond forty deviations there is nothing.
    reach = 40 * sigma + 1
    assert all(abs(sample - exact) <= reach for sample in samples), f"{arguments}: {samples}"


def test_built_and_right_or_refused() -> None:
    """And of the laws many are built, by most methods."""
    BUILT.clear()
    check()
    assert len(BUILT) > COUNT / 5
    assert len(set(BUILT)) > len(METHODS) / 2


def test_what_is_wrong_is_seen() -> None:
    """The comparison with mpmath finds a width that differs in its tenth digit."""
    g = samplez.DiscreteGaussian("3.2")
    with mpmath.workdps(120):
        right = mpmath.exp(log_pmf("sigma", "3.2", Fraction(0), 5))
        wrong = mpmath.exp(log_pmf("sigma", "3.2000000003", Fraction(0), 5))
    assert g.pmf(5) == float(right) != float(wrong)
