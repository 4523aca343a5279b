//! The law that values are judged by, moved by a whole number so that its centre is at most 1/2 from zero.
//!
//! All statistics are taken of y = x - shift: exact for any centre, however large.

mod own;

pub(super) use own::laplace_sum_log;

use super::{MAX_BINS, power};
use core::ops::RangeInclusive;
use own::Own;
use samplez_core::{NoiseLaw, ParamError, Rational};
use samplez_tables::{Law, TargetLaw};

/// From this σ on, all moments and residues are those of the continuous Gaussian. By Poisson's formula they differ by
/// less than 2e^(-2π²·16), about 2^-454, times a polynomial.
const SMOOTH: f64 = 4.0;

/// From this b on, the moments of TUniform(b) are those of a formula.
const WIDE: u32 = 12;

/// From this scale on, the residues of a rounded Laplace law are those of a formula.
const LEAST_SCALE: f64 = 1.0 / 16.0;

/// Moments of order 0 … 16.
pub(super) const ORDERS: usize = 17;

/// Residues modulo 16 are counted.
pub(super) const RESIDUES: usize = 16;

/// The tests of order see at most so many cells.
const CELLS: u64 = 1024;

#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) law: TargetLaw,
    /// x = y + shift.
    pub(super) shift: i64,
    /// The range of y, except for a mass of 2^-64 on each side.
    pub(super) range: RangeInclusive<i64>,
    /// The range of y, except for a mass of 2^-1000 on each side.
    far: RangeInclusive<i64>,
    /// The centre of y, in -1/2 ..= 1/2.
    pub(super) center: f64,
    pub(super) sigma: f64,
    pub(super) mean: f64,
    pub(super) variance: f64,
    /// The law of y.
    near: TargetLaw,
    /// Whether a range or a modulus matters.
    is_cut: bool,
    own: Option<Own>,
}

impl Target {
    pub(super) fn new(law: &TargetLaw) -> Result<Self, ParamError> {
        let parameters = law.parameters();
        let (argument, value) = match (parameters, law.noise()) {
            (Some(parameters), _) => (parameters.width().name(), parameters.width().value()),
            // Of finite laws, this one alone may be refused; others where they are cut.
            (None, Some(NoiseLaw::TUniform { bound_log2 })) => ("bound_log2", Rational::from(i64::from(*bound_log2))),
            (None, Some(NoiseLaw::DiscreteLaplace { scale })) => ("scale", *scale),
            (None, None) if law.rounded_scale().is_some() => ("scale", law.rounded_scale().unwrap_or(Rational::ZERO)),
            (None, _) => ("law", Rational::ZERO),
        };
        let refused = |allowed| ParamError::Unsupported { method: "verify", argument, value, allowed };
        let too_wide = refused("laws whose mass lies within 64 bits: sigma up to about 2^57");
        let shift = match parameters {
            Some(parameters) => split(parameters.center()).0,
            None if law.noise().is_some() || law.rounded_scale().is_some() => 0,
            // A sum or weights.
            None => law.mean_and_variance().map_or(0, |(mean, _)| libm::round(mean) as i64),
        };
        let near = law.moved(shift).ok_or(too_wide)?;
        let range = near.tail_range(-64.0).ok_or(too_wide)?;
        let range = aligned(range);
        let far = near.tail_range(-1000.0).ok_or(too_wide)?;
        let is_cut = near.is_cut();
        let allowed = "at most 65536 values where a clip, a range or a modulus cuts the law";
        let few = match law.modulus() {
            Some(q) => {
                let value = Rational::from(i64::try_from(q).unwrap_or(i64::MAX));
                ParamError::Unsupported { method: "verify", argument: "modulus", value, allowed }
            }
            // A recipe's clip cuts about 0.
            None if is_cut && matches!(law.noise(), Some(NoiseLaw::DiscreteLaplace { .. })) => {
                let value = Rational::from(*law.support().end());
                ParamError::Unsupported { method: "verify", argument: "clip", value, allowed }
            }
            None => refused(allowed),
        };
        let (mean, variance) = near.mean_and_variance().ok_or(few)?;
        let center = match near.parameters() {
            Some(parameters) => parameters.center().to_f64(),
            None if near.noise().is_some() || near.rounded_scale().is_some() || mean.abs() < 1e-9 => 0.0,
            None => mean.clamp(-0.5, 0.5),
        };
        Ok(Target {
            law: law.clone(),
            shift,
            range,
            far,
            center,
            sigma: near.parameters().map_or(variance.sqrt(), |parameters| Law::new(parameters).sigma()),
            mean,
            variance,
            near,
            is_cut,
            own: None,
        })
    }

