"""The law against mpmath's values in kat/, to the last bit."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import samplez

VALUES = Path(__file__).parents[2] / "kat" / "law-rounded.csv"


def law_of(row: dict[str, str]) -> samplez.DiscreteGaussian | None:
    """The law of a row; no method samples those of extreme widths."""
    width: dict[str, Any] = {row["form"].replace("-", "_"): row["q"]}
    try:
        return samplez.DiscreteGaussian(center=row["center"], **width)
    except ValueError as error:
        assert "no method for" in str(error)
        return None


def test_values_are_correctly_rounded() -> None:
    """To the last bit: probabilities, quantiles, mean, variance, standard deviation, entropy."""
    seen: dict[str, int] = {}
    with VALUES.open() as file:
        for row in csv.DictReader(file):
            g, kind = law_of(row), row["kind"]
            if g is None or kind == "mass":
                continue
            function = getattr(g, kind)
            if kind == "ppf":
                # The exact law's quantile, or below it where a cdf rounds up to q.
                q, exact, x = float(row["a"]), int(row["value"]), function(float(row["a"]))
                assert g.cdf(x) >= q > g.cdf(x - 1) and (x == exact or x < exact and g.cdf(x) == q), row
            else:
                value = function(int(row["a"])) if row["a"] else function(base=2) if kind == "entropy" else function()
                assert value == float(row["value"]), row
            seen[kind] = seen.get(kind, 0) + 1
    assert len(seen) == 8 and min(seen.values()) > 50


def test_arrays_are_their_values() -> None:
    """Each value is computed once, and stands in its place."""
    g = samplez.DiscreteGaussian("300", center="1/3")
    x = g.sample((3, 5000), rng=1)
    for function in (g.pmf, g.cdf, g.sf):
        values = function(x)
        assert values.shape == x.shape
        assert [function(int(x[i, j])) for i in range(3) for j in (0, 7, 4999)] == values[:, [0, 7, 4999]].ravel().tolist()
    many = np.arange(-10_000, 10_000)
    assert (np.diff(g.cdf(many)) >= 0).all()
    assert g.ppf(np.array([[0.9, 0.1], [0.1, 0.5]])).tolist() == [[g.ppf(0.9), g.ppf(0.1)], [g.ppf(0.1), g.ppf(0.5)]]


@pytest.mark.parametrize("sigma", ["0.1", "3.2", "100", "1e6", "1e12"])
def test_quantiles_invert(sigma: str) -> None:
    g = samplez.DiscreteGaussian(sigma, center="1/3", method="karney")
    for q in (1e-300, 1e-9, 0.1, 0.499, 0.5, 0.7, 1 - 1e-12):
        x, y = g.ppf(q), g.isf(q)
        assert g.cdf(x) >= q > g.cdf(x - 1) and g.sf(y) <= q < g.sf(y - 1)
    assert g.median() == g.ppf(0.5) and g.interval(0.5) == (g.ppf(0.25), g.ppf(0.75))


def test_quantiles_go_as_far_as_doubles() -> None:
    g = samplez.DiscreteGaussian("3.2")
    assert g.ppf(5e-324) == -123 and g.cdf(-123) == 38 * 5e-324 and g.cdf(-124) == 0
    assert g.isf(5e-324) == 123 and g.isf(1 - 2.0**-53) == g.ppf(2.0**-53) == -26


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
    samples = samplez.DiscreteGaussian("3.2", center="0.25").sample(10**6, rng=5)

    def p_value(sigma: str) -> float:
        g = samplez.DiscreteGaussian(sigma, center="0.25")
        values = np.arange(-14, 15)
        observed = np.array([(samples == x).sum() for x in values])
        expected = samples.size * g.pmf(values)
        rest = samples.size - observed.sum(), samples.size * (1 - g.pmf(values).sum())
        chi2 = ((observed - expected) ** 2 / expected).sum() + (rest[0] - rest[1]) ** 2 / rest[1]
        return float(scipy.stats.chi2.sf(chi2, len(values)))

    assert p_value("3.2") > 1e-6
    assert p_value("3.232") < 1e-6
