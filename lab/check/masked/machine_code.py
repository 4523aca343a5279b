"""Probes the machine code of masked circuits: machine_code.py SAMPLEZ [COMPILER...].

The circuits compute small tables, in the C that `samplez circuit --order` writes, or in its Rust if the compiler's name begins with rustc. Each is
compiled at levels 1, 2 and 3, disassembled by objdump, and executed here, for all values of its shares and fresh bits at once. A probe reads the result of an instruction. The order of a circuit is the number of
probes that it withstands: of every set of so many instructions, the joint distribution of the results must not depend on the unshared bits. Controls
must leak: without fresh bits, with one fresh bit for all gates, and with a planted sum of two shares. The last column has what leaks without barriers.

x86-64 alone, straight-line code of mov, lea, and, or, xor, not and the stack; any other instruction is an error. The check covers values, and neither
transitions between them, nor flags, caches or timing.
"""

import functools
import itertools
import operator
import pathlib
import re
import subprocess
import sys
import tempfile

# The masses, bits and order of each table.
CASES = [([13, 11, 5, 3], 5, 1), ([25, 19, 13, 7], 6, 1), ([7, 6, 3], 4, 1), ([5, 3], 3, 2), ([2, 1, 1], 2, 2)]
WIDTHS = {"al": "rax", "eax": "rax", "ebx": "rbx", "ecx": "rcx", "edx": "rdx", "esi": "rsi", "edi": "rdi", "ebp": "rbp"}
WIDTHS |= {f"r{i}d": f"r{i}" for i in range(8, 16)}


def is_rust(compiler):
    return pathlib.Path(compiler.split()[0]).name.startswith("rustc")


def emitted(samplez, folder, masses, bits, order, language):
    """Returns the text of a table's circuit, and its numbers of inputs: unshared bits, all inputs."""
    (folder / "table.csv").write_text("".join(f"{mass}\n" for mass in masses))
    form = f"half,pmf,{bits}"
    command = [samplez, "circuit", "--table", "table.csv", "--sigma", "1", "--form", form, "--encoding", "index"]
    command += ["--order", str(order), "--emit", language]
    text = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    return text, bits, int(re.search(r"#define NOISE_INPUTS (\d+)|&\[u64; (\d+)\]", text).expand(r"\1\2"))


def instructions(folder, compiler, text, level, bare=False):
    """Compiles the text, and returns the instructions of its function. `bare` is text without barriers, from which vectors would be made."""
    source, options = ("noise.rs", ["--crate-type=lib", "--emit=obj", "-Awarnings", f"-Copt-level={level}"]) if is_rust(compiler) else ("noise.c", ["-c", f"-O{level}"])
    if bare:
        options += ["-Cno-vectorize-loops", "-Cno-vectorize-slp"] if is_rust(compiler) else ["-fno-tree-vectorize", "-fno-tree-slp-vectorize"]
    # A small function of Rust is compiled where it is called, unless its name is fixed.
    (folder / source).write_text(text.replace("pub fn", "#[unsafe(no_mangle)]\npub fn") if is_rust(compiler) else text)
    subprocess.run([*compiler.split(), *options, source, "-o", "noise.o"], cwd=folder, check=True)
    dump = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-M", "intel", "noise.o"], cwd=folder, check=True, capture_output=True, text=True)
    found = []
    for line in dump.stdout.splitlines():
        if match := re.match(r"\s+[0-9a-f]+:\s+(\w+)\s*(.*)", line):
            found.append((match[1], [part.strip() for part in match[2].split("#")[0].split(",") if part.strip()]))
    return found


