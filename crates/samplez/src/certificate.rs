//! What a sampler's law is worth: one set of fields, one text, one JSON.

use crate::method::Method;
use crate::options::Options;
use samplez_core::profile::{Bound, Exactness, Profile};
use std::fmt;

/// The levels of security that a certificate speaks of, in bits.
const LEVELS: [(u32, &str); 2] = [(128, "128"), (256, "256")];

/// A sampler's certificate: how far its law is from the ideal one, and what it costs.
///
/// All bounds are upper bounds, computed from the very table in use; an exact law has none. `Display` is the text for people,
/// [`to_json`](Self::to_json) the same for programs.
///
/// ```
/// let built = "sigma=3.2,method=cdt".parse::<samplez::Recipe>()?.build()?;
/// let certificate = built.certificate();
/// assert!(certificate.bound().unwrap().log2_sd < -123.5);
/// assert!(certificate.to_string().contains("statistical distance        <= 2^-123.82\n"));
/// assert!(certificate.to_json().starts_with(r#"{"method":"cdt","law":"D_Z(sigma = 16/5, center = 0)","#));
/// # Ok::<(), samplez::Refused>(())
/// ```
#[derive(Clone, Debug)]
pub struct Certificate {
    method: Method,
    profile: Profile,
    options: Options,
}

impl Certificate {
    pub(crate) fn new(method: Method, profile: Profile, options: Options) -> Self {
        Certificate { method, profile, options }
    }

    /// The method.
    ///
    /// ```
    /// let built = "sigma=3.2,exact=true".parse::<samplez::Recipe>()?.build()?;
    /// assert_eq!(built.certificate().method(), samplez::Method::Karney);
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn method(&self) -> Method {
        self.method
    }

    /// The sampler's declaration: law, support, memory, bits, trials, timing.
    ///
    /// ```
    /// let built = "sigma=3.2,method=cdt".parse::<samplez::Recipe>()?.build()?;
    /// assert_eq!(built.certificate().profile().table_bytes, 672);
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The options in force.
    ///
    /// ```
    /// let built = "sigma=3.2,method=cdt".parse::<samplez::Recipe>()?.build()?;
    /// assert_eq!(built.certificate().options().precision, Some(128));
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The precision of the table in bits; `None` where there is none.
    ///
    /// ```
    /// let built = "sigma=3.2,method=karney".parse::<samplez::Recipe>()?.build()?;
    /// assert_eq!(built.certificate().precision(), None);
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn precision(&self) -> Option<u32> {
        self.options.precision
    }

    /// How far the law is from the ideal one; `None` for the ideal law itself.
    ///
    /// ```
    /// let built = "sigma=3.2,method=karney".parse::<samplez::Recipe>()?.build()?;
    /// assert!(built.certificate().bound().is_none());
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn bound(&self) -> Option<&Bound> {
        match &self.profile.exactness {
            Exactness::Exact => None,
            Exactness::Within(bound) => Some(bound),
        }
    }

    /// The fields as JSON, in one line. What an exact law does not have, and what is infinite, is null; the ends of the
    /// support are integers of up to 64 bits.
    ///
    /// ```
    /// let json = "sigma=3.2,method=karney".parse::<samplez::Recipe>()?.build()?.certificate().to_json();
    /// assert!(json.contains(r#""exact":true,"log2_sd":null,"#) && json.ends_with(r#""options":{"memory":1073741824}}"#));
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn to_json(&self) -> String {
        Field::Object(self.fields()).to_string()
    }

    /// What is certified, by name.
    fn fields(&self) -> Vec<(&'static str, Field)> {
        let (profile, bound) = (&self.profile, self.bound());
        let target = &profile.target;
        let text = |text: &dyn fmt::Display| Field::Text(text.to_string());
        let log2 = |value: Option<f64>| value.map_or(Field::Null, Field::Number);
        let renyi = |order| log2(bound.and_then(|bound| bound.renyi(order)));
        let levels = |count: &dyn Fn(&Bound, u32) -> Option<f64>| {
            let each = LEVELS.map(|(level, name)| (name, log2(bound.and_then(|bound| count(bound, level)))));
            Field::Object(each.into())
        };
        let options = self.options.said().map(|(name, value)| {
            let field = match (value.parse(), value.parse()) {
                (Ok(flag), _) => Field::Flag(flag),
                (_, Ok(n)) if name != "tail" => Field::Integer(n),
                _ => Field::Text(value),
            };
            (name, field)
        });
        let width = target.width();
        vec![
            ("method", text(&self.method)),
            ("law", text(target)),
            ("center", text(&target.center())),
            ("width", Field::Object(vec![("form", text(&width.name())), ("value", text(&width.value()))])),
            ("precision", self.precision().map_or(Field::Null, |bits| Field::Integer(bits.into()))),
            ("exact", Field::Flag(bound.is_none())),
            ("log2_sd", log2(bound.map(|bound| bound.log2_sd))),
            (
                "log2_renyi",
                Field::Object(vec![
                    ("2", renyi(2)),
                    ("256", renyi(256)),
                    ("513", renyi(513)),
                    ("inf", log2(bound.map(|bound| bound.log2_rinf))),
                ]),
            ),
            ("log2_tail", log2(bound.map(|bound| bound.log2_tail))),
            (
                "support",
                Field::Object(vec![
                    ("min", Field::Integer((*profile.support.start()).into())),
                    ("max", Field::Integer((*profile.support.end()).into())),
                ]),
            ),
            ("table_bytes", Field::Integer(profile.table_bytes as i128)),
            ("expected_bits", Field::Number(profile.expected_bits)),
            ("expected_trials", Field::Number(profile.expected_trials)),
            ("timing", text(&profile.timing)),
            ("samples_log2", levels(&|bound, level| bound.samples_log2(level))),
            ("samples_log2_decision", levels(&|bound, level| Some(bound.samples_log2_decision(level)))),
            ("options", Field::Object(options.collect())),
        ]
    }

