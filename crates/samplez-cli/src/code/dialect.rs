//! The languages of emitted samplers.

use super::model::Model;
use super::template::filled;
use crate::failure::Failure;
use crate::files::Dtype;
use samplez_tables::Language;
use std::fmt;

/// The bits that a limb can have.
pub(crate) const LIMBS: [u32; 4] = [16, 24, 32, 64];

/// The language of an emitted sampler.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Dialect {
    C,
    Rust,
    Go,
    JavaScript,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::C => "c-sampler",
            Dialect::Rust => "rust-sampler",
            Dialect::Go => "go-sampler",
            Dialect::JavaScript => "js-sampler",
        })
    }
}

/// Words that no package of Go can have as its name.
const GO_WORDS: [&str; 25] = [
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
];

/// Words of C and C++ that no array can have as its name.
const C_WORDS: &[&str] = &[
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t",
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr",
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export",
    "extern false float for friend goto if inline int long main mutable namespace new noexcept",
    "not not_eq nullptr operator or or_eq private protected public register reinterpret_cast",
    "requires restrict return short signed sizeof static static_assert static_cast struct switch",
    "template this thread_local throw true try typedef typeid typename typeof typeof_unqual uint64_t",
    "union unsigned using virtual void volatile wchar_t while xor xor_eq",
];

/// Words of Rust, and the names that a static would shadow in its file.
const RUST_WORDS: &[&str] = &[
    "Err Ok Self abstract as async await become bound box break const continue crate do",
    "dyn else enum extern false final fn for gen if impl in law let loop",
    "macro match mod move mut override priv pub ref return self static struct super table",
    "trait true try type typeof unsafe unsized use virtual where while yield",
];

/// Refuses names of arrays that the language does not take.
pub(crate) fn check_array_name(language: Language, name: &str) -> Result<(), Failure> {
    let (words, shown) = match language {
        Language::C => (C_WORDS, "C or C++"),
        Language::Rust => (RUST_WORDS, "Rust, or of the file"),
        _ => return Ok(()),
    };
    if words.iter().any(|line| line.split(' ').any(|word| word == name)) {
        let why = format!("is a word of {shown}; expected another name, such as NOISE");
        return Err(Failure::input(&format!("--name = {name}"), why));
    }
    if language == Language::C { Dialect::C.check_name(name) } else { Ok(()) }
}

/// How limbs are held and compared.
struct Words {
    /// The type of a limb in the table, and that of the arithmetic.
    element: String,
    word: &'static str,
    /// The top bit of the arithmetic: a borrow, where limbs are narrower.
    top: u32,
    /// Whether a limb is as wide as the arithmetic.
    is_full: bool,
}

