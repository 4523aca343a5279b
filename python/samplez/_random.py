"""Random sources: seeds, streams, and NumPy's bit generators in both directions."""

from __future__ import annotations

import numbers
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Literal, NamedTuple, NoReturn, SupportsIndex, TypeAlias, TypeGuard, Union, overload
from weakref import WeakSet

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence, ISpawnableSeedSequence

from samplez import _samplez
from samplez._numbers import flag, mistyped, name_of, refusal, shown, whole, wrong, wrong_dtype
from samplez._output import shape_of
from samplez._recipe import SEED, suggests

Seed: TypeAlias = Union[int, str, bytes, bytearray, memoryview, ISeedSequence, None]
"""One of:

- 32 bytes that are not all equal, or a str of 64 hexadecimal digits for them;
- a short seed, an int from 0 to 2^64 - 1, hashed the same in every language, for results to reproduce and not for
  secrets;
- a NumPy ``SeedSequence``, whose first 32 bytes are used;
- ``None`` for 32 bytes of the operating system."""


def _alive(name: str, octets: bytes) -> bytes:
    """The bytes of a seed, unless all are equal."""
    if octets == octets[:1] * len(octets):
        raise refusal("other", name, "32 equal bytes are a seed that was never set; expected 32 random bytes, such as os.urandom(32), or for "
                      "results to reproduce a number below 2^64")
    return octets


def only_with_a_seed(**given: tuple[object, object]) -> None:
    """Refuses arguments that place samples under a seed, with their defaults, beside a stream."""
    for name, (value, default) in given.items():
        if value != default:
            raise wrong(name, value, f"{default}, because rng is a stream, whose bits come in one order; leave {name} out, or pass a seed as rng", "unsupported")


def is_seed(rng: object) -> TypeGuard[Seed]:
    """Whether this is a seed, and no stream."""
    return rng is None or isinstance(rng, (numbers.Integral, bytes, bytearray, memoryview, str, ISeedSequence))


def seed_bytes(seed: Seed, name: str = "seed") -> bytes:
    """The 32 bytes of a seed. Raises `ValueError` and `TypeError`, which show no seed."""
    if seed is None:
        return os.urandom(32)
    if isinstance(seed, (bytes, bytearray, memoryview)):
        octets = bytes(seed)
        if len(octets) != 32:
            raise refusal("other", name, f"has {len(octets)} bytes: expected 32")
        return _alive(name, octets)
    if isinstance(seed, str):
        if seed in _NAMES:
            raise refusal("other", name, f"expected a seed, and this is the name of a source; write {'rng=' if name == 'rng' else ''}samplez.Source({seed!r})", seed)
        return _samplez.seed(name, name_of(name, seed))
    if isinstance(seed, ISeedSequence):
        return _alive(name, seed.generate_state(8, np.uint32).astype("<u4").tobytes())
    if not isinstance(seed, numbers.Integral) and not hasattr(seed, "__index__"):
        way = "a stream has no seed to read; pass the one that it began with" if isinstance(seed, (Source, np.random.Generator, np.random.BitGenerator)) else ""
        raise mistyped(name, seed, "an int, 32 bytes, a str of 64 hexadecimal digits, or a SeedSequence", way)
    number = whole(name, seed, None, None)
    if not 0 <= number < 1 << 64:
        told = shown(number) if number < 0 else ""  # a long number may be a secret
        raise refusal("out-of-range", name, "expected a value between 0 and 2^64 - 1; a longer seed is 32 bytes, or a str of 64 hexadecimal digits",
                      told)
    return _samplez.seed(name, str(number))


class SourceInfo(NamedTuple):
    """The description of a source."""

    name: str
    summary: str
    seeded: bool
    """Whether a seed determines its bits."""
    cryptographic: bool


@suggests
def sources() -> tuple[SourceInfo, ...]:
    """Returns the sources of random bits.

    >>> [source.name for source in samplez.sources()][:3]
    ['chacha20', 'chacha12', 'chacha8']
    """
    return tuple(SourceInfo(*entry) for entry in _samplez.sources())


@suggests
def self_test() -> int:
    """Runs known-answer tests of every cryptographic generator and of the tests of live entropy, and returns their number.

    For programs that require self-tests before use. Nothing else runs them. Raises `RuntimeError` for the first wrong answer: do not
    use the library then.

    >>> samplez.self_test() > 10
    True
    """
    return _samplez.self_test()


_NAMES = frozenset(source.name for source in sources())
_UNSEEDED = frozenset(source.name for source in sources() if not source.seeded)
_CRYPTOGRAPHIC = frozenset(source.name for source in sources() if source.cryptographic)


