"""What other libraries draw: runs the drivers of rows.ini, and writes census.csv. Needs Python 3.11 and 3.13, and the toolchains of the rows.

    python census.py SAMPLEZ [ROW…]    the rows that census.csv lacks, or has of another version or without a law by `identify`; or these rows again
    python census.py SAMPLEZ --again   all rows again; those whose findings changed are printed

A row's package is installed in a folder of its own below CENSUS_CACHE (default: census in the temporary directory). The driver is run as
`driver CALL COUNT FILE SEED`. It writes the integers into FILE, one a line, and prints facts as `name value` lines: `seconds` of
processor time of the draw alone, `type` of an integer, `fork` of a child process, `thread` of two threads, `column` of SQL. SEED is empty where
the library takes none. CENSUS_SCALE and CENSUS_CENTER multiply the scale and move the centre. SAMPLEZ is the command of this tree.
"""

import configparser
import csv
import datetime
import functools
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("CENSUS_CACHE", Path(tempfile.gettempdir()) / "census"))
COLUMNS = (
    "row package version date call named parameter documented count accepted excluded detects identified least greatest type wide centre half processes "
    "unseeded fork thread column timing speed ours lacking"
).split()
# What a second run must find again; the rest depends on chance or on the machine.
LASTING = "version accepted type processes unseeded fork thread column lacking".split()


def rows() -> dict[str, dict[str, str]]:
    """The rows of rows.ini by name. A row `a/b` has what its section and the section `a` say."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(HERE / "rows.ini", encoding="utf-8")
    return {name: {**parser[name.split("/")[0]], **parser[name], "row": name} for name in parser.sections() if "/" in name or "lacking" in parser[name]}


def kept() -> dict[str, dict[str, str]]:
    """The rows of census.csv by name."""
    path = HERE / "census.csv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row["row"]: row for row in csv.DictReader(file)}


def keep(found: dict[str, dict[str, str]]) -> None:
    """Writes census.csv, in the order of rows.ini."""
    with (HERE / "census.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(found[name] for name in rows() if name in found)


def ran(arguments: list[str], folder: Path, **environment: str) -> str:
    run = subprocess.run(arguments, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{shlex.join(arguments[:6])}: {(run.stderr.strip() or run.stdout.strip())[-2000:]}")
    return run.stdout


def pip(folder: Path, needs: list[str], driver: Path) -> list[str]:
    """A first need `python==3.13` is another Python, which may be one of pyenv's."""
    wanted = needs.pop(0).removeprefix("python==") if needs[0].startswith("python==") else ""
    if not (folder / "bin/python").exists():
        name = f"python{'.'.join(wanted.split('.')[:2])}" if wanted else sys.executable
        ran([name, "-m", "venv", str(folder)], folder, **({"PYENV_VERSION": wanted} if wanted else {}))
        ran(["bin/pip", "install", "--quiet", "--no-compile", *needs], folder)
    return [str(folder / "bin/python"), "-B", driver.name]


def npm(folder: Path, needs: list[str], driver: Path) -> list[str]:
    if not (folder / "node_modules").exists():
        ran(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", ".", *needs], folder)
    return ["node", driver.name]


def go(folder: Path, needs: list[str], driver: Path) -> list[str]:
    if not (folder / "go.mod").exists():
        ran(["go", "mod", "init", "census"], folder)
        ran(["go", "get", *needs], folder)
    ran(["go", "build", "-o", "driver", "."], folder, GOFLAGS="-mod=mod -buildvcs=false")
    return ["./driver"]


def cargo(folder: Path, needs: list[str], driver: Path) -> list[str]:
    manifest = '[package]\nname = "driver"\nedition = "2021"\n[[bin]]\nname = "driver"\npath = "{}"\n[dependencies]\n{}\n[workspace]\n'
    (folder / "Cargo.toml").write_text(manifest.format(driver.name, "\n".join(needs)), encoding="utf-8")
    ran(["cargo", "build", "--quiet", "--release"], folder, CARGO_TARGET_DIR=str(folder / "target"))
    return ["target/release/driver"]


def maven(folder: Path, needs: list[str], driver: Path) -> list[str]:
    if not (folder / "lib").exists():
        names = ("groupId", "artifactId", "version")
        each = "".join("<dependency>" + "".join(f"<{n}>{v}</{n}>" for n, v in zip(names, need.split(":"), strict=True)) + "</dependency>" for need in needs)
        project = "<modelVersion>4.0.0</modelVersion><groupId>c</groupId><artifactId>c</artifactId><version>1</version>"
        (folder / "pom.xml").write_text(f"<project>{project}<dependencies>{each}</dependencies></project>", encoding="utf-8")
        ran(["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib"], folder)
    return ["java", "-cp", "lib/*", driver.name]


def system(folder: Path, needs: list[str], driver: Path) -> list[str]:
    """Debian's packages, then the command of a compiler or an interpreter."""
    *packages, command = needs
    for name, version in (one.split("=") for one in packages):
        found = subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], capture_output=True, text=True, check=False).stdout
        if found != version:
            ran(["apt-get", "install", "-y", "--no-install-recommends", f"{name}={version}"], folder)
    if "-o" not in command:
        return [*command.split(), driver.name]
    ran([*command.split(), driver.name], folder)
    return ["./driver"]


