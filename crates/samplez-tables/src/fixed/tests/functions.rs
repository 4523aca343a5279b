//! The exponential function and the logarithm beside the exponential series in natural numbers.

use super::*;

/// The series of e^-x up to its n-th term: n! e^-x is the even terms' sum less the odd ones', within the rest.
struct Series {
    sums: [Exact; 2],
    rest: Exact,
    factorial: Exact,
}

impl Series {
    /// As many terms as leave a rest below n! 2^place.
    fn new(x: &Exact, place: i32) -> Self {
        // Of a larger number, or for a smaller rest, it is long.
        assert!((x.is_zero() || x.place() < 3) && place > -500, "{x:?} {place}");
        let (mut powers, mut factorial, mut n) = (vec![Exact::new(1, 0)], Exact::new(1, 0), 0_u64);
        let mut rest = x.clone();
        while !rest.is_zero() && rest.place() + 2 >= factorial.place() + place {
            powers.push(rest.clone());
            rest = rest.times(x);
            n += 1;
            factorial = factorial.times(&Exact::new(n.into(), 0));
        }
        let mut sums = [Exact::new(0, 0), Exact::new(0, 0)];
        // n!/i!
        let mut factor = Exact::new(1, 0);
        for (i, power) in powers.iter().enumerate().rev() {
            sums[i % 2] = sums[i % 2].plus(&power.times(&factor));
            factor = factor.times(&Exact::new((i as u128).max(1), 0));
        }
        Series { sums, rest, factorial }
    }

    /// The series of a product with e^-x.
    fn times(&self, factor: &Exact) -> Self {
        let sums = self.sums.each_ref().map(|sum| sum.times(factor));
        Series { sums, rest: self.rest.times(factor), factorial: self.factorial.clone() }
    }

    /// May it be y or more; y or less?
    fn may_be_beyond(&self, y: &Exact) -> [bool; 2] {
        let [even, odd] = &self.sums;
        let other = y.times(&self.factorial).plus(odd);
        [other <= even.plus(&self.rest), other.plus(&self.rest) >= *even]
    }
}

fn check_exp<const N: usize>(words: &mut Words) {
    let ln2 = Constant::LN_2.to::<N>();
    for round in 0..ROUNDS / 6 + 1 {
        // On both sides of multiples of ln 2, small ones, and any below 4.
        let mut lo = match round % 4 {
            0 => sub(&ln2.times(words.below(6) + 1).lo, &ulps_of(words.below(3))).unwrap(),
            1 => add(&ln2.times(words.below(6)).lo, &ulps_of(words.below(8))),
            2 => shr(&words.limbs::<N>(), words.below(64 * N as u64 - 1) as u32),
            _ => words.limbs::<N>(),
        };
        lo[N - 1] &= 3;
        let x = Interval { lo, width: if round % 3 == 0 { 0 } else { words.word() >> 10 } };
        let value = exp_neg(&x);
        let [low, high] = ends(&value.value).map(|end| end.scaled(-value.shift));
        // A millionth of an ulp.
        let place = ulp::<N>() - 20 - value.shift;
        let [a, b] = ends(&x);
        assert!(Series::new(&b, place).may_be_beyond(&low)[0], "{x:?} {value:?}");
        assert!(Series::new(&a, place).may_be_beyond(&high)[1], "{x:?} {value:?}");
        // As the function's documentation has it.
        let error = (1 << (2 * N + 9)) + value.shift as u64 + 1;
        assert!(value.value.width <= x.width + error, "{x:?} {value:?}");
    }
}

fn ulps_of<const N: usize>(n: u64) -> [u64; N] {
    add_ulps(&[0; N], n).0
}

#[test]
fn exponentials_hold_the_series() {
    for_limbs!(check_exp, 3 5);
}

/// Just below k ln 2 the nearest double may say k: then it is one too many.
#[test]
fn arguments_around_multiples_of_ln_2() {
    for i in 1..if cfg!(miri) { 3 } else { 500 } {
        let k = if i % 2 == 0 { i } else { 3000 * i };
        let multiple = Constant::LN_2.to::<3>().times(k).lo;
        let below = exp_neg(&Interval { lo: sub(&multiple, &[1, 0, 0]).unwrap(), width: 0 });
        let value = nearest(&below.value.lo);
        assert!(below.shift == k as i32 - 1 && (value - 0.5).abs() < 1e-15, "{k} {below:?}");
        let at = exp_neg(&Interval { lo: multiple, width: 0 });
        let (value, less) = (nearest(&at.value.lo), k as i32 - at.shift);
        assert!((0..=1).contains(&less) && (value * f64::from(1 << less) - 1.0).abs() < 1e-15, "{k} {at:?}");
    }
}

fn check_ln<const N: usize>(words: &mut Words) {
    for round in 0..ROUNDS / 6 + 1 {
        let mut lo = words.limbs::<N>();
        lo[N - 1] = if round % 2 == 0 { 1 } else { words.below(40) + 1 };
        let x = Interval { lo, width: if round % 3 == 0 { 0 } else { words.word() >> 10 } };
        let y = ln(&x);
        let ([a, b], [low, high]) = (ends(&x), ends(&y));
        // x e^-y is 1 or more at the lower end, 1 or less at the upper one.
        let one = Exact::new(1, 0);
        let place = ulp::<N>() - 20 - 6;
        let times = |x: &Exact, y: &Exact| Series::new(y, place).times(x).may_be_beyond(&one);
        assert!(times(&a, &low)[0] && times(&b, &high)[1], "{x:?} {y:?}");
        // The exponential's error, by x.
        let error = (x.lo[N - 1] + 1) << (2 * N + 10);
        assert!(y.width <= 2 * x.width + error, "{x:?} {y:?}");
    }
}

#[test]
fn logarithms_hold_the_series_inverse() {
    for_limbs!(check_ln, 3 5);
}

fn check_ln_1p<const N: usize>(words: &mut Words) {
    for round in 0..ROUNDS / 6 + 1 {
        // Numbers below 2 of all sizes.
        let mut lo = words.limbs::<N>();
        lo[N - 1] = words.below(2);
        lo[N - 2] |= 1 << 63;
        let mut shift = [words.below(80), words.below(12)][round % 2] as i32;
        if round % 5 == 0 {
            // A little above an integer.
            (lo[N - 1], lo[N - 2], shift) = (words.below(2) + 1, lo[N - 2] >> 9, 0);
        }
        let width = if round % 2 == 0 { 0 } else { words.word() >> 10 };
        let q = Scaled { value: Interval { lo, width }, shift };
        let y = ln_1p(&q);
        let [a, b] = ends(&q.value).map(|end| end.scaled(-q.shift));
        let [low, high] = ends(&y.value).map(|end| end.scaled(-y.shift));
        let place = ulp::<N>() - 30 - q.shift;
        let one = Exact::new(1, 0);
        let times = |q: &Exact, y: &Exact| Series::new(y, place).times(&q.plus(&one)).may_be_beyond(&one);
        assert!(times(&a, &low)[0] && times(&b, &high)[1], "{q:?} {y:?}");
        // However small the number is, its relative error rises by little; from 2^-8 on by the exponential's.
        let error = if q.shift > 9 { 1 << 10 } else { 1 << (2 * N + 20) };
        assert!(y.value.width <= 3 * width + error, "{q:?} {y:?}");
    }
}

#[test]
fn logarithms_near_1_are_as_precise_as_their_arguments() {
    for_limbs!(check_ln_1p, 3 5);
}
