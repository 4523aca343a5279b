//! The methods by name, and how each is built.

use crate::plan::PlanError;
use samplez_core::noise::Noise;
use samplez_core::params::Rational;
use samplez_core::params::{DiscreteGaussian, ParamError};
use samplez_core::profile::{Exactness, Profile, Timing};
use samplez_core::sampler::Sampler;
use samplez_core::samplers::bernoulli::Bernoulli;
use samplez_core::samplers::cdt::Cdt;
use samplez_core::samplers::cdt_ct::CdtCt;
use samplez_core::samplers::cdt_guided::CdtGuided;
use samplez_core::samplers::cks::Cks;
use samplez_core::samplers::convolution::Convolution;
use samplez_core::samplers::convolution_ct::ConvolutionCt;
use samplez_core::samplers::du_wei::{DuWei4, DuWei5};
use samplez_core::samplers::isochronous::Isochronous;
use samplez_core::samplers::karney::Karney;
use samplez_core::samplers::knuth_yao::KnuthYao;
use samplez_core::samplers::rejection::Rejection;
use samplez_core::samplers::rejection_table::TableRejection;
use samplez_core::samplers::ziggurat::Ziggurat;
use samplez_core::table::Columns;
use samplez_tables::{
    BernoulliOptions, CdtGuidedOptions, CdtOptions, ConvolutionOptions, GuidedBuildError, KnuthYaoOptions, Law,
    RejectionOptions, ZigguratOptions,
};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// A sampling method.
///
/// ```
/// use samplez::Method;
/// assert_eq!("karney".parse::<Method>()?, Method::Karney);
/// assert_eq!(Method::Cdt.to_string(), "cdt");
/// let e = "alias".parse::<Method>().unwrap_err();
/// assert!(e.to_string().starts_with("method = alias: must be one of karney, cdt, "));
/// # Ok::<(), samplez::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Exact rejection without a table \[Kar16\].
    Karney,
    /// Inversion over a certified table.
    Cdt,
    /// Inversion over a certified table, with a guide on the leading bits.
    CdtGuided,
    /// Inversion over a certified table in constant time.
    CdtCt,
    /// Isochronous rejection from a half Gaussian \[HPRR20\].
    Isochronous,
    /// The Knuth–Yao walk over the probability matrix, bit by bit.
    KnuthYao,
    /// The same walk over compact columns, its first levels by table.
    KnuthYaoCompact,
    /// The discrete Ziggurat \[BCGHW13\].
    Ziggurat,
    /// Uniform proposals, accepted by exact coins.
    Rejection,
    /// Uniform proposals, accepted by a table of heights.
    RejectionTable,
    /// BLISS's binary sampler: coins from a short table \[DDLL13\].
    Bernoulli,
    /// A base table and convolutions \[MW17\].
    Convolution,
    /// The same in constant time, over a narrower base.
    ConvolutionCt,
    /// Algorithm 4 of \[DW18\].
    DuWei4,
    /// Algorithm 5 of \[DW18\], with BLISS's binary half Gaussian.
    DuWei5,
    /// Algorithm 5 of \[DW18\], with the Knuth–Yao walk by table.
    DuWei5Ky,
    /// Exact rejection from a discrete Laplace law \[CKS20\].
    Cks,
}

impl Method {
    /// Every method.
    ///
    /// ```
    /// assert!(samplez::Method::ALL.contains(&samplez::Method::Karney));
    /// ```
    pub const ALL: [Method; 17] = [
        Method::Karney,
        Method::Cdt,
        Method::CdtGuided,
        Method::CdtCt,
        Method::Isochronous,
        Method::KnuthYao,
        Method::KnuthYaoCompact,
        Method::Ziggurat,
        Method::Rejection,
        Method::RejectionTable,
        Method::Bernoulli,
        Method::Convolution,
        Method::ConvolutionCt,
        Method::DuWei4,
        Method::DuWei5,
        Method::DuWei5Ky,
        Method::Cks,
    ];

