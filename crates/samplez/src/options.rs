//! A recipe's options: everything besides its law and its method.

use crate::refused::{Refused, RefusedKind, rational};
use crate::timing::PROMISED;
use samplez_core::table::{DEFAULT_PRECISION, MAX_PRECISION};
use samplez_core::{ParseRationalError, Rational};
use std::time::Duration;

/// Constraints and settings of a build. `None` leaves an option at its default.
///
/// Some options constrain any method: `memory`, `exact`, `constant_time`, `variable_time` and `setup_time`. The others
/// shape the sampler of the methods that use them; every other method rejects them. If
/// the method is left open, exact methods meet any `precision`, and each other option admits only the methods that use
/// it.
///
/// Without a method, the planner chooses a sampler of exactly D_{Z,σ,c} whose running time is independent of its
/// samples. If the law has no such method, or only a slow one, it drops exactness. It drops the timing only if you
/// set `variable_time`.
///
/// ```
/// use samplez::{Options, Rational};
/// let options = Options { precision: Some(72), ..Options::default() };
/// assert_eq!((options.precision(), options.memory(), options.tail()), (72, 1 << 30, Rational::from(14)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Precision of a table in bits, 1 to 256.
    pub precision: Option<u32>,
    /// The maximum memory that a sample may read besides the code, in bytes.
    pub memory: Option<u64>,
    /// Rectangles of the Ziggurat, 2 to 65536. Default: 256, or as many as the memory holds; the planner takes up to
    /// 1024.
    pub rectangles: Option<u32>,
    /// Where the support ends, in σ: above 0, at most 40 for the Ziggurat and 64 for `rejection`; 1 to 64, whole, for
    /// `rejection-table`. The default is 14. The planner takes more if the precision requires it.
    pub tail: Option<Rational>,
    /// ω, the bits of the Ziggurat's vertical coordinate: from the precision to 512. Default: 32 more than the precision.
    pub omega: Option<u32>,
    /// The Ziggurat's statistical distance, as 2^-`distance`: sets precision, tail and ω by Theorem 1 of \[BCGHW13\].
    pub distance: Option<u32>,
    /// Whether the Ziggurat decides by chords where it can.
    pub chord: Option<bool>,
    /// Whether the Ziggurat stores every density, which takes memory and less time.
    pub pdf_table: Option<bool>,
    /// Whether the sampler draws bit by bit. It then takes a third to a ninth of the bits, more time, and has another
    /// stream.
    pub frugal: Option<bool>,
    /// Whether the law must be D_{Z,σ,c} itself. Methods by an inversion table and `isochronous` then take a sample
    /// from an exact remainder, with a probability near the table's error. By default, the planner prefers exact
    /// methods if a fast one has the required timing. A named method is exact by default only if it always is.
    pub exact: Option<bool>,
    /// Whether to admit only methods that declare [`Timing::Constant`](crate::Timing::Constant). Builds for WebAssembly refuse it.
    pub constant_time: Option<bool>,
    /// Whether the planner may choose methods that declare [`Timing::Variable`](crate::Timing::Variable): their running time
    /// reveals samples. Otherwise it chooses among those of [`Timing::Constant`](crate::Timing::Constant) and
    /// [`Timing::Isochronous`](crate::Timing::Isochronous) only.
    pub variable_time: Option<bool>,
    /// The maximum setup time, by the planner's estimate. By default there is no limit, but the planner chooses a setup
    /// longer than 0.1 s only if there is no other.
    pub setup_time: Option<Duration>,
}

/// The values that an option takes.
///
/// ```
/// use samplez::{bindings::Kind, Options};
/// let chord = Options::INFO.iter().find(|option| option.name == "chord").unwrap();
/// assert_eq!(chord.kind, Kind::Flag { default: true });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// `true` or `false`.
    Flag {
        /// The default.
        default: bool,
    },
    /// A whole number.
    Whole {
        /// The least.
        min: u64,
        /// The largest.
        max: u64,
        /// The default, if it is one number.
        default: Option<u64>,
    },
    /// A rational number above 0.
    Rational {
        /// The default.
        default: Rational,
    },
    /// A number of seconds, 0 to 3,200,000,000.
    Seconds,
}

