/// Ziggurat: rectangles of equal area over the right half of the bell, rejection where they stick out.
///
/// Paper: \[BCGHW13\], Algorithms 1 (Ziggurat) and 2 (sLine). Proof: docs/proofs/ziggurat.md.
///
/// | Law        | the table's own, the same for all four variants; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound) |
/// | Bits       | 64 for each trial, and min(ω, 64) more in the share of trials that have to look at x; [`profile`](crate::sampler::Sampler::profile) computes the mean |
/// | Memory     | 4(m + 1) + 4m⌈n/32⌉ bytes, and 4⌊tσ⌋⌈n/32⌉ (P) or 4⌈(n + 104)/32⌉ + 4 (not P) |
/// | Timing     | Variable: rectangle, trials and comparisons depend on the sample |
/// | Parameters | any form of σ with 1 <= ⌊tσ⌋ < 2^24, integer centre; m from 2 to 2^16, n to 256, ω from n to 512 |
///
/// ```text
///  1  i ← {1, …, m}; s ← ±1; x ← {0, …, X_i}
///  2  if 0 < x <= X_(i-1): return sx
///  3  if x = 0 and i > 1: b ← {0, 1}; if b = 0 return 0, else go to 1
///  4  y' ← {0, …, 2^ω - 1}
///  5  [O] if (x, y') is below the chord of an arc from X_(i-1) to X_i that is nowhere below it,
///         accept; if it is above the chord of an arc that is nowhere above it, reject
///  6  accept if y'(y_(i-1) - y_i) < 2^ω(ρ(x) - y_i), else go to 1       [P: ρ(x) from a table]
///  7  accepted: if x = 0, as in 3; else return sx
/// ```
///
/// Departures from the paper:
/// - x = 0 in rectangle 1 has to pass step 6 (docs/errata.md). The printed form gives column 0 the
///   height y_0, and y_0 = 1 is often out of reach.
/// - "<" in step 6, with ρ rounded down: "<=" gives every x of the tail a chance of 2^-ω.
/// - y_m = 0 and not ρ(tσ), so that nothing is cut off below the last rectangle.
/// - The sign serves as the coin of step 3.
/// - y' is drawn lazily. Its leading 64 bits decide against brackets of all that is compared, unless they are closer
///   than about 2^-40 to equality. Then the comparison is exact, with further bits of y' only as far as they matter.
///   The draws and the samples depend on the table's integers only, so that all variants return the same stream.
/// - ρ(x) is computed from one constant, log2(e)/(2σ²), in fixed point: never by floats.
/// - Two chords through integer points, one column apart, take the place of one and of the
///   distinction of concave and convex arcs. Which rectangles have them follows from comparing
///   their decisions with step 6, column by column, when the table is built.
///
/// Sampling from the rectangles of a [`ZigguratTable`].
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, bits::BitReader};
/// use samplez_core::{Sampler, samplers::Ziggurat};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::{ZigguratParts, ZigguratTable};
/// // As it might lie in a static: two rectangles of 3 bits over σ = 1.
/// static WORDS: [u32; 7] = [0, 1, 3, 0, 4 << 29, 4 << 29, 1 << 29];
/// let parts = ZigguratParts {
///     target: DiscreteGaussian::with_sigma(Rational::from(1))?,
///     bound: Bound::TRIVIAL,
///     expected_trials: 1.5, precision: 3, omega: 4, rectangles: 2, chord: None, stored: true,
/// };
/// let sampler = Ziggurat::from_table(ZigguratTable::new(parts, &WORDS)?);
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| sampler.sample(&mut bits).abs() <= 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ziggurat<S> {
    table: ZigguratTable<S>,
    /// 2^[`I_BITS`] mod m.
    threshold: u64,
}

use super::common::trials::Attempt;
use super::common::trials::{fill_accepted, first_accepted};
use crate::bits::{BitSource, uniform_below};
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use crate::table::Table;
use crate::table::{Height, LIMBS, ZigguratTable};

/// Bits of the draw of i.
const I_BITS: u32 = 24;
/// Bits of the draw of x: with those of i and the sign they make a 64-bit draw.
const X_BITS: u32 = 39;

/// A trial: whether it was accepted, and x with its sign.
type Trial = (bool, i64);

