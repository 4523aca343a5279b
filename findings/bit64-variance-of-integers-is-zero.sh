#!/usr/bin/env bash
# bit64 4.0.5 for R, Debian's 4.0.5-1 (2026-11-30).
# Guess: var, cor and colMeans of integer64 numbers work as for doubles, or stop with an error: mean, sum, median and
# sd do.
# Seen: var is 0, while sd is 1; cor is NaN, and colMeans and rowSums are about 1e-323, because the 64 bits are read as
# those of doubles. Each is silent. The mean of 1 and 2 is the integer 1, and their median 2.
# A user meets it on reading 64-bit integers from a file, as data.table does, and summarizing them.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Needs Rscript 4.2 and apt: these are packages of Debian 12.
cd "$tmp"
apt-get download --quiet r-cran-bit64=4.0.5-1 r-cran-bit=4.0.5-1 \
    >apt.log 2>&1 || { cat apt.log; exit 1; }
for one in *.deb; do dpkg -x "$one" packages; done
export R_LIBS="$tmp/packages/usr/lib/R/site-library"

cat >"$tmp/look.R" <<'R'
suppressMessages(library(bit64))
say <- function(...) cat(paste(c(...), collapse = " "), "\n", sep = "")
x <- as.integer64(1:3)
say("var:", var(x), "sd:", sd(x), "cor:", cor(x, as.integer64(c(1, 2, 4))))
say("colMeans:", colMeans(data.frame(x)), "rowSums:", rowSums(matrix(x, 1)))
say("mean and median of 1 and 2:", as.character(mean(x[1:2])), as.character(median(x[1:2])))
say("3 * 0.5:", as.character(x[3] * 0.5), "0.5 * 3:", as.character(0.5 * x[3]))
R

cat >"$tmp/expected" <<'EXPECTED'
var: 0 sd: 1 cor: NaN
colMeans: 9.88131291682493e-324 rowSums: 2.96439387504748e-323
mean and median of 1 and 2: 1 2
3 * 0.5: 2 0.5 * 3: 0
EXPECTED

cd "$tmp"
Rscript look.R | tee seen
diff expected seen
