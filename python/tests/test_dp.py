"""The accounting against the definition of privacy, summed over small domains, and against figures that others publish."""

import itertools
import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from samplez import dp
from samplez.dp._zcdp import ripple_of_sum, with_distance


def worst_delta(epsilon: Fraction, sigma_squared: Fraction, sensitivity: int) -> float:
    """Max over shifts d <= Δ of Σ max(0, P(x) - e^ε P(x - d)): the definition of (ε, δ)-DP."""
    reach = int(40 * math.sqrt(sigma_squared)) + 40
    with localcontext(prec=50):
        def rho(x: int) -> Decimal:
            exponent = Fraction(-x * x) / (2 * sigma_squared)
            return (Decimal(exponent.numerator) / Decimal(exponent.denominator)).exp()

        weight = {x: rho(x) for x in range(-reach, reach + 1)}
        total = Decimal(sum(weight.values()))
        factor = (Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()
        deltas = []
        for d in range(1, sensitivity + 1):
            gains = (p - factor * weight.get(x - d, Decimal(0)) for x, p in weight.items())
            deltas.append(Decimal(sum(gain for gain in gains if gain > 0)) / total)
        return float(max(deltas))


def pmf(sigma_squared: Fraction, reach: int) -> npt.NDArray[np.float64]:
    """The discrete Gaussian on -reach … reach."""
    weights = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * float(sigma_squared)))
    result: npt.NDArray[np.float64] = weights / weights.sum()
    return result


def worst_delta_of_vectors(epsilon: float, sigma_squared: Fraction, squared: int, dimension: int) -> float:
    """The same over all shifts in several coordinates, on a grid."""
    reach = int(9 * math.sqrt(sigma_squared)) + 3
    law = pmf(sigma_squared, reach)
    joint = law
    for _ in range(dimension - 1):
        joint = np.multiply.outer(joint, law)
    most, worst = math.isqrt(squared), 0.0
    for shift in itertools.product(range(most + 1), repeat=dimension):
        if 0 < sum(x * x for x in shift) <= squared and list(shift) == sorted(shift):
            moved = np.zeros_like(joint)
            moved[tuple(slice(x, None) for x in shift)] = joint[tuple(slice(0, len(law) - x) for x in shift)]
            worst = max(worst, float(np.maximum(joint - math.exp(epsilon) * moved, 0).sum()))
    return worst


@pytest.mark.parametrize(
    ("epsilon", "sigma_squared", "sensitivity"),
    [("1", "1", 1), ("1", "10", 1), ("0.1", "400", 1), ("3", "0.5", 1), ("0.5", "50.25", 3), ("1/3", "77", 7), ("0", "9", 2)],
)
def test_tight_delta(epsilon: str, sigma_squared: str, sensitivity: int) -> None:
    exact = worst_delta(Fraction(epsilon), Fraction(sigma_squared), sensitivity)
    bound = dp.delta(epsilon, sigma_squared=sigma_squared, sensitivity=sensitivity)
    assert exact <= bound <= exact * (1 + 1e-7)
    # A sensitivity between is that of the integer below; in several coordinates 1 moves one of them.
    assert dp.delta(epsilon, sigma_squared=sigma_squared, sensitivity_squared=sensitivity**2 + 1) == bound
    if sensitivity == 1:
        assert dp.delta(epsilon, sigma_squared=sigma_squared, dimension=10**6) == bound


@pytest.mark.parametrize(
    ("epsilon", "sigma_squared", "squared", "dimension", "slack"),
    [("1", "2", 2, 2, 1e-6), ("0.5", "5", 2, 2, 1e-7), ("0", "3", 2, 2, 1e-7), ("1", "4", 5, 2, 1e-4), ("0.7", "9", 13, 2, 1e-3),
     ("2", "2", 8, 2, 1e-6), ("1", "2", 3, 3, 1e-6), ("0.5", "3", 6, 3, 1e-3)],
)
def test_tight_delta_of_vectors(epsilon: str, sigma_squared: str, squared: int, dimension: int, slack: float) -> None:
    exact = worst_delta_of_vectors(float(Fraction(epsilon)), Fraction(sigma_squared), squared, dimension)
    bound = dp.delta(epsilon, sigma_squared=sigma_squared, sensitivity_squared=squared, dimension=dimension)
    assert exact * (1 - 1e-12) <= bound <= exact * (1 + slack)


