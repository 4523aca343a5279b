import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.example.samplez.Law;
import org.example.samplez.Sampler;
import org.example.samplez.Samplez;
import org.junit.jupiter.api.Test;

class ExamplesTest {
    /** 20,000 counts of 1000: their noise passes against its distribution, and another call draws other noise. */
    @Test
    void kotlin() {
        int[] counts = new int[20_000];
        Arrays.fill(counts, 1000);
        int[] noisy = NoiseKt.withNoise(counts, "3.2");
        long[] noise = Arrays.stream(noisy).mapToLong(x -> x - 1000).toArray();
        assertTrue(Law.of("sigma=3.2").verify(noise).passed());
        assertNotEquals(Arrays.toString(noisy), Arrays.toString(NoiseKt.withNoise(counts, "3.2")));
        assertNull(NoiseKt.complaint("sigma=3.2"));
        assertTrue(NoiseKt.complaint("sigma=abc").contains("abc"), NoiseKt.complaint("sigma=abc"));
    }

    /** The samples of Spark's tasks are those of one call, for one partition and for several. */
    @Test
    void spark() {
        int[] expected = new int[5 << 19];
        Sampler.of("sigma=3.2").bulk("chacha20", Samplez.seed("1"), 0, expected);
        var local = new SparkConf().setMaster("local[2]").setAppName("test").set("spark.ui.enabled", "false");
        try (JavaSparkContext spark = new JavaSparkContext(local)) {
            for (int partitions : new int[] {1, 3}) {
                int[] found = Draws.draws(spark, "sigma=3.2", "1", expected.length, partitions).collect().stream().flatMapToInt(Arrays::stream).toArray();
                assertArrayEquals(expected, found, partitions + " partitions");
            }
            Draws.Moments all = Draws.draws(spark, "sigma=3.2", "1", expected.length, 3).map(Draws.Moments::of).reduce(Draws.Moments::plus);
            assertEquals(expected.length, all.count());
            assertEquals(Arrays.stream(expected).asLongStream().sum(), all.sum());
        }
    }
}
