//! Gaussians over lattices.
