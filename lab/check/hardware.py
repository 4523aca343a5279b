"""Circuits of ten tables by programs of others: hardware.py SAMPLEZ FOLDER.

For each table: yosys proves by SAT that the Verilog is the rule of the columns for all inputs, the columns add up to the table's integers,
iverilog computes what the gates of the JSON file give, with registers and without, `samplez verify` judges the samples, and yosys maps the
gates to cells. Mutants of the columns and of the gates have to be rejected. Writes the table of docs/circuits-measured.md. FOLDER keeps what was
found for a Verilog text, so that a stopped run resumes.
"""

import hashlib
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

# σ, centre, bits; a folded table where the centre is an integer.
TABLES = [
    ("1", "0", 64), ("1.278", "0", 78), ("1.8205", "0", 72), ("2", "1/3", 64), ("3.2", "0", 64),
    ("3.2", "0", 128), ("4", "0", 64), ("4", "0", 128), ("20", "0", 64), ("20", "0", 128),
]  # fmt: skip
STAGES = 8
# Vectors without registers, where bits that come late make iverilog compute gates many times, and with them.
PLAIN, PIPED = 1_000, 10_000
# The law of this table is judged from more.
JUDGED, JUDGED_VECTORS = ("1.278", "0", 78), 100_000
PAGE = Path(__file__).resolve().parents[2] / "docs/circuits-measured.md"
# Areas in units of a two-input NAND gate, as in NanGate's Open Cell Library for 45 nm.
CELLS = {"NOT": 0.67, "NAND": 1, "NOR": 1, "AND": 1.33, "OR": 1.33, "XOR": 2, "XNOR": 2, "DFF_P": 5.67}
PROVE = "miter -equiv -flatten -make_assert {0} rule m; hierarchy -top m; opt -full; techmap; opt; abc -g AND,XOR; opt_clean; sat -prove-asserts m"


def run(*command, stdin=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, input=stdin)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))[:300]}: {done.stderr[-2000:] or done.stdout[-2000:]}")
    return done.stdout


class Circuit:
    def __init__(self, samplez, sigma, center, bits):
        self.name, self.bits, self.folded = f"{sigma}, {bits}" + (f", centre {center}" if center != "0" else ""), bits, center == "0"
        self.samplez, self.arguments = samplez, ["--sigma", sigma, "--center", center, "--precision", str(bits)]
        self.law = ["--sigma", sigma, "--center", center]
        self.verilog, self.pipelined = self.emit("verilog"), self.emit("verilog", "--pipeline", STAGES, "--name", "PIPE")
        file = json.loads(self.emit("json"))
        self.columns = [[(index, int(end)) for index, end in column] for column in file["columns"]]
        self.gates, self.outputs, self.inputs = file["gates"], file["outputs"], file["inputs"]
        self.choice = (len(self.columns) - 1).bit_length()
        self.base = int(re.search(r"the sample is (-?\d+) \+ x", " ".join(file["facts"]))[1])
        form = "folded,tail,floor-weights" if self.folded else "full,tail,floor-weights"
        table = run(samplez, "table", *self.law, "--form", f"{form},{bits}", "--emit", "csv")
        support = re.search(r"# support: (-?\d+) to", table)[1]
        self.first = 0 if self.folded else int(support)
        tails = [1 << bits, *(int(line) for line in table.split("\n") if line and line[0] != "#"), 0]
        self.masses = Counter({i: a - b for i, (a, b) in enumerate(zip(tails, tails[1:])) if a > b})

    def emit(self, format, *options):
        return run(self.samplez, "circuit", *self.arguments, "--emit", format, *options)

    def shared_out(self):
        """The masses that the columns hold."""
        masses = Counter()
        for column in self.columns:
            for (index, end), start in zip(column, [0, *(end for _, end in column)]):
                masses[index] += end - start
        return masses

    def rule(self, columns):
        """A behavioural module: u selects a value of a column."""
        below = self.bits - self.choice
        cases = []
        for number, column in enumerate(columns):
            value = str(column[-1][0] + self.first - (0 if self.folded else self.base))
            for index, end in reversed(column[:-1]):
                value = f"u < {below}'d{end} ? {index + self.first - (0 if self.folded else self.base)} : {value}"
            cases.append(f"    {self.choice}'d{number}: v = {value};\n")
        sign = f"r[{self.bits}] ? -v : v" if self.folded else "v"
        return (
            f"module rule(input [{self.inputs - 1}:0] r, output signed [{len(self.outputs) - 1}:0] x);\n"
            f"  wire [{below - 1}:0] u = r[{self.bits - 1}:{self.choice}];\n  reg signed [{len(self.outputs) - 1}:0] v;\n"
            f"  always @* case (r[{self.choice - 1}:0])\n{''.join(cases)}  endcase\n  assign x = {sign};\nendmodule\n"
        )

    def evaluate(self, inputs, gates=None):
        """The outputs of many inputs: bit i of every integer belongs to vector i."""
        wires, ones = list(inputs), (1 << max(word.bit_length() for word in inputs)) - 1
        for kind, a, *b in gates or self.gates:
            wires.append(wires[a] ^ wires[b[0]] if kind == "xor" else wires[a] & wires[b[0]] if kind == "and" else wires[a] ^ ones)
        return [wires[output] for output in self.outputs]


