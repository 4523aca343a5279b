"""Budgets by exact accounting, and ledgers in files."""

import json
import multiprocessing
import os
import traceback
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from samplez import dp


def release(budget: dp.Budget, **more: Any) -> dp.Release:
    return dp.discrete_gaussian_mechanism(5, sensitivity=1, **{"sigma_squared": 179, "budget": budget, **more})


def count(budget: dp.Budget, **more: Any) -> int:
    """How many releases it allows."""
    done = 0
    while True:
        try:
            release(budget, **more)
        except dp.BudgetExceeded:
            return done
        done += 1


def test_exact_accounting_admits_more() -> None:
    exact, zcdp = dp.Budget(epsilon=1, delta="1e-6", accounting="exact"), dp.Budget(epsilon=1, delta="1e-6")
    assert count(exact) == 10 and count(zcdp) == 8
    low, high = exact.bounds(1)
    assert low <= high <= 1e-6 and high == exact.delta(1)
    assert high >= dp.Plan(sigma_squared=179, releases=10).delta(1).lower and low <= dp.Plan(sigma_squared=179, releases=10).delta(1).upper
    assert zcdp.bounds(1).lower == 0 and dp.Budget(rho=1).bounds(1) == (0, 0)
    assert exact.rho == Fraction(5, 179) and len(exact.charges) == 10
    # Two kinds of noise, and more than ρ allows.
    both = dp.Budget(epsilon=1, delta="1e-6", accounting="exact")
    for s2 in (250, 300):
        for _ in range(6):
            release(both, sigma_squared=s2)
    assert both.delta(1) == pytest.approx((dp.Plan(sigma_squared=250, releases=6) + dp.Plan(sigma_squared=300, releases=6)).delta(1).upper, rel=1e-9)
    # Laplace noise counts as ε-DP; another mechanism makes all be accounted by ρ.
    pure, other = (dp.Budget(epsilon=1, delta="1e-6", accounting="exact") for _ in range(2))
    dp.discrete_laplace_mechanism(1, sensitivity=1, epsilon="0.1", budget=pure)
    assert count(pure) == 8 and pure.charges[0].epsilon == Fraction(1, 10)
    other.spend("0.005")
    assert count(other) == 6 and other.delta(1) == pytest.approx(dp.delta_of_rho(other.rho, epsilon=1))
    # A distance counts, too.
    less = dp.Budget(epsilon=1, delta="1e-6", accounting="exact")
    less.charge(replace(exact.charges[0], distance=Fraction(1, 10**7)))
    assert count(less) == 8 and less.distance == Fraction(1, 10**7)
    assert repr(dp.Budget(epsilon=1, delta="0.1", accounting="exact")) == "Budget(epsilon=1, delta=1/10, accounting='exact'; rho 0 spent)"


