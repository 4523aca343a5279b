"""Pictures of a distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from samplez._extras import library
from samplez._numbers import mistyped
from samplez._verify import integers_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _pyplot() -> Any:
    return library("matplotlib.pyplot", "plot", "matplotlib")


def _axes(ax: Any) -> Any:
    """Matplotlib's axes: those given, or new ones."""
    if ax is None:
        return _pyplot().subplots()[1]
    if not hasattr(ax, "set_xlabel"):
        raise mistyped("ax", ax, "a matplotlib.axes.Axes, or None for new ones")
    return ax


def lattice_plot(
    places: npt.NDArray[np.int64], weights: npt.NDArray[Any], name: str, label: str | None, ax: Axes | None
) -> Axes:
    """Vectors of the plane, each by its weight."""
    axes: Axes = _axes(ax)
    shares = weights / weights.max()
    drawn = axes.scatter(places[:, 0], places[:, 1], s=4 + 60 * shares, c=weights, cmap="Blues", edgecolors="grey", linewidths=0.4, label=label)
    axes.figure.colorbar(drawn, ax=axes, label=name)
    axes.set_aspect("equal")
    axes.set_xlabel("first entry")
    axes.set_ylabel("second entry")
    if label is not None:
        axes.legend()
    return axes


def _number(value: float, _: object) -> str:
    return f"{value:g}"


def bounds_plot(xs: list[float], lower: list[float], upper: list[float], names: tuple[str, str], logarithms: str, ax: Axes | None) -> Axes:
    """Two bounds of a function, and the area between them; the axes in `logarithms` are logarithmic, with numbers at their ticks."""
    axes: Axes = _axes(ax)
    axes.fill_between(xs, lower, upper, color="#56b4e9", alpha=0.4)
    axes.plot(xs, upper, color="#0072b2", label="upper bound")
    axes.plot(xs, lower, color="#0072b2", linestyle="--", label="lower bound")
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if name in logarithms:
            axis.axes.set(**{f"{name}scale": "log"})
            values = xs if name == "x" else [*lower, *upper]
            axis.set_minor_formatter(_number if max(values) < 20 * max(min(values), 1e-300) and name == "y" else "")
        axis.set_major_formatter(_number)
    if "x" in logarithms:
        axes.set_xticks([xs[0], xs[len(xs) // 4], xs[len(xs) // 2], xs[-1 - len(xs) // 4], xs[-1]])
    axes.set(xlabel=names[0], ylabel=names[1])
    axes.grid(color="#e4e4e4")
    axes.legend()
    return axes


def plot(
    law: str,
    cdf: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float64]],
    ends: tuple[int, int],
    samples: npt.NDArray[np.signedinteger[Any]] | None,
    ax: Axes | None,
) -> Axes:
    """A histogram of the samples over the expected counts, or without samples the probabilities from one end to the other; bins of
    several values where σ is large."""
    _pyplot()
    low, high = ends
    values = None if samples is None else integers_of(np.asarray(samples).reshape(-1), 0, "samples")
    if values is not None:
        if values.size == 0:
            raise ValueError("samples: expected at least one integer")
        low, high = int(values.min()), int(values.max())
        if high - low >= 2**63:
            raise ValueError(f"samples: range from {low} to {high}: expected integers less than 2^63 apart")
    width = max(1, (high - low + 1) // 200)
    starts = np.arange(low, high + 1, width)
    middles = starts + (width - 1) / 2
    shares = cdf(starts + (width - 1)) - cdf(starts - 1)
    axes: Axes = _axes(ax)
    if values is None:
        axes.bar(middles, shares, width=0.9 * width, label=law)
    else:
        counts = np.bincount((values - low) // width, minlength=len(starts))
        axes.bar(middles, counts, width=0.9 * width, label=f"{values.size:,} samples")
        axes.plot(middles, values.size * shares, "k.-", linewidth=0.8, markersize=4, label=law)
    axes.set_xlabel("value" if width == 1 else f"value, {width} a bar")
    axes.set_ylabel("probability" if values is None else "count")
    axes.legend()
    return axes
