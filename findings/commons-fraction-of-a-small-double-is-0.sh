#!/usr/bin/env bash
# commons-numbers-fraction 1.3 of Apache Commons (2026-11-29).
# Guess: Fraction.from(1e-6) is 1/1000000, and of a double with more digits the exact value or an error.
# Seen: it is 0, from(0.123456789) is 10/81 and from(3.14159265) is 355/113: the first fraction within 1e-5 is
# returned, however small the number. BigFraction.from is exact.
# A user meets it on making an epsilon, a delta or a probability rational: small ones become 0.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/pom.xml" <<'POM'
<project>
 <modelVersion>4.0.0</modelVersion>
 <groupId>look</groupId><artifactId>look</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>org.apache.commons</groupId><artifactId>commons-numbers-fraction</artifactId><version>1.3</version></dependency>
 </dependencies>
</project>
POM

cat >"$tmp/Look.java" <<'JAVA'
import org.apache.commons.numbers.fraction.BigFraction;
import org.apache.commons.numbers.fraction.Fraction;

public class Look {
    public static void main(String[] args) {
        for (double x : new double[] {1e-6, 6e-6, 0.123456789, 3.14159265}) {
            boolean exact = BigFraction.from(x).doubleValue() == x;
            System.out.println(x + ": Fraction " + Fraction.from(x) + ", BigFraction exact " + exact);
        }
    }
}
JAVA

cat >"$tmp/expected" <<'EXPECTED'
1.0E-6: Fraction 0, BigFraction exact true
6.0E-6: Fraction 0, BigFraction exact true
0.123456789: Fraction 10 / 81, BigFraction exact true
3.14159265: Fraction 355 / 113, BigFraction exact true
EXPECTED

cd "$tmp"
mvn --quiet --batch-mode -Dmaven.repo.local="$tmp/maven" \
    org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DoutputDirectory=jars >maven.log 2>&1 || { cat maven.log; exit 1; }
java -cp 'jars/*' Look.java | tee seen
diff expected seen
