import java.io.*;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.hipparchus.random.RandomDataGenerator;

/** Hipparchus' generator of random data: see census.py. */
class Driver {
    static IntSupplier make(String call, String seed) {
        var data = seed.isEmpty() ? new RandomDataGenerator() : new RandomDataGenerator(Long.parseLong(seed));
        return switch (call) {
            case "normal" -> () -> (int) Math.rint(data.nextNormal(0, 1));
            default -> () -> data.nextPoisson(5) - data.nextPoisson(5);
        };
    }

    public static void main(String[] args) throws IOException {
        var draw = make(args[0], args[3]);
        var clock = java.lang.management.ManagementFactory.getThreadMXBean();
        long begin = clock.getCurrentThreadCpuTime();
        int[] integers = IntStream.generate(draw).limit(Integer.parseInt(args[1])).toArray();
        System.out.println("seconds " + (clock.getCurrentThreadCpuTime() - begin) / 1e9 + "\ntype int");
        try (var out = new PrintWriter(new BufferedWriter(new FileWriter(args[2])))) {
            for (int x : integers) out.println(x);
        }
        java.util.function.Supplier<int[]> other = () -> CompletableFuture.supplyAsync(() -> IntStream.generate(make(args[0], "")).limit(16).toArray()).join();
        System.out.println("thread " + (java.util.Arrays.equals(other.get(), other.get()) ? "repeat" : "differ"));
    }
}
