//! Single calls from a store of proposals: the law of [`SamplerZ`], other words, and about half the time.
//!
//! A proposal is a trial without its centre and width: z0, b and the draw that is compared. Algorithm 15 accepts it if the draw u is
//! below σ_min/σ'·exp(-x). Here both sides are logarithms:
//!
//! ```text
//! (z - f)²/σ'² + 2 ln(σ'/σ_min) < -2 ln u + z0²/1.8205²
//! ```
//!
//! The right side, the proposal's *edge*, does not depend on the call, so it is computed in advance. A call makes two products for each
//! proposal, and judges [`LOOK`] of them at once. If the two sides are within the proposal's margin of each other, the trial of
//! [`SamplerZ::round_batch`] decides. So every decision is the decision of that trial.

use super::log::{double_log, product};
use super::{BASE_INVERSE, RCDT, SamplerZ, SmallWidth};
use crate::arch::{Backend, Kernel};
use crate::bits::BitSource;
use crate::params::FixedPoint;
use crate::product::high;
use core::fmt;
use zeroize::{Zeroize, Zeroizing};

/// Proposals drawn together. Part of the stream.
const STORE: usize = 128;
/// Proposals that a call judges at once. Part of the stream.
const LOOK: usize = 4;
/// Proposals of a kernel.
const LANES: usize = 4;
/// How far the two sides must be apart, in units of 2^-52: 7 times what they may be wrong.
const MARGIN: u64 = 1 << 18;

/// 1/1.8205² in units of 2^-52.
const BASE: u64 = (BASE_INVERSE >> 63) as u64;

/// RCDT's entries, the leading 63 bits and the other 9.
const SPLIT: [[i64; 2]; RCDT.len()] = {
    let (mut split, mut i) = ([[0; 2]; RCDT.len()], 0);
    while i < RCDT.len() {
        split[i] = [(RCDT[i] >> 9) as i64, (RCDT[i] & 511) as i64];
        i += 1;
    }
    split
};

/// A proposal.
#[derive(Clone, Copy)]
struct Proposal {
    /// The words of its trial in a batch.
    words: [u64; 2],
    /// z0·2^58, and b in the lowest bit.
    place: u64,
    /// -2 ln u + z0²/1.8205², u the middle of the draw's 55 bits, in units of 2^-52.
    edge: u64,
    /// How far the sides must be apart.
    margin: u64,
}

const NONE: Proposal = Proposal { words: [0; 2], place: 0, edge: 0, margin: 0 };

/// Proposals from pairs of words.
struct Prepare<'a> {
    words: &'a [[u64; 2]; LANES],
    out: &'a mut [Proposal; LANES],
}

impl Kernel for Prepare<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Prepare { words, out } = self;
        let leading = words.map(|[v, _]| (v >> 1).cast_signed());
        let others = words.map(|[v, rest]| ((v & 1) << 8 | rest & 0xff).cast_signed());
        let mut z0 = [0_i64; LANES];
        for [threshold, further] in SPLIT {
            for i in 0..LANES {
                z0[i] += i64::from(threshold + i64::from(further > others[i]) > leading[i]);
            }
        }
        let draw = words.map(|[_, rest]| rest & !511 | 256);
        let log = double_log(draw);
        for i in 0..LANES {
            let z0 = z0[i].cast_unsigned();
            let square = product(z0, z0);
            let base = (product(square, BASE >> 32) << 32) + product(square, BASE);
            // The draw is a cell of width 2^-55, at most 2^-(54 - zeros) of u. Where it begins at 0, nothing is far.
            let all = ((words[i][1] >> 9).wrapping_sub(1) >> 63) << 62;
            out[i] = Proposal {
                words: words[i],
                place: z0 << 58 | words[i][1] >> 8 & 1,
                edge: log[i] + base,
                margin: MARGIN + (1 << draw[i].leading_zeros()) + all,
            };
        }
    }
}

/// Falcon's SamplerZ, call by call, from proposals that are drawn in advance: in about half the time of
/// [`SamplerZ::round`](crate::sampler::Rounder::round). The store reads its bits from `B`; a `&mut BitReader` is one too.
///
/// The law of each call is that of [`SamplerZ::round_batch`], within the same bound. The integers differ from those of
/// `round` and of `round_batch`.
///
/// Isochronous: the number of proposals that a call takes is independent of its sample, and so is the moment at which new ones are drawn.
/// The full trial of a batch decides with probability below 2^-33 a call, which is independent of the sample within 2^-38.
///
/// The stream: a call that finds fewer than four proposals in the store reads 256 words, two for each of 128 proposals. These follow the
/// proposals left. Two words have the layout of a trial in a batch. If four are rejected, the next four follow in the same way. A draw that
/// equals the leading 55 bits of its probability reads 9 bits more.
///
/// The store has 5 KiB and is erased on drop. A proposal is used once, and stays in memory until another replaces it.
///
/// ```
/// use samplez_core::{FixedPoint, bits::BitReader};
/// use samplez_core::samplers::{ProposalStore, SamplerZ};
/// use samplez_sources::{ChaCha20, Seed};
/// let width = SamplerZ::FALCON_512.width("1.7".parse()?)?;
/// let mut store = ProposalStore::new(BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32]))));
/// let z = store.round(FixedPoint::from_f64(-91.9047).unwrap(), width);
/// assert!((-120..-60).contains(&z));
/// assert_eq!(store.bits().fault(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProposalStore<B: BitSource> {
    bits: B,
    backend: Backend,
    /// The next proposal.
    next: usize,
    proposals: [Proposal; LOOK - 1 + STORE],
}

