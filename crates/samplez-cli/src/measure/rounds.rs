//! Rounds, and what is made of their times.

use crate::measure::clock::Clock;
use std::hint::black_box;
use std::sync::OnceLock;

/// Rounds in which the contestants take turns; medians are reported.
pub const ROUNDS: usize = 9;

/// The middle of an odd number of figures.
///
/// ```
/// assert_eq!(samplez_cli::testing::measure::rounds::median(vec![3.0, 1.0, 2.0]), 2.0);
/// ```
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Seconds of this thread's processor time ([`Clock`]), levelled: a processor that others share, or that saves power, runs at another pace
/// from one moment to the next, and a yardstick, the same work each time, runs before and after. The result is how long the
/// work would have taken at the pace at which this program began; so two times are comparable that were not measured together.
///
/// # Errors
///
/// The work's.
///
/// ```
/// let seconds = samplez_cli::testing::measure::rounds::levelled_time(|| Ok::<(), ()>(()))?;
/// assert!(seconds > 0.0);
/// # Ok::<(), ()>(())
/// ```
pub fn levelled_time<E>(work: impl FnOnce() -> Result<(), E>) -> Result<f64, E> {
    let standard = standard();
    let before = yardstick();
    let start = Clock::now();
    work()?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(levelled(seconds, standard, before, yardstick()))
}

/// No time is 0: what is divided by it stays finite.
const LEAST: f64 = 1e-9;

fn levelled(seconds: f64, standard: f64, before: f64, after: f64) -> f64 {
    (seconds * standard / f64::midpoint(before, after)).max(LEAST)
}

/// Seconds of the yardstick to which this program's times are levelled: the fastest of many when it was first needed.
pub fn standard() -> f64 {
    static STANDARD: OnceLock<f64> = OnceLock::new();
    *STANDARD.get_or_init(|| fastest((0..200).map(|_| yardstick())))
}

fn fastest(times: impl Iterator<Item = f64>) -> f64 {
    times.fold(f64::INFINITY, f64::min)
}

/// Seconds of work that is always the same: products in four chains, which no compiler makes vectors of.
fn yardstick() -> f64 {
    let start = Clock::now();
    let mut chains = black_box([1_u64, 2, 3, 4]);
    for _ in 0..20_000 {
        for x in &mut chains {
            let product = u128::from(*x) * 0x9e37_79b9_7f4a_7c15;
            *x = (product >> 64) as u64 ^ product as u64 ^ 1;
        }
    }
    black_box(chains);
    start.elapsed().as_secs_f64().max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slower_pace_is_taken_out() {
        // Twice as long while the yardstick takes twice as long is as fast; a pace that changes counts by halves.
        assert_eq!(levelled(2.0, 1e-4, 2e-4, 2e-4), 1.0);
        assert_eq!(levelled(3.0, 1e-4, 1e-4, 2e-4), 2.0);
        assert_eq!(levelled(0.0, 1e-4, 1e-4, 1e-4), LEAST);
    }

    /// Single times are at the mercy of the machine. The fastest of 200 is not: it would take a hundred times as long only on a processor
    /// that is a hundred times as slow.
    #[test]
    fn the_standard_is_the_fastest_of_many() {
        assert_eq!(fastest([3.0, 1.0, 2.0].into_iter()), 1.0);
        assert!((1e-6..1e-2).contains(&standard()), "{}", standard());
        assert_eq!(standard(), standard());
    }
}
