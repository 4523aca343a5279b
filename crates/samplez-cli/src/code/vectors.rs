//! Vectors of an emitted sampler: records of bytes, and the samples that this library makes of them.

use super::model::Layout;
use samplez::{BitSource, Sampler};
use samplez_core::samplers::CdtCt;
use samplez_tables::{PlainTable, Whole};

/// The entries about which there are vectors, at most.
const ENTRIES: usize = 12;
/// Vectors of pseudorandom bytes.
const RANDOM: usize = 16;

/// The bits of a record, the least significant first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitSource for Bits<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        (0..n).fold(0, |word, i| {
            let bit = self.bytes.get(self.at / 8).map_or(0, |byte| byte >> (self.at % 8) & 1);
            self.at += 1;
            word | u64::from(bit) << i
        })
    }
}

/// Records with their samples: draws at and beside entries, the least and the greatest, and pseudorandom bytes.
pub(super) fn vectors(table: &PlainTable, layout: &Layout) -> Vec<(Vec<u8>, i64)> {
    let count = table.entries().len();
    let step = count.div_ceil(ENTRIES);
    let mut draws = vec![vec![0; layout.bytes], vec![0xff; layout.bytes]];
    // The last entry too.
    for j in (0..count).step_by(step).chain([count - 1]) {
        let entry = little(&table.entries()[j], layout.bytes);
        draws.extend([lessened(&entry), Some(entry.clone()), increased(&entry)].into_iter().flatten());
    }
    let mut records: Vec<Vec<u8>> = draws.iter().enumerate().map(|(i, draw)| layout.record(draw, i % 2 == 1)).collect();
    let mut state = 0_u64;
    for _ in 0..RANDOM {
        // SplitMix64.
        let byte = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (mixed >> 56) as u8
        };
        records.push(std::iter::repeat_with(byte).take(layout.bytes).collect());
    }
    records.into_iter().map(|record| (sampled(table, layout, &record), record)).map(|(x, record)| (record, x)).collect()
}

/// The sample of this record: by the library's own sampler, or for a form that it does not read by comparing whole numbers.
fn sampled(table: &PlainTable, layout: &Layout, record: &[u8]) -> i64 {
    match table.to_cdt().map(CdtCt::from_table) {
        Some(Ok(sampler)) if !layout.sign_first => sampler.sample(&mut Bits { bytes: record, at: 0 }),
        _ => compared(table, layout, record),
    }
}

/// The sample of this record, by comparing whole numbers.
fn compared(table: &PlainTable, layout: &Layout, record: &[u8]) -> i64 {
    let mut bits = Bits { bytes: record, at: usize::from(layout.sign_first) };
    let words: Vec<u64> = (0..4).map(|i| bits.bits((layout.precision.saturating_sub(64 * i)).min(64))).collect();
    let draw = whole(&words);
    let index = table.entries().iter().filter(|entry| layout.count.counts(&draw, entry)).count() as i64;
    let sign = Bits { bytes: record, at: layout.sign_bit() }.bits(1) == 1;
    match (layout.signed && sign, layout.between) {
        (false, _) => layout.base + index,
        (true, false) => layout.base - index,
        (true, true) => layout.base - 1 - index,
    }
}

/// The number of these words, the least significant first.
fn whole(words: &[u64]) -> Whole {
    let digits = words.iter().rev().fold(String::from("0x"), |text, word| text + &format!("{word:016x}"));
    digits.parse().unwrap_or_default()
}

/// The number in so many bytes, the least significant first.
fn little(whole: &Whole, bytes: usize) -> Vec<u8> {
    let mut all: Vec<u8> = whole.limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect();
    all.truncate(bytes);
    all
}

/// One less; `None` for 0.
fn lessened(number: &[u8]) -> Option<Vec<u8>> {
    let mut less = number.to_vec();
    for digit in &mut less {
        let borrows = *digit == 0;
        *digit = digit.wrapping_sub(1);
        if !borrows {
            return Some(less);
        }
    }
    None
}

/// One more; `None` if all bits are set. Bits beyond the precision are ignored.
fn increased(number: &[u8]) -> Option<Vec<u8>> {
    let mut more = number.to_vec();
    for digit in &mut more {
        *digit = digit.wrapping_add(1);
        if *digit != 0 {
            return Some(more);
        }
    }
    None
}
