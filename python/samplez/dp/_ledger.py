"""A budget's ledger: charges, and their text."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from samplez._numbers import mistyped, shown, whole, wrong
from samplez.dp._arguments import Query, nonnegative, positive, probability, query_of
from samplez.dp._zcdp import rho_of_noise

_FORMAT = "samplez.dp.Budget 1"


@dataclass(frozen=True)
class Charge:
    """One entry of a budget's ledger."""

    rho: Fraction
    """ρ of the release."""
    _: KW_ONLY
    distance: Fraction = Fraction(0)
    """The statistical distance of its noise from the ideal."""
    sigma_squared: Fraction | None = None
    """σ² of discrete Gaussian noise; ``None`` for any other mechanism."""
    sensitivity_squared: Fraction | None = None
    """The square of the L2 sensitivity, for discrete Gaussian noise."""
    dimension: int = 1
    clients: int = 1
    epsilon: Fraction | None = None
    """ε of an ε-DP release, such as one with discrete Laplace noise."""

    def _query(self) -> Query | None:
        """The query of discrete Gaussian noise."""
        if self.sigma_squared is None or self.sensitivity_squared is None:
            return None
        return Query(self.sensitivity_squared, self.dimension, self.clients)

    @property
    def _is_pure(self) -> bool:
        """Whether the release is ε-DP."""
        return self.epsilon is not None and not self.distance

    def _row(self) -> dict[str, Any]:
        """The charge as JSON has it. Fractions are texts."""
        row: dict[str, Any] = {"rho": str(self.rho), "distance": str(self.distance)}
        if self._query() is not None:
            row |= {
                "sigma_squared": str(self.sigma_squared), "sensitivity_squared": str(self.sensitivity_squared),
                "dimension": self.dimension, "clients": self.clients,
            }
        if self.epsilon is not None:
            row["epsilon"] = str(self.epsilon)
        return row


@dataclass(frozen=True)
class Book:
    """The contents of a ledger: the limit, the accounting, and the charges."""

    limit: tuple[Fraction | None, Fraction | None, Fraction | None]
    """ρ, or ε and δ, or ε alone."""
    accounting: str
    """``zcdp``, ``exact``, or ``pure`` for ε alone."""
    charges: tuple[Charge, ...] = ()
    origin: str = field(default_factory=lambda: os.urandom(16).hex())
    """Random digits, in which two ledgers of one limit differ."""

    @cached_property
    def rho(self) -> Fraction:
        """The ρ that is spent."""
        return sum((c.rho for c in self.charges), Fraction(0))

    @cached_property
    def distance(self) -> Fraction:
        """The statistical distances that are spent."""
        return sum((c.distance for c in self.charges), Fraction(0))

    @cached_property
    def epsilon(self) -> Fraction | None:
        """The ε that is spent, by basic composition; ``None`` if a release is not ε-DP."""
        return sum((c.epsilon or Fraction(0) for c in self.charges), Fraction(0)) if all(c._is_pure for c in self.charges) else None

    def with_charge(self, charge: Charge) -> Book:
        """The book with one more release."""
        book = replace(self, charges=(*self.charges, charge))
        pure = self.epsilon + charge.epsilon if self.epsilon is not None and charge._is_pure and charge.epsilon is not None else None
        # Neither the totals nor the chain are computed anew.
        head = chained(self.last, charge._row())
        book.__dict__.update(rho=self.rho + charge.rho, distance=self.distance + charge.distance, epsilon=pure, last=head)
        return book

    def _limit(self) -> dict[str, str]:
        return {name: str(value) for name, value in zip(("rho", "epsilon", "delta"), self.limit, strict=True) if value is not None}

    @cached_property
    def last(self) -> str:
        """Returns the head of the hash chain after all releases."""
        return self.head(len(self.charges))

    def head(self, count: int) -> str:
        """Returns the head of the hash chain after so many releases. The chain begins with limit, accounting and origin."""
        head = chained(_FORMAT, self._limit(), self.accounting, self.origin)
        for charge in self.charges[:count]:
            head = chained(head, charge._row())
        return head

    def opening(self) -> dict[str, Any]:
        """Returns the fields that precede the releases in JSON."""
        return {"format": _FORMAT, "limit": self._limit(), "accounting": self.accounting, "origin": self.origin}

    def text(self) -> str:
        """The book as JSON, with the totals and the head of its chain."""
        rows, spent = [charge._row() for charge in self.charges], {"rho": str(self.rho), "distance": str(self.distance)}
        return json.dumps(self.opening() | {"releases": rows, "spent": spent, "head": self.last}, indent=1)


