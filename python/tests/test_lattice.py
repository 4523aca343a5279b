"""`samplez.lattice` against sums over boxes of vectors, theta series, the command, and bases of other libraries."""

import itertools
import pickle
import subprocess
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

import samplez
from samplez import lattice

BASIS = [[2, 1], [0, 3]]
E8 = [[4, 0, 0, 0, 0, 0, 0, 0], *([0] * k + [-2, 2] + [0] * (6 - k) for k in range(6)), [1] * 8]
D4 = [[1, 1, 0, 0], [1, -1, 0, 0], [0, 1, -1, 0], [0, 0, 1, -1]]


def masses(basis: list[list[int]], sigma: Fraction, center: list[Fraction], reach: int) -> dict[tuple[int, ...], mpmath.mpf]:
    """The masses of all vectors in a box of coordinates, whose rest is below 10^-30."""
    with mpmath.workdps(40):
        found = {}
        for x in itertools.product(range(-reach, reach + 1), repeat=len(basis)):
            v = tuple(sum(a * row[k] for a, row in zip(x, basis)) for k in range(len(center)))
            norm = sum(((entry - c) ** 2 for entry, c in zip(v, center)), Fraction(0)) / sigma**2 / 2
            found[v] = mpmath.exp(-mpmath.mpf(norm.numerator) / norm.denominator)
        total = mpmath.fsum(found.values())
        return {v: mass / total for v, mass in found.items()}


def chi_square(counts: Counter[tuple[int, ...]], expected: dict[tuple[int, ...], float], n: int) -> None:
    """Pearson's χ² of cells that expect 10, below its 10^-6 quantile by Wilson and Hilferty."""
    cells = {v: n * float(mass) for v, mass in expected.items() if n * mass >= 10}
    rest = n - sum(cells.values())
    others = n - sum(counts[v] for v in cells)
    statistic = sum((counts[v] - mean) ** 2 / mean for v, mean in cells.items()) + (others - rest) ** 2 / max(rest, 1)
    df = len(cells)
    assert df > 3
    assert ((statistic / df) ** (1 / 3) - 1 + 2 / (9 * df)) / (2 / (9 * df)) ** 0.5 < 4.9


@pytest.mark.parametrize("case", [
    (BASIS, "1.3", ["1/3", "-9/5"], 18),
    ([[2, 1, 0], [0, 3, 1], [1, 0, 4]], "1.7", ["1/7", "0", "-3/2"], 11),
    ([[1, 1, 0]], "1.7", ["1/3", "0", "5"], 16),
], ids=["2", "3", "1 in 3"])
def test_samples_and_masses_are_those_of_a_box(case: tuple[list[list[int]], str, list[str], int]) -> None:
    basis, sigma, center, reach = case
    want = masses(basis, Fraction(sigma), [Fraction(c) for c in center], reach)
    form = lattice.Form(basis, sigma=sigma, center=center)
    vectors = np.array(list(want))
    got = form.pmf(vectors)
    for mass, exact, log in zip(got.tolist(), want.values(), form.logpmf(vectors).tolist()):
        if exact > 1e-25:
            assert abs(mass / exact - 1) < 1e-15 and abs(log - mpmath.log(exact)) < 2e-13
    assert form.pmf(vectors[:4].reshape(2, 2, -1)).shape == (2, 2)
    n = 20_000
    drawn = form.sample(n, rng=1)
    chi_square(Counter(map(tuple, drawn.tolist())), {v: float(mass) for v, mass in want.items()}, n)
    report = form.verify(drawn)
    assert report.consistent and report.n == n and sum(test.p_value is not None for test in report.tests) >= 7
    assert not form.verify(drawn[:, ::-1]).consistent


