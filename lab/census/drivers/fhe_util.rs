mod common;
use rand::{rngs::StdRng, SeedableRng};

fn main() {
    common::main("i64", |call, seed| {
        let mut rng = seed.map_or_else(StdRng::from_os_rng, StdRng::seed_from_u64);
        let variance = call.trim_start_matches("cbd").parse().unwrap();
        let mut block = Vec::new();
        Box::new(move || {
            if block.is_empty() {
                block = fhe_util::sample_vec_cbd(4096, variance, &mut rng).unwrap();
            }
            block.pop().unwrap()
        })
    });
}
