//! What work is timed by.

/// This thread's processor time, which other work on the machine does not enter; on Windows, which counts that 64 times a
/// second, wall-clock time.
///
/// ```
/// let start = samplez_cli::testing::measure::clock::Clock::now();
/// let first = start.elapsed();
/// while start.elapsed() == first {}
/// assert!(start.elapsed() > first);
/// ```
#[cfg(not(windows))]
pub use cpu_time::ThreadTime as Clock;
#[cfg(windows)]
pub use std::time::Instant as Clock;

/// What it reads, as reports name it.
pub const NAME: &str = if cfg!(windows) { "wall" } else { "thread" };
