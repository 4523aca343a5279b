//! Random words that memcheck takes for undefined, or that are replayed from memory, and what becomes public of them.

use crate::valgrind;
use rand_core::{Rng, TryCryptoRng, TryRng};
use samplez::Seed;
use samplez_ct::rare::{Forcing, Path};
use samplez_sources::ChaCha20;
use std::convert::Infallible;
use std::hint::black_box;
use std::panic::Location;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The treatment of an outcome that the library marks as public.
#[derive(Clone, Copy)]
pub(crate) enum Marks {
    /// Nothing: a control.
    Ignored,
    /// It is defined from there on.
    Defined,
    /// Always «accepted», each of the trials that a mask tells of: the number of trials, which is public, is then the same for every
    /// stream, and what a clock still tells apart comes from within the trials.
    Accepted,
    /// They are counted.
    Counted,
    /// It is defined, and that of a rare path is another.
    Forced,
}

static MARKS: AtomicU8 = AtomicU8::new(Marks::Ignored as u8);
static COUNT: AtomicU32 = AtomicU32::new(0);

/// What happens to the outcomes of a case's rare path.
static FORCING: Mutex<Option<Forcing>> = Mutex::new(None);

/// The function that the library calls. An alarm reports a stuck generator or a sample that does not fit, and is no trial.
fn mark(outcome: u32, is_alarm: bool, place: &'static Location<'static>) -> u32 {
    match MARKS.load(Relaxed) {
        defined if defined == Marks::Defined as u8 => valgrind::made_defined(outcome),
        forced if forced == Marks::Forced as u8 => {
            let outcome = valgrind::made_defined(outcome);
            let mut forcing = FORCING.lock().unwrap_or_else(PoisonError::into_inner);
            forcing
                .as_mut()
                .map_or(outcome, |forcing| forcing.mark(outcome, place.file(), place.line(), valgrind::errors))
        }
        accepted if accepted == Marks::Accepted as u8 && !is_alarm => black_box(outcome) | u32::MAX,
        counted if counted == Marks::Counted as u8 && !is_alarm => {
            COUNT.fetch_add(1, Relaxed);
            outcome
        }
        _ => outcome,
    }
}

/// Sets what happens from here on.
pub(crate) fn set_marks(marks: Marks) {
    samplez::bindings::mark_public(mark);
    MARKS.store(marks as u8, Relaxed);
}

/// Has the outcomes of this path forced from here on.
pub(crate) fn force(path: &'static Path) {
    *FORCING.lock().unwrap_or_else(PoisonError::into_inner) = Some(Forcing::new(path));
    set_marks(Marks::Forced);
}

/// The end of what was forced, if anything was.
pub(crate) fn forced() -> Option<Forcing> {
    FORCING.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// How many outcomes that are no alarms become public in this.
pub(crate) fn counted(work: impl FnOnce()) -> u32 {
    set_marks(Marks::Counted);
    COUNT.store(0, Relaxed);
    work();
    set_marks(Marks::Ignored);
    COUNT.load(Relaxed)
}

/// A generator.
pub(crate) enum Words<'a> {
    /// All of its bytes are undefined.
    Undefined(Box<ChaCha20>),
    /// Words from memory, from this one on, for ever.
    Replayed(&'a [u64], usize),
}

impl<'a> Words<'a> {
    /// A generator of the same kind, for the block of this number.
    pub(crate) fn another(&self, number: u64) -> Words<'a> {
        match self {
            Words::Undefined(_) => Words::undefined(number as u8),
            Words::Replayed(words, _) => Words::Replayed(words, 0),
        }
    }

    pub(crate) fn undefined(seed: u8) -> Self {
        Words::Undefined(Box::new(ChaCha20::new(&Seed::from_bytes([seed; 32]))))
    }

    /// A seed of these words.
    pub(crate) fn seed(&mut self) -> Seed {
        let mut bytes = [0; 32];
        self.fill_bytes(&mut bytes);
        Seed::from_bytes(bytes)
    }
}

impl TryRng for Words<'_> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        match self {
            Words::Undefined(rng) => {
                rng.fill_bytes(out);
                valgrind::make_undefined(out);
            }
            Words::Replayed(words, next) => {
                for bytes in out.chunks_mut(8) {
                    bytes.copy_from_slice(&words[*next].to_le_bytes()[..bytes.len()]);
                    *next = (*next + 1) % words.len();
                }
            }
        }
        Ok(())
    }
}

impl TryCryptoRng for Words<'_> {}
