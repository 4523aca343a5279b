//! Elementary functions by their series, where there is no mathematical library. They are right to a few units of the
//! last place, except for the stated growth.

/// cos(x) for 0 <= x <= π/2.
pub(crate) fn cosine(x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for i in 1..=14 {
        term *= -x * x / f64::from((2 * i - 1) * (2 * i));
        sum += term;
    }
    sum
}

/// Returns e^-x for x >= 0, 0 from 700 on. The relative error is 1e-16 for each unit of x.
pub(crate) const fn exponential(x: f64) -> f64 {
    if x >= 700.0 {
        return 0.0;
    }
    let whole = x as u32;
    let rest = x - whole as f64;
    let (mut sum, mut term, mut i) = (1.0, 1.0, 1);
    while i <= 20 {
        term *= -rest / i as f64;
        sum += term;
        i += 1;
    }
    sum * power(1.0 / core::f64::consts::E, whole)
}

/// log2(n) for n >= 1, by squaring: 40 binary digits of the fraction.
pub(crate) fn logarithm(n: u32) -> f64 {
    let whole = n.ilog2();
    let (mut x, mut log, mut digit) = (f64::from(n) / f64::from(1_u32 << whole), f64::from(whole), 0.5);
    for _ in 0..40 {
        x *= x;
        if x >= 2.0 {
            x /= 2.0;
            log += digit;
        }
        digit /= 2.0;
    }
    log
}

/// x^n.
pub(crate) const fn power(x: f64, n: u32) -> f64 {
    let (mut result, mut square, mut rest) = (1.0, x, n);
    while rest > 0 {
        if rest & 1 != 0 {
            result *= square;
        }
        square *= square;
        rest >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_the_functions() {
        for i in 0..=1000 {
            let x = f64::from(i) / 1000.0 * core::f64::consts::FRAC_PI_2;
            assert!((cosine(x) - x.cos()).abs() < 1e-15, "{x}");
            let y = f64::from(i) * 0.07;
            assert!((exponential(y) / (-y).exp() - 1.0).abs() < 1e-14, "{y}");
        }
        assert_eq!(exponential(701.0), 0.0);
        for n in [1, 2, 3, 119, 32_749, 65_535] {
            assert!((logarithm(n) - f64::from(n).log2()).abs() < 1e-11, "{n}");
        }
    }
}
