//! Absolute speeds that the papers state, and ours.

use crate::contenders::RECTANGLES_32;
use crate::data::{Claim, Unit};
use crate::error::LabError;
use crate::race::Race;
use samplez::{Built, DiscreteGaussian, Method, Noise, Options, ParamError, Rational, Recipe, Width};
use samplez_cli::testing::text::{columns, grouped, rate};
use serde_json::{Value, json};

/// What a paper states, where, and what is asked of this library.
#[derive(Clone, Debug)]
struct PaperFigure {
    paper: &'static str,
    what: &'static str,
    method: Method,
    width: Width,
    precision: u32,
    rectangles: Option<u32>,
    /// The claim that has the figure: its item and its quantity.
    claim: (&'static str, &'static str),
    asked: f64,
}

/// A speed that a paper states, measured here.
#[derive(Clone, Debug)]
pub struct Figure {
    stated: PaperFigure,
    /// Million samples a second on the paper's machine.
    theirs: f64,
    bytes: u64,
    speed: f64,
}

/// The rectangles of 524 KB: 20 bytes each at 106 bits, and 36 beside them.
const RECTANGLES_WIDE: u32 = (524_000 - 36) / 20;

fn stated() -> Vec<PaperFigure> {
    // [BCGHW13]: n = 106, t = 13.
    let table = |what, method, claim, asked| PaperFigure {
        paper: "[BCGHW13]",
        what,
        method,
        width: Width::Sigma(Rational::from(32)),
        precision: 106,
        rectangles: None,
        claim,
        asked,
    };
    let wide = |it: PaperFigure| PaperFigure { width: Width::Sigma(Rational::from(160_000)), ..it };
    let exact = |what, method, width, claim, asked| PaperFigure {
        paper: "[DW18]",
        what,
        method,
        width,
        precision: 128,
        rectangles: None,
        claim,
        asked,
    };
    let k = Width::KSigma2(Rational::from(254));
    let sigma = Width::Sigma(Rational::from(215));
    let inversion = ("B15a", "inversion at 32");
    let walk = ("B15a", "Knuth-Yao at 32");
    let wide_walk = exact("Algorithm 5, Algorithm 9, k = 254", Method::DuWei5Ky, k, ALGORITHM_9, 36.0);
    vec![
        table("inversion, sigma = 32", Method::Cdt, inversion, 11.0),
        table("inversion, sigma = 32, guided", Method::CdtGuided, inversion, 11.0),
        table("table rejection, sigma = 32", Method::RejectionTable, ("B15a", "table rejection at 32"), 2.6),
        table("plain rejection, sigma = 32", Method::Rejection, ("B15a", "plain rejection at 32"), 0.02),
        table("Knuth-Yao, sigma = 32", Method::KnuthYao, walk, 38.8),
        table("Knuth-Yao, sigma = 32, compact", Method::KnuthYaoCompact, walk, 38.8),
        PaperFigure {
            rectangles: Some(RECTANGLES_32),
            ..table("Ziggurat, 6656 bytes, sigma = 32", Method::Ziggurat, ("B15a", "Ziggurat at 32"), 6.0)
        },
        PaperFigure {
            rectangles: Some(RECTANGLES_WIDE),
            ..wide(table("Ziggurat, 524 KB, sigma = 1.6e5", Method::Ziggurat, WIDE, 30.0))
        },
        wide(table("Ziggurat, sigma = 1.6e5", Method::Ziggurat, WIDE, 30.0)),
        wide(table("inversion, sigma = 1.6e5", Method::Cdt, ("B16b", "inversion at 1.6e5"), 2.2)),
        wide(table(
            "table rejection, sigma = 1.6e5",
            Method::RejectionTable,
            ("B16b", "table rejection at 1.6e5"),
            1.5,
        )),
        wide_walk,
        exact("Algorithm 5, BLISS, k = 254", Method::DuWei5, k, ("D16", "Algorithm 5 with BIN"), 28.0),
        exact("Algorithm 4, sigma = 215", Method::DuWei4, sigma, ("D16", "Algorithm 4"), 12.0),
        exact("Karney, sigma = 215", Method::Karney, sigma, ("D8", "Karney at 215"), 8.0),
    ]
}

const ALGORITHM_9: (&str, &str) = ("D16", "Algorithm 5 with Algorithm 9 at k = 254");
const WIDE: (&str, &str) = ("B16a", "Ziggurat at 1.6e5 in 524 KB");

