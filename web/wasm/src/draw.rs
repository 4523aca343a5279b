//! The samplers.
//!
//! Methods and sources go by their names, so that a new one needs nothing here. One instance of the module holds one array of samples or
//! one stream; JavaScript makes an instance for each and drops it whole.

mod array;
mod figure;
mod output;
mod progress;
mod request;
mod stream;

use crate::spelling::Failure;
use crate::state::state;
use array::Array;
use output::Output;
use samplez::Law;
use stream::Stream;

/// What an instance holds.
#[derive(Default)]
struct Held {
    array: Option<Array>,
    stream: Option<Stream>,
    output: Output,
}

state!(Held);

fn answer(work: impl FnOnce(&[u8], &mut Held) -> Result<String, Failure>) -> u32 {
    STATE.with_borrow_mut(|state| state.run_once(work))
}

/// Returns a number of the array's law. It is NaN if no array is open, or if the law does not have this number.
fn of_law<T: Into<Option<f64>>>(work: impl FnOnce(&Law) -> T) -> f64 {
    STATE.with_borrow(|state| {
        state.held.array.as_ref().and_then(Array::law).and_then(|law| work(law).into()).unwrap_or(f64::NAN)
    })
}

/// Answers with the methods and the sources that a request may name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn names() -> u32 {
    answer(|_, _| Ok(request::names()))
}

/// Builds the array that the input describes: a request in its first `len` bytes, after them
/// the 32 bytes of a seed unless the request names one. Answers with its description.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn open(len: usize) -> u32 {
    answer(|input, held| {
        let (text, seed) = split(input, len)?;
        let built = Array::build(&request::parse(text)?, seed)?;
        let description = built.describe();
        held.array = Some(built);
        Ok(description)
    })
}

/// Builds the array of another distribution than a Gaussian, from a request in the form of [`open`].
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn open_law(len: usize) -> u32 {
    answer(|input, held| {
        let (text, seed) = split(input, len)?;
        Ok(held.array.insert(Array::build(&request::parse_law(text)?, seed)?).describe())
    })
}

/// Builds the array of a table of the caller's, likewise.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn open_table(len: usize) -> u32 {
    answer(|input, held| {
        let (text, seed) = split(input, len)?;
        let (table, bits) = request::parse_table(text)?;
        Ok(held.array.insert(Array::of_table(&table, &bits, seed)?).describe())
    })
}

/// One ternary vector of the stream with so many entries that are not 0, to be read at [`output`]. Answers with nothing.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn sparse(weight: u64, bits: u32, count: usize) -> u32 {
    draw(bits, count, |stream, _, out| stream.sparse(weight, out))
}

/// Opens the stream that the input describes, as [`open`] has it. Answers with its description.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn open_stream(len: usize) -> u32 {
    answer(|input, held| {
        let (text, seed) = split(input, len)?;
        Ok(held.stream.insert(Stream::open(&request::parse_bits(text)?, seed)?).describe())
    })
}

/// The next `count` integers of the stream, with so many bits each, to be read at [`output`]: around doubles, as the first `len`
/// bytes of the input say. Answers with nothing.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn around_doubles(len: usize, bits: u32, count: usize) -> u32 {
    draw(bits, count, |stream, input, out| {
        let (head, numbers) = split(input, len)?;
        stream.around_doubles(head, numbers, out)
    })
}

/// The same around numbers that are texts, the first of them having this number.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn around_texts(first: u64, bits: u32, count: usize) -> u32 {
    draw(bits, count, |stream, input, out| stream.around_texts(input, first, out))
}

fn draw(bits: u32, count: usize, work: impl FnOnce(&mut Stream, &[u8], &mut [i64]) -> Result<(), Failure>) -> u32 {
    answer(|input, held| {
        let stream = held.stream.as_mut().ok_or("no stream has been opened")?;
        held.output.draw(bits, count, |out| work(stream, input, out)).map(|()| String::new())
    })
}

/// The first bytes of an input, and the others.
fn split(input: &[u8], len: usize) -> Result<(&[u8], &[u8]), Failure> {
    Ok(input.split_at_checked(len).ok_or("the request is longer than the input")?)
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
    answer(|_, Held { array, output, .. }| {
        let array = array.as_ref().ok_or("no array has been opened")?;
        array.fill(bits, first, len, output).map(|()| String::new())
    })
}

