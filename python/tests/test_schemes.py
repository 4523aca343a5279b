"""Schemes: round trips, what is refused, what stays secret, and foreign certificates."""

import copy
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samplez
from samplez import schemes
from samplez.schemes import InvalidSignature, bliss, lp11, regev

FOREIGN = Path(__file__).parents[2] / "kat" / "bliss"
PROFILES = ["strongswan", *(f"strongswan-{h}" for h in ("sha2-384", "sha2-256", "sha3-512", "sha3-384", "sha3-256")), "sri", "hila"]
KEYS = [(set, variant, "strongswan") for set in ("I", "II", "III", "IV") for variant in ("b", "classic")]
KEYS += [("I", "b", profile) for profile in PROFILES[1:]] + [("0", variant, "hila") for variant in ("b", "classic")]
FAST = "method=cdt-guided"
CRYPTOGRAPHIC = [source.name for source in samplez.sources() if source.cryptographic and source.seeded]
OTHERS = [source.name for source in samplez.sources() if source.name not in CRYPTOGRAPHIC]

KEY = bliss.keygen("I", rng=1)
PUBLIC = KEY.public_key()
SIGNATURE = KEY.sign(b"a text", rng=2)
PAIR = lp11.keygen("ring-256", rng=1)
CIPHERTEXT = PAIR[0].encrypt(b"a text", rng=2)
OWN = regev.Parameters(64, l=32, q=1031, r=1, t=2, letter_error=1e-6)
SMALL = regev.keygen(OWN, rng=1)


@pytest.mark.parametrize(("set", "variant", "profile"), KEYS)
def test_sign_and_verify(set: str, variant: str, profile: str) -> None:
    key = bliss.keygen(set, variant, profile=profile)
    assert (key.public_key().set, key.public_key().variant, key.public_key().profile) == (set, variant, profile)
    again = bliss.SigningKey.from_bytes(key.to_bytes(), profile)
    public = bliss.PublicKey.from_bytes(key.public_key().to_bytes(), profile)
    assert public == key.public_key() == again.public_key() and hash(public) == hash(key.public_key())
    for signer, noise in (("plain", FAST), ("plain", None), ("isochronous", "")):
        public.verify(b"a text", again.sign(b"a text", signer=signer, noise=noise))
    signature = again.sign(b"a text")
    assert signature.attempts is not None and signature.attempts >= 1
    for same in (signature, signature.to_bytes(), bytearray(signature.to_bytes()), memoryview(bytes(signature))):
        public.verify(b"a text", same)
    for other in (b"a test", b"", b"a text\0"):
        with pytest.raises(InvalidSignature, match="^the signature is none of this message under this key$"):
            public.verify(other, signature)
    with pytest.raises(InvalidSignature):
        bliss.keygen(set, variant, profile=profile).public_key().verify(b"a text", signature)
    read = bliss.Signature.from_bytes(signature.to_bytes(), set, profile)
    assert read == signature and hash(read) == hash(signature) and read.attempts is None
    n = 256 if set == "0" else 512
    assert signature.z1.shape == signature.z2_compressed.shape == (n,) and signature.z1.dtype == np.int16
    assert len(np.unique(signature.challenge)) == {"0": 12, "I": 23, "II": 23, "III": 30, "IV": 39}[set]


def test_a_signature_keeps_to_its_profile_and_set() -> None:
    sri = bliss.keygen("I", profile="sri").sign(b"a text")
    with pytest.raises(InvalidSignature, match="the signature is of profile sri, the key of strongswan"):
        PUBLIC.verify(b"a text", sri)
    with pytest.raises(InvalidSignature):
        bliss.keygen("II").public_key().verify(b"a text", SIGNATURE)
    with pytest.raises(InvalidSignature):
        bliss.keygen("II").public_key().verify(b"a text", SIGNATURE.to_bytes())
    # The same key under another hash: the bytes are a key's all the same.
    other = bliss.PublicKey.from_bytes(PUBLIC.to_bytes(), "strongswan-sha2-256")
    assert other != PUBLIC
    with pytest.raises(InvalidSignature):
        other.verify(b"a text", SIGNATURE.to_bytes())


