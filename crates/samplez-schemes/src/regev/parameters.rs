//! Parameters, named or of one's own: [`Shape`], [`Parameters`].

use crate::chance::Chance;
use crate::series::{logarithm, power};
use crate::{Demand, Error, Problem};
use alloc::format;
use alloc::vec::Vec;
use core::f64::consts::{LN_2, PI};
use samplez_core::{DiscreteGaussian, Rational, Width};

/// The numbers of a set except its noise.
///
/// ```
/// use samplez_schemes::regev::Shape;
/// assert_eq!(Shape::new(136, 136, 2003, 1, 2).m, 2008);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The secret's length, 1 to 1024.
    pub n: u32,
    /// Letters of a block, 1 to 1024.
    pub l: u32,
    /// Rows of the public key, up to 65535; at least those of [`new`](Self::new).
    pub m: u32,
    /// The modulus, an odd prime below 2^15.
    pub q: u32,
    /// A ciphertext adds each row from -r to r times.
    pub r: u32,
    /// The letters' modulus, 2 to q/2. A letter carries ⌊lg t⌋ bits.
    pub t: u32,
}

impl Shape {
    /// Builds a shape with m = ⌊((n + l) lg q + 200)/lg(2r + 1)⌋ of \[MR09\]. If A and B are uniform, a ciphertext's u
    /// and Bᵗa are then within 2^-100 of uniform.
    ///
    /// ```
    /// use samplez_schemes::regev::{Set, Shape};
    /// assert_eq!(Shape::new(233, 233, 32_749, 59, 2), Set::Mr09N233.parameters().shape());
    /// ```
    pub fn new(n: u32, l: u32, q: u32, r: u32, t: u32) -> Self {
        let bits = (f64::from(n) + f64::from(l)) * logarithm(q.max(1)) + 200.0;
        let m = (bits / logarithm(r.saturating_mul(2).saturating_add(1))) as u32;
        Shape { n, l, m, q, r, t }
    }

    fn check(self) -> Result<(), Error> {
        let Shape { n, l, m, q, r, t } = self;
        let within = |name, value: u32, least: u32, most: u32| match (least..=most).contains(&value) {
            true => Ok(()),
            false => Err(Error::refused(name, value, format!("expected a number between {least} and {most}"))),
        };
        within("n", n, 1, 1024)?;
        within("l", l, 1, 1024)?;
        if !(3..1 << 15).contains(&q) || (2..182).any(|d| q % d == 0 && q != d) {
            return Err(Error::refused("q", q, "expected an odd prime below 2^15"));
        }
        within("t", t, 2, q / 2)?;
        within("r", r, 1, q / 2)?;
        within("m", m, Shape::new(n, l, q, r, t).m, 65_535)?;
        // Sums of a ciphertext stay in 32 bits.
        within("m", m, 1, (i32::MAX as u32 - q) / (r * (q / 2)))
    }
}

/// Parameters that were checked: a shape, and the law of the noise.
///
/// ```
/// use samplez_schemes::regev::{Parameters, Shape};
/// // One letter in a million fails, where the published sets lose one in a hundred.
/// let parameters = Parameters::for_letter_error(Shape::new(256, 256, 32_749, 1, 2), 1e-6)?;
/// assert!(parameters.letter_error() <= 1e-6);
/// assert_eq!(parameters.demand().law.to_string(), "D_Z(s = 72859/1000, center = 0)");
/// # Ok::<(), samplez_schemes::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    shape: Shape,
    law: DiscreteGaussian,
}

