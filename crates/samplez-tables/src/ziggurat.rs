//! Building the table of a Ziggurat.

mod columns;
mod options;
mod partition;

pub use options::ZigguratOptions;

use crate::certify::Tally;
use crate::density::{Density, Side};
use crate::error::BuildError;
use crate::fixed::{Constant, Interval};
use crate::law::sigma;
use crate::limbs::{enough, with_limbs};
use crate::progress;
use alloc::vec;
use alloc::vec::Vec;
use columns::{Column, Columns, Coverage};
use partition::{Height, Partition};
use samplez_core::table::{Chord, TableError, ZigguratParts, ZigguratTable};
use samplez_core::{Bound, DiscreteGaussian};

/// Builds the table of the law, with its certified bound.
///
/// # Law
///
/// [`ZigguratTable::parts`]`().bound` is an upper bound of the distance between D_{Z,σ,c} and the
/// law that the shipped integers make, computed column by column from these integers.
/// `chord` and `stored` change neither law nor stream.
///
/// # Errors
///
/// [`BuildError`]: an option out of its range, a centre that is not an integer, a table larger than allowed, or no
/// partition. There is no partition if no area S gives `rectangles` rectangles with y_1 <= 1 <= y_0 < 2. No such law
/// and options are known.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{ZigguratOptions, build_ziggurat};
/// let law = DiscreteGaussian::with_sigma("10".parse()?)?;
/// let options = ZigguratOptions { rectangles: 63, precision: 106, omega: 107, ..ZigguratOptions::default() };
/// let table = build_ziggurat(&law, &options)?;
/// assert_eq!(table.support(), -140..=140);
/// assert!(table.parts().bound.log2_sd < -104.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_ziggurat(
    law: &DiscreteGaussian,
    options: &ZigguratOptions,
) -> Result<ZigguratTable<Vec<u32>>, BuildError> {
    options.check(law)?;
    with_limbs!(enough(options.precision), build(law, options))
}

fn build<const N: usize>(
    law: &DiscreteGaussian,
    options: &ZigguratOptions,
) -> Result<ZigguratTable<Vec<u32>>, BuildError> {
    let density = Density::<N>::new(law, sigma(law));
    let last = options.last_column(law)?;
    let partition = Partition::find(&density, law, options, last)?;
    let digits = options.precision.div_ceil(32) as usize;
    let unknown = Bound::TRIVIAL;
    let mut parts = ZigguratParts {
        target: *law,
        bound: unknown,
        expected_trials: 1.0,
        precision: options.precision,
        omega: options.omega,
        rectangles: options.rectangles,
        chord: None,
        stored: false,
    };
    let mut words = partition.edges.clone();
    for (i, height) in partition.heights.iter().enumerate() {
        let mut height = *height;
        if i == 0 {
            let n = options.precision as usize;
            height[n / 64] -= 1 << (n % 64);
        }
        push_digits(&mut words, &height, options.precision);
    }
    let mut stored = words.clone();
    push_kappa(&mut words, law, options.precision);
    let computed = ZigguratTable::new(parts, words).map_err(|error| match error {
        TableError::Support { .. } => BuildError::Support { target: *law },
        error => error.into(),
    })?;

    progress::announce(2 * (u64::from(last) + 1));
    // First all columns for the total and the chord, then for the distance.
    let columns = Columns::new(computed.view(), true, &density);
    stored
        .try_reserve_exact(if options.stored { last as usize * digits } else { 0 })
        .map_err(|_| options.out_of_memory(law))?;
    let (total, fits) = survey(&columns, options.rectangles, |column| {
        if options.stored && column.x > 0 {
            push_digits(&mut stored, &column.height, options.precision);
        }
    });
    parts.bound = distance(&columns, &density, &total);
    // Half of the total is the share of trials accepted, times m.
    parts.expected_trials = 2.0 * f64::from(options.rectangles) / crate::fixed::nearest(&total.lo);
    parts.chord = options.chord.then(|| chord(&fits));
    parts.stored = options.stored;
    let words = if options.stored { stored } else { computed.words().to_vec() };
    Ok(ZigguratTable::new(parts, words)?)
}

/// Returns upper bounds of the distance of the table's law from its target. They are computed from the table's words,
/// which may be any, and not from the parts' bound. `None` if its chords decide any column otherwise than its heights
/// do, or cannot be shown not to.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_core::table::{Chord, ZigguratParts, ZigguratTable};
/// use samplez_tables::{ZigguratOptions, build_ziggurat, certify_ziggurat};
/// let table = build_ziggurat(&DiscreteGaussian::with_sigma("10".parse()?)?, &ZigguratOptions::default())?;
/// assert_eq!(certify_ziggurat(&table), Some(table.parts().bound));
/// // Chords that accept everywhere, below the bell or above.
/// let chord = Some(Chord { accept_to: 256, reject_after: 256 });
/// let wrong = ZigguratTable::new(ZigguratParts { chord, ..*table.parts() }, table.words())?;
/// assert_eq!(certify_ziggurat(&wrong), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify_ziggurat<S: AsRef<[u32]>>(table: &ZigguratTable<S>) -> Option<Bound> {
    with_limbs!(enough(table.parts().precision), certificate(table.view()))
}

