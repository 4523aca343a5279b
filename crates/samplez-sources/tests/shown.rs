//! What is shown of generators and errors, and the words that generators make of their bytes.
#![cfg(all(feature = "std", feature = "os"))]

use rand_core::{TryCryptoRng, TryRng};
use samplez_core::bits::{BitReader, BitSource, Fault};
use samplez_sources::{
    ChaCha20, CtrDrbgAes256, Device, DrbgError, DrbgStream, EntropyError, EntropyFile, HashDrbgSha256, HashDrbgSha512,
    HealthParamError, HealthTested, HealthTestedError, HealthTests, InsecureSeed, Os, Reseeding, ReseedingError, Seed,
    Source, insecure_time_seed,
};
use std::error::Error;
use std::fmt::Debug;

fn seed(byte: u8) -> Seed {
    Seed::from_bytes([byte; 32])
}

/// Both were made of other secrets: what is shown tells them apart by nothing.
fn same(first: &dyn Debug, second: &dyn Debug) {
    let shown = format!("{first:?}");
    assert_eq!(shown, format!("{second:?}"));
    assert_eq!(format!("{first:#?}"), format!("{second:#?}"));
    assert!(!shown.is_empty() && !shown.contains("1, 1") && !shown.contains("0101"), "{shown}");
}

/// A word is what a request of as many bytes gives, least significant first.
fn words<R: TryRng<Error: Debug>>(make: impl Fn() -> R) {
    let (mut four, mut eight) = ([0; 4], [0; 8]);
    make().try_fill_bytes(&mut four).unwrap();
    make().try_fill_bytes(&mut eight).unwrap();
    assert_eq!(make().try_next_u32().unwrap().to_le_bytes(), four);
    assert_eq!(make().try_next_u64().unwrap().to_le_bytes(), eight);
}

#[test]
fn no_generator_shows_its_state() {
    let drbg = |byte| HashDrbgSha256::instantiate(&[byte; 32], &[byte; 16], b"").unwrap();
    same(&seed(1), &seed(2));
    same(&drbg(1), &drbg(2));
    same(&DrbgStream::new(drbg(1)), &DrbgStream::new(drbg(2)));
    same(&Reseeding::new(drbg(1), ChaCha20::new(&seed(1))), &Reseeding::new(drbg(2), ChaCha20::new(&seed(2))));
    same(&ChaCha20::new(&seed(1)), &ChaCha20::new(&seed(2)));
    let tested = |byte| HealthTested::new(ChaCha20::new(&seed(byte)), HealthTests::new("a chip", 4, 40).unwrap());
    same(&tested(1), &tested(2));
    let checked = |byte| {
        let mut tests = HealthTests::new("a chip", 4, 40).unwrap();
        tests.check(&[byte, 7, byte]).unwrap();
        tests
    };
    same(&checked(1), &checked(2));
    same(&insecure_time_seed(), &insecure_time_seed());
    let insecure = |seed: InsecureSeed| seed.generator(ChaCha20::new);
    same(&insecure(insecure_time_seed()), &insecure(insecure_time_seed()));
    for source in Source::ALL.into_iter().filter(|source| source.is_seeded()) {
        assert!(!source.summary().is_empty() && source.state_bytes() > 0, "{source}");
    }
}

#[test]
fn words_are_bytes() {
    words(|| CtrDrbgAes256::instantiate(&[1; 32], &[2; 16], b"").unwrap());
    words(|| DrbgStream::<CtrDrbgAes256>::from_seed(&seed(1)));
    words(|| HealthTested::new(ChaCha20::new(&seed(1)), HealthTests::new("a chip", 4, 40).unwrap()));
    words(|| {
        let drbg = HashDrbgSha512::instantiate(&[1; 32], &[2; 16], b"").unwrap();
        Reseeding::new(drbg, ChaCha20::new(&seed(1)))
    });
    let insecure = insecure_time_seed();
    words(|| insecure.generator(ChaCha20::new));
    for source in Source::ALL.into_iter().filter(|source| source.is_seeded()) {
        words(|| source.open(&seed(1)).unwrap());
    }
    // DRBGs under the standard's own inputs: the same bytes as of the type.
    for source in Source::ALL {
        let Some(stream) = source.instantiate(&[1; 32], &[2; 16], b"an application") else { continue };
        let (mut bytes, mut direct) = ([0; 100], [0; 100]);
        stream.unwrap().try_fill_bytes(&mut bytes).unwrap();
        if source == Source::CtrDrbgAes256 {
            let drbg = CtrDrbgAes256::instantiate(&[1; 32], &[2; 16], b"an application").unwrap();
            DrbgStream::new(drbg).try_fill_bytes(&mut direct).unwrap();
            assert_eq!(bytes, direct);
        }
        assert!(matches!(source.instantiate(&[1; 31], &[2; 16], b""), Some(Err(DrbgError::EntropyTooShort { .. }))));
    }
}

