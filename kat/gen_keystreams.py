"""Keystreams under nonces, block numbers and short keys, from Crypto++'s test vectors:
python3 kat/gen_keystreams.py chacha.txt chacha_tls.txt salsa.txt > kat/keystreams.csv"""

import re
import sys

NAMES = {"ChaCha": "chacha", "ChaChaTLS": "chacha20-ietf", "Salsa20": "salsa"}
# Of long answers, the first bytes: five blocks, so that a counter's carry is within.
BYTES = 320


def value(text):
    """Hexadecimal digits, with or without 0x and blanks; or r64 00, a repetition."""
    repeated = re.fullmatch(r"r(\d+) (\w+)", text)
    if repeated:
        return int(repeated[1]) * bytes.fromhex(repeated[2])
    return bytes.fromhex(text.removeprefix("0x").replace(" ", ""))


def tests(path):
    """The fields of each test: a field stays until another one of its name comes; what is of a single test does not."""
    with open(path, encoding="ascii") as file:
        text = file.read().replace("\\\n", "")
    fields = {}
    for line in text.splitlines():
        name, _, rest = line.partition(":")
        if name == "AlgorithmType":
            fields = {}
        if name in ("Key", "Comment"):
            for transient in ("Seek", "Seek64", "InitialBlock"):
                fields.pop(transient, None)
        fields[name] = rest.strip()
        if name == "Test" and fields[name] in ("Encrypt", "EncryptXorDigest"):
            yield fields


def row(fields):
    key, nonce, plain = value(fields["Key"]), value(fields["IV"]), value(fields["Plaintext"])
    at = int(fields.get("Seek64", fields.get("Seek", "0")), 0) + 64 * int(fields.get("InitialBlock", "0"), 0)
    generator = NAMES[fields["Name"]]
    if not generator.endswith("ietf"):
        generator += fields.get("Rounds", "20")
    if fields["Test"] == "EncryptXorDigest":
        assert not any(plain)
        return generator, key, nonce, at, "xor", value(fields["CiphertextXorDigest"])
    cipher = value(fields["Ciphertext"])
    if set(plain) == {0} and len(cipher) < len(plain):
        plain = plain[: len(cipher)]
    assert len(plain) == len(cipher), fields
    stream = bytes(a ^ b for a, b in zip(plain, cipher))[:BYTES]
    return generator, key, nonce, at, "bytes", stream


def main():
    print("generator,key,nonce,offset,kind,value")
    rows = []
    for path in sys.argv[1:]:
        for fields in tests(path):
            if fields["Name"] not in NAMES:
                continue
            generator, key, nonce, at, kind, stream = row(fields)
            # Where RFC 8439's stream ends, Crypto++ lets its counter wrap.
            if generator.endswith("ietf") and at + len(stream) > 64 * 2**32:
                continue
            rows.append(f"{generator},{key.hex()},{nonce.hex()},{at},{kind},{stream.hex()}")
    print("\n".join(dict.fromkeys(rows)))


main()
