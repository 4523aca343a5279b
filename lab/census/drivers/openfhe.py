"""The noise of OpenFHE's encryptions of zero under a known secret key: c0 + c1 s modulo q, exactly, by the inverse of its transform."""

import json

import numpy as np
import openfhe
from common import main

N, parms = 4096, openfhe.CCParamsCKKSRNS()
for name, value in {"MultiplicativeDepth": 0, "FirstModSize": 30, "ScalingModSize": 20, "RingDim": N, "SecurityLevel": openfhe.HEStd_NotSet}.items():
    getattr(parms, f"Set{name}")(value)
context = openfhe.GenCryptoContext(parms)
context.Enable(openfhe.PKE)
key, zero = context.KeyGen().secretKey, context.MakeCKKSPackedPlaintext([0.0])
text = openfhe.Serialize(key, openfhe.JSON)
data = json.loads(text)["value0"]["ptr_wrapper"]["data"]["s"]["v"][0]["v"]["ptr_wrapper"]["data"]
q, secret, roots = data["m"]["v"], np.array(data["v"]), [int(x) for part in text.split('"ru": {') if (x := part.split()[1]).isdigit()]
POWERS = np.array([pow(max(roots), -i, q) for i in range(2 * N)])
ORDER = [int(f"{k:012b}"[::-1], 2) for k in range(N)]  # place k has the value at max(roots)^(2 ORDER[k] + 1)


def coefficients(values):
    def summed(x):
        if len(x) == 1:
            return x
        even, odd = np.hsplit(summed(np.hstack([x[::2], x[1::2]])), 2)
        odd = odd * POWERS[:: 2 * N // len(x), None][: len(odd)] % q
        return np.vstack([even + odd, even - odd]) % q

    return (summed(values[ORDER, None])[:, 0] * POWERS[:N] % q * pow(N, -1, q) + q // 2) % q - q // 2


def noise():
    parts = json.loads(openfhe.Serialize(context.Encrypt(key, zero), openfhe.JSON))["value0"]["ptr_wrapper"]["data"]["v"]
    c0, c1 = (np.array(part["v"][0]["v"]["ptr_wrapper"]["data"]["v"]) for part in parts)
    return coefficients((c0 + c1 * secret) % q)


assert abs(coefficients(secret)).max() == 1
main(symmetric=lambda seed: lambda n: np.concatenate([noise() for _ in range(-(-n // N))])[:n])
