//! Any q: Klein's algorithm over the basis s_1, …, s_k of \[MP12\], section 4.2.
//!
//! With coordinates 0 to k - 1, s_i = b·e_(i-1) - e_i for i < k, and s_k has the digits of q. Let P_i = 1 + b² + … + b^(2i). The
//! Gram–Schmidt vectors, from s_1 on, have closed forms:
//!
//! ```text
//! s̃_i = b^i/P_(i-1)·(1, b, …, b^(i-1), 0, …) - e_i      ‖s̃_i‖² = P_i/P_(i-1)       i < k
//! s̃_k = q/P_(k-1)·(1, b, …, b^(k-1))                    ‖s̃_k‖² = q²/P_(k-1)
//! ```

use super::root::root;
use super::theta::Factor;
use super::wipe::wipe;
use num_bigint::BigUint;
use samplez_core::bits::BitSource;
use samplez_core::samplers::{StripRounder, StripWidth};
use samplez_core::{FixedPoint, ParamError, Rational};

/// Klein's algorithm, with centres rounded down to multiples of 2^-64.
#[derive(Clone)]
pub(super) struct General {
    base: i64,
    q: u64,
    /// The digits of q.
    modulus: Vec<i64>,
    sigma: Rational,
    /// P_0, …, P_(k-1).
    sums: Vec<i128>,
    /// For s_k.
    last: (StripRounder, StripWidth),
    /// For s_1, …, s_(k-1).
    others: StripRounder,
    widths: Vec<StripWidth>,
}

/// num/den, rounded down to a multiple of 2^-64, for 0 < den < 2^63.
fn fixed(num: i128, den: i128) -> FixedPoint {
    let (floor, rest) = (num.div_euclid(den), num.rem_euclid(den));
    // |num/den| is far below 2^62.
    let center = FixedPoint::from_parts(floor as i64, ((rest << 64) / den) as u64);
    center.unwrap_or(FixedPoint::from_parts(0, 0).expect("0 is a centre"))
}

/// The digits of a number in this base.
pub(super) fn digits(mut u: u64, base: u64, count: usize) -> impl Iterator<Item = i64> {
    (0..count).map(move |_| {
        let digit = u % base;
        u /= base;
        digit as i64
    })
}

impl General {
    /// For b >= 2, b^(k-1) < q < b^k, q < 2^31, k >= 2 and σ from b + 1/2b to 2^25.
    pub(super) fn new(base: u64, count: usize, q: u64, sigma: Rational) -> Result<Option<Self>, ParamError> {
        let square = i128::from(base) * i128::from(base);
        let sums: Vec<i128> = (0..count)
            .scan(0, |sum, _| {
                *sum = *sum * square + 1;
                Some(*sum)
            })
            .collect();
        let (num, den) = (BigUint::from(sigma.num().unsigned_abs()).pow(2), BigUint::from(sigma.den()).pow(2));
        let big = |x: i128| BigUint::from(x as u128);
        let Some(wide) = root(&(&num * big(sums[count - 1])), &(&den * BigUint::from(q).pow(2))) else {
            return Ok(None);
        };
        let sigmas: Option<Vec<Rational>> =
            (1..count).map(|i| root(&(&num * big(sums[i - 1])), &(&den * big(sums[i])))).collect();
        let Some(sigmas) = sigmas else {
            return Ok(None);
        };
        let last = StripRounder::of_sigma(wide)?;
        let (least, most) = sigmas.iter().fold((sigmas[0], sigmas[0]), |(a, b), s| (a.min(*s), b.max(*s)));
        let others = StripRounder::new(least, most)?;
        let widths = sigmas.into_iter().map(|sigma| others.width(sigma)).collect::<Result<_, _>>()?;
        Ok(Some(General {
            base: base as i64,
            q,
            modulus: digits(q, base, count).collect(),
            sigma,
            sums,
            last: (last, last.width(wide)?),
            others,
            widths,
        }))
    }

    /// The centre of s_k's coefficient.
    fn first_center(&self, coset: u64) -> FixedPoint {
        fixed(-i128::from(coset), self.q.into())
    }

    /// The centre of s_i's coefficient for these coordinates, as a fraction over P_i.
    fn center(&self, i: usize, y: &[i64]) -> i128 {
        let (mut power, mut inner) = (1_i128, 0);
        for y in &y[..i] {
            inner += power * i128::from(*y);
            power *= i128::from(self.base);
        }
        self.sums[i - 1] * i128::from(y[i]) - power * inner
    }