def results(code, inputs, ones):
    """Executes the code on these inputs, each an integer with one bit for each assignment, and returns the results of its instructions."""
    # Addresses are a base and an offset in bytes.
    registers = {"rdi": ("r", 0), "rsi": ("x", 0), "rsp": ("stack", 0)}
    memory = {("r", 8 * i): word for i, word in enumerate(inputs)}
    found = []

    def place(operand):
        match = re.fullmatch(r"(?:QWORD PTR )?\[(\w+)(?:([+-])(0x[0-9a-f]+|\d+))?\]", operand)
        if not match:
            return None
        base, offset = registers[match[1]]
        return base, offset + (int(match[3], 0) * (-1 if match[2] == "-" else 1) if match[3] else 0)

    def read(operand):
        where = place(operand)
        if where is not None:
            return memory[where]
        if re.fullmatch(r"0x[0-9a-f]+|\d+", operand):
            return ones if int(operand, 0) == 2**64 - 1 else [0][int(operand, 0)]
        return registers.get(WIDTHS.get(operand, operand))

    def write(operand, value):
        where = place(operand)
        if where is not None:
            memory[where] = value
        else:
            registers[WIDTHS.get(operand, operand)] = value
        if isinstance(value, int):
            found.append(value)

    for name, operands in code:
        if name in ("endbr64", "nop", "ret"):
            continue
        elif name in ("mov", "movabs"):
            write(operands[0], read(operands[1]))
        elif name == "lea":
            registers[operands[0]] = place(operands[1])
        elif name in ("and", "or", "xor", "andn"):
            a, b = read(operands[-2]), read(operands[-1])
            if name == "xor" and operands[0] == operands[1]:
                a = b = 0
            # Loads are results too.
            found.extend(read(operand) for operand in operands[-2:] if place(operand))
            write(operands[0], {"and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b, "andn": lambda: (a ^ ones) & b}[name]())
        elif name == "not":
            write(operands[0], read(operands[0]) ^ ones)
        elif name in ("push", "pop"):
            base, offset = registers["rsp"]
            if name == "push":
                registers["rsp"] = (base, offset - 8)
                memory[registers["rsp"]] = read(operands[0])
            else:
                registers["rsp"] = (base, offset + 8)
                write(operands[0], memory[(base, offset)])
        elif name in ("sub", "add") and operands[0] == "rsp":
            base, offset = registers["rsp"]
            registers["rsp"] = (base, offset + int(operands[1], 0) * (1 if name == "add" else -1))
        else:
            raise SystemExit(f"unknown instruction: {name} {operands}")
    outputs = [memory[("x", 8 * j)] for j in range(sum(base == "x" for base, _ in memory))]
    return found, outputs


def leaks(code, masses, secrets, count, order, fresh_bits=None):
    """Returns how many sets of at most `order` results depend on the unshared bits, and how many sets there are."""
    shares = order + 1
    fresh = count - secrets * shares
    fresh_bits = fresh if fresh_bits is None else fresh_bits
    free = secrets * shares + fresh_bits
    ones = (1 << (1 << free)) - 1
    # Input i has bit i of the number of each assignment.
    words = [ones // ((1 << (1 << (i + 1))) - 1) * ((1 << (1 << i)) - 1) << (1 << i) for i in range(free)]
    inputs = words[: secrets * shares]
    inputs += [words[secrets * shares + i % fresh_bits] if fresh_bits else 0 for i in range(fresh)]
    found, outputs = results(code, inputs, ones)
    # The machine code, as executed here, draws each value as often as its mass states.
    sums = [functools.reduce(operator.xor, outputs[j : j + shares]) for j in range(0, len(outputs), shares)]
    for value, mass in enumerate(masses):
        bits = [word if value >> j & 1 else word ^ ones for j, word in enumerate(sums)]
        assert functools.reduce(operator.and_, bits).bit_count() == mass << free - secrets, (masses, value)
    found = sorted({min(value, value ^ ones) for value in found} - {0})
    plain = [0] * secrets
    for i in range(secrets):
        for s in range(shares):
            plain[i] ^= inputs[i * shares + s]
    masks = []
    for secret in range(1 << secrets):
        mask = ones
        for i in range(secrets):
            mask &= plain[i] if secret >> i & 1 else plain[i] ^ ones
        masks.append(mask)
    # The joint distribution of bits follows from the probabilities that all bits of a subset are 1.
    sets = [subset for size in range(1, order + 1) for subset in itertools.combinations(found, size)]
    leaking = 0
    for subset in sets:
        product = ones
        for value in subset:
            product &= value
        leaking += len({(product & mask).bit_count() for mask in masks}) > 1
    return leaking, len(sets)


def main():
    samplez, compilers = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:] or ["gcc"]
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for compiler, level, (masses, bits, order) in itertools.product(compilers, (1, 2, 3), CASES):
            text, secrets, count = emitted(samplez, folder, masses, bits, order, "rust" if is_rust(compiler) else "c")
            code = instructions(folder, compiler, text, level)
            leaking, sets = leaks(code, masses, secrets, count, order)
            first, barrier, nothing, planted = (
                ("    let ", r"core::hint::black_box\(", "(", "    let _z = core::hint::black_box(r[0] ^ r[1]);\n")
                if is_rust(compiler)
                else ("    NOISE_WORD", r"#define NOISE_KEEP\(x\) .*", "#define NOISE_KEEP(x)", "    NOISE_WORD z = r[0] ^ r[1]; NOISE_KEEP(z);\n")
            )
            planted = leaks(instructions(folder, compiler, text.replace(first, planted + first, 1), level), masses, secrets, count, order)[0]
            controls = [leaks(code, masses, secrets, count, order, few)[0] for few in (0, 1)]
            bare = leaks(instructions(folder, compiler, re.sub(barrier, nothing, text), level, True), masses, secrets, count, order)[0]
            print(f"{compiler} -O{level} masses {masses} order {order}: {len(code)} instructions, {leaking} of {sets} sets leak; "
                  f"without fresh bits {controls[0]}, with one {controls[1]}, with a sum of two shares {planted}, without barriers {bare}")
            wrong += leaking > 0 or 0 in (*controls, planted)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
