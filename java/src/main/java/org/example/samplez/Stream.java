package org.example.samplez;

import static org.example.samplez.SamplezException.refused;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.example.samplez.SamplezException.Status;

/**
 * A source of random bits with a cursor. Several threads may use it: their calls take turns.
 *
 * <p>A stream uses about 1.6 MB of WebAssembly until it is closed. The garbage collector closes a stream that nobody uses.
 */
public final class Stream implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    /** How many samplers stay built in a stream. */
    private static final int KEPT = 16;

    private final State state;
    private final Cleaner.Cleanable cleanable;

    /** What a stream is, apart from the object that the garbage collector watches. */
    static final class State implements Runnable {
        final ReentrantLock lock = new ReentrantLock();
        final Map<Sampler, Long> samplers = new HashMap<>();
        final long handle;
        Library library;

        State(Library library, long handle) {
            this.library = library;
            this.handle = handle;
        }

        /** Erases the memory and lets go of it. */
        @Override
        public void run() {
            lock.lock();
            try {
                if (library != null) {
                    library.close();
                    library = null;
                    samplers.clear();
                }
            } finally {
                lock.unlock();
            }
        }

        /** Returns the handle of a sampler in the stream's instance. */
        long sampler(Sampler sampler) {
            Long handle = samplers.get(sampler);
            if (handle == null) {
                if (samplers.size() == KEPT) {
                    samplers.values().forEach(old -> library.call("samplez_sampler_free", old));
                    samplers.clear();
                }
                handle = sampler.construction.applyAsLong(library);
                samplers.put(sampler, handle);
            }
            return handle;
        }
    }

    private Stream(RandomGenerator generator, ToLongFunction<Library> create) {
        Library.checkThread();
        Library library = Library.open(generator);
        state = new State(library, create.applyAsLong(library));
        library.wipe();
        library.wipeStack();
        cleanable = CLEANER.register(this, state);
    }

    /** Opens a named source, such as {@code chacha20} or {@code os}, with a seed from the operating system. */
    public static Stream open(String source) {
        return named(source, null);
    }

    /** Opens a named source with a seed of 32 bytes, which must not all be equal. */
    public static Stream open(String source, byte[] seed) {
        Library.checkSeed(seed);
        return named(source, seed);
    }

    private static Stream named(String source, byte[] seed) {
        byte[] name = Library.bytes("source", source);
        if (Native.FUNCTIONS == null && (source.equals("dev-random") || source.equals("dev-urandom"))) {
            throw refused("unsupported", "source = " + source + ": expected one without a device, because WebAssembly has none; use os");
        }
        return new Stream(null, library -> {
            long[] at = library.lay(new byte[][] {name, seed == null ? new byte[0] : seed}, 8);
            return library.created("samplez_stream_new", at[2], at[0], seed == null ? 0 : at[1]);
        });
    }

    /**
     * Opens a stream over a generator of yours, such as a {@link java.security.SecureRandom}. The stream asks it for 1040 bytes at a time, and uses the
     * first 1024. The generator must be cryptographic where the samples are secret, and must not use the stream.
     */
    public static Stream from(RandomGenerator generator) {
        Library.given("generator", generator, "a RandomGenerator, such as a SecureRandom");
        return new Stream(generator, Library::streamFromGenerator);
    }

    /** Erases the stream's memory. Later calls throw. */
    @Override
    public void close() {
        if (state.lock.isHeldByCurrentThread()) {
            throw refused("other", "generator: expected one that does not use its own stream");
        }
        cleanable.clean();
    }

    /** Returns the instance, or null after {@link #close}. */
    Library library() {
        return state.library;
    }

    /** Runs a function with the stream's instance, one call after the other, and erases arguments and results. */
    private <T> T with(Function<Library, T> run) {
        if (state.lock.isHeldByCurrentThread()) {
            throw refused("other", "generator: expected one that does not use its own stream");
        }
        Library.checkThread();
        state.lock.lock();
        try {
            if (state.library == null) {
                throw refused("other", "stream: expected an open one, and it is closed");
            }
            try {
                return run.apply(state.library);
            } finally {
                if (!state.library.isBroken()) {
                    state.library.wipe();
                }
            }
        } catch (SamplezException e) {
            boolean ended = state.library != null && state.library.isBroken();
            throw ended ? new SamplezException(Status.INTERNAL, "", e.getMessage() + "; open a new stream", e.getCause()) : e;
        } finally {
            state.lock.unlock();
            Reference.reachabilityFence(this);
        }
    }

    /** Fills {@code out} with the next samples. A type that is too narrow for the distribution is refused before anything is drawn. */
    public void fill(Sampler sampler, byte[] out) {
        draw(sampler, out, Library.given("out", out, "an array").length);
    }

    /** Fills shorts, as {@link #fill(Sampler, byte[])} does. */
    public void fill(Sampler sampler, short[] out) {
        draw(sampler, out, Library.given("out", out, "an array").length);
    }

    /** Fills ints, as {@link #fill(Sampler, byte[])} does. */
    public void fill(Sampler sampler, int[] out) {
        draw(sampler, out, Library.given("out", out, "an array").length);
    }

    /** Fills longs, as {@link #fill(Sampler, byte[])} does. */
    public void fill(Sampler sampler, long[] out) {
        draw(sampler, out, Library.given("out", out, "an array").length);
    }

    /**
     * Returns the next samples without an end, drawn 2048 at a time. Those that were drawn and not taken are gone, and a parallel stream loses the order.
     */
    public IntStream ints(Sampler sampler) {
        fill(sampler, new int[0]);
        return java.util.stream.Stream.generate(() -> {
            int[] out = new int[2048];
            fill(sampler, out);
            return out;
        }).sequential().flatMapToInt(Arrays::stream);
    }

    private void draw(Sampler sampler, Object out, int length) {
        Library.given("sampler", sampler, "one that Sampler.of returned");
        int width = Library.width(out);
        with(library -> {
            long handle = state.sampler(sampler);
            // As many at once as the C library has memory for; WebAssembly ends its first piece where the samples end that the stream keeps.
            boolean isNative = Native.FUNCTIONS != null;
            int piece = isNative ? 1 << 27 : Library.PIECE;
            int first = isNative ? 0 : (int) library.call("samplez_stream_ahead", handle, state.handle);
            for (int done = 0, count; ; done += count) {
                count = done == 0 && first > 0 ? Math.min(first, length) : length - done <= piece + Library.SHORT ? length - done : piece;
                long at = library.lay((long) count * width)[0];
                library.checkFilled(out, "samplez_fill_i" + 8 * width, handle, state.handle, at, count);
                library.receive(at, out, done, count);
                if (done + count == length) {
                    return null;
                }
            }
        });
    }

    /** Fills {@code out} with entries in -1, 0 and 1, of which exactly {@code weight} are not 0, uniform over all such vectors. */
    public void sparseTernary(int weight, byte[] out) {
        if (Library.given("out", out, "an array").length == 0) {
            throw refused("out-of-range", "out: has 0 elements: expected at least 1");
        }
        if (weight < 1 || weight > out.length) {
            throw refused("out-of-range", "weight = " + weight + ": expected a number between 1 and " + out.length + ", the length of out");
        }
        with(library -> {
            long at = library.lay(out.length)[0];
            library.checkFilled(out, "samplez_fill_sparse_ternary", state.handle, weight, at, out.length);
            library.receive(at, out, 0, out.length);
            return null;
        });
    }

    /** Draws a sample of D_{Z,sigma,center}, exactly, with a centre and a width of its own: sigma from 1 to 2^26, |center| &lt; 2^62. */
    public long round(double sigma, double center) {
        return with(library -> {
            long at = library.lay(8)[0];
            library.check("samplez_round", state.handle, Double.doubleToRawLongBits(sigma), Double.doubleToRawLongBits(center), at);
            return library.readLong(at);
        });
    }

    /**
     * Fills {@code out} with samples of D_{Z,sigma,center}. There is a centre for each, and a width for each or one for all. They are the integers of the
     * command {@code samplez round}.
     */
    public void roundEach(double[] sigmas, double[] centers, long[] out) {
        each("samplez_round_each", sigmas, centers, out);
    }

    /** Fills {@code out} as {@link #roundEach} does, but faster. It draws other integers, in batches. */
    public void sampleEach(double[] sigmas, double[] centers, long[] out) {
        each("samplez_sample_each", sigmas, centers, out);
    }

    private void each(String name, double[] sigmas, double[] centers, long[] out) {
        int count = Library.given("centers", centers, "an array").length;
        if (Library.given("out", out, "an array").length != count) {
            throw refused("out-of-range", "out: " + Library.has(out.length) + ": expected " + count + ", as centers has");
        }
        if (Library.given("sigmas", sigmas, "an array").length != count && sigmas.length != 1) {
            throw refused("out-of-range", "sigmas: " + Library.has(sigmas.length) + ": expected 1, or " + count + " as centers has");
        }
        with(library -> {
            long[] at = library.lay(8L * sigmas.length, 8L * count, 8L * count);
            library.send(at[0], sigmas);
            library.send(at[1], centers);
            library.checkFilled(out, name, state.handle, at[0], sigmas.length, at[1], at[2], count);
            library.receive(at[2], out, 0, count);
            return null;
        });
    }
}
