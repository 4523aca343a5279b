"""A budget that releases spend, with its ledger."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

from samplez._numbers import Number, given_too, name_of, only_one, shown, wrong
from samplez._recipe import suggests
from samplez.dp._accounting import largest_rho, rounded_up
from samplez.dp._arguments import FORMS, guarantee, nonnegative, positive
from samplez.dp._compose import Entry, with_pure
from samplez.dp._database import Database
from samplez.dp._grid import Pure
from samplez.dp._ledger import Book, Charge, checked, read
from samplez.dp._plan import Bounds, outward
from samplez.dp._report import report
from samplez.dp._store import Store
from samplez.dp._zcdp import with_distance, zcdp_delta

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine


class BudgetExceeded(ValueError):
    """A release would cost more than is left. It was not made, and the budget is unchanged."""

    # The name in tracebacks is the public one.
    __module__ = "samplez.dp"


class Budget:
    """The maximum cost of releases about the same people together: a `rho`, or an `epsilon` and a `delta`, or an `epsilon` alone.

    Give it to the mechanisms as ``budget=``, which spend before they draw. `spend` is for other mechanisms. A release that would exceed
    the budget raises `BudgetExceeded`, and changes nothing. If another accounting admits all releases, the error names it.

    `accounting` is one of:

    - ``"zcdp"`` (default): ρ adds up. This also holds where a release's noise or sensitivity is chosen by the results of earlier ones.
    - ``"exact"``: the exact δ of discrete Gaussian releases together, which admits more releases. It requires an
      `epsilon` and a `delta`. It holds for a plan that is fixed in advance. Queries may depend on earlier results, but
      sensitivities, noise and the number of releases may not. Discrete Laplace releases are bounded by the exact
      composition of ε-DP mechanisms. If `spend` took any other cost, all are accounted by ρ.

    With an `epsilon` alone, ε adds up, and each release must be ε-DP, such as one with discrete Laplace noise. This holds whatever is chosen by
    earlier results. Leave `accounting` out.

    Statistical distances that `spend` takes add up, and δ includes them. The mechanisms of `samplez.dp` have none.

    With `path`, the ledger is a new file, and each spend reaches the disk before it returns. `Budget.open` opens it again, also in several
    processes at a time, and after a fork. Each question, such as `remaining`, reads the file again. Keep the file beside it whose name ends in ``.lock``: it records what was spent, so that an older copy of
    the ledger is refused.

    With `database` and `name`, the ledger is new rows of the table ``samplez_budgets``, one for each release, and none is ever changed. `database` is an
    engine or a URL of SQLAlchemy. Many machines may spend from it at a time, and each spend is committed before it returns. If an error of SQLAlchemy
    interrupts a commit, the ledger may count that one release more.

    A budget is not copied or pickled. One in memory refuses to spend in a process forked later, because two copies would each spend all. Threads may
    share a budget: checking and spending is one step.

    >>> budget = Budget(epsilon=1, delta="1e-6")
    >>> release = samplez.dp.discrete_gaussian_mechanism([120, 7], sensitivity=1, rho="0.005", budget=budget)
    >>> budget.rho, budget.remaining() > 0, budget.delta(1).upper < 1e-6
    (Fraction(1, 200), True, True)
    >>> samplez.dp.discrete_gaussian_mechanism([120, 7], sensitivity=1, rho="0.5", budget=budget)
    Traceback (most recent call last):
    ...
    samplez.dp.BudgetExceeded: rho = 1/2: is more than is left of the budget, about rho = 0.01936
    >>> pure = Budget(epsilon=1)
    >>> for _ in range(3):
    ...     release = samplez.dp.discrete_laplace_mechanism(412, sensitivity=1, epsilon="1/3", budget=pure)
    >>> pure.remaining(), pure.delta(1).upper
    (Fraction(0, 1), 0.0)
    """

    __slots__ = ("_book", "_lock", "_process", "_store")
    _book: Book
    _store: Store | Database | None

    @suggests
    def __init__(
        self,
        *,
        rho: Number | None = None,
        epsilon: Number | None = None,
        delta: Number | None = None,
        accounting: str | None = None,
        path: str | os.PathLike[str] | None = None,
        database: str | Engine | URL | None = None,
        name: str | None = None,
    ) -> None:
        is_pure = rho is None and epsilon is not None and delta is None
        limit = (None, positive("epsilon", epsilon), None) if is_pure else guarantee(rho, epsilon, delta, what="limit", forms=f"{FORMS}, or epsilon alone")
        if accounting is not None and name_of("accounting", accounting) not in ("zcdp", "exact"):
            raise wrong("accounting", accounting, "zcdp or exact")
        if accounting is not None and (is_pure or (accounting == "exact" and rho is not None)):
            raise TypeError(f"accounting = {accounting}: expected epsilon and delta; with {'epsilon alone' if is_pure else 'rho'}, leave accounting out")
        self._set(Book(limit, "pure" if is_pure else accounting or "zcdp"), _store(path, database, name))
        if isinstance(self._store, Store):
            self._store.refuse_present()  # without a lock file beside a file that is no ledger
        if self._store is not None:
            with self._store.locked() as lock:
                self._store.create(lock, self._book)

    def _set(self, book: Book, store: Store | Database | None) -> None:
        # One attribute has all that changes, so that reading it needs no lock.
        self._book, self._store = book, store
        self._lock, self._process = threading.Lock(), os.getpid()

    @classmethod
    @suggests
    def open(cls, path: str | os.PathLike[str] | None = None, *, database: str | Engine | URL | None = None, name: str | None = None) -> Budget:
        """Opens the ledger of a file, or of a database, and audits it. Raises as `audit`, and `OSError` or an error of SQLAlchemy."""
        self, store = cls.__new__(cls), _store(path, database, name)
        if store is None:
            raise TypeError("missing ledger: give path, or database and name")
        if isinstance(store, Store):
            store.book()  # so that a file that is no ledger gets no lock file
        with store.locked() as lock:
            self._set(store.read(lock), store)
        self.audit()
        return self

    @property
    def rho(self) -> Fraction:
        """The ρ that is spent."""
        return self._seen().rho

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The ledger, in the order of the releases."""
        return self._seen().charges

    @suggests
    def spend(self, rho: Number | None = None, *, epsilon: Number | None = None, distance: Number = 0, charge: Charge | None = None) -> None:
        """Takes a release's cost: its ρ, or its ε if it is ε-DP, and the statistical distance of its noise from the ideal, of all coordinates together.

        The ρ of an ε-DP release is ε²/2. Instead of the three, `charge` is an entry of a ledger. In one with discrete Gaussian noise, ρ must be
        the one that `samplez.dp.rho` returns.

        Raises `BudgetExceeded`, and `ValueError` or `TypeError` for a cost that no ledger may hold.

        >>> budget = Budget(rho=1)
        >>> budget.spend("1/3")
        >>> budget.spend(epsilon="1/3")
        >>> budget.remaining()
        Fraction(11, 18)
        """
        only_one("cost", {"rho": rho, "epsilon": epsilon, "charge": charge})
        off = nonnegative("distance", distance)
        if charge is not None:
            if off:
                raise given_too("distance", distance, "charge", "a charge states its own distance; leave distance out")
            self._charge(charge, "")
        elif epsilon is None:
            self._charge(Charge(positive("rho", rho), distance=off), "")
        else:
            e = positive("epsilon", epsilon)
            self._charge(Charge(e**2 / 2, distance=off, epsilon=e), "")

    def _charge(self, charge: Charge, said: str) -> None:
        """The same; `said` is the cost as the caller gave it."""
        charge = checked(charge)
        with self._alone() as lock:
            while True:
                before = self._now(lock)
                after = before.with_charge(charge)
                if not _admits(after):
                    break
                if self._store is None or self._store.write(lock, after):
                    self._book = after
                    return
        raise BudgetExceeded(_exceeded(before, after, said))

    @contextmanager
    def _alone(self) -> Iterator[int]:
        """Keeps other threads and processes out, for one step."""
        if self._process != os.getpid():
            if self._store is None:
                raise RuntimeError("this samplez.dp.Budget was made before the process forked, and would be spent twice; use path= or database=")
            # A thread of the parent may have held the lock. It is not in this process.
            self._lock, self._process = threading.Lock(), os.getpid()
        with self._lock:
            if self._store is None:
                yield 0
            else:
                with self._store.locked() as lock:
                    yield lock

    def _now(self, lock: int) -> Book:
        """The ledger, with what other processes have spent."""
        if self._store is not None:
            self._book = self._store.read(lock, self._book)
        return self._book

    def _seen(self) -> Book:
        """Returns the ledger for questions. A stored one is read again, because others may have spent."""
        if self._store is None:
            return self._book
        with self._alone() as lock:
            return self._now(lock)

    @suggests
    def remaining(self) -> Fraction:
        """Returns a ρ that any release may still cost; within 2^-20 of the largest total, if the budget is an ε and a δ. If it is an ε alone, the
        result is the ε that is left.

        With exact accounting, a discrete Gaussian release may cost more.
        """
        return _left(self._seen())

    @suggests
    def delta(self, epsilon: Number) -> Bounds:
        """Returns bounds of the least δ for which all releases together are (ε, δ)-DP, by this budget's accounting.

        With accounting by ρ, the lower bound is 0.
        """
        e, book = nonnegative("epsilon", epsilon), self._seen()
        if not book.charges:
            return Bounds(0.0, 0.0)
        entries = _entries(book.charges) if book.accounting != "zcdp" else None
        low, high = outward(with_pure(*entries, e)) if entries is not None else Bounds(0.0, zcdp_delta(book.rho, e))
        extra = with_distance(0.0, e, book.distance)
        return Bounds(max(0.0, low * (1 - 2.0**-50) - extra * (1 + 2.0**-40)), with_distance(high, e, book.distance))

    @suggests
    def audit(self) -> None:
        """Recomputes the ledger: each ρ from its sensitivity and noise, the totals, the chain, and whether they keep the limit.

        Raises `ValueError` with the first difference. A stored ledger is read again first.
        """
        label, book = "the ledger in memory" if self._store is None else self._store.label, self._seen()
        if self._store is not None:
            with self._alone() as lock:
                book = self._store.read(lock)  # also the rows that are known
        if book.charges and not _admits(read(book.text(), label)):
            raise ValueError(f"{label}: the releases exceed the limit; some were not charged by this budget")

    @suggests
    def report(self) -> str:
        """Returns the audited ledger as the text of one HTML file, without scripts: the limit, the totals, a picture of the spending, and the releases.

        Raises as `audit`. Of more than 1000 releases, the table has the last 1000.

        >>> budget = Budget(rho=1)
        >>> budget.spend("1/3")
        >>> "<td style='text-align:left'>1/3</td>" in budget.report()
        True
        """
        self.audit()
        book, (_, epsilon, _) = self._book, self._book.limit
        facts = {} if epsilon is None or book.accounting == "pure" else {f"δ at ε = {shown(epsilon)}": f"at most {self.delta(epsilon).upper:.6g}"}
        return report(book, "in memory" if self._store is None else self._store.label, _left(book), facts)

    def __repr__(self) -> str:
        book = self._book
        exact = ", accounting='exact'" if book.accounting == "exact" else ""
        spent = f"epsilon {shown(book.epsilon)}" if book.accounting == "pure" else f"rho {shown(book.rho)}"
        return f"Budget({_said(book)}{exact}; {spent} spent)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a samplez.dp.Budget cannot be copied or pickled; a stored one is opened elsewhere, by samplez.dp.Budget.open")


