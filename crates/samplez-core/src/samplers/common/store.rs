//! Single calls from a store of proposals: the law of full trials, from other words, and in less time.
//!
//! A proposal is a trial without its centre and width: x, b and the number that is compared. A trial accepts it if the number is
//! below a goal, which is a fixed multiple of exp(-(z - f)²/2σ²). Here both sides are logarithms. The side of the number, the proposal's *edge*,
//! does not depend on the call, so it is computed in advance. A call makes two products for each proposal, and judges [`LOOK`] of them at
//! once. If the two sides are within the proposal's margin of each other, the full trial decides. So every decision is the decision of that
//! trial.

use crate::arch::Backend;
use crate::bits::BitSource;
use crate::params::FixedPoint;
use core::fmt;
use zeroize::Zeroize;

/// Proposals drawn together. Part of the stream.
pub(in super::super) const STORE: usize = 128;
/// Proposals that a call judges at once. Part of the stream.
const LOOK: usize = 4;
/// How far the two sides must be apart, in units of 2^-52: 7 times what they may be wrong, or more.
pub(in super::super) const MARGIN: u64 = 1 << 18;

/// Proposals, one in each place of all arrays.
pub(crate) struct Proposals<const N: usize> {
    /// The words of their trials in a batch: the first of each, and the second.
    pub(in super::super) words: [[u64; N]; 2],
    /// x in units of K/2^58, and b in the lowest bit: z = x + 1 if it is 1, and -x if it is 0.
    pub(in super::super) places: [u64; N],
    /// The edges less their margins, in units of 2^-52, as signed numbers: a side below is accepted.
    pub(in super::super) lows: [u64; N],
    /// The edges and their margins: a side above is rejected.
    pub(in super::super) highs: [u64; N],
}

impl<const N: usize> Proposals<N> {
    const NONE: Self = Proposals { words: [[0; N]; 2], places: [0; N], lows: [0; N], highs: [0; N] };

    fn arrays(&mut self) -> [&mut [u64; N]; 5] {
        let Proposals { words: [first, second], places, lows, highs } = self;
        [first, second, places, lows, highs]
    }
}

/// A rounder whose trials can be judged by logarithms.
pub trait Propose {
    /// The width of a call.
    type Width: Copy;

    /// k, for K = 2^k: proposals are multiples of 1/K.
    fn shift(&self) -> u32;

    /// Reads the words of proposals.
    fn draw<B: BitSource + ?Sized>(&self, bits: &mut B, words: [&mut [u64; STORE]; 2]);

    /// Makes proposals of their words: their places, lows and highs.
    fn prepare(&self, backend: Backend, words: [&[u64; STORE]; 2], out: [&mut [u64; STORE]; 3]);

    /// The side of the centre and the width for |z - f|/K in units of 2^-58.
    fn side(distance: u64, width: Self::Width) -> u64;
}

/// Single calls of a rounder, from proposals that are drawn in advance: with [`SamplerZ`](crate::samplers::SamplerZ)
/// or [`StripRounder`](crate::samplers::StripRounder). They take 0.4 to 0.8 of the time of
/// [`Rounder::round`](crate::sampler::Rounder::round). The store reads its bits from `B`; a `&mut BitReader` is one
/// too.
///
/// The law of each call is that of the rounder's `round_batch`, within the same bound. The integers differ from those of
/// `round` and of `round_batch`.
///
/// Isochronous: the number of proposals that a call takes is independent of its sample, and so is the moment at which new ones are drawn.
/// The full trial of a batch decides with probability below 2^-33 a call, which is independent of the sample within 2^-38.
/// With a `StripRounder` the number of proposals reveals σ_min, as that of its own trials does.
///
/// The stream: a call that finds fewer than four proposals in the store draws 128 more. These follow the proposals left. For a `SamplerZ`
/// it reads the first words of 128 trials in a batch, then their second words. For a `StripRounder` it reads 128 words, then, if K > 1, 32 bits for each proposal.
/// If four are rejected, the next four follow in the same way. If the full trial decides, it reads more bits where a trial in a batch does.
///
/// The store has 5 KiB and is erased on drop. A proposal is used once, and stays in memory until another replaces it. A store that was moved
/// leaves a copy behind, as every value does.
///
/// ```
/// use samplez_core::{FixedPoint, bits::BitReader};
/// use samplez_core::samplers::{ProposalStore, StripRounder};
/// use samplez_sources::{ChaCha20, Seed};
/// let rounder = StripRounder::new("1.2778336969128337".parse()?, "1.8205".parse()?)?;
/// let width = rounder.width("1.7".parse()?)?;
/// let mut store = ProposalStore::new(rounder, BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))));
/// let z = store.round(FixedPoint::from_f64(-91.9047).unwrap(), width);
/// assert!((-120..-60).contains(&z));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProposalStore<R, B: BitSource> {
    rounder: R,
    bits: B,
    backend: Backend,
    /// The next proposal, and the end of them.
    next: usize,
    end: usize,
    proposals: Proposals<{ LOOK - 1 + STORE }>,
}

