//! What errors say, and the texts of tables that no static of the core holds.
#![cfg(not(miri))]

use samplez_core::samplers::SamplerZ;
use samplez_core::table::{ConvolutionTable, Table as _, TableError};
use samplez_core::{DiscreteGaussian, ParamError, Rational, Width};
use samplez_tables::{
    BuildError, CdtOptions, EntryRounding, Language, ParseWholeError, PlainError, TableForm, Whole, ZigguratOptions,
    build_cdt, build_plain, emit,
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
fn a_builder_s_errors_name_the_argument_and_what_is_allowed() {
    use BuildError::*;
    let (target, range) = (law(), ParamError::OutOfRange { argument: "precision", value: 300, min: 1, max: 256 });
    let too_large = |target, what, precision| TooLarge { target, what, precision, bytes: 3 << 30, limit: 1 << 20 };
    let far = "center = 0: the samples exceed 64-bit integers; subtract an integer from the center, and add it to the samples";
    for (error, text) in [
        (Param(range), range.to_string()),
        (Table(TableError::Base), TableError::Base.to_string()),
        (
            too_large(Some(target), "a table", Some(128)),
            "sigma = 3.2: a table of 128 bits takes 3.00 GiB, more than the 1.00 MiB allowed; raise max_bytes".into(),
        ),
        (
            too_large(Some(target), "the heights", None),
            "sigma = 3.2: the heights take 3.00 GiB, more than the 1.00 MiB allowed; raise max_bytes".into(),
        ),
        (
            too_large(None, "a table with its guide", None),
            "a table with its guide takes 3.00 GiB, more than the 1.00 MiB allowed; raise max_bytes".into(),
        ),
        (OutOfMemory { target, bytes: 1 << 20 }, "sigma = 3.2: no memory for a table of 1.00 MiB".into()),
        (
            Single { target, precision: Some(9) },
            "sigma = 3.2: with 9 bits a single value has all of the probability, and there is nothing to walk; choose a larger width or another method".into(),
        ),
        (Single { target, precision: None }, "sigma = 3.2: only one value is left to propose; choose a larger width or another method".into()),
        (Support { target }, far.into()),
        (Base(Support { target }.into()), format!("base table: {far}")),
        (
            Undecided { target },
            format!(
                "{target:#}: a probability, times 2^precision, cannot be told from a whole number, and so cannot be rounded; an exact method needs no table"
            ),
        ),
        (
            Bound { log2_sd: -300, allowed: "a number between -240 and -1" },
            "log2_sd = -300: expected a number between -240 and -1".into(),
        ),
        (
            Columns { target, tail: 7.into() },
            "tail = 7: with sigma = 3.2 the support must end between 1 and 2^24 - 1; choose another tail, width or method".into(),
        ),
        (
            NoPartition { target, rectangles: 7 },
            "rectangles = 7: with sigma = 3.2 no area lets so many rectangles reach a height of 1 and the first one stay below 2; choose another number".into(),
        ),
        (
            Flat { rectangle: 3, precision: 2 },
            "precision = 2: rectangle 3 has no height to that many bits; choose more bits or fewer rectangles".into(),
        ),
    ] {
        assert_eq!(error.to_string(), text);
        assert!(error.source().is_none());
    }
}

#[test]
fn errors_of_published_tables_name_what_is_allowed() {
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
        let form = TableForm { precision, rounding: EntryRounding::Floor, .."frodo".parse().unwrap() };
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
    let none = TableForm { len: Some(0), ..TableForm::folded_cdt(64) };
    assert_eq!(build_plain(&law(), &none), Err(PlainError::Count { entries: 0, stated: None }));
    let third = DiscreteGaussian::new(Rational::new(1, 3).unwrap(), Width::Sigma(Rational::from(5))).unwrap();
    let base = build_cdt(&law(), &CdtOptions::default()).unwrap();
    let bound = base.bound();
    let refused = ConvolutionTable::new(third, bound, base, &[(1, 2)]).unwrap_err();
    assert_eq!(refused, TableError::Center { center: Rational::new(1, 3).unwrap() });
    // A table of 256 bits is not as precise where its columns are a hundred thousand.
    let narrow = DiscreteGaussian::with_sigma("1e-6".parse().unwrap()).unwrap();
    assert!(matches!(ZigguratOptions::for_bound(&narrow, -240), Err(BuildError::Bound { log2_sd: -240, .. })));
    // Below Falcon's least width, and above the largest.
    for sigma in ["1.1", "1.27", "1.83"] {
        assert!(SamplerZ::FALCON_512.width(sigma.parse().unwrap()).is_err(), "{sigma}");
    }
    assert!(SamplerZ::FALCON_512.width("1.3".parse().unwrap()).is_ok());
}
