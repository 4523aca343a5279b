//! [`Form`]: a lattice, a width and a centre.

use crate::coordinate::{NoCoordinate, UNITS};
use crate::kernel;
use crate::klein::Target;
use crate::matrix::{Matrix, dot};
use crate::reduce::nearest;
use crate::space::{DIGITS, NoSpace, START, Space, adjugate};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use samplez::{RangeError, Rational, Refused};
use samplez_core::bits::BitSource;
use std::fmt;
use std::sync::Arc;
use zeroize::{Zeroize, Zeroizing};

/// The acceptance probability below which a form is refused: 2^-20.
const LIMIT: u32 = 20;

/// A discrete Gaussian on a lattice: P(v) is proportional to exp(-‖v - c‖²/2σ²) for every lattice vector v.
///
/// The samples have exactly this distribution if the bits are ideal. Klein's algorithm proposes them, and one decision with lazy
/// intervals corrects its distribution. The lattice has rank n. It is reduced by LLL first, with integers.
///
/// A form is immutable, and cheap to copy with another centre.
///
/// Its timing class is variable: the running time depends on the samples, and on the lattice. Buffers of a walk, with the coordinates
/// that are drawn, are erased. The large integers of decisions, and the form with its basis and centre, are not.
///
/// ```
/// use samplez::{BitReader, Seed};
/// use samplez_lattice::{Form, Matrix};
/// use samplez_sources::ChaCha20;
/// let basis = Matrix::new(&[[2, 0, 0], [1, 3, 0], [0, 1, 5]])?;
/// let form = Form::basis(&basis, "20".parse()?)?;
/// assert_eq!((form.rank(), form.columns()), (3, 3));
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let mut v = [0; 3];
/// form.sample(&mut bits, &mut v)?;
/// assert!(v.iter().all(|x| x.abs() < 200));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Form {
    pub(crate) space: Arc<Space>,
    pub(crate) target: Arc<Target>,
    /// Added to every sample: `shift` and a lattice vector.
    pub(crate) offset: Arc<Vec<BigInt>>,
    pub(crate) center: Arc<Center>,
    /// The coset: this vector and the lattice.
    shift: Arc<Vec<BigInt>>,
    /// The argument that has the width.
    width: &'static str,
}

/// A centre's entries, over a positive denominator.
pub(crate) struct Center {
    pub(crate) whole: Vec<BigInt>,
    pub(crate) den: BigInt,
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Form").field("rank", &self.rank()).field("columns", &self.columns()).finish_non_exhaustive()
    }
}

