//! What errors say, and the texts of tables that no static of the core holds.
#![cfg(not(miri))]

use samplez_core::params::{DiscreteGaussian, ParamError, Rational, Width};
use samplez_core::samplers::sampler_z::SamplerZ;
use samplez_core::table::Table;
use samplez_core::table::{
    BernoulliError, ConvolutionError, ConvolutionTable, GuideError, KnuthYaoError, LazyError, TableError, ZigguratError,
};
use samplez_tables::{
    BernoulliBuildError, BuildError, CdtOptions, ConvolutionBuildError, EntryRounding, GuidedBuildError,
    KnuthYaoBuildError, Language, LazyBuildError, ParseWholeError, PlainError, RejectionBuildError, TableForm, Whole,
    ZigguratBuildError, ZigguratOptions, build_cdt, build_plain, emit,
};
use std::error::Error;

fn law() -> DiscreteGaussian {
    DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap()
}

/// The text has these parts, and no source says it again.
fn says(error: &dyn Error, parts: &[&str]) {
    let text = error.to_string();
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    assert!(error.source().is_none_or(|source| !text.contains(&source.to_string())), "{text}");
}

#[test]
fn a_table_s_errors_name_the_place_and_what_must_be() {
    let range = ParamError::OutOfRange { argument: "precision", value: 300, min: 1, max: 256 };
    let parts = ["precision", "300", "256"];
    says(&TableError::Precision(range), &parts);
    says(&TableError::Length { digits: 3, per_threshold: 2 }, &["digits: got 3", "multiple of 2"]);
    says(&TableError::NotDescending { index: 5 }, &["threshold 5", "threshold 4"]);
    says(&TableError::LooseBits { index: 5 }, &["threshold 5", "below the precision"]);
    says(&TableError::Support, &["i64"]);
    says(&BernoulliError::Param(range), &parts);
    says(&BernoulliError::Length { digits: 3, expected: 4 }, &["got 3", "must be 4"]);
    says(&BernoulliError::LooseBits { index: 7 }, &["entry 7"]);
    says(&ConvolutionError::Levels { levels: 9 }, &["levels: got 9", "1 to 4"]);
    says(&ConvolutionError::Legs { level: 2 }, &["level 2", "coprime"]);
    says(&ConvolutionError::Center { center: Rational::new(1, 3).unwrap() }, &["center = 1/3", "integer"]);
    says(&ConvolutionError::Base, &["base table"]);
    says(&ConvolutionError::Support, &["i64"]);
    says(&GuideError::Length { entries: 3, max: 20 }, &["got 3", "2^20"]);
    says(&GuideError::Thresholds { thresholds: 9 }, &["9 thresholds", "2^31"]);
    says(&GuideError::Entry { cell: 4 }, &["cell 4"]);
    says(&KnuthYaoError::Range(range), &parts);
    says(&KnuthYaoError::Length { words: 3, wanted: 4 }, &["got 3", "must be 4"]);
    says(&KnuthYaoError::Column { column: 3 }, &["column 3"]);
    says(&KnuthYaoError::Tree { column: 3 }, &["column 3", "add up to 1"]);
    says(&KnuthYaoError::FirstTable { index: 3 }, &["entry 3"]);
    says(&KnuthYaoError::Support, &["i64"]);
    says(&LazyError::Thresholds { thresholds: 0 }, &["thresholds = 0"]);
    says(&LazyError::Open { open_bits: 3 }, &["2^-3"]);
    says(&LazyError::Length { bytes: 3, expected: 4 }, &["got 3", "must be 4"]);
    says(&LazyError::Entry { place: 3 }, &["byte 3"]);
    says(&ZigguratError::Parameter(range), &parts);
    says(&ZigguratError::Chord, &["accept_to"]);
    says(&ZigguratError::Length { words: 3, expected: 4 }, &["got 3", "must be 4"]);
    says(&ZigguratError::Edges { index: 3 }, &["edge 3", "2^24"]);
    says(&ZigguratError::NotDescending { index: 3 }, &["height 4", "height 3"]);
    says(&ZigguratError::TooHigh, &["2 - y_0 + y_1"]);
    says(&ZigguratError::LooseBits { index: 3 }, &["height 3"]);
    says(&ZigguratError::Constant, &["log2(e)"]);
    says(&ZigguratError::Support, &["i64"]);
}

