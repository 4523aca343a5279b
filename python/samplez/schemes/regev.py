"""Regev's encryption of many letters from learning with errors [Reg05], [MR09]; for research and teaching, see `samplez.schemes`.

It withstands chosen plaintexts alone, and **fails** silently. Each letter is decrypted wrongly with a probability of
about 1 % in the published sets. Correct errors above it, or state a rate of your own by
`letter_error` of `Parameters`. A change of a ciphertext changes the message. A key takes noise, a ciphertext takes none.

>>> from samplez.schemes import regev
>>> public, secret = regev.keygen("mr09-136", rng=1)
>>> len(secret.decrypt(public.encrypt(b"a text"))) # those bytes; each is wrong with a probability of 1 to 8 %
6

[Reg05] O. Regev: On Lattices, Learning with Errors, Random Linear Codes, and Cryptography.
[MR09] D. Micciancio, O. Regev: Lattice-Based Cryptography.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex

import numpy as np

from samplez import _samplez
from samplez._numbers import Number, mistyped, name_of, only_one, whole
from samplez._random import Rng, secret_seed
from samplez._recipe import hides_unknown, recipe_text, suggests
from samplez.schemes._noise import Noise, sampler_of
from samplez.schemes._octets import Octets, octets

if TYPE_CHECKING:
    from typing_extensions import Self


class Parameters:
    """Parameters of one's own; their security is unspecified.

    `n` is the secret's length and `l` the letters of a block, both up to 1024. `q` is the modulus, an odd prime below
    2^15. A ciphertext adds each of the key's `m` rows from -`r` to `r` times. Letters are numbers modulo `t`. `m` is
    ⌊((n + l) lg q + 200)/lg(2r + 1)⌋, as in [MR09], by default. The width of the noise has the forms of
    `samplez.DiscreteGaussian`. Or with `letter_error` it is the widest, s in thousandths, under which a letter fails with at most this
    probability, from 1e-10 to 0.5. [MR09] approximates the error of a letter; here the exact rate is tried, which takes a second.

    Raises `ValueError` for a number that is not allowed. Equal if all of them are, and then the same key of either is the same bytes.

    >>> own = regev.Parameters(256, l=64, q=12289, r=1, t=2, sigma="3.2")
    >>> own.m, own.law, own.set
    (2868, 'D_Z(sigma = 16/5, center = 0)', None)
    >>> own
    Parameters(256, l=64, q=12289, r=1, t=2, m=2868, sigma='16/5')
    >>> widest = regev.Parameters(64, l=64, q=1031, r=1, t=2, letter_error=1e-6)
    >>> widest.law, widest.letter_error() <= 1e-6
    ('D_Z(s = 1057/200, center = 0)', True)
    """

    __slots__ = ("_parameters",)
    _parameters: _samplez.RegevParameters

    @suggests
    def __init__(
        self,
        n: SupportsIndex,
        *,
        l: SupportsIndex,
        q: SupportsIndex,
        r: SupportsIndex,
        t: SupportsIndex,
        m: SupportsIndex | None = None,
        sigma: Number | None = None,
        sigma_squared: Number | None = None,
        k_sigma2: Number | None = None,
        s: Number | None = None,
        letter_error: float | None = None,
    ) -> None:
        shape = _shape(n, l, m, q, r, t)
        if letter_error is not None:
            only_one("noise", {"sigma": sigma, "sigma_squared": sigma_squared, "k_sigma2": k_sigma2, "s": s, "letter_error": letter_error})
            if isinstance(letter_error, bool) or not isinstance(letter_error, (int, float, np.integer, np.floating)):
                raise mistyped("letter_error", letter_error, "a number")
            self._parameters = _samplez.RegevParameters.for_letter_error(*shape, float(letter_error))
            return
        law = recipe_text({"sigma": sigma, "sigma_squared": sigma_squared, "k_sigma2": k_sigma2, "s": s}, {})
        self._parameters = _samplez.RegevParameters(*shape, law)

    @classmethod
    def _of(cls, parameters: _samplez.RegevParameters) -> Self:
        self = cls.__new__(cls)
        self._parameters = parameters
        return self

    @classmethod
    @suggests
    def of_set(cls, set: str) -> Self:
        """The parameters of a set."""
        return cls._of(_samplez.RegevParameters.of_set(name_of("set", set)))

    @property
    def set(self) -> str | None:
        """The name of the set that these are, if they are one's."""
        return self._parameters.set

    @property
    def m(self) -> int:
        """Rows of the public key."""
        return self._parameters.shape[2]

    @property
    def law(self) -> str:
        """The law of the noise."""
        return self._parameters.law

    @suggests
    def letter_error(self) -> float:
        """The probability that a fair letter is decrypted wrongly, from the exact law of the error. Takes a tenth of a second.

        >>> round(regev.Parameters.of_set("mr09-136").letter_error(), 6)
        0.008422
        """
        return self._parameters.letter_error()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parameters) and self._parameters == other._parameters

    def __hash__(self) -> int:
        return hash(self._parameters)

    def __repr__(self) -> str:
        if self.set is not None:
            return f"Parameters.of_set({self.set!r})"
        form, _, value = self._parameters.recipe.partition("=")
        n, l, m, q, r, t = self._parameters.shape
        return f"Parameters({n}, l={l}, q={q}, r={r}, t={t}, m={m}, {form}={value!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _parameters, (*self._parameters.shape, self._parameters.recipe)


