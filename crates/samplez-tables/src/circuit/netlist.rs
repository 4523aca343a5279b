//! Netlists of XOR, AND and NOT: evaluation, gate counts, masking.

use alloc::vec;
use alloc::vec::Vec;

/// A gate. Its operands are wires: first the inputs from 0, then the result of each gate.
///
/// ```
/// use samplez_tables::circuit::Gate;
/// assert_eq!(Gate::And(0, 3).operands(), [0, 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// The sum modulo 2.
    Xor(u32, u32),
    /// The product.
    And(u32, u32),
    /// The complement.
    Not(u32),
}

impl Gate {
    /// Returns the wires that the gate reads; of [`Gate::Not`] the same twice.
    pub const fn operands(self) -> [u32; 2] {
        match self {
            Gate::Xor(a, b) | Gate::And(a, b) => [a, b],
            Gate::Not(a) => [a, a],
        }
    }

    /// The same gate on other wires.
    pub(super) fn map(self, wire: impl Fn(u32) -> u32) -> Gate {
        match self {
            Gate::Xor(a, b) => Gate::Xor(wire(a), wire(b)),
            Gate::And(a, b) => Gate::And(wire(a), wire(b)),
            Gate::Not(a) => Gate::Not(wire(a)),
        }
    }
}

/// The size of a netlist.
///
/// ```
/// assert_eq!(samplez_tables::circuit::GateCounts::default().and, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GateCounts {
    /// AND gates.
    pub and: usize,
    /// XOR gates.
    pub xor: usize,
    /// NOT gates.
    pub not: usize,
    /// The most AND gates on a path from an input to an output.
    pub depth: u32,
}

/// A straight-line program of gates. Each output is the result of a separate gate.
///
/// Its semantics: wire i below [`Netlist::inputs`] is input i, every gate in order defines the next wire, and output j is the wire
/// `outputs()[j]`.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::circuit::{Circuit, Depth, Encoding};
/// use samplez_tables::{TableForm, build_plain};
/// let law = DiscreteGaussian::with_sigma("1.278".parse()?)?;
/// let table = build_plain(&law, &TableForm::folded_cdt(78))?;
/// let circuit = Circuit::new(table, Encoding::Index, Depth::Linear)?;
/// let netlist = circuit.netlist();
/// assert_eq!((netlist.inputs(), netlist.outputs().len(), netlist.counts().and), (78, 4, 88));
/// // The all-zero input is in the first column, below its first threshold.
/// assert!(netlist.evaluate(&[0; 78]).is_some_and(|outputs| outputs.len() == 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Netlist {
    pub(super) inputs: u32,
    pub(super) gates: Vec<Gate>,
    pub(super) outputs: Vec<u32>,
}

impl Netlist {
    /// Returns the number of inputs.
    pub fn inputs(&self) -> u32 {
        self.inputs
    }

    /// Returns the gates, each after the gates that it reads.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// Returns the wires of the outputs, the least significant bit first.
    pub fn outputs(&self) -> &[u32] {
        &self.outputs
    }

    /// Evaluates the netlist 64 times at once: bit j of every word belongs to evaluation j.
    ///
    /// Returns one word for each output, or `None` if there is not one word for each input.
    pub fn evaluate(&self, inputs: &[u64]) -> Option<Vec<u64>> {
        if inputs.len() != self.inputs as usize {
            return None;
        }
        let wires = self.wires(inputs);
        Some(self.outputs.iter().map(|wire| wires[*wire as usize]).collect())
    }

    /// The values of all wires.
    pub(super) fn wires(&self, inputs: &[u64]) -> Vec<u64> {
        let mut wires = inputs.to_vec();
        for gate in &self.gates {
            let [a, b] = gate.operands().map(|wire| wires[wire as usize]);
            wires.push(match gate {
                Gate::Xor(..) => a ^ b,
                Gate::And(..) => a & b,
                Gate::Not(_) => !a,
            });
        }
        wires
    }

