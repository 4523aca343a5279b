//! Samplers of other libraries and ours: they take turns, round by round, and medians of the
//! thread's processor time are printed. The argument is the program of `lattigo/`, if there is Go.

mod contestants;
mod failure;
mod lattigo;

use contestants::{Contestant, others, ours};
use cpu_time::ThreadTime;
use failure::Failure;
use lattigo::Lattigo;
use std::hint::black_box;

const ROUNDS: usize = 9;
/// Samples of a turn, as often as it takes for `TURN` seconds.
pub(crate) const SAMPLES: usize = 1 << 15;
const TURN: f64 = 4e-3;
/// How far the variance may be from σ² (and 1/12 where a normal variable is rounded): 9 standard
/// deviations of the mean of `SAMPLES` squares.
const SLACK: f64 = 0.07;

/// Nanoseconds for each sample of this many turns.
fn time(contestant: &mut Contestant, turns: usize, out: &mut [i32]) -> Result<f64, Failure> {
    let start = ThreadTime::now();
    for _ in 0..turns {
        (contestant.fill)(out)?;
        black_box(&mut *out);
    }
    Ok(start.elapsed().as_secs_f64() * 1e9 / (turns * SAMPLES) as f64)
}

fn check(name: &str, sigma: f64, variance: f64) -> Result<(), Failure> {
    if (variance / (sigma * sigma) - 1.0).abs() < SLACK {
        return Ok(());
    }
    Err(format!("{name}: the variance is {variance}, not {}", sigma * sigma).into())
}

fn contest(sigma: &str, lattigo: Option<&mut Lattigo>) -> Result<(), Failure> {
    let width: f64 = sigma.parse()?;
    let mut contestants = ours(sigma)?;
    contestants.extend(others(width)?);
    let mut out = vec![0; SAMPLES];
    let mut turns = Vec::new();
    for contestant in &mut contestants {
        let pilot = time(contestant, 1, &mut out)? * SAMPLES as f64;
        turns.push((TURN * 1e9 / pilot).ceil().max(1.0) as usize);
        let variance = out.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / SAMPLES as f64;
        check(contestant.name, width, variance)?;
    }
    let mut times = vec![Vec::new(); contestants.len()];
    let mut lattigo = lattigo.map(|program| (program, Vec::new()));
    for _ in 0..ROUNDS {
        for ((contestant, turns), times) in contestants.iter_mut().zip(&turns).zip(&mut times) {
            times.push(time(contestant, *turns, &mut out)?);
        }
        if let Some((program, times)) = &mut lattigo {
            let (time, variance) = program.time(sigma, 8)?;
            check(Lattigo::NAME, width, variance)?;
            times.push(time);
        }
    }
    let mut lines: Vec<_> = contestants.iter().map(|c| (c.name, c.law)).zip(times).collect();
    lines.extend(lattigo.map(|(_, times)| ((Lattigo::NAME, Lattigo::LAW), times)));
    println!("\n### σ = {sigma}, to 32 bits\n\n| sampler | law | ns | million/s |\n|---|---|---|---|");
    for ((name, law), mut times) in lines {
        times.sort_by(f64::total_cmp);
        let median = times[ROUNDS / 2];
        println!("| {name} | {law} | {median:.2} | {:.*} |", if median < 1e4 { 1 } else { 3 }, 1e3 / median);
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut lattigo = std::env::args_os().nth(1).map(Lattigo::start).transpose()?;
    if lattigo.is_none() {
        eprintln!("Without Lattigo: its program was not given.");
    }
    for sigma in ["3.2", "19.5", "215"] {
        contest(sigma, lattigo.as_mut())?;
    }
    Ok(())
}
