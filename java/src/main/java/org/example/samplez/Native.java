package org.example.samplez;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.example.samplez.SamplezException.Status;

/**
 * The C library as native code, by the foreign-function interface that Java has since 22. Java 17 compiles this file, so it finds the interface by name.
 * All of a function's arguments are passed as integers of 64 bits, which has the calling convention of pointers and sizes, but for the doubles of
 * {@code samplez_round}.
 */
final class Native extends Library {
    /** The system property with the path of the C library. */
    static final String PROPERTY = "samplez.library";

    /** The functions called so far, of type (long[])long; null if this process runs the WebAssembly. */
    static final Map<String, MethodHandle> FUNCTIONS = System.getProperty(PROPERTY) == null ? null : new ConcurrentHashMap<>();

    /** Of this package. Another version's structures may have another layout. */
    static final String VERSION = "0.1.0";

    private static final Set<String> RETURN_ADDRESSES = Set.of("samplez_last_error", "samplez_last_kind", "samplez_version", "samplez_sampler_text", "calloc");
    private static final byte[] ZEROS = new byte[4096];
    private static final Cleaner CLEANER = Cleaner.create();
    /** Opened at the first call of a function, whose caller gets the exception if it cannot be. */
    private static volatile Object symbols;

    /** Finds the bytes at an address, of type (long, long)ByteBuffer. */
    private static final class View {
        static final MethodHandle HANDLE = handle();

