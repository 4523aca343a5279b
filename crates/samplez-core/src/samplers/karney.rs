/// Karney: exact rejection from a half Gaussian on the integers, with rational arithmetic only.
///
/// Paper: \[Kar16\], Algorithm D (§5), with Algorithms H and B (§3). Proof: docs/proofs/karney.md.
///
/// | Law        | exact: D_{Z,σ,c}, given that the sample's k (step D1) is below 2^15, and in blocks Y (step B4) below 2^15 |
/// | Bits       | computed by [`profile`](crate::sampler::Sampler::profile): about 95 for whole σ up to 4096, 140 above; in blocks about 92 for ⌈σ⌉ up to 4096, 132 above |
/// | Memory     | 4 KiB, the same for every σ and centre |
/// | Timing     | Variable: the number of attempts and of coins depends on the sample |
/// | Parameters | every form of width, with σ <= 2^47 (k <= 2^47, `s` <= 2^48); every rational centre, abs(c) <= 2^62 |
///
/// ```text
/// D1  k ← geometric, P(k) ~ exp(-k/2)                       coins H = B(e^-½)
/// D2  accept k with probability exp(-k(k-1)/2), else D1
/// D3  s ← ±1
/// D4  i0 ← ⌈kσ + sc⌉; x0 ← (i0 - (kσ + sc))/σ; j ← {0, …, ⌈σ⌉-1}; x ← x0 + j/σ; if x >= 1, D1
/// D5  if x = 0 and k = 0 and s < 0, D1                      (zero comes once)
/// D6  accept with probability exp(-γ), γ = x(2k + x)/2, else D1
/// D7  return s(i0 + j)
/// ```
///
/// These steps run for rational σ with num(σ)·den(c) <= 2^61, den(σ)·den(c) < 2^63 and some integer within 4σ of c. All other
/// parameters take blocks of ⌈σ⌉ integers instead of steps of σ, by the same attempts: see `karney/blocks.rs`.
///
/// [`KarneyRounder`] takes a centre per call: the same steps, with i0 and x0 computed for the k drawn.
///
/// Departures from the paper. Random bits are cheap here (a misjudged branch costs as much as a hundred of them), so
/// draws are wide and decisions few. None of it touches the law.
/// - *Coins.* Algorithms H and B draw a falling run x > u_1 > u_2 > … > u_n of uniforms and accept if n is even; P(n >=
///   i) = x^i/i!. Here n counts successes of independent coins of probability x/1, x/2, x/3, … This gives the same
///   P(n >= i). Each coin is a lazy uniform against a fixed rational, so nothing has to be remembered.
/// - *D1, D2.* k is drawn by inversion instead. e^(-γ), γ = k²/2, lies between two partial sums of its alternating
///   series. A uniform below the lower sum settles k at once. Between the two sums, the rest of the series is a run
///   of coins γ/(n+1), γ/(n+2) and so on. Each of k = 0, 1, 2 has such a sliver between its sums, and k >= 3 shares a
///   rational envelope. All thresholds are rational with the denominator 16·12!. The leading 12 bits of the uniform
///   decide by table in 98% of cases.
/// - *D6.* B is run p = ⌊γ⌋ + 1 times with γ/p instead of k + 1 times with γ/(k + 1). The product of probabilities is
///   the same (as it is for p = ⌊γ⌋ + 2, taken where γ is within 2^-58 of a whole number). The first two coins of a run
///   are 16-bit draws against a 64-bit lower bound of their probability, exact within 2^-58. A draw that close
///   (probability 2^-16) is continued lazily against the exact rational.
/// - A rejection in D4 to D6 does not break off. The attempt draws its coins all the same, and `fill` writes it over
///   with the next. The draws after the rejection are not used.
/// - c is reduced to its fractional part, and its floor added at the end.
/// - k >= 8, of probability below 2^-46, runs D4 to D6 as printed.
///
/// Exact sampling of D_{Z,σ,c} for σ, σ², kσ₂ or `s` rational, and any rational c.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Sampler, Width, bits::BitReader};
/// use samplez_core::samplers::Karney;
/// use samplez_sources::{ChaCha20, Seed};
/// let law = DiscreteGaussian::new("1/3".parse()?, Width::Sigma("1.6e5".parse()?))?;
/// let sampler = Karney::new(&law)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let x = sampler.sample(&mut bits);
/// assert!(x.abs() < 2_000_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Karney {
    way: Way,
}

