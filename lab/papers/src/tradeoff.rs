//! Speed against memory, as \[BCGHW13\]'s figure has it.

use crate::error::LabError;
use crate::plot::{Axis, Layout, Marks, Panel, Sheet};
use crate::race::Race;
use samplez::{DiscreteGaussian, Method, Noise, Options, Rational, Recipe};
use samplez_cli::testing::text::{columns, grouped, rate};
use serde_json::{Value, json};
use std::fmt::Write;

/// 2 to 8192 rectangles.
const LOG2_RECTANGLES: std::ops::RangeInclusive<u32> = 1..=13;
const OTHERS: [Method; 4] = [Method::Cdt, Method::CdtGuided, Method::KnuthYao, Method::KnuthYaoCompact];

#[derive(Clone, Debug)]
struct Point {
    sigma: String,
    method: Method,
    rectangles: Option<u32>,
    bytes: u64,
    speed: f64,
}

/// The Ziggurat's speed against its memory, beside inversion and Knuth–Yao.
#[derive(Clone, Debug)]
pub struct Tradeoff {
    race: Race,
    sigmas: Vec<String>,
    points: Vec<Point>,
    refused: String,
}

impl Tradeoff {
    /// All widths, each in a race of its own.
    ///
    /// # Errors
    ///
    /// If a width is no number, or a source fails.
    ///
    /// ```
    /// use samplez_lab::{Race, Tradeoff};
    /// let race = Race { source: samplez::Source::ChaCha20, rounds: 1, turn: 0.0001 };
    /// let measured = Tradeoff::measure(race, &["10".into()])?;
    /// assert!(measured.csv().contains("10,knuth-yao,,1856,") && measured.draw().contains("cdt-guided"));
    /// # Ok::<(), samplez_lab::LabError>(())
    /// ```
    pub fn measure(race: Race, sigmas: &[String]) -> Result<Tradeoff, LabError> {
        let (mut points, mut refused) = (Vec::new(), String::new());
        for sigma in sigmas {
            points.extend(measure(race, sigma, &mut refused)?);
        }
        Ok(Tradeoff { race, sigmas: sigmas.to_vec(), points, refused })
    }

    /// A line for each point, and below them what could not be built.
    ///
    /// ```
    /// # use samplez_lab::{Race, Tradeoff};
    /// let race = Race { source: samplez::Source::ChaCha20, rounds: 1, turn: 0.0001 };
    /// assert!(Tradeoff::measure(race, &[])?.text().starts_with("sigma  method"));
    /// # Ok::<(), samplez_lab::LabError>(())
    /// ```
    pub fn text(&self) -> String {
        as_text(&self.points) + &self.refused
    }

    /// Comma-separated values.
    ///
    /// ```
    /// # use samplez_lab::{Race, Tradeoff};
    /// let race = Race { source: samplez::Source::ChaCha20, rounds: 1, turn: 0.0001 };
    /// assert_eq!(Tradeoff::measure(race, &[])?.csv(), "sigma,method,rectangles,bytes,million_per_second\n");
    /// # Ok::<(), samplez_lab::LabError>(())
    /// ```
    pub fn csv(&self) -> String {
        as_csv(&self.points)
    }

    /// The same by name, and what could not be built.
    ///
    /// ```
    /// # use samplez_lab::{Race, Tradeoff};
    /// let race = Race { source: samplez::Source::ChaCha20, rounds: 1, turn: 0.0001 };
    /// assert_eq!(Tradeoff::measure(race, &[])?.as_json()["rounds"], 1);
    /// # Ok::<(), samplez_lab::LabError>(())
    /// ```
    pub fn as_json(&self) -> Value {
        let point = |Point { sigma, method, rectangles, bytes, speed }: &Point| {
            json!({
                "sigma": sigma, "method": method.name(), "rectangles": rectangles, "bytes": bytes, "million_per_second": speed,
            })
        };
        json!({
            "points": self.points.iter().map(point).collect::<Vec<_>>(),
            "refused": self.refused.lines().collect::<Vec<_>>(),
            "source": self.race.source.name(),
            "rounds": self.race.rounds,
            "turn_seconds": self.race.turn,
            "clock": samplez_cli::testing::measure::clock::NAME,
        })
    }

