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

quick() {
    "$cargo" build --quiet --workspace --bin samplez
    run=$target/debug/samplez
    judged() { { "$run" bytes --source "$1" --seed $seed || [ $? = 141 ]; } | dieharder -g 200 -d "$2"; }
    for source in $("$run" sources | awk '/--seed/ { print $1 }'); do
        for test in 8 15 100; do
            report=$(judged "$source" $test)
            grep -qE 'PASSED|WEAK|FAILED' <<< "$report" || { printf '%s, test %s:\n%s\n' "$source" $test "$report" && exit 1; }
            ! grep FAILED <<< "$report" || { echo "$source fails test $test" >&2 && exit 1; }
        done
        echo "$source: no failure"
    done
    grep FAILED <<< "$(judged posix-rand 5)" || { echo "posix-rand passes diehard_opso, which it must not" >&2 && exit 1; }
    echo "posix-rand: fails diehard_opso, as it must"
}

case ${1-} in
full | quick) "$1" ;;
*) echo "usage: dieharder.sh full|quick" >&2 && exit 2 ;;
esac
