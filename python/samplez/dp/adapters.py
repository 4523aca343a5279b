"""Adapters for other libraries of differential privacy. Each imports its library when it is called.

No function of this module works without the library that it names: ``pip install opendp`` or ``pip install dp-accounting``.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate
from typing import Any

from samplez._extras import library
from samplez._numbers import Number, mistyped, whole
from samplez._recipe import suggests
from samplez.dp._accounting import noise_with
from samplez.dp._arguments import nonnegative, positive, representable, stated
from samplez.dp._plan import Plan

__all__ = ["dp_accounting_pld", "opendp_measurement"]


@suggests
def opendp_measurement(*, sigma_squared: Number | None = None, sigma: Number | None = None, vector: bool = False) -> Any:
    """Builds an OpenDP measurement that adds discrete Gaussian noise of this library to integers.

    The input is an ``i64``, with the absolute distance, or with ``vector=True`` a list of them, with the L2 distance. The output measure is
    zero-concentrated divergence: the privacy map returns d²/(2σ²), rounded up. The noise is exact, and its time does not depend on it.
    OpenDP requires its features ``contrib`` and ``honest-but-curious``. Results are Python integers of any size.

    Raises `ImportError` without the package ``opendp``.
    """
    opendp = library("opendp.prelude", "opendp_measurement", "opendp")
    s2 = representable(stated(sigma_squared, sigma, None, Fraction(1)))
    noise = noise_with(s2)

    def one(value: int) -> int:
        return int(value) + int(noise.sample())

    def several(values: list[int]) -> list[int]:
        return [int(value) + int(draw) for value, draw in zip(values, noise.sample(len(values)), strict=True)]

    def cost(distance: float) -> float:
        exact = nonnegative("d_in", Fraction(distance)) ** 2 / (2 * s2)
        return float(exact) if Fraction(float(exact)) >= exact else math.nextafter(float(exact), math.inf)

    atoms = opendp.atom_domain(T="i64")
    return opendp.m.make_user_measurement(
        input_domain=opendp.vector_domain(atoms) if vector else atoms,
        input_metric=opendp.l2_distance(T="f64") if vector else opendp.absolute_distance(T="f64"),
        output_measure=opendp.zero_concentrated_divergence(),
        function=several if vector else one,
        privacy_map=cost,
    )


@suggests
def dp_accounting_pld(plan: Plan, *, interval: Number = "1e-4", points: int = 200) -> Any:
    """Builds a ``PrivacyLossDistribution`` of dp_accounting that dominates a plan.

    It is pessimistic: its δ is at least the plan's upper bound, up to the rounding of dp_accounting's doubles. It connects the plan's δ at
    so many `points`, which are multiples of the `interval` of dp_accounting's grid. More points make it closer, and take longer.

    The plan may have releases of any kind: Gaussian, discrete Laplace and Skellam noise, samples, ε-DP mechanisms, and sums of plans.

    Raises `ImportError` without the package ``dp-accounting``, `TypeError` for anything but a plan, and `ValueError` for a plan without an upper bound below 1.
    """
    if not isinstance(plan, Plan):
        raise mistyped("plan", plan, "a samplez.dp.Plan")
    pmfs = library("dp_accounting.pld.pld_pmf", "dp_accounting_pld", "dp-accounting")
    losses = library("dp_accounting.pld.privacy_loss_distribution", "dp_accounting_pld", "dp-accounting")
    step, count = positive("interval", interval), whole("points", points, 8, 10**5)
    # Up to where δ is about 10^-17, which is below the precision of the doubles.
    rho = float(plan._guess())
    reach = rho + math.sqrt(4 * rho * 40) + 1e-3
    if any(source.rate < 1 or source.kind == "skellam" for source in plan._sources):
        # ρ is without the sampling, and no bound for Skellam noise. Any reach is allowed, so this takes few steps.
        while plan.delta(Fraction(reach) / 2).upper < 1e-15:
            reach /= 2
    if plan.delta(Fraction(reach)).upper >= 1:
        raise ValueError(f"plan = {plan!r}: has no upper bound of δ below 1; leave out the vectors and clients beside its Skellam releases")
    stride = max(math.ceil(2 * reach / float(step) / count), 1)
    last = -(-math.ceil(reach / float(step)) // stride)
    # δ falls in ε, so a bound at a smaller ε holds too.
    upper = list(accumulate((Fraction(plan.delta(step * stride * i).upper) for i in range(last + 1)), min))
    deltas = [float(upper[i]) for i in range(last + 1)]
    # The larger δ of both directions has the symmetry δ(-ε) = 1 - e^-ε (1 - δ(ε)), rounded up.
    below = [min(1.0, -math.expm1(-float(step * stride * i)) + math.exp(-float(step * stride * i)) * deltas[i] + 2.0**-52) for i in range(last, 0, -1)]
    pmf = pmfs.create_pmf_pessimistic_connect_dots(float(step), [stride * i for i in range(-last, last + 1)], [*below, *deltas])
    return losses.PrivacyLossDistribution(pmf)
