//! Outcomes that become public, of bits that a test marks as secret.

#[cfg(feature = "testing")]
use core::panic::Location;

/// A test's function of an outcome, of whether it is an alarm, and of the place in the sources; it returns the outcome.
#[cfg(feature = "testing")]
pub type Mark = fn(u32, bool, &'static Location<'static>) -> u32;

#[cfg(feature = "testing")]
static MARK: std::sync::OnceLock<Mark> = std::sync::OnceLock::new();

/// Has every outcome that becomes public go through this function from here on, in the whole process. The first call counts.
#[cfg(feature = "testing")]
pub fn mark_public(mark: Mark) {
    let _ = MARK.set(mark);
}

/// [`BitSource::declassify`](super::BitSource::declassify) of a reader, or of another source over a generator.
#[inline(always)]
#[cfg_attr(feature = "testing", track_caller)]
pub fn declassified(outcome: u32) -> u32 {
    marked(outcome, false)
}

/// Returns whether there is an alarm, which is public from here on: a generator is stuck, or a sample does not fit its type.
#[inline(always)]
#[cfg_attr(feature = "testing", track_caller)]
pub fn alarm(is_raised: bool) -> bool {
    marked(is_raised.into(), true) != 0
}

#[inline(always)]
#[cfg_attr(feature = "testing", track_caller)]
fn marked(outcome: u32, _is_alarm: bool) -> u32 {
    #[cfg(feature = "testing")]
    if let Some(mark) = MARK.get() {
        return mark(outcome, _is_alarm, Location::caller());
    }
    outcome
}
