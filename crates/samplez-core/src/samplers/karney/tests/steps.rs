//! Each function against the steps in the head of the room, in plain integers, on the same bits.

use super::super::super::cks::tests::steps::{Tape, even, same};
use super::super::super::cks::tests::whole::{Stuck, bits_of_run};
use super::super::super::common::exp_square::K_MAX;
use super::super::super::common::exp_square::tests::tail_prefix;
use super::super::*;
use super::places;
use crate::bits::{BitReader, Fault, LazyUniform};
use crate::params::{Rational, Width};
use std::string::ToString;
use std::vec::Vec;

/// σ = a/b and c = n/d.
#[derive(Clone, Copy)]
struct Law {
    a: i128,
    b: i128,
    n: i128,
    d: i128,
}

/// A k with its sign and the j: the integer it stands for, less ⌊c⌋, and x in units of 1/(ad).
struct Point {
    value: i128,
    x: i128,
}

impl Law {
    fn target(&self) -> DiscreteGaussian {
        let rational = |num: i128, den: i128| Rational::new(num as i64, den as u64).unwrap();
        DiscreteGaussian::new(rational(self.n, self.d), Width::Sigma(rational(self.a, self.b))).unwrap()
    }

    fn karney(&self) -> Karney {
        Karney::new(&self.target()).unwrap()
    }

    fn floor(&self) -> i64 {
        self.n.div_euclid(self.d) as i64
    }

    /// ⌈σ⌉
    fn m(&self) -> u64 {
        ((self.a + self.b - 1) / self.b) as u64
    }

    fn j_bits(&self) -> u32 {
        if self.m() <= 4096 { 19 } else { 51 }
    }

    fn unit(&self) -> i128 {
        self.a * self.d
    }

    fn point(&self, k: u64, negative: bool, j: u64) -> Point {
        // kσ + sc in units of 1/(bd)
        let fraction = self.n.rem_euclid(self.d) * self.b;
        let start = i128::from(k) * self.unit() + if negative { -fraction } else { fraction };
        let grid = self.b * self.d;
        let value = -(-start).div_euclid(grid) + i128::from(j);
        Point { value, x: value * grid - start }
    }

    /// γ = x(2k + x)/2 in units of 1/(2(ad)²)
    fn gamma(&self, k: u64, x: i128) -> (u128, u128) {
        ((x * (2 * i128::from(k) * self.unit() + x)) as u128, (2 * self.unit() * self.unit()) as u128)
    }

    fn result(&self, point: &Point, negative: bool) -> i64 {
        self.floor() + if negative { -1 } else { 1 } * point.value as i64
    }

    /// D4 to D6, as Algorithm B has them: k + 1 runs of coins x(2k + x)/((2k + 2)i).
    fn printed(&self, k: u64, negative: bool, j: u64, bits: &mut Tape) -> Option<i64> {
        let point = self.point(k, negative, j);
        let zero = point.x == 0 && k == 0 && negative;
        let (x, unit, k2) = (point.x as u128, self.unit() as u128, 2 * u128::from(k));
        let run = |bits: &mut Tape| {
            even(|n| {
                bernoulli(1, n, bits) && bernoulli(x, unit, bits) && bernoulli(k2 * unit + x, (k2 + 2) * unit, bits)
            })
        };
        let accepted = x < unit && !zero && (0..=k).all(|_| run(bits));
        accepted.then(|| self.result(&point, negative))
    }

