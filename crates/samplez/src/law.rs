//! The laws other than Gaussians: their names, parameters, ranges and words in one table, the parser of their parameters, and their samplers.
//!
//! A front end derives its arguments, its help and its types from [`LawInfo::ALL`], and passes on what the user typed.

use crate::laplace::{discrete_laplace, truncated_laplace};
use crate::refused::{Refused, RefusedKind, rational, respelled};
use crate::skellam::skellam;
use samplez_core::finite::{CenteredBinomial, TUniform, Ternary};
use samplez_core::{Noise, NoiseLaw, Rational, Timing};
use std::borrow::Cow;
use std::mem::discriminant;

/// A law other than a Gaussian, as fronts and documents describe it.
///
/// ```
/// use samplez::{NoiseLaw, bindings::LawInfo};
/// let skellam = LawInfo::named("skellam").unwrap();
/// assert_eq!(skellam.law("skellam", "2.5", false)?, NoiseLaw::Skellam { variance: "5/2".parse().unwrap() });
/// assert_eq!(
///     skellam.law("skellam", "2e6", false).unwrap_err().to_string(),
///     "skellam = 2e6: expected a number from 2^-16 to 2^20; for a larger variance add samples",
/// );
/// # Ok::<(), samplez::Refused>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LawInfo {
    /// The name in a recipe and on the command line.
    pub name: &'static str,
    /// The name in Python, and with capitals in JavaScript. A recipe may contain it too.
    pub full_name: &'static str,
    /// The parameter's name; empty for a law without a parameter.
    pub parameter: &'static str,
    /// The values of the parameter.
    pub range: LawRange,
    /// A description of one line, with the parameter in backticks.
    summary: &'static str,
    /// The class of the running time.
    pub timing: Timing,
    /// The end of the error about a value out of range.
    way_out: &'static str,
    /// The law with a parameter of its range.
    of: fn(Rational) -> NoiseLaw,
}

/// The values of a law's parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LawRange {
    /// None: the law has no parameter.
    Nothing,
    /// A whole number.
    Whole {
        /// The least.
        min: u32,
        /// The largest.
        max: u32,
    },
    /// A number from 2^-16 on.
    Number {
        /// The logarithm to base 2 of the largest.
        max_log2: u32,
        /// The same of a law to judge sums of samples by.
        judged_log2: u32,
    },
}

const LEAST_LOG2: i32 = -16;

impl LawInfo {
    /// Every law, in the order in which fronts list them.
    pub const ALL: [LawInfo; 5] = [
        LawInfo {
            name: "ternary",
            full_name: "ternary",
            parameter: "",
            range: LawRange::Nothing,
            summary: "uniform on -1, 0 and 1",
            timing: Timing::Isochronous,
            way_out: "",
            of: |_| NoiseLaw::Ternary,
        },
        LawInfo {
            name: "centered_binomial",
            full_name: "centered_binomial",
            parameter: "eta",
            range: LawRange::Whole { min: 1, max: 1 << 20 },
            summary: "the sum of `eta` fair bits minus the sum of as many others",
            timing: Timing::Constant,
            way_out: "",
            of: |eta| NoiseLaw::CenteredBinomial { eta: eta.num() as u32 },
        },
        LawInfo {
            name: "tuniform",
            full_name: "tuniform",
            parameter: "b",
            range: LawRange::Whole { min: 0, max: 62 },
            summary: "TFHE's TUniform(`b`), uniform on -2^`b` to 2^`b` with half the mass at each end",
            timing: Timing::Constant,
            way_out: ", the binary logarithm of the largest value",
            of: |b| NoiseLaw::TUniform { bound_log2: b.num() as u32 },
        },
        LawInfo {
            name: "skellam",
            full_name: "skellam",
            parameter: "variance",
            range: LawRange::Number { max_log2: 20, judged_log2: 26 },
            summary: "the difference of two Poisson variables of mean `variance`/2 each",
            timing: Timing::Constant,
            way_out: "; for a larger variance add samples",
            of: |variance| NoiseLaw::Skellam { variance },
        },
        LawInfo {
            name: "laplace",
            full_name: "discrete_laplace",
            parameter: "scale",
            range: LawRange::Number { max_log2: 50, judged_log2: 50 },
            summary: "discrete Laplace, P(x) proportional to exp(-|x|/`scale`); for privacy, `scale` is sensitivity/epsilon; a recipe such as laplace=4,clip=20 truncates it",
            timing: Timing::Constant,
            way_out: "",
            of: |scale| NoiseLaw::DiscreteLaplace { scale },
        },
    ];

