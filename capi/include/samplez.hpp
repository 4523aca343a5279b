// samplez for C++17: the main functions of samplez.h, with owners in place of handles and exceptions in place of statuses.
//
//     samplez::Sampler noise("sigma=3.2");
//     samplez::Stream stream;                            // ChaCha20 with a seed from the operating system
//     std::vector<std::int8_t> e = noise.fill<std::int8_t>(stream, 1024);
//
// A failure is a samplez::Error with the library's message and its status. samplez.h describes threads and fork, and
// lists the functions by task.
#ifndef SAMPLEZ_HPP
#define SAMPLEZ_HPP

#include "samplez.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace samplez {

/// A call that failed: the library's message, and why.
class Error : public std::runtime_error {
public:
    Error(samplez_status status, const char *message, const char *kind = "other")
        : std::runtime_error(message), status_(status), kind_(kind) {}
    samplez_status status() const noexcept { return status_; }
    /// Returns why an argument is refused, as samplez_last_kind does.
    const std::string &kind() const noexcept { return kind_; }

private:
    samplez_status status_;
    std::string kind_;
};

/// Throws the error of a status that is not SAMPLEZ_OK.
inline void check(samplez_status status) {
    if (status != SAMPLEZ_OK) {
        throw Error(status, samplez_last_error(), samplez_last_kind());
    }
}

/// A seed: 32 bytes that are not all equal.
using Seed = std::array<std::uint8_t, 32>;

/// The seed of 64 hexadecimal digits, or of a number below 2^64: the same in every language, and no secret.
inline Seed seed(const std::string &text) {
    Seed bytes;
    check(samplez_seed_from_text(text.c_str(), bytes.data()));
    return bytes;
}

/// Random bits with a cursor, for one thread at a time. Movable.
class Stream {
public:
    /// A named source with a seed from the operating system.
    explicit Stream(const std::string &source = "chacha20") { open(source, nullptr); }
    /// A named source with this seed.
    Stream(const std::string &source, const Seed &seed) { open(source, seed.data()); }
    /// A generator of yours, which fills bytes and returns 0; it and its context outlive the stream.
    Stream(int (*callback)(void *, std::uint8_t *, std::size_t), void *context) {
        samplez_stream *made = nullptr;
        check(samplez_stream_from_callback(callback, context, &made));
        handle_.reset(made);
    }

    samplez_stream *get() const noexcept { return handle_.get(); }

    /// A vector of `count` entries in {-1, 0, 1}, exactly `weight` of which are not 0.
    std::vector<std::int8_t> sparse_ternary(std::size_t count, std::size_t weight) {
        std::vector<std::int8_t> out(count);
        check(samplez_fill_sparse_ternary(get(), weight, out.data(), count));
        return out;
    }

    /// A sample of D_{Z,sigma,center}, exactly: sigma from 1 to 2^26.
    std::int64_t round(double sigma, double center) {
        std::int64_t out = 0;
        check(samplez_round(get(), sigma, center, &out));
        return out;
    }

    /// Draws a sample for each centre, as `samplez_round_each` does. Pass as many sigmas as centres, or one for all.
    std::vector<std::int64_t> round_each(const std::vector<double> &sigmas, const std::vector<double> &centers) {
        std::vector<std::int64_t> out(centers.size());
        check(samplez_round_each(get(), sigmas.data(), sigmas.size(), centers.data(), out.data(), out.size()));
        return out;
    }

    /// The same in batches, which is faster; in general other integers.
    std::vector<std::int64_t> sample_each(const std::vector<double> &sigmas, const std::vector<double> &centers) {
        std::vector<std::int64_t> out(centers.size());
        check(samplez_sample_each(get(), sigmas.data(), sigmas.size(), centers.data(), out.data(), out.size()));
        return out;
    }

private:
    struct Free {
        void operator()(samplez_stream *stream) const noexcept { samplez_stream_free(stream); }
    };

    void open(const std::string &source, const std::uint8_t *seed) {
        samplez_stream *made = nullptr;
        check(samplez_stream_new(source.c_str(), seed, &made));
        handle_.reset(made);
    }

    std::unique_ptr<samplez_stream, Free> handle_;
};

/// A sampler of one law: immutable, movable, for any number of threads at once.
class Sampler {
public:
    /// The sampler of a recipe such as "sigma=3.2,center=1/3", or of other noise, such as "skellam=2.5": as samplez_sampler_new.
    explicit Sampler(const std::string &recipe) {
        samplez_sampler *made = nullptr;
        check(samplez_sampler_new(recipe.c_str(), &made));
        handle_.reset(made);
    }