/// An option as fronts and documents describe it.
///
/// ```
/// let names: Vec<&str> = samplez::Options::INFO.iter().map(|option| option.name).collect();
/// assert!(names.contains(&"precision"));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OptionInfo {
    /// The option's name in a recipe.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// The allowed values: the rest of the error message after "must be".
    pub allowed: &'static str,
    /// A description of one line.
    pub summary: &'static str,
    /// Whether the option constrains every method. If not, it shapes the samplers of some.
    pub demand: bool,
}

const FLAG: &str = "true or false";

const fn whole(name: &'static str, range: (u64, u64), default: Option<u64>, about: [&'static str; 2]) -> OptionInfo {
    let kind = Kind::Whole { min: range.0, max: range.1, default };
    OptionInfo { name, kind, allowed: about[0], summary: about[1], demand: false }
}

const fn flag(name: &'static str, default: bool, demand: bool, summary: &'static str) -> OptionInfo {
    OptionInfo { name, kind: Kind::Flag { default }, allowed: FLAG, summary, demand }
}

impl Options {
    /// The most seconds that `setup_time` takes: a century.
    ///
    /// ```
    /// assert!(samplez::Options::default().set("setup_time", "3.3e9").is_err());
    /// ```
    pub(crate) const MAX_SECONDS: u64 = 3_200_000_000;

    /// Every option, in the order in which a recipe writes them.
    ///
    /// ```
    /// let precision = &samplez::Options::INFO[0];
    /// assert_eq!((precision.name, precision.allowed), ("precision", "a number between 1 and 256 bits"));
    /// ```
    pub const INFO: [OptionInfo; 13] = [
        whole(
            "precision",
            (1, MAX_PRECISION as u64),
            Some(DEFAULT_PRECISION as u64),
            ["a number between 1 and 256 bits", "precision of a table, in bits"],
        ),
        OptionInfo {
            demand: true,
            ..whole(
                "memory",
                (0, u64::MAX),
                Some(1 << 30),
                [
                    "a whole number of bytes below 2^64, or with a unit: 4KB is 4000, 4KiB 4096",
                    "the maximum memory that a sample may read, in bytes",
                ],
            )
        },
        whole("rectangles", (2, 1 << 16), None, ["a number between 2 and 65536", "the number of rectangles"]),
        OptionInfo {
            name: "tail",
            kind: Kind::Rational { default: DEFAULT_TAIL },
            allowed: "a number above 0",
            summary: "where the support ends, in sigma; auto takes a longer one where the precision needs it",
            demand: false,
        },
        whole(
            "omega",
            (1, 512),
            None,
            [
                "a number between 1 and 512 bits",
                "bits of the vertical coordinate; 32 more than the precision if left out",
            ],
        ),
        whole(
            "distance",
            (1, 240),
            None,
            [
                "a number between 1 and 240 bits",
                "D: precision, tail and omega for a statistical distance of at most 2^-D",
            ],
        ),
        flag("chord", true, false, "decide by chords where possible"),
        flag("pdf_table", false, false, "store every density: more memory, less time"),
        flag("frugal", false, false, "draw bit by bit: fewer bits, more time, another stream"),
        flag("exact", false, true, "require exactly the ideal distribution, which auto otherwise only prefers"),
        flag(
            "constant_time",
            false,
            true,
            "only methods of constant timing: no branch, index or address depends on a random bit",
        ),
        flag("variable_time", false, true, "let auto choose methods whose running time reveals samples"),
        OptionInfo {
            name: "setup_time",
            kind: Kind::Seconds,
            allowed: "a number of seconds from 0 to 3.2e9",
            summary: "the maximum setup time, in seconds, as estimated",
            demand: true,
        },
    ];

    /// The names of all options.
    pub(crate) const NAMES: [&str; 13] = {
        let mut names = [""; 13];
        let mut i = 0;
        while i < names.len() {
            names[i] = Self::INFO[i].name;
            i += 1;
        }
        names
    };

