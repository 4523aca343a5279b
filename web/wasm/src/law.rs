//! The distributions other than Gaussians, by their names in JavaScript's options.

use crate::spelling::Failure;
use samplez::{NoiseLaw, RefusedKind, bindings::rational};

/// The options that state such a law.
pub(crate) const LAWS: [&str; 5] = ["ternary", "centeredBinomial", "tuniform", "skellam", "discreteLaplace"];

/// Takes an option into `law` if it is one of [`LAWS`]. The variance of Skellam noise is at most 2^`sums`.
pub(crate) fn take(law: &mut Option<NoiseLaw>, key: &str, value: &str, sums: i32) -> Result<bool, Failure> {
    let must = |what: &str| Failure::new(RefusedKind::OutOfRange, format!("{key} = {value}: expected {what}"));
    let whole = |least: u32, most: u32| {
        let number =
            value.parse().ok().filter(|n| value.bytes().all(|b| b.is_ascii_digit()) && (least..=most).contains(n));
        number.ok_or_else(|| must(&format!("a whole number from {least} to {most}")))
    };
    let number = |most: i32, hint: &str| {
        let range = || must(&format!("a number from 2^-16 to 2^{most}{hint}"));
        let number = rational(key, value);
        let number = number.map_err(|refused| match refused.kind() {
            RefusedKind::TooLong => range(),
            _ => refused.into(),
        })?;
        let is_allowed = (2_f64.powi(-16)..=2_f64.powi(most)).contains(&number.to_f64());
        if is_allowed { Ok(number) } else { Err(range()) }
    };
    let said = match key {
        "ternary" if value == "true" => NoiseLaw::Ternary,
        "ternary" => return Err(must("true")),
        "centeredBinomial" => NoiseLaw::CenteredBinomial { eta: whole(1, 32)? },
        "tuniform" => NoiseLaw::TUniform { bound_log2: whole(0, 62)? },
        "skellam" => NoiseLaw::Skellam { variance: number(sums, "; for a larger variance add samples")? },
        "discreteLaplace" => NoiseLaw::DiscreteLaplace { scale: number(50, "")? },
        _ => return Ok(false),
    };
    match law.replace(said) {
        Some(other) => {
            Err(format!("{key} = {value}: the law is given already, as {other}; pass only one of them").into())
        }
        None => Ok(true),
    }
}
