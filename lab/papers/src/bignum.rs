//! \[BCGHW13\]'s samplers as the paper built them: every number is a big integer on the heap, heights and draws have 106 bits, and an
//! exponential is computed whole. The paper used NTL; these use num-bigint, whose integers are vectors of limbs as well.

mod density;
mod pool;
mod samplers;
mod ziggurat;

pub(crate) use density::Density;
pub(crate) use pool::Pool;
pub(crate) use samplers::{Inversion, KnuthYao, Plain, Rejection};
pub(crate) use ziggurat::{Partition, Ziggurat};

/// Whether samples pass the tests of `samplez verify`.
#[cfg(test)]
fn consistent(sigma: &str, count: u64, mut sample: impl FnMut(&mut Pool) -> i64) -> bool {
    let law = samplez::DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap();
    let mut pool = Pool::new(5);
    let fill = |out: &mut [i64]| {
        out.fill_with(|| sample(&mut pool));
        Ok::<(), samplez::EntropyError>(())
    };
    samplez_check::seeding::Run::new(&law, count, fill).unwrap().report.consistent
}
