//! A reduced lattice with its proposals, without a centre.

use crate::coordinate::{Coordinate, NoCoordinate};
use crate::exp;
use crate::matrix::{Matrix, by_transpose, dot};
use crate::reduce::Reduced;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use samplez::Rational;

/// The digits of L in the filter of the centres.
pub(crate) const DIGITS: u32 = 62;
/// The precision of the first interval of a decision.
pub(crate) const START: u32 = exp::WORD;

/// A positive definite form Q(x) = s·xᵀAx on Z^n, for x in the reduced basis.
pub(crate) struct Space {
    pub(crate) reduced: Reduced,
    pub(crate) coordinates: Vec<Coordinate>,
    /// The scale s, numerator and denominator.
    pub(crate) scale: (BigUint, BigUint),
    /// The samples' vectors in the reduced basis.
    pub(crate) vectors: Vec<Vec<BigInt>>,
    /// The same and the largest magnitude, if every entry has 62 bits.
    pub(crate) words: Option<(Vec<i64>, u64)>,
    /// Rows p_i with ⟨c, p_i⟩ the scalar product of a centre c with the reduced b_i, in the units of A.
    pub(crate) duals: Vec<Vec<BigInt>>,
    /// The same, column by column, if every entry has 16 bits.
    pub(crate) narrow: Option<Vec<i16>>,
    /// L_ij in units of 2^-`digits`, rounded down, for j < i: column j has the i from j + 1 on. Without it, every centre is exact.
    pub(crate) low: Option<Vec<Vec<i64>>>,
    /// gcd of d_(j+1) and all λ_ij: the centres of coordinate j lie in a coset of its multiples over d_(j+1).
    pub(crate) steps: Vec<BigInt>,
    pub(crate) digits: u32,
    pub(crate) start: u32,
    /// σ of the caller's form, which the scale includes.
    pub(crate) sigma: Rational,
}

/// Why there is no space.
#[derive(Debug)]
pub(crate) enum NoSpace {
    /// The first row that is no new direction, from 0, and whether its minor is 0.
    Indefinite(usize, bool),
    /// A reduced vector, from 0, that is too long or too short against σ.
    Coordinate(NoCoordinate),
}

impl Space {
    /// The form of the Gram matrix `gram`, scaled by this positive number. `vectors` and `duals` are those of the input's basis.
    pub(crate) fn new(
        gram: &[Vec<BigInt>],
        scale: (BigUint, BigUint),
        vectors: &[Vec<BigInt>],
        duals: &[Vec<BigInt>],
        (digits, start): (u32, u32),
    ) -> Result<Space, NoSpace> {
        let reduced = Reduced::new(gram).map_err(|(row, is_zero)| NoSpace::Indefinite(row, is_zero))?;
        let n = gram.len();
        let mut coordinates = Vec::with_capacity(n);
        for pair in reduced.minors.windows(2) {
            let (num, den) = (pair[1].magnitude() * &scale.0, pair[0].magnitude() * &scale.1);
            let common = num.gcd(&den);
            let coordinate = Coordinate::new(&(num / &common), &(den / &common));
            coordinates.push(coordinate.map_err(NoSpace::Coordinate)?);
        }
        // |L| <= 1/2.
        let column = |j: usize| {
            let d = &reduced.minors[j + 1];
            (j + 1..n).map(|i| i64::try_from((&reduced.lambda[i][j] << digits).div_floor(d)).ok()).collect()
        };
        let low = (0..n).map(column).collect();
        let one = BigInt::from(1);
        let step = |j: usize| {
            let mut step = reduced.minors[j + 1].clone();
            for row in reduced.lambda.iter().skip(j + 1) {
                if step == one {
                    break;
                }
                // A remainder first: the gcd is fast for numbers of one size.
                step = (&row[j] % &step).gcd(&step);
            }
            step
        };
        let steps = (0..n).map(step).collect();
        let (vectors, duals) = (changed(&reduced.transform, vectors), changed(&reduced.transform, duals));
        let small = |x: &BigInt| i64::try_from(x).ok().filter(|x| x.unsigned_abs() < 1 << 62);
        let words: Option<Vec<i64>> = vectors.iter().flatten().map(small).collect();
        let words = words.map(|words| {
            let largest = words.iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
            (words, largest)
        });
        let columns = vectors.first().map_or(0, Vec::len);
        let narrow = (0..columns).flat_map(|k| vectors.iter().map(move |row| i16::try_from(&row[k]).ok())).collect();
        let sigma = Rational::from(1);
        Ok(Space { reduced, coordinates, scale, vectors, words, narrow, duals, low, steps, digits, start, sigma })
    }