def test_narrow_noise_on_vectors_is_accounted_all_the_same() -> None:
    """Where a sum of discrete Gaussians is far from one, the bound is that of zCDP."""
    for sigma_squared, squared in (("0.1", 2), ("0.25", 3), ("0.5", 5), ("1", 5)):
        for epsilon in ("0.5", "3", "8"):
            exact = worst_delta_of_vectors(float(Fraction(epsilon)), Fraction(sigma_squared), squared, 3)
            bound = dp.delta(epsilon, sigma_squared=sigma_squared, sensitivity_squared=squared, dimension=3)
            assert exact * (1 - 1e-12) <= bound <= dp.delta_of_rho(dp.rho(sigma_squared=sigma_squared, sensitivity_squared=squared), epsilon=epsilon)


def test_random_instances() -> None:
    """The exact δ is at most that of zCDP, and more coordinates, a larger shift or less noise never make it less."""
    draw = random.Random(1)
    for _ in range(60):
        sigma_squared = Fraction(draw.randrange(4, 4000), draw.randrange(1, 9))
        epsilon, squared, dimension = Fraction(draw.randrange(1, 400), 100), draw.randrange(1, 33), draw.randrange(1, 9)
        one = dp.delta(epsilon, sigma_squared=sigma_squared, sensitivity_squared=squared)
        several = dp.delta(epsilon, sigma_squared=sigma_squared, sensitivity_squared=squared, dimension=dimension)
        more = dp.delta(epsilon, sigma_squared=sigma_squared, sensitivity_squared=squared, dimension=dimension + 1)
        concentrated = dp.delta_of_rho(dp.rho(sigma_squared=sigma_squared, sensitivity_squared=squared), epsilon=epsilon)
        assert several <= more * (1 + 1e-9) and several <= concentrated * (1 + 1e-9) and more <= concentrated * (1 + 1e-9)
        if dimension > 1:
            assert one <= several * (1 + 1e-9)


# google/differential-privacy, python/dp_accounting, privacy_loss_mechanism_test.py: test_discrete_gaussian_from_privacy_parameters
# without sampling: sensitivity, ε, δ, σ to three places. The last σ is not the least: δ does not fall steadily with σ.
GOOGLE = [(1, 1, "0.12693674", 1.041), (2, 1, "0.12693674", 1.972), (3, 1, "0.78760074", 0.993), (6, 1, "0.78760074", 2.014),
          (1, 2, "0.02092364", 1.038), (5, 2, "0.02092364", 5.008), (1, 16, "1e-5", 0.306), (2, 16, "1e-5", 0.703)]


@pytest.mark.parametrize(("sensitivity", "epsilon", "delta", "sigma"), GOOGLE)
def test_google_s_figures(sensitivity: int, epsilon: int, delta: str, sigma: float) -> None:
    assert dp.delta(epsilon, sigma_squared=Fraction(round(10**4 * sigma) + 5, 10**4) ** 2, sensitivity=sensitivity) <= float(delta)
    ours = math.sqrt(dp.sigma_squared(sensitivity, epsilon=epsilon, delta=delta))
    assert ours <= sigma + 0.0005 and (sigma == 0.703 or ours >= sigma - 0.0005)


def test_opendp_s_figures() -> None:
    """opendp 0.14, combinators/measure_cast/zCDP_to_approxDP/test.rs and cdp_delta's: scale 4 at distance 1, and ρ = ½."""
    rho = dp.rho(sigma_squared=16)
    assert 0.1508457845622862 <= dp.delta_of_rho(rho, epsilon=0) <= 0.1508457845622862 * 1.0001
    assert 1e-3 <= dp.delta_of_rho(rho, epsilon="0.6880024554878085") <= 1e-3 * 1.0001
    assert 0.6880024554878085 <= float(dp.epsilon_of_rho(rho, delta="0.001")) <= 0.68802
    assert 0.5588356393474351 <= dp.delta_of_rho("0.5", epsilon=0) <= 0.5588356393474351 * 1.0001


