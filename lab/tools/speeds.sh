#!/usr/bin/env bash
# What plans say of speeds, in crates/samplez/src/speeds: of all classes of machines that this one can run, or of those named. On an idle machine,
# some minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

for class in ${*:-scalar avx2 avx512 simd128 wasm}; do
    # A folder for each: other flags build everything again. WebAssembly's memory is there from the start: Node 20 has crashed when it grew
    # while garbage was collected.
    flags="--cfg samplez_backend=\"$class\"" to=target/speeds/$class memory="-C link-arg=--initial-memory=536870912"
    export CARGO_TARGET_DIR=$to
    build() { RUSTFLAGS=$1 cargo build --quiet --release -p samplez --example speeds "${@:2}"; }
    case $class in
    scalar | avx2 | avx512)
        grep -qw "$(sed 's/scalar/flags/; s/avx512/avx512vl/' <<< "$class")" /proc/cpuinfo || { echo "$class: not on this machine" >&2 && continue; }
        build "$flags"
        run() { $to/release/examples/speeds; }
        ;;
    simd128 | wasm)
        [ "$class" = simd128 ] && memory+=" $flags -C target-feature=+simd128"
        rustup target add wasm32-wasip1
        build "$memory" --target wasm32-wasip1
        run() {
            node --no-warnings --input-type=module --eval "
                import { readFileSync } from 'node:fs'; import { WASI } from 'node:wasi';
                const wasi = new WASI({ version: 'preview1' }), module = await WebAssembly.compile(readFileSync(process.argv[1]));
                wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));" $to/wasm32-wasip1/release/examples/speeds.wasm
        }
        ;;
    *) echo "$class: expected scalar, avx2, avx512, simd128 or wasm" >&2 && exit 2 ;;
    esac
    run > "$to/one.csv"
    run > "$to/two.csv"
    # Of two runs, each line's higher speed: whatever else the machine does only slows.
    {
        echo "# $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1); $(date -u +%F); \`lab/tools/speeds.sh\`"
        paste -d , "$to/one.csv" "$to/two.csv" | awk -F , -v OFS=, '$1 != $5 || $2 != $6 || $3 != $7 { exit 1 } { print $1, $2, $3, ($8 + 0 > $4 + 0 ? $8 : $4) }'
    } > "$to/speeds.csv"
    mv "$to/speeds.csv" "crates/samplez/src/speeds/$class.csv"
done
