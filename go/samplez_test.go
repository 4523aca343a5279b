package samplez_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	samplez "example.org/samplez/go"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// rows returns the rows of a file of kat/ below the heading.
func rows(t *testing.T, file string) [][]string {
	t.Helper()
	records := must(csv.NewReader(bytes.NewReader(must(os.ReadFile("../kat/" + file)))).ReadAll())
	if len(records) < 3 {
		t.Fatalf("%s has %d rows", file, len(records))
	}
	return records[1:]
}

func numbers(text string) (out []int64) {
	for _, word := range strings.Fields(text) {
		out = append(out, must(strconv.ParseInt(word, 10, 64)))
	}
	return out
}

func sum[T samplez.Integer](samples []T) string {
	var bytes []byte
	for _, x := range samples {
		bytes = binary.LittleEndian.AppendUint64(bytes, uint64(int64(x)))
	}
	hash := sha256.Sum256(bytes)
	return hex.EncodeToString(hash[:])
}

func number(text string) uint64 { return must(strconv.ParseUint(text, 10, 64)) }

// Counts of the first 100,000 integers, within 6 deviations of P(X = x). By the C library, the default's time is constant.
func TestDistribution(t *testing.T) {
	const count = 100_000
	sampler := must(samplez.New("sigma=3.2"))
	if samplez.Backend() == "cgo" && !strings.Contains(sampler.CertificateJSON(), `"timing":"constant"`) {
		t.Error(sampler.CertificateJSON())
	}
	out := make([]int8, count)
	if err := samplez.Bulk(sampler, "chacha20", must(samplez.ParseSeed("1")), 0, out); err != nil {
		t.Fatal(err)
	}
	var counts [256]int
	for _, x := range out {
		counts[int(x)+128]++
	}
	for x := int64(-12); x <= 12; x++ {
		p := must(sampler.PMF(x))
		off := float64(counts[x+128]) - p*count
		if off*off > 36*count*p*(1-p)+1 {
			t.Errorf("%d: %d times, expected %.1f", x, counts[x+128], p*count)
		}
	}
}

func TestVectorsOfStreams(t *testing.T) {
	for _, row := range rows(t, "streams.csv") {
		recipe := fmt.Sprintf("%s=%s,center=%s,method=%s", strings.ReplaceAll(row[0], "-", "_"), row[1], row[2], row[3])
		if row[4] != "0" {
			recipe += ",precision=" + row[4]
		}
		sampler, err := samplez.New(recipe)
		if err != nil {
			t.Fatal(recipe, err)
		}
		out := make([]int64, number(row[8]))
		if err := samplez.Bulk(sampler, row[5], must(samplez.ParseSeed(row[6])), number(row[7]), out); err != nil {
			t.Fatal(recipe, err)
		}
		if sum(out) != row[9] {
			t.Errorf("%v: %v and others were drawn", row, out[:8])
		}
	}
}

func TestVectorsOfRecipes(t *testing.T) {
	for _, row := range rows(t, "recipes.csv") {
		out := make([]int16, 16)
		err := samplez.Bulk(must(samplez.New(row[0])), row[1], must(samplez.ParseSeed(row[2])), 0, out)
		if found := strings.Trim(fmt.Sprint(out), "[]"); err != nil || found != row[3] {
			t.Errorf("%v: %v, %v", row, found, err)
		}
	}
}

// One call after the other, and in batches.
func TestVectorsAroundCenters(t *testing.T) {
	count := 0
	for _, row := range rows(t, "rounders.csv") {
		if row[0] != "strips" || row[1] != row[2] {
			continue
		}
		seed, expected, centers := must(samplez.ParseSeed(row[5])), numbers(row[8]), make([]float64, number(row[6]))
		for i := range centers {
			centers[i] = float64(7919*i-4_000_000) / float64(997+i%5)
		}
		stream, out, draw := must(samplez.NewStream("chacha20", &seed)), make([]int64, len(centers)), (*samplez.Stream).RoundEach
		if row[4] == "batch" {
			draw = (*samplez.Stream).SampleEach
		}
		if err := draw(stream, []float64{must(strconv.ParseFloat(row[3], 64))}, centers, out); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(out[:len(expected)], expected) || sum(out) != row[7] {
			t.Errorf("%v: %v", row, out[:len(expected)])
		}
		count++
	}
	if count != 2 {
		t.Errorf("%d vectors", count)
	}
}

