//! Exact samples by a table's fast kernel: [`Exact`].

use crate::bulk::{copied, within};
use rand_core::Rng;
#[cfg(feature = "rand")]
use samplez_core::bits::declassified;
use samplez_core::bits::{BitReader, BitSource, below, uniform_below};
use samplez_core::{DiscreteGaussian, Exactness, Int, Noise, ParamError, Profile, RangeError, Sampler, Slots, Timing};
use samplez_tables::{Remainder, SkellamRemainder};
use zeroize::Zeroizing;

/// Samples that one coin is drawn for. Every sampler's batches divide it.
const BATCH: usize = 8192;

/// The remainder R of a certified law Q and the ideal law P, and its t.
pub(crate) trait Replacement: Send + Sync {
    /// t.
    fn tosses(&self) -> u32;
    /// The sample for `own`, which is one of Q; `None` if it cannot be decided.
    fn replace(&self, bits: &mut BitReader<dyn Rng + '_>, own: i64) -> Option<i64>;
}

impl Replacement for Remainder {
    fn tosses(&self) -> u32 {
        self.tosses()
    }
    fn replace(&self, bits: &mut BitReader<dyn Rng + '_>, own: i64) -> Option<i64> {
        self.sample(bits).ok().map(|sample| sample.unwrap_or(own))
    }
}

impl Replacement for SkellamRemainder {
    fn tosses(&self) -> u32 {
        self.tosses()
    }
    fn replace(&self, bits: &mut BitReader<dyn Rng + '_>, _: i64) -> Option<i64> {
        self.sample(bits)
    }
}

/// A certified sampler of a table's law Q, and its remainder: together exactly the ideal law P.
///
/// Every sample is replaced by one of the [`Replacement`] with probability 2^-t, independently of all others. Which ones are replaced
/// is drawn for a batch at once, before its samples. Proof: docs/proofs/exact.md.
///
/// The stream of a batch begins with whole words of 64 bits for the [hits]. The sampler's own batches follow, and then the bits of
/// each hit's remainder. A shorter fill has the same hits, those beyond its end included. A single sample is a batch of one, by
/// single bytes.
pub(crate) struct Exact {
    sampler: Box<dyn Noise>,
    remainder: Box<dyn Replacement>,
}

impl Exact {
    pub(crate) fn new(sampler: Box<dyn Noise>, remainder: impl Replacement + 'static) -> Self {
        Exact { sampler, remainder: Box::new(remainder) }
    }

    /// The remainder of the isochronous sampler replaces one of so many samples, as a power of 2.
    pub(crate) const STRIPS: u32 = 100;

    /// The isochronous sampler of this law. The values beyond its strips have a probability below 2^-104.
    pub(crate) fn isochronous(law: &DiscreteGaussian) -> Result<Self, ParamError> {
        let sampler = samplez_tables::build_isochronous(law)?;
        let remainder = Remainder::outside(law, sampler.profile().support, Self::STRIPS).expect("allowed for every σ");
        Ok(Exact::new(Box::new(sampler), remainder))
    }

    /// The places of a batch that the remainder takes.
    fn hits<B: BitSource + ?Sized>(&self, bits: &mut B) -> Vec<u64> {
        let mut places = Vec::new();
        hits(self.remainder.tosses(), BATCH as u64, bits, &mut places);
        places
    }

    /// One sample of the remainder, where `own` is one of the sampler. If it cannot be decided, the bits are condemned.
    fn replace(&self, bits: &mut BitReader<dyn Rng + '_>, own: i64) -> i64 {
        self.remainder.replace(bits, own).unwrap_or_else(|| {
            bits.condemn();
            0
        })
    }

    /// A batch with these hits, which may be cut short.
    fn batch<T: Int>(
        &self,
        places: &[u64],
        bits: &mut BitReader<dyn Rng + '_>,
        out: &mut [T],
    ) -> Result<(), RangeError> {
        self.sampler.fill(bits, out)?;
        for place in places {
            let slot = out.get_mut(*place as usize);
            let sample = self.replace(bits, slot.as_ref().map_or(0, |slot| slot.widen()));
            if let Some(slot) = slot {
                *slot = T::narrow(sample).ok_or(RangeError::of::<T>())?;
            }
        }
        Ok(())
    }

    fn fill<T: Int>(&self, bits: &mut BitReader<dyn Rng + '_>, out: &mut [T]) -> Result<(), RangeError> {
        out.chunks_mut(BATCH).try_for_each(|out| {
            let places = self.hits(bits);
            self.batch(&places, bits, out)
        })
    }

