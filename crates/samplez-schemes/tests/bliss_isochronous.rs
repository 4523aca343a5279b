//! The signer without a timing leak: every set, variant and profile under the common verifier; which noise is refused.

use rand_core::{Rng, TryCryptoRng, TryRng};
use samplez_core::bits::{BitReader, BitSource, Fault};
use samplez_core::samplers::{CdtCt, CdtGuided, CdtLazyCt, ConvolutionCt};
use samplez_core::{Noise, Profile as Declaration, RangeError, Slots, Timing};
use samplez_schemes::Error;
use samplez_schemes::bliss::{IsochronousSigner, Profile, Set, Signer, SigningKey, Variant};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{
    CdtGuidedOptions, CdtOptions, ConvolutionOptions, build_cdt, build_convolution, build_guided, build_lazy, parts,
};
use std::convert::Infallible;

const PROFILES: [Profile; 3] = [Profile::StrongswanSha3_256, Profile::Sri, Profile::Hila];

fn rng(number: u8) -> ChaCha20 {
    ChaCha20::new(&Seed::from_bytes([number; 32]))
}

/// Samplers that claim constant time.
fn noises(set: Set) -> [Box<dyn Noise>; 3] {
    let (law, cdt) = (set.demand().law, CdtOptions::default());
    let table = build_convolution(&law, &ConvolutionOptions::constant_time()).unwrap();
    let base = parts(table.base(), 1 << 20).unwrap();
    [
        Box::new(ConvolutionCt::from_table(table, base).unwrap()),
        Box::new(CdtCt::from_table(build_cdt(&law, &cdt).unwrap()).unwrap()),
        Box::new(CdtLazyCt::from_table(build_lazy(&law, &cdt).unwrap())),
    ]
}

fn signs(variant: Variant) {
    for set in Set::ALL {
        let key = SigningKey::generate(set, variant, &mut rng(set as u8)).unwrap();
        let noises = noises(set);
        let mut rng = rng(100);
        for (profile, noise) in PROFILES.into_iter().zip(&noises).filter(|(profile, _)| profile.supports(set).is_ok()) {
            let signer = IsochronousSigner::new(&key, profile, &**noise).unwrap();
            for message in [&b""[..], b"message", &[0; 1000]] {
                let (signature, _) = signer.sign(message, &mut rng).unwrap();
                assert_eq!(key.public_key().verify(profile, message, &signature), Ok(()), "{set} {profile}");
                assert_eq!(key.public_key().verify(profile, b"massage", &signature), Err(Error::Invalid));
            }
        }
    }
}

#[test]
fn classic_keys_sign_under_every_set_and_profile() {
    signs(Variant::Classic);
}

#[test]
fn b_keys_sign_under_every_set_and_profile() {
    signs(Variant::B);
}

#[test]
fn the_same_generator_gives_the_same_signature() {
    let [noise, ..] = noises(Set::II);
    for variant in [Variant::Classic, Variant::B] {
        let key = SigningKey::generate(Set::II, variant, &mut rng(1)).unwrap();
        let signer = IsochronousSigner::new(&key, Profile::Hila, &*noise).unwrap();
        let sign = |seed| signer.sign(b"a", &mut rng(seed)).unwrap();
        assert_eq!(sign(2), sign(2));
        assert_ne!(sign(2).0, sign(3).0);
    }
}

/// Noise that declares what a test wants, and fills with zeros, whether or not it then condemns them.
struct Claims {
    profile: Declaration,
    condemns: bool,
}

impl Noise for Claims {
    fn noise_profile(&self) -> Declaration {
        self.profile.clone()
    }
    fn noise_timing(&self) -> Timing {
        self.profile.timing
    }
    fn noise_batch(&self) -> usize {
        1
    }
    fn noise_sample(&self, _: &mut BitReader<dyn Rng + '_>) -> i64 {
        0
    }
    fn noise_fill(&self, bits: &mut BitReader<dyn Rng + '_>, out: Slots<'_>) -> Result<(), RangeError> {
        if self.condemns {
            bits.condemn();
        }
        if let Slots::I16(out) = out {
            out.fill(0);
        }
        Ok(())
    }
}

