//! Sources by themselves: bytes a second, and stack.

use crate::measure::rounds::levelled_time;
use crate::measure::stack;
use samplez::{EntropyError, Seed, Source};
use std::hint::black_box;

/// Bytes of a request in bulk.
pub const REQUEST: usize = 1 << 16;

const fn seed() -> Seed {
    Seed::from_bytes([0; 32])
}

/// Bytes per second, by requests of [`REQUEST`] bytes.
///
/// # Errors
///
/// The source's.
///
/// ```
/// assert!(samplez_cli::testing::measure::streams::bulk(samplez::Source::ChaCha20, 1 << 17)? > 0.0);
/// # Ok::<(), samplez::EntropyError>(())
/// ```
pub fn bulk(source: Source, bytes: usize) -> Result<f64, EntropyError> {
    let mut generator = source.open(&seed())?;
    let mut out = vec![0; REQUEST];
    generator.try_fill_bytes(&mut out)?;
    let requests = bytes / REQUEST;
    let seconds = levelled_time::<EntropyError>(|| {
        for _ in 0..requests {
            generator.try_fill_bytes(&mut out)?;
            black_box(&mut out);
        }
        Ok(())
    })?;
    Ok((requests * REQUEST) as f64 / seconds)
}

/// Bytes per second, by draws of 8 bytes; fewer of them from a source that asks the system for
/// each.
///
/// # Errors
///
/// The source's.
///
/// ```
/// assert!(samplez_cli::testing::measure::streams::draws(samplez::Source::ChaCha20, 1000)? > 0.0);
/// # Ok::<(), samplez::EntropyError>(())
/// ```
pub fn draws(source: Source, count: usize) -> Result<f64, EntropyError> {
    let count = if source.is_seeded() { count } else { count / 16 };
    let mut sum = 0;
    let seconds = match source.seeded(&seed()) {
        Some(mut generator) => levelled_time::<EntropyError>(|| {
            (0..count).for_each(|_| sum ^= generator.next_u64());
            Ok(())
        })?,
        None => {
            let mut generator = source.open(&seed())?;
            levelled_time::<EntropyError>(|| {
                for _ in 0..count {
                    sum ^= generator.try_next_u64()?;
                }
                Ok(())
            })?
        }
    };
    black_box(sum);
    Ok((8 * count) as f64 / seconds)
}

/// Bytes of stack for seeding and one request, if they can be seen.
///
/// ```
/// let bytes = samplez_cli::testing::measure::streams::stack_of(samplez::Source::Salsa20);
/// assert!(bytes.is_none_or(|bytes| (100..100_000).contains(&bytes)));
/// ```
pub fn stack_of(source: Source) -> Option<usize> {
    stack::used(|| drop(bulk_request(source)))
}

fn bulk_request(source: Source) -> Result<(), EntropyError> {
    let mut out = vec![0; REQUEST];
    source.open(&seed())?.try_fill_bytes(&mut out)?;
    black_box(&mut out);
    Ok(())
}