    /// The name on the command line and in the bindings.
    ///
    /// ```
    /// assert_eq!(samplez::Method::Karney.name(), "karney");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Method::Karney => "karney",
            Method::Cdt => "cdt",
            Method::CdtGuided => "cdt-guided",
            Method::CdtCt => "cdt-ct",
            Method::Isochronous => "isochronous",
            Method::KnuthYao => "knuth-yao",
            Method::KnuthYaoCompact => "knuth-yao-compact",
            Method::Ziggurat => "ziggurat",
            Method::Rejection => "rejection",
            Method::RejectionTable => "rejection-table",
            Method::Bernoulli => "bernoulli",
            Method::Convolution => "convolution",
            Method::ConvolutionCt => "convolution-ct",
            Method::DuWei4 => "du-wei-4",
            Method::DuWei5 => "du-wei-5",
            Method::DuWei5Ky => "du-wei-5-ky",
            Method::Cks => "cks",
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
            Method::Cdt => "inversion of a certified cumulative table of 1 to 256 bits; any form of sigma, any center",
            Method::CdtGuided => "cdt with an index on the leading bits: about one comparison a sample",
            Method::CdtCt => {
                "cdt in constant time, 512 samples at once; any form of sigma up to some thousands, any center"
            }
            Method::Isochronous => {
                "rejection whose number of trials tells nothing of the samples; rational sigma from 1 to 2^26, any center"
            }
            Method::KnuthYao => {
                "walk over the probability matrix, within 2 bits of the entropy; any form of sigma, any center"
            }
            Method::KnuthYaoCompact => {
                "the walk of knuth-yao over compact columns, its first levels by table: faster, the same stream"
            }
            Method::Ziggurat => "certified rectangles, little memory at any sigma; any form of sigma, integer center",
            Method::Rejection => {
                "uniform proposals and exact coins, exact within its tail; rational sigma or sigma^2, slow"
            }
            Method::RejectionTable => {
                "uniform proposals and a certified table of heights; any form of sigma, integer center"
            }
            Method::Bernoulli => {
                "binary rejection by a few certified coins, in little memory; sigma = k sqrt(1/(2 ln 2)), integer k and center"
            }
            Method::Convolution => {
                "sums of samples of a small certified table; any form of sigma above 54, integer center"
            }
            Method::ConvolutionCt => {
                "sums of samples of cdt-ct in constant time; any form of sigma above 54, integer center"
            }
            Method::DuWei4 => "exact rejection, integer sigma and center",
            Method::DuWei5 => "exact binary rejection, sigma = k sqrt(1/(2 ln 2)) with integer k, integer center",
            Method::DuWei5Ky => "du-wei-5 with its half Gaussian walked by table",
            Method::Cks => "exact rejection from a discrete Laplace law; rational sigma^2, integer center",
        }
    }

    /// What its running time reveals, as the sampler's type declares it.
    ///
    /// ```
    /// use samplez::{Method, Timing};
    /// assert_eq!(Method::Karney.timing(), Timing::Variable);
    /// ```
    pub const fn timing(self) -> Timing {
        type Table = Vec<u32>;
        match self {
            Method::Karney => Karney::TIMING,
            Method::Cdt => Cdt::<Table>::TIMING,
            Method::CdtGuided => CdtGuided::<Table, Table>::TIMING,
            Method::CdtCt => CdtCt::<Table>::TIMING,
            Method::Isochronous => Isochronous::TIMING,
            Method::KnuthYao | Method::KnuthYaoCompact => KnuthYao::<Table>::TIMING,
            Method::Ziggurat => Ziggurat::<Table>::TIMING,
            Method::Rejection => Rejection::TIMING,
            Method::RejectionTable => TableRejection::<Table>::TIMING,
            Method::Bernoulli => Bernoulli::<Table>::TIMING,
            Method::Convolution => Convolution::<Table, Table>::TIMING,
            Method::ConvolutionCt => ConvolutionCt::<Table>::TIMING,
            Method::DuWei4 => DuWei4::TIMING,
            Method::DuWei5 | Method::DuWei5Ky => DuWei5::TIMING,
            Method::Cks => Cks::TIMING,
        }
    }

    /// Whether its law is D_{Z,σ,c} itself for every law that it takes. `rejection`, which is
    /// exact up to its tail only, is not.
    ///
    /// ```
    /// use samplez::Method;
    /// assert!(Method::Karney.is_exact() && !Method::Cdt.is_exact());
    /// ```
    pub const fn is_exact(self) -> bool {
        matches!(self, Method::Karney | Method::DuWei4 | Method::DuWei5 | Method::DuWei5Ky | Method::Cks)
    }

    /// What the options wish and the method, by its declaration, cannot give.
    pub(crate) fn check(self, options: &Options) -> Result<(), Wish> {
        if options.exact && !self.is_exact() {
            return Err(Wish::Exact);
        }
        if options.constant_time && self.timing() != Timing::Constant {
            return Err(Wish::ConstantTime);
        }
        if options.isochronous && self.timing() == Timing::Variable {
            return Err(Wish::Isochronous);
        }
        Ok(())
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
/// let e = "dice".parse::<samplez::Method>().unwrap_err();
/// assert!(e.to_string().starts_with("method = dice: must be one of karney, "));
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

/// What a build may choose and use. A method takes what concerns it and ignores the rest.
///
/// ```
/// use samplez::{Options, Rational};
/// let options = Options { precision: 72, ..Options::default() };
/// assert_eq!((options.max_table_bytes, options.rectangles, options.tail), (1 << 30, None, Rational::from(14)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Precision of a table in bits, 1 to 256. Exact methods have none.
    pub precision: u32,
    /// The largest table that may be built, in bytes. The planner counts fixed tables too.
    pub max_table_bytes: u64,
    /// Rectangles of the Ziggurat, 2 to 65536. `None`: 256, or as many as the memory holds; the
    /// planner takes up to 1024.
    pub rectangles: Option<u32>,
    /// Where the support ends, in σ: above 0, at most 40 for the Ziggurat and 64 for `rejection`; 1 to 64,
    /// whole, for `rejection-table`.
    pub tail: Rational,
    /// Whether the Ziggurat decides by chords where it can.
    pub chord: bool,
    /// Whether the Ziggurat stores every density, which takes memory and less time.
    pub pdf_table: bool,
    /// Whether only methods will do whose law is D_{Z,σ,c} itself.
    pub exact: bool,
    /// Whether `bernoulli`, `du-wei-4`, `du-wei-5` and `du-wei-5-ky` draw bit by bit: from a third to a ninth
    /// of the bits, more time, and another stream.
    pub frugal: bool,
    /// Whether only methods will do that declare [`Timing::Constant`].
    pub constant_time: bool,
    /// Whether only methods will do that declare [`Timing::Constant`] or [`Timing::Isochronous`]: the
    /// time may vary, but tells nothing of the samples. The planner then takes `isochronous` too, whose law is
    /// within 2^-46 whatever `precision` is.
    pub isochronous: bool,
    /// The planner: the longest that setting up may take, by its estimate. `None`: no limit, but
    /// what takes more than a tenth of a second is chosen only if nothing else will do.
    pub max_setup: Option<Duration>,
}