    fn attempt(&self, prefix_bits: u32, j_bits: u32, c: u32, bits: &mut Tape) -> Option<i64> {
        let draw = bits.bits(prefix_bits + 1 + j_bits);
        let (prefix, negative) = (draw % (1 << prefix_bits), draw >> prefix_bits & 1 == 1);
        // Every j has the same number of draws; where it has one more, that is drawn again.
        let (product, m) = (u128::from(draw >> (prefix_bits + 1)) * u128::from(self.m()), self.m());
        let again = product % (1 << j_bits) < (1 << j_bits) % u128::from(m);
        let j = if again { uniform_below(m, bits) } else { (product >> j_bits) as u64 };
        let settled = match prefix_bits {
            4 => KTable::<16>::TABLE[prefix as usize],
            6 => KTable::<64>::TABLE[prefix as usize],
            _ => KTable::<4096>::TABLE[prefix as usize],
        };
        let k = if settled == 8 { draw_k(prefix, prefix_bits, bits) } else { settled.into() };
        if k >= 8 {
            return self.printed(k, negative, j, bits);
        }
        let point = self.point(k, negative, j);
        // Outside, coins are drawn all the same, for x = 0.
        let inside = point.x < self.unit();
        let (num, den) = self.gamma(k, if inside { point.x } else { 0 });
        let mut accepted = inside && (point.x > 0 || k > 0 || !negative);
        let den_of_run = den * (num / den + 1);
        for _ in 0..num / den + 1 {
            let coins = bits.bits(2 * c);
            let [first, second] = [coins % (1 << c), coins >> c].map(|coin| LazyUniform::new(coin, c));
            accepted &= even(|n| match n {
                1 => first.is_below(num, den_of_run, bits),
                2 => second.is_below(num, 2 * den_of_run, bits),
                _ => bernoulli(1, n, bits) && bernoulli(num, den_of_run, bits),
            });
        }
        accepted.then(|| self.result(&point, negative))
    }

    fn sample(&self, bits: &mut Tape) -> i64 {
        loop {
            if let Some(x) = self.attempt(12, self.j_bits(), 16, bits) {
                return x;
            }
        }
    }
}

/// Whole σ, x = 1 possible (7/2), σ below 1, both sides of 4096, wide and far.
fn laws() -> Vec<Law> {
    [
        (3, 1, 5, 1),
        (7, 2, -1, 1),
        (7, 2, 1, 2),
        (1, 2, 7, 3),
        (1, 8, -1, 2),
        (215, 2, -100, 7),
        (4096, 1, 1, 3),
        (8193, 2, -1, 3),
        (160_000, 1, 22, 7),
        (1 << 47, 1, -1, 1 << 14),
        (1 << 40, 3, (1 << 62) - 1, 2),
        (1 << 40, 3, 1 << 62, 1),
    ]
    .map(|(a, b, n, d)| Law { a, b, n, d })
    .into()
}

#[test]
fn attempts_are_those_of_the_steps() {
    for law in laws() {
        let (karney, what) = (law.karney(), law.target().to_string());
        for seed in 0..300 {
            let model = |bits: &mut Tape| law.attempt(12, law.j_bits(), 16, bits);
            same(&what, &Tape::new(seed), |bits| karney.attempt(bits), model);
        }
        for seed in 0..20 {
            same(&what, &Tape::new(1000 + seed), |bits| karney.sample(bits), |bits| law.sample(bits));
        }
    }
}

/// Every k below 8 with both signs and the ends of j; first coins next to what decides.
#[test]
fn attempts_of_every_k_and_sign() {
    let prefix_of = |k: u64| (0..4096).find(|prefix| u64::from(KTable::<4096>::TABLE[*prefix as usize]) == k);
    let mut found = [0; 2];
    for law in laws() {
        let (karney, width) = (law.karney(), law.j_bits());
        for (k, negative) in (0..12).flat_map(|k| [(k, false), (k, true)]) {
            for r in [0, 1, 1 << (width - 1) | 1, (1_u64 << width) - 1] {
                let draw = prefix_of(k).unwrap_or(tail_prefix()) | u64::from(negative) << 12 | r << 13;
                let j = ((u128::from(r) * u128::from(law.m())) >> width) as u64;
                let point = law.point(k, negative, j);
                let (num, den) = law.gamma(k, if point.x < law.unit() { point.x } else { 0 });
                let goal = places(num, den * (num / den + 1)) >> 48;
                for (seed, first) in [0, goal.saturating_sub(1), goal, goal + 1, 0xffff].into_iter().enumerate() {
                    for second in [0, goal / 2, 0xffff] {
                        let mut tape = Tape::new(seed as u64).then(13 + width, draw);
                        if k > 2 {
                            // In the tail: k - 3 ones and a zero, then tails.
                            tape = tape.then_each(true, k as usize - 3).then_each(false, 1).then_each(false, 1);
                            tape = tape.then_each(true, 300);
                        } else {
                            tape = tape.then(32, first.min(0xffff) | second << 16);
                        }
                        let model = |bits: &mut Tape| law.attempt(12, width, 16, bits);
                        let value = same("k", &tape, |bits| karney.attempt(bits), model);
                        found[usize::from(value.is_some())] += 1;
                    }
                }
            }
        }
    }
    assert!(found.iter().all(|found| *found > 1000), "{found:?}");
}

