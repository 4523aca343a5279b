package org.example.samplez;

import static org.example.samplez.SamplezException.refused;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.example.samplez.SamplezException.Status;

/**
 * A source of random bits with a cursor. Several threads may use it: their calls take turns.
 *
 * <p>A stream uses about 1.6 MB until it is closed. The garbage collector closes a stream that nobody uses.
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
        final Map<Sampler, Integer> samplers = new HashMap<>();
        final int handle;
        Wasm wasm;

        State(Wasm wasm, int handle) {
            this.wasm = wasm;
            this.handle = handle;
        }

        /** Erases the memory and lets go of it. */
        @Override
        public void run() {
            lock.lock();
            try {
                if (wasm != null) {
                    wasm.erase();
                    wasm = null;
                    samplers.clear();
                }
            } finally {
                lock.unlock();
            }
        }

        /** Returns the handle of a sampler in the stream's instance. */
        int sampler(Sampler sampler) {
            Integer handle = samplers.get(sampler);
            if (handle == null) {
                if (samplers.size() == KEPT) {
                    samplers.values().forEach(old -> wasm.call("samplez_sampler_free", old));
                    samplers.clear();
                }
                handle = sampler.construction.applyAsInt(wasm);
                samplers.put(sampler, handle);
            }
            return handle;
        }
    }

    private Stream(RandomGenerator generator, ToIntFunction<Wasm> create) {
        var wasm = new Wasm(generator);
        state = new State(wasm, create.applyAsInt(wasm));
        wasm.wipe();
        wasm.wipeStack();
        cleanable = CLEANER.register(this, state);
    }

    /** Opens a named source, such as {@code chacha20} or {@code os}, with a seed from the operating system. */
    public static Stream open(String source) {
        return named(source, null);
    }

    /** Opens a named source with a seed of 32 bytes, which must not all be equal. */
    public static Stream open(String source, byte[] seed) {
        Wasm.checkSeed(seed);
        return named(source, seed);
    }

    private static Stream named(String source, byte[] seed) {
        byte[] name = Wasm.bytes("source", source);
        if (source.equals("dev-random") || source.equals("dev-urandom")) {
            throw refused("unsupported", "source = " + source + ": expected one without a device, because WebAssembly has none; use os");
        }
        return new Stream(null, wasm -> {
            int[] at = wasm.lay(4, name.length, 32);
            wasm.memory.write(at[1], name);
            if (seed != null) {
                wasm.memory.write(at[2], seed);
            }
            return wasm.created("samplez_stream_new", at[0], at[1], seed == null ? 0 : at[2]);
        });
    }

    /**
     * Opens a stream over a generator of yours, such as a {@link java.security.SecureRandom}. The stream asks it for 1040 bytes at a time, and uses the
     * first 1024. The generator must be cryptographic where the samples are secret, and must not use the stream.
     */
    public static Stream from(RandomGenerator generator) {
        Wasm.given("generator", generator, "a RandomGenerator, such as a SecureRandom");
        return new Stream(generator, wasm -> wasm.created("samplez_stream_from_host", wasm.lay(4)[0], 0));
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
    Wasm wasm() {
        return state.wasm;
    }

    /** Runs a function with the stream's instance, one call after the other, and erases arguments and results. */
    private <T> T with(Function<Wasm, T> run) {
        if (state.lock.isHeldByCurrentThread()) {
            throw refused("other", "generator: expected one that does not use its own stream");
        }
        Wasm.checkThread();
        state.lock.lock();
        try {
            if (state.wasm == null) {
                throw refused("other", "stream: expected an open one, and it is closed");
            }
            try {
                return run.apply(state.wasm);
            } finally {
                if (!state.wasm.isBroken()) {
                    state.wasm.wipe();
                }
            }
        } catch (SamplezException e) {
            boolean ended = state.wasm != null && state.wasm.isBroken();
            throw ended ? new SamplezException(Status.INTERNAL, "", e.getMessage() + "; open a new stream", e.getCause()) : e;
        } finally {
            state.lock.unlock();
            Reference.reachabilityFence(this);
        }
    }

    /** Fills {@code out} with the next samples. A type that is too narrow for the distribution is refused before anything is drawn. */
    public void fill(Sampler sampler, byte[] out) {
        draw(sampler, out, Wasm.given("out", out, "an array").length);
    }

    /** Fills shorts, as {@link #fill(Sampler, byte[])} does. */
    public void fill(Sampler sampler, short[] out) {
        draw(sampler, out, Wasm.given("out", out, "an array").length);
    }

    /** Fills ints, as {@link #fill(Sampler, byte[])} does. */
    public void fill(Sampler sampler, int[] out) {
        draw(sampler, out, Wasm.given("out", out, "an array").length);
    }

    /** Fills longs, as {@link #fill(Sampler, byte[])} does. */
    public void fill(Sampler sampler, long[] out) {
        draw(sampler, out, Wasm.given("out", out, "an array").length);
    }

    private void draw(Sampler sampler, Object out, int length) {
        Wasm.given("sampler", sampler, "one that Sampler.of returned");
        int width = Wasm.width(out);
        with(wasm -> {
            int handle = state.sampler(sampler);
            for (int done = 0, count; ; done += count) {
                count = Math.min(length - done, Wasm.PIECE);
                int at = wasm.lay((long) count * width)[0];
                wasm.checkFilled(out, "samplez_fill_i" + 8 * width, handle, state.handle, at, count);
                wasm.receive(at, out, done, count);
                if (done + count == length) {
                    return null;
                }
            }
        });
    }

    /** Fills {@code out} with entries in -1, 0 and 1, of which exactly {@code weight} are not 0, uniform over all such vectors. */
    public void sparseTernary(int weight, byte[] out) {
        if (Wasm.given("out", out, "an array").length == 0) {
            throw refused("out-of-range", "out: has 0 elements: expected at least 1");
        }
        if (weight < 1 || weight > out.length) {
            throw refused("out-of-range", "weight = " + weight + ": expected a number between 1 and " + out.length + ", the length of out");
        }
        with(wasm -> {
            int at = wasm.lay(out.length)[0];
            wasm.checkFilled(out, "samplez_fill_sparse_ternary", state.handle, weight, at, out.length);
            wasm.receive(at, out, 0, out.length);
            return null;
        });
    }

    /** Draws a sample of D_{Z,sigma,center}, exactly, with a centre and a width of its own: sigma from 1 to 2^26, |center| &lt; 2^62. */
    public long round(double sigma, double center) {
        return with(wasm -> {
            int at = wasm.lay(8)[0];
            wasm.check("samplez_round", state.handle, Double.doubleToRawLongBits(sigma), Double.doubleToRawLongBits(center), at);
            return wasm.memory.readLong(at);
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
        int count = Wasm.given("centers", centers, "an array").length;
        if (Wasm.given("out", out, "an array").length != count) {
            throw refused("out-of-range", "out: has " + out.length + " elements: expected " + count + ", as centers has");
        }
        if (Wasm.given("sigmas", sigmas, "an array").length != count && sigmas.length != 1) {
            throw refused("out-of-range", "sigmas: has " + sigmas.length + " elements: expected 1, or " + count + " as centers has");
        }
        with(wasm -> {
            int[] at = wasm.lay(8L * sigmas.length, 8L * count, 8L * count);
            wasm.send(at[0], sigmas);
            wasm.send(at[1], centers);
            wasm.checkFilled(out, name, state.handle, at[0], sigmas.length, at[1], at[2], count);
            wasm.receive(at[2], out, 0, count);
            return null;
        });
    }
}
