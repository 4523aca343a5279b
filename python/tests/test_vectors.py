"""The streams are those of Rust and JavaScript: kat/streams.csv, every method and every seeded source."""

import csv
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samplez

VECTORS = Path(__file__).parents[2] / "kat" / "streams.csv"
ROWS = list(csv.DictReader(VECTORS.open()))


def gaussian(row: dict[str, str]) -> samplez.DiscreteGaussian:
    width: dict[str, Any] = {row["width"].replace("-", "_"): row["value"]}
    precision = int(row["precision"]) or None
    return samplez.DiscreteGaussian(center=row["center"], method=row["method"], precision=precision, **width)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "{method}-{source}-{value}-{seed:.4}".format(**row))
def test_stream(row: dict[str, str]) -> None:
    for threads in (1, 3):
        samples = gaussian(row).sample(
            int(row["count"]),
            rng=bytes.fromhex(row["seed"]),
            source=row["source"],
            first=int(row["first"]),
            threads=threads,
        )
        assert samples[:16].tolist() == [int(x) for x in row["the first samples"].split()]
        digest = hashlib.sha256(samples.astype("<i8").tobytes()).hexdigest()
        assert digest == row["sha256 of the samples as little-endian i64"]


def test_every_source_is_covered() -> None:
    covered = {row["source"] for row in ROWS}
    assert covered == {source.name for source in samplez.sources() if source.seeded}


def test_an_integer_seed_is_its_bytes() -> None:
    g = samplez.DiscreteGaussian("3.2")
    number = 0x0102 << 240 | 7
    assert np.array_equal(g.sample(100, rng=number), g.sample(100, rng=number.to_bytes(32, "little")))
    assert not np.array_equal(g.sample(100, rng=1), g.sample(100, rng=2))
