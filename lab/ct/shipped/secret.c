/* Random bits that memcheck takes for undefined, as a caller's generator for the C library and as NumPy's bit generator. */

#include "secret.h"

#include <valgrind/memcheck.h>

/* SplitMix64: any bits will do. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* A request's first and last word stay defined: the reader looks at them to see whether a generator is stuck. */
static int is_end(size_t word)
{
    return word % (SECRET_REQUEST / 8) == 0 || word % (SECRET_REQUEST / 8) == SECRET_REQUEST / 8 - 1;
}

int secret_bytes(void *context, uint8_t *out, size_t length)
{
    struct secret *secret = context;
    if (length != SECRET_REQUEST)
        return 1;
    for (size_t i = 0; i < length / 8; i++) {
        uint64_t word = next(&secret->state);
        for (int k = 0; k < 8; k++)
            out[8 * i + k] = (uint8_t)(word >> 8 * k);
    }
    (void)VALGRIND_MAKE_MEM_UNDEFINED(out + 8, length - 16);
    return 0;
}

uint64_t secret_word(void *context)
{
    struct secret *secret = context;
    uint64_t word = next(&secret->state);
    if (!is_end(secret->words++))
        (void)VALGRIND_MAKE_MEM_UNDEFINED(&word, sizeof word);
    return word;
}

unsigned secret_errors(void)
{
    return VALGRIND_COUNT_ERRORS;
}
