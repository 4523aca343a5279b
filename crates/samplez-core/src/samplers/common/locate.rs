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

/// For every prefix of lg N bits: `values[i]` where all uniforms that it leads have the first
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
