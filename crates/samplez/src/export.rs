//! A method's table as JSON, for an audit by other programs: [`Export`].

use crate::refused::Refused;
use samplez_core::samplers::Isochronous;
use samplez_core::table::{
    BernoulliTable, CdtTable, ConvolutionTable, KnuthYaoTable, RejectionTable, Shape, Table, ZigguratTable,
};
use samplez_core::{Bound, DiscreteGaussian, Sampler, Width};
use std::fmt::Write;
use std::ops::RangeInclusive;

/// The most entries of a list: as many as a plain table may have.
const MAX_ENTRIES: u64 = 1 << 20;

/// The meaning of the bounds.
const BOUND: &str = "bound lists base-2 logarithms of upper bounds. Entry log2_sd bounds the statistical distance of this distribution \
                     from law. Entry log2_renyi bounds R_a - 1 by order a. Entry log2_tail bounds the mass of law outside this distribution";

/// A table's numbers and how to read them.
pub(crate) struct Export {
    /// The distribution of the samples by the numbers, in sentences without quotation marks.
    reading: Vec<String>,
    /// Names and JSON.
    table: Vec<(&'static str, String)>,
    bound: Bound,
    support: RangeInclusive<i64>,
}

impl Export {
    /// The thresholds of inversion.
    pub(crate) fn inversion<S: AsRef<[u32]>>(table: &CdtTable<S>) -> Result<Self, Refused> {
        let reading = match table.shape() {
            Shape::Folded => [
                "thresholds lists T_1 to T_n. T_j is 2^bits P(|X - first| >= j), and T_(n+1) = 0",
                "P(X = first) = 1 - T_1/2^bits; P(X = first + j) = P(X = first - j) = (T_j - T_(j+1))/2^(bits + 1)",
                "T_j - T_(j+1) is 2^bits P(|X - first| = j) by law, rounded down, for j from 1 to n",
            ],
            Shape::Full => [
                "thresholds lists T_1 to T_n. T_j is 2^bits P(X >= first + j), T_0 = 2^bits and T_(n+1) = 0",
                "P(X = first + j) = (T_j - T_(j+1))/2^bits for j from 0 to n",
                "T_j - T_(j+1) is 2^bits P(X = first + j) by law, rounded down, except at a mode, which has the rest of 2^bits",
            ],
        };
        Ok(Export {
            reading: reading.map(String::from).into(),
            table: thresholds(table)?,
            bound: table.bound(),
            support: table.support(),
        })
    }

    /// The probabilities of a Knuth–Yao walk.
    pub(crate) fn knuth_yao<S: AsRef<[u32]>>(table: &KnuthYaoTable<S>) -> Result<Self, Refused> {
        let parts = table.parts();
        let reading = match parts.shape {
            Shape::Folded => [
                "probabilities lists 2^bits p_j for j from 0 on. Bit bits - 1 - i of an entry is the bit of column i",
                "P(X = first) = p_0; P(X = first + j) = P(X = first - j) = p_j/2",
                "2^bits p_j is 2^bits P(|X - first| = j) by law, rounded down, for j >= 1, and p_0 is the rest of 1",
            ],
            Shape::Full => [
                "probabilities lists 2^bits p_j for j from 0 on. Bit bits - 1 - i of an entry is the bit of column i",
                "P(X = first + j) = p_j",
                "2^bits p_j is 2^bits P(X = first + j) by law, rounded down, except at a mode, which has the rest of 2^bits",
            ],
        };
        let rows = listed(table.target(), parts.rows as u64)?;
        let bit = |row: usize, column: u32| u32::from(table.bit(row, column));
        let digit = |row: usize, j: u32| (32 * j..32 * j + 32).fold(0, |digit, column| digit << 1 | bit(row, column));
        let probabilities = (0..rows as usize).map(|row| {
            let digits: Vec<u32> = (0..parts.precision.div_ceil(32)).map(|j| digit(row, j)).collect();
            hexadecimal(digits, parts.precision)
        });
        let table_of = vec![
            ("bits", parts.precision.to_string()),
            ("shape", shape(parts.shape)),
            ("first", parts.first.to_string()),
            ("probabilities", list(probabilities)),
        ];
        Ok(Export {
            reading: reading.map(String::from).into(),
            table: table_of,
            bound: table.bound(),
            support: table.support(),
        })
    }

