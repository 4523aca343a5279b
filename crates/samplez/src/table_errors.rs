//! The reasons why a table cannot be built, as a [`Refused`] of the width or of the option out of its range.

use crate::refused::{Refused, RefusedKind};
use samplez_core::DiscreteGaussian;
use samplez_core::table::{MAX_LAZY_THRESHOLDS, TableError};
use samplez_tables::{BuildError, PlainError};
use std::error::Error;
use std::fmt::Display;

/// Refuses the law's width, with the error's message. The tables' own `max_bytes` is a recipe's `memory`.
fn of_law(law: &DiscreteGaussian, error: impl Error + Send + Sync + 'static) -> Refused {
    let text = error.to_string().replace("max_bytes", "`memory`");
    let heads = [format!("{:#}: ", law.width()), format!("{law:#}: ")];
    let said = heads.iter().find_map(|head| text.strip_prefix(head.as_str())).unwrap_or(&text);
    Refused::width(law.width(), said).because(error)
}

/// Refuses a table that cannot be built for any law.
fn of_table(error: impl Error + Send + Sync + 'static) -> Refused {
    Refused::new("table", "", error.to_string()).because(error)
}

/// Refuses a table with more thresholds than its method's search allows.
fn of_thresholds(thresholds: usize, most: usize, error: BuildError) -> Refused {
    let said = format!("needs {thresholds} thresholds, at most {most} are possible; use another method");
    Refused::new("table", "", said).with_kind(RefusedKind::OutOfRange).because(error)
}

/// An argument of the table's, which the message names first.
fn of_argument(argument: &str, value: impl Display, error: BuildError) -> Refused {
    let text = error.to_string();
    let said = text.strip_prefix(&format!("{argument} = {value:#}: ")).unwrap_or(&text);
    Refused::new(argument, format!("{value:#}"), said).because(error)
}

impl From<BuildError> for Refused {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Param(error) => error.into(),
            BuildError::TooLarge { target: None, limit, .. } => {
                Refused::new("memory", limit, error.to_string().replace("; raise max_bytes", "; raise it"))
                    .because(error)
            }
            BuildError::TooLarge { target: Some(target), .. }
            | BuildError::OutOfMemory { target, .. }
            | BuildError::Single { target, .. }
            | BuildError::Undecided { target } => of_law(&target, error),
            BuildError::Base(error) => {
                let base = Refused::from((*error).clone());
                Refused::new("base table", "", format!("{} = {}: {}", base.argument(), base.value(), base.allowed()))
                    .because(*error)
            }
            BuildError::Table(TableError::LazyThresholds { thresholds }) => {
                of_thresholds(thresholds, MAX_LAZY_THRESHOLDS, error)
            }
            BuildError::Table(TableError::PooledThresholds { thresholds, most }) => {
                of_thresholds(thresholds, most, error)
            }
            BuildError::Support { target } => of_argument("center", target.center(), error),
            BuildError::Columns { tail, .. } => of_argument("tail", tail, error),
            BuildError::NoPartition { rectangles, .. } => of_argument("rectangles", rectangles, error),
            BuildError::Bound { log2_sd, allowed } => {
                Refused::new("distance", -log2_sd, format!("expected {allowed}")).because(error)
            }
            BuildError::Coarse { precision, .. } | BuildError::Flat { precision, .. } => {
                of_argument("precision", precision, error)
            }
            error => of_table(error),
        }
    }
}

