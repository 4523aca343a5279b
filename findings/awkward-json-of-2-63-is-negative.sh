#!/usr/bin/env bash
# awkward 2.14.0 with NumPy 2.4.6 (2026-11-29).
# Guess: ak.from_json of an integer from 2^63 to 2^64 - 1 makes uint64, or an error, as ak.Array of that integer does.
# Seen: it makes int64, and 2^63 + 1 is read as 1 - 2^63. From 2^64 on it makes float64, with the right size.
# A user meets it on reading 64-bit hashes, seeds or thresholds from JSON: half of them are negative.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    awkward==2.14.0 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import awkward as ak

for value in (2**63 - 1, 2**63 + 1, 2**64 - 1, 2**64 + 1):
    array = ak.from_json(f"[{value}]")
    print(value, "->", array.type, array[0])
try:
    print(ak.Array([2**63 + 1]))
except Exception as error:
    print("ak.Array:", type(error).__name__)
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
9223372036854775807 -> 1 * int64 9223372036854775807
9223372036854775809 -> 1 * int64 -9223372036854775807
18446744073709551615 -> 1 * int64 -1
18446744073709551617 -> 1 * float64 1.8446744073709552e+19
ak.Array: RuntimeError
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