impl Parameters {
    /// Builds parameters of these numbers. Their security is unspecified.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for a number that its field in [`Shape`] does not allow, or an m whose sums exceed 32 bits.
    /// [`Error::Refused`] also for a law that has another centre than 0 or s = σ·sqrt(2π) not between 2 and q.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_schemes::regev::{Parameters, Shape};
    /// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
    /// assert!(Parameters::new(Shape::new(256, 64, 12_289, 1, 2), law).is_ok());
    /// let few = Shape { m: 100, ..Shape::new(256, 64, 12_289, 1, 2) };
    /// assert_eq!(Parameters::new(few, law).unwrap_err().to_string(), "m = 100: expected a number between 2868 and 65535");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(shape: Shape, law: DiscreteGaussian) -> Result<Self, Error> {
        shape.check()?;
        // One form for each law, so that a key has one encoding.
        let law = law.width().rational_sigma().filter(|_| law.center() == Rational::ZERO).map_or(law, |sigma| {
            DiscreteGaussian::with_sigma(sigma).unwrap_or(law) // σ > 0
        });
        let (parameters, q) = (Parameters { shape, law }, f64::from(shape.q));
        let s_squared = parameters.s_squared();
        if law.center() != Rational::ZERO || s_squared <= 4.0 || s_squared > q * q {
            return Err(Error::refused("law", law, format!("must have center 0 and s between 2 and {q}")));
        }
        Ok(parameters)
    }

    /// Chooses the widest noise of this shape under which a letter fails with at most this probability: s in
    /// thousandths.
    ///
    /// \[MR09\] approximates the error of a letter by a Gaussian and solves for α; here the exact rate is tried. Takes a second.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); [`Error::Refused`] too for a rate outside 1e-10 to 0.5, and if not even s = 2 reaches it.
    ///
    /// ```
    /// use samplez_schemes::regev::{Parameters, Shape};
    /// let error = Parameters::for_letter_error(Shape::new(256, 256, 257, 1, 2), 1e-6).unwrap_err();
    /// assert_eq!(error.to_string(), "letter_error = 0.000001: no noise with s > 2 is below that for q = 257");
    /// # Ok::<(), samplez_schemes::Error>(())
    /// ```
    pub fn for_letter_error(shape: Shape, letter_error: f64) -> Result<Self, Error> {
        shape.check()?;
        if !(1e-10..=0.5).contains(&letter_error) {
            return Err(Error::refused("letter_error", letter_error, "expected a number between 1e-10 and 0.5"));
        }
        let at = |thousandths: u32| -> Result<Self, Error> {
            let refused = |_| Error::refused("q", shape.q, "has no such noise");
            let s = Rational::new(i64::from(thousandths), 1000).unwrap_or(Rational::ZERO);
            DiscreteGaussian::new(Rational::ZERO, Width::S(s)).map_err(refused).and_then(|law| Self::new(shape, law))
        };
        // The rate grows with s. At s = q the error is uniform.
        let (mut good, mut bad) = (2000, 1000 * shape.q + 1);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if at(middle)?.letter_error() <= letter_error { good = middle } else { bad = middle }
        }
        if good == 2000 {
            let allowed = format!("no noise with s > 2 is below that for q = {}", shape.q);
            return Err(Error::refused("letter_error", letter_error, allowed));
        }
        at(good)
    }

    /// Parameters of the tables, checked by a test.
    pub(super) const fn unchecked(shape: Shape, law: DiscreteGaussian) -> Self {
        Parameters { shape, law }
    }

    /// Returns the numbers except the noise.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The law that the noise of a key must have.
    pub(super) const fn noise_law(&self) -> DiscreteGaussian {
        self.law
    }

    /// Bits that a letter carries: ⌊lg t⌋.
    pub(super) const fn letter_bits(&self) -> u32 {
        self.shape.t.ilog2()
    }

    /// Samples of noise that a key takes, m·l. A ciphertext takes none.
    pub(super) const fn key_samples(&self) -> u64 {
        self.shape.m as u64 * self.shape.l as u64
    }

    /// Returns the requirements on the noise of a key: its distribution, and a certificate that keeps 126 of 128 bits in a decision problem. A key
    /// takes m·l samples, one for each number that it publishes. A ciphertext takes no noise, so the number of ciphertexts is unlimited.
    ///
    /// ```
    /// use samplez_schemes::{Problem, regev::Set};
    /// let demand = Set::Mr09N136.parameters().demand();
    /// assert_eq!((demand.problem, demand.samples_log2), (Problem::Decision, 19)); // 2008·136 <= 2^19
    /// ```
    pub const fn demand(&self) -> Demand {
        let samples_log2 = self.key_samples().next_power_of_two().ilog2();
        Demand { samples_log2, ..Demand::new(self.law, Problem::Decision) }
    }

    /// Returns the probability that a fair letter is decrypted wrongly, over keys and ciphertexts, to about 1e-13. It
    /// follows from the exact law of the error: aᵗe, m products of a uniform number from -r to r and noise. Letters are
    /// those that a message has, below 2^⌊lg t⌋. Takes a tenth of a second.
    ///
    /// ```
    /// let rate = samplez_schemes::regev::Set::Mr09N136.parameters().letter_error();
    /// assert!((rate - 0.008422).abs() < 1e-6);
    /// ```
    pub fn letter_error(&self) -> f64 {
        let Shape { m, q, r, .. } = self.shape;
        let chance = Chance::new(q, self.s_squared());
        let times = f64::from(2 * r + 1);
        let one = |k: u64| (1.0 + 2.0 * (1..=u64::from(r)).map(|a| chance.noise(a * k)).sum::<f64>()) / times;
        let phi: Vec<f64> = (0..u64::from(q)).map(|k| power(one(k), m)).collect();
        let letters = 1 << self.letter_bits();
        let (mut known, mut right) = (Vec::<((i64, i64), f64)>::new(), 0.0);
        for letter in 0..letters {
            let errors = self.harmless(letter);
            let found = known.iter().find(|(other, _)| *other == errors).map(|(_, p)| *p);
            right += found.unwrap_or_else(|| {
                let p = chance.within(errors.0, errors.1, |k| phi[k as usize]);
                known.push((errors, p));
                p
            });
        }
        1.0 - right / f64::from(letters)
    }

    /// The least and the largest error under which the letter is read.
    fn harmless(&self, letter: u32) -> (i64, i64) {
        let (x, q, t) = (i64::from(letter), i64::from(self.shape.q), i64::from(self.shape.t));
        // v is read as x while x - 1/2 < vt/q < x + 1/2; neither is an integer times t/q, for q is odd.
        let (low, high) = (q * (2 * x - 1), q * (2 * x + 1));
        let place = i64::from(self.encode(letter));
        (low.div_euclid(2 * t) + 1 - place, high.div_euclid(2 * t) - place)
    }

    /// f(x) = ⌊xq/t⌉.
    pub(super) const fn encode(&self, letter: u32) -> i32 {
        let Shape { q, t, .. } = self.shape;
        ((2 * letter * q + t) / (2 * t)) as i32
    }

    /// f⁻¹(v) = ⌊vt/q⌉ mod t for a centred v.
    pub(super) const fn decode(&self, v: i16) -> u32 {
        let Shape { q, t, .. } = self.shape;
        let v = (v as i32 + if v < 0 { q as i32 } else { 0 }) as u32;
        (2 * v * t + q) / (2 * q) % t
    }

    /// s² = 2πσ².
    fn s_squared(&self) -> f64 {
        let value = self.law.width().value().to_f64();
        match self.law.width() {
            Width::S(_) => value * value,
            Width::Sigma(_) => 2.0 * PI * value * value,
            Width::SigmaSq(_) => 2.0 * PI * value,
            Width::KSigma2(_) => PI / LN_2 * value * value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A toy, by enumeration of all a and all noise that matters: P(aᵗe = x) is summed up term by term.
    #[test]
    fn the_letter_error_is_that_of_an_enumeration() {
        let law = DiscreteGaussian::with_sigma(Rational::new(9, 10).unwrap()).unwrap();
        for (q, t, r) in [(17, 2, 1), (31, 3, 2), (29, 4, 1)] {
            let shape = Shape { n: 1, l: 1, m: 2, q, r, t };
            let parameters = Parameters::unchecked(shape, law);
            let weight = |e: i64| (-(e * e) as f64 / (2.0 * 0.81)).exp();
            let total: f64 = (-12..=12).map(weight).sum();
            let (mut wrong, reach) = (0.0, i64::from(r));
            let letters = 1 << parameters.letter_bits();
            let each = 1.0 / f64::from(letters) / ((2 * reach + 1) as f64).powi(2) / (total * total);
            for (a, b) in (-reach..=reach).flat_map(|a| (-reach..=reach).map(move |b| (a, b))) {
                for (e, g) in (-12..=12).flat_map(|e| (-12..=12).map(move |g| (e, g))) {
                    for x in 0..letters {
                        let v = (i64::from(parameters.encode(x)) + a * e + b * g).rem_euclid(i64::from(q));
                        let centred = v - if v > i64::from(q) / 2 { i64::from(q) } else { 0 };
                        wrong +=
                            f64::from(u32::from(parameters.decode(centred as i16) != x)) * weight(e) * weight(g) * each;
                    }
                }
            }
            assert!((parameters.letter_error() - wrong).abs() < 1e-12, "q = {q}: {wrong}");
            assert!(wrong > 1e-4);
        }
    }

    #[test]
    fn letters_come_back_without_noise() {
        let law = DiscreteGaussian::with_sigma(Rational::from(3)).unwrap();
        for (q, t) in [(32_749, 2), (32_749, 40), (17, 8), (8191, 4), (32_749, 16_374)] {
            let parameters = Parameters::unchecked(Shape { n: 1, l: 1, m: 1, q, r: 1, t }, law);
            for x in 0..t {
                let v = parameters.encode(x);
                let centred = v - if v > q as i32 / 2 { q as i32 } else { 0 };
                assert_eq!(parameters.decode(centred as i16), x);
                let (least, largest) = parameters.harmless(x);
                assert!(least <= 0 && largest >= 0);
            }
        }
    }
}
