"""Writes docs/book/census.md from census.csv: page.py, or page.py --check, which also compares rows, drivers and the CSV's rows."""

import sys
from collections import Counter
from pathlib import Path

from census import HERE, kept, rows

PAGE = HERE.parents[1] / "docs/book/census.md"
HEAD = """# Census of other libraries

Libraries use one name for different distributions. Each row is a run: a public package of a pinned version drew integers, and
[`samplez verify`](verifying.md) tested them against the distributions (their *laws*) that could be meant. D_Z is the discrete Gaussian, the
rounded normal the integer nearest to a normal variable, Skellam the difference of two Poisson variables, and the centred binomial that of two
sums of coins. `make census` repeats the runs into [census.csv](../../lab/census/census.csv). [Test your own library](conformance.md) the same way.

"""
READ = """## Read the table

- **By its documents** is what the library states, in our words. **By `verify`** lists the laws that the integers are consistent with, and the
  rejected ones with their least p-value. `verify` rejects ideal samples about once in a million runs.
- The tested integers are those of seed 1 where the library takes a seed, after a first one that the driver drops.
- Consistent means: no difference was found with this number of samples. The total variation distance that `verify` detects half of the time
  follows as *detects*.
- **Seen, type** has the least and the greatest integer, the type, and what came with 2^70 times the scale: the size of 1000 integers, or the
  error. Without *wide*, no such run is listed.
- **Centre** is what the call offers, then the law by `verify` of 100,000 integers with centre 1/2.
- **Repeats** compares two processes with seed 1; two without a seed; a child process with its parent, after a fork from a sampler that had
  drawn (in R with `mc.set.seed=FALSE`); two threads that each set up the library without a seed. SQL engines follow: whether noise that one
  query mentions twice, as an expression, a column of a derived table or an equal scalar subquery, is drawn once or anew. A dash means not tried.
  *hangs*: no answer.
- **Timing** is what the package's documents claim of the running time. A dash means that we found no claim, or did not look.
- **Speed** is in million integers a second of processor time, the library's beside ours for the first law of the row, or D_Z for a rounded
  normal. Ours is a release build's `samplez sample` on one thread, which also writes the integers. The machine was busy, so small ratios mean
  nothing. Without a figure of ours, the row is an earlier run of the day, beside another build.

"""


def laws(text: str) -> list[str]:
    return [part.rsplit(", p", 1)[0] for part in text.split("; ") if part]


def kind(row: dict[str, str]) -> str:
    """The accepted law's kind, without parameters."""
    found = laws(row["accepted"])
    return found[0].split(",")[0].split(" of ")[0] if found else "none of the tested laws"


def summary(found: list[dict[str, str]]) -> str:
    lines = [f"{len(found)} samplers of {len({row['package'] for row in found})} packages were run.", ""]
    lines += ["| named by the library | law by `verify` | samplers |", "|---|---|--:|"]
    kinds = Counter((row["named"], kind(row)) for row in found)
    lines += [f"| {named} | {law} | {count} |" for (named, law), count in sorted(kinds.items())]
    odd = [row for row in found if not row["accepted"]]
    lines += [""] + [f"- {row['package']} {row['version']}, {row['call']}: `verify` rejected each tested law." for row in odd]
    wrong = [row for row in found if row["named"] == "discrete Gaussian" and kind(row) != "D_Z" and row["accepted"]]
    lines += [f"- {row['package']} {row['version']} names its law discrete Gaussian, and drew the {laws(row['accepted'])[0]}." for row in wrong]
    same = Counter(f"{row['package']} {row['version']}" for row in found if row["unseeded"] == "repeat")
    lines += [f"- {name}, in {count} of its rows: two processes without a seed draw the same integers." for name, count in same.items()]
    return "\n".join([*lines, "", ""])


def cell(text: str) -> str:
    return text.replace("|", "\\|") or "–"


def table(found: list[dict[str, str]]) -> str:
    titles = "package, call", "parameter", "by its documents", "by `verify`", "seen, type", "centre", "repeats", "timing", "speed"
    lines = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    for row in found:
        accepted = f"{'; '.join(laws(row['accepted']))}, detects {row['detects']}" if row["accepted"] else "consistent with none"
        excluded = f". Rejected: {row['excluded']}" if row["excluded"] else ""
        repeats = " / ".join(row[key] or "–" for key in ("processes", "unseeded", "fork", "thread")) + (f"; {row['column']}" if row["column"] else "")
        cells = [
            f"{row['package']} {row['version']}: {row['call']}, {row['date']}", row["parameter"], row["documented"],
            f"{int(row['count']):,} samples: {accepted}{excluded}", f"{row['least']} to {row['greatest']}, {row['type']}" + f"; wide: {row['wide']}" * bool(row["wide"]), row["centre"] + f"; {row['half']}" * bool(row["half"]),
            repeats, row["timing"], f"{row['speed'] or '–'}, ours {row['ours']}",
        ]  # fmt: skip
        lines.append("| " + " | ".join(map(cell, cells)) + " |")
    return "\n".join(lines) + "\n"


def page() -> str:
    every = list(kept().values())
    found, lacking = [row for row in every if not row["lacking"]], [row for row in every if row["lacking"]]
    missing = "".join(f"- {row['package']} {row['version']}: {row['lacking']}\n" for row in lacking)
    return f"{HEAD}{summary(found)}{READ}## Samplers\n\n{table(found)}\n## Without a run\n\n{missing}"


def main() -> None:
    written = page()
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(written, encoding="utf-8")
        return
    drivers = {path.name for path in (HERE / "drivers").iterdir() if path.stem != "common"}
    wrong = [f"{name}: no driver of rows.ini names it" for name in drivers ^ {row["driver"] for row in rows().values() if "driver" in row}]
    have = kept()
    wrong += [f"{name}: in one of rows.ini and census.csv only" for name in have.keys() ^ rows().keys()]
    wrong += [f"{name}: the version in census.csv is older" for name, row in rows().items() if name in have and have[name]["version"] != row["version"]]
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != written:
        wrong.append("docs/book/census.md: not what lab/census/page.py writes; run it")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
