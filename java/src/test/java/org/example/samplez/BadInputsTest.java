package org.example.samplez;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.example.samplez.SamplezException.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class BadInputsTest {
    private static final byte[] SEED = Samplez.seed("1");
    private static final Sampler SAMPLER = Sampler.of("sigma=3.2");

    private static void refused(String kind, String message, Executable call) {
        SamplezException e = assertThrows(SamplezException.class, call, message);
        assertTrue(e.getMessage().startsWith(message), "expected " + message + ", and not " + e.getMessage());
        assertEquals(kind, e.kind(), e.getMessage());
        assertEquals(Status.INVALID_ARGUMENT, e.status(), e.getMessage());
    }

    private static void recipe(String kind, String message, String recipe) {
        refused(kind, message, () -> Sampler.of(recipe));
    }

    @Test
    void recipes() {
        recipe("missing", "recipe: expected a text, not null", null);
        recipe("missing", "missing width: pass one of sigma, sigma_squared, k_sigma2, s", "method=cdt");
        recipe("out-of-range", "sigma = -1: expected a number greater than 0", "sigma=-1");
        recipe("out-of-range", "sigma = 0: expected a number greater than 0", "sigma=0");
        recipe("not-a-number", "sigma = NaN: not a number", "sigma=" + Double.NaN);
        recipe("not-a-number", "sigma = Infinity: not a number", "sigma=" + Double.POSITIVE_INFINITY);
        recipe("not-a-number", "sigma = null: not a number", "sigma=" + null);
        recipe("not-a-number", "sigma = 3,2: not a number; allowed are decimals, fractions and scientific notation, such as 3.2, 16/5 or 1.6e5; write 3.2", "sigma=3,2");
        recipe("other", "recipe = sigma=3;method=cdt: expected a comma or & between pairs; write sigma=3,method=cdt", "sigma=3;method=cdt");
        recipe("too-long", "sigma = 1e400: ", "sigma=1e400");
        recipe("unknown", "sgima = 3: expected one of sigma, sigma_squared, k_sigma2, s, center, ", "sgima=3");
        recipe("unknown", "method = dice: expected one of", "sigma=3,method=dice");
        recipe("other", "s = 8: sigma is given too; pass only one of them", "sigma=3,s=8");
        recipe("out-of-range", "cbd = 1048577: expected a whole number from 1 to 2^20", "cbd=1048577");
        recipe("out-of-range", "laplace = 1e16: expected a number from 2^-16 to 2^50", "laplace=1e16");
        recipe("out-of-range", "clip = 2: expected a whole number from 3 to 2^53, at least half of the scale 5.0", "laplace=5.0,clip=2");
        recipe("other", "recipe = \"sigma=3\\0,method=dice\": expected no zero byte", "sigma=3\0,method=dice");
        recipe("other", "recipe: expected Unicode, and it has half of a surrogate pair", "sigma=\uD800");
        recipe("unknown", "σ = int8_t: expected one of sigma", "σ=int8_t");
        String digits = "sigma=" + "3".repeat(1 << 20);
        String message = assertThrows(SamplezException.class, () -> Sampler.of(digits)).getMessage();
        assertTrue(message.length() < 1000, message);
    }

    @Test
    void tables() {
        long[] one = {1};
        refused("missing", "law: expected a text, not null", () -> Sampler.ofTable(null, "frodo", one, 1));
        refused("missing", "form: expected a text, not null", () -> Sampler.ofTable("sigma=1", null, one, 1));
        refused("missing", "entries: expected an array, not null", () -> Sampler.ofTable("sigma=1", "frodo", null, 1));
        refused("out-of-range", "limbs = 0: expected a number between 1 and 5", () -> Sampler.ofTable("sigma=1", "frodo", one, 0));
        refused("out-of-range", "limbs = -1: expected a number between 1 and 5", () -> Sampler.ofTable("sigma=1", "frodo", one, -1));
        refused("out-of-range", "entries: has 1 element: expected a multiple of 2", () -> Sampler.ofTable("sigma=1", "frodo", one, 2));
        refused("out-of-range", "entries: has 0 elements: expected 1 to 2^20", () -> Sampler.ofTable("sigma=1", "folded,tail,8", new long[0], 1));
        refused("out-of-range", "entries[2] (entry 1) = 6: above entry 0 = 5",
            () -> Sampler.ofTable("sigma=1", "folded,tail,72", new long[] {5, 0, 6, 0}, 2));
        refused("out-of-range", "entries[1] = 200: above entry 0 = 140",
            () -> Sampler.ofTable("sigma=1", "folded,tail,8", new long[] {140, 200}, 1));
        refused("unknown", "form = Frodo: allowed are folded", () -> Sampler.ofTable("sigma=1", "Frodo", one, 1));
    }

    @Test
    void seedsAndSources() {
        refused("missing", "text: expected a text, not null", () -> Samplez.seed(null));
        refused("other", "text: a seed is 64 hexadecimal digits", () -> Samplez.seed("-1"));
        refused("missing", "source: expected a text, not null", () -> Stream.open(null));
        refused("missing", "seed: expected 32 bytes, not null", () -> Stream.open("chacha20", null));
        refused("out-of-range", "seed: has 31 bytes: expected 32", () -> Stream.open("chacha20", new byte[31]));
        refused("out-of-range", "seed: has 33 bytes: expected 32", () -> SAMPLER.bulk("chacha20", new byte[33], 0, new int[1]));
        refused("other", "seed: 32 equal bytes", () -> Stream.open("chacha20", new byte[32]));
        refused("unknown", "source = dice: expected one of chacha20", () -> Stream.open("dice"));
        boolean devices = Native.FUNCTIONS != null;
        assertTrue(assertThrows(SamplezException.class, () -> Stream.open("dice")).getMessage().endsWith(devices ? "dev-urandom" : "posix-rand, os"));
        refused("other", "seed: expected none, because source = os takes no seed", () -> Stream.open("os", SEED));
        if (!devices) {
            refused("unsupported", "source = dev-random: expected one without a device", () -> Stream.open("dev-random"));
        }
        refused("missing", "generator: expected a RandomGenerator", () -> Stream.from(null));
        refused("other", "source = os: expected one that takes a seed", () -> SAMPLER.bulk("os", SEED, 0, new int[1]));
    }

    @Test
    void arrays() {
        Sampler wide = Sampler.of("sigma=1000");
        try (Stream stream = Stream.open("chacha20", SEED)) {
            refused("missing", "sampler: expected one that Sampler.of returned, not null", () -> stream.fill(null, new int[1]));
            refused("missing", "out: expected an array, not null", () -> stream.fill(SAMPLER, (int[]) null));
            refused("missing", "out: expected an array, not null", () -> SAMPLER.bulk("chacha20", SEED, 0, (byte[]) null));
            refused("other", "out = byte: the samples range from -1", () -> stream.fill(wide, new byte[4]));
            refused("other", "out = byte: the samples range from -1", () -> wide.bulk("chacha20", SEED, 0, new byte[0]));
            String message = assertThrows(SamplezException.class, () -> stream.fill(wide, new byte[4])).getMessage();
            assertTrue(message.endsWith("; use short"), message);
            refused("out-of-range", "first = -1: expected a number from 0 to 2^63 - 1", () -> SAMPLER.bulk("chacha20", SEED, -1, new int[1]));
            refused("out-of-range", "first = 9223372036854775807: expected at most 9223372036854775805 with 2 samples",
                () -> SAMPLER.bulk("chacha20", SEED, Long.MAX_VALUE, new int[2]));
            refused("out-of-range", "weight = 5: expected a number between 1 and 4, the length of out", () -> stream.sparseTernary(5, new byte[4]));
            refused("out-of-range", "weight = -1: expected a number between 1 and 4", () -> stream.sparseTernary(-1, new byte[4]));
            refused("out-of-range", "out: has 0 elements: expected at least 1", () -> stream.sparseTernary(0, new byte[0]));
            refused("missing", "out: expected an array, not null", () -> stream.sparseTernary(1, null));
            refused("out-of-range", "sigma = 0.5: expected a number from 1 to 2^26", () -> stream.round(0.5, 0));
            refused("not-a-number", "center = NaN: expected a number between -2^62 and 2^62", () -> stream.round(2, Double.NaN));
            refused("out-of-range", "out: has 2 elements: expected 1, as centers has",
                () -> stream.roundEach(new double[1], new double[1], new long[2]));
            refused("out-of-range", "sigmas: has 2 elements: expected 1, or 3 as centers has",
                () -> stream.sampleEach(new double[2], new double[3], new long[3]));
            refused("missing", "sigmas: expected an array, not null", () -> stream.roundEach(null, new double[1], new long[1]));
            // No samples, the last address, and the stream that stayed in use: its next integers are its first.
            stream.fill(SAMPLER, new short[0]);
            SAMPLER.bulk("chacha20", SEED, Long.MAX_VALUE - 4, new int[4]);
            int[] first = new int[8];
            stream.fill(SAMPLER, first);
            assertEquals("[-6, 2, -4, -4, 0, -7, -3, 6]", Arrays.toString(first));
            long[] out = {7, 7};
            refused("not-a-number", "sigmas[1] = NaN", () -> stream.roundEach(new double[] {2, Double.NaN}, new double[2], out));
            assertArrayEquals(new long[] {7, 7}, out, "an array changed in a refused call");
        }
    }

    @Test
    void laws() {
        Law law = Law.of("sigma=3.2");
        refused("missing", "law: expected a text, not null", () -> Law.of(null));
        refused("out-of-range", "sigma = -1: expected a number greater than 0", () -> Law.of("sigma=-1"));
        refused("missing", "function: expected a text, not null", () -> law.values(null));
        refused("unknown", "function = pdf: expected pmf, cdf, sf, ppf or isf", () -> law.values("pdf", 1));
        refused("missing", "at: expected an array, not null", () -> law.values("pmf", (double[]) null));
        refused("missing", "integers: expected an array, not null", () -> law.verify(null));
        refused("out-of-range", "integers: ", () -> law.verify(new long[99]));
        refused("out-of-range", "count = -1: expected a number from 0 to 9223372036854775807", () -> SAMPLER.ints("chacha20", SEED, 0, -1));
        refused("out-of-range", "count = 9223372036854775807: expected a number from 0 to 9223372036854775802",
            () -> SAMPLER.ints("chacha20", SEED, 5, Long.MAX_VALUE));
        refused("out-of-range", "first = -1: expected a number from 0", () -> SAMPLER.ints("chacha20", SEED, -1, 5));
        refused("unknown", "source = dice: expected one of", () -> SAMPLER.ints("dice", SEED, 0, 5));
        refused("other", "out = int: the samples range from", () -> Sampler.of("sigma=1e10").ints("chacha20", SEED, 0, 5));
        try (Stream stream = Stream.open("chacha20", SEED)) {
            refused("missing", "sampler: expected one that Sampler.of returned, not null", () -> stream.ints(null));
        }
    }

    @Test
    void closedStreams() {
        Stream stream = Stream.open("chacha20", SEED);
        stream.close();
        stream.close();
        Map<String, Executable> calls = Map.of("fill", () -> stream.fill(SAMPLER, new int[1]), "round", () -> stream.round(2, 0),
            "ternary", () -> stream.sparseTernary(1, new byte[2]), "each", () -> stream.roundEach(new double[1], new double[1], new long[1]));
        calls.forEach((name, call) -> refused("other", "stream: expected an open one, and it is closed", call));
    }
}
