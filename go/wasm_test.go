//go:build !(samplez_cgo && cgo)

package samplez

import (
	"bytes"
	"testing"
)

// The memory of instances that wait for the next call has no seed, and no samples among the arguments.
func TestMemoryIsErased(t *testing.T) {
	sampler, err := New("sigma=3.2")
	if err != nil {
		t.Fatal(err)
	}
	seed := Seed([]byte("a seed that nothing else contain"))
	out := make([]int64, 100_000)
	if err := Bulk(sampler, "chacha20", seed, 5, out); err != nil {
		t.Fatal(err)
	}
	w := <-sampler.backend.idle
	if memory := w.view(0, int(w.module.Memory().Size())); bytes.Contains(memory, seed[:]) {
		t.Errorf("the seed is in the memory of a sampler, at %d", bytes.Index(memory, seed[:]))
	}
	if place := w.view(w.at, int(w.size)); len(place) < 1000 || !bytes.Equal(place, make([]byte, len(place))) {
		t.Error("samples are in the memory for arguments")
	}
	stream, err := NewStream("chacha20", &seed)
	if err != nil {
		t.Fatal(err)
	}
	if err := Fill(stream, sampler, out); err != nil {
		t.Fatal(err)
	}
	memory := stream.backend.m.view(0, int(stream.backend.m.module.Memory().Size()))
	stream.Close()
	if len(memory) < 1000 || !bytes.Equal(memory, make([]byte, len(memory))) {
		t.Error("the memory of a closed stream is not erased")
	}
}

// An instance that stopped is not used again.
func TestStoppedInstances(t *testing.T) {
	sampler, err := New("sigma=3.2")
	if err != nil {
		t.Fatal(err)
	}
	err = sampler.backend.with(func(w worker) error {
		_, err := w.call("samplez_sampler_method", 1<<31) // a place that is not in the memory
		return err
	})
	if e, is := err.(*Error); !is || e.Status != Internal || e.Cause == nil {
		t.Errorf("%v is no error of a stopped instance", err)
	}
	if len(sampler.backend.idle) != 0 {
		t.Error("the instance is kept")
	}
	if err := Bulk(sampler, "chacha20", Seed{1}, 0, make([]int8, 8)); err != nil {
		t.Error(err)
	}
}
