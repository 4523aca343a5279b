//! The requirement of a scheme on its noise: [`Demand`].

use crate::Error;
use alloc::format;
use alloc::string::String;
use core::fmt;
use samplez_core::{Bound, DiscreteGaussian, Exactness, Noise};

/// The kind of problem on which a scheme's security rests. It determines how the distance of the noise from its law counts.
/// Proof: docs/proofs/bits-kept.md.
///
/// ```
/// use samplez_schemes::Problem;
/// assert_eq!(Problem::Search.to_string(), "search");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Problem {
    /// To find something: a forgery, a key. Counts [`Bound::bits_search`], or [`Bound::samples_log2`] if that is better.
    Search,
    /// To tell two things apart: which message a ciphertext has. Counts [`Bound::bits_decision`].
    Decision,
    /// No probability may change by more than 2^-128: statistical hiding, simulation. Counts
    /// [`Bound::samples_log2_advantage`].
    Advantage,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Problem::Search => "search",
            Problem::Decision => "decision",
            Problem::Advantage => "advantage",
        })
    }
}

/// The requirement of a scheme on its noise: a law, and a certificate that keeps `target` of
/// [`SECURITY`](Demand::SECURITY) bits in the scheme's problem.
///
/// Every set of the schemes here has one. A scheme of your own states its own, and checks it where a key, a signer or a
/// ciphertext is made.
///
/// ```
/// use samplez_core::{DiscreteGaussian, samplers::Karney};
/// use samplez_schemes::{Demand, Problem};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let demand = Demand { samples_log2: 40, ..Demand::new(law, Problem::Decision) };
/// assert_eq!(demand.to_string(), "2^40 samples of D_Z(sigma = 16/5, center = 0) for a decision problem at 126 of 128 bits");
/// demand.check(&Karney::new(&law)?)?; // exact: keeps all bits
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Demand {
    /// The law, its width in this very form.
    pub law: DiscreteGaussian,
    /// The problem that determines the measure of the distance.
    pub problem: Problem,
    /// The samples of a lifetime, as a power of two, rejected attempts counted. They count in a search problem by the
    /// Rényi argument, and for [`Problem::Advantage`]. All else holds for any number of samples.
    pub samples_log2: u32,
    /// The most samples that the scheme's users draw in a unit of the adversary's time. An adversary at least reads what they
    /// publish: this is the number of samples for each coefficient of it.
    pub samples_per_time: u64,
    /// The bits of [`SECURITY`](Demand::SECURITY) that must remain, 1 to 128. Not used for [`Problem::Advantage`].
    pub target: u32,
}

impl Demand {
    /// The bits of security that the scheme would have with exact noise: 128.
    ///
    /// ```
    /// assert_eq!(samplez_schemes::Demand::SECURITY, 128);
    /// ```
    pub const SECURITY: u32 = 128;

    /// Returns the requirement of this law for this problem: one sample, one a unit of time, and a loss of at most 2 bits.
    ///
    /// ```
    /// # use samplez_schemes::{Demand, Problem};
    /// # let law = samplez_core::DiscreteGaussian::with_sigma("3.2".parse()?)?;
    /// let demand = Demand::new(law, Problem::Decision);
    /// assert_eq!((demand.samples_log2, demand.samples_per_time, demand.target), (0, 1, 126));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn new(law: DiscreteGaussian, problem: Problem) -> Self {
        Demand { law, problem, samples_log2: 0, samples_per_time: 1, target: Self::SECURITY - 2 }
    }

    /// Checks that the noise has this law and that its certificate keeps the bits. An exact sampler keeps all.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if not, of the argument `noise`; of `target` or `samples_per_time` if that is out of range.
    ///
    /// ```
    /// use samplez_core::samplers::Cdt;
    /// use samplez_schemes::lp11::Set;
    /// use samplez_tables::{CdtOptions, build_cdt};
    /// let demand = Set::Ring256.demand();
    /// let cdt = |precision| build_cdt(&demand.law, &CdtOptions { precision, ..CdtOptions::default() }).map(Cdt::from_table);
    /// let error = demand.check(&cdt(64)?).unwrap_err();
    /// assert!(error.to_string().contains("must keep 126 of 128 bits of a decision problem, and keeps 61."), "{error}");
    /// demand.check(&cdt(136)?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, noise: &dyn Noise) -> Result<(), Error> {
        let Demand { law, target, samples_per_time, .. } = *self;
        let profile = noise.profile();
        if !(1..=Self::SECURITY).contains(&target) {
            return Err(Error::refused(
                "target",
                target,
                "expected a number between 1 and 128 bits; 126 allows a loss of 2",
            ));
        }
        if samples_per_time == 0 {
            let allowed = "expected a number between 1 and 2^64-1: the samples of a unit of the adversary's time";
            return Err(Error::refused("samples_per_time", 0, allowed));
        }
        if profile.target != law {
            return Err(Error::refused(
                "noise",
                format_args!("{:#}", profile.target),
                format!("its law must be {law:#}"),
            ));
        }
        let Exactness::Within(bound) = profile.exactness else { return Ok(()) };
        if self.is_met_by(&bound) {
            return Ok(());
        }
        Err(Error::refused("noise", profile.target, self.refusal(&bound)))
    }

    /// Returns the requirement, the certificate's value, and the way out.
    fn refusal(&self, bound: &Bound) -> String {
        let (level, s, target, samples_log2) = (Self::SECURITY, self.samples_per_time, self.target, self.samples_log2);
        let requirement = match self.problem {
            Problem::Search => {
                let samples = bound.samples_log2(level).map_or(String::new(), |log2| {
                    format!(", and {} for 2^{} samples", level - 2, Hundredths::below(log2))
                });
                let kept = Hundredths::below(bound.bits_search(level, s));
                format!(
                    "keep {target} of {level} bits of a search problem for 2^{samples_log2} samples, and keeps {kept}{samples}"
                )
            }
            Problem::Decision => {
                let kept = Hundredths::below(bound.bits_decision(level, s));
                format!("keep {target} of {level} bits of a decision problem, and keeps {kept}")
            }
            Problem::Advantage => {
                let allowed = Hundredths::below(bound.samples_log2_advantage(level));
                format!("allow 2^{samples_log2} samples at an advantage of 2^-{level}, and allows 2^{allowed}")
            }
        };
        format!("its certificate must {requirement}: a higher precision, or an exact method")
    }

    /// Whether such a distance is small enough.
    fn is_met_by(&self, bound: &Bound) -> bool {
        let (level, s, target) = (Self::SECURITY, self.samples_per_time, f64::from(self.target));
        let covers = |samples_log2: f64| samples_log2 >= f64::from(self.samples_log2);
        match self.problem {
            Problem::Search => {
                let by_renyi = target <= f64::from(level) - 2.0 && bound.samples_log2(level).is_some_and(covers);
                by_renyi || bound.bits_search(level, s) >= target
            }
            Problem::Decision => bound.bits_decision(level, s) >= target,
            Problem::Advantage => covers(bound.samples_log2_advantage(level)),
        }
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Demand { law, problem, samples_log2, target, .. } = self;
        write!(f, "2^{samples_log2} samples of {law} for ")?;
        match problem {
            Problem::Advantage => write!(f, "an advantage of at most 2^-{}", Self::SECURITY),
            _ => write!(f, "a {problem} problem at {target} of {} bits", Self::SECURITY),
        }
    }
}

