//! Round numbers along an axis.

/// The smallest of 1, 2, 5, 10, 20, 50 … (and 0.1, 0.2, 0.5 …) that cuts `span` into at most
/// `most` parts. `span` and `most` are positive.
///
/// ```
/// assert_eq!(samplez_cli::testing::draw::step(11.0, 10.0), 2.0);
/// ```
pub fn step(span: f64, most: f64) -> f64 {
    let least = span / most;
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// `value`, a multiple of `step`, without more digits than the step needs.
///
/// ```
/// assert_eq!(samplez_cli::testing::draw::label(0.1, 0.05), "0.10");
/// ```
pub fn label(value: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).max(0.0);
    if digits > 4.0 {
        return if value == 0.0 { "0".to_string() } else { short_scientific(value) };
    }
    format!("{value:.*}", digits as usize)
}

/// Scientific notation in the fewest digits: `2e-7`, `1.5e-7`.
fn short_scientific(value: f64) -> String {
    let text = format!("{value:.3e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_steps() {
        for (span, most, expected) in
            [(10.0, 10.0, 1.0), (11.0, 10.0, 2.0), (0.125, 5.0, 0.05), (100.0, 3.0, 50.0), (1e12, 8.0, 2e11)]
        {
            let got = step(span, most);
            assert!((got / expected - 1.0).abs() < 1e-9, "{span}/{most}: {got}");
        }
    }

    #[test]
    fn short_labels() {
        assert_eq!(label(0.1, 0.05), "0.10");
        assert_eq!(label(20.0, 10.0), "20");
        assert_eq!(label(0.0, 1e-7), "0");
        assert_eq!(label(3.0 * 5e-7, 5e-7), "1.5e-6");
    }
}
