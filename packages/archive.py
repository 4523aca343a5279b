"""Packs a folder so that the same files give the same bytes: sorted names, one date, no owner.

usage: archive.py FILE.tar.gz|FILE.zip PARENT NAME
"""

import gzip
import io
import os
import pathlib
import sys
import tarfile
import time
import zipfile

out, parent, name = sys.argv[1:]
when = int(os.environ["SOURCE_DATE_EPOCH"])
paths = sorted(pathlib.Path(parent, name).rglob("*"))
if out.endswith(".zip"):  # without entries for folders, which Go rejects
    with zipfile.ZipFile(out, "w") as archive:
        for path in paths:
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(parent).as_posix(), time.gmtime(when)[:6])
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
else:
    with open(out, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=when) as packed, tarfile.open(mode="w", fileobj=packed) as archive:
        for path in paths:
            entry = archive.gettarinfo(path, path.relative_to(parent).as_posix())
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            entry.mtime = when
            entry.mode = 0o755 if entry.mode & 0o100 else 0o644
            archive.addfile(entry, io.BytesIO(path.read_bytes()) if entry.isfile() else None)
