// Samples from Go, through cgo: a thousand integers of D_{Z,3.2}, and their mean square.
package main

/*
#cgo CFLAGS: -I${SRCDIR}/../../include
#cgo LDFLAGS: -lsamplez_c -lm -lpthread -ldl
#include "samplez.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"
)

// Sampler draws from one discrete Gaussian.
type Sampler struct{ handle *C.samplez_sampler }

func check(status uint32) error {
	if status == C.SAMPLEZ_OK {
		return nil
	}
	return errors.New(C.GoString(C.samplez_last_error()))
}

// NewSampler builds the sampler of a recipe, such as "sigma=3.2,center=1/3".
func NewSampler(recipe string) (*Sampler, error) {
	// The message of an error belongs to the thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	text := C.CString(recipe)
	defer C.free(unsafe.Pointer(text))
	sampler := &Sampler{}
	if err := check(C.samplez_sampler_new(text, &sampler.handle)); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(sampler, func(s *Sampler) { C.samplez_sampler_free(s.handle) })
	return sampler, nil
}

// Bulk fills out with samples number first, first+1, … of the array of this seed.
func (s *Sampler) Bulk(seed [32]byte, first uint64, out []int64) error {
	if len(out) == 0 {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	source := C.CString("chacha20")
	defer C.free(unsafe.Pointer(source))
	err := check(C.samplez_bulk_i64(s.handle, source, (*C.uint8_t)(&seed[0]), C.uint64_t(first),
		(*C.int64_t)(&out[0]), C.size_t(len(out)), 1))
	runtime.KeepAlive(s)
	return err
}

// Residues writes the samples modulo q, from 0 to q - 1, in constant time.
func Residues(samples []int64, q uint64, out []uint64) error {
	if len(samples) != len(out) {
		return fmt.Errorf("out has %d elements: expected %d, as samples has", len(out), len(samples))
	}
	if len(samples) == 0 {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return check(C.samplez_residues((*C.int64_t)(&samples[0]), C.size_t(len(samples)), C.uint64_t(q), (*C.uint64_t)(&out[0])))
}

func main() {
	if _, err := NewSampler("sigma=-1"); err == nil {
		fmt.Fprintln(os.Stderr, "sigma = -1 was taken")
		os.Exit(1)
	}
	sampler, err := NewSampler("sigma=3.2")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	noise := make([]int64, 1000)
	if err := sampler.Bulk([32]byte{1}, 0, noise); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	const q = 12289
	row := make([]uint64, len(noise))
	if err := Residues(noise, 1, row); err == nil {
		fmt.Fprintln(os.Stderr, "q = 1 was taken")
		os.Exit(1)
	}
	if err := Residues(noise, q, row); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i, x := range noise {
		if row[i] != uint64((x+q)%q) {
			fmt.Fprintf(os.Stderr, "%d modulo %d is not %d\n", x, q, row[i])
			os.Exit(1)
		}
	}
	square := 0.0
	for _, x := range noise {
		square += float64(x * x)
	}
	fmt.Println(noise[:10], row[:10])
	fmt.Printf("mean square %.2f, sigma^2 = 10.24\n", square/1000)
}
