//! Distributions beside D_Z that a sampler or a table may aim at: the rounded normal, both cut to a range, all modulo q.

mod error;
mod others;
mod sum;

pub use error::TargetError;
pub use sum::Term;

use super::base::{Base, Family, Parts};
use super::{Law, sigma};
use crate::density::Exponent;
use crate::fixed::{Constant, Interval, Scaled, ln};
use alloc::format;
use alloc::string::ToString;
use core::fmt;
use core::ops::RangeInclusive;
use error::refuse;
use samplez_core::{DiscreteGaussian, NoiseLaw, ParamError, Rational};

/// The distance from the centre, in σ, beyond which and two more values the mass is below 2^-1000.
const REACH: f64 = 40.0;

/// From this σ/q on, residues are uniform, except for e^(-2π²σ²/q²) < 2^-1800.
const UNIFORM: f64 = 8.0;

/// At most so many periods of q are summed.
const MOST_PERIODS: u128 = 1 << 12;

/// Variances of Skellam's law that are a sum's: from the largest of one sample on, and so many that its values fit a table.
const SUMMED: f64 = (1 << 20) as f64;
const MOST_SUMMED: f64 = (1 << 26) as f64;

/// At most so many values are summed for a moment.
const MOST_VALUES: u64 = 1 << 16;

/// From this σ on, a rounded normal has the moments of the normal plus a uniform variable. By Poisson's formula they differ by
/// e^(-2π²·16), about 2^-455, times a polynomial.
const SMOOTH: f64 = 4.0;

/// A distribution over the integers that a sampler or a table may aim at.
///
/// It is D_{Z,σ,c}, or the *rounded normal*: the integer nearest to a normal variable of mean c and standard deviation σ.
/// Its probabilities are P(X = x) = Φ((x + 1/2 - c)/σ) - Φ((x - 1/2 - c)/σ). Either may be *cut* to a range ([`within`](Self::within),
/// [`clipped`](Self::clipped)): the distribution given that X lies there, as of a sampler that draws again. Either may be
/// reduced *modulo q* ([`modulo`](Self::modulo)). Another [`NoiseLaw`] is a third base, such as a centred binomial
/// ([`finite`](Self::finite)), and so are [sums](Self::sum) of all of these and [weights](Self::weights).
///
/// Probabilities are correctly rounded, as in [`Law`]; for residues, centred binomials of η > 32, Skellam and
/// discrete Laplace laws, from 2^-900 on. Those of sums have an [`error`](Self::error).
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::TargetLaw;
/// let parameters = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let (ideal, rounded) = (TargetLaw::from(&parameters), TargetLaw::rounded(&parameters)?);
/// assert_eq!((ideal.pmf(0), rounded.pmf(0)), (0.12466946262544772, 0.12416403361658973));
/// let clipped = rounded.clipped("19".parse()?)?;
/// assert_eq!(clipped.to_string(), "RoundedNormal(sigma = 16/5, center = 0), -19 <= x <= 19");
/// assert_eq!((clipped.pmf(20), clipped.cdf(19)), (0.0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TargetLaw {
    parts: Parts,
    base: Base<{ super::LIMBS }>,
    /// The mass of the base in the range; `None` for all.
    held: Option<Scaled<{ super::LIMBS }>>,
}

impl PartialEq for TargetLaw {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl From<&DiscreteGaussian> for TargetLaw {
    fn from(parameters: &DiscreteGaussian) -> Self {
        TargetLaw::new(Family::Gaussian(*parameters))
    }
}

impl From<&TargetLaw> for TargetLaw {
    fn from(law: &TargetLaw) -> Self {
        law.clone()
    }
}

impl TargetLaw {
    fn new(family: Family) -> Self {
        let parts = Parts { family, range: None, modulus: None };
        TargetLaw { base: Base::new(&parts), parts, held: None }
    }

