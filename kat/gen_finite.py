"""Writes finite.csv: samples of the finite laws, from their definitions, ChaCha20 (RFC 8439) and the addresses of ADR 2 alone."""

import struct
from bisect import bisect
from decimal import ROUND_FLOOR, Decimal, getcontext
from itertools import accumulate, count

BLOCK = 8192


def rounds(x):
    def quarter(a, b, c, d):
        for i, j, k, turn in (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7):
            x[i] = (x[i] + x[j]) % 2**32
            x[k] = ((x[k] ^ x[i]) << turn | (x[k] ^ x[i]) >> (32 - turn)) % 2**32

    for _ in range(10):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return x


def state(key, rest):
    return list(struct.unpack("<16I", b"expand 32-byte k" + key + rest))


def child(key, address):
    """HChaCha20."""
    x = rounds(state(key, address))
    return struct.pack("<8I", *x[:4], *x[12:])


def bits(key):
    """The keystream, the least significant bit of each byte first."""
    for counter in count():
        start = state(key, struct.pack("<Q8x", counter))
        for a, b in zip(start, rounds(list(start))):
            word = (a + b) % 2**32
            yield from (word >> i & 1 for i in range(32))


def whole(stream, n):
    return sum(next(stream) << i for i in range(n))


def ternary(stream):
    while (trial := whole(stream, 2)) == 3:
        pass
    return (0, 1, -1)[trial]


def binomial(eta):
    return lambda stream: sum(next(stream) for _ in range(eta)) - sum(next(stream) for _ in range(eta))


def tuniform(b):
    return lambda stream: (whole(stream, b + 2) + 1) // 2 - 2**b


def skellam(top, bottom, length):
    """Inversion of sums of 2P(k) from k on, with P(k) = e^-V I_k(V) by the power series, each rounded down to 128 bits. By the word
    before a block's first sample, a remainder replaces each sample with a probability below 2^-99."""
    getcontext().prec, half = 150, Decimal(top) / bottom / 2
    weights, first = [], (-2 * half).exp()
    for k in range(1, length):
        first = term = total = first * half / k
        for j in count(1):
            term = term * half * half / (j * (j + k))
            total += term
            if term < total.scaleb(-140):
                break
        weights.append(int((total * 2**129).to_integral_value(ROUND_FLOOR)))
    assert weights[-1] == 0
    sums = list(accumulate(reversed(weights)))

    def sample(stream):
        index = len(sums) - bisect(sums, whole(stream, 128))
        return -index if next(stream) else index

    return sample


def laplace(top, bottom):
    """P(x) proportional to e^(-|x|/λ), λ = top/bottom: digits of |x| - 1 and whether x is 0, each by a coin of 63 bits, of which 31 are
    shared. Two coins with equal leading 32 bits, and more digits, have a probability below 2^-53."""
    getcontext().prec = 60
    x = Decimal(bottom) / top
    places = next(n for n in count() if (bottom << n) >= 45 * top)
    odds = [1 / (1 + (x * 2**j).exp()) for j in range(places)] + [(-x * 2**places).exp(), 2 / (1 + x.exp())]
    goals = [int((p * 2**63).to_integral_value(ROUND_FLOOR)) for p in odds]
    words = len(odds) // 2 + 1

    def sample(stream):
        halves = [whole(stream, 32) for _ in range(2 * words)]
        shared, negative = halves[-1] % 2**31, halves[-1] >> 31
        assert sum(own == goal >> 31 for own, goal in zip(halves, goals)) < 2 or places == 0
        coins = [own * 2**31 + shared < goal for own, goal in zip(halves, goals)]
        assert not coins[places]
        distance = coins[-1] * (1 + sum(coin << j for j, coin in enumerate(coins[:places])))
        return -distance if negative else distance

    return sample


def within(bound, sample):
    def trial(stream):
        while abs(x := sample(stream)) > bound:
            pass
        return x

    return trial


def sparse(stream, n, w):
    for remain in range(n, 0, -1):
        width = (remain - 1).bit_length()
        while True:
            sign, u = next(stream), whole(stream, width)
            if u < remain:
                break
        yield (-1) ** sign if u < w else 0
        w -= u < w


# RFC 8439, A.1: the first block of the zero key.
assert whole(bits(bytes(32)), 64) == int.from_bytes(bytes.fromhex("76b8e0ada0f13d90"), "little")

name = b"short seed"
root = child(bytes(32), struct.pack("<H13sB", len(name), name, 2))
short = lambda number: child(root, struct.pack("<Q7xB", number, 1))

LAWS = [("Ternary", ternary)]
LAWS += [(f"CBD({eta})", binomial(eta)) for eta in (1, 2, 3, 8, 21, 32, 33, 64, 1000)]
LAWS += [(f"TUniform({b})", tuniform(b)) for b in (0, 1, 6, 17, 40, 62)]
LAWS += [(f"Skellam({text})", skellam(*map(int, f"{text}/1".split("/")[:2]), length)) for text, length in (("1/3", 40), ("5/2", 80), ("1000", 900))]
LAWS += [(f"DiscreteLaplace({text})", laplace(*map(int, f"{text}/1".split("/")[:2]))) for text in ("1/65536", "1/3", "3/2", "10", "1125899906842624")]
LAWS += [(f"DiscreteLaplace({top}/2) within {bound}", within(bound, laplace(top, 2))) for top, bound in ((3, 2), (15, 20), (2**50 + 1, 2**48 + 1))]

with open("finite.csv", "w", newline="\n") as out:
    out.write("law,seed,first,samples\n")
    for law, sample in LAWS:
        for seed, first in (1, 0), (7, BLOCK - 8):
            samples = []
            for block in range(first // BLOCK, (first + 15) // BLOCK + 1):
                stream = bits(child(short(seed), struct.pack("<Q7xB", block, 1)))
                if law.startswith("Skellam"):
                    assert whole(stream, 64) % 2**36 != 0  # no remainder in this block
                samples += [sample(stream) for _ in range(min(BLOCK, first + 16 - block * BLOCK))]
            start = first % BLOCK
            out.write(f"{law},{seed},{first},{' '.join(map(str, samples[start : start + 16]))}\n")
    # One vector of a stream, whose key is the seed.
    for n, w in (1, 1), (16, 3), (100, 50), (64, 64):
        out.write(f"SparseTernary({n} {w}),5,,{' '.join(map(str, sparse(bits(short(5)), n, w)))}\n")
