#!/usr/bin/env bash
# H2 2.4.240, with HSQLDB 2.7.4 (2026-11-30).
# Guess: RAND(1) in a query starts a stream of numbers, one a row, as in MySQL.
# Seen: in H2 each row has the same number, as each call starts anew, and RAND() beside it repeats as well. HSQLDB has
# different numbers for RAND(1), and equal ones too when a second seed is in the query.
# A user meets it on seeding a noise column to make it repeatable: the same noise is added to every row.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/pom.xml" <<'POM'
<project>
 <modelVersion>4.0.0</modelVersion>
 <groupId>look</groupId><artifactId>look</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId><version>2.4.240</version></dependency>
  <dependency><groupId>org.hsqldb</groupId><artifactId>hsqldb</artifactId><version>2.7.4</version></dependency>
 </dependencies>
</project>
POM

cat >"$tmp/Look.java" <<'JAVA'
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

public class Look {
    public static void main(String[] args) throws Exception {
        for (String url : new String[] {"jdbc:h2:mem:look", "jdbc:hsqldb:mem:look"}) {
            try (var connection = DriverManager.getConnection(url); var statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (i INT)");
                for (int i = 0; i < 100; i++) {
                    statement.execute("INSERT INTO t VALUES (" + i + ")");
                }
                for (String columns : List.of("RAND(1)", "RAND(), RAND(1)", "RAND(), RAND(1), RAND(2)", "RAND()")) {
                    Set<Double> seen = new HashSet<>();
                    ResultSet rows = statement.executeQuery("SELECT " + columns + " FROM t");
                    while (rows.next()) {
                        seen.add(rows.getDouble(1));
                    }
                    System.out.println(url + " " + columns + ": first column, different numbers: " + seen.size());
                }
            }
        }
    }
}
JAVA

cat >"$tmp/expected" <<'EXPECTED'
jdbc:h2:mem:look RAND(1): first column, different numbers: 1
jdbc:h2:mem:look RAND(), RAND(1): first column, different numbers: 1
jdbc:h2:mem:look RAND(), RAND(1), RAND(2): first column, different numbers: 2
jdbc:h2:mem:look RAND(): first column, different numbers: 100
jdbc:hsqldb:mem:look RAND(1): first column, different numbers: 100
jdbc:hsqldb:mem:look RAND(), RAND(1): first column, different numbers: 100
jdbc:hsqldb:mem:look RAND(), RAND(1), RAND(2): first column, different numbers: 2
jdbc:hsqldb:mem:look RAND(): first column, different numbers: 100
EXPECTED

cd "$tmp"
mvn --quiet --batch-mode -Dmaven.repo.local="$tmp/maven" \
    org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DoutputDirectory=jars >maven.log 2>&1 || { cat maven.log; exit 1; }
java -cp 'jars/*' Look.java | tee seen
diff expected seen
