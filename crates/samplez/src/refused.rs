//! The one error for parameters, options, names and builds: the rejected argument and the reason.

use crate::law::{LawInfo, LawRange};
use crate::options::Options;
use samplez_core::{ParamError, ParseRationalError, Rational, Width};
use samplez_sources::{ParseSeedError, Source, UnknownSource};
use samplez_tables::ParseFormError;
use std::any::TypeId;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// The kind of a [`Refused`], for programs that act on it. Its message is for people.
///
/// ```
/// use samplez::{Recipe, RefusedKind};
/// let kind = |text: &str| text.parse::<Recipe>().unwrap_err().kind();
/// assert_eq!([kind("sigma=1e400"), kind("sigma=3,colour=red")], [RefusedKind::TooLong, RefusedKind::Unknown]);
/// assert_eq!(RefusedKind::TooLong.name(), "too-long");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefusedKind {
    /// A required argument is absent.
    Missing,
    /// No method samples the distribution under the given options.
    NoMethod,
    /// The text is not a number.
    NotANumber,
    /// A reason that no other kind names.
    Other,
    /// The number lies outside the range of every method.
    OutOfRange,
    /// The number does not fit the 64 bits of numerator and denominator. [`BigGaussian`](crate::BigGaussian) allows longer ones.
    TooLong,
    /// The name does not exist.
    Unknown,
    /// The method does not allow the value; another method may.
    Unsupported,
}

impl RefusedKind {
    /// Returns the name, such as `too-long`, the same in every language.
    pub const fn name(self) -> &'static str {
        match self {
            RefusedKind::Missing => "missing",
            RefusedKind::NoMethod => "no-method",
            RefusedKind::NotANumber => "not-a-number",
            RefusedKind::Other => "other",
            RefusedKind::OutOfRange => "out-of-range",
            RefusedKind::TooLong => "too-long",
            RefusedKind::Unknown => "unknown",
            RefusedKind::Unsupported => "unsupported",
        }
    }

    /// The kind of the refusal of a double that is not between two bounds.
    pub(crate) fn of_double(value: f64) -> Self {
        if value.is_finite() { RefusedKind::OutOfRange } else { RefusedKind::NotANumber }
    }
}

/// A rejected argument: its name, its value, and the allowed values.
///
/// Names are the ones of a [`Recipe`](crate::Recipe), everywhere. A front end with another spelling (`--sigma-squared`,
/// `sigmaSquared`) passes it to [`respelled`](Self::respelled), and changes nothing else.
///
/// ```
/// use samplez::Recipe;
/// let refused = "sigma=3.2,method=karney,precision=72".parse::<Recipe>()?.build().unwrap_err();
/// assert_eq!((refused.argument(), refused.value()), ("precision", "72"));
/// assert_eq!(refused.to_string(), "precision = 72: karney is exact and has none");
/// # Ok::<(), samplez::Refused>(())
/// ```
#[derive(Clone, Debug)]
pub struct Refused {
    kind: RefusedKind,
    argument: String,
    /// The element of the argument, if that is an array.
    place: Option<usize>,
    value: Option<String>,
    /// Whether the user named the argument.
    named: bool,
    allowed: String,
    cause: Option<Arc<dyn Error + Send + Sync>>,
}

impl Refused {
    /// Builds the error that rejects `argument = value`. `allowed` states the allowed values, or the mistake, with the
    /// names of arguments in backticks.
    ///
    /// ```
    /// use samplez::Refused;
    /// let refused = Refused::new("precision", "300", "expected a number between 1 and 256");
    /// assert_eq!(refused.to_string(), "precision = 300: expected a number between 1 and 256");
    /// ```
    pub fn new(argument: impl Into<String>, value: impl fmt::Display, allowed: impl Into<String>) -> Self {
        let (value, kind) = (Some(value.to_string()), RefusedKind::Other);
        Refused {
            kind,
            argument: argument.into(),
            place: None,
            value,
            named: true,
            allowed: allowed.into(),
            cause: None,
        }
    }

    /// Returns the error with this kind.
    #[must_use]
    pub(crate) fn with_kind(self, kind: RefusedKind) -> Self {
        Refused { kind, ..self }
    }

    /// Adds another way out.
    #[must_use]
    pub(crate) fn or(mut self, way: &str) -> Self {
        self.allowed += way;
        self
    }

    /// Adds how to write the number, if its meaning is plain.
    #[must_use]
    pub(crate) fn with_way(mut self, argument: &str, value: &str) -> Self {
        let way = crate::words::rewritten(argument, value);
        if !self.allowed.contains(&way) {
            self.allowed += &way;
        }
        self
    }

