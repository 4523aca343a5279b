//! Which method serves which distribution exactly: a table over widths of every form and centres, by what the planner builds.

use samplez::{BigGaussian, Method, Recipe};
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
/// Measured for the planner.
const SPEEDS: &str = include_str!("../../../crates/samplez/src/speeds/avx2.csv");

pub(crate) fn coverage() -> String {
    let mut table = String::from("| σ | integer centre | other centre | constant-time too |\n|---|---|---|---|\n");
    for (sigma, is_ct) in SIGMAS {
        let any = |centers: &[&str]| cell(sigma, centers, "");
        let constant = if is_ct { cell(sigma, &CENTERS, ",constant_time=true") } else { "–".into() };
        table += &format!("| {sigma} | {} | {} | {constant} |\n", any(&CENTERS[..2]), any(&CENTERS[2..]));
    }
    for (shown, sigma) in [("10^30", "1e30".into()), ("2^512", power_of_two(512))] {
        let is_served = FORMS.iter().all(|(form, ..)| {
            let centers = ["0", "1/3", "1e300", "1.2345678901234567e-10"];
            centers.iter().all(|center| BigGaussian::from_pairs([(*form, &*sigma), ("center", center)]).is_ok())
        });
        let cell = if is_served { "`wide`, in words" } else { "**none**" };
        table += &format!("| {shown} | {cell} | {cell} | – |\n");
    }
    table
}

/// The methods that the planner builds for this σ in every form, exactly.
fn cell(sigma: &str, centers: &[&str], options: &str) -> String {
    let number: f64 = sigma.parse().unwrap_or(f64::NAN);
    let mut methods = BTreeSet::new();
    for (form, factor, power) in FORMS {
        // A σ² that no recipe can state has the digits of one that it can.
        let q = if power == 2 && number > 3e9 { 9e18 } else { factor * number.powi(power) };
        for center in centers {
            let recipe = format!("{form}={q:e},center={center},exact=true{options}").parse::<Recipe>();
            match recipe.and_then(|recipe| recipe.build()) {
                Ok(built) => methods.insert(built.method().name()),
                Err(_) => methods.insert(""),
            };
        }
    }
    let shown = methods.into_iter().map(|name| match name.parse() {
        Ok(method) => format!("`{method}` {:.0}", speed(method, number)),
        Err(_) => "**none**".to_string(),
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

/// 2^n in decimal digits.
fn power_of_two(n: u32) -> String {
    let mut digits = vec![1_u8];
    for _ in 0..n {
        let mut carry = 0;
        for digit in &mut digits {
            let double = 2 * *digit + carry;
            (*digit, carry) = (double % 10, double / 10);
        }
        digits.extend((carry > 0).then_some(carry));
    }
    digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_out() {
        let table = coverage();
        assert!(!table.contains("none"), "{table}");
    }
}