func TestVectorsOfFiniteDistributions(t *testing.T) {
	for _, row := range rows(t, "finite.csv") {
		name, arguments, _ := strings.Cut(strings.TrimRight(row[0], ")"), "(")
		seed, expected := must(samplez.ParseSeed(row[1])), numbers(row[3])
		if name == "SparseTernary" {
			values := numbers(arguments)
			vector, found := make([]int8, values[0]), []int64{}
			stream := must(samplez.NewStream("chacha20", &seed))
			if err := stream.SparseTernary(int(values[1]), vector); err != nil {
				t.Error(row, err)
			}
			for _, x := range vector {
				found = append(found, int64(x))
			}
			if !slices.Equal(found, expected) {
				t.Errorf("%v: %v", row, found)
			}
			continue
		}
		recipe := map[string]string{"Ternary": "ternary", "CBD": "centered_binomial=", "TUniform": "tuniform=", "Skellam": "skellam=", "DiscreteLaplace": "laplace="}[name] + strings.Replace(arguments, ") within ", ",clip=", 1)
		sampler := must(samplez.New(recipe))
		found := make([]int64, len(expected))
		if err := samplez.Bulk(sampler, "chacha20", seed, number(row[2]), found); err != nil || !slices.Equal(found, expected) {
			t.Errorf("%v: %v, %v", row, found, err)
		}
		if sampler.Method() != "" || sampler.Recipe() != recipe || !strings.Contains(sampler.Certificate(), row[0]) {
			t.Errorf("%v: %q, %q, %q", row, sampler.Method(), sampler.Recipe(), sampler.Certificate())
		}
	}
}

func TestVectorsOfSeeds(t *testing.T) {
	for _, row := range rows(t, "short-seeds.csv") {
		if seed, err := samplez.ParseSeed(row[0]); err != nil || hex.EncodeToString(seed[:]) != row[1] {
			t.Errorf("%v: %x, %v", row, seed, err)
		}
	}
}

