#!/usr/bin/env bash
# matrixStats 0.63.0 for R, Debian's 0.63.0-1 (2026-11-30).
# Guess: the median absolute deviation of two equal integers is 0.
# Seen: of 2147483647 twice, rowMads is -3.184e9 for an integer matrix, because it adds the two in 32 bits; as doubles,
# or by R's mad, it is 0. So it is from 2^30 on. rowMedians, rowVars and rowMeans2 are right.
# A user meets it on a robust scale of wide integers, one row a column of samples: a negative scale, without a warning.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Needs Rscript 4.2 and apt: these are packages of Debian 12.
cd "$tmp"
apt-get download --quiet r-cran-matrixstats=0.63.0-1 \
    >apt.log 2>&1 || { cat apt.log; exit 1; }
for one in *.deb; do dpkg -x "$one" packages; done
export R_LIBS="$tmp/packages/usr/lib/R/site-library"

cat >"$tmp/look.R" <<'R'
suppressMessages(library(matrixStats))
for (x in c(2^30 - 1, 2^30, 2^31 - 1)) {
  whole <- matrix(as.integer(c(x, x)), 1)
  double <- matrix(c(x, x), 1)
  cat(sprintf("%.0f twice: rowMads %.4g, as doubles %.0f, mad %.0f, rowMedians %.0f, rowVars %.0f\n",
              x, rowMads(whole), rowMads(double), mad(whole[1, ]), rowMedians(whole), rowVars(whole)))
}
R

cat >"$tmp/expected" <<'EXPECTED'
1073741823 twice: rowMads 0, as doubles 0, mad 0, rowMedians 1073741823, rowVars 0
1073741824 twice: rowMads -3.184e+09, as doubles 0, mad 0, rowMedians 1073741824, rowVars 0
2147483647 twice: rowMads -3.184e+09, as doubles 0, mad 0, rowMedians 2147483647, rowVars 0
EXPECTED

cd "$tmp"
Rscript look.R | tee seen
diff expected seen
