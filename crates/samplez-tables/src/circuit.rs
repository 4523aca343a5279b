//! Circuits of XOR, AND and NOT that sample from a table: for masked software, for hardware, and for multi-party computation.
//!
//! A [`Circuit`] maps uniform bits to one sample, without rejection. Its distribution is the table's, integer for integer, so the
//! table's certificate holds for it. The table's masses W_v sum to 2^B. Walker's alias method packs them into 2^k columns of
//! 2^(B − k), each with at most r + 1 values:
//!
//! 1. k bits choose the column. Their 2^k − k − 1 products are the AND gates of this step. For a few more values than 2^k columns hold, the
//!    highest bit of u halves some of the columns, for one AND gate each.
//! 2. The thresholds and values of the chosen column are sums modulo 2 of these products, by the columns' algebraic normal form.
//! 3. The other B − k bits are u, and u >= t takes one AND gate for each bit: a borrow is a majority of three. With
//!    [`Depth::Logarithmic`] it takes about two, since blocks of bits are compared at the same time.
//! 4. One AND gate for each bit of a value chooses between two neighbours of a column.
//!
//! For values of n bits and [`Depth::Linear`], h halved columns make 2^k − k − 1 + h + r·(B − k + n) AND gates. [`Circuit::new`] picks the best k, h and r, and
//! [`Circuit::lower_bound`] is the least that any circuit can have. docs/proofs/circuit.md has the theorem and its proof.

mod builder;
mod columns;
mod counting;
mod emit;
mod netlist;
mod pipeline;
mod sum;
#[cfg(test)]
mod tests;

pub use columns::Depth;
pub use emit::Format;
pub use netlist::{Gate, GateCounts, Netlist};

use crate::plain::{Line, PlainTable, Rest, Whole};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use builder::{Bit, Builder, Sums};
use columns::{Columns, MAX_VALUES, block, estimate};
use core::fmt;
use counting::{add, occurrences};
use emit::{Facts, emit};
use sum::Sum;

/// The meaning of a circuit's outputs.
///
/// ```
/// use samplez_tables::circuit::Encoding;
/// assert_eq!(Encoding::Integer.to_string(), "integer");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The table's index without a sign: for a folded table the distance from the centre, rounded down.
    Index,
    /// The index, and then a uniform sign bit; for folded and mirrored tables.
    Sign,
    /// The sample in two's complement, minus [`Circuit::base`].
    Integer,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Encoding::Index => "index",
            Encoding::Sign => "sign",
            Encoding::Integer => "integer",
        })
    }
}

/// The reason why a table has no circuit.
///
/// ```
/// use samplez_tables::circuit::CircuitError;
/// let error = CircuitError::TooMany { values: 9_000_000, ands: 51_000, max: 4096 };
/// assert_eq!(error.to_string(), "9000000 values take about 51000 AND gates; expected a table of at most 4096 values");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CircuitError {
    /// The table has a single value.
    Single,
    /// The table has more values than a circuit may have.
    TooMany {
        /// The number of values.
        values: usize,
        /// The AND gates that they take, an estimate from below.
        ands: u64,
        /// The maximum of values.
        max: usize,
    },
    /// Some draws have no value, or are drawn again.
    Uncovered {
        /// The number of such draws, of 2^precision.
        draws: Whole,
    },
    /// [`Encoding::Sign`] with a table that contains one side only, or the full line.
    Sign {
        /// The table's line.
        line: Line,
    },
    /// [`Circuit::sum`] of a convolution that has several levels, or another base table than [`crate::TableForm::folded_cdt`].
    Sum,
    /// [`Circuit::check`] counted another distribution than the table's: a bug.
    Miscounted {
        /// A sample whose count differs.
        sample: i64,
    },
}

