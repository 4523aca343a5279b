"""Writes docs/book/census.md, its rows in docs/census-rows.md, and the laws that `identify` names, from census.csv: page.py, or page.py --check, which also compares rows, drivers and the CSV's rows."""

import math
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

from census import HERE, kept, rows

PAGE = HERE.parents[1] / "docs/book/census.md"
ROWS = HERE.parents[1] / "docs/census-rows.md"
KNOWN = HERE.parents[1] / "crates/samplez-stats/src/identify/known.tsv"
HEAD = """# Census of other libraries

If a library names its sampler "Gaussian" or "discrete", look here for the distribution (its *law*) that it draws, because libraries use one name for
different laws. Each sampler of a public package drew integers, and [`samplez verify`](verifying.md) tested them against the laws that could be meant. [The
rows](../census-rows.md) name each sampler with its version, call, parameters and result. [Test your own library](conformance.md) the same way.

In the table, D_Z is the discrete Gaussian, the rounded normal the integer nearest to a normal variable, Skellam the difference of two Poisson variables, and
the centred binomial that of two sums of coins.

"""
READ = """# Census, row by row

[The census](book/census.md) asked which distribution other libraries draw. These are its rows.

- **By its documents** is what the library states, in our words. Where it promises a normal variable, the rounded normal is as promised.
- **By `verify`** lists the laws that the integers are consistent with. That is, {count} integers showed no difference. `verify` rejects ideal
  samples about once in a million runs. It detects half of the time a law at a total variation distance of {detects}, and smaller
  errors more rarely.
- **By `identify`** lists the laws that [`samplez identify`](book/verifying.md#which-distribution-is-it) found consistent with the same integers, without
  parameters: it gets nothing else.
- **Seen, type** has the least and the greatest of the tested integers, and their type.
- **Same integers** names the pairs that repeated each other, of the pairs that were tried. *Seed*: two processes with seed 1, as they should. *No seed*:
  two processes without a seed. *Fork*: a child process and its parent, after a fork from a sampler that had drawn (in R with `mc.set.seed=FALSE`).
  *Threads*: two threads that each set up the library without a seed. For SQL engines, whether noise that one query mentions twice, as an expression,
  a column of a derived table or an equal scalar subquery, is drawn once or anew. *Hangs*: no answer came. A dash: none of the
  tried pairs repeated.
- Where a library accepts a seed, the driver uses seed 1. It drops a first call, which may set the library up, and tests the integers of the next.

`make census` repeats the runs into [census.csv](../lab/census/census.csv), which also has for each run the date, the number of
integers, the rejected laws with their least p-value, the pairs that were tried, what the call offers as centre and draws at 1/2, what came with 2^70
times the scale, what the documents claim of the running time (empty also where we did not look), and the speed. Speeds are million
integers a second of processor time, the library's beside ours for the first law of the row, or D_Z for a rounded normal. Ours is a release build's
`samplez sample` on one thread, which also writes the integers. The time of noise in a ciphertext includes the encryption and the decryption. The machine
was busy, so small ratios mean nothing. A row without laws by `identify` or without a speed of ours ran without that step.

"""
PAIRS = {"processes": "seed", "unseeded": "no seed", "fork": "fork", "thread": "threads"}


def laws(text: str) -> list[str]:
    return [part.rsplit(", p", 1)[0] for part in text.split("; ") if part]


def identified(row: dict[str, str]) -> list[str]:
    """The names of the laws that `identify` found consistent."""
    return list(dict.fromkeys(part.split(", ")[0] for part in row["identified"].split("; ") if part))


def kind(row: dict[str, str]) -> str:
    """The accepted law's kind, without parameters."""
    found = laws(row["accepted"])
    return found[0].split(",")[0].split(" of ")[0] if found else "none of the tested laws"


def summary(found: list[dict[str, str]]) -> str:
    lines = [f"{len(found)} samplers of {len({row['package'] for row in found})} packages were run.", ""]
    lines += ["| named by the library | law by `verify` | samplers |", "|---|---|--:|"]
    kinds = Counter((row["named"], kind(row)) for row in found)
    lines += [f"| {named} | {law} | {count} |" for (named, law), count in sorted(kinds.items())]
    lines += ["", "So a name is no guarantee. Before you use one of these samplers, note:", ""]
    odd = {row["package"]: identified(row) for row in found if not row["accepted"]}
    names = ", ".join(package + (f" (`identify`: {names[0]})" if len(names) == 1 else "") for package, names in odd.items())
    lines.append(f"- `verify` rejected every tested law for a sampler of {names}.")
    wrong = [row for row in found if row["named"] == "discrete Gaussian" and kind(row) != "D_Z" and row["accepted"]]
    lines += dict.fromkeys(f"- {row['package']} names its law discrete Gaussian, and drew the {kind(row)}." for row in wrong)
    judged = [({numbers(law)[0] for law in laws(row["accepted"])}, set(identified(row))) for row in found if row["accepted"] and row["identified"]]
    seen, alone = (sum(bool(test(law, names)) for law, names in judged) for test in (set.intersection, set.issuperset))
    lines.append(f"- `samplez identify` received the integers of {len(judged)} samplers without a law. For {seen} of them it accepted the law that `verify` accepted, and for {alone} no other law.")
    same = ", ".join(dict.fromkeys(row["package"] for row in found if row["unseeded"] == "repeat"))
    lines.append(f"- If you leave out the seed, two processes draw the same integers by samplers of {same}.")
    return "\n".join([*lines, ""])


