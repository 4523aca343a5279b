"""The README's and the modules' examples run."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

import samplez
import samplez.dp
from samplez.schemes import bliss, lp11, regev

README = Path(__file__).parents[1] / "README.md"
MODULES = ["samplez", "samplez._arrays", "samplez._block", "samplez.dask", "samplez.dp._accounting", "samplez.dp._budget", "samplez.dp._mechanisms", "samplez._certificate", "samplez._gaussian", "samplez._law", "samplez._plan", "samplez._random", "samplez._recipe",
           "samplez.schemes", "samplez.schemes._noise", "samplez.schemes.bliss", "samplez.schemes.lp11", "samplez.schemes.regev"]


GUIDES = README.parents[1] / "docs" / "book"


@pytest.mark.parametrize("page", [README, GUIDES / "differential-privacy.md", GUIDES / "scipy.md", GUIDES / "tutorial-statistician.md", GUIDES / "tutorial-teacher.md"], ids=lambda page: str(page.name))
def test_page(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 10 and result.failed == 0


def test_the_project_s_readme() -> None:
    text = (README.parents[1] / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        exec(example, {})


@pytest.mark.parametrize("name", MODULES)
def test_module(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), extraglobs={"samplez": samplez, "bliss": bliss, "lp11": lp11, "regev": regev})
    assert result.attempted > 0 and result.failed == 0
