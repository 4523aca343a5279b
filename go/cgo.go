//go:build samplez_cgo && cgo

package samplez

/*
#cgo LDFLAGS: -lsamplez_c -lm -lpthread -ldl
#include "samplez.h"
#include <stdint.h>
#include <stdlib.h>

extern int samplezReadFromGo(uintptr_t reader, uint8_t *out, size_t length);
static int read_from_go(void *context, uint8_t *out, size_t length) {
    return samplezReadFromGo((uintptr_t)context, out, length);
}
static samplez_status stream_from_go(uintptr_t reader, samplez_stream **out) {
    return samplez_stream_from_callback(read_from_go, (void *)reader, out);
}
*/
import "C"

import (
	"runtime"
	"runtime/cgo"
	"sync"
	"unsafe"
)

const backendName = "cgo"

// check runs a function that returns a status. The message of an error belongs to the thread.
func check(r *reader, call func() uint32) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	status := call()
	if status == C.SAMPLEZ_OK {
		return nil
	}
	return r.because(&Error{Status: Status(status), Kind: C.GoString(C.samplez_last_kind()), Message: inGo(C.GoString(C.samplez_last_error()))})
}

// construction builds a sampler.
type construction func(out **C.samplez_sampler) uint32

func ofRecipe(recipe string) construction {
	return func(out **C.samplez_sampler) uint32 {
		text := C.CString(recipe)
		defer C.free(unsafe.Pointer(text))
		return C.samplez_sampler_new(text, out)
	}
}

func ofTable(law, form string, entries []uint64, limbs int) construction {
	return func(out **C.samplez_sampler) uint32 {
		law, form := C.CString(law), C.CString(form)
		defer C.free(unsafe.Pointer(law))
		defer C.free(unsafe.Pointer(form))
		words := (*C.uint64_t)(unsafe.SliceData(entries))
		return C.samplez_sampler_from_table(law, form, words, C.size_t(len(entries)/limbs), C.size_t(limbs), out)
	}
}

type sampler struct{ handle *C.samplez_sampler }

func (s *sampler) build(construct construction, texts *[len(textNames)]string) error {
	var handle *C.samplez_sampler
	if err := check(nil, func() uint32 { return construct(&handle) }); err != nil {
		return err
	}
	s.handle = handle
	for i, name := range textNames {
		text := C.CString(name)
		texts[i] = C.GoString(C.samplez_sampler_text(handle, text))
		C.free(unsafe.Pointer(text))
	}
	return nil
}

func (s *sampler) own(owner *Sampler) {
	runtime.AddCleanup(owner, func(handle *C.samplez_sampler) { C.samplez_sampler_free(handle) }, s.handle)
}

func (s *sampler) pmf(x int64) (float64, error) {
	var mass C.double
	err := check(nil, func() uint32 { return C.samplez_sampler_pmf(s.handle, C.int64_t(x), &mass) })
	return float64(mass), err
}

func bulk[T Integer](s *sampler, source string, seed *Seed, first uint64, out []T) error {
	name := C.CString(source)
	defer C.free(unsafe.Pointer(name))
	bytes, from, n := (*C.uint8_t)(&seed[0]), C.uint64_t(first), C.size_t(len(out))
	return zero(out, check(nil, func() uint32 {
		switch out := any(out).(type) {
		case []int8:
			return C.samplez_bulk_i8(s.handle, name, bytes, from, (*C.int8_t)(unsafe.SliceData(out)), n, 1)
		case []int16:
			return C.samplez_bulk_i16(s.handle, name, bytes, from, (*C.int16_t)(unsafe.SliceData(out)), n, 1)
		case []int32:
			return C.samplez_bulk_i32(s.handle, name, bytes, from, (*C.int32_t)(unsafe.SliceData(out)), n, 1)
		case []int64:
			return C.samplez_bulk_i64(s.handle, name, bytes, from, (*C.int64_t)(unsafe.SliceData(out)), n, 1)
		}
		panic("unreachable")
	}))
}

type stream struct {
	mutex  sync.Mutex
	handle *C.samplez_stream
	reader *reader
	// The reader's handle for C, or 0.
	context cgo.Handle
	// Whether a call has begun and has not returned.
	running bool
}

