//! Lazy tables against what their type says, in plain integers.

use super::*;
use crate::fixtures::{falling, table};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

/// The parts of a table as the type's documentation defines them, in plain integers.
struct Model {
    /// L - m.
    open_bits: u32,
    /// B-L+m.
    fine_bits: u32,
    first: usize,
    certain: usize,
    /// D_0, D_(a+1), …, D_b.
    coarse: Vec<u128>,
    /// The F_j of the tree.
    fine: Vec<u128>,
}

impl Model {
    fn new(shape: Shape, precision: u32, thresholds: &[u128]) -> Self {
        let lead_bits = if shape == Shape::Folded { 15 } else { 16 };
        let bits = precision.max(lead_bits);
        let unit = 1_u128 << (bits - lead_bits);
        let mut all = vec![1_u128 << bits];
        all.extend(thresholds.iter().map(|t| t << (bits - precision)));
        let after = |j: usize| all.get(j + 1).copied().unwrap_or(0);
        let mut cells: Vec<u128> = (0..all.len()).map(|j| (all[j] - after(j)) / unit).collect();
        let open = ((1_u128 << lead_bits) - cells.iter().sum::<u128>()).max(1);
        let spare_bits = (0..).find(|m| 1 << m >= open).unwrap();
        let mut back = (1 << lead_bits) - (1 << spare_bits);
        back = cells.iter().sum::<u128>() - back;
        for cell in cells.iter_mut().rev() {
            let less = back.min(*cell);
            (*cell, back) = (*cell - less, back - less);
        }
        let above = |j: usize| cells[j..].iter().sum::<u128>();
        let rests: Vec<u128> = (1..all.len()).map(|j| all[j] - unit * above(j)).collect();
        let (fine_bits, lowest) = (bits - lead_bits + spare_bits, cells.iter().position(|d| *d > 0).unwrap());
        let (first, last) =
            (if shape == Shape::Folded { 0 } else { lowest }, cells.iter().rposition(|d| *d > 0).unwrap());
        Model {
            open_bits: lead_bits - spare_bits,
            fine_bits,
            first,
            certain: rests.iter().filter(|f| **f == 1 << fine_bits).count(),
            coarse: std::iter::once(above(0)).chain((first + 1..=last).map(above)).collect(),
            fine: rests.into_iter().filter(|f| *f != 0 && *f != 1 << fine_bits).collect(),
        }
    }

    /// The bytes of a tree of these numbers of so many bits.
    fn tree(numbers: &[u128], bits: u32) -> Vec<i8> {
        let levels = (4..).find(|levels| 1 << levels > numbers.len()).unwrap();
        let (digits, stride) = (bits.div_ceil(8).max(1), 64.max(1 << levels));
        let mut tree = vec![-128; digits as usize * stride];
        for d in 0..digits {
            for i in 0..levels {
                for q in 0..1 << i {
                    let rank: usize = (2 * q + 1) << (levels - 1 - i);
                    if let Some(number) = numbers.get(rank - 1) {
                        let digit = (number << (8 * digits - bits)) >> (8 * (digits - 1 - d)) & 255;
                        tree[d as usize * stride + (1 << i) + q] = (digit as i16 - 128) as i8;
                    }
                }
            }
        }
        tree
    }
}

/// Thresholds that fall as those of a Gaussian do, so that few samples are open.
fn gaussian(count: usize, precision: u32) -> Vec<u128> {
    let part = |j: usize| (-(j as f64 * 3.0 / count as f64).powi(2)).exp() * (1.0 - j as f64 / (count as f64 + 1.0));
    (1..=count).map(|j| (part(j) * 2_f64.powi(precision as i32)) as u128).collect()
}

fn lazy<S: AsRef<[u32]>>(table: CdtTable<S>) -> Result<LazyTable<S, Vec<i8>>, TableError> {
    LazyTable::with_parts_in(table, |len| vec![0; len])
}

