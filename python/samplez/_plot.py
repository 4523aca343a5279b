"""Pictures and tables of a distribution, for notebooks."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from samplez._certificate import Certificate

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(
    law: str,
    cdf: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float64]],
    samples: npt.NDArray[np.signedinteger[Any]],
    ax: Axes | None,
) -> Axes:
    """A histogram of the samples over the expected counts; bins of several values where σ is large."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError('plotting needs Matplotlib: pip install "samplez[plot]"') from None
    values = np.asarray(samples).reshape(-1)
    if values.size == 0 or values.dtype.kind not in "iu":
        raise ValueError("samples: must be integers, at least one")
    low, high = int(values.min()), int(values.max())
    width = max(1, (high - low + 1) // 200)
    starts = np.arange(low, high + 1, width)
    counts = np.bincount((values.astype(np.int64) - low) // width, minlength=len(starts))
    expected = values.size * (cdf(starts + (width - 1)) - cdf(starts - 1))
    axes = ax if ax is not None else plt.subplots()[1]
    middles = starts + (width - 1) / 2
    axes.bar(middles, counts, width=0.9 * width, label=f"{values.size:,} samples")
    axes.plot(middles, expected, "k.-", linewidth=0.8, markersize=4, label=law)
    axes.set_xlabel("value")
    axes.set_ylabel("count")
    axes.legend()
    return axes


def html(c: Certificate, entropy: float) -> str:
    """The certificate in short, and its law's entropy in bits, as a table."""
    distance = "0 (exact)" if c.log2_sd is None else f"≤ 2<sup>{math.ceil(c.log2_sd * 100) / 100:.2f}</sup>"
    rows = {
        "law": escape(c.law),
        "method": escape(c.method),
        "statistical distance": distance,
        "timing": escape(c.timing),
        "table": f"{c.table_bytes:,} bytes",
        "random bits a sample": f"{c.expected_bits:.2f} expected",
        "entropy": f"{entropy:.4f} bits",
    }
    body = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{text}</td></tr>" for name, text in rows.items())
    return f"<table>{body}</table>"