INSTALL = {"pip": pip, "npm": npm, "go": go, "cargo": cargo, "maven": maven, "system": system}


def drawn(program: list[str], folder: Path, row: dict[str, str], count: int, seed: str, **environment: str) -> tuple[Path, dict[str, str]]:
    out = folder / "integers.txt"
    text = ran([*program, row["row"].split("/")[1], str(count), str(out), seed], folder, **environment)
    return out, dict(line.split(" ", 1) for line in text.splitlines() if " " in line)


NAMES = {"sigma": "D_Z, σ = {}", "sigma-squared": "D_Z, σ² = {}", "k-sigma2": "D_Z, σ = {}σ₂", "s": "D_Z, s = {}"} | {
    "laplace": "discrete Laplace of scale {}", "skellam": "Skellam of variance {}", "centered-binomial": "centred binomial of {} pairs",
    "tuniform": "TUniform of {} bits", "center": "c = {}", "clip": "within {}", "modulus": "modulo {}",
}  # fmt: skip


def label(law: str) -> str:
    """A law as the page names it."""
    options = dict(re.findall(r"--(\S+)(?: (-?[^-\s]\S*))?", law))
    text = ", ".join(NAMES[key].format(value) for key, value in options.items() if key in NAMES) or "ternary"
    return text.replace("D_Z", "rounded normal") if options.get("law") == "rounded" else text


def judged(samplez: str, path: Path, law: str) -> tuple[str, str, str]:
    """The law, its least p-value with the test, and the distance that `verify` detects if it accepts the law (else empty)."""
    run = subprocess.run([samplez, "verify", str(path), *shlex.split(law), "--json", "--quiet"], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"verify {law}: {run.stderr}")
    report = json.loads(run.stdout)
    p, name = min((test["p_value"], test["name"]) for test in report["tests"] if test["p_value"] is not None)
    least = f"p = {p:.2g}" if p > 1e-300 else "p < 1e-300"
    return label(law), f"{least} by {name}", "" if run.returncode else f"{report['power']['total_variation']:.1e}"


def wide(program: list[str], folder: Path, row: dict[str, str], seed: str) -> str:
    """What 1000 integers of 2^70 times the scale look like, or the error."""
    try:
        path, _ = drawn(program, folder, row, 1000, seed, CENSUS_SCALE=str(2**70))
    except RuntimeError as error:
        return re.findall(r"(\w+(?:Error|Exception)\b)|$", str(error))[0] or "an error"
    integers = [int(line) for line in path.read_text(encoding="ascii").split()]
    value, often = Counter(map(abs, integers)).most_common(1)[0]
    if often > 20:
        return f"±{value:.4g} in {often} of 1000"
    bits = min((x & -x).bit_length() - 1 for x in integers if x)
    return f"to ±2^{max(map(abs, integers)).bit_length()}" + (f", multiples of 2^{bits}" if bits > 3 else "")


@functools.cache
def own_speed(samplez: str, law: str) -> float:
    """Million integers a second of processor time, of one thread, without what a single integer costs."""
    spent = []
    for count in (1, 40_000_000):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        options = ["--count", str(count), "--threads", "1", "--format", "raw", "--dtype", "i64", "--quiet"]
        subprocess.run([samplez, "sample", *law.split(), *options], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime - before.ru_utime)
    return count / (spent[1] - spent[0]) / 1e6


