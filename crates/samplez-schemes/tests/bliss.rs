//! BLISS with itself: every set, variant and profile; what is no key and no signature; who is refused.

use rand_core::{CryptoRng, TryCryptoRng, TryRng};
use samplez_core::bits::Fault;
use samplez_core::samplers::{CdtGuided, DuWei5, Karney};
use samplez_core::{DiscreteGaussian, Noise, Width};
use samplez_schemes::Error;
use samplez_schemes::bliss::{Profile, PublicKey, Set, Signature, Signer, SigningKey, Variant};
use samplez_sources::{ChaCha20, Seed};
use samplez_tables::{CdtGuidedOptions, CdtOptions, build_guided};
use std::convert::Infallible;

const PROFILES: [Profile; 3] = [Profile::StrongswanSha3_256, Profile::Sri, Profile::Hila];

fn rng(number: u8) -> ChaCha20 {
    ChaCha20::new(&Seed::from_bytes([number; 32]))
}

fn each(variant: Variant, mut body: impl FnMut(Set, Profile, &SigningKey)) {
    for set in Set::ALL {
        let key = SigningKey::generate(set, variant, &mut rng(set as u8)).unwrap();
        for profile in PROFILES.into_iter().filter(|profile| profile.supports(set).is_ok()) {
            body(set, profile, &key);
        }
    }
}

fn signs_and_reads(variant: Variant) {
    each(variant, |set, profile, key| {
        let noise = DuWei5::new(&set.demand().law).unwrap();
        let signer = Signer::new(key, profile, &noise).unwrap();
        let public = key.public_key();
        let mut rng = rng(100);
        for message in [&b""[..], b"message", &[0; 1000]] {
            let (signature, _) = signer.sign(message, &mut rng).unwrap();
            assert_eq!(public.verify(profile, message, &signature), Ok(()), "{set} {profile}");
            let bytes = signature.to_bytes(profile).unwrap();
            assert_eq!(Signature::from_bytes(profile, set, &bytes).as_ref(), Ok(&signature));
            assert_eq!(public.verify(profile, b"massage", &signature), Err(Error::Invalid));
        }
        let bytes = public.to_bytes(profile).unwrap();
        assert_eq!(PublicKey::from_bytes(profile, &bytes).as_ref(), Ok(public));
        let bytes = key.to_bytes(profile).unwrap();
        let again = SigningKey::from_bytes(profile, &bytes).unwrap();
        assert_eq!((again.public_key(), again.to_bytes(profile).unwrap()), (public, bytes));
    });
}

#[test]
fn classic_keys_sign_under_every_set_and_profile() {
    signs_and_reads(Variant::Classic);
}

#[test]
fn b_keys_sign_under_every_set_and_profile() {
    signs_and_reads(Variant::B);
}

#[test]
fn the_same_generator_gives_the_same_signature() {
    let key = SigningKey::generate(Set::I, Variant::B, &mut rng(1)).unwrap();
    let noise = DuWei5::new(&Set::I.demand().law).unwrap();
    let signer = Signer::new(&key, Profile::Hila, &noise).unwrap();
    assert_eq!(signer.sign(b"a", &mut rng(2)).unwrap(), signer.sign(b"a", &mut rng(2)).unwrap());
    assert_ne!(signer.sign(b"a", &mut rng(2)).unwrap().0, signer.sign(b"a", &mut rng(3)).unwrap().0);
}