impl Default for Options {
    /// 128 bits, 1 GiB, 256 rectangles or what fits, 14σ, with chords, without stored densities,
    /// any method, any setup, not frugal.
    fn default() -> Self {
        Options {
            precision: 128,
            max_table_bytes: 1 << 30,
            rectangles: None,
            tail: Rational::from(14),
            chord: true,
            pdf_table: false,
            exact: false,
            frugal: false,
            constant_time: false,
            isochronous: false,
            max_setup: None,
        }
    }
}

impl Options {
    fn cdt(&self) -> CdtOptions {
        CdtOptions { precision: self.precision, max_bytes: self.max_table_bytes, ..CdtOptions::default() }
    }

    /// ω is 32 bits more than the heights have: drawn lazily, it costs nothing, and keeps the
    /// tail's relative error small.
    ///
    /// # Errors
    ///
    /// Without a number of rectangles: if not even two fit, or an option is out of its range.
    pub(crate) fn ziggurat(
        &self,
        law: &DiscreteGaussian,
        most: u32,
    ) -> Result<ZigguratOptions, samplez_tables::ZigguratBuildError> {
        let options = ZigguratOptions {
            rectangles: self.rectangles.unwrap_or(most),
            precision: self.precision,
            omega: self.precision + 32,
            tail: self.tail,
            chord: self.chord,
            stored: self.pdf_table,
            max_bytes: self.max_table_bytes,
        };
        if self.rectangles.is_some() {
            return Ok(options);
        }
        let fitting = options.within(law, self.max_table_bytes)?;
        Ok(ZigguratOptions { rectangles: fitting.rectangles.min(most), ..fitting })
    }

    /// The proposals' tail is a whole number of σ.
    pub(crate) fn rejection(&self) -> Result<RejectionOptions, ParamError> {
        let whole = u32::try_from(self.tail.num()).ok().filter(|_| self.tail.is_integer());
        let tail = whole.ok_or(ParamError::Unsupported {
            method: "rejection-table",
            argument: "tail",
            value: self.tail,
            allowed: "a whole number from 1 to 64",
        })?;
        Ok(RejectionOptions { precision: self.precision, tail, max_bytes: self.max_table_bytes })
    }

    fn bernoulli(&self) -> BernoulliOptions {
        BernoulliOptions { precision: self.precision, max_bytes: self.max_table_bytes }
    }

    /// The convolutions may add as much error as the table's precision stands for.
    fn convolution(&self) -> ConvolutionOptions {
        let default = ConvolutionOptions::default();
        ConvolutionOptions {
            precision: self.precision,
            bound: self.precision,
            max_bytes: default.max_bytes.min(self.max_table_bytes),
            ..default
        }
    }

