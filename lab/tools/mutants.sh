#!/usr/bin/env bash
# Mutants of the files below these paths, by cargo-mutants in a clone of the last commit; their numbers are kept in docs/trust/mutants.csv.
#
# Each is put to the tests of its crate, of the core's files to those of its module alone, which are compiled without optimization: that
# takes a fifth of the time. A survivor has its reason in docs/trust/survivors.tsv, by the change and the text of its line, wherever that is now:
# it changes nothing that is promised. Others are put to the tests of all crates below, and printed if they survive again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cargo=${CARGO:-cargo} root=$PWD target=${CARGO_TARGET_DIR:-$PWD/target}
all=samplez-core,samplez-sources,samplez-tables,samplez,samplez-check,samplez-fuzz,samplez-ct
mkdir -p "$target/mutants"
cd "$target/mutants"
[ -d tree ] || git clone --quiet --shared "$root" tree
cd tree
git fetch --quiet origin HEAD && git checkout --quiet --force --detach FETCH_HEAD

# Runs cargo-mutants on the file. 2: some were missed, 3: some took too long.
judge() {
    local ended=0
    CARGO_TARGET_DIR=../target CARGO_PROFILE_DEV_DEBUG=0 "$cargo" mutants --in-place --no-shuffle --colors=never --timeout-multiplier=3 \
        --minimum-test-timeout=10 --file "$file" --output .. "$@" > /dev/null || ended=$?
    case $ended in 0 | 2 | 3) ;; *) echo "$file: cargo mutants: $ended" >&2 && exit 2 ;; esac
}
count() { wc -l < "../mutants.out/$1.txt"; }
# Of the file's missed mutants, FILE:LINE:COLUMN: CHANGE, those without a reason.
open() {
    awk -F '\t' -v OFS='\t' -v file="$file" '
        FILENAME == file { indent = match($0, /[^ ]/) - 1; code[FNR] = substr($0, indent + 1); gsub(/\t/, " ", code[FNR]); begins[FNR] = indent; next }
        FILENAME ~ /survivors.tsv$/ { if ($1 == file && $6 != "") known[$3, $4, $5]; next }
        { split($0, part, ":"); change = $0; sub(/^[^:]*:[0-9]*:[0-9]*: /, "", change) }
        !((part[3] - begins[part[2]], change, code[part[2]]) in known)' "$file" "$root/docs/trust/survivors.tsv" ../mutants.out/missed.txt
}

failed=0
for file in $(find $* -name '*.rs' ! -name tests.rs ! -name testing.rs ! -path '*/tests/*' | sort); do
    package=$(cut -d / -f 2 <<< "$file") begin=$SECONDS
    module=$(sed -E 's|.*/src/||; s|\.rs$||; s,^((samplers/common/|samplers/|table/)?[^/]*).*,\1,; s|/|::|g' <<< "$file")
    if [ "$package" = samplez-core ]; then
        CARGO_PROFILE_DEV_OPT_LEVEL=0 judge --test-package "$package" -- --lib "$module::"
    else
        judge --test-package "$package"
    fi
    caught=$(count caught) timeouts=$(count timeout) missed=$(count missed) unviable=$(count unviable)
    if [ -n "$(open)" ]; then
        # A regular expression that these names alone match.
        judge --test-package "$all" --re "^($(open | sed 's/[^A-Za-z0-9 <>]/\\&/g' | paste -s -d '|'))$"
        caught=$((caught + $(count caught))) timeouts=$((timeouts + $(count timeout)))
        missed=$((missed - $(count caught) - $(count timeout)))
        open | sed 's/$/: survives without a reason/' | { ! grep . ; } || failed=1
    fi
    row="docs/trust/mutants.csv,$file,$caught,$timeouts,$missed,$unviable,$((SECONDS - begin)),{date},{commit}"
    (cd "$root" && "$cargo" run --quiet -p samplez-tools -- keep "$row")
done
exit $failed
