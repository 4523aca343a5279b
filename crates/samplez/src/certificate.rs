//! The certificate of a sampler or of a table: one set of fields, one text, one JSON.

use crate::method::Method;
use crate::options::Options;
use crate::refused::{Refused, RefusedKind};
use crate::timing::in_words;
use samplez_core::{Bound, Exactness, NoiseLaw, Profile, Width};
use samplez_tables::{
    Audit, Line, PlainTable, Rest, TableForm, TargetError, TargetLaw, Uncovered, audit, audit_against,
};
use std::fmt;
use std::ops::RangeInclusive;

/// The levels of security of a certificate's JSON, in bits; the text has the first.
const LEVELS: [(u32, &str); 2] = [(128, "128"), (256, "256")];

/// A certificate of a sampler, or of any table: the distance of its law from the ideal one, and its costs.
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
    subject: Subject,
    law: NoiseLaw,
    bound: Option<Bound>,
    support: RangeInclusive<i64>,
    options: Options,
    samples_per_time: u64,
}

/// The certified object.
#[derive(Clone, Debug)]
enum Subject {
    Sampler { method: Option<Method>, profile: Profile },
    Table { form: TableForm, entries: usize, uncovered: Option<Uncovered>, against: Option<Box<TargetLaw>> },
}

impl Certificate {
    pub(crate) fn new(method: Option<Method>, law: NoiseLaw, profile: Profile, options: Options) -> Self {
        let bound = match &profile.exactness {
            Exactness::Exact => None,
            Exactness::Within(bound) => Some(*bound),
        };
        let support = profile.support.clone();
        Certificate { subject: Subject::Sampler { method, profile }, law, bound, support, options, samples_per_time: 1 }
    }

