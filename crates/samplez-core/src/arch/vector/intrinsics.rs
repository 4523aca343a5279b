//! Methods that are intrinsics.

/// Methods whose bodies are intrinsics. The head of each file that uses this argues that they are sound. The processor has
/// the instructions. The bodies access only the slices and arrays that they take pointers from.
macro_rules! intrinsics {
    ($(fn $name:ident $(<const $constant:ident: usize>)? ($($argument:tt)*) $(-> $result:ty)? { $($body:tt)* })*) => {$(
        #[inline(always)]
        #[allow(unused_unsafe, reason = "WebAssembly's are safe but for loads and stores")]
        fn $name $(<const $constant: usize>)? ($($argument)*) $(-> $result)? {
            // SAFETY: the head of the file has the argument.
            unsafe { $($body)* }
        }
    )*};
    // Methods of one intrinsic each, on two vectors.
    ($type:ident: $($name:ident = $intrinsic:ident;)*) => {
        intrinsics! { $(fn $name(self, other: Self) -> Self { $type($intrinsic(self.0, other.0)) })* }
    };
}
