//! Exact convolution of non-negative integers, for the accounting of `samplez.dp`.
//!
//! A number-theoretic transform convolves the integers modulo primes p just below 2^62, of which as many are used as have a product
//! above every coefficient. The coefficients follow from their residues by mixed radix digits. Nothing is rounded.
//!
//! p = c·2^32 + 1 with c < 2^32 is prime if a^((p - 1)/2) = -1 modulo p for some a (Proth). Then a^c is a root of unity of order 2^32.

use crate::masses::{Masses, shifted};
use std::sync::{Mutex, PoisonError};

/// log2 of the order of the roots.
const ORDER: u32 = 32;
/// The longest result. Shorter transforms exist for it.
pub(crate) const TERMS: usize = 1 << 30;
/// The most primes. Their c are above 2^30 - 2^14, so the product of k of them is above 2^(62k - 1).
pub(crate) const PRIMES: usize = 128;

static FOUND: Mutex<Vec<Prime>> = Mutex::new(Vec::new());

/// A prime between 2^61 and 2^62.
#[derive(Clone, Copy)]
struct Prime {
    p: u64,
    /// ⌊2^125/p⌋, below 2^64.
    inverse: u64,
    /// A root of unity of order 2^32.
    root: u64,
}

/// A number below p by which others are multiplied, and ⌊value·2^64/p⌋.
#[derive(Clone, Copy)]
struct Factor {
    value: u64,
    quotient: u64,
}

impl Prime {
    /// The prime of this c, if one of a few a shows that it is one.
    fn of(c: u64) -> Option<Prime> {
        let p = (c << ORDER) + 1;
        let prime = Prime { p, inverse: ((1 << 125) / u128::from(p)) as u64, root: 0 };
        let root = [3, 5, 7, 11].into_iter().find(|a| prime.power(*a, (p - 1) / 2) == p - 1)?;
        Some(Prime { root: prime.power(root, c), ..prime })
    }

    /// The first primes, from 2^62 down.
    fn first(count: usize) -> Vec<Prime> {
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        let mut c = found.last().map_or(1 << (62 - ORDER), |prime| (prime.p - 1) >> ORDER);
        while found.len() < count {
            c -= 1;
            found.extend(Prime::of(c));
        }
        found[..count].to_vec()
    }

    /// x·y modulo p, for x and y up to p. The quotient is at most 3 too small.
    fn mul(self, x: u64, y: u64) -> u64 {
        let product = u128::from(x) * u128::from(y);
        let quotient = (((product >> 61) * u128::from(self.inverse)) >> 64) as u64;
        self.reduced((product as u64).wrapping_sub(quotient.wrapping_mul(self.p)))
    }

    /// x² modulo p, for x < 4p.
    fn square(self, x: u64) -> u64 {
        let x = self.reduced(x);
        self.mul(x, x)
    }

    /// x modulo p, for x < 4p.
    fn reduced(self, x: u64) -> u64 {
        let x = self.halved(x);
        if x >= self.p { x - self.p } else { x }
    }

    /// x modulo 2p, for x < 4p.
    fn halved(self, x: u64) -> u64 {
        if x >= 2 * self.p { x - 2 * self.p } else { x }
    }

    /// A number below 2p that is x·factor modulo p, for any x.
    #[inline(always)]
    fn scaled(self, x: u64, factor: Factor) -> u64 {
        let quotient = ((u128::from(x) * u128::from(factor.quotient)) >> 64) as u64;
        x.wrapping_mul(factor.value).wrapping_sub(quotient.wrapping_mul(self.p))
    }

    fn factor(self, value: u64) -> Factor {
        // At most 3 too small. The rest of value·2^64 is below 4p.
        let mut quotient = ((u128::from(value) * u128::from(self.inverse)) >> 61) as u64;
        let mut rest = 0_u64.wrapping_sub(quotient.wrapping_mul(self.p));
        while rest >= self.p {
            (quotient, rest) = (quotient + 1, rest - self.p);
        }
        Factor { value, quotient }
    }

