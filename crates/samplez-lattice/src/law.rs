//! Probabilities of lattice vectors, by a sum over the lattice or over its dual: [`Law`], [`Shell`].
//!
//! Proof: docs/proofs/lattice.md.

mod number;
pub(crate) mod tree;

use crate::exp::{Bounds, exp_neg};
use crate::form::Form;
use crate::matrix::{Matrix, dot};
use crate::space::adjugate;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use number::{cosine, pi, ratio};
use samplez::{Rational, Refused};
use std::collections::BTreeMap;
use tree::Tree;

/// The precision of a sum, in bits.
const Q: u32 = 256;
/// The highest rank.
const RANK_MAX: usize = 32;
/// The most vectors of a sum.
const TERMS: usize = 1 << 18;

/// The probabilities of a [`Form`].
///
/// Let ρ be the sum of exp(-(v - c)²/2σ²) over the lattice. The sum runs over the lattice's vectors or, by Poisson summation, over the dual lattice's
/// vectors: over a set of at most 2^18. The terms that are left out are below 2^-80 of ρ, by Banaszczyk's bound, and the
/// others are intervals. So every probability is within 2^-52 of the exact one, relatively.
///
/// ```
/// use samplez_lattice::{Form, Matrix};
/// let form = Form::basis(&Matrix::new(&[[2, 1], [0, 3]])?, "20".parse()?)?;
/// let law = form.law()?;
/// // The determinant over 2πσ².
/// assert!((law.mass(&[0, 0]) / 0.002_387_324_146_378_430_2 - 1.0).abs() < 1e-15);
/// assert_eq!(law.mass(&[0, 1]), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Law {
    form: Form,
    /// ⟨b_i, b_j⟩ and den·⟨b_i, c⟩ of the reduced basis, in the units of the Gram matrix.
    gram: Vec<Vec<BigInt>>,
    products: Vec<BigInt>,
    /// Subtracted from the exponent's K, numerator and denominator.
    base: (BigInt, BigInt),
    /// ρ/exp(base) without the factor, in units of 2^-256.
    sum: BigUint,
    /// For a sum over the dual: ρ's factor squared, sqrt(det)/(2π)^(n/2), in units of 4^-place.
    factor: Option<(BigUint, u32)>,
    /// K of the vectors and their number, for a sum over the lattice.
    shells: Option<BTreeMap<i128, u64>>,
}

/// Vectors of one distance from the centre.
///
/// ```
/// use samplez_lattice::{Form, Matrix};
/// let shells = Form::basis(&Matrix::new(&[[1, 0], [0, 1]])?, "1".parse()?)?.law()?.shells()?;
/// assert_eq!(shells.iter().map(|shell| shell.vectors).take(6).collect::<Vec<_>>(), [1, 4, 4, 4, 8, 4]);
/// assert_eq!(shells[4].distance, 5.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shell {
    /// The square of the distance: (v - c)², (x - c)G(x - c)ᵀ or (v - c)Σ⁻¹(v - c)ᵀ. The centre is projected onto the lattice's span.
    pub distance: Rational,
    /// The number of vectors.
    pub vectors: u64,
    /// Their probability.
    pub mass: f64,
}

impl Form {
    /// Computes the form's law: probabilities of vectors and of distances.
    ///
    /// # Errors
    ///
    /// [`Refused`] for a rank above 32, and if the sums over the lattice and over its dual both have more than 2^18 vectors.
    pub fn law(&self) -> Result<Law, Refused> {
        Law::new(self)
    }

