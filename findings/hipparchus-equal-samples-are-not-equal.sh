#!/usr/bin/env bash
# hipparchus-stat 4.0.2 (2026-11-30).
# Guess: two equal samples of integers have a Kolmogorov-Smirnov statistic of 0 and a p-value of 1.
# Seen: the statistic is 0, and the p-value 0.47 for six integers: the test first breaks ties by adding small random
# numbers to the samples, of a fixed seed. From 10,000 pairs on it uses the statistic, and has 1.
# A user meets it on comparing small samples of integers.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/pom.xml" <<'POM'
<project>
 <modelVersion>4.0.0</modelVersion>
 <groupId>look</groupId><artifactId>look</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>org.hipparchus</groupId><artifactId>hipparchus-stat</artifactId><version>4.0.2</version></dependency>
 </dependencies>
</project>
POM

cat >"$tmp/Look.java" <<'JAVA'
import org.hipparchus.stat.inference.KolmogorovSmirnovTest;

public class Look {
    public static void main(String[] args) {
        KolmogorovSmirnovTest test = new KolmogorovSmirnovTest();
        for (int count : new int[] {6, 60, 99, 100, 600}) {
            double[] x = new double[count];
            for (int i = 0; i < count; i++) {
                x[i] = i % 3;
            }
            System.out.printf("%d integers: statistic %s, p-value %.3f%n", count,
                    test.kolmogorovSmirnovStatistic(x, x.clone()), test.kolmogorovSmirnovTest(x, x.clone()));
        }
    }
}
JAVA

cat >"$tmp/expected" <<'EXPECTED'
6 integers: statistic 0.0, p-value 0.474
60 integers: statistic 0.0, p-value 0.813
99 integers: statistic 0.0, p-value 0.905
100 integers: statistic 0.0, p-value 1.000
600 integers: statistic 0.0, p-value 1.000
EXPECTED

cd "$tmp"
mvn --quiet --batch-mode -Dmaven.repo.local="$tmp/maven" \
    org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DoutputDirectory=jars >maven.log 2>&1 || { cat maven.log; exit 1; }
java -cp 'jars/*' Look.java | tee seen
diff expected seen
