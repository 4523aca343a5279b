"""`samplez table --emit json` says all that an audit needs: each table's distribution, computed from the file alone."""

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import mpmath
import pytest
from mpmath import mp, mpf


Weights = dict[int, Any]


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with mp.workprec(500):
        yield


def exported(command: str, line: str) -> Any:
    """The file, with its big numbers as integers."""
    arguments = [command, "table", *line.split(), "--emit", "json"]
    return json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)


def numbers(texts: list[str]) -> list[int]:
    return [int(text, 0) for text in texts]


def rational(text: str) -> Any:
    num, _, den = text.partition("/")
    return mpf(int(num)) / int(den or 1)


def sigma_of(width: dict[str, str]) -> Any:
    q = rational(width["value"])
    forms = {"sigma": q, "sigma_squared": mpmath.sqrt(q), "k_sigma2": q * mpmath.sqrt(1 / (2 * mpmath.log(2))), "s": q / mpmath.sqrt(2 * mp.pi)}
    return forms[width["form"]]


def gaussian(sigma: Any, center: Any) -> Weights:
    """D_{Z,σ,c} to some 2^-400: every value within 24σ."""
    reach, middle = int(24 * sigma) + 2, int(mpmath.floor(center))
    rho = {x: mpmath.exp(-((x - center) ** 2) / (2 * sigma**2)) for x in range(middle - reach, middle + reach + 1)}
    total = mpmath.fsum(rho.values())
    return {x: value / total for x, value in rho.items()}


def folded(first: int, weights: list[int]) -> Weights:
    both = {first: mpf(weights[0])}
    for j, weight in enumerate(weights[1:], 1):
        both[first + j] = both[first - j] = mpf(weight) / 2
    return both


def placed(table: Any, weights: list[int]) -> Weights:
    first = table["first"]
    return folded(first, weights) if table["shape"] == "folded" else {first + j: mpf(weight) for j, weight in enumerate(weights)}


def are_rounded_down(table: Any, weights: list[int], law: Weights) -> None:
    """Every weight but a mode's is its probability, rounded down, and nothing with a probability of a unit is missing."""
    first, unit = table["first"], 1 << table["bits"]
    is_folded = table["shape"] == "folded"
    modes = {first} if is_folded else {x for x, p in law.items() if p > max(law.values()) * (1 - mpf(2) ** -300)}
    odd = {first + j for j, weight in enumerate(weights) if weight != int(unit * law.get(first + j, 0) * (2 if is_folded else 1))}
    assert len(odd) <= 1 and odd <= modes, odd
    assert sum(weights) == unit
    beyond = [first + len(weights), first - (len(weights) if is_folded else 1)]
    assert all(unit * law.get(x, 0) < 1 for x in beyond)


def thresholds(table: Any, law: Weights) -> list[int]:
    steps = [1 << table["bits"], *numbers(table["thresholds"]), 0]
    assert all(0 <= after <= before for before, after in zip(steps, steps[1:], strict=False))
    weights = [before - after for before, after in zip(steps, steps[1:], strict=False)]
    are_rounded_down(table, weights, law)
    return weights


def of_inversion(file: Any, law: Weights) -> Weights:
    return placed(file["table"], thresholds(file["table"], law))


def of_probabilities(file: Any, law: Weights) -> Weights:
    weights = numbers(file["table"]["probabilities"])
    are_rounded_down(file["table"], weights, law)
    return placed(file["table"], weights)


def symmetric(center: str, weights: Weights) -> Weights:
    """The values c ± t for the distance t; 0 counts once, and half of its trials are rejected."""
    return {int(center) + sign * t: weight for t, weight in weights.items() for sign in (-1, 1)}


