"""The file of a budget's ledger: one name, one lock, and a record of what was last written."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from samplez.dp._ledger import Book, read

# The lock files that this process holds open, which a forked child must not keep: it would hold the lock with them.
_HELD: set[int] = set()
_RECORD = re.compile(rb"([0-9]{20}) ([0-9a-f]{64})\n")


def _close_in_child() -> None:
    for lock in _HELD:
        os.close(lock)
    _HELD.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)


class Store:
    """A ledger's file. Its path is resolved once: a symbolic link and its target are one ledger, with one lock.

    The lock file records how many releases were written last, and the head of their chain. So an older copy of the ledger is noticed.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"path = {path!r}: expected a str or an os.PathLike")
        name = os.fspath(path)
        if not isinstance(name, str) or not name or "\0" in name:
            raise ValueError(f"path = {name!r}: expected the name of a file, as a str; name one such as ledger.json")
        self.label, self.path = f"path = {name}", Path(os.path.realpath(name))
        if self.path.is_dir():
            raise IsADirectoryError(f"{self.label}: is a directory; name a file in it, such as {os.path.join(name, 'ledger.json')}")

    @contextmanager
    def locked(self) -> Iterator[int]:
        """Holds the ledger's lock, against other processes and other stores. The result is for `read` and `write`."""
        try:
            lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        except FileNotFoundError:
            raise FileNotFoundError(f"{self.label}: its directory does not exist; create it first") from None
        _HELD.add(lock)
        try:
            _take(lock)
            with suppress(FileNotFoundError, PermissionError):  # before there is a ledger, and of a lock that another user owns
                _match(lock, os.lstat(self.path), stat.S_IRUSR | stat.S_IWUSR)
            yield lock
        finally:
            if lock in _HELD:  # not in a child that was forked within
                _HELD.discard(lock)
                # Explicitly: a child that inherited the file may not have closed it yet.
                _give(lock)
                os.close(lock)

    def refuse_present(self) -> None:
        """Refuses the name of a file that is there."""
        if os.path.lexists(self.path):
            raise FileExistsError(f"{self.label}: exists already; use samplez.dp.Budget.open for a ledger, or another name")

    def create(self, lock: int, book: Book) -> None:
        """Writes a new ledger."""
        self.refuse_present()
        found = _recorded(lock)
        if found is not None:
            raise ValueError(f"{self.label}: is gone, but {self.path}.lock records {_releases(found[0])}; restore the file, or remove the lock file for a new budget")
        self.write(lock, book)

    def book(self) -> Book:
        """The ledger in the file. Raises `ValueError` and `OSError`."""
        try:
            info = os.lstat(self.path)
        except FileNotFoundError:
            raise FileNotFoundError(f"{self.label}: there is no such file; samplez.dp.Budget makes a new ledger") from None
        if not stat.S_ISREG(info.st_mode):
            raise ValueError(f"{self.label}: is no regular file any more; open it again")
        if info.st_nlink != 1:
            raise ValueError(f"{self.label}: the file has {info.st_nlink} names, by hard links, and would be spent under each; remove all but one")
        try:
            text = self.path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"{self.label}: expected a saved samplez.dp.Budget, found bytes that are not UTF-8; restore the file from a backup") from None
        return read(text, self.label)

    def read(self, lock: int, known: Book | None = None) -> Book:
        """The ledger, which must continue what was recorded, and the `known` one. Raises `ValueError` and `OSError`."""
        book = self.book()
        seen = None if known is None else (len(known.charges), known.last)
        for before in (_recorded(lock), seen):
            if before is not None and (len(book.charges) < before[0] or book.head(before[0]) != before[1]):
                raise ValueError(
                    f"{self.label}: has {_releases(len(book.charges))}, which do not continue the {before[0]} that were spent: an older copy or another "
                    f"ledger took its place; restore the newest copy. If it is lost, remove {self.path}.lock, open the file again and spend what is missing"
                )
        return book

    def write(self, lock: int, book: Book) -> bool:
        """Replaces the file in one step, after its content has reached the disk. Mode, owner and group stay. Returns true, because nobody else
        could write since `read`."""
        before = os.lstat(self.path) if self.path.exists() else None
        fresh = f"{self.path}.new"
        with suppress(FileNotFoundError):  # of a process that was killed
            os.unlink(fresh)
        try:
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if before is None else 0o600), "w", encoding="utf-8") as file:
                if before is not None:
                    _match(file.fileno(), before)
                file.write(book.text())
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, self.path)
        except BaseException:
            with suppress(OSError):
                os.unlink(fresh)
            raise
        # From here on the release is spent. A record that is one behind is no error: the ledger continues it.
        with suppress(OSError):
            os.lseek(lock, 0, os.SEEK_SET)
            os.write(lock, b"%020d %s\n" % (len(book.charges), book.last.encode()))
        if sys.platform != "win32":
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return True


def _match(file: int, ledger: os.stat_result, least: int = 0) -> None:
    """Gives a file the ledger's mode with these bits, and its owner and group where this process may."""
    if sys.platform == "win32":
        return
    own = os.fstat(file)
    if (own.st_uid, own.st_gid) != (ledger.st_uid, ledger.st_gid):
        with suppress(PermissionError):
            os.fchown(file, ledger.st_uid, ledger.st_gid)
    if own.st_mode != ledger.st_mode | least and stat.S_ISREG(ledger.st_mode):
        os.fchmod(file, stat.S_IMODE(ledger.st_mode) | least)


def _recorded(lock: int) -> tuple[int, str] | None:
    """The number of releases that were written last, and their head; ``None`` for a new lock file, or one that a crash has cut off."""
    os.lseek(lock, 0, os.SEEK_SET)
    found = _RECORD.fullmatch(os.read(lock, 100))
    return None if found is None else (int(found[1]), found[2].decode())


def _releases(count: int) -> str:
    return "1 release" if count == 1 else f"{count} releases"


def _take(lock: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(lock, 1 << 20, os.SEEK_SET)  # beyond the record, which others could not read otherwise
        msvcrt.locking(lock, msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX)


def _give(lock: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(lock, 1 << 20, os.SEEK_SET)
        msvcrt.locking(lock, msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_UN)
