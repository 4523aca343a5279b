#!/usr/bin/env bash
# Two parties draw 2^15 samples at σ = 20, and `samplez verify` judges them: mpc.sh FOLDER. Settings: SAMPLEZ, SAMPLES, CARGO.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
out=$1 samplez=${SAMPLEZ:-samplez}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../../target/mpc}
mkdir -p "$out"
"${CARGO:-cargo}" build --quiet --release --locked
"$samplez" circuit --sigma 20 --precision 64 --emit bristol --out "$out/20.txt"
"$CARGO_TARGET_DIR/release/samplez-mpc" "$out/20.txt" "${SAMPLES:-32768}" 1024 > "$out/mpc.txt"
"$samplez" verify --sigma 20 "$out/mpc.txt"
