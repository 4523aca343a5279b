//! k >= 0 with P(k) proportional to e^(-k²/2): steps D1 and D2 of \[Kar16\], which step 1 of
//! \[DW18\]'s Algorithm 4 shares. By inversion, from a prefix by table: see the head of
//! `karney.rs`.

use super::locate::{locate, prefix_table};
use super::runs::run_from;
use crate::bits::{BitSource, bernoulli};

/// k below this comes by table.
pub(crate) const FAST: usize = 8;
/// A k this large is drawn again; P(k >= K_MAX) < 2^-(2^29).
pub(crate) const K_MAX: u64 = 1 << 15;
/// Entries of the table of k.
pub(crate) const PREFIXES: usize = 4096;

/// Bits that [`draw_k`] adds to its prefix on average. Few prefixes leave k open. The tail takes about 24 more, and
/// begins again if it rejects. A test compares it with a count.
pub(crate) const K_EXTRA_BITS: f64 = 0.575;

/// Algorithm H: true with probability e^-½. A run of coins 1/2, 1/4, 1/6, …
pub(crate) fn coin_h<B: BitSource + ?Sized>(bits: &mut B) -> bool {
    run_from(1, 1, 2, bits)
}

/// D1 and D2 as printed: k with probability proportional to e^(-k²/2), or `None` where D2
/// rejects.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn draw_k_printed<B: BitSource + ?Sized>(bits: &mut B) -> Option<u64> {
    let mut k = 0;
    while k < K_MAX && coin_h(bits) {
        k += 1;
    }
    (k < K_MAX && (0..k * k.saturating_sub(1)).all(|_| coin_h(bits))).then_some(k)
}

/// The meaning of a region of the uniform for k.
#[derive(Clone, Copy, PartialEq)]
enum Region {
    /// k itself.
    Settled(u8),
    /// Between the partial sums of order n - 1 and n of e^(-k²/2), γ = k²/2 = num/2.
    Sliver { k: u8, order: u8, num: u8 },
    /// The envelope of k >= 3: 2^-(i+6) for k = 3 + i.
    Tail,
    /// Above all: draw again.
    Again,
}

/// 12!, the unit of the region's bounds.
pub(crate) const UNIT: u64 = 479_001_600;

/// 12!·Σ_{i<=n} (-γ)^i/i! for γ = num/2, exact: 2^6·6! and 12!/2^10 divide 12!.
pub(crate) const fn partial_sum(num: u64, n: u64) -> u64 {
    let (mut sum, mut i, mut power, mut factor) = (0_i64, 0, 1_u64, 1_u64);
    while i <= n {
        // UNIT·num^i/(2^i·i!), with the powers of 2 cancelled first where num = 4.
        let term = if num == 4 { UNIT * power / factor } else { UNIT / (factor << i) };
        sum += if i % 2 == 0 { term as i64 } else { -(term as i64) };
        i += 1;
        power *= 2;
        factor *= i;
    }
    sum as u64
}

/// The regions in order, each with its upper end; the whole is 16/9.
const REGIONS: [(u64, Region); 7] = {
    let k0 = UNIT;
    let (low1, high1) = (k0 + partial_sum(1, 5), k0 + partial_sum(1, 6));
    let (low2, high2) = (high1 + partial_sum(4, 11), high1 + partial_sum(4, 12));
    [
        (k0, Region::Settled(0)),
        (low1, Region::Settled(1)),
        (high1, Region::Sliver { k: 1, order: 6, num: 1 }),
        (low2, Region::Settled(2)),
        (high2, Region::Sliver { k: 2, order: 12, num: 4 }),
        (high2 + UNIT / 32, Region::Tail),
        (UNIT / 9 * 16, Region::Again),
    ]
};

/// Draws k with P(k) proportional to e^(-k²/2), k < K_MAX, given the leading `len` bits, most
/// significant first, of the uniform.
#[cold]
#[inline(never)]
pub(crate) fn draw_k<B: BitSource + ?Sized>(mut prefix: u64, mut len: u32, bits: &mut B) -> u64 {
    loop {
        match region(prefix, len, bits) {
            Region::Settled(k) => return k.into(),
            // The series of e^(-γ) beyond its term of this order.
            Region::Sliver { k, order, num } => {
                if run_from(u64::from(order) + 1, num.into(), 2, bits) {
                    return k.into();
                }
            }
            // e^(-k²/2)·2^(i+6) = (1953125/2^21) · R^9 · (2/e)^i · (e^-½)^(i² + 4i), where
            // R = (8/5)e^-½ = 1 - (1/30)(1 - 1/8 + …) and 2/e = 1 - 1/3 + 1/12 - …
            Region::Tail => {
                let mut i = 0;
                while i < K_MAX - 3 && bits.bit() {
                    i += 1;
                }
                let r = |bits: &mut B| !(bernoulli(1, 30, bits) && run_from(4, 1, 2, bits));
                if i < K_MAX - 3
                    && bernoulli(1_953_125, 1 << 21, bits)
                    && (0..9).all(|_| r(bits))
                    && (0..i).all(|_| run_from(3, 1, 1, bits))
                    && (0..i * (i + 4)).all(|_| coin_h(bits))
                {
                    return 3 + i;
                }
            }
            Region::Again => {}
        }
        (prefix, len) = (bits.bits(PREFIXES.ilog2()), PREFIXES.ilog2());
    }
}

/// The whole and the regions' ends in units of 1/(9·12!).
const WHOLE: u128 = 16 * UNIT as u128;
const ENDS: [u128; 7] = {
    let (mut ends, mut i) = ([0; 7], 0);
    while i < 7 {
        ends[i] = 9 * REGIONS[i].0 as u128;
        i += 1;
    }
    ends
};

/// The region in which the uniform U lies whose leading bits are given: the first with
/// U·16/9 below its end, all in units of 16·UNIT/9.
fn region<B: BitSource + ?Sized>(prefix: u64, len: u32, bits: &mut B) -> Region {
    REGIONS[locate(prefix, len, WHOLE, REGIONS.len(), |i| ENDS[i], bits)].1
}

/// k for every prefix of lg N bits, or FAST where the prefix does not settle it.
pub(crate) struct KTable<const N: usize>;

impl<const N: usize> KTable<N> {
    pub(crate) const TABLE: &'static [u8; N] = &{
        let (mut values, mut i) = ([FAST as u8; 7], 0);
        while i < 7 {
            if let Region::Settled(k) = REGIONS[i].1 {
                values[i] = k;
            }
            i += 1;
        }
        prefix_table(WHOLE, &ENDS, &values, FAST as u8)
    };
}

#[cfg(test)]
pub(crate) mod tests;
