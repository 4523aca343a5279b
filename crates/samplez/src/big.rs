//! D_{Z,σ,c} with parameters beyond 64 bits, and samples in limbs: [`BigGaussian`].

mod folding;
mod near;
mod ratio;

pub use folding::Folding;

use crate::exact::Exact;
use crate::recipe::{Recipe, named, unknown};
use crate::refused::{Refused, RefusedKind};
use crate::stream::{Stream, StreamError};
use crate::timing::promised;
use near::Near;
use num_bigint::{BigInt, BigUint, Sign};
use rand_core::{Rng, TryRng};
use ratio::{Ratio, limbs, signed};
use samplez_core::bits::{BitReader, BitSource};
use samplez_core::samplers::WideTrial;
use samplez_core::{DiscreteGaussian, Noise, RangeError, Rational, Slots, Timing};
use samplez_tables::{Fraction, WideExponent};
use std::fmt;
use std::str::FromStr;
use zeroize::{Zeroize, Zeroizing};

/// The largest numerator and denominator of a width, in bits. A centre may have twice as many.
const WIDTH_BITS: u64 = 4096;
/// Proposals that are made together.
const ROW: usize = 512;

/// A sampler of exactly D_{Z,σ,c}, with σ and c of up to 4096 and 8192 bits: noise flooding requires σ up to 2^512.
///
/// For σ > 2^26 it is the sampler [`Wide`](samplez_core::samplers::Wide), which is isochronous. For a smaller σ, a
/// [`Recipe`] without a method builds it, if the width's number and c minus its nearest integer are [`Rational`]s.
/// Otherwise it samples a law nearby, and keeps each sample with the exact quotient of the two laws. There
/// [`timing`](Self::timing) is variable for σ <= 1/64.
///
/// A sample is an integer of [`limbs`](Self::limbs) words of 64 bits in two's complement, the lowest first. Time and memory
/// don't depend on the samples, except for [`decimal`](Self::decimal).
///
/// The stream, for σ > 2^26: batches of up to 512 samples. First the base's samples y. Then each in turn takes ⌈(L + 48)/64⌉ words.
/// The lowest L bits are u + 2^(L-1), and the highest 48 are V's. Further words of V follow, or another proposal, as for
/// [`Wide`](samplez_core::samplers::Wide). If a law nearby is sampled, batches of up to 512 of its samples. Then each takes a word of V, further words where
/// they are needed, and another sample where it is not kept.
///
/// ```
/// use samplez::{BigGaussian, Seed, Source, Stream};
/// let flood: BigGaussian = "sigma=1e30,center=1/3".parse()?;
/// assert_eq!((flood.limbs(), flood.to_string()), (2, "sigma=1000000000000000000000000000000,center=1/3".into()));
/// let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes([0; 32]))?);
/// for sample in flood.draw(&mut stream, 10)?.chunks(flood.limbs()) {
///     let x = i128::from(sample[1].cast_signed()) << 64 | i128::from(sample[0]);
///     assert_eq!(x.to_string(), flood.decimal(sample));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BigGaussian {
    /// The width's name and value, and the centre.
    name: &'static str,
    width: Ratio,
    center: Ratio,
    kind: Kind,
    /// An integer that is added to every sample.
    origin: Vec<u64>,
}

/// The width's name, its text and its value, and the centre.
type Parameters<'a> = (&'static str, &'a str, Ratio, Ratio);

fn parameters<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Parameters<'a>, Refused> {
    let (mut width, mut center, mut beside) = (None, None, None);
    for (name, value) in pairs {
        let known = Recipe::WIDTHS.into_iter().find(|width| *width == name);
        let (allowed, kind) = match (known, width) {
            (Some(name), None) => {
                width = Some((name, value));
                continue;
            }
            (Some(name), Some((said, _))) if name != said => {
                (format!("`{said}` is given too; pass only one of them"), RefusedKind::Other)
            }
            (None, _) if name == "center" && center.is_none() => {
                center = Some(value);
                continue;
            }
            (None, _) if !Recipe::names().any(|known| known == name) => {
                let [sigma, squared, k, s] = Recipe::WIDTHS;
                return Err(unknown(name, value, &[sigma, squared, k, s, "center"], &[]));
            }
            (None, _) if name != "center" => {
                let allowed = "expected a width and `center` alone, for numbers of this size; leave it out";
                beside.get_or_insert(Refused::new(name, value, allowed).with_kind(RefusedKind::Unsupported));
                continue;
            }
            _ => ("is given twice; pass it once".into(), RefusedKind::Other),
        };
        return Err(Refused::new(name, value, allowed).with_kind(kind));
    }
    let names = Recipe::WIDTHS.map(|name| format!("`{name}`")).join(", ");
    let missing = || Refused::missing("width", format!("pass one of {names}"));
    let Some((name, value)) = width else { return Err(beside.unwrap_or_else(missing)) };
    let q = Ratio::read(name, value, WIDTH_BITS)?;
    if q.num.sign() != Sign::Plus {
        return Err(Refused::new(name, value, "expected a number greater than 0").with_kind(RefusedKind::OutOfRange));
    }
    let c = Ratio::read("center", center.unwrap_or("0"), 2 * WIDTH_BITS)?;
    // A width that no sampler takes is named first.
    beside.map_or(Ok((name, value, q, c)), Err)
}

