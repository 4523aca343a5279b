//! Progress on standard error, for what takes longer than a second.

use crate::numbers::grouped;
use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing is shown before.
const FIRST: Duration = Duration::from_secs(1);
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
    /// When the last line was shown, since the start.
    shown: Option<Duration>,
}

impl Progress {
    /// `total` units of work lie ahead, if that is known.
    pub(crate) fn new(total: Option<u64>, unit: &'static str, quiet: bool) -> Progress {
        Progress { start: Instant::now(), total, unit, wanted: !quiet && stderr().is_terminal(), shown: None }
    }

    /// Reports that `done` units are done.
    pub(crate) fn at(&mut self, done: u64) {
        let now = self.elapsed();
        if self.wanted && is_due(self.shown, now) {
            show(&line(self.total, self.unit, done, now));
            self.shown = Some(now);
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

/// Whether a line is due at a time since the start.
fn is_due(shown: Option<Duration>, now: Duration) -> bool {
    shown.map_or(now > FIRST, |last| now.saturating_sub(last) >= PAUSE)
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
        // Without a thread nothing is shown.
        let _ = thread::Builder::new().spawn_scoped(scope, move || at_work(wait, || start.elapsed(), show));
        let built = build();
        drop(done);
        built
    })
}

/// Shows lines until the work has ended, and then an empty one. `wait` waits for so long, or until the end, and returns whether that is
/// still to come.
fn at_work(wait: impl Fn(Duration) -> bool, elapsed: impl Fn() -> Duration, mut show: impl FnMut(&str)) {
    if !wait(FIRST) {
        return;
    }
    loop {
        show(&format!("building the sampler, {} s; Ctrl-C stops it", elapsed().as_secs()));
        if !wait(PAUSE) {
            return show("");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// What is shown of work that takes so long, on a clock that only waiting moves.
    fn shown(work: Duration) -> Vec<String> {
        let (clock, mut lines) = (Cell::new(Duration::ZERO), Vec::new());
        let wait = |time: Duration| {
            clock.set((clock.get() + time).min(work));
            clock.get() < work
        };
        at_work(wait, || clock.get(), |line| lines.push(line.to_string()));
        lines
    }

    #[test]
    fn a_long_setup_is_shown_and_a_short_one_is_not() {
        let line = |seconds: u64| format!("building the sampler, {seconds} s; Ctrl-C stops it");
        assert_eq!(shown(Duration::from_millis(999)), [""; 0]);
        assert_eq!(shown(Duration::from_millis(1050)), [line(1), String::new()]);
        let long = shown(Duration::from_millis(2150));
        assert_eq!(long, [vec![line(1); 10], vec![line(2); 2], vec![String::new()]].concat());
    }

    #[test]
    fn a_line_is_due_after_a_second_and_then_after_each_pause() {
        let at = |shown: Option<u64>, now| is_due(shown.map(Duration::from_millis), Duration::from_millis(now));
        assert_eq!([at(None, 1000), at(None, 1001)], [false, true]);
        assert_eq!([at(Some(1001), 1100), at(Some(1001), 1101), at(Some(1001), 0)], [false, true, false]);
    }

    #[test]
    fn a_line_has_the_share_and_the_time_left() {
        let ten = Duration::from_secs(10);
        assert_eq!(line(Some(4000), "samples", 1000, ten), " 25 %  1,000 of 4,000 samples, 30 s left");
        assert_eq!(line(Some(10), "bytes", 10, ten), "100 %  10 of 10 bytes, 0 s left");
        assert_eq!(line(None, "bytes", 12_345, ten), "12,345 bytes, 10 s");
    }
}
