#!/usr/bin/env bash
# GNU datamash 1.7 of Debian 12 (2026-11-30).
# Guess: the sum of integers below 2^64 is printed with all digits, since datamash adds in numbers of 64-bit precision.
# Seen: it has 14 digits, as 9.007199254741e+15 for the one integer 2^53 + 1. So has the greatest of a column, the median
# and the mode: two unequal integers of 15 digits print as one. A group keeps its digits; --format "%.0f" has them all.
# A user meets it on adding seeds, counters or scaled amounts in a shell: the result is rounded, and a float to others.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Needs apt: this is a package of Debian 12.
cd "$tmp"
apt-get download --quiet datamash=1.7-2 >apt.log 2>&1 || { cat apt.log; exit 1; }
dpkg -x datamash_*.deb packages

look() {
    printf '%s\n' "$1" | tr ' ' '\n' >numbers
    shift
    echo "$(paste -sd ' ' numbers): $*: $(packages/usr/bin/datamash "$@" <numbers | tr '\t' ' ' | paste -sd ' ')"
}

cat >expected <<'EXPECTED'
9007199254740993: sum 1: 9.007199254741e+15
9007199254740993: --format %.0f sum 1: 9007199254740993
123456789012345 123456789012344: min 1 max 1 median 1: 1.2345678901234e+14 1.2345678901234e+14 1.2345678901234e+14
123456789012345 123456789012345: mode 1: 1.2345678901234e+14
123456789012345 123456789012344: -g 1 count 1: 123456789012345 1 123456789012344 1
99999999999999: sum 1: 99999999999999
EXPECTED

{
    look "9007199254740993" sum 1
    look "9007199254740993" --format %.0f sum 1
    look "123456789012345 123456789012344" min 1 max 1 median 1
    look "123456789012345 123456789012345" mode 1
    look "123456789012345 123456789012344" -g 1 count 1
    look "99999999999999" sum 1
} | tee seen
diff expected seen
