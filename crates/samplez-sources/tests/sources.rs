//! The generators against published vectors and against programs that share nothing with them.

use rand_core::{Rng, TryRng};
use samplez_sources::{
    Aes128Ctr, Aes256Ctr, ChaCha8, ChaCha12, ChaCha20, GlibcRandom, PosixRand, Salsa8, Salsa12, Salsa20, Seed,
};
use std::convert::Infallible;

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// The reader's watch for generators that are stuck accuses none of ours, the weak ones included.
#[cfg(feature = "std")]
#[test]
fn no_source_is_taken_for_stuck() {
    use samplez_core::bits::{BitReader, BitSource};
    let seeds = [Seed::from_bytes([0; 32]), Seed::from_bytes([0xff; 32]), Seed::from_bytes([1; 32])];
    for source in samplez_sources::Source::ALL {
        for rng in seeds.iter().filter_map(|seed| source.seeded(seed)) {
            let mut bits = BitReader::new(rng);
            for _ in 0..100 {
                bits.words(&mut [0; 5000]);
                assert_eq!(bits.fault(), None, "{source}");
                bits.bits(7);
            }
        }
    }
}

/// `SeedableRng` is another spelling: of a seed's bytes, of a short seed, and of 32 bytes of another generator.
#[cfg(feature = "std")]
#[test]
fn every_generator_is_seedable() {
    use rand_core::SeedableRng;
    use samplez_sources as s;
    use samplez_sources::{DrbgStream, Source};

    fn bytes(mut rng: impl Rng) -> [u8; 1000] {
        let mut out = [0; 1000];
        rng.fill_bytes(&mut out);
        out
    }
    fn check<R: SeedableRng<Seed = [u8; 32]> + Rng>(name: &str) -> Source {
        let source: Source = name.parse().unwrap();
        let expected = |seed: &Seed| bytes(source.seeded(seed).unwrap());
        let seed: [u8; 32] = std::array::from_fn(|i| 3 + 7 * i as u8);
        assert_eq!(bytes(R::from_seed(seed)), expected(&Seed::from_bytes(seed)), "{name}");
        for number in [0, 1, 42, u64::MAX] {
            assert_eq!(bytes(R::seed_from_u64(number)), expected(&Seed::from_number(number)), "{name}, {number}");
        }
        let mut rng = ChaCha20::new(&Seed::from_bytes(seed));
        let Ok(next) = Seed::from_entropy(&mut ChaCha20::new(&Seed::from_bytes(seed)));
        assert_eq!(bytes(R::from_rng(&mut rng)), expected(&next), "{name}");
        let Ok(rng) = R::try_from_rng(&mut ChaCha20::new(&Seed::from_bytes(seed)));
        assert_eq!(bytes(rng), expected(&next), "{name}");
        source
    }
    let checked = [
        check::<ChaCha20>("chacha20"),
        check::<ChaCha12>("chacha12"),
        check::<ChaCha8>("chacha8"),
        check::<Salsa20>("salsa20"),
        check::<Salsa12>("salsa12"),
        check::<Salsa8>("salsa8"),
        check::<Aes256Ctr>("aes256-ctr"),
        check::<Aes128Ctr>("aes128-ctr"),
        check::<DrbgStream<s::CtrDrbgAes256>>("ctr-drbg-aes256"),
        check::<DrbgStream<s::CtrDrbgAes256Soft>>("ctr-drbg-aes256-soft"),
        check::<DrbgStream<s::HashDrbgSha256>>("hash-drbg-sha256"),
        check::<DrbgStream<s::HashDrbgSha512>>("hash-drbg-sha512"),
        check::<s::Isaac64>("isaac64"),
        check::<s::Kiss64>("kiss64"),
        check::<GlibcRandom>("glibc-random"),
        check::<PosixRand>("posix-rand"),
    ];
    let seed = Seed::from_bytes([1; 32]);
    assert!(Source::ALL.iter().all(|source| source.seeded(&seed).is_none() || checked.contains(source)));
}

/// A generator that cannot be seeded from a source that fails.
#[cfg(feature = "std")]
#[test]
fn a_source_that_fails_seeds_nothing() {
    use rand_core::SeedableRng;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, [7; 31]).unwrap();
    let e = ChaCha20::try_from_rng(&mut samplez_sources::EntropyFile::open(file.path()).unwrap()).unwrap_err();
    assert!(e.to_string().contains("ended after 31 bytes"), "{e}");
}