    /// Returns the law of this name or full name, or the centred binomial for `cbd`.
    pub fn named(name: &str) -> Option<LawInfo> {
        let name = if name == "cbd" { "centered_binomial" } else { name };
        Self::ALL.into_iter().find(|info| info.name == name || info.full_name == name)
    }

    /// The name of a law and its parameter as recipes have them: `None` for a Gaussian, and an empty text for a law without a parameter.
    pub(crate) fn stated(law: &NoiseLaw) -> Option<(&'static str, String)> {
        if let NoiseLaw::TruncatedLaplace { scale, bound } = law {
            return Some(("laplace", format!("{scale},clip={bound}")));
        }
        let info =
            Self::ALL.into_iter().find(|info| discriminant(&(info.of)(Rational::from(1))) == discriminant(law))?;
        Some((
            info.name,
            match law {
                NoiseLaw::CenteredBinomial { eta } => eta.to_string(),
                NoiseLaw::TUniform { bound_log2 } => bound_log2.to_string(),
                NoiseLaw::Skellam { variance } => variance.to_string(),
                NoiseLaw::DiscreteLaplace { scale } => scale.to_string(),
                _ => String::new(),
            },
        ))
    }

    /// Returns a description of one line, with `spell` applied to the parameter.
    pub fn summary(&self, spell: impl Fn(&str) -> String) -> String {
        respelled(self.summary, &spell)
    }

    /// Returns the values of the parameter in words, such as `a whole number from 0 to 62`. `is_judged` is for a law to judge samples by.
    pub fn values(&self, is_judged: bool) -> String {
        match self.range {
            LawRange::Nothing => "no value".into(),
            LawRange::Whole { min, max } => format!("a whole number from {min} to {}", end(max)),
            LawRange::Number { max_log2, judged_log2 } => {
                format!("a number from 2^{LEAST_LOG2} to 2^{}", if is_judged { judged_log2 } else { max_log2 })
            }
        }
    }

    /// Returns the law with the parameter as the user typed it, which is empty for a law without one. `is_judged` is for a law to judge
    /// samples or their sums by.
    ///
    /// # Errors
    ///
    /// [`Refused`] with `name` as the argument: for a text in place of a number, a number out of range, and a value of a law without one.
    pub fn law(&self, name: &str, typed: &str, is_judged: bool) -> Result<NoiseLaw, Refused> {
        let refused = |kind| {
            let way_out = match self.range {
                LawRange::Nothing => Cow::from(format!("; write `{name}`")),
                LawRange::Number { max_log2, judged_log2 } if is_judged && judged_log2 > max_log2 => {
                    "; beyond, `sigma_squared` of the same value is within a distance of about 0.07/variance".into()
                }
                _ => self.way_out.into(),
            };
            Refused::new(name, typed, format!("expected {}{way_out}", self.values(is_judged))).with_kind(kind)
        };
        let out_of_range = || refused(RefusedKind::OutOfRange);
        match self.range {
            LawRange::Nothing if typed.is_empty() => Ok((self.of)(Rational::ZERO)),
            LawRange::Nothing => Err(refused(RefusedKind::Other)),
            LawRange::Whole { min, max } => match rational(name, typed) {
                Ok(number) if number.is_integer() && (min.into()..=max.into()).contains(&number.num()) => {
                    Ok((self.of)(number))
                }
                Err(error) if error.kind() != RefusedKind::TooLong => Err(refused(RefusedKind::NotANumber)),
                _ => Err(out_of_range()),
            },
            LawRange::Number { max_log2, judged_log2 } => {
                let most = if is_judged { judged_log2 } else { max_log2 };
                let range = 2_f64.powi(LEAST_LOG2)..=2_f64.powi(most.cast_signed());
                match rational(name, typed) {
                    Ok(number) if is_within(number, most) => Ok((self.of)(number)),
                    // A number that is too long may also be out of range.
                    Err(error) if error.kind() != RefusedKind::TooLong || range.contains(&near(typed)) => Err(error),
                    _ => Err(out_of_range()),
                }
            }
        }
    }
}

