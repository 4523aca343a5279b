//! What an instruction may not be, or do: take a time that its operands decide, compute in floating point, and, where a
//! function's text tells it, branch on what was in a vector register or use it as an address.
//!
//! What is told is what a look at one function from its first line to its last tells: what a register got from a
//! vector register or from a mask, and what was computed of that. What goes through memory is lost.

use super::listing::{Instruction, Machine};
use std::collections::BTreeSet;

/// Why an instruction is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    Latency,
    Float,
    Gather,
    Branch,
    Address,
}

impl Why {
    pub(super) fn text(self) -> &'static str {
        match self {
            Why::Latency => "takes a time that depends on its operands",
            Why::Float => "computes in floating point",
            Why::Gather => "reads or writes at addresses from a vector",
            Why::Branch => "branches on what was in a vector register",
            Why::Address => "uses as an address what was in a vector register",
        }
    }
}

/// The instructions of a function that are refused.
pub(super) fn refused(machine: Machine, function: &[Instruction<'_>]) -> Vec<(u64, Why)> {
    let mut known = Known { machine, registers: BTreeSet::new(), flags: false };
    let judge = |instruction: &Instruction<'_>| {
        let by_name = match machine {
            Machine::X86_64 => x86_64(instruction.mnemonic),
            Machine::Aarch64 => aarch64(instruction),
        };
        let by_flow = known.step(instruction);
        by_name.or(by_flow).map(|why| (instruction.address, why))
    };
    function.iter().filter_map(judge).collect()
}

/// Division; gathers; PDEP and PEXT, which Zen 1 and 2 do bit by bit; arithmetic in floating point. Moves, shuffles and
/// logic of the domain of floats are none: compilers use them for integers.
fn x86_64(mnemonic: &str) -> Option<Why> {
    let name = mnemonic.strip_prefix('v').unwrap_or(mnemonic);
    let floats = ["ss", "sd", "ps", "pd"];
    let stem = floats.iter().find_map(|end| name.strip_suffix(end));
    match name {
        "div" | "idiv" | "pdep" | "pext" => Some(Why::Latency),
        _ if name.starts_with("gather") || name.starts_with("pgather") => Some(Why::Gather),
        _ if name.starts_with("scatter") || name.starts_with("pscatter") => Some(Why::Gather),
        _ if mnemonic.starts_with("cvt") || mnemonic.starts_with("vcvt") => Some(Why::Float),
        // x87; `fs` and the like are no mnemonics.
        _ if mnemonic.starts_with('f') && !matches!(mnemonic, "fxsave" | "fxrstor" | "fxsave64" | "fxrstor64") => {
            Some(Why::Float)
        }
        _ => stem.and_then(|stem| {
            let starts =
                ["add", "sub", "mul", "div", "sqrt", "rsqrt", "rcp", "min", "max", "cmp", "hadd", "hsub", "dp"];
            let longer =
                ["comi", "ucomi", "round", "rndscale", "fmadd", "fmsub", "fnmadd", "fnmsub", "range", "reduce"];
            let is_float = starts.contains(&stem) || longer.iter().any(|start| stem.starts_with(start));
            // `cmpsd` without operands in vector registers is the string's; nothing here has it.
            is_float.then_some(Why::Float)
        }),
    }
}

/// Division, and arithmetic in floating point.
fn aarch64(instruction: &Instruction<'_>) -> Option<Why> {
    let name = instruction.mnemonic;
    match name {
        "udiv" | "sdiv" => Some(Why::Latency),
        "fmov" => None, // a move
        _ if name.starts_with('f') || matches!(name, "scvtf" | "ucvtf") => Some(Why::Float),
        _ => None,
    }
}

/// Which registers hold something that comes from a vector.
struct Known {
    machine: Machine,
    registers: BTreeSet<String>,
    flags: bool,
}

impl Known {
    fn has(&self, text: &str) -> bool {
        registers(self.machine, text).any(|register| self.registers.contains(&register))
    }