    /// One sample of Klein's algorithm for each coset, k integers each.
    pub(super) fn sample<B: BitSource + ?Sized>(&self, cosets: &[u64], bits: &mut B, out: &mut [i64]) {
        let k = self.modulus.len();
        let mut values = vec![0; cosets.len()];
        let (rounder, width) = &self.last;
        let mut calls: Vec<_> = cosets.iter().map(|u| (self.first_center(*u), *width)).collect();
        rounder.round_batch(&calls, bits, &mut values);
        for ((y, u), z) in out.chunks_exact_mut(k).zip(cosets).zip(&values) {
            for ((y, digit), q) in y.iter_mut().zip(digits(*u, self.base as u64, k)).zip(&self.modulus) {
                *y = digit + z * q;
            }
        }
        for i in (1..k).rev() {
            calls.clear();
            calls.extend(out.chunks_exact(k).map(|y| (fixed(self.center(i, y), self.sums[i]), self.widths[i - 1])));
            self.others.round_batch(&calls, bits, &mut values);
            for (y, z) in out.chunks_exact_mut(k).zip(&values) {
                y[i - 1] += self.base * z;
                y[i] -= z;
            }
        }
        wipe(&mut values);
        calls.fill((self.first_center(0), *width));
        zeroize::optimization_barrier(&calls);
    }

    /// The factors of a sample's acceptance. That of s_k is the same for all samples of a coset.
    pub(super) fn factors(&self, coset: u64, sample: &[i64]) -> Vec<Factor> {
        let k = self.modulus.len();
        // q·z_k = ⟨g, x⟩ - u.
        let value = sample.iter().rev().fold(0_i128, |value, x| value * i128::from(self.base) + i128::from(*x));
        let z = ((value - i128::from(coset)) / i128::from(self.q)) as i64;
        let mut y: Vec<i64> =
            digits(coset, self.base as u64, k).zip(&self.modulus).map(|(digit, q)| digit + z * q).collect();
        let (num, den) =
            (BigUint::from(self.sigma.num().unsigned_abs()).pow(2), BigUint::from(self.sigma.den()).pow(2));
        (1..k)
            .rev()
            .map(|i| {
                let big = |x: i128| BigUint::from(x as u128);
                let factor = Factor {
                    center: (self.center(i, &y), self.sums[i] as u128),
                    square: (&num * big(self.sums[i - 1]), &den * big(self.sums[i])),
                };
                let z = y[i] - sample[i];
                y[i - 1] += self.base * z;
                y[i] -= z;
                factor
            })
            .collect()
    }

    /// The standard deviations of the coefficients, the least first.
    pub(super) fn sigmas(&self) -> Vec<f64> {
        let sigma = self.sigma.to_f64();
        let sum = |i: usize| self.sums[i] as f64;
        let k = self.modulus.len();
        let mut all: Vec<f64> = (1..k).map(|i| sigma * (sum(i - 1) / sum(i)).sqrt()).collect();
        all.push(sigma * sum(k - 1).sqrt() / self.q as f64);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centres_are_those_of_gram_schmidt() {
        let general = General::new(3, 4, 50, "12".parse().unwrap()).unwrap().unwrap();
        let basis = [[3.0, -1.0, 0.0, 0.0], [0.0, 3.0, -1.0, 0.0], [0.0, 0.0, 3.0, -1.0], [2.0, 1.0, 2.0, 1.0]];
        let dot = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut tilde: Vec<[f64; 4]> = vec![];
        for s in basis {
            let mut t = s;
            for u in &tilde {
                let share = dot(&s, u) / dot(u, u);
                t.iter_mut().zip(u).for_each(|(t, u)| *t -= share * u);
            }
            tilde.push(t);
        }
        let sigmas = general.sigmas();
        for (t, sigma) in tilde.iter().zip(&sigmas) {
            assert!((12.0 / dot(t, t).sqrt() - sigma).abs() < 1e-12);
        }
        let y = [5_i64, -7, 11, 2];
        let real = y.map(|y| y as f64);
        for i in 1..4 {
            let want = -dot(&real, &tilde[i - 1]) / dot(&tilde[i - 1], &tilde[i - 1]);
            let found = general.center(i, &y) as f64 / general.sums[i] as f64;
            assert!((found - want).abs() < 1e-12, "{i} {found} {want}");
        }
        // ⟨y, s̃_k⟩ is a multiple of ⟨g, y⟩.
        let u = 5.0 - 21.0 + 99.0 + 54.0;
        assert!((-dot(&real, &tilde[3]) / dot(&tilde[3], &tilde[3]) + u / 50.0).abs() < 1e-12);
    }
}
