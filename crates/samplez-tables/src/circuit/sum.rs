//! Circuits of wide laws: the sum z1·Y1 + z2·Y2 of two samples of a narrower circuit.
//!
//! docs/proofs/convolution.md bounds the distance of the sum. The netlist has the narrow circuit twice, and adders.

use super::builder::{Bit, Builder};
use super::netlist::{Gate, Netlist};
use super::{Circuit, CircuitError, Depth, Encoding};
use crate::plain::{Audit, TableForm, audit, build_plain, facts};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use samplez_core::table::{ConvolutionTable, Table};
use samplez_core::{Bound, DiscreteGaussian};

/// The law and the parts of a sum.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub(super) law: DiscreteGaussian,
    pub(super) legs: (u64, u64),
    bound: Bound,
    support: RangeInclusive<i64>,
    /// The gates of one sample's circuit.
    each: usize,
    /// The wires of the two samples.
    samples: [Vec<u32>; 2],
}

impl Circuit {
    /// Builds the circuit of z1·Y1 + z2·Y2, where Y1 and Y2 are samples of the base table of a convolution with one level and z1 and
    /// z2 are its legs. [`Circuit::table`] is the base table. The convolution's certificate holds for the sum ([`Circuit::bound`]).
    ///
    /// # Errors
    ///
    /// [`CircuitError::Sum`] if the convolution has several levels or an unfolded base table, and the errors of [`Circuit::new`] for that table.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, table::Table};
    /// use samplez_tables::circuit::{Circuit, Depth};
    /// use samplez_tables::{ConvolutionOptions, build_convolution};
    /// let law = DiscreteGaussian::with_sigma("80".parse()?)?;
    /// let options = ConvolutionOptions { precision: 48, bound: 48, base_sigma: u32::MAX, ..ConvolutionOptions::constant_time() };
    /// let table = build_convolution(&law, &options)?;
    /// let circuit = Circuit::sum(&table, Depth::Linear)?;
    /// circuit.check()?;
    /// assert_eq!((circuit.netlist().inputs(), circuit.bound()), (2 * 49, table.bound()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum(table: &ConvolutionTable<Vec<u32>>, depth: Depth) -> Result<Circuit, CircuitError> {
        let (base, &[legs]) = (table.base(), table.levels()) else { return Err(CircuitError::Sum) };
        CircuitError::of_size(base.len(), base.precision()).map_or(Ok(()), Err)?;
        let plain =
            build_plain(base.target(), &TableForm::folded_cdt(base.precision())).map_err(|_| CircuitError::Sum)?;
        if plain.to_cdt().is_none_or(|cdt| cdt.digits() != base.digits()) {
            return Err(CircuitError::Sum);
        }
        let narrow = Circuit::new(plain, Encoding::Integer, depth)?;
        let (part, adders) = (&narrow.netlist, adders(narrow.netlist.outputs.len(), legs));
        let (inputs, each) = (part.inputs, part.gates.len() as u32);
        let mut netlist = Netlist { inputs: 2 * inputs, gates: Vec::new(), outputs: Vec::new() };
        let samples = [0, 1].map(|copy| {
            let moved = |wire| match wire {
                input if input < inputs => copy * inputs + input,
                wire => wire + inputs + copy * each,
            };
            netlist.gates.extend(part.gates.iter().map(|gate| gate.map(moved)));
            part.outputs.iter().map(|wire| moved(*wire)).collect::<Vec<u32>>()
        });
        let first = 2 * (inputs + each);
        let of_samples: Vec<u32> = samples.iter().flatten().copied().collect();
        let moved =
            |wire: u32| of_samples.get(wire as usize).map_or(wire - adders.inputs.min(wire) + first, |sample| *sample);
        netlist.gates.extend(adders.gates.iter().map(|gate| gate.map(moved)));
        netlist.outputs = adders.outputs.iter().map(|wire| moved(*wire)).collect();
        let sum = Sum {
            law: *table.target(),
            legs,
            bound: table.bound(),
            support: table.support(),
            each: each as usize,
            samples,
        };
        let base = table.target().center().num();
        let bound = super::LowerBound { ands: 0, outputs: 0 };
        Ok(Circuit { netlist, base, bound, sum: Some(sum), ..narrow })
    }

    /// Returns the target distribution.
    pub fn target(&self) -> &DiscreteGaussian {
        self.sum.as_ref().map_or(self.table.target(), |sum| &sum.law)
    }

    /// Returns upper bounds of the samples' distance from [`Circuit::target`].
    pub fn bound(&self) -> Bound {
        self.sum.as_ref().map_or_else(|| audit(&self.table).bound, |sum| sum.bound)
    }

    /// Returns the sum in words, if the circuit adds two samples.
    pub fn sum_of(&self) -> Option<String> {
        Some(self.sum.as_ref()?.text(self.table.target()))
    }

    /// The facts on the law, for comments.
    pub(super) fn facts(&self, origin: &str) -> Vec<String> {
        let Some(sum) = &self.sum else { return facts(&self.table, &audit(&self.table), origin) };
        let found = Audit { bound: sum.bound, support: sum.support.clone(), uncovered: None };
        let mut facts = facts(&self.table, &found, origin);
        facts[1] = format!("law: {}", sum.law);
        facts.insert(2, format!("sum: {}; form and entries are of its table", sum.text(self.table.target())));
        facts
    }
}

