#!/usr/bin/env bash
# jsonlite 1.8.4 for R, Debian's 1.8.4+dfsg-1 (2026-11-30).
# Guess: with digits = NA, the greatest precision, a number returns from JSON as it was.
# Seen: toJSON prints at most 15 significant digits. 0.1 + 0.2 returns as 0.3, and the integer 2^53 as 9007199254740990.
# digits = 22 and I(17) change nothing. Whole numbers up to 999999999999999 return.
# A user meets it on sending seeds, wide integers or probabilities from R to another program.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Needs Rscript 4.2 and apt: these are packages of Debian 12.
cd "$tmp"
apt-get download --quiet r-cran-jsonlite=1.8.4+dfsg-1 \
    >apt.log 2>&1 || { cat apt.log; exit 1; }
for one in *.deb; do dpkg -x "$one" packages; done
export R_LIBS="$tmp/packages/usr/lib/R/site-library"

cat >"$tmp/look.R" <<'R'
library(jsonlite)
say <- function(...) cat(paste(c(...), collapse = " "), "\n", sep = "")
x <- c(0.1 + 0.2, 2^53, 1e15 + 1, 1e15 - 1)
say("sent:", sprintf("%.17g", x))
for (digits in list(NA, 22, I(17))) {
  y <- fromJSON(toJSON(x, digits = digits))
  say("digits", format(digits), "returned:", sprintf("%.17g", y))
}
R

cat >"$tmp/expected" <<'EXPECTED'
sent: 0.30000000000000004 9007199254740992 1000000000000001 999999999999999
digits NA returned: 0.29999999999999999 9007199254740990 1000000000000000 999999999999999
digits 22 returned: 0.29999999999999999 9007199254740990 1000000000000000 999999999999999
digits 17 returned: 0.29999999999999999 9007199254740990 1000000000000000 999999999999999
EXPECTED

cd "$tmp"
Rscript look.R | tee seen
diff expected seen