    /// Returns the error as one about this element of the argument, which is an array.
    ///
    /// ```
    /// let refused = samplez::Refused::new("centers", "NaN", "expected a finite number").at(3);
    /// assert_eq!((refused.argument(), refused.place()), ("centers", Some(3)));
    /// assert_eq!(refused.to_string(), "centers[3] = NaN: expected a finite number");
    /// ```
    #[must_use]
    pub fn at(self, place: usize) -> Self {
        Refused { place: Some(place), ..self }
    }

    /// No method, which the user did not name, so that the message has neither name nor value.
    pub(crate) fn no_method(allowed: impl Into<String>) -> Self {
        Refused { named: false, kind: RefusedKind::NoMethod, ..Refused::new("method", "auto", allowed) }
    }

    /// An argument that is required and not given. `allowed` states what to pass.
    pub(crate) fn missing(argument: &str, allowed: impl Into<String>) -> Self {
        Refused { value: None, kind: RefusedKind::Missing, ..Refused::new(argument, "", allowed) }
    }

    /// An argument whose value is not shown, such as an array.
    pub(crate) fn about(argument: &str, allowed: impl Into<String>) -> Self {
        Refused { value: None, ..Refused::new(argument, "", allowed) }
    }

    /// A name that is none of these.
    pub(crate) fn name<'a>(argument: &str, value: &str, names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        Refused::new(argument, value, format!("expected one of {}{}", names.join(", "), meant(value, &names)))
            .with_kind(RefusedKind::Unknown)
    }

    /// Returns the error with the value as the user typed it, wherever one of these names has that value: 4KiB instead of 4096.
    ///
    /// ```
    /// let typed = "sigma=16/5,method=du-wei-4";
    /// let refused = typed.parse::<samplez::Recipe>()?.build().unwrap_err();
    /// assert!(refused.to_string().starts_with("sigma = 3.2: "));
    /// assert!(refused.as_typed(samplez::Recipe::pairs(typed)?).to_string().starts_with("sigma = 16/5: "));
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    #[must_use]
    pub fn as_typed<'a>(mut self, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        pairs.into_iter().for_each(|(name, value)| self.take_typed(name, value));
        self
    }

    /// Takes the text of this argument wherever its value is shown.
    fn take_typed(&mut self, name: &str, value: &str) {
        let mut options = Options::default();
        if cfg!(feature = "words") {
            let _ = options.set(name, value);
        }
        let number = value.parse::<Rational>().ok();
        let forms = [number.map(|q| format!("{q:#}")), number.map(|q| q.to_string()), options.get(name)];
        let square = if name == "sigma_squared" { "sigma^2" } else { name };
        for shown in forms.into_iter().flatten().filter(|shown| shown != value) {
            if name == self.argument && self.value.as_ref() == Some(&shown) {
                self.value = Some(value.to_string());
            }
            if !cfg!(feature = "words") {
                continue; // The npm package's modules have a limit on their size.
            }
            for head in [format!("`{name}` = "), format!("({square} = "), format!(" {name} = ")] {
                if let Some((before, after)) = self.allowed.split_once(&format!("{head}{shown}"))
                    && (after.is_empty() || after.starts_with([',', ':', ';', ')', ' ']))
                {
                    self.allowed = format!("{before}{head}{value}{after}");
                }
            }
        }
    }

    /// Adds the error that it comes from, for [`cause`](Self::cause). `allowed` already describes it. Without the feature `words`, as in the
    /// npm package, whose modules have a limit on their size, only a [`ParamError`] is kept, by which a method names itself.
    #[must_use]
    pub(crate) fn because<E: Error + Send + Sync + 'static>(mut self, cause: E) -> Self {
        if cfg!(feature = "words") || TypeId::of::<E>() == TypeId::of::<ParamError>() {
            self.cause = Some(Arc::new(cause));
        }
        self
    }

    /// Returns the error that it comes from, if you need its type. The message already includes that error's message,
    /// so it is no [`Error::source`]; its own source is. Without the feature `words` there may be none.
    pub fn cause(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }

    /// Returns the kind, which stays the same when a message changes.
    pub fn kind(&self) -> RefusedKind {
        self.kind
    }

    /// Returns the rejected element's index, if the argument is an array.
    pub fn place(&self) -> Option<usize> {
        self.place
    }

    /// Returns the argument's name.
    pub fn argument(&self) -> &str {
        &self.argument
    }

    /// Returns its value, as a text; an empty one for an argument that is missing.
    pub fn value(&self) -> &str {
        self.value.as_deref().unwrap_or_default()
    }

    /// Returns the allowed values, or the mistake, with the names of arguments in backticks.
    pub fn allowed(&self) -> &str {
        &self.allowed
    }

    /// Returns the message, with `spell` applied to every argument. Values longer than 80 characters are cut.
    ///
    /// ```
    /// let refused = samplez::Refused::new("sigma_squared", "1e24", "takes more than allowed; raise `memory`");
    /// let option = |name: &str| format!("--{}", name.replace('_', "-"));
    /// assert_eq!(refused.respelled(option), "--sigma-squared = 1e24: takes more than allowed; raise --memory");
    /// ```
    pub fn respelled(&self, spell: impl Fn(&str) -> String) -> String {
        let (argument, allowed) = (self.element(spell(&self.argument)), self.reason(&spell));
        match &self.value {
            _ if !self.named => allowed,
            // A law without a parameter has no value.
            Some(value) if value.is_empty() && is_bare(&self.argument) => format!("{argument}: {allowed}"),
            Some(value) => format!("{argument} = {}: {allowed}", short(value)),
            None if self.kind == RefusedKind::Missing => format!("missing {argument}: {allowed}"),
            None => format!("{argument}: {allowed}"),
        }
    }

    /// Returns [`allowed`](Self::allowed) with `spell` applied to every argument: the message without the argument and its value.
    pub fn reason(&self, spell: impl Fn(&str) -> String) -> String {
        respelled(&self.allowed, &spell)
    }

    /// The argument of this name, or its element.
    fn element(&self, name: String) -> String {
        self.place.map_or(name.clone(), |place| format!("{name}[{place}]"))
    }

    /// The same as [`respelled`](Self::respelled), where the argument is the library's own and not one that is spelled: a part of a
    /// table, perhaps without a value.
    pub(crate) fn part(&self) -> String {
        let value = if self.value().is_empty() { String::new() } else { format!(" = {}", short(self.value())) };
        format!("{}{value}: {}", self.argument, self.allowed)
    }

    /// The message as a part of another one's `allowed`.
    pub(crate) fn quoted(&self) -> String {
        format!("{} = {}: {}", self.element(format!("`{}`", self.argument)), short(self.value()), self.allowed)
    }
}

