/* C's readers and writers: READER IN OUT. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argc;
    FILE *in = fopen(argv[2], "rb"), *out = fopen(argv[3], "wb");
    size_t size = strstr(argv[2], "wide") ? 8 : 1;
    int64_t x = 0;
    if (!strcmp(argv[1], "fread")) {
        while (fread(&x, size, 1, in) == 1) fwrite(&x, size, 1, out);
    } else {
        if (fscanf(in, "x%" SCNd64, &x) == EOF) return 1;
        do fprintf(out, "%" PRId64 "\n", x); while (fscanf(in, "%" SCNd64, &x) == 1);
    }
    return fclose(out);
}
