//! Trials against the rectangles and the bits of y' written out.

use super::*;
use crate::bits::{BitReader, Fault};
use crate::fixtures::{BOUND, Stuck, Tape, reader};
use crate::params::{DiscreteGaussian, Rational};
use crate::table::{Chord, ZigguratParts};
use std::vec::Vec;

/// A table whose densities are stored: any integers in the place of each.
#[derive(Clone)]
struct Plain {
    center: i64,
    n: u32,
    omega: u32,
    /// Bits of y' drawn first.
    head: u32,
    /// X_0 + 1 = 0, X_1 + 1, …, X_m + 1.
    edges: Vec<u64>,
    /// y_0, …, y_m = 0.
    y: Vec<u128>,
    rho: Vec<u128>,
    chord: Option<Chord>,
}

/// Left-aligned in words, most significant first.
fn aligned(height: u128, n: u32) -> Vec<u32> {
    let words = n.div_ceil(32);
    (1..=words).map(|j| ((height << (32 * words - n)) >> (32 * (words - j))) as u32).collect()
}

/// An integer below m from the draw r of `width` bits; so many draws as are left over of a multiple of m are not used.
fn scaled(r: u64, m: u64, width: u32, bits: &mut Tape) -> u64 {
    let (product, all) = (u128::from(r) * u128::from(m), 1_u128 << width);
    if product % all < all % u128::from(m) { uniform_below(m, bits) } else { (product / all) as u64 }
}

impl Plain {
    fn rectangles(&self) -> usize {
        self.edges.len() - 1
    }

    fn parts(&self) -> ZigguratParts {
        let center = Rational::from(self.center);
        let target = DiscreteGaussian::new(center, crate::params::Width::Sigma(Rational::from(2))).unwrap();
        ZigguratParts {
            target,
            bound: BOUND,
            expected_trials: 1.25,
            precision: self.n,
            omega: self.omega,
            rectangles: self.rectangles() as u32,
            chord: self.chord,
            stored: true,
        }
    }

    fn sampler(&self) -> Ziggurat<Vec<u32>> {
        let m = self.rectangles();
        let mut words: Vec<u32> = self.edges.iter().map(|edge| *edge as u32).collect();
        words.extend(aligned(self.y[0] - (1 << self.n), self.n));
        words.extend(self.y[1..m].iter().chain(&self.rho[1..]).flat_map(|height| aligned(*height, self.n)));
        Ziggurat::from_table(ZigguratTable::new(self.parts(), words).unwrap().with_head_bits(self.head))
    }

    /// The places of (ρ(x) - y_i)/(y_(i-1) - y_i), and whether something is left after them; i from 1, and a part below 1.
    fn places(&self, i: usize, x: u64) -> (Vec<bool>, bool) {
        let (mut d, h) = (self.rho[x as usize] - self.y[i], self.y[i - 1] - self.y[i]);
        let mut place = || {
            d *= 2;
            let one = d >= h;
            d -= if one { h } else { 0 };
            one
        };
        ((0..self.omega).map(|_| place()).collect(), d > 0)
    }

    /// Steps 4 to 6; i from 1.
    fn is_below(&self, i: usize, x: u64, bits: &mut Tape) -> bool {
        let head = u128::from(bits.bits(self.head));
        let (fast, all) = (self.edges[i - 1], self.edges[i]);
        let unit = 1_u128 << self.head;
        let (width, left) = (u128::from(all - fast), u128::from(all - 1 - x));
        if let Some(chord) = self.chord {
            if (2..=chord.accept_to as usize).contains(&i) && (head + 1) * width <= left * unit {
                return true;
            }
            if i > chord.reject_after as usize && head * width > (left + 1) * unit {
                return false;
            }
        }
        if self.rho[x as usize] < self.y[i] || self.rho[x as usize] >= self.y[i - 1] {
            return self.rho[x as usize] >= self.y[i];
        }
        let (places, rest) = self.places(i, x);
        for (k, place) in (0..).zip(places) {
            let drawn = if k < self.head { head >> (self.head - 1 - k) & 1 != 0 } else { bits.bit() };
            if drawn != place {
                return place;
            }
        }
        rest
    }

