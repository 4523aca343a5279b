"""Centres beyond 2^62, one for each sample."""

import subprocess
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

import samplez

LARGE = Fraction(10**1000 + 1, 3)
CENTERS: list[Any] = [1e300, 2**62 + Fraction(1, 2), -(2**62) - Fraction(1, 2), 2**62 - Fraction(1, 2), -(10**18), -1e18, "1e400", Decimal("-1e40"), LARGE]


def chi2(samples: Any, center: Fraction, sigma: Fraction) -> float:
    """How far χ² exceeds its bound, for samples against probabilities in as many digits as the centre has."""
    with mpmath.workdps(1100):
        c, twice = mpmath.mpf(center.numerator) / center.denominator, 2 * mpmath.mpf(sigma.numerator) ** 2 / sigma.denominator**2
        middle = int(mpmath.nint(c))
        xs = range(middle - 30, middle + 31)
        weights = [mpmath.exp(-((x - c) ** 2) / twice) for x in xs]
        whole = sum(weights)
        masses = [float(w / whole) for w in weights]
    values = [int(x) for x in samples]
    counts = {x: values.count(x) for x in set(values)}
    assert all(x in xs for x in counts)
    kept = [(x, p * len(values)) for x, p in zip(xs, masses, strict=True) if p * len(values) >= 10]
    found = sum((counts.get(x, 0) - expected) ** 2 / expected for x, expected in kept)
    bound: float = len(kept) - 1 + 6 * (2.0 * len(kept)) ** 0.5
    return found - bound


@pytest.mark.parametrize("center", [LARGE, 2**62 + Fraction(1, 2), -(2**62) - Fraction(1, 2), Fraction(-(7**200), 5), Fraction(10**300)])
def test_far_centers_have_the_exact_law(center: Fraction) -> None:
    count = 2000
    ways: dict[str, Any] = {
        "round": lambda: samplez.round([center] * count, sigma="5/2", rng=1),
        "sample": lambda: samplez.sample("5/2", center=[center] * count, rng=2),
        "sigma_squared": lambda: samplez.sample(sigma_squared=["25/4"], center=center, size=count, rng=3),
        "exact": lambda: samplez.sample("5/2", center=center, size=count, rng=4),
    }
    for name, draw in ways.items():
        assert chi2(draw(), center, Fraction(5, 2)) < 0, name


def test_far_doubles_have_the_exact_law_in_the_midst_of_others() -> None:
    centers = np.array([0.25, 1e300, -(2.0**70), 2.0**62])
    for sigmas in (np.array([2.5]), np.array([2.5, 2.5, 0.5, 2.5])):
        drawn = samplez.sample(sigmas, center=np.tile(centers, (3000, 1)), rng=1)
        assert drawn.dtype == object and all(type(x) is int for x in drawn.reshape(-1))
        for i, center in enumerate(centers.tolist()):
            sigma = Fraction(float(np.broadcast_to(sigmas, 4)[i]))
            assert chi2(drawn[:, i], Fraction(center), sigma) < 0
    near = samplez.sample(2.5, center=np.array([0.25] * 4), rng=1)
    assert samplez.sample(2.5, center=np.array([0.25, 2.0**70, 0.25, 0.25]), rng=1)[[0, 2, 3]].tolist() == near[[0, 2, 3]].tolist()


def test_round_takes_every_number() -> None:
    for method in ("auto", "strips", "karney"):
        for centers in (CENTERS, [float(10 ** (10 * i)) for i in range(-30, 31)], np.array([1.7e308, -1.7e308, 5e-324, 2.0**62, 2.0**63])):
            drawn = samplez.round(centers, sigma=3, method=method, rng=1)
            assert drawn.dtype == object
            for x, center in zip(drawn, centers, strict=True):
                assert type(x) is int and abs(x - Fraction(center)) < 60
        for one in CENTERS:
            x = samplez.round(one, sigma=3, method=method, rng=1)
            assert type(x) is int and abs(x - Fraction(one)) < 60
    # A law around a large centre draws those integers.
    for center in (Fraction(10**100, 3), -(2**62) - Fraction(1, 2), 2**70 - Fraction(1, 2), Fraction(3 * 2**90 + 2, 4)):
        for sigma in (Fraction(5, 2), Fraction(4000)):
            assert samplez.round([center], sigma=sigma, rng=9)[0] == samplez.BigGaussian(sigma, center=center).sample(rng=9)


