//! Regev's encryption for Python.

use super::shared::{generator, noise_of, said};
use crate::errors::refused;
use crate::sampler::Sampler;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samplez::Recipe;
use samplez_schemes::regev::{Parameters, PublicKey, SecretKey, Set, Shape, generate};
use zeroize::Zeroizing;

/// Parameters, of a set or of one's own.
#[pyclass(frozen, eq, hash, module = "samplez._samplez")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RegevParameters(Parameters);

fn shape_of(n: u32, l: u32, m: Option<u32>, q: u32, r: u32, t: u32) -> Shape {
    m.map_or_else(|| Shape::new(n, l, q, r, t), |m| Shape { n, l, m, q, r, t })
}

#[pymethods]
impl RegevParameters {
    /// Those of the set of this name.
    #[staticmethod]
    fn of_set(name: &str) -> PyResult<RegevParameters> {
        name.parse::<Set>().map(|set| RegevParameters(set.parameters())).map_err(said)
    }

    /// These numbers; the law is a recipe's.
    #[new]
    #[pyo3(signature = (n, l, m, q, r, t, law))]
    fn new(n: u32, l: u32, m: Option<u32>, q: u32, r: u32, t: u32, law: &str) -> PyResult<RegevParameters> {
        let law = law.parse::<Recipe>().and_then(|recipe| recipe.gaussian()).map_err(refused)?;
        Parameters::new(shape_of(n, l, m, q, r, t), law).map(RegevParameters).map_err(said)
    }

    /// The widest noise under which a letter fails so seldom.
    #[staticmethod]
    #[pyo3(signature = (n, l, m, q, r, t, letter_error))]
    #[allow(clippy::too_many_arguments)] // the shape's numbers
    fn for_letter_error(
        py: Python<'_>,
        n: u32,
        l: u32,
        m: Option<u32>,
        q: u32,
        r: u32,
        t: u32,
        letter_error: f64,
    ) -> PyResult<RegevParameters> {
        let shape = shape_of(n, l, m, q, r, t);
        py.detach(|| Parameters::for_letter_error(shape, letter_error)).map(RegevParameters).map_err(said)
    }

    /// The set that has these parameters.
    #[getter]
    fn set(&self) -> Option<String> {
        Set::ALL.into_iter().find(|set| set.parameters() == self.0).map(|set| set.to_string())
    }

    /// n, l, m, q, r, t.
    #[getter]
    fn shape(&self) -> (u32, u32, u32, u32, u32, u32) {
        let Shape { n, l, m, q, r, t } = self.0.shape();
        (n, l, m, q, r, t)
    }

    /// The law of the noise, as it is shown.
    #[getter]
    fn law(&self) -> String {
        self.0.demand().law.to_string()
    }

    /// The law of the noise, as a recipe.
    #[getter]
    fn recipe(&self) -> String {
        Recipe::new(self.0.demand().law).to_string()
    }

    /// The probability that a letter is decrypted wrongly.
    fn letter_error(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.0.letter_error())
    }

    /// The noise that a key demands, as the recipe has it.
    fn noise(&self, py: Python<'_>, recipe: &str) -> PyResult<Sampler> {
        noise_of(py, &self.0.demand(), recipe)
    }

    /// A new pair of keys.
    fn keygen(
        &self,
        py: Python<'_>,
        noise: &Sampler,
        source: &str,
        seed: &[u8],
    ) -> PyResult<(RegevPublicKey, RegevSecretKey)> {
        let mut rng = generator(source, seed)?;
        let keys = py.detach(|| generate(self.0, noise.noise(), &mut rng));
        keys.map(|(public, secret)| (RegevPublicKey(public), RegevSecretKey(secret))).map_err(said)
    }
}

/// A public key.
#[pyclass(frozen, eq, module = "samplez._samplez")]
#[derive(PartialEq)]
pub(crate) struct RegevPublicKey(PublicKey);

#[pymethods]
impl RegevPublicKey {
    /// The key with these bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<RegevPublicKey> {
        py.detach(|| PublicKey::from_bytes(data)).map(RegevPublicKey).map_err(said)
    }

    /// The key's bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.0.to_bytes()))
    }

    /// The parameters.
    #[getter]
    fn parameters(&self) -> RegevParameters {
        RegevParameters(self.0.parameters())
    }

    /// A ciphertext of the message.
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        message: &[u8],
        source: &str,
        seed: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut rng = generator(source, seed)?;
        let ciphertext = py.detach(|| self.0.encrypt(message, &mut rng));
        ciphertext.map(|bytes| PyBytes::new(py, &bytes)).map_err(said)
    }
}

/// A secret key. It is erased when it is dropped.
#[pyclass(frozen, module = "samplez._samplez")]
pub(crate) struct RegevSecretKey(SecretKey);

#[pymethods]
impl RegevSecretKey {
    /// The key with these bytes.
    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<RegevSecretKey> {
        SecretKey::from_bytes(data).map(RegevSecretKey).map_err(said)
    }

    /// The key's bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// The parameters.
    #[getter]
    fn parameters(&self) -> RegevParameters {
        RegevParameters(self.0.parameters())
    }

    /// The message of a ciphertext.
    fn decrypt<'py>(&self, py: Python<'py>, ciphertext: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let message = py.detach(|| self.0.decrypt(ciphertext).map(Zeroizing::new));
        message.map(|bytes| PyBytes::new(py, &bytes)).map_err(said)
    }
}