#[test]
fn a_builder_s_errors_pass_on_what_the_table_s_say() {
    let table = BuildError::Support { target: law() };
    says(&table, &["sigma = 16/5", "i64"]);
    let param = ParamError::OutOfRange { argument: "precision", value: 300, min: 1, max: 256 };
    let texts: [(Box<dyn Error>, String); 12] = [
        (Box::new(BernoulliBuildError::Table(table)), table.to_string()),
        (Box::new(BernoulliBuildError::Param(param)), param.to_string()),
        (Box::new(ConvolutionBuildError::Table(ConvolutionError::Base)), ConvolutionError::Base.to_string()),
        (Box::new(ConvolutionBuildError::Base(table)), format!("base table: {table}")),
        (Box::new(GuidedBuildError::Guide(GuideError::Entry { cell: 4 })), GuideError::Entry { cell: 4 }.to_string()),
        (Box::new(GuidedBuildError::Table(table)), table.to_string()),
        (Box::new(KnuthYaoBuildError::Matrix(KnuthYaoError::Support)), KnuthYaoError::Support.to_string()),
        (Box::new(KnuthYaoBuildError::Table(table)), table.to_string()),
        (Box::new(LazyBuildError::Table(table)), table.to_string()),
        (Box::new(RejectionBuildError::Table(table)), table.to_string()),
        (Box::new(RejectionBuildError::Param(param)), param.to_string()),
        (Box::new(ZigguratBuildError::Table(ZigguratError::Chord)), ZigguratError::Chord.to_string()),
    ];
    for (error, text) in texts {
        assert_eq!(error.to_string(), text);
    }
    says(&ZigguratBuildError::NoPartition { target: law(), rectangles: 7 }, &["rectangles = 7", "sigma = 16/5"]);
    says(&ZigguratBuildError::OutOfMemory { target: law(), bytes: 1 << 20 }, &["sigma = 16/5", "no memory"]);
    says(&PlainError::Undecided { target: law() }, &["16/5", "rounded"]);
    says(&PlainError::Count { entries: 0, stated: None }, &["0 entries", "between 1 and"]);
    says(&"1x".parse::<Whole>().unwrap_err(), &["not a whole number"]);
    says(&"".parse::<Whole>().unwrap_err(), &["not a whole number"]);
    says(&"0x".parse::<Whole>().unwrap_err(), &["not a whole number"]);
    assert_eq!(format!("0x1{}", "0".repeat(80)).parse::<Whole>(), Err(ParseWholeError::TooLarge));
    says(&ParseWholeError::TooLarge, &["2^320"]);
}

/// The mass functions of FrodoKEM and of more bits: arrays of one word, of two, and of limbs, with the entries in their order.
#[test]
fn arrays_in_rust_have_the_entries() {
    for (precision, kind) in [(16, "u64"), (100, "u128"), (200, "[u64; 4]")] {
        let form = TableForm { precision, rounding: EntryRounding::Floor, ..TableForm::FRODO };
        let table = build_plain(&DiscreteGaussian::with_sigma("2.8".parse().unwrap()).unwrap(), &form).unwrap();
        let text = emit(&table, Language::Rust, "MASSES");
        let (head, body) =
            text.split_once(&format!("pub static MASSES: [{kind}; {}] = [\n", table.entries().len())).unwrap();
        assert!(head.contains("the entries of") && head.contains("samplez table --sigma 14/5"), "{head}");
        let read: Vec<Whole> = body
            .lines()
            .take_while(|line| *line != "];")
            .map(|line| {
                let limbs = line.trim().trim_end_matches(',').trim_matches(['[', ']']).rsplit(", ");
                // The most significant first; all but that with their zeros.
                let digits: String = limbs.map(|limb| format!("{:0>16}", limb.trim_start_matches("0x"))).collect();
                format!("0x{digits}").parse().unwrap()
            })
            .collect();
        assert_eq!(read, table.entries());
    }
}

#[test]
fn statics_name_each_form_of_width() {
    let third = Rational::new(1, 3).unwrap();
    for (width, name) in [
        (Width::Sigma(third), "Width::Sigma("),
        (Width::SigmaSq(third), "Width::SigmaSq("),
        (Width::KSigma2(Rational::from(3)), "Width::KSigma2("),
        (Width::S(Rational::from(3)), "Width::S("),
    ] {
        let law = DiscreteGaussian::new(Rational::from(0), width).unwrap();
        let folded = emit(&build_plain(&law, &TableForm::folded_cdt(64)).unwrap(), Language::Rust, "TABLE");
        assert!(folded.contains(name) && folded.contains("Shape::Folded"), "{folded}");
    }
    // All of the law is above -30 to 64 bits, which no digits of the core's hold.
    let form = TableForm { first: Some(-30), ..TableForm::full_cdt(64) };
    let array = emit(&build_plain(&law(), &form).unwrap(), Language::Rust, "TABLE");
    assert!(array.contains("pub static TABLE: [u128; 59] = [\n    0x10000000000000000,"), "{array}");
    let form = TableForm { first: Some(-29), ..TableForm::full_cdt(64) };
    let full = emit(&build_plain(&law(), &form).unwrap(), Language::Rust, "TABLE");
    assert!(full.contains("Shape::Full, -29, 64"), "{full}");
}

#[test]
fn what_is_no_table_is_refused() {
    assert_eq!(Rational::from(-4).sqrt_exact(), None);
    let none = TableForm { len: Some(0), ..TableForm::folded_cdt(64) };
    assert_eq!(build_plain(&law(), &none), Err(PlainError::Count { entries: 0, stated: None }));
    assert_eq!(Rational::from(4).sqrt_exact(), Some(Rational::from(2)));
    let third = DiscreteGaussian::new(Rational::new(1, 3).unwrap(), Width::Sigma(Rational::from(5))).unwrap();
    let base = build_cdt(&law(), &CdtOptions::default()).unwrap();
    let bound = base.bound();
    let refused = ConvolutionTable::new(third, bound, base, &[(1, 2)]).unwrap_err();
    assert_eq!(refused, ConvolutionError::Center { center: Rational::new(1, 3).unwrap() });
    // A table of 256 bits is not as precise where its columns are a hundred thousand.
    let narrow = DiscreteGaussian::with_sigma("1e-6".parse().unwrap()).unwrap();
    assert!(matches!(ZigguratOptions::for_bound(&narrow, -240), Err(ZigguratBuildError::Bound { log2_sd: -240, .. })));
    // Below Falcon's least width, and above the largest.
    for sigma in ["1.1", "1.27", "1.83"] {
        assert!(SamplerZ::FALCON_512.width(sigma.parse().unwrap()).is_err(), "{sigma}");
    }
    assert!(SamplerZ::FALCON_512.width("1.3".parse().unwrap()).is_ok());
}
