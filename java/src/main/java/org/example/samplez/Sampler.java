package org.example.samplez;

import static org.example.samplez.SamplezException.refused;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Draws from one distribution. It is immutable, and any number of threads may use it.
 *
 * <p>A sampler keeps a memory of about 1.6 MB for each thread that was in a call at once, at most one for each processor: further threads wait.
 * The garbage collector frees them.
 */
public final class Sampler {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final String[] TEXTS = {"method", "recipe", "reason", "certificate", "certificate_json", "timing"};

    /** For calls without a sampler. */
    private static final Sampler NONE = new Sampler(wasm -> 0, worker -> null);

    /** Builds the sampler in an instance, and returns its handle. */
    final ToIntFunction<Wasm> construction;

    private record Worker(Wasm wasm, int handle) {}

    private final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();
    private final Semaphore turns = new Semaphore(PROCESSORS);
    private final Declaration declared;

    private record Declaration(String[] texts, Profile profile) {}

    /**
     * A sampler's declaration, of which {@link #certificateJson} has more figures.
     *
     * @param exact whether the distribution is exactly the one aimed at, given ideal random bits
     * @param timing the class of the running time: {@code unpromised}, or {@code variable}, because WebAssembly promises nothing
     * @param log2Distance an upper bound of the base-2 logarithm of the statistical distance; minus infinity for an exact sampler
     * @param supportMin the least value of the table, rounded to a double; an exact sampler also returns values outside
     * @param supportMax the largest value of the table, rounded to a double
     * @param tableBytes the memory that a sample reads besides the code
     * @param expectedBits the expected random bits of a sample
     */
    public record Profile(boolean exact, String timing, double log2Distance, long supportMin, long supportMax, long tableBytes, double expectedBits) {}

    private Sampler(ToIntFunction<Wasm> construction, Function<Worker, Declaration> declare) {
        this.construction = construction;
        declared = with(declare);
    }

    /** Reads what the module declares of a sampler. */
    private static Declaration declaration(Worker worker) {
        Wasm wasm = worker.wasm;
        String[] texts = new String[TEXTS.length];
        for (int i = 0; i < TEXTS.length; i++) {
            byte[] name = Wasm.bytes("name", TEXTS[i]);
            int at = wasm.lay(name.length)[0];
            wasm.memory.write(at, name);
            texts[i] = wasm.text(wasm.call("samplez_sampler_text", worker.handle, at));
        }
        double log2Distance = figure(worker, "log2_sd");
        return new Declaration(texts, new Profile(log2Distance == Double.NEGATIVE_INFINITY, texts[5], log2Distance, (long) figure(worker, "support_min"),
            (long) figure(worker, "support_max"), (long) figure(worker, "table_bytes"), figure(worker, "expected_bits")));
    }

    private static double figure(Worker worker, String called) {
        byte[] name = Wasm.bytes("name", called);
        int[] at = worker.wasm.lay(8, name.length);
        worker.wasm.memory.write(at[1], name);
        worker.wasm.check("samplez_sampler_figure", worker.handle, at[1], at[0]);
        return worker.wasm.memory.readDouble(at[0]);
    }

    /**
     * Builds the sampler of a recipe, such as {@code sigma=3.2,center=1/3,precision=72}: names and values, between two of them a comma. A width is
     * needed: {@code sigma}, {@code sigma_squared}, {@code k_sigma2} or {@code s}. The names are those of the command line, with underscores. Numbers
     * are exact: 3.2 is 16/5. The planner chooses the missing parts.
     *
     * <p>Other distributions are {@code ternary}, {@code centered_binomial=21}, {@code tuniform=17}, {@code skellam=2.5} and {@code laplace=1.5}.
     */
    public static Sampler of(String recipe) {
        byte[] text = Wasm.bytes("recipe", recipe);
        return new Sampler(wasm -> {
            int[] at = wasm.lay(4, text.length);
            wasm.memory.write(at[1], text);
            return wasm.created("samplez_sampler_new", at[0], at[1]);
        }, Sampler::declaration);
    }

    /**
     * Builds a sampler over a table of yours, such as FrodoKEM's: {@code ofTable("sigma=2.8", "frodo", entries, 1)}. Its distribution is the table's, and
     * the certificate is the distance from {@code law}. The form has the words of {@code samplez certify --form}. An entry has {@code limbs} words, 1 to
     * 5, the least significant first.
     */
    public static Sampler ofTable(String law, String form, long[] entries, int limbs) {
        byte[][] texts = {Wasm.bytes("law", law), Wasm.bytes("form", form)};
        long[] words = Wasm.given("entries", entries, "an array").clone();
        if (limbs < 1 || limbs > 5) {
            throw refused("out-of-range", "limbs = " + limbs + ": expected a number between 1 and 5");
        }
        if (words.length % limbs != 0) {
            throw refused("out-of-range", "entries: has " + words.length + " elements: expected a multiple of " + limbs + ", the limbs of an entry");
        }
        return new Sampler(wasm -> {
            int[] at = wasm.lay(4, texts[0].length, texts[1].length, 8L * words.length);
            wasm.memory.write(at[1], texts[0]);
            wasm.memory.write(at[2], texts[1]);
            wasm.send(at[3], words);
            return wasm.created("samplez_sampler_from_table", at[0], at[1], at[2], at[3], words.length / limbs, limbs);
        }, Sampler::declaration);
    }