    /// The y of a value x: for a law modulo q, the one about the centre with its residue.
    pub(super) fn place(&self, x: i64) -> i64 {
        let Some(q) = self.near.modulus() else { return x.saturating_sub(self.shift) };
        // At most 2^64. The window about 0 begins within 64 bits.
        let (first, q) = (i128::from(*self.near.support().start()), q as i128);
        ((i128::from(x) - i128::from(self.shift) - first).rem_euclid(q) + first) as i64
    }

    /// Whether [`place`](Self::place) is more than a shift.
    pub(super) fn is_reduced(&self) -> bool {
        self.near.modulus().is_some()
    }

    /// P(Y in range).
    pub(super) fn mass(&self, range: RangeInclusive<i64>) -> f64 {
        match &self.own {
            None => self.near.mass(range),
            Some(own) => own.mass(self, range),
        }
    }

    /// The law of X + `by`.
    pub(super) fn shifted(self, by: i64) -> Self {
        Target { shift: self.shift.saturating_add(by), ..self }
    }

    fn pmf(&self, y: i64) -> f64 {
        self.mass(y..=y)
    }

    /// The law of y with the same parameters from the other family, rounded normals or D_Z. `None` for a law that is cut, and of finite laws.
    pub(super) fn other(&self) -> Option<TargetLaw> {
        let whole = !self.is_cut && !self.is_reduced() && self.own.is_none();
        let parameters = self.near.parameters().filter(|_| whole)?;
        if self.near.is_rounded() { Some(parameters.into()) } else { TargetLaw::rounded(parameters).ok() }
    }

    /// Returns another law with the cells, places and units of this one; `None` if it has too many values for sums.
    pub(super) fn as_other(&self, law: &TargetLaw) -> Option<Self> {
        let near = law.moved(self.shift)?;
        let far = near.tail_range(-128.0)?;
        let is_narrow = far.end().abs_diff(*far.start()) <= 1 << 16;
        // With `is_cut`, its moments and residues are sums over `far`.
        is_narrow.then(|| Target { law: law.clone(), near, far, is_cut: true, own: None, ..self.clone() })
    }

    /// The largest probability, or a number above it; `None` for a law that a modulus changes.
    pub(super) fn most(&self) -> Option<f64> {
        if self.is_reduced() && self.is_cut {
            return None;
        }
        if let Some(own) = &self.own {
            return Some(own.most(self));
        }
        if let Some(most) = self.near.greatest() {
            return Some(most);
        }
        // All other laws fall on either side of the centre, which is within 1/2 of 0.
        let support = self.near.support();
        let (low, high) = (*support.start(), *support.end());
        let masses = [-1, 0, 1].map(|y| self.pmf(y.clamp(low, high)));
        Some(masses.into_iter().fold(0.0, f64::max)).filter(|most| *most > 0.0)
    }

    /// Returns the standard deviation, or `None` where Y is constant except for a mass below 1e-30.
    pub(super) fn deviation(&self) -> Option<f64> {
        (self.variance > 1e-30).then(|| self.variance.sqrt())
    }

    /// E\[T^k\] for k = 0 … 16, where T = (Y - mean)/deviation.
    pub(super) fn moments(&self) -> [f64; ORDERS] {
        let mut moments = [0.0; ORDERS];
        let Some(deviation) = self.deviation() else { return moments };
        if let Some(moments) = self.own.as_ref().and_then(|own| own.moments(self, deviation)) {
            return moments;
        }
        if let (Some(NoiseLaw::TUniform { bound_log2: b @ WIDE.. }), false) = (self.near.noise(), self.is_cut) {
            let end = f64::from(*b).exp2();
            return core::array::from_fn(
                |k| if k % 2 == 0 { trapezium(k, end) * power(end / deviation, k) } else { 0.0 },
            );
        }
        if let (Some(NoiseLaw::DiscreteLaplace { .. }), false) = (self.near.noise(), self.is_cut) {
            return laplace_moments(self.variance, deviation);
        }
        if let (Some(scale), false) = (self.near.rounded_scale(), self.is_cut) {
            let more = more_beside_zero(scale.to_f64());
            let moments = laplace_moments(self.variance / more, deviation);
            return core::array::from_fn(|k| if k == 0 { 1.0 } else { more * moments[k] });
        }
        if self.is_smooth(SMOOTH) {
            moments[0] = 1.0;
            for k in (2..ORDERS).step_by(2) {
                moments[k] = moments[k - 2] * (k - 1) as f64;
            }
            if self.near.is_rounded() {
                moments = with_uniform(&moments, self.sigma / deviation, 0.5 / deviation);
            }
        } else {
            for y in self.far.clone() {
                let (mass, t) = (self.pmf(y), (y as f64 - self.mean) / deviation);
                for (k, moment) in moments.iter_mut().enumerate() {
                    *moment += mass * power(t, k);
                }
            }
        }
        moments
    }