mod blocks;

use super::common::below::{J_OF_32, J_OF_64, M_OF_32, below};
use super::common::estimate::estimated_exp_neg;
#[cfg(feature = "testing")]
use super::common::exp_square::draw_k_printed;
use super::common::exp_square::{FAST, K_EXTRA_BITS, KTable, PREFIXES, draw_k};
use super::common::runs::{COIN, INVERSES, is_even, long_run_bits};
use super::common::trials::Attempt;
use super::common::trials::{fill_accepted, first_accepted};
#[cfg(feature = "testing")]
use crate::bits::uniform_below;
use crate::bits::{BitSource, bernoulli};
use crate::params::{DiscreteGaussian, ParamError};
use crate::product::full;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};
use blocks::{BLOCK_MAX, Blocks};

/// Points that are rational, or blocks of integers.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is no allocator to box it with")]
enum Way {
    Steps(Steps),
    Blocks(Blocks),
}

/// Algorithm D for one centre.
#[derive(Clone, Debug)]
struct Steps {
    frame: Frame,
    /// i0 and x0·unit for k < FAST and s = +1, -1.
    starts: [[Start; 2]; FAST],
}

/// The largest error of the goal of a run below the truth, in 2^-64.
const SLACK: u64 = 64;

/// The law in integers: all but the table of starts.
#[derive(Clone, Copy, Debug)]
struct Frame {
    target: DiscreteGaussian,
    /// ⌊c⌋, added at the end; below, c is the fraction that remains.
    base: i64,
    /// c's numerator times den(σ): c in units of 1/grid.
    center: u64,
    /// den(σ)·den(c): kσ + sc is a multiple of 1/grid.
    grid: u64,
    /// num(σ)·den(c): x is a multiple of 1/unit, and j/σ = j·grid/unit.
    unit: u64,
    /// ⌈σ⌉.
    m: u64,
    /// 2^J mod m, for the draw of j.
    threshold: u64,
    /// The shift that normalizes `unit`, and ⌊(2^127 - 1)/(unit << shift)⌋.
    shift: u32,
    inverse: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Start {
    i0: i64,
    x0: u64,
}

impl Karney {
    /// Builds the sampler of this law.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] if σ (`s` or k, where the width is stated so) is above 2^47, or c beyond ±2^62.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, Rational, Width, samplers::Karney};
    /// let wide = DiscreteGaussian::new(Rational::ZERO, Width::S("1e15".parse()?))?;
    /// assert!(Karney::new(&wide).unwrap_err().to_string().contains("s <= 2^48"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(law: &DiscreteGaussian) -> Result<Self, ParamError> {
        let way = match Frame::new(law) {
            Some(frame) => Way::Steps(Steps::new(frame)),
            None => Way::Blocks(Blocks::new(law)?),
        };
        Ok(Karney { way })
    }

    /// Makes an attempt with draws as narrow as these widths, so that the exact law tests can walk every draw. The
    /// code and the law of [`Attempt::attempt`] are unchanged.
    #[cfg(feature = "testing")]
    pub fn attempt_narrow<const PREFIXES: usize, const J: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
    ) -> Option<i64> {
        match &self.way {
            Way::Steps(steps) => {
                let (accepted, value) = steps.frame.attempt_with::<PREFIXES, J, C, B>(
                    (1 << J) % steps.frame.m,
                    |k, s| steps.start(k, s),
                    bits,
                );
                accepted.then_some(value)
            }
            Way::Blocks(blocks) => blocks.attempt_with::<PREFIXES, J, C, B>(bits),
        }
    }

    /// Makes an attempt that always takes the way of k >= 8, for the exact law tests. Blocks have one way.
    #[cfg(feature = "testing")]
    pub fn attempt_printed<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        match &self.way {
            Way::Steps(steps) => {
                let k = draw_k_printed(bits)?;
                let negative = bits.bit();
                let j = uniform_below(steps.frame.m, bits);
                steps.frame.attempt_slow(k, negative, j, bits)
            }
            Way::Blocks(blocks) => blocks.attempt(bits),
        }
    }

    #[cfg(test)]
    fn steps(&self) -> &Steps {
        match &self.way {
            Way::Steps(steps) => steps,
            Way::Blocks(blocks) => panic!("{blocks:?}"),
        }
    }
}

