//! Trials against the heights as integers.

use super::*;
use crate::bits::{BitReader, Fault, uniform_below};
use crate::fixtures::{BOUND, Stuck, Tape, digits, falling};
use crate::params::{DiscreteGaussian, Rational};
use std::vec::Vec;

type Table = TableRejection<Vec<u32>>;

/// P[1], …, P[n] below 2^B, around a centre.
struct Plain {
    center: i64,
    precision: u32,
    heights: Vec<u128>,
}

impl Plain {
    fn new(center: i64, precision: u32, count: usize) -> Self {
        Plain { center, precision, heights: falling(count, precision, count as u8) }
    }

    fn sampler(&self) -> Table {
        let law = DiscreteGaussian::with_sigma(Rational::from(3)).unwrap();
        let digits = digits(&self.heights, self.precision);
        let table = RejectionTable::new(law, BOUND, self.center, self.precision, digits).unwrap();
        TableRejection::from_table(table).unwrap()
    }

    /// A trial whose draw of s has `width` bits, and whose first look at u `head` bits.
    fn trial(&self, width: u32, head: u32, bits: &mut Tape) -> Option<i64> {
        let (negative, r, first) = (bits.bit(), bits.bits(width), bits.bits(head));
        let proposals = self.heights.len() as u64 + 1;
        let (product, all) = (r * proposals, 1 << width);
        // So many draws as are left over of a multiple of n + 1 are not used.
        let s = if product % all < all % proposals { uniform_below(proposals, bits) } else { product / all } as usize;
        if s == 0 {
            return (!negative).then_some(self.center);
        }
        let (height, mut u, mut known) = (self.heights[s - 1], u128::from(first), head);
        if u == height >> (self.precision - head) {
            while known < self.precision {
                // To the end of the word.
                let n = (32 - known % 32).min(self.precision - known);
                u = u << n | u128::from(bits.bits(n));
                known += n;
            }
        }
        let signed = if negative { -(s as i64) } else { s as i64 };
        (u < height >> (self.precision - known)).then_some(self.center + signed)
    }

    fn sample(&self, bits: &mut Tape) -> i64 {
        let head = self.precision.min(32);
        loop {
            if let Some(value) = self.trial(31, head, bits) {
                return value;
            }
        }
    }

    /// The sampler's trial of this tape is that of the model, and takes as many bits.
    fn compare(&self, sampler: &Table, tape: Tape) -> Option<i64> {
        let (mut a, mut b) = (tape.clone(), tape);
        let (made, expected) = (sampler.attempt(&mut a), self.trial(31, self.precision.min(32), &mut b));
        assert_eq!((made, a.read), (expected, b.read), "B = {}, n = {}", self.precision, self.heights.len());
        made
    }

    /// A sign, a draw of s, and u to its end.
    fn pieces(&self, negative: bool, s: usize, u: u128) -> Vec<(u64, u32)> {
        let r = ((2 * s as u64 + 1) << 30).div_ceil(self.heights.len() as u64 + 1);
        let mut pieces = Vec::from([(negative.into(), 1), (r, 31)]);
        let mut left = self.precision;
        while left > 0 {
            let n = left.min(32);
            left -= n;
            pieces.push(((u >> left) as u64 & ((1 << n) - 1), n));
        }
        pieces
    }
}

const PRECISIONS: [u32; 11] = [1, 2, 7, 31, 32, 33, 40, 64, 65, 96, 127];

#[test]
fn trials_compare_with_the_heights() {
    for precision in PRECISIONS {
        for count in [1, 2, 6, 15, 40] {
            let plain = Plain::new(-5, precision, count);
            let sampler = plain.sampler();
            let ends = [0, 1, 2, u64::MAX, u64::MAX - 1, u64::MAX >> 1, 1 << 63, u64::MAX << 32, (1 << 32) - 1];
            for (i, draw) in (0..).zip(ends) {
                plain.compare(&sampler, Tape::before(&[(draw, 64)], i));
            }
            for i in 0..60 {
                plain.compare(&sampler, Tape::before(&[], i));
            }
        }
    }
}

