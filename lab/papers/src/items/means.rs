//! Means of samples over sources well and badly seeded: \[BSOVOGR17\]'s Figures 6 to 12, in its windows.
//!
//! The paper judges by eye whether a mean returns to zero. Here the mean is told in its own standard deviation σ/√N, and the
//! samples go to the tests of `samplez verify`.

use super::Bench;
use super::bench::build;
use crate::answer::Answer;
use crate::error::LabError;
use crate::finding::Outcome;
use crate::plot::{Chart, Plot, Series};
use samplez::{BitReader, Built, Seed, Source};
use samplez_check::seeding::Run;
use samplez_sources::SeededGenerator;

/// The paper's sources that take a seed.
const SOURCES: [Source; 8] = [
    Source::CtrDrbgAes256,
    Source::HashDrbgSha256,
    Source::ChaCha20,
    Source::Salsa20,
    Source::Isaac64,
    Source::Kiss64,
    Source::GlibcRandom,
    Source::PosixRand,
];
const ZIGGURAT: &str = "sigma=215,method=ziggurat,precision=64";
const SIGMA: f64 = 215.0;
/// Where the paper's window far out begins, and how long it is.
const FAR: usize = 1_000_000;
const WINDOW: usize = 250;

/// A seed without a pattern, the same in every run.
fn well() -> Seed {
    Seed::from_bytes([0x5a; 32]).stream("laboratory")
}

const fn zeros() -> Seed {
    Seed::from_bytes([0; 32])
}

fn bits(source: Source, seed: &Seed) -> Result<BitReader<SeededGenerator>, LabError> {
    source.seeded(seed).map(BitReader::new).ok_or_else(|| LabError::Input(format!("{source} takes no seed")))
}

/// The running means at these numbers of samples, in ascending order.
fn running(built: &Built, source: Source, seed: &Seed, at: &[usize]) -> Result<Vec<(f64, f64)>, LabError> {
    let mut bits = bits(source, seed)?;
    let (mut sum, mut n, mut points) = (0.0, 0, Vec::new());
    let mut chunk = vec![0_i64; 4096];
    for stop in at {
        while n < *stop {
            let part = &mut chunk[..(*stop - n).min(4096)];
            built.sampler().fill(&mut bits, part).map_err(|why| LabError::Input(why.to_string()))?;
            sum += part.iter().map(|x| *x as f64).sum::<f64>();
            n += part.len();
        }
        points.push((n as f64, sum / n as f64));
    }
    Ok(points)
}

fn series(name: String, joined: bool, points: Vec<(f64, f64)>) -> Series {
    Series { name, of_paper: false, joined, points }
}

fn chart(name: &str, title: &str, caption: &str, x: (&str, bool), y: &str, plots: Vec<Plot>) -> Chart {
    let (x, y) = ((x.0.to_owned(), x.1), (y.to_owned(), false));
    Chart { name: name.into(), title: title.into(), caption: caption.into(), x, y, places: Vec::new(), plots }
}

/// One curve for each source.
fn curves(seed: &Seed, at: &[usize], view: fn((f64, f64)) -> (f64, f64)) -> Result<Plot, LabError> {
    let built = build(ZIGGURAT)?;
    let drawn = SOURCES.iter().map(|source| {
        let points = running(&built, *source, seed, at)?.into_iter().map(view).collect();
        Ok(series(source.to_string(), true, points))
    });
    Ok(Plot { title: String::new(), series: drawn.collect::<Result<_, LabError>>()? })
}

/// A plot for each curve, with a mean's standard deviation on both sides of 0 at each place.
fn apart(plot: Plot, deviation: impl Fn(f64) -> f64, place: impl Fn(f64) -> f64) -> Vec<Plot> {
    let alone = |curve: Series| {
        let at = |sign: f64| curve.points.iter().map(|p| (place(p.0), sign * deviation(p.0))).collect();
        let band = [1.0, -1.0].map(|sign| series("standard deviation of an ideal mean, ±".into(), true, at(sign)));
        let mean = series("mean".into(), true, curve.points.iter().map(|p| (place(p.0), p.1)).collect());
        Plot { title: curve.name, series: [mean].into_iter().chain(band).collect() }
    };
    plot.series.into_iter().map(alone).collect()
}

/// z of the last mean.
fn z(points: &[(f64, f64)]) -> f64 {
    points.last().map_or(f64::NAN, |(n, mean)| mean * n.sqrt() / SIGMA)
}

fn spaced(most: usize) -> Vec<usize> {
    let mut at: Vec<usize> = (0..=120).map(|i| (most as f64).powf(f64::from(i) / 120.0).round() as usize).collect();
    at.dedup();
    at
}

const BAND: &str = "An ideal mean of N samples has standard deviation 215/√N.";

