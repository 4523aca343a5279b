/// Isochronous rejection with a centre and a width per call. One word is a trial. A single call makes four trials at once, and
/// a batch makes many, in vector registers.
///
/// Paper: \[HPRR20\], Algorithm 1, with the low part of \[DDLL13\]. Proof: docs/proofs/strip-rounder.md.
///
/// | Law        | [`round`](Rounder::round) and [`round_batch`](Self::round_batch): within the declared bound of D_{Z,σ,c}, for every σ and c allowed: R_∞ - 1 <= 2^-51. [`round_refined`](Self::round_refined) and [`round_batch_refined`](Self::round_batch_refined): exact |
/// | Bits       | 64 per trial for σ_max <= 3.4, else 96; 64 more with probability below 2^-48 a sample. A batch makes T trials a sample, T about σ_max/σ_min times 1.12 to 1.40, for Falcon-512 1.74. A single call makes rounds of four trials, 1/(1 - (1 - 1/T)^4) in the mean, for Falcon-512 1.03 |
/// | Memory     | 360 bytes, the same for every range of σ; 24 KB of stack in a batch |
/// | Timing     | Isochronous: the number of trials reveals σ_min, and nothing of the samples, nor of σ and centre but a ripple: its mean is within 2^-27 of one number. Whether 64 more bits are compared is independent of the samples within 2^-48. Evidence: SECURITY.md |
/// | Parameters | rational σ_min and σ_max, 1 <= σ_min <= σ_max <= 2·σ_min, σ_max <= 2^26; rational σ between them; c in fixed point |
///
/// ```text
/// 1  z0 ← j with probability w_j/2^16                (strips of K = 2^k values, σ_max <= 3.4·K)
/// 2  u ← {0, …, K - 1}; x ← K·z0 + u
/// 3  b ← {0, 1}; z ← x + 1 if b, else -x             (every integer, once)
/// 4  accept with probability 2^16·S/w_z0·σ_min/σ·exp(-(z - f)²/2σ²), f = c - ⌊c⌋, else 1
/// 5  return ⌊c⌋ + z
/// ```
///
/// Not Falcon's `SamplerZ`: the same law within the bound, over Falcon's range of widths as over others, but other integers from
/// other bits. [`SamplerZ`] gives Falcon's bytes.
///
/// The stream of a call is a sequence of rounds of four trials: four words, then, if K > 1, 32 bits for each trial. The lowest bit of
/// a word is b, and the others are v. The lowest k of the 32 bits are u. [`Isochronous`] defines the strips and the comparison: the last strip
/// lies at the lowest v. The trials of a round are judged in order, up to the first accepted one. The goal g is the probability
/// in units of 2^-63. A trial is close if v less the strip's lower end is within ⌊g/2^51⌋ + 1 of g. For a close trial, the 64 bits after the
/// round continue v. If no trial is accepted, the next round follows. A batch has a stream of its own: [`StripRounder::round_batch`].
/// So has a [`ProposalStore`], which makes single calls 1.3 to 1.5 times as fast.
///
/// Departures from the paper:
/// - The base is not a half Gaussian but a table of ⌈12σ_max/K⌉ weights of 16 bits. Each is just above the largest mass
///   that its strip's values may have for any σ.
/// - One uniform number chooses z0 and decides the acceptance.
/// - The factor σ_min/σ is a term of the exponent, log2(σ/σ_min); and the exponential is compared as one number, not byte by byte.
/// - The exact calls decide close trials by a [`Refine`], and their last strip includes all values beyond it.
///
/// Of the trials up to the first accepted one it is public whether each accepts and whether it is close. Nothing else is:
/// [`BitSource::declassify`] marks the places.
///
/// [`Isochronous`]: crate::samplers::Isochronous
/// [`SamplerZ`]: crate::samplers::SamplerZ
/// [`ProposalStore`]: crate::samplers::ProposalStore
///
/// The rounder, for widths from σ_min to σ_max.
///
/// ```
/// use samplez_core::{FixedPoint, Timing, bits::BitReader};
/// use samplez_core::{Rounder, samplers::StripRounder};
/// use samplez_sources::{ChaCha20, Seed};
/// const { assert!(matches!(StripRounder::TIMING, Timing::Isochronous)) };
/// // The widths of Falcon-512.
/// let rounder = StripRounder::new("1.2778336969128337".parse()?, "1.8205".parse()?)?;
/// let width = rounder.width("1.7".parse()?)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let z = rounder.round((FixedPoint::from_f64(-91.9047).unwrap(), width), &mut bits);
/// assert!((-120..-60).contains(&z));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StripRounder {
    sigma_min: Rational,
    sigma_max: Rational,
    /// S in units of 2^-32.
    height: u64,
    /// How many strips there are.
    count: u64,
    /// Of σ_min, as [`log2`] gives it for its square.
    log_square: u64,
    /// [`width::range_key`].
    range: u64,
    envelope: Envelope,
    search: Search,
}

