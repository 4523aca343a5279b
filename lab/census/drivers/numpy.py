import math
import random

import numpy as np
from common import main


def rint(seed):
    rng = np.random.default_rng(seed)
    return lambda n: np.rint(rng.normal(0, 1, n))


def legacy(seed):
    """The global generator of `np.random`."""
    if seed:
        np.random.seed(seed)
    return lambda n: np.rint(np.random.normal(0, 1, n))


def geometric(seed):
    rng = np.random.default_rng(seed)
    return lambda n: rng.geometric(1 - math.exp(-1), n) - rng.geometric(1 - math.exp(-1), n)


def skellam(seed):
    rng = np.random.default_rng(seed)
    return lambda n: rng.poisson(5, n) - rng.poisson(5, n)


def binomial(seed):
    rng = np.random.default_rng(seed)
    return lambda n: rng.binomial(20, 0.5, n) - 10


def cpython(seed):
    rng = random.Random(seed)
    return lambda n: [round(rng.gauss(0, 1)) for _ in range(n)]


main(rint=rint, legacy=legacy, geometric=geometric, skellam=skellam, binomial=binomial, cpython=cpython)
