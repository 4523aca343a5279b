//! A sampler over a table of the caller's.

use crate::narrow::Ranged;
use crate::refused::Refused;
use samplez_core::samplers::CdtCt;
use samplez_core::{Noise, Sampler};
use samplez_tables::PlainTable;

/// Builds the constant-time sampler over a table of your own. Its law is the table's, and its profile has the bound that
/// [`certify`](samplez_tables::certify()) computes from the entries.
///
/// # Errors
///
/// [`Refused`] of the argument `form` for a half line, or a mirrored line about a half-integer. The same for uncovered draws
/// whose result is not stated or is `rest-again`. [`Refused`] of `thresholds` above 32,767 of them.
///
/// ```
/// use samplez::{DiscreteGaussian, Seed, Source, Stream, tables::{PlainTable, Whole, table_sampler}};
/// // FrodoKEM-1344's errors: weights of 0, ±1, …, ±6, of 2^16.
/// let entries = [18286, 14320, 6876, 2023, 364, 40, 2_u128].map(Whole::from).to_vec();
/// let table = PlainTable::new(&DiscreteGaussian::with_sigma("1.4".parse()?)?, &"frodo".parse()?, entries)?;
/// let sampler = table_sampler(&table)?;
/// let mut noise = [0_i16; 1344 * 8];
/// Stream::new(Source::Os.open(&Seed::from_bytes([0; 32]))?).fill(&*sampler, &mut noise)?;
/// assert!(noise.iter().all(|x| x.abs() <= 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn table_sampler(table: &PlainTable) -> Result<Box<dyn Noise>, Refused> {
    let cdt = table.to_cdt().or_else(|| table.to_tail()?.to_cdt());
    let cdt = cdt.ok_or_else(|| {
        Refused::new(
            "form",
            table.form(),
            "has no constant-time sampler: expected a folded or mirrored line about an integer, or a full line; \
             if draws are uncovered, add rest-next or rest-mode",
        )
    })?;
    let sampler = CdtCt::from_table(cdt)?;
    let profile = sampler.profile();
    Ok(Box::new(Ranged::whole(Box::new(sampler), profile)))
}
