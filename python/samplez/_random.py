"""Random sources: seeds, streams, and NumPy's bit generators in both directions."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, NoReturn, TypeAlias, Union

import numpy as np

from samplez import _samplez
from samplez._numbers import name_of, whole


def seed_bytes(seed: int | bytes | None, name: str = "seed") -> bytes:
    """The 32 bytes of a seed: an integer's, little-endian; ``None`` asks the operating system."""
    if seed is None:
        return os.urandom(32)
    if isinstance(seed, (bytes, bytearray, memoryview)):
        if len(seed) != 32:
            raise ValueError(f"{name}: has {len(seed)} bytes, must have 32")
        return bytes(seed)
    return whole(name, seed, 0, 2**256 - 1).to_bytes(32, "little")


class SourceInfo(NamedTuple):
    """What there is to say about a source."""

    name: str
    summary: str
    seeded: bool
    """Whether a seed determines its bits."""
    cryptographic: bool


def sources() -> tuple[SourceInfo, ...]:
    """Every source of random bits.

    >>> [source.name for source in samplez.sources()][:3]
    ['chacha20', 'chacha12', 'chacha8']
    """
    return tuple(SourceInfo(*entry) for entry in _samplez.sources())


class Source:
    """One continuous stream of random bits, from which any distributions draw one after the other.

    It moves on with every call, as a NumPy generator does. Its bits have one order, so it fills on one thread; for
    arrays that any number of threads may fill, give `DiscreteGaussian.sample` a seed.

    `seed` is an integer from 0 to 2^256 - 1 (taken as 32 bytes, little-endian), 32 bytes, or ``None`` for one from
    the operating system. Sources that take no seed, such as ``"os"``, refuse one.

    A process that was forked would repeat its parent's bits; a seeded `Source` refuses to work there.

    >>> rng = samplez.Source("chacha20", seed=1)
    >>> g = samplez.DiscreteGaussian("3.2", method="karney")
    >>> g.sample(8, rng=rng).tolist() != g.sample(8, rng=rng).tolist()
    True
    """

    def __init__(self, name: str = "chacha20", seed: int | bytes | None = None) -> None:
        name_of("source", name)
        seeded = {source.name: source.seeded for source in sources()}
        if seed is not None and not seeded.get(name, True):
            raise ValueError(f"source = {name}: takes no seed")
        self._stream = _samplez.Stream(name, seed_bytes(seed))
        self._name = name
        self._process = os.getpid() if seeded[name] else None

    @property
    def name(self) -> str:
        """The source's name."""
        return self._name

    def __repr__(self) -> str:
        return f"samplez.Source({self._name!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a samplez.Source cannot be copied or pickled: two copies would give the same bits")

    def _open(self) -> _samplez.Stream:
        if self._process not in (None, os.getpid()):
            raise RuntimeError("this samplez.Source was made before the process forked, and would repeat its parent's "
                               "bits: make a new one, with another seed, in each process")
        return self._stream


class BitGenerator(np.random.BitGenerator):
    """One of the sources as a bit generator of NumPy: ``numpy.random.Generator(samplez.BitGenerator("chacha20"))``.

    All of `numpy.random`'s distributions run on it. The seed is as for `Source`; a source that takes none can fail
    at any word, which NumPy cannot report, and is refused.

    It is not copied or pickled. Of processes forked after seeding each would repeat the same bits: seed afterwards.

    >>> import numpy
    >>> rng = numpy.random.Generator(samplez.BitGenerator("chacha20", seed=1))
    >>> bool(0 <= rng.random() < 1)
    True
    """

    def __init__(self, source: str = "chacha20", seed: int | bytes | None = None) -> None:
        super().__init__(0)  # the base class's own seed, which nothing reads
        self._offered = _samplez.Offered(self.capsule, name_of("source", source), seed_bytes(seed))
        self._name = source

    def __repr__(self) -> str:
        return f"samplez.BitGenerator({self._name!r})"

    @property
    def seed_seq(self) -> NoReturn:
        """There is none."""
        raise NotImplementedError("a samplez.BitGenerator has no SeedSequence")

    @property
    def state(self) -> NoReturn:
        """Not shown: whoever knows it knows all that follows."""
        raise NotImplementedError("a samplez.BitGenerator does not show its state")

    @state.setter
    def state(self, value: object) -> NoReturn:
        raise NotImplementedError("a samplez.BitGenerator's state cannot be set")

    def spawn(self, n_children: int) -> NoReturn:
        """Not offered: give each generator a seed of its own."""
        raise NotImplementedError("a samplez.BitGenerator does not spawn: give each generator a seed of its own")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a samplez.BitGenerator cannot be copied or pickled: two copies would give the same bits")


Rng: TypeAlias = Union[
    int, bytes, Source, np.random.Generator, np.random.BitGenerator, np.random.RandomState, None
]
"""What `DiscreteGaussian.sample` takes for randomness."""


def stream_of(rng: object) -> tuple[_samplez.Stream, AbstractContextManager[Any]]:
    """The stream of a `Source` or of a NumPy generator, and the lock to hold while it is drawn from."""
    if isinstance(rng, Source):
        return rng._open(), nullcontext()
    bits = getattr(rng, "bit_generator", None) or getattr(rng, "_bit_generator", rng)
    capsule, lock = getattr(bits, "capsule", None), getattr(bits, "lock", None)
    if capsule is None or lock is None:
        raise TypeError("rng: must be None, an int or 32 bytes as a seed, a samplez.Source, or a NumPy Generator or "
                        f"BitGenerator, not {type(rng).__name__}")
    return _samplez.Stream.over(capsule), lock


Progress: TypeAlias = Callable[[int, int], object]
"""Called with the number of samples made and the number asked for."""

__all__ = ["BitGenerator", "Progress", "Rng", "Source", "SourceInfo", "seed_bytes", "sources", "stream_of"]
