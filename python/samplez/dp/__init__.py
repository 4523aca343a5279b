"""Differential privacy with integer noise: discrete Gaussian [CKS20], discrete Laplace, staircase and Skellam, their accounting, and a budget.

No floating-point number touches the noise or its parameters: a float below 2^53 stands for the shortest decimal that reads
back as it. Guarantees are rounded to the safe side: ρ is a fraction, and δ is an upper bound.

The limits of the protection:

- The *values* of the release. The guarantee is for integer queries of the stated sensitivity under the stated neighbouring relation;
  bounding the sensitivity (by clipping) is the caller's duty.
- The *time* that drawing takes: it does not depend on the noise. The samplers are exact, and constant-time or isochronous. NumPy assembles
  staircase noise, without a branch on it. Python's work on the values before and after is the caller's affair.
- Not *memory*: values and noise are not wiped.
- Floats are refused: rounding them to integers can change the sensitivity, and is the caller's decision.
- Seeds are for tests. Noise under a known seed protects nothing.
- Releases add up. A `Plan` accounts for releases that are fixed in advance, also of Poisson samples. A `Budget` rejects a release that would
  exceed it. The sampling itself, and its secrecy, is the caller's affair.

[CKS20] C. Canonne, G. Kamath, T. Steinke: The Discrete Gaussian for Differential Privacy.
"""

from samplez.dp._accounting import delta, delta_of_rho, epsilon, epsilon_of_rho, rho, sigma_squared
from samplez.dp._budget import Budget, BudgetExceeded
from samplez.dp._ledger import Charge
from samplez.dp._mechanisms import Release, discrete_gaussian_mechanism, discrete_laplace_mechanism
from samplez.dp._plan import Bounds, Plan
from samplez.dp._skellam_noise import skellam_mechanism, skellam_variance
from samplez.dp._staircase import staircase_mechanism

__all__ = [
    "Bounds",
    "Budget",
    "BudgetExceeded",
    "Charge",
    "Plan",
    "Release",
    "delta",
    "delta_of_rho",
    "discrete_gaussian_mechanism",
    "discrete_laplace_mechanism",
    "epsilon",
    "epsilon_of_rho",
    "rho",
    "sigma_squared",
    "skellam_mechanism",
    "skellam_variance",
    "staircase_mechanism",
]
