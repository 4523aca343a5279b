//! A recipe as a text: `sigma=16/5,center=1/3,method=cdt,precision=72`, or `skellam=5/2`.

use crate::law::LawInfo;
use crate::recipe::Recipe;
use crate::refused::Refused;
use samplez_core::NoiseLaw;
use std::fmt;
use std::str::FromStr;

/// The longest text that is read, in bytes.
const LONGEST: usize = 4096;

impl Recipe {
    /// Returns the names and values of a text, unchecked, so that you can add others before
    /// [`from_pairs`](Self::from_pairs). A law without `=`, such as `ternary`, has an empty value. Digits after a comma belong to the value
    /// before it, so that the error about `sigma=1,000` names it whole.
    ///
    /// # Errors
    ///
    /// [`Refused`] for a text that is empty or longer than 4096 bytes, a part that is no pair, and pairs without a comma or ampersand between
    /// them.
    ///
    /// ```
    /// use samplez::Recipe;
    /// let mut pairs = Recipe::pairs("method=cdt, precision=72")?;
    /// pairs.push(("sigma", "3.2"));
    /// assert_eq!(Recipe::from_pairs(pairs)?.to_string(), "sigma=16/5,method=cdt,precision=72");
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn pairs(text: &str) -> Result<Vec<(&str, &str)>, Refused> {
        #[cfg(feature = "words")]
        if text.len() <= LONGEST && Self::is_sum(text) {
            return Err(Refused::new("recipe", text.trim(), NO_SUM));
        }
        Self::pairs_of_term(text)
    }

    /// The pairs, also of a term of a sum.
    pub(crate) fn pairs_of_term(text: &str) -> Result<Vec<(&str, &str)>, Refused> {
        if text.len() > LONGEST {
            let allowed = format!("a recipe has at most {LONGEST} bytes");
            return Err(Refused::new("recipe", format_args!("a text of {} bytes", text.len()), allowed));
        }
        if text.trim().is_empty() {
            return Err(Refused::missing("recipe", "pass pairs such as sigma=3.2,method=cdt"));
        }
        let mut pairs = Vec::new();
        let (mut start, mut end) = (0, 0);
        for part in text.split([',', '&']) {
            let is_rest = !pairs.is_empty() && part.trim_start().starts_with(|c: char| c.is_ascii_digit());
            if is_rest && !part.contains('=') {
                pairs.pop();
            } else {
                start = end;
            }
            end += part.len();
            pairs.push(pair(text, &text[start..end])?);
            end += 1;
        }
        Ok(pairs)
    }
}

/// Writes the law in lowest terms and the options: the width and the centre unless it is 0, or another law, the method if it is named, the
/// options.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let NoiseLaw::Gaussian(law) = self.law {
            write!(f, "{}={}", law.width().name(), law.width().value())?;
            if law.center().num() != 0 {
                write!(f, ",center={}", law.center())?;
            }
        } else if let Some((name, parameter)) = LawInfo::stated(&self.law) {
            write!(f, "{name}{}{parameter}", if parameter.is_empty() { "" } else { "=" })?;
        }
        if let Some(method) = self.method {
            write!(f, ",method={method}")?;
        }
        self.options.said().try_for_each(|(name, value)| write!(f, ",{name}={value}"))
    }
}

impl FromStr for Recipe {
    type Err = Refused;

