"""The certificate of a sampler."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass, field
from typing import NamedTuple

from samplez import _samplez
from samplez._html import Markup, table
from samplez._recipe import suggests


class Support(NamedTuple):
    """The least and the largest value of the table. An exact sampler also returns values outside of them, at the default precision
    with a probability below 2^-100."""

    min: int
    max: int


@dataclass(frozen=True)
class Certificate:
    """A sampler's certificate: the distance of its law from the ideal one, and its costs.

    The fields are those of ``samplez certify --json``, except the centre and the width, which `law` states. Every ``log2_…`` is an upper bound of
    the base-2 logarithm of the quantity that it names, given ideal random bits. It is computed in interval arithmetic from the integers in
    use; ``None`` where an exact law has none.

    >>> certificate = samplez.DiscreteGaussian("3.2", method="cdt").certificate()
    >>> certificate.support, certificate.log2_sd < -123
    (Support(min=-42, max=42), True)
    >>> print(certificate)  # doctest: +ELLIPSIS
    law                         D_Z(sigma = 16/5, center = 0)
    ...
    """

    method: str | None
    """``None`` for a table of the caller's."""
    law: str
    """The law that is aimed at, with its centre and width."""
    precision: int | None
    """Of the table, in bits."""
    exact: bool
    """Whether the law of the samples is D_{Z,σ,c} itself."""
    log2_sd: float | None
    """The statistical distance."""
    log2_renyi: dict[str, float | None]
    """R_a - 1, by order a."""
    log2_tail: float | None
    """The mass that the law has outside of the support."""
    support: Support
    table_bytes: int
    expected_bits: float
    """Random bits a sample."""
    expected_trials: float
    timing: str | None
    """``constant``, ``isochronous`` or ``variable``; None for a table of your own."""
    samples_per_time: int
    """The most samples that a game draws in a unit of the adversary's time, which `bits_kept` assumes."""
    bits_kept: dict[str, dict[str, float]]
    """By problem, ``search`` or ``decision``, and by bits of security, ``128`` or ``256``: the bits that remain, for any number of
    samples. A lower bound."""
    samples_log2: dict[str, float | None]
    """The base-2 logarithm of the number of samples that cost at most 2 of so many bits in a search problem, by Rényi."""
    samples_log2_advantage: dict[str, float | None]
    """The base-2 logarithm of the number of samples that change no probability by more than 2^-128, or 2^-256."""
    options: dict[str, int | bool | str]
    """The options in force."""
    _text: str = field(repr=False, compare=False)
    _json: str = field(repr=False, compare=False)

    @suggests
    def to_json(self) -> str:
        """The same as JSON, in one line."""
        return self._json

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return table(rows_of(self))


def rows_of(c: Certificate) -> dict[str, object]:
    """The certificate in short."""
    exact = c.log2_sd is None
    return {
        "law": c.law,
        "method": c.method,
        "statistical distance": "0 (exact)" if exact else Markup(f"≤ 2<sup>{math.ceil((c.log2_sd or 0.0) * 100) / 100:.2f}</sup>"),
        "timing": c.timing,
        "table": f"{c.table_bytes:,} bytes",
        "random bits a sample": f"{c.expected_bits:.2f} expected",
    }


def certificate_of(sampler: _samplez.Sampler | _samplez.Noise, samples_per_time: int = 1) -> Certificate:
    """The sampler's certificate, read from the library's JSON."""
    text, as_json = sampler.certificate(samples_per_time)
    # That of a table has more to say in the text and the JSON.
    known = {field.name for field in dataclasses.fields(Certificate)}
    fields = {name: value for name, value in json.loads(as_json).items() if name in known}
    fields.update(support=Support(**fields["support"]))
    return Certificate(**fields, _text=text, _json=as_json)
