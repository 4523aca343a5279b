mod common;
use rand::{distr::Distribution, rngs::StdRng, SeedableRng};
use statrs::distribution::{Binomial, Geometric, Normal, Poisson};

fn main() {
    common::main("u64, f64", |call, seed| {
        let mut rng = seed.map_or_else(|| rand::make_rng::<StdRng>(), StdRng::seed_from_u64);
        let (normal, geometric) = (Normal::new(0., 1.).unwrap(), Geometric::new(1. - (-1f64).exp()).unwrap());
        let (poisson, binomial) = (Poisson::new(5.).unwrap(), Binomial::new(0.5, 20).unwrap());
        match call {
            "normal" => Box::new(move || f64::round(normal.sample(&mut rng)) as i64),
            "geometric" => Box::new(move || { let mut one = || -> u64 { geometric.sample(&mut rng) }; one() as i64 - one() as i64 }),
            "poisson" => Box::new(move || { let mut one = || -> u64 { poisson.sample(&mut rng) }; one() as i64 - one() as i64 }),
            "binomial" => Box::new(move || { let x: u64 = binomial.sample(&mut rng); x as i64 - 10 }),
            other => panic!("{other}"),
        }
    });
}
