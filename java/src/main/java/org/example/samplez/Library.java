package org.example.samplez;

import static org.example.samplez.SamplezException.refused;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.example.samplez.SamplezException.Status;

/** The functions of the C library with memory for their arguments, for one thread at a time: as WebAssembly, or as native code. */
abstract class Library {
    /** The samples of a call: whole blocks of an array and whole batches of a stream, so the integers are those of one call. */
    static final int PIECE = 8 * 8192;
    /** The most samples that a stream draws as a short fill. A rest of so many belongs to the last piece. */
    static final int SHORT = 512;

    /** A generator, and what it threw last. */
    static final class Source {
        private final RandomGenerator generator;
        private Throwable fault;

        Source(RandomGenerator generator) {
            this.generator = generator;
        }

        /** Passes on random bytes, and erases them. Returns 0, or 1 if the generator threw, which the next error has as its cause. */
        int fill(int length, Consumer<byte[]> to) {
            byte[] bytes = {};
            try {
                bytes = new byte[length];
                generator.nextBytes(bytes);
                to.accept(bytes);
                return 0;
            } catch (Throwable e) {
                // All of them: one that left a native call would end the process.
                fault = e;
                return 1;
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
        }
    }

    /** The generator of a stream that has one of its own. */
    final Source source;
    private long arguments;
    private long size;
    private long used;

    Library(RandomGenerator generator) {
        source = new Source(generator);
    }

    /** Opens the library; {@code generator} is that of a stream, or null. */
    static Library open(RandomGenerator generator) {
        return Native.FUNCTIONS == null ? new Wasm(generator) : new Native(generator);
    }

    /** Calls a function that returns a number, an address or nothing. */
    abstract long call(String name, long... words);

    /** Allocates memory, which is 0 throughout; 0 if there is none. */
    abstract long allocate(long bytes);

    /** Frees memory. */
    abstract void release(long at, long bytes);

    /** Opens a stream over the generator, and returns its handle. */
    abstract long streamFromGenerator();

    /** Returns a part of the memory to read, in the order of the machine. */
    abstract ByteBuffer read(long at, int length);

    abstract void write(long at, byte[] bytes);

    /** Writes zeros. */
    abstract void clear(long at, long bytes);

    /** Returns the text at an address; it is empty for the address 0. */
    abstract String text(long at);

    /** Copies samples out of the memory to an array of bytes, shorts, ints or longs. */
    abstract void receive(long at, Object out, int from, int count);

    /** Returns the bytes of an address. */
    abstract int pointer();

    /** Erases what the last calls have left on a stack of the library's own. */
    abstract void wipeStack();

    /** Erases everything, and lets go of it. */
    abstract void close();

    /** Whether a bug or a lack of memory has stopped the library. */
    abstract boolean isBroken();

    /** Refuses the call of an interrupted thread, which the WebAssembly's runtime would end in the midst of it. */
    static void checkThread() {
        if (Thread.currentThread().isInterrupted()) {
            throw new SamplezException(Status.INTERNAL, "", "the thread was interrupted", null);
        }
    }

    /** Calls a function that returns a status. */
    void check(String name, long... words) {
        source.fault = null;
        int status = (int) call(name, words);
        if (status != 0) {
            Throwable fault = status == 1 + Status.NO_ENTROPY.ordinal() ? source.fault : null;
            String said = inJava(text(call("samplez_last_error")));
            throw new SamplezException(Status.values()[status - 1], text(call("samplez_last_kind")), fault == null ? said : said + ": " + fault, fault);
        }
    }

    /** Calls a constructor, whose last argument is a place for the handle, and returns the handle. */
    long created(String name, long place, long... words) {
        words = Arrays.copyOf(words, words.length + 1);
        words[words.length - 1] = place;
        check(name, words);
        return address(place);
    }

    /** Translates the types and names in the C library's words. A message about {@code out} has nothing that a user typed, and the others
     * are translated at their ends alone. */
    private static String inJava(String said) {
        if (said.startsWith("out = ")) {
            return said.replace("int8_t", "byte").replace("int16_t", "short").replace("int32_t", "int").replace("int64_t", "long");
        }
        return said.replaceFirst("^seed: expected NULL", "seed: expected none").replaceFirst("; samplez_big_new takes numbers of up to 4096 bits$", "")
            .replaceFirst("^callback: gave no randomness, and returned 1", "generator: gave no randomness");
    }