    /// Returns a finite law, a Skellam or a discrete Laplace law, or the Gaussian of a [`NoiseLaw`] that is one.
    ///
    /// # Errors
    ///
    /// [`ParamError`] for parameters that [`NoiseLaw::bound`] rejects, except for variances of Skellam's law up to 2^26: sums of samples.
    ///
    /// ```
    /// use samplez_core::NoiseLaw;
    /// use samplez_tables::TargetLaw;
    /// let law = TargetLaw::finite(&NoiseLaw::CenteredBinomial { eta: 2 })?;
    /// assert_eq!((law.to_string(), law.support(), law.pmf(-1)), ("CBD(2)".into(), -2..=2, 0.25));
    /// assert!(TargetLaw::finite(&NoiseLaw::TUniform { bound_log2: 63 }).is_err());
    /// # Ok::<(), samplez_core::ParamError>(())
    /// ```
    pub fn finite(law: &NoiseLaw) -> Result<Self, ParamError> {
        if let NoiseLaw::Skellam { variance } = law
            && (SUMMED..=MOST_SUMMED).contains(&variance.to_f64())
        {
            return Ok(TargetLaw::new(Family::Finite(*law, variance.to_f64())));
        }
        law.bound()?;
        if let NoiseLaw::TruncatedLaplace { scale, bound } = *law {
            let whole = TargetLaw::finite(&NoiseLaw::DiscreteLaplace { scale })?;
            return Ok(whole.within(-(bound as i64)..=bound as i64).expect("the bound is at least half the scale"));
        }
        Ok(match (law.gaussian(), law.variance()) {
            (None, Some(variance)) => TargetLaw::new(Family::Finite(*law, variance)),
            (Some(gaussian), _) => gaussian.into(),
            (None, None) => unreachable!("a law with a bound has a variance"),
        })
    }

    /// Returns this law given that X lies in the range.
    ///
    /// # Errors
    ///
    /// [`TargetError`] for an empty range, one that holds less than 2^-900 of the law, and for a law that is cut or reduced already.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::TargetLaw;
    /// let law = TargetLaw::from(&DiscreteGaussian::with_sigma("1".parse()?)?).within(0..=1)?;
    /// assert_eq!((law.pmf(0), law.sf(0)), (0.6224593312018546, 0.37754066879814546));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within(&self, range: RangeInclusive<i64>) -> Result<Self, TargetError> {
        let (low, high) = range.into_inner();
        let shown = format!("{low}..{high}");
        if low > high {
            return refuse("range", shown, "LOW..HIGH with LOW at most HIGH");
        }
        if self.parts.range.is_some() || self.parts.modulus.is_some() {
            return refuse("range", shown, "a law that is neither cut nor reduced yet");
        }
        let held = self.base.mass(low, high);
        // A sum may lack 2^-180 of its law.
        let (least, expected) = match self.masses() {
            Some(_) => (-20.0, "a range that holds at least 2^-20 of the sum"),
            None => (-900.0, "a range that holds at least 2^-900 of the distribution"),
        };
        if held.to_f64() < libm::exp2(least) {
            return refuse("range", shown, expected);
        }
        let parts = Parts { range: Some((low, high)), ..self.parts.clone() };
        Ok(TargetLaw { parts, held: Some(held), ..self.clone() })
    }

