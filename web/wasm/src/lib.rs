//! samplez for JavaScript: the WebAssembly module behind the npm package.
//!
//! Plain `extern "C"` exports, and texts for all that is not a number: a request is lines of
//! `key<TAB>value`, an answer is JSON or, after a status of 1, the library's own message.
//! Methods and sources go by their names, so that a new one needs nothing here.
//!
//! One instance of the module holds one array of samples; JavaScript makes an instance for each
//! and drops it whole. Nothing here is `unsafe` but the import that asks for entropy: JavaScript
//! reads and writes only where [`input`], [`answer_ptr`] and [`output`] say.

mod array;
#[cfg(target_arch = "wasm32")]
mod entropy;
mod figure;
mod json;
mod request;

use array::Array;
use std::cell::RefCell;
use zeroize::Zeroize;

#[derive(Default)]
struct State {
    input: Vec<u8>,
    answer: String,
    array: Option<Array>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

const OK: u32 = 0;
const FAILED: u32 = 1;

/// Runs `work` on the input, which is wiped, and keeps its answer or its message.
fn answer(work: impl FnOnce(&[u8], &mut Option<Array>) -> Result<String, String>) -> u32 {
    STATE.with_borrow_mut(|state| {
        let result = work(&state.input, &mut state.array);
        state.input.zeroize();
        let status = if result.is_ok() { OK } else { FAILED };
        state.answer = result.unwrap_or_else(|message| message);
        status
    })
}

fn with_array<T>(work: impl FnOnce(&mut Array) -> T) -> Option<T> {
    STATE.with_borrow_mut(|state| state.array.as_mut().map(work))
}

/// Room for an input of `len` bytes; what was there is gone.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn input(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input.zeroize();
        state.input.resize(len, 0);
        state.input.as_mut_ptr()
    })
}

/// Where the answer of the last call begins.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer_ptr() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

/// How many bytes of UTF-8 it has.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer_len() -> usize {
    STATE.with_borrow(|state| state.answer.len())
}

/// Answers with the methods, the sources and the defaults.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn names() -> u32 {
    answer(|_, _| Ok(request::names()))
}

/// Builds the array that the input describes: a request in its first `len` bytes, after them
/// the 32 bytes of a seed unless the request names one. Answers with its description.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn open(len: usize) -> u32 {
    answer(|input, array| {
        let (text, seed) = input.split_at_checked(len).ok_or("the request is longer than the input")?;
        let built = Array::build(&request::parse(text)?, seed)?;
        let description = built.describe();
        *array = Some(built);
        Ok(description)
    })
}

/// Answers with the picture of a request: what a table of its law looks like.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn figure(kind: u32) -> u32 {
    answer(|input, _| figure::figure(kind, &request::parse(input)?))
}

/// Samples `first`, `first + 1`, … of the array as integers of 8, 16, 32 or 64 bits, to be read
/// at [`output`]. Answers with nothing.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn fill(bits: u32, first: u64, len: usize) -> u32 {
    answer(|_, array| {
        let array = array.as_mut().ok_or("no array has been opened")?;
        array.fill(bits, first, len).map(|()| String::new())
    })
}

/// Where the samples of the last [`fill`] begin.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn output() -> *const u64 {
    with_array(|array| array.output()).unwrap_or(std::ptr::null())
}

/// P(X = x) of the law aimed at; NaN without an array.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn pmf(x: i64) -> f64 {
    with_array(|array| array.law().pmf(x)).unwrap_or(f64::NAN)
}

/// P(X <= x) of the law aimed at; NaN without an array.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn cdf(x: i64) -> f64 {
    with_array(|array| array.law().cdf(x)).unwrap_or(f64::NAN)
}

/// P(low <= X <= high) of the law aimed at; NaN without an array.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn mass(low: i64, high: i64) -> f64 {
    with_array(|array| array.law().mass(low..=high)).unwrap_or(f64::NAN)
}

