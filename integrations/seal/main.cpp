// SEAL's Gaussian noise replaced by samplez's: zeros encrypted and decrypted by SEAL, which returns every error. Writes the integers before
// and after to the two files that it is given, and prints nanoseconds of this thread for each coefficient.
#include "seal/seal.h"
#include "seal/util/ntt.h"
#include "seal/util/rlwe.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using namespace seal;

namespace seal {
namespace util {
extern bool by_samplez;
}
} // namespace seal

static double now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

int main(int, char **arguments) {
    const std::size_t degree = 8192, rounds = 256;
    EncryptionParameters parms(scheme_type::ckks);
    parms.set_poly_modulus_degree(degree);
    parms.set_coeff_modulus(CoeffModulus::Create(degree, {55, 55, 55}));
    const SEALContext context(parms);
    const auto &data = *context.first_context_data();
    const auto &primes = data.parms().coeff_modulus();
    KeyGenerator keys(context);
    const SecretKey secret = keys.secret_key();
    const Encryptor encryptor(context, secret);
    Decryptor decryptor(context, secret);
    const auto prng = UniformRandomGeneratorFactory::DefaultFactory()->create();
    std::vector<std::uint64_t> timed(degree * primes.size());

    for (int after = 0; after < 2; after++) {
        util::by_samplez = after == 1;
        util::sample_poly_normal(prng, data.parms(), timed.data());
        const double start = now();
        for (std::size_t k = 0; k < rounds; k++) {
            util::sample_poly_normal(prng, data.parms(), timed.data());
        }
        const double spent = now() - start;
        std::FILE *file = std::fopen(arguments[1 + after], "w");
        for (std::size_t k = 0; k < rounds; k++) {
            Ciphertext zero;
            encryptor.encrypt_zero_symmetric(zero);
            Plaintext error;
            decryptor.decrypt(zero, error);
            for (std::size_t j = 0; j < primes.size(); j++) {
                util::inverse_ntt_negacyclic_harvey(error.data() + j * degree, data.small_ntt_tables()[j]);
            }
            for (std::size_t i = 0; i < degree; i++) {
                const std::uint64_t x = error.data()[i], q = primes[0].value();
                const long long integer = x > q / 2 ? -static_cast<long long>(q - x) : static_cast<long long>(x);
                for (std::size_t j = 0; j < primes.size(); j++) {
                    const auto other = static_cast<long long>(error.data()[j * degree + i]);
                    if (other != (integer < 0 ? integer + static_cast<long long>(primes[j].value()) : integer)) {
                        std::fprintf(stderr, "coefficient %zu of round %zu: the primes disagree\n", i, k);
                        return 1;
                    }
                }
                std::fprintf(file, "%lld\n", integer);
            }
        }
        std::fclose(file);
        std::printf("%s: %.1f ns a coefficient, in two primes\n", after ? "samplez" : "SEAL", spent / static_cast<double>(rounds * degree));
    }
    return 0;
}
