mod common;
use rand::{rngs::StdRng, SeedableRng};
use rv::dist::{Geometric, Skellam};
use rv::traits::Sampleable;

fn main() {
    common::main("i32, u32", |call, seed| {
        let mut rng = seed.map_or_else(StdRng::from_os_rng, StdRng::seed_from_u64);
        let (skellam, geometric) = (Skellam::new(5., 5.).unwrap(), Geometric::new(1. - (-1f64).exp()).unwrap());
        match call {
            "skellam" => Box::new(move || { let x: i32 = skellam.draw(&mut rng); x.into() }),
            "geometric" => Box::new(move || { let mut one = || -> u32 { geometric.draw(&mut rng) }; i64::from(one()) - i64::from(one()) }),
            other => panic!("{other}"),
        }
    });
}
