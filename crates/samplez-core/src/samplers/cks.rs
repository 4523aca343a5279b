/// CKS: exact rejection from a discrete Laplace law, with rational arithmetic only.
///
/// Paper: \[CKS20\], Algorithms 1 to 3 (§5). Proof: docs/proofs/cks.md.
///
/// | Law        | exact: D_{Z,σ,c}, given that the sample's V (step 2) is below 2^15 |
/// | Bits       | computed by [`profile`](crate::sampler::Sampler::profile): about 160 for σ from 3 to 4095, 220 above |
/// | Memory     | 4 KiB, the same for every σ |
/// | Timing     | Variable: the number of attempts and of coins depends on the sample |
/// | Parameters | σ² = a/b rational with 2abt² <= 2^120, t = ⌊σ⌋ + 1 (whole σ up to 2^29); integer c, abs(c) <= 2^62 |
///
/// ```text
/// 1  t ← ⌊σ⌋ + 1; U ← {0, …, t-1}; go on with probability exp(-U/t), else 1      (Algorithm 2)
/// 2  V ← geometric, P(V) ~ exp(-V); |Y| ← U + tV
/// 3  s ← ±1; if s = -1 and |Y| = 0, go to 1                 Y = s|Y| is discrete Laplace
/// 4  go on with probability exp(-(|Y| - σ²/t)²/(2σ²)), else 1                    (Algorithm 3)
/// 5  return c + Y
/// ```
///
/// exp(-γ) is the probability that a run of coins γ/1, γ/2, … is even (Algorithm 1), γ <= 1; a
/// larger γ is cut into parts.
///
/// Departures from the paper, none of which touches the law. The paper's c is 0 in its Algorithm 3; here an integer is
/// added at the end.
/// - *V* is drawn by inversion. e^-v, v = 1 … 5, lies between two partial sums of its alternating series. A uniform
///   below the lower sum settles V at once. Between the two sums, the rest of the series is a run of coins v/(n+1),
///   v/(n+2) and so on. V >= 5 shares the envelope e^-5·2^-(V-5). The leading 12 bits of the uniform decide by table in
///   98% of cases.
///   cases.
/// - *Steps 1 and 4* are one. With γ = U/t + (|Y| - σ²/t)²/(2σ²), the run of γ/p is made p = ⌊γ⌋ + 1 times. (The paper
///   makes ⌊γ⌋ runs of exp(-1) and one of the rest.) The first two coins of a run are 16-bit draws against a 64-bit
///   lower bound of their probability, exact within 2^-52. A draw that close is continued lazily against the exact
///   rational.
/// - A rejection does not break off: the attempt draws its coins all the same, and `fill` writes it over with the next.
///   The draws after the rejection are not used.
/// - A V whose γ may exceed 7 runs steps 1 and 4 as printed and breaks off. There the exponent of step 4 is summed over
///   the steps from V to V + 1, to stay within 128 bits.
///
/// Exact sampling of D_{Z,σ,c} for rational σ² and integer c.
///
/// ```
/// use samplez_core::{DiscreteGaussian, Sampler, Width, bits::BitReader};
/// use samplez_core::samplers::Cks;
/// use samplez_sources::{ChaCha20, Seed};
/// let law = DiscreteGaussian::new("-3".parse()?, Width::SigmaSq("2/3".parse()?))?;
/// let sampler = Cks::new(&law)?;
/// let mut bits = BitReader::new(ChaCha20::new(&Seed::from_bytes([0; 32])));
/// let x = sampler.sample(&mut bits);
/// assert!((x + 3).abs() < 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cks {
    target: DiscreteGaussian,
    center: i64,
    /// σ² = a/b.
    a: u64,
    b: u64,
    /// ⌊σ⌋ + 1.
    t: u64,
    /// 2^J mod t, for the draw of U.
    threshold: u64,
    /// γ is at most 7 for all V below this.
    fast: u64,
    /// Squares lose this many bits, to be below 2^63.
    pre_shift: u32,
    /// ⌊b/(2a)·2^shift⌋, for γ = Y²·b/(2a) + constant - V.
    slope: u128,
    shift: u32,
    /// ⌊2^64·σ²/(2t²)⌋.
    constant: u128,
}

