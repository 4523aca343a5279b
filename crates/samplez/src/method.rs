//! The methods by name, and how each is built.

use samplez_core::params::{DiscreteGaussian, ParamError};
use samplez_core::profile::{Exactness, Profile};
use samplez_core::sampler::DynSampler;
use samplez_core::samplers::{cdt::Cdt, karney::Karney};
use samplez_tables::{CdtOptions, Law};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A sampling method.
///
/// ```
/// use samplez::Method;
/// assert_eq!("karney".parse::<Method>()?, Method::Karney);
/// assert_eq!(Method::Cdt.to_string(), "cdt");
/// let e = "alias".parse::<Method>().unwrap_err();
/// assert_eq!(e.to_string(), "method = alias: must be one of karney, cdt");
/// # Ok::<(), samplez::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Exact rejection without a table \[Kar16\].
    Karney,
    /// Inversion over a certified table.
    Cdt,
}

impl Method {
    /// Every method.
    ///
    /// ```
    /// assert!(samplez::Method::ALL.contains(&samplez::Method::Karney));
    /// ```
    pub const ALL: [Method; 2] = [Method::Karney, Method::Cdt];

    /// The name on the command line and in the bindings.
    ///
    /// ```
    /// assert_eq!(samplez::Method::Karney.name(), "karney");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Method::Karney => "karney",
            Method::Cdt => "cdt",
        }
    }

    /// One line about it.
    ///
    /// ```
    /// assert!(samplez::Method::Karney.summary().starts_with("exact"));
    /// ```
    pub const fn summary(self) -> &'static str {
        match self {
            Method::Karney => {
                "exact rejection with rational arithmetic; any rational sigma and center, nothing to build"
            }
            Method::Cdt => {
                "inversion of a certified cumulative table at any precision up to 256 bits; any form of sigma"
            }
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let find = Method::ALL.into_iter().find(|m| m.name() == text);
        find.ok_or_else(|| UnknownName::new("method", text, &Method::ALL.map(Method::name)))
    }
}

/// A name that is not on the list.
///
/// ```
/// let e = "dice".parse::<samplez::Source>().unwrap_err();
/// assert_eq!(e.to_string(), "source = dice: must be one of chacha20, os");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    argument: &'static str,
    value: String,
    allowed: String,
}

impl UnknownName {
    pub(crate) fn new(argument: &'static str, value: &str, allowed: &[&str]) -> Self {
        UnknownName { argument, value: value.into(), allowed: allowed.join(", ") }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: must be one of {}", self.argument, self.value, self.allowed)
    }
}

impl std::error::Error for UnknownName {}

/// What a build may choose and use.
///
/// ```
/// use samplez::Options;
/// assert_eq!(Options::default(), Options { precision: 128, max_table_bytes: 1 << 30 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Precision of a table in bits, 1 to 256. Exact methods have none and ignore it.
    pub precision: u32,
    /// The largest table that may be built, in bytes.
    pub max_table_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { precision: 128, max_table_bytes: 1 << 30 }
    }
}

/// Why a sampler could not be built.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let wide = DiscreteGaussian::with_sigma("1e12".parse()?)?;
/// let e = samplez::build(&wide, Some(Method::Cdt), &Options::default()).err().unwrap();
/// assert!(e.to_string().contains("1000000000000"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The method cannot honour the parameters.
    Param(ParamError),
    /// The table cannot be built.
    Table(samplez_tables::BuildError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Param(e) => e.fmt(f),
            BuildError::Table(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<ParamError> for BuildError {
    fn from(e: ParamError) -> Self {
        BuildError::Param(e)
    }
}

impl From<samplez_tables::BuildError> for BuildError {
    fn from(e: samplez_tables::BuildError) -> Self {
        BuildError::Table(e)
    }
}

/// A sampler of `law` by `method`, or by what [`plan`](crate::plan) chooses for `None`.
///
/// # Errors
///
/// [`BuildError`] if the method refuses the parameters, or its table would be larger than the
/// options allow.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let sampler = samplez::build(&law, Some(Method::Karney), &Options::default())?;
/// assert!(sampler.dyn_profile().exactness.is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(
    law: &DiscreteGaussian,
    method: Option<Method>,
    options: &Options,
) -> Result<Box<dyn DynSampler>, BuildError> {
    Ok(match method.unwrap_or_else(|| crate::plan(law, options).method) {
        Method::Karney => Box::new(Karney::new(law)?),
        Method::Cdt => {
            let options = CdtOptions {
                precision: options.precision,
                max_bytes: options.max_table_bytes,
                ..CdtOptions::default()
            };
            Box::new(Cdt::from_table(samplez_tables::build(law, &options)?))
        }
    })
}

/// The values to expect: a table's support, or for an exact sampler the range outside of
/// which the law has a mass below 2^-128. What does not fit an output type of that range is an
/// error when it comes, not a wrong sample.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let sampler = samplez::build(&law, Some(Method::Karney), &Options::default())?;
/// let range = samplez::typical_range(&sampler.dyn_profile());
/// assert!(*range.end() > 40 && *range.end() < 45);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn typical_range(profile: &Profile) -> RangeInclusive<i64> {
    match profile.exactness {
        Exactness::Within(_) => profile.support.clone(),
        Exactness::Exact => Law::new(&profile.target).tail_range(-129.0).unwrap_or(profile.support.clone()),
    }
}
