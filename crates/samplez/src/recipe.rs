//! A law, a method and options, and the sampler built of them.

use crate::certificate::Certificate;
use crate::law::{LawInfo, near, noise_of};
use crate::method::{Method, names};
use crate::narrow::Ranged;
use crate::options::Options;
use crate::plan::{self, Account, Plan};
use crate::refused::{Refused, RefusedKind, rational, short};
use crate::timing::promised;
#[cfg(feature = "words")]
use crate::words::way_out;
use samplez_core::{DiscreteGaussian, Exactness, Noise, NoiseLaw, ParamError, Profile, Rational, Timing, Width};
use samplez_tables::Law;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

/// A law, a method or the planner's choice, and options.
///
/// Its text form fits a command line, an address or a task on another machine; see
/// [`FromStr`](#impl-FromStr-for-Recipe).
///
/// ```
/// use samplez::{DiscreteGaussian, Method, Recipe};
/// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
/// let built = Recipe::new(law).method(Method::Cdt).precision(72).build()?;
/// assert_eq!(built.recipe().to_string(), "sigma=16/5,method=cdt,precision=72");
/// assert_eq!(Recipe::new(law).build()?.method(), Some(Method::KnuthYaoCt)); // the planner's choice
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The law.
    pub law: NoiseLaw,
    /// The method; `None` lets the planner choose.
    pub method: Option<Method>,
    /// The options.
    pub options: Options,
}

impl Recipe {
    /// The names in which a law states its width.
    ///
    /// ```
    /// assert_eq!(samplez::Recipe::WIDTHS, ["sigma", "sigma_squared", "k_sigma2", "s"]);
    /// ```
    pub const WIDTHS: [&str; 4] = ["sigma", "sigma_squared", "k_sigma2", "s"];