impl CircuitError {
    /// The error of a table with so many values and so many bits, which need not exist; `None` if the number is permitted.
    ///
    /// ```
    /// use samplez_tables::circuit::CircuitError;
    /// assert_eq!(CircuitError::of_size(4096, 64), None);
    /// assert!(matches!(CircuitError::of_size(1 << 24, 64), Some(CircuitError::TooMany { ands: 60_000.., .. })));
    /// ```
    pub fn of_size(values: usize, precision: u32) -> Option<CircuitError> {
        let error = || CircuitError::TooMany { values, ands: estimate(values, precision), max: MAX_VALUES };
        (values > MAX_VALUES).then(error)
    }
}

impl fmt::Display for CircuitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CircuitError::Single => f.write_str("the table has one value, which needs no circuit"),
            CircuitError::TooMany { values, ands, max } => {
                write!(f, "{values} values take about {ands} AND gates; expected a table of at most {max} values")
            }
            CircuitError::Uncovered { draws } => write!(
                f,
                "{draws} of 2^precision draws have no value; a circuit cannot draw again, so expected a form with rest-mode or rest-next"
            ),
            CircuitError::Sign { line } => {
                write!(f, "a {line} table has no sign; expected encoding integer or index")
            }
            CircuitError::Sum => {
                f.write_str("expected a convolution of one level, over a folded table with floor-weights")
            }
            CircuitError::Miscounted { sample } => {
                write!(f, "the circuit does not sample {sample} as often as its table: this is a bug, please report it")
            }
        }
    }
}

impl core::error::Error for CircuitError {}

/// The fewest AND gates that a circuit with these outputs can have, over any number of uniform bits.
///
/// ```
/// use samplez_tables::circuit::LowerBound;
/// let bound = LowerBound { ands: 77, outputs: 0b101 };
/// assert_eq!(bound.outputs.count_ones(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LowerBound {
    /// The number of AND gates.
    pub ands: u32,
    /// The outputs that prove it, a bit each: their sum modulo 2 is 1 with probability a·2^-(`ands` + 1), a odd. 0 if `ands` is 0.
    pub outputs: u64,
}

/// A circuit whose outputs have the distribution of a table.
///
/// [`Circuit::emit`] writes it as Verilog, Bristol Fashion, C, Rust or JSON.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::circuit::{Circuit, Depth, Encoding};
/// use samplez_tables::{TableForm, build_plain};
/// let law = DiscreteGaussian::with_sigma("1.278".parse()?)?;
/// let circuit = Circuit::new(build_plain(&law, &TableForm::folded_cdt(78))?, Encoding::Integer, Depth::Linear)?;
/// let counts = circuit.netlist().counts();
/// // 78 bits of the table, and a sign.
/// assert_eq!((circuit.netlist().inputs(), counts.and, circuit.lower_bound().ands), (79, 92, 78));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Circuit {
    table: PlainTable,
    encoding: Encoding,
    depth: Depth,
    netlist: Netlist,
    base: i64,
    is_signed: bool,
    columns: Columns,
    bound: LowerBound,
    /// Of a sum of two samples.
    sum: Option<Sum>,
}