    /// Counts the gates.
    pub fn counts(&self) -> GateCounts {
        let mut counts = GateCounts::default();
        let mut depths = vec![0; self.inputs as usize];
        for gate in &self.gates {
            let [a, b] = gate.operands().map(|wire| depths[wire as usize]);
            let (count, more) = match gate {
                Gate::Xor(..) => (&mut counts.xor, 0),
                Gate::And(..) => (&mut counts.and, 1),
                Gate::Not(_) => (&mut counts.not, 0),
            };
            *count += 1;
            depths.push(a.max(b) + more);
        }
        counts.depth = self.outputs.iter().map(|wire| depths[*wire as usize]).max().unwrap_or(0);
        counts
    }

    /// Returns the netlist over `order` + 1 shares of every bit; the sum of the shares modulo 2 is the bit.
    ///
    /// Share s of input i is input i·(`order` + 1) + s, and share s of output j is output j·(`order` + 1) + s. The last inputs are
    /// `order`·(`order` + 1)/2 fresh random bits for each AND gate. If all inputs are uniform bits, the outputs are shares of a
    /// sample.
    ///
    /// An AND gate becomes a PINI gadget (probe-isolating non-interference) \[CS20\]. In the probing model any `order` wires are
    /// independent of the unshared inputs. This holds for the netlist's wires. It does not cover glitches in hardware, or a compiler
    /// that combines shares.
    pub fn masked(&self, order: u32) -> Netlist {
        let shares = order + 1;
        let mut fresh = self.inputs * shares;
        let inputs = fresh + self.counts().and as u32 * (order * shares / 2);
        let mut masked = Netlist { inputs, gates: Vec::new(), outputs: Vec::new() };
        let mut wires: Vec<Vec<u32>> = (0..self.inputs).map(|i| (i * shares..(i + 1) * shares).collect()).collect();
        for gate in &self.gates {
            let [a, b] = gate.operands().map(|wire| wires[wire as usize].clone());
            wires.push(match gate {
                Gate::Xor(..) => a.iter().zip(&b).map(|(a, b)| masked.push(Gate::Xor(*a, *b))).collect(),
                Gate::Not(_) => {
                    let first = masked.push(Gate::Not(a[0]));
                    [&[first][..], &a[1..]].concat()
                }
                Gate::And(..) => masked.product(&a, &b, &mut fresh),
            });
        }
        masked.outputs = self.outputs.iter().flat_map(|wire| wires[*wire as usize].clone()).collect();
        masked
    }

    /// The shares of a product: c_i = a_i·b_i + Σ_{j≠i} ((1 + a_i)·r_ij + a_i·(b_j + r_ij)), the sum from left to right.
    fn product(&mut self, a: &[u32], b: &[u32], fresh: &mut u32) -> Vec<u32> {
        let (shares, first) = (a.len(), *fresh);
        // The fresh bit of a pair of shares, the pairs in the order (0, 1), (0, 2), …, (1, 2), …
        let random = |i: usize, j: usize| {
            let (i, j) = (i.min(j), i.max(j));
            first + (i * (2 * shares - i - 1) / 2 + j - i - 1) as u32
        };
        *fresh += (shares * (shares - 1) / 2) as u32;
        let mut product = Vec::with_capacity(shares);
        for i in 0..shares {
            let mut sum = self.push(Gate::And(a[i], b[i]));
            for j in (0..shares).filter(|j| *j != i) {
                let not = self.push(Gate::Not(a[i]));
                let blind = self.push(Gate::And(not, random(i, j)));
                let hidden = self.push(Gate::Xor(b[j], random(i, j)));
                let cross = self.push(Gate::And(a[i], hidden));
                let term = self.push(Gate::Xor(blind, cross));
                sum = self.push(Gate::Xor(sum, term));
            }
            product.push(sum);
        }
        product
    }

    fn push(&mut self, gate: Gate) -> u32 {
        self.gates.push(gate);
        self.inputs + self.gates.len() as u32 - 1
    }
}
