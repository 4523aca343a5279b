//! Independent tasks on several threads.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

/// Runs each task once. This thread runs tasks too, and all of them if the system has no other thread.
pub(crate) fn run(threads: NonZeroUsize, tasks: &mut [&mut (dyn FnMut() + Send)]) {
    if threads == NonZeroUsize::MIN {
        return tasks.iter_mut().for_each(|task| task());
    }
    let helpers = (threads.get() - 1).min(tasks.len().saturating_sub(1));
    let queue = Mutex::new(tasks.iter_mut());
    let work = || {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(task) = next else { return };
            task();
        }
    };
    scope(|scope| {
        for _ in 0..helpers {
            if Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_runs_once() {
        for threads in [1, 2, 3, 100] {
            let (mut a, mut b, mut c) = (0, 0, 0);
            run(NonZeroUsize::new(threads).unwrap(), &mut [&mut || a += 1, &mut || b += 2, &mut || c += 3]);
            assert_eq!((a, b, c), (1, 2, 3));
        }
        run(NonZeroUsize::MIN, &mut []);
    }
}
