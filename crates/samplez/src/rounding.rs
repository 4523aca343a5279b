//! Rounding to integers: samples of D_{Z,σ,c} with a centre for each, and perhaps a σ.

use crate::each::is_taken;
use crate::kept::Kept;
use crate::octaves::{octave, octave_of, octave_of_rational};
use crate::refused::{Refused, RefusedKind};
use crate::timing::promised;
use samplez_core::bits::{BitSource, Failure};
use samplez_core::samplers::{CloseTrial, KarneyRounder, RationalCenter, Refine, StripRounder, StripWidth};
use samplez_core::{DiscreteGaussian, Exactness, FixedPoint, ParamError, Rational, Rounder, Timing, Width};
use samplez_tables::ExactHeights;
use std::fmt;
use std::str::FromStr;

/// A sampling method that takes a centre with each call.
///
/// ```
/// use samplez::RoundMethod;
/// assert_eq!("strips".parse::<RoundMethod>()?, RoundMethod::Strips);
/// let e = "dice".parse::<RoundMethod>().unwrap_err();
/// assert_eq!(e.to_string(), "method = dice: expected one of auto, karney, strips");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RoundMethod {
    /// `Strips` for σ from 1 to 2^26, which is isochronous and the fastest; `Karney` for other σ.
    #[default]
    Auto,
    /// Exact, for rational σ and centres \[Kar16\].
    Karney,
    /// Exact isochronous rejection from strips, by one word a trial \[HPRR20\].
    Strips,
}

impl RoundMethod {
    /// All methods, the default first.
    ///
    /// ```
    /// assert_eq!(samplez::RoundMethod::ALL[0], samplez::RoundMethod::default());
    /// ```
    pub const ALL: [RoundMethod; 3] = [RoundMethod::Auto, RoundMethod::Karney, RoundMethod::Strips];

    /// Returns the method that draws around centres at this σ. It differs from `self` for `Auto` only.
    ///
    /// ```
    /// use samplez::RoundMethod::{Auto, Karney, Strips};
    /// assert_eq!([Auto.at("3.2".parse()?), Auto.at("0.9".parse()?)], [Strips, Karney]);
    /// # Ok::<(), samplez::ParseRationalError>(())
    /// ```
    pub fn at(self, sigma: Rational) -> RoundMethod {
        match self {
            RoundMethod::Auto if octave_of_rational(sigma).is_some() => RoundMethod::Strips,
            RoundMethod::Auto => RoundMethod::Karney,
            method => method,
        }
    }

    /// Returns the name, the same in every language.
    pub const fn name(self) -> &'static str {
        match self {
            RoundMethod::Auto => "auto",
            RoundMethod::Karney => "karney",
            RoundMethod::Strips => "strips",
        }
    }

    /// Returns a description of one line.
    pub const fn summary(self) -> &'static str {
        match self {
            RoundMethod::Auto => "exact; strips where it takes σ, else karney",
            RoundMethod::Karney => "exact; rational σ and centres; variable time",
            RoundMethod::Strips => "exact; σ from 1 to 2^26; running time independent of the integers",
        }
    }

    /// Returns the class of the running time, as far as this build promises it. `Auto` is [`Timing::Variable`], because `Karney` is.
    pub const fn timing(self) -> Timing {
        promised(match self {
            RoundMethod::Auto | RoundMethod::Karney => KarneyRounder::TIMING,
            RoundMethod::Strips => StripRounder::TIMING,
        })
    }
}

impl fmt::Display for RoundMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RoundMethod {
    type Err = Refused;

    fn from_str(name: &str) -> Result<Self, Refused> {
        let found = Self::ALL.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| Refused::name("method", name, Self::ALL.map(Self::name)))
    }
}

/// A sampler of D_{Z,σ,c} with a fixed method and σ, and a centre c with each call.
///
/// ```
/// use samplez::{RoundMethod, Rounding, Seed, Source, Stream};
/// let rounding = Rounding::new(RoundMethod::Auto, "3.2".parse()?)?;
/// let mut stream = Stream::new(Source::Os.open(&Seed::from_bytes([0; 32]))?);
/// let x = stream.round(&rounding, rounding.center("1000/7".parse()?)?)?;
/// assert!((90..200).contains(&x));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rounding(Prepared);

#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "one for an array, and without an allocation")]
enum Prepared {
    Karney(KarneyRounder),
    Strips(StripRounder, StripWidth, Rational),
}

