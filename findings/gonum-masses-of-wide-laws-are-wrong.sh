#!/usr/bin/env bash
# Gonum 0.17.0 (2026-11-30).
# Guess: Prob of Poisson and binomial distributions has a dozen right digits for any parameters, or degrades to 0 or
# NaN.
# Seen: at a mean of 10^12 the binomial mass is half a percent off, and at 10^15 the mass at the mean is 9 times too
# great for Poisson and 1500 times for the binomial distribution. Binomial{N: 10, P: 0}.Prob(0) is NaN, where P = 0 is
# allowed and CDF(0) is 1.
# A user meets it on comparing counts of a long run with their distribution.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export GOFLAGS="-mod=mod -modcacherw" GOMODCACHE="$tmp/modules"

cat >"$tmp/look.go" <<'GO'
package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

func main() {
	for _, mean := range []float64{1e6, 1e9, 1e12, 1e15} {
		poisson := distuv.Poisson{Lambda: mean}.Prob(mean) * math.Sqrt(2*math.Pi*mean)
		binomial := distuv.Binomial{N: 2 * mean, P: 0.5}.Prob(mean) * math.Sqrt(math.Pi*mean)
		fmt.Printf("mean %g: mass over its limit: Poisson %.4g, binomial %.4g\n", mean, poisson, binomial)
	}
	zero := distuv.Binomial{N: 10, P: 0}
	fmt.Println("P = 0:", zero.Prob(0), zero.CDF(0))
}
GO

cat >"$tmp/expected" <<'EXPECTED'
mean 1e+06: mass over its limit: Poisson 1, binomial 1
mean 1e+09: mass over its limit: Poisson 1, binomial 1
mean 1e+12: mass over its limit: Poisson 1, binomial 1.005
mean 1e+15: mass over its limit: Poisson 8.92, binomial 1543
P = 0: NaN 1
EXPECTED

cd "$tmp"
go mod init look 2>/dev/null
go get gonum.org/v1/gonum@v0.17.0 2>/dev/null
go run look.go | tee seen
diff expected seen
