#!/usr/bin/env bash
# gmp 0.7-1 for R, Debian's 0.7-1-1 (2026-11-30).
# Guess: the quantiles of big integers are big integers or rationals between the least and the greatest.
# Seen: where a quantile lies between two samples it is 0, without a warning, so that the quartiles of ten are 0. Where it is
# a sample, among nine, it is right. range, sort, sum and unique are right; median warns and returns NA.
# A user meets it on summarizing wide exact samples: quartiles of 0 outside the data.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Needs Rscript 4.2 and apt: these are packages of Debian 12.
cd "$tmp"
apt-get download --quiet r-cran-gmp=0.7-1-1 \
    >apt.log 2>&1 || { cat apt.log; exit 1; }
for one in *.deb; do dpkg -x "$one" packages; done
export R_LIBS="$tmp/packages/usr/lib/R/site-library"

cat >"$tmp/look.R" <<'R'
suppressMessages(library(gmp))
say <- function(...) cat(paste(c(...), collapse = " "), "\n", sep = "")
for (last in c(18, 19)) {
  say("quantiles of 10 to", last, "as numbers:", quantile(10:last), "as bigz:", as.character(quantile(as.bigz(10:last))))
}
x <- as.bigz(2)^100 + 0:9
say("of 2^100 and the next nine:", as.character(quantile(x)), "range less 2^100:", as.character(range(x) - as.bigz(2)^100))
R

cat >"$tmp/expected" <<'EXPECTED'
quantiles of 10 to 18 as numbers: 10 12 14 16 18 as bigz: 10 12 14 16 18
quantiles of 10 to 19 as numbers: 10 12.25 14.5 16.75 19 as bigz: 10 0 0 0 19
of 2^100 and the next nine: 1267650600228229401496703205376 0 0 0 1267650600228229401496703205385 range less 2^100: 0 9
EXPECTED

cd "$tmp"
Rscript look.R | tee seen
diff expected seen
