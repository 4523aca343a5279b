//! Tables in the forms in which they are published, each entry correctly rounded.

use super::form::{Entries, EntryRounding, Line, TableForm};
use super::ideal::Ideal;
use super::table::{MAX_ENTRIES, PlainError, PlainTable, check_form};
use super::whole::Whole;
use crate::density::{Density, Side};
use crate::fixed::Interval;
use crate::law::sigma;
use crate::limbs::{enough, with_limbs};
use alloc::vec::Vec;
use samplez_core::DiscreteGaussian;

/// Builds the table of the law in this form.
///
/// Each entry is the whole number that the form's rounding names. Interval arithmetic decides it, with 96 bits more
/// than the table has, or with 224 where these do not suffice.
///
/// # Errors
///
/// [`PlainError`] for
///
/// - a precision out of range;
/// - a symmetric line for a law that is not symmetric;
/// - more than 2^20 entries;
/// - an entry that cannot be decided.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Width};
/// use samplez_tables::build_plain;
/// // Hawk-512's T_1, for the coset 2Z + 1.
/// let law = DiscreteGaussian::new("1/2".parse()?, Width::Sigma("1.278".parse()?))?;
/// let table = build_plain(&law, &"hawk".parse()?)?;
/// assert_eq!(format!("{:#x}", table.entries()[0]), "0x1afcbc689d9213449dc9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_plain(target: &DiscreteGaussian, form: &TableForm) -> Result<PlainTable, PlainError> {
    check_form(target, form)?;
    let limbs = enough(form.precision);
    // Where the law ends for this precision and the working precision that may be needed.
    let reach = libm::sqrt(1.4 * f64::from(64 * (limbs as u32 + 2))) * sigma(target) + 4.0;
    let most = MAX_ENTRIES as f64 / if form.line == Line::Full { 2.0 } else { 1.0 };
    if let Some(entries) = form.len.filter(|len| !(1..=MAX_ENTRIES).contains(len)) {
        return Err(PlainError::Count { entries, stated: None });
    }
    if reach > most {
        let entries = if reach > 1e18 { usize::MAX } else { reach as usize };
        return Err(PlainError::TooMany { target: *target, entries });
    }
    let built = with_limbs!(limbs, attempt(target, form));
    let built = match built {
        Err(PlainError::Undecided { .. }) => with_limbs!(limbs + 2, attempt(target, form)),
        decided => decided,
    };
    let (first, entries) = built?;
    PlainTable::new(target, &TableForm { first, ..*form }, entries)
}

/// Where between two whole numbers a rounding goes.
#[derive(Clone, Copy, PartialEq)]
enum To {
    Floor,
    Ceiling,
    Nearest,
}

/// Returns 2^B x as a whole number; `None` if the interval does not decide it. x is positive. It is a tie only if it is
/// exact.
fn round<const N: usize>(x: &Interval<N>, to: To, precision: u32) -> Option<Whole> {
    let fraction = 64 * (N as u32 - 1) - precision;
    let half = {
        let mut limbs = [0; N];
        limbs[(fraction as usize - 1) / 64] = 1 << ((fraction - 1) % 64);
        limbs
    };
    let low = if to == To::Nearest { crate::fixed::add(&x.lo, &half) } else { x.lo };
    let high = Interval { lo: low, width: x.width }.hi()?;
    let floor = |limbs: &[u64; N]| {
        let place = |i: usize| limbs.get(i).copied().unwrap_or(0);
        let (skip, shift) = (fraction as usize / 64, fraction % 64);
        Whole::new(core::array::from_fn(|i| {
            let above = if shift == 0 { 0 } else { place(skip + i + 1) << (64 - shift) };
            place(skip + i) >> shift | above
        }))
    };
    let (low_floor, high_floor) = (floor(&low), floor(&high));
    if to != To::Ceiling {
        return if low_floor == high_floor { Some(low_floor) } else { None };
    }
    // Nothing behind the point at the lower end: it may be the number itself, but for 0, which no probability is.
    let whole = (0..fraction as usize).all(|bit| low[bit / 64] >> (bit % 64) & 1 == 0);
    let above = low_floor.plus(&Whole::from(1));
    match (whole, x.width) {
        (true, 0) => Some(low_floor),
        (true, _) if low_floor != Whole::ZERO => None,
        _ if low_floor == high_floor => Some(above),
        _ => None,
    }
}

