//! Building the table of a guided CDT sampler.

use crate::cdt::{CdtOptions, build_cdt};
use crate::error::{BuildError, in_range};
use alloc::vec::Vec;
use samplez_core::DiscreteGaussian;
use samplez_core::table::{CdtTable, GuidedTable, MAX_GUIDE_BITS, Table};

/// The limits of the cost of thresholds and index table.
///
/// ```
/// use samplez_tables::{CdtGuidedOptions, CdtOptions};
/// let options = CdtGuidedOptions::default();
/// assert_eq!((options.cdt, options.guide_bits), (CdtOptions::default(), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CdtGuidedOptions {
    /// Precision, rounding, and the maximum memory for thresholds and index table together.
    pub cdt: CdtOptions,
    /// The number g of bits of the index, 1 to 26, and at most the precision and 31 (folded tables) or 32. The index
    /// table takes 4·2^g bytes. `None` chooses g by the number of thresholds and the memory allowed.
    pub guide_bits: Option<u32>,
}

/// Returns the bits of an index table to n thresholds.
///
/// While 2^15 leads tell most thresholds apart, it serves draws of 16 bits, with up to 32 cells for each threshold.
/// Beyond that it serves draws of 32 bits. With n cells or more, a draw takes less than two comparisons.
fn wanted_bits(n: usize) -> u32 {
    let enough = n.next_power_of_two().ilog2();
    if n < 1 << 15 { (enough + 5).clamp(8, enough.max(14)) } else { enough + 2 }
}

/// Builds the thresholds that [`build_cdt`] makes, with their bound, and an index table to them.
///
/// # Errors
///
/// [`BuildError`]. A table that is too large is refused before it is allocated.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{CdtGuidedOptions, build_guided};
/// let table = build_guided(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &CdtGuidedOptions::default())?;
/// assert_eq!((table.guide().len(), table.bytes()), (1 << 11, 672 + 8192));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_guided(
    law: &DiscreteGaussian,
    options: &CdtGuidedOptions,
) -> Result<GuidedTable<Vec<u32>, Vec<u32>>, BuildError> {
    if let Some(bits) = options.guide_bits {
        in_range(GUIDE_BITS, bits, 1, MAX_GUIDE_BITS)?;
    }
    let table = build_cdt(law, &options.cdt)?;
    let guide = room(&table, options.guide_bits, options.cdt.max_bytes)?;
    Ok(GuidedTable::with_guide_in(table, guide)?)
}

/// Builds the index table that [`build_guided`] makes for this table, where both may take `max_bytes` together.
///
/// # Errors
///
/// [`BuildError::TooLarge`] where not even the shortest index table fits.
///
/// ```
/// use samplez_core::{DiscreteGaussian, table::GuidedTable};
/// use samplez_tables::{CdtOptions, build_cdt, guide};
/// let table = build_cdt(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &CdtOptions::default())?;
/// let guide = guide(&table, 1 << 20)?;
/// assert_eq!(guide.len(), 2048);
/// let table = GuidedTable::new(table, guide)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn guide<S: AsRef<[u32]>>(table: &CdtTable<S>, max_bytes: u64) -> Result<Vec<u32>, BuildError> {
    let mut guide = room(table, None, max_bytes)?;
    GuidedTable::with_guide_in(table.view(), guide.as_mut_slice())?;
    Ok(guide)
}

const GUIDE_BITS: &str = "guide_bits";

fn too_large(bytes: u128, limit: u64) -> BuildError {
    BuildError::TooLarge { target: None, what: "a table with its guide", precision: None, bytes, limit }
}

/// A vector for the entries of a table.
fn room<S: AsRef<[u32]>>(table: &CdtTable<S>, guide_bits: Option<u32>, limit: u64) -> Result<Vec<u32>, BuildError> {
    let max = MAX_GUIDE_BITS.min(table.head_bits());
    let bytes = |words: usize| table.bytes() as u128 + 4 * words as u128;
    let fits = |words: &usize| bytes(*words) <= limit.into();
    let direct = if guide_bits.is_none() { GuidedTable::<S, Vec<u32>>::direct_len(table).filter(fits) } else { None };
    let words = match (direct, guide_bits) {
        (Some(words), _) => words,
        (None, Some(bits)) => in_range(GUIDE_BITS, bits, 1, max).map(|()| 1 << bits)?,
        (None, None) => {
            let wanted = wanted_bits(table.len()).min(max);
            (1..=wanted).rev().map(|bits| 1 << bits).find(fits).unwrap_or(2)
        }
    };
    let refused = || too_large(bytes(words), limit);
    if !fits(&words) {
        return Err(refused());
    }
    let mut guide = Vec::new();
    guide.try_reserve_exact(words).map_err(|_| refused())?;
    guide.resize(words, 0);
    Ok(guide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_has_the_bits_that_its_thresholds_want() {
        let wanted = [
            (1, 8),
            (5, 8),
            (8, 8),
            (9, 9),
            (42, 11),
            (512, 14),
            (513, 14),
            (1 << 14, 14),
            ((1 << 14) + 1, 15),
            ((1 << 15) - 1, 15),
            (1 << 15, 17),
            ((1 << 15) + 1, 18),
        ];
        assert_eq!(wanted.map(|(n, _)| (n, wanted_bits(n))), wanted);
    }

    #[test]
    fn thresholds_and_guide_share_the_memory() {
        let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
        let build = |max_bytes: u64, guide_bits: Option<u32>| {
            let cdt = CdtOptions { max_bytes, ..CdtOptions::default() };
            build_guided(&law, &CdtGuidedOptions { cdt, guide_bits })
                .map(|table| (table.guide().len().ilog2(), table.bytes()))
        };
        // 42 thresholds of 16 bytes.
        let bytes = |bits: u32| 672 + (4 << bits);
        for bits in 1..=11 {
            for given in [None, Some(bits)] {
                assert_eq!(build(bytes(bits), given), Ok((bits, bytes(bits) as usize)));
            }
            let refused = Err(too_large(bytes(bits).into(), bytes(bits) - 1));
            assert_eq!(&build(bytes(bits) - 1, Some(bits)), &refused);
            let shorter = if bits == 1 { refused } else { Ok((bits - 1, bytes(bits - 1) as usize)) };
            assert_eq!(build(bytes(bits) - 1, None), shorter);
        }
        assert_eq!(build(1 << 30, None), Ok((11, bytes(11) as usize)));
        assert_eq!(build(1 << 30, Some(13)), Ok((13, bytes(13) as usize)));
    }

    #[test]
    fn a_guide_has_at_most_the_bits_of_a_threshold() {
        let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
        let build = |guide_bits| {
            let cdt = CdtOptions { precision: 7, ..CdtOptions::default() };
            build_guided(&law, &CdtGuidedOptions { cdt, guide_bits }).map(|table| table.guide().len().ilog2())
        };
        let beyond = |bits, max| in_range("guide_bits", bits, 1, max).map(|()| 0).map_err(BuildError::from);
        assert_eq!((build(None), build(Some(7)), build(Some(8))), (Ok(7), Ok(7), beyond(8, 7)));
        assert_eq!((build(Some(0)), build(Some(27))), (beyond(0, 26), beyond(27, 26)));
    }
}
