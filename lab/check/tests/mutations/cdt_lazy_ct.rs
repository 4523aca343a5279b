//! Lazy inversion in constant time, with one mistake each: a batch of a few samples over a small split table, whose joint
//! law over all strings of draws is compared with that of independent samples.

use crate::common::lazy::Model;
use std::collections::BTreeMap;

/// Bits of a draw, of the table, and samples and slots of a batch.
const LEAD_BITS: u32 = 2;
const PRECISION: u32 = 4;
const SAMPLES: usize = 2;
const SLOTS: usize = 2;
const THRESHOLDS: [u128; 3] = [11, 5, 2];

/// The holes of a batch, with a full table.
struct Batch {
    /// The index of an open sample, from its own v and the slot's w.
    open: fn(&Model, v: u128, w: u128) -> usize,
    /// The slot of the open sample of this rank.
    slot: fn(rank: usize) -> usize,
    /// Whether a sample is open.
    is_open: fn(&Model, v: u128) -> bool,
    /// The index of an open sample without a slot, from the slots' w and further ones, and its rank. With none the whole batch is
    /// drawn again.
    late: fn(&Model, long: &[u128], rank: usize) -> Option<usize>,
    slots: usize,
}

const RIGHT: Batch = Batch {
    open: |model, _, w| model.index(w),
    slot: |rank| rank,
    is_open: |model, v| v >= model.d[0],
    late: |model, long, rank| Some(model.index(long[rank])),
    slots: SLOTS,
};

impl Batch {
    fn run(&self, model: &Model, draws: &[u128], long: &[u128]) -> Option<Vec<usize>> {
        let mut rank = 0;
        let sample = |v: &u128| {
            if !(self.is_open)(model, *v) {
                return Some(model.d[1..].iter().filter(|d| v < d).count());
            }
            rank += 1;
            match rank - 1 {
                late if late >= self.slots => (self.late)(model, long, late),
                rank => Some((self.open)(model, *v, long[(self.slot)(rank)])),
            }
        };
        draws.iter().map(sample).collect()
    }

    /// The joint law must be that of independent samples.
    fn verdict(&self) -> Result<(), String> {
        let model = Model::new(false, 0, LEAD_BITS, PRECISION, &THRESHOLDS);
        let masses: Vec<u128> = (0..=THRESHOLDS.len())
            .map(|j| {
                let upper = if j == 0 { 1 << PRECISION } else { THRESHOLDS[j - 1] };
                upper - THRESHOLDS.get(j).copied().unwrap_or(0)
            })
            .collect();
        let long_bits = model.fine_bits;
        let bits = SAMPLES as u32 * (LEAD_BITS + long_bits);
        let mut joint = BTreeMap::<Vec<usize>, u128>::new();
        for string in 0..1_u128 << bits {
            let piece = |at: u32, bits: u32| string >> at & ((1 << bits) - 1);
            let draws: Vec<_> = (0..SAMPLES as u32).map(|i| piece(i * LEAD_BITS, LEAD_BITS)).collect();
            let after = SAMPLES as u32 * LEAD_BITS;
            let long: Vec<_> = (0..SAMPLES as u32).map(|k| piece(after + k * long_bits, long_bits)).collect();
            if let Some(samples) = self.run(&model, &draws, &long) {
                *joint.entry(samples).or_default() += 1;
            }
        }
        let all: u128 = joint.values().sum();
        for (samples, count) in &joint {
            let product: u128 = samples.iter().map(|j| masses[*j]).product();
            let (left, right) = (count << (PRECISION * SAMPLES as u32), product * all);
            if left != right {
                return Err(format!("{samples:?}: {left} for {right}"));
            }
        }
        Ok(())
    }
}

#[test]
fn the_right_batch_passes() {
    assert_eq!(RIGHT.verdict(), Ok(()));
    assert_eq!(Batch { slots: 1, ..RIGHT }.verdict(), Ok(()));
    assert_eq!(Batch { slots: 0, ..RIGHT }.verdict(), Ok(()));
}

/// Open samples that share a slot are not independent.
#[test]
fn one_slot_for_two_is_caught() {
    Batch { slot: |_| 0, ..RIGHT }.verdict().unwrap_err();
}

/// A sample without a slot that takes a constant, a slot that is taken already, or a draw of the whole law; and a batch that is drawn again.
#[test]
fn another_draw_without_a_slot_is_caught() {
    let late = |late| Batch { slots: 1, late, ..RIGHT }.verdict();
    late(|_, _, _| Some(0)).unwrap_err();
    late(|_, _, _| Some(THRESHOLDS.len())).unwrap_err();
    late(|model, long, _| Some(model.index(long[0]))).unwrap_err();
    late(|_, long, rank| Some(THRESHOLDS.iter().filter(|t| long[rank] < **t).count())).unwrap_err();
    late(|_, _, _| None).unwrap_err();
}

/// A border that is off by one, on either side.
#[test]
fn another_border_is_caught() {
    Batch { is_open: |model, v| v + 1 >= model.d[0], ..RIGHT }.verdict().unwrap_err();
    Batch { is_open: |model, v| v > model.d[0], ..RIGHT }.verdict().unwrap_err();
}

/// The rest of the thresholds counted from 0, without the sample's own offset, or the whole ones in their place.
#[test]
fn another_search_among_the_rests_is_caught() {
    Batch { open: |model, _, w| model.f.iter().filter(|f| w < **f).count(), ..RIGHT }.verdict().unwrap_err();
    Batch { open: |model, _, w| model.f[1..].iter().filter(|f| w <= **f).count(), ..RIGHT }.verdict().unwrap_err();
    Batch { open: |_, _, w| THRESHOLDS.iter().filter(|t| w < **t).count(), ..RIGHT }.verdict().unwrap_err();
    // The rests of those alone that share the sample's lead, as a lazy draw of one u would have it.
    let own = |model: &Model, v: u128, w: u128| model.index(w).min(3 - v.min(3) as usize);
    Batch { open: own, ..RIGHT }.verdict().unwrap_err();
}
