//! Rejection samplers, whose walks give brackets, against D_{Z,σ,c}.

use samplez_check::tape::ExactLaw;

/// The pmf of D_{Z,σ,c} by direct summation in doubles: relative error below 1e-12.
pub(crate) fn pmf(sigma: f64, center: f64) -> impl Fn(i64) -> f64 {
    let rho = move |x: i64| (-(x as f64 - center).powi(2) / (2.0 * sigma * sigma)).exp();
    let reach = (40.0 * sigma) as i64 + 40;
    let middle = center.round() as i64;
    let total: f64 = (middle - reach..=middle + reach).map(rho).sum();
    move |x| rho(x) / total
}

/// Whether every value's bracket holds its ideal probability.
pub(crate) fn holds(law: &ExactLaw, ideal: impl Fn(i64) -> f64) -> bool {
    law.values().all(|x| {
        let (bracket, p) = (law.bracket(x), ideal(x));
        *bracket.start() <= p * (1.0 + 1e-11) && *bracket.end() >= p * (1.0 - 1e-11)
    })
}