def test_a_bound_is_never_nothing() -> None:
    """Where tails vanish in doubles δ is not 0: no Gaussian noise is (ε, 0)-DP."""
    for epsilon, sigma_squared in ((10**300, 1), (50, 10**6), (1, 2**40), ("1e15", 10**6)):
        assert 0 < dp.delta(epsilon, sigma_squared=sigma_squared) < 1e-300
    assert dp.delta(1, sigma_squared=1, sensitivity=2**66) == 1
    assert 0 < dp.delta_of_rho("1e-5", epsilon=600) < 1e-300
    assert 0 < dp.delta_of_rho("1e-400", epsilon=1) < 1e-300 and dp.delta_of_rho("1e-400", epsilon=0) < 1e-12
    assert dp.delta_of_rho("1e400", epsilon=1) == 1 and dp.delta("1e400", sigma_squared="1e10") < 1e-300
    assert dp.rho(sigma_squared="1e400", clients=2) < Fraction(1, 10**300)


def test_zcdp() -> None:
    assert dp.rho(sigma_squared="12.5", sensitivity=5) == 1
    assert dp.rho(sigma_squared="2.5", sensitivity_squared=2) == Fraction(2, 5)
    assert dp.sigma_squared(3, rho="1/8") == 36
    assert dp.sigma_squared(sensitivity_squared="4.5", rho="1/8", dimension=7) == 18
    for rho, epsilon in (("0.05", 1), ("0.5", 5), ("0.001", "0.1"), ("0.2", 3), ("0.3", 0), ("5", 1)):
        bound = dp.delta_of_rho(rho, epsilon=epsilon)
        tight = dp.delta(epsilon, sigma_squared=1 / (2 * Fraction(rho)))
        assert tight <= bound <= 20 * tight
        # Any order gives a bound; the one found is no worse than those of a fine grid.
        r, e = float(Fraction(rho)), float(Fraction(epsilon))
        orders = 1 + np.geomspace(1e-3, 1e5, 20_001)
        logs = (orders - 1) * (orders * r - e) + orders * np.log1p(-1 / orders) - np.log(orders - 1)
        assert bound == pytest.approx(min(1, math.exp(logs.min())), rel=1e-2)


@pytest.mark.parametrize(
    ("epsilon", "delta", "squared", "dimension"), [("1", "1e-6", 1, 1), ("0.1", "1e-9", 16, 1), ("8", "0.01", 1, 1), ("1", "1e-6", 2, 50)]
)
def test_the_noise_is_enough_and_not_too_much(epsilon: str, delta: str, squared: int, dimension: int) -> None:
    needed = dp.sigma_squared(sensitivity_squared=squared, dimension=dimension, epsilon=epsilon, delta=delta)
    assert dp.delta(epsilon, sigma_squared=needed, sensitivity_squared=squared, dimension=dimension) <= Fraction(delta)
    less = needed * (1 - Fraction(1, 2**18))
    assert dp.delta(epsilon, sigma_squared=less, sensitivity_squared=squared, dimension=dimension) > Fraction(delta)


def test_more_noise_may_not_be_enough() -> None:
    """For narrow noise δ does not fall steadily: the figures of docs/proofs/accountant.md."""
    assert dp.delta("12.5", sigma_squared="0.12") < 5.65e-8 and dp.delta("12.5", sigma_squared="0.1875") > 1.15e-5
    assert dp.sigma_squared(epsilon="12.5", delta="1e-5", least=True) < Fraction("0.12") < Fraction("0.1875") < dp.sigma_squared(epsilon="12.5", delta="1e-5")


RELEASES = [(epsilon, *rest) for epsilon in ("0.7", "1", "3", "5", "8", "12.5", "50") for rest in (("0.2", 1), ("1e-2", 3), ("1e-5", 1), ("1e-12", 1))]


@pytest.mark.parametrize(("epsilon", "delta", "sensitivity"), [*RELEASES, ("0.02", "0.2", 1), ("1e-6", "0.24", 3), ("0.05", "0.1", 1), ("50", "1e-78", 1), ("50", "1e-200", 1), ("40.5", "1e-61", 1)])
def test_the_least_noise(epsilon: str, delta: str, sensitivity: int) -> None:
    """By scans of δ: every σ² above the result keeps the goal, and just below one does not. Below the least none does."""
    query: dict[str, Any] = {"sensitivity": sensitivity, "epsilon": epsilon, "delta": delta}
    above, goal = dp.sigma_squared(**query), float(delta)

    def scanned(low: Fraction, high: Fraction, number: int) -> list[float]:
        steps = (low + (high - low) * Fraction(i, number) for i in range(number + 1))
        return [dp.delta(epsilon, sigma_squared=s2, sensitivity=sensitivity) for s2 in steps]

    assert max(scanned(above, 2 * above, 60)) <= goal < scanned(above * (1 - Fraction(1, 2**18)), above, 1)[0]
    least = dp.sigma_squared(**query, least=True)
    assert least <= above and scanned(least, above, 1)[0] <= goal < min(scanned(least / 4, least * (1 - Fraction(1, 2**18)), 60))


