//! Why a table cannot be built, as a [`Refused`]: the width with what it makes impossible, or the option out of its range.

use crate::refused::Refused;
use samplez_core::params::DiscreteGaussian;
use samplez_core::table::LazyError;
use samplez_tables::{
    BernoulliBuildError, BuildError, ConvolutionBuildError, GuidedBuildError, KnuthYaoBuildError, LazyBuildError,
    PlainError, RejectionBuildError, ZigguratBuildError,
};
use std::error::Error;

/// The law's width, and what the error says of it. The tables' own `max_bytes` is a recipe's `memory`.
fn of_law(law: &DiscreteGaussian, error: impl Error + Send + Sync + 'static) -> Refused {
    let text = error.to_string().replace("(max_bytes)", "(`memory`)");
    let heads = [format!("{}: ", law.width()), format!("{law}: ")];
    let said = heads.iter().find_map(|head| text.strip_prefix(head.as_str())).unwrap_or(&text);
    Refused::width(law.width(), said).because(error)
}

/// A table that does not come about, whatever the law.
fn of_table(error: impl Error + Send + Sync + 'static) -> Refused {
    Refused::new("table", "", error.to_string()).because(error)
}

impl From<BuildError> for Refused {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Precision(error) => error.into(),
            BuildError::TooLarge { target, .. }
            | BuildError::OutOfMemory { target, .. }
            | BuildError::Support { target }
            | BuildError::Undecided { target } => of_law(&target, error),
            error => of_table(error),
        }
    }
}

/// Of a table that is built. What is wrong with one's entries, which are no argument, is of the table.
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

impl From<GuidedBuildError> for Refused {
    fn from(error: GuidedBuildError) -> Self {
        match error {
            GuidedBuildError::Table(error) => error.into(),
            GuidedBuildError::GuideBits(error) => error.into(),
            GuidedBuildError::TooLarge { limit, .. } => {
                Refused::new("memory", limit, error.to_string().replace(" (max_bytes)", "")).because(error)
            }
            error => of_table(error),
        }
    }
}

impl From<LazyBuildError> for Refused {
    fn from(error: LazyBuildError) -> Self {
        match error {
            LazyBuildError::Table(error) => error.into(),
            LazyBuildError::TooLarge { limit, .. } => {
                Refused::new("memory", limit, error.to_string().replace(" (max_bytes)", "")).because(error)
            }
            LazyBuildError::Parts(LazyError::Thresholds { thresholds }) => {
                let said = error.to_string();
                let allowed = said.split_once(": ").map_or(said.as_str(), |(_, allowed)| allowed);
                Refused::new("thresholds", thresholds, allowed).because(error)
            }
            error => of_table(error),
        }
    }
}

impl From<KnuthYaoBuildError> for Refused {
    fn from(error: KnuthYaoBuildError) -> Self {
        match error {
            KnuthYaoBuildError::Table(error) => error.into(),
            KnuthYaoBuildError::FirstLevels(error) => error.into(),
            KnuthYaoBuildError::Single { target, .. } | KnuthYaoBuildError::TooLarge { target, .. } => {
                of_law(&target, error)
            }
            error => of_table(error),
        }
    }
}

impl From<RejectionBuildError> for Refused {
    fn from(error: RejectionBuildError) -> Self {
        match error {
            RejectionBuildError::Param(error) => error.into(),
            RejectionBuildError::Table(error) => error.into(),
            RejectionBuildError::Single { target } | RejectionBuildError::TooLarge { target, .. } => {
                of_law(&target, error)
            }
            error => of_table(error),
        }
    }
}

impl From<BernoulliBuildError> for Refused {
    fn from(error: BernoulliBuildError) -> Self {
        match error {
            BernoulliBuildError::Param(error) => error.into(),
            BernoulliBuildError::Table(error) => error.into(),
            BernoulliBuildError::TooLarge { target, .. } => of_law(&target, error),
            error => of_table(error),
        }
    }
}

impl From<ConvolutionBuildError> for Refused {
    fn from(error: ConvolutionBuildError) -> Self {
        match error {
            ConvolutionBuildError::Param(error) => error.into(),
            ConvolutionBuildError::Base(error) => {
                let base = Refused::from(error);
                Refused::new("base table", "", format!("{} = {}: {}", base.argument(), base.value(), base.allowed()))
                    .because(error)
            }
            error => of_table(error),
        }
    }
}

impl From<ZigguratBuildError> for Refused {
    fn from(error: ZigguratBuildError) -> Self {
        let about = |argument: &str, value: String, error: ZigguratBuildError| {
            let text = error.to_string();
            let said = text.strip_prefix(&format!("{argument} = {value}: ")).unwrap_or(&text).to_string();
            Refused::new(argument, value, said).because(error)
        };
        match error {
            ZigguratBuildError::Parameter(error) => error.into(),
            ZigguratBuildError::Columns { tail, .. } => about("tail", tail.to_string(), error),
            ZigguratBuildError::NoPartition { rectangles, .. } => about("rectangles", rectangles.to_string(), error),
            ZigguratBuildError::Flat { precision, .. } => about("precision", precision.to_string(), error),
            ZigguratBuildError::TooLarge { target, .. } | ZigguratBuildError::OutOfMemory { target, .. } => {
                of_law(&target, error)
            }
            error => of_table(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplez_tables::{CdtOptions, TableForm, ZigguratOptions, build_cdt, build_plain, build_ziggurat};

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
        let third = DiscreteGaussian::new("1/3".parse().unwrap(), law("2").width()).unwrap();
        let refused = Refused::from(build_plain(&third, &TableForm::folded_cdt(72)).unwrap_err());
        assert_eq!(refused.to_string(), "center = 1/3: a folded line needs a centre that is a multiple of 1/2");
        let two = ZigguratOptions { rectangles: 2, tail: 1.into(), ..ZigguratOptions::default() };
        let refused = Refused::from(build_ziggurat(&law("1/4"), &two).unwrap_err());
        assert_eq!((refused.argument(), refused.value()), ("tail", "1"));
        assert!(refused.allowed().starts_with("with sigma = 1/4 the support must end"), "{refused}");
    }
}