def _store(path: str | os.PathLike[str] | None, database: str | Engine | URL | None, name: str | None) -> Store | Database | None:
    """Returns the ledger's storage; ``None`` in memory."""
    if path is not None and database is not None:
        raise TypeError(f"path = {os.fspath(path)}: expected no path beside a database; leave one of them out")
    if database is not None and name is None:
        raise TypeError("missing name: expected the budget's name in the database")
    if database is None and name is not None:
        raise TypeError(f"name = {name}: expected together with database; for a file, give path")
    if database is not None and name is not None:
        return Database(database, name)
    return None if path is None else Store(path)


def _said(book: Book) -> str:
    """The limit as keyword arguments."""
    return ", ".join(f"{name}={shown(value)}" for name, value in zip(("rho", "epsilon", "delta"), book.limit, strict=True) if value is not None)


def _left(book: Book) -> Fraction:
    """`Budget.remaining`."""
    limit, epsilon, delta = book.limit
    if book.accounting == "pure":
        assert epsilon is not None and book.epsilon is not None
        return max(epsilon - book.epsilon, Fraction(0))
    if limit is None:
        assert epsilon is not None and delta is not None
        # with_distance rounds up: what it takes is taken off δ.
        left = delta - Fraction(with_distance(0.0, epsilon, book.distance)) * (1 + Fraction(1, 2**40))
        limit = largest_rho(epsilon, left * (1 - Fraction(1, 2**40))) if left > 0 else Fraction(0)
    return max(limit - book.rho, Fraction(0))


