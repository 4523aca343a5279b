"""Keeps a budget's ledger in a database: one row for each release, and samplez never changes a row."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from samplez._extras import library
from samplez._numbers import mistyped, shown
from samplez.dp._ledger import Book, book_of, chained, charge_of, parsed

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine

_TABLE = "samplez_budgets"


class Database:
    """The ledger of this name. Its row 0 has limit, accounting and origin, row n the n-th release. Each row has the head of the chain after it.

    The primary key is (budget, place), so of two releases that are spent at the same time, from the same rows, the database rejects one. No lock and no
    isolation level beyond committed reads is required.
    """

    def __init__(self, database: str | Engine | URL, name: str) -> None:
        if not isinstance(name, str):
            raise mistyped("name", name, "a str")
        if not 0 < len(name) <= 255:
            raise ValueError(f"name = {shown(name)}: expected 1 to 255 characters")
        sql = library("sqlalchemy", "A budget in a database", "sqlalchemy")
        self.label = f"name = {name}"
        self._sql, self._name, self._process = sql, name, os.getpid()
        self._engine = database if isinstance(database, sql.engine.Engine) else _engine(sql, database)
        self._table = sql.Table(
            _TABLE, sql.MetaData(),
            sql.Column("budget", sql.String(255), primary_key=True),
            sql.Column("place", sql.Integer, primary_key=True, autoincrement=False),
            sql.Column("entry", sql.Text, nullable=False),
            sql.Column("head", sql.String(64), nullable=False),
        )

    @contextmanager
    def locked(self) -> Iterator[int]:
        """Gives up connections that the parent process opened. Nothing is locked: `write` fails if somebody else was first."""
        if self._process != os.getpid():
            self._engine.dispose(close=False)
            self._process = os.getpid()
        yield 0

    def create(self, _: int, book: Book) -> None:
        """Writes a new ledger, and the table if there is none."""
        self._table.metadata.create_all(self._engine)
        if not self._insert(0, book.opening(), book.last):
            raise ValueError(f"{self.label}: exists already; use samplez.dp.Budget.open")

    def read(self, _: int, known: Book | None = None) -> Book:
        """Returns the ledger, which must continue the `known` one, of which only the last row is read again. Raises `ValueError`, and SQLAlchemy's errors."""

        def fault(what: str) -> ValueError:
            return ValueError(f"{self.label}: {what}; restore the rows of {_TABLE} from a backup")

        start, columns = 0 if known is None else len(known.charges), self._table.c
        query = self._sql.select(columns.place, columns.entry, columns.head)
        query = query.where(columns.budget == self._name, columns.place >= start).order_by(columns.place)
        if known is None and not self._sql.inspect(self._engine).has_table(_TABLE):
            found = []
        else:
            with self._engine.connect() as connection:
                found = connection.execute(query).all()
        if known is None:
            if not found:
                raise ValueError(f"{self.label}: no budget of this name in the database; create it by samplez.dp.Budget(..., database=..., name=...)")
            known = book_of(parsed(found[0].entry, fault), [], fault)
        if not found or (found[0].place, found[0].head) != (start, known.last):
            raise fault(f"the {start} releases that were spent are not there any more")
        book, rows, head = known, [], known.last
        for place, row in enumerate(found[1:], start + 1):
            if row.place != place:
                raise fault(f"row {place} is missing")
            entry = parsed(row.entry, fault)
            head = chained(head, entry)
            if row.head != head:
                raise fault(f"row {place}: head = {row.head}: expected {head}, the chain of limit and releases")
            rows.append(entry)
        try:
            for place, entry in enumerate(rows, start):
                book = book.with_charge(charge_of(entry, place))
        except (KeyError, TypeError, AttributeError) as error:
            raise fault(f"expected a release, found {type(error).__name__} {error}") from None
        except ValueError as error:
            raise fault(str(error)) from None
        return book

    def write(self, _: int, book: Book) -> bool:
        """Adds the last release, and commits it. Returns whether it did: not if another release took the place since `read`."""
        place = len(book.charges)
        if self._insert(place, book.charges[-1]._row(), book.last):
            return True
        with self._engine.connect() as connection:
            there = connection.execute(self._sql.select(self._table.c.place).where(self._table.c.budget == self._name, self._table.c.place == place)).first()
        if there is None:
            raise ValueError(f"{self.label}: the database rejects row {place}, which is free; compare the table {_TABLE} with one that samplez creates")
        return False

    def _insert(self, place: int, entry: dict[str, Any], head: str) -> bool:
        try:
            with self._engine.begin() as connection:
                connection.execute(self._table.insert(), {"budget": self._name, "place": place, "entry": json.dumps(entry), "head": head})
        except self._sql.exc.IntegrityError:
            return False
        return True


def _engine(sql: Any, database: object) -> Any:
    """Returns an engine that keeps no idle connection. A message never shows the URL, which may hold a password."""
    expected = "database: expected a URL such as postgresql+psycopg://host/name, or an Engine of SQLAlchemy"
    if not isinstance(database, (str, sql.engine.URL)):
        raise TypeError(f"{expected}, found {type(database).__name__}")
    try:
        url = sql.engine.make_url(database)
    except sql.exc.ArgumentError:
        raise ValueError(expected) from None
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise ValueError("database: is in memory, and lost with its connection; name a file, or leave database and name out")
    return sql.create_engine(url, poolclass=sql.pool.NullPool)
