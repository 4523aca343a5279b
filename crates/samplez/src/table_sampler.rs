//! A sampler over a table of the caller's.

use crate::narrow::Ranged;
use crate::refused::Refused;
use samplez_core::samplers::CdtCt;
use samplez_core::{Noise, Sampler};
use samplez_tables::{BuildError, Entries, Line, PlainTable, Rest, Whole};

/// Builds the constant-time sampler over a table of your own. Its law is the table's, and its profile has the bound that
/// [`certify`](samplez_tables::certify()) computes from the entries.
///
/// # Errors
///
/// [`Refused`] of the argument `form` for a half line, and for a folded or mirrored line about a half-integer or without mass at
/// its centre. The same for uncovered draws whose result is not stated or is `rest-again`. [`Refused`] of `thresholds` above
/// 32,767 of them, and of `center` if a value is not an `i64`.
///
/// ```
/// use samplez::{DiscreteGaussian, Seed, Source, Stream, table_sampler};
/// use samplez_tables::{PlainTable, Whole};
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
    let cdt = table.to_cdt().or_else(|| table.to_tail()?.to_cdt()).ok_or_else(|| refusal(table))?;
    let sampler = CdtCt::from_table(cdt)?;
    let profile = sampler.profile();
    Ok(Box::new(Ranged::whole(Box::new(sampler), profile)))
}

/// Why there is no sampler over the table.
fn refusal(table: &PlainTable) -> Refused {
    let (form, center) = (table.form(), table.target().center());
    let is_open = form.rest == Some(Rest::Again) || form.rest.is_none() && form.entries != Entries::Tail;
    let why = match (form.line, table.to_tail()) {
        (Line::Half, _) => {
            let mut full = *form;
            let first = center.floor().saturating_add(i64::from(!center.is_integer()));
            (full.line, full.first) = (Line::Full, Some(first));
            format!("a half line has no signs; for its integers, from {first} on, write the form {full}")
        }
        (Line::Folded | Line::Mirrored, _) if !center.is_integer() => {
            format!("the center {center} is not an integer; write the table as a full line")
        }
        (_, None) if is_open && table.uncovered() != Whole::from(0) => {
            let (draws, bits) = (table.uncovered(), form.precision);
            format!("{draws} of 2^{bits} draws are in no entry; add rest-next or rest-mode")
        }
        (_, None) => "all of its values lie above the mode of the distribution; shift the center to one of them".into(),
        (_, Some(tail)) if tail.entries()[0].bits() > form.precision => {
            let bits = form.precision;
            format!(
                "the center has probability 0, which no threshold of {bits} bits states; write the table as a full line"
            )
        }
        (_, Some(_)) => return BuildError::Support { target: *table.target() }.into(),
    };
    Refused::new("form", form, format!("has no constant-time sampler: {why}"))
}
