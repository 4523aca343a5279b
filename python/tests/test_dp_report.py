"""Pictures of plans, and ledgers as pages."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from samplez import dp


def test_pictures_have_both_bounds() -> None:
    import matplotlib

    matplotlib.use("Agg")
    plan = dp.Plan(sigma=4, releases=10) + dp.Plan.laplace(scale=20) + dp.Plan.pure("1/10")
    axes = plan.plot()
    upper, lower = (np.asarray(line.get_xydata()) for line in axes.lines[:2])
    assert axes.get_yscale() == "log" and axes.get_xlabel() == "ε" and axes.get_ylabel() == "δ"
    for index in (0, 30, 64):
        assert plan.delta(upper[index][0]) == (lower[index][1], upper[index][1])
    assert upper[-1][1] <= 1e-10 * (1 + 1e-6)
    again = (single := dp.Plan(sigma=4, releases=10)).plot("1e-5", ax=axes)
    upper, lower = (np.asarray(line.get_xydata()) for line in again.lines[-2:])
    assert again is axes and upper[:, 0].tolist() == sorted(upper[:, 0]) and upper[0][0] == 0.25 and upper[-1][0] == 4
    assert (lower[4][1], upper[4][1]) == single.epsilon("1e-5")
    wide = dp.Plan(sigma=16, releases=10) + dp.Plan.skellam(variance=90 * 16) + dp.Plan.laplace(scale=80) + dp.Plan.pure("1/40") + dp.Plan(sigma=8, sampling_rate="1/9")
    plan = single + dp.Plan.skellam(variance=90) + dp.Plan.laplace(scale=20) + dp.Plan.pure("1/10") + dp.Plan(sigma=2, sampling_rate="1/9")
    assert plan._scaled(Fraction(4)) == wide and upper[-1][1] == dp.Plan(sigma=16, releases=10).epsilon("1e-5").upper
    assert [label.get_text() for label in again.get_xticklabels()] == ["0.25", "0.5", "1", "2", "4"]
    # A lower bound of 0 lies below the axis, which begins at 10^-11.
    pure = dp.Plan.pure("1/10", releases=3).plot()
    assert not np.asarray(pure.lines[1].get_ydata()).any() and pure.get_ylim()[0] == 1e-11
    with pytest.raises(TypeError, match="^ax = 3: expected a matplotlib.axes.Axes"):
        plan.plot(ax=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="^delta = 1: expected a number above 0 and below 1"):
        plan.plot(1)


@pytest.mark.parametrize(("limit", "count"), [({"rho": 1}, 3), ({"epsilon": 1}, 3), ({"epsilon": 1, "delta": "1e-6"}, 3), ({"epsilon": 1, "delta": "1e-6", "accounting": "exact"}, 3), ({"rho": 1}, 1201), ({"rho": 1}, 0)])
def test_a_report_is_one_page_without_scripts(tmp_path: Path, limit: dict[str, Any], count: int) -> None:
    """Its XML is well-formed, its bars are the totals, and markup in names stays text."""
    budget = dp.Budget(**limit, path=tmp_path / "<b>&.json") if count < 1000 else dp.Budget(**limit)
    for _ in range(count):
        budget.spend(epsilon="1/1000")
    text = budget.report()
    page = ElementTree.fromstring(re.sub(r"<meta[^>]*>", "", text.removeprefix("<!DOCTYPE html>\n")))
    assert "<script" not in text and "<b>" not in text and "http" not in text.replace("http://www.w3.org/2000/svg", "")
    facts, *releases = page.iter("table")
    cells = {row[0].text: row[1].text for row in facts}
    head = "".join(f"{name} = {Fraction(value)}" for name, value in limit.items() if name == "rho").replace("rho", "ρ")
    assert cells["releases"] == str(count) and str(cells["limit"]).startswith(head) and cells["head of the chain"] == budget._book.last
    unit, each = ("ε", Fraction(1, 1000)) if set(limit) == {"epsilon"} else ("ρ", Fraction(1, 2_000_000))
    assert Fraction(str(cells[f"{unit} spent"])) == count * each
    rows = list(releases[0].iter("tr"))[1:]
    assert len(rows) == min(count, 1000) and (not count or rows[-1][0].text == str(count) and float(str(rows[-1][5].text)) == pytest.approx(float(count * each), rel=1e-5))
    bars = [float(bar.attrib["height"]) for bar in page.iter("{http://www.w3.org/2000/svg}rect")]
    assert len(bars) == (172 if count > 1000 else count) and bars == sorted(bars)
    if bars:
        assert bars[-1] == pytest.approx(240 if limit.get("accounting") else 240 * float(count * each / (Fraction(1) if "delta" not in limit else dp.rho(epsilon=1, delta="1e-6"))), abs=0.01)


def test_the_limit_has_less_delta_where_distances_were_spent() -> None:
    budget = dp.Budget(epsilon=1, delta="1e-6")
    budget.spend("1/1000", distance="1e-7")
    page = ElementTree.fromstring(re.sub(r"<meta[^>]*>", "", budget.report().removeprefix("<!DOCTYPE html>\n")))
    (bar,) = page.iter("{http://www.w3.org/2000/svg}rect")
    height = 240 * float(budget.rho / (budget.rho + budget.remaining()))
    assert float(bar.attrib["height"]) == pytest.approx(height, abs=0.01) and height > 1.02 * 240 * float(budget.rho / dp.rho(epsilon=1, delta="1e-6"))


def test_a_report_is_audited(tmp_path: Path) -> None:
    budget = dp.Budget(rho=1, path=tmp_path / "ledger.json")
    budget.spend("1/4")
    (tmp_path / "ledger.json").write_text((tmp_path / "ledger.json").read_text().replace("1/4", "1/8"))
    with pytest.raises(ValueError, match="head = "):
        budget.report()
    beyond = dp.Budget(rho=1)
    beyond._book = beyond._book.with_charge(dp.Charge(Fraction(2)))
    with pytest.raises(ValueError, match="the releases exceed the limit"):
        beyond.report()
