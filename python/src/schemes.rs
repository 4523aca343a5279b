//! Schemes over the samplers: keys, signatures and ciphertexts, by the library's own names and texts.

mod bliss;
mod lp11;
mod noise;
mod regev;
mod shared;

pub(crate) use bliss::{BlissCertificate, BlissPublicKey, BlissSignature, BlissSigningKey};
pub(crate) use lp11::{Lp11PublicKey, Lp11SecretKey, lp11_keygen};
pub(crate) use noise::{scheme_noise, scheme_sets};
pub(crate) use regev::{RegevParameters, RegevPublicKey, RegevSecretKey};
pub(crate) use shared::InvalidSignature;