def test_norms_of_d4_and_e8() -> None:
    def divisors(n: int) -> list[int]:
        return [d for d in range(1, n + 1) if n % d == 0]

    four = {2 * n: 24 * sum(d for d in divisors(n) if d % 2) for n in range(1, 50)}
    eight = {8 * n: 240 * sum(d**3 for d in divisors(n)) for n in range(1, 400)}
    for basis, sigma, series in ((D4, "1/2", four), (E8, "0.6", eight)):
        form = lattice.Form(basis, sigma=sigma)
        shells = form.shells()
        assert (int(shells[0].distance), shells[0].vectors) == (0, 1) and abs(sum(shell.mass for shell in shells) - 1) < 1e-13
        for shell in shells[1:6]:
            assert shell.vectors == series[int(shell.distance)] and shell.distance.denominator == 1
        assert form.verify(form.sample(3000, rng=2)).consistent
    wide = lattice.Form(E8, sigma=4)
    drawn = wide.sample(4000, rng=3)
    judged = {test.name: test.verdict for test in wide.verify(drawn, theta={0: 1, **eight}).tests}
    assert judged["norms"] == "pass" and judged["distance"] == "pass"
    wrong = {0: 1, **{norm: count * (1 + norm // 8 % 2) for norm, count in eight.items()}}
    assert {test.name: test.verdict for test in wide.verify(drawn, theta=wrong).tests}["norms"] == "reject"
    with pytest.raises(ValueError, match="^sigma = 4: expected a smaller sigma: more than 262144 vectors are near the center$"):
        wide.shells()


class Sage:
    """A matrix as Sage has it, of integers as Sage has them."""

    class Integer:
        def __init__(self, value: int) -> None:
            self._value = value

        def __index__(self) -> int:
            return self._value

    def __init__(self, rows: list[list[int]]) -> None:
        self._rows = [[Sage.Integer(x) for x in row] for row in rows]

    def nrows(self) -> int:
        return len(self._rows)

    def rows(self) -> list[list[Any]]:
        return self._rows


class IntegerMatrix:
    """A matrix as fpylll has it."""

    def __init__(self, rows: list[list[int]]) -> None:
        self._rows, self.nrows, self.ncols = rows, len(rows), len(rows[0])

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, tuple):
            return self._rows[place[0]][place[1]]
        raise NotImplementedError


def test_bases_of_every_library() -> None:
    want = lattice.Form(BASIS, sigma=20).sample(50, rng=1)
    every: list[Any] = [np.array(BASIS), np.array(BASIS, object), np.array(BASIS, "uint8"), tuple(map(tuple, BASIS)), [np.array(row) for row in BASIS],
                        Sage(BASIS), Sage(BASIS).rows(), IntegerMatrix(BASIS)]
    for basis in every:
        assert (lattice.Form(basis, sigma=20).sample(50, rng=1) == want).all()
    assert (lattice.Form.gram(np.array([[0.5, 0], [0, 0.25]]), sigma=3).sample(9, rng=1) == lattice.Form.gram([["1/2", 0], [0, Fraction(1, 4)]], sigma="3").sample(9, rng=1)).all()


def test_a_seed_gives_the_command_s_vectors(command: str, tmp_path: Path) -> None:
    (tmp_path / "basis").write_text(str(BASIS))
    out = subprocess.run([command, "lattice", "--basis", tmp_path / "basis", "--sigma", "20", "--center", "1/3,-7.5", "--count", "600", "--seed", "5", "--quiet"],
                         check=True, capture_output=True, text=True).stdout
    want = np.array([line.split() for line in out.splitlines()], np.int64)
    form = lattice.Form(BASIS, sigma=20, center=["1/3", -7.5])
    assert (form.sample((20, 30), rng=5).reshape(600, 2) == want).all()
    assert (form.sample(300, rng=5, first=300) == want[300:]).all()
    assert (form.sample(600, rng=5, dtype=object) == want).all()
    assert (form.sample(290, rng=5, first=310, dtype=object) == want[310:]).all()
    assert form.sample(600, rng=5).dtype == np.int64 and form.sample(0, rng=5).shape == (0, 2)
    with pytest.raises(ValueError, match="^first = 1: expected 0, because rng is a stream"):
        form.sample(3, rng=samplez.Source(seed=1), first=1)


def test_streams_go_on() -> None:
    form = lattice.Form(BASIS, sigma=20)
    for make in (lambda: samplez.Source(seed=1), lambda: np.random.default_rng(1)):
        one, two, three = make(), make(), make()
        whole = form.sample(1500, rng=one)
        assert (whole != form.sample(1500, rng=one)).any()
        assert (form.sample(1500, rng=two, dtype=object) == whole).all()
        if isinstance(three, samplez.Source):
            assert (np.concatenate([form.sample(n, rng=three) for n in (7, 1493)]) == whole).all()
    assert form.sample().shape == (2,) and (form.sample(100) != form.sample(100)).any()


def test_large_integers() -> None:
    basis = [[2**62, 1], [0, 2**62]]
    form = lattice.Form(basis, sigma=2**62)
    drawn = form.sample(400, rng=1)
    assert drawn.dtype == object and type(drawn[0, 0]) is int
    for v in drawn.tolist():
        assert v[0] % 2**62 == 0 and (v[1] - v[0] // 2**62) % 2**62 == 0
    # The mean square of an entry is σ², with a standard error of 0.05 of it.
    assert abs(sum(int(x) ** 2 for x in drawn.flat) / 800 / 2**124 - 1) < 0.3
    with pytest.raises(OverflowError, match="use dtype=object$"):
        form.sample(100, rng=1, dtype="int64")
    with pytest.raises(OverflowError, match="use dtype=object$"):
        form.sample(100, rng=np.random.default_rng(1), dtype="int64")
    with pytest.raises(TypeError, match="^v: expected integers of at most 64 bits, not object$"):
        form.pmf(drawn)


def test_a_batch_has_the_law_of_each_centre() -> None:
    form = lattice.Form(BASIS, sigma="1.3")
    centers = [["1/3", "-9/5"], ["1/2", "7"]]
    n = 8000
    drawn = form.sample_around([centers[i % 2] for i in range(2 * n)], rng=4)
    for k, center in enumerate(centers):
        want = masses(BASIS, Fraction("1.3"), [Fraction(c) for c in center], 14)
        chi_square(Counter(map(tuple, drawn[k::2].tolist())), {v: float(mass) for v, mass in want.items()}, n)
    shaped = form.sample_around(np.zeros((3, 4, 2)), rng=4)
    assert shaped.shape == (3, 4, 2) and shaped.dtype == np.int64
    assert (form.sample_around(np.zeros((12, 2), int), rng=4) == shaped.reshape(12, 2)).all()


def test_forms_move_and_are_pickled() -> None:
    form = lattice.Form([[2, 0], [0, 2]], sigma=5)
    moved = form.coset([1, np.int8(0)]).with_center(np.array([10.5, -3]))
    other = form.with_center([10.5, "-3"]).coset([1, 0])
    for copy in (moved, other, pickle.loads(pickle.dumps(moved))):
        drawn = copy.sample(300, rng=1)
        assert (drawn[:, 0] % 2 == 1).all() and (drawn[:, 1] % 2 == 0).all() and abs(drawn.mean(axis=0) - [10.5, -3]).max() < 2
        assert (drawn == moved.sample(300, rng=1)).all()
    assert repr(lattice.Form.qary([[1, 5, 8]], q=13, sigma=10)) == "<samplez.lattice.Form: rank 3, 3 columns>"
    ellipsoid = lattice.Form.ellipsoid(BASIS, covariance=[["3", 1], [1, 2]])
    assert ellipsoid.verify(ellipsoid.sample(2000, rng=1)).consistent


def test_plots() -> None:
    pyplot = pytest.importorskip("matplotlib").pyplot if hasattr(pytest.importorskip("matplotlib"), "pyplot") else __import__("matplotlib.pyplot").pyplot
    pyplot.switch_backend("agg")
    form = lattice.Form(BASIS, sigma=3)
    axes = form.plot()
    points = axes.collections[0]
    places, values = np.asarray(points.get_offsets(), int), np.asarray(points.get_array())
    assert np.allclose(values, form.pmf(places)) and [0, 0] in places.tolist()
    drawn = form.sample(1000, rng=1)
    _, own = pyplot.subplots()
    counted = form.plot(drawn, own).collections[0]
    assert own.collections[0] is counted and np.asarray(counted.get_array()).sum() == 1000
    with pytest.raises(ValueError, match="^plot: the form has 3 columns, expected 2$"):
        lattice.Form([[1, 0, 0], [0, 1, 1]], sigma=3).plot()
    pyplot.close("all")


@pytest.mark.parametrize("make, message", [
    (lambda: lattice.Form([[1, 2], [2, 4]], sigma=3), "basis = 2 rows: expected linearly independent rows; row 2 depends on the rows before it"),
    (lambda: lattice.Form([[1], [2]], sigma=3), "basis = 2 rows: expected linearly independent rows; row 2 depends on the rows before it"),
    (lambda: lattice.Form([[1, 2], [2]], sigma=3), "basis: row 2 = 1 entries: expected 2, as row 1 has"),
    (lambda: lattice.Form([], sigma=3), "basis = empty: expected at least one row and one column"),
    (lambda: lattice.Form([[]], sigma=3), "basis = empty: expected at least one row and one column"),
    (lambda: lattice.Form(np.zeros(3, int), sigma=3), r"basis: expected an array of two axes, not of shape \(3,\)"),
    (lambda: lattice.Form([[10**5000]], sigma=3), r"basis\[0\]\[0\]: has too many digits: expected at most 4300"),
    (lambda: lattice.Form(BASIS, sigma=0), "sigma = 0: expected a number above 0"),
    (lambda: lattice.Form([[10, 3], [0, 10]], sigma=0.5), "sigma = 0.5: expected an acceptance probability of at least 2\\^-20 for the reduced basis, where the bound is 2\\^-71; use a larger sigma"),
    (lambda: lattice.Form([[1000, 0], [0, 1]], sigma=1), "sigma = 1: expected at least 1/256 of the longest Gram-Schmidt vector of the reduced basis; use a larger sigma"),
    (lambda: lattice.Form(BASIS, sigma=3, center=[1]), "center = 1 entries: expected 2, one for each column"),
    (lambda: lattice.Form(BASIS, sigma=3).with_center([1, 2, 3]), "center = 3 entries: expected 2, one for each column"),
    (lambda: lattice.Form(BASIS, sigma=3).coset([1]), "shift = 1 entries: expected 2, one for each column"),
    (lambda: lattice.Form.gram([[1, 2], [2, 1]], sigma=3), "gram = 2 rows: expected a positive definite matrix; the minor of the first 2 rows is negative"),
    (lambda: lattice.Form.gram([[1, 2]], sigma=3), "gram = 1 x 2: expected as many columns as rows"),
    (lambda: lattice.Form.ellipsoid(BASIS, covariance=[[1, 2], [2, 1]]), "covariance = 2 x 2: expected a symmetric positive definite matrix"),
    (lambda: lattice.Form.qary([[1, 5]], q=1, sigma=3), "q = 1: expected a value between 2 and 2\\^64 - 1"),
    (lambda: lattice.Form(BASIS, sigma=3).verify(np.zeros((99, 2), int)), "number of vectors = 99: expected at least 100"),
    (lambda: lattice.Form(BASIS, sigma=3).verify(np.zeros((99, 3), int)), r"vectors: has shape \(99, 3\), expected 2 entries along the last axis"),
    (lambda: lattice.Form(BASIS, sigma=3).sample_around([1, 2, 3]), r"centers: has shape \(3,\), expected 2 entries along the last axis"),
    (lambda: lattice.Form(np.eye(40, dtype=int), sigma=3).pmf(np.zeros(40, int)), "rank = 40: expected a rank up to 32 for probabilities"),
])
def test_refused_values(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        make()


@pytest.mark.parametrize("make, message", [
    (lambda: lattice.Form([[1.0, 0], [0, 1]], sigma=3), r"basis\[0\]\[0\] = 1.0: expected integers, not float"),
    (lambda: lattice.Form(np.eye(2), sigma=3), r"basis\[0\]\[0\] = 1.0: expected integers, not float64"),
    (lambda: lattice.Form([[True]], sigma=3), r"basis\[0\]\[0\] = True: expected an integer, not bool"),
    (lambda: lattice.Form("2 1", sigma=3), "basis: expected rows of numbers, not a text"),
    (lambda: lattice.Form(5, sigma=3), "basis = 5: expected rows of numbers, not int"),
    (lambda: lattice.Form([5], sigma=3), "basis = 5: expected rows of numbers, not int"),
    (lambda: lattice.Form(BASIS, sigma=None), "sigma = None: expected a str, int, Fraction, .*, not NoneType"),  # type: ignore[arg-type]
    (lambda: lattice.Form(BASIS, sigma=3, center=5), "center = 5: expected 2 numbers, not int"),
    (lambda: lattice.Form(BASIS, sigma=3).coset([0.5, 1]), "shift = 0.5: expected an integer, not float"),
    (lambda: lattice.Form(BASIS, sigma=3).sample(3, dtype="int8"), "dtype = int8: expected int64 or object"),
    (lambda: lattice.Form(BASIS, sigma=3).pmf([0.5, 1]), "v: expected integers of at most 64 bits, not float64"),
    (lambda: lattice.Form(BASIS, sigma=3).verify(np.zeros((100, 2), int), theta=[1]), "theta: expected a mapping of squared distances to numbers of vectors, not list"),  # type: ignore[arg-type]
])
def test_wrong_types(make: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}$"):
        make()


def test_a_form_that_moves_beyond_64_bits() -> None:
    with pytest.raises(ValueError, match="^shift = 9223372036854775808: expected a value between"):
        lattice.Form(BASIS, sigma=3).coset([2**63, 0])
    far = lattice.Form(BASIS, sigma=3, center=[2**62, -(2**62)])
    assert far.sample(10, rng=1).dtype == object
    assert abs(far.sample(10, rng=1, dtype="int64") - np.array([2**62, -(2**62)])).max() < 100
