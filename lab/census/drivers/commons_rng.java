import java.io.*;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.apache.commons.rng.sampling.distribution.*;
import org.apache.commons.rng.simple.RandomSource;

/** Apache Commons RNG's samplers, and Java's own normal variable: see census.py. */
class Driver {
    static IntSupplier difference(IntSupplier a) {
        return () -> a.getAsInt() - a.getAsInt();
    }

    static IntSupplier make(String call, String seed) {
        var rng = seed.isEmpty() ? RandomSource.XO_RO_SHI_RO_128_PP.create() : RandomSource.XO_RO_SHI_RO_128_PP.create(Long.parseLong(seed));
        var own = seed.isEmpty() ? new java.util.Random() : new java.util.Random(Long.parseLong(seed));
        var gaussian = ZigguratSampler.NormalizedGaussian.of(rng);
        var alias = AliasMethodDiscreteSampler.of(rng, IntStream.rangeClosed(-14, 14).mapToDouble(x -> Math.exp(-x * x / 2.0)).toArray());
        return switch (call) {
            case "gaussian" -> () -> (int) Math.rint(gaussian.sample());
            case "alias" -> () -> alias.sample() - 14;
            case "geometric" -> difference(GeometricSampler.of(rng, 1 - Math.exp(-1))::sample);
            case "poisson" -> difference(PoissonSampler.of(rng, 5)::sample);
            default -> () -> (int) Math.rint(own.nextGaussian());
        };
    }

    public static void main(String[] args) throws IOException {
        var draw = make(args[0], args[3]);
        var clock = java.lang.management.ManagementFactory.getThreadMXBean();
        long begin = clock.getCurrentThreadCpuTime();
        var integers = new int[Integer.parseInt(args[1])];
        for (int i = 0; i < integers.length; i++) integers[i] = draw.getAsInt();
        System.out.println("seconds " + (clock.getCurrentThreadCpuTime() - begin) / 1e9 + "\ntype int");
        try (var out = new PrintWriter(new BufferedWriter(new FileWriter(args[2])))) {
            for (int x : integers) out.println(x);
        }
        java.util.function.Supplier<int[]> other = () -> CompletableFuture.supplyAsync(() -> IntStream.generate(make(args[0], "")).limit(16).toArray()).join();
        System.out.println("thread " + (java.util.Arrays.equals(other.get(), other.get()) ? "repeat" : "differ"));
    }
}
