//! Entries in several numbers: limbs, and columns.

use super::arrays::{Number, Numbers};
use samplez_tables::Whole;
use std::fmt;

/// How entries are stored in several numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Limbs {
    /// Limbs of so many bits; an order that is not stated must follow from the form.
    Bits(u32, Option<Order>),
    /// The digits of a `CdtTable`: 32 bits, left-aligned, the first digit of every entry before the others of each.
    Cdt,
}

/// The order of the limbs of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    Most,
    Least,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Most => "most-first",
            Order::Least => "least-first",
        })
    }
}

/// Reads `31,most-first`, `31,least-first`, `31` or `samplez`.
pub(crate) fn limbs(text: &str) -> Result<Limbs, String> {
    const EXPECTED: &str =
        "expected the bits of a limb, 1 to 64, and the order, such as 31,most-first or 64,least-first";
    let (bits, order) = match text.split_once(',') {
        Some((bits, order)) => (bits, Some(order.trim())),
        None => (text, None),
    };
    let order = match order {
        None => None,
        Some("most-first") => Some(Order::Most),
        Some("least-first") => Some(Order::Least),
        Some(_) => return Err(EXPECTED.into()),
    };
    match bits.trim() {
        "samplez" if order.is_none() => Ok(Limbs::Cdt),
        bits if bits.bytes().all(|b| b.is_ascii_digit()) => match bits.parse() {
            Ok(bits @ 1..=64) => Ok(Limbs::Bits(bits, order)),
            _ => Err(EXPECTED.into()),
        },
        _ => Err(EXPECTED.into()),
    }
}

/// The entries in one reading, with the order of the limbs where the text leaves it open.
pub(crate) type Reading = (Option<Order>, Vec<Number>);

/// The entries of a table of this precision: one reading, or two where the order of the limbs is open.
pub(crate) fn entries(
    numbers: Numbers,
    limbs: Option<Limbs>,
    column: Option<usize>,
    precision: u32,
) -> Result<Vec<Reading>, String> {
    let shown = numbers.shown();
    if let Some(column) = column {
        return Ok(vec![(None, of_column(numbers, column)?)]);
    }
    let Numbers { numbers, each: len, is_bare, .. } = numbers;
    match limbs {
        None if len == 1 => Ok(vec![(None, numbers)]),
        None => {
            // A guess for the example: a usual width that is large enough.
            let largest = numbers.iter().map(|(limb, _)| limb.bits()).max().unwrap_or(0);
            let enough = precision.div_ceil(len as u32).max(largest);
            let bits = [8, 16, 24, 31, 32].into_iter().find(|bits| *bits >= enough).unwrap_or(64);
            Err(format!(
                "{shown} has rows of {len} numbers. If a row is one entry in limbs, add --limbs with their bits and order, \
                 such as --limbs {bits},most-first or --limbs {bits},least-first. If one column is the table, add --column N"
            ))
        }
        Some(Limbs::Cdt) if len == 1 => Ok(vec![(None, of_cdt(&numbers, precision)?)]),
        Some(Limbs::Cdt) => Err(format!("--limbs samplez: {shown} has rows; expected digits in one list")),
        Some(Limbs::Bits(bits, order)) if len > 1 => joined(&numbers, len, bits, order),
        Some(Limbs::Bits(bits, order)) => {
            let each = precision.div_ceil(bits) as usize;
            let unlike = |line: &&[Number]| line.len() > 1 && !line.len().is_multiple_of(each);
            let (place, count) = match lines(&numbers).find(unlike).filter(|_| is_bare) {
                Some(line) => (format!("line {}:", line[0].1), line.len()),
                None if numbers.len().is_multiple_of(each) => return joined(&numbers, each, bits, order),
                None => (format!("{shown} has"), numbers.len()),
            };
            Err(format!(
                "{place} {count} numbers, but an entry of {precision} bits takes {each} limbs of {bits} bits; correct --limbs or the form"
            ))
        }
    }
}

/// The numbers of each line.
fn lines(flat: &[Number]) -> impl Iterator<Item = &[Number]> {
    flat.chunk_by(|a, b| a.1 == b.1)
}

