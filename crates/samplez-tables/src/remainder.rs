//! The distribution that makes a table's law exact: [`Remainder`].

use crate::cdt::{CdtOptions, build_cdt};
use crate::certify::Weights;
use crate::density::{Density, Side, Walk};
use crate::error::BuildError;
use crate::fixed::{Interval, add, less};
use crate::law::sigma;
use alloc::vec::Vec;
use samplez_core::bits::BitSource;
use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian};
use zeroize::Zeroizing;

/// Limbs of the arithmetic: 512 bits of fraction.
const LIMBS: usize = 9;
/// Bits of the fraction.
const FRACTION: u32 = 64 * (LIMBS as u32 - 1);
/// The largest t.
const MAX_TOSSES: u32 = 256;
/// Steps of the recurrence between two direct exponentials.
const BLOCK: u64 = 256;

/// What an inversion table's law Q lacks of the ideal law P: R = (P - (1 - 2^-t) Q)·2^t.
///
/// R is a distribution if 1 - 2^-t <= 1/R_∞(Q‖P). So a sample is exactly from P if it is from R with probability 2^-t, and
/// otherwise from Q. t is [`tosses`](Self::tosses): with that many fair coins, all heads have probability 2^-t.
/// Proof: docs/proofs/exact.md.
///
/// The table itself is not stored: [`sample`](Self::sample) builds it again.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_core::table::Table;
/// use samplez_tables::{CdtOptions, Remainder, build_cdt};
/// let (law, options) = (DiscreteGaussian::with_sigma("3.2".parse()?)?, CdtOptions::default());
/// let remainder = Remainder::new(&law, &options, &build_cdt(&law, &options)?.bound())?;
/// assert_eq!(remainder.tosses(), 120);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Remainder {
    law: DiscreteGaussian,
    options: CdtOptions,
    tosses: u32,
}

impl Remainder {
    /// The remainder of the table that [`build_cdt`] makes with these options, and which has this bound.
    ///
    /// # Errors
    ///
    /// [`BuildError::Coarse`] if the bound does not show R_∞ <= 2.
    pub fn new(law: &DiscreteGaussian, options: &CdtOptions, bound: &Bound) -> Result<Self, BuildError> {
        // R_∞ - 1 <= 2^-t implies 1/R_∞ >= 1 - 2^-t; and R_∞ <= 2 implies 1/R_∞ >= 1/2.
        if bound.log2_rinf > 0.0 {
            return Err(BuildError::Coarse { target: *law, precision: options.precision });
        }
        Ok(Remainder { law: *law, options: *options, tosses: (-bound.log2_rinf as u32).clamp(1, MAX_TOSSES) })
    }

    /// t.
    pub const fn tosses(&self) -> u32 {
        self.tosses
    }

    /// One sample of R. `None` if 512 bits of fraction do not decide it, which has a probability below 2^(t-437), or if it does not
    /// fit an `i64`.
    ///
    /// # Errors
    ///
    /// [`BuildError`] if the table cannot be built again.
    ///
    /// # Law
    ///
    /// R, given that it is decided, if `bits` is ideal. Time and memory depend on the sample.
    pub fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Option<i64>, BuildError> {
        let table = build_cdt(&self.law, &self.options)?;
        let density = Density::new(&self.law, sigma(&self.law));
        let (uniform, negative) = (self.uniform(bits), bits.bit());
        Ok(self.of_table(&density, &table, &uniform, negative))
    }

    /// A uniform number below 2^-t: its digits.
    fn uniform<B: BitSource + ?Sized>(&self, bits: &mut B) -> Zeroizing<[u64; LIMBS]> {
        let mut digits = Zeroizing::new([0; LIMBS]);
        let mut left = FRACTION - self.tosses;
        for digit in digits.iter_mut() {
            let some = left.min(64);
            if some > 0 {
                *digit = bits.bits(some);
            }
            left -= some;
        }
        digits
    }

