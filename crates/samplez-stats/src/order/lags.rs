//! Sums over pairs of values that are so many places apart.

#![allow(clippy::redundant_closure, reason = "a closure is always inlined; the call through a function's name is not")]

use super::window::WINDOW;
use crate::coding::HIGHEST;

/// The lags: 1 … 64, and the powers of two from 128 to 2^16.
pub(in super::super) const LAGS: usize = 74;

/// Up to this lag, products of codes are summed over all windows, otherwise over the chosen ones.
pub(super) const NEAR: usize = 16;

/// The lag of index i.
pub(in super::super) const fn lag(index: usize) -> usize {
    if index < 64 { index + 1 } else { 128 << (index - 64) }
}

/// A window: where it lies in the tracks, how many codes of the stream are before it, and which windows were chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) seen: u64,
    pub(super) chosen: u32,
}

/// A sum over pairs, how many they are, and how many of them begin where another ends.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Sum {
    pub(in super::super) total: i64,
    pub(in super::super) pairs: u64,
    pub(in super::super) links: u64,
}

#[derive(Clone, Debug)]
pub(in super::super) struct Lags {
    /// Products of codes, of magnitudes, of squares.
    pub(in super::super) products: [[Sum; LAGS]; 3],
    /// Pairs of equal codes: at lag 1 over all windows.
    pub(in super::super) equal: [Sum; LAGS],
    /// Pairs of neighbours on one side of zero, over all windows.
    pub(in super::super) alike: Sum,
}

impl Default for Lags {
    fn default() -> Self {
        Lags { products: [[Sum::default(); LAGS]; 3], equal: [Sum::default(); LAGS], alike: Sum::default() }
    }
}

/// Adds the products of a window to some of a series' sums, from that of lag(`first`) on.
#[inline(always)]
pub(super) fn add_products(sums: &mut [Sum], first: usize, track: &[i16], window: Place) {
    for (index, sum) in (first..).zip(sums) {
        sum.add(
            track,
            window,
            lag(index),
            #[inline(always)]
            |a, b| products(a, b),
        );
    }
}

/// Adds the equal pairs of a window, as [`add_products`] does.
#[inline(always)]
pub(super) fn add_equal(sums: &mut [Sum], first: usize, codes: &[i16], window: Place) {
    for (index, sum) in (first..).zip(sums) {
        sum.add(
            codes,
            window,
            lag(index),
            #[inline(always)]
            |a, b| equal(a, b),
        );
    }
}

/// Adds a window's neighbours on one side of zero.
#[inline(always)]
pub(super) fn add_alike(sum: &mut Sum, codes: &[i16], window: Place) {
    sum.add(
        codes,
        window,
        1,
        #[inline(always)]
        |a, b| alike(a, b),
    );
}

impl Lags {
    pub(super) fn merge(&mut self, other: &Lags) {
        for (sum, more) in self.products.as_flattened_mut().iter_mut().zip(other.products.as_flattened()) {
            sum.merge(more);
        }
        for (sum, more) in self.equal.iter_mut().zip(&other.equal) {
            sum.merge(more);
        }
        self.alike.merge(&other.alike);
    }
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, track: &[i16], place: Place, lag: usize, kernel: impl Fn(&[i16], &[i16]) -> i64) {
        // The first code of the stream that has one so many places before it.
        let first = place.from + (lag as u64).saturating_sub(place.seen) as usize;
        if first >= place.to {
            return;
        }
        self.total += kernel(&track[first..place.to], &track[first - lag..place.to - lag]);
        self.pairs += (place.to - first) as u64;
        self.links += place.links(lag as u64);
    }

    fn merge(&mut self, other: &Sum) {
        self.total += other.total;
        self.pairs += other.pairs;
        self.links += other.links;
    }
}

impl Place {
    /// Whether this window was chosen.
    pub(super) const fn is_chosen(&self) -> bool {
        self.chosen & 1 == 1
    }

    /// The same window, as if all were chosen.
    pub(super) const fn every(&self) -> Place {
        Place { chosen: u32::MAX, ..*self }
    }

    /// How many of this window's pairs (i - lag, i) have a pair (i - 2·lag, i - lag), in this or an earlier chosen window.
    fn links(self, lag: u64) -> u64 {
        let (start, end) = (self.seen, self.seen + (self.to - self.from) as u64);
        let (mut low, high) = ((start.max(2 * lag)) - lag, end.saturating_sub(lag));
        let (window, present) = (WINDOW as u64, start / WINDOW as u64);
        let mut links = 0;
        while low < high {
            let next = (low / window + 1) * window;
            if self.chosen >> (present - low / window) & 1 == 1 {
                links += next.min(high) - low;
            }
            low = next;
        }
        links
    }
}