    fn trial(&self, widths: [u32; 2], bits: &mut Tape) -> Option<i64> {
        let (negative, r) = (bits.bit(), bits.bits(widths[0]));
        let s = bits.bits(widths[1]);
        let i = scaled(r, self.rectangles() as u64, widths[0], bits) as usize + 1;
        let x = scaled(s, self.edges[i], widths[1], bits);
        let accepted = x < self.edges[i - 1] || self.is_below(i, x, bits);
        let signed = if negative { -(x as i64) } else { x as i64 };
        (accepted && !(x == 0 && negative)).then_some(self.center + signed)
    }

    fn sample(&self, bits: &mut Tape) -> i64 {
        loop {
            if let Some(value) = self.trial([24, 39], bits) {
                return value;
            }
        }
    }

    /// The sampler's trial of this tape is that of the model, and takes as many bits.
    fn compare(&self, sampler: &Ziggurat<Vec<u32>>, tape: Tape) -> Option<i64> {
        let (mut a, mut b) = (tape.clone(), tape);
        let (made, expected) = (sampler.attempt(&mut a), self.trial([24, 39], &mut b));
        assert_eq!((made, a.read), (expected, b.read), "m = {}, n = {}", self.rectangles(), self.n);
        made
    }

    /// The draw that gives rectangle i, from 1, and its column x.
    fn draw(&self, i: usize, x: u64, negative: bool) -> [(u64, u32); 3] {
        let m = self.rectangles() as u64;
        let r = ((2 * i as u64 - 1) << 23).div_ceil(m);
        let s = ((2 * x + 1) << 38).div_ceil(self.edges[i]);
        [(negative.into(), 1), (r, 24), (s, 39)]
    }

    /// All that reaches step 4: rectangles, from 1, and columns.
    fn unseen(&self) -> Vec<(usize, u64)> {
        (1..=self.rectangles()).flat_map(|i| (self.edges[i - 1]..self.edges[i]).map(move |x| (i, x))).collect()
    }
}

fn any(below: u128, bits: &mut impl BitSource) -> u128 {
    (u128::from(bits.bits(64)) << 64 | u128::from(bits.bits(64))) % below
}

/// Rectangles that are `step` high, about, and the last one what is left; densities are within their rectangle, or
/// beyond it by a little.
fn made(edges: &[u64], n: u32, omega: u32, step: u128, seed: u8) -> Plain {
    let mut bits = reader(seed);
    let one = 1_u128 << n;
    let mut y = Vec::from([one + any(step / 2, &mut bits)]);
    for _ in 2..edges.len() {
        y.push(y.last().unwrap() - step / 2 - 1 - any(step, &mut bits));
        y[1] = y[1].min(one - 1);
    }
    y.push(0);
    let mut rho = Vec::from([one]);
    for i in 1..edges.len() {
        let (upper, lower) = (y[i - 1], y[i]);
        for x in edges[i - 1]..edges[i] {
            let height = match x % 6 {
                0 => lower,
                1 => lower.saturating_sub(any(step, &mut bits) / 4),
                2 => upper + any(step, &mut bits) / 4,
                _ => lower + any(upper - lower, &mut bits),
            };
            if x > 0 {
                rho.push(height.min(one - 1));
            }
        }
    }
    Plain { center: 7, n, omega, head: omega.min(64), edges: edges.to_vec(), y, rho, chord: None }
}

const EDGES: [u64; 6] = [0, 3, 9, 9, 14, 25];

