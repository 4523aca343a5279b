/// Discrete Laplace: a uniform and a geometric number make an exponential one of a rational scale, and a coin its sign.
///
/// Paper: \[CKS20\], Algorithm 2 (§5). Proof: docs/proofs/discrete-laplace.md.
///
/// | Law        | exact: P(X = x) = (1 - q)/(1 + q)·q^abs(x), q = exp(-1/λ), given that V (step 2) is below 2^15 |
/// | Bits       | about 12 and 1.6·lg t on average, for whole λ (`bits_are_counted`) |
/// | Memory     | none but t and s |
/// | Timing     | Variable: U, V and the number of coins depend on the sample |
/// | Parameters | λ = t/s rational, 0 < λ <= 2^47 |
///
/// ```text
/// 1  U ← {0, …, t-1}; go on with probability exp(-U/t), else 1
/// 2  V ← how often in a row a coin of exp(-1) succeeds; X ← U + tV; Y ← ⌊X/s⌋
/// 3  B ← {0, 1}; if B = 1 and Y = 0, go to 1
/// 4  return -Y if B, else Y
/// ```
///
/// exp(-γ) is the probability that a run of coins γ/1, γ/2, … is even (Algorithm 1).
///
/// It is for comparison: [`DiscreteLaplaceCt`](super::DiscreteLaplaceCt), which is for secrets, draws the same law from other bits.
///
/// One departure: V from 2^15 on, of probability e^-32768, is drawn again with U.
///
/// Exact sampling of P(X = x) proportional to exp(-abs(x)/λ), for a rational scale λ. If λ = Δ/ε, this noise gives
/// ε-differential privacy to counts of sensitivity Δ.
///
/// ```
/// use samplez_core::{bits::BitReader, samplers::DiscreteLaplace};
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

use super::common::runs::run_from;
use super::common::trials::first_accepted;
use crate::bits::{BitSource, uniform_below};
use crate::params::{ParamError, Rational};
use crate::sampler::{Int, RangeError};

/// A V this large is drawn again; P(V >= V_MAX) = e^-32768.
const V_MAX: u64 = 1 << 15;
/// The largest λ: Y < λ·V_MAX <= 2^62.
const SCALE_MAX: u128 = 1 << 47;

impl DiscreteLaplace {
    /// Builds the sampler of this scale.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless 0 < `scale` <= 2^47.
    ///
    /// ```
    /// use samplez_core::{Rational, samplers::DiscreteLaplace};
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

    /// One attempt; `None` if it is rejected.
    pub(crate) fn trial<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
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

