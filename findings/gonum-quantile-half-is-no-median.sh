#!/usr/bin/env bash
# gonum 0.17.0 (2026-11-29).
# Guess: stat.Quantile(0.5, LinInterp, {1, 2, 3, 4}) is 2.5, the median, as a linear quantile is in NumPy or R.
# Seen: it is 2, and of {-1, 1} it is -1. Gonum interpolates the empirical distribution function, so each
# sample counts at the end of its step and the half of n samples is sample n/2. Its Empirical kind has 2 too.
# A user meets it on checking that symmetric noise has median 0: small samples come out too low.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export GOFLAGS="-mod=mod -modcacherw" GOMODCACHE="$tmp/modules"

cat >"$tmp/look.go" <<'GO'
package main

import (
	"fmt"

	"gonum.org/v1/gonum/stat"
)

func main() {
	for _, x := range [][]float64{{1, 2, 3, 4}, {-1, 1}, {-2, 0, 2}} {
		low := stat.Quantile(0.5, stat.LinInterp, x, nil)
		fmt.Println(x, "LinInterp", low, "Empirical", stat.Quantile(0.5, stat.Empirical, x, nil))
	}
}
GO

cat >"$tmp/expected" <<'EXPECTED'
[1 2 3 4] LinInterp 2 Empirical 2
[-1 1] LinInterp -1 Empirical -1
[-2 0 2] LinInterp -1 Empirical 0
EXPECTED

cd "$tmp"
go mod init look 2>/dev/null
go get gonum.org/v1/gonum@v0.17.0 2>/dev/null
go run look.go | tee seen
diff expected seen
