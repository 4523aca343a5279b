"""Discrete Gaussian sampling over the integers, D_{Z,σ,c}: P(X = x) is proportional to exp(-(x-c)²/(2σ²)).

Describe a distribution, then fill NumPy arrays from a seed, from the operating system or from your own generator.

>>> import samplez
>>> g = samplez.DiscreteGaussian("3.2")  # 3.2 is 16/5, exactly; the planner chooses the method
>>> noise = g.sample((1000, 1000), rng=1, dtype="int8")  # the same seed gives the same integers in every language
>>> bool(abs(noise.std() - 3.2) < 0.02)
True
>>> samplez.sample([3.2, 100.0], center=[0.25, -7.5]).shape  # a σ and a centre for each sample
(2,)

| you need | use |
|---|---|
| samples of one distribution, its probabilities, quantiles and certificate | `DiscreteGaussian` |
| a σ, a centre or both for each sample | `sample`, `round` |
| σ or a centre beyond 64 bits | `BigGaussian` |
| bits from a named source, or NumPy's distributions over one | `Source`, `BitGenerator` |
| ternary, centred binomial, TUniform, Skellam, discrete Laplace or sparse ternary noise | `OtherNoise`, `SparseTernary` |
| a sampler over your own table | `TableSampler` |
| residues modulo q | `residues` |
| the distribution of samples | `identify` |
| tests of samples | `verify`, with a `TargetLaw` for rounded, cut and reduced laws |
| the choice of a method and its reason; methods, options and sources | `plan`, `methods`, `Options`, `sources` |
| blocks for the workers of a cluster; Dask arrays | `block`, `samplez.dask` |
| the law for arrays of σ and c, and its fit to samples | `samplez.stats` |
| releases of integers with differential privacy | `samplez.dp` |
| vectors of lattices, trapdoors | `samplez.lattice` |
| signatures and encryption, for research and teaching | `samplez.schemes` |

The modules are imported when they are first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

from samplez import _native as _native  # first: its error names the problem if there is no native module
from samplez._arrays import round as round  # not in __all__, as it has a built-in's name
from samplez._arrays import sample
from samplez._big import BigGaussian
from samplez._block import block
from samplez._certificate import Certificate
from samplez._finite import OtherNoise, SparseTernary, TableSampler
from samplez._gaussian import DiscreteGaussian
from samplez._identify import Identification, identify
from samplez._plan import MethodInfo, Plan, methods, plan
from samplez._random import BitGenerator, Source, SourceInfo, self_test, sources
from samplez._recipe import Options
from samplez._residues import residues
from samplez._target import TargetLaw
from samplez._verify import Verification, verify

if not TYPE_CHECKING:
    _NOISES = ("ternary", "centered_binomial", "tuniform", "skellam", "discrete_laplace")

    def __getattr__(name: str) -> Any:
        if name in ("dask", "dp", "lattice", "schemes", "stats"):
            return importlib.import_module(f"samplez.{name}")
        meant = importlib.import_module("samplez._samplez").way_out(name, _NOISES) or ""
        way = next((f"; write samplez.OtherNoise({noise}=...)" for noise in _NOISES if noise in meant), "")
        raise AttributeError(f"module 'samplez' has no attribute {name!r}{way}", name=name, obj=importlib.import_module("samplez"))


__version__ = "0.1.0"

__all__ = [
    "BigGaussian",
    "BitGenerator",
    "Certificate",
    "DiscreteGaussian",
    "Identification",
    "MethodInfo",
    "Options",
    "OtherNoise",
    "Plan",
    "Source",
    "SourceInfo",
    "SparseTernary",
    "TableSampler",
    "TargetLaw",
    "Verification",
    "block",
    "identify",
    "methods",
    "plan",
    "residues",
    "sample",
    "self_test",
    "sources",
    "verify",
]
