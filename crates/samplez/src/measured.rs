//! The measured speeds of the methods, by class of machine: the figures in a plan. The planner's choice does not depend
//! on them.
//!
//! `lab/tools/speeds.sh` measures every method at a few laws with default options in each class of machines, and writes
//! speeds/.

use crate::method::Method;
use samplez_core::arch::Backend;

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

/// A measurement: the method's number, σ, and million samples a second.
type Point = (usize, f64, f64);

/// The measurements in a file, read by the compiler.
macro_rules! points_of {
    ($file:literal) => {{
        const TEXT: &str = include_str!($file);
        static POINTS: [Point; count(TEXT)] = points(TEXT);
        &POINTS
    }};
}

/// Returns the measurements of this class, in the order of the methods.
fn here_measured() -> &'static [Point] {
    match instructions() {
        #[cfg(target_arch = "wasm32")]
        "simd128" => points_of!("speeds/simd128.csv"),
        #[cfg(target_arch = "wasm32")]
        "wasm" => points_of!("speeds/wasm.csv"),
        #[cfg(target_arch = "x86_64")]
        "avx2" => points_of!("speeds/avx2.csv"),
        #[cfg(target_arch = "x86_64")]
        "avx512" => points_of!("speeds/avx512.csv"),
        #[cfg(not(target_arch = "wasm32"))]
        _ => points_of!("speeds/scalar.csv"),
        #[cfg(target_arch = "wasm32")]
        _ => &[],
    }
}

/// How many lines have a measurement: all that are no comment.
const fn count(text: &str) -> usize {
    let (bytes, mut at, mut lines) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        lines += (bytes[at] != b'#') as usize;
        at = after(bytes, at, b'\n');
    }
    lines
}

/// Reads lines `method,width,value,million samples a second`, in any order; comments begin with `#`. Sorts them by method.
const fn points<const N: usize>(text: &str) -> [Point; N] {
    let (bytes, mut at, mut found, mut points) = (text.as_bytes(), 0, 0, [(0, 0.0, 0.0); N]);
    while at < bytes.len() {
        if bytes[at] != b'#' {
            let width = after(bytes, at, b',');
            let value = after(bytes, width, b',');
            // k·sqrt(1/(2 ln 2))
            let unit = if bytes[width] == b'k' { 0.849_321_800_288_019 } else { 1.0 };
            let speed = after(bytes, value, b',');
            let point = (number(bytes, at, width - 1), decimal(bytes, value) * unit, decimal(bytes, speed));
            let mut place = found;
            while place > 0 && points[place - 1].0 > point.0 {
                points[place] = points[place - 1];
                place -= 1;
            }
            points[place] = point;
            found += 1;
        }
        at = after(bytes, at, b'\n');
    }
    points
}

/// Returns the place after the next byte like this, or the end.
const fn after(bytes: &[u8], mut at: usize, byte: u8) -> usize {
    while at < bytes.len() {
        at += 1;
        if bytes[at - 1] == byte {
            break;
        }
    }
    at
}

/// Reads digits, among which there may be a point. Below 2^53 without the point, so the quotient is the nearest number.
const fn decimal(bytes: &[u8], mut at: usize) -> f64 {
    let (mut digits, mut power, mut fraction) = (0_u64, 1_u64, false);
    while at < bytes.len() && (bytes[at].is_ascii_digit() || bytes[at] == b'.') {
        if bytes[at] == b'.' {
            fraction = true;
        } else {
            digits = 10 * digits + (bytes[at] - b'0') as u64;
            power *= if fraction { 10 } else { 1 };
        }
        at += 1;
    }
    assert!(power > 0 && digits > 0 && digits < 1 << 53);
    digits as f64 / power as f64
}

/// Returns the number of the method of this name.
const fn number(bytes: &[u8], from: usize, to: usize) -> usize {
    let mut number = 0;
    while number < Method::ALL.len() {
        let name = Method::ALL[number].name().as_bytes();
        let mut same = 0;
        while same < name.len() && from + same < to && name[same] == bytes[from + same] {
            same += 1;
        }
        if same == name.len() && from + same == to {
            return number;
        }
        number += 1;
    }
    panic!("a line of crates/samplez/src/speeds names no method")
}

/// Returns the million samples a second of a method in this class, at this σ. Between the nearest measured σ the speed
/// is linear in logarithms; outside them it is the nearest value.
///
/// NaN if the method was not measured, which a test finds for all classes.
pub(crate) fn here(method: Method, sigma: f64) -> f64 {
    let measured = here_measured();
    let first = measured.partition_point(|point| point.0 < method as usize);
    let points = measured[first..].iter().take_while(|point| point.0 == method as usize);
    between(points.map(|(_, sigma, speed)| (*sigma, *speed)), sigma).unwrap_or(f64::NAN)
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
    use samplez_core::{DiscreteGaussian, Rational, Width};

    /// σ and the speed of a line for this method, by the library's own parser of parameters.
    fn point(line: &str, of: Method) -> Option<(f64, f64)> {
        let [method, width, value, speed] = line.split(',').collect::<Vec<_>>().try_into().ok()?;
        let value = value.parse().ok().filter(|_| method == of.name())?;
        let width = if width == "k_sigma2" { Width::KSigma2(value) } else { Width::Sigma(value) };
        let law = DiscreteGaussian::new(Rational::from(0), width).ok()?;
        Some((samplez_tables::sigma(&law), speed.parse().ok()?))
    }

    /// The compiler reads every line of every class, and nothing else.
    #[test]
    fn every_line_is_read() {
        let classes = [
            (include_str!("speeds/avx2.csv"), &points_of!("speeds/avx2.csv")[..]),
            (include_str!("speeds/avx512.csv"), points_of!("speeds/avx512.csv")),
            (include_str!("speeds/scalar.csv"), points_of!("speeds/scalar.csv")),
            (include_str!("speeds/simd128.csv"), points_of!("speeds/simd128.csv")),
            (include_str!("speeds/wasm.csv"), points_of!("speeds/wasm.csv")),
        ];
        for (text, points) in classes {
            assert_eq!(points.len(), text.lines().filter(|line| !line.starts_with('#')).count());
            for (number, method) in Method::ALL.into_iter().enumerate() {
                let read = points.iter().filter(|point| point.0 == number).map(|point| (point.1, point.2));
                assert!(read.clone().next().is_some(), "{method}: a class of machines has no speed of it");
                assert!(read.eq(text.lines().filter_map(|line| point(line, method))), "{method}");
            }
        }
    }

    /// At a law that was measured it is what was measured.
    #[test]
    fn what_was_measured_is_said() {
        for method in Method::ALL {
            let points: Vec<_> = here_measured().iter().filter(|point| point.0 == method as usize).collect();
            assert!(
                !points.is_empty(),
                "{method}: no speed in crates/samplez/src/speeds/{0}.csv; \
                 run `lab/tools/speeds.sh {0}`",
                instructions()
            );
            for (_, sigma, speed) in points {
                assert!((here(method, *sigma) / speed - 1.0).abs() < 1e-9, "{method} {sigma}: {speed}");
            }
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
