//! `rand_core`'s way to seed a generator, beside the house's.

/// [`rand_core::SeedableRng`] over a constructor from a `&Seed`: all its ways lead through a [`Seed`](crate::Seed), which is erased.
macro_rules! seedable {
    ($name:ty $(where $m:ident: $bound:path)?, $new:expr) => {
        /// The seed's bytes are a [`Seed`](crate::Seed)'s, and give the same stream. Every copy that is made here is
        /// erased; the caller's bytes are the caller's. `seed_from_u64` is by
        /// [`Seed::from_number`](crate::Seed::from_number): **not for secrets**.
        impl $(<$m: $bound>)? rand_core::SeedableRng for $name {
            type Seed = [u8; 32];

            fn from_seed(mut seed: [u8; 32]) -> Self {
                let rng = $new(&crate::Seed::from_bytes(seed));
                zeroize::Zeroize::zeroize(&mut seed);
                rng
            }

            fn seed_from_u64(number: u64) -> Self {
                $new(&crate::Seed::from_number(number))
            }

            fn from_rng<R: rand_core::Rng + ?Sized>(rng: &mut R) -> Self {
                let Ok(seed) = crate::Seed::from_entropy(rng);
                $new(&seed)
            }

            fn try_from_rng<R: rand_core::TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
                Ok($new(&crate::Seed::from_entropy(rng)?))
            }
        }
    };
}
pub(super) use seedable;
