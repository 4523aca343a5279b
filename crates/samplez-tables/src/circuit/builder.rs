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

/// Sums of products of the bits that choose a column.
pub(super) struct Sums {
    products: Vec<Option<Bit>>,
    /// The inputs below this choose; a product of further bits has the input `next` for the next one.
    choice: u32,
    next: u32,
    /// Terms that are summed first, so that sums share them.
    block: usize,
}

impl Sums {
    pub(super) fn new(choice: u32, deciding: u32, next: u32, block: usize) -> Sums {
        Sums { products: vec![None; 1 << deciding], choice, next, block }
    }

    /// The bit that is `table[c]` for the choice c: its algebraic normal form.
    pub(super) fn of(&mut self, builder: &mut Builder, mut table: Vec<bool>) -> Bit {
        let mut half = 1;
        while half < table.len() {
            for c in (0..table.len()).filter(|c| c & half != 0) {
                table[c] ^= table[c ^ half];
            }
            half *= 2;
        }
        let mut sum = Bit::constant(table[0]);
        for from in (1..table.len()).step_by(self.block) {
            let mut part = Bit::constant(false);
            for c in (from..table.len().min(from + self.block)).filter(|c| table[*c]) {
                let product = self.product(builder, c);
                part = builder.xor(part, product);
            }
            sum = builder.xor(sum, part);
        }
        sum
    }

    /// The product of the bits in a set, which is not empty: of its two halves, for a small depth.
    fn product(&mut self, builder: &mut Builder, set: usize) -> Bit {
        if let Some(product) = self.products[set] {
            return product;
        }
        let (next, others) = (set >> self.choice, set & ((1 << self.choice) - 1));
        if next > 0 {
            let next = Bit::input(self.next);
            let product = if others == 0 { next } else { self.product(builder, others) };
            let product = builder.and(product, next);
            self.products[set] = Some(product);
            return product;
        }
        let mut low = 0_usize;
        while low.count_ones() < set.count_ones() / 2 {
            low |= 1 << (set & !low).trailing_zeros();
        }
        let product = if low == 0 {
            Bit::input(set.trailing_zeros())
        } else {
            let (low, high) = (self.product(builder, low), self.product(builder, set & !low));
            builder.and(low, high)
        };
        self.products[set] = Some(product);
        product
    }
}
