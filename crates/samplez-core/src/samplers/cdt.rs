/// CDT: inversion of the cumulative distribution, with a lazily drawn uniform.
///
/// Paper: \[JSDGS17\], Algorithm 2 (invCDF). Proof: docs/proofs/cdt.md.
///
/// | Law        | the table's own, P(index >= j) = T_j/2^B; its distance from D_{Z,σ,c} is the table's [`Bound`](crate::profile::Bound) |
/// | Bits       | folded 32, and B - 31 more with probability n/2^31 at most (B + 1 if B < 31); full 32, and B - 32 more with probability n/2^32 at most (B if B < 32) |
/// | Memory     | 4n⌈B/32⌉ bytes, n thresholds (about 13σ at B = 128, full 26σ) |
/// | Timing     | Variable: the addresses read depend on the sample |
/// | Parameters | any σ and centre whose table fits; B from 1 to 256 |
///
/// ```text
/// 1  u ← {0, …, 2^B - 1} uniform
/// 2  j ← #{i : u < T_i}                      (binary search: T falls)
/// 3  s ← ±1; return first + s·j              (folded; full: return first + j)
/// ```
///
/// Departures from the paper:
/// - The printed search reads Φ[-1], compares the wrong index and returns an index for a
///   sample (docs/errata.md); steps 2 and 3 are the intended law.
/// - u is drawn lazily. First come its leading h bits (with the sign in the same 32-bit draw). They decide all
///   comparisons unless they equal the leading h bits of a threshold; only then the other B - h are drawn. The result
///   is the same function of u.
/// - Thresholds fall (they are upper tails), so that a short leading digit keeps its meaning where the law is thin. The
///   rounding is by the rules of `samplez-tables`.
///
/// Inversion over a [`CdtTable`].
///
/// ```
/// use samplez_core::{Bound, DiscreteGaussian, Rational, bits::BitReader};
/// use samplez_core::{Sampler, samplers::Cdt};
/// use samplez_sources::{ChaCha20, Seed};
/// use samplez_core::table::{CdtTable, Shape};
/// // A table as it might lie in a static: 8 bits, σ = 1, values -1, 0, 1.
/// static DIGITS: [u32; 1] = [140 << 24];
/// let law = DiscreteGaussian::with_sigma(Rational::from(1))?;
/// let bound = Bound::TRIVIAL;
/// let sampler = Cdt::from_table(CdtTable::new(law, bound, Shape::Folded, 0, 8, &DIGITS)?);
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// assert!((0..100).all(|_| sampler.sample(&mut bits).abs() <= 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cdt<S> {
    table: CdtTable<S>,
}

use crate::bits::BitSource;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::Sampler;
use crate::table::Table;
use crate::table::{CdtTable, MAX_PRECISION, Shape};
use core::hint::select_unpredictable;

const DIGITS: usize = MAX_PRECISION.div_ceil(32) as usize;

impl<S: AsRef<[u32]>> Cdt<S> {
    /// Builds the sampler over this table.
    ///
    /// ```
    /// # use samplez_core::{Bound, DiscreteGaussian, Rational};
    /// # use samplez_core::{Sampler, samplers::Cdt, table::{CdtTable, Shape}};
    /// # let law = DiscreteGaussian::with_sigma(Rational::from(1)).unwrap();
    /// # let bound = Bound::TRIVIAL;
    /// let table = CdtTable::new(law, bound, Shape::Folded, 0, 8, [140 << 24]).unwrap();
    /// assert_eq!(Cdt::from_table(table).profile().expected_bits, 9.0);
    /// ```
    pub const fn from_table(table: CdtTable<S>) -> Self {
        Cdt { table }
    }

    /// Returns the table.
    #[cfg(feature = "testing")]
    pub const fn table(&self) -> &CdtTable<S> {
        &self.table
    }

    /// Runs step 2 for N uniforms at once, of which the leading bits are drawn (left-aligned, the others zero).
    /// `count_above` is [`count_above`] or the same by another way.
    #[inline(always)]
    pub(super) fn indices<const N: usize, B: BitSource + ?Sized>(
        &self,
        u0: [u32; N],
        count_above: impl FnOnce(&[u32], [u32; N]) -> [usize; N],
        bits: &mut B,
    ) -> [usize; N] {
        let heads = self.table.heads();
        let unknown = ((1_u64 << (32 - self.table.head_bits())) - 1) as u32;
        // Thresholds whose leading digit is above all that u can be.
        let mut indices = count_above(heads, u0.map(|u0| u0 | unknown));
        for (index, u0) in indices.iter_mut().zip(u0) {
            if heads.get(*index).is_some_and(|head| head | unknown == u0 | unknown) {
                *index = self.resolve(u0, *index, bits);
            }
        }
        indices
    }

