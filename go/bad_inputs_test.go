package samplez_test

import (
	"errors"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	samplez "example.org/samplez/go"
)

func TestBadInputs(t *testing.T) {
	seed := must(samplez.ParseSeed("1"))
	sampler, wide := must(samplez.New("sigma=3.2")), must(samplez.New("sigma=1000"))
	stream, closed := must(samplez.NewStream("chacha20", &seed)), must(samplez.NewStream("chacha20", &seed))
	closed.Close()
	closed.Close()
	out, words := make([]int64, 4), make([]uint64, 4)
	recipe := func(text string) error { _, err := samplez.New(text); return err }
	opened := func(source string, seed *samplez.Seed) error { _, err := samplez.NewStream(source, seed); return err }
	parsed := func(text string) error { _, err := samplez.ParseSeed(text); return err }
	table := func(law, form string, limbs int, entries ...uint64) error {
		_, err := samplez.NewTable(law, form, entries, limbs)
		return err
	}
	bulk := func(source string, seed samplez.Seed, first uint64) error {
		return samplez.Bulk(sampler, source, seed, first, out)
	}
	second := func(_ any, err error) error { return err }
	for i, c := range []struct {
		err     error
		message string
	}{
		{recipe(""), "recipe"},
		{samplez.Fill(stream, nil, out), "sampler: expected one that New"},
		{samplez.Fill(stream, &samplez.Sampler{}, out), "sampler: expected one that New"},
		{samplez.Fill(nil, sampler, out), "stream: expected one that NewStream"},
		{samplez.Fill(&samplez.Stream{}, sampler, out), "stream: expected one that NewStream"},
		{samplez.Bulk(nil, "chacha20", seed, 0, out), "sampler: expected one that New"},
		{second((&samplez.Sampler{}).PMF(0)), "sampler: expected one that New"},
		{second((*samplez.Stream)(nil).Round(3.2, 0)), "stream: expected one that NewStream"},
		{(*samplez.Stream)(nil).RoundEach(nil, nil, nil), "stream: expected one that NewStream"},
		{(&samplez.Stream{}).SparseTernary(1, make([]int8, 2)), "stream: expected one that NewStream"},
		{recipe("sigma=-1"), "sigma = -1: expected a number greater than 0"},
		{recipe("sigma=3,method=dice"), "method = dice: expected one of"},
		{recipe("sigma=-3.2"), "sigma = -3.2: expected a number greater than 0"},
		{recipe("sigma=3.2,method=du-wei-4"), "sigma = 3.2: method du-wei-4 allows"},
		{recipe("sigma=3,method=CDT"), "; did you mean cdt?"},
		{recipe("method=cdt"), "missing width: pass one of sigma, sigma_squared, k_sigma2, s"},
		{recipe("sigma=3,s=8"), "s = 8: sigma is given too; pass only one of them"},
		{recipe("sigma=3,no_exact=true"), "; leave exact out instead"},
		{recipe("sgima=3"), "sgima = 3: expected one of sigma, sigma_squared, k_sigma2, s, center, "},
		{recipe("sgima=3"), "; did you mean sigma?"},
		{recipe("sigma=3\x00,method=dice"), `recipe = "sigma=3\x00,method=dice": expected no zero byte`},
		{recipe("sigma=\xff"), "recipe: expected UTF-8"},
		{recipe("centered_binomial=1048577"), "centered_binomial = 1048577: expected a whole number from 1 to 2^20"},
		{recipe("laplace=1e16"), "laplace = 1e16: expected a number from 2^-16 to 2^50"},
		{recipe("laplace=3,center=1"), "center = 1: laplace is about 0; leave center out"},
		{recipe("skellam=2e6"), "skellam = 2e6: expected a number from 2^-16 to 2^20; for a larger variance add samples"},
		{recipe("laplace=5.0,clip=2"), "clip = 2: expected a whole number from 3 to 2^53, at least half of the scale 5.0"},
		{recipe("sigma=3,clip=9"), "clip = 9: cuts laplace alone; "},
		{recipe("skellam=ten"), "skellam = ten: "},
		{recipe("skellam="), "skellam = : "},
		{recipe("binomial=3"), "; write centered_binomial for centred binomial noise"},
		{recipe("3.2"), "recipe = 3.2: expected name=value, such as sigma=3.2"},
		{recipe("sigma=3,"), "recipe = sigma=3,: expected pairs"},
		{table("2.8", "frodo", 1, 1), "law = 2.8: expected name=value"},
		{table("", "frodo", 1, 1), "missing law: pass a width"},
		{table("sigma=1", "Frodo", 1, 1), "form = Frodo: allowed are folded"},
		{table("sigma=1", "folded,tail,8", 1, 140, 200), "entries[1] = 200: above entry 0 = 140"},
		{table("sigma=1", "folded,pmf,8", 1, 100, 120), "has no constant-time sampler"},
		{table("sigma=1", "folded,tail,8", 1), "entries: has 0 elements: expected 1 to 2^20"},
		{table("sigma=1", "folded,tail,72", 2, 5, 0, 6, 0), "entries[2] (entry 1) = 6: above entry 0 = 5"},
		{table("sigma=1", "folded,tail,8", 0, 1), "limbs = 0: expected a number between 1 and 5"},
		{table("sigma=1", "folded,tail,72", 2, 1, 2, 3), "entries: has 3 elements: expected a multiple of 2"},
		{table("sigma=1\x00", "folded,tail,8", 1, 1), "law = "},
		{table("sigma=1", "folded\x00", 1, 1), "form = "},
		{parsed("-1"), "text: "},
		{recipe("sigma=2^3"), "; write 8"},
		{recipe("sigma=int8_t"), "sigma = int8_t: "},
		{recipe("int16_t=3"), "int16_t = 3: "},
		{opened("int32_t", nil), "source = int32_t: "},
		{recipe("sigma=expected NULL"), "sigma = expected NULL: "},
		{table("sigma=2.8", "int64_t", 1, 1), "int64_t"},
		{recipe("sigma=1e18"), "a method that you name gives its reason"},
		{parsed("1\x00"), "text = "},
		{opened("dice", nil), "source = dice: expected one of chacha20"},
		{opened("chacha20\x00", nil), "source = "},
		{opened("os", &seed), "seed: expected nil, because source = os takes no seed"},
		{opened("chacha20", &samplez.Seed{}), "seed: 32 equal bytes"},
		{second(samplez.NewStreamFrom(nil)), "generator: expected an io.Reader"},
		{bulk("os", seed, 0), "source = os: expected one that takes a seed"},
		{bulk("chacha20", samplez.Seed{}, 0), "seed: 32 equal bytes"},
		{bulk("chacha20", seed, math.MaxUint64-2), "first = 18446744073709551613: expected at most 18446744073709551612 with 4 samples"},
		{samplez.Fill(stream, wide, make([]int8, 4)), "out = int8: the samples range from -1"},
		{samplez.Bulk(wide, "chacha20", seed, 0, make([]int8, 0)), "; use int16"},
		{samplez.Fill(closed, sampler, out), "stream: expected an open one"},
		{closed.SparseTernary(1, make([]int8, 4)), "stream: expected an open one"},
		{stream.SparseTernary(5, make([]int8, 4)), "weight = 5: expected a number between 1 and 4, the length of out"},
		{stream.SparseTernary(0, nil), "out: has 0 elements: expected at least 1"},
		{second(stream.Round(0.5, 0)), "sigma = 0.5: expected a number from 1 to 2^26"},
		{second(stream.Round(1e300, 0)), "sigma = 1e300: expected a number from 1 to 2^26"},
		{stream.RoundEach([]float64{0.5}, []float64{0, 0}, out[:2]), "sigmas[0] = 0.5: expected a number from 1 to 2^26"},
		{second(stream.Round(2, math.NaN())), "center = NaN"},
		{stream.RoundEach([]float64{2, math.Inf(1)}, []float64{0, 0}, out[:2]), "sigmas[1] = inf"},
		{stream.SampleEach([]float64{2, math.NaN()}, []float64{0, 0}, out[:2]), "sigmas[1] = NaN"},
		{stream.RoundEach([]float64{2}, []float64{0}, out), "out: has 4 elements: expected 1, as centers has"},
		{stream.RoundEach([]float64{2, 3}, []float64{0, 1, 2, 3}, out), "sigmas: has 2 elements: expected 1, or 4"},
		{samplez.Residues(out, 0, words), "q = 0: expected a number from 2 to 2^63 - 1"},
		{samplez.Residues(out, 1, words), "q = 1: expected a number from 2 to 2^63 - 1"},
		{samplez.Residues(out, 1<<63, words), "q = 9223372036854775808: expected a number from 2 to 2^63 - 1"},
		{samplez.Residues(out, 3, words[:3]), "out: has 3 elements: expected 4, as integers has"},
		{samplez.Residues(out, 3, words[:1]), "out: has 1 element: expected 4, as integers has"},
	} {
		var refused *samplez.Error
		if !errors.As(c.err, &refused) || refused.Status != samplez.InvalidArgument || refused.Kind == "" || !strings.Contains(c.err.Error(), c.message) {
			t.Errorf("row %d: %q was expected, and not %v", i, c.message, c.err)
		}
	}
	// What this package refuses before the library does has a kind, too.
	for kind, err := range map[string]error{"missing": samplez.Fill(stream, nil, out), "out-of-range": parsed("18446744073709551616"), "not-a-number": second(stream.Round(math.NaN(), 0)), "other": recipe("\xff")} {
		var refused *samplez.Error
		if !errors.As(err, &refused) || refused.Kind != kind {
			t.Errorf("%s was expected, and not %v", kind, err)
		}
	}
	for text, kind := range map[string]string{"sigma=-1": "out-of-range", "sigma=1e400": "too-long", "sigma=x": "not-a-number", "std=3": "unknown", "sigma=nan": "not-a-number", "method=cdt": "missing"} {
		var refused *samplez.Error
		if !errors.As(recipe(text), &refused) || refused.Kind != kind {
			t.Errorf("%s: %s was expected, and not %v", text, kind, refused)
		}
	}
	var absent *samplez.Sampler
	if text := absent.Method() + absent.Recipe() + absent.Reason() + absent.Certificate() + absent.CertificateJSON(); text != "" {
		t.Errorf("nil has the text %q", text)
	}
	// No samples, the last address, and the stream that stayed in use.
	err := errors.Join(samplez.Fill(stream, sampler, out[:0]), samplez.Residues(nil, 3, nil), samplez.Bulk(sampler, "chacha20", seed, 7, out[:0]),
		samplez.Bulk(sampler, "chacha20", seed, math.MaxUint64-3, out), samplez.Fill(stream, sampler, out), stream.RoundEach([]float64{2}, nil, nil))
	if err != nil {
		t.Error(err)
	}
}