def proofs(pairs):
    """For each pair of a module noise_sample and a module rule, whether SAT finds that they agree for all inputs."""
    script = []
    for i, (module, rule) in enumerate(pairs):
        Path(f"a{i}.v").write_text(module)
        Path(f"b{i}.v").write_text(rule)
        script.append(f"design -reset; read_verilog a{i}.v b{i}.v; proc; {PROVE.format('noise_sample')}")
    Path("prove.ys").write_text("\n".join(script))
    found = re.findall(r"proof finished - (no model found: SUCCESS|model found: FAIL)", run("yosys", "-s", "prove.ys"))
    assert len(found) == len(pairs), (len(found), len(pairs))
    return ["SUCCESS" in words for words in found]


def netlist(circuit, gates):
    """The gates as a module."""
    name = lambda wire: f"r[{wire}]" if wire < circuit.inputs else f"w{wire}"
    lines = []
    for wire, (kind, a, *b) in enumerate(gates, circuit.inputs):
        right = f"~{name(a)}" if kind == "not" else f"{name(a)} {'^' if kind == 'xor' else '&'} {name(b[0])}"
        lines.append(f"  wire w{wire} = {right};\n")
    lines += [f"  assign x[{j}] = {name(wire)};\n" for j, wire in enumerate(circuit.outputs)]
    return f"module noise_sample(input [{circuit.inputs - 1}:0] r, output signed [{len(circuit.outputs) - 1}:0] x);\n{''.join(lines)}endmodule\n"


def mutants(circuit):
    """Changed columns, and netlists with one other gate or one other wire."""
    for c, column in enumerate(circuit.columns):
        for i, (index, end) in enumerate(column[:-1]):
            for other in {end - 1, end + 1}:
                yield "threshold", None, [*circuit.columns[:c], [*column[:i], (index, other), *column[i + 1 :]], *circuit.columns[c + 1 :]]
    for i, (kind, a, *b) in enumerate(circuit.gates):
        where = (a + 1) % (circuit.inputs + i)
        changes = [("gate", ["and", a, a]), ("wire", [kind, where, *b])]
        if kind != "not":
            changes = [("gate", ["and" if kind == "xor" else "xor", a, *b]), ("wire", [kind, a, a]), ("wire", [kind, where, *b])]
        for what, gate in changes:
            yield what, [*circuit.gates[:i], gate, *circuit.gates[i + 1 :]], None


def refused(circuit):
    """All mutants of a small circuit through SAT, against an evaluation on all inputs; and of the columns."""
    found, expected = [], []
    count = 1 << circuit.inputs
    inputs = [sum(((1 << (1 << i)) - 1) << ((1 << i) + (k << (i + 1))) for k in range(count >> (i + 1))) for i in range(circuit.inputs)]
    right = circuit.evaluate(inputs)
    tried = list(mutants(circuit))
    pairs = []
    for _, gates, columns in tried:
        pairs.append((netlist(circuit, gates or circuit.gates), circuit.rule(columns or circuit.columns)))
        expected.append(gates is not None and circuit.evaluate(inputs, gates) == right)
    for start in range(0, len(pairs), 50):
        found += proofs(pairs[start : start + 50])
    assert found == expected, [what for (what, *_), a, b in zip(tried, found, expected) if a != b]
    kinds = Counter(what for (what, *_), same in zip(tried, found) if not same)
    return kinds, sum(found)


def vectors(circuit, count):
    """Random inputs, a number for each vector, and the same for each input."""
    source = random.Random(f"{circuit.name}")
    words = [source.getrandbits(count) | 1 << count for _ in range(circuit.inputs)]
    texts = [format(word, "b")[:0:-1] for word in words]
    Path("in.txt").write_text("".join("".join(column) + "\n" for column in zip(*reversed(texts))))
    outputs = [format(word & ((1 << count) - 1), f"0{count}b")[::-1] for word in circuit.evaluate(words)]
    size = len(outputs)
    return [sum((bit == "1") << j for j, bit in enumerate(bits)) - ((bits[-1] == "1") << size) for bits in zip(*outputs)]