    /// Whether the law is a whole Gaussian of at least this σ, rounded or not.
    fn is_smooth(&self, sigma: f64) -> bool {
        self.own.is_none() && self.near.parameters().is_some() && self.sigma >= sigma && !self.is_cut
    }

    /// P(Y mod 16 = r) for r = 0 … 15.
    pub(super) fn residues(&self) -> [f64; RESIDUES] {
        if let Some(residues) = self.own.as_ref().and_then(|own| own.residues(self)) {
            return residues;
        }
        // A period of TUniform is 2^(b + 1), and both ends are 0 modulo 16.
        if let (Some(NoiseLaw::TUniform { bound_log2: 4.. }), false) = (self.near.noise(), self.is_cut) {
            return [1.0 / RESIDUES as f64; RESIDUES];
        }
        if let (Some(NoiseLaw::DiscreteLaplace { scale }), false) = (self.near.noise(), self.is_cut) {
            return laplace_residues(scale.to_f64());
        }
        let scale = self.near.rounded_scale().map_or(0.0, |scale| scale.to_f64());
        if scale >= LEAST_SCALE && !self.is_cut {
            let mut masses = laplace_residues(scale).map(|p| more_beside_zero(scale) * p);
            masses[0] = 1.0 - masses[1..].iter().sum::<f64>();
            return masses;
        }
        // The Fourier coefficients of Y mod 16 are at most e^(-2π²(σ/16)²): 2^-113 at σ = 32.
        if self.is_smooth(2.0 * RESIDUES as f64) {
            return [1.0 / RESIDUES as f64; RESIDUES];
        }
        let mut masses = [0.0; RESIDUES];
        for y in self.far.clone() {
            masses[y.rem_euclid(RESIDUES as i64) as usize] += self.pmf(y);
        }
        masses
    }

    /// The values that lie on one side of the centre: the last below it, the first above it.
    pub(super) fn sides(&self) -> (i64, i64) {
        (if self.center > 0.0 { 0 } else { -1 }, if self.center < 0.0 { 0 } else { 1 })
    }

    /// The y whose probability is tested by itself: x = 0 if that is within σ of the centre,
    /// otherwise the integer nearest to the centre.
    pub(super) fn marked(&self) -> i64 {
        let zero = self.shift.checked_neg().unwrap_or(0);
        if (zero as f64 - self.center).abs() <= self.sigma { zero } else { 0 }
    }

    /// The width, as its logarithm, of the cells that the tests of order see.
    pub(super) fn log2_cell(&self) -> u32 {
        log2_width(&self.range, CELLS)
    }

    /// The least power of two, as its logarithm, by which `range` is cut into at most
    /// [`MAX_BINS`] intervals.
    pub(super) fn log2_bin(&self) -> u32 {
        log2_width(&self.range, MAX_BINS)
    }
}

/// E\[(Y/d)^k\] of a discrete Laplace law of variance v = d². P(x - 1) + P(x + 1) = (2 + 2/v)·P(x) for x other than 0. So for even k >= 2
/// E\[(Y + 1)^k + (Y - 1)^k\] = (2 + 2/v)·E\[Y^k\], whose powers of the sum give E\[Y^k\] = v·Σ C(k, j)·E\[Y^(k - j)\] over even j >= 2.
fn laplace_moments(variance: f64, deviation: f64) -> [f64; ORDERS] {
    let mut moments = [0.0; ORDERS];
    moments[0] = 1.0;
    for k in (2..ORDERS).step_by(2) {
        let mut binomial = 1.0;
        for j in 1..=k {
            binomial = binomial * (k - j + 1) as f64 / j as f64;
            if j % 2 == 0 {
                moments[k] += binomial * moments[k - j] * variance / power(deviation, j);
            }
        }
    }
    moments
}

