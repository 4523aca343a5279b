"""Random plans against sums over all outcomes in 300 bits: is the δ between the bounds of `Plan`, and how far apart are they?

    python benches/random_plans.py [PLANS]

Nothing here is `samplez.dp`'s own arithmetic. Masses are gmpy2's numbers, laws of sums are products of big integers (Kronecker). A difference
is an error, with the plan.
"""

import itertools
import random
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import gmpy2
from gmpy2 import mpfr

from samplez import dp

gmpy2.get_context().precision = 300
UNIT = 1 << 280
"""Masses are integers of this unit."""
Law = list[tuple[Any, Any]]
"""Losses, and the probability of each."""


def exact(x: Fraction) -> Any:
    return mpfr(x.numerator) / x.denominator


def gaussian(s2: Fraction) -> list[Any]:
    """The masses of the discrete Gaussian, about the middle."""
    reach = int(gmpy2.sqrt(exact(s2) * 360)) + 3
    weights = [gmpy2.exp(-mpfr(x * x) / (2 * exact(s2))) for x in range(-reach, reach + 1)]
    total = sum(weights)
    return [w / total for w in weights]


def power(masses: list[Any], n: int) -> list[Any]:
    """The masses of a sum of n: each product of two polynomials is one of integers. What is below 2^-280 is dropped."""
    integers = [int(gmpy2.rint(m * UNIT)) for m in masses]
    result = [UNIT]

    def times(a: list[int], b: list[int]) -> list[int]:
        width = 72  # bytes: 2·280 bits, and the number of terms
        pack = [gmpy2.mpz(int.from_bytes(b"".join(x.to_bytes(width, "little") for x in v), "little")) for v in (a, b)]
        length = len(a) + len(b) - 1
        data = int(pack[0] * pack[1]).to_bytes(width * (length + 1), "little")
        return [int.from_bytes(data[i * width:(i + 1) * width], "little") // UNIT for i in range(length)]

    while n:
        if n & 1:
            result = times(result, integers)
        n >>= 1
        if n:
            integers = times(integers, integers)
    return [mpfr(x) / UNIT for x in result]


def delta(law: Law, epsilon: Fraction) -> Any:
    e = exact(epsilon)
    return sum((p * (1 - gmpy2.exp(e - loss)) for loss, p in law if loss > e), mpfr(0))


def delta_of_two(one: Law, two: Law, epsilon: Fraction) -> Any:
    """δ of the sum of two independent losses, by sums of the second law's tail."""
    two = sorted(two)
    tails = list(itertools.accumulate(reversed(two), lambda t, x: (t[0] + x[1], t[1] + x[1] * gmpy2.exp(-x[0])), initial=(mpfr(0), mpfr(0))))[::-1]
    total, at, e = mpfr(0), len(two), exact(epsilon)
    for loss, p in sorted(one):
        while at and two[at - 1][0] > e - loss:
            at -= 1
        above, weighted = tails[at]
        total += p * (above - gmpy2.exp(e - loss) * weighted)
    return total


def linear(s2: Fraction, shift: int, releases: int) -> Law:
    """The losses of discrete Gaussian releases: linear in the sum of the noise."""
    masses = power(gaussian(s2), releases)
    middle, scale = len(masses) // 2, exact(s2)
    return [((2 * shift * (i - middle) + releases * shift * shift) / (2 * scale), p) for i, p in enumerate(masses)]


def compared(masses: list[Any], shift: int, rate: Any, *, added: bool) -> Law:
    """The losses of one release with this noise, in either direction, of a Poisson sample."""
    far = [mpfr(0)] * shift
    base, moved = [*masses, *far], [*far, *masses]
    law = []
    for b, m in zip(base, moved, strict=True):
        mixed = (1 - rate) * b + rate * m
        p, q = (mixed, b) if added else (b, mixed)
        if p > 0:
            law.append((gmpy2.log(p / q) if q > 0 else gmpy2.inf(1), p))
    return law


def several(law: Law, releases: int, epsilon: Fraction) -> Any:
    if releases == 1:
        return delta(law, epsilon)
    half = law
    for _ in range(releases - 2):
        half = [(a + b, p * q) for (a, p), (b, q) in itertools.product(half, law)]
    return delta_of_two(half, law, epsilon)


def skellam(variance: Fraction) -> list[Any]:
    """Of the difference of two Poisson variables: I_|k|(v)·e^-v, by the recurrence from above (Miller)."""
    v, reach = exact(variance), int(30 * gmpy2.sqrt(exact(variance))) + 90
    up, now = mpfr(0), mpfr(10) ** -60
    found = [now]
    for k in range(reach, 0, -1):
        up, now = now, up + 2 * k / v * now
        found.append(now)
    half = found[::-1]
    total = half[0] + 2 * sum(half[1:])
    return [half[abs(k)] / total for k in range(-reach, reach + 1)]


def laplace(scale: Fraction, shift: int, releases: int) -> Law:
    """The losses of discrete Laplace noise are multiples of 1/scale."""
    ratio = gmpy2.exp(-1 / exact(scale))
    norm = (1 - ratio) / (1 + ratio)
    counts = [mpfr(0)] * (2 * shift + 1)
    for x in range(-shift + 1, 0):
        counts[abs(x + shift) - abs(x) + shift] += norm * ratio ** abs(x)
    counts[2 * shift] += norm / (1 - ratio)
    counts[0] += norm * ratio**shift / (1 - ratio)
    return [((i - releases * shift) / exact(scale), p) for i, p in enumerate(power(counts, releases))]


Case = tuple[str, dp.Plan, Callable[[Fraction], Any]]


def cases(draw: random.Random) -> Iterator[Case]:
    def width(low: float, high: float) -> Fraction:
        return Fraction(round(1000 * low * (high / low) ** draw.random()), 1000)

    while True:
        s2, shift = width(0.1, 1000), draw.randrange(1, 5)
        releases = draw.randrange(1, max(2, min(300, int(1e5 / s2))))
        yield "equal releases", dp.Plan(sigma_squared=s2, sensitivity=shift, releases=releases), lambda e: delta(linear(s2, shift, releases), e)
        one, two = width(0.2, 60), width(0.2, 60)
        many, few, other = draw.randrange(1, 12), draw.randrange(1, 12), draw.randrange(1, 4)
        both = dp.Plan(sigma_squared=one, releases=many) + dp.Plan(sigma_squared=two, sensitivity=other, releases=few)
        yield "two kinds of releases", both, lambda e: delta_of_two(linear(one, 1, many), linear(two, other, few), e)
        s2, shift, rate = width(0.2, 400), draw.randrange(1, 3), Fraction(draw.randrange(1, 300), 1000)
        releases = draw.choice([1, 1, 2, 3]) if s2 < 4 else draw.choice([1, 1, 2])
        poisson = dp.Plan(sigma_squared=s2, sensitivity=shift, sampling_rate=rate, releases=releases)

        def sampled(e: Fraction) -> Any:
            return max(several(compared(gaussian(s2), shift, exact(rate), added=side), releases, e) for side in (True, False))

        yield "with sampling_rate, 1 release" if releases == 1 else "with sampling_rate, 2 or 3 releases", poisson, sampled
        scale, shift, releases = width(0.3, 40), draw.randrange(1, 5), draw.randrange(1, 200)
        yield "discrete Laplace", dp.Plan.laplace(scale=scale, sensitivity=shift, releases=releases), lambda e: delta(laplace(scale, shift, releases), e)
        variance, shift, releases = width(1, 300), draw.randrange(1, 4), draw.choice([1, 1, 2])
        noise = dp.Plan.skellam(variance=variance, sensitivity=shift, releases=releases)
        yield "Skellam", noise, lambda e: several(compared(skellam(variance), shift, mpfr(1), added=True), releases, e)
        s2, clients, shift = width(1, 30), draw.randrange(2, 12), draw.randrange(1, 4)
        sums = dp.Plan(sigma_squared=s2, sensitivity=shift, clients=clients)
        yield "sums of clients", sums, lambda e: delta(compared(power(gaussian(s2), clients), shift, mpfr(1), added=True), e)


def main() -> None:
    plans = int(sys.argv[1]) if len(sys.argv) > 1 else 504
    draw, seen = random.Random(2026), dict[str, list[float]]()
    for kind, plan, truth in itertools.islice(cases(draw), plans):
        wanted = Fraction(10) ** -draw.randrange(1, 12)
        epsilon = Fraction(round(1000 * min(plan.epsilon(wanted).upper, 600)), 1000)
        low, high = plan.delta(epsilon)
        value, slack = truth(epsilon), mpfr(10) ** -60
        if not exact(Fraction(low)) - slack <= value <= exact(Fraction(high)) + slack:
            sys.exit(f"{kind}: {plan}.delta({epsilon}) is between {low} and {high}, and the sum over all outcomes {value}")
        seen.setdefault(kind, []).append((high - low) / high if high else 0.0)
    print("| plans | number | δ outside of the bounds | median width, relative | largest |\n|---|--:|--:|--:|--:|")
    for kind, widths in sorted(seen.items()):
        widths.sort()
        print(f"| {kind} | {len(widths)} | 0 | {widths[len(widths) // 2]:.1e} | {widths[-1]:.1e} |")


main()
