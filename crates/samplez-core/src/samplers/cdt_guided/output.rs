//! Where `fill` writes.

use crate::sampler::Int;

/// Values copied at once.
const RUN: usize = 16;

/// Writes the first `len` values, `first` added, and moves on. Where there is space, whole runs are written, whose ends
/// are written again later.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn values_are_written_and_left_behind() {
        let values: Vec<i16> = (0..300).map(|i| i * 37 - 4000).collect();
        for room in [0, 1, 15, 16, 17, 63, 64, 65, 100, 250] {
            for len in [0, 1, 2, 15, 16, 17, 31, 47, 48, 63, 64, 65, 79, 80, 81, 128, 200] {
                // With room behind the values, or none.
                for values in [&values[..], &values[..len]] {
                    let mut out = std::vec![-1_i32; room];
                    let mut rest = &mut out[..];
                    if len > room {
                        continue;
                    }
                    copy(values, len, &mut rest, 1000);
                    assert_eq!(rest.len(), room - len);
                    put(7, &mut rest);
                    assert_eq!(rest.len(), (room - len).saturating_sub(1));
                    let sums = values[..len].iter().map(|value| i32::from(*value) + 1000);
                    let wanted: Vec<i32> = sums.chain([7]).take(room).collect();
                    assert_eq!(out[..wanted.len()], wanted, "{len} of {room}");
                }
            }
        }
    }

    #[test]
    fn lanes_behind_may_hold_any_value() {
        let mut out = [0_i8; 16];
        let mut rest = &mut out[..];
        copy(&[i16::MAX; 16], 0, &mut rest, i64::MAX);
        assert_eq!(rest.len(), 16);
    }
}
