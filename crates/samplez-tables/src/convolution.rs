//! Building and certifying the table of a convolution.
//!
//! Proof: docs/proofs/convolution.md.

use crate::cdt::{CdtOptions, Rounding, build_cdt};
use crate::error::{BuildError, in_range};
use crate::law::sigma;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::f64::consts::{LN_2, LOG2_E, PI};
use libm::{exp2, expm1, log2, sqrt};
use samplez_core::table::{
    CdtTable, ConvolutionTable, DEFAULT_PRECISION, MAX_LEVELS, Table, TableError, narrowed_by, norm,
};
use samplez_core::{Bound, DiscreteGaussian, ParamError, Width};

/// The limits of a convolution's cost and loss.
///
/// ```
/// use samplez_tables::ConvolutionOptions;
/// let options = ConvolutionOptions::default();
/// assert_eq!((options.precision, options.bound, options.base_sigma, options.max_bytes), (128, 128, 640, 1 << 20));
/// assert!(!options.any_legs && ConvolutionOptions::constant_time().any_legs);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvolutionOptions {
    /// The precision of the base table in bits, 1 to 256.
    pub precision: u32,
    /// The convolutions add less than 2^-bound to R_∞ - 1; 1 to 256. The base table's own distance is added to that.
    pub bound: u32,
    /// The widest base before another level is added. The fastest base depends on its sampler. Wide bases are faster if
    /// a search takes little longer in a long table, narrow ones if every threshold is compared.
    pub base_sigma: u32,
    /// Whether the legs may be any coprime numbers, where the base's width can be stated as σ². If not, they are those
    /// of right triangles with a whole hypotenuse. Any legs allow narrower bases.
    pub any_legs: bool,
    /// The most memory that the base table may take, in bytes.
    pub max_bytes: u64,
}

impl Default for ConvolutionOptions {
    /// 128 bits, 2^-128, bases up to 640, which are searched in the fastest cache; 1 MiB.
    fn default() -> Self {
        ConvolutionOptions {
            precision: DEFAULT_PRECISION,
            bound: 128,
            base_sigma: 640,
            any_legs: false,
            max_bytes: 1 << 20,
        }
    }
}

impl ConvolutionOptions {
    /// Returns the default, except for bases up to 64 and any legs. `ConvolutionCt`, which searches a tree in
    /// registers, is fastest over these.
    ///
    /// ```
    /// use samplez_core::DiscreteGaussian;
    /// use samplez_tables::{ConvolutionOptions, build_convolution};
    /// let law = DiscreteGaussian::with_sigma("215".parse()?)?;
    /// let base = |options| build_convolution(&law, &options).map(|table| (table.base().len(), table.levels()[0]));
    /// // σ = 43 by 3² + 4² = 25, and 21.83 by 4² + 9² = 97.
    /// assert_eq!(base(ConvolutionOptions::default())?, (559, (3, 4)));
    /// assert_eq!(base(ConvolutionOptions::constant_time())?, (285, (4, 9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn constant_time() -> Self {
        ConvolutionOptions { base_sigma: 64, any_legs: true, ..Self::default() }
    }
}

