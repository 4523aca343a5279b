//! What a stream keeps between arrays of centres. All of it is erased on drop.

use crate::each::Scratch;
use crate::octaves::octave;
use samplez_core::samplers::{StripRounder, StripWidth};
use samplez_core::{ParamError, Rational};
use zeroize::{Zeroize, optimization_barrier};

/// The rounder of `strips` for the last σ that an array shared, since building it takes microseconds. Its memory is
/// overwritten by the next one, and erased on drop.
#[derive(Default)]
pub(crate) struct LastStrips(Option<Box<(StripRounder, StripWidth, Rational)>>);

impl LastStrips {
    /// Returns the rounder for this σ and its width. It is built unless it is the last one.
    pub(crate) fn at(&mut self, sigma: Rational) -> Result<&(StripRounder, StripWidth, Rational), ParamError> {
        let build = || StripRounder::of_sigma(sigma).and_then(|rounder| Ok((rounder, rounder.width(sigma)?, sigma)));
        match &mut self.0 {
            Some(last) => {
                if last.2 != sigma {
                    **last = build()?;
                }
                Ok(last)
            }
            place => Ok(place.insert(Box::new(build()?))),
        }
    }
}

impl Drop for LastStrips {
    fn drop(&mut self) {
        if let Some((rounder, width, sigma)) = self.0.as_deref_mut() {
            rounder.zeroize();
            width.zeroize();
            *sigma = Rational::ZERO;
            optimization_barrier(sigma);
        }
    }
}

/// The width of the last σ among several, in its octave, since it takes a third of a call. It is erased on drop.
#[derive(Default)]
pub(crate) struct LastWidth(Option<Box<(f64, StripWidth, Rational)>>);

impl LastWidth {
    /// Returns the rounder of octave n, and the width of this σ of it. It is made unless it is the last one.
    pub(crate) fn at(
        &mut self,
        n: usize,
        sigma: f64,
    ) -> Result<(&'static StripRounder, StripWidth, Rational), ParamError> {
        let rounder = octave(n)?;
        let (_, width, exact) = match &mut self.0 {
            Some(last) if last.0 == sigma => **last,
            place => {
                // The digits of every σ that has an octave fit.
                let exact = Rational::try_from(sigma).unwrap_or(Rational::ZERO);
                let made = (sigma, rounder.width(exact)?, exact);
                match place {
                    Some(last) => **last = made,
                    None => *place = Some(Box::new(made)),
                }
                made
            }
        };
        Ok((rounder, width, exact))
    }
}

impl Drop for LastWidth {
    fn drop(&mut self) {
        if let Some((sigma, width, exact)) = self.0.as_deref_mut() {
            width.zeroize();
            (*sigma, *exact) = (0.0, Rational::ZERO);
            optimization_barrier(sigma);
            optimization_barrier(exact);
        }
    }
}

/// What a stream keeps for the next array of centres.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) strips: LastStrips,
    pub(crate) width: LastWidth,
    pub(crate) scratch: Scratch,
}
