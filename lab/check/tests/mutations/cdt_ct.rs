//! Constant-time inversion in bit planes ([JSDGS17], Algorithm 2), with one mistake each: a batch of
//! a few lanes, the bits of a word.

use crate::common::cdt::has_law_of;
use samplez_check::tape::Tape;
use samplez_core::bits::BitSource;
use samplez_core::table::Shape;

const PRECISION: u32 = 8;
/// Thresholds that are compared together; the last group is not full.
const GROUP: usize = 4;
const THRESHOLDS: [u64; 6] = [230, 132, 67, 16, 3, 1];
/// Lanes of a batch.
const LANES: usize = 6;

/// The holes of the sampler.
struct Planes {
    /// u < T so far, from the bits of u and T and what the bits below say.
    carry: fn(u: u64, t: u64, below: u64) -> u64,
    /// The bit of u that is compared in step i, of `PRECISION` steps.
    order: fn(i: u32) -> u32,
    /// The planes of a record in which u begins.
    first_plane: usize,
    /// The thresholds that a group compares, of those it has.
    group: fn(thresholds: usize) -> usize,
    /// The lanes of a batch that are written.
    lanes: usize,
}

const RIGHT: Planes = Planes {
    carry: |u, t, below| if t == 1 { !u | below } else { !u & below },
    order: |i| i,
    first_plane: 0,
    group: |thresholds| thresholds,
    lanes: LANES,
};

impl Planes {
    /// The indices, with their signs, of a batch: of each lane a record of u and the sign.
    fn batch(&self, records: [u64; LANES]) -> [i64; LANES] {
        let plane = |i: usize| (0..LANES).fold(0, |plane, lane| plane | (records[lane] >> i & 1) << lane);
        let planes: Vec<u64> = (0..=PRECISION as usize + 1).map(plane).collect();
        let mut heights = [0; LANES];
        for group in THRESHOLDS.chunks(GROUP) {
            for threshold in group.iter().take((self.group)(group.len())) {
                let mut below = 0;
                for i in 0..PRECISION {
                    let u = planes[self.first_plane + (self.order)(i) as usize];
                    below = (self.carry)(u, threshold >> (self.order)(i) & 1, below);
                }
                for (lane, height) in heights.iter_mut().enumerate() {
                    *height += (below >> lane & 1) as i64;
                }
            }
        }
        let mut out = [0; LANES];
        for (lane, out) in out.iter_mut().enumerate().take(self.lanes) {
            let negative = planes[PRECISION as usize] >> lane & 1 != 0;
            *out = if negative { -heights[lane] } else { heights[lane] };
        }
        out
    }

    /// The law of every lane, the others' records being its own in another order of bits.
    fn verdict(&self) -> Result<(), String> {
        for lane in 0..LANES {
            let run = |bits: &mut Tape| {
                let record = bits.bits(PRECISION + 1);
                let mut records = core::array::from_fn(|other| record.rotate_left(other as u32) ^ other as u64);
                records[lane] = record;
                Some(self.batch(records)[lane])
            };
            has_law_of(Shape::Folded, 0, PRECISION, &THRESHOLDS.map(|t| t as u32), run)
                .map_err(|e| format!("lane {lane}: {e}"))?;
        }
        Ok(())
    }
}

#[test]
fn the_right_planes_pass() {
    assert_eq!(RIGHT.verdict(), Ok(()));
}

/// Where the bits of u and T are equal, what the bits below say goes on, and only there.
#[test]
fn a_comparison_with_another_carry_is_caught() {
    let forgets = Planes { carry: |u, t, _| if t == 1 { !u } else { 0 }, ..RIGHT };
    let only_strict = Planes { carry: |u, t, below| if t == 1 { !u } else { !u & below }, ..RIGHT };
    let either = Planes { carry: |u, t, below| if t == 1 { !u | below } else { below }, ..RIGHT };
    for wrong in [forgets, only_strict, either] {
        wrong.verdict().unwrap_err();
    }
}

#[test]
fn planes_in_reverse_are_caught() {
    Planes { order: |i| PRECISION - 1 - i, ..RIGHT }.verdict().unwrap_err();
}

/// The record begins one plane early: the sign takes part in the comparison, the least bit does not.
#[test]
fn the_sign_as_a_bit_of_u_is_caught() {
    Planes { first_plane: 1, ..RIGHT }.verdict().unwrap_err();
}

#[test]
fn thresholds_of_a_group_that_is_not_full_left_out_are_caught() {
    Planes { group: |thresholds| if thresholds == GROUP { GROUP } else { 0 }, ..RIGHT }.verdict().unwrap_err();
    Planes { group: |thresholds| thresholds.min(GROUP - 1), ..RIGHT }.verdict().unwrap_err();
}

#[test]
fn lanes_that_are_not_written_are_caught() {
    let error = Planes { lanes: LANES - 1, ..RIGHT }.verdict().unwrap_err();
    assert!(error.starts_with("lane 5"), "{error}");
}