/// Builds the convolution for this law, with its certified bound.
///
/// It has the fewest levels whose base is at most [`ConvolutionOptions::base_sigma`] wide. The most levels, 4, take any
/// base, as do fewer if no more can be had. Each level has the longest legs that the bound allows.
///
/// # Errors
///
/// [`BuildError`]:
///
/// - a centre that is not an integer;
/// - a σ too narrow for the bound (below about 54 at 128 bits, with any legs 4.4) or too wide for `i64` (above about
///   2^57);
/// - an option out of range;
/// - a base table larger than allowed.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::{DiscreteGaussian, Rational, Width};
/// use samplez_tables::{ConvolutionOptions, build_convolution};
/// // Any form of width is met exactly: here σ = 2^50/sqrt(2π).
/// let law = DiscreteGaussian::new(Rational::ZERO, Width::S(Rational::from(1 << 50)))?;
/// let table = build_convolution(&law, &ConvolutionOptions::default())?;
/// assert_eq!(table.levels().len(), 3);
/// assert!(table.bound().log2_sd < -110.0 && table.bound().log2_rinf < -105.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_convolution(
    law: &DiscreteGaussian,
    options: &ConvolutionOptions,
) -> Result<ConvolutionTable<Vec<u32>>, BuildError> {
    let width = law.width();
    in_range("bound", options.bound, 1, 256)?;
    let refuse = |argument, value, allowed| {
        BuildError::Param(ParamError::Unsupported { method: "convolution", argument, value, allowed })
    };
    if !law.center().is_integer() {
        return Err(refuse("center", law.center(), "an integer center"));
    }
    let wide = sigma(law);
    let plan = |longest: Longest| {
        let legs = chosen(wide, options, longest);
        let product = legs.iter().try_fold(1_u128, |product, (z1, z2)| product.checked_mul(norm(*z1, *z2)?.into()));
        let narrow = product.and_then(|product| narrowed_by(law, product));
        (legs, narrow)
    };
    let (mut chosen, mut narrow) = if options.any_legs { plan(longest) } else { (Vec::new(), None) };
    if chosen.is_empty() || narrow.is_none() {
        (chosen, narrow) = plan(longest_hypotenuse);
    }
    if chosen.is_empty() {
        let wider = match width {
            Width::Sigma(_) | Width::SigmaSq(_) if options.any_legs => {
                "a wider sigma (for 128 bits about 4.4 or more, for more bits a wider one)"
            }
            _ => "a wider sigma (for 128 bits about 54 or more, for more bits a wider one)",
        };
        return Err(refuse(width.name(), width.value(), wider));
    }
    let unfit = "a sigma whose parameter, divided by the hypotenuses, has a denominator below 2^64";
    let narrow = narrow.ok_or_else(|| refuse(width.name(), width.value(), unfit))?;
    let options = CdtOptions { precision: options.precision, max_bytes: options.max_bytes, rounding: Rounding::Floor };
    let base = build_cdt(&narrow, &options).map_err(|error| BuildError::Base(Box::new(error)))?;
    let bound = {
        let table = ConvolutionTable::new(*law, base.bound(), base.view(), &chosen).map_err(|error| match error {
            TableError::Support { .. } if law.center().num().unsigned_abs() > 1 << 62 => {
                BuildError::Support { target: *law }
            }
            TableError::Support { .. } => {
                refuse(width.name(), width.value(), "a narrower sigma (to 2^57): values are i64")
            }
            error => error.into(),
        })?;
        certify_convolution(&table)
    };
    Ok(ConvolutionTable::new(*law, bound, base, &chosen)?)
}

/// Legs whose z1² + z2² is at most this, and as much as can be had.
type Longest = fn(f64) -> Option<(u64, u64)>;

/// Legs for each level, from the base up; none if σ is too narrow.
fn chosen(wide: f64, options: &ConvolutionOptions, longest: Longest) -> Vec<(u64, u64)> {
    let plans = (1..=MAX_LEVELS).map(|levels| triangles(wide, levels, options.bound, longest));
    let mut chosen = Vec::new();
    for (plan, base) in plans.take_while(Option::is_some).flatten() {
        chosen = plan;
        if base <= f64::from(options.base_sigma) {
            break;
        }
    }
    chosen
}

/// M.
fn scale((z1, z2): (u64, u64)) -> f64 {
    norm(z1, z2).map_or(f64::INFINITY, |norm| sqrt(norm as f64))
}

/// Returns the legs for each level, from the base up, with the largest M that the bound allows, and the remaining
/// width.
///
/// σ/M >= κM, where every node's ε = 2e^(-2π²κ²) is below 2^-(bound + 5). At most 15 nodes lose 2ε/(1-ε) each.
fn triangles(wide: f64, levels: usize, bound: u32, longest: Longest) -> Option<(Vec<(u64, u64)>, f64)> {
    let kappa = sqrt(f64::from(bound + 6) * LN_2 / (2.0 * PI * PI));
    let mut rest = wide;
    let mut found = Vec::new();
    for _ in 0..levels {
        let legs = longest(rest / kappa)?;
        rest /= scale(legs);
        found.insert(0, legs);
    }
    Some((found, rest))
}

