"""The bits that a table keeps, recomputed from its integers: nothing here is the library's but the certificates."""

from __future__ import annotations

import csv
import math
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import pytest

import samplez

KAT = Path(__file__).parents[2] / "kat"


def ideal(sigma: Decimal, most: int) -> list[Decimal]:
    """The probabilities of |X| = 0, 1, …, as far as 150 digits tell."""
    weights = [(-(Decimal(x) ** 2) / (2 * sigma * sigma)).exp() * (2 if x else 1) for x in range(most)]
    total = sum(weights)
    return [weight / total for weight in weights]


def dumped(precision: int) -> list[int] | None:
    """The thresholds 2^B P(|X| >= j), j = 1, 2, …, of `cdt`'s table for σ = 3.2."""
    with (KAT / "law-thresholds.csv").open() as file:
        rows = [row for row in csv.DictReader(file)
                if (row["form"], row["q"], row["center"], row["precision"], row["rounding"]) == ("sigma", "16/5", "0", str(precision), "floor")]
    return [int(row["threshold"], 16) for row in sorted(rows, key=lambda row: int(row["j"]))] or None


def log2(x: Decimal) -> float:
    return float(x.ln() / Decimal(2).ln())


@pytest.mark.parametrize(("precision", "kept"), [(64, 63.0), (72, 71.3), (128, 126.7), (136, 127.8), (144, 127.98), (192, 128.0)])
def test_bits_kept(precision: int, kept: float) -> None:
    with localcontext() as context:
        context.prec = 150
        p = ideal(Decimal("3.2"), 120)
        thresholds = dumped(precision)
        if thresholds is None:  # the rule of docs/proofs/cdt.md: every weight but the mode's rounded down
            weights = [int(2**precision * x) for x in p[1:]]
            thresholds = [sum(weights[j:]) for j in range(len(weights))]
        ends = [2**precision, *thresholds, 0]
        q = [Decimal(high - low) / 2**precision for high, low in zip(ends, ends[1:])]
        q += [Decimal(0)] * (len(p) - len(q))
        hellinger = sum((x.sqrt() - y.sqrt()) ** 2 for x, y in zip(p, q)) / 2
        divergence = sum((x - y) ** 2 / x for x, y in zip(p, q))
        distance = sum(abs(x - y) for x, y in zip(p, q)) / 2
        sampler = samplez.DiscreteGaussian("3.2", method="cdt", precision=precision)
        certificate = sampler.certificate()
        # H is bounded by R_2, which is within 0.01 bit, and within a bit of H itself.
        found = certificate.log2_renyi["2"]
        assert found is not None and 0 <= found - log2(divergence) < 0.01
        assert 0 <= (found - 1) / 2 - log2(hellinger) / 2 < 1
        for s in (1, 2**12, 2**20):
            shown = sampler.certificate(s)
            for problem, factor in (("search", 1), ("decision", 2)):
                for level in (128, 256):
                    bits = shown.bits_kept[problem][str(level)]
                    true, by_divergence = (
                        max(level - 2 * log2(1 + factor * (2**level * s * r).sqrt()), 0) for r in (2 * hellinger, divergence)
                    )
                    assert bits <= by_divergence <= true and by_divergence - bits < 0.01, (s, problem, level)
        assert abs(certificate.bits_kept["decision"]["128"] - kept) < (0.005 if kept > 127.9 else 0.05)
        advantage = certificate.samples_log2_advantage["128"]
        assert advantage is not None and abs(advantage - (-log2(distance) - 128)) < 0.01


def test_exact_laws_keep_all() -> None:
    certificate = samplez.DiscreteGaussian("3.2", exact=True).certificate()
    assert certificate.bits_kept == {problem: {"128": 128.0, "256": 256.0} for problem in ("search", "decision")}
    assert certificate.samples_log2_advantage == {"128": None, "256": None}
    assert "advantage <= 2^-128" in str(certificate) and "any number of samples" in str(certificate)


@pytest.mark.parametrize(
    ("samples", "error", "text"),
    [
        (0, ValueError, "samples_per_time = 0: expected a value between 1 and 2\\^64 - 1"),
        (-1, ValueError, "samples_per_time = -1: expected a value between 1 and"),
        (2**200, ValueError, "samples_per_time = 1.607e\\+60: expected a value between 1 and"),
        ("abc", TypeError, "samples_per_time = abc: expected an integer, not str"),
        (math.nan, TypeError, "samples_per_time = nan: expected an integer, not float"),
        (True, TypeError, "samples_per_time = True: expected an integer, not bool"),
    ],
)
def test_bad_inputs(samples: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        samplez.DiscreteGaussian("3.2").certificate(samples)
