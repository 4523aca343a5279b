//! The distribution that makes a table's law exact: [`Remainder`].

mod folded;
mod outwards;

use crate::bernoulli::{BernoulliOptions, bernoulli_masses, build_bernoulli};
use crate::cdt::{CdtOptions, build_cdt};
use crate::certify::Weights;
use crate::density::{Density, Side};
use crate::error::BuildError;
use crate::fixed::{Interval, add, less};
use crate::law::sigma;
use crate::rejection::{RejectionOptions, build_rejection, rejection_masses};
use crate::ziggurat::{ZigguratOptions, build_ziggurat, ziggurat_masses};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use folded::{Folded, Masses, Visit};
pub(crate) use outwards::{LIMBS, uniform};
use outwards::{Outwards, next};
use samplez_core::bits::BitSource;
use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian, ParamError, Rational};

/// The largest t.
const MAX_TOSSES: u32 = 256;
/// Up to this σ, fewer than 2^20 values have P above 2^-512.
const MAX_SIGMA: f64 = 16384.0;
/// Up to so many rectangles there is a bound on the widths of the intervals.
const MAX_RECTANGLES: u32 = 1024;
/// Where there is no such bound, t is at least this.
const MIN_TOSSES: u32 = 64;
/// The largest k of a table of coins.
const MAX_EXACT_K: i64 = 1 << 14;

/// The remainder R = (P - (1 - 2^-t) Q)·2^t of a certified law Q and the ideal law P.
///
/// R is a distribution if 1 - 2^-t <= 1/R_∞(Q‖P). Take a sample of R with probability 2^-t, and otherwise one of Q.
/// Then its law is P. t is [`tosses`](Self::tosses). With that many fair coins, all heads have probability 2^-t. Proof:
/// docs/proofs/exact.md.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_core::table::Table;
/// use samplez_tables::{CdtOptions, Remainder, build_cdt};
/// let (law, options) = (DiscreteGaussian::with_sigma("3.2".parse()?)?, CdtOptions::default());
/// let remainder = Remainder::of_cdt(&law, &options, &build_cdt(&law, &options)?.bound())?;
/// assert_eq!(remainder.tosses(), 120);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Remainder {
    law: DiscreteGaussian,
    of: Certified,
    tosses: u32,
}

/// The certified law Q.
#[derive(Clone, Debug)]
enum Certified {
    /// That of an inversion table, which is not stored, but built again.
    Table(CdtOptions),
    /// That of another table, which is symmetric about an integer centre. It is built again too.
    Folded(Arc<dyn Masses>),
    /// P, given that the value is among these.
    Among(RangeInclusive<i64>),
}

impl Remainder {
    /// Builds the remainder of the table that [`build_cdt`] makes with these options, and which has this bound.
    ///
    /// # Errors
    ///
    /// [`BuildError::Coarse`] if the bound does not show R_∞ <= 2, or 1 + 2^-64 for σ above 2^14.
    pub fn of_cdt(law: &DiscreteGaussian, options: &CdtOptions, bound: &Bound) -> Result<Self, BuildError> {
        Self::of(law, Certified::Table(*options), options.precision, bound, is_wide(law))
    }

    /// Builds the remainder of the table that [`build_rejection`] makes with these options, and which has this bound.
    ///
    /// # Errors
    ///
    /// As [`Remainder::of_cdt`].
    pub fn of_rejection(law: &DiscreteGaussian, options: &RejectionOptions, bound: &Bound) -> Result<Self, BuildError> {
        Self::of(law, Certified::Folded(Arc::new(*options)), options.precision, bound, is_wide(law))
    }

    /// Builds the remainder of the table that [`build_ziggurat`] makes with these options, and which has this bound.
    ///
    /// # Errors
    ///
    /// As [`Remainder::of_cdt`], also with more than 1024 rectangles.
    pub fn of_ziggurat(law: &DiscreteGaussian, options: &ZigguratOptions, bound: &Bound) -> Result<Self, BuildError> {
        let unbounded = is_wide(law) || options.rectangles > MAX_RECTANGLES;
        Self::of(law, Certified::Folded(Arc::new(*options)), options.precision, bound, unbounded)
    }