    /// Samples number `skip`, `skip + 1`, … of a batch.
    fn inside<T: Int>(&self, bits: &mut BitReader<dyn Rng + '_>, skip: usize, out: &mut [T]) -> Result<(), RangeError> {
        let places = self.hits(bits);
        if places.is_empty() {
            return within(&*self.sampler, skip, bits, out);
        }
        // What replaces a sample is drawn behind the whole batch.
        let mut all = Zeroizing::new(vec![0_i64; BATCH]);
        self.batch(&places, bits, &mut all)?;
        copied(&all[skip..], out)
    }
}

/// Calls a method with the places in their type.
macro_rules! typed {
    ($out:ident => $call:expr) => {
        match $out {
            Slots::I8($out) => $call,
            Slots::I16($out) => $call,
            Slots::I32($out) => $call,
            Slots::I64($out) => $call,
        }
    };
}

impl Noise for Exact {
    fn noise_profile(&self) -> Profile {
        let profile = self.sampler.profile();
        let coins = 64.0 / BATCH as f64;
        Profile { exactness: Exactness::Exact, expected_bits: profile.expected_bits + coins, ..profile }
    }

    fn noise_timing(&self) -> Timing {
        self.sampler.noise_timing()
    }

    fn noise_batch(&self) -> usize {
        BATCH
    }

    fn noise_sample(&self, bits: &mut BitReader<dyn Rng + '_>) -> i64 {
        let hit = heads(self.remainder.tosses(), bits);
        let sample = self.sampler.noise_sample(bits);
        if hit { self.replace(bits, sample) } else { sample }
    }

    fn noise_fill(&self, bits: &mut BitReader<dyn Rng + '_>, out: Slots<'_>) -> Result<(), RangeError> {
        typed!(out => self.fill(bits, out))
    }

    fn noise_inside(
        &self,
        bits: &mut BitReader<dyn Rng + '_>,
        skip: usize,
        out: Slots<'_>,
    ) -> Option<Result<(), RangeError>> {
        Some(typed!(out => self.inside(bits, skip, out)))
    }

    #[cfg(feature = "rand")]
    fn noise_draw(&self, rng: &mut dyn Rng) -> i64 {
        let hit = heads(self.remainder.tosses(), &mut Words(rng));
        let sample = self.sampler.noise_draw(rng);
        if hit { self.replace(&mut BitReader::new(rng), sample) } else { sample }
    }
}

/// A word of the generator for each draw.
#[cfg(feature = "rand")]
struct Words<'a>(&'a mut dyn Rng);

#[cfg(feature = "rand")]
impl BitSource for Words<'_> {
    fn bits(&mut self, n: u32) -> u64 {
        self.0.next_u64() & (u64::MAX >> (64 - n))
    }

    #[inline(always)]
    fn declassify(&mut self, outcome: u32) -> u32 {
        declassified(outcome)
    }
}

/// Whether all of `tosses` coins show heads: with probability 2^-tosses. A byte decides nearly always.
fn heads<B: BitSource + ?Sized>(mut tosses: u32, bits: &mut B) -> bool {
    while tosses > 0 {
        let some = tosses.min(8);
        let tails = bits.bits(some) != 0;
        if bits.declassify(tails.into()) != 0 {
            return false;
        }
        tosses -= some;
    }
    true
}

