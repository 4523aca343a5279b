//! An axis of a picture.

use samplez_cli::testing::draw;

/// An axis: its name, its ends and its scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures, and in which unit.
    pub name: String,
    /// Its lower end.
    pub from: f64,
    /// Its upper end.
    pub to: f64,
    /// Whether equal ratios are equally long.
    pub logarithmic: bool,
}

impl Axis {
    /// Where a value lies, between 0 and 1; what is beyond the ends lies at them.
    pub(super) fn place(&self, value: f64) -> f64 {
        let scale = |v: f64| if self.logarithmic { v.max(1e-300).log10() } else { v };
        ((scale(value) - scale(self.from)) / (scale(self.to) - scale(self.from))).clamp(0.0, 1.0)
    }

    /// The labelled values.
    pub(super) fn ticks(&self, most: f64) -> Vec<(f64, String)> {
        if self.logarithmic {
            let (low, high) = (self.from.log10().ceil() as i32, self.to.log10().floor() as i32);
            let every = (high - low) / most as i32 + 1;
            return (low..=high).filter(|e| (e - low) % every == 0).map(|e| (10_f64.powi(e), power(e))).collect();
        }
        let step = draw::step(self.to - self.from, most);
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|i| (i as f64 * step, draw::label(i as f64 * step, step))).collect()
    }
}

/// A power of ten: as a number up to 10^9 and down to a thousandth, beyond as a power.
fn power(exponent: i32) -> String {
    match exponent {
        0..=9 => 10_u32.pow(exponent.unsigned_abs()).to_string(),
        -3..0 => format!("{:.*}", exponent.unsigned_abs() as usize, 10_f64.powi(exponent)),
        _ => format!("10^{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(from: f64, to: f64, logarithmic: bool) -> Axis {
        Axis { name: "x".into(), from, to, logarithmic }
    }

    #[test]
    fn places_and_ticks() {
        let linear = axis(-2.0, 2.0, false);
        assert_eq!([-9.0, -2.0, 0.0, 1.0, 9.0].map(|v| linear.place(v)), [0.0, 0.0, 0.5, 0.75, 1.0]);
        assert_eq!(
            linear.ticks(4.0).iter().map(|(_, label)| label.as_str()).collect::<Vec<_>>(),
            ["-2", "-1", "0", "1", "2"]
        );
        let log = axis(1.0, 1e6, true);
        assert!((log.place(1e3) - 0.5).abs() < 1e-12 && log.place(0.0) == 0.0);
        assert_eq!(
            log.ticks(4.0).iter().map(|(_, label)| label.as_str()).collect::<Vec<_>>(),
            ["1", "100", "10000", "1000000"]
        );
        assert_eq!([-4, -3, -1, 9, 10].map(power), ["10^-4", "0.001", "0.1", "1000000000", "10^10"]);
    }
}