#[test]
fn trials_are_those_of_the_rectangles() {
    for (seed, (n, omega)) in
        (0..).zip([(6, 6), (31, 40), (32, 64), (63, 65), (64, 80), (65, 65), (90, 120), (120, 300)])
    {
        let plain = made(&EDGES, n, omega, (1 << n) / 5, seed);
        let sampler = plain.sampler();
        let ends = [0, 1, u64::MAX, u64::MAX - 1, u64::MAX >> 1, 1 << 63, u64::MAX << 25, (1 << 25) - 1, 1 << 25];
        for (i, draw) in (0..).zip(ends.into_iter().chain([0; 8])) {
            plain.compare(&sampler, Tape::before(&[(draw, 64)], i));
        }
        for i in 0..400 {
            plain.compare(&sampler, Tape::before(&[], i));
        }
        for (i, (rectangle, x)) in (0..).zip((1..6).flat_map(|i| (0..EDGES[i]).map(move |x| (i, x)))) {
            for negative in [false, true] {
                plain.compare(&sampler, Tape::before(&plain.draw(rectangle, x, negative), i));
            }
        }
        let (mut a, mut b) = (Tape::before(&[], 99), Tape::before(&[], 99));
        assert!((0..100).all(|_| sampler.sample(&mut a) == plain.sample(&mut b)) && a.read == b.read);
    }
}

/// r and r' whose products end just at, below and above what is drawn again, in draws of full width.
#[test]
fn just_what_is_left_over_is_drawn_again() {
    for edges in [&[0, 3, 7, 11][..], &[0, 7, 7, 9, 13, 15]] {
        let plain = made(edges, 20, 30, 1 << 17, 3);
        let sampler = plain.sampler();
        let m = plain.rectangles() as u64;
        let inverse = |odd: u64| (0..6).fold(1_u64, |y, _| y.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(y))));
        let (over, r) = ((1_u64 << 24) % m, (1_u64 << 24) / m * (m - 1));
        let rs: Vec<u64> =
            (0..=over + 1).map(|low| inverse(m).wrapping_mul(low) & 0xff_ffff).chain([r, r / 2]).collect();
        let mut again = 0;
        for r in rs {
            for all in edges[1..].iter().filter(|all| *all % 2 == 1) {
                let over = (1_u64 << 39) % all;
                for low in (0..=over + 1).chain([*all, all + 1, 1 << 38]) {
                    let s = inverse(*all).wrapping_mul(low) & ((1 << 39) - 1);
                    for negative in [0, 1] {
                        let tape = Tape::before(&[(negative, 1), (r, 24), (s, 39)], r ^ s);
                        plain.compare(&sampler, tape.clone());
                        let mut tape = tape;
                        sampler.attempt(&mut tape);
                        again += u32::from(tape.read > 64 + 30);
                    }
                }
            }
        }
        assert!(again > 10);
    }
}

#[test]
fn every_narrow_draw_is_that_of_the_rectangles() {
    for edges in [&[0, 2, 5, 11][..], &[0, 1, 8, 8, 13, 16], &[0, 2, 3, 5, 6, 9, 11, 13]] {
        let plain = made(edges, 9, 9, 1 << 6, 8);
        let sampler = plain.sampler();
        for draw in 0..1 << 11 {
            for seed in 0..2 {
                let mut a = Tape::before(&[(draw, 11)], seed);
                let mut b = a.clone();
                let expected = plain.trial([4, 6], &mut b);
                assert_eq!((sampler.attempt_narrow::<4, 6, _>(&mut a), a.read), (expected, b.read), "{draw:b}");
            }
        }
    }
}

/// Rectangles that are a few units of 2^-63 high, below which the heads say nothing.
#[test]
fn rectangles_as_low_as_the_heads_are_exact() {
    for (seed, units) in (0..).zip([2, 2, 3, 4, 9, 30]) {
        let plain = made(&[0, 7, 13, 19], 100, 100, units << 37, seed);
        for head in [6, 64] {
            let plain = Plain { head, ..plain.clone() };
            let sampler = plain.sampler();
            for (i, x) in plain.unseen() {
                for y in (0..64).step_by(if head == 6 { 1 } else { 3 }) {
                    let tape = Tape::before(&plain.draw(i, x, false), 64 * x + y);
                    let [a, b, c] = plain.draw(i, x, y % 2 == 0);
                    let tape = if head == 6 { Tape::before(&[a, b, c, (y, 6)], x) } else { tape };
                    plain.compare(&sampler, tape);
                }
            }
        }
    }
}

