#!/usr/bin/env bash
# SSJ 3.3.2, ca.umontreal.iro.simul (2026-11-30).
# Guess: uniform integers from -1.5e9 to 1.5e9, which its ints hold, have the cdf 1/2 at 0, and from -2^31 to 2^31 - 1 too.
# Seen: the cdf is -1.158, and infinite for the whole range, as the length is computed in 32 bits. The mean is right.
# Samples are right for the first range; for the second one MRG32k3a returns one number, and LFSR113 divides by zero.
# A user meets it on testing any 32-bit integers, seeds or masks: ranges up to 2^31 numbers are right.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/pom.xml" <<'POM'
<project>
 <modelVersion>4.0.0</modelVersion>
 <groupId>look</groupId><artifactId>look</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>ca.umontreal.iro.simul</groupId><artifactId>ssj</artifactId><version>3.3.2</version></dependency>
 </dependencies>
</project>
POM

cat >"$tmp/Look.java" <<'JAVA'
import java.util.stream.IntStream;
import umontreal.ssj.probdist.UniformIntDist;
import umontreal.ssj.rng.*;

public class Look {
    static Object distinct(RandomStream stream, int low, int high) {
        try {
            return IntStream.range(0, 10000).map(i -> stream.nextInt(low, high)).distinct().count();
        } catch (ArithmeticException error) {
            return error.getMessage();
        }
    }

    public static void main(String[] args) {
        int[][] ranges = {{-2, 2}, {-1073741824, 1073741823}, {-1500000000, 1500000000}, {Integer.MIN_VALUE, Integer.MAX_VALUE}};
        for (int[] range : ranges) {
            int low = range[0], high = range[1];
            UniformIntDist law = new UniformIntDist(low, high);
            System.out.printf("%d to %d: mean %.1f, cdf at 0 %.3f, values among 10000: MRG32k3a %s, LFSR113 %s%n", low, high,
                    law.getMean(), law.cdf(0), distinct(new MRG32k3a(), low, high), distinct(new LFSR113(), low, high));
        }
    }
}
JAVA

cat >"$tmp/expected" <<'EXPECTED'
-2 to 2: mean 0.0, cdf at 0 0.600, values among 10000: MRG32k3a 5, LFSR113 5
-1073741824 to 1073741823: mean -0.5, cdf at 0 0.500, values among 10000: MRG32k3a 10000, LFSR113 10000
-1500000000 to 1500000000: mean 0.0, cdf at 0 -1.158, values among 10000: MRG32k3a 10000, LFSR113 10000
-2147483648 to 2147483647: mean -0.5, cdf at 0 -Infinity, values among 10000: MRG32k3a 1, LFSR113 / by zero
EXPECTED

cd "$tmp"
mvn --quiet --batch-mode -Dmaven.repo.local="$tmp/maven" \
    org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DoutputDirectory=jars >maven.log 2>&1 || { cat maven.log; exit 1; }
java -cp 'jars/*' Look.java | tee seen
diff expected seen
