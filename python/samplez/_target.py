"""Laws beside D_Z that libraries draw from: the rounded normal, cut laws, residues."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any, SupportsIndex, cast

import numpy as np

from samplez import _samplez
from samplez._law import Functions, values_of
from samplez._numbers import Number, exact_text, given_too, mistyped, name_of, whole, wrong
from samplez._recipe import BIG, arguments, kind_of, recipe_text, retold, suggests


_OF_RECIPE = {
    name: f"samplez.TargetLaw.from_recipe takes this law, such as {one!r}"
    for names, one in ((("laplace", "discrete_laplace"), "laplace=4"), (("cbd", "centered_binomial"), "cbd=2"), (("skellam",), "skellam=3"), (("tuniform",), "tuniform=5"), (("ternary",), "ternary"))
    for name in names
}
"""The laws that a recipe states."""


class TargetLaw(Functions):
    """A law that samples may have: D_{Z,σ,c} or the rounded normal, either of them cut or reduced modulo q.

    - `law` is ``"discrete"`` for D_Z, the default, or ``"rounded"`` for the integer nearest to a normal variable with this σ and centre.
    - `clip` cuts the law to the x with |x - c| <= clip, and `range` to those with low <= x <= high. The law is then that of a
      sampler that draws again beyond.
    - `modulus` is q. The law is then that of X modulo q, as q integers about the centre, one for each residue.

    The width and the centre are those of `DiscreteGaussian`; `from_recipe` builds a sum of laws. Probabilities are correctly rounded doubles; of residues, from 2^-900 on.
    Raises `ValueError` for an argument outside its range, and `TypeError` for one of another type. Immutable.

    >>> law = samplez.TargetLaw("3.2", law="rounded", clip=19)
    >>> print(law)
    RoundedNormal(sigma = 16/5, center = 0), -19 <= x <= 19
    >>> law.pmf(0), law.cdf(19), law.support()
    (0.12416403375353752, 1.0, (-19, 19))
    >>> residues = samplez.TargetLaw("3.2", modulus=12289)
    >>> residues.pmf([0, 1, 12288]).tolist(), residues.support()
    ([0.12466946262544772, 0.11872831443707117, 0.11872831443707117], (-6144, 6144))
    """

    __slots__ = ("_arguments", "_modulus", "_native")
    _native: _samplez.TargetLaw
    _arguments: tuple[str, bool, str | None, tuple[int, int] | None, int | None]

    @partial(suggests, ways=_OF_RECIPE)
    def __init__(
        self,
        sigma: Number | None = None,
        *,
        center: Number | None = None,
        sigma_squared: Number | None = None,
        k_sigma2: Number | None = None,
        s: Number | None = None,
        law: str = "discrete",
        clip: Number | None = None,
        range: tuple[SupportsIndex, SupportsIndex] | None = None,
        modulus: SupportsIndex | None = None,
    ) -> None:
        family = name_of("law", law)
        if family not in ("discrete", "rounded"):
            raise wrong("law", family, "discrete or rounded")
        if clip is not None and range is not None:
            raise given_too("range", range, "clip")
        ends = _ends(range)
        self._modulus = None if modulus is None else whole("modulus", modulus, 2, 2**64)
        widths = {"sigma": sigma, "sigma_squared": sigma_squared, "k_sigma2": k_sigma2, "s": s}
        given = {**widths, "center": center}
        try:
            recipe = recipe_text(given, {})
        except ValueError as error:
            if "from_recipe takes a recipe" in str(error):
                raise retold(error, reason=f"{vars(error)['reason'].rpartition('; ')[0]}; samplez.TargetLaw.from_recipe takes a recipe") from None
            # Residues of a law beyond 64 bits.
            if kind_of(error) != "too-long" or self._modulus is None or family == "rounded" or clip is not None or ends is not None:
                raise
            recipe = ",".join(f"{name}={exact_text(name, value)}" for name, value in given.items() if value is not None)
        self._arguments = (recipe, family == "rounded", None if clip is None else exact_text("clip", clip), ends, self._modulus)
        self._native = _samplez.TargetLaw(*self._arguments)

    @classmethod
    @suggests
    def from_recipe(cls, recipe: str, *, range: tuple[SupportsIndex, SupportsIndex] | None = None, modulus: SupportsIndex | None = None) -> TargetLaw:
        """Builds the law of a recipe, without its method and options, or of a sum or difference of independent terms, each with spaces around its
        sign. ``1000*`` before a term multiplies its samples, ``copies=500`` in it adds so many of them, and ``weights=LOW: W W W`` is a table: its
        values are LOW, LOW + 1, …, with probabilities proportional to these whole numbers.

        ``laplace=4,clip=20`` is cut, and ``law=rounded,laplace=4`` is the integer nearest to a Laplace variable.

        Probabilities of a sum have a relative error below 2^-18, and for two terms of a thousand values below 2^-40. Less than 2^-180 lies beyond `support`. A sum has at most 2^20 values.
        Raises `ValueError`.

        >>> law = samplez.TargetLaw.from_recipe("laplace=4,copies=2 - weights=0: 1 2 1", modulus=12289)
        >>> print(law)
        2 copies of DiscreteLaplace(4) - weights(0: 1 2 1), modulo 12289
        >>> round(law.mean(), 9), round(law.var(), 3)
        (-1.0, 64.168)
        """
        try:
            return _of(name_of("recipe", recipe), False, None, _ends(range), None if modulus is None else whole("modulus", modulus, 2, 2**64))
        except ValueError as refused:
            raise (retold(refused, reason=f"{vars(refused)['reason']}; {BIG}") if kind_of(refused) == "too-long" else refused) from None

    def __reduce__(self) -> tuple[Any, ...]:
        return _of, self._arguments

    def __str__(self) -> str:
        return str(self._native)

    def __repr__(self) -> str:
        recipe, rounded, clip, range, modulus = self._arguments
        given = {"law": "rounded" if rounded else None, "clip": clip, "range": range, "modulus": modulus}
        more = "".join(f", {name}={value!r}" for name, value in given.items() if value is not None)
        pairs = [pair.partition("=") for pair in recipe.split(",")]
        is_plain = all(name in _WORDS and "=" not in value for name, _, value in pairs)
        return f"TargetLaw({arguments(recipe)}{more})" if is_plain else f"TargetLaw.from_recipe({recipe!r}{more})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TargetLaw) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def _at(self, name: str, x: object) -> Any:
        if self._modulus is not None and name in ("pmf", "logpmf"):
            x = self._representatives(x, self._modulus)
        return values_of(self._native, name, x)

    def _representatives(self, x: object, q: int) -> Any:
        """The values of the support with the residues of the integers in x. Other numbers remain, and have probability 0."""
        values = np.asarray(x)
        if values.dtype.kind not in "iufO":
            return x
        low = self._native.support()[0]

        def residue(value: object) -> object:
            is_whole = isinstance(value, (int, float, Fraction)) and not isinstance(value, bool) and value % 1 == 0
            return (int(cast(int, value)) - low) % q + low if is_whole else value

        if values.dtype == object:
            return np.vectorize(residue, otypes=[object])(values)
        different, places = np.unique(values, return_inverse=True)
        residues = [residue(value) for value in different.tolist()]
        kept = np.array(residues, dtype=np.int64 if all(isinstance(value, int) for value in residues) else object)
        return kept[places.reshape(values.shape)]

    def _moments(self) -> tuple[float, float]:
        moments = self._native.mean_and_variance()
        if moments is None:
            raise ValueError(f"{self}: the moments are known for at most 2^16 values; leave clip, range or modulus out")
        return moments

    @suggests
    def mean(self) -> float:
        """E[X], to some units in the last place. Raises `ValueError` for a cut or reduced law of more than 2^16 values."""
        return self._moments()[0]

    @suggests
    def var(self) -> float:
        """The variance, to some units in the last place. Raises as `mean`.

        >>> round(samplez.TargetLaw(10, law="rounded").var(), 9)
        100.083333333
        """
        return self._moments()[1]

    @suggests
    def support(self) -> tuple[float, float]:
        """The least and the largest value: (-inf, inf) for a recipe's law that is neither cut nor reduced."""
        low, high = self._native.support()
        is_clipped = any(pair.partition("=")[0].strip() == "clip" for pair in self._arguments[0].replace("&", ",").split(","))
        is_whole = self._arguments[2:] == (None, None, None) and not is_clipped and not self._native.is_sum()
        return (-math.inf, math.inf) if is_whole else (low, high)


_WORDS = ("sigma", "sigma_squared", "k_sigma2", "s", "center")
"""The words of a Gaussian's recipe that are keyword arguments."""


def _ends(range: tuple[SupportsIndex, SupportsIndex] | None) -> tuple[int, int] | None:
    """Both ends of a range."""
    if range is None:
        return None
    if not isinstance(range, (tuple, list)) or len(range) != 2:
        raise mistyped("range", range, "two integers, such as (-19, 19)")
    least, most = (whole("range", end, -(2**63), 2**63 - 1) for end in range)
    if least > most:
        raise wrong("range", (least, most), "the least value first, such as (-19, 19)")
    return least, most


def _of(recipe: str, rounded: bool, clip: str | None, range: tuple[int, int] | None, modulus: int | None) -> TargetLaw:
    """The law of a pickle."""
    self = TargetLaw.__new__(TargetLaw)
    self._arguments, self._modulus = (recipe, rounded, clip, range, modulus), modulus
    self._native = _samplez.TargetLaw(*self._arguments)
    return self


__all__ = ["TargetLaw"]
