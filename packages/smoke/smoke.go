// Prints samples of a bulk array as text: RECIPE SOURCE SEED FIRST COUNT.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"

	samplez "example.org/samplez/go"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	sampler, seed := must(samplez.New(os.Args[1])), must(samplez.ParseSeed(os.Args[3]))
	first, count := must(strconv.ParseUint(os.Args[4], 10, 64)), must(strconv.Atoi(os.Args[5]))
	out := make([]int64, count)
	if err := samplez.Bulk(sampler, os.Args[2], seed, first, out); err != nil {
		log.Fatal(err)
	}
	for _, x := range out {
		fmt.Println(x)
	}
}
