//! BLISS's signer without branches: its key, its noise and its coins are undefined, and leaks are planted in its steps.
//!
//! What becomes public is what the signer says: the hash of each attempt, whether it is accepted, whether it keeps to the norms,
//! and the signature. An isochronous sampler's own marks count too.

use crate::secret::Words;
use crate::valgrind;
use samplez::{Method, Recipe, Seed};
use samplez_schemes::bliss::{Acceptance, IsochronousSigner, Probe, Profile, Set, Signature, SigningKey, Variant};
use samplez_sources::ChaCha20;
use std::hint::black_box;

/// A leak that is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leak {
    None,
    /// A branch on the sign of step 5, or of GreedySC.
    Sign,
    /// GreedySC takes s or -s from a table, by its secret sign.
    Greedy,
    /// The acceptance compares word by word and stops at the first that differs.
    EarlyExit,
    /// Challenges are used as if they were public, without a word.
    Challenge,
    /// Acceptance is branched on as if it was public, without a word.
    Decision,
}

/// A key of the set and variant, and a message, signed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signing {
    pub(crate) set: Set,
    pub(crate) variant: Variant,
    pub(crate) profile: Profile,
    pub(crate) method: Method,
    pub(crate) leak: Leak,
}

/// Each set and variant under one profile and noise; the other profiles and noises under one set; leaks.
pub(crate) fn all() -> Vec<Signing> {
    let base = Signing {
        set: Set::I,
        variant: Variant::B,
        profile: Profile::Strongswan,
        method: Method::CdtLazyCt,
        leak: Leak::None,
    };
    let mut cases = Vec::new();
    for set in [Set::I, Set::II, Set::III, Set::IV] {
        cases.extend([Variant::B, Variant::Classic].map(|variant| Signing { set, variant, ..base }));
    }
    cases.extend([Profile::Sri, Profile::Hila].map(|profile| Signing { profile, ..base }));
    cases.extend([Method::CdtCt, Method::ConvolutionCt].map(|method| Signing { set: Set::II, method, ..base }));
    cases.push(Signing { variant: Variant::Classic, leak: Leak::Sign, ..base });
    let leaks = [Leak::Greedy, Leak::EarlyExit, Leak::Challenge, Leak::Decision];
    cases.extend(leaks.map(|leak| Signing { leak, ..base }));
    cases
}

impl Signing {
    pub(crate) fn name(&self) -> String {
        let Signing { set, variant, profile, method, leak } = self;
        let name = format!("{variant} {set} signing, {profile}, {method}");
        match leak {
            Leak::None => name,
            Leak::Sign => format!("control: {name}, a branch on the sign"),
            Leak::Greedy => format!("control: {name}, an index by GreedySC's sign"),
            Leak::EarlyExit => format!("control: {name}, an early exit of the acceptance"),
            Leak::Challenge => format!("control: {name}, challenges not declassified"),
            Leak::Decision => format!("control: {name}, acceptance not declassified"),
        }
    }

    /// Signs with randomness made of these bits; z₁'s first coefficients.
    pub(crate) fn run(&self, words: Words<'_>) -> [i16; 16] {
        let signature = self.sign(words);
        core::array::from_fn(|i| signature.parts().0[i])
    }

    fn sign(&self, mut words: Words<'_>) -> Signature {
        let law = self.set.demand().law;
        let built = Recipe::new(law).method(self.method).build().expect("noise that it allows");
        let mut rng = ChaCha20::new(&Seed::from_bytes([7; 32]));
        let key = SigningKey::generate(self.set, self.variant, &mut rng).expect("a sound generator");
        let signer = IsochronousSigner::new(&key, self.profile, built.sampler()).expect("noise that it allows");
        let mut watch = Watch { leak: self.leak, sums: 0 };
        let signed = signer.sign_probed(b"message", &mut words, &mut watch);
        signed.expect("a sound generator").0
    }
}

/// Marks what the signer says is secret and public; leaks as it was told.
struct Watch {
    leak: Leak,
    /// Sums made with a sign.
    sums: u32,
}

impl Probe for Watch {
    fn secret(&mut self, words: &[i16]) {
        valgrind::make_secret(words);
    }
    fn public(&mut self, value: u32) -> u32 {
        match self.leak {
            Leak::Challenge => value,
            _ => valgrind::made_defined(value),
        }
    }
    fn add_signed(&mut self, sum: &mut [i16], term: &[i16], minus: i16) {
        self.sums += 1;
        match self.leak {
            Leak::Sign if black_box(minus) != 0 => {
                for (sum, term) in sum.iter_mut().zip(term) {
                    *sum = black_box(*sum) - term;
                }
            }
            // The second index of the challenge: until then the sign of GreedySC is known.
            Leak::Greedy if self.sums == 3 => {
                let negative: Vec<i16> = term.iter().map(|term| -term).collect();
                let terms = [term, &negative];
                ().add_signed(sum, black_box(terms)[usize::from(minus != 0)], 0);
            }
            _ => ().add_signed(sum, term, minus),
        }
    }
    fn decide(&mut self, acceptance: &Acceptance, square: i64, along: i64, uniform: [u128; 2]) -> u32 {
        match self.leak {
            Leak::EarlyExit => {
                let [left, right] = acceptance.sides(square, along, uniform);
                for (left, right) in left.iter().zip(&right) {
                    if black_box(left) != black_box(right) {
                        return u32::from(left < right);
                    }
                }
                0
            }
            Leak::Decision if acceptance.decide(square, along, uniform) == 0 => black_box(0),
            Leak::Decision => black_box(1),
            _ => acceptance.decide(square, along, uniform),
        }
    }
}