enum Kind {
    Wide(Box<Proposals>),
    /// Samples of the law around c minus its nearest integer.
    Narrow(Box<dyn Noise>),
    /// The same, of numbers that have more than 64 bits.
    Near(Box<Near>),
}

struct Proposals {
    base: Exact,
    trial: WideTrial,
    exponent: WideExponent,
}

impl BigGaussian {
    /// Builds the sampler of these names and values: one of [`Recipe::WIDTHS`], and optionally `center`.
    ///
    /// # Errors
    ///
    /// [`Refused`] for another name, and a width that is not positive. A number has at most 2048 characters, powers of ten
    /// up to 2000, and 4096 bits. A width is at least 2^-60 or a fraction of 64 bits. If σ <= 2^26, as [`Recipe::build`] too.
    ///
    /// ```
    /// use samplez::BigGaussian;
    /// let e = BigGaussian::from_pairs([("sigma", "-1e30")]).unwrap_err();
    /// assert_eq!(e.to_string(), "sigma = -1e30: expected a number greater than 0");
    /// assert!(BigGaussian::from_pairs([("s", "8"), ("center", "1e300")]).is_ok());
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Refused> {
        let (name, value, q, c) = parameters(pairs)?;
        let form = named(name, Rational::from(1)).into();
        let (a, f, is_negative) = c.nearest();
        let fraction = |num: &BigUint, den: &BigUint| Fraction::new(&limbs(num), &limbs(den));
        let parts = fraction(q.num.magnitude(), &q.den).zip(fraction(&f, &c.den));
        let wide = parts.and_then(|(width, offset)| WideExponent::new(form, width, offset, is_negative));
        let bits = a.bits() + 2;
        if let Some((trial, exponent)) = wide {
            let base = Exact::isochronous(&DiscreteGaussian::with_sigma(trial.base())?)?;
            // Every |y| that is accepted is below 2^43.
            let len = (bits + 1).div_ceil(64).max(trial.words() as u64);
            let origin = signed(&(a - (BigInt::from(1) << (trial.shift() - 1))), len as usize);
            return Ok(BigGaussian {
                name,
                width: q,
                center: c,
                kind: Kind::Wide(Box::new(Proposals { base, trial, exponent })),
                origin,
            });
        }
        let offset = Ratio {
            num: BigInt::from_biguint(if is_negative { Sign::Minus } else { Sign::Plus }, f),
            den: c.den.clone(),
        };
        // Of a law of small numbers, the sampler that a recipe without a method has.
        let small = |q: &Ratio| q.to_string().parse::<Rational>().ok();
        let kind = match small(&q).zip(small(&offset)) {
            Some((q, offset)) => {
                let recipe = Recipe::new(DiscreteGaussian::new(offset, named(name, q))?).exact(true);
                Kind::Narrow(recipe.build_gaussian()?.into_sampler())
            }
            None => Kind::Near(Box::new(Near::new(name, value, &q, &offset)?)),
        };
        let origin = signed(&a, bits.max(64).div_ceil(64) as usize + 1);
        Ok(BigGaussian { name, width: q, center: c, kind, origin })
    }

    /// Returns the number of 64-bit words of a sample.
    pub fn limbs(&self) -> usize {
        self.origin.len()
    }

    /// Returns the class of the running time, as far as this build promises it.
    pub fn timing(&self) -> Timing {
        promised(match &self.kind {
            Kind::Wide(of) => of.base.noise_timing(),
            Kind::Narrow(noise) => noise.timing(),
            Kind::Near(near) => near.timing(),
        })
    }

    /// Draws the next `count` samples of this stream: words of [`limbs`](Self::limbs) each, one sample after the other.
    ///
    /// # Law
    ///
    /// D_{Z,σ,c} itself, if the stream's bits are ideal.
    ///
    /// # Errors
    ///
    /// As [`Stream::fill`]; and [`StreamError::Range`] if there is no array of so many words.
    pub fn draw<R: TryRng>(&self, stream: &mut Stream<R>, count: usize) -> Result<Vec<u64>, StreamError<R::Error>> {
        let mut out = Vec::new();
        let len = count.checked_mul(self.limbs()).filter(|len| out.try_reserve_exact(*len).is_ok());
        let Some(len) = len else { return Err(RangeError::of::<i64>().into()) };
        out.resize(len, 0);
        let filled = self.fill(stream.bits(), &mut out);
        let failed = stream.verdict().map_err(StreamError::Source);
        match failed.and(filled.map_err(StreamError::Range)) {
            Ok(()) => Ok(out),
            Err(error) => {
                out.zeroize();
                Err(error)
            }
        }
    }