use super::common::below::{J_OF_32, J_OF_64, M_OF_32, below};
use super::common::estimate::estimated_exp_neg;
use super::common::locate::{locate, prefix_table};
use super::common::runs::{COIN, INVERSES, is_even, long_run_bits, run_from};
use super::common::trials::Attempt;
use super::common::trials::{fill_accepted, first_accepted};
#[cfg(feature = "testing")]
use crate::bits::uniform_below;
use crate::bits::{BitSource, bernoulli};
use crate::params::{DiscreteGaussian, ParamError, Rational, Width};
use crate::product::full;
use crate::profile::{Exactness, Profile, Timing};
use crate::sampler::{Int, RangeError, Sampler};

/// V from here on is never settled by the table, nor fast.
const FAST: u64 = 5;
/// A V this large is drawn again; P(V >= V_MAX) = e^-32768.
const V_MAX: u64 = 1 << 15;
/// Entries of the table of V.
const PREFIXES: usize = 4096;
/// γ up to this goes the fast way.
const GAMMA_MAX: u128 = 7;
/// The largest error of γ in fixed point, and of the goal of a run, below the truth, in 2^-64.
const SLACK: u64 = 1 << 12;

impl Cks {
    /// Builds the sampler of this law.
    ///
    /// # Errors
    ///
    /// [`ParamError::Unsupported`] unless
    ///
    /// - σ² = a/b is rational with a numerator below 2^63 and a denominator below 2^63 (`Width::SigmaSq`, or `Sigma` of
    ///   a rational whose square fits);
    /// - 2abt² <= 2^120 with t = ⌊σ⌋ + 1;
    /// - c is an integer of at most 2^62.
    ///
    /// ```
    /// use samplez_core::{DiscreteGaussian, Width, samplers::Cks};
    /// let law = DiscreteGaussian::new("1/2".parse()?, Width::SigmaSq("2".parse()?))?;
    /// assert!(Cks::new(&law).unwrap_err().to_string().contains("an integer center"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(law: &DiscreteGaussian) -> Result<Self, ParamError> {
        let (width, center) = (law.width(), law.center());
        let refuse = |argument, value, allowed| ParamError::Unsupported { method: "cks", argument, value, allowed };
        if !center.is_integer() || center.num().unsigned_abs() > 1 << 62 {
            return Err(refuse("center", center, "an integer center with |center| <= 2^62"));
        }
        let budget = |sigma_sq: Rational| {
            let (a, b) = (sigma_sq.num().unsigned_abs(), sigma_sq.den());
            let t = (a / b).isqrt() + 1;
            let den = [b, t, t, 2].iter().try_fold(u128::from(a), |product, x| product.checked_mul((*x).into()))?;
            (den <= 1 << 120 && b < 1 << 63).then_some((a, b, t))
        };
        if matches!(width, Width::KSigma2(_) | Width::S(_)) {
            return Err(refuse(width.name(), width.value(), "a rational sigma or `sigma_squared` only"));
        }
        let (a, b, t) = sigma_sq(law).and_then(budget).ok_or(refuse(
            width.name(),
            width.value(),
            "sigma^2 = a/b with 2*a*b*t^2 <= 2^120, t = floor(sigma) + 1, and b < 2^63",
        ))?;
        // t > 1: 2^63 <= slope < 2^64, and a square, shifted, is below 2^63. t = 1: the square is
        // at most 16, and slope·square below 12·2^64 for the V that are fast.
        let lead = (u128::from(b) << 64) / (2 * u128::from(a));
        let shift = if t == 1 { 64 } else { lead.leading_zeros() };
        let mut cks = Cks {
            target: *law,
            center: center.num(),
            a,
            b,
            t,
            threshold: (1 << if t <= M_OF_32 { J_OF_32 } else { J_OF_64 }) % t,
            fast: 0,
            pre_shift: (2 * (t.ilog2() + 4)).saturating_sub(63),
            slope: quotient(b.into(), 2 * u128::from(a), shift),
            shift,
            constant: quotient(a.into(), 2 * u128::from(b) * u128::from(t) * u128::from(t), 64),
        };
        cks.fast = (0..FAST).find(|v| !cks.is_fast(*v)).unwrap_or(FAST);
        Ok(cks)
    }

    /// Whether γ <= 7 for this V and every U: γ is convex in U, so at both ends.
    fn is_fast(&self, v: u64) -> bool {
        let holds = |u| self.exact_gamma(u, v).is_some_and(|(num, den)| num <= GAMMA_MAX * den);
        holds(0) && holds(self.t - 1)
    }

    /// γ = U/t + (|Y| - σ²/t)²/(2σ²) = Y²b/(2a) + a/(2bt²) - V as a fraction over 2abt², or
    /// `None` where 128 bits do not hold its parts. Where γ <= 7 and V < 5 they do: the sum
    /// before V is taken off is at most 12·2^120.
    fn exact_gamma(&self, u: u64, v: u64) -> Option<(u128, u128)> {
        let [a, b, t, y] = [self.a, self.b, self.t, u + self.t * v].map(u128::from);
        let den = 2 * a * b * t * t;
        let root = (b * t).checked_mul(y)?;
        let sum = root.checked_mul(root)?.checked_add(a * a)?;
        Some((sum.checked_sub(den * u128::from(v))?, den))
    }

    /// The number p = ⌊γ⌋ + 1 of runs, and γ/p in units of 2^-64, short by 0 to SLACK.
    ///
    /// The slope is short by less than 2^-63 of itself (t > 1) or by 2^-64 (t = 1, Y <= 4). A shifted square is short
    /// by 2^pre_shift <= 2^-54 in γ. So γ is short by at most (12·2^-63 + 2^-54 + 2^-63) < 2^-53; the division by p
    /// adds 25 units.
    #[inline(always)]
    fn goal(&self, y: u64, v: u64) -> (u64, u64) {
        let square = full(y, y) >> self.pre_shift;
        let gamma = ((square * self.slope) >> (self.shift - 64 - self.pre_shift)) + self.constant;
        let gamma = gamma.saturating_sub(u128::from(v) << 64);
        let passes = ((gamma + u128::from(SLACK)) >> 64) as u64 + 1;
        // γ < 8·2^64.
        let goal = full((gamma >> 4) as u64, INVERSES[passes as usize % INVERSES.len()]) >> 60;
        (passes, goal as u64)
    }

    /// One attempt, and whether it is accepted. PREFIXES = 2^(bits of V's prefix), J and C are
    /// the bits of U's draw and of a first coin. The law does not depend on them.
    #[inline(always)]
    fn attempt_with<const PREFIXES: usize, const J: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        threshold: u64,
        bits: &mut B,
    ) -> (bool, i64) {
        let prefix_bits = const { PREFIXES.ilog2() };
        let draw = bits.bits(prefix_bits + 1 + J);
        let prefix = draw as usize % PREFIXES;
        let negative = draw >> prefix_bits & 1 != 0;
        // step 1: U
        let u = below::<J, B>(draw >> (prefix_bits + 1), self.t, threshold, bits);
        // step 2
        let mut v = u64::from(VTable::<PREFIXES>::TABLE[prefix]);
        if v >= self.fast {
            if v >= FAST {
                v = draw_v(prefix as u64, prefix_bits, bits);
            }
            if v >= self.fast {
                let value = self.attempt_slow(u, v, negative, bits);
                return (value.is_some(), value.unwrap_or(0));
            }
        }
        let y = u + self.t * v;
        // step 3. From here on a rejection is remembered, not acted upon: see the head.
        let mut accepted = !(negative & (y == 0));
        // steps 1 and 4: exp(-γ)
        let (passes, goal) = self.goal(y, v);
        for _ in 0..passes {
            accepted &= is_even::<C, B>(goal, SLACK, bits, || self.exact_coin(u, v, passes));
        }
        // step 5
        (accepted, self.center + if negative { -(y as i64) } else { y as i64 })
    }

    /// γ/p, for V that are fast: the denominator is at most 8·2^120.
    fn exact_coin(&self, u: u64, v: u64, passes: u64) -> (u128, u128) {
        let (num, den) = self.exact_gamma(u, v).unwrap_or((0, 1));
        (num, den * u128::from(passes))
    }

    /// Steps 1, 3 and 4 as printed, for any V < V_MAX.
    ///
    /// Step 4's exponent g at |Y| = U + tV starts from U + t·min(V, 1), at most 2·2^120 over 2abt². Each further step
    /// from |Y| - t to |Y| adds its growth t(2|Y| - t)b/(2a) - 1 > 0, where t(2|Y| - t)b <= 2bt²·2^16 < 2^64·2^63.
    #[cold]
    #[inline(never)]
    fn attempt_slow<B: BitSource + ?Sized>(&self, u: u64, v: u64, negative: bool, bits: &mut B) -> Option<i64> {
        let y = u + self.t * v;
        let [a, b, t] = [self.a, self.b, self.t].map(u128::from);
        let base = (b * t * u128::from(u + self.t * v.min(1))).abs_diff(a);
        let growth = |w: u64| t * (2 * u128::from(u + self.t * w) - t) * b - 2 * a;
        let accepted = run_from(1, u, self.t, bits)
            && !(negative && y == 0)
            && coin_exp(base * base, 2 * a * b * t * t, bits)
            && (2..=v).all(|w| coin_exp(growth(w), 2 * a, bits));
        accepted.then(|| self.center + if negative { -(y as i64) } else { y as i64 })
    }

    #[inline(always)]
    fn attempt_fast<B: BitSource + ?Sized>(&self, bits: &mut B) -> (bool, i64) {
        if self.t <= M_OF_32 {
            self.attempt_with::<PREFIXES, J_OF_32, COIN, B>(self.threshold, bits)
        } else {
            self.attempt_with::<PREFIXES, J_OF_64, COIN, B>(self.threshold, bits)
        }
    }

    /// Makes an attempt with draws as narrow as these widths, so that the exact law tests can walk every draw. The
    /// code and the law of [`Attempt::attempt`] are unchanged.
    #[cfg(feature = "testing")]
    pub fn attempt_narrow<const PREFIXES: usize, const J: u32, const C: u32, B: BitSource + ?Sized>(
        &self,
        bits: &mut B,
    ) -> Option<i64> {
        let (accepted, value) = self.attempt_with::<PREFIXES, J, C, B>((1 << J) % self.t, bits);
        accepted.then_some(value)
    }

    /// Makes an attempt with every step as printed, for the exact law tests.
    #[cfg(feature = "testing")]
    pub fn attempt_printed<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        let u = uniform_below(self.t, bits);
        let v = (0..V_MAX).find(|_| !run_from(1, 1, 1, bits))?;
        let negative = bits.bit();
        self.attempt_slow(u, v, negative, bits)
    }

    /// Expected bits of one attempt, and its probability of success.
    fn cost(&self) -> Cost {
        let j_bits = if self.t <= M_OF_32 { J_OF_32 } else { J_OF_64 };
        let redraw = self.threshold as f64 / (1_u64 << j_bits) as f64;
        let uniform_bits = f64::from((self.t + 1).ilog2()) + 1.0;
        let draw = f64::from(PREFIXES.ilog2() + 1 + j_bits) + V_EXTRA_BITS + redraw * uniform_bits;
        let (t, variance) = (self.t as f64, self.a as f64 / self.b as f64);
        // U, or enough evenly spaced values of it: the sums are smooth.
        let strata = self.t.min(512);
        let mut cost = Cost { bits: draw, accepted: 0.0 };
        for v in 0..40 {
            let share = estimated_exp_neg(v as f64) * (1.0 - estimated_exp_neg(1.0)) / strata as f64;
            for i in 0..strata {
                let u = (u128::from(2 * i + 1) * u128::from(self.t) / u128::from(2 * strata)) as f64;
                let y = u + t * v as f64;
                let signs = if y == 0.0 { 0.5 } else { 1.0 };
                let exponent = |y: f64| (y - variance / t) * (y - variance / t) / (2.0 * variance);
                let gamma = u / t + exponent(y);
                cost.accepted += share * signs * estimated_exp_neg(gamma);
                if v < self.fast {
                    let passes = gamma as u64 as f64 + 1.0;
                    cost.bits += share * passes * (f64::from(2 * COIN) + long_run_bits(gamma / passes));
                } else {
                    let start = y - t * v as f64 + t * v.min(1) as f64;
                    let parts = [u / t, exponent(start)].into_iter();
                    let steps = (2..=v).map(|w| t * (2.0 * (u + t * w as f64) - t) / (2.0 * variance) - 1.0);
                    let mut alive = share;
                    for (i, part) in parts.chain(steps).enumerate() {
                        cost.bits += alive * if i == 0 { run_bits(part) } else { coin_exp_bits(part) };
                        alive *= estimated_exp_neg(part) * if i == 0 { signs } else { 1.0 };
                    }
                }
            }
        }
        cost
    }
}