    /// The rectangles of a Ziggurat, and the density of its columns.
    pub(crate) fn ziggurat<S: AsRef<[u32]>>(table: &ZigguratTable<S>) -> Result<Self, Refused> {
        let (parts, words) = (table.parts(), table.words());
        let (n, m) = (parts.precision, parts.rectangles as usize);
        let last = words[m] - 1;
        let limbs = |height: [u64; 5]| {
            let digits = height.iter().rev().flat_map(|limb| [(limb >> 32) as u32, *limb as u32]).collect();
            hexadecimal(digits, 320)
        };
        let mut reading = vec![
            "right_edges lists X_1 to X_m, and X_0 = -1. heights lists 2^bits y_i for i from 0 to m",
            "A trial draws i from 1 to m, a sign s, x from 0 to X_i and y' below 2^omega, each uniformly",
            "It accepts x if 0 < x <= X_(i-1), or if x = 0 and i > 1, or else if y' (y_(i-1) - y_i) < 2^omega (R(x)/2^bits - y_i)",
            "An accepted x > 0 is the sample center + s x. An accepted 0 is the sample center if s is +1, and a rejection if s is -1",
            "P(X = center + x) is proportional to the sum of a_i/(X_i + 1) over i with X_i >= x, where a_i is the probability of acceptance. X - center is symmetric",
        ];
        let mut table_of = vec![
            ("bits", n.to_string()),
            ("omega", parts.omega.to_string()),
            ("rectangles", m.to_string()),
            ("right_edges", list(words[1..=m].iter().map(|edge| (edge - 1).to_string()))),
            ("heights", list((0..=m).map(|i| limbs(table.edge_height(i))))),
        ];
        if let Some(chord) = parts.chord {
            reading.push("chord_accept_to and chord_reject_after are the rectangles whose chords decide early, with the same result");
            table_of.push(("chord_accept_to", chord.accept_to.to_string()));
            table_of.push(("chord_reject_after", chord.reject_after.to_string()));
        }
        if !parts.stored {
            let kappa = &words[m + 1 + m * n.div_ceil(32) as usize..];
            reading.push("The sampler computes R(x) from log2_e_over_2_sigma_sq = log2(e)/(2 sigma^2), in units of 2^-constant_bits, rounded down");
            table_of.push(("constant_bits", (32 * (kappa.len() - 1)).to_string()));
            table_of.push(("log2_e_over_2_sigma_sq", hexadecimal(kappa.to_vec(), 32 * kappa.len() as u32)));
        }
        if parts.stored || u64::from(last) < MAX_ENTRIES {
            listed(&parts.target, u64::from(last) + 1)?;
            reading
                .push("densities lists R(x) for x from 0 to X_m. R(x) is 2^bits exp(-x^2/(2 sigma^2)), rounded down");
            table_of.push(("densities", list((0..=last).map(|x| limbs(table.height(x))))));
        } else {
            reading.push("R(x) is not listed, because there are more than 2^20 columns");
        }
        reading.push(
            "Where 2^bits exp(-x^2/(2 sigma^2)) is less than 2^-47 above an integer, R(x) may be that integer less 1",
        );
        Ok(Export {
            reading: reading.into_iter().map(String::from).collect(),
            table: table_of,
            bound: parts.bound,
            support: table.support(),
        })
    }

