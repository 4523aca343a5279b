//! LP11 for Python.

use super::shared::{generator, said};
use crate::sampler::Sampler;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samplez_schemes::lp11::{PublicKey, SecretKey, Set, generate};
use zeroize::Zeroizing;

/// A new pair of keys.
#[pyfunction]
pub(crate) fn lp11_keygen(
    py: Python<'_>,
    set: &str,
    noise: &Sampler,
    source: &str,
    seed: &[u8],
) -> PyResult<(Lp11PublicKey, Lp11SecretKey)> {
    let set: Set = set.parse().map_err(said)?;
    let mut rng = generator(source, seed)?;
    let keys = py.detach(|| generate(set, noise.noise(), &mut rng));
    keys.map(|(public, secret)| (Lp11PublicKey(public), Lp11SecretKey(secret))).map_err(said)
}

/// A public key.
#[pyclass(frozen, eq, module = "samplez._samplez")]
#[derive(PartialEq)]
pub(crate) struct Lp11PublicKey(PublicKey);

#[pymethods]
impl Lp11PublicKey {
    /// The key with these bytes.
    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Lp11PublicKey> {
        PublicKey::from_bytes(data).map(Lp11PublicKey).map_err(said)
    }

    /// The key's bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// The set's name.
    #[getter]
    fn set(&self) -> String {
        self.0.set().to_string()
    }

    /// A ciphertext of the message.
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        noise: &Sampler,
        message: &[u8],
        source: &str,
        seed: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut rng = generator(source, seed)?;
        let ciphertext = py.detach(|| self.0.encrypt(noise.noise(), message, &mut rng));
        ciphertext.map(|bytes| PyBytes::new(py, &bytes)).map_err(said)
    }
}

/// A secret key. It is erased when it is dropped.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct Lp11SecretKey(SecretKey);

#[pymethods]
impl Lp11SecretKey {
    /// The key with these bytes.
    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Lp11SecretKey> {
        SecretKey::from_bytes(data).map(Lp11SecretKey).map_err(said)
    }

    /// The key's bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// The set's name.
    #[getter]
    fn set(&self) -> String {
        self.0.set().to_string()
    }

    /// The message of a ciphertext.
    fn decrypt<'py>(&self, py: Python<'py>, ciphertext: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let message = py.detach(|| self.0.decrypt(ciphertext).map(Zeroizing::new));
        message.map(|bytes| PyBytes::new(py, &bytes)).map_err(said)
    }
}
