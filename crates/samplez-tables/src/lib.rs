//! Certified tables for discrete Gaussian samplers: interval arithmetic, table building, bounds.
