//! The stack that fills take is at most the figure in their samplers' documentation.
#![cfg(target_os = "linux")]

use samplez::{BitReader, DiscreteGaussian, FixedPoint, Sampler, Seed, bindings::Backend};
use samplez_cli::testing::measure::stack::used;
use samplez_core::samplers::{
    CdtCt, CdtCtSmall, CdtGuided, CdtLazyCt, ConvolutionCt, Isochronous, KnuthYaoCt, SamplerZ, StripRounder,
};
use samplez_sources::Salsa20;
use samplez_tables::{
    CdtGuidedOptions, CdtOptions, ConvolutionOptions, build_cdt, build_convolution, build_guided, build_lazy,
    build_pooled, parts,
};

const KIB: usize = 1 << 10;
/// Fills for which 32 KiB or more are documented have scratch buffers larger than this on the stack, in every build.
const SEEN: usize = 8 * KIB;

fn law(sigma: &str, center: &str) -> DiscreteGaussian {
    DiscreteGaussian::new(center.parse().unwrap(), samplez::Width::Sigma(sigma.parse().unwrap())).unwrap()
}

fn precise(precision: u32) -> CdtOptions {
    CdtOptions { precision, ..CdtOptions::default() }
}

/// A generator without wide registers: ChaCha by AVX-512 takes more stack than a small sampler does.
fn reader() -> BitReader<Salsa20> {
    BitReader::new(Salsa20::new(&Seed::from_bytes([5; 32])))
}

/// Asserts that this piece of work takes at most `most` bytes of stack, and that its buffers are measured, if it has some.
fn check(name: &str, backend: Backend, most: usize, has_buffers: bool, work: impl FnOnce() + Send) {
    // None is more than is watched.
    let bytes = used(work).unwrap_or(usize::MAX);
    println!("{name} by {backend}: {bytes} of {most} bytes");
    assert!(bytes <= most, "{name} by {backend}: {bytes} bytes of stack, {most} are documented");
    let least = if has_buffers && most >= 4 * SEEN { SEEN } else { 0 };
    assert!(bytes >= least, "{name} by {backend}: {bytes} bytes of stack, fewer than its buffers have");
}

/// [`check`] of a fill of every output type, whether the samples fit or not, for lengths of every path. Those of i64 fit, and are made
/// in buffers.
macro_rules! check_fills {
    ($most:expr, $name:expr, $backend:expr, $fill:expr) => {
        check_fills!(@ i8 i16 i32 i64, $most, $name, $backend, $fill)
    };
    (@ $($int:ident)*, $most:expr, $name:expr, $backend:expr, $fill:expr) => {$(
        for len in [600, 4100] {
            let (mut bits, mut out) = (reader(), vec![0 as $int; len]);
            let name = format!("{}, {len} of {}", $name, stringify!($int));
            check(&name, $backend, $most, size_of::<$int>() == 8, || {
                // A sample that does not fit is an error, which takes the stack of its own path.
                let _ = $fill($backend, &mut bits, &mut out);
            });
        }
    )*};
}

/// The documentation says: less than 4 KiB, the generator included.
#[test]
fn the_small_sampler_takes_little() {
    for precision in [72, 128, 256] {
        let wide = CdtCt::from_table(build_cdt(&law("3.2", "0"), &precise(precision)).unwrap()).unwrap();
        let small = CdtCtSmall::from(wide.clone());
        let (mut one, mut other) = (reader(), reader());
        let mut outs = [vec![0_i8; 4096], vec![0_i8; 4096]];
        let [first, second] = &mut outs;
        let many = used(|| wide.fill(&mut one, first).unwrap()).unwrap();
        let few = used(|| small.fill(&mut other, second).unwrap()).unwrap();
        println!("{precision} bits: {many} and {few} bytes");
        assert!(few <= 4 * KIB && many > SEEN, "{precision} bits: {many} and {few} bytes");
        assert_eq!(outs[0], outs[1]);
    }
}

/// The documentation of `cdt-ct` states 64 KiB.
#[test]
fn wide_fills_take_what_they_say() {
    for (sigma, center, precision) in
        [("3.2", "0", 20), ("3.2", "0", 128), ("3.2", "1/3", 200), ("215", "0", 72), ("100", "1/3", 256)]
    {
        let table = build_cdt(&law(sigma, center), &precise(precision)).unwrap();
        let sampler = CdtCt::from_table(table).unwrap();
        for backend in Backend::available() {
            let name = format!("cdt-ct, {sigma}, {precision} bits");
            check_fills!(64 * KIB, name, backend, |backend, bits, out: &mut [_]| sampler.fill_by(backend, bits, out));
        }
    }
}

