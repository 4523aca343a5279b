//! The parameters of a trapdoor: [`Parameters`].

use super::matrix::modulus;
use crate::gadget::bounds::{Departures, ripple};
use crate::gadget::{Gadget, SIGMA_MAX};
use samplez::Refused;
use samplez_core::{Bound, Rational};

/// The greatest number of rows.
const ROWS_MAX: usize = 2048;
/// The greatest number of columns of Ā: a key takes time proportional to its cube.
const COLUMNS_MAX: usize = 4096;
/// The greatest value of (columns + nk)·max(n, columns). A, R and the covariance have at most so many entries.
const ENTRIES_MAX: usize = 1 << 26;
/// The largest base.
const BASE_MAX: u64 = 1 << 10;
/// The largest σ of R.
const KEY_SIGMA_MAX: i64 = 64;
/// The largest denominator of σ: s² - r² is then a fraction of integers below 2^63, for r a half-integer.
const DEN_MAX: u64 = 1 << 5;
/// log2 of the largest Σ_i |K_ji|.
pub(super) const ROW_SUM: i32 = 5;

/// The parameters of a [`Trapdoor`](crate::Trapdoor): n and q, and some with a default.
///
/// | | default | |
/// |---|---|---|
/// | `base` | 2 | the gadget's base b; k is the least with q <= b^k |
/// | `columns` | 2n | the columns of Ā. A key takes time proportional to their cube. For a statistically uniform A take at least n·log2(q) + 2·128 |
/// | `key_sigma` | 2 | σ of the entries of R, from 1 to 64 |
/// | `sigma` | [`min_sigma`](Self::min_sigma) | σ of preimages, to 2^25, a fraction with a denominator of at most 32 |
///
/// A has m = columns + n·k columns. The parameters are checked when they are used.
///
/// ```
/// use samplez_lattice::Parameters;
/// let parameters = Parameters::new(64, 1 << 14);
/// assert_eq!((parameters.dimension()?, parameters.min_sigma()?.to_string()), (1024, "437".to_string()));
/// let e = parameters.sigma("100".parse()?).dimension().unwrap_err();
/// assert_eq!(e.to_string(), "sigma = 100: expected a number from 437 to 2^25, with a denominator of at most 32");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    n: usize,
    q: u64,
    base: u64,
    columns: Option<usize>,
    key_sigma: Rational,
    sigma: Option<Rational>,
}

/// Parameters that were checked.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub(super) n: usize,
    /// Columns of Ā, and of R.
    pub(super) top: usize,
    pub(super) bottom: usize,
    pub(super) key_sigma: Rational,
    /// s and r.
    pub(super) sigma: Rational,
    pub(super) gadget: Gadget,
}

impl Parameters {
    /// Builds the parameters for A with n rows over Z_q.
    pub fn new(n: usize, q: u64) -> Self {
        Parameters { n, q, base: 2, columns: None, key_sigma: Rational::from(2), sigma: None }
    }

    /// With this gadget base b. A larger base gives fewer columns and a larger σ.
    #[must_use]
    pub fn base(mut self, base: u64) -> Self {
        self.base = base;
        self
    }

    /// With this number of columns of Ā.
    #[must_use]
    pub fn columns(mut self, columns: usize) -> Self {
        self.columns = Some(columns);
        self
    }

    /// With this σ of the entries of R.
    #[must_use]
    pub fn key_sigma(mut self, sigma: Rational) -> Self {
        self.key_sigma = sigma;
        self
    }

    /// With this σ of preimages.
    #[must_use]
    pub fn sigma(mut self, sigma: Rational) -> Self {
        self.sigma = Some(sigma);
        self
    }

    /// Returns m, the number of columns of A.
    ///
    /// # Errors
    ///
    /// [`Refused`] if any parameter is not allowed.
    pub fn dimension(&self) -> Result<usize, Refused> {
        self.checked().map(|checked| checked.top + checked.bottom)
    }

    /// Returns the least σ of preimages: the least integer s with s² >= (1 + 10^-9)²·r²·(4/3)(1 + Λ).
    ///
    /// The factor is for the rounding of doubles. So s may be one more than the bound without it.
    ///
    /// r is the gadget's σ, 2b for q = b^k and 2b + 1/2 for other q. Λ = σ_R²(sqrt(columns) + sqrt(nk) + 6)² bounds the square of R's
    /// largest singular value; a key whose R exceeds it is dropped. It depends on no secret.
    ///
    /// # Errors
    ///
    /// [`Refused`] if any other parameter is not allowed.
    pub fn min_sigma(&self) -> Result<Rational, Refused> {
        let (top, bottom, gadget) = self.shape()?;
        let edge = self.key_sigma.to_f64() * ((top as f64).sqrt() + (bottom as f64).sqrt() + 6.0);
        let least = gadget.sigma().to_f64() * (4.0 / 3.0 * (1.0 + edge * edge)).sqrt();
        Ok(Rational::from((least * (1.0 + 1e-9)).ceil() as i64))
    }

    /// Returns the bound of the distance of a preimage from D_{Λ_u^⊥(A),σ}, for every key. Proof: docs/proofs/trapdoor.md.
    ///
    /// # Errors
    ///
    /// [`Refused`] if any parameter is not allowed.
    ///
    /// ```
    /// let bound = samplez_lattice::Parameters::new(64, 1 << 14).bound()?;
    /// assert!(bound.renyi(2).unwrap() < -92.0 && bound.renyi(256).unwrap() < -85.0);
    /// assert!(bound.samples_log2(128).unwrap() > 83.0); // 2^83 preimages that cost at most 2 of 128 bits
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn bound(&self) -> Result<Bound, Refused> {
        self.checked().map(|checked| checked.bound())
    }

