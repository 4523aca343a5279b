import org.example.samplez.Sampler;
import org.example.samplez.Stream;

public class Example {
    public static void main(String[] arguments) {
        Sampler sampler = Sampler.of("sigma=3.2"); // 3.2 is 16/5, exactly
        byte[] noise = new byte[1000];
        try (Stream stream = Stream.open("chacha20")) { // a seed from the operating system
            stream.fill(sampler, noise);
        }
        for (int i = 0; i < 10; i++) {
            System.out.print(noise[i] + " ");
        }
        System.out.println(sampler.method());
    }
}