#[test]
fn parts_are_what_the_type_says() {
    let mut seen = [0; 2];
    for shape in [Shape::Folded, Shape::Full] {
        for precision in [1, 5, 14, 15, 16, 17, 24, 31, 32, 33, 64, 72, 96, 100] {
            for count in [1, 2, 7, 14, 15, 16, 60, 63, 64, 130] {
                for thresholds in [gaussian(count, precision), falling(count, precision, count as u8)] {
                    let model = Model::new(shape, precision, &thresholds);
                    let table = table(shape, -3, precision, &thresholds).unwrap();
                    let mut len = 0;
                    let memory = |bytes| {
                        len = bytes;
                        vec![7; bytes]
                    };
                    let lazy = LazyTable::with_parts_in(table.clone(), memory).unwrap();
                    assert_eq!(lazy.open_bits(), model.open_bits, "{shape:?}, {count} of {precision} bits");
                    assert_eq!(lazy.fine_digits() as u32, model.fine_bits.div_ceil(8).max(1));
                    let (coarse, fine) = (Model::tree(&model.coarse, 16), Model::tree(&model.fine, model.fine_bits));
                    assert_eq!((lazy.coarse().rows, lazy.fine().rows), (&coarse[..], &fine[..]));
                    let layout = [model.first, model.coarse.len(), model.certain, model.fine.len()];
                    assert_eq!((lazy.layout(), lazy.offsets()), (layout, (model.first, model.certain)));
                    for (tree, numbers, digits) in
                        [(lazy.coarse(), &model.coarse, 2), (lazy.fine(), &model.fine, lazy.fine_digits())]
                    {
                        assert_eq!((tree.len, tree.stride * digits), (numbers.len(), tree.rows.len()));
                        assert!(1 << tree.levels > numbers.len() && tree.levels >= 4 && tree.stride >= 64);
                        assert!(tree.levels == 4 || 1 << (tree.levels - 1) <= numbers.len());
                    }
                    assert_eq!((lazy.bytes(), lazy.parts().len()), (table.bytes() + len, len));
                    assert!(lazy.log2_overflow() <= -(precision as i32) - 8);
                    assert_eq!(LazyTable::new(table, lazy.parts().clone()).unwrap().split, lazy.split);
                    seen[0] += usize::from(model.certain > 0);
                    seen[1] += usize::from(model.first > 0);
                }
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen > 5), "{seen:?}");
}

#[test]
fn every_byte_is_looked_at() {
    let table = table(Shape::Full, 0, 40, &gaussian(20, 40)).unwrap();
    let parts = lazy(table.view()).unwrap().parts().clone();
    let len = parts.len();
    for place in 0..len {
        let mut wrong = parts.clone();
        wrong[place] ^= 1;
        assert_eq!(
            LazyTable::new(table.view(), wrong.clone()).unwrap_err(),
            TableError::Entry { entry: "parts: byte", index: place }
        );
        wrong[len - 1] ^= 2;
        assert_eq!(
            LazyTable::new(table.view(), wrong).unwrap_err(),
            TableError::Entry { entry: "parts: byte", index: place }
        );
    }
    for bytes in [0, len - 1, len + 1] {
        let wrong = TableError::Length { part: "parts", given: bytes, unit: " bytes", expected: len };
        assert_eq!(LazyTable::new(table.view(), vec![0; bytes]).unwrap_err(), wrong);
        assert_eq!(LazyTable::with_parts_in(table.view(), |_| vec![0; bytes]).unwrap_err(), wrong);
    }
    assert_eq!(
        TableError::Length { part: "parts", given: 5, unit: " bytes", expected: 6 }.to_string(),
        "parts: got 5 bytes, expected 6"
    );
}

#[test]
fn the_most_thresholds() {
    // All values have the same probability, 2^-12: none is open but for what must be.
    for (count, is_one) in [(MAX_LAZY_THRESHOLDS, true), (MAX_LAZY_THRESHOLDS + 1, false)] {
        let even: Vec<u128> = (1..=count as u128).map(|j| (4096 - j) << 52).collect();
        let table = table(Shape::Folded, 0, 64, &even).unwrap();
        let refused = lazy(table).err();
        assert_eq!(refused, (!is_one).then_some(TableError::LazyThresholds { thresholds: count }));
    }
    // About one sample in 16 is open: of 2048 more than 240 with probability above 2^-135.
    let table = table(Shape::Folded, 0, 127, &falling(MAX_LAZY_THRESHOLDS, 127, 1)).unwrap();
    let refused = lazy(table).unwrap_err();
    assert!(
        matches!(refused, TableError::Open { open_bits: 3..=4 }) && refused.to_string().contains("2048"),
        "{refused}"
    );
}

/// log2 of the probability that more than k of n are open, each with probability 2^-`open_bits`.
fn log2_tail(n: u64, k: u64, open_bits: u32) -> f64 {
    let p = 2_f64.powi(-(open_bits as i32));
    let mut term = n as f64 * (-p).ln_1p() / 2_f64.ln();
    let mut terms = vec![];
    for i in 0..n {
        term += ((n - i) as f64 / (i + 1) as f64 * p / (1.0 - p)).log2();
        if i >= k {
            terms.push(term);
        }
    }
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + terms.iter().map(|term| (term - most).exp2()).sum::<f64>().log2()
}

#[test]
fn slots_are_enough_and_few() {
    for open_bits in [5, 6, 8, 10, 15, 16] {
        for most in [-9, -16, -72, -136, -264] {
            let Some((all, log2_overflow)) = slots(open_bits, most) else {
                // The longest batch needs more than 240, or a shorter one does.
                assert!(log2_tail(2048, 240, open_bits) > f64::from(most) - 3.0, "{open_bits}, {most}");
                continue;
            };
            let mut worst = f64::NEG_INFINITY;
            for (row, slots) in all.into_iter().enumerate() {
                let (n, slots) = ((row as u64 + 1) * 64, u64::from(slots));
                assert!(slots % 8 == 0 && slots >= 8 && slots <= n);
                if slots < n {
                    let tail = log2_tail(n, slots, open_bits);
                    assert!(tail <= f64::from(most));
                    worst = worst.max(tail);
                }
                if slots > 8 {
                    let fewer = log2_tail(n, slots - 8, open_bits);
                    assert!(fewer > f64::from(most) - 2.5, "{n}: {slots}, {fewer}");
                }
            }
            assert!((worst..worst + 2.5).contains(&f64::from(log2_overflow)), "{worst}: {log2_overflow}");
            assert!(log2_overflow <= most);
        }
    }
}

/// As [`slots`] says, for a batch of n, by logarithms; and how near the bound is to a power of two, where it may be either.
fn model_of_slots(n: u64, open_bits: u32, most: i32) -> (u64, i32, f64) {
    let odds = (f64::from(open_bits).exp2() - 1.0).recip();
    let (mut t, mut near) = (-(n as f64) * odds.ln_1p() / 2_f64.ln(), 1.0_f64);
    for k in 0..n {
        // t_(k+1), and the factor there.
        t += ((n - k) as f64 / (k + 1) as f64 * odds).log2();
        let r = (n - k - 1) as f64 / (k + 2) as f64 * odds;
        if k >= 8 && k % 8 == 0 && r < 1.0 {
            let bound = t - (1.0 - r).log2();
            near = near.min((bound - bound.round()).abs());
            let above = bound.floor() as i32 + 1;
            if above <= most {
                return (k, above, near);
            }
        }
    }
    (n, i32::MIN, near)
}

#[test]
fn slots_are_the_least_by_the_bound() {
    let laws =
        [5, 6, 8, 11, 16].into_iter().flat_map(|open_bits| (9..265).step_by(5).map(move |most| (open_bits, -most)));
    for (open_bits, most) in laws {
        let Some((all, log2_overflow)) = slots(open_bits, most) else { continue };
        let model = (1..).zip(all).map(|(row, _)| model_of_slots(64 * row, open_bits, most)).collect::<Vec<_>>();
        for (slots, (k, _, near)) in all.into_iter().zip(&model) {
            assert!(u64::from(slots) == *k || *near < 1e-6, "{open_bits}, {most}: {slots}, {k}");
        }
        let worst = model.iter().map(|(_, log2, _)| *log2).max().unwrap();
        assert!(log2_overflow == worst || model.iter().any(|(_, _, near)| *near < 1e-6), "{open_bits}, {most}");
    }
    // As many as there can be, of 2048.
    assert!((-120..-9).filter_map(|most| slots(4, most)).any(|(all, _)| all[31] == 240));
}

#[test]
fn batches_have_the_slots_of_their_rows() {
    let table = table(Shape::Full, 0, 100, &gaussian(200, 100)).unwrap();
    let lazy = lazy(table).unwrap();
    let all = lazy.split.slots.map(usize::from);
    assert!(all[0] < all[4] && all[4] < all[31], "{all:?}");
    for samples in 1..=LAZY_BATCH {
        assert_eq!(lazy.slots(samples), all[(samples - 1) / LAZY_ROW]);
    }
}

#[test]
fn upper_bounds_are_rounded_up_by_less_than_a_unit() {
    let mut bits = crate::fixtures::reader(9);
    use crate::bits::BitSource;
    // What the product is, what its bound is, and a unit of that.
    let bounded = |m: u64, numerator: u64, denominator: u64| {
        let Upper { m: above, e } = Upper { m, e: 0 }.times(numerator, denominator);
        assert!(above >> 63 == 1);
        // m·numerator/denominator·2^-e, times 2^64 so that it is whole enough.
        let product = u128::from(m) * u128::from(numerator);
        let (shift, whole) = ((-e).max(0) as u32, (e.max(0)) as u32);
        // above·denominator·2^e >= product > (above - 1)·denominator·2^e
        let (above, denominator) = (u128::from(above), u128::from(denominator));
        let (left, unit) = ((above * denominator) << whole, denominator << whole);
        let product = product << shift;
        (product, left, unit)
    };
    let check = |m, numerator, denominator| {
        let (product, left, unit) = bounded(m, numerator, denominator);
        assert!(left >= product && left - unit < product, "{m}·{numerator}/{denominator}");
    };
    // The last is rounded up to 2^64.
    for (m, numerator, denominator) in
        [(1 << 63, 1, 1), (u64::MAX, 1, 1), (1 << 63, 3, 7), (u64::MAX, 9, 5), (15_372_286_728_091_293_013, 3, 5)]
    {
        check(m, numerator, denominator);
    }
    for _ in 0..1000 {
        let (m, numerator) = (bits.bits(64) | 1 << 63, 1 + bits.bits(20));
        check(m, numerator, 1 + bits.bits(20));
        // The quotient has 51 bits at least.
        let (product, left, _) = bounded(m, numerator % 8 + 1, 1 + bits.bits(36));
        assert!(left >= product && left - product <= product >> 50);
    }
}
