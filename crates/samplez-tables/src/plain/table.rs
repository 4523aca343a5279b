//! A table as a list of whole numbers in a stated form.

use super::form::{Entries, Line, Rest, TableForm};
use super::whole::Whole;
use crate::certify::certify;
use crate::density::Exponent;
use crate::error::in_range;
use alloc::vec::Vec;
use core::fmt;
use samplez_core::table::{CdtTable, MAX_PRECISION, Shape};
use samplez_core::{Bound, DiscreteGaussian, ParamError};

/// The most entries of a table.
pub(super) const MAX_ENTRIES: usize = 1 << 20;

/// The error if numbers are not a table of the stated form, or if no such table can be built.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{PlainTable, Whole};
/// let law = DiscreteGaussian::with_sigma("2.8".parse()?)?;
/// let rising = PlainTable::new(&law, &"hawk".parse()?, vec![Whole::from(7), Whole::from(8)]);
/// assert_eq!(rising.unwrap_err().to_string(), "entry 1 = 8: above entry 0 = 7; the tail of a law falls");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlainError {
    /// The precision is out of range.
    Precision(ParamError),
    /// The line is symmetric, but the law is not.
    Center {
        /// The line.
        line: Line,
        /// The law.
        target: DiscreteGaussian,
    },
    /// A full line without its first value, or one that leaves `i64` or misses the mode.
    First {
        /// The number given.
        first: Option<i64>,
    },
    /// The number of entries is not as stated, or not from 1 to 2^20.
    Count {
        /// How many there are.
        entries: usize,
        /// How many there must be; `None`: 1 to 2^20.
        stated: Option<usize>,
    },
    /// The law takes more entries than a table may have.
    TooMany {
        /// The law aimed at.
        target: DiscreteGaussian,
        /// How many there would be.
        entries: usize,
    },
    /// An entry is not possible.
    Entry {
        /// Its place, from 0.
        index: usize,
        /// Its value.
        value: Whole,
        /// The mistake.
        wrong: WrongEntry,
    },
    /// No entry has any weight.
    Empty,
    /// An entry is too close to a whole number (or a half) to be rounded, or the weights exceed 2^precision.
    Undecided {
        /// The law aimed at.
        target: DiscreteGaussian,
    },
}

/// A mistake in an entry.
///
/// ```
/// use samplez_tables::WrongEntry;
/// assert_ne!(WrongEntry::AboveOne, WrongEntry::SumAboveOne);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongEntry {
    /// It is above 2^precision; of a mirrored tail above half of it.
    AboveOne,
    /// It is above its predecessor, in a tail.
    Rises(Whole),
    /// It is below its predecessor, in a head.
    Falls(Whole),
    /// It is below 2^(precision - 1), in a mirrored head.
    BelowHalf,
    /// With it the sum exceeds 2^precision.
    SumAboveOne,
}

impl fmt::Display for PlainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Precision(error) => error.fmt(f),
            Self::Center { line, target } => {
                write!(f, "center = {}: a {line} line needs a centre that is a multiple of 1/2", target.center())
            }
            Self::First { first: None } => {
                f.write_str("first: missing; a full line needs the value of its first entry")
            }
            Self::First { first: Some(first) } => {
                write!(f, "first = {first}: the mode must lie in the table, and all values in 64 bits")
            }
            Self::Count { entries, stated: Some(stated) } => write!(f, "{entries} entries: expected {stated}"),
            Self::Count { entries, stated: None } => {
                write!(f, "{entries} entries: expected a number between 1 and {MAX_ENTRIES}")
            }
            Self::TooMany { target, entries } => {
                write!(
                    f,
                    "{target}: takes about {entries} entries, more than {MAX_ENTRIES}: a narrower law, or fewer bits"
                )
            }
            Self::Entry { index, value, wrong } => {
                write!(f, "entry {index} = {value}: ")?;
                let before = index.saturating_sub(1);
                match wrong {
                    WrongEntry::AboveOne => f.write_str("more than all of the law: expected at most 2^precision, or half of that where the line is mirrored"),
                    WrongEntry::Rises(other) => write!(f, "above entry {before} = {other}; the tail of a law falls"),
                    WrongEntry::Falls(other) => write!(f, "below entry {before} = {other}; the head of a law rises"),
                    WrongEntry::BelowHalf => f.write_str("less than half of the law: the head of a mirrored line begins at 2^(precision - 1)"),
                    WrongEntry::SumAboveOne => f.write_str("with it the sum is above one, 2^precision"),
                }
            }
            Self::Empty => f.write_str("the entries: all are zero"),
            Self::Undecided { target } => {
                write!(f, "{target}: an entry cannot be told from a whole number or a half, and so cannot be rounded")
            }
        }
    }
}

impl core::error::Error for PlainError {}