// The integers of streams, across the pieces in which WebAssembly draws them, with short fills between: cgo and WebAssembly have the same sums.
func TestStreams(t *testing.T) {
	seed := must(samplez.ParseSeed("7"))
	for _, c := range []struct {
		recipe string
		sum    string
	}{
		{"sigma=3.2", "0b1b2c56541c33286c359aedce1769fc5cff943deec8259363a597c0d236be67"},
		{"sigma=215,center=1/3", "60eb06d5fde8ae56a6870a00d3f16e1ad31f61b5e88ff8800a0e0f81c960734e"},
		{"sigma=215,method=convolution-ct", "7b8a75acd113436bff8df0501f12253c6b8a070aca1a223f13b2735c038f1943"},
		{"sigma=3.2,method=karney,variable_time=true", "376daaa7ea719eba8a34eff259e87dc5435746a8c2df3db19e189147a88354f0"},
	} {
		stream, sampler := must(samplez.NewStream("chacha20", &seed)), must(samplez.New(c.recipe))
		// Short fills, a fill with a short rest, and one after samples that the stream keeps.
		out := make([]int32, 400_000)
		rest := out
		for _, n := range []int{131_075, 5, 100, 200_000, 3, 68_817} {
			if err := samplez.Fill(stream, sampler, rest[:n]); err != nil {
				t.Fatal(c.recipe, err)
			}
			rest = rest[n:]
		}
		if found := sum(out); found != c.sum {
			t.Errorf("%s: the sum is %s", c.recipe, found)
		}
	}
	// Several samplers, types and calls on one stream, with centres of their own at the end.
	stream := must(samplez.NewStream("chacha20", &seed))
	small, wide := make([]int8, 1000), make([]int64, 1000)
	sigmas, centers, rounded := make([]float64, 1000), make([]float64, 1000), make([]int64, 1000)
	for i := range sigmas {
		sigmas[i], centers[i] = 1+float64(i%7), float64(i)/3
	}
	for i := range 20 {
		sampler := must(samplez.New(fmt.Sprintf("sigma=%d", 2+i%7)))
		for range 2 {
			if err := errors.Join(samplez.Fill(stream, sampler, small[50*i:50*i+50]), samplez.Fill(stream, sampler, wide[50*i:50*i+50])); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := stream.SampleEach(sigmas, centers, rounded); err != nil {
		t.Fatal(err)
	}
	rounded = append(rounded, must(stream.Round(3.2, 0.5)), must(stream.Round(1e6, -4e18)))
	if err := stream.SampleEach(sigmas[4:5], centers, wide[:1000]); err != nil {
		t.Fatal(err)
	}
	if found := sum(small) + sum(wide) + sum(rounded); found != "7d059ede2514e80fe554aa0190f7b0d5638a33049bed3ba3ec6d2d2fb2339f6802ec2a12d9fa2bc11e65698e1ce099a3bf3ab6f42bbf7151d35f56739eeaa78bf81efd20e9a949839d72ce484466d28326cffb539a3dd7db16e3bd5fa04214cc" {
		t.Errorf("the sums are %s", found)
	}
}

// A part of an array is the same whatever call draws it, and in several goroutines.
func TestPartsOfArrays(t *testing.T) {
	sampler, seed := must(samplez.New("sigma=3.2")), must(samplez.ParseSeed("1"))
	const first, count, part = 5_000, 200_000, 7_001
	whole, parts := make([]int16, count), make([]int16, count)
	if err := samplez.Bulk(sampler, "chacha20", seed, first, whole); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for at := 0; at < count; at += part {
		group.Add(1)
		go func() {
			defer group.Done()
			if err := samplez.Bulk(sampler, "chacha20", seed, uint64(first+at), parts[at:min(at+part, count)]); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	if !slices.Equal(whole, parts) {
		t.Error("the parts are not the whole")
	}
	if found := sum(whole); found != "2ab44f5183a6d405a40ee604fbba0bdb10bd2d9d3c77562968ebaf62edf92c99" {
		t.Errorf("the sum is %s", found)
	}
}

// Calls of one stream by several goroutines take turns: the parts are those of one goroutine in another order.
func TestOneStreamInManyGoroutines(t *testing.T) {
	seed := must(samplez.ParseSeed("1"))
	sampler, parts := must(samplez.New("sigma=1000,method=karney,variable_time=true")), [2][8][]int64{}
	for k := range parts {
		stream := must(samplez.NewStream("chacha20", &seed))
		var group sync.WaitGroup
		for i := range parts[k] {
			parts[k][i] = make([]int64, 500)
			draw := func() {
				defer group.Done()
				if err := samplez.Fill(stream, sampler, parts[k][i]); err != nil {
					t.Error(err)
				}
			}
			group.Add(1)
			if k == 0 {
				draw()
			} else {
				go draw()
			}
		}
		group.Wait()
		slices.SortFunc(parts[k][:], slices.Compare)
	}
	for i := range parts[0] {
		if !slices.Equal(parts[0][i], parts[1][i]) {
			t.Fatalf("part %d differs", i)
		}
	}
}

func TestReaders(t *testing.T) {
	sampler := must(samplez.New("sigma=3.2"))
	broken := errors.New("broken")
	for _, c := range []struct {
		reader  io.Reader
		cause   error
		message string
	}{
		{iotest.ErrReader(broken), broken, "generator: gave no randomness: broken"},
		{io.MultiReader(io.LimitReader(rand.Reader, 100), iotest.ErrReader(broken)), broken, "broken"},
		{io.LimitReader(rand.Reader, 100), io.ErrUnexpectedEOF, "unexpected EOF"},
		{bytes.NewReader(nil), io.EOF, "EOF"},
		{panics{}, nil, "the generator panicked: no"},
		{counts(0), io.ErrNoProgress, "multiple Read calls return no data or error"},
		{io.MultiReader(io.LimitReader(rand.Reader, 500), counts(0)), io.ErrNoProgress, "no data"},
		{counts(-1), nil, "the generator gave -1 bytes: expected from 0 to 1040"},
		{counts(2000), nil, "the generator gave 2000 bytes"},
		{counts(1040), nil, "generator: counted bytes that it did not write: expected all 1040 bytes"},
		{bytes.NewReader(make([]byte, 1<<20)), nil, "stuck"},
	} {
		stream, out := must(samplez.NewStreamFrom(c.reader)), slices.Repeat([]int8{77}, 500)
		err := samplez.Fill(stream, sampler, out)
		var failed *samplez.Error
		if !errors.As(err, &failed) || failed.Status != samplez.NoEntropy || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s was expected, and not %v", c.message, err)
		}
		if c.cause != nil && !errors.Is(err, c.cause) {
			t.Errorf("%v is not from %v", err, c.cause)
		}
		if !slices.Equal(out, make([]int8, 500)) {
			t.Errorf("%s: integers are left: %v", c.message, out)
		}
	}
	// A reader that gives bytes one by one gives the integers of a reader that gives them at once; cgo has the same sum.
	for _, reader := range []io.Reader{&counter{}, iotest.OneByteReader(&counter{})} {
		out := make([]int64, 20_000)
		if err := samplez.Fill(must(samplez.NewStreamFrom(reader)), sampler, out); err != nil {
			t.Fatal(err)
		}
		if found := sum(out); found != "5e59e43eea973f16fb4a42eb06ccdb774fa6dd104255ff0cf7935a8f1df305be" {
			t.Errorf("the sum is %s", found)
		}
	}
}

// counter gives the SHA-256 of 0, 1, 2, …
type counter struct {
	next   uint64
	unread []byte
}

func (c *counter) Read(out []byte) (int, error) {
	for i := range out {
		if len(c.unread) == 0 {
			hash := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, c.next))
			c.next, c.unread = c.next+1, hash[:]
		}
		out[i], c.unread = c.unread[0], c.unread[1:]
	}
	return len(out), nil
}

// counts says that it gave so many bytes, and gives none.
type counts int

func (c counts) Read([]byte) (int, error) { return int(c), nil }

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("no") }

