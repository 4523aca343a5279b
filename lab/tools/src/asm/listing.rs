//! A program's instructions, as objdump prints them, and the places in the sources that they come from.

use std::collections::BTreeMap;
use std::io::{self, Error, ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

/// The instruction sets that the rules know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Machine {
    X86_64,
    Aarch64,
}

impl Machine {
    /// The machine that an ELF file is for.
    pub(super) fn of(file: &[u8]) -> Option<Self> {
        match (file.get(..4)?, file.get(18..20)?) {
            (b"\x7fELF", [62, 0]) => Some(Machine::X86_64),
            (b"\x7fELF", [183, 0]) => Some(Machine::Aarch64),
            _ => None,
        }
    }

    /// The names that a tool of the binutils has for it.
    fn tools(self, name: &str) -> [String; 2] {
        let machine = match self {
            Machine::X86_64 => "x86_64",
            Machine::Aarch64 => "aarch64",
        };
        [format!("{machine}-linux-gnu-{name}"), name.to_owned()]
    }
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction<'a> {
    pub(super) address: u64,
    pub(super) mnemonic: &'a str,
    pub(super) operands: &'a str,
}

/// A function in the source, inlined or not, and the line that an instruction of it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) function: String,
    pub(super) file: String,
    pub(super) line: usize,
}

/// What a tool prints of a file, given these lines.
fn printed(machine: Machine, name: &str, arguments: &[&str], file: &Path, input: String) -> io::Result<String> {
    for tool in machine.tools(name) {
        let mut command = Command::new(&tool);
        command.args(arguments).arg(file).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Err(e) if e.kind() == ErrorKind::NotFound => continue,
            child => child?,
        };
        let mut stdin = child.stdin.take().ok_or_else(|| Error::other("no standard input"))?;
        let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output()?;
        let _ = writer.join(); // a tool that does not read is not at fault
        if !output.status.success() {
            return Err(Error::other(format!("{tool}: {}", String::from_utf8_lossy(&output.stderr).trim())));
        }
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(Error::other(format!("{name} is missing: install binutils, for another machine those of its compiler")))
}

/// The disassembly of a file.
pub(super) fn disassembled(machine: Machine, file: &Path) -> io::Result<String> {
    let style: &[&str] = if machine == Machine::X86_64 { &["-M", "intel"] } else { &[] };
    let arguments = [&["-d", "--no-show-raw-insn", "-w"], style].concat();
    printed(machine, "objdump", &arguments, file, String::new())
}

/// The functions of a disassembly, each with its instructions.
pub(super) fn functions(text: &str) -> Vec<Vec<Instruction<'_>>> {
    let mut functions = Vec::new();
    for line in text.lines() {
        if line.ends_with(">:") {
            functions.push(Vec::new());
        } else if let (Some(function), Some(instruction)) = (functions.last_mut(), instruction(line)) {
            function.push(instruction);
        }
    }
    functions
}

/// `  401000:\tdiv    rcx  # comment`.
fn instruction(line: &str) -> Option<Instruction<'_>> {
    let (address, text) = line.split_once(":\t")?;
    let address = u64::from_str_radix(address.trim(), 16).ok()?;
    let text = text.split(['#', '<']).next()?.split("//").next()?.trim();
    let (mut mnemonic, mut operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    while matches!(
        mnemonic,
        "rep" | "repz" | "repnz" | "lock" | "bnd" | "notrack" | "data16" | "cs" | "{evex}" | "{vex}"
    ) {
        (mnemonic, operands) = operands.trim().split_once(char::is_whitespace).unwrap_or((operands, ""));
    }
    Some(Instruction { address, mnemonic, operands: operands.trim() })
}

/// For each of these addresses the functions it is in, the innermost first.
pub(super) fn frames(machine: Machine, file: &Path, addresses: &[u64]) -> io::Result<BTreeMap<u64, Vec<Frame>>> {
    let input = addresses.iter().map(|address| format!("{address:#x}\n")).collect();
    Ok(parsed(&printed(machine, "addr2line", &["-a", "-f", "-i", "-C", "-e"], file, input)?))
}

/// What addr2line prints.
fn parsed(text: &str) -> BTreeMap<u64, Vec<Frame>> {
    let mut frames: BTreeMap<u64, Vec<Frame>> = BTreeMap::new();
    let (mut lines, mut address) = (text.lines(), None);
    while let Some(line) = lines.next() {
        if let Some(number) = line.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok()) {
            address = Some(number);
        } else if let (Some(address), Some(place)) = (address, lines.next()) {
            let place = place.split(" (").next().unwrap_or_default();
            let (file, number) = place.rsplit_once(':').unwrap_or((place, ""));
            let line_number = number.parse().unwrap_or(0);
            let frame = Frame { function: line.to_owned(), file: file.to_owned(), line: line_number };
            frames.entry(address).or_default().push(frame);
        }
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disassembly_is_read() {
        let text = "a.out:     file format elf64-x86-64\n\n0000000000001000 <f>:\n    1000:\trep stos QWORD PTR es:[rdi],rax\n    \
            1003:\tdiv    rcx\n    1006:\tje     1000 <f>\n\n0000000000002000 <g>:\n    2000:\tret\n";
        let functions = functions(text);
        assert_eq!(functions.iter().map(Vec::len).collect::<Vec<_>>(), [3, 1]);
        assert_eq!(functions[0][0].mnemonic, "stos");
        assert_eq!(functions[0][1], Instruction { address: 0x1003, mnemonic: "div", operands: "rcx" });
        assert_eq!(functions[0][2].operands, "1000");
    }

    #[test]
    fn places_are_read() {
        let text = "0x0000000000001003\ncore::num::div\n/rustc/x/library/core/src/num.rs:12 (discriminator 3)\n\
            samplez::fill\n/home/x/crates/samplez/src/fill.rs:7\n0x0000000000001006\n??\n??:0\n";
        let frames = parsed(text);
        assert_eq!(frames[&0x1003].len(), 2);
        assert_eq!((frames[&0x1003][0].line, frames[&0x1003][1].function.as_str()), (12, "samplez::fill"));
        assert_eq!(frames[&0x1006][0].line, 0);
    }
}
