"""Arrays of widths and centres: the law of each sample, the stream, and the command's integers."""

import csv
import hashlib
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samplez


def test_each_sample_has_its_own_law() -> None:
    """Standardised by the law of its own, a mean of 0 and a variance of 1; and a few widths value by value. Errors of 1e-6."""
    count = 400_000
    widths = np.exp(np.random.default_rng(1).uniform(0, np.log(2.0**26), count))
    centers = np.random.default_rng(2).normal(0, 1e6, count)
    z = (samplez.sample(widths, center=centers, rng=1) - centers) / widths
    assert abs(z.mean()) < 4.9 / count**0.5 and abs(z.var() - 1) < 4.9 * (2 / count) ** 0.5
    few = np.array([1.0, 1.5, 2.0, 3.9, 4.0])
    x = samplez.sample(few, center=[[0.25]], size=(count // 5, 5), rng=2)
    assert isinstance(x, np.ndarray)
    for column, sigma in enumerate(few):
        g = samplez.DiscreteGaussian(float(sigma), center="0.25", method="karney")
        values = np.arange(-3, 4)
        observed = np.array([(x[:, column] == value).sum() for value in values])
        p = g.pmf(values)
        assert (abs(observed - p * len(x)) < 6 * (len(x) * p * (1 - p)) ** 0.5).all(), sigma


def test_it_is_a_function_of_seed_widths_and_centers() -> None:
    widths, centers = np.linspace(1, 100, 30_000), np.linspace(-50, 50, 30_000)
    x = samplez.sample(widths, center=centers, rng=1)
    assert np.array_equal(x, samplez.sample(widths.tolist(), center=centers.reshape(1, -1), size=(1, 30_000), rng=1)[0])
    assert np.array_equal(x, samplez.sample(widths, center=centers, rng=samplez.Source(seed=1)))
    assert not np.array_equal(x, samplez.sample(widths, center=centers, rng=2))
    stream = samplez.Source(seed=1)
    assert not np.array_equal(samplez.sample(widths, center=centers, rng=stream), samplez.sample(widths, center=centers, rng=stream))
    assert np.array_equal(samplez.sample(3, center=1.5, size=9, rng=4), samplez.DiscreteGaussian(3, center=1.5).sample(9, rng=4))
    rng = np.random.default_rng(3)
    assert samplez.sample(3, center=centers, rng=rng).shape == (30_000,)


def test_long_arrays_are_cut_where_the_library_cuts() -> None:
    """Beyond 2^20 samples the call is made in parts, and the integers are those of the beginning all the same."""
    widths = np.random.default_rng(1).uniform(1, 5, (1 << 20) + 8192)
    long = samplez.sample(widths, center=0.5, rng=1)
    assert isinstance(long, np.ndarray) and np.array_equal(long[: 1 << 19], samplez.sample(widths[: 1 << 19], center=0.5, rng=1))


def test_exact_is_auto_for_each() -> None:
    sigmas, centers = ["1/3", 2.5, Fraction(7, 2)], ["1/7", "-0.1", 4]
    x = samplez.sample(sigmas, center=centers, rng=1, exact=True)
    assert np.array_equal(x, samplez.round(centers, sigma=sigmas, rng=1))
    strips = samplez.sample(sigmas[1:], center=centers[1:], rng=1, exact=True)
    assert np.array_equal(strips, samplez.round(centers[1:], sigma=sigmas[1:], method="strips", rng=1))
    many = samplez.sample("1/3", center=[0.5] * 20_000, rng=1, exact=True)
    g = samplez.DiscreteGaussian("1/3", center="1/2", method="karney")
    assert isinstance(many, np.ndarray) and abs((many == 0).mean() - g.pmf(0)) < 5 * (0.25 / 20_000) ** 0.5


def test_the_vectors_of_every_language() -> None:
    """kat/rounders.csv: one call after the other, and in batches."""
    every = csv.DictReader((Path(__file__).parents[2] / "kat" / "rounders.csv").open())
    rows = [row for row in every if row["rounder"] == "strips" and row["sigma_min"] == row["sigma_max"]]
    centers = [(7919 * i - 4_000_000) / (997 + i % 5) for i in range(5000)]
    draws: list[Callable[..., Any]] = [samplez.round, lambda centers, sigma, rng: samplez.sample(sigma, center=centers, rng=rng)]
    for row, draw in zip(rows, draws, strict=True):
        samples = np.asarray(draw(centers, sigma=row["sigmas"], rng=row["seed"]))
        assert samples[:16].tolist() == [int(x) for x in row["the first samples"].split()]
        assert hashlib.sha256(samples.astype("<i8").tobytes()).hexdigest() == row["sha256 of the samples as little-endian i64"]


@pytest.mark.parametrize("method", ["auto", "karney", "strips"])
def test_rounding_is_the_command_s(command: str, method: Any) -> None:
    centers = ["10/3", "-0.1", "1e6", "7", "-123456.789"]
    seed = bytes(range(32)).hex()
    arguments = [command, "round", "-", "--sigma", "3.2", "--method", method, "--seed", seed]
    told = subprocess.run(arguments, input="\n".join(centers) + "\n", capture_output=True, text=True, check=True).stdout
    assert samplez.round(centers, sigma="3.2", method=method, rng=seed).tolist() == [int(line) for line in told.split()]


def test_rounding_of_floats_is_that_of_their_texts() -> None:
    """Where the floats are short in binary."""
    centers = [0.5, -17.25, 1e6, 3.0]
    for method in ("karney", "strips"):
        x = samplez.round(np.array(centers), sigma="3.2", method=method, rng=1)
        assert np.array_equal(x, samplez.round([str(center) for center in centers], sigma="3.2", method=method, rng=1))
    each = samplez.round(np.array(centers), sigma=[1.5, 2.0, 2.0, 1e5], method="strips", rng=1)
    assert np.array_equal(each, samplez.round(centers, sigma=[1.5, 2.0, 2.0, 1e5], rng=1))
    assert np.array_equal(each, samplez.round([str(center) for center in centers], sigma=["1.5", "2", "2", "1e5"], method="strips", rng=1))