/// Every cut, bits, bytes at the end.
#[test]
fn malformed_bytes_are_errors() {
    each(Variant::B, |set, profile, key| {
        let noise = DuWei5::new(&set.demand().law).unwrap();
        let (signature, _) = Signer::new(key, profile, &noise).unwrap().sign(b"message", &mut rng(101)).unwrap();
        let bytes = signature.to_bytes(profile).unwrap();
        let verify = |bytes: &[u8]| {
            Signature::from_bytes(profile, set, bytes).and_then(|s| key.public_key().verify(profile, b"message", &s))
        };
        assert_eq!(verify(&bytes), Ok(()));
        for end in 0..bytes.len() {
            assert!(verify(&bytes[..end]).is_err());
        }
        assert!(verify(&[&bytes[..], &[0]].concat()).is_err());
        // Every bit in one set, and a sample in the others.
        for bit in (0..8 * bytes.len()).step_by(if set == Set::I { 1 } else { 13 }) {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(verify(&bytes).is_err(), "{set} {profile}: bit {bit}");
        }
        let public = key.public_key().to_bytes(profile).unwrap();
        let secret = key.to_bytes(profile).unwrap();
        for end in 0..public.len() {
            assert!(PublicKey::from_bytes(profile, &public[..end]).is_err());
        }
        for end in 0..secret.len() {
            assert!(SigningKey::from_bytes(profile, &secret[..end]).is_err());
        }
        assert!(PublicKey::from_bytes(profile, &[&public[..], &[0]].concat()).is_err());
        assert!(SigningKey::from_bytes(profile, &[&secret[..], &[0]].concat()).is_err());
    });
}

/// The bits from `at` on as a field of `width`.
fn field(bytes: &mut [u8], at: usize, width: usize, value: u32) {
    for i in 0..width {
        let (bit, place) = (value >> (width - 1 - i) & 1, at + i);
        bytes[place / 8] = bytes[place / 8] & !(0x80 >> (place % 8)) | (bit as u8) << (7 - place % 8);
    }
}

