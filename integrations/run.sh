#!/usr/bin/env bash
# Builds and judges each integration: run.sh FOLDER, where FOLDER has samplez, libsamplez_c.so and, in wheel/, the Python package.
# A Rust crate is copied from cargo's registry, and patched beside its tests. It needs `patch`, `cmake` and a C++ compiler.
# A rejection before the replacement is expected where it is named; one afterwards ends the run with 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
built=$(cd "$1" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# verdict WANTED FILE ARGUMENTS: the exit code of `samplez verify`, 0 consistent and 1 rejected.
verdict() {
    local wanted=$1 got=0
    shift
    "$built/samplez" verify "$@" --quiet > "$out/report" || got=$?
    echo "  verify ${*##*/}: exit code $got"
    [ "$got" = "$wanted" ] || { cat "$out/report"; exit 1; }
}

if [ -d "$built/wheel" ]; then
    echo "OpenDP"
    PYTHONPATH="$built/wheel" "${PYTHON:-python3}" opendp/example.py 20000
fi

echo "Lattigo"
ln -s "$built/libsamplez_c.so" "$out/libsamplez_c.so.0.1"
# in_lattigo NAME OPTIONS: builds and runs with the integers in $out/NAME-before.txt and -after.txt, and judges them.
in_lattigo() {
    (cd lattigo && GOFLAGS=-buildvcs=false go run "${@:2}" . "$out/$1-before.txt" "$out/$1-after.txt")
    verdict 0 "$out/$1-before.txt" --sigma 3.2 --law rounded --clip 19.2
    verdict 1 "$out/$1-before.txt" --sigma 3.2
    verdict 0 "$out/$1-after.txt" --sigma 3.2
    verdict 1 "$out/$1-after.txt" --sigma 3.2 --law rounded --clip 19.2
}
CGO_ENABLED=1 CGO_CFLAGS="-O2 -I$PWD/../capi/include" CGO_LDFLAGS="-L$built" LD_LIBRARY_PATH="$out" in_lattigo cgo -tags samplez_cgo
CGO_ENABLED=0 in_lattigo wasm

repository=$(cd .. && pwd)
export CARGO_TARGET_DIR=$built/rust
cargo=${CARGO:-cargo}
# source_of NAME VERSION TO: a copy of a crate from crates.io, without its lock file.
source_of() {
    mkdir -p "$out/fetch/src"
    : > "$out/fetch/src/lib.rs"
    printf '[package]\nname = "fetch"\nedition = "2024"\n[dependencies]\n%s = "=%s"\n' "$1" "$2" > "$out/fetch/Cargo.toml"
    local manifest
    manifest=$("$cargo" metadata --quiet --format-version 1 --manifest-path "$out/fetch/Cargo.toml" | python3 -c \
        'import json, sys; print(*(p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == sys.argv[1]))' "$1")
    cp -r "$(dirname "$manifest")" "$3"
    rm -f "$3/Cargo.lock"
}
# patched FOLDER NAME VERSION: a copy of the folder, $out/FOLDER, with the patched crate in patched/.
patched() {
    cp -r "$1" "$out/$1"
    source_of "$2" "$3" "$out/$1/patched"
    patch --quiet --strip 1 --directory "$out/$1/patched" < "$1/source.patch"
    cp "$1/glue.rs" "$out/$1/patched/src/"
    sed -i.bak "s#\"../../crates/#\"$repository/crates/#" "$out/$1/Cargo.toml"
}
# own_tests FOLDER NAME VERSION PATCHED CORE: the tests of a crate that uses the patched one.
own_tests() {
    source_of "$2" "$3" "$out/tests-of-$2"
    "$cargo" test --quiet --release --lib --manifest-path "$out/tests-of-$2/Cargo.toml" \
        --config "patch.crates-io.$4.path='$out/$1/patched'" --config "patch.crates-io.$5.path='$repository/crates/$5'"
}

echo "fn-dsa"
patched fn-dsa fn-dsa-sign 0.4.0
"$cargo" test --quiet --release --locked --lib --manifest-path "$out/fn-dsa/patched/Cargo.toml"
own_tests fn-dsa fn-dsa 0.4.0 fn-dsa-sign samplez-core
"$cargo" run --quiet --release --locked --manifest-path "$out/fn-dsa/Cargo.toml" -- 1000

echo "fhe.rs"
patched fhe fhe-util 0.1.1
"$cargo" test --quiet --release --locked --lib --manifest-path "$out/fhe/patched/Cargo.toml"
own_tests fhe fhe 0.1.1 fhe-util samplez
"$cargo" run --quiet --release --locked --manifest-path "$out/fhe/Cargo.toml" -- "$out/cbd-before.txt" "$out/cbd-after.txt"
verdict 0 "$out/cbd-before.txt" --centered-binomial 20
verdict 1 "$out/cbd-before.txt" --sigma-squared 10
verdict 0 "$out/cbd-after.txt" --centered-binomial 20
verdict 1 "$out/cbd-after.txt" --sigma-squared 10

# Only the name of the function that glue.cpp replaces changes: a build with both names or with none does not link.
echo "SEAL"
source_of sealy 0.2.0 "$out/sealy"
seal=$out/sealy/SEAL
sed -i.bak 's/^        void sample_poly_normal($/        void sample_poly_normal_of_seal(/' "$seal/native/src/seal/util/rlwe.cpp"
cmake -S "$seal" -B "$out/seal" -DCMAKE_BUILD_TYPE=Release -DSEAL_USE_GAUSSIAN_NOISE=ON -DSEAL_BUILD_DEPS=OFF -DSEAL_USE_MSGSL=OFF \
    -DSEAL_USE_ZLIB=OFF -DSEAL_USE_ZSTD=OFF > /dev/null 2>&1
cmake --build "$out/seal" --target seal > /dev/null 2>&1
"${CXX:-c++}" -std=c++17 -O2 -Wall -I../capi/include -isystem "$seal/native/src" -isystem "$out/seal/native/src" seal/*.cpp \
    "$out"/seal/lib/libseal-*.a -L"$built" -lsamplez_c -lpthread -o "$out/zeros"
LD_LIBRARY_PATH="$out" "$out/zeros" "$out/seal-before.txt" "$out/seal-after.txt"
verdict 1 "$out/seal-before.txt" --sigma 3.2
verdict 1 "$out/seal-before.txt" --sigma 3.2 --law rounded --clip 19.2
verdict 0 "$out/seal-after.txt" --sigma 3.2

echo "FrodoKEM"
"$cargo" run --quiet --release --locked --manifest-path frodo/Cargo.toml