    fn step(&mut self, instruction: &Instruction<'_>) -> Option<Why> {
        let Instruction { mnemonic, operands, .. } = *instruction;
        let addresses = bracketed(operands);
        // These have brackets, and go to no memory.
        let is_access = !matches!(mnemonic, "lea" | "nop" | "nopw" | "nopl") && !mnemonic.starts_with("prefetch");
        let why = (is_access && self.has(&addresses)).then_some(Why::Address);
        let list = split(operands);
        let first = list.first().copied().unwrap_or_default();
        let rest = list.get(1..).unwrap_or_default();
        let branch = match self.machine {
            Machine::X86_64 => self.x86_64(mnemonic, first, rest),
            Machine::Aarch64 => self.aarch64(mnemonic, first, &list),
        };
        why.or(branch.then_some(Why::Branch))
    }

    /// What is known of a register from here on.
    fn set(&mut self, operand: &str, is_from_vector: bool) {
        if operand.contains('[') {
            return;
        }
        for register in registers(self.machine, operand).collect::<Vec<_>>() {
            if is_from_vector {
                self.registers.insert(register);
            } else {
                self.registers.remove(&register);
            }
        }
    }

    /// Nothing is known of what follows.
    fn forget(&mut self) {
        self.registers.clear();
        self.flags = false;
    }

    fn x86_64(&mut self, mnemonic: &str, first: &str, rest: &[&str]) -> bool {
        let name = mnemonic.strip_prefix('v').unwrap_or(mnemonic);
        if matches!(mnemonic, "jmp" | "ret" | "call" | "ud2" | "syscall" | "cpuid") {
            self.forget();
            return false;
        }
        if mnemonic.starts_with('j') {
            return self.flags;
        }
        if name.starts_with("kortest")
            || name.starts_with("ktest")
            || name.starts_with("ptest")
            || name.starts_with("testp")
        {
            self.flags = true;
            return false;
        }
        let is_from_vector = |operand: &&str| {
            let is_mask = operand.strip_prefix('k').is_some_and(|n| n.len() == 1);
            !operand.contains('[') && (is_mask || ["xmm", "ymm", "zmm"].iter().any(|start| operand.starts_with(start)))
        };
        let sources =
            rest.iter().any(|operand| !operand.contains('[') && (self.has(operand) || is_from_vector(operand)));
        match mnemonic {
            "cmp" | "test" | "bt" => self.flags = self.has_value(first) || sources,
            "mov" | "movzx" | "movsx" | "movsxd" | "movabs" | "movbe" => self.set(first, sources),
            "lea" => self.set(first, rest.iter().any(|operand| self.has(operand))),
            "pop" => self.set(first, false),
            "push" | "nop" | "xchg" | "prefetcht0" => {}
            _ if mnemonic.starts_with("set") => self.set(first, self.flags),
            _ if mnemonic.starts_with("cmov") => self.set(first, self.flags || sources || self.has(first)),
            _ if is_from_vector(&first) => {}
            _ => {
                // A register less itself is zero; two operands: the first is a source too.
                let is_zero = matches!(mnemonic, "xor" | "sub") && rest == [first];
                let is_moved = name.starts_with("mov")
                    || name.starts_with("pmovmsk")
                    || name.starts_with("pextr")
                    || name.starts_with("kmov");
                let is_two = rest.len() < 2 && !is_moved;
                let value = !is_zero && (sources || is_two && self.has_value(first));
                self.set(first, value);
                let keeps_flags =
                    is_moved || matches!(mnemonic, "shlx" | "shrx" | "sarx" | "rorx" | "mulx" | "not" | "bswap");
                if !keeps_flags {
                    self.flags = value;
                }
            }
        }
        false
    }