def seed_for(source: str, seed: Seed, name: str = "seed") -> bytes:
    """A seed for a source, which may take none. An unknown source is left to the library."""
    name_of("source", source)
    if seed is not None and source in _UNSEEDED:
        raise refusal("other", name, f"expected no seed, because source = {source} takes none; leave one of them out")
    return seed_bytes(seed, name)


class Source:
    """One continuous stream of random bits, from which any distributions draw one after the other.

    Like a NumPy generator, it moves on with every call. Its bits have one order, so it fills on one thread. To fill an array on several
    threads, give `DiscreteGaussian.sample` a seed.

    `seed` is 32 bytes, or a str of 64 hexadecimal digits, or ``None`` for a seed from the operating system. A short
    seed, an int from 0 to 2^64 - 1, is for results to reproduce and not for secrets. Sources that take no seed, such as
    ``"os"``, refuse one.

    A forked process would repeat its parent's bits, so a seeded `Source` refuses to work there. A source of the operating system drops
    the bits that the parent read ahead, and reads new ones.

    >>> rng = samplez.Source("chacha20", seed=1)
    >>> g = samplez.DiscreteGaussian("3.2", method="karney")
    >>> g.sample(8, rng=rng).tolist() != g.sample(8, rng=rng).tolist()
    True
    """

    @partial(suggests, ways=SEED)
    def __init__(self, name: str = "chacha20", seed: Seed = None) -> None:
        self._stream = _samplez.Stream(name, seed_for(name, seed))
        self._name = name
        self._process = os.getpid()

    @property
    def name(self) -> str:
        """The source's name."""
        return self._name

    def __repr__(self) -> str:
        return f"samplez.Source({self._name!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a samplez.Source cannot be copied or pickled: two copies would give the same bits")

    def _open(self) -> _samplez.Stream:
        process = os.getpid()
        if self._process != process:
            if self._name not in _UNSEEDED:
                raise RuntimeError("this samplez.Source was made before the process forked, and would repeat its parent's "
                                   "bits: make a new one, with another seed, in each process")
            # A new stream, with no bits of the parent's, nor its lock, which another thread may have held.
            self._stream, self._process = _samplez.Stream(self._name, seed_bytes(None)), process
        return self._stream


class SeedTree(ISpawnableSeedSequence):
    """The `seed_seq` of a `BitGenerator`, by NumPy's protocol: a seed, and the seeds below it. These reveal neither the
    seed nor each other.

    >>> tree = samplez.BitGenerator(seed=1).seed_seq
    >>> [child.generate_state(2).shape for child in tree.spawn(3)], tree.n_children_spawned
    ([(2,), (2,), (2,)], 3)
    """

    def __init__(self, seed: Seed = None) -> None:
        self._seed = seed_bytes(seed)
        self._spawned = 0

    @property
    def n_children_spawned(self) -> int:
        """How many seeds were spawned."""
        return self._spawned

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> npt.NDArray[Any]:
        """The first words of a stream of their own under this seed, of uint32 or uint64."""
        kind = np.dtype(dtype)
        if kind not in (np.dtype(np.uint32), np.dtype(np.uint64)):
            raise wrong_dtype("dtype", kind, "uint32 or uint64")
        size = whole("n_words", n_words, 0, 2**32) * kind.itemsize
        stream = _samplez.Stream("chacha20", _samplez.descendant(self._seed, "state", 0))
        octets = b"".join(stream.seed() for _ in range(0, size, 32))[:size]
        return np.frombuffer(octets, kind.newbyteorder("<")).astype(kind)

    def spawn(self, n_children: int) -> list[SeedTree]:
        """So many new seeds below this one, others with each call."""
        first, self._spawned = self._spawned, self._spawned + whole("n_children", n_children, 0, 2**32)
        return [SeedTree(_samplez.descendant(self._seed, "spawn", number)) for number in range(first, self._spawned)]

    def __repr__(self) -> str:
        return "<samplez SeedTree>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("the seed of a samplez.BitGenerator cannot be copied or pickled: two copies would give the same bits")


_Lock: Any = type(threading.RLock())


class _Guard(_Lock):  # type: ignore[misc]
    """The lock of a generator that a forked process must not use."""


class _Forked(_Lock):  # type: ignore[misc]
    """The lock's replacement in a forked process."""

    def acquire(self, *_: object, **__: object) -> NoReturn:
        raise RuntimeError("this samplez.BitGenerator was made before the process forked, and would repeat its parent's bits: make a "
                           "new one, with another seed, in each process, or give it copyable=True")

    __enter__ = acquire


_GUARDS: WeakSet[Any] = WeakSet()