    /// The text, with every argument spelled as `spell` has it.
    ///
    /// ```
    /// let coarse = "sigma=3.2,method=cdt,precision=32".parse::<samplez::Recipe>()?.build()?.certificate();
    /// assert!(coarse.respelled(|name| format!("--{name}")).contains("not even one sample; raise --precision"));
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn respelled(&self, spell: impl Fn(&str) -> String) -> String {
        let profile = &self.profile;
        let mut rows = vec![
            ("law".to_string(), profile.target.to_string()),
            ("method".into(), format!("{}: {}", self.method, self.method.summary())),
        ];
        match self.bound() {
            None => rows.push(("distance".into(), "none: the law is exact, given ideal random bits".into())),
            Some(bound) => {
                let power = |log2: f64| format!("<= 2^{}", rounded_up(log2));
                rows.extend(self.precision().map(|bits| ("precision".into(), format!("{bits} bits"))));
                rows.push(("statistical distance".into(), power(bound.log2_sd)));
                for (order, log2) in bound.log2_renyi {
                    rows.push((format!("Rényi R_{order} - 1"), power(log2)));
                }
                rows.push(("Rényi R_inf - 1".into(), power(bound.log2_rinf)));
                rows.push(("tail cut off".into(), power(bound.log2_tail)));
            }
        }
        rows.push(("table".into(), format!("{} bytes", grouped(profile.table_bytes))));
        rows.push(("random bits per sample".into(), format!("{:.2} expected", profile.expected_bits)));
        rows.push(("trials per sample".into(), format!("{:.4} expected", profile.expected_trials)));
        rows.push(("timing".into(), profile.timing.to_string()));
        // 2^q samples, q rounded down.
        let samples = |log2: Option<f64>| match log2 {
            None => "no bound of a large enough order".into(),
            Some(log2) if log2 < 0.0 && self.precision().is_some() => {
                format!("not even one sample; raise {}", spell("precision"))
            }
            Some(log2) if log2 < 0.0 => "not even one sample".into(),
            Some(log2) => format!("2^{} samples", rounded_down(log2)),
        };
        for (level, _) in LEVELS {
            let (search, decision) = match self.bound() {
                None => ("any number of samples".into(), "any number of samples".into()),
                Some(bound) => (samples(bound.samples_log2(level)), samples(Some(bound.samples_log2_decision(level)))),
            };
            rows.push((format!("{level} bits, search problem"), search));
            rows.push((format!("{level} bits, decision problem"), decision));
        }
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        rows.into_iter().map(|(name, value)| format!("{name:<width$}  {value}\n")).collect()
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.respelled(str::to_string))
    }
}

/// An upper bound with two decimals: rounded up, never down.
fn rounded_up(bound: f64) -> String {
    format!("{:.2}", (bound * 100.0).ceil() / 100.0 + 0.0)
}

/// A lower bound with two decimals: rounded down, never up.
fn rounded_down(bound: f64) -> String {
    format!("{:.2}", (bound * 100.0).floor() / 100.0 + 0.0)
}

/// 1234567 as `1,234,567`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A value of a certificate.
enum Field {
    Null,
    Flag(bool),
    Integer(i128),
    /// Null where it is not finite.
    Number(f64),
    /// The library's own names and numbers: nothing in them needs an escape.
    Text(String),
    Object(Vec<(&'static str, Field)>),
}

/// JSON.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::Flag(flag) => write!(f, "{flag}"),
            Field::Integer(n) => write!(f, "{n}"),
            // The shortest decimal that reads back as it.
            Field::Number(x) if x.is_finite() => write!(f, "{x:?}"),
            Field::Null | Field::Number(_) => f.write_str("null"),
            Field::Text(text) => write!(f, "\"{text}\""),
            Field::Object(members) => {
                for (at, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}\"{name}\":{value}", if at == 0 { '{' } else { ',' })?;
                }
                f.write_str(if members.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

/// The same fields as [`Certificate::to_json`].
#[cfg(feature = "serde")]
mod stored {
    use super::{Certificate, Field};
    use serde::ser::{Serialize, SerializeMap, Serializer};

    impl Serialize for Certificate {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Field::Object(self.fields()).serialize(serializer)
        }
    }

    impl Serialize for Field {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Field::Flag(flag) => serializer.serialize_bool(*flag),
                Field::Integer(n) => match (i64::try_from(*n), u64::try_from(*n)) {
                    (Ok(n), _) => serializer.serialize_i64(n),
                    (_, Ok(n)) => serializer.serialize_u64(n),
                    _ => serializer.serialize_i128(*n),
                },
                Field::Number(x) if x.is_finite() => serializer.serialize_f64(*x),
                Field::Null | Field::Number(_) => serializer.serialize_unit(),
                Field::Text(text) => serializer.serialize_str(text),
                Field::Object(members) => {
                    let mut map = serializer.serialize_map(Some(members.len()))?;
                    for (name, value) in members {
                        map.serialize_entry(name, value)?;
                    }
                    map.end()
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_round_outwards() {
        assert_eq!((rounded_up(-120.999), rounded_up(-120.991)), ("-120.99".into(), "-120.99".into()));
        assert_eq!((rounded_up(1.001), rounded_up(-0.001)), ("1.01".into(), "0.00".into()));
        assert_eq!((rounded_down(62.019), rounded_down(-62.011)), ("62.01".into(), "-62.02".into()));
    }

    #[test]
    fn groups_of_three() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        assert!(cases.iter().all(|(number, text)| grouped(*number) == *text));
    }
}