    fn aarch64(&mut self, mnemonic: &str, first: &str, list: &[&str]) -> bool {
        match mnemonic {
            "b" | "ret" | "br" | "bl" | "blr" | "brk" | "udf" => {
                self.forget();
                return false;
            }
            "cbz" | "cbnz" | "tbz" | "tbnz" => return self.has(first),
            _ if mnemonic.starts_with("b.") => return self.flags,
            _ => {}
        }
        if mnemonic.starts_with("st") || mnemonic.starts_with("prf") {
            return false;
        }
        if mnemonic.starts_with("ld") {
            list.iter().filter(|operand| !operand.contains('[')).for_each(|operand| self.set(operand, false));
            return false;
        }
        let is_vector = |operand: &str| {
            let mut letters = operand.chars();
            matches!(letters.next(), Some('v' | 'd' | 's' | 'b' | 'h' | 'q'))
                && letters.next().is_some_and(|c| c.is_ascii_digit())
        };
        let from =
            |known: &Self, operands: &[&str]| operands.iter().any(|operand| known.has(operand) || is_vector(operand));
        match mnemonic {
            "cmp" | "cmn" | "tst" => self.flags = from(self, list),
            "ccmp" | "ccmn" => self.flags |= from(self, list),
            _ if is_vector(first) => {}
            _ => {
                let picks = matches!(
                    mnemonic,
                    "csel" | "csinc" | "csinv" | "csneg" | "cset" | "csetm" | "cinc" | "cinv" | "cneg"
                );
                let keeps = matches!(mnemonic, "movk" | "bfi" | "bfxil");
                let value =
                    from(self, list.get(1..).unwrap_or_default()) || picks && self.flags || keeps && self.has(first);
                self.set(first, value);
                if matches!(mnemonic, "adds" | "subs" | "ands" | "bics" | "negs" | "adcs" | "sbcs") {
                    self.flags = value;
                }
            }
        }
        false
    }

    /// Whether an operand that is a register holds something from a vector.
    fn has_value(&self, operand: &str) -> bool {
        !operand.contains('[') && self.has(operand)
    }
}

