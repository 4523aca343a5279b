//! The arguments of a distribution beside D_Z.

use super::recipe::Law;
use super::values::{count, rational};
use crate::failure::{Failure, spelled};
use clap::{Args, ValueEnum};
use samplez::{DiscreteGaussian, NoiseLaw, Rational};
use samplez_tables::{TargetError, TargetLaw};
use std::ops::RangeInclusive;

const HEADING: &str = "Distribution";

/// The distribution that σ and the centre belong to.
#[derive(Args)]
pub(crate) struct Target {
    /// The distribution with this width and centre [default: discrete]
    #[arg(long = "law", id = "family", value_enum, value_name = "NAME", help_heading = HEADING)]
    family: Option<Family>,
    /// The distribution given that |x - c| <= B, as of a sampler that draws again beyond
    #[arg(long, value_name = "B", value_parser = bound, allow_hyphen_values = true, help_heading = HEADING)]
    clip: Option<(Rational, String)>,
    /// The distribution given that LOW <= x <= HIGH
    #[arg(long, value_name = "LOW..HIGH", value_parser = range, allow_hyphen_values = true, conflicts_with = "clip",
        help_heading = HEADING)]
    range: Option<RangeInclusive<i64>>,
}

/// The modulus of a file of residues.
#[derive(Args, Default)]
pub(crate) struct Modulus {
    /// The integers are residues modulo Q, from 0 to Q - 1 or from -Q/2 to Q/2
    #[arg(long, value_name = "Q", value_parser = residues, allow_hyphen_values = true, help_heading = HEADING)]
    modulus: Option<(u128, String)>,
}

impl Modulus {
    /// The number.
    pub(crate) fn q(&self) -> Option<u128> {
        self.modulus.as_ref().map(|(q, _)| *q)
    }

    /// The number as it was typed.
    pub(crate) fn typed(&self) -> &str {
        self.modulus.as_ref().map_or("", |(_, typed)| typed)
    }
}

/// A family of distributions.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Family {
    /// The discrete Gaussian D_Z
    Discrete,
    /// The integer nearest to a normal variable, or of samples with --laplace to a Laplace variable
    Rounded,
}

impl Target {
    /// The first option that was given, with its value.
    pub(crate) fn option(&self) -> Option<String> {
        self.law_option().or_else(|| self.cut_by(&Modulus::default()))
    }

    fn law_option(&self) -> Option<String> {
        let name = self.family.as_ref()?.to_possible_value()?;
        Some(format!("--law = {}", name.get_name()))
    }

    /// The option that cuts the distribution, with its value.
    pub(crate) fn cut_by(&self, modulus: &Modulus) -> Option<String> {
        match (&self.clip, &self.range, &modulus.modulus) {
            (Some((_, typed)), _, _) => Some(format!("--clip = {typed}")),
            (_, Some(range), _) => Some(format!("--range = {}..{}", range.start(), range.end())),
            (_, _, modulus) => modulus.as_ref().map(|(_, typed)| format!("--modulus = {typed}")),
        }
    }

    /// The distribution with these parameters.
    pub(crate) fn of_law(&self, parameters: &DiscreteGaussian) -> Result<TargetLaw, Failure> {
        self.of(parameters, self.family.unwrap_or(Family::Discrete), &Modulus::default())
    }

    /// The distribution, modulo q if there is one.
    pub(crate) fn law(&self, law: &Law, finite: Option<&NoiseLaw>, modulus: &Modulus) -> Result<TargetLaw, Failure> {
        if let (None, Some(sum)) = (finite, law.sum()?) {
            return match self.law_option() {
                Some(law) if sum.is_rounded() || sum.rounded_scale().is_some() => {
                    Err(Failure::input(&law, format!("{sum} is rounded already; leave it out")))
                }
                Some(law) => Err(Failure::input(&law, format!("{sum} has no parameters of a Gaussian; leave it out"))),
                None => self.cut(sum, modulus),
            };
        }
        let stated = match finite {
            Some(finite) => *finite,
            None => law.recipe()?.law,
        };
        let NoiseLaw::Gaussian(parameters) = stated else {
            let whole = match (&stated, self.law_option()) {
                (NoiseLaw::DiscreteLaplace { scale }, Some(_)) if self.family == Some(Family::Rounded) => {
                    TargetLaw::rounded_laplace(*scale)
                }
                (NoiseLaw::TruncatedLaplace { scale, bound }, Some(option)) if self.family == Some(Family::Rounded) => {
                    let way =
                        format!("goes with --laplace {scale} and --clip {bound}; write them in place of --recipe");
                    return Err(Failure::input(&option, way));
                }
                (law, Some(option)) => {
                    let reason = format!("{law:#} has no parameters of a Gaussian; leave it out");
                    return Err(Failure::input(&option, reason));
                }
                (law, None) => TargetLaw::finite(law),
            };
            return self.cut(whole.map_err(|error| Failure::Input(error.to_string()))?, modulus);
        };
        self.of(&parameters, self.family.unwrap_or(Family::Discrete), modulus)
    }

