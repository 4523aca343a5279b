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
	"reflect"
	"runtime"
	"strings"
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

// own hands a new handle to a Sampler that frees it.
func own(make func(**C.samplez_sampler) uint32) (*Sampler, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sampler := &Sampler{}
	if err := check(make(&sampler.handle)); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(sampler, func(s *Sampler) { C.samplez_sampler_free(s.handle) })
	return sampler, nil
}

// NewTernary builds the sampler of the uniform law on -1, 0 and 1. Like the two laws below it is no Gaussian.
func NewTernary() (*Sampler, error) {
	return own(func(out **C.samplez_sampler) uint32 { return C.samplez_sampler_ternary(out) })
}

// NewCenteredBinomial builds the sampler of CBD(eta), eta from 1 to 32.
func NewCenteredBinomial(eta uint32) (*Sampler, error) {
	return own(func(out **C.samplez_sampler) uint32 { return C.samplez_sampler_centered_binomial(C.uint32_t(eta), out) })
}

// NewTUniform builds the sampler of TFHE's TUniform(b), b from 0 to 62.
func NewTUniform(b uint32) (*Sampler, error) {
	return own(func(out **C.samplez_sampler) uint32 { return C.samplez_sampler_tuniform(C.uint32_t(b), out) })
}

// NewTable builds the constant-time sampler over a table of entries below 2^64, such as FrodoKEM's.
func NewTable(law, form string, entries []uint64) (*Sampler, error) {
	if len(entries) == 0 {
		return nil, errors.New("entries: expected at least one")
	}
	texts := [2]*C.char{C.CString(law), C.CString(form)}
	defer C.free(unsafe.Pointer(texts[0]))
	defer C.free(unsafe.Pointer(texts[1]))
	return own(func(out **C.samplez_sampler) uint32 {
		return C.samplez_sampler_from_table(texts[0], texts[1], (*C.uint64_t)(&entries[0]), C.size_t(len(entries)), 1, out)
	})
}

// SparseTernary fills out with one vector of the stream of this seed, of which weight entries are not 0.
func SparseTernary(seed [32]byte, weight int, out []int8) error {
	if len(out) == 0 || weight < 1 {
		return fmt.Errorf("weight = %d: expected 1 to %d, the length of out", weight, len(out))
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	source := C.CString("chacha20")
	defer C.free(unsafe.Pointer(source))
	var stream *C.samplez_stream
	if err := check(C.samplez_stream_new(source, (*C.uint8_t)(&seed[0]), &stream)); err != nil {
		return err
	}
	defer C.samplez_stream_free(stream)
	return check(C.samplez_fill_sparse_ternary(stream, C.size_t(weight), (*C.int8_t)(&out[0]), C.size_t(len(out))))
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

// seedOf returns the 32 bytes of a short seed.
func seedOf(number string) (seed [32]byte) {
	text := C.CString(number)
	defer C.free(unsafe.Pointer(text))
	C.samplez_seed_from_text(text, (*C.uint8_t)(&seed[0]))
	return
}

// otherLaws compares rows of kat/finite.csv, which every language draws, and tries bad arguments.
func otherLaws() error {
	for _, row := range []struct {
		build   func() (*Sampler, error)
		samples []int64
	}{
		{NewTernary, []int64{1, 1, 1, 0, 0, -1, 0, -1, 1, 1, -1, 0, 1, -1, 0, -1}},
		{func() (*Sampler, error) { return NewCenteredBinomial(21) }, []int64{0, -4, 1, -4, -1, 2, 1, 2, 1, 1, 2, -1, -2, -2, 4, -4}},
		{func() (*Sampler, error) { return NewTUniform(17) }, []int64{-58964, -90986, 127107, -33565, -110990, -61449, 85350, 125769, 85913, -110768, -51042, 114662, -74311, -95237, 70017, -116911}},
	} {
		sampler, err := row.build()
		if err != nil {
			return err
		}
		found := make([]int64, len(row.samples))
		if err := sampler.Bulk(seedOf("1"), 0, found); err != nil {
			return err
		}
		if !reflect.DeepEqual(found, row.samples) {
			return fmt.Errorf("%v were drawn: expected %v", found, row.samples)
		}
	}
	vector := make([]int8, 16)
	if err := SparseTernary(seedOf("5"), 3, vector); err != nil {
		return err
	}
	if wanted := []int8{0, 0, 0, 0, 0, 0, -1, 1, 0, 0, 0, 0, -1, 0, 0, 0}; !reflect.DeepEqual(vector, wanted) {
		return fmt.Errorf("the vector %v was drawn: expected %v", vector, wanted)
	}
	frodo := []uint64{9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1}
	table, err := NewTable("sigma=2.8", "frodo", frodo)
	if err != nil {
		return err
	}
	errs := make([]int64, 640*8)
	if err := table.Bulk(seedOf("1"), 0, errs); err != nil {
		return err
	}
	for _, x := range errs {
		if x < -12 || x > 12 {
			return fmt.Errorf("the error %d is outside of FrodoKEM's table", x)
		}
	}
	for want, err := range map[string]error{
		"eta = 33: must be between 1 and 32":        second(NewCenteredBinomial(33)),
		"bound_log2 = 63: must be between 0 and 62": second(NewTUniform(63)),
		"has no constant-time sampler":              second(NewTable("sigma=1", "folded,pmf,8", []uint64{100, 120})),
		"weight = 17":                               SparseTernary(seedOf("5"), 17, vector),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			return fmt.Errorf("the error %q was expected, not %v", want, err)
		}
	}
	return nil
}

func second(_ *Sampler, err error) error { return err }

func main() {
	if err := otherLaws(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
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