def chained(*parts: object) -> str:
    """Returns the hash of these values: a head of the chain."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


_STRANGE = (KeyError, TypeError, AttributeError)
Fault = Callable[[str], ValueError]


def parsed(text: str, fault: Fault) -> Any:
    """Returns the value of a JSON text."""
    try:
        return json.loads(text)
    except RecursionError:
        raise fault("expected a saved samplez.dp.Budget, found JSON in too many brackets") from None
    except (TypeError, ValueError) as error:
        raise fault(f"expected a saved samplez.dp.Budget, found {type(error).__name__} {error}") from None


def book_of(data: Any, rows: Any, fault: Fault) -> Book:
    """Returns the book of an opening and of rows of releases."""
    try:
        form, given = data["format"], data.get("limit")
    except _STRANGE as error:
        raise fault(f"expected a saved samplez.dp.Budget, found {type(error).__name__} {error}") from None
    if form != _FORMAT:
        raise fault(f"expected the format {_FORMAT}, found {form}")
    try:
        limit = (
            positive("rho", given["rho"]) if "rho" in given else None,
            positive("epsilon", given["epsilon"]) if "epsilon" in given else None,
            probability("delta", given["delta"]) if "delta" in given else None,
        )
        accounting, origin = data["accounting"], data["origin"]
        charges = tuple(charge_of(row, place) for place, row in enumerate(rows))
    except _STRANGE as error:
        raise fault(f"expected a saved samplez.dp.Budget, found {type(error).__name__} {error}") from None
    except ValueError as error:
        raise fault(str(error)) from None
    forms = {"rho": ("zcdp",), "epsilon, delta": ("zcdp", "exact"), "epsilon": ("pure",)}
    names = ", ".join(name for name, value in zip(("rho", "epsilon", "delta"), limit, strict=True) if value is not None)
    if accounting not in forms.get(names, ()) or not isinstance(origin, str):
        raise fault("expected a limit of rho, of epsilon and delta, or of epsilon alone, and its accounting")
    return Book(limit, accounting, charges, origin)


def read(text: str, label: str) -> Book:
    """The book of a text. Raises `ValueError` where the text is none, or a number differs from its recomputation. The `label` begins the error."""

    def fault(what: str) -> ValueError:
        return ValueError(f"{label}: {what}; restore the file from a backup")

    data = parsed(text, fault)
    try:
        rows, spent, head = data["releases"], data["spent"], data["head"]
        totals = positive_or_zero(spent["rho"]), positive_or_zero(spent["distance"])
    except _STRANGE as error:
        raise fault(f"expected a saved samplez.dp.Budget, found {type(error).__name__} {error}") from None
    except ValueError as error:
        raise fault(str(error)) from None
    book = book_of(data, rows, fault)
    if totals != (book.rho, book.distance):
        raise fault(f"spent rho = {totals[0]}, distance = {totals[1]}: expected {book.rho} and {book.distance}, the sums over the releases")
    if head != book.last:
        raise fault(f"head = {head}: expected {book.last}, the chain of limit and releases")
    return book


def positive_or_zero(value: object) -> Fraction:
    """A total of a file."""
    return nonnegative("spent", value)


def charge_of(row: dict[str, Any], place: int) -> Charge:
    """Returns the charge of a row. Raises as `checked`, and `KeyError`."""
    charge = Charge(row["rho"], distance=row["distance"], epsilon=row.get("epsilon"))
    if "sigma_squared" in row:
        noise = {name: row[name] for name in ("sigma_squared", "sensitivity_squared", "dimension", "clients")}
        charge = replace(charge, **noise)
    try:
        return checked(charge)
    except ValueError as error:
        raise ValueError(f"release {place}: {error}") from None


def checked(charge: Charge) -> Charge:
    """The charge, its numbers as fractions. Raises `TypeError` and `ValueError` if a ledger may not hold it: for a number out of its range, or
    for a ρ that differs from its recomputation."""
    if not isinstance(charge, Charge):
        raise mistyped("charge", charge, "a samplez.dp.Charge")
    rho, distance = positive("rho", charge.rho), nonnegative("distance", charge.distance)
    if distance > 1:
        raise wrong("distance", charge.distance, "a number from 0 to 1")
    epsilon = None if charge.epsilon is None else positive("epsilon", charge.epsilon)
    if charge.sigma_squared is None and charge.sensitivity_squared is None:
        for name, value in (("dimension", charge.dimension), ("clients", charge.clients)):
            if whole(name, value, 1, 2**63 - 1) != 1:
                raise ValueError(f"{name} = {value}: expected 1 without discrete Gaussian noise; leave it out, or give sigma_squared and sensitivity_squared")
        if epsilon is not None and rho != epsilon**2 / 2:
            raise ValueError(f"rho = {shown(rho)}: expected {shown(epsilon**2 / 2)} for its epsilon")
        return Charge(rho, distance=distance, epsilon=epsilon)
    if charge.sensitivity_squared is None:
        raise ValueError(f"sigma_squared = {charge.sigma_squared}: expected sensitivity_squared with it; give both, or leave both out")
    if charge.sigma_squared is None:
        raise ValueError(f"sensitivity_squared = {charge.sensitivity_squared}: expected sigma_squared with it; give both, or leave both out")
    if epsilon is not None:
        raise ValueError(f"epsilon = {shown(epsilon)}: expected no epsilon with sigma_squared; leave one of them out")
    s2, query = positive("sigma_squared", charge.sigma_squared), query_of(None, charge.sensitivity_squared, charge.dimension, charge.clients)
    if rho != rho_of_noise(query, s2):
        raise ValueError(f"rho = {shown(rho)}: expected {shown(rho_of_noise(query, s2))} for its sensitivity and noise")
    return Charge(rho, distance=distance, sigma_squared=s2, sensitivity_squared=query.squared, dimension=query.dimension, clients=query.clients)
