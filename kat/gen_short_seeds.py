"""Writes short-seeds.csv: the seeds of numbers, by HChaCha20 (draft-irtf-cfrg-xchacha, 2.2) alone."""

import struct


def hchacha20(key, nonce):
    x = list(struct.unpack("<16I", b"expand 32-byte k" + key + nonce))

    def quarter(a, b, c, d):
        for i, j, k, turn in (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7):
            x[i] = (x[i] + x[j]) % 2**32
            x[k] = ((x[k] ^ x[i]) << turn | (x[k] ^ x[i]) >> (32 - turn)) % 2**32

    for _ in range(10):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return struct.pack("<8I", *x[:4], *x[12:])


# The vector of the draft, 2.2.1.
assert hchacha20(bytes(range(32)), bytes.fromhex("000000090000004a0000000031415927")).hex().startswith("82413b42")

name = b"short seed"
root = hchacha20(bytes(32), struct.pack("<H13sB", len(name), name, 2))
with open("short-seeds.csv", "w", newline="\n") as out:
    out.write("number,seed\n")
    for number in 0, 1, 7, 42, 2**32 - 1, 2**32, 2**63, 2**64 - 1:
        out.write(f"{number},{hchacha20(root, struct.pack('<Q7xB', number, 1)).hex()}\n")
