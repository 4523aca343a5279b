/// Discrete Laplace in constant time: the binary digits of a geometric number are independent coins.
///
/// Paper: \[CKS20\], whose Algorithm 2 has this law; the steps are our own. Proof: docs/proofs/discrete-laplace.md.
///
/// | Law        | exact: P(X = x) = (1 - q)/(1 + q)·q^abs(x), q = exp(-1/λ) |
/// | Bits       | 64·⌈(n + 3)/2⌉, n the number of digits, ⌈lg 45λ⌉ or 0: 384 for λ = 10 |
/// | Memory     | 8 bytes a coin, at most 58 coins |
/// | Timing     | Constant: no branch, index or address depends on a random bit. Exception: see below |
/// | Parameters | λ rational, 2^-16 <= λ <= 2^50 |
///
/// ```text
/// 1  G_j ← 1 with probability 1/(1 + exp(2^j/λ)), for j < n; Z ← 1 with probability 2/(1 + exp(1/λ)); S ← ±1
/// 2  H ← how often in a row a coin of exp(-2^n/λ) succeeds
/// 3  return S·Z·(1 + Σ 2^j·G_j + 2^n·H)
/// ```
///
/// A coin compares 32 bits with the leading 32 of its probability. Where they are equal, 31 further bits decide. All coins
/// of a sample share these, because two coins rarely need them. The stream of a sample: the coins' bits, by two in a word;
/// the highest half of the last word has the further bits and the sign.
///
/// Exception: two coins need the further bits, or one coin does and they don't decide. This has a probability below
/// (n + 4)²·2^-65 a sample, from 2^-61 for small λ to 2^-53 for λ = 2^50. Then further bits are drawn for each of these coins
/// ([`LaplaceCoins`]), and H, which is 0 otherwise. The time may reveal the sample then. If the output type of `fill` is too
/// narrow for a sample, that is revealed too.
///
/// One departure from the law: a distance above 2^62, of probability below 2^-4000, condemns the source.
///
/// ```
/// use samplez_core::{Sampler, Timing, bits::{BitReader, BitSource}};
/// use samplez_core::samplers::{DiscreteLaplaceCt, LaplaceCoin, LaplaceCoins};
/// use samplez_sources::{ChaCha20, Seed};
/// // A toy: λ = 1/45, where each coin has a probability below 2^-63. `samplez_tables::build_laplace` makes real ones.
/// struct Rare;
/// impl LaplaceCoins for Rare {
///     fn leading(&self, _: LaplaceCoin) -> u64 { 0 }
///     fn is_below<B: BitSource + ?Sized>(&self, _: LaplaceCoin, _: u32, _: &mut B) -> bool { false }
/// }
/// let noise = DiscreteLaplaceCt::new("1/45".parse()?, Rare)?;
/// let mut out = [1_i8; 100];
/// noise.fill(&mut BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))), &mut out)?;
/// assert!(out == [0; 100] && noise.profile().timing == Timing::Constant);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DiscreteLaplaceCt<C> {
    scale: Rational,
    /// n.
    places: u32,
    /// The leading 63 bits of the coins' probabilities: of the digits, [`LaplaceCoin::Beyond`] and [`LaplaceCoin::NotZero`].
    leading: [u64; COINS],
    coins: C,
}

use crate::bits::BitSource;
use crate::params::{NoiseLaw, ParamError, Rational};
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use core::hint::black_box;
use zeroize::Zeroize;

/// The coins of λ = 2^50.
const COINS: usize = 58;
const WORDS: usize = COINS / 2 + 1;
/// Bits of a coin, and bits that all coins share.
const OWN: u32 = 32;
const SHARED: u32 = 31;
/// exp(-45) < 2^-64: so rare is H > 0.
const BEYOND: u128 = 45;
/// exp(-90) < 2^-129.
const SUPPORT: u128 = 90;

/// A coin of [`DiscreteLaplaceCt`], for the scale λ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaplaceCoin {
    /// Digit j of the distance less 1: 1/(1 + exp(2^j/λ)).
    Digit(u32),
    /// Whether there are digits from this one on: exp(-2^n/λ).
    Beyond(u32),
    /// Whether the sample is not 0: 2/(1 + exp(1/λ)).
    NotZero,
}

/// The digits of the probabilities of [`LaplaceCoin`]s, for one λ.
pub trait LaplaceCoins {
    /// The leading 63 bits.
    fn leading(&self, coin: LaplaceCoin) -> u64;

    /// Whether a uniform number is below the probability, if their first `known` bits are equal, at most 63. The bits of this source
    /// continue the number.
    fn is_below<B: BitSource + ?Sized>(&self, coin: LaplaceCoin, known: u32, bits: &mut B) -> bool;
}

impl<C: LaplaceCoins> DiscreteLaplaceCt<C> {
    /// Builds the sampler of this scale, whose coins have these digits.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless 2^-16 <= `scale` <= 2^50.
    pub fn new(scale: Rational, coins: C) -> Result<Self, ParamError> {
        NoiseLaw::DiscreteLaplace { scale }.bound()?;
        let (num, den) = (u128::from(scale.num().unsigned_abs()), u128::from(scale.den()));
        let places = (0..COINS as u32 - 2).find(|n| den << n >= BEYOND * num).unwrap_or(COINS as u32 - 2);
        let mut sampler = DiscreteLaplaceCt { scale, places, leading: [0; COINS], coins };
        for i in 0..sampler.count() {
            sampler.leading[i] = sampler.coins.leading(sampler.coin(i));
        }
        Ok(sampler)
    }

