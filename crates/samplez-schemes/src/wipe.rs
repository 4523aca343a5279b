//! Scratch memory that is erased in one sweep: [`ErasedVec`].

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// Writes zeros, which the compiler may not leave out: it cannot see their next reader. `zeroize` writes words of 16
/// bits one by one. That takes a large part of the time of code that works on them in vectors.
pub(crate) fn wipe<T: Copy + Default>(words: &mut [T]) {
    words.fill(T::default());
    zeroize::optimization_barrier(words);
}

/// A list that is erased when it is dropped, with the spare capacity beyond its end. It must not outgrow that.
#[derive(Default)]
pub(crate) struct ErasedVec<T: Copy + Default>(Vec<T>);

impl<T: Copy + Default> ErasedVec<T> {
    pub(crate) const fn new(words: Vec<T>) -> Self {
        ErasedVec(words)
    }

    /// Returns `count` zeros.
    pub(crate) fn zeros(count: usize) -> Self {
        ErasedVec(alloc::vec![T::default(); count])
    }
}

impl<T: Copy + Default> Drop for ErasedVec<T> {
    fn drop(&mut self) {
        self.0.resize(self.0.capacity(), T::default());
        wipe(&mut self.0);
    }
}

impl<T: Copy + Default> Deref for ErasedVec<T> {
    type Target = Vec<T>;
    #[inline(always)]
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Copy + Default> DerefMut for ErasedVec<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}
