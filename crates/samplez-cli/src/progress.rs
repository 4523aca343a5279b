//! A progress bar on standard error, for what takes longer than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Shows nothing unless standard error is a terminal and a second has passed.
pub(crate) struct Progress {
    start: Instant,
    total: Option<u64>,
    unit: &'static str,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// `total` units of work lie ahead, if that is known.
    pub(crate) fn new(total: Option<u64>, unit: &'static str, quiet: bool) -> Progress {
        Progress { start: Instant::now(), total, unit, wanted: !quiet && stderr().is_terminal(), bar: None }
    }

    /// So many units are done.
    pub(crate) fn at(&mut self, done: u64) {
        if !self.wanted {
            return;
        }
        if self.bar.is_none() && self.start.elapsed() > Duration::from_secs(1) {
            self.bar = Some(bar(self.total, self.unit, self.start.elapsed()));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Builds something. After a second a terminal shows that it is at work, and for how long, unless `quiet`.
pub(crate) fn building<T>(quiet: bool, build: impl FnOnce() -> T) -> T {
    if quiet || !stderr().is_terminal() {
        return build();
    }
    thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        let wait = move |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
        let show = move || {
            if wait(Duration::from_secs(1)) {
                let template = "{spinner} building the sampler, {elapsed}; Ctrl-C stops it";
                let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style);
                let bar = bar.with_elapsed(Duration::from_secs(1));
                bar.tick();
                while wait(Duration::from_millis(100)) {
                    bar.tick();
                }
                bar.finish_and_clear();
            }
        };
        // Without a thread nothing is shown.
        let _ = thread::Builder::new().spawn_scoped(scope, show);
        let built = build();
        drop(done);
        built
    })
}

fn bar(total: Option<u64>, unit: &str, elapsed: Duration) -> ProgressBar {
    let template = match total {
        Some(_) => format!("{{wide_bar}} {{percent:>3}} %  {{human_pos}} of {{human_len}} {unit}, {{eta}} left"),
        None => format!("{{spinner}} {{human_pos}} {unit}, {{elapsed}}"),
    };
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr()).with_style(style);
    bar.with_elapsed(elapsed)
}
