"""Budgets by exact accounting, and ledgers in files."""

import ctypes
import json
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from samplez import dp
from samplez.dp._ledger import read


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
    low, high = exact.delta(1)
    assert low <= high <= 1e-6
    assert high >= dp.Plan(sigma_squared=179, releases=10).delta(1).lower and low <= dp.Plan(sigma_squared=179, releases=10).delta(1).upper
    assert zcdp.delta(1).lower == 0 and dp.Budget(rho=1).delta(1) == (0, 0)
    assert exact.rho == Fraction(5, 179) and len(exact.charges) == 10
    # Two kinds of noise, and more than ρ allows.
    both = dp.Budget(epsilon=1, delta="1e-6", accounting="exact")
    for s2 in (250, 300):
        for _ in range(6):
            release(both, sigma_squared=s2)
    assert both.delta(1).upper == pytest.approx((dp.Plan(sigma_squared=250, releases=6) + dp.Plan(sigma_squared=300, releases=6)).delta(1).upper, rel=1e-9)
    # Laplace noise counts as ε-DP; another mechanism makes all be accounted by ρ.
    pure, other = (dp.Budget(epsilon=1, delta="1e-6", accounting="exact") for _ in range(2))
    dp.discrete_laplace_mechanism(1, sensitivity=1, epsilon="0.1", budget=pure)
    assert count(pure) == 8 and pure.charges[0].epsilon == Fraction(1, 10)
    other.spend("0.005")
    assert count(other) == 6 and other.delta(1).upper == pytest.approx(dp.delta_of_rho(other.rho, epsilon=1))
    # A distance counts, too.
    less = dp.Budget(epsilon=1, delta="1e-6", accounting="exact")
    less.spend(charge=replace(exact.charges[0], distance=Fraction(1, 10**7)))
    assert count(less) == 8 and sum(charge.distance for charge in less.charges) == Fraction(1, 10**7)
    assert repr(dp.Budget(epsilon=1, delta="0.1", accounting="exact")) == "Budget(epsilon=1, delta=1/10, accounting='exact'; rho 0 spent)"


