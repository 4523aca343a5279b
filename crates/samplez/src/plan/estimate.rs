//! What a method would cost for a law, without building it.
//!
//! Sizes follow the tables' own formulas. Times are those of the machine that benches/RESULTS.md
//! names. Whether the method can be built at all is known only by building it.

use super::speed;
use crate::{Method, Options};
use samplez_core::params::{DiscreteGaussian, Rational, Width};
use samplez_core::sampler::Sampler;
use samplez_core::samplers::cks::Cks;
use samplez_core::samplers::du_wei::{DuWei4, DuWei5};
use samplez_core::samplers::isochronous::{BOUND, Isochronous};
use samplez_core::samplers::karney::Karney;
use samplez_core::samplers::rejection::Rejection;
use samplez_tables::Law;
use std::f64::consts::{LN_2, LOG2_E, PI};

/// The rectangles beyond which the Ziggurat gains nothing: their table fills the nearest cache.
const MOST_RECTANGLES: u32 = 1024;
/// The tables of the exact methods, whatever σ.
const FIXED_TABLE: f64 = 4096.0;
/// What a guided sampler has beside its table if that is short.
const CODES: f64 = 1304.0;
/// Nothing but parameters to check, seconds.
const NO_SETUP: f64 = 2e-5;

/// One way to sample a law, and what it would cost.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) method: Method,
    pub(super) options: Options,
    pub(super) bytes: f64,
    /// Seconds.
    pub(super) setup: f64,
    /// Million samples a second.
    pub(super) speed: f64,
    /// Whether the planner set the Ziggurat's rectangles.
    pub(super) fewer_will_do: bool,
}

