//! Sums and differences of laws, and laws with given weights.

use super::super::base::Family;
use super::super::masses::{END_LOG2, MOST_VALUES, Masses, ROUNDING, Table};
use super::{TargetError, TargetLaw, refuse};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// At most so many samples of one law are added. So all that tables omit of a sum of 64 terms is below 2^-180.
const MOST_COPIES: u32 = 1 << 20;
const MOST_TERMS: usize = 64;

/// The largest factor of a term.
const MOST_FACTOR: u64 = 1 << 32;

/// A term of a sum: the sum of `copies` independent samples of `law`, times `factor`.
///
/// ```
/// use samplez_core::NoiseLaw;
/// use samplez_tables::{TargetLaw, Term};
/// let coin = TargetLaw::finite(&NoiseLaw::CenteredBinomial { eta: 1 })?;
/// let law = TargetLaw::sum(&[Term { copies: 2, ..Term::from(&coin) }])?;
/// assert_eq!(law.pmf(2), 0.0625);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Term {
    /// The law.
    pub law: TargetLaw,
    /// The factor, which is not 0.
    pub factor: i64,
    /// The number of samples.
    pub copies: u32,
}

impl From<&TargetLaw> for Term {
    fn from(law: &TargetLaw) -> Self {
        Term { law: law.clone(), factor: 1, copies: 1 }
    }
}

