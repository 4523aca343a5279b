from common import main
from falcon.samplerz import samplerz


def sampler(center):
    return lambda seed: lambda n: [samplerz(center, 1.7, 1.2778336969128337) for _ in range(n)]


main(zero=sampler(0.0), third=sampler(0.3125))
