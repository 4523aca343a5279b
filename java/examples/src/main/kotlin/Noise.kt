import java.security.SecureRandom
import org.example.samplez.Sampler
import org.example.samplez.SamplezException
import org.example.samplez.Stream

/** Returns the counts with noise of this width, drawn from a generator of yours. */
fun withNoise(counts: IntArray, sigma: String): IntArray {
    val sampler = Sampler.of("sigma=$sigma")
    val noise = IntArray(counts.size)
    Stream.from(SecureRandom()).use { it.fill(sampler, noise) }
    return IntArray(counts.size) { counts[it] + noise[it] }
}

/** Returns the message of a recipe that cannot be read, or null. */
fun complaint(recipe: String): String? = try {
    Sampler.of(recipe)
    null
} catch (e: SamplezException) {
    e.message
}
