import java.io.*;
import java.nio.*;
import java.nio.file.*;
import org.apache.commons.csv.*;

/** Java's readers and writers: READER IN OUT. */
class Driver {
    public static void main(String[] args) throws IOException {
        var wide = args[1].startsWith("wide");
        var target = Path.of(args[2]);
        if (args[0].equals("ByteBuffer")) {
            var in = ByteBuffer.wrap(Files.readAllBytes(Path.of(args[1]))).order(ByteOrder.LITTLE_ENDIAN);
            var out = ByteBuffer.allocate(in.capacity()).order(ByteOrder.LITTLE_ENDIAN);
            while (in.hasRemaining()) {
                if (wide) out.putLong(in.getLong()); else out.put(in.get());
            }
            Files.write(target, out.array());
        } else if (args[0].equals("commons-csv")) {
            var format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
            try (var in = format.parse(new FileReader(args[1])); var out = new CSVPrinter(new FileWriter(args[2]), CSVFormat.DEFAULT)) {
                for (var row : in) out.printRecord(Long.parseLong(row.get("x")));
            }
        } else {
            tech.tablesaw.api.Table.read().csv(args[1]).write().csv(args[2]);
        }
    }
}
