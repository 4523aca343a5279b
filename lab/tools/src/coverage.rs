//! Which method serves which distribution exactly: a table over widths of every form and centres, by what the planner builds, with
//! samples of each.

use samplez::{BigGaussian, Method, Rational, Recipe, Seed, Source, Stream, Timing};
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
/// Samples of each law, whose mean and variance are compared.
const COUNT: usize = 512;
/// Measured for the planner.
const SPEEDS: &str = include_str!("../../../crates/samplez/src/speeds/avx2.csv");

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
            let Some(mut stream) = stream() else { return NONE };
            let Ok(drawn) = law.draw(&mut stream, COUNT) else { return NONE };
            let texts = drawn.chunks(law.limbs()).map(|sample| law.decimal(sample));
            if !are_of(texts, number, center) {
                return NONE;
            }
        }
    }
    if is_variable { "in words, variable time" } else { "in words" }
}

fn stream() -> Option<Stream<samplez_sources::Generator>> {
    Some(Stream::new(Source::ChaCha20.open(&Seed::from_number(30)).ok()?))
}

/// Whether mean and variance of the samples are those of the law, within six deviations. Of narrow laws each sample is the integer
/// next to the centre.
fn are_of(samples: impl Iterator<Item = String>, sigma: f64, center: &str) -> bool {
    let Ok(number) = center.parse::<Rational>().map(Rational::to_f64).or_else(|_| center.parse()) else {
        // Near 0.
        return are_of(samples, sigma, "0");
    };
    // Digits that a double drops are those of the centre alone.
    let base = number.trunc();
    let away = |text: String| {
        let exact = text.parse::<i128>().map_or_else(|_| text.parse::<f64>(), |x| Ok((x - base as i128) as f64 + base));
        exact.map_or(f64::NAN, |x| x - number)
    };
    let away: Vec<f64> = samples.map(away).collect();
    let count = away.len() as f64;
    if number.abs() > 1e30 {
        return away.iter().all(|x| x.abs() <= number.abs() * 1e-15 + 10.0 * sigma);
    }
    if sigma < 0.4 {
        return away.iter().all(|x| x.abs() <= 0.5);
    }
    let mean = |power| away.iter().map(|x| (x / sigma).powi(power)).sum::<f64>() / count;
    mean(1).abs() < 6.0 / count.sqrt() && (mean(2) - 1.0).abs() < 6.0 * (2.0 / count).sqrt()
}

/// No sampler, or one with other samples.
const NONE: &str = "**none**";

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
            let built = recipe.and_then(|recipe| recipe.build()).ok();
            let drawn = built.as_ref().zip(stream()).and_then(|(built, mut stream)| {
                let mut samples = vec![0_i64; COUNT];
                stream.fill(built.sampler(), &mut samples).ok()?;
                let is_exact = built.profile().exactness.is_exact() && built.profile().timing != Timing::Variable;
                let samples = samples.iter().map(i64::to_string);
                (is_exact && are_of(samples, number, center)).then(|| built.method().map_or("", Method::name))
            });
            methods.insert(drawn.unwrap_or_default());
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
        let table = coverage();
        assert!(!table.contains("none"), "{table}");
        // Samples that are too wide, of another centre, or all equal, are seen.
        let drawn = |recipe: &str| {
            let built = recipe.parse::<Recipe>().unwrap().build().unwrap();
            let mut samples = vec![0_i64; COUNT];
            stream().unwrap().fill(built.sampler(), &mut samples).unwrap();
            samples
        };
        let is_of =
            |samples: &[i64], sigma: f64, center: &str| are_of(samples.iter().map(i64::to_string), sigma, center);
        let samples = drawn("sigma=1000,center=1/3");
        assert!(is_of(&samples, 1000.0, "1/3") && !is_of(&samples, 700.0, "1/3") && !is_of(&samples, 1500.0, "1/3"));
        assert!(!is_of(&samples, 1000.0, "400") && !is_of(&[0; COUNT], 1000.0, "1/3"));
        assert!(!is_of(&[1; COUNT], 0.05, "1/3") && is_of(&[0; COUNT], 0.05, "1/3"));
    }
}
