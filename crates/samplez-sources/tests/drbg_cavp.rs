//! NIST's vectors for the DRBGs: `kat/drbg-cavp.csv`.

use rand_core::{TryCryptoRng, TryRng};
use samplez_sources::{
    Aes256, Aes256Soft, Cipher, CtrDrbg, Drbg, Hash, HashDrbg, Mechanism, Reseeding, Sha256, Sha512,
};
use std::convert::Infallible;

/// One case: instantiate, perhaps reseed, generate twice; the second output is compared.
struct Case {
    mechanism: String,
    derivation: String,
    entropy: Vec<u8>,
    nonce: Vec<u8>,
    personalization: Vec<u8>,
    reseed: Vec<u8>,
    reseed_additional: Vec<u8>,
    /// Additional input, and entropy for prediction resistance.
    requests: [(Vec<u8>, Vec<u8>); 2],
    output: Vec<u8>,
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).unwrap() as u8).collect();
    assert!(digits.len().is_multiple_of(2), "{text}");
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

fn cases() -> Vec<Case> {
    include_str!("../../../kat/drbg-cavp.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let [mechanism, derivation, rest @ ..] = &fields[..] else { panic!("{line}") };
            let values: Vec<Vec<u8>> = rest.iter().map(|text| hex(text)).collect();
            let [entropy, nonce, personalization, reseed, reseed_additional, a1, e1, a2, e2, output] =
                values.try_into().unwrap();
            Case {
                mechanism: (*mechanism).into(),
                derivation: (*derivation).into(),
                entropy,
                nonce,
                personalization,
                reseed,
                reseed_additional,
                requests: [(a1, e1), (a2, e2)],
                output,
            }
        })
        .collect()
}

/// Entropy from a script.
struct Script(Vec<u8>);

impl TryRng for Script {
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
impl TryCryptoRng for Script {}

fn run<M: Mechanism>(mut drbg: Drbg<M>, case: &Case) -> Vec<u8> {
    if !case.reseed.is_empty() {
        drbg.reseed(&case.reseed, &case.reseed_additional).unwrap();
    }
    let mut out = vec![0; case.output.len()];
    let [(first, entropy), (second, more)] = &case.requests;
    if entropy.is_empty() {
        drbg.generate(&mut out, first).unwrap();
        drbg.generate(&mut out, second).unwrap();
    } else {
        let mut rng = Reseeding::new(drbg, Script([&entropy[..], more].concat())).with_prediction_resistance();
        rng.generate(&mut out, first).unwrap();
        rng.generate(&mut out, second).unwrap();
    }
    out
}

fn ctr<C: Cipher>(case: &Case) -> Vec<u8> {
    let drbg = if case.derivation == "1" {
        Drbg::<CtrDrbg<C>>::instantiate(&case.entropy, &case.nonce, &case.personalization)
    } else {
        assert!(case.nonce.is_empty());
        let entropy = case.entropy.as_slice().try_into().unwrap();
        Drbg::<CtrDrbg<C>>::instantiate_without_derivation(entropy, &case.personalization)
    };
    run(drbg.unwrap(), case)
}

fn hash<H: Hash>(case: &Case) -> Vec<u8> {
    run(Drbg::<HashDrbg<H>>::instantiate(&case.entropy, &case.nonce, &case.personalization).unwrap(), case)
}

/// Runs the cases of one mechanism, which are `count`; a third of them or more reseed, with and
/// without prediction resistance.
fn check(mechanism: &str, count: usize, generate: fn(&Case) -> Vec<u8>) {
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.mechanism == mechanism).collect();
    assert_eq!(cases.len(), count);
    for (i, case) in cases.iter().enumerate() {
        assert_eq!(generate(case), case.output, "{mechanism}, case {i}");
    }
    let reseeding = cases.iter().filter(|case| !case.reseed.is_empty()).count();
    let resisting = cases.iter().filter(|case| !case.requests[0].1.is_empty()).count();
    assert!(3 * reseeding >= count && 3 * resisting >= count, "{reseeding} and {resisting} of {count}");
}

#[test]
fn ctr_drbg_aes256() {
    check("ctr-drbg-aes256", 192, ctr::<Aes256>);
}

#[test]
fn ctr_drbg_aes256_soft() {
    check("ctr-drbg-aes256", 192, ctr::<Aes256Soft>);
}

#[test]
fn hash_drbg_sha256() {
    check("hash-drbg-sha256", 96, hash::<Sha256>);
}

#[test]
fn hash_drbg_sha512() {
    check("hash-drbg-sha512", 96, hash::<Sha512>);
}
