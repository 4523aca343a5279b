//! From indices to samples of any output type.

use crate::arch::Kernel;
use crate::arch::cdt_lazy_ct::COLUMNS;
use crate::sampler::Int;

/// From indices to samples: `first` + index, and if folded with the sign that the draw begins with. A row has `row`
/// bytes of draws, the first byte of each draw first.
pub(crate) struct Finish<'a, T> {
    pub(crate) row: usize,
    pub(crate) folded: bool,
    pub(crate) first: i64,
    pub(crate) draws: &'a [u8],
    pub(crate) low: &'a [u8],
    pub(crate) high: &'a [u8],
    pub(crate) out: &'a mut [T],
}

impl<T: Int> Kernel for Finish<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Finish { row, folded, first, draws, low, high, out } = self;
        let mask = if folded { -1 } else { 0 };
        let rows = draws.chunks_exact(row).map(|row| &row.as_chunks::<COLUMNS>().0[0]);
        let (lows, _) = low.as_chunks::<COLUMNS>();
        let (highs, _) = high.as_chunks::<COLUMNS>();
        for (i, ((out, row), low)) in out.chunks_mut(COLUMNS).zip(rows).zip(lows).enumerate() {
            // Whole rows have a length that the compiler knows.
            if let Ok(out) = <&mut [T; COLUMNS]>::try_from(&mut *out) {
                finish(first, mask, row, low, highs.get(i), out);
            } else {
                finish(first, mask, row, low, highs.get(i), out);
            }
        }
    }
}

#[inline(always)]
fn finish<T: Int>(first: i64, mask: i8, row: &[u8], low: &[u8; COLUMNS], high: Option<&[u8; COLUMNS]>, out: &mut [T]) {
    match high {
        None => {
            for ((slot, draw), low) in out.iter_mut().zip(row).zip(low) {
                let sign = draw.cast_signed() >> 7 & mask;
                *slot = T::wrapping(first.wrapping_add(((low.cast_signed() ^ sign).wrapping_sub(sign)).into()));
            }
        }
        Some(high) => {
            for (((slot, draw), low), high) in out.iter_mut().zip(row).zip(low).zip(high) {
                let sign = i16::from(draw.cast_signed() >> 7 & mask);
                let index = i16::from_le_bytes([*low, *high]);
                *slot = T::wrapping(first.wrapping_add(((index ^ sign).wrapping_sub(sign)).into()));
            }
        }
    }
}
