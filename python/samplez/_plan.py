"""The planner's choice, and the methods to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from samplez import _samplez
from samplez._certificate import Certificate, certificate_of, rows_of
from samplez._html import table
from samplez._numbers import Number
from samplez._recipe import Options, as_typed, build, recipe_text, shows_options, suggests
from samplez._typing import Unpack


@dataclass(frozen=True)
class Plan:
    """The planner's choice for a law, its reason, and its costs."""

    method: str
    recipe: str
    """Its recipe: ``DiscreteGaussian.from_recipe(plan.recipe)`` builds it."""
    reason: str
    certificate: Certificate
    setup_seconds: float
    """Estimated for the machine of benches/RESULTS.md."""
    million_per_second: float
    """On one thread over ChaCha20, to the narrowest integers. It was measured on a machine with the same instructions, with default
    options and integer centers, and is interpolated between the measured σ."""
    instructions: str
    """Those instructions: ``avx512``, ``avx2`` or ``scalar``."""
    refused: dict[str, str]
    """Every other method, and why it was not taken."""

    def _repr_html_(self) -> str:
        chosen = {"recipe": self.recipe, "reason": self.reason, "set up": f"{self.setup_seconds * 1e3:.3g} ms"}
        speed = f"{self.million_per_second:.3g} million samples a second, with {self.instructions}"
        return table({**rows_of(self.certificate), **chosen, "estimated speed": speed})


class MethodInfo(NamedTuple):
    """The description of a method."""

    name: str
    summary: str
    exact: bool
    timing: str


@suggests
def methods() -> tuple[MethodInfo, ...]:
    """Returns the sampling methods.

    >>> [method.name for method in samplez.methods() if method.timing == "constant"]
    ['cdt-ct', 'cdt-lazy-ct', 'knuth-yao-ct', 'convolution-ct']
    """
    return tuple(MethodInfo(*entry) for entry in _samplez.methods())


@partial(suggests, ways={"renyi": "the command samplez plan --renyi finds the least precision for a bound"})
@shows_options
def plan(
    sigma: Number | None = None,
    *,
    center: Number | None = None,
    sigma_squared: Number | None = None,
    k_sigma2: Number | None = None,
    s: Number | None = None,
    **options: Unpack[Options],
) -> Plan:
    """Returns the planner's choice for a law and options, with its reason: the same on every machine.

    Arguments as of `DiscreteGaussian`, without `method`. Raises `ValueError` with each method's reason if none will do.

    >>> samplez.plan("1e12", center="1/3").method
    'wide'
    """
    widths = {"sigma": sigma, "sigma_squared": sigma_squared, "k_sigma2": k_sigma2, "s": s}
    recipe = recipe_text({**widths, "center": center}, options)
    try:
        sampler = build(recipe)
    except ValueError as error:
        raise as_typed(error, {**widths, "center": center, **options}) from None
    planned = sampler.plan()
    assert planned is not None  # no method was named
    reason, setup, speed, instructions, refused = planned
    return Plan(sampler.method, sampler.recipe, reason, certificate_of(sampler), setup, speed, instructions, dict(refused))
