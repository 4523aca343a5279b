// The noise of tfhe-rs's LWE encryptions of zero: what its decryption with the secret key leaves, modulo 2^64, exactly.
mod common;
use tfhe::core_crypto::commons::generators::DeterministicSeeder;
use tfhe::core_crypto::commons::math::random::{DynamicDistribution, Seed};
use tfhe::core_crypto::prelude::*;

fn main() {
    common::main("u64 residue", |call, seed| {
        let law: DynamicDistribution<u64> = match call {
            "tuniform" => DynamicDistribution::new_t_uniform(17),
            _ => DynamicDistribution::new_gaussian_from_std_dev(StandardDev(f64::exp2(-62.0))),
        };
        let mut seeder: Box<dyn Seeder> = match seed {
            Some(seed) => Box::new(DeterministicSeeder::<DefaultRandomGenerator>::new(Seed(seed.into()))),
            None => new_seeder(),
        };
        let mut secrets = SecretRandomGenerator::<DefaultRandomGenerator>::new(seeder.seed());
        let mut masks = EncryptionRandomGenerator::<DefaultRandomGenerator>::new(seeder.seed(), &mut *seeder);
        let key = allocate_and_generate_new_binary_lwe_secret_key(LweDimension(742), &mut secrets);
        let mut zero = LweCiphertext::new(0_u64, key.lwe_dimension().to_lwe_size(), CiphertextModulus::new_native());
        Box::new(move || {
            encrypt_lwe_ciphertext(&key, &mut zero, Plaintext(0), law, &mut masks);
            decrypt_lwe_ciphertext(&key, &zero).0 as i64
        })
    });
}