func newStream(source string, seed *Seed) (*stream, error) {
	t := &stream{}
	name := C.CString(source)
	defer C.free(unsafe.Pointer(name))
	err := check(nil, func() uint32 {
		var bytes *C.uint8_t
		if seed != nil {
			bytes = (*C.uint8_t)(&seed[0])
		}
		var handle *C.samplez_stream
		status := C.samplez_stream_new(name, bytes, &handle)
		t.handle = handle
		return status
	})
	return t, err
}

func newStreamFrom(r *reader) (*stream, error) {
	t := &stream{reader: r, context: cgo.NewHandle(r)}
	err := check(r, func() uint32 {
		var handle *C.samplez_stream
		status := uint32(C.stream_from_go(C.uintptr_t(t.context), &handle))
		t.handle = handle
		return status
	})
	if err != nil {
		t.context.Delete()
	}
	return t, err
}

//export samplezReadFromGo
func samplezReadFromGo(context C.uintptr_t, out *C.uint8_t, length C.size_t) C.int {
	if cgo.Handle(context).Value().(*reader).fill(unsafe.Slice((*byte)(out), int(length))) {
		return 0
	}
	return 1
}

func (t *stream) close() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.handle != nil {
		C.samplez_stream_free(t.handle)
		t.handle = nil
		if t.context != 0 {
			t.context.Delete()
		}
	}
}

// with runs a function with the stream, one call after the other.
func (t *stream) with(call func() uint32) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.handle == nil {
		return refused("other", "stream: expected an open one, and it is closed")
	}
	if t.running {
		return &Error{Status: Internal, Message: "the generator ended its goroutine; open a new stream"}
	}
	t.running = true
	err := check(t.reader, call)
	t.running = false
	return err
}

func fill[T Integer](t *stream, s *Sampler, out []T) error {
	n := C.size_t(len(out))
	return zero(out, t.with(func() uint32 {
		switch out := any(out).(type) {
		case []int8:
			return C.samplez_fill_i8(s.backend.handle, t.handle, (*C.int8_t)(unsafe.SliceData(out)), n)
		case []int16:
			return C.samplez_fill_i16(s.backend.handle, t.handle, (*C.int16_t)(unsafe.SliceData(out)), n)
		case []int32:
			return C.samplez_fill_i32(s.backend.handle, t.handle, (*C.int32_t)(unsafe.SliceData(out)), n)
		case []int64:
			return C.samplez_fill_i64(s.backend.handle, t.handle, (*C.int64_t)(unsafe.SliceData(out)), n)
		}
		panic("unreachable")
	}))
}

func (t *stream) sparseTernary(weight int, out []int8) error {
	return zero(out, t.with(func() uint32 {
		return C.samplez_fill_sparse_ternary(t.handle, C.size_t(weight), (*C.int8_t)(&out[0]), C.size_t(len(out)))
	}))
}

func (t *stream) round(sigma, center float64) (int64, error) {
	var x C.int64_t
	err := t.with(func() uint32 { return C.samplez_round(t.handle, C.double(sigma), C.double(center), &x) })
	return int64(x), err
}

func (t *stream) each(inBatches bool, sigmas, centers []float64, out []int64) error {
	return t.with(func() uint32 {
		widths, count := (*C.double)(unsafe.SliceData(sigmas)), C.size_t(len(sigmas))
		around, to := (*C.double)(unsafe.SliceData(centers)), (*C.int64_t)(unsafe.SliceData(out))
		if inBatches {
			return C.samplez_sample_each(t.handle, widths, count, around, to, C.size_t(len(out)))
		}
		return C.samplez_round_each(t.handle, widths, count, around, to, C.size_t(len(out)))
	})
}

func parseSeed(text string, seed *Seed) error {
	t := C.CString(text)
	defer C.free(unsafe.Pointer(t))
	defer clear(unsafe.Slice((*byte)(unsafe.Pointer(t)), len(text)))
	return check(nil, func() uint32 { return C.samplez_seed_from_text(t, (*C.uint8_t)(&seed[0])) })
}

func selfTest() error { return check(nil, func() uint32 { return C.samplez_self_test() }) }

func version() string { return C.GoString(C.samplez_version()) }
