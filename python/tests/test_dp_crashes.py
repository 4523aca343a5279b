"""Ledgers in files: refused paths, and calls of the system that fail."""

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from samplez import dp

# What the file's functions call of the system.
CALLS = ("open", "lseek", "read", "lstat", "unlink", "fstat", "fchmod", "fsync", "replace", "write", "close")


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_a_failed_call_grants_nothing_that_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Each call of the system fails once, in turn. The budget and its file agree afterwards, and go on."""
    failed = 0
    while True:
        path = tmp_path / f"ledger-{failed}.json"
        budget = dp.Budget(rho=1, path=path)
        budget.spend("0.25")
        left, granted, hit = [failed], 1, [""]

        def counted(name: str, left: list[int] = left, hit: list[str] = hit) -> Callable[..., Any]:
            real = getattr(os, name)

            def call(*arguments: Any, **more: Any) -> Any:
                left[0] -= 1
                if left[0] == -1:
                    hit[0] = name
                    if name == "close":  # which closes all the same
                        real(*arguments)
                    raise OSError(number, os.strerror(number))
                return real(*arguments, **more)

            return call

        with monkeypatch.context() as patch:
            for name in CALLS:
                patch.setattr(os, name, counted(name))
            try:
                budget.spend("0.25")
                granted = 2
            except OSError as error:
                assert error.errno == number
        kept = len(dp.Budget.open(path).charges)
        assert granted <= kept <= 2 and len(budget.charges) == kept and not Path(f"{path}.new").exists()
        assert granted == 1 or hit[0] not in {"open", "fsync", "replace"}, "success, though the disk keeps nothing"
        budget.spend("0.25")
        assert len(dp.Budget.open(path).charges) == kept + 1
        if left[0] >= 0:
            break
        failed += 1
    assert failed > 12 and granted == 2


def test_a_refused_path_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data.csv").write_text("1,2")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    parent = sorted(os.listdir(tmp_path.parent))
    path: Any
    for path, error, said in (
        ("", ValueError, "path = '': expected the name of a file, as a str; name one such as ledger.json"),
        ("a\0b", ValueError, "path = 'a\\x00b': expected the name of a file"),
        (b"ledger.json", TypeError, "path = b'ledger.json': expected a str or an os.PathLike"),
        (3, TypeError, "path = 3: expected a str or an os.PathLike"),
        (".", IsADirectoryError, "path = .: is a directory; name a file in it, such as ./ledger.json"),
        (tmp_path / "folder", IsADirectoryError, f"path = {tmp_path}/folder: is a directory; name a file in it, such as {tmp_path}/folder/ledger.json"),
        (tmp_path / "data.csv", OSError, f"path = {tmp_path}/data.csv: exists already; use samplez.dp.Budget.open for a ledger, or another name"),
        ("no/ledger.json", FileNotFoundError, "path = no/ledger.json: its directory does not exist; create it first"),
    ):
        with pytest.raises(error, match="^" + re.escape(said)):
            dp.Budget(rho=1, path=path)
        with pytest.raises((ValueError, TypeError, OSError)):
            dp.Budget.open(path)
    assert sorted(os.listdir(tmp_path)) == ["data.csv", "folder"] and not os.listdir(tmp_path / "folder") and sorted(os.listdir(tmp_path.parent)) == parent