/// A published table: whole numbers, the form that defines their meaning, and the law aimed at.
///
/// [`build_plain`](crate::build_plain) makes one, [`audit`](crate::audit) bounds the distance of its law from the one
/// aimed at.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{PlainTable, TableForm, Whole, audit};
/// // FrodoKEM-1344's errors.
/// let entries = [18286, 14320, 6876, 2023, 364, 40, 2_u128].map(Whole::from).to_vec();
/// let law = DiscreteGaussian::with_sigma("1.4".parse()?)?;
/// let table = PlainTable::new(&law, &"frodo".parse()?, entries)?;
/// assert!((audit(&table).bound.log2_sd - -6.57).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlainTable {
    target: DiscreteGaussian,
    form: TableForm,
    entries: Vec<Whole>,
    /// The draws that each entry covers.
    weights: Vec<Whole>,
    /// The draws that none covers.
    uncovered: Whole,
    /// The index of the mode.
    mode: usize,
}

impl PlainTable {
    /// Makes a table of these entries, from any origin.
    ///
    /// # Errors
    ///
    /// [`PlainError`] unless they are a table of this form, of 1 to 2^20 entries.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::{PlainTable, TableForm, Whole};
    /// let law = DiscreteGaussian::with_sigma("1".parse()?)?;
    /// let table = PlainTable::new(&law, &"folded,tail,8".parse()?, vec![Whole::from(140)])?;
    /// assert_eq!(table.entries(), [Whole::from(140)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(target: &DiscreteGaussian, form: &TableForm, entries: Vec<Whole>) -> Result<PlainTable, PlainError> {
        check_form(target, form)?;
        let count = entries.len();
        if form.len.is_some_and(|len| len != count) {
            return Err(PlainError::Count { entries: count, stated: form.len });
        }
        if count == 0 || count > MAX_ENTRIES {
            return Err(PlainError::Count { entries: count, stated: None });
        }
        let mode = match (form.line, form.first) {
            (Line::Full, Some(first)) => {
                let outside = PlainError::First { first: Some(first) };
                let at = Exponent::new(target).mode().checked_sub(first).ok_or(outside)?;
                first.checked_add_unsigned(count as u64 + 1).ok_or(outside)?;
                usize::try_from(at).ok().filter(|at| *at <= count).ok_or(outside)?
            }
            (Line::Full, None) => return Err(PlainError::First { first: None }),
            _ => 0,
        };
        let weights = weights(target, form, &entries)?;
        let sum = weights.iter().fold(Whole::ZERO, |sum, weight| sum.plus(weight));
        let uncovered = Whole::power(form.precision).minus(&sum).unwrap_or(Whole::ZERO);
        let table = PlainTable { target: *target, form: *form, entries, weights, uncovered, mode };
        let repeats = table.rest().is_none_or(|rest| rest == Rest::Again);
        if repeats && sum == Whole::ZERO { Err(PlainError::Empty) } else { Ok(table) }
    }

    /// Returns the law aimed at.
    pub fn target(&self) -> &DiscreteGaussian {
        &self.target
    }

    /// Returns the form.
    pub fn form(&self) -> &TableForm {
        &self.form
    }

    /// Returns the entries.
    pub fn entries(&self) -> &[Whole] {
        &self.entries
    }

    /// Returns the draws of 2^precision that no entry covers: 0 where the entries sum to 2^precision.
    pub fn uncovered(&self) -> Whole {
        self.uncovered
    }

    /// The result of the uncovered draws; `None` if the form leaves it open.
    pub(crate) fn rest(&self) -> Option<Rest> {
        self.form.rest.or(match self.form.entries {
            Entries::Tail => Some(Rest::Next),
            _ => None,
        })
    }

    /// The draws that each index has in this reading, both signs together, and their sum.
    pub(crate) fn weights(&self, rest: Rest) -> (Vec<Whole>, Whole) {
        let (mut weights, one) = (self.weights.clone(), Whole::power(self.form.precision));
        let at = match rest {
            Rest::Again => return (weights, one.minus(&self.uncovered).unwrap_or(one)),
            Rest::Mode => self.mode,
            Rest::Next => weights.len(),
        };
        weights.resize(weights.len().max(at + 1), Whole::ZERO);
        weights[at] = weights[at].plus(&self.uncovered);
        (weights, one)
    }

    /// Returns the table of the same law whose entries are a tail, over a folded line or over the full line. Entry k counts the draws
    /// of an index above k. `None` for a half line and for a mirrored line about a half-integer. `None` also if some draws are
    /// uncovered, and their result is not stated or is to draw again.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::{PlainTable, Whole};
    /// let law = DiscreteGaussian::with_sigma("1".parse()?)?;
    /// let weights = PlainTable::new(&law, &"folded,pmf,8".parse()?, [116, 140].map(Whole::from).to_vec())?;
    /// assert_eq!(weights.to_tail().ok_or("a tail")?.entries(), [Whole::from(140)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_tail(&self) -> Option<PlainTable> {
        let line = match self.form.line {
            Line::Folded | Line::Mirrored if self.target.center().is_integer() => Line::Folded,
            Line::Full => Line::Full,
            _ => return None,
        };
        let rest = if self.uncovered == Whole::ZERO { Rest::Next } else { self.rest()? };
        if rest == Rest::Again {
            return None;
        }
        let (weights, mut above) = self.weights(rest);
        let mut entries = Vec::with_capacity(weights.len());
        for weight in &weights {
            above = above.minus(weight)?;
            entries.push(above);
        }
        // The first indices of a full line may have no draws.
        let one = Whole::power(self.form.precision);
        let empty = entries.iter().take_while(|entry| line == Line::Full && **entry == one).count();
        entries.drain(..empty);
        // Nor have the last ones. One entry is kept, if it is 0: all draws are then of one index.
        entries.truncate(entries.iter().rposition(|entry| *entry != Whole::ZERO).map_or(1, |last| last + 1));
        let first = self.form.first.and_then(|first| first.checked_add(empty as i64));
        let form =
            TableForm { line, entries: Entries::Tail, first, rest: None, inclusive: false, len: None, ..self.form };
        PlainTable::new(&self.target, &form, entries).ok()
    }

    /// Returns the same numbers, certified, for this library's samplers. They must be a tail, over a folded line with
    /// an integer centre or over the full line; `None` for any other form.
    pub fn to_cdt(&self) -> Option<CdtTable<Vec<u32>>> {
        let exponent = Exponent::new(&self.target);
        let (shape, first) = match self.form.line {
            Line::Folded if exponent.is_symmetric() => (Shape::Folded, exponent.mode()),
            Line::Full => (Shape::Full, self.form.first?),
            _ => return None,
        };
        // Its samplers count the entries above the draw.
        let counts = self.rest() == Some(Rest::Next) || self.uncovered == Whole::ZERO;
        if self.form.entries != Entries::Tail || self.form.inclusive || !counts {
            return None;
        }
        let (precision, len) = (self.form.precision, self.entries.len());
        let each = precision.div_ceil(32) as usize;
        let mut digits = alloc::vec![0; each * len];
        for (j, entry) in self.entries.iter().enumerate() {
            for i in 0..each {
                // Digit i, most significant first, of the number with its last bits filled up.
                let digit = (0..32).fold(0, |digit, bit| {
                    let place = precision as i64 - 1 - (32 * i + bit) as i64;
                    let set = u64::try_from(place).map_or(0, |p| entry.limbs()[p as usize / 64] >> (p % 64) & 1);
                    digit << 1 | set as u32
                });
                digits[if i == 0 { j } else { len + j * (each - 1) + i - 1 }] = digit;
            }
            if entry.bits() > precision {
                return None;
            }
        }
        let unknown = Bound::TRIVIAL;
        let bound = certify(&CdtTable::new(self.target, unknown, shape, first, precision, &digits).ok()?);
        CdtTable::new(self.target, bound, shape, first, precision, digits).ok()
    }
}

