"""SciPy's own checks of a discrete distribution (`check_*` of its tests), as calls of ours: of the distribution, and of what
`scipy()` makes of it; and SciPy's functions that take one."""

import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from scipy.stats.sampling import DiscreteGuideTable

import samplez
from samplez._tables import tables_of

LAWS = [samplez.DiscreteGaussian("3.2"), samplez.DiscreteGaussian("0.4", center="1/3"), samplez.DiscreteGaussian("215", center="-1000.5", exact=True)]
FROZEN = [law.scipy() for law in LAWS]
Q = np.array([1e-9, 0.01, 0.25, 0.5, 0.75, 0.99, 1 - 1e-9])


def grid(g: Any) -> np.ndarray[Any, Any]:
    return np.arange(math.floor(g.mean() - 40 * g.std()) - 2, math.ceil(g.mean() + 40 * g.std()) + 3)


@pytest.mark.parametrize("g", LAWS + FROZEN)
def test_the_mass_is_one(g: Any) -> None:
    x = grid(g)
    assert g.pmf(x).sum() == pytest.approx(1, abs=1e-14)
    assert np.allclose(np.cumsum(g.pmf(x)), g.cdf(x), atol=1e-13)
    assert (g.pmf(x + 0.5) == 0).all() and np.array_equal(g.cdf(x + 0.5), g.cdf(x)) and np.array_equal(g.sf(x + 0.5), g.sf(x))


@pytest.mark.parametrize("g", LAWS + FROZEN)
def test_cdf_and_ppf_sf_and_isf(g: Any) -> None:
    x = g.ppf(Q)
    assert (g.cdf(x) >= Q).all() and (g.cdf(x - 1) < Q).all()
    assert np.array_equal(g.ppf(g.cdf(x) * (1 - 1e-12)), x)
    near = np.arange(g.ppf(1e-12), g.ppf(1 - 1e-7), 6)  # where neighbours have cdf that differ as doubles
    assert np.array_equal(g.ppf(g.cdf(near)), near)
    y = g.isf(Q)
    assert (g.sf(y) <= Q).all() and (g.sf(y - 1) > Q).all()
    assert g.median() == g.ppf(0.5) == g.isf(0.5)
    low, high = g.interval(0.9)
    assert (low, high) == (g.ppf(0.05), g.isf(0.05))


@pytest.mark.parametrize(("sigma", "center"), [("3.2", "0"), ("0.01", "0"), ("0.4", "1/3"), ("2", "1/2"), ("0.1", "1/2"), ("20", "-7.25")])
def test_where_quantiles_undo_probabilities(sigma: str, center: str) -> None:
    """The condition of the docstrings is exact: with it x comes back, and without it another number."""
    g = samplez.DiscreteGaussian(sigma, center=center)
    reach = 50 * math.ceil(float(sigma)) + 3
    x = np.arange(-reach, reach + 1)
    cdf, before, sf, left = g.cdf(x), g.cdf(x - 1), g.sf(x), g.sf(x - 1)
    assert np.array_equal(g.ppf(cdf) == x, (before < cdf) & (cdf < 1))
    assert np.array_equal(g.isf(sf) == x, (left > sf) & (sf > 0))
    assert (g.ppf(cdf[cdf == 1]) == np.inf).all() and (cdf == 1).any()