def test_a_ledger_survives(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    budget = dp.Budget(epsilon=1, delta="1e-6", accounting="exact", path=path)
    for _ in range(6):
        release(budget)
    dp.discrete_gaussian_mechanism([1, 2, 3], sensitivity_squared=2, sigma_squared=3000, budget=budget)
    again = dp.Budget.open(path)
    assert again.charges == budget.charges and again.rho == budget.rho
    assert again.delta(1).upper == budget.delta(1).upper > 0
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
    with pytest.raises(FileNotFoundError, match=r"^path = .*none\.json: there is no such file; samplez\.dp\.Budget makes a new ledger$"):
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
    (changed(lambda d: d["limit"].update(epsilon="1/1000")), "head = .*: expected .*, the chain of limit and releases; restore"),
    (changed(lambda d: d["limit"].pop("delta")), "expected a limit of rho, of epsilon and delta, or of epsilon alone, and its accounting"),
    (changed(lambda d: d.update(accounting="best")), "expected a limit of rho, of epsilon and delta, or of epsilon alone, and its accounting"),
    (changed(lambda d: d.update(format="samplez.dp.Budget 9")), "expected the format samplez.dp.Budget 1, found samplez.dp.Budget 9"),
    (changed(lambda d: d.pop("releases")), "expected a saved samplez.dp.Budget, found KeyError"),
    (changed(lambda d: d["releases"].append(5)), "expected a saved samplez.dp.Budget, found TypeError"),
    (changed(lambda d: d["releases"][0].update(rho="-1")), "path = .*: rho = -1: expected a number above 0; restore"),
    (changed(lambda d: d["limit"].update(delta="1")), "path = .*: delta = 1: expected a number above 0 and below 1; restore"),
    (changed(lambda d: d["limit"].update(epsilon="nan")), "path = .*: epsilon = nan: .*; restore"),
    (changed(lambda d: d["spent"].update(distance="-1/2")), "path = .*: spent = -1/2: expected a number from 0 on; restore"),
    (changed(lambda d: d["releases"][0].update(epsilon="1")), "release 0: epsilon = 1: expected no epsilon with sigma_squared"),
    (lambda text: text[:-40], "expected a saved samplez.dp.Budget, found JSONDecodeError"),
    (lambda text: "[]", "expected a saved samplez.dp.Budget, found TypeError"),
    (lambda text: "", "expected a saved samplez.dp.Budget, found JSONDecodeError"),
    (lambda text: "[" * 100_000, "expected a saved samplez.dp.Budget, found JSON in too many brackets; restore"),
    (lambda text: "9" * 5000, "expected a saved samplez.dp.Budget, found ValueError"),
    (changed(lambda d: d["releases"].reverse() or d["releases"][0].update(distance="1/2") or d["releases"][1].update(distance="1/2") or d["spent"].update(distance="1")),
     "head = .*: expected"),
    (changed(lambda d: d.update(origin="")), "head = .*: expected"),
    (changed(lambda d: d.pop("head")), "expected a saved samplez.dp.Budget, found KeyError 'head'"),
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
    with pytest.raises(ValueError, match=text):
        release(budget)


def test_an_audit_finds_releases_beyond_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    dp.Budget(rho=1, path=path)
    charge = dp.Charge(Fraction(2, 3))
    path.write_text(replace(read(path.read_text(), ""), charges=(charge, charge)).text())
    with pytest.raises(ValueError, match="the releases exceed the limit; some were not charged by this budget$"):
        dp.Budget.open(path)


def test_a_link_is_the_same_ledger(tmp_path: Path) -> None:
    """Two releases of ρ = 1 under a budget of 1 are one too many, whatever name each uses."""
    path, link, folder = tmp_path / "ledger.json", tmp_path / "link.json", tmp_path / "folder"
    dp.Budget(rho=1, path=path)
    link.symlink_to(path)
    folder.symlink_to(tmp_path)
    budgets = [dp.Budget.open(name) for name in (path, link, folder / "ledger.json", folder / "link.json")]
    dp.discrete_gaussian_mechanism(5, sensitivity=1, rho=1, budget=budgets[1])
    for budget in budgets:  # each sees what another has spent
        assert budget.rho == 1 and budget.remaining() == 0 and len(budget.charges) == 1 and budget.charges[0].distance == 0
        with pytest.raises(dp.BudgetExceeded):
            dp.discrete_gaussian_mechanism(5, sensitivity=1, rho=1, budget=budget)
        budget.audit()
    assert link.is_symlink() and not path.is_symlink() and not (tmp_path / "link.json.lock").exists()
    with pytest.raises(FileExistsError, match=r"link\.json: exists already"):
        dp.Budget(rho=1, path=link)
    path.rename(tmp_path / "other.json")
    path.symlink_to(tmp_path / "other.json")
    with pytest.raises(ValueError, match=r"^path = .*ledger\.json: is no regular file any more; open it again$"):
        budgets[0].spend("1e-9")


def test_a_second_name_is_refused(tmp_path: Path) -> None:
    path, other = tmp_path / "ledger.json", tmp_path / "other.json"
    budget = dp.Budget(rho=1, path=path)
    os.link(path, other)
    text = "the file has 2 names, by hard links, and would be spent under each; remove all but one$"
    for attempt in (lambda: budget.spend("0.1"), lambda: dp.Budget.open(other), lambda: dp.Budget.open(path)):
        with pytest.raises(ValueError, match=text):
            attempt()
    other.unlink()
    assert budget.rho == 0
    budget.spend("0.1")
    assert dp.Budget.open(path).rho == Fraction(1, 10)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_a_spend_keeps_the_file_s_mode_and_the_lock_has_it(tmp_path: Path, mode: int, umask: int, request: pytest.FixtureRequest) -> None:
    path, before = tmp_path / "ledger.json", os.umask(umask)
    request.addfinalizer(lambda: os.umask(before))
    budget, lock = dp.Budget(rho=1, path=path), Path(f"{path}.lock")
    path.chmod(mode)
    budget.spend("0.1")
    assert {file: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {path: mode, lock: mode | 0o600}
    lock.unlink()
    assert dp.Budget.open(path).rho == Fraction(1, 10) and lock.stat().st_mode & 0o777 == mode | 0o600


def test_an_older_copy_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    budget = dp.Budget(rho=1, path=path)
    budget.spend("0.1")
    older, other = path.read_bytes(), dp.Budget.open(path)
    budget.spend("0.2")
    budget.spend("0.3")
    newest = path.read_bytes()
    path.write_bytes(older)
    text = r"ledger\.json: has 1 release, which do not continue the 3 that were spent: an older copy .*; restore the newest copy"
    for attempt in (lambda: budget.spend("0.4"), budget.audit, lambda: other.spend("0.4"), lambda: dp.Budget.open(path)):
        with pytest.raises(ValueError, match=text):
            attempt()
    # By the lock's record alone, and by what a budget has seen alone.
    (tmp_path / "ledger.json.lock").unlink()
    assert len(dp.Budget.open(path).charges) == 1
    with pytest.raises(ValueError, match=text):
        budget.spend("0.4")
    path.write_bytes(newest)
    budget.spend("0.4")
    assert dp.Budget.open(path).rho == 1
    # As many releases, but others.
    again = dp.Budget(rho=1, path=tmp_path / "again.json")
    for _ in range(4):
        again.spend("0.1")
    path.write_text((tmp_path / "again.json").read_text())
    with pytest.raises(ValueError, match="an older copy or another ledger took its place"):
        budget.spend("1e-9")
    path.unlink()
    with pytest.raises(ValueError, match=r"ledger\.json: is gone, but .*\.lock records 4 releases; restore the file, or remove the lock file for a new budget$"):
        dp.Budget(rho=1, path=path)


def ended_well(child: int) -> bool:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def in_child(work: Callable[[], object]) -> int:
    """A forked child that ends well if the work does. If it hangs, an alarm ends it."""
    child = os.fork()
    if child == 0:
        signal.alarm(600)
        try:
            work()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return child


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("on_disk", [True, False])
def test_a_fork_while_a_thread_spends(tmp_path: Path, on_disk: bool) -> None:
    """The locks are held at the moment of the fork. The child, an idle child and the parent all go on."""
    path = tmp_path / "ledger.json"
    budget = dp.Budget(rho=1, path=path if on_disk else None)
    inside, forked = threading.Event(), threading.Event()

    def hold() -> None:
        with budget._alone():
            inside.set()
            forked.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()
    reader, writer = os.pipe()
    # As a library forks that is not Python's: no hook runs in the child, which keeps the lock's file open.
    idle = ctypes.CDLL(None).fork()
    if idle == 0:
        os.read(reader, 1)
        os._exit(0)

    def use() -> None:
        assert budget.remaining() == 1 and budget.delta(1).upper == 0
        with pytest.raises(RuntimeError, match="before the process forked") if not on_disk else nullcontext():
            budget.spend("0.25")

    try:
        child = in_child(use)
        forked.set()
        thread.join()
        assert ended_well(child)
        if on_disk:
            assert ended_well(in_child(lambda: budget.spend("0.5")))
        else:
            budget.spend("0.5")
    finally:
        os.write(writer, b"x")
        assert ended_well(idle)
    budget.spend("0.25" if on_disk else "0.5")
    assert budget.rho == 1
    os.close(reader)
    os.close(writer)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_an_idle_child_of_a_killed_spender_holds_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    dp.Budget(rho=1, path=path)
    (told, tell), (wait, go) = os.pipe(), os.pipe()

    def spender() -> None:
        inside = threading.Event()

        def hold() -> None:
            with dp.Budget.open(path)._alone():
                inside.set()
                threading.Event().wait()

        threading.Thread(target=hold, daemon=True).start()
        inside.wait()
        os.close(go)
        idle = in_child(lambda: os.read(wait, 1))
        os.write(tell, idle.to_bytes(4, "little"))
        os.kill(os.getpid(), signal.SIGKILL)

    child = in_child(spender)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    idle = int.from_bytes(os.read(told, 4), "little")
    after = in_child(lambda: dp.Budget.open(path).spend(1))
    assert ended_well(after) and dp.Budget.open(path).rho == 1
    os.kill(idle, 0)  # it was there all the time
    for end in (go, wait, told, tell):
        os.close(end)


# What the file's functions call of the system, in the order of a spend.
CALLS = ("open", "lseek", "read", "lstat", "unlink", "fstat", "fchmod", "fsync", "replace", "write", "close")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_spender_grants_nothing_twice_and_loses_nothing(tmp_path: Path) -> None:
    """Killed before each of its calls of the system in turn. A release that was granted is in the ledger; at most one more is."""
    killed = 0
    while True:
        path = tmp_path / f"ledger-{killed}.json"
        budget = dp.Budget(rho=1, path=path)
        budget.spend("0.25")
        path.chmod(0o600)
        reader, writer = os.pipe()

        def spend_all(last: int = killed, end: int = writer) -> None:
            real, left, tell = {name: getattr(os, name) for name in CALLS}, [last], os.write

            def counted(name: str) -> Callable[..., Any]:
                def call(*arguments: Any, **more: Any) -> Any:
                    if left[0] == 0:
                        os.kill(os.getpid(), signal.SIGKILL)
                    left[0] -= 1
                    return real[name](*arguments, **more)

                return call

            for name in CALLS:
                setattr(os, name, counted(name))
            for _ in range(2):
                budget.spend("0.25")
                tell(end, b"x")

        child = in_child(spend_all)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(writer)
        granted = len(os.read(reader, 9))
        os.close(reader)
        kept = len(dp.Budget.open(path).charges)
        assert granted + 1 <= kept <= granted + (2 if status else 1) and path.stat().st_mode & 0o777 == 0o600
        budget.spend("0.25")
        assert len(budget.charges) == kept + 1 and not Path(f"{path}.new").exists()
        if status == 0:
            break
        assert status == -signal.SIGKILL
        killed += 1
    assert killed > 20 and granted == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_full_disk_costs_nothing(tmp_path: Path) -> None:
    """By the system's own limit of a file's size, which a write reaches in the middle."""
    import resource

    path = tmp_path / "ledger.json"
    budget = dp.Budget(rho=1, path=path)
    budget.spend("0.25")
    before = path.read_bytes()

    def work() -> None:
        most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, most[1]))
        with pytest.raises(OSError, match="File too large"):
            dp.discrete_gaussian_mechanism(5, sensitivity=1, rho="0.25", budget=budget)
        assert path.read_bytes() == before and budget.rho == Fraction(1, 4) and not Path(f"{path}.new").exists()
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
        budget.spend("0.25")

    assert ended_well(in_child(work))
    assert dp.Budget.open(path).rho == Fraction(1, 2)


