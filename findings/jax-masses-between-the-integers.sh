#!/usr/bin/env bash
# JAX 0.10.2 beside SciPy 1.17.1 (2026-11-30).
# Guess: the mass functions of discrete laws in jax.scipy.stats are 0 between the integers, as SciPy's are.
# Seen: Poisson has 0 there. Binomial, negative binomial, beta-binomial, geometric and Bernoulli laws have a positive mass,
# the smooth formula. Two coins have 0.42 at 1.5.
# A user meets it on a likelihood of data divided or shifted by a fraction: it is finite where it should be zero.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6 scipy==1.17.1

cat >"$tmp/look.py" <<'PYTHON'
import jax.scipy.stats
import scipy.stats

LAWS = {
    "bernoulli": (0.5, (0.5,)),
    "betabinom": (1.5, (10, 2.0, 3.0)),
    "binom": (1.5, (2, 0.5)),
    "geom": (1.5, (0.5,)),
    "nbinom": (1.5, (5.0, 0.5)),
    "poisson": (1.5, (3.0,)),
}
for name, (point, parameters) in LAWS.items():
    masses = (getattr(package.stats, name).pmf(point, *parameters) for package in (jax.scipy, scipy))
    print(name, "at", point, "JAX {:.3f} SciPy {:.3f}".format(*map(float, masses)))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
bernoulli at 0.5 JAX 0.500 SciPy 0.000
betabinom at 1.5 JAX 0.110 SciPy 0.000
binom at 1.5 JAX 0.424 SciPy 0.000
geom at 1.5 JAX 0.354 SciPy 0.000
nbinom at 1.5 JAX 0.100 SciPy 0.000
poisson at 1.5 JAX 0.000 SciPy 0.000
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