def _guard() -> None:
    for lock in list(_GUARDS):
        lock.__class__ = _Forked


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_guard)


class BitGenerator(np.random.BitGenerator):
    """One of the sources as a bit generator of NumPy: ``numpy.random.Generator(samplez.BitGenerator("chacha20"))``.

    All of `numpy.random`'s distributions run on it. The seed is as for `Source`; a source that takes none can fail
    at any word, which NumPy cannot report, and is refused.

    `spawn` and `jumped` give generators of independent streams. Two copies of a generator give the same bits. So it
    shows no state, is neither copied nor pickled, and refuses to work in a process that was forked after it was made.
    With ``copyable=True`` it does all of that, as NumPy's own do, and its state has the seed.

    >>> import numpy
    >>> rng = numpy.random.Generator(samplez.BitGenerator("chacha20", seed=1))
    >>> bool(0 <= rng.random() < 1), [bool(0 <= child.random() < 1) for child in rng.spawn(2)]
    (True, [True, True])
    """

    @partial(suggests, ways=SEED)
    def __init__(self, source: str = "chacha20", seed: Seed = None, *, copyable: bool = False) -> None:
        flag("copyable", copyable)
        super().__init__(0)  # the base class's own seed, which nothing reads
        self._root = seed_for(source, seed)
        self._name, self._copyable, self._jumps = source, bool(copyable), 0
        self._sequence: ISeedSequence = seed if isinstance(seed, ISeedSequence) else SeedTree(self._root)
        self._lock = _Guard()
        if not copyable:
            _GUARDS.add(self._lock)
        self._begin(0)

    def _begin(self, taken: int) -> None:
        """Goes to a place in the stream; the lock is held, or nobody else has the generator yet."""
        seed = _samplez.descendant(self._root, "jumped", self._jumps) if self._jumps else self._root
        self._offered = _samplez.Offered(self.capsule, self._name, seed, taken)

    def __repr__(self) -> str:
        return f"samplez.BitGenerator({self._name!r})"

    @property
    def lock(self) -> Any:  # type: ignore[override]
        """Held while words are drawn."""
        return self._lock

    @overload
    def random_raw(self, size: None = None, output: Literal[True] = True) -> int: ...
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex], output: Literal[True] = True) -> npt.NDArray[np.uint64]: ...
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex] | None, output: Literal[False]) -> None: ...
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex] | None = None, *, output: Literal[False]) -> None: ...
    @suggests
    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """The next words, as NumPy's generators give them: an int, or an array of uint64."""
        if size is not None:
            shape_of(size)
        with self._lock:
            return super().random_raw(size, output)  # type: ignore[call-overload]

    @property
    def seed_seq(self) -> ISeedSequence:
        """The ``SeedSequence`` that was given, or the seed as one."""
        with self._lock:
            return self._sequence

    @suggests
    def spawn(self, n_children: int) -> list[BitGenerator]:
        """Returns so many new generators, under seeds that `seed_seq` spawns."""
        sequence = self.seed_seq
        if not isinstance(sequence, ISpawnableSeedSequence):
            raise TypeError(f"seed: expected one that spawns, and a {type(sequence).__name__} does not")
        seeds = sequence.spawn(whole("n_children", n_children, 0, 2**32))
        return [BitGenerator(self._name, seed, copyable=self._copyable) for seed in seeds]

    @suggests
    def jumped(self, jumps: int = 1) -> BitGenerator:
        """Returns a new generator at the beginning of the stream so many jumps away. It is independent of this one's
        stream, and the same from any position of it. Two jumps are a jump from the jumped.

        >>> bits = samplez.BitGenerator(seed=1)
        >>> bits.jumped(2).random_raw() == bits.jumped().jumped().random_raw()
        True
        """
        with self._lock:
            new = BitGenerator(self._name, self._root, copyable=self._copyable)
            new._jumps = self._jumps + whole("jumps", jumps, 1, 2**62)
            new._sequence = SeedTree(_samplez.descendant(self._root, "jumped tree", new._jumps))
            new._begin(0)
        return new

    def _place(self) -> dict[str, Any]:
        with self._lock:
            taken = self._offered.taken()
        return {"source": self._name, "seed": self._root.hex(), "jumps": self._jumps, "taken": taken}

    @property
    def state(self) -> dict[str, Any]:
        """Source, seed, jumps, and how many bytes were taken. Only a generator with ``copyable=True`` has it, because
        the state reveals all that follows."""
        if not self._copyable:
            raise NotImplementedError("a samplez.BitGenerator shows its state only with copyable=True")
        return {"bit_generator": "BitGenerator", **self._place()}

    @state.setter
    def state(self, value: Mapping[str, Any]) -> None:
        if not self._copyable:
            raise NotImplementedError("a samplez.BitGenerator's state can be set only with copyable=True")
        names = {"bit_generator", "source", "seed", "jumps", "taken"}
        if not isinstance(value, Mapping) or set(value) != names or value["bit_generator"] != "BitGenerator":
            raise ValueError(f"state: expected that of a samplez.BitGenerator, with {', '.join(sorted(names))}")
        seed = seed_for(value["source"], name_of("seed", value["seed"]))
        jumps, taken = (whole(name, value[name], 0, 2**63 - 1) for name in ("jumps", "taken"))
        with self._lock:
            self._name, self._root, self._jumps = value["source"], seed, jumps
            self._begin(taken)

    def __reduce__(self) -> Any:
        if not self._copyable:
            raise TypeError("a samplez.BitGenerator cannot be copied or pickled, for two copies would give the same bits, unless it has "
                            "copyable=True")
        sequence = self._sequence
        kept = (sequence._seed, sequence._spawned) if isinstance(sequence, SeedTree) else sequence
        return _restored, (self.state, kept)


