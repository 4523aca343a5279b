//! Integer LLL on a Gram matrix, and the exact LDLᵀ that it leaves.
//!
//! In a large rank doubles find a basis first, as [`advice`]; it has exact minors. The exact reduction begins there. It is
//! Algorithm 2.6.7 of Cohen, *A Course in Computational Algebraic Number Theory*, with the scalar products from the Gram matrix.

mod advice;
mod minors;

use advice::Advice;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use std::mem;

/// LLL's δ = 99/100. It is a part of the samples' stream.
const DELTA: (u32, u32) = (99, 100);

/// From this rank on doubles find a basis that is nearly reduced. It is a part of the samples' stream.
const ADVISED: usize = 32;

/// A reduced basis, in terms of integers.
pub(crate) struct Reduced {
    /// The leading principal minors of the reduced Gram matrix, from d_0 = 1: n + 1 of them. ‖b*_j‖² = d_(j+1)/d_j.
    pub(crate) minors: Vec<BigInt>,
    /// λ_ij for j < i, with L_ij = λ_ij/d_(j+1).
    pub(crate) lambda: Vec<Vec<BigInt>>,
    /// The unimodular U: row i has the coefficients of the reduced vector i.
    pub(crate) transform: Vec<Vec<BigInt>>,
}

impl Reduced {
    /// Reduces the positive definite Gram matrix. `Err` has the first row, from 0, whose minor is not positive, and whether it
    /// is 0.
    pub(crate) fn new(gram: &[Vec<BigInt>]) -> Result<Reduced, (usize, bool)> {
        let n = gram.len();
        let advised = (n >= ADVISED).then(|| Reduced::advised(gram)).flatten();
        let mut of = advised.unwrap_or_else(|| {
            let unit = |i: usize| (0..n).map(|j| BigInt::from(u8::from(i == j))).collect();
            let (lambda, transform) = (vec![Vec::new(); n], (0..n).map(unit).collect());
            Reduced { minors: vec![BigInt::from(1)], lambda, transform }
        });
        of.finish(gram)?;
        Ok(of)
    }

    /// Reduces the basis. A vector without a minor is the row of `gram` itself.
    fn finish(&mut self, gram: &[Vec<BigInt>]) -> Result<(), (usize, bool)> {
        let n = gram.len();
        if self.minors.len() == 1 {
            self.append(gram, 0)?;
        }
        let mut k = 1;
        while k < n {
            if self.minors.len() == k + 1 {
                self.append(gram, k)?;
            }
            self.shorten(k, k - 1);
            if self.is_unordered(k) {
                self.exchange(k);
                k = (k - 1).max(1);
            } else {
                for l in (0..k - 1).rev() {
                    self.shorten(k, l);
                }
                k += 1;
            }
        }
        Ok(())
    }

    /// The basis that doubles find, with its exact minors. `None` for large numbers, and if a minor is not positive.
    fn advised(gram: &[Vec<BigInt>]) -> Option<Reduced> {
        let advice = Advice::new(gram)?;
        let gram: Vec<Vec<BigInt>> =
            advice.gram.iter().map(|row| row.iter().map(|x| BigInt::from(*x)).collect()).collect();
        let (minors, lambda) = minors::of(&gram)?;
        let transform = advice.transform.iter().map(|row| row.iter().map(|x| BigInt::from(*x)).collect()).collect();
        minors.iter().all(|d| d.sign() == Sign::Plus).then_some(Reduced { minors, lambda, transform })
    }

    /// Orthogonalises the input's row k against the reduced ones before it.
    fn append(&mut self, gram: &[Vec<BigInt>], k: usize) -> Result<(), (usize, bool)> {
        let products = self.transform[..k].iter().map(|row| super::matrix::dot(&row[..k], &gram[k][..k]));
        let products: Vec<BigInt> = products.chain([gram[k][k].clone()]).collect();
        let mut row = self.project(&products);
        let minor = row.pop().unwrap_or_default();
        if minor.sign() != Sign::Plus {
            return Err((k, minor.sign() == Sign::NoSign));
        }
        self.lambda[k] = row;
        self.minors.push(minor);
        Ok(())
    }

    /// λ of a vector with these scalar products, with b_0, b_1 and so on. A last one more is that with itself, for its minor.
    pub(crate) fn project(&self, products: &[BigInt]) -> Vec<BigInt> {
        let mut row: Vec<BigInt> = Vec::with_capacity(products.len());
        for (j, product) in products.iter().enumerate() {
            let mut u = product.clone();
            for i in 0..j {
                let other = self.lambda.get(j).and_then(|row| row.get(i)).unwrap_or(&row[i]);
                u = (&self.minors[i + 1] * u - &row[i] * other) / &self.minors[i];
            }
            row.push(u);
        }
        row
    }

    /// Subtracts the multiple of b_l from b_k that makes |L_kl| <= 1/2.
    fn shorten(&mut self, k: usize, l: usize) {
        let d = &self.minors[l + 1];
        if self.lambda[k][l].magnitude() * 2_u8 <= *d.magnitude() {
            return;
        }
        let q = nearest(&self.lambda[k][l], d);
        let (before, after) = self.transform.split_at_mut(k);
        subtract(&mut after[0], &before[l], &q);
        self.lambda[k][l] -= &q * d;
        let (before, after) = self.lambda.split_at_mut(k);
        subtract(&mut after[0], &before[l], &q);
    }

    /// Whether Lovász's condition fails at k.
    fn is_unordered(&self, k: usize) -> bool {
        let (d, l) = (&self.minors, &self.lambda[k][k - 1]);
        (&d[k + 1] * &d[k - 1] + l * l) * DELTA.1 < &d[k] * &d[k] * DELTA.0
    }

    /// Exchanges b_k and b_(k-1).
    fn exchange(&mut self, k: usize) {
        self.transform.swap(k, k - 1);
        let (before, after) = self.lambda.split_at_mut(k);
        for (a, b) in before[k - 1].iter_mut().zip(&mut after[0]) {
            mem::swap(a, b);
        }
        let l = self.lambda[k][k - 1].clone();
        let minor = (&self.minors[k - 1] * &self.minors[k + 1] + &l * &l) / &self.minors[k];
        for i in k + 1..self.minors.len() - 1 {
            let t = self.lambda[i][k].clone();
            let own = (&self.minors[k + 1] * &self.lambda[i][k - 1] - &l * &t) / &self.minors[k];
            self.lambda[i][k - 1] = (&minor * t + &l * &own) / &self.minors[k + 1];
            self.lambda[i][k] = own;
        }
        self.minors[k] = minor;
    }
}

fn subtract(from: &mut [BigInt], row: &[BigInt], q: &BigInt) {
    for (a, b) in from.iter_mut().zip(row).filter(|(_, b)| b.sign() != Sign::NoSign) {
        *a -= q * b;
    }
}

/// The integer nearest to a/b for b > 0, of two the upper one.
pub(crate) fn nearest(a: &BigInt, b: &BigInt) -> BigInt {
    (a * 2_u8 + b).div_floor(&(b * 2_u8))
}

#[cfg(test)]
mod tests;
