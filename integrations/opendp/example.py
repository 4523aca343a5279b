"""OpenDP's noise over integers, replaced by samplez's in a measurement of OpenDP: distribution and speed before and after, in one run.

Usage: python example.py [CALLS]. Exits with 1 if an integer distribution is rejected, or if a planted fault is not.
"""

import sys
import time

import opendp.prelude as dp

import samplez

SCALE = 16.0  # a double that both libraries take as the same fraction
CALLS = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
SPACE = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)


# --- the glue: a measurement of OpenDP whose noise is samplez's -------------------------------------------------------------------
def make_samplez_gaussian(scale: float, source: samplez.Source) -> dp.Measurement:
    """D_Z of this scale on each component: rho = d_in²/(2 scale²), as OpenDP's `make_gaussian` over integers."""
    law = samplez.DiscreteGaussian(scale)
    return dp.m.make_user_measurement(
        *SPACE,
        output_measure=dp.zero_concentrated_divergence(),
        function=lambda xs: [x + e for x, e in zip(xs, law.sample(len(xs), rng=source).tolist())],
        privacy_map=lambda d_in: d_in * d_in / (2 * scale * scale),
    )
# ----------------------------------------------------------------------------------------------------------------------------------


def main() -> int:
    dp.enable_features("contrib", "honest-but-curious")
    zeros = [0] * 1000
    measurements = {
        "OpenDP": dp.m.make_gaussian(*SPACE, scale=SCALE),
        "samplez": make_samplez_gaussian(SCALE, samplez.Source()),
    }
    failed = False
    for name, measurement in measurements.items():
        loss = measurement.map(1.0)
        begin = time.process_time()
        noise = [x for _ in range(max(CALLS // 1000, 1)) for x in measurement(zeros)]
        rate = len(noise) / (time.process_time() - begin)
        verdict = samplez.verify(noise, samplez.DiscreteGaussian(SCALE))
        wrong = samplez.verify(noise, samplez.DiscreteGaussian(SCALE * 1.1))
        failed |= not verdict.consistent or wrong.consistent or abs(loss - 1 / (2 * SCALE**2)) > 1e-9
        print(f"{name:8} rho = {loss:.6f}, {len(noise)} integers, {rate:,.0f} a second, D_Z: {'consistent' if verdict.consistent else 'REJECTED'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
