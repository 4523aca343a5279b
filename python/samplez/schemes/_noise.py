"""The parameter sets, and the noise that each requires."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeAlias, Union

from samplez import _samplez
from samplez._gaussian import DiscreteGaussian
from samplez._numbers import mistyped, name_of
from samplez._recipe import suggests

Noise: TypeAlias = Union[str, DiscreteGaussian, None]
"""The sampler of a scheme's noise, in one of three forms:

- a recipe's text whose law may be left out, such as ``"method=cdt-guided,precision=192"``;
- a distribution of the law that the set requires;
- ``None`` for the default."""


@dataclass(frozen=True)
class SetInfo:
    """The description of a parameter set."""

    scheme: str
    """``bliss``, ``lp11`` or ``regev``."""
    set: str
    parameters: dict[str, int]
    """By the names that papers have for them: `n`, `q`, and BLISS's `kappa` and `d`, LP11's `l`, Regev's `l`, `m`, `r` and `t`."""
    noise: str
    """The law of the noise."""
    problem: str
    """``search`` or ``decision``: the kind of problem in which the noise's distance from its law is measured."""
    samples_log2: int
    """The base-2 logarithm of the samples of a lifetime, rejected attempts counted. For a search problem the certificate may allow
    them by Rényi (`samples_log2`); otherwise it keeps 126 of 128 bits for any number (`bits_kept`)."""
    security: int
    """About how many bits of security today's estimates leave."""
    lifetime_log2: int | None
    """The base-2 logarithm of the signatures, or blocks of ciphertext, of one key; ``None`` where they take no noise, and there may
    be any number."""
    attempts: dict[str, float]
    """The attempts that a signature takes on average, by variant."""
    samples: dict[str, float]
    """The average number of samples of noise of a signature, by variant, of a key, or of a block."""
    failure: tuple[str, float] | None
    """The unit that is decrypted wrongly, ``bit`` or ``letter``, and the probability; ``None`` for signatures."""


@lru_cache(maxsize=1)
@suggests
def sets() -> tuple[SetInfo, ...]:
    """Every parameter set of every scheme, with its security by today's estimates, its lifetime and its rate of failure.

    >>> from samplez import schemes
    >>> one = next(row for row in schemes.sets() if (row.scheme, row.set) == ("bliss", "I"))
    >>> one.noise, one.security, one.lifetime_log2
    ('D_Z(sigma = 254 sqrt(1/(2 ln 2)), center = 0)', 104, 48)
    >>> one.parameters, round(one.attempts["b"], 3), round(one.samples["b"])
    ({'n': 512, 'q': 12289, 'kappa': 23, 'd': 10}, 1.211, 1240)
    >>> two = next(row for row in schemes.sets() if row.set == "matrix-256")
    >>> two.security, two.failure[0], round(two.failure[1], 7)
    (91, 'bit', 5.15e-05)
    """
    rows = []
    for scheme, name, parameters, law, problem, count, security, lifetime, attempts, samples, failure in _samplez.scheme_sets():
        rows.append(SetInfo(scheme, name, dict(parameters), law, problem, count, security, lifetime, dict(attempts), dict(samples),
                            failure))
    return tuple(rows)


@lru_cache(maxsize=32)
def demanded(scheme: str, set: str, recipe: str) -> _samplez.Sampler:
    """The noise that a set requires, as the recipe describes it. Tables are built once a process."""
    return _samplez.scheme_noise(scheme, set, recipe)


@partial(suggests, ways={"method": "write it in recipe, as in 'method=cdt-guided'"})
def noise(scheme: str, set: str, recipe: str | None = None) -> DiscreteGaussian:
    """Returns the noise that a parameter set requires, as `noise=` of the operations builds it, with its certificate,
    to sample and to plot.

    `recipe` is a recipe's text whose law may be left out: ``"method=cdt-guided"``, ``"exact=true"``. If it has neither
    a method nor a constraint on kind or timing, the planner chooses among the constant-time and isochronous methods.
    The default precision is the least of 64, 72, 96, 128, 136, 160, 192 and 256 bits whose certificate keeps 126 of 128
    bits.

    Raises `ValueError` for another law, and for a method or a precision whose certificate keeps fewer.

    >>> from samplez import schemes
    >>> g = schemes.noise("bliss", "I")
    >>> g.certificate().timing, g.certificate().samples_log2["128"] > 48 + 11
    ('constant', True)
    >>> schemes.noise("lp11", "ring-256", "method=cdt-guided").recipe
    's=1131/100,method=cdt-guided,precision=136'
    """
    said = "" if recipe is None else name_of("recipe", recipe)
    return DiscreteGaussian._of(demanded(name_of("scheme", scheme), name_of("set", set), said))


def sampler_of(demanded: Callable[[str], _samplez.Sampler], said: Noise) -> _samplez.Sampler:
    """Returns the sampler of an operation: the given distribution, which the operation judges, or the required noise,
    as a recipe describes it."""
    if isinstance(said, DiscreteGaussian):
        return said._sampler
    if said is not None and not isinstance(said, str):
        raise mistyped("noise", said, "None, a recipe's text or a samplez.DiscreteGaussian")
    return demanded("" if said is None else name_of("noise", said))


__all__ = ["Noise", "SetInfo", "demanded", "noise", "sampler_of", "sets"]
