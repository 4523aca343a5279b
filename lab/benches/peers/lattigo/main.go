// Times Lattigo's Gaussian sampler. Each line of the input is a σ and a number of polynomials; the
// answer is the processor time of this thread in nanoseconds for each coefficient, and the variance
// of the last polynomial.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"runtime"

	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/utils/sampling"
	"golang.org/x/sys/unix"
)

const (
	// Coefficients of a polynomial.
	degree = 1 << 15
	// One prime that is 1 modulo twice the degree.
	modulus = 0x1fffffffffe00001
)

func now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		log.Fatal(err)
	}
	return t.Nano()
}

func variance(coefficients []uint64) float64 {
	sum := 0.0
	for _, c := range coefficients {
		x := float64(c)
		if c > modulus/2 {
			x = -float64(modulus - c)
		}
		sum += x * x
	}
	return sum / float64(len(coefficients))
}

func main() {
	runtime.LockOSThread()
	r, err := ring.NewRing(degree, []uint64{modulus})
	if err != nil {
		log.Fatal(err)
	}
	poly := r.NewPoly()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var sigma float64
		var count int
		if _, err := fmt.Sscan(lines.Text(), &sigma, &count); err != nil {
			log.Fatal(err)
		}
		prng, err := sampling.NewKeyedPRNG(make([]byte, 64))
		if err != nil {
			log.Fatal(err)
		}
		sampler := ring.NewGaussianSampler(prng, r, ring.DiscreteGaussian{Sigma: sigma, Bound: 12 * sigma}, false)
		start := now()
		for i := 0; i < count; i++ {
			sampler.Read(poly)
		}
		fmt.Println(float64(now()-start)/float64(count*degree), variance(poly.Coeffs[0]))
	}
}