def cell(text: str) -> str:
    return text.replace("|", "\\|") or "–"


def repeats(row: dict[str, str]) -> str:
    """The pairs that drew the same integers, or never answered, and what an SQL engine repeats."""
    same = ", ".join(name + " hangs" * (row[key] == "hangs") for key, name in PAIRS.items() if row[key] in ("repeat", "hangs"))
    return "; ".join(filter(None, [same, row["column"]]))


def table(found: list[dict[str, str]]) -> str:
    lines = ["| package, call | parameter | by its documents | by `verify` | by `identify` | seen, type | same integers |", "|---|---|---|---|---|---|---|"]
    for row in found:
        drawn = "; ".join(laws(row["accepted"])) or "none of the tested laws"
        seen = f"{row['least']} to {row['greatest']}, {row['type']}"
        cells = f"{row['package']} {row['version']}: {row['call']}", row["parameter"], row["documented"], drawn, "; ".join(identified(row)), seen, repeats(row)
        lines.append("| " + " | ".join(map(cell, cells)) + " |")
    return "\n".join(lines) + "\n"


def read(found: list[dict[str, str]]) -> str:
    """How to read the table, with the sizes and the power of the runs."""
    counts = [int(row["count"]) for row in found]
    powers = [float(row["detects"]) for row in found if row["detects"]]
    return READ.format(count=f"{min(counts):,} to {max(counts):,}", detects=f"{min(powers):g} to {max(powers):g}")


def ran() -> list[dict[str, str]]:
    return [row for row in kept().values() if not row["lacking"]]


def table_page() -> str:
    """Every row, and what could not be run."""
    missing = "".join(f"- {row['package']} {row['version']}: {row['lacking']}\n" for row in kept().values() if row["lacking"])
    return f"{read(ran())}## Samplers\n\n{table(ran())}\n## Without a run\n\n{missing}"



NAMES = {"D_Z": "discrete Gaussian", "rounded normal": "rounded normal", "discrete Laplace of scale": "discrete Laplace", "Skellam of variance": "Skellam", "centred binomial of": "centred binomial", "TUniform of": "TUniform"}
# σ of each way to write a width.
WIDTHS = {"σ": 1, "σ₂": math.sqrt(0.5 / math.log(2)), "s": 1 / math.sqrt(2 * math.pi)}


def numbers(law: str) -> tuple[str, list[float], str]:
    """The name of a law, its parameters, and the greatest distance from 0 if it is cut: of `D_Z, σ = 1, c = 1/2, within 6`."""
    first, *parts = law.removesuffix(" pairs").removesuffix(" bits").split(", ")
    if not parts:
        name, value = first.rsplit(" ", 1)
        return NAMES[name], [float(Fraction(value))], ""
    values, within = {"c": 0.0}, ""
    for part in parts:
        if part.startswith("within "):
            within = part.removeprefix("within ")
            continue
        letter, value = part.split(" = ")
        if letter == "c":
            values["c"] = float(Fraction(value))
        elif letter == "σ²":
            values["σ"] = math.sqrt(Fraction(value))
        else:
            unit = "σ₂" if value.endswith("σ₂") else letter
            values["σ"] = float(Fraction(value.removesuffix("σ₂"))) * WIDTHS[unit]
    return NAMES[first], [values["σ"], values["c"]], within


def known() -> str:
    """The laws that samplers drew, with the samplers: what `samplez identify` names."""
    lines, first = [], {}
    for row in kept().values():
        if row["lacking"]:
            continue
        call = row["call"].replace("`", "")
        start, _, rest = call.partition(",")
        name = f"{row['package']} {row['version']}"
        call = f"{first[name]},{rest}" if start in ("the same", "the first call") else call
        first.setdefault(name, call)
        for law in laws(row["accepted"]):
            of, values, within = numbers(law)
            lines.append("\t".join([of, " ".join(f"{value:.12g}" for value in values), within, f"{name}: {call}"]))
    return "\n".join(lines) + "\n"


def main() -> None:
    written = {PAGE: HEAD + summary(ran()), ROWS: table_page(), KNOWN: known()}
    if sys.argv[1:] != ["--check"]:
        for path, text in written.items():
            path.write_text(text, encoding="utf-8")
        return
    drivers = {path.name for path in (HERE / "drivers").iterdir() if path.stem != "common"}
    wrong = [f"{name}: no driver of rows.ini names it" for name in drivers ^ {row["driver"] for row in rows().values() if "driver" in row}]
    have = kept()
    wrong += [f"{name}: in one of rows.ini and census.csv only" for name in have.keys() ^ rows().keys()]
    wrong += [f"{name}: the version in census.csv is older" for name, row in rows().items() if name in have and have[name]["version"] != row["version"]]
    for path, text in written.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(f"{path.relative_to(HERE.parents[1])}: not what lab/census/page.py writes; run it")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
