//! Residues of samples modulo q.

use crate::errors::invalid;
use crate::fill::exclusive;
use numpy::{PyArrayDyn, PyReadonlyArray1};
use pyo3::prelude::*;
use samplez::Modulus;

/// An array of signed integers.
#[derive(FromPyObject)]
pub(crate) enum Integers<'py> {
    I8(PyReadonlyArray1<'py, i8>),
    I16(PyReadonlyArray1<'py, i16>),
    I32(PyReadonlyArray1<'py, i32>),
    I64(PyReadonlyArray1<'py, i64>),
}

/// Writes the integers modulo each q, one row after the other, in constant time. The place of the first modulus that is refused,
/// if one is.
#[pyfunction]
pub(crate) fn residues(
    py: Python<'_>,
    integers: Integers<'_>,
    moduli: Vec<u64>,
    out: &Bound<'_, PyArrayDyn<u64>>,
) -> PyResult<Option<usize>> {
    let mut basis = Vec::with_capacity(moduli.len());
    for (i, &q) in moduli.iter().enumerate() {
        let Some(modulus) = Modulus::new(q) else { return Ok(Some(i)) };
        basis.push(modulus);
    }
    let mut out = exclusive(out)?;
    let out = out.as_slice_mut().map_err(invalid)?;
    macro_rules! rows {
        ($integers:expr) => {{
            let integers = $integers.as_slice().map_err(invalid)?;
            if out.len() != integers.len() * basis.len() {
                return Err(invalid("out: expected a row for each modulus"));
            }
            py.detach(|| {
                for (row, modulus) in out.chunks_exact_mut(integers.len().max(1)).zip(&basis) {
                    modulus.residues(integers, row);
                }
            });
        }};
    }
    match &integers {
        Integers::I8(integers) => rows!(integers),
        Integers::I16(integers) => rows!(integers),
        Integers::I32(integers) => rows!(integers),
        Integers::I64(integers) => rows!(integers),
    }
    Ok(None)
}
