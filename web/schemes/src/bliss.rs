//! BLISS: its sets, its keys, its signatures.

use crate::request::{Failure, Request};
use crate::scheme::{Description, Key, Keys, Scheme, same};
use samplez_core::{Noise, Timing};
use samplez_schemes::bliss::{
    self, IsochronousSigner, Parameters, Profile, PublicKey, Set, Signature, SigningKey, Variant,
};
use samplez_schemes::{Demand, Error};
use samplez_sources::ChaCha20;
use zeroize::Zeroizing;

struct Bliss {
    set: Set,
    variant: Variant,
    profile: Profile,
    signer: Signer,
}

/// The plain signer, or the one without a timing leak.
#[derive(Clone, Copy, PartialEq)]
enum Signer {
    Plain,
    Isochronous,
}

struct Secret(SigningKey, Profile, Signer);

struct Public(PublicKey, Profile);

pub(crate) fn open(request: &Request<'_>) -> Result<Box<dyn Scheme>, Failure> {
    request.only(&["scheme", "set", "variant", "profile", "signer", "noise"])?;
    let unknown = |e: Error| Failure::new("unknown", e);
    let set: Set = request.need("set")?.parse().map_err(unknown)?;
    let variant = request.get("variant").map_or(Ok(Variant::B), str::parse).map_err(unknown)?;
    let profile: Profile = request.get("profile").unwrap_or("strongswan").parse().map_err(unknown)?;
    profile.supports(set).map_err(|e| Failure::new("unsupported", e))?;
    let signer = match request.get("signer").unwrap_or("isochronous") {
        "isochronous" => Signer::Isochronous,
        "plain" => Signer::Plain,
        other => return Err(Failure::new("unknown", format!("signer = {other}: expected isochronous or plain"))),
    };
    Ok(Box::new(Bliss { set, variant, profile, signer }))
}

pub(crate) fn sets() -> Vec<Description> {
    let describe = |set: Set| {
        let Parameters { n, q, weight, d, security, signatures_log2, classic_attempts, b_attempts, .. } =
            *set.parameters();
        let attempts = [(Variant::Classic, classic_attempts), (Variant::B, b_attempts)];
        Description {
            scheme: "bliss",
            set: set.to_string(),
            parameters: vec![("n", n as u64), ("q", q.into()), ("kappa", weight as u64), ("d", d.into())],
            demand: set.demand(),
            security,
            lifetime_log2: Some(signatures_log2),
            samples: attempts.map(|(variant, attempts)| (variant.name(), 2.0 * n as f64 * attempts)).into(),
            failure: None,
        }
    };
    Set::ALL.into_iter().map(describe).collect()
}

impl Bliss {
    fn of(&self, key: &PublicKey) -> Result<Public, Error> {
        same(key.set(), self.set)?;
        same(key.variant(), self.variant)?;
        Ok(Public(key.clone(), self.profile))
    }

    fn keys(&self, key: SigningKey) -> Result<Keys, Error> {
        let public = self.of(key.public_key())?;
        Ok(Keys::pair(Secret(key, self.profile, self.signer), public))
    }
}

impl Scheme for Bliss {
    fn demand(&self) -> Demand {
        self.set.demand()
    }

    fn takes(&self, noise: &dyn Noise) -> Result<(), Failure> {
        if self.signer == Signer::Isochronous && noise.timing() == Timing::Variable {
            let message = "signer = isochronous: the timing of this noise is variable: another method, or signer plain";
            return Err(Failure::new("unsupported", message));
        }
        Ok(())
    }

    fn keygen(&self, _: &dyn Noise, rng: &mut ChaCha20) -> Result<Keys, Error> {
        self.keys(SigningKey::generate(self.set, self.variant, rng)?)
    }

    fn read_secret(&self, bytes: &[u8]) -> Result<Keys, Error> {
        self.keys(SigningKey::from_bytes(self.profile, bytes)?)
    }

    fn read_public(&self, bytes: &[u8]) -> Result<Box<dyn Key>, Error> {
        Ok(Box::new(self.of(&PublicKey::from_bytes(self.profile, bytes)?)?))
    }
}

impl Key for Secret {
    fn write(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.0.to_bytes(self.1)
    }

    fn sign(&self, noise: &dyn Noise, message: &[u8], rng: &mut ChaCha20) -> Result<(Vec<u8>, u64), Error> {
        let (signature, attempts) = match self.2 {
            Signer::Isochronous => IsochronousSigner::new(&self.0, self.1, noise)?.sign(message, rng),
            Signer::Plain => bliss::Signer::new(&self.0, self.1, noise)?.sign(message, rng),
        }?;
        Ok((signature.to_bytes(self.1)?, attempts))
    }
}

impl Key for Public {
    fn write(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.0.to_bytes(self.1).map(Zeroizing::new)
    }

    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.0.verify(self.1, message, &Signature::from_bytes(self.1, self.0.set(), signature)?)
    }
}