    /// Returns the description of an option, or [`Refused`] with the list of all.
    pub(crate) fn info(name: &str) -> Result<&'static OptionInfo, Refused> {
        const INFO: [OptionInfo; 13] = Options::INFO;
        static ALL: [OptionInfo; 13] = INFO;
        ALL.iter().find(|info| info.name == name).ok_or_else(|| {
            let names: Vec<String> = Self::NAMES.iter().map(|name| format!("`{name}`")).collect();
            Refused::new("option", name, format!("expected one of {}", names.join(", ")))
                .with_kind(RefusedKind::Unknown)
        })
    }

    /// Sets the option `name` from a text.
    ///
    /// The text is a whole number, a rational for `tail`, seconds for `setup_time`, or `true` or `false`. For `memory`
    /// it is a number of bytes, or a number with a unit. B, kB or KB, MB, GB, TB are powers of 1000; KiB, MiB, GiB, TiB
    /// are powers of 1024.
    ///
    /// # Errors
    ///
    /// [`Refused`] for an unknown name or a value that is not allowed; no option is set then.
    ///
    /// ```
    /// use samplez::Options;
    /// let mut options = Options::default();
    /// options.set("precision", "72")?;
    /// options.set("chord", "false")?;
    /// assert_eq!(options, Options { precision: Some(72), chord: Some(false), ..Options::default() });
    /// assert_eq!(options.set("precision", "257").unwrap_err().to_string(), "precision = 257: expected a number between 1 and 256 bits");
    /// options.set("memory", "1.5KiB")?;
    /// assert_eq!(options.memory, Some(1536));
    /// let e = options.set("colour", "red").unwrap_err();
    /// assert!(e.to_string().starts_with("option = colour: expected one of precision, memory, "));
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Refused> {
        let info = Self::info(name)?;
        match read(info, value)? {
            Value::Flag(on) => self.set_flag(name, on),
            Value::Whole(n) => match name {
                "memory" => self.memory = Some(n),
                // All end far below 2^32.
                "rectangles" => self.rectangles = Some(n as u32),
                "omega" => self.omega = Some(n as u32),
                "distance" => self.distance = Some(n as u32),
                _ => self.precision = Some(n as u32),
            },
            Value::Rational(q) => self.tail = Some(q),
            Value::Seconds(most) => self.setup_time = Some(most),
        }
        Ok(())
    }

    fn set_flag(&mut self, name: &str, on: bool) {
        let field = match name {
            "chord" => &mut self.chord,
            "pdf_table" => &mut self.pdf_table,
            "frugal" => &mut self.frugal,
            "exact" => &mut self.exact,
            "constant_time" => &mut self.constant_time,
            _ => &mut self.variable_time,
        };
        *field = Some(on);
    }

    /// Returns the text of an option that is set.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        let flag = |said: Option<bool>| said.map(|on| on.to_string());
        match name {
            "precision" => self.precision.map(|n| n.to_string()),
            "memory" => self.memory.map(|n| n.to_string()),
            "rectangles" => self.rectangles.map(|n| n.to_string()),
            "tail" => self.tail.map(|q| q.to_string()),
            "omega" => self.omega.map(|n| n.to_string()),
            "distance" => self.distance.map(|n| n.to_string()),
            "chord" => flag(self.chord),
            "pdf_table" => flag(self.pdf_table),
            "frugal" => flag(self.frugal),
            "exact" => flag(self.exact),
            "constant_time" => flag(self.constant_time),
            "variable_time" => flag(self.variable_time),
            "setup_time" => self.setup_time.map(seconds),
            _ => None,
        }
    }

    /// Returns the options that are set, as names and texts, in the order of [`INFO`](Self::INFO).
    ///
    /// ```
    /// use samplez::{Options, Rational};
    /// let options = Options { tail: Rational::new(25, 2), ..Options::default() };
    /// assert!(options.said().eq([("tail", "25/2".to_string())]));
    /// ```
    pub fn said(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        Self::NAMES.into_iter().filter_map(|name| self.get(name).map(|text| (name, text)))
    }

    /// Rejects the values that [`set`](Self::set) would, since fields can be written too, and options that contradict each
    /// other.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        if self.constant_time == Some(true) && !PROMISED {
            let allowed = "WebAssembly promises no timing; use a native build (Rust, C, Python, Go with samplez_cgo), or \
                           name its `method` for the same integers, such as knuth-yao-ct";
            return Err(Refused::new("constant_time", true, allowed));
        }
        if self.constant_time() && self.variable_time() {
            return Err(Refused::new("variable_time", true, "contradicts `constant_time`; remove one of them"));
        }
        self.said().try_for_each(|(name, text)| read(Self::info(name)?, &text).map(drop))?;
        match self.said().find(|(name, _)| self.distance.is_some() && ["precision", "tail", "omega"].contains(name)) {
            Some((name, text)) => Err(Refused::new(name, text, "`distance` sets it; remove one of them")),
            None => Ok(()),
        }
    }

    /// Returns the precision in force, by default 128 bits.
    pub fn precision(&self) -> u32 {
        self.precision.unwrap_or(DEFAULT_PRECISION)
    }

    /// Returns the memory in force, by default 1 GiB.
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or(1 << 30)
    }

    /// Returns the tail in force, by default 14σ.
    pub fn tail(&self) -> Rational {
        self.tail.unwrap_or(DEFAULT_TAIL)
    }

    /// Whether chords are in force: by default.
    pub(crate) fn chord(&self) -> bool {
        self.chord.unwrap_or(true)
    }

    /// Whether densities are stored.
    pub(crate) fn pdf_table(&self) -> bool {
        self.pdf_table.unwrap_or(false)
    }

    /// Whether the sampler draws bit by bit.
    pub(crate) fn frugal(&self) -> bool {
        self.frugal.unwrap_or(false)
    }

    /// Whether exactness is required.
    pub(crate) fn exact(&self) -> bool {
        self.exact.unwrap_or(false)
    }

    /// Whether constant time is required.
    pub(crate) fn constant_time(&self) -> bool {
        PROMISED && self.constant_time.unwrap_or(false)
    }

    /// Whether the planner may choose variable timing.
    pub(crate) fn variable_time(&self) -> bool {
        self.variable_time.unwrap_or(false)
    }
}

