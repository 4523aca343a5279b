//! Where the rules hold, and what is allowed there.

use super::listing::Frame;
use samplez::{Method, Timing};
use std::collections::BTreeMap;
use std::path::Path;

/// Where constant or isochronous time is claimed, beside the samplers and kernels of methods that are not of variable time: an instruction is
/// under the rules if a function of such a file is one that it is in.
const CLAIMS: &[&str] = &[
    "crates/samplez-core/src/arch/planes.rs",
    "crates/samplez-core/src/arch/tree.rs",
    "crates/samplez-core/src/arch/vector",
    "crates/samplez-core/src/samplers/common/batches.rs",
    "crates/samplez-core/src/samplers/common/finish.rs",
    "crates/samplez-core/src/samplers/common/fixed_exp.rs",
    "crates/samplez-core/src/samplers/common/log.rs",
    "crates/samplez-core/src/samplers/common/store.rs",
    "crates/samplez-core/src/samplers/common/sums.rs",
    "crates/samplez-core/src/samplers/sampler_z/batch.rs",
    "crates/samplez-core/src/samplers/sampler_z/store.rs",
    "crates/samplez-core/src/samplers/strip_rounder",
    "crates/samplez-schemes/src/bliss/sign/isochronous.rs",
    "crates/samplez-schemes/src/bliss/sign/steps.rs",
    "crates/samplez-sources/src/arch",
    PLANTED,
];

/// Whether a file claims constant or isochronous time.
pub(crate) fn is_claimed(file: &str) -> bool {
    let is_of = |method: Method| {
        let module = method.row().file.trim_end_matches(".rs");
        ["arch", "samplers"].iter().any(|folder| {
            let rest = file.strip_prefix(&format!("crates/samplez-core/src/{folder}/{module}"));
            rest.is_some_and(|rest| rest.starts_with(['.', '/']))
        })
    };
    let mut methods = Method::ALL.into_iter().filter(|method| method.timing() != Timing::Variable);
    CLAIMS.iter().any(|claim| file.starts_with(claim)) || methods.any(is_of)
}

/// What a test compiles.
pub(super) const PLANTED: &str = "lab/tools/src/asm/planted.rs";

const LAZY: &str = "crates/samplez-core/src/samplers/cdt_lazy_ct";
const POOLED: &str = "crates/samplez-core/src/samplers/knuth_yao_ct";
/// Functions of parameters and no sample, and those of a batch that overflowed, which may reveal its samples; each in files that
/// begin so.
const PUBLIC: &[(&str, &str)] = &[
    ("crates/samplez-core/src/samplers/", "new"),
    ("crates/samplez-schemes/src/bliss/", "new"),
    ("", "profile"),
    ("", "noise_profile"),
    ("", "from_table"),
    ("", "envelope"),
    (LAZY, "resolve"),
    (POOLED, "resolve"),
    ("crates/samplez-core/src/arch/tree.rs", "count_above"),
];

/// Draws of bits, and their marks.
const BITS: &str = "crates/samplez-core/src/bits/";