    /// The coins of the Bernoulli sampler.
    pub(crate) fn bernoulli<S: AsRef<[u32]>>(table: &BernoulliTable<S>) -> Self {
        let (precision, support) = (table.precision(), table.support());
        let k = table.target().width().value().num();
        // The support ends at k(X + 1) - 1 beyond the centre.
        let last = (support.end() - table.target().center().num() + 1) / k - 1;
        let reading = [
            "coins lists 2^bits c_i for i from 0 on. c_i is 2^(-2^i/k^2), rounded down",
            "A trial draws x >= 0 with P(x) proportional to 2^(-x^2), y from 0 to k - 1 and a sign s. Then z = y^2 + 2 k x y",
            "It rejects x > last_x. It accepts with the product of the c_i over the bits i of z that are 1, and rejects 0 with the sign -1",
            "P(X = center + t) = P(X = center - t) is proportional to 2^(-x^2) times that product, for t = k x + y",
        ];
        let coins = table.digits().chunks_exact(precision.div_ceil(32) as usize);
        let table_of = vec![
            ("bits", precision.to_string()),
            ("k", k.to_string()),
            ("last_x", last.to_string()),
            ("coins", list(coins.map(|digits| hexadecimal(digits.to_vec(), precision)))),
        ];
        Export { reading: reading.map(String::from).into(), table: table_of, bound: table.bound(), support }
    }

    /// The heights of table rejection.
    pub(crate) fn rejection<S: AsRef<[u32]>>(table: &RejectionTable<S>) -> Result<Self, Refused> {
        let precision = table.precision();
        let each = precision.div_ceil(32) as usize;
        let count = listed(table.target(), (table.digits().len() / each) as u64)? as usize;
        let reading = [
            "heights lists 2^bits h_x for x from 1 to n. h_x is exp(-x^2/(2 sigma^2)), rounded down, and h_0 = 1",
            "A trial draws x from 0 to n and a sign s. It accepts with probability h_x, and rejects 0 with the sign -1",
            "P(X = center + x) = P(X = center - x) is proportional to h_x",
        ];
        let table_of = vec![("bits", precision.to_string()), ("heights", list(rows(table.digits(), count, precision)))];
        Ok(Export {
            reading: reading.map(String::from).into(),
            table: table_of,
            bound: table.bound(),
            support: table.support(),
        })
    }

    /// The base and the legs of a convolution.
    pub(crate) fn convolution<S: AsRef<[u32]>>(table: &ConvolutionTable<S>) -> Result<Self, Refused> {
        let base = table.base();
        let reading = [
            "base is an inversion table: T_j is 2^bits P(|Y| >= j), and T_(n+1) = 0",
            "P(Y = 0) = 1 - T_1/2^bits; P(Y = j) = P(Y = -j) = (T_j - T_(j+1))/2^(bits + 1)",
            "T_j - T_(j+1) is 2^bits P(|Y| = j) by the distribution of the width of base, rounded down, for j from 1 to n",
            "The first pair of legs z1, z2 makes z1 Y1 + z2 Y2 of two independent values of the base",
            "Each further pair makes such a sum of two independent values of the level before. A sample is center plus a value of the last level",
            "The width of base times the product of all sqrt(z1^2 + z2^2) is sigma",
        ];
        let legs = table.levels().iter().map(|(z1, z2)| format!("[{z1}, {z2}]"));
        let mut base_of = vec![("width", width(base.target())), ("bound", bound(&base.bound()))];
        base_of.extend(thresholds(base)?);
        let table_of = vec![("legs", list(legs)), ("base", object(&base_of, 2))];
        Ok(Export {
            reading: reading.map(String::from).into(),
            table: table_of,
            bound: table.bound(),
            support: table.support(),
        })
    }

