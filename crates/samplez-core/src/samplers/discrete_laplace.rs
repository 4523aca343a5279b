//! Discrete Laplace: a uniform and a geometric number make an exponential one of a rational scale, and a coin its sign.
//!
//! Paper: \[CKS20\], Algorithm 2 (§5). Proof: docs/proofs/discrete-laplace.md.
//!
//! | Law        | exact: P(X = x) = (1 - q)/(1 + q)·q^abs(x), q = exp(-1/λ), given that V (step 2) is below 2^15 |
//! | Bits       | about 12 and 1.6·lg t on average, for whole λ (`bits_are_counted`) |
//! | Memory     | none but t and s |
//! | Timing     | Variable: U, V and the number of coins depend on the sample |
//! | Parameters | λ = t/s rational, 0 < λ <= 2^47 |
//!
//! ```text
//! 1  U ← {0, …, t-1}; go on with probability exp(-U/t), else 1
//! 2  V ← how often in a row a coin of exp(-1) succeeds; X ← U + tV; Y ← ⌊X/s⌋
//! 3  B ← {0, 1}; if B = 1 and Y = 0, go to 1
//! 4  return -Y if B, else Y
//! ```
//!
//! exp(-γ) is the probability that a run of coins γ/1, γ/2, … is even (Algorithm 1).
//!
//! It is not a discrete Gaussian, and no [`Sampler`](crate::sampler::Sampler), whose profile has one. The same law in a time that tells
//! nothing of the sample is drawn in Python, by `samplez.dp`: bit by bit, from other random bits.
//!
//! No departures, but that V from 2^15 on, of probability e^-32768, is drawn again with U.

use super::common::runs::run_from;
use crate::bits::{BitSource, uniform_below};
use crate::params::{ParamError, Rational};
use crate::sampler::{Int, RangeError};

/// A V this large is drawn again; P(V >= V_MAX) = e^-32768.
const V_MAX: u64 = 1 << 15;
/// The largest λ: Y < λ·V_MAX <= 2^62.
const SCALE_MAX: u128 = 1 << 47;

/// Exact sampling of P(X = x) proportional to exp(-abs(x)/λ), for a rational scale λ: noise that gives ε-differential privacy to counts of
/// sensitivity Δ, if λ = Δ/ε.
///
/// ```
/// use samplez_core::{bits::BitReader, samplers::discrete_laplace::DiscreteLaplace};
/// use samplez_sources::{ChaCha20, Seed};
/// // ε = 1/4, for a count that one person changes by 1.
/// let noise = DiscreteLaplace::new("4".parse()?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let released = 1234 + noise.sample(&mut bits);
/// assert!((1034..1434).contains(&released));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiscreteLaplace {
    /// λ = t/s.
    t: u64,
    s: u64,
}

impl DiscreteLaplace {
    /// The sampler of this scale.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless 0 < `scale` <= 2^47.
    ///
    /// ```
    /// use samplez_core::{params::Rational, samplers::discrete_laplace::DiscreteLaplace};
    /// let e = DiscreteLaplace::new(Rational::ZERO).unwrap_err();
    /// assert_eq!(e.to_string(), "scale = 0: method discrete-laplace allows 0 < scale <= 2^47");
    /// ```
    pub fn new(scale: Rational) -> Result<Self, ParamError> {
        let (t, s) = (scale.num().unsigned_abs(), scale.den());
        if scale.num() <= 0 || u128::from(t) > SCALE_MAX * u128::from(s) {
            let (method, argument, allowed) = ("discrete-laplace", "scale", "0 < scale <= 2^47");
            return Err(ParamError::Unsupported { method, argument, value: scale, allowed });
        }
        Ok(DiscreteLaplace { t, s })
    }

    /// One attempt; `None` if it is rejected. For the exact law tests.
    #[doc(hidden)]
    pub fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        // step 1
        let u = uniform_below(self.t, bits);
        if !run_from(1, u, self.t, bits) {
            return None;
        }
        // step 2
        let v = (0..V_MAX).find(|_| !run_from(1, 1, 1, bits))?;
        let x = u128::from(u) + u128::from(self.t) * u128::from(v);
        let y = (x / u128::from(self.s)) as i64;
        // steps 3 and 4
        let negative = bits.bit();
        (!negative || y != 0).then_some(if negative { -y } else { y })
    }

    /// One sample.
    ///
    /// # Law
    ///
    /// P(X = x) is proportional to exp(-abs(x)/λ), exactly, if `bits` is ideal.
    ///
    /// ```
    /// use samplez_core::{bits::BitReader, samplers::discrete_laplace::DiscreteLaplace};
    /// # use samplez_sources::{ChaCha20, Seed};
    /// let noise = DiscreteLaplace::new("1/3".parse()?)?;
    /// assert!(noise.sample(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])))).abs() < 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        loop {
            if let Some(value) = self.attempt(bits) {
                return value;
            }
        }
    }

    /// Fills `out` with what as many calls of [`sample`](Self::sample) give.
    ///
    /// # Errors
    ///
    /// [`RangeError`] at the first that does not fit `T`: what `out` holds then is unspecified.
    ///
    /// ```
    /// use samplez_core::{bits::BitReader, samplers::discrete_laplace::DiscreteLaplace};
    /// # use samplez_sources::{ChaCha20, Seed};
    /// let noise = DiscreteLaplace::new("1000".parse()?)?;
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// assert!(noise.fill(&mut bits, &mut [0_i32; 100]).is_ok());
    /// assert!(noise.fill(&mut bits, &mut [0_i8; 100]).unwrap_err().to_string().contains("does not fit"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        for slot in out {
            let value = self.sample(bits);
            *slot = T::wrapping(value);
            if slot.widen() != value {
                return Err(RangeError::of::<T>());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Counted;
    use crate::testing::reader;
    use std::string::ToString;

    fn noise(scale: &str) -> DiscreteLaplace {
        DiscreteLaplace::new(scale.parse().unwrap()).unwrap()
    }

    #[test]
    fn the_stream() {
        let draw = |scale: &str| {
            let mut out = [0_i64; 8];
            noise(scale).fill(&mut reader(1), &mut out).unwrap();
            out
        };
        assert_eq!(draw("4"), [0, -1, -2, 6, -2, 1, 0, -2]);
        assert_eq!(draw("7/3"), [0, -2, 4, -1, -3, 2, -4, -7]);
        let wide = [-239022364025922, -56235448331960, 19894039430621, -50818872122824];
        assert_eq!(draw("140737488355328")[..4], wide);
    }

    #[test]
    fn bits_are_counted() {
        for (scale, least, most) in [("1", 12.0, 13.0), ("16", 17.5, 19.0), ("1000000/7", 43.0, 45.0)] {
            let mut bits = Counted::new(reader(2));
            noise(scale).fill(&mut bits, &mut [0_i64; 100_000]).unwrap();
            let each = bits.count() as f64 / 1e5;
            assert!(least < each && each < most, "{scale}: {each}");
        }
    }

    #[test]
    fn scales_are_refused_by_name() {
        for scale in ["0", "-1/2", "140737488355329", "9223372036854775807", "1407374883553281/10"] {
            let error = DiscreteLaplace::new(scale.parse().unwrap()).unwrap_err().to_string();
            assert!(
                error.starts_with(&std::format!("scale = {scale}: ")) && error.ends_with("0 < scale <= 2^47"),
                "{error}"
            );
        }
        for scale in ["140737488355328", "1/18446744073709551615", "9223372036854775807/65536"] {
            assert!(noise(scale).sample(&mut reader(3)).unsigned_abs() < 1 << 62);
        }
    }
}
