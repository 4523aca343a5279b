//! From a NumPy array to the integers it holds.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn};
use pyo3::exceptions::{PyOSError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use samplez::{EntropyError, FillError, NarrowType, StreamError};

/// Exclusive use of an array.
///
/// # Errors
///
/// `ValueError` if it is read-only or in use.
pub(crate) fn exclusive<'py, T: Element>(array: &Bound<'py, PyArrayDyn<T>>) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|e| PyValueError::new_err(format!("out: {e}")))
}

/// Runs `$work` on the integers of the array `$array` as the slice `$slice` of their type.
macro_rules! with_integers {
    ($array:expr, $slice:ident => $work:expr) => {
        with_integers!($array, $slice => $work, i8, i16, i32, i64)
    };
    ($array:expr, $slice:ident => $work:expr, $($t:ty),*) => {{
        let array = $array;
        $(if let Ok(array) = array.cast::<numpy::PyArrayDyn<$t>>() {
            let mut exclusive = $crate::fill::exclusive(array)?;
            let $slice = exclusive.as_slice_mut().map_err($crate::errors::invalid)?;
            return $work;
        })*
        Err(pyo3::exceptions::PyTypeError::new_err("out: expected an array of int8, int16, int32 or int64"))
    }};
}
pub(crate) use with_integers;

/// The error of an addressed fill.
pub(crate) fn of_bulk(error: FillError) -> PyErr {
    match error {
        FillError::Narrow(e) => narrow("dtype", &e),
        FillError::Range(e) => PyOverflowError::new_err(e.to_string()),
        FillError::Entropy(e) => PyOSError::new_err(e.to_string()),
        other => crate::errors::invalid(other),
    }
}

/// The error of a stream.
pub(crate) fn of_stream(error: StreamError<EntropyError>) -> PyErr {
    match error {
        StreamError::Narrow(e) => narrow("dtype", &e),
        StreamError::Range(e) => PyOverflowError::new_err(e.to_string()),
        StreamError::Source(e) => PyOSError::new_err(e.to_string()),
    }
}

/// The error of a type that is too narrow, which came by this argument.
pub(crate) fn narrow(argument: &str, error: &NarrowType) -> PyErr {
    crate::errors::invalid(error.respelled(argument, |name| name.replace('i', "int")))
}
