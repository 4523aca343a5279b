// Package samplez samples the discrete Gaussian over the integers, D_{Z,σ,c}: P(X = x) is proportional to exp(-(x-c)²/(2σ²)).
//
// The package needs no C compiler: it runs samplez as WebAssembly, by the runtime wazero. With the build tag samplez_cgo and with
// cgo, it calls the C library samplez_c instead. Both have the same functions, and the same integers for the same seed.
//
// A [Sampler] is immutable. A [Stream] and a [Sampler] may be used by several goroutines; the calls of one stream take turns.
//
// Timing: with samplez_cgo a certificate states the timing class of the C library. WebAssembly promises none, because a compiler at run
// time or an interpreter may introduce branches: there a certificate's timing is "unpromised", or "variable" as elsewhere, and
// constant_time=true is refused. A sampler over a table of yours has a certificate without timing.
package samplez

import (
	"fmt"
	"io"
	"math/bits"
	"runtime"
	"strings"
	"unicode/utf8"
)

// Status tells the kinds of errors apart.
type Status uint32

const (
	// InvalidArgument is the status of an argument that is not allowed.
	InvalidArgument Status = 1
	// OutOfRange is the status of a sample that does not fit the output type, with probability below 2^-128. The output is unspecified.
	OutOfRange Status = 2
	// NoEntropy is the status of a source of randomness that failed or is stuck. The output is all zeros.
	NoEntropy Status = 3
	// Internal is the status of a bug in samplez, of a failed self-test, and of memory that is exhausted. The output is unspecified.
	Internal Status = 4
)