def _restored(state: Mapping[str, Any], kept: Any) -> BitGenerator:
    """A copy of a generator."""
    bits = BitGenerator(state["source"], state["seed"], copyable=True)
    bits.state = state
    if isinstance(kept, tuple):
        tree = SeedTree(kept[0])
        tree._spawned, kept = kept[1], tree
    bits._sequence = kept
    return bits


Rng: TypeAlias = Union[
    int, str, bytes, bytearray, memoryview, ISeedSequence, Source, np.random.Generator, np.random.BitGenerator, np.random.RandomState, None
]
"""The randomness that `DiscreteGaussian.sample` takes."""


def open_stream(rng: Rng) -> tuple[_samplez.Stream, AbstractContextManager[Any]]:
    """The stream of whatever is taken for randomness, of ChaCha20 under a seed, and the lock to hold while it is drawn from."""
    return (_samplez.Stream("chacha20", seed_bytes(rng, "rng")), nullcontext()) if is_seed(rng) else stream_of(rng)


def stream_of(rng: object) -> tuple[_samplez.Stream, AbstractContextManager[Any]]:
    """The stream of a `Source` or of a NumPy generator, and the lock to hold while it is drawn from."""
    if isinstance(rng, Source):
        return rng._open(), nullcontext()
    bits = getattr(rng, "bit_generator", None) or getattr(rng, "_bit_generator", rng)
    capsule, lock = getattr(bits, "capsule", None), getattr(bits, "lock", None)
    if capsule is None or lock is None:
        way = "write numpy.random.default_rng()" if rng is np.random else ""
        raise mistyped("rng", rng, "None, a seed (32 bytes, a str, an int or a SeedSequence), a samplez.Source, or a NumPy Generator or BitGenerator", way)
    return _samplez.Stream.over(capsule), lock


def secret_seed(rng: Rng) -> bytes:
    """The 32 bytes on which an operation with secrets starts: the seed that `rng` is, or the next ones of a cryptographic `Source` or
    `BitGenerator`."""
    bits = getattr(rng, "bit_generator", None) or getattr(rng, "_bit_generator", rng)
    if isinstance(bits, (Source, BitGenerator)):
        name, kind = bits._name, f"samplez.{type(bits).__name__} over {bits._name}"
    elif isinstance(bits, np.random.BitGenerator):
        name, kind = "", f"NumPy {type(bits).__name__}"
    elif isinstance(rng, ISeedSequence) and not isinstance(rng, SeedTree):
        name, kind = "", f"NumPy {type(rng).__name__}"
    elif is_seed(rng):
        return seed_bytes(rng, "rng")
    else:
        raise TypeError("rng: expected None, a seed (32 bytes, a str or an int), a samplez.Source or a samplez.BitGenerator, not "
                        f"{type(rng).__name__}")
    if name not in _CRYPTOGRAPHIC:
        raise ValueError(f"rng: a {kind} is not cryptographic: expected None, a seed, or a samplez.Source or samplez.BitGenerator over "
                         "a cryptographic source")
    stream, lock = stream_of(bits)
    with lock:
        return stream.seed()


Progress: TypeAlias = Callable[[int, int], object]
"""Called with the number of samples made and the number asked for."""

__all__ = ["BitGenerator", "Progress", "Rng", "Seed", "SeedTree", "Source", "SourceInfo", "is_seed", "open_stream", "secret_seed", "seed_for",
           "self_test", "sources", "stream_of"]
