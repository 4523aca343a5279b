"""Skellam noise against mpmath and brute force."""

import pickle
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import samplez
from samplez import dp


def masses(variance: Fraction, count: int) -> list[mpmath.mpf]:
    """P(0), P(1), … by the power series of the Bessel function: a sum of positive terms, and one exponential."""
    with mpmath.workdps(120):
        half = mpmath.mpf(variance.numerator) / variance.denominator / 2
        result, first = [], mpmath.exp(-2 * half)
        for k in range(count):
            first = first * half / k if k else first
            term = total = first
            for j in range(1, 120):
                term = term * half * half / (j * (j + k))
                total += term
            result.append(total)
        return result


def thresholds(variance: Fraction, count: int) -> list[int]:
    """Sums of 2^128·2P(k), rounded down, from each k on."""
    with mpmath.workdps(120):
        weights = [int(mpmath.floor(2 * mass * 2**128)) for mass in masses(variance, count)[1:]]
    return [sum(weights[k:]) for k in range(len(weights))]


@pytest.mark.parametrize("text", ["1/3", "2.5", "30"])
def test_samples_invert_an_independent_table(text: str) -> None:
    law, table = samplez.OtherNoise(skellam=text), thresholds(Fraction(text), 120)
    words = samplez.BitGenerator("chacha20", 5).random_raw(260).tolist()
    # One word for whether the remainder is drawn, and 129 bits for each sample, the least significant bit first.
    bits = sum(word << 64 * i for i, word in enumerate(words)) >> 64
    wanted = []
    for i in range(100):
        record = bits >> 129 * i
        index = sum(record % 2**128 < threshold for threshold in table)
        wanted.append(-index if record >> 128 & 1 else index)
    assert law.sample(100, rng=samplez.Source("chacha20", seed=5)).tolist() == wanted


@pytest.mark.parametrize("text", ["1/1000", "1/3", "2.5", "30"])
def test_probabilities(text: str) -> None:
    law, exact = samplez.OtherNoise(skellam=text), masses(Fraction(text), 60)
    assert law.pmf(range(60)).tolist() == [float(mass) for mass in exact]
    assert law.pmf([-7, 7, 0.5, float("inf")]).tolist() == [float(exact[7])] * 2 + [0, 0]
    with mpmath.workdps(120):
        all_of_them = masses(Fraction(text), 120)
        above = [mpmath.fsum(all_of_them[k + 1 :]) for k in range(8)]
        assert law.sf(range(8)).tolist() == [float(tail) for tail in above]
        assert law.cdf(range(8)).tolist() == [float(1 - tail) for tail in above]
        assert law.logpmf(5) == float(mpmath.log(exact[5]))
    assert (law.mean(), law.var()) == (0.0, float(Fraction(text)))


def test_samples_have_their_law_and_no_other() -> None:
    for variance, off in (("2.5", "2.55"), ("1000", "1020"), ("0.01", "0.013")):
        law = samplez.OtherNoise(skellam=variance)
        noise = law.sample(400_000, rng=3, threads=2)
        assert samplez.verify(noise, law).consistent
        assert not samplez.verify(noise, samplez.OtherNoise(skellam=off)).consistent
    # The Gaussian of the same variance is another law, and so is the noise of a parameter that is twice as large.
    noise = samplez.OtherNoise(skellam="2.5").sample(1_000_000, rng=4)
    assert not samplez.verify(noise, samplez.DiscreteGaussian(sigma_squared="2.5")).consistent
    # Variances add; and a product with 2 is no sum.
    sums = samplez.OtherNoise(skellam=10).sample(400_000, rng=5) + samplez.OtherNoise(skellam="7/2").sample(400_000, rng=6)
    assert samplez.verify(sums, samplez.OtherNoise(skellam="13.5")).consistent
    assert not samplez.verify(2 * samplez.OtherNoise(skellam="27/8").sample(400_000, rng=5), samplez.OtherNoise(skellam="13.5")).consistent


