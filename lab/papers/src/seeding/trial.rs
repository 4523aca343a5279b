//! Runs of one sampler over one source under one seed.

use crate::error::LabError;
use samplez::{BitReader, Bulk, DiscreteGaussian, FillError, Noise, Rational, Recipe, Seed, Source, Width};
use samplez_check::seeding::{Run, RunError, repeating_bits};
use samplez_sources::SeededGenerator;

/// Words that are searched for bits that repeat.
const WORDS: usize = 4096;
/// The mean is measured at these eighths of the width's number.
const EIGHTHS: [i64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

/// A law, and a sampler of it.
pub type Sampler = (DiscreteGaussian, Box<dyn Noise>);

/// What one source did under one seed.
#[derive(Debug)]
pub struct Trial {
    /// The source.
    pub source: Source,
    /// Where the seed came from; «none» for a source that takes none.
    pub seed: &'static str,
    pub(crate) run: Run,
    /// σ, and the mean in units of its standard deviation.
    pub(crate) by_sigma: Vec<(f64, f64)>,
    pub(crate) repeating: u32,
}

/// The samplers of eighths of the width, with their σ; fewer where the method refuses.
///
/// ```
/// let recipe: samplez::Recipe = "sigma=215,method=ziggurat".parse()?;
/// assert_eq!(samplez_lab::seeding::narrower(&recipe).len(), 8);
/// # Ok::<(), samplez::Refused>(())
/// ```
pub fn narrower(recipe: &Recipe) -> Vec<Sampler> {
    let Ok(law) = recipe.gaussian() else { return Vec::new() };
    let mut samplers = Vec::new();
    for eighth in EIGHTHS {
        let scaled = |q: Rational| {
            let (num, den) = (q.num().checked_mul(eighth), q.den().checked_mul(8));
            num.zip(den).and_then(|(num, den)| Rational::new(num, den))
        };
        let width = match law.width() {
            Width::Sigma(q) => scaled(q).map(Width::Sigma),
            Width::SigmaSq(q) => scaled(q).map(Width::SigmaSq),
            Width::KSigma2(q) => scaled(q).map(Width::KSigma2),
            Width::S(q) => scaled(q).map(Width::S),
        };
        let law = width.and_then(|width| DiscreteGaussian::new(law.center(), width).ok());
        if let Some(law) = law
            && let Ok(built) = (Recipe { law: law.into(), ..*recipe }).build()
        {
            samplers.push((law, built.into_sampler()));
        }
    }
    samplers
}

impl Trial {
    /// One source under one seed, of which the reader is told the name: so many samples of a sampler of the law, and an eighth of them of each
    /// narrower one.
    ///
    /// # Errors
    ///
    /// If a sample does not fit, or the source fails.
    ///
    /// ```
    /// use samplez_lab::seeding::{Trial, narrower};
    /// let recipe: samplez::Recipe = "sigma=215,method=ziggurat".parse()?;
    /// let (built, seed) = (recipe.build()?, samplez::Seed::from_bytes([0; 32]));
    /// let trial = Trial::run(&recipe.gaussian()?, built.sampler(), &narrower(&recipe), samplez::Source::ChaCha20, (&seed, "zeros"), 1000)?;
    /// assert_eq!(trial.name(), "chacha20, zeros");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(
        law: &DiscreteGaussian,
        sampler: &dyn Noise,
        narrower: &[Sampler],
        source: Source,
        (seed, name): (&Seed, &'static str),
        count: u64,
    ) -> Result<Trial, LabError> {
        let run = draw(law, sampler, source, seed, &mut reader(source, seed), count)?;
        let mut by_sigma = Vec::new();
        // One stream for all widths, each of which goes on where the one before it ended: one beginning for all would be one mean.
        let mut bits = reader(source, seed);
        for (law, sampler) in narrower {
            let run = draw(law, &**sampler, source, seed, &mut bits, (count / 8).max(100))?;
            by_sigma.push((run.sigma, run.z));
        }
        let mut bytes = vec![0; 8 * WORDS];
        let stream = source.open(seed).and_then(|mut rng| rng.try_fill_bytes(&mut bytes));
        stream.map_err(|error| LabError::System(error.to_string()))?;
        let words: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let name = if source.is_seeded() { name } else { "none" };
        Ok(Trial { source, seed: name, run, by_sigma, repeating: repeating_bits(&words) })
    }

    /// Its source and its seed.
    ///
    /// ```
    /// # use samplez_lab::seeding::Trial;
    /// let recipe: samplez::Recipe = "sigma=3.2,method=cdt".parse()?;
    /// let (built, seed) = (recipe.build()?, samplez::Seed::from_bytes([0; 32]));
    /// let trial = Trial::run(&recipe.gaussian()?, built.sampler(), &[], samplez::Source::Kiss64, (&seed, "zeros"), 1000)?;
    /// assert_eq!(trial.name(), "kiss64, zeros");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn name(&self) -> String {
        format!("{}, {}", self.source, self.seed)
    }
}

/// The source's one continuous stream, if it takes a seed.
fn reader(source: Source, seed: &Seed) -> Option<BitReader<SeededGenerator>> {
    source.seeded(seed).map(BitReader::new)
}

/// Samples from a stream, or in bulk from a source that takes no seed.
fn draw(
    law: &DiscreteGaussian,
    sampler: &dyn Noise,
    source: Source,
    seed: &Seed,
    stream: &mut Option<BitReader<SeededGenerator>>,
    count: u64,
) -> Result<Run, LabError> {
    let run = match stream {
        Some(bits) => Run::new(law, count, |out| sampler.fill(bits, out).map_err(FillError::Range)),
        None => {
            let bulk = Bulk::new(sampler, source, seed.clone());
            Run::new(law, count, |out| bulk.fill(0, out))
        }
    };
    run.map_err(|error| match error {
        RunError::Draw(FillError::Entropy(error)) => LabError::System(error.to_string()),
        error => LabError::Input(error.to_string()),
    })
}
