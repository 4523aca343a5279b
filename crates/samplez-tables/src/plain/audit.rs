//! The audit of any table: upper bounds of its distance from the law aimed at, from its numbers.

use super::form::{Line, Rest};
use super::ideal::Ideal;
use super::table::PlainTable;
use super::whole::Whole;
use crate::certify::Tally;
use crate::density::{Density, Exponent};
use crate::fixed::{Interval, add};
use crate::law::{TargetError, TargetLaw, sigma};
use crate::limbs::{enough, with_limbs};
use alloc::string::ToString;
use core::fmt;
use core::ops::RangeInclusive;
use samplez_core::Bound;

/// The result of an [`audit`].
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{audit, build_plain};
/// let found = audit(&build_plain(&DiscreteGaussian::with_sigma("1.8205".parse()?)?, &"falcon".parse()?)?);
/// assert_eq!(found.support, 0..=18);
/// assert!((found.bound.renyi(513).unwrap() - -77.93).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Audit {
    /// Upper bounds of the distance from D_{Z,σ,c}; of a half line, from D_{Z,σ,c} given X >= c.
    pub bound: Bound,
    /// The possible values.
    pub support: RangeInclusive<i64>,
    /// The draws that no entry covers, if there are any, and the assumption about them.
    pub uncovered: Option<Uncovered>,
}

/// The draws that no entry of a table covers, and the assumption of an [`audit`] about their result.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{PlainTable, Rest, Whole, audit};
/// let law = DiscreteGaussian::with_sigma("0.5".parse()?)?;
/// let entries = [201, 255].map(Whole::from).to_vec();
/// let found = audit(&PlainTable::new(&law, &"folded,head,rest-next,8".parse()?, entries.clone())?);
/// let uncovered = found.uncovered.unwrap();
/// assert_eq!((uncovered.draws, uncovered.rest), (Whole::from(1), Some(Rest::Next)));
/// assert_eq!(uncovered.to_string(), "1 of 2^8 draws, which return -2 or 2 (rest-next)");
/// // Not stated: the bounds are the largest of the three.
/// let open = audit(&PlainTable::new(&law, &"folded,head,8".parse()?, entries)?);
/// assert_eq!(open.uncovered.unwrap().rest, None);
/// assert!(open.bound.log2_rinf >= found.bound.log2_rinf && open.bound.log2_tail > found.bound.log2_tail);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uncovered {
    /// Their number, of 2^precision draws.
    pub draws: Whole,
    /// Their result; `None` if the form leaves it open, and then the bounds hold in all three cases.
    pub rest: Option<Rest>,
    precision: u32,
    /// The values after the last.
    next: (Option<i64>, i64),
}

impl fmt::Display for Uncovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of 2^{} draws", self.draws, self.precision)?;
        let next = |f: &mut fmt::Formatter<'_>| match self.next {
            (Some(low), high) => write!(f, "return {low} or {high}"),
            (None, high) => write!(f, "return {high}"),
        };
        match self.rest {
            Some(Rest::Again) => f.write_str(", which are repeated (rest-again)"),
            Some(Rest::Mode) => f.write_str(", which return the mode (rest-mode)"),
            Some(Rest::Next) => {
                f.write_str(", which ")?;
                next(f)?;
                f.write_str(" (rest-next)")
            }
            None => {
                f.write_str("; the bounds hold if they are repeated, return the mode or ")?;
                next(f)?;
                f.write_str("; for one of these, state rest-again, rest-mode or rest-next")
            }
        }
    }
}

/// Bounds the distance of a table's law from the law aimed at, by interval arithmetic from its numbers, rounded up.
///
/// A symmetric line stands for both signs with the same probability. If the entries leave draws uncovered and the form leaves
/// their result open, the bounds hold in all three cases of [`Rest`]. As with [`certify()`](crate::certify()), a table that
/// gives weight where the law has less than 2^-(precision + 96) gets infinite Rényi bounds.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{CdtOptions, TableForm, audit, build_cdt, build_plain};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let found = audit(&build_plain(&law, &TableForm::folded_cdt(128))?);
/// assert_eq!(found.support, -42..=42);
/// assert!((found.bound.log2_sd - build_cdt(&law, &CdtOptions::default())?.bound().log2_sd).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn audit(table: &PlainTable) -> Audit {
    judge(table, |rest| with_limbs!(enough(table.form().precision), bound(table, rest)))
}

/// The audit of a table, where `of` bounds its law under this assumption about uncovered draws.
fn judge(table: &PlainTable, of: impl Fn(Rest) -> Bound) -> Audit {
    let (draws, precision, line) = (table.uncovered(), table.form().precision, table.form().line);
    if draws == Whole::ZERO {
        return Audit { bound: of(Rest::Again), support: support(table, Rest::Again), uncovered: None };
    }
    let next = support(table, Rest::Next);
    let below = if matches!(line, Line::Folded | Line::Mirrored) { Some(*next.start()) } else { None };
    let uncovered = Uncovered { draws, rest: table.rest(), precision, next: (below, *next.end()) };
    let (bound, support) = match uncovered.rest {
        Some(rest) => (of(rest), support(table, rest)),
        None => (
            [of(Rest::Again), of(Rest::Mode), of(Rest::Next)].into_iter().reduce(larger).unwrap_or(Bound::TRIVIAL),
            next,
        ),
    };
    Audit { bound, support, uncovered: Some(uncovered) }
}

