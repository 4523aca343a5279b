//! The measured speeds of the methods, by class of machine: the figures in a plan. The planner's choice does not depend
//! on them.
//!
//! `cargo tools measure-speeds` measures every method at a few laws with default options in each class of machines, and writes
//! speeds/.

use crate::method::Method;
use samplez_core::arch::Backend;
use samplez_core::{DiscreteGaussian, Rational, Width};
use samplez_tables::Law;

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

/// Returns the measurements of this class: lines `method,width,value,million samples a second`, in any order.
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

/// σ and the speed of a line for this method.
fn point(line: &str, of: Method) -> Option<(f64, f64)> {
    let [method, width, value, speed] = line.split(',').collect::<Vec<_>>().try_into().ok()?;
    let value = value.parse().ok().filter(|_| method == of.name())?;
    let width = if width == "k_sigma2" { Width::KSigma2(value) } else { Width::Sigma(value) };
    let law = DiscreteGaussian::new(Rational::from(0), width).ok()?;
    Some((Law::new(&law).sigma(), speed.parse().ok()?))
}

/// Returns the million samples a second of a method in this class, at this σ. Between the nearest measured σ the speed
/// is linear in logarithms; outside them it is the nearest value.
///
/// NaN if the method was not measured. A test finds this for each class that it runs on, `cargo tools check-rows` for
/// all.
pub(crate) fn here(method: Method, sigma: f64) -> f64 {
    between(lines().lines().filter_map(|line| point(line, method)), sigma).unwrap_or(f64::NAN)
}

/// The speed at this σ from those at others, which may be in any order.
fn between(points: impl Iterator<Item = (f64, f64)>, sigma: f64) -> Option<f64> {
    let (mut before, mut after) = (None::<(f64, f64)>, None::<(f64, f64)>);
    for point in points {
        if point.0 <= sigma {
            before = before.filter(|best| best.0 >= point.0).or(Some(point));
        } else {
            after = after.filter(|best| best.0 <= point.0).or(Some(point));
        }
    }
    match (before, after) {
        (Some((low, from)), Some((high, to))) => Some(from * (to / from).powf((sigma / low).ln() / (high / low).ln())),
        (Some((_, speed)), None) | (None, Some((_, speed))) => Some(speed),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At a law that was measured it is what was measured.
    #[test]
    fn what_was_measured_is_said() {
        let (mut found, class) = (0, instructions());
        for method in Method::ALL {
            let points: Vec<_> = lines().lines().filter_map(|line| point(line, method)).collect();
            assert!(
                !points.is_empty(),
                "{method}: no speed in crates/samplez/src/speeds/{class}.csv; \
                 run `cargo run --release -p samplez-tools -- measure-speeds {class}`"
            );
            for (sigma, speed) in points {
                assert!((here(method, sigma) / speed - 1.0).abs() < 1e-9, "{method} {sigma}: {speed}");
                found += 1;
            }
        }
        assert!(found >= 3 * Method::ALL.len(), "{found}");
    }

    #[test]
    fn every_line_is_read() {
        for line in lines().lines().filter(|line| !line.starts_with('#')) {
            assert!(Method::ALL.into_iter().any(|method| point(line, method).is_some()), "{line}");
        }
    }

    #[test]
    fn between_laws_speeds_are_between() {
        let points = [(1000.0, 5.0), (1.0, 80.0), (100.0, 20.0)];
        let at = |sigma| between(points.into_iter(), sigma).unwrap();
        for (sigma, speed) in [(0.1, 80.0), (1.0, 80.0), (10.0, 40.0), (100.0, 20.0), (1e3, 5.0), (1e9, 5.0)] {
            assert!((at(sigma) / speed - 1.0).abs() < 1e-9, "{sigma}: {}", at(sigma));
        }
        assert!((at(1e5_f64.sqrt()) - 10.0).abs() < 1e-9);
        assert_eq!(between([].into_iter(), 3.2), None);
    }
}
