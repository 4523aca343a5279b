//! What experiments share: how long they may take, and races whose results several items need.

use crate::answer::Answer;
use crate::error::LabError;
use crate::race::Race;
use samplez::{BitReader, Built, Noise, Recipe, Seed, Source};
use samplez_check::papers::{Row, bit_counts};
use samplez_cli::testing::measure::clock::Clock;
use samplez_cli::testing::measure::rounds::{levelled_time, median};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::hint::black_box;
use std::path::PathBuf;
use std::rc::Rc;

/// Items whose numbers are times, not the same twice.
#[cfg(test)]
pub(crate) const TIMED: &[&str] = &[
    "B1", "B2", "B11", "B12", "B14", "B15a", "B15b", "B15c", "B16a", "B16b", "B17", "B18", "B19", "B20", "B21", "B23",
    "B24", "B25", "D5", "D7", "D8", "D16", "D17", "D18", "D19", "D21", "D22", "J13", "J18", "J19", "J20", "J23", "S6",
    "S8", "S9", "S11", "S12", "S13", "S15", "S26", "S27",
];

/// Turns of single calls, an odd number; the median of their means counts.
const MEANS: usize = 5;

/// A ratio of speeds is the paper's if it is within a quarter.
pub(super) const RATIO: f64 = 0.25;

/// How an item is measured.
pub(crate) type Measure = fn(&Bench, &mut Answer<'_>) -> Result<(), LabError>;

/// A sampler, timed.
#[derive(Clone, Debug)]
pub(crate) struct Timed {
    pub(crate) recipe: String,
    pub(crate) bytes: u64,
    pub(crate) rectangles: Option<u32>,
    /// Trials of a sample, and its random bits, as the sampler declares them.
    pub(crate) trials: f64,
    pub(crate) bits: f64,
    /// Million samples a second in bulk, the median of turns.
    pub(crate) bulk: f64,
    /// Million samples a second by single calls, the median of means.
    pub(crate) single: f64,
}

impl Timed {
    /// On which terms the single calls ran.
    pub(crate) fn singly(&self) -> String {
        format!(
            "{}; {} bytes; single calls, the median of five means",
            self.recipe,
            samplez_cli::testing::text::grouped(i128::from(self.bytes))
        )
    }

    /// On which terms the bulk ran.
    pub(crate) fn in_bulk(&self) -> String {
        format!(
            "{}; {} bytes; in bulk to i32, the median of turns",
            self.recipe,
            samplez_cli::testing::text::grouped(i128::from(self.bytes))
        )
    }
}

/// How long experiments may take, and what they have measured for each other.
pub(crate) struct Bench {
    pub(crate) quick: bool,
    /// The command built without vectorization, if there is one.
    pub(crate) unvectorized: Option<PathBuf>,
    races: RefCell<BTreeMap<String, Rc<Vec<Timed>>>>,
    bits: OnceCell<Vec<Row>>,
}

impl Bench {
    pub(crate) fn new(quick: bool, unvectorized: Option<PathBuf>) -> Bench {
        Bench { quick, unvectorized, races: RefCell::default(), bits: OnceCell::new() }
    }

    /// `quick` in a hurry, `whole` otherwise.
    pub(crate) fn length<T>(&self, quick: T, whole: T) -> T {
        if self.quick { quick } else { whole }
    }

    /// Repetitions of what is counted.
    pub(crate) fn repetitions(&self) -> u32 {
        self.length(100_000, 400_000)
    }

    /// The counts of \[DW18\]'s procedures, made once.
    pub(crate) fn bits(&self) -> &[Row] {
        self.bits.get_or_init(|| bit_counts(self.repetitions()))
    }

    pub(crate) fn race(&self) -> Race {
        Race { source: Source::ChaCha20, rounds: self.length(3, 7), turn: self.length(0.002, 0.02) }
    }

    /// The samplers of these recipes in one race, in bulk and by single calls; once for all items that ask for the same.
    pub(crate) fn timed(&self, recipes: &[String]) -> Result<Rc<Vec<Timed>>, LabError> {
        let name = recipes.join(";");
        if let Some(known) = self.races.borrow().get(&name) {
            return Ok(Rc::clone(known));
        }
        let built = recipes.iter().map(|recipe| build(recipe)).collect::<Result<Vec<Built>, _>>()?;
        let samplers: Vec<&dyn Noise> = built.iter().map(Built::sampler).collect();
        let bulk = self.race().run(&samplers)?;
        // In turns as well, so that what else the machine does meets all alike.
        let calls = self.length(0.01, 0.1) / MEANS as f64;
        let mut singly = vec![Vec::with_capacity(MEANS); built.len()];
        for _ in 0..MEANS {
            for (built, means) in built.iter().zip(&mut singly) {
                means.push(single(built.sampler(), calls));
            }
        }
        let timed = built.iter().zip(bulk).zip(singly).zip(recipes).map(|(((built, bulk), singly), recipe)| Timed {
            recipe: recipe.clone(),
            bytes: built.profile().table_bytes as u64,
            rectangles: built.options().rectangles,
            trials: built.profile().expected_trials,
            bits: built.profile().expected_bits,
            bulk,
            single: median(singly),
        });
        let timed = Rc::new(timed.collect::<Vec<_>>());
        self.races.borrow_mut().insert(name, Rc::clone(&timed));
        Ok(timed)
    }
}

impl Bench {
    /// The bytes of what a recipe makes: known from a race, or built.
    pub(crate) fn bytes(&self, recipe: &str) -> Result<f64, LabError> {
        let races = self.races.borrow();
        let known = races.values().flat_map(|race| race.iter()).find(|timed| timed.recipe == recipe);
        match known {
            Some(timed) => Ok(timed.bytes as f64),
            None => Ok(build(recipe)?.profile().table_bytes as f64),
        }
    }
}

/// The median and the quartiles of turns. The middle half counts: a busy machine may spoil the others.
pub(super) fn quartiles(mut turns: Vec<f64>) -> [f64; 3] {
    turns.sort_by(f64::total_cmp);
    let n = turns.len();
    [turns[n / 2], turns[n / 4], turns[n - 1 - n / 4]]
}

/// What a recipe makes.
pub(crate) fn build(recipe: &str) -> Result<Built, LabError> {
    let failed = |refused: samplez::Refused| LabError::Input(format!("{recipe}: {refused}"));
    recipe.parse::<Recipe>().and_then(|recipe| recipe.build()).map_err(failed)
}

/// Million samples a second by single calls, the mean over so many seconds and 10^6 calls at most.
fn single(sampler: &dyn Noise, seconds: f64) -> f64 {
    let mut reader = BitReader::new(samplez_sources::ChaCha20::new(&Seed::from_bytes([1; 32])));
    let bits: &mut BitReader<dyn rand_core::Rng + '_> = &mut reader;
    let mut calls = 0;
    let spent = levelled_time(|| {
        let start = Clock::now();
        while calls < 1_000_000 && start.elapsed().as_secs_f64() < seconds {
            for _ in 0..1000 {
                black_box(sampler.sample(bits));
            }
            calls += 1000;
        }
        Ok::<(), Infallible>(())
    });
    let Ok(spent) = spent;
    f64::from(calls) / spent / 1e6
}