#[test]
fn fields_out_of_range_are_errors() {
    let key = SigningKey::generate(Set::I, Variant::B, &mut rng(1)).unwrap();
    let noise = DuWei5::new(&Set::I.demand().law).unwrap();
    let why = |result: Result<(), Error>| match result {
        Err(Error::Malformed { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    let (signature, _) = Signer::new(&key, Profile::Sri, &noise).unwrap().sign(b"", &mut rng(2)).unwrap();
    let bytes = signature.to_bytes(Profile::Sri).unwrap();
    let read = |at, width, value| {
        let mut bytes = bytes.clone();
        field(&mut bytes, at, width, value);
        why(Signature::from_bytes(Profile::Sri, Set::I, &bytes).map(drop))
    };
    assert_eq!(read(16, 13, 2101), "a coefficient is out of range");
    assert_eq!(read(16, 13, 0x1fff & -2101_i32 as u32), "a coefficient is out of range");
    assert_eq!(read(16 + 512 * 13, 3, 3), "a coefficient is out of range");
    let indices = 16 + 512 * (13 + 3);
    let second = u32::from(signature.parts().2[1]);
    assert_eq!(read(indices, 9, second), "the indices do not ascend");
    assert_eq!(read(0, 8, 2), "it is of another profile or set");
    assert_eq!(read(8, 8, 2), "it is of another profile or set");
    // An index twice, under a profile whose order is the oracle's. The last one begins at the last place from which on
    // there are nine bits with its value, and less than a byte of zeros.
    let strongswan = Profile::Strongswan;
    let (signature, _) = Signer::new(&key, strongswan, &noise).unwrap().sign(b"", &mut rng(2)).unwrap();
    let mut bytes = signature.to_bytes(strongswan).unwrap();
    let bit = |i: usize| u32::from(bytes[i / 8] >> (7 - i % 8) & 1);
    let value = |at: usize| (at..at + 9).fold(0, |value, i| value << 1 | bit(i));
    let last = u32::from(signature.parts().2[22]);
    let is_last = |at: &usize| value(*at) == last && (at + 9..8 * bytes.len()).all(|i| bit(i) == 0);
    let at = (8 * bytes.len() - 16..=8 * bytes.len() - 9).rev().find(is_last).unwrap();
    field(&mut bytes, at, 9, u32::from(signature.parts().2[0]));
    assert_eq!(why(Signature::from_bytes(strongswan, Set::I, &bytes).map(drop)), "an index stands twice");

    let mut public = key.public_key().to_bytes(Profile::Hila).unwrap();
    field(&mut public, 24, 14, 12_289);
    assert_eq!(why(PublicKey::from_bytes(Profile::Hila, &public).map(drop)), "a coefficient is not below q");
    let mut secret = key.to_bytes(Profile::Hila).unwrap();
    field(&mut secret, 24, 2, 2); // -2, which set I does not have
    let counts = "another number of entries than the set has";
    assert_eq!(why(SigningKey::from_bytes(Profile::Hila, &secret).map(drop)), counts);
}

#[test]
fn noise_of_another_law_or_quality_is_refused() {
    let key = SigningKey::generate(Set::I, Variant::Classic, &mut rng(1)).unwrap();
    let refused = |noise: &dyn Noise, profile| match Signer::new(&key, profile, noise).map(|_| ()) {
        Err(Error::Refused { argument, allowed, .. }) => (argument, allowed),
        other => panic!("{other:?}"),
    };
    let law = |center: &str, width| DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
    let k = |k: i64| Width::KSigma2(k.into());
    let ours = "its law must be D_Z(sigma = 254 sqrt(1/(2 ln 2)), center = 0)".to_owned();
    for other in [law("0", k(126)), law("1", k(254))] {
        assert_eq!(refused(&DuWei5::new(&other).unwrap(), Profile::Sri), ("noise", ours.clone()));
    }
    let near = law("0", Width::Sigma("215.7277".parse().unwrap()));
    assert_eq!(refused(&Karney::new(&near).unwrap(), Profile::Sri), ("noise", ours));
    let guided = |precision| {
        let cdt = CdtOptions { precision, ..CdtOptions::default() };
        let options = CdtGuidedOptions { cdt, ..CdtGuidedOptions::default() };
        CdtGuided::from_table(build_guided(&Set::I.demand().law, &options).unwrap())
    };
    let (argument, allowed) = refused(&guided(48), Profile::Sri);
    assert!(
        argument == "noise" && allowed.contains("must keep 126 of 128 bits of a search problem for 2^59 samples"),
        "{allowed}"
    );
    assert!(Signer::new(&key, Profile::Sri, &guided(72)).is_ok());
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

#[test]
fn a_stuck_generator_is_an_error_and_no_endless_loop() {
    let stuck = Error::Generator(Fault::Constant(0x55));
    assert_eq!(SigningKey::generate(Set::II, Variant::Classic, &mut Stuck).map(drop), Err(stuck.clone()));
    let key = SigningKey::generate(Set::II, Variant::B, &mut rng(1)).unwrap();
    let noise = DuWei5::new(&Set::II.demand().law).unwrap();
    let signer = Signer::new(&key, Profile::Hila, &noise).unwrap();
    assert_eq!(signer.sign(b"", &mut Stuck), Err(stuck));
}

/// A generator chosen at run time.
#[test]
fn a_generator_behind_a_pointer_signs() {
    let mut rng: Box<dyn CryptoRng> = Box::new(rng(4));
    let key = SigningKey::generate(Set::I, Variant::B, &mut *rng).unwrap();
    let noise: Box<dyn Noise> = Box::new(DuWei5::new(&Set::I.demand().law).unwrap());
    let (signature, _) = Signer::new(&key, Profile::Sri, &*noise).unwrap().sign(b"", &mut *rng).unwrap();
    assert_eq!(key.public_key().verify(Profile::Sri, b"", &signature), Ok(()));
}

#[test]
fn nothing_secret_is_shown() {
    let key = SigningKey::generate(Set::I, Variant::B, &mut rng(1)).unwrap();
    let noise = DuWei5::new(&Set::I.demand().law).unwrap();
    let signer = Signer::new(&key, Profile::Sri, &noise).unwrap();
    let shown = "SigningKey { set: I, variant: B, .. }";
    assert_eq!(format!("{key:?}"), shown);
    assert_eq!(format!("{signer:?}"), format!("Signer {{ key: {shown}, profile: Sri, .. }}"));
}
