// origin: samplez table --sigma 16/5 --center 0 --form folded,tail,floor-weights,72 --emit rust --name NOISE
// law: D_Z(sigma = 16/5, center = 0)
// form: folded,tail,floor-weights,72
// entries: 31
// support: -31 to 31
// statistical distance: <= 2^-67.80
// Renyi R_2 - 1: <= 2^-73.26
// Renyi R_256 - 1: <= 2^-71.32
// Renyi R_513 - 1: <= 2^-71.18
// Renyi R_inf - 1: <= 2^-64.80
// tail cut off: <= 2^-74.07
// uncovered: 4 of 2^72 draws, which return -31 or 31 (rest-next)
// limbs: samplez

use samplez_core::table::{CdtTable, Shape};
use samplez_core::{Bound, DiscreteGaussian, Rational, Width};

/// The table of D_Z(sigma = 16/5, center = 0), 72 bits.
#[rustfmt::skip]
pub static NOISE: CdtTable<&[u32]> = {
    let Ok(law) = DiscreteGaussian::new(Rational::new(0, 1).unwrap(), Width::Sigma(Rational::new(16, 5).unwrap())) else {
        panic!("not a law")
    };
    let bound = Bound::new(-67.80957171543632, [(2, -73.26495181881347), (256, -71.32240596479066), (513, -71.18226124210703)], -64.80575174558753, -74.07715873703567);
    match CdtTable::from_slice(law, bound, Shape::Folded, 0, 72, &NOISE_DIGITS) {
        Ok(table) => table,
        Err(_) => panic!("not a table"),
    }
};

/// Its digits.
#[rustfmt::skip]
static NOISE_DIGITS: [u32; 93] = [
    0xe015a97f, 0xa34bb457, 0x6eca3b2f, 0x45a87be4, 0x286f2d6a, 0x159a4ece, 0x0a98d26c, 0x04c362e1,
    0x01f56d53, 0x00bc62cc, 0x0040981f, 0x00143210, 0x0005c0d4, 0x00017e10, 0x00005a33, 0x0000135f,
    0x000003c8, 0x000000ab, 0x0000001b, 0x00000004, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x36bc1b4f,
    0x9a000000, 0xfb200124, 0x55000000, 0xa3848c89, 0xeb000000, 0x320d5df4, 0x2e000000, 0xf3a06462,
    0xe5000000, 0x2c5cd44c, 0x1b000000, 0xfe140a68, 0xf5000000, 0x31d02b1f, 0x61000000, 0xd5eb4da9,
    0xaa000000, 0x0e4812dd, 0x77000000, 0xeae198cf, 0xcb000000, 0x6d052e4e, 0xc5000000, 0x991a8594,
    0x56000000, 0x10a24738, 0x44000000, 0xa5f5021f, 0x4c000000, 0x8aabaf16, 0x6f000000, 0xa8ccb178,
    0x28000000, 0xfd7e635a, 0xe0000000, 0xc0eb8b11, 0x32000000, 0x11b9fc17, 0xcb000000, 0x8ac0571b,
    0x5a000000, 0x10c90e63, 0x3a000000, 0x01d8120d, 0x36000000, 0x002f16ec, 0xb3000000, 0x000443b8,
    0x36000000, 0x000059c0, 0x48000000, 0x000006b2, 0x89000000, 0x00000074, 0x1d000000, 0x00000007,
    0x21000000, 0x00000000, 0x64000000, 0x00000000, 0x04000000,
];
