//! Numbers as people read them.

pub(crate) use crate::text::{grouped, rate};

/// An upper bound with so many decimals: rounded up, never down.
pub(crate) fn rounded_up(bound: f64, decimals: usize) -> String {
    let scale = 10_f64.powi(decimals as i32);
    format!("{:.decimals$}", (bound * scale).ceil() / scale + 0.0)
}

/// 12_300_000 as `12.3 M`.
pub(crate) fn metric(value: f64) -> String {
    let (scale, unit) = match value {
        v if v >= 1e9 => (1e9, " G"),
        v if v >= 1e6 => (1e6, " M"),
        v if v >= 1e3 => (1e3, " k"),
        _ => (1.0, ""),
    };
    format!("{:.3}", value / scale).chars().take(5).collect::<String>().trim_end_matches('.').to_string() + unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_round_outwards() {
        assert_eq!(rounded_up(-120.999, 2), "-120.99");
        assert_eq!(rounded_up(-120.991, 2), "-120.99");
        assert_eq!(rounded_up(1.001, 2), "1.01");
        assert_eq!(rounded_up(-0.001, 2), "0.00");
        assert_eq!(rounded_up(1.74871, 4), "1.7488");
    }

    #[test]
    fn rates() {
        for (value, text) in [
            (12.0, "12.00"),
            (1234.0, "1.234 k"),
            (12_345_678.0, "12.34 M"),
            (123_456_789.0, "123.4 M"),
            (2e9, "2.000 G"),
        ] {
            assert_eq!(metric(value), text);
        }
    }
}
