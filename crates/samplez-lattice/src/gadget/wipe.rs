//! Scratch memory that is erased.

/// Writes zeros, which the compiler may not leave out.
pub(super) fn wipe<T: Copy + Default>(words: &mut [T]) {
    words.fill(T::default());
    zeroize::optimization_barrier(words);
}
