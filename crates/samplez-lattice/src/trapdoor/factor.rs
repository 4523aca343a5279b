//! The factorisation of the perturbation's covariance, with a bound of its error.
//!
//! Proof: docs/proofs/trapdoor.md. Doubles find the factor. Integers measure it.

use super::parameters::ROW_SUM;
use crate::gadget::root::root;
use num_bigint::BigUint;
use samplez_core::Rational;
use zeroize::{Zeroize, Zeroizing};

/// Bits of fraction of K.
pub(super) const PLACES: u32 = 57;

/// The covariance (aI - eW)·s²/a, W = RRᵗ.
pub(super) struct Covariance<'a> {
    /// R, row by row, and the number of its rows.
    pub(super) r: &'a [i16],
    pub(super) rows: usize,
    /// (s² - r²)·c, r²·c, s²·c and c.
    pub(super) numbers: [i128; 4],
}

/// Regression coefficients and deviations.
pub(super) struct Factor {
    /// K below its diagonal, row by row, in units of 2^-[`PLACES`].
    pub(super) regression: Zeroizing<Vec<i64>>,
    /// Each σ_j.
    pub(super) sigmas: Vec<Rational>,
    /// Not less than the square of the Frobenius norm of the covariance's relative error.
    pub(super) error: f64,
}

/// Row j of a packed triangle without its diagonal.
pub(super) fn row<T>(triangle: &[T], j: usize) -> &[T] {
    &triangle[j * (j.max(1) - 1) / 2..][..j]
}

/// A square matrix of doubles, erased when it is dropped.
type Square = Zeroizing<Vec<f64>>;

/// L below the diagonal and D on it, of LDLᵗ; `None` unless every pivot is positive.
fn ldl(matrix: impl Fn(usize, usize) -> f64, n: usize) -> Option<Square> {
    let mut out = Zeroizing::new(vec![0.0; n * n]);
    let mut scaled = Zeroizing::new(vec![0.0; n]);
    for i in 0..n {
        for j in 0..i {
            let row = &out[j * n..][..j];
            let inner: f64 = row.iter().zip(scaled.iter()).map(|(l, g)| l * g).sum();
            scaled[j] = matrix(i, j) - inner;
        }
        let mut pivot = matrix(i, i);
        for j in 0..i {
            let l = scaled[j] / out[j * n + j];
            pivot -= l * scaled[j];
            out[i * n + j] = l;
        }
        // A NaN is no pivot either.
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        out[i * n + i] = pivot;
    }
    Some(out)
}

