"""Discrete Gaussian sampling over the integers, D_{Z,σ,c}: exact or certified, fast, reproducible.

>>> import samplez
>>> g = samplez.DiscreteGaussian("3.2")
>>> noise = g.sample((1000, 1000), rng=1, dtype="int8")
>>> bool(abs(noise.std() - 3.2) < 0.02)
True

`samplez.stats` has the law for arrays of σ and c, and fits them. `samplez.dask` samples and verifies on a cluster, `samplez.dp` releases
integers with differential privacy, `samplez.lattice` draws vectors of lattices, and `samplez.schemes` has signatures and encryption for
research and teaching. Import them by name.
"""

from samplez import _native as _native  # the first: it says what is wrong where there is no native module
from samplez._arrays import round as round  # not in __all__, as it has a built-in's name
from samplez._arrays import round_methods, sample
from samplez._big import BigGaussian
from samplez._block import block
from samplez._certificate import Certificate
from samplez._finite import CenteredBinomial, FiniteLaw, Skellam, SparseTernary, TableSampler, Ternary, TUniform
from samplez._gaussian import DiscreteGaussian
from samplez._plan import MethodInfo, Plan, methods, plan
from samplez._random import BitGenerator, Source, SourceInfo, self_test, sources
from samplez._recipe import OptionInfo, Options, options
from samplez._residues import residues
from samplez._target import TargetLaw
from samplez._verify import Comparison, Verification, verify

__version__ = "0.1.0"

__all__ = [
    "BigGaussian",
    "BitGenerator",
    "CenteredBinomial",
    "Certificate",
    "Comparison",
    "DiscreteGaussian",
    "FiniteLaw",
    "MethodInfo",
    "OptionInfo",
    "Options",
    "Plan",
    "Skellam",
    "Source",
    "SourceInfo",
    "SparseTernary",
    "TUniform",
    "TableSampler",
    "TargetLaw",
    "Ternary",
    "Verification",
    "block",
    "methods",
    "options",
    "plan",
    "residues",
    "round_methods",
    "sample",
    "self_test",
    "sources",
    "verify",
]
