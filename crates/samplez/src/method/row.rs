//! A method's description in its module: a [`Row`], its cost and its constructor.

use crate::export::Export;
use crate::options::Options;
use crate::refused::Refused;
use samplez_core::{DiscreteGaussian, Noise, Rational, Timing};
use std::f64::consts::{LN_2, LOG2_E, PI};
use std::fmt;

/// Builds a method's sampler with these options.
type Constructor = fn(&DiscreteGaussian, &Options) -> Result<Box<dyn Noise>, Refused>;

/// Writes down a method's table with these options.
pub(crate) type Exporter = fn(&DiscreteGaussian, &Options) -> Result<Export, Refused>;

/// A method, as its own file describes it. Lists, planner, documents and bindings are derived from these.
///
/// ```
/// use samplez::{Method, Timing};
/// let row = Method::Karney.row();
/// assert_eq!((row.name, row.timing, row.exact), ("karney", Timing::Variable, true));
/// assert_eq!((row.paper, row.file), ("[Kar16]", "karney.rs"));
/// ```
#[non_exhaustive]
pub struct Row {
    /// The name, in every language.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// The keys of its papers in docs/papers.md, in brackets; may be empty.
    pub paper: &'static str,
    /// Its file in the core's `samplers/`.
    pub file: &'static str,
    /// Its law in Markdown, in few words.
    pub law: &'static str,
    /// The widths and centres that it takes, in Markdown.
    pub takes: &'static str,
    /// Its memory, in Markdown.
    pub memory: &'static str,
    /// The class of its running time, as the sampler's type declares it.
    pub timing: Timing,
    /// Whether its law is D_{Z,σ,c} itself for every law that it takes. `rejection`, which is
    /// exact up to its tail only, is not.
    pub exact: bool,
    /// The options that shape its sampler; constraints concern every method.
    pub heeds: &'static [&'static str],
    /// Returns the options in force, except the defaults that all methods share.
    pub(crate) settle: fn(&DiscreteGaussian, &Options) -> Result<Options, Refused>,
    pub(crate) cost: fn(&Ask<'_>) -> Result<Cost, Refused>,
    pub(crate) build: Constructor,
    /// Builds a sampler of D_{Z,σ,c} itself, by the same kernel: for methods that are not exact anyway.
    pub(crate) exactly: Option<Constructor>,
}

/// The description of every method whose Cargo feature is disabled. [`Method::is_here`](super::Method::is_here) refuses these
/// before a constructor is called.
#[cfg(not(feature = "all-methods"))]
pub(super) const NONE: Row = Row {
    name: "not-in-this-build",
    summary: "",
    paper: "",
    file: "",
    law: "",
    takes: "",
    memory: "",
    timing: Timing::Variable,
    exact: false,
    heeds: &[],
    settle: as_said,
    cost: |_| Err(Refused::new("method", "", "not in this build")),
    build: |_, _| Err(Refused::new("method", "", "not in this build")),
    exactly: None,
};

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The estimated cost of a sampler. Sizes follow the tables' own formulas; times are for the machine that
/// benches/RESULTS.md names. Only building it shows whether it can be built at all.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    /// The options with which it would be built.
    pub(crate) options: Options,
    pub(crate) bytes: f64,
    /// Seconds.
    pub(crate) setup: f64,
    /// Returns the options to try next if it cannot be built with these.
    pub(crate) retreat: fn(&Options) -> Option<Options>,
}

/// For a method that leaves nothing open.
pub(crate) fn as_said(_: &DiscreteGaussian, options: &Options) -> Result<Options, Refused> {
    Ok(*options)
}

/// Nothing but parameters to check, seconds.
pub(crate) const NO_SETUP: f64 = 2e-5;
/// The size of the tables of the exact methods, for any σ.
const FIXED_TABLE: f64 = 4096.0;

/// The planner's question to every method: a law, evaluated once, and options.
pub(crate) struct Ask<'a> {
    pub(crate) law: &'a DiscreteGaussian,
    pub(crate) options: &'a Options,
    pub(crate) sigma: f64,
}

impl<'a> Ask<'a> {
    pub(crate) fn new(law: &'a DiscreteGaussian, options: &'a Options) -> Self {
        Ask { law, options, sigma: samplez_tables::sigma(law) }
    }

    /// With these options, and no other way.
    pub(crate) fn cost(&self, bytes: f64, setup: f64) -> Cost {
        Cost { options: *self.options, bytes, setup, retreat: |_| None }
    }

    /// An exact method's, if its parameters are allowed.
    pub(crate) fn exact<T, E: Into<Refused>>(&self, made: Result<T, E>) -> Result<Cost, Refused> {
        made.map_err(Into::into)?;
        Ok(self.cost(FIXED_TABLE, NO_SETUP))
    }

    /// The table of a method of at most this many thresholds. A table that is certainly longer is refused before it is built.
    pub(crate) fn table_up_to(&self, method: &str, most: usize) -> Result<TableSize, Refused> {
        let table = self.table();
        if table.entries > 1.1 * most as f64 {
            let allowed = format!("{method} allows at most {most} thresholds, not about {:.0}", table.entries);
            return Err(Refused::width(self.law.width(), allowed));
        }
        Ok(table)
    }