fn cipher(name: &str, seed: &Seed) -> Box<dyn TryRng<Error = Infallible>> {
    match name {
        "chacha20" => Box::new(ChaCha20::new(seed)),
        "chacha12" => Box::new(ChaCha12::new(seed)),
        "chacha8" => Box::new(ChaCha8::new(seed)),
        "salsa20" => Box::new(Salsa20::new(seed)),
        "salsa12" => Box::new(Salsa12::new(seed)),
        "salsa8" => Box::new(Salsa8::new(seed)),
        "aes256-ctr" => Box::new(Aes256Ctr::new(seed)),
        "aes128-ctr" => Box::new(Aes128Ctr::new(seed)),
        other => panic!("{other}"),
    }
}

/// Generator, key, offset, bytes.
fn vectors() -> Vec<(&'static str, Vec<u8>, usize, Vec<u8>)> {
    let text = include_str!("../../../kat/sources.csv");
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<&'static str> = line.split(',').collect();
        (fields[0], hex(fields[1]), fields[2].parse().unwrap(), hex(fields[3]))
    });
    rows.collect()
}

#[test]
fn published_keystreams() {
    let mut checked = 0;
    for (name, key, offset, expected) in vectors() {
        if let Ok(key) = key.try_into() {
            let mut out = vec![0; offset + expected.len()];
            cipher(name, &Seed::from_bytes(key)).fill_bytes(&mut out);
            assert_eq!(out[offset..], expected, "{name}");
            checked += 1;
        }
    }
    assert_eq!(checked, 12);
}

/// The generator of this name under a key of 16 or 32 bytes, a nonce of 8 or 12, and from a block on.
fn under(name: &str, key: &[u8], nonce: &[u8], block: u64) -> Box<dyn TryRng<Error = Infallible>> {
    macro_rules! make {
        ($cipher:ident) => {{
            let nonce = nonce.try_into().unwrap();
            match key.try_into() {
                Ok(key) => Box::new($cipher::with_nonce(&Seed::from_bytes(key), nonce, block)),
                Err(_) => Box::new($cipher::with_short_key(key.try_into().unwrap(), nonce, block)),
            }
        }};
    }
    match name {
        "chacha20" => make!(ChaCha20),
        "chacha12" => make!(ChaCha12),
        "chacha8" => make!(ChaCha8),
        "salsa20" => make!(Salsa20),
        "salsa12" => make!(Salsa12),
        "salsa8" => make!(Salsa8),
        "chacha20-ietf" => {
            let key = Seed::from_bytes(key.try_into().unwrap());
            Box::new(ChaCha20::ietf(&key, nonce.try_into().unwrap(), block.try_into().unwrap()))
        }
        other => panic!("{other}"),
    }
}

/// Published keystreams under nonces, short keys, and blocks up to the counter's carry.
#[test]
fn published_keystreams_under_nonces() {
    let (mut short, mut with_nonce, mut carries) = (0, 0, 0);
    for line in include_str!("../../../kat/keystreams.csv").lines().skip(1) {
        let [name, key, nonce, offset, kind, expected] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
        let (key, nonce, expected) = (hex(key), hex(nonce), hex(expected));
        let offset: u64 = offset.parse().unwrap();
        let mut rng = under(name, &key, &nonce, offset / 64);
        rng.fill_bytes(&mut vec![0; offset as usize % 64]);
        let mut out = vec![0; expected.len()];
        if kind == "xor" {
            // The ECRYPT digest: the XOR of the blocks of 131,072 bytes.
            for _ in 0..131_072 / 64 {
                let mut block = [0; 64];
                rng.fill_bytes(&mut block);
                out.iter_mut().zip(block).for_each(|(o, b)| *o ^= b);
            }
        } else {
            rng.fill_bytes(&mut out);
        }
        assert_eq!(out, expected, "{name}, offset {offset}");
        short += u32::from(key.len() == 16);
        with_nonce += u32::from(nonce.iter().any(|byte| *byte != 0));
        carries += u32::from(offset < 1 << 38 && offset + out.len() as u64 > 1 << 38);
    }
    assert_eq!((short, with_nonce, carries), (22, 23, 11));
}

/// RFC 8439, 2.3.2: a nonce whose first word is not zero.
#[test]
fn the_block_of_the_rfc() {
    let key = Seed::from_bytes(std::array::from_fn(|i| i as u8));
    let mut rng = ChaCha20::ietf(&key, &[0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0], 1);
    let mut out = [0; 64];
    rng.fill_bytes(&mut out);
    let expected = "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e\
                    d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e";
    assert_eq!(out[..], hex(expected));
}

