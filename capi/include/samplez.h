/* samplez: discrete Gaussian sampling over the integers, D_{Z,sigma,c}.
 *
 * Generated from capi/src by `cargo xtask gen-header`. Do not edit.
 *
 * Every function that can fail returns a samplez_status; samplez_last_error() has the words.
 * The numbers of a recipe are a text, and taken exactly.
 *
 * Alignment: an array is aligned as its type asks, as malloc's is, and so is the place of any other result;
 * what is not is refused with SAMPLEZ_INVALID_ARGUMENT. Arrays of bytes may begin anywhere.
 *
 * Threads and fork: a sampler may be used by many threads at once, a stream by one at a time. In a
 * process that was forked, a stream of its parent gives no integer that the parent gets: a seeded one
 * returns SAMPLEZ_ENTROPY, so open a new one there, with another seed. Samplers may be used on both
 * sides. Do not fork while another thread is in this library.
 */

#ifndef SAMPLEZ_H
#define SAMPLEZ_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define SAMPLEZ_VERSION "0.1.0"
#define SAMPLEZ_VERSION_MAJOR 0
#define SAMPLEZ_VERSION_MINOR 1
#define SAMPLEZ_VERSION_PATCH 0

/*
 How a call ended. `samplez_last_error` has the words.
 */
typedef enum samplez_status {
  /*
   Done.
   */
  SAMPLEZ_OK = 0,
  /*
   A null pointer, a text that is not UTF-8, or an argument that the library refuses.
   */
  SAMPLEZ_INVALID_ARGUMENT = 1,
  /*
   A sample does not fit the output type, with probability below 2^-128: a type that is too narrow for the
   distribution is refused before. What the output holds is unspecified.
   */
  SAMPLEZ_RANGE = 2,
  /*
   The source of randomness failed, or is stuck. The output is all zeros.
   */
  SAMPLEZ_ENTROPY = 3,
  /*
   A bug in this library, or a self-test that failed.
   */
  SAMPLEZ_INTERNAL = 4,
} samplez_status;

/*
 D_{Z,sigma,c} with a sigma and a centre of any size: immutable, and safe to use from many threads at once.
 */
typedef struct samplez_big samplez_big;

/*
 A sampler of one law: immutable, and safe to use from many threads at once.
 */
typedef struct samplez_sampler samplez_sampler;

/*
 A source of random bits with a cursor. One thread at a time.

 In a process that was forked after a stream was opened, the stream gives no integer of its parent's. A seeded one
 returns SAMPLEZ_ENTROPY. One of the operating system reads new bits, and one over a callback asks it again.
 */
typedef struct samplez_stream samplez_stream;

/*
 What a sampler declares about itself, the figures of `samplez_sampler_certificate_json`. The bounds
 are upper bounds of log2 of what they name, and minus infinity for an exact sampler.
 */
typedef struct samplez_profile {
  /*
   1 if the law is the target itself, given ideal random bits.
   */
  int32_t exact;
  /*
   0 constant, 1 isochronous, 2 variable.
   */
  int32_t timing;
  /*
   Statistical distance from D_{Z,sigma,c}.
   */
  double log2_sd;
  /*
   R_256 - 1, the Renyi divergence of order 256.
   */
  double log2_renyi_256;
  /*
   R_infinity - 1.
   */
  double log2_renyi_inf;
  /*
   Mass of D_{Z,sigma,c} outside of the support.
   */
  double log2_tail;
  /*
   The least value of the sampler's table. An exact sampler also returns values outside of the support, at the default
   precision with a probability below 2^-100. samplez_fill_i8 states which types are wide enough.
   */
  int64_t support_min;
  /*
   The largest value of the sampler's table.
   */
  int64_t support_max;
  /*
   Bytes that a sample reads besides the code.
   */
  uint64_t table_bytes;
  /*
   Expected random bits per sample.
   */
  double expected_bits;
  /*
   Expected trials per sample.
   */
  double expected_trials;
} samplez_profile;