impl<S: AsRef<[u32]>> Ziggurat<S> {
    /// Builds the sampler over this table. The variant is the table's: O if it has a chord, P if it
    /// stores the densities.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational, Sampler};
    /// # use samplez_core::{samplers::Ziggurat, table::{ZigguratParts, ZigguratTable}};
    /// # let parts = ZigguratParts {
    /// #     target: DiscreteGaussian::with_sigma(Rational::from(1))?,
    /// #     bound: Bound::TRIVIAL,
    /// #     expected_trials: 1.5, precision: 3, omega: 4, rectangles: 2, chord: None, stored: true,
    /// # };
    /// let table = ZigguratTable::new(parts, [0, 1, 3, 0, 4 << 29, 4 << 29, 1 << 29])?;
    /// assert_eq!(Ziggurat::from_table(table).profile().support, -2..=2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn from_table(table: ZigguratTable<S>) -> Self {
        let threshold = (1 << I_BITS) % table.parts().rectangles as u64;
        Ziggurat { table, threshold }
    }

    /// Returns the table.
    #[cfg(feature = "testing")]
    pub const fn table(&self) -> &ZigguratTable<S> {
        &self.table
    }

    /// One trial, with I and X bits for the draws of i and x. The law does not depend on them.
    #[inline(always)]
    fn trial<const I: u32, const X: u32, B: BitSource + ?Sized>(&self, threshold: u64, bits: &mut B) -> Trial {
        // step 1: i and x are ⌊m·r/2^I⌋ and ⌊(X_i + 1)·r'/2^X⌋ for uniform r, r'; where the low
        // part of a product is small, some r are too many, and `edge` sees to it.
        let draw = bits.bits(1 + I + X);
        let i = ((draw >> 1) & mask(I)) * u64::from(self.table.parts().rectangles);
        let (fast, all) = self.table.columns((i >> I) as usize);
        let x = (draw >> (1 + I)) * u64::from(all);
        let (i_low, x_low, column) = (i & mask(I), x & mask(X), x >> X);
        // step 2, 3; and what does not go the fast way
        if (i_low < threshold) | (x_low < u64::from(all)) | (column >= u64::from(fast)) {
            return self.edge::<I, X, B>(draw, threshold, bits);
        }
        finish(column, draw & 1 != 0)
    }

    /// A trial that has to be looked at: steps 1 to 7 from the same draw.
    #[inline(never)]
    fn edge<const I: u32, const X: u32, B: BitSource + ?Sized>(
        &self,
        draw: u64,
        threshold: u64,
        bits: &mut B,
    ) -> Trial {
        // step 1: 2^I mod m of the r, and 2^X mod (X_i + 1) of the r', are drawn again
        let m = u64::from(self.table.parts().rectangles);
        let product = ((draw >> 1) & mask(I)) * m;
        let i = if product & mask(I) < threshold { uniform_below(m, bits) } else { product >> I } as usize;
        let (fast, all) = self.table.columns(i);
        let product = (draw >> (1 + I)) * u64::from(all);
        let low = product & mask(X);
        let again = low < u64::from(all) && low < (1 << X) % u64::from(all);
        let x = if again { uniform_below(u64::from(all), bits) } else { product >> X };
        // steps 2 to 7
        let accepted = x < u64::from(fast) || self.is_below(i, x as u32, fast, all, bits);
        let (kept, value) = finish(x, draw & 1 != 0);
        (accepted & kept, value)
    }

    /// Steps 4 to 6 in rectangle `i` + 1, for a column x of fast <= x < all.
    #[inline(always)]
    fn is_below<B: BitSource + ?Sized>(&self, i: usize, x: u32, fast: u32, all: u32, bits: &mut B) -> bool {
        // step 4: y'/2^ω is in [u, u + 2^-h) for h leading bits, here in units of 2^-64
        let head_bits = self.table.head_bits();
        let head = bits.bits(head_bits);
        let low = u128::from(head << (64 - head_bits));
        let high = low + (1 << (64 - head_bits));
        // step 5: the chord through (X_(i-1), y_(i-1)) and (X_i, y_i), or both one column further
        let (accept_to, reject_after) = self.table.chords();
        let width = u128::from(all - fast);
        if (i > 0) & (i < accept_to) && high * width <= u128::from(all - 1 - x) << 64 {
            return true;
        }
        // Strictly: where the chord meets the density, y' = d/h is for the integers, as without chord.
        if i >= reject_after && low * width > u128::from(all - x) << 64 {
            return false;
        }
        // step 6 with brackets in units of 2^-63: heights h in (h - 1, h + 1), densities over y_i
        // in (d_low, d_high)
        let (upper, lower) = (self.table.edge_head(i), self.table.edge_head(i + 1));
        let (rho_low, rho_high) = self.table.height_bracket(x);
        let h = u128::from(upper - lower);
        let d_low = u128::from(rho_low.saturating_sub(lower).saturating_sub(1));
        let d_high = u128::from((rho_high + 1).saturating_sub(lower));
        if high * (h + 1) <= d_low << 64 {
            return true;
        }
        if low * h.saturating_sub(1) >= d_high << 64 {
            return false;
        }
        self.is_below_exactly(i, x, head, bits)
    }

    /// Step 6 by the integers, with the leading bits of y' drawn: ⌊2^ω d/h⌋ bit by bit.
    #[cold]
    #[inline(never)]
    fn is_below_exactly<B: BitSource + ?Sized>(&self, i: usize, x: u32, head: u64, bits: &mut B) -> bool {
        let (upper, lower) = (self.table.edge_height(i), self.table.edge_height(i + 1));
        let height = difference(&upper, &lower).unwrap_or([0; LIMBS]);
        let Some(mut rest) = difference(&self.table.height(x), &lower) else { return false };
        if difference(&rest, &height).is_some() {
            // d >= h
            return true;
        }
        let head_bits = self.table.head_bits();
        for place in 0..self.table.parts().omega {
            let drawn = if place < head_bits { head >> (head_bits - 1 - place) & 1 != 0 } else { bits.bit() };
            rest = doubled(&rest);
            let reduced = difference(&rest, &height);
            if drawn != reduced.is_some() {
                return reduced.is_some();
            }
            rest = reduced.unwrap_or(rest);
        }
        // y' = ⌊2^ω d/h⌋
        rest != [0; LIMBS]
    }

    /// Trials that reach step 4, on average.
    fn edge_share(&self) -> f64 {
        let m = self.table.parts().rectangles;
        let share = |i: u32| {
            let (fast, all) = self.table.columns(i as usize);
            f64::from(all - fast) / f64::from(all)
        };
        (0..m).map(share).sum::<f64>() / f64::from(m)
    }

    /// Makes a trial with draws as narrow as these widths, so that the exact law tests can walk every draw. The
    /// code and the law of [`Attempt::attempt`] are unchanged.
    #[cfg(feature = "testing")]
    pub fn attempt_narrow<const I: u32, const X: u32, B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        let threshold = (1 << I) % u64::from(self.table.parts().rectangles);
        let (accepted, value) = self.trial::<I, X, B>(threshold, bits);
        accepted.then_some(self.table.center() + value)
    }
}