    /// Builds a recipe of this law, with the planner's choice of a method and default options.
    ///
    /// ```
    /// use samplez::{DiscreteGaussian, Recipe};
    /// let recipe = Recipe::new(DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// assert_eq!(recipe.to_string(), "sigma=16/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(law: impl Into<NoiseLaw>) -> Self {
        let options = Options {
            precision: None,
            memory: None,
            rectangles: None,
            tail: None,
            omega: None,
            distance: None,
            chord: None,
            pdf_table: None,
            frugal: None,
            exact: None,
            constant_time: None,
            variable_time: None,
            setup_time: None,
        };
        Recipe { law: law.into(), method: None, options }
    }

    /// Returns the law, if it is a Gaussian.
    ///
    /// # Errors
    ///
    /// [`Refused`] for another law.
    ///
    /// ```
    /// let error = "skellam=2.5".parse::<samplez::Recipe>()?.gaussian().unwrap_err();
    /// assert_eq!(error.to_string(), "recipe = skellam=5/2: expected a Gaussian, such as sigma=3.2");
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn gaussian(&self) -> Result<DiscreteGaussian, Refused> {
        self.law.gaussian().copied().ok_or_else(|| {
            Refused::new("recipe", Recipe::new(self.law), "expected a Gaussian, such as sigma=3.2")
                .with_kind(RefusedKind::Unsupported)
        })
    }

    /// Sets the method.
    #[must_use]
    pub const fn method(mut self, method: Method) -> Self {
        self.method = Some(method);
        self
    }

    /// Replaces all options by these.
    #[must_use]
    pub const fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Sets what the name names: a width or another law, `center`, `method` or an option. A width or law replaces the one that there was.
    ///
    /// # Errors
    ///
    /// [`Refused`] for an unknown name or a value that is not allowed; nothing is set then.
    ///
    /// ```
    /// use samplez::{DiscreteGaussian, Recipe};
    /// let mut recipe = Recipe::new(DiscreteGaussian::with_sigma("3.2".parse()?)?);
    /// recipe.set("center", "1/3")?;
    /// recipe.set("precision", "72")?;
    /// assert_eq!(recipe.to_string(), "sigma=16/5,center=1/3,precision=72");
    /// assert!(recipe.set("colour", "red").unwrap_err().to_string().starts_with("colour = red: expected one of sigma, "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Refused> {
        self.set_to(name, value, &[], false)
    }

    /// The same beside these pairs, of which an error shows the scale.
    fn set_to(&mut self, name: &str, value: &str, pairs: &[(&str, &str)], is_judged: bool) -> Result<(), Refused> {
        let gaussian = self.law.gaussian();
        let law = |center, width| {
            let law = DiscreteGaussian::new(center, width);
            law.map(NoiseLaw::from).map_err(|error| Refused::from(error).as_typed([(name, value)]))
        };
        match name {
            "center" => {
                let width = gaussian.ok_or_else(|| self.inapplicable(name, value, "is about 0"))?.width();
                self.law = law(rational(name, value)?, width)?;
            }
            "clip" => self.law = self.clipped(value, pairs, is_judged)?,
            "method" => self.method = if value == "auto" { None } else { Some(value.parse()?) },
            _ if Self::WIDTHS.contains(&name) => {
                let center = gaussian.map_or(Rational::ZERO, |law| law.center());
                let width = rational(name, value).map_err(|refused| match refused.kind() {
                    RefusedKind::TooLong if near(value) < 0.0 => {
                        Refused::new(name, value, "expected a number greater than 0").with_kind(RefusedKind::OutOfRange)
                    }
                    RefusedKind::TooLong if near(value) < LEAST_WIDTH => Refused::too_narrow(name, value),
                    _ => refused,
                });
                self.law = law(center, named(name, width?))?;
            }
            _ if Options::NAMES.contains(&name) => {
                self.options.set(name, value).map_err(|refused| refused.with_way(name, value))?
            }
            _ => match LawInfo::named(name) {
                Some(info) => self.law = info.law(name, value, is_judged)?,
                None if is_judged => return Err(unknown_law(name, value)),
                None => return Err(unknown(name, value, &Self::names().collect::<Vec<_>>(), &["clip"])),
            },
        }
        Ok(())
    }

    /// The law with this largest absolute value.
    fn clipped(&self, value: &str, pairs: &[(&str, &str)], is_judged: bool) -> Result<NoiseLaw, Refused> {
        let (NoiseLaw::DiscreteLaplace { scale } | NoiseLaw::TruncatedLaplace { scale, .. }) = self.law else {
            let way = match is_judged {
                true => "write the cut law as weights, such as weights=-1: 1 2 1",
                false => "where another sample exceeds your bound, draw it again",
            };
            let allowed = format!("cuts `laplace` alone; {way}");
            return Err(Refused::new("clip", value, allowed).with_kind(RefusedKind::Unsupported));
        };
        let refused = |kind| {
            let typed = pairs.iter().find(|(name, _)| LawInfo::named(name).is_some());
            let typed = typed.map_or_else(|| scale.to_string(), |(_, typed)| (*typed).into());
            let Err(ParamError::OutOfRange { min, .. }) = (NoiseLaw::TruncatedLaplace { scale, bound: 0 }).bound()
            else {
                unreachable!("0 is below every scale");
            };
            let allowed =
                format!("expected a whole number from {min} to 2^53, at least half of the scale {}", short(&typed));
            Refused::new("clip", value, allowed).with_kind(kind)
        };
        let bound = rational("clip", value).map_err(|error| match error.kind() {
            RefusedKind::TooLong => refused(RefusedKind::OutOfRange),
            _ => refused(RefusedKind::NotANumber).with_way("clip", value),
        })?;
        let law = NoiseLaw::TruncatedLaplace { scale, bound: bound.num().try_into().unwrap_or(0) };
        if bound.is_integer() && law.bound().is_ok() { Ok(law) } else { Err(refused(RefusedKind::OutOfRange)) }
    }

    /// Returns the refusal of an argument that does not apply to this law.
    fn inapplicable(&self, name: &str, value: impl fmt::Display, why: &str) -> Refused {
        let law = LawInfo::stated(&self.law).map_or("", |(law, _)| law);
        Refused::new(name, value, format!("`{law}` {why}; leave `{name}` out")).with_kind(RefusedKind::Unsupported)
    }

    /// Returns every name that [`set`](Self::set) takes, except `clip`, which belongs to `laplace`.
    ///
    /// ```
    /// assert!(samplez::Recipe::names().any(|name| name == "center"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        let laws = LawInfo::ALL.into_iter().map(|info| info.name);
        Self::WIDTHS.into_iter().chain(["center", "method"]).chain(Options::NAMES).chain(laws)
    }

    /// Returns the recipe of these names and values, one of which is a width or another law.
    ///
    /// # Errors
    ///
    /// [`Refused`] as [`set`](Self::set), and for a name that occurs twice, two widths or none.
    ///
    /// ```
    /// use samplez::Recipe;
    /// let recipe = Recipe::from_pairs([("method", "cdt"), ("s", "8.35")])?;
    /// assert_eq!(recipe.to_string(), "s=167/20,method=cdt");
    /// let e = Recipe::from_pairs([("sigma", "3"), ("s", "8")]).unwrap_err();
    /// assert_eq!(e.to_string(), "s = 8: sigma is given too; pass only one of them");
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Refused> {
        Self::of_pairs(pairs, false)
    }

    /// The same for a law to judge samples or their sums by, whose parameter may be larger.
    ///
    /// # Errors
    ///
    /// [`Refused`] as [`from_pairs`](Self::from_pairs).
    #[doc(hidden)]
    pub fn to_judge<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Refused> {
        Self::of_pairs(pairs, true)
    }

    fn of_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>, is_judged: bool) -> Result<Self, Refused> {
        let pairs: Vec<(&str, &str)> = pairs.into_iter().collect();
        let is_other = |name: &str| LawInfo::named(name).is_some();
        let is_law = |name: &str| Self::WIDTHS.contains(&name) || is_other(name);
        for (at, (name, value)) in pairs.iter().enumerate() {
            let mut before = pairs[..at].iter().map(|(name, _)| *name);
            if before.clone().any(|said| said == *name) {
                return Err(Refused::new(*name, value, "is given twice; pass it once"));
            }
            if let Some(said) = before.find(|said| is_law(name) && is_law(said)) {
                return Err(Refused::new(*name, value, format!("`{said}` is given too; pass only one of them")));
            }
        }
        // Report a wrong name before a width that is missing because of it. A law other than a Gaussian decides about a centre.
        let mut recipe = Recipe::new(DiscreteGaussian::new(Rational::ZERO, Width::Sigma(Rational::from(1)))?);
        let (laws, rest): (Vec<_>, Vec<_>) = pairs.iter().partition(|(name, _)| is_other(name));
        laws.into_iter().chain(rest).try_for_each(|(name, value)| recipe.set_to(name, value, &pairs, is_judged))?;
        if !pairs.iter().any(|(name, _)| is_law(name)) {
            let names = Self::WIDTHS.map(|name| format!("`{name}`"));
            return Err(Refused::missing("width", format!("pass one of {}", names.join(", "))));
        }
        Ok(recipe)
    }

    /// Builds the sampler, by the named method or by the planner's choice.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the method does not allow the law or an option, or would ignore an option. If no method is
    /// named and none is suitable, [`NoMethod`](crate::NoMethod) has each one's reason.
    pub fn build(&self) -> Result<Built, Refused> {
        if self.law.gaussian().is_some() { self.build_gaussian() } else { self.build_other() }
    }

    /// Builds the sampler of a Gaussian. WebAssembly modules that call this function contain no sampler of another law.
    ///
    /// # Errors
    ///
    /// [`Refused`] as [`build`](Self::build), and for another law.
    #[doc(hidden)]
    pub fn build_gaussian(&self) -> Result<Built, Refused> {
        let law = self.gaussian()?;
        let (method, made, plan) = match self.method {
            Some(method) => (method, plan::named(method, &law, &self.options)?, None),
            None => {
                let (method, made, plan) = plan::choose(&law, &self.options)?;
                (method, made, Some(plan))
            }
        };
        // The memory that was not said leaves no trace in a sampler.
        let recipe = Recipe {
            law: self.law,
            method: Some(method),
            options: Options { memory: self.options.memory, ..made.options },
        };
        let sampler = Box::new(Ranged::new(made.sampler, made.profile));
        let (profile, method) = (sampler.noise_profile(), Some(method));
        Ok(Built { profile, sampler, method, options: made.options, recipe, plan })
    }

    /// The one sampler of a law other than a Gaussian. It is exact, so constraints are met or not, and nothing shapes it.
    fn build_other(&self) -> Result<Built, Refused> {
        const CONSTRAINTS: [&str; 4] = ["exact", "variable_time", "constant_time", "memory"];
        self.options.check()?;
        if let Some(method) = self.method {
            return Err(self.inapplicable("method", method, "has one sampler"));
        }
        if let Some((name, value)) = self.options.said().find(|(name, _)| !CONSTRAINTS.contains(name)) {
            return Err(self.inapplicable(name, value, "has one sampler, which would ignore it"));
        }
        let sampler = noise_of(&self.law)?;
        let profile = sampler.noise_profile();
        let profile = Profile { timing: promised(profile.timing), ..profile };
        if self.options.constant_time() && profile.timing != Timing::Constant {
            return Err(self.inapplicable(
                "constant_time",
                true,
                &format!("has a sampler of {} timing", profile.timing),
            ));
        }
        let bytes = profile.table_bytes as u64;
        if let Some(memory) = self.options.memory.filter(|memory| bytes > *memory) {
            return Err(self.inapplicable("memory", memory, &format!("has a sampler of {bytes} bytes")));
        }
        let (method, options, recipe) = (None, Options::default(), Recipe::new(self.law));
        Ok(Built { profile, sampler, method, options, recipe, plan: None })
    }

    /// Returns the method's table as JSON, for an audit by a program that does not use this library. Without a method it is the
    /// inversion table.
    ///
    /// The text states the distribution, the meaning of each number, and the certified bounds of the distribution that the numbers
    /// make. docs/table-forms.md describes its members. Large numbers are texts such as `0x1f`.
    ///
    /// # Errors
    ///
    /// [`Refused`] as [`build`](Self::build), and if the method has no table, or one of more than 2^20 entries.
    ///
    /// ```
    /// use samplez::Recipe;
    /// let json = "sigma=3.2,method=rejection-table,precision=64".parse::<Recipe>()?.table_json()?;
    /// assert!(json.contains("\"heights\": [\n\"0xf3"));
    /// let error = "sigma=3.2,method=karney".parse::<Recipe>()?.table_json().unwrap_err();
    /// assert!(error.to_string().starts_with("method = karney: has no table; expected one of cdt, "));
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn table_json(&self) -> Result<String, Refused> {
        let (law, method) = (&self.gaussian()?, self.method.unwrap_or(Method::Cdt));
        method.is_here()?;
        let has_table = |method: Method| method.exporter().is_some();
        let export = method.exporter().ok_or_else(|| {
            let expected = names(has_table);
            Refused::new(
                "method",
                method,
                format!("has no table; expected one of {expected}, or leave it out for the inversion table"),
            )
        })?;
        let built = self.method(method).build()?;
        Ok(export(law, built.options())?.to_json(law, method.name(), &built.recipe().to_string()))
    }
}