    /// Returns this law given that |X - c| <= bound.
    ///
    /// # Errors
    ///
    /// As [`within`](Self::within), and for a bound that is not above 0.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::TargetLaw;
    /// let law = TargetLaw::rounded(&DiscreteGaussian::with_sigma("3.2".parse()?)?)?;
    /// assert_eq!(law.clipped("19.2".parse()?)?.support(), -19..=19);
    /// assert!(law.clipped("0".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clipped(&self, bound: Rational) -> Result<Self, TargetError> {
        if bound.num() <= 0 {
            return refuse("clip", bound, "a number above 0");
        }
        if self.masses().is_some() {
            return refuse("clip", bound, "a law with a centre; cut a sum by a range instead");
        }
        let cut = ends(self.parts.family.center(), bound).map(|(low, high)| self.within(low..=high));
        match cut {
            Some(Ok(law)) => Ok(law),
            Some(Err(error)) if self.parts.range.is_some() || self.parts.modulus.is_some() => Err(error),
            _ => {
                refuse("clip", bound, "a bound within which integers lie that hold at least 2^-900 of the distribution")
            }
        }
    }

    /// Returns the law of X modulo q. Its values are q integers about the centre, one for each residue. They begin ⌊q/2⌋ below the
    /// integer nearest to the centre.
    ///
    /// Each has the sum of the probabilities of all integers with its residue.
    ///
    /// # Errors
    ///
    /// [`TargetError`] for a modulus below 2 or above 2^64. If the law is cut, at most 4096 periods may lie in its range. The law has to lie within
    /// 64 bits, unless σ is at least 8q. [`support`](Self::support) ends there too.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::TargetLaw;
    /// let law = TargetLaw::from(&DiscreteGaussian::with_sigma("1".parse()?)?).modulo(3)?;
    /// assert_eq!(law.support(), -1..=1);
    /// assert_eq!((law.pmf(0), law.pmf(1)), (0.4078059871950775, 0.2960970064024613));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn modulo(&self, q: u128) -> Result<Self, TargetError> {
        let shown = || q.to_string();
        if !(2..=1 << 64).contains(&q) {
            return refuse("modulus", shown(), "a whole number from 2 to 2^64");
        }
        if self.parts.modulus.is_some() {
            return refuse("modulus", shown(), "a law that is not reduced yet");
        }
        let law = TargetLaw { parts: Parts { modulus: Some(q), ..self.parts.clone() }, ..self.clone() };
        let (low, high) = law.reach();
        let is_wide = self.parts.range.is_none() && (low == i64::MIN || high == i64::MAX);
        let periods = u128::from(high.abs_diff(low)) / q;
        if !law.is_uniform(q) && (is_wide || periods > MOST_PERIODS) {
            return refuse(
                "modulus",
                shown(),
                "a modulus of which at most 4096 periods lie in the range, within 64 bits",
            );
        }
        Ok(law)
    }

    /// Returns this law moved down by a whole number; `None` if that leaves 64 bits. A finite law remains about 0.
    pub fn moved(&self, by: i64) -> Option<Self> {
        let mut law = match (self.parameters(), self.masses()) {
            (Some(parameters), _) => {
                let center = parameters.center();
                let num = i128::from(center.num()) - i128::from(by) * i128::from(center.den());
                let center = Rational::new(i64::try_from(num).ok()?, center.den())?;
                let parameters = DiscreteGaussian::new(center, parameters.width()).ok()?;
                if self.is_rounded() { Self::rounded(&parameters).ok()? } else { (&parameters).into() }
            }
            (None, Some((table, shift))) => TargetLaw::new(Family::Table(table.clone(), shift.checked_add(by)?)),
            (None, None) => return (by == 0).then(|| self.clone()),
        };
        if let Some((low, high)) = self.parts.range {
            // A range may be as wide as 64 bits.
            law = law.within(low.saturating_sub(by)..=high.saturating_sub(by)).ok()?;
        }
        self.parts.modulus.map_or(Some(law.clone()), |q| law.modulo(q).ok())
    }

    /// Returns centre and width; for a rounded normal, they belong to the normal variable. `None` for a finite law.
    pub fn parameters(&self) -> Option<&DiscreteGaussian> {
        self.parts.family.parameters()
    }

    /// Returns the law other than a Gaussian that this one is, cut or reduced or not.
    pub fn noise(&self) -> Option<&NoiseLaw> {
        match &self.parts.family {
            Family::Finite(law, _) => Some(law),
            _ => None,
        }
    }

    /// Returns the modulus q.
    pub fn modulus(&self) -> Option<u128> {
        self.parts.modulus
    }

    /// Returns the support.
    pub fn support(&self) -> RangeInclusive<i64> {
        let (low, high) = match (self.parts.modulus, self.parts.range) {
            (Some(q), _) => self.window(q),
            (None, range) => range.unwrap_or((i64::MIN, i64::MAX)),
        };
        match (self.parts.modulus, self.ends()) {
            (None, Some((first, last))) => low.max(first)..=high.min(last),
            _ => low..=high,
        }
    }

    /// Returns whether range or modulus change the law by more than 2^-100.
    pub fn is_cut(&self) -> bool {
        let parts = &self.parts;
        let whole = Parts { range: None, modulus: None, ..parts.clone() };
        let whole = TargetLaw { parts: whole, held: None, ..self.clone() };
        let mass = whole.tail_range(-101.0);
        (parts.range.is_some() || parts.modulus.is_some())
            && mass.is_none_or(|near| {
                let within = |(low, high): (i64, i64)| low <= *near.start() && *near.end() <= high;
                !(parts.range.is_none_or(within) && parts.modulus.is_none_or(|q| within(self.window(q))))
            })
    }

    /// Returns P(X = x).
    pub fn pmf(&self, x: i64) -> f64 {
        self.mass(x..=x)
    }

    /// Returns ln P(X = x), correctly rounded: -∞ outside of the support. Where P is below 2^-1000, it may be -∞ for a law that is cut
    /// or reduced; for a rounded normal it is from 2^-1000000 on.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::TargetLaw;
    /// let law = TargetLaw::rounded(&DiscreteGaussian::with_sigma("1".parse()?)?)?;
    /// assert_eq!((law.pmf(40), law.logpmf(40)), (0.0, -784.7208791043175));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn logpmf(&self, x: i64) -> f64 {
        if let Some(law) = self.plain() {
            return law.logpmf(x);
        }
        let coarse = surprisal(&self.coarse(x, x));
        0.0 - coarse.or_else(|| surprisal(&self.fine(x, x))).unwrap_or_else(|| self.surprisal_near_one(x))
    }

    /// -ln P(X = x) where no interval about P(X = x) decides it: P(X != x), which differs by its square, if P(X = x) is nearly 1.
    fn surprisal_near_one(&self, x: i64) -> f64 {
        if self.pmf(x) < 0.5 {
            return f64::INFINITY;
        }
        let below = x.checked_sub(1).map_or(Scaled::ZERO, |end| self.fine(i64::MIN, end));
        let rest = below.add(&x.checked_add(1).map_or(Scaled::ZERO, |from| self.fine(from, i64::MAX)));
        rest.rounded().unwrap_or_else(|| rest.to_f64())
    }

    /// Returns P(X <= x).
    pub fn cdf(&self, x: i64) -> f64 {
        // A wide law has mass beyond `i64`.
        self.plain().map_or_else(|| self.mass(i64::MIN..=x), |law| law.cdf(x))
    }

    /// Returns P(X > x).
    pub fn sf(&self, x: i64) -> f64 {
        if let Some(law) = self.plain() {
            return law.sf(x);
        }
        x.checked_add(1).map_or(0.0, |next| self.mass(next..=i64::MAX))
    }

    /// Returns P(a <= X <= b); 0 for an empty range.
    pub fn mass(&self, range: RangeInclusive<i64>) -> f64 {
        let (low, high) = range.into_inner();
        self.coarse(low, high).rounded().unwrap_or_else(|| {
            let fine = self.fine(low, high);
            fine.rounded().or_else(|| fine.rounded_end(false)).unwrap_or_else(|| fine.to_f64())
        })
    }

    /// Returns the smallest a..=b with P(X < a) < 2^log2 and P(X > b) < 2^log2; `None` unless -1000 <= log2 <= -1 and the range
    /// lies within `i64`.
    pub fn tail_range(&self, log2: f64) -> Option<RangeInclusive<i64>> {
        if let Some(law) = self.plain() {
            return law.tail_range(log2);
        }
        if !(-1000.0..=-1.0).contains(&log2) {
            return None;
        }
        let limit = libm::exp2(log2);
        let (low, high) = match (self.parts.modulus, self.reach()) {
            (Some(q), (first, last)) => {
                let (low, high) = self.window(q);
                // Within a window that is wider, nothing comes round.
                if low <= first && last <= high { (first, last) } else { (low, high) }
            }
            (None, reach) => reach,
        };
        if low == i64::MIN || high == i64::MAX {
            return None;
        }
        // Both ends keep P below the limit, and lose that at some step inwards.
        let last = |mut good: i64, mut bad: i64, light: &dyn Fn(i64) -> bool| {
            while good.abs_diff(bad) > 1 {
                let middle = ((i128::from(good) + i128::from(bad)) >> 1) as i64;
                if light(middle) { good = middle } else { bad = middle }
            }
            good
        };
        let first = last(low, high.saturating_add(1), &|x| self.cdf(x - 1) < limit);
        let end = last(high, low.saturating_sub(1), &|x| self.sf(x) < limit);
        Some(first..=end.max(first))
    }

    /// Returns mean and variance, to some units in the last place. `None` if the law is cut and has more than 65536 values.
    ///
    /// From σ = 4 on, the variance of the rounded normal is σ² + 1/12.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::TargetLaw;
    /// let law = |sigma: &str| TargetLaw::rounded(&DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap());
    /// assert!((law("10")?.mean_and_variance().unwrap().1 - 100.08333333333333).abs() < 1e-12);
    /// assert!((law("0.2")?.mean_and_variance().unwrap().1 - 0.012419330651743724).abs() < 1e-15);
    /// # Ok::<(), samplez_tables::TargetError>(())
    /// ```
    pub fn mean_and_variance(&self) -> Option<(f64, f64)> {
        let whole = match &self.parts.family {
            _ if self.is_cut() => None,
            Family::Gaussian(parameters) => {
                let moments = Law::new(parameters).moments();
                Some((moments.mean, moments.variance))
            }
            Family::Finite(_, variance) | Family::RoundedLaplace(_, variance) => Some((0.0, *variance)),
            Family::Table(table, shift) => Some((table.mean - *shift as f64, table.variance)),
            Family::Rounded(parameters) => {
                let width = sigma(parameters);
                (width >= SMOOTH).then(|| (parameters.center().to_f64(), width * width + 1.0 / 12.0))
            }
        };
        if whole.is_some() {
            return whole;
        }
        let range = self.tail_range(-1000.0)?;
        if range.end().abs_diff(*range.start()) > MOST_VALUES {
            return None;
        }
        // About an integer near the mean, so that nothing large cancels; the smallest terms first.
        let middle = self.tail_range(-1.0)?.start().midpoint(*self.tail_range(-1.0)?.end());
        let mut terms: alloc::vec::Vec<(f64, f64)> = range.map(|x| (self.pmf(x), (x - middle) as f64)).collect();
        terms.sort_by(|(p, _), (q, _)| p.total_cmp(q));
        let mean: f64 = terms.iter().map(|(p, y)| p * y).sum();
        let variance = terms.iter().map(|(p, y)| p * (y - mean) * (y - mean)).sum();
        Some((middle as f64 + mean, variance))
    }

    /// D_Z itself.
    fn plain(&self) -> Option<Law> {
        match &self.base {
            Base::Gaussian(density) if self.parts.range.is_none() && self.parts.modulus.is_none() => {
                Some(Law { density: *density })
            }
            _ => None,
        }
    }

    /// The least and the largest value of a finite law.
    fn ends(&self) -> Option<(i64, i64)> {
        match self.masses() {
            Some((table, shift)) => Some((table.low.saturating_sub(shift), table.high().saturating_sub(shift))),
            None => self.noise()?.bound().ok()?.map(|bound| (-bound, bound)),
        }
    }

    /// Where the law lies before it is reduced, except for less than 2^-1000.
    fn reach(&self) -> (i64, i64) {
        let (low, high) = self.parts.range.unwrap_or((i64::MIN, i64::MAX));
        let Some(parameters) = self.parameters() else {
            let about_zero = |bound: i64| (-bound, bound);
            let (first, last) = match &self.base {
                Base::Tails(tails) => about_zero(tails.reach()),
                Base::Laplace(tails) => about_zero(tails.reach()),
                _ => self.ends().unwrap_or((0, 0)),
            };
            return (low.max(first), high.min(last));
        };
        let (center, half) = (parameters.center().to_f64(), REACH * sigma(parameters) + 2.0);
        // A range far from the centre keeps what it holds.
        let far = self.parts.range.is_some_and(|(low, high)| low as f64 > center || (high as f64) < center);
        let half = if far { half + (low as f64 - center).abs().min((high as f64 - center).abs()) } else { half };
        ((libm::floor(center - half) as i64).max(low), (libm::ceil(center + half) as i64).min(high))
    }

    /// The q integers about the centre.
    fn window(&self, q: u128) -> (i64, i64) {
        let mode = match (self.parameters(), self.masses()) {
            (Some(parameters), _) => Exponent::new(parameters).mode(),
            (None, Some((table, shift))) => (libm::round(table.mean) as i64).saturating_sub(shift),
            (None, None) => 0,
        };
        let low = i128::from(mode) - (q / 2) as i128;
        let [low, high] = [low, low + (q - 1) as i128].map(|end| end.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
        (low, high)
    }

    /// Whether all residues have 1/q, to more than 1000 bits.
    fn is_uniform(&self, q: u128) -> bool {
        let is_wide = |parameters| sigma(parameters) >= UNIFORM * q as f64;
        self.parts.range.is_none() && self.parameters().is_some_and(is_wide)
    }

    fn coarse(&self, low: i64, high: i64) -> Scaled<{ super::LIMBS }> {
        self.enclosed(&self.base, self.held.as_ref(), low, high)
    }

    fn fine(&self, low: i64, high: i64) -> Scaled<9> {
        let base = Base::<9>::new(&self.parts);
        self.enclosed(&base, base.held(&self.parts).as_ref(), low, high)
    }

    /// P(low <= X <= high) as an absolute number, with so many limbs: for certificates.
    pub(crate) fn probabilities<const N: usize>(&self) -> impl Fn(i64, i64) -> Interval<N> {
        let base = Base::<N>::new(&self.parts);
        let held = base.held(&self.parts);
        move |low, high| self.enclosed(&base, held.as_ref(), low, high).fixed()
    }

    fn enclosed<const N: usize>(&self, base: &Base<N>, held: Option<&Scaled<N>>, low: i64, high: i64) -> Scaled<N> {
        let support = self.support();
        let (low, high) = (low.max(*support.start()), high.min(*support.end()));
        if low > high {
            return Scaled::ZERO;
        }
        let Some(q) = self.parts.modulus else { return self.cut(base, held, low, high) };
        if (low, high) == self.window(q) {
            return Interval::ONE.into();
        }
        if self.is_uniform(q) {
            // At most an eighth of σ.
            return Interval::ONE.times(high.abs_diff(low) + 1).div_small(q as u64).into();
        }
        let (first, last) = self.reach();
        let ([low, high, first, last], q) = ([low, high, first, last].map(i128::from), q as i128);
        let mut sum = Scaled::ZERO;
        for k in (first - high).div_euclid(q)..=(last - low).div_euclid(q) {
            // What reaches beyond 64 bits has less than 2^-1000.
            let [low, high] = [low, high].map(|x| (x + k * q).clamp(i64::MIN.into(), i64::MAX.into()) as i64);
            sum = sum.add(&self.cut(base, held, low, high));
        }
        sum
    }

    /// P(low <= X <= high) before it is reduced.
    fn cut<const N: usize>(&self, base: &Base<N>, held: Option<&Scaled<N>>, low: i64, high: i64) -> Scaled<N> {
        let (first, last) = self.parts.range.unwrap_or((i64::MIN, i64::MAX));
        let (low, high) = (low.max(first), high.min(last));
        if low > high {
            return Scaled::ZERO;
        }
        match held {
            Some(_) if (low, high) == (first, last) => Interval::ONE.into(),
            Some(held) => base.mass(low, high).over(held),
            None => base.mass(low, high),
        }
    }
}

