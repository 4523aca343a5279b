package org.example.samplez;

import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.CodeSection;
import com.dylibso.chicory.wasm.types.DataSection;
import com.dylibso.chicory.wasm.types.ElementSection;
import com.dylibso.chicory.wasm.types.ExportSection;
import com.dylibso.chicory.wasm.types.FunctionBody;
import com.dylibso.chicory.wasm.types.FunctionSection;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.GlobalSection;
import com.dylibso.chicory.wasm.types.ImportSection;
import com.dylibso.chicory.wasm.types.MemorySection;
import com.dylibso.chicory.wasm.types.SectionId;
import com.dylibso.chicory.wasm.types.TableSection;
import com.dylibso.chicory.wasm.types.TypeSection;
import com.dylibso.chicory.wasm.types.ValType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.example.samplez.SamplezException.Status;

/** The C library's WebAssembly module, in an instance with its memory. */
final class Wasm extends Library {
    /** The module without its code, which the build has checked and compiled to {@link Code}. */
    private static final WasmModule MODULE = parse();

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
            instance = Instance.builder(MODULE).withMachineFactory(Code::create).withMemoryFactory(ByteArrayMemory::new)
                .withImportValues(ImportValues.builder().addFunction(entropy, read).build()).build();
        } catch (RuntimeException | OutOfMemoryError e) {
            throw stopped(e);
        }
        memory = instance.memory();
        bottom = (int) call("samplez_stack_end");
    }

    /** Parses the module faster than {@code Code.load()}, without checking it again, or reading the empty bodies of its functions. */
    private static WasmModule parse() {
        var module = WasmModule.builder().withValidation(false);
        var parser = Parser.builder();
        for (int id = SectionId.TYPE; id <= SectionId.DATA; id++) {
            if (id != SectionId.CODE) {
                parser.includeSectionId(id);
            }
        }
        try (InputStream meta = Wasm.class.getResourceAsStream("Code.meta")) {
            parser.build().parse(meta, section -> {
                switch (section.sectionId()) {
                    case SectionId.TYPE -> module.setTypeSection((TypeSection) section);
                    case SectionId.IMPORT -> module.setImportSection((ImportSection) section);
                    case SectionId.FUNCTION -> {
                        var bodies = CodeSection.builder();
                        var empty = new FunctionBody(List.of(), List.of());
                        Collections.nCopies(((FunctionSection) section).functionCount(), empty).forEach(bodies::addFunctionBody);
                        module.setFunctionSection((FunctionSection) section).setCodeSection(bodies.build());
                    }
                    case SectionId.TABLE -> module.setTableSection((TableSection) section);
                    case SectionId.MEMORY -> module.setMemorySection((MemorySection) section);
                    case SectionId.GLOBAL -> module.setGlobalSection((GlobalSection) section);
                    case SectionId.EXPORT -> module.setExportSection((ExportSection) section);
                    case SectionId.ELEMENT -> module.setElementSection((ElementSection) section);
                    case SectionId.DATA -> module.setDataSection((DataSection) section);
                    default -> throw new IllegalStateException("a section of the kind " + section.sectionId());
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return module.build();
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
