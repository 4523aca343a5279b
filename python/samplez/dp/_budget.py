"""A ledger of what releases cost together."""

from __future__ import annotations

import os
import threading
from fractions import Fraction
from typing import NoReturn

from samplez._numbers import Number
from samplez.dp._accounting import rho_of
from samplez.dp._arguments import guarantee, nonnegative, positive
from samplez.dp._zcdp import with_distance, zcdp_delta


class BudgetExceeded(ValueError):
    """A release would cost more than is left. It was not made, and the budget is what it was."""


class Budget:
    """What releases about the same people may cost together: a `rho`, or an `epsilon` and a `delta`.

    Costs add up, also if a release is chosen by what earlier ones told: ρ (composition of zCDP) and the statistical distances of
    the samplers. Give it to the mechanisms as ``budget=``, which spend before they draw. `spend` is for other mechanisms.

    What would exceed the budget raises `BudgetExceeded`, and changes nothing. Safe to share between threads: looking and spending is
    one step. It is not copied or pickled, and refuses to spend in a process forked after it was made: two copies would each spend all.

    >>> budget = Budget(epsilon=1, delta="1e-6")
    >>> release = samplez.dp.discrete_gaussian_mechanism([120, 7], 1, rho="0.005", budget=budget)
    >>> budget.rho, budget.remaining() > 0, budget.delta(1) < 1e-6
    (Fraction(1, 200), True, True)
    >>> samplez.dp.discrete_gaussian_mechanism([120, 7], 1, rho="0.5", budget=budget)
    Traceback (most recent call last):
    ...
    samplez.dp._budget.BudgetExceeded: rho = 1/2: is more than is left of the budget
    """

    __slots__ = ("_distance", "_limit", "_lock", "_process", "_rho")

    def __init__(self, *, rho: Number | None = None, epsilon: Number | None = None, delta: Number | None = None) -> None:
        self._limit = guarantee(rho, epsilon, delta)
        self._rho, self._distance = Fraction(0), Fraction(0)
        self._lock, self._process = threading.Lock(), os.getpid()

    @property
    def rho(self) -> Fraction:
        """The ρ that is spent."""
        return self._rho

    @property
    def distance(self) -> Fraction:
        """The statistical distances that are spent: all releases together are within it of what is ρ-zCDP."""
        return self._distance

    def spend(self, rho: Number, distance: Number = 0) -> None:
        """Takes a release's cost: its ρ, and the statistical distance of its noise from the ideal, of all coordinates together.

        An ε-DP release costs ε²/2. Raises `BudgetExceeded`.

        >>> budget = Budget(rho=1)
        >>> budget.spend("1/3")
        >>> budget.remaining()
        Fraction(2, 3)
        """
        cost, apart = positive("rho", rho), nonnegative("distance", distance)
        if self._process != os.getpid():
            raise RuntimeError("this samplez.dp.Budget was made before the process forked, and would be spent twice")
        with self._lock:
            spent, off = self._rho + cost, self._distance + apart
            if not self._allows(spent, off):
                raise BudgetExceeded(f"rho = {cost}: is more than is left of the budget")
            self._rho, self._distance = spent, off

    def _allows(self, rho: Fraction, distance: Fraction) -> bool:
        limit, epsilon, delta = self._limit
        if limit is not None:
            return rho <= limit
        assert epsilon is not None and delta is not None
        return with_distance(zcdp_delta(rho, epsilon), epsilon, distance) <= delta

    def remaining(self) -> Fraction:
        """A ρ that may still be spent; within 2^-20 of the largest total, if the budget is an ε and a δ."""
        limit, epsilon, delta = self._limit
        with self._lock:
            spent, distance = self._rho, self._distance
        if limit is None:
            assert epsilon is not None and delta is not None
            # with_distance rounds up: what it takes is taken off δ.
            left = delta - Fraction(with_distance(0.0, epsilon, distance)) * (1 + Fraction(1, 2**40))
            limit = rho_of(epsilon, left * (1 - Fraction(1, 2**40))) if left > 0 else Fraction(0)
        return max(limit - spent, Fraction(0))

    def delta(self, epsilon: Number) -> float:
        """A δ for which all that was spent is (ε, δ)-DP together."""
        with self._lock:
            spent, distance = self._rho, self._distance
        e = nonnegative("epsilon", epsilon)
        return with_distance(zcdp_delta(spent, e), e, distance) if spent else 0.0

    def __repr__(self) -> str:
        limit, epsilon, delta = self._limit
        said = f"rho={limit}" if limit is not None else f"epsilon={epsilon}, delta={delta}"
        return f"Budget({said}; rho {self._rho} spent)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a samplez.dp.Budget cannot be copied or pickled: two copies would each spend all of it")
