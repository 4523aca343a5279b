#!/usr/bin/env python3
"""Samplers of the core, compiled for other processors by nightly Rust with its own `core`, and executed on random words.

    core.py PROCESSOR...

A path may depend on nothing but the outcomes that the sampler declassifies: two calls with equal outcomes must have one path.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

from machines import LAYOUT, MACHINES, Program

HERE = Path(__file__).parent
TARGET = HERE.resolve().parents[2] / "target/emulated"
CASES = {
    "cdt_ct_one": 24, "cdt_ct_lanes": 24, "cdt_ct_planes": 3, "cdt_ct_small": 24, "isochronous": 192, "ternary": 192,
    "centered_binomial": 24, "tuniform": 24, "sparse_ternary": 192, "residues": 24,
}


def main() -> None:
    failures = []
    for name in sys.argv[1:]:
        machine = next(machine for machine in MACHINES if machine.name == name)
        build = ["cargo", "+nightly", "build", "--quiet", "--release", "-Zbuild-std=core", "--target", machine.rust]
        subprocess.run([*build, "--target-dir", str(TARGET)], cwd=HERE, check=True)
        with tempfile.TemporaryDirectory() as folder:
            layout, elf = Path(folder) / "layout", str(Path(folder) / "program")
            layout.write_text(LAYOUT)
            library = str(TARGET / machine.rust / "release/libsamplez_emulated.a")
            wanted = [f"--undefined={case}" for case in CASES]
            subprocess.run([sys.executable, "-m", "ziglang", "ld.lld", "-T", str(layout), "--entry=0", "--gc-sections", *wanted, library, "-o", elf], check=True)
            program = Program(machine, elf)
        for case, count in CASES.items():
            rng, paths, repeated = random.Random(1), {}, 0
            for _ in range(count):
                path, outcomes, _ = program.call(case, rng.randbytes(16384))
                repeated += outcomes in paths
                paths.setdefault(outcomes, set()).add(path)
            several = sum(len(found) > 1 for found in paths.values())
            print(f"{name},{case},{count},{repeated} repeated,{several} findings", flush=True)
            if several or not repeated:
                failures.append(f"{name}: {case}: {several} outcomes with several paths, {repeated} repeated")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
