#!/usr/bin/env bash
# galois 0.4.11 (2026-11-30).
# Guess: in GF(2^8) an element times the integer 3 is the product with the element 3, or an error, as adding 3 is.
# Seen: an integer is a count of additions, so 5 * 3 is 5 + 5 + 5 = 5, where the element 3 gives 15, and 5 * 2 is 0. An
# array of NumPy integers counts as well, element by element. In a prime field the two products agree.
# A user meets it on code that was written for a prime field, such as that of ML-KEM, and used over GF(2^8) or GF(2).
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    galois==0.4.11 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import galois
import numpy as np

for order in (2**8, 3329):
    field = galois.GF(order)
    print(f"GF({order}): 5 * 3 is", int(field(5) * 3), "and with the element 3", int(field(5) * field(3)))
    print("    times 2:", int(field(5) * 2), "and", int(field(5) * field(2)))
    counts = np.array([3, 3, 2])
    print("    arrays:", (field([1, 2, 3]) * counts).tolist(), "and", (field([1, 2, 3]) * field(counts)).tolist())
    try:
        print("    5 + 3 is", int(field(5) + 3))
    except TypeError as error:
        print("    5 + 3:", type(error).__name__)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
GF(256): 5 * 3 is 5 and with the element 3 15
    times 2: 0 and 10
    arrays: [1, 2, 0] and [3, 6, 6]
    5 + 3: TypeError
GF(3329): 5 * 3 is 15 and with the element 3 15
    times 2: 10 and 10
    arrays: [3, 6, 6] and [3, 6, 6]
    5 + 3: TypeError
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