def prepared(row: dict[str, str]) -> tuple[list[str], Path]:
    """The command of a row's driver, and its folder."""
    folder = CACHE / row["row"].split("/")[0]
    mark = folder / "installed"
    if not mark.exists() or mark.read_text(encoding="utf-8") != row["needs"]:
        # Of other versions, or of a run that was ended.
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    driver = Path(shutil.copy(HERE / "drivers" / row["driver"], folder / f"driver{Path(row['driver']).suffix}"))
    if (common := HERE / f"drivers/common{driver.suffix}").exists():
        shutil.copy(common, folder)
    needs = row["needs"].strip().splitlines() if "\n" in row["needs"] else row["needs"].split()
    program = INSTALL[row["from"]](folder, needs, driver)
    mark.write_text(row["needs"], encoding="utf-8")
    return program, folder


def identified(samplez: str, path: Path) -> str:
    """The laws that `identify` finds consistent, with the simplest parameters that fit."""
    run = subprocess.run([samplez, "identify", str(path), "--json", "--quiet"], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"identify: {run.stderr}")
    passing = [law for law in json.loads(run.stdout)["laws"] if law["verdict"] == "pass"]
    return "; ".join(", ".join([law["name"], *(f"{name} {of['simplest']}" for name, of in law["parameters"].items())]) for law in passing) or "none"


def measured(samplez: str, row: dict[str, str]) -> dict[str, str]:
    found = {key: row.get(key, "") for key in COLUMNS} | {"date": datetime.date.today().isoformat()}
    if "lacking" in row:
        return found
    program, folder = prepared(row)
    seeds = row.get("seeds", "no")
    short, facts = {}, {}
    for seed in {"yes": ["1", ""], "required": ["1"], "no": [""]}[seeds]:
        for turn in (1, 2):
            path, more = drawn(program, folder, row, 1000, seed)
            short[seed, turn], facts = path.read_bytes(), facts | more
    if seeds != "no":
        found["processes"] = "repeat" if short["1", 1] == short["1", 2] else "differ"
    if seeds != "required":
        found["unseeded"] = "repeat" if short["", 1] == short["", 2] else "differ"
    seed = "" if seeds == "no" else "1"
    found["wide"] = wide(program, folder, row, seed) if "wide" in row else ""
    if "half" in row:
        path, _ = drawn(program, folder, row, 100_000, seed, CENSUS_CENTER="0.5")
        name, p, detects = judged(samplez, path, row["half"])
        found["half"] = name if detects else f"not {name}, {p}"
    path, more = drawn(program, folder, row, int(float(row.get("count", "1e6"))), seed)
    facts |= more
    integers = [int(line) for line in path.read_text(encoding="ascii").split()]
    found |= {"count": str(len(integers)), "least": str(min(integers)), "greatest": str(max(integers))}
    found |= {key: facts.get(key, "") for key in ("type", "fork", "thread", "column")}
    laws = [(law, judged(samplez, path, law)) for law in row["laws"].split("|")]
    found["accepted"] = "; ".join(f"{name}, {p}" for _, (name, p, detects) in laws if detects)
    found["excluded"] = "; ".join(f"{name}, {p}" for _, (name, p, detects) in laws if not detects)
    found["detects"] = next((detects for _, (_, _, detects) in laws if detects), "")
    found["identified"] = identified(samplez, path)
    found["speed"] = f"{len(integers) / float(facts['seconds']) / 1e6:.2g}" if "seconds" in facts else ""
    found["ours"] = f"{own_speed(samplez, re.sub(r'--(law|clip|range|modulus) [^ ]+', '', laws[0][0]).strip()):.2g}"
    return found


def main() -> None:
    samplez, *names = sys.argv[1:]
    samplez, again = str(Path(samplez).resolve()), "--again" in names
    names = [name for name in names if not name.startswith("--")]
    if unknown := [name for name in names if name not in rows()]:
        sys.exit(f"{unknown[0]}: expected a row of rows.ini, such as {next(iter(rows()))}")
    have, failed = kept(), []
    for name, row in rows().items():
        old = have.get(name)
        is_whole = old is not None and old["version"] == row["version"] and bool(old["lacking"] or old["identified"])
        if name not in names if names else is_whole and not again:
            continue
        print(name, flush=True)
        try:
            found = measured(samplez, row)
        except (RuntimeError, OSError, KeyError) as error:
            failed.append(name)
            print(f"  {error}", flush=True)
            continue
        for key in LASTING if name in have else ():
            # The p-values of two runs differ.
            was, now = (re.sub(r", p [^;]*", "", one[key]) for one in (have[name], found))
            if was != now:
                print(f"  {key}: {was} became {now}", flush=True)
        print("  " + ", ".join(f"{key} {found[key]}" for key in COLUMNS[8:] if found[key]), flush=True)
        have[name] = found
        keep(have)
    keep(have)
    sys.exit(f"failed: {' '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
