//! Certified fixed-point arithmetic: intervals of non-negative numbers over 64-bit limbs.
//!
//! A fixed-point number of N limbs, little endian, has its integer part in the last limb and N - 1 limbs of fraction.
//! One *ulp* is 2^(-64(N-1)). Every operation on an [`Interval`] returns an interval that contains the exact result for
//! all exact arguments.

mod constants;
mod exp;
mod interval;
mod limbs;
mod log;
mod quotient;
mod round;
mod scaled;

pub(crate) use constants::Constant;
pub(crate) use exp::exp_neg;
pub(crate) use interval::Interval;
pub(crate) use limbs::{add, down, less, nearest, sub, up};
pub(crate) use log::{ln, ln_1p};
pub(crate) use quotient::Natural;
pub(crate) use scaled::Scaled;

#[cfg(test)]
mod tests;