/// How many times the mass of a discrete Laplace law the rounded one has at each value but 0: sinh(1/2λ)/tanh(1/2λ).
fn more_beside_zero(scale: f64) -> f64 {
    libm::cosh(0.5 / scale)
}

/// P(Y mod 16 = r) of a discrete Laplace law: (1 - q)/(1 + q)·(q^r + q^(16 - r))/(1 - q^16).
fn laplace_residues(scale: f64) -> [f64; RESIDUES] {
    let q = |k: usize| libm::exp(-(k as f64) / scale);
    let less = |k: f64| -libm::expm1(-k / scale);
    let share = less(1.0) / (1.0 + q(1)) / less(RESIDUES as f64);
    core::array::from_fn(|r| share * (q(r) + q(RESIDUES - r)))
}

/// E\[(Y/n)^k\] of TUniform, for even k and n = 2^b from 2^12 on. The law gives the trapezium rule for the mean of f over -n ..= n. So it is
/// 1/(k + 1) and the terms of Euler and Maclaurin's formula; the omitted ones are below 2^-60.
fn trapezium(k: usize, n: f64) -> f64 {
    // B_2/2!, B_4/4!, and the falling factorials of k.
    let (k, step) = (k as f64, 1.0 / (n * n));
    let falling = k * (k - 1.0) * (k - 2.0);
    1.0 / (k + 1.0) + k * step / 12.0 - falling * step * step / 720.0
}

/// The even moments of aT + U, where T has these and U is uniform from -b to b: E\[U^k\] = b^k/(k + 1).
///
/// By Poisson's formula a wide rounded normal has nearly these moments.
fn with_uniform(moments: &[f64; ORDERS], a: f64, b: f64) -> [f64; ORDERS] {
    let mut sums = [0.0; ORDERS];
    for n in (0..ORDERS).step_by(2) {
        let mut binomial = 1.0;
        for k in 0..=n {
            if k % 2 == 0 {
                sums[n] += binomial * moments[n - k] * power(a, n - k) * power(b, k) / (k + 1) as f64;
            }
            binomial = binomial * (n - k) as f64 / (k + 1) as f64;
        }
    }
    sums
}

/// The least power of two, as its logarithm, that cuts the range into at most so many intervals and one.
pub(super) fn log2_width(range: &RangeInclusive<i64>, most: u64) -> u32 {
    (range.end().abs_diff(*range.start()) / most).checked_ilog2().map_or(0, |bits| bits + 1)
}

/// The range, whose cells of many integers begin at their multiples, so that -y lies in the mirror image of y's cell.
fn aligned(range: RangeInclusive<i64>) -> RangeInclusive<i64> {
    let bits = log2_width(&range, CELLS);
    if bits == 0 { range } else { range.start() >> (bits + 1) << (bits + 1)..=*range.end() }
}

