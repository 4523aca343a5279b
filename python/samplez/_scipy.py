"""The law of a `DiscreteGaussian`, which alone makes one, as a distribution of `scipy.stats`."""

from __future__ import annotations

from typing import Any

import numpy as np

from samplez._extras import library

rv_discrete: Any = library("scipy.stats", "DiscreteGaussian.scipy", "scipy").rv_discrete


def _check_shift(loc: Any, draws: bool = False) -> None:
    """Refuses a shift after which integers are no longer integers. Infinities and NaN have functions, but no samples."""
    shifts = np.asarray(loc, float)
    bad = shifts[np.isfinite(shifts) & (shifts != np.rint(shifts)) | ~np.isfinite(shifts) & draws]
    if bad.size:
        raise ValueError(f"loc = {bad[0]}: expected an integer; for another centre c, use samplez.DiscreteGaussian(…, center=c).scipy()")


def _whole_shift(parse: Any, draws: bool) -> Any:
    def parsed(*args: Any, **parameters: Any) -> Any:
        found = parse(*args, **parameters)
        _check_shift(found[1], draws)
        return found

    return parsed


class _Discrete(rv_discrete):  # type: ignore[misc]
    """One law, which has no shape parameters. SciPy makes new instances of it from the parameters of the constructor."""

    def __new__(cls, *_: Any, **__: Any) -> Any:
        return object.__new__(cls)

    def __init__(self, gaussian: Any, **parameters: Any) -> None:
        self.gaussian = gaussian
        super().__init__(**{"a": -np.inf, "b": np.inf, "name": "discrete_gaussian", **parameters})

    def _updated_ctor_param(self) -> dict[str, Any]:
        return {**super()._updated_ctor_param(), "gaussian": self.gaussian}

    def _attach_argparser_methods(self) -> None:
        """SciPy reads the arguments of every method by these."""
        super()._attach_argparser_methods()
        for name in ("_parse_args", "_parse_args_rvs", "_parse_args_stats"):
            setattr(self, name, _whole_shift(getattr(self, name), name == "_parse_args_rvs"))

    def _shape_info(self) -> list[Any]:
        return []

    def _pmf(self, x: Any) -> Any:
        return self.gaussian.pmf(x)

    def _logpmf(self, x: Any) -> Any:
        return self.gaussian.logpmf(x)

    def _cdf(self, x: Any) -> Any:
        return self.gaussian.cdf(x)

    def _logcdf(self, x: Any) -> Any:
        return self.gaussian.logcdf(x)

    def _sf(self, x: Any) -> Any:
        return self.gaussian.sf(x)

    def _logsf(self, x: Any) -> Any:
        return self.gaussian.logsf(x)

    def _ppf(self, q: Any) -> Any:
        return self.gaussian.ppf(q)

    def _isf(self, q: Any) -> Any:
        return self.gaussian.isf(q)

    def _stats(self) -> Any:
        return self.gaussian.stats("mvsk")

    def _munp(self, n: int) -> Any:
        return self.gaussian.moment(int(n))

    def _entropy(self) -> Any:
        return self.gaussian.entropy()

    def _rvs(self, size: Any = None, random_state: Any = None) -> Any:
        return self.gaussian.sample(size, rng=random_state)

    def expect(
        self, func: Any = None, args: Any = (), loc: int = 0, lb: Any = None, ub: Any = None, conditional: bool = False, **_: Any
    ) -> Any:
        _check_shift(loc)

        def shifted(x: Any) -> Any:
            return x + loc if func is None else func(x + loc)

        ends = [None if end is None else end - loc for end in (lb, ub)]
        return self.gaussian.expect(shifted, ends[0], ends[1], conditional)


def frozen(gaussian: Any) -> Any:
    """The law as a frozen `rv_discrete`."""
    return _Discrete(gaussian)()
