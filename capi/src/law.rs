//! Distributions: probabilities and quantiles.

use crate::status::{Failed, array, guard, place, samplez_status, text};
use samplez::{DiscreteGaussian, Options, Recipe, Refused, RefusedKind};
use samplez_tables::{Law, TargetLaw};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_char;

/// A distribution with the functions of its values.
struct Values {
    target: TargetLaw,
    /// D_{Z,sigma,c}, whose logarithms reach further.
    gaussian: Option<Law>,
    /// Where a search for a quantile begins, and its first step.
    middle: i128,
    step: i128,
    /// Probabilities that earlier searches computed, kept for the next quantiles of the same call.
    known: RefCell<HashMap<i64, f64>>,
}

/// How many probabilities are kept.
const KNOWN: usize = 1 << 16;
/// Twice the largest magnitude of a 64-bit integer.
const ALL: i128 = 1 << 64;
/// The first double beyond 64 bits.
const END: f64 = i64::MAX as f64;

impl Values {
    fn new(target: TargetLaw) -> Self {
        let (mean, variance) = target.mean_and_variance().unwrap_or((0.0, 1.0));
        let gaussian = target.parameters().filter(|_| !target.is_rounded() && !target.is_cut()).map(Law::new);
        // Casts saturate, and infinities become the last integers.
        Values { target, gaussian, middle: mean as i128, step: 1 + variance.sqrt() as i128, known: RefCell::default() }
    }

    /// ln P(X <= x), or of P(X > x).
    fn log(&self, x: i64, is_above: bool) -> f64 {
        match (&self.gaussian, is_above) {
            (Some(law), false) => law.logcdf(x),
            (Some(law), true) => law.logsf(x),
            (None, _) => {
                let (below, above) = (self.target.cdf(x), self.target.sf(x));
                let (p, rest) = if is_above { (above, below) } else { (below, above) };
                if p > 0.5 { (-rest).ln_1p() } else { p.ln() }
            }
        }
    }

    /// P(X <= x), or P(X > x), or its logarithm, of any number x.
    fn cumulative(&self, x: f64, is_above: bool, is_log: bool) -> f64 {
        let p = match x.floor() {
            x if x.is_nan() => return x,
            x if self.is_lost(x) => return f64::NAN,
            x if x >= END => f64::from(!is_above),
            x if x < -END => f64::from(is_above),
            x if is_log => return self.log(x as i64, is_above),
            x if is_above => self.target.sf(x as i64),
            x => self.target.cdf(x as i64),
        };
        if is_log { p.ln() } else { p }
    }

    /// Whether this integer is beyond 64 bits, where the distribution has mass.
    fn is_lost(&self, x: f64) -> bool {
        x.is_finite() && (x >= END && self.target.sf(i64::MAX) > 0.0 || x < -END && self.target.cdf(i64::MIN) > 0.0)
    }

    /// P(X = x) or its logarithm, which is that of 0 for anything but an integer.
    fn mass(&self, x: f64, is_log: bool) -> f64 {
        let whole = x as i64;
        if x.is_nan() {
            x // with its payload, in which R writes NA
        } else if x.fract() == 0.0 && self.is_lost(x) {
            f64::NAN
        } else if whole as f64 != x || whole == i64::MAX {
            if is_log { f64::NEG_INFINITY } else { 0.0 }
        } else if is_log {
            self.target.logpmf(whole)
        } else {
            self.target.pmf(whole)
        }
    }

    /// The least x at which the double nearest to P(X <= x) reaches p, or that of P(X > x) does not exceed it.
    fn quantile(&self, p: f64, is_above: bool, is_log: bool) -> f64 {
        let (none, all) = if is_log { (f64::NEG_INFINITY, 0.0) } else { (0.0, 1.0) };
        if !(none..=all).contains(&p) {
            return f64::NAN;
        }
        let (low, high) = self.target.support().into_inner();
        if p == none || p == all {
            return match (p == all) != is_above {
                true if high == i64::MAX => f64::INFINITY,
                true => high as f64,
                false if low == i64::MIN => f64::NEG_INFINITY,
                false => low as f64,
            };
        }
        let reaches = |x: i128| match i64::try_from(x) {
            Err(_) => x > 0,
            Ok(x) => {
                let found = self.cumulative_at(x, is_above, is_log);
                if is_above { found <= p } else { found >= p }
            }
        };
        // A search in steps that double, and then between the last two.
        let (mut short, mut long, mut step) = (self.middle, self.middle, self.step);
        if reaches(long) {
            while reaches(short) && short > -ALL {
                (short, long) = (short - step, short);
                step *= 2;
            }
        } else {
            while !reaches(long) {
                (short, long) = (long, long + step);
                step *= 2;
            }
        }
        while long - short > 1 {
            let middle = short + (long - short) / 2;
            if reaches(middle) { long = middle } else { short = middle }
        }
        match i64::try_from(long) {
            Ok(x) if x > i64::MIN => x as f64,
            _ if long < 0 => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        }
    }

    /// The probability at an integer, of one function in each call of the library.
    fn cumulative_at(&self, x: i64, is_above: bool, is_log: bool) -> f64 {
        let mut known = self.known.borrow_mut();
        if let Some(&value) = known.get(&x) {
            return value;
        }
        let value = match (is_log, is_above) {
            (true, _) => self.log(x, is_above),
            (false, true) => self.target.sf(x),
            (false, false) => self.target.cdf(x),
        };
        if known.len() < KNOWN {
            known.insert(x, value);
        }
        value
    }
}

