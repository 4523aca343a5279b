mod common;
use rand_chacha::{rand_core::SeedableRng, ChaCha20Rng};
use spiral_rs::discrete_gaussian::DiscreteGaussian;

fn main() {
    common::main("u64 residue", |_, seed| {
        let mut rng = seed.map_or_else(ChaCha20Rng::from_entropy, ChaCha20Rng::seed_from_u64);
        let gaussian = DiscreteGaussian::init(6.4);
        let modulus = 1u64 << 56;
        Box::new(move || { let x = gaussian.sample(modulus, &mut rng) as i64; if x < 1 << 55 { x } else { x - (1 << 56) } })
    });
}
