from common import SCALE, main
from pydp.algorithms.numerical_mechanisms import GaussianMechanism, LaplaceMechanism
from pydp.distributions import GeometricDistribution


def gaussian(seed):
    noise = GaussianMechanism(1 / SCALE, 0.01, 1.0)
    return lambda n: [noise.add_noise(0) for _ in range(n)]


def laplace(seed):
    noise = LaplaceMechanism(1 / SCALE, 1.0)
    return lambda n: [noise.add_noise(0) for _ in range(n)]


def geometric(seed):
    """The difference of two, which is discrete Laplace noise if each is geometric."""
    law = GeometricDistribution(1 / SCALE)
    return lambda n: [law.sample() - law.sample() for _ in range(n)]


main(gaussian=gaussian, laplace=laplace, geometric=geometric)