/// The coprime legs with about the largest z1² + z2² up to this limit: one is small, the other as long as it may be.
fn longest(limit: f64) -> Option<(u64, u64)> {
    let limit = limit.min(1e18) as u64;
    let legs = (1..=64).filter_map(|z1: u64| Some((z1, limit.checked_sub(z1 * z1)?.isqrt())));
    let norms = legs.filter(|(z1, z2)| z1 <= z2).filter_map(|(z1, z2)| Some((norm(z1, z2)?, (z1, z2))));
    norms.max_by_key(|(norm, _)| *norm).map(|(_, legs)| legs)
}

/// Returns the coprime legs with the longest whole hypotenuse, its square up to this limit (and below 2^64).
///
/// They are m² - n² and 2mn, with the hypotenuse m² + n², for coprime m > n of different parity.
fn longest_hypotenuse(limit: f64) -> Option<(u64, u64)> {
    let limit = sqrt(limit).min(4_294_967_295.0) as u64;
    let mut best = (0, (0, 0));
    for m in 2..=limit.isqrt() {
        let most = (limit - m * m).isqrt().min(m - 1);
        // Two in a row have one of the right parity; few are not coprime to m.
        for n in (most.saturating_sub(8)..=most).rev() {
            let legs = (m * m - n * n, 2 * m * n);
            let found = m * m + n * n;
            if found > best.0 && norm(legs.0, legs.1).is_some() {
                best = (found, legs);
            }
        }
    }
    (best.0 > 0).then_some(best.1)
}

/// Returns upper bounds of the distance of the convolution's law from its target. They follow from the triangles and
/// from the base table's bound (which `certify` computes from its integers).
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{ConvolutionOptions, build_convolution, certify_convolution};
/// let law = DiscreteGaussian::with_sigma("1e9".parse()?)?;
/// let table = build_convolution(&law, &ConvolutionOptions::default())?;
/// assert_eq!(table.bound(), certify_convolution(&table));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify_convolution<S: AsRef<[u32]>>(table: &ConvolutionTable<S>) -> Bound {
    let levels = table.levels();
    let leaves = exp2(levels.len() as f64);
    let base = table.base().bound();
    // Over all nodes: ln of R_∞, and the statistical distance. And of each level's law: sqrt(R_2 - 1).
    let (mut ln_rinf, mut sd) = (0.0, 0.0);
    let mut chi = sqrt(exp2(base.renyi(2).unwrap_or(f64::INFINITY)) * SLACK);
    let mut width = sigma(table.base().target());
    for (i, (z1, z2)) in levels.iter().enumerate() {
        let m = scale((*z1, *z2));
        let nodes = exp2((levels.len() - 1 - i) as f64);
        let epsilon = smoothing(width / m);
        let lost = 2.0 * epsilon / (1.0 - epsilon);
        // ln((1 + ε)/(1 - ε)) <= 2ε/(1 - ε)
        ln_rinf += nodes * lost * SLACK;
        sd += nodes * 0.5 * lost * SLACK;
        let of_pairs = chi * chi * (2.0 + chi * chi);
        chi = (lost + sqrt((1.0 + lost) * of_pairs)) * SLACK;
        width *= m;
    }
    // R = R_base^leaves · R_∞ of the nodes; ln(1 + x) <= x.
    let divergence = |log2_base: f64| {
        let exponent = leaves * exp2(log2_base) + ln_rinf;
        log2_up(expm1(exponent * SLACK) * SLACK)
    };
    let log2_rinf = divergence(base.log2_rinf);
    // R_a - 1 <= a/2 · R_∞^(a-2) · (R_2 - 1)
    let by_square = |order: u32| {
        let growth = f64::from(order - 2) * exp2(log2_rinf) * LOG2_E;
        (log2_up(0.5 * f64::from(order) * chi * chi * SLACK) + growth).next_up()
    };
    let log2_tail = log2_up(leaves * exp2(base.log2_tail) * libm::exp(ln_rinf) * SLACK).min(0.0);
    Bound::new(
        log2_up((leaves * exp2(base.log2_sd) + sd).min(0.5 * chi) * SLACK).min(0.0),
        base.log2_renyi.map(|(order, log2)| (order, divergence(log2).min(by_square(order)).min(log2_rinf))),
        log2_rinf,
        reached(table).map_or(log2_tail, |reach| log2_tail.min(mass_beyond(reach, sigma(table.target())))),
    )
}

