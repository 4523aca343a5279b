//! Builds netlists: constants and complements are folded, and equal gates are shared.

use super::netlist::{Gate, Netlist};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// A wire or its complement; without a wire, a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bit {
    wire: Option<u32>,
    is_flipped: bool,
}

impl Bit {
    pub(super) const fn constant(value: bool) -> Bit {
        Bit { wire: None, is_flipped: value }
    }

    pub(super) const fn input(wire: u32) -> Bit {
        Bit { wire: Some(wire), is_flipped: false }
    }

    pub(super) const fn not(self) -> Bit {
        Bit { is_flipped: !self.is_flipped, ..self }
    }
}

pub(super) struct Builder {
    inputs: u32,
    gates: Vec<Gate>,
    known: BTreeMap<Gate, u32>,
}

impl Builder {
    pub(super) fn new(inputs: u32) -> Builder {
        Builder { inputs, gates: Vec::new(), known: BTreeMap::new() }
    }

    fn push(&mut self, gate: Gate) -> u32 {
        self.gates.push(gate);
        self.inputs + self.gates.len() as u32 - 1
    }

    /// The wire of a gate, which is added the first time.
    fn gate(&mut self, gate: Gate) -> u32 {
        if let Some(wire) = self.known.get(&gate) {
            return *wire;
        }
        let wire = self.push(gate);
        self.known.insert(gate, wire);
        wire
    }

    pub(super) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let wire = match (a.wire, b.wire) {
            (Some(a), Some(b)) if a == b => None,
            (Some(a), Some(b)) => match (self.other(a, b), self.other(b, a)) {
                (Some(wire), _) | (_, Some(wire)) => Some(wire),
                _ => Some(self.gate(Gate::Xor(a.min(b), a.max(b)))),
            },
            (a, b) => a.or(b),
        };
        Bit { wire, is_flipped: a.is_flipped ^ b.is_flipped }
    }

    /// The other operand of a sum with this one.
    fn other(&self, sum: u32, operand: u32) -> Option<u32> {
        match self.gates.get(sum.checked_sub(self.inputs)? as usize)? {
            Gate::Xor(a, b) if *a == operand => Some(*b),
            Gate::Xor(a, b) if *b == operand => Some(*a),
            _ => None,
        }
    }

    pub(super) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        match (a.wire, b.wire) {
            (None, _) => {
                if a.is_flipped {
                    b
                } else {
                    a
                }
            }
            (_, None) => {
                if b.is_flipped {
                    a
                } else {
                    b
                }
            }
            (Some(x), Some(y)) if x == y => {
                if a == b {
                    a
                } else {
                    Bit::constant(false)
                }
            }
            (Some(x), Some(y)) => {
                let (x, y) = (self.plain(x, a.is_flipped), self.plain(y, b.is_flipped));
                Bit::input(self.gate(Gate::And(x.min(y), x.max(y))))
            }
        }
    }

    fn plain(&mut self, wire: u32, is_flipped: bool) -> u32 {
        if is_flipped { self.gate(Gate::Not(wire)) } else { wire }
    }

    /// The netlist with these outputs, and no gate that reaches none of them.
    pub(super) fn finish(mut self, outputs: &[Bit]) -> Netlist {
        let mut wires: Vec<u32> = Vec::new();
        for output in outputs {
            // Of its own gate, which equal outputs and those without a gate get by adding 0.
            let mut wire = match output.wire {
                Some(wire) => self.plain(wire, output.is_flipped),
                None => {
                    let zero = self.push(Gate::Xor(0, 0));
                    self.plain(zero, output.is_flipped)
                }
            };
            if wire < self.inputs || wires.contains(&wire) {
                let zero = self.gate(Gate::Xor(0, 0));
                wire = self.push(Gate::Xor(wire, zero));
            }
            wires.push(wire);
        }
        let inputs = self.inputs as usize;
        let mut is_live = vec![false; inputs + self.gates.len()];
        wires.iter().for_each(|wire| is_live[*wire as usize] = true);
        for (i, gate) in self.gates.iter().enumerate().rev() {
            if is_live[inputs + i] {
                gate.operands().into_iter().for_each(|wire| is_live[wire as usize] = true);
            }
        }
        let mut moved: Vec<u32> = (0..self.inputs).collect();
        let mut gates = Vec::new();
        for (i, gate) in self.gates.iter().enumerate() {
            moved.push(self.inputs + gates.len() as u32);
            if is_live[inputs + i] {
                gates.push(gate.map(|wire| moved[wire as usize]));
            }
        }
        let outputs = wires.iter().map(|wire| moved[*wire as usize]).collect();
        Netlist { inputs: self.inputs, gates, outputs }
    }
}
