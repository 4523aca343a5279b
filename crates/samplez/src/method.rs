//! The methods by name. Each has a file of its own with its [`Row`]; everything here is derived from these.

mod row;
mod tables;

use crate::options::Options;
use crate::refused::{Refused, RefusedKind};
pub use row::Row;
pub(crate) use row::{Ask, Cost, Exporter};
use samplez_core::{DiscreteGaussian, Noise, ParamError, Profile, Timing};
use std::fmt;
use std::str::FromStr;

/// Makes the modules and [`Method`] of the list of files and names.
macro_rules! methods {
    ($($(#[$doc:meta])* $file:ident $variant:ident $($feature:literal)?,)*) => {
        $($(#[cfg(feature = $feature)])? mod $file;)*

        /// A sampling method.
        ///
        /// ```
        /// use samplez::Method;
        /// assert_eq!("karney".parse::<Method>()?, Method::Karney);
        /// assert_eq!(Method::Cdt.to_string(), "cdt");
        /// let e = "alias".parse::<Method>().unwrap_err();
        /// assert!(e.to_string().starts_with("method = alias: expected one of auto, karney, cdt, "));
        /// # Ok::<(), samplez::Refused>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Method {
            $($(#[$doc])* $variant,)*
        }

        impl Method {
            /// All methods.
            ///
            /// ```
            /// assert!(samplez::Method::ALL.contains(&samplez::Method::Karney));
            /// ```
            pub const ALL: [Method; [$(Method::$variant),*].len()] = [$(Method::$variant),*];

            /// Returns the name in a recipe, and in every language.
            pub const fn name(self) -> &'static str {
                // Not through `row`: who but reads names does not link all samplers.
                match self {
                    $(Method::$variant => const {
                        const NAME: [u8; stringify!($file).len()] = hyphenated(stringify!($file));
                        match str::from_utf8(&NAME) {
                            Ok(name) => name,
                            Err(_) => panic!("a name of a file is ASCII"),
                        }
                    },)*
                }
            }

            /// Returns the description in its module. If the method's Cargo feature is disabled, this is an empty description.
            pub const fn row(self) -> &'static Row {
                match self {
                    $(
                        $(#[cfg(feature = $feature)])?
                        Method::$variant => const { &$file::ROW },
                        $(
                            #[cfg(not(feature = $feature))]
                            Method::$variant => &row::NONE,
                        )?
                    )*
                }
            }

            /// Returns the Cargo feature that the method needs, if it is disabled.
            const fn missing(self) -> Option<&'static str> {
                match self {
                    $($(
                        #[cfg(not(feature = $feature))]
                        Method::$variant => Some($feature),
                    )?)*
                    _ => None,
                }
            }

            /// Writes down its table; `None` if it has none. Not through `row`: a program that exports no table does not link this.
            pub(crate) const fn exporter(self) -> Option<Exporter> {
                match self {
                    $(
                        $(#[cfg(feature = $feature)])?
                        Method::$variant => $file::TABLE,
                        $(
                            #[cfg(not(feature = $feature))]
                            Method::$variant => None,
                        )?
                    )*
                }
            }
        }
    };
}

/// The name in recipes of a file's name.
const fn hyphenated<const N: usize>(file: &str) -> [u8; N] {
    let mut name = [0; N];
    let mut at = 0;
    while at < N {
        let byte = file.as_bytes()[at];
        name[at] = if byte == b'_' { b'-' } else { byte };
        at += 1;
    }
    name
}

// A method has a Cargo feature of its name unless it is exact, and constant-time or isochronous.
methods! {
    /// Exact rejection without a table \[Kar16\].
    karney Karney "karney",
    /// Inversion over a certified table.
    cdt Cdt "cdt",
    /// Inversion over a certified table, with an index table on the leading bits.
    cdt_guided CdtGuided "cdt-guided",
    /// Inversion over a certified table in constant time.
    cdt_ct CdtCt,
    /// The same law in constant time, from few bits.
    cdt_lazy_ct CdtLazyCt,
    /// Isochronous rejection from a half Gaussian \[HPRR20\].
    isochronous Isochronous,
    /// The Knuth–Yao walk over the probability matrix, bit by bit.
    knuth_yao KnuthYao "knuth-yao",
    /// The same walk over compact columns, its first levels by table.
    knuth_yao_compact KnuthYaoCompact "knuth-yao-compact",
    /// A Knuth–Yao tree of larger radix in constant time, for small σ.
    knuth_yao_ct KnuthYaoCt,
    /// The discrete Ziggurat \[BCGHW13\].
    ziggurat Ziggurat "ziggurat",
    /// Uniform proposals, accepted by exact coins.
    rejection Rejection "rejection",
    /// Uniform proposals, accepted by a table of heights.
    rejection_table RejectionTable "rejection-table",
    /// BLISS's binary sampler: coins from a short table \[DDLL13\].
    bernoulli Bernoulli "bernoulli",
    /// A base table and convolutions \[MW17\].
    convolution Convolution "convolution",
    /// The same in constant time, over a narrower base.
    convolution_ct ConvolutionCt "convolution-ct",
    /// Algorithm 4 of \[DW18\].
    du_wei_4 DuWei4 "du-wei-4",
    /// Algorithm 5 of \[DW18\], with BLISS's binary half Gaussian.
    du_wei_5 DuWei5 "du-wei-5",
    /// Algorithm 5 of \[DW18\], with the Knuth–Yao walk by table.
    du_wei_5_ky DuWei5Ky "du-wei-5-ky",
    /// Exact rejection from a discrete Laplace law \[CKS20\].
    cks Cks "cks",
    /// Exact and isochronous for σ above 2^26: samples of a narrower law, and uniform low bits.
    wide Wide,
}

impl Method {
    /// Returns the class of its running time, as the sampler's type declares it.
    pub const fn timing(self) -> Timing {
        self.row().timing
    }

    /// Returns the options that concern it: the constraints on any method, and the options that it uses.
    ///
    /// ```
    /// use samplez::{Method, Options};
    /// let options = Options { precision: Some(72), memory: Some(4096), ..Options::default() };
    /// assert_eq!(Method::Cdt.part_of(&options), options);
    /// assert_eq!(Method::Karney.part_of(&options), Options { memory: Some(4096), ..Options::default() });
    /// ```
    pub fn part_of(self, options: &Options) -> Options {
        let heeds = |name| self.row().heeds.contains(&name);
        Options {
            precision: options.precision.filter(|_| heeds("precision")),
            rectangles: options.rectangles.filter(|_| heeds("rectangles")),
            tail: options.tail.filter(|_| heeds("tail")),
            omega: options.omega.filter(|_| heeds("omega")),
            distance: options.distance.filter(|_| heeds("distance")),
            chord: options.chord.filter(|_| heeds("chord")),
            pdf_table: options.pdf_table.filter(|_| heeds("pdf_table")),
            frugal: options.frugal.filter(|_| heeds("frugal")),
            ..*options
        }
    }

    /// Returns the options in force, of those that shape the sampler.
    fn in_force(self, law: &DiscreteGaussian, options: &Options) -> Result<Options, Refused> {
        let settled = (self.row().settle)(law, options)?;
        Ok(self.part_of(&Options {
            precision: Some(settled.precision()),
            memory: Some(settled.memory()),
            rectangles: settled.rectangles,
            tail: Some(settled.tail()),
            omega: settled.omega,
            chord: Some(settled.chord()),
            pdf_table: Some(settled.pdf_table()),
            frugal: Some(settled.frugal()),
            // The coins are in the stream.
            exact: options.exact.filter(|exact| *exact && self.row().exactly.is_some()),
            ..Options::default()
        }))
    }

    /// Refuses a method whose Cargo feature is disabled.
    pub(crate) fn is_here(self) -> Result<(), Refused> {
        self.missing().map_or(Ok(()), |feature| Err(self.needs(feature)))
    }

    /// A refusal of a method that needs this Cargo feature.
    fn needs(self, feature: &str) -> Refused {
        let allowed = format!("not in this build; enable the feature {feature} or all-methods of the crate samplez");
        Refused::new("method", self, allowed)
    }

    /// Returns the first constraint that it does not declare to honour.
    pub(crate) fn lack(self, options: &Options) -> Option<Lack> {
        type Declares = fn(Method) -> bool;
        let demands: [(_, _, _, Declares); 2] = [
            ("exact", "exact", options.exact(), |m| m.row().exact || m.row().exactly.is_some()),
            ("constant_time", "constant-time", options.constant_time(), |m| m.timing() == Timing::Constant),
        ];
        let (argument, class, _, declares) =
            demands.into_iter().find(|(_, _, wanted, declares)| *wanted && !declares(self))?;
        Some(Lack { method: self, argument, class, declares })
    }

    /// Returns the first option that is set and would shape the sampler of another method.
    pub(crate) fn ignored(self, options: &Options) -> Option<(&'static str, String)> {
        let own = self.part_of(options);
        options.said().find(|(name, _)| own.get(name).is_none())
    }

    /// Refuses what it would not honour, by its declaration.
    fn admits(self, options: &Options) -> Result<(), Refused> {
        if let Some(lack) = self.lack(options) {
            let (class, others) = (lack.class, names(lack.declares));
            let refused = Refused::new(lack.argument, true, format!("{self} is {}; {class} are {others}", lack.is()));
            return Err(refused.with_kind(RefusedKind::Unsupported));
        }
        let Some((name, value)) = self.ignored(options) else { return Ok(()) };
        let allowed = match (name, self.row().exact) {
            ("precision", true) => format!("{self} is exact and has none"),
            _ => format!("{self} has no such option; those that have it: {}", names(|m| m.row().heeds.contains(&name))),
        };
        Err(Refused::new(name, value, allowed).with_kind(RefusedKind::Unsupported))
    }

    /// The sampler of this law, its declaration, and the options in force.
    ///
    /// # Errors
    ///
    /// If the method refuses the parameters or ignores an option, or the sampler would not honour a constraint.
    pub(crate) fn build(self, law: &DiscreteGaussian, options: &Options) -> Result<Made, Refused> {
        options.check()?;
        self.is_here()?;
        self.admits(options)?;
        let options_in_force = self.in_force(law, options).map_err(|why| self.own(why, law))?;
        let build = self.row().exactly.filter(|_| options.exact()).unwrap_or(self.row().build);
        let sampler = build(law, options).map_err(|why| self.own(why, law))?;
        let profile = sampler.profile();
        if profile.table_bytes as u64 > options.memory() {
            let allowed = format!("{self} takes {} bytes, more than that; raise `memory`", profile.table_bytes);
            return Err(Refused::new("memory", options.memory(), allowed).with_kind(RefusedKind::Unsupported));
        }
        Ok(Made { sampler, profile, options: options_in_force })
    }

    /// Estimates its cost.
    ///
    /// # Errors
    ///
    /// Why it cannot be built, as far as that is known without building it.
    pub(crate) fn cost(self, ask: &Ask<'_>) -> Result<Cost, Refused> {
        self.is_here()?;
        (self.row().cost)(ask).map_err(|why| self.own(why, ask.law))
    }

    /// A refusal in this method's name, and of an argument that a recipe has: it may be built of another one's parts, which name that.
    fn own(self, why: Refused, law: &DiscreteGaussian) -> Refused {
        let why = match why.cause().and_then(|cause| cause.downcast_ref()) {
            Some(error @ ParamError::Unsupported { method, allowed, .. }) if *method != self.name() => {
                let error = *error;
                Refused::new(why.argument(), why.value(), format!("method {self} allows {allowed}")).because(error)
            }
            _ => why,
        };
        in_arguments(why, law).with_kind(RefusedKind::Unsupported)
    }
}

/// Returns a refusal of an argument that a recipe has. An error within a table becomes an error of its width.
fn in_arguments(why: Refused, law: &DiscreteGaussian) -> Refused {
    let width = law.width();
    if [width.name(), "center", "method"].contains(&why.argument()) || Options::NAMES.contains(&why.argument()) {
        return why;
    }
    Refused::width(width, why.part()).because(why)
}

/// A property that a method lacks by its declaration.
pub(crate) struct Lack {
    method: Method,
    /// The option.
    argument: &'static str,
    /// The name of the methods that have the property.
    class: &'static str,
    declares: fn(Method) -> bool,
}

impl Lack {
    /// Returns the method's actual property.
    pub(crate) fn is(&self) -> String {
        match self.argument {
            "exact" => "certified, not exact".to_string(),
            _ => format!("of {} timing", self.method.timing()),
        }
    }
}

pub(crate) fn names(wanted: impl Fn(Method) -> bool) -> String {
    Method::ALL.into_iter().filter(|method| wanted(*method)).map(Method::name).collect::<Vec<_>>().join(", ")
}

/// A sampler, its declaration, and the options in force: the ones that it uses, and its memory.
pub(crate) struct Made {
    pub(crate) sampler: Box<dyn Noise>,
    pub(crate) profile: Profile,
    pub(crate) options: Options,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = Refused;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let find = Method::ALL.into_iter().find(|m| m.name() == text);
        find.ok_or_else(|| Refused::name("method", text, ["auto"].into_iter().chain(Method::ALL.map(Method::name))))
    }
}

#[cfg(test)]
mod tests;