/// Returns a number up to which, in absolute value, every integer less the centre is a possible sum.
///
/// Let a level's samples take all values to ±G. Then z1 Y1 + z2 Y2 takes every x with (z1 + z2)G - |x| >= (z1 - 1)(z2 -
/// 1), where 2G is not below either leg less 1. An integer that is not a sum of legs is less than that (Frobenius).
fn reached<S: AsRef<[u32]>>(table: &ConvolutionTable<S>) -> Option<u64> {
    table.levels().iter().try_fold(unbroken(table.base()), |reach, (z1, z2)| {
        let wide_enough = 2 * reach >= z1.max(z2) - 1;
        ((z1 + z2) * reach).checked_sub((z1 - 1) * (z2 - 1)).filter(|_| wide_enough)
    })
}

/// The largest value of a folded table such that it and all smaller ones have weight.
fn unbroken<S: AsRef<[u32]>>(base: &CdtTable<S>) -> u64 {
    let (heads, others) = base.digits().split_at(base.len());
    let each = base.precision().div_ceil(32) as usize - 1;
    let threshold = |j: usize| (heads[j], &others[j * each..(j + 1) * each]);
    let last = base.len().saturating_sub(1);
    let broken = (0..last).find(|j| threshold(*j) == threshold(j + 1));
    let ends = threshold(last).0 == 0 && threshold(last).1.iter().all(|digit| *digit == 0);
    broken.unwrap_or(base.len() - usize::from(ends)) as u64
}

/// Returns log2 of an upper bound of P(|X| > reach) around an integer, 1 at most. The sum beyond is below the integral,
/// (σ²/reach)·ρ(reach). The total is at least σ sqrt(2π).
fn mass_beyond(reach: u64, sigma: f64) -> f64 {
    let t = reach as f64 / sigma;
    let exponent = 0.5 * LOG2_E * t * t * (1.0 - 1.0 / (1_u64 << 44) as f64);
    (log2_up(sqrt(2.0 / PI) / t * SLACK) - exponent).next_up().min(0.0)
}

/// Far above what rounding of a few operations costs.
const SLACK: f64 = 1.0 + 1.0 / (1_u64 << 40) as f64;

/// ε >= 2 Σ_{j>=1} e^(-2π²r²j²), below 1; 1 where the sum may be 1 or more.
///
/// For r >= 1/4 the first ratio of terms is e^(-6π²r²) < 1/32. The exponent's relative error, a
/// few dozen units in the last place of at most 2^11, is covered by 2^-44 of it.
fn smoothing(r: f64) -> f64 {
    let exponent = 2.0 * PI * PI * r * r * (1.0 - 1.0 / (1_u64 << 44) as f64);
    if r < 0.25 {
        return 1.0;
    }
    (2.0 * libm::exp(-exponent) * (1.0 + 2.0 * libm::exp(-3.0 * exponent)) * SLACK).clamp(f64::MIN_POSITIVE, 1.0)
}

