//! The DRBGs of [SP800-90A] in any order of calls, with lengths that may be too short or too long. The bytes equal OpenSSL's,
//! and a refused call leaves the generator as it was.

use crate::input::Input;
#[path = "../../check/tests/openssl/mod.rs"]
mod openssl;
use openssl::{Case, Judge, Kind, Once, Step, hex};
use rand_core::{Rng, TryCryptoRng, TryRng};
use samplez_sources::{
    Aes256, Aes256Soft, Cipher, CtrDrbg, Drbg, DrbgError, DrbgStream, HashDrbg, Mechanism, Reseeding, ReseedingError,
    Sha256, Sha512,
};
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Steps of a case.
const MOST_STEPS: usize = 24;

/// One byte for the mechanism; entropy, nonce and personalization; then steps.
pub fn drbgs(data: &[u8]) {
    let mut input = Input(data);
    let kind = *input.of(&Kind::ALL);
    let limits = Limits::new(kind);
    let entropy = limits.entropy(&mut input);
    let nonce = if limits.fixed { Vec::new() } else { bytes(&mut input, 16, 300) };
    let personalization = bytes(&mut input, 0, limits.longest);
    let seeding = Seeding { entropy, nonce, personalization };
    let mut tries = Vec::new();
    while !input.is_empty() && tries.len() < MOST_STEPS {
        tries.push(Try::read(&mut input, &limits));
    }
    let made = match kind {
        Kind::Ctr { derivation } => {
            let hard = run(ctr::<Aes256>(&seeding, derivation), &seeding, &limits, &tries);
            let soft = run(ctr::<Aes256Soft>(&seeding, derivation), &seeding, &limits, &tries);
            let bytes = |made: &Option<Made>| made.as_ref().map(|made| made.answers.clone());
            assert!(bytes(&hard) == bytes(&soft), "the software's output is the hardware's");
            hard
        }
        Kind::Sha256 => run(hash::<HashDrbg<Sha256>>(&seeding), &seeding, &limits, &tries),
        Kind::Sha512 => run(hash::<HashDrbg<Sha512>>(&seeding), &seeding, &limits, &tries),
    };
    let Some(Made { steps, answers }) = made else { return };
    let Seeding { entropy, nonce, personalization } = seeding;
    static JUDGE: LazyLock<Mutex<Judge>> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder for OpenSSL's program");
        Mutex::new(Judge::new(folder.path()))
    });
    let case = Case { kind, entropy, nonce, personalization, steps };
    let theirs = JUDGE.lock().unwrap_or_else(PoisonError::into_inner).ask(&case);
    assert_eq!(answers.len(), theirs.len());
    for (request, (ours, theirs)) in answers.iter().zip(theirs).enumerate() {
        assert!(hex(ours) == theirs, "request {request}: {} bytes", ours.len());
    }
}

/// What a mechanism allows, as [SP800-90A], Tables 2 and 3, has it.
struct Limits {
    /// Whether the entropy has one length, and there is no derivation.
    fixed: bool,
    least: usize,
    most: usize,
    /// Of personalization and additional input; far more is allowed where this is 2000.
    longest: usize,
}

impl Limits {
    fn new(kind: Kind) -> Self {
        let fixed = kind == Kind::Ctr { derivation: false };
        if fixed {
            Limits { fixed, least: 48, most: 48, longest: 48 }
        } else {
            Limits { fixed, least: 32, most: 2000, longest: 2000 }
        }
    }

    fn entropy(&self, input: &mut Input<'_>) -> Vec<u8> {
        bytes(input, self.least, self.most)
    }

    /// Why this entropy and this additional input are refused.
    fn refused(&self, entropy: Option<usize>, additional: usize) -> Option<DrbgError> {
        if let Some(got) = entropy
            && got < self.least
        {
            return Some(DrbgError::EntropyTooShort { got, min: self.least });
        }
        let long = |input, got, max| self.fixed.then_some(DrbgError::InputTooLong { input, got, max });
        if let Some(got) = entropy
            && got > self.most
        {
            return long("entropy", got, self.most);
        }
        if additional > self.longest { long("additional input", additional, self.longest) } else { None }
    }
}

