//! Self-tests to run before use: known answers of all that is cryptographic here.
//!
//! Nothing runs them but a caller. The answers are published ones, those of `kat/`:
//!
//! - the DRBGs (instantiate, reseed, generate twice): NIST's;
//! - AES: the GCM specification's;
//! - ChaCha: draft-strombergson's;
//! - Salsa20: the ECRYPT project's.
//!
//! The answer of the seed tree is HChaCha20 by an independent program. The tests run on the machine's own instructions,
//! as everything does.

use crate::ctr_drbg::CtrDrbgAes256Soft;
use crate::drbg::Mechanism;
use crate::*;
use core::fmt;
use core::num::NonZero;
use rand_core::Rng;
use zeroize::Zeroizing;

/// A known answer.
struct Case {
    name: &'static str,
    /// In hexadecimal digits. The first is key or entropy. For a DRBG follow nonce, personalization, and entropy and
    /// additional input of a reseeding. Then comes the additional input of two requests, the second of which gives the
    /// answer.
    inputs: &'static [&'static str],
    compute: fn(&Inputs, &mut [u8]),
    expected: &'static str,
}

/// Inputs and output of CTR_DRBG, by whichever AES.
const CTR_DRBG: (&[&str], &str) = (
    &[
        "174b46250051a9e3d80c56ae7163dafe7e54481a56cafd3b8625f99bbb29c442",
        "98ffd99c466e0e94a45da7e0e82dbc6b",
        "7095268e99938b3e042734b9176c9aa051f00a5f8d2a89ada214b89beef18ebf",
        "e88be1967c5503f65d23867bbc891bd679db03b4878663f6c877592df25f0d9a",
        "cdf6ad549e45b6aa5cd67d024931c33cd133d52d5ae500c3015020beb30da063",
        "c7228e90c62f896a09e11684530102f926ec90a3255f6c21b857883c75800143",
        "76a94f224178fe4cbf9e2b8acc53c9dc3e50bb613aac8936601453cda3293b17",
    ],
    "1a6d8dbd642076d13916e5e23038b60b26061f13dd4e006277e0268698ffb2c87e453bae1251631ac90c701a9849d933\
             995e8b0221fe9aca1985c546c2079027",
);