impl PaperFigure {
    fn build(&self) -> Result<Box<dyn Noise>, String> {
        let law = DiscreteGaussian::new(Rational::from(0), self.width).map_err(|e: ParamError| e.to_string())?;
        let tail = Some(Rational::from(13));
        let options =
            Options { precision: Some(self.precision), tail, rectangles: self.rectangles, ..Options::default() };
        let recipe = Recipe { law: law.into(), method: Some(self.method), options: self.method.part_of(&options) };
        recipe.build().map(Built::into_sampler).map_err(|e| e.to_string())
    }

    /// The paper's figure in million samples a second.
    fn theirs(&self, claims: &[Claim]) -> Result<f64, String> {
        let (item, quantity) = self.claim;
        let claim = claims.iter().find(|claim| claim.item == item && claim.quantity == quantity);
        let millions = Unit::of("million samples/s");
        let figure = claim.and_then(|claim| claim.unit.to(millions?, claim.number()?));
        figure.ok_or_else(|| format!("kat/papers has no speed for {item}, {quantity}"))
    }
}

impl Figure {
    /// All figures in one race.
    ///
    /// # Errors
    ///
    /// If a claim is not in kat/papers, or a sampler cannot be built or run.
    ///
    /// ```no_run
    /// use samplez_lab::{Figure, Race};
    /// let race = Race { source: samplez::Source::ChaCha20, rounds: 5, turn: 0.01 };
    /// println!("{}", Figure::table(&Figure::measure(race)?));
    /// # Ok::<(), samplez_lab::LabError>(())
    /// ```
    pub fn measure(race: Race) -> Result<Vec<Figure>, LabError> {
        let claims = Claim::all().map_err(LabError::Input)?;
        let stated = stated();
        let samplers: Vec<Box<dyn Noise>> =
            stated.iter().map(PaperFigure::build).collect::<Result<_, _>>().map_err(LabError::Input)?;
        let speeds = race.run(&samplers.iter().map(|sampler| &**sampler).collect::<Vec<_>>())?;
        let figures = stated.into_iter().zip(samplers).zip(speeds).map(|((stated, sampler), speed)| {
            let theirs = stated.theirs(&claims)?;
            Ok(Figure { stated, theirs, bytes: sampler.profile().table_bytes as u64, speed })
        });
        figures.collect::<Result<_, String>>().map_err(LabError::Input)
    }

    fn is_met(&self) -> bool {
        self.speed >= self.stated.asked
    }

    /// As JSON.
    ///
    /// ```no_run
    /// use samplez_lab::{Figure, Race};
    /// let race = Race { source: samplez::Source::ChaCha20, rounds: 5, turn: 0.01 };
    /// let all: Vec<_> = Figure::measure(race)?.iter().map(Figure::as_json).collect();
    /// assert!(all.iter().all(|figure| figure["met"] == true));
    /// # Ok::<(), samplez_lab::LabError>(())
    /// ```
    pub fn as_json(&self) -> Value {
        json!({
            "paper": self.stated.paper,
            "what": self.stated.what,
            "method": self.stated.method.name(),
            "bytes": self.bytes,
            "stated": self.theirs,
            "asked": self.stated.asked,
            "million_per_second": self.speed,
            "met": self.is_met(),
        })
    }

    /// A line for each.
    ///
    /// ```
    /// assert!(samplez_lab::Figure::table(&[]).contains("its figure for"));
    /// ```
    pub fn table(figures: &[Figure]) -> String {
        let header =
            ["paper", "its figure for", "method", "bytes", "stated", "asked", "here", "times stated", "verdict"];
        let mut rows = vec![header.map(String::from).to_vec()];
        rows.extend(figures.iter().map(|figure| {
            let stated = &figure.stated;
            vec![
                stated.paper.into(),
                stated.what.into(),
                stated.method.name().into(),
                grouped(i128::from(figure.bytes)),
                short(figure.theirs),
                rate(stated.asked),
                rate(figure.speed),
                rate(figure.speed / figure.theirs),
                if figure.is_met() { "met" } else { "MISSED" }.into(),
            ]
        }));
        columns(&rows, &[3, 4, 5, 6, 7])
    }
}

/// As the paper prints it: no digits that a change of units makes.
fn short(figure: f64) -> String {
    ((figure * 1e6).round() / 1e6).to_string()
}
