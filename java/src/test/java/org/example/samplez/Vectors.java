package org.example.samplez;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Reads the vectors of kat/, and sums arrays as they do. */
final class Vectors {
    private Vectors() {}

    static String text(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the rows of a file of kat/ below the heading. No field of these has a quote. */
    static List<String[]> rows(String file) {
        List<String[]> rows = text("../kat/" + file).lines().skip(1).map(line -> line.split(",", -1)).toList();
        if (rows.size() < 3) {
            throw new IllegalStateException(file + " has " + rows.size() + " rows");
        }
        return rows;
    }

    static long[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    /** Returns the SHA-256 of an array as little-endian integers of 64 bits. */
    static String sum(Object array) {
        int length = Array.getLength(array);
        ByteBuffer bytes = ByteBuffer.allocate(8 * length).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < length; i++) {
            bytes.putLong(Array.getLong(array, i));
        }
        return HexFormat.of().formatHex(sha256(bytes.array()));
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