/// Lines whose operands are public: the file, a piece of the line, and what they are.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("crates/samplez-core/src/arch/cdt_ct.rs", "self.tails.get(", "the table's digits, at strides"),
    ("crates/samplez-core/src/arch/cdt_lazy_ct/planes.rs", "*step = planes[lane % LANES]", "strides"),
    ("crates/samplez-core/src/arch/cdt_lazy_ct/planes.rs", "(i, plane) in planes.into_iter().enumerate()", "strides"),
    ("crates/samplez-core/src/arch/cdt_lazy_ct/planes.rs", "read(draws.clone().map(", "strides"),
    ("crates/samplez-core/src/arch/cdt_lazy_ct/planes.rs", "self.slots.div_ceil(64)", "the number of slots"),
    (
        "crates/samplez-core/src/arch/cdt_lazy_ct/search.rs",
        "batch.fine.rows.chunks_exact(batch.fine.stride)",
        "the table's shape",
    ),
    (
        "crates/samplez-core/src/arch/cdt_lazy_ct/search.rs",
        "let mut rows: [&[u8]; MAX_DIGITS]",
        "the table's shape, from below",
    ),
    ("crates/samplez-core/src/arch/planes.rs", "words.chunks_exact(record)", "lengths"),
    ("crates/samplez-core/src/arch/planes.rs", "planes.into_iter().enumerate()", "strides"),
    ("crates/samplez-core/src/samplers/cdt_ct/lanes.rs", "rows.chunks_exact_mut(2 * distance)", "lengths"),
    ("crates/samplez-core/src/samplers/cdt_lazy_ct.rs", "bits.declassify(", "whether a batch overflows"),
    ("crates/samplez-core/src/samplers/knuth_yao_ct.rs", "bits.declassify(", "whether a batch overflows"),
    ("crates/samplez-core/src/samplers/knuth_yao_ct/resolve.rs", "", "a batch that overflowed"),
    ("crates/samplez-core/src/samplers/common/sums.rs", "bases.chunks_exact(out.len())", "lengths"),
    ("crates/samplez-core/src/samplers/convolution_ct.rs", "out.chunks_mut(LAZY_BATCH / width)", "the number of legs"),
    (
        "crates/samplez-core/src/samplers/isochronous/batch.rs",
        "bits.declassify(",
        "whether a trial is decided, or accepted",
    ),
    ("crates/samplez-core/src/samplers/isochronous/batch.rs", ".zip(places.chunks_exact(trials))", "strides"),
    ("crates/samplez-core/src/samplers/isochronous/batch.rs", ".zip(decided.chunks_exact_mut(trials))", "strides"),
    (
        "crates/samplez-core/src/samplers/strip_rounder.rs",
        "bits.declassify(",
        "whether a trial is decided, or accepted",
    ),
];

/// The sources, by lines.
pub(super) struct Sources<'a> {
    root: &'a Path,
    files: BTreeMap<String, Vec<String>>,
}

impl<'a> Sources<'a> {
    pub(super) const fn new(root: &'a Path) -> Self {
        Sources { root, files: BTreeMap::new() }
    }

    fn line(&mut self, file: &str, number: usize) -> &str {
        let root = self.root;
        let lines = self.files.entry(file.to_owned()).or_insert_with(|| {
            let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            text.lines().map(|line| line.trim().to_owned()).collect()
        });
        number.checked_sub(1).and_then(|i| lines.get(i)).map_or("", String::as_str)
    }

    /// The place, if the rules hold there and refuse it: file, line, and the line's text.
    pub(super) fn refused(&mut self, frames: &[Frame]) -> Option<String> {
        let own: Vec<(String, &Frame)> =
            frames.iter().filter_map(|frame| Some((within(&frame.file)?, frame))).collect();
        let claimed: Vec<&(String, &Frame)> = own.iter().filter(|(file, _)| is_claimed(file)).collect();
        let (file, frame) = claimed.first()?;
        let is_public =
            |file: &str, name: &str| PUBLIC.iter().any(|(of, public)| name == *public && file.starts_with(of));
        if claimed.iter().any(|(file, frame)| is_public(file, &name(&frame.function))) {
            return None;
        }
        // Of a function of ours within the line it says nothing, but for the reader of bits, which marks outcomes.
        if let Some((file, frame)) = own.iter().find(|(file, _)| !file.starts_with(BITS)) {
            let line = self.line(file, frame.line).to_owned();
            if ALLOWED.iter().any(|(allowed, piece, _)| file == allowed && line.contains(piece)) {
                return None;
            }
        }
        Some(format!("{file}:{}: in {}, `{}`", frame.line, name(&frame.function), self.line(file, frame.line)))
    }
}

/// A path of ours, as seen from the root of the tree.
fn within(file: &str) -> Option<String> {
    let at = ["crates/samplez", "lab/tools/src"].iter().filter_map(|start| file.rfind(start)).min()?;
    Some(file[at..].to_owned())
}