impl<B: BitSource> fmt::Debug for ProposalStore<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProposalStore").finish_non_exhaustive()
    }
}

impl<B: BitSource> ProposalStore<B> {
    /// Builds an empty store: its first call draws the first proposals.
    pub fn new(bits: B) -> Self {
        Self::on(Backend::current(), bits)
    }

    fn on(backend: Backend, bits: B) -> Self {
        ProposalStore { bits, backend, next: LOOK - 1 + STORE, proposals: [NONE; LOOK - 1 + STORE] }
    }

    /// Returns the source of the bits, and drops the proposals: none outlives a fault, a reseed or another source.
    ///
    /// Ask it for its fault before you use samples. After a fork, call this in the child and give the source fresh entropy.
    pub fn bits(&mut self) -> &mut B {
        self.erase();
        &mut self.bits
    }

    fn erase(&mut self) {
        self.next = LOOK - 1 + STORE;
        for Proposal { words, place, edge, margin } in &mut self.proposals {
            words.zeroize();
            for field in [place, edge, margin] {
                field.zeroize();
            }
        }
    }

    /// Returns one sample of D_{Z,σ',c}, within the bound of [`SamplerZ`].
    ///
    /// ```
    /// use samplez_core::{FixedPoint, bits::BitReader};
    /// use samplez_core::samplers::{ProposalStore, SamplerZ};
    /// use samplez_sources::{ChaCha20, Seed};
    /// let width = SamplerZ::FALCON_1024.width_of_inverse(0.59).ok_or("a width")?;
    /// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([1; 32])));
    /// let mut store = ProposalStore::new(&mut bits);
    /// let center = FixedPoint::from_f64(1e6 + 0.5).ok_or("a center")?;
    /// assert!((0..1000).all(|_| store.round(center, width).abs_diff(1_000_000) < 20));
    /// # Ok::<(), &str>(())
    /// ```
    #[inline]
    pub fn round(&mut self, center: FixedPoint, width: SmallWidth) -> i64 {
        let f = center.fraction();
        // |z - f| less z0 for either b, in units of 2^-58, rounded down.
        let lower = f >> 6;
        let differing = lower ^ ((1 << 58) - lower - u64::from(f & 63 != 0));
        loop {
            let look = match self.proposals.get(self.next..).and_then(|rest| rest.first_chunk::<LOOK>()) {
                Some(look) => look,
                None => {
                    self.refill();
                    continue;
                }
            };
            let (mut open, mut close) = (0, 0);
            for (i, Proposal { place, edge, margin, .. }) in look.iter().enumerate() {
                let upper = (place & 1).wrapping_neg();
                let ratio = high((place & !1) + (lower ^ differing & upper), width.inverse);
                let side = high(ratio, ratio) + width.lift;
                // Whether it is below the edge, and far from it; and whether it is not far above.
                let below = (side + margin).wrapping_sub(*edge) >> 63;
                let above = (edge + margin).wrapping_sub(side) >> 63;
                open |= (above as u32 ^ 1) << i;
                close |= (above as u32 ^ 1 ^ below as u32) << i;
            }
            let first = self.bits.declassify(open & open.wrapping_neg());
            if first == 0 {
                self.next += LOOK;
                continue;
            }
            let Proposal { words, place, .. } = look[first.trailing_zeros() as usize % LOOK];
            self.next += 1 + first.trailing_zeros() as usize % LOOK;
            if self.bits.declassify(close & first) != 0 && !settle(width, f, words, &mut self.bits) {
                continue;
            }
            let (z0, b) = ((place >> 58).cast_signed(), (place & 1).cast_signed());
            let sign = b - 1;
            return center.floor() + ((z0 ^ sign) - sign + b);
        }
    }

    /// Moves the proposals left to the front, and draws new ones behind them.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        let mut words = Zeroizing::new([[0; 2]; STORE]);
        // First of all: a source that panics leaves the store as it was.
        self.bits.words(words.as_flattened_mut());
        let kept = LOOK - 1 + STORE - self.next;
        self.proposals.copy_within(self.next.., LOOK - 1 - kept);
        self.next = LOOK - 1 - kept;
        let out = &mut self.proposals[LOOK - 1..];
        for (words, out) in words.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
            self.backend.run(Prepare { words, out });
        }
    }
}

/// Whether the trial of a batch accepts.
#[cold]
#[inline(never)]
fn settle<B: BitSource + ?Sized>(width: SmallWidth, fraction: u64, words: [u64; 2], bits: &mut B) -> bool {
    let (_, threshold) = SamplerZ::trial_of(width, fraction, words);
    let (draw, goal) = (words[1] >> 9, threshold >> 9);
    let is_equal = bits.declassify(u32::from(draw == goal)) != 0;
    let accepted = if is_equal { bits.bits(9) < threshold & 0x1ff } else { draw < goal };
    bits.declassify(accepted.into()) != 0
}

impl<B: BitSource> Drop for ProposalStore<B> {
    fn drop(&mut self) {
        self.erase();
    }
}

#[cfg(test)]
mod tests;
