//! The planner: which method serves a law best.

use crate::{Method, Options};
use samplez_core::params::DiscreteGaussian;
use samplez_core::samplers::karney::Karney;
use samplez_tables::Law;

/// A choice and its reason.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let plan = samplez::plan(&DiscreteGaussian::with_sigma("3.2".parse()?)?, &Options::default());
/// assert_eq!(plan.method, Method::Cdt);
/// assert!(plan.reason.contains("table"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// Why, in a sentence.
    pub reason: String,
}

/// A table up to this size stays in the nearest caches, where inversion is fastest.
const SMALL_TABLE: f64 = 1_048_576.0;

/// The method for `law`: inversion while its table is small; beyond, Karney's sampler where σ
/// is rational, and inversion with a large table where it is not. Building that may still be
/// refused for the table's size.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let wide = DiscreteGaussian::with_sigma("1e12".parse()?)?;
/// assert_eq!(samplez::plan(&wide, &Options::default()).method, Method::Karney);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(law: &DiscreteGaussian, options: &Options) -> Plan {
    let bytes = table_bytes(law, options.precision);
    let limit = SMALL_TABLE.min(options.max_table_bytes as f64);
    let small = bytes <= limit;
    let precision = options.precision;
    match (small, Karney::new(law)) {
        (true, _) => Plan {
            method: Method::Cdt,
            reason: format!(
                "inversion is fastest while its table is small (about {bytes:.0} bytes at {precision} bits)"
            ),
        },
        (false, Ok(_)) => Plan {
            method: Method::Karney,
            reason: format!(
                "a table would take about {bytes:.3e} bytes; sigma is rational, so Karney's exact sampler needs none"
            ),
        },
        (false, Err(refusal)) => Plan {
            method: Method::Cdt,
            reason: format!("a table of about {bytes:.3e} bytes, because Karney's sampler refuses: {refusal}"),
        },
    }
}

/// About what a table takes: entries until the law falls below 2^-precision.
fn table_bytes(law: &DiscreteGaussian, precision: u32) -> f64 {
    let sigma = Law::new(law).sigma();
    let half_line = sigma * (2.0 * f64::from(precision) * std::f64::consts::LN_2).sqrt() + 1.0;
    let entries = if law.center().is_integer() { half_line } else { 2.0 * half_line };
    entries * 4.0 * f64::from(precision.div_ceil(32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::params::{Rational, Width};

    #[test]
    fn estimates_are_near_the_tables() {
        for (sigma, center, precision) in [("3.2", "0", 128), ("215", "1/3", 64), ("0.4", "0", 256), ("107", "5", 72)] {
            let width = Width::Sigma(sigma.parse().unwrap());
            let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
            let options = samplez_tables::CdtOptions { precision, ..Default::default() };
            let bytes = samplez_tables::build(&law, &options).unwrap().bytes() as f64;
            let estimate = table_bytes(&law, precision);
            assert!(estimate > 0.8 * bytes && estimate < 1.2 * bytes + 128.0, "{sigma}: {estimate}, built {bytes}");
        }
    }

    #[test]
    fn irrational_widths_go_to_a_table() {
        let law = DiscreteGaussian::new(Rational::ZERO, Width::S(Rational::from(1_000_000))).unwrap();
        let plan = plan(&law, &Options::default());
        assert_eq!(plan.method, Method::Cdt);
        assert!(plan.reason.contains("rational sigma"), "{}", plan.reason);
    }
}
