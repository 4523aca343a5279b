//! BLISS for Python.

use super::shared::{generator, said};
use crate::errors::invalid;
use crate::sampler::Sampler;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samplez::Timing;
use samplez_schemes::bliss::{
    Certificate, IsochronousSigner, Profile, PublicKey, Set, Signature, Signer, SigningKey, Variant,
};

fn profile_of(name: &str) -> PyResult<Profile> {
    name.parse().map_err(said)
}

fn set_of(name: &str) -> PyResult<Set> {
    name.parse().map_err(said)
}

/// A signing key. It is erased when it is dropped.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct BlissSigningKey(SigningKey);

#[pymethods]
impl BlissSigningKey {
    /// A new key, for use under a profile.
    #[staticmethod]
    fn generate(
        py: Python<'_>,
        set: &str,
        variant: &str,
        profile: &str,
        source: &str,
        seed: &[u8],
    ) -> PyResult<BlissSigningKey> {
        let (set, variant) = (set_of(set)?, variant.parse::<Variant>().map_err(said)?);
        profile_of(profile)?.supports(set).map_err(said)?;
        let mut rng = generator(source, seed)?;
        py.detach(|| SigningKey::generate(set, variant, &mut rng)).map(BlissSigningKey).map_err(said)
    }

    /// The key with these bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, profile: &str, data: &[u8]) -> PyResult<BlissSigningKey> {
        let profile = profile_of(profile)?;
        py.detach(|| SigningKey::from_bytes(profile, data)).map(BlissSigningKey).map_err(said)
    }

    /// The key's bytes.
    fn to_bytes<'py>(&self, py: Python<'py>, profile: &str) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.0.to_bytes(profile_of(profile)?).map_err(said)?))
    }

    /// The set's name.
    #[getter]
    fn set(&self) -> String {
        self.0.public_key().set().to_string()
    }

    /// The variant's name.
    #[getter]
    fn variant(&self) -> &'static str {
        self.0.public_key().variant().name()
    }

    /// The public key.
    fn public_key(&self) -> BlissPublicKey {
        BlissPublicKey(self.0.public_key().clone())
    }

    /// A signature of the message by this signer, and how many attempts it took.
    #[allow(clippy::too_many_arguments)] // each is one of Python's
    fn sign(
        &self,
        py: Python<'_>,
        signer: &str,
        profile: &str,
        noise: &Sampler,
        message: &[u8],
        source: &str,
        seed: &[u8],
    ) -> PyResult<(BlissSignature, u64)> {
        let profile = profile_of(profile)?;
        let mut rng = generator(source, seed)?;
        let (key, method, noise) = (&self.0, noise.method(), noise.noise());
        let signed = match signer {
            "isochronous" if noise.timing() == Timing::Variable => {
                let why = "the isochronous signer takes none whose timing is variable; signer='plain' does";
                return Err(invalid(format!("noise = {method}: {why}")));
            }
            "isochronous" => py.detach(|| IsochronousSigner::new(key, profile, noise)?.sign(message, &mut rng)),
            "plain" => py.detach(|| Signer::new(key, profile, noise)?.sign(message, &mut rng)),
            _ => return Err(invalid(format!("signer = {signer}: expected isochronous or plain"))),
        };
        signed.map(|(signature, attempts)| (BlissSignature(signature), attempts)).map_err(said)
    }
}

/// A public key.
#[pyclass(frozen, eq, module = "samplez._samplez")]
#[derive(PartialEq)]
pub(crate) struct BlissPublicKey(PublicKey);

#[pymethods]
impl BlissPublicKey {
    /// The key with these bytes.
    #[staticmethod]
    fn from_bytes(profile: &str, data: &[u8]) -> PyResult<BlissPublicKey> {
        PublicKey::from_bytes(profile_of(profile)?, data).map(BlissPublicKey).map_err(said)
    }

    /// The key's bytes.
    fn to_bytes<'py>(&self, py: Python<'py>, profile: &str) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.0.to_bytes(profile_of(profile)?).map_err(said)?))
    }

    /// The set's name.
    #[getter]
    fn set(&self) -> String {
        self.0.set().to_string()
    }

    /// The variant's name.
    #[getter]
    fn variant(&self) -> &'static str {
        self.0.variant().name()
    }

    /// Raises `InvalidSignature` unless the signature is one of this message.
    fn verify(&self, py: Python<'_>, profile: &str, message: &[u8], signature: &BlissSignature) -> PyResult<()> {
        let profile = profile_of(profile)?;
        py.detach(|| self.0.verify(profile, message, &signature.0)).map_err(said)
    }
}

/// A signature.
#[pyclass(frozen, eq, module = "samplez._samplez")]
#[derive(PartialEq)]
pub(crate) struct BlissSignature(Signature);

#[pymethods]
impl BlissSignature {
    /// The signature with these bytes.
    #[staticmethod]
    fn from_bytes(profile: &str, set: &str, data: &[u8]) -> PyResult<BlissSignature> {
        Signature::from_bytes(profile_of(profile)?, set_of(set)?, data).map(BlissSignature).map_err(said)
    }

    /// The signature's bytes.
    fn to_bytes<'py>(&self, py: Python<'py>, profile: &str) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.0.to_bytes(profile_of(profile)?).map_err(said)?))
    }

    /// The set's name.
    #[getter]
    fn set(&self) -> String {
        self.0.set().to_string()
    }

    /// z1.
    fn z1<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i16>> {
        PyArray1::from_slice(py, self.0.parts().0)
    }

    /// z2, of which the lower bits are dropped.
    fn z2_compressed<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i16>> {
        PyArray1::from_slice(py, self.0.parts().1)
    }

    /// The challenge's indices.
    fn challenge(&self) -> Vec<u16> {
        self.0.parts().2.to_vec()
    }
}

/// A certificate with a BLISS key, signed by one.
#[pyclass(frozen, eq, module = "samplez._samplez")]
#[derive(PartialEq)]
pub(crate) struct BlissCertificate(Certificate);

#[pymethods]
impl BlissCertificate {
    /// Reads a certificate.
    #[staticmethod]
    fn from_der(data: &[u8]) -> PyResult<BlissCertificate> {
        Certificate::from_der(data).map(BlissCertificate).map_err(said)
    }

    /// The subject's key.
    fn public_key(&self) -> BlissPublicKey {
        BlissPublicKey(self.0.public_key.clone())
    }

    /// The profile of the certificate's own signature.
    #[getter]
    fn profile(&self) -> &'static str {
        self.0.profile.name()
    }

    /// The issuer's name.
    fn issuer<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.issuer)
    }

    /// The subject's name.
    fn subject<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.subject)
    }

    /// The bytes that are signed, and their signature.
    fn signed<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, Bound<'py, PyBytes>) {
        (PyBytes::new(py, &self.0.signed), PyBytes::new(py, &self.0.signature))
    }

    /// Raises `InvalidSignature` unless it is signed by the key of that certificate, under its name; `ValueError` if its signature is
    /// none of the issuer's set.
    fn verify(&self, py: Python<'_>, issuer: &BlissCertificate) -> PyResult<()> {
        py.detach(|| self.0.verify(&issuer.0)).map_err(said)
    }
}
