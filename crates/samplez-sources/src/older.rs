//! Adapters of generators that implement the traits of an older `rand_core`.

use core::fmt;
use rand_core::{TryCryptoRng, TryRng};

/// The error of a generator that implements traits of an older `rand_core`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OlderError<E>(pub E);

impl<E: fmt::Display> fmt::Display for OlderError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for OlderError<E> {}

macro_rules! older {
    ($(#[$attribute:meta])* $feature:literal, $name:ident, $rng:path, $crypto:path, $error:ty) => {
        $(#[$attribute])*
        #[cfg(feature = $feature)]
        #[cfg_attr(docsrs, doc(cfg(feature = $feature)))]
        pub struct $name<R>(pub R);

        /// A word consists of the next bytes of the generator's `try_fill_bytes`, in little-endian order.
        #[cfg(feature = $feature)]
        impl<R: $rng> TryRng for $name<R> {
            type Error = OlderError<$error>;

            fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
                rand_core::utils::next_word_via_fill(self)
            }
            fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
                rand_core::utils::next_word_via_fill(self)
            }

            fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
                self.0.try_fill_bytes(out).map_err(OlderError)
            }
        }

        #[cfg(feature = $feature)]
        impl<R: $rng + $crypto> TryCryptoRng for $name<R> {}
    };
}

older! {
    /// Adapts a generator that implements `RngCore` of `rand_core` 0.6, for example a generator of `rand` 0.8.
    ///
    /// ```
    /// use samplez_sources::RandCore06;
    /// use rand_core::TryRng;
    /// # struct Yours;
    /// # impl rand_core_06::RngCore for Yours {
    /// #     fn next_u32(&mut self) -> u32 { 1 }
    /// #     fn next_u64(&mut self) -> u64 { 1 }
    /// #     fn fill_bytes(&mut self, out: &mut [u8]) { out.fill(1) }
    /// #     fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core_06::Error> { out.fill(1); Ok(()) }
    /// # }
    /// assert_eq!(RandCore06(Yours).try_next_u32()?, 0x0101_0101);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    "rand_core_06", RandCore06, rand_core_06::RngCore, rand_core_06::CryptoRng, rand_core_06::Error
}

older! {
    /// Adapts a generator that implements `RngCore` or `TryRngCore` of `rand_core` 0.9, for example a generator of `rand` 0.9.
    ///
    /// ```
    /// use samplez_sources::RandCore09;
    /// use rand_core::TryRng;
    /// # struct Yours;
    /// # impl rand_core_09::RngCore for Yours {
    /// #     fn next_u32(&mut self) -> u32 { 1 }
    /// #     fn next_u64(&mut self) -> u64 { 1 }
    /// #     fn fill_bytes(&mut self, out: &mut [u8]) { out.fill(1) }
    /// # }
    /// assert_eq!(RandCore09(Yours).try_next_u32()?, 0x0101_0101);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    "rand_core_09", RandCore09, rand_core_09::TryRngCore, rand_core_09::TryCryptoRng, R::Error
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    /// Counts its bytes, and fails after ten.
    struct Counting(u8);

    impl Counting {
        fn fill(&mut self, out: &mut [u8]) -> bool {
            for byte in out {
                (*byte, self.0) = (self.0, self.0 + 1);
            }
            self.0 <= 10
        }
    }

    impl rand_core_06::RngCore for Counting {
        fn next_u32(&mut self) -> u32 {
            0
        }
        fn next_u64(&mut self) -> u64 {
            0
        }
        fn fill_bytes(&mut self, _: &mut [u8]) {}
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core_06::Error> {
            let code = core::num::NonZeroU32::new(rand_core_06::Error::CUSTOM_START + 7).unwrap();
            if self.fill(out) { Ok(()) } else { Err(code.into()) }
        }
    }
    impl rand_core_06::CryptoRng for Counting {}

    #[derive(Debug)]
    struct Spent;

    impl fmt::Display for Spent {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("spent")
        }
    }

    impl rand_core_09::TryRngCore for Counting {
        type Error = Spent;
        fn try_next_u32(&mut self) -> Result<u32, Spent> {
            Ok(0)
        }
        fn try_next_u64(&mut self) -> Result<u64, Spent> {
            Ok(0)
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Spent> {
            if self.fill(out) { Ok(()) } else { Err(Spent) }
        }
    }
    impl rand_core_09::TryCryptoRng for Counting {}

    /// The bytes in their order, whatever they are asked for as, and the generator's own error.
    fn check(mut rng: impl TryCryptoRng, error: &str) {
        let mut bytes = [0; 2];
        rng.try_fill_bytes(&mut bytes).unwrap();
        assert_eq!((bytes, rng.try_next_u32().unwrap()), ([0, 1], 0x0504_0302));
        let failed = rng.try_next_u64().unwrap_err();
        assert!(failed.to_string().contains(error), "{failed}");
    }

    #[test]
    fn bytes_and_errors_are_the_generators() {
        check(RandCore06(Counting(0)), "7");
        check(RandCore09(Counting(0)), "spent");
        let mut rng = RandCore09(Counting(0));
        assert_eq!(rng.try_next_u64().unwrap(), 0x0706_0504_0302_0100);
    }
}
