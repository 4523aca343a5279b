"""The first answer of plans and calibrations, beside `dp_accounting` in the same rounds where it has the same function.

    make bench BENCH=python

The times are the process's processor time, the best of the rounds, with empty caches. `dp_accounting` uses its default interval of 10^-4.
"""

import gc
import sys
import time
from collections.abc import Callable
from functools import partial

from dp_accounting.pld import privacy_loss_distribution as pld

from samplez import dp

ROUNDS = 3


def forget() -> None:
    """Empties the caches of `samplez.dp`."""
    for name, module in list(sys.modules.items()):
        if name.startswith("samplez.dp."):
            for value in vars(module).values():
                getattr(value, "cache_clear", int)()


def seconds(run: Callable[[], object]) -> float:
    """The processor time of one first call."""
    forget()
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def peer(sigma: float, rate: float, releases: int) -> Callable[[], object]:
    """The ε for δ = 10^-6 by `dp_accounting`."""
    return lambda: pld.from_discrete_gaussian_mechanism(sigma, sampling_prob=rate).self_compose(releases).get_epsilon_for_delta(1e-6)


def main() -> None:
    rows: list[tuple[str, Callable[[], object], Callable[[], object] | None]] = [
        ("`epsilon` of 10 releases, σ² = 179", lambda: dp.Plan(sigma_squared=179, releases=10).epsilon("1e-6"), peer(179**0.5, 1.0, 10)),
    ]
    for variance, rate, releases in ((1, "1/100", 10), (1, "1/100", 1000), (1, "1/10000", 100_000), (10_000, "1/10", 100), (10**6, "1/10", 100)):
        plan = dp.Plan(sigma_squared=variance, sampling_rate=rate, releases=releases)
        top, bottom = rate.split("/")
        other = peer(variance**0.5, int(top) / int(bottom), releases)
        rows.append((f"`epsilon` of {releases} samples at rate {rate}, σ² = {variance}", partial(plan.epsilon, "1e-6"), other))
    for epsilon, rate, releases in (("1", "1/100", 1000), ("1", "1/10", 10), ("1/10", "1/10", 1000)):
        rows.append((
            f"`sigma_squared` for ε = {epsilon}, {releases} samples at rate {rate}",
            partial(dp.sigma_squared, epsilon=epsilon, delta="1e-6", sampling_rate=rate, releases=releases),
            None,
        ))
    print("| δ = 10^-6 | ours, ms | `dp_accounting`, ms |\n|---|---|---|")
    for name, ours, theirs in rows:
        times = [(seconds(ours), seconds(theirs) if theirs else float("nan")) for _ in range(ROUNDS)]
        mine, other = (1000 * min(taken) for taken in zip(*times, strict=True))
        print(f"| {name} | {mine:.0f} | {f'{other:.0f}' if theirs else ''} |")


main()
