package org.example.samplez;

/**
 * Seeds, and the library as a whole.
 *
 * <p>{@link Sampler} draws the discrete Gaussian over the integers, D_{Z,σ,c}: P(X = x) is proportional to exp(-(x-c)²/(2σ²)). The package runs samplez as
 * WebAssembly that the build has compiled to Java's bytecode, or, with the system property {@code samplez.library}, as the C library. WebAssembly promises
 * nothing about the running time, so there a certificate's timing is {@code unpromised}, and {@code constant_time=true} is refused.
 */
public final class Samplez {
    private Samplez() {}

    /**
     * Reads a seed of 32 bytes: 64 hexadecimal digits, or a number below 2^64. A number gives the same seed in every language. Use it for reproducible
     * results, not for secrets.
     */
    public static byte[] seed(String text) {
        byte[] digits = Library.bytes("text", text);
        return Sampler.borrow(library -> {
            long[] at = library.lay(new byte[][] {digits}, 32);
            library.check("samplez_seed_from_text", at[0], at[1]);
            return library.readBytes(at[1], 32);
        });
    }

    /** Runs known answers of every cryptographic generator. Do not use the package if it throws. */
    public static void selfTest() {
        Sampler.borrow(library -> {
            library.check("samplez_self_test");
            return null;
        });
    }

    /** Returns the version of the library. */
    public static String version() {
        return Sampler.borrow(library -> library.text(library.call("samplez_version")));
    }
}
