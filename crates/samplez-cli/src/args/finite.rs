//! The arguments of the laws beside Gaussians, from the library's table of them.

use super::recipe::{RecipeArgs, capital};
use crate::failure::{Failure, long, spelled};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches};
use samplez::{
    NoiseLaw,
    bindings::{LawInfo, LawRange},
};

/// A law of that table, to draw from or, if `JUDGED`, to judge samples by.
pub(crate) struct Finite<const JUDGED: bool>(Option<Given>);

/// The law, and the argument as it was typed.
#[derive(Clone)]
struct Given {
    law: NoiseLaw,
    argument: String,
}

impl<const JUDGED: bool> Finite<JUDGED> {
    /// The law, if one is given. The recipe is then empty.
    pub(crate) fn law<const L: bool, const O: bool, const M: bool>(
        &self,
        recipe: &RecipeArgs<L, O, M>,
    ) -> Result<Option<&NoiseLaw>, Failure> {
        self.0.as_ref().map(|given| alone(&given.argument, recipe).map(|()| &given.law)).transpose()
    }

    /// The argument as it was typed, if there is one.
    pub(crate) fn argument(&self) -> Option<&str> {
        self.0.as_ref().map(|given| given.argument.as_str())
    }
}

/// Refuses a recipe and a Gaussian's arguments if another law is named.
pub(crate) fn alone<const L: bool, const O: bool, const M: bool>(
    said: &str,
    recipe: &RecipeArgs<L, O, M>,
) -> Result<(), Failure> {
    let Some(other) = recipe.first() else { return Ok(()) };
    let why = match other.as_str() {
        "--recipe" => "--recipe states a distribution too; pass only one of them".to_string(),
        _ => format!("{other} belongs to a Gaussian, and this law has a sampler of its own; leave out one of them"),
    };
    Err(Failure::input(said, why))
}

/// The law of a value; without one, of a law without a parameter.
fn given(info: &LawInfo, value: Option<&str>, is_judged: bool) -> Result<Given, String> {
    let law = info.law(info.name, value.unwrap_or_default(), is_judged);
    let argument = value.map_or(spelled(info.name), |value| format!("{} = {value}", spelled(info.name)));
    law.map(|law| Given { law, argument }).map_err(|refused| refused.reason(spelled))
}

/// The names of all these laws.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    LawInfo::ALL.into_iter().map(|info| info.name)
}

impl<const JUDGED: bool> FromArgMatches for Finite<JUDGED> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut finite = Finite(None);
        finite.update_from_arg_matches(matches)?;
        Ok(finite)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0 = LawInfo::ALL.into_iter().find_map(|info| match info.range {
            LawRange::Nothing => matches.get_flag(info.name).then(|| given(&info, None, JUDGED).ok()).flatten(),
            _ => matches.get_one::<Given>(info.name).cloned(),
        });
        Ok(())
    }
}

impl<const JUDGED: bool> Args for Finite<JUDGED> {
    fn augment_args(command: Command) -> Command {
        let arg = |info: LawInfo| {
            let hint = info.parameter.to_uppercase();
            let help = capital(&info.summary(str::to_uppercase));
            let arg = Arg::new(info.name).long(long(info.name)).help_heading("Distribution, instead of a Gaussian");
            if info.range == LawRange::Nothing {
                return arg.action(ArgAction::SetTrue).help(help);
            }
            arg.help(format!("{help}. {hint} is {}", info.values(JUDGED)))
                .value_name(hint)
                .allow_hyphen_values(true)
                .value_parser(move |value: &str| given(&info, Some(value), JUDGED))
        };
        command.args(LawInfo::ALL.map(arg)).group(ArgGroup::new("finite").args(names()))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
