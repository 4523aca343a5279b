//! Numbers for the estimates of cost that profiles state, and for nothing else.

/// e^-y for y >= 0, to about 1e-12: for estimates of cost only.
#[inline(never)] // costs are computed once
pub(crate) fn estimated_exp_neg(y: f64) -> f64 {
    if y > 745.0 {
        return 0.0; // less than the smallest double
    }
    let halvings = (y.max(1.0).to_bits() >> 52) - 1023 + 4; // 2^-halvings·y < 1/8
    let small = y / (1_u64 << halvings) as f64;
    let (mut sum, mut term, mut n) = (1.0, 1.0, 1.0);
    while n < 12.0 {
        term *= -small / n;
        sum += term;
        n += 1.0;
    }
    let mut result: f64 = sum;
    for _ in 0..halvings {
        result *= result;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_the_exponential() {
        for y in [0.0, 1e-9, 0.01, 0.1, 0.99, 1.0, 1.5, 3.0, 20.0, 63.9, 64.0, 300.0, 700.0] {
            let ratio = estimated_exp_neg(y) / (-y).exp();
            assert!((ratio - 1.0).abs() < 1e-12 * y.max(10.0), "{y}: {ratio}");
        }
        for y in [744.0, 745.0, 745.5, 1e5, f64::INFINITY] {
            assert!((0.0..=1e-322).contains(&estimated_exp_neg(y)), "{y}");
        }
        assert!(estimated_exp_neg(744.0) > 0.0);
    }
}
