//! BLISS, measured.

use super::clock::{Operation, sampling, times};
use super::row::{Row, Under, failed};
use crate::failure::Failure;
use samplez::schemes::bliss::{B, Classic, Hash, Kind, Profile, Set, Signer, SigningKey};

const MESSAGE: &[u8] = b"The quick brown fox jumps over the lazy dog.";

/// Both variants of a set.
pub(super) fn measure(set: Set, under: &Under<'_>) -> Result<[Row; 2], Failure> {
    Ok([variant::<Classic>(set, under)?, variant::<B>(set, under)?])
}

fn variant<K: Kind>(set: Set, under: &Under<'_>) -> Result<Row, Failure> {
    let mut rng = under.generator()?;
    let profile = match Profile::Strongswan(Hash::Sha2_512) {
        profile if profile.supports(set).is_ok() => profile,
        _ => Profile::Hila,
    };
    let keygen = times(under.turn, || SigningKey::<K>::generate(set, &mut rng).map_err(failed), |_| Ok(()))?;
    let key = SigningKey::<K>::generate(set, &mut rng).map_err(failed)?;
    let public = key.public_key();
    let signer = Signer::new(&key, profile, under.noise.sampler()).map_err(failed)?;
    let (mut attempts, mut signatures) = (0, 0_u32);
    let sign = times(
        under.turn,
        || signer.sign_counted(MESSAGE, &mut rng).map_err(failed),
        |(signature, tries)| {
            (attempts, signatures) = (attempts + tries, signatures + 1);
            public.verify(profile, MESSAGE, &signature).map_err(failed)
        },
    )?;
    let share = sampling(under.turn, under.noise.sampler(), |noise| {
        let signer = Signer::new(&key, profile, noise).map_err(failed)?;
        signer.sign(MESSAGE, &mut rng).map(drop).map_err(failed)
    })?;
    let signature = signer.sign(MESSAGE, &mut rng).map_err(failed)?;
    let verify = times(under.turn, || public.verify(profile, MESSAGE, &signature).map_err(failed), |()| Ok(()))?;
    let variant = K::VARIANT;
    Ok(Row {
        variant: Some(variant.name()),
        operations: vec![
            Operation { name: "keygen", times: keygen, sampling: None },
            Operation { name: "sign", times: sign, sampling: Some(share) },
            Operation { name: "verify", times: verify, sampling: None },
        ],
        attempts: Some((attempts as f64 / f64::from(signatures), set.attempts(variant))),
        ..Row::of("bliss", set.to_string(), under)
    })
}