def test_a_ledger_survives(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    budget = dp.Budget(epsilon=1, delta="1e-6", accounting="exact", path=path)
    for _ in range(6):
        release(budget)
    dp.discrete_gaussian_mechanism([1, 2, 3], sensitivity_squared=2, sigma_squared=3000, budget=budget)
    again = dp.Budget.open(path)
    assert again.charges == budget.charges and again.rho == budget.rho and again.distance == budget.distance
    assert again.delta(1) == budget.delta(1) > 0
    again.audit()
    dp.discrete_laplace_mechanism(1, sensitivity=1, epsilon="1e-6", budget=again)
    assert dp.Budget.open(path).charges[-1].epsilon == Fraction(1, 10**6)
    # What one spends the other sees.
    again.spend("1e-9")
    budget.spend("1e-9")
    assert len(budget.charges) == 10 and budget.rho == Fraction(3, 179) + Fraction(1, 3000) + Fraction(2, 10**9) + Fraction(1, 2 * 10**12)
    before = path.read_bytes()
    with pytest.raises(dp.BudgetExceeded):
        budget.spend(1)
    assert path.read_bytes() == before and len(dp.Budget.open(path).charges) == 10
    with pytest.raises(FileExistsError, match="exists already; use samplez.dp.Budget.open"):
        dp.Budget(rho=1, path=path)
    with pytest.raises(FileNotFoundError):
        dp.Budget.open(tmp_path / "none.json")
    data = json.loads(path.read_text())
    assert data["releases"][6] | {"distance": ""} == {
        "rho": "1/3000", "distance": "", "sigma_squared": "3000", "sensitivity_squared": "2", "dimension": 3, "clients": 1,
    }


def test_a_failed_write_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = dp.Budget(rho=1, path=tmp_path / "ledger.json")
    budget.spend("0.1")

    def full(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(OSError, match="no space left"):
            release(budget)
    assert budget.rho == Fraction(1, 10) and dp.Budget.open(tmp_path / "ledger.json").rho == Fraction(1, 10)


def spender(path: str, won: Any) -> None:
    budget = dp.Budget.open(path)
    for _ in range(30):
        try:
            budget.spend("0.01")
        except dp.BudgetExceeded:
            continue
        with won.get_lock():
            won.value += 1


def test_processes_share_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    dp.Budget(rho="0.5", path=path)
    context = multiprocessing.get_context("spawn")
    won = context.Value("i", 0)
    workers = [context.Process(target=spender, args=(str(path), won)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert won.value == 50 and dp.Budget.open(path).rho == Fraction(1, 2)


def changed(change: Callable[[dict[str, Any]], Any]) -> Callable[[str], str]:
    def apply(text: str) -> str:
        data = json.loads(text)
        change(data)
        return json.dumps(data)

    return apply


TAMPERED: list[tuple[Callable[[str], str], str]] = [
    (changed(lambda d: d["releases"][0].update(rho="1/1000")), "release 0: rho = 1/1000: expected 1/358 for its sensitivity and noise"),
    (changed(lambda d: d["releases"][1].update(sigma_squared="10000")), "release 1: rho = 1/358: expected 1/20000"),
    (changed(lambda d: d["releases"].pop()), "spent rho = .*: expected 1/358 and .*, the sums over the releases"),
    (changed(lambda d: d["releases"].extend(d["releases"] * 9)), "spent rho = .*: expected 10/179"),
    (changed(lambda d: d["spent"].update(distance="1")), "spent rho = 1/179, distance = 1: expected"),
    (changed(lambda d: d["limit"].update(epsilon="1/1000")), "the releases exceed the limit"),
    (changed(lambda d: d["limit"].pop("delta")), "expected a limit of rho, or of epsilon and delta"),
    (changed(lambda d: d.update(accounting="best")), "expected a limit of rho, or of epsilon and delta, and an accounting"),
    (changed(lambda d: d.update(format="samplez.dp.Budget 9")), "expected the format samplez.dp.Budget 1, found samplez.dp.Budget 9"),
    (changed(lambda d: d.pop("releases")), "expected a saved samplez.dp.Budget, found KeyError"),
    (changed(lambda d: d["releases"].append(5)), "expected a saved samplez.dp.Budget, found TypeError"),
    (changed(lambda d: d["releases"][0].update(rho="-1")), "path = .*: rho = -1: must be positive; restore"),
    (changed(lambda d: d["limit"].update(delta="1")), "path = .*: delta = 1: must be below 1; restore"),
    (changed(lambda d: d["limit"].update(epsilon="nan")), "path = .*: epsilon = nan: .*; restore"),
    (changed(lambda d: d["spent"].update(distance="-1/2")), "path = .*: spent = -1/2: must not be negative; restore"),
    (changed(lambda d: d["releases"][0].update(epsilon="1")), "release 0: epsilon = 1: expected no epsilon with sigma_squared"),
    (lambda text: text[:-40], "expected a saved samplez.dp.Budget, found JSONDecodeError"),
    (lambda text: "[]", "expected a saved samplez.dp.Budget, found TypeError"),
    (lambda text: "", "expected a saved samplez.dp.Budget, found JSONDecodeError"),
]


@pytest.mark.parametrize(("tamper", "text"), TAMPERED)
def test_an_audit_finds_changes(tmp_path: Path, tamper: Callable[[str], str], text: str) -> None:
    path = tmp_path / "ledger.json"
    budget = dp.Budget(epsilon=1, delta="1e-6", accounting="exact", path=path)
    release(budget)
    release(budget)
    path.write_text(tamper(path.read_text()))
    with pytest.raises(ValueError, match=text):
        dp.Budget.open(path)
    with pytest.raises(ValueError, match="the limit has changed|" + text):
        release(budget)


def test_charges_and_bad_budgets(tmp_path: Path) -> None:
    budget = dp.Budget(epsilon=1, delta="1e-6", accounting="exact")
    release(budget)
    charge = budget.charges[0]
    assert charge.rho == Fraction(1, 358) and charge.sigma_squared == 179 and charge.sensitivity_squared == 1
    budget.charge(replace(charge, distance=Fraction(0)))
    assert budget.rho == Fraction(1, 179)
    for arguments, error, text in (
        ({"rho": 1, "accounting": "exact"}, TypeError, "accounting = exact: expected epsilon and delta"),
        ({"rho": 1, "accounting": "pld"}, ValueError, "accounting = pld: expected zcdp or exact"),
        ({"rho": 1, "accounting": 1}, TypeError, "accounting: must be a str, not int"),
    ):
        with pytest.raises(error, match=text):
            dp.Budget(**arguments)
    with pytest.raises(FileNotFoundError):
        dp.Budget(rho=1, path=tmp_path / "no" / "folder.json")
    # The error names what was given.
    for given, text in (
        ({"sigma": 0.1}, r"^sigma = 0\.1: costs rho = 50, which is more than is left of the budget$"),
        ({"rho": "9"}, "^rho = 9: is more than is left of the budget$"),
        ({"epsilon": 9, "delta": "0.1"}, "^epsilon = 9, delta = 1/10: costs rho = .*, which is more than is left of the budget$"),
    ):
        with pytest.raises(dp.BudgetExceeded, match=text):
            dp.discrete_gaussian_mechanism(5, sensitivity=1, budget=budget, **given)
    with pytest.raises(dp.BudgetExceeded, match="^epsilon = 9: costs rho = 81/2, which is more than is left of the budget$"):
        dp.discrete_laplace_mechanism(5, sensitivity=1, epsilon=9, budget=budget)


REFUSED: list[tuple[Any, type[Exception], str]] = [
    (dp.Charge(Fraction(-1, 2), distance=Fraction(0)), ValueError, "^rho = -1/2: must be positive$"),
    (dp.Charge(Fraction(0), distance=Fraction(0)), ValueError, "^rho = 0: must be positive$"),
    (dp.Charge(Fraction(1, 10), distance=Fraction(-1)), ValueError, "^distance = -1: must not be negative$"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), epsilon=Fraction(-1)), ValueError, "^epsilon = -1: must be positive$"),
    (dp.Charge(Fraction(1, 9), distance=Fraction(0), epsilon=Fraction(1)), ValueError, "^rho = 1/9: expected 1/2 for its epsilon$"),
    (dp.Charge(Fraction(1, 10**6), distance=Fraction(0), sigma_squared=Fraction(1), sensitivity_squared=Fraction(1)), ValueError, "^rho = 1/1000000: expected 1/2 for its sensitivity and noise$"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=Fraction(-1), sensitivity_squared=Fraction(1)), ValueError, "^sigma_squared = -1: must be positive$"),
    (dp.Charge(Fraction(1, 8), distance=Fraction(0), sigma_squared=Fraction(1), sensitivity_squared=Fraction(1, 4)), ValueError, "^sensitivity_squared = 1/4: must be at least 1"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=Fraction(1)), ValueError, "^sigma_squared = 1: expected sensitivity_squared with it; give both"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=None, sensitivity_squared=Fraction(1)), ValueError, "^sensitivity_squared = 1: expected sigma_squared with it; give both"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=Fraction(1), sensitivity_squared=Fraction(1), epsilon=Fraction(1)), ValueError, "^epsilon = 1: expected no epsilon with sigma_squared"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), dimension=3), ValueError, "^dimension = 3: expected 1 without discrete Gaussian noise; leave it out, or"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), clients=0), ValueError, "^clients = 0: must lie between 1 and"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=Fraction(1), sensitivity_squared=Fraction(1), dimension=0), ValueError, "^dimension = 0: must lie between 1 and"),
    (dp.Charge(float("nan"), distance=Fraction(0)), ValueError, "^rho = nan: must be finite$"),  # type: ignore[arg-type]
    (dp.Charge(None, distance=Fraction(0)), TypeError, "^rho: expected a str, int, Fraction"),  # type: ignore[arg-type]
    ("x", TypeError, "^charge: must be a samplez.dp.Charge, not str$"),
]