// A generator that ends its goroutine in a call leaves a stream that returns errors, and can be closed.
func TestReaderThatEndsItsGoroutine(t *testing.T) {
	sampler, stream := must(samplez.New("sigma=3.2")), must(samplez.NewStreamFrom(ends{}))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = samplez.Fill(stream, sampler, make([]int8, 10))
		t.Error("the call returned")
	}()
	<-ended
	for range 2 {
		err := samplez.Fill(stream, sampler, make([]int8, 10))
		var failed *samplez.Error
		if !errors.As(err, &failed) || failed.Status != samplez.Internal || !strings.Contains(err.Error(), "open a new stream") ||
			!strings.Contains(err.Error(), "the generator ended its goroutine") {
			t.Error(err)
		}
	}
	stream.Close()
}

type ends struct{}

func (ends) Read([]byte) (int, error) { runtime.Goexit(); return 0, nil }

func TestOperatingSystem(t *testing.T) {
	sampler, drawn := must(samplez.New("sigma=1000000")), [3][]int64{}
	for i, source := range []string{"os", "chacha20", "chacha20"} {
		drawn[i] = make([]int64, 8)
		if err := samplez.Fill(must(samplez.NewStream(source, nil)), sampler, drawn[i]); err != nil {
			t.Fatal(err)
		}
	}
	if slices.Equal(drawn[0], drawn[1]) || slices.Equal(drawn[1], drawn[2]) {
		t.Errorf("the same integers twice: %v", drawn)
	}
}

