mod common;
use frodo_kem::hazmat::{Frodo1344, Frodo640, Frodo976, FrodoCdfSample, Params, Sample};
use rand::{rngs::StdRng, Rng, SeedableRng};

fn noise<P: Params + 'static>(mut rng: StdRng) -> common::Draw {
    let sampler = FrodoCdfSample::<P>::default();
    let mut block = Vec::new();
    Box::new(move || {
        if block.is_empty() {
            block = (0..4096).map(|_| rng.random()).collect::<Vec<u16>>();
            sampler.sample(&mut block);
        }
        i64::from(block.pop().unwrap() as i16)
    })
}

fn main() {
    common::main("u16 residue", |call, seed| {
        let rng = seed.map_or_else(StdRng::from_os_rng, StdRng::seed_from_u64);
        match call {
            "frodo640" => noise::<Frodo640>(rng),
            "frodo976" => noise::<Frodo976>(rng),
            _ => noise::<Frodo1344>(rng),
        }
    });
}