impl Covariance<'_> {
    /// W, all of it.
    fn gram(&self) -> Zeroizing<Vec<i64>> {
        let (n, columns) = (self.rows, self.r.len() / self.rows);
        let rows: Vec<&[i16]> = self.r.chunks_exact(columns).collect();
        let mut out = Zeroizing::new(vec![0; n * n]);
        for i in 0..n {
            for j in 0..=i {
                // Fewer than 2^16 products below 2^20.
                let dot: i64 = rows[i].iter().zip(rows[j]).map(|(a, b)| i64::from(i32::from(*a) * i32::from(*b))).sum();
                (out[i * n + j], out[j * n + i]) = (dot, dot);
            }
        }
        out
    }

    /// The factor; `None` if s² - r²(1 + σ_1(R)²) is not certainly at least s²/4, or the factor is not precise.
    pub(super) fn factor(&self) -> Option<Factor> {
        let n = self.rows;
        let [a, e, square, c] = self.numbers;
        let gram = self.gram();
        let entry = |i: usize, j: usize| -e * i128::from(gram[i * n + j]) + if i == j { a } else { 0 };
        // A float factorisation that succeeds shows that the matrix plus this much is positive.
        let trace: f64 = (0..n).map(|i| entry(i, i) as f64).sum();
        let slack = 4.0 * (n as f64 + 8.0) * f64::EPSILON * trace.max(0.0);
        let margin = square as f64 / 4.0 + slack;
        ldl(|i, j| entry(i, j) as f64 - if i == j { margin } else { 0.0 }, n)?;

        let factor = ldl(|i, j| entry(i, j) as f64, n)?;
        // X = L^-1, rounded; its diagonal is 1.
        let mut inverse = Zeroizing::new(vec![0.0; n * n]);
        for j in 0..n {
            let (above, own) = inverse.split_at_mut(j * n);
            own[j] = 1.0;
            for i in 0..j {
                let l = factor[j * n + i];
                own[..=i].iter_mut().zip(&above[i * n..]).for_each(|(x, y)| *x -= l * y);
            }
        }
        let unit = (PLACES as f64).exp2();
        let fixed = |x: f64| (x * unit).round() as i64;
        let mut rounded = Zeroizing::new(vec![0_i64; n * n]);
        for j in 0..n {
            for i in 0..=j {
                rounded[j * n + i] = fixed(inverse[j * n + i]);
            }
        }
        // One step of refinement, then the measurement.
        let residual = self.residual(&rounded, &entry)?;
        for j in 0..n {
            let mut step = Zeroizing::new(vec![0.0; j]);
            for i in 0..j {
                let share = residual.lower[j * n + i] / residual.pivots[i] as f64;
                step[..=i].iter_mut().zip(&inverse[i * n..]).for_each(|(s, x)| *s += share * x);
            }
            rounded[j * n..][..j].iter_mut().zip(step.iter()).for_each(|(x, s)| *x -= fixed(*s));
        }
        let residual = self.residual(&rounded, &entry)?;
        let mut error = 0.0;
        for j in 0..n {
            // σ_j is within 2^-60, and its pivot within 2^-59.
            error += (-114_f64).exp2();
            for i in 0..j {
                let share = residual.lower[j * n + i];
                error += 2.001 * share * share / (residual.pivots[i] as f64 * residual.pivots[j] as f64);
            }
        }
        let mut regression = Zeroizing::new(Vec::with_capacity(n * (n - 1) / 2));
        for j in 0..n {
            regression.extend(rounded[j * n..][..j].iter().map(|x| -x));
        }
        // σ_j² = pivot·s²/a.
        let big = |x: i128| BigUint::from(x.unsigned_abs());
        let sigma = |pivot: &i128| root(&(big(*pivot) * big(square)), &((big(a) * big(c)) << PLACES));
        let sigmas: Option<Vec<Rational>> = residual.pivots.iter().map(sigma).collect();
        Some(Factor { regression, sigmas: sigmas?, error })
    }

    /// XSXᵗ, for S = aI - eW and X in units of 2^-PLACES.
    fn residual(&self, x: &[i64], entry: &impl Fn(usize, usize) -> i128) -> Option<Residual> {
        let n = self.rows;
        let mut pivots = Zeroizing::new(Vec::with_capacity(n));
        let mut lower = Zeroizing::new(vec![0.0; n * n]);
        let scale = (-(PLACES as f64)).exp2();
        let mut product = Zeroizing::new(vec![0_i128; n]);
        for j in 0..n {
            let own = &x[j * n..][..=j];
            let size: u128 = own.iter().map(|x| u128::from(x.unsigned_abs())).sum();
            if size >= 1 << (PLACES as i32 + ROW_SUM) {
                return None;
            }
            // XS, exactly: below 2^(57 + 5)·a.
            for (i, slot) in product[..=j].iter_mut().enumerate() {
                *slot = own.iter().enumerate().map(|(l, x)| i128::from(*x) * entry(l, i)).sum();
            }
            for i in 0..=j {
                let inner: f64 =
                    product[..i].iter().zip(&x[i * n..]).map(|(m, x)| *m as f64 * (*x as f64 * scale)).sum();
                if i < j {
                    lower[j * n + i] = product[i] as f64 + inner;
                } else {
                    pivots.push(product[j] + inner.round() as i128);
                }
            }
        }
        product.zeroize();
        pivots.iter().all(|pivot| *pivot > 0).then_some(Residual { pivots, lower })
    }
}

/// The diagonal and the lower triangle, in units of 2^-PLACES.
struct Residual {
    pivots: Zeroizing<Vec<i128>>,
    lower: Square,
}
