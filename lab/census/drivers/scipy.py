import numpy as np
from common import CENTER, SCALE, main
from scipy import stats
from scipy.stats.sampling import DiscreteGuideTable

XS = np.arange(-14, 15)
MASSES = np.exp(-(XS**2) / 2) / np.exp(-(XS**2) / 2).sum()


def values(seed):
    """As one writes D_Z: its masses in doubles, up to 14σ."""
    law, rng = stats.rv_discrete(values=(XS, MASSES)), np.random.default_rng(seed)
    return lambda n: law.rvs(loc=CENTER or 0, size=n, random_state=rng)


def guide(seed):
    law = DiscreteGuideTable(MASSES, random_state=np.random.default_rng(seed))
    return lambda n: law.rvs(n) - 14


def dlaplace(seed):
    rng = np.random.default_rng(seed)
    return lambda n: stats.dlaplace.rvs(1 / SCALE, loc=CENTER or 0, size=n, random_state=rng)


def skellam(seed):
    rng = np.random.default_rng(seed)
    return lambda n: stats.skellam.rvs(5 * SCALE, 5 * SCALE, loc=CENTER or 0, size=n, random_state=rng)


main(values=values, guide=guide, dlaplace=dlaplace, skellam=skellam)