/// Defines a setter for each option that any method honours, and for the precision. [`Recipe::set`] sets the others.
macro_rules! say {
    ($($name:ident: $type:ty,)*) => {
        impl Recipe {
            $(
                #[doc = concat!("Sets the field `", stringify!($name), "` of [`Options`].")]
                #[must_use]
                pub const fn $name(mut self, $name: $type) -> Self {
                    self.options.$name = Some($name);
                    self
                }
            )*
        }
    };
}

say! {
    precision: u32,
    memory: u64,
    exact: bool,
    constant_time: bool,
    variable_time: bool,
    setup_time: Duration,
}

/// Below it, a width is a fraction of 64 bits or none.
const LEAST_WIDTH: f64 = 1.0 / (1_u64 << 60) as f64;

/// The error about an unknown name, with the known ones, and with others that only some laws take.
pub(crate) fn unknown(name: &str, value: &str, known: &[&str], beside: &[&str]) -> Refused {
    let names: Vec<String> = known.iter().chain(beside).map(|name| format!("`{name}`")).collect();
    let allowed = format!("expected one of {}{}", names.join(", "), instead(name, known));
    Refused::new(name, value, allowed).with_kind(RefusedKind::Unknown)
}

/// The same of a law to judge samples by.
fn unknown_law(name: &str, value: &str) -> Refused {
    let laws = LawInfo::ALL.map(|info| info.name);
    let known = [&Recipe::WIDTHS[..], &["center"], &laws].concat();
    match name {
        "modulus" | "q" => {
            let way =
                "expected a distribution, such as sigma=3.2; pass the modulus beside it, as an argument of its own";
            Refused::new(name, value, way).with_kind(RefusedKind::Unknown)
        }
        _ => unknown(name, value, &known, &["clip", "law", "copies", "weights"]),
    }
}

