//! Each function against what its documentation says, in plain integers, on the same bits.

use super::super::*;
use crate::bits::{LazyUniform, SplitMix64};
use std::sync::OnceLock;
use std::vec::Vec;

/// Chosen bits, the first to be read first, then random ones; counts what is read.
#[derive(Clone)]
pub(crate) struct Tape {
    pub(crate) chosen: Vec<bool>,
    pub(crate) read: usize,
    rest: u64,
}

impl Tape {
    pub(crate) fn new(rest: u64) -> Self {
        Tape { chosen: Vec::new(), read: 0, rest: rest << 32 }
    }

    /// With n more chosen bits, as one draw gives them.
    pub(crate) fn then(mut self, n: u32, value: u64) -> Self {
        self.chosen.extend((0..n).map(|i| value >> i & 1 != 0));
        self
    }

    pub(crate) fn then_each(mut self, bit: bool, count: usize) -> Self {
        self.chosen.extend(core::iter::repeat_n(bit, count));
        self
    }
}

impl BitSource for Tape {
    fn bits(&mut self, n: u32) -> u64 {
        let mut value = 0;
        for i in 0..n {
            let random = || SplitMix64(self.rest + self.read as u64).next() >> 63 != 0;
            let bit = self.chosen.get(self.read).copied().unwrap_or_else(random);
            value |= u64::from(bit) << i;
            self.read += 1;
        }
        value
    }
}

/// σ² = a/b, t = ⌊σ⌋ + 1, and for V below `fast` γ is nowhere above 7.
#[derive(Clone, Copy)]
pub(super) struct Law {
    pub(super) a: u128,
    pub(super) b: u128,
    pub(super) t: u128,
    pub(super) center: i64,
    pub(super) fast: u64,
}

impl Law {
    pub(super) fn new(a: u64, b: u64, center: i64) -> Self {
        let (a, b) = (u128::from(a), u128::from(b));
        let t = (1..=a / b + 1).find(|t| t * t * b > a).unwrap_or(0);
        let mut law = Law { a, b, t, center, fast: 5 };
        let above = |v: &u64| (0..t).any(|u| law.gamma(u, *v) > 7.0 + 1e-9);
        law.fast = (0..5).find(above).unwrap_or(5);
        law
    }

    pub(super) fn cks(&self) -> Cks {
        let sigma_sq = Rational::new(self.a as i64, self.b as u64).unwrap();
        Cks::new(&DiscreteGaussian::new(Rational::from(self.center), Width::SigmaSq(sigma_sq)).unwrap()).unwrap()
    }

    /// U/t + (|Y| - σ²/t)²/(2σ²)
    pub(super) fn gamma(&self, u: u128, v: u64) -> f64 {
        let [a, b, t, u] = [self.a, self.b, self.t, u].map(|x| x as f64);
        u / t + (u + t * v as f64 - a / b / t).powi(2) / (2.0 * a / b)
    }

    /// (|Y| - σ²/t)²/(2σ²) in units of 1/(2abt²)
    fn exponent(&self, y: u128) -> u128 {
        (y * self.b * self.t).abs_diff(self.a).pow(2)
    }

    fn units(&self) -> u128 {
        2 * self.a * self.b * self.t * self.t
    }

    fn result(&self, y: u128, negative: bool) -> i64 {
        self.center + if negative { -1 } else { 1 } * y as i64
    }

    /// Steps 1, 3 and 4, one after the other. Step 4 has a part for the first t at most, and one for every further t.
    fn printed(&self, u: u128, v: u64, negative: bool, bits: &mut Tape) -> Option<i64> {
        let y = u + self.t * u128::from(v);
        if !even(|n| bernoulli(u, self.t * n, bits)) || (y == 0 && negative) {
            return None;
        }
        let mut done = 0;
        for w in v.min(1)..=v {
            let exponent = self.exponent(u + self.t * u128::from(w));
            if !parts(exponent - done, self.units(), bits) {
                return None;
            }
            done = exponent;
        }
        Some(self.result(y, negative))
    }