/// A centre, prepared by a [`Rounding`] for its own calls. `Debug` does not show it.
///
/// ```
/// use samplez::{RoundMethod, Rounding};
/// let center = Rounding::new(RoundMethod::Strips, "3.2".parse()?)?.center("4711".parse()?)?;
/// assert!(!format!("{center:?}").contains("4711"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RoundCenter(Value);

#[derive(Clone, Copy, Debug)]
enum Value {
    Rational(RationalCenter),
    Real(FixedPoint, Real),
}

/// A centre itself, where a [`FixedPoint`] is rounded. `Debug` shows nothing of it.
#[derive(Clone, Copy)]
pub(crate) enum Real {
    Rational(Rational),
    Double(f64),
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Real")
    }
}

/// Decides the close trials of a call of `strips`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    pub(crate) sigma: Rational,
    pub(crate) center: Real,
}

impl Refine for Comparison {
    fn accepts<B: BitSource + ?Sized>(&self, trial: &CloseTrial, bits: &mut B) -> bool {
        let heights = match self.center {
            Real::Rational(center) => {
                DiscreteGaussian::new(center, Width::Sigma(self.sigma)).ok().map(|law| ExactHeights::new(&law))
            }
            Real::Double(center) => ExactHeights::with_f64_center(self.sigma, center),
        };
        // The rounder took both before.
        heights.is_some_and(|heights| heights.accepts(trial, bits))
    }
}

impl Rounding {
    /// Builds the sampler of this method and σ.
    ///
    /// # Errors
    ///
    /// [`ParamError`] if the method does not allow this σ: `karney` and `auto` allow σ up to 2^47, `strips` from 1 to
    /// 2^26.
    ///
    /// ```
    /// use samplez::{RoundMethod, Rounding};
    /// let e = Rounding::new(RoundMethod::Strips, "0.5".parse()?).unwrap_err();
    /// assert_eq!(e.to_string(), "sigma = 0.5: method strips allows 1 <= sigma <= 2^26");
    /// # Ok::<(), samplez::ParseRationalError>(())
    /// ```
    pub fn new(method: RoundMethod, sigma: Rational) -> Result<Self, ParamError> {
        Ok(Rounding(match method.at(sigma) {
            RoundMethod::Auto | RoundMethod::Karney => Prepared::Karney(KarneyRounder::new(sigma)?),
            RoundMethod::Strips => {
                let rounder = StripRounder::of_sigma(sigma)?;
                Prepared::Strips(rounder, rounder.width(sigma)?, sigma)
            }
        }))
    }

    /// Prepares a centre for calls of this sampler.
    ///
    /// # Errors
    ///
    /// [`ParamError`] unless |c| is at most 2^62.
    ///
    /// ```
    /// use samplez::{RoundMethod, Rounding};
    /// let rounding = Rounding::new(RoundMethod::Karney, "3.2".parse()?)?;
    /// assert!(rounding.center("1e-18".parse()?).is_ok() && rounding.center("9e18".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn center(&self, center: Rational) -> Result<RoundCenter, ParamError> {
        Ok(RoundCenter(match self.0 {
            Prepared::Karney(rounder) => Value::Rational(rounder.center(center)?),
            Prepared::Strips(..) => Value::Real(FixedPoint::new(center)?, Real::Rational(center)),
        }))
    }

    /// Prepares a centre for calls of this sampler: the exact value of a float.
    ///
    /// # Errors
    ///
    /// [`Refused`] unless it is a number between -2^62 and 2^62. For `karney` its exact value must also be a
    /// [`Rational`].
    ///
    /// ```
    /// use samplez::{RoundMethod, Rounding};
    /// let rounding = Rounding::new(RoundMethod::Strips, "3.2".parse()?)?;
    /// assert!(rounding.center_of_f64(-1e-300).is_ok());
    /// let e = rounding.center_of_f64(f64::INFINITY).unwrap_err();
    /// assert_eq!(e.to_string(), "center = inf: expected a number between -2^62 and 2^62");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn center_of_f64(&self, center: f64) -> Result<RoundCenter, Refused> {
        self.float("center", center)
    }

    fn float(&self, argument: &str, center: f64) -> Result<RoundCenter, Refused> {
        let refused = |kind, allowed: &str| Refused::new(argument, center, allowed).with_kind(kind);
        let fixed = FixedPoint::from_f64(center).ok_or_else(|| far(argument, center))?;
        match self.0 {
            Prepared::Karney(_) => {
                let allowed =
                    "method karney takes floats that are multiples of 2^-63; strips takes all, for sigma from 1 on";
                let exact = Rational::try_from(center).map_err(|_| refused(RefusedKind::TooLong, allowed))?;
                self.center(exact).map_err(|e| refused(RefusedKind::Unsupported, &e.to_string()))
            }
            Prepared::Strips(..) => Ok(RoundCenter(Value::Real(fixed, Real::Double(center)))),
        }
    }
}