    /// The coordinates in the reduced basis of a vector of the coset, less the offset. `None` for another vector.
    pub(crate) fn coordinates(&self, v: &[i64]) -> Option<Vec<BigInt>> {
        let space = &self.space;
        let own: Vec<BigInt> = v.iter().zip(self.offset.iter()).map(|(v, offset)| v - offset).collect();
        let mut lambda = space.project(&own);
        let mut x = vec![BigInt::ZERO; lambda.len()];
        for j in (0..x.len()).rev() {
            let (whole, rest) = lambda[j].div_rem(&space.reduced.minors[j + 1]);
            if rest.sign() != Sign::NoSign {
                return None;
            }
            for (l, own) in lambda.iter_mut().zip(&space.reduced.lambda[j]) {
                *l -= &whole * own;
            }
            x[j] = whole;
        }
        // A vector outside the span has the coordinates of its projection.
        let entry = |k: usize| x.iter().zip(&space.vectors).map(|(x, row)| x * &row[k]).sum::<BigInt>();
        own.iter().enumerate().all(|(k, own)| entry(k) == *own).then_some(x)
    }
}

impl Law {
    fn new(form: &Form) -> Result<Law, Refused> {
        let (space, den) = (&form.space, &form.center.den);
        let n = space.dimension();
        if n > RANK_MAX {
            return Err(Refused::new("rank", n, format!("expected a rank up to {RANK_MAX} for probabilities")));
        }
        let own: Vec<BigInt> = form.center.whole.iter().zip(form.offset.iter()).map(|(c, o)| c - o * den).collect();
        let products: Vec<BigInt> = space.duals.iter().map(|row| dot(row, &own)).collect();
        let gram: Vec<Vec<BigInt>> =
            space.duals.iter().map(|dual| space.vectors.iter().map(|row| dot(dual, row)).collect()).collect();
        let mut law = Law {
            form: form.clone(),
            gram,
            products,
            base: (BigInt::ZERO, BigInt::from(1)),
            sum: BigUint::ZERO,
            factor: None,
            shells: None,
        };
        if law.own().is_none() && law.dual().is_none() {
            let wanted =
                format!("expected a form whose sums over the lattice or its dual have at most {TERMS} vectors");
            return Err(Refused::new("rank", n, wanted));
        }
        Ok(law)
    }

    /// The vectors within the reach, in the reduced basis, and their K.
    pub(crate) fn vectors(&self) -> Option<Vec<(Vec<i64>, i128)>> {
        let space = &self.form.space;
        let small = |x: &BigInt| i128::try_from(x).ok().filter(|x| x.unsigned_abs() < 1 << 62);
        let (gram, products): (Option<Vec<i128>>, Option<Vec<i128>>) =
            (self.gram.iter().flatten().map(small).collect(), self.products.iter().map(small).collect());
        let (gram, products, den) = (gram?, products?, small(&self.form.center.den)?);
        let points = Tree::of_lattice(space, &self.form.target).points(TERMS)?;
        let n = products.len();
        let keyed = points.into_iter().map(|x| {
            // K = den·xAx - 2x·p.
            let mut key = 0_i128;
            for (i, own) in x.iter().enumerate() {
                let row = x.iter().zip(&gram[i * n..][..n]);
                let sum = row.map(|(x, a)| i128::from(*x) * a).sum::<i128>();
                let part = den.checked_mul(sum)?.checked_sub(2 * products[i])?;
                key = key.checked_add(part.checked_mul(i128::from(*own))?)?;
            }
            Some((x, key))
        });
        keyed.collect()
    }

    /// The exponent r = s·(K - base)/2den of exp(-r).
    fn exponent(&self, key: &BigInt) -> (BigUint, BigUint) {
        let scale = &self.form.space.scale;
        let num = (key * &self.base.1 - &self.base.0).magnitude() * &scale.0;
        (num, self.form.center.den.magnitude() * self.base.1.magnitude() * &scale.1 * 2_u8)
    }

    /// The sum over the lattice, from its least exponent.
    fn own(&mut self) -> Option<()> {
        let mut shells = BTreeMap::new();
        for (_, key) in self.vectors()? {
            *shells.entry(key).or_insert(0) += 1;
        }
        self.base.0 = (*shells.first_key_value()?.0).into();
        for (key, count) in &shells {
            let (num, den) = self.exponent(&(*key).into());
            self.sum += exp_neg(&crate::exp::fraction(&num, &den, Q), Q).0 * *count;
        }
        self.shells = Some(shells);
        Some(())
    }

