//! A centre with each call.

use super::super::common::trials::first_accepted;
use super::blocks::Blocks;
use super::{DiscreteGaussian, Frame};
use crate::bits::BitSource;
use crate::params::{ParamError, Rational, Width};
use crate::profile::{Exactness, Timing};
use crate::sampler::Rounder;
use core::fmt;

/// [`Karney`](super::Karney) with a centre per call: exact, for every rational centre.
///
/// ```
/// use samplez_core::{Rounder, bits::BitReader, samplers::KarneyRounder};
/// use samplez_sources::{ChaCha20, Seed};
/// let rounder = KarneyRounder::new("3.2".parse()?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let x = rounder.round(rounder.center("-1000/7".parse()?)?, &mut bits);
/// assert!((-190..-90).contains(&x));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KarneyRounder {
    sigma: Rational,
}

/// A centre, prepared by a [`KarneyRounder`], with that rounder's σ. Every rounder that gets it samples with this σ.
/// `Debug` does not show it.
///
/// ```
/// use samplez_core::{Rational, samplers::KarneyRounder};
/// let center = KarneyRounder::new(Rational::from(3))?.center(Rational::from(4711))?;
/// assert_eq!(format!("{center:?}"), "RationalCenter { .. }");
/// # Ok::<(), samplez_core::ParamError>(())
/// ```
#[derive(Clone, Copy)]
pub struct RationalCenter(Way);

#[derive(Clone, Copy)]
enum Way {
    Steps(Frame),
    Blocks(Blocks),
}

impl fmt::Debug for RationalCenter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RationalCenter").finish_non_exhaustive()
    }
}

impl KarneyRounder {
    /// Builds the rounder of this σ.
    ///
    /// # Errors
    ///
    /// [`ParamError`] where not even the centre 0 is possible: see
    /// [`Karney::new`](super::Karney::new).
    ///
    /// ```
    /// use samplez_core::samplers::KarneyRounder;
    /// assert!(KarneyRounder::new("0".parse()?).is_err());
    /// # Ok::<(), samplez_core::ParseRationalError>(())
    /// ```
    pub fn new(sigma: Rational) -> Result<Self, ParamError> {
        let rounder = KarneyRounder { sigma };
        rounder.center(Rational::ZERO).map(|_| rounder)
    }

    /// Prepares a centre for calls of this rounder. It computes the common denominators once for any number of calls
    /// with this centre.
    ///
    /// # Errors
    ///
    /// As [`Karney::new`](super::Karney::new).
    ///
    /// ```
    /// use samplez_core::{Rational, samplers::KarneyRounder};
    /// let rounder = KarneyRounder::new(Rational::from(3))?;
    /// assert!(rounder.center(Rational::from(i64::MAX)).is_err());
    /// # Ok::<(), samplez_core::ParamError>(())
    /// ```
    #[inline]
    pub fn center(&self, center: Rational) -> Result<RationalCenter, ParamError> {
        let law = DiscreteGaussian::new(center, Width::Sigma(self.sigma))?;
        Ok(RationalCenter(match Frame::new(&law) {
            Some(frame) => Way::Steps(frame),
            None => Way::Blocks(Blocks::new(&law)?),
        }))
    }
}

impl Rounder for KarneyRounder {
    type Center = RationalCenter;
    const TIMING: Timing = Timing::Variable;

    fn exactness(&self) -> Exactness {
        Exactness::Exact
    }

    /// The integers that [`Karney`](super::Karney) with this centre would return.
    #[inline]
    fn round<B: BitSource + ?Sized>(&self, RationalCenter(way): RationalCenter, bits: &mut B) -> i64 {
        match way {
            Way::Steps(frame) => loop {
                let (accepted, value) = frame.attempt_fast(|k, negative| frame.start(k, negative), bits);
                if accepted {
                    return value;
                }
            },
            Way::Blocks(blocks) => first_accepted(|| blocks.attempt(bits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Karney;
    use super::*;
    use crate::fixtures::reader;
    use crate::sampler::Sampler;
    use std::string::ToString;

    #[test]
    fn it_is_karney() {
        for sigma in ["1/99", "1/3", "3.2", "215", "1.6e5", "1099511627776"] {
            let rounder = KarneyRounder::new(sigma.parse().unwrap()).unwrap();
            for center in ["0", "1/2", "-1/3", "123456/1001", "-99999.25", "1/18446744073709551615"] {
                let law = DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(rounder.sigma)).unwrap();
                let (karney, center) = (Karney::new(&law).unwrap(), rounder.center(law.center()).unwrap());
                let (mut a, mut b) = (reader(8), reader(8));
                for _ in 0..3000 {
                    assert_eq!(karney.sample(&mut a), rounder.round(center, &mut b), "{law}");
                }
            }
        }
    }

    #[test]
    fn what_a_rounder_tells() {
        let rounder = KarneyRounder::new(Rational::from(3)).unwrap();
        let center = rounder.center("22/7".parse().unwrap()).unwrap();
        assert_eq!(std::format!("{center:?}"), "RationalCenter { .. }");
        assert_eq!((rounder.exactness(), KarneyRounder::TIMING), (Exactness::Exact, Timing::Variable));
    }

    #[test]
    fn rounding_all_is_rounding_each() {
        let rounder = KarneyRounder::new("5/2".parse().unwrap()).unwrap();
        let centers = ["0", "1/2", "-22/7", "1000001/3"].map(|c| rounder.center(c.parse().unwrap()).unwrap());
        for len in 0..=4 {
            let (mut a, mut b, mut out) = (reader(9), reader(9), [7; 4]);
            rounder.round_all(&centers[..len], &mut a, &mut out[..len]);
            assert!(out[..len].iter().zip(centers).all(|(x, c)| *x == rounder.round(c, &mut b)));
            assert_eq!(a.bits(64), b.bits(64));
            assert!(out[len..].iter().all(|x| *x == 7));
        }
    }

    #[test]
    fn a_rounder_refuses_what_karney_refuses() {
        let text = |sigma: &str| KarneyRounder::new(sigma.parse().unwrap()).unwrap_err().to_string();
        assert!(KarneyRounder::new("140737488355328".parse().unwrap()).is_ok());
        assert!(text("140737488355329").contains("sigma <= 2^47"), "{}", text("140737488355329"));
        let rounder = KarneyRounder::new("1/9".parse().unwrap()).unwrap();
        let error = rounder.center(Rational::from(i64::MAX)).unwrap_err().to_string();
        assert!(error.contains("|center| <= 2^62"), "{error}");
    }
}
