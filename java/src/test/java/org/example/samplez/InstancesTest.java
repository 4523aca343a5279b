package org.example.samplez;

import static org.example.samplez.Vectors.sum;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.dylibso.chicory.runtime.Memory;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.example.samplez.SamplezException.Status;
import org.junit.jupiter.api.Test;

/** Sources that fail, threads, and the memory of instances. */
class InstancesTest {
    private static final byte[] SEED = Samplez.seed("1");
    private static final Sampler SAMPLER = Sampler.of("sigma=3.2");

    /** Runs a function with the numbers 0 to 63, each in a thread of its own. */
    private static void inThreads(IntConsumer run) {
        ExecutorService threads = Executors.newFixedThreadPool(64);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            int number = i;
            ends.add(threads.submit(() -> run.accept(number)));
        }
        threads.shutdown();
        for (Future<?> end : ends) {
            try {
                end.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** A generator that calls a function. */
    private interface Bytes extends RandomGenerator {
        void fill(byte[] out);

        @Override
        default void nextBytes(byte[] out) {
            fill(out);
        }

        @Override
        default long nextLong() {
            throw new UnsupportedOperationException();
        }
    }

    private static SamplezException failing(RandomGenerator generator, String message) {
        long[] out = new long[500];
        Arrays.fill(out, 77);
        try (Stream stream = Stream.from(generator)) {
            SamplezException e = assertThrows(SamplezException.class, () -> stream.fill(SAMPLER, out));
            assertEquals(Status.NO_ENTROPY, e.status(), e.getMessage());
            assertEquals("", e.kind());
            assertTrue(e.getMessage().contains(message), e.getMessage());
            assertArrayEquals(new long[500], out, "integers are left");
            return e;
        }
    }

    @Test
    void failingSources() {
        var broken = new IllegalStateException("broken");
        Bytes always = out -> {
            throw broken;
        };
        assertSame(broken, failing(always, "generator: gave no randomness: java.lang.IllegalStateException: broken").getCause());
        int[] calls = {0};
        Bytes later = out -> {
            new SecureRandom().nextBytes(out);
            if (++calls[0] > 1) {
                throw broken;
            }
        };
        long[] out = new long[100_000];
        Arrays.fill(out, 77);
        try (Stream stream = Stream.from(later)) {
            SamplezException e = assertThrows(SamplezException.class, () -> stream.fill(SAMPLER, out));
            assertSame(broken, e.getCause());
            assertArrayEquals(new long[out.length], out, "integers are left");
        }
        failing(() -> 0, "stuck");
        failing((Bytes) bytes -> {}, "stuck");
        failing((Bytes) bytes -> new SecureRandom().nextBytes(new byte[500]), "stuck");
        byte[] begun = new byte[500];
        new SecureRandom().nextBytes(begun);
        failing((Bytes) bytes -> System.arraycopy(begun, 0, bytes, 0, 500), "stuck"); // a short one
        failing((Bytes) bytes -> Arrays.fill(bytes, (byte) 5), "stuck");
        failing((Bytes) bytes -> {
            throw new StackOverflowError();
        }, "StackOverflowError");
        // Which other languages of the JVM may throw without a declaration.
        failing((Bytes) bytes -> InstancesTest.<RuntimeException>undeclared(new java.io.IOException("no disk")), "java.io.IOException: no disk");
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void undeclared(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** A stream's draw, which returns its output. */
    private interface Draw {
        Object of(Stream stream);
    }

    /** Random bytes, and from this one on those of another generator. */
    private static Bytes after(int count, Bytes then) {
        int[] given = {0};
        return out -> {
            new SecureRandom().nextBytes(out);
            int good = Math.min(out.length, Math.max(count - given[0], 0));
            given[0] += out.length;
            if (good < out.length) {
                byte[] rest = new byte[out.length - good];
                then.fill(rest);
                System.arraycopy(rest, 0, out, good, rest.length);
            }
        };
    }

    /** Every public function of a stream, with every fault of a source, is an error and leaves zeros. */
    @Test
    void everyDrawOverABrokenSource() {
        int count = 20_000;
        double[] sigmas = {3.2};
        double[] centers = new double[count];
        Map<String, Draw> draws = new TreeMap<>();
        draws.put("fill[class org.example.samplez.Sampler, class [B]", stream -> run(new byte[count], out -> stream.fill(SAMPLER, out)));
        draws.put("fill[class org.example.samplez.Sampler, class [S]", stream -> run(new short[count], out -> stream.fill(SAMPLER, out)));
        draws.put("fill[class org.example.samplez.Sampler, class [I]", stream -> run(new int[count], out -> stream.fill(SAMPLER, out)));
        draws.put("fill[class org.example.samplez.Sampler, class [J]", stream -> run(new long[count], out -> stream.fill(SAMPLER, out)));
        draws.put("ints[class org.example.samplez.Sampler]", stream -> stream.ints(SAMPLER).limit(count).toArray());
        draws.put("sparseTernary[int, class [B]", stream -> run(new byte[count], out -> stream.sparseTernary(count / 2, out)));
        draws.put("roundEach[class [D, class [D, class [J]", stream -> run(new long[count], out -> stream.roundEach(sigmas, centers, out)));
        draws.put("sampleEach[class [D, class [D, class [J]", stream -> run(new long[count], out -> stream.sampleEach(sigmas, centers, out)));
        draws.put("round[double, double]", stream -> run(new long[1], out -> {
            for (int i = 0; i < count; i++) {
                stream.round(3.2, 0.5);
            }
        }));
        var found = new TreeSet<String>();
        for (Method method : Stream.class.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()) && !method.getName().equals("close")) {
                found.add(method.getName() + Arrays.toString(method.getParameterTypes()));
            }
        }
        assertEquals(found, draws.keySet());
        Bytes broken = out -> {
            throw new IllegalStateException("broken");
        };
        byte[] same = new byte[1040];
        new SecureRandom().nextBytes(same);
        Map<String, Supplier<Bytes>> faults = Map.of(
            "fails at once", () -> broken,
            "fails at byte 1", () -> after(1, broken),
            "fails at byte 3000", () -> after(3000, broken),
            "zeros", () -> out -> Arrays.fill(out, (byte) 0),
            "zeros from byte 3120", () -> after(3120, out -> Arrays.fill(out, (byte) 0)),
            "the same bytes", () -> out -> System.arraycopy(same, 0, out, 0, out.length),
            "writes nothing", () -> out -> {},
            "writes 500 bytes", () -> out -> System.arraycopy(same, 0, out, 0, 500));
        faults.forEach((fault, source) -> draws.forEach((name, draw) -> {
            try (Stream stream = Stream.from(source.get())) {
                draw.of(stream);
                throw new AssertionError(name + ", " + fault + ": no error");
            } catch (SamplezException e) {
                assertEquals(Status.NO_ENTROPY, e.status(), name + ", " + fault + ": " + e.getMessage());
            }
        }));
    }

    /** Runs a draw into an array, which must be zeros if it fails. */
    private static <T> T run(T out, Consumer<T> draw) {
        int length = Array.getLength(out);
        for (int i = 0; i < length && length > 1; i++) {
            Array.setByte(out, i, (byte) 77);
        }
        try {
            draw.accept(out);
        } catch (SamplezException e) {
            for (int i = 0; i < length; i++) {
                assertEquals(0, ((Number) Array.get(out, i)).longValue(), "integers are left");
            }
            throw e;
        }
        return out;
    }

    /** A generator of the caller's gives the integers of its bytes: the sum of the Go package. */
    @Test
    void generators() {
        Bytes counter = new Bytes() {
            private long next;
            private byte[] unread = {};

            @Override
            public void fill(byte[] out) {
                for (int i = 0; i < out.length; i++) {
                    if (unread.length == 0) {
                        unread = Vectors.sha256(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(next++).array());
                    }
                    out[i] = unread[0];
                    unread = Arrays.copyOfRange(unread, 1, unread.length);
                }
            }
        };
        long[] out = new long[20_000];
        try (Stream stream = Stream.from(counter)) {
            stream.fill(SAMPLER, out);
        }
        assertEquals("5e59e43eea973f16fb4a42eb06ccdb774fa6dd104255ff0cf7935a8f1df305be", sum(out));
    }

    @Test
    void generatorsThatUseTheirOwnStream() {
        Stream[] own = {null};
        Bytes uses = out -> own[0].fill(SAMPLER, new int[1]);
        Bytes closes = out -> own[0].close();
        for (Bytes generator : List.of(uses, closes)) {
            own[0] = Stream.from(generator);
            SamplezException e = assertThrows(SamplezException.class, () -> own[0].fill(SAMPLER, new int[1]));
            assertTrue(e.getMessage().endsWith("generator: expected one that does not use its own stream"), e.getMessage());
            own[0].close();
        }
    }

    /** Returns the size of an instance; native code has no memory of its own. */
    private static int pages(Library library) {
        return library instanceof Wasm wasm ? wasm.memory.pages() : 0;
    }

    /** A part of an array is the same whatever call draws it, in 64 threads, and the sampler keeps no more instances than processors. */
    @Test
    void manyThreadsOfOneSampler() {
        Sampler sampler = Sampler.of("sigma=3.2");
        int first = 5_000;
        int part = 7_001;
        short[] whole = new short[64 * part];
        short[] parts = new short[whole.length];
        sampler.bulk("chacha20", SEED, first, whole);
        int pages = pages(sampler.idle()[0]);
        for (int again = 0; again < 5; again++) {
            inThreads(i -> {
                short[] out = new short[part];
                sampler.bulk("chacha20", SEED, first + (long) i * part, out);
                System.arraycopy(out, 0, parts, i * part, part);
            });
            assertArrayEquals(whole, parts);
            Arrays.fill(parts, (short) 0);
        }
        Library[] idle = sampler.idle();
        assertTrue(idle.length <= Runtime.getRuntime().availableProcessors(), idle.length + " instances");
        for (Library library : idle) {
            assertTrue(pages(library) <= pages, pages(library) + " pages after " + pages);
        }
    }

    /**
     * A service: in each round 64 threads open a stream each, and draw noise for 10^6 counts together. No noise comes twice, and neither the memory in use
     * nor that of an instance grows. {@code -Dsamplez.rounds} is the number of rounds.
     */
    @Test
    void service() {
        Sampler sampler = Sampler.of("sigma=1000000,method=karney,variable_time=true");
        int rounds = Integer.getInteger("samplez.rounds", 4);
        Set<Integer> pages = ConcurrentHashMap.newKeySet();
        long[] drawn = new long[2 * 64 * rounds];
        long[] used = new long[rounds];
        for (int round = 0; round < rounds; round++) {
            int first = 2 * 64 * round;
            inThreads(i -> {
                try (Stream stream = Stream.open("chacha20")) {
                    for (int call = 0; call < 2; call++) {
                        long[] out = new long[7_813];
                        stream.fill(sampler, out);
                        drawn[first + 2 * i + call] = out[0] << 42 ^ out[1] << 21 ^ out[2];
                    }
                    pages.add(pages(stream.library()));
                }
            });
            System.gc();
            used[round] = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        }
        assertEquals(drawn.length, Arrays.stream(drawn).distinct().count());
        assertEquals(1, pages.size(), pages::toString);
        assertTrue(used[rounds - 1] < used[1] + (8 << 20), () -> Arrays.toString(used));
    }

    /** Calls of one stream by several threads take turns: the parts are those of one thread in another order. */
    @Test
    void manyThreadsOfOneStream() {
        Sampler sampler = Sampler.of("sigma=1000,method=karney,variable_time=true");
        Set<String> parts = ConcurrentHashMap.newKeySet();
        try (Stream one = Stream.open("chacha20", SEED); Stream other = Stream.open("chacha20", SEED)) {
            inThreads(i -> {
                long[] out = new long[500];
                one.fill(sampler, out);
                parts.add(Arrays.toString(out));
            });
            assertEquals(64, parts.size());
            for (int i = 0; i < 64; i++) {
                long[] out = new long[500];
                other.fill(sampler, out);
                assertTrue(parts.remove(Arrays.toString(out)), "part " + i);
            }
        }
    }

    /** Streams that nobody closes are closed by the garbage collector: 600 of them need twice the memory that pom.xml gives the tests. */
    @Test
    void streamsAreCollected() {
        for (int i = 0; i < 600; i++) {
            Stream.open("chacha20").round(2, 0);
        }
    }

    /** The memory of instances that wait for a call has no seed, and no samples among the arguments; a closed stream's is all zeros. */
    @Test
    void memoryIsErased() {
        String text = "a seed that nothing else contain";
        byte[] seed = text.getBytes(StandardCharsets.ISO_8859_1);
        Sampler sampler = Sampler.of("sigma=3.2");
        sampler.bulk("chacha20", seed, 5, new long[100_000]);
        Wasm wasm = assumeWasm(sampler.idle()[0]);
        assertFalse(new String(bytes(wasm), StandardCharsets.ISO_8859_1).contains(text), "the seed is in the memory of a sampler");
        Stream stream = Stream.open("chacha20", seed);
        stream.fill(sampler, new long[100_000]);
        Wasm own = assumeWasm(stream.library());
        stream.close();
        assertArrayEquals(new byte[bytes(own).length], bytes(own), "the memory of a closed stream is not erased");
    }

    /** Leaves out a test of the memory of WebAssembly where native code runs. */
    private static Wasm assumeWasm(Library library) {
        assumeTrue(library instanceof Wasm);
        return (Wasm) library;
    }

    private static byte[] bytes(Wasm wasm) {
        return wasm.memory.readBytes(0, wasm.memory.pages() * Memory.PAGE_SIZE);
    }

    /** An interrupted thread draws nothing, and its stream stays in use. */
    @Test
    void interruptedThreads() {
        try (Stream stream = Stream.open("chacha20", SEED)) {
            for (Runnable call : List.<Runnable>of(() -> stream.fill(SAMPLER, new int[8]), () -> SAMPLER.bulk("chacha20", SEED, 0, new int[8]),
                () -> Sampler.of("sigma=2"), () -> Stream.open("chacha20"))) {
                Thread.currentThread().interrupt();
                SamplezException e = assertThrows(SamplezException.class, call::run);
                assertTrue(Thread.interrupted(), "the thread's flag is lost");
                assertEquals(Status.INTERNAL, e.status());
                assertTrue(e.getMessage().startsWith("the thread was interrupted"), e.getMessage());
            }
            int[] out = new int[8];
            stream.fill(SAMPLER, out);
            assertEquals("[-6, 2, -4, -4, 0, -7, -3, 6]", Arrays.toString(out));
        }
    }

    /** An instance that stopped is not used again. */
    @Test
    void stoppedInstances() {
        Stream stream = Stream.open("chacha20", SEED);
        assumeWasm(stream.library());
        assertEquals(Status.INTERNAL, assertThrows(SamplezException.class, () -> stream.library().call("samplez_sampler_pmf", 1 << 31, 0, 16)).status());
        for (int again = 0; again < 2; again++) {
            SamplezException e = assertThrows(SamplezException.class, () -> stream.fill(SAMPLER, new int[1]));
            assertTrue(e.getMessage().endsWith("; open a new stream"), e.getMessage());
        }
        stream.close();
        Sampler sampler = Sampler.of("sigma=3.2");
        Wasm wasm = assumeWasm(sampler.idle()[0]);
        assertThrows(SamplezException.class, () -> wasm.call("samplez_sampler_pmf", 1 << 31, 0, 16));
        assertThrows(SamplezException.class, () -> sampler.bulk("chacha20", SEED, 0, new int[1]));
        assertEquals(0, sampler.idle().length, "the instance is kept");
        sampler.bulk("chacha20", SEED, 0, new int[1]);
    }
}