def _admits(book: Book) -> bool:
    """Whether the releases keep the limit, by the accounting."""
    limit, epsilon, delta = book.limit
    if book.accounting == "pure":
        return epsilon is not None and book.epsilon is not None and book.epsilon <= epsilon
    if limit is not None:
        return book.rho <= limit
    assert epsilon is not None and delta is not None
    if with_distance(zcdp_delta(book.rho, epsilon), epsilon, book.distance) <= delta:
        return True
    entries = _entries(book.charges) if book.accounting == "exact" else None
    return entries is not None and with_distance(rounded_up(with_pure(*entries, epsilon)[1]), epsilon, book.distance) <= delta


def _exceeded(before: Book, after: Book, said: str) -> str:
    """What `BudgetExceeded` says. An accounting that it names was tried on all releases, the refused one included."""
    charge, epsilon = after.charges[-1], after.limit[1]
    pure = after.accounting == "pure"
    if pure and not charge._is_pure:
        found = said or f"rho = {charge.rho}"
        return f"{found}: is the cost of a release that is not ε-DP, which a budget of epsilon alone rejects; use discrete Laplace noise, or give the budget rho, or delta too"
    cost = f"epsilon = {shown(charge.epsilon)}" if pure else f"rho = {charge.rho}"
    text = f"{said or cost}: {'' if not said or said.startswith(cost.split(' ')[0] + ' =') else f'costs {cost}, which '}is more than is left of the budget"
    if after.accounting != "exact":
        left = _left(before)
        text += f", epsilon = {shown(left)}" if pure else f", rho = {shown(left)}" if after.limit[0] is not None else f", about rho = {float(left):.4g}"
    ways = []
    if after.accounting == "zcdp" and epsilon is not None:
        if _admits(replace(after, limit=(None, epsilon, None), accounting="pure")):
            ways.append(f"Budget(epsilon={shown(epsilon)})")
        if _admits(replace(after, accounting="exact")):
            ways.append('accounting="exact" if all are fixed in advance')
    return f"{text}; with all before it, this release fits {', or '.join(ways)}" if ways else text


def _entries(charges: tuple[Charge, ...]) -> tuple[tuple[Entry, ...], tuple[Pure, ...]] | None:
    """The discrete Gaussian releases and the ε-DP ones, equal ones together; ``None`` if there is another mechanism."""
    found, pures = [], []
    for (query, s2, epsilon), count in Counter((charge._query(), charge.sigma_squared, charge.epsilon) for charge in charges).items():
        if query is not None and s2 is not None:
            found.append((replace(query, releases=count), s2))
        elif epsilon is not None:
            pures.append(Pure(epsilon, count))
        else:
            return None
    found.sort(key=lambda entry: (entry[1], entry[0].squared, entry[0].dimension, entry[0].clients))
    return tuple(found), tuple(sorted(pures, key=lambda pure: pure.epsilon))
