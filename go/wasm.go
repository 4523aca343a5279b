//go:build !(samplez_cgo && cgo)

package samplez

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

const backendName = "wasm"

// piece is how many samples a call of the module draws at most: whole blocks of an array and whole batches of a stream, so the
// integers are those of one call.
const piece = 8 * 8192

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
	m.module, err = machine.runtime.InstantiateModule(m.ctx, machine.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, stopped(err)
	}
	m.bottom, err = m.call("samplez_stack_end")
	return m, err
}

// close overwrites the memory and frees it.
func (m *instance) close() {
	if memory, there := m.module.Memory().Read(0, m.module.Memory().Size()); there {
		clear(memory)
	}
	_ = m.module.Close(m.ctx)
}

// call calls an exported function, which returns a number or nothing.
func (m *instance) call(name string, arguments ...uint64) (uint32, error) {
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
	if err := function.CallWithStack(m.ctx, m.stack[:max(len(arguments), 1)]); err != nil {
		m.broken = stopped(err)
		return 0, m.broken
	}
	return uint32(m.stack[0]), nil
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
	return m.reader.because(&Error{Status: Status(status), Message: m.text(at)})
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

// construction builds a sampler in an instance.
type construction func(m *instance) (uint32, error)

func ofRecipe(recipe string) construction {
	return func(m *instance) (uint32, error) {
		at, err := m.lay(4, len(recipe)+1)
		if err != nil {
			return 0, err
		}
		m.write(at[1], recipe)
		return m.created("samplez_sampler_new", at[0], uint64(at[1]))
	}
}

func ofTable(law, form string, entries []uint64, limbs int) construction {
	entries = append([]uint64(nil), entries...)
	return func(m *instance) (uint32, error) {
		at, err := m.lay(4, len(law)+1, len(form)+1, 8*len(entries))
		if err != nil {
			return 0, err
		}
		m.write(at[1], law)
		m.write(at[2], form)
		words(m, at[3], entries)
		return m.created("samplez_sampler_from_table", at[0],
			uint64(at[1]), uint64(at[2]), uint64(at[3]), uint64(len(entries)/limbs), uint64(limbs))
	}
}

func ofNumber(name string, arguments ...uint64) construction {
	return func(m *instance) (uint32, error) {
		at, err := m.lay(4)
		if err != nil {
			return 0, err
		}
		return m.created(name, at[0], arguments[:len(arguments):len(arguments)]...)
	}
}

func ofTernary() construction { return ofNumber("samplez_sampler_ternary") }

func ofCenteredBinomial(eta uint32) construction {
	return ofNumber("samplez_sampler_centered_binomial", uint64(eta))
}

func ofTUniform(b uint32) construction { return ofNumber("samplez_sampler_tuniform", uint64(b)) }

// worker is an instance with a sampler.
type worker struct {
	*instance
	handle uint32
}

// sampler is a construction with the instances that have run it and are idle.
type sampler struct {
	construct construction
	idle      chan worker
}

func (s *sampler) build(construct construction, texts *[5]string) error {
	s.construct, s.idle = construct, make(chan worker, runtime.GOMAXPROCS(0))
	return s.with(func(w worker) error {
		for i, text := range [...]string{"method", "recipe", "reason", "certificate", "certificate_json"} {
			at, err := w.call("samplez_sampler_"+text, uint64(w.handle))
			if err != nil {
				return err
			}
			texts[i] = w.text(at)
		}
		return nil
	})
}

func (s *sampler) own(owner *Sampler) {
	runtime.AddCleanup(owner, func(idle chan worker) {
		for {
			select {
			case w := <-idle:
				w.close()
			default:
				return
			}
		}
	}, s.idle)
}

// with runs a function with a worker that nobody else uses, and erases its arguments and results.
func (s *sampler) with(run func(worker) error) error {
	var w worker
	select {
	case w = <-s.idle:
	default:
		m, err := newInstance(nil)
		if err != nil {
			return err
		}
		handle, err := s.construct(m)
		if err != nil {
			m.close()
			return err
		}
		w = worker{m, handle}
	}
	err := run(w)
	if w.broken == nil {
		w.wipe()
		w.wipeStack()
		select {
		case s.idle <- w:
			return err
		default:
		}
	}
	w.close()
	return err
}

func (s *sampler) pmf(x int64) (mass float64, err error) {
	err = s.with(func(w worker) error {
		at, err := w.lay(8)
		if err != nil {
			return err
		}
		if err := w.check("samplez_sampler_pmf", uint64(w.handle), uint64(x), uint64(at[0])); err != nil {
			return err
		}
		mass = math.Float64frombits(binary.LittleEndian.Uint64(w.view(at[0], 8)))
		return nil
	})
	return mass, err
}

// pieces runs a function for pieces of out, which end at multiples of piece, counted from first on.
func pieces[T any](first uint64, out []T, run func(first uint64, out []T) error) error {
	for done := 0; ; {
		at := first + uint64(done)
		n := min(len(out)-done, piece-int(at%piece))
		if err := run(at, out[done:done+n]); err != nil {
			return err
		}
		if done += n; done == len(out) {
			return nil
		}
	}
}

func bulk[T Integer](s *sampler, source string, seed *Seed, first uint64, out []T) error {
	name := "samplez_bulk_i" + strconv.Itoa(width[T]())
	return zero(out, s.with(func(w worker) error {
		return pieces(first, out, func(first uint64, out []T) error {
			at, err := w.lay(len(seed), len(source)+1, len(out)*width[T]()/8)
			if err != nil {
				return err
			}
			copy(w.view(at[0], len(seed)), seed[:])
			w.write(at[1], source)
			err = w.check(name, uint64(w.handle), uint64(at[1]), uint64(at[0]), first, uint64(at[2]), uint64(len(out)), 1)
			if err == nil {
				receive(w.instance, at[2], out)
			}
			return err
		})
	}))
}

// stream is a stream in an instance of its own, with the samplers that have drawn from it.
type stream struct {
	mutex    sync.Mutex
	m        *instance
	handle   uint32
	samplers map[*Sampler]uint32
}

// open builds a stream by a function that returns its handle.
func open(r *reader, create func(m *instance) (uint32, error)) (*stream, error) {
	m, err := newInstance(r)
	if err != nil {
		return nil, err
	}
	handle, err := create(m)
	if err != nil {
		m.close()
		return nil, err
	}
	m.wipe()
	return &stream{m: m, handle: handle, samplers: map[*Sampler]uint32{}}, nil
}

func newStream(source string, seed *Seed) (*stream, error) {
	return open(nil, func(m *instance) (uint32, error) {
		at, err := m.lay(4, len(source)+1, len(Seed{}))
		if err != nil {
			return 0, err
		}
		m.write(at[1], source)
		if seed == nil {
			at[2] = 0
		} else {
			copy(m.view(at[2], len(seed)), seed[:])
		}
		return m.created("samplez_stream_new", at[0], uint64(at[1]), uint64(at[2]))
	})
}

func newStreamFrom(r *reader) (*stream, error) {
	return open(r, func(m *instance) (uint32, error) {
		at, err := m.lay(4)
		if err != nil {
			return 0, err
		}
		return m.created("samplez_stream_from_host", at[0], 0)
	})
}

func (t *stream) close() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.m != nil {
		t.m.close()
		t.m, t.samplers = nil, nil
	}
}