/// Whether 2^-16 <= x <= 2^most.
fn is_within(x: Rational, most: u32) -> bool {
    let (num, den) = (i128::from(x.num()), i128::from(x.den()));
    num << -LEAST_LOG2 >= den && num <= den << most
}

/// A power of ten that is beyond all doubles.
const MOST_DIGITS: i32 = 9999;

/// The number of a text that is too long for a [`Rational`], nearly.
pub(crate) fn near(text: &str) -> f64 {
    // The standard library's parser has tables of 10 KB, too many for WebAssembly.
    let number = |text: &str| {
        let (mantissa, exponent) = text.trim().split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit);
        let value = digits.fold(0.0, |sum, digit| 10.0 * sum + f64::from(digit - b'0'));
        let huge = if exponent.starts_with('-') { -MOST_DIGITS } else { MOST_DIGITS };
        let power = exponent.parse().unwrap_or(huge).clamp(-MOST_DIGITS, MOST_DIGITS) - fraction.len() as i32;
        if mantissa.contains('-') { -1.0 } else { value * 10_f64.powi(power) }
    };
    text.split_once('/').map_or_else(|| number(text), |(over, under)| number(over) / number(under))
}

/// A bound of a range: a large power of 2 as such.
fn end(bound: u32) -> String {
    if bound > 1 << 16 && bound.is_power_of_two() { format!("2^{}", bound.ilog2()) } else { bound.to_string() }
}

