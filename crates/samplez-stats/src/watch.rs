//! [`Watch`]: a test of a stream that may be looked at whenever one likes.

mod bets;
mod cells;
mod evidence;
mod order;
mod state;
#[cfg(test)]
mod tests;
mod tilt;

pub use evidence::{Evidence, WatchError};

use super::target::{RESIDUES, Target};
use bets::{Bets, Leader};
use cells::Cells;
use order::{WINDOW, Window};
use samplez_core::{Int, ParamError};
use samplez_tables::TargetLaw;
use std::sync::Arc;
use tilt::log_sum;

/// The part of the stake that is bet on the whole stream; the other part is bet on its stretches.
const WHOLE: f64 = 0.75;

/// A stretch has at least so many values, and an eighth of all before it.
const STRETCH: u64 = 1 << 18;

/// More than the errors of all sums of logarithms in [`Watch::look`].
const ROUNDING: f64 = 1e-9;

/// A state has no counter that is so large.
const MOST: u64 = 1 << 62;

/// Tables of counts, so that equal neighbours do not wait for each other.
const LANES: usize = 4;

/// Watches a stream of integers that claim to be independent draws from one law, for as long as it runs.
///
/// The number e of [`Watch::look`] is an *e-process*: the gain of bets against the law, of which one begins with 1. If the values are
/// draws from the law, the probability that e ever reaches 1/α is at most α, however often and whenever you look (Ville's inequality). A
/// [`Verifier`](super::Verifier) judges a finished file once.
///
/// Memory does not grow with the number of values: it is below 16 MiB, and a [`state`](Self::state) below 64 KiB.
///
/// # The bets
///
/// | bets on | kinds |
/// |---|---|
/// | shapes | mean, width, third and fourth moment, side of the mean |
/// | low bits | odd or even; the parity of each other set of the low four bits |
/// | single values | P(X = 0), and each of the 64 most probable values |
/// | tails | tails with 2^-4 … 2^-23 of the mass, too rare or too frequent; values that should never come |
/// | the other law | the rounded normal for D_Z, and the other way round |
/// | order | side, size, parity and bit 1 of a value follow those of the value 1 to 16, 32, 64 … 2048 before, of the last two together, or the place modulo 16 |
/// | equal values | values that are copied over these lags, or are never equal |
///
/// A bet on a value with probability p(x) has a factor exp(t·f(x))/Z, where Z is at least the mean of exp(t·f) under the law. A bet on
/// order has such a factor given the values before. So the mean of each factor is at most 1, whatever came before. Z is rounded up: its
/// terms have upper bounds of the law's probabilities, and its logarithm is rounded up to a multiple of 2^-40 and two more, which is above all
/// errors of `exp`, `log` and the sum. Logarithms of gains are sums of such multiples, without any error.
///
/// Three quarters of the stake are bet on the whole stream. One quarter is bet on its stretches, the j-th with the share 1/(j·(j+1)), so a
/// fault that begins late is found without the gain that the bets lost before. A stretch ends after 2^18 values, or an eighth of all before it if
/// that is more.
///
/// Bets on order see the first 2^18 values, and then one in 64 of the windows of 4096.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Sampler, bits::BitReader, samplers::Karney};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_stats::Watch;
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let mut samples = vec![0_i32; 100_000];
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// Karney::new(&law)?.fill(&mut bits, &mut samples)?;
///
/// let mut watch = Watch::new(&law)?;
/// watch.push(&samples);
/// assert!(!watch.look().is_alarm(1e-6));
/// samples.iter_mut().for_each(|x| *x &= !1);
/// watch.push(&samples);
/// assert!(watch.look().is_alarm(1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Watch {
    target: Target,
    cells: Cells,
    bets: Arc<Bets>,
    /// Counters of all stretches that are over, and of merged watches.
    past: Vec<u64>,
    /// Counters of the stretch that goes on.
    now: Vec<u64>,
    window: Window,
    /// The number of values of this stream alone. Merged watches add only to the counters.
    place: u64,
    /// Stretches that are over.
    stretches: u64,
    /// The logarithm of what their bets have gained, with their shares.
    gained: f64,
    /// The logarithm of the gain from the stretches of merged watches.
    merged: f64,
    /// The greatest ln e of any look, and the number of values then.
    highest: (f64, u64),
    lanes: Vec<[u32; LANES]>,
    /// [`STRETCH`], and less in tests.
    shortest: u64,
}

