"""Single samples, arrays from 1 to 10^6 samples, and arrays of widths and centres, beside NumPy's normal numbers in the same rounds.

    make bench BENCH=python

The times are the thread's processor time, the best of the rounds.
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np

import samplez

ROUNDS = 25
CALLS = 2000
SAMPLES = 1 << 18


def best_of(runs: dict[str, Callable[[], object]], each: int, calls: int) -> dict[str, float]:
    """Seconds a sample of each, taking turns."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, run in runs.items():
            start = time.thread_time()
            for _ in range(calls):
                run()
            best[name] = min(best[name], (time.thread_time() - start) / (each * calls))
    return best


def contest(runs: dict[str, Callable[[], object]], each: int, calls: int) -> None:
    """Prints nanoseconds a sample of each, and the ratio to the first."""
    best = best_of(runs, each, calls)
    first = next(iter(best.values()))
    for name, seconds in best.items():
        print(f"| {name} | {seconds * 1e9:.1f} | {1e-6 / seconds:.2f} | {seconds / first:.2f} |")


def growth(g: samplez.DiscreteGaussian, rng: np.random.Generator, source: samplez.Source) -> None:
    """Prints microseconds a call for arrays of each length, and NumPy's time divided by that of `g.sample(n)`."""
    print("\n| n | `rng.normal(size=n)`, µs | `g.sample(n)` | NumPy's time / ours | `rng=source` | `rng=rng` | `rng=5`, a seed |")
    print("|---|---|---|---|---|---|---|")
    for power in range(7):
        n = 10**power
        runs: dict[str, Callable[[], object]] = {
            "numpy": partial(rng.normal, size=n),
            "ours": partial(g.sample, n),
            "source": partial(g.sample, n, rng=source),
            "generator": partial(g.sample, n, rng=rng),
            "seed": partial(g.sample, n, rng=5),
        }
        numpy, *ours = (seconds * n * 1e6 for seconds in best_of(runs, n, max(CALLS // (10 * n), 1)).values())
        print(f"| {n:,} | {numpy:.2f} | {ours[0]:.2f} | {numpy / ours[0]:.2f} | " + " | ".join(f"{us:.2f}" for us in ours[1:]) + " |")


def main() -> None:
    rng, g = np.random.default_rng(1), samplez.DiscreteGaussian("3.2")
    wide = samplez.DiscreteGaussian(215, constant_time=True)
    source = samplez.Source(seed=1)
    print("| single samples | ns | million/s | times rng.normal() |\n|---|---|---|---|")
    singles: dict[str, Callable[[], object]] = {
        "`rng.normal()`": rng.normal,
        "`g.sample()`, σ = 3.2": g.sample,
        "`g.sample()`, σ = 215, constant time": wide.sample,
        "`samplez.sample(3.2)`": lambda: samplez.sample(3.2),
        "`samplez.sample(3.2, 0.1)`": lambda: samplez.sample(3.2, center=0.1),
        "`g.sample(rng=rng)`": lambda: g.sample(rng=rng),
        "`g.sample(rng=source)`": lambda: g.sample(rng=source),
    }
    contest(singles, 1, CALLS)
    growth(g, rng, source)
    sigmas, centers = rng.uniform(1, 1000, SAMPLES), rng.normal(0, 1e4, SAMPLES)
    narrow = rng.uniform(1.28, 1.82, SAMPLES)
    print("\n| arrays of 2^18 | ns | million/s | times rng.normal |\n|---|---|---|---|")
    arrays: dict[str, Callable[[], object]] = {
        "`rng.normal(centers, sigmas)`": lambda: rng.normal(centers, sigmas),
        "`sample(sigmas, centers)`, σ from 1 to 1000": lambda: samplez.sample(sigmas, center=centers),
        "`sample(sigmas, centers)`, σ from 1.28 to 1.82": lambda: samplez.sample(narrow, center=centers),
        "`sample('3.2', centers)`": lambda: samplez.sample("3.2", center=centers),
        "`round(centers, '3.2', 'strips')`": lambda: samplez.round(centers, sigma="3.2", method="strips"),
        "`round(centers, sigmas, 'strips')`": lambda: samplez.round(centers, sigma=sigmas, method="strips"),
    }
    contest(arrays, SAMPLES, 1)


if __name__ == "__main__":
    main()
