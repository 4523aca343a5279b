//! The forms in which tables are published.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;
use samplez_core::table::MAX_PRECISION;

/// The part of the line that a table's entries run over. Entry k belongs to *index* k.
///
/// All but `Full` are symmetric about the centre c, which is an integer or halfway between two. Index k then
/// stands for the values at the k-th distance from c: c ± k, or c ± (k + 1/2).
///
/// A table of X on the coset 2Z + t of width 2σ, as Hawk's are, is one of Y = (X - t)/2. Y follows D_{Z,σ,-t/2}: give
/// σ, and 0 or 1/2 for the centre.
///
/// ```
/// use samplez_tables::Line;
/// assert_eq!(Line::Mirrored.to_string(), "mirrored");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Line {
    /// Of the distance |X - c|: both signs together, zero once.
    Folded,
    /// Of X on one side, X >= c; the other side has the same probabilities and is not listed.
    Mirrored,
    /// Of X given that X >= c: a half Gaussian. Its law, and not D_{Z,σ,c}, is what an audit compares with.
    Half,
    /// Of X itself; index 0 is the value `first`.
    Full,
}

/// The meaning of an entry, times 2^precision.
///
/// ```
/// use samplez_tables::Entries;
/// assert_eq!(Entries::Tail.to_string(), "tail");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entries {
    /// P(index > k): falls. Of a mirrored line: P(X > the k-th value from c on).
    Tail,
    /// P(index <= k): rises. Of a mirrored line: P(X <= the k-th value from c on), at least 1/2.
    Head,
    /// P(index = k).
    Pmf,
}

/// How probabilities become whole numbers.
///
/// ```
/// use samplez_tables::EntryRounding;
/// assert_eq!(EntryRounding::FloorWeights.to_string(), "floor-weights");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryRounding {
    /// Each entry down.
    Floor,
    /// Each entry to the nearest.
    Nearest,
    /// Each probability down. The mode gets the rest of 2^precision. Then they are summed.
    FloorWeights,
    /// Each probability to the nearest. The mode gets the rest. Then they are summed.
    NearestWeights,
}

/// The result of a draw that no entry covers: in a tail, below the last entry. In a head it is one from the last entry
/// on, and in probabilities one from their sum on.
///
/// ```
/// assert_eq!(samplez_tables::Rest::Again.to_string(), "rest-again");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rest {
    /// It draws again.
    Again,
    /// It returns the mode.
    Mode,
    /// It returns the index after the last.
    Next,
}

/// The form of a table of whole numbers.
///
/// As text, it is a list of words with commas between them, in any order:
///
/// - a line, the kind of the entries, and the bits;
/// - a rounding, if it differs from the default `floor`;
/// - a rest, if known;
/// - `inclusive`, `first=-13`, `len=18`, each where it applies.
///
/// Or it is the name of a published form:
///
/// | name | table |
/// |---|---|
/// | `falcon` | Falcon's RCDT (σ = 1.8205, 18 entries): Σ_{j>k} ⌊2^72 p(j)⌋, p the half Gaussian \[Falcon\] |
/// | `hawk` | Hawk's T_0 and T_1 (σ = 1.010, 1.278 or 1.299; centre 0 for T_0, 1/2 for T_1): ⌊2^78 P(\|X\| > 2k + t)⌋ for X on 2Z + t of width 2σ, see [`Line`] |
/// | `lazer` | LaZer's CDF (σ = 1.55): 2^128 P(Z > k), to the nearest |
/// | `frodo` | FrodoKEM's error distributions: 2^16 P(X = k) for k >= 0. Frodo's own law is a *rounded continuous* Gaussian (σ = 2.8, 2.3, 1.4): the builder makes D_Z's table in this form, and an audit bounds Frodo's distance from D_Z, or from that law ([`audit_against`](crate::audit_against)) |
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{Entries, EntryRounding, Line, TableForm, build_plain};
/// let form: TableForm = "folded,tail,78".parse()?;
/// assert_eq!(form, "hawk".parse()?);
/// assert_eq!((form.line, form.entries, form.rounding), (Line::Folded, Entries::Tail, EntryRounding::Floor));
/// assert_eq!("falcon".parse::<TableForm>()?.to_string(), "half,tail,floor-weights,72");
/// assert!("folded,tail,257".parse::<TableForm>().is_err());
///
/// let table = build_plain(&DiscreteGaussian::with_sigma("1.8205".parse()?)?, &"falcon".parse()?)?;
/// assert_eq!(table.entries()[0].to_string(), "3024686241123004913666");
/// assert_eq!(table.entries().len(), 18);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableForm {
    /// The precision B in bits, 1 to 256: an entry is a probability times 2^B.
    pub precision: u32,
    /// The part of the line that the entries run over.
    pub line: Line,
    /// The kind of the entries.
    pub entries: Entries,
    /// How they are rounded; an audit does not look at it.
    pub rounding: EntryRounding,
    /// The result of a draw that no entry covers. Only an audit looks at it. `None` means that it is not stated. A tail's sampler then
    /// counts the entries above the draw, as by [`Rest::Next`]. For heads and probabilities the bounds of an audit hold in all three cases.
    pub rest: Option<Rest>,
    /// The sampler compares by "not above" instead of "below": each entry is one less than it counts.
    pub inclusive: bool,
    /// The value of index 0 of a full line; `None`: the first that matters.
    pub first: Option<i64>,
    /// The number of entries; `None`: until those that matter end.
    pub len: Option<usize>,
}