/// A number with two decimals, rounded down, as in a certificate's text.
struct Hundredths(i64);

impl Hundredths {
    fn below(x: f64) -> Self {
        let cut = (x * 100.0) as i64;
        Hundredths(cut - i64::from(x < 0.0 && cut as f64 > x * 100.0))
    }
}

impl fmt::Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, n) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}.{:02}", n / 100, n % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use samplez_core::samplers::Karney;

    fn demand(problem: Problem) -> Demand {
        Demand::new(DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap(), problem)
    }

    fn at(log2_sd: f64, log2_renyi: f64) -> Bound {
        Bound::new(log2_sd, [(2, log2_renyi), (256, log2_renyi + 2.0), (513, log2_renyi + 3.0)], 0.0, log2_renyi)
    }

    #[test]
    fn each_problem_goes_by_its_own_distance() {
        for (problem, met, missed) in [
            // 2·log2(1 + 2·sqrt(2^128·r)) <= 2
            (Problem::Decision, at(-1.0, -130.01), at(-1.0, -129.99)),
            // R_256 - 1 <= 1/(4·2^40) by Rényi, which is the better
            (Problem::Search, at(-1.0, -44.01), at(-1.0, -43.99)),
            (Problem::Advantage, at(-168.01, -10.0), at(-167.99, -300.0)),
        ] {
            let demand = Demand { samples_log2: 40, ..demand(problem) };
            assert!(demand.is_met_by(&met) && !demand.is_met_by(&missed), "{demand}");
        }
        // A lifetime too long for Rényi, and a target that leaves no 2 bits to lose: the other bound is the better.
        for demand in [
            Demand { samples_log2: 200, ..demand(Problem::Search) },
            Demand { target: 127, samples_log2: 40, ..demand(Problem::Search) },
        ] {
            assert!(demand.is_met_by(&at(-1.0, -130.6)) && !demand.is_met_by(&at(-1.0, -127.9)), "{demand}");
        }
        let often = Demand { samples_per_time: 1 << 12, ..demand(Problem::Decision) };
        assert!(often.is_met_by(&at(-1.0, -142.01)) && !often.is_met_by(&at(-1.0, -141.99)));
    }

    #[test]
    fn what_is_out_of_range_is_refused_by_its_name() {
        let karney = Karney::new(&demand(Problem::Search).law).unwrap();
        let error = |demand: Demand| demand.check(&karney).map_err(|error| error.to_string());
        let target = |target| Demand { target, ..demand(Problem::Decision) };
        for bits in [0, 129, 1_000_000_000, u32::MAX] {
            let told = format!("target = {bits}: expected a number between 1 and 128 bits; 126 allows a loss of 2");
            assert_eq!(error(target(bits)), Err(told));
        }
        assert_eq!((error(target(1)), error(target(128))), (Ok(()), Ok(())), "an exact law keeps all bits");
        let never = Demand { samples_per_time: 0, ..demand(Problem::Decision) };
        assert!(error(never).unwrap_err().starts_with("samples_per_time = 0: expected a number between 1 and 2^64-1"));
    }

    #[test]
    fn refusals_say_what_there_is() {
        let of = |problem| Demand { samples_log2: 40, ..demand(problem) }.refusal(&at(-60.0, -70.0));
        let way_out = ": a higher precision, or an exact method";
        assert_eq!(
            of(Problem::Search),
            "its certificate must keep 126 of 128 bits of a search problem for 2^40 samples, and keeps 69.99, and 126 for 2^66.00 samples"
                .to_string()
                + way_out
        );
        assert_eq!(
            of(Problem::Decision),
            "its certificate must keep 126 of 128 bits of a decision problem, and keeps 67.99".to_string() + way_out
        );
        assert_eq!(
            of(Problem::Advantage),
            "its certificate must allow 2^40 samples at an advantage of 2^-128, and allows 2^-68.00".to_string()
                + way_out
        );
        assert_eq!(
            [0.019, 1.0, -0.001, -1.0].map(|x| Hundredths::below(x).to_string()),
            ["0.01", "1.00", "-0.01", "-1.00"]
        );
    }
}