#[test]
fn narrow_attempts_are_attempts() {
    for law in [laws()[0], laws()[1], laws()[2], Law { a: 29, b: 1, n: 2, d: 5 }] {
        let karney = law.karney();
        for seed in 0..300 {
            let tape = Tape::new(seed);
            same("16, 5, 2", &tape, |b| karney.attempt_narrow::<16, 5, 2, _>(b), |b| law.attempt(4, 5, 2, b));
            same("64, 6, 3", &tape, |b| karney.attempt_narrow::<64, 6, 3, _>(b), |b| law.attempt(6, 6, 3, b));
        }
    }
}

#[test]
fn printed_attempts_are_the_steps() {
    for law in laws() {
        let karney = law.karney();
        for seed in 0..150 {
            let model = |bits: &mut Tape| {
                let k = draw_k_printed(bits)?;
                let negative = bits.bit();
                let j = uniform_below(law.m(), bits);
                law.printed(k, negative, j, bits)
            };
            same("printed", &Tape::new(seed), |bits| karney.attempt_printed(bits), model);
        }
        for (k, negative) in [0, 1, 2, 5, 9, 30].into_iter().flat_map(|k| [(k, false), (k, true)]) {
            for j in [0, 1, law.m() / 3, law.m() / 2, law.m() - 1].map(|j| j.min(law.m() - 1)) {
                for (seed, zeros) in (0..6).flat_map(|seed| [0, 3, 6, 20].map(|zeros| (seed, zeros))) {
                    let tape = Tape::new(seed).then_each(seed % 2 != 0, zeros);
                    let found = |bits: &mut Tape| karney.steps().frame.attempt_slow(k, negative, j, bits);
                    same("slow", &tape, found, |bits| law.printed(k, negative, j, bits));
                }
            }
        }
    }
}

#[test]
fn starts_are_the_least_integers_that_follow() {
    // In the last, kσ is whole for k = 2^14, and beyond 2^64 in its units.
    for law in laws().into_iter().chain([Law { a: (1 << 61) - 1, b: 1 << 14, n: 0, d: 1 }]) {
        let karney = law.karney();
        for k in (0..20).chain([1000, 1 << 14, K_MAX - 1]) {
            for negative in [false, true] {
                let (Start { i0, x0 }, point) = (karney.steps().frame.start(k, negative), law.point(k, negative, 0));
                assert_eq!((i128::from(i0), i128::from(x0)), (point.value, point.x), "{}: {k}", law.target());
                assert!(x0 < karney.steps().frame.grid);
                if k < 8 {
                    let Start { i0: by_table, x0: x_by_table } = karney.steps().start(k, negative);
                    assert_eq!((by_table, x_by_table), (i0, x0));
                }
            }
        }
        assert_eq!((karney.steps().frame.m, karney.steps().frame.narrow()), (law.m(), law.m() <= 4096));
        assert_eq!(karney.steps().frame.base, law.floor());
        for (k, x, passes) in [(0, 0, 1), (0, 1, 1), (1, 0, 2), (3, 2, 3), (7, law.unit() as u64 - 1, 8)] {
            let (num, den) = law.gamma(k, x.into());
            assert_eq!(karney.steps().frame.exact_coin(k, x, passes), (num, den * u128::from(passes)));
        }
    }
}