    /// A constant-time sampler over a table of yours: as samplez_sampler_from_table, with `limbs` words for an entry.
    static Sampler from_table(const std::string &law, const std::string &form, const std::vector<std::uint64_t> &entries,
                              std::size_t limbs = 1) {
        const std::size_t count = limbs == 0 ? 0 : entries.size() / limbs;
        if (limbs != 0 && count * limbs != entries.size()) {
            throw Error(SAMPLEZ_INVALID_ARGUMENT, "entries: expected a multiple of `limbs` words");
        }
        samplez_sampler *made = nullptr;
        check(samplez_sampler_from_table(law.c_str(), form.c_str(), entries.data(), count, limbs, &made));
        return Sampler(made);
    }

    const samplez_sampler *get() const noexcept { return handle_.get(); }
    std::string method() const { return text(samplez_sampler_text(get(), "method")); }
    std::string recipe() const { return text(samplez_sampler_text(get(), "recipe")); }
    std::string timing() const { return text(samplez_sampler_text(get(), "timing")); }
    std::string certificate() const { return text(samplez_sampler_text(get(), "certificate")); }

    /// Fills an array with samples.
    template <typename T> void fill(Stream &stream, T *out, std::size_t count) const {
        static_assert(std::is_integral<T>::value && std::is_signed<T>::value && sizeof(T) <= 8, "a signed integer of 8 to 64 bits");
        if constexpr (sizeof(T) == 1) {
            check(samplez_fill_i8(get(), stream.get(), reinterpret_cast<std::int8_t *>(out), count));
        } else if constexpr (sizeof(T) == 2) {
            check(samplez_fill_i16(get(), stream.get(), reinterpret_cast<std::int16_t *>(out), count));
        } else if constexpr (sizeof(T) == 4) {
            check(samplez_fill_i32(get(), stream.get(), reinterpret_cast<std::int32_t *>(out), count));
        } else {
            check(samplez_fill_i64(get(), stream.get(), reinterpret_cast<std::int64_t *>(out), count));
        }
    }

    /// A figure of the sampler, such as "log2_sd" or "support_max": as samplez_sampler_figure.
    double figure(const std::string &name) const {
        double value = 0;
        check(samplez_sampler_figure(get(), name.c_str(), &value));
        return value;
    }

    /// Samples first, first + 1, … of the array of this source and seed: the same on any number of threads.
    template <typename T>
    std::vector<T> bulk(const std::string &source, const Seed &seed, std::uint64_t first, std::size_t count, std::size_t threads = 1) const {
        std::vector<T> out(count);
        const auto fill = [&](auto function, auto *values) {
            check(function(get(), source.c_str(), seed.data(), first, values, count, threads));
        };
        static_assert(std::is_integral<T>::value && std::is_signed<T>::value && sizeof(T) <= 8, "a signed integer of 8 to 64 bits");
        if constexpr (sizeof(T) == 1) {
            fill(samplez_bulk_i8, reinterpret_cast<std::int8_t *>(out.data()));
        } else if constexpr (sizeof(T) == 2) {
            fill(samplez_bulk_i16, reinterpret_cast<std::int16_t *>(out.data()));
        } else if constexpr (sizeof(T) == 4) {
            fill(samplez_bulk_i32, reinterpret_cast<std::int32_t *>(out.data()));
        } else {
            fill(samplez_bulk_i64, reinterpret_cast<std::int64_t *>(out.data()));
        }
        return out;
    }

    /// The next samples.
    template <typename T> std::vector<T> fill(Stream &stream, std::size_t count) const {
        std::vector<T> out(count);
        fill(stream, out.data(), count);
        return out;
    }

private:
    explicit Sampler(samplez_sampler *made) : handle_(made) {}

    static std::string text(const char *words) {
        if (words == nullptr) {
            throw Error(SAMPLEZ_INVALID_ARGUMENT, samplez_last_error());
        }
        return words;
    }

    struct Free {
        void operator()(samplez_sampler *sampler) const noexcept { samplez_sampler_free(sampler); }
    };

    std::unique_ptr<samplez_sampler, Free> handle_;
};

/// `count` integers modulo q, from 2 to 2^63 - 1, without a branch on them.
template <typename T> std::vector<std::uint64_t> residues(const T *integers, std::size_t count, std::uint64_t q) {
    const std::vector<std::int64_t> wide(integers, integers + count);
    std::vector<std::uint64_t> out(count);
    check(samplez_residues(wide.data(), count, q, out.data()));
    return out;
}

} // namespace samplez

#endif // SAMPLEZ_HPP