/// The documentation of `cdt-lazy-ct`, `convolution-ct` and `knuth-yao-ct` states 46, 58 and 60 KB.
#[test]
fn fills_by_batches_take_what_they_say() {
    for (sigma, center, precision) in [("3.2", "0", 128), ("19.5", "0", 256), ("100", "1/3", 128)] {
        let sampler = CdtLazyCt::from_table(build_lazy(&law(sigma, center), &precise(precision)).unwrap());
        for backend in Backend::available() {
            let name = format!("cdt-lazy-ct, {sigma}, {precision} bits");
            check_fills!(46_000, name, backend, |backend, bits, out: &mut [_]| sampler.fill_by(backend, bits, out));
        }
    }
    for (sigma, center, precision) in [("3.2", "0", 128), ("5", "0", 256), ("5", "1/3", 20)] {
        let sampler = KnuthYaoCt::from_table(build_pooled(&law(sigma, center), &precise(precision)).unwrap());
        for backend in Backend::available() {
            let name = format!("knuth-yao-ct, {sigma}, {precision} bits");
            check_fills!(60_000, name, backend, |backend, bits, out: &mut [_]| sampler.fill_by(backend, bits, out));
        }
    }
    for (sigma, precision) in [("215", 256), ("1e6", 128)] {
        let options = ConvolutionOptions { precision, ..ConvolutionOptions::constant_time() };
        let sums = build_convolution(&law(sigma, "0"), &options).unwrap();
        let parts = parts(sums.base(), 1 << 20).unwrap();
        let sampler = ConvolutionCt::from_table(sums, parts).unwrap();
        for backend in Backend::available() {
            let name = format!("convolution-ct, {sigma}, {precision} bits");
            check_fills!(58_000, name, backend, |backend, bits, out: &mut [_]| sampler.fill_by(backend, bits, out));
        }
    }
}

/// The documentation of `isochronous` states 52 KB, that of `cdt-guided` 8 KB.
#[test]
fn other_fills_take_what_they_say() {
    for (sigma, center) in [("3.2", "0"), ("215", "1/3"), ("1e6", "1/3")] {
        let sampler = Isochronous::new(&law(sigma, center)).unwrap();
        for backend in Backend::available() {
            let name = format!("isochronous, {sigma}");
            check_fills!(52_000, name, backend, |backend, bits, out: &mut [_]| sampler.fill_by(backend, bits, out));
        }
    }
    // These choose their backend by themselves.
    let backend = Backend::current();
    for sigma in ["3.2", "215"] {
        let sampler = CdtGuided::from_table(build_guided(&law(sigma, "0"), &CdtGuidedOptions::default()).unwrap());
        let name = format!("cdt-guided, {sigma}");
        check_fills!(8_000, name, backend, |_, bits, out: &mut [_]| sampler.fill(bits, out));
    }
}

/// The documentation of `StripRounder` states 24 KB, that of `SamplerZ` 16 KB.
#[test]
fn batches_of_calls_take_what_they_say() {
    let center = FixedPoint::new("1/3".parse().unwrap()).unwrap();
    for (sigma, most) in [("1.3", "1.9"), ("300", "500")] {
        let rounder = StripRounder::new(sigma.parse().unwrap(), most.parse().unwrap()).unwrap();
        let calls = vec![(center, rounder.width(sigma.parse().unwrap()).unwrap()); 1000];
        for backend in Backend::available() {
            let (mut bits, mut out) = (reader(), vec![0; 1000]);
            let name = format!("StripRounder from {sigma}");
            check(&name, backend, 24_000, true, || rounder.round_batch_by(backend, &calls, &mut bits, &mut out));
        }
    }
    let calls = vec![(center, SamplerZ::FALCON_512.width("1.5".parse().unwrap()).unwrap()); 1000];
    let (mut bits, mut out) = (reader(), vec![0; 1000]);
    let work = || SamplerZ::FALCON_512.round_batch(&calls, &mut bits, &mut out);
    check("SamplerZ", Backend::current(), 16_000, true, work);
}
