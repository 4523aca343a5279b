//! Residues of samples.

use crate::each::array;
use crate::status::{Failed, guard, samplez_status};
use crate::stream::slice_of;
use samplez::Modulus;

/// Takes `count` integers modulo q, from 2 to 2^63 - 1, to residues from 0 to q - 1: for an RNS basis, once for each of its primes. In
/// constant time, whatever the integers are.
///
/// # Safety
///
/// `integers` are `count` integers, and `out` is room for `count` others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_residues(integers: *const i64, count: usize, q: u64, out: *mut u64) -> samplez_status {
    guard(|| {
        let refused = || Failed::argument(format_args!("q = {q}: must be from 2 to 2^63 - 1"));
        let modulus = Modulus::new(q).ok_or_else(refused)?;
        // SAFETY: so many integers by the function's condition.
        let integers = unsafe { array("integers", integers, count) }?;
        // SAFETY: room for as many by the function's condition.
        let out = unsafe { slice_of(out.cast::<i64>(), count) }?;
        out.iter_mut().zip(integers).for_each(|(slot, x)| *slot = modulus.residue(*x).cast_signed());
        Ok(())
    })
}
