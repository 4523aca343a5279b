//! The arguments that state a recipe: the library's names and tables, as a command line has them.

use crate::failure::{Failure, flag, long, spelled, told};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches};
use samplez::{
    BigGaussian, Built, DiscreteGaussian, Folding, Method, NoiseLaw, Options, ParseRationalError, Rational, Recipe,
    Refused, RefusedKind,
    bindings::{Kind, LawInfo, OptionInfo},
};
use samplez_tables::TargetLaw;
use std::collections::BTreeSet;

/// A law, and no more.
pub type Law = RecipeArgs<true, false, false>;
/// A law and options, where the method is not the user's to name.
pub(crate) type Open = RecipeArgs<true, true, false>;
/// All of a recipe.
pub type Whole = RecipeArgs<true, true, true>;
/// Method and options, where the law is not the user's to name.
pub(crate) type Sampler = RecipeArgs<false, true, true>;

/// The given parts of a recipe, as the user wrote them: nothing here is a default.
pub struct RecipeArgs<const LAW: bool, const OPTIONS: bool, const METHOD: bool> {
    /// That of `--recipe`.
    text: Option<String>,
    /// The other arguments: names and values as a recipe has them.
    arguments: Vec<(&'static str, String)>,
}

impl<const LAW: bool, const OPTIONS: bool, const METHOD: bool> RecipeArgs<LAW, OPTIONS, METHOD> {
    /// The recipe.
    pub fn recipe(&self) -> Result<Recipe, Failure> {
        self.with(&[])
    }

    /// The recipe, of this width if none is given.
    pub fn recipe_or(&self, width: &'static str, value: &str) -> Result<Recipe, Failure> {
        self.with(&[(width, value)])
    }

    /// The law.
    pub fn law(&self) -> Result<DiscreteGaussian, Failure> {
        self.recipe()?.gaussian().map_err(|refused| self.refused(&refused))
    }

    /// The sampler that the recipe builds.
    pub fn build(&self) -> Result<Built, Failure> {
        self.recipe()?.build().map_err(|refused| self.refused(&refused))
    }

    /// Builds the sampler of this law, or of the recipe.
    pub fn build_or(&self, law: Option<&NoiseLaw>) -> Result<Built, Failure> {
        law.map_or_else(|| self.build(), |law| Recipe::new(*law).build().map_err(|refused| Failure::refused(&refused)))
    }

    /// The law as one of any size, if [`build`](Self::build) failed. `None` if it has options, and every number fits a recipe.
    pub fn big(&self) -> Option<Result<BigGaussian, Failure>> {
        let text = self.text.as_deref().map_or(Ok(Vec::new()), Recipe::pairs).ok()?;
        let pairs = text.into_iter().chain(self.arguments.iter().map(|(name, value)| (*name, value.as_str())));
        // All of these laws are exact, by one method.
        let is_met =
            |pair: &(&str, &str)| matches!(pair, ("exact" | "variable_time", "true" | "false") | ("method", "auto"));
        let pairs = pairs.filter(|pair| !is_met(pair));
        let is_law = |name: &str| is_width(name) || name == "center";
        let is_large = pairs
            .clone()
            .any(|(name, value)| is_law(name) && value.parse::<Rational>() == Err(ParseRationalError::TooLarge));
        match BigGaussian::from_pairs(pairs) {
            Ok(big) => Some(Ok(big)),
            Err(refused) => is_large.then(|| Err(self.refused(&refused))),
        }
    }

    /// The law of a sum in the text.
    pub fn sum(&self) -> Result<Option<TargetLaw>, Failure> {
        let Some(text) = &self.text else { return Ok(None) };
        let sum = Recipe::sum(text).map_err(|why| Failure::Input(format!("--recipe: {why}")))?;
        match (&sum, self.arguments.first()) {
            (Some(sum), Some((name, value))) => Err(Failure::input(
                &typed(name, value),
                format!("--recipe is a sum already, {sum}; remove one of them"),
            )),
            _ => Ok(sum),
        }
    }

    /// The law as one beyond 64 bits, if its σ is too large for tests of 64 bits.
    pub fn folding(&self) -> Option<Result<Folding, Failure>> {
        // A sum has no width of its own, and states itself what is wrong with it.
        if self.text.as_deref().is_some_and(Recipe::is_sum) {
            return None;
        }
        let text = self.text.as_deref().map_or(Ok(Vec::new()), Recipe::pairs).ok()?;
        let pairs = text.into_iter().chain(self.arguments.iter().map(|(name, value)| (*name, value.as_str())));
        // An unknown name before a width beyond 64 bits.
        let known = |name: &str| name == "clip" || Recipe::names().any(|known| known == name);
        if let Some(pair) = pairs.clone().find(|(name, _)| !known(name)) {
            return Recipe::to_judge([pair]).err().map(|refused| Err(self.refused(&refused)));
        }
        // No law with a width is cut, whatever its size.
        if pairs.clone().any(|(name, _)| name == "clip") {
            return None;
        }
        let pairs = pairs.filter(|(name, _)| is_width(name) || *name == "center");
        // What is wrong is said by the recipe, if that has place for its numbers.
        match Folding::from_pairs(pairs) {
            Ok(folding) => folding.map(Ok),
            Err(_) => None,
        }
    }

