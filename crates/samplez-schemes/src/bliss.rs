//! BLISS: signatures by Gaussian noise around ±Sc, and a rejection that makes their law independent of the key.
//!
//! Papers: \[DDLL13\], Algorithms 1 to 3 and Table 3, and \[Duc14\] for BLISS-B.
//!
//! | | |
//! |---|---|
//! | Law | z₁ and z₂ are D_{Z,σ}, given that they keep to the norms, whatever the key, if the noise is and the bits are ideal: the acceptance of [`Signer`] is exact, as are its coins, and that of [`IsochronousSigner`] within 2^-120 |
//! | Noise | D_{Z,σ} with σ = k·sqrt(1/(2 ln 2)), 2n samples an attempt, from any sampler of this law in this form |
//! | Memory | a key 6 KiB, scratch 14 KiB (n = 512) |
//! | Timing | [`Signer`]: variable, by coins, attempts and the noise. [`IsochronousSigner`]: isochronous, and shows attempts and their challenges. Keys are made in variable time |
//! | Parameters | sets 0 (a toy) and I to IV |
//!
//! ```text
//! key      f, g sparse; S = (s₁, s₂) = (f, 2g + 1); a_q = s₂/s₁ mod q; A = (2a_q, q - 2), A·S = q mod 2q
//! sign 1   y₁, y₂ ← D_{Z,σ}^n
//!      2   u ← ζ·2a_q·y₁ + y₂ mod 2q                     ζ = 1/(q - 2) mod 2q
//!      3   c ← H(⌊u⌉_d mod p, μ)                         κ indices of n
//!      4   v ← Sc, or GreedySC(S, c)                     classic, or BLISS-B
//!      5   z ← y + v or y - v, each with probability 1/2
//!      6   1, but with probability 1/(M·exp(-‖v‖²/2σ²)·cosh(⟨z,v⟩/σ²))
//!      7   z₂† ← ⌊u⌉_d - ⌊u - z₂⌉_d mod p
//!      8   if the norms of (z₁, 2^d·z₂†) are too large, 1
//! verify   the norms; c = H(⌊ζ·2a_q·z₁ + q·c⌉_d + z₂† mod p, μ)
//! ```
//!
//! Tests show that
//!
//! - both signatures of another implementation's certificates verify, and no longer with any bit changed;
//! - accepted signatures of either signer have the moments of ⟨z,v⟩/‖v‖ and of their coordinates that they would have
//!   without a key;
//! - the same test finds a missing rejection, an M that is too small, a tail cut at 3σ, and a sign left out;
//! - GreedySC's bound holds for every challenge of a toy set;
//! - the fixed-point acceptance has the probabilities that another program computes, to 120 bits;
//! - no branch and no address of [`IsochronousSigner`] depends on a secret, by memcheck.
//!
//! Departures from the papers:
//! - σ is k·sqrt(1/(2 ln 2)) for k = ⌈σ·sqrt(2 ln 2)⌉, as in \[DDLL13\]'s sampler, and M is that of this σ. 2σ² ln M is
//!   an integer e, so that step 6 is a coin e^(-(e - ‖v‖²)/2σ²) and a coin 1/cosh.
//! - With it 2σ² ln M of classic BLISS is a little below the paper's bound of N_κ in sets II to IV. Keys between the two would need
//!   acceptances above 1; they are not generated and not read.
//! - The rounding, the oracle H and all encodings are a [`Profile`]: the paper leaves them open, and implementations differ.
//! - A key includes its variant, and signers follow it. A BLISS-B key under the classic signer would leak.
//! - An attempt whose noise exceeds 16 bits is over. Its probability is below 2^-10000.
//!
//! Research and teaching only: the lattice estimator gives sets I to IV 2^104 to 2^112. Keys have been recovered from
//! the cache traces of plain signers. In production use ML-DSA or FN-DSA.

#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
mod acceptance;
mod bytes;
mod certificate;
mod challenge;
mod oracle;
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub))]
mod probe;
mod profile;
mod public;
mod secret;
mod set;
mod sign;
mod signature;
mod variant;

#[cfg(feature = "testing")]
pub use acceptance::Acceptance;
pub use certificate::Certificate;
#[cfg(feature = "testing")]
pub use probe::Probe;
pub use profile::Profile;
pub use public::PublicKey;
pub use secret::SigningKey;
pub use set::{Parameters, Set};
pub use sign::{IsochronousSigner, Signer};
pub use signature::Signature;
pub use variant::Variant;
