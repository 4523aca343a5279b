#!/usr/bin/env bash
# apache-arrow 21.2.0 (2026-11-29).
# Guess: vectorFromArray of bigints finds a type that holds them, or throws, as it does for numbers mixed with bigints.
# Seen: every bigint makes an Int64, so 2^63 is read back as -2^63 and 2^64 + 5 as 5; and plain numbers are Float64,
# even if all are whole. A Uint64 given by hand keeps 2^63, and turns -1 to 2^64 - 1.
# A user meets it on storing thresholds or seeds of 64 bits as bigints.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" apache-arrow@21.2.0

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import { Uint64, vectorFromArray } from "apache-arrow";

const report = (name, vector) => console.log(name, String(vector.type), [...vector].join(" "));
report("whole numbers:", vectorFromArray([1, 2]));
report("2^63 and 2^64 + 5:", vectorFromArray([2n ** 63n, 2n ** 64n + 5n]));
report("as Uint64:", vectorFromArray([2n ** 63n, -1n], new Uint64()));
try {
  vectorFromArray([1, 2n]);
} catch (error) {
  console.log("mixed:", error.message);
}
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
whole numbers: Float64 1 2
2^63 and 2^64 + 5: Int64 -9223372036854775808 5
as Uint64: Uint64 9223372036854775808 18446744073709551615
mixed: Unable to infer Vector type from input values, explicit type declaration expected.
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