    /// How many coins a sample has.
    fn count(&self) -> usize {
        self.places as usize + 2
    }

    fn coin(&self, i: usize) -> LaplaceCoin {
        match i as u32 {
            i if i < self.places => LaplaceCoin::Digit(i),
            i if i == self.places => LaplaceCoin::Beyond(i),
            _ => LaplaceCoin::NotZero,
        }
    }

    /// Words of a sample.
    fn words(&self) -> usize {
        self.count() / 2 + 1
    }

    /// One sample, of whose words these are the place.
    #[inline(always)]
    fn draw<B: BitSource + ?Sized>(&self, words: &mut [u64; WORDS], bits: &mut B) -> i64 {
        let words = &mut words[..self.words()];
        bits.words(words);
        let shared = shared(words);
        let (mut coins, mut equal) = (0, 0);
        for (i, leading) in self.leading[..self.count()].iter().enumerate() {
            let number = own(words, i) << SHARED | shared;
            // Both are below 2^63.
            coins |= number.wrapping_sub(*leading) >> 63 << i;
            let unequal = number ^ leading;
            equal += ((unequal >> SHARED).wrapping_sub(1) >> 63) + (unequal.wrapping_sub(1) >> 63);
        }
        if bits.declassify((equal > 1).into()) != 0 {
            return self.settle(words, bits);
        }
        self.value(coins, 0, words)
    }

    /// The sample of these coins. The signs and zeros are masks that are hidden from the compiler, because it could turn them into conditions.
    #[inline(always)]
    fn value(&self, coins: u64, above: u64, words: &[u64]) -> i64 {
        let digits = coins & ((1 << self.places) - 1);
        let distance = 1 + digits + (above << self.places);
        let not_zero = black_box(coins >> (self.places + 1)).wrapping_neg();
        let negative = black_box(words.last().map_or(0, |word| word >> 63)).cast_signed();
        ((distance & not_zero).cast_signed() ^ -negative) + negative
    }

    /// The sample of these words, where coins need more bits.
    #[cold]
    #[inline(never)]
    fn settle<B: BitSource + ?Sized>(&self, words: &[u64], bits: &mut B) -> i64 {
        let (shared, count) = (shared(words), self.count());
        let is_equal = |i: usize| own(words, i) == self.leading[i] >> SHARED;
        let is_alone = (0..count).filter(|i| is_equal(*i)).count() == 1;
        let mut coins = 0;
        for i in 0..count {
            let number = own(words, i) << SHARED | shared;
            let is_below = match (is_equal(i), is_alone) {
                (true, true) if number == self.leading[i] => self.coins.is_below(self.coin(i), OWN + SHARED, bits),
                (true, false) => self.coins.is_below(self.coin(i), OWN, bits),
                _ => number < self.leading[i],
            };
            coins |= u64::from(is_below) << i;
        }
        // step 2
        let (mut above, most) = (0, 1 << (62 - self.places));
        if coins >> self.places & 1 == 1 {
            above = 1;
            while above < most && self.coins.is_below(LaplaceCoin::Beyond(self.places), 0, bits) {
                above += 1;
            }
            if above == most {
                bits.condemn();
            }
        }
        self.value(coins, above, words)
    }
}

/// The bits of coin i.
#[inline(always)]
fn own(words: &[u64], i: usize) -> u64 {
    words[i / 2] >> (OWN * (i as u32 & 1)) & u64::from(u32::MAX)
}

/// The bits that all coins share.
#[inline(always)]
fn shared(words: &[u64]) -> u64 {
    words.last().map_or(0, |word| word >> OWN & ((1 << SHARED) - 1))
}

impl<C: LaplaceCoins> Sampler for DiscreteLaplaceCt<C> {
    const TIMING: Timing = Timing::Constant;

    /// Outside of the support lie less than 2^-128.
    fn profile(&self) -> Profile {
        let far = SUPPORT * u128::from(self.scale.num().unsigned_abs()) / u128::from(self.scale.den()) + 1;
        Profile {
            target: NoiseLaw::DiscreteLaplace { scale: self.scale },
            exactness: Exactness::Exact,
            timing: Self::TIMING,
            support: -(far as i64)..=far as i64,
            table_bytes: 8 * self.count(),
            expected_bits: (64 * self.words()) as f64,
            expected_trials: 1.0,
        }
    }

    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        let mut words = [0; WORDS];
        let sample = self.draw(&mut words, bits);
        words.zeroize();
        sample
    }

    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        let mut words = [0; WORDS];
        let filled = out.iter_mut().try_for_each(|slot| {
            let value = self.draw(&mut words, bits);
            let is_narrow = T::narrow(value).is_none();
            if bits.declassify(is_narrow.into()) != 0 {
                return Err(RangeError::of::<T>());
            }
            *slot = T::wrapping(value);
            Ok(())
        });
        words.zeroize();
        filled
    }
}

#[cfg(test)]
mod tests;
