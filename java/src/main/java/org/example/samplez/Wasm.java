package org.example.samplez;

import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.ValType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.example.samplez.SamplezException.Status;

/** The C library's WebAssembly module, in an instance with its memory. */
final class Wasm extends Library {
    /** The parsed module, without code: the build has compiled that to {@link Code}. */
    private static final WasmModule MODULE = Code.load();

    /** More stack than a call with secrets takes: 64 KiB of a sampler, and what its source takes. */
    private static final int STACK_USED = 128 << 10;

    /** The operating system's generator. */
    private static final Source ENTROPY = new Source(new SecureRandom());

    final Memory memory;
    private final Instance instance;
    private final Map<String, ExportFunction> functions = new HashMap<>();
    private final int bottom;
    private SamplezException broken;

    /** Makes an instance. A stream over a generator has one of its own; {@code generator} is null for the others. */
    Wasm(RandomGenerator generator) {
        super(generator);
        ValType i32 = ValType.I32;
        var entropy = new HostFunction("samplez", "entropy", FunctionType.of(Collections.nCopies(2, i32), Collections.nCopies(1, i32)),
            (wasm, words) -> new long[] {ENTROPY.fill((int) words[1], bytes -> write(words[0], bytes))});
        var read = new HostFunction("samplez", "read", FunctionType.of(Collections.nCopies(3, i32), Collections.nCopies(1, i32)),
            (wasm, words) -> new long[] {source.fill((int) words[2], bytes -> write(words[1], bytes))});
        try {
            instance = Instance.builder(MODULE).withMachineFactory(Code::create)
                .withImportValues(ImportValues.builder().addFunction(entropy, read).build()).build();
        } catch (RuntimeException | OutOfMemoryError e) {
            throw stopped(e);
        }
        memory = instance.memory();
        bottom = (int) call("samplez_stack_end");
    }

    private static SamplezException stopped(Throwable cause) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        String why = interrupted ? "the thread was interrupted" : "the WebAssembly of samplez stopped, by a bug or for lack of memory: " + cause;
        return new SamplezException(Status.INTERNAL, "", why, cause);
    }

    @Override
    long call(String name, long... words) {
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

    @Override
    boolean isBroken() {
        return broken != null;
    }

    @Override
    long allocate(long bytes) {
        return call("samplez_allocate", bytes);
    }

    @Override
    void release(long at, long bytes) {
        call("samplez_release", at, bytes);
    }

    @Override
    long streamFromGenerator() {
        return created("samplez_stream_from_host", lay(4)[0], 0);
    }

    @Override
    ByteBuffer read(long at, int length) {
        return ByteBuffer.wrap(memory.readBytes((int) at, length)).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    void write(long at, byte[] bytes) {
        memory.write((int) at, bytes);
    }

    @Override
    void clear(long at, long bytes) {
        memory.fill((byte) 0, (int) at, (int) (at + bytes));
    }

    @Override
    void wipeStack() {
        memory.fill((byte) 0, Math.max(bottom - STACK_USED, 0), bottom);
    }

    @Override
    void close() {
        memory.fill((byte) 0, 0, memory.pages() * Memory.PAGE_SIZE);
    }

    @Override
    String text(long at) {
        return at == 0 ? "" : memory.readCString((int) at);
    }

    @Override
    int pointer() {
        return 4;
    }

    @Override
    void receive(long place, Object out, int from, int count) {
        int at = (int) place;
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
}