    /// The first given argument that is not part of the law.
    pub fn beyond_law(&self) -> Option<Refused> {
        let text = self.text.as_deref().and_then(|text| Recipe::pairs(text).ok()).unwrap_or_default();
        let mut pairs = text.into_iter().chain(self.arguments.iter().map(|(name, value)| (*name, value.as_str())));
        let (name, value) = pairs.find(|(name, _)| !is_width(name) && *name != "center")?;
        Some(Refused::new(name, value, "does not apply to a table, whose form gives its precision; remove it"))
    }

    /// A refusal of the recipe, in the user's own spelling.
    pub fn refused(&self, refused: &Refused) -> Failure {
        let text = self.text.as_deref().and_then(|text| Recipe::pairs(text).ok()).unwrap_or_default();
        let arguments = self.arguments.iter().map(|(name, value)| (*name, value.as_str()));
        let pairs = text.into_iter().chain(arguments);
        let is_wide = refused.kind() == RefusedKind::TooLong && BigGaussian::from_pairs(pairs.clone()).is_ok();
        let refused = &refused.clone().as_typed(pairs);
        let is_in_text = self.names_in_text().contains(refused.argument());
        let what = if is_in_text { format!("--recipe: {refused}") } else { told(refused, |name| self.spelled(name)) };
        let way = if is_wide { "; the commands sample, plan and certify take numbers of this size" } else { "" };
        Failure::Input(what + way)
    }

    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        self.text.is_none() && self.arguments.is_empty()
    }

    /// The first given argument, as the user wrote it.
    pub(super) fn first(&self) -> Option<String> {
        let text = self.text.as_ref().map(|_| "--recipe".to_string());
        text.or_else(|| self.arguments.first().map(|(name, _)| spelled(name)))
    }

    /// The distribution as the user wrote it.
    pub(crate) fn typed_law(&self) -> String {
        let width = self.arguments.iter().find(|(name, _)| is_width(name));
        let (name, value) =
            width.map_or(("recipe", self.text.as_deref().unwrap_or_default()), |(name, value)| (name, value));
        format!("{} = {value}", spelled(name))
    }

    /// An argument as the user wrote it, or could write it.
    pub fn spelled(&self, name: &str) -> String {
        let is_argument = LAW || !is_width(name) && name != "center";
        if is_argument && !self.names_in_text().contains(name) { spelled(name) } else { name.to_string() }
    }

    fn names_in_text(&self) -> BTreeSet<&str> {
        let pairs = self.text.as_deref().and_then(|text| Recipe::pairs(text).ok()).unwrap_or_default();
        pairs.into_iter().map(|(name, _)| name).collect()
    }

    /// The recipe of this law, which the user may repeat.
    pub fn recipe_of(&self, law: &DiscreteGaussian) -> Result<Recipe, Failure> {
        let (width, center) = (law.width().value().to_string(), law.center().to_string());
        self.with(&[(law.width().name(), &width), ("center", &center)])
    }

    /// The given parts, with defaults for the missing ones.
    fn with(&self, defaults: &[(&str, &str)]) -> Result<Recipe, Failure> {
        let text = self.text.as_deref().map_or(Ok(Vec::new()), Recipe::pairs).map_err(|why| self.refused(&why))?;
        for (name, value) in &self.arguments {
            if let Some(other) = text.iter().map(|(name, _)| *name).find(|other| same(name, other)) {
                return Err(Failure::input(
                    &typed(name, value),
                    format!("--recipe already contains {other}; remove one of them"),
                ));
            }
        }
        let said = || text.iter().copied().chain(self.arguments.iter().map(|(name, value)| (*name, value.as_str())));
        // A law other than a Gaussian is about 0.
        let covers = |other: &str, name: &str| same(name, other) || name == "center" && LawInfo::named(other).is_some();
        let defaults = defaults.iter().copied().filter(|(name, _)| !said().any(|(other, _)| covers(other, name)));
        // A law alone is to judge samples by.
        let pairs = said().chain(defaults);
        let recipe = if LAW && !OPTIONS { Recipe::to_judge(pairs) } else { Recipe::from_pairs(pairs) };
        let recipe = recipe.map_err(|why| self.refused(&why))?;
        match recipe.method {
            Some(method) if OPTIONS && !METHOD => Err(Failure::input(
                "--recipe",
                format!("method = {method}: is not allowed here, because this command compares all methods; remove it"),
            )),
            _ => Ok(recipe),
        }
    }
}

fn is_width(name: &str) -> bool {
    Recipe::WIDTHS.contains(&name)
}

/// Whether one of them excludes the other.
fn same(name: &str, other: &str) -> bool {
    let is_law = |name: &str| is_width(name) || LawInfo::named(name).is_some();
    name == other || is_law(name) && is_law(other)
}

/// An argument and its value as they were typed.
fn typed(name: &str, value: &str) -> String {
    if flag(name).is_some() { spelled(name) } else { format!("{} {value}", spelled(name)) }
}

