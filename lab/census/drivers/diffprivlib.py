from common import SCALE, main
from diffprivlib.mechanisms import GaussianDiscrete, Geometric


def gaussian(seed):
    noise = GaussianDiscrete(epsilon=1.0, delta=0.01, random_state=seed)
    return lambda n: [noise.randomise(0) for _ in range(n)]


def geometric(seed):
    noise = Geometric(epsilon=1 / SCALE, random_state=seed)
    return lambda n: [noise.randomise(0) for _ in range(n)]


main(gaussian=gaussian, geometric=geometric)
