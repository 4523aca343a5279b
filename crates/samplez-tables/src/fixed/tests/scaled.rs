//! Scaled numbers, their roundings, and quotients of natural numbers.

use super::*;

/// The double nearest to a number, by the exact middles between doubles.
fn check_nearest(double: f64, x: &Exact) {
    let top = Exact::new(1, 1024);
    let exact = |double: f64| if double.is_finite() { Exact::of_double(double) } else { top.clone() };
    let middle = |a: f64, b: f64| exact(a).plus(&exact(b)).scaled(-1);
    let is_even = double.to_bits() & 1 == 0;
    if double.is_finite() {
        let order = x.cmp(&middle(double, double.next_up()));
        assert!(order.is_lt() || order.is_eq() && is_even, "{double:e} {x:?}");
    }
    if double > 0.0 {
        let order = x.cmp(&middle(double.next_down(), double));
        assert!(order.is_gt() || order.is_eq() && is_even, "{double:e} {x:?}");
    }
}

fn check_doubles<const N: usize>(words: &mut Words) {
    for round in 0..ROUNDS {
        let mut a = words.limbs::<N>();
        let shift = [words.below(2400) as i32 - 1100, words.below(200) as i32 + 1000][round % 2];
        // Often few digits: doubles and middles between two.
        if round % 3 == 0 {
            let kept = words.below(3) as u32 + 52;
            (a, _) = (shr(&a, 64 * N as u32), a);
            a[N - 1] = (words.random() >> 1 | 1 << 62) >> (63 - kept);
        }
        let x = Exact::of(&a).scaled(-shift);
        let double = rounded(&a, shift);
        check_nearest(double, &x);
        for other in [0.0, double.next_down().abs(), double, double.next_up()] {
            if other.is_finite() {
                assert_eq!(compare(&a, shift, other), x.cmp(&Exact::of_double(other)), "{a:?} {shift} {other:e}");
            }
        }
    }
}

#[test]
fn doubles_are_the_nearest() {
    for_limbs!(check_doubles, 3 5);
}

impl Words {
    /// A scaled number whose integer is below 2^20.
    fn scaled<const N: usize>(&mut self, shifts: u64) -> Scaled<N> {
        let mut value = self.interval::<N>();
        value.lo[N - 1] &= (1 << 20) - 1;
        if self.below(2) == 0 {
            value.width = 0;
        }
        Scaled { value, shift: self.below(shifts) as i32 - 100 }
    }
}

/// The ends of a scaled number, the upper one as if it were known.
fn scaled_ends<const N: usize>(x: &Scaled<N>) -> [Exact; 2] {
    ends(&x.value).map(|end| end.scaled(-x.shift))
}

/// It must hold what lies between these.
fn holds<const N: usize>(x: &Scaled<N>, low: &Exact, high: &Exact) {
    let [lo, hi] = scaled_ends(x);
    assert!(lo <= *low && (x.value.hi().is_none() || *high <= hi), "{x:?} {low:?} {high:?}");
}

/// An exact number.
fn is_exact<const N: usize>(x: &Scaled<N>) -> bool {
    x.value.width == 0
}

