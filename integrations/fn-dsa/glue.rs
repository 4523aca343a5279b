//! fn-dsa-sign's Gaussian sampler by samplez's `SamplerZ`: the same bytes of its generator, the same integers.

use crate::PRNG;
use crate::flr::FLR;
use samplez_core::bits::BitSource;
use samplez_core::samplers::SamplerZ;
use samplez_core::{FixedPoint, Rounder};

/// The generator, in the order in which `SamplerZ` reads it.
struct Bytes<'a, P> {
    rng: &'a mut P,
    low: u64,
}

impl<P: PRNG> BitSource for Bytes<'_, P> {
    fn bits(&mut self, n: u32) -> u64 {
        match n {
            // A trial has 80 bits: the sign, then 79 for the base, the highest last. `SamplerZ` compares the highest 72,
            // as Falcon has them, so the two differ with a probability of about 2^-68.
            64 => {
                self.low = self.rng.next_u64();
                (self.low >> 16 | u64::from(self.rng.next_u16()) << 48).swap_bytes()
            }
            16 => self.low >> 8 & 0xff | (self.low & 1) << 8,
            _ => self.rng.next_u8().into(),
        }
    }
}

/// A sample of this centre and inverse width; `None` for the degrees below 512, whose widths Falcon does not have.
pub(crate) fn next<P: PRNG>(rng: &mut P, logn: u32, center: FLR, inverse: FLR) -> Option<i32> {
    let sampler = match logn {
        9 => SamplerZ::FALCON_512,
        10 => SamplerZ::FALCON_1024,
        _ => return None,
    };
    // SAFETY: a FLR is a double or its bits, and the crate itself transmutes it.
    let [center, inverse] = [center, inverse].map(|x| f64::from_bits(unsafe { core::mem::transmute::<FLR, u64>(x) }));
    let width = sampler.width_of_inverse(inverse).expect("a width of the key's tree");
    let center = FixedPoint::from_f64(center).expect("a centre is finite");
    Some(sampler.round((center, width), &mut Bytes { rng, low: 0 }) as i32)
}