/// The function's own name, without its path, its types and closures.
fn name(function: &str) -> String {
    let (mut depth, mut plain) = (0, String::new());
    for c in function.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let parts = plain.split("::").filter(|part| !part.is_empty() && !part.starts_with('{'));
    parts.last().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

    fn frame(function: &str, file: &str, line: usize) -> Frame {
        Frame { function: function.into(), file: format!("/home/x/samplez/{file}"), line }
    }

    #[test]
    fn claims_are_files_that_are_there() {
        assert!(CLAIMS.iter().all(|claim| Path::new(ROOT).join(claim).exists()), "{CLAIMS:?}");
        for (file, is) in [
            ("arch/isochronous/look.rs", true),
            ("samplers/wide.rs", true),
            ("samplers/cdt.rs", false),
            ("arch/hidden.rs", false),
        ] {
            assert_eq!(is_claimed(&format!("crates/samplez-core/src/{file}")), is, "{file}");
        }
    }

    #[test]
    fn what_is_allowed_is_there() {
        for (file, piece, reason) in ALLOWED {
            let text = std::fs::read_to_string(Path::new(ROOT).join(file)).unwrap_or_default();
            assert!(text.contains(piece) && !reason.is_empty(), "{file}: {piece}");
        }
    }

    #[test]
    fn places_are_judged() {
        let mut sources = Sources::new(Path::new(ROOT));
        let library = frame("core::num::div", "library/core/num.rs", 3);
        let table = frame("samplez::build", "crates/samplez-tables/src/lib.rs", 3);
        let planted = frame("<samplez_tools::Divided as Kernel>::run", PLANTED, 1);
        assert_eq!(sources.refused(&[library.clone(), table.clone()]), None);
        let place = sources.refused(&[library.clone(), planted.clone(), table]).unwrap_or_default();
        assert!(place.starts_with(&format!("{PLANTED}:1: in run, `//!")), "{place}");
        let new = |file| frame("samplez_core::new::<u8>::{closure#0}", file, 1);
        let of_sampler = new("crates/samplez-core/src/samplers/cdt_ct.rs");
        assert_eq!(sources.refused(&[library.clone(), of_sampler, planted.clone()]), None);
        // A kernel's parts are made of secrets too.
        let of_kernel = new("crates/samplez-core/src/arch/knuth_yao_ct/planes.rs");
        assert!(sources.refused(&[library.clone(), of_kernel]).is_some());
        // Public in its file alone.
        let resolve = frame("resolve", "crates/samplez-core/src/samplers/knuth_yao_ct/resolve.rs", 1);
        assert_eq!(sources.refused(&[library.clone(), resolve]), None);
        let resolve = frame("resolve", "crates/samplez-core/src/samplers/isochronous/batch.rs", 1);
        assert!(sources.refused(&[library.clone(), resolve]).is_some());
        // A line is allowed as it stands, and where it draws bits; a function of ours within it is not.
        let (file, piece, _) = ALLOWED.iter().find(|(_, piece, _)| piece.contains("declassify")).unwrap();
        let text = std::fs::read_to_string(Path::new(ROOT).join(file)).unwrap();
        let line = text.lines().position(|line| line.contains(piece)).unwrap() + 1;
        let allowed = frame("batch", file, line);
        let bits = frame("declassify", "crates/samplez-core/src/bits/reader.rs", 1);
        assert_eq!(sources.refused(&[library.clone(), allowed.clone()]), None);
        assert_eq!(sources.refused(&[bits, allowed.clone()]), None);
        let leak = frame("leak", "crates/samplez-core/src/planted.rs", 1);
        assert!(sources.refused(&[library, leak, allowed, planted]).is_some());
    }

    #[test]
    fn names_are_short() {
        assert_eq!(name("noise_fill<alloc::vec::Vec<u32, alloc::alloc::Global>, i8>"), "noise_fill");
        assert_eq!(name("<samplez::A<u8> as samplez::B>::run::{closure#2}"), "run");
        assert_eq!(name("samplez_core::samplers::cks::Cks::new"), "new");
    }
}
