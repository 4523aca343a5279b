#ifndef SECRET_H
#define SECRET_H

#include <stddef.h>
#include <stdint.h>

/* What a stream of the library asks a generator for. */
#define SECRET_REQUEST 1024

struct secret {
    uint64_t state;
    size_t words;
};

/* A callback of samplez_stream_from_callback over a struct secret. */
int secret_bytes(void *context, uint8_t *out, size_t length);

/* The next word of NumPy's bitgen_t over a struct secret. */
uint64_t secret_word(void *context);

/* How many errors valgrind has counted. */
unsigned secret_errors(void);

#endif
