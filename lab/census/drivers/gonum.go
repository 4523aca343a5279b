// Gonum's univariate distributions.
package main

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

func main() {
	count, _ := strconv.Atoi(os.Args[2])
	var source rand.Source // nil is the library's own choice
	if seed, err := strconv.ParseUint(os.Args[4], 10, 64); err == nil {
		source = rand.NewPCG(seed, 0)
	}
	normal, poisson := distuv.Normal{Mu: 0, Sigma: 1, Src: source}, distuv.Poisson{Lambda: 5, Src: source}
	binomial := distuv.Binomial{N: 20, P: 0.5, Src: source}
	draw := map[string]func() float64{
		"normal":   func() float64 { return math.Round(normal.Rand()) },
		"poisson":  func() float64 { return poisson.Rand() - poisson.Rand() },
		"binomial": func() float64 { return binomial.Rand() - 10 },
	}[os.Args[1]]
	integers, begin := make([]int64, count), cpu()
	for i := range integers {
		integers[i] = int64(draw())
	}
	report(os.Args[3], integers, cpu()-begin, "float64")
}
