#!/usr/bin/env bash
# zarrita 0.7.5 (2026-11-29).
# Guess: an int64 array with fill value 2^60 + 1 reads as that number where no chunk is stored, as its data are bigints.
# Seen: it reads 2^60: zarr.json is parsed to doubles, and the fill value is made a bigint afterwards. A stored chunk
# is exact.
# A user meets it with a large sentinel or modulus less one as fill value: a sparse array has a value never written.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" zarrita@0.7.5

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import * as zarr from "zarrita";

const value = 2n ** 60n + 1n;
const meta = {
  zarr_format: 3,
  node_type: "array",
  shape: [2],
  data_type: "int64",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
  chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  fill_value: "VALUE",
  codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  attributes: {},
};
const text = JSON.stringify(meta).replace('"VALUE"', String(value));
const store = new Map([
  ["/zarr.json", new TextEncoder().encode(text)],
  ["/c/1", new Uint8Array(BigInt64Array.of(value).buffer)],
]);
const { data } = await zarr.get(await zarr.open(store, { kind: "array" }));
console.log("no chunk:", String(data[0] - 2n ** 60n), "above 2^60");
console.log("stored chunk:", String(data[1] - 2n ** 60n), "above 2^60");
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
no chunk: 0 above 2^60
stored chunk: 1 above 2^60
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
