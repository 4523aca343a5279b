//! The continuous health tests of live entropy.
//!
//! Standard: \[SP800-90B\], §4.3 (requirements), §4.4.1 (repetition count), §4.4.2 (adaptive proportion). A sample is
//! a byte, so the window has 512 of them.
//!
//! | Cutoffs | from a min-entropy of H bits a byte and a rate α: 1 + ⌈-log2(α)/H⌉ equal bytes in a row; 1 + critbinom(512, 2^-H, 1 - α) bytes of a window that equal its first |
//! | Start | 1,024 bytes are tested and thrown away before the first is given |
//! | Alarm | an error, for ever; the bytes that were asked for are wiped |
//! | Timing | no branch, index or address depends on a byte, but on whether there is an alarm |
//!
//! The system's source is watched with H = 4, α = 2^-40: 11 bytes in a row, 78 in a window. False alarms, exactly
//! (`kat/health.csv` has them for every H and α):
//!
//! | the bytes have | a byte ends a run of 11: at most | a window has 78 |
//! |---|---|---|
//! | 4 bits of min-entropy, and no more | 2^-40 | 2^-39.59 |
//! | 8, as random bytes have | 2^-80 | 2^-310.26 |
//!
//! so that 2^64 random bytes raise one with probability below 2^-15.9. With H = 8 the same α would accuse a sound source
//! once in a terabyte. The window's rate may exceed α a little: the standard counts 512 trials, and the first byte,
//! which the others are compared with, is none.
//!
//! A program sees the operating system's *output*, which it has conditioned. These tests find a source that is dead,
//! stuck or replaced by something crude. They find no loss of entropy behind a generator. The system's own tests of its
//! noise are another matter, and so is a validation of it.

use core::fmt;
use rand_core::{TryCryptoRng, TryRng};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Samples of an adaptive proportion test, where a sample has more than a bit (§4.4.2).
const WINDOW: usize = 512;

/// Samples of the start-up test (§4.3, requirement 4).
const STARTUP: usize = 1024;

/// Min-entropies in bits a byte.
const ENTROPIES: core::ops::RangeInclusive<u32> = 1..=8;

/// -log2 of the rates of false alarms that §4.3 recommends.
const ALPHAS: core::ops::RangeInclusive<u32> = 20..=40;

/// The two tests over one source's bytes, in order. [`HealthTested`] applies them to a source.
///
/// Its memory of the bytes is zeroised on drop.
///
/// ```
/// use samplez_sources::{HealthTest, HealthTests};
/// let mut tests = HealthTests::new("a chip", 4, 40)?;
/// let alarm = tests.check(&[0x5a; 20]).unwrap_err();
/// assert_eq!(alarm.test, HealthTest::RepetitionCount);
/// # Ok::<(), samplez_sources::HealthParamError>(())
/// ```
pub struct HealthTests {
    source: &'static str,
    cutoffs: Cutoffs,
    last: u8,
    /// How often `last` came in a row; 0 before the first byte.
    run: u32,
    /// The window's first byte, how many there were, and how many equalled the first, itself included.
    first: u8,
    seen: u32,
    equal: u32,
    alarm: Option<HealthAlarm>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cutoffs {
    /// At least 3.
    repetition: u32,
    proportion: u32,
}

impl Cutoffs {
    /// For H = `entropy` and α = 2^-`alpha`.
    const fn new(entropy: u32, alpha: u32) -> Self {
        // X has W trials of probability p; the terms are P(X = k), and what the doubles lose is far below what would
        // move a cutoff (kat/health.csv has all by integers).
        let p = 1.0 / (1_u32 << entropy) as f64;
        let limit = 1.0 / (1_u64 << alpha) as f64;
        let (mut k, mut term) = (0, 1.0);
        while k < WINDOW {
            term *= 1.0 - p;
            k += 1;
        }
        k = 0;
        // The least k with P(X >= k) <= α. Below the mean there is none.
        while (k as f64) < WINDOW as f64 * p || tail(k, term, p) > limit {
            term = next_term(k, term, p);
            k += 1;
        }
        Cutoffs { repetition: 1 + alpha.div_ceil(entropy), proportion: k as u32 }
    }
}

/// P(X = k + 1) from P(X = k).
const fn next_term(k: usize, term: f64, p: f64) -> f64 {
    term * ((WINDOW - k) as f64 / (k + 1) as f64 * (p / (1.0 - p)))
}

/// P(X >= k) from P(X = k), for k above the mean.
const fn tail(mut k: usize, mut term: f64, p: f64) -> f64 {
    let mut sum = 0.0;
    while k <= WINDOW && sum + term > sum {
        sum += term;
        term = next_term(k, term, p);
        k += 1;
    }
    sum
}

impl HealthTests {
    /// Builds the tests of a source by this name, which claims a min-entropy of so many bits a byte. If it has no more,
    /// false alarms have a rate of 2^-`alpha` (per byte that could end a run, and per window).
    ///
    /// Round the claim down. A lower one accuses less: see the head of this module's table for both.
    ///
    /// # Errors
    ///
    /// [`HealthParamError`] for a min-entropy beyond 1 to 8 bits, or an alpha beyond 20 to 40.
    ///
    /// ```
    /// use samplez_sources::HealthTests;
    /// let e = HealthTests::new("a chip", 9, 30).unwrap_err();
    /// assert_eq!(e.to_string(), "min-entropy = 9: expected a number from 1 to 8, in bits a byte");
    /// let e = HealthTests::new("a chip", 8, 10).unwrap_err();
    /// assert_eq!(e.to_string(), "alpha = 10: expected a number from 20 to 40, for false alarms at a rate of 2^-alpha");
    /// ```
    pub fn new(source: &'static str, min_entropy: u32, alpha: u32) -> Result<Self, HealthParamError> {
        if !ENTROPIES.contains(&min_entropy) {
            return Err(HealthParamError::MinEntropy(min_entropy));
        }
        if !ALPHAS.contains(&alpha) {
            return Err(HealthParamError::Alpha(alpha));
        }
        Ok(Self::with(source, Cutoffs::new(min_entropy, alpha)))
    }

