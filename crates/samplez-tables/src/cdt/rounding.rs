//! How probabilities become integers: [`Rounding`].

/// How probabilities become integers.
///
/// ```
/// use samplez_core::table::Table;
/// use samplez_core::DiscreteGaussian;
/// use samplez_tables::{CdtOptions, Rounding, build_cdt};
/// let law = DiscreteGaussian::with_sigma("215".parse()?)?;
/// let bound = |rounding| build_cdt(&law, &CdtOptions { precision: 64, rounding, ..CdtOptions::default() }).unwrap().bound().clone();
/// // Rényi divergence of order 256, minus one: 2^-57.7 and 2^5.2.
/// assert!(bound(Rounding::Floor).renyi(256) < Some(-57.6));
/// assert!(bound(Rounding::Nearest).renyi(256) > Some(5.2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// W_x = ⌊2^B P(X = x)⌋ for every x (every |x| of a folded table) but the mode, which gets
    /// what is left of 2^B. No probability but the mode's exceeds its ideal. If 2^B P is so close to an integer that the
    /// builder's intervals do not decide, W_x may be one less. P = 1/2 - 2^-577 at σ = 1/20 about 1/2 is such a case.
    #[default]
    Floor,
    /// T_j = 2^B P(index >= j), rounded to the nearest integer (and at most 2^B - 1), as many
    /// published tables are. For comparison only: far out a weight can be many times its ideal.
    Nearest,
}
