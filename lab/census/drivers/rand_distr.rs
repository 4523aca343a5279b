mod common;
use rand::{rngs::StdRng, SeedableRng};
use rand_distr::{Binomial, Distribution, Geometric, Normal, Poisson};

fn main() {
    common::main("i64", |call, seed| {
        let mut rng = seed.map_or_else(|| rand::make_rng::<StdRng>(), StdRng::seed_from_u64);
        let (normal, geometric) = (Normal::new(0., 1.).unwrap(), Geometric::new(1. - (-1f64).exp()).unwrap());
        let (poisson, binomial) = (Poisson::new(5.).unwrap(), Binomial::new(20, 0.5).unwrap());
        match call {
            "normal" => Box::new(move || f64::round(normal.sample(&mut rng)) as i64),
            "geometric" => Box::new(move || geometric.sample(&mut rng) as i64 - geometric.sample(&mut rng) as i64),
            "poisson" => Box::new(move || (poisson.sample(&mut rng) - poisson.sample(&mut rng)) as i64),
            "binomial" => Box::new(move || binomial.sample(&mut rng) as i64 - 10),
            other => panic!("{other}"),
        }
    });
}