fn check_sums<const N: usize>(words: &mut Words) {
    for _ in 0..ROUNDS {
        let (x, y) = (words.scaled::<N>(300), words.scaled::<N>(300));
        let ([a, b], [c, d]) = (scaled_ends(&x), scaled_ends(&y));
        let sum = x.add(&y);
        holds(&sum, &a.plus(&c), &b.plus(&d));
        // What is shifted is known to 2 ulp, 0 is exact at each scale.
        let ulp = ulps::<N>(1).scaled(-sum.shift);
        let limit = b.plus(&d).plus(&ulp.times(&Exact::new(4, 0)));
        assert!(sum.value.hi().is_none() || scaled_ends(&sum)[1] <= limit, "{x:?} {y:?}");
        if a.is_zero() && is_exact(&x) {
            assert_eq!((sum.value, sum.shift), (y.value, y.shift));
        } else if !(c.is_zero() && is_exact(&y)) {
            assert_eq!(sum.shift, x.shift.min(y.shift));
        }
        let (zero, same) = (Scaled::ZERO, x.add(&Scaled::ZERO));
        assert_eq!((same.value, zero.add(&x).value), (x.value, x.value));
        assert!(x.value == Interval::ZERO || (same.shift, zero.add(&x).shift) == (x.shift, x.shift));
        if a >= c {
            let difference = x.sub(&y);
            let [low, high] = scaled_ends(&difference);
            let ulp = ulps::<N>(1).scaled(-difference.shift);
            let slack = ulp.times(&Exact::new(4, 0));
            assert!(low.plus(&d) <= a || low.is_zero(), "{x:?} {y:?}");
            assert!(difference.value.hi().is_none() || high.plus(&c) >= b, "{x:?} {y:?}");
            assert!(!is_exact(&x) || !is_exact(&y) || high.plus(&c) <= b.plus(&slack), "{x:?} {y:?}");
            assert!(!is_exact(&x) || !is_exact(&y) || low.plus(&d).plus(&slack) >= a, "{x:?} {y:?}");
        }
        // Whether one is as large as the other: what is shifted down loses an ulp, and up to 2 in its width.
        let slack = ulps::<N>(4).scaled(-x.shift.min(y.shift));
        assert!(!x.reaches(&y) || a >= d, "{x:?} {y:?}");
        assert!(x.reaches(&y) || y.value.hi().is_none() || a < d.plus(&slack), "{x:?} {y:?}");
        check_normal(&x);
        check_comparisons(&x);
    }
    for power in [-1, 0, 1, 63, 64, 1200] {
        assert_eq!(scaled_ends(&Scaled::<N>::below(power)), [Exact::new(0, 0), Exact::new(1, -power)]);
    }
}

fn check_normal<const N: usize>(x: &Scaled<N>) {
    let ([a, b], normal) = (scaled_ends(x), x.normal());
    holds(&normal, &a, &b);
    if a.is_zero() {
        assert_eq!((normal.value, normal.shift), (x.value, x.shift));
        return;
    }
    let (top, width) = (normal.value.lo[N - 1], normal.value.width);
    if x.value.lo[N - 1] > 1 {
        assert_eq!(top, 1, "{x:?}");
    } else {
        // The same number; its value from 1 to 2, or as near as the width leaves room.
        assert_eq!(scaled_ends(&normal), [a, b]);
        assert!(normal.shift >= x.shift && (normal.shift == x.shift || width < 1 << 56), "{x:?}");
        assert!(top == 1 || top == 0 && width >= 1 << 55, "{x:?} {normal:?}");
    }
}

fn check_comparisons<const N: usize>(x: &Scaled<N>) {
    let ([a, b], is_known) = (scaled_ends(x), x.value.hi().is_some());
    let (low, high) = (x.rounded_end(false).unwrap(), x.rounded_end(true));
    check_nearest(low, &a);
    high.iter().for_each(|high| check_nearest(*high, &b));
    assert_eq!(high.is_some(), is_known);
    assert_eq!(x.rounded(), if high == Some(low) { high } else { None });
    // Within the range of normal numbers the scale changes nothing.
    assert_eq!(Exact::of_double(x.to_f64()), Exact::of_double(nearest(&x.value.lo)).scaled(-x.shift));
    for double in [0.0, low, low.next_up(), low.next_down().abs(), high.unwrap_or(3.0), high.unwrap_or(3.0).next_up()] {
        let orders = [&a, &b].map(|end| end.cmp(&Exact::of_double(double)));
        let is_told = orders[0] == Ordering::Greater || is_known && orders[0] == orders[1];
        assert_eq!(x.compare(double), is_told.then_some(orders[0]), "{x:?} {double:e}");
    }
}

#[test]
fn sums_and_comparisons_are_exact_within_an_interval() {
    for_limbs!(check_sums, 3 5);
}