impl Sum {
    /// The sum, in words.
    pub(super) fn text(&self, of: &DiscreteGaussian) -> String {
        format!("{}*Y1 + {}*Y2 of two samples of {of}", self.legs.0, self.legs.1)
    }

    /// The netlist of each sample, from its gates alone; `None` if a gate reads a wire outside it.
    pub(super) fn parts(&self, netlist: &Netlist) -> Option<[Netlist; 2]> {
        let (inputs, each) = (netlist.inputs / 2, self.each);
        let part = |copy: u32| {
            let gates = copy as usize * each..(copy as usize + 1) * each;
            let from = netlist.inputs + gates.start as u32;
            let moved = |wire: u32| match wire {
                input if (copy * inputs..(copy + 1) * inputs).contains(&input) => Some(input - copy * inputs),
                wire if (from..from + each as u32).contains(&wire) => Some(wire - from + inputs),
                _ => None,
            };
            netlist.cut(inputs, gates, &self.samples[copy as usize], moved)
        };
        Some([part(0)?, part(1)?])
    }

    /// Whether the other gates are the sum, for all values of both samples.
    pub(super) fn is_added(&self, netlist: &Netlist) -> bool {
        let bits = self.samples[0].len() as u32;
        let from = netlist.inputs + 2 * self.each as u32;
        let moved = |wire: u32| match self.samples.iter().flatten().position(|sample| *sample == wire) {
            Some(i) => Some(i as u32),
            None => Some(wire.checked_sub(from)? + 2 * bits),
        };
        let gates = 2 * self.each..netlist.gates.len();
        let Some(adders) = netlist.cut(2 * bits, gates, &netlist.outputs, moved) else { return false };
        (0..1_u64 << (2 * bits).saturating_sub(6)).all(|block| {
            let numbers = (0..64).map(|lane| 64 * block + lane);
            let inputs: Vec<u64> = (0..2 * bits)
                .map(|i| numbers.clone().enumerate().fold(0, |word, (lane, n)| word | (n >> i & 1) << lane))
                .collect();
            let outputs = adders.evaluate(&inputs).unwrap_or_default();
            numbers.enumerate().all(|(lane, n)| {
                let [y1, y2] = [n, n >> bits].map(|n| (n << (64 - bits)) as i64 >> (64 - bits));
                let sum = (0..).zip(&outputs).fold(0, |sum, (j, word)| sum | (word >> lane & 1) << j);
                let width = 64 - outputs.len() as u32;
                (sum << width) as i64 >> width == self.legs.0 as i64 * y1 + self.legs.1 as i64 * y2
            })
        })
    }
}

impl Netlist {
    /// The netlist of some gates and outputs, with wires renumbered; `None` if one reads a wire that has no number, or a later one.
    fn cut(
        &self,
        inputs: u32,
        gates: core::ops::Range<usize>,
        outputs: &[u32],
        moved: impl Fn(u32) -> Option<u32>,
    ) -> Option<Netlist> {
        let mut cut = Netlist { inputs, gates: Vec::new(), outputs: Vec::new() };
        for gate in self.gates.get(gates)? {
            let known = inputs + cut.gates.len() as u32;
            let [a, b] = gate.operands().map(|wire| moved(wire).filter(|wire| *wire < known));
            cut.gates.push(match gate {
                Gate::Xor(..) => Gate::Xor(a?, b?),
                Gate::And(..) => Gate::And(a?, b?),
                Gate::Not(_) => Gate::Not(a?),
            });
        }
        cut.outputs = outputs.iter().map(|wire| moved(*wire)).collect::<Option<_>>()?;
        Some(cut)
    }
}

/// z1·Y1 + z2·Y2 of two inputs of so many bits, all in two's complement: an addition for each set bit of a leg, and a subtraction for a
/// run of them.
fn adders(bits: usize, (z1, z2): (u64, u64)) -> Netlist {
    // The largest sum of two patterns of bits is (z1 + z2)·2^(bits - 1).
    let width = bits + (64 - (z1 + z2 - 1).leading_zeros()) as usize;
    let mut builder = Builder::new(2 * bits as u32);
    let mut sum = alloc::vec![Bit::constant(false); width];
    for (leg, first) in [(z1, 0), (z2, bits)] {
        let sample = |i: usize| Bit::input((first + i.min(bits - 1)) as u32);
        // The digits 0, 1 and -1 of the leg, of which no two neighbours are set: 3·leg and leg differ in them.
        let triple = 3 * leg;
        let (plus, minus) = (triple & !leg, leg & !triple);
        for shift in 0..width {
            let is_set = |digits: u64| digits >> (shift + 1) & 1 == 1;
            let is_minus = is_set(minus);
            if !is_set(plus) && !is_minus {
                continue;
            }
            let mut carry = Bit::constant(is_minus);
            for (i, bit) in sum.iter_mut().enumerate().skip(shift) {
                let other = sample(i - shift);
                let other = if is_minus { other.not() } else { other };
                let (x, y) = (builder.xor(*bit, carry), builder.xor(other, carry));
                *bit = builder.xor(x, other);
                let both = builder.and(x, y);
                carry = builder.xor(both, carry);
            }
        }
    }
    builder.finish(&sum)
}
