//! A sum of laws as a text: `laplace=4 + 1000*sigma=3.2 - weights=0: 1 2 1`.

use crate::law::LawInfo;
use crate::options::Options;
use crate::recipe::Recipe;
use crate::refused::{Refused, RefusedKind};
use samplez_core::NoiseLaw;
use samplez_tables::{TargetError, TargetLaw, Term};

/// The longest text that is read, in bytes.
const LONGEST: usize = 4096;

impl Recipe {
    /// Returns the law of a text that only judges integers, a sum of laws or a rounded law; `None` for a text that is a recipe.
    ///
    /// `law=rounded,sigma=3.2` is the integer nearest to a normal variable, and `law=rounded,laplace=4` to a Laplace variable. In a sum, the terms are independent, with ` + ` or ` - ` between them, and the first may have a sign too. A term is `2*law` for samples times a
    /// whole number, or the law alone. It is
    ///
    /// - the law of a recipe, such as `sigma=3.2,center=1/3`, or a rounded law. With `copies=500` it is the sum of so many independent samples.
    /// - `weights=LOW: W W W`: the values LOW, LOW + 1, … with probabilities proportional to these whole numbers. `weights=5: 1` is the constant 5.
    ///
    /// # Errors
    ///
    /// [`Refused`] for a term that is no law, or has a method or options, and as [`TargetLaw::sum`].
    ///
    /// ```
    /// use samplez::Recipe;
    /// let law = Recipe::sum("laplace=4,copies=2 - 1000*ternary")?.unwrap();
    /// assert_eq!(law.to_string(), "2 copies of DiscreteLaplace(4) - 1000*Ternary");
    /// assert!(Recipe::sum("laplace=4")?.is_none());
    /// let error = Recipe::sum("laplace=4 + laplace=0").unwrap_err();
    /// assert!(error.to_string().starts_with("laplace = 0: expected a number from 2^-16 to 2^50"));
    /// # Ok::<(), samplez::Refused>(())
    /// ```
    pub fn sum(text: &str) -> Result<Option<TargetLaw>, Refused> {
        if !Self::is_sum(text) {
            return Ok(None);
        }
        if text.len() > LONGEST {
            let allowed = format!("a sum has at most {LONGEST} bytes");
            return Err(Refused::new("recipe", format_args!("a text of {} bytes", text.len()), allowed));
        }
        let terms = terms(text).into_iter().map(|(is_minus, part)| term(is_minus, part));
        let terms = terms.collect::<Result<Vec<_>, _>>()?;
        match &terms[..] {
            // No sum.
            [Term { law, factor: 1, copies: 1 }] if law.is_rounded() || law.rounded_scale().is_some() => {
                Ok(Some(law.clone()))
            }
            _ => TargetLaw::sum(&terms).map(Some).map_err(refused),
        }
    }

    /// Returns whether a text is a sum or a rounded law, right or wrong, and no recipe.
    #[doc(hidden)]
    pub fn is_sum(text: &str) -> bool {
        let parts = terms(text);
        let is_sum = |(is_minus, term): &(bool, &str)| {
            *is_minus
                || term.split_once('*').is_some_and(|(factor, _)| !factor.contains('='))
                || term.split([',', '&']).any(|pair| matches!(name(pair), COPIES | WEIGHTS) || is_rounded(pair))
        };
        parts.len() >= 2 || parts.iter().any(is_sum)
    }
}

const COPIES: &str = "copies";
const WEIGHTS: &str = "weights";
const ROUNDED: (&str, &str) = ("law", "rounded");

fn refused(error: TargetError) -> Refused {
    let argument = if error.argument == "sum" { "recipe" } else { error.argument };
    Refused::new(argument, error.value, format!("expected {}", error.expected)).with_kind(RefusedKind::OutOfRange)
}

/// Whether a pair is `law=rounded`.
fn is_rounded(pair: &str) -> bool {
    pair.split_once('=').is_some_and(|(name, value)| (name.trim(), value.trim()) == ROUNDED)
}

/// The name of a pair.
fn name(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(name, _)| name).trim()
}