    /// A picture: SVG, a panel for each width.
    ///
    /// ```
    /// # use samplez_lab::{Race, Tradeoff};
    /// let race = Race { source: samplez::Source::ChaCha20, rounds: 1, turn: 0.0001 };
    /// assert!(Tradeoff::measure(race, &[])?.draw().starts_with("<svg"));
    /// # Ok::<(), samplez_lab::LabError>(())
    /// ```
    pub fn draw(&self) -> String {
        sheet(self.race, &self.sigmas, &self.points).draw()
    }
}

/// All samplers of one width in one race; what cannot be built is told in `refused`.
fn measure(race: Race, sigma: &str, refused: &mut String) -> Result<Vec<Point>, LabError> {
    let width: Rational = sigma.parse().map_err(|_| LabError::Input(format!("sigma = {sigma}: not a number")))?;
    let law = DiscreteGaussian::with_sigma(width).map_err(|e| LabError::Input(e.to_string()))?;
    let ziggurats = LOG2_RECTANGLES.map(|log2| (Method::Ziggurat, Some(1 << log2)));
    let mut built: Vec<(Method, Option<u32>, Box<dyn Noise>)> = Vec::new();
    for (method, rectangles) in ziggurats.chain(OTHERS.map(|method| (method, None))) {
        let (precision, tail) = (Some(106), Some(Rational::from(13)));
        let options = method.part_of(&Options { precision, tail, rectangles, ..Options::default() });
        match (Recipe { law: law.into(), method: Some(method), options }).build() {
            Ok(one) => built.push((method, rectangles, one.into_sampler())),
            Err(why) => *refused += &format!("{method}: {why}\n"),
        }
    }
    let speeds = race.run(&built.iter().map(|(_, _, sampler)| &**sampler).collect::<Vec<_>>())?;
    let points = built.into_iter().zip(speeds).map(|((method, rectangles, sampler), speed)| Point {
        sigma: sigma.to_string(),
        method,
        rectangles,
        bytes: sampler.profile().table_bytes as u64,
        speed,
    });
    Ok(points.collect())
}

fn as_text(points: &[Point]) -> String {
    let mut rows = vec![["sigma", "method", "rectangles", "bytes", "million/s"].map(String::from).to_vec()];
    rows.extend(points.iter().map(|point| {
        vec![
            point.sigma.clone(),
            point.method.to_string(),
            point.rectangles.map_or_else(|| "-".into(), |m| m.to_string()),
            grouped(i128::from(point.bytes)),
            rate(point.speed),
        ]
    }));
    columns(&rows, &[0, 2, 3, 4])
}

fn as_csv(points: &[Point]) -> String {
    let mut text = String::from("sigma,method,rectangles,bytes,million_per_second\n");
    for Point { sigma, method, rectangles, bytes, speed } in points {
        let rectangles = rectangles.map_or_else(String::new, |m| m.to_string());
        let _ = writeln!(text, "{sigma},{method},{rectangles},{bytes},{speed:.4}");
    }
    text
}

fn sheet(race: Race, sigmas: &[String], points: &[Point]) -> Sheet {
    let panel = |sigma: &String| {
        let (line, others): (Vec<&Point>, Vec<&Point>) =
            points.iter().filter(|point| point.sigma == *sigma).partition(|point| point.method == Method::Ziggurat);
        Panel {
            title: format!("σ = {sigma}"),
            failed: false,
            marks: Marks::LineAndDots,
            points: line.iter().map(|point| (point.bytes as f64, point.speed)).collect(),
            labels: others.iter().map(|p| ((p.bytes as f64, p.speed), p.method.to_string())).collect(),
        }
    };
    Sheet {
        title: "Speed against memory: the Ziggurat with 2 to 8192 rectangles".into(),
        subtitle: format!(
            "blue: the Ziggurat; red: other methods; tables of 106 bits, t = 13, samples to i32 over {}, one thread",
            race.source
        ),
        x: Axis { name: "bytes of tables".into(), from: 10.0, to: 1e9, logarithmic: true },
        y: Axis { name: "million samples a second".into(), from: 0.03, to: 2000.0, logarithmic: true },
        guides: Vec::new(),
        panels: sigmas.iter().map(panel).collect(),
        layout: Layout { columns: 3, panel: (330.0, 300.0) },
    }
}