/// Bytes of a length that is mostly allowed, from a byte of the input.
fn bytes(input: &mut Input<'_>, least: usize, most: usize) -> Vec<u8> {
    let (how, length, first) = (input.byte(), usize::from(input.u16()), input.byte());
    let length = match how {
        0..100 => least + length % 64,
        100..180 => least,
        180..220 => most,
        220..250 => length % (most + 1),
        _ => most + 1 + length % 64,
    };
    let length = if how < 220 { length.min(most) } else { length };
    (0..length).map(|i| first.wrapping_mul((2 * i + 1) as u8).wrapping_add((i >> 7) as u8)).collect()
}

struct Seeding {
    entropy: Vec<u8>,
    nonce: Vec<u8>,
    personalization: Vec<u8>,
}

fn ctr<C: Cipher>(seeding: &Seeding, derivation: bool) -> Option<Result<Drbg<CtrDrbg<C>>, DrbgError>> {
    let Seeding { entropy, personalization, .. } = seeding;
    if derivation {
        return hash(seeding);
    }
    // Another length cannot be said.
    let entropy = entropy.as_slice().try_into().ok()?;
    Some(Drbg::<CtrDrbg<C>>::instantiate_without_derivation(entropy, personalization))
}

fn hash<M: Mechanism>(seeding: &Seeding) -> Option<Result<Drbg<M>, DrbgError>> {
    Some(Drbg::instantiate(&seeding.entropy, &seeding.nonce, &seeding.personalization))
}

/// A call, which may be refused.
enum Try {
    Reseed {
        entropy: Vec<u8>,
        additional: Vec<u8>,
    },
    Generate {
        bytes: usize,
        additional: Vec<u8>,
    },
    Resist {
        bytes: usize,
        entropy: Vec<u8>,
        additional: Vec<u8>,
    },
    /// A reseeding whose source of entropy gives so many bytes and then fails.
    Fail {
        after: usize,
        additional: Vec<u8>,
    },
    /// The stream that goes on from here, in pieces of these lengths; the last step.
    Stream {
        pieces: Vec<usize>,
    },
}

impl Try {
    fn read(input: &mut Input<'_>, limits: &Limits) -> Self {
        let how = input.byte();
        if how == 255 {
            return Try::Stream { pieces: (0..1 + input.byte() % 16).map(|_| input.u16().into()).collect() };
        }
        let additional = bytes(input, 0, limits.longest);
        let length = usize::from(input.u16());
        let length = match how % 16 {
            0 => 65_536 + length % 3,
            1..4 => 1 + length % 4096,
            _ => 1 + length % 200,
        };
        match how / 16 % 6 {
            0 | 1 => Try::Generate { bytes: length, additional },
            2 | 3 => Try::Reseed { entropy: limits.entropy(input), additional },
            4 => Try::Resist { bytes: length, entropy: limits.entropy(input), additional },
            _ => Try::Fail { after: usize::from(input.u16()) % (limits.least + 1), additional },
        }
    }
}

/// What was accepted, and the bytes that came of it.
struct Made {
    steps: Vec<Step>,
    answers: Vec<Vec<u8>>,
}

