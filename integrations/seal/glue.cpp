// SEAL's Gaussian noise by samplez: the build renames SEAL's own function in rlwe.cpp, and this one takes its place.
#include "samplez.hpp"
#include "seal/util/rlwe.h"

#include <vector>

namespace seal {
namespace util {

void sample_poly_normal_of_seal(std::shared_ptr<UniformRandomGenerator>, const EncryptionParameters &, std::uint64_t *);

bool by_samplez = true;

// Polynomials with coefficients of D_Z with sigma = 3.2, as residues of each prime. SEAL's generator gives the seed.
void sample_poly_normal(std::shared_ptr<UniformRandomGenerator> prng, const EncryptionParameters &parms, std::uint64_t *destination) {
    if (!by_samplez) {
        return sample_poly_normal_of_seal(prng, parms, destination);
    }
    static const samplez::Sampler noise("sigma=3.2");
    samplez::Seed seed;
    prng->generate(seed.size(), reinterpret_cast<seal_byte *>(seed.data()));
    samplez::Stream stream("chacha20", seed);
    std::vector<std::int64_t> drawn(parms.poly_modulus_degree());
    noise.fill(stream, drawn.data(), drawn.size());
    for (const Modulus &q : parms.coeff_modulus()) {
        samplez::check(samplez_residues(drawn.data(), drawn.size(), q.value(), destination));
        destination += drawn.size();
    }
    seal_memzero(seed.data(), seed.size());
    seal_memzero(drawn.data(), drawn.size() * sizeof drawn[0]);
}

} // namespace util
} // namespace seal