    /// Builds the tests with H = 4 and α = 2^-40, with which this library watches the operating system's sources.
    ///
    /// ```
    /// let mut tests = samplez_sources::HealthTests::live("a device");
    /// assert_eq!(tests.check(&[0; 11]).unwrap_err().cutoff, 11);
    /// ```
    pub const fn live(source: &'static str) -> Self {
        const CUTOFFS: Cutoffs = Cutoffs::new(4, 40);
        Self::with(source, CUTOFFS)
    }

    const fn with(source: &'static str, cutoffs: Cutoffs) -> Self {
        HealthTests { source, cutoffs, last: 0, run: 0, first: 0, seen: 0, equal: 0, alarm: None }
    }

    /// Tests the source's next bytes. After an alarm every further call returns it again.
    ///
    /// # Errors
    ///
    /// [`HealthAlarm`]: do not use these bytes.
    ///
    /// ```
    /// use samplez_sources::{HealthTest, HealthTests};
    /// let mut tests = HealthTests::new("a device", 4, 40)?;
    /// let stuck: Vec<u8> = [0, 0xff].repeat(500);
    /// let alarm = tests.check(&stuck).unwrap_err();
    /// assert_eq!(alarm.test, HealthTest::AdaptiveProportion);
    /// assert_eq!(tests.check(b"whatever comes"), Err(alarm));
    /// # Ok::<(), samplez_sources::HealthParamError>(())
    /// ```
    pub fn check(&mut self, bytes: &[u8]) -> Result<(), HealthAlarm> {
        let mut rest = bytes;
        while self.alarm.is_none() && !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(WINDOW - self.seen as usize));
            let test = if self.repeats(now) {
                Some((HealthTest::RepetitionCount, self.cutoffs.repetition))
            } else if self.prevails(now) {
                Some((HealthTest::AdaptiveProportion, self.cutoffs.proportion))
            } else {
                None
            };
            self.alarm = test.map(|(test, cutoff)| HealthAlarm { source: self.source, test, cutoff });
            rest = later;
        }
        self.alarm.map_or(Ok(()), Err)
    }

    /// Whether a run reaches its cutoff in these bytes, of which there are up to a window.
    fn repeats(&mut self, bytes: &[u8]) -> bool {
        let cutoff = self.cutoffs.repetition as usize;
        if bytes.len() < 2 * cutoff {
            return self.run_through(bytes);
        }
        // A run that began before reaches its cutoff within the first bytes, or ends there; one that goes on behind
        // is counted again from the last.
        let before = self.run_through(&bytes[..cutoff]);
        let within = has_run(bytes, cutoff);
        self.run = 0;
        self.run_through(&bytes[bytes.len() - cutoff..]) | before | within
    }

    /// The test by the letter of §4.4.1, without its branches.
    fn run_through(&mut self, bytes: &[u8]) -> bool {
        let (mut last, mut run, mut longest) = (self.last, self.run, 0);
        for byte in bytes {
            run = run * u32::from(*byte == last) + 1;
            last = *byte;
            longest = longest.max(run);
        }
        (self.last, self.run) = (last, run);
        longest >= self.cutoffs.repetition
    }

    /// Whether the window's first byte comes too often, up to these bytes, with which the window may end (§4.4.2).
    fn prevails(&mut self, bytes: &[u8]) -> bool {
        if self.seen == 0 {
            self.first = bytes[0];
            self.equal = 0;
        }
        let first = self.first;
        for part in bytes.chunks(128) {
            self.equal += u32::from(part.iter().map(|byte| u8::from(*byte == first)).sum::<u8>());
        }
        self.seen = (self.seen + bytes.len() as u32) % WINDOW as u32;
        self.equal >= self.cutoffs.proportion
    }

    /// As if no byte had been seen.
    fn restart(&mut self) {
        *self = Self::with(self.source, self.cutoffs);
    }
}

