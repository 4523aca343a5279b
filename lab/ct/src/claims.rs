//! Whatever claims constant or isochronous time in public has a case.
//!
//! A claim is a `const TIMING` of one of these classes, or documentation that has one of [`WORDS`]: of a public item in the published
//! crates, or of a file. Examples, links and code within the text are no words of it.

use crate::subjects::subjects;
use samplez::{Method, RoundMethod, Timing};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const WORDS: [&str; 7] = [
    "constant time",
    "constant-time",
    "isochronous",
    "running time",
    "no branch",
    "branches only",
    "timing | constant",
];

/// The evidence of a claim.
enum Evidence {
    /// Cases of these subjects.
    Of(&'static [&'static str]),
    /// Cases of `IsochronousSigner`, in lab/ct/src/signers.rs.
    Signer,
    /// It is no claim of its own, or there is no case, for this reason.
    None(&'static str),
}

use Evidence::{None as No, Of, Signer};

/// Every claim.
const CLAIMS: &[(&str, Evidence)] = &[
    ("CdtCt", Of(&["cdt-ct", "CdtCt"])),
    ("CdtCtSmall", Of(&["CdtCtSmall"])),
    ("CdtLazyCt", Of(&["cdt-lazy-ct", "CdtLazyCt"])),
    ("KnuthYaoCt", Of(&["knuth-yao-ct", "KnuthYaoCt"])),
    ("ConvolutionCt", Of(&["convolution-ct", "ConvolutionCt"])),
    ("Isochronous", Of(&["isochronous", "Isochronous"])),
    ("FilteredIsochronous", Of(&["isochronous", "FilteredIsochronous"])),
    ("Wide", Of(&["wide"])),
    ("WideTrial::verdict", Of(&["wide", "BigGaussian"])),
    ("StripRounder", Of(&["StripRounder"])),
    ("StripRounder::round_batch", Of(&["StripRounder"])),
    ("StripRounder::round_refined", Of(&["StripRounder"])),
    ("SamplerZ", Of(&["SamplerZ"])),
    ("SamplerZ::BATCH_TIMING", Of(&["SamplerZ"])),
    ("SamplerZ::width_of_inverse", Of(&["SamplerZ::width_of_inverse"])),
    ("ProposalStore", Of(&["ProposalStore"])),
    ("BigGaussian", Of(&["BigGaussian"])),
    ("RoundMethod::timing", Of(&["RoundMethod::Strips"])),
    ("Modulus", Of(&["Modulus"])),
    ("Ternary", Of(&["Ternary"])),
    ("CenteredBinomial", Of(&["CenteredBinomial"])),
    ("TUniform", Of(&["TUniform"])),
    ("SparseTernary", Of(&["SparseTernary"])),
    ("SparseTernary::TIMING", Of(&["SparseTernary"])),
    ("samplez-core/finite", Of(&["Ternary", "CenteredBinomial", "TUniform", "SparseTernary"])),
    ("LawInfo::timing", Of(&["Ternary", "CenteredBinomial", "TUniform", "skellam", "discrete-laplace"])),
    ("DiscreteLaplaceCt", Of(&["discrete-laplace"])),
    ("Truncated", Of(&["discrete-laplace"])),
    ("build_laplace", No("it builds a sampler")),
    ("HalfLine", No("it says that its time depends on x")),
    ("samplez-tables/laplace", No("it computes probabilities")),
    ("Samples", Of(&["Samples"])),
    ("table_sampler", Of(&["table_sampler"])),
    ("FixedPoint::from_f64", Of(&["FixedPoint::from_f64"])),
    ("SamplerZ::trials_by", Of(&["SamplerZ"])),
    ("samplez-sources/aes256", Of(&["aes256-ctr", "ctr-drbg-aes256"])),
    ("samplez-sources/arch/aes/bitsliced", Of(&["ctr-drbg-aes256-soft"])),
    ("Aes256", Of(&["aes256-ctr", "ctr-drbg-aes256"])),
    ("Aes256Soft", Of(&["ctr-drbg-aes256-soft"])),
    ("Aes256Ctr", Of(&["aes256-ctr"])),
    ("CtrDrbgAes256Soft", Of(&["ctr-drbg-aes256-soft"])),
    ("samplez-sources/ctr_drbg", Of(&["ctr-drbg-aes256"])),
    ("samplez-sources/hash_drbg", Of(&["hash-drbg-sha256", "hash-drbg-sha512"])),
    ("samplez-core/arch/cdt_ct", Of(&["cdt-ct"])),
    ("samplez-core/arch/cdt_lazy_ct", Of(&["cdt-lazy-ct"])),
    ("samplez-core/arch/knuth_yao_ct", Of(&["knuth-yao-ct"])),
    ("samplez-core/samplers/sampler_z/batch", Of(&["SamplerZ"])),
    ("samplez/each", Of(&["RoundMethod::Strips"])),
    ("samplez/timing", No("it names the classes of a build; the samplers claim them")),
    ("samplez/method/cdt_ct", Of(&["cdt-ct", "exact"])),
    ("samplez/method/cdt_lazy_ct", Of(&["cdt-lazy-ct"])),
    ("samplez/method/convolution_ct", Of(&["convolution-ct"])),
    ("samplez/method/isochronous", Of(&["isochronous"])),
    ("samplez/method/knuth_yao_ct", Of(&["knuth-yao-ct"])),
    ("samplez/method/wide", Of(&["wide"])),
    ("IsochronousSigner", Signer),
    ("samplez-schemes/bliss", Signer),
    ("samplez-schemes/bliss/acceptance", Signer),
    ("samplez-schemes/bliss/sign/isochronous", Signer),
    ("CloseTrial", No("the time of a comparison by a `Refine` may reveal the trial")),
    ("samplez-sources/health", No("it reads live entropy, and no case has any")),
    ("Form", No("variable")),
    ("Gadget", No("variable; its calls are isochronous")),
    ("Trapdoor", No("nothing is claimed of preimages; their calls are isochronous")),
    ("samplez-schemes/lp11", No("nothing is claimed")),
    ("samplez-schemes/regev", No("nothing is claimed")),
    ("LazyTable", No("a table for a sampler")),
    ("PooledTable", No("a table for a sampler")),
    ("build_isochronous", No("it builds a sampler")),
    ("samplez-tables/lazy", No("it builds tables")),
    ("samplez-tables/pooled", No("it builds tables")),
];

