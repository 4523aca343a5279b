"""Files of `samplez sample` in other languages: each reader writes the integers again in its own way, and `verify` reports on both files.

    python interchange.py SAMPLEZ    runs all rows, and writes docs/interchange.md

Two files of 20,000 integers: *narrow*, of σ = 3.2 in int8, and *wide*, of σ = 2^57 in int64, which doubles cannot hold.
"""

import re
import subprocess
import sys
from pathlib import Path

from census import CACHE, HERE, INSTALL, ran

COUNT = "20000"
SIGMA = {"narrow": "3.2", "wide": str(2**57)}
# Language, driver, how it is installed, what it needs; then readers with the format they read and the one they write.
ROWS = (
    ("Python 3.13", "read.py", "pip", ["python==3.13", "numpy==2.5.5", "pandas==3.1.1", "polars==2.1.0", "pyarrow==26.0.1", "duckdb==2.0.1"],
     "numpy npy npy, memmap raw raw, pandas csv csv, polars csv csv, pyarrow csv csv, duckdb csv csv, sqlite csv txt, stdlib raw raw"),
    ("JavaScript", "read.mjs", "npm", ["npyjs@1.2.0", "numpy-parser@1.2.3", "papaparse@5.7.1", "csv-parse@7.0.3", "d3-dsv@3.0.2"],
     "npyjs npy txt, numpy-parser npy txt, papaparse csv csv, csv-parse csv csv, d3-dsv csv csv, typed array raw raw"),
    ("Go", "read.go", "go", ["github.com/sbinet/npyio@v0.6.0"], "npyio npy npy, encoding/csv csv csv, encoding/binary raw raw"),
    ("Rust", "read.rs", "cargo", ['npyz = "=0.9.1"', 'ndarray-npy = "=0.10.0"', 'ndarray = "0.17"', 'csv = "1"', 'serde = "1"'],
     "npyz npy npy, ndarray-npy npy npy, csv csv txt"),
    ("Java", "read.java", "maven", ["org.apache.commons:commons-csv:1.14.1", "tech.tablesaw:tablesaw-core:0.44.4"],
     "tablesaw csv csv, commons-csv csv txt, ByteBuffer raw raw"),
    ("R", "read.R", "system", ["r-base-core=4.2.2.20221110-2", "r-cran-data.table=1.14.8+dfsg-1", "r-cran-bit64=4.0.5-1", "Rscript"],
     "read.csv csv csv, scan csv csv, readBin raw raw, data.table csv csv"),
    ("Octave", "read.m", "system", ["octave=7.3.0-2", "octave --no-gui --quiet --no-init-file"], "fread raw raw, dlmread csv csv, textscan csv csv"),
    ("C", "read.c", "system", ["cc -O2 -o driver"], "fread raw raw, fscanf csv txt"),
    ("shell", "read.sh", "system", ["gawk=1:5.2.1-2", "sh"], "gawk csv txt, gawk -M csv txt, sqlite3 csv csv, jq csv txt, perl csv txt"),
)  # fmt: skip
HEAD = """# Files in other languages

Will your reader keep every integer of a `samplez sample` file? Readers of eight languages and of the shell's tools opened two files, and wrote the integers
again. If every integer came back, [`samplez verify`](book/verifying.md) gives the same report for both; otherwise they are *changed*.

*Narrow* is a file of σ = 3.2 in int8; *wide* is one of σ = 2^57 in int64, whose integers doubles cannot hold. Readers that hold numbers in doubles or in 32
bits change those of *wide*, so read the column as text, or use a narrower σ. The formats read and written are in brackets; `make interchange` repeats the runs.

| language | kept every integer | did not |
|---|---|---|
"""


def page(results: list[tuple[str, ...]]) -> str:
    """The page: language, reader, formats read and written, and the outcomes of both files."""
    lines = []
    for language in dict.fromkeys(row[0] for row in results):
        kept, others = [], []
        for _, reader, reads, writes, *outcomes in (row for row in results if row[0] == language):
            name = f"{reader} ({reads})" if reads == writes else f"{reader} ({reads}, {writes})"
            wrong = [f"{file} {outcome}" for file, outcome in zip(SIGMA, outcomes, strict=True) if outcome != "equal"]
            (others if wrong else kept).append(": ".join([name, *([" and ".join(wrong)] if wrong else [])]))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in (language, ", ".join(kept), "; ".join(others))) + " |\n")
    return HEAD + "".join(lines)


def report(samplez: str, path: Path, name: str) -> str:
    kind = ["--format", "raw", "--dtype", "i8" if name == "narrow" else "i64"] if path.suffix == ".raw" else []
    run = subprocess.run([samplez, "verify", str(path), "--sigma", SIGMA[name], "--json", *kind], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        return run.stderr.strip()
    return re.sub(r'"(input|file|path|source)": *"[^"]*",?', "", run.stdout.replace(str(path), ""))


def outcome(samplez: str, program: list[str], folder: Path, reader: str, reads: str, writes: str, name: str) -> str:
    source, target = folder / f"{name}.{reads}", folder / f"back.{writes}"
    ran([samplez, "sample", "--sigma", SIGMA[name], "--count", COUNT, "--seed", "5", "--out", str(source), "--quiet"], folder)
    target.unlink(missing_ok=True)
    run = subprocess.run([*program, reader, source.name, target.name], cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return f"fails: {re.findall(r'Error: (.{,70})|$', run.stderr)[0] or run.stderr.strip()[-70:]}"
    ours, theirs = report(samplez, source, name), report(samplez, target, name)
    return "equal" if ours == theirs else "changed" if theirs.startswith("{") else f"not readable: {theirs[:90]}"


def main() -> None:
    samplez = str(Path(sys.argv[1]).resolve())
    results: list[tuple[str, ...]] = []
    for language, driver, installer, needs, readers in ROWS:
        folder = CACHE / f"read-{language.split()[0]}"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"driver{Path(driver).suffix}"
        path.write_text((HERE / "readers" / driver).read_text(encoding="utf-8"), encoding="utf-8")
        program = INSTALL[installer](folder, list(needs), path)
        for one in readers.split(", "):
            reader, reads, writes = one.rsplit(" ", 2)
            version = next((v for n, v in re.findall(r"([\w./-]+?)(?:==|@v?|:| = \"=)(\d[^\"\s]*)", "\n".join(needs)) if reader in n), "")
            outcomes = (outcome(samplez, program, folder, reader, reads, writes, name) for name in SIGMA)
            results.append((language, f"{reader} {version}".strip(), reads, writes, *outcomes))
            print(*results[-1], flush=True)
    (HERE.parents[1] / "docs/interchange.md").write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    main()