mod batch;
mod close;
mod log2;
mod store;
mod width;

pub use width::StripWidth;

use super::isochronous::{Refine, sigma::square, strips::envelope};
use crate::arch::Backend;
use crate::arch::isochronous::{Envelope, ROUND, Round, Search};
use crate::bits::BitSource;
use crate::params::{FixedPoint, ParamError, Rational, Width};
use crate::profile::{Bound, Exactness, Timing};
use crate::sampler::Rounder;
use close::{Estimate, Exactly, Settle};
use log2::log2;
use zeroize::{Zeroize, optimization_barrier};

/// The largest σ: k <= 25.
const SIGMA_MAX: i64 = 1 << 26;
/// The backend of single calls: no other is faster.
const SINGLE: Backend = Backend::Avx2;
/// sqrt(2π).
const SQRT_TAU: f64 = 2.506_628_274_631_000_2;

/// For every σ and centre allowed; docs/proofs/strip-rounder.md has the sum.
pub(crate) const BOUND: Bound = Bound {
    log2_sd: -53.0,
    log2_renyi: [(2, -103.0), (256, -98.0), (513, -97.0)],
    log2_rinf: -51.0,
    log2_tail: -103.0,
};

fn refused(argument: &'static str, value: Rational, allowed: &'static str) -> ParamError {
    ParamError::Unsupported { method: "strips", argument, value, allowed }
}

/// Whether a <= n·b, for positive numbers.
fn at_most(a: Rational, n: u128, b: Rational) -> bool {
    // a·den(b) < 2^127; n·b·den(a) < 2^128 for n <= 2.
    u128::from(a.num().unsigned_abs()) * u128::from(b.den())
        <= n * u128::from(b.num().unsigned_abs()) * u128::from(a.den())
}

/// K²·log2(e)/2σ² in units of 2^-(128 - e), K = 2^shift <= 2σ, and e.
fn narrow_square(sigma: Rational, shift: u32) -> (u128, u32) {
    let sigma = Width::Sigma(sigma);
    // K may exceed σ, K/2 does not.
    if shift == 0 { (square(sigma, 0), 0) } else { (square(sigma, shift - 1), 2) }
}

impl StripRounder {
    /// Builds the rounder for these widths, whose acceptance rate is that of `sigma_min`, for any σ.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless 1 <= `sigma_min` <= `sigma_max` <= 2·`sigma_min` and `sigma_max` <= 2^26.
    ///
    /// ```
    /// use samplez_core::{Rational, samplers::StripRounder};
    /// assert!(StripRounder::new(Rational::from(215), Rational::from(215)).is_ok());
    /// let e = StripRounder::new(Rational::from(1), "2.1".parse()?).unwrap_err();
    /// assert_eq!(e.to_string(), "sigma_max = 2.1: method strips allows sigma_min <= sigma_max <= 2*sigma_min, at most 2^26");
    /// # Ok::<(), samplez_core::ParseRationalError>(())
    /// ```
    pub fn new(sigma_min: Rational, sigma_max: Rational) -> Result<Self, ParamError> {
        let one = Rational::from(1);
        let largest = Rational::from(SIGMA_MAX);
        if sigma_min.num() <= 0 || !at_most(one, 1, sigma_min) || !at_most(sigma_min, 1, largest) {
            return Err(refused("sigma_min", sigma_min, "1 <= sigma_min <= 2^26"));
        }
        let fits =
            at_most(sigma_min, 1, sigma_max) && at_most(sigma_max, 2, sigma_min) && at_most(sigma_max, 1, largest);
        if sigma_max.num() <= 0 || !fits {
            return Err(refused("sigma_max", sigma_max, "sigma_min <= sigma_max <= 2*sigma_min, at most 2^26"));
        }
        let (envelope, height, count) = envelope(Width::Sigma(sigma_max));
        let [log_square] = log2([narrow_square(sigma_min, envelope.shift).0]);
        let search = Search::new(&envelope);
        let range = width::range_key([sigma_min, sigma_max]);
        Ok(StripRounder { sigma_min, sigma_max, height, count, log_square, range, envelope, search })
    }