    fn power(self, base: u64, mut exponent: u64) -> u64 {
        let (mut square, mut result) = (base, 1);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.mul(result, square);
            }
            square = self.mul(square, square);
            exponent >>= 1;
        }
        result
    }

    fn inverse_of(self, x: u64) -> Factor {
        self.factor(self.power(x % self.p, self.p - 2))
    }

    /// r(0), …, r(size - 1): r(i) is e^(2πi·e(i)), where bit k of i adds 2^-(k + 2) to e(i). So r(2i)² = r(i), r(2i + 1)² = -r(i), and
    /// r(i)·r(3·2^l - 1 - i) = -1 for 2^l <= i < 2^(l + 1).
    fn roots(self, size: usize, roots: &mut Vec<Factor>) {
        roots.clear();
        roots.push(self.factor(1));
        let mut order = 2;
        while roots.len() < size {
            let step = self.factor(self.power(self.root, 1 << (ORDER - order)));
            for i in 0..roots.len() {
                let value = self.reduced(self.scaled(roots[i].value, step));
                roots.push(self.factor(value));
            }
            order += 1;
        }
    }

    /// The residues modulo x - s, for all roots s of x^size = r(first)², of a polynomial. Numbers are below 4p, before and after.
    fn forward(self, values: &mut [u64], roots: &[Factor], mut first: usize) {
        let mut half = values.len() / 2;
        while half > 0 {
            for (block, root) in values.chunks_exact_mut(2 * half).zip(&roots[first..]) {
                let (low, high) = block.split_at_mut(half);
                for (x, y) in low.iter_mut().zip(high) {
                    let (sum, product) = (self.halved(*x), self.scaled(*y, *root));
                    (*x, *y) = (sum + product, sum + 2 * self.p - product);
                }
            }
            (half, first) = (half / 2, 2 * first);
        }
    }

    /// The inverse of `forward`, times the length. Numbers are below 2p, before and after.
    fn backward(self, values: &mut [u64], roots: &[Factor], mut first: usize) {
        let mut half = 1;
        first *= values.len() / 2;
        while half < values.len() {
            for (i, block) in (first..).zip(values.chunks_exact_mut(2 * half)) {
                let (low, high) = block.split_at_mut(half);
                // 1/r(i) is -r(mirror), except for r(0) = 1.
                let (root, sign) = if i == 0 { (roots[0], 1) } else { (roots[(3 << i.ilog2()) - 1 - i], 0) };
                for (x, y) in low.iter_mut().zip(high) {
                    let difference = if sign > 0 { *x + 2 * self.p - *y } else { *y + 2 * self.p - *x };
                    (*x, *y) = (self.halved(*x + *y), self.scaled(difference, root));
                }
            }
            (half, first) = (2 * half, first / 2);
        }
    }
}

/// How long a transform is: `whole` places for the polynomial modulo x^whole - 1, and, if `more`, half as many for it modulo
/// x^(whole/2) - i, where i² is -1. Together these are modulo a polynomial of degree 3·whole/2.
#[derive(Clone, Copy)]
struct Shape {
    whole: usize,
    more: bool,
}

impl Shape {
    fn of(terms: usize) -> Shape {
        let whole = terms.next_power_of_two();
        if whole >= 4 && terms <= whole / 4 * 3 {
            Shape { whole: whole / 2, more: true }
        } else {
            Shape { whole, more: false }
        }
    }

    fn size(self) -> usize {
        self.whole + if self.more { self.whole / 2 } else { 0 }
    }

    /// The transform of the integers modulo p, into `size` values.
    fn transform(self, prime: Prime, roots: &[Factor], integers: &Masses, values: &mut [u64]) {
        let (p, half) = (prime.p, self.whole / 2);
        let (word, one) = (prime.factor(prime.power(2, 64)), prime.factor(1));
        for (value, integer) in values.iter_mut().zip(integers.iter()) {
            let highest = integer.iter().rev();
            *value = highest.fold(0, |value, limb| prime.halved(prime.scaled(value, word) + prime.scaled(*limb, one)));
        }
        values[integers.len()..].fill(0);
        let (whole, rest) = values.split_at_mut(self.whole);
        if self.more {
            let (low, high) = whole.split_at_mut(half);
            for ((x, y), z) in low.iter_mut().zip(high).zip(rest.iter_mut()) {
                let turned = prime.scaled(*y, roots[1]);
                (*x, *z) = (prime.halved(*x + *z), prime.halved(prime.halved(*x + 2 * p - *z) + turned));
            }
            prime.forward(rest, roots, 2);
        }
        prime.forward(whole, roots, 0);
    }