func TestTexts(t *testing.T) {
	sampler := must(samplez.New("sigma=3.2"))
	again := must(samplez.New(sampler.Recipe()))
	if again.Method() != sampler.Method() || again.Reason() != "named" || again.Recipe() != sampler.Recipe() {
		t.Errorf("%s and %s, %s", sampler.Recipe(), again.Recipe(), again.Reason())
	}
	if !strings.Contains(sampler.Certificate(), sampler.Method()) || !strings.HasPrefix(sampler.CertificateJSON(), "{") {
		t.Errorf("%s %s", sampler.Certificate(), sampler.CertificateJSON())
	}
	// 1/sum of exp(-x²/20.48), which the command states too.
	if p := must(sampler.PMF(0)); p != 0.12466946262544772 {
		t.Errorf("P(X = 0) = %v", p)
	}
	if err := samplez.SelfTest(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(string(must(os.ReadFile("../Cargo.toml"))), fmt.Sprintf("version = %q\n", samplez.Version())) {
		t.Errorf("version %s", samplez.Version())
	}
}

// FrodoKEM's table for the dimension 640, and the fractions of its errors: P(X = 0) = 9288/2^15 and so on.
func TestTableOfFrodoKEM(t *testing.T) {
	frodo := []uint64{9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1}
	sampler := must(samplez.NewTable("sigma=2.8", "frodo", frodo, 1))
	const count = 1 << 18
	out, counts := make([]int8, count), [13]float64{}
	if err := samplez.Bulk(sampler, "chacha20", must(samplez.ParseSeed("1")), 0, out); err != nil {
		t.Fatal(err)
	}
	for _, x := range out {
		counts[max(x, -x)]++
	}
	for x, entry := range frodo {
		// Twice for x and -x. Five standard deviations, for 13 counts of a fixed seed.
		mean := float64(count) * float64(entry) / (1 << 16) * 2
		if x == 0 {
			mean /= 2
		}
		if math.Abs(counts[x]-mean) > 5*math.Sqrt(mean) {
			t.Errorf("%v integers are ±%d: expected %v", counts[x], x, mean)
		}
	}
}

func TestResidues(t *testing.T) {
	integers := []int64{0, 1, -1, 5, -5, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}
	for range 70_000 {
		integers = append(integers, int64(len(integers))-35_000)
	}
	out := make([]uint64, len(integers))
	for _, q := range []uint64{2, 3, 12289, 1 << 40, 0x1fffffffffe00001, math.MaxInt64} {
		if err := samplez.Residues(integers, q, out); err != nil {
			t.Fatal(err)
		}
		for i, x := range integers {
			rest := x % int64(q)
			if rest < 0 {
				rest += int64(q)
			}
			if out[i] != uint64(rest) {
				t.Fatalf("%d modulo %d is not %d", x, q, out[i])
			}
		}
	}
}

// Samplers and streams that nobody uses are freed.
func TestGarbage(t *testing.T) {
	for i := range 200 {
		stream, sampler := must(samplez.NewStreamFrom(rand.Reader)), must(samplez.New("centered_binomial=2"))
		if err := samplez.Fill(stream, sampler, make([]int8, 10)); err != nil {
			t.Fatal(i, err)
		}
		if i%20 == 0 {
			runtime.GC()
		}
	}
}

func TestReadmeHasTheExample(t *testing.T) {
	readme, program := must(os.ReadFile("README.md")), must(os.ReadFile("example/main.go"))
	if !bytes.Contains(readme, slices.Concat([]byte("```go\n"), program, []byte("```\n"))) {
		t.Error("README.md does not have example/main.go")
	}
}

func Example() {
	sampler, err := samplez.New("sigma=3.2")
	if err != nil {
		panic(err)
	}
	seed, err := samplez.ParseSeed("1") // for reproducible results; nil is a seed from the operating system
	if err != nil {
		panic(err)
	}
	stream, err := samplez.NewStream("chacha20", &seed)
	if err != nil {
		panic(err)
	}
	defer stream.Close()
	noise := make([]int8, 8)
	if err := samplez.Fill(stream, sampler, noise); err != nil {
		panic(err)
	}
	fmt.Println(noise, sampler.Method())
	// Output: [-6 2 -4 -4 0 -7 -3 6] knuth-yao-ct
}

func BenchmarkBulk(b *testing.B) {
	seed := must(samplez.ParseSeed("1"))
	for _, recipe := range []string{"sigma=3.2", "sigma=215,center=1/3", "sigma=1e6"} {
		b.Run(recipe, func(b *testing.B) {
			sampler, out := must(samplez.New(recipe)), make([]int64, 65536)
			for b.Loop() {
				if err := samplez.Bulk(sampler, "chacha20", seed, 0, out); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/65536, "ns/sample")
		})
	}
}

func BenchmarkSetUp(b *testing.B) {
	for b.Loop() {
		must(samplez.New("sigma=3.2"))
	}
}

func BenchmarkResidues(b *testing.B) {
	integers, out := make([]int64, 65536), make([]uint64, 65536)
	for b.Loop() {
		if err := samplez.Residues(integers, 12289, out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/65536, "ns/sample")
}

func BenchmarkSmallFill(b *testing.B) {
	stream, sampler, out := must(samplez.NewStream("chacha20", nil)), must(samplez.New("sigma=3.2")), make([]int8, 16)
	for b.Loop() {
		if err := samplez.Fill(stream, sampler, out); err != nil {
			b.Fatal(err)
		}
	}
}
