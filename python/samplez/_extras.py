"""Libraries that are not required: which one is missing, or installed and broken."""

from __future__ import annotations

import importlib
from typing import Any


def library(name: str, needed_by: str, install: str) -> Any:
    """The module of this name. The `ImportError` says whether its package is missing, or is there and fails: a broken one has its error as cause.

    >>> from samplez._extras import library
    >>> library("no_such_package.part", "This example", "such-package")
    Traceback (most recent call last):
    ...
    ImportError: This example needs no_such_package: run pip install such-package
    """
    package = name.partition(".")[0]
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == package:
            raise ImportError(f"{needed_by} needs {package}: run pip install {install}", name=package) from None
        raise ImportError(
            f"{needed_by} needs {name}, which is installed but fails to import: {type(error).__name__}: {error}; repair it, for example by "
            f"pip install --force-reinstall {install}", name=name
        ) from error


__all__ = ["library"]