    /// The sum over the dual: ρ = (2π)^(n/2)/sqrt(det)·Σ exp(-2π²·wA⁻¹w/s)·cos(2π⟨w, c⟩), for integer w.
    fn dual(&mut self) -> Option<()> {
        let (space, den) = (&self.form.space, &self.form.center.den);
        let n = space.dimension();
        let (adjugate, det) = adjugate(&Matrix { rows: self.gram.clone(), den: BigInt::from(1) })?;
        let solution: Vec<BigInt> = adjugate.iter().map(|row| dot(row, &self.products)).collect();
        // The square of the projected centre is p·adj·p/(det·den²), and K of the centre is less by this, times den.
        self.base = (-dot(&solution, &self.products), &det * den);
        let points = Tree::of_dual(space).points(TERMS)?;
        let (pi, whole) = (pi(Q), &det * den);
        // 2π² in units of 2^-Q, twice.
        let square = (&pi.0 * &pi.0 * 2_u8, &pi.1 * &pi.1 * 2_u8);
        let (mut sum, below) = (BigInt::ZERO, det.magnitude() * &space.scale.0);
        for w in points {
            let w: Vec<BigInt> = w.into_iter().map(BigInt::from).collect();
            let form: BigInt = adjugate.iter().zip(&w).map(|(row, own)| dot(row, &w) * own).sum();
            let num = form.magnitude() * &space.scale.1;
            let r: Bounds = ((&square.0 * &num / &below) >> Q, ((&square.1 * &num / &below) >> Q) + 1_u8);
            let e = exp_neg(&r, Q).0;
            let turn = dot(&w, &solution).mod_floor(&whole);
            sum += (BigInt::from(e) * cosine((&turn, &whole), Q)) >> Q;
        }
        self.sum = sum.to_biguint()?;
        // det(sA)/(2π)^n in units of 4^-place, with at least 2·192 bits.
        let power = space.scale.0.pow(n as u32) * det.magnitude();
        let mut under = BigUint::from(1_u8);
        let tau = &pi.0 << 1;
        (0..n).for_each(|_| under = (&under * &tau) >> (if under.bits() == 1 { 0 } else { Q }));
        let under = under * space.scale.1.pow(n as u32);
        let place = (384 + under.bits().saturating_sub(power.bits())) as u32;
        self.factor = Some((((power << (2 * place + Q)) / under).sqrt(), place));
        Some(())
    }

    /// Returns the probability of this vector; 0 for one that is not in the lattice, or its coset.
    ///
    /// # Panics
    ///
    /// If `v` has not [`columns`](Form::columns) entries.
    pub fn mass(&self, v: &[i64]) -> f64 {
        self.key(v).map_or(0.0, |key| self.mass_of(&key, 1))
    }

