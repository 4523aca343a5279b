//! A sampler under every random source, well and badly seeded: \[BSOVOGR17\]'s pictures, judged by tests.

mod sheets;
mod trial;

use samplez::{DiscreteGaussian, Source};
use samplez_cli::testing::text::{columns, grouped};
use samplez_stats::Verdict;
use serde_json::{Value, json};
use std::fmt::Write;

pub use sheets::all as sheets;
pub use trial::{Sampler, Trial, narrower};

/// A line for each trial, with the tests that reject it.
///
/// ```
/// let law = samplez::DiscreteGaussian::with_sigma(215.into())?;
/// assert!(samplez_lab::seeding::summary(&law, &[], 1000, "ziggurat").starts_with("1,000 samples of D_Z"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn summary(law: &DiscreteGaussian, trials: &[Trial], count: u64, method: &str) -> String {
    let header = ["source", "seed", "mean", "z of the mean", "periodic bits", "verdict"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for trial in trials {
        let mean = trial.run.track.last().map_or(0.0, |point| point.mean);
        rows.push(vec![
            trial.source.to_string(),
            trial.seed.to_string(),
            format!("{mean:.4}"),
            format!("{:.2}", trial.run.z),
            trial.repeating.to_string(),
            verdict(trial),
        ]);
    }
    let deviation = trials.first().map_or(0.0, |trial| trial.run.sigma) / (count as f64).sqrt();
    let mut text = format!(
        "{} samples of {law} by {method} for each source and seed.\n\
         The mean of ideal samples has standard deviation σ/√N = {deviation:.4}; z is its distance in that unit.\n\
         Periodic bits: of the 64 positions of a word, those that repeat within 512 words.\n\n{}",
        grouped(count),
        columns(&rows, &[2, 3, 4])
    );
    if trials.iter().any(|t| t.source == Source::Kiss64 && t.seed == "zeros") {
        text.push_str(
            "\nkiss64, zeros: x = c = 0 and y = 0 are fixed points of the multiply-with-carry and the xorshift part. Only\n\
             the congruential part runs, whose bit i has period 2^(i+1).\n",
        );
    }
    text
}

impl Trial {
    /// What came out, by name: `source`, `seed`, `samples`, `mean`, `z`, `periodic_bits`, `consistent`, and the tests that reject.
    ///
    /// ```
    /// use samplez_lab::seeding::{Trial, narrower};
    /// let recipe: samplez::Recipe = "sigma=215,method=ziggurat".parse()?;
    /// let (built, seed) = (recipe.build()?, samplez::Seed::from_bytes([0; 32]));
    /// let trial = Trial::run(&recipe.gaussian()?, built.sampler(), &[], samplez::Source::ChaCha20, (&seed, "zeros"), 1000)?;
    /// assert_eq!(trial.as_json()["consistent"], true);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_json(&self) -> Value {
        json!({
            "source": self.source.name(),
            "seed": self.seed,
            "samples": self.run.report.n,
            "mean": self.run.track.last().map(|point| point.mean),
            "z": self.run.z,
            "periodic_bits": self.repeating,
            "consistent": self.run.report.consistent,
            "rejected_by": rejecting(self),
        })
    }
}

/// The names of the tests that reject.
fn rejecting(trial: &Trial) -> Vec<&str> {
    let rejecting = trial.run.report.tests.iter().filter(|test| test.verdict == Verdict::Reject);
    rejecting.map(|test| test.name.as_str()).collect()
}

/// The tests that reject, the first three by name.
fn verdict(trial: &Trial) -> String {
    let rejecting = rejecting(trial);
    match rejecting.len() {
        0 => "consistent".to_string(),
        n => {
            let more = if n > 3 { format!(" and {} more", n - 3) } else { String::new() };
            format!("REJECTED by {}{more}", rejecting[..n.min(3)].join(", "))
        }
    }
}

/// The trials' figures as comma-separated values, each table with its name.
///
/// ```
/// assert!(samplez_lab::seeding::tables(&[])[0].1.starts_with("source,seed,samples"));
/// ```
pub fn tables(trials: &[Trial]) -> [(&'static str, String); 4] {
    let (mut summary, mut means, mut sigmas, mut samples) = (
        "source,seed,samples,mean,z,periodic bits,consistent\n".to_string(),
        "source,seed,n,mean,deviation\n".to_string(),
        "source,seed,sigma,z\n".to_string(),
        "source,seed,i,x\n".to_string(),
    );
    for trial in trials {
        let (source, seed, run) = (trial.source, trial.seed, &trial.run);
        let mean = run.track.last().map_or(0.0, |point| point.mean);
        let consistent = run.report.consistent;
        let _ = writeln!(summary, "{source},{seed},{},{mean},{},{},{consistent}", run.report.n, run.z, trial.repeating);
        for point in &run.track {
            let _ = writeln!(means, "{source},{seed},{},{},{}", point.n, point.mean, point.deviation);
        }
        for (sigma, z) in &trial.by_sigma {
            let _ = writeln!(sigmas, "{source},{seed},{sigma},{z}");
        }
        for (i, x) in run.head.iter().enumerate() {
            let _ = writeln!(samples, "{source},{seed},{i},{x}");
        }
    }
    [("summary", summary), ("means", means), ("sigmas", sigmas), ("samples", samples)]
}