/// Whether a byte comes `length` times in a row, at least twice, in up to a window of bytes. Its loops are what vector
/// registers are good for.
fn has_run(bytes: &[u8], length: usize) -> bool {
    let (mut flags, mut wider) = (&mut [0; WINDOW], &mut [0; WINDOW]);
    // Flag i: the `width` bytes behind byte i equal it.
    let mut left = bytes.len() - 1;
    let mut width = 1;
    for ((flag, a), b) in flags.iter_mut().zip(bytes).zip(&bytes[1..]) {
        *flag = u8::from(a == b);
    }
    while width < length - 1 {
        let step = width.min(length - 1 - width);
        left -= step;
        for ((to, a), b) in wider.iter_mut().zip(&flags[..left]).zip(&flags[step..]) {
            *to = a & b;
        }
        (flags, wider) = (wider, flags);
        width += step;
    }
    flags[..left].iter().fold(0, |any, flag| any | flag) != 0
}

impl Drop for HealthTests {
    fn drop(&mut self) {
        self.last.zeroize();
        self.first.zeroize();
    }
}

impl ZeroizeOnDrop for HealthTests {}

impl fmt::Debug for HealthTests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HealthTests").field("source", &self.source).finish_non_exhaustive()
    }
}

/// A source that returns only bytes that passed the health tests.
///
/// Its first request draws 1,024 further bytes for the start-up test, and drops them. After an alarm it reads nothing
/// more from the source. [`Os`](super::Os) and [`Device`](super::Device) have it built in. Around other entropy, such
/// as a chip's, it replaces the source: in [`Seed::from_entropy`](super::Seed::from_entropy) or a
/// [`Reseeding`](super::Reseeding) generator.
///
/// ```
/// use samplez_sources::{ChaCha20, HashDrbgSha256, HealthTested, HealthTests, Reseeding, Seed};
/// let chip = ChaCha20::new(&Seed::from_bytes([3; 32])); // in the place of one
/// let tested = HealthTested::new(chip, HealthTests::new("the chip", 4, 40)?);
/// let mut rng = Reseeding::<HashDrbgSha256, _>::from_entropy(tested, b"an application")?;
/// rng.generate(&mut [0; 32], b"")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HealthTested<R> {
    source: R,
    tests: HealthTests,
    started: bool,
}

impl<R> HealthTested<R> {
    /// Puts a source behind these tests.
    ///
    /// ```
    /// use rand_core::TryRng;
    /// use samplez_sources::{HealthTested, HealthTests, Seed, Source};
    /// let zero_state = Source::Kiss64.seeded(&Seed::from_bytes([0; 32])).unwrap();
    /// let mut tested = HealthTested::new(zero_state, HealthTests::new("kiss64", 4, 40)?);
    /// assert!(tested.try_next_u64().is_ok()); // weak, and not dead: no test of health finds that
    /// # Ok::<(), samplez_sources::HealthParamError>(())
    /// ```
    pub const fn new(source: R, tests: HealthTests) -> Self {
        HealthTested { source, tests, started: false }
    }
}

impl<R: TryRng> HealthTested<R> {
    /// The start-up test, if there was none.
    fn start(&mut self) -> Result<(), HealthTestedError<R::Error>> {
        if self.started {
            return Ok(());
        }
        self.tests.restart();
        let mut bytes = Zeroizing::new([0; 256]);
        for _ in 0..STARTUP / bytes.len() {
            self.source.try_fill_bytes(&mut *bytes).map_err(HealthTestedError::Source)?;
            self.tests.check(&*bytes)?;
        }
        self.started = true;
        Ok(())
    }
}

