//! The law D_{Z,σ,c}, evaluated from its exact parameters.

use core::ops::RangeInclusive;
use samplez_core::params::DiscreteGaussian;

/// The law D_{Z,σ,c}, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Law {
    target: DiscreteGaussian,
}

/// Mean, variance, third and fourth central moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// E\[X\].
    pub mean: f64,
    /// E\[(X - mean)²\].
    pub variance: f64,
    /// E\[(X - mean)³\].
    pub third: f64,
    /// E\[(X - mean)⁴\].
    pub fourth: f64,
}

impl Law {
    /// The law with these parameters.
    pub fn new(target: &DiscreteGaussian) -> Law {
        Law { target: *target }
    }
    /// The parameters.
    pub fn target(&self) -> &DiscreteGaussian {
        &self.target
    }
    /// σ.
    pub fn sigma(&self) -> f64 {
        todo!()
    }
    /// c.
    pub fn center(&self) -> f64 {
        self.target.center().to_f64()
    }
    /// P(X = x).
    pub fn pmf(&self, _x: i64) -> f64 {
        todo!()
    }
    /// P(a <= X <= b); 0 for an empty range.
    pub fn mass(&self, _range: RangeInclusive<i64>) -> f64 {
        todo!()
    }
    /// Mean and central moments.
    pub fn moments(&self) -> Moments {
        todo!()
    }
    /// The entropy in bits.
    pub fn entropy(&self) -> f64 {
        todo!()
    }
    /// The smallest a..=b with P(X < a) < 2^log2 and P(X > b) < 2^log2; `None` unless
    /// -1000 <= log2 <= -1 and the range fits `i64`.
    pub fn tail_range(&self, _log2: f64) -> Option<RangeInclusive<i64>> {
        todo!()
    }
}
