"""What the time of one draw tells of the noise: the experiment of [JMRO22] on [CKS20] as printed, on `cks`, and on what samplez.dp draws.

    python benches/dp_timing.py [DRAWS]

Each draw is timed by itself, as whoever waits for a release can. Subjects take turns in blocks. For each: the rank correlation of the time
with |x|, the same in standard errors (within 4 nothing is seen), and how often a guess of whether |x| is above its median, by the one
threshold on the time that does best, is right on the other half of the draws. Where |x| tells nothing that is the more frequent answer's share.
"""

import math
import random
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import samplez
from samplez import dp

BLOCK = 500
Timed = tuple[Callable[[], Any], Callable[[Any], int]]
"""What is timed, and what was drawn, made an int after the clock has stopped."""


class Printed:
    """[CKS20], Algorithms 1 to 3, a line of Python for a line of the paper, as several libraries have it."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def bernoulli(self, p: Fraction) -> bool:
        return self._random.randrange(p.denominator) < p.numerator

    def exp(self, gamma: Fraction) -> bool:
        """Algorithm 1: a coin of probability exp(-γ)."""
        while gamma > 1:
            if not self.exp(Fraction(1)):
                return False
            gamma -= 1
        k = 1
        while self.bernoulli(gamma / k):
            k += 1
        return k % 2 == 1

    def laplace(self, scale: int) -> int:
        """Algorithm 2."""
        while True:
            u = self._random.randrange(scale)
            if not self.exp(Fraction(u, scale)):
                continue
            v = 0
            while self.exp(Fraction(1)):
                v += 1
            x = u + scale * v
            negative = self.bernoulli(Fraction(1, 2))
            if not (negative and x == 0):
                return -x if negative else x

    def gauss(self, sigma_squared: Fraction) -> int:
        """Algorithm 3."""
        t = math.isqrt(math.floor(sigma_squared)) + 1
        while True:
            y = self.laplace(t)
            if self.exp((abs(y) - sigma_squared / t) ** 2 / (2 * sigma_squared)):
                return y


def single(g: samplez.DiscreteGaussian) -> Timed:
    """One sample into an array that is there."""
    rng, out = samplez.Source("chacha20"), np.zeros(1, np.int64)

    def draw() -> int:
        g.sample(out=out, rng=rng)
        return 0

    return draw, lambda _: int(out[0])


def laplace(scale: int) -> Timed:
    """One value of our discrete Laplace."""
    law, rng = samplez.OtherNoise(discrete_laplace=scale), samplez.Source()
    out = np.zeros(1, np.int64)

    def draw() -> int:
        law.sample(out=out, rng=rng)
        return 0

    return draw, lambda _: int(out[0])


def whole(draw: Callable[[], Any]) -> Timed:
    """What is returned is what was drawn."""
    return draw, lambda result: int(result)


def released(release: Callable[[], dp.Release]) -> Timed:
    """A whole release."""
    return release, lambda result: int(result.values)


def ranks(values: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Equal values share their mean rank. An interrupt is but one large value."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    result: npt.NDArray[np.float64] = (last - (counts - 1) / 2)[places]
    return result


def guessed(magnitude: npt.NDArray[np.int64], taken: npt.NDArray[np.int64]) -> tuple[float, float]:
    """How often the best threshold of the first half is right on the second, and how often the more frequent answer is."""
    large = magnitude > np.median(magnitude)
    half = len(large) // 2
    candidates = np.unique(np.quantile(taken[:half], np.linspace(0, 1, 201)))
    scores = [np.mean((taken[:half] > t) == large[:half]) for t in candidates]
    best = candidates[int(np.argmax(scores))]
    return float(np.mean((taken[half:] > best) == large[half:])), float(max(large.mean(), 1 - large.mean()))


def main(draws: int) -> None:
    printed = Printed()
    subjects: list[tuple[str, str, Timed]] = []
    for sigma in (4, 100):
        s2 = Fraction(sigma**2)
        subjects += [
            (f"Gaussian, σ = {sigma}", "[CKS20] as printed, in Python", whole(partial(printed.gauss, s2))),
            ("", "`cks`", single(samplez.DiscreteGaussian(sigma, method="cks"))),
            ("", "`karney`", single(samplez.DiscreteGaussian(sigma, method="karney"))),
            ("", "`samplez.dp`'s: the default", single(samplez.DiscreteGaussian(sigma))),
            ("", "the whole mechanism", released(partial(dp.discrete_gaussian_mechanism, 0, sensitivity=1, rho=1 / (2 * s2)))),
        ]
    for scale in (4, 100):
        subjects += [
            (f"Laplace, scale {scale}", "[CKS20] as printed, in Python", whole(partial(printed.laplace, scale))),
            ("", "`samplez.dp`'s", laplace(scale)),
            ("", "the whole mechanism", released(partial(dp.discrete_laplace_mechanism, 0, sensitivity=1, epsilon=Fraction(1, scale)))),
        ]
    times = [np.zeros(draws, np.int64) for _ in subjects]
    values = [np.zeros(draws, np.int64) for _ in subjects]
    clock = time.perf_counter_ns
    for start in range(0, draws, BLOCK):
        for (_, _, (draw, read)), taken, drawn in zip(subjects, times, values, strict=True):
            for i in range(start, min(start + BLOCK, draws)):
                before = clock()
                result = draw()
                taken[i] = clock() - before
                drawn[i] = read(result)
    print("| noise | drawn by | median µs | rank correlation of time and abs(x) | in standard errors | guess of abs(x) > median | without the time |")
    print("|---|---|---|---|---|---|---|")
    for (noise, name, _), taken, drawn in zip(subjects, times, values, strict=True):
        magnitude = np.abs(drawn)
        r = float(np.corrcoef(ranks(taken), ranks(magnitude))[0, 1])
        right, blind = guessed(magnitude, taken)
        print(f"| {noise} | {name} | {np.median(taken) / 1000:.1f} | {r:.4f} | {r * math.sqrt(draws):.1f} | {100 * right:.1f} % | {100 * blind:.1f} % |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)
