// Gonum's univariate distributions, and Go's own normal variable.
package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

func main() {
	run("float64", func(call string, seed *uint64) func() int64 {
		var source rand.Source // nil is the library's own choice
		if seed != nil {
			source = rand.NewPCG(*seed, 0)
		}
		normal, poisson := distuv.Normal{Mu: center, Sigma: scale, Src: source}, distuv.Poisson{Lambda: 5, Src: source}
		binomial, own := distuv.Binomial{N: 20, P: 0.5, Src: source}, rand.NormFloat64
		if seed != nil {
			own = rand.New(source).NormFloat64
		}
		return map[string]func() int64{
			"normal":   func() int64 { return int64(math.Round(normal.Rand())) },
			"poisson":  func() int64 { return int64(poisson.Rand() - poisson.Rand()) },
			"binomial": func() int64 { return int64(binomial.Rand() - 10) },
			"own":      func() int64 { return int64(math.Round(own()*scale + center)) },
		}[call]
	})
}