    /// An attempt with draws of these widths.
    fn attempt(&self, prefix_bits: u32, j: u32, c: u32, bits: &mut Tape) -> Option<i64> {
        let draw = bits.bits(prefix_bits + 1 + j);
        let (prefix, negative) = (draw % (1 << prefix_bits), draw >> prefix_bits & 1 == 1);
        // Every U has the same number of draws; where it has one more, that is drawn again.
        let product = u128::from(draw >> (prefix_bits + 1)) * self.t;
        let u = if product % (1 << j) < (1 << j) % self.t {
            uniform_below(self.t as u64, bits).into()
        } else {
            product >> j
        };
        let v = settled(prefix, prefix_bits).unwrap_or_else(|| v_by_inversion(prefix, prefix_bits, bits));
        if v >= self.fast {
            return self.printed(u, v, negative, bits);
        }
        let y = u + self.t * u128::from(v);
        let num = self.exponent(y) + u * self.units() / self.t;
        let passes = num / self.units() + 1;
        let den = self.units() * passes;
        let mut accepted = y > 0 || !negative;
        for _ in 0..passes {
            let coins = bits.bits(2 * c);
            let first = LazyUniform::new(coins % (1 << c), c);
            let second = LazyUniform::new(coins >> c, c);
            accepted &= even(|n| match n {
                1 => first.is_below(num, den, bits),
                2 => second.is_below(num, 2 * den, bits),
                _ => bernoulli(1, n, bits) && bernoulli(num, den, bits),
            });
        }
        accepted.then(|| self.result(y, negative))
    }

    pub(super) fn sample(&self, bits: &mut Tape) -> i64 {
        let j = if self.t <= 4096 { 19 } else { 51 };
        loop {
            if let Some(x) = self.attempt(12, j, 16, bits) {
                return x;
            }
        }
    }
}

/// Whether so many of these coins in a row succeed that it is an even number.
pub(crate) fn even(mut coin: impl FnMut(u128) -> bool) -> bool {
    let mut n = 0;
    while coin(n + 1) {
        n += 1;
    }
    n % 2 == 0
}

/// exp(-num/den) as the product of exp(-1) and of what remains.
fn parts(num: u128, den: u128, bits: &mut Tape) -> bool {
    for _ in 0..num / den {
        if !even(|n| bernoulli(1, n, bits)) {
            return false;
        }
    }
    even(|n| bernoulli(1, n, bits) && bernoulli(num % den, den, bits))
}

/// 18!·Σ (-v)^i/i! over i <= n.
fn series(v: i128, n: u32) -> u128 {
    let factorial = |n: u32| (1..=i128::from(n)).product::<i128>();
    (0..=n).map(|i| (-v).pow(i) * (factorial(18) / factorial(i))).sum::<i128>() as u128
}

/// The upper ends of the regions of U, in units of 1/(1.6·18!), each with its V, and whether it is a sliver.
fn regions() -> &'static [(u128, u64, bool)] {
    static REGIONS: OnceLock<Vec<(u128, u64, bool)>> = OnceLock::new();
    REGIONS.get_or_init(made_regions)
}

fn made_regions() -> Vec<(u128, u64, bool)> {
    let mut regions = std::vec![(series(0, 0), 0, false)];
    for v in 1..=5 {
        let (start, copies) = (regions[regions.len() - 1].0, if v == 5 { 2 } else { 1 });
        regions.push((start + copies * series(v, 17), v as u64, false));
        regions.push((start + copies * series(v, 18), v as u64, true));
    }
    regions.push((series(0, 0) * 16 / 10, 6, false));
    regions
}

/// The region of all uniforms with these leading bits.
fn region(regions: &[(u128, u64, bool)], prefix: u128, len: u32) -> Option<(u64, bool)> {
    let whole = regions[11].0;
    let holds = |i: usize| {
        let start = if i == 0 { 0 } else { regions[i - 1].0 };
        prefix * whole >= start << len && (prefix + 1) * whole <= regions[i].0 << len
    };
    (0..12).find(|i| holds(*i)).map(|i| (regions[i].1, regions[i].2))
}