const CASES: &[Case] = &[
    Case {
        name: "chacha20",
        inputs: &["0100000000000000000000000000000000000000000000000000000000000000"],
        compute: |i, out| ChaCha20::new(&i.seed()).fill_bytes(out),
        expected: "c5d30a7ce1ec119378c84f487d775a8542f13ece238a9455e8229e888de85bbd29eb63d0a17a5b999b52da22be4023eb\
             07620a54f6fa6ad8737b71eb0464dac0",
    },
    Case {
        name: "chacha12",
        inputs: &["0100000000000000000000000000000000000000000000000000000000000000"],
        compute: |i, out| ChaCha12::new(&i.seed()).fill_bytes(out),
        expected: "12056e595d56b0f6eef090f0cd25a20949248c2790525d0f930218ff0b4ddd10a6002239d9a454e29e107a7d06fefdfe\
             f0210feba044f9f29b1772c960dc29c0",
    },
    Case {
        name: "chacha8",
        inputs: &["0100000000000000000000000000000000000000000000000000000000000000"],
        compute: |i, out| ChaCha8::new(&i.seed()).fill_bytes(out),
        expected: "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea289d04f43c7518db56eb4433e498a123\
             8cd8464d3763ddbb9222ee3bd8fae3c8",
    },
    Case {
        name: "salsa20",
        inputs: &["f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112"],
        compute: |i, out| Salsa20::new(&i.seed()).fill_bytes(out),
        expected: "b4c0afa503be7fc29a62058166d56f8f5d27dc246f75b9ad8760c8c39dfd87492d3b76d5d9637f009eada14458a52dfb\
             09815337e72672681dddc24633750d83",
    },
    Case {
        name: "salsa12",
        inputs: &["80000000000000000000000000000000"],
        compute: |i, out| Salsa12::of_key(i.at(0), &[0; 8], 0).fill_bytes(out),
        expected: "fc207dbfc76c5e1774961e7a5aad09069b2225ac1ce0fe7a0ce77003e7e5bdf8b31af821000813e6c56b8c1771d6ee70\
             39b2fbd0a68e8ad70a3944b677937897",
    },
    Case {
        name: "salsa8",
        inputs: &["80000000000000000000000000000000"],
        compute: |i, out| Salsa8::of_key(i.at(0), &[0; 8], 0).fill_bytes(out),
        expected: "a9c9f888ab552a2d1bbff9f36bebeb337a8b4b107c75b63bae26cb9a235bba9d784f38befc3adf4cd3e266687ea7b9f0\
             9ba650ae81eac6063ae31ff12218ddc5",
    },
    Case {
        name: "aes256-ctr",
        inputs: &["0000000000000000000000000000000000000000000000000000000000000000"],
        compute: |i, out| Aes256Ctr::new(&i.seed()).fill_bytes(out),
        expected: "dc95c078a2408989ad48a21492842087530f8afbc74536b9a963b4f1c4cb738bcea7403d4d606b6e074ec5d3baf39d18",
    },
    Case {
        name: "aes128-ctr",
        inputs: &["0000000000000000000000000000000000000000000000000000000000000000"],
        compute: |i, out| Aes128Ctr::new(&i.seed()).fill_bytes(out),
        expected: "66e94bd4ef8a2c3b884cfa59ca342b2e58e2fccefa7e3061367f1d57a4e7455a0388dace60b6a392f328c2b971b2fe78",
    },
    Case {
        name: "hchacha20",
        inputs: &["0000000000000000000000000000000000000000000000000000000000000000"],
        compute: |i, out| out.copy_from_slice(i.seed().stream("short seed").block(0).expose()),
        expected: "094a0b31d0ee2778472d646bf5425dce18d542de98fa0d3693e87651d3f60fe8",
    },
    Case {
        name: "ctr-drbg-aes256",
        inputs: CTR_DRBG.0,
        compute: |i, out| i.drbg(CtrDrbgAes256::instantiate(i.at(0), i.at(1), i.at(2)), out),
        expected: CTR_DRBG.1,
    },
    Case {
        name: "ctr-drbg-aes256-soft",
        inputs: CTR_DRBG.0,
        compute: |i, out| i.drbg(CtrDrbgAes256Soft::instantiate(i.at(0), i.at(1), i.at(2)), out),
        expected: CTR_DRBG.1,
    },
    Case {
        name: "ctr-drbg-aes256 without derivation",
        inputs: &[
            "ae7ebe062971f5eb32e5b21444750785de816595ad2cbe80a209c8f8ab04b5468166de8c6ae522d8f10b56386a3b424f",
            "",
            "55860dae57fcac297087c137efb796878a75868f6e7681114e9b73ed0c67e3c62bfc9f5d77e8caa59bcdb223f4ffd247",
            "a42407931bfeca70e6ee5dd197021a129525051c07468e8b25587c5ad50abe9204e882fe847b8fd47cf7b4360e5aa034",
            "ee4c88d1eb05f4853663eada501d2fc4b4984b283a88db579af2113031e03d9bc570de943dd168918f3ba8065581fea7",
            "4b4b03ef19b0f259dca2b3ee3ae4cd86c3895a784b3d8eee043a2003c08289f8fffdad141e6b1ab2174d8d5d79c1e581",
            "3062b33f116b46e20fe3c354726ae9b2a3a4c51922c8107863cb86f1f0bdad7554075659d91c371e2b11b1e8106a1ed5",
        ],
        compute: |i, out| i.drbg(CtrDrbgAes256::instantiate_without_derivation(i.array(0), i.at(2)), out),
        expected: "0d270518baeafac160ff1cb28c11ef68712c764c0c01674e6c9ca2cc9c7e0e8accfd3c753635ee070081eee7628af618\
             7fbc2854b3c204461a796cf3f3fcb092",
    },
    Case {
        name: "hash-drbg-sha256",
        inputs: &[
            "6c623aea73bc8a59e28c6cd9c7c7ec8ca2e75190bd5dcae5978cf0c199c23f4f",
            "e55db067a0ed537e66886b7cda02f772",
            "1e59d798810083d1ff848e90b25c9927e3dfb55a0888b0339566a9f9ca7542dc",
            "9ab40164744c7d00c78b4196f6f917ec33d70030a0812cd4606c5a25387568a9",
            "4e8bead7cbba7a7bc9ae1e1617222c4139661347599950e7225d1e2faa5d57f5",
            "dcb22a5d9f149858636f3ede2253e419816fb7b1103194451ed6a573a8fe6271",
            "8f9d5c78cdabc32e71ac3b3c49239caddf96053250f4fd92056efbd0be487d36",
        ],
        compute: |i, out| i.drbg(HashDrbgSha256::instantiate(i.at(0), i.at(1), i.at(2)), out),
        expected: "6e98a3b1f686f6ffa79355c9d8a5ab7f93312159d52659a2298315f10007c71adabc0b5ccb4164c0949fbdb221b43acd\
             b62bed3099596f2d7bd5d0048173dd2360a543b234ab61a441ddb9299af84ca45c6e618fd521366dbf509d4ec06174da\
             924361d642b107e5564ac1b32340dd2f3158bf4c00bcb4dcf12c6d67af4b74ee",
    },
    Case {
        name: "hash-drbg-sha512",
        inputs: &[
            "4b23595b0a3640cfabb0ec34df6a613308b0448488a5d9ff99da4278e072eb34",
            "8e696bffd9ca3a71d2e2f05e600c8364",
            "010ba93ea68a3d4a200e5145859e299c5b5349b7645fb5bbcad687aba7d67313",
            "04de4babdbe143bde99aa4452f9aa43b0a164eb927555c0496aa0fc9328a521c",
            "2b0c7c3efb36b71b917a44086d168313675b426b17c5ab3d0eb6af753f6040e0",
            "d0b7d1d12ab15d3bba8f4eba07fee0974838962b247be480683b8e3d4a91033a",
            "66c78ca12e45bdca003b49cb6440b977dd85b167e7c803890ed1a73666eaa869",
        ],
        compute: |i, out| i.drbg(HashDrbgSha512::instantiate(i.at(0), i.at(1), i.at(2)), out),
        expected: "4008cbd8281dc82fd6c368f650ef2609bb771e80c63d478a77fa938248dcbb8b79e54ead0265f6ff1ebfafe4e387c6e2\
             7df9f03e4a5225e86a4436e56ebf03b3be2cfbcb49c89c92ec1dfa5ee445dd4f6f64e02a2423a0b18ebd02eec52f5cc2\
             1bc3565e796b3ded6552f1b5a574a201c3b11018222806f9618d23d77fd02db879cf87fe24ed7ba11b3b108b559633db\
             1f95c5121b28011aa4dd20399bd4978e1f8b8880c333a47ff1750679bf28d329347b26d347aae90ee562ae8029579cbe\
             0336e066d6b8ba5e0169fec804c30189a4434c1bf8a5b0a249951d3d89554da38ff0751b8b1fef9ae18a0aa2bc477736\
             d199a06f61d400039a4cc03869bb10ca",
    },
];

