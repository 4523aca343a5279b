//! Samples from within a block.

use rand_core::Rng;
use samplez_core::bits::{BitReader, alarm};
use samplez_core::{Int, Noise, RangeError};
use zeroize::Zeroizing;

/// Samples number `skip`, `skip + 1`, … of a block, at whose start the reader is. They equal the samples of one fill of the
/// whole block. A sampler with batches makes whole batches, and the other samples are dropped.
pub(crate) fn within<T: Int>(
    noise: &dyn Noise,
    mut skip: usize,
    bits: &mut BitReader<dyn Rng + '_>,
    out: &mut [T],
) -> Result<(), RangeError> {
    let batch = noise.batch();
    if skip >= batch && noise.skip(bits, (skip / batch) as u64) {
        skip %= batch;
    }
    if batch == 1 {
        for _ in 0..skip {
            noise.sample(bits);
        }
        return noise.fill(bits, out);
    }
    let inside = skip % batch;
    let (head, rest) = out.split_at_mut(if inside == 0 { 0 } else { (batch - inside).min(out.len()) });
    let (whole, tail) = rest.split_at_mut(rest.len() - rest.len() % batch);
    if skip >= batch || !head.is_empty() {
        part(noise, skip, bits, head)?;
    }
    noise.fill(bits, whole)?;
    if tail.is_empty() { Ok(()) } else { part(noise, 0, bits, tail) }
}

/// Samples number `skip`, `skip + 1`, … from the reader's place on, up to the end of a batch at most. Whole batches are
/// made, in a scratch buffer that the caller of whole batches alone does without.
fn part<T: Int>(
    noise: &dyn Noise,
    skip: usize,
    bits: &mut BitReader<dyn Rng + '_>,
    out: &mut [T],
) -> Result<(), RangeError> {
    let batch = noise.batch();
    if skip < batch
        && let Some(filled) = noise.noise_inside(bits, skip, T::slots(out))
    {
        return filled;
    }
    // i64: what is dropped need not fit T.
    let mut scratch = Zeroizing::new(vec![0_i64; batch]);
    for _ in 0..skip / batch + usize::from(!out.is_empty()) {
        noise.fill(bits, &mut scratch)?;
    }
    copied(&scratch[skip % batch..], out)
}

/// Copies as many samples as `out` holds. Whether all of them fit, which the result reveals, is the only branch.
pub(crate) fn copied<T: Int>(samples: &[i64], out: &mut [T]) -> Result<(), RangeError> {
    let mut lost = 0;
    for (slot, sample) in out.iter_mut().zip(samples) {
        *slot = T::wrapping(*sample);
        lost |= slot.widen() ^ sample;
    }
    if alarm(lost != 0) { Err(RangeError::of::<T>()) } else { Ok(()) }
}