    /// The columns of Ā and of R, and the gadget.
    fn shape(&self) -> Result<(usize, usize, Gadget), Refused> {
        modulus(self.q)?;
        let count = |name: &str, value: usize, most: usize| {
            let wrong = || Refused::new(name, value, format!("expected an integer from 1 to {most}"));
            if (1..=most).contains(&value) { Ok(()) } else { Err(wrong()) }
        };
        count("n", self.n, ROWS_MAX)?;
        let top = self.columns.unwrap_or(2 * self.n);
        count("columns", top, COLUMNS_MAX)?;
        let largest = self.q.min(BASE_MAX);
        if !(2..=largest).contains(&self.base) {
            return Err(Refused::new("base", self.base, format!("expected an integer from 2 to {largest}")));
        }
        if self.key_sigma < Rational::from(1) || self.key_sigma > Rational::from(KEY_SIGMA_MAX) {
            let allowed = format!("expected a number from 1 to {KEY_SIGMA_MAX}");
            return Err(Refused::new("key_sigma", format_args!("{:#}", self.key_sigma), allowed));
        }
        // For q = b^k the least σ is an integer.
        let is_power = Gadget::min_sigma(self.base, self.q)?.is_integer();
        let (num, den) = if is_power { (2 * self.base, 1) } else { (4 * self.base + 1, 2) };
        let r = Rational::new(num as i64, den).unwrap_or(Rational::from(num as i64));
        let gadget = Gadget::new(self.base, self.q, r)?;
        let bottom = self.n * gadget.digits();
        let fits = |n: usize, top: usize| (top + n * gadget.digits()) * n.max(top) <= ENTRIES_MAX;
        if !fits(self.n, top) {
            let most = |fits: &dyn Fn(usize) -> bool, value: usize| (1..value).rev().find(|x| fits(*x)).unwrap_or(1);
            let (name, value, most, with) = match self.columns {
                // Fewer columns suffice.
                Some(_) if fits(self.n, 1) => {
                    ("columns", top, most(&|top| fits(self.n, top), top), format!("n = {}", self.n))
                }
                Some(_) => ("n", self.n, most(&|n| fits(n, top), self.n), format!("columns = {top}")),
                None => ("n", self.n, most(&|n| fits(n, 2 * n), self.n), "columns = 2n".to_string()),
            };
            return Err(Refused::new(
                name,
                value,
                format!("expected an integer from 1 to {most} for this base and q, and {with}"),
            ));
        }
        Ok((top, bottom, gadget))
    }

    pub(super) fn checked(&self) -> Result<Checked, Refused> {
        let (top, bottom, gadget) = self.shape()?;
        let least = self.min_sigma()?;
        let sigma = self.sigma.unwrap_or(least);
        let allowed = format!("expected a number from {least} to 2^25, with a denominator of at most {DEN_MAX}");
        if least > Rational::from(SIGMA_MAX) {
            let wanted = format!("expected a smaller n, base or key_sigma: the least sigma is {least}, above 2^25");
            return Err(Refused::new("n", self.n, wanted));
        }
        if sigma < least || sigma > Rational::from(SIGMA_MAX) || sigma.den() > DEN_MAX {
            return Err(Refused::new("sigma", format_args!("{sigma:#}"), allowed));
        }
        Ok(Checked { n: self.n, top, bottom, key_sigma: self.key_sigma, sigma, gadget })
    }
}

impl Checked {
    /// The squared relative error, in the Frobenius norm, that the covariance of p may have. A key beyond it is dropped.
    pub(super) fn covariance(&self) -> f64 {
        let size = self.top as f64 + 16.0;
        size * size / (1_u128 << 112) as f64
    }

    /// Bits of fraction of p's first coordinates less their means: the integers below 32s have the others of 63.
    pub(super) fn places(&self) -> u32 {
        62 - ((16 * self.sigma.floor() + 16) as u64).ilog2() - 1
    }

    /// The bound of docs/proofs/trapdoor.md.
    pub(super) fn bound(&self) -> Bound {
        let (s, r) = (self.sigma.to_f64(), self.gadget.sigma().to_f64());
        let (blocks, top, bottom) = (self.n as f64, self.top as f64, self.bottom as f64);
        let gadget = self.gadget.departures();
        // |R·p₂| is below 32s²/r, by s >= r·σ_1(R), so that its product with r²/(s² - r²) errs by less than this. The proof
        // stops a preimage where it is not, which adds 2^-700 to SD: far less than the rounding of the result.
        let ratio = 32.0 * s * s / r * (-96_f64).exp2();
        let error = f64::from(ROW_SUM).exp2() * ((-f64::from(self.places())).exp2() + ratio) + ratio + (-62_f64).exp2();
        Departures {
            calls: top + blocks * gadget.calls,
            cut: bottom,
            centers: top * (error / (s / 2.0)).powi(2) + blocks * gadget.centers,
            covariance: self.covariance() + blocks * gadget.covariance,
            // Klein's normalizations, p's and the gadget's, and the sum over z.
            ripple: top * ripple(s / 2.0) + blocks * self.gadget.ripple() + bottom * ripple(r / 2.0),
        }
        .bound()
    }
}
