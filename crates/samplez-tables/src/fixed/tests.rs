//! Everything here beside exact arithmetic, which is slow and short.

mod functions;
mod scaled;

use super::limbs::{add_ulps, div_small, leading, mul, shr};
use super::round::{compare, rounded};
use super::*;
use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

/// A natural number times a power of 2, as digits of 32 bits, the lowest first.
#[derive(Clone, Debug)]
struct Exact {
    digits: Vec<u32>,
    exponent: i32,
}

impl Exact {
    fn new(number: u128, exponent: i32) -> Self {
        Exact { digits: (0..4).map(|i| (number >> (32 * i)) as u32).collect(), exponent }
    }

    fn of<const N: usize>(limbs: &[u64; N]) -> Self {
        let digits = limbs.iter().flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]).collect();
        Exact { digits, exponent: ulp::<N>() }
    }

    fn of_double(double: f64) -> Self {
        assert!(double.is_finite() && double.is_sign_positive());
        let (fraction, biased) = (double.to_bits() & ((1 << 52) - 1), double.to_bits() >> 52);
        let number = if biased == 0 { fraction } else { fraction + (1 << 52) };
        Exact::new(number.into(), biased.max(1) as i32 - 1075)
    }

    /// 2^power times the number.
    fn scaled(&self, power: i32) -> Self {
        Exact { exponent: self.exponent + power, ..self.clone() }
    }

    /// The digits at a smaller exponent.
    fn at(&self, exponent: i32) -> Vec<u32> {
        let shift = (self.exponent - exponent) as usize;
        let mut digits = vec![0; shift / 32];
        let mut carry = 0_u64;
        for digit in &self.digits {
            carry |= u64::from(*digit) << (shift % 32);
            digits.push(carry as u32);
            carry >>= 32;
        }
        digits.push(carry as u32);
        digits
    }

    fn plus(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let (a, b) = (self.at(exponent), other.at(exponent));
        let digit = |digits: &[u32], i: usize| u64::from(digits.get(i).copied().unwrap_or(0));
        let mut carry = 0;
        let mut digits = Vec::new();
        for i in 0..=a.len().max(b.len()) {
            carry += digit(&a, i) + digit(&b, i);
            digits.push(carry as u32);
            carry >>= 32;
        }
        Exact { digits, exponent }.trimmed()
    }

    fn times(&self, other: &Self) -> Self {
        let mut digits = vec![0_u32; self.digits.len() + other.digits.len()];
        for (i, a) in self.digits.iter().enumerate() {
            let mut carry = 0;
            for (j, b) in other.digits.iter().chain(&[0]).enumerate().take(digits.len() - i) {
                carry += u64::from(*a) * u64::from(*b) + u64::from(digits[i + j]);
                digits[i + j] = carry as u32;
                carry >>= 32;
            }
        }
        Exact { digits, exponent: self.exponent + other.exponent }.trimmed()
    }

    fn trimmed(mut self) -> Self {
        let zeros = self.digits.iter().rev().take_while(|digit| **digit == 0).count();
        self.digits.truncate(self.digits.len() - zeros);
        self
    }

    fn is_zero(&self) -> bool {
        self.digits.iter().all(|digit| *digit == 0)
    }

    /// The weight of the leading bit is 2^this; of a number that is not 0.
    fn place(&self) -> i32 {
        let top = self.digits.iter().rposition(|digit| *digit != 0).expect("not 0");
        self.exponent + 32 * top as i32 + self.digits[top].ilog2() as i32
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Exact {}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (false, false) => {}
            (a, b) => return b.cmp(&a),
        }
        let exponent = self.exponent.min(other.exponent);
        let by_digits = || {
            let (mut a, mut b) = (self.at(exponent), other.at(exponent));
            let len = a.len().max(b.len());
            a.resize(len, 0);
            b.resize(len, 0);
            a.iter().rev().cmp(b.iter().rev())
        };
        self.place().cmp(&other.place()).then_with(by_digits)
    }
}

/// An ulp is 2^this.
const fn ulp<const N: usize>() -> i32 {
    -64 * (N as i32 - 1)
}

