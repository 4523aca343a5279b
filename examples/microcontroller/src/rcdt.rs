// origin: samplez table --sigma 3641/2000 --center 0 --form half,tail,floor-weights,72 --emit rust --name RCDT
// law: D_Z(sigma = 3641/2000, center = 0)
// form: half,tail,floor-weights,72
// entries: 18
// support: 0 to 18
// statistical distance: <= 2^-68.96
// Renyi R_2 - 1: <= 2^-80.02
// Renyi R_256 - 1: <= 2^-78.59
// Renyi R_513 - 1: <= 2^-77.93
// Renyi R_inf - 1: <= 2^-67.48
// tail cut off: <= 2^-80.04
// uncovered: 1 of 2^72 draws, which return 18 (rest-next)

/// half,tail,floor-weights,72: the entries of D_Z(sigma = 3641/2000, center = 0).
#[rustfmt::skip]
pub static RCDT: [u128; 18] = [
    0xa3f7f42ed3ac391802,
    0x54d32b181f3f7ddb82,
    0x227dcdd0934829c1ff,
    0xad1754377c7994ae4,
    0x295846caef33f1f6f,
    0x774ac754ed74bd5f,
    0x1024dd542b776ae4,
    0x1a1ffdc65ad63da,
    0x1f80d88a7b6428,
    0x1c3fdb2040c69,
    0x12cf24d031fb,
    0x949f8b091f,
    0x3665da998,
    0xebf6ebb,
    0x2f5d7e,
    0x7098,
    0xc6,
    0x1,
];
