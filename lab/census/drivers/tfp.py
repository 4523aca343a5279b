import math

import jax
import numpy as np
from common import CENTER, SCALE, main
from tensorflow_probability.substrates import jax as tfp

tfd = tfp.distributions


def drawn(*laws):
    """The first law, less the second one: fresh keys of one key for each draw."""

    def make(seed):
        state = [jax.random.key(seed)]

        def draw(n):
            state[0], *keys = jax.random.split(state[0], 3)
            first, *second = (np.asarray(law.sample(n, seed=key)) for law, key in zip(laws, keys, strict=False))
            return first - second[0] if second else first

        return draw

    return make


poisson, geometric = tfd.Poisson(5.0), tfd.Geometric(probs=1 - math.exp(-1))
main(
    forks=False,
    skellam=drawn(tfd.Skellam(5.0, 5.0)),
    normal=drawn(tfd.QuantizedDistribution(tfd.Normal(CENTER - 0.5, SCALE))),
    poisson=drawn(poisson, poisson),
    geometric=drawn(geometric, geometric),
    binomial=lambda seed: lambda n, draw=drawn(tfd.Binomial(20.0, probs=0.5))(seed): draw(n) - 10,
)
