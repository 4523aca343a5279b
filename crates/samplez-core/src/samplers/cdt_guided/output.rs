//! Where `fill` writes.

use crate::sampler::Int;

/// Values copied at once.
const RUN: usize = 16;

/// Writes the first `len` values, `first` added, and moves on. Where there is room, whole runs are
/// written, whose ends are written again later.
#[inline(always)]
pub(super) fn copy<T: Int, V: Copy + Into<i64>>(values: &[V], len: usize, out: &mut &mut [T], first: i64) {
    // Runs reach into lanes that are open, where any value may stand.
    let add = |value: V| T::wrapping(first.wrapping_add(value.into()));
    let all = core::mem::take(out);
    let whole = len.next_multiple_of(RUN);
    match (all.get_mut(..whole), values.get(..whole)) {
        // Short runs as arrays, long ones as slices: what the compiler makes the best of.
        (Some(slots), Some(values)) if len < 4 * RUN => {
            for (slots, values) in slots.as_chunks_mut::<RUN>().0.iter_mut().zip(values.as_chunks::<RUN>().0) {
                *slots = values.map(add);
            }
        }
        (Some(slots), Some(values)) => slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = add(*value)),
        _ => all.iter_mut().zip(values).take(len).for_each(|(slot, value)| *slot = add(*value)),
    }
    *out = &mut all[len..];
}

/// Writes one value and moves on.
#[inline(always)]
pub(super) fn put<T: Int>(value: i64, out: &mut &mut [T]) {
    if let Some((slot, later)) = core::mem::take(out).split_first_mut() {
        *slot = T::wrapping(value);
        *out = later;
    }
}