    pub(crate) fn dimension(&self) -> usize {
        self.coordinates.len()
    }

    /// λ of a centre, whose entries are over `den`: c_j = (λ_j - den·Σ_{i>j} λ_ij·x_i)/(den·d_(j+1)).
    pub(crate) fn project(&self, center: &[BigInt]) -> Vec<BigInt> {
        let products: Vec<BigInt> = self.duals.iter().map(|row| dot(row, center)).collect();
        self.reduced.project(&products)
    }

    /// Σ_{i>j} L_ij·x_i in units of 2^-`digits`, below Σ_{i>j} |x_i| units from the exact sum. `None` without L.
    pub(crate) fn sum(&self, x: &[i64], j: usize) -> Option<i128> {
        let column = self.low.as_ref()?.get(j)?;
        let term = |(l, x): (&i64, &i64)| i128::from(*l) * i128::from(*x);
        // Two sums, which a processor adds up at once.
        let (pairs, last) = column.as_chunks::<2>();
        let (values, rest) = x[j + 1..].as_chunks::<2>();
        let mut sums = [0_i128; 2];
        for (l, x) in pairs.iter().zip(values) {
            sums[0] = sums[0].wrapping_add(term((&l[0], &x[0])));
            sums[1] = sums[1].wrapping_add(term((&l[1], &x[1])));
        }
        let rest = last.iter().zip(rest).map(term).fold(0_i128, i128::wrapping_add);
        Some(sums[0].wrapping_add(sums[1]).wrapping_add(rest))
    }

    /// λ_j - den·Σ_{i>j} λ_ij·x_i.
    pub(crate) fn center(&self, lambda: &[BigInt], den: &BigInt, x: &[i64], j: usize) -> BigInt {
        let sum: BigInt = (j + 1..x.len()).filter(|i| x[*i] != 0).map(|i| &self.reduced.lambda[i][j] * x[i]).sum();
        &lambda[j] - sum * den
    }

    /// The distance from 1/2 modulo 1 that no centre of coordinate j falls short of: 1/2 - it, in units of 2^-32, rounded up.
    ///
    /// The centres are (λ_j + den·Σ λ_ij·Z)/(den·d): a coset of a multiple of 1/(den·d).
    fn worst(&self, lambda: &BigInt, den: &BigInt, j: usize) -> u64 {
        let (whole, step) = (den * &self.reduced.minors[j + 1], den * &self.steps[j]);
        // The r = λ modulo the step that is nearest to whole/2.
        let rest = lambda.mod_floor(&step);
        let twice = &whole - &rest * 2_u8;
        let r = rest + crate::reduce::nearest(&twice, &(&step * 2_u8)) * &step;
        let distance = (r * 2_u8 - &whole).into_parts().1;
        let nearer = (whole.magnitude() - distance.min(whole.magnitude().clone())) << 31;
        let up = (nearer + whole.magnitude() - 1_u8) / whole.magnitude();
        // The grid may bring a centre nearer to 1/2 by one unit.
        u64::try_from(up).map_or(1 << 31, |up| if up == 0 { 0 } else { (up + 1).min(1 << 31) })
    }