impl Steps {
    fn new(frame: Frame) -> Self {
        let starts = core::array::from_fn(|k| [frame.start(k as u64, false), frame.start(k as u64, true)]);
        Steps { frame, starts }
    }

    #[inline(always)]
    fn start(&self, k: u64, negative: bool) -> Start {
        self.starts[k as usize % FAST][usize::from(negative)]
    }

    /// Expected bits of one attempt, and its probability of success.
    fn cost(&self) -> (f64, f64) {
        let j_bits = if self.frame.narrow() { J_OF_32 } else { J_OF_64 };
        let redraw = self.frame.threshold as f64 / (1_u64 << j_bits) as f64;
        let uniform_bits = (self.frame.m as f64 + 1.0).to_bits() >> 52 & 0x7ff; // about lg m + 1023
        let draw = f64::from(PREFIXES.ilog2() + 1 + j_bits) + K_EXTRA_BITS + redraw * (uniform_bits as f64 - 1022.0);
        // j, or enough evenly spaced values of it: the sums over x are smooth.
        let strata = self.frame.m.min(4096);
        let (mut bits, mut accepted) = (draw, 0.0);
        let (mut weight, mut total) = ([0.0; FAST], 0.0);
        for (k, weight) in weight.iter_mut().enumerate() {
            *weight = estimated_exp_neg((k * k) as f64 / 2.0);
            total += *weight;
        }
        for (k, weight) in weight.iter().enumerate() {
            for (s, start) in self.starts[k].iter().enumerate() {
                for i in 0..strata {
                    let j = ((u128::from(2 * i + 1) * u128::from(self.frame.m)) / u128::from(2 * strata)) as f64;
                    let x = (start.x0 as f64 + j * self.frame.grid as f64) / self.frame.unit as f64;
                    let inside = x < 1.0 && !(x == 0.0 && k == 0 && s == 1);
                    let x = if x < 1.0 { x } else { 0.0 };
                    let share = weight / total / 2.0 / strata as f64;
                    let gamma = x * (2.0 * k as f64 + x) / 2.0;
                    let passes = gamma as u64 as f64 + 1.0;
                    bits += share * passes * (f64::from(2 * COIN) + long_run_bits(gamma / passes));
                    accepted += if inside { share * estimated_exp_neg(gamma) } else { 0.0 };
                }
            }
        }
        (bits, accepted)
    }
}

impl Frame {
    /// Returns `None` unless σ is rational and at most 2^47, abs(c) <= 2^62, and the products are within the budget in
    /// the head of this file. Some integer must also be within 4σ of c: almost every attempt fails elsewhere.
    fn new(law: &DiscreteGaussian) -> Option<Self> {
        let (sigma, center) = (law.width().rational_sigma()?, law.center());
        let (a, b) = (u128::from(sigma.num().unsigned_abs()), u128::from(sigma.den()));
        let d = u128::from(center.den());
        let m = sigma.num().unsigned_abs().div_ceil(sigma.den());
        if m > BLOCK_MAX || center.floor().unsigned_abs() > 1 << 62 || a * d > 1 << 61 || b * d >= 1 << 63 {
            return None;
        }
        let (grid, unit) = ((b * d) as u64, (a * d) as u64);
        // The numerator of c's fraction is below d < 2^63.
        let numerator = center.num().rem_euclid(d as i64) as u64;
        if u128::from(numerator).min(d - u128::from(numerator)) * b > 4 * a * d {
            return None;
        }
        let shift = unit.leading_zeros();
        let j_bits = if m <= M_OF_32 { J_OF_32 } else { J_OF_64 };
        Some(Frame {
            target: *law,
            base: center.floor(),
            center: numerator * b as u64,
            grid,
            unit,
            m,
            threshold: (1 << j_bits) % m,
            shift,
            inverse: (((1_u128 << 127) - 1) / u128::from(unit << shift)) as u64,
        })
    }

