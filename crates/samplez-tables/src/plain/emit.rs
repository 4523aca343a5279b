//! Tables as source texts: Rust, C, and lists of numbers.

use super::audit::{Audit, audit};
use super::form::TableForm;
use super::table::PlainTable;
use super::whole::Whole;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;
use core::fmt::Write;
use samplez_core::table::Table as _;
use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian, Rational, Width};

/// The language of a table's text.
///
/// ```
/// use samplez_tables::Language;
/// let all = [Language::Rust, Language::C, Language::Csv];
/// assert_eq!(all.map(|language| language.to_string()), ["rust", "c", "csv"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A static [`CdtTable`] for this library's samplers, which needs `samplez-core` alone; for a form that these do not
    /// read, an array.
    Rust,
    /// An array of whole numbers, or of their limbs.
    C,
    /// One number in a line.
    Csv,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Language::Rust => "rust",
            Language::C => "c",
            Language::Csv => "csv",
        })
    }
}

/// Returns the text of a table with its audit in the comment.
///
/// `name` is the name of the static or array, an identifier. The comment states the command that makes the text again, and all
/// that `samplez certify --table` requires to read it.
///
/// ```
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{Language, TableForm, build_plain, emit};
/// let table = build_plain(&DiscreteGaussian::with_sigma("1.8205".parse()?)?, &"falcon".parse()?)?;
/// let text = emit(&table, Language::C, "RCDT");
/// assert!(text.contains("static const uint64_t RCDT[18][2] = {\n    {UINT64_C(0xf7f42ed3ac391802), UINT64_C(0xa3)},"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn emit(table: &PlainTable, language: Language, name: &str) -> String {
    let (width, center) = (table.target().width(), table.target().center());
    let mut origin = format!("samplez table --{} {} --center {center}", width.name().replace('_', "-"), width.value());
    origin += &format!(" --form {} --emit {language} --name {name}", table.form());
    let mut facts = facts(table, &audit(table), &origin);
    let cdt = if language == Language::Rust { table.to_cdt() } else { None };
    // Where an entry is more than one number, their order.
    facts.extend(match (language, &cdt, limbs(table)) {
        (Language::Rust, Some(_), _) => Some("limbs: samplez".to_string()),
        (Language::Rust, None, 3..) | (Language::C, _, 2..) => Some("limbs: 64,least-first".to_string()),
        _ => None,
    });
    let text = match language {
        Language::Rust => match cdt {
            Some(cdt) => rust_table(&cdt, name, &facts),
            None => rust_array(table, name, &facts),
        },
        Language::C => c_array(table, name, &facts),
        Language::Csv => csv(table, &facts),
    };
    // Writing into a string does not fail.
    text.unwrap_or_default()
}

/// Returns the lines of a comment.
pub(crate) fn facts(table: &PlainTable, found: &Audit, origin: &str) -> Vec<String> {
    let power = |log2: f64| {
        let rounded = libm::ceil(log2 * 100.0) / 100.0;
        if log2 == f64::INFINITY { "infinite".into() } else { format!("<= 2^{rounded:.2}") }
    };
    let Bound { log2_sd, log2_renyi, log2_rinf, log2_tail, .. } = found.bound;
    let mut facts = vec![
        format!("origin: {origin}"),
        format!("law: {}", table.target()),
        format!("form: {}", table.form()),
        format!("entries: {}", table.entries().len()),
        format!("support: {} to {}", found.support.start(), found.support.end()),
        format!("statistical distance: {}", power(log2_sd)),
    ];
    facts.extend(log2_renyi.map(|(order, log2)| format!("Renyi R_{order} - 1: {}", power(log2))));
    facts.push(format!("Renyi R_inf - 1: {}", power(log2_rinf)));
    facts.push(format!("tail cut off: {}", power(log2_tail)));
    facts.extend(found.uncovered.as_ref().map(|uncovered| format!("uncovered: {uncovered}")));
    facts
}

/// The facts as comments that begin with this.
fn commented(facts: &[String], before: &str) -> String {
    facts.iter().fold(String::new(), |text, fact| text + before + fact + "\n")
}

/// A rational as a constant.
fn rational(q: Rational) -> String {
    format!("Rational::new({}, {}).unwrap()", q.num(), q.den())
}

fn double(x: f64) -> String {
    match x {
        f64::INFINITY => "f64::INFINITY".into(),
        f64::NEG_INFINITY => "f64::NEG_INFINITY".into(),
        _ => format!("{x:?}"),
    }
}