/// The cost of a method for this law.
///
/// # Errors
///
/// Why it cannot be built, as far as that is known without building it.
pub(super) fn estimate(method: Method, law: &DiscreteGaussian, options: &Options) -> Result<Candidate, String> {
    let sigma = Law::new(law).sigma();
    let exact = |points, allowed: Result<(), String>| {
        allowed.map(|()| Candidate {
            method,
            options: *options,
            bytes: FIXED_TABLE,
            setup: NO_SETUP,
            speed: speed::at(points, sigma),
            fewer_will_do: false,
        })
    };
    // Drawn bit by bit they take three to five times as long.
    let bitwise = |wide: Result<Candidate, String>| match wide {
        Ok(wide) if options.frugal => Ok(Candidate { speed: wide.speed / 4.0, ..wide }),
        wide => wide,
    };
    let table = Table::new(law, sigma, options.precision);
    let costs =
        |bytes, setup, speed| Ok(Candidate { method, options: *options, bytes, setup, speed, fewer_will_do: false });
    match method {
        Method::Karney => exact(speed::KARNEY, allowed(Karney::new(law))),
        Method::DuWei4 => bitwise(exact(speed::DU_WEI_4, allowed(DuWei4::new(law)))),
        Method::DuWei5 => bitwise(exact(speed::DU_WEI_5, allowed(DuWei5::new(law)))),
        Method::DuWei5Ky => bitwise(exact(speed::DU_WEI_5_KY, allowed(DuWei5::with_table_walk(law)))),
        Method::Cks => exact(speed::CKS, allowed(Cks::new(law))),
        Method::Rejection => {
            let options = Options { tail: reach(options), ..*options };
            allowed(Rejection::new(law, options.tail))?;
            Ok(Candidate { options, ..costs(0.0, NO_SETUP, speed::at(speed::REJECTION, sigma))? })
        }
        Method::Cdt => costs(table.bytes(), table.setup(), speed::at(speed::CDT, table.entries)),
        Method::CdtGuided => {
            let guide = table.guide_bytes();
            let bytes = table.bytes() + if table.entries < 128.0 { CODES } else { 0.0 };
            let room = options.max_table_bytes as f64 - bytes;
            let full = speed::at(speed::CDT_GUIDED, table.entries);
            // A shorter guide leaves more thresholds to search.
            let speed = if guide <= room { full } else { 1.1 * speed::at(speed::CDT, table.entries) };
            if room < 4.0 * table.entries {
                return Err("no room for a guide that would help".into());
            }
            costs(bytes + guide.min(room), table.setup(), speed)
        }
        // It compares every bit of every threshold.
        Method::CdtCt => {
            let size = table.entries * f64::from(options.precision) / 128.0;
            costs(table.bytes(), table.setup(), speed::at(speed::CDT_CT, size))
        }
        Method::Isochronous => {
            // Its law is as close as it is, whatever the precision; who wishes for isochrony accepts that.
            if !options.isochronous && f64::from(options.precision) > -BOUND.log2_sd {
                return Err(format!(
                    "within 2^{} of the law, less close than {} bits",
                    BOUND.log2_sd, options.precision
                ));
            }
            let profile = Isochronous::new(law).map_err(|e| e.to_string())?.profile();
            costs(profile.table_bytes as f64, NO_SETUP, speed::ISOCHRONOUS / profile.expected_trials)
        }
        Method::KnuthYao => {
            let bytes = table.matrix_bytes().max(table.bytes());
            costs(bytes, 1.3 * table.setup(), speed::at(speed::KNUTH_YAO, table.entries))
        }
        Method::KnuthYaoCompact => {
            let bytes = (table.matrix_bytes() + table.first_levels_bytes()).max(table.bytes());
            let setup = table.setup() + 2e-6 * table.entries;
            costs(bytes, setup, speed::at(speed::KNUTH_YAO_COMPACT, table.entries))
        }
        Method::Ziggurat => ziggurat(law, sigma, options),
        Method::RejectionTable => {
            let options = Options { tail: reach(options), ..*options };
            let tail = options.rejection().map_err(|e| e.to_string())?.tail;
            let entries = f64::from(tail) * sigma;
            let table = Table { entries, ..table };
            let speed = speed::at(speed::REJECTION_TABLE, sigma);
            integer(law)?;
            Ok(Candidate { options, ..costs(table.bytes(), table.setup(), speed)? })
        }
        Method::Bernoulli => {
            let k = match law.width() {
                Width::KSigma2(k) if k.is_integer() => k.to_f64(),
                width => return Err(format!("{width}: it allows sigma = k sqrt(1/(2 ln 2)) with integer k only")),
            };
            integer(law)?;
            // An entry for each bit of (2X + 1)k², X about sqrt(precision).
            let reach = 2.0 * f64::from(options.precision).sqrt() + 1.0;
            let table = Table { entries: (k * k * reach).log2().ceil(), ..table };
            costs(table.bytes(), 1e-3, speed::at(speed::BERNOULLI, k))
        }
        Method::Convolution => {
            integer(law)?;
            // Its base is at least as wide as this, and at most 640 or σ.
            let (least, most) = (Table::new(law, 40.0, options.precision), Table::new(law, 640.0, options.precision));
            costs(least.bytes() + least.guide_bytes(), most.setup(), speed::at(speed::CONVOLUTION, sigma))
        }
        Method::ConvolutionCt => {
            integer(law)?;
            // Its base is at least as wide as this, and at most 32 but for the widest laws. Every bit costs.
            let (least, most) = (Table::new(law, 4.0, options.precision), Table::new(law, 140.0, options.precision));
            let speed = speed::at(speed::CONVOLUTION_CT, sigma) * 128.0 / f64::from(options.precision);
            costs(least.bytes(), most.setup(), speed)
        }
    }
}

fn allowed<T>(made: Result<T, samplez_core::params::ParamError>) -> Result<(), String> {
    made.map(drop).map_err(|e| e.to_string())
}

fn integer(law: &DiscreteGaussian) -> Result<(), String> {
    let center = law.center();
    if center.is_integer() { Ok(()) } else { Err(format!("center = {center}: it allows an integer center only")) }
}

/// The tail asked for, or the least whole one that cuts off less than 2^-precision: t e^((1-t²)/2)
/// bounds what it cuts off.
fn reach(options: &Options) -> Rational {
    let cut = |t: f64| t.log2() + 0.5 * (1.0 - t * t) * LOG2_E;
    let whole = (2..=40).find(|t| cut(f64::from(*t)) < -f64::from(options.precision)).unwrap_or(40);
    options.tail.max(Rational::from(i64::from(whole)))
}