/// Returns `n` ulp.
fn ulps<const N: usize>(n: u128) -> Exact {
    Exact::new(n, ulp::<N>())
}

/// Pseudorandom words, a third of which are extreme.
struct Words(u64);

impl Words {
    fn random(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 31
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.random() >> 8) % n
    }

    fn word(&mut self) -> u64 {
        let any = self.random();
        match self.below(16) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << self.below(64),
            3 => (1 << self.below(64)) - 1,
            4 => u64::MAX - self.below(2),
            5..=8 => any >> self.below(64),
            _ => any,
        }
    }

    fn limbs<const N: usize>(&mut self) -> [u64; N] {
        let mut limbs = [(); N].map(|()| self.word());
        let zeros = self.below(3 * N as u64) as usize;
        // Often some limbs on one side are 0, or all ones.
        match self.below(6) {
            0 => limbs.iter_mut().take(zeros).for_each(|limb| *limb = 0),
            1 => limbs.iter_mut().rev().take(zeros).for_each(|limb| *limb = 0),
            2 => limbs.iter_mut().take(zeros).for_each(|limb| *limb = u64::MAX),
            _ => {}
        }
        limbs
    }
}

const ROUNDS: usize = if cfg!(miri) { 3 } else { 300 };

/// Calls a function generic in the number of limbs for each of these.
macro_rules! for_limbs {
    ($function:ident, $($n:literal)*) => { $($function::<$n>(&mut Words($n));)* };
}

use for_limbs;

fn check_limbs<const N: usize>(words: &mut Words) {
    let (whole, one) = (Exact::new(1, 64), ulps::<N>(1));
    let is_floor = |floor: &[u64; N], factor: &Exact, value: &Exact| {
        let floor = Exact::of(floor);
        floor.times(factor) <= *value && *value < floor.plus(&one).times(factor)
    };
    for _ in 0..ROUNDS {
        let (a, b, n) = (words.limbs::<N>(), words.limbs::<N>(), words.word());
        let (x, y) = (Exact::of(&a), Exact::of(&b));
        let (sum, modulo) = (x.plus(&y), Exact::of(&add(&a, &b)));
        assert!(sum == modulo && sum < whole || sum == modulo.plus(&whole), "{a:?} {b:?}");
        match sub(&a, &b) {
            Some(difference) => assert_eq!(Exact::of(&difference).plus(&y), x, "{a:?} {b:?}"),
            None => assert!(x < y, "{a:?} {b:?}"),
        }
        assert_eq!(less(&a, &b), x < y);
        let (raised, over) = add_ulps(&a, n);
        let (sum, modulo) = (x.plus(&ulps::<N>(n.into())), Exact::of(&raised));
        assert!(if over { sum == modulo.plus(&whole) } else { sum == modulo }, "{a:?} {n}");
        let product = x.times(&y);
        match mul(&a, &b) {
            Some(floor) => assert!(is_floor(&floor, &Exact::new(1, 0), &product), "{a:?} {b:?}"),
            None => assert!(product >= whole, "{a:?} {b:?}"),
        }
        for shift in [0, 1, 63, 64, 65, 127, 128, 64 * N as u32 - 1, 64 * N as u32, words.below(700) as u32] {
            assert!(is_floor(&shr(&a, shift), &Exact::new(1, shift as i32), &x), "{a:?} {shift}");
        }
        for divisor in [1, 2, u64::MAX, a[N - 1].max(1), n.max(1)] {
            let mut quotient = a;
            div_small(&mut quotient, divisor);
            assert!(is_floor(&quotient, &Exact::new(divisor.into(), 0), &x), "{a:?} {divisor}");
        }
        check_leading(&a, &x);
    }
}