    /** Returns places for arguments of these sizes, each at a multiple of 16, until the next call. */
    long[] lay(long... sizes) {
        long[] places = new long[sizes.length];
        long total = 0;
        for (int i = 0; i < sizes.length; i++) {
            places[i] = total;
            total += (sizes[i] + 15) & -16;
            if (total > Integer.MAX_VALUE) {
                throw refused("out-of-range", sizes[i] + " bytes of arguments: expected fewer than 2^31; use shorter arrays");
            }
        }
        if (total > size) {
            wipe();
            release(arguments, size);
            size = 0;
            arguments = allocate(total);
            if (arguments == 0) {
                throw new SamplezException(Status.INTERNAL, "", total + " bytes of arguments: no memory is left", null);
            }
            size = total;
        }
        for (int i = 0; i < places.length; i++) {
            places[i] += arguments;
        }
        used = Math.max(used, total);
        return places;
    }

    /** Returns places for texts, each with what C needs, and for more arguments of these sizes after them. */
    long[] lay(byte[][] texts, long... sizes) {
        long[] all = new long[texts.length + sizes.length];
        for (int i = 0; i < texts.length; i++) {
            all[i] = texts[i].length;
        }
        System.arraycopy(sizes, 0, all, texts.length, sizes.length);
        long[] places = lay(all);
        for (int i = 0; i < texts.length; i++) {
            write(places[i], texts[i]);
        }
        return places;
    }

    /** Erases the arguments and results of the last calls. */
    void wipe() {
        if (used > 0) {
            clear(arguments, used);
        }
        used = 0;
    }

    /** Frees the memory of the arguments. */
    void releaseArguments() {
        wipe();
        release(arguments, size);
        size = 0;
    }

    long address(long at) {
        ByteBuffer bytes = read(at, pointer());
        return pointer() == 4 ? bytes.getInt() : bytes.getLong();
    }

    double readDouble(long at) {
        return read(at, 8).getDouble();
    }

    long readLong(long at) {
        return read(at, 8).getLong();
    }

    byte[] readBytes(long at, int length) {
        byte[] bytes = new byte[length];
        read(at, length).get(bytes);
        return bytes;
    }

    /** Writes numbers of 64 bits. */
    void send(long at, long[] words) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(read(at, 0).order());
        bytes.asLongBuffer().put(words);
        write(at, bytes.array());
        Arrays.fill(bytes.array(), (byte) 0);
    }

    /** Writes doubles. */
    void send(long at, double[] numbers) {
        send(at, Arrays.stream(numbers).mapToLong(Double::doubleToRawLongBits).toArray());
    }

    /** Returns the bytes of an element of an array. */
    static int width(Object out) {
        return out instanceof byte[] ? 1 : out instanceof short[] ? 2 : out instanceof int[] ? 4 : 8;
    }

    /** Calls a function that draws into {@code out}. If the source fails, the whole array becomes zeros. */
    void checkFilled(Object out, String name, long... words) {
        try {
            check(name, words);
        } catch (SamplezException e) {
            if (e.status() == Status.NO_ENTROPY) {
                System.arraycopy(Array.newInstance(out.getClass().componentType(), Array.getLength(out)), 0, out, 0, Array.getLength(out));
            }
            throw e;
        }
    }

    /** So many elements, for a message about an array. */
    static String has(int count) {
        return "has " + count + (count == 1 ? " element" : " elements");
    }

    /** Refuses null. */
    static <T> T given(String name, T value, String expected) {
        if (value == null) {
            throw refused("missing", name + ": expected " + expected + ", not null");
        }
        return value;
    }

    /** Returns the bytes of a text with the zero byte that ends it in C. Refuses one that C would cut. */
    static byte[] bytes(String name, String text) {
        given(name, text, "a text");
        if (text.indexOf('\0') >= 0) {
            throw refused("other", name + " = \"" + text.replace("\0", "\\0") + "\": expected no zero byte");
        }
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining() + 1];
            encoded.get(bytes, 0, bytes.length - 1);
            return bytes;
        } catch (CharacterCodingException e) {
            throw refused("other", name + ": expected Unicode, and it has half of a surrogate pair");
        }
    }

    /** Refuses a seed of another length than 32 bytes. */
    static void checkSeed(byte[] seed) {
        if (given("seed", seed, "32 bytes").length != 32) {
            throw refused("out-of-range", "seed: has " + seed.length + " bytes: expected 32");
        }
    }
}
