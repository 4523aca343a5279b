//! Regev: its sets, its keys, its ciphertexts.

use crate::request::{Failure, Request};
use crate::scheme::{Description, Key, Keys, Scheme};
use samplez_core::Noise;
use samplez_schemes::regev::{Parameters, PublicKey, SecretKey, Set, Shape, generate};
use samplez_schemes::{Demand, Error};
use samplez_sources::ChaCha20;
use zeroize::Zeroizing;

struct Regev(Set);

pub(crate) fn open(request: &Request<'_>) -> Result<Box<dyn Scheme>, Failure> {
    request.only(&["scheme", "set", "noise"])?;
    Ok(Box::new(Regev(request.need("set")?.parse().map_err(|e: Error| Failure::new("unknown", e))?)))
}

pub(crate) fn sets() -> Vec<Description> {
    let describe = |set: Set| {
        let Shape { n, l, m, q, r, t } = set.parameters().shape();
        let parameters = [("n", n), ("l", l), ("m", m), ("q", q), ("r", r), ("t", t)];
        Description {
            scheme: "regev",
            set: set.to_string(),
            parameters: parameters.map(|(name, value)| (name, value.into())).into(),
            demand: set.parameters().demand(),
            security: set.security(),
            lifetime_log2: None,
            samples: vec![("key", f64::from(m) * f64::from(l)), ("block", 0.0)],
            failure: Some(("letter", set.parameters().letter_error())),
        }
    };
    Set::ALL.into_iter().map(describe).collect()
}

impl Regev {
    /// That a key has the set's parameters.
    fn own(&self, found: Parameters) -> Result<(), Error> {
        if found == self.0.parameters() {
            return Ok(());
        }
        let Shape { n, q, .. } = found.shape();
        let allowed = format!("the key must be of {}", self.0);
        Err(Error::Refused { argument: "set", value: format!("another, with n = {n} and q = {q}"), allowed })
    }
}

impl Scheme for Regev {
    fn demand(&self) -> Demand {
        self.0.parameters().demand()
    }

    fn keygen(&self, noise: &dyn Noise, rng: &mut ChaCha20) -> Result<Keys, Error> {
        let (public, secret) = generate(self.0, noise, rng)?;
        Ok(Keys::pair(secret, public))
    }

    fn read_secret(&self, bytes: &[u8]) -> Result<Keys, Error> {
        let key = SecretKey::from_bytes(bytes)?;
        self.own(key.parameters())?;
        Ok(Keys { secret: Box::new(key), public: None })
    }

    fn read_public(&self, bytes: &[u8]) -> Result<Box<dyn Key>, Error> {
        let key = PublicKey::from_bytes(bytes)?;
        self.own(key.parameters())?;
        Ok(Box::new(key))
    }
}

impl Key for PublicKey {
    fn write(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        Ok(Zeroizing::new(self.to_bytes()))
    }

    /// Takes no noise: that is in the key.
    fn encrypt(&self, _: &dyn Noise, message: &[u8], rng: &mut ChaCha20) -> Result<Vec<u8>, Error> {
        PublicKey::encrypt(self, message, rng)
    }
}

impl Key for SecretKey {
    fn write(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        Ok(self.to_bytes())
    }

    fn decrypt(&self, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        SecretKey::decrypt(self, ciphertext).map(Zeroizing::new)
    }
}