    /// D4: i0 and x0·unit. Below K_MAX everything fits: kσ + 1 <= 2^62 + 1, x0·unit <= grid.
    fn start(&self, k: u64, negative: bool) -> Start {
        let (unit, grid, center) = (i128::from(self.unit), i128::from(self.grid), i128::from(self.center));
        let point = i128::from(k) * unit + if negative { -center } else { center };
        // ⌈point/grid⌉; point > -grid.
        let i0 = match u64::try_from(point + grid - 1) {
            Ok(above) => i128::from(above / self.grid),
            Err(_) => (point + grid - 1) / grid,
        };
        Start { i0: i0 as i64, x0: (i0 * grid - point) as u64 }
    }

    /// x in units of 2^-64, rounded down: X - 3 <= result <= X for X = 2^64·x/unit, x < unit.
    ///
    /// Let d = unit << shift, in [2^63, 2^64). The inverse is short of 2^127/d by at most 1, times (x << shift)/2^63
    /// < 2. The last rounding down adds 1.
    #[inline(always)]
    fn fraction(&self, x: u64) -> u64 {
        (full(x << self.shift, self.inverse) >> 63) as u64
    }

    /// The number p > γ of runs, p <= ⌊γ + 36·2^-64⌋ + 1, and γ/p in units of 2^-64, short by 0 to 63. k < FAST.
    ///
    /// γ = kx + x²/2 is short by at most 3k + 3 + 1 < 36, so γ < p is certain. The division loses at most 36 + 16 + 1 +
    /// 1 more for p = 1, and 18 + 8 + 8 + 1 for p >= 2.
    #[inline(always)]
    fn goal(&self, k: u64, x: u64) -> (u64, u64) {
        let fx = self.fraction(x);
        let gamma = full(k, fx) + (full(fx, fx) >> 65);
        let passes = ((gamma + 36) >> 64) as u64 + 1;
        // γ < 8·2^64.
        let goal = full((gamma >> 4) as u64, INVERSES[passes as usize % (FAST + 1)]) >> 60;
        (passes, goal as u64)
    }

    /// γ/p = num/den for exact coins: x(2k·unit + x) / (2p·unit²). With k, p <= 8 and
    /// unit <= 2^61 the numerator is below 2^126 and the denominator at most 2^126.
    fn exact_coin(&self, k: u64, x: u64, passes: u64) -> (u128, u128) {
        let (k, x, unit) = (u128::from(k), u128::from(x), u128::from(self.unit));
        (x * (2 * k * unit + x), 2 * unit * unit * u128::from(passes))
    }

