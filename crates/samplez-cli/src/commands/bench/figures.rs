//! Absolute speeds that the papers state, and ours.

use super::race::Race;
use crate::failure::Failure;
use crate::numbers::{grouped, rate};
use crate::report::columns;
use samplez::{Built, DiscreteGaussian, Method, Noise, Options, ParamError, Rational, Recipe, Width};
use serde_json::{Value, json};

/// What a paper states, where, and what is asked of this library.
struct Claim {
    paper: &'static str,
    what: &'static str,
    method: Method,
    width: Width,
    precision: u32,
    memory: Option<u64>,
    /// Million samples a second on the paper's machine.
    stated: Option<f64>,
    asked: f64,
}

/// A claim, measured.
pub(super) struct Figure {
    claim: Claim,
    bytes: u64,
    speed: f64,
}

fn claims() -> Vec<Claim> {
    // Eight times what [BCGHW13] states at σ = 32, n = 106, t = 13.
    let table = |what, method, memory, stated: f64| Claim {
        paper: "[BCGHW13]",
        what,
        method,
        width: Width::Sigma(Rational::from(32)),
        precision: 106,
        memory,
        stated: Some(stated),
        asked: 8.0 * stated,
    };
    let exact = |paper, what, method, width, stated, asked| Claim {
        paper,
        what,
        method,
        width,
        precision: 128,
        memory: None,
        stated,
        asked,
    };
    let k = Width::KSigma2(Rational::from(254));
    let sigma = Width::Sigma(Rational::from(215));
    vec![
        table("inversion, sigma = 32", Method::Cdt, None, 1.37),
        table("inversion, sigma = 32", Method::CdtGuided, None, 1.37),
        table("table rejection, sigma = 32", Method::RejectionTable, None, 0.327),
        table("plain rejection, sigma = 32", Method::Rejection, None, 0.0025),
        table("Knuth-Yao, sigma = 32", Method::KnuthYao, None, 4.85),
        table("Knuth-Yao, sigma = 32", Method::KnuthYaoCompact, None, 4.85),
        table("Ziggurat, 2080 bytes, sigma = 32", Method::Ziggurat, Some(2080), 0.753),
        Claim {
            width: Width::Sigma(Rational::from(160_000)),
            asked: 30.0,
            ..table("Ziggurat, 524 KB, sigma = 1.6e5", Method::Ziggurat, Some(524_288), 1.13)
        },
        exact("[DW18]", "Algorithm 5, Algorithm 9, k = 254", Method::DuWei5Ky, k, Some(12.67), 36.0),
        exact("[DW18]", "Algorithm 5, BLISS, k = 254", Method::DuWei5, k, Some(10.1), 28.0),
        exact("[DW18]", "Algorithm 4, sigma = 215", Method::DuWei4, sigma, Some(5.9), 12.0),
        exact("[Kar16]", "Algorithm D, sigma = 215", Method::Karney, sigma, None, 8.0),
    ]
}

impl Claim {
    fn build(&self) -> Result<Box<dyn Noise>, String> {
        let law = DiscreteGaussian::new(Rational::from(0), self.width).map_err(|e: ParamError| e.to_string())?;
        let tail = Some(Rational::from(13));
        let options = Options { precision: Some(self.precision), tail, memory: self.memory, ..Options::default() };
        let recipe = Recipe { law, method: Some(self.method), options: self.method.part_of(&options) };
        recipe.build().map(Built::into_sampler).map_err(|e| e.to_string())
    }
}

/// All claims in one race.
pub(super) fn measure(race: Race) -> Result<Vec<Figure>, Failure> {
    let claims = claims();
    let samplers: Vec<Box<dyn Noise>> =
        claims.iter().map(Claim::build).collect::<Result<_, _>>().map_err(Failure::Input)?;
    let speeds = race.run(&samplers.iter().map(|sampler| &**sampler).collect::<Vec<_>>())?;
    let figures = claims.into_iter().zip(samplers).zip(speeds);
    Ok(figures
        .map(|((claim, sampler), speed)| Figure { claim, bytes: sampler.profile().table_bytes as u64, speed })
        .collect())
}

impl Figure {
    fn is_met(&self) -> bool {
        self.speed >= self.claim.asked
    }

    pub(super) fn as_json(&self) -> Value {
        json!({
            "paper": self.claim.paper,
            "what": self.claim.what,
            "method": self.claim.method.name(),
            "bytes": self.bytes,
            "stated": self.claim.stated,
            "asked": self.claim.asked,
            "million_per_second": self.speed,
            "met": self.is_met(),
        })
    }
}

pub(super) fn as_text(figures: &[Figure]) -> String {
    let header = ["paper", "its figure for", "method", "bytes", "stated", "asked", "here", "times stated", "verdict"];
    let mut rows = vec![header.map(String::from).to_vec()];
    rows.extend(figures.iter().map(|figure| {
        let claim = &figure.claim;
        vec![
            claim.paper.into(),
            claim.what.into(),
            claim.method.name().into(),
            grouped(i128::from(figure.bytes)),
            claim.stated.map_or_else(|| "-".into(), |stated| stated.to_string()),
            rate(claim.asked),
            rate(figure.speed),
            claim.stated.map_or_else(|| "-".into(), |stated| rate(figure.speed / stated)),
            if figure.is_met() { "met" } else { "MISSED" }.into(),
        ]
    }));
    columns(&rows, &[3, 4, 5, 6, 7])
}