    /// Builds the remainder of the table that [`build_bernoulli`] makes with these options, and which has this bound.
    ///
    /// # Errors
    ///
    /// As [`Remainder::of_cdt`]. [`BuildError::Param`] unless k <= 2^14, so that fewer than 2^20 values are visited.
    pub fn of_bernoulli(law: &DiscreteGaussian, options: &BernoulliOptions, bound: &Bound) -> Result<Self, BuildError> {
        let (argument, value) = (law.width().name(), law.width().value());
        if value > Rational::from(MAX_EXACT_K) {
            let allowed = "k up to 2^14 with `exact`; method du-wei-5 is exact for larger k";
            return Err(ParamError::Unsupported { method: "bernoulli", argument, value, allowed }.into());
        }
        Self::of(law, Certified::Folded(Arc::new(*options)), options.precision, bound, is_wide(law))
    }

    /// `unbounded`: there is no bound on the widths of the intervals, and so none on the probability that a sample of R is undecided.
    fn of(
        law: &DiscreteGaussian,
        of: Certified,
        precision: u32,
        bound: &Bound,
        unbounded: bool,
    ) -> Result<Self, BuildError> {
        // R_∞ - 1 <= 2^-t implies 1/R_∞ >= 1 - 2^-t; and R_∞ <= 2 implies 1/R_∞ >= 1/2.
        let most = if unbounded { -f64::from(MIN_TOSSES) } else { 0.0 };
        if bound.log2_rinf > most {
            return Err(BuildError::Coarse { target: *law, precision });
        }
        let tosses = (-bound.log2_rinf as u32).clamp(1, MAX_TOSSES);
        Ok(Remainder { law: *law, of, tosses })
    }

    /// Builds the remainder of the law conditioned on these values, which include the mode. All other values together have a probability
    /// below 2^-`tosses`. `None` unless `tosses` is from 1 to 256, or from 64 for σ above 2^14: there a sample of R takes long.
    pub fn outside(law: &DiscreteGaussian, values: RangeInclusive<i64>, tosses: u32) -> Option<Self> {
        let least = if is_wide(law) { MIN_TOSSES } else { 1 };
        let of = Certified::Among(values);
        (least..=MAX_TOSSES).contains(&tosses).then_some(Remainder { law: *law, of, tosses })
    }

    /// Returns t.
    pub const fn tosses(&self) -> u32 {
        self.tosses
    }

    /// Draws one sample of R; `None` stands for one of Q.
    ///
    /// # Errors
    ///
    /// [`BuildError`] if the table cannot be built again. [`BuildError::Undecided`] if the sample does not fit an `i64`, or if 512 bits of
    /// fraction do not decide it. That has a probability below 2^(t-437) for σ up to 2^14 and at most 1024 rectangles. Otherwise it has no
    /// such bound, and t is at least 64.
    ///
    /// # Law
    ///
    /// R, given that it is decided, if `bits` is ideal. Time and memory depend on the sample.
    pub fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> Result<Option<i64>, BuildError> {
        let uniform = uniform(self.tosses, bits);
        let negative = !matches!(self.of, Certified::Among(_)) && bits.bit();
        self.chosen(&uniform, negative)
    }

    /// The sample that this number below 2^-t and this sign choose.
    #[cold]
    fn chosen(&self, uniform: &[u64; LIMBS], negative: bool) -> Result<Option<i64>, BuildError> {
        let (law, density) = (&self.law, Density::new(&self.law, sigma(&self.law)));
        let undecided = BuildError::Undecided { target: *law };
        let found = match &self.of {
            Certified::Table(options) => self.of_table(&density, &build_cdt(law, options)?, uniform, negative),
            Certified::Folded(table) => {
                let mut folded = Folded::new(&density, self.tosses, uniform);
                table.visit(law, &density, &mut |mass| folded.visit(mass))?;
                let sample =
                    |distance: i64| density.exponent().mode().checked_add(if negative { -distance } else { distance });
                folded.finish().and_then(|distance| sample(i64::try_from(distance).ok()?))
            }
            Certified::Among(values) => return of_outside(&density, values, uniform).ok_or(undecided),
        };
        found.map(Some).ok_or(undecided)
    }

    /// The sample of a table. Values are visited from the mode outwards until the sum of the
    /// masses of R·2^-t exceeds the number.
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
        let above = next(uniform);
        let mut sum = Interval::<LIMBS>::ZERO;
        let mut sides = [Side::Up, Side::Down].map(|side| Outwards::new(density, side));
        for distance in 0_u64.. {
            let mut is_last = true;
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
                    let x = if folded && negative { 2 * i128::from(mode) - i128::from(x) } else { x.into() };
                    return if less(&sum.lo, &above) { None } else { i64::try_from(x).ok() };
                }
                is_last &= mass.lo == [0; LIMBS] && !table.support().contains(&x);
            }
            // Nothing is left on either side.
            if is_last {
                return None;
            }
        }
        None
    }
}