impl<const LAW: bool, const OPTIONS: bool, const METHOD: bool> FromArgMatches for RecipeArgs<LAW, OPTIONS, METHOD> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut said = RecipeArgs { text: None, arguments: Vec::new() };
        said.update_from_arg_matches(matches)?;
        Ok(said)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.text = matches.get_one::<String>("recipe").cloned();
        let names = Recipe::names().filter(|name| match *name {
            "method" => METHOD,
            "center" => LAW,
            name if is_width(name) => LAW,
            name => OPTIONS && Options::INFO.iter().any(|info| info.name == name),
        });
        self.arguments = names.filter_map(|name| Some((name, value(matches, name)?))).collect();
        Ok(())
    }
}

/// The given value.
fn value(matches: &ArgMatches, name: &str) -> Option<String> {
    match flag(name) {
        Some(default) => matches.get_flag(name).then(|| (!default).to_string()),
        None => matches.get_one::<String>(name).cloned(),
    }
}

impl<const LAW: bool, const OPTIONS: bool, const METHOD: bool> Args for RecipeArgs<LAW, OPTIONS, METHOD> {
    fn augment_args(command: Command) -> Command {
        let mut command = command;
        if LAW {
            let center =
                argument("center", "C").help("The centre c, any rational [default: 0]").help_heading(LAW_HEADING);
            command = command.args(Recipe::WIDTHS.map(width)).arg(center);
        }
        command = command.arg(recipe(LAW, OPTIONS, METHOD));
        if LAW {
            let law = ArgGroup::new("law").args(Recipe::WIDTHS).arg("recipe").multiple(true).required(true);
            command = command.group(ArgGroup::new("width").args(Recipe::WIDTHS)).group(law);
        }
        if METHOD {
            command = command.arg(method());
        }
        if OPTIONS {
            command = command.args(Options::INFO.each_ref().map(option));
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

const LAW_HEADING: &str = "Distribution";
const SAMPLER: &str = "Sampler";

/// An argument with a value that the library reads.
fn argument(name: &'static str, hint: &'static str) -> Arg {
    Arg::new(name).long(long(name)).value_name(hint).allow_hyphen_values(true)
}

fn width(name: &'static str) -> Arg {
    let what = match name {
        "sigma_squared" => "The width, as σ²",
        "k_sigma2" => "The width, as k where σ = k·sqrt(1/(2 ln 2))",
        "s" => "The width, as s where σ = s/sqrt(2π)",
        _ => "The width, as σ",
    };
    argument(name, "Q").help(what).help_heading(LAW_HEADING)
}

fn recipe(has_law: bool, has_options: bool, has_method: bool) -> Arg {
    let example = "in one text, such as sigma=16/5,center=1/3,method=cdt,precision=72";
    let help = match (has_law, has_options) {
        (true, true) if !has_method => {
            "Distribution and options in one text, such as sigma=16/5,precision=72; other arguments may add to it"
                .into()
        }
        (true, true) => format!("Distribution, method and options {example}; other arguments may add to it"),
        (true, false) => {
            "The distribution in one text, such as sigma=16/5,center=1/3; or skellam=5/2; method and options in it are ignored".into()
        }
        (false, _) => {
            "Method and options in one text, such as method=cdt,precision=192; a distribution must be that of the set"
                .into()
        }
    };
    argument("recipe", "TEXT").help(help).help_heading(if has_law { LAW_HEADING } else { SAMPLER })
}

fn method() -> Arg {
    let names = PossibleValuesParser::new(["auto"].into_iter().chain(Method::ALL.map(Method::name)));
    let help = "The method; auto chooses by distribution and options, see `samplez plan` [default: auto]";
    argument("method", "NAME").value_parser(names).help(help).help_heading(SAMPLER)
}

/// An option that at most so many methods use names them.
const FEW: usize = 5;

fn option(info: &OptionInfo) -> Arg {
    let heeding = Method::ALL.into_iter().filter(|method| method.row().heeds.contains(&info.name)).map(Method::name);
    let heeding: Vec<&str> = heeding.collect();
    let few = !info.demand && heeding.len() <= FEW;
    let summary = match info.kind {
        Kind::Flag { default: true } => format!("do not {}", info.summary),
        _ => info.summary.to_string(),
    };
    let mut help = if few { format!("{}: {summary}", heeding.join(", ")) } else { capital(&summary) };
    let arg = match info.kind {
        Kind::Flag { .. } => Arg::new(info.name).long(long(info.name)).action(ArgAction::SetTrue),
        Kind::Whole { min, max, default } => {
            if max < u64::MAX {
                help += &format!(", {min} to {max}");
            }
            help += &format!(" [default: {}]", default.map_or("automatic".into(), |default| default.to_string()));
            argument(info.name, if info.name == "memory" { "BYTES" } else { "N" })
        }
        Kind::Rational { default } => {
            help += &format!(" [default: {default}]");
            argument(info.name, "Q")
        }
        _ => {
            help += " [default: 0.1, and if every method takes longer, the shortest setup]";
            argument(info.name, "SECONDS")
        }
    };
    arg.help(help).help_heading(SAMPLER)
}

pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