/// u that is the height, near it in any of its words, or equal to it in the first ones.
#[test]
fn u_is_compared_to_its_last_bit() {
    for precision in PRECISIONS {
        for count in [1, 6] {
            let plain = Plain::new(9, precision, count);
            let sampler = plain.sampler();
            let mask = u128::MAX >> (128 - precision);
            for s in 1..=count {
                let height = plain.heights[s - 1];
                let near = (0..precision).flat_map(|i| [height ^ 1 << i, height.wrapping_sub(1 << i)]);
                let cut = (0..precision).flat_map(|i| [height >> i << i, height | ((1 << i) - 1)]);
                for u in near.chain(cut).chain([0, mask, height]).map(|u| u & mask) {
                    let made = plain.compare(&sampler, Tape::before(&plain.pieces(u % 2 == 0, s, u), 5));
                    let value = if u % 2 == 0 { 9 - s as i64 } else { 9 + s as i64 };
                    assert_eq!(made, (u < height).then_some(value), "B = {precision}: {u} and {height}");
                }
            }
            // The centre takes no height, also where u is one.
            for u in [0, mask, plain.heights[0]] {
                assert_eq!(plain.compare(&sampler, Tape::before(&plain.pieces(false, 0, u), 5)), Some(9));
                assert_eq!(plain.compare(&sampler, Tape::before(&plain.pieces(true, 0, u), 5)), None);
            }
        }
    }
}

/// Draws of s whose product with n + 1 ends just at, below and above what is drawn again.
#[test]
fn just_what_is_left_over_is_drawn_again() {
    for count in [2_u64, 6, 12, 100] {
        let plain = Plain::new(0, 20, count as usize);
        let (sampler, m) = (plain.sampler(), count + 1);
        // 1/(n + 1) modulo 2^31, by Newton's steps.
        let inverse = (0..5).fold(1_u64, |y, _| y.wrapping_mul(2_u64.wrapping_sub(m.wrapping_mul(y))));
        let over = (1 << 31) % m;
        for low in [0, over - 1, over, over + 1, m - 1, m, 1 << 30] {
            let r = inverse.wrapping_mul(low) & 0x7fff_ffff;
            for seed in 0..10 {
                let mut tape = Tape::before(&[(seed % 2, 1), (r, 31), (seed << 10, 20)], seed);
                plain.compare(&sampler, tape.clone());
                sampler.attempt(&mut tape);
                assert_eq!(tape.read > 52, low < over);
            }
        }
    }
}

#[test]
fn every_narrow_draw_compares_with_the_heights() {
    for precision in [4, 5, 9, 40, 70] {
        let mut plain = Plain::new(3, precision, 9);
        // One whose first word ends in a one.
        plain.heights[4] |= 1 << precision.saturating_sub(32);
        plain.heights.sort_by(|a, b| b.cmp(a));
        let sampler = plain.sampler();
        for draw in 0..1 << 10 {
            let mut a = Tape::before(&[(draw, 10)], draw);
            let mut b = a.clone();
            let expected = plain.trial(5, 4, &mut b);
            assert_eq!((sampler.attempt_narrow::<5, _>(4, &mut a), a.read), (expected, b.read), "{draw:b}");
        }
    }
}

#[test]
fn a_narrow_head_is_at_most_the_head() {
    let sampler = Plain::new(3, 6, 9).sampler();
    let fails = |head_bits| {
        std::panic::catch_unwind(|| _ = sampler.attempt_narrow::<5, _>(head_bits, &mut Tape::before(&[], 0))).is_err()
    };
    assert_eq!([6, 7].map(fails), [false, true]);
}