/// The average cost of an attempt.
struct Cost {
    bits: f64,
    accepted: f64,
}

/// Bits that [`draw_v`] adds to its prefix on average. A test compares it with a count.
const V_EXTRA_BITS: f64 = 0.176;

/// Expected bits of the run of γ/1 when every coin is lazy: 2 for each.
fn run_bits(gamma: f64) -> f64 {
    let (mut bits, mut reached, mut n) = (0.0, 1.0, 1.0);
    while n < 20.0 {
        bits += 2.0 * reached;
        reached *= gamma / n;
        n += 1.0;
    }
    bits
}

/// Expected bits of [`coin_exp`].
fn coin_exp_bits(gamma: f64) -> f64 {
    let (mut bits, mut reached, mut rest) = (0.0, 1.0, gamma);
    // Coins beyond the 40th are reached with probability e^-40. Counted, because γ may be above
    // 2^53, where subtracting 1 changes nothing.
    for _ in 0..40 {
        if rest < 1.0 {
            break;
        }
        // 1/1 takes no bits, 1/n takes 2.
        bits += reached * (run_bits(1.0) - 2.0);
        reached *= estimated_exp_neg(1.0);
        rest -= 1.0;
    }
    if rest < 1.0 { bits + reached * (2.0 + 3.0 * rest + long_run_bits(rest)) } else { bits }
}

