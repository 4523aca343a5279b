//! The pictures: a panel for each source and seed.

use super::trial::Trial;
use crate::plot::{Axis, Layout, Marks, Panel, Sheet};
use samplez::DiscreteGaussian;
use samplez_cli::testing::text::{grouped, symbols};

/// The sheets, each with the name of its file.
///
/// ```
/// let law = samplez::DiscreteGaussian::with_sigma(215.into())?;
/// let [(name, mean), ..] = samplez_lab::seeding::sheets(&law, &[], 1000);
/// assert!(name == "mean" && mean.draw().contains("Running mean"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn all(law: &DiscreteGaussian, trials: &[Trial], count: u64) -> [(&'static str, Sheet); 4] {
    let (center, sigma) = trials.first().map_or((0.0, 1.0), |trial| (trial.run.mean, trial.run.sigma));
    let n = count as f64;
    let numbers = || Axis { name: "samples N".into(), from: 1.0, to: n, logarithmic: true };
    let band = |factor: f64| -> Vec<(f64, f64)> {
        (0..=60).map(|i| n.powf(f64::from(i) / 60.0)).map(|m| (m, center + factor * sigma / m.sqrt())).collect()
    };
    let sheet = |title: &str, subtitle: &str, x, y, guides, panels| Sheet {
        title: format!("{title}: {}, {} samples", symbols(law), grouped(count)),
        subtitle: subtitle.to_string(),
        x,
        y,
        guides,
        panels,
        layout: Layout::SMALL,
    };
    let of = |marks, points: &dyn Fn(&Trial) -> Vec<(f64, f64)>| -> Vec<Panel> {
        let panel = |trial: &Trial| Panel {
            title: trial.name(),
            failed: !trial.run.report.consistent,
            marks,
            points: points(trial),
            labels: Vec::new(),
        };
        trials.iter().map(panel).collect()
    };
    let mean = of(Marks::Line, &|t| t.run.track.iter().map(|p| (p.n as f64, p.mean)).collect());
    let distance = of(Marks::Line, &|t| t.run.track.iter().map(|p| (p.n as f64, (p.mean - center).abs())).collect());
    let by_sigma = of(Marks::Dots, &|t| t.by_sigma.clone());
    let samples =
        of(Marks::Dots, &|t| t.run.head.iter().take(500).enumerate().map(|(i, x)| (i as f64, *x as f64)).collect());
    let flat = |height: f64| vec![(0.0, height), (sigma, height)];
    [
        (
            "mean",
            sheet(
                "Running mean",
                "bands: ±2 standard deviations σ/√N of the mean of ideal samples; red: rejected by the tests",
                numbers(),
                Axis { name: "mean".into(), from: center - sigma, to: center + sigma, logarithmic: false },
                vec![band(2.0), band(-2.0)],
                mean,
            ),
        ),
        (
            "distance",
            sheet(
                "Distance of the mean from the centre",
                "line: its standard deviation σ/√N for ideal samples; red: rejected by the tests",
                numbers(),
                Axis {
                    name: "|mean − centre|".into(),
                    from: 0.01 * sigma / n.sqrt(),
                    to: 4.0 * sigma,
                    logarithmic: true,
                },
                vec![band(1.0).into_iter().map(|(m, y)| (m, y - center)).collect()],
                distance,
            ),
        ),
        (
            "mean-by-sigma",
            sheet(
                "Mean against σ",
                "in units of its standard deviation σ/√N, an eighth of the samples each; lines: ±2",
                Axis { name: "σ".into(), from: 0.0, to: sigma, logarithmic: false },
                Axis { name: "z of the mean".into(), from: -6.0, to: 6.0, logarithmic: false },
                vec![flat(2.0), flat(-2.0)],
                by_sigma,
            ),
        ),
        (
            "samples",
            sheet(
                "Sample by sample",
                "the first 500; red: rejected by the tests",
                Axis { name: "sample".into(), from: 0.0, to: 500.0, logarithmic: false },
                Axis { name: "x".into(), from: center - 4.5 * sigma, to: center + 4.5 * sigma, logarithmic: false },
                vec![],
                samples,
            ),
        ),
    ]
}
