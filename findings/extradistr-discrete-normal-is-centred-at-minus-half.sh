#!/usr/bin/env bash
# extraDistr 1.9.1 for R, Debian's 1.9.1-1 (2026-11-30).
# Guess: the discrete normal distribution with mean 0 is symmetric about 0: a rounded normal, or masses in proportion
# to the density.
# Seen: its mass at k is the normal probability of k to k + 1, so 0 and -1 are equally likely and the mean is -1/2. A
# mean of 0.5 gives the rounded normal.
# A user meets it on adding rdnorm as noise without bias: each sum is low by half a step a sample.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Needs Rscript 4.2 and apt: these are packages of Debian 12.
cd "$tmp"
apt-get download --quiet r-cran-extradistr=1.9.1-1 r-cran-rcpp=1.0.10-1 \
    >apt.log 2>&1 || { cat apt.log; exit 1; }
for one in *.deb; do dpkg -x "$one" packages; done
export R_LIBS="$tmp/packages/usr/lib/R/site-library"

cat >"$tmp/look.R" <<'R'
library(extraDistr)
say <- function(...) cat(paste(c(...), collapse = " "), "\n", sep = "")
k <- -60:60
for (center in c(0, 0.5)) {
  mass <- ddnorm(k, center, 3)
  say("mean =", center, ": masses at -1, 0, 1:", format(mass[60:62], digits = 6), "true mean:", round(sum(k * mass), 9))
}
set.seed(1)
say("mean of 10^6 samples below -0.49:", mean(rdnorm(1e6, 0, 3)) < -0.49)
R

cat >"$tmp/expected" <<'EXPECTED'
mean = 0 : masses at -1, 0, 1: 0.130559 0.130559 0.116949 true mean: -0.5
mean = 0.5 : masses at -1, 0, 1: 0.125279 0.132368 0.125279 true mean: 0
mean of 10^6 samples below -0.49: TRUE
EXPECTED

cd "$tmp"
Rscript look.R | tee seen
diff expected seen
