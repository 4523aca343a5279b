//! `samplez bench tradeoff`: speed against memory, as \[BCGHW13\]'s figure has it.

use crate::args::BenchTradeoff;
use crate::failure::Failure;
use crate::numbers::{grouped, rate};
use crate::output::Output;
use crate::report::{columns, print};
use samplez::{DiscreteGaussian, Method, Noise, Options, Rational, Recipe};
use samplez_lab::Race;
use samplez_lab::plot::{Axis, Layout, Marks, Panel, Sheet};
use std::fmt::Write;
use std::process::ExitCode;

/// 2 to 8192 rectangles.
const LOG2_RECTANGLES: std::ops::RangeInclusive<u32> = 1..=13;
const OTHERS: [Method; 4] = [Method::Cdt, Method::CdtGuided, Method::KnuthYao, Method::KnuthYaoCompact];

struct Point {
    sigma: String,
    method: Method,
    rectangles: Option<u32>,
    bytes: u64,
    speed: f64,
}

pub(crate) fn run(args: &BenchTradeoff) -> Result<ExitCode, Failure> {
    std::fs::create_dir_all(&args.out)
        .map_err(|error| Failure::System(format!("cannot make {}: {error}", args.out.display())))?;
    let race = Race::from(&args.timing);
    let (mut points, mut refused) = (Vec::new(), String::new());
    for sigma in &args.sigma {
        points.extend(measure(race, sigma, &mut refused)?);
    }
    for (name, text) in [("tradeoff.csv", as_csv(&points)), ("tradeoff.svg", sheet(race, &args.sigma, &points).draw())]
    {
        let mut output = Output::file(&args.out.join(name))?;
        output.write(text.as_bytes())?;
        output.finish()?;
    }
    print(&format!("{}{refused}\nFigures and picture are in {}.\n", as_text(&points), args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// All samplers of one width in one race; what cannot be built is told in `refused`.
fn measure(race: Race, sigma: &str, refused: &mut String) -> Result<Vec<Point>, Failure> {
    let width: Rational = sigma.parse().map_err(|_| Failure::Input(format!("sigma = {sigma}: not a number")))?;
    let law = DiscreteGaussian::with_sigma(width).map_err(|e| Failure::Input(e.to_string()))?;
    let ziggurats = LOG2_RECTANGLES.map(|log2| (Method::Ziggurat, Some(1 << log2)));
    let mut built: Vec<(Method, Option<u32>, Box<dyn Noise>)> = Vec::new();
    for (method, rectangles) in ziggurats.chain(OTHERS.map(|method| (method, None))) {
        let (precision, tail) = (Some(106), Some(Rational::from(13)));
        let options = method.part_of(&Options { precision, tail, rectangles, ..Options::default() });
        match (Recipe { law, method: Some(method), options }).build() {
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
