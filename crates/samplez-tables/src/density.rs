//! The probabilities of D_{Z,σ,c} as certified fixed-point intervals.

use crate::fixed::{Constant, Interval, Natural, Scaled, exp_neg};
use samplez_core::{DiscreteGaussian, Width};

/// From this σ on moments come from Poisson summation, below it from direct sums.
pub(crate) const POISSON_SIGMA: f64 = 5.0;

/// Whether the normalizer comes from Poisson summation, and not from the direct sum.
///
/// Σ e^-E = σ sqrt(2π)(1 + θ) with |θ| <= 2Σ e^(-2π²σ²j²), j >= 1. With n bits of fraction, σ² is at least
/// (n + 2)·ln 2/(2π²), as ln 2/(2π²) < 0.03512. So |θ| is below 2^-n, an ulp.
fn is_wide<const N: usize>(sigma: f64) -> bool {
    sigma * sigma >= 0.0352 * f64::from(64 * (N as u32 - 1) + 2)
}

/// The factor that turns a rational into an exponent.
#[derive(Clone, Copy, Debug)]
enum Factor {
    One,
    Ln2,
    Pi,
}

/// One side of the line, as seen from the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Up,
    Down,
}

/// E(x) = (x - c)²/(2σ²), exactly.
///
/// Let c = a/d and m = d·x0 - a. Then E = f (m + dk)²/d² · t/b at x0 + k. Here t and b are products of integers and f
/// is 1, ln 2 or π. Only differences E(x0 + k + j) - E(x0 + k) = f j((2k + j)d + 2m)/d · t/b are needed, and E(x0)
/// itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exponent {
    mode: i64,
    den: u64,
    /// m, at most d/2 in absolute value.
    offset: i128,
    factor: Factor,
    top: [u64; 2],
    bottom: [u64; 3],
}

impl Exponent {
    pub(crate) fn new(law: &DiscreteGaussian) -> Self {
        let center = law.center();
        let (num, den) = (i128::from(center.num()), i128::from(center.den()));
        // ⌊c + 1/2⌋; only an integer can be as large as i64, and it is its own mode.
        let mode = num.div_euclid(den) + i128::from(2 * num.rem_euclid(den) >= den);
        let q = law.width().value();
        let (n, e) = (q.num().unsigned_abs(), q.den());
        let (factor, top, bottom) = match law.width() {
            Width::Sigma(_) => (Factor::One, [e, e], [n, n, 2]),
            Width::SigmaSq(_) => (Factor::One, [e, 1], [n, 2, 1]),
            Width::KSigma2(_) => (Factor::Ln2, [e, e], [n, n, 1]),
            Width::S(_) => (Factor::Pi, [e, e], [n, n, 1]),
        };
        Exponent { mode: mode as i64, den: center.den(), offset: mode * den - num, factor, top, bottom }
    }

    /// x0.
    pub(crate) fn mode(&self) -> i64 {
        self.mode
    }

    /// |x - c| - |x - x0| for the x on this side, rounded to a double.
    pub(crate) fn offset(&self, side: Side) -> f64 {
        self.signed_offset(side) as f64 / self.den as f64
    }