    /// Runs steps 1 and 2 if the leading bits `u0` of u (left-aligned, the others zero) equal T_(index+1)'s. It
    /// draws the rest of u and counts on from `index`.
    #[cold]
    fn resolve<B: BitSource + ?Sized>(&self, u0: u32, mut index: usize, bits: &mut B) -> usize {
        let table = &self.table;
        let mut u = [0_u32; DIGITS];
        u[0] = u0;
        let mut known = table.head_bits();
        while known < table.precision() {
            let (digit, at) = ((known / 32) as usize, known % 32);
            let n = (32 - at).min(table.precision() - known);
            u[digit] |= (bits.bits(n) as u32) << (32 - at - n);
            known += n;
        }
        while index < table.len()
            && u.iter().copied().lt(table.threshold(index).chain(core::iter::repeat(0)).take(DIGITS))
        {
            index += 1;
        }
        index
    }
}

/// Returns how many of the falling `heads` are above each key, by binary searches without branches. The outcome of a
/// comparison is a coin, and a misjudged branch costs more than all of the steps.
#[inline(always)]
pub(super) fn count_above<const N: usize>(heads: &[u32], keys: [u32; N]) -> [usize; N] {
    let (mut indices, mut len) = ([0; N], heads.len());
    while len > 1 {
        let half = len / 2;
        for (index, key) in indices.iter_mut().zip(keys) {
            *index = select_unpredictable(heads[*index + half - 1] > key, *index + half, *index);
        }
        len -= half;
    }
    for (index, key) in indices.iter_mut().zip(keys) {
        *index += usize::from(heads[*index] > key);
    }
    indices
}