/// Salsa20's block by the letter of its specification, with a key of 16 or 32 bytes.
fn salsa_block(rounds: usize, key: &[u8], counter: u64) -> [u8; 64] {
    let constant: &[u8; 16] = if key.len() == 32 { b"expand 32-byte k" } else { b"expand 16-byte k" };
    let (low, high) = (&key[..16], &key[key.len() - 16..]);
    let counter = counter.to_le_bytes();
    let parts: [&[u8]; 8] =
        [&constant[..4], low, &constant[4..8], &[0; 8], &counter, &constant[8..12], high, &constant[12..]];
    let start: Vec<u32> = parts.concat().chunks(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
    let mut x = start.clone();
    for round in 0..rounds {
        for k in 0..4 {
            // columns downwards from the diagonal in even rounds, rows to the right in odd ones
            let at = |step: usize| {
                let moved = (k + step) % 4;
                if round % 2 == 0 { 4 * moved + k } else { 4 * k + moved }
            };
            for (step, turn) in [(1, 7), (2, 9), (3, 13), (4, 18)] {
                let sum = x[at(step + 3)].wrapping_add(x[at(step + 2)]);
                x[at(step)] ^= sum.rotate_left(turn);
            }
        }
    }
    let words = x.iter().zip(&start).flat_map(|(a, b)| a.wrapping_add(*b).to_le_bytes());
    words.collect::<Vec<u8>>().try_into().unwrap()
}

/// The published vectors with 8 and 12 rounds have keys of 16 bytes, which a seed is not: they
/// vouch for the plain form, which vouches for the generators under keys of 32 bytes.
#[test]
fn salsa_with_every_number_of_rounds() {
    let rounds = |name: &str| name.strip_prefix("salsa").and_then(|n| n.parse::<usize>().ok());
    let mut checked = 0;
    for (name, key, offset, expected) in vectors() {
        if let Some(rounds) = rounds(name) {
            let blocks = (0..8).flat_map(|n| salsa_block(rounds, &key, n));
            let stream: Vec<u8> = blocks.skip(offset).take(expected.len()).collect();
            assert_eq!(stream, expected, "{name}");
            checked += 1;
        }
    }
    assert_eq!(checked, 7);
    for name in ["salsa20", "salsa12", "salsa8"] {
        for k in 0..20_u8 {
            let key: [u8; 32] = core::array::from_fn(|i| k.wrapping_mul(91) ^ (i as u8).wrapping_mul(57));
            let mut out = [0; 64 * 40];
            cipher(name, &Seed::from_bytes(key)).fill_bytes(&mut out);
            for (n, block) in out.chunks(64).enumerate() {
                assert_eq!(block, salsa_block(rounds(name).unwrap(), &key, n as u64), "{name}, block {n}");
            }
        }
    }
}

/// Mixed requests read the one stream of bytes.
#[test]
fn requests_do_not_matter() {
    for name in ["chacha20", "chacha12", "chacha8", "salsa20", "salsa12", "salsa8", "aes256-ctr", "aes128-ctr"] {
        let seed = Seed::from_bytes([42; 32]);
        let mut whole = [0; 300];
        cipher(name, &seed).fill_bytes(&mut whole);
        let mut rng = cipher(name, &seed);
        let mut pieces = rng.next_u32().to_le_bytes().to_vec();
        let mut part = [0; 13];
        rng.fill_bytes(&mut part);
        pieces.extend(part);
        pieces.extend(rng.next_u64().to_le_bytes());
        let mut rest = [0; 275];
        rng.fill_bytes(&mut rest);
        pieces.extend(rest);
        assert_eq!(pieces, whole, "{name}");
    }
}

/// The stream as numbers of so many bits.
fn numbers_of(rng: &mut dyn TryRng<Error = Infallible>, bits: usize, count: usize) -> Vec<u32> {
    let mut bytes = vec![0; count * bits / 8 + 1];
    rng.fill_bytes(&mut bytes);
    let bit = |i: usize| u32::from(bytes[i / 8] >> (i % 8) & 1);
    (0..count).map(|n| (0..bits).map(|i| bit(n * bits + i) << i).sum()).collect()
}

/// How often a 31-bit number is the sum of those 3 and 31 places before it, or one more.
fn sums_of_earlier(rng: &mut dyn TryRng<Error = Infallible>) -> f64 {
    let x = numbers_of(rng, 31, 10_031);
    let is_sum = |i: usize| x[i].wrapping_sub(x[i - 3]).wrapping_sub(x[i - 31]) & 0x7fff_ffff <= 1;
    (31..x.len()).filter(|i| is_sum(*i)).count() as f64 / 10_000.0
}

/// How often the lowest bit of a 15-bit number is that of the number 2^17 places before.
fn returns(rng: &mut dyn TryRng<Error = Infallible>) -> f64 {
    let x = numbers_of(rng, 15, (1 << 17) + 10_000);
    (0..10_000).filter(|i| (x[*i] ^ x[i + (1 << 17)]) & 1 == 0).count() as f64 / 10_000.0
}

/// The weak generators are weak: each fails a test made for it, every time, which the others pass.
#[test]
fn the_weak_can_be_predicted() {
    for k in 1..10 {
        let seed = Seed::from_bytes([k * 23; 32]);
        assert_eq!(sums_of_earlier(&mut GlibcRandom::new(&seed)), 1.0);
        assert_eq!(returns(&mut PosixRand::new(&seed)), 1.0);
        for name in ["chacha20", "chacha8", "salsa8"] {
            assert!(sums_of_earlier(&mut *cipher(name, &seed)) < 0.001, "{name}");
            // Binomial with 10,000 trials: 6 standard deviations.
            assert!((returns(&mut *cipher(name, &seed)) - 0.5).abs() < 0.03, "{name}");
        }
        assert!(sums_of_earlier(&mut PosixRand::new(&seed)) < 0.001);
        assert!((returns(&mut GlibcRandom::new(&seed)) - 0.5).abs() < 0.03);
    }
}

/// What C programs give: compiled and run here.
#[cfg(all(unix, not(miri)))]
mod c {
    use super::*;
    use std::path::PathBuf;
    use std::process::Command;

    /// Compiles `text` with the C compiler (cc, or what CC says); the numbers that it prints.
    fn numbers(name: &str, text: &str) -> Vec<u64> {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let (source, binary) = (folder.join(format!("{name}.c")), folder.join(name));
        std::fs::write(&source, text).unwrap();
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let built = Command::new(compiler).arg("-O1").arg("-o").arg(&binary).arg(&source).status();
        assert!(built.expect("a C compiler is there").success());
        let output = Command::new(&binary).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap().split_whitespace().map(|n| n.parse().unwrap()).collect()
    }

    /// Seeds: small ones, those around 2^31 and 2^32, and some in between.
    const SEEDS: &str = "static unsigned seeds[400];
        static void fill(void) {
            unsigned edge[] = {0, 1, 2, 3, 127773, 2147483646u, 2147483647u, 2147483648u, 2147483649u, 4294967294u, 4294967295u};
            for (int i = 0; i < 400; i++) seeds[i] = i < 11 ? edge[i] : 2654435761u * (unsigned) i;
        }";
    const OUTPUTS: usize = 200;

    fn seed(low: u64) -> Seed {
        let mut bytes = [0xff; 32]; // the rest of the seed does not matter
        bytes[..4].copy_from_slice(&(low as u32).to_le_bytes());
        Seed::from_bytes(bytes)
    }

    /// The outputs of `bits` bits, taken from the stream of bytes.
    fn outputs(mut rng: impl Rng, bits: usize) -> Vec<u64> {
        let mut bytes = vec![0; OUTPUTS * bits / 8];
        rng.fill_bytes(&mut bytes);
        let bit = |i: usize| u64::from(bytes[i / 8] >> (i % 8) & 1);
        (0..OUTPUTS).map(|n| (0..bits).map(|i| bit(n * bits + i) << i).sum()).collect()
    }

    #[cfg(target_env = "gnu")]
    #[test]
    fn random_of_the_c_library() {
        let text = format!(
            "#include <stdio.h>\n#include <stdlib.h>\n{SEEDS}
            int main(void) {{
                fill();
                for (int i = 0; i < 400; i++) {{
                    srandom(seeds[i]);
                    printf(\"%u\\n\", seeds[i]);
                    for (int j = 0; j < {OUTPUTS}; j++) printf(\"%ld\\n\", random());
                }}
                return 0;
            }}"
        );
        let numbers = numbers("glibc_random", &text);
        assert_eq!(numbers.len(), 400 * (OUTPUTS + 1));
        for run in numbers.chunks(OUTPUTS + 1) {
            assert_eq!(outputs(GlibcRandom::new(&seed(run[0])), 31), run[1..], "seed {}", run[0]);
        }
    }

    /// The generator of the POSIX standard's page on rand(), by its definition.
    #[test]
    fn rand_of_posix() {
        let text = format!(
            "#include <stdio.h>\n{SEEDS}
            static unsigned long next = 1;
            static int my_rand(void) {{
                next = next * 1103515245 + 12345;
                return (int) ((unsigned) (next / 65536) % 32768);
            }}
            int main(void) {{
                fill();
                for (int i = 0; i < 400; i++) {{
                    next = seeds[i];
                    printf(\"%u\\n\", seeds[i]);
                    for (int j = 0; j < {OUTPUTS}; j++) printf(\"%d\\n\", my_rand());
                }}
                return 0;
            }}"
        );
        let numbers = numbers("posix_rand", &text);
        assert_eq!(numbers.len(), 400 * (OUTPUTS + 1));
        for run in numbers.chunks(OUTPUTS + 1) {
            assert_eq!(outputs(PosixRand::new(&seed(run[0])), 15), run[1..], "seed {}", run[0]);
        }
    }
}
