mod common;
use probability::prelude::*;

fn main() {
    common::main("usize, f64", |call, seed| {
        let mut source = source::default(seed.unwrap());
        let (normal, binomial) = (Gaussian::new(0., 1.), Binomial::new(20, 0.5));
        match call {
            "gaussian" => Box::new(move || normal.sample(&mut source).round() as i64),
            "binomial" => Box::new(move || binomial.sample(&mut source) as i64 - 10),
            other => panic!("{other}"),
        }
    });
}
