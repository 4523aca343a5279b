//! Discrete Gaussian sampling over the integers: choose, build, fill.
