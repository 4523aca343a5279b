#!/usr/bin/env python3
"""Emitted samplers in C, compiled for other processors and executed on random bytes: every path must be the same.

    emulated.py SAMPLEZ quick                clang, two processors, each width of limbs at -Os and -O2
    emulated.py SAMPLEZ whole [docs/...csv]  clang and the gcc that there are, every processor and level; the rows as CSV

A path is the blocks of instructions executed and the addresses read and written, in order. Two controls must be found: a branch
planted on a borrow, and the sampler of 16-bit limbs whose bounds the compiler knows, on a Cortex-M0.
"""

import datetime
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from machines import LAYOUT, MACHINES, Machine, Program

ZIG = [sys.executable, "-m", "ziglang"]
LEVELS = ["-O1", "-O2", "-O3", "-Os"]
LIMBS = [16, 24, 32, 64]
LAW = ["--sigma", "3.2", "--precision", "40"]
OPTIONS = ["-g0", "-ffreestanding", "-fno-builtin", "-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-c"]
# Of a Cortex-M0's compiler: functions that its code calls.
RUNTIME = """
#include <stddef.h>
void *memset(void *p, int c, size_t n) { volatile unsigned char *q = p; while (n--) *q++ = c; return p; }
void *memcpy(void *p, const void *s, size_t n) { volatile unsigned char *q = p; const unsigned char *r = s; while (n--) *q++ = *r++; return p; }
void __aeabi_memclr(void *p, size_t n) { memset(p, 0, n); }
void __aeabi_memclr4(void *p, size_t n) { memset(p, 0, n); }
void __aeabi_memclr8(void *p, size_t n) { memset(p, 0, n); }
#ifdef ZIG
typedef union { unsigned long long all; struct {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
unsigned high, low;
#else
unsigned low, high;
#endif
} part; } both;
unsigned long long __ashldi3(unsigned long long x, int n) {
    both b = {x}; if (n >= 32) { b.part.high = b.part.low << (n - 32); b.part.low = 0; }
    else if (n > 0) { b.part.high = b.part.high << n | b.part.low >> (32 - n); b.part.low <<= n; } return b.all; }
unsigned long long __lshrdi3(unsigned long long x, int n) {
    both b = {x}; if (n >= 32) { b.part.low = b.part.high >> (n - 32); b.part.high = 0; }
    else if (n > 0) { b.part.low = b.part.low >> n | b.part.high << (32 - n); b.part.high >>= n; } return b.all; }
unsigned long long __aeabi_llsl(unsigned long long x, int n) { return __ashldi3(x, n); }
unsigned long long __aeabi_llsr(unsigned long long x, int n) { return __lshrdi3(x, n); }
#endif
"""


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def emitted(samplez: str, limbs: int, law: list[str]) -> str:
    return run([samplez, "table", *law, "--emit", "c-sampler", "--limbs", str(limbs), "--name", "NOISE"])


def compiled(machine: Machine, compiler: str, level: str, source: str, folder: Path) -> Program:
    """The program of this source. `compiler` is clang or gcc."""
    (folder / "sampler.c").write_text(source)
    (folder / "runtime.c").write_text(RUNTIME)
    (folder / "layout").write_text(LAYOUT)
    # The system's own belongs to another C library.
    (folder / "limits.h").write_text("#define INT_MAX __INT_MAX__\n#define UINT_MAX (2U * INT_MAX + 1)\n")
    libraries = []
    if compiler == "clang":
        cc = [*ZIG, "cc", "-target", *machine.clang.split(), "-fno-sanitize=all", "-DZIG"]
    else:
        cc = machine.gcc.split()
        libraries = [run([*cc, "-print-libgcc-file-name"]).strip()]
        cc += ["-nostdinc", f"-I{folder}", "-isystem", run([*cc, "-print-file-name=include"]).strip()]
    objects = []
    for name, options in (("sampler", level), ("runtime", "-O1")):
        objects.append(str(folder / f"{name}.o"))
        run([*cc, options, *OPTIONS, str(folder / f"{name}.c"), "-o", objects[-1]])
    elf = str(folder / "program")
    run([*ZIG, "ld.lld", "-T", str(folder / "layout"), "--entry=0", *objects, *libraries, "-o", elf])
    return Program(machine, elf)