    /// Returns the natural logarithm of the probability, within 2^-48·(1 + |ln P|); -∞ for a vector that is not in the lattice, or its coset.
    ///
    /// # Panics
    ///
    /// As [`mass`](Self::mass).
    ///
    /// ```
    /// use samplez_lattice::{Form, Matrix};
    /// let form = Form::basis(&Matrix::new(&[[1, 0], [0, 1]])?, "1".parse()?)?;
    /// let difference = form.law()?.ln_mass(&[0, 0]) - form.law()?.ln_mass(&[300, 400]);
    /// assert!((difference - 125_000.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ln_mass(&self, v: &[i64]) -> f64 {
        let Some(key) = self.key(v) else { return f64::NEG_INFINITY };
        let (num, den) = self.exponent(&key);
        let factor = self.factor.as_ref().map_or(0.0, |(factor, place)| ln(factor, *place));
        factor - ln(&self.sum, Q) - ratio(&num, &den, 0)
    }

    /// K of a vector.
    fn key(&self, v: &[i64]) -> Option<BigInt> {
        assert_eq!(v.len(), self.form.columns(), "v: expected as many entries as a sample has");
        let x = self.form.coordinates(v)?;
        let square: BigInt = self.gram.iter().zip(&x).map(|(row, own)| dot(row, &x) * own).sum();
        Some(square * &self.form.center.den - dot(&x, &self.products) * 2)
    }

    /// The probability of `count` vectors with this K.
    fn mass_of(&self, key: &BigInt, count: u64) -> f64 {
        let (num, den) = self.exponent(key);
        if num >= &den * 1200_u16 {
            // Below e^-1200·2^21.
            return 0.0;
        }
        let r = (&num * 3_u8 / (&den * 2_u8)).iter_u32_digits().next().unwrap_or(0);
        let q = Q + 2 * r;
        let e = exp_neg(&crate::exp::fraction(&num, &den, q), q).0 * count;
        match &self.factor {
            None => ratio(&e, &self.sum, i64::from(Q) - i64::from(q)),
            Some((factor, place)) => ratio(&(e * factor), &self.sum, i64::from(Q) - i64::from(q) - i64::from(*place)),
        }
    }

    /// Returns the distances from the centre, from the least on, with their number of vectors and their probability. All but 2^-80 is there.
    ///
    /// # Errors
    ///
    /// [`Refused`] if there are more than 2^18 vectors, or if a distance does not fit a [`Rational`].
    pub fn shells(&self) -> Result<Vec<Shell>, Refused> {
        let many = || {
            Refused::new(
                "sigma",
                self.form.space.sigma,
                format!("expected a smaller `sigma`: more than {TERMS} vectors are near the center"),
            )
        };
        let shells = self.shells.as_ref().ok_or_else(many)?;
        let (space, den) = (&self.form.space, &self.form.center.den);
        let gram = Matrix { rows: self.gram.clone(), den: BigInt::from(1) };
        let wide =
            || Refused::new("center", "as given", "expected distances of at most 63 bits in numerator and denominator");
        let (adjugate, det) = adjugate(&gram).ok_or_else(wide)?;
        let solution: Vec<BigInt> = adjugate.iter().map(|row| dot(row, &self.products)).collect();
        let center = dot(&solution, &self.products);
        // σ²·s.
        let square = |x: u64| BigInt::from(x) * x;
        let unit = (
            square(space.sigma.num().unsigned_abs()) * BigInt::from(space.scale.0.clone()),
            square(space.sigma.den()) * BigInt::from(space.scale.1.clone()),
        );
        let (reach, scale) = (tree::reach(space.dimension()), ratio(&space.scale.0, &space.scale.1, 0));
        let mut out = Vec::with_capacity(shells.len());
        for (key, vectors) in shells {
            let num = BigInt::from(*key) * &det * den + &center;
            let below = &det * den * den;
            if ratio(num.magnitude(), below.magnitude(), 0) * scale > reach {
                break;
            }
            let (num, below) = (num * &unit.0, below * &unit.1);
            let common = num.gcd(&below);
            let distance = i64::try_from(&num / &common).ok().zip(u64::try_from(&below / &common).ok());
            let distance = distance.and_then(|(num, den)| Rational::new(num, den)).ok_or_else(wide)?;
            out.push(Shell { distance, vectors: *vectors, mass: self.mass_of(&(*key).into(), *vectors) });
        }
        Ok(out)
    }

    /// The probability of a vector with this K, from [`vectors`](Self::vectors).
    pub(crate) fn mass_at(&self, key: i128) -> f64 {
        self.mass_of(&key.into(), 1)
    }
}

/// ln(x·2^-place).
fn ln(x: &BigUint, place: u32) -> f64 {
    let shift = x.bits().saturating_sub(64) as i64;
    let top = u64::try_from(x >> shift).unwrap_or(u64::MAX);
    (top as f64).ln() + (shift - i64::from(place)) as f64 * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests;