/// Drops the array, and wipes its seed and its last output.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn close() {
    STATE.with_borrow_mut(|state| *state = State::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(text: &str, seed: &[u8]) -> Result<String, String> {
        input(text.len() + seed.len());
        STATE.with_borrow_mut(|state| state.input.copy_from_slice(&[text.as_bytes(), seed].concat()));
        let status = open(text.len());
        let answer = STATE.with_borrow(|state| state.answer.clone());
        if status == OK { Ok(answer) } else { Err(answer) }
    }

    #[test]
    fn an_array_is_what_the_library_draws() {
        use samplez::{Bulk, DiscreteGaussian, Method, Recipe, Seed, Source};
        assert!(call("sigma\t3.2\nmethod\tkarney\n", &[7; 32]).unwrap().contains("\"method\":\"karney\""));
        assert_eq!(fill(16, 8_000, 1_000), OK);
        let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
        let sampler = Recipe::new(law).method(Method::Karney).build().unwrap();
        let mut samples = [0_i16; 1_000];
        Bulk::new(sampler.sampler(), Source::ChaCha20, Seed::from_bytes([7; 32])).fill(8_000, &mut samples).unwrap();
        assert!(with_array(|array| array.last_i16()[..1_000] == samples).unwrap());
        assert_eq!((pmf(0), cdf(-4), mass(-100, 100)), (0.12466946262544772, 0.13605105553235816, 1.0));
        assert!(!output().is_null());
        close();
        assert!(output().is_null() && pmf(0).is_nan());
    }

    #[test]
    fn the_input_is_wiped() {
        call("sigma\t3.2\n", &[7; 32]).unwrap();
        assert!(STATE.with_borrow(|state| state.input.is_empty()));
    }

    #[test]
    fn errors_are_the_librarys() {
        let error = |text: &str| call(text, &[0; 32]).unwrap_err();
        assert_eq!(error("sigma\t-2\n"), "sigma = -2: must be greater than 0");
        assert!(error("sigma\tx\n").starts_with("sigma = x: not a number"));
        assert!(error("sigma\t3\nmethod\tdice\n").starts_with("method = dice: must be one of auto, karney, "));
        assert!(error("sigma\t3\nsource\tdice\n").starts_with("source = dice: must be one of chacha20, "));
        assert!(error("sigma\t3\nprecision\t0\nmethod\tcdt\n").starts_with("precision = 0: must be between 1 and 256"));
        assert_eq!(error("sigma\t3\ns\t3\n"), "s = 3: the width is said already, as sigma");
        assert!(error("method\tcdt\n").starts_with("width = nothing: must be said, as one of sigma, sigmaSquared, "));
        assert!(error("sigmaa\t3\n").starts_with("sigmaa: no such option; there are "));
        assert!(error("sigma\t3\nsetup_time\t9\n").contains(", constantTime, "));
        assert!(error("kSigma2\tx\n").starts_with("kSigma2 = x: not a number"));
        assert!(error("sigma\t3\ncenter\tx\n").starts_with("center = x: not a number"));
        assert!(error("sigma\t3\nexact\tyes\n").starts_with("exact = yes: must be true or false"));
        assert!(error("sigma\t3\nprecision\t-1\n").starts_with("precision = -1: must be between 1 and 256"));
        assert!(error("sigma\t3\nseed\tff\n").starts_with("seed: a seed is 64 hexadecimal digits"));
        let missing = call("sigma\t3\n", &[]).unwrap_err();
        assert_eq!(missing, "seed: must be 32 bytes; got 0");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let message = || STATE.with_borrow(|state| state.answer.clone());
        call("sigma\t1000\nmethod\tcdt\n", &[0; 32]).unwrap();
        assert_eq!(fill(8, 0, 10), FAILED);
        assert_eq!(message(), "the samples, -12774 to 12774, do not fit the output type i8: choose a wider type");
        assert_eq!(fill(16, u64::MAX, 2), FAILED);
        assert!(message().contains("the last address must be below 2^64"), "{}", message());
        assert_eq!(fill(12, 0, 1), FAILED);
    }

    #[test]
    fn pictures() {
        let picture = |text: &str, kind| {
            input(text.len());
            STATE.with_borrow_mut(|state| state.input.copy_from_slice(text.as_bytes()));
            (figure(kind), STATE.with_borrow(|state| state.answer.clone()))
        };
        let (status, ziggurat) = picture("sigma\t3.2\nrectangles\t4\n", 0);
        assert_eq!(status, OK, "{ziggurat}");
        assert!(ziggurat.starts_with("{\"edges\":[0,") && ziggurat.ends_with(",0]}"), "{ziggurat}");
        let (status, walk) = picture("sigma\t3.2\n", 1);
        assert_eq!(status, OK, "{walk}");
        assert!(walk.contains("\"folded\":true") && walk.contains("\"columns\":[["), "{walk}");
        assert_eq!(picture("sigma\t3.2\n", 2).0, FAILED);
    }
}