impl Circuit {
    /// Builds the circuit of a table in any form.
    ///
    /// # Errors
    ///
    /// [`CircuitError`] for a table with one value or more than 4096, with draws that have no value, or without the sign that the
    /// encoding requires.
    pub fn new(table: PlainTable, encoding: Encoding, depth: Depth) -> Result<Circuit, CircuitError> {
        let (line, bits) = (table.form().line, table.form().precision);
        let is_folded = matches!(line, Line::Folded | Line::Mirrored);
        if encoding == Encoding::Sign && !is_folded {
            return Err(CircuitError::Sign { line });
        }
        let rest = if table.uncovered() == Whole::ZERO { Rest::Next } else { table.rest().unwrap_or(Rest::Again) };
        if rest == Rest::Again {
            return Err(CircuitError::Uncovered { draws: table.uncovered() });
        }
        let (masses, _) = table.weights(rest);
        let is_positive = |mass: &&Whole| **mass != Whole::ZERO;
        match masses.iter().filter(is_positive).count() {
            ..=1 => return Err(CircuitError::Single),
            values => CircuitError::of_size(values, bits).map_or(Ok(()), Err)?,
        }
        let center = table.target().center();
        let [floor, ceiling] = around(&table);
        let first = table.form().first.unwrap_or(ceiling);
        let (base, offset) = match (line, encoding) {
            (Line::Full, Encoding::Integer) => (floor, first - floor),
            (Line::Full, _) => (first, 0),
            _ => (ceiling, 0),
        };
        let is_signed = encoding == Encoding::Integer && line != Line::Half;
        // Values as patterns of bits, in two's complement where the line is full.
        let last = masses.iter().rposition(|mass| *mass != Whole::ZERO).unwrap_or(0);
        let width = |value: i64| i64::BITS - (if value < 0 { !value } else { value }).leading_zeros();
        let is_complement = is_signed && line == Line::Full;
        let value_bits = width(last as i64 + offset).max(width(offset)) + u32::from(is_complement);
        let columns = Columns::best(&masses, bits, value_bits, depth).ok_or(CircuitError::Single)?;
        let signs = match encoding {
            Encoding::Sign => Signs::Bit,
            Encoding::Integer if is_folded => Signs::Complement { has_zero: center.is_integer() },
            _ => Signs::None,
        };
        let pattern = |value: u32| (i64::from(value) + offset) as u64;
        let netlist = netlist(&columns, bits, value_bits, pattern, signs, depth);
        let bound = lower_bound(&masses, bits, value_bits, pattern, signs);
        Ok(Circuit { table, encoding, depth, netlist, base, is_signed, columns, bound, sum: None })
    }

    /// Returns the table; for a sum, the table of each of the two samples.
    pub fn table(&self) -> &PlainTable {
        &self.table
    }

    /// Returns the encoding of the outputs.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the requested depth; [`Netlist::counts`] has the achieved one.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// Returns the netlist. Its inputs are the k bits that choose the column, then u from the least significant bit, then the sign bit
    /// of a folded table. All are uniform bits, one sample's worth. The outputs have the least significant bit first.
    pub fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    /// Returns the sample whose outputs are 0: outputs of [`Encoding::Integer`] are a sample minus this integer.
    pub fn base(&self) -> i64 {
        self.base
    }

    /// Returns whether the outputs are in two's complement.
    pub fn is_signed(&self) -> bool {
        self.is_signed
    }

    /// Returns the bits k that choose a column.
    pub fn column_bits(&self) -> u32 {
        self.columns.choice
    }

    /// Returns the number of columns that the highest bit of u halves.
    pub fn halved_columns(&self) -> usize {
        self.columns.halved
    }

    /// Returns the thresholds r of a column, at most.
    pub fn thresholds(&self) -> usize {
        self.columns.thresholds()
    }

