// The noise of Lattigo's encryptions of zero under a known secret key: c0 + c1 s modulo q, exactly.
package main

import (
	"github.com/tuneinsight/lattigo/v6/core/rlwe"
)

func main() {
	run("uint64 residue", func(string, *uint64) func() int64 {
		params, err := rlwe.NewParametersFromLiteral(rlwe.ParametersLiteral{LogN: 12, LogQ: []int{54}, NTTFlag: true})
		if err != nil {
			panic(err)
		}
		key := rlwe.NewKeyGenerator(params).GenSecretKeyNew()
		encryptor, ring := rlwe.NewEncryptor(params, key), params.RingQ()
		p, i, q := ring.NewPoly(), ring.N(), ring.SubRings[0].Modulus
		return func() int64 {
			if i == ring.N() {
				zero := encryptor.EncryptZeroNew(0)
				ring.MulCoeffsMontgomery(zero.Value[1], key.Value.Q, p)
				ring.Add(p, zero.Value[0], p)
				ring.INTT(p, p)
				i = 0
			}
			x := p.Coeffs[0][i]
			i++
			return int64(x) - int64((2*x/q+1)/2*q)
		}
	})
}
