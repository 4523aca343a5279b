"""`samplez.lattice.Gadget` and `Trapdoor` against the equations, enumeration of a coset, and the Gaussian's covariance."""

import itertools
import math
import pickle
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import samplez
from samplez import lattice

KEY = lattice.Trapdoor.generate(2, q=256, rng=1)


def chi_square(counts: Counter[tuple[int, ...]], masses: dict[tuple[int, ...], float], n: int) -> tuple[float, int]:
    """Pearson's χ² over cells that expect 10, with one cell for the rest; and the cells less 1."""
    cells = {v: n * mass for v, mass in masses.items() if n * mass >= 10}
    rest, others = n - sum(cells.values()), n - sum(counts[v] for v in cells)
    return sum((counts[v] - mean) ** 2 / mean for v, mean in cells.items()) + (others - rest) ** 2 / max(rest, 1), len(cells)


def is_plausible(statistic: float, df: int) -> bool:
    """Whether χ² is below its 10^-6 quantile, by Wilson and Hilferty."""
    return bool(((statistic / df) ** (1 / 3) - 1 + 2 / (9 * df)) / (2 / (9 * df)) ** 0.5 < 4.9)


@pytest.mark.parametrize(("base", "q", "sigma", "u"), [(3, 9, Fraction(3), 4), (3, 7, Fraction(7, 2), 5), (2, 5, Fraction(9, 4), 3)], ids=str)
def test_a_gadget_s_samples_are_those_of_the_coset(base: int, q: int, sigma: Fraction, u: int) -> None:
    gadget = lattice.Gadget(base, q=q, sigma=sigma)
    k = gadget.digits
    assert base**k >= q > base ** (k - 1) and repr(gadget) == f"samplez.lattice.Gadget({base}, q={q}, sigma='{sigma}')"
    assert (gadget.bound is None) == (q == base**k)
    reach = math.ceil(8 * sigma)
    masses = {x: math.exp(-sum(a * a for a in x) / float(2 * sigma**2)) for x in itertools.product(range(-reach, reach + 1), repeat=k)
              if (sum(a * base**i for i, a in enumerate(x)) - u) % q == 0}
    total = sum(masses.values())
    n = 40_000
    drawn = gadget.sample(np.full(n, u), rng=1)
    counts = Counter(map(tuple, drawn.tolist()))
    statistic, df = chi_square(counts, {v: mass / total for v, mass in masses.items()}, n)
    assert df > 20 and is_plausible(statistic, df)
    # Another width is found.
    wrong = {v: mass**1.1 for v, mass in masses.items()}
    assert not is_plausible(*chi_square(counts, {v: mass / sum(wrong.values()) for v, mass in wrong.items()}, n))


def test_a_gadget_s_arrays() -> None:
    gadget = lattice.Gadget(2, q=12_289, sigma="4.5")
    cosets = np.arange(24, dtype=np.uint16).reshape(2, 3, 4)
    x = gadget.sample(cosets, rng=5)
    assert x.shape == (2, 3, 4, 14) and x.dtype == np.int64 and (x @ 2 ** np.arange(14) % 12_289 == cosets).all()
    assert (pickle.loads(pickle.dumps(gadget)).sample(cosets, rng=5) == x).all()
    assert gadget.sample(7, rng=samplez.Source(seed=1)).shape == (14,) and gadget.sample([], rng=1).shape == (0, 14)
    assert gadget.bound is not None and gadget.bound.log2_sd < -50 and lattice.Gadget.min_sigma(2, q=12_289) == Fraction(9, 4)
    assert repr(gadget) == "samplez.lattice.Gadget(2, q=12289, sigma='4.5')"


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda: lattice.Gadget(1, q=9, sigma=3), ValueError, "base = 1: expected an integer from 2 to 9"),
    (lambda: lattice.Gadget(2, q=1, sigma=3), ValueError, "q = 1: expected an integer from 2 to 2^31"),
    (lambda: lattice.Gadget(2, q=9, sigma=1), ValueError, "sigma = 1: expected a number from 9/4 to 2^25 for base 2 and this q"),
    (lambda: lattice.Gadget(2, q=9, sigma="x"), ValueError, "sigma = x"),
    (lambda: lattice.Gadget(2.5, q=9, sigma=3), TypeError, "base"),  # type: ignore[arg-type]
    (lambda: lattice.Gadget(3, q=9, sigma=3).sample([8, 9]), ValueError, "cosets = 9: expected integers from 0 to 8"),
    (lambda: lattice.Gadget(3, q=9, sigma=3).sample([-1]), ValueError, "cosets = -1: expected integers from 0 to 8"),
    (lambda: lattice.Gadget(3, q=9, sigma=3).sample([0.5]), TypeError, "cosets: expected integers, not float64"),
    (lambda: lattice.Gadget(3, q=9, sigma=3).sample([True]), TypeError, "cosets: expected integers, not bool"),
    (lambda: lattice.Gadget(3, q=9, sigma=3).sample([1], rng="no"), ValueError, "rng"),
    (lambda: lattice.Trapdoor(), TypeError, "a Trapdoor is made by Trapdoor.generate or Trapdoor.from_bytes"),
    (lambda: lattice.Trapdoor.generate(0, q=256, rng=1), ValueError, "n = 0: expected an integer from 1 to 2048"),
    (lambda: lattice.Trapdoor.generate(2, q=1, rng=1), ValueError, "q = 1: expected an integer from 2 to 2^31"),
    (lambda: lattice.Trapdoor.generate(2, q=-1, rng=1), ValueError, "q = -1"),
    (lambda: lattice.Trapdoor.generate(2, q=256, rng=1, columns=0), ValueError, "columns = 0: expected an integer from 1 to 4096"),
    (lambda: lattice.Trapdoor.generate(2, q=256, rng=1, base=1), ValueError, "base = 1: expected an integer from 2 to 256"),
    (lambda: lattice.Trapdoor.generate(2, q=256, rng=1, key_sigma="0.5"), ValueError, "key_sigma = 0.5: expected a number from 1 to 64"),
    (lambda: lattice.Trapdoor.generate(2, q=256, rng=1, sigma=5), ValueError, "sigma = 5: expected a number from "),
    (lambda: lattice.Trapdoor.generate(2, q=256, rng=np.random.default_rng(1)), ValueError, "rng: a NumPy PCG64 is not cryptographic"),
    (lambda: lattice.Trapdoor.from_bytes("no"), TypeError, "data: expected bytes, not str"),  # type: ignore[arg-type]
    (lambda: lattice.Trapdoor.from_bytes(b"no"), ValueError, "data = 2 bytes: expected the output of "),
    (lambda: KEY.preimage([1]), ValueError, "targets: has shape (1,), expected 2 entries along the last axis"),
    (lambda: KEY.preimage([1, 256]), ValueError, "targets = 256: expected integers from 0 to 255"),
    (lambda: KEY.preimage([1, 0.5]), TypeError, "targets: expected integers, not float64"),
    (lambda: KEY.apply([1]), ValueError, "x: has shape (1,), expected 20 entries along the last axis"),
    (lambda: KEY.apply(np.full(20, 2**63, np.uint64)), ValueError, "x = 9223372036854775808: expected integers of at most 64 bits with a sign"),
    (lambda: pickle.dumps(KEY), TypeError, "a Trapdoor is secret and is not pickled: use to_bytes and from_bytes"),
])
def test_bad_arguments_are_named(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("parameters", [
    {"n": 1, "q": 17, "sigma": None}, {"n": 3, "q": 12_289, "base": 4}, {"n": 4, "q": 2**31, "base": 1024, "columns": 5}, {"n": 8, "q": 256, "key_sigma": "5/2"},
], ids=str)
def test_preimages_solve_the_equation(parameters: dict[str, Any]) -> None:
    key = lattice.Trapdoor.generate(rng=7, **parameters)
    (n, m), q = key.a.shape, key.q
    assert (n, q) == (parameters["n"], parameters["q"]) and 0 <= key.a.min() and key.a.max() < q
    targets = np.random.default_rng(3).integers(0, q, (5, 14, n))
    x = key.preimage(targets, rng=8)
    assert x.shape == (5, 14, m) and x.dtype == np.int64
    exact = (x.astype(object) @ key.a.T.astype(object)) % q
    assert (exact == targets).all() and (key.apply(x) == targets).all()
    assert key.preimage(targets[0, 0].tolist(), rng=samplez.Source(seed=1)).shape == (m,)
    wide = np.random.default_rng(4).integers(-(2**63), 2**63 - 1, (3, m))
    assert (key.apply(wide) == (wide.astype(object) @ key.a.T.astype(object)) % q).all()
    assert key.sigma.denominator <= 32 and key.bound.log2_sd < -30 and set(key.bound.log2_renyi) == {2, 256, 513, math.inf}


def test_a_key_is_its_bytes_and_its_seed() -> None:
    octets = KEY.to_bytes()
    again = lattice.Trapdoor.from_bytes(bytearray(octets))
    assert (again.a == KEY.a).all() and again.sigma == KEY.sigma and again.bound == KEY.bound and again.to_bytes() == octets
    targets = [[1, 2], [3, 4]]
    assert (again.preimage(targets, rng=5) == KEY.preimage(targets, rng=5)).all()
    assert (lattice.Trapdoor.generate(2, q=256, rng=1).a == KEY.a).all() and (lattice.Trapdoor.generate(2, q=256, rng=2).a != KEY.a).any()
    assert (KEY.preimage([1, 2]) != KEY.preimage([1, 2])).any()
    assert repr(KEY) == f"<samplez.lattice.Trapdoor: n 2, m 20, q 256, sigma {KEY.sigma}>"
    for place in (0, len(octets) // 2):
        with pytest.raises(ValueError):
            lattice.Trapdoor.from_bytes(octets[:place] + b"\xff\x7f" + octets[place + 2:])


def test_preimages_have_the_covariance_of_the_gaussian() -> None:
    """Over random targets x is D_{Z^m,σ}: its covariance is σ²·I, whatever the trapdoor is. Without the perturbation the first coordinates
    are R·z and have r²·RRᵗ."""
    n = 30_000
    targets = np.random.default_rng(5).integers(0, 256, (n, 2))
    x = KEY.preimage(targets, rng=6)
    s = float(KEY.sigma)
    scaled = x / s
    assert abs(scaled.mean(axis=0)).max() < 6 / n**0.5
    covariance = scaled.T @ scaled / n
    # An entry has a standard deviation of n^-1/2, and sqrt(2) of that on the diagonal: 6 of them.
    assert abs(covariance - np.diag(np.diag(covariance))).max() < 6 / n**0.5
    assert abs(np.diag(covariance) - 1).max() < 6 * (2 / n) ** 0.5
    # The secret's directions: R from the bytes, whose last 2·4·16 are R row by row.
    r = np.frombuffer(KEY.to_bytes()[-2 * 4 * 16:], "<i2").reshape(4, 16)
    basis = np.vstack([r, np.eye(16, dtype=int)])
    assert (KEY.a @ basis % 256 == np.kron(np.eye(2, dtype=int), 2 ** np.arange(8))).all()
    top = np.linalg.svd(basis)[0][:, 0]
    assert abs((scaled @ top).var() - 1) < 6 * (2 / n) ** 0.5
    # A sample along that direction alone, as a plain R·z has it, is found.
    z = lattice.Gadget(2, q=256, sigma=4).sample(targets, rng=9).reshape(n, 16) @ basis.T
    assert abs(np.cov(z.T) / np.cov(z.T).trace() * 20 - np.eye(20)).max() > 0.5


def test_preimages_of_one_target_have_the_norms_of_its_coset() -> None:
    """One target: ‖x‖²/σ² has the mean m and the variance 2m of the Gaussian, as σ is far above the lattice's smoothing parameter."""
    n = 20_000
    x = KEY.preimage(np.full((n, 2), [3, 200]), rng=10)
    norms = (x.astype(float) ** 2).sum(axis=1) / float(KEY.sigma) ** 2
    assert abs(norms.mean() - 20) < 6 * (40 / n) ** 0.5 and abs(norms.var() - 40) < 6 * 40 * (5 / n) ** 0.5