def test_the_least_noise_is_the_least() -> None:
    """For a grid of 300: enough, and 2^-30 less is not, by bounds that share no arithmetic with the search."""
    found = 0
    for epsilon, delta, sensitivity in itertools.product(
        ("0.7", "1", "1.5", "2", "3", "4", "5", "6", "8", "10", "12.5", "15", "20", "30", "50"), ("0.2", "1e-2", "1e-3", "1e-5", "1e-8", "1e-12"), (1, 2, 3, 7)
    ):
        try:
            least = dp.sigma_squared(sensitivity, epsilon=epsilon, delta=delta, least=True)
        except ValueError:
            continue
        found += 1
        assert dp.Plan(sigma_squared=least, sensitivity=sensitivity).delta(epsilon).upper <= float(delta)
        assert dp.Plan(sigma_squared=least * (1 - Fraction(1, 1 << 30)), sensitivity=sensitivity).delta(epsilon).lower > float(delta)
    assert found >= 300


@pytest.mark.parametrize(("epsilon", "releases"), [("1e-300", 1), ("1e-20", 1), ("1e-9", 1), ("1e-300", 100)])
def test_the_noise_for_tiny_epsilons(epsilon: str, releases: int) -> None:
    """δ is then nearly 1/(σ√2π) for one release, and Δ/σ of the sum of several. The search once ended 10^20 times above."""
    needed = dp.sigma_squared(epsilon=epsilon, delta="1e-6", releases=releases)
    assert float(needed) == pytest.approx(releases / (2 * math.pi * 1e-12), rel=2e-3)
    assert float(dp.rho(epsilon="1e-300", delta="1e-6")) == pytest.approx(1.36e-12, rel=1e-2)


@pytest.mark.parametrize("query", [{"releases": 2}, {"clients": 2}, {"dimension": 2, "sensitivity": 2}, {"sampling_rate": "1/2"}, {"epsilon": 701}, {"delta": "0.3"}, {"epsilon": "0.01"}, {"epsilon": 690, "delta": "1e-10"}])
def test_the_least_noise_is_of_one_integer(query: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="^least = True: expected epsilon up to 700 and a delta below 1/4 .* for one release of one integer"):
        dp.sigma_squared(**{"epsilon": 1, "delta": "1e-5", **query}, least=True)
    with pytest.raises(ValueError, match="^least = True: "):
        dp.sigma_squared(rho=1, least=True)
    with pytest.raises(TypeError, match="^least = no: expected True or False"):
        dp.sigma_squared(epsilon=1, delta="1e-5", least="no")  # type: ignore[arg-type]


def test_there_and_back() -> None:
    """What is found for a guarantee keeps it, and 2^-18 less does not."""
    little = 1 - Fraction(1, 2**18)
    for delta in ("0.1", "1e-6", "1e-12"):
        bound = float(Fraction(delta))
        epsilon = dp.epsilon(delta, sigma_squared=30, sensitivity_squared=2, dimension=9)
        assert dp.delta(epsilon, sigma_squared=30, sensitivity_squared=2, dimension=9) <= bound
        assert epsilon == 0 or dp.delta(epsilon * little, sigma_squared=30, sensitivity_squared=2, dimension=9) > bound
        epsilon = dp.epsilon_of_rho("0.25", delta=delta)
        assert dp.delta_of_rho("0.25", epsilon=epsilon) <= bound < dp.delta_of_rho("0.25", epsilon=epsilon * little)
        rho = dp.rho(epsilon="0.7", delta=delta)
        assert dp.delta_of_rho(rho, epsilon="0.7") <= bound < dp.delta_of_rho(rho / little, epsilon="0.7")
    assert dp.epsilon("0.5", sigma_squared=100) == 0


