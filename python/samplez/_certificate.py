"""What a sampler declares about itself, and what the planner chose."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from samplez import _samplez
from samplez._law import law_texts, option_texts
from samplez._numbers import Number


@dataclass(frozen=True)
class Certificate:
    """A sampler's declaration: its law, its cost, what its running time leaks.

    Every ``log2_…`` is an upper bound of the base-2 logarithm of what it names, computed in interval arithmetic from
    the integers in use; minus infinity for an exact sampler. All of it is given ideal random bits.
    """

    law: str
    """The law that is aimed at."""
    method: str
    exact: bool
    """Whether the law of the samples is D_{Z,σ,c} itself."""
    timing: str
    """``constant``, ``isochronous`` or ``variable``."""
    log2_statistical_distance: float
    log2_renyi: dict[int, float]
    """R_a - 1, by order a."""
    log2_renyi_infinity: float
    log2_tail: float
    """The mass that the law has outside of the support."""
    support: tuple[int, int]
    """The least and the largest value that can come out."""
    table_bytes: int
    expected_bits: float
    """Random bits a sample."""
    expected_trials: float

    def as_dict(self) -> dict[str, Any]:
        """The same as a dictionary."""
        return asdict(self)

    @classmethod
    def _of(cls, method: str, profile: _samplez.Profile) -> Certificate:
        return cls(
            law=profile.law,
            method=method,
            exact=profile.exact,
            timing=profile.timing,
            log2_statistical_distance=profile.log2_statistical_distance,
            log2_renyi=dict(profile.log2_renyi),
            log2_renyi_infinity=profile.log2_renyi_infinity,
            log2_tail=profile.log2_tail,
            support=(profile.minimum, profile.maximum),
            table_bytes=profile.table_bytes,
            expected_bits=profile.expected_bits,
            expected_trials=profile.expected_trials,
        )


@dataclass(frozen=True)
class Plan:
    """The planner's choice for a law, its reason, and what it costs."""

    method: str
    options: dict[str, str]
    """With what to build it: ``DiscreteGaussian(…, method=plan.method, **plan.options)``."""
    reason: str
    certificate: Certificate
    setup_seconds: float
    """Estimated for the machine of benches/RESULTS.md."""
    million_per_second: float
    """As measured on that machine, on one thread."""
    refused: dict[str, str]
    """Every other method, and why it was not taken."""


class MethodInfo(NamedTuple):
    """What there is to say about a method."""

    name: str
    summary: str
    exact: bool
    timing: str


def methods() -> tuple[MethodInfo, ...]:
    """Every sampling method.

    >>> [method.name for method in samplez.methods() if method.timing == "constant"]
    ['cdt-ct', 'convolution-ct']
    """
    return tuple(MethodInfo(*entry) for entry in _samplez.methods())


def plan(
    sigma: Number | None = None,
    center: Number = 0,
    *,
    sigma_squared: Number | None = None,
    k_sigma2: Number | None = None,
    s: Number | None = None,
    **options: Number | bool,
) -> Plan:
    """The fastest method that honours the law and the options, with its reason; the same on every machine.

    Arguments as of `DiscreteGaussian`. Raises `ValueError` with each method's reason if none will do.

    >>> samplez.plan("3.2", exact=True).method
    'karney'
    """
    form, width, middle = law_texts(sigma, center, sigma_squared, k_sigma2, s)
    method, settings, reason, profile, setup, speed, refused = _samplez.plan(
        form, width, middle, option_texts(options)
    )
    return Plan(method, dict(settings), reason, Certificate._of(method, profile), setup, speed, dict(refused))