/// The leading bits, and the doubles around the number.
fn check_leading<const N: usize>(a: &[u64; N], x: &Exact) {
    let (bits, exponent, follow) = leading(a);
    let (low, high) = (down(a), up(a));
    if x.is_zero() {
        assert_eq!((bits, follow, low, nearest(a), high), (0, false, 0.0, 0.0, 0.0));
        return;
    }
    let cut = Exact::new(bits, exponent);
    assert!(bits >> 127 == 1 && cut <= *x && *x < cut.plus(&Exact::new(1, exponent)), "{a:?}");
    assert_eq!(follow, cut != *x, "{a:?}");
    assert!(Exact::of_double(low) <= *x && *x < Exact::of_double(low.next_up()), "{a:?}");
    assert!(Exact::of_double(high) >= *x && *x > Exact::of_double(high.next_down()), "{a:?}");
    // In the middle, to 2^-120, it may be either.
    let middle = Exact::of_double(low).plus(&Exact::of_double(high)).scaled(-1);
    let more = Exact::new(1, 0).plus(&Exact::new(1, -120));
    let near = nearest(a);
    assert!(near == low || near == high && x.times(&more) >= middle, "{a:?}");
    assert!(near == high || near == low && middle.times(&more) >= *x, "{a:?}");
}

#[test]
fn limbs_are_exact() {
    for_limbs!(check_limbs, 3 5 9);
}

/// The ends of an interval, the upper one as if it were known.
fn ends<const N: usize>(interval: &Interval<N>) -> [Exact; 2] {
    let low = Exact::of(&interval.lo);
    let high = low.plus(&ulps::<N>(interval.width.into()));
    let is_known = interval.width != u64::MAX && high < Exact::new(1, 64);
    assert_eq!(interval.hi().map(|hi| Exact::of(&hi)), is_known.then(|| high.clone()));
    [low, high]
}

/// The interval must hold what lies between these, and its width must not be above so many ulp.
fn check<const N: usize>(interval: &Interval<N>, low: &Exact, high: &Exact, width: &Exact) {
    let [lo, hi] = ends(interval);
    assert!(lo <= *low && (interval.hi().is_none() || *high <= hi), "{interval:?} {low:?} {high:?}");
    assert!(Exact::new(interval.width.into(), 0) <= *width, "{interval:?} {width:?}");
}

impl Words {
    fn interval<const N: usize>(&mut self) -> Interval<N> {
        let mut lo = self.limbs::<N>();
        // Most integers are small.
        if self.below(4) > 0 {
            lo[N - 1] = self.below(3);
        }
        let width = match self.below(8) {
            0 => 0,
            1 => u64::MAX - self.below(3),
            _ => self.word(),
        };
        Interval { lo, width }
    }
}

fn check_intervals<const N: usize>(words: &mut Words) {
    let number = |n: u64| Exact::new(n.into(), 0);
    let whole = Exact::new(1, 64);
    assert_eq!(ends(&Interval::<N>::ZERO), [0, 0].map(number));
    assert_eq!(ends(&Interval::<N>::ONE), [1, 1].map(number));
    assert_eq!(ends(&Interval::<N>::HALF), [1, 1].map(|n| number(n).scaled(-1)));
    for _ in 0..ROUNDS {
        let (x, y) = (words.interval::<N>(), words.interval::<N>());
        let ([a, b], [c, d]) = (ends(&x), ends(&y));
        let width = x.width.saturating_add(y.width);
        if b.plus(&d) < whole {
            check(&x.add(&y), &a.plus(&c), &b.plus(&d), &number(width));
            assert_eq!(x.add(&y).width, width);
        }
        let difference = x.sub(&y);
        if y.hi().is_none() {
            assert_eq!((difference.lo, difference.width), ([0; N], u64::MAX));
        } else {
            let [low, high] = ends(&difference);
            assert!(low.plus(&d) == a || low.is_zero() && a <= d, "{x:?} {y:?}");
            assert!(difference.width == width && (width == u64::MAX || high.plus(&c) >= b), "{x:?} {y:?}");
        }
        // Known to a little more than the error of each times the other, and rounding.
        let product = x.mul(&y);
        if x.width == u64::MAX || y.width == u64::MAX || a.times(&c) >= whole {
            assert_eq!(product.hi(), None);
        } else {
            let [u, v] = [x.width, y.width].map(number);
            check(&product, &a.times(&c), &b.times(&d), &a.times(&v).plus(&c.times(&u)).plus(&number(6)));
        }
        check_with_integers(&x, words.word().max(1));
        check_inverses(&x);
    }
}