pub(super) fn figure_6(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let built = build(ZIGGURAT)?;
    let each: Vec<usize> = (1..=1000).collect();
    let near = running(&built, Source::CtrDrbgAes256, &well(), &each)?;
    let distance = near.iter().map(|(n, mean)| (*n, mean.abs())).collect();
    let far = running(&built, Source::CtrDrbgAes256, &well(), &spaced(bench.length(100_000, 1_000_000)))?;
    answer.more("z of the mean of all samples, AES", (z(&far), "σ/√N"), ZIGGURAT);
    let plot = |title: &str, points| Plot {
        title: title.into(),
        series: vec![series("ctr-drbg-aes256".into(), true, points)],
    };
    answer.charts.push(chart(
        "far",
        "The mean of many samples",
        BAND,
        ("samples N", true),
        "mean",
        vec![plot("", far)],
    ));
    let plots = vec![plot("mean", near), plot("distance of the mean from 0", distance)];
    let first = chart("first", "The mean sample by sample, the first 1000", BAND, ("samples N", false), "mean", plots);
    answer.drawn(
        "means sample by sample, and against σ",
        first,
        "σ = 215, the Ziggurat, AES-256 in counter mode; against σ at S19",
    )
}

/// The window from the 10^6th sample on; in a hurry from the 10^5th.
fn window(bench: &Bench, answer: &mut Answer<'_>, seed: &Seed, quantity: &str, title: &str) -> Result<(), LabError> {
    let from = bench.length(FAR / 10, FAR);
    let at: Vec<usize> = (from..=from + WINDOW).collect();
    let plot = curves(seed, &at, |p| p)?;
    for series in &plot.series {
        answer.more(
            &format!("z of the mean of {from} samples, {}", series.name),
            (z(&series.points), "σ/√N"),
            ZIGGURAT,
        );
    }
    let plots = apart(plot, |n| SIGMA / n.sqrt(), |n| n - from as f64);
    let across = format!("samples after the first {from}");
    let drawn = chart("window", title, BAND, (&across, false), "mean", plots);
    answer.drawn(quantity, drawn, "250 samples from the 10^6th on; in a hurry from the 10^5th")
}

pub(super) fn figure_7(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    window(bench, answer, &well(), "means of 250 samples from the 10^6th on", "Means far out, well seeded")
}

pub(super) fn figure_12(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let title = "Means far out, seeded with zeros";
    window(bench, answer, &zeros(), "means sample by sample under a zero seed", title)
}

fn long(bench: &Bench, answer: &mut Answer<'_>, seed: &Seed, quantity: &str, title: &str) -> Result<(), LabError> {
    let most = bench.length(100_000, 10_000_000);
    // What is drawn is the mean in its own standard deviation: the mean itself is too small to be seen.
    let plot = curves(seed, &spaced(most), |(n, mean)| (n, mean * n.sqrt() / SIGMA))?;
    for series in &plot.series {
        let last = series.points.last().map_or(f64::NAN, |p| p.1);
        answer.more(&format!("z of the mean of {most} samples, {}", series.name), (last, "σ/√N"), ZIGGURAT);
    }
    let caption = "In units of σ/√N: two of three ideal means are within ±1 at any N.";
    let drawn = chart("means", title, caption, ("samples N", true), "mean, in σ/√N", apart(plot, |_| 1.0, |n| n));
    answer.drawn(quantity, drawn, "to 10^7 samples; in a hurry to 10^5")
}

pub(super) fn figure_8(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    long(bench, answer, &well(), "means up to 10^7", "Running means, well seeded")
}

pub(super) fn figure_11(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    long(bench, answer, &zeros(), "means under a zero seed", "Running means, seeded with zeros")
}

/// The mean square of z, 1 for an ideal source, and the two-sided chance of its sum: χ² with an even number of degrees has a
/// closed form.
fn scatter(points: &[(f64, f64)]) -> (f64, f64) {
    let sum: f64 = points.iter().map(|p| p.1 * p.1).sum();
    let (mut term, mut above) = ((-0.5 * sum).exp(), 0.0);
    for i in 1..=points.len() / 2 {
        above += term;
        term *= 0.5 * sum / i as f64;
    }
    (sum / points.len() as f64, 2.0 * f64::min(above, 1.0 - above))
}

