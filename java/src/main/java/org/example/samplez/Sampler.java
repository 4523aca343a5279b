package org.example.samplez;

import static org.example.samplez.SamplezException.refused;

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Draws from one distribution. It is immutable, and any number of threads may use it.
 *
 * <p>A sampler keeps a memory of about 1.6 MB for each thread that was in a call at once, at most one for each processor: further threads wait.
 * The garbage collector frees them.
 */
public final class Sampler {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final String[] TEXTS = {"method", "recipe", "reason", "certificate", "certificate_json", "timing"};

    /** The most samples of a call of {@link #bulk}: as native code one block, which stays in the processor's cache. */
    private static final int DRAWN = Native.FUNCTIONS == null ? Library.PIECE : 8192;

    /** For calls without a sampler. */
    private static final Sampler NONE = new Sampler(library -> 0, null);

    /** Builds the sampler in an instance, and returns its handle. */
    final ToLongFunction<Library> construction;

    private record Worker(Library library, long handle) {}

    private final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();
    private final Semaphore turns = new Semaphore(PROCESSORS);
    private final Declaration declared;

    private record Declaration(String[] texts, Profile profile) {}

    /**
     * A sampler's declaration, of which {@link #certificateJson} has more figures.
     *
     * @param exact whether the distribution is exactly the one aimed at, given ideal random bits
     * @param timing the class of the running time: {@code unpromised} or {@code variable} by WebAssembly, which promises nothing
     * @param log2Distance an upper bound of the base-2 logarithm of the statistical distance; minus infinity for an exact sampler
     * @param supportMin the least value of the table, rounded to a double; an exact sampler also returns values outside
     * @param supportMax the largest value of the table, rounded to a double
     * @param tableBytes the memory that a sample reads besides the code
     * @param expectedBits the expected random bits of a sample
     */
    public record Profile(boolean exact, String timing, double log2Distance, long supportMin, long supportMax, long tableBytes, double expectedBits) {}

    private Sampler(ToLongFunction<Library> construction, Function<Worker, Declaration> declare) {
        this.construction = construction;
        declared = declare == null ? null : with(declare);
    }

    /** Reads what the module declares of a sampler. */
    private static Declaration declaration(Worker worker) {
        Library library = worker.library;
        String[] texts = new String[TEXTS.length];
        for (int i = 0; i < TEXTS.length; i++) {
            byte[] name = Library.bytes("name", TEXTS[i]);
            texts[i] = library.text(library.call("samplez_sampler_text", worker.handle, library.lay(new byte[][] {name})[0]));
        }
        double log2Distance = figure(worker, "log2_sd");
        return new Declaration(texts, new Profile(log2Distance == Double.NEGATIVE_INFINITY, texts[5], log2Distance, (long) figure(worker, "support_min"),
            (long) figure(worker, "support_max"), (long) figure(worker, "table_bytes"), figure(worker, "expected_bits")));
    }

    private static double figure(Worker worker, String called) {
        byte[] name = Library.bytes("name", called);
        long[] at = worker.library.lay(new byte[][] {name}, 8);
        worker.library.check("samplez_sampler_figure", worker.handle, at[0], at[1]);
        return worker.library.readDouble(at[1]);
    }

    /**
     * Builds the sampler of a recipe, such as {@code sigma=3.2,center=1/3,precision=72}: names and values, between two of them a comma. A width is
     * needed: {@code sigma}, {@code sigma_squared}, {@code k_sigma2} or {@code s}. The names are those of the command line, with underscores. Numbers
     * are exact: 3.2 is 16/5. The planner chooses the missing parts.
     *
     * <p>Other distributions are {@code ternary}, {@code centered_binomial=21}, {@code tuniform=17}, {@code skellam=2.5} and {@code laplace=1.5}.
     * {@code laplace=1.5,clip=20} is the last, given that |x| is at most 20.
     */
    public static Sampler of(String recipe) {
        byte[] text = Library.bytes("recipe", recipe);
        return new Sampler(library -> {
            long[] at = library.lay(new byte[][] {text}, 8);
            return library.created("samplez_sampler_new", at[1], at[0]);
        }, Sampler::declaration);
    }

    /**
     * Builds a sampler over a table of yours, such as FrodoKEM's: {@code ofTable("sigma=2.8", "frodo", entries, 1)}. Its distribution is the table's, and
     * the certificate is the distance from {@code law}. The form has the words of {@code samplez certify --form}. An entry has {@code limbs} words, 1 to
     * 5, the least significant first.
     */
    public static Sampler ofTable(String law, String form, long[] entries, int limbs) {
        byte[][] texts = {Library.bytes("law", law), Library.bytes("form", form)};
        long[] words = Library.given("entries", entries, "an array").clone();
        if (limbs < 1 || limbs > 5) {
            throw refused("out-of-range", "limbs = " + limbs + ": expected a number between 1 and 5");
        }
        if (words.length % limbs != 0) {
            throw refused("out-of-range", "entries: " + Library.has(words.length) + ": expected a multiple of " + limbs + ", the limbs of an entry");
        }
        return new Sampler(library -> {
            long[] at = library.lay(texts, 8L * words.length, 8);
            library.send(at[2], words);
            return library.created("samplez_sampler_from_table", at[3], at[0], at[1], at[2], words.length / limbs, limbs);
        }, Sampler::declaration);
    }

