//! What the evidence of constant time needs besides the kernels: a statistic, and judgements. The program itself is compiled for release
//! alone, and its tests are these.

pub mod answers;
pub mod welch;
