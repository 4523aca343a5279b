#!/usr/bin/env bash
# seedrandom 3.0.5 (2026-11-29).
# Guess: seedrandom(buffer) depends on the bytes of an ArrayBuffer, as it does for a Uint8Array of the same bytes.
# Seen: every ArrayBuffer has one stream, that of the text [object ArrayBuffer] and a zero: it has no properties to
# walk, so its name is the seed. Two Maps share a stream in the same way.
# A user meets it on seeding with a digest: crypto.subtle.digest returns an ArrayBuffer, so all seeds are one.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" seedrandom@3.0.5

cat >"$tmp/look.mjs" <<'JAVASCRIPT'
import seedrandom from "seedrandom";

const digest = (text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
const [one, two] = [await digest("one"), await digest("two")];
const first = (seed) => seedrandom(seed)();
console.log("two digests, ArrayBuffer, one stream:", first(one) === first(two));
console.log("two digests, Uint8Array, one stream:", first(new Uint8Array(one)) === first(new Uint8Array(two)));
console.log("that of its name:", first(one) === first("[object ArrayBuffer]\0"));
console.log("two Maps, one stream:", first(new Map([["seed", 1]])) === first(new Map([["seed", 2]])));
JAVASCRIPT

cat >"$tmp/expected" <<'EXPECTED'
two digests, ArrayBuffer, one stream: true
two digests, Uint8Array, one stream: false
that of its name: true
two Maps, one stream: true
EXPECTED

cd "$tmp"
node look.mjs | tee seen
diff expected seen
