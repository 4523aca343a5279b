//! Which method serves which distribution exactly: a table over widths of every form and centres, by what the planner builds.

use samplez::{BigGaussian, Method, Recipe, Timing};
use std::collections::BTreeSet;

/// Widths as σ: a text, and whether constant time is asked for too. Beyond, tables take longer to build than this table may.
const SIGMAS: [(&str, bool); 12] = [
    ("1e-9", true),
    ("0.05", true),
    ("0.5", true),
    ("3.2", true),
    ("20", true),
    ("215", true),
    ("1000", true),
    ("1e5", false),
    ("5e7", false),
    ("1e9", false),
    ("1e12", false),
    ("1e17", false),
];
/// Each form of the width, with q = factor·σ^power.
const FORMS: [(&str, f64, i32); 4] =
    [("sigma", 1.0, 1), ("sigma_squared", 1.0, 2), ("k_sigma2", 1.177_410_022_5, 1), ("s", 2.506_628_274_6, 1)];
/// The last is the double nearest to -0.1.
const CENTERS: [&str; 4] = ["0", "-123456789", "1/3", "-3602879701896397/36028797018963968"];
/// Of more than 64 bits: an integer, a rational number, and the double 1.2345678901234567e-10.
const BIG_CENTERS: [&str; 3] = ["1e300", "1/1000000000000000000003", "1.2345678901234567e-10"];
/// Widths beyond 64 bits: as shown, a text, and million samples a second (benches/RESULTS.md).
const BIG_SIGMAS: [(&str, &str, u32); 2] = [("10^30", "1e30", 30), ("2^512", POWER, 13)];
/// 2^512.
const POWER: &str = "13407807929942597099574024998205846127479365820592393377723561443721764030073546976801874298166903427690031858186486050853753882811946569946433649006084096";
/// Measured for the planner.
const SPEEDS: &str = include_str!("../../../crates/samplez/src/speeds/avx2.csv");
/// No sampler.
const NONE: &str = "**none**";

pub(crate) fn coverage() -> String {
    let mut table =
        String::from("| σ | integer centre | other centre | centre beyond 64 bits | exact and constant-time |\n");
    table += "|---|---|---|---|---|\n";
    for (sigma, is_ct) in SIGMAS {
        let any = |centers: &[&str]| cell(sigma, centers, "");
        let constant = if is_ct { cell(sigma, &CENTERS, ",constant_time=true") } else { "–".into() };
        let big = in_words(sigma, &BIG_CENTERS);
        table += &format!("| {sigma} | {} | {} | {big} | {constant} |\n", any(&CENTERS[..2]), any(&CENTERS[2..]));
    }
    for (shown, sigma, speed) in BIG_SIGMAS {
        let cells = [&["0", "-123456789"][..], &["1/3"], &BIG_CENTERS].map(|centers| match in_words(sigma, centers) {
            "in words" => format!("`wide`, in words {speed}"),
            other => other.into(),
        });
        table += &format!("| {shown} | {} | – |\n", cells.join(" | "));
    }
    table
}

/// How `BigGaussian` serves this σ in every form with each centre.
fn in_words(sigma: &str, centers: &[&str]) -> &'static str {
    let number: f64 = sigma.parse().unwrap_or(f64::NAN);
    let mut is_variable = false;
    for (form, factor, power) in FORMS {
        // In the other forms a double is near enough. The largest one is the square of 2^512.
        let q =
            if form == "sigma" { sigma.into() } else { format!("{:e}", (factor * number.powi(power)).min(f64::MAX)) };
        for center in centers {
            let Ok(law) = BigGaussian::from_pairs([(form, &*q), ("center", center)]) else { return NONE };
            is_variable |= law.timing() == Timing::Variable;
        }
    }
    if is_variable { "in words, variable time" } else { "in words" }
}

/// The methods that the planner builds for this σ in every form, exactly.
fn cell(sigma: &str, centers: &[&str], options: &str) -> String {
    let number: f64 = sigma.parse().unwrap_or(f64::NAN);
    let mut methods = BTreeSet::new();
    for (form, factor, power) in FORMS {
        let q = factor * number.powi(power);
        // A σ² of more than 64 bits.
        if power == 2 && number > 3e9 {
            methods.insert(if in_words(sigma, centers) == "in words" { Method::Wide.name() } else { "" });
            continue;
        }
        for center in centers {
            let recipe = format!("{form}={q:e},center={center},exact=true{options}").parse::<Recipe>();
            let built = recipe
                .and_then(|recipe| recipe.build())
                .ok()
                .filter(|built| built.profile().exactness.is_exact() && built.profile().timing != Timing::Variable);
            methods.insert(built.and_then(|built| built.method()).map_or("", Method::name));
        }
    }
    let shown = methods.into_iter().map(|name| match name.parse() {
        Ok(method) => format!("`{method}` {:.0}", speed(method, number)),
        Err(_) => NONE.to_string(),
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// Million samples a second at the nearest σ that was measured.
fn speed(method: Method, sigma: f64) -> f64 {
    let point = |line: &str| {
        let [of, form, value, speed] = line.split(',').collect::<Vec<_>>().try_into().ok()?;
        let is_its = of == method.name() && form == "sigma";
        is_its.then_some(())?;
        let value: f64 = value.parse().ok()?;
        Some(((value / sigma).ln().abs(), speed.parse::<f64>().ok()?))
    };
    let nearest = SPEEDS.lines().filter_map(point).min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map_or(f64::NAN, |(_, speed)| speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_out() {
        assert!(!coverage().contains(NONE), "{}", coverage());
        // A method that is exact and of constant time has no table of this width.
        assert_eq!(cell("1e9", &CENTERS, ",constant_time=true,method=cdt-ct"), NONE);
    }
}