/// The bound that holds where either does.
fn larger(a: Bound, b: Bound) -> Bound {
    let renyi = core::array::from_fn(|i| {
        let ((order, one), (_, other)) = (a.log2_renyi[i], b.log2_renyi[i]);
        (order, one.max(other))
    });
    Bound::new(a.log2_sd.max(b.log2_sd), renyi, a.log2_rinf.max(b.log2_rinf), a.log2_tail.max(b.log2_tail))
}

/// Bounds the distance of a table from another law, such as a rounded normal, or a law that is cut to a range.
///
/// The table's own law decides where its values lie. A half line is compared with the law given that X >= c.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{PlainTable, TargetLaw, Whole, audit_against};
/// // FrodoKEM-1344's errors: 2^16 P(X = k) of a rounded normal.
/// let entries = [18286, 14320, 6876, 2023, 364, 40, 2_u128].map(Whole::from).to_vec();
/// let law = DiscreteGaussian::with_sigma("1.4".parse()?)?;
/// let table = PlainTable::new(&law, &"frodo".parse()?, entries)?;
/// assert!((audit_against(&table, &TargetLaw::rounded(&law)?)?.bound.log2_sd - -15.06).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`TargetError`](crate::TargetError) for a half line and a law that is cut or reduced already, and for a sum, whose probabilities have an error.
pub fn audit_against(table: &PlainTable, law: &TargetLaw) -> Result<Audit, TargetError> {
    if law.is_sum() {
        let expected = "a law whose probabilities have no error, unlike a sum or weights";
        return Err(TargetError { argument: "law", value: law.to_string(), expected });
    }
    let mode = Exponent::new(table.target()).mode();
    let law = if table.form().line == Line::Half { law.within(mode..=i64::MAX)? } else { law.clone() };
    Ok(judge(table, |rest| with_limbs!(enough(table.form().precision), bound_against(table, rest, &law))))
}

/// The whole number times 2^-bits.
fn scaled<const N: usize>(whole: &Whole, bits: u32) -> Interval<N> {
    let shift = 64 * (N as u32 - 1) - bits;
    let (skip, shift) = (shift as usize / 64, shift % 64);
    let mut lo = [0; N];
    for (i, limb) in whole.limbs().iter().enumerate() {
        let mut part = [0; N];
        if let Some(slot) = part.get_mut(skip + i) {
            *slot = limb << shift;
        }
        if let (Some(slot), 1..) = (part.get_mut(skip + i + 1), shift) {
            *slot = limb >> (64 - shift);
        }
        lo = add(&lo, &part);
    }
    Interval { lo, width: 0 }
}

fn bound<const N: usize>(table: &PlainTable, rest: Rest) -> Bound {
    let (target, form) = (table.target(), table.form());
    let density = Density::<N>::new(target, sigma(target));
    let ideal = Ideal::new(&density, form.line);
    let first = form.first.unwrap_or(0);
    compare(table, rest, |k| match form.line {
        Line::Full => {
            let (side, distance) = density.exponent().locate(first.saturating_add(k as i64));
            ideal.value(side, distance)
        }
        _ => ideal.index(k),
    })
}

fn bound_against<const N: usize>(table: &PlainTable, rest: Rest, law: &TargetLaw) -> Bound {
    let (exponent, form) = (Exponent::new(table.target()), table.form());
    let (mode, first, p) = (exponent.mode(), form.first.unwrap_or(0), law.probabilities::<N>());
    compare(table, rest, |k| {
        let at = |x: Option<i64>| x.map_or(Interval::ZERO, |x| p(x, x));
        let up = mode.checked_add_unsigned(k);
        match form.line {
            Line::Full => at(first.checked_add_unsigned(k)),
            Line::Half => at(up),
            Line::Folded | Line::Mirrored if exponent.is_symmetric() && k == 0 => at(up),
            // About a centre between two integers, the mode is the upper one.
            Line::Folded | Line::Mirrored => {
                at(up).add(&at(mode.checked_sub_unsigned(k + u64::from(!exponent.is_symmetric()))))
            }
        }
    })
}

/// The table beside the probabilities that the indices should have.
fn compare<const N: usize>(table: &PlainTable, rest: Rest, ideal: impl Fn(u64) -> Interval<N>) -> Bound {
    let mut tally = Tally::<N>::new();
    // q = w/total, with the total from 1 to 2 at this scale.
    let (weights, total) = table.weights(rest);
    let bits = total.bits() - 1;
    let inverse = scaled::<N>(&total, bits).reciprocal();
    for (k, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != Whole::ZERO) {
        let q = scaled::<N>(weight, bits);
        let q = if total == Whole::power(bits) { q } else { q.mul(&inverse) };
        tally.add(&q, &ideal(k as u64), false);
    }
    tally.bound()
}

fn support(table: &PlainTable, rest: Rest) -> RangeInclusive<i64> {
    let (weights, _) = table.weights(rest);
    let present = |weight: &Whole| *weight != Whole::ZERO;
    let least = weights.iter().position(present).unwrap_or(0) as i64;
    let most = weights.iter().rposition(present).unwrap_or(0) as i64;
    let exponent = Exponent::new(table.target());
    let from = |x: i64, by: i64| x.saturating_add(by);
    let mode = exponent.mode();
    match table.form().line {
        Line::Full => {
            let first = table.form().first.unwrap_or(mode);
            from(first, least)..=from(first, most)
        }
        Line::Half => from(mode, least)..=from(mode, most),
        // The first value below a centre between two integers is the mode less 1.
        Line::Folded | Line::Mirrored => from(mode, -most - i64::from(!exponent.is_symmetric()))..=from(mode, most),
    }
}