fn certificate<const N: usize>(table: ZigguratTable<&[u32]>) -> Option<Bound> {
    let parts = *table.parts();
    let density = Density::<N>::new(&parts.target, sigma(&parts.target));
    let columns = Columns::new(table, false, &density);
    let (total, fits) = survey(&columns, parts.rectangles, |_| ());
    let right = chord(&fits);
    let shown =
        parts.chord.is_none_or(|chord| chord.accept_to <= right.accept_to && chord.reject_after >= right.reject_after);
    shown.then(|| distance(&columns, &density, &total))
}

/// The weights' total, each counted as often as it has signs, and where chords are right.
fn survey<const N: usize>(
    columns: &Columns<N>,
    rectangles: u32,
    mut visit: impl FnMut(&Column<N>),
) -> (Interval<N>, Vec<Coverage>) {
    let (mut total, mut fits) = (Interval::ZERO, vec![Coverage::BOTH; rectangles as usize]);
    columns.each(|column| {
        // Zero counts half: half of its trials are rejected.
        for _ in 0..1 + u32::from(column.x > 0) {
            total = total.add(&column.weight);
        }
        fits[column.rectangle] &= columns.fit(&column);
        visit(&column);
    });
    (total, fits)
}

/// The bound of the law that the weights make.
fn distance<const N: usize>(columns: &Columns<N>, density: &Density<N>, total: &Interval<N>) -> Bound {
    let inverse = columns::inverse_of_total(total);
    let mut tally = Tally::<N>::new();
    columns.each(|column| {
        if column.weight != Interval::ZERO {
            let q = column.weight.mul(&inverse);
            tally.add(&q, &column.rho.mul(density.mode_mass()), column.x > 0);
        }
    });
    tally.bound()
}

/// Visits Q(c + x) for the columns x = 0, …, X_m.
pub(crate) fn ziggurat_masses<const N: usize>(
    table: &ZigguratTable<impl AsRef<[u32]>>,
    density: &Density<N>,
    visit: &mut dyn FnMut(&Interval<N>),
) {
    let columns = Columns::new(table.view(), false, density);
    let (total, _) = survey(&columns, table.parts().rectangles, |_| ());
    let inverse = columns::inverse_of_total(&total);
    columns.each(|column| visit(&column.weight.mul(&inverse)));
}

/// The longest runs of rectangles in which the chord is right for every column.
fn chord(fits: &[Coverage]) -> Chord {
    let accept_to = fits.iter().skip(1).position(|fit| !fit.accepts).map_or(fits.len(), |i| i + 1);
    let reject_after = fits.iter().rposition(|fit| !fit.rejects).map_or(0, |i| i + 1);
    Chord { accept_to: accept_to as u32, reject_after: reject_after as u32 }
}

/// The digits of a height below 1, left-aligned and most significant first.
fn push_digits(words: &mut Vec<u32>, height: &Height, precision: u32) {
    for j in 1..=precision.div_ceil(32) {
        // Bits n - 32j … n - 32j + 31, zeros below 0.
        let bit = i64::from(precision) - 32 * i64::from(j);
        let at = |bit: i64| {
            let (limb, shift) = ((bit / 64) as usize, bit % 64);
            let high = if shift > 32 { height[limb + 1] << (64 - shift) } else { 0 };
            (height[limb] >> shift | high) as u32
        };
        words.push(if bit >= 0 { at(bit) } else { (height[0] << -bit) as u32 });
    }
}

/// log2(e)/(2σ²), rounded down to the layout's last word.
fn push_kappa(words: &mut Vec<u32>, law: &DiscreteGaussian, precision: u32) {
    // 7 limbs of fraction for at most 12 words of 32 bits.
    let density = crate::density::Exponent::new(law);
    let ln2 = Constant::LN_2.to::<8>();
    let log2_e = ln2.add(&ln2).reciprocal();
    let first = density.gap::<8>(Side::Up, 0, 1).unwrap_or(Interval::ZERO);
    let kappa = first.add(&first).mul(&log2_e);
    words.push(kappa.lo[7] as u32);
    for j in 0..(precision + 104).div_ceil(32) as usize {
        words.push((kappa.lo[6 - j / 2] >> (32 * (1 - j % 2))) as u32);
    }
}