/// log2, rounded up; -∞ for 0.
fn log2_up(x: f64) -> f64 {
    if x == 0.0 { f64::NEG_INFINITY } else { log2(x).next_up().next_up() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Direct sums over a fibre, at both extremes; for \[DDLL13\]'s legs 11 and 1 at s = 19.466,
    /// summed in 1200 bits by mpmath, 2^-87.450010.
    #[test]
    fn smoothing_is_what_a_direct_sum_gives() {
        let theta = |r: f64, t: f64| -> f64 {
            let terms = (-60..=60).map(|k| libm::exp(-(f64::from(k) + t) * (f64::from(k) + t) / (2.0 * r * r)));
            terms.sum::<f64>() / (r * sqrt(2.0 * PI)) - 1.0
        };
        for r in [0.3, 0.5, 0.7, 1.0, 1.2] {
            let (epsilon, direct) = (smoothing(r), theta(r, 0.0).abs().max(theta(r, 0.5).abs()));
            assert!(direct <= epsilon * (1.0 + 1e-3) && epsilon < direct * 1.02 + 1e-15, "{r}: {direct} {epsilon}");
        }
        let bliss = log2(smoothing(19.466 / sqrt(122.0)));
        assert!(bliss > -87.450_011 && bliss < -87.450_009, "{bliss}");
        assert!(smoothing(0.2) == 1.0 && smoothing(40.0) > 0.0);
    }

    /// Every value to `reached` is a sum; the next one is not, over one level. A value without weight ends the base there.
    #[test]
    fn what_is_reached() {
        let folded = |thresholds: &[u32]| {
            let digits: Vec<u32> = thresholds.iter().map(|threshold| threshold << 24).collect();
            let unknown = Bound::TRIVIAL;
            let law = DiscreteGaussian::with_sigma(1.into()).unwrap();
            CdtTable::new(law, unknown, samplez_core::table::Shape::Folded, 0, 8, digits).unwrap()
        };
        let falling: Vec<u32> = (1..=20).rev().collect();
        for (thresholds, values, legs) in [
            (&falling[..], 20, &[(3, 4)][..]),
            (&falling, 20, &[(12, 5)]),
            (&falling[..9], 9, &[(3, 4), (5, 12)]),
            (&falling, 20, &[(4, 3), (21, 20)]),
            (&[9, 7, 7, 5, 2], 1, &[(3, 4)]),
            (&[9, 7, 4, 0, 0], 3, &[(4, 3)]),
            (&[0], 0, &[(3, 4)]),
        ] {
            let base = folded(thresholds);
            assert_eq!(unbroken(&base), values, "{thresholds:?}");
            let m = legs.iter().map(|(z1, z2)| norm(*z1, *z2).unwrap().isqrt()).product::<u64>() as i64;
            let target = DiscreteGaussian::with_sigma(m.into()).unwrap();
            let table = ConvolutionTable::new(target, base.bound(), base, legs).unwrap();
            let mut sums: alloc::collections::BTreeSet<i64> = (-(values as i64)..=values as i64).collect();
            for (z1, z2) in legs {
                let (z1, z2) = (*z1 as i64, *z2 as i64);
                sums = sums.iter().flat_map(|a| sums.iter().map(move |b| z1 * a + z2 * b)).collect();
            }
            let Some(reach) = reached(&table).map(|reach| reach as i64) else {
                assert!(values < 2, "{thresholds:?} {legs:?}");
                continue;
            };
            assert!((-reach..=reach).all(|x| sums.contains(&x)), "{thresholds:?} {legs:?}: {reach}");
            assert!(legs.len() > 1 || !sums.contains(&(reach + 1)), "{thresholds:?} {legs:?}: {reach}");
            assert!(reach as f64 > 0.7 * *table.support().end() as f64 || values < 9, "{legs:?}: {reach}");
        }
        let law = crate::Law::new(&DiscreteGaussian::with_sigma("43".parse().unwrap()).unwrap());
        for reach in [30_u64, 60, 200, 700, 1500] {
            let (bound, exact) = (mass_beyond(reach, 43.0), log2(2.0 * law.sf(reach as i64)));
            assert!(exact <= bound && bound < exact + 1.5, "{reach}: {exact} {bound}");
        }
    }

    #[test]
    fn longest_hypotenuses() {
        let legs = [24.9, 25.0, 166.0].map(longest_hypotenuse);
        assert_eq!(legs, [None, Some((3, 4)), Some((3, 4))]);
        for limit in [13.0, 100.0, 1000.0, 12345.0, 1e7, 4e9] {
            let (z1, z2) = longest_hypotenuse(limit * limit).unwrap();
            let m = norm(z1, z2).unwrap().isqrt() as f64;
            assert!(m <= limit && m > limit * 0.95, "{limit}: {m}");
        }
    }

    #[test]
    fn longest_legs() {
        assert_eq!([1.9, 2.0, 4.9, 99.0].map(longest), [None, Some((1, 1)), Some((1, 1)), Some((4, 9))]);
        for limit in [10.0, 99.0, 460.0, 12345.0, 1e9, 1e15, 1e18] {
            let (z1, z2) = longest(limit).unwrap();
            let norm = norm(z1, z2).unwrap() as f64;
            assert!(norm <= limit && norm > limit * 0.97 - 2.0, "{limit}: {norm}");
        }
    }
}