/// Inputs as bytes.
struct Inputs([([u8; 48], usize); 7]);

impl Inputs {
    fn at(&self, i: usize) -> &[u8] {
        let (bytes, length) = &self.0[i];
        &bytes[..*length]
    }

    /// An input that is as long as this.
    fn array<const N: usize>(&self, i: usize) -> &[u8; N] {
        self.at(i).try_into().expect("a case has inputs of its generator's lengths")
    }

    fn seed(&self) -> Seed {
        Seed::from_bytes(*self.array(0))
    }

    /// An input that a generator refuses leaves `out` as it is, which is no answer.
    fn drbg<M: Mechanism>(&self, drbg: Result<Drbg<M>, DrbgError>, out: &mut [u8]) {
        let _ = drbg.and_then(|mut drbg| {
            drbg.reseed(self.at(3), self.at(4))?;
            drbg.generate(out, self.at(5))?;
            drbg.generate(out, self.at(6))
        });
    }
}

/// The bytes that pairs of hexadecimal digits are, at the beginning of `out`; how many.
fn read(digits: &str, out: &mut [u8]) -> usize {
    let value = |digit: u8| (digit as char).to_digit(16).expect("a case has digits") as u8;
    for (byte, [high, low]) in out.iter_mut().zip(digits.as_bytes().as_chunks().0) {
        *byte = value(*high) << 4 | value(*low);
    }
    digits.len() / 2
}

impl Case {
    /// Whether the answer is right; `fault` may change the key or the entropy.
    fn passes(&self, fault: &mut dyn FnMut(&str, &mut [u8])) -> bool {
        let mut inputs = Inputs([([0; 48], 0); 7]);
        for ((bytes, length), digits) in inputs.0.iter_mut().zip(self.inputs) {
            *length = read(digits, bytes);
        }
        let (bytes, length) = &mut inputs.0[0];
        fault(self.name, &mut bytes[..*length]);
        let (mut expected, mut out) = ([0; 256], Zeroizing::new([0; 256]));
        let length = read(self.expected, &mut expected);
        (self.compute)(&inputs, &mut out[..length]);
        out[..length] == expected[..length]
    }
}