/// The heights' parts below the heads at their ends: with them the brackets are as wrong as they can be.
#[test]
fn brackets_hold_at_their_ends() {
    let unit = 1_u128 << 37;
    let ends = [0, unit - 1];
    for (h, d) in [(1, 0), (1, 1), (2, 1), (3, 1), (3, 2), (5, 2), (6, 3), (9, 7), (20, 3), (20, 18)] {
        for (upper, lower, middle) in (0..8).map(|i| (ends[i & 1], ends[i >> 1 & 1], ends[i >> 2])) {
            let base = 1000 * unit;
            let y = Vec::from([(1 << 100) + 5, base + h * unit + upper, base + lower, 0]);
            let rho = Vec::from([1 << 100, 1 << 99, base + d * unit + middle, base]);
            if y[1] <= y[2] {
                continue;
            }
            for head in [7, 64] {
                let plain = Plain {
                    center: 0,
                    n: 100,
                    omega: 110,
                    head,
                    edges: Vec::from([0, 2, 3, 4]),
                    y: y.clone(),
                    rho: rho.clone(),
                    chord: None,
                };
                let sampler = plain.sampler();
                let [a, b, c] = plain.draw(2, 2, true);
                for i in (0..128_u64).step_by(if head == 7 { 1 } else { 4 }) {
                    let y = i << (head - 7);
                    plain.compare(&sampler, Tape::before(&[a, b, c, (y, head)], i));
                    if i % 8 == 0 {
                        plain.compare(&sampler, Tape::before(&[a, b, c, (y.wrapping_sub(1), head)], i));
                    }
                }
            }
        }
    }
}

/// y' that is the place of the density, and differs from it only at one place or at none.
#[test]
fn equal_places_are_drawn_as_far_as_they_matter() {
    for (n, omega) in [(7, 9), (60, 64), (60, 66), (64, 70), (100, 140), (119, 119)] {
        let mut plain = made(&[0, 4, 9, 12], n, omega, (1 << n) / 4, 9);
        // Half of the rectangle: nothing is left after its first place.
        plain.y[2] &= !1;
        plain.rho[10] = plain.y[2] / 2;
        let sampler = plain.sampler();
        for (i, x) in plain.unseen() {
            if !(plain.y[i]..plain.y[i - 1]).contains(&plain.rho[x as usize]) {
                continue;
            }
            let (places, rest) = plain.places(i, x);
            let pieces = |places: &[bool]| -> Vec<(u64, u32)> {
                let (head, later) = places.split_at(plain.head as usize);
                let value = head.iter().fold(0, |value, place| value << 1 | u64::from(*place));
                let later = later.iter().map(|place| (u64::from(*place), 1));
                plain.draw(i, x, false).into_iter().chain([(value, plain.head)]).chain(later).collect()
            };
            let equal = plain.compare(&sampler, Tape::before(&pieces(&places), 0));
            assert_eq!(equal, rest.then_some(7 + x as i64));
            assert!(x != 10 || equal.is_none());
            for k in 0..places.len() {
                let mut other = places.clone();
                other[k] = !other[k];
                let tape = Tape::before(&pieces(&other), 1);
                assert_eq!(plain.compare(&sampler, tape).is_some(), places[k]);
            }
        }
    }
}