impl<R, B: BitSource> fmt::Debug for ProposalStore<R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProposalStore").finish_non_exhaustive()
    }
}

impl<R, B: BitSource> ProposalStore<R, B> {
    /// Builds an empty store: its first call draws the first proposals.
    pub fn new(rounder: R, bits: B) -> Self {
        Self::on(Backend::current(), rounder, bits)
    }

    pub(in super::super) fn on(backend: Backend, rounder: R, bits: B) -> Self {
        ProposalStore { rounder, bits, backend, next: 0, end: 0, proposals: Proposals::NONE }
    }

    pub(in super::super) fn rounder(&self) -> &R {
        &self.rounder
    }

    /// Returns the source of the bits, and drops the proposals: none outlives a fault, a reseed or another source.
    ///
    /// After a fork, call this in the child and give the source fresh entropy.
    pub fn bits(&mut self) -> &mut B {
        self.erase();
        &mut self.bits
    }

    fn erase(&mut self) {
        (self.next, self.end) = (0, 0);
        self.proposals.arrays().into_iter().for_each(Zeroize::zeroize);
    }
}

impl<R: Propose, B: BitSource> ProposalStore<R, B> {
    /// The sample of a call. `settle` returns z, less ⌊c⌋, of a close trial by its words, if it is accepted. It has made that public.
    #[inline(always)]
    pub(in super::super) fn settled(
        &mut self,
        center: FixedPoint,
        width: R::Width,
        settle: impl Fn(&R, [u64; 2], &mut B) -> Option<i64>,
    ) -> i64 {
        let (f, k) = (center.fraction(), self.rounder.shift() & 31);
        // |z - f| less x for either b, in the units of a place, rounded down.
        let lower = f >> (6 + k);
        let differing = lower ^ ((1 << (58 - k)) - lower - u64::from(f & ((64 << k) - 1) != 0));
        let side = |place: u64| {
            let upper = (place & 1).wrapping_neg();
            R::side((place & !1) + (lower ^ differing & upper), width)
        };
        loop {
            let Proposals { words, places, lows, highs } = &self.proposals;
            let look = |array: &[u64; LOOK - 1 + STORE]| array.get(self.next..self.end)?.first_chunk::<LOOK>().copied();
            let (Some(some), Some(highs)) = (look(places), look(highs)) else {
                self.refill();
                continue;
            };
            let mut open = 0;
            for i in 0..LOOK {
                let is_above = highs[i].wrapping_sub(side(some[i])) >> 63;
                open |= (is_above as u32 ^ 1) << i;
            }
            let first = self.bits.declassify(open & open.wrapping_neg());
            if first == 0 {
                self.next += LOOK;
                continue;
            }
            let at = self.next + first.trailing_zeros() as usize % LOOK;
            self.next = at + 1;
            let (Some(place), Some(low)) = (places.get(at).copied(), lows.get(at)) else { continue };
            let is_close = side(place).wrapping_sub(*low) >> 63 ^ 1;
            if self.bits.declassify(is_close as u32) != 0 {
                match settle(&self.rounder, words.map(|words| words[at]), &mut self.bits) {
                    Some(value) => return center.floor() + value,
                    None => continue,
                }
            }
            let (x, b) = ((place >> (58 - k)).cast_signed(), (place & 1).cast_signed());
            let sign = b - 1;
            return center.floor() + ((x ^ sign) - sign + b);
        }
    }

    /// Moves the proposals left to the front, and draws new ones behind them.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        let kept = self.end - self.next;
        let first = LOOK - 1 - kept;
        for array in self.proposals.arrays() {
            array.copy_within(self.next..self.end, first);
        }
        // A source that panics leaves the proposals kept.
        (self.next, self.end) = (first, LOOK - 1);
        let fresh = self.proposals.arrays().map(|array| array.last_chunk_mut::<STORE>());
        if let [Some(first), Some(second), Some(places), Some(lows), Some(highs)] = fresh {
            self.rounder.draw(&mut self.bits, [&mut *first, &mut *second]);
            self.rounder.prepare(self.backend, [first, second], [places, lows, highs]);
            self.end = LOOK - 1 + STORE;
        }
    }
}

impl<R, B: BitSource> Drop for ProposalStore<R, B> {
    fn drop(&mut self) {
        self.erase();
    }
}

/// The pieces of an array, for a kernel of N proposals.
pub(in super::super) fn chunks<const N: usize>(array: &[u64; STORE]) -> &[[u64; N]] {
    array.as_chunks().0
}

/// The same, to write.
pub(in super::super) fn chunks_mut<const N: usize>(array: &mut [u64; STORE]) -> &mut [[u64; N]] {
    array.as_chunks_mut().0
}

#[cfg(test)]
pub(in super::super) mod tests;