/// Where the integers of the last call begin that gave any.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn output() -> *const u64 {
    STATE.with_borrow(|state| state.held.output.as_ptr())
}

/// Exports of functions of the law aimed at; NaN without an array, and where one has no value.
macro_rules! of_law {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) = $value:expr;)*) => {$(
        $(#[$doc])*
        #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
        pub extern "C" fn $name($($argument: $type),*) -> f64 {
            let value: fn(&Law, $($type),*) -> _ = $value;
            of_law(|law| value(law, $($argument),*))
        }
    )*};
}

of_law! {
    /// P(X = x).
    pmf(x: i64) = Law::pmf;
    /// ln P(X = x).
    logpmf(x: i64) = Law::logpmf;
    /// P(X <= x).
    cdf(x: i64) = Law::cdf;
    /// ln P(X <= x).
    logcdf(x: i64) = Law::logcdf;
    /// P(X > x).
    sf(x: i64) = Law::sf;
    /// ln P(X > x).
    logsf(x: i64) = Law::logsf;
    /// The mean.
    mean() = Law::mean;
    /// The variance.
    variance() = Law::variance;
    /// The standard deviation.
    std_dev() = Law::std_dev;
    /// E[(X - mean)³] over the cube of the standard deviation.
    skewness() = Law::skewness;
    /// E[(X - mean)⁴]/variance² - 3.
    excess_kurtosis() = Law::excess_kurtosis;
    /// E[X^order], for orders that are computed.
    moment(order: u32) = Law::moment;
    /// The entropy in nats.
    entropy() = Law::entropy;
    /// The entropy with logarithms to a base that is finite and above 1.
    entropy_in(base: f64) = Law::entropy_in;
}

/// P(low <= X <= high), by the ideal distribution; NaN without an array, and for a caller's table.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn mass(low: i64, high: i64) -> f64 {
    STATE.with_borrow(|state| state.held.array.as_ref().and_then(|array| array.mass(low..=high)).unwrap_or(f64::NAN))
}

/// The least x with P(X <= x) >= q, for q between 0 and 1; -2^63 if it lies beyond 64 bits, and without an array.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn ppf(q: f64) -> i64 {
    quantile(q, Law::quantile)
}

/// The least x with P(X > x) <= q, likewise.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn isf(q: f64) -> i64 {
    quantile(q, Law::isf)
}

fn quantile(q: f64, of: fn(&Law, f64) -> Option<i64>) -> i64 {
    STATE.with_borrow(|state| {
        state.held.array.as_ref().and_then(Array::law).and_then(|law| of(law, q)).unwrap_or(i64::MIN)
    })
}