    /// Counts how often each sample occurs over all 2^n inputs of the netlist, and compares with the table's integers. The counts come from
    /// the gates alone, by decision diagrams, so that neither the construction nor its proof has to be trusted. Of a sum it counts both
    /// samples, each by the gates that read its own inputs, and adds all pairs of values by the other gates.
    ///
    /// # Errors
    ///
    /// [`CircuitError::Miscounted`].
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::circuit::{Circuit, Depth, Encoding};
    /// use samplez_tables::{TableForm, build_plain};
    /// let law = DiscreteGaussian::with_sigma("1.278".parse()?)?;
    /// Circuit::new(build_plain(&law, &TableForm::folded_cdt(78))?, Encoding::Integer, Depth::Linear)?.check()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), CircuitError> {
        let Some(sum) = &self.sum else { return self.check_part(&self.netlist, self.base) };
        let wrong = CircuitError::Miscounted { sample: self.base };
        let parts = sum.parts(&self.netlist).ok_or(wrong)?;
        parts.iter().try_for_each(|part| self.check_part(part, 0))?;
        if self.base == sum.law.center().num() && sum.is_added(&self.netlist) { Ok(()) } else { Err(wrong) }
    }

    /// The count of the table's samples, whose outputs are 0 at this one.
    fn check_part(&self, netlist: &Netlist, base: i64) -> Result<(), CircuitError> {
        let form = self.table.form();
        // What the table states. The encoding, and not the netlist, decides whether both signs occur.
        let is_two_sided = self.encoding != Encoding::Index && matches!(form.line, Line::Folded | Line::Mirrored);
        let [floor, ceiling] = around(&self.table);
        let mut wanted = BTreeMap::new();
        let (masses, _) = self.table.weights(self.table.rest().unwrap_or(Rest::Next));
        for (index, mass) in (0_i64..).zip(&masses).filter(|(_, mass)| **mass != Whole::ZERO) {
            add(&mut wanted, form.first.unwrap_or(ceiling).saturating_add(index), mass);
            if is_two_sided {
                add(&mut wanted, floor.saturating_sub(index), mass);
            }
        }
        // What the outputs mean.
        let below = base.saturating_sub(i64::from(!self.table.target().center().is_integer()));
        let last = netlist.outputs().len() - 1;
        let sample = |number: u64| match number >> last {
            1 if self.encoding == Encoding::Sign => below.saturating_sub((number ^ 1 << last) as i64),
            1 if self.is_signed => base.saturating_add(number as i64 - (2 << last)),
            _ => base.saturating_add(number as i64),
        };
        let mut found = BTreeMap::new();
        for (number, count) in occurrences(netlist, self.columns.choice) {
            add(&mut found, sample(number), &count);
        }
        let differs = |sample: &&i64| found.get(*sample) != wanted.get(*sample);
        let sample = found.keys().chain(wanted.keys()).find(differs);
        sample.map_or(Ok(()), |sample| Err(CircuitError::Miscounted { sample: *sample }))
    }

    /// Returns the lower bound on AND gates, with the outputs that prove it. It holds for every circuit whose outputs have exactly this
    /// distribution, also for each of many samples that share gates. It is 0 for a sum ([`Circuit::sum`]).
    pub fn lower_bound(&self) -> LowerBound {
        self.bound
    }

    /// Returns the circuit as text, with `order` + 1 shares of every bit if the order is above 0 ([`Netlist::masked`]).
    ///
    /// `name`, an identifier, begins the names in the text. `origin` is the command that writes the text again. The comments state the
    /// table's law and certified distances, and the meaning of the inputs and outputs. Bristol Fashion has no comments. Verilog and
    /// Bristol Fashion have no shares ([`Format::has_shares`]), so their order is always 0.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::circuit::{Circuit, Depth, Encoding, Format};
    /// use samplez_tables::{TableForm, build_plain};
    /// let table = build_plain(&DiscreteGaussian::with_sigma("1".parse()?)?, &TableForm::folded_cdt(8))?;
    /// let text = Circuit::new(table, Encoding::Integer, Depth::Linear)?.emit(Format::Verilog, 0, "NOISE", "an example");
    /// assert!(text.contains("module noise_sample(input [8:0] r, output signed [2:0] x);"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn emit(&self, format: Format, order: u32, name: &str, origin: &str) -> String {
        let (bits, choice) = (self.table.form().precision, self.columns.choice);
        let samples = if self.sum.is_some() { 2 } else { 1 };
        let inputs = format!(
            "{} uniform bits{}: {choice} for the column, {} for u (the least significant first), {} for the sign",
            self.netlist.inputs(),
            if samples == 2 { ", half of them for Y1 and then half for Y2" } else { "" },
            bits - choice,
            self.netlist.inputs() / samples - bits
        );
        let (law, outputs) = (self.facts(origin), self.meaning());
        let facts = Facts { law, columns: &self.columns, inputs, outputs, is_signed: self.is_signed };
        emit(&self.netlist, &facts, format, if format.has_shares() { order } else { 0 }, name)
    }

    /// Returns the meaning of the outputs, in words.
    pub fn meaning(&self) -> String {
        let (count, base) = (self.netlist.outputs().len(), self.base);
        let has_zero = self.table.target().center().is_integer();
        match (self.encoding, self.is_signed) {
            (Encoding::Sign, _) => {
                let (last, below) = (count - 1, if has_zero { base } else { base.saturating_sub(1) });
                format!(
                    "{count} bits; x[0] to x[{}] are the index, x[{last}] the sign; the sample is {base} + index, or with the sign {below} - index",
                    last - 1
                )
            }
            (_, true) => {
                format!("{count} bits in two's complement, the least significant first; the sample is {base} + x")
            }
            _ if matches!(self.table.form().line, Line::Folded | Line::Mirrored) => {
                format!("{count} bits, the least significant first; x is the distance from {base}, without a sign")
            }
            _ => format!("{count} bits, the least significant first; the sample is {base} + x"),
        }
    }
}

