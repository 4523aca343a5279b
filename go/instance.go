//go:build !samplez_cgo

package samplez

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// If this file is missing, run make go: it builds the module from capi/src.
//
//go:embed samplez.wasm
var code []byte

// machine is the compiled module, from which all instances are made.
type machine struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

var start = sync.OnceValues(func() (*machine, error) {
	ctx, i32 := context.Background(), api.ValueTypeI32
	run := wazero.NewRuntime(ctx)
	host := run.NewHostModuleBuilder("samplez").
		NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(entropy), []api.ValueType{i32, i32}, []api.ValueType{i32}).Export("entropy").
		NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(read), []api.ValueType{i32, i32, i32}, []api.ValueType{i32}).Export("read")
	if _, err := host.Instantiate(ctx); err != nil {
		return nil, stopped(err)
	}
	module, err := run.CompileModule(ctx, code)
	if err != nil {
		return nil, stopped(err)
	}
	return &machine{run, module}, nil
})

func stopped(err error) error {
	return &Error{Status: Internal, Message: "the WebAssembly of samplez stopped, by a bug or for lack of memory", Cause: err}
}

// entropy is the module's generator of the operating system.
func entropy(_ context.Context, module api.Module, stack []uint64) {
	out, there := module.Memory().Read(uint32(stack[0]), uint32(stack[1]))
	stack[0] = 1
	if there {
		if _, err := rand.Read(out); err == nil {
			stack[0] = 0
		}
	}
}

// erased is a memory that leaves no copy on Go's heap: wazero's own leaves one each time it grows.
type erased struct {
	buffer  []byte
	maximum uint64
}

func allocate(_, maximum uint64) experimental.LinearMemory { return &erased{maximum: maximum} }

func (e *erased) Reallocate(size uint64) []byte {
	if size > uint64(cap(e.buffer)) {
		grown := make([]byte, size, min(size+size/4, e.maximum))
		copy(grown, e.buffer)
		e.Free()
		e.buffer = grown
	}
	e.buffer = e.buffer[:size]
	return e.buffer
}

func (e *erased) Free() {
	clear(e.buffer[:cap(e.buffer)])
	e.buffer = nil
}

type instanceKey struct{}

// read is the generator of a stream of NewStreamFrom.
func read(ctx context.Context, module api.Module, stack []uint64) {
	out, there := module.Memory().Read(uint32(stack[1]), uint32(stack[2]))
	m, is := ctx.Value(instanceKey{}).(*instance)
	stack[0] = 1
	if there && is && m.reader != nil && m.reader.fill(out) {
		stack[0] = 0
	}
}

// instance is a memory with the module's functions, for one goroutine at a time.
type instance struct {
	ctx       context.Context
	module    api.Module
	functions map[string]api.Function
	stack     [8]uint64
	reader    *reader
	// The memory for arguments, and how much of it the last call used.
	at, size, used uint32
	// Where the stack begins; it grows downwards.
	bottom uint32
	// Whether a call has begun and has not returned.
	running bool
	// The error that ended the instance.
	broken error
}