#[test]
fn fractions_are_short_by_three_at_most() {
    for law in laws() {
        let (karney, unit) = (law.karney(), law.unit() as u64);
        for x in [0, 1, unit / 3, unit / 2, unit - unit / 7 - 1, unit - 1] {
            let exact = places(x.into(), unit.into());
            let fraction = karney.steps().frame.fraction(x);
            assert!(fraction <= exact && exact - fraction <= 3, "{x}/{unit}: {fraction}, {exact}");
        }
    }
}

/// By the steps, over all k, signs and j.
#[test]
fn costs_are_sums_over_all_attempts() {
    for law in [
        (3, 1, 0, 1),
        (7, 2, -1, 1),
        (7, 2, 1, 2),
        (1, 2, 7, 3),
        (1, 8, -1, 2),
        (31, 5, 1, 3),
        (5000, 1, 1, 3),
        (63, 1, 0, 1),
    ]
    .map(|(a, b, n, d)| Law { a, b, n, d })
    {
        let (m, width) = (law.m(), law.j_bits());
        let again = ((1_u128 << width) % u128::from(m)) as f64 / f64::from(width).exp2();
        let lg = (0..).take_while(|n| 2_u64 << n <= m + 1).count() as f64;
        let mut bits = 13.0 + f64::from(width) + 0.575 + again * (lg + 1.0);
        let mut accepted = 0.0;
        let weight = |k: u64| (-((k * k) as f64) / 2.0).exp();
        let total: f64 = (0..8).map(weight).sum();
        // More than 4096 j are represented by the midpoints of as many equal parts.
        let parts = m.min(4096);
        for (k, negative) in (0..8).flat_map(|k| [(k, false), (k, true)]) {
            let p = weight(k) / total / 2.0 / parts as f64;
            for i in 0..parts {
                let point = law.point(k, negative, (2 * i + 1) * m / (2 * parts));
                let inside = point.x < law.unit();
                let (num, den) = law.gamma(k, if inside { point.x } else { 0 });
                let (gamma, passes) = (num as f64 / den as f64, (num / den + 1) as f64);
                bits += p * passes * (32.0 + bits_of_run(gamma / passes, 3));
                if inside && (k > 0 || point.x > 0 || !negative) {
                    accepted += p * (-gamma).exp();
                }
            }
        }
        let ((cost_bits, cost_accepted), what) = (law.karney().steps().cost(), law.target());
        assert!((cost_bits / bits - 1.0).abs() < 1e-10, "{what}: {} of {bits} bits", cost_bits);
        assert!((cost_accepted / accepted - 1.0).abs() < 1e-10, "{what}: {} of {accepted}", cost_accepted);
        if m < 100 {
            let profile = law.karney().profile();
            assert!((profile.expected_bits * accepted / bits - 1.0).abs() < 1e-10);
            assert!((profile.expected_trials * accepted - 1.0).abs() < 1e-10);
            assert_eq!(
                (profile.table_bytes, profile.support, profile.target),
                (4096, i64::MIN..=i64::MAX, what.into())
            );
            assert_eq!((profile.exactness, profile.timing), (Exactness::Exact, Timing::Variable));
        }
    }
}

fn fills<T: Int + PartialEq + core::fmt::Debug>(law: Law) {
    let karney = law.karney();
    for len in [0, 1, 2, 7, 33, 70] {
        let model = |bits: &mut Tape| (0..len).map(|_| T::narrow(law.sample(bits)).unwrap()).collect::<Vec<T>>();
        let fill = |bits: &mut Tape| {
            let mut out = std::vec![T::ZERO; len];
            karney.fill(bits, &mut out).unwrap();
            out
        };
        same(T::NAME, &Tape::new(len as u64), fill, model);
    }
}