impl fmt::Display for TargetLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = &self.parts;
        match &parts.family {
            Family::Rounded(normal) => write!(f, "RoundedNormal({}, center = {})", normal.width(), normal.center())?,
            Family::Gaussian(parameters) => write!(f, "{parameters}")?,
            Family::Finite(law, _) => write!(f, "{law}")?,
            Family::RoundedLaplace(scale, _) => write!(f, "RoundedLaplace({scale})")?,
            Family::Table(table, _) => f.write_str(&table.name)?,
        }
        if let Some((low, high)) = parts.range {
            write!(f, ", {low} <= x <= {high}")?;
        }
        parts.modulus.map_or(Ok(()), |q| write!(f, ", modulo {q}"))
    }
}

/// -ln p, rounded; `None` if the interval does not decide.
fn surprisal<const N: usize>(p: &Scaled<N>) -> Option<f64> {
    // Of each end by itself, which has no error: it can be brought to 1 <= v < 2.
    let of = |end: [u64; N]| {
        let p = Scaled { value: Interval { lo: end, width: 0 }, shift: p.shift }.normal();
        if p.value.lo[N - 1] == 0 || p.shift > 1_000_000 {
            return Some(f64::INFINITY);
        }
        let halvings = u64::try_from(p.shift).unwrap_or(0);
        Scaled::from(Constant::LN_2.to().times(halvings).sub(&ln(&p.value))).rounded()
    };
    let (low, high) = (of(p.value.lo)?, of(p.value.hi()?)?);
    if low == high { Some(low) } else { None }
}

/// The integers with |x - c| <= bound: the first and the last.
fn ends(center: Rational, bound: Rational) -> Option<(i64, i64)> {
    let [(a, b), (p, q)] = [center, bound].map(|r| (i128::from(r.num()), i128::from(r.den())));
    let (across, reach, den) = (a.checked_mul(q)?, p.checked_mul(b)?, b.checked_mul(q)?);
    let low = across.checked_sub(reach)?.checked_neg()?.div_euclid(den).checked_neg()?;
    let high = across.checked_add(reach)?.div_euclid(den);
    (low <= high).then_some((
        low.clamp(i64::MIN.into(), i64::MAX.into()) as i64,
        high.clamp(i64::MIN.into(), i64::MAX.into()) as i64,
    ))
}
