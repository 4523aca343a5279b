"""Every public name, as docs/api/python.txt lists them: wrong calls name the argument and the way out, and each name is used."""

import importlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import samplez

ROOT = Path(__file__).parents[2]
LINES = [line.split("  ", 1) for line in (ROOT / "docs/api/python.txt").read_text("utf-8").splitlines()]
# `sample` names its parameters by an object's signature.
OWNERS = {"DiscreteGaussian": samplez.DiscreteGaussian(3), "OtherNoise": samplez.OtherNoise(ternary=True), "TableSampler": samplez.TableSampler([9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1], "frodo", sigma="2.8")}


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions, methods and classes with arguments."""
    for name, text in LINES:
        is_called = text.startswith(("def ", name.rpartition(".")[2] + "(")) or re.match(r"class [\w.]+\((?!\)|NamedTuple|TypedDict|\w+Error|Exception|Generic)", text)
        if not is_called:
            continue
        parts = name.split(".")
        module = next(".".join(parts[:n]) for n in range(len(parts) - 1, 0, -1) if not parts[n - 1][0].isupper())
        thing: Any = importlib.import_module(module)
        for part in parts[module.count(".") + 1 :]:
            thing = OWNERS.get(part, getattr(thing, part)) if part != parts[-1] else getattr(thing, part)
        yield name, thing


@pytest.mark.parametrize(("name", "call"), list(functions()))
def test_a_keyword_that_does_not_exist(name: str, call: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"^zzz: there is no such keyword argument; (expected one of \w+|none is expected)"):
        call(zzz=1)


@pytest.mark.parametrize(("name", "call"), list(functions()))
def test_too_many_arguments(name: str, call: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r": expected (no arguments|only [\w, ]+ without (its name|their names)|a name for each argument); write [\w.]+\("):
        call(*[1] * 20)


def test_the_surface_is_seen() -> None:
    assert len(list(functions())) > 120