    /// The distribution of residues of a law beyond 64 bits, with its words. `None` for another law.
    pub(crate) fn wide(&self, law: &Law, modulus: &Modulus) -> Result<Option<(TargetLaw, String)>, Failure> {
        let Some((q, typed)) = modulus.modulus.as_ref().filter(|_| law.recipe().is_err()) else { return Ok(None) };
        let Some(folding) = law.folding().transpose()? else { return Ok(None) };
        self.check_whole()?;
        // The verifier's limit, which is the smaller one.
        let expected = "at most 65536 values where a modulus cuts the law; make it smaller, or remove it";
        let too_large = |error| refuse(TargetError { expected, ..error }, "modulus", typed);
        let residues = folding.modulo(*q).map_err(too_large)?;
        Ok(Some((residues, format!("{folding}, modulo {q}"))))
    }

    /// Refuses the options of a cut law and of a rounded normal, for a law beyond 64 bits.
    pub(crate) fn check_whole(&self) -> Result<(), Failure> {
        match self.option() {
            Some(option) => Err(Failure::input(&option, "applies to sigma up to 2^57 only; remove it")),
            None => Ok(()),
        }
    }

    fn of(&self, parameters: &DiscreteGaussian, family: Family, modulus: &Modulus) -> Result<TargetLaw, Failure> {
        let law = match family {
            Family::Discrete => TargetLaw::from(parameters),
            Family::Rounded => TargetLaw::rounded(parameters).map_err(|error| refuse(error, "", ""))?,
        };
        self.cut(law, modulus)
    }

    /// The law in its range, modulo q.
    fn cut(&self, law: TargetLaw, modulus: &Modulus) -> Result<TargetLaw, Failure> {
        let law = match (&self.clip, &self.range) {
            (Some((bound, typed)), _) => law.clipped(*bound).map_err(|error| refuse(error, "clip", typed))?,
            (_, Some(range)) => law.within(range.clone()).map_err(|error| refuse(error, "", ""))?,
            _ => law,
        };
        match &modulus.modulus {
            Some((q, typed)) => law.modulo(*q).map_err(|error| refuse(error, "modulus", typed)),
            None => Ok(law),
        }
    }
}

/// The library's error, with the value as it was typed if it is about this argument.
fn refuse(error: TargetError, argument: &str, typed: &str) -> Failure {
    let value = if error.argument == argument { typed } else { &error.value };
    Failure::input(&format!("{} = {value}", spelled(error.argument)), format!("expected {}", error.expected))
}

/// A bound, with its text.
fn bound(text: &str) -> Result<(Rational, String), samplez::ParseRationalError> {
    rational(text).map(|bound| (bound, text.into()))
}

fn range(text: &str) -> Result<RangeInclusive<i64>, String> {
    let ends = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    ends.filter(|(low, high)| low <= high).map(|(low, high)| low..=high).ok_or_else(|| {
        let expected = "expected LOW..HIGH, two whole numbers with LOW at most HIGH, such as -19..19";
        meant(text).map_or(expected.into(), |(low, high)| format!("{expected}; write {low}..{high}"))
    })
}

/// The ends of a range in another notation: 0,5 or [0, 5] or 0:5 or 0-5.
fn meant(text: &str) -> Option<(i64, i64)> {
    let mut parts = text.split(|c: char| !c.is_ascii_digit() && c != '-').filter(|part| !part.is_empty());
    let (low, high) = match (parts.next()?, parts.next(), parts.next()) {
        (low, Some(high), None) => (low, high),
        (one, None, _) => one.rsplit_once('-')?,
        _ => return None,
    };
    let (low, high): (i64, i64) = (low.parse().ok()?, high.parse().ok()?);
    // Parts of decimals are no ends.
    let is_plain =
        !text.contains(|c: char| c.is_alphabetic()) && !text.replace("...", "").replace("..", "").contains('.');
    is_plain.then_some((low.min(high), low.max(high)))
}

/// The modulus of residues: 2^64 has one more bit than other counts.
fn residues(text: &str) -> Result<(u128, String), String> {
    let large = text.replace('_', "").parse().ok().filter(|_| text.starts_with(|c: char| c.is_ascii_digit()));
    let q = count(text).ok().map(u128::from).or(large).filter(|q| (2..=1 << 64).contains(q));
    q.map(|q| (q, text.into()))
        .ok_or_else(|| "expected a whole number from 2 to 2^64, such as 12289 or 18446744073709551616".into())
}

pub(super) fn modulus(text: &str) -> Result<u64, String> {
    let q = count(text).ok().filter(|q| (2..=1 << 62).contains(q));
    q.ok_or_else(|| "expected a whole number from 2 to 2^62, such as 12289".into())
}