/*
 Fills all `length` bytes at `out` with random bytes; 0 for success, anything else for a failure. If it returns 0 and leaves the
 last 16 bytes as they were, the call of the library returns SAMPLEZ_ENTROPY.
 */
typedef int (*samplez_callback)(void *context, uint8_t *out, size_t length);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The message of the last error of this thread, in UTF-8; empty before the first one. Valid
 until the next call of this library on the thread.
 */
const char *samplez_last_error(void);

/*
 The version of the library, as the header's SAMPLEZ_VERSION has it: of the library that the program
 runs with, which may be another than that of the header.
 */
const char *samplez_version(void);

/*
 Known answers of every cryptographic generator and of the tests of live entropy, for programs that have to show
 self-tests before use; nothing else runs them. SAMPLEZ_INTERNAL if one is wrong, and `samplez_last_error` names it: do
 not use the library then.
 */
enum samplez_status samplez_self_test(void);

/*
 Builds the sampler of a recipe.

 `recipe` is a text such as "sigma=3.2,center=1/3,precision=72": names and values, between two of them
 a comma. A width is needed: sigma, sigma_squared, k_sigma2 or s. The rest may be left out: center
 (0), method (auto, the planner's choice) and the options of the command line, with underscores for
 its dashes. Numbers are taken exactly: 3.2 is 16/5. What the method would ignore is refused.

 On success `*out` is a handle for `samplez_sampler_free`; on failure it is NULL.

 # Safety

 `recipe` ends with a zero byte; `out` points to a pointer.
 */
enum samplez_status samplez_sampler_new(const char *recipe,
                                        struct samplez_sampler **out);

/*
 Builds a constant-time sampler over a table of yours, such as the one of a specification. Its law is the table's. The
 certificate, computed from the entries, is the distance from `law`.

 `law` is the law aimed at: a width and a centre as in a recipe, such as "sigma=2.8". `form` states what the entries are, in the
 words of `samplez certify --form`: "folded,tail,72", "full,tail,first=-10,64", "mirrored,pmf,16" or "frodo", "hawk", "lazer". An
 entry has `limbs` words of 64 bits, 1 to 5, the least significant first; `entries` has count * limbs words. They are copied.

 SAMPLEZ_INVALID_ARGUMENT for entries that are no table of this form: a tail that rises, a sum above 2^precision, a wrong number of
 entries. Also for a form without such a sampler: a half line ("falcon"), a line about a half-integer, draws that no entry covers
 without rest-next or rest-mode.

 The method, recipe and reason of such a sampler are NULL. On success `*out` is a handle for `samplez_sampler_free`; on failure it is
 NULL.

 # Safety

 `law` and `form` end with a zero byte; `entries` has count * limbs words; `out` points to a pointer.
 */
enum samplez_status samplez_sampler_from_table(const char *law,
                                               const char *form,
                                               const uint64_t *entries,
                                               size_t count,
                                               size_t limbs,
                                               struct samplez_sampler **out);

/*
 Builds a sampler of the uniform law on {-1, 0, 1}, as for the secrets of homomorphic encryption. Isochronous. No Gaussian: its
 method, recipe, reason and certificates are NULL. The same holds for the three functions below.

 On success `*out` is a handle for `samplez_sampler_free`; on failure it is NULL.

 # Safety

 `out` points to a pointer.
 */
enum samplez_status samplez_sampler_ternary(struct samplez_sampler **out);

/*
 Builds a sampler of the centred binomial law CBD(eta), the sum of `eta` fair bits minus the sum of as many others. `eta` is from 1 to
 32, and the variance is eta/2. In constant time.

 # Safety

 `out` points to a pointer.
 */
enum samplez_status samplez_sampler_centered_binomial(uint32_t eta,
                                                      struct samplez_sampler **out);

