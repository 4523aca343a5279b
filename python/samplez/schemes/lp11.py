"""LP11: encryption from learning with errors [LP11], over matrices and over rings; for research and teaching, see `samplez.schemes`.

It withstands chosen plaintexts alone, and **fails** silently. Each bit is decrypted wrongly with the probability that
`samplez.schemes.sets` states, 1e-5 to 8e-5. A change of a ciphertext changes the message.

>>> from samplez.schemes import lp11
>>> public, secret = lp11.keygen("matrix-128", rng=1)
>>> secret.decrypt(public.encrypt(b"a text", rng=2))
b'a text'

[LP11] R. Lindner, C. Peikert: Better Key Sizes (and Attacks) for LWE-Based Encryption.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from samplez import _samplez
from samplez._numbers import name_of
from samplez._random import Rng, secret_seed
from samplez._recipe import hides_unknown, suggests
from samplez.schemes._noise import Noise, demanded, sampler_of
from samplez.schemes._octets import Octets, octets

if TYPE_CHECKING:
    from typing_extensions import Self


@suggests
def keygen(set: str, *, noise: Noise = None, rng: Rng = None, source: str = "chacha20") -> tuple[PublicKey, SecretKey]:
    """Generates a public and a secret key. `set` is ``"matrix-128"``, ``"matrix-192"``, ``"matrix-256"``, ``"matrix-320"``, ``"ring-256"`` or
    ``"ring-512"``.

    Raises `ValueError` for noise that the set does not allow, and for a source that is not cryptographic.

    >>> public, secret = lp11.keygen("ring-256", noise="method=cdt-guided")
    >>> public.set, len(public.to_bytes()), len(secret.to_bytes())
    ('ring-256', 833, 417)
    """
    set = name_of("set", set)
    sampler = sampler_of(lambda recipe: demanded("lp11", set, recipe), noise)
    public, secret = _samplez.lp11_keygen(set, sampler, name_of("source", source), secret_seed(rng))
    return PublicKey._of(public), SecretKey._of(secret)


class PublicKey:
    """A public key: it encrypts."""

    __slots__ = ("_key",)
    _key: _samplez.Lp11PublicKey

    @hides_unknown
    def __init__(self, *unnamed: object, **unknown: object) -> None:
        raise TypeError("a PublicKey comes from samplez.schemes.lp11.keygen, or from PublicKey.from_bytes")

    @classmethod
    def _of(cls, key: _samplez.Lp11PublicKey) -> Self:
        self = cls.__new__(cls)
        self._key = key
        return self

    @classmethod
    @suggests
    def from_bytes(cls, data: Octets) -> Self:
        """The key with these bytes. Raises `ValueError` for whatever is not the one encoding of a key."""
        return cls._of(_samplez.Lp11PublicKey.from_bytes(octets("data", data)))

    @suggests
    def to_bytes(self) -> bytes:
        """The key's bytes: the set's number, A and P."""
        return self._key.to_bytes()

    @property
    def set(self) -> str:
        """The parameter set's name."""
        return self._key.set

    @suggests
    def encrypt(self, message: Octets, *, noise: Noise = None, rng: Rng = None, source: str = "chacha20") -> bytes:
        """Encrypts a message of any length below 2^32 bytes. The length is public.

        Raises `ValueError` for noise that the set does not allow, and for a source that is not cryptographic.

        >>> public, _ = lp11.keygen("ring-256")
        >>> public.encrypt(b"a text", rng=2) == public.encrypt(b"a text", rng=2)
        True
        """
        data = octets("message", message)
        sampler = sampler_of(lambda recipe: demanded("lp11", self.set, recipe), noise)
        return self._key.encrypt(sampler, data, name_of("source", source), secret_seed(rng))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        return f"<PublicKey of LP11 {self.set}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)


class SecretKey:
    """A secret key: it decrypts. It is erased when it goes, shows nothing, and is not copied or pickled."""

    __slots__ = ("_key",)
    _key: _samplez.Lp11SecretKey

    @hides_unknown
    def __init__(self, *unnamed: object, **unknown: object) -> None:
        raise TypeError("a SecretKey comes from samplez.schemes.lp11.keygen, or from SecretKey.from_bytes")

    @classmethod
    def _of(cls, key: _samplez.Lp11SecretKey) -> Self:
        self = cls.__new__(cls)
        self._key = key
        return self

    @classmethod
    @suggests
    def from_bytes(cls, data: Octets) -> Self:
        """The key with these bytes. Raises `ValueError` for whatever is not the one encoding of a key."""
        return cls._of(_samplez.Lp11SecretKey.from_bytes(octets("data", data)))

    @suggests
    def to_bytes(self) -> bytes:
        """The key's bytes. Nobody erases them."""
        return self._key.to_bytes()

    @suggests
    def decrypt(self, ciphertext: Octets) -> bytes:
        """Decrypts a ciphertext. Each bit is wrong with the set's rate of failure, silently.

        Raises `ValueError` for whatever is not an encoding of a ciphertext under this set.

        >>> _, secret = lp11.keygen("ring-256")
        >>> secret.decrypt(b"no ciphertext")
        Traceback (most recent call last):
        ...
        ValueError: malformed ciphertext: its set is unknown
        """
        return self._key.decrypt(octets("ciphertext", ciphertext))

    def __repr__(self) -> str:
        return f"<SecretKey of LP11 {self._key.set}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a SecretKey is not copied or pickled: if its bytes are to leave this process, say to_bytes()")


__all__ = ["PublicKey", "SecretKey", "keygen"]