/// Builds the rounder of a σ among many. For `strips` this is the rounder of σ's octave, of [1, 2] to [2^25, 2^26], which
/// is built once. It returns other integers than [`Rounding::new`]'s rounder.
///
/// # Errors
///
/// As [`Rounding::new`].
pub fn rounding_among(method: RoundMethod, sigma: Rational) -> Result<Rounding, ParamError> {
    match (method.at(sigma), octave_of_rational(sigma)) {
        (RoundMethod::Strips, Some(n)) => {
            let rounder = octave(n)?;
            Ok(Rounding(Prepared::Strips(*rounder, rounder.width(sigma)?, sigma)))
        }
        _ => Rounding::new(method, sigma),
    }
}

/// The error of a centre that no method takes.
fn far(argument: &str, center: f64) -> Refused {
    Refused::new(argument, center, "expected a number between -2^62 and 2^62").with_kind(RefusedKind::of_double(center))
}

impl Rounder for Rounding {
    type Center = RoundCenter;
    /// The weakest class of all methods. [`RoundMethod::timing`] returns the class of each.
    const TIMING: Timing = Timing::Variable;

    fn exactness(&self) -> Exactness {
        match self.0 {
            Prepared::Karney(rounder) => rounder.exactness(),
            Prepared::Strips(..) => Exactness::Exact,
        }
    }

    /// # Panics
    ///
    /// If a rounder of another method prepared the centre.
    #[inline]
    fn round<B: BitSource + ?Sized>(&self, center: RoundCenter, bits: &mut B) -> i64 {
        match (&self.0, center.0) {
            (Prepared::Karney(rounder), Value::Rational(center)) => rounder.round(center, bits),
            (Prepared::Strips(rounder, width, sigma), Value::Real(center, real)) => {
                rounder.round_refined((center, *width), || Comparison { sigma: *sigma, center: real }, bits)
            }
            _ => panic!("a centre that was taken by a rounder of another method"),
        }
    }
}

/// The σ of an array of samples: one for all, or one for each.
///
/// ```
/// use samplez::{RoundMethod, Seed, Sigmas, Source, Stream};
/// let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([0; 32]))?);
/// let mut out = [0; 3];
/// stream.round_all(RoundMethod::Strips, Sigmas::Each(&[1.0, 20.5, 1e6]), &[0.1, 1e3, -7.5], &mut out)?;
/// assert!(out[0].abs() < 15 && (out[1] - 1000).abs() < 300);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Sigmas<'a> {
    /// One σ for all samples.
    One(Rational),
    /// One σ for each sample: the exact values of these floats.
    Each(&'a [f64]),
}

/// The error of a call that draws one sample for each centre of an array.
///
/// ```
/// use samplez::{RoundError, RoundMethod, Seed, Sigmas, Source, Stream};
/// let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([0; 32]))?);
/// let (sigma, centers) = (Sigmas::One("3.2".parse()?), [0.5, f64::NAN]);
/// let e = stream.round_all(RoundMethod::Strips, sigma, &centers, &mut [0; 2]).unwrap_err();
/// assert_eq!(e.to_string(), "centers[1] = NaN: expected a number between -2^62 and 2^62");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum RoundError<E> {
    /// An argument is not allowed.
    Refused(Refused),
    /// The generator failed, or is stuck.
    Source(Failure<E>),
}

impl<E: fmt::Display> fmt::Display for RoundError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RoundError::Refused(e) => e.fmt(f),
            RoundError::Source(e) => e.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for RoundError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RoundError::Refused(e) => e.source(),
            RoundError::Source(e) => e.source(),
        }
    }
}