fn settled(prefix: u64, len: u32) -> Option<u64> {
    match region(regions(), prefix.into(), len) {
        Some((v, false)) if v < 5 => Some(v),
        _ => None,
    }
}

/// V from a uniform of which this much is drawn; one bit more until its region is certain.
fn v_by_inversion(prefix: u64, len: u32, bits: &mut Tape) -> u64 {
    let regions = regions();
    let (mut prefix, mut len) = (u128::from(prefix), len);
    loop {
        let (v, sliver) = loop {
            if let Some(found) = region(regions, prefix, len) {
                break found;
            }
            (prefix, len) = (2 * prefix + u128::from(bits.bits(1)), len + 1);
        };
        // exp(-v) beyond its term of order 18, in units of that term: coins v/19, v/20, …
        if !sliver || even(|n| bernoulli(v.into(), 18 + n, bits)) {
            if v < 5 {
                return v;
            }
            if v == 5 {
                let mut i = 0;
                while i < 32_763 && bits.bit() {
                    i += 1;
                }
                // (2/e)^i
                if i < 32_763 && (0..i).all(|_| even(|n| bernoulli(1, 2 + n, bits))) {
                    return 5 + i;
                }
            }
        }
        (prefix, len) = (bits.bits(12).into(), 12);
    }
}

/// The same from the same bits, and as many of them.
pub(crate) fn same<T: PartialEq + core::fmt::Debug>(
    what: &str,
    tape: &Tape,
    found: impl FnOnce(&mut Tape) -> T,
    model: impl FnOnce(&mut Tape) -> T,
) -> T {
    let (mut one, mut other) = (tape.clone(), tape.clone());
    let (found, model) = (found(&mut one), model(&mut other));
    assert_eq!((&found, one.read), (&model, other.read), "{what}");
    found
}

/// t = 1, 2, 3, …, both sides of 4096; γ of whole numbers (20); `fast` of 1 to 5.
pub(super) fn laws() -> Vec<Law> {
    [
        (1, 100, 3),
        (1, 2, -5),
        (999, 1000, 0),
        (1, 1, 7),
        (399, 100, -1),
        (20, 1, 1000),
        (256, 25, 0),
        (46225, 1, -9),
        (4095 * 4095, 1, 1 << 62),
        (4096 * 4096, 1, -(1 << 62)),
        (25_600_000, 1, 17),
    ]
    .map(|(a, b, center)| Law::new(a, b, center))
    .into()
}

pub(super) fn width(law: &Law) -> u32 {
    if law.t <= 4096 { 19 } else { 51 }
}

#[test]
fn attempts_are_those_of_the_steps() {
    let mut seen = [0; 3];
    for law in laws() {
        let (cks, what) = (law.cks(), std::format!("{}/{}", law.a, law.b));
        for seed in 0..400 {
            let model = |bits: &mut Tape| law.attempt(12, width(&law), 16, bits);
            let value = same(&what, &Tape::new(seed), |bits| cks.attempt(bits), model);
            seen[value.map_or(2, |x| usize::from(x < law.center))] += 1;
        }
        for seed in 0..20 {
            same(&what, &Tape::new(1000 + seed), |bits| cks.sample(bits), |bits| law.sample(bits));
        }
    }
    assert!(seen.iter().all(|seen| *seen > 500), "{seen:?}");
}

#[test]
fn attempts_of_every_prefix_and_sign() {
    for law in [laws()[1], laws()[4], laws()[6], laws()[9]] {
        let cks = law.cks();
        // V = 5 and more, and what lies on a border, is 2% of them; the others every 7th time.
        let open = |prefix: &u64| prefix.is_multiple_of(7) || settled(*prefix, 12).is_none();
        for draw in (0..4096).filter(open).flat_map(|prefix| [prefix, prefix | 4096]) {
            let tape = Tape::new(draw).then(13, draw);
            let model = |bits: &mut Tape| law.attempt(12, width(&law), 16, bits);
            same("prefix", &tape, |bits| cks.attempt(bits), model);
        }
    }
}

