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


EXTRAS = [
    ("import samplez.dask", "dask", "samplez.dask needs dask", "dask.array", '"dask[array]" distributed'),
    ("import samplez; samplez.DiscreteGaussian(3).scipy()", "scipy", "DiscreteGaussian.scipy needs scipy", "scipy.stats", "scipy"),
    ("import samplez; samplez.DiscreteGaussian(3).plot()", "matplotlib", "plot needs matplotlib", "matplotlib.pyplot", "matplotlib"),
]


@pytest.mark.parametrize(("code", "package", "needs", "module", "install"), EXTRAS)
def test_a_library_that_is_missing_or_broken(tmp_path: Path, code: str, package: str, needs: str, module: str, install: str) -> None:
    """The advice is a name of a registry. A library that is there and fails is not called missing, and its own error is the cause."""
    absent = (
        "import sys\nclass Absent:\n    def find_spec(self, name, *_):\n"
        f"        if name == {package!r}:\n            raise ModuleNotFoundError(name, name=name)\nsys.meta_path.insert(0, Absent())\n"
    )
    said = subprocess.run([sys.executable, "-c", absent + code], capture_output=True, text=True, cwd=tmp_path).stderr
    assert said.splitlines()[-1] == f"ImportError: {needs}: run pip install {install}" and "samplez[" not in said
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("import a_part_that_is_gone\n")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path).stderr
    assert said.splitlines()[-1] == (
        f"ImportError: {needs.partition(' needs ')[0]} needs {module}, which is installed but fails to import: ModuleNotFoundError: No module named "
        f"'a_part_that_is_gone'; repair it, for example by pip install --force-reinstall {install}"
    )
    assert "The above exception was the direct cause" in said


def test_pip_is_told_what_the_wheel_is_for() -> None:
    distribution = importlib.metadata.distribution("samplez")
    assert distribution.metadata["Requires-Python"] == ">=3.10"
    wheel = distribution.read_text("WHEEL") or ""
    tags = [line.removeprefix("Tag: ") for line in wheel.splitlines() if line.startswith("Tag: ")]
    assert tags and all(tag.startswith("cp310-abi3-") and not tag.endswith("-any") for tag in tags)
