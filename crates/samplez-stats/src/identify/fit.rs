//! Parameters by maximum likelihood.

use super::model::Model;

/// Steps of Newton's method at most.
const STEPS: usize = 60;

/// The step of difference quotients, in σ of the centre and in the logarithm of a width.
const STEP: f64 = 1e-4;

/// A width whose logarithm is so far from the first one grows without end.
const FLAT: f64 = 4.0;

/// The parameters with the greatest likelihood.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) theta: [f64; 2],
    /// The standard error of each for one value; for n values it is less by √n. Infinite where the values leave it open.
    pub(super) errors: [f64; 2],
    /// The mean of ln P over the values.
    pub(super) log_likelihood: f64,
}

/// Maximizes the mean of ln P(y) with these shares. The start has to be near.
pub(super) fn fit(model: &Model, start: [f64; 2], ys: &[i64], shares: &[f64]) -> Fit {
    let likelihood = |theta: [f64; 2]| -> f64 {
        let sum: f64 = model.log_masses(theta, ys).iter().zip(shares).map(|(log, share)| log * share).sum();
        if sum.is_nan() { f64::NEG_INFINITY } else { sum }
    };
    let is_pair = model.family.dimension() == 2;
    // A centre moves in units of σ.
    let scale = |theta: [f64; 2]| if is_pair { [libm::exp(theta[1]), 1.0] } else { [1.0, 1.0] };
    let moved = |theta: [f64; 2], by: [f64; 2]| [theta[0] + by[0], theta[1] + by[1]];
    let (mut theta, mut best) = (start, likelihood(start));
    for _ in 0..STEPS {
        let scale = scale(theta);
        let (gradient, curvature) = derivatives(&likelihood, theta, best, scale, is_pair);
        let mut step = newton(gradient, curvature, is_pair).unwrap_or(gradient);
        let length = step[0].abs() + step[1].abs();
        // Beside parameters that give no likelihood.
        if !length.is_finite() {
            break;
        }
        if length > 1.0 {
            step = step.map(|s| s / length);
        }
        let mut share = 1.0;
        let found = loop {
            let next = moved(theta, [step[0] * scale[0] * share, step[1] * scale[1] * share]);
            let value = likelihood(next);
            if value > best {
                break Some((next, value));
            }
            share /= 2.0;
            if share * length < 1e-12 {
                break None;
            }
        };
        let Some((next, value)) = found else { break };
        let is_done = share * length.min(1.0) < 1e-9;
        (theta, best) = (next, value);
        if is_done || (theta[1] - start[1]).abs() > FLAT {
            break;
        }
    }
    let scale = scale(theta);
    let (_, curvature) = derivatives(&likelihood, theta, best, scale, is_pair);
    let errors = inverse(curvature.map(|c| -c), is_pair);
    let errors = [0, 1].map(|i| errors.map_or(f64::INFINITY, |e| e[if i == 0 { 0 } else { 2 }].sqrt() * scale[i]));
    Fit { theta, errors, log_likelihood: best }
}

/// The gradient, and the second derivatives (first, mixed, second), of scaled parameters.
fn derivatives(
    f: &impl Fn([f64; 2]) -> f64,
    theta: [f64; 2],
    middle: f64,
    scale: [f64; 2],
    is_pair: bool,
) -> ([f64; 2], [f64; 3]) {
    let at = |i: f64, j: f64| f([theta[0] + i * STEP * scale[0], theta[1] + j * STEP * scale[1]]);
    let (left, right) = (at(-1.0, 0.0), at(1.0, 0.0));
    let slope = |low: f64, high: f64| (high - low) / (2.0 * STEP);
    let bend = |low: f64, high: f64| (high - 2.0 * middle + low) / (STEP * STEP);
    if !is_pair {
        return ([slope(left, right), 0.0], [bend(left, right), 0.0, 0.0]);
    }
    let (down, up) = (at(0.0, -1.0), at(0.0, 1.0));
    let mixed = (at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / (4.0 * STEP * STEP);
    ([slope(left, right), slope(down, up)], [bend(left, right), mixed, bend(down, up)])
}

/// The inverse of a symmetric matrix; `None` if it is not positive definite.
fn inverse([a, b, c]: [f64; 3], is_pair: bool) -> Option<[f64; 3]> {
    let determinant = a * c - b * b;
    if !is_pair {
        return (a > 1e-9).then(|| [1.0 / a, 0.0, 0.0]);
    }
    (a > 1e-9 && determinant > 1e-9 * (a * c).abs()).then(|| [c / determinant, -b / determinant, a / determinant])
}

/// Newton's step towards the maximum; `None` where the function is not concave.
fn newton(gradient: [f64; 2], curvature: [f64; 3], is_pair: bool) -> Option<[f64; 2]> {
    let [a, b, c] = inverse(curvature.map(|c| -c), is_pair)?;
    let [x, y] = gradient;
    Some([a * x + b * y, b * x + c * y])
}