def paths(program: Program, source: str, count: int) -> tuple[int, list[int]]:
    """How many paths there are over so many records, and the samples: random bytes, the least and the greatest draw, and rare values."""
    size = int(re.search(r"#define NOISE_BYTES (\d+)", source)[1])
    rng = random.Random(1)
    found, samples = set(), []
    for i in range(count):
        record = [bytes(size), b"\xff" * size][i] if i < 2 else rng.randbytes(size)
        if i % 4 == 3:
            record = record[:-2] + bytes([rng.randrange(16) if i % 8 == 3 else 0, record[-1] & 0x80])
        path, sample, _ = program.call("noise_sample", record)
        found.add(path)
        samples.append((sample + 128) % 256 - 128)
    return len(found), samples


def planted(source: str) -> str:
    """A sampler that branches on each borrow."""
    branch = "if (borrow) { volatile int planted = 0; planted++; index++; }"
    changed = source.replace("index += borrow;", branch)
    assert changed != source
    return changed


def known(source: str) -> str:
    """A sampler whose compiler knows the bounds."""
    changed = source.replace("volatile noise_word unknown", "const noise_word unknown")
    assert changed != source
    return changed


def main() -> None:
    samplez, size, *rest = sys.argv[1:]
    whole = size == "whole"
    machines = MACHINES if whole else [machine for machine in MACHINES if machine.name in ("cortex-m0", "riscv64")]
    levels, count = (LEVELS, 64) if whole else (["-O2", "-Os"], 32)
    sources = {limbs: emitted(samplez, limbs, LAW) for limbs in LIMBS}
    today, wanted, failures, rows = datetime.date.today().isoformat(), None, [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for machine in machines:
            for compiler in ("clang", "gcc") if whole else ("clang",):
                command = ZIG + ["cc"] if compiler == "clang" else machine.gcc.split()
                if not command:
                    continue
                if not shutil.which(command[0]):
                    print(f"{machine.name}: {command[0]} is not there: skipped")
                    continue
                version = re.search(r"\d+\.\d+\.\d+", run([*command, "--version"]))[0]
                bad = []
                for level in levels:
                    for limbs, source in sources.items():
                        found, samples = paths(compiled(machine, compiler, level, source, folder), source, count)
                        wanted = wanted or samples
                        if found != 1:
                            bad.append(f"{level}, limbs of {limbs}: {found} paths")
                        if samples != wanted:
                            bad.append(f"{level}, limbs of {limbs}: other samples")
                # A branch at one level, with all limbs.
                for source in sources.values():
                    if paths(compiled(machine, compiler, "-O2", planted(source), folder), source, 16)[0] == 1:
                        bad.append("the planted branch was not found")
                failures += [f"{machine.name}, {compiler}: {what}" for what in bad]
                rows.append(f"{machine.name},{compiler} {version},{' '.join(levels)},{' '.join(map(str, LIMBS))},{count},{len(bad)},{today}")
                print(rows[-1], flush=True)
        m0 = next(machine for machine in machines if machine.name == "cortex-m0")
        old = known(emitted(samplez, 16, ["--sigma", "3.2", "--precision", "15"]))
        if paths(compiled(m0, "clang", "-Os", old, folder), old, 32)[0] == 1:
            failures.append("cortex-m0: the branches of known bounds were not found")
    if rest:
        header = "processor,compiler,levels,bits of limbs,records,findings,date"
        Path(rest[0]).write_text("\n".join([header, *rows]) + "\n")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
