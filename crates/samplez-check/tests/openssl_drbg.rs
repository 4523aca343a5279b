//! The DRBGs against OpenSSL's, over thousands of random cases: entropy, nonces, personalization,
//! reseeding, prediction resistance, additional input and requests of every length.
//!
//! OpenSSL runs in a small C program (`openssl/drbg.c`) that this test compiles.

use rand_core::{Rng, TryCryptoRng, TryRng};
use samplez_core::bits::{BitReader, uniform_below};
use samplez_sources::{
    Aes256, Aes256Soft, ChaCha20, Cipher, CtrDrbg, Drbg, HashDrbg, Mechanism, Reseeding, Seed, Sha256, Sha512,
};
use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Cases of each of the four kinds.
const CASES: usize = 1500;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Ctr { derivation: bool },
    Sha256,
    Sha512,
}

enum Step {
    Reseed { entropy: Vec<u8>, additional: Vec<u8> },
    Generate { bytes: usize, additional: Vec<u8> },
    Resist { bytes: usize, entropy: Vec<u8>, additional: Vec<u8> },
}

struct Case {
    kind: Kind,
    entropy: Vec<u8>,
    nonce: Vec<u8>,
    personalization: Vec<u8>,
    steps: Vec<Step>,
}

/// Random cases from a fixed seed.
struct Cases(BitReader<ChaCha20>, ChaCha20);

impl Cases {
    fn new() -> Self {
        let seed = Seed::from_bytes([0x90; 32]);
        Cases(BitReader::new(ChaCha20::new(&seed.stream("lengths"))), ChaCha20::new(&seed.stream("bytes")))
    }

    fn below(&mut self, m: usize) -> usize {
        uniform_below(m as u64, &mut self.0) as usize
    }

    /// A length from `min` to `max`, mostly near `min`, sometimes `max`.
    fn length(&mut self, min: usize, max: usize) -> usize {
        if self.below(40) == 0 {
            return max;
        }
        let magnitude = self.below((max - min).checked_ilog2().unwrap_or(0) as usize + 2);
        (min + self.below(1 << magnitude)).min(max)
    }

    fn bytes(&mut self, min: usize, max: usize) -> Vec<u8> {
        let mut bytes = vec![0; self.length(min, max)];
        self.1.fill_bytes(&mut bytes);
        bytes
    }

    fn case(&mut self, kind: Kind) -> Case {
        let fixed = kind == Kind::Ctr { derivation: false };
        let (entropy_min, entropy_max, longest) = if fixed { (48, 48, 48) } else { (32, 2000, 2000) };
        let entropy = self.bytes(entropy_min, entropy_max);
        let nonce = if fixed { Vec::new() } else { self.bytes(16, 500) };
        let personalization = self.bytes(0, longest);
        let steps = (0..1 + self.below(7))
            .map(|_| {
                let additional = self.bytes(0, longest);
                match self.below(4) {
                    0 => Step::Reseed { entropy: self.bytes(entropy_min, entropy_max), additional },
                    1 => Step::Resist {
                        bytes: self.length(1, 4096),
                        entropy: self.bytes(entropy_min, entropy_max),
                        additional,
                    },
                    2 => Step::Generate { bytes: self.length(1, 65_536), additional },
                    _ => Step::Generate { bytes: self.length(1, 200), additional },
                }
            })
            .chain([Step::Generate { bytes: 48, additional: Vec::new() }])
            .collect();
        Case { kind, entropy, nonce, personalization, steps }
    }
}

/// Entropy for one seeding, in whatever pieces it is asked for.
struct Once(Vec<u8>);

impl TryRng for Once {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("entropy is asked for as bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("entropy is asked for as bytes")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        let rest = self.0.split_off(out.len());
        out.copy_from_slice(&std::mem::replace(&mut self.0, rest));
        Ok(())
    }
}
impl TryCryptoRng for Once {}

impl Drop for Once {
    fn drop(&mut self) {
        assert!(self.0.is_empty(), "all of the entropy is used");
    }
}

/// What our generator gives, request by request.
fn ours<M: Mechanism>(mut drbg: Drbg<M>, steps: &[Step]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for step in steps {
        let (bytes, additional) = match step {
            Step::Reseed { entropy, additional } => {
                drbg.reseed(entropy, additional).unwrap();
                continue;
            }
            Step::Generate { bytes, additional } | Step::Resist { bytes, additional, .. } => (*bytes, additional),
        };
        let mut out = vec![0; bytes];
        if let Step::Resist { entropy, .. } = step {
            let mut resisting = Reseeding::new(drbg, Once(entropy.clone())).with_prediction_resistance();
            resisting = resisting.with_entropy_bytes(entropy.len()).unwrap();
            resisting.generate(&mut out, additional).unwrap();
            drbg = resisting.into_drbg();
        } else {
            drbg.generate(&mut out, additional).unwrap();
        }
        all.push(out);
    }
    all
}