/// U = 0 and V = 0 for both signs, and coins next to what decides.
#[test]
fn attempts_with_coins_at_their_goals() {
    let (mut zeros, mut long) = ([0; 2], 0);
    for law in laws() {
        let (cks, j) = (law.cks(), width(&law));
        for (v, prefix) in [(0, 5), (1, 2570), (2, 3600), (3, 3900), (4, 4010)] {
            assert_eq!(settled(prefix, 12), Some(v));
            for (r, negative) in [(1_u64 << (j - 1) | 1, 0), ((1 << j) - 1, 1), (1, 0), (1, 1), (0, 1)] {
                let u = (u128::from(r) * law.t) >> j;
                let num = law.exponent(u + law.t * u128::from(v)) + u * law.units() / law.t;
                let den = law.units() * (num / law.units() + 1);
                let digits = [quotient(num, den, 16), quotient(num, 2 * den, 16)].map(|d| d as u64);
                for (first, second) in [(0, 0), (1, 0), (0, 1), (0xffff, 0), (0, 0xffff), (0xffff, 0xffff)] {
                    let [first, second] = [digits[0] + first, digits[1] + second].map(|c| c % 65536);
                    let draw = prefix | negative << 12 | r << 13;
                    let tape = Tape::new(first).then(13 + j, draw).then(32, first | second << 16);
                    let model = |bits: &mut Tape| law.attempt(12, j, 16, bits);
                    let value = same("coins", &tape, |bits| cks.attempt(bits), model);
                    if u == 0 && v == 0 {
                        zeros[usize::from(value.is_some())] += negative;
                    }
                    long += u32::from(value.is_some() && v > 0);
                }
            }
        }
    }
    assert!(zeros[0] > 20 && zeros[1] == 0 || zeros[1] < zeros[0], "{zeros:?}");
    assert!(long > 50, "{long}");
}

#[test]
fn narrow_attempts_are_attempts() {
    for (a, b) in [(1, 3), (2, 1), (5, 1), (20, 1), (30, 1)] {
        let law = Law::new(a, b, 2);
        let cks = law.cks();
        for seed in 0..400 {
            let tape = Tape::new(seed);
            same("16, 5, 2", &tape, |b| cks.attempt_narrow::<16, 5, 2, _>(b), |b| law.attempt(4, 5, 2, b));
            same("64, 4, 3", &tape, |b| cks.attempt_narrow::<64, 4, 3, _>(b), |b| law.attempt(6, 4, 3, b));
        }
    }
}

#[test]
fn printed_attempts_are_the_steps() {
    for law in [laws()[0], laws()[1], laws()[3], laws()[5], laws()[6]] {
        let cks = law.cks();
        for seed in 0..300 {
            let model = |bits: &mut Tape| {
                let u = uniform_below(law.t as u64, bits);
                let mut v = 0;
                while even(|n| bernoulli(1, n, bits)) {
                    v += 1;
                }
                let negative = bits.bit();
                law.printed(u.into(), v, negative, bits)
            };
            same("printed", &Tape::new(seed), |bits| cks.attempt_printed(bits), model);
        }
        for (u, v, negative) in (0..law.t.min(9)).flat_map(|u| (0..12).flat_map(move |v| [(u, v, false), (u, v, true)]))
        {
            for (seed, ones) in (0..8).flat_map(|seed| [0, 5, 60].map(|ones| (seed, ones))) {
                // Coins whose uniforms begin with zeros are heads, with ones tails.
                for bit in [false, true] {
                    let tape = Tape::new(seed).then_each(bit, ones);
                    let found = |bits: &mut Tape| cks.attempt_slow(u as u64, v, negative, bits);
                    same("slow", &tape, found, |bits| law.printed(u, v, negative, bits));
                }
            }
        }
    }
    // All coins are tails: everything is accepted, to the largest V; of zero only the positive one.
    let law = laws()[5];
    let tails = Tape::new(0).then_each(true, 200_000);
    for (v, negative) in [(0, false), (0, true), (1, true), (20, false), (100, true)] {
        let found = law.cks().attempt_slow(0, v, negative, &mut tails.clone());
        assert_eq!(found, law.printed(0, v, negative, &mut tails.clone()));
    }
}