/// The terms, and whether a minus is before them. A sign separates terms if it has spaces on both sides, or a law after it; others, as in
/// `1e-5` and `cdt-ct`, are part of a value.
fn terms(text: &str) -> Vec<(bool, &str)> {
    let (mut terms, mut start, mut is_minus) = (Vec::new(), 0, false);
    for (at, sign) in text.char_indices().filter(|(_, c)| matches!(c, '+' | '-')) {
        let (before, after) = (&text[start..at], &text[at + 1..]);
        let is_first = terms.is_empty() && before.trim().is_empty();
        let is_spaced = before.ends_with(char::is_whitespace) && after.chars().next().is_none_or(char::is_whitespace);
        if !is_first && !is_spaced && !begins_with_a_law(after) {
            continue;
        }
        if !is_first {
            terms.push((is_minus, before.trim()));
        }
        (start, is_minus) = (at + 1, sign == '-');
    }
    terms.push((is_minus, text[start..].trim()));
    terms
}

/// Whether a law's name follows, with or without a factor.
fn begins_with_a_law(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = text.trim_start().trim_start_matches('*').trim_start();
    let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(word.len());
    let word = &word[..end];
    word == WEIGHTS || Recipe::WIDTHS.contains(&word) || LawInfo::named(word).is_some()
}

fn term(is_minus: bool, text: &str) -> Result<Term, Refused> {
    if text.is_empty() {
        return Err(Refused::missing("term", "write a law, such as sigma=3.2, before and after each + and -"));
    }
    let (factor, law) = match text.split_once('*') {
        None => (1, text),
        Some((typed, law)) => {
            let factor = typed.trim().parse().ok().filter(|factor| *factor > 0);
            let allowed = "expected a whole number above 0 before the star, such as 1000*sigma=3.2";
            (factor.ok_or_else(|| Refused::new("recipe", text, allowed))?, law)
        }
    };
    let factor: i64 = if is_minus { -factor } else { factor };
    let mut pairs = Recipe::pairs_of_term(law)?;
    let mut copies = 1;
    if let Some(at) = pairs.iter().position(|(name, _)| *name == COPIES) {
        let (_, typed) = pairs.remove(at);
        let refused = || Refused::new(COPIES, typed, "expected a whole number from 1 to 2^20");
        copies = typed.parse().map_err(|_| refused().with_kind(RefusedKind::OutOfRange))?;
    }
    let rounded = pairs.iter().position(|pair| *pair == ROUNDED).map(|at| pairs.remove(at));
    if let Some((name, value)) = rounded.filter(|pair| pairs.contains(pair)) {
        return Err(Refused::new(name, value, "is given twice; pass it once"));
    }
    let law = match pairs[..] {
        [(WEIGHTS, typed)] if rounded.is_none() => weights(typed)?,
        _ => {
            if let Some((name, value)) = pairs.iter().find(|(name, _)| *name == WEIGHTS) {
                return Err(Refused::new(*name, value, "expected beside nothing but `copies`"));
            }
            let recipe = Recipe::to_judge(pairs)?;
            if recipe.method.is_some() || recipe.options != Options::default() {
                return Err(Refused::new(
                    "recipe",
                    text,
                    "expected a law alone in a sum; leave method and options out",
                ));
            }
            match (rounded, &recipe.law) {
                (None, law) => TargetLaw::finite(law).map_err(Refused::from)?,
                (Some(_), NoiseLaw::Gaussian(normal)) => TargetLaw::rounded(normal).map_err(refused)?,
                (Some(_), NoiseLaw::DiscreteLaplace { scale }) => TargetLaw::rounded_laplace(*scale)?,
                (Some((name, value)), law) => {
                    let allowed =
                        format!("only a width and `laplace` have a variable to round; leave it out beside {law}");
                    return Err(Refused::new(name, value, allowed));
                }
            }
        }
    };
    Ok(Term { law, factor, copies })
}