def _shape(
    n: SupportsIndex, l: SupportsIndex, m: SupportsIndex | None, q: SupportsIndex, r: SupportsIndex, t: SupportsIndex
) -> tuple[int, int, int | None, int, int, int]:
    def number(name: str, value: SupportsIndex) -> int:
        return whole(name, value, 0, 2**32 - 1)

    rows = None if m is None else number("m", m)
    return number("n", n), number("l", l), rows, number("q", q), number("r", r), number("t", t)


def _parameters(n: int, l: int, m: int, q: int, r: int, t: int, law: str) -> Parameters:
    return Parameters._of(_samplez.RegevParameters(n, l, m, q, r, t, law))


@lru_cache(maxsize=32)
def _demanded(parameters: _samplez.RegevParameters, recipe: str) -> _samplez.Sampler:
    return parameters.noise(recipe)


@suggests
def keygen(
    parameters: str | Parameters, *, noise: Noise = None, rng: Rng = None, source: str = "chacha20"
) -> tuple[PublicKey, SecretKey]:
    """Generates a public and a secret key. `parameters` is the name of a set, ``"mr09-136"``, ``"mr09-166"``, ``"mr09-192"``, ``"mr09-214"``,
    ``"mr09-233"``, ``"mr09-233-t40"``, or ``"jsdgs17-256"``, which is inferred and confirmed by nobody; or `Parameters`.

    Raises `ValueError` for noise that the parameters do not allow, and for a source that is not cryptographic.

    >>> own = regev.Parameters(64, l=64, q=1031, r=1, t=2, letter_error=1e-6)
    >>> public, secret = regev.keygen(own, rng=1)
    >>> secret.decrypt(public.encrypt(b"a text", rng=2))
    b'a text'
    """
    if isinstance(parameters, str):
        parameters = Parameters.of_set(parameters)
    elif not isinstance(parameters, Parameters):
        raise mistyped("parameters", parameters, "a set's name or Parameters")
    key = parameters._parameters
    sampler = sampler_of(lambda recipe: _demanded(key, recipe), noise)
    public, secret = key.keygen(sampler, name_of("source", source), secret_seed(rng))
    return PublicKey._of(public), SecretKey._of(secret)


class PublicKey:
    """A public key, up to 5 MB: it encrypts."""

    __slots__ = ("_key",)
    _key: _samplez.RegevPublicKey

    @hides_unknown
    def __init__(self, *unnamed: object, **unknown: object) -> None:
        raise TypeError("a PublicKey comes from samplez.schemes.regev.keygen, or from PublicKey.from_bytes")

    @classmethod
    def _of(cls, key: _samplez.RegevPublicKey) -> Self:
        self = cls.__new__(cls)
        self._key = key
        return self

    @classmethod
    @suggests
    def from_bytes(cls, data: Octets) -> Self:
        """The key with these bytes. Raises `ValueError` for whatever is not the one encoding of a key."""
        return cls._of(_samplez.RegevPublicKey.from_bytes(octets("data", data)))

    @suggests
    def to_bytes(self) -> bytes:
        """The key's bytes: its parameters, A and B."""
        return self._key.to_bytes()

    @property
    def parameters(self) -> Parameters:
        """Its parameters."""
        return Parameters._of(self._key.parameters)

    @suggests
    def encrypt(self, message: Octets, *, rng: Rng = None, source: str = "chacha20") -> bytes:
        """Encrypts a message of any length below 2^32 bytes, and returns the ciphertext as bytes. The length is public. It takes no
        noise.

        Raises `ValueError` for a source that is not cryptographic.
        """
        return self._key.encrypt(octets("message", message), name_of("source", source), secret_seed(rng))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        return f"<PublicKey of Regev, {self.parameters!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)


class SecretKey:
    """A secret key: it decrypts. It is erased when it goes, shows nothing, and is not copied or pickled."""

    __slots__ = ("_key",)
    _key: _samplez.RegevSecretKey

    @hides_unknown
    def __init__(self, *unnamed: object, **unknown: object) -> None:
        raise TypeError("a SecretKey comes from samplez.schemes.regev.keygen, or from SecretKey.from_bytes")

    @classmethod
    def _of(cls, key: _samplez.RegevSecretKey) -> Self:
        self = cls.__new__(cls)
        self._key = key
        return self

    @classmethod
    @suggests
    def from_bytes(cls, data: Octets) -> Self:
        """The key with these bytes. Raises `ValueError` for whatever is not the one encoding of a key."""
        return cls._of(_samplez.RegevSecretKey.from_bytes(octets("data", data)))

    @suggests
    def to_bytes(self) -> bytes:
        """The key's bytes. Nobody erases them."""
        return self._key.to_bytes()

    @suggests
    def decrypt(self, ciphertext: Octets) -> bytes:
        """Decrypts a ciphertext. Each letter is wrong with the probability `Parameters.letter_error`, silently.

        Raises `ValueError` for whatever is not an encoding of a ciphertext under these parameters.

        >>> _, secret = regev.keygen(regev.Parameters(64, l=64, q=1031, r=1, t=2, s=5))
        >>> secret.decrypt(b"no ciphertext")
        Traceback (most recent call last):
        ...
        ValueError: malformed ciphertext: its set is unknown
        """
        return self._key.decrypt(octets("ciphertext", ciphertext))

    def __repr__(self) -> str:
        return f"<SecretKey of Regev, {Parameters._of(self._key.parameters)!r}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a SecretKey is not copied or pickled: if its bytes are to leave this process, say to_bytes()")


__all__ = ["Parameters", "PublicKey", "SecretKey", "keygen"]
