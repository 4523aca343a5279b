//! The streams of `kat/streams.csv`, by every way to them, and by every backend that this machine has.

use samplez::bindings::Backend;
use samplez::{Bulk, DiscreteGaussian, Int, NarrowType, Noise, Options, Rational, Recipe, Seed, Source, Width};
use std::num::NonZeroUsize;

struct Vector {
    sampler: Box<dyn Noise>,
    source: Source,
    seed: Seed,
    first: u64,
    head: Vec<i64>,
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("../../../kat/streams.csv");
    text.lines().skip(1).map(parse).collect()
}

fn parse(line: &str) -> Vector {
    let fields: Vec<&str> = line.split(',').collect();
    let [width, value, center, method, precision, source, seed, first, _, _, head] = fields[..] else {
        panic!("11 fields: {line}");
    };
    let value: Rational = value.parse().unwrap();
    let width = match width {
        "sigma" => Width::Sigma(value),
        "sigma-squared" => Width::SigmaSq(value),
        "k-sigma2" => Width::KSigma2(value),
        "s" => Width::S(value),
        other => panic!("width {other}"),
    };
    let law = DiscreteGaussian::new(center.parse().unwrap(), width).unwrap();
    let precision = Some(precision.parse().unwrap()).filter(|bits| *bits > 0); // 0 where there is no table
    let recipe = Recipe::new(law).method(method.parse().unwrap()).options(Options { precision, ..Options::default() });
    Vector {
        sampler: recipe.build().unwrap().into_sampler(),
        source: source.parse().unwrap(),
        seed: seed.parse().unwrap(),
        first: first.parse().unwrap(),
        head: head.split(' ').map(|x| x.parse().unwrap()).collect(),
    }
}

/// The head comes out of `out`, unless its type is too narrow for the law.
fn compare<T: Int>(vector: &Vector, bulk: &Bulk<'_>, threads: usize) {
    let mut out = vec![T::ZERO; vector.head.len()];
    let fits = NarrowType::check::<T>(&*vector.sampler).is_ok();
    let filled = bulk.par_fill(vector.first, &mut out, NonZeroUsize::new(threads).unwrap());
    assert_eq!(filled.is_ok(), fits, "{}", T::NAME);
    if fits {
        assert!(out.iter().map(|x| x.widen()).eq(vector.head.iter().copied()), "{}", T::NAME);
    }
}

#[test]
fn every_type_and_thread_count_draws_the_vectors() {
    let vectors = vectors();
    for source in Source::ALL.into_iter().filter(|source| source.is_seeded()) {
        assert!(vectors.iter().any(|vector| vector.source == source), "{source} has vectors");
    }
    for backend in Backend::available() {
        Backend::force(Some(backend));
        assert_eq!(Backend::current(), backend);
        vectors.iter().for_each(is_drawn);
    }
    Backend::force(None);
}

/// By types, by threads and one by one.
fn is_drawn(vector: &Vector) {
    let bulk = Bulk::new(&*vector.sampler, vector.source, vector.seed.clone());
    for threads in [1, 3] {
        compare::<i8>(vector, &bulk, threads);
        compare::<i16>(vector, &bulk, threads);
        compare::<i32>(vector, &bulk, threads);
        compare::<i64>(vector, &bulk, threads);
    }
    for (i, x) in vector.head.iter().enumerate() {
        let mut one = [0_i64];
        bulk.fill(vector.first + i as u64, &mut one).unwrap();
        assert_eq!(one, [*x]);
    }
}