def laplace(budget: dp.Budget, epsilon: Any) -> dp.Release:
    return dp.discrete_laplace_mechanism(5, sensitivity=1, epsilon=epsilon, budget=budget)


def test_a_pure_budget(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    budget = dp.Budget(epsilon=1, path=path)
    for _ in range(11):
        laplace(budget, "1/11")
    again = dp.Budget.open(path)
    for one in (budget, again):
        assert one.remaining() == 0 and one.delta(1).upper == 0 and 0 < one.delta("0.5").upper < 0.5 and one.rho == Fraction(1, 22)
        with pytest.raises(dp.BudgetExceeded, match=r"^epsilon = 1/1000: is more than is left of the budget, epsilon = 0$"):
            laplace(one, "0.001")
        one.audit()
    assert repr(again) == "Budget(epsilon=1; epsilon 1 spent)"
    once = dp.Budget(epsilon=1)
    laplace(once, 1)
    assert once.remaining() == 0
    # What is not ε-DP.
    other = dp.Budget(epsilon=1)
    text = "is the cost of a release that is not ε-DP, which a budget of epsilon alone rejects; use discrete Laplace noise, or give the budget rho, or delta too$"
    for call, said in (
        (lambda: dp.discrete_gaussian_mechanism(5, sensitivity=1, sigma=30, budget=other), "sigma = 30"), (lambda: other.spend("1e-9"), "rho = 1/1000000000"),
        (lambda: other.spend(epsilon="0.1", distance="1e-30"), "rho = 1/200"),
    ):
        with pytest.raises(dp.BudgetExceeded, match=f"^{said}: {text}"):
            call()
    other.spend(epsilon="3/4")
    with pytest.raises(dp.BudgetExceeded, match="^epsilon = 1/2: is more than is left of the budget, epsilon = 1/4$"):
        other.spend(epsilon="1/2")
    assert other.charges == (dp.Charge(Fraction(9, 32), epsilon=Fraction(3, 4)),) and other.remaining() == Fraction(1, 4)


PURE, EXACT = "Budget(epsilon=1)", 'accounting="exact" if all are fixed in advance'


@pytest.mark.parametrize(("epsilons", "sigma_squared", "named"), [
    (["1"], None, [PURE, EXACT]), (["1/11"] * 11, None, [PURE, EXACT]), (["1/3"] * 4, None, [PURE, EXACT]), (["2"], None, []), ([], 179, [EXACT]), ([], 5, []),
    (["1/10"], 179, [EXACT]),
])
def test_the_error_names_the_accounting_that_admits_all(epsilons: list[str], sigma_squared: int | None, named: list[str]) -> None:
    """Each accounting that is named admits all releases, the refused one included; each that is not named does not."""
    budget, charges = dp.Budget(epsilon=1, delta="1e-6"), []
    query = dp.Budget(rho=100)
    for e in epsilons:
        laplace(query, e)
    if sigma_squared is not None:
        for _ in range(9):
            release(query, sigma_squared=sigma_squared)
    said = ""
    for one in query.charges:
        charges.append(one)
        try:
            budget.spend(charge=one)
        except dp.BudgetExceeded as error:
            said = str(error)
            break
    assert said
    for name, other in ((PURE, dp.Budget(epsilon=1)), (EXACT, dp.Budget(epsilon=1, delta="1e-6", accounting="exact"))):
        admitted = 0
        for one in charges:
            try:
                other.spend(charge=one)
                admitted += 1
            except dp.BudgetExceeded:
                break
        assert (name in said) == (admitted == len(charges))
    assert [name for name in (PURE, EXACT) if name in said] == named
    assert (f"; with all before it, this release fits {', or '.join(named)}" in said) == bool(named)


def test_charges_and_bad_budgets(tmp_path: Path) -> None:
    budget = dp.Budget(epsilon=1, delta="1e-6", accounting="exact")
    release(budget)
    charge = budget.charges[0]
    assert charge.rho == Fraction(1, 358) and charge.sigma_squared == 179 and charge.sensitivity_squared == 1
    budget.spend(charge=replace(charge, distance=Fraction(0)))
    assert budget.rho == Fraction(1, 179)
    for arguments, error, text in (
        ({"rho": 1, "accounting": "exact"}, TypeError, "accounting = exact: expected epsilon and delta"),
        ({"rho": 1, "accounting": "pld"}, ValueError, "accounting = pld: expected zcdp or exact"),
        ({"rho": 1, "accounting": 1}, TypeError, "accounting = 1: expected a str, not int"),
    ):
        with pytest.raises(error, match=text):
            dp.Budget(**arguments)
    with pytest.raises(FileNotFoundError, match=r"^path = .*folder\.json: its directory does not exist; create it first$"):
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
    (dp.Charge(Fraction(-1, 2), distance=Fraction(0)), ValueError, "^rho = -1/2: expected a number above 0$"),
    (dp.Charge(Fraction(0), distance=Fraction(0)), ValueError, "^rho = 0: expected a number above 0$"),
    (dp.Charge(Fraction(1, 10), distance=Fraction(-1)), ValueError, "^distance = -1: expected a number from 0 on$"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), epsilon=Fraction(-1)), ValueError, "^epsilon = -1: expected a number above 0$"),
    (dp.Charge(Fraction(1, 9), distance=Fraction(0), epsilon=Fraction(1)), ValueError, "^rho = 1/9: expected 1/2 for its epsilon$"),
    (dp.Charge(Fraction(1, 10**6), distance=Fraction(0), sigma_squared=Fraction(1), sensitivity_squared=Fraction(1)), ValueError, "^rho = 1/1000000: expected 1/2 for its sensitivity and noise$"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=Fraction(-1), sensitivity_squared=Fraction(1)), ValueError, "^sigma_squared = -1: expected a number above 0$"),
    (dp.Charge(Fraction(1, 8), distance=Fraction(0), sigma_squared=Fraction(1), sensitivity_squared=Fraction(1, 4)), ValueError, "^sensitivity_squared = 1/4: expected at least 1"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=Fraction(1)), ValueError, "^sigma_squared = 1: expected sensitivity_squared with it; give both"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=None, sensitivity_squared=Fraction(1)), ValueError, "^sensitivity_squared = 1: expected sigma_squared with it; give both"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=Fraction(1), sensitivity_squared=Fraction(1), epsilon=Fraction(1)), ValueError, "^epsilon = 1: expected no epsilon with sigma_squared"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), dimension=3), ValueError, "^dimension = 3: expected 1 without discrete Gaussian noise; leave it out, or"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), clients=0), ValueError, "^clients = 0: expected a value between 1 and"),
    (dp.Charge(Fraction(1, 2), distance=Fraction(0), sigma_squared=Fraction(1), sensitivity_squared=Fraction(1), dimension=0), ValueError, "^dimension = 0: expected a value between 1 and"),
    (dp.Charge(float("nan"), distance=Fraction(0)), ValueError, "^rho = nan: expected a finite number$"),  # type: ignore[arg-type]
    (dp.Charge(None, distance=Fraction(0)), TypeError, "^rho = None: expected a str, int, Fraction"),  # type: ignore[arg-type]
    ("x", TypeError, "^charge = x: expected a samplez.dp.Charge, not str$"),
]


