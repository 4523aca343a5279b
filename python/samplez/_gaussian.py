"""The distribution: sampling and probabilities."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from samplez import _samplez
from samplez._certificate import Certificate, certificate_of, rows_of
from samplez._html import table
from samplez._law import Law
from samplez._numbers import Number, name_of, whole
from samplez._output import Integers
from samplez._recipe import BIG, Options, arguments, as_typed, build, is_big, kind_of, recipe_text, retold, shows_options, suggests
from samplez._sampling import Sampling
from samplez._typing import Self, Unpack

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:
    Axes = Any  # Matplotlib need not be there


class DiscreteGaussian(Sampling, Law):
    """The discrete Gaussian over the integers, D_{Z,σ,c}: P(X = x) is proportional to exp(-(x-c)²/(2σ²)).

    The width is given in one of four forms: `sigma`, `sigma_squared`, `k_sigma2` (σ = k·sqrt(1/(2 ln 2)), as in BLISS)
    or `s` (σ = s/sqrt(2π)). `center` is 0 by default. Numbers are a str, int, Fraction, Decimal, float, or a rational
    number of NumPy, Sage, gmpy2, mpmath or SymPy, and none is rounded. A float is the shortest decimal that reads back
    as it, so that ``3.2`` and ``"3.2"`` are 16/5. ``2.0**-60`` is exactly 2^-60.
    The double near 3.2, 3602879701896397/1125899906842624, is ``Fraction(3.2)`` or ``Decimal(3.2)``.

    `method` is a name of `samplez.methods()`, or ``"auto"`` (the default) for the planner's choice. The options are
    those of `samplez.Options`: `precision`, `memory`, `rectangles`, `tail`, `omega`, `distance`, `chord`, `pdf_table`, `frugal`,
    `exact`, `constant_time`, `variable_time`, `setup_time`. An option that the method would ignore is refused.

    The default samples exactly D_{Z,σ,c}, and its running time is independent of the samples. Where no such method exists, the
    planner drops exactness, and `certificate` reports the distance. Methods of variable time need ``variable_time=True``.

    The law's functions are those of a frozen distribution of `scipy.stats`; `scipy()` makes one for SciPy's own functions.

    Raises `ValueError` for an argument that the library refuses, and `TypeError` for a wrong type or an unknown option;
    both name the argument. Distributions are equal if they have the same law, however it is written, and were given the
    same method and options. Immutable, picklable (as the text of its arguments), safe to share between threads.

    >>> g = samplez.DiscreteGaussian("3.2")
    >>> g.sample(5, rng=7).shape
    (5,)
    >>> round(g.pmf(0), 6)
    0.124669
    >>> g == samplez.DiscreteGaussian(sigma_squared=10.24)
    True
    >>> samplez.DiscreteGaussian(s=8, center="1/3")
    DiscreteGaussian(s=8, center='1/3')
    >>> print(g)
    D_Z(sigma = 16/5, center = 0) by knuth-yao-ct
    """

    __slots__ = ("__weakref__",)
    _sampler: _samplez.Sampler

    @suggests
    @shows_options
    def __init__(
        self,
        sigma: Number | None = None,
        *,
        center: Number | None = None,
        sigma_squared: Number | None = None,
        k_sigma2: Number | None = None,
        s: Number | None = None,
        method: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        chosen = None if method is None else name_of("method", method)
        widths = {"sigma": sigma, "sigma_squared": sigma_squared, "k_sigma2": k_sigma2, "s": s}
        recipe = recipe_text({**widths, "center": center, "method": chosen}, options)
        try:
            self._sampler = build(recipe)
        except ValueError as refused:
            error = as_typed(refused, {**widths, "center": center, **options})
            pairs = [(name, value) for name, _, value in (pair.partition("=") for pair in recipe.split(","))]
            if kind_of(refused) == "no-method" and {name for name, _ in pairs} <= {*widths, "center"} and is_big(pairs):
                raise ValueError(f"{error}; {BIG}") from None
            raise error from None

    @classmethod
    @partial(suggests, ways=dict.fromkeys(("sigma", "center", "method", *Options.__annotations__), "write it in the recipe, as in 'sigma=3.2,method=cdt'"))
    def from_recipe(cls, recipe: str) -> Self:
        """Builds the distribution of a recipe, a text such as ``"sigma=16/5,method=cdt,precision=72"``. Every part of
        the project reads and writes recipes in this form: pairs in any order, between commas or ampersands. Raises
        `ValueError`.

        >>> samplez.DiscreteGaussian.from_recipe("sigma=3.2,center=1/3,exact=true")
        DiscreteGaussian(sigma='3.2', center='1/3', exact=True)
        """
        try:
            return cls._of(build(name_of("recipe", recipe)))
        except ValueError as refused:
            if (kind_of(refused), vars(refused).get("argument")) == ("unsupported", "recipe"):
                raise retold(refused, reason=f"{vars(refused)['reason']}; samplez.OtherNoise.from_recipe takes this one") from None
            if kind_of(refused) == "too-long":
                raise retold(refused, reason=f"{vars(refused)['reason']}; {BIG}") from None
            raise

    @classmethod
    def _of(cls, sampler: _samplez.Sampler) -> Self:
        self = cls.__new__(cls)
        self._sampler = sampler
        return self

    @property
    def recipe(self) -> str:
        """The sampler, as a text with its method and the options in force. `from_recipe` builds the same sampler from it on any machine, even if
        the planner there would choose another.

        >>> samplez.DiscreteGaussian("3.2", constant_time=True).recipe
        'sigma=16/5,method=knuth-yao-ct,precision=128,exact=true'
        """
        return self._sampler.recipe

    @property
    def method(self) -> str:
        """The method in use, named or chosen."""
        return self._sampler.method

    @property
    def sigma(self) -> float:
        """The parameter σ as a double, within 3 units in the last place."""
        return self._sampler.sigma()

    def _given(self) -> dict[str, str]:
        """The arguments by name, as texts in lowest terms."""
        return {name: value for name, _, value in (pair.partition("=") for pair in self._sampler.said.split(","))}

    @property
    def sigma_squared(self) -> Fraction | float:
        """The parameter σ²: a Fraction, exactly, if the width was given as `sigma` or `sigma_squared`. For `k_sigma2` and `s`, σ² is
        irrational: a double within 3 units in the last place.

        >>> samplez.DiscreteGaussian("3.2").sigma_squared, samplez.DiscreteGaussian(sigma_squared="1/3").sigma_squared
        (Fraction(256, 25), Fraction(1, 3))
        >>> samplez.DiscreteGaussian(s=8).sigma_squared
        10.185916357881302
        """
        given = self._given()
        form = next(name for name in ("sigma", "sigma_squared", "k_sigma2", "s") if name in given)
        value = Fraction(given[form])
        if form == "sigma_squared":
            return value
        return value**2 if form == "sigma" else float(value**2) / (2 * (math.pi if form == "s" else math.log(2)))

    @property
    def center(self) -> Fraction:
        """The centre c, exactly. `mean` returns E[X], which is another number where σ is small.

        >>> samplez.DiscreteGaussian("3.2", center="1/3").center, samplez.DiscreteGaussian("3.2").center
        (Fraction(1, 3), Fraction(0, 1))
        """
        return Fraction(self._given().get("center", "0"))

    @suggests
    def scipy(self) -> Any:
        """This law as a frozen discrete distribution of `scipy.stats`, for functions of SciPy's that take one. Needs SciPy.

        >>> frozen = samplez.DiscreteGaussian("3.2").scipy()
        >>> frozen.dist.name, int(frozen.ppf(0.975)), frozen.rvs(5, random_state=1).shape
        ('discrete_gaussian', 6, (5,))
        """
        from samplez._scipy import frozen

        return frozen(self)

    @suggests
    def certificate(self, samples_per_time: int = 1) -> Certificate:
        """Returns the distance of this sampler's law from D_{Z,σ,c}, its timing and its costs.

        `samples_per_time` is the maximum number of samples that a game draws in a unit of the adversary's time. `bits_kept` depends on
        it.

        >>> samplez.DiscreteGaussian("3.2", method="karney").certificate().exact
        True
        >>> table = samplez.DiscreteGaussian("3.2", method="cdt", precision=136)
        >>> [round(table.certificate(s).bits_kept["decision"]["128"], 1) for s in (1, 2**12, 2**20)]
        [127.8, 123.6, 116.2]
        """
        return certificate_of(self._sampler, whole("samples_per_time", samples_per_time, 1, 2**64 - 1))

    @suggests
    def plot(self, samples: Integers | None = None, ax: Axes | None = None) -> Axes:
        """Draws how often each value occurs among the samples, over what the law expects; without samples, the law's probabilities.
        Needs Matplotlib."""
        from samplez._plot import plot

        ends = int(self.ppf(1e-6)), int(self.isf(1e-6))
        return plot(self.certificate().law, self.cdf, ends, samples, ax)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_recipe, (self._sampler.said,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiscreteGaussian) and self._sampler == other._sampler

    def __hash__(self) -> int:
        return hash(self._sampler)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({arguments(self._sampler.said)})"

    def __str__(self) -> str:
        return f"{certificate_of(self._sampler, 1).law} by {self.method}"

    def _repr_html_(self) -> str:
        return table({**rows_of(self.certificate()), "entropy": f"{self.entropy(base=2):.4f} bits"})
