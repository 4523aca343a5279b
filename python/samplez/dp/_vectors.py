"""Several releases of vectors, whose shifts may take any shape. Proof: docs/proofs/accountant.md."""

from __future__ import annotations

from fractions import Fraction

from samplez.dp._lattice import TooFine


def envelope(farthest: int, dimension: int, sigma_squared: Fraction, releases: int, epsilon: Fraction) -> Fraction:
    """An upper bound."""
    raise TooFine