/// Step 7: whether the accepted column x is returned with this sign, and the signed value.
#[inline(always)]
const fn finish(x: u64, negative: bool) -> Trial {
    let sign = -(negative as i64);
    ((x != 0) | !negative, (x as i64 ^ sign) - sign)
}

#[inline(always)]
const fn mask(n: u32) -> u64 {
    (1 << n) - 1
}

/// a - b, or `None` if a < b.
fn difference(a: &Height, b: &Height) -> Option<Height> {
    let mut borrow = false;
    let difference = core::array::from_fn(|i| {
        let (value, first) = a[i].overflowing_sub(b[i]);
        let (value, second) = value.overflowing_sub(borrow.into());
        borrow = first | second;
        value
    });
    (!borrow).then_some(difference)
}

/// 2a; heights are below 2^257, so that nothing is lost.
fn doubled(a: &Height) -> Height {
    core::array::from_fn(|i| a[i] << 1 | if i > 0 { a[i - 1] >> 63 } else { 0 })
}

impl<S: AsRef<[u32]>> Attempt for Ziggurat<S> {
    #[inline]
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        let (accepted, value) = self.trial::<I_BITS, X_BITS, B>(self.threshold, bits);
        accepted.then_some(self.table.center() + value)
    }
}

impl<S: AsRef<[u32]>> Sampler for Ziggurat<S> {
    const TIMING: Timing = Timing::Variable;

    /// The expected bits leave out cases of probability below 2^-14 for each trial, except the second draws of i: 2^24
    /// mod m of 2^24.
    fn profile(&self) -> Profile {
        let parts = self.table.parts();
        let again = self.threshold as f64 / (1_u64 << I_BITS) as f64;
        let again_bits = f64::from(parts.rectangles.ilog2() + 1);
        let edge_bits = self.edge_share() * f64::from(self.table.head_bits());
        Profile {
            target: parts.target.into(),
            exactness: Exactness::Within(parts.bound),
            timing: Self::TIMING,
            support: self.table.support(),
            table_bytes: self.table.bytes(),
            expected_bits: parts.expected_trials * (64.0 + again * again_bits + edge_bits),
            expected_trials: parts.expected_trials,
        }
    }

    #[inline]
    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        fill_accepted(out, || {
            let (accepted, value) = self.trial::<I_BITS, X_BITS, B>(self.threshold, bits);
            (accepted, self.table.center() + value)
        })
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.attempt(bits))
    }
}

#[cfg(test)]
mod tests;
