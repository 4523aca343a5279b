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
	square := 0.0
	for _, x := range noise {
		square += float64(x * x)
	}
	fmt.Println(noise[:10])
	fmt.Printf("mean square %.2f, sigma^2 = 10.24\n", square/1000)
}
