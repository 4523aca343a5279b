"""Samples of any sampler: single ones, and arrays."""

from __future__ import annotations

import inspect
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._numbers import check_last, checked_call, whole, workers_of
from samplez._output import Integers, Size, output, shape_of
from samplez._random import Progress, Rng, Source, is_seed, only_with_a_seed, seed_for, stream_of
from samplez._recipe import Names, hides_unknown, no_keyword, no_position

# Samples of a stream between two looks at Ctrl-C and two calls of `progress`.
STEP = 1 << 20
# Samples that one native call makes without such looks, at most.
FEW = 1 << 16


class Sampling(Names):
    """Draws from the sampler `_sampler`."""

    __slots__ = ()
    _sampler: _samplez.Sampler | _samplez.Noise

    @overload
    def sample(
        self,
        size: None = None,
        *,
        rng: Rng = None,
        dtype: npt.DTypeLike | None = None,
        out: None = None,
        source: str = "chacha20",
        first: int = 0,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> int: ...
    @overload
    def sample(
        self,
        size: Size,
        *,
        rng: Rng = None,
        dtype: npt.DTypeLike | None = None,
        out: Integers | None = None,
        source: str = "chacha20",
        first: int = 0,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> Integers: ...
    @overload
    def sample(
        self,
        size: Size | None = None,
        *,
        rng: Rng = None,
        dtype: npt.DTypeLike | None = None,
        out: Integers,
        source: str = "chacha20",
        first: int = 0,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> Integers: ...
    @hides_unknown
    def sample(
        self,
        size: Size | None = None,
        *unnamed: Any,
        rng: Rng = None,
        dtype: npt.DTypeLike | None = None,
        out: Integers | None = None,
        source: str = "chacha20",
        first: int = 0,
        threads: int | None = 1,
        progress: Progress | None = None,
        **unknown: Any,
    ) -> int | Integers:
        """Draws samples: an int, or an array of shape `size`, filled in place without the interpreter's lock.

        `rng` is one of:

        - ``None``: bits of the operating system.
        - A seed: 32 bytes, or a str of 64 hexadecimal digits. A short seed, an int from 0 to 2^64 - 1, is for results
          to reproduce and not for secrets. Sample number i then is a function of the distribution, `source`, the seed
          and i. It is the same in every language and for any number of `threads`. The array holds the samples `first`,
          `first` + 1, … in C order. Two calls with one seed give the same integers. A NumPy ``SeedSequence`` is the
          seed of its 32 bytes.
        - A `samplez.Source`: its stream's next bits.
        - A NumPy ``Generator``, ``BitGenerator`` or ``RandomState``: its 64-bit words, its lock held. The call takes
          128 words at a time, or 16 first for ``sample(rng=generator)``. It drops the rest of the last ones at its end.

        `dtype` is int8, int16, int32 or int64 (the default). It must hold the sampler's whole support, or leave out a
        mass below 2^-128. Otherwise it is refused before anything is drawn. `out` is a C-contiguous, writeable array to
        fill instead of a new one. `threads` counts for seeds only, and ``None`` takes every core. `progress` is called,
        as ``progress(done, total)``, after every 2^20 samples a thread. Ctrl-C works then, too.

        Raises `TypeError` and `ValueError` for arguments. Raises `OverflowError` with probability below 2^-128, if a
        sample does not fit the dtype all the same; the contents of `out` are then unspecified. Raises `OSError` if a
        source or generator gives no random bits or is stuck. `out` is all zeros then.
        """
        if unnamed:
            raise no_position("sample", (size, *unnamed), ("size",), ("size", "rng"))
        if unknown:
            raise no_keyword(next(iter(unknown)), tuple(inspect.signature(self.sample).parameters))
        plain = type(first) is type(threads) is int and first == 0 and threads == 1
        if out is dtype is progress is None and source == "chacha20" and plain:
            if size is None:
                if rng is None:
                    return self._sampler.one()
                if type(rng) is np.random.Generator:
                    bits = rng.bit_generator
                    with bits.lock:
                        return self._sampler.one_over(bits.capsule)
                if type(rng) is Source:
                    return self._sampler.one_of(rng._open())
            elif type(size) is int and 0 <= size <= FEW:
                if rng is None:
                    return self._sampler.several(size)
                if type(rng) is Source:
                    return self._sampler.several(size, rng._open())
                if type(rng) is np.random.Generator:
                    bits = rng.bit_generator
                    with bits.lock:
                        return self._sampler.several(size, _samplez.Stream.over(bits.capsule))
        checked_call("progress", progress)
        array = self._array(size, dtype, out)
        flat = array.reshape(-1)  # a view: the array is contiguous
        try:
            if is_seed(rng):
                self._addressed(flat, seed_for(source, rng, "rng"), source, first, threads, progress)
            else:
                only_with_a_seed(threads=(1 if threads is None else threads, 1), first=(first, 0), source=(source, "chacha20"))
                self._streamed(flat, rng, progress)
        except OSError:
            flat.fill(0)
            raise
        return int(array[()]) if size is None and out is None else array

    def _addressed(
        self, flat: Integers, seed: bytes, source: str, first: int, threads: int | None, progress: Progress | None
    ) -> None:
        """Samples `first` and on of (source, seed)."""
        first, total = whole("first", first, 0, 2**64 - 1), flat.size
        check_last(first, total, "samples")
        workers = workers_of(threads)
        self._sampler.fill(flat, source, seed, first, workers, progress)

    def _streamed(self, flat: Integers, rng: object, progress: Progress | None) -> None:
        """The next samples of a stream."""
        stream, lock = stream_of(rng)
        with lock:
            for start in range(0, max(flat.size, 1), STEP):
                part = flat[start : start + STEP]
                self._sampler.fill_stream(part, stream)
                if progress is not None:
                    progress(start + part.size, flat.size)

    def _array(self, size: Size | None, dtype: npt.DTypeLike | None, out: Integers | None) -> Integers:
        """A new array, or `out` if it will do."""
        shape = None if size is None else shape_of(size)
        return output(shape, dtype, out, lambda kind, argument: self._sampler.check_dtype(kind.name, argument))