/// Chords decide whatever the densities are, where they are trusted to.
#[test]
fn chords_decide_in_their_rectangles_only() {
    for (accept_to, reject_after) in [(0, 0), (0, 4), (4, 4), (1, 3), (2, 2), (3, 1), (4, 0)] {
        for (n, seed) in [(6, 1), (70, 3)] {
            let mut plain = made(&[0, 8, 13, 21, 29], n, n, (1 << n) / 6, seed);
            plain.chord = Some(Chord { accept_to, reject_after });
            plain.head = 6;
            let sampler = plain.sampler();
            for (i, x) in plain.unseen() {
                let [a, b, c] = plain.draw(i, x, x % 2 == 0);
                for y in 0..64 {
                    plain.compare(&sampler, Tape::before(&[a, b, c, (y, 6)], y));
                }
            }
        }
    }
    let mut plain = made(&[0, 8, 13, 21, 29], 64, 64, 1 << 60, 4);
    plain.chord = Some(Chord { accept_to: 3, reject_after: 1 });
    let sampler = plain.sampler();
    for (i, x) in plain.unseen() {
        for seed in 0..20 {
            plain.compare(&sampler, Tape::before(&plain.draw(i, x, false), seed));
        }
    }
}

/// log2(e)/2 after the point: σ = 1.
const KAPPA: [u32; 7] = [0, 0xb8aa_3b29, 0x5c17_f0bb, 0xbe87_fed0, 0x691d_3e88, 0xeb57_7aa8, 0xdd69_5a58];

/// Densities are computed, and rectangles end near them.
#[test]
fn computed_densities_are_stored_ones() {
    for distance in [1 << 8, 1 << 30, 1 << 45, 1 << 60] {
        let one = 1_u128 << 88;
        let table = |plain: &Plain| {
            let words = plain.edges.iter().map(|edge| *edge as u32);
            let heights = [plain.y[0] - one, plain.y[1], plain.y[2]].into_iter().flat_map(|y| aligned(y, 88));
            let words: Vec<u32> = words.chain(heights).chain(KAPPA).collect();
            ZigguratTable::new(ZigguratParts { stored: false, ..plain.parts() }, words).unwrap()
        };
        let edges = Vec::from([0, 1, 2, 6]);
        let y = Vec::from([one + 1, one - 5, 1000, 0]);
        let mut plain = Plain { center: -3, n: 88, omega: 96, head: 64, edges, y, rho: Vec::from([one]), chord: None };
        let height = |table: &ZigguratTable<Vec<u32>>, x| {
            let [low, high, ..] = table.height(x);
            u128::from(high) << 64 | u128::from(low)
        };
        let first = table(&plain);
        plain.rho = (0..6).map(|x| height(&first, x)).collect();
        // e^-½ and e^-2.
        assert!((plain.rho[1] as f64 / one as f64 - 0.606_530_659_712_633).abs() < 1e-14);
        assert!((plain.rho[2] as f64 / one as f64 - 0.135_335_283_236_612).abs() < 1e-14);
        plain.y[1] = plain.rho[1] + distance;
        plain.y[2] = plain.rho[1] - 2 * distance - 1;
        let sampler = Ziggurat::from_table(table(&plain));
        for seed in 0..120 {
            plain.compare(&sampler, Tape::before(&[], seed));
            let (i, x) = plain.unseen()[seed as usize % 6];
            plain.compare(&sampler, Tape::before(&plain.draw(i, x, false), seed));
            // 2/3 of the rectangle, nearly.
            let [a, b, c] = plain.draw(2, 1, false);
            plain.compare(&sampler, Tape::before(&[a, b, c, (u64::MAX / 3 * 2 + seed * seed, 64)], seed));
        }
    }
}