// Error is the type of all errors of this package.
type Error struct {
	Status Status
	// Kind names the reason why an argument is refused, such as "out-of-range". It is empty for other errors.
	Kind    string
	Message string
	// Cause is the error of the [io.Reader] of [NewStreamFrom] if it failed, and the runtime's error if WebAssembly stopped.
	Cause error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// refused is the error of an argument that this package refuses before the library does.
func refused(kind, format string, arguments ...any) error {
	return &Error{Status: InvalidArgument, Kind: kind, Message: fmt.Sprintf(format, arguments...)}
}

// lengths is the error of a slice whose length does not fit the others.
func lengths(name string, given int, expected string, arguments ...any) error {
	elements := "elements"
	if given == 1 {
		elements = "element"
	}
	return refused("out-of-range", "%s: has %d %s: expected %s", name, given, elements, fmt.Sprintf(expected, arguments...))
}

// Integer is a type of samples.
type Integer interface{ int8 | int16 | int32 | int64 }

// textNames are the names of a sampler's texts in the library.
var textNames = [...]string{"method", "recipe", "reason", "certificate", "certificate_json"}

// Sampler draws from one distribution. The garbage collector frees it.
type Sampler struct {
	backend sampler
	texts   [len(textNames)]string
	built   bool
}

// usable refuses a sampler that no constructor built.
func (s *Sampler) usable() error {
	if s == nil || !s.built {
		return refused("missing", "sampler: expected one that New or another constructor returned, not nil or an empty one")
	}
	return nil
}

func newSampler(make construction) (*Sampler, error) {
	s := &Sampler{}
	if err := s.backend.build(make, &s.texts); err != nil {
		return nil, err
	}
	s.backend.own(s)
	s.built = true
	return s, nil
}

// New builds the sampler of a recipe, such as "sigma=3.2,center=1/3,precision=72": names and values, between two of them a comma.
// A width is needed: sigma, sigma_squared, k_sigma2 or s. The names are those of the command line, with underscores. Numbers are
// exact: 3.2 is 16/5. The planner chooses the missing parts.
//
// In place of a width, a recipe may state a distribution that is not Gaussian, about 0. Each has one sampler, and no method:
//   - "ternary": uniform on -1, 0 and 1.
//   - "centered_binomial=21": the sum of 21 fair bits minus the sum of as many others, of variance 21/2. The number is from 1 to 2^20,
//     and a sample takes two random bits for each unit. "cbd=21" is the same.
//   - "tuniform=17": TFHE's TUniform, uniform on -2^17 to 2^17 with half the mass at each end. The number is from 0 to 62.
//   - "skellam=5/2": the difference of two Poisson variables of mean 5/4 each, of variance 5/2. The variance is from 2^-16 to 2^20. Variances
//     of independent Skellam variables add: for a larger one, add samples.
//   - "laplace=3/2": discrete Laplace, P(x) proportional to exp(-|x|/(3/2)). The scale is from 2^-16 to 2^50.
//     "laplace=3/2,clip=20" is this, given that |x| is at most 20.
func New(recipe string) (*Sampler, error) {
	if err := checked("recipe", recipe); err != nil {
		return nil, err
	}
	return newSampler(ofRecipe(recipe))
}

// NewTable builds a sampler over a table of yours, such as FrodoKEM's: NewTable("sigma=2.8", "frodo", entries, 1). Its distribution
// is the table's, and the certificate is the distance from law. The form has the words of "samplez certify --form". An entry has
// limbs words of 64 bits, 1 to 5, the least significant first.
func NewTable(law, form string, entries []uint64, limbs int) (*Sampler, error) {
	if err := checked("law", law); err != nil {
		return nil, err
	}
	if err := checked("form", form); err != nil {
		return nil, err
	}
	if limbs < 1 || limbs > 5 {
		return nil, refused("out-of-range", "limbs = %d: expected a number between 1 and 5", limbs)
	}
	if len(entries)%limbs != 0 {
		return nil, lengths("entries", len(entries), "a multiple of %d, the limbs of an entry", limbs)
	}
	return newSampler(ofTable(law, form, entries, limbs))
}

func (s *Sampler) text(number int) string {
	if s == nil {
		return ""
	}
	return s.texts[number]
}

// Method returns the name of the method in use. It is empty for a distribution that is not Gaussian, and for a table, as are Recipe and
// Reason for a table.
func (s *Sampler) Method() string { return s.text(0) }

// Recipe returns the recipe with all choices, which builds the same sampler on any machine.
func (s *Sampler) Recipe() string { return s.text(1) }

// Reason returns the planner's reason for the method, "named" if the recipe has a method, or that there is one sampler.
func (s *Sampler) Reason() string { return s.text(2) }

// Certificate returns the certificate as text: distance from the ideal distribution, support, memory, random bits, timing.
func (s *Sampler) Certificate() string { return s.text(3) }

// CertificateJSON returns the certificate as one line of JSON, with the fields of "samplez certify --json".
func (s *Sampler) CertificateJSON() string { return s.text(4) }

// PMF returns P(X = x), correctly rounded. For a sampler of a table it is that of the distribution aimed at.
func (s *Sampler) PMF(x int64) (float64, error) {
	defer runtime.KeepAlive(s)
	if err := s.usable(); err != nil {
		return 0, err
	}
	return s.backend.pmf(x)
}

// Seed is a seed of 32 bytes, which must not all be equal.
type Seed [32]byte

// ParseSeed reads a seed: 64 hexadecimal digits, or a number below 2^64. A number gives the same seed in every language. Use it for
// reproducible results, not for secrets.
func ParseSeed(text string) (Seed, error) {
	if err := checked("text", text); err != nil {
		return Seed{}, err
	}
	var read Seed
	defer clear(read[:])
	err := parseSeed(text, &read)
	return read, err
}

// Bulk fills out with samples number first, first+1, … of the array of a sampler, a source such as "chacha20", and a seed. Number n
// is the same integer for every range, in every language. So goroutines may fill parts of one array, fastest where each part begins
// at a multiple of 8192. The bits come from the seed alone.
func Bulk[T Integer](s *Sampler, source string, seed Seed, first uint64, out []T) error {
	defer runtime.KeepAlive(s)
	defer clear(seed[:])
	if err := s.usable(); err != nil {
		return err
	}
	if err := checked("source", source); err != nil {
		return err
	}
	if last := uint64(len(out)); last > 1 {
		if _, carry := bits.Add64(first, last-1, 0); carry != 0 {
			return refused("out-of-range", "first = %d: expected at most %d with %d samples", first, -uint64(len(out)), len(out))
		}
	}
	return bulk(&s.backend, source, &seed, first, out)
}

// Stream is a source of random bits with a cursor.
type Stream struct{ backend *stream }

// usable refuses a stream that no constructor opened.
func (t *Stream) usable() error {
	if t == nil || t.backend == nil {
		return refused("missing", "stream: expected one that NewStream or NewStreamFrom returned, not nil or an empty one")
	}
	return nil
}

// NewStream opens a named source, such as "chacha20" or "os". The seed is nil for a seed from the operating system, and for a source
// that takes none.
func NewStream(source string, seed *Seed) (*Stream, error) {
	if err := checked("source", source); err != nil {
		return nil, err
	}
	return own(newStream(source, seed))
}

// NewStreamFrom opens a stream over a generator of yours, such as [crypto/rand.Reader]. The stream asks it for 1040 bytes at a time, and uses the first 1024.
// The generator must be cryptographic where the samples are secret. It must not use the stream, nor end its goroutine: after
// [runtime.Goexit] or a test's FailNow in Read, each call of the stream returns an error.
func NewStreamFrom(generator io.Reader) (*Stream, error) {
	if generator == nil {
		return nil, refused("missing", "generator: expected an io.Reader, such as crypto/rand.Reader, not nil")
	}
	return own(newStreamFrom(&reader{from: generator}))
}

func own(b *stream, err error) (*Stream, error) {
	if err != nil {
		return nil, err
	}
	t := &Stream{b}
	runtime.AddCleanup(t, (*stream).close, b)
	return t, nil
}

// Close erases the stream's state. Later calls return an error. The garbage collector closes a stream without this call.
func (t *Stream) Close() {
	defer runtime.KeepAlive(t)
	if t.usable() == nil {
		t.backend.close()
	}
}

// Fill fills out with the next samples. A type that is too narrow for the distribution is refused before anything is drawn.
func Fill[T Integer](t *Stream, s *Sampler, out []T) error {
	defer runtime.KeepAlive(t)
	defer runtime.KeepAlive(s)
	if err := t.usable(); err != nil {
		return err
	}
	if err := s.usable(); err != nil {
		return err
	}
	return fill(t.backend, s, out)
}

// SparseTernary fills out with entries in -1, 0 and 1, of which exactly weight are not 0, uniform over all such vectors.
func (t *Stream) SparseTernary(weight int, out []int8) error {
	defer runtime.KeepAlive(t)
	if err := t.usable(); err != nil {
		return err
	}
	if len(out) == 0 {
		return lengths("out", 0, "at least 1")
	}
	if weight < 1 || weight > len(out) {
		return refused("out-of-range", "weight = %d: expected a number between 1 and %d, the length of out", weight, len(out))
	}
	return t.backend.sparseTernary(weight, out)
}

// Round draws a sample of D_{Z,sigma,center}, exactly, with a centre and a width of its own: sigma from 1 to 2^26, |center| < 2^62.
func (t *Stream) Round(sigma, center float64) (int64, error) {
	defer runtime.KeepAlive(t)
	if err := t.usable(); err != nil {
		return 0, err
	}
	return t.backend.round(sigma, center)
}

// RoundEach fills out with samples of D_{Z,sigma,center}. There is a centre for each, and a width for each or one for all. With one width
// they are the integers of the command samplez round.
func (t *Stream) RoundEach(sigmas, centers []float64, out []int64) error {
	return t.each(false, sigmas, centers, out)
}

// SampleEach is a faster RoundEach, in batches. In general its integers are others.
func (t *Stream) SampleEach(sigmas, centers []float64, out []int64) error {
	return t.each(true, sigmas, centers, out)
}

func (t *Stream) each(inBatches bool, sigmas, centers []float64, out []int64) error {
	defer runtime.KeepAlive(t)
	if err := t.usable(); err != nil {
		return err
	}
	if len(centers) != len(out) {
		return lengths("out", len(out), "%d, as centers has", len(centers))
	}
	if len(sigmas) != len(out) && len(sigmas) != 1 {
		return lengths("sigmas", len(sigmas), "1, or %d as centers has", len(centers))
	}
	return t.backend.each(inBatches, sigmas, centers, out)
}

// Residues writes the integers modulo q into out, as integers from 0 to q - 1. q is from 2 to 2^63 - 1. For an RNS basis, call it for
// each prime. It is Go code, without a branch or a division on an integer.
func Residues(integers []int64, q uint64, out []uint64) error {
	if q < 2 || q >= 1<<63 {
		return refused("out-of-range", "q = %d: expected a number from 2 to 2^63 - 1", q)
	}
	if len(integers) != len(out) {
		return lengths("out", len(out), "%d, as integers has", len(integers))
	}
	inverse, _ := bits.Div64(1, 0, q) // floor(2^64/q)
	// reduced subtracts q from a number below 2q, unless it is below q.
	reduced := func(x uint64) uint64 {
		less := x - q
		return less + q&uint64(int64(less)>>63)
	}
	for i, x := range integers {
		sign := uint64(x >> 63)
		size := (uint64(x) ^ sign) - sign
		// The quotient, or one less: size is at most 2^63.
		quotient, _ := bits.Mul64(size, inverse)
		rest := reduced(size - quotient*q)
		out[i] = reduced((rest ^ sign) - sign + q&sign)
	}
	return nil
}

// SelfTest runs known answers of every cryptographic generator. Do not use the package after an error.
func SelfTest() error { return selfTest() }

// Version returns the version of the library in use.
func Version() string { return version() }

// Backend returns "wasm" or "cgo".
func Backend() string { return backendName }

// inGo translates the types and names in the C library's message to those of this package, and leaves what the caller typed as it is. A
// message about out has nothing of it, and the others are translated at their ends alone.
func inGo(said string) string {
	if strings.HasPrefix(said, "out = ") {
		return typesInGo(said)
	}
	for _, begin := range [][2]string{
		{"seed: expected NULL", "seed: expected nil"},
		{"callback: gave no randomness, and returned 1", "generator: gave no randomness"},
		{"callback: returned 0, but did not fill", "generator: counted bytes that it did not write: expected"},
	} {
		if rest, found := strings.CutPrefix(said, begin[0]); found {
			return begin[1] + strings.TrimSuffix(rest, "; return another number if some are missing")
		}
	}
	return strings.TrimSuffix(said, "; samplez_big_new takes numbers of up to 4096 bits")
}

var typesInGo = strings.NewReplacer("int8_t", "int8", "int16_t", "int16", "int32_t", "int32", "int64_t", "int64").Replace

// checked refuses a string that C would cut, and one that is not UTF-8.
func checked(argument, value string) error {
	if !utf8.ValidString(value) {
		return refused("other", "%s: expected UTF-8", argument)
	}
	if strings.IndexByte(value, 0) >= 0 {
		return refused("other", "%s = %q: expected no zero byte", argument, value)
	}
	return nil
}

// reader is a generator of the caller's, and its last error.
type reader struct {
	from io.Reader
	err  error
}

// fill returns whether the generator filled out. A panic of the generator counts as an error, and so do 100 calls in a row without a
// byte.
func (r *reader) fill(out []byte) (filled bool) {
	defer func() {
		if panicked := recover(); panicked != nil {
			r.err, filled = fmt.Errorf("the generator panicked: %v", panicked), false
		}
	}()
	begun := false
	for empty := 0; len(out) > 0 && empty < 100; empty++ {
		n, err := r.from.Read(out)
		if n < 0 || n > len(out) {
			r.err = fmt.Errorf("the generator gave %d bytes: expected from 0 to %d", n, len(out))
			return false
		}
		if n > 0 {
			empty = -1
		}
		begun = begun || n > 0
		if out = out[n:]; len(out) > 0 && err != nil {
			if r.err = err; err == io.EOF && begun {
				r.err = io.ErrUnexpectedEOF
			}
			return false
		}
	}
	if r.err = nil; len(out) > 0 {
		r.err = io.ErrNoProgress
	}
	return r.err == nil
}

// because adds the generator's error to the error of a call.
func (r *reader) because(err error) error {
	if e, is := err.(*Error); is && r != nil && e.Status == NoEntropy {
		e.Cause, r.err = r.err, nil
	}
	return err
}

// zero returns the error, after it has erased out for a failed source.
func zero[T Integer](out []T, err error) error {
	if e, is := err.(*Error); is && e.Status == NoEntropy {
		clear(out)
	}
	return err
}