def test_arrays_types_and_copies() -> None:
    law = samplez.OtherNoise(skellam=30)
    assert (law.timing, law.support(), repr(law)) == ("constant", (-83, 83), "samplez.OtherNoise(skellam='30')")
    whole = law.sample(20_000, rng=7)
    assert (law.sample(9000, rng=7, first=1234, threads=2) == whole[1234:10_234]).all()
    assert (law.sample(20_000, rng=7, dtype="int8") == whole).all()
    copy = pickle.loads(pickle.dumps(law))
    assert copy == law and hash(copy) == hash(law) and copy != samplez.OtherNoise(skellam=31) and samplez.OtherNoise(skellam="0.1") == samplez.OtherNoise(skellam=0.1)
    assert type(law.sample()) is int and type(law.sample(rng=np.random.default_rng(1))) is int
    with pytest.raises(ValueError, match="^dtype = int8: the samples range from -417 to 417; use int16$"):
        samplez.OtherNoise(skellam=1000).sample(9, dtype="int8")


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        (0, ValueError, r"skellam = 0: expected a number from 2\^-16 to 2\^20; for a larger variance add samples"),
        ("1e4999", ValueError, r"skellam = 1e4999: expected a number"),
        (1e300, ValueError, r"skellam = 1e\+300: expected a number"),
        (-3, ValueError, r"skellam = -3: "),
        (2**21, ValueError, r"skellam = 2097152: "),
        (Fraction(1, 2**17), ValueError, r"skellam = 1/131072: "),
        (float("nan"), ValueError, r"skellam = nan: expected a finite number"),
        (True, TypeError, r"skellam = True: expected a number"),
        ("ten", ValueError, r"skellam = ten: not a number"),
        (2j, TypeError, r"skellam = 2j: expected .*not complex"),
    ],
)
def test_bad_variances(value: object, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        samplez.OtherNoise(skellam=value)  # type: ignore[arg-type]


def test_the_mechanism() -> None:
    counts = np.array([[5, 0], [12, 7]])
    release = dp.skellam_mechanism(counts, sensitivity=2, variance="12.5", epsilon=1, changes=1, rng=1)
    assert release.variance == Fraction(25, 2) and release.epsilon == 1
    assert release.delta == dp.Plan.skellam(variance="12.5", sensitivity=2).delta(1).upper
    seed = dp.skellam_mechanism(counts, sensitivity=2, variance="12.5", rng=1)
    assert isinstance(release.values, np.ndarray) and (release.values == seed.values).all() and seed.delta is None
    # Without `changes`, one person may change all four.
    assert dp.skellam_mechanism(counts, sensitivity=2, variance=60, epsilon=1).delta == dp.Plan.skellam(variance=60, sensitivity=2, releases=4).delta(1).upper
    # The guarantee of a sum over clients has their variances' sum.
    assert dp.skellam_mechanism(7, sensitivity=1, variance=2, epsilon=1, clients=10).delta == dp.Plan.skellam(variance=20).delta(1).upper
    assert isinstance(dp.skellam_mechanism(7, sensitivity=1, variance=2).values, int)
    noise = dp.skellam_mechanism(np.zeros(200_000, int), variance="3.5", rng=2).values
    assert samplez.verify(noise, samplez.OtherNoise(skellam="3.5")).consistent
    assert "Skellam, variance 25/2" in release._repr_html_()


@pytest.mark.parametrize(("step", "epsilon", "delta", "changes"), [(1, 1, "1e-6", 1), (3, "1/2", "1e-5", 1)])
def test_a_variance_is_sufficient_and_not_much_more(step: int, epsilon: int | str, delta: str, changes: int) -> None:
    variance = dp.skellam_variance(step, epsilon=epsilon, delta=delta, changes=changes)
    assert dp.Plan.skellam(variance=variance, sensitivity=step, releases=changes).delta(epsilon).upper <= float(delta)
    assert dp.Plan.skellam(variance=variance * Fraction(99, 100), sensitivity=step, releases=changes).delta(epsilon).lower > float(delta)
    shared = dp.skellam_mechanism([0] * changes, sensitivity=step, epsilon=epsilon, delta=delta, clients=4, rng=1)
    assert shared.variance == variance / 4 and shared.delta is not None and shared.delta <= float(delta)


def test_the_least_variance() -> None:
    # Less noise would do, and the sampler has none.
    assert dp.skellam_variance(epsilon=15, delta="1e-6") == Fraction(1, 2**16)
    assert dp.skellam_mechanism(3, epsilon=1, delta="1e-6", clients=2_000_000).variance == Fraction(1, 2**16)


def test_the_most_changes() -> None:
    with pytest.raises(ValueError, match=r"^changes = 200000: expected at most 2\^17 = 131072 with epsilon and delta, .*; give fewer$"):
        dp.skellam_variance(epsilon=1, delta="1e-6", changes=200_000)
    # Which were not given.
    with pytest.raises(ValueError, match=r"^values: 200000 integers, of which one person may change all by default: expected at most 2\^17 = 131072 changes; give changes, or variance$"):
        dp.skellam_mechanism(np.zeros(200_000, int), epsilon=1, delta="1e-6")


def test_wide_noise_is_a_sum() -> None:
    values = dp.skellam_mechanism(np.zeros(20_000, int), variance=3 * 2**20 + 1, rng=3).values
    assert isinstance(values, np.ndarray)
    # 20,000 samples: their mean square is within 5 deviations of 1 %.
    assert abs(float(np.mean(values.astype(float) ** 2)) / (3 * 2**20 + 1) - 1) < 0.05


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"variance": 0}, ValueError, "variance = 0: expected a number above 0"),
        ({"variance": "1e-9"}, ValueError, r"variance = 1e-9: expected a number from 2\^-16 to 2\^32"),
        ({"variance": 2**33}, ValueError, r"variance = 8589934592: expected a number from 2\^-16 to 2\^32"),
        ({}, TypeError, "^missing noise: pass variance, or epsilon and delta$"),
        ({"epsilon": 1}, TypeError, "^missing noise: pass variance, or epsilon and delta$"),
        ({"variance": 4, "delta": "1e-6"}, ValueError, "delta = 1e-6: variance is given too; pass only one of them"),
        ({"epsilon": "1e-9", "delta": "1e-9", "changes": 1, "sensitivity": 2000}, ValueError, r"epsilon = 1/1000000000: expected a guarantee .* up to a variance of 2\^22"),
        ({"variance": "4000000000.1234567891"}, ValueError, "variance = 4000000000.1234567891: expected a number with at most 18 digits"),
        ({"variance": 4, "changes": 0}, ValueError, "changes = 0: expected a value between 1 and 3"),
        ({"variance": 4, "changes": 4}, ValueError, "changes = 4: expected a value between 1 and 3"),
        ({"variance": 4, "clients": 0}, ValueError, "clients = 0: "),
        ({"variance": 4, "sensitivity": 0}, ValueError, "sensitivity = 0: "),
        ({"variance": 4, "epsilon": -1}, ValueError, "epsilon = -1: expected a number from 0 on"),
        ({"variance": 4, "rng": np.random.default_rng(1)}, ValueError, "rng: a NumPy PCG64 is not cryptographic"),
    ],
)
def test_bad_arguments_of_the_mechanism(arguments: dict[str, object], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        dp.skellam_mechanism([1, 2, 3], **arguments)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="values: expected integers"):
        dp.skellam_mechanism([1.5], variance=4)
    # A noisy value of one party must not be cut off: the sum would have another law.
    for value in (2**62 + 1, -(2**62) - 1):
        with pytest.raises(OverflowError, match=r"values: expected a value between -2\^62 and 2\^62 with clients"):
            dp.skellam_mechanism([value], variance=4, clients=2)
        with pytest.raises(OverflowError, match=r"values: expected a value between -2\^62 and 2\^62 with clients"):
            dp.discrete_gaussian_mechanism([value], sensitivity=1, sigma=3, clients=2)
        assert dp.discrete_gaussian_mechanism([value], sensitivity=1, sigma=3).sigma_squared == 9
