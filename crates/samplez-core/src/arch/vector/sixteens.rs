//! Entries of a pool in order, in registers that look up 16 bytes in a table of 16.

use super::bytes::ByteVector;

/// Registers of sixteens of bytes.
pub(super) trait Sixteens: ByteVector {
    /// Where this bit is set, 4 to 7, for [`select`](ByteVector::select) alone.
    fn bit(self, bit: usize) -> Self::Mask;
    /// In each sixteen, the sums of the bytes up to each one.
    fn sums(self) -> Self;
    /// From these sums, that of all sixteens before, and that of all.
    fn totals(sums: Self) -> [Self; 2];
}

/// 15 - q, for each byte q of sixteen.
static REVERSED: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut q = 0;
    while q < 64 {
        bytes[q] = 15 - q as u8 % 16;
        q += 1;
    }
    bytes
};

/// The bytes of one of two tables from the `first` on, by bit 4 of `place`.
#[inline(always)]
fn of_two<V: Sixteens>(tables: &[V; 16], first: usize, place: V) -> V {
    V::select(place.bit(4), tables[first + 1], tables[first])
}

/// Of four, by bits 4 and 5.
#[inline(always)]
fn of_four<V: Sixteens>(tables: &[V; 16], first: usize, place: V) -> V {
    V::select(place.bit(5), of_two(tables, first + 2, place), of_two(tables, first, place))
}

/// Of eight, by bits 4 to 6.
#[inline(always)]
fn of_eight<V: Sixteens>(tables: &[V; 16], first: usize, place: V) -> V {
    V::select(place.bit(6), of_four(tables, first + 4, place), of_four(tables, first, place))
}

/// [`ByteVector::hand_out`].
///
/// If a sixteen's first open byte takes entry n, its others take some of the 15 behind it. Two of these 16 entries have
/// different ranks modulo 16. Byte q of a register gets the one whose rank is q modulo 16.
/// It needs no look-up, because it is byte q of the table that entry n + 15 - q is in. One look-up moves them from there to the open bytes.
#[inline(always)]
pub(super) fn hand_out<V: Sixteens, const ENTRIES: usize>(
    bytes: V,
    open: V::Mask,
    tables: &[V; 16],
    taken: &mut V,
) -> V {
    let ones = V::splat8(0).count(open);
    let sums = ones.sums();
    let [before, all] = V::totals(sums);
    let first = taken.plus_at_most(before);
    *taken = taken.plus_at_most(all);
    let place = first.plus8(V::load8(&REVERSED));
    let next = match ENTRIES {
        64 => of_four(tables, 0, place),
        128 => of_eight(tables, 0, place),
        192 => V::select(place.bit(7), of_four(tables, 8, place), of_eight(tables, 0, place)),
        _ => V::select(place.bit(7), of_eight(tables, 8, place), of_eight(tables, 0, place)),
    };
    V::select(open, next.look_up(first.plus8(sums).minus8(ones).index()), bytes)
}