@pytest.mark.parametrize(("charge", "error", "text"), REFUSED)
@pytest.mark.parametrize("accounting", ["zcdp", "exact"])
def test_a_charge_that_no_ledger_may_hold(tmp_path: Path, charge: Any, error: type[Exception], text: str, accounting: str) -> None:
    path = tmp_path / "ledger.json"
    for budget in (dp.Budget(epsilon=1, delta="1e-6", accounting=accounting), dp.Budget(epsilon=1, delta="1e-6", accounting=accounting, path=path)):
        budget.spend("0.001")
        before = path.read_bytes() if path.exists() else b""
        with pytest.raises(error, match=text):
            budget.spend(charge=charge)
        assert budget.rho == Fraction(1, 1000) and len(budget.charges) == 1
        budget.audit()
    assert path.read_bytes() == before and dp.Budget.open(path).charges == budget.charges


def test_numbers_of_a_charge_are_fractions(tmp_path: Path) -> None:
    """As `spend` reads them."""
    budget = dp.Budget(rho=2, path=tmp_path / "ledger.json")
    budget.spend(charge=dp.Charge(0.1, distance=0))  # type: ignore[arg-type]
    budget.spend(charge=dp.Charge("1/2", distance=0, sigma_squared=1, sensitivity_squared=1))  # type: ignore[arg-type]
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
    assert traceback.format_exception_only(caught.value) == ["samplez.dp.BudgetExceeded: rho = 2: is more than is left of the budget, rho = 1\n"]