/// The error of a table that is built, or of entries that a caller gives.
impl From<PlainError> for Refused {
    fn from(error: PlainError) -> Self {
        let text = error.to_string();
        match error {
            PlainError::Precision(error) => error.into(),
            PlainError::Entry { index, value, .. } => {
                let said = text.split_once(": ").map_or("", |(_, said)| said);
                Refused::new("entries", value, said).at(index).with_kind(RefusedKind::OutOfRange).because(error)
            }
            PlainError::Count { entries, stated } => {
                let expected = stated.map_or("1 to 2^20".into(), |stated| format!("{stated}, which the form states"));
                let plural = if entries == 1 { "" } else { "s" };
                let said = format!("has {entries} element{plural}: expected {expected}");
                Refused::about("entries", said).with_kind(RefusedKind::OutOfRange).because(error)
            }
            PlainError::Empty => Refused::about("entries", "all are 0: expected one above 0").because(error),
            PlainError::First { first: None } => {
                Refused::about("form", "a full line needs the value of its first entry; add first=").because(error)
            }
            PlainError::First { first: Some(_) } => {
                Refused::about("form", text).with_kind(RefusedKind::OutOfRange).because(error)
            }
            PlainError::Center { line, target } => {
                let said = format!("a {line} line needs a centre that is a multiple of 1/2");
                Refused::new("center", format!("{:#}", target.center()), said).because(error)
            }
            PlainError::TooMany { target, .. } | PlainError::Undecided { target } => of_law(&target, error),
            error => of_table(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_tables::{
        CdtOptions, PlainTable, TableForm, Whole, ZigguratOptions, build_cdt, build_lazy, build_plain, build_ziggurat,
    };

    #[test]
    fn the_width_is_named_as_an_argument() {
        let law = |text: &str| DiscreteGaussian::with_sigma(text.parse().unwrap()).unwrap();
        let refused = Refused::from(build_cdt(&law("1e12"), &CdtOptions::default()).unwrap_err());
        assert_eq!((refused.argument(), refused.value()), ("sigma", "1000000000000"));
        let said = "a table of 128 bits takes 161 TiB, more than the 1.00 GiB allowed; raise `memory`";
        assert_eq!(refused.allowed(), said);
        assert!(refused.cause().unwrap().is::<BuildError>());
        let refused = Refused::from(build_plain(&law("1e6"), &TableForm::folded_cdt(128)).unwrap_err());
        assert_eq!((refused.argument(), refused.value()), ("sigma", "1000000"));
        assert!(refused.allowed().starts_with("takes about "), "{refused}");
        let refused = Refused::from(build_lazy(&law("1000"), &CdtOptions::default()).unwrap_err());
        assert!(refused.allowed().contains("at most 4095 are possible; use another method"), "{refused}");
        let third = DiscreteGaussian::new("1/3".parse().unwrap(), law("2").width()).unwrap();
        let refused = Refused::from(build_plain(&third, &TableForm::folded_cdt(72)).unwrap_err());
        assert_eq!(refused.to_string(), "center = 1/3: a folded line needs a centre that is a multiple of 1/2");
        let entries = |form: &str, entries: &[u128]| {
            let entries = entries.iter().map(|entry| Whole::from(*entry)).collect();
            Refused::from(PlainTable::new(&law("1"), &form.parse().unwrap(), entries).unwrap_err())
        };
        for (form, given, said) in [
            ("folded,tail,8", &[140, 200][..], "entries[1] = 200: above entry 0 = 140; the tail of a law falls"),
            ("folded,tail,8", &[257], "entries[0] = 257: more than all of the law: expected at most 2^precision"),
            ("folded,tail,8", &[], "entries: has 0 elements: expected 1 to 2^20"),
            ("folded,tail,len=3,8", &[1], "entries: has 1 element: expected 3, which the form states"),
            ("folded,pmf,8", &[0, 0], "entries: all are 0: expected one above 0"),
            ("full,tail,8", &[5], "form: a full line needs the value of its first entry; add first="),
            ("full,tail,first=7,8", &[5], "form: first = 7: the mode must lie in the table"),
        ] {
            let refused = entries(form, given);
            assert!(refused.to_string().starts_with(said), "{refused}");
        }
        let refused = Refused::from("Frodo".parse::<TableForm>().unwrap_err());
        assert_eq!((refused.argument(), refused.value(), refused.kind()), ("form", "Frodo", RefusedKind::Unknown));
        assert!(refused.to_string().ends_with(" or one of falcon, hawk, lazer, frodo"), "{refused}");
        let two = ZigguratOptions { rectangles: 2, tail: 1.into(), ..ZigguratOptions::default() };
        let refused = Refused::from(build_ziggurat(&law("1/4"), &two).unwrap_err());
        assert_eq!((refused.argument(), refused.value()), ("tail", "1"));
        assert!(refused.allowed().starts_with("with sigma = 0.25 the support must end"), "{refused}");
    }
}