@pytest.mark.parametrize(("charge", "error", "text"), REFUSED)
@pytest.mark.parametrize("accounting", ["zcdp", "exact"])
def test_a_charge_that_no_ledger_may_hold(tmp_path: Path, charge: Any, error: type[Exception], text: str, accounting: str) -> None:
    path = tmp_path / "ledger.json"
    for budget in (dp.Budget(epsilon=1, delta="1e-6", accounting=accounting), dp.Budget(epsilon=1, delta="1e-6", accounting=accounting, path=path)):
        budget.spend("0.001")
        before = path.read_bytes() if path.exists() else b""
        with pytest.raises(error, match=text):
            budget.charge(charge)
        assert budget.rho == Fraction(1, 1000) and len(budget.charges) == 1
        budget.audit()
    assert path.read_bytes() == before and dp.Budget.open(path).charges == budget.charges


def test_numbers_of_a_charge_are_fractions(tmp_path: Path) -> None:
    """As `spend` reads them."""
    budget = dp.Budget(rho=2, path=tmp_path / "ledger.json")
    budget.charge(dp.Charge(0.1, distance=0))  # type: ignore[arg-type]
    budget.charge(dp.Charge("1/2", distance=0, sigma_squared=1, sensitivity_squared=1))  # type: ignore[arg-type]
    assert budget.charges == (dp.Charge(Fraction(1, 10), distance=Fraction(0)), dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=Fraction(1), sensitivity_squared=Fraction(1)))
    assert all(isinstance(charge.rho, Fraction) and isinstance(charge.distance, Fraction) for charge in budget.charges)
    assert budget.rho == Fraction(3, 5) and dp.Budget.open(tmp_path / "ledger.json").charges == budget.charges
    budget.audit()


def test_a_file_of_other_bytes(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(ValueError, match=r"^path = .*ledger\.json: expected a saved samplez\.dp\.Budget, found bytes that are not UTF-8; restore"):
        dp.Budget.open(path)


def test_the_exception_has_its_public_name() -> None:
    assert (dp.BudgetExceeded.__module__, dp.BudgetExceeded.__qualname__) == ("samplez.dp", "BudgetExceeded")
    with pytest.raises(dp.BudgetExceeded) as caught:
        dp.Budget(rho=1).spend(2)
    assert traceback.format_exception_only(caught.value) == ["samplez.dp.BudgetExceeded: rho = 2: is more than is left of the budget\n"]