/// One in some ten is beyond the type's largest or least value.
fn fails<T: Int + PartialEq + core::fmt::Debug>(center: i128) {
    let law = Law { a: 10, b: 1, n: center, d: 1 };
    let karney = law.karney();
    for seed in 0..20 {
        let (mut one, mut other) = (Tape::new(seed), Tape::new(seed));
        let mut out = std::vec![T::ZERO; 200];
        assert_eq!(karney.fill(&mut one, &mut out).unwrap_err(), RangeError::of::<T>());
        let mut len = 0;
        while let Some(x) = T::narrow(law.sample(&mut other)) {
            assert_eq!(out[len], x);
            len += 1;
        }
        assert_eq!(one.read, other.read);
    }
}

#[test]
fn fills_of_every_type() {
    fills::<i8>(laws()[0]);
    fills::<i16>(laws()[5]);
    fills::<i32>(laws()[8]);
    fills::<i64>(laws()[10]);
    fails::<i8>(127 - 13);
    fails::<i8>(-128 + 13);
    fails::<i16>(32_767 - 13);
    fails::<i32>(-(1 << 31) + 13);
}

#[test]
fn limits_and_what_is_beyond_them() {
    let new = |a: i64, b: u64, n: i64, d: u64| {
        let width = Width::Sigma(Rational::new(a, b).unwrap());
        Karney::new(&DiscreteGaussian::new(Rational::new(n, d).unwrap(), width).unwrap()).map_err(|e| e.to_string())
    };
    for (within, beyond, says) in [
        ((1 << 47, 1, 0, 1), ((1 << 47) + 1, 1, 0, 1), "sigma <= 2^47"),
        ((1, 1, 1 << 62, 1), (1, 1, (1 << 62) + 1, 1), "|center| <= 2^62"),
        ((1, 1, -(1 << 62), 1), (1, 1, -(1 << 62) - 1, 1), "|center| <= 2^62"),
    ] {
        let (a, b, n, d) = within;
        assert!(new(a, b, n, d).is_ok(), "{within:?}");
        let (a, b, n, d) = beyond;
        let error = new(a, b, n, d).unwrap_err();
        assert!(error.contains("karney") && error.contains(says), "{beyond:?}: {error}");
    }
    // The steps' budget: beyond it are blocks.
    for (within, beyond) in [
        ((1 << 47, 1, 1, 1 << 14), (1 << 47, 1, 1, (1 << 14) + 1)),
        ((1 << 40, 1, 1, 1 << 21), (1 << 40, 1, 1, (1 << 21) + 1)),
        ((1, (1 << 63) - 1, 0, 1), (1, 1 << 63, 0, 1)),
        ((1, 8, 1, 2), (1, 9, 1, 2)),
        ((1, 8, -1, 2), (1, 9, -1, 2)),
        ((1, 40, 9, 10), (1, 41, 9, 10)),
        ((1, 40, 11, 10), (1, 41, 11, 10)),
    ] {
        let by_blocks = |(a, b, n, d)| matches!(new(a, b, n, d).unwrap().way, Way::Blocks(_));
        assert!(!by_blocks(within) && by_blocks(beyond), "{within:?}, {beyond:?}");
    }
}

#[test]
fn a_stuck_generator_ends_no_fill_and_is_told() {
    for byte in [0, 0xff, 0x55] {
        let mut bits = BitReader::new(Stuck(byte)).latching();
        laws()[5].karney().fill(&mut bits, &mut [0_i64; 1000]).unwrap();
        assert_eq!(bits.fault(), Some(Fault::Constant(byte)));
        let by_blocks = DiscreteGaussian::new(Rational::new(1, 3).unwrap(), Width::S(Rational::from(8))).unwrap();
        let mut bits = BitReader::new(Stuck(byte)).latching();
        Karney::new(&by_blocks).unwrap().fill(&mut bits, &mut [0_i64; 1000]).unwrap();
        assert_eq!(bits.fault(), Some(Fault::Constant(byte)));
    }
}