/// The health tests: a byte that is stuck and bytes that alternate are found, a known keystream is not.
fn health(fault: &mut dyn FnMut(&str, &mut [u8])) -> bool {
    const NAME: &str = "health tests";
    let verdict = |bytes: &[u8]| HealthTests::live(NAME).check(bytes).map_err(|alarm| alarm.test);
    let mut bytes = [0; 512];
    let stuck = verdict(&bytes[..11]) == Err(HealthTest::RepetitionCount) && verdict(&bytes[..10]).is_ok();
    bytes.iter_mut().step_by(2).for_each(|byte| *byte = 1);
    let alternating = verdict(&bytes) == Err(HealthTest::AdaptiveProportion);
    ChaCha20::new(&Seed::from_bytes([0; 32])).fill_bytes(&mut bytes);
    fault(NAME, &mut bytes);
    stuck && alternating && verdict(&bytes).is_ok()
}

fn run(fault: &mut dyn FnMut(&str, &mut [u8])) -> Result<usize, SelfTestError> {
    for case in CASES {
        if !case.passes(fault) {
            return Err(SelfTestError { test: case.name });
        }
    }
    if !health(fault) {
        return Err(SelfTestError { test: "health tests" });
    }
    Ok(CASES.len() + 1)
}

/// Computes a known answer with every cryptographic generator, every mechanism of the DRBGs and the seed tree. Applies
/// the health tests to sound and broken bytes. Returns the number of tests passed; about 50 µs.
///
/// Use it if you must show power-up self-tests (\[SP800-90A\], §11.3); this library calls it nowhere. After an error,
/// do not use the library on this machine: its memory, its instructions or the program are broken.
///
/// # Errors
///
/// [`SelfTestError`] names the first test that failed.
///
/// ```
/// let passed = samplez_sources::self_test()?;
/// assert!(passed.get() > 10);
/// # Ok::<(), samplez_sources::SelfTestError>(())
/// ```
pub fn self_test() -> Result<NonZero<usize>, SelfTestError> {
    run(&mut |_, _| {}).map(|passed| NonZero::new(passed).expect("there are cases"))
}

/// A self-test gave another answer than the known one.
///
/// ```
/// if let Err(e) = samplez_sources::self_test() {
///     eprintln!("{e}: not used any further");
///     std::process::abort();
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SelfTestError {
    /// Which: a source's name, `hchacha20` for the seed tree, or `health tests`.
    pub test: &'static str,
}

impl fmt::Display for SelfTestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the self-test of {} failed: it does not give the known answer", self.test)
    }
}

impl core::error::Error for SelfTestError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn all_pass() {
        assert_eq!(self_test().unwrap().get(), CASES.len() + 1);
    }

    /// One bit of a key or of entropy that is wrong, anywhere, fails its test and no other's.
    #[test]
    fn each_is_able_to_fail() {
        for name in CASES.iter().map(|case| case.name).chain(["health tests"]) {
            let error = run(&mut |test, bytes| {
                if test == name && name == "health tests" {
                    bytes.fill(0);
                } else if test == name {
                    bytes[bytes.len() / 3] ^= 0x10;
                }
            });
            let error = error.unwrap_err();
            assert_eq!(error.test, name);
            assert!(error.to_string().contains(name));
        }
    }

    /// A generator that gives nothing does not pass.
    #[test]
    fn nothing_is_no_answer() {
        for case in CASES {
            let dead = Case { name: case.name, inputs: case.inputs, compute: |_, _| {}, expected: case.expected };
            assert!(!dead.passes(&mut |_, _| {}), "{}", case.name);
        }
    }

    /// Every cryptographic source that is seeded has a test, and the answers are those of kat.
    #[cfg(feature = "std")]
    #[test]
    fn nothing_is_left_out() {
        for source in Source::ALL {
            let tested = CASES.iter().any(|case| case.name == source.name());
            assert_eq!(tested, source.is_seeded() && source.is_cryptographic(), "{source}");
        }
        let kat = [
            include_str!("../../../kat/sources.csv"),
            include_str!("../../../kat/keystreams.csv"),
            include_str!("../../../kat/drbg-cavp.csv"),
            include_str!("../../../kat/short-seeds.csv"),
        ];
        for case in CASES {
            let known = kat.iter().flat_map(|file| file.lines());
            let in_kat = known.filter(|line| line.contains(case.expected));
            assert!(in_kat.count() > 0, "{}", case.name);
        }
    }
}