def test_the_dtype_follows_from_the_centers() -> None:
    assert samplez.round([2**62 + 1, 0], sigma=3).dtype == np.int64
    assert samplez.sample(3, center=np.array([2.0**62])).dtype == np.int64
    for end in (2**63 - 50, -(2**63) + 50):
        assert samplez.round([end], sigma=3).dtype == np.int64
    for end in (2**63 - 40, -(2**63) + 40):
        assert samplez.round([end], sigma=3).dtype == object
    assert samplez.sample(3.2, center=2**62 + Fraction(1, 2), size=5).dtype == np.int64 and samplez.sample(3.2, center=1e300, size=5).dtype == object
    assert samplez.sample(3, center=[1e300], size=(2, 1)).shape == (2, 1)
    out = np.zeros(2, np.int64)
    assert samplez.sample([3.0, 4.0], center=2.0**62, out=out) is out and abs(out - 2**62).max() < 90
    assert samplez.sample(3, center=np.full((0, 2), 1e300), dtype="int8").shape == (0, 2)


def test_threads_give_far_samples() -> None:
    centers = np.where(np.arange(30_000) % 3 == 0, 1e300, 0.25)
    drawn = samplez.sample(3.2, center=centers, threads=3)
    assert all(abs(x - int(center)) < 50 for x, center in zip(drawn.tolist(), centers.tolist(), strict=True))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: samplez.sample(3, center=[1e300], dtype="int64"), r"^dtype = int64: the samples range from 1.000e\+300 to 1.000e\+300, .*pass no dtype"),
        (lambda: samplez.round([2**62 + 1], sigma=3, dtype="int32"), r"^dtype = int32: the samples range from 46\d+ to 46\d+, .*pass no dtype"),
        (lambda: samplez.round([2**63], sigma=3, out=np.zeros(1, np.int64)), r"^out.dtype = int64: .*pass no out"),
        (lambda: samplez.round([0, Fraction(10**2300 + 1, 3**4500)], sigma=3), r"^centers\[1\] = 9.002e\+152 and a fraction of \d+ characters: expected at most 2048"),
        (lambda: samplez.round(["1", "1_0"], sigma=3), r"^centers\[1\] = 1_0: not a number"),
        (lambda: samplez.round(["1e999999999"], sigma=3), r"^centers\[0\] = 1e999999999: not representable"),
        (lambda: samplez.sample(sigma_squared=[2], center="1e999999999"), r"^center = 1e999999999: powers of ten"),
        (lambda: samplez.round([float("nan")], sigma=3), r"^centers\[0\] = nan: expected a finite number"),
    ],
)
def test_what_it_refuses(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


def test_the_command_rounds_to_the_same_integers(command: str, tmp_path: Path) -> None:
    doubles = np.array([1e300, 0.5, -1e18, 2.0**62, -(2.0**63), 1e-300, 7.25, 1e19])
    np.save(tmp_path / "c.npy", doubles)
    lines = ["9223372036854775809/2", "0.5", "-9223372036854775809/2", "1e300", "10/3", "-1e100"]
    (tmp_path / "c.txt").write_text("\n".join(lines))
    for name, centers in (("c.npy", doubles), ("c.txt", lines)):
        told = subprocess.run([command, "round", tmp_path / name, "--sigma", "3.2", "--seed", "1", "--format", "text"], capture_output=True, check=True)
        assert [int(line) for line in told.stdout.split()] == samplez.round(centers, sigma="3.2", rng=1).tolist()