def of_ziggurat(file: Any, law: Weights) -> Weights:
    table, sigma = file["table"], sigma_of(file["width"])
    unit, omega = 1 << table["bits"], 1 << table["omega"]
    edges, heights, density = [-1, *table["right_edges"]], numbers(table["heights"]), numbers(table["densities"])
    assert len(edges) == len(heights) == table["rectangles"] + 1 and len(density) == edges[-1] + 1
    for x, value in enumerate(density):
        exact = unit * mpmath.exp(-mpf(x * x) / (2 * sigma**2))
        assert value <= exact and value >= int(exact) - (exact - int(exact) < mpf(2) ** -47), x
    if "log2_e_over_2_sigma_sq" in table:
        exact = 2 ** table["constant_bits"] / mpmath.log(2) / (2 * sigma**2)
        assert int(table["log2_e_over_2_sigma_sq"], 0) == int(exact)
    weights = {x: mpf(0) for x in range(edges[-1] + 1)}
    for i in range(1, len(edges)):
        top, bottom, width = heights[i - 1], heights[i], edges[i] + 1
        for x in range(width):
            if 0 < x <= edges[i - 1] or (x == 0 and i > 1):
                weights[x] += mpf(1) / width
            else:
                # y' below 2^ω with y' (top - bottom) < 2^ω (R(x) - bottom)
                count = -(-omega * (density[x] - bottom) // (top - bottom))
                weights[x] += mpf(min(max(count, 0), omega)) / omega / width
    return symmetric(file["center"], weights)


def of_bernoulli(file: Any, law: Weights) -> Weights:
    table = file["table"]
    unit, k, coins = 1 << table["bits"], table["k"], numbers(table["coins"])
    for i, coin in enumerate(coins):
        assert coin == int(mpmath.floor(unit * mpf(2) ** (-mpf(2**i) / k**2) + mpf(2) ** -400)), i
    weights = {}
    for x in range(table["last_x"] + 1):
        for y in range(k):
            z, weight = y * y + 2 * k * x * y, mpf(2) ** -(x * x)
            assert z < 2 ** len(coins)
            for i, coin in enumerate(coins):
                if z >> i & 1:
                    weight *= mpf(coin) / unit
            weights[k * x + y] = weight
    return symmetric(file["center"], weights)


def of_rejection(file: Any, law: Weights) -> Weights:
    table, sigma = file["table"], sigma_of(file["width"])
    heights = [1 << table["bits"], *numbers(table["heights"])]
    for x, height in enumerate(heights):
        assert height == int(mpmath.floor(heights[0] * mpmath.exp(-mpf(x * x) / (2 * sigma**2)) + mpf(2) ** -300)), x
    return symmetric(file["center"], {x: mpf(height) for x, height in enumerate(heights)})


def of_convolution(file: Any, law: Weights) -> Weights:
    base, legs = file["table"]["base"], file["table"]["legs"]
    narrow, product = sigma_of(base["width"]), mpf(1)
    weights = thresholds(base, gaussian(narrow, mpf(0)))
    for z1, z2 in legs:
        product *= mpmath.sqrt(z1 * z1 + z2 * z2)
    assert abs(narrow * product / sigma_of(file["width"]) - 1) < mpf(2) ** -400
    # Twice the weights, by value from -n on; sums by products of polynomials, whose coefficients have room in whole bytes.
    line = [*reversed(weights[1:]), 2 * weights[0], *weights[1:]]
    for z1, z2 in legs:
        size = (2 * max(line).bit_length() + len(line).bit_length()) // 8 + 1
        spread = []
        for z in (z1, z2):
            coefficients = bytearray(size * (z * (len(line) - 1) + 1))
            for j, weight in enumerate(line):
                coefficients[size * z * j : size * (z * j + 1)] = weight.to_bytes(size, "little")
            spread.append(int.from_bytes(coefficients, "little"))
        count = (z1 + z2) * (len(line) - 1) + 1
        product_of = (spread[0] * spread[1]).to_bytes(size * count, "little")
        line = [int.from_bytes(product_of[size * j : size * (j + 1)], "little") for j in range(count)]
    reach = len(line) // 2
    return {int(file["center"]) + j - reach: mpf(weight) for j, weight in enumerate(line)}


def heights(table: Any, sigma: Any) -> None:
    """Fails unless the weights of the strips follow from σ."""
    values, weights = table["strip_values"], table["weights"]
    assert sum(weights) == 1 << 16

    def rounded(height: int) -> list[int]:
        e = [mpmath.exp(-mpf(values * j) ** 2 / (2 * sigma**2)) for j in range(len(weights))]
        return [int((1 << 16) * mpf(height) / 2**32 * e_j * (1 + mpf(2) ** -39)) + 1 for e_j in e]

    assert weights[1:] == rounded(table["strip_height"])[1:]
    assert sum(rounded(table["strip_height"])) <= 1 << 16 < sum(rounded(table["strip_height"] + 1))


def of_strips(file: Any, law: Weights) -> Weights:
    table, sigma, center = file["table"], sigma_of(file["width"]), rational(file["center"])
    values, weights = table["strip_values"], table["weights"]
    floor = int(mpmath.floor(center))
    heights(table, sigma)
    trial = {}
    for j, weight in enumerate(weights):
        for u in range(values):
            for z in (values * j + u + 1, -(values * j + u)):
                height = mpf(table["strip_height"]) / 2**32 * mpmath.exp(-((z - (center - floor)) ** 2) / (2 * sigma**2))
                accepted = height / (mpf(weight) / 2**16)
                assert accepted <= 1
                # Of the strip, of u and b, and of the coin.
                trial[floor + z] = mpf(weight) / 2**16 / (2 * values) * accepted
    return trial


def check_wide(file: Any) -> None:
    """The base's strips, and the step from the base's exact distribution to the law. Both have too many values to add up."""
    table, base = file["table"], file["table"]["base"]
    narrow, shift, sigma = rational(base["width"]["value"]), table["shift"], sigma_of(file["width"])
    assert base["width"]["form"] == "sigma" and set(file["bound"]["log2_renyi"].values()) == {None}
    heights(base, narrow)
    # No height is above its strip's: H falls on both sides, and a strip has z = K j + 1 and -K j nearest to 0.
    for j, weight in enumerate(base["weights"]):
        for z in (base["strip_values"] * j + 1, -base["strip_values"] * j):
            assert mpf(base["strip_height"]) / 2**16 * mpmath.exp(-mpf(z) ** 2 / (2 * narrow**2)) <= weight
    # The mass beyond the strips is less than that of the remainder.
    reach = base["strip_values"] * len(base["weights"]) / narrow
    assert mpmath.erfc((reach - mpf(2) ** -20) / mpmath.sqrt(2)) * (1 + mpf(2) ** -10) < mpf(2) ** -base["remainder_log2"]
    # E as a quadratic form in real y and d = (u - f)/2^L, |d| <= 5/8: its least value over y.
    alpha, beta = mpf(4) ** shift / (2 * sigma**2), 1 / (2 * narrow**2)
    assert alpha > beta and mpf(2) ** -31 - alpha * beta / (alpha - beta) * (mpf(5) / 8) ** 2 > 0 and shift >= 2
    # Nearly all trials are accepted, within 15 s.
    assert (alpha - beta) * (15 * narrow) ** 2 + 2 * alpha * 15 * narrow + mpf(2) ** -31 < mpf(2) ** -10


READERS = {"thresholds": of_inversion, "probabilities": of_probabilities, "densities": of_ziggurat, "coins": of_bernoulli}
READERS |= {"heights": of_rejection, "legs": of_convolution, "weights": of_strips}
# The bounds of these are sums over all values, and not above the truth by more than rounding.
TIGHT = {of_inversion, of_probabilities, of_ziggurat, of_rejection}


def log2(x: Any) -> float:
    return float(mpmath.log(x, 2)) if x > 0 else -float("inf")


def audit(file: Any) -> None:
    """Fails unless the file's numbers make a distribution as close to the stated law as the file says."""
    law = gaussian(sigma_of(file["width"]), rational(file["center"]))
    reader = next(reader for name, reader in READERS.items() if name in file["table"])
    weights = reader(file, law)
    total = mpmath.fsum(weights.values())
    found = {x: weight / total for x, weight in weights.items() if weight > 0}
    bound = file["bound"]
    support = [x for x in (min(found), max(found)) if not file["support"]["min"] <= x <= file["support"]["max"]]
    assert not support
    ratios = {x: q / law[x] for x, q in found.items()}
    tail = mpmath.fsum(p for x, p in law.items() if x not in found)
    exact = {
        "sd": mpmath.fsum(abs(found.get(x, 0) - p) for x, p in law.items()) / 2,
        "inf": max(ratios.values()) - 1,
        "tail": tail,
    }
    for order in (2, 256, 513):
        exact[str(order)] = mpmath.fsum(law[x] * ratio**order for x, ratio in ratios.items()) ** (mpf(1) / (order - 1)) - 1
    stated = {"sd": bound["log2_sd"], "tail": bound["log2_tail"], **bound["log2_renyi"]}
    assert stated.keys() == exact.keys()
    for name, value in exact.items():
        least = -float("inf") if stated[name] is None else stated[name]
        assert log2(value) <= least + 1e-12, (name, log2(value), least)
        if reader in TIGHT and name != "tail":
            assert log2(value) > least - 0.1, (name, log2(value), least)
    if "remainder_log2" in file["table"]:
        t = file["table"]["remainder_log2"]
        assert all((1 - mpf(2) ** -t) * q <= law[x] for x, q in found.items())


LINES = [
    "--sigma 3.2",
    "--sigma 3.2 --center 1/3 --precision 64",
    "--s 8.35 --method cdt-guided --precision 96 --exact",
    "--sigma 215 --method cdt-ct --precision 40",
    "--sigma-squared 10 --center -7/2 --method cdt-lazy-ct --exact",
    "--sigma 2 --center 5 --method knuth-yao --precision 33",
    "--sigma 30 --center 2/7 --method knuth-yao-compact --exact",
    "--sigma 3.2 --method knuth-yao-ct",
    "--sigma 1.5 --center 1/2 --method knuth-yao-ct --precision 72",
    "--sigma 215 --method ziggurat --precision 64",
    "--sigma 3.2 --center -4 --method ziggurat --rectangles 8 --precision 256 --pdf-table --no-chord",
    "--s 100 --method ziggurat --precision 128 --tail 13",
    "--k-sigma2 254 --method bernoulli --precision 64",
    "--k-sigma2 3 --center 9 --method bernoulli",
    "--sigma 8 --method rejection-table --precision 50",
    "--k-sigma2 5 --center -1 --method rejection-table --precision 128",
    "--sigma 215 --method convolution --precision 128",
    "--s 300 --center 2 --method convolution --precision 96",
    "--sigma 40 --method convolution-ct --precision 64",
    "--sigma 2000 --method convolution-ct --precision 64",
    "--sigma 1 --method isochronous",
    "--sigma 3.2 --center 1/3 --method isochronous --exact",
    "--s 1000 --center -8.7 --method isochronous",
]


@pytest.mark.parametrize("line", LINES)
def test_each_table_is_its_law(command: str, line: str) -> None:
    audit(exported(command, line))


WIDE = ["--sigma 1e9 --method wide", "--s 1e15 --center 1/3 --method wide", "--sigma-squared 1e18 --center -7/2 --method wide"]


@pytest.mark.parametrize("line", WIDE)
def test_the_base_of_wide_follows(command: str, line: str) -> None:
    text = json.dumps(exported(command, line))
    check_wide(json.loads(text))
    wrong = ["shift", "base.weights", "base.strip_values", "base.strip_height", "base.remainder_log2", "base.width"]
    for name in wrong:
        file = json.loads(text)
        holder = file["table"]
        if name.startswith("base."):
            holder, name = holder["base"], name.removeprefix("base.")
        if name == "width":
            holder["width"]["value"] = str(int(holder["width"]["value"]) - 40)  # below sigma/2^shift
        elif name == "strip_values":
            holder[name] *= 2  # one more makes another right table
        else:
            holder[name] = 130 if name == "remainder_log2" else flipped(holder[name], 0, 3)
        with pytest.raises(AssertionError):
            check_wide(file)


FLIPPED = [
    ("--sigma 3.2 --center 1/3 --precision 64", "thresholds"),
    ("--sigma 3.2 --method knuth-yao --precision 64", "probabilities"),
    ("--sigma 20 --method ziggurat --rectangles 32 --precision 64", "densities"),
    ("--sigma 20 --method ziggurat --rectangles 32 --precision 64", "heights"),
    ("--sigma 20 --method ziggurat --rectangles 32 --precision 64", "right_edges"),
    ("--sigma 20 --method ziggurat --rectangles 32 --precision 64", "log2_e_over_2_sigma_sq"),
    ("--k-sigma2 20 --method bernoulli --precision 64", "coins"),
    ("--sigma 8 --method rejection-table --precision 64", "heights"),
    ("--sigma 60 --method convolution --precision 64", "base.thresholds"),
    ("--sigma 60 --method convolution --precision 64", "legs"),
    ("--sigma 3.2 --center 1/3 --method isochronous", "weights"),
    ("--sigma 3.2 --center 1/3 --method isochronous", "strip_height"),
]


def flipped(value: Any, digit: int, place: int) -> Any:
    """The same with a digit raised by one: a text's last but so many."""
    if isinstance(value, list):
        at = place % len(value)
        return [*value[:at], flipped(value[at], digit, place + 1), *value[at + 1 :]]
    if isinstance(value, int):
        return value + 1
    number = int(value, 0)
    return hex(number ^ 1 << 4 * min(digit, max(number.bit_length() - 1, 0) // 4))


@pytest.mark.parametrize(("line", "member"), FLIPPED)
def test_a_flipped_digit_is_caught(command: str, line: str, member: str) -> None:
    text = json.dumps(exported(command, line))
    for digit, place in ((0, 0), (0, 3), (5, 11), (12, 7), (1, -1)):
        file = json.loads(text)
        *path, name = ["table", *member.split(".")]
        holder = file
        for step in path:
            holder = holder[step]
        holder[name] = flipped(holder[name], digit, place)
        with pytest.raises((AssertionError, KeyError, ZeroDivisionError, IndexError)):
            audit(file)


def refusal(command: str, line: str) -> str:
    result = subprocess.run([command, "table", *line.split()], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (2, "")
    return result.stderr


def test_methods_without_a_table(command: str) -> None:
    for method in ("karney", "cks", "rejection", "du-wei-4"):
        error = refusal(command, f"--sigma 3 --method {method} --emit json")
        assert error.startswith(f"error: --method = {method}: has no table; expected one of cdt, ") and error.count("\n") == 1
    assert refusal(command, "--recipe sigma=3,method=karney --emit json").startswith("error: --recipe: method = karney: has no table")
    assert "use --emit json" in refusal(command, "--sigma 3 --method ziggurat --emit csv")
    assert "use --emit json" in refusal(command, "--sigma 3 --exact --emit rust")
    assert refusal(command, "--sigma 3 --emit json --form falcon").startswith("error: --form half,tail,floor-weights,72: ")
    assert "--center = 1/3" in refusal(command, "--sigma 3 --center 1/3 --method ziggurat --emit json")
