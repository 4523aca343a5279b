package main

import (
	"fmt"
	"log"

	samplez "example.org/samplez/go"
)

func main() {
	sampler, err := samplez.New("sigma=3.2") // 3.2 is 16/5, exactly
	if err != nil {
		log.Fatal(err)
	}
	stream, err := samplez.NewStream("chacha20", nil) // a seed from the operating system
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	noise := make([]int8, 1000)
	if err := samplez.Fill(stream, sampler, noise); err != nil {
		log.Fatal(err)
	}
	fmt.Println(noise[:10], sampler.Method())
}
