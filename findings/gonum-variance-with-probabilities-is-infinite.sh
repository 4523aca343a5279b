#!/usr/bin/env bash
# Gonum 0.17.0 (2026-11-30).
# Guess: the weights of stat.Variance may be scaled, as those of stat.Mean: probabilities give the variance of the
# distribution, and weights of 1/2 what weights of 1 do.
# Seen: the divisor is the sum of the weights less 1, so probabilities give +Inf, and weights of 1/2 another variance
# than 1. PopVariance has the variance of the distribution.
# A user meets it on passing a table of probabilities as weights.
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
	x := []float64{-1, 0, 1}
	for _, w := range [][]float64{nil, {1, 1, 1}, {2, 2, 2}, {0.5, 0.5, 0.5}, {0.25, 0.5, 0.25}} {
		fmt.Println(w, "mean", stat.Mean(x, w), "variance", stat.Variance(x, w), "population", stat.PopVariance(x, w))
	}
}
GO

cat >"$tmp/expected" <<'EXPECTED'
[] mean 0 variance 1 population 0.6666666666666666
[1 1 1] mean 0 variance 1 population 0.6666666666666666
[2 2 2] mean 0 variance 0.8 population 0.6666666666666666
[0.5 0.5 0.5] mean 0 variance 2 population 0.6666666666666666
[0.25 0.5 0.25] mean 0 variance +Inf population 0.5
EXPECTED

cd "$tmp"
go mod init look 2>/dev/null
go get gonum.org/v1/gonum@v0.17.0 2>/dev/null
go run look.go | tee seen
diff expected seen
