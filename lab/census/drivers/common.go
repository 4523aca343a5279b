// What every Go driver shares: see census.py. A maker takes the call and the seed, or nil, and returns a function that draws one integer.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"
)

var scale, center = number("CENSUS_SCALE", 1), number("CENSUS_CENTER", 0)

func number(name string, otherwise float64) float64 {
	if x, err := strconv.ParseFloat(os.Getenv(name), 64); err == nil {
		return x
	}
	return otherwise
}

// cpu returns the seconds of processor time that this process has used.
func cpu() float64 {
	var t syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &t)
	return float64(t.Utime.Sec) + float64(t.Utime.Usec)/1e6
}

func run(kind string, maker func(call string, seed *uint64) func() int64) {
	count, _ := strconv.Atoi(os.Args[2])
	var seed *uint64
	if x, err := strconv.ParseUint(os.Args[4], 10, 64); err == nil {
		seed = &x
	}
	draws := func(draw func() int64, count int) []int64 {
		xs := make([]int64, count)
		for i := range xs {
			xs[i] = draw()
		}
		return xs
	}
	draw, begin := maker(os.Args[1], seed), cpu()
	integers := draws(draw, count)
	fmt.Printf("seconds %v\ntype %s\n", cpu()-begin, kind)
	file, err := os.Create(os.Args[3])
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(file)
	for _, x := range integers {
		fmt.Fprintln(out, x)
	}
	_ = out.Flush()
	if seed == nil {
		other := func() []int64 {
			drawn := make(chan []int64)
			go func() { drawn <- draws(maker(os.Args[1], nil), 16) }()
			return <-drawn
		}
		fmt.Println("thread", map[bool]string{true: "repeat", false: "differ"}[slices.Equal(other(), other())])
	}
}