impl TableForm {
    const fn of(line: Line, entries: Entries, rounding: EntryRounding, precision: u32) -> TableForm {
        TableForm { precision, line, entries, rounding, rest: None, inclusive: false, first: None, len: None }
    }

    const FALCON: TableForm = TableForm::of(Line::Half, Entries::Tail, EntryRounding::FloorWeights, 72);
    const HAWK: TableForm = TableForm::of(Line::Folded, Entries::Tail, EntryRounding::Floor, 78);
    const LAZER: TableForm = TableForm::of(Line::Mirrored, Entries::Tail, EntryRounding::Nearest, 128);
    const FRODO: TableForm = TableForm::of(Line::Mirrored, Entries::Pmf, EntryRounding::Nearest, 16);

    /// Returns the form of [`CdtTable`](samplez_core::table::CdtTable) over a folded line, as [`build_cdt`](crate::build_cdt) rounds it.
    ///
    /// ```
    /// use samplez_tables::TableForm;
    /// assert_eq!(TableForm::folded_cdt(72).to_string(), "folded,tail,floor-weights,72");
    /// ```
    pub const fn folded_cdt(precision: u32) -> TableForm {
        TableForm::of(Line::Folded, Entries::Tail, EntryRounding::FloorWeights, precision)
    }

    /// Returns the same over the full line.
    ///
    /// ```
    /// use samplez_tables::TableForm;
    /// assert_eq!(TableForm::full_cdt(72).to_string(), "full,tail,floor-weights,72");
    /// ```
    pub const fn full_cdt(precision: u32) -> TableForm {
        TableForm::of(Line::Full, Entries::Tail, EntryRounding::FloorWeights, precision)
    }
}

/// The published forms by name.
const NAMED: [(&str, TableForm); 4] = [
    ("falcon", TableForm::FALCON),
    ("hawk", TableForm::HAWK),
    ("lazer", TableForm::LAZER),
    ("frodo", TableForm::FRODO),
];

const LINES: [(&str, Line); 4] =
    [("folded", Line::Folded), ("mirrored", Line::Mirrored), ("half", Line::Half), ("full", Line::Full)];
const ENTRIES: [(&str, Entries); 3] = [("tail", Entries::Tail), ("head", Entries::Head), ("pmf", Entries::Pmf)];
const ROUNDINGS: [(&str, EntryRounding); 4] = [
    ("floor", EntryRounding::Floor),
    ("nearest", EntryRounding::Nearest),
    ("floor-weights", EntryRounding::FloorWeights),
    ("nearest-weights", EntryRounding::NearestWeights),
];
const RESTS: [(&str, Rest); 3] = [("rest-again", Rest::Again), ("rest-mode", Rest::Mode), ("rest-next", Rest::Next)];

/// The name in a list.
fn name<T: PartialEq>(list: &[(&'static str, T)], value: T) -> &'static str {
    list.iter().find(|(_, other)| *other == value).map_or("", |(name, _)| *name)
}

/// The value of a name in a list.
fn value<T: Copy>(list: &[(&str, T)], name: &str) -> Option<T> {
    list.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
}

macro_rules! shown_by_name {
    ($($type:ty: $list:expr),*) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(name(&$list, *self))
            }
        }
    )*};
}
shown_by_name!(Line: LINES, Entries: ENTRIES, EntryRounding: ROUNDINGS, Rest: RESTS);

impl fmt::Display for TableForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.line, self.entries)?;
        if self.rounding != EntryRounding::Floor {
            write!(f, ",{}", self.rounding)?;
        }
        if let Some(rest) = self.rest {
            write!(f, ",{rest}")?;
        }
        if self.inclusive {
            f.write_str(",inclusive")?;
        }
        if let Some(first) = self.first {
            write!(f, ",first={first}")?;
        }
        if let Some(len) = self.len {
            write!(f, ",len={len}")?;
        }
        write!(f, ",{}", self.precision)
    }
}