    /// One attempt, and whether it is accepted. PREFIXES = 2^(bits of k's prefix), J and C are
    /// the bits of j's draw and of a first coin. The law does not depend on them.
    #[inline(always)]
    fn attempt_with<const PREFIXES: usize, const J: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        threshold: u64,
        start: impl Fn(u64, bool) -> Start,
        bits: &mut B,
    ) -> (bool, i64) {
        let prefix_bits = const { PREFIXES.ilog2() };
        let draw = bits.bits(prefix_bits + 1 + J);
        // D1, D2
        let prefix = draw as usize % PREFIXES;
        let mut k = u64::from(KTable::<PREFIXES>::TABLE[prefix]);
        // D3
        let negative = draw >> prefix_bits & 1 != 0;
        // D4
        let j = below::<J, B>(draw >> (prefix_bits + 1), self.m, threshold, bits);
        if k >= FAST as u64 {
            k = draw_k(prefix as u64, prefix_bits, bits);
            if k >= FAST as u64 {
                let sample = self.attempt_slow(k, negative, j, bits);
                return (sample.is_some(), sample.unwrap_or(0));
            }
        }
        let Start { i0, x0 } = start(k, negative);
        let x = u128::from(x0) + full(j, self.grid);
        // D4, D5. From here on a rejection is remembered, not acted upon: see the head.
        let inside = x < u128::from(self.unit);
        let x = if inside { x as u64 } else { 0 };
        let mut accepted = inside & !((x == 0) & (k == 0) & negative);
        // D6
        let (passes, goal) = self.goal(k, x);
        for _ in 0..passes {
            accepted &= is_even::<C, B>(goal, SLACK, bits, || self.exact_coin(k, x, passes));
        }
        // D7
        let value = i0 + j as i64;
        (accepted, self.base + if negative { -value } else { value })
    }

    /// D4 to D7 as printed, for any k < K_MAX: k + 1 runs with coins
    /// x(2k + x)/((2k + 2)i) = (1/i) · x · (2k + x)/(2k + 2).
    #[cold]
    #[inline(never)]
    fn attempt_slow<B: BitSource + ?Sized>(&self, k: u64, negative: bool, j: u64, bits: &mut B) -> Option<i64> {
        let Start { i0, x0 } = self.start(k, negative);
        let (x, unit) = (u128::from(x0) + u128::from(j) * u128::from(self.grid), u128::from(self.unit));
        if x >= unit || (x == 0 && k == 0 && negative) {
            return None;
        }
        let (k2, all) = (u128::from(2 * k) * unit + x, u128::from(2 * k + 2) * unit);
        for _ in 0..=k {
            let mut heads = 0_u64;
            while bernoulli(1, u128::from(heads + 1), bits) && bernoulli(x, unit, bits) && bernoulli(k2, all, bits) {
                heads += 1;
            }
            if !heads.is_multiple_of(2) {
                return None;
            }
        }
        let value = i0 + j as i64;
        Some(self.base + if negative { -value } else { value })
    }

    #[inline(always)]
    fn attempt_fast<B: BitSource + ?Sized>(&self, start: impl Fn(u64, bool) -> Start, bits: &mut B) -> (bool, i64) {
        if self.narrow() {
            self.attempt_with::<PREFIXES, J_OF_32, COIN, B>(self.threshold, start, bits)
        } else {
            self.attempt_with::<PREFIXES, J_OF_64, COIN, B>(self.threshold, start, bits)
        }
    }

    fn narrow(&self) -> bool {
        self.m <= M_OF_32
    }
}

impl Attempt for Karney {
    #[inline]
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        match &self.way {
            Way::Steps(steps) => {
                let (accepted, value) = steps.frame.attempt_fast(|k, s| steps.start(k, s), bits);
                accepted.then_some(value)
            }
            Way::Blocks(blocks) => blocks.attempt(bits),
        }
    }
}

impl Sampler for Karney {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let (target, (bits, accepted)) = match &self.way {
            Way::Steps(steps) => (steps.frame.target, steps.cost()),
            Way::Blocks(blocks) => (blocks.target, blocks.cost()),
        };
        Profile {
            target: target.into(),
            exactness: Exactness::Exact,
            timing: Self::TIMING,
            support: i64::MIN..=i64::MAX,
            table_bytes: PREFIXES,
            expected_bits: bits / accepted,
            expected_trials: 1.0 / accepted,
        }
    }

    #[inline]
    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        match &self.way {
            Way::Steps(steps) => fill_accepted(out, || steps.frame.attempt_fast(|k, s| steps.start(k, s), bits)),
            Way::Blocks(blocks) => fill_accepted(out, || {
                let sample = blocks.attempt(bits);
                (sample.is_some(), sample.unwrap_or(0))
            }),
        }
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.attempt(bits))
    }
}

mod rounder;
pub use rounder::{KarneyRounder, RationalCenter};

#[cfg(test)]
mod tests;
