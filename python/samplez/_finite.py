"""Noises that are no Gaussian, and samplers over tables of one's own."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from samplez import _samplez
from samplez._big import remade
from samplez._certificate import Certificate, certificate_of
from samplez._gaussian import DiscreteGaussian
from samplez._law import Functions, values_of
from samplez._numbers import Number, exact_text, flag, mistyped, name_of, only_one, whole
from samplez._output import Integers, output
from samplez._random import Rng, open_stream
from samplez._recipe import Names, as_typed, kind_of, recipe_text, retold, suggests
from samplez._sampling import Sampling
from samplez._typing import Self, Wholes


_KINDS = dict(_samplez.laws())
"""Whether a law has no parameter, a whole number or any number: ``flag``, ``whole`` or ``number``."""


class OtherNoise(Functions, Sampling):
    """Exact noise about 0 that is no Gaussian. Give one of the five distributions:

    - ``ternary=True``: uniform on -1, 0 and 1, as for the secrets of homomorphic encryption. Isochronous.
    - `centered_binomial`: CBD(η), the sum of η fair bits minus the sum of as many others, for η from 1 to 2^20. The variance is η/2.
      ML-KEM has 2 and 3, Microsoft SEAL 21. A sample takes 2η random bits.
    - `tuniform`: TFHE's TUniform(b), uniform on -2^b to 2^b, except that each end has half the mass of the others. b is from 0 to 62.
    - `skellam`: the difference of two independent Poisson variables of mean V/2 each, for a variance V from 2^-16 to 2^20. P(X = x) is
      e^-V·I_|x|(V). The variances of independent Skellam variables add: for a larger one, add samples.
    - `discrete_laplace`: P(X = x) is proportional to exp(-|x|/t), for a scale t from 2^-16 to 2^50. If t is Δ/ε, this noise gives
      ε-differential privacy to counts of sensitivity Δ; `samplez.dp.discrete_laplace_mechanism` adds it. With `clip`, a whole number from 1
      and t/2 to 2^53, it is this distribution given that |X| is at most `clip`. Isochronous. For such counts it gives (ε, δ)-differential
      privacy, with δ = P(clip - Δ < X <= clip), and not ε alone.

    All but the first are sampled in constant time. With probability 2^-t, for t from 100 to 127, a remainder replaces a sample of Skellam's
    law; with a probability from 2^-61 to 2^-53, a sample of discrete Laplace noise needs more bits. Only then the time depends on it. Setting
    up Skellam noise, and each sample, takes time in proportion to the standard deviation.

    `sample` is that of `DiscreteGaussian`: the same seeds, generators, dtypes and threads. Immutable, and picklable.

    >>> noise = samplez.OtherNoise(centered_binomial=21)
    >>> noise.var(), noise.support(), noise.timing
    (10.5, (-21, 21), 'constant')
    >>> samplez.verify(noise.sample(100_000, rng=1), noise).consistent
    True
    >>> samplez.OtherNoise(ternary=True).sample(8, rng=1, dtype="int8").tolist()
    [1, 1, 1, 0, 0, -1, 0, -1]
    >>> samplez.OtherNoise(centered_binomial=2).pmf([-2, 0, 3]).tolist(), samplez.OtherNoise(skellam="2.5").pmf(0)
    ([0.0625, 0.375, 0.0], 0.27004644161220276)
    """

    __slots__ = ("__weakref__", "_law", "_sampler")
    _sampler: _samplez.Noise
    _law: _samplez.TargetLaw | None

    @partial(suggests, beside=("samplez.DiscreteGaussian", ("sigma", "center", "sigma_squared", "k_sigma2", "s")))
    def __init__(
        self,
        *,
        ternary: bool = False,
        centered_binomial: SupportsIndex | None = None,
        tuniform: SupportsIndex | None = None,
        skellam: Number | None = None,
        discrete_laplace: Number | None = None,
        clip: SupportsIndex | None = None,
    ) -> None:
        flag("ternary", ternary)
        name, value = only_one("distribution", {
            "ternary": ternary or None, "centered_binomial": centered_binomial, "tuniform": tuniform, "skellam": skellam,
            "discrete_laplace": discrete_laplace,
        })
        if _KINDS[name] == "whole":
            value = whole(name, cast(SupportsIndex, value), None, None)
        pairs = [(name, "" if _KINDS[name] == "flag" else exact_text(name, value))]
        if clip is not None:
            pairs.append(("clip", str(whole("clip", clip, None, None))))
        try:
            self._set(_samplez.recipe(pairs))
        except ValueError as refused:
            raise as_typed(refused, {name: value, "clip": clip}) from None

    @classmethod
    @suggests
    def from_recipe(cls, recipe: str) -> Self:
        """Builds the noise of a recipe, as `DiscreteGaussian.from_recipe` does. Raises `ValueError`.

        >>> samplez.OtherNoise.from_recipe("laplace=1.5")
        samplez.OtherNoise(discrete_laplace='3/2')
        """
        try:
            return remade(cls, name_of("recipe", recipe))
        except ValueError as refused:
            raise (retold(refused, value=recipe) if vars(refused).get("argument") == "recipe" else refused) from None

    @property
    def recipe(self) -> str:
        """The distribution as a text, in lowest terms: the same in every language.

        >>> samplez.OtherNoise(skellam=2.5).recipe, samplez.OtherNoise(ternary=True).recipe
        ('skellam=5/2', 'ternary')
        """
        return self._sampler.text

    def _set(self, recipe: str) -> None:
        self._law, self._sampler = None, _samplez.Noise.recipe(recipe)

    def _target(self) -> _samplez.TargetLaw:
        if self._law is None:
            self._law = _samplez.TargetLaw(self.recipe, False, None, None, None)
        return self._law

    def _at(self, name: str, x: object) -> Any:
        return values_of(self._target(), name, x)

    @property
    def timing(self) -> str:
        """``constant`` or ``isochronous``."""
        return self._sampler.timing()

    @suggests
    def mean(self) -> float:
        """0."""
        return 0.0

    @suggests
    def var(self) -> float:
        """The variance."""
        return float(self._sampler.variance() or 0.0)

    @suggests
    def support(self) -> tuple[int, int]:
        """The least and the largest value, which a dtype must hold. For Skellam and discrete Laplace noise, which is on all integers, two
        values between which all but 2^-128 of the distribution lies."""
        return self._sampler.support()

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (type(self), self.recipe)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OtherNoise) and self.recipe == other.recipe

    def __hash__(self) -> int:
        return hash(self.recipe)

    def __repr__(self) -> str:
        law, _, clip = self.recipe.partition(",clip=")
        short, _, parameter = law.partition("=")
        name = next(name for name in _KINDS if name.endswith(short))
        value = {"flag": "True", "whole": parameter, "number": repr(parameter)}[_KINDS[name]]
        return f"samplez.OtherNoise({name}={value}{', clip=' if clip else ''}{clip})"


def of_recipe(recipe: str) -> DiscreteGaussian | OtherNoise:
    """The distribution of a recipe."""
    try:
        return DiscreteGaussian.from_recipe(recipe)
    except ValueError as refused:
        if (kind_of(refused), vars(refused).get("argument")) != ("unsupported", "recipe"):
            raise
    return _kept(recipe)


@lru_cache(maxsize=32)
def _kept(recipe: str) -> OtherNoise:
    """Like Gaussians, equal ones are built once a process."""
    return OtherNoise.from_recipe(recipe)


_SPARSE = {**dict.fromkeys(("h", "hw", "hamming_weight"), "write weight for the entries that are not 0"), **dict.fromkeys(("n", "size", "dimension"), "write length for the number of entries")}


class SparseTernary(Names):
    """Secrets of `length` entries in -1, 0 and 1, of which exactly `weight` are not 0: uniform over all such vectors. Isochronous.

    >>> secret = samplez.SparseTernary(4096, weight=192).sample(rng=1)
    >>> secret.dtype, int(abs(secret).sum())
    (dtype('int8'), 192)
    """

    __slots__ = ("_length", "_weight")

    @partial(suggests, ways=_SPARSE)
    def __init__(self, length: SupportsIndex, *, weight: SupportsIndex) -> None:
        self._length = whole("length", length, 1, 2**63 - 1)
        self._weight = whole("weight", weight, 1, self._length)

    @partial(suggests, ways=dict.fromkeys(("size", "count", "n", "shape"), "a call draws one vector"))
    def sample(self, *, rng: Rng = None, dtype: npt.DTypeLike | None = None, out: Integers | None = None) -> Integers:
        """Draws one vector: a new array of int8 or of `dtype`, or `out`.

        `rng` is as for `DiscreteGaussian.sample`. A seed is that of the stream of ChaCha20, in every language the same. Raises `OSError`
        if a source or generator fails; `out` is all zeros then.
        """
        given = np.int8 if dtype is None and out is None else dtype
        array = output((self._length,), given, out, lambda *_: None, "length")
        stream, lock = open_stream(rng)
        with lock:
            _samplez.fill_sparse(array, self._weight, stream)
        return array

    def __reduce__(self) -> tuple[Any, ...]:
        return _sparse, (self._length, self._weight)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SparseTernary) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__())

    def __repr__(self) -> str:
        return f"<samplez.SparseTernary({self._length}, weight={self._weight})>"


def _sparse(length: int, weight: int) -> SparseTernary:
    """The law of a pickle."""
    return SparseTernary(length, weight=weight)


class TableSampler(Sampling):
    """A constant-time sampler over a table of yours, such as the one of a specification. Its law is the table's.

    `entries` are integers of at most 320 bits, and `form` states what they are, in the words of ``samplez certify --form``:
    ``"folded,tail,72"``, ``"full,tail,first=-10,64"``, or ``"frodo"``. The width and the centre are those of `DiscreteGaussian`: the law
    aimed at, from which `certificate` computes the distance.

    Raises `ValueError` for entries that do not form a table of this form, and for a form without such a sampler. Samplers are equal if entries,
    form and law are. Picklable, with the entries.

    >>> frodo = [9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1]
    >>> errors = samplez.TableSampler(frodo, "frodo", sigma="2.8")
    >>> errors.sample((640, 8), rng=1, dtype="int16").shape, errors.certificate().support
    ((640, 8), Support(min=-12, max=12))
    >>> errors.certificate().exact
    False
    """

    __slots__ = ("__weakref__", "_given", "_sampler")
    _sampler: _samplez.Noise
    _given: tuple[str, str, bytes]

    @suggests
    def __init__(
        self,
        entries: Wholes | npt.NDArray[Any],
        form: str,
        *,
        sigma: Number | None = None,
        center: Number | None = None,
        sigma_squared: Number | None = None,
        k_sigma2: Number | None = None,
        s: Number | None = None,
    ) -> None:
        widths = {"sigma": sigma, "sigma_squared": sigma_squared, "k_sigma2": k_sigma2, "s": s}
        law = recipe_text({**widths, "center": center}, {})
        if not isinstance(entries, (list, tuple, np.ndarray)) or np.ndim(cast("npt.ArrayLike", entries)) != 1:
            raise mistyped("entries", entries, "a sequence of integers")
        wholes = [whole(f"entries[{i}]", entry, 0, 2**320 - 1) for i, entry in enumerate(entries)]
        words = b"".join(entry.to_bytes(40, "little") for entry in wholes)
        self._set(law, name_of("form", form), words)

    def _set(self, law: str, form: str, words: bytes) -> None:
        self._given = law, form, words
        try:
            self._sampler = _samplez.Noise.table(law, form, words)
        except ValueError as refused:
            raise (retold(refused, value=form) if vars(refused).get("argument") == "form" else refused) from None

    @suggests
    def certificate(self, samples_per_time: int = 1) -> Certificate:
        """Returns the distance of the table's law from the law aimed at. `samples_per_time` is as for `DiscreteGaussian`."""
        return certificate_of(self._sampler, whole("samples_per_time", samples_per_time, 1, 2**64 - 1))

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (type(self), *self._given)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableSampler) and self._given == other._given

    def __hash__(self) -> int:
        return hash(self._given)

    def __repr__(self) -> str:
        return f"<samplez.TableSampler: {self.certificate().law}>"


__all__ = ["OtherNoise", "SparseTernary", "TableSampler", "of_recipe"]