impl<S: AsRef<[u32]>> Sampler for Cdt<S> {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let table = &self.table;
        let head_bits = table.head_bits();
        // A draw is undecided iff its h bits are the leading ones of a threshold.
        let prefix = |head: &u32| head >> (32 - head_bits);
        let mut undecided = 0;
        let mut last = None;
        for head in table.heads() {
            undecided += usize::from(last.replace(prefix(head)) != Some(prefix(head)));
        }
        let sign = if table.shape() == Shape::Folded { 1.0 } else { 0.0 };
        let rest = f64::from(table.precision() - head_bits) * undecided as f64 / (1_u64 << head_bits) as f64;
        Profile {
            target: table.target().into(),
            exactness: Exactness::Within(table.bound()),
            timing: Self::TIMING,
            support: table.support(),
            table_bytes: table.bytes(),
            expected_bits: f64::from(head_bits) + sign + rest,
            expected_trials: 1.0,
        }
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        let table = &self.table;
        let folded = table.shape() == Shape::Folded;
        let head_bits = table.head_bits();
        let draw = bits.bits(head_bits + u32::from(folded)) as u32;
        // step 1: the leading bits of u
        let (u0, negative) = if folded {
            // The draw's lowest bit is the sign, the others lead u.
            ((draw >> 1) << (32 - head_bits), i64::from(draw & 1))
        } else {
            (draw << (32 - head_bits), 0)
        };
        let [index] = self.indices([u0], count_above, bits);
        // step 3: first + j or first - j
        table.first() + ((index as i64 ^ -negative) + negative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitSource;
    use crate::fixtures::{BOUND, Plain, Tape, falling, reader, table};
    use std::vec;
    use std::vec::Vec;

    /// The bits in the order in which they are read, of u with `head_bits` leading ones: the sign of a folded table, then
    /// the leading bits as a number, then the others as a number for each digit of 32 bits.
    fn stream(plain: &Plain, u: &[bool], is_negative: bool, head_bits: usize) -> Vec<bool> {
        let mut stream = vec![];
        if plain.is_folded() {
            stream.push(is_negative);
        }
        stream.extend(u[..head_bits].iter().rev());
        let mut known = head_bits;
        while known < u.len() {
            let end = u.len().min(known / 32 * 32 + 32);
            stream.extend(u[known..end].iter().rev());
            known = end;
        }
        stream
    }

    #[test]
    fn samples_are_the_inverse_of_the_table() {
        let mut bits = reader(1);
        let mut seen = [0; 3];
        for precision in [1, 2, 8, 30, 31, 32, 33, 63, 64, 65, 96, 127, 128, 255, 256] {
            for shape in [Shape::Folded, Shape::Full] {
                for (count, first) in [(1, 0), (2, -5), (3, 7), (4, 1), (13, -6), (40, 100)] {
                    let plain = Plain::any(shape, first, precision, count, (precision + count) as u8);
                    let most = precision.min(if plain.is_folded() { 31 } else { 32 });
                    for head_bits in [most, 1 + bits.bits(8) as usize % most, 1 + bits.bits(2) as usize % most] {
                        let cdt = Cdt::from_table(plain.table().with_head_bits(head_bits as u32));
                        for _ in 0..6 {
                            let (u, is_negative) = (plain.near(&mut bits), bits.bit());
                            let mut tape = Tape::new(stream(&plain, &u, is_negative, head_bits));
                            tape.bits.extend([true; 300]);
                            let x = cdt.sample(&mut tape);
                            assert_eq!(
                                x,
                                plain.sample(&u, is_negative),
                                "{shape:?}, {precision}, {head_bits} of {u:?}"
                            );
                            // What is not needed is not drawn.
                            let is_open = plain.thresholds.iter().any(|t| t[..head_bits] == u[..head_bits]);
                            let needed = if is_open { precision } else { head_bits };
                            assert_eq!(tape.read, needed + usize::from(plain.is_folded()));
                            seen[0] += usize::from(is_open && needed > head_bits);
                            seen[1] += usize::from(!is_open);
                            seen[2] += usize::from(x - first == count as i64 && is_open);
                        }
                    }
                }
            }
        }
        assert!(seen.iter().all(|seen| *seen > 50), "{seen:?}");
    }

    #[test]
    fn fills_are_samples() {
        let plain = Plain::any(Shape::Folded, 2, 40, 9, 4);
        let cdt = Cdt::from_table(plain.table());
        for len in [0, 1, 17] {
            let (mut one, mut all) = (reader(3), reader(3));
            let mut out = vec![0_i8; len];
            assert_eq!(cdt.fill(&mut all, &mut out), Ok(()));
            assert!(out.iter().all(|x| i64::from(*x) == cdt.sample(&mut one)));
            assert_eq!(one.bits(64), all.bits(64));
        }
    }

    #[test]
    fn a_count_is_that_of_the_heads_above() {
        let mut bits = reader(2);
        for count in 1..40 {
            let heads: Vec<u32> = falling(count, 8, count as u8).iter().map(|t| *t as u32).collect();
            let keys = core::array::from_fn(|i| if i % 2 == 0 { heads[i % count] } else { bits.bits(8) as u32 });
            let counts: [usize; 6] = count_above(&heads, keys);
            let expected = keys.map(|key| heads.iter().filter(|head| **head > key).count());
            assert_eq!(counts, expected, "{heads:?}, {keys:?}");
        }
    }

    #[test]
    fn an_expected_draw_is_the_mean_of_all_first_draws() {
        for (shape, sign) in [(Shape::Folded, 1.0), (Shape::Full, 0.0)] {
            for (precision, head_bits) in [(6, 6), (40, 4), (40, 5), (70, 3), (33, 8)] {
                let plain = Plain::any(shape, 3, precision, 12, 9);
                let cdt = Cdt::from_table(plain.table().with_head_bits(head_bits));
                let is_open = |u: &u64| {
                    let leads =
                        |t: &Vec<bool>| t[..head_bits as usize].iter().fold(0, |v, bit| v << 1 | u64::from(*bit));
                    plain.thresholds.iter().any(|t| leads(t) == *u)
                };
                let open = (0..1 << head_bits).filter(is_open).count() as f64;
                let rest = precision as f64 - f64::from(head_bits);
                let expected = f64::from(head_bits) + sign + rest * open / f64::from(head_bits).exp2();
                let profile = cdt.profile();
                assert!((profile.expected_bits - expected).abs() < 1e-12, "{expected}: {}", profile.expected_bits);
                let bytes = 4 * 12 * precision.div_ceil(32);
                assert_eq!((profile.table_bytes, profile.expected_trials), (bytes, 1.0));
            }
        }
        // Of 31 bits that lead, only the lowest differs; and of two thresholds they are equal.
        let thresholds = [7 << 36 | 3 << 8, 7 << 36 | 1 << 8, 7 << 36 | 5, 7 << 36 | 4];
        let cdt = Cdt::from_table(table(Shape::Folded, 0, 39, &thresholds).unwrap_or_else(|_| unreachable!()));
        assert_eq!(cdt.profile().expected_bits, 32.0 + 8.0 * 3.0 / 2_f64.powi(31));
        assert_eq!(cdt.table().len(), 4);
    }

    #[test]
    fn a_profile_is_the_table_s() {
        let cdt = Cdt::from_table(Plain::any(Shape::Folded, 5, 100, 3, 1).table());
        let profile = cdt.profile();
        assert_eq!((profile.support, profile.exactness), (2..=8, Exactness::Within(BOUND)));
        assert_eq!((profile.timing, profile.target), (Timing::Variable, cdt.table().target().into()));
        let full = Cdt::from_table(Plain::any(Shape::Full, 5, 100, 3, 1).table());
        assert_eq!(full.profile().support, 5..=8);
    }
}