/// Why a text is not a [`TableForm`].
///
/// ```
/// use samplez_tables::TableForm;
/// let message = |text: &str| text.parse::<TableForm>().unwrap_err().to_string();
/// assert_eq!(message("folded,tail"), "form = folded,tail: the bits are missing, such as 72");
/// assert_eq!(message("folded,full,tail,72"), "form = folded,full,tail,72: `full` is a second line");
/// assert_eq!(message("falcon,72"), "form = falcon,72: `falcon` is a whole form, its bits included; write it alone");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFormError {
    text: String,
    what: String,
}

impl ParseFormError {
    /// Returns the text, cut after 80 characters.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the message without the argument and its value.
    pub fn reason(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for ParseFormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "form = {}: {}", self.text, self.what)
    }
}

impl core::error::Error for ParseFormError {}

/// A list's names, for messages.
fn names<T>(list: &[(&str, T)]) -> String {
    list.iter().map(|(name, _)| *name).collect::<alloc::vec::Vec<_>>().join(", ")
}

/// Keeps a word's value, once.
fn once<T>(slot: &mut Option<T>, value: T, word: &str, what: &str) -> Result<(), String> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("`{word}` is a second {what}")),
    }
}

fn parse(text: &str) -> Result<TableForm, String> {
    let (mut line, mut entries, mut rounding, mut rest) = (None, None, None, None);
    let (mut inclusive, mut first, mut len, mut precision) = (None, None, None, None);
    for word in text.split(',').map(str::trim) {
        if let Some(found) = value(&LINES, word) {
            once(&mut line, found, word, "line")?;
        } else if let Some(found) = value(&ENTRIES, word) {
            once(&mut entries, found, word, "kind of entry")?;
        } else if let Some(found) = value(&ROUNDINGS, word) {
            once(&mut rounding, found, word, "rounding")?;
        } else if let Some(found) = value(&RESTS, word) {
            once(&mut rest, found, word, "rest")?;
        } else if word == "inclusive" {
            once(&mut inclusive, true, word, "inclusive")?;
        } else if let Some(number) = word.strip_prefix("first=") {
            let number = number.parse().map_err(|_| format!("`{word}` must have a whole number of 64 bits"))?;
            once(&mut first, number, word, "first")?;
        } else if let Some(number) = word.strip_prefix("len=") {
            let number = number.parse().ok().filter(|n: &usize| *n > 0);
            once(&mut len, number.ok_or_else(|| format!("`{word}` must have a whole number from 1 on"))?, word, "len")?;
        } else if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) {
            let bits = word.parse().ok().filter(|bits| (1..=MAX_PRECISION).contains(bits));
            let bits = bits.ok_or_else(|| format!("`{word}` bits: expected a number between 1 and {MAX_PRECISION}"))?;
            once(&mut precision, bits, word, "number of bits")?;
        } else if value(&NAMED, word).is_some() {
            return Err(format!("`{word}` is a whole form, its bits included; write it alone"));
        } else {
            let unknown = if word == text { String::new() } else { format!("`{word}` is unknown; ") };
            return Err(format!(
                "{unknown}allowed are {}; {}; {}; {}; inclusive, first=, len= and the bits; or one of {}",
                names(&LINES),
                names(&ENTRIES),
                names(&ROUNDINGS),
                names(&RESTS),
                names(&NAMED)
            ));
        }
    }
    let line = line.ok_or_else(|| format!("the line is missing: {}", names(&LINES)))?;
    let entries = entries.ok_or_else(|| format!("what the entries are is missing: {}", names(&ENTRIES)))?;
    let precision = precision.ok_or("the bits are missing, such as 72")?;
    if first.is_some() && line != Line::Full {
        return Err(format!("`first` is for a full line: a {line} one begins at the centre"));
    }
    Ok(TableForm {
        precision,
        line,
        entries,
        rounding: rounding.unwrap_or(EntryRounding::Floor),
        rest,
        inclusive: inclusive.unwrap_or(false),
        first,
        len,
    })
}

impl FromStr for TableForm {
    type Err = ParseFormError;

    fn from_str(text: &str) -> Result<Self, ParseFormError> {
        value(&NAMED, text).map_or_else(|| parse(text), Ok).map_err(|what| {
            let text = text.chars().take(80).collect::<String>().to_string();
            ParseFormError { text, what }
        })
    }
}