// with runs a function with the stream's instance, one call after the other, and erases arguments and results.
func (t *stream) with(run func(m *instance) error) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.m == nil {
		return refused("stream: is closed")
	}
	err := run(t.m)
	if t.m.broken == nil {
		t.m.wipe()
	}
	return err
}

// kept is how many samplers stay built in a stream.
const kept = 16

// sampler returns the handle of a sampler in the stream's instance.
func (t *stream) sampler(s *Sampler) (uint32, error) {
	handle, built := t.samplers[s]
	if built {
		return handle, nil
	}
	if len(t.samplers) == kept {
		for other, handle := range t.samplers {
			if _, err := t.m.call("samplez_sampler_free", uint64(handle)); err != nil {
				return 0, err
			}
			delete(t.samplers, other)
		}
	}
	handle, err := s.backend.construct(t.m)
	if err == nil {
		t.samplers[s] = handle
	}
	return handle, err
}

func fill[T Integer](t *stream, s *Sampler, out []T) error {
	name := "samplez_fill_i" + strconv.Itoa(width[T]())
	return zero(out, t.with(func(m *instance) error {
		handle, err := t.sampler(s)
		if err != nil {
			return err
		}
		return pieces(0, out, func(_ uint64, out []T) error {
			at, err := m.lay(len(out) * width[T]() / 8)
			if err != nil {
				return err
			}
			err = m.check(name, uint64(handle), uint64(t.handle), uint64(at[0]), uint64(len(out)))
			if err == nil {
				receive(m, at[0], out)
			}
			return err
		})
	}))
}

