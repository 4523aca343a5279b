#!/usr/bin/env bash
# Evidence of constant time and of erased secrets: evidence.sh STAGE..., of quick, whole, emulated-quick,
# emulated, erased, shipped, planted and timing.
#
# quick    memcheck with the random bits undefined, of a slice of the cases: seconds
# whole    the same of all cases: a minute
# emulated-quick, emulated  the emitted samplers in C, compiled for other processors and executed there by an emulator: seconds,
#          a minute; the latter writes docs/trust/emulated.csv
# erased   a search of the process's memory for secrets after their drop, as lines of CSV: a minute
# shipped  memcheck of the C library and the Python package as built for release, and the library's instructions: minutes
# planted  the next leaks of a rule, which docs/trust/leaks.csv keeps: a quarter of an hour
# timing   CT_MEASUREMENTS (10^7) timings of each case: hours
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cargo=${CARGO:-cargo} target=${CARGO_TARGET_DIR:-$PWD/target} here=lab/ct/shipped
# Built as the tests are: a build of one package has other features.
tools() { "$cargo" build --quiet --workspace --bin samplez-tools && "$target/debug/samplez-tools" "$@"; }
ct() { "$cargo" run --quiet --profile ct -p samplez-ct -- "$@"; }

emulated() {
    .ci/need emulation
    "$cargo" build --quiet --workspace --bin samplez
    lab/ct/.venv/bin/python -B lab/ct/emulated/emulated.py "$target/debug/samplez" "$@"
}

shipped() {
    ${MAKE:-make} --no-print-directory capi wheel
    mkdir -p "$target/ct"
    ${CC:-cc} -O1 -Icapi/include "$here/secret.c" "$here/library.c" -o "$target/ct/library" \
        -L"$target/release" -lsamplez_c -Wl,-rpath,"$target/release"
    ${CC:-cc} -O1 -shared -fPIC "$here/secret.c" -o "$target/ct/secret.so"
    python/.venv/bin/pip install --quiet --no-deps --force-reinstall --target "$target/ct/package" python/target/wheels/samplez-*.whl
    ct shipped "$target/ct/library"
    PYTHONPATH=$target/ct/package ct shipped python/.venv/bin/python "$here/wheel.py" "$target/ct/secret.so"
    tools check-asm "$target/release/libsamplez_c.so"
}

for stage in "$@"; do
    case $stage in
    quick) .ci/need valgrind && ct memcheck quick ;;
    whole) .ci/need valgrind && ct memcheck ;;
    emulated-quick) emulated quick ;;
    emulated) emulated whole docs/trust/emulated.csv ;;
    erased) ct erased ;;
    shipped) .ci/need valgrind && shipped ;;
    planted) .ci/need valgrind && tools plant-leaks "$target/planted" ;;
    timing) ct timing "${CT_MEASUREMENTS:-10_000_000}" ;;
    *) echo "CT = $stage: expected quick, whole, emulated-quick, emulated, erased, shipped, planted or timing" >&2 && exit 2 ;;
    esac
done