impl Watch {
    /// Builds a watch of D_{Z,σ,c} or another [`TargetLaw`], without values. A watch of a law modulo q reduces each value.
    ///
    /// # Errors
    ///
    /// Those of [`Verifier::new`](super::Verifier::new).
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, Rational};
    /// use samplez_stats::Watch;
    /// assert!(Watch::new(&DiscreteGaussian::with_sigma(Rational::from(1 << 40))?).is_ok());
    /// assert!(Watch::new(&DiscreteGaussian::with_sigma(Rational::from(1 << 61))?).is_err());
    /// # Ok::<(), samplez_core::ParamError>(())
    /// ```
    pub fn new(law: impl Into<TargetLaw>) -> Result<Self, ParamError> {
        let target = Target::new(&law.into())?;
        let cells = Cells::new(&target);
        let bets = Bets::new(&target, &cells);
        Ok(Watch {
            past: vec![0; bets.counters()],
            now: vec![0; bets.counters()],
            window: Window::default(),
            place: 0,
            stretches: 0,
            gained: f64::NEG_INFINITY,
            merged: 0.0,
            highest: (0.0, 0),
            lanes: vec![[0; LANES]; cells.len()],
            shortest: STRETCH,
            bets: Arc::new(bets),
            cells,
            target,
        })
    }

    /// Adds the next values of the stream. How a stream is cut changes nothing, except that a bet on order does not span a saved state.
    ///
    /// ```
    /// # use samplez_stats::Watch;
    /// # use samplez_core::{DiscreteGaussian, Rational};
    /// let mut watch = Watch::new(&DiscreteGaussian::with_sigma(Rational::from(2))?)?;
    /// watch.push(&[3_i16, -1, 0]);
    /// assert_eq!(watch.len(), 3);
    /// # Ok::<(), samplez_core::ParamError>(())
    /// ```
    pub fn push<T: Int>(&mut self, samples: &[T]) {
        let mut rest = samples;
        while !rest.is_empty() {
            let room = WINDOW - (self.place % WINDOW as u64) as usize;
            let (chunk, later) = rest.split_at(room.min(rest.len()));
            rest = later;
            self.count(chunk);
            if self.place.is_multiple_of(WINDOW as u64) {
                self.settle();
                self.window.clear();
                if self.seen(&self.now) >= self.shortest.max(self.seen(&self.past) / 8) {
                    self.end_stretch();
                }
            }
        }
    }

    /// Counts values of one window.
    fn count<T: Int>(&mut self, chunk: &[T]) {
        let is_ordered = order::is_counted(self.place);
        let (is_reduced, shift) = (self.target.is_reduced(), self.target.shift);
        let mut residues = [0; RESIDUES];
        let base = self.cells.first(0).checked_add(shift).filter(|base| base.unsigned_abs() < 1 << 62);
        if let (Some(base), true) = (base, self.cells.is_single() && !is_reduced && !is_ordered) {
            self.count_single(chunk, base);
        } else {
            for (i, x) in chunk.iter().enumerate() {
                let x = x.widen();
                // Where this saturates, the value is absurdly far out of the law's range anyway.
                let y = if is_reduced { self.target.place(x) } else { x.saturating_sub(shift) };
                let index = self.cells.index(y);
                self.lanes[index][i % LANES] += 1;
                if !self.cells.is_single() {
                    residues[(y & (RESIDUES as i64 - 1)) as usize] += 1;
                }
                if is_ordered {
                    self.window.push(self.place + i as u64, index, self.cells.kind(index, y));
                }
            }
        }
        self.place += chunk.len() as u64;
        let [cells, of_residues, _] = self.bets.parts(&mut self.now);
        for (total, lanes) in cells.iter_mut().zip(&mut self.lanes) {
            *total += lanes.iter().map(|count| u64::from(*count)).sum::<u64>();
            *lanes = [0; LANES];
        }
        of_residues.iter_mut().zip(residues).for_each(|(total, count)| *total += count);
    }

    /// Counts values of a law with a cell for each value, from `base` on. The loop has no branch: what lies outside is counted as above, and
    /// then, which is rare, looked at again.
    fn count_single<T: Int>(&mut self, chunk: &[T], base: i64) {
        let inner = self.cells.inner();
        let lanes = &mut self.lanes[..inner + 2];
        let index = |x: &T| (x.widen().wrapping_sub(base).cast_unsigned()).min(inner as u64) as usize;
        let mut parts = chunk.chunks_exact(LANES);
        for part in &mut parts {
            for (lane, x) in part.iter().enumerate() {
                lanes[index(x)][lane] += 1;
            }
        }
        parts.remainder().iter().for_each(|x| lanes[index(x)][0] += 1);
        if lanes[inner].iter().any(|count| *count > 0) {
            let below = chunk.iter().filter(|x| x.widen() < base).count() as u32;
            let outside: u32 = lanes[inner].iter().sum();
            (lanes[inner], lanes[inner + 1]) = ([outside - below, 0, 0, 0], [below, 0, 0, 0]);
        }
    }

    /// Counts all pairs of the window so far.
    fn settle(&mut self) {
        let [_, _, pairs] = self.bets.parts(&mut self.now);
        self.window.count(&self.bets.classes, pairs);
    }

    /// The number of values in these counters.
    fn seen(&self, counters: &[u64]) -> u64 {
        counters[..self.cells.len()].iter().copied().fold(0, u64::saturating_add)
    }

    /// The share of the stretch with this number, from 1 on, in the stake of all stretches. All later ones have 1/(number + 1) together.
    fn share(number: u64) -> f64 {
        1.0 / (number as f64 * (number + 1) as f64)
    }

    /// Begins another stretch.
    fn end_stretch(&mut self) {
        self.stretches += 1;
        let gain = self.bets.gain(&self.now).0;
        self.gained = log_sum(&[self.gained, gain + libm::log(Self::share(self.stretches))]);
        self.past.iter_mut().zip(&mut self.now).for_each(|(past, now)| *past += core::mem::take(now));
    }

    /// The logarithm of the gain from the stretches, and the bet that leads in the one that goes on.
    fn stretched(&self) -> (f64, Leader<'_>) {
        let number = self.stretches + 1;
        let (gain, mut leader) = self.bets.gain(&self.now);
        let share = libm::log(Self::share(number));
        leader.log_gain += share + self.merged;
        let later = -libm::log((number + 1) as f64);
        (self.merged + log_sum(&[self.gained, gain + share, later]), leader)
    }

    /// Computes e from the counts so far, and notes the greatest. Takes about half a millisecond.
    pub fn look(&mut self) -> Evidence {
        self.settle();
        let (n, before) = (self.len(), self.seen(&self.past));
        let all: Vec<u64> = self.past.iter().zip(&self.now).map(|(past, now)| past + now).collect();
        let (whole, leader) = self.bets.gain(&all);
        let (stretched, late) = self.stretched();
        let (whole_share, late_share) = (libm::log(WHOLE), libm::log(1.0 - WHOLE));
        let log_e = log_sum(&[whole + whole_share, stretched + late_share]) - ROUNDING;
        let (first, second) = (leader.log_gain + whole_share, late.log_gain + late_share);
        let (what, leader_log, since) =
            if second > first { (late.what, second, before) } else { (leader.what, first, 0) };
        let (leader, highest) = (what.to_string(), self.highest);
        self.highest = if log_e > highest.0 { (log_e, n) } else { highest };
        let (highest, highest_n) = self.highest;
        Evidence { n, log_e, highest, highest_n, leader, leader_log, since }
    }

    /// Adds the values of another watch of the same law: the gains of each bet multiply.
    ///
    /// The error of the result is at most α again under three conditions. Each value is in one of the two only. The two streams are
    /// independent: generators with seeds of their own. You merge the newest state of every stream, and choose the streams before you see
    /// their gains. A watch that was merged before contains the values of both. Looks of the other watch do not count, so its alarm is not
    /// inherited.
    ///
    /// # Errors
    ///
    /// [`WatchError::OtherLaw`] if the laws differ; nothing has changed then.
    ///
    /// ```
    /// # use samplez_stats::Watch;
    /// # use samplez_core::{DiscreteGaussian, Rational};
    /// let empty = Watch::new(&DiscreteGaussian::with_sigma(Rational::from(2))?)?;
    /// let (mut a, mut b) = (empty.clone(), empty);
    /// a.push(&[1_i64, 2]);
    /// b.push(&[3_i64]);
    /// a.merge(&b)?;
    /// assert_eq!(a.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(&mut self, other: &Watch) -> Result<(), WatchError> {
        if self.target.law != other.target.law {
            let [expected, found] = [&self.target.law, &other.target.law].map(ToString::to_string);
            return Err(WatchError::OtherLaw { found, expected });
        }
        let mut other = other.clone();
        other.settle();
        let more = other.past.iter().zip(&other.now).map(|(past, now)| past + now);
        self.past.iter_mut().zip(more).for_each(|(past, more)| *past = past.saturating_add(more));
        self.merged += other.stretched().0;
        self.highest = (0.0, 0);
        self.look();
        Ok(())
    }

    /// Returns the number of values so far, in this stream and in all merged ones.
    #[allow(clippy::len_without_is_empty)] // a count, of no collection
    pub fn len(&self) -> u64 {
        self.seen(&self.past) + self.seen(&self.now)
    }

    /// Returns the state as bytes, which contain counts, no values, and the law's name.
    ///
    /// ```
    /// # use samplez_stats::Watch;
    /// # use samplez_core::{DiscreteGaussian, Rational};
    /// let law = DiscreteGaussian::with_sigma(Rational::from(2))?;
    /// let mut watch = Watch::new(&law)?;
    /// watch.push(&[3_i16, -1, 0]);
    /// let mut again = Watch::from_state(&law, &watch.state())?;
    /// assert_eq!(again.look(), watch.look());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn state(&mut self) -> Vec<u8> {
        self.settle();
        let (gained, merged, highest) = (self.gained.to_bits(), self.merged.to_bits(), self.highest.0.to_bits());
        let numbers = [self.place, self.stretches, gained, merged, highest, self.highest.1];
        let counters = self.past.iter().chain(&self.now).copied();
        state::encoded(&self.target.law.to_string(), numbers.into_iter().chain(counters))
    }

    /// Builds the watch with this state. The next value has no neighbours before it.
    ///
    /// # Errors
    ///
    /// Those of [`Watch::new`], as [`WatchError::Law`], and all others of [`WatchError`].
    pub fn from_state(law: impl Into<TargetLaw>, state: &[u8]) -> Result<Self, WatchError> {
        let law = law.into();
        let numbers = state::decoded(&law.to_string(), state)?;
        let mut watch = Watch::new(law).map_err(WatchError::Law)?;
        let (head, counters) = numbers.split_first_chunk::<6>().ok_or(WatchError::Damaged)?;
        if counters.len() != 2 * watch.past.len() {
            return Err(WatchError::Damaged);
        }
        let (past, now) = counters.split_at(watch.past.len());
        watch.past.copy_from_slice(past);
        watch.now.copy_from_slice(now);
        let [place, stretches, gained, merged, highest, highest_n] = *head;
        [watch.gained, watch.merged, watch.highest.0] = [gained, merged, highest].map(f64::from_bits);
        (watch.place, watch.stretches, watch.highest.1) = (place, stretches, highest_n);
        // No watch lives so long, and sums of these do not overflow.
        let is_whole = counters.iter().chain([&place, &stretches]).all(|number| *number < MOST);
        let is_number = !(watch.gained.is_nan() || watch.merged.is_nan() || watch.highest.0.is_nan());
        if is_whole && is_number { Ok(watch) } else { Err(WatchError::Damaged) }
    }
}