    /// Every threshold of the base is compared: two samples of a base of 32 take as long as four of one a quarter as
    /// wide, which is the next level's.
    fn convolution_ct(&self) -> ConvolutionOptions {
        ConvolutionOptions { base_sigma: 32, ..self.convolution() }
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
    /// The cumulative table cannot be built.
    Table(samplez_tables::BuildError),
    /// The table with a guide cannot be built.
    Guided(GuidedBuildError),
    /// The probability matrix cannot be built.
    KnuthYao(samplez_tables::KnuthYaoBuildError),
    /// The Ziggurat cannot be built.
    Ziggurat(samplez_tables::ZigguratBuildError),
    /// The table of heights cannot be built.
    Rejection(samplez_tables::RejectionBuildError),
    /// The table of coins cannot be built.
    Bernoulli(samplez_tables::BernoulliBuildError),
    /// The convolution cannot be built.
    Convolution(samplez_tables::ConvolutionBuildError),
    /// The method named does not declare what the options wish.
    Wish(Method, Wish),
    /// The planner found no method.
    Plan(PlanError),
}

/// What a method can lack by its declaration.
///
/// ```
/// use samplez::{BuildError, DiscreteGaussian, Method, Options, Wish};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let options = Options { exact: true, ..Options::default() };
/// let refused = samplez::build(&law, Some(Method::Cdt), &options).err().unwrap();
/// assert!(matches!(refused, BuildError::Wish(Method::Cdt, Wish::Exact)));
/// assert_eq!(
///     refused.to_string(),
///     "exact = true: cdt is certified, not exact; exact are karney, du-wei-4, du-wei-5, du-wei-5-ky, cks"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wish {
    /// [`Options::exact`].
    Exact,
    /// [`Options::constant_time`].
    ConstantTime,
    /// [`Options::isochronous`].
    Isochronous,
}

impl Wish {
    /// What the method is instead.
    pub(crate) fn lack(self, method: Method) -> String {
        match self {
            Wish::Exact => "certified, not exact".into(),
            Wish::ConstantTime | Wish::Isochronous => format!("of {} timing", method.timing()),
        }
    }

    /// The wish refused by this method, and who would grant it.
    pub(crate) fn refusal(self, method: Method) -> String {
        match self {
            Wish::Exact => {
                format!("exact = true: {method} is {}; exact are {}", self.lack(method), listed(Method::is_exact))
            }
            Wish::ConstantTime => {
                format!(
                    "constant_time = true: {method} is {}; constant-time are {}",
                    self.lack(method),
                    listed(|method| method.timing() == Timing::Constant)
                )
            }
            Wish::Isochronous => {
                format!(
                    "isochronous = true: {method} is {}; constant-time or isochronous are {}",
                    self.lack(method),
                    listed(|method| method.timing() != Timing::Variable)
                )
            }
        }
    }
}

