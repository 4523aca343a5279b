"""Block i of a recipe: the task of a worker of any cluster."""

from __future__ import annotations

from functools import partial
from typing import SupportsIndex

import numpy.typing as npt

from samplez._finite import OtherNoise, of_recipe
from samplez._gaussian import DiscreteGaussian
from samplez._numbers import check_last, whole, wrong
from samplez._output import Integers
from samplez._random import Seed, seed_for
from samplez._recipe import SEED, suggests
from samplez._samplez import BLOCK


@partial(suggests, ways=SEED)
def block(
    recipe: str | DiscreteGaussian | OtherNoise,
    *,
    seed: Seed,
    index: SupportsIndex,
    size: SupportsIndex = BLOCK,
    dtype: npt.DTypeLike | None = None,
    out: Integers | None = None,
    source: str = "chacha20",
    first: SupportsIndex = 0,
) -> Integers:
    """Draws block number `index` of the samples of (`recipe`, `source`, `seed`), cut into blocks of `size` from sample `first` on.

    These are the samples ``first + index * size`` and on, as `DiscreteGaussian.sample` numbers them, in an array of one axis. So a task
    for any cluster is two texts and two numbers. Blocks are the same in any order, on any machine, and each time they are made. A
    process builds the sampler of a recipe once. Send `DiscreteGaussian.recipe`, which names the method and options in force. The seed
    is required, as it makes blocks parts of one array. Everyone who schedules or runs tasks sees it.

    A `size` that is a multiple of 8192, the length of the library's own blocks, wastes nothing. `dtype`, `out` and `source` are those of
    `DiscreteGaussian.sample`, and so are the errors.

    >>> recipe = samplez.DiscreteGaussian("3.2").recipe
    >>> whole = samplez.DiscreteGaussian("3.2").sample(30_000, rng=1)
    >>> bool((samplez.block(recipe, seed=1, index=2, size=10_000) == whole[20_000:]).all())
    True
    """
    if seed is None:
        raise TypeError("missing seed: the blocks of one array have one seed; pass an int, 32 bytes or 64 hexadecimal digits")
    key = seed_for(source, seed)
    dist = recipe if isinstance(recipe, (DiscreteGaussian, OtherNoise)) else of_recipe(recipe)
    index, length = whole("index", index, 0, 2**64 - 1), whole("size", size, 1, 2**63 - 1)
    begin = whole("first", first, 0, 2**64 - 1)
    address = begin + index * length
    check_last(begin, length, "samples")
    if address + length > 2**64:
        raise wrong("index", index, f"at most {(2**64 - begin) // length - 1} with blocks of {length} samples from first = {begin} on")
    return dist.sample(length, rng=key, dtype=dtype, out=out, source=source, first=address)
