//! How fast a method is on machines like this one: what a plan says. What it chooses does not depend on it.
//!
//! `cargo tools measure-speeds` measures every method at a few laws in each class of machines, and writes speeds/. Between
//! these laws the ratio of what was measured to the planner's estimate is taken, so that options count as they do there.

use crate::method::{Ask, Method};
use crate::options::Options;
use samplez_core::arch::Backend;
use samplez_core::params::{DiscreteGaussian, Rational, Width};

/// The instructions that decide how fast samplers are here, by the name of their file in speeds/. Where none was measured, NEON
/// among them, it is the portable text's: its registers have 128 bits on x86-64 too.
pub(crate) fn instructions() -> &'static str {
    if cfg!(all(target_arch = "wasm32", samplez_backend = "simd128")) {
        "simd128"
    } else if cfg!(target_arch = "wasm32") {
        "wasm"
    } else {
        Backend::current().name()
    }
}

/// What was measured in this class: lines `method,width,value,million samples a second`, in any order.
fn lines() -> &'static str {
    match instructions() {
        #[cfg(target_arch = "wasm32")]
        "simd128" => include_str!("speeds/simd128.csv"),
        #[cfg(target_arch = "wasm32")]
        "wasm" => include_str!("speeds/wasm.csv"),
        #[cfg(target_arch = "x86_64")]
        "avx2" => include_str!("speeds/avx2.csv"),
        #[cfg(target_arch = "x86_64")]
        "avx512" => include_str!("speeds/avx512.csv"),
        #[cfg(not(target_arch = "wasm32"))]
        _ => include_str!("speeds/scalar.csv"),
        #[cfg(target_arch = "wasm32")]
        _ => "",
    }
}

/// The law of a line for this method, and its speed.
fn point(line: &str, of: Method) -> Option<(DiscreteGaussian, f64)> {
    let [method, width, value, speed] = line.split(',').collect::<Vec<_>>().try_into().ok()?;
    let value = value.parse().ok().filter(|_| method == of.name())?;
    let width = if width == "k_sigma2" { Width::KSigma2(value) } else { Width::Sigma(value) };
    Some((DiscreteGaussian::new(Rational::from(0), width).ok()?, speed.parse().ok()?))
}

/// σ, and the planner's estimate of the speed as it was measured: with the options by default, and where these ask for more bits than
/// the method is close to its law, with the wish that lets it be.
fn estimated(method: Method, law: &DiscreteGaussian) -> Option<(f64, f64)> {
    let wish = Options { isochronous: Some(true), ..Options::default() };
    [Options::default(), wish].iter().find_map(|options| {
        let ask = Ask::new(law, options);
        Some((ask.sigma, method.cost(&ask).ok()?.speed))
    })
}

/// Million samples a second here, of a method for which the planner estimates `estimate` at this σ: between the laws that were
/// measured linear in logarithms, outside as at the nearest.
pub(crate) fn here(method: Method, sigma: f64, estimate: f64) -> f64 {
    let points = lines().lines().filter_map(|line| {
        let (law, speed) = point(line, method)?;
        let (sigma, estimate) = estimated(method, &law)?;
        Some((sigma.ln(), (speed / estimate).ln()))
    });
    let at = sigma.ln();
    // The nearest on either side; lines of different forms of the width are not in one order.
    let (mut before, mut after) = (None::<(f64, f64)>, None::<(f64, f64)>);
    for point in points {
        if point.0 <= at {
            before = before.filter(|best| best.0 >= point.0).or(Some(point));
        } else {
            after = after.filter(|best| best.0 <= point.0).or(Some(point));
        }
    }
    let ratio = match (before, after) {
        (Some((low, from)), Some((high, to))) => from + (to - from) * (at - low) / (high - low),
        (Some((_, ratio)), None) | (None, Some((_, ratio))) => ratio,
        (None, None) => 0.0,
    };
    estimate * ratio.exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At a law that was measured it is what was measured.
    #[test]
    fn what_was_measured_is_said() {
        let mut found = 0;
        for method in Method::ALL {
            for (law, speed) in lines().lines().filter_map(|line| point(line, method)) {
                let (sigma, estimate) = estimated(method, &law)
                    .unwrap_or_else(|| panic!("{method}: no estimate at {law}: see src/method/speed.rs"));
                let said = here(method, sigma, estimate);
                assert!((said / speed - 1.0).abs() < 1e-9, "{method} {law}: {said}, {speed}");
                // Half of the estimate, as of half of the memory.
                assert!((here(method, sigma, estimate / 2.0) / speed - 0.5).abs() < 1e-9);
                found += 1;
            }
        }
        assert!(found >= 3 * Method::ALL.len(), "{found}");
    }

    #[test]
    fn every_line_is_read_and_every_method_has_one() {
        let text = lines();
        for method in Method::ALL {
            assert!(text.lines().any(|line| point(line, method).is_some()), "{method}");
        }
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            assert!(Method::ALL.into_iter().any(|method| point(line, method).is_some()), "{line}");
        }
    }

    #[test]
    fn between_laws_ratios_are_between() {
        let ratio = |sigma: f64| here(Method::Karney, sigma, 1.0);
        let (low, high) = (ratio(3.2), ratio(19.5));
        let middle = ratio((3.2_f64 * 19.5).sqrt());
        assert!((middle / (low * high).sqrt() - 1.0).abs() < 1e-6, "{low} {middle} {high}");
        assert_eq!(ratio(1e-3), ratio(0.1));
    }
}
