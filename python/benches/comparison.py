"""Other libraries' discrete Gaussians beside ours: what law each samples, and how fast.

    python benches/comparison.py [--samplez PROGRAM] [--write ../benches/RESULTS.md]

Contestants take turns in rounds, and medians of the thread's processor time are told, of arrays of int64. The law of each is judged by
`samplez verify` (PROGRAM, or the one on the path), on as many integers as it makes in some seconds. One that is not installed is left out, and
said so. With --write the table replaces the one that stands in the page.
"""

import argparse
import datetime
import json
import math
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import numpy.typing as npt

import samplez

Draw = Callable[[int], npt.NDArray[np.int64]]
SIGMAS = ["0.5", "3.2", "215"]
ROUNDS = 7
MARKERS = ("<!-- measured: python/benches/comparison.py -->", "<!-- /measured -->")


def ours(sigma: str, constant_time: bool = False, variable_time: bool = False) -> Draw | None:
    """None where an option chooses the default's method."""
    g = samplez.DiscreteGaussian(sigma, constant_time=constant_time, variable_time=variable_time)
    if (constant_time or variable_time) and g.method == samplez.DiscreteGaussian(sigma).method:
        return None
    source = samplez.Source("chacha20")
    return lambda n: g.sample(n, rng=source)


def numpy_rounded(sigma: str) -> Draw:
    rng = np.random.default_rng()
    return lambda n: np.rint(rng.normal(0, float(sigma), n)).astype(np.int64)


def scipy_discrete(sigma: str) -> Draw:
    """As one writes it: values and weights up to 14σ, normalised in doubles; drawn by inversion of a double."""
    import scipy.stats

    s = float(sigma)
    xs = np.arange(-math.ceil(14 * s), math.ceil(14 * s) + 1)
    weights = np.exp(-(xs**2) / (2 * s * s))
    law = scipy.stats.rv_discrete(values=(xs, weights / weights.sum()))
    rng = np.random.default_rng()
    return lambda n: law.rvs(size=n, random_state=rng).astype(np.int64)


def scipy_guide_table(sigma: str) -> Draw:
    """The same weights, drawn through a table of where to begin."""
    from scipy.stats.sampling import DiscreteGuideTable

    s = float(sigma)
    end = math.ceil(14 * s)
    xs = np.arange(-end, end + 1)
    weights = np.exp(-(xs**2) / (2 * s * s))
    law = DiscreteGuideTable(weights / weights.sum(), random_state=np.random.default_rng())
    return lambda n: (law.rvs(n) - end).astype(np.int64)


def opendp_gaussian(sigma: str) -> Draw:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T=float)
    measure = dp.m.make_gaussian(*space, scale=float(sigma))
    return lambda n: np.array(measure([0] * n), dtype=np.int64)


def sage_dgs(sigma: str) -> Draw:
    """dgs, through Sage: a call from Python for each sample."""
    from sage.stats.distributions.discrete_gaussian_integer import DiscreteGaussianDistributionIntegerSampler

    draw = DiscreteGaussianDistributionIntegerSampler(float(sigma))
    return lambda n: np.array([int(draw()) for _ in range(n)], dtype=np.int64)


def contestants(sigma: str) -> list[tuple[str, str, Draw]]:
    """Name, package and what draws, of those that are installed."""
    found: list[tuple[str, str, Draw]] = []
    makers: list[tuple[str, str, Callable[[str], Draw | None]]] = [
        ("samplez, the default", "samplez", ours),
        ("samplez, constant time", "samplez", lambda s: ours(s, constant_time=True)),
        ("samplez, variable time", "samplez", lambda s: ours(s, variable_time=True)),
        ("`rint(rng.normal(…))`", "numpy", numpy_rounded),
        ("`rv_discrete(values=…)`", "scipy", scipy_discrete),
        ("`DiscreteGuideTable`", "scipy", scipy_guide_table),
        ("`make_gaussian` over integers", "opendp", opendp_gaussian),
        ("dgs by Sage, a call a sample", "passagemath-modules", sage_dgs),
    ]
    for name, package, make in makers:
        try:
            if draw := make(sigma):
                found.append((name, f"{package} {version(package)}", draw))
        except PackageNotFoundError:
            print(f"{package} is not installed", file=sys.stderr)
    return found


