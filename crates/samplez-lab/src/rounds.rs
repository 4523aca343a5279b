//! Rounds, and what is made of their times.

use cpu_time::ThreadTime;

/// Rounds in which the contestants take turns; medians are reported.
pub const ROUNDS: usize = 9;

/// The middle of an odd number of figures.
///
/// ```
/// assert_eq!(samplez_lab::rounds::median(vec![3.0, 1.0, 2.0]), 2.0);
/// ```
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Seconds of this thread's processor time.
///
/// # Errors
///
/// The work's.
///
/// ```
/// let seconds = samplez_lab::rounds::processor_time(|| Ok::<(), ()>(()))?;
/// assert!(seconds >= 0.0);
/// # Ok::<(), ()>(())
/// ```
pub fn processor_time<E>(work: impl FnOnce() -> Result<(), E>) -> Result<f64, E> {
    let start = ThreadTime::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}