/// Items that only name the classes, or another item.
const NAMES: &[&str] = &[
    "dyn Noise::timing",
    "CloseTrial::lift",
    "Options::variable_time",
    "promised",
    "Row::timing",
    "Timing",
    "Profile::timing",
    "StripWidth::either",
    "BigGaussian::timing",
    "Method::timing",
    "Options",
    "Plan",
    "noise",
    "Probe",
    "samplez",
    "samplez-core/samplers",
    "samplez-lattice",
];

/// The text without examples, code and links' targets.
fn words_of(documentation: &[&str]) -> String {
    let (mut text, mut is_example) = (String::new(), false);
    for line in documentation {
        if line.trim().starts_with("```") {
            is_example = !is_example;
        } else if !is_example {
            let plain: Vec<&str> = line.split('`').step_by(2).collect();
            let plain = plain.join(" ");
            let kept = plain.split(' ').filter(|word| !word.starts_with("docs/"));
            text += &(kept.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").to_lowercase() + " ");
        }
    }
    text
}

/// The type whose items follow a line at the margin.
fn owner(line: &str) -> Option<String> {
    let of_type = ["pub struct ", "pub enum ", "pub trait "].iter().find_map(|kind| line.strip_prefix(kind));
    let implemented = line.strip_prefix("impl").map(|rest| {
        // Behind the generics, which nest.
        let mut depth = 0;
        let end = rest.find(|c| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0 && c != '<'
        });
        rest[end.unwrap_or(0)..].trim_start_matches('>').split(" for ").last().unwrap_or_default().trim()
    });
    let of = of_type.or(implemented)?;
    let end = of.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ' ').unwrap_or(of.len());
    Some(of[..end].trim().to_owned())
}