def seconds(draw: Draw, n: int) -> float:
    """Of a second draw of n, so that none pays for the caches and pages of the sampler before it."""
    draw(n)
    begin = time.thread_time()
    draw(n)
    return time.thread_time() - begin


def judged(program: str, draw: Draw, n: int, sigma: str) -> str:
    """The verdict of `samplez verify`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.npy"
        np.save(path, draw(n))
        run = subprocess.run([program, "verify", str(path), "--sigma", sigma, "--json"], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise SystemExit(run.stderr)
    return "consistent" if json.loads(run.stdout)["consistent"] else "**rejected**"


def figure(x: float) -> str:
    """Three digits, without an exponent."""
    return f"{float(f'{x:.3g}'):,.{max(0, 2 - math.floor(math.log10(x)))}f}"


def table(rows: list[tuple[str, ...]]) -> str:
    """A line for each sampler, from rows of σ, sampler, package, million/s, how many times ours is as fast, integers judged, and verdict."""
    lines = [f"| sampler | package | {' | '.join(f'σ = {sigma}' for sigma in SIGMAS)} | verdict, of integers |", "|---" * (len(SIGMAS) + 3) + "|"]
    for name, package in dict.fromkeys(row[1:3] for sigma in reversed(SIGMAS) for row in rows if row[0] == sigma):
        of = {row[0]: row[3:] for row in rows if row[1:3] == (name, package)}
        speeds = [f"{of[sigma][0]} ({of[sigma][1]})" if sigma in of else "–" for sigma in SIGMAS]
        groups: dict[tuple[str, str], list[str]] = {}
        for sigma, (_, _, power, verdict) in of.items():
            groups.setdefault((verdict, power), []).append(sigma)
        verdicts = [f"{verdict}, {power}" + (f", at σ = {' and '.join(at)}" if len(groups) > 1 else "") for (verdict, power), at in groups.items()]
        lines.append(f"| {name} | {package} | {' | '.join(speeds)} | {'; '.join(verdicts)} |")
    return "\n".join(lines) + "\n"


def measure(program: str) -> str:
    rows: list[tuple[str, ...]] = []
    for sigma in SIGMAS:
        all_of = contestants(sigma)
        counts: list[int] = []
        times: list[list[float]] = [[] for _ in all_of]
        for _, _, draw in all_of:
            pilot = max(seconds(draw, 2000), 1e-6)
            counts.append(int(min(max(2000 * 0.05 / pilot, 2000), 2_000_000)))
        for _ in range(ROUNDS):
            for (_, _, draw), count, found in zip(all_of, counts, times, strict=True):
                found.append(seconds(draw, count) / count)
        medians = [statistics.median(found) for found in times]
        for (name, package, draw), each in zip(all_of, medians, strict=True):
            n = int(10 ** math.floor(math.log10(min(max(3 / each, 1e5), 1e7))))
            power = f"10^{round(math.log10(n))}"
            rows.append((sigma, name, package, figure(1e-6 / each), figure(each / medians[0]), power, judged(program, draw, n, sigma)))
            print(*rows[-1], file=sys.stderr, flush=True)
    when = (
        f"\n{datetime.date.today()}, {platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}, other work on the machine: the ratios count. "
        "`python benches/comparison.py` in python/.\n"
    )
    return table(rows) + when


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samplez", default="samplez")
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    written = measure(arguments.samplez)
    print(written)
    if arguments.write:
        page = arguments.write.read_text(encoding="utf-8")
        pattern = re.compile(f"{re.escape(MARKERS[0])}.*?{re.escape(MARKERS[1])}", re.DOTALL)
        if not pattern.search(page):
            raise SystemExit(f"{arguments.write}: no place for the table")
        arguments.write.write_text(pattern.sub(lambda _: f"{MARKERS[0]}\n\n{written}\n{MARKERS[1]}", page), encoding="utf-8")


if __name__ == "__main__":
    main()
