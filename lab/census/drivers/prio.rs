mod common;
use prio::dp::{distributions::{DiscreteGaussian, DiscreteLaplace}, Rational};
use rand::{distr::Distribution, rngs::StdRng, SeedableRng};

fn main() {
    common::main("BigInt", |call, seed| {
        let mut rng = seed.map_or_else(|| rand::make_rng::<StdRng>(), StdRng::seed_from_u64);
        let one = Rational::from_unsigned(1u64, 1u64).unwrap();
        match call {
            "gaussian" => { let law = DiscreteGaussian::new(one).unwrap(); Box::new(move || law.sample(&mut rng).try_into().unwrap()) }
            "laplace" => { let law = DiscreteLaplace::new(one).unwrap(); Box::new(move || law.sample(&mut rng).try_into().unwrap()) }
            other => panic!("{other}"),
        }
    });
}
