//! What a scheme is to this module: a [`Scheme`] makes and reads keys, a [`Key`] works.

use crate::request::Failure;
use samplez_core::Noise;
use samplez_schemes::{Demand, Error};
use samplez_sources::ChaCha20;
use zeroize::Zeroizing;

/// A set of a scheme, with what else its keys depend on.
pub(crate) trait Scheme {
    /// What it asks of its noise.
    fn demand(&self) -> Demand;
    /// That the noise, which meets the demand, will do.
    fn takes(&self, _: &dyn Noise) -> Result<(), Failure> {
        Ok(())
    }
    fn keygen(&self, noise: &dyn Noise, rng: &mut ChaCha20) -> Result<Keys, Error>;
    /// The keys of a secret key's bytes; the public one if they tell it.
    fn read_secret(&self, bytes: &[u8]) -> Result<Keys, Error>;
    /// The public key with these bytes.
    fn read_public(&self, bytes: &[u8]) -> Result<Box<dyn Key>, Error>;
}

pub(crate) struct Keys {
    pub(crate) secret: Box<dyn Key>,
    pub(crate) public: Option<Box<dyn Key>>,
}

impl Keys {
    pub(crate) fn pair(secret: impl Key + 'static, public: impl Key + 'static) -> Self {
        Keys { secret: Box::new(secret), public: Some(Box::new(public)) }
    }
}

/// A key, secret or public. It does what its kind can do; JavaScript's types ask for nothing else.
pub(crate) trait Key {
    fn write(&self) -> Result<Zeroizing<Vec<u8>>, Error>;
    /// A signature, and the attempts that it took.
    fn sign(&self, _: &dyn Noise, _message: &[u8], _: &mut ChaCha20) -> Result<(Vec<u8>, u64), Error> {
        Err(unable("sign"))
    }
    /// [`Error::Invalid`] if what is a signature is none of this message under this key.
    fn verify(&self, _message: &[u8], _signature: &[u8]) -> Result<(), Error> {
        Err(unable("verify"))
    }
    fn encrypt(&self, _: &dyn Noise, _message: &[u8], _: &mut ChaCha20) -> Result<Vec<u8>, Error> {
        Err(unable("encrypt"))
    }
    fn decrypt(&self, _ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        Err(unable("decrypt"))
    }
}

fn unable(operation: &'static str) -> Error {
    Error::Refused { argument: "key", value: operation.into(), allowed: "the key is of another kind".into() }
}

/// That a key is of the set that its reader is for.
pub(crate) fn same<T: PartialEq + std::fmt::Display>(found: T, wanted: T) -> Result<(), Error> {
    if found == wanted {
        return Ok(());
    }
    Err(Error::Refused { argument: "set", value: found.to_string(), allowed: format!("the key must be of {wanted}") })
}

/// A set, with the field names that it has in every language.
pub(crate) struct Description {
    pub(crate) scheme: &'static str,
    pub(crate) set: String,
    /// By the names that papers have for them.
    pub(crate) parameters: Vec<(&'static str, u64)>,
    pub(crate) demand: Demand,
    pub(crate) security: u32,
    /// Signatures or blocks of a key's life, as a power of two, where noise limits them.
    pub(crate) lifetime_log2: Option<u32>,
    /// Means.
    pub(crate) samples: Vec<(&'static str, f64)>,
    /// What fails, and how often.
    pub(crate) failure: Option<(&'static str, f64)>,
}
