"""Probabilities against mpmath's values in kat/, and against sums in 60-digit decimals."""

import csv
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import samplez

VALUES = Path(__file__).parents[2] / "kat" / "law-values.csv"


def test_known_values() -> None:
    seen: dict[str, int] = {}
    for row in csv.DictReader(VALUES.open()):
        try:
            width: dict[str, Any] = {row["form"].replace("-", "_"): row["q"]}
            g = samplez.DiscreteGaussian(center=row["center"], **width)
        except ValueError as error:  # laws of extreme widths, which no method samples
            assert "no method for" in str(error)
            continue
        value = float(row["value"])
        kind = row["kind"]
        if kind == "pmf" and value >= 2.0**-1000:
            assert g.pmf(int(row["a"])) == pytest.approx(value, rel=2.3e-16, abs=0)
        elif kind == "mass" and value >= 2.0**-1000:
            a, b = int(row["a"]), int(row["b"])
            one_sided = g.cdf(b) - g.cdf(a - 1) if b < g.mean() else g.sf(a - 1) - g.sf(b)
            assert one_sided == pytest.approx(value, rel=2.0**-30, abs=2.0**-40)
        elif kind == "mean":
            assert g.mean() == pytest.approx(value, rel=1e-13, abs=1e-14)
        elif kind == "variance":
            assert g.var() == pytest.approx(value, rel=1e-13)
            assert g.std() == pytest.approx(value**0.5, rel=1e-13)
        elif kind == "entropy":
            assert g.entropy() == pytest.approx(value, rel=1e-12)
        else:
            continue
        seen[kind] = seen.get(kind, 0) + 1
    assert min(seen[kind] for kind in ("pmf", "mass", "mean", "variance", "entropy")) >= 5


def masses(sigma: Fraction, center: Fraction, low: int, high: int) -> dict[int, Decimal]:
    """P(X = x) for low <= x <= high, the law being negligible outside, in 60 digits."""
    with localcontext(prec=60):
        def rho(x: int) -> Decimal:
            exponent = -((x - center) ** 2) / (2 * sigma**2)
            return (Decimal(exponent.numerator) / Decimal(exponent.denominator)).exp()

        weights = {x: rho(x) for x in range(low, high + 1)}
        total = sum(weights.values())
        return {x: weight / Decimal(total) for x, weight in weights.items()}


@pytest.mark.parametrize(("sigma", "center"), [("3.2", "0"), ("1/3", "1/2"), ("20", "-7/3"), ("0.9", "123456789")])
def test_cumulative_within_two_ulp(sigma: str, center: str) -> None:
    g = samplez.DiscreteGaussian(sigma, center, method="karney")
    middle, reach = round(Fraction(center)), int(30 * Fraction(sigma)) + 3
    law = masses(Fraction(sigma), Fraction(center), middle - reach, middle + reach)
    below = Decimal(0)
    with localcontext(prec=60):
        suffix = {}
        tail = Decimal(0)
        for x in sorted(law, reverse=True):
            suffix[x] = tail
            tail += law[x]
        for x in sorted(law):
            below += law[x]
            for got, exact in ((g.cdf(x), below), (g.sf(x), suffix[x])):
                if exact > Decimal(2) ** -600:
                    ulp = Decimal(float(np.spacing(float(exact))))
                    assert abs(Decimal(got) - exact) <= 2 * ulp, (x, got, exact)


def test_wide_cumulative_agrees_with_the_normal_law() -> None:
    g = samplez.DiscreteGaussian("1e9", method="karney")
    for t in (-8, -1, 0, 0.5, 3):
        x = int(t * 10**9)
        assert g.cdf(x) == pytest.approx(scipy.stats.norm.cdf((x + 0.5) / 1e9), rel=1e-11)
    assert g.sf(8 * 10**9) == pytest.approx(scipy.stats.norm.sf(8 + 5e-10), rel=1e-11)


@pytest.mark.parametrize("sigma", ["0.1", "3.2", "100", "1e6", "1e12"])
def test_quantiles_invert(sigma: str) -> None:
    g = samplez.DiscreteGaussian(sigma, "1/3", method="karney")
    for q in (1e-300, 1e-9, 0.1, 0.499, 0.5, 0.7, 1 - 1e-12):
        x = g.ppf(q)
        if q < 0.5:
            assert g.cdf(x) >= q > g.cdf(x - 1)
        else:
            assert g.sf(x) <= 1 - q < g.sf(x - 1)
    assert g.ppf([[0.1, 0.9]]).shape == (1, 2)


def test_scalars_and_arrays() -> None:
    g = samplez.DiscreteGaussian("3.2")
    assert isinstance(g.pmf(1), float) and isinstance(g.cdf(np.int8(1)), float) and isinstance(g.ppf(0.3), int)
    x = np.arange(-50, 51, dtype=np.int16).reshape(1, 101)
    assert g.pmf(x).shape == (1, 101)
    assert g.pmf(x).sum() == pytest.approx(1, abs=1e-15)
    assert g.cdf([]).shape == (0,)
    assert np.allclose(g.cdf(x) + g.sf(x), 1, atol=1e-15)


def test_samples_follow_the_law() -> None:
    """χ² of 10^6 samples at α = 1e-6, a fixed seed; and the same test sees σ changed by 1 %."""
    samples = samplez.DiscreteGaussian("3.2", "0.25").sample(10**6, rng=5)

    def p_value(sigma: str) -> float:
        g = samplez.DiscreteGaussian(sigma, "0.25")
        values = np.arange(-14, 15)
        observed = np.array([(samples == x).sum() for x in values])
        expected = samples.size * g.pmf(values)
        rest = samples.size - observed.sum(), samples.size * (1 - g.pmf(values).sum())
        chi2 = ((observed - expected) ** 2 / expected).sum() + (rest[0] - rest[1]) ** 2 / rest[1]
        return float(scipy.stats.chi2.sf(chi2, len(values)))

    assert p_value("3.2") > 1e-6
    assert p_value("3.232") < 1e-6
