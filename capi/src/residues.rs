//! Residues of samples.

use crate::status::{Failed, array, guard, place, samplez_status};
use samplez::Modulus;

/// Writes the residues of `count` integers modulo q, from 2 to 2^63 - 1: integers from 0 to q - 1. For an RNS basis,
/// call it for each of the primes. In constant time. `out` may be the place of the integers themselves.
///
/// # Safety
///
/// `integers` are `count` integers, and `out` has space for as many, in the same place or apart from them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samplez_residues(integers: *const i64, count: usize, q: u64, out: *mut u64) -> samplez_status {
    guard(|| {
        let refused = || Failed::range(format_args!("q = {q}: expected a number from 2 to 2^63 - 1"));
        let modulus = Modulus::new(q).ok_or_else(refused)?;
        // SAFETY: so many integers by the function's condition. The slice ends here, before `out` is written.
        unsafe { array("integers", integers, count) }?;
        let out = if count == 0 { out } else { place("out", out)? };
        for i in 0..count {
            // SAFETY: both places were looked at above, and i is below their length. No reference to either is alive.
            unsafe { out.add(i).write(modulus.residue(integers.add(i).read())) };
        }
        Ok(())
    })
}
