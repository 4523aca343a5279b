//! How much stack a piece of work takes.

/// Bytes of stack that are watched.
#[cfg(target_os = "linux")]
const WATCHED: usize = 1 << 18;
/// What they are painted with.
#[cfg(target_os = "linux")]
const PAINT: u8 = 0xa5;

/// The stack that `work` takes below its caller, in bytes; `None` where this cannot be seen.
///
/// A thread of its own paints its stack, works, and reads the paint back through the system's
/// file of the process's memory. The reading takes some stack too, and less than that is not
/// seen: an empty piece of work shows how much.
///
/// ```
/// if cfg!(target_os = "linux") {
///     let floor = samplez_cli::testing::measure::stack::used(|| ()).unwrap();
///     let array = samplez_cli::testing::measure::stack::used(|| { std::hint::black_box([1_u8; 10_000]); }).unwrap();
///     assert!(array >= 10_000 && floor < 10_000);
/// }
/// ```
#[cfg(target_os = "linux")]
pub fn used(work: impl FnOnce() + Send) -> Option<usize> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(8 * WATCHED);
        thread.spawn_scoped(scope, || painted(work)).ok()?.join().ok()?
    })
}

/// The stack that a piece of work takes: `None`, for this cannot be seen here.
#[cfg(not(target_os = "linux"))]
pub fn used(_: impl FnOnce() + Send) -> Option<usize> {
    None
}

#[cfg(target_os = "linux")]
fn painted(work: impl FnOnce()) -> Option<usize> {
    use std::os::unix::fs::FileExt;
    let memory = std::fs::File::open("/proc/self/mem").ok()?;
    let mut seen = vec![0; WATCHED];
    let here = 0_u8;
    let top = std::hint::black_box(&raw const here).addr();
    paint();
    call(work);
    memory.read_exact_at(&mut seen, (top - WATCHED) as u64).ok()?;
    // Nothing reaches the lowest byte, or there was too little to watch.
    (seen[0] == PAINT).then(|| seen.iter().skip_while(|byte| **byte == PAINT).count())
}

/// Fills the stack below the caller.
#[cfg(target_os = "linux")]
#[inline(never)]
fn paint() {
    std::hint::black_box(&mut [PAINT; WATCHED + (WATCHED >> 4)]);
}

/// A frame of its own.
#[cfg(target_os = "linux")]
#[inline(never)]
fn call(work: impl FnOnce()) {
    work();
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[inline(never)]
    fn taking<const N: usize>() {
        black_box(&mut [1_u8; N]);
    }

    #[test]
    fn arrays_are_seen() {
        let floor = used(|| ()).unwrap();
        for (expected, seen) in [(4096, used(taking::<4096>)), (100_000, used(taking::<100_000>))] {
            let seen = seen.unwrap();
            assert!((expected..expected + floor + 1024).contains(&seen), "{expected}: {seen}, floor {floor}");
        }
        assert!(floor < 4096, "{floor}");
        assert_eq!(used(taking::<{ WATCHED + 4096 }>), None);
    }
}
