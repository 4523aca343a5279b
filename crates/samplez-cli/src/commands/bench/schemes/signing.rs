//! BLISS, measured.

use super::clock::{Operation, sampling, times};
use super::row::{Row, Under, failed};
use crate::failure::Failure;
use samplez::{Noise, Timing};
use samplez_schemes::Error;
use samplez_schemes::bliss::{IsochronousSigner, Profile, Set, Signature, Signer, SigningKey, Variant};
use samplez_sources::CryptoGenerator;

const MESSAGE: &[u8] = b"The quick brown fox jumps over the lazy dog.";

/// Both variants of a set, by every signer that takes the noise.
pub(super) fn measure(set: Set, under: &Under<'_>) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for way in [Way::Plain, Way::Isochronous] {
        if way == Way::Plain || under.noise.profile().timing != Timing::Variable {
            rows.push(of_variant(set, Variant::Classic, way, under)?);
            rows.push(of_variant(set, Variant::B, way, under)?);
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

enum Either<'a> {
    Plain(Signer<'a>),
    Isochronous(IsochronousSigner<'a>),
}

impl<'a> Either<'a> {
    fn new(way: Way, key: &'a SigningKey, profile: Profile, noise: &'a dyn Noise) -> Result<Self, Failure> {
        match way {
            Way::Plain => Signer::new(key, profile, noise).map(Either::Plain),
            Way::Isochronous => IsochronousSigner::new(key, profile, noise).map(Either::Isochronous),
        }
        .map_err(failed)
    }

    fn sign(&self, rng: &mut CryptoGenerator) -> Result<(Signature, u64), Error> {
        match self {
            Either::Plain(signer) => signer.sign(MESSAGE, rng),
            Either::Isochronous(signer) => signer.sign(MESSAGE, rng),
        }
    }
}

fn of_variant(set: Set, variant: Variant, way: Way, under: &Under<'_>) -> Result<Row, Failure> {
    let mut rng = under.generator()?;
    let profile = match Profile::Strongswan {
        profile if profile.supports(set).is_ok() => profile,
        _ => Profile::Hila,
    };
    let keygen = times(under.turn, || SigningKey::generate(set, variant, &mut rng).map_err(failed), |_| Ok(()))?;
    let key = SigningKey::generate(set, variant, &mut rng).map_err(failed)?;
    let public = key.public_key();
    let expected = match variant {
        Variant::Classic => set.parameters().classic_attempts,
        Variant::B => set.parameters().b_attempts,
    };
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
    Ok(Row {
        variant: Some(variant.name()),
        signer: Some(way.name()),
        operations: vec![
            Operation { name: "keygen", times: keygen, sampling: None },
            Operation { name: "sign", times: sign, sampling: Some(share) },
            Operation { name: "verify", times: verify, sampling: None },
        ],
        attempts: Some((attempts as f64 / f64::from(signatures), expected)),
        ..Row::of("bliss", set.to_string(), under)
    })
}
