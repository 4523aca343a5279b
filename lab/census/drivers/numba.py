from math import expm1

import numpy
from common import CENTER, SCALE, main
from numba import njit


@njit
def start(seed):
    numpy.random.seed(seed)


def compiled(expression):
    space = {"random": numpy.random, "rint": numpy.rint, "CENTER": CENTER, "SCALE": SCALE, "P": -expm1(-1 / SCALE)}
    exec(f"def draw(n):\n    return [{expression} for _ in range(n)]", {"numpy": numpy, **space}, space)
    draw = njit(space["draw"])

    def make(seed):
        if seed is not None:
            start(seed)
        return draw

    return make


main(
    normal=compiled("rint(numpy.random.normal(CENTER, SCALE))"),
    poisson=compiled("numpy.random.poisson(5.0 * SCALE * SCALE) - numpy.random.poisson(5.0 * SCALE * SCALE)"),
    geometric=compiled("numpy.random.geometric(P) - numpy.random.geometric(P)"),
    binomial=compiled("numpy.random.binomial(20, 0.5) - 10"),
)
