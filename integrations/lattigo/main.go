// Lattigo's noise replaced by samplez's: the same ciphertexts, decrypted by Lattigo. Writes the integers before and after to the two files
// that it is given, and prints nanoseconds of this thread for each coefficient.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"runtime"

	samplez "example.org/samplez/go"
	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/utils/sampling"
	"golang.org/x/sys/unix"
)

const sigma, rounds = 3.2, 256

// --- the glue: a sampler of ring polynomials --------------------------------------------------------------------------------------

// Noise draws polynomials with coefficients of samplez's sampler, as residues of each prime.
type Noise struct {
	r       *ring.Ring
	sampler *samplez.Sampler
	stream  *samplez.Stream
	drawn   []int64
}

// NewNoise builds the sampler of a recipe, over a ChaCha20 that the operating system seeds.
func NewNoise(r *ring.Ring, recipe string) (*Noise, error) {
	sampler, err := samplez.New(recipe)
	if err != nil {
		return nil, err
	}
	stream, err := samplez.NewStream("chacha20", nil)
	return &Noise{r, sampler, stream, make([]int64, r.N())}, err
}

// Read fills a polynomial.
func (n *Noise) Read(p ring.Poly) error {
	err := samplez.Fill(n.stream, n.sampler, n.drawn)
	for i, row := range p.Coeffs {
		if err == nil {
			err = samplez.Residues(n.drawn, n.r.SubRings[i].Modulus, row)
		}
	}
	return err
}

// ----------------------------------------------------------------------------------------------------------------------------------

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// now returns the nanoseconds that this thread has run.
func now() float64 {
	var t unix.Timespec
	must(unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t))
	return float64(t.Nano())
}

func main() {
	runtime.LockOSThread()
	params, err := rlwe.NewParametersFromLiteral(rlwe.ParametersLiteral{LogN: 13, LogQ: []int{55, 55}, NTTFlag: true})
	must(err)
	r := params.RingQ()
	prng, err := sampling.NewPRNG()
	must(err)
	before := ring.NewGaussianSampler(prng, r, ring.DiscreteGaussian{Sigma: sigma, Bound: 6 * sigma}, false)
	after, err := NewNoise(r, fmt.Sprintf("sigma=%v", sigma))
	must(err)

	secret := rlwe.NewKeyGenerator(params).GenSecretKeyNew()
	decryptor := rlwe.NewDecryptor(params, secret)
	uniform := ring.NewUniformSampler(prng, r)
	for i, read := range []func(ring.Poly) error{func(p ring.Poly) error { before.Read(p); return nil }, after.Read} {
		file, err := os.Create(os.Args[1+i])
		must(err)
		out, spent := bufio.NewWriter(file), 0.0
		for k := 0; k < rounds; k++ {
			e := r.NewPoly()
			start := now()
			must(read(e))
			spent += now() - start
			// (e - a·s, a), which Lattigo decrypts to e.
			ciphertext := rlwe.NewCiphertext(params, 1, params.MaxLevel())
			ciphertext.IsNTT = true
			uniform.Read(ciphertext.Value[1])
			r.NTT(e, ciphertext.Value[0])
			r.MulCoeffsMontgomeryThenSub(ciphertext.Value[1], secret.Value.Q, ciphertext.Value[0])
			plain := decryptor.DecryptNew(ciphertext)
			r.INTT(plain.Value, plain.Value)
			for j, x := range plain.Value.Coeffs[0] {
				for level, row := range plain.Value.Coeffs {
					// Lattigo's sampler writes q for some zeros.
					if row[j] != e.Coeffs[level][j]%r.SubRings[level].Modulus {
						log.Fatalf("coefficient %d of round %d decrypts to another", j, k)
					}
				}
				if q := r.SubRings[0].Modulus; x > q/2 {
					fmt.Fprintf(out, "-%d\n", q-x)
				} else {
					fmt.Fprintln(out, x)
				}
			}
		}
		must(out.Flush())
		must(file.Close())
		fmt.Printf("%s: %.1f ns a coefficient, in two primes\n", []string{"Lattigo", "samplez by " + samplez.Backend()}[i], spent/float64(rounds*r.N()))
	}
}
