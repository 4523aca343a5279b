"""Copies a wheel so that it is the same from every clone: in its bill of materials, `samplez` stands for this folder.

usage: wheel.py WHEEL FOLDER
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

wheel, folder = map(pathlib.Path, sys.argv[1:])
here = pathlib.Path(__file__).resolve().parents[1].as_uri().encode()
with zipfile.ZipFile(wheel) as archive:
    files = {entry: archive.read(entry) for entry in archive.infolist()}
digests = {}
for entry, data in files.items():
    if "/sboms/" in entry.filename:
        files[entry] = data = data.replace(here, b"file:///samplez")
        digests[entry.filename] = f"sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}"
record = next(entry for entry in files if entry.filename.endswith("/RECORD"))
lines = [(line.split(",")[0], line) for line in files[record].decode().splitlines()]
files[record] = "".join(f"{name},{digests[name]}\n" if name in digests else f"{line}\n" for name, line in lines).encode()
with zipfile.ZipFile(folder / wheel.name, "w") as archive:
    for entry, data in files.items():
        archive.writestr(entry, data, entry.compress_type)
