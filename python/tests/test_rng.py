"""Sources, NumPy's generators in both directions, processes."""

import copy
import ctypes
import os
import pickle
import threading
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

import samplez

G = samplez.DiscreteGaussian("3.2", method="karney")


def test_a_source_moves_on() -> None:
    a, b = samplez.Source("chacha20", seed=1), samplez.Source("chacha20", seed=1)
    first, second = G.sample(1000, rng=a), G.sample(1000, rng=a)
    assert not np.array_equal(first, second)
    assert np.array_equal(np.concatenate([first, second]), G.sample(2000, rng=b))


@pytest.mark.parametrize("source", [source.name for source in samplez.sources()])
def test_every_source_samples(source: str) -> None:
    assert abs(G.sample(1000, rng=samplez.Source(source)).mean()) < 1
    assert abs(G.sample(1000, source=source).mean()) < 1


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_numpy_generators_give_their_words(bits: type[np.random.BitGenerator]) -> None:
    """Reproducibly, and 128 of them for a few samples."""
    a = G.sample(100, rng=np.random.Generator(bits(5)))
    assert np.array_equal(a, G.sample(100, rng=bits(5)))
    assert not np.array_equal(a, G.sample(100, rng=bits(6)))
    rng = np.random.Generator(bits(5))
    G.sample(3, rng=rng)
    words = np.random.Generator(bits(5)).integers(0, 2**64, 129, dtype=np.uint64)
    assert rng.integers(0, 2**64, dtype=np.uint64) == words[128]


def test_our_words_through_numpy_and_back() -> None:
    through = samplez.BitGenerator("chacha20", seed=9)
    assert np.array_equal(G.sample(5000, rng=through), G.sample(5000, rng=samplez.Source("chacha20", seed=9)))


def test_our_bits_are_a_numpy_bit_generator() -> None:
    rng = np.random.Generator(samplez.BitGenerator("chacha20", seed=b"\x01" + bytes(31)))
    # The ChaCha20 keystream under this key and a zero nonce: kat/sources.csv.
    assert rng.bit_generator.random_raw() == int.from_bytes(bytes.fromhex("c5d30a7ce1ec1193"), "little")
    assert 0.49 < rng.random(100_000).mean() < 0.51
    assert rng.integers(0, 10, 1000).max() == 9
    assert abs(rng.standard_normal(100_000).std() - 1) < 0.02
    assert np.random.default_rng(rng.bit_generator) is not None
    assert rng.bit_generator.ctypes.next_uint64 is not None
    for _ in range(100):
        np.random.Generator(samplez.BitGenerator(seed=1)).random()


def test_secrets_are_not_shown_or_copied() -> None:
    for secret in (samplez.BitGenerator(seed=77), samplez.Source(seed=77), samplez.BitGenerator(seed=77).seed_seq):
        assert "77" not in repr(secret)
        with pytest.raises(TypeError, match="two copies would give the same bits"):
            pickle.dumps(secret)
        with pytest.raises(TypeError):
            copy.copy(secret)
    assert repr(samplez.Source(seed=77)) == "samplez.Source('chacha20')"
    bits = samplez.BitGenerator(seed=77)
    asks: list[Callable[[], object]] = [lambda: bits.state, lambda: setattr(bits, "state", {})]
    for ask in asks:
        with pytest.raises(NotImplementedError, match="copyable=True"):
            ask()


@pytest.mark.parametrize("source", [source.name for source in samplez.sources() if source.seeded])
def test_copies_go_on_where_the_original_stands(source: str) -> None:
    """After words of 64 and of 32 bits, at any place; by pickle, by copy, by state, and inside a Generator."""
    bits = samplez.BitGenerator(source, seed=5, copyable=True)
    rng = np.random.Generator(bits)
    rng.integers(0, 10, 4097, dtype=np.uint32), rng.random(333), bits.spawn(2)
    other = samplez.BitGenerator("chacha8", copyable=True)
    other.state = bits.state
    copies = [pickle.loads(pickle.dumps(bits)), copy.deepcopy(bits), copy.copy(bits), other, copy.deepcopy(rng).bit_generator]
    expected = bits.random_raw(100).tolist()
    for one in copies:
        assert one.random_raw(100).tolist() == expected
    assert copies[0].spawn(1)[0].random_raw() == bits.spawn(1)[0].random_raw()
    assert copies[1].jumped(2).random_raw() == bits.jumped().jumped().random_raw()