    /// Builds the certificate of a table, by [`samplez_tables::audit`]. It has no method, memory, bits
    /// and timing, because these belong to the sampler that reads the table.
    ///
    /// ```
    /// use samplez::{Certificate, DiscreteGaussian};
    /// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
    /// let certificate = Certificate::of_table(&samplez_tables::build_plain(&law, &"folded,tail,72".parse()?)?);
    /// assert_eq!((certificate.method(), certificate.options().precision), (None, Some(72)));
    /// assert!(certificate.to_string().contains("form                        folded,tail,72\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_table(table: &PlainTable) -> Self {
        Self::audited(table, audit(table), None)
    }

    /// Builds the certificate of a table against another law than D_{Z,σ,c}, by
    /// [`samplez_tables::audit_against`].
    ///
    /// # Errors
    ///
    /// [`TargetError`] for a half line and a law that is cut or reduced.
    ///
    /// ```
    /// use samplez::{Certificate, DiscreteGaussian};
    /// use samplez_tables::TargetLaw;
    /// let law = DiscreteGaussian::with_sigma("3.2".parse()?)?;
    /// let table = samplez_tables::build_plain(&law, &"folded,tail,72".parse()?)?;
    /// let certificate = Certificate::of_table_against(&table, &TargetLaw::rounded(&law)?)?;
    /// assert!(certificate.to_string().starts_with("law                         RoundedNormal(sigma = 16/5, center = 0)\n"));
    /// assert!(certificate.bound().unwrap().log2_sd > -9.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_table_against(table: &PlainTable, law: &TargetLaw) -> Result<Self, TargetError> {
        Ok(Self::audited(table, audit_against(table, law)?, Some(Box::new(law.clone()))))
    }

    fn audited(table: &PlainTable, found: Audit, against: Option<Box<TargetLaw>>) -> Self {
        let form = *table.form();
        Certificate {
            subject: Subject::Table { form, entries: table.entries().len(), uncovered: found.uncovered, against },
            law: table.target().into(),
            bound: Some(found.bound),
            support: found.support,
            options: Options { precision: Some(form.precision), ..Options::default() },
            samples_per_time: 1,
        }
    }

    /// Returns the certificate for a game that draws at most so many samples in a unit of the adversary's time. The samples of all
    /// its users count. The default is 1. The bits kept depend on it ([`Bound::bits_decision`]).
    ///
    /// # Errors
    ///
    /// [`Refused`] for 0.
    ///
    /// ```
    /// let certificate = "sigma=3.2,method=cdt,precision=136".parse::<samplez::Recipe>()?.build()?.certificate();
    /// let bits_kept = |s| certificate.clone().with_samples_per_time(s).map(|it| it.bits_kept());
    /// let ([_, one], [_, many]) = (bits_kept(1)?, bits_kept(1 << 12)?);
    /// assert!((one - 127.8).abs() < 0.1 && (many - 123.6).abs() < 0.1);
    /// assert_eq!(bits_kept(0).unwrap_err().argument(), "samples_per_time");
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn with_samples_per_time(self, samples_per_time: u64) -> Result<Self, Refused> {
        match samples_per_time {
            0 => Err(Refused::new("samples_per_time", 0, "expected a number between 1 and 2^64-1; leave it out for 1")
                .with_kind(RefusedKind::OutOfRange)),
            _ => Ok(Certificate { samples_per_time, ..self }),
        }
    }

    /// Returns the bits of 128 that remain in a search and in a decision problem, for any number of samples. They are lower bounds,
    /// and 128 for an exact law.
    pub fn bits_kept(&self) -> [f64; 2] {
        self.bits_kept_of(LEVELS[0].0)
    }

    fn bits_kept_of(&self, level: u32) -> [f64; 2] {
        let s = self.samples_per_time;
        self.bound.map_or([level.into(); 2], |it| [it.bits_search(level, s), it.bits_decision(level, s)])
    }

    /// Returns the method; `None` for a table, and for a law other than a Gaussian.
    pub fn method(&self) -> Option<Method> {
        match self.subject {
            Subject::Sampler { method, .. } => method,
            Subject::Table { .. } => None,
        }
    }

    /// Returns the law aimed at; of a certificate against another law, the law of the table.
    pub fn law(&self) -> &NoiseLaw {
        &self.law
    }

    /// Returns the values of the table. An exact sampler also returns values outside of them, at the default precision with a
    /// probability below 2^-100.
    pub fn support(&self) -> &RangeInclusive<i64> {
        &self.support
    }

    /// Returns the sampler's declaration: law, support, memory, bits, trials, timing; `None` for a table.
    pub fn profile(&self) -> Option<&Profile> {
        match &self.subject {
            Subject::Sampler { profile, .. } => Some(profile),
            Subject::Table { .. } => None,
        }
    }

    /// Returns the options in force. They include the precision of a table; without a table it is `None`.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the distance of the law from the ideal one; `None` for the ideal law itself.
    pub fn bound(&self) -> Option<&Bound> {
        self.bound.as_ref()
    }

    /// The law that the bounds compare with, in words.
    fn ideal(&self) -> String {
        let law = match &self.subject {
            Subject::Table { against: Some(law), .. } => law.to_string(),
            _ => self.law.to_string(),
        };
        match self.subject {
            Subject::Table { form: TableForm { line: Line::Half, .. }, .. } => {
                let center = self.law.gaussian().map_or_else(String::new, |law| law.center().to_string());
                format!("{law}, given X >= {center}")
            }
            _ => law,
        }
    }

    /// Returns the fields as JSON, in one line. A field that an exact law or a table does not have is null, and so is
    /// an infinite one. The ends of the support are integers of up to 64 bits. A table also has the object `table`:
    ///
    /// - its `form` and the number of its `entries`,
    /// - the `uncovered` draws of 2^precision as a decimal text,
    /// - `rest`, their assumed result: `any` if the bounds hold for each, null if no draw is uncovered.
    pub fn to_json(&self) -> String {
        Field::Object(self.fields()).to_string()
    }

    /// Returns the certificate's fields, by name.
    fn fields(&self) -> Vec<(&'static str, Field)> {
        let (bound, gaussian) = (self.bound(), self.law.gaussian());
        let of_sampler = |field: fn(&Profile) -> Field| self.profile().map_or(Field::Null, field);
        let text = |text: &dyn fmt::Display| Field::Text(text.to_string());
        let log2 = |value: Option<f64>| value.map_or(Field::Null, Field::Number);
        let renyi = |order| log2(bound.and_then(|bound| bound.renyi(order)));
        let levels = |count: &dyn Fn(&Bound, u32) -> Option<f64>| {
            let each = LEVELS.map(|(level, name)| (name, log2(bound.and_then(|bound| count(bound, level)))));
            Field::Object(each.into())
        };
        let kept = |problem: usize| {
            let each = LEVELS.map(|(level, name)| (name, Field::Number(self.bits_kept_of(level)[problem])));
            Field::Object(each.into())
        };
        let width = |width: Width| Field::Object(vec![("form", text(&width.name())), ("value", text(&width.value()))]);
        let options = self.options.said().map(|(name, value)| {
            let field = match (value.parse(), value.parse()) {
                (Ok(flag), _) => Field::Flag(flag),
                (_, Ok(n)) if name != "tail" => Field::Integer(n),
                _ => Field::Text(value),
            };
            (name, field)
        });
        let mut fields = vec![
            ("method", self.method().map_or(Field::Null, |method| text(&method))),
            ("law", Field::Text(self.ideal())),
            ("center", gaussian.map_or_else(|| text(&0), |law| text(&law.center()))),
            ("width", gaussian.map_or(Field::Null, |law| width(law.width()))),
            ("precision", self.options.precision.map_or(Field::Null, |bits| Field::Integer(bits.into()))),
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
                    ("min", Field::Integer((*self.support.start()).into())),
                    ("max", Field::Integer((*self.support.end()).into())),
                ]),
            ),
            ("table_bytes", of_sampler(|profile| Field::Integer(profile.table_bytes as i128))),
            ("expected_bits", of_sampler(|profile| Field::Number(profile.expected_bits))),
            ("expected_trials", of_sampler(|profile| Field::Number(profile.expected_trials))),
            ("timing", of_sampler(|profile| Field::Text(profile.timing.to_string()))),
            ("samples_per_time", Field::Integer(self.samples_per_time.into())),
            ("bits_kept", Field::Object(vec![("search", kept(0)), ("decision", kept(1))])),
            ("samples_log2", levels(&|bound, level| bound.samples_log2(level))),
            ("samples_log2_advantage", levels(&|bound, level| Some(bound.samples_log2_advantage(level)))),
            ("options", Field::Object(options.collect())),
        ];
        if let Subject::Table { form, entries, uncovered, .. } = &self.subject {
            let rest = |rest: Option<Rest>| rest.map_or("any".into(), |rest| rest.to_string());
            let table = vec![
                ("form", text(form)),
                ("entries", Field::Integer(*entries as i128)),
                ("uncovered", text(&uncovered.as_ref().map_or_else(|| "0".into(), |it| it.draws.to_string()))),
                ("rest", uncovered.as_ref().map_or(Field::Null, |it| Field::Text(rest(it.rest)))),
            ];
            fields.push(("table", Field::Object(table)));
        }
        fields
    }

    /// Returns the text, with `spell` applied to every argument.
    ///
    /// ```
    /// let table = "sigma=3.2,method=cdt".parse::<samplez::Recipe>()?.build()?.certificate();
    /// let text = table.respelled(|name| format!("--{name}"));
    /// assert!(text.contains("bits kept of 128, decision  126.67 for any number of samples\n"));
    /// assert!(text.contains("none: one has 2^-123.82; raise --precision, or use an exact method\n"));
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn respelled(&self, spell: impl Fn(&str) -> String) -> String {
        let mut rows = vec![("law".to_string(), self.ideal())];
        match &self.subject {
            Subject::Sampler { method, .. } => {
                rows.extend(method.map(|method| ("method".into(), format!("{method}: {}", method.row().summary))))
            }
            Subject::Table { form, entries, uncovered, .. } => {
                rows.push(("table".into(), format!("{} entries", grouped(*entries))));
                rows.push(("form".into(), form.to_string()));
                rows.extend(uncovered.as_ref().map(|uncovered| ("uncovered".into(), uncovered.to_string())));
            }
        }
        rows.push(("exactness".into(), self.exactness()));
        if let Subject::Sampler { method, profile } = &self.subject {
            rows.push(("timing".into(), in_words(method.map_or(profile.timing, Method::timing))));
        }
        match self.bound() {
            None => {}
            Some(bound) => {
                let power = |log2: f64| match log2 {
                    f64::INFINITY => "no bound: weight where the law has none".into(),
                    f64::NEG_INFINITY => "0".into(),
                    log2 => format!("<= 2^{}", rounded_up(log2)),
                };
                rows.extend(self.options.precision.map(|bits| ("precision".into(), format!("{bits} bits"))));
                rows.push(("support".into(), format!("{} to {}", self.support.start(), self.support.end())));
                rows.push(("statistical distance".into(), power(bound.log2_sd)));
                for (order, log2) in bound.log2_renyi {
                    rows.push((format!("Rényi R_{order} - 1"), power(log2)));
                }
                rows.push(("Rényi R_inf - 1".into(), power(bound.log2_rinf)));
                rows.push(("tail cut off".into(), power(bound.log2_tail)));
            }
        }
        if let Some(profile) = self.profile() {
            rows.push(("table".into(), format!("{} bytes", grouped(profile.table_bytes))));
            rows.push(("random bits per sample".into(), format!("{:.2} expected", profile.expected_bits)));
            rows.push(("trials per sample".into(), format!("{:.4} expected", profile.expected_trials)));
        }
        rows.extend(self.problems(&spell));
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        rows.into_iter().map(|(name, value)| format!("{name:<width$}  {value}\n")).collect()
    }

    /// Returns whether the law is the ideal one, in words.
    ///
    /// ```
    /// let exactness = |recipe: &str| Ok::<_, samplez::Refused>(recipe.parse::<samplez::Recipe>()?.build()?.certificate().exactness());
    /// assert_eq!(exactness("sigma=3.2")?, "exact, given ideal random bits");
    /// assert_eq!(exactness("sigma=3.2,method=cdt")?, "not exact: statistical distance <= 2^-123.82");
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn exactness(&self) -> String {
        match self.bound() {
            None => "exact, given ideal random bits".into(),
            Some(Bound { log2_sd: f64::INFINITY, .. }) => "not exact: no bound".into(),
            Some(bound) => format!("not exact: statistical distance <= 2^{}", rounded_up(bound.log2_sd)),
        }
    }

    /// Returns a row for each problem, and one for their assumption.
    fn problems(&self, spell: &impl Fn(&str) -> String) -> Vec<(String, String)> {
        let (level, name) = LEVELS[0];
        let any = "any number of samples";
        let [search, decision] = self.bits_kept().map(|bits| format!("{} for {any}", rounded_down(bits)));
        let search = (format!("bits kept of {name}, search"), search);
        let decision = (format!("bits kept of {name}, decision"), decision);
        let advantage = format!("advantage <= 2^-{name}");
        let Some(bound) = self.bound() else { return vec![search, decision, (advantage, any.into())] };
        let drawn = format!("at most {} for a unit of the adversary's time", self.samples_per_time);
        // 2^q samples, q rounded down.
        let renyi = match bound.samples_log2(level) {
            Some(log2) if log2 >= 0.0 => format!("2^{} samples cost at most 2 bits", rounded_down(log2)),
            _ => "no samples".into(),
        };
        let way_out = match self.method().and(self.options.precision) {
            Some(_) => format!("; raise {}, or use an exact method", spell("precision")),
            None => String::new(),
        };
        let samples = match bound.samples_log2_advantage(level) {
            f64::INFINITY => any.into(),
            log2 if log2 >= 0.0 => format!("2^{} samples", rounded_down(log2)),
            _ => format!("none: one has 2^{}{way_out}", rounded_up(bound.log2_sd)),
        };
        let [assumption, renyi] =
            [("samples drawn", drawn), ("search, by Rényi", renyi)].map(|(n, v)| (n.to_string(), v));
        vec![assumption, search, renyi, decision, (advantage, samples)]
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
    use serde_core::ser::{Serialize, SerializeMap, Serializer};

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
