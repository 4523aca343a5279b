import java.io.*;
import java.lang.reflect.AccessibleObject;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.bouncycastle.crypto.digests.SHAKEDigest;

/** The sampler of Bouncy Castle's Falcon, which is private to its package: see census.py. */
class Driver {
    static <T extends AccessibleObject> T opened(T member) {
        member.setAccessible(true);
        return member;
    }

    static IntSupplier make(double mu, String seed) throws Exception {
        Class<?> context = Class.forName("org.bouncycastle.pqc.crypto.falcon.SamplerCtx"), random = Class.forName("org.bouncycastle.pqc.crypto.falcon.FalconRNG");
        Object state = opened(context.getDeclaredConstructor()).newInstance(), bits = opened(random.getDeclaredConstructor()).newInstance();
        var bytes = seed.isEmpty() ? new java.security.SecureRandom().generateSeed(48) : seed.getBytes();
        var digest = new SHAKEDigest(256);
        digest.update(bytes, 0, bytes.length);
        opened(random.getDeclaredMethod("prng_init", SHAKEDigest.class)).invoke(bits, digest);
        opened(context.getDeclaredField("p")).set(state, bits);
        opened(context.getDeclaredField("sigma_min")).setDouble(state, 1.2778336969128337);
        var sample = opened(Class.forName("org.bouncycastle.pqc.crypto.falcon.SamplerZ").getDeclaredMethod("sample", context, double.class, double.class));
        return () -> { try { return (int) sample.invoke(null, state, mu, 1 / 1.7); } catch (ReflectiveOperationException error) { throw new IllegalStateException(error); } };
    }

    static int[] drawn(double mu) { try { return IntStream.generate(make(mu, "")).limit(16).toArray(); } catch (Exception error) { throw new IllegalStateException(error); } }

    public static void main(String[] args) throws Exception {
        double mu = args[0].equals("zero") ? 0 : 0.3125;
        var draw = make(mu, args[3]);
        var clock = java.lang.management.ManagementFactory.getThreadMXBean();
        long begin = clock.getCurrentThreadCpuTime();
        var integers = IntStream.generate(draw).limit(Integer.parseInt(args[1])).toArray();
        System.out.println("seconds " + (clock.getCurrentThreadCpuTime() - begin) / 1e9 + "\ntype int");
        try (var out = new PrintWriter(new BufferedWriter(new FileWriter(args[2])))) { for (int x : integers) out.println(x); }
        int[] one = CompletableFuture.supplyAsync(() -> drawn(mu)).join(), two = CompletableFuture.supplyAsync(() -> drawn(mu)).join();
        System.out.println("thread " + (java.util.Arrays.equals(one, two) ? "repeat" : "differ"));
    }
}
