import java.io.Serializable;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.SparkConf;
import org.example.samplez.Sampler;
import org.example.samplez.Samplez;

/** Draws an array with Spark: each task draws the blocks whose numbers it gets, so that the integers depend on the seed alone. */
public class Draws {
    /** Samples of a block: a multiple of 8192, the block in which samplez derives randomness. */
    private static final int BLOCK = 1 << 20;

    /** The number of samples, their sum, and that of their squares. */
    public record Moments(long count, long sum, long squares) implements Serializable {
        static Moments of(int[] samples) {
            long sum = 0;
            long squares = 0;
            for (int x : samples) {
                sum += x;
                squares += (long) x * x;
            }
            return new Moments(samples.length, sum, squares);
        }

        Moments plus(Moments other) {
            return new Moments(count + other.count, sum + other.sum, squares + other.squares);
        }
    }

    /** Returns samples number 0 to {@code count} - 1, as an array for each block. */
    public static JavaRDD<int[]> draws(JavaSparkContext spark, String recipe, String seed, long count, int partitions) {
        List<Long> blocks = LongStream.range(0, (count + BLOCK - 1) / BLOCK).boxed().toList();
        return spark.parallelize(blocks, partitions).mapPartitions(numbers -> {
            Sampler sampler = Sampler.of(recipe); // in the task, because a sampler stays in its process
            byte[] bytes = Samplez.seed(seed);
            Function<Long, int[]> draw = number -> {
                int[] out = new int[(int) Math.min(BLOCK, count - number * BLOCK)];
                sampler.bulk("chacha20", bytes, number * BLOCK, out);
                return out;
            };
            Iterable<Long> these = () -> numbers;
            return StreamSupport.stream(these.spliterator(), false).map(draw).iterator();
        });
    }

    /** Prints the moments of so many samples. */
    public static void main(String[] arguments) {
        long count = arguments.length > 0 ? Long.parseLong(arguments[0]) : 1_000_000_000;
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setMaster("local[*]").setAppName("samplez").set("spark.ui.enabled", "false"))) {
            Moments all = draws(spark, "sigma=3.2", "1", count, 2 * spark.defaultParallelism()).map(Moments::of).reduce(Moments::plus);
            System.out.println(all.count + " samples: mean " + (double) all.sum / all.count + ", variance " + (double) all.squares / all.count);
        }
    }
}