func (t *stream) sparseTernary(weight int, out []int8) error {
	return zero(out, t.with(func(m *instance) error {
		at, err := m.lay(len(out))
		if err != nil {
			return err
		}
		err = m.check("samplez_fill_sparse_ternary", uint64(t.handle), uint64(weight), uint64(at[0]), uint64(len(out)))
		if err == nil {
			receive(m, at[0], out)
		}
		return err
	}))
}

func (t *stream) round(sigma, center float64) (x int64, err error) {
	err = t.with(func(m *instance) error {
		at, err := m.lay(8)
		if err != nil {
			return err
		}
		err = m.check("samplez_round", uint64(t.handle), api.EncodeF64(sigma), api.EncodeF64(center), uint64(at[0]))
		if err == nil {
			x = int64(binary.LittleEndian.Uint64(m.view(at[0], 8)))
		}
		return err
	})
	return x, err
}

func (t *stream) roundEach(sigmas, centers []float64, out []int64) error {
	return t.with(func(m *instance) error {
		at, err := m.lay(8*len(sigmas), 8*len(centers), 8*len(out))
		if err != nil {
			return err
		}
		words(m, at[0], sigmas)
		words(m, at[1], centers)
		err = m.check("samplez_round_each", uint64(t.handle), uint64(at[0]), uint64(len(sigmas)), uint64(at[1]), uint64(at[2]), uint64(len(out)))
		if m.broken == nil {
			receive(m, at[2], out)
		}
		return err
	})
}

// spare are instances without a sampler that nobody uses.
var spare = make(chan *instance, runtime.GOMAXPROCS(0))

// borrow runs a function with an instance without a sampler, and erases arguments and results.
func borrow(run func(m *instance) error) (err error) {
	var m *instance
	select {
	case m = <-spare:
	default:
		if m, err = newInstance(nil); err != nil {
			return err
		}
	}
	err = run(m)
	if m.broken == nil {
		m.wipe()
		m.wipeStack()
		select {
		case spare <- m:
			return err
		default:
		}
	}
	m.close()
	return err
}

func parseSeed(text string) (seed Seed, err error) {
	err = borrow(func(m *instance) error {
		at, err := m.lay(len(seed), len(text)+1)
		if err != nil {
			return err
		}
		m.write(at[1], text)
		if err := m.check("samplez_seed_from_text", uint64(at[1]), uint64(at[0])); err != nil {
			return err
		}
		copy(seed[:], m.view(at[0], len(seed)))
		return nil
	})
	return seed, err
}

func selfTest() error { return borrow(func(m *instance) error { return m.check("samplez_self_test") }) }

func version() (text string) {
	_ = borrow(func(m *instance) error {
		at, err := m.call("samplez_version")
		text = m.text(at)
		return err
	})
	return text
}
