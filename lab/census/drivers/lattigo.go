// The noise of Lattigo's ring samplers, read as residues.
package main

import (
	"strconv"

	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/utils/sampling"
)

func main() {
	run("uint64 residue", func(_ string, seed *uint64) func() int64 {
		prng, _ := sampling.NewPRNG()
		if seed != nil {
			prng, _ = sampling.NewKeyedPRNG([]byte(strconv.FormatUint(*seed, 10)))
		}
		r, err := ring.NewRing(4096, []uint64{576460752308273153})
		if err != nil {
			panic(err)
		}
		sampler, err := ring.NewSampler(prng, r, ring.DiscreteGaussian{Sigma: 1, Bound: 6}, false)
		if err != nil {
			panic(err)
		}
		p, i, q := r.NewPoly(), r.N(), r.SubRings[0].Modulus
		return func() int64 {
			if i == r.N() {
				sampler.Read(p)
				i = 0
			}
			x := p.Coeffs[0][i] // a residue of q, also q itself for some zeros
			i++
			return int64(x) - int64((2*x/q+1)/2*q)
		}
	})
}
