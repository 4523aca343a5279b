//! LP11: its sets, its keys, its ciphertexts.

use crate::request::{Failure, Request};
use crate::scheme::{Description, Key, Keys, Scheme, same};
use samplez_core::Noise;
use samplez_schemes::lp11::{Parameters, PublicKey, SecretKey, Set, generate};
use samplez_schemes::{Demand, Error};
use samplez_sources::ChaCha20;
use zeroize::Zeroizing;

struct Lp11(Set);

pub(crate) fn open(request: &Request<'_>) -> Result<Box<dyn Scheme>, Failure> {
    request.only(&["scheme", "set", "noise"])?;
    Ok(Box::new(Lp11(request.need("set")?.parse().map_err(|e: Error| Failure::new("unknown", e))?)))
}

pub(crate) fn sets() -> Vec<Description> {
    let describe = |set: Set| {
        let Parameters { n, q, l, key_samples, block_samples, encryptions_log2, security, .. } = *set.parameters();
        Description {
            scheme: "lp11",
            set: set.to_string(),
            parameters: vec![("n", n as u64), ("q", q.get().into()), ("l", l as u64)],
            demand: set.demand(),
            security,
            lifetime_log2: Some(encryptions_log2),
            samples: vec![("key", key_samples as f64), ("block", block_samples as f64)],
            failure: Some(("bit", set.failure_rate())),
        }
    };
    Set::ALL.into_iter().map(describe).collect()
}

impl Scheme for Lp11 {
    fn demand(&self) -> Demand {
        self.0.demand()
    }

    fn keygen(&self, noise: &dyn Noise, rng: &mut ChaCha20) -> Result<Keys, Error> {
        let (public, secret) = generate(self.0, noise, rng)?;
        Ok(Keys::pair(secret, public))
    }

    fn read_secret(&self, bytes: &[u8]) -> Result<Keys, Error> {
        let key = SecretKey::from_bytes(bytes)?;
        same(key.set(), self.0)?;
        Ok(Keys { secret: Box::new(key), public: None })
    }

    fn read_public(&self, bytes: &[u8]) -> Result<Box<dyn Key>, Error> {
        let key = PublicKey::from_bytes(bytes)?;
        same(key.set(), self.0)?;
        Ok(Box::new(key))
    }
}

impl Key for PublicKey {
    fn write(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        Ok(Zeroizing::new(self.to_bytes()))
    }

    fn encrypt(&self, noise: &dyn Noise, message: &[u8], rng: &mut ChaCha20) -> Result<Vec<u8>, Error> {
        PublicKey::encrypt(self, noise, message, rng)
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
