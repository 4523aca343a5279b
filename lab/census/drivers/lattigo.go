// The noise of Lattigo's ring samplers, read as residues.
package main

import (
	"os"
	"strconv"

	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/utils/sampling"
)

func main() {
	count, _ := strconv.Atoi(os.Args[2])
	prng, _ := sampling.NewPRNG()
	if os.Args[4] != "" {
		prng, _ = sampling.NewKeyedPRNG([]byte(os.Args[4]))
	}
	r, err := ring.NewRing(4096, []uint64{576460752308273153})
	if err != nil {
		panic(err)
	}
	sampler, err := ring.NewSampler(prng, r, ring.DiscreteGaussian{Sigma: 1, Bound: 6}, false)
	if err != nil {
		panic(err)
	}
	integers, spent, drawn, p := []int64{}, 0., 0, r.NewPoly()
	for ; len(integers) < count; drawn += r.N() {
		begin := cpu()
		sampler.Read(p)
		spent += cpu() - begin
		for _, x := range p.Coeffs[0][:min(count-len(integers), r.N())] {
			// x is a residue of q, also q itself for some zeros.
			integers = append(integers, int64(x)-int64((2*x/r.SubRings[0].Modulus+1)/2*r.SubRings[0].Modulus))
		}
	}
	report(os.Args[3], integers, spent*float64(count)/float64(drawn), "uint64 residue")
}