/// σ² as a rational, if it is one that fits.
fn sigma_sq(law: &DiscreteGaussian) -> Option<Rational> {
    if let Width::SigmaSq(q) = law.width() {
        return Some(q);
    }
    let sigma = law.width().rational_sigma()?;
    Rational::new(sigma.num().checked_mul(sigma.num())?, sigma.den().checked_mul(sigma.den())?)
}

/// ⌊2^shift·num/den⌋ by long division; num < 2^63, den < 2^127, and the quotient fits.
fn quotient(num: u128, den: u128, shift: u32) -> u128 {
    let (mut value, mut rest) = (num / den, num % den);
    for _ in 0..shift {
        rest <<= 1;
        value = value << 1 | u128::from(rest >= den);
        rest -= if rest >= den { den } else { 0 };
    }
    value
}

/// Algorithm 1: true with probability exp(-num/den), den <= 2^120.
fn coin_exp<B: BitSource + ?Sized>(num: u128, den: u128, bits: &mut B) -> bool {
    if !(0..num / den).all(|_| run_from(1, 1, 1, bits)) {
        return false;
    }
    let rest = num % den;
    let run = (0_u64..).find(|n| !(bernoulli(1, u128::from(n + 1), bits) && bernoulli(rest, den, bits)));
    run.unwrap_or(0).is_multiple_of(2)
}