/// The law of a text.
pub(crate) fn law_of(typed: &str) -> Result<TargetLaw, Failed> {
    let renamed = |name: &str| if name == "recipe" { "law".into() } else { name.into() };
    match Recipe::sum(typed).map_err(|e| Failed::of_kind(e.kind(), e.respelled(renamed)))? {
        Some(law) => Ok(law),
        None => TargetLaw::finite(&stated("law", typed, "")?.law).map_err(Failed::refused),
    }
}

/// The width and the centre alone, in the argument of this name.
pub(crate) fn gaussian(argument: &str, typed: &str, reason: &str) -> Result<DiscreteGaussian, Failed> {
    let law = stated(argument, typed, reason)?.gaussian();
    law.map_err(|error| Failed::of_kind(error.kind(), error.respelled(|_| argument.into())))
}

/// The recipe of a law alone, to judge by, in the argument of this name.
fn stated(argument: &str, typed: &str, reason: &str) -> Result<Recipe, Failed> {
    if typed.trim().is_empty() {
        let message = format!("missing {argument}: pass a width, such as sigma=2.8");
        return Err(Failed::of_kind(RefusedKind::Missing, message));
    }
    let renamed = |name: &str| if name == "recipe" { argument.into() } else { name.into() };
    let recipe = Recipe::pairs(typed).and_then(Recipe::to_judge);
    // Where nothing is drawn, the way out for a cut law is a table.
    let judged = |e: &Refused| match e.respelled(renamed) {
        text if reason.is_empty() => {
            match ["only laplace is cut", "cuts laplace alone"].iter().find_map(|cut| text.split_once(cut)) {
                Some((before, _)) => format!("{before}write the cut law as weights, such as weights=-1: 1 2 1"),
                None => text,
            }
        }
        text => text,
    };
    let recipe = recipe.map_err(|e: Refused| Failed::of_kind(e.kind(), judged(&e)))?;
    if recipe.method.is_some() || recipe.options != Options::default() {
        return Err(Failed::argument(format_args!(
            "{argument} = {typed}: expected a width and a center alone{reason}"
        )));
    }
    Ok(recipe)
}

/// Writes the values of a distribution's function at `count` numbers to `out`, which may be `at`. `law` is a text of `samplez_sampler_new`
/// without a method and options, such as "sigma=3.2,center=1/3" or "skellam=2.5". Each call sets the distribution up, which
/// may take as long as hundreds of values, so pass many numbers at once.
///
/// With ",law=rounded" it is the integer nearest to a normal variable of this width and centre, or to a Laplace variable, which verifies
/// what other programs draw.
/// `law` may also be a sum of independent terms: "laplace=4 + 1000*sigma=3.2 - weights=0: 1 2 1", with ",copies=500" in a term for the sum of
/// so many samples. Its setup may take seconds.
///
/// `function` is one of:
///
/// - "pmf": P(X = x); 0 if x is not an integer. "cdf": P(X <= x). "sf": P(X > x).
/// - "ppf": the least x for which the double nearest to P(X <= x) is at least p. So "ppf" of "cdf" is x, unless the double is
///   that of P(X <= x - 1), or 1. "isf": the least x for which that of P(X > x) is at most p. Both return the ends of the distribution for 0 and 1, and NaN outside.
/// - "logpmf", "logcdf", "logsf", "logppf", "logisf": the same of the logarithms of these probabilities.
///
/// The probabilities of a sum have a relative error below 2^-18, or below 2^-40 for two terms of a thousand values without factors.
/// All others are correctly rounded, as by `samplez_sampler_pmf`. A logarithm of "logcdf" or "logsf" is correctly rounded for
/// D_{Z,sigma,c}; for other noises it is the logarithm of the double, so minus infinity below 5e-324. An integer beyond 2^53 is rounded to a double.
/// NaN gives NaN, and so does an integer beyond 64 bits if the distribution reaches there.
///
/// # Safety
///
/// `law` and `function` end with a zero byte; `count` doubles at `at`, and space for as many at `out`, in the same place or
/// apart from them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_law_values(
    law: *const c_char,
    function: *const c_char,
    at: *const f64,
    count: usize,
    out: *mut f64,
) -> samplez_status {
    guard(|| {
        // SAFETY: by the function's condition.
        let (law, typed) = unsafe { (text("law", law)?, text("function", function)?) };
        let (name, is_log) = typed.strip_prefix("log").map_or((typed, false), |name| (name, true));
        let is_above = matches!(name, "sf" | "isf");
        let value = match name {
            "pmf" => |law: &Values, x, _, is_log| law.mass(x, is_log),
            "cdf" | "sf" => Values::cumulative,
            "ppf" | "isf" => Values::quantile,
            _ => {
                let message = format!(
                    "function = {typed}: expected pmf, cdf, sf, ppf or isf, or one of these with log before it"
                );
                return Err(Failed::of_kind(RefusedKind::Unknown, message));
            }
        };
        // SAFETY: so many doubles by the function's condition; they are only looked at for their place and number.
        let count = unsafe { array("at", at, count) }?.len();
        let out = if count == 0 { out } else { place("out", out)? };
        let law = Values::new(law_of(law)?);
        for i in 0..count {
            // SAFETY: below the number of doubles in both places. Each is read before its value is written, as the places may be one.
            unsafe { out.add(i).write(value(&law, at.add(i).read(), is_above, is_log)) };
        }
        Ok(())
    })
}