#[test]
fn the_profile_is_the_tables() {
    // 0 to 0, 0 to 2 and 0 to 7: 1, 2/3 and 5/8 of them reach step 4.
    let plain = made(&[0, 1, 3, 8], 10, 12, 1 << 7, 1);
    let sampler = plain.sampler();
    let profile = sampler.profile();
    let share = (1.0 + 2.0 / 3.0 + 5.0 / 8.0) / 3.0;
    // 2^24 = 1 mod 3, and 3 has two bits.
    let bits = 1.25 * (64.0 + 2.0 / 16_777_216.0 + 12.0 * share);
    assert!((profile.expected_bits - bits).abs() < 1e-12, "{} {bits}", profile.expected_bits);
    assert_eq!((profile.expected_trials, profile.table_bytes, profile.support), (1.25, 4 * (4 + 3 + 7), 0..=14));
    assert_eq!((profile.target, profile.timing), (plain.parts().target.into(), Timing::Variable));
    assert_eq!((profile.exactness, Ziggurat::<Vec<u32>>::TIMING), (Exactness::Within(BOUND), Timing::Variable));
    assert_eq!(*sampler.table().parts(), plain.parts());
    assert_eq!(sampler.table().words()[..4], [0, 1, 3, 8]);
    assert!(std::format!("{sampler:?}").starts_with("Ziggurat { table: ZigguratTable { "));
    // 2^24 = (2^8)^3 = -1 mod 257; its columns are 0 to 1 everywhere, unseen in the first rectangle only.
    let edges: Vec<u64> = core::iter::once(0).chain([2; 257]).collect();
    let profile = made(&edges, 40, 40, 1 << 30, 2).sampler().profile();
    let bits = 1.25 * (64.0 + 9.0 * 256.0 / 16_777_216.0 + 40.0 / 257.0);
    assert!((profile.expected_bits - bits).abs() < 1e-11, "{} {bits}", profile.expected_bits);
}

fn filled<T: Int + PartialEq + core::fmt::Debug>(plain: &Plain, len: usize) {
    let (mut a, mut b) = (Tape::before(&[], len as u64), Tape::before(&[], len as u64));
    let mut out = std::vec![T::wrapping(99); len];
    let result = plain.sampler().fill(&mut a, &mut out);
    let mut fits = Ok(());
    for (i, slot) in out.iter().enumerate() {
        let value = plain.sample(&mut b);
        if !(T::MIN..=T::MAX).contains(&value) {
            fits = Err(RangeError::of::<T>());
            assert!(out[i + 1..].iter().all(|rest| *rest == T::wrapping(99)));
            break;
        }
        assert_eq!(slot.widen(), value);
    }
    assert_eq!((result, a.read), (fits, b.read));
}

#[test]
fn a_fill_is_samples_one_by_one() {
    for center in [-11, 0, 110, 127, -128, 32_760, i64::from(i32::MIN), i64::MAX - 24, i64::MIN + 24] {
        let plain = Plain { center, ..made(&EDGES, 16, 20, 1 << 13, 6) };
        for len in [0, 1, 2, 31, 70] {
            filled::<i8>(&plain, len);
            filled::<i16>(&plain, len);
            filled::<i32>(&plain, len);
            filled::<i64>(&plain, len);
        }
    }
}

/// Beyond i8 are only columns that are never accepted.
#[test]
fn what_is_rejected_need_not_fit() {
    let mut plain = Plain { center: 127 - 4, ..made(&[0, 3, 5, 20], 16, 16, 1 << 13, 2) };
    plain.y[2] = plain.y[1] - 5;
    plain.rho[5..].fill(0);
    let mut out = [0_i8; 200];
    plain.sampler().fill(&mut Tape::before(&[], 8), &mut out).unwrap();
    let mut bits = Tape::before(&[], 8);
    assert!(out.iter().all(|x| i64::from(*x) == plain.sample(&mut bits)) && out.contains(&127));
}

#[test]
fn a_stuck_source_ends_and_is_told() {
    let sampler = made(&EDGES, 70, 90, 1 << 68, 6).sampler();
    for byte in [0, 0xff] {
        let mut bits = BitReader::new(Stuck(byte)).latching();
        assert!((0..300).all(|_| (7 - 24..=7 + 24).contains(&sampler.sample(&mut bits))));
        assert_eq!(bits.fault(), Some(Fault::Constant(byte)));
    }
}