/// Drops the array and the stream, and wipes their secrets and the last output.
#[cfg(test)]
fn close() {
    STATE.with_borrow_mut(|state| *state = crate::state::State::default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{FAILED, OK};

    const SEED: [u8; 32] = *b"a seed of tests, of 32 bytes....";

    /// The message of the last call, without its kind.
    fn message() -> String {
        STATE.with_borrow(|state| state.answer.split_once('\t').unwrap().1.to_string())
    }

    fn call(text: &str, seed: &[u8]) -> Result<String, String> {
        give(&[text.as_bytes(), seed].concat());
        said(|| open(text.len()))
    }

    #[test]
    fn an_array_is_what_the_library_draws() {
        use samplez::{Bulk, DiscreteGaussian, Method, Recipe, Seed, Source};
        assert!(call("sigma\t3.2\nmethod\tkarney\n", &SEED).unwrap().contains("\"method\":\"karney\""));
        assert_eq!(fill(16, 8_000, 1_000), OK);
        let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
        let sampler = Recipe::new(law).method(Method::Karney).build().unwrap();
        let mut samples = [0_i16; 1_000];
        Bulk::new(sampler.sampler(), Source::ChaCha20, Seed::from_bytes(SEED)).fill(8_000, &mut samples).unwrap();
        assert_eq!(STATE.with_borrow_mut(|state| state.held.output.room::<i16>(1_000).to_vec()), samples);
        assert_eq!((pmf(0), cdf(-4), mass(-100, 100)), (0.12466946262544772, 0.13605105553235816, 1.0));
        assert_eq!((ppf(0.975), isf(0.975), moment(2), moment(33).is_nan()), (6, -6, 10.24, true));
        close();
        assert!(pmf(0).is_nan() && mean().is_nan() && ppf(0.5) == i64::MIN);
    }

    #[test]
    fn the_input_is_wiped() {
        call("sigma\t3.2\n", &SEED).unwrap();
        assert_eq!(said(|| open(1)), Err("the request is longer than the input".into()));
    }

    #[test]
    fn errors_are_the_librarys() {
        let error = |text: &str| call(text, &SEED).unwrap_err();
        assert_eq!(error("sigma\t-2\n"), "sigma = -2: expected a number greater than 0");
        assert!(error("sigma\tx\n").starts_with("sigma = x: not a number"));
        assert!(error("sigma\t3\nmethod\tdice\n").starts_with("method = dice: expected one of auto, karney, "));
        assert!(error("sigma\t3\nsource\tdice\n").starts_with("source = dice: expected one of chacha20, "));
        assert!(
            error("sigma\t3\nprecision\t0\nmethod\tcdt\n")
                .starts_with("precision = 0: expected a number between 1 and 256")
        );
        assert_eq!(error("sigma\t3\ns\t3\n"), "s = 3: sigma is given too; pass only one of them");
        assert!(error("method\tcdt\n").starts_with("missing width: pass one of sigma, sigmaSquared, "));
        assert!(error("sigmaa\t3\n").starts_with("sigmaa: no such option; there are "));
        assert!(error("sigma\t3\nsetup_time\t9\n").contains(", constantTime, "));
        assert!(error("kSigma2\tx\n").starts_with("kSigma2 = x: not a number"));
        assert!(error("sigma\t3\ncenter\tx\n").starts_with("center = x: not a number"));
        assert!(error("sigma\t3\nexact\tyes\n").starts_with("exact = yes: expected true or false"));
        assert!(error("sigma\t3\nprecision\t-1\n").starts_with("precision = -1: expected a number between 1 and 256"));
        assert!(error("sigma\t3\nseed\tff\n").starts_with("seed: a seed is 64 hexadecimal digits"));
        let missing = call("sigma\t3\n", &[]).unwrap_err();
        assert_eq!(missing, "seed: expected 32 bytes; got 0");
    }

    #[test]
    fn a_stream_is_what_the_library_rounds() {
        use samplez::{RoundMethod, Seed, Sigmas, Source};
        let last = |len| STATE.with_borrow_mut(|state| state.held.output.room::<i64>(len).to_vec());
        assert_eq!(around_texts(0, 64, 1), FAILED);
        give(&SEED);
        assert_eq!(open_stream(0), OK);
        let mut stream = samplez::Stream::new(Source::ChaCha20.open(&Seed::from_bytes(SEED)).unwrap());
        let (centers, mut expected) = ([0.5, -17.25, 1e6], [0; 3]);
        stream.round_all(RoundMethod::Strips, Sigmas::One("3.2".parse().unwrap()), &centers, &mut expected).unwrap();
        let numbers = centers.map(f64::to_le_bytes).concat();
        give(&[b"strips\t3.2", &numbers[..]].concat());
        assert_eq!((around_doubles(10, 64, 3), last(3)), (OK, expected.to_vec()));
        // What comes next, of texts.
        stream.round_all(RoundMethod::Strips, Sigmas::Each(&[1.5, 2.5, 4.0]), &centers, &mut expected).unwrap();
        give(b"strips\t\n1.5\n5/2\n4\n1/2\n-17.25\n1e6");
        assert_eq!((around_texts(0, 64, 3), last(3)), (OK, expected.to_vec()));
        give(&[b"strips\t3.2", &numbers[..]].concat());
        assert_eq!((around_doubles(10, 16, 3), last(3)), (FAILED, vec![0; 3]));
        close();
        assert_eq!(around_texts(0, 64, 1), FAILED);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let dead = call("sigma\t1000\n", &[0; 32]).unwrap_err();
        assert!(dead.starts_with("seed: 32 equal bytes"), "{dead}");
        call("sigma\t1000\nmethod\tcdt\n", &SEED).unwrap();
        assert_eq!(fill(8, 0, 10), FAILED);
        let narrow = "array = Int8Array: the samples range from -12774 to 12774; use Int16Array";
        assert_eq!(message(), narrow);
        assert_eq!(fill(16, u64::MAX, 2), FAILED);
        assert!(message().contains("expected at most 18446744073709551614 with 2 samples"), "{}", message());
        assert_eq!(fill(12, 0, 1), FAILED);
    }

    #[test]
    fn pictures() {
        let picture = |text: &str, kind| {
            give(text.as_bytes());
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