/// Appends the places below `length` that are hit, each with probability 2^-t and independently.
///
/// With probability 1 - n·2^-t there is no hit among n <= 2^t places. Otherwise i is uniform below n. If one of the i places before
/// it is hit, in a draw of its own, there is no hit after all. Else i is the first hit, and the places after it remain. So the first
/// hit is i with probability 2^-t (1 - 2^-t)^i.
fn hits<B: BitSource + ?Sized>(t: u32, length: u64, bits: &mut B, places: &mut Vec<u64>) {
    let mut start = 0;
    while start < length {
        let n = (length - start).min(1_u64.checked_shl(t).unwrap_or(u64::MAX));
        let end = start + n;
        while start < end && below(t, end - start, bits) {
            let i = uniform_below(end - start, bits);
            let mut before = Vec::new();
            hits(t, i, bits, &mut before);
            if !before.is_empty() {
                break;
            }
            places.push(start + i);
            start += i + 1;
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recipe, Seed, Source};
    use std::collections::BTreeMap;

    /// All draws, one after the other: a draw of n bits has 2^min(n, `bits`) outcomes, for of a word only so many bits count.
    struct Tape {
        bits: u32,
        /// Each draw's bits and outcome.
        draws: Vec<(u32, u64)>,
        next: usize,
    }

    impl BitSource for Tape {
        fn bits(&mut self, n: u32) -> u64 {
            if self.next == self.draws.len() {
                self.draws.push((n.min(self.bits), 0));
            }
            self.next += 1;
            self.draws[self.next - 1].1
        }
    }

    impl Tape {
        /// Goes on to the next outcomes. False after the last.
        fn turn(&mut self) -> bool {
            self.next = 0;
            while let Some((bits, outcome)) = self.draws.pop() {
                if outcome + 1 < 1 << bits {
                    self.draws.push((bits, outcome + 1));
                    return true;
                }
            }
            false
        }
    }

    /// The probability of every set of hits is that of independent coins, by enumeration of all draws.
    #[test]
    fn hits_are_independent_coins() {
        for (t, length) in [(1, 1), (1, 3), (1, 4), (2, 3), (2, 4), (2, 6), (3, 4), (5, 4)] {
            let mut tape = Tape { bits: t, draws: Vec::new(), next: 0 };
            let (mut found, mut all) = (BTreeMap::<Vec<u64>, f64>::new(), 0.0);
            loop {
                let mut places = Vec::new();
                hits(t, length, &mut tape, &mut places);
                let bits: u32 = tape.draws.iter().map(|(bits, _)| bits).sum();
                let probability = (-f64::from(bits)).exp2();
                assert!(places.is_sorted_by(|a, b| a < b) && places.iter().all(|place| *place < length), "{places:?}");
                *found.entry(places).or_default() += probability;
                all += probability;
                // Draws of uniform numbers may go on for ever.
                while tape.draws.iter().map(|(bits, _)| bits).sum::<u32>() > 22 {
                    tape.draws.pop();
                }
                if !tape.turn() {
                    break;
                }
            }
            let p = (-f64::from(t)).exp2();
            for set in 0..1_u64 << length {
                let places: Vec<u64> = (0..length).filter(|place| set >> place & 1 != 0).collect();
                let count = places.len() as i32;
                let ideal = p.powi(count) * (1.0 - p).powi(length as i32 - count);
                let gap = (found.get(&places).copied().unwrap_or(0.0) - ideal).abs();
                assert!(
                    gap <= (all - 1.0).abs() + 1e-3 * ideal + 1e-9,
                    "t = {t}, {places:?} of {length}: {gap}, {all}"
                );
            }
        }
    }

    /// A fill is the sampler's own, but for the hits, which the remainder takes one after the other.
    #[test]
    fn a_fill_is_the_samplers_but_for_the_hits() {
        for (recipe, len) in [
            ("sigma=3.2,method=cdt-ct,precision=9", 512),
            ("sigma=3.2,method=cdt,precision=8,center=1/3", 100),
            ("sigma_squared=3,method=knuth-yao,precision=7", 300),
            ("sigma=1,method=cdt-guided,precision=9", 4500),
            ("sigma=3.2,method=knuth-yao-ct,precision=8", 9000),
        ] {
            let exact = format!("{recipe},exact=true").parse::<Recipe>().unwrap().build().unwrap();
            let (sampler, law) = (exact.sampler(), exact.recipe().gaussian().unwrap());
            let own = recipe.parse::<Recipe>().unwrap().build().unwrap();
            let options = samplez_tables::CdtOptions {
                precision: own.options().precision(),
                ..samplez_tables::CdtOptions::default()
            };
            let Exactness::Within(bound) = own.profile().exactness else { panic!("{recipe}") };
            let remainder = Remainder::of_cdt(&law, &options, &bound).unwrap();
            assert!(exact.profile().exactness.is_exact() && exact.recipe().to_string().ends_with("exact=true"));
            let source = Source::ChaCha20.constructor().unwrap();
            let readers = [0, 1].map(|_| BitReader::new(source(&Seed::from_bytes([7; 32]))));
            let [mut a, mut b] = readers;
            let (mut found, mut hit) = (vec![0_i64; len], 0);
            sampler.fill(&mut a, &mut found).unwrap();
            let mut expected = vec![0_i64; len];
            for part in expected.chunks_mut(BATCH) {
                let mut places = Vec::new();
                hits(remainder.tosses(), BATCH as u64, &mut b, &mut places);
                own.sampler().fill(&mut b, part).unwrap();
                for place in places {
                    let sample = remainder.sample(&mut b).unwrap().unwrap();
                    if let Some(slot) = part.get_mut(place as usize) {
                        (*slot, hit) = (sample, hit + 1);
                    }
                }
            }
            assert!(hit > 0, "{recipe}");
            assert_eq!(found, expected, "{recipe}");
            assert_eq!(a.bits(64), b.bits(64), "{recipe}");
            // Single samples.
            for _ in 0..200 {
                let hit = heads(remainder.tosses(), &mut b);
                let mut expected = own.sampler().sample(&mut b);
                if hit {
                    expected = remainder.sample(&mut b).unwrap().unwrap();
                }
                assert_eq!(sampler.sample(&mut a), expected, "{recipe}");
            }
        }
    }
}
