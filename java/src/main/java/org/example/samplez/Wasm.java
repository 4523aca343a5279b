package org.example.samplez;

import static org.example.samplez.SamplezException.refused;

import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.ValType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.example.samplez.SamplezException.Status;

/** A memory with the functions of the C library's WebAssembly module, for one thread at a time. */
final class Wasm {
    /** The parsed module, without code: the build has compiled that to {@link Code}. */
    private static final WasmModule MODULE = Code.load();

    /** The most samples of a call: whole blocks of an array and whole batches of a stream, so the integers are those of one call. */
    static final int PIECE = 8 * 8192;

    /** More stack than a call with secrets takes: 64 KiB of a sampler, and what its source takes. */
    private static final int STACK_USED = 128 << 10;

    /** The operating system's generator. */
    private static final class Entropy {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    final Memory memory;
    private final Instance instance;
    private final Map<String, ExportFunction> functions = new HashMap<>();
    private final RandomGenerator generator;
    private final int bottom;
    private Throwable fault;
    private int arguments;
    private int size;
    private int used;
    private SamplezException broken;

    /** Makes an instance. A stream over a generator has one of its own; {@code generator} is null for the others. */
    Wasm(RandomGenerator generator) {
        this.generator = generator;
        ValType i32 = ValType.I32;
        var entropy = new HostFunction("samplez", "entropy", FunctionType.of(Collections.nCopies(2, i32), Collections.nCopies(1, i32)),
            (wasm, words) -> filled(Entropy.RANDOM, (int) words[0], (int) words[1]));
        var read = new HostFunction("samplez", "read", FunctionType.of(Collections.nCopies(3, i32), Collections.nCopies(1, i32)),
            (wasm, words) -> filled(generator, (int) words[1], (int) words[2]));
        try {
            instance = Instance.builder(MODULE).withMachineFactory(Code::create)
                .withImportValues(ImportValues.builder().addFunction(entropy, read).build()).build();
        } catch (RuntimeException | OutOfMemoryError e) {
            throw stopped(e);
        }
        memory = instance.memory();
        bottom = call("samplez_stack_end");
    }

    /** Fills a part of the memory from a generator. Returns 0, or 1 if the generator threw, which the next error has as its cause. */
    private long[] filled(RandomGenerator from, int at, int length) {
        byte[] bytes = new byte[length];
        try {
            from.nextBytes(bytes);
            memory.write(at, bytes);
            return new long[] {0};
        } catch (RuntimeException | Error e) {
            fault = e;
            return new long[] {1};
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static SamplezException stopped(Throwable cause) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        String why = interrupted ? "the thread was interrupted" : "the WebAssembly of samplez stopped, by a bug or for lack of memory: " + cause;
        return new SamplezException(Status.INTERNAL, "", why, cause);
    }

    /** Refuses the call of an interrupted thread, which the runtime would end in the midst of it. */
    static void checkThread() {
        if (Thread.currentThread().isInterrupted()) {
            throw stopped(null);
        }
    }

    /** Calls a function that returns a number or nothing. */
    int call(String name, long... words) {
        if (broken != null) {
            throw broken;
        }
        try {
            long[] result = functions.computeIfAbsent(name, instance::export).apply(words);
            return result == null || result.length == 0 ? 0 : (int) result[0];
        } catch (RuntimeException | Error e) {
            throw broken = stopped(e);
        }
    }

    boolean isBroken() {
        return broken != null;
    }

    /** Calls a function that returns a status. */
    void check(String name, long... words) {
        fault = null;
        int status = call(name, words);
        if (status != 0) {
            String said = inJava(text(call("samplez_last_error")));
            boolean failed = status == 1 + Status.NO_ENTROPY.ordinal() && fault != null;
            String kind = text(call("samplez_last_kind"));
            throw new SamplezException(Status.values()[status - 1], kind, failed ? said + ": " + fault : said, failed ? fault : null);
        }
    }

    /** Calls a constructor, whose last argument is a place for the handle, and returns the handle. */
    int created(String name, int place, long... words) {
        words = Arrays.copyOf(words, words.length + 1);
        words[words.length - 1] = place;
        check(name, words);
        return memory.readInt(place);
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
    int[] lay(long... sizes) {
        int[] places = new int[sizes.length];
        long total = 0;
        for (int i = 0; i < sizes.length; i++) {
            places[i] = (int) total;
            total += (sizes[i] + 15) & -16;
            if (total > Integer.MAX_VALUE) {
                throw refused("out-of-range", sizes[i] + " bytes of arguments: expected fewer than 2^31; use shorter arrays");
            }
        }
        if (total > size) {
            wipe();
            call("samplez_release", arguments, size);
            size = 0;
            arguments = call("samplez_allocate", total);
            if (arguments == 0) {
                throw new SamplezException(Status.INTERNAL, "", total + " bytes of arguments: no memory is left", null);
            }
            size = (int) total;
        }
        for (int i = 0; i < places.length; i++) {
            places[i] += arguments;
        }
        used = Math.max(used, (int) total);
        return places;
    }

    /** Erases the arguments and results of the last calls. */
    void wipe() {
        memory.fill((byte) 0, arguments, arguments + used);
        used = 0;
    }

    /** Erases what the last calls have left on the stack of WebAssembly. */
    void wipeStack() {
        memory.fill((byte) 0, Math.max(bottom - STACK_USED, 0), bottom);
    }

    /** Erases all of the memory. */
    void erase() {
        memory.fill((byte) 0, 0, memory.pages() * Memory.PAGE_SIZE);
    }

    /** Returns the text at an address; it is empty for the address 0. */
    String text(int at) {
        return at == 0 ? "" : memory.readCString(at);
    }

    /** Copies samples out of the memory to an array of bytes, shorts, ints or longs. */
    void receive(int at, Object out, int from, int count) {
        if (out instanceof byte[] bytes) {
            for (int i = 0; i < count; i++) {
                bytes[from + i] = memory.read(at + i);
            }
        } else if (out instanceof short[] shorts) {
            for (int i = 0; i < count; i++) {
                shorts[from + i] = memory.readShort(at + 2 * i);
            }
        } else if (out instanceof int[] ints) {
            for (int i = 0; i < count; i++) {
                ints[from + i] = memory.readInt(at + 4 * i);
            }
        } else {
            for (int i = 0; i < count; i++) {
                ((long[]) out)[from + i] = memory.readLong(at + 8 * i);
            }
        }
    }

    /** Writes numbers of 64 bits. */
    void send(int at, long[] words) {
        for (int i = 0; i < words.length; i++) {
            memory.writeLong(at + 8 * i, words[i]);
        }
    }

    /** Writes doubles. */
    void send(int at, double[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            memory.writeF64(at + 8 * i, numbers[i]);
        }
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