    /// The coefficients modulo p, from the residues.
    fn invert(self, prime: Prime, roots: &[Factor], values: &mut [u64]) {
        let (p, half) = (prime.p, self.whole / 2);
        let scale = prime.inverse_of(self.whole as u64);
        let (whole, rest) = values.split_at_mut(self.whole);
        prime.backward(whole, roots, 0);
        for x in whole.iter_mut() {
            *x = prime.reduced(prime.scaled(*x, scale));
        }
        if self.more {
            prime.backward(rest, roots, 2);
            // With u the polynomial modulo x^whole - 1, it is u + (x^whole - 1)·h, and u - 2h modulo x^(whole/2) - i.
            let (scale, two) = (prime.inverse_of(half as u64), prime.inverse_of(2));
            let (low, high) = whole.split_at_mut(half);
            for ((x, y), z) in low.iter_mut().zip(high).zip(rest) {
                let both = prime.halved(*x + prime.scaled(*y, roots[1]));
                let difference = prime.reduced(both + 2 * p - prime.scaled(*z, scale));
                *z = prime.reduced(prime.scaled(difference, two));
                *x = prime.reduced(*x + p - *z);
            }
        }
    }
}

/// The convolution of two lists that are not empty, divided by 2^shift and rounded; of at most `TERMS` terms and `PRIMES` primes.
pub(crate) fn convolved(a: &Masses, b: &Masses, shift: usize, up: bool) -> Masses {
    let (terms, same) = (a.len() + b.len() - 1, std::ptr::eq(a, b));
    let bits = a.bits() + b.bits() + a.len().min(b.len()).ilog2() as usize + 1;
    let (primes, shape) = (Prime::first(primes_for(bits)), Shape::of(terms));
    let size = shape.size();
    let mut residues = vec![0; primes.len() * size];
    let (mut others, mut roots) = (vec![0; if same { 0 } else { size }], Vec::new());
    for (prime, values) in primes.iter().zip(residues.chunks_exact_mut(size)) {
        prime.roots(if shape.more { shape.whole } else { shape.whole / 2 }, &mut roots);
        shape.transform(*prime, &roots, a, values);
        if same {
            values.iter_mut().for_each(|x| *x = prime.square(*x));
        } else {
            shape.transform(*prime, &roots, b, &mut others);
            values.iter_mut().zip(&others).for_each(|(x, y)| *x = prime.mul(prime.reduced(*x), prime.reduced(*y)));
        }
        shape.invert(*prime, &roots, values);
    }
    let residue = |prime: usize, term: usize| residues[prime * size + term];
    let mut result = Masses::zeros(bits.saturating_sub(shift) / 64 + 1, terms);
    joined(&primes, residue, result.iter_mut(), |integer, place| shifted(integer, shift, up, place));
    result.narrowed()
}

/// How many primes a coefficient below 2^bits needs.
pub(crate) fn primes_for(bits: usize) -> usize {
    (bits + 1).div_ceil(62).max(1)
}

/// Writes the integers below the product of the primes that have these residues.
fn joined<T>(
    primes: &[Prime],
    residue: impl Fn(usize, usize) -> u64,
    places: impl Iterator<Item = T>,
    write: impl Fn(&[u64], T),
) {
    let inverses: Vec<Vec<Factor>> =
        (0..primes.len()).map(|i| primes[..i].iter().map(|other| primes[i].inverse_of(other.p)).collect()).collect();
    let (mut digits, mut integer) = (vec![0; primes.len()], vec![0; primes.len()]);
    for (term, place) in places.enumerate() {
        // The integer is digits[0] + p[0]·(digits[1] + p[1]·(…)).
        for (i, prime) in primes.iter().enumerate() {
            let mut x = residue(i, term);
            for (digit, inverse) in digits[..i].iter().zip(&inverses[i]) {
                x = prime.scaled(x + 2 * prime.p - *digit, *inverse);
            }
            digits[i] = prime.reduced(x);
        }
        integer.fill(0);
        for (used, (digit, prime)) in digits.iter().zip(primes).rev().enumerate() {
            let mut carry = *digit;
            for limb in &mut integer[..=used] {
                let value = u128::from(*limb) * u128::from(prime.p) + u128::from(carry);
                (*limb, carry) = (value as u64, (value >> 64) as u64);
            }
        }
        write(&integer, place);
    }
}
