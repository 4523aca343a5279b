#!/usr/bin/env bash
# lightphe 0.0.27 (2026-11-30).
# Guess: in Paillier's scheme the decryption of -1 is -1, and of 2.5 is 2.5 or a refusal.
# Seen: -1 becomes n - 1, and 2.5 a number of hundreds of bits: 5/2 modulo n, which nothing decodes. So 5 - 7 is n - 2.
# -2.5 is refused, and 1.5 times an encrypted 10 is 15, so the fractions seem to work. A list of floats is decoded.
# A user meets it on adding signed noise under encryption: every negative sum is near n.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    lightphe==0.0.27

cat >"$tmp/look.py" <<'PYTHON'
import contextlib
import io

from lightphe import LightPHE

with contextlib.redirect_stdout(io.StringIO()):
    scheme = LightPHE(algorithm_name="Paillier", key_size=256)
n = scheme.cs.keys["public_key"]["n"]


def name(x):
    if isinstance(x, list) or abs(x) < 100:
        return x
    if n - x < 100:
        return f"n - {n - x}"
    return "5/2 modulo n" if 2 * x % n == 5 else x


for x in (5, -1, 2.5, -2.5, [2.5, 0.25]):
    try:
        print(x, "returns as", name(scheme.decrypt(scheme.encrypt(x))))
    except ValueError as error:
        print(x, "refused:", error)
print("5 - 7 is", name(scheme.decrypt(scheme.encrypt(5) + scheme.encrypt(-7))))
print("1.5 * 10 is", name(scheme.decrypt(1.5 * scheme.encrypt(10))))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
5 returns as 5
-1 returns as n - 1
2.5 returns as 5/2 modulo n
-2.5 refused: Case constant float and negative not implemented yet
[2.5, 0.25] returns as [2.5, 0.25]
5 - 7 is n - 2
1.5 * 10 is 15
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
