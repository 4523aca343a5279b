"""Discrete Laplace noise against mpmath, and verdicts about it."""

import pickle
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import samplez


@pytest.mark.parametrize("text", ["1/1000", "1/3", "2.5", "30", "1e15"])
def test_probabilities(text: str) -> None:
    law, scale = samplez.OtherNoise(discrete_laplace=text), Fraction(text)
    with mpmath.workdps(80):
        q = mpmath.exp(-mpmath.mpf(scale.denominator) / scale.numerator)
        exact = [(1 - q) / (1 + q) * q**k for k in range(60)]
        above = [q ** (k + 1) / (1 + q) for k in range(8)]
        assert law.pmf(range(60)).tolist() == [float(mass) for mass in exact] or scale < 1
        assert law.pmf([0, 1, -1, 0.5]).tolist() == [float(exact[0]), float(exact[1]), float(exact[1]), 0]
        assert law.sf(range(8)).tolist() == [float(tail) for tail in above]
        assert law.cdf(range(8)).tolist() == [float(1 - tail) for tail in above]
        assert law.var() == pytest.approx(float(2 * q / (1 - q) ** 2), rel=1e-14)


def test_it_is_a_law_like_others() -> None:
    law = samplez.OtherNoise(discrete_laplace="1.5")
    same = pickle.loads(pickle.dumps(law))
    assert same == law and hash(same) == hash(law) and law != samplez.OtherNoise(skellam="1.5") and repr(law) == "samplez.OtherNoise(discrete_laplace='3/2')"
    assert law.timing == "constant" and law.support() == (-136, 136) and law.mean() == 0
    assert np.array_equal(law.sample(1000, rng=1, threads=2), law.sample(1000, rng=1))
    with pytest.raises(ValueError, match=r"^dtype = int8: the samples range from -136 to 136; use int16"):
        law.sample(5, dtype="int8")


@pytest.mark.parametrize("scale", ["1/2", 1, "40", "1e15"])
def test_verdicts(scale: str | int) -> None:
    law = samplez.OtherNoise(discrete_laplace=scale)
    noise = law.sample(20_000, rng=3)
    assert samplez.verify(noise, law).consistent
    assert not samplez.verify(noise, samplez.OtherNoise(discrete_laplace=Fraction(scale) * Fraction(11, 10))).consistent


def test_a_rounded_laplace_variable_is_rejected() -> None:
    """P(0) is 0.393 for the rounded one of scale 1, and 0.462 for the discrete law."""
    rounded = np.rint(np.random.default_rng(1).laplace(size=5000)).astype(int)
    assert not samplez.verify(rounded, samplez.OtherNoise(discrete_laplace=1)).consistent


@pytest.mark.parametrize("scale", [0, "-1", "1/65537", "1125899906842624.5", "1e16", 10**300])
def test_scales_are_refused(scale: str | int) -> None:
    with pytest.raises(ValueError, match=r"^discrete_laplace = .*: expected a number from 2\^-16 to 2\^50$"):
        samplez.OtherNoise(discrete_laplace=scale)