/// The mean at each σ, each from samples of its own: from its own seed, or from where the stream of the one seed has come to.
fn against_sigma(
    bench: &Bench,
    answer: &mut Answer<'_>,
    own: bool,
    quantity: &str,
    title: &str,
) -> Result<(), LabError> {
    let sigmas: Vec<u32> = (1..=bench.length(6, 20)).map(|i| i * bench.length(36, 11)).collect();
    let count = bench.length(20_000, 1_000_000);
    let mut drawn = Vec::new();
    for source in SOURCES {
        let mut stream = bits(source, &zeros())?;
        let mut points = Vec::new();
        for (sigma, number) in sigmas.iter().zip(0..) {
            let built = build(&format!("sigma={sigma},method=ziggurat,precision=64"))?;
            if own {
                stream = bits(source, &well().block(number))?;
            }
            let (mut sum, mut left) = (0.0, count);
            let mut chunk = vec![0_i64; 4096];
            while left > 0 {
                let part = &mut chunk[..left.min(4096)];
                built.sampler().fill(&mut stream, part).map_err(|why| LabError::Input(why.to_string()))?;
                sum += part.iter().map(|x| *x as f64).sum::<f64>();
                left -= part.len();
            }
            points.push((f64::from(*sigma), sum / (f64::from(*sigma) * (count as f64).sqrt())));
        }
        let worst = points.iter().map(|p| p.1.abs()).fold(0.0, f64::max);
        let terms = format!("{} widths, {count} samples of its own for each", sigmas.len());
        let (square, chance) = scatter(&points);
        answer.more(&format!("mean square of z, {source}"), (square, "count"), &terms);
        answer.more(&format!("chance of such a scatter, {source}"), (chance, "probability"), &terms);
        answer.more(&format!("largest z of a mean, {source}"), (worst, "σ/√N"), &terms);
        drawn.push(series(source.to_string(), false, points));
    }
    let caption = "Each dot has samples of its own; in units of σ/√N two of three are within ±1.";
    let plots = vec![Plot { title: String::new(), series: drawn }];
    let chart = chart("mean-by-sigma", title, caption, ("σ", false), "mean, in σ/√N", plots);
    answer.drawn(quantity, chart, "10^6 samples for each σ; in a hurry 20,000")
}

pub(super) fn figure_9(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    against_sigma(bench, answer, true, "mean against σ", "Mean against σ, well seeded")
}

pub(super) fn figure_10(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let title = "Mean against σ, seeded with zeros";
    against_sigma(bench, answer, false, "mean against σ under a zero seed", title)
}

/// The sources whose samples the tests reject under a seed of zeros.
fn rejected(recipe: &str, count: u64) -> Result<Vec<&'static str>, LabError> {
    let built = build(recipe)?;
    let mut all = Vec::new();
    for source in SOURCES {
        let mut bits = bits(source, &zeros())?;
        let run = Run::new(&built.recipe().gaussian()?, count, |out| built.sampler().fill(&mut bits, out));
        if !run.map_err(|why| LabError::Input(why.to_string()))?.report.consistent {
            all.push(source.name());
        }
    }
    Ok(all)
}

fn told(rejected: &[&str]) -> String {
    if rejected.is_empty() { "none rejected".into() } else { format!("rejected: {}", rejected.join(", ")) }
}

pub(super) fn zero_seed(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let found = rejected(ZIGGURAT, bench.length(300_000, 1_000_000))?;
    let good = |name: &str| name.contains("aes") || name.starts_with("chacha") || name.starts_with("salsa");
    let others = SOURCES.iter().filter(|source| !good(source.name())).count();
    let outcome = if found.len() == others && found.iter().all(|name| !good(name)) {
        Outcome::Agrees
    } else {
        let why = "KISS-64's zero state keeps two of its three parts at zero; the others are sound under any seed that is a key or is \
                   spread by their set-up, as published";
        Outcome::Differs(why.into())
    };
    answer.statement("a zero seed", &told(&found), "the Ziggurat, σ = 215; the tests of samplez verify", outcome)
}

pub(super) fn other_samplers(bench: &Bench, answer: &mut Answer<'_>) -> Result<(), LabError> {
    let count = bench.length(300_000, 1_000_000);
    let bernoulli = rejected("k_sigma2=254,method=bernoulli,precision=64", count)?;
    let cdt = rejected("sigma=215,method=cdt,precision=64", count)?;
    let ziggurat = rejected(ZIGGURAT, count)?;
    let ours = format!("Bernoulli {}; CDT {}; Ziggurat {}", told(&bernoulli), told(&cdt), told(&ziggurat));
    let verdict = if bernoulli == cdt && cdt == ziggurat {
        Outcome::Agrees
    } else {
        Outcome::Differs("which sampler it is decides whether a broken source shows in so many samples".into())
    };
    answer.statement("other samplers", &ours, &format!("{count} samples each under a seed of zeros"), verdict)
}

#[cfg(test)]
mod tests {
    use super::scatter;

    /// χ² with 20 degrees: half the mass is below 19.337, a thousandth below 5.921 and above 45.315.
    #[test]
    fn scatter_is_chi_squared() {
        let of = |sum: f64| scatter(&[(1.0, (sum / 20.0).sqrt()); 20]);
        assert!((of(19.337).1 - 1.0).abs() < 1e-4 && (of(19.337).0 - 0.96685).abs() < 1e-6);
        assert!((of(5.921).1 - 0.002).abs() < 2e-6 && (of(45.315).1 - 0.002).abs() < 2e-6, "{:?}", of(5.921));
    }
}
