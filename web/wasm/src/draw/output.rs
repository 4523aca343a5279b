//! Integers for JavaScript to read.

use crate::spelling::Failure;
use bytemuck::Pod;
use samplez::{Int, RangeError};
use zeroize::{Zeroize, Zeroizing};

/// Those of the last call, of whatever type, and after them what is left of longer ones.
#[derive(Default)]
pub(crate) struct Output(Vec<u64>);

impl Drop for Output {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl Output {
    /// Room for so many, which is not cleared.
    pub(crate) fn room<T: Int + Pod>(&mut self, len: usize) -> &mut [T] {
        let words = (len * size_of::<T>()).div_ceil(size_of::<u64>());
        if self.0.len() < words {
            // A new one, so that no copy of the old one is left behind.
            self.wipe();
            self.0 = vec![0; words];
        }
        &mut bytemuck::cast_slice_mut(&mut self.0)[..len]
    }

    /// So many that are drawn, with this many bits each, all of which fit. After a failure nothing is left of them.
    pub(crate) fn draw(
        &mut self,
        bits: u32,
        len: usize,
        draw: impl FnOnce(&mut [i64]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut drawn = Zeroizing::new(vec![0; len]);
        let kept = draw(&mut drawn).and_then(|()| match bits {
            8 => narrowed(&drawn, self.room::<i8>(len)),
            16 => narrowed(&drawn, self.room::<i16>(len)),
            32 => narrowed(&drawn, self.room::<i32>(len)),
            64 => narrowed(&drawn, self.room::<i64>(len)),
            _ => Err(no_type(bits).into()),
        });
        kept.inspect_err(|_| self.wipe())
    }

    /// Where they begin.
    pub(crate) fn as_ptr(&self) -> *const u64 {
        self.0.as_ptr()
    }

    fn wipe(&mut self) {
        self.0.zeroize();
    }
}

fn narrowed<T: Int>(from: &[i64], to: &mut [T]) -> Result<(), Failure> {
    let refused = || {
        let (RangeError { min, max, .. }, array) = (RangeError::of::<T>(), array_of(T::NAME));
        format!("out = {array}: a sample does not fit {min} to {max}: choose a wider type")
    };
    for (slot, x) in to.iter_mut().zip(from) {
        *slot = T::narrow(*x).ok_or_else(refused)?;
    }
    Ok(())
}

/// The array whose integers have this type.
pub(crate) fn array_of(name: &str) -> String {
    match name {
        i64::NAME => "BigInt64Array".into(),
        name => format!("{}Array", name.replace('i', "Int")),
    }
}

/// That no type has this many bits.
pub(crate) fn no_type(bits: u32) -> String {
    format!("bits = {bits}: expected one of 8, 16, 32, 64")
}
