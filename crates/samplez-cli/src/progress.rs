//! Progress on standard error, for what takes longer than a second.

use crate::numbers::grouped;
use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Between two lines, each of which replaces the one before.
const PAUSE: Duration = Duration::from_millis(100);

/// Replaces the line that is shown. What a closed terminal does not take is lost.
fn show(line: &str) {
    let _ = write!(stderr(), "\r{line}\x1b[K");
}

/// Shows nothing unless standard error is a terminal and a second has passed.
pub(crate) struct Progress {
    start: Instant,
    total: Option<u64>,
    unit: &'static str,
    wanted: bool,
    shown: Option<Instant>,
}

impl Progress {
    /// `total` units of work lie ahead, if that is known.
    pub(crate) fn new(total: Option<u64>, unit: &'static str, quiet: bool) -> Progress {
        Progress { start: Instant::now(), total, unit, wanted: !quiet && stderr().is_terminal(), shown: None }
    }

    /// So many units are done.
    pub(crate) fn at(&mut self, done: u64) {
        let is_due = match self.shown {
            None => self.start.elapsed() > Duration::from_secs(1),
            Some(last) => last.elapsed() >= PAUSE,
        };
        if self.wanted && is_due {
            show(&line(self.total, self.unit, done, self.elapsed()));
            self.shown = Some(Instant::now());
        }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            show("");
        }
    }
}

/// The share of the total, and the time that the rest takes at the speed so far.
fn line(total: Option<u64>, unit: &str, done: u64, elapsed: Duration) -> String {
    let Some(total) = total else { return format!("{} {unit}, {} s", grouped(done), elapsed.as_secs()) };
    let share = (done as f64 / total.max(1) as f64).clamp(0.0, 1.0);
    let left = elapsed.as_secs_f64() * (1.0 - share) / share.max(1e-9);
    let (percent, done, total) = (100.0 * share, grouped(done), grouped(total));
    format!("{percent:3.0} %  {done} of {total} {unit}, {left:.0} s left")
}

/// Builds something. After a second a terminal shows that it is at work, and for how long, unless `quiet`.
pub(crate) fn building<T>(quiet: bool, build: impl FnOnce() -> T) -> T {
    if quiet || !stderr().is_terminal() {
        return build();
    }
    thread::scope(|scope| {
        let (start, (done, ended)) = (Instant::now(), mpsc::channel::<()>());
        let wait = move |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
        let shown = move || {
            if wait(Duration::from_secs(1)) {
                loop {
                    show(&format!("building the sampler, {} s; Ctrl-C stops it", start.elapsed().as_secs()));
                    if !wait(PAUSE) {
                        break;
                    }
                }
                show("");
            }
        };
        // Without a thread nothing is shown.
        let _ = thread::Builder::new().spawn_scoped(scope, shown);
        let built = build();
        drop(done);
        built
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_share_and_the_time_left() {
        let ten = Duration::from_secs(10);
        assert_eq!(line(Some(4000), "samples", 1000, ten), " 25 %  1,000 of 4,000 samples, 30 s left");
        assert_eq!(line(Some(10), "bytes", 10, ten), "100 %  10 of 10 bytes, 0 s left");
        assert_eq!(line(None, "bytes", 12_345, ten), "12,345 bytes, 10 s");
    }
}
