//! Signs with fn-dsa-sign's own sampler and with samplez's, from the same seeds: every signature must be the same, byte for byte.

use fn_dsa_kgen::{CryptoRng, FN_DSA_LOGN_512, FN_DSA_LOGN_1024, KeyPairGenerator, KeyPairGeneratorStandard, RngCore, RngError};
use fn_dsa_kgen::{sign_key_size, vrfy_key_size};
use fn_dsa_vrfy::{DOMAIN_NONE, HASH_ID_RAW, VerifyingKey, VerifyingKeyStandard, signature_size};
use std::time::{Duration, Instant};

/// The bytes of a counter: what is compared needs no secrets.
struct Counter(u64);

impl CryptoRng for Counter {}

impl RngCore for Counter {
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }
    fn next_u64(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
    fn fill_bytes(&mut self, out: &mut [u8]) {
        out.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]));
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(out);
        Ok(())
    }
}

/// A signature of the message, and the time that it took.
macro_rules! sign {
    ($of:ident, $key:expr, $seed:expr, $length:expr) => {{
        use $of::SigningKey as _;
        let mut signature = vec![0; $length];
        let start = Instant::now();
        $key.sign(&mut Counter($seed), &$of::DOMAIN_NONE, &$of::HASH_ID_RAW, b"samplez", &mut signature);
        (signature, start.elapsed())
    }};
}

fn main() {
    let count: u64 = std::env::args().nth(1).map_or(1000, |count| count.parse().expect("a number of signatures"));
    for logn in [FN_DSA_LOGN_512, FN_DSA_LOGN_1024] {
        let (mut secret, mut public) = (vec![0; sign_key_size(logn)], vec![0; vrfy_key_size(logn)]);
        KeyPairGeneratorStandard::default().keygen(logn, &mut Counter(0), &mut secret, &mut public);
        let mut before = <before::SigningKeyStandard as before::SigningKey>::decode(&secret).expect("a key");
        let mut after = <after::SigningKeyStandard as after::SigningKey>::decode(&secret).expect("a key");
        let verifier = VerifyingKeyStandard::decode(&public).expect("a key");
        let mut times = [Duration::MAX; 2];
        for seed in 0..count {
            let (wanted, theirs) = sign!(before, before, seed << 32, signature_size(logn));
            let (signature, ours) = sign!(after, after, seed << 32, signature_size(logn));
            assert!(signature == wanted, "seed {seed}: the signatures differ");
            assert!(verifier.verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"samplez"), "seed {seed}: not verified");
            times = [times[0].min(theirs), times[1].min(ours)];
        }
        let [before, after] = times.map(|time| time.as_secs_f64() * 1e6);
        println!("  degree {}: {count} signatures alike; at least {before:.0} us before, {after:.0} us after", 1 << logn);
    }
}