    /// Whether c is an integer, so that both sides are the same.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.offset == 0
    }

    /// Side and distance from the mode.
    pub(crate) fn locate(&self, x: i64) -> (Side, u64) {
        if x >= self.mode { (Side::Up, x.abs_diff(self.mode)) } else { (Side::Down, x.abs_diff(self.mode)) }
    }

    /// Whether x is at least c.
    pub(crate) fn is_above(&self, x: i64) -> bool {
        let beyond = i128::from(x) - i128::from(self.mode);
        beyond > 0 || beyond == 0 && self.offset >= 0
    }

    fn signed_offset(&self, side: Side) -> i128 {
        match side {
            Side::Up => self.offset,
            Side::Down => -self.offset,
        }
    }

    fn scaled<const N: usize>(&self, numerator: Natural, denominators: [u64; 2]) -> Option<Interval<N>> {
        self.halved(numerator, denominators, 0)
    }

    /// The same over 2^halvings, halvings <= 5·63.
    fn halved<const N: usize>(
        &self,
        numerator: Natural,
        denominators: [u64; 2],
        mut halvings: u32,
    ) -> Option<Interval<N>> {
        let numerator = self.top.iter().fold(numerator, |product, factor| product.times(*factor));
        let powers = core::iter::from_fn(|| {
            let step = halvings.min(63);
            halvings -= step;
            (step > 0).then_some(1_u64 << step)
        });
        // Small divisors together: a division costs more than anything else here.
        let mut divisors = [1_u64; 10];
        let mut last = 0;
        for divisor in denominators.into_iter().chain(self.bottom).chain(powers) {
            match divisors[last].checked_mul(divisor) {
                Some(product) => divisors[last] = product,
                None => {
                    last += 1;
                    divisors[last] = divisor;
                }
            }
        }
        let rational = numerator.over(&divisors)?;
        if rational == Interval::ZERO {
            return Some(rational);
        }
        let exponent = match self.factor {
            Factor::One => rational,
            Factor::Ln2 => rational.mul(&Constant::LN_2.to()),
            Factor::Pi => rational.mul(&Constant::PI.to()),
        };
        if exponent.lo[N - 1] < 1 << 20 { Some(exponent) } else { None }
    }

    /// Returns E at distance `from + steps` from the mode, less E at distance `from`. `None` if that is 2^20 or more,
    /// where e^-E is as good as 0. No distance exceeds 2^64.
    pub(crate) fn gap<const N: usize>(&self, side: Side, from: u128, steps: u128) -> Option<Interval<N>> {
        self.gap_halved(side, from, steps, 0)
    }

    /// The same over 2^halvings.
    pub(crate) fn gap_halved<const N: usize>(
        &self,
        side: Side,
        from: u128,
        steps: u128,
        halvings: u32,
    ) -> Option<Interval<N>> {
        if steps == 0 {
            return Some(Interval::ZERO);
        }
        let sum = Natural::new(2 * from + steps).times(self.den).plus(2 * self.signed_offset(side));
        let product = match u64::try_from(steps) {
            Ok(steps) => sum.times(steps),
            Err(_) => sum.times(1 << 32).times(1 << 32),
        };
        self.halved(product, [self.den, 1], halvings)
    }

    /// The second difference of E in steps of 2^stride, f·2t/b·4^stride; also (2^stride/σ)².
    pub(crate) fn curvature<const N: usize>(&self, stride: u32) -> Option<Interval<N>> {
        self.scaled(Natural::new(2).times(1 << stride).times(1 << stride), [1, 1])
    }

    /// The slope of E at distance `from`, in steps of 2^stride: f·2(dk + m)/d·t/b·2^stride, which
    /// is |x - c|·2^stride/σ² if x lies on this side of c.
    pub(crate) fn slope<const N: usize>(&self, side: Side, from: u128, stride: u32) -> Option<Interval<N>> {
        let sum = Natural::new(from).times(self.den).plus(self.signed_offset(side));
        self.scaled(sum.times(2).times(1 << stride), [self.den, 1])
    }

    /// Whether the x at this distance lies exactly 1/2 from c.
    pub(crate) fn is_half(&self, side: Side, distance: u128) -> bool {
        self.den == 2 && 2 * distance as i128 + self.signed_offset(side) == 1
    }

    /// 4(x0 - c) as a rational, not reduced.
    pub(crate) fn four_offsets(&self) -> (i128, u64) {
        (4 * self.offset, self.den)
    }

    /// E at the mode.
    pub(crate) fn at_mode<const N: usize>(&self) -> Option<Interval<N>> {
        let m = self.offset.unsigned_abs() as u64;
        self.scaled(Natural::new(m.into()).times(m), [self.den, self.den])
    }
}

/// e^-x as an absolute number; an exponent that is too large gives [0, 1 ulp].
fn weight<const N: usize>(exponent: Option<Interval<N>>) -> Interval<N> {
    exponent.map_or(Interval { lo: [0; N], width: 1 }, |x| exp_neg(&x).fixed())
}

/// P(X = x), with N - 1 limbs of fraction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Density<const N: usize> {
    law: DiscreteGaussian,
    sigma: f64,
    exponent: Exponent,
    mode_mass: Interval<N>,
    /// P at distance 1 over P at the mode, above and below.
    ratios: [Interval<N>; 2],
    /// e^-E'', the factor from ratio to ratio.
    curvature: Interval<N>,
}

impl<const N: usize> Density<N> {
    /// Needs 3 <= N <= 9 and σ, rounded, of the law.
    ///
    /// P(X = x0) is 1/(σ sqrt(2π)) e^-E(x0) for a wide law, otherwise 1/Σ e^-(E - E(x0)), directly.
    pub(crate) fn new(law: &DiscreteGaussian, sigma: f64) -> Self {
        let exponent = Exponent::new(law);
        let up = weight(exponent.gap(Side::Up, 0, 1));
        let down = if exponent.is_symmetric() { up } else { weight(exponent.gap(Side::Down, 0, 1)) };
        // E(x0 + 1) - E(x0) + E(x0 - 1) - E(x0) is E''.
        let (ratios, curvature) = ([up, down], up.mul(&down));
        let mode_mass = if is_wide::<N>(sigma) {
            let peak = peak(law, 0);
            if exponent.is_symmetric() { peak } else { peak.mul(&weight(exponent.at_mode())) }.widen(1)
        } else {
            let sum = |ratio| direct_sum(Walk { value: Interval::ONE, ratio, curvature });
            let above = sum(up);
            let below = if exponent.is_symmetric() { above } else { sum(down) };
            Interval::ONE.add(&above).add(&below).reciprocal()
        };
        Density { law: *law, sigma, exponent, mode_mass, ratios, curvature }
    }