/// The end of an error about an unknown name: what to write instead.
#[cfg(feature = "words")]
pub(crate) fn instead(name: &str, known: &[&str]) -> String {
    way_out(name, known).map_or(String::new(), |way| format!("; {way}"))
}

/// Without the table of words.
#[cfg(not(feature = "words"))]
pub(crate) fn instead(_: &str, _: &[&str]) -> String {
    String::new()
}

/// The width of this name.
pub(crate) fn named(name: &str, q: Rational) -> Width {
    match name {
        "sigma" => Width::Sigma(q),
        "sigma_squared" => Width::SigmaSq(q),
        "k_sigma2" => Width::KSigma2(q),
        _ => Width::S(q),
    }
}

/// A sampler with its method, its options, and the planner's reasons.
///
/// ```
/// use samplez::{Bulk, Method, Recipe, Seed, Source};
/// let built = "sigma=32,memory=2080".parse::<Recipe>()?.build()?;
/// assert_eq!((built.method(), built.options().exact), (Some(Method::Isochronous), Some(true)));
/// println!("{}: {}\n{}", built.recipe(), built.reason(), built.certificate());
///
/// let mut noise = [0_i16; 1000];
/// Bulk::new(built.sampler(), Source::ChaCha20, Seed::from_bytes([1; 32])).fill(0, &mut noise)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Built {
    sampler: Box<dyn Noise>,
    profile: Profile,
    method: Option<Method>,
    options: Options,
    recipe: Recipe,
    plan: Option<Account>,
}