def simulate(circuit, late):
    """What iverilog computes for in.txt, of the module with registers if it is late."""
    name, clock = ("pipe_sample", "clk, ") if late else ("noise_sample", "")
    Path("module.v").write_text(circuit.pipelined if late else circuit.verilog)
    # After `late` edges come the first outputs, and after the last input as many.
    wait = (
        f"#1 clk = 1; #1 clk = 0; n = n + 1; if (n >= {late}) $fdisplay(g, \"%0d\", x);" if late else '#1 $fdisplay(g, "%0d", x);'
    )
    drain = f"repeat ({late - 1}) begin {wait} end" if late else ""
    Path("bench.v").write_text(
        f"module bench; reg clk; reg [{circuit.inputs - 1}:0] r; wire signed [{len(circuit.outputs) - 1}:0] x; integer f, g, n;\n"
        f"{name} unit({clock}r, x);\ninitial begin clk = 0; n = 0; f = $fopen(\"in.txt\", \"r\"); g = $fopen(\"out.txt\", \"w\");\n"
        f'while ($fscanf(f, "%b\\n", r) == 1) begin {wait} end\n{drain} $finish; end endmodule\n'
    )
    run("iverilog", "-o", "bench.vvp", "module.v", "bench.v")
    run("vvp", "-n", "bench.vvp")
    return [int(line) for line in Path("out.txt").read_text().split()]


def area(text, name):
    """The area in gate equivalents, and the registers."""
    Path("module.v").write_text(text)
    script = f"read_verilog module.v; synth -flatten -top {name}; abc -g AND,NAND,OR,NOR,XOR,XNOR; opt_clean; stat"
    cells = dict(re.findall(r"\$_(\w+)_ +(\d+)", run("yosys", "-p", script).split("Printing statistics")[-1]))
    assert cells.keys() <= CELLS.keys(), cells
    return round(sum(CELLS[cell] * int(count) for cell, count in cells.items())), int(cells.get("DFF_P", 0))


def check(samplez, folder, table):
    """The row of a table, and a line about it."""
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    circuit = Circuit(samplez, *table)
    kept, key = Path("kept.json"), hashlib.sha256((circuit.verilog + circuit.pipelined).encode()).hexdigest()
    if kept.exists() and (found := json.loads(kept.read_text()))["key"] == key:
        return found["row"], found["line"]
    assert circuit.shared_out() == circuit.masses, circuit.name
    assert proofs([(circuit.verilog, circuit.rule(circuit.columns))]) == [True], circuit.name
    # One threshold one higher, in the middle of the columns.
    wrong, middle = [*circuit.columns], len(circuit.columns) // 2
    (index, end), *others = wrong[middle]
    wrong[middle] = [(index, end + 1), *others]
    assert proofs([(circuit.verilog, circuit.rule(wrong))]) == [False], circuit.name
    wanted = vectors(circuit, PLAIN)
    assert simulate(circuit, 0) == wanted, circuit.name
    count = JUDGED_VECTORS if table == JUDGED else PIPED
    wanted = vectors(circuit, count)
    found = simulate(circuit, STAGES)
    assert found == wanted, circuit.name
    Path("samples.txt").write_text("".join(f"{x + circuit.base}\n" for x in found))
    run(samplez, "verify", *circuit.law, "samples.txt")
    gates, registers = area(circuit.verilog, "noise_sample")
    assert registers == 0
    piped, registers = area(circuit.pipelined, "pipe_sample")
    _, depth = re.search(r"clocks before; (\d+) registers, at most (\d+) gates", circuit.pipelined).groups()
    counts = re.search(r"// gates: (\d+) AND, (\d+) XOR, \d+ NOT; AND depth (\d+)", circuit.verilog).groups()
    row = [circuit.name, *counts, circuit.inputs, gates, registers, depth, piped]
    line = f"{circuit.name}: proved; {PLAIN} and {count} vectors agree, and pass verify"
    kept.write_text(json.dumps({"key": key, "row": row, "line": line}))
    return row, line


def write(rows):
    """Writes the table of the page."""
    head = ["σ, bits", "AND", "XOR", "AND depth", "random bits", "area", f"registers, {STAGES} stages", "gates between two", "area"]
    lines = [head, ["---"] * len(head), *rows]
    text = "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
    page = PAGE.read_text()
    start, end = "<!-- hardware: make circuits -->\n", "<!-- /hardware -->\n"
    PAGE.write_text(f"{page.split(start)[0]}{start}{text}{end}{page.split(end)[1]}")


def main():
    samplez, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    rows = []
    with ProcessPoolExecutor(2) as pool:
        tasks = [pool.submit(check, samplez, folder / "-".join(map(str, table)).replace("/", "_"), table) for table in TABLES]
        for task in tasks:
            row, line = task.result()
            rows.append(row)
            print(line, flush=True)
    os.chdir(folder)
    small = Circuit(samplez, "0.8", "0", 12)
    kinds, same = refused(small)
    print(f"{small.name}: mutants rejected: {dict(kinds)}; of equal function, and accepted: {same}")
    write(rows)


if __name__ == "__main__":
    main()