impl Dialect {
    /// The bits that a limb can have. The bit operations of JavaScript have 32 bits, and one is for the borrow.
    pub(super) fn limbs(self) -> &'static [u32] {
        if self == Dialect::JavaScript { &LIMBS[..2] } else { &LIMBS }
    }

    /// The comment on the time of a sample.
    pub(super) const fn timing(self) -> &'static str {
        match self {
            Dialect::JavaScript => {
                "time: no branch, index or division depends on the bytes of a sample, but engines promise nothing"
            }
            _ => {
                "time: no branch, index or division depends on the bytes of a sample, and their bounds are hidden from the compiler"
            }
        }
    }

    /// Refuses names that the language does not take.
    pub(crate) fn check_name(self, name: &str) -> Result<(), Failure> {
        let lower = name.to_ascii_lowercase();
        let why = match self {
            Dialect::C if name.starts_with('_') => "C reserves names that begin with _; expected a letter first",
            Dialect::Go if GO_WORDS.contains(&lower.as_str()) => {
                "is a word of Go; expected a name for the package, such as noise"
            }
            Dialect::Rust | Dialect::JavaScript if lower == "bytes" => {
                "the file has this name already; expected another, such as NOISE"
            }
            _ => return Ok(()),
        };
        Err(Failure::input(&format!("--name = {name}"), why))
    }

    fn words(self, name: &str, limb: u32) -> Words {
        let own = format!("{name}_word");
        let (element, word, top) = match (self, limb) {
            (Dialect::C, 16) => ("unsigned short", "", 31),
            (Dialect::C, 24 | 32) => (own.as_str(), "", 31),
            (Dialect::C, _) => (own.as_str(), "", 63),
            (Dialect::Rust, 16) => ("u16", "u32", 31),
            (Dialect::Rust, 24) => ("u32", "u32", 31),
            (Dialect::Rust, 32) => ("u32", "u64", 63),
            (Dialect::Rust, _) => ("u64", "u64", 63),
            (Dialect::Go, 16) => ("uint16", "uint32", 31),
            (Dialect::Go, 24) => ("uint32", "uint32", 31),
            (Dialect::Go, 32) => ("uint32", "uint64", 63),
            (Dialect::Go, _) => ("uint64", "uint64", 63),
            (Dialect::JavaScript, 16) => ("Uint16Array", "", 31),
            (Dialect::JavaScript, _) => ("Uint32Array", "", 31),
        };
        Words { element: element.into(), word, top, is_full: limb == top + 1 }
    }

    fn type_of(self, dtype: Dtype) -> String {
        match self {
            Dialect::Go => format!("int{}", 8 * dtype.size()),
            _ => dtype.to_string(),
        }
    }

    /// The value of an index, before it has its type.
    fn value(self, model: &Model) -> String {
        let layout = &model.layout;
        let index = match self {
            Dialect::C => "(long)index",
            Dialect::Go => "int32(index)",
            Dialect::Rust | Dialect::JavaScript => "index",
        };
        let turned = match (layout.signed, layout.between) {
            (false, _) => index.to_string(),
            (true, true) => format!("{index} ^ -sign"),
            (true, false) => format!("({index} ^ -sign) + sign"),
        };
        let bracketed = |text: String| if text.contains(' ') { format!("({text})") } else { text };
        let value = match (layout.base, self) {
            (0, _) => turned,
            (-0x8000_0000, Dialect::C) => format!("(-2147483647L - 1) + {}", bracketed(turned)),
            (base, _) => format!("{base} + {}", bracketed(turned)),
        };
        let is_cast = self == Dialect::Rust && model.dtype != Dtype::I32;
        if is_cast { format!("{} as {}", bracketed(value), model.dtype) } else { value }
    }

    pub(super) fn text(self, model: &Model) -> String {
        let Model { layout, limb, entries, .. } = model;
        let (lower, upper) = (model.name.to_ascii_lowercase(), model.name.to_ascii_uppercase());
        let words = self.words(&lower, *limb);
        let each = entries[0].len();
        let (template, comment, indent, open, close) = match self {
            Dialect::C => (include_str!("sampler.c.txt"), " * ", "    ", "{", "}"),
            Dialect::Rust => (include_str!("sampler.rs.txt"), "//! ", "    ", "[", "]"),
            Dialect::Go => (include_str!("sampler.go.txt"), "// ", "\t", "{", "}"),
            Dialect::JavaScript => (include_str!("sampler.js.txt"), "// ", "  ", "[", "]"),
        };
        let t = match self {
            Dialect::Rust if words.element != words.word => format!("{}::from(t[@i@])", words.word),
            Dialect::Go if words.element != words.word => format!("{}(t[@i@])", words.word),
            Dialect::JavaScript => format!("{upper}[k + @i@]"),
            _ => "t[@i@]".into(),
        };
        let u = "u[@i@]".to_string();
        let (x, y) = if layout.count.entry_first() { (t, u) } else { (u, t) };
        // In C a number of 64 bits has a type's name; others find theirs.
        let literal = |value: u64| match self {
            Dialect::C if *limb == 64 => format!("UINT64_C({value:#018x})"),
            _ => format!("{value:#0width$x}", width = *limb as usize / 4 + 2),
        };
        let rows = |rows: Vec<String>, indent: &str| {
            rows.into_iter().map(|row| format!("{indent}{row},")).collect::<Vec<_>>().join("\n")
        };
        let table = entries.iter().map(|limbs| limbs.iter().copied().map(literal).collect::<Vec<_>>().join(", "));
        let deeper = indent.repeat(if matches!(self, Dialect::Rust | Dialect::JavaScript) { 2 } else { 1 });
        let records = model.vectors.iter().map(|(record, _)| {
            let bytes: Vec<String> = record.iter().map(|byte| format!("{byte:#04x}")).collect();
            format!("{open}{}{close}", bytes.join(", "))
        });
        let wanted: Vec<String> = model.vectors.iter().map(|(_, value)| value.to_string()).collect();
        let wanted = rows(wanted.chunks(16).map(|chunk| chunk.join(", ")).collect(), &deeper);
        let outdent = &deeper[indent.len()..];
        let (sign_byte, sign_shift) = (layout.sign_bit() / 8, layout.sign_bit() % 8);
        let sign = match (self, sign_shift) {
            (_, 0) => format!("record[{sign_byte}] & 1"),
            (Dialect::Go, shift) => format!("record[{sign_byte}] >> {shift} & 1"),
            (_, shift) => format!("(record[{sign_byte}] >> {shift}) & 1"),
        };
        let spare = limb * each as u32 - layout.precision;
        let mask = (u64::MAX >> (64 - limb)) >> spare;
        // The last byte has bits beyond the draw.
        let is_masked = 8 * layout.draw_bytes() > layout.precision as usize + usize::from(layout.sign_first);
        let facts: Vec<String> = model.facts.iter().map(|fact| format!("{comment}{fact}")).collect();
        let is = |dtype| model.dtype == dtype;
        let wide = [Dtype::I8, Dtype::I16, Dtype::I32].into_iter().filter(|dtype| dtype.size() >= model.dtype.size());
        let arrays: Vec<String> = wide.map(|dtype| format!("Int{}Array", 8 * dtype.size())).collect();
        let flags = [
            ("signed", layout.signed),
            ("sign_first", layout.sign_first),
            ("inverted", layout.count.inverted()),
            ("masked", is_masked),
            ("plain", !words.is_full),
            ("formula", words.is_full),
            ("word32", words.top == 31),
            ("word64", words.top == 63),
            ("c99", *limb == 64),
            ("c89", *limb != 64),
            ("i8", is(Dtype::I8)),
            ("i16", is(Dtype::I16)),
            ("i32", is(Dtype::I32)),
        ];
        let values = [
            ("facts", facts.join("\n")),
            ("name", lower),
            ("NAME", upper.clone()),
            ("bytes", layout.bytes.to_string()),
            ("draw_bytes", layout.draw_bytes().to_string()),
            ("per", (limb / 8).to_string()),
            ("limbs", each.to_string()),
            ("top_limb", (each - 1).to_string()),
            ("mask", literal(mask)),
            ("entries", entries.len().to_string()),
            ("digits", (entries.len() * each).to_string()),
            ("element", words.element),
            ("word", words.word.into()),
            ("top", words.top.to_string()),
            ("x", x),
            ("y", y),
            ("sign", sign),
            ("type", self.type_of(model.dtype)),
            ("arrays", format!("Array, {}", arrays.join(" or "))),
            ("types", format!("Array|{}", arrays.join("|"))),
            ("value", self.value(model)),
            ("table", rows(table.collect(), indent)),
            ("vectors", model.vectors.len().to_string()),
            ("records", rows(records.collect(), &deeper)),
            ("wanted", format!("\n{wanted}\n{outdent}")),
        ];
        filled(template, &flags, &values, each)
    }
}