/// Rounds one after the other, like [`Stream::round_all`](crate::Stream::round_all) except for the source's failures.
pub(crate) fn round_all<B: BitSource + ?Sized>(
    method: RoundMethod,
    sigmas: Sigmas<'_>,
    centers: &[f64],
    kept: &mut Kept,
    bits: &mut B,
    out: &mut [i64],
) -> Result<(), Refused> {
    let as_many = |argument, len: usize| match len == centers.len() {
        true => Ok(()),
        false => Err(Refused::new(argument, len, format!("expected the number of centers, {}", centers.len()))),
    };
    as_many("length of out", out.len())?;
    let Kept { strips: last_strips, width: last_width, .. } = kept;
    // Some hundred bytes of a rounder are used where they are, by each call of a σ of its own.
    let (mut strips, mut rounding) = (None, None);
    match sigmas {
        Sigmas::One(sigma) if method.at(sigma) == RoundMethod::Strips => {
            let (rounder, width, sigma) = last_strips.at(sigma)?;
            strips = Some((rounder, *width, *sigma));
        }
        Sigmas::One(sigma) => rounding = Some(Rounding::new(method, sigma)?),
        Sigmas::Each(each) => as_many("length of sigmas", each.len())?,
    }
    let mut last = f64::NAN;
    // All are checked before the first is drawn.
    for draws in [false, true] {
        for i in 0..centers.len() {
            if !draws && is_taken(method, sigmas, centers, i) {
                continue;
            }
            if let Sigmas::Each(each) = sigmas
                && each[i] != last
            {
                last = each[i];
                let refused = |e: ParamError| {
                    let refused = Refused::from(e);
                    Refused::new("sigmas", last, refused.allowed()).with_kind(refused.kind()).at(i)
                };
                match octave_of(last) {
                    Some(n) if method != RoundMethod::Karney => {
                        strips = Some(last_width.at(n, last).map_err(refused)?);
                    }
                    _ => {
                        let sigma = Rational::try_from(last).map_err(|e| Refused::number("sigmas", last, e).at(i))?;
                        (strips, rounding) = (None, Some(Rounding::new(method, sigma).map_err(refused)?));
                    }
                }
            }
            if let Some((rounder, width, sigma)) = strips {
                let fixed = FixedPoint::from_f64(centers[i]).ok_or_else(|| far("centers", centers[i]).at(i))?;
                let comparison = || Comparison { sigma, center: Real::Double(centers[i]) };
                out[i] = if draws { rounder.round_refined((fixed, width), comparison, bits) } else { 0 };
            } else if let Some(rounding) = &rounding {
                let taken = rounding.float("centers", centers[i]).map_err(|refused| refused.at(i))?;
                out[i] = if draws { rounding.round(taken, bits) } else { 0 };
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seed, Source, Stream};

    fn stream() -> Stream<samplez_sources::Generator> {
        Stream::new(Source::ChaCha20.open(&Seed::from_bytes([5; 32])).unwrap())
    }

    const CENTERS: [f64; 6] = [0.5, -17.25, 1e6, 3.0, -0.125, 1234.0625];

    /// A stream keeps the rounder of the last shared σ, and draws what a rounder built for the call draws.
    #[test]
    fn every_array_has_its_own_sigma() {
        let (mut one, mut twin) = (stream(), stream());
        for sigma in ["3.2", "3.2", "16/5", "3.3", "3.2", "1/2", "3.2", "1e6", "2", "5/2", "7/2"] {
            let sigma: Rational = sigma.parse().unwrap();
            let (mut out, mut expected) = ([0; CENTERS.len()], [0; CENTERS.len()]);
            one.round_all(RoundMethod::Auto, Sigmas::One(sigma), &CENTERS, &mut out).unwrap();
            let rounding = Rounding::new(RoundMethod::Auto, sigma).unwrap();
            for (slot, center) in expected.iter_mut().zip(CENTERS) {
                *slot = twin.round(&rounding, rounding.center_of_f64(center).unwrap()).unwrap();
            }
            assert_eq!(out, expected, "round_all, {sigma}");
            let batch = one.sample_each(Sigmas::One(sigma), &CENTERS, &mut out);
            let Ok(rounder) = StripRounder::of_sigma(sigma) else {
                assert!(batch.is_err(), "{sigma}");
                continue;
            };
            let width = rounder.width(sigma).unwrap();
            let calls = CENTERS.map(|center| (FixedPoint::from_f64(center).unwrap(), width));
            twin.draw(|bits| rounder.round_batch(&calls, bits, &mut expected)).unwrap();
            assert_eq!(out, expected, "sample_each, {sigma}");
        }
    }

    /// A stream keeps the last width, of any octave, between calls and arrays, and draws what it draws for a width made anew.
    #[test]
    fn a_width_is_kept_for_its_sigma_alone() {
        let (mut one, mut twin) = (stream(), stream());
        let sigmas = [1.5, 1.5, 3.0, 3.0, 1.5, 0.5, 1.5, 1.7, 1.7];
        for method in [RoundMethod::Strips, RoundMethod::Auto] {
            for (sigma, center) in sigmas.into_iter().zip((0..).map(|i| f64::from(i) / 7.0)) {
                let (mut out, exact) = ([0], Rational::try_from(sigma).unwrap());
                let drawn = one.round_all(method, Sigmas::Each(&[sigma]), &[center], &mut out);
                let Ok(rounding) = rounding_among(method, exact) else {
                    assert!(drawn.is_err(), "{sigma}");
                    continue;
                };
                drawn.unwrap();
                let center = rounding.center_of_f64(center).unwrap();
                assert_eq!(out[0], twin.round(&rounding, center).unwrap(), "{method}, {sigma}");
            }
            let (mut all, centers) = ([0; 7], [0.25; 7]);
            let wide = [1.7, 1.7, 2.5, 1.7, 1e6, 1e6, 1.5];
            one.round_all(method, Sigmas::Each(&wide), &centers, &mut all).unwrap();
            for (sigma, x) in wide.into_iter().zip(all) {
                let rounding = rounding_among(method, Rational::try_from(sigma).unwrap()).unwrap();
                assert_eq!(
                    x,
                    twin.round(&rounding, rounding.center_of_f64(0.25).unwrap()).unwrap(),
                    "{method}, {sigma}"
                );
            }
        }
    }

    #[test]
    fn arrays_are_calls_one_after_the_other() {
        let sigma = "3.2".parse().unwrap();
        for method in RoundMethod::ALL {
            let rounding = Rounding::new(method, sigma).unwrap();
            let (mut one, mut all, mut out) = (stream(), stream(), [0; CENTERS.len()]);
            all.round_all(method, Sigmas::One(sigma), &CENTERS, &mut out).unwrap();
            for (x, center) in out.into_iter().zip(CENTERS) {
                let center = rounding.center(Rational::try_from(center).unwrap()).unwrap();
                assert_eq!(one.round(&rounding, center).unwrap(), x, "{method}");
            }
            let mut each = [0; CENTERS.len()];
            let sigmas = [2.5, 2.5, 4.0, 2.5, 1.0, 1.0];
            let (mut stream, mut single) = (stream(), stream());
            stream.round_all(method, Sigmas::Each(&sigmas), &CENTERS, &mut each).unwrap();
            for ((x, center), sigma) in each.into_iter().zip(CENTERS).zip(sigmas) {
                let exact = Rational::try_from(sigma).unwrap();
                let rounding = match method.at(exact) {
                    RoundMethod::Karney => Rounding::new(RoundMethod::Karney, exact).unwrap(),
                    _ => {
                        let least = Rational::from(1 << exact.to_f64().log2() as u32);
                        let most = Rational::from(2 * least.num());
                        let octave = StripRounder::new(least, most).unwrap();
                        Rounding(Prepared::Strips(octave, octave.width(exact).unwrap(), exact))
                    }
                };
                let center = rounding.center(Rational::try_from(center).unwrap()).unwrap();
                assert_eq!(single.round(&rounding, center).unwrap(), x, "{method}");
            }
        }
    }

    #[test]
    fn auto_takes_what_allows_the_width() {
        use RoundMethod::{Auto, Karney, Strips};
        let at = |sigma: &str| Auto.at(sigma.parse().unwrap());
        assert_eq!(["1", "16/5", "67108864"].map(at), [Strips; 3]);
        assert_eq!(["1e-9", "999999/1000000", "67108864.5", "1e14"].map(at), [Karney; 4]);
        assert_eq!((Karney.at("3".parse().unwrap()), Strips.at("1/2".parse().unwrap())), (Karney, Strips));
        let (mut mixed, mut single, mut out) = (stream(), stream(), [0; 3]);
        mixed.round_all(Auto, Sigmas::Each(&[2.5, 0.5, 40.0]), &[0.25; 3], &mut out).unwrap();
        for ((method, sigma), x) in [(Strips, "5/2"), (Karney, "1/2"), (Strips, "40")].into_iter().zip(out) {
            let rounding = rounding_among(method, sigma.parse().unwrap()).unwrap();
            assert_eq!(single.round(&rounding, rounding.center("1/4".parse().unwrap()).unwrap()).unwrap(), x);
        }
    }

    /// Known words, then others.
    struct Known(Vec<u64>, usize);

    impl BitSource for Known {
        fn bits(&mut self, n: u32) -> u64 {
            let other = (self.1 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let word = self.0.get(self.1).copied().unwrap_or(other);
            self.1 += 1;
            word >> (64 - n)
        }
    }

    /// For a word of 0 a trial stands for the values from the last strip on, which begins at 38 for σ = 3.2. It is compared with the exact
    /// probability there.
    #[test]
    fn values_beyond_the_strips_are_decided_exactly() {
        let accepted = |sigma: &str, center: f64, strips: u32, digits: [u64; 2]| {
            let rounding = Rounding::new(RoundMethod::Strips, sigma.parse().unwrap()).unwrap();
            assert!(rounding.exactness().is_exact());
            let words = [&[0, u64::MAX, u64::MAX, u64::MAX, u64::MAX >> strips][..], &digits].concat();
            let double = rounding.center_of_f64(center).unwrap();
            let z = rounding.round(double, &mut Known(words.clone(), 0));
            if let Ok(exact) = Rational::try_from(center) {
                let same = rounding.round(rounding.center(exact).unwrap(), &mut Known(words, 0));
                assert_eq!(same, z);
            }
            z
        };
        assert_eq!(accepted("3.2", 0.0, 0, [0, 0]), -38);
        assert_eq!(accepted("3.2", 1e-300, 1, [0, 0]), -39);
        assert_eq!(accepted("3.2", -1e-300, 5, [0, 0]), -1 - 43);
        assert_eq!(accepted("3.2", 2f64.powi(40) + 0.5, 0, [0, 0]), (1 << 40) - 38);
        // The probabilities are about 2^-103.9, 2^-105.2 and 2^-107.9, the number is 2^-106.
        let numbers = [0.0, 0.25, 0.75].map(|c| accepted("3.2", c, 0, [1 << 22, 0]));
        assert_eq!(numbers.map(|z| z == -38), [true, true, false], "{numbers:?}");
        assert_eq!(accepted("3.2", f64::from_bits(1), 0, [0, 0]), -38);
    }

    #[test]
    fn refusals_name_the_place() {
        let says = |method, sigmas: Sigmas<'_>, centers: &[f64], places: usize| {
            let mut out = vec![7; places];
            let message = stream().round_all(method, sigmas, centers, &mut out).unwrap_err().to_string();
            assert!(out.iter().all(|x| *x == 0), "what was drawn is wiped");
            message
        };
        let one = Sigmas::One("3.2".parse().unwrap());
        let small = Sigmas::One("1/2".parse().unwrap());
        use RoundMethod::{Karney, Strips};
        assert_eq!(
            says(Strips, one, &[0.0, 1e19], 2),
            "centers[1] = 10000000000000000000: expected a number between -2^62 and 2^62"
        );
        assert_eq!(
            says(Karney, one, &[f64::INFINITY], 1),
            "centers[0] = inf: expected a number between -2^62 and 2^62"
        );
        let digits = says(Karney, one, &[0.5, 1e-5], 2);
        assert_eq!(
            digits,
            "centers[1] = 0.00001: method karney takes floats that are multiples of 2^-63; strips takes all, for sigma from 1 on"
        );
        assert!(says(Karney, one, &[1e-30], 1).starts_with("centers[0] = 0.000000000000000000000000000001: "));
        assert_eq!(says(Strips, small, &[0.0], 1), "sigma = 0.5: method strips allows 1 <= sigma <= 2^26");
        assert_eq!(says(Strips, one, &[0.0], 2), "length of out = 2: expected the number of centers, 1");
        assert_eq!(
            says(Strips, Sigmas::Each(&[1.0]), &[0.0; 2], 2),
            "length of sigmas = 1: expected the number of centers, 2"
        );
        assert!(says(Strips, Sigmas::Each(&[2.0, 0.5]), &[0.0; 2], 2).starts_with("sigmas[1] = 0.5: method strips"));
        assert!(says(Strips, Sigmas::Each(&[2.0, f64::NAN]), &[0.0; 2], 2).starts_with("sigmas[1] = NaN: "));
        assert!(says(Karney, Sigmas::Each(&[2.0, -1.0]), &[0.0; 2], 2).contains("expected a number greater than 0"));
    }
}