/// The order of the upper partial sums.
const ORDER: u64 = 18;
/// 18!, the unit of the regions' bounds.
const UNIT: u128 = 6_402_373_705_728_000;
/// Everything, in the unit of the bounds: 1.6·18!.
const WHOLE: u128 = UNIT / 5 * 8;

/// 18!·Σ_{i<=n} (-v)^i/i!, exact.
const fn partial_sum(v: u64, n: u64) -> u128 {
    let (mut sum, mut term, mut i) = (UNIT as i128, UNIT as i128, 1);
    while i <= n {
        // 18!/i!·v^i, an integer at every step.
        term = term / i as i128 * v as i128;
        sum += if i % 2 == 0 { term } else { -term };
        i += 1;
    }
    sum as u128
}

/// The ends of the regions: V = 0; for v = 1 … 4 V = v, then its sliver. Then the envelope of V >= 5, 2e^-5, and its
/// sliver. The rest draws again.
const ENDS: [u128; 12] = {
    let mut ends = [WHOLE; 12];
    ends[0] = UNIT;
    let mut v = 1;
    while v <= 5 {
        let copies = if v == 5 { 2 } else { 1 };
        let start = ends[2 * v - 2];
        ends[2 * v - 1] = start + copies * partial_sum(v as u64, ORDER - 1);
        ends[2 * v] = start + copies * partial_sum(v as u64, ORDER);
        v += 1;
    }
    ends
};

