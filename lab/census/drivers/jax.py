import math

import jax
import jax.numpy as jnp
import numpy as np
from common import CENTER, SCALE, main


def drawn(law):
    """Fresh keys of one key for each draw."""

    def make(seed):
        state = [jax.random.key(seed or 0)]

        def draw(n):
            state[0], *keys = jax.random.split(state[0], 3)
            return np.asarray(law(keys, n))

        return draw

    return make


main(
    round=drawn(lambda keys, n: jnp.round(jax.random.normal(keys[0], (n,)) * SCALE + CENTER)),
    poisson=drawn(lambda keys, n: jax.random.poisson(keys[0], 5, (n,)) - jax.random.poisson(keys[1], 5, (n,))),
    geometric=drawn(lambda keys, n: jax.random.geometric(keys[0], 1 - math.exp(-1), (n,)) - jax.random.geometric(keys[1], 1 - math.exp(-1), (n,))),
    binomial=drawn(lambda keys, n: jax.random.binomial(keys[0], 20, 0.5, (n,)) - 10),
)
