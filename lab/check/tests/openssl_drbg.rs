//! The DRBGs against OpenSSL's, over thousands of random cases: entropy, nonces, personalization,
//! reseeding, prediction resistance, additional input and requests of every length.
//!
//! OpenSSL runs in a small C program: `openssl/`.

use crate::openssl::{Case, Judge, Kind, Once, Step, hex};
use rand_core::Rng;
use samplez_core::bits::{BitReader, uniform_below};
use samplez_sources::{
    Aes256, Aes256Soft, ChaCha20, Cipher, CtrDrbg, Drbg, HashDrbg, Mechanism, Reseeding, Seed, Sha256, Sha512,
};
use std::collections::HashMap;
use std::path::Path;

/// Cases of each of the four kinds.
const CASES: usize = 1500;

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

fn our_answers(case: &Case) -> Vec<Vec<u8>> {
    match case.kind {
        Kind::Ctr { derivation } => {
            let hard = ctr::<Aes256>(case, derivation);
            assert!(hard == ctr::<Aes256Soft>(case, derivation), "the software's output is the hardware's");
            hard
        }
        Kind::Sha256 => hash::<HashDrbg<Sha256>>(case),
        Kind::Sha512 => hash::<HashDrbg<Sha512>>(case),
    }
}

#[test]
fn the_drbgs_are_openssls() {
    let mut random = Cases::new();
    let mut judge = Judge::new(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let (mut seen, mut longest) = (HashMap::new(), 0);
    for number in 0..CASES * Kind::ALL.len() {
        let case = random.case(Kind::ALL[number % Kind::ALL.len()]);
        let (ours, theirs) = (our_answers(&case), judge.ask(&case));
        assert_eq!(ours.len(), theirs.len());
        for (request, (out, expected)) in ours.iter().zip(theirs).enumerate() {
            assert!(hex(out) == expected, "case {number}, request {request}: {} bytes", out.len());
            longest = longest.max(out.len());
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
    assert!(seen.len() == 3 && seen.values().all(|count| *count > CASES), "{seen:?}");
    assert_eq!(longest, 65_536);
}