    pub(crate) fn law(&self) -> &DiscreteGaussian {
        &self.law
    }

    /// σ, rounded.
    pub(crate) fn sigma(&self) -> f64 {
        self.sigma
    }

    pub(crate) fn exponent(&self) -> &Exponent {
        &self.exponent
    }

    /// P at this distance from the mode, with relative precision; `None` below 2^-(2^20).
    pub(crate) fn scaled(&self, side: Side, distance: u128) -> Option<Scaled<N>> {
        let weight = exp_neg(&self.exponent.gap(side, 0, distance)?);
        Some(weight.mul(&self.mode_mass))
    }

    /// P·2^stride at this distance from the mode, with relative precision; `None` below 2^-(2^20).
    /// Needs σ >= [`POISSON_SIGMA`] unless `stride` is 0.
    pub(crate) fn strided(&self, side: Side, distance: u128, stride: u32) -> Option<Scaled<N>> {
        if stride == 0 {
            return self.scaled(side, distance);
        }
        let weight = exp_neg(&self.exponent.at_mode()?.add(&self.exponent.gap(side, 0, distance)?));
        Some(weight.mul(&peak(&self.law, stride).widen(1)))
    }

    /// P at this distance from the mode.
    pub(crate) fn at(&self, side: Side, distance: u64) -> Interval<N> {
        self.scaled(side, distance.into()).map_or(Interval { lo: [0; N], width: 1 }, |p| p.fixed())
    }

    /// P at the distances `from`, `from + 1`, … from the mode.
    pub(crate) fn walk(&self, side: Side, from: u64) -> Walk<N> {
        self.walk_from(side, from, self.mode_mass, || self.at(side, from))
    }

    /// e^-E at the distances `from`, `from + 1`, … from the mode, over that at the mode.
    pub(crate) fn weights(&self, side: Side, from: u64) -> Walk<N> {
        self.walk_from(side, from, Interval::ONE, || weight(self.exponent.gap(side, 0, from.into())))
    }

    /// The walk of these values from this distance on: next to the mode without a further exponential.
    fn walk_from(&self, side: Side, from: u64, at_mode: Interval<N>, value: impl FnOnce() -> Interval<N>) -> Walk<N> {
        let [up, down] = self.ratios;
        let ratio = if side == Side::Up { up } else { down };
        let mut walk = Walk { value: at_mode, ratio, curvature: self.curvature };
        match from {
            0 => {}
            1 => walk.advance(),
            _ => (walk.value, walk.ratio) = (value(), weight(self.exponent.gap(side, from.into(), 1))),
        }
        walk
    }

    /// P at the mode.
    pub(crate) fn mode_mass(&self) -> &Interval<N> {
        &self.mode_mass
    }

    /// P at the distances `from`, `from + 2^stride`, …, over P at `from`.
    pub(crate) fn relative_walk(&self, side: Side, from: u128, stride: u32) -> Walk<N> {
        let curvature = if stride == 0 { self.curvature } else { weight(self.exponent.curvature(stride)) };
        let ratio = weight(self.exponent.gap(side, from, 1 << stride));
        Walk { value: Interval::ONE, ratio, curvature }
    }
}

/// 2^stride/(σ sqrt(2π)), for σ >= 5·2^stride.
pub(crate) fn peak<const N: usize>(law: &DiscreteGaussian, stride: u32) -> Interval<N> {
    let q = law.width().value();
    let square = if matches!(law.width(), Width::SigmaSq(_)) { 1 << stride } else { 1 };
    let numerator = Natural::new(q.den().into()).times(1 << stride).times(square);
    let inverse = numerator.over(&[q.num().unsigned_abs()]).unwrap_or(Interval::ONE);
    match law.width() {
        Width::Sigma(_) => inverse.mul(&Constant::INV_SQRT_2PI.to()),
        Width::SigmaSq(_) => inverse.sqrt().mul(&Constant::INV_SQRT_2PI.to()),
        Width::KSigma2(_) => inverse.mul(&Constant::SQRT_LN2_PI.to()),
        Width::S(_) => inverse,
    }
}

/// Σ e^-(E(x) - E(x0)) over the x on one side of x0, for σ < 5.
fn direct_sum<const N: usize>(mut walk: Walk<N>) -> Interval<N> {
    let mut sum = Interval::ZERO;
    walk.advance();
    // From a term at which the ratio is about 1/2 or less, the rest is below 3 times that term.
    while walk.value.lo != [0; N] || walk.ratio.lo[N - 2] >> 63 != 0 || walk.ratio.lo[N - 1] != 0 {
        sum = sum.add(&walk.value);
        walk.advance();
    }
    let end = walk.value.width.saturating_mul(3);
    sum.add(&Interval { lo: [0; N], width: end })
}

