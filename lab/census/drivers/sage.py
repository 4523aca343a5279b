import sage.all__sagemath_categories  # noqa: F401
from common import CENTER, SCALE, main
from sage.misc.randstate import set_random_seed
from sage.stats.distributions.discrete_gaussian_integer import DiscreteGaussianDistributionIntegerSampler as Sampler


def sampler(sigma, **arguments):
    def make(seed):
        if seed:
            set_random_seed(seed)
        draw = Sampler(sigma * SCALE, **{"c": CENTER, **arguments})
        return lambda n: [draw() for _ in range(n)]

    return make


main(
    table=sampler(1.0),
    doubles=sampler(1.0, precision="dp"),
    online=sampler(1.0, algorithm="uniform+online"),
    half=sampler(1.0, c=0.5),
    logtable=sampler(1.0, algorithm="uniform+logtable"),
    sigma2=sampler(1.0, algorithm="sigma2+logtable"),
)