impl Form {
    /// Builds the Gaussian of width σ on the lattice of these rows, around 0. A sample is a lattice vector.
    ///
    /// # Errors
    ///
    /// [`Refused`] for linearly dependent rows, entries that are no integers, and σ <= 0. A σ that is too small for the
    /// reduced basis is refused too: the acceptance probability must be at least 2^-20.
    ///
    /// ```
    /// use samplez_lattice::{Form, Matrix};
    /// let e = Form::basis(&Matrix::new(&[[1, 2], [2, 4]])?, "3".parse()?).unwrap_err();
    /// assert_eq!(e.to_string(), "basis = 2 rows: expected linearly independent rows; row 2 depends on the rows before it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn basis(basis: &Matrix, sigma: Rational) -> Result<Form, Refused> {
        Form::basis_with(basis, sigma, (DIGITS, START))
    }

    pub(crate) fn basis_with(basis: &Matrix, sigma: Rational, start: (u32, u32)) -> Result<Form, Refused> {
        whole("basis", basis, "expected integers; multiply it and `sigma` by the denominator")?;
        let scale = inverse_square(sigma)?;
        let gram = basis.by_transpose(basis);
        Form::new("basis", basis.rows(), &gram, (scale, sigma), (&basis.rows, &basis.rows), start)
    }

    /// Builds the Gaussian with the covariance parameter Σ on the lattice of these rows, around 0: P(v) is proportional to
    /// exp(-(v - c)Σ⁻¹(v - c)ᵀ/2).
    ///
    /// # Errors
    ///
    /// As [`basis`](Self::basis); and for a Σ that is not symmetric and positive definite, or not of the basis's width.
    ///
    /// ```
    /// use samplez_lattice::{Form, Matrix};
    /// let basis = Matrix::new(&[[1, 0], [0, 1]])?;
    /// let form = Form::ellipsoid(&basis, &"100 30\n30 25".parse()?)?;
    /// assert!(form.acceptance() > 0.99);
    /// let e = Form::ellipsoid(&basis, &"1 2\n2 1".parse()?).unwrap_err();
    /// assert_eq!(e.to_string(), "covariance = 2 x 2: expected a symmetric positive definite matrix");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ellipsoid(basis: &Matrix, covariance: &Matrix) -> Result<Form, Refused> {
        whole("basis", basis, "expected integers; multiply it by the denominator and `covariance` by its square")?;
        let size = format!("{} x {}", covariance.rows(), covariance.columns());
        let refused = |allowed: String| Refused::new("covariance", &size, allowed);
        if covariance.rows() != basis.columns() {
            let columns = basis.columns();
            return Err(refused(format!("expected {columns} x {columns}, as the basis has {columns} columns")));
        }
        let inverse = adjugate(covariance);
        let (adjugate, det) = inverse.ok_or_else(|| refused("expected a symmetric positive definite matrix".into()))?;
        // Σ⁻¹ = den·adj/det.
        let duals: Vec<Vec<BigInt>> =
            basis.rows.iter().map(|row| adjugate.iter().map(|column| dot(row, column)).collect()).collect();
        let gram: Vec<Vec<BigInt>> =
            duals.iter().map(|dual| basis.rows.iter().map(|row| dot(dual, row)).collect()).collect();
        let scale = (covariance.den.magnitude().clone(), det.magnitude().clone());
        let of = (scale, Rational::from(1));
        Form::new("covariance", basis.rows(), &gram, of, (&basis.rows, &duals), (DIGITS, START))
    }

    /// Builds the Gaussian on Z^n of a Gram matrix G: P(x) is proportional to exp(-(x - c)G(x - c)ᵀ/2σ²). A sample is x.
    ///
    /// # Errors
    ///
    /// As [`basis`](Self::basis); and for a G that is not square, symmetric and positive definite.
    ///
    /// ```
    /// use samplez_lattice::{Form, Matrix};
    /// let e = Form::gram(&"1 2\n2 1".parse()?, "3".parse()?).unwrap_err();
    /// assert_eq!(e.to_string(), "gram = 2 rows: expected a positive definite matrix; the minor of the first 2 rows is negative");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gram(gram: &Matrix, sigma: Rational) -> Result<Form, Refused> {
        let n = gram.rows();
        let size = format!("{n} x {}", gram.columns());
        if n != gram.columns() {
            return Err(Refused::new("gram", size, "expected as many columns as rows"));
        }
        let is_symmetric = (0..n).all(|i| (0..i).all(|j| gram.rows[i][j] == gram.rows[j][i]));
        if !is_symmetric {
            return Err(Refused::new("gram", size, "expected a symmetric matrix"));
        }
        let (num, den) = inverse_square(sigma)?;
        let unit: Vec<Vec<BigInt>> = (0..n).map(|i| (0..n).map(|j| BigInt::from(u8::from(i == j))).collect()).collect();
        let scale = (num, den * gram.den.magnitude());
        Form::new("gram", n, &gram.rows, (scale, sigma), (&unit, &gram.rows), (DIGITS, START))
    }

    /// Builds the Gaussian of width σ on the q-ary lattice of the integer vectors v with A·v = 0 modulo q, around 0.
    ///
    /// # Errors
    ///
    /// As [`basis`](Self::basis); and for q below 2.
    ///
    /// ```
    /// use samplez::{BitReader, Seed};
    /// use samplez_lattice::{Form, Matrix};
    /// use samplez_sources::ChaCha20;
    /// let form = Form::qary(&Matrix::new(&[[1, 5, 8]])?, 13, "10".parse()?)?;
    /// let mut v = [0; 3];
    /// form.sample(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))), &mut v)?;
    /// assert_eq!((v[0] + 5 * v[1] + 8 * v[2]) % 13, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn qary(a: &Matrix, q: u64, sigma: Rational) -> Result<Form, Refused> {
        whole("a", a, "expected integers")?;
        if q < 2 {
            return Err(Refused::new("q", q, "expected an integer from 2 on"));
        }
        let rows = kernel::basis(&a.rows, q);
        Form::basis(&Matrix::of(rows, BigInt::from(1))?, sigma)
    }

    fn new(
        argument: &'static str,
        rows: usize,
        gram: &[Vec<BigInt>],
        (scale, sigma): ((BigUint, BigUint), Rational),
        (vectors, duals): (&[Vec<BigInt>], &[Vec<BigInt>]),
        start: (u32, u32),
    ) -> Result<Form, Refused> {
        let columns = vectors.first().map_or(0, Vec::len);
        let size = format!("{columns} x {columns}");
        let space = Space::new(gram, scale, vectors, duals, start).map_err(|why| match why {
            NoSpace::Indefinite(row, is_zero) if argument == "gram" => {
                let sign = if is_zero { "0" } else { "negative" };
                let why =
                    format!("expected a positive definite matrix; the minor of the first {} rows is {sign}", row + 1);
                Refused::new("gram", format!("{rows} rows"), why)
            }
            NoSpace::Indefinite(row, _) => {
                let why = format!("expected linearly independent rows; row {} depends on the rows before it", row + 1);
                Refused::new("basis", format!("{rows} rows"), why)
            }
            NoSpace::Coordinate(NoCoordinate::Narrow) if argument == "covariance" => Refused::new(
                argument,
                &size,
                "expected standard deviations of at least 1/256 of the reduced basis's longest Gram-Schmidt vector; use a larger `covariance`",
            ),
            NoSpace::Coordinate(NoCoordinate::Wide) if argument == "covariance" => Refused::new(
                argument,
                &size,
                "expected standard deviations below 2^55 times the reduced basis's shortest Gram-Schmidt vector",
            ),
            NoSpace::Coordinate(NoCoordinate::Narrow) => Refused::new(
                "sigma",
                sigma,
                "expected at least 1/256 of the longest Gram-Schmidt vector of the reduced basis; use a larger `sigma`",
            ),
            NoSpace::Coordinate(NoCoordinate::Wide) => Refused::new(
                "sigma",
                sigma,
                "expected less than 2^55 times the shortest Gram-Schmidt vector of the reduced basis",
            ),
        })?;
        let space = Space { sigma, ..space };
        let zeros = vec![BigInt::ZERO; columns];
        let center = Arc::new(Center { whole: zeros.clone(), den: BigInt::from(1) });
        let (width, given) = if argument == "covariance" { (argument, size) } else { ("sigma", format!("{sigma:#}")) };
        placed(Arc::new(space), center, Arc::new(zeros), width).check(given)
    }

    /// The same distribution around this centre, on this coset.
    fn place(&self, center: Arc<Center>, shift: Arc<Vec<BigInt>>, given: &str) -> Result<Form, Refused> {
        placed(Arc::clone(&self.space), center, shift, self.width).check(given)
    }

    /// Refuses it if the acceptance probability is too small. `given` is the width in the message.
    fn check(self, given: impl fmt::Display) -> Result<Form, Refused> {
        if self.target.acceptance >= BigUint::from(1_u8) << (UNITS - LIMIT) {
            return Ok(self);
        }
        // The power of 2 above it, and the one below it where that is the limit.
        let bound = UNITS.saturating_sub(self.target.acceptance.bits() as u32).max(LIMIT + 1);
        let width = self.width;
        let why = format!(
            "expected an acceptance probability of at least 2^-{LIMIT} for the reduced basis, where the bound is 2^-{bound}; use a larger `{width}`"
        );
        Err(Refused::new(width, given, why))
    }

    /// Returns the same distribution around another centre, which need not be near the lattice. The coset stays.
    ///
    /// # Errors
    ///
    /// [`Refused`] unless the centre has as many entries as a sample; and if it makes the acceptance probability less than 2^-20.
    ///
    /// ```
    /// use samplez_lattice::{Form, Matrix};
    /// let form = Form::basis(&Matrix::new(&[[2, 1], [0, 3]])?, "4".parse()?)?;
    /// assert!(form.with_center(&["1/3".parse()?, "-7.25".parse()?]).is_ok());
    /// let e = form.with_center(&["1/3".parse()?]).unwrap_err();
    /// assert_eq!(e.to_string(), "center = 1 entries: expected 2, one for each column");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_center(&self, center: &[Rational]) -> Result<Form, Refused> {
        let columns = self.columns();
        if center.len() != columns {
            let allowed = format!("expected {columns}, one for each column");
            return Err(Refused::new("center", format!("{} entries", center.len()), allowed));
        }
        let den = center.iter().fold(BigInt::from(1), |den, c| den.lcm(&BigInt::from(c.den())));
        let whole: Vec<BigInt> =
            center.iter().map(|c| BigInt::from(c.num()) * (&den / BigInt::from(c.den()))).collect();
        self.place(Arc::new(Center { whole, den }), Arc::clone(&self.shift), "as given, with this center")
    }

    /// Returns the Gaussian on the coset `shift` + Λ of the lattice. The centre stays: P(v) is proportional to the same function
    /// of v - c. A second call replaces the shift of the first.
    ///
    /// # Errors
    ///
    /// As [`with_center`](Self::with_center).
    ///
    /// ```
    /// use samplez::{BitReader, Seed};
    /// use samplez_lattice::{Form, Matrix};
    /// use samplez_sources::ChaCha20;
    /// let odd = Form::basis(&Matrix::new(&[[2, 0], [0, 2]])?, "5".parse()?)?.coset(&[1, 1])?;
    /// let mut v = [0; 2];
    /// odd.sample(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))), &mut v)?;
    /// assert!(v[0] % 2 != 0 && v[1] % 2 != 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coset(&self, shift: &[i64]) -> Result<Form, Refused> {
        let columns = self.columns();
        if shift.len() != columns {
            let allowed = format!("expected {columns}, one for each column");
            return Err(Refused::new("shift", format!("{} entries", shift.len()), allowed));
        }
        let shift = shift.iter().map(|x| BigInt::from(*x)).collect();
        self.place(Arc::clone(&self.center), Arc::new(shift), "as given, on this coset")
    }

    /// Returns the rank of the lattice.
    pub fn rank(&self) -> usize {
        self.space.dimension()
    }

    /// Returns the number of integers of a sample.
    pub fn columns(&self) -> usize {
        self.offset.len()
    }

    /// Returns a lower bound of the probability that a proposal is accepted.
    ///
    /// ```
    /// use samplez_lattice::{Form, Matrix};
    /// // Coordinates of Z^n are independent: Klein's samples are exact, and all but 2^-28 are kept.
    /// let form = Form::basis(&Matrix::new(&[[1, 0], [0, 1]])?, "0.3".parse()?)?;
    /// assert!(form.acceptance() > 0.999_999);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn acceptance(&self) -> f64 {
        // 53 bits, rounded down.
        let top = &self.target.acceptance >> (UNITS - 53);
        u64::try_from(top).map_or(1.0, |top| top as f64 / (1_u64 << 53) as f64)
    }

    /// Writes the next sample of these bits into `out`.
    ///
    /// # Errors
    ///
    /// [`RangeError`] if an entry does not fit 64 bits. `out` is then all zeros.
    ///
    /// # Panics
    ///
    /// If `out` has not [`columns`](Self::columns) entries.
    pub fn sample<B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [i64]) -> Result<(), RangeError> {
        assert_eq!(out.len(), self.columns(), "out: expected as many entries as a sample has");
        let drawn = self.target.sample(&self.space, bits).and_then(|x| self.combine(&x, out));
        drawn.ok_or_else(|| {
            out.zeroize();
            RangeError::of::<i64>()
        })
    }

    /// [`combine`](Self::combine) where every number has 16 bits, and every sum 31. `None` elsewhere.
    fn combine_narrow(&self, x: &[i64], out: &mut [i64]) -> Option<()> {
        let (narrow, (_, largest)) = self.space.narrow.as_ref().zip(self.space.words.as_ref())?;
        let mut small = Zeroizing::new(vec![0_i16; x.len()]);
        let mut size = 0;
        for (small, x) in small.iter_mut().zip(x) {
            *small = i16::try_from(*x).ok()?;
            size += x.unsigned_abs();
        }
        if size * largest >= 1 << 31 {
            return None;
        }
        for ((out, column), offset) in out.iter_mut().zip(narrow.chunks_exact(x.len())).zip(self.offset.iter()) {
            let sum: i32 = column.iter().zip(small.iter()).map(|(b, x)| i32::from(*b) * i32::from(*x)).sum();
            *out = i64::try_from(offset).ok()?.checked_add(sum.into())?;
        }
        Some(())
    }

    /// Σ x_i·b_i and the offset.
    pub(crate) fn combine(&self, x: &[i64], out: &mut [i64]) -> Option<()> {
        if self.combine_narrow(x, out).is_some() {
            return Some(());
        }
        if let Some((words, largest)) = &self.space.words {
            let size: u128 = x.iter().map(|x| u128::from(x.unsigned_abs())).sum();
            // Every partial sum has 62 bits.
            if size.checked_mul(u128::from(*largest)).is_some_and(|size| size < 1 << 62) {
                out.fill(0);
                for (x, row) in x.iter().zip(words.chunks_exact(self.columns())) {
                    out.iter_mut().zip(row).for_each(|(sum, b)| *sum += x * b);
                }
                return out.iter_mut().zip(self.offset.iter()).try_for_each(|(sum, offset)| {
                    *sum = sum.checked_add(i64::try_from(offset).ok()?)?;
                    Some(())
                });
            }
        }
        for (k, out) in out.iter_mut().enumerate() {
            let sum: BigInt = self.space.vectors.iter().zip(x).map(|(row, x)| &row[k] * x).sum();
            *out = i64::try_from(sum + &self.offset[k]).ok()?;
        }
        Some(())
    }
}