    /** Runs a function with an instance that no other thread uses, and erases its arguments and results. */
    private <T> T with(Function<Worker, T> run) {
        Wasm.checkThread();
        turns.acquireUninterruptibly();
        try {
            Worker worker = idle.pollFirst();
            if (worker == null) {
                var wasm = new Wasm(null);
                worker = new Worker(wasm, construction.applyAsInt(wasm));
            }
            try {
                return run.apply(worker);
            } finally {
                if (!worker.wasm.isBroken()) {
                    worker.wasm.wipe();
                    worker.wasm.wipeStack();
                    idle.addFirst(worker);
                }
            }
        } finally {
            turns.release();
        }
    }

    /** Runs a function with an instance. */
    static <T> T borrow(Function<Wasm, T> run) {
        return NONE.with(worker -> run.apply(worker.wasm));
    }

    /** Returns the instances that wait for a call. */
    Wasm[] idle() {
        return idle.stream().map(Worker::wasm).toArray(Wasm[]::new);
    }

    /** Returns the name of the method in use. It is empty for a sampler without a recipe, as are {@link #recipe} and {@link #reason}. */
    public String method() {
        return declared.texts[0];
    }

    /** Returns the recipe with all choices, which builds the same sampler on any machine. */
    public String recipe() {
        return declared.texts[1];
    }

    /** Returns the planner's reason for the method, or {@code named} if the recipe has a method. */
    public String reason() {
        return declared.texts[2];
    }

    /**
     * Returns the certificate as text: distance from the ideal distribution, support, memory, random bits, timing. It is empty for the distributions that
     * are not Gaussian.
     */
    public String certificate() {
        return declared.texts[3];
    }

    /** Returns the certificate as one line of JSON, with the fields of {@code samplez certify --json}. */
    public String certificateJson() {
        return declared.texts[4];
    }

    /** Returns the sampler's declaration. */
    public Profile profile() {
        return declared.profile;
    }

    /** Returns P(X = x), correctly rounded. For a sampler of a table it is that of the distribution aimed at. */
    public double pmf(long x) {
        return with(worker -> {
            int at = worker.wasm.lay(8)[0];
            worker.wasm.check("samplez_sampler_pmf", worker.handle, x, at);
            return worker.wasm.memory.readDouble(at);
        });
    }

    /**
     * Fills {@code out} with samples number {@code first}, {@code first} + 1, … of the array of this sampler, a source such as {@code chacha20}, and a
     * seed of 32 bytes. Sample number n is the same integer in every range and in every language, so threads may fill parts of one array, fastest where
     * each begins at a multiple of 8192. A type that is too narrow is refused before anything is drawn.
     */
    public void bulk(String source, byte[] seed, long first, byte[] out) {
        draw(source, seed, first, out, Wasm.given("out", out, "an array").length);
    }

    /** Fills shorts, as {@link #bulk(String, byte[], long, byte[])} does. */
    public void bulk(String source, byte[] seed, long first, short[] out) {
        draw(source, seed, first, out, Wasm.given("out", out, "an array").length);
    }

    /** Fills ints, as {@link #bulk(String, byte[], long, byte[])} does. */
    public void bulk(String source, byte[] seed, long first, int[] out) {
        draw(source, seed, first, out, Wasm.given("out", out, "an array").length);
    }

    /** Fills longs, as {@link #bulk(String, byte[], long, byte[])} does. */
    public void bulk(String source, byte[] seed, long first, long[] out) {
        draw(source, seed, first, out, Wasm.given("out", out, "an array").length);
    }

    private void draw(String source, byte[] seed, long first, Object out, int length) {
        byte[] name = Wasm.bytes("source", source);
        Wasm.checkSeed(seed);
        if (first < 0) {
            throw refused("out-of-range", "first = " + first + ": expected a number from 0 to 2^63 - 1");
        }
        if (first > Long.MAX_VALUE - length) {
            throw refused("out-of-range", "first = " + first + ": expected at most " + (Long.MAX_VALUE - length) + " with " + length + " samples");
        }
        int width = Wasm.width(out);
        with(worker -> {
            Wasm wasm = worker.wasm;
            for (int done = 0, count; ; done += count) {
                count = (int) Math.min(length - done, Wasm.PIECE - (first + done) % Wasm.PIECE);
                int[] at = wasm.lay(seed.length, name.length, (long) count * width);
                wasm.memory.write(at[0], seed);
                wasm.memory.write(at[1], name);
                wasm.checkFilled(out, "samplez_bulk_i" + 8 * width, worker.handle, at[1], at[0], first + done, at[2], count, 1);
                wasm.receive(at[2], out, done, count);
                if (done + count == length) {
                    return null;
                }
            }
        });
    }
}