fn ziggurat(law: &DiscreteGaussian, sigma: f64, options: &Options) -> Result<Candidate, String> {
    let options = Options { tail: reach(options), ..*options };
    let chosen = options.ziggurat(law, MOST_RECTANGLES).map_err(|e| e.to_string())?;
    let bytes = chosen.bytes(law).map_err(|e| e.to_string())? as f64;
    let columns = sigma * options.tail.to_f64();
    let m = f64::from(chosen.rectangles);
    // A narrow law has many trials, which more rectangles do not help.
    let speed = speed::at(speed::ZIGGURAT, m) * if sigma < 5.0 { 0.85 } else { 1.0 };
    Ok(Candidate {
        method: Method::Ziggurat,
        fewer_will_do: options.rectangles.is_none(),
        options: Options { rectangles: Some(chosen.rectangles), ..options },
        bytes,
        setup: limbs(options.precision) * (3e-7 * columns + 3e-6 * m),
        speed,
    })
}

/// How much more wide arithmetic costs than that of 128 bits.
fn limbs(precision: u32) -> f64 {
    if precision <= 128 { 1.0 } else { 2.0 }
}

/// The thresholds of an inversion table: one for each value but the mode whose probability
/// (folded: that of ±x) is at least 2^-precision.
#[derive(Clone, Copy)]
struct Table {
    entries: f64,
    precision: u32,
}

impl Table {
    fn new(law: &DiscreteGaussian, sigma: f64, precision: u32) -> Table {
        let mode = (sigma * (2.0 * PI).sqrt()).max(1.0).log2();
        let bits = f64::from(precision) - mode;
        let distance = |bits: f64| sigma * (2.0 * LN_2 * bits.max(0.0)).sqrt();
        let folded = law.center().is_integer();
        let entries = if folded { distance(bits + 1.0) } else { 2.0 * distance(bits) };
        Table { entries: entries.max(1.0), precision }
    }

    fn digits(&self) -> f64 {
        f64::from(self.precision.div_ceil(32))
    }

    fn bytes(&self) -> f64 {
        4.0 * self.digits() * self.entries
    }

    /// Seconds.
    fn setup(&self) -> f64 {
        NO_SETUP + limbs(self.precision) * 2e-7 * self.entries
    }

    /// The guide that `samplez_tables::build_guided` takes if there is room.
    fn guide_bytes(&self) -> f64 {
        let enough = self.entries.log2().ceil();
        let few = self.entries < 32_768.0;
        let bits = if few { (enough + 5.0).clamp(8.0, enough.max(14.0)) } else { enough + 2.0 };
        4.0 * bits.min(26.0).min(f64::from(self.precision.min(31))).exp2()
    }

    /// The packed columns of a Knuth–Yao walk.
    fn matrix_bytes(&self) -> f64 {
        4.0 * f64::from(self.precision) * ((self.entries + 1.0) / 32.0).ceil()
    }

    /// The table of first levels that `samplez_tables::build_knuth_yao` takes.
    fn first_levels_bytes(&self) -> f64 {
        4.0 * (self.entries.log2().ceil() + 3.0).clamp(8.0, 16.0).min(f64::from(self.precision)).exp2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The estimates of memory against the tables that are built.
    #[test]
    fn memory_is_estimated_within_an_eighth() {
        for (sigma, center) in [("3.2", "0"), ("0.6", "0"), ("215", "1/3"), ("107", "5"), ("1000", "0")] {
            for precision in [32, 64, 72, 128, 256] {
                let law = DiscreteGaussian::new(center.parse().unwrap(), Width::Sigma(sigma.parse().unwrap())).unwrap();
                let options = Options { precision, ..Options::default() };
                for method in Method::ALL {
                    let Ok(candidate) = estimate(method, &law, &options) else { continue };
                    if matches!(method, Method::Convolution | Method::ConvolutionCt) {
                        continue; // a lower bound only
                    }
                    let Ok(sampler) = crate::build(&law, Some(method), &candidate.options) else { continue };
                    let bytes = sampler.profile().table_bytes as f64;
                    // For a matrix the larger of it and the inversion table has to be allowed, for heights
                    // those that are 0 too; a guide doubles where one entry more does.
                    let closely = matches!(method, Method::Cdt | Method::Ziggurat);
                    let least = if closely { 0.875 } else { 0.4 };
                    assert!(
                        bytes >= least * candidate.bytes - 100.0 && bytes <= 1.125 * candidate.bytes + 100.0,
                        "{method} {law} {precision}: {}, built {bytes}",
                        candidate.bytes
                    );
                }
            }
        }
    }
}