/// The end of an error about an unknown name: the one that is meant.
#[cfg(feature = "words")]
fn meant(name: &str, names: &[&str]) -> String {
    crate::words::near(name, names).map_or(String::new(), |near| format!("; did you mean {near}?"))
}

/// Without the search in words.
#[cfg(not(feature = "words"))]
fn meant(_: &str, _: &[&str]) -> String {
    String::new()
}

/// Whether this argument is a law without a parameter.
fn is_bare(argument: &str) -> bool {
    LawInfo::named(argument).is_some_and(|info| info.range == LawRange::Nothing)
}

/// A value as messages show it: of a long one the beginning, and how long it is.
pub(crate) fn short(value: &str) -> Cow<'_, str> {
    const SHOWN: usize = 80;
    match value.char_indices().nth(SHOWN) {
        None => value.into(),
        Some((end, _)) => format!("{}… ({} characters)", &value[..end], value.chars().count()).into(),
    }
}

/// Returns the text with `spell` applied to every argument, which is in backticks.
pub(crate) fn respelled(text: &str, spell: &impl Fn(&str) -> String) -> String {
    let mut pieces = text.split('`');
    let mut out = pieces.next().unwrap_or_default().to_string();
    while let Some(name) = pieces.next() {
        out += &spell(name);
        out += pieces.next().unwrap_or_default();
    }
    out
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.respelled(str::to_string))
    }
}

impl Error for Refused {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause()?.source()
    }
}

/// Errors are equal if their messages are.
impl PartialEq for Refused {
    fn eq(&self, other: &Self) -> bool {
        (&self.argument, self.place, &self.value, &self.allowed)
            == (&other.argument, other.place, &other.value, &other.allowed)
    }
}

impl Eq for Refused {}

impl From<ParamError> for Refused {
    fn from(error: ParamError) -> Self {
        use RefusedKind::{Other, OutOfRange, Unsupported};
        let (kind, argument, value, allowed) = match error {
            ParamError::NotPositive { argument, value } => {
                (OutOfRange, argument, format!("{value:#}"), "expected a number greater than 0".into())
            }
            ParamError::Unsupported { method, argument, value, allowed } => {
                (Unsupported, argument, format!("{value:#}"), format!("method {method} allows {allowed}"))
            }
            ParamError::OutOfRange { argument, value, min, max } => {
                (OutOfRange, argument, value.to_string(), format!("expected a number between {min} and {max}"))
            }
            other => (Other, "parameter", other.to_string(), "is not allowed by the method".into()),
        };
        Refused::new(argument, value, allowed).with_kind(kind).because(error)
    }
}