fn weights(typed: &str) -> Result<TargetLaw, Refused> {
    let numbers = typed.split_once(':').and_then(|(low, weights)| {
        let weights: Result<Vec<u64>, _> = weights.split_whitespace().map(str::parse).collect();
        Some((low.trim().parse().ok()?, weights.ok()?))
    });
    let allowed = "expected LOW: W W W, the least value and whole numbers, such as 0: 1 2 1";
    let (low, weights): (i64, _) = numbers.ok_or_else(|| Refused::new(WEIGHTS, typed, allowed))?;
    TargetLaw::weights(low, &weights).map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_factors() {
        let words = |text: &str| Recipe::sum(text).unwrap().map(|law| law.to_string());
        for (text, law) in [
            ("laplace=4 + laplace=4", "DiscreteLaplace(4) + DiscreteLaplace(4)"),
            ("laplace=4-laplace=2", "DiscreteLaplace(4) - DiscreteLaplace(2)"),
            ("-ternary", "-Ternary"),
            ("+ cbd=1e-0-3*ternary", "CBD(1) - 3*Ternary"),
            (
                "laplace=4 + 1000*sigma=3.2,center=-1/3 - weights=0: 1 2 1",
                "DiscreteLaplace(4) + 1000*D_Z(sigma = 16/5, center = -1/3) - weights(0: 1 2 1)",
            ),
            ("cbd=2&copies=500", "500 copies of CBD(2)"),
            (" 2 * weights=-3: 1 , copies=2 ", "2 copies of 2*weights(-3: 1)"),
            ("law=rounded,sigma=3.2", "RoundedNormal(sigma = 16/5, center = 0)"),
            ("laplace=4, law = rounded", "RoundedLaplace(4)"),
            ("law=rounded,laplace=4 - 2*laplace=4", "RoundedLaplace(4) - 2*DiscreteLaplace(4)"),
        ] {
            assert_eq!(words(text).as_deref(), Some(law), "{text}");
        }
        for text in ["sigma=3.2,center=-1/3", "sigma=3.2,method=cdt-ct", "laplace=1e-2", "ternary", "", "no-law", "-1"]
        {
            assert!(matches!(Recipe::sum(text), Ok(None) | Err(_)), "{text}");
        }
        for text in ["sigma=3.2,method=cdt-ct", "laplace=1e-2", "sigma=1e+3", "sigma=3,center=-1/3", "ternary"] {
            assert!(matches!(Recipe::sum(text), Ok(None)), "{text}");
        }
    }

    #[test]
    fn wrong_terms_are_named() {
        for (text, message) in [
            ("laplace=4 + ", "missing term: write a law, such as sigma=3.2, before and after each + and -"),
            (
                "laplace=4 + x*ternary",
                "recipe = x*ternary: expected a whole number above 0 before the star, such as 1000*sigma=3.2",
            ),
            (
                "0*ternary",
                "recipe = 0*ternary: expected a whole number above 0 before the star, such as 1000*sigma=3.2",
            ),
            ("cbd=2,copies=0", "copies = 0: expected a whole number from 1 to 2^20"),
            ("cbd=2,copies=1/2", "copies = 1/2: expected a whole number from 1 to 2^20"),
            ("weights=0: 0 0", "weights = 0: 0 0: expected from 1 to 2^20 weights, of which one is above 0"),
            (
                "weights=0 1 2",
                "weights = 0 1 2: expected LOW: W W W, the least value and whole numbers, such as 0: 1 2 1",
            ),
            ("weights=0: 1 -2", "weights = 0: 1 -2: expected LOW: W W W"),
            ("weights=0: 1,sigma=3", "weights = 0: 1: expected beside nothing but copies"),
            (
                "sigma=3,method=cdt + ternary",
                "recipe = sigma=3,method=cdt: expected a law alone in a sum; leave method",
            ),
            (
                "law=rounded,cbd=2",
                "law = rounded: only a width and laplace have a variable to round; leave it out beside CBD(2)",
            ),
            ("law=rounded,weights=0: 1", "weights = 0: 1: expected beside nothing but copies"),
            ("law=rounded", "missing width: pass one of sigma, "),
            ("law=rounded,law=rounded,sigma=3", "law = rounded: is given twice; pass it once"),
            ("law=rounded,sigma=3,clip=9", "clip = 9: cuts laplace alone; write the cut law as weights, such as"),
            ("law=round,sigma=3 + ternary", "law = round: expected one of sigma, "),
            ("law=rounded,laplace=0", "laplace = 0: expected a number from 2^-16 to 2^50"),
            ("law=rounded,sigma=3,method=karney", "recipe = law=rounded,sigma=3,method=karney: expected a law alone"),
            ("laplace=4 + lapace=4", "lapace = 4: expected one of sigma, "),
            ("laplace=1e6 + ternary", "recipe = DiscreteLaplace(1000000) + Ternary: expected at most 2^20 values"),
            ("5000000000*ternary", "recipe = 5000000000*Ternary: expected factors other than 0, up to 2^32"),
        ] {
            let error = Recipe::sum(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
