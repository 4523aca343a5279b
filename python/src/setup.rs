//! Set-up that Ctrl-C interrupts.

use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The time between two looks at Ctrl-C.
const PERIOD: Duration = Duration::from_millis(40);

/// Runs the work in a thread, without the interpreter's lock. If a signal's handler raises an exception, this returns it, and the
/// work's result is dropped when it comes.
///
/// Without threads the work runs here.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = mpsc::sync_channel(1);
    // Taken once: by the thread, or here if there is none.
    let work = Arc::new(Mutex::new(Some(work)));
    let taken = Arc::clone(&work);
    let run = move || {
        let work = taken.lock().unwrap_or_else(PoisonError::into_inner).take();
        // After an interrupt nobody waits for the result.
        work.map(|work| sender.send(work()).is_ok())
    };
    let thread = thread::Builder::new().name("samplez set-up".into()).spawn(run);
    let Ok(thread) = thread else {
        let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        return Ok(py.detach(|| work.map(|work| work())).expect("no thread took it"));
    };
    loop {
        let result;
        (result, receiver) = py.detach(move || (receiver.recv_timeout(PERIOD), receiver));
        match result {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => resume_unwind(panic),
                Ok(_) => unreachable!("the thread sends before it ends"),
            },
        }
    }
}
