//! Inversion in two parts, for 2048 samples at once in constant time.
//!
//! Every sample has a draw of 16 bits, which decides it or leaves it open; a few numbers, as many whatever the samples
//! are, are drawn for those that are open, and are handed out in order.

mod batch;
#[cfg(target_arch = "x86_64")]
mod search;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use batch::{Batch, COLUMNS, MAX_DIGITS, MAX_LEVELS, MAX_SLOTS, Tree};

use super::{Backend, Kernel};
use batch::{Slots, ranks};
use zeroize::Zeroize;

impl Batch<'_> {
    /// Fills `low` and `high`, by the fastest way that the backend has; 1 if more samples are open than there are
    /// slots (then those beyond have no meaning), or else 0.
    #[inline]
    pub(crate) fn run(self, backend: Backend) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if x86_64::has(backend) {
            return x86_64::run(self, backend);
        }
        backend.run(Counting(self))
    }
}

/// [`Batch`] by its definition: every number is compared with every draw. This is the specification.
struct Counting<'a>(Batch<'a>);

impl Counting<'_> {
    /// How many numbers of the tree are above each of the numbers with these digits, a column each.
    #[inline(always)]
    fn count<const N: usize>(tree: Tree<'_>, digits: usize, digit: impl Fn(usize) -> [u8; N]) -> ([u8; N], [u8; N]) {
        let (mut low, mut high) = ([0_u8; N], [0_u8; N]);
        for place in tree.places() {
            let mut above = [0_u8; N];
            for d in (0..digits).rev() {
                let key = tree.rows[d * tree.stride + place].cast_unsigned() ^ 0x80;
                for (above, digit) in above.iter_mut().zip(digit(d)) {
                    *above = u8::from(digit < key) | u8::from(digit == key) & *above;
                }
            }
            for ((low, high), above) in low.iter_mut().zip(&mut high).zip(above) {
                *low = low.wrapping_add(above);
                *high = high.wrapping_add(u8::from(*low == 0) & above);
            }
        }
        (low, high)
    }
}

impl Kernel for Counting<'_> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Counting(batch) = self;
        let mask = if batch.folded { 0x7f } else { 0xff };
        let (rows, _) = batch.draws.as_chunks::<{ 2 * COLUMNS }>();
        let (lows, _) = batch.low.as_chunks_mut::<COLUMNS>();
        let (highs, _) = batch.high.as_chunks_mut::<COLUMNS>();
        // The indices, one too large; 0 where open.
        let mut open = [0; COLUMNS];
        for (i, (row, low)) in rows.iter().zip(&mut *lows).enumerate() {
            let digit = |d: usize| core::array::from_fn(|c| row[COLUMNS * d + c] & if d == 0 { mask } else { 0xff });
            let (count, over) = Self::count::<COLUMNS>(batch.coarse, 2, digit);
            for ((open, low), high) in open.iter_mut().zip(count).zip(over) {
                *open += u8::from(low | high == 0);
            }
            *low = count;
            if let Some(high) = highs.get_mut(i) {
                *high = over;
            }
        }
        let overflow = ranks(&mut open, batch.slots);
        let mut slots = Slots::new();
        let (groups_low, _) = slots.low.as_chunks_mut::<16>();
        let (groups_high, _) = slots.high.as_chunks_mut::<16>();
        for (i, (low, high)) in groups_low.iter_mut().zip(groups_high).enumerate().take(batch.slots.div_ceil(16)) {
            let digit = |d: usize| core::array::from_fn(|k| batch.spare[d * batch.slots + 16 * i + k]);
            (*low, *high) = Self::count::<16>(batch.fine, batch.digits, digit);
        }
        slots.add(batch.offset);
        for (i, low) in lows.iter_mut().enumerate() {
            let high = highs.get_mut(i);
            let over = high.as_deref().copied().unwrap_or([0; COLUMNS]);
            let mut is_open = [0; COLUMNS];
            for ((is_open, low), over) in is_open.iter_mut().zip(&*low).zip(over) {
                *is_open = u8::from(low | over == 0).wrapping_neg();
            }
            let (mut slot_low, mut slot_high) = ([0; COLUMNS], [0; COLUMNS]);
            for (k, (now_low, now_high)) in slots.low.iter().zip(&slots.high).enumerate().take(batch.slots) {
                for (((rank, is_open), low), high) in open.iter().zip(is_open).zip(&mut slot_low).zip(&mut slot_high) {
                    let here = u8::from(*rank == k as u8).wrapping_neg() & is_open;
                    *low |= here & now_low;
                    *high |= here & now_high;
                }
            }
            let found = slot_low.iter().zip(&mut slot_high);
            for ((((rank, is_open), low), over), (slot_low, high)) in
                open.iter_mut().zip(is_open).zip(&mut *low).zip(over).zip(found)
            {
                *rank = rank.wrapping_sub(is_open);
                *high |= over.wrapping_sub(u8::from(*low == 0)) & !is_open;
                *low = slot_low | low.wrapping_sub(1) & !is_open;
            }
            if let Some(high) = high {
                *high = slot_high;
            }
        }
        open.zeroize();
        overflow
    }
}
