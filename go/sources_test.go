package samplez_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"slices"
	"testing"
	"testing/iotest"

	samplez "example.org/samplez/go"
)

// draws returns a call of every function that draws from a stream, by its name, and what it leaves in its output.
func draws(sampler *samplez.Sampler) map[string]func(*samplez.Stream) ([]int64, error) {
	const count = 20_000
	sigmas, centers := slices.Repeat([]float64{3.2}, count), make([]float64, count)
	each := func(draw func(*samplez.Stream, []float64, []float64, []int64) error) func(*samplez.Stream) ([]int64, error) {
		return func(t *samplez.Stream) ([]int64, error) {
			out := slices.Repeat([]int64{77}, count)
			return out, draw(t, sigmas, centers, out)
		}
	}
	return map[string]func(*samplez.Stream) ([]int64, error){
		"Fill": func(t *samplez.Stream) (out []int64, err error) {
			narrow := slices.Repeat([]int8{77}, count)
			if err := samplez.Fill(t, sampler, narrow); err == nil || !slices.Equal(narrow, make([]int8, count)) {
				return []int64{77}, err
			}
			out = slices.Repeat([]int64{77}, count)
			return out, samplez.Fill(t, sampler, out)
		},
		"SparseTernary": func(t *samplez.Stream) ([]int64, error) {
			out := slices.Repeat([]int8{77}, count)
			err := t.SparseTernary(count/2, out)
			return []int64{int64(slices.Max(out)), int64(slices.Min(out))}, err
		},
		"Round": func(t *samplez.Stream) ([]int64, error) {
			for range count {
				if x, err := t.Round(3.2, 0.5); err != nil {
					return []int64{x}, err
				}
			}
			return nil, nil
		},
		"RoundEach":  each((*samplez.Stream).RoundEach),
		"SampleEach": each((*samplez.Stream).SampleEach),
	}
}

// takers returns the names of the exported functions and methods that take a stream, except Close.
func takers() (names []string) {
	file := must(parser.ParseFile(token.NewFileSet(), "samplez.go", nil, 0))
	isStream := func(field *ast.Field) bool {
		pointer, is := field.Type.(*ast.StarExpr)
		return is && fmt.Sprint(pointer.X) == "Stream"
	}
	for _, declared := range file.Decls {
		function, is := declared.(*ast.FuncDecl)
		if !is || !function.Name.IsExported() || function.Name.Name == "Close" {
			continue
		}
		if (function.Recv != nil && isStream(function.Recv.List[0])) || slices.ContainsFunc(function.Type.Params.List, isStream) {
			names = append(names, function.Name.Name)
		}
	}
	slices.Sort(names)
	return names
}

// after gives random bytes, and then those of another reader.
func after(count int64, then io.Reader) io.Reader {
	return io.MultiReader(io.LimitReader(rand.Reader, count), then)
}

// same repeats its first bytes.
type same []byte

func (s same) Read(out []byte) (int, error) { return copy(out, s), nil }

// Every function × every fault of a source is an error, and leaves zeros.
func TestEveryDrawOverABrokenSource(t *testing.T) {
	sampler := must(samplez.New("sigma=3.2"))
	calls := draws(sampler)
	if names := slices.Sorted(maps.Keys(calls)); !slices.Equal(names, takers()) {
		t.Fatalf("the test calls %v, and the package has %v", names, takers())
	}
	broken := errors.New("broken")
	some := make([]byte, 1040)
	_ = must(rand.Read(some))
	for fault, source := range map[string]func() io.Reader{
		"fails at once":        func() io.Reader { return iotest.ErrReader(broken) },
		"ends at once":         func() io.Reader { return bytes.NewReader(nil) },
		"fails at byte 1":      func() io.Reader { return after(1, iotest.ErrReader(broken)) },
		"fails at byte 1039":   func() io.Reader { return after(1039, iotest.ErrReader(broken)) },
		"fails at byte 3000":   func() io.Reader { return after(3000, iotest.ErrReader(broken)) },
		"ends at byte 3000":    func() io.Reader { return after(3000, bytes.NewReader(nil)) },
		"zeros":                func() io.Reader { return bytes.NewReader(make([]byte, 1<<20)) },
		"zeros from byte 3120": func() io.Reader { return after(3120, bytes.NewReader(make([]byte, 1<<20))) },
		"the same bytes":       func() io.Reader { return same(some) },
		"gives nothing":        func() io.Reader { return counts(0) },
		"claims more bytes":    func() io.Reader { return counts(2000) },
		"panics":               func() io.Reader { return panics{} },
	} {
		for name, call := range calls {
			stream := must(samplez.NewStreamFrom(source()))
			out, err := call(stream)
			var failed *samplez.Error
			if !errors.As(err, &failed) || failed.Status != samplez.NoEntropy {
				t.Errorf("%s, %s: no randomness was expected, and not %v", name, fault, err)
			}
			if slices.ContainsFunc(out, func(x int64) bool { return x != 0 }) {
				t.Errorf("%s, %s: integers are left", name, fault)
			}
			stream.Close()
		}
	}
}
