//! Units: what a number counts, and in which multiples.

/// A unit: its name, what is measured in it, and how many of the kind's first unit it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// As the data write it.
    pub name: &'static str,
    kind: Kind,
    scale: f64,
}

/// What is measured. Two units of a kind are convertible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Speed,
    Throughput,
    Memory,
    Time,
    Bits,
    Ratio,
    Percent,
    Trials,
    Log2,
    Probability,
    Count,
    Mean,
    Text,
}

const UNITS: [(&str, Kind, f64); 24] = [
    ("samples/s", Kind::Speed, 1.0),
    ("thousand samples/s", Kind::Speed, 1e3),
    ("samples/ms", Kind::Speed, 1e3),
    ("million samples/s", Kind::Speed, 1e6),
    ("MB/s", Kind::Throughput, 1e6),
    ("bytes", Kind::Memory, 1.0),
    ("kilobits", Kind::Memory, 125.0),
    ("KB", Kind::Memory, 1e3),
    ("KiB", Kind::Memory, 1024.0),
    ("MB", Kind::Memory, 1e6),
    ("µs", Kind::Time, 1e-6),
    ("ms", Kind::Time, 1e-3),
    ("s", Kind::Time, 1.0),
    ("bits", Kind::Bits, 1.0),
    ("times", Kind::Ratio, 1.0),
    ("%", Kind::Percent, 1.0),
    ("trials", Kind::Trials, 1.0),
    ("log2", Kind::Log2, 1.0),
    ("probability", Kind::Probability, 1.0),
    ("count", Kind::Count, 1.0),
    ("mean", Kind::Mean, 1.0),
    ("σ/√N", Kind::Mean, 1.0),
    ("order", Kind::Text, 1.0),
    ("statement", Kind::Text, 1.0),
];

impl Unit {
    /// The unit of this name, if there is one.
    ///
    /// ```
    /// use samplez_lab::Unit;
    /// assert_eq!(Unit::of("KB").unwrap().name, "KB");
    /// assert!(Unit::of("furlong").is_none());
    /// ```
    pub fn of(name: &str) -> Option<Unit> {
        UNITS.into_iter().find(|(known, ..)| *known == name).map(|(name, kind, scale)| Unit { name, kind, scale })
    }

    /// Whether its values are words, not numbers.
    ///
    /// ```
    /// use samplez_lab::Unit;
    /// assert!(Unit::of("order").unwrap().is_text() && !Unit::of("bits").unwrap().is_text());
    /// ```
    pub fn is_text(&self) -> bool {
        self.kind == Kind::Text
    }

    /// What a value in this unit is in another; `None` if the two measure different things.
    ///
    /// ```
    /// use samplez_lab::Unit;
    /// let [kb, kib, ms] = ["KB", "KiB", "ms"].map(|name| Unit::of(name).unwrap());
    /// assert_eq!(kib.to(kb, 125.0), Some(128.0));
    /// assert_eq!(kib.to(ms, 125.0), None);
    /// ```
    pub fn to(&self, other: Unit, value: f64) -> Option<f64> {
        (self.kind == other.kind).then(|| value * self.scale / other.scale)
    }

    /// Whether its values are those of a machine, of which each is another.
    pub(crate) fn is_of_machines(&self) -> bool {
        matches!(self.kind, Kind::Speed | Kind::Throughput | Kind::Time)
    }

    /// Whether values are compared by their difference, not by their ratio.
    pub(crate) fn by_difference(&self) -> bool {
        matches!(self.kind, Kind::Percent | Kind::Log2 | Kind::Mean)
    }
}