/// Values proportional to e^-E at consecutive distances from the mode.
///
/// v(k+1) = v(k)·r(k) and r(k+1) = r(k)·q, with r(k) = e^-(E(k+1) - E(k)) and q = e^-E''.
/// Each step adds an ulp or two and the errors of q and r. After n steps the error is about n²/2 times that of q, so
/// the owner starts afresh from time to time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<const N: usize> {
    pub(crate) value: Interval<N>,
    pub(crate) ratio: Interval<N>,
    curvature: Interval<N>,
}

impl<const N: usize> Walk<N> {
    /// One step outwards.
    pub(crate) fn advance(&mut self) {
        self.value = self.value.mul(&self.ratio);
        self.ratio = self.ratio.mul(&self.curvature);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::less;
    use crate::law::sigma;

    fn density<const N: usize>(center: &str, width: Width) -> Density<N> {
        let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
        Density::new(&law, sigma(&law))
    }

    /// What `limbs::enough` counts on: normalizer and 256 steps cost less than 2^(2N + 26) ulp.
    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn a_walk_agrees_with_direct_exponentials() {
        let widths = [("3.2", "1/3"), ("1/2", "-5/2"), ("160000", "0"), ("1e12", "1/7")];
        for (q, center) in widths {
            let q = q.parse().unwrap();
            for width in [Width::Sigma(q), Width::SigmaSq(q), Width::KSigma2(q), Width::S(q)] {
                let density = density::<7>(center, width);
                for side in [Side::Up, Side::Down] {
                    let mut walk = density.walk(side, 3);
                    for distance in 3..260 {
                        let direct = density.at(side, distance);
                        let (a, b) = (walk.value.hi().unwrap(), direct.hi().unwrap());
                        assert!(!less(&a, &direct.lo) && !less(&b, &walk.value.lo), "{width} {center} {distance}");
                        assert!(direct.width.max(walk.value.width) < 1 << 40, "{:?}", walk.value);
                        walk.advance();
                    }
                }
            }
        }
    }

    /// The narrowest laws whose normalizer comes from Poisson summation, with the other one too.
    #[test]
    fn both_normalisers_agree_at_the_border() {
        fn agree<const N: usize>(center: &str, square: &str) {
            let law = DiscreteGaussian::new(center.parse().unwrap(), Width::SigmaSq(square.parse().unwrap())).unwrap();
            let sigma = sigma(&law);
            assert!(is_wide::<N>(sigma) && !is_wide::<N>(sigma - 0.01));
            let [sum, poisson] = [sigma - 0.01, sigma].map(|sigma| Density::<N>::new(&law, sigma).mode_mass);
            assert!(sum.width < 1 << 60 && poisson.width < 1 << 60);
            assert!(!less(&sum.hi().unwrap(), &poisson.lo) && !less(&poisson.hi().unwrap(), &sum.lo), "{center}");
        }
        for center in ["0", "1/2", "-1/3"] {
            agree::<3>(center, "4.577");
            agree::<5>(center, "9.082");
            agree::<9>(center, "18.094");
        }
    }

    #[test]
    fn exponents_are_exact() {
        let law = DiscreteGaussian::new("1/3".parse().unwrap(), Width::Sigma("16/5".parse().unwrap())).unwrap();
        let exponent = Exponent::new(&law);
        assert_eq!((exponent.mode(), exponent.locate(-4)), (0, (Side::Down, 4)));
        let gap = exponent.gap::<3>(Side::Up, 2, 8).unwrap();
        // 8·((4 + 8)·3 - 2)/3 · 25/512 = 4.42708333…
        assert_eq!(gap.lo[2], 4);
        assert_eq!(gap.lo[1], 0x6d55_5555_5555_5555);
        assert_eq!(exponent.gap::<3>(Side::Down, 7, 0), Some(Interval::ZERO));
        assert_eq!(exponent.gap::<3>(Side::Up, 0, 1 << 64), None);
        // 2^64·(2^64·3 - 2)/3 · 25/512 over 2^120: short of 12.5 by less than 2^-60.
        let halved = exponent.gap_halved::<3>(Side::Up, 0, 1 << 64, 120).unwrap();
        assert_eq!((halved.lo[2], halved.lo[1] >> 8), (12, (1 << 55) - 1));
        assert_eq!(exponent.gap_halved::<3>(Side::Up, 2, 8, 1).unwrap().lo[2], 2);
        assert_eq!(exponent.offset(Side::Down), 1.0 / 3.0);
    }
}
