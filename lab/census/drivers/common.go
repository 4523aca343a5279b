// What every Go driver shares: see census.py.
package main

import (
	"bufio"
	"fmt"
	"os"
	"syscall"
)

// cpu returns the seconds of processor time that this process has used.
func cpu() float64 {
	var t syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &t); err != nil {
		panic(err)
	}
	return float64(t.Utime.Sec) + float64(t.Utime.Usec)/1e6
}

// report writes the integers and prints the facts.
func report(path string, integers []int64, seconds float64, kind string) {
	file, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(file)
	for _, x := range integers {
		fmt.Fprintln(out, x)
	}
	if err := out.Flush(); err != nil {
		panic(err)
	}
	fmt.Printf("seconds %v\ntype %s\n", seconds, kind)
}
