#!/usr/bin/env bash
# commons-rng-simple 1.7 of Apache Commons (2026-11-29).
# Guess: create(5) and create(5L) of a generator start the same stream, as the seeds are one number.
# Seen: they do for MT, KISS and XO_SHI_RO_256_PP, and differ for SPLIT_MIX_64 and JDK, which have a seed of 64 bits:
# an int is changed on its way there, a long is not.
# A user meets it on changing the type of a seed in a program: the results can no longer be repeated.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/pom.xml" <<'POM'
<project>
 <modelVersion>4.0.0</modelVersion>
 <groupId>look</groupId><artifactId>look</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>org.apache.commons</groupId><artifactId>commons-rng-simple</artifactId><version>1.7</version></dependency>
 </dependencies>
</project>
POM

cat >"$tmp/Look.java" <<'JAVA'
import org.apache.commons.rng.simple.RandomSource;

public class Look {
    public static void main(String[] args) {
        for (String name : new String[] {"MT", "KISS", "XO_SHI_RO_256_PP", "SPLIT_MIX_64", "JDK"}) {
            RandomSource source = RandomSource.valueOf(name);
            System.out.println(name + " same: " + (source.create(5).nextLong() == source.create(5L).nextLong()));
        }
    }
}
JAVA

cat >"$tmp/expected" <<'EXPECTED'
MT same: true
KISS same: true
XO_SHI_RO_256_PP same: true
SPLIT_MIX_64 same: false
JDK same: false
EXPECTED

cd "$tmp"
mvn --quiet --batch-mode -Dmaven.repo.local="$tmp/maven" \
    org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DoutputDirectory=jars >maven.log 2>&1 || { cat maven.log; exit 1; }
java -cp 'jars/*' Look.java | tee seen
diff expected seen