#[test]
fn the_largest_numbers_of_the_printed_steps() {
    // σ = 2^29, and 2abt² nearly 2^120 with b large.
    for (a, b) in [(1_u64 << 58, 1_u64), ((1 << 58) - 1, 1), (1, 1 << 62), ((1 << 58) + 1, 1 << 57)] {
        let cks = Law { a: a.into(), b: b.into(), t: 1, center: 0, fast: 0 }.cks();
        for v in [0, 1, 2, 4, V_MAX - 1] {
            for u in [0, cks.t - 1] {
                // Overflow panics in tests.
                let _ = cks.attempt_slow(u, v, true, &mut Tape::new(v));
                let gamma = cks.exact_gamma(u, v);
                assert!(v >= cks.fast || gamma.is_some_and(|(num, den)| num <= 7 * den));
            }
        }
    }
}

#[test]
fn coins_of_any_exponent() {
    for (num, den) in
        [(0, 1), (1, 1), (1, 2), (2, 3), (5, 3), (7, 2), (3, 1), (10, 3), (1 << 100, 1 << 98), (3, 1 << 120)]
    {
        for seed in 0..200 {
            // Heads at first, so that long runs are seen.
            let tape = Tape::new(seed).then_each(false, seed as usize % 40);
            same("exp", &tape, |bits| coin_exp(num, den, bits), |bits| parts(num, den, bits));
        }
    }
}

#[test]
fn regions_are_those_of_the_partial_sums() {
    assert_eq!(UNIT, (1..=18).product::<u128>());
    assert_eq!(WHOLE * 10, UNIT * 16);
    assert_eq!(ENDS.to_vec(), regions().iter().map(|(end, ..)| *end).collect::<Vec<_>>());
    for v in 0..=5 {
        for n in 0..=18 {
            // The sums of even order are above exp(-v), here above 0.
            if n % 2 == 0 || n > 13 {
                assert_eq!(partial_sum(v, n), series(v.into(), n as u32), "{v}, {n}");
            }
        }
    }
    // e^-v is between the two sums.
    for v in 1..=5 {
        let power = (-(v as f64)).exp() * UNIT as f64;
        assert!(partial_sum(v, 17) as f64 <= power * (1.0 + 1e-9) && power <= partial_sum(v, 18) as f64 * (1.0 + 1e-9));
    }
    for prefix in 0..4096 {
        assert_eq!(u64::from(VTable::<4096>::TABLE[prefix as usize]), settled(prefix, 12).unwrap_or(5), "{prefix}");
    }
    for prefix in 0..16 {
        assert_eq!(u64::from(VTable::<16>::TABLE[prefix as usize]), settled(prefix, 4).unwrap_or(5), "{prefix}");
    }
}

#[test]
fn v_comes_from_the_region_of_its_uniform() {
    let regions = regions();
    let mut found = Vec::new();
    for (i, (end, ..)) in regions.iter().enumerate() {
        let start = if i == 0 { 0 } else { regions[i - 1].0 };
        for inside in [1, 4, 7] {
            // The first 70 places of a point of the region, of which 12 are drawn.
            let point = start * 8 + (end - start) * inside;
            let mut rest = point;
            let mut places = (0..70).map(|_| {
                rest = rest % (8 * WHOLE) * 2;
                rest >= 8 * WHOLE
            });
            let prefix = places.by_ref().take(12).fold(0, |prefix, place| 2 * prefix + u64::from(place));
            let places: Vec<bool> = places.collect();
            for seed in 0..30 {
                let mut tape = Tape::new(seed);
                tape.chosen.extend(places.iter().take(2 * seed as usize));
                let v = same("V", &tape, |bits| draw_v(prefix, 12, bits), |bits| v_by_inversion(prefix, 12, bits));
                found.push(v);
            }
        }
        // The same, but the uniform is drawn again after a first one that lies above all.
        for seed in 0..10 {
            let prefix = (((regions[i].0 - 1) << 12) / WHOLE) as u64;
            let tape = Tape::new(seed).then(12, prefix);
            same("V again", &tape, |bits| draw_v(4095, 12, bits), |bits| v_by_inversion(4095, 12, bits));
        }
    }
    assert!((0..6).all(|v| found.contains(&v)));
}