/// The sampler of a law other than a Gaussian.
pub(crate) fn noise_of(law: &NoiseLaw) -> Result<Box<dyn Noise>, Refused> {
    Ok(match *law {
        NoiseLaw::CenteredBinomial { eta } => Box::new(CenteredBinomial::new(eta)?),
        NoiseLaw::TUniform { bound_log2 } => Box::new(TUniform::new(bound_log2)?),
        NoiseLaw::Ternary => Box::new(Ternary),
        NoiseLaw::Skellam { variance } => skellam(variance)?,
        NoiseLaw::DiscreteLaplace { scale } => discrete_laplace(scale)?,
        NoiseLaw::TruncatedLaplace { scale, bound } => truncated_laplace(scale, bound)?,
        law => return Err(Refused::new("law", law, "expected a law with a sampler of its own")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Recipe;

    /// The ends of each range have a law, and nothing beyond has one.
    #[test]
    fn ranges_are_those_of_the_samplers() {
        for info in LawInfo::ALL {
            let has_law = |value: &str| info.law(info.name, value, false).is_ok_and(|law| law.bound().is_ok());
            let of_core = |value: &str| (info.of)(value.parse().unwrap()).bound().is_ok();
            match info.range {
                LawRange::Nothing => assert!(has_law("")),
                LawRange::Whole { min, max } => {
                    assert!([min, max].map(|end| end.to_string()).iter().all(|end| has_law(end)), "{}", info.name);
                    let beyond = [i64::from(min) - 1, i64::from(max) + 1].map(|value| value.to_string());
                    assert!(beyond.iter().all(|value| !has_law(value)), "{}", info.name);
                    assert!(!of_core(&beyond[1]), "{}", info.name);
                }
                LawRange::Number { max_log2, judged_log2 } => {
                    let top = |log2: u32| (1_u64 << log2).to_string();
                    assert!(has_law("1/65536") && has_law(&top(max_log2)), "{}", info.name);
                    for beyond in ["1/65537".to_string(), format!("{}/2", (1_u64 << (max_log2 + 1)) + 1)] {
                        assert!(!has_law(&beyond) && !of_core(&beyond), "{} = {beyond}", info.name);
                    }
                    let judged = |value: &str| {
                        info.law(info.name, value, true)
                            .is_ok_and(|law| samplez_tables::TargetLaw::finite(&law).is_ok())
                    };
                    assert!(judged(&top(judged_log2)) && !judged(&top(judged_log2 + 1)), "{}", info.name);
                }
            }
        }
    }

    #[test]
    fn words_say_the_ends() {
        assert_eq!([5, 1 << 16, 1 << 20, (1 << 20) - 1].map(end), ["5", "65536", "2^20", "1048575"]);
        let law = |text: &str| text.parse::<Recipe>().map(|recipe| recipe.law);
        let refused = |text: &str| law(text).unwrap_err();
        for (text, kind, words) in [
            ("skellam=1/65537", RefusedKind::OutOfRange, "skellam = 1/65537: expected a number from 2^-16 to 2^20; "),
            ("skellam=1e40", RefusedKind::OutOfRange, "skellam = 1e40: expected a number"),
            ("laplace=100000000000000000000/1e30", RefusedKind::OutOfRange, "laplace = "),
            ("laplace=1e-99999999999", RefusedKind::OutOfRange, "laplace = 1e-99999999999: expected a number"),
            ("laplace=-0.12345678901234567891", RefusedKind::OutOfRange, "laplace = -0.12345678901234567891: expected"),
            ("laplace=12345678901234567891e-19", RefusedKind::TooLong, "laplace = 12345678901234567891e-19: "),
            ("laplace=0.12345678901234567891", RefusedKind::TooLong, "laplace = 0.12345678901234567891: "),
            ("laplace=100000000000000000001/100000000000000000003", RefusedKind::TooLong, "laplace = 1"),
            ("laplace=nan", RefusedKind::NotANumber, "laplace = nan: not a number; "),
            (
                "tuniform=131072",
                RefusedKind::OutOfRange,
                "tuniform = 131072: expected a whole number from 0 to 62, the bin",
            ),
            ("tuniform=1e99", RefusedKind::OutOfRange, "tuniform = 1e99: expected a whole number"),
            ("tuniform=1/2", RefusedKind::OutOfRange, "tuniform = 1/2: expected a whole number"),
            ("tuniform", RefusedKind::NotANumber, "tuniform = : expected a whole number"),
            ("cbd=1048577", RefusedKind::OutOfRange, "cbd = 1048577: expected a whole number from 1 to 2^20"),
            ("ternary=1", RefusedKind::Other, "ternary = 1: expected no value; write ternary"),
        ] {
            let error = refused(text);
            assert!(error.kind() == kind && error.to_string().starts_with(words), "{error}");
        }
        assert_eq!(law("tuniform=1e1"), Ok(NoiseLaw::TUniform { bound_log2: 10 }));
        assert_eq!("cbd=1e3".parse::<Recipe>().map(|recipe| recipe.to_string()), Ok("centered_binomial=1000".into()));
        for (name, value, words) in [
            ("skellam", "1e8", "to 2^26; beyond, sigma_squared of the same value"),
            ("modulus", "17", "pass the modulus beside it, as an argument of its own"),
            ("lapace", "4", "expected one of sigma, sigma_squared, k_sigma2, s, center, ternary, "),
            ("sigma", "1e-300", "sigma = 1e-300: expected at least 2^-60, or a fraction of 64 bits"),
        ] {
            let judged = Recipe::to_judge([(name, value)]).unwrap_err().to_string();
            assert!(judged.contains(words) && !judged.contains("reduce them"), "{judged}");
        }
    }
}
