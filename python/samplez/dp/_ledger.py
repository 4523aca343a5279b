"""A budget's ledger: charges, their text, and the file that holds them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from samplez.dp._arguments import Query, nonnegative, positive, probability, query_of
from samplez.dp._zcdp import rho_of_noise

_FORMAT = "samplez.dp.Budget 1"


@dataclass(frozen=True)
class Charge:
    """One entry of a budget's ledger."""

    rho: Fraction
    """ρ of the release."""
    distance: Fraction
    """The statistical distance of its noise from the ideal."""
    sigma_squared: Fraction | None = None
    """σ² of discrete Gaussian noise; ``None`` for any other mechanism."""
    sensitivity_squared: Fraction | None = None
    """The square of the L2 sensitivity, for discrete Gaussian noise."""
    dimension: int = 1
    clients: int = 1
    epsilon: Fraction | None = None
    """ε of an ε-DP release, such as one with discrete Laplace noise."""

    def query(self) -> Query | None:
        """The query of discrete Gaussian noise."""
        if self.sigma_squared is None or self.sensitivity_squared is None:
            return None
        return Query(self.sensitivity_squared, self.dimension, self.clients)

    def row(self) -> dict[str, Any]:
        """The charge as JSON has it. Fractions are texts."""
        row: dict[str, Any] = {"rho": str(self.rho), "distance": str(self.distance)}
        if self.query() is not None:
            row |= {
                "sigma_squared": str(self.sigma_squared), "sensitivity_squared": str(self.sensitivity_squared),
                "dimension": self.dimension, "clients": self.clients,
            }
        if self.epsilon is not None:
            row["epsilon"] = str(self.epsilon)
        return row


@dataclass(frozen=True)
class Book:
    """The contents of a file: the limit, the accounting, and the charges."""

    limit: tuple[Fraction | None, Fraction | None, Fraction | None]
    accounting: str
    charges: tuple[Charge, ...]

    def text(self) -> str:
        """The book as JSON, with the totals."""
        names = ("rho", "epsilon", "delta")
        return json.dumps(
            {
                "format": _FORMAT,
                "limit": {name: str(value) for name, value in zip(names, self.limit, strict=True) if value is not None},
                "accounting": self.accounting,
                "releases": [charge.row() for charge in self.charges],
                "spent": {
                    "rho": str(sum((c.rho for c in self.charges), Fraction(0))),
                    "distance": str(sum((c.distance for c in self.charges), Fraction(0))),
                },
            },
            indent=1,
        )


def read(text: str, name: str) -> Book:
    """The book of a text. Raises `ValueError` where the text is none, or a number differs from its recomputation."""

    def fault(what: str) -> ValueError:
        return ValueError(f"path = {name}: {what}; restore the file from a backup")

    strange = (KeyError, TypeError, AttributeError, json.JSONDecodeError)
    try:
        data = json.loads(text)
        form, given = data["format"], data.get("limit")
    except strange as error:
        raise fault(f"expected a saved samplez.dp.Budget, found {type(error).__name__} {error}") from None
    if form != _FORMAT:
        raise fault(f"expected the format {_FORMAT}, found {form}")
    try:
        limit = (
            positive("rho", given["rho"]) if "rho" in given else None,
            positive("epsilon", given["epsilon"]) if "epsilon" in given else None,
            probability("delta", given["delta"]) if "delta" in given else None,
        )
        rows, spent, accounting = data["releases"], data["spent"], data["accounting"]
        charges = tuple(_charge(row) for row in rows)
        totals = positive_or_zero(spent["rho"]), positive_or_zero(spent["distance"])
    except strange as error:
        raise fault(f"expected a saved samplez.dp.Budget, found {type(error).__name__} {error}") from None
    except ValueError as error:
        raise fault(str(error)) from None
    if (limit[0] is None) == (limit[1] is None) or (limit[1] is None) != (limit[2] is None) or accounting not in ("zcdp", "exact"):
        raise fault("expected a limit of rho, or of epsilon and delta, and an accounting")
    for place, charge in enumerate(charges):
        query, s2 = charge.query(), charge.sigma_squared
        if query is not None and s2 is not None and charge.rho != rho_of_noise(query, s2):
            raise fault(f"release {place}: rho = {charge.rho}: expected {rho_of_noise(query, s2)} for its sensitivity and noise")
        if charge.epsilon is not None and charge.rho != charge.epsilon**2 / 2:
            raise fault(f"release {place}: rho = {charge.rho}: expected {charge.epsilon**2 / 2} for its epsilon")
    sums = sum((c.rho for c in charges), Fraction(0)), sum((c.distance for c in charges), Fraction(0))
    if totals != sums:
        raise fault(f"spent rho = {totals[0]}, distance = {totals[1]}: expected {sums[0]} and {sums[1]}, the sums over the releases")
    return Book(limit, accounting, charges)


def positive_or_zero(value: object) -> Fraction:
    """A total of a file."""
    return nonnegative("spent", value)


def _charge(row: dict[str, Any]) -> Charge:
    rho, distance = positive("rho", row["rho"]), nonnegative("distance", row["distance"])
    if "sigma_squared" not in row:
        return Charge(rho, distance, epsilon=positive("epsilon", row["epsilon"]) if "epsilon" in row else None)
    query = query_of(None, row["sensitivity_squared"], row["dimension"], row["clients"])
    return Charge(rho, distance, positive("sigma_squared", row["sigma_squared"]), query.squared, query.dimension, query.clients)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds the lock of a file, against other processes and threads, by a file beside it."""
    with open(f"{path}.lock", "a+b") as lock:
        if sys.platform == "win32":
            import msvcrt

            lock.seek(0)
            msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)
            try:
                yield
            finally:
                lock.seek(0)
                msvcrt.locking(lock.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def write(path: Path, text: str) -> None:
    """Replaces the file in one step, after its content has reached the disk."""
    fresh = Path(f"{path}.new")
    with open(fresh, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)
    if sys.platform != "win32":
        folder = os.open(path.resolve().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