fn law(law: &DiscreteGaussian) -> String {
    let (form, q) = match law.width() {
        Width::Sigma(q) => ("Sigma", q),
        Width::SigmaSq(q) => ("SigmaSq", q),
        Width::KSigma2(q) => ("KSigma2", q),
        Width::S(q) => ("S", q),
    };
    format!("DiscreteGaussian::new({}, Width::{form}({}))", rational(law.center()), rational(q))
}

fn rust_table(table: &CdtTable<Vec<u32>>, name: &str, facts: &[String]) -> Result<String, fmt::Error> {
    let mut text = commented(facts, "// ");
    let shape = match table.shape() {
        Shape::Folded => "Folded",
        Shape::Full => "Full",
    };
    let Bound { log2_sd, log2_renyi, log2_rinf, log2_tail, .. } = table.bound();
    let renyi = log2_renyi.map(|(order, log2)| format!("({order}, {})", double(log2))).join(", ");
    let (first, precision, target) = (table.first(), table.precision(), table.target());
    let [sd, rinf, tail] = [log2_sd, log2_rinf, log2_tail].map(double);
    let law = law(target);
    write!(
        text,
        "
use samplez_core::table::{{CdtTable, Shape}};
use samplez_core::{{Bound, DiscreteGaussian, Rational, Width}};

/// The table of {target}, {precision} bits.
#[rustfmt::skip]
pub static {name}: CdtTable<&[u32]> = {{
    let Ok(law) = {law} else {{
        panic!(\"not a law\")
    }};
    let bound = Bound::new({sd}, [{renyi}], {rinf}, {tail});
    match CdtTable::from_slice(law, bound, Shape::{shape}, {first}, {precision}, &{name}_DIGITS) {{
        Ok(table) => table,
        Err(_) => panic!(\"not a table\"),
    }}
}};

/// Its digits.
#[rustfmt::skip]
static {name}_DIGITS: [u32; {}] = [
",
        table.digits().len()
    )?;
    for row in table.digits().chunks(8) {
        let digits: Vec<String> = row.iter().map(|digit| format!("0x{digit:08x},")).collect();
        writeln!(text, "    {}", digits.join(" "))?;
    }
    text.push_str("];\n");
    Ok(text)
}

/// The limbs that the largest entry takes, at least 1.
fn limbs(table: &PlainTable) -> usize {
    table.entries().iter().map(Whole::bits).max().unwrap_or(0).div_ceil(64).max(1) as usize
}

fn rust_array(table: &PlainTable, name: &str, facts: &[String]) -> Result<String, fmt::Error> {
    let (limbs, len) = (limbs(table), table.entries().len());
    let mut text = commented(facts, "// ");
    let (kind, order) = match limbs {
        1 => ("u64".to_string(), ""),
        2 => ("u128".into(), ""),
        n => (format!("[u64; {n}]"), ", the least significant limb first"),
    };
    write!(
        text,
        "
/// {}: {} of {}{order}.
#[rustfmt::skip]
pub static {name}: [{kind}; {len}] = [
",
        table.form(),
        if len == 1 { "the entry" } else { "the entries" },
        table.target()
    )?;
    for entry in table.entries() {
        if limbs <= 2 {
            writeln!(text, "    {entry:#x},")?;
        } else {
            let limbs: Vec<String> = entry.limbs()[..limbs].iter().map(|limb| format!("{limb:#x}")).collect();
            writeln!(text, "    [{}],", limbs.join(", "))?;
        }
    }
    text.push_str("];\n");
    Ok(text)
}

fn c_array(table: &PlainTable, name: &str, facts: &[String]) -> Result<String, fmt::Error> {
    let (limbs, entries) = (limbs(table), table.entries());
    let mut text = format!("/*\n{} */\n", commented(facts, " * "));
    let TableForm { precision, .. } = table.form();
    write!(text, "#include <stdint.h>\n\n#define {name}_LEN {}\n#define {name}_BITS {precision}\n\n", entries.len())?;
    if limbs > 1 {
        writeln!(text, "/* The least significant limb first. */")?;
        writeln!(text, "static const uint64_t {name}[{}][{limbs}] = {{", entries.len())?;
    } else {
        writeln!(text, "static const uint64_t {name}[{}] = {{", entries.len())?;
    }
    for entry in entries {
        let numbers: Vec<String> = entry.limbs()[..limbs].iter().map(|limb| format!("UINT64_C({limb:#x})")).collect();
        let row = numbers.join(", ");
        writeln!(text, "    {},", if limbs > 1 { format!("{{{row}}}") } else { row })?;
    }
    text.push_str("};\n");
    Ok(text)
}

fn csv(table: &PlainTable, facts: &[String]) -> Result<String, fmt::Error> {
    let mut text = commented(facts, "# ");
    for entry in table.entries() {
        writeln!(text, "{entry}")?;
    }
    Ok(text)
}
