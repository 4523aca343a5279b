// samplez.hpp as a C++ program uses it. Exit code 0: all is well; else the line of what is not.
#include "samplez.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#define CHECK(condition) do { if (!(condition)) { return __LINE__; } } while (0)

template <typename F> static bool throws(F call, const char *words) {
    try {
        call();
    } catch (const samplez::Error &error) {
        return error.status() == SAMPLEZ_INVALID_ARGUMENT && std::string(error.what()).find(words) != std::string::npos;
    }
    return false;
}

static int zeros(void *, std::uint8_t *out, std::size_t length) {
    std::fill(out, out + length, 0);
    return 0;
}

int main() {
    const samplez::Sampler noise("sigma=3.2");
    const samplez::Seed seed = samplez::seed("7");
    samplez::Stream stream("chacha20", seed), again("chacha20", seed), other;

    // The same seed, the same integers, in every type.
    const auto narrow = noise.fill<std::int8_t>(stream, 4096);
    const auto wide = noise.fill<long long>(again, 4096);
    CHECK(std::equal(narrow.begin(), narrow.end(), wide.begin()));
    CHECK(noise.fill<std::int16_t>(stream, 100).size() == 100 && noise.fill<int>(other, 0).empty());
    double squares = 0;
    for (int x : narrow) {
        squares += x * x;
    }
    CHECK(std::fabs(squares / 4096 - 10.24) < 6 * 10.24 * std::sqrt(2.0 / 4096));
    CHECK(noise.method() == "knuth-yao-ct" && noise.recipe().find("sigma=16/5") == 0);
    CHECK(noise.certificate().find("exact") != std::string::npos);

    // Owners move.
    samplez::Stream moved = std::move(other);
    samplez::Sampler first("sigma=20"), second = std::move(first);
    CHECK(second.fill<std::int16_t>(moved, 3).size() == 3 && first.get() == nullptr);

    // A centre and a width each; residues.
    CHECK(std::llabs(moved.round(2, 1e6) - 1000000) < 40);
    const auto each = moved.sample_each({1.5, 3}, {0.25, -100});
    CHECK(each.size() == 2 && std::llabs(each[1] + 100) < 60 && moved.round_each({2.0}, {0, 1, 2}).size() == 3);
    const int three[] = {-1, 5, 0};
    CHECK(samplez::residues(three, 3, 97) == (std::vector<std::uint64_t>{96, 5, 0}));

    // A table of the caller's, and other laws.
    const auto coarse = samplez::Sampler::from_table("sigma=1", "folded,tail,8", {140});
    const auto signs = coarse.fill<std::int8_t>(moved, 1000);
    CHECK(coarse.figure("support_max") == 1 && std::count(signs.begin(), signs.end(), 0) > 300);
    CHECK(samplez::Sampler("ternary").timing() == "isochronous" && samplez::Sampler("tuniform=17").figure("support_max") == 131072);
    CHECK(samplez::Sampler("centered_binomial=21").fill<std::int8_t>(moved, 10).size() == 10);
    const auto skellam = samplez::Sampler("skellam=2.5").bulk<std::int8_t>("chacha20", samplez::seed("1"), 0, 6);
    CHECK(skellam == (std::vector<std::int8_t>{-4, 1, 1, -1, -3, 0})); // kat/finite.csv
    const auto laplace = samplez::Sampler("laplace=3/2").bulk<std::int16_t>("chacha20", samplez::seed("1"), 0, 6);
    CHECK(laplace == (std::vector<std::int16_t>{-1, 0, -2, -2, 0, 0})); // kat/finite.csv
    CHECK(throws([] { samplez::Sampler("skellam=2e6"); }, "skellam = 2e6: expected a number from 2^-16 to 2^20"));
    const auto sparse = moved.sparse_ternary(1024, 64);
    CHECK(std::count(sparse.begin(), sparse.end(), 0) == 960);
    CHECK(throws([] { samplez::Sampler::from_table("sigma=1", "folded,tail,8", {140, 0, 1}, 2); }, "entries"));
    CHECK(throws([] { samplez::Sampler::from_table("sigma=1", "folded,tail,8", {140, 200}); }, "entries[1] = 200"));
    CHECK(throws([&] { moved.sparse_ternary(8, 9); }, "weight = 9"));

    // An array with addresses.
    const auto whole = noise.bulk<std::int8_t>("chacha20", seed, 0, 20000, 2);
    const auto part = noise.bulk<std::int32_t>("chacha20", seed, 12345, 100);
    CHECK(std::equal(part.begin(), part.end(), whole.begin() + 12345) && noise.figure("log2_sd") == -HUGE_VAL);

    // What is refused throws the library's message.
    CHECK(throws([] { samplez::Sampler("sigma=0"); }, "sigma = 0: expected a number greater than 0"));
    CHECK(throws([&] { first.recipe(); }, "sampler"));
    CHECK(throws([&] { noise.figure("sd"); }, "name = sd: expected log2_sd, "));
    CHECK(throws([] { samplez::Stream("dice"); }, "dice"));
    CHECK(throws([] { samplez::seed("x"); }, "text"));
    CHECK(throws([&] { samplez::Sampler("sigma=1000").fill<std::int8_t>(moved, 1); }, "out"));
    CHECK(throws([&] { moved.round_each({1, 2}, {0, 0, 0}); }, "sigma_count = 2"));
    CHECK(throws([&] { moved.round(0.5, 0); }, "sigma"));
    CHECK(throws([&] { samplez::residues(three, 1, 1); }, "q = 1"));
    CHECK(throws([] { samplez::Stream(nullptr, nullptr); }, "callback"));
    CHECK(throws([&] { second.fill(moved, static_cast<std::int8_t *>(nullptr), 1); }, "out"));
    samplez::Stream stuck(zeros, nullptr);
    try {
        noise.fill<std::int8_t>(stuck, 10000);
        return __LINE__;
    } catch (const samplez::Error &error) {
        CHECK(error.status() == SAMPLEZ_ENTROPY);
    }
    return 0;
}
