"""A budget that releases spend, with its ledger."""

from __future__ import annotations

import os
import threading
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import NoReturn

from samplez._numbers import Number, name_of, shown
from samplez.dp._accounting import rho_of, rounded_up
from samplez.dp._arguments import guarantee, nonnegative, positive
from samplez.dp._compose import Entry, with_pure
from samplez.dp._grid import Pure
from samplez.dp._ledger import Book, Charge, checked, load, locked, read, write
from samplez.dp._plan import Bounds, outward
from samplez.dp._zcdp import with_distance, zcdp_delta


class BudgetExceeded(ValueError):
    """A release would cost more than is left. It was not made, and the budget is unchanged."""

    # The name in tracebacks is the public one.
    __module__ = "samplez.dp"


class Budget:
    """The maximum cost of releases about the same people together: a `rho`, or an `epsilon` and a `delta`.

    Give it to the mechanisms as ``budget=``, which spend before they draw. `spend` is for other mechanisms. A release that would exceed
    the budget raises `BudgetExceeded`, and changes nothing.

    `accounting` is one of:

    - ``"zcdp"`` (default): ρ adds up. This also holds where a release's noise or sensitivity is chosen by the results of earlier ones.
    - ``"exact"``: the exact δ of discrete Gaussian releases together, which admits more releases. It requires an
      `epsilon` and a `delta`. It holds for a plan that is fixed in advance. Queries may depend on earlier results, but
      sensitivities, noise and the number of releases may not. Discrete Laplace releases are bounded by the exact
      composition of ε-DP mechanisms. If `spend` took any other cost, all are accounted by ρ.

    The statistical distances of the samplers add up, and δ includes them.

    With `path`, the ledger is a new file, and each spend reaches the disk before it returns. `Budget.open` opens it again, also in several
    processes at a time. Without `path`, the budget is not copied or pickled, and refuses to spend in a process forked later: two copies
    would each spend all. Threads may share a budget: checking and spending is one step.

    >>> budget = Budget(epsilon=1, delta="1e-6")
    >>> release = samplez.dp.discrete_gaussian_mechanism([120, 7], sensitivity=1, rho="0.005", budget=budget)
    >>> budget.rho, budget.remaining() > 0, budget.delta(1) < 1e-6
    (Fraction(1, 200), True, True)
    >>> samplez.dp.discrete_gaussian_mechanism([120, 7], sensitivity=1, rho="0.5", budget=budget)
    Traceback (most recent call last):
    ...
    samplez.dp.BudgetExceeded: rho = 1/2: is more than is left of the budget
    """

    __slots__ = ("_accounting", "_charges", "_distance", "_limit", "_lock", "_path", "_process", "_rho")

    def __init__(
        self,
        *,
        rho: Number | None = None,
        epsilon: Number | None = None,
        delta: Number | None = None,
        accounting: str = "zcdp",
        path: str | os.PathLike[str] | None = None,
    ) -> None:
        limit = guarantee(rho, epsilon, delta)
        if name_of("accounting", accounting) not in ("zcdp", "exact"):
            raise ValueError(f"accounting = {accounting}: expected zcdp or exact")
        if accounting == "exact" and limit[0] is not None:
            raise TypeError("accounting = exact: expected epsilon and delta; with rho, leave accounting out")
        self._set(Book(limit, accounting, ()), None if path is None else Path(path))
        if self._path is not None:
            with locked(self._path):
                if self._path.exists():
                    raise FileExistsError(f"path = {self._path}: exists already; use samplez.dp.Budget.open")
                write(self._path, self._book().text())

    def _set(self, book: Book, path: Path | None) -> None:
        self._limit, self._accounting, self._path = book.limit, book.accounting, path
        self._lock, self._process = threading.Lock(), os.getpid()
        self._take(book)

    def _take(self, book: Book) -> None:
        self._charges = list(book.charges)
        self._rho = sum((c.rho for c in book.charges), Fraction(0))
        self._distance = sum((c.distance for c in book.charges), Fraction(0))

    def _book(self) -> Book:
        return Book(self._limit, self._accounting, tuple(self._charges))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Budget:
        """Opens the ledger of a file, and audits it. Raises as `audit`, and `OSError`."""
        self = cls.__new__(cls)
        name = Path(path)
        self._set(load(name), name)
        self.audit()
        return self

    @property
    def rho(self) -> Fraction:
        """The ρ that is spent."""
        return self._rho

    @property
    def distance(self) -> Fraction:
        """The statistical distances that are spent: all releases together are within it of a ρ-zCDP mechanism."""
        return self._distance

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The ledger, in the order of the releases."""
        return tuple(self._charges)

    def spend(self, rho: Number, *, distance: Number = 0) -> None:
        """Takes a release's cost: its ρ, and the statistical distance of its noise from the ideal, of all coordinates together.

        An ε-DP release costs ε²/2. Raises `BudgetExceeded`.

        >>> budget = Budget(rho=1)
        >>> budget.spend("1/3")
        >>> budget.remaining()
        Fraction(2, 3)
        """
        self.charge(Charge(positive("rho", rho), distance=nonnegative("distance", distance)))

    def charge(self, charge: Charge) -> None:
        """Takes an entry of the ledger, as `spend` does.

        Numbers are read as `spend` reads them. For discrete Gaussian noise, ρ must be the one that `samplez.dp.rho` returns. For an ε-DP release
        it must be ε²/2. Raises `BudgetExceeded`, and `ValueError` or `TypeError` for an entry that no ledger may hold.
        """
        charge = checked(charge)
        if self._path is None and self._process != os.getpid():
            raise RuntimeError("this samplez.dp.Budget was made before the process forked, and would be spent twice; use path=")
        with self._lock, locked(self._path) if self._path is not None else nullcontext():
            self._refresh()
            charges = [*self._charges, charge] if self._accounting == "exact" else []
            if not self._allows(self._rho + charge.rho, self._distance + charge.distance, charges):
                raise BudgetExceeded(f"rho = {charge.rho}: is more than is left of the budget")
            if self._path is not None:
                write(self._path, Book(self._limit, self._accounting, (*self._charges, charge)).text())
            self._charges.append(charge)
            self._rho, self._distance = self._rho + charge.rho, self._distance + charge.distance

    def _refresh(self) -> None:
        """Reads what other processes have spent."""
        if self._path is not None:
            book = load(self._path)
            if book.limit != self._limit or book.accounting != self._accounting:
                raise ValueError(f"path = {self._path}: the limit has changed; open the file again")
            self._take(book)

    def _allows(self, rho: Fraction, distance: Fraction, charges: list[Charge]) -> bool:
        limit, epsilon, delta = self._limit
        if limit is not None:
            return rho <= limit
        assert epsilon is not None and delta is not None
        if with_distance(zcdp_delta(rho, epsilon), epsilon, distance) <= delta:
            return True
        entries = _entries(charges) if self._accounting == "exact" else None
        return entries is not None and with_distance(rounded_up(with_pure(*entries, epsilon)[1]), epsilon, distance) <= delta

    def remaining(self) -> Fraction:
        """Returns a ρ that any release may still cost; within 2^-20 of the largest total, if the budget is an ε and a δ.

        With exact accounting, a discrete Gaussian release may cost more.
        """
        limit, epsilon, delta = self._limit
        with self._lock:
            spent, distance = self._rho, self._distance
        if limit is None:
            assert epsilon is not None and delta is not None
            # with_distance rounds up: what it takes is taken off δ.
            left = delta - Fraction(with_distance(0.0, epsilon, distance)) * (1 + Fraction(1, 2**40))
            limit = rho_of(epsilon, delta=left * (1 - Fraction(1, 2**40))) if left > 0 else Fraction(0)
        return max(limit - spent, Fraction(0))

    def delta(self, epsilon: Number) -> float:
        """Returns a δ for which all releases together are (ε, δ)-DP, by this budget's accounting."""
        return self.bounds(epsilon).upper

    def bounds(self, epsilon: Number) -> Bounds:
        """Returns bounds of the least δ for which all releases together are (ε, δ)-DP.

        Without exact accounting, the lower bound is 0.
        """
        e = nonnegative("epsilon", epsilon)
        with self._lock:
            spent, distance, charges = self._rho, self._distance, list(self._charges)
        if not spent:
            return Bounds(0.0, 0.0)
        entries = _entries(charges) if self._accounting == "exact" else None
        low, high = outward(with_pure(*entries, e)) if entries is not None else Bounds(0.0, zcdp_delta(spent, e))
        extra = with_distance(0.0, e, distance)
        return Bounds(max(0.0, low * (1 - 2.0**-50) - extra * (1 + 2.0**-40)), with_distance(high, e, distance))

    def audit(self) -> None:
        """Recomputes the ledger: each ρ from its sensitivity and noise, the totals, and whether they keep the limit.

        Raises `ValueError` with the first difference. A ledger with a file is read again first.
        """
        with self._lock, locked(self._path) if self._path is not None else nullcontext():
            self._refresh()
            book = read(self._book().text(), str(self._path or "the ledger in memory"))
            if self._charges and not self._allows(self._rho, self._distance, list(book.charges)):
                raise ValueError(f"path = {self._path}: the releases exceed the limit; some were not charged by this budget")

    def __repr__(self) -> str:
        limit, epsilon, delta = self._limit
        said = f"rho={shown(limit)}" if limit is not None else f"epsilon={shown(epsilon)}, delta={shown(delta)}"
        exact = ", accounting='exact'" if self._accounting == "exact" else ""
        return f"Budget({said}{exact}; rho {shown(self._rho)} spent)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a samplez.dp.Budget cannot be copied or pickled: two copies would each spend all of it")


def _entries(charges: list[Charge]) -> tuple[tuple[Entry, ...], tuple[Pure, ...]] | None:
    """The discrete Gaussian releases and the ε-DP ones, equal ones together; ``None`` if there is another mechanism."""
    found, pures = [], []
    for (query, s2, epsilon), count in Counter((charge.query(), charge.sigma_squared, charge.epsilon) for charge in charges).items():
        if query is not None and s2 is not None:
            found.append((replace(query, releases=count), s2))
        elif epsilon is not None:
            pures.append(Pure(epsilon, count))
        else:
            return None
    found.sort(key=lambda entry: (entry[1], entry[0].squared, entry[0].dimension, entry[0].clients))
    return tuple(found), tuple(sorted(pures, key=lambda pure: pure.epsilon))
