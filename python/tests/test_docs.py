"""The README's and the modules' examples run."""

import doctest
import importlib
from pathlib import Path

import pytest

import samplez

README = Path(__file__).parents[1] / "README.md"
MODULES = ["samplez", "samplez._certificate", "samplez._gaussian", "samplez._random"]


def test_readme() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted > 10 and result.failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_module(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), extraglobs={"samplez": samplez})
    assert result.attempted > 0 and result.failed == 0
