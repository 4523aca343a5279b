//! LP11: encryption from learning with errors, over matrices and over rings.
//!
//! Paper: \[LP11\], §3, its parameter sets, and the ring sets of later implementations. It withstands chosen plaintexts alone, and **fails**:
//! each bit is decrypted wrongly with [probability](Set::failure_rate) 1e-5 to 8e-5, silently.
//!
//! | | |
//! |---|---|
//! | Law | of the error of a bit: exact, by [`Set::failure_rate`] |
//! | Noise | D_{Z,σ}, σ = s/sqrt(2π): 2nl samples (2n over a ring) for a key, 2n + l (3n) for a block of l bits |
//! | Memory | n² + nl words of 16 bits for a public key; 2n over a ring |
//! | Timing | arithmetic on secrets has no branch and no address that depends on them; the noise's timing is the sampler's. Nothing is claimed, nothing was measured |
//! | Parameters | [`Set`] |
//!
//! ```text
//! key       A ← uniform n×n; R₁, R₂ ← D^(n×l); P ← R₁ - A·R₂; secret: R₂
//! encrypt   e₁, e₂ ← D^n, e₃ ← D^l; c₁ᵗ ← e₁ᵗA + e₂ᵗ; c₂ᵗ ← e₁ᵗP + e₃ᵗ + m·⌊q/2⌋
//! decrypt   v ← c₁ᵗR₂ + c₂ᵗ; a bit is 1 where |v|, centred, is at least ⌊q/4⌋
//! ```
//!
//! Over a ring A, R₁, R₂, e₁, e₂, e₃ are one polynomial each, and l = n.
//!
//! A message is cut into blocks; the last is filled up with zeros, and its length, which is public, is written before them.
//!
//! Departures: l is 128 over matrices, as in the paper. Papers that cite it write l = n, and e₁, e₂, e₃ as matrices,
//! which are vectors. Encodings are ours: nobody has published any.
//!
//! Research and teaching only: the lattice estimator gives n = 256 about 2^93. In production use ML-KEM.

mod key;
mod set;

pub use key::{PublicKey, SecretKey, generate};
pub use set::{Parameters, Set};