impl TargetLaw {
    /// Returns the law of a sum of independent terms: of x − y with a factor of −1, of noise times 1000, or of several clients' noise.
    ///
    /// The masses are those of the convolution, computed in doubles, with a relative [`error`](Self::error). Less than 2^-180 of the law lies beyond
    /// [`support`](Self::support).
    ///
    /// # Errors
    ///
    /// [`TargetError`] for no term or more than 64, a factor of 0 or beyond 2^32, and for copies that are not from 1 to 2^20. The sum and each term have at
    /// most 2^20 values, with 2^-220 of the law outside, and one convolution takes at most 2^32 products.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, NoiseLaw};
    /// use samplez_tables::{TargetLaw, Term};
    /// let gaussian = TargetLaw::from(&DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// let table = TargetLaw::weights(0, &[1, 2, 1])?;
    /// let law = TargetLaw::sum(&[Term { factor: 1000, ..Term::from(&gaussian) }, Term { factor: -1, ..Term::from(&table) }])?;
    /// assert_eq!(law.to_string(), "1000*D_Z(sigma = 16/5, center = 0) - weights(0: 1 2 1)");
    /// assert_eq!((law.pmf(999), law.pmf(0)), (gaussian.pmf(1) / 2.0, gaussian.pmf(0) / 4.0));
    /// assert!(law.pmf(500) == 0.0 && law.error() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum(terms: &[Term]) -> Result<Self, TargetError> {
        let name = shown(terms);
        if !(1..=MOST_TERMS).contains(&terms.len()) {
            return refuse("sum", format!("{} terms", terms.len()), "from 1 to 64 terms");
        }
        const TOO_WIDE: &str = "at most 2^20 values within 64 bits in the sum and in each term, and 2^32 products of two terms' values; for wide Gaussians with one factor, give one Gaussian whose sigma_squared is the sum of theirs";
        let (mut all, mut mean, mut variance) = (Masses::zero(), 0.0, 0.0);
        for Term { law, factor, copies } in terms {
            if *factor == 0 || factor.unsigned_abs() > MOST_FACTOR {
                return refuse("sum", name, "factors other than 0, up to 2^32");
            }
            if !(1..=MOST_COPIES).contains(copies) {
                return refuse("copies", copies, "a whole number from 1 to 2^20");
            }
            let range = law.tail_range(f64::from(END_LOG2 - 1));
            let range = range.filter(|range| range.end().abs_diff(*range.start()) < MOST_VALUES as u64);
            let Some(range) = range else { return refuse("sum", name, TOO_WIDE) };
            let one = Masses { low: *range.start(), masses: range.map(|x| law.pmf(x)).collect(), error: law.error() };
            let (m, v) = law.mean_and_variance().unwrap_or_else(|| one.moments());
            let (times, copied) = (*factor as f64, f64::from(*copies));
            mean += times * copied * m;
            variance += times * times * copied * v;
            let Some(sum) = one.times(*copies).and_then(|one| all.plus(&one, *factor)) else {
                return refuse("sum", name, TOO_WIDE);
            };
            all = sum;
        }
        Ok(Self::of_table(Table::new(name, all, (mean, variance))))
    }

    /// Returns the law on `low`, `low` + 1, … whose probabilities are proportional to these weights.
    ///
    /// # Errors
    ///
    /// [`TargetError`] if no weight is above 0, for more than 2^20 weights, and for values beyond 64 bits.
    ///
    /// ```
    /// let law = samplez_tables::TargetLaw::weights(-1, &[1, 2, 1])?;
    /// assert_eq!((law.support(), law.pmf(0), law.mean_and_variance()), (-1..=1, 0.5, Some((0.0, 0.5))));
    /// # Ok::<(), samplez_tables::TargetError>(())
    /// ```
    pub fn weights(low: i64, weights: &[u64]) -> Result<Self, TargetError> {
        let total: u128 = weights.iter().copied().map(u128::from).sum();
        let texts: Vec<String> = weights.iter().map(u64::to_string).collect();
        let shown = format!("{low}: {}", texts.join(" "));
        let fits = weights.len() <= MOST_VALUES && low.checked_add(weights.len() as i64).is_some();
        if total == 0 || !fits {
            return refuse(
                "weights",
                shown,
                "from 1 to 2^20 weights, of which one is above 0, of values within 64 bits",
            );
        }
        let masses = weights.iter().map(|weight| *weight as f64 / total as f64).collect();
        Ok(Self::by_masses(&format!("weights({shown})"), low, masses, 3.0 * ROUNDING))
    }

    /// The law with these masses, which add up to 1 and have such a relative error, from a value on.
    #[doc(hidden)]
    pub fn by_masses(name: &str, low: i64, masses: Vec<f64>, error: f64) -> Self {
        let masses = Masses { low, masses, error }.trimmed();
        let moments = masses.moments();
        Self::of_table(Table::new(name.to_owned(), masses, moments))
    }

    fn of_table(table: Table) -> Self {
        TargetLaw::new(Family::Table(Arc::new(table), 0))
    }

    /// Returns a bound of the relative error of each probability of a sum of laws that are no sums, from 2^-128 on before it is cut. Below, up to
    /// 2^-180 may be lacking, or 2^-160 after a cut. Other laws' probabilities are correctly rounded, so theirs is 2^-53.
    pub fn error(&self) -> f64 {
        // A cut divides by a sum with the same error.
        let times = if self.parts.range.is_some() { 2.0 } else { 1.0 };
        // Second-order terms are below a millionth of it.
        self.masses().map_or(ROUNDING, |(table, _)| times * table.error * (1.0 + 1e-6))
    }

    /// Returns whether this is a sum or has weights, cut or reduced or not.
    pub fn is_sum(&self) -> bool {
        self.masses().is_some()
    }

    /// Returns an upper bound of the probabilities of a sum or of weights, unless a modulus changes them; `None` for other laws.
    #[doc(hidden)]
    pub fn greatest(&self) -> Option<f64> {
        let held = self.held.as_ref().map_or(1.0, |held| held.to_f64());
        self.masses().map(|(table, _)| (table.greatest() / held).min(1.0))
    }

    /// The masses, and what is subtracted from their values.
    pub(super) fn masses(&self) -> Option<(&Arc<Table>, i64)> {
        match &self.parts.family {
            Family::Table(table, shift) => Some((table, *shift)),
            _ => None,
        }
    }
}

/// A sum in words.
fn shown(terms: &[Term]) -> String {
    let mut text = String::new();
    for Term { law, factor, copies } in terms {
        text += match (text.is_empty(), *factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        if *copies != 1 {
            text += &format!("{copies} copies of ");
        }
        if factor.unsigned_abs() != 1 {
            text += &format!("{}*", factor.unsigned_abs());
        }
        let law = law.to_string();
        text += &if law.contains(" + ") || law.contains(" - ") { format!("({law})") } else { law };
    }
    text
}
