//! The names of the formats and of the integer types.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;

/// A file format.
///
/// ```
/// use samplez_cli::testing::files::Format;
/// use std::path::Path;
/// assert_eq!(Format::of_path(Path::new("noise.npy")), Some(Format::Npy));
/// assert_eq!(Format::of_path(Path::new("noise")), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One decimal integer per line (read: one stream, separated by any white space)
    Text,
    /// Comma-separated, with one header line `x` (read: commas, semicolons, tabs or blanks; the header line is optional)
    Csv,
    /// NumPy's array file
    Npy,
    /// The bare integers, little-endian
    Raw,
}

impl Format {
    /// The format that the extension of `path` stands for: `.txt`, `.csv`, `.tsv`, `.npy`, `.raw`, `.bin`.
    ///
    /// ```
    /// use samplez_cli::testing::files::Format;
    /// assert_eq!(Format::of_path("a.CSV".as_ref()), Some(Format::Csv));
    /// ```
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "txt" | "text" => Some(Format::Text),
            "csv" | "tsv" => Some(Format::Csv),
            "npy" => Some(Format::Npy),
            "raw" | "bin" => Some(Format::Raw),
            _ => None,
        }
    }

    /// True for the formats that are not text.
    ///
    /// ```
    /// assert!(samplez_cli::testing::files::Format::Npy.is_binary());
    /// ```
    pub const fn is_binary(self) -> bool {
        matches!(self, Format::Npy | Format::Raw)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Text => "text",
            Format::Csv => "csv",
            Format::Npy => "npy",
            Format::Raw => "raw",
        })
    }
}

/// A signed integer type. The names of NumPy and Go, such as int16, and of C, such as int16_t, are read too.
///
/// ```
/// use samplez_cli::testing::files::Dtype;
/// assert_eq!(Dtype::narrowest(-43..=43), Dtype::I8);
/// assert_eq!(Dtype::narrowest(-43..=128), Dtype::I16);
/// assert_eq!(Dtype::I16.to_string(), "i16");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dtype {
    /// 8 bits: -128 to 127
    #[value(aliases = ["int8", "int8_t"])]
    I8,
    /// 16 bits: -32768 to 32767
    #[value(aliases = ["int16", "int16_t"])]
    I16,
    /// 32 bits
    #[value(aliases = ["int32", "int32_t"])]
    I32,
    /// 64 bits
    #[value(aliases = ["int64", "int64_t"])]
    I64,
}

impl Dtype {
    /// Every type, narrowest first.
    ///
    /// ```
    /// assert_eq!(samplez_cli::testing::files::Dtype::ALL.len(), 4);
    /// ```
    pub const ALL: [Dtype; 4] = [Dtype::I8, Dtype::I16, Dtype::I32, Dtype::I64];

    /// The type that a name of another language means, such as `short`, `Int16Array` or `<i2`.
    pub(crate) fn meant(name: &str) -> Option<Dtype> {
        let name = name.trim_start_matches(['<', '>', '=', '|']).to_ascii_lowercase();
        match name.trim_end_matches("array") {
            "byte" | "i1" | "int8" => Some(Dtype::I8),
            "short" | "i2" | "int16" => Some(Dtype::I16),
            "int" | "i4" | "int32" => Some(Dtype::I32),
            "long" | "longlong" | "i8" | "int64" | "bigint64" => Some(Dtype::I64),
            _ => None,
        }
    }

    /// The bytes of one integer.
    ///
    /// ```
    /// assert_eq!(samplez_cli::testing::files::Dtype::I32.size(), 4);
    /// ```
    pub const fn size(self) -> usize {
        match self {
            Dtype::I8 => 1,
            Dtype::I16 => 2,
            Dtype::I32 => 4,
            Dtype::I64 => 8,
        }
    }

    /// The values of the type.
    ///
    /// ```
    /// assert_eq!(samplez_cli::testing::files::Dtype::I8.range(), -128..=127);
    /// ```
    pub const fn range(self) -> RangeInclusive<i64> {
        let max = i64::MAX >> (64 - 8 * self.size());
        -max - 1..=max
    }

    /// Whether every value of `values` is one of the type.
    ///
    /// ```
    /// assert!(!samplez_cli::testing::files::Dtype::I8.holds(&(0..=128)));
    /// ```
    pub fn holds(self, values: &RangeInclusive<i64>) -> bool {
        self.range().contains(values.start()) && self.range().contains(values.end())
    }

    /// The narrowest type that holds every value of `values`.
    ///
    /// ```
    /// use samplez_cli::testing::files::Dtype;
    /// assert_eq!(Dtype::narrowest(i64::MIN..=0), Dtype::I64);
    /// ```
    pub fn narrowest(values: RangeInclusive<i64>) -> Dtype {
        Dtype::ALL.into_iter().find(|dtype| dtype.holds(&values)).unwrap_or(Dtype::I64)
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{}", 8 * self.size())
    }
}

/// An integer type with its name as it was typed.
#[derive(Clone, Debug)]
pub(crate) struct NamedDtype {
    pub(crate) dtype: Dtype,
    name: String,
}

impl NamedDtype {
    /// Parses a name of any language.
    pub(crate) fn parser() -> impl TypedValueParser<Value = NamedDtype> {
        let names = Dtype::value_variants().iter().filter_map(Dtype::to_possible_value);
        PossibleValuesParser::new(names)
            .try_map(|name| Dtype::from_str(&name, false).map(|dtype| NamedDtype { dtype, name }))
    }
}

impl From<Dtype> for NamedDtype {
    fn from(dtype: Dtype) -> Self {
        NamedDtype { dtype, name: dtype.to_string() }
    }
}

impl fmt::Display for NamedDtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
