from common import SCALE, main
from tmlt.core.measurements.noise_mechanisms import AddDiscreteGaussianNoise, AddGeometricNoise


def noise(measurement):
    return lambda seed: lambda n: [measurement(0) for _ in range(n)]


main(gaussian=noise(AddDiscreteGaussianNoise(int(SCALE) ** 2)), geometric=noise(AddGeometricNoise(int(SCALE))))
