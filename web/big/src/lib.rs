//! Parameters of any size for JavaScript: the WebAssembly module behind the npm package's `BigGaussian`.
//!
//! The exports are as in the package's other modules: plain `extern "C"`, and texts for all that is not a number. [`open`] takes a
//! distribution, a source and a seed, and [`draw`] gives the next samples as words. After a status of 1
//! the answer is the kind of the failure, a tab, and the library's own message.
//!
//! An instance holds one sampler and one stream. The exports have these names in WebAssembly only: in a test's program, `open` is the
//! system's.

#[path = "../../wasm/src/bits.rs"]
mod bits;
#[cfg(target_arch = "wasm32")]
#[path = "../../wasm/src/entropy.rs"]
mod entropy;
#[path = "../../core/src/head.rs"]
mod head;
#[path = "../../wasm/src/json.rs"]
#[allow(dead_code, reason = "the other modules have numbers and arrays too")]
mod json;
mod sampler;
#[path = "../../wasm/src/spelling.rs"]
mod spelling;
mod table;

use sampler::Sampler;
use spelling::Failure;
use std::cell::RefCell;
use zeroize::{Zeroize, Zeroizing};

#[derive(Default)]
struct State {
    input: Vec<u8>,
    answer: String,
    held: Held,
}

#[derive(Default)]
struct Held {
    sampler: Option<Sampler>,
    /// The words of the last samples.
    output: Zeroizing<Vec<u64>>,
    /// The bytes of the last table.
    table: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

const OK: u32 = 0;
const FAILED: u32 = 1;

/// Runs `work` on the input and wipes the input. Keeps the answer or the message.
fn answer(work: impl FnOnce(&[u8], &mut Held) -> Result<String, Failure>) -> u32 {
    STATE.with_borrow_mut(|state| {
        let result = work(&state.input, &mut state.held);
        state.input.zeroize();
        let status = if result.is_ok() { OK } else { FAILED };
        state.answer = result.unwrap_or_else(|failure| failure.answer());
        status
    })
}

/// Returns a place for an input of `len` bytes. The last input is gone.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn input(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input.zeroize();
        state.input.resize(len, 0);
        state.input.as_mut_ptr()
    })
}

/// Returns the place of the last call's answer.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer_ptr() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

/// Returns the answer's length, in bytes of UTF-8.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer_len() -> usize {
    STATE.with_borrow(|state| state.answer.len())
}

/// Builds the sampler of a request, and opens its stream. The request is the input's first `len` bytes. The seed's 32 bytes follow,
/// unless the request has the seed. The answer describes the sampler.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn open(len: usize) -> u32 {
    answer(|input, held| {
        let (text, seed) = input.split_at_checked(len).ok_or("the request is longer than the input")?;
        Ok(held.sampler.insert(Sampler::open(text, seed)?).describe())
    })
}

/// Draws the next `count` samples. [`output`] has their words. The answer is empty.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn draw(count: usize) -> u32 {
    answer(|_, Held { sampler, output, .. }| {
        let sampler = sampler.as_mut().ok_or("no distribution has been opened")?;
        output.zeroize();
        *output = Zeroizing::new(sampler.draw(count)?);
        Ok(String::new())
    })
}

/// Returns the place of the last samples: for each sample its words, the lowest first.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn output() -> *const u64 {
    STATE.with_borrow(|state| state.held.output.as_ptr())
}

/// Builds the table of a recipe for `samplez/core`: [`table_ptr`] has its bytes. The recipe is the input's first `len` bytes. The answer is
/// the number of bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn build_table(len: usize) -> u32 {
    answer(|input, held| {
        let text = str::from_utf8(input.get(..len).unwrap_or_default()).map_err(|e| e.to_string())?;
        held.table = table::table(text)?;
        Ok(held.table.len().to_string())
    })
}

/// Returns the place of the last table's bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn table_ptr() -> *const u8 {
    STATE.with_borrow(|state| state.held.table.as_ptr())
}

/// Wipes the generator and the last samples.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn close() {
    STATE.with_borrow_mut(|state| state.held = Held::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: [u8; 32] = *b"a seed of tests, of 32 bytes....";

    /// Opens a sampler, and returns its description or the message.
    fn opened(text: &str, seed: &[u8]) -> Result<String, String> {
        input(text.len() + seed.len());
        STATE.with_borrow_mut(|state| state.input.copy_from_slice(&[text.as_bytes(), seed].concat()));
        let status = open(text.len());
        let answer = STATE.with_borrow(|state| state.answer.clone());
        if status == OK { Ok(answer) } else { Err(answer.split_once('\t').unwrap().1.into()) }
    }

    #[test]
    fn samples_are_what_the_library_draws() {
        use samplez::{BigGaussian, Seed, Source, Stream};
        let description = opened("sigma\t1e30\ncenter\t1/3\n", &SEED).unwrap();
        assert_eq!(
            description,
            "{\"recipe\":\"sigma=1000000000000000000000000000000,center=1/3\",\"bits\":128,\"timing\":\"isochronous\",\
             \"source\":\"chacha20\",\"seeded\":true}"
        );
        let big: BigGaussian = "sigma=1e30,center=1/3".parse().unwrap();
        let mut stream = Stream::new(Source::ChaCha20.open(&Seed::from_bytes(SEED)).unwrap());
        for count in [600, 0, 1] {
            assert_eq!(draw(count), OK);
            assert_eq!(STATE.with_borrow(|state| state.held.output.to_vec()), big.draw(&mut stream, count).unwrap());
        }
        assert!(STATE.with_borrow(|state| state.input.is_empty()));
        close();
        assert_eq!((draw(1), STATE.with_borrow(|state| state.held.output.len())), (FAILED, 0));
    }

    #[test]
    fn errors_have_the_names_of_javascript() {
        let error = |text: &str| opened(text, &SEED).unwrap_err();
        assert_eq!(error("sigmaSquared\t-1\n"), "sigmaSquared = -1: expected a number greater than 0");
        let missing = "missing width: pass one of sigma, sigmaSquared, kSigma2, s";
        assert_eq!(error("center\t3\n"), missing);
        assert!(error("recipe\tcenter=3\n").starts_with(missing));
        assert_eq!(error("recipe\tsigma=3\ncenter\t1\n"), "center = 1: expected in the recipe, which is given");
        let names = "sigma, sigmaSquared, kSigma2, s, center, recipe, source, seed";
        assert_eq!(error("method\tcdt\n"), format!("method: no such option; there are {names}"));
        assert!(error("sigma\t3\nsource\tdice\n").starts_with("source = dice: expected one of chacha20, "));
        assert_eq!(opened("sigma\t3\n", &[7; 31]).unwrap_err(), "seed: expected 32 bytes; got 31");
    }
}