/*
 Builds a sampler of TFHE's TUniform(b), b = `bound_log2` from 0 to 62: uniform on -2^b ..= 2^b, except that each end has half the mass
 of the other values. In constant time.

 # Safety

 `out` points to a pointer.
 */
enum samplez_status samplez_sampler_tuniform(uint32_t bound_log2,
                                             struct samplez_sampler **out);

/*
 Builds a sampler of Skellam noise, the difference of two Poisson variables of mean `variance`/2 each. `variance` is a number from 2^-16
 to 2^20 as in a recipe, such as "2.5" or "5/2", taken exactly. The law is exact, in constant time. Only a remainder, which replaces a
 sample with a probability below 2^-99, takes another time. Variances of independent Skellam variables add: for a larger one, add samples.

 # Safety

 `variance` ends with a zero byte; `out` points to a pointer.
 */
enum samplez_status samplez_sampler_skellam(const char *variance,
                                            struct samplez_sampler **out);

/*
 The name of the method in use. As all texts of a sampler, it lives as long as the sampler; NULL for a
 sampler that is NULL, or that no recipe built.

 # Safety

 `sampler` is NULL or a live handle.
 */
const char *samplez_sampler_method(const struct samplez_sampler *sampler);

/*
 The recipe that names the method and the options in use: it builds the same sampler, on any machine. NULL if no recipe built it.

 # Safety

 `sampler` is NULL or a live handle.
 */
const char *samplez_sampler_recipe(const struct samplez_sampler *sampler);

/*
 Why this method: a sentence of the planner, or "named" if the recipe named it.

 # Safety

 `sampler` is NULL or a live handle.
 */
const char *samplez_sampler_reason(const struct samplez_sampler *sampler);

/*
 The certificate for people: the text of `samplez certify`.

 # Safety

 `sampler` is NULL or a live handle.
 */
const char *samplez_sampler_certificate(const struct samplez_sampler *sampler);

/*
 The certificate for programs: one line of JSON, with the fields of `samplez certify --json`.

 # Safety

 `sampler` is NULL or a live handle.
 */
const char *samplez_sampler_certificate_json(const struct samplez_sampler *sampler);

/*
 Frees a sampler. NULL is allowed.

 # Safety

 `sampler` is NULL or a handle of `samplez_sampler_new` that nothing uses any more.
 */
void samplez_sampler_free(struct samplez_sampler *sampler);

/*
 Writes what the sampler declares.

 # Safety

 `sampler` is a live handle, `out` points to a samplez_profile.
 */
enum samplez_status samplez_sampler_profile(const struct samplez_sampler *sampler,
                                            struct samplez_profile *out);

/*
 Writes P(X = x), correctly rounded: of D_{Z,sigma,c}, or of the law of samplez_sampler_ternary, _centered_binomial, _tuniform or
 _skellam (from 2^-900 on). For a sampler of a table this is the law aimed at.

 # Safety

 `sampler` is a live handle, `out` points to a double.
 */
enum samplez_status samplez_sampler_pmf(const struct samplez_sampler *sampler,
                                        int64_t x,
                                        double *out);

/*
 Reads a seed from a text: 64 hexadecimal digits, or a whole number below 2^64, a short seed. The same
 number gives the same 32 bytes in every language; it is for results that others are to reproduce, not
 for secrets.

 # Safety

 `text` ends with a zero byte; `seed` is room for 32 bytes, which are written only on success.
 */
enum samplez_status samplez_seed_from_text(const char *text,
                                           uint8_t *seed);

/*
 Opens a named source, such as "chacha20" or "os". `seed` is 32 bytes that are not all equal, or NULL for a
 seed from the operating system (and for a source that takes none).

 On success `*out` is a handle for `samplez_stream_free`; on failure it is NULL.

 # Safety

 `source` ends with a zero byte; `seed` is NULL or 32 bytes; `out` points to a pointer.
 */
enum samplez_status samplez_stream_new(const char *source,
                                       const uint8_t *seed,
                                       struct samplez_stream **out);

