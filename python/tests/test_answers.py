"""A table of inputs, and the answer that each gets: every public function that takes numbers."""

import importlib
import math
import re
import typing
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from samplez import lattice, stats
from samplez.schemes import bliss, lp11, regev

# Of any type: much of what follows a type checker refuses, too.
samplez: Any = importlib.import_module("samplez")
importlib.import_module("samplez.dp")
G = samplez.DiscreteGaussian("3.2")
FAR = samplez.DiscreteGaussian(1000, center=2**62, method="karney")

ANSWERS: list[tuple[Any, Any]] = [
    # The law: integral floats, others, ends, and what has no place in 64 bits.
    (lambda: G.pmf(0.0), G.pmf(0)),
    (lambda: G.pmf(np.float32(2)), G.pmf(2)),
    (lambda: G.pmf(0.5), 0.0),
    (lambda: G.cdf(0.5), G.cdf(0)),
    (lambda: G.cdf(-0.5), G.cdf(-1)),
    (lambda: G.sf(1e300), 0.0),
    (lambda: G.cdf(2**70), 1.0),
    (lambda: G.cdf(-(2**70)), 0.0),
    (lambda: G.cdf(np.uint64(2**64 - 1)), 1.0),
    (lambda: G.pmf(2**63), 0.0),
    (lambda: G.logcdf(math.inf), 0.0),
    (lambda: G.logsf(math.inf), -math.inf),
    (lambda: G.logpmf(1e300), OverflowError("x: expected a value between -2^63 and 2^63 - 1, where logpmf does not end yet")),
    (lambda: G.logsf([0, 2**64]), OverflowError("where logsf does not end yet")),
    (lambda: G.pmf([]).shape, (0,)),
    (lambda: G.pmf([[1, 2.5], [math.nan, 0]]).shape, (2, 2)),
    (lambda: G.pmf("1"), TypeError("x = 1: expected a number, not str")),
    (lambda: G.pmf(True), TypeError("x = True: expected a number, not bool")),
    (lambda: G.pmf(None), TypeError("x = None: expected a number, not NoneType")),
    (lambda: G.pmf(1j), TypeError("x = 1j: expected a number, not complex")),
    (lambda: G.pmf(Fraction(1, 2)), 0.0),
    (lambda: FAR.cdf(2.0**62), pytest.approx(0.5, abs=1e-3)),
    (lambda: G.ppf(0.5), 0),
    (lambda: G.ppf(0), -math.inf),
    (lambda: G.ppf(1), math.inf),
    (lambda: math.isnan(G.ppf(1.5)), True),
    (lambda: math.isnan(G.isf(math.nan)), True),
    (lambda: G.isf(0.0), math.inf),
    (lambda: G.ppf([0.1, 0.9]).dtype, np.dtype(np.int64)),
    (lambda: G.ppf([0.1, 1]).dtype, np.dtype(np.float64)),
    (lambda: G.ppf([]).shape, (0,)),
    (lambda: G.ppf(["0.5", "x"]), TypeError("q[0] = 0.5: expected a number, not str")),
    (lambda: G.isf(False), TypeError("q = False: expected a number, not bool")),
    (lambda: G.interval(0), (0, 0)),
    (lambda: G.interval(1), (-math.inf, math.inf)),
    (lambda: [part.tolist() for part in G.interval([0.5, 0.95])], [[-2, -6], [2, 6]]),
    (lambda: G.interval(1.1), ValueError("confidence = 1.1: expected a value between 0 and 1")),
    (lambda: G.interval(math.nan), ValueError("confidence = nan: expected a value between 0 and 1")),
    (lambda: G.interval("0.5"), TypeError("confidence = 0.5: expected a number, not str")),
    (lambda: G.stats("sk"), (0.0, pytest.approx(0, abs=1e-50))),
    (lambda: G.stats("vm"), (0.0, 10.24)),
    (lambda: G.stats("x"), ValueError("moments = x: expected some of the letters m, v, s, k")),
    (lambda: G.stats(""), ValueError("moments = : expected some")),
    (lambda: G.stats(2), TypeError("moments = 2: expected a str, not int")),
    (lambda: G.moment(0), 1.0),
    (lambda: G.moment(3), 0.0),
    (lambda: G.moment(-1), ValueError("order = -1: expected a value between 0 and 32")),
    (lambda: G.moment(33), ValueError("order = 33: expected a value between 0 and 32")),
    (lambda: G.moment(1.5), TypeError("order = 1.5: expected an integer, not float")),
    (lambda: G.expect(3), TypeError("func = 3: expected a callable, not int")),
    (lambda: G.expect(lambda x: x * 1j), TypeError("func: expected a function that returns real numbers, not complex128")),
    (lambda: G.expect(lambda x: x[:3]), ValueError("could not be broadcast")),
    (lambda: G.expect(lb="0"), TypeError("lb = 0: expected a number, not str")),
    (lambda: G.expect(ub=math.nan), ValueError("ub = nan: expected a number")),
    (lambda: samplez.DiscreteGaussian(10**6).expect(), ValueError("values between them: expected at most 2^22; narrow lb and ub")),
    (lambda: samplez.DiscreteGaussian(10**6).expect(lb=-(10**5), ub=10**5), pytest.approx(0, abs=1e-6)),
    (lambda: G.entropy(base=1), ValueError("base = 1: expected a finite number above 1")),
    (lambda: G.entropy(base=math.inf), ValueError("base = inf: expected a finite number above 1")),
    (lambda: G.entropy(base="2"), TypeError("base = 2: expected a number, not str")),
    # Options that there are not.
    (lambda: samplez.DiscreteGaussian(3, colour="red"), TypeError("colour: there is no such keyword argument; expected one of sigma")),
    (lambda: samplez.plan(3, method="karney"), TypeError("method: there is no such keyword argument; expected one of sigma")),
    (lambda: G.sample(3, colour="red"), TypeError("colour: there is no such keyword argument; expected one of size, rng")),
    # Arrays of widths and centres.
    (lambda: samplez.sample([1.5, 2], center=[0, 1, 2]), ValueError("sigma, center: have shapes (2,) and (3,), which do not broadcast")),
    (lambda: samplez.sample([1.5, 2], center=0, size=3), ValueError("size = 3: sigma and center have shape (2,) together")),
    (lambda: samplez.sample([1.5, 2], center=0, size=()), ValueError("size = (): sigma and center have shape (2,) together")),
    (lambda: samplez.sample([1.5], center=0, size=-1), ValueError("size = -1")),
    (lambda: samplez.sample([10**400]), ValueError("sigma[0] = 1.000e+400: expected a number from 2^-60 to 2^57")),
    (lambda: samplez.sample([10**400], exact=True), ValueError("sigma[0] = 1.000e+400: expected a number from 2^-60 to 2^47")),
    (lambda: samplez.sample([3, 10**400], center="1/3"), ValueError("sigma[1] = 1.000e+400: expected a number from 2^-60 to 2^57")),
    (lambda: samplez.sample(10**400, center=[1.0, 2]), ValueError("sigma = 1.000e+400: expected a number from 2^-60 to 2^57")),
    (lambda: samplez.sample([Fraction(1, 10**300)]), ValueError("sigma[0] = 1.000e-300: expected a number from 2^-60 to 2^57")),
    (lambda: samplez.sample(sigma_squared=[10**400]), ValueError("sigma_squared[0] = 1.000e+400: expected a number up to 2^114")),
    (lambda: samplez.sample(10**400), ValueError("samplez.BigGaussian takes numbers of this size")),
    (lambda: samplez.sample([10**400], center=[10**400], dtype="int8"), ValueError("dtype = int8: the samples range from 1.000e+400")),
    (lambda: samplez.sample([1.5, 0.0]), ValueError("sigma[1] = 0.0: expected a number from 2^-60 to 2^57")),
    (lambda: samplez.sample([1.5, math.nan]), ValueError("sigma[1] = nan: expected a number from 2^-60 to 2^57")),
    (lambda: samplez.sample(3, center=[0, math.inf]), ValueError("center[1] = inf: expected a finite number")),
    (lambda: samplez.sample(-0.5, center=[0.0, 1.0]), ValueError("sigma = -0.5: expected a number from 2^-60 to 2^57")),
    (lambda: samplez.sample(math.nan, center=[0.0, 1.0]), ValueError("sigma = nan: expected a finite number")),
    (lambda: samplez.sample("abc", center=[0.0, 1.0]), ValueError("sigma = abc: ")),
    (lambda: samplez.sample(["1.5"], rng=1), samplez.round(["0"], sigma=["3/2"], method="strips", rng=1)),
    (lambda: abs(samplez.sample(3, center=[2**53 + 1])[0] - 2**53) < 60, True),
    (lambda: samplez.sample(3, center=[True]), TypeError("center[0] = True: expected a number, not bool")),
    (lambda: samplez.sample(3, center=[0.5], exact=1), TypeError("exact = 1: expected True or False, not int")),
    (lambda: samplez.sample(3, center=[True], exact=True), TypeError("center[0] = True: expected a number, not bool")),
    (lambda: samplez.sample(3, center=["1/0"], exact=True), ValueError("center[0] = 1/0: ")),
    (lambda: samplez.sample([3, 0], center=0, exact=True), ValueError("sigma[1] = 0: expected a number greater than 0")),
    (lambda: samplez.sample(3, center=[0.5], rng=1.5), TypeError("rng = 1.5: expected None, a seed")),
    (lambda: samplez.sample([], center=[]).shape, (0,)),
    (lambda: samplez.sample([[1.5], [2]], center=[0, 1, 2], size=(5, 2, 3)).shape, (5, 2, 3)),
    (lambda: samplez.sample(3, center=[1, 2], exact=True).dtype, np.dtype(np.int64)),
    (lambda: isinstance(samplez.sample(3), int), True),
    (lambda: samplez.sample(-1), ValueError("sigma = -1")),
    # Rounding.
    (lambda: samplez.round([1.5], sigma=3, method="dice"), ValueError("method = dice: expected one of auto, karney, strips")),
    (lambda: samplez.round([1.5], sigma=3, method=3), TypeError("method = 3: expected a str, not int")),
    (lambda: samplez.round([1.5], sigma=[3, 4.0], method="strips").shape, (2,)),
    (lambda: samplez.round([1.5, math.nan], sigma=3), ValueError("centers[1] = nan: expected a finite number")),
    (lambda: samplez.round([1.5, math.nan], sigma=3, method="strips"), ValueError("centers[1] = nan: expected a finite number")),
    (lambda: G.moment(n=2), TypeError("n: there is no such keyword argument; expected one of order; write order for the order of the moment")),
    (lambda: G.ppf(k=0.5), TypeError("k: there is no such keyword argument; expected one of q; write q for the probability")),
    (lambda: stats.ppf(k=0.5, sigma=3), TypeError("k: there is no such keyword argument; expected one of q, sigma, center; write q for the probability")),  # type: ignore[call-arg]
    (lambda: G.support(1), TypeError("support: expected no arguments; write support()")),
    (lambda: samplez.DiscreteGaussian(2**58, center=-(2**62)).ppf(1e-300), OverflowError("q = 1e-300: the quantile lies beyond 64 bits")),
    (lambda: G.sf(q=3), TypeError("q: there is no such keyword argument; expected one of x; write x for the point")),
    (lambda: G.rvs(5), AttributeError("'DiscreteGaussian' object has no attribute 'rvs'; write sample")),
    (lambda: G.pdf(0), AttributeError("'DiscreteGaussian' object has no attribute 'pdf'; write pmf")),
    (lambda: G.scale, AttributeError("'DiscreteGaussian' object has no attribute 'scale'; write sigma")),
    (lambda: G.colour, AttributeError("'DiscreteGaussian' object has no attribute 'colour'")),
    # Names of other libraries, as attributes of each class of distributions and as classes.
    (lambda: samplez.OtherNoise(ternary=True).rvs(5), AttributeError("'OtherNoise' object has no attribute 'rvs'; write sample")),
    (lambda: samplez.SparseTernary(9, weight=2).draw(), AttributeError("'SparseTernary' object has no attribute 'draw'; write sample")),
    (lambda: samplez.TableSampler([4, 2], "folded,tail,3", sigma=1).rvs(), AttributeError("'TableSampler' object has no attribute 'rvs'; write sample")),
    (lambda: samplez.BigGaussian(3).rvs(), AttributeError("'BigGaussian' object has no attribute 'rvs'; write sample")),
    (lambda: samplez.BigGaussian(3).pmf(0), AttributeError("'pmf'; samplez.DiscreteGaussian and samplez.TargetLaw have the functions of a distribution")),
    (lambda: samplez.TargetLaw(3).sample(5), AttributeError("'TargetLaw' object has no attribute 'sample'; samplez.DiscreteGaussian and samplez.OtherNoise draw samples")),
    (lambda: samplez.TargetLaw(3).rvs(5), AttributeError("'rvs'; samplez.DiscreteGaussian and samplez.OtherNoise draw samples")),
    (lambda: samplez.TargetLaw(3).pdf(0), AttributeError("'TargetLaw' object has no attribute 'pdf'; write pmf")),
    (lambda: samplez.Skellam(3), AttributeError("module 'samplez' has no attribute 'Skellam'; write samplez.OtherNoise(skellam=...)")),
    (lambda: samplez.CBD(3), AttributeError("module 'samplez' has no attribute 'CBD'; write samplez.OtherNoise(centered_binomial=...)")),
    (lambda: stats.pmf(0, s=3), TypeError("s: there is no such keyword argument; expected one of x, sigma, center; write sigma for σ, which is the number over sqrt(2π)")),  # type: ignore[call-arg]
    (lambda: samplez.lattice.Form([[1]], s=3), TypeError("expected one of basis, sigma, center; write sigma for σ, which is the number over sqrt(2π)")),
    (lambda: samplez.round([1.5], sigma_squared=3), TypeError("write sigma for σ, which is its square root")),
    (lambda: G.sample(3, loc=1), TypeError("out, source, first, threads, progress; the distribution states its centre and width, so leave it out")),
    (lambda: samplez.dp.Budget(std=1), TypeError("accounting, path, database, name")),
    (lambda: samplez.TableSampler([4, 2], "falcon", sigma="1.8"), ValueError("form = falcon: has no constant-time sampler: a half line has no signs; ")),
    (lambda: samplez.TargetLaw.from_recipe("sigma=1e30"), ValueError("the denominator at most 2^64-1; samplez.BigGaussian takes numbers of this size")),
    (lambda: samplez.lattice.Trapdoor(3), TypeError("a Trapdoor is made by Trapdoor.generate or Trapdoor.from_bytes")),
    (lambda: samplez.schemes.bliss.SigningKey(b"abc"), TypeError("a SigningKey comes from samplez.schemes.bliss.keygen, or from SigningKey.from_bytes")),
    (lambda: samplez.round([1.5], sigma=0.5, method="strips"), ValueError("sigma = 0.5: method strips allows 1 <= sigma <= 2^26")),
    (lambda: samplez.round([2**63], sigma=3, dtype="int64"), ValueError("dtype = int64: the samples range from")),
    (lambda: samplez.round([], sigma=3).shape, (0,)),
    (lambda: isinstance(samplez.round(Fraction(1, 3), sigma=Decimal("3.2")), int), True),
    (lambda: samplez.round([Fraction(1, 3), 2], sigma="3.2", method="strips").shape, (2,)),
    # Inputs of the wrong kind, in each argument, and numbers of thousands of digits.
    (lambda: repr(samplez.DiscreteGaussian(" 3.2 ")), "DiscreteGaussian(sigma='3.2')"),
    (lambda: samplez.DiscreteGaussian("3 .2"), ValueError("sigma = 3 .2: not a number")),
    (lambda: samplez.DiscreteGaussian(3, center=1j), TypeError("center = 1j: expected a str, int, Fraction, Decimal, float, or another rational number, not complex")),
    (lambda: samplez.DiscreteGaussian(3, center=math.inf), ValueError("center = inf: expected a finite number")),
    (lambda: samplez.DiscreteGaussian(3, center=True), TypeError("center = True: expected a number, not bool")),
    (lambda: samplez.sample([2, 3j]), TypeError("sigma[1] = 3j: expected a str, int")),
    (lambda: samplez.sample(np.array([2, None, 3], object)), TypeError("sigma[1] = None: expected a str, int")),
    (lambda: samplez.round(np.array([[1, 2], [3, "x"]], object), sigma=3), ValueError("centers[1, 1] = x: ")),
    (lambda: samplez.round([1, 2], sigma=[3, 4, 5]), ValueError("sigma, centers: have shapes (3,) and (2,), which do not broadcast")),
    (lambda: samplez.round(np.ma.array([1, 2], mask=[True, False]), sigma=3), ValueError("centers: has 1 masked element")),
    (lambda: G.sample(-1), ValueError("size = -1")),
    (lambda: G.sample((2, -3)), ValueError("size = ")),
    (lambda: G.sample(2.0), TypeError("size = 2.0: expected an integer, not float")),
    (lambda: G.sample(True), TypeError("size = True: ")),
    (lambda: samplez.DiscreteGaussian([3.2]), TypeError("sigma = [3.2]: expected one number, not list; write sigma=3.2")),
    (lambda: samplez.DiscreteGaussian([3, 4]), TypeError("sigma = [3, 4]: expected one number, not list; samplez.sample takes arrays")),
    (lambda: samplez.TargetLaw(3, clip=(1, 2)), TypeError("clip = (1, 2): expected one number, not tuple")),
    (lambda: samplez.TargetLaw(laplace=4), TypeError("law, clip, range, modulus; samplez.TargetLaw.from_recipe takes this law, such as 'laplace=4'")),
    (lambda: samplez.TargetLaw(ternary=True), TypeError("samplez.TargetLaw.from_recipe takes this law, such as 'ternary'")),
    (lambda: samplez.verify(samplez.BigGaussian(2**60).sample(200, rng=1), samplez.TargetLaw(2**60)).consistent, True),
    (lambda: samplez.verify([2**40] * 200, samplez.TargetLaw(2**60)).consistent, False),
    (lambda: G.sample(3, rng="os"), ValueError("rng = os: expected a seed, and this is the name of a source; write rng=samplez.Source('os')")),
    (lambda: samplez.Source(seed="chacha20"), ValueError("seed = chacha20: expected a seed, and this is the name of a source; write samplez.Source('chacha20')")),
    (lambda: G.sample(3, rng=2.5), TypeError("rng = 2.5: expected None, a seed")),
    (lambda: G.sample(3, rng=np.random), TypeError("not module; write numpy.random.default_rng()")),
    (lambda: G.sample(3, dtype="uint8"), TypeError("dtype = uint8: expected int8, int16, int32 or int64, in the machine's byte order; samples are negative too, so draw signed integers: samplez.residues reduces")),
    (lambda: G.sample(3, dtype=float), TypeError("dtype = float: expected int8, int16, int32 or int64, in the machine's byte order; draw integers, then write astype('float64')")),
    (lambda: G.sample(3, dtype=">i4"), TypeError("dtype = >i4: expected int8, int16, int32 or int64, in the machine's byte order; draw integers, then write astype('>i4')")),
    (lambda: stats.fit(b"abc"), TypeError("data: expected integers, not bytes, which has no integer type; give np.frombuffer(data, 'int8')")),
    (lambda: stats.fit("1 2 3"), TypeError("data = '1 2 3': expected integers, not str; read a file first")),
    (lambda: samplez.verify("1 " * 99, G), TypeError(f"data = '{'1 ' * 20}'…: expected integers, not str")),
    (lambda: stats.fit(G), TypeError("data: expected integers, not DiscreteGaussian; draw them first")),
    (lambda: samplez.residues("abc", 7), TypeError("integers: expected an array of integers, not of str; read the text as integers first")),
    (lambda: samplez.identify([1] * 200), ValueError("data: all 200 values are 1: expected at least two different values")),
    (lambda: samplez.BitGenerator(seed=1).random_raw(-1), ValueError("size = -1: expected a value between 0 and")),
    (lambda: samplez.OtherNoise(skellam=math.nan), ValueError("skellam = nan: expected a finite number")),
    (lambda: samplez.dp.rho(sigma_squared="1e4999", sensitivity_squared="-1e4999"), ValueError("sensitivity_squared = -1e4999: expected a number above 0")),
    (lambda: samplez.dp.skellam_mechanism([1], variance="-1e4999"), ValueError("variance = -1e4999: expected a number above 0")),
    (lambda: samplez.dp.skellam_mechanism([1], variance=10**5000), ValueError("variance: has too many digits: expected at most 4300")),
    (lambda: samplez.dp.skellam_mechanism([1], variance="1e5001"), ValueError("variance = 1e5001: expected at most 4300 digits, and powers of ten up to 5000")),
    (lambda: samplez.dp.skellam_mechanism([1], variance="9" * 5000), ValueError("…: expected at most 4300 digits")),
    (lambda: samplez.dp.skellam_mechanism([1], sensitivity=10**5000, variance=3), ValueError("sensitivity = 1.000e+5000: expected a value between 1 and 2^30")),
    (lambda: samplez.dp.Plan(sigma_squared="1e-4999").delta("-1e4999"), ValueError("epsilon = -1e4999: expected a number from 0 on")),
    (lambda: samplez.dp.Plan(sigma_squared=4).epsilon("1e4999"), ValueError("delta = 1e4999: expected a number above 0 and below 1")),
    (lambda: samplez.dp.Plan(sigma_squared=4, releases=10**5000), ValueError("releases = 1.000e+5000: expected a value between 1 and 2^40")),
    (lambda: samplez.dp.Plan(sigma_squared=4, sampling_rate=2), ValueError("sampling_rate = 2: expected a probability")),
    (lambda: samplez.dp.discrete_gaussian_mechanism([1.5], sensitivity=1, rho=1), TypeError("values: expected integers of at most 64 bits, not float64")),
    (lambda: samplez.dp.discrete_gaussian_mechanism([1], sensitivity=1, rho=math.nan), ValueError("rho = nan: expected a finite number")),
    (lambda: samplez.block(G.recipe, seed=1, index=10**5000, size=10), ValueError("index = 1.000e+5000: ")),
    (lambda: samplez.block(G.recipe, seed=samplez.Source(seed=1), index=0), TypeError("seed: expected an int, 32 bytes, a str of 64 hexadecimal digits, or a SeedSequence, not Source; a stream has no seed to read")),
    (lambda: samplez.verify(G.sample(200, rng=1), "3.2"), ValueError("law = 3.2: expected a samplez.DiscreteGaussian, OtherNoise or TargetLaw, or a recipe such as 'sigma=3.2'")),
    (lambda: samplez.verify(G, G.sample(200, rng=1)), TypeError("data, law: expected the data first and the distribution second; call verify(data, law)")),
    (lambda: samplez.DiscreteGaussian("ternary"), ValueError("such as 3.2, 16/5 or 1.6e5; samplez.OtherNoise.from_recipe takes a recipe")),
    (lambda: samplez.TargetLaw("sigma=3"), ValueError("such as 3.2, 16/5 or 1.6e5; samplez.TargetLaw.from_recipe takes a recipe")),
    (lambda: G.sample(3, threads="auto"), TypeError("threads = auto: expected a value between 1 and 65536, or None for one for each core, not str")),
    (lambda: samplez.dp.rho(), TypeError("missing noise: pass one of sigma_squared, sigma")),
    (lambda: samplez.dp.rho(sigma=3, epsilon=1), ValueError("sigma = 3: epsilon is given too; pass epsilon and delta alone, or the noise")),
    (lambda: samplez.dp.rho(epsilon=1), TypeError("epsilon = 1: expected delta with it; pass delta too")),
    (lambda: samplez.dp.rho(epsilon=1, delta="0.1", releases=2), ValueError("releases = 2: epsilon is given too")),
    (lambda: samplez.dp.Budget(rho=1).spend(charge=samplez.dp.Charge(Fraction(1, 2), distance=Fraction(0)), distance="1/9"), ValueError("distance = 1/9: charge is given too; a charge states its own distance; leave distance out")),
    (lambda: samplez.verify(G.sample(200, rng=1), "sigma=x"), ValueError("sigma = x: not a number")),
    (lambda: samplez.dp.Budget(rho=1).spend("1/3", distance=2), ValueError("distance = 2: expected a number from 0 to 1")),
    (lambda: samplez.dp.discrete_laplace_mechanism([1], rho=1), TypeError("the release is ε-DP, so write epsilon; a budget of rho pays epsilon²/2")),
    (lambda: samplez.dp.discrete_laplace_mechanism([1], epsilon=1, delta=1), TypeError("the release is ε-DP without a δ, so leave it out")),
    (lambda: lattice.Form([[1]], sigma=0.001), ValueError("sigma = 0.001: expected at least 1/256")),
    (lambda: lattice.Gadget(base=2, q=256, sigma=0.001), ValueError("sigma = 0.001: expected")),
    # Generators.
    (lambda: samplez.BitGenerator(seed=1, copyable=1), TypeError("copyable = 1: expected True or False, not int")),
    (lambda: samplez.BitGenerator(seed=1).jumped(0), ValueError("jumps = 0: expected a value between 1 and")),
    (lambda: samplez.BitGenerator(seed=1).spawn(-1), ValueError("n_children = -1")),
    (lambda: samplez.BitGenerator(seed=1).spawn(0), []),
    (lambda: samplez.BitGenerator(seed=1).seed_seq.generate_state(2, np.int8), TypeError("dtype = int8: expected uint32 or uint64")),
    (lambda: samplez.BitGenerator(seed=1).state, NotImplementedError("only with copyable=True")),
    (lambda: setattr(samplez.BitGenerator(seed=1, copyable=True), "state", {}), ValueError("state: expected that of a samplez.BitGenerator")),
]


