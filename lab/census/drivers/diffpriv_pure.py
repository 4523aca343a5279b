import random

from common import SCALE, main
from diffpriv_pure import gaussian_noise, geometric_noise


def repeated(draw):
    def make(seed):
        random.seed(seed)
        return lambda n: [draw() for _ in range(n)]

    return make


main(gaussian=repeated(lambda: round(gaussian_noise(SCALE))), geometric=repeated(lambda: geometric_noise(1 / SCALE)))
