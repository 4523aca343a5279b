//! The planner: which method serves a law best.

use crate::{Method, Options};
use samplez_core::params::DiscreteGaussian;
use samplez_core::samplers::{cks::Cks, du_wei::DuWei5, karney::Karney};
use samplez_tables::Law;

/// A choice and its reason.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let plan = samplez::plan(&law, &Options::default());
/// assert_eq!(plan.method, Method::CdtGuided);
/// let exact = samplez::plan(&law, &Options { exact: true, ..Options::default() });
/// assert_eq!(exact.method, Method::Karney);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// Why, in a sentence.
    pub reason: String,
}

/// A cumulative table up to this size, with its guide, stays in the nearest caches.
const SMALL_TABLE: f64 = 262_144.0;
/// The guide of a small table takes up to this.
const GUIDE: f64 = 131_072.0;
/// A Ziggurat's table takes about 0.6 µs for each value of its half line: 40 ms for these.
const QUICK_COLUMNS: f64 = 65_536.0;
/// The least σ of a convolution at 128 bits, and some more.
const CONVOLUTION_SIGMA: f64 = 100.0;

/// The fastest method that honours `law`, by the measurements in benches/RESULTS.md:
///
/// - exact, if the options ask for it: Karney's for rational σ, `du-wei-5-ky` for σ = kσ₂,
///   `cks` for what else has a rational σ²;
/// - inversion with a guide while its table is small;
/// - with an integer centre the Ziggurat, and the convolution where its table would take long;
/// - with another centre Karney's.
///
/// Building the method may still be refused, with the reason: for a memory limit, or where no
/// method honours the law.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let wide = DiscreteGaussian::with_sigma("1e12".parse()?)?;
/// assert_eq!(samplez::plan(&wide, &Options::default()).method, Method::Convolution);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(law: &DiscreteGaussian, options: &Options) -> Plan {
    let choose = |method, reason: &str| Plan { method, reason: reason.into() };
    let karney = Karney::new(law);
    if options.exact {
        return match karney {
            Ok(_) => choose(Method::Karney, "the fastest exact method for a rational sigma"),
            Err(_) if DuWei5::with_table_walk(law).is_ok() => {
                choose(Method::DuWei5Ky, "exact for sigma = k sqrt(1/(2 ln 2))")
            }
            Err(_) if Cks::new(law).is_ok() => choose(Method::Cks, "exact for a rational sigma^2"),
            Err(refusal) => choose(Method::Karney, &format!("no exact method honours this law: {refusal}")),
        };
    }
    let sigma = Law::new(law).sigma();
    let bytes = cdt_bytes(law, sigma, options.precision);
    if bytes <= SMALL_TABLE && bytes + GUIDE <= options.max_table_bytes as f64 {
        return choose(Method::CdtGuided, &format!("the fastest while its table is small (about {bytes:.0} bytes)"));
    }
    if law.center().is_integer() {
        let columns = sigma * options.tail.to_f64();
        if (1.0..=QUICK_COLUMNS).contains(&columns) && options.ziggurat_fits(law) {
            return choose(Method::Ziggurat, "fast at any sigma, with a small table");
        }
        if sigma >= CONVOLUTION_SIGMA && options.precision <= 128 {
            return choose(Method::Convolution, "few samples of a small table make one of a wide law");
        }
    }
    match karney {
        Ok(_) => choose(Method::Karney, "sigma is rational, and a cumulative table would be large"),
        Err(refusal) => choose(Method::Cdt, &format!("a large cumulative table, because {refusal}")),
    }
}

/// About what a cumulative table takes: entries until the law falls below 2^-precision.
fn cdt_bytes(law: &DiscreteGaussian, sigma: f64, precision: u32) -> f64 {
    let half_line = sigma * (2.0 * f64::from(precision) * std::f64::consts::LN_2).sqrt() + 1.0;
    let entries = if law.center().is_integer() { half_line } else { 2.0 * half_line };
    entries * 4.0 * f64::from(precision.div_ceil(32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_core::params::{Rational, Width};

    fn law(width: Width, center: &str) -> DiscreteGaussian {
        DiscreteGaussian::new(center.parse().unwrap(), width).unwrap()
    }

    fn q(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn estimates_are_near_the_tables() {
        for (sigma, center, precision) in [("3.2", "0", 128), ("215", "1/3", 64), ("0.4", "0", 256), ("107", "5", 72)] {
            let law = law(Width::Sigma(q(sigma)), center);
            let options = samplez_tables::CdtOptions { precision, ..Default::default() };
            let bytes = samplez_tables::build(&law, &options).unwrap().bytes() as f64;
            let estimate = cdt_bytes(&law, q(sigma).to_f64(), precision);
            assert!(estimate > 0.8 * bytes && estimate < 1.2 * bytes + 128.0, "{sigma}: {estimate}, built {bytes}");
        }
    }

    /// What the planner chooses can be built, over all forms, sizes, centres and wishes.
    #[test]
    fn choices_build() {
        let sizes = ["0.01", "0.5", "3", "54", "99", "101", "1000", "5e3", "1.6e5", "1099511627776"];
        for form in [Width::Sigma, Width::SigmaSq, Width::KSigma2, Width::S] {
            for size in sizes {
                for center in ["0", "1/3", "-12345"] {
                    for exact in [false, true] {
                        let law = law(form(q(size)), center);
                        let options = Options { exact, ..Options::default() };
                        let plan = plan(&law, &options);
                        let built = crate::build(&law, None, &options);
                        let refused =
                            plan.reason.contains("no exact method") || plan.reason.contains("large cumulative");
                        assert!(built.is_ok() || refused, "{law}: {plan:?}: {:?}", built.err());
                        if let Ok(sampler) = built {
                            assert!(sampler.dyn_profile().exactness.is_exact() || !exact, "{law}: {plan:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn reasons_name_refusals() {
        let irrational = law(Width::S(Rational::from(1_000_000)), "1/3");
        let chosen = plan(&irrational, &Options::default());
        assert_eq!(chosen.method, Method::Cdt);
        assert!(chosen.reason.contains("rational sigma"), "{}", chosen.reason);
        let exact = plan(&irrational, &Options { exact: true, ..Options::default() });
        assert!(exact.reason.contains("no exact method"), "{}", exact.reason);
    }
}