func newInstance(r *reader) (*instance, error) {
	machine, err := start()
	if err != nil {
		return nil, err
	}
	m := &instance{functions: map[string]api.Function{}, reader: r}
	m.ctx = context.WithValue(context.Background(), instanceKey{}, m)
	m.ctx = experimental.WithMemoryAllocator(m.ctx, experimental.MemoryAllocatorFunc(allocate))
	m.module, err = machine.runtime.InstantiateModule(m.ctx, machine.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, stopped(err)
	}
	if m.bottom, err = m.call("samplez_stack_end"); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// close erases the memory and frees it.
func (m *instance) close() { _ = m.module.Close(m.ctx) }

var errEnded = errors.New("the generator ended its goroutine")

// call calls an exported function, which returns a number or nothing.
func (m *instance) call(name string, arguments ...uint64) (uint32, error) {
	if m.running && m.broken == nil {
		m.broken = stopped(errEnded)
	}
	if m.broken != nil {
		return 0, m.broken
	}
	function := m.functions[name]
	if function == nil {
		function = m.module.ExportedFunction(name)
		m.functions[name] = function
	}
	m.stack[0] = 0
	copy(m.stack[:], arguments)
	m.running = true
	err := function.CallWithStack(m.ctx, m.stack[:max(len(arguments), 1)])
	m.running = false
	result := uint32(m.stack[0])
	clear(m.stack[:])
	if err != nil {
		m.broken = stopped(err)
	}
	return result, m.broken
}

// check calls a function that returns a status.
func (m *instance) check(name string, arguments ...uint64) error {
	status, err := m.call(name, arguments...)
	if err != nil || status == 0 {
		return err
	}
	at, err := m.call("samplez_last_error")
	if err != nil {
		return err
	}
	message := inGo(m.text(at))
	if at, err = m.call("samplez_last_kind"); err != nil {
		return err
	}
	return m.reader.because(&Error{Status: Status(status), Kind: m.text(at), Message: message})
}

// lay returns places for arguments of these sizes, each at a multiple of 16, until the next call of lay.
func (m *instance) lay(sizes ...int) (places [4]uint32, err error) {
	total := uint64(0)
	for i, size := range sizes {
		places[i] = uint32(total)
		total += (uint64(size) + 15) &^ 15
		if total > math.MaxInt32 {
			return places, &Error{Status: Internal, Message: fmt.Sprintf(
				"%d bytes of arguments: more than WebAssembly can hold; use shorter slices, or the build tag samplez_cgo", size)}
		}
	}
	if total > uint64(m.size) {
		m.wipe()
		if _, err := m.call("samplez_release", uint64(m.at), uint64(m.size)); err != nil {
			return places, err
		}
		m.at, m.size = 0, 0
		at, err := m.call("samplez_allocate", total)
		if err == nil && at == 0 {
			err = &Error{Status: Internal, Message: fmt.Sprintf("%d bytes of arguments: no memory is left", total)}
		}
		if err != nil {
			return places, err
		}
		m.at, m.size = at, uint32(total)
	}
	for i := range places {
		places[i] += m.at
	}
	m.used = max(m.used, uint32(total))
	return places, nil
}

// wipe erases the arguments and results of the last calls.
func (m *instance) wipe() {
	clear(m.view(m.at, int(m.used)))
	m.used = 0
}

// stackUsed is more stack than a call with secrets takes: 64 KiB of a sampler, and what its source takes.
const stackUsed = 128 << 10

// wipeStack erases what the last calls have left on the stack of WebAssembly.
func (m *instance) wipeStack() {
	size := min(m.bottom, stackUsed)
	clear(m.view(m.bottom-size, int(size)))
}

// view returns a part of the memory. It is valid until the memory grows.
func (m *instance) view(at uint32, length int) []byte {
	view, _ := m.module.Memory().Read(at, uint32(length))
	return view
}

// text returns the string at an address; it is empty for the address 0.
func (m *instance) text(at uint32) string {
	if at == 0 {
		return ""
	}
	memory := m.view(at, int(m.module.Memory().Size()-at))
	for i, b := range memory {
		if b == 0 {
			return string(memory[:i])
		}
	}
	return ""
}

// write writes a string with the zero byte that ends it.
func (m *instance) write(at uint32, text string) {
	view := m.view(at, len(text)+1)
	copy(view, text)
	view[len(text)] = 0
}

// words writes words of 64 bits.
func words[T uint64 | float64](m *instance, at uint32, values []T) {
	view := m.view(at, 8*len(values))
	for i, value := range values {
		var word uint64
		switch value := any(value).(type) {
		case uint64:
			word = value
		case float64:
			word = math.Float64bits(value)
		}
		binary.LittleEndian.PutUint64(view[8*i:], word)
	}
}

// receive copies samples out of the memory.
func receive[T Integer](m *instance, at uint32, out []T) {
	view := m.view(at, len(out)*width[T]()/8)
	switch out := any(out).(type) {
	case []int8:
		for i := range out {
			out[i] = int8(view[i])
		}
	case []int16:
		for i := range out {
			out[i] = int16(binary.LittleEndian.Uint16(view[2*i:]))
		}
	case []int32:
		for i := range out {
			out[i] = int32(binary.LittleEndian.Uint32(view[4*i:]))
		}
	case []int64:
		for i := range out {
			out[i] = int64(binary.LittleEndian.Uint64(view[8*i:]))
		}
	}
}

// width returns the bits of a type.
func width[T Integer]() int {
	var x T
	switch any(x).(type) {
	case int8:
		return 8
	case int16:
		return 16
	case int32:
		return 32
	default:
		return 64
	}
}

// created calls a constructor, whose last argument is a place for the handle, and returns the handle.
func (m *instance) created(name string, place uint32, arguments ...uint64) (uint32, error) {
	if err := m.check(name, append(arguments, uint64(place))...); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(m.view(place, 4)), nil
}