impl fmt::Debug for Built {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Built").field("recipe", &self.recipe.to_string()).finish_non_exhaustive()
    }
}

impl Built {
    /// Returns the sampler.
    pub fn sampler(&self) -> &dyn Noise {
        &*self.sampler
    }

    /// Returns the sampler alone.
    pub fn into_sampler(self) -> Box<dyn Noise> {
        self.sampler
    }

    /// Returns the sampler's declaration.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the method, named or chosen; `None` for a law other than a Gaussian, which has one sampler.
    pub fn method(&self) -> Option<Method> {
        self.method
    }

    /// Returns the options in force: the ones that the method uses, and the memory.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the recipe that builds this very sampler again on any machine: with its method named and its open
    /// options filled in.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Returns the planner's account; `None` where the method was named, or there is one sampler.
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref().map(Account::plan)
    }

    /// Returns the reason for this method, in a sentence.
    pub fn reason(&self) -> &str {
        let other = if self.method.is_some() { "named" } else { "the one sampler of this law" };
        self.plan().map_or(other, |plan| &plan.reason)
    }

    /// Returns the certificate of the sampler's law.
    pub fn certificate(&self) -> Certificate {
        Certificate::new(self.method, self.recipe.law, self.profile.clone(), self.options)
    }

    /// Returns the range of values to expect: a table's support, or the range outside of which an exact law has a
    /// mass below 2^-128. A type that holds it is [wide enough](crate::NarrowType); a narrower one may be too.
    pub fn typical_range(&self) -> RangeInclusive<i64> {
        let support = &self.profile.support;
        match (&self.profile.exactness, self.recipe.law.gaussian()) {
            (Exactness::Within(_), _) | (_, None) => support.clone(),
            (Exactness::Exact, Some(law)) => {
                let tail = Law::new(law).tail_range(-129.0).unwrap_or(support.clone());
                if *support == (i64::MIN..=i64::MAX) {
                    return tail;
                }
                // A table's support must fit too.
                *support.start().min(tail.start())..=*support.end().max(tail.end())
            }
        }
    }
}