#[test]
fn the_profile_is_that_of_the_heights() {
    for (precision, count) in [(1, 1), (7, 2), (32, 6), (33, 100), (127, 200)] {
        let plain = Plain::new(-40, precision, count);
        let sampler = plain.sampler();
        let profile = sampler.profile();
        let n = count as f64;
        let area: f64 = plain.heights.iter().map(|height| *height as f64 / f64::from(precision).exp2()).sum();
        let trials = (n + 1.0) / (0.5 + area);
        let head = precision.min(32);
        // The height of one s has u's head once in 2^32.
        let rest = f64::from(precision - head) * n / (n + 1.0) / f64::from(head).exp2();
        // 2 = 0b10, 3 = 0b11, 7, 101, 201.
        let lengths = [(1, 2.0), (2, 2.0), (6, 3.0), (100, 7.0), (200, 8.0)];
        let length = lengths.iter().find(|length| length.0 == count).unwrap().1;
        let again = ((1_u64 << 31) % (count as u64 + 1)) as f64 / 31_f64.exp2() * length;
        let bits = trials * (f64::from(32 + head) + rest + again);
        assert!((profile.expected_trials / trials - 1.0).abs() < 1e-14);
        assert!((profile.expected_bits / bits - 1.0).abs() < 1e-14, "{} {bits}", profile.expected_bits);
        assert_eq!(profile.table_bytes, 4 * count * precision.div_ceil(32) as usize);
        assert_eq!(profile.support, -40 - count as i64..=-40 + count as i64);
        assert_eq!((profile.target, profile.exactness), (sampler.table().target().into(), Exactness::Within(BOUND)));
        assert_eq!((profile.timing, Table::TIMING), (Timing::Variable, Timing::Variable));
        assert_eq!(sampler.table().digits(), digits(&plain.heights, precision));
        assert!(std::format!("{sampler:?}").starts_with("TableRejection { table: RejectionTable { "));
    }
    // Heights of 256 bits: 1/2 and 1/4, whose rest is 224 bits long.
    let mut words = [0; 16];
    (words[0], words[1]) = (1 << 31, 1 << 30);
    let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    let sampler = TableRejection::from_table(RejectionTable::new(law, BOUND, 0, 256, words).unwrap()).unwrap();
    let profile = sampler.profile();
    assert_eq!(profile.expected_trials, 3.0 / 1.25);
    let bits = 2.4 * (64.0 + 224.0 * 2.0 / 3.0 / 4_294_967_296.0 + 2.0 * 2.0 / 2_147_483_648.0);
    assert!((profile.expected_bits / bits - 1.0).abs() < 1e-14);
    // u = 1/2 to its last bit but one, and to its last bit.
    let [one, s] = [(0, 1), (1 << 30, 31)];
    let head = (1 << 31, 32);
    let zeros = [(0, 64), (0, 64), (0, 64)];
    for (u, expected) in [(0, None), (u64::from(u32::MAX), None)] {
        let mut tape = Tape::before(&[&[one, s, head][..], &zeros, &[(u, 32)]].concat(), 0);
        assert_eq!((sampler.attempt(&mut tape), tape.read), (expected, 288));
    }
}

fn filled<T: Int + PartialEq>(plain: &Plain, len: usize) {
    let (mut a, mut b) = (Tape::before(&[], len as u64), Tape::before(&[], len as u64));
    let mut out = std::vec![T::wrapping(99); len];
    let result = plain.sampler().fill(&mut a, &mut out);
    let mut fits = Ok(());
    for (i, slot) in out.iter().enumerate() {
        let value = plain.sample(&mut b);
        if !(T::MIN..=T::MAX).contains(&value) {
            fits = Err(RangeError::of::<T>());
            assert!(result.is_err() && i < len);
            break;
        }
        assert_eq!(slot.widen(), value);
    }
    assert_eq!((result, a.read), (fits, b.read));
}

#[test]
fn a_fill_is_samples_one_by_one() {
    for center in [-11, 0, 120, 127, -128, 32_760, i64::from(i32::MIN), i64::MAX - 20, i64::MIN + 20] {
        let plain = Plain::new(center, 40, 20);
        for len in [0, 1, 2, 31, 70] {
            filled::<i8>(&plain, len);
            filled::<i16>(&plain, len);
            filled::<i32>(&plain, len);
            filled::<i64>(&plain, len);
        }
    }
}

#[test]
fn samples_are_the_accepted_trials() {
    let plain = Plain::new(1000, 33, 12);
    let (mut a, mut b) = (Tape::before(&[], 4), Tape::before(&[], 4));
    let sampler = plain.sampler();
    assert!((0..200).all(|_| sampler.sample(&mut a) == plain.sample(&mut b)) && a.read == b.read);
}

/// Beyond i8 are only proposals that are never accepted.
#[test]
fn what_is_rejected_need_not_fit() {
    let plain = Plain { center: 125, precision: 8, heights: Vec::from([200, 100, 0, 0, 0, 0]) };
    let mut out = [0_i8; 200];
    plain.sampler().fill(&mut Tape::before(&[], 8), &mut out).unwrap();
    let mut bits = Tape::before(&[], 8);
    assert!(out.iter().all(|x| i64::from(*x) == plain.sample(&mut bits)) && out.contains(&127));
}

#[test]
fn a_stuck_source_ends_and_is_told() {
    let sampler = Plain::new(0, 70, 20).sampler();
    for byte in [0, 0xff] {
        let mut bits = BitReader::new(Stuck(byte)).latching();
        assert!((0..300).all(|_| (-20..=20).contains(&sampler.sample(&mut bits))));
        assert_eq!(bits.fault(), Some(Fault::Constant(byte)));
    }
}
