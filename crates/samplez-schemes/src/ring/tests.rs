//! The rings against schoolbook arithmetic.

use super::{Factor, Ring, Shifts};
use std::vec;
use std::vec::Vec;

/// A generator of words for tests, by Weyl and a mix.
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^ x >> 29
    }
    fn any(&mut self, n: usize) -> Vec<i16> {
        (0..n).map(|_| (self.next() >> 40) as i16).collect()
    }
}

fn centred(a: i64, q: i32) -> i16 {
    let rest = a.rem_euclid(q.into());
    (if rest > i64::from(q / 2) { rest - i64::from(q) } else { rest }) as i16
}

fn schoolbook(a: &[i16], b: &[i16], q: i32) -> Vec<i16> {
    let n = a.len();
    let mut sums = vec![0_i64; n];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            let product = i64::from(*a) * i64::from(*b);
            sums[(i + j) % n] += if i + j < n { product } else { -product };
        }
    }
    sums.into_iter().map(|sum| centred(sum, q)).collect()
}

#[test]
fn products_are_the_schoolbooks() {
    let mut words = Words(1);
    for ring in Ring::ALL {
        let extremes = [
            vec![i16::MIN; ring.degree()],
            vec![i16::MAX; ring.degree()],
            vec![(ring.modulus() / 2) as i16; ring.degree()],
        ];
        for round in 0..20 {
            let a = extremes.get(round).cloned().unwrap_or_else(|| words.any(ring.degree()));
            let b = words.any(ring.degree());
            let want = schoolbook(&a, &b, ring.modulus());
            assert_eq!(ring.product(&a, &b), want, "{ring:?}");
            let (mut slots, mut product) = (b.clone(), a.clone());
            ring.transform(&mut slots);
            Factor::new(ring, &slots).multiply(&mut product);
            assert_eq!(product, want, "{ring:?}");
        }
    }
}

#[test]
fn transforms_are_values_in_natural_order_and_come_back() {
    let mut words = Words(2);
    for (ring, root) in [(Ring::N256Q7681, 62_i64), (Ring::N256Q12289, 2401), (Ring::N512Q12289, 49)] {
        let (n, q) = (ring.degree(), i64::from(ring.modulus()));
        let a = words.any(n);
        let mut slots = a.clone();
        ring.transform(&mut slots);
        for (slot, k) in slots.iter().zip(ring.natural_order()) {
            let at = (0..2 * k + 1).fold(1, |x, _| x * root % q);
            let value = a.iter().rev().fold(0, |sum, c| (sum * at + i64::from(*c)) % q);
            assert_eq!(*slot, centred(value, q as i32));
        }
        ring.untransform(&mut slots);
        assert!(slots.iter().zip(&a).all(|(slot, a)| *slot == centred((*a).into(), q as i32)));
    }
}

#[test]
fn inverses_are_inverses_and_zero_is_found() {
    for ring in Ring::ALL {
        let n = ring.degree();
        // Every residue, n at a time.
        for from in (1..ring.modulus()).step_by(n) {
            let a: Vec<i16> = (from..).take(n).map(|c| if c < ring.modulus() { c as i16 } else { 1 }).collect();
            let mut inverse = a.clone();
            assert!(ring.invert(&mut inverse));
            ring.multiply(&mut inverse, &a);
            assert!(inverse.iter().all(|c| *c == 1), "{ring:?}, from {from}");
        }
        let mut zero = vec![3; n];
        zero[n - 1] = ring.modulus() as i16;
        assert!(!ring.invert(&mut zero));
    }
}

#[test]
fn shifts_are_products_with_powers() {
    let a = Words(3).any(512).iter().map(|c| c % 1000).collect::<Vec<_>>();
    let shifts = Shifts::new(&a);
    for i in [0, 1, 255, 511] {
        let mut power = vec![0; 512];
        power[i] = 1;
        let product = schoolbook(&a, &power, 12289);
        assert_eq!(shifts.shifted(i), product);
        let inner: i32 = product.iter().zip(&a).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum();
        assert_eq!(shifts.inner(i, &a), inner);
        let mut sum = a.clone();
        shifts.add_shifted(i, &mut sum);
        assert!(sum.iter().zip(&a).map(|(sum, a)| sum - a).eq(product));
    }
}
