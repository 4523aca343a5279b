#!/usr/bin/env bash
# The certificates of tables, and the counts of circuits, by Coq: check.sh proofs|faults.
#
# proofs  checks all theorems of this folder, and prints the axioms that they rest on: a minute
# faults  changes one number of Tables.v or one gate of Netlists.v at a time in a copy, and requires that Coq rejects each: ten minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
.ci/need coq
here=lab/check/coq work=${CARGO_TARGET_DIR:-$PWD/target}/coq
files=(Gaussian Checker Tables Certificates Circuit Netlists Circuits)

# compile FILE...: in order, in the folder `work`.
compile() {
    local file
    for file in "$@"; do
        (cd "$work" && coqc -q -w -ambiguous-paths -Q . Samplez "$file.v") || return 1
    done
}

proofs() {
    mkdir -p "$work"
    cp "$here"/*.v "$work"
    compile "${files[@]}"
}

# fault WORDS SED...: with this change of $source, $theorems must fail at a check of integers.
source=Tables theorems=Certificates
fault() {
    local words=$1
    shift
    sed -E "$@" "$here/$source.v" > "$work/$source.v"
    ! cmp -s "$here/$source.v" "$work/$source.v" || { echo "$words: nothing was changed" >&2 && exit 1; }
    compile "$source"
    if compile "$theorems" > "$work/log" 2>&1; then
        echo "$words: Coq accepts it" >&2 && exit 1
    fi
    # The lemma or theorem whose proof ended.
    local line
    line=$(sed -nE 's/^File .*, line ([0-9]+),.*/\1/p' "$work/log" | tail -1)
    echo "$words: rejected in $(head -n "$line" "$here/$theorems.v" | sed -nE 's/^ *(Lemma|Theorem) ([a-z_0-9]+).*/\2/p' | tail -1)"
}

faults() {
    proofs > /dev/null
    fault "the first threshold, one unit more" -e 's/^  0xe015a97f36bc1b4fac41f49bf1698e32;/  0xe015a97f36bc1b4fac41f49bf1698e33;/'
    fault "the last threshold, one unit more" -e '/^Definition thresholds/,/^\]/s/^  0x3$/  0x4/'
    local figure old
    for figure in sd r2 r256 r513 rinf tail; do
        old=$(sed -nE "s/^Definition cdt_$figure := \((-[0-9]+)\).*/\1/p" "$here/Tables.v")
        fault "cdt_$figure = $old, one less" -e "/^Definition cdt_$figure/s/$old/$((old - 1))/"
    done
    fault "the last F_j of knuth-yao-ct, one unit more" -e '/^Definition rest_numbers/,/^\]/{/^ .*[^;]$/s/$/ + 1/}'
    fault "one cell of 2^-16 from strip 1 to strip 0" -e 's/^  14523;/  14524;/; s/^  13831;/  13830;/'
    fault "a goal, 2^-50 more of it" -e 's/^  0x1b031d1d63b81424/  0x1b031d1d63b81a24/'
    cp "$here/Tables.v" "$work"
    compile Tables Certificates > /dev/null
    circuit_faults
}

# Of each circuit: a threshold, the first AND gate, the first XOR gate, the order of the outputs.
circuit_faults() {
    local name
    source=Netlists theorems=Circuits
    for name in narrow middle wide falcon; do
        local circuit="/^Definition $name :/,/^\\|/" rest=";:rest;n;b rest"
        [ $name = wide ] || fault "$name: the last threshold, one unit more" -e "/^Definition ${name}_thresholds/,/^\]/s/^  ([1-8])\$/  \1 + 1/"
        fault "$name: an XOR for the first AND" -e "$circuit{/And/{s/And/Xor/$rest}}"
        fault "$name: an AND for the first XOR" -e "$circuit{/Xor/{s/Xor/And/$rest}}"
        fault "$name: two outputs exchanged" -e "$circuit{s/outputs := \[([0-9]+); ([0-9]+)/outputs := [\2; \1/}"
    done
}

case ${1-} in
proofs | faults) "$1" ;;
*) echo "usage: check.sh proofs|faults" >&2 && exit 2 ;;
esac