/// Precision and line.
pub(super) fn check_form(target: &DiscreteGaussian, form: &TableForm) -> Result<(), PlainError> {
    in_range("precision", form.precision, 1, MAX_PRECISION).map_err(PlainError::Precision)?;
    if form.line != Line::Full && target.center().den() > 2 {
        return Err(PlainError::Center { line: form.line, target: *target });
    }
    Ok(())
}

/// The draws that each entry covers; for a mirrored line both signs together.
fn weights(target: &DiscreteGaussian, form: &TableForm, entries: &[Whole]) -> Result<Vec<Whole>, PlainError> {
    let one = Whole::power(form.precision);
    let (mirrored, half) = (form.line == Line::Mirrored, Whole::power(form.precision - 1));
    let twice = |weight: Whole| if mirrored { weight.plus(&weight) } else { weight };
    let wrong = |index: usize, wrong| PlainError::Entry { index, value: entries[index], wrong };
    let most = if mirrored && form.entries == Entries::Tail { half } else { one };
    let counted = |k: usize| {
        if entries[k] > most || form.inclusive && entries[k] == most {
            return Err(wrong(k, WrongEntry::AboveOne));
        }
        Ok(if form.inclusive { entries[k].plus(&Whole::from(1)) } else { entries[k] })
    };
    let mut weights = Vec::with_capacity(entries.len());
    match form.entries {
        Entries::Tail => {
            let mut above = most;
            for k in 0..entries.len() {
                let tail = counted(k)?;
                let before = k.checked_sub(1).map_or(most, |before| entries[before]);
                weights.push(twice(above.minus(&tail).ok_or(wrong(k, WrongEntry::Rises(before)))?));
                above = tail;
            }
        }
        Entries::Head => {
            let mut below = if mirrored { half } else { Whole::ZERO };
            for k in 0..entries.len() {
                let head = counted(k)?;
                let falls = match k.checked_sub(1) {
                    Some(before) => WrongEntry::Falls(entries[before]),
                    None => WrongEntry::BelowHalf,
                };
                weights.push(twice(head.minus(&below).ok_or(wrong(k, falls))?));
                below = head;
            }
        }
        Entries::Pmf => {
            let mut sum = Whole::ZERO;
            for k in 0..entries.len() {
                // The value at an integer centre has no mirror image.
                let alone = k == 0 && target.center().is_integer();
                let weight = if alone { counted(k)? } else { twice(counted(k)?) };
                sum = sum.plus(&weight);
                if sum > one {
                    return Err(wrong(k, WrongEntry::SumAboveOne));
                }
                weights.push(weight);
            }
        }
    }
    Ok(weights)
}