    /// A lower bound of the acceptance probability, in units of 2^-192. And an upper bound of the probability that a sample within the reach
    /// is rejected, in units of 2^-64.
    pub(crate) fn acceptance(&self, lambda: &[BigInt], den: &BigInt) -> (BigUint, u64) {
        const Q: u32 = crate::coordinate::UNITS;
        let one = BigUint::from(1_u8) << Q;
        let (mut least, mut sure, mut sum) = (one.clone(), one.clone(), BigUint::ZERO);
        for (j, coordinate) in self.coordinates.iter().enumerate() {
            let (num, den_inverse) = (&coordinate.inverse.0, &coordinate.inverse.1);
            let worst = self.worst(&lambda[j], den, j);
            // Fewer digits suffice for a lower bound from 1/2 on.
            let short = exp::theta((num, den_inverse), worst, exp::WORD).0;
            let is_large = short.bits() >= u64::from(exp::WORD);
            let factor = if is_large { short << (Q - exp::WORD) } else { exp::theta((num, den_inverse), worst, Q).0 };
            sure = (sure * &factor) >> Q;
            least = (least * factor) >> Q;
            sum += &coordinate.exponent;
        }
        // exp(-r) >= 1 - r, and all coordinates are within the reach with a probability above 1 - n·2^-90.
        let lost = (sum + (BigUint::from(self.dimension()) << (Q - 90))).min(one.clone());
        least = (least * (&one - &lost)) >> Q;
        let rejected = (&one - sure) + lost;
        let open = u64::try_from((rejected >> (Q - 64)) + 2_u8).unwrap_or(u64::MAX);
        (least, open)
    }
}

fn changed(transform: &[Vec<BigInt>], rows: &[Vec<BigInt>]) -> Vec<Vec<BigInt>> {
    let columns = rows.first().map_or(0, Vec::len);
    let transposed: Vec<Vec<BigInt>> = (0..columns).map(|k| rows.iter().map(|row| row[k].clone()).collect()).collect();
    by_transpose(transform, &transposed)
}

/// det·M⁻¹ and det of a symmetric positive definite matrix; `None` for another one.
pub(crate) fn adjugate(of: &Matrix) -> Option<(Vec<Vec<BigInt>>, BigInt)> {
    let n = of.rows();
    let is_symmetric = n == of.columns() && (0..n).all(|i| (0..i).all(|j| of.rows[i][j] == of.rows[j][i]));
    if !is_symmetric {
        return None;
    }
    // Fraction-free elimination of (M | 1), forwards and backwards together. Its pivots are the minors.
    let mut a: Vec<Vec<BigInt>> = of.rows.clone();
    for (i, row) in a.iter_mut().enumerate() {
        row.extend((0..n).map(|j| BigInt::from(u8::from(i == j))));
    }
    let mut before = BigInt::from(1);
    for k in 0..n {
        let pivot = a[k][k].clone();
        if pivot.sign() != Sign::Plus {
            return None;
        }
        for i in (0..n).filter(|i| *i != k) {
            let (factor, row) = (a[i][k].clone(), a[k].clone());
            for (x, y) in a[i].iter_mut().zip(&row) {
                *x = (&*x * &pivot - &factor * y) / &before;
            }
        }
        before = pivot;
    }
    Some((a.into_iter().map(|row| row[n..].to_vec()).collect(), before))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The centre nearest to 1/2 on the grid, by enumeration of all residues.
    #[test]
    fn the_worst_center_is_that_of_an_enumeration() {
        for (gram, den) in [([4, 1, 7], 1), ([4, 2, 7], 3), ([12, 6, 15], 7), ([9, 3, 10], 2), ([5, 0, 8], 12)] {
            let rows = [vec![gram[0].into(), gram[1].into()], vec![gram[1].into(), gram[2].into()]];
            let unit = [vec![1.into(), 0.into()], vec![0.into(), 1.into()]];
            let space = Space::new(&rows, (1_u8.into(), 400_u16.into()), &unit, &rows, (DIGITS, START)).unwrap();
            let (d, own): (i64, i64) = (gram[0], gram[1]);
            assert_eq!((&space.reduced.minors[1], &space.reduced.lambda[1][0]), (&d.into(), &own.into()));
            for lambda in -d * den / 2..=d * den / 2 {
                let nearest = (0..d * den).map(|x| {
                    let c = (i128::from(lambda - den * own * x) << 32).div_euclid(i128::from(den * d)) & 0xffff_ffff;
                    c.min((1 << 32) - c) as u64
                });
                let (want, got) = (nearest.max().unwrap(), space.worst(&lambda.into(), &den.into(), 0));
                // Rounding up, and one unit of the grid.
                assert!(want <= got && got <= want + 2, "{gram:?} {den} {lambda}: {want} {got}");
            }
            // The last coordinate has one centre.
            assert_eq!(space.worst(&BigInt::ZERO, &den.into(), 1), 0);
        }
    }
}
