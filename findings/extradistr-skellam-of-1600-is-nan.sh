#!/usr/bin/env bash
# extraDistr 1.9.1 for R, Debian's 1.9.1-1 (2026-11-30).
# Guess: dskellam covers the parameters that rskellam does, at least where the masses are ordinary doubles; log = TRUE
# covers more.
# Seen: with both means at 800 every mass is NaN, without a warning, where it should be about 0.01; at 300 it is right.
# log = TRUE is NaN as well. rskellam draws right numbers.
# A user meets it on comparing wide Skellam noise with its masses.
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
for (mean in c(5, 300, 800, 5000)) {
  near <- dnorm(0, 0, sqrt(2 * mean))
  masses <- lapply(c(FALSE, TRUE), function(log) format(dskellam(0, mean, mean, log = log), digits = 4))
  say(mean, ":", masses[[1]], "log:", masses[[2]], "normal density:", format(near, digits = 4))
}
set.seed(1)
say("variance of samples at 800 within 5 % of 1600:", abs(var(rskellam(1e5, 800, 800)) / 1600 - 1) < 0.05)
R

cat >"$tmp/expected" <<'EXPECTED'
5 : 0.1278 log: -2.057 normal density: 0.1262
300 : 0.01629 log: -4.117 normal density: 0.01629
800 : NaN log: NaN normal density: 0.009974
5000 : NaN log: NaN normal density: 0.003989
variance of samples at 800 within 5 % of 1600: TRUE
EXPECTED

cd "$tmp"
Rscript look.R | tee seen
diff expected seen