        private static MethodHandle handle() {
            try {
                var lookup = MethodHandles.lookup();
                Class<?> segment = type("MemorySegment");
                MethodHandle sized = lookup.findVirtual(segment, "reinterpret", MethodType.methodType(segment, long.class));
                MethodHandle at = lookup.findStatic(segment, "ofAddress", MethodType.methodType(segment, long.class));
                MethodHandle bytes = lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
                return MethodHandles.filterReturnValue(MethodHandles.collectArguments(sized, 0, at), bytes);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** What the garbage collector frees with an object of this class: handles with their destructors in the order of creation, and the callback. */
    private static final class Owned implements Runnable {
        final Map<Long, String> handles = new LinkedHashMap<>();
        Object callback;

        @Override
        public void run() {
            handles.forEach((handle, destructor) -> invoke(destructor, handle));
            handles.clear();
            if (callback != null) {
                on("Arena", callback, "close", new Class<?>[0]);
                callback = null;
            }
        }
    }

    private final Owned owned = new Owned();
    private final Cleaner.Cleanable cleanable = CLEANER.register(this, owned);

    Native(RandomGenerator generator) {
        super(generator);
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName("java.lang.foreign." + name);
        } catch (ClassNotFoundException e) {
            throw new SamplezException(Status.INVALID_ARGUMENT, "unsupported", PROPERTY + " = " + System.getProperty(PROPERTY)
                + ": expected Java 22 or newer, and this is " + Runtime.version() + "; leave the property out, for WebAssembly", e);
        }
    }

    /** Calls a method of the foreign-function interface; a static one if {@code self} is null. */
    private static Object on(String type, Object self, String method, Class<?>[] types, Object... values) {
        try {
            return type(type).getMethod(method, types).invoke(self, values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        } catch (ReflectiveOperationException e) {
            throw new SamplezException(Status.INTERNAL, "", "the foreign-function interface of Java " + Runtime.version() + ": " + e, e);
        }
    }

    private static Class<?>[] types(Object... types) {
        return Arrays.stream(types).map(type -> type instanceof String name ? type(name) : type).toArray(Class<?>[]::new);
    }

    private static Object layout(Class<?> of) {
        try {
            return type("ValueLayout").getField("JAVA_" + of.getName().toUpperCase(java.util.Locale.ROOT)).get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object descriptor(MethodType type) {
        Object layouts = Array.newInstance(type("MemoryLayout"), type.parameterCount());
        for (int i = 0; i < type.parameterCount(); i++) {
            Array.set(layouts, i, layout(type.parameterType(i)));
        }
        return on("FunctionDescriptor", null, "of", types("MemoryLayout", layouts.getClass()), layout(type.returnType()), layouts);
    }

    private static Object linker() {
        return on("Linker", null, "nativeLinker", types());
    }

    private static Object noOptions() {
        return Array.newInstance(type("Linker$Option"), 0);
    }

    /** Opens the C library, with the standard library's functions beside its own. */
    private static Object symbols(String path) {
        try {
            Object own = on("SymbolLookup", null, "libraryLookup", types(String.class, "Arena"), path, on("Arena", null, "global", types()));
            return on("SymbolLookup", own, "or", types("SymbolLookup"), on("Linker", linker(), "defaultLookup", types()));
        } catch (IllegalArgumentException e) {
            throw new SamplezException(Status.INVALID_ARGUMENT, "other", PROPERTY + " = " + path + ": expected the path of samplez's C library: "
                + e.getMessage(), e);
        } catch (IllegalCallerException e) {
            throw new SamplezException(Status.INVALID_ARGUMENT, "unsupported", PROPERTY + " = " + path
                + ": expected Java's option --enable-native-access=ALL-UNNAMED beside it", e);
        }
    }

    /** Opens the C library, which must be of this package's version. */
    private static synchronized void open() {
        if (symbols != null) {
            return;
        }
        Object opened = symbols(System.getProperty(PROPERTY));
        String version = string(invoke(function(opened, "samplez_version", 0)));
        if (!version.equals(VERSION)) {
            throw new SamplezException(Status.INVALID_ARGUMENT, "other", PROPERTY + " = " + System.getProperty(PROPERTY) + ": expected version " + VERSION
                + " of samplez's C library, and this is " + version, null);
        }
        // The message of an error is the thread's, so nothing may come between the error and it.
        for (String name : new String[] {"samplez_last_error", "samplez_last_kind"}) {
            FUNCTIONS.put(name, function(opened, name, 0));
        }
        symbols = opened;
    }

    private static MethodHandle function(Object symbols, String name, int count) {
        Optional<?> symbol = (Optional<?>) on("SymbolLookup", symbols, "find", types(String.class), name);
        if (symbol.isEmpty()) {
            throw new SamplezException(Status.INVALID_ARGUMENT, "other", PROPERTY + " = " + System.getProperty(PROPERTY)
                + ": expected samplez's C library, and it lacks " + name, null);
        }
        Class<?>[] parameters = new Class<?>[count];
        Arrays.fill(parameters, long.class);
        boolean doubles = name.equals("samplez_round");
        if (doubles) {
            Arrays.fill(parameters, 1, 3, double.class);
        }
        // A status is an int. A function without a result leaves one that nobody reads.
        MethodType type = MethodType.methodType(RETURN_ADDRESSES.contains(name) ? long.class : int.class, parameters);
        MethodHandle handle = (MethodHandle) on("Linker", linker(), "downcallHandle",
            types("MemorySegment", "FunctionDescriptor", noOptions().getClass()), symbol.get(), descriptor(type), noOptions());
        try {
            MethodHandle toDouble = MethodHandles.lookup().findStatic(Double.class, "longBitsToDouble", MethodType.methodType(double.class, long.class));
            handle = doubles ? MethodHandles.filterArguments(handle, 1, toDouble, toDouble) : handle;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return handle.asType(handle.type().changeReturnType(long.class)).asSpreader(long[].class, count);
    }

    private static long invoke(String name, long... words) {
        MethodHandle function = FUNCTIONS.get(name);
        if (function == null) {
            open();
            FUNCTIONS.put(name, function = function(symbols, name, words.length));
        }
        return invoke(function, words);
    }

    private static long invoke(MethodHandle function, long... words) {
        try {
            return (long) function.invokeExact(words);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    long call(String name, long... words) {
        if (name.endsWith("_free")) {
            owned.handles.remove(words[0]);
        }
        try {
            return invoke(name, words);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    long created(String name, long place, long... words) {
        long handle = super.created(name, place, words);
        owned.handles.put(handle, name.startsWith("samplez_sampler") ? "samplez_sampler_free" : name.startsWith("samplez_stream") ? "samplez_stream_free"
            : "samplez_verification_free");
        return handle;
    }

    @Override
    long allocate(long bytes) {
        long at = invoke("calloc", 1, bytes);
        owned.handles.put(at, "free");
        return at;
    }

    @Override
    void release(long at, long bytes) {
        if (at != 0 && owned.handles.remove(at) != null) {
            invoke("free", at);
        }
    }

    /** Fills native memory from a generator. */
    private static int fill(Source source, long context, long out, long length) {
        try {
            return source.fill((int) length, bytes -> view(out, bytes.length).put(bytes));
        } catch (Throwable e) {
            return 1;
        }
    }

    @Override
    long streamFromGenerator() {
        MethodType type = MethodType.methodType(int.class, long.class, long.class, long.class);
        try {
            MethodHandle fill = MethodHandles.lookup().findStatic(Native.class, "fill", type.insertParameterTypes(0, Source.class)).bindTo(source);
            owned.callback = on("Arena", null, "ofShared", types());
            Object stub = on("Linker", linker(), "upcallStub", types(MethodHandle.class, "FunctionDescriptor", "Arena", noOptions().getClass()),
                fill, descriptor(type), owned.callback, noOptions());
            long at = (long) on("MemorySegment", stub, "address", types());
            return created("samplez_stream_from_callback", lay(8)[0], at, 0);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ByteBuffer view(long at, long length) {
        try {
            return ((ByteBuffer) View.HANDLE.invokeExact(at, length)).order(ByteOrder.nativeOrder());
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    ByteBuffer read(long at, int length) {
        return view(at, length);
    }

    @Override
    void write(long at, byte[] bytes) {
        view(at, bytes.length).put(bytes);
    }

    @Override
    void clear(long at, long bytes) {
        ByteBuffer memory = view(at, bytes);
        while (memory.hasRemaining()) {
            memory.put(ZEROS, 0, Math.min(ZEROS.length, memory.remaining()));
        }
    }

    @Override
    String text(long at) {
        return string(at);
    }

    private static String string(long at) {
        if (at == 0) {
            return "";
        }
        int length = 0;
        for (ByteBuffer bytes = view(at, 1 << 30); bytes.get(length) != 0; length++) {}
        byte[] bytes = new byte[length];
        view(at, length).get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    int pointer() {
        return 8;
    }

    @Override
    void receive(long at, Object out, int from, int count) {
        ByteBuffer bytes = view(at, (long) count * width(out));
        if (out instanceof byte[] small) {
            bytes.get(small, from, count);
        } else if (out instanceof short[] shorts) {
            bytes.asShortBuffer().get(shorts, from, count);
        } else if (out instanceof int[] ints) {
            bytes.asIntBuffer().get(ints, from, count);
        } else {
            bytes.asLongBuffer().get((long[]) out, from, count);
        }
    }

    /** The library's functions erase their own. */
    @Override
    void wipeStack() {}

    @Override
    void close() {
        wipe();
        cleanable.clean();
    }

    @Override
    boolean isBroken() {
        return false;
    }
}