impl<R: TryRng> TryRng for HealthTested<R> {
    type Error = HealthTestedError<R::Error>;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        rand_core::utils::next_word_via_fill(self)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        rand_core::utils::next_word_via_fill(self)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        self.tests.check(&[])?;
        self.start()?;
        self.source.try_fill_bytes(out).map_err(HealthTestedError::Source)?;
        self.tests.check(out).map_err(|alarm| {
            out.zeroize();
            alarm.into()
        })
    }
}

impl<R: TryCryptoRng> TryCryptoRng for HealthTested<R> {}

impl<R> fmt::Debug for HealthTested<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HealthTested").field("source", &self.tests.source).finish_non_exhaustive()
    }
}

/// A health test of \[SP800-90B\].
///
/// ```
/// assert_eq!(samplez_sources::HealthTest::RepetitionCount.to_string(), "repetition count test");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthTest {
    /// §4.4.1: a byte came too often in a row.
    RepetitionCount,
    /// §4.4.2: a window's first byte came too often in it.
    AdaptiveProportion,
}

impl fmt::Display for HealthTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HealthTest::RepetitionCount => "repetition count test",
            HealthTest::AdaptiveProportion => "adaptive proportion test",
        })
    }
}

/// The error if a source failed a health test. It reveals no byte.
///
/// ```
/// let mut tests = samplez_sources::HealthTests::new("/dev/zero", 4, 40)?;
/// let alarm = tests.check(&[0; 11]).unwrap_err();
/// assert_eq!(
///     alarm.to_string(),
///     "/dev/zero failed the repetition count test of SP 800-90B: 11 or more equal bytes in a row"
/// );
/// # Ok::<(), samplez_sources::HealthParamError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HealthAlarm {
    /// The source's name.
    pub source: &'static str,
    /// The test that it failed.
    pub test: HealthTest,
    /// The cutoff that was reached.
    pub cutoff: u32,
}

impl fmt::Display for HealthAlarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed the {} of SP 800-90B: {} or more ", self.source, self.test, self.cutoff)?;
        match self.test {
            HealthTest::RepetitionCount => f.write_str("equal bytes in a row"),
            HealthTest::AdaptiveProportion => write!(f, "of {WINDOW} bytes equal the first"),
        }
    }
}

impl core::error::Error for HealthAlarm {}

/// The error if [`HealthTests::new`] does not allow a claim or a rate.
///
/// ```
/// use samplez_sources::{HealthParamError, HealthTests};
/// assert_eq!(HealthTests::new("a chip", 0, 30).unwrap_err(), HealthParamError::MinEntropy(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HealthParamError {
    /// Not 1 to 8 bits a byte.
    MinEntropy(u32),
    /// Not 20 to 40.
    Alpha(u32),
}

impl fmt::Display for HealthParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MinEntropy(h) => {
                write!(
                    f,
                    "min-entropy = {h}: expected a number from {} to {}, in bits a byte",
                    ENTROPIES.start(),
                    ENTROPIES.end()
                )
            }
            Self::Alpha(a) => {
                let (least, most) = (ALPHAS.start(), ALPHAS.end());
                write!(
                    f,
                    "alpha = {a}: expected a number from {least} to {most}, for false alarms at a rate of 2^-alpha"
                )
            }
        }
    }
}

impl core::error::Error for HealthParamError {}

/// The error of a [`HealthTested`] source.
///
/// ```
/// use samplez_sources::{HealthTestedError, HealthTests};
/// let alarm = HealthTests::live("a device").check(&[0; 11]).unwrap_err();
/// let e: HealthTestedError<std::io::Error> = alarm.into();
/// assert!(e.to_string().starts_with("a device failed"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthTestedError<E> {
    /// The source failed by itself.
    Source(E),
    /// A health test did not pass.
    Alarm(HealthAlarm),
}

impl<E> From<HealthAlarm> for HealthTestedError<E> {
    fn from(alarm: HealthAlarm) -> Self {
        Self::Alarm(alarm)
    }
}

impl<E: fmt::Display> fmt::Display for HealthTestedError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Alarm(alarm) => alarm.fmt(f),
        }
    }
}

impl<E: core::error::Error> core::error::Error for HealthTestedError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Source(error) => error.source(),
            Self::Alarm(alarm) => alarm.source(),
        }
    }
}

#[cfg(test)]
mod tests;