    /// Builds the rounder for this σ alone, with a centre per call.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless 1 <= σ <= 2^26.
    ///
    /// ```
    /// use samplez_core::{Rational, samplers::StripRounder};
    /// assert!(StripRounder::of_sigma("1.6e5".parse()?)?.expected_trials() < 1.25);
    /// let e = StripRounder::of_sigma("0.99".parse()?).unwrap_err();
    /// assert_eq!(e.to_string(), "sigma = 0.99: method strips allows 1 <= sigma <= 2^26");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_sigma(sigma: Rational) -> Result<Self, ParamError> {
        let allowed = "1 <= sigma <= 2^26";
        Self::new(sigma, sigma).map_err(|_| refused("sigma", sigma, allowed))
    }

    /// Prepares σ for calls of this rounder. The time depends on σ.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless σ_min <= σ <= σ_max.
    ///
    /// ```
    /// use samplez_core::samplers::StripRounder;
    /// let rounder = StripRounder::new("1.2778336969128337".parse()?, "1.8205".parse()?)?;
    /// let e = rounder.width("2".parse()?).unwrap_err();
    /// assert_eq!(e.to_string(), "sigma = 2: method strips allows sigma_min <= sigma <= sigma_max");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn width(&self, sigma: Rational) -> Result<StripWidth, ParamError> {
        let [width] = self.widths([sigma])?;
        Ok(width)
    }

    /// Prepares each σ like [`width`](Self::width). Four together take half the time of four calls, or less.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] for the first that is not between σ_min and σ_max.
    ///
    /// ```
    /// use samplez_core::{Rational, samplers::StripRounder};
    /// let rounder = StripRounder::new(Rational::from(16), Rational::from(32))?;
    /// let sigmas = [16, 20, 25, 32].map(Rational::from);
    /// assert_eq!(rounder.widths(sigmas)?[2], rounder.width(sigmas[2])?);
    /// # Ok::<(), samplez_core::ParamError>(())
    /// ```
    pub fn widths<const N: usize>(&self, sigmas: [Rational; N]) -> Result<[StripWidth; N], ParamError> {
        let fits = |s: &Rational| s.num() > 0 && at_most(self.sigma_min, 1, *s) && at_most(*s, 1, self.sigma_max);
        if let Some(sigma) = sigmas.iter().find(|sigma| !fits(sigma)) {
            return Err(refused("sigma", *sigma, "sigma_min <= sigma <= sigma_max"));
        }
        let squares = sigmas.map(|sigma| narrow_square(sigma, self.envelope.shift));
        let logs = log2(squares.map(|(square, _)| square));
        Ok(core::array::from_fn(|i| {
            let (square, scale) = squares[i];
            // Near σ_min the difference may be a unit below 0.
            let lift = (1 << 55) + (self.log_square.saturating_sub(logs[i]) >> 3);
            StripWidth { square: (square >> (65 - scale)) as u64, lift, range: self.range }
        }))
    }

    /// Returns the expected trials of a call. Each is accepted with probability S·ρ_σ(Z - f)·σ_min/σ/2K.
    pub fn expected_trials(&self) -> f64 {
        let height = self.height as f64 / (1_u64 << 32) as f64;
        2.0 * (1_u64 << self.envelope.shift) as f64 / (height * self.sigma_min.to_f64() * SQRT_TAU)
    }

    /// Returns k, and how many strips there are; for the exact law tests.
    #[cfg(feature = "testing")]
    pub fn shape(&self) -> (u32, u64) {
        (self.envelope.shift, self.count)
    }

    /// Makes a trial of this word and the following 32 bits, for the exact law tests.
    ///
    /// Returns z, the height of v above its strip's lower end, the probability, and its further bits. The probability
    /// is times the weight, in units of 2^-63; the further bits are in units of 2^-127.
    #[cfg(feature = "testing")]
    pub fn trial(&self, width: StripWidth, fraction: u64, word: u64, low: u64) -> (i64, u64, u64, u64) {
        let trial = self.envelope.trial(&width.call(fraction), word, low);
        (trial.value.into(), trial.rest, trial.goal, trial.next)
    }
}

