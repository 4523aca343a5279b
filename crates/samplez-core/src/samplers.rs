//! The samplers, a type for each. The head of each describes its paper, steps, law, timing, memory and departures.
//!
//! | sampler | law | timing | requires |
//! |---|---|---|---|
//! | [`Isochronous`], [`FilteredIsochronous`] | certified; D_{Z,σ,c} on a finite support | isochronous | nothing; the second needs exact decisions, as of `samplez-tables` |
//! | [`Karney`] | exact | variable | nothing |
//! | [`Cks`], [`DuWei4`], [`DuWei5`], [`FrugalDuWei`] | exact, for some widths, about integers | variable | nothing |
//! | [`Rejection`] | exact up to its tail | variable | nothing |
//! | [`CdtCt`], [`CdtCtSmall`], [`CdtLazyCt`], [`KnuthYaoCt`] | that of an inversion table | constant | a table |
//! | [`Cdt`], [`CdtGuided`], [`KnuthYao`] | that of an inversion table | variable | a table |
//! | [`TableRejection`], [`Ziggurat`], [`Bernoulli`] | that of the table, about integers | variable | a table |
//! | [`ConvolutionCt`], [`Convolution`] | certified, for large σ, about integers | constant, variable | a table for a smaller σ |
//! | [`Wide`] | exact, for σ > 2^26 | isochronous | a narrower sampler |
//! | [`StripRounder`], [`ProposalStore`] | certified or exact, a centre and a width with each call | isochronous | nothing |
//! | [`KarneyRounder`] | exact, a centre with each call | variable | nothing |
//! | [`SamplerZ`] | certified: Falcon's, a centre and a small width with each call | variable; batches isochronous | nothing |
//! | [`HalfLine`] | exact half Gaussian on 0, 1, 2, … of σ = sqrt(1/(2 ln 2)) | variable | nothing |
//! | [`DiscreteLaplaceCt`] | exact discrete Laplace, not a Gaussian | constant | digits of probabilities, as of `samplez-tables` |
//! | [`DiscreteLaplace`] | exact discrete Laplace, not a Gaussian | variable | nothing |

/// The common parts of several samplers.
pub(crate) mod common {
    pub(crate) mod batches;
    pub(super) mod below;
    pub(super) mod estimate;
    pub(super) mod exp_square;
    pub(super) mod feed;
    pub(super) mod finish;
    pub(super) mod fixed_exp;
    pub(super) mod half_line;
    pub(super) mod ln2;
    pub(super) mod locate;
    pub(super) mod log;
    pub(super) mod remainder;
    pub(super) mod runs;
    pub(super) mod store;
    pub(super) mod sums;
    pub(crate) mod trials;
    pub(super) mod wide;
}

mod bernoulli;
mod cdt;
mod cdt_ct;
mod cdt_guided;
mod cdt_lazy_ct;
mod cks;
mod convolution;
mod convolution_ct;
mod discrete_laplace;
mod discrete_laplace_ct;
mod du_wei;
mod isochronous;
mod karney;
mod knuth_yao;
mod knuth_yao_ct;
mod rejection;
mod rejection_table;
mod sampler_z;
mod strip_rounder;
mod wide;
mod ziggurat;

pub use bernoulli::{Bernoulli, FrugalBernoulli};
pub use cdt::Cdt;
pub use cdt_ct::{CdtCt, CdtCtSmall};
pub use cdt_guided::CdtGuided;
pub use cdt_lazy_ct::CdtLazyCt;
pub use cks::Cks;
pub use common::half_line::HalfLine;
pub use common::store::ProposalStore;
pub use convolution::Convolution;
pub use convolution_ct::ConvolutionCt;
pub use discrete_laplace::DiscreteLaplace;
pub use discrete_laplace_ct::{DiscreteLaplaceCt, LaplaceCoin, LaplaceCoins};
pub use du_wei::{DuWei4, DuWei5, FrugalDuWei};
pub use isochronous::{CloseTrial, FilteredIsochronous, Isochronous, Refine};
pub use karney::{Karney, KarneyRounder, RationalCenter};
pub use knuth_yao::KnuthYao;
pub use knuth_yao_ct::KnuthYaoCt;
pub use rejection::Rejection;
pub use rejection_table::TableRejection;
pub use sampler_z::{SamplerZ, SmallWidth};
pub use strip_rounder::{StripRounder, StripWidth};
pub use wide::{Wide, WideRefine, WideTrial, WideVerdict};
pub use ziggurat::Ziggurat;
