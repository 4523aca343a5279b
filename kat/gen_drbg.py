"""NIST's CAVP vectors of the DRBGs, from two copies: python3 kat/gen_drbg.py evprand.txt hash_test.go > kat/drbg-cavp.csv"""

import re
import sys

MECHANISMS = {"AES-256-CTR": "ctr-drbg-aes256", "SHA-256": "hash-drbg-sha256", "SHA-512": "hash-drbg-sha512"}
FIELDS = [
    ("entropy", "Entropy"),
    ("nonce", "Nonce"),
    ("personalization", "PersonalisationString"),
    ("reseed entropy", "ReseedEntropy"),
    ("reseed additional", "ReseedAdditionalInput"),
    ("additional 1", "AdditionalInputA"),
    ("resistance entropy 1", "EntropyPredictionResistanceA"),
    ("additional 2", "AdditionalInputB"),
    ("resistance entropy 2", "EntropyPredictionResistanceB"),
    ("output", "Output"),
]
# Of the fifteen cases of each section, the first ones.
CASES = 2


def sections(lines):
    section = {}
    for line in lines:
        line = line.strip()
        if not line:
            if section:
                yield section
            section = {}
        elif not line.startswith("#"):
            key, _, value = line.partition("=")
            section[key.strip()] = value.strip()
    if section:
        yield section


def from_openssl(path):
    known = {key for _, key in FIELDS}
    with open(path, encoding="ascii") as file:
        for section in sections(file):
            if section.get("RAND") not in ("CTR-DRBG", "HASH-DRBG"):
                continue
            mechanism = MECHANISMS.get(section.get("Cipher", section.get("Digest")))
            if mechanism is None:
                continue
            unknown = {key.split(".")[0] for key in section if "." in key} - known
            assert not unknown, unknown
            derivation = section.get("DerivationFunction", "0") if "Cipher" in section else ""
            for case in range(CASES):
                values = [section.get(f"{key}.{case}", "").lower() for _, key in FIELDS]
                assert values[0] and 8 * len(values[-1]) // 2 == int(section["GenerateBits"])
                yield [mechanism, derivation, *values]


def hash_reseeds_from_go(path):
    """OpenSSL's file has no Hash_DRBG cases with a reseeding; the Go module's test has."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    start = re.compile(r"\.testHash(?:Generate)?AfterReseed\d+_(SHA256|SHA512)\(c, &testData\{\n(.*?)\n\t\}\)", re.S)
    name = re.compile(r"Test\w+_(\d+)\(c \*C\) \{\n\ts$")
    for found in start.finditer(text):
        case = int(name.search(text[: found.start()]).group(1))
        if case >= CASES:
            continue
        value = {}
        for key, rest in re.findall(r"(\w+): +(.*?),(?=\n\t\t\w|$)", found.group(2), re.S):
            value[key] = re.findall(r'"([0-9a-f]*)"', rest)
        one = lambda key: value.get(key, [""])[0]
        additional = value.get("additionalInput", ["", ""])
        mechanism = MECHANISMS[found.group(1).replace("SHA", "SHA-")]
        row = [one("entropyInput"), one("nonce"), one("personalization")]
        row += [one("entropyInputReseed"), one("additionalInputReseed")]
        yield [mechanism, "", *row, additional[0], "", additional[1], "", one("expected")]


def main():
    openssl, go = sys.argv[1:]
    print("mechanism,derivation," + ",".join(name for name, _ in FIELDS))
    rows = [",".join(row) for row in [*from_openssl(openssl), *hash_reseeds_from_go(go)]]
    print("\n".join(dict.fromkeys(rows)))


main()