def test_every_changed_bit_is_found() -> None:
    data, message = SIGNATURE.to_bytes(), b"a text"
    for bit in range(0, 8 * len(data), 11):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(InvalidSignature):
            PUBLIC.verify(message, changed)
    for length in range(0, len(data), 7):
        with pytest.raises(InvalidSignature, match="malformed signature"):
            PUBLIC.verify(message, data[:length])
    with pytest.raises(InvalidSignature, match="malformed signature"):
        PUBLIC.verify(message, data + b"\0")


def test_foreign_certificates() -> None:
    ca_der, carol_der = ((FOREIGN / name).read_bytes() for name in ("caCert.der", "carolCert.der"))
    ca, carol = bliss.Certificate.from_der(ca_der), bliss.Certificate.from_der(carol_der)
    ca.verify(ca)
    carol.verify(ca)
    assert carol.issuer == ca.subject == ca.issuer != carol.subject
    assert (ca.profile, ca.public_key().set, carol.public_key().profile) == ("strongswan", "IV", "strongswan")
    assert ca == bliss.Certificate.from_der(memoryview(ca_der)) != carol and hash(ca) != hash(carol)
    with pytest.raises(InvalidSignature, match="the certificate names another issuer"):
        ca.verify(carol)
    found = {"unread": 0, "invalid": 0, "malformed": 0}
    for bit in range(0, 8 * len(carol_der), 131):
        changed = bytearray(carol_der)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            other = bliss.Certificate.from_der(changed)
        except ValueError as error:
            found["unread"] += str(error).startswith("malformed ")
            continue
        with pytest.raises(InvalidSignature) as caught:
            other.verify(ca)
        found["malformed" if "malformed" in str(caught.value) else "invalid"] += 1
    assert min(found.values()) > 0, found


@pytest.mark.parametrize("set", ["matrix-128", "matrix-192", "matrix-256", "matrix-320", "ring-256", "ring-512"])
def test_encrypt_and_decrypt(set: str) -> None:
    public, secret = lp11.keygen(set, rng=3, noise=FAST)
    assert public.set == set
    again, key = lp11.PublicKey.from_bytes(public.to_bytes()), lp11.SecretKey.from_bytes(secret.to_bytes())
    assert again == public and hash(again) == hash(public) and key.to_bytes() == secret.to_bytes()
    for message in (b"", b"x", bytes(range(100))):
        ciphertext = again.encrypt(bytearray(message), rng=4, noise=FAST)
        assert key.decrypt(memoryview(ciphertext)) == message  # the seeds are such that no bit fails
    assert again.encrypt(b"x") != again.encrypt(b"x")


def test_bits_fail_as_often_as_they_should() -> None:
    """256 KiB of zeros and ones under one key: within six standard deviations."""
    rate = next(row.failure[1] for row in schemes.sets() if row.set == "matrix-320" and row.failure)
    public, secret = lp11.keygen("matrix-320", rng=1, noise=FAST)
    message = np.random.default_rng(1).bytes(1 << 18)
    wrong = np.frombuffer(message, np.uint8) ^ np.frombuffer(secret.decrypt(public.encrypt(message, rng=2, noise=FAST)), np.uint8)
    count, expected = int(np.unpackbits(wrong).sum()), rate * 8 * len(message)
    assert abs(count - expected) < 6 * expected**0.5, (count, expected)