    /// The sample that this number below 2^-t and this sign choose, by inversion: values are visited from the mode outwards until
    /// the sum of the masses of R·2^-t exceeds the number.
    fn of_table(
        &self,
        density: &Density<LIMBS>,
        table: &CdtTable<Vec<u32>>,
        uniform: &[u64; LIMBS],
        negative: bool,
    ) -> Option<i64> {
        let folded = table.shape() == Shape::Folded;
        let mode = density.exponent().mode();
        let weights = Weights::new(table);
        // (1 - 2^-t) Q.
        let kept = |x: i64| {
            let index = if folded { Some(x.abs_diff(mode)) } else { x.checked_sub(table.first()).map(|j| j as u64) };
            let mass = index.and_then(|j| usize::try_from(j).ok()).filter(|j| *j <= table.len());
            let mass = Interval { lo: mass.map_or([0; LIMBS], |j| weights.index(j)), width: 0 };
            mass.sub(&mass.shr(self.tosses))
        };
        // The number lies in an ulp.
        let above = add(uniform, &{
            let mut ulp = [0; LIMBS];
            ulp[0] = 1;
            ulp
        });
        let mut sum = Interval::<LIMBS>::ZERO;
        let mut sides = [Side::Up, Side::Down].map(|side| Outwards::new(density, side));
        for distance in 0_u64.. {
            for (side, sign) in sides.iter_mut().zip([1, -1_i128]) {
                let skipped = sign < 0 && (distance == 0 || folded);
                let mass = side.next();
                if skipped {
                    continue;
                }
                let x = i64::try_from(i128::from(mode) + sign * i128::from(distance)).ok()?;
                let both = if folded && distance > 0 { mass.add(&mass) } else { mass };
                sum = sum.add(&both.sub(&kept(x)));
                if less(uniform, &sum.hi()?) {
                    // Below the lower end for certain, or undecided.
                    let decided = !less(&sum.lo, &above);
                    let x = if folded && negative { 2 * i128::from(mode) - i128::from(x) } else { x.into() };
                    return if decided { i64::try_from(x).ok() } else { None };
                }
                if mass.lo == [0; LIMBS] && !table.support().contains(&x) && distance > 0 {
                    return None;
                }
            }
        }
        None
    }
}

/// P at the distances 0, 1, … from the mode on one side.
struct Outwards<'a> {
    density: &'a Density<LIMBS>,
    side: Side,
    distance: u64,
    walk: Walk<LIMBS>,
}

impl<'a> Outwards<'a> {
    fn new(density: &'a Density<LIMBS>, side: Side) -> Self {
        Outwards { density, side, distance: 0, walk: density.walk(side, 0) }
    }

