//! Numbers for the estimates of cost that profiles state, and for nothing else.

/// e^-y for y >= 0, to about 1e-12: for estimates of cost only.
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