@pytest.mark.parametrize("set", [row.set for row in schemes.sets() if row.scheme == "regev"])
def test_regev_s_letters_fail_as_often_as_they_should(set: str) -> None:
    """Under each set, 24000 letters or more: within six standard deviations of the exact rate."""
    public, secret = regev.keygen(set, rng=1, noise=FAST)
    parameters = public.parameters
    assert parameters.set == set and parameters == regev.Parameters.of_set(set)
    assert regev.SecretKey.from_bytes(secret.to_bytes()).to_bytes() == secret.to_bytes()
    rate = next(row.failure[1] for row in schemes.sets() if row.set == set and row.failure)
    each = next(row.parameters["t"] for row in schemes.sets() if row.set == set).bit_length() - 1
    message = np.random.default_rng(1).bytes(3000 * each)
    read = secret.decrypt(public.encrypt(message, rng=2))
    wrong = np.unpackbits(np.frombuffer(message, np.uint8) ^ np.frombuffer(read, np.uint8)).reshape(-1, each).any(axis=1)
    assert abs(wrong.sum() - rate * wrong.size) < 6 * (rate * wrong.size) ** 0.5, (wrong.sum(), rate * wrong.size)
    assert rate == parameters.letter_error()


def test_regev_s_own_parameters() -> None:
    assert OWN.letter_error() <= 1e-6 and OWN.set is None and repr(OWN).startswith(f"Parameters(64, l=32, q=1031, r=1, t=2, m={OWN.m}, s=")
    own = regev.Parameters(136, l=136, q=2003, r=1, t=2, s="13.0195")
    assert own == regev.Parameters.of_set("mr09-136") and hash(own) == hash(regev.Parameters.of_set("mr09-136"))
    assert repr(own) == "Parameters.of_set('mr09-136')"
    for parameters in (OWN, regev.Parameters(136, l=136, q=2003, r=1, t=2, sigma="3.2", m=2100)):
        assert eval(repr(parameters), {"Parameters": regev.Parameters}) == parameters
        assert pickle.loads(pickle.dumps(parameters)) == copy.copy(parameters) == parameters != own
    for message in (b"", b"x", bytes(range(100))):
        assert SMALL[1].decrypt(SMALL[0].encrypt(memoryview(message), rng=5)) == message
    public = regev.PublicKey.from_bytes(SMALL[0].to_bytes())
    assert public == SMALL[0] and hash(public) == hash(SMALL[0]) and public.parameters == OWN
    assert SMALL[0] == regev.keygen(OWN, rng=1, noise="")[0]
    rational = regev.Parameters(64, l=32, q=1031, r=1, t=2, sigma="3.2")
    exact = regev.keygen(rational, rng=1, noise="exact=true")[0]
    assert exact == regev.keygen(rational, rng=1, noise=samplez.DiscreteGaussian("3.2", exact=True))[0]
    assert exact != regev.keygen(rational, rng=1)[0]


def operations() -> list[tuple[str, Callable[..., Any]]]:
    """Every operation that draws, with what it gives as something to compare."""
    return [
        ("bliss.keygen", lambda **a: bliss.keygen("I", **a).to_bytes()),
        ("bliss.sign", lambda **a: KEY.sign(b"a text", **a).to_bytes()),
        ("lp11.keygen", lambda **a: lp11.keygen("ring-256", **a)[1].to_bytes()),
        ("lp11.encrypt", lambda **a: PAIR[0].encrypt(b"a text", **a)),
        ("regev.keygen", lambda **a: regev.keygen(OWN, **a)[1].to_bytes()),
        ("regev.encrypt", lambda **a: SMALL[0].encrypt(b"a text", **a)),
    ]


@pytest.fixture(params=operations(), ids=lambda named: str(named[0]))
def operation(request: pytest.FixtureRequest) -> Any:
    return request.param[1]