/// `None` if there is no generator.
fn run<M: Mechanism>(
    drbg: Option<Result<Drbg<M>, DrbgError>>,
    seeding: &Seeding,
    limits: &Limits,
    tries: &[Try],
) -> Option<Made> {
    let Seeding { entropy, nonce, personalization } = seeding;
    let mut drbg = match drbg? {
        Ok(drbg) => drbg,
        Err(error) => {
            let reason = match error {
                DrbgError::EntropyTooShort { got, min } => got == entropy.len() && got < min && min == limits.least,
                DrbgError::NonceTooShort { got, min } => got == nonce.len() && got < min && min == 16,
                DrbgError::InputTooLong { input: "personalization", got, max } => {
                    limits.fixed && got == personalization.len() && got > max && max == 48
                }
                _ => false,
            };
            assert!(reason, "{error}");
            return None;
        }
    };
    assert!(entropy.len() >= limits.least && (limits.fixed || nonce.len() >= 16));
    assert!(!limits.fixed || personalization.len() <= 48);
    let mut made = Made { steps: Vec::new(), answers: Vec::new() };
    for one in tries {
        match one {
            Try::Reseed { entropy, additional } => {
                let refused = limits.refused(Some(entropy.len()), additional.len());
                assert_eq!(drbg.reseed(entropy, additional).err(), refused);
                if refused.is_none() {
                    made.steps.push(Step::Reseed { entropy: entropy.clone(), additional: additional.clone() });
                }
            }
            Try::Generate { bytes, additional } => {
                let (mut out, refused) = (vec![0; *bytes], too_long(*bytes));
                let refused = refused.or(limits.refused(None, additional.len()));
                assert_eq!(drbg.generate(&mut out, additional).err(), refused);
                made.take(refused.is_none(), Step::Generate { bytes: *bytes, additional: additional.clone() }, out);
            }
            Try::Resist { bytes, entropy, additional } => {
                let mut out = vec![0; *bytes];
                let reason = limits.refused(Some(entropy.len()), 0);
                let refused = too_long(*bytes).or(limits.refused(None, additional.len()));
                // Entropy that is not used up fails on drop.
                let given = if reason.is_none() && refused.is_none() { entropy.clone() } else { Vec::new() };
                let resisting = Reseeding::new(drbg, Once(given)).with_prediction_resistance();
                let state = match resisting.with_entropy_bytes(entropy.len()) {
                    Ok(mut resisting) => {
                        assert_eq!(reason, None);
                        let error = resisting.generate(&mut out, additional).err();
                        assert_eq!(error, refused.map(ReseedingError::Drbg));
                        let step =
                            Step::Resist { bytes: *bytes, entropy: entropy.clone(), additional: additional.clone() };
                        made.take(refused.is_none(), step, out);
                        resisting.into_drbg()
                    }
                    Err(error) => {
                        // The generator is gone with it.
                        assert_eq!(Some(error), reason);
                        return Some(made);
                    }
                };
                drbg = state;
            }
            Try::Fail { after, additional } => {
                let mut failing = Reseeding::new(drbg, Short(*after));
                let error = failing.reseed(additional).err();
                let refused = limits.refused(None, additional.len()).map(ReseedingError::Drbg);
                assert_eq!(error, refused.or((*after < limits.least).then_some(ReseedingError::Entropy(Failed))));
                if error.is_none() {
                    let entropy = vec![0x5a; limits.least];
                    made.steps.push(Step::Reseed { entropy, additional: additional.clone() });
                }
                drbg = failing.into_drbg();
            }
            Try::Stream { pieces } => {
                let mut stream = DrbgStream::new(drbg);
                let mut out = Vec::new();
                for piece in pieces {
                    let start = out.len();
                    out.resize((start + piece).min(65_536), 0);
                    stream.fill_bytes(&mut out[start..]);
                }
                if !out.is_empty() {
                    made.take(true, Step::Generate { bytes: out.len(), additional: Vec::new() }, out);
                }
                return Some(made);
            }
        }
    }
    Some(made)
}

impl Made {
    fn take(&mut self, accepted: bool, step: Step, answer: Vec<u8>) {
        if accepted {
            self.steps.push(step);
            self.answers.push(answer);
        } else {
            assert!(answer.iter().all(|byte| *byte == 0), "what is refused writes nothing");
        }
    }
}

fn too_long(got: usize) -> Option<DrbgError> {
    (got > 65_536).then_some(DrbgError::RequestTooLong { got, max: 65_536 })
}

/// Entropy that ends.
struct Short(usize);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no more entropy")
    }
}

impl core::error::Error for Failed {}

impl TryRng for Short {
    type Error = Failed;
    fn try_next_u32(&mut self) -> Result<u32, Failed> {
        unreachable!("entropy is asked for as bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Failed> {
        unreachable!("entropy is asked for as bytes")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Failed> {
        self.0 = self.0.checked_sub(out.len()).ok_or(Failed)?;
        out.fill(0x5a);
        Ok(())
    }
}

impl TryCryptoRng for Short {}