fn check_products<const N: usize>(words: &mut Words) {
    let one = Exact::new(1, 0);
    for round in 0..ROUNDS {
        let (x, y, n) = (words.scaled::<N>(900), words.scaled::<N>(900), words.word() >> 44);
        let ([a, b], [c, d]) = (scaled_ends(&x), scaled_ends(&y));
        let are_exact = is_exact(&x) && is_exact(&y);
        let product = x.product(&y);
        holds(&product, &a.times(&c), &b.times(&d));
        assert!(!are_exact || product.value.width <= 14, "{x:?} {y:?}");
        let [low, high] = ends(&y.value);
        let product = x.mul(&y.value);
        holds(&product, &a.times(&low), &b.times(&high));
        assert!(!are_exact || product.value.width <= 2 && product.shift == x.shift, "{x:?} {y:?}");
        let factor = Exact::new(n.into(), 0);
        let multiple = x.times(n);
        holds(&multiple, &a.times(&factor), &b.times(&factor));
        assert!(!is_exact(&x) || is_exact(&multiple) && multiple.shift == x.shift, "{x:?} {n}");
        // The quotient, by its product with the divisor.
        let quotient = x.over(&y);
        let [low, high] = scaled_ends(&quotient);
        assert!(low.times(&d) <= a, "{x:?} {y:?}");
        assert!(quotient.value.hi().is_none() || high.times(&c) >= b, "{x:?} {y:?}");
        assert!(!c.is_zero() || quotient.value.hi().is_none());
        assert!(c.is_zero() || !are_exact || quotient.value.width <= 14, "{x:?} {y:?} {quotient:?}");
        // The square root, by its square.
        let root = x.sqrt();
        let [low, high] = scaled_ends(&root);
        assert!(low.times(&low) <= a, "{x:?}");
        assert!(root.value.hi().is_none() || high.times(&high) >= b, "{x:?} {root:?}");
        assert!(!a.is_zero() || root.value.hi().is_none());
        assert!(a.is_zero() || !is_exact(&x) || root.value.width <= 4, "{x:?} {root:?}");
        // A power, by its factors one by one.
        let exponent = round as u32 % 12;
        let power = x.power(exponent);
        let powers = [&a, &b].map(|end| (0..exponent).fold(one.clone(), |power, _| power.times(end)));
        holds(&power, &powers[0], &powers[1]);
        assert!(!is_exact(&x) || power.value.width <= 1 << 17, "{x:?} {exponent} {power:?}");
    }
}

#[test]
fn products_quotients_and_roots_hold_what_they_must() {
    for_limbs!(check_products, 3 5);
}

fn check_naturals<const N: usize>(words: &mut Words) {
    for _ in 0..ROUNDS {
        let number = u128::from(words.word()) << 64 | u128::from(words.word());
        let factors = [(); 3].map(|()| if words.below(3) == 0 { 1 } else { words.word() });
        let divisors = [(); 4].map(|()| if words.below(3) == 0 { 1 } else { words.word().max(1) });
        let term = (words.word() as i128) << words.below(64);
        let times = |numbers: &[u64], first: Exact| {
            numbers.iter().fold(first, |product, n| product.times(&Exact::new((*n).into(), 0)))
        };
        let product = times(&factors, Exact::new(number, 0));
        let absolute = Exact::new(term.unsigned_abs(), 0);
        let is_negative = words.below(2) == 0 && absolute <= product;
        let term = if is_negative { -term } else { term };
        let natural = factors.iter().fold(Natural::new(number), |natural, n| natural.times(*n)).plus(term);
        let divisor = times(&divisors, Exact::new(1, 0));
        // ⌊(p + t)/d⌋, or with the term on the other side.
        let with_term = |side: Exact, is_here: bool| if is_here { side.plus(&absolute) } else { side };
        let dividend = with_term(product, !is_negative);
        let large = Exact::new(1, 20).times(&divisor);
        match natural.over::<N>(&divisors) {
            None => assert!(dividend >= with_term(large, is_negative), "{natural:?} {divisors:?}"),
            Some(quotient) => {
                let floor = Exact::of(&quotient.lo);
                let above = floor.plus(&ulps::<N>(1));
                assert!(floor < Exact::new(1, 20) && with_term(floor.times(&divisor), is_negative) <= dividend);
                assert!(dividend < with_term(above.times(&divisor), is_negative), "{natural:?} {divisors:?}");
                let is_zero = dividend == with_term(Exact::new(0, 0), is_negative);
                assert_eq!(quotient.width, u64::from(!is_zero), "{natural:?} {divisors:?}");
            }
        }
    }
}

#[test]
fn quotients_of_naturals_are_floors() {
    for_limbs!(check_naturals, 3 5);
}
