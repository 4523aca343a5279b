"""The speed of `sample` against the library's own fill, which is called by its C interface in the same rounds.

    make bench BENCH=python

Both fill the same array with the same integers, which is checked; the times are the thread's processor time.
"""

import ctypes
import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np

import samplez

ROUNDS = 21
SEED = bytes(range(32))


def native(library: ctypes.CDLL, sigma: str, method: str) -> ctypes.c_void_p:
    """A sampler of the C interface."""
    handle = ctypes.c_void_p()
    status = library.samplez_sampler_new(f"sigma={sigma},method={method}".encode(), ctypes.byref(handle))
    assert status == 0
    return handle


def contest(contestants: list[Callable[[], object]]) -> list[float]:
    """Each one's median processor time, taking turns."""
    times: list[list[float]] = [[] for _ in contestants]
    for _ in range(ROUNDS):
        for run, taken in zip(contestants, times, strict=True):
            start = time.thread_time()
            run()
            taken.append(time.thread_time() - start)
    return [median(taken) for taken in times]


def main(path: str) -> None:
    library = ctypes.CDLL(path)
    print("| σ, method, dtype | samples | million/s | Rust's fill | times Rust's |")
    print("|---|---|---|---|---|")
    for sigma, method, bits in (
        ("3.2", "cdt-guided", 8),
        ("3.2", "cdt-guided", 64),
        ("3.2", "cdt", 8),
        ("215", "ziggurat", 16),
        ("3.2", "karney", 32),
    ):
        g = samplez.DiscreteGaussian(sigma, method=method)
        handle = native(library, sigma, method)
        fill = getattr(library, f"samplez_bulk_i{bits}")
        for count in (1_000, 100_000, 1_000_000, 10_000_000):
            ours, theirs = (np.zeros(count, f"int{bits}") for _ in range(2))

            def rust() -> None:
                out = ctypes.c_void_p(theirs.ctypes.data)
                sizes = ctypes.c_size_t(count), ctypes.c_size_t(1)
                assert fill(handle, b"chacha20", SEED, ctypes.c_uint64(0), out, *sizes) == 0

            python, baseline = contest([lambda: g.sample(out=ours, rng=SEED), rust])
            assert np.array_equal(ours, theirs)
            speeds = (count / python / 1e6, count / baseline / 1e6)
            print(f"| {sigma}, {method}, int{bits} | {count:,} | {speeds[0]:.1f} | {speeds[1]:.1f} | {python / baseline:.3f} |")


if __name__ == "__main__":
    main(sys.argv[1])
