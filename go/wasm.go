//go:build !samplez_cgo

package samplez

import (
	"encoding/binary"
	"math"
	"runtime"
	"strconv"
	"sync"

	"github.com/tetratelabs/wazero/api"
)

const backendName = "wasm"

// A call of the module draws a piece of samples: whole blocks of an array, or what a stream keeps and then whole batches. The last one takes
// a rest that a stream would draw as a short fill. So the integers are those of one call.
const piece, short = 8 * 8192, 512

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

func (s *sampler) build(construct construction, texts *[len(textNames)]string) error {
	s.construct, s.idle = construct, make(chan worker, runtime.GOMAXPROCS(0))
	return s.with(func(w worker) error {
		for i, name := range textNames {
			place, err := w.lay(len(name) + 1)
			if err != nil {
				return err
			}
			w.write(place[0], name)
			at, err := w.call("samplez_sampler_text", uint64(w.handle), uint64(place[0]))
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

// pieces runs a function for pieces of out, which but for the last end at multiples of piece, counted from first on.
func pieces[T any](first uint64, out []T, run func(first uint64, out []T) error) error {
	for done := 0; ; {
		at := first + uint64(done)
		n := min(len(out)-done, piece-int(at%piece))
		if rest := len(out) - done - n; rest <= short {
			n += rest
		}
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
	m.wipeStack()
	return &stream{m: m, handle: handle, samplers: map[*Sampler]uint32{}}, nil
}

func newStream(source string, seed *Seed) (*stream, error) {
	if source == "dev-random" || source == "dev-urandom" {
		return nil, refused("unsupported", "source = %s: expected one without a device, because WebAssembly has none; use os, or the build tag samplez_cgo", source)
	}
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
		return refused("other", "stream: expected an open one, and it is closed")
	}
	err := run(t.m)
	if t.m.broken == nil {
		t.m.wipe()
	} else if e, is := t.m.broken.(*Error); is {
		err = &Error{Status: e.Status, Message: e.Message + "; open a new stream", Cause: e.Cause}
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
		ahead, err := m.call("samplez_stream_ahead", uint64(handle), uint64(t.handle))
		if err != nil {
			return err
		}
		return pieces(piece-uint64(ahead), out, func(_ uint64, out []T) error {
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

func (t *stream) each(inBatches bool, sigmas, centers []float64, out []int64) error {
	draw := "samplez_round_each"
	if inBatches {
		draw = "samplez_sample_each"
	}
	return t.with(func(m *instance) error {
		at, err := m.lay(8*len(sigmas), 8*len(centers), 8*len(out))
		if err != nil {
			return err
		}
		words(m, at[0], sigmas)
		words(m, at[1], centers)
		err = m.check(draw, uint64(t.handle), uint64(at[0]), uint64(len(sigmas)), uint64(at[1]), uint64(at[2]), uint64(len(out)))
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

func parseSeed(text string, seed *Seed) error {
	return borrow(func(m *instance) error {
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
