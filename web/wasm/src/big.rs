//! Parameters of any size: what is behind the npm package's `BigGaussian`.
//!
//! [`open`] takes a distribution, a source and a seed, and [`draw`] gives the next samples as words. An instance holds one sampler and one
//! stream.

mod sampler;
mod table;

use crate::spelling::Failure;
use crate::state::state;
use sampler::Sampler;
use zeroize::{Zeroize, Zeroizing};

/// What an instance holds.
#[derive(Default)]
struct Held {
    sampler: Option<Sampler>,
    /// The words of the last samples.
    output: Zeroizing<Vec<u64>>,
    /// The bytes of the last table.
    table: Vec<u8>,
}

state!(Held);

fn answer(work: impl FnOnce(&[u8], &mut Held) -> Result<String, Failure>) -> u32 {
    STATE.with_borrow_mut(|state| state.run_once(work))
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
        held.table = table::table(text).map_err(|refused| Failure::in_text(refused, text))?;
        Ok(held.table.len().to_string())
    })
}

/// Returns the place of the last table's bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn table_ptr() -> *const u8 {
    STATE.with_borrow(|state| state.held.table.as_ptr())
}

/// Wipes the generator and the last samples.
#[cfg(test)]
fn close() {
    STATE.with_borrow_mut(|state| state.held = Held::default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{FAILED, OK};

    const SEED: [u8; 32] = *b"a seed of tests, of 32 bytes....";

    /// Opens a sampler, and returns its description or the message.
    fn opened(text: &str, seed: &[u8]) -> Result<String, String> {
        give(&[text.as_bytes(), seed].concat());
        said(|| open(text.len()))
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
        assert_eq!(said(|| open(1)), Err("the request is longer than the input".into()));
        close();
        assert_eq!((draw(1), STATE.with_borrow(|state| state.held.output.len())), (FAILED, 0));
    }

    #[test]
    fn errors_have_the_names_of_javascript() {
        let error = |text: &str| opened(text, &SEED).unwrap_err();
        assert_eq!(error("sigmaSquared\t-1\n"), "sigmaSquared = -1: expected a number greater than 0");
        let missing = "missing width: pass one of sigma, sigmaSquared, kSigma2, s";
        assert_eq!(error("center\t3\n"), missing);
        let in_text = "missing width: pass one of sigma, sigma_squared, k_sigma2, s";
        assert_eq!(error("recipe\tcenter=3\n"), in_text);
        assert_eq!(error("recipe\tsigma=3\ncenter\t1\n"), "center = 1: expected in the recipe, which is given");
        let names = "sigma, sigmaSquared, kSigma2, s, center, recipe, source, seed";
        assert_eq!(error("method\tcdt\n"), format!("method: no such option; there are {names}"));
        assert!(error("sigma\t3\nsource\tdice\n").starts_with("source = dice: expected one of chacha20, "));
        assert_eq!(opened("sigma\t3\n", &[7; 31]).unwrap_err(), "seed: expected 32 bytes; got 31");
    }
}