fn ctr<C: Cipher>(case: &Case, derivation: bool) -> Vec<Vec<u8>> {
    let drbg = if derivation {
        Drbg::<CtrDrbg<C>>::instantiate(&case.entropy, &case.nonce, &case.personalization)
    } else {
        let entropy = case.entropy.as_slice().try_into().unwrap();
        Drbg::<CtrDrbg<C>>::instantiate_without_derivation(entropy, &case.personalization)
    };
    ours(drbg.unwrap(), &case.steps)
}

fn hash<M: Mechanism>(case: &Case) -> Vec<Vec<u8>> {
    ours(Drbg::<M>::instantiate(&case.entropy, &case.nonce, &case.personalization).unwrap(), &case.steps)
}

impl Case {
    fn ours(&self) -> Vec<Vec<u8>> {
        match self.kind {
            Kind::Ctr { derivation } => {
                let hard = ctr::<Aes256>(self, derivation);
                assert!(hard == ctr::<Aes256Soft>(self, derivation), "the software's output is the hardware's");
                hard
            }
            Kind::Sha256 => hash::<HashDrbg<Sha256>>(self),
            Kind::Sha512 => hash::<HashDrbg<Sha512>>(self),
        }
    }

    /// The case as the C program reads it.
    fn script(&self, out: &mut String) {
        let name = match self.kind {
            Kind::Ctr { derivation: true } => "CTR-DRBG AES-256-CTR 1",
            Kind::Ctr { derivation: false } => "CTR-DRBG AES-256-CTR 0",
            Kind::Sha256 => "HASH-DRBG SHA2-256 0",
            Kind::Sha512 => "HASH-DRBG SHA2-512 0",
        };
        let (entropy, nonce, personalization) = (hex(&self.entropy), hex(&self.nonce), hex(&self.personalization));
        writeln!(out, "new {name} {entropy} {nonce} {personalization}").unwrap();
        for step in &self.steps {
            match step {
                Step::Reseed { entropy, additional } => writeln!(out, "reseed {} {}", hex(entropy), hex(additional)),
                Step::Generate { bytes, additional } => writeln!(out, "generate {bytes} {}", hex(additional)),
                Step::Resist { bytes, entropy, additional } => {
                    writeln!(out, "resist {bytes} {} {}", hex(entropy), hex(additional))
                }
            }
            .unwrap();
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".into();
    }
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// Compiles the C program.
fn judge() -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("openssl-drbg-{}", std::process::id()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openssl/drbg.c");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let result = Command::new(&compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-O2", "-D_GNU_SOURCE", "-o"])
        .args([&program, &source])
        .arg("-lcrypto")
        .output()
        .unwrap_or_else(|e| panic!("{}: {e}; install a C compiler", compiler.display()));
    assert!(
        result.status.success(),
        "this test needs OpenSSL 3 and its headers: `make libssl`, or apt-get install libssl-dev (Debian, Ubuntu), \
         dnf install openssl-devel (Fedora), brew install openssl (macOS).\n{}",
        String::from_utf8_lossy(&result.stderr)
    );
    program
}

/// What OpenSSL gives to a script, request by request.
fn openssl(script: String) -> Vec<String> {
    let program = judge();
    let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(script.as_bytes()));
    let result = child.wait_with_output().unwrap();
    std::fs::remove_file(program).unwrap();
    assert!(result.status.success(), "OpenSSL refused a case");
    writer.join().unwrap().unwrap();
    String::from_utf8(result.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_drbgs_are_openssls() {
    let kinds = [Kind::Ctr { derivation: true }, Kind::Ctr { derivation: false }, Kind::Sha256, Kind::Sha512];
    let mut random = Cases::new();
    let cases: Vec<Case> = (0..CASES).flat_map(|_| kinds).map(|kind| random.case(kind)).collect();
    let mut script = String::new();
    cases.iter().for_each(|case| case.script(&mut script));
    let mut theirs = openssl(script).into_iter();
    let mut seen = HashMap::new();
    for (number, case) in cases.iter().enumerate() {
        for (request, out) in case.ours().iter().enumerate() {
            let expected = theirs.next().expect("a line for each request");
            assert!(hex(out) == expected, "case {number}, request {request}: {} bytes", out.len());
        }
        for step in &case.steps {
            let name = match step {
                Step::Reseed { .. } => "reseed",
                Step::Generate { .. } => "generate",
                Step::Resist { .. } => "resist",
            };
            *seen.entry(name).or_insert(0) += 1;
        }
    }
    assert_eq!(theirs.next(), None);
    assert!(seen.len() == 3 && seen.values().all(|count| *count > CASES), "{seen:?}");
    assert!(cases.iter().flat_map(|case| &case.steps).any(|step| matches!(step, Step::Generate { bytes: 65_536, .. })));
}