// For each word of other libraries, the message ends with a name of the same quantity, or with advice. The table is JavaScript's.
func TestWords(t *testing.T) {
	_, table, _ := strings.Cut(string(must(os.ReadFile("../web/src/words.ts"))), "WORDS = `")
	table, _, _ = strings.Cut(table, "`")
	capital := regexp.MustCompile("[A-Z]")
	// As in a recipe, where discreteLaplace is laplace.
	spelled := func(option string) string {
		return strings.TrimPrefix(strings.ToLower(capital.ReplaceAllString(option, "_$0")), "discrete_")
	}
	_, err := samplez.New("?=1")
	_, list, _ := strings.Cut(err.Error(), "expected one of ")
	known := strings.Split(list, ", ")
	count := 0
	for _, line := range strings.Split(table, "\n") {
		parts := append(strings.Split(line, "|"), "", "", "")
		for _, word := range strings.Fields(parts[0]) {
			if slices.Contains(known, word) {
				continue // a name here
			}
			if _, err := samplez.New(word + "=1"); err == nil {
				continue // a distribution
			}
			count++
			_, err := samplez.New("sigma=3," + word + "=1")
			if err == nil || !strings.HasPrefix(err.Error(), word+" = 1: expected one of ") {
				t.Errorf("%s: %v", word, err)
				continue
			}
			names, way, _ := strings.Cut(strings.TrimPrefix(err.Error(), word+" = 1: expected one of "), "; ")
			expected := parts[2]
			for _, option := range strings.Fields(parts[1]) {
				if name := spelled(option); slices.Contains(strings.Split(names, ", "), name) && (parts[3] == "" || slices.Contains(known, spelled(parts[3]))) {
					expected = "write " + name + " for "
					break
				}
			}
			if !strings.HasPrefix(way, expected) || (expected == "" && way != "") {
				t.Errorf("%s: %q was expected, and not %q", word, expected, way)
			}
		}
	}
	if count < 110 {
		t.Errorf("only %d words", count)
	}
}
