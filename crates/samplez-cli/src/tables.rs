//! Tables as texts: lists of numbers, and arrays in source code.

pub(crate) mod arrays;
pub(crate) mod limbs;
mod numbers;
#[cfg(test)]
mod tests;
pub(crate) mod tokens;
