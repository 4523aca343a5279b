package org.example.samplez;

/** The only exception of this package. Its message has the words of every other language of samplez. */
public final class SamplezException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kinds of failures. */
    public enum Status {
        /** An argument that is not allowed. Output arrays are as they were. */
        INVALID_ARGUMENT,
        /** A sample that does not fit the output type, with probability below 2^-128. The output is unspecified. */
        OUT_OF_RANGE,
        /** A source of randomness that failed or is stuck. The output is all zeros. */
        NO_ENTROPY,
        /** A bug in samplez, a failed self-test, exhausted memory, or an interrupted thread. The output is unspecified. */
        INTERNAL
    }

    private final Status status;
    private final String kind;

    SamplezException(Status status, String kind, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
        this.kind = kind;
    }

    /** Makes the exception of an argument that this package refuses before the library does. */
    static SamplezException refused(String kind, String message) {
        return new SamplezException(Status.INVALID_ARGUMENT, kind, message, null);
    }

    /** Returns what failed. */
    public Status status() {
        return status;
    }

    /**
     * Returns why an argument is refused: {@code missing}, {@code no-method}, {@code not-a-number}, {@code out-of-range}, {@code too-long},
     * {@code unknown}, {@code unsupported} or {@code other}. It is empty for the other failures, and stays the same if a message changes.
     */
    public String kind() {
        return kind;
    }
}