/// One side of the line from a point on outwards: each index's probability, and the sum beyond it.
struct Outwards<const N: usize> {
    units: Vec<Interval<N>>,
    /// The sum over the indices above k.
    beyond: Vec<Interval<N>>,
}

impl<const N: usize> Outwards<N> {
    /// `unit` falls with k; at least `least` indices.
    fn new(sigma: f64, least: usize, unit: impl Fn(u64) -> Interval<N>) -> Self {
        let mut units = Vec::new();
        for k in 0.. {
            let unit = unit(k);
            units.push(unit);
            if unit.lo == [0; N] && units.len() >= least {
                break;
            }
        }
        // From the first unit below some ulp on, the sum is below σ + 1 times that.
        let mut sum = Interval { lo: [0; N], width: ((32.0 * sigma) as u64).saturating_add(64) };
        let mut beyond = units.clone();
        for (beyond, unit) in beyond.iter_mut().zip(&units).rev() {
            *beyond = sum;
            sum = sum.add(unit);
        }
        Outwards { units, beyond }
    }
}

/// The rounded numbers of one side, in whole numbers.
struct Rounded {
    /// The count beyond each index.
    beyond: Vec<Whole>,
    /// The indices that matter: from the first to before this one. The first always does.
    len: usize,
}

/// The table's entries with the first value of a full line, computed with N - 1 limbs of fraction.
fn attempt<const N: usize>(
    target: &DiscreteGaussian,
    form: &TableForm,
) -> Result<(Option<i64>, Vec<Whole>), PlainError> {
    let undecided = PlainError::Undecided { target: *target };
    let (sigma, precision) = (sigma(target), form.precision);
    let density = Density::<N>::new(target, sigma);
    let ideal = Ideal::new(&density, form.line);
    let one = Whole::power(precision);
    let weights = matches!(form.rounding, EntryRounding::FloorWeights | EntryRounding::NearestWeights);
    let nearest = matches!(form.rounding, EntryRounding::Nearest | EntryRounding::NearestWeights);
    let to = if nearest { To::Nearest } else { To::Floor };
    // What is beyond is 1 less an entry, where entries are counted from the other end.
    let other = if nearest { To::Nearest } else { To::Ceiling };

    let side = |outwards: &Outwards<N>, counted: To| -> Result<Rounded, PlainError> {
        let rounded = |x: &Interval<N>, to| round(x, to, precision).ok_or(undecided);
        let mut beyond = Vec::with_capacity(outwards.units.len());
        if weights {
            let mut sum = Whole::ZERO;
            for unit in outwards.units.iter().rev() {
                beyond.push(sum);
                sum = sum.plus(&rounded(unit, to)?);
            }
            beyond.reverse();
        } else {
            for x in &outwards.beyond {
                beyond.push(rounded(x, counted)?);
            }
        }
        let ends = if weights || form.entries == Entries::Pmf { &outwards.units[1..] } else { &outwards.beyond };
        let mut len = 1;
        for (k, x) in ends.iter().enumerate() {
            if rounded(x, to)? != Whole::ZERO {
                len = k + 2;
            }
        }
        Ok(Rounded { beyond, len })
    };
    let more = form.len.unwrap_or(0);

    if form.line != Line::Full {
        let up = Outwards::new(sigma, more + 2, |k| ideal.unit(k));
        let Rounded { beyond, len } = side(&up, if form.entries == Entries::Head { other } else { to })?;
        let len = form.len.unwrap_or(if form.entries == Entries::Tail { (len - 1).max(1) } else { len });
        let mirrored = form.line == Line::Mirrored;
        let entry = |k: usize| match form.entries {
            Entries::Tail => Some(beyond[k]),
            Entries::Head => one.minus(&beyond[k]),
            // The mode's weight, with what is left.
            Entries::Pmf if weights && k == 0 => {
                let alone = density.exponent().is_symmetric();
                let whole = if mirrored && !alone { Whole::power(precision - 1) } else { one };
                let others = if mirrored && alone { beyond[0].plus(&beyond[0]) } else { beyond[0] };
                whole.minus(&others)
            }
            Entries::Pmf => round(&up.units[k], to, precision),
        };
        let less = |entry: Whole| if form.inclusive { entry.minus(&Whole::from(1)) } else { Some(entry) };
        let entries: Option<Vec<Whole>> = (0..len).map(|k| entry(k).and_then(less)).collect();
        return Ok((None, entries.ok_or(undecided)?));
    }

    // The full line: upwards from the mode, downwards from the value below it.
    let mode = density.exponent().mode();
    let from = form.first.map_or(0, |first| mode.abs_diff(first));
    let reach = usize::try_from(from).ok().filter(|from| *from <= MAX_ENTRIES);
    let reach = reach.ok_or(PlainError::First { first: form.first })?;
    let up = Outwards::new(sigma, more + 2, |k| ideal.value(Side::Up, k));
    let mut down = Outwards::new(sigma, reach + 2, |k| ideal.value(Side::Down, k + 1));
    // All from the value below the mode on: exactly 1/2 if the centre is between the two.
    let mut all_below = down.beyond[0].add(&down.units[0]);
    if density.exponent().is_half(Side::Up, 0) {
        all_below = Interval::HALF;
    }
    down.beyond.insert(0, all_below);
    down.units.insert(0, *density.mode_mass());
    let ups = side(&up, if form.entries == Entries::Head { other } else { to })?;
    let downs = side(&down, if form.entries == Entries::Head { to } else { other })?;
    let first = match form.first {
        Some(first) => first,
        None => mode.checked_sub_unsigned(downs.len as u64 - 1).ok_or(PlainError::First { first: None })?,
    };
    let last = mode.checked_add_unsigned(ups.len as u64 - 1).ok_or(PlainError::First { first: None })?;
    let whole_line = last.checked_sub(first).filter(|span| *span >= 0).map(|span| span as usize + 1);
    let whole_line = whole_line.ok_or(PlainError::First { first: Some(first) })?;
    let len = form.len.unwrap_or(if form.entries == Entries::Tail { (whole_line - 1).max(1) } else { whole_line });
    let entry = |x: i64| {
        let (above, distance) = (x >= mode, x.abs_diff(mode) as usize);
        // The mass up to x, where that is counted, is what is beyond the value above x, from the mode.
        let beyond = |of: &Rounded, k: usize| of.beyond.get(k).copied().unwrap_or(Whole::ZERO);
        match form.entries {
            Entries::Tail if above => Some(beyond(&ups, distance)),
            Entries::Tail => one.minus(&beyond(&downs, distance - 1)),
            Entries::Head if above => one.minus(&beyond(&ups, distance)),
            Entries::Head => Some(beyond(&downs, distance - 1)),
            Entries::Pmf if weights && distance == 0 => one.minus(&beyond(&ups, 0).plus(&beyond(&downs, 0))),
            Entries::Pmf => {
                let units = if above { &up.units } else { &down.units };
                units.get(distance).map_or(Some(Whole::ZERO), |unit| round(unit, to, precision))
            }
        }
    };
    let less = |entry: Whole| if form.inclusive { entry.minus(&Whole::from(1)) } else { Some(entry) };
    let entries: Option<Vec<Whole>> =
        (0..len as i64).map(|k| first.checked_add(k).and_then(entry).and_then(less)).collect();
    Ok((Some(first), entries.ok_or(undecided)?))
}
