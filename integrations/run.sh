#!/usr/bin/env bash
# Builds and judges each integration: run.sh FOLDER, where FOLDER has samplez, libsamplez_c.so and, in wheel/, the Python package.
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
cd lattigo
CGO_ENABLED=1 CGO_CFLAGS="-O2 -I$PWD/../../capi/include" CGO_LDFLAGS="-L$built" LD_LIBRARY_PATH="$out" GOFLAGS=-buildvcs=false \
    go run . "$out/before.txt" "$out/after.txt"
verdict 0 "$out/before.txt" --sigma 3.2 --law rounded --clip 19.2
verdict 1 "$out/before.txt" --sigma 3.2
verdict 0 "$out/after.txt" --sigma 3.2
verdict 1 "$out/after.txt" --sigma 3.2 --law rounded --clip 19.2
