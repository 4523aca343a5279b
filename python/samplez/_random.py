"""Random sources: seeds, streams, and NumPy's bit generators in both directions."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, NoReturn, TypeAlias, Union

import numpy as np

from samplez import _samplez
from samplez._numbers import name_of, whole

Seed: TypeAlias = Union[int, str, bytes, None]
"""32 bytes, or a str of 64 hexadecimal digits; an int from 0 to 2^64 - 1, a short seed, hashed the same in every language, for
results to reproduce and not for secrets; or ``None`` for 32 bytes of the operating system."""


def seed_bytes(seed: Seed, name: str = "seed") -> bytes:
    """The 32 bytes of a seed. Raises `ValueError` and `TypeError`, which show no seed."""
    if seed is None:
        return os.urandom(32)
    if isinstance(seed, (bytes, bytearray, memoryview)):
        octets = bytes(seed)
        if len(octets) != 32:
            raise ValueError(f"{name}: has {len(octets)} bytes, must have 32")
        return octets
    if isinstance(seed, str):
        return _samplez.seed(name, name_of(name, seed))
    number = whole(name, seed, None, None)
    if number < 0:
        raise ValueError(f"{name} = {number}: must lie between 0 and 2^64 - 1")
    if number >= 1 << 64:
        raise ValueError(f"{name}: a number must lie between 0 and 2^64 - 1; a longer seed is 32 bytes, or a str of 64 "
                         "hexadecimal digits")
    return _samplez.seed(name, str(number))


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


_UNSEEDED = frozenset(source.name for source in sources() if not source.seeded)
_CRYPTOGRAPHIC = frozenset(source.name for source in sources() if source.cryptographic)


def seed_for(source: str, seed: Seed, name: str = "seed") -> bytes:
    """A seed for a source, which may take none. An unknown source is left to the library."""
    name_of("source", source)
    if seed is not None and source in _UNSEEDED:
        raise ValueError(f"{name}: source = {source} takes no seed")
    return seed_bytes(seed, name)


class Source:
    """One continuous stream of random bits, from which any distributions draw one after the other.

    It moves on with every call, as a NumPy generator does. Its bits have one order, so it fills on one thread; for
    arrays that any number of threads may fill, give `DiscreteGaussian.sample` a seed.

    `seed` is 32 bytes, or a str of 64 hexadecimal digits; an int from 0 to 2^64 - 1, a short seed, for results to reproduce and
    not for secrets; or ``None`` for one from the operating system. Sources that take no seed, such as ``"os"``, refuse one.

    A process that was forked would repeat its parent's bits; a seeded `Source` refuses to work there.

    >>> rng = samplez.Source("chacha20", seed=1)
    >>> g = samplez.DiscreteGaussian("3.2", method="karney")
    >>> g.sample(8, rng=rng).tolist() != g.sample(8, rng=rng).tolist()
    True
    """

    def __init__(self, name: str = "chacha20", seed: Seed = None) -> None:
        self._stream = _samplez.Stream(name, seed_for(name, seed))
        self._name = name
        self._process = None if name in _UNSEEDED else os.getpid()

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

    def __init__(self, source: str = "chacha20", seed: Seed = None) -> None:
        super().__init__(0)  # the base class's own seed, which nothing reads
        self._offered = _samplez.Offered(self.capsule, source, seed_for(source, seed))
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
    int, str, bytes, Source, np.random.Generator, np.random.BitGenerator, np.random.RandomState, None
]
"""What `DiscreteGaussian.sample` takes for randomness."""


def stream_of(rng: object) -> tuple[_samplez.Stream, AbstractContextManager[Any]]:
    """The stream of a `Source` or of a NumPy generator, and the lock to hold while it is drawn from."""
    if isinstance(rng, Source):
        return rng._open(), nullcontext()
    bits = getattr(rng, "bit_generator", None) or getattr(rng, "_bit_generator", rng)
    capsule, lock = getattr(bits, "capsule", None), getattr(bits, "lock", None)
    if capsule is None or lock is None:
        raise TypeError("rng: must be None, a seed (32 bytes, a str or an int), a samplez.Source, or a NumPy Generator or "
                        f"BitGenerator, not {type(rng).__name__}")
    return _samplez.Stream.over(capsule), lock


def secret_seed(rng: Rng) -> bytes:
    """The 32 bytes on which an operation with secrets starts: the seed that `rng` is, or the next ones of a cryptographic `Source` or
    `BitGenerator`."""
    bits = getattr(rng, "bit_generator", None) or getattr(rng, "_bit_generator", rng)
    if isinstance(bits, (Source, BitGenerator)):
        name, kind = bits._name, f"samplez.{type(bits).__name__} over {bits._name}"
    elif isinstance(bits, np.random.BitGenerator):
        name, kind = "", f"NumPy {type(bits).__name__}"
    elif rng is None or isinstance(rng, (int, np.integer, bytes, bytearray, memoryview, str)):
        return seed_bytes(rng, "rng")
    else:
        raise TypeError("rng: must be None, a seed (32 bytes, a str or an int), a samplez.Source or a samplez.BitGenerator, not "
                        f"{type(rng).__name__}")
    if name not in _CRYPTOGRAPHIC:
        raise ValueError(f"rng: a {kind} is not cryptographic; must be None, a seed, or a samplez.Source or samplez.BitGenerator over "
                         "a cryptographic source")
    stream, lock = stream_of(bits)
    with lock:
        return stream.seed()


Progress: TypeAlias = Callable[[int, int], object]
"""Called with the number of samples made and the number asked for."""

__all__ = ["BitGenerator", "Progress", "Rng", "Seed", "Source", "SourceInfo", "secret_seed", "seed_for", "sources", "stream_of"]
