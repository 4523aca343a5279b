//! Scratch memory that is erased in one sweep: [`ErasedVec`].

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// Zeros, which the compiler may not leave out: what reads them next is unknown to it. Words of 16 bits that `zeroize` writes one by one take
/// a large part of the time of what works on them in vectors.
pub(crate) fn wipe<T: Copy + Default>(words: &mut [T]) {
    words.fill(T::default());
    zeroize::optimization_barrier(words);
}

/// A list that is erased when it is dropped, with the room beyond its end. It must not outgrow that.
#[derive(Default)]
pub(crate) struct ErasedVec<T: Copy + Default>(Vec<T>);

impl<T: Copy + Default> ErasedVec<T> {
    pub(crate) const fn new(words: Vec<T>) -> Self {
        ErasedVec(words)
    }

    /// So many zeros.
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
