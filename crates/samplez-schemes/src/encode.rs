//! Bytes: packed bit fields, and the little of DER that keys and certificates need.

pub(crate) mod bits;
pub(crate) mod der;