@pytest.mark.parametrize(("ask", "answer"), ANSWERS, ids=range(len(ANSWERS)))
def test_answer(ask: Any, answer: Any) -> None:
    if isinstance(answer, Exception):
        with pytest.raises(type(answer), match=re.escape(str(answer))):
            ask()
    else:
        assert ask() == answer


def test_hints_are_there_at_run_time() -> None:
    """Of every public class and function."""
    seen = 0
    for module in (samplez, bliss, lp11, regev):
        for name in {*module.__all__, "round"} & set(dir(module)):
            thing = getattr(module, name)
            members = [member for member in vars(thing).values() if callable(member)] if isinstance(thing, type) else [thing]
            for member in members:
                if callable(member) and hasattr(member, "__annotations__") and "samplez" in str(getattr(member, "__module__", "")):
                    typing.get_type_hints(member)
                    seen += 1
    hints = typing.get_type_hints(samplez.DiscreteGaussian.__init__)
    assert "options" in hints and seen > 40


@pytest.mark.parametrize(
    ("ask", "kind", "argument", "value"),
    [
        (lambda: G.moment(-1), "out-of-range", "order", "-1"),
        (lambda: G.interval(1.1), "out-of-range", "confidence", "1.1"),
        (lambda: samplez.DiscreteGaussian(3, method="dice"), "unknown", "method", "dice"),
        (lambda: samplez.round([1.5], sigma=3, method="dice"), "unknown", "method", "dice"),
        (lambda: samplez.OtherNoise(ternary=True, skellam=2), "other", "skellam", "2"),
        (lambda: samplez.TableSampler([1, 2], "folded,tail,8", sigma=1), "out-of-range", "entries", "2"),
        (lambda: samplez.TableSampler([1], "heap,8", sigma=1), "unknown", "form", "heap,8"),
        (lambda: samplez.TargetLaw(3, clip="x"), "not-a-number", "clip", "x"),
        (lambda: samplez.verify([1] * 5, "sigma=3"), "out-of-range", "data", ""),
        (lambda: stats.pmf(0, sigma=0), "out-of-range", "sigma", "0"),
    ],
)
def test_a_refusal_has_its_parts(ask: Any, kind: str, argument: str, value: str) -> None:
    with pytest.raises(ValueError) as refused:
        ask()
    said = vars(refused.value)
    assert (said["kind"], said["argument"], said["value"]) == (kind, argument, value)
    assert str(refused.value).endswith(said["reason"])


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (lambda: G.sample(10**18), "size = 1000000000000000000: 1000000000000000000 integers as int64 need 8000000000000000000 bytes, more than the system gives; draw them in parts, or with a narrower dtype"),
        (lambda: G.sample((10**9, 10**9), dtype="int8", rng=1), "size = (1000000000, 1000000000): 1000000000000000000 integers as int8 need 1000000000000000000 bytes, more than the system gives; draw them in parts"),
        (lambda: samplez.BigGaussian("1e30").sample(10**17), "size = 100000000000000000: 100000000000000000 integers as object need 800000000000000000 bytes"),
        (lambda: lattice.Form([[1]], sigma=20).sample(10**17), "size = 100000000000000000: 100000000000000000 integers as int64 need"),
        (lambda: samplez.SparseTernary(10**18, weight=3).sample(), "length = 1000000000000000000: 1000000000000000000 integers as int8 need"),
    ],
)
def test_an_array_beyond_memory_tells_its_bytes(ask: Any, text: str) -> None:
    with pytest.raises(MemoryError) as refused:
        ask()
    assert str(refused.value).startswith(text)