#[test]
fn noise_that_could_tell_by_its_time_is_refused() {
    let key = SigningKey::generate(Set::I, Variant::B, &mut rng(1)).unwrap();
    let refused = |noise: &dyn Noise| match IsochronousSigner::new(&key, Profile::Sri, noise).map(drop) {
        Err(Error::Refused { argument: "noise", allowed, .. }) => allowed,
        other => panic!("{other:?}"),
    };
    let guided = CdtGuided::from_table(build_guided(&Set::I.demand().law, &CdtGuidedOptions::default()).unwrap());
    assert!(Signer::new(&key, Profile::Sri, &guided).is_ok());
    assert_eq!(refused(&guided), "its timing must be constant or isochronous, and is variable");
    let profile = noises(Set::I)[1].profile();
    let claims =
        |timing, support| Claims { profile: Declaration { timing, support, ..profile.clone() }, condemns: false };
    assert!(IsochronousSigner::new(&key, Profile::Sri, &claims(Timing::Isochronous, -100..=100)).is_ok());
    assert!(refused(&claims(Timing::Variable, -100..=100)).contains("timing"));
    assert!(refused(&claims(Timing::Constant, -100..=1 << 15)).contains("its support must fit 16 bits"));
    // What the plain signer refuses: another law, too little precision, a profile without the set.
    assert!(refused(&*noises(Set::II)[0]).starts_with("its law must be"));
    let coarse = CdtOptions { precision: 48, ..CdtOptions::default() };
    let coarse = CdtCt::from_table(build_cdt(&Set::I.demand().law, &coarse).unwrap()).unwrap();
    assert!(refused(&coarse).contains("must keep "));
    let toy = SigningKey::generate(Set::Toy, Variant::B, &mut rng(1)).unwrap();
    let error = IsochronousSigner::new(&toy, Profile::Sri, &*noises(Set::Toy)[0]).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "set = 0: profile sri allows I to IV");
}

/// A generator that claims to be cryptographic and repeats one byte for ever.
struct Stuck;

impl TryRng for Stuck {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0x5555_5555)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0x5555_5555_5555_5555)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.fill(0x55);
        Ok(())
    }
}

impl TryCryptoRng for Stuck {}

/// No signature z = ±v of noise that is none.
#[test]
fn a_stuck_generator_and_condemned_bits_are_errors() {
    let key = SigningKey::generate(Set::I, Variant::B, &mut rng(1)).unwrap();
    let [_, noise, _] = noises(Set::I);
    let sign = |noise: &dyn Noise, rng: &mut dyn rand_core::CryptoRng| {
        IsochronousSigner::new(&key, Profile::Sri, noise).unwrap().sign(b"", rng).map(drop)
    };
    assert_eq!(sign(&*noise, &mut Stuck), Err(Error::Generator(Fault::Constant(0x55))));
    let profile = Declaration { support: -100..=100, ..noise.profile() };
    for seed in 0..20 {
        let condemned = sign(&Claims { profile: profile.clone(), condemns: true }, &mut rng(seed));
        assert_eq!(condemned, Err(Error::Generator(Fault::Undecided)));
    }
}

#[test]
fn nothing_secret_is_shown() {
    let key = SigningKey::generate(Set::I, Variant::B, &mut rng(1)).unwrap();
    let [noise, ..] = noises(Set::I);
    let signer = IsochronousSigner::new(&key, Profile::Sri, &*noise).unwrap();
    let shown = "IsochronousSigner { key: SigningKey { set: I, variant: B, .. }, profile: Sri, .. }";
    assert_eq!(format!("{signer:?}"), shown);
}