    /// The matrix of a Knuth–Yao walk: its columns, with a third of their bytes for ranks and hints, and where they begin.
    pub(crate) fn matrix_bytes(&self) -> f64 {
        let table = self.table();
        let precision = f64::from(table.precision);
        // Column c has the rows up to a distance of σ·sqrt(2 ln 2 (c - mode)).
        let columns = table.entries * (2.0 / 3.0 * (precision - self.mode()).max(0.0) + 1.0) / 8.0;
        let each = if self.law.center().is_integer() { 4.0 } else { 8.0 };
        1.31 * columns + each * precision + 50.0
    }

    /// The bits of 1/P(c).
    fn mode(&self) -> f64 {
        (self.sigma * (2.0 * PI).sqrt()).max(1.0).log2()
    }

    /// The inversion table of this law.
    pub(crate) fn table(&self) -> TableSize {
        self.table_of(self.sigma)
    }

    /// The inversion table of a law of this σ with the same centre.
    pub(crate) fn table_of(&self, sigma: f64) -> TableSize {
        self.table_at(sigma, self.options.precision())
    }

    /// The same at this precision.
    pub(crate) fn table_at(&self, sigma: f64, precision: u32) -> TableSize {
        let mode = (sigma * (2.0 * PI).sqrt()).max(1.0).log2();
        let bits = f64::from(precision) - mode;
        let distance = |bits: f64| sigma * (2.0 * LN_2 * bits.max(0.0)).sqrt();
        let folded = self.law.center().is_integer();
        let entries = if folded { distance(bits + 1.0) } else { 2.0 * distance(bits) };
        TableSize { entries: entries.max(1.0), precision }
    }

    /// Returns the bytes of a lazy table beside its thresholds, for a law of this σ with the same centre.
    ///
    /// They are trees of at least 64 entries. By two digits, the trees cover every value that is likelier than 2^-L. By
    /// the remaining digits of the thresholds, they cover all values.
    pub(crate) fn parts_bytes(&self, sigma: f64) -> f64 {
        let table = self.table_of(sigma);
        let lead = if self.law.center().is_integer() { 15 } else { 16 };
        let coarse = self.table_at(sigma, lead.min(table.precision)).entries;
        let digits = ((f64::from(table.precision.saturating_sub(lead)) + (coarse / 2.0).max(1.0).log2()) / 8.0).ceil();
        // Rather the next power of two than the one below.
        let stride = |numbers: f64| (1.05 * numbers + 1.0).log2().floor().exp2().max(32.0) * 2.0;
        2.0 * stride(coarse) + digits.max(1.0) * stride(table.entries)
    }

    /// The bytes of a pooled table of this law beside its thresholds: trees of 64 entries at least. A level has one digit or
    /// two, and the last tree has the remaining digits of the thresholds.
    pub(crate) fn levels_bytes(&self) -> f64 {
        let table = self.table();
        let digits = (f64::from(table.precision.max(32).saturating_sub(22)) / 8.0).ceil();
        let stride = |numbers: f64| (1.05 * numbers + 1.0).log2().floor().exp2().max(32.0) * 2.0;
        256.0 + digits * stride(table.entries)
    }

    /// Refuses a centre that is not an integer.
    pub(crate) fn integer_center(&self, method: &str) -> Result<(), Refused> {
        let center = self.law.center();
        if center.is_integer() {
            return Ok(());
        }
        Err(Refused::new("center", center, format!("method {method} allows an integer center only")))
    }

    /// Returns the `tail` option, or the least whole tail that cuts off less than 2^-precision if that is longer. The
    /// bound on the part cut off is t e^((1-t²)/2).
    pub(crate) fn reach(&self) -> Rational {
        let cut = |t: f64| t.log2() + 0.5 * (1.0 - t * t) * LOG2_E;
        let precision = f64::from(self.options.precision());
        let whole = (2..=40).find(|t| cut(f64::from(*t)) < -precision).unwrap_or(40);
        self.options.tail().max(Rational::from(i64::from(whole)))
    }
}

/// The thresholds of an inversion table: one for each value but the mode whose probability
/// (folded: that of ±x) is at least 2^-precision.
#[derive(Clone, Copy)]
pub(crate) struct TableSize {
    pub(crate) entries: f64,
    pub(crate) precision: u32,
}

impl TableSize {
    pub(crate) fn bytes(&self) -> f64 {
        4.0 * f64::from(self.precision.div_ceil(32)) * self.entries
    }

    /// Seconds.
    pub(crate) fn setup(&self) -> f64 {
        NO_SETUP + limbs(self.precision) * 2e-7 * self.entries
    }

    /// Returns the bytes of the index table that `samplez_tables::build_guided` makes if memory allows it. `shares` is
    /// 1 if the law is symmetric, or else 2.
    pub(crate) fn guide_bytes(&self, shares: f64) -> f64 {
        let enough = self.entries.log2().ceil();
        // About as many thresholds as a short table has at most.
        if (84.0 * shares.sqrt()..32_768.0).contains(&self.entries) {
            let second = (self.entries.log2().floor() + 3.0).clamp(14.0, 16.0);
            return 65_536.0 * shares + 2.0 * second.exp2() + 4.0 * self.entries;
        }
        let few = self.entries < 32_768.0;
        let bits = if few { (enough + 5.0).clamp(8.0, enough.max(14.0)) } else { enough + 2.0 };
        4.0 * bits.min(26.0).min(f64::from(self.precision.min(31))).exp2()
    }
}

/// How much more wide arithmetic costs than that of 128 bits.
pub(crate) fn limbs(precision: u32) -> f64 {
    if precision <= 128 { 1.0 } else { 2.0 }
}