/// Products and quotients with an integer.
fn check_with_integers<const N: usize>(x: &Interval<N>, n: u64) {
    let number = |n: u64| Exact::new(n.into(), 0);
    let ([a, b], whole, is_known) = (ends(x), Exact::new(1, 64), x.width != u64::MAX);
    let check_quotient = |quotient: Interval<N>, divisor: Exact, width: u64| {
        let [low, high] = ends(&quotient);
        assert!(low.times(&divisor) <= a && a < low.plus(&ulps::<N>(1)).times(&divisor), "{x:?} {divisor:?}");
        assert!(
            !is_known
                || (quotient.width == u64::MAX || high.times(&divisor) >= b)
                    && quotient.width <= width.saturating_add(2),
            "{x:?} {divisor:?}"
        );
        assert!(is_known || quotient.hi().is_none());
    };
    let check_multiple = |multiple: Interval<N>, factor: Exact| {
        if !is_known || a.times(&factor) >= whole {
            assert_eq!(multiple.hi(), None);
            return;
        }
        let [low, high] = ends(&multiple);
        assert_eq!(low, a.times(&factor));
        assert!(if multiple.width == u64::MAX { high <= b.times(&factor) } else { high == b.times(&factor) }, "{x:?}");
    };
    for divisor in [1, 2, 3, u64::MAX, n] {
        check_quotient(x.div_small(divisor), number(divisor), x.width / divisor);
        check_multiple(x.times(divisor), number(divisor));
    }
    for shift in [0, 1, 63, 64, 65, n as u32 % 600] {
        check_quotient(x.shr(shift), Exact::new(1, shift as i32), x.width.checked_shr(shift).unwrap_or(0));
    }
    for shift in [0, 1, 62, 63, 64, 126, 127, n as u32 % 300] {
        check_multiple(x.shl(shift), Exact::new(1, shift as i32));
    }
    let [low, high] = ends(&x.widen(n));
    assert!(low.plus(&ulps::<N>(n.into())) == a || low.is_zero() && a <= ulps::<N>(n.into()));
    let width = x.width.saturating_add(n).saturating_add(n);
    assert!(x.widen(n).width == width && (width == u64::MAX || high >= b.plus(&ulps::<N>(n.into()))));
}

/// Reciprocals and square roots, where they are.
fn check_inverses<const N: usize>(x: &Interval<N>) {
    let [a, b] = ends(x);
    let one = Exact::new(1, 0);
    if a >= one && a < Exact::new(1, 63) {
        let inverse = x.reciprocal();
        let [low, high] = ends(&inverse);
        assert!(low.times(&b) <= one && (inverse.width == u64::MAX || high.times(&a) >= one), "{x:?}");
        assert!(inverse.width <= x.width.saturating_add(1) && (x.width != u64::MAX || inverse.hi().is_none()));
    } else if a < one && x.lo[N - 2] != 0 {
        let root = x.sqrt();
        let [low, high] = ends(&root);
        let above = low.plus(&ulps::<N>(1));
        assert!(low.times(&low) <= a && a < above.times(&above), "{x:?}");
        assert!(root.width == u64::MAX || high.times(&high) >= b, "{x:?}");
        // The error is below w/sqrt(x), twice what it must be, and an ulp.
        let [error, width] = [root.width - 1, x.width].map(|n| Exact::new(n.into(), 0));
        assert!(error.times(&error).times(&a) <= width.times(&width), "{x:?} {root:?}");
        assert!(x.width != u64::MAX || root.hi().is_none());
    }
}

#[test]
fn intervals_hold_what_they_must_and_little_more() {
    for_limbs!(check_intervals, 3 5);
}

/// The smallest of numbers with the largest of errors: each ulp of a product's width is needed.
#[test]
fn a_product_needs_its_whole_width() {
    for low in [0, 1, u64::MAX] {
        for width in [1, u64::MAX - 1] {
            let x = Interval::<3> { lo: [low, 0, 0], width };
            let [a, b] = ends(&x);
            check(&x.mul(&x), &a.times(&a), &b.times(&b), &Exact::new(8, 0));
        }
    }
}
