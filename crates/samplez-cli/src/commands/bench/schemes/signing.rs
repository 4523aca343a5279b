//! BLISS, measured.

use super::clock::{Operation, sampling, times};
use super::row::{Row, Under, failed};
use crate::failure::Failure;
use samplez::schemes::Error;
use samplez::schemes::bliss::{B, Classic, Hash, IsochronousSigner, Kind, Profile, Set, Signature, Signer, SigningKey};
use samplez::sources::CryptoGenerator;
use samplez::{Noise, Timing};

const MESSAGE: &[u8] = b"The quick brown fox jumps over the lazy dog.";

/// Both variants of a set, by every signer that takes the noise.
pub(super) fn measure(set: Set, under: &Under<'_>) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for way in [Way::Plain, Way::Isochronous] {
        if way == Way::Plain || under.noise.profile().timing != Timing::Variable {
            rows.push(variant::<Classic>(set, way, under)?);
            rows.push(variant::<B>(set, way, under)?);
        }
    }
    Ok(rows)
}

/// Which signer.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Plain,
    Isochronous,
}

impl Way {
    const fn name(self) -> &'static str {
        match self {
            Way::Plain => "plain",
            Way::Isochronous => "isochronous",
        }
    }
}

enum Either<'a, K: Kind> {
    Plain(Signer<'a, K>),
    Isochronous(IsochronousSigner<'a, K>),
}

impl<'a, K: Kind> Either<'a, K> {
    fn new(way: Way, key: &'a SigningKey<K>, profile: Profile, noise: &'a dyn Noise) -> Result<Self, Failure> {
        match way {
            Way::Plain => Signer::new(key, profile, noise).map(Either::Plain),
            Way::Isochronous => IsochronousSigner::new(key, profile, noise).map(Either::Isochronous),
        }
        .map_err(failed)
    }

    fn sign(&self, rng: &mut CryptoGenerator) -> Result<(Signature, u64), Error> {
        match self {
            Either::Plain(signer) => signer.sign_counted(MESSAGE, rng),
            Either::Isochronous(signer) => signer.sign_counted(MESSAGE, rng),
        }
    }
}

fn variant<K: Kind>(set: Set, way: Way, under: &Under<'_>) -> Result<Row, Failure> {
    let mut rng = under.generator()?;
    let profile = match Profile::Strongswan(Hash::Sha2_512) {
        profile if profile.supports(set).is_ok() => profile,
        _ => Profile::Hila,
    };
    let keygen = times(under.turn, || SigningKey::<K>::generate(set, &mut rng).map_err(failed), |_| Ok(()))?;
    let key = SigningKey::<K>::generate(set, &mut rng).map_err(failed)?;
    let public = key.public_key();
    let signer = Either::new(way, &key, profile, under.noise.sampler())?;
    let (mut attempts, mut signatures) = (0, 0_u32);
    let sign = times(
        under.turn,
        || signer.sign(&mut rng).map_err(failed),
        |(signature, tries)| {
            (attempts, signatures) = (attempts + tries, signatures + 1);
            public.verify(profile, MESSAGE, &signature).map_err(failed)
        },
    )?;
    let share = sampling(under.turn, under.noise.sampler(), |noise| {
        Either::new(way, &key, profile, noise)?.sign(&mut rng).map(drop).map_err(failed)
    })?;
    let (signature, _) = signer.sign(&mut rng).map_err(failed)?;
    let verify = times(under.turn, || public.verify(profile, MESSAGE, &signature).map_err(failed), |()| Ok(()))?;
    let variant = K::VARIANT;
    Ok(Row {
        variant: Some(variant.name()),
        signer: Some(way.name()),
        operations: vec![
            Operation { name: "keygen", times: keygen, sampling: None },
            Operation { name: "sign", times: sign, sampling: Some(share) },
            Operation { name: "verify", times: verify, sampling: None },
        ],
        attempts: Some((attempts as f64 / f64::from(signatures), set.attempts(variant))),
        ..Row::of("bliss", set.to_string(), under)
    })
}
