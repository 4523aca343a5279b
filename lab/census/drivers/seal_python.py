"""The noise of ciphertexts of zero under a known secret key: CKKS decodes it as a polynomial's values, which are turned back."""

import numpy as np
import seal
from common import main

N = 4096
parms = seal.EncryptionParameters(seal.scheme_type.ckks)
parms.set_poly_modulus_degree(N)
parms.set_coeff_modulus(seal.CoeffModulus.Create(N, [40]))
context = seal.SEALContext(parms)
key = seal.KeyGenerator(context).secret_key()
encryptor, decryptor, encoder = seal.Encryptor(context, key), seal.Decryptor(context, key), seal.CKKSEncoder(context)
# Slot j holds the polynomial's value at the root exp(πi 3^j/N).
PLACES = np.array([pow(3, j, 2 * N) for j in range(N // 2)])


def noise():
    zero = encryptor.encrypt_symmetric(encoder.encode(0.0, 2.0**20))
    values = np.zeros(2 * N, complex)
    values[PLACES] = encoder.decode_complex(decryptor.decrypt(zero))
    values[-PLACES] = values[PLACES].conj()
    found = np.fft.fft(values).real[:N] / N * 2**20
    assert np.abs(found - np.rint(found)).max() < 0.01
    return np.rint(found).astype(np.int64)


main(symmetric=lambda seed: lambda n: np.concatenate([noise() for _ in range(-(-n // N))])[:n])
