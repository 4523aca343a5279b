package org.example.samplez;

import static org.example.samplez.Vectors.numbers;
import static org.example.samplez.Vectors.rows;
import static org.example.samplez.Vectors.sum;
import static org.example.samplez.Vectors.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplezTest {
    private static final byte[] ONE = Samplez.seed("1");

    /** Counts of the first 100,000 integers, within 6 deviations of P(X = x). */
    @Test
    void distribution() {
        Sampler sampler = Sampler.of("sigma=3.2");
        byte[] out = new byte[100_000];
        sampler.bulk("chacha20", ONE, 0, out);
        int[] counts = new int[256];
        for (byte x : out) {
            counts[x + 128]++;
        }
        double[] law = Law.of("sigma=3.2").values("pmf", IntStream.rangeClosed(-12, 12).asDoubleStream().toArray());
        for (int x = -12; x <= 12; x++) {
            double p = law[x + 12];
            double mean = p * out.length;
            double off = counts[x + 128] - mean;
            assertTrue(off * off <= 36 * mean * (1 - p) + 1, x + ": " + counts[x + 128] + " times, expected " + mean);
        }
    }

    @Test
    void vectorsOfStreams() {
        for (String[] row : rows("streams.csv")) {
            String recipe = row[0].replace('-', '_') + "=" + row[1] + ",center=" + row[2] + ",method=" + row[3]
                + (row[4].equals("0") ? "" : ",precision=" + row[4]);
            long[] out = new long[Integer.parseInt(row[8])];
            Sampler.of(recipe).bulk(row[5], Samplez.seed(row[6]), Long.parseLong(row[7]), out);
            assertEquals(row[9], sum(out), recipe + ": " + Arrays.toString(Arrays.copyOf(out, 8)) + " and others");
        }
    }

    @Test
    void vectorsOfRecipes() {
        for (String[] row : rows("recipes.csv")) {
            short[] out = new short[16];
            Sampler.of(row[0]).bulk(row[1], Samplez.seed(row[2]), 0, out);
            assertEquals(row[3], Arrays.toString(out).replaceAll("[\\[\\],]", ""), row[0]);
        }
    }

    /** One call after the other, and in batches. */
    @Test
    void vectorsAroundCenters() {
        int count = 0;
        for (String[] row : rows("rounders.csv")) {
            if (!row[0].equals("strips") || !row[1].equals(row[2])) {
                continue;
            }
            double[] centers = new double[Integer.parseInt(row[6])];
            for (int i = 0; i < centers.length; i++) {
                centers[i] = (7919.0 * i - 4_000_000) / (997 + i % 5);
            }
            long[] out = new long[centers.length];
            double[] sigmas = {Double.parseDouble(row[3])};
            try (Stream stream = Stream.open("chacha20", Samplez.seed(row[5]))) {
                if (row[4].equals("batch")) {
                    stream.sampleEach(sigmas, centers, out);
                } else {
                    stream.roundEach(sigmas, centers, out);
                }
            }
            long[] expected = numbers(row[8]);
            assertArrayEquals(expected, Arrays.copyOf(out, expected.length));
            assertEquals(row[7], sum(out));
            count++;
        }
        assertEquals(2, count);
    }

    @Test
    void vectorsOfFiniteDistributions() {
        Map<String, String> names = Map.of("Ternary", "ternary", "CBD", "centered_binomial=", "TUniform", "tuniform=", "Skellam", "skellam=",
            "DiscreteLaplace", "laplace=");
        for (String[] row : rows("finite.csv")) {
            String[] law = row[0].replace(")", "").split("\\(");
            long[] expected = numbers(row[3]);
            if (law[0].equals("SparseTernary")) {
                long[] sizes = numbers(law[1]);
                byte[] vector = new byte[(int) sizes[0]];
                try (Stream stream = Stream.open("chacha20", Samplez.seed(row[1]))) {
                    stream.sparseTernary((int) sizes[1], vector);
                }
                assertEquals(sum(expected), sum(vector), row[0]);
                continue;
            }
            String recipe = names.get(law[0]) + (law.length > 1 ? law[1].replace(" within ", ",clip=") : "");
            Sampler sampler = Sampler.of(recipe);
            long[] found = new long[expected.length];
            sampler.bulk("chacha20", Samplez.seed(row[1]), Long.parseLong(row[2]), found);
            assertArrayEquals(expected, found, row[0]);
            assertEquals(recipe, sampler.method() + sampler.recipe());
        }
    }

    @Test
    void vectorsOfSeeds() {
        for (String[] row : rows("short-seeds.csv")) {
            assertEquals(row[1], HexFormat.of().formatHex(Samplez.seed(row[0])));
        }
    }

    /** The integers of streams across the pieces in which they are drawn: the sums of the Go package. */
    @Test
    void streams() {
        Map<String, String> sums = Map.of(
            "sigma=3.2", "0b1b2c56541c33286c359aedce1769fc5cff943deec8259363a597c0d236be67",
            "sigma=215,center=1/3", "60eb06d5fde8ae56a6870a00d3f16e1ad31f61b5e88ff8800a0e0f81c960734e",
            "sigma=215,method=convolution-ct", "7b8a75acd113436bff8df0501f12253c6b8a070aca1a223f13b2735c038f1943",
            "sigma=3.2,method=karney,variable_time=true", "376daaa7ea719eba8a34eff259e87dc5435746a8c2df3db19e189147a88354f0");
        sums.forEach((recipe, expected) -> {
            // Short fills, a fill with a short rest, and one after samples that the stream keeps.
            try (Stream stream = Stream.open("chacha20", Samplez.seed("7"))) {
                Sampler sampler = Sampler.of(recipe);
                IntStream drawn = IntStream.of(131_075, 5, 100, 200_000, 3, 68_817).flatMap(count -> {
                    int[] out = new int[count];
                    stream.fill(sampler, out);
                    return Arrays.stream(out);
                });
                assertEquals(expected, sum(drawn.toArray()), recipe);
            }
        });
    }

    /** Several samplers, types and calls on one stream, with centres of their own at the end: the sums of the Go package. */
    @Test
    void oneStreamOfManySamplers() {
        byte[] small = new byte[1000];
        long[] wide = new long[1000];
        long[] rounded = new long[1002];
        double[] sigmas = new double[1000];
        double[] centers = new double[1000];
        for (int i = 0; i < 1000; i++) {
            sigmas[i] = 1 + i % 7;
            centers[i] = i / 3.0;
        }
        try (Stream stream = Stream.open("chacha20", Samplez.seed("7"))) {
            for (int i = 0; i < 20; i++) {
                Sampler sampler = Sampler.of("sigma=" + (2 + i % 7));
                for (int again = 0; again < 2; again++) {
                    byte[] bytes = new byte[50];
                    long[] longs = new long[50];
                    stream.fill(sampler, bytes);
                    stream.fill(sampler, longs);
                    System.arraycopy(bytes, 0, small, 50 * i, 50);
                    System.arraycopy(longs, 0, wide, 50 * i, 50);
                }
            }
            long[] each = new long[1000];
            stream.sampleEach(sigmas, centers, each);
            System.arraycopy(each, 0, rounded, 0, 1000);
            rounded[1000] = stream.round(3.2, 0.5);
            rounded[1001] = stream.round(1e6, -4e18);
            stream.sampleEach(new double[] {sigmas[4]}, centers, wide);
        }
        assertEquals("7d059ede2514e80fe554aa0190f7b0d5638a33049bed3ba3ec6d2d2fb2339f68", sum(small));
        assertEquals("02ec2a12d9fa2bc11e65698e1ce099a3bf3ab6f42bbf7151d35f56739eeaa78b", sum(wide));
        assertEquals("f81efd20e9a949839d72ce484466d28326cffb539a3dd7db16e3bd5fa04214cc", sum(rounded));
    }

    @Test
    void operatingSystem() {
        Sampler sampler = Sampler.of("sigma=1000000");
        List<String> drawn = List.of("os", "chacha20", "chacha20").stream().map(source -> {
            long[] out = new long[8];
            try (Stream stream = Stream.open(source)) {
                stream.fill(sampler, out);
            }
            return Arrays.toString(out);
        }).distinct().toList();
        assertEquals(3, drawn.size(), drawn::toString);
    }

    @Test
    void texts() {
        Sampler sampler = Sampler.of("sigma=3.2");
        Sampler again = Sampler.of(sampler.recipe());
        assertEquals(sampler.recipe(), again.recipe());
        assertEquals(sampler.method(), again.method());
        assertEquals("named", again.reason());
        assertTrue(sampler.certificate().contains(sampler.method()), sampler.certificate());
        assertTrue(sampler.certificateJson().startsWith("{"), sampler.certificateJson());
        assertEquals(0.12466946262544772, Law.of("sigma=3.2").pmf(0)); // 1/sum of exp(-x²/20.48), which the command states too
        Samplez.selfTest();
        assertTrue(text("../Cargo.toml").contains("version = \"" + Samplez.version() + "\"\n"), Samplez.version());
        assertTrue(text("pom.xml").contains("<version>" + Samplez.version() + "</version>"), Samplez.version());
        assertEquals(Samplez.version(), Native.VERSION);
    }

    /** Functions agree with each other: a difference of cdf is pmf, sf is the rest, and ppf undoes cdf. */
    @Test
    void laws() {
        double[] at = IntStream.rangeClosed(-9, 9).asDoubleStream().toArray();
        for (String text : List.of("sigma=3.2,center=1/3", "skellam=2.5")) {
            Law law = Law.of(text);
            double[] pmf = law.values("pmf", at);
            double[] cdf = law.values("cdf", at);
            double[] sf = law.values("sf", at);
            for (int i = 1; i < at.length; i++) {
                assertEquals(1, cdf[i] + sf[i], 1e-15, text);
                assertEquals(cdf[i] - cdf[i - 1], pmf[i], 1e-15, text);
            }
            assertArrayEquals(at, law.values("ppf", cdf), text);
            assertEquals(pmf[9], law.pmf(0));
            assertEquals(cdf[9], law.cdf(0));
            assertEquals(0, law.quantile(cdf[9]));
        }
        assertTrue(Double.isNaN(Law.of("ternary").quantile(1.5)));
        assertEquals(5.0 / 9, Law.of("ternary + 3*ternary").cdf(0), 1e-5);
    }

    /** Integers pass against their distribution, and are rejected against another and as residues. */
    @Test
    void verification() {
        long[] out = new long[20_000];
        Sampler.of("sigma=3.2").bulk("chacha20", ONE, 0, out);
        Law law = Law.of("sigma=3.2");
        Law.Verification own = law.verify(out);
        assertTrue(own.passed(), own::toString);
        assertEquals(0, own.modulus());
        assertTrue(own.tests().stream().allMatch(test -> test.verdict() == Law.Verdict.NOT_APPLICABLE
            ? Double.isNaN(test.pValue()) && !test.detail().isEmpty() : test.pValue() > 1e-6 && test.pValue() <= 1), own::toString);
        Law.Verification wide = Law.of("sigma=3.5").verify(out);
        assertFalse(wide.passed(), wide::toString);
        Law.Test first = wide.tests().get(0);
        assertEquals("chi-squared " + Law.Verdict.REJECT, first.name() + first.detail() + " " + first.verdict());
        assertTrue(first.statistic() > first.dof() && first.dof() > 10 && first.pValue() < 1e-6, first::toString);
        Law.Verification residues = law.verify(Arrays.stream(out).map(x -> Math.floorMod(x, 1L << 13)).toArray());
        assertFalse(residues.passed());
        assertEquals(1 << 13, residues.modulus());
    }

    /** Java's streams of integers have those of arrays, in parallel too. */
    @Test
    void streamsOfIntegers() {
        Sampler sampler = Sampler.of("sigma=3.2");
        int[] out = new int[200_000];
        sampler.bulk("chacha20", ONE, 77, out);
        assertArrayEquals(out, sampler.ints("chacha20", ONE, 77, out.length).toArray());
        assertArrayEquals(out, sampler.ints("chacha20", ONE, 77, out.length).parallel().toArray());
        assertEquals(0, sampler.ints("chacha20", ONE, 77, 0).count());
        assertArrayEquals(new int[] {out[0]}, sampler.ints("chacha20", ONE, 77, Long.MAX_VALUE - 77).limit(1).toArray());
        int[] parts = new int[6144];
        try (Stream stream = Stream.open("chacha20", ONE); Stream again = Stream.open("chacha20", ONE)) {
            int[] part = new int[2048];
            for (int i = 0; i < 3; i++) {
                stream.fill(sampler, part);
                System.arraycopy(part, 0, parts, 2048 * i, 2048);
            }
            assertArrayEquals(Arrays.copyOf(parts, 5000), again.ints(sampler).limit(5000).toArray());
        }
    }

    @Test
    void profiles() {
        Sampler.Profile exact = Sampler.of("sigma=3.2").profile();
        assertTrue(exact.exact());
        assertEquals(Double.NEGATIVE_INFINITY, exact.log2Distance());
        Sampler cdt = Sampler.of("sigma=3.2,method=cdt,precision=72");
        Sampler.Profile table = cdt.profile();
        assertFalse(table.exact());
        assertTrue(table.log2Distance() < -64 && table.log2Distance() > -80, table.toString());
        assertEquals(-table.supportMin(), table.supportMax());
        assertEquals("variable", table.timing());
        for (String figure : List.of("\"table_bytes\":" + table.tableBytes(), "\"timing\":\"variable\"")) {
            assertTrue(cdt.certificateJson().contains(figure), cdt.certificateJson());
        }
        assertTrue(table.expectedBits() > 8 && table.expectedBits() <= 72, table.toString());
    }

    /** WebAssembly promises no timing: certificates say so, and constant time is refused. Native code promises it. */
    @Test
    void timingIsUnpromised() {
        if (Native.FUNCTIONS != null) {
            assertEquals("constant", Sampler.of("sigma=3.2,constant_time=true").profile().timing());
            return;
        }
        Map.of("sigma=3.2", "constant", "sigma=215", "isochronous").forEach((recipe, timing) -> {
            Sampler sampler = Sampler.of(recipe);
            assertEquals("unpromised", sampler.profile().timing());
            assertTrue(sampler.certificateJson().contains("\"timing\":\"unpromised\""), sampler.certificateJson());
            assertTrue(sampler.certificate().contains(timing + " (native code only; WebAssembly promises none)\n"), sampler.certificate());
        });
        for (String recipe : List.of("sigma=3.2,constant_time=true", "sigma=3.2,method=cdt-ct,constant_time=true")) {
            String message = assertThrows(SamplezException.class, () -> Sampler.of(recipe)).getMessage();
            assertTrue(message.startsWith("constant_time = true: WebAssembly promises no timing; use a native build"), message);
        }
        Sampler.of("sigma=3.2,method=knuth-yao-ct");
    }

    /** FrodoKEM's table for the dimension 640, and the fractions of its errors: P(X = 0) = 9288/2^15 and so on. */
    @Test
    void tableOfFrodoKem() {
        long[] frodo = {9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1};
        byte[] out = new byte[1 << 18];
        Sampler.ofTable("sigma=2.8", "frodo", frodo, 1).bulk("chacha20", ONE, 0, out);
        int[] counts = new int[frodo.length];
        for (byte x : out) {
            counts[Math.abs(x)]++;
        }
        for (int x = 0; x < frodo.length; x++) {
            // Twice for x and -x. Five standard deviations, for 13 counts of a fixed seed.
            double mean = (double) out.length * frodo[x] / (1 << 16) * (x == 0 ? 1 : 2);
            assertTrue(Math.abs(counts[x] - mean) <= 5 * Math.sqrt(mean), counts[x] + " integers are ±" + x + ": expected " + mean);
        }
    }

    /** Bad tables of yours are refused by their entries, and any others draw. */
    @Test
    void foreignTables() {
        long[] state = {1};
        for (int i = 0; i < 300; i++) {
            long[] entries = new long[i % 7];
            for (int j = 0; j < entries.length; j++) {
                state[0] = state[0] * 6364136223846793005L + 1442695040888963407L;
                entries[j] = state[0] >>> (i % 64);
            }
            String form = List.of("frodo", "folded,tail,16", "full,tail,first=-3,64", "mirrored,pmf,16", "hawk").get(i % 5);
            byte[] out = new byte[100];
            try {
                Sampler.ofTable("sigma=1", form, entries, 1).bulk("chacha20", ONE, 0, out);
            } catch (SamplezException e) {
                assertEquals(SamplezException.Status.INVALID_ARGUMENT, e.status(), form + Arrays.toString(entries) + e.getMessage());
            }
        }
    }

    @Test
    void readmeHasTheExample() {
        String program = text("src/test/java/Example.java");
        assertTrue(text("README.md").contains("```java\n" + program + "```\n"), "README.md does not have Example.java");
        PrintStream screen = System.out;
        var shown = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(shown, true, StandardCharsets.UTF_8));
            Class.forName("Example").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        } finally {
            System.setOut(screen);
        }
        assertTrue(shown.toString(StandardCharsets.UTF_8).matches("(-?\\d+ ){10}knuth-yao-ct\\R"), shown::toString);
    }
}
