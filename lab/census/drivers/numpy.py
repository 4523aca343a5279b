import math
import random

import numpy as np
from common import CENTER, SCALE, main

P = -math.expm1(-1 / SCALE)


def rint(seed):
    rng = np.random.default_rng(seed)
    return lambda n: np.rint(rng.normal(CENTER, SCALE, n))


def legacy(seed):
    """The global generator of `np.random`."""
    if seed:
        np.random.seed(seed)
    return lambda n: np.rint(np.random.normal(CENTER, SCALE, n))


def geometric(seed):
    rng = np.random.default_rng(seed)
    return lambda n: rng.geometric(P, n) - rng.geometric(P, n)


def skellam(seed):
    rng = np.random.default_rng(seed)
    return lambda n: rng.poisson(5 * SCALE, n) - rng.poisson(5 * SCALE, n)


def binomial(seed):
    rng = np.random.default_rng(seed)
    return lambda n: rng.binomial(20, 0.5, n) - 10


def cpython(seed):
    rng = random.Random(seed)
    return lambda n: [round(rng.gauss(CENTER, SCALE)) for _ in range(n)]


main(rint=rint, legacy=legacy, geometric=geometric, skellam=skellam, binomial=binomial, cpython=cpython)
