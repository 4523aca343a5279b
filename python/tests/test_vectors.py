"""The streams are those of Rust and JavaScript: kat/streams.csv, every method and every seeded source; and the schemes' keys,
signatures and ciphertexts."""

import csv
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samplez
from samplez.schemes import bliss, lp11, regev

VECTORS = Path(__file__).parents[2] / "kat" / "streams.csv"
RECIPES = VECTORS.with_name("recipes.csv")
SHORT = VECTORS.with_name("short-seeds.csv")
SCHEMES = VECTORS.with_name("schemes.csv")
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


@pytest.mark.parametrize("row", list(csv.DictReader(SHORT.open())), ids=lambda row: str(row["number"]))
def test_a_number_is_a_short_seed(row: dict[str, str]) -> None:
    """kat/short-seeds.csv: the same 32 bytes in every language, for samples, sources and bit generators."""
    g, seed = samplez.DiscreteGaussian("3.2"), bytes.fromhex(row["seed"])
    expected = g.sample(100, rng=seed)
    for same in (int(row["number"]), np.uint64(row["number"]), row["number"], row["seed"], bytearray(seed)):
        assert np.array_equal(g.sample(100, rng=same), expected)  # type: ignore[arg-type]
        stream = g.sample(100, rng=samplez.Source(seed=seed))
        assert np.array_equal(g.sample(100, rng=samplez.Source(seed=same)), stream)  # type: ignore[arg-type]
        assert np.array_equal(g.sample(100, rng=samplez.BitGenerator(seed=same)), stream)  # type: ignore[arg-type]
    assert not np.array_equal(g.sample(100, rng=3), expected)


@pytest.mark.parametrize("row", list(csv.DictReader(RECIPES.open())), ids=lambda row: "{recipe}-{source}-{seed:.4}".format(**row))
def test_recipe_and_seed(row: dict[str, str]) -> None:
    """kat/recipes.csv: what a recipe and a seed, as texts, give in every language."""
    samples = samplez.DiscreteGaussian.from_recipe(row["recipe"]).sample(16, rng=row["seed"], source=row["source"])
    assert samples.tolist() == [int(x) for x in row["the first samples"].split()]


@pytest.mark.parametrize("row", list(csv.DictReader(SCHEMES.open())), ids=lambda row: "{scheme}-{set}-{variant}-{profile}-{signer}-{noise}".format(**row))
def test_scheme(row: dict[str, str]) -> None:
    """kat/schemes.csv: the same keys, signatures and ciphertexts in every language."""
    noise, message = row["noise"], bytes.fromhex(row["message"])
    seeds = row["key_seed"], bytes.fromhex(row["seed"])
    made: tuple[bytes, bytes, bytes]
    if row["scheme"] == "bliss":
        key = bliss.keygen(row["set"], row["variant"], profile=row["profile"], rng=seeds[0])
        signature = key.sign(message, signer=row["signer"], noise=noise, rng=seeds[1])
        key.public_key().verify(message, signature)
        made = key.public_key().to_bytes(), key.to_bytes(), signature.to_bytes()
    elif row["scheme"] == "lp11":
        pair = lp11.keygen(row["set"], noise=noise, rng=seeds[0])
        made = pair[0].to_bytes(), pair[1].to_bytes(), pair[0].encrypt(message, noise=noise, rng=seeds[1])
        assert pair[1].decrypt(made[2]).hex() == row["decrypted"]
    else:
        keys = regev.keygen(row["set"], noise=noise, rng=seeds[0])
        made = keys[0].to_bytes(), keys[1].to_bytes(), keys[0].encrypt(message, rng=seeds[1])
        assert keys[1].decrypt(made[2]).hex() == row["decrypted"]
    assert [hashlib.sha256(part).hexdigest() for part in made] == [row["public_key"], row["secret_key"], row["output"]]