    /** Runs a function with an instance that no other thread uses, and erases its arguments and results. */
    private <T> T with(Function<Worker, T> run) {
        Library.checkThread();
        turns.acquireUninterruptibly();
        try {
            Worker worker = idle.pollFirst();
            if (worker == null) {
                Library library = Library.open(null);
                worker = new Worker(library, construction.applyAsLong(library));
            }
            try {
                return run.apply(worker);
            } finally {
                if (!worker.library.isBroken()) {
                    worker.library.wipe();
                    worker.library.wipeStack();
                    idle.addFirst(worker);
                }
            }
        } finally {
            turns.release();
        }
    }

    /** Runs a function with an instance. */
    static <T> T borrow(Function<Library, T> run) {
        return NONE.with(worker -> run.apply(worker.library));
    }

    /** Returns the instances that wait for a call. */
    Library[] idle() {
        return idle.stream().map(Worker::library).toArray(Library[]::new);
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

    /**
     * Fills {@code out} with samples number {@code first}, {@code first} + 1, … of the array of this sampler, a source such as {@code chacha20}, and a
     * seed of 32 bytes. Sample number n is the same integer in every range and in every language, so threads may fill parts of one array, fastest where
     * each begins at a multiple of 8192. A type that is too narrow is refused before anything is drawn.
     */
    public void bulk(String source, byte[] seed, long first, byte[] out) {
        draw(source, seed, first, out, Library.given("out", out, "an array").length);
    }

    /** Fills shorts, as {@link #bulk(String, byte[], long, byte[])} does. */
    public void bulk(String source, byte[] seed, long first, short[] out) {
        draw(source, seed, first, out, Library.given("out", out, "an array").length);
    }

    /** Fills ints, as {@link #bulk(String, byte[], long, byte[])} does. */
    public void bulk(String source, byte[] seed, long first, int[] out) {
        draw(source, seed, first, out, Library.given("out", out, "an array").length);
    }

    /** Fills longs, as {@link #bulk(String, byte[], long, byte[])} does. */
    public void bulk(String source, byte[] seed, long first, long[] out) {
        draw(source, seed, first, out, Library.given("out", out, "an array").length);
    }

    /**
     * Returns samples number {@code first} to {@code first} + {@code count} - 1 as a stream, whose parts are drawn in parallel if you make it so. They
     * are the integers of {@link #bulk(String, byte[], long, int[])}.
     */
    public IntStream ints(String source, byte[] seed, long first, long count) {
        if (count < 0 || first >= 0 && first > Long.MAX_VALUE - count) {
            throw refused("out-of-range", "count = " + count + ": expected a number from 0 to " + (Long.MAX_VALUE - Math.max(first, 0)));
        }
        bulk(source, seed, first, new int[0]);
        byte[] kept = seed.clone();
        return LongStream.rangeClosed(1, count / Library.PIECE + (count % Library.PIECE == 0 ? 0 : 1)).mapToObj(part -> {
            long done = (part - 1) * Library.PIECE;
            int[] out = new int[(int) Math.min(Library.PIECE, count - done)];
            bulk(source, kept, first + done, out);
            return out;
        }).flatMapToInt(Arrays::stream);
    }

    private void draw(String source, byte[] seed, long first, Object out, int length) {
        byte[] name = Library.bytes("source", source);
        Library.checkSeed(seed);
        if (first < 0) {
            throw refused("out-of-range", "first = " + first + ": expected a number from 0 to 2^63 - 1");
        }
        if (first > Long.MAX_VALUE - length) {
            throw refused("out-of-range", "first = " + first + ": expected at most " + (Long.MAX_VALUE - length) + " with " + length + " samples");
        }
        int width = Library.width(out);
        with(worker -> {
            Library library = worker.library;
            for (int done = 0, count; ; done += count) {
                count = (int) Math.min(length - done, DRAWN - (first + done) % DRAWN);
                long[] at = library.lay(new byte[][] {name, seed}, (long) count * width);
                library.checkFilled(out, "samplez_bulk_i" + 8 * width, worker.handle, at[0], at[1], first + done, at[2], count, 1);
                library.receive(at[2], out, done, count);
                if (done + count == length) {
                    return null;
                }
            }
        });
    }
}
