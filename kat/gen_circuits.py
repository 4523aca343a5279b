"""Writes circuits.csv: samples of circuits from fixed random bits: gen_circuits.py SAMPLEZ.

The bits are words of Marsaglia's xorshift64 with the shifts 13, 7 and 17 from the state 0x9e3779b97f4a7c15, one word for each input in order; bit i of
every word belongs to sample i. The script evaluates the gates that `samplez circuit --emit json` lists.
"""

import csv
import json
import re
import subprocess
import sys

LAWS = """
--sigma 1.278 --precision 78
--sigma 1.278 --precision 78 --depth log
--sigma 1.8205 --precision 72
--sigma 3.2 --precision 64
--sigma 3.2 --precision 128
--sigma 3.2 --precision 128 --depth log
--sigma 3.2 --center 1/3 --precision 64
--sigma 2 --center -22/3 --precision 32
--sigma 1.5 --center 1/2 --precision 48
--sigma 20 --precision 64
--sigma 20 --precision 64 --depth log
--s 8.35 --precision 72
--k-sigma2 2 --precision 64
--sigma-squared 10 --precision 56
--sigma 0.5 --precision 24
--sigma 1/3 --precision 40
--sigma 4 --center 1000000 --precision 80
--sigma 6 --center -5/7 --precision 200
--sigma 40 --precision 32
--sigma 1000 --center -3 --precision 32
""".split("\n")[1:-1]


def words(count):
    state = 0x9E3779B97F4A7C15
    for _ in range(count):
        state ^= state << 13 & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 7
        state ^= state << 17 & 0xFFFFFFFFFFFFFFFF
        yield state


def samples(circuit):
    wires = list(words(circuit["inputs"]))
    for name, *operands in circuit["gates"]:
        a, b = wires[operands[0]], wires[operands[-1]]
        wires.append({"xor": a ^ b, "and": a & b, "not": a ^ 0xFFFFFFFFFFFFFFFF}[name])
    outputs = [wires[output] for output in circuit["outputs"]]
    (meaning,) = [fact for fact in circuit["facts"] if fact.startswith("outputs: ")]
    base = int(re.search(r"the sample is (-?\d+) \+ x", meaning)[1])
    for lane in range(64):
        value = sum((word >> lane & 1) << j for j, word in enumerate(outputs))
        if "two's complement" in meaning and value >> len(outputs) - 1:
            value -= 1 << len(outputs)
        yield base + value


def main():
    with open("circuits.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["arguments", "samples"])
        for arguments in LAWS:
            command = [sys.argv[1], "circuit", *arguments.split(), "--emit", "json"]
            circuit = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            writer.writerow([arguments, " ".join(map(str, samples(circuit)))])


if __name__ == "__main__":
    main()