/// One column, from 1.
fn of_column(numbers: Numbers, column: usize) -> Result<Vec<Number>, String> {
    let shown = numbers.shown();
    let list = &numbers.numbers;
    let rows: Vec<&[Number]> = match numbers.each {
        1 if numbers.is_bare => lines(list).collect(),
        1 => vec![list],
        each => list.chunks(each).collect(),
    };
    let each = rows.first().map_or(0, |row| row.len());
    if let Some(row) = rows.iter().find(|row| row.len() != each) {
        return Err(format!("line {}: {} numbers; expected {each}, as in the first line", row[0].1, row.len()));
    }
    if rows.len() < 2 || !(1..=each).contains(&column) {
        return Err(format!(
            "--column {column}: {shown} has {} rows of {each} numbers; expected one of its columns",
            rows.len()
        ));
    }
    if column > 1 {
        no_index_is_missing(&rows)?;
    }
    Ok(rows.into_iter().map(|row| row[column - 1]).collect())
}

/// A first column that begins as an index does, with 0, 1 or 1, 2, is one: it counts on to the end.
fn no_index_is_missing(rows: &[&[Number]]) -> Result<(), String> {
    let index = |row: &[Number]| (row[0].0.bits() <= 64).then(|| row[0].0.limbs()[0]);
    let first = index(rows[0]).filter(|first| *first <= 1);
    let Some(first) = first.filter(|first| index(rows[1]) == Some(first + 1)) else { return Ok(()) };
    for (expected, row) in (first..).zip(rows) {
        if index(row) != Some(expected) {
            let (found, line) = row[0];
            return Err(format!(
                "line {line}: the index {found:#x} where {expected:#x} is next; if the first column is no index, remove it and --column"
            ));
        }
    }
    Ok(())
}

/// Rows of limbs as entries.
fn joined(limbs: &[Number], each: usize, bits: u32, order: Option<Order>) -> Result<Vec<Reading>, String> {
    if let Some((limb, line)) = limbs.iter().find(|(limb, _)| limb.bits() > bits) {
        return Err(format!("line {line}: the limb {limb:#x} has {} bits; expected at most {bits}", limb.bits()));
    }
    let orders = order.map_or(vec![Order::Most, Order::Least], |order| vec![order]);
    let mut readings = Vec::new();
    for order in orders {
        let entry = |row: &[Number]| {
            let limbs = row.iter().map(|(limb, _)| limb.limbs()[0]);
            let value = match order {
                Order::Most => join(limbs.rev(), bits),
                Order::Least => join(limbs, bits),
            };
            let too_large = || format!("line {}: the limbs are a number of more than 320 bits", row[0].1);
            Ok::<_, String>((value.ok_or_else(too_large)?, row[0].1))
        };
        readings.push((Some(order), limbs.chunks(each).map(entry).collect::<Result<Vec<Number>, String>>()?));
    }
    if readings.len() == 2 && readings[0].1 == readings[1].1 {
        readings.pop();
    }
    Ok(readings)
}

/// The number with these limbs of 1 to 64 bits, the least significant first; `None` from 2^320 on.
fn join(limbs: impl Iterator<Item = u64>, bits: u32) -> Option<Whole> {
    let mut words = [0_u64; 5];
    for (i, limb) in limbs.enumerate().filter(|(_, limb)| *limb != 0) {
        let (at, shift) = (i * bits as usize / 64, i * bits as usize % 64);
        *words.get_mut(at)? |= limb << shift;
        if shift > 0 && limb >> (64 - shift) != 0 {
            *words.get_mut(at + 1)? |= limb >> (64 - shift);
        }
    }
    Some(Whole::new(words))
}

/// The entries of a `CdtTable`.
fn of_cdt(digits: &[Number], precision: u32) -> Result<Vec<Number>, String> {
    let each = precision.div_ceil(32) as usize;
    let count = digits.len() / each;
    if count * each != digits.len() {
        let found = digits.len();
        return Err(format!(
            "--limbs samplez: {found} digits, but an entry of {precision} bits takes {each}; correct the form"
        ));
    }
    let (firsts, others) = digits.split_at(count);
    let row = |j: usize| std::iter::once(firsts[j]).chain(others[j * (each - 1)..][..each - 1].iter().copied());
    let rows: Vec<Number> = (0..count).flat_map(row).collect();
    // The bits that fill up the last digit.
    let spare = (32 * each) as u32 - precision;
    let shifted = |(entry, line): Number| {
        let words = entry.limbs();
        let filling = words[0] & ((1 << spare) - 1);
        if filling != 0 {
            return Err(format!(
                "line {line}: the last digit ends in {filling:#x}: expected its last {spare} bits to be 0"
            ));
        }
        let above = |i: usize| words.get(i + 1).map_or(0, |word| word << 1 << (63 - spare));
        Ok((Whole::new(std::array::from_fn(|i| words[i] >> spare | above(i))), line))
    };
    joined(&rows, each, 32, Some(Order::Most))?.remove(0).1.into_iter().map(shifted).collect()
}
