//! The laws other than Gaussians: their names, parameters, ranges and words in one table, and the parser of their texts.
//!
//! A front end derives its arguments, its help and its types from [`LawInfo::ALL`], and passes on what the user typed.

use crate::recipe::{Recipe, instead};
use crate::refused::{Refused, RefusedKind, rational, respelled};
use samplez_core::{NoiseLaw, Rational, Timing};
use std::borrow::Cow;

/// A law other than a Gaussian, as fronts and documents describe it.
///
/// ```
/// use samplez::{NoiseLaw, bindings::LawInfo};
/// let skellam = LawInfo::named("skellam").unwrap();
/// assert_eq!(skellam.sampled(Some("2.5"))?, NoiseLaw::Skellam { variance: "5/2".parse().unwrap() });
/// assert_eq!(
///     skellam.sampled(Some("2e6")).unwrap_err().to_string(),
///     "skellam = 2e6: expected a number from 2^-16 to 2^20; for a larger variance add samples",
/// );
/// # Ok::<(), samplez::Refused>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LawInfo {
    /// The name in a recipe and on the command line.
    pub name: &'static str,
    /// The name in Python, and with capitals in JavaScript.
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
    law: fn(Rational) -> NoiseLaw,
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
            law: |_| NoiseLaw::Ternary,
        },
        LawInfo {
            name: "centered_binomial",
            full_name: "centered_binomial",
            parameter: "eta",
            range: LawRange::Whole { min: 1, max: 32 },
            summary: "the sum of `eta` fair bits minus the sum of as many others",
            timing: Timing::Constant,
            way_out: "",
            law: |eta| NoiseLaw::CenteredBinomial { eta: eta.num() as u32 },
        },
        LawInfo {
            name: "tuniform",
            full_name: "tuniform",
            parameter: "b",
            range: LawRange::Whole { min: 0, max: 62 },
            summary: "TFHE's TUniform(`b`), uniform on -2^`b` to 2^`b` with half the mass at each end",
            timing: Timing::Constant,
            way_out: ", the binary logarithm of the largest value",
            law: |b| NoiseLaw::TUniform { bound_log2: b.num() as u32 },
        },
        LawInfo {
            name: "skellam",
            full_name: "skellam",
            parameter: "variance",
            range: LawRange::Number { max_log2: 20, judged_log2: 26 },
            summary: "the difference of two Poisson variables of mean `variance`/2 each",
            timing: Timing::Constant,
            way_out: "; for a larger variance add samples",
            law: |variance| NoiseLaw::Skellam { variance },
        },
        LawInfo {
            name: "laplace",
            full_name: "discrete_laplace",
            parameter: "scale",
            range: LawRange::Number { max_log2: 50, judged_log2: 50 },
            summary: "discrete Laplace, P(x) proportional to exp(-|x|/`scale`); for privacy, `scale` is sensitivity/epsilon",
            timing: Timing::Constant,
            way_out: "",
            law: |scale| NoiseLaw::DiscreteLaplace { scale },
        },
    ];

    /// Returns the law of this name in a recipe.
    pub fn named(name: &str) -> Option<LawInfo> {
        Self::ALL.into_iter().find(|info| info.name == name)
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

    /// Returns the law to draw from, with the parameter as the user typed it.
    ///
    /// # Errors
    ///
    /// [`Refused`] with the law's name as the argument: for a text in place of a number, a number out of range, and a value of a law without one.
    pub fn sampled(&self, value: Option<&str>) -> Result<NoiseLaw, Refused> {
        self.law(value, false)
    }

    /// Returns the law to judge samples or their sums by, likewise.
    ///
    /// # Errors
    ///
    /// [`Refused`] as [`sampled`](Self::sampled).
    pub fn judged(&self, value: Option<&str>) -> Result<NoiseLaw, Refused> {
        self.law(value, true)
    }

    fn law(&self, value: Option<&str>, is_judged: bool) -> Result<NoiseLaw, Refused> {
        let typed = value.unwrap_or_default();
        let refused = |kind| {
            let way_out = match self.range {
                LawRange::Nothing => Cow::from(format!("; write `{}`", self.name)),
                LawRange::Number { max_log2, judged_log2 } if is_judged && judged_log2 > max_log2 => {
                    "; beyond, `sigma_squared` of the same value is within a distance of about 0.07/variance".into()
                }
                _ => self.way_out.into(),
            };
            Refused::new(self.name, typed, format!("expected {}{way_out}", self.values(is_judged))).with_kind(kind)
        };
        let out_of_range = || refused(RefusedKind::OutOfRange);
        match self.range {
            LawRange::Nothing if value.is_none() => Ok((self.law)(Rational::ZERO)),
            LawRange::Nothing => Err(refused(RefusedKind::Other)),
            LawRange::Whole { min, max } => match rational(self.name, typed) {
                Ok(number) if number.is_integer() && (min.into()..=max.into()).contains(&number.num()) => {
                    Ok((self.law)(number))
                }
                Err(error) if error.kind() != RefusedKind::TooLong => Err(refused(RefusedKind::NotANumber)),
                _ => Err(out_of_range()),
            },
            LawRange::Number { max_log2, judged_log2 } => {
                let most = if is_judged { judged_log2 } else { max_log2 };
                let range = 2_f64.powi(LEAST_LOG2)..=2_f64.powi(most.cast_signed());
                match rational(self.name, typed) {
                    Ok(number) if is_within(number, most) => Ok((self.law)(number)),
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

/// The number of a text that is too long for a [`Rational`], nearly.
fn near(text: &str) -> f64 {
    let number = |text: &str| text.trim().parse().unwrap_or(f64::NAN);
    text.split_once('/').map_or_else(|| number(text), |(over, under)| number(over) / number(under))
}

/// A bound of a range: a large power of 2 as such.
fn end(bound: u32) -> String {
    if bound > 1 << 16 && bound.is_power_of_two() { format!("2^{}", bound.ilog2()) } else { bound.to_string() }
}

/// Returns the law that a text such as `ternary` or `skellam=5/2` states; `None` for a recipe.
///
/// # Errors
///
/// [`Refused`] as [`LawInfo::sampled`], for further pairs, and for another word for one of these laws.
///
/// ```
/// use samplez::{NoiseLaw, bindings::law_of_text};
/// assert_eq!(law_of_text("tuniform=17")?, Some(NoiseLaw::TUniform { bound_log2: 17 }));
/// assert_eq!(law_of_text("sigma=3.2")?, None);
/// let error = law_of_text("ternary,center=1").unwrap_err();
/// assert_eq!(error.to_string(), "recipe = ternary,center=1: expected ternary alone; leave the rest out");
/// # Ok::<(), samplez::Refused>(())
/// ```
pub fn law_of_text(text: &str) -> Result<Option<NoiseLaw>, Refused> {
    let (first, is_alone) = text.split_once([',', '&']).map_or((text, true), |(first, _)| (first, false));
    let (name, value) =
        first.split_once('=').map_or((first.trim(), None), |(name, value)| (name.trim(), Some(value.trim())));
    let laws = LawInfo::ALL.map(|info| info.name);
    let Some(info) = LawInfo::named(name) else {
        let known: Vec<&str> = Recipe::names().chain(laws).collect();
        let way_out = instead(name.trim_start_matches("discrete_"), &known);
        if !laws.iter().any(|law| way_out.contains(&format!("`{law}`"))) {
            return Ok(None);
        }
        let (argument, value) = value.map_or(("recipe", name), |value| (name, value));
        let allowed = format!("expected one of {}{way_out}", known.join(", "));
        return Err(Refused::new(argument, value, allowed).with_kind(RefusedKind::Unknown));
    };
    if !is_alone {
        let allowed = format!("expected {} alone; leave the rest out", first.trim());
        return Err(Refused::new("recipe", text, allowed));
    }
    info.sampled(value).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of each range have a law, and nothing beyond has one.
    #[test]
    fn ranges_are_those_of_the_samplers() {
        for info in LawInfo::ALL {
            let has_law = |value: &str| info.sampled(Some(value)).is_ok_and(|law| law.bound().is_ok());
            let of_core = |value: &str| (info.law)(value.parse().unwrap()).bound().is_ok();
            match info.range {
                LawRange::Nothing => assert!(info.sampled(None).is_ok_and(|law| law.bound().is_ok())),
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
                        info.judged(Some(value)).is_ok_and(|law| samplez_tables::TargetLaw::finite(&law).is_ok())
                    };
                    assert!(judged(&top(judged_log2)) && !judged(&top(judged_log2 + 1)), "{}", info.name);
                }
            }
        }
    }

    #[test]
    fn words_say_the_ends() {
        assert_eq!([5, 1 << 16, 1 << 20, (1 << 20) - 1].map(end), ["5", "65536", "2^20", "1048575"]);
        let refused = |text: &str| law_of_text(text).unwrap_err();
        for (text, kind, words) in [
            ("skellam=1/65537", RefusedKind::OutOfRange, "skellam = 1/65537: expected a number from 2^-16 to 2^20; "),
            ("skellam=1e40", RefusedKind::OutOfRange, "skellam = 1e40: expected a number"),
            ("laplace=100000000000000000000/1e30", RefusedKind::OutOfRange, "laplace = "),
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
            ("ternary=1", RefusedKind::Other, "ternary = 1: expected no value; write ternary"),
        ] {
            let error = refused(text);
            assert!(error.kind() == kind && error.to_string().starts_with(words), "{error}");
        }
        assert_eq!(law_of_text("tuniform=1e1"), Ok(Some(NoiseLaw::TUniform { bound_log2: 10 })));
        let judged = LawInfo::named("skellam").unwrap().judged(Some("1e8")).unwrap_err();
        assert!(judged.to_string().contains("to 2^26; beyond, sigma_squared of the same value"), "{judged}");
    }
}