#[test]
fn the_largest_v() {
    let prefix = (4000..4096).find(|prefix| region(regions(), *prefix, 12) == Some((5, false))).unwrap() as u64;
    // Coins are tails where the uniform begins with a one.
    for (heads, v) in [(0, Some(5)), (1, Some(6)), (7000, Some(7005)), (32_761, Some(32_766)), (32_762, Some(32_767))] {
        let tape = Tape::new(1).then_each(true, heads).then_each(false, 1).then_each(true, heads);
        let found = same("V", &tape, |bits| draw_v(prefix, 12, bits), |bits| v_by_inversion(prefix, 12, bits));
        assert_eq!(Some(found), v);
    }
    for heads in [32_763, 32_764, 32_770, 40_000] {
        let tape = Tape::new(1).then_each(true, heads).then_each(false, 1);
        let found = same("V", &tape, |bits| draw_v(prefix, 12, bits), |bits| v_by_inversion(prefix, 12, bits));
        assert!(found < 100);
    }
    assert_eq!(V_MAX, 32_768);
}

#[test]
fn gamma_is_what_it_is_said_to_be() {
    for (a, b) in (1..60).flat_map(|a| (1..6).map(move |b| (a, b))).filter(|(a, b)| a % b != 0 || *b == 1) {
        let law = Law::new(a, b, 0);
        let cks = law.cks();
        // Where γ is 7 itself, nothing is said.
        assert_eq!((cks.t, cks.fast), (law.t as u64, law.fast), "{a}/{b}");
        for (u, v) in (0..cks.t).flat_map(|u| (0..6).map(move |v| (u, v))) {
            let (num, den) = cks.exact_gamma(u, v).unwrap();
            let [t, y] = [law.t, u128::from(u) + law.t * u128::from(v)];
            let [a, b] = [cks.a, cks.b].map(u128::from);
            // Y²b/2a + a/2bt² - V
            assert_eq!((num + den * u128::from(v)) * (2 * a * b * t * t), (y * y * b * b * t * t + a * a) * den);
            assert!((num as f64 / den as f64 - law.gamma(u.into(), v)).abs() < 1e-9);
            let passes = num / den + 1;
            if v < cks.fast {
                assert_eq!(u128::from(cks.goal(u + cks.t * v, v).0), passes, "{a}/{b}: {u}, {v}");
            }
            assert_eq!(cks.exact_coin(u, v, 3), (num, 3 * den));
        }
    }
    for (a, b) in (1..400).flat_map(|a| [7, 10, 31].map(|b| (a, b))).filter(|(a, b)| a % b != 0) {
        let law = Law::new(a, b, 0);
        let [fast, is_fast] = [law.fast, (0..5).take_while(|v| law.cks().is_fast(*v)).count() as u64];
        assert_eq!([is_fast, fast], [fast, law.cks().fast], "{a}/{b}");
    }
    // What 128 bits don't hold.
    assert_eq!(Law::new(1, 1, 0).cks().exact_gamma(0, u64::MAX >> 1), None);
}

#[test]
fn quotients_are_rounded_down() {
    for (num, den) in [(0, 1), (1, 1), (1, 3), (2, 3), (7, 3), (100, 7), (1 << 62, 3), (5, 1 << 40), (12345, 6789)] {
        for shift in [0, 1, 2, 13, 60] {
            assert_eq!(quotient(num, den, shift), (num << shift) / den, "{num}/{den}, {shift}");
        }
    }
    assert_eq!(quotient(1, (1 << 127) - 1, 127), 1);
    assert_eq!(quotient((1 << 63) - 1, 1 << 126, 127), (1 << 64) - 2);
}
