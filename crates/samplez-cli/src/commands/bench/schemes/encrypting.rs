//! Encryption schemes, measured.

use super::clock::{Operation, sampling, times};
use super::row::{Row, Under, failed};
use crate::commands::scheme::cipher::Cipher;
use crate::failure::Failure;

/// Keys, and blocks, one at a time.
pub(super) fn measure<C: Cipher>(set: C::Set, under: &Under<'_>) -> Result<Row, Failure> {
    let mut rng = under.generator()?;
    let noise = under.noise.sampler();
    let message: Vec<u8> = (0..C::block_bytes(set)).map(|i| (37 * i) as u8).collect();
    let keygen = times(under.turn, || C::generate(set, noise, &mut rng).map_err(failed), |_| Ok(()))?;
    let keygen_share =
        sampling(under.turn, noise, |noise| C::generate(set, noise, &mut rng).map(drop).map_err(failed))?;
    let (public, secret) = C::generate(set, noise, &mut rng).map_err(failed)?;
    let (mut wrong, mut bits) = (0, 0);
    let encrypt = times(
        under.turn,
        || C::encrypt(&public, Some(noise), &message, &mut rng).map_err(failed),
        |ciphertext| {
            let decrypted = C::decrypt(&secret, &ciphertext).map_err(failed)?;
            wrong += message.iter().zip(&decrypted).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
            bits += 8 * message.len();
            Ok(())
        },
    )?;
    // One letter in a hundred fails where most do.
    if wrong as usize > bits / 20 {
        let why = format!("{} {set}: {wrong} of {bits} bits were decrypted wrongly", C::NAME);
        return Err(Failure::System(why));
    }
    let encrypt_share = match C::block_samples(set) {
        0 => None,
        _ => Some(sampling(under.turn, noise, |noise| {
            C::encrypt(&public, Some(noise), &message, &mut rng).map(drop).map_err(failed)
        })?),
    };
    let ciphertext = C::encrypt(&public, Some(noise), &message, &mut rng).map_err(failed)?;
    let decrypt = times(under.turn, || C::decrypt(&secret, &ciphertext).map_err(failed), |_| Ok(()))?;
    Ok(Row {
        operations: vec![
            Operation { name: "keygen", times: keygen, sampling: Some(keygen_share) },
            Operation { name: "encrypt", times: encrypt, sampling: encrypt_share },
            Operation { name: "decrypt", times: decrypt, sampling: None },
        ],
        ..Row::of(C::NAME, set.to_string(), under)
    })
}
