#!/usr/bin/env bash
# Random sources through Debian's dieharder: dieharder.sh full|quick.
#
# full   every source, or DIEHARDER_SOURCES, by DIEHARDER's arguments (-a); hours for each; reports below OUT
# quick  three quick tests of every seeded source under a fixed seed, and one that posix-rand must fail
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
.ci/need dieharder
cargo=${CARGO:-cargo} target=${CARGO_TARGET_DIR:-$PWD/target} out=${OUT:-out}
seed=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f

full() {
    "$cargo" build --quiet --release -p samplez-cli
    run=$target/release/samplez failed=
    mkdir -p "$out"
    for source in ${DIEHARDER_SOURCES:-$("$run" sources | awk 'NR > 1 { print $1 }')}; do
        report=$out/dieharder-$source.txt
        echo "$source: $report"
        # dieharder closes the pipe when it has read enough.
        { "$run" bytes --source "$source" || [ $? = 141 ]; } | dieharder -g 200 ${DIEHARDER:--a} > "$report"
        ! grep FAILED "$report" || failed="$failed $source"
    done
    echo "Sources with a failed test:${failed:- none}"
}

judged() { { "$run" bytes --source "$1" --seed $seed || [ $? = 141 ]; } | dieharder -g 200 -d "$2"; }

# Three tests of one source.
quick_one() {
    for test in 8 15 100; do
        report=$(judged "$1" $test)
        grep -qE 'PASSED|WEAK|FAILED' <<< "$report" || { printf '%s, test %s:\n%s\n' "$1" $test "$report" && exit 1; }
        ! grep FAILED <<< "$report" || { echo "$1 fails test $test" >&2 && exit 1; }
    done
    echo "$1: no failure"
}

quick() {
    "$cargo" build --quiet --workspace --bin samplez
    export run=$target/debug/samplez seed
    export -f judged quick_one
    # As many sources at a time as there are cores.
    "$run" sources | awk '/--seed/ { print $1 }' | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 bash -euo pipefail -c 'quick_one "$1"' one
    grep FAILED <<< "$(judged posix-rand 5)" || { echo "posix-rand passes diehard_opso, which it must not" >&2 && exit 1; }
    echo "posix-rand: fails diehard_opso, as it must"
}

case ${1-} in
full | quick) "$1" ;;
*) echo "usage: dieharder.sh full|quick" >&2 && exit 2 ;;
esac