/// Lanes of 16 bits. With fewer than 64 of them compilers do not see vectors.
const LANES: usize = 64;

/// The number of products whose sum fits a lane; counts fit over a whole window.
const PART: usize = LANES * (i16::MAX / (HIGHEST * HIGHEST)) as usize;

#[inline(always)]
fn products(a: &[i16], b: &[i16]) -> i64 {
    let mut total = 0;
    for (a, b) in a.chunks(PART).zip(b.chunks(PART)) {
        total += lanes(
            a,
            b,
            #[inline(always)]
            |x, y| x.wrapping_mul(y),
        );
    }
    total
}

#[inline(always)]
fn equal(a: &[i16], b: &[i16]) -> i64 {
    lanes(
        a,
        b,
        #[inline(always)]
        |x, y| i16::from(x == y),
    )
}

#[inline(always)]
fn alike(a: &[i16], b: &[i16]) -> i64 {
    lanes(
        a,
        b,
        #[inline(always)]
        |x, y| i16::from((x ^ y) >= 0),
    )
}

/// Σ kernel(a_i, b_i), in lanes of 16 bits.
#[inline(always)]
fn lanes(a: &[i16], b: &[i16], kernel: impl Fn(i16, i16) -> i16) -> i64 {
    let mut sums = [0_i16; LANES];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (x, y) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] = sums[lane].wrapping_add(kernel(x[lane], y[lane]));
        }
    }
    let mut wide = [0_i32; 8];
    for sums in sums.as_chunks::<8>().0 {
        for (wide, sum) in wide.iter_mut().zip(sums) {
            *wide = wide.wrapping_add(i32::from(*sum));
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(x, y)| i64::from(kernel(*x, *y)));
    wide.iter().copied().map(i64::from).sum::<i64>() + rest.sum::<i64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums, pairs and links of a stream cut into windows, against their definitions.
    #[test]
    fn sums_against_their_definitions() {
        let values: Vec<i16> = (0..20_000_i64).map(|i| (i * i % 61 - 30) as i16).collect();
        let mut lags = Lags::default();
        // Windows 0, 1, 3 and what there is of 4.
        let chosen = [true, true, false, true, true];
        let mut bits = 0;
        for (number, chosen) in chosen.into_iter().enumerate() {
            let (from, to) = (number * WINDOW, ((number + 1) * WINDOW).min(values.len()));
            bits = bits << 1 | u32::from(chosen);
            let place = Place { from, to, seen: from as u64, chosen: bits };
            let [xs, sizes, _] = &mut lags.products;
            add_products(&mut xs[..NEAR], 0, &values, place.every());
            add_equal(&mut lags.equal[..1], 0, &values, place.every());
            add_alike(&mut lags.alike, &values, place.every());
            if chosen {
                assert!(place.is_chosen());
                add_products(&mut xs[NEAR..], NEAR, &values, place);
                add_products(sizes, 0, &values, place);
                add_equal(&mut lags.equal[1..], 1, &values, place);
            }
        }
        for index in 0..LAGS {
            let k = lag(index);
            let pair = |i: usize| i >= k && i < values.len() && (chosen[i / WINDOW]);
            let pairs: Vec<usize> = (0..values.len()).filter(|i| pair(*i)).collect();
            let sum = lags.products[1][index];
            let total: i64 = pairs.iter().map(|i| i64::from(values[*i]) * i64::from(values[i - k])).sum();
            assert_eq!((sum.total, sum.pairs), (total, pairs.len() as u64), "lag {k}");
            assert_eq!(sum.links, pairs.iter().filter(|i| pair(**i - k)).count() as u64, "lag {k}");
            let all = |i: &usize| *i >= k && (k == 1 || pair(*i));
            let equal = (0..values.len()).filter(all).filter(|i| values[*i] == values[*i - k]).count() as i64;
            assert_eq!(lags.equal[index].total, equal, "lag {k}");
            let near = lags.products[0][index].pairs;
            assert_eq!(near, if k <= NEAR { (values.len() - k) as u64 } else { sum.pairs });
        }
        let alike = values.windows(2).filter(|pair| (pair[0] < 0) == (pair[1] < 0)).count() as i64;
        assert_eq!((lags.alike.total, lags.alike.pairs, lags.alike.links), (alike, 19_999, 19_998));
    }
}
