/* OpenSSL's DRBGs with given entropy, as a judge of ours. Cases come from the standard input, one
 * step a line, and the bytes go to the standard output, one request a line. Byte strings are
 * hexadecimal, "-" if they are empty.
 *
 *   new CTR-DRBG|HASH-DRBG AES-256-CTR|SHA2-256|SHA2-512 DERIVATION ENTROPY NONCE PERSONALIZATION
 *   reseed ENTROPY ADDITIONAL
 *   generate BYTES ADDITIONAL
 *   resist BYTES ENTROPY ADDITIONAL             (with prediction resistance)
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if OPENSSL_VERSION_MAJOR < 3
#error "OpenSSL 3 is needed"
#endif

#define STRENGTH 256
#define LONGEST 65536

struct bytes {
    unsigned char at[LONGEST];
    size_t length;
};

static void demand(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s failed\n", what);
        ERR_print_errors_fp(stderr);
        exit(1);
    }
}

static const char *word(char **rest)
{
    const char *found = strtok_r(NULL, " \n", rest);
    demand(found != NULL, "reading a field");
    return found;
}

static void read_bytes(struct bytes *out, char **rest)
{
    const char *text = word(rest);
    out->length = 0;
    if (strcmp(text, "-") != 0)
        demand(OPENSSL_hexstr2buf_ex(out->at, LONGEST, &out->length, text, '\0'), "reading bytes");
}

static void set_parent(EVP_RAND_CTX *parent, struct bytes *entropy, struct bytes *nonce)
{
    OSSL_PARAM params[3], *next = params;
    *next++ = OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_ENTROPY, entropy->at, entropy->length);
    if (nonce != NULL)
        *next++ = OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_NONCE, nonce->at, nonce->length);
    *next = OSSL_PARAM_construct_end();
    demand(EVP_RAND_CTX_set_params(parent, params), "giving entropy");
}

static EVP_RAND_CTX *create(const char *name, EVP_RAND_CTX *parent)
{
    EVP_RAND *rand = EVP_RAND_fetch(NULL, name, NULL);
    demand(rand != NULL, "EVP_RAND_fetch");
    EVP_RAND_CTX *context = EVP_RAND_CTX_new(rand, parent);
    demand(context != NULL, "EVP_RAND_CTX_new");
    EVP_RAND_free(rand);
    return context;
}

static EVP_RAND_CTX *create_drbg(EVP_RAND_CTX *parent, char **rest)
{
    static struct bytes entropy, nonce, personalization;
    const char *mechanism = word(rest);
    char *primitive = (char *)word(rest);
    int derivation = atoi(word(rest));
    unsigned int requests = 0; /* no reseeding that was not asked for */
    time_t seconds = 0;
    OSSL_PARAM params[5], *next = params;

    read_bytes(&entropy, rest);
    read_bytes(&nonce, rest);
    read_bytes(&personalization, rest);
    set_parent(parent, &entropy, &nonce);
    if (strcmp(mechanism, "CTR-DRBG") == 0) {
        *next++ = OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_CIPHER, primitive, 0);
        *next++ = OSSL_PARAM_construct_int(OSSL_DRBG_PARAM_USE_DF, &derivation);
    } else {
        *next++ = OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_DIGEST, primitive, 0);
    }
    *next++ = OSSL_PARAM_construct_uint(OSSL_DRBG_PARAM_RESEED_REQUESTS, &requests);
    *next++ = OSSL_PARAM_construct_time_t(OSSL_DRBG_PARAM_RESEED_TIME_INTERVAL, &seconds);
    *next = OSSL_PARAM_construct_end();
    EVP_RAND_CTX *drbg = create(mechanism, parent);
    demand(EVP_RAND_instantiate(drbg, STRENGTH, 0, personalization.at, personalization.length, params),
           "EVP_RAND_instantiate");
    return drbg;
}

static void generate(EVP_RAND_CTX *drbg, EVP_RAND_CTX *parent, int resist, char **rest)
{
    static struct bytes out, entropy, additional;
    out.length = strtoul(word(rest), NULL, 10);
    demand(out.length <= LONGEST, "reading a length");
    if (resist) {
        read_bytes(&entropy, rest);
        set_parent(parent, &entropy, NULL);
    }
    read_bytes(&additional, rest);
    demand(EVP_RAND_generate(drbg, out.at, out.length, STRENGTH, resist, additional.at, additional.length),
           "EVP_RAND_generate");
    for (size_t i = 0; i < out.length; i++)
        printf("%02x", out.at[i]);
    putchar('\n');
    fflush(stdout);
}

int main(void)
{
    static struct bytes entropy, additional;
    unsigned int strength = STRENGTH;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_uint(OSSL_RAND_PARAM_STRENGTH, &strength), OSSL_PARAM_construct_end()};
    EVP_RAND_CTX *parent = create("TEST-RAND", NULL), *drbg = NULL;
    char *line = NULL;
    size_t capacity = 0;

    demand(EVP_RAND_instantiate(parent, STRENGTH, 0, NULL, 0, params), "TEST-RAND");
    while (getline(&line, &capacity, stdin) > 0) {
        char *rest, *step = strtok_r(line, " \n", &rest);
        demand(step != NULL, "reading a step");
        if (strcmp(step, "new") == 0) {
            EVP_RAND_CTX_free(drbg);
            drbg = create_drbg(parent, &rest);
        } else if (strcmp(step, "reseed") == 0) {
            read_bytes(&entropy, &rest);
            read_bytes(&additional, &rest);
            set_parent(parent, &entropy, NULL);
            demand(EVP_RAND_reseed(drbg, 0, NULL, 0, additional.at, additional.length), "EVP_RAND_reseed");
        } else if (strcmp(step, "generate") == 0 || strcmp(step, "resist") == 0) {
            generate(drbg, parent, strcmp(step, "resist") == 0, &rest);
        } else {
            demand(0, step);
        }
    }
    EVP_RAND_CTX_free(drbg);
    EVP_RAND_CTX_free(parent);
    free(line);
    return 0;
}
