"""Where the native module is missing or another machine's, and what pip is told of machines and Pythons."""

import importlib.machinery
import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import samplez

PACKAGE = Path(samplez.__file__).parent
NAME = "_samplez" + importlib.machinery.EXTENSION_SUFFIXES[0]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A copy of the package without its native module."""
    copy = tmp_path / "samplez"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return copy


def importing(package: Path) -> str:
    """What Python says last when it imports the package, which it must not."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run([sys.executable, "-c", "import samplez"], env=environment, cwd=package.parent, capture_output=True, text=True)
    assert ran.returncode == 1
    return ran.stderr.splitlines()[-1]


def test_no_native_module(elsewhere: Path) -> None:
    said = importing(elsewhere)
    assert said.startswith(f"ImportError: samplez's native module is missing. The package is {elsewhere}, this is {platform.python_implementation()} ")
    assert platform.python_version() in said and sys.platform in said and platform.machine() in said
    assert "pip install --force-reinstall ./python" in said and "checkout" in said


def test_native_module_of_another_system(elsewhere: Path) -> None:
    """As where a folder of packages is copied from Windows to Linux, or the other way."""
    name = "_samplez.abi3.so" if sys.platform == "win32" else "_samplez.pyd"
    (elsewhere / name).write_bytes(b"MZ")
    said = importing(elsewhere)
    assert f"cannot be loaded: there is {name}; No module named 'samplez._samplez'" in said and platform.machine() in said


def test_native_module_of_another_machine(elsewhere: Path) -> None:
    """The loader's own words are told."""
    (elsewhere / NAME).write_bytes(b"\x7fELF" + bytes(60))
    said = importing(elsewhere)
    assert f"cannot be loaded: there is {NAME}; " in said and str(elsewhere / NAME) in said and platform.machine() in said


def test_pip_is_told_what_the_wheel_is_for() -> None:
    distribution = importlib.metadata.distribution("samplez")
    assert distribution.metadata["Requires-Python"] == ">=3.10"
    wheel = distribution.read_text("WHEEL") or ""
    tags = [line.removeprefix("Tag: ") for line in wheel.splitlines() if line.startswith("Tag: ")]
    assert tags and all(tag.startswith("cp310-abi3-") and not tag.endswith("-any") for tag in tags)
