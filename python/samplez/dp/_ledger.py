"""A budget's ledger: charges, their text, and the file that holds them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from samplez._numbers import shown, whole
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
        charges = tuple(_charge(row, place) for place, row in enumerate(rows))
        totals = positive_or_zero(spent["rho"]), positive_or_zero(spent["distance"])
    except strange as error:
        raise fault(f"expected a saved samplez.dp.Budget, found {type(error).__name__} {error}") from None
    except ValueError as error:
        raise fault(str(error)) from None
    if (limit[0] is None) == (limit[1] is None) or (limit[1] is None) != (limit[2] is None) or accounting not in ("zcdp", "exact"):
        raise fault("expected a limit of rho, or of epsilon and delta, and an accounting")
    sums = sum((c.rho for c in charges), Fraction(0)), sum((c.distance for c in charges), Fraction(0))
    if totals != sums:
        raise fault(f"spent rho = {totals[0]}, distance = {totals[1]}: expected {sums[0]} and {sums[1]}, the sums over the releases")
    return Book(limit, accounting, charges)


def load(path: Path) -> Book:
    """The book of a file. Raises as `read`, and `OSError`."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"path = {path}: expected a saved samplez.dp.Budget, found bytes that are not UTF-8; restore the file from a backup") from None
    return read(text, str(path))


def positive_or_zero(value: object) -> Fraction:
    """A total of a file."""
    return nonnegative("spent", value)


def _charge(row: dict[str, Any], place: int) -> Charge:
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
        raise TypeError(f"charge: must be a samplez.dp.Charge, not {type(charge).__name__}")
    rho, distance = positive("rho", charge.rho), nonnegative("distance", charge.distance)
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
