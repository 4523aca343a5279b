//! Contestants that take turns.

use cpu_time::ThreadTime;
use samplez::{BitReader, Seed};
use samplez_sources::ChaCha20;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 15;
pub(crate) const SAMPLES: usize = 1 << 18;

/// A name, and a piece of work over fresh bits. The number that it returns keeps the work from being optimized away.
pub(crate) type Contestant<'a> = (String, Box<dyn FnMut(&mut BitReader<ChaCha20>) -> u64 + 'a>);

/// What time a contest is measured by.
#[derive(Clone, Copy)]
pub(crate) enum Clock {
    Wall,
    Processor,
}

pub(crate) fn seed(round: usize) -> Seed {
    Seed::from_bytes([round as u8; 32])
}

/// The contestants' times in nanoseconds, medians over the rounds, in each of which all take their turn: once unmeasured, so that tables
/// and code are in the caches whoever came before, and once measured.
/// Time is the thread's processor time, which other processes on the machine do not enter, or
/// the clock on the wall for work on several threads.
pub(crate) fn medians(clock: Clock, contestants: &mut [Contestant<'_>]) -> Vec<f64> {
    let mut times = vec![Vec::new(); contestants.len()];
    for round in 0..ROUNDS {
        for ((_, work), times) in contestants.iter_mut().zip(&mut times) {
            let mut bits = BitReader::new(ChaCha20::new(&seed(round)));
            black_box(work(&mut bits));
            let (wall, processor) = (Instant::now(), ThreadTime::now());
            black_box(work(&mut bits));
            let elapsed = match clock {
                Clock::Wall => wall.elapsed(),
                Clock::Processor => processor.elapsed(),
            };
            times.push(elapsed.as_secs_f64() * 1e9);
        }
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    times.iter().map(|times| times[ROUNDS / 2]).collect()
}

/// Prints a table: nanoseconds per operation, millions per second, and the ratio to the last contestant, the baseline.
pub(crate) fn contest(title: &str, operations: usize, clock: Clock, mut contestants: Vec<Contestant<'_>>) {
    let medians = medians(clock, &mut contestants);
    println!("\n{title}\n\n| contestant | ns | million/s | times the last |\n|---|---|---|---|");
    for ((name, _), median) in contestants.iter().zip(&medians) {
        let ratio = medians.last().copied().unwrap_or(f64::NAN) / median;
        let median = median / operations as f64;
        println!("| {name} | {median:.2} | {:.1} | {ratio:.2} |", 1e3 / median);
    }
}

/// Takes an output as if it were used: all of it is made, and nothing is spent on a look at it. A sum of the samples would take
/// 0.2 ns each, half as long as the fastest of them.
pub(crate) fn taken<T>(out: &[T]) -> u64 {
    black_box(out).len() as u64
}
