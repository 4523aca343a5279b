"""The law D_{Z,σ,c} for arrays of σ and c, as doubles; and the fit of σ and c to samples.

>>> import numpy as np
>>> from samplez import stats
>>> stats.pmf(np.arange(3), sigma=[[0.5], [3.2]]).shape
(2, 3)
>>> data = samplez.DiscreteGaussian("3.2", center="1/3").sample(100_000, rng=1)
>>> found = stats.fit(data)
>>> abs(found.center - 1 / 3) < 4 * found.center_error, abs(found.sigma - 3.2) < 4 * found.sigma_error
(True, True)

Arguments are broadcast against each other. Values have a relative error below 10^-11, where a double holds them. The functions of
`samplez.DiscreteGaussian` are correctly rounded, for one law. σ lies between 10^-100 and 2^46, and x and c within ±2^52.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from samplez._arrays import Numbers
from samplez._numbers import exact_array, exact_fraction, index_of, no_integer, shown, wrong
from samplez._recipe import suggests
from samplez._verify import column_of, integers_of, no_container

Floats = npt.NDArray[np.float64]

_LEAST, _MOST, _FAR = 1e-100, 2.0**46, 2.0**52
# Below this σ the sum over integers has few terms; above, that of its Fourier transform: 8 and 3 of them leave out less than 2^-70.
_SMALL = 0.8
# Below this σ tails are added up; above, the Euler-Maclaurin formula has them.
_SUMMED = 32.0
# B_n(1/2)/n! for n = 2, 4, …, of that formula at half integers.
_BERNOULLI = (-1 / 24, 7 / 5760, -31 / 967680, 127 / 154828800, -73 / 3503554560, 1414477 / 2678117105664000, -8191 / 612141052723200)
_erfc: Any = np.frompyfunc(math.erfc, 1, 1)


def _doubles(name: str, values: Any, least: float, most: float) -> Floats:
    """The nearest doubles, within bounds."""
    array = exact_array(name, values)
    if array.dtype.kind not in "iuf":
        flat = [_double(f"{name}[{place}]" if array.ndim else name, value, least, most) for place, value in enumerate(array.astype(object).flat)]
        array = np.array(flat, np.float64).reshape(array.shape)
    given, array = array, array.astype(np.float64)
    bad = np.flatnonzero(~((array >= least) & (array <= most)))
    if bad.size:
        raise wrong(f"{name}{index_of(array, int(bad[0]))}", shown(given.flat[bad[0]]), _range(least, most))
    return array


def _double(name: str, value: object, least: float, most: float) -> float:
    """The nearest double, if there is one."""
    number = exact_fraction(name, value)
    try:
        return float(number)
    except OverflowError:
        raise wrong(name, shown(number), _range(least, most)) from None


def _range(least: float, most: float) -> str:
    """The numbers between two bounds, in words; the upper one is a power of two."""
    upper = f"2^{math.frexp(most)[1] - 1}"
    return f"a number from {'-' + upper if least == -most else f'{least:g}'} to {upper}"


def _law(sigma: Any, center: Any) -> tuple[Floats, Floats]:
    s, c = _doubles("sigma", sigma, _LEAST, _MOST), _doubles("center", center, -_FAR, _FAR)
    _meet(("sigma", s), ("center", c))
    return s, c


def _meet(*arrays: tuple[str, Floats]) -> None:
    """Refuses arrays that do not broadcast."""
    shapes = [array.shape for _, array in arrays]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        names, last = ", ".join(name for name, _ in arrays), shapes.pop()
        raise ValueError(f"{names}: have shapes {', '.join(map(str, shapes))} and {last}, which do not broadcast") from None


def _at(name: str, x: Any, sigma: Any, center: Any) -> tuple[Floats, Floats, Floats]:
    """Points, σ and centres that broadcast."""
    at, (s, c) = _points(name, x), _law(sigma, center)
    _meet((name, at), ("sigma", s), ("center", c))
    return at, s, c


def _points(name: str, x: Any) -> Floats:
    """The x, of which infinities and NaN remain."""
    array = exact_array(name, x)
    return array.astype(np.float64) if array.dtype.kind == "f" else _doubles(name, x, -_FAR, _FAR)


def _one(values: Any) -> Any:
    """A float for a single value."""
    return float(values) if np.ndim(values) == 0 else values


def _moments(sigma: Floats, center: Floats) -> tuple[Floats, Floats, Floats]:
    """ln Σ exp(-(k-c)²/(2σ²)) plus d²/(2σ²), E[X] and Var(X); d is the distance of c from the nearest integer."""
    sigma, center = np.broadcast_arrays(sigma, center)
    nearest = np.rint(center)
    d = center - nearest
    small = sigma < _SMALL
    s = np.where(small, sigma, 0.5)
    j = np.arange(-8, 9).reshape(-1, *[1] * d.ndim)
    with np.errstate(over="ignore", under="ignore"):
        weights = np.exp(-(j * (j - 2 * d)) / 2 / s / s)
    rest = np.where(j == 0, 0.0, weights).sum(axis=0)
    total = 1 + rest
    near = (j * weights).sum(axis=0) / total
    spread = ((j - near) ** 2 * weights).sum(axis=0) / total
    s = np.where(small, 1.0, sigma)
    m = np.arange(1, 4).reshape(-1, *[1] * d.ndim)
    with np.errstate(under="ignore"):
        q = 2 * np.exp(-2 * (np.pi * m * s) ** 2)
        theta = 1 + (q * np.cos(2 * np.pi * m * d)).sum(axis=0)
        drift = -2 * np.pi * s**2 * (m * q * np.sin(2 * np.pi * m * d)).sum(axis=0) / theta
        square = s**2 * (1 - 4 * np.pi**2 * s**2 * (m**2 * q * np.cos(2 * np.pi * m * d)).sum(axis=0) / theta)
    log_wide = np.log(s) + 0.5 * math.log(2 * math.pi) + np.log(theta) + d**2 / 2 / s / s
    log = np.where(small, np.log1p(rest), log_wide)
    return log, np.where(small, nearest + near, center + drift), np.where(small, spread, square - drift**2)


def _log_weight(x: Floats, sigma: Floats, center: Floats) -> Floats:
    """-((x-c)² - d²)/(2σ²), without the loss of a difference of squares."""
    nearest = np.rint(center)
    d = center - nearest
    j = x - nearest
    with np.errstate(over="ignore"):
        return -(j * (j - 2 * d)) / 2 / sigma / sigma


@suggests
def logpmf(x: Numbers, *, sigma: Numbers, center: Numbers = 0) -> Any:
    """Returns ln P(X = x), -inf between integers.

    >>> stats.logpmf(0, sigma=[1, 10.0]).round(6).tolist()
    [-0.918939, -3.221524]
    """
    at, s, c = _at("x", x, sigma, center)
    whole = np.isfinite(at) & (np.floor(at) == at)
    values = _log_weight(np.where(whole, at, 0.0), s, c) - _moments(s, c)[0]
    return _one(np.where(whole, values, np.where(np.isnan(at), math.nan, -math.inf)))


@suggests
def pmf(x: Numbers, *, sigma: Numbers, center: Numbers = 0) -> Any:
    """Returns P(X = x), 0 between integers."""
    with np.errstate(under="ignore"):
        return _one(np.exp(logpmf(x, sigma=sigma, center=center)))


def _below(x: Floats, sigma: Floats, center: Floats) -> Floats:
    """P(X <= x) for integers x below c, or hardly above: a sum of falling terms."""
    x, sigma, center = np.broadcast_arrays(x, sigma, center)
    result = np.zeros(x.shape)
    with np.errstate(under="ignore"):
        few = sigma < _SUMMED
        if few.any():
            at, s, c = x[few], sigma[few], center[few]
            log = _moments(s, c)[0]
            total = np.zeros(at.shape)
            for j in range(math.ceil(10 * float(s.max())) + 3):
                total += np.exp(_log_weight(at - j, s, c) - log)
            result[few] = total
        if not few.all():
            at, s, c = x[~few], sigma[~few], center[~few]
            z = np.maximum((at - c + 0.5) / s, -60.0)  # where doubles have ended
            correction = np.zeros(at.shape)
            lower, hermite, scale = np.ones(at.shape), z, -1 / s**2  # He_0, He_1, (-1/σ)^n/σ
            for order, number in enumerate(_BERNOULLI):
                correction += number * scale * hermite
                for degree in (2 * order + 1, 2 * order + 2):
                    lower, hermite = hermite, z * hermite - degree * lower
                scale = scale / s**2
            density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
            result[~few] = 0.5 * _erfc(-z / math.sqrt(2)).astype(np.float64) + correction * density
    return result


def _tails(x: Any, sigma: Any, center: Any, upper: bool) -> Any:
    at, s, c = _at("x", x, sigma, center)
    at, s, c = np.broadcast_arrays(np.floor(at), s, c)
    finite = np.isfinite(at)
    inside = np.where(finite, at, 0.0)
    left = inside + 0.5 < c
    tail = _below(np.where(left, inside, -inside - 1), s, np.where(left, c, -c))
    values = np.where(left != upper, tail, 1 - tail)
    ends = np.where(np.isnan(at), math.nan, np.where((at > 0) != upper, 1.0, 0.0))
    return _one(np.where(finite, values, ends))


@suggests
def cdf(x: Numbers, *, sigma: Numbers, center: Numbers = 0) -> Any:
    """Returns P(X <= x).

    >>> float(f"{stats.cdf(-5e6, sigma=1e6):.10g}"), stats.cdf(0, sigma=0.5, center=[0, 0.5]).round(6).tolist()
    (2.866523152e-07, [0.893285, 0.5])
    """
    return _tails(x, sigma, center, False)


@suggests
def sf(x: Numbers, *, sigma: Numbers, center: Numbers = 0) -> Any:
    """Returns P(X > x)."""
    return _tails(x, sigma, center, True)


@partial(suggests, ways=dict.fromkeys(("k", "p", "x"), "write q for the probability"))
def ppf(q: Numbers, *, sigma: Numbers, center: Numbers = 0) -> Any:
    """Returns the least integer x with cdf(x) >= q, as a float: -inf for 0, inf for 1, NaN outside.

    >>> stats.ppf([0.025, 0.975], sigma=3.2).tolist()
    [-6.0, 6.0]
    """
    levels, s, c = np.broadcast_arrays(*_at("q", q, sigma, center))
    inside = (levels > 0) & (levels < 1)
    low, high = np.floor(c - 40 * s) - 2, np.ceil(c + 9 * s) + 2
    while (wide := inside & (high - low > 1)).any():
        middle = np.floor((low + high) / 2)
        reached = np.asarray(cdf(middle, sigma=s, center=c)) >= levels
        low, high = np.where(wide & ~reached, middle, low), np.where(wide & reached, middle, high)
    ends = np.where(levels == 0, -math.inf, np.where(levels == 1, math.inf, math.nan))
    return _one(np.where(inside, high, ends))


@suggests
def mean(sigma: Numbers, *, center: Numbers = 0) -> Any:
    """Returns E[X]; it is not c where σ is small."""
    return _one(_moments(*_law(sigma, center))[1])


@suggests
def var(sigma: Numbers, *, center: Numbers = 0) -> Any:
    """Returns the variance; it is not σ² where σ is small.

    >>> stats.var([0.5, 3.2]).round(6).tolist()
    [0.215013, 10.24]
    """
    return _one(_moments(*_law(sigma, center))[2])


@dataclass(frozen=True)
class Fit:
    """The maximum-likelihood estimate of σ² and c, with standard errors by the Fisher information.

    The log-likelihood is the sum of `logpmf` over the data, and the standard error of `sigma_squared` is ``2 * sigma * sigma_error``.
    """

    sigma_squared: float
    center: float
    sigma_error: float
    center_error: float

    @property
    def sigma(self) -> float:
        """The square root of `sigma_squared`."""
        return math.sqrt(self.sigma_squared)


def _central(v: float, c: float) -> tuple[float, float, float, float]:
    """E[X], and the central moments of order 2, 3 and 4, for small c."""
    if v >= 9:  # as for the normal distribution, within 2^-240
        return c, v, 0.0, 3 * v**2
    k = np.arange(math.floor(c) - 40, math.floor(c) + 42)
    log = -((k - c) ** 2) / (2 * v)
    weights = np.exp(log - log.max())
    p = weights / weights.sum()
    mean = float((k * p).sum())
    second, third, fourth = (float(((k - mean) ** n * p).sum()) for n in (2, 3, 4))
    return mean, second, third, fourth


def _score(v: float, c: float, first: float, square: float) -> tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The log-likelihood of a sample, its gradient by c/σ² and -1/(2σ²), and the Fisher information by these."""
    m, second, third, fourth = _central(v, c)
    log = float(np.asarray(_moments(np.array(math.sqrt(v)), np.array(c))[0])) - (c - round(c)) ** 2 / (2 * v)
    value = c / v * first - square / (2 * v) - c**2 / (2 * v) - log
    cross = third + 2 * m * second
    information = np.array([[second, cross], [cross, fourth + 4 * m * third + 4 * m**2 * second - second**2]])
    return value, np.array([first - m, square - second - m**2]), information


