"""The README's and the modules' examples run."""

import doctest
import importlib
import re
from pathlib import Path
from typing import Any

import numpy
import pytest

import samplez
import samplez.dp
from samplez import lattice, stats
from samplez.schemes import bliss, lp11, regev

README = Path(__file__).parents[1] / "README.md"
MODULES = ["samplez", "samplez._arrays", "samplez._big", "samplez._block", "samplez.dask", "samplez.dp._accounting", "samplez.dp._budget", "samplez.dp._mechanisms", "samplez.dp._plan", "samplez.dp._skellam_noise", "samplez.dp._staircase", "samplez._extras", "samplez._finite", "samplez._certificate", "samplez._gaussian", "samplez._law", "samplez.lattice", "samplez._numbers", "samplez._target", "samplez._plan", "samplez._random", "samplez._recipe", "samplez._residues", "samplez.stats", "samplez._verify",
           "samplez.schemes", "samplez.schemes._noise", "samplez.schemes.bliss", "samplez.schemes.lp11", "samplez.schemes.regev"]


GUIDES = README.parents[1] / "docs" / "book"


@pytest.mark.parametrize("page", [README, GUIDES / "differential-privacy.md", GUIDES / "lattices.md", GUIDES / "scipy.md", GUIDES / "tutorial-statistician.md", GUIDES / "tutorial-teacher.md"], ids=lambda page: str(page.name))
def test_page(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 10 and result.failed == 0


def test_the_project_s_readme() -> None:
    text = (README.parents[1] / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        exec(example, {})


def test_the_page_s_programs() -> None:
    """What the page shows as code: the first draws the vectors' samples, the second, from the operating system, others."""
    programs = re.findall(r"^```python\n(.*?)^```$", (GUIDES / "names.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    drawn: list[list[int]] = []
    for program in programs:
        scope: dict[str, Any] = {}
        exec(program, scope)
        drawn.append(scope["samples"].tolist())
    vectors = (README.parents[1] / "kat" / "recipes.csv").read_text(encoding="utf-8")
    wanted = re.search(r"^sigma=3\.2,chacha20,42,(.*)$", vectors, re.MULTILINE)
    assert wanted and " ".join(map(str, drawn[0][:16])) == wanted[1]
    assert len(drawn) == 2 and len(drawn[1]) == len(drawn[0]) and drawn[1] != drawn[0]


@pytest.mark.parametrize("name", MODULES)
def test_module(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), extraglobs={"samplez": samplez, "lattice": lattice, "numpy": numpy, "stats": stats, "bliss": bliss, "lp11": lp11, "regev": regev})
    assert result.attempted > 0 and result.failed == 0