def test_randomness(operation: Callable[..., bytes]) -> None:
    seed = bytes(range(32))
    first = operation(rng=seed)
    assert first == operation(rng=seed.hex()) == operation(rng=bytearray(seed)) == operation(rng=seed, source="chacha20")
    assert operation(rng=7) == operation(rng=np.uint8(7)) == operation(rng="7") != first
    assert len({operation(rng=seed, source=source) for source in CRYPTOGRAPHIC}) == len(CRYPTOGRAPHIC) - 1  # AES, in two ways
    assert operation() != operation()
    # A generator gives the seed, and moves on.
    stream = samplez.Source("hash-drbg-sha512", seed=1)
    taken = [samplez._samplez.Stream("hash-drbg-sha512", samplez._random.seed_bytes(1)) for _ in range(2)]
    assert taken[0].seed() == taken[1].seed() != taken[1].seed()
    assert operation(rng=stream) == operation(rng=samplez.Source("hash-drbg-sha512", seed=1)) != operation(rng=stream)
    bits = samplez.BitGenerator("chacha12", seed=1)
    assert operation(rng=bits) == operation(rng=np.random.Generator(samplez.BitGenerator("chacha12", seed=1))) != operation(rng=bits)
    assert operation(rng=samplez.Source("os")) != operation(rng=samplez.Source("os"))


