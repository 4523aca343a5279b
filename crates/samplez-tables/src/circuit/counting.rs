//! The distribution of a netlist over all its inputs, counted by decision diagrams.

use super::netlist::{Gate, Netlist};
use crate::plain::Whole;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A function of the inputs: twice a node, and 1 for its complement.
type Edge = u32;
const TRUE: Edge = 0;
const FALSE: Edge = 1;

/// Reduced ordered decision diagrams. The last input is nearest the root, so that a comparison from the least significant bit on adds
/// its nodes at the top, each in one step.
struct Diagrams {
    /// An input, and the functions where it is 0 and where it is 1; the first node is the constant.
    nodes: Vec<(u32, Edge, Edge)>,
    unique: BTreeMap<(u32, Edge, Edge), Edge>,
    /// Results: of AND, then of XOR.
    known: [BTreeMap<(Edge, Edge), Edge>; 2],
}

impl Diagrams {
    fn new() -> Self {
        Diagrams { nodes: Vec::from([(0, TRUE, TRUE)]), unique: BTreeMap::new(), known: Default::default() }
    }

    /// The function that is `low` where the input is 0, and `high` where it is 1.
    fn node(&mut self, input: u32, low: Edge, high: Edge) -> Edge {
        if low == high {
            return low;
        }
        // Of a function and its complement one has a node: the one that is true where its inputs are 0.
        let (sign, key) = (low & 1, (input, low ^ (low & 1), high ^ (low & 1)));
        let next = (self.nodes.len() as Edge) << 1;
        let node = *self.unique.entry(key).or_insert(next);
        if node == next {
            self.nodes.push(key);
        }
        node ^ sign
    }

    /// The input nearest the root, counted from 1; 0 for a constant.
    fn height(&self, edge: Edge) -> u32 {
        if edge >> 1 == 0 { 0 } else { self.nodes[edge as usize >> 1].0 + 1 }
    }

    /// The function where the input number `height` - 1 is 0, and where it is 1.
    fn split(&self, edge: Edge, height: u32) -> [Edge; 2] {
        if self.height(edge) < height {
            return [edge; 2];
        }
        let (_, low, high) = self.nodes[edge as usize >> 1];
        [low ^ (edge & 1), high ^ (edge & 1)]
    }

    fn and(&mut self, a: Edge, b: Edge) -> Edge {
        match (a.min(b), a.max(b)) {
            (a, b) if a == b || b == FALSE => b,
            (TRUE, b) => b,
            (FALSE, _) => FALSE,
            (a, b) if a ^ b == 1 => FALSE,
            (a, b) => self.combine(0, a, b, Self::and),
        }
    }

    fn xor(&mut self, a: Edge, b: Edge) -> Edge {
        let sign = (a ^ b) & 1;
        let result = match ((a & !1).min(b & !1), (a & !1).max(b & !1)) {
            (a, b) if a == b => FALSE,
            (TRUE, b) => b ^ 1,
            (a, b) => self.combine(1, a, b, Self::xor),
        };
        result ^ sign
    }

    fn combine(&mut self, which: usize, a: Edge, b: Edge, gate: fn(&mut Self, Edge, Edge) -> Edge) -> Edge {
        if let Some(known) = self.known[which].get(&(a, b)) {
            return *known;
        }
        let height = self.height(a).max(self.height(b));
        let ([a0, a1], [b0, b1]) = (self.split(a, height), self.split(b, height));
        let (low, high) = (gate(self, a0, b0), gate(self, a1, b1));
        let result = self.node(height - 1, low, high);
        self.known[which].insert((a, b), result);
        result
    }
}

/// Counts how often each number, of the outputs as bits, occurs over all inputs. For each value of the first `fixed` inputs the outputs
/// become decision diagrams over the others. The circuits of tables have small ones: comparisons of one number with constants.
pub(super) fn occurrences(netlist: &Netlist, fixed: u32) -> BTreeMap<u64, Whole> {
    let mut found = BTreeMap::new();
    for choice in 0..1_u64 << fixed {
        let mut diagrams = Diagrams::new();
        let mut wires: Vec<Edge> = (0..netlist.inputs())
            .map(|i| match choice >> i.min(63) & 1 {
                _ if i >= fixed => diagrams.node(i, FALSE, TRUE),
                1 => TRUE,
                _ => FALSE,
            })
            .collect();
        for gate in netlist.gates() {
            let [a, b] = gate.operands().map(|wire| wires[wire as usize]);
            wires.push(match gate {
                Gate::Xor(..) => diagrams.xor(a, b),
                Gate::And(..) => diagrams.and(a, b),
                Gate::Not(_) => a ^ 1,
            });
        }
        // From the root down: how many values of the inputs above lead to these functions of the others.
        let outputs: Vec<Edge> = netlist.outputs().iter().map(|wire| wires[*wire as usize]).collect();
        let mut ways = BTreeMap::from([(outputs, Whole::from(1))]);
        for height in (fixed..=netlist.inputs()).rev() {
            let mut below = BTreeMap::new();
            for (outputs, count) in ways {
                if outputs.iter().all(|edge| edge >> 1 == 0) {
                    let number = (0..).zip(&outputs).map(|(j, edge)| u64::from(*edge == TRUE) << j).sum();
                    let count = (fixed..height).fold(count, |count, _| count.plus(&count));
                    add(&mut found, number, &count);
                    continue;
                }
                for side in 0..2 {
                    add(&mut below, outputs.iter().map(|edge| diagrams.split(*edge, height)[side]).collect(), &count);
                }
            }
            ways = below;
        }
    }
    found
}

/// Adds to the count of a key.
pub(super) fn add<K: Ord>(counts: &mut BTreeMap<K, Whole>, key: K, more: &Whole) {
    let count = counts.entry(key).or_default();
    *count = count.plus(more);
}