    /// The strips of isochronous rejection, with the bound of the sampler over them.
    pub(crate) fn strips(sampler: &Isochronous, bound: Bound) -> Self {
        let (values, height) = sampler.strips();
        let support = sampler.profile().support;
        let reading = [
            "weights lists w_j for j from 0 on, which sum to 2^16. K is strip_values, S is strip_height/2^32 and f is center less its floor",
            "A trial draws strip j with probability w_j/2^16, u from 0 to K - 1 and a bit b. If b = 1, z is K j + u + 1. If b = 0, z is -(K j + u)",
            "It accepts with probability 2^16 H(z)/w_j, where H(z) = S exp(-(z - f)^2/(2 sigma^2)), and the sample is the floor of center plus z",
            "So a trial returns each z with probability H(z)/(2 K) for all weights, if no H(z) of strip j exceeds w_j/2^16",
            "w_j is 2^16 S e_j (1 + 2^-39) rounded down, plus 1, for j >= 1, where e_j = exp(-(K j)^2/(2 sigma^2)), and w_0 is the rest",
            "S is the largest for which these numbers, the one of j = 0 included, sum to at most 2^16",
        ];
        let table = vec![
            ("strip_values", values.to_string()),
            ("strip_height", height.to_string()),
            ("weights", list(sampler.weights().map(|weight| weight.to_string()))),
        ];
        Export { reading: reading.map(String::from).into(), table, bound, support }
    }

    /// The base of exact rejection for a large σ, with its law and its table, and the bits of a uniform number.
    pub(crate) fn wide(law: &DiscreteGaussian, base: Export, shift: u32, support: RangeInclusive<i64>) -> Self {
        let mut reading = vec![
            "A trial draws Y with P(Y = y) proportional to exp(-y^2/(2 s^2)), where s is the width of base".into(),
            "It draws u from -2^(shift - 1) to 2^(shift - 1) - 1, each with the same probability".into(),
            "With n, an integer nearest to center, x is n + 2^shift Y + u. The trial accepts x with probability exp(-E), where E = (x - center)^2/(2 sigma^2) - Y^2/(2 s^2) + 2^-31".into(),
            "E is not negative. So P(X = x) is proportional to exp(-(x - center)^2/(2 sigma^2)), and the distances of bound are 0".into(),
            "The next sentences define base, whose sigma is s and whose center is 0".into(),
        ];
        reading.extend(base.reading);
        let mut base_of = vec![("width", width(law)), ("bound", bound(&base.bound))];
        base_of.extend(base.table);
        let none = f64::NEG_INFINITY;
        let exact = Bound::new(none, base.bound.log2_renyi.map(|(order, _)| (order, none)), none, none);
        Export {
            reading,
            table: vec![("shift", shift.to_string()), ("base", object(&base_of, 2))],
            bound: exact,
            support,
        }
    }

    /// The same table, from which a share of 2^-t of the samples is replaced by a remainder.
    pub(crate) fn with_remainder(mut self, tosses: u32) -> Self {
        self.reading.push(
            "The bound is that of this table's distribution Q. With probability 2^-remainder_log2 the exact sampler returns a \
             sample of the remainder R instead"
                .into(),
        );
        self.reading.push("R = 2^t (P - (1 - 2^-t) Q) with t = remainder_log2 and the distribution P of law. So the samples have the distribution P".into());
        self.table.push(("remainder_log2", tosses.to_string()));
        self
    }