/// Bits through a pointer to a pointer are the reader's own, and so is its fault.
#[test]
fn a_reader_behind_a_pointer_is_the_same() {
    fn drawn<B: BitSource>(mut bits: B) -> (u64, [u64; 2], u32) {
        let (first, mut words) = (bits.bits(9), [0; 2]);
        bits.words(&mut words);
        let outcome = bits.declassify(5);
        bits.condemn();
        (first, words, outcome)
    }
    let [direct, mut behind] = [1, 1].map(|byte| BitReader::new(ChaCha20::new(&seed(byte))).latching());
    assert_eq!(drawn(&mut &mut behind), drawn(direct));
    assert_eq!(behind.fault(), Some(Fault::Undecided));
}

#[test]
#[cfg(unix)]
fn words_of_live_entropy_differ() {
    // Equal by chance with probability below 2^-62 for each source.
    fn differ<R: TryCryptoRng<Error: Debug>>(rng: &mut R) {
        let words: Vec<u64> = (0..4).map(|_| rng.try_next_u64().unwrap()).collect();
        assert!(words.windows(2).all(|pair| pair[0] != pair[1]));
        assert!((0..4).map(|_| rng.try_next_u32().unwrap()).collect::<std::collections::HashSet<_>>().len() > 1);
    }
    differ(&mut Os::new());
    differ(&mut Device::urandom().unwrap());
    assert!(format!("{:?}", Device::random().unwrap()).contains("/dev/random"));
}

#[test]
fn a_file_gives_its_words_and_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("entropy");
    std::fs::write(&path, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]).unwrap();
    let mut file = EntropyFile::open(&path).unwrap();
    assert_eq!((file.try_next_u32().unwrap(), file.try_next_u64().unwrap()), (0x0403_0201, 0x0c0b_0a09_0807_0605));
    let ended = file.try_next_u32().unwrap_err();
    assert!(ended.to_string().contains("ended after 13 bytes"), "{ended}");
    assert!(ended.source().is_none());
    assert_eq!(format!("{file:?}"), format!("EntropyFile {{ path: {path:?}, .. }}"));
    let missing = EntropyError::from(EntropyFile::open("/no/such/file").unwrap_err());
    assert!(missing.to_string().starts_with("/no/such/file: cannot be opened"), "{missing}");
}

#[test]
fn errors_name_what_is_wrong_and_what_is_allowed() {
    let error = |error: &dyn Error, parts: &[&str]| {
        let text = error.to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        assert!(error.source().is_none());
    };
    let system = EntropyError::from(getrandom::Error::UNSUPPORTED);
    error(&system, &["the operating system gave no entropy"]);
    error(
        &EntropyError::from(HealthTestedError::Source(getrandom::Error::UNSUPPORTED)),
        &["the operating system gave"],
    );
    error(&DrbgError::EntropyTooShort { got: 3, min: 32 }, &["entropy", "3", "32"]);
    error(&DrbgError::NonceTooShort { got: 1, min: 16 }, &["nonce", "1", "16"]);
    error(&DrbgError::InputTooLong { input: "entropy", got: 9, max: 8 }, &["entropy", "9", "8"]);
    error(&DrbgError::RequestTooLong { got: 9, max: 8 }, &["request", "9", "8"]);
    error(&DrbgError::BadInterval { got: 0, max: 8 }, &["interval", "0", "8"]);
    error(&DrbgError::ReseedRequired { interval: 5 }, &["5", "reseed"]);
    let drbg = ReseedingError::<EntropyError>::from(DrbgError::BadInterval { got: 0, max: 8 });
    error(&drbg, &["interval", "0", "8"]);
    error(&HealthParamError::MinEntropy(9), &["min-entropy = 9", "1 to 8"]);
    error(&HealthParamError::Alpha(9), &["alpha = 9", "20 to 40"]);

    let mut alarms = Vec::new();
    for byte in [|_: usize| 0_u8, |i: usize| if i.is_multiple_of(2) { 0 } else { i as u8 }] {
        let mut tests = HealthTests::new("a chip", 4, 40).unwrap();
        let bytes: Vec<u8> = (0..4096).map(byte).collect();
        alarms.push(tests.check(&bytes).unwrap_err());
    }
    error(&alarms[0], &["a chip", "repetition count test", "equal bytes in a row"]);
    error(&alarms[1], &["a chip", "adaptive proportion test", "bytes equal the first"]);
    let tested = HealthTestedError::<DrbgError>::Alarm(alarms.remove(0));
    error(&tested, &["a chip"]);
    error(&EntropyError::from(HealthTestedError::<getrandom::Error>::Alarm(alarms.remove(0))), &["a chip"]);
    error(&HealthTestedError::Source(DrbgError::BadInterval { got: 0, max: 8 }), &["interval"]);
    let unknown = "dice".parse::<Source>().unwrap_err();
    error(&unknown, &["source = dice", "chacha20"]);
    assert_eq!(unknown.value, "dice");
}