    fn fill(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [u64]) -> Result<(), RangeError> {
        let mut ys = Zeroizing::new([0; ROW]);
        for out in out.chunks_mut(ROW * self.limbs()) {
            let ys = &mut ys[..out.len() / self.limbs()];
            self.base().noise_fill(bits, Slots::I64(ys))?;
            self.finish(bits, ys, out, |bits| self.base().noise_sample(bits));
        }
        Ok(())
    }

    /// The sampler of the numbers of 64 bits.
    fn base(&self) -> &dyn Noise {
        match &self.kind {
            Kind::Wide(of) => &of.base,
            Kind::Narrow(noise) => &**noise,
            Kind::Near(near) => near.base(),
        }
    }

    /// Makes samples in limbs of the base's, and of others if these are rejected.
    fn finish<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
        ys: &mut [i64],
        out: &mut [u64],
        base: impl Fn(&mut B) -> i64 + Copy,
    ) {
        if let Kind::Near(near) = &self.kind {
            near.keep(bits, ys, base);
        }
        for (y, sample) in ys.iter().zip(out.chunks_exact_mut(self.limbs())) {
            match &self.kind {
                Kind::Wide(of) => self.wide(of, *y, bits, sample, base),
                Kind::Narrow(_) | Kind::Near(_) => self.add(*y, 0, sample),
            }
        }
    }

    /// Runs the steps of [`draw`](Self::draw) that follow the base's samples `ys`, from any bits and by any base.
    #[cfg(feature = "testing")]
    pub fn finish_by<B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
        ys: &mut [i64],
        base: impl Fn(&mut B) -> i64 + Copy,
    ) -> Vec<u64> {
        let mut out = vec![0; ys.len() * self.limbs()];
        self.finish(bits, ys, &mut out, base);
        out
    }

    /// Makes a sample of y, or of others if that is rejected.
    fn wide<B: BitSource + ?Sized>(
        &self,
        of: &Proposals,
        mut y: i64,
        bits: &mut B,
        sample: &mut [u64],
        base: impl Fn(&mut B) -> i64,
    ) {
        let Proposals { trial, exponent, .. } = of;
        let shift = trial.shift();
        let len = trial.words();
        loop {
            bits.words(&mut sample[..len]);
            let lead = sample[len - 1] >> 16;
            for (i, word) in sample.iter_mut().enumerate() {
                let left = shift.saturating_sub(64 * i as u32).min(64);
                *word &= u64::MAX.checked_shr(64 - left).unwrap_or(0);
            }
            if trial.accepts(exponent, y, &sample[..shift.div_ceil(64) as usize], lead, bits) {
                break;
            }
            y = base(bits);
        }
        self.add(y, shift, sample);
    }

    /// Adds y·2^shift and the origin, modulo 2^(64·limbs).
    fn add(&self, y: i64, shift: u32, sample: &mut [u64]) {
        let (limb, shifted) = ((shift / 64) as usize, i128::from(y) << (shift % 64));
        let mut carry = 0;
        for (i, (word, origin)) in sample.iter_mut().zip(&self.origin).enumerate() {
            let own = match i.checked_sub(limb) {
                None => 0,
                Some(0) => shifted as u64,
                Some(1) => (shifted >> 64) as u64,
                Some(_) => (y >> 63) as u64,
            };
            let sum = u128::from(*word) + u128::from(own) + u128::from(*origin) + carry;
            (*word, carry) = (sum as u64, sum >> 64);
        }
    }

    /// Returns a sample of [`draw`](Self::draw) as decimal digits, in a time that reveals its size.
    pub fn decimal(&self, sample: &[u64]) -> String {
        let bytes: Zeroizing<Vec<u8>> = Zeroizing::new(sample.iter().flat_map(|word| word.to_le_bytes()).collect());
        BigInt::from_signed_bytes_le(&bytes).to_string()
    }
}

impl fmt::Debug for BigGaussian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BigGaussian").field(&self.to_string()).finish()
    }
}

/// Writes the width, and the centre unless it is 0, in lowest terms.
impl fmt::Display for BigGaussian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.width)?;
        if self.center.num.sign() == Sign::NoSign { Ok(()) } else { write!(f, ",center={}", self.center) }
    }
}

impl FromStr for BigGaussian {
    type Err = Refused;

    /// Parses pairs as in a [`Recipe`], without method and options.
    ///
    /// # Errors
    ///
    /// As [`from_pairs`](Self::from_pairs), and for a text that is no recipe.
    fn from_str(text: &str) -> Result<Self, Refused> {
        BigGaussian::from_pairs(Recipe::pairs(text)?)
    }
}
