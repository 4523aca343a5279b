//go:build !samplez_cgo

package samplez

import (
	"bytes"
	"strings"
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
	stream, err := NewStream("hash-drbg-sha256", &seed) // whose state is not the seed
	if err != nil {
		t.Fatal(err)
	}
	m := stream.backend.m
	if memory := m.view(0, int(m.module.Memory().Size())); bytes.Contains(memory, seed[:]) {
		t.Errorf("the seed is in the memory of a stream, at %d", bytes.Index(memory, seed[:]))
	}
	if err := Fill(stream, sampler, out); err != nil {
		t.Fatal(err)
	}
	memory := m.view(0, int(m.module.Memory().Size()))
	stream.Close()
	if len(memory) < 1000 || !bytes.Equal(memory, make([]byte, len(memory))) {
		t.Error("the memory of a closed stream is not erased")
	}
}

// A memory that grows leaves no copy: the old one is erased.
func TestGrownMemoryIsErased(t *testing.T) {
	stream, err := NewStream("chacha20", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	memory := stream.backend.m.module.Memory()
	old := stream.backend.m.view(0, int(memory.Size()))
	if bytes.Equal(old, make([]byte, len(old))) {
		t.Fatal("the memory of a stream is empty")
	}
	out := make([]int64, 1<<18)
	for range 2 {
		if err := stream.SampleEach([]float64{3.2}, make([]float64, len(out)), out); err != nil {
			t.Fatal(err)
		}
	}
	if int(memory.Size()) <= len(old) {
		t.Fatal("the memory has not grown")
	}
	if !bytes.Equal(old, make([]byte, len(old))) {
		t.Error("the memory before it grew is not erased")
	}
}

// The words that a call passes are erased: sigma and center here.
func TestNumbersAreErased(t *testing.T) {
	stream, err := NewStream("chacha20", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if _, err := stream.Round(3.2, 0.5); err != nil {
		t.Fatal(err)
	}
	if m := stream.backend.m; m.stack != [len(m.stack)]uint64{} {
		t.Errorf("the numbers are left: %x", m.stack)
	}
}

func TestDevices(t *testing.T) {
	if _, err := NewStream("dice", nil); err == nil || !strings.HasSuffix(err.Error(), "posix-rand, os") {
		t.Errorf("%v names sources that are refused", err)
	}
	for _, source := range []string{"dev-random", "dev-urandom"} {
		if _, err := NewStream(source, nil); err == nil || !strings.Contains(err.Error(), "because WebAssembly has none") {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// An instance that stopped is not used again.
func TestStoppedInstances(t *testing.T) {
	sampler, err := New("sigma=3.2")
	if err != nil {
		t.Fatal(err)
	}
	err = sampler.backend.with(func(w worker) error {
		_, err := w.call("samplez_sampler_pmf", 1<<31, 0, 16) // a place that is not in the memory
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
	stream, err := NewStream("chacha20", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = stream.backend.with(func(m *instance) error { _, err := m.call("samplez_sampler_pmf", 1<<31, 0, 16); return err })
	if err := Fill(stream, sampler, make([]int8, 8)); err == nil || !strings.Contains(err.Error(), "; open a new stream: ") {
		t.Errorf("%v does not name the remedy", err)
	}
	stream.Close()
}

// WebAssembly promises no timing: certificates say so, and constant time is refused. The method draws the same integers as natively.
func TestTimingIsUnpromised(t *testing.T) {
	for recipe, class := range map[string]string{"sigma=3.2": "constant", "sigma=215": "isochronous"} {
		sampler, err := New(recipe)
		if err != nil {
			t.Fatal(err)
		}
		if words := class + " (native code only; WebAssembly promises none)\n"; !strings.Contains(sampler.Certificate(), words) {
			t.Errorf("%s: %s\nhas no %q", recipe, sampler.Certificate(), words)
		}
		if json := sampler.CertificateJSON(); !strings.Contains(json, `"timing":"unpromised"`) {
			t.Errorf("%s: %s", recipe, json)
		}
	}
	for _, recipe := range []string{"sigma=3.2,constant_time=true", "sigma=3.2,method=cdt-ct,constant_time=true"} {
		_, err := New(recipe)
		for _, part := range []string{"constant_time = true: WebAssembly promises no timing", "samplez_cgo", "name its method for the same integers"} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v: expected %q", recipe, err, part)
			}
		}
	}
	if _, err := New("sigma=3.2,method=knuth-yao-ct"); err != nil {
		t.Error(err)
	}
}