/// The form of this centre c and shift t. Its walk is around c - t less the nearest plane's lattice vector, which is added with t.
fn placed(space: Arc<Space>, center: Arc<Center>, shift: Arc<Vec<BigInt>>, width: &'static str) -> Form {
    let den = &center.den;
    let own: Vec<BigInt> = center.whole.iter().zip(shift.iter()).map(|(c, t)| c - t * den).collect();
    let mut lambda = space.project(&own);
    let mut offset = shift.to_vec();
    for j in (0..lambda.len()).rev() {
        let d = &space.reduced.minors[j + 1];
        let q = nearest(&lambda[j], &(d * den));
        if q.sign() == Sign::NoSign {
            continue;
        }
        lambda[j] -= &q * d * den;
        for (l, own) in lambda.iter_mut().zip(&space.reduced.lambda[j]) {
            *l -= &q * own * den;
        }
        offset.iter_mut().zip(&space.vectors[j]).for_each(|(sum, b)| *sum += &q * b);
    }
    let target = Target::new(&space, lambda, den.clone());
    Form { space, target: Arc::new(target), offset: Arc::new(offset), center, shift, width }
}

fn whole(argument: &str, of: &Matrix, why: &str) -> Result<(), Refused> {
    if of.den == BigInt::from(1) {
        return Ok(());
    }
    Err(Refused::new(argument, format!("entries over {}", of.den), why))
}

/// 1/σ².
fn inverse_square(sigma: Rational) -> Result<(BigUint, BigUint), Refused> {
    if sigma.num() <= 0 {
        return Err(Refused::new("sigma", format_args!("{sigma:#}"), "expected a number above 0"));
    }
    let square = |x: u64| BigUint::from(x) * x;
    Ok((square(sigma.den()), square(sigma.num().unsigned_abs())))
}

#[cfg(test)]
mod tests;
