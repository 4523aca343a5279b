#!/usr/bin/env bash
# Benchmarks, as ratios to baselines of the same run: run.sh NAME, of native, calls, peers, python, web and wasm.
#
# native  the samplers and sources of this library, beside plain forms and OpenSSL
# calls   single calls and small fills beside long fills
# peers   samplers of other libraries; Lattigo's where there is Go
# python  the Python package beside the library's own fill, privacy plans beside dp_accounting
# web     [JSDGS17]'s Tables 3 to 5 in Node and three browsers
# wasm    WebAssembly in Node beside the native library's portable code
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cargo=${CARGO:-cargo} target=${CARGO_TARGET_DIR:-$PWD/target} make="${MAKE:-make} --no-print-directory"

case ${1-} in
native) .ci/need libssl && "$cargo" run --release --package samplez-bench --features openssl ;;
calls) "$cargo" run --release --package samplez-bench -- calls ;;
peers)
    mkdir -p "$target/peers"
    lattigo=
    if command -v go > /dev/null; then
        lattigo=$target/peers/lattigo
        (cd lab/benches/peers/lattigo && go build -o "$lattigo" .)
    fi
    "$cargo" run --quiet --release --locked --manifest-path lab/benches/peers/Cargo.toml --target-dir "$target/peers" -- $lattigo
    ;;
python)
    $make capi
    .ci/need python
    cd python
    export PATH="$PWD/.venv/bin:$PATH"
    pip install --quiet --no-build-isolation --no-deps --force-reinstall .
    python benches/fill.py "$target/release/libsamplez_c.so"
    python benches/calls.py
    python benches/plans.py
    ;;
web)
    $make web
    .ci/need browsers
    cd web
    node tools/page.mjs && node bench/table3.mjs && node bench/schemes.mjs
    ;;
wasm) $make web && cd web && node bench/native.mjs ;;
*) echo "BENCH = ${1-}: expected native, calls, peers, python, web or wasm" >&2 && exit 2 ;;
esac