/// Whether a remainder may visit 2^20 values or more.
fn is_wide(law: &DiscreteGaussian) -> bool {
    sigma(law) > MAX_SIGMA
}

impl Masses for RejectionOptions {
    fn visit(&self, law: &DiscreteGaussian, _: &Density<LIMBS>, visit: Visit<'_>) -> Result<(), BuildError> {
        rejection_masses(&build_rejection(law, self)?, visit);
        Ok(())
    }
}

impl Masses for ZigguratOptions {
    fn visit(&self, law: &DiscreteGaussian, density: &Density<LIMBS>, visit: Visit<'_>) -> Result<(), BuildError> {
        ziggurat_masses(&build_ziggurat(law, self)?, density, visit);
        Ok(())
    }
}

impl Masses for BernoulliOptions {
    fn visit(&self, law: &DiscreteGaussian, _: &Density<LIMBS>, visit: Visit<'_>) -> Result<(), BuildError> {
        bernoulli_masses(&build_bernoulli(law, self)?, visit);
        Ok(())
    }
}

/// The value outside of these that this number chooses. Values are visited from these outwards until the sum of their masses
/// exceeds the number. `Some(None)` if it is above all of them.
fn of_outside(density: &Density<LIMBS>, values: &RangeInclusive<i64>, uniform: &[u64; LIMBS]) -> Option<Option<i64>> {
    let (mode, above) = (density.exponent().mode(), next(uniform));
    let mut sides = [(Side::Up, values.end().abs_diff(mode), 1), (Side::Down, values.start().abs_diff(mode), -1_i128)]
        .map(|(side, within, sign)| (Outwards::beyond(density, side, within), within, sign));
    let mut sum = Interval::<LIMBS>::ZERO;
    for step in 1_u64.. {
        let mut most = [0; LIMBS];
        for (side, within, sign) in &mut sides {
            let mass = side.next();
            sum = sum.add(&mass);
            if less(uniform, &sum.hi()?) {
                let x = i128::from(mode) + *sign * (i128::from(*within) + i128::from(step));
                return if less(&sum.lo, &above) { None } else { Some(Some(i64::try_from(x).ok()?)) };
            }
            most = add(&most, &mass.hi()?);
        }
        // Each further ratio of masses is at most the last ratio r, so that the rest is at most the last mass over 1 - r.
        let rest = sides.iter().map(|(side, ..)| side.walk.ratio).try_fold(Interval::ZERO, |rest, ratio| {
            let gap = Interval::<LIMBS>::ONE.sub(&ratio);
            // 1/(1 - r) <= 2^z with z the leading zeros of 1 - r.
            let zeros = if gap.lo[LIMBS - 1] > 0 { 0 } else { gap.lo[LIMBS - 2].leading_zeros() + 1 };
            (zeros < 64).then(|| rest.add(&Interval { lo: most, width: 0 }.shl(zeros)))
        });
        if let Some(rest) = rest
            && !less(uniform, &sum.add(&rest).hi()?)
        {
            return Some(None);
        }
        if most[1..] == [0; LIMBS - 1] {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::outwards::FRACTION;
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
                let remainder = Remainder::of_cdt(&law, &options, &table.bound()).unwrap();
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

    /// One side may be exhausted at once, and the other not: P(1) is below 2^-512, and P(-1) is 0.018.
    #[test]
    fn a_narrow_law_has_both_sides() {
        let law = DiscreteGaussian::new("-49/100".parse().unwrap(), Width::Sigma("1/20".parse().unwrap())).unwrap();
        let options = CdtOptions { precision: 8, ..CdtOptions::default() };
        let table = build_cdt(&law, &options).unwrap();
        let remainder = Remainder::of_cdt(&law, &options, &table.bound()).unwrap();
        let density = Density::new(&law, sigma(&law));
        let most = sub(&power(remainder.tosses), &power(FRACTION - 50)).unwrap();
        assert_eq!(remainder.of_table(&density, &table, &most, false), Some(-1));
        assert_eq!(remainder.of_table(&density, &table, &[0; LIMBS], false), Some(0));
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
        let remainder = Remainder::of_cdt(&law, &options, &table.bound()).unwrap();
        let number = half(power(remainder.tosses));
        let density = Density::new(&law, sigma(&law));
        let (up, down) =
            [false, true].map(|negative| remainder.of_table(&density, &table, &number, negative).unwrap()).into();
        assert!(up > -3 && up + down == -6, "{up}, {down}");
        let mut ones = Ones(0);
        let far = remainder.sample(&mut ones).ok().flatten();
        assert_eq!(ones.0, FRACTION - remainder.tosses + 1);
        assert!(far.is_none_or(|x| x < -50), "{far:?}");
    }

    /// The numbers below 2^-t choose the values outside with their ideal masses, and above these the certified law.
    #[test]
    fn values_outside_have_their_masses() {
        for (width, center, values) in [
            (Width::Sigma("3".parse().unwrap()), "0", -9..=9),
            (Width::SigmaSq("10".parse().unwrap()), "1/3", -7..=12),
            (Width::S("40".parse().unwrap()), "-5/2", -60..=50),
            (Width::KSigma2("300".parse().unwrap()), "2/7", -1000..=900),
        ] {
            let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
            let density = Density::<LIMBS>::new(&law, sigma(&law));
            let mode = density.exponent().mode();
            let mut below = [0; LIMBS];
            // The position in the order of the visits.
            let rank = |x: i64| if x > mode { 2 * (x - *values.end()) - 2 } else { 2 * (*values.start() - x) - 1 };
            for place in 0..8 {
                let next =
                    border(3, |number| of_outside(&density, &values, number).flatten().is_none_or(|x| rank(x) > place));
                let x = if place % 2 == 0 { values.end() + 1 + place / 2 } else { values.start() - 1 - place / 2 };
                let (side, distance) = density.exponent().locate(x);
                assert!(close(&sub(&next, &below).unwrap(), &density.at(side, distance).lo), "{law}: {x}");
                below = next;
            }
            let all = border(3, |number| of_outside(&density, &values, number) == Some(None));
            let inside = (*values.start()..=*values.end()).fold([0; LIMBS], |sum, x| {
                let (side, distance) = density.exponent().locate(x);
                add(&sum, &density.at(side, distance).lo)
            });
            assert!(close(&add(&all, &inside), &Interval::<LIMBS>::ONE.lo), "{law}");
            assert_eq!(of_outside(&density, &values, &power(1)), Some(None));
        }
    }

    /// At the limits of σ and rectangles, every sample is decided; beyond them, few bits are refused.
    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn the_widest_laws_are_decided() {
        struct Mixed(u64);
        impl BitSource for Mixed {
            fn bits(&mut self, n: u32) -> u64 {
                self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                (self.0 ^ self.0 >> 31) >> (64 - n)
            }
        }
        let options = ZigguratOptions { rectangles: 1024, precision: 20, ..ZigguratOptions::default() };
        let of = |sigma: &str, options: ZigguratOptions| {
            let law = DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap();
            Remainder::of_ziggurat(&law, &options, &build_ziggurat(&law, &options).unwrap().bound())
        };
        let remainder = of("16384", options).unwrap();
        assert!(remainder.tosses < 20);
        let mut bits = Mixed(1);
        for _ in 0..3 {
            assert!(remainder.sample(&mut bits).is_ok());
        }
        for refused in [of("16385", options), of("1000", ZigguratOptions { rectangles: 1025, ..options })] {
            assert!(matches!(refused, Err(BuildError::Coarse { .. })), "{refused:?}");
        }
        let law = DiscreteGaussian::with_sigma("16385".parse().unwrap()).unwrap();
        assert!(Remainder::outside(&law, -200_000..=200_000, 63).is_none());
        assert!(Remainder::outside(&law, -200_000..=200_000, 64).is_some());
    }

    #[test]
    fn a_table_that_is_too_coarse_is_refused() {
        let law = DiscreteGaussian::with_sigma("100".parse().unwrap()).unwrap();
        let options = CdtOptions { precision: 5, ..CdtOptions::default() };
        let error = Remainder::of_cdt(&law, &options, &build_cdt(&law, &options).unwrap().bound()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "sigma = 100: a table of 5 bits is too coarse to be made exact. Choose a higher precision, so that R_inf is at most 2, \
             or 1 + 2^-64 for sigma above 2^14 or above 1024 rectangles"
        );
    }
}