const DEFAULT_TAIL: Rational = match Rational::new(14, 1) {
    Some(tail) => tail,
    None => Rational::ZERO,
};

enum Value {
    Flag(bool),
    Whole(u64),
    Rational(Rational),
    Seconds(Duration),
}

/// The value that a text states, if it is one that the option takes.
fn read(info: &OptionInfo, value: &str) -> Result<Value, Refused> {
    let mut allowed = format!("expected {}", info.allowed);
    match info.kind {
        Kind::Flag { .. } => value.parse().ok().map(Value::Flag),
        Kind::Whole { min, max, .. } => {
            let number = if info.name == "memory" { bytes(value) } else { value.parse().ok() };
            let number = number.filter(|n| (min..=max).contains(n));
            match value.parse::<Rational>() {
                Ok(meant) if number.is_none() && !meant.is_integer() => {
                    allowed = allowed.replace("a number", "a whole number");
                }
                Ok(meant) if number.is_none() && u64::try_from(meant.num()).is_ok_and(|n| (min..=max).contains(&n)) => {
                    allowed += &format!("; write it in digits alone: {meant}");
                }
                _ => {}
            }
            number.map(Value::Whole)
        }
        Kind::Rational { .. } => Some(rational(info.name, value)?).filter(|q| q.num() > 0).map(Value::Rational),
        Kind::Seconds => duration(value).map(Value::Seconds),
    }
    .ok_or_else(|| {
        Refused::new(info.name, value, allowed).with_kind(match (info.kind, value.parse::<Rational>()) {
            (Kind::Flag { .. }, _) => RefusedKind::Other,
            (_, Ok(_) | Err(ParseRationalError::TooLarge)) => RefusedKind::OutOfRange,
            (_, Err(_)) => RefusedKind::NotANumber,
        })
    })
}

