import java.io.*;
import java.util.function.IntSupplier;
import org.apache.commons.rng.sampling.distribution.*;
import org.apache.commons.rng.simple.RandomSource;

/** Apache Commons RNG's samplers: see census.py. */
class Driver {
    static IntSupplier difference(IntSupplier a) {
        return () -> a.getAsInt() - a.getAsInt();
    }

    public static void main(String[] args) throws IOException {
        var rng = args[3].isEmpty() ? RandomSource.XO_RO_SHI_RO_128_PP.create() : RandomSource.XO_RO_SHI_RO_128_PP.create(Long.parseLong(args[3]));
        var gaussian = ZigguratSampler.NormalizedGaussian.of(rng);
        var masses = new double[29];
        for (int x = -14; x <= 14; x++) masses[x + 14] = Math.exp(-x * x / 2.0);
        var alias = AliasMethodDiscreteSampler.of(rng, masses);
        IntSupplier draw = switch (args[0]) {
            case "gaussian" -> () -> (int) Math.rint(gaussian.sample());
            case "alias" -> () -> alias.sample() - 14;
            case "geometric" -> difference(GeometricSampler.of(rng, 1 - Math.exp(-1))::sample);
            case "poisson" -> difference(PoissonSampler.of(rng, 5)::sample);
            default -> throw new IllegalArgumentException(args[0]);
        };
        var integers = new int[Integer.parseInt(args[1])];
        var clock = java.lang.management.ManagementFactory.getThreadMXBean();
        long begin = clock.getCurrentThreadCpuTime();
        for (int i = 0; i < integers.length; i++) integers[i] = draw.getAsInt();
        System.out.println("seconds " + (clock.getCurrentThreadCpuTime() - begin) / 1e9 + "\ntype int");
        try (var out = new PrintWriter(new BufferedWriter(new FileWriter(args[2])))) {
            for (int x : integers) out.println(x);
        }
    }
}
