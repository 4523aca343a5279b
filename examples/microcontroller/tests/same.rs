//! The static table and its samples are those of the library's builder and sampler.

use samplez::{BitReader, DiscreteGaussian, Sampler, Seed};
use samplez_core::samplers::{Cdt, CdtCt};
use samplez_core::table::Table;
use samplez_microcontroller::{ChaCha20, NOISE, RCDT, fill};
use samplez_tables::{CdtOptions, build_cdt};

const KEY: [u8; 32] = [0x5a; 32];

#[test]
fn the_static_table_is_the_built_one() {
    let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
    let built = build_cdt(&law, &CdtOptions { precision: 72, ..CdtOptions::default() }).unwrap();
    assert_eq!((NOISE.target(), NOISE.digits(), NOISE.support()), (&law, built.digits(), built.support()));
    assert_eq!(NOISE.bound(), built.bound());
    assert_eq!((NOISE.shape(), NOISE.precision(), NOISE.first()), (built.shape(), 72, 0));

    let sampler = CdtCt::from_table(built.clone()).unwrap();
    let (mut want, mut got) = ([0_i8; 5000], [0_i8; 5000]);
    sampler.fill(&mut BitReader::new(ChaCha20::new(&KEY, 9)), &mut want).unwrap();
    fill(&KEY, 9, &mut got).unwrap();
    assert_eq!(got, want);
    // The other sampler over the table draws bits in another order; both take the static.
    let draw = |bits| BitReader::new(ChaCha20::new(&KEY, bits));
    let (mut a, mut b) = (draw(1), draw(1));
    let (ours, theirs) = (Cdt::from_table(NOISE.view()), Cdt::from_table(built));
    assert!((0..1000).all(|_| ours.sample(&mut a) == theirs.sample(&mut b)));
}

#[test]
fn the_generator_is_chacha20() {
    use rand_core::Rng;
    let (mut ours, mut theirs) = ([0; 1000], [0; 1000]);
    ChaCha20::new(&KEY, 0).fill_bytes(&mut ours);
    samplez_sources::ChaCha20::new(&Seed::from_bytes(KEY)).fill_bytes(&mut theirs);
    assert_eq!(ours, theirs);
}

#[test]
fn the_array_is_falcons() {
    assert_eq!((RCDT.len(), RCDT[0], RCDT[17]), (18, 3_024_686_241_123_004_913_666, 1));
}
