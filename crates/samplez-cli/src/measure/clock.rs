//! What work is timed by.

#[cfg(unix)]
use rustix::time::{ClockId, clock_gettime};
#[cfg(unix)]
use std::time::Duration;

/// This thread's processor time, which other work on the machine does not enter; on Windows, which counts that 64 times a
/// second, wall-clock time.
///
/// ```
/// let start = samplez_cli::testing::measure::clock::Clock::now();
/// let first = start.elapsed();
/// while start.elapsed() == first {}
/// assert!(start.elapsed() > first);
/// ```
#[cfg(unix)]
#[derive(Clone, Copy, Debug)]
pub struct Clock(Duration);
#[cfg(not(unix))]
pub use std::time::Instant as Clock;

#[cfg(unix)]
impl Clock {
    /// Reads the clock.
    pub fn now() -> Clock {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Clock(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    /// Returns the time since it was read.
    pub fn elapsed(&self) -> Duration {
        Clock::now().0.saturating_sub(self.0)
    }
}

/// What it reads, as reports name it.
pub const NAME: &str = if cfg!(unix) { "thread" } else { "wall" };