    /// Draws one sample.
    ///
    /// # Law
    ///
    /// P(X = x) is proportional to exp(-abs(x)/λ), exactly, if `bits` is ideal.
    ///
    /// ```
    /// use samplez_core::{bits::BitReader, samplers::DiscreteLaplace};
    /// # use samplez_sources::{ChaCha20, Seed};
    /// let noise = DiscreteLaplace::new("1/3".parse()?)?;
    /// assert!(noise.sample(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])))).abs() < 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.trial(bits))
    }

    /// Fills `out` with the results of as many calls of [`sample`](Self::sample).
    ///
    /// # Errors
    ///
    /// [`RangeError`] at the first that does not fit `T`: the contents of `out` are then unspecified.
    ///
    /// ```
    /// use samplez_core::{bits::BitReader, samplers::DiscreteLaplace};
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
    use crate::bits::{Counted, bernoulli};
    use crate::fixtures::{Tape, reader};
    use std::string::ToString;
    use std::vec;
    use std::vec::Vec;

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
            let scale = scale.parse().unwrap();
            let error = DiscreteLaplace::new(scale).unwrap_err().to_string();
            assert!(
                error.starts_with(&std::format!("scale = {scale:#}: ")) && error.ends_with("0 < scale <= 2^47"),
                "{error}"
            );
        }
        for scale in ["140737488355328", "1/18446744073709551615", "9223372036854775807/65536"] {
            assert!(noise(scale).sample(&mut reader(3)).unsigned_abs() < 1 << 62);
        }
    }

    /// Algorithm 2 as it is printed, on integers of 128 bits, with the exact draws that the bits are read by.
    fn printed(t: u64, s: u64, bits: &mut impl BitSource) -> i64 {
        // Algorithm 1: whether the first coin gamma/K that fails has an odd K.
        let expires = |numerator: u64, bits: &mut dyn FnMut(u128, u128) -> bool| {
            (1_u128..).find(|k| !bits(numerator.into(), u128::from(t) * k)).unwrap() % 2 == 1
        };
        loop {
            let u = uniform_below(t, bits);
            let d = expires(u, &mut |num, den| bernoulli(num, den, bits));
            if !d {
                continue;
            }
            let mut v = 0_u128;
            while expires(t, &mut |num, den| bernoulli(num / u128::from(t), den / u128::from(t), bits)) {
                v += 1;
            }
            let y = ((u128::from(u) + u128::from(t) * v) / u128::from(s)) as i64;
            match (bits.bit(), y) {
                (true, 0) => {}
                (true, y) => return -y,
                (false, y) => return y,
            }
        }
    }

    #[test]
    fn samples_are_those_of_the_printed_algorithm() {
        for (scale, t, s) in
            [("1", 1, 1), ("4", 4, 1), ("7/3", 7, 3), ("1/5", 1, 5), ("2/9", 2, 9), ("1000003/11", 1_000_003, 11)]
        {
            let (mut printed_from, mut bits) = (Counted::new(reader(4)), Counted::new(reader(4)));
            for _ in 0..300 {
                assert_eq!(noise(scale).sample(&mut bits), printed(t, s, &mut printed_from), "{scale}");
                assert_eq!(bits.count(), printed_from.count(), "{scale}");
            }
        }
    }

    #[test]
    fn samples_are_attempts_that_succeed() {
        let (mut one, mut other, mut refused) = (reader(5), reader(5), 0);
        for scale in ["1", "9/2", "1/4"] {
            for _ in 0..200 {
                let wanted = loop {
                    match noise(scale).attempt(&mut one) {
                        Some(value) => break value,
                        None => refused += 1,
                    }
                };
                assert_eq!(noise(scale).sample(&mut other), wanted);
            }
        }
        assert_eq!(one.bits(64), other.bits(64));
        assert!(refused > 100, "{refused}");
    }

    /// With bits 0, 1, 0, 1, … each coin of exp(-1) succeeds by two heads: for 1/1, of certainty, and for 1/2.
    #[test]
    fn the_longest_row_of_coins() {
        for (rows, wanted) in [(0, Some(0)), (1, Some(1)), (2, Some(2)), ((1 << 15) - 1, Some(32767)), (1 << 15, None)]
        {
            for negative in [false, true] {
                // U = 0, whose first coin fails.
                let mut tape = vec![true];
                (0..rows).for_each(|_| tape.extend([false, true]));
                // One that fails, and the sign: neither comes after the last of all rows.
                if wanted.is_some() {
                    tape.extend([true, true, negative]);
                }
                let (used, mut bits) = (tape.len(), Tape::new(tape));
                let wanted = wanted.filter(|y| *y != 0 || !negative).map(|y| if negative { -y } else { y });
                assert_eq!((noise("1").attempt(&mut bits), bits.read), (wanted, used), "{rows}");
            }
        }
    }

    fn filled<T: Int>(scale: &str, len: usize) {
        let (mut one, mut other) = (reader(6), reader(6));
        let mut out = vec![T::ZERO; len];
        noise(scale).fill(&mut one, &mut out).unwrap();
        assert!(out.iter().all(|x| x.widen() == noise(scale).sample(&mut other)), "{scale}");
        assert_eq!(one.bits(64), other.bits(64), "{scale}");
    }

    #[test]
    fn fills_are_the_samples() {
        for len in [0, 1, 2, 3, 65, 200] {
            filled::<i8>("3", len);
            filled::<i16>("1000", len);
            filled::<i32>("10000000", len);
            filled::<i64>("1000000000000", len);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_where_it_comes() {
        for (scale, seed) in [("10", 1), ("20", 2), ("20", 3), ("30", 4), ("30", 5)] {
            let (mut one, mut other) = (Counted::new(reader(seed)), Counted::new(reader(seed)));
            let mut out = [0_i8; 2000];
            let result = noise(scale).fill(&mut one, &mut out);
            let narrow = |_| i8::try_from(noise(scale).sample(&mut other));
            let wanted: Vec<i8> = (0..2000).map(narrow).map_while(Result::ok).collect();
            assert_eq!(out[..wanted.len()], wanted);
            assert_eq!(one.count(), other.count());
            assert_eq!(result, if wanted.len() < 2000 { Err(RangeError::of::<i8>()) } else { Ok(()) }, "{scale}");
        }
        // The ends fit.
        let (mut bits, mut out, mut seen) = (reader(7), [0_i8; 1], [false; 2]);
        for _ in 0..4000 {
            if noise("40").fill(&mut bits, &mut out).is_ok() {
                (seen[0], seen[1]) = (seen[0] || out[0] == i8::MIN, seen[1] || out[0] == i8::MAX);
            }
        }
        assert_eq!(seen, [true; 2]);
    }
}
