package org.example.samplez;

import java.util.ArrayList;
import java.util.List;

/** A distribution: its probabilities, quantiles, and tests of integers from any program against it. It is immutable. */
public final class Law {
    private final byte[] text;

    /** The outcome of a family of tests. */
    public enum Verdict {
        PASS,
        REJECT,
        NOT_APPLICABLE
    }

    /**
     * A family of tests, with the fields of {@code samplez verify --json}.
     *
     * @param detail the test with the least p-value, or why none applies; empty if the family has one test
     * @param statistic the statistic of that test; NaN if none applies
     * @param dof its degrees of freedom; NaN if it has none
     * @param pValue its p-value times the number of the family's tests that apply, at most 1; NaN if none does
     */
    public record Test(String name, String detail, Verdict verdict, double statistic, double dof, double pValue) {}

    /**
     * The outcome of all tests.
     *
     * @param modulus the q modulo which rejected integers look like residues; 0 if there is none
     */
    public record Verification(List<Test> tests, long modulus) {
        /** Returns whether no test rejects. It is false for about one in a million arrays of correct samples. */
        public boolean passed() {
            return tests.stream().noneMatch(test -> test.verdict == Verdict.REJECT);
        }
    }

    private Law(byte[] text) {
        this.text = text;
    }

    /**
     * Reads a distribution, such as {@code sigma=3.2,center=1/3} or {@code skellam=2.5}: a recipe of {@link Sampler#of} without a method and options, or
     * a sum of such terms, as {@code laplace=4 + 1000*sigma=3.2}.
     */
    public static Law of(String law) {
        Law read = new Law(Library.bytes("law", law));
        read.values("pmf");
        return read;
    }

    /** Returns P(X = x), which is 0 if x is not an integer. */
    public double pmf(double x) {
        return values("pmf", x)[0];
    }

    /** Returns P(X ≤ x). */
    public double cdf(double x) {
        return values("cdf", x)[0];
    }

    /** Returns the least x whose {@link #cdf} is at least p. */
    public double quantile(double p) {
        return values("ppf", p)[0];
    }

    /**
     * Returns a function's value at each number, faster than one by one. The functions are {@code pmf}, {@code cdf}, {@code sf} = 1 - cdf, {@code ppf},
     * {@code isf}, and {@code logpmf}, {@code logcdf}, {@code logsf}, {@code logppf}, {@code logisf} of the logarithms of probabilities. Values are
     * correctly rounded, but for sums and logarithms of other distributions than Gaussians.
     */
    public double[] values(String function, double... at) {
        byte[][] texts = {text, Library.bytes("function", function)};
        Library.given("at", at, "an array");
        return Sampler.borrow(library -> {
            long[] places = library.lay(texts, 8L * at.length);
            library.send(places[2], at);
            library.check("samplez_law_values", places[0], places[1], places[2], at.length, places[2]);
            double[] out = new double[at.length];
            library.read(places[2], 8 * at.length).asDoubleBuffer().get(out);
            return out;
        });
    }

    /** Tests whether 100 or more integers are independent samples of the distribution, as {@code samplez verify} does. */
    public Verification verify(long[] integers) {
        Library.given("integers", integers, "an array");
        return Sampler.borrow(library -> {
            long[] places = library.lay(new byte[][] {text}, 8L * integers.length, 8);
            library.send(places[1], integers);
            long outcome = library.created("samplez_verify", places[2], places[0], places[1], integers.length);
            try {
                int pointer = library.pointer();
                int double0 = 2 * pointer + 8;
                List<Test> tests = new ArrayList<>();
                long count = library.address(outcome + pointer);
                for (long i = 0, at = library.address(outcome); i < count; i++, at += double0 + 24) {
                    tests.add(new Test(library.text(library.address(at)), library.text(library.address(at + pointer)),
                        Verdict.values()[library.read(at + 2 * pointer, 4).getInt()], library.readDouble(at + double0),
                        library.readDouble(at + double0 + 8), library.readDouble(at + double0 + 16)));
                }
                return new Verification(List.copyOf(tests), library.readLong(outcome + double0));
            } finally {
                library.call("samplez_verification_free", outcome);
            }
        });
    }
}