@pytest.mark.parametrize(("sigma_squared", "clients"), [("0.3", 2), ("0.5", 3), ("1", 2), ("1", 10), ("3", 4)])
def test_sums_of_clients(sigma_squared: str, clients: int) -> None:
    """Rényi divergences of the law of the sum, which is a convolution; and how far it is from a discrete Gaussian."""
    each, total = Fraction(sigma_squared), clients * Fraction(sigma_squared)
    reach = int(12 * math.sqrt(each)) + 6
    law = pmf(each, reach)
    for _ in range(clients - 1):
        law = np.convolve(law, pmf(each, reach))
    middle, near = len(law) // 2, int(6 * math.sqrt(total))
    seen = slice(middle - near, middle + near + 1)
    ratios = np.log(law[seen] / pmf(total, middle)[seen])
    assert ratios.max() - ratios.min() <= ripple_of_sum(each, clients) + 1e-12
    for step in (1, 2):
        rho = float(dp.rho(sigma_squared=each, sensitivity=step, clients=clients))
        wide = min(middle, int(14 * math.sqrt(total)) + 10)
        logs = np.log(law[middle - wide : middle + wide + 1])
        for order in (1.01, 1.5, 2.0, 5.0):
            divergence = math.log(np.exp(order * logs[step:] + (1 - order) * logs[:-step]).sum()) / (order - 1)
            assert divergence <= order * rho * (1 + 1e-9)
            assert order > 2 or divergence > 0.3 * order * rho


def test_many_clients() -> None:
    assert dp.rho(sigma_squared=10, clients=1) == Fraction(1, 20)
    # The ripple is below 10^-40 here, and counts for each coordinate that may move.
    assert 0 < dp.rho(sigma_squared=10, sensitivity_squared=2, dimension=100, clients=50) - Fraction(2, 1000) < Fraction(1, 10**39)
    # Never worse than one client's noise alone.
    assert dp.rho(sigma_squared="0.01", clients=10**9) == 50
    each = dp.sigma_squared(sensitivity_squared=2, dimension=1000, rho="0.01", clients=100)
    assert Fraction(101, 100) <= each <= Fraction(105, 100)  # where it costs three per cent
    assert dp.rho(sigma_squared=each, sensitivity_squared=2, dimension=1000, clients=100) <= Fraction(1, 100)
    # The sum's law is a discrete Gaussian within a factor of 1 + 10^-40, and δ is that one's.
    low, high = dp.Plan(sigma_squared=200).delta(1)
    assert low <= dp.delta(1, sigma_squared=10, clients=20) <= high * (1 + 1e-12) < dp.delta_of_rho(dp.rho(sigma_squared=10, clients=20), epsilon=1) / 10


@pytest.mark.parametrize(("sigma_squared", "bits"), [("2", 6), ("2", 10), ("9", 8), ("0.4", 12)])
def test_the_distance_of_a_table_is_covered(sigma_squared: str, bits: int) -> None:
    """The law of a coarse table, whose δ is summed exactly: it is more than the ideal one's, and at most what is accounted."""
    sigma_2, reach = Fraction(sigma_squared), 40
    ideal = [Fraction(p) for p in pmf(sigma_2, reach).tolist()]
    table = [Fraction(math.floor(p * 2**bits), 2**bits) for p in ideal]
    table[reach] += 1 - sum(table)
    distance = sum((abs(p - q) for p, q in zip(ideal, table, strict=True)), Fraction(0)) / 2
    for epsilon in ("0.2", "1", "4"):
        factor = Fraction(math.exp(float(epsilon)))
        padded = [Fraction(0), *table]
        actual = float(sum(max(p - factor * q, Fraction(0)) for p, q in zip(table, padded, strict=False)))
        covered = with_distance(dp.delta(epsilon, sigma_squared=sigma_2), Fraction(epsilon), distance)
        assert actual <= covered <= 1 and (bits > 6 or actual > dp.delta(epsilon, sigma_squared=sigma_2))
    # e^ε is beyond a double: nothing is claimed.
    assert with_distance(0.0, Fraction(800), distance) == 1 and with_distance(0.25, Fraction(800), Fraction(0)) == 0.25


def test_samples_that_need_no_noise() -> None:
    """The δ of a release without noise is the rate."""
    assert dp.sigma_squared(epsilon=1, delta="0.1", sampling_rate="0.05") < Fraction(1, 500)
    assert dp.sigma_squared(epsilon=1, delta="1e-6", sampling_rate=1) == dp.sigma_squared(epsilon=1, delta="1e-6")