def test_descendants_have_bits_of_their_own() -> None:
    bits = samplez.BitGenerator(seed=5)
    family = [bits, *bits.spawn(2), *bits.spawn(1), bits.jumped(), bits.jumped(2), bits.jumped().spawn(1)[0], bits.spawn(1)[0].spawn(1)[0]]
    assert len({one.random_raw() for one in family}) == len(family)
    again = samplez.BitGenerator(seed=5)
    again.spawn(2)
    assert again.jumped().random_raw() == samplez.BitGenerator(seed=5).jumped().random_raw()
    first = [child.random_raw() for child in samplez.BitGenerator(seed=5).spawn(3)]
    assert first == [child.random_raw() for child in samplez.BitGenerator(seed=5).spawn(3)]
    children = np.random.Generator(samplez.BitGenerator(seed=5)).spawn(3)
    assert first == [child.bit_generator.random_raw() for child in children]
    tree: Any = bits.seed_seq
    words = tree.generate_state(5, np.uint64)
    assert words.dtype == np.uint64 and np.array_equal(words.view(np.uint32)[:4], tree.generate_state(4))
    assert np.random.Generator(np.random.PCG64(tree)).random() < 1 and tree.n_children_spawned == 4


def test_seed_sequences_are_seeds() -> None:
    """Of 32 bytes, for samples, sources and bit generators, which spawn by it."""
    def make() -> np.random.SeedSequence:
        return np.random.SeedSequence(9)

    octets = make().generate_state(8, np.uint32).astype("<u4").tobytes()
    assert np.array_equal(G.sample(50, rng=make()), G.sample(50, rng=octets))
    assert np.array_equal(G.sample(50, rng=samplez.Source(seed=make())), G.sample(50, rng=samplez.Source(seed=octets)))
    bits = samplez.BitGenerator(seed=make())
    assert bits.random_raw() == samplez.BitGenerator(seed=octets).random_raw()
    expected = [samplez.BitGenerator(seed=child).random_raw() for child in make().spawn(2)]
    assert [child.random_raw() for child in bits.spawn(2)] == expected
    copied = pickle.loads(pickle.dumps(samplez.BitGenerator(seed=make(), copyable=True)))
    assert [child.random_raw() for child in copied.spawn(2)] == expected
    class Fixed(np.random.bit_generator.ISeedSequence):
        def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
            return np.arange(n_words, dtype=dtype)

    with pytest.raises(TypeError, match="seed: expected one that spawns, and a Fixed does not"):
        samplez.BitGenerator(seed=Fixed()).spawn(1)
    from samplez.schemes import lp11

    with pytest.raises(ValueError, match="rng: a NumPy SeedSequence is not cryptographic"):
        lp11.keygen("ring-512", rng=make())


