//! A prefix of a uniform, located among rational bounds.

use crate::bits::{BitSource, LazyUniform};

/// The first i with U·whole < end(i), or `count` - 1, for the uniform U whose leading `len`
/// bits are given, most significant first. The ends rise, the last is at least `whole`;
/// whole <= 2^64.
pub(crate) fn locate<B: BitSource + ?Sized>(
    mut prefix: u64,
    mut len: u32,
    whole: u128,
    count: usize,
    end: impl Fn(usize) -> u128,
    bits: &mut B,
) -> usize {
    loop {
        let (low, high) = (u128::from(prefix) * whole, u128::from(prefix + 1) * whole);
        let first = (0..count).find(|i| low < end(*i) << len).unwrap_or(count - 1);
        if high <= end(first) << len {
            return first;
        }
        if high <= end(first + 1) << len {
            // One bound is left inside of what U can be.
            return first + usize::from(!LazyUniform::new(prefix, len).is_below(end(first), whole, bits));
        }
        (prefix, len) = (prefix << 1 | bits.bits(1), len + 1);
    }
}

/// Returns an entry for every prefix of lg N bits. It is `values[i]` where all uniforms with the prefix have the first
/// i with U·whole < ends\[i\], or `open` where they differ.
pub(crate) const fn prefix_table<const N: usize, const R: usize>(
    whole: u128,
    ends: &[u128; R],
    values: &[u8; R],
    open: u8,
) -> [u8; N] {
    let mut table = [open; N];
    let (mut prefix, mut i) = (0, 0);
    while prefix < N {
        // The prefix's uniforms are [prefix, prefix + 1)/N.
        while ends[i] * N as u128 <= prefix as u128 * whole {
            i += 1;
        }
        if (prefix as u128 + 1) * whole <= ends[i] * N as u128 {
            table[prefix] = values[i];
        }
        prefix += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Tape, parting};

    /// The same bit for ever.
    struct Bits(bool);

    impl BitSource for Bits {
        fn bits(&mut self, n: u32) -> u64 {
            if self.0 { u64::MAX >> (64 - n) } else { 0 }
        }
    }

    const ENDS: [u128; 6] = [2, 5, 5, 9, 12, 12];

    /// The first i for the least uniform of a prefix, and for all below its end.
    fn outermost(prefix: u64, len: u32, whole: u128) -> [usize; 2] {
        let (low, high) = (u128::from(prefix) * whole, u128::from(prefix + 1) * whole);
        [ENDS.iter().position(|end| low < end << len), ENDS.iter().position(|end| high <= end << len)]
            .map(Option::unwrap)
    }

    #[test]
    fn uniforms_are_located_at_both_ends_of_a_prefix() {
        for whole in [7, 11, 12] {
            for len in 0..9 {
                for prefix in 0..1 << len {
                    let found = [false, true].map(|bit| locate(prefix, len, whole, 6, |i| ENDS[i], &mut Bits(bit)));
                    assert_eq!(found, outermost(prefix, len, whole), "{whole}, {prefix}/2^{len}");
                }
            }
        }
    }

    /// A uniform that has more places in common with a bound than there are in a word.
    #[test]
    fn the_first_other_place_decides() {
        for (whole, i) in [(7, 0), (11, 0), (11, 3)] {
            for n in 100..112 {
                let (places, is_below) = parting(ENDS[i], whole, n);
                let mut tape = Tape::new(places);
                let found = locate(0, 0, whole, 6, |i| ENDS[i], &mut tape);
                assert_eq!((found, tape.read), (if is_below { i } else { i + 1 }, n + 1), "{whole}, {i}, {n}");
            }
        }
    }

    #[test]
    fn a_prefix_has_a_value_where_all_its_uniforms_have() {
        fn check<const N: usize>(whole: u128) {
            let table = prefix_table::<N, 6>(whole, &ENDS, &[10, 11, 12, 13, 14, 15], 99);
            for (prefix, value) in (0..).zip(table) {
                let [low, high] = outermost(prefix, N.ilog2(), whole);
                assert_eq!(value, if low == high { 10 + low as u8 } else { 99 }, "{whole}, {prefix} of {N}");
            }
        }
        for whole in [7, 11, 12] {
            check::<1>(whole);
            check::<8>(whole);
            check::<64>(whole);
        }
    }
}