    /// The file: a table of this method for this law, which the recipe makes again.
    pub(crate) fn to_json(&self, law: &DiscreteGaussian, method: &str, recipe: &str) -> String {
        let reading = self.reading.iter().map(String::as_str).chain([BOUND]).map(quoted);
        let members = [
            ("software", quoted(concat!("samplez ", env!("CARGO_PKG_VERSION")))),
            ("command", quoted(&format!("samplez table --recipe {recipe} --emit json"))),
            ("method", quoted(method)),
            ("law", quoted(&law.to_string())),
            ("density", quoted("P(X = x) is proportional to exp(-(x - center)^2/(2 sigma^2))")),
            ("sigma", quoted(&sigma(law))),
            ("width", width(law)),
            ("center", quoted(&law.center().to_string())),
            ("reading", list(reading)),
            ("table", object(&self.table, 1)),
            ("bound", bound(&self.bound)),
            ("support", format!("{{\"min\": {}, \"max\": {}}}", self.support.start(), self.support.end())),
        ];
        object(&members, 0) + "\n"
    }
}

/// σ by the width's value, as a formula.
fn sigma(law: &DiscreteGaussian) -> String {
    let q = law.width().value();
    match law.width() {
        Width::Sigma(_) => q.to_string(),
        Width::SigmaSq(_) => format!("sqrt({q})"),
        Width::KSigma2(_) => format!("({q}) sqrt(1/(2 ln 2))"),
        Width::S(_) => format!("({q})/sqrt(2 pi)"),
    }
}

fn width(law: &DiscreteGaussian) -> String {
    format!("{{\"form\": \"{}\", \"value\": \"{}\"}}", law.width().name(), law.width().value())
}

fn shape(shape: Shape) -> String {
    quoted(match shape {
        Shape::Folded => "folded",
        Shape::Full => "full",
    })
}

/// Upper bounds, base-2 logarithms; null for a distance of 0.
fn bound(bound: &Bound) -> String {
    let log2 = |log2: f64| if log2.is_finite() { format!("{log2:?}") } else { "null".into() };
    let renyi = bound.log2_renyi.map(|(order, value)| format!("\"{order}\": {}", log2(value))).join(", ");
    format!(
        "{{\"log2_sd\": {}, \"log2_renyi\": {{{renyi}, \"inf\": {}}}, \"log2_tail\": {}}}",
        log2(bound.log2_sd),
        log2(bound.log2_rinf),
        log2(bound.log2_tail)
    )
}

/// The members of an inversion table.
fn thresholds<S: AsRef<[u32]>>(table: &CdtTable<S>) -> Result<Vec<(&'static str, String)>, Refused> {
    let count = listed(table.target(), table.len() as u64)? as usize;
    Ok(vec![
        ("bits", table.precision().to_string()),
        ("shape", shape(table.shape())),
        ("first", table.first().to_string()),
        ("thresholds", list(rows(table.digits(), count, table.precision()))),
    ])
}

/// The numbers whose leading digits come first, and then the others of each.
fn rows(digits: &[u32], count: usize, precision: u32) -> impl Iterator<Item = String> + '_ {
    let rest = precision.div_ceil(32) as usize - 1;
    (0..count).map(move |j| {
        let mut row = vec![digits[j]];
        row.extend(&digits[count + j * rest..][..rest]);
        hexadecimal(row, precision)
    })
}

/// A number of so many bits, left-aligned in digits of 32 bits, the most significant first.
fn hexadecimal(mut digits: Vec<u32>, bits: u32) -> String {
    let shift = (32 * digits.len() as u32 - bits) % 32;
    let mut above = 0;
    for digit in &mut digits {
        let wide = u64::from(above) << 32 | u64::from(*digit);
        above = *digit;
        *digit = (wide >> shift) as u32;
    }
    let text = digits.iter().fold(String::new(), |mut text, digit| {
        let _ = write!(text, "{digit:08x}");
        text
    });
    match text.trim_start_matches('0') {
        "" => "\"0x0\"".into(),
        text => format!("\"0x{text}\""),
    }
}

/// Refuses a list of too many entries.
fn listed(law: &DiscreteGaussian, entries: u64) -> Result<u64, Refused> {
    if entries <= MAX_ENTRIES {
        return Ok(entries);
    }
    let allowed = format!(
        "the table has {entries} entries, and a file at most {MAX_ENTRIES}; choose a narrower law or fewer bits"
    );
    Err(Refused::width(law.width(), allowed))
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// One item in a line.
fn list(items: impl Iterator<Item = String>) -> String {
    let mut text = String::from("[");
    for (at, item) in items.enumerate() {
        text += if at == 0 { "\n" } else { ",\n" };
        text += &item;
    }
    text + "\n]"
}

/// One member in a line, except for lists, indented by `depth`.
fn object(members: &[(&'static str, String)], depth: usize) -> String {
    let (inner, outer) = (" ".repeat(2 * depth + 2), " ".repeat(2 * depth));
    let mut text = String::from("{\n");
    for (at, (name, value)) in members.iter().enumerate() {
        let end = if at + 1 == members.len() { "\n" } else { ",\n" };
        let _ = write!(text, "{inner}\"{name}\": {value}{end}");
    }
    text + &outer + "}"
}