fn listed(wanted: impl Fn(Method) -> bool) -> String {
    Method::ALL.into_iter().filter(|method| wanted(*method)).map(Method::name).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Param(e) => e.fmt(f),
            BuildError::Table(e) => e.fmt(f),
            BuildError::Guided(e) => e.fmt(f),
            BuildError::KnuthYao(e) => e.fmt(f),
            BuildError::Ziggurat(e) => e.fmt(f),
            BuildError::Rejection(e) => e.fmt(f),
            BuildError::Bernoulli(e) => e.fmt(f),
            BuildError::Convolution(e) => e.fmt(f),
            BuildError::Wish(method, wish) => f.write_str(&wish.refusal(*method)),
            BuildError::Plan(e) => e.fmt(f),
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
/// [`BuildError`] if the method refuses the parameters, its table would be larger than the
/// options allow, or it does not declare what they wish.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let sampler = samplez::build(&law, Some(Method::Karney), &Options::default())?;
/// assert!(sampler.profile().exactness.is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(law: &DiscreteGaussian, method: Option<Method>, options: &Options) -> Result<Box<dyn Noise>, BuildError> {
    let Some(method) = method else {
        return crate::plan::build_planned(law, options).map(|(_, sampler)| sampler).map_err(BuildError::Plan);
    };
    method.check(options).map_err(|wish| BuildError::Wish(method, wish))?;
    Ok(match method {
        Method::Karney => Box::new(Karney::new(law)?),
        Method::Cdt => Box::new(Cdt::from_table(samplez_tables::build_cdt(law, &options.cdt())?)),
        Method::CdtGuided => Box::new(cdt_guided(law, options).map_err(BuildError::Guided)?),
        Method::CdtCt => Box::new(CdtCt::from_table(samplez_tables::build_cdt(law, &options.cdt())?)?),
        Method::Isochronous => Box::new(Isochronous::new(law)?),
        Method::KnuthYao => Box::new(knuth_yao(law, options, Columns::Packed, Some(0))?),
        Method::KnuthYaoCompact => Box::new(knuth_yao(law, options, Columns::Compact, None)?),
        Method::Ziggurat => {
            let table = options.ziggurat(law, 256).and_then(|options| samplez_tables::build_ziggurat(law, &options));
            Box::new(Ziggurat::from_table(table.map_err(BuildError::Ziggurat)?))
        }
        Method::Rejection => Box::new(Rejection::new(law, options.tail)?),
        Method::RejectionTable => {
            let table = samplez_tables::build_rejection(law, &options.rejection()?).map_err(BuildError::Rejection)?;
            Box::new(TableRejection::from_table(table)?)
        }
        Method::Bernoulli => {
            let table = samplez_tables::build_bernoulli(law, &options.bernoulli()).map_err(BuildError::Bernoulli)?;
            let sampler = Bernoulli::from_table(table);
            if options.frugal { Box::new(sampler.frugal()) } else { Box::new(sampler) }
        }
        Method::Convolution => {
            let options = options.convolution();
            let table = samplez_tables::build_convolution(law, &options).map_err(BuildError::Convolution)?;
            let guide = samplez_tables::guide(table.base(), options.max_bytes).map_err(BuildError::Guided)?;
            let sampler = Convolution::from_table(table, guide).map_err(GuidedBuildError::Guide);
            Box::new(sampler.map_err(BuildError::Guided)?)
        }
        Method::ConvolutionCt => {
            let table = samplez_tables::build_convolution(law, &options.convolution_ct());
            Box::new(ConvolutionCt::from_table(table.map_err(BuildError::Convolution)?)?)
        }
        Method::DuWei4 if options.frugal => Box::new(DuWei4::new(law)?.frugal()),
        Method::DuWei5 if options.frugal => Box::new(DuWei5::new(law)?.frugal()),
        Method::DuWei5Ky if options.frugal => Box::new(DuWei5::with_table_walk(law)?.frugal()),
        Method::DuWei4 => Box::new(DuWei4::new(law)?),
        Method::DuWei5 => Box::new(DuWei5::new(law)?),
        Method::DuWei5Ky => Box::new(DuWei5::with_table_walk(law)?),
        Method::Cks => Box::new(Cks::new(law)?),
    })
}

/// With the longest guide that the memory allows, the sampler's own included.
fn cdt_guided(law: &DiscreteGaussian, options: &Options) -> Result<CdtGuided<Vec<u32>, Vec<u32>>, GuidedBuildError> {
    let within = |max_bytes| {
        let cdt = CdtOptions { max_bytes, ..options.cdt() };
        samplez_tables::build_guided(law, &CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() })
            .map(CdtGuided::from_table)
    };
    let limit = options.max_table_bytes;
    let sampler = within(limit)?;
    let bytes = sampler.profile().table_bytes;
    if bytes as u64 <= limit {
        return Ok(sampler);
    }
    let own = bytes - sampler.table().bytes();
    // With a guide of one bit.
    let least = sampler.table().table().bytes() + 8 + own;
    within(limit.saturating_sub(own as u64)).map_err(|_| GuidedBuildError::TooLarge { bytes: least as u128, limit })
}

fn knuth_yao(
    law: &DiscreteGaussian,
    options: &Options,
    columns: Columns,
    first_levels: Option<u32>,
) -> Result<KnuthYao<Vec<u32>>, BuildError> {
    let options = KnuthYaoOptions { cdt: options.cdt(), columns, first_levels };
    Ok(KnuthYao::from_table(samplez_tables::build_knuth_yao(law, &options).map_err(BuildError::KnuthYao)?))
}

/// The values to expect: a table's support, or for an exact sampler the range outside of
/// which the law has a mass below 2^-128. What does not fit an output type of that range is an
/// error when it comes, not a wrong sample.
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Options};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let sampler = samplez::build(&law, Some(Method::Karney), &Options::default())?;
/// let range = samplez::typical_range(&sampler.profile());
/// assert!(*range.end() > 40 && *range.end() < 45);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn typical_range(profile: &Profile) -> RangeInclusive<i64> {
    match profile.exactness {
        Exactness::Within(_) => profile.support.clone(),
        Exactness::Exact => Law::new(&profile.target).tail_range(-129.0).unwrap_or(profile.support.clone()),
    }
}