    /// Pairs `name=value`, in any order, between commas or ampersands; spaces around names and values do not count. In place of a width
    /// and a centre, a recipe may have one of these laws, each of which has one sampler, exact and about 0:
    ///
    /// - `ternary`, without a value: uniform on -1, 0 and 1. Isochronous; the others are in constant time.
    /// - `centered_binomial=eta`, or `cbd=eta`: [`CenteredBinomial`](crate::CenteredBinomial), for an η from 1 to 2^20. A sample takes 2η bits.
    /// - `tuniform=b`: [`TUniform`](crate::TUniform).
    /// - `skellam=variance`: the difference of two Poisson variables of mean `variance`/2 each, for a variance from 2^-16 to 2^20. Variances
    ///   of independent Skellam variables add: for a larger one, add samples. Setup takes time in proportion to the standard
    ///   deviation, about 0.1 s at 2^20. Only a remainder, which replaces a sample with a probability below 2^-99, takes another time. With
    ///   a probability below 2^-440 it cannot decide, and the fill fails as with a broken source. Proof: docs/proofs/skellam.md.
    /// - `laplace=scale`: P(x) is proportional to exp(-abs(x)/`scale`), for a scale from 2^-16 to 2^50. For counts that one person changes
    ///   by Δ, the scale Δ/ε gives ε-differential privacy. With a probability below 2^-53 a sample needs more bits, and another time; with
    ///   one below 2^-470 512 bits cannot decide, and the fill fails likewise. Proof: docs/proofs/discrete-laplace.md. With `clip=bound`, a
    ///   whole number from 1 and `scale`/2 to 2^53, it is this law given that abs(x) is at most the bound. Isochronous. For the counts above
    ///   this is (ε, δ)-differential privacy with δ = P(`bound` - Δ < X <= `bound`), and not ε alone.
    ///
    /// ```
    /// use samplez::{Recipe, Seed, Source, Stream, Timing};
    /// let noise = "laplace=4".parse::<Recipe>()?.build()?; // ε = 1/4, for counts that one person changes by 1
    /// assert!(noise.profile().timing == Timing::Constant && noise.certificate().bound().is_none());
    /// let mut out = [0_i32; 1000];
    /// Stream::new(Source::Os.open(&Seed::from_bytes([0; 32]))?).fill(noise.sampler(), &mut out)?;
    /// assert!(out.iter().all(|x| x.abs() < 200));
    /// let error = "laplace=4,center=1".parse::<Recipe>().unwrap_err();
    /// assert_eq!(error.to_string(), "center = 1: laplace is about 0; leave center out");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refused`] for a text that is empty or longer than 4096 bytes, a part that is no pair, and as
    /// [`Recipe::from_pairs`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Recipe::from_pairs(Recipe::pairs(text)?)
    }
}

fn pair<'a>(text: &str, part: &'a str) -> Result<(&'a str, &'a str), Refused> {
    let part = part.trim();
    if LawInfo::named(part).is_some() {
        return Ok((part, ""));
    }
    if part.is_empty() {
        let allowed = "expected pairs such as sigma=3.2; leave the surplus comma out";
        return Err(Refused::new("recipe", text.trim(), allowed));
    }
    let Some((name, value)) = part.split_once('=') else {
        return Err(Refused::new("recipe", part, format!("expected name=value, such as sigma=3.2{}", meant(part))));
    };
    let (name, value) = (name.trim(), value.trim());
    let Some((value, between, rest)) = next(value) else { return Ok((name, value)) };
    let is_sum = between.contains(['+', '-']) && between.contains(char::is_whitespace);
    let allowed = match is_sum {
        true => NO_SUM.into(),
        false => format!("expected a comma or & between pairs; write {name}={value},{rest}"),
    };
    Err(Refused::new("recipe", part, allowed))
}

/// The error for a sum in place of a distribution.
const NO_SUM: &str =
    "no sampler draws a sum, a table of weights or a rounded law; draw each term by itself, and add the integers";

/// The value, and what follows as another pair after a semicolon, a blank or the like, with that sign.
fn next(value: &str) -> Option<(&str, &str, &str)> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_between = |c: char| c.is_whitespace() || matches!(c, ';' | ':' | '|' | '+' | '-');
    let head = value.split_once('=')?.0.trim_end().trim_end_matches(is_name);
    let first = head.trim_end_matches(is_between);
    (first.len() < head.len() && !first.is_empty()).then(|| (first, &head[first.len()..], &value[head.len()..]))
}

/// The end of the error about a part without `=`: what it means.
fn meant(part: &str) -> String {
    if let Some((name, value)) = part.split_once(':')
        && Recipe::names().chain(["clip"]).any(|known| known == name.trim_end())
    {
        let (name, value) = (name.trim_end(), value.trim_start());
        return format!("; write {name}{}{value}", if value.is_empty() { "" } else { "=" });
    }
    word(part)
}

/// The same of a flag, a method or a word of other libraries.
#[cfg(feature = "words")]
fn word(part: &str) -> String {
    if crate::options::Options::default().set(part, "true").is_ok() {
        return format!("; write {part}=true");
    }
    if part.parse::<crate::method::Method>().is_ok() {
        return format!("; write method={part}");
    }
    crate::recipe::instead(part, &LawInfo::ALL.map(|info| info.name)).replace('`', "")
}

/// Without the search in words.
#[cfg(not(feature = "words"))]
fn word(_: &str) -> String {
    String::new()
}

/// A recipe is stored as its text.
#[cfg(feature = "serde")]
mod stored {
    use super::Recipe;
    use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use std::borrow::Cow;

    impl Serialize for Recipe {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }

    impl<'de> Deserialize<'de> for Recipe {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
        }
    }
}
