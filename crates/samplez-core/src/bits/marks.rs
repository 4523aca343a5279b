//! Outcomes that become public, of bits that a test marks as secret.

/// A test's function of an outcome, and of whether it is an alarm; it returns the outcome.
#[cfg(feature = "testing")]
static MARK: std::sync::OnceLock<fn(u32, bool) -> u32> = std::sync::OnceLock::new();

/// Has every outcome that becomes public go through this function from here on, in the whole process. The first call counts.
#[cfg(feature = "testing")]
pub fn mark_public(mark: fn(u32, bool) -> u32) {
    let _ = MARK.set(mark);
}

/// [`BitSource::declassify`](super::BitSource::declassify) of a reader.
#[inline(always)]
pub(super) fn declassified(outcome: u32) -> u32 {
    marked(outcome, false)
}

/// Returns whether there is an alarm, which is public from here on: a generator is stuck, or a sample does not fit its type.
#[inline(always)]
pub fn alarm(is_raised: bool) -> bool {
    marked(is_raised.into(), true) != 0
}

#[inline(always)]
fn marked(outcome: u32, _is_alarm: bool) -> u32 {
    #[cfg(feature = "testing")]
    if let Some(mark) = MARK.get() {
        return mark(outcome, _is_alarm);
    }
    outcome
}