/// The operands, at the commas outside of brackets.
fn split(operands: &str) -> Vec<&str> {
    let (mut depth, mut start, mut list) = (0, 0, Vec::new());
    for (i, c) in operands.char_indices() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                list.push(operands[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    list.push(operands[start..].trim());
    list
}

/// What is in brackets: addresses.
fn bracketed(operands: &str) -> String {
    let parts = operands.split('[').skip(1).filter_map(|part| part.split(']').next());
    parts.collect::<Vec<_>>().join(" ")
}

/// The registers of integers that are named, each by its one name.
fn registers(machine: Machine, text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.filter_map(move |word| match machine {
        Machine::X86_64 => x86_64_register(word),
        Machine::Aarch64 => {
            let number = word.strip_prefix(['x', 'w'])?;
            number.parse::<u32>().ok().map(|number| format!("x{number}"))
        }
    })
}

/// `rax` for `eax`, `ax`, `al` and `ah`, `r8` for `r8d`.
fn x86_64_register(word: &str) -> Option<String> {
    if let Some(number) = word.strip_prefix('r').map(|rest| rest.trim_end_matches(['d', 'w', 'b']))
        && number.parse::<u32>().is_ok_and(|number| (8..32).contains(&number))
    {
        return Some(format!("r{number}"));
    }
    let stem = word.strip_prefix(['r', 'e']).unwrap_or(word);
    let of = |letter: &str, ends: &[&str]| ends.iter().any(|end| stem == format!("{letter}{end}"));
    let four = ["a", "b", "c", "d"].into_iter().find(|letter| of(letter, &["x", "l", "h"]));
    let others = ["si", "di", "bp"].into_iter().find(|name| of(name, &["", "l"]));
    four.map(|letter| format!("r{letter}x")).or(others.map(|name| format!("r{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(machine: Machine, lines: &[&str]) -> Vec<(u64, Why)> {
        let instructions: Vec<Instruction<'_>> = (0..)
            .zip(lines)
            .map(|(address, line)| {
                let (mnemonic, operands) = line.split_once(' ').unwrap_or((line, ""));
                Instruction { address, mnemonic, operands }
            })
            .collect();
        refused(machine, &instructions)
    }

    #[test]
    fn names_are_refused() {
        let of = |line: &str| judged(Machine::X86_64, &[line]).first().map(|(_, why)| *why);
        for line in ["div rcx", "idiv DWORD PTR [rbp-0x8]", "pext rax,rbx,rcx"] {
            assert_eq!(of(line), Some(Why::Latency), "{line}");
        }
        for line in [
            "addsd xmm0,xmm1",
            "vmulps ymm0,ymm1,ymm2",
            "vfmadd213pd ymm0,ymm1,ymm2",
            "cvttsd2si rax,xmm0",
            "fld st(0)",
        ] {
            assert_eq!(of(line), Some(Why::Float), "{line}");
        }
        assert_eq!(of("vpgatherdd ymm0,DWORD PTR [rax+ymm1*4],ymm2"), Some(Why::Gather));
        for line in [
            "movaps xmm0,xmm1",
            "vxorps xmm0,xmm0,xmm0",
            "vpaddd ymm0,ymm1,ymm2",
            "vshufps ymm0,ymm1,ymm2,0x88",
            "mul rcx",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
        let of = |line: &str| judged(Machine::Aarch64, &[line]).first().map(|(_, why)| *why);
        assert_eq!(of("udiv x0, x1, x2"), Some(Why::Latency));
        assert_eq!(of("fmul v0.2d, v1.2d, v2.2d"), Some(Why::Float));
        assert_eq!(of("ucvtf d0, x1"), Some(Why::Float));
        for line in ["fmov x0, d1", "umull v0.2d, v1.2s, v2.2s", "ushl v0.2d, v1.2d, v2.2d"] {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn flows_from_vectors_are_followed() {
        let branch = |lines: &[&str]| judged(Machine::X86_64, lines);
        assert_eq!(branch(&["vptest ymm0,ymm0", "mov rax,rbx", "je 40"]), [(2, Why::Branch)]);
        assert_eq!(
            branch(&["kmovq rax,k1", "shr rax,0x3", "mov ecx,eax", "test cl,0x1", "jne 40"]),
            [(4, Why::Branch)]
        );
        assert_eq!(branch(&["vmovq rax,xmm0", "mov rcx,QWORD PTR [rdi+rax*8]"]), [(1, Why::Address)]);
        assert_eq!(branch(&["vmovq rax,xmm0", "lea rcx,[rdi+rax*8]", "mov rdx,QWORD PTR [rcx]"]), [(2, Why::Address)]);
        assert_eq!(branch(&["vpmovmskb eax,ymm0", "xor eax,eax", "test eax,eax", "jne 40"]), []);
        assert_eq!(branch(&["vpmovmskb eax,ymm0", "mov rax,QWORD PTR [rdi]", "cmp rax,rcx", "jne 40"]), []);
        assert_eq!(branch(&["vpmovmskb eax,ymm0", "call 80", "test eax,eax", "jne 40"]), []);
        assert_eq!(branch(&["vmovq xmm0,rax", "test rax,rax", "jne 40"]), []);
        assert_eq!(
            branch(&["kmovd edx,k1", "popcnt edx,edx", "add r8,rdx", "cmp r8d,r9d", "jb 40"]),
            [(4, Why::Branch)]
        );
        let branch = |lines: &[&str]| judged(Machine::Aarch64, lines);
        assert_eq!(branch(&["umov w0, v1.b[0]", "and w1, w0, #0x1", "cbnz w1, 40"]), [(2, Why::Branch)]);
        assert_eq!(branch(&["fmov x8, d0", "cmp x8, #0x0", "b.ne 40"]), [(2, Why::Branch)]);
        assert_eq!(branch(&["mov x8, v0.d[1]", "ldr x9, [x1, x8, lsl #3]", "cbz x9, 40"]), [(1, Why::Address)]);
        assert_eq!(branch(&["fmov x8, d0", "ldr x8, [x1]", "cbz x8, 40"]), []);
    }
}
