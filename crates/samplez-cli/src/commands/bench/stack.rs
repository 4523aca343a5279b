//! How much stack a piece of work takes.

/// Bytes of stack that are watched.
const WATCHED: usize = 1 << 18;
/// What they are painted with.
const PAINT: u8 = 0xa5;

/// The stack that `work` takes below its caller, in bytes; `None` where this cannot be seen.
///
/// A thread of its own paints its stack, works, and reads the paint back through the system's
/// file of the process's memory. The reading takes some stack too, and less than that is not
/// seen: an empty piece of work shows how much.
#[cfg(target_os = "linux")]
pub(super) fn used(work: impl FnOnce() + Send) -> Option<usize> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(8 * WATCHED);
        thread.spawn_scoped(scope, || painted(work)).ok()?.join().ok()?
    })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn used(_: impl FnOnce() + Send) -> Option<usize> {
    None
}

#[cfg(target_os = "linux")]
fn painted(work: impl FnOnce()) -> Option<usize> {
    use std::os::unix::fs::FileExt;
    let memory = std::fs::File::open("/proc/self/mem").ok()?;
    let mut seen = vec![0; WATCHED];
    let here = 0_u8;
    let top = std::hint::black_box(&raw const here).addr();
    paint();
    call(work);
    memory.read_exact_at(&mut seen, (top - WATCHED) as u64).ok()?;
    // Nothing reaches the lowest byte, or there was too little to watch.
    (seen[0] == PAINT).then(|| seen.iter().skip_while(|byte| **byte == PAINT).count())
}

/// Fills the stack below the caller.
#[cfg(target_os = "linux")]
#[inline(never)]
fn paint() {
    std::hint::black_box(&mut [PAINT; WATCHED + (WATCHED >> 4)]);
}

/// A frame of its own.
#[cfg(target_os = "linux")]
#[inline(never)]
fn call(work: impl FnOnce()) {
    work();
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[inline(never)]
    fn taking<const N: usize>() {
        black_box(&mut [1_u8; N]);
    }

    #[test]
    fn arrays_are_seen() {
        let floor = used(|| ()).unwrap();
        for (expected, seen) in [(4096, used(taking::<4096>)), (100_000, used(taking::<100_000>))] {
            let seen = seen.unwrap();
            assert!((expected..expected + floor + 1024).contains(&seen), "{expected}: {seen}, floor {floor}");
        }
        assert!(floor < 4096, "{floor}");
        assert_eq!(used(taking::<{ WATCHED + 4096 }>), None);
    }

    /// What the sampler's documentation says: less than 4 KiB, where the wide batches take many tens. Both include the generator, here one
    /// without wide registers: ChaCha by AVX-512 takes more for itself than the sampler does.
    #[test]
    fn the_small_sampler_takes_little() {
        use samplez::samplers::cdt_ct::{CdtCt, CdtCtSmall};
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
            let many = used(|| wide.fill(&mut one, first).unwrap()).unwrap_or(WATCHED);
            let few = used(|| small.fill(&mut other, second).unwrap()).unwrap();
            println!("{precision} bits: {many} and {few} bytes");
            assert!(few <= 4096 && many > 60_000, "{precision} bits: {many} and {few} bytes");
            assert_eq!(outs[0], outs[1]);
        }
    }

    /// The heads of `cdt-lazy-ct` and `convolution-ct` say 44 and 56 KB.
    #[test]
    fn fills_by_batches_take_what_they_say() {
        use samplez::samplers::{cdt_lazy_ct::CdtLazyCt, convolution_ct::ConvolutionCt};
        use samplez::tables::{CdtOptions, ConvolutionOptions, build_convolution, build_lazy, parts};
        use samplez::{BitReader, DiscreteGaussian, Seed, arch::Backend, sources::Salsa20};

        let law = |sigma: &str| DiscreteGaussian::with_sigma(sigma.parse().unwrap()).unwrap();
        let cdt = CdtOptions { precision: 256, ..CdtOptions::default() };
        let lazy = CdtLazyCt::from_table(build_lazy(&law("19.5"), &cdt).unwrap());
        let sums = ConvolutionOptions { precision: 256, ..ConvolutionOptions::constant_time() };
        let sums = build_convolution(&law("215"), &sums).unwrap();
        let parts = parts(sums.base(), 1 << 20).unwrap();
        let convolution = ConvolutionCt::from_table(sums, parts).unwrap();
        let mut out = vec![0_i16; 4096];
        for backend in Backend::available() {
            let mut bits = BitReader::new(Salsa20::new(&Seed::from_bytes([5; 32])));
            let one = used(|| lazy.fill_by(backend, &mut bits, &mut out).unwrap()).unwrap();
            let sum = used(|| convolution.fill_by(backend, &mut bits, &mut out).unwrap()).unwrap();
            println!("{backend}: {one} and {sum} bytes");
            assert!(one > 32_000 && one < 44 << 10, "{backend}: {one}");
            assert!(sum > 44_000 && sum < 56 << 10, "{backend}: {sum}");
        }
    }
}