/// c as (the nearest integer, the rest in -1/2 ..= 1/2), exactly.
fn split(center: Rational) -> (i64, Rational) {
    let den = i128::from(center.den());
    let floor = center.floor();
    let above = i128::from(center.num()) - i128::from(floor) * den;
    // The rest is at most den/2 < 2^63 in units of 1/den; only c with den >= 2 rounds up, so
    // floor + 1 fits.
    let (shift, rest) = if 2 * above > den { (floor + 1, above - den) } else { (floor, above) };
    (shift, Rational::new(rest as i64, center.den()).unwrap_or(Rational::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::{DiscreteGaussian, Width};

    #[test]
    fn centers_split_exactly() {
        let cases = [
            ("0", 0, "0"),
            ("1/2", 0, "1/2"),
            ("2/3", 1, "-1/3"),
            ("-7.25", -7, "-1/4"),
            ("-1/2", -1, "1/2"),
            ("3000001/3", 1_000_000, "1/3"),
            ("9223372036854775807", i64::MAX, "0"),
            ("9223372036854775807/2", i64::MAX / 2, "1/2"),
            ("1/18446744073709551615", 0, "1/18446744073709551615"),
        ];
        for (center, shift, rest) in cases {
            assert_eq!(split(center.parse().unwrap()), (shift, rest.parse().unwrap()), "{center}");
        }
        assert_eq!(split(Rational::from(i64::MIN)), (i64::MIN, Rational::ZERO));
        let almost = Rational::new(i64::MAX - 1, u64::MAX / 2 + 1).unwrap();
        assert_eq!(split(almost), (1, Rational::new(-1, 1 << 62).unwrap()));
    }

    #[test]
    fn sides_leave_out_the_center_only() {
        for (center, sides, at) in [("0", (-1, 1), 1), ("1/2", (0, 1), 0), ("-7.25", (-1, 0), 0), ("1e9", (-1, 1), 1)] {
            let dist = DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(Rational::from(3))).unwrap();
            let target = Target::new(&(&dist).into()).unwrap();
            assert_eq!(target.sides(), sides, "{center}");
            assert_eq!(sides.1 - sides.0 - 1, at);
        }
    }

    #[test]
    fn moments_and_residues_join_smoothly() {
        // The sums below the limit of smoothness against the closed forms above it.
        let law = |sigma: &str| DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap();
        let target = |sigma: &str| Target::new(&(&law(sigma)).into()).unwrap();
        let rounded = |sigma: &str| Target::new(&TargetLaw::rounded(&law(sigma)).unwrap()).unwrap();
        for (below, above) in [(target("3.999"), target("4")), (rounded("3.999999"), rounded("4"))] {
            let (below, above) = (below.moments(), above.moments());
            for k in 0..ORDERS {
                assert!(
                    (below[k] - above[k]).abs() <= 1e-6 * above[k].max(1.0),
                    "order {k}: {} {}",
                    below[k],
                    above[k]
                );
            }
        }
        // TUniform: the formula against sums over all values.
        let finite = NoiseLaw::TUniform { bound_log2: WIDE };
        let tuniform = Target::new(&TargetLaw::finite(&finite).unwrap()).unwrap();
        let deviation = finite.variance().unwrap().sqrt();
        for (k, moment) in tuniform.moments().into_iter().enumerate() {
            let term = |y: i64| finite.mass(y..=y).unwrap() * power(y as f64 / deviation, k);
            let sum: f64 = (-1 << WIDE..=1 << WIDE).map(term).sum();
            assert!((moment - sum).abs() <= 1e-12 * sum.max(1.0), "order {k}: {moment} {sum}");
        }
        // Discrete Laplace: the formulas against sums over all values.
        for scale in ["1/3", "7/2", "40"] {
            let finite = NoiseLaw::DiscreteLaplace { scale: scale.parse().unwrap() };
            let laplace = Target::new(&TargetLaw::finite(&finite).unwrap()).unwrap();
            let (deviation, mut residues) = (finite.variance().unwrap().sqrt(), [0.0; RESIDUES]);
            let masses: Vec<f64> = (0..=4000).map(|y| laplace.mass(y..=y)).collect();
            for (k, moment) in laplace.moments().into_iter().enumerate() {
                let term = |(y, p): (usize, &f64)| p * power(y as f64 / deviation, k);
                let half: f64 = masses.iter().enumerate().skip(1).map(term).sum();
                let sum = if k == 0 {
                    1.0
                } else if k % 2 == 0 {
                    2.0 * half
                } else {
                    0.0
                };
                assert!((moment - sum).abs() <= 1e-11 * sum.max(1.0), "{scale}, order {k}: {moment} {sum}");
            }
            for (y, mass) in masses.iter().enumerate() {
                residues[y % RESIDUES] += mass;
                residues[(RESIDUES - y % RESIDUES) % RESIDUES] += if y > 0 { *mass } else { 0.0 };
            }
            let all = laplace.residues().into_iter().zip(residues);
            assert!(
                all.clone().all(|(found, sum)| (found - sum).abs() < 1e-13),
                "{scale}: {:?}",
                all.collect::<Vec<_>>()
            );
        }
        // A clip that cuts nothing off changes nothing.
        let clipped = |bound: &str| Target::new(&TargetLaw::from(&law("5")).clipped(bound.parse().unwrap()).unwrap());
        let (all, some) = (clipped("500").unwrap().moments(), clipped("15").unwrap().moments());
        assert!(all == target("5").moments() && (some[2] - 1.0).abs() < 1e-12 && some[4] < 2.95, "{some:?}");
        assert!(target("31.9").residues().iter().all(|p| (p - 0.0625).abs() < 1e-12));
        assert!((target("0.5").residues().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
