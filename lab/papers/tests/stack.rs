//! The stack that fills take is what their samplers' documentation says.
#![cfg(target_os = "linux")]

use samplez_cli::testing::measure::stack::used;

/// What the sampler's documentation says: less than 4 KiB, where the wide batches take many tens. Both include the generator, here one
/// without wide registers: ChaCha by AVX-512 takes more for itself than the sampler does.
#[test]
fn the_small_sampler_takes_little() {
    use samplez::samplers::{CdtCt, CdtCtSmall};
    use samplez::tables::{CdtOptions, build_cdt};
    use samplez::{BitReader, DiscreteGaussian, Sampler, Seed, sources::Salsa20};

    let law = DiscreteGaussian::with_sigma("3.2".parse().unwrap()).unwrap();
    for precision in [72, 128, 256] {
        let table = build_cdt(&law, &CdtOptions { precision, ..CdtOptions::default() }).unwrap();
        let wide = CdtCt::from_table(table).unwrap();
        let small = CdtCtSmall::from(wide.clone());
        let reader = || BitReader::new(Salsa20::new(&Seed::from_bytes([5; 32])));
        let (mut one, mut other) = (reader(), reader());
        let mut outs = [vec![0_i8; 4096], vec![0_i8; 4096]];
        let [first, second] = &mut outs;
        // None is more than is watched.
        let many = used(|| wide.fill(&mut one, first).unwrap()).unwrap_or(1 << 18);
        let few = used(|| small.fill(&mut other, second).unwrap()).unwrap();
        println!("{precision} bits: {many} and {few} bytes");
        assert!(few <= 4096 && many > 60_000, "{precision} bits: {many} and {few} bytes");
        assert_eq!(outs[0], outs[1]);
    }
}

/// The documentation of `cdt-lazy-ct`, `convolution-ct` and `knuth-yao-ct` states 44, 56 and 60 KB.
#[test]
fn fills_by_batches_take_what_they_say() {
    use samplez::samplers::{CdtLazyCt, ConvolutionCt, KnuthYaoCt};
    use samplez::tables::{CdtOptions, ConvolutionOptions, build_convolution, build_lazy, build_pooled, parts};
    use samplez::{BitReader, DiscreteGaussian, Seed, bindings::Backend, sources::Salsa20};

    let law = |sigma: &str| DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap();
    let cdt = CdtOptions { precision: 256, ..CdtOptions::default() };
    let lazy = CdtLazyCt::from_table(build_lazy(&law("19.5"), &cdt).unwrap());
    let pooled = KnuthYaoCt::from_table(build_pooled(&law("5"), &cdt).unwrap());
    let sums = ConvolutionOptions { precision: 256, ..ConvolutionOptions::constant_time() };
    let sums = build_convolution(&law("215"), &sums).unwrap();
    let parts = parts(sums.base(), 1 << 20).unwrap();
    let convolution = ConvolutionCt::from_table(sums, parts).unwrap();
    let mut out = vec![0_i16; 4096];
    for backend in Backend::available() {
        let mut bits = BitReader::new(Salsa20::new(&Seed::from_bytes([5; 32])));
        let one = used(|| lazy.fill_by(backend, &mut bits, &mut out).unwrap()).unwrap();
        let sum = used(|| convolution.fill_by(backend, &mut bits, &mut out).unwrap()).unwrap();
        let pools = used(|| pooled.fill_by(backend, &mut bits, &mut out).unwrap()).unwrap();
        println!("{backend}: {one}, {sum} and {pools} bytes");
        assert!(one > 32_000 && one < 44 << 10, "{backend}: {one}");
        assert!(pools > 50_000 && pools < 60 << 10, "{backend}: {pools}");
        assert!(sum > 44_000 && sum < 56 << 10, "{backend}: {sum}");
    }
}
