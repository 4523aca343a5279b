//! Schemes for JavaScript: the WebAssembly module behind `samplez/schemes`.
//!
//! As in the module of the package's other half: plain `extern "C"` exports, texts for what is not a number or bytes. A call
//! takes the [`input`] and leaves an answer: bytes, a text or JSON, or after a status of 1 the failure's kind, a tab and its message.
//! Schemes and keys are numbers that JavaScript has of [`open`], [`keygen`] and [`read`], until [`close`].
//!
//! Randomness comes from outside: every operation that draws takes a [`seed`], and runs ChaCha20 from it. Nothing is imported.
//!
//! The exports have their names in WebAssembly alone: in a test's program `open`, `read` and `close` are the system's.

mod bliss;
#[path = "../../wasm/src/json.rs"]
mod json;
mod lp11;
mod noise;
mod regev;
mod request;
mod scheme;
mod state;

use request::Failure;
use state::{Answered, State, Swept};
use std::cell::RefCell;
use zeroize::Zeroizing;

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

const OK: u32 = 0;
const FAILED: u32 = 1;
/// Of [`verify`] alone.
const NOT_SIGNED: u32 = 2;

/// Runs `work` on the input, which is erased, and keeps its answer or its message.
#[inline(never)]
fn answer<T: Into<Answered>>(work: impl FnOnce(&mut State, &[u8]) -> Result<T, Failure>) -> u32 {
    STATE.with_borrow_mut(|state| {
        let input = std::mem::take(&mut state.input);
        let result = work(state, &input);
        let status = if result.is_ok() { OK } else { FAILED };
        state.answer = match result {
            Ok(answer) => answer.into(),
            Err(failure) => Zeroizing::new(failure.answer()).into(),
        };
        status
    })
}

/// The same for work on secrets, whose copies on the stack are overwritten.
fn secret<T: Into<Answered>>(work: impl FnOnce(&mut State, &[u8]) -> Result<T, Failure>) -> u32 {
    let status = answer(work);
    overwrite_stack::<{ 80 << 10 }>();
    status
}

/// Zeros over what has been on the stack: moving a value leaves a copy of it behind. No operation goes as deep as 80 KB (70 do, for
/// noise in batches; a test looks), and what reads a seed not as deep as four.
#[inline(never)]
fn overwrite_stack<const BYTES: usize>() {
    std::hint::black_box(&mut [0_u8; BYTES]);
}

/// Room for an input of `len` bytes; what was there is erased, and so is the last answer.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn input(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.answer = Answered::default();
        state.input = Swept::zeros(len);
        state.input.as_mut_ptr()
    })
}

/// Where the answer of the last call begins.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer_ptr() -> *const u8 {
    STATE.with_borrow(|state| state.answer.bytes().0)
}

/// How many bytes it has.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer_len() -> usize {
    STATE.with_borrow(|state| state.answer.bytes().1)
}

/// Answers with the list of all sets.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn sets() -> u32 {
    answer(|_, _| state::sets())
}

/// The input is the seed of the next operation: 32 bytes, or, if `is_text` is not 0, a text.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn seed(is_text: u32) -> u32 {
    let status = answer(|state, input| state.seed(input, is_text != 0));
    overwrite_stack::<{ 1 << 12 }>();
    status
}

/// Opens the scheme that the input describes, a request. Answers with its handle and its noise.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn open() -> u32 {
    answer(State::open)
}

/// Answers with the handles of a new secret key and its public key.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn keygen(scheme: usize) -> u32 {
    secret(|state, _| state.keygen(scheme))
}

/// Answers with the handle of the public key whose bytes the input is; if `is_secret` is not 0, with those of the secret
/// key and, if its bytes tell it, of its public key.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn read(scheme: usize, is_secret: u32) -> u32 {
    secret(|state, input| state.read(scheme, is_secret != 0, input))
}

/// Answers with a key's bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn write(key: usize) -> u32 {
    secret(|state, _| state.write(key))
}

/// Answers with a signature of the input.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn sign(scheme: usize, key: usize) -> u32 {
    secret(|state, input| state.sign(scheme, key, input))
}

/// The attempts that the last signature took.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn attempts() -> f64 {
    STATE.with_borrow(|state| state.attempts as f64)
}

/// A status of 2 if what follows the input's first `message` bytes is no signature of these. The answer is empty.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn verify(key: usize, message: usize) -> u32 {
    let mut signed = false;
    let status = answer(|state, input| {
        signed = state.verify(key, message, input)?;
        Ok(Answered::default())
    });
    if status == OK && !signed { NOT_SIGNED } else { status }
}

/// Answers with a ciphertext of the input.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn encrypt(scheme: usize, key: usize) -> u32 {
    secret(|state, input| state.encrypt(scheme, key, input))
}

/// Answers with the message of which the input is a ciphertext.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn decrypt(key: usize) -> u32 {
    secret(|state, input| state.decrypt(key, input))
}

/// Answers with samples of a scheme's noise, 32 bits each, as they are in memory.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn draw(scheme: usize, count: usize) -> u32 {
    secret(|state, _| state.draw(scheme, count))
}

/// Drops a scheme or a key, and erases what is secret in it.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn close(handle: usize) {
    STATE.with_borrow_mut(|state| state.close(handle));
}

/// Drops everything.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn clear() {
    STATE.with_borrow_mut(|state| *state = State::default());
}