@pytest.mark.parametrize("source", OTHERS)
def test_bad_sources(operation: Callable[..., bytes], source: str) -> None:
    """By name, as the operation's generator and as what seeds it."""
    if source in ("os", "dev-random", "dev-urandom"):
        with pytest.raises(ValueError, match=f"source = {source}: takes no seed; expected one of chacha20, "):
            operation(source=source)
        assert operation(rng=samplez.Source(source))
        return
    with pytest.raises(ValueError, match=f"source = {source}: is not cryptographic; expected one of chacha20, "):
        operation(source=source)
    for kind in (samplez.Source, samplez.BitGenerator):
        with pytest.raises(ValueError, match=f"rng: a samplez.{kind.__name__} over {source} is not cryptographic"):
            operation(rng=kind(source, seed=1))


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"rng": np.random.default_rng(1)}, ValueError, "rng: a NumPy PCG64 is not cryptographic"),
        ({"rng": np.random.MT19937(1)}, ValueError, "rng: a NumPy MT19937 is not cryptographic"),
        ({"rng": np.random.RandomState(1)}, ValueError, "rng: a NumPy MT19937 is not cryptographic"),
        ({"rng": 1.5}, TypeError, "rng: expected None, a seed .*, not float"),
        ({"rng": True}, TypeError, "rng = True: expected an integer"),
        ({"rng": -1}, ValueError, "rng = -1"),
        ({"rng": 2**64}, ValueError, "rng: expected a value between"),
        ({"rng": bytes(31)}, ValueError, "rng: has 31 bytes: expected 32"),
        ({"rng": "abc"}, ValueError, "rng: a seed is 64 hexadecimal digits"),
        ({"source": "dice"}, ValueError, "source = dice"),
        ({"source": 3}, TypeError, "source = 3: expected a str, not int"),
    ],
)
def test_bad_randomness(operation: Callable[..., bytes], arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        operation(**arguments)


@pytest.mark.parametrize(
    ("noise", "error", "text"),
    [
        (3, TypeError, "noise = 3: expected None, a recipe's text or a samplez.DiscreteGaussian, not int"),
        ("fast", ValueError, "noise = fast: expected name=value"),
        ("\ud800", ValueError, "noise: has half a surrogate pair"),
        ("colour=red", ValueError, "colour = red: expected one of sigma"),
        ("method=dice", ValueError, "method = dice: expected one of"),
        ("sigma=215", ValueError, r"sigma = 215: the scheme's distribution is D_Z\(sigma = 254 sqrt"),
        ("center=1/2", ValueError, r"center = 1/2: the scheme's distribution is"),
        ("method=cdt,precision=32", ValueError, r"precision = 32: its certificate must keep 126 of 128 bits of a search problem for 2\^59 samples"),
        ("precision=32", ValueError, r"precision = 32: "),
        (samplez.DiscreteGaussian("3.2"), ValueError, r"noise = D_Z\(sigma = 3.2, center = 0\): its law must be D_Z\(sigma = 254"),
        (samplez.DiscreteGaussian(sigma="215.7277"), ValueError, r"its law must be D_Z\(sigma = 254"),
        (samplez.DiscreteGaussian(k_sigma2=254, method="cdt", precision=32), ValueError, "its certificate must keep"),
    ],
)
def test_bad_noise(noise: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        KEY.sign(b"a text", noise=noise, signer="plain")


def test_bad_noise_for_encryption() -> None:
    for draw in (lambda noise: lp11.keygen("ring-256", noise=noise), lambda noise: PAIR[0].encrypt(b"", noise=noise)):
        with pytest.raises(ValueError, match=r"precision = 64: its certificate must keep 126 of 128 bits of a decision problem"):
            draw("precision=64,method=cdt")
        with pytest.raises(ValueError, match=r"its law must be D_Z\(s = 11.31, center = 0\)"):
            draw(samplez.DiscreteGaussian(s=12))


def test_noise_can_be_exchanged() -> None:
    """Exact methods give other signatures than tables; the same method the same, however it is said."""
    given = samplez.DiscreteGaussian(k_sigma2=254, exact=True)
    expected = KEY.sign(b"a text", rng=2, noise=given, signer="plain")
    PUBLIC.verify(b"a text", expected)
    for noise in (given.recipe, "exact=true", schemes.noise("bliss", "I", "exact=true")):
        assert KEY.sign(b"a text", rng=2, noise=noise, signer="plain") == expected
    assert KEY.sign(b"a text", rng=2, noise=FAST, signer="plain") != expected
    assert KEY.sign(b"a text", rng=2, noise=schemes.noise("bliss", "I")) == KEY.sign(b"a text", rng=2, noise="") == SIGNATURE


def test_signers() -> None:
    assert KEY.sign(b"a text", rng=2, signer="isochronous") == SIGNATURE
    both = [[KEY.sign(b"a text", rng=seed, signer=signer) for signer in ("plain", "isochronous")] for seed in range(40)]
    assert any(plain != isochronous for plain, isochronous in both), "their coins are others"
    for noise in (FAST, "variable_time=true", samplez.DiscreteGaussian(k_sigma2=254, method="knuth-yao")):
        with pytest.raises(ValueError, match="^noise = .*: the isochronous signer takes none whose timing is variable; signer='plain' does$"):
            KEY.sign(b"a text", noise=noise)
    with pytest.raises(ValueError, match="signer = fast: expected isochronous or plain"):
        KEY.sign(b"a text", signer="fast")
    with pytest.raises(TypeError, match="signer = True: expected a str, not bool"):
        KEY.sign(b"a text", signer=True)  # type: ignore[arg-type]


def test_default_noise_is_what_the_sets_demand() -> None:
    for row in schemes.sets():
        certificate = schemes.noise(row.scheme, row.set).certificate()
        assert certificate.law == row.noise and certificate.timing in ("constant", "isochronous")
        by_renyi = row.problem == "search" and (certificate.samples_log2["128"] or 0) >= row.samples_log2
        assert by_renyi or certificate.bits_kept[row.problem]["128"] >= 126
    first, second = (schemes.noise("bliss", "I")._sampler for _ in range(2))
    assert first is second, "tables are built once"


def test_sets() -> None:
    rows = schemes.sets()
    assert [len([row for row in rows if row.scheme == scheme]) for scheme in ("bliss", "lp11", "regev")] == [5, 6, 7]
    assert [row.set for row in rows if row.scheme == "bliss"] == ["0", "I", "II", "III", "IV"]
    for row in rows:
        assert (row.lifetime_log2 is None) == (row.scheme == "regev") and row.security < 200
        assert row.samples_log2 > (row.lifetime_log2 or 0)
        assert {"n", "q"} <= row.parameters.keys() and all(1 <= x < 1 << 16 for x in row.parameters.values())
        assert (row.failure is None) == bool(row.attempts) == (row.scheme == "bliss")
        for variant, attempts in row.attempts.items():
            assert row.samples[variant] == pytest.approx(attempts * 2 * (256 if row.set == "0" else 512))


def test_secrets_are_not_shown_and_not_copied() -> None:
    for secret, shown in ((KEY, "<SigningKey of BLISS-B I, profile strongswan>"), (PAIR[1], "<SecretKey of LP11 ring-256>"),
                          (SMALL[1], f"<SecretKey of Regev, {OWN!r}>")):
        assert repr(secret) == str(secret) == shown
        for work in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="is not copied or pickled"):
                work(secret)
        with pytest.raises(TypeError):
            vars(secret)
        with pytest.raises(TypeError, match="comes from"):
            type(secret)()
    for native in (KEY._key, PAIR[1]._key, SMALL[1]._key):
        assert "0x" in repr(native), "the default one, which shows an address"
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(native)


def test_what_is_public_is_copied_and_pickled() -> None:
    for public in (PUBLIC, SIGNATURE, PAIR[0], SMALL[0]):
        assert pickle.loads(pickle.dumps(public)) == copy.deepcopy(public) == public != 3
        with pytest.raises(TypeError, match="comes from"):
            type(public)()
    assert repr(PUBLIC) == "<PublicKey of BLISS-B I, profile strongswan>"
    assert repr(SIGNATURE) == "<Signature of set I, profile strongswan>"
    assert repr(PAIR[0]) == "<PublicKey of LP11 ring-256>"
    assert repr(SMALL[0]) == f"<PublicKey of Regev, {OWN!r}>"


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: bliss.keygen("V"), ValueError, "set = V: expected 0, I, II, III or IV"),
        (lambda: bliss.keygen(1), TypeError, "set = 1: expected a str, not int"),  # type: ignore[arg-type]
        (lambda: bliss.keygen("0"), ValueError, "set = 0: profile strongswan allows I to IV"),
        (lambda: bliss.keygen("I", "c"), ValueError, "variant = c: expected classic or b"),
        (lambda: bliss.keygen("I", profile="x"), ValueError, "profile = x: expected strongswan"),
        (lambda: KEY.sign("a text"), TypeError, "message: expected bytes, not str; encode the text"),  # type: ignore[arg-type]
        (lambda: PUBLIC.verify("a text", SIGNATURE), TypeError, "message: expected bytes, not str"),  # type: ignore[arg-type]
        (lambda: PUBLIC.verify(b"a text", "x"), TypeError, "signature: expected bytes, not str"),  # type: ignore[arg-type]
        (lambda: PUBLIC.verify(b"a text", 5), TypeError, "signature: expected bytes, not int"),  # type: ignore[arg-type]
        (lambda: bliss.SigningKey.from_bytes(b""), ValueError, "malformed signing key: it ends too early"),
        (lambda: bliss.SigningKey.from_bytes(KEY.to_bytes()[:-1]), ValueError, "malformed signing key"),
        (lambda: bliss.SigningKey.from_bytes(KEY.to_bytes() + b"\0"), ValueError, "malformed signing key"),
        (lambda: bliss.SigningKey.from_bytes(KEY.to_bytes(), "sri"), ValueError, "malformed signing key"),
        (lambda: bliss.SigningKey.from_bytes(KEY.to_bytes(), "x"), ValueError, "profile = x"),
        (lambda: bliss.SigningKey.from_bytes([1]), TypeError, "data: expected bytes, not list"),  # type: ignore[arg-type]
        (lambda: bliss.PublicKey.from_bytes(KEY.to_bytes()), ValueError, "malformed public key"),
        (lambda: bliss.PublicKey.from_bytes(PUBLIC.to_bytes()[:-1]), ValueError, "malformed public key"),
        (lambda: bliss.Signature.from_bytes(SIGNATURE.to_bytes()[:-1], "I"), ValueError, "malformed signature"),
        (lambda: bliss.Signature.from_bytes(SIGNATURE.to_bytes(), "V"), ValueError, "set = V: expected"),
        (lambda: bliss.Signature.from_bytes(SIGNATURE.to_bytes()), TypeError, r"^missing set: write Signature.from_bytes\(data=..., set=...\)$"),  # type: ignore[call-arg]
        (lambda: bliss.Signature.from_bytes(SIGNATURE.to_bytes(), "I", "hila"), ValueError, "malformed signature"),
        (lambda: bliss.Signature.from_bytes(b"", "0"), ValueError, "set = 0: profile strongswan"),
        (lambda: bliss.Certificate.from_der(PUBLIC.to_bytes()), ValueError, "malformed certificate"),
        (lambda: bliss.Certificate.from_der("x"), TypeError, "data: expected bytes, not str"),  # type: ignore[arg-type]
        (lambda: lp11.keygen("matrix-1"), ValueError, "set = matrix-1: expected matrix-128"),
        (lambda: lp11.keygen(None), TypeError, "set = None: expected a str, not NoneType"),  # type: ignore[arg-type]
        (lambda: PAIR[0].encrypt("a text"), TypeError, "message: expected bytes, not str"),  # type: ignore[arg-type]
        (lambda: PAIR[1].decrypt(CIPHERTEXT[:-1]), ValueError, "malformed ciphertext: its length is not what it says"),
        (lambda: PAIR[1].decrypt(CIPHERTEXT + b"\0"), ValueError, "malformed ciphertext"),
        (lambda: PAIR[1].decrypt(b""), ValueError, "malformed ciphertext: it ends too early"),
        (lambda: PAIR[1].decrypt(b"\0" + CIPHERTEXT[1:]), ValueError, "malformed ciphertext: it is of another set"),
        (lambda: PAIR[1].decrypt(b"\4" + b"\xff" * 832), ValueError, "malformed ciphertext"),
        (lambda: PAIR[1].decrypt("x"), TypeError, "ciphertext: expected bytes, not str"),  # type: ignore[arg-type]
        (lambda: lp11.SecretKey.from_bytes(PAIR[1].to_bytes()[:-1]), ValueError, "malformed secret key"),
        (lambda: lp11.SecretKey.from_bytes(b"\4" + b"\xff" * 416), ValueError, "malformed secret key: a residue is not below q"),
        (lambda: lp11.PublicKey.from_bytes(PAIR[1].to_bytes()), ValueError, "malformed public key"),
        (lambda: lp11.PublicKey.from_bytes(b"\x09"), ValueError, "malformed public key: its set is unknown"),
        (lambda: regev.keygen("mr09"), ValueError, "set = mr09: expected mr09-136"),
        (lambda: regev.keygen(136), TypeError, "parameters = 136: expected a set's name or Parameters, not int"),  # type: ignore[arg-type]
        (lambda: regev.keygen(OWN, noise="precision=32"), ValueError, "precision = 32: its certificate must keep 126 of 128 bits of a decision problem"),
        (lambda: regev.keygen(OWN, noise=samplez.DiscreteGaussian(3)), ValueError, r"noise = D_Z\(sigma = 3, center = 0\): its law must"),
        (lambda: regev.Parameters(64, l=64, q=1031, r=1, t=2), ValueError, "missing width: pass one of"),
        (lambda: regev.Parameters(64, l=64, q=1031, r=1, t=2, sigma=3, s=8), ValueError, "s = 8: sigma is given too"),
        (lambda: regev.Parameters(0, l=64, q=1031, r=1, t=2, s=8), ValueError, "n = 0: expected a number between 1 and 1024"),
        (lambda: regev.Parameters(-1, l=64, q=1031, r=1, t=2, s=8), ValueError, "n = -1: expected a value between 0"),
        (lambda: regev.Parameters(1.5, l=64, q=1031, r=1, t=2, s=8), TypeError, "n = 1.5: expected an integer, not float"),  # type: ignore[arg-type]
        (lambda: regev.Parameters(64, l=64, q=1032, r=1, t=2, s=8), ValueError, "q = 1032: expected an odd prime"),
        (lambda: regev.Parameters(64, l=64, q=1031, r=0, t=2, s=8), ValueError, "r = 0: expected a number between"),
        (lambda: regev.Parameters(64, l=64, q=1031, r=1, t=600, s=8), ValueError, "t = 600: expected a number between 2 and 515"),
        (lambda: regev.Parameters(64, l=64, q=1031, r=1, t=2, m=100, s=8), ValueError, "m = 100: expected a number between"),
        (lambda: regev.Parameters(64, l=64, q=1031, r=1, t=2, s=1), ValueError, r"law = D_Z\(s = 1, center = 0\): must have center 0 and s between"),
        (lambda: regev.Parameters(64, l=64, q=1031, r=1, t=2, letter_error=0), ValueError, "letter_error = 0: expected a number between 1e-10"),
        (lambda: regev.Parameters(64, l=64, q=1031, r=1, t=2, letter_error=float("nan")), ValueError, "letter_error = NaN"),
        (lambda: regev.Parameters(64, l=64, q=1031, r=1, t=2, letter_error="x"), TypeError, "not str"),  # type: ignore[arg-type]
        (lambda: regev.Parameters(64, l=64, q=257, r=1, t=2, letter_error=1e-9), ValueError, "letter_error = .*: no noise with s > 2"),
        (lambda: SMALL[0].encrypt("x"), TypeError, "message: expected bytes, not str"),  # type: ignore[arg-type]
        (lambda: SMALL[1].decrypt(SMALL[0].encrypt(b"x")[:-1]), ValueError, "malformed ciphertext: its length is not what it says"),
        (lambda: SMALL[1].decrypt(b"\0" * 5), ValueError, "malformed ciphertext: it is of other parameters"),
        (lambda: SMALL[1].decrypt(b""), ValueError, "malformed ciphertext: it ends too early"),
        (lambda: SMALL[1].decrypt(5), TypeError, "ciphertext: expected bytes, not int"),  # type: ignore[arg-type]
        (lambda: regev.PublicKey.from_bytes(SMALL[0].to_bytes()[:-1]), ValueError, "malformed public key"),
        (lambda: regev.PublicKey.from_bytes(b"\7"), ValueError, "malformed public key: its set is unknown"),
        (lambda: regev.SecretKey.from_bytes(b"\xff" * 30), ValueError, "malformed secret key: its parameters are not allowed"),
        (lambda: regev.SecretKey.from_bytes(SMALL[1].to_bytes() + b"\0"), ValueError, "malformed secret key"),
        (lambda: schemes.noise("rsa", "I"), ValueError, "scheme = rsa: expected bliss, lp11 or regev"),
        (lambda: schemes.noise("lp11", "I"), ValueError, "set = I: expected matrix-128"),
        (lambda: schemes.noise("bliss", "I", 3), TypeError, "recipe = 3: expected a str, not int"),  # type: ignore[arg-type]
    ],
)
def test_bad_arguments(call: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_certificate_arguments() -> None:
    ca = bliss.Certificate.from_der((FOREIGN / "caCert.der").read_bytes())
    with pytest.raises(TypeError, match="issuer: expected a Certificate, not PublicKey"):
        ca.verify(ca.public_key())  # type: ignore[arg-type]
    for profile in ("sri", "strongswan-md5"):
        with pytest.raises(ValueError, match=f"profile = {profile}: "):
            ca.public_key(profile)
    assert ca.public_key("strongswan-sha3-256").profile == "strongswan-sha3-256"


def test_the_interpreter_goes_on_meanwhile(counted_during: Callable[[Callable[[], object]], int]) -> None:
    public, _ = lp11.keygen("matrix-320", rng=1, noise=FAST)
    assert counted_during(lambda: public.encrypt(bytes(1 << 16), noise=FAST)) > 100


def test_keys_are_shared_between_threads() -> None:
    expected = [KEY.sign(b"a text", rng=seed) for seed in range(8)]
    found: list[Any] = [None] * 8

    def work(seed: int) -> None:
        found[seed] = KEY.sign(b"a text", rng=seed)
        PUBLIC.verify(b"a text", found[seed])

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected
