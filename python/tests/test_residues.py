"""Residues of samples, beside Python's own remainders."""

from typing import Any

import numpy as np
import pytest

import samplez

PRIME = 0x1FFF_FFFF_FFE0_0001
"""Of the size that libraries for encrypted computation use: 61 bits."""
EXTREMES = [-(2**63), -(2**63) + 1, -12290, -12289, -1, 0, 1, 12288, 12289, 2**62, 2**63 - 1]


@pytest.mark.parametrize("q", [2, 3, 12289, 2**32 + 1, PRIME, 2**63 - 25, 2**63 - 1])
def test_they_are_python_s_remainders(q: int) -> None:
    integers = np.concatenate([np.array(EXTREMES), np.random.default_rng(1).integers(-(2**63), 2**63 - 1, 2000)])
    for array in (integers, integers[::3], integers[:2010].reshape(30, 67).T):
        found = samplez.residues(array, q)
        assert found.dtype == np.uint64 and found.shape == array.shape
        assert [int(value) for value in found.flat] == [int(value) % q for value in array.flat]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64", ">i4", "object"])
def test_types(dtype: Any) -> None:
    info = np.iinfo("int32" if dtype == "object" else dtype)
    values = [info.min, info.min // 2, 0, 5, info.max // 2]
    for q in (2, 127, 300, PRIME):
        assert samplez.residues(np.array(values, dtype), q).tolist() == [value % q for value in values]


def test_integers_beyond_64_bits() -> None:
    big = samplez.BigGaussian(2**80).sample((3, 20), rng=1)
    for q in (2, 12289, PRIME, 2**63 - 1):
        assert samplez.residues(big, q).tolist() == (big % q).tolist()
    assert samplez.residues(big, [PRIME, 7])[1].tolist() == (big % 7).tolist()
    assert samplez.residues(2**63, 7) == 2**63 % 7 and samplez.residues(np.array([2**64 - 1], np.uint64), 7).tolist() == [(2**64 - 1) % 7]


def test_a_basis_has_rows() -> None:
    noise = samplez.DiscreteGaussian("3.2").sample((3, 50), rng=1, dtype="int8")
    basis = [PRIME, 65537, 12289]
    for given in (basis, tuple(basis), np.array(basis)):
        rows = samplez.residues(noise, given)
        assert rows.shape == (3, 3, 50) and all(np.array_equal(row, noise.astype(object) % q) for row, q in zip(rows, basis))
    assert samplez.residues(noise, []).shape == (0, 3, 50)
    assert samplez.residues(-3, 7) == 4 and samplez.residues([], 7).shape == (0,)
    assert samplez.residues([], [5, 7]).shape == (2, 0)
    law = samplez.TargetLaw("3.2", modulus=12289)
    assert samplez.verify(samplez.residues(samplez.DiscreteGaussian("3.2").sample(100_000, rng=1), 12289), law).consistent


@pytest.mark.parametrize(
    ("integers", "modulus", "error", "text"),
    [
        ([1], 1, ValueError, r"modulus = 1: expected an integer from 2 to 2\^63 - 1"),
        ([1], 0, ValueError, "modulus = 0: "),
        ([1], -5, ValueError, "modulus = -5: "),
        ([1], 2**63, ValueError, "modulus = 9223372036854775808: "),
        ([1], 2**64 + 5, ValueError, "modulus = 18446744073709551621: "),
        ([1], [7, 1], ValueError, r"modulus\[1\] = 1: "),
        ([1], 7.0, TypeError, "modulus = 7.0: expected an integer or a sequence of integers, not float"),
        ([1], "7", TypeError, "modulus = 7: .*not str"),
        ([1], [7, "5"], TypeError, r"modulus\[1\] = 5: .*not str"),
        ([1], [True], TypeError, r"modulus\[0\] = True: .*not bool"),
        ([1.5], 7, TypeError, r"^integers\[0\] = 1.5: expected an integer, not float; round first"),
        ([True], 7, TypeError, r"integers\[0\]: expected an integer, not bool; write integers.astype"),
        (["a"], 7, TypeError, r"integers\[0\]: expected an integer, not str; read the text"),
        ([2**70], 1, ValueError, "modulus = 1: "),
        ([2**70, 0.5], 7, TypeError, r"integers\[1\] = 0.5: "),
    ],
)
def test_refusals(integers: Any, modulus: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=f"^{text}"):
        samplez.residues(integers, modulus)