impl From<ParseSeedError> for RefusedKind {
    fn from(error: ParseSeedError) -> Self {
        if error == ParseSeedError::TooLarge { RefusedKind::OutOfRange } else { RefusedKind::Other }
    }
}

impl From<ParseFormError> for Refused {
    fn from(error: ParseFormError) -> Self {
        // The words in backticks are no arguments.
        let said = error.reason().replace('`', "");
        Refused::new("form", error.text(), said).with_kind(RefusedKind::Unknown).because(error)
    }
}

impl From<UnknownSource> for Refused {
    fn from(error: UnknownSource) -> Self {
        // WebAssembly has no devices.
        let is_device = |source: &Source| matches!(source, Source::DevRandom | Source::DevUrandom);
        let here = Source::ALL.into_iter().filter(|source| !cfg!(target_family = "wasm") || !is_device(source));
        Refused::name("source", &error.value, here.map(Source::name)).because(error)
    }
}

impl Refused {
    /// A text such as "abc", or a float such as NaN, where a rational number is expected.
    pub(crate) fn number(argument: &str, value: impl fmt::Display, why: ParseRationalError) -> Self {
        let kind = match why {
            ParseRationalError::TooLarge => RefusedKind::TooLong,
            _ => RefusedKind::NotANumber,
        };
        Refused::new(argument, value, why.to_string()).with_kind(kind).because(why)
    }

    /// A width that is too small for a sampler, and no fraction of 64 bits.
    pub(crate) fn too_narrow(name: &str, value: &str) -> Self {
        Refused::new(name, value, "expected at least 2^-60, or a fraction of 64 bits")
            .with_kind(RefusedKind::OutOfRange)
    }

    /// Builds the error that rejects the width of a law.
    pub(crate) fn width(width: Width, allowed: impl Into<String>) -> Self {
        Refused::new(width.name(), format!("{:#}", width.value()), allowed)
    }
}

/// Parses the number that a text states.
///
/// # Errors
///
/// [`Refused`] with the text, of the kind [`RefusedKind::NotANumber`] or [`RefusedKind::TooLong`].
pub fn rational(argument: &str, value: &str) -> Result<Rational, Refused> {
    value.parse().map_err(|why| Refused::number(argument, value, why).with_way(argument, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error with another one behind it.
    #[derive(Debug)]
    struct Behind(fmt::Error);

    impl fmt::Display for Behind {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the device is gone")
        }
    }

    impl Error for Behind {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn the_source_is_that_of_the_cause() {
        let refused = Refused::new("out", "noise.npy", "the device is gone").because(Behind(fmt::Error));
        assert!(refused.cause().is_some_and(|cause| cause.is::<Behind>()));
        assert!(refused.source().is_some_and(|source| source.is::<fmt::Error>()));
        assert_eq!(refused.to_string(), "out = noise.npy: the device is gone");
        let refused = Refused::name("method", "dice", ["karney", "cdt"]);
        assert_eq!(refused.to_string(), "method = dice: expected one of karney, cdt");
        assert!(refused.source().is_none() && refused.cause().is_none());
    }

    #[test]
    fn arguments_are_respelled_wherever_they_stand() {
        let upper = |name: &str| name.to_uppercase();
        for (text, told) in [("", ""), ("a `b` c `d`", "a B c D"), ("`a`", "A"), ("no name", "no name")] {
            assert_eq!(respelled(text, &upper), told);
        }
        let long = Refused::new("sigma", "9".repeat(300), "expected less");
        assert_eq!(long.to_string(), format!("sigma = {}… (300 characters): expected less", "9".repeat(80)));
        assert_eq!(long.value().len(), 300);
        let element = Refused::new("tails", 50, "too long (`memory`)").at(7);
        assert_eq!(element.respelled(upper), "TAILS[7] = 50: too long (MEMORY)");
        assert_eq!(
            (element.reason(upper), element.quoted()),
            ("too long (MEMORY)".into(), "`tails`[7] = 50: too long (`memory`)".into())
        );
        let inner = Refused::new("tail", 50, "too long (`memory`)");
        let outer = Refused::new("method", "auto", format!("none: {}", inner.quoted()));
        assert_eq!(outer.respelled(upper), "METHOD = auto: none: TAIL = 50: too long (MEMORY)");
        assert_eq!(outer.to_string(), "method = auto: none: tail = 50: too long (memory)");
    }
}
