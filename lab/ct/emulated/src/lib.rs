//! Samplers of the core behind C functions, which `machines.py` executes on emulated processors.
//!
//! Each takes the words of a bit source and a place for the samples. It returns a hash of all that it declassified: the path may
//! depend on nothing else.

#![no_std]

use core::panic::PanicInfo;
use samplez_core::bits::BitSource;
use samplez_core::finite::{CenteredBinomial, SparseTernary, TUniform, Ternary};
use samplez_core::samplers::{CdtCt, CdtCtSmall, Isochronous};
use samplez_core::{DiscreteGaussian, Modulus, Rational, Sampler};
use samplez_microcontroller::NOISE;

#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// Bits of the words of the host.
struct Tape {
    words: *const u64,
    rest: u64,
    left: u32,
    public: u32,
}

impl Tape {
    fn note(&mut self, value: u32) {
        self.public = self.public.rotate_left(5).wrapping_mul(0x9e37_79b1).wrapping_add(value).wrapping_add(1);
    }

    fn word(&mut self) -> u64 {
        // SAFETY: the host has written more words than any case takes.
        let word = unsafe { self.words.read() };
        self.words = self.words.wrapping_add(1);
        word
    }
}

impl BitSource for Tape {
    fn bits(&mut self, n: u32) -> u64 {
        let mut value = 0;
        let mut made = 0;
        while made < n {
            if self.left == 0 {
                (self.rest, self.left) = (self.word(), 64);
            }
            let take = (n - made).min(self.left);
            value |= (self.rest & (u64::MAX >> (64 - take))) << made;
            self.rest = self.rest.checked_shr(take).unwrap_or(0);
            (self.left, made) = (self.left - take, made + take);
        }
        value
    }

    fn declassify(&mut self, outcome: u32) -> u32 {
        self.note(outcome);
        outcome
    }
}

fn drawn<T: samplez_core::Int>(sampler: &impl Sampler, words: *const u64, out: *mut T, count: usize) -> u32 {
    let mut tape = Tape { words, rest: 0, left: 0, public: 1 };
    // SAFETY: the host has a place for `count` samples.
    let out = unsafe { core::slice::from_raw_parts_mut(out, count) };
    let _ = sampler.fill(&mut tape, out);
    tape.public
}

macro_rules! cases {
    ($($name:ident: $type:ty, $count:expr, $sampler:expr;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(words: *const u64, out: *mut $type) -> u32 {
            drawn::<$type>(&$sampler, words, out, $count)
        }
    )*};
}

fn law(sigma: i64) -> DiscreteGaussian {
    match DiscreteGaussian::with_sigma(Rational::from(sigma)) {
        Ok(law) => law,
        Err(_) => loop {},
    }
}

fn held<T, E>(made: Result<T, E>) -> T {
    match made {
        Ok(made) => made,
        Err(_) => loop {},
    }
}

cases! {
    cdt_ct_one: i8, 1, held(CdtCt::from_table(NOISE.view()));
    cdt_ct_lanes: i8, 32, held(CdtCt::from_table(NOISE.view()));
    cdt_ct_planes: i8, 512, held(CdtCt::from_table(NOISE.view()));
    cdt_ct_small: i16, 8, CdtCtSmall::from(held(CdtCt::from_table(NOISE.view())));
    isochronous: i32, 2, held(Isochronous::new(&law(20)));
    ternary: i8, 4, Ternary;
    centered_binomial: i8, 40, held(CenteredBinomial::new(21));
    tuniform: i32, 40, held(TUniform::new(12));
}

#[unsafe(no_mangle)]
extern "C" fn sparse_ternary(words: *const u64, out: *mut i8) -> u32 {
    let mut tape = Tape { words, rest: 0, left: 0, public: 1 };
    // SAFETY: the host has a place for 16 samples.
    held(SparseTernary::new(16, 5)).fill(&mut tape, unsafe { core::slice::from_raw_parts_mut(out, 16) });
    tape.public
}

#[unsafe(no_mangle)]
extern "C" fn residues(words: *const i64, out: *mut u64) -> u32 {
    for (i, q) in [12289, 0x1fff_ffff_ffe0_0001].into_iter().enumerate() {
        let Some(modulus) = Modulus::new(q) else { return 0 };
        // SAFETY: the host has 4 integers, and a place for 16 residues.
        unsafe {
            for k in 0..4 {
                out.add(8 * i + k).write(modulus.residue(words.add(k).read()));
            }
            modulus.residues(
                core::slice::from_raw_parts(words.cast::<i32>(), 4),
                core::slice::from_raw_parts_mut(out.add(8 * i + 4), 4),
            );
        }
    }
    1
}
