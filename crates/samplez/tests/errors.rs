//! Chains of errors: whoever prints an error and all its sources reads each text once.

use rand_core::TryRng;
use samplez::{
    Bulk, EntropyError, Failure, FillError, Rational, Recipe, RoundMethod, Rounding, Seed, Source, Stream, StreamError,
};
use samplez_sources::{EntropyFile, ReseedingError};
use std::error::Error;
use std::{fmt, io};

/// What a program prints that walks the chain.
fn told(error: &(dyn Error + 'static)) -> Vec<String> {
    std::iter::successors(Some(error), |error| (*error).source()).map(ToString::to_string).collect()
}

/// At the root of a chain.
#[derive(Debug)]
struct Root;
impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the wire is cut")
    }
}
impl Error for Root {}

/// An error that does not say what its source says.
#[derive(Debug)]
struct Wire(Root);
impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the device is gone")
    }
}
impl Error for Wire {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

struct Device;
impl TryRng for Device {
    type Error = Wire;
    fn try_next_u32(&mut self) -> Result<u32, Wire> {
        Err(Wire(Root))
    }
    fn try_next_u64(&mut self) -> Result<u64, Wire> {
        Err(Wire(Root))
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Wire> {
        Err(Wire(Root))
    }
}

#[test]
fn a_stream_passes_its_generators_chain_on() {
    let built = "sigma=3.2".parse::<Recipe>().unwrap().build().unwrap();
    let error = Stream::new(Device).fill(built.sampler(), &mut [0_i8; 10]).unwrap_err();
    assert!(matches!(error, StreamError::Source(Failure::Source(Wire(_)))));
    assert_eq!(told(&error), ["the device is gone", "the wire is cut"]);
}

#[test]
fn reseeding_passes_its_entropys_chain_on() {
    let error = ReseedingError::Entropy(io::Error::other(Wire(Root)));
    assert_eq!(told(&error), ["no entropy to reseed from: the device is gone", "the wire is cut"]);
}

#[test]
fn a_fill_passes_on_what_a_file_says() {
    let file = EntropyFile::open("/no/such/file").unwrap_err();
    let error = FillError::Entropy(Failure::Source(EntropyError::File(file)));
    let told = told(&error);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].matches("/no/such/file").count(), 1, "{told:?}");

    let built = "sigma=1000".parse::<Recipe>().unwrap().build().unwrap();
    let bulk = Bulk::new(built.sampler(), Source::ChaCha20, Seed::from_number(1));
    assert!(bulk.fill(0, &mut [0_i8; 100]).unwrap_err().source().is_none());
    assert!(bulk.fill(u64::MAX, &mut [0_i16; 2]).unwrap_err().source().is_none());
}

#[test]
fn a_refusal_tells_its_cause_once() {
    for text in ["sigma=abc", "sigma=-1", "sigma=1/0", "sigma=3.2,precision=x"] {
        let refused = text.parse::<Recipe>().unwrap_err();
        assert_eq!(told(&refused), [refused.to_string()], "{text}");
    }
    for text in ["sigma=1e12,method=cdt", "sigma=3.2,method=du-wei-4", "s=1e18,center=1/3,exact=true"] {
        let refused = text.parse::<Recipe>().unwrap().build().unwrap_err();
        assert_eq!(told(&refused), [refused.to_string()], "{text}");
        assert!(refused.cause().is_some(), "{text}");
    }
}

/// Each kind, from texts of users.
#[test]
fn every_kind_comes_from_its_mistake() {
    use samplez::RefusedKind::{Missing, NoMethod, NotANumber, Other, OutOfRange, TooLong, Unknown, Unsupported};
    let kinds = [
        ("center=1", Missing),
        ("", Missing),
        ("sigma=3,memory=1", NoMethod),
        ("sigma=three", NotANumber),
        ("sigma=1/0", NotANumber),
        ("sigma=3,tail=x", NotANumber),
        ("sigma=3,sigma=3", Other),
        ("sigma=-1", OutOfRange),
        ("sigma=3,center=1e-30", TooLong),
        ("sigma=1e400", TooLong),
        ("sigma=3,colour=red", Unknown),
        ("sigma=3,method=dice", Unknown),
        ("sigma=1e15,method=karney", Unsupported),
        ("sigma=3,method=karney,precision=72", Unsupported),
        ("sigma=3,method=cdt,memory=1", Unsupported),
    ];
    for (text, kind) in kinds {
        let built = text.parse::<Recipe>().and_then(|recipe| recipe.build());
        assert_eq!(built.map(|_| ()).map_err(|refused| refused.kind()), Err(kind), "{text}");
    }
    let rounding = Rounding::new(RoundMethod::Karney, Rational::from(3)).unwrap();
    let kind = |center| rounding.center_of_f64(center).unwrap_err().kind();
    assert_eq!([kind(f64::NAN), kind(1e300), kind(1e-300)], [NotANumber, OutOfRange, TooLong]);
}