    fn next(&mut self) -> Interval<LIMBS> {
        if self.distance > 0 && self.distance.is_multiple_of(BLOCK) {
            self.walk = self.density.walk(self.side, self.distance);
        }
        let mass = self.walk.value;
        self.walk.advance();
        self.distance += 1;
        mass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::sub;
    use alloc::string::ToString;
    use samplez_core::Width;
    use samplez_core::table::Table;

    /// The digits of 2^-n.
    fn power(n: u32) -> [u64; LIMBS] {
        let mut digits = [0; LIMBS];
        let bit = FRACTION - n;
        digits[(bit / 64) as usize] = 1 << (bit % 64);
        digits
    }

    fn half(mut digits: [u64; LIMBS]) -> [u64; LIMBS] {
        for i in 0..LIMBS {
            digits[i] = digits[i] >> 1 | digits.get(i + 1).map_or(0, |next| next << 63);
        }
        digits
    }

    /// The least number for which `is_beyond` holds, to 2^-(t+140), by bisection of the numbers below 2^-t.
    fn border(tosses: u32, is_beyond: impl Fn(&[u64; LIMBS]) -> bool) -> [u64; LIMBS] {
        let (mut low, mut step) = ([0; LIMBS], half(power(tosses)));
        for _ in tosses..tosses + 140 {
            let middle = add(&low, &step);
            if !is_beyond(&middle) {
                low = middle;
            }
            step = half(step);
        }
        low
    }

    fn close(a: &[u64; LIMBS], b: &[u64; LIMBS]) -> bool {
        let gap = sub(a, b).or_else(|| sub(b, a)).unwrap();
        less(&gap, &power(130))
    }

    /// Q with probability 1 - 2^-t, otherwise what the numbers below 2^-t choose: the ideal law to 2^-130, in every form of σ.
    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn table_and_remainder_are_the_ideal_law() {
        let three = "3".parse().unwrap();
        let widths = [Width::Sigma(three), Width::SigmaSq(three), Width::KSigma2(three), Width::S(three)];
        for (width, precision) in widths.into_iter().flat_map(|width| [7, 60, 128].map(|bits| (width, bits))) {
            for center in ["0", "1/3", "-5/2"] {
                let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
                let options = CdtOptions { precision, ..CdtOptions::default() };
                let table = build_cdt(&law, &options).unwrap();
                let remainder = Remainder::new(&law, &options, &table.bound()).unwrap();
                let (t, density) = (remainder.tosses, Density::<LIMBS>::new(&law, sigma(&law)));
                let mode = density.exponent().mode();
                let folded = table.shape() == Shape::Folded;
                // The position of a value in the order of the visits.
                let rank = |x: i64| match (x - mode).unsigned_abs() {
                    distance if folded => distance,
                    distance => 2 * distance - u64::from(x > mode),
                };
                let mut below = [0; LIMBS];
                let ranks = if folded { 6 } else { 11 };
                for place in 0..ranks {
                    let next = border(t, |number| {
                        remainder.of_table(&density, &table, number, false).is_none_or(|x| rank(x) > place)
                    });
                    let distance = if folded { place } else { place.div_ceil(2) };
                    let side = if place % 2 == 1 || folded { Side::Up } else { Side::Down };
                    let x = if side == Side::Up { mode + distance as i64 } else { mode - distance as i64 };
                    let p = density.at(side, distance).lo;
                    let p = if folded && place > 0 { add(&p, &p) } else { p };
                    let index = x - table.first();
                    let q = if (0..=table.len() as i64).contains(&index) {
                        Weights::new(&table).index(index as usize)
                    } else {
                        [0; LIMBS]
                    };
                    let kept = (0..t).fold(q, |q, _| half(q));
                    let mixed = add(&sub(&q, &kept).unwrap(), &sub(&next, &below).unwrap());
                    assert!(close(&mixed, &p), "{law}, {precision} bits, {x}");
                    below = next;
                }
                let last = sub(&power(t), &power(FRACTION)).unwrap();
                let far = remainder.of_table(&density, &table, &last, false);
                assert!(far.is_none_or(|x| !table.support().contains(&x)), "{law}, {precision} bits: {far:?}");
            }
        }
    }

    /// The sign of a folded value, and the number's bits.
    #[test]
    fn the_sign_is_the_last_bit() {
        struct Ones(u32);
        impl BitSource for Ones {
            fn bits(&mut self, n: u32) -> u64 {
                self.0 += n;
                u64::MAX >> (64 - n)
            }
        }
        let law = DiscreteGaussian::new((-3).into(), Width::Sigma("3.2".parse().unwrap())).unwrap();
        let options = CdtOptions { precision: 6, ..CdtOptions::default() };
        let table = build_cdt(&law, &options).unwrap();
        let remainder = Remainder::new(&law, &options, &table.bound()).unwrap();
        let number = half(power(remainder.tosses));
        let density = Density::new(&law, sigma(&law));
        let (up, down) =
            [false, true].map(|negative| remainder.of_table(&density, &table, &number, negative).unwrap()).into();
        assert!(up > -3 && up + down == -6, "{up}, {down}");
        let mut ones = Ones(0);
        let far = remainder.sample(&mut ones).unwrap();
        assert_eq!(ones.0, FRACTION - remainder.tosses + 1);
        assert!(far.is_none_or(|x| x < -50), "{far:?}");
    }

    #[test]
    fn a_table_that_is_too_coarse_is_refused() {
        let law = DiscreteGaussian::with_sigma("100".parse().unwrap()).unwrap();
        let options = CdtOptions { precision: 5, ..CdtOptions::default() };
        let error = Remainder::new(&law, &options, &build_cdt(&law, &options).unwrap().bound()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "sigma = 100: a table of 5 bits is too coarse to be made exact: R_inf, the largest ratio of its probabilities to \
             the ideal ones, must be at most 2; choose a higher precision"
        );
    }
}
