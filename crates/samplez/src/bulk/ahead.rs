//! Samples made ahead for short fills, one after the other.

use std::sync::Mutex;
use zeroize::Zeroizing;

/// The samples behind a short fill, for the fill that begins where it ended. A clone has none.
#[derive(Default)]
pub(super) struct Ahead(Mutex<Place>);

#[derive(Default)]
struct Place {
    /// Where the last short fill ended; `None` before the first.
    end: Option<u64>,
    /// The samples from there on.
    samples: Zeroizing<Vec<i64>>,
    /// How many of them were handed out.
    used: usize,
}

impl Ahead {
    /// Hands at most `count` samples to `copy`, in their order. Returns how many there were. If `first` is where the last short fill ended,
    /// it also returns how many were made then. A place that another thread uses at the moment is not waited for.
    ///
    /// # Errors
    ///
    /// The error of `copy`. The samples then stay.
    pub(super) fn take<E>(
        &self,
        first: u64,
        count: usize,
        copy: impl FnOnce(&[i64]) -> Result<(), E>,
    ) -> Result<(usize, Option<usize>), E> {
        let Ok(mut place) = self.0.try_lock() else { return Ok((0, None)) };
        if place.end != Some(first) {
            return Ok((0, None));
        }
        let left = place.samples.get(place.used..).unwrap_or_default();
        let count = count.min(left.len());
        copy(&left[..count])?;
        place.used += count;
        place.end = first.checked_add(count as u64);
        Ok((count, Some(place.samples.len())))
    }

    /// Notes where a short fill has ended, and the samples of which it has used these.
    pub(super) fn put(&self, end: Option<u64>, samples: Zeroizing<Vec<i64>>, used: usize) {
        if let Ok(mut place) = self.0.try_lock() {
            *place = Place { end, samples, used };
        }
    }
}

impl Clone for Ahead {
    fn clone(&self) -> Self {
        Ahead::default()
    }
}