@pytest.mark.parametrize("page", ["python/README.md", "docs/book/scipy.md", "python/samplez/_law.py"])
def test_pages_give_the_condition(page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8").replace("−", "-").replace("k - 1", "x - 1").replace("cdf(k)", "cdf(x)")
    assert "cdf(x - 1) < cdf(x) < 1 as doubles" in text


@pytest.mark.parametrize(("sigma", "step"), [("0.4", 1), ("3.2", 1), ("215", 6), ("1e5", 4001)])
@pytest.mark.parametrize("center", ["0", "1/3", "1/2", "-1000.5", "1000001"])
def test_quantiles_undo_probabilities(sigma: str, step: int, center: str) -> None:
    """Wherever a double of the function tells x from x - 1, to the far tails; before there is a table, and after."""
    g = samplez.DiscreteGaussian(sigma, center=center)
    frozen = g.scipy()
    reach = max(int(8 * float(sigma)), 3)
    x = int(float(Fraction(center))) + np.arange(-reach, reach, step)
    for function, quantile in (("cdf", "ppf"), ("sf", "isf")):
        values, before = getattr(g, function)(x), getattr(g, function)(x - 1)
        seen = (values != before) & (values > 0) & (values < 1)
        assert seen.sum() > 2 and np.array_equal(getattr(g, quantile)(values[seen]), x[seen])
        assert np.array_equal(getattr(frozen, quantile)(values[seen]), x[seen])
        assert [getattr(g, quantile)(float(value)) for value in values[seen][:9]] == x[seen][:9].tolist()


def test_a_quantile_is_the_least_integer_of_its_double() -> None:
    """Against all doubles of the function; between them, at them, and where many integers have one double."""
    for g in (samplez.DiscreteGaussian("3.2", center="0.3"), samplez.DiscreteGaussian(60, center="1/7"), samplez.DiscreteGaussian(3000)):
        x = np.arange(-600, 600) if g.sigma < 100 else np.arange(23_000, 26_000)
        cdf, sf = g.cdf(x), g.sf(x)
        inside = cdf[(cdf > cdf[0]) & (cdf < 1)]
        q = np.concatenate([inside, np.nextafter(inside, 0), np.nextafter(inside, 1), (inside[1:] + inside[:-1]) / 2])
        q = q[(q > cdf[0]) & (q < 1)]
        assert np.array_equal(g.ppf(q), x[np.searchsorted(cdf, q)])
        inside = sf[(sf < sf[0]) & (sf > sf[-1])]
        q = np.concatenate([inside, np.nextafter(inside, 0), np.nextafter(inside, 1)])
        q = q[q < sf[0]]
        assert np.array_equal(g.isf(q), x[np.array([np.flatnonzero(sf <= one)[0] for one in q])])
    last = samplez.DiscreteGaussian(10**12).ppf(1 - 2.0**-53)
    assert samplez.DiscreteGaussian(10**12).cdf(last) == 1 - 2.0**-53 > samplez.DiscreteGaussian(10**12).cdf(last - 1)


def test_tables_have_the_law_s_doubles() -> None:
    """Bit by bit, inside the table and beyond it; a table is built once as many values were computed as it has."""
    g = samplez.DiscreteGaussian(40, center="0.123")
    tables = tables_of(g._sampler)
    x = np.arange(-1500, 1500)
    for name in ("pmf", "logpmf", "cdf", "sf", "logcdf", "logsf"):
        first = np.concatenate([getattr(g, name)(part) for part in np.array_split(x, 30)])
        native = np.asarray(getattr(g._sampler, name)(x))
        assert name in tables._tables and tables._tables[name].size < 900
        assert np.array_equal(first, native) and np.array_equal(getattr(g, name)(x), native)
        assert np.array_equal(getattr(g, name)(x.reshape(3, -1, 2)).reshape(-1), native) and getattr(g, name)(3) == native[1503]
    q = np.concatenate([np.random.default_rng(1).random(300), [1e-300, 1e-20, 1 - 2.0**-53, 0.5, 5e-324]])
    for name in ("ppf", "isf"):
        assert np.array_equal(getattr(g, name)(q), tables._exact(name, q))
    assert np.array_equal(g.ppf(np.array([[0, 0.5], [1, 2]])), [[-math.inf, 0], [math.inf, math.nan]], equal_nan=True)
    few = samplez.DiscreteGaussian(41, center="0.123")
    few.cdf(x[:9])
    assert not tables_of(few._sampler)._tables
    large = samplez.DiscreteGaussian(10**6)
    large.cdf(np.arange(9000))
    assert not tables_of(large._sampler)._tables


def test_scipy_s_new_distributions_and_fits() -> None:
    dist = FROZEN[0].dist
    new = scipy.stats.make_distribution(dist)()
    assert new.icdf(0.975) == 6 and new.cdf(3) == LAWS[0].cdf(3) and new.pmf(0) == LAWS[0].pmf(0) and new.ccdf(3) == LAWS[0].sf(3)
    assert new.mean() == 0 and new.variance() == pytest.approx(10.24, rel=1e-15) and new.kurtosis() == pytest.approx(3)
    assert new.iccdf(0.025) == 6 and new.entropy() == LAWS[0].entropy() and new.sample(5, rng=np.random.default_rng(1)).shape == (5,)
    x = LAWS[0].sample(2000, rng=1) + 2
    fit = scipy.stats.fit(dist, x, bounds={"loc": (-5, 5)})
    assert fit.params.loc == 2 and fit.success
    assert scipy.stats.fit(dist, [0, 1, -2, 3], bounds={"loc": (-3, 3)}).params.loc in (0, 1)  # as likely


@pytest.mark.parametrize("g", LAWS + FROZEN)
def test_logarithms(g: Any) -> None:
    x = grid(g)
    for name in ("pmf", "cdf", "sf"):
        value, log = getattr(g, name)(x), getattr(g, "log" + name)(x)
        seen = value > 1e-300
        assert np.allclose(np.log(value[seen]), log[seen], rtol=1e-13, atol=1e-15)
    assert np.isfinite(g.logpmf(grid(g)[0] - 10**6)) and g.logpmf(0.5) == -math.inf


@pytest.mark.parametrize("g", LAWS + FROZEN)
def test_moments(g: Any) -> None:
    x = grid(g).astype(float)
    p = g.pmf(x)
    mean, var, skewness, kurtosis = (float(value) for value in g.stats(moments="mvsk"))
    assert mean == g.mean() == pytest.approx((x * p).sum(), rel=1e-12, abs=1e-13)
    assert var == g.var() == pytest.approx(((x - mean) ** 2 * p).sum(), rel=1e-12) and g.std() == pytest.approx(var**0.5, rel=1e-15)
    assert skewness == pytest.approx(((x - mean) ** 3 * p).sum() / var**1.5, abs=1e-10)
    assert kurtosis == pytest.approx(((x - mean) ** 4 * p).sum() / var**2 - 3, abs=1e-10)
    for order in range(1, 6):
        assert g.moment(order) == pytest.approx((x**order * p).sum(), rel=1e-12, abs=1e-10 * abs(x**order * p).sum())
    assert g.stats("v") == var and g.stats() == (mean, var)
    assert g.expect(lambda k: k**2) == pytest.approx((x**2 * p).sum(), rel=1e-9)


@pytest.mark.parametrize("g", LAWS)
def test_expectations(g: samplez.DiscreteGaussian) -> None:
    x = grid(g)
    p = g.pmf(x)
    assert g.expect() == pytest.approx(g.mean(), abs=1e-12) and g.expect(lambda k: 1) == pytest.approx(1, abs=1e-15)
    low, high = g.ppf(0.1), g.ppf(0.8)
    inside = (x >= low) & (x <= high)
    part = (np.cos(x) * p)[inside].sum()
    assert g.expect(np.cos, lb=low, ub=high) == pytest.approx(part, abs=1e-14)
    assert g.expect(np.cos, lb=low - 0.5, ub=high + 0.5, conditional=True) == pytest.approx(part / p[inside].sum(), rel=1e-12)
    assert g.expect(lb=2, ub=1) == 0 and math.isnan(g.expect(lb=2, ub=1, conditional=True))
    assert g.expect(lb=-math.inf, ub=10**30) == g.expect() and g.expect(lb=10**30) == 0


@pytest.mark.parametrize("g", LAWS + FROZEN)
def test_entropy_is_in_nats(g: Any) -> None:
    p = g.pmf(grid(g))
    assert float(g.entropy()) == pytest.approx(scipy.stats.entropy(p[p > 0]), rel=1e-12)


def test_entropy_in_a_base() -> None:
    g = LAWS[0]
    assert g.entropy(base=2) == 3.7251674902932788 == pytest.approx(g.entropy() / math.log(2), rel=1e-15)
    assert g.entropy(base=math.e) == pytest.approx(g.entropy(), rel=1e-15)


@pytest.mark.parametrize("g", LAWS + FROZEN)
def test_the_ends(g: Any) -> None:
    """Out of range as SciPy answers: NaN, the ends of the support, and less 1 for `ppf` of 0."""
    assert g.support() == (-math.inf, math.inf)
    q = [0, 1, -0.1, 1.1, math.nan]
    assert np.array_equal(g.ppf(q), [-math.inf, math.inf, math.nan, math.nan, math.nan], equal_nan=True)
    assert np.array_equal(g.isf(q), [math.inf, -math.inf, math.nan, math.nan, math.nan], equal_nan=True)
    x = [-math.inf, math.inf, math.nan]
    for name, ends in (("pmf", (0, 0)), ("cdf", (0, 1)), ("sf", (1, 0)), ("logcdf", (-math.inf, 0)), ("logsf", (0, -math.inf))):
        assert np.array_equal(getattr(g, name)(x), [*ends, math.nan], equal_nan=True), name
    assert g.interval(1) == (-math.inf, math.inf)


@pytest.mark.parametrize(("g", "frozen"), list(zip(LAWS, FROZEN, strict=True)))
def test_it_is_frozen(g: samplez.DiscreteGaussian, frozen: Any) -> None:
    """The values of the frozen one are ours to the last bit; it is shifted, copied, and draws by SciPy's protocol."""
    x = grid(g)
    for name in ("pmf", "logpmf", "cdf", "logcdf", "sf", "logsf"):
        assert np.array_equal(getattr(frozen, name)(x), getattr(g, name)(x)), name
    assert np.array_equal(frozen.ppf(Q), g.ppf(Q)) and np.array_equal(frozen.isf(Q), g.isf(Q))
    shifted = frozen.dist(loc=7)
    refusals: list[Callable[[], Any]] = [
        lambda: frozen.dist(loc=0.5),
        lambda: frozen.dist.pmf(1, loc=[1, 2.5]),
        lambda: frozen.dist.expect(loc=-0.25),
        lambda: frozen.dist.rvs(loc=np.nan),
    ]
    for refused in refusals:
        with pytest.raises(ValueError, match=r"^loc = \S+: expected an integer; for another centre c, use samplez.DiscreteGaussian"):
            refused()
    assert np.array_equal(shifted.pmf(x + 7), g.pmf(x)) and shifted.mean() == pytest.approx(g.mean() + 7)
    again = pickle.loads(pickle.dumps(frozen))
    assert np.array_equal(again.cdf(x), g.cdf(x))
    assert isinstance(frozen.dist, scipy.stats.rv_discrete) and isinstance(frozen, type(scipy.stats.poisson(3)))
    first = frozen.rvs(size=(2, 3), random_state=np.random.default_rng(5))
    assert first.dtype == np.int64 and np.array_equal(first, again.rvs(size=(2, 3), random_state=np.random.default_rng(5)))
    frozen.random_state = 3
    first = frozen.rvs(size=8)
    frozen.random_state = 3
    assert np.array_equal(first, frozen.rvs(size=8)) and isinstance(frozen.rvs(), int)


@pytest.mark.parametrize("g", [LAWS[2], FROZEN[2]])
def test_functions_of_scipy_take_it(g: Any) -> None:
    x = LAWS[2].sample(2000, rng=1)
    jitter = np.random.default_rng(1).random(x.size)

    def cdf(y: Any) -> Any:
        return LAWS[2].cdf(np.floor(y) - 1) + (y - np.floor(y)) * LAWS[2].pmf(np.floor(y))

    assert scipy.stats.kstest(x, g.cdf).pvalue > 1e-6 and scipy.stats.ks_1samp(x + 30, g.cdf).pvalue < 1e-6
    assert scipy.stats.kstest(x + jitter, cdf).pvalue > 1e-6
    assert scipy.stats.cramervonmises(x, g.cdf).pvalue > 1e-6
    (theoretical, ordered), (slope, _, r) = scipy.stats.probplot(x, dist=g)
    assert len(theoretical) == len(ordered) == 2000 and 0.9 < slope < 1.1 and r > 0.99
    test = scipy.stats.monte_carlo_test(x[:100], getattr(g, "rvs", None) or g.sample, lambda y, axis: np.mean(y, axis=axis), n_resamples=99, vectorized=True)
    assert test.pvalue > 0.01
    table = DiscreteGuideTable(g, domain=(-3000, 1000), random_state=np.random.default_rng(1))
    assert scipy.stats.kstest(table.rvs(2000), g.cdf).pvalue > 1e-6
