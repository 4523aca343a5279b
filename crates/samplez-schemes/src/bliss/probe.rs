//! Where tests look into the signer without branches, and change it: [`Probe`].

use super::acceptance::Acceptance;
use super::challenge::add_signed;

/// The data of [`IsochronousSigner`](super::IsochronousSigner) that tests see, and the steps in which they plant faults
/// and leaks. `()` sees and changes nothing.
#[doc(hidden)] // for tests: exported with the feature `testing` alone
pub trait Probe {
    /// These words are secret: s₁, and s₂.
    fn secret(&mut self, _words: &[i16]) {}

    /// This value, from here on public.
    fn public(&mut self, value: u32) -> u32 {
        value
    }

    /// sum ← sum + term, or sum - term where `minus` is -1, not 0.
    #[inline(always)]
    fn add_signed(&mut self, sum: &mut [i16], term: &[i16], minus: i16) {
        add_signed(sum, term, minus);
    }

    /// Step 6: 1 if ‖v‖², ⟨z,v⟩ and 256 uniform bits accept, else 0.
    fn decide(&mut self, acceptance: &Acceptance, square: i64, along: i64, uniform: [u128; 2]) -> u32 {
        acceptance.decide(square, along, uniform)
    }

    /// Step 5's sign, -1 or 0.
    #[cfg(test)]
    fn sign(&mut self, minus: i16) -> i16 {
        minus
    }

    /// (z₁, z₂) and (v₁, v₂) of the signature.
    #[cfg(test)]
    fn signed(&mut self, _z: [&[i16]; 2], _v: [&[i16]; 2]) {}
}

impl Probe for () {}