@suggests
def fit(data: npt.ArrayLike) -> Fit:
    """Returns the σ² and c at which mean and variance of D_{Z,σ,c} are those of the data. This is the likelihood's
    maximum, because the distributions are an exponential family.

    `data` are integers, at least three different ones or two that are no neighbours. Raises `ValueError` for others: on two neighbours, the
    likelihood has no maximum.

    >>> stats.fit([0, 1, -2, 3]).center, round(stats.fit([0, 1, -2, 3]).sigma_squared, 6)
    (0.5, 3.25)
    """
    no_container(data, "data")
    x = column_of(data, "data").reshape(-1)
    if x.dtype.kind not in "fiu":
        x = integers_of(x, 0, "data")
    bad = np.flatnonzero(~(np.isfinite(x) & (np.floor(x) == x)))
    if bad.size:
        raise no_integer("data", f"[{int(bad[0])}]", float(x[bad[0]]), "an integer")
    if x.size == 0 or int(x.max()) - int(x.min()) < 2:
        raise ValueError("data: expected values at least 2 apart, as on fewer the likelihood has no maximum; add samples")
    if int(x.max()) - int(x.min()) > 2**50 or max(abs(int(x.max())), abs(int(x.min()))) > 2**52:
        raise ValueError("data: expected values within 2^52, at most 2^50 apart")
    origin = round(float(x.astype(np.float64).mean()))
    y = x.astype(np.float64) - origin
    first = float(y.mean())
    spread = float(((y - first) ** 2).mean())
    square = spread + first**2
    # Where σ is small, all but a few samples are equal, and the variance is below σ²: start where the information is none of nearly 0.
    v, c = max(spread, 0.1), first
    value, gradient, information = _score(v, c, first, square)
    for _ in range(200):
        step = np.linalg.solve(information, gradient)
        gain = float(step @ gradient)
        if gain < 1e-28:
            break
        theta, length = np.array([c / v, -0.5 / v]), 1.0
        while True:
            new = theta + length * step
            if new[1] < 0:
                moved = -0.5 / new[1], new[0] * -0.5 / new[1]
                after = _score(*moved, first, square)
                if after[0] >= value + 1e-4 * length * gain or length < 1e-9:
                    break
            length /= 2
        if length < 1e-9 and after[0] <= value:
            break
        (v, c), (value, gradient, information) = moved, after
    m, second, third, fourth = _central(v, c)
    b = m - c
    cross = third + 2 * b * second
    quartic = fourth + 4 * b * third + 4 * b**2 * second - second**2  # Var((X-c)²)
    fisher = np.array([[quartic / (4 * v**4), cross / (2 * v**3)], [cross / (2 * v**3), second / v**2]])
    errors = np.sqrt(np.diag(np.linalg.inv(x.size * fisher)))
    return Fit(float(v), float(c + origin), float(errors[0] / (2 * math.sqrt(v))), float(errors[1]))


__all__ = ["Fit", "cdf", "fit", "logpmf", "mean", "pmf", "ppf", "sf", "var"]