/// The integers beside the centre: both are the centre if that is one.
fn around(table: &PlainTable) -> [i64; 2] {
    let center = table.target().center();
    [center.floor(), center.floor().saturating_add(i64::from(!center.is_integer()))]
}

/// What becomes of the sign.
#[derive(Clone, Copy, PartialEq)]
enum Signs {
    None,
    /// It is an output.
    Bit,
    /// The value or its negative; without a zero, its complement.
    Complement {
        has_zero: bool,
    },
}

fn netlist(
    columns: &Columns,
    bits: u32,
    value_bits: u32,
    pattern: impl Fn(u32) -> u64,
    signs: Signs,
    depth: Depth,
) -> Netlist {
    let (choice, thresholds) = (columns.choice, columns.thresholds());
    let mut builder = Builder::new(bits + u32::from(signs != Signs::None));
    let forms = thresholds as u32 * (bits - choice + value_bits) + value_bits;
    let mut sums = Sums::new(choice, columns.deciding(), bits - 1, (forms.ilog2().max(3) - 1) as usize);
    let value_of = |sums: &mut Sums, builder: &mut Builder, values: &[u32]| -> Vec<Bit> {
        let bit = |i: u32| values.iter().map(|value| pattern(*value) >> i & 1 == 1).collect();
        (0..value_bits).map(|i| sums.of(builder, bit(i))).collect()
    };
    let mut value = value_of(&mut sums, &mut builder, &columns.slot(0).0);
    let u: Vec<Bit> = (choice..bits).map(Bit::input).collect();
    for j in 0..thresholds {
        // The masses below the threshold, and whether u is not below it.
        let (these, sum) = columns.slot(j);
        let threshold: Vec<Bit> =
            (0..bits - choice).map(|i| sums.of(&mut builder, sum.iter().map(|sum| sum.bit(i)).collect())).collect();
        let is_beyond = is_at_least(&mut builder, &u, &threshold, block(u.len(), depth));
        let (next, _) = columns.slot(j + 1);
        let changes: Vec<u64> = these.iter().zip(&next).map(|(this, next)| pattern(*this) ^ pattern(*next)).collect();
        for (i, bit) in (0..).zip(&mut value) {
            let change = sums.of(&mut builder, changes.iter().map(|change| change >> i & 1 == 1).collect());
            let step = builder.and(is_beyond, change);
            *bit = builder.xor(*bit, step);
        }
    }
    let sign = Bit::input(bits);
    match signs {
        Signs::None => {}
        Signs::Bit => value.push(sign),
        Signs::Complement { has_zero } => {
            // The complement, plus 1 for the negative: each bit changes if the sign and all lower bits of the complement are 1.
            let mut carries: Vec<Bit> = value.iter().map(|bit| builder.xor(*bit, sign)).collect();
            carries.insert(0, if has_zero { sign } else { Bit::constant(false) });
            products_of_prefixes(&mut builder, &mut carries, depth);
            for (bit, carry) in value.iter_mut().zip(&carries) {
                let turned = builder.xor(*bit, sign);
                *bit = builder.xor(turned, *carry);
            }
            value.push(builder.xor(sign, carries[carries.len() - 1]));
        }
    }
    builder.finish(&value)
}

