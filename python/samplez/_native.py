"""Checks that the package's native module is there. Otherwise the import's error names the problem and the machine."""

import platform
import sys
from pathlib import Path


def absent(error: ImportError) -> str:
    """The message where the native module cannot be imported, for `error`."""
    folder = Path(__file__).parent
    found = ", ".join(sorted(path.name for path in folder.glob("_samplez.*") if path.suffix != ".pyi"))
    what = f"cannot be loaded: there is {found}; {error}" if found else "is missing"
    here = f"{platform.python_implementation()} {platform.python_version()}, {sys.platform} on {platform.machine()}"
    return (
        f"samplez's native module {what}. The package is {folder}, this is {here}. Install the wheel for it; or, with "
        "Rust, pip install --force-reinstall ./python in a checkout, and start Python elsewhere than in its folder python"
    )


try:
    import samplez._samplez  # noqa: F401
except ImportError as error:
    raise ImportError(absent(error), name="samplez._samplez") from error