/*
 A stream over your own generator, which is asked for 1024 bytes at a time. Whether it is
 cryptographic is for you to know.

 # Safety

 `callback` writes no more than it is asked for, does not unwind and does not use this stream;
 `context` is what it expects, for as long as the stream lives; `out` points to a pointer.
 */
enum samplez_status samplez_stream_from_callback(samplez_callback callback,
                                                 void *context,
                                                 struct samplez_stream **out);

/*
 Frees a stream; its state and its buffer are zeroised. NULL is allowed.

 # Safety

 `stream` is NULL or a handle of this library that nothing uses any more.
 */
void samplez_stream_free(struct samplez_stream *stream);

/*
 The next `count` samples as 8-bit integers. A type that is too narrow for the distribution is refused before
 anything is drawn, with SAMPLEZ_INVALID_ARGUMENT: it must hold the sampler's whole support, or leave out a
 mass below 2^-128. The same holds for the other widths and for samplez_bulk_i8.

 # Safety

 Live handles, the stream used by no other thread; room for `count` values at `out`.
 */
enum samplez_status samplez_fill_i8(const struct samplez_sampler *sampler,
                                    struct samplez_stream *stream,
                                    int8_t *out,
                                    size_t count);

/*
 The next `count` samples as 16-bit integers.

 # Safety

 Live handles, the stream used by no other thread; room for `count` values at `out`.
 */
enum samplez_status samplez_fill_i16(const struct samplez_sampler *sampler,
                                     struct samplez_stream *stream,
                                     int16_t *out,
                                     size_t count);

/*
 The next `count` samples as 32-bit integers.

 # Safety

 Live handles, the stream used by no other thread; room for `count` values at `out`.
 */
enum samplez_status samplez_fill_i32(const struct samplez_sampler *sampler,
                                     struct samplez_stream *stream,
                                     int32_t *out,
                                     size_t count);

/*
 The next `count` samples as 64-bit integers.

 # Safety

 Live handles, the stream used by no other thread; room for `count` values at `out`.
 */
enum samplez_status samplez_fill_i64(const struct samplez_sampler *sampler,
                                     struct samplez_stream *stream,
                                     int64_t *out,
                                     size_t count);

/*
 Fills `out` with a ternary vector: `count` entries in {-1, 0, 1}, of which exactly `weight` are not 0, uniform over all such vectors.
 `weight` is from 1 to `count`. Isochronous: `count` and `weight` are public, and the time is independent of the entries.

 # Safety

 A live handle of a stream that no other thread uses; room for `count` values at `out`.
 */
enum samplez_status samplez_fill_sparse_ternary(struct samplez_stream *stream,
                                                size_t weight,
                                                int8_t *out,
                                                size_t count);

/*
 Samples number `first`, `first` + 1, … of the array of a sampler, a source and a seed, as 8-bit
 integers.

 Number n is the same integer whatever range it is asked for in, on any number of threads, on
 every machine and in every language. Fastest where `first` is a multiple of 8192.

 # Safety

 A live handle; `source` ends with a zero byte; 32 bytes at `seed`; room for `count` values at
 `out`.
 */
enum samplez_status samplez_bulk_i8(const struct samplez_sampler *sampler,
                                    const char *source,
                                    const uint8_t *seed,
                                    uint64_t first,
                                    int8_t *out,
                                    size_t count,
                                    size_t threads);

/*
 Samples number `first`, `first` + 1, … of an array, as 16-bit integers; see samplez_bulk_i8.

 # Safety

 A live handle; `source` ends with a zero byte; 32 bytes at `seed`; room for `count` values at
 `out`.
 */
enum samplez_status samplez_bulk_i16(const struct samplez_sampler *sampler,
                                     const char *source,
                                     const uint8_t *seed,
                                     uint64_t first,
                                     int16_t *out,
                                     size_t count,
                                     size_t threads);