/// The units of [`bytes`].
const UNITS: [(&str, u64); 10] = [
    ("B", 1),
    ("kB", 1000),
    ("KB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

/// A number of bytes: digits alone, or a decimal and a unit that make a whole number.
fn bytes(text: &str) -> Option<u64> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &text[number.len()..];
    if unit.is_empty() {
        return text.parse().ok();
    }
    let (_, size) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let number = number.trim_end();
    let plain = number.starts_with(|c: char| c.is_ascii_digit()) && !number.contains(['/', 'e', 'E']);
    let number = number.parse::<Rational>().ok().filter(|_| plain)?;
    // Both factors are below 2^64, for a rational has numbers of i64.
    let total = i128::from(number.num()) * i128::from(*size);
    let den = i128::from(number.den());
    if total % den == 0 { u64::try_from(total / den).ok() } else { None }
}

/// Whole nanoseconds, rounded down.
fn duration(text: &str) -> Option<Duration> {
    let seconds = text.parse::<Rational>().ok().filter(|s| s.num() >= 0)?;
    let nanos = i128::from(seconds.num()) * 1_000_000_000 / i128::from(seconds.den());
    let most = i128::from(Options::MAX_SECONDS) * 1_000_000_000;
    (nanos <= most).then(|| Duration::new((nanos / 1_000_000_000) as u64, (nanos % 1_000_000_000) as u32))
}

/// The decimal that reads back as this duration.
fn seconds(duration: Duration) -> String {
    let text = format!("{}.{:09}", duration.as_secs(), duration.subsec_nanos());
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_set_and_read_back() {
        for info in Options::INFO {
            let texts: &[&str] = match info.kind {
                Kind::Flag { .. } => &["true", "false"],
                Kind::Whole { .. } => &["2", "200"],
                Kind::Rational { .. } => &["1/2", "25"],
                Kind::Seconds => &["0", "0.001", "0.000000001", "2.5", "3200000000", "3199999999.999999999"],
            };
            for text in texts {
                let mut options = Options::default();
                options.set(info.name, text).unwrap();
                assert_eq!(options.get(info.name).as_deref(), Some(*text));
                assert_eq!(options.said().collect::<Vec<_>>(), [(info.name, text.to_string())]);
                options.check().unwrap();
            }
            for text in ["", "abc", "-1", "1e400", "nan", "yes", "18446744073709551616", "1/0"] {
                let mut options = Options::default();
                let refused = options.set(info.name, text).unwrap_err();
                assert_eq!((refused.argument(), refused.value()), (info.name, text));
                assert_eq!(options, Options::default());
            }
        }
        for (name, text) in
            [("precision", "0"), ("precision", "257"), ("rectangles", "1"), ("rectangles", "65537"), ("tail", "0")]
        {
            assert!(Options::default().set(name, text).is_err(), "{name}={text}");
        }
    }

    #[test]
    fn sizes_have_units() {
        for (text, size) in [
            ("0", 0),
            ("0B", 0),
            ("4096", 4096),
            ("4kB", 4000),
            ("4KB", 4000),
            ("4KiB", 4096),
            ("1.5KiB", 1536),
            ("0.004MB", 4000),
            ("2 GiB", 1 << 31),
            ("1TB", 1_000_000_000_000),
            ("16TiB", 1 << 44),
        ] {
            assert_eq!(bytes(text), Some(size), "{text}");
        }
        for text in [
            "",
            "KB",
            "4K",
            "4kb",
            "4Ki",
            "4 k B",
            "-4KB",
            "1/2KB",
            "1e3KB",
            "0.0001KB",
            "4KB ",
            "99999999TiB",
            "4.KiBs",
        ] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_in_another_notation_is_told_in_digits() {
        let told = |name, text| Options::default().set(name, text).unwrap_err().to_string();
        assert_eq!(
            told("precision", "1e2"),
            "precision = 1e2: expected a number between 1 and 256 bits; write it in digits alone: 100"
        );
        assert!(told("rectangles", "256.0").ends_with("digits alone: 256"));
        assert!(told("memory", "4e3").ends_with("digits alone: 4000"));
        for text in ["1e3", "0.5", "-1e0", "12.5"] {
            assert!(told("precision", text).ends_with(" number between 1 and 256 bits"), "{text}");
        }
    }

    #[test]
    fn fields_are_checked_too() {
        let options = Options { precision: Some(0), ..Options::default() };
        assert_eq!(options.check().unwrap_err().to_string(), "precision = 0: expected a number between 1 and 256 bits");
    }
}
