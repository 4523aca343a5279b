/// Du–Wei: exact rejection from a half Gaussian on the integers, for one-sided proposals.
///
/// Paper: \[DW18\], Algorithms 4 and 5 (§3), with Algorithm 9 (§5.2) for the latter's x. Proof:
/// docs/proofs/du-wei.md.
///
/// | Law        | exact: D_{Z,σ,c}; see each sampler's file for the one condition on its proposal |
/// | Bits       | [`DuWei4`]: 258; [`DuWei5`]: 182 with the table walk, 233 without: words are drawn whole, for speed; at σ = 215 [`FrugalDuWei`] takes 31, 20.3 and 21.1, in more time |
/// | Memory     | 4 KiB, the same for every σ |
/// | Timing     | Variable: the number of attempts and of coins depends on the sample |
/// | Parameters | [`DuWei4`]: integers σ <= 2^40 and c; [`DuWei5`]: σ = k·sqrt(1/(2 ln 2)), integers k <= 2^40 and c |
///
/// Steps and departures are in four.rs and five.rs; frugal.rs takes them bit by bit.
pub use four::DuWei4;

mod exponent;
mod five;
mod four;
mod frugal;

pub use five::DuWei5;
pub use frugal::FrugalDuWei;

#[cfg(test)]
mod tests;