def test_single_samples() -> None:
    """They follow the law, whoever asks; a generator's is the first of an array from it.

    No seed: 7 standard deviations of the mean, 8 of the standard deviation, and 7.9 for the threads. All together fail by chance with
    probability below 1e-11.
    """
    draws = np.array([G.sample() for _ in range(40_000)])
    assert abs(draws.mean()) < 7 * 3.2 / 200 and abs(draws.std() - 3.2) < 0.1
    assert G.sample(rng=np.random.PCG64(5)) == G.sample(rng=np.random.Generator(np.random.PCG64(5)))
    rng = np.random.default_rng(5)
    G.sample(rng=rng)
    assert rng.bit_generator.random_raw() == np.random.PCG64(5).random_raw(17)[16]
    together: list[int] = []
    threads = [threading.Thread(target=lambda: together.extend(G.sample() for _ in range(2000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(together) == 8000 and abs(np.std(together) - 3.2) < 0.2


def forked(work: Callable[[], bool]) -> bool:
    """Whether the work is true in a forked process."""
    child = os.fork()
    if child == 0:
        verdict = 1
        try:
            verdict = 0 if work() else 1
        finally:
            os._exit(verdict)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_bit_generator_refuses() -> None:
    bits = samplez.BitGenerator(seed=3)
    rng = np.random.Generator(bits)

    def all_refuse() -> bool:
        asks: list[Callable[[], object]] = [rng.random, lambda: G.sample(rng=rng), lambda: G.sample(9, rng=bits), bits.random_raw, bits.jumped,
                                            lambda: bits.spawn(1), lambda: bits.lock.acquire()]
        for ask in asks:
            with pytest.raises(RuntimeError, match="copyable=True"):
                ask()
        return bool(samplez.BitGenerator(seed=3).random_raw() > 0)

    assert forked(all_refuse)
    copyable = samplez.BitGenerator(seed=3, copyable=True)
    expected = copyable.jumped().random_raw(), copyable.random_raw()
    copyable = samplez.BitGenerator(seed=3, copyable=True)
    assert forked(lambda: (copyable.jumped().random_raw(), copyable.random_raw()) == expected)
    assert 0 <= rng.random() < 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_samples_of_its_own() -> None:
    """Those made ahead are not handed out twice. Of 220 samples two are equal by chance with probability below 1e-10."""
    wide = samplez.DiscreteGaussian(10**14, method="karney")
    wide.sample()
    read, write = os.pipe()

    def tell() -> bool:
        drawn = [wide.sample() for _ in range(10)] + wide.sample(10).tolist()
        os.write(write, b",".join(str(sample).encode() for sample in drawn))
        return True

    assert forked(tell)
    theirs = {int(text) for text in os.read(read, 4096).split(b",")}
    os.close(read)
    os.close(write)
    assert len(theirs) == 20 and not theirs & {*(wide.sample() for _ in range(100)), *wide.sample(100).tolist()}


def test_samples_made_ahead_are_handed_out_once() -> None:
    """Of 5,000 samples of σ = 10^17 two are equal by chance with probability below 1e-10."""
    wide = samplez.DiscreteGaussian(10**17)
    drawn: list[int] = []
    for size in (1, 255, 256, 0, 100, 100, 100, 257, 3, 3000, 250, 10):
        drawn.append(wide.sample())
        drawn += wide.sample(size).tolist()
    assert len(set(drawn)) == len(drawn) and 0 not in drawn


@pytest.mark.parametrize("size", [0, 1, 10, 256, 257, 1 << 16, (1 << 16) + 1])
def test_one_native_call_draws_the_same_integers(size: int) -> None:
    """An array of any size holds the samples that an array to fill receives, one at a time and in batches."""
    for g in (G, samplez.DiscreteGaussian("3.2")):
        for new in (lambda: samplez.Source(seed=4), lambda: np.random.default_rng(4)):
            rng, same = new(), new()
            for _ in range(2):
                drawn, out = g.sample(size, rng=rng), np.ones(size, np.int64)
                assert drawn.dtype == np.int64 and drawn.flags.writeable and drawn.flags.owndata
                assert np.array_equal(drawn, g.sample(rng=same, out=out))
                assert g.sample(rng=rng) == g.sample(rng=same)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_source_refuses() -> None:
    rng = samplez.Source(seed=3)
    G.sample(rng=rng)
    child = os.fork()
    if child == 0:
        try:
            G.sample(rng=rng)
            os._exit(1)
        except RuntimeError:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    G.sample(rng=rng)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ["os", "dev-urandom", "dev-random"])
def test_a_forked_source_of_the_system_has_bits_of_its_own(name: str) -> None:
    """Two of 256 samples of σ = 10^14 are equal by chance with probability below 1e-9."""
    wide, rng = samplez.DiscreteGaussian(10**14), samplez.Source(name)
    wide.sample(3, rng=rng)  # 1024 bytes are read, and few are used
    drawn: list[int] = []
    for draw in (lambda: wide.sample(64, rng=rng).tolist(), lambda: [wide.sample(rng=rng) for _ in range(64)]):
        for _ in range(2):
            read, write = os.pipe()

            def tell(draw: Callable[[], list[int]] = draw, write: int = write) -> bool:
                os.write(write, ",".join(map(str, draw())).encode())
                return True

            assert forked(tell)
            drawn += map(int, os.read(read, 1 << 16).split(b","))
            os.close(read)
            os.close(write)
        drawn += draw()
    assert len(drawn) == 6 * 64 and len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("byte", [0, 7, 255])
def test_a_dead_seed_is_refused(byte: int) -> None:
    dead = bytes([byte]) * 32
    for seed in (dead, bytearray(dead), memoryview(dead), dead.hex()):
        for argument, ask in (
            ("rng", lambda seed=seed: G.sample(3, rng=seed)),
            ("rng", lambda seed=seed: samplez.round([1, 2], sigma=3, rng=seed)),
            ("seed", lambda seed=seed: samplez.Source(seed=seed)),
            ("seed", lambda seed=seed: samplez.BitGenerator(seed=seed)),
            ("seed", lambda seed=seed: samplez.block(G.recipe, seed=seed, index=0)),
        ):
            with pytest.raises(ValueError, match=f"^{argument}: 32 equal bytes are a seed that was never set; expected 32 random bytes"):
                ask()
    assert len(G.sample(3, rng=dead[:31] + b"\x01")) == 3


class Bitgen(ctypes.Structure):
    """`bitgen_t` of numpy/random/bitgen.h."""

    _fields_: ClassVar = [("state", ctypes.c_void_p), *((name, ctypes.c_void_p) for name in ("u64", "u32", "double", "raw"))]


class Scripted:
    """A bit generator by NumPy's C interface whose words a function of Python gives."""

    def __init__(self, word: Callable[[], int]) -> None:
        self.lock = threading.Lock()
        self._called = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(lambda _: word())
        self._bitgen = Bitgen(u64=ctypes.cast(self._called, ctypes.c_void_p).value)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self._name = ctypes.c_char_p(b"BitGenerator")  # must outlive the capsule
        self.capsule = make(ctypes.addressof(self._bitgen), self._name, None)


def of_method(method: str) -> samplez.DiscreteGaussian:
    """A law that the method takes."""
    for law in ("sigma=4", "sigma=1000", "k_sigma2=254", "sigma=1e8"):
        try:
            return samplez.DiscreteGaussian.from_recipe(f"{law},method={method}")
        except ValueError as error:
            assert "allows" in str(error)
    raise AssertionError(method)


@pytest.mark.parametrize("method", [method.name for method in samplez.methods()])
def test_a_stuck_generator_is_an_error(method: str) -> None:
    """Under every method: no endless loop, no samples."""
    g = of_method(method)
    for word in (0, 2**64 - 1, 0x0707070707070707):
        rng: Any = Scripted(lambda word=word: word)  # type: ignore[misc]
        out = np.ones(1000, "int32")
        with pytest.raises(OSError, match="the generator is stuck"):
            g.sample(out=out, rng=rng)
        assert not out.any()
        with pytest.raises(OSError, match="the generator is stuck"):
            g.sample(rng=rng)


# A single sample of an exact base has coins of its own, so that it differs from an array of one.
SINGLE = [method.name for method in samplez.methods() if method.name != "wide"]


@pytest.mark.parametrize("method", SINGLE)
def test_single_samples_are_those_of_arrays(method: str) -> None:
    """From a generator the first of an array, from a source the next of its stream."""
    g = of_method(method)
    for seed in range(50):
        assert g.sample(rng=np.random.default_rng(seed)) == g.sample(1, rng=np.random.default_rng(seed))[0]
    one, other = samplez.Source(seed=8), samplez.Source(seed=8)
    assert [g.sample(rng=one) for _ in range(300)] == [g.sample(1, rng=other)[0] for _ in range(300)]


def test_a_single_sample_beyond_the_first_words() -> None:
    """16 words, and then what follows as for an array; a generator that is stuck there ends."""
    beyond = 0
    for method in (method.name for method in samplez.methods()):
        g = of_method(method)
        for word in (0, 2**64 - 1, 0x5555555555555555):
            script = [word ^ 6 ^ 6 << 40] + [word] * 15 + np.random.PCG64(7).random_raw(4000).tolist()
            drawn, again = iter(script), iter(script)
            one: Any = Scripted(lambda drawn=drawn: next(drawn))  # type: ignore[misc]
            array: Any = Scripted(lambda again=again: next(again))  # type: ignore[misc]
            single, first = g.sample(rng=np.random.Generator(one)), g.sample(1, rng=array)[0]
            assert single == first or method not in SINGLE
            beyond += len(list(drawn)) < len(script) - 16
            stuck: Any = Scripted(lambda word=word: word)  # type: ignore[misc]
            with pytest.raises(OSError, match="the generator is stuck"):
                g.sample(rng=np.random.Generator(stuck))
    assert beyond > 0


def test_a_generator_that_gets_stuck_wipes_all() -> None:
    """What was good before the failure goes too."""
    words = iter(np.random.default_rng(1).integers(0, 2**64, 2_000, dtype=np.uint64).tolist())
    rng: Any = Scripted(lambda: next(words, 5))
    out = np.ones(200_000, "int8")
    with pytest.raises(OSError, match="the generator is stuck"):
        G.sample(out=out, rng=rng)
    assert not out.any() and not rng.lock.locked()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_failing_device_is_an_error() -> None:
    """A process that may open no file: the device's source fails, `out` is wiped, and later all is well."""
    import resource

    child = os.fork()
    if child == 0:
        verdict = 1
        try:
            limits = resource.getrlimit(resource.RLIMIT_NOFILE)
            out = np.ones(100, "int8")
            resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
            with pytest.raises(OSError, match="dev"):
                G.sample(out=out, source="dev-urandom")
            with pytest.raises(OSError, match="dev"):
                samplez.Source("dev-urandom")
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            assert not out.any() and G.sample(out=out, source="dev-urandom").any()
            verdict = 0
        finally:
            os._exit(verdict)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_lock_is_held_and_the_interpreter_s_is_not() -> None:
    """This thread looks at the lock a hundred times in a row while the other one samples, which holds it.

    A busy machine may not let it run during one call: there are up to 200.
    """
    rng = np.random.default_rng(1)
    slow = samplez.DiscreteGaussian("3.2", method="rejection")
    seen = threading.Event()

    def work() -> None:
        for _ in range(200):
            slow.sample(300_000, rng=rng)
            if seen.is_set():
                break

    worker = threading.Thread(target=work)
    worker.start()
    held = 0
    while worker.is_alive() and held <= 100:
        if rng.bit_generator.lock.acquire(blocking=False):
            rng.bit_generator.lock.release()
            held = 0
        else:
            held += 1
    seen.set()
    worker.join()
    assert held > 100


def test_threads_give_the_same_integers() -> None:
    one = G.sample((1500, 1000), rng=8, dtype="int8")
    assert np.array_equal(one, G.sample((1500, 1000), rng=8, threads=2))
    assert np.array_equal(one.reshape(-1)[1_200_000:], G.sample(300_000, rng=8, first=1_200_000, threads=None))


def test_a_distribution_pickles() -> None:
    for g in (G, samplez.DiscreteGaussian(s=8.35, center="1/3", precision=72, setup_time=0.5)):
        again = pickle.loads(pickle.dumps(g))
        assert again == g and hash(again) == hash(g)
        assert np.array_equal(again.sample(10, rng=1), g.sample(10, rng=1))


def entries() -> dict[str, Callable[[Any], object]]:
    """A call of each public function with an argument `rng`, by its name."""
    from samplez import dp, lattice, schemes

    bliss, lp11, regev = schemes.bliss, schemes.lp11, schemes.regev
    form, gadget = lattice.Form([[2, 1], [0, 3]], sigma=20), lattice.Gadget(2, q=12_289, sigma="4.5")
    trapdoor = lattice.Trapdoor.generate(2, q=256, rng=1)
    letters = regev.Parameters(64, l=32, q=1031, r=1, t=2, letter_error=1e-6)
    keys, small, key = lp11.keygen("ring-256", rng=1), regev.keygen(letters, rng=1), bliss.keygen("I", rng=1)
    values = np.zeros(50, np.int64)
    table = samplez.TableSampler([9288, 8720, 7216, 5264, 3384, 1918, 958, 422, 164, 56, 17, 4, 1], form="frodo", sigma="2.8")
    return {
        "BigGaussian.sample": lambda rng: samplez.BigGaussian("1e30").sample(3, rng=rng),
        "DiscreteGaussian.sample": lambda rng: G.sample(3, rng=rng),
        "OtherNoise.sample": lambda rng: samplez.OtherNoise(centered_binomial=2).sample(3, rng=rng),
        "SparseTernary.sample": lambda rng: samplez.SparseTernary(64, weight=9).sample(rng=rng),
        "TableSampler.sample": lambda rng: table.sample(3, rng=rng),
        "dp.discrete_gaussian_mechanism": lambda rng: dp.discrete_gaussian_mechanism(values, sensitivity=1, sigma=4, rng=rng),
        "dp.discrete_laplace_mechanism": lambda rng: dp.discrete_laplace_mechanism(values, sensitivity=1, epsilon=1, rng=rng),
        "dp.staircase_mechanism": lambda rng: dp.staircase_mechanism(values, sensitivity=1, epsilon=1, rng=rng),
        "dp.skellam_mechanism": lambda rng: dp.skellam_mechanism(values, sensitivity=1, variance=40, rng=rng),
        "lattice.Form.sample": lambda rng: form.sample(3, rng=rng),
        "lattice.Form.sample_around": lambda rng: form.sample_around([[0.5, 0.5]], rng=rng),
        "lattice.Gadget.sample": lambda rng: gadget.sample([5, 6], rng=rng),
        "lattice.Trapdoor.generate": lambda rng: lattice.Trapdoor.generate(2, q=256, rng=rng),
        "lattice.Trapdoor.preimage": lambda rng: trapdoor.preimage([[1, 2]], rng=rng),
        "round": lambda rng: samplez.round([0.5, 1.5], sigma=3, rng=rng),
        "sample": lambda rng: samplez.sample(sigma=3, center=[0.5, 1.5], rng=rng),
        "schemes.bliss.SigningKey.sign": lambda rng: key.sign(b"a text", rng=rng),
        "schemes.bliss.keygen": lambda rng: bliss.keygen("I", rng=rng),
        "schemes.lp11.PublicKey.encrypt": lambda rng: keys[0].encrypt(b"a text", rng=rng),
        "schemes.lp11.keygen": lambda rng: lp11.keygen("ring-256", rng=rng),
        "schemes.regev.PublicKey.encrypt": lambda rng: small[0].encrypt(b"abcd", rng=rng),
        "schemes.regev.keygen": lambda rng: regev.keygen(letters, rng=rng),
    }


def takers() -> set[str]:
    """The public functions with an argument `rng`."""
    import inspect

    found = set()
    modules = {"": samplez, "dp.": samplez.dp, "lattice.": samplez.lattice} | {
        f"schemes.{name}.": getattr(samplez.schemes, name) for name in ("bliss", "lp11", "regev")
    }
    for prefix, module in modules.items():
        for name in [*module.__all__, *(["round"] if module is samplez else [])]:  # which a star import leaves Python's
            item = getattr(module, name)
            inner = [(f"{name}.{method}", getattr(item, method)) for method in dir(item) if method[0] != "_"] if isinstance(item, type) else []
            for path, function in [(name, item), *inner]:
                ours = inspect.isroutine(function) and str(getattr(function, "__module__", "")).startswith("samplez")
                if ours and "rng" in inspect.signature(function).parameters:
                    found.add(prefix + path)
    return found


def test_every_function_refuses_a_dead_generator() -> None:
    """Words that are constant, or of 32 bits in either half; functions with secrets take no such generator at all."""
    calls, mix = entries(), np.random.SFC64(3)
    assert set(calls) == takers()
    for shift in (0, 32):

        def shifted(by: int = shift) -> int:
            return (int(mix.random_raw()) >> 32) << by

        dead: list[Callable[[], int]] = [lambda: 0, lambda: 2**64 - 1, lambda: 0x0123456789ABCDEF, shifted]
        for word in dead:
            for name, call in calls.items():
                rng: Any = Scripted(word)
                secret = name.startswith(("dp.", "schemes.", "lattice.Trapdoor."))
                with pytest.raises((TypeError, ValueError) if secret else OSError, match="rng: " if secret else "the generator is stuck"):
                    call(rng)
    for half in (lambda: 5, lambda: int(mix.random_raw()) >> 32):
        single: Any = Scripted(half)
        with pytest.raises(OSError, match="the generator is stuck"):
            G.sample(rng=np.random.Generator(single))


@pytest.mark.parametrize(
    ("seed", "kind"),
    [
        (2**64, "out-of-range"), (-1, "out-of-range"), (-(2**80), "out-of-range"), (bytes(31), "other"), (bytes(32), "other"), ("x", "other"), ("00" * 32, "other"),
        (str(2**64), "out-of-range"), ("07", "other"),
    ],
)
def test_a_seed_s_refusal_has_its_kind_and_shows_no_seed(seed: Any, kind: str) -> None:
    g = samplez.DiscreteGaussian(3)
    calls: list[tuple[str, Callable[[], object]]] = [
        ("seed", lambda: samplez.Source(seed=seed)), ("seed", lambda: samplez.BitGenerator(seed=seed)), ("rng", lambda: g.sample(3, rng=seed)),
    ]
    for name, call in calls:
        with pytest.raises(ValueError) as refused:
            call()
        said = vars(refused.value)
        told = str(seed) if isinstance(seed, int) and seed < 0 else ""
        assert (said["kind"], said["argument"], said["value"]) == (kind, name, told)
        assert str(refused.value).endswith(said["reason"])


def test_an_unknown_source_has_its_kind() -> None:
    g = samplez.DiscreteGaussian(3)
    calls: list[Callable[[], object]] = [
        lambda: samplez.Source("chacha"), lambda: samplez.BitGenerator("chacha"), lambda: g.sample(3, rng=1, source="chacha"), lambda: g.sample(9, source="chacha"),
        lambda: samplez.block(g.recipe, seed=1, index=0, source="chacha"), lambda: samplez.lattice.Form([[1]], sigma=20).sample(3, rng=1, source="chacha"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="^source = chacha: expected one of chacha20, ") as refused:
            call()
        said = vars(refused.value)
        assert (said["kind"], said["argument"], said["value"]) == ("unknown", "source", "chacha")
    with pytest.raises(ValueError, match="^source = os: it can fail") as refused:
        samplez.BitGenerator("os")
    assert vars(refused.value)["argument"] == "source"