/*
 Samples number `first`, `first` + 1, … of an array, as 32-bit integers; see samplez_bulk_i8.

 # Safety

 A live handle; `source` ends with a zero byte; 32 bytes at `seed`; room for `count` values at
 `out`.
 */
enum samplez_status samplez_bulk_i32(const struct samplez_sampler *sampler,
                                     const char *source,
                                     const uint8_t *seed,
                                     uint64_t first,
                                     int32_t *out,
                                     size_t count,
                                     size_t threads);

/*
 Samples number `first`, `first` + 1, … of an array, as 64-bit integers; see samplez_bulk_i8.

 # Safety

 A live handle; `source` ends with a zero byte; 32 bytes at `seed`; room for `count` values at
 `out`.
 */
enum samplez_status samplez_bulk_i64(const struct samplez_sampler *sampler,
                                     const char *source,
                                     const uint8_t *seed,
                                     uint64_t first,
                                     int64_t *out,
                                     size_t count,
                                     size_t threads);

/*
 A sample of D_{Z,sigma,center}, exactly, with a centre and a width of its own.

 Both are the doubles themselves: sigma is from 1 to 2^26, and |center| < 2^62. Isochronous: the number of trials tells sigma
 at most, and nothing of the sample or the centre.

 # Safety

 A live stream that no other thread uses; `out` is room for an integer, which is written only on success.
 */
enum samplez_status samplez_round(struct samplez_stream *stream,
                                  double sigma,
                                  double center,
                                  int64_t *out);

/*
 `count` samples of D_{Z,sigma,center}, exactly, each with a centre and a width of its own: several at once, and faster than
 `samplez_round`.

 `sigmas` has `sigma_count` doubles: `count`, or 1 that all samples share. `centers` has `count` doubles. They are within the limits of `samplez_round`. A value that is refused is named by its index, and `out` is all zeros then.

 # Safety

 A live stream that no other thread uses; arrays of so many doubles; room for `count` values at `out`.
 */
enum samplez_status samplez_round_each(struct samplez_stream *stream,
                                       const double *sigmas,
                                       size_t sigma_count,
                                       const double *centers,
                                       int64_t *out,
                                       size_t count);

/*
 Writes the residues of `count` integers modulo q, from 2 to 2^63 - 1: integers from 0 to q - 1. For an RNS basis, call it for each of
 the primes. In constant time, whatever the integers are. `out` may be the place of the integers themselves.

 # Safety

 `integers` are `count` integers, and `out` is room for as many, in the same place or apart from them.
 */
enum samplez_status samplez_residues(const int64_t *integers,
                                     size_t count,
                                     uint64_t q,
                                     uint64_t *out);

/*
 Builds the sampler of a text such as "sigma=1e30,center=1/3": a width as for `samplez_sampler_new`, and perhaps a centre, with up
 to 4096 bits. It samples exactly D_{Z,sigma,c}.

 On success `*out` is a handle for `samplez_big_free`; on failure it is NULL.

 # Safety

 `recipe` ends with a zero byte; `out` points to a pointer.
 */
enum samplez_status samplez_big_new(const char *recipe,
                                    struct samplez_big **out);

/*
 The words of 64 bits of each sample; 0 for NULL.

 # Safety

 `big` is NULL or a live handle.
 */
size_t samplez_big_words(const struct samplez_big *big);

/*
 The next `count` samples, each an integer of `samplez_big_words` words in two's complement, the lowest word first. Allocates as
 much memory as `out` has, and erases it.

 # Safety

 Live handles, the stream used by no other thread; `out` is room for `count` times so many words.
 */
enum samplez_status samplez_big_fill(const struct samplez_big *big,
                                     struct samplez_stream *stream,
                                     uint64_t *out,
                                     size_t count);

/*
 Frees a sampler. NULL is allowed.

 # Safety

 `big` is NULL or a handle of this library that nothing uses any more.
 */
void samplez_big_free(struct samplez_big *big);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SAMPLEZ_H */