/// Whether u >= t, both with the least significant bit first and as long, in blocks of so many bits.
///
/// Each block states whether it is above, or from the lowest bits on not below, and whether it is equal.
fn is_at_least(builder: &mut Builder, u: &[Bit], t: &[Bit], block: usize) -> Bit {
    let mut verdicts = Vec::new();
    for (i, (u, t)) in u.chunks(block).zip(t.chunks(block)).enumerate() {
        let (mut is_beyond, mut equal) = (Bit::constant(i == 0), vec![Bit::constant(i > 0)]);
        for (u, t) in u.iter().zip(t) {
            let (x, y) = (builder.xor(*u, is_beyond), builder.xor(t.not(), is_beyond));
            let both = builder.and(x, y);
            is_beyond = builder.xor(both, is_beyond);
            if i > 0 {
                equal.push(builder.xor(*u, t.not()));
            }
        }
        while equal.len() > 1 {
            equal = equal.chunks(2).map(|pair| pair[1..].iter().fold(pair[0], |a, b| builder.and(a, *b))).collect();
        }
        verdicts.push((is_beyond, equal[0]));
    }
    while verdicts.len() > 1 {
        let join = |pair: &[(Bit, Bit)]| {
            pair[1..].iter().fold(pair[0], |(below, below_equal), (above, equal)| {
                let low = builder.and(*equal, below);
                (builder.xor(*above, low), builder.and(*equal, below_equal))
            })
        };
        verdicts = verdicts.chunks(2).map(join).collect();
    }
    verdicts.first().map_or(Bit::constant(true), |(is_beyond, _)| *is_beyond)
}

/// Replaces each bit by the product of all bits up to it: one by one, or of two halves.
fn products_of_prefixes(builder: &mut Builder, bits: &mut [Bit], depth: Depth) {
    if bits.len() < 2 {
        return;
    }
    let (low, high) = bits.split_at_mut(match depth {
        Depth::Linear => bits.len() - 1,
        Depth::Logarithmic => bits.len() / 2,
    });
    products_of_prefixes(builder, low, depth);
    products_of_prefixes(builder, high, depth);
    for bit in high {
        *bit = builder.and(*bit, low[low.len() - 1]);
    }
}

/// A sum of outputs that is 1 with probability a·2^-n, a odd, takes n − 1 AND gates: the largest n.
fn lower_bound(masses: &[Whole], bits: u32, value_bits: u32, pattern: impl Fn(u32) -> u64, signs: Signs) -> LowerBound {
    // The masses of all outputs modulo 2^128, and of both signs in units of 2^-(bits + 1).
    let mut law = vec![0_u128; 1 << (value_bits + u32::from(signs != Signs::None))];
    let len = law.len();
    for (value, mass) in (0..).zip(masses) {
        let [low, high, ..] = mass.limbs();
        let (mass, value) =
            (u128::from(high) << 64 | u128::from(low), pattern(value) as usize & ((1 << value_bits) - 1));
        match signs {
            Signs::None => law[value] = mass,
            Signs::Bit => (law[value], law[value | 1 << value_bits]) = (mass, mass),
            Signs::Complement { has_zero } => {
                let negative = if has_zero { value.wrapping_neg() } else { !value };
                let other = negative & (len - 1);
                law[value] = law[value].wrapping_add(mass);
                law[other] = law[other].wrapping_add(mass);
            }
        }
    }
    // The Walsh transform: afterwards law[0] − law[m] is twice the mass where the sum of the outputs m is 1.
    let mut half = 1;
    while half < len {
        for i in (0..len).filter(|i| i & half == 0) {
            let (a, b) = (law[i], law[i | half]);
            (law[i], law[i | half]) = (a.wrapping_add(b), a.wrapping_sub(b));
        }
        half *= 2;
    }
    let total = bits + u32::from(signs != Signs::None);
    let zeros = |m: usize| law[0].wrapping_sub(law[m]).trailing_zeros();
    let outputs = (1..len).min_by_key(|m| zeros(*m)).unwrap_or(0);
    // 128 zeros of a transform modulo 2^128 prove nothing.
    match total.saturating_sub(zeros(outputs)) {
        ands @ 1.. if zeros(outputs) < u128::BITS => LowerBound { ands, outputs: outputs as u64 },
        _ => LowerBound { ands: 0, outputs: 0 },
    }
}