/// The claims of a file, whose module has this name.
fn claims(module: &str, text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let is_claim = |documentation: &[&str]| WORDS.iter().any(|word| words_of(documentation).contains(word));
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let head: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    if is_claim(&head) {
        found.insert(module.to_owned());
    }
    let (mut documentation, mut of) = (Vec::new(), String::new());
    for line in text.lines() {
        of = owner(line).unwrap_or(of);
        let trimmed = line.trim_start();
        if let Some(words) = trimmed.strip_prefix("///") {
            documentation.push(words);
            continue;
        }
        if trimmed.starts_with("#[") {
            continue;
        }
        if ["Constant", "Isochronous"].iter().any(|class| trimmed == format!("const TIMING: Timing = Timing::{class};"))
        {
            found.insert(of.clone());
        }
        if let Some(item) = trimmed.strip_prefix("pub ")
            && is_claim(&documentation)
        {
            let words = item.split(|c: char| !c.is_alphanumeric() && c != '_').collect::<Vec<_>>();
            let kinds = ["fn", "struct", "enum", "trait", "type", "mod", "const"];
            // A field has none.
            let kind = kinds.iter().find_map(|kind| words.iter().position(|word| word == kind));
            let name = words[kind.map_or(0, |kind| kind + 1)];
            let is_own = trimmed.len() == line.len() || of.is_empty();
            found.insert(if is_own { name.to_owned() } else { format!("{of}::{name}") });
        }
        documentation.clear();
    }
    found
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_test {
            below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            files.push(path);
        }
    }
}

/// All claims of the published libraries.
fn published() -> BTreeSet<String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates"));
    let mut found = BTreeSet::new();
    for name in ["samplez", "samplez-core", "samplez-lattice", "samplez-schemes", "samplez-sources", "samplez-tables"] {
        let (source, mut files) = (root.join(name).join("src"), Vec::new());
        below(&source, &mut files);
        for path in files {
            let within = path.strip_prefix(&source).expect("below it").with_extension("");
            let module = format!("{name}/{}", within.to_string_lossy()).replace("/lib", "");
            found.extend(claims(&module, &std::fs::read_to_string(&path).expect("a text")));
        }
    }
    found
}

#[test]
fn every_public_claim_has_a_case() {
    let names: BTreeSet<&str> = subjects().iter().map(|subject| subject.name).collect();
    for (claim, evidence) in CLAIMS {
        match evidence {
            Of(of) => assert!(!of.is_empty() && of.iter().all(|name| names.contains(name)), "{claim}: no such subject"),
            Signer => {}
            No(reason) => assert!(!reason.is_empty(), "{claim}"),
        }
    }
    let known: BTreeSet<String> =
        CLAIMS.iter().map(|(claim, _)| (*claim).into()).chain(NAMES.iter().map(|n| (*n).into())).collect();
    let published = published();
    let without: Vec<_> = published.difference(&known).collect();
    assert!(without.is_empty(), "claims of time without a case: name each in lab/ct/src/claims.rs: {without:?}");
    let gone: Vec<_> = known.difference(&published).collect();
    assert!(gone.is_empty(), "nothing claims it any more: {gone:?}");
    // What has a class by its type, and a name.
    for method in Method::ALL.into_iter().filter(|method| method.timing() != Timing::Variable) {
        assert!(names.contains(method.name()), "{method}: no case");
    }
    let strips = RoundMethod::ALL.into_iter().filter(|method| method.timing() != Timing::Variable);
    assert_eq!(strips.collect::<Vec<_>>(), [RoundMethod::Strips]);
    // Every case of a subject stands behind a claim, or is a cipher's.
    let behind = |name| CLAIMS.iter().any(|(_, evidence)| matches!(evidence, Of(of) if of.contains(&name)));
    let ciphers = ["chacha", "salsa", "aes"];
    assert!(names.iter().all(|name| behind(*name) || ciphers.iter().any(|cipher| name.starts_with(cipher))));
}

#[test]
fn a_claim_is_read() {
    let text = "//! In constant time.\n\n/// Draws.\n///\n/// ```\n/// // constant time\n/// ```\npub struct A;\n\n\
                impl<T: Into<A>> B<T> for C<T> {\n    const TIMING: Timing = Timing::Constant;\n\n    /// Isochronous.\n    #[inline]\n    \
                pub const fn of(&self) {}\n    /// `isochronous`, as docs/proofs/isochronous.md has it.\n    pub fn no(&self) {}\n}\n\n\
                /// No branch is left.\npub fn free() {}\n#[cfg(test)]\nmod tests {\n    /// isochronous\n    pub fn t() {}\n}\n";
    let found: Vec<String> = claims("m", text).into_iter().collect();
    assert_eq!(found, ["C", "C::of", "free", "m"]);
}
