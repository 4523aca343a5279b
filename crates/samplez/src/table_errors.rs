//! The reasons why a table cannot be built, as a [`Refused`] of the width or of the option out of its range.

use crate::refused::{Refused, RefusedKind};
use samplez_core::DiscreteGaussian;
use samplez_core::table::{MAX_LAZY_THRESHOLDS, TableError};
use samplez_tables::{BuildError, PlainError};
use std::error::Error;
use std::fmt::Display;

/// Refuses the law's width, with the error's message. The tables' own `max_bytes` is a recipe's `memory`.
fn of_law(law: &DiscreteGaussian, error: impl Error + Send + Sync + 'static) -> Refused {
    let text = error.to_string().replace("(max_bytes)", "(`memory`)");
    let heads = [format!("{}: ", law.width()), format!("{law}: ")];
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
    let said = text.strip_prefix(&format!("{argument} = {value}: ")).unwrap_or(&text);
    Refused::new(argument, value, said).because(error)
}

impl From<BuildError> for Refused {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Param(error) => error.into(),
            BuildError::TooLarge { target: None, limit, .. } => {
                Refused::new("memory", limit, error.to_string().replace(" (max_bytes)", "")).because(error)
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
            BuildError::Coarse { precision, .. } | BuildError::Flat { precision, .. } => {
                of_argument("precision", precision, error)
            }
            error => of_table(error),
        }
    }
}

/// The error of a table that is built. Wrong entries, which are no argument, are errors of the table.
impl From<PlainError> for Refused {
    fn from(error: PlainError) -> Self {
        match error {
            PlainError::Precision(error) => error.into(),
            PlainError::Center { line, target } => {
                let said = format!("a {line} line needs a centre that is a multiple of 1/2");
                Refused::new("center", target.center(), said).because(error)
            }
            PlainError::TooMany { target, .. } | PlainError::Undecided { target } => of_law(&target, error),
            error => of_table(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_tables::{CdtOptions, TableForm, ZigguratOptions, build_cdt, build_lazy, build_plain, build_ziggurat};

    #[test]
    fn the_width_is_named_as_an_argument() {
        let law = |text: &str| DiscreteGaussian::with_sigma(text.parse().unwrap()).unwrap();
        let refused = Refused::from(build_cdt(&law("1e12"), &CdtOptions::default()).unwrap_err());
        assert_eq!((refused.argument(), refused.value()), ("sigma", "1000000000000"));
        let said = "a table of 128 bits takes 161 TiB, more than the 1.00 GiB allowed (`memory`)";
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
        let two = ZigguratOptions { rectangles: 2, tail: 1.into(), ..ZigguratOptions::default() };
        let refused = Refused::from(build_ziggurat(&law("1/4"), &two).unwrap_err());
        assert_eq!((refused.argument(), refused.value()), ("tail", "1"));
        assert!(refused.allowed().starts_with("with sigma = 1/4 the support must end"), "{refused}");
    }
}