/// V for every prefix of lg N bits, or FAST where the prefix does not settle it.
struct VTable<const N: usize>;

impl<const N: usize> VTable<N> {
    const TABLE: &'static [u8; N] = &prefix_table(
        WHOLE,
        &ENDS,
        &{
            let mut values = [FAST as u8; 12];
            values[0] = 0;
            let mut v = 1;
            while v < FAST as usize {
                values[2 * v - 1] = v as u8;
                v += 1;
            }
            values
        },
        FAST as u8,
    );
}

/// Draws V with P(V) proportional to e^-V, V < V_MAX, given the leading `len` bits, most
/// significant first, of the uniform.
#[cold]
#[inline(never)]
fn draw_v<B: BitSource + ?Sized>(mut prefix: u64, mut len: u32, bits: &mut B) -> u64 {
    loop {
        let region = locate(prefix, len, WHOLE, ENDS.len(), |i| ENDS[i], bits) as u64;
        let v = region.div_ceil(2);
        // Even regions but the first are slivers: the series of e^-v beyond its term of order 18.
        let inside = region % 2 == 1 || region == 0 || run_from(ORDER + 1, v, 1, bits);
        if v < FAST && inside {
            return v;
        }
        if v == FAST && inside {
            // 2^-i ~ the envelope, and 2/e = 1 - 1/3 + 1/12 - … for each step of i.
            let mut i = 0;
            while i < V_MAX - FAST && bits.bit() {
                i += 1;
            }
            if i < V_MAX - FAST && (0..i).all(|_| run_from(3, 1, 1, bits)) {
                return FAST + i;
            }
        }
        (prefix, len) = (bits.bits(PREFIXES.ilog2()), PREFIXES.ilog2());
    }
}

impl Attempt for Cks {
    #[inline]
    fn attempt<B: BitSource + ?Sized>(&self, bits: &mut B) -> Option<i64> {
        let (accepted, value) = self.attempt_fast(bits);
        accepted.then_some(value)
    }
}

impl Sampler for Cks {
    const TIMING: Timing = Timing::Variable;

    fn profile(&self) -> Profile {
        let cost = self.cost();
        Profile {
            target: self.target.into(),
            exactness: Exactness::Exact,
            timing: Self::TIMING,
            support: i64::MIN..=i64::MAX,
            table_bytes: PREFIXES,
            expected_bits: cost.bits / cost.accepted,
            expected_trials: 1.0 / cost.accepted,
        }
    }

    #[inline]
    fn fill<T: Int, B: BitSource + ?Sized>(&self, bits: &mut B, out: &mut [T]) -> Result<(), RangeError> {
        fill_accepted(out, || self.attempt_fast(bits))
    }

    #[inline]
    fn sample<B: BitSource + ?Sized>(&self, bits: &mut B) -> i64 {
        first_accepted(|| self.attempt(bits))
    }
}

#[cfg(test)]
pub(super) mod tests;