impl Zeroize for StripRounder {
    /// Erases the rounder, which draws nothing afterwards.
    fn zeroize(&mut self) {
        let (zero, envelope, search) = (Rational::ZERO, Envelope::default(), Search::default());
        let [height, count, log_square, range] = [0; 4];
        *self = StripRounder { sigma_min: zero, sigma_max: zero, height, count, log_square, range, envelope, search };
        optimization_barrier(self);
    }
}

impl Rounder for StripRounder {
    type Center = (FixedPoint, StripWidth);
    const TIMING: Timing = Timing::Isochronous;

    fn exactness(&self) -> Exactness {
        Exactness::Within(BOUND)
    }

    /// # Panics
    ///
    /// If the width is of a rounder of another range.
    #[inline]
    fn round<B: BitSource + ?Sized>(&self, (center, width): (FixedPoint, StripWidth), bits: &mut B) -> i64 {
        self.settled_round(SINGLE, (center, width), 0, &Estimate, bits)
    }
}

impl StripRounder {
    /// [`round`](Rounder::round) by this backend. A backend that is not available is the portable one.
    #[cfg(test)]
    fn round_on<B: BitSource + ?Sized>(&self, backend: Backend, call: (FixedPoint, StripWidth), bits: &mut B) -> i64 {
        self.settled_round(backend, call, 0, &Estimate, bits)
    }

    /// Draws one sample of D_{Z,σ,c} itself: no value is cut off, and the distribution has no error.
    ///
    /// `refine` returns the comparisons with the call's σ and centre. `center` is that centre, rounded down. The words are those of
    /// [`round`](Rounder::round). A trial that its fixed-point probability leaves undecided goes to the `Refine`, and so does a trial whose
    /// v is 0. It stands for all values from the last strip on. Both together have a probability below 2^-48 for a sample.
    ///
    /// Exact if the bits are ideal and the `Refine` is exact, as `samplez_tables::ExactHeights` is. Isochronous, except for the `Refine`'s time.
    ///
    /// # Panics
    ///
    /// If the width is of a rounder of another range.
    #[inline]
    pub fn round_refined<R: Refine, B: BitSource + ?Sized>(
        &self,
        (center, width): (FixedPoint, StripWidth),
        refine: impl Fn() -> R,
        bits: &mut B,
    ) -> i64 {
        let (calls, refine) = ([(center, width)], |_| refine());
        self.settled_round(SINGLE, (center, width), 0, &self.exactly(&calls, &refine), bits)
    }

    fn exactly<'a, F>(&self, calls: &'a [(FixedPoint, StripWidth)], refine: &'a F) -> Exactly<'a, F> {
        Exactly { height: self.height, shift: self.envelope.shift, count: self.count, calls, refine }
    }

    /// The sample of a call with this number.
    #[inline]
    fn settled_round<S: Settle, B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        (center, width): (FixedPoint, StripWidth),
        number: usize,
        settle: &S,
        bits: &mut B,
    ) -> i64 {
        self.check(width);
        let call = width.call(center.fraction());
        let (mut words, mut lows, mut values) = ([0; ROUND], [0; ROUND / 2], [0; ROUND]);
        let value = loop {
            bits.words(&mut words);
            if self.envelope.shift > 0 {
                bits.words(&mut lows);
            }
            let Self { envelope, search, .. } = self;
            let round = Round { envelope, search, call: &call, words: &words, lows: &lows };
            // steps 1 to 4
            let mut from = 0;
            if let Some((first, close)) = round.run(backend, &mut values) {
                let first = bits.declassify(first);
                if first == 0 {
                    continue;
                }
                from = first.trailing_zeros() as usize % ROUND;
                if bits.declassify(close) == 0 {
                    break i64::from(values[from] as i32);
                }
            }
            if let Some(value) = judge(round, from, number, settle, bits) {
                break value;
            }
        };
        words.zeroize();
        lows.zeroize();
        values.zeroize();
        center.floor() + value // step 5
    }
}

/// The first accepted value of a round, from this trial on: a trial is judged if those before it are rejected.
#[inline(never)]
fn judge<S: Settle, B: BitSource + ?Sized>(
    round: Round<'_>,
    from: usize,
    number: usize,
    settle: &S,
    bits: &mut B,
) -> Option<i64> {
    (from..ROUND).find_map(|i| {
        let trial = round.trial(i);
        let (is_below, is_close) = trial.call_verdict();
        if bits.declassify(is_close.into()) != 0 {
            return settle.settle(number, &trial, bits);
        }
        (bits.declassify(is_below.into()) != 0).then_some(trial.value.into())
    })
}

impl StripRounder {
    /// Panics for the width of another range, under which the law would be another.
    #[inline]
    fn check(&self, width: StripWidth) {
        assert!(
            width.range == self.range,
            "width: expected one of this rounder, or of one with its sigma_min and sigma_max"
        );
    }

    /// Draws one sample for each centre, of D_{Z,σ,c} within the declared bound. It is faster than
    /// [`round`](Rounder::round), and returns other integers. The result is a function of the bits and of all the
    /// centres: in other pieces, the centres get other integers. Isochronous.
    ///
    /// The stream: up to 256 calls are under way. A pass gives each of them one trial: first those that were under way before,
    /// in their order, then those that fill up their number. It takes a word of each, then, if K > 1, 32 bits of each, then 64 bits of
    /// each that needs them. When fewer than 16 calls are left, [`round`](Rounder::round) draws them, one after the other.
    ///
    /// # Panics
    ///
    /// If the slices differ in length, or a width is of a rounder of another range.
    ///
    /// ```
    /// use samplez_core::{FixedPoint, bits::BitReader, samplers::StripRounder};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let rounder = StripRounder::new("1.2778336969128337".parse()?, "1.8205".parse()?)?;
    /// let call = (FixedPoint::from_f64(1e6 + 0.5).unwrap(), rounder.width("1.5".parse()?)?);
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
    /// let mut out = [0; 1000];
    /// rounder.round_batch(&[call; 1000], &mut bits, &mut out);
    /// assert!(out.iter().all(|z| z.abs_diff(1_000_000) < 20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn round_batch<B: BitSource + ?Sized>(
        &self,
        centers: &[(FixedPoint, StripWidth)],
        bits: &mut B,
        out: &mut [i64],
    ) {
        self.round_batch_on(Backend::current(), centers, bits, out);
    }

    /// Draws one sample of D_{Z,σ,c} itself for each centre, as [`round_refined`](Self::round_refined), by the words of [`round_batch`](Self::round_batch).
    ///
    /// `refine` returns the comparisons for the call with this number.
    ///
    /// # Panics
    ///
    /// As [`round_batch`](Self::round_batch).
    pub fn round_batch_refined<R: Refine, B: BitSource + ?Sized>(
        &self,
        centers: &[(FixedPoint, StripWidth)],
        refine: impl Fn(usize) -> R,
        bits: &mut B,
        out: &mut [i64],
    ) {
        self.settled_batch(Backend::current(), centers, &self.exactly(centers, &refine), bits, out);
    }

    /// [`round_batch`](Self::round_batch) by this backend. A backend that is not
    /// available is the portable one.
    pub(crate) fn round_batch_on<B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        centers: &[(FixedPoint, StripWidth)],
        bits: &mut B,
        out: &mut [i64],
    ) {
        self.settled_batch(backend, centers, &Estimate, bits, out);
    }

    fn settled_batch<S: Settle, B: BitSource + ?Sized>(
        &self,
        backend: Backend,
        centers: &[(FixedPoint, StripWidth)],
        settle: &S,
        bits: &mut B,
        out: &mut [i64],
    ) {
        assert_eq!(centers.len(), out.len(), "round_batch: as many results as centers");
        centers.iter().for_each(|(_, width)| self.check(*width));
        for i in batch::passes(&self.envelope, backend, centers, bits, out, settle) {
            out[i] = self.settled_round(backend, centers[i], i, settle, bits);
        }
    }
}

#[cfg(test)]
mod tests;
